"""Set-ups: turbine and drivetrain in one loop, against a loop and a solver that are not it."""

import numpy as np
import pytest
import xarray as xr
from scipy.integrate import solve_ivp

import gearwright as gw
from gearwright.errors import DrivetrainError
from gearwright.results import energy_book
from gearwright.running.setup import prepare_setup
from gearwright.running.turbine_engine import EngineRun
from gearwright.running.turbine_run import CoupledRun
from gearwright.targets.shared import on_source
from gearwright.turbine import simulate
from gearwright.turbine import wind as air

CASE = "normal-17ms-seed1"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("setup") / "run.nc"
    return gw.simulate("nrel-5mw", CASE, fidelity="torsional", duration=160.0, output=path)


def test_book_closes_and_tower_too(run):
    assert run.method == "coupled"
    assert run.energy_error < 1e-9
    a = run.attributes
    left = a["work_tower_input"] - a["work_tower_heat"] - a["work_tower_stored"]
    assert abs(left) < 1e-6 * abs(a["work_aerodynamic"])


def test_planets_carry_the_shaft(run):
    # S1 eq. 4.4: pin load = T/(3 r_c) for equal planets, up to inertia of the carrier
    pin = run.channels["stage1.planet1_bearing.force"]["mean"]
    assert pin == pytest.approx(run.channels["main.torque"]["mean"] / (3 * 0.79524), rel=0.002)


def test_turbine_alone_agrees(run):
    # the same rotor, tower and controller with one shaft spring in a loop of its own: slow quantities agree
    setup = prepare_setup(gw.load("nrel-5mw"), CASE, fidelity="torsional", duration=160.0)
    alone = simulate(setup.turbine, setup.wind, duration=160.0).after(60.0).statistics()
    for name in ("pitch", "thrust", "tower_fore_aft"):
        mine = run.channels[f"turbine.{name}"]
        assert mine["mean"] == pytest.approx(alone[name]["mean"], rel=0.01)
        assert mine["std"] == pytest.approx(alone[name]["std"], rel=0.05)


def test_modal_loop_against_a_stiff_solver():
    # 0.4 s of the linear train under the loop's own torques, by an implicit solver on the full matrices
    setup = prepare_setup(gw.load("nrel-5mw"), CASE, fidelity="torsional", duration=60.0)
    loop = CoupledRun(setup, 1e-3, setup.system.channels)
    steps, system = 400, setup.system
    first = loop.start_state()
    samples = []
    for _ in range(steps):
        samples.append(loop.loop.inputs[:2].copy())
        loop.advance(1)
    samples.append(loop.loop.inputs[:2].copy())
    samples[0] = samples[1]  # the inputs of the steady start are replaced at the first step
    torque, time = np.array(samples), np.arange(steps + 1) * 1e-3
    m = system.mass.toarray()
    k, c = system.spring_matrices()
    n = len(m)
    columns = [system.coordinates.index(f"{b}.rotation") for b in (setup.rotor_body, setup.machine.body)]

    def rate(t, y):
        f = -k @ y[:n] - c @ y[n:]
        for i, column in enumerate(columns):
            f[column] += np.interp(t, time, torque[:, i])
        return np.concatenate([y[n:], np.linalg.solve(m, f)])

    solved = solve_ivp(
        rate, (0.0, 0.4), np.concatenate([first.q, first.v]), "Radau", rtol=1e-10, atol=1e-12, max_step=1e-2
    )
    end = loop.end_state()
    assert end.v == pytest.approx(solved.y[n:, -1], rel=1e-6)


def test_exchange_step_converges_at_second_order():
    # the loop against itself with shorter exchange steps: a dip of the voltage, aerodynamics at the same instants
    found = {}
    event = "cases.lvrt.events=[{at: 1 s, type: grid_fault, code: denmark}]"
    drivetrain = gw.load("nrel-5mw", [event, "turbine.rotor.aero_step=0.02 s"])
    for step in (4e-3, 2e-3, 1e-3, 2.5e-4):
        setup = prepare_setup(drivetrain, "lvrt-linear", fidelity="torsional", duration=4.0)
        channels = tuple(c for c in setup.system.channels if c.name == "main.torque")
        loop = CoupledRun(setup, step, channels, exchange=step)
        block, _ = loop.advance(round(4.0 / step))
        every = round(4e-3 / step)
        found[step] = block.lines[every - 1 :: every, 0]
    reference = found[2.5e-4]
    errors = [np.sqrt(np.mean((found[s] - reference) ** 2)) / reference.std() for s in (4e-3, 2e-3, 1e-3)]
    assert errors[2] < 2e-3
    assert errors[0] > 1.5 * errors[1] > 2.2 * errors[2]


def test_brake_stops_and_holds(tmp_path):
    run = gw.simulate("nrel-5mw", "emergency-stop-11.4ms-seed1", fidelity="torsional", output=tmp_path / "es.nc")
    peak = run.channels["main.torque"]["max"] / 4.1807e6
    assert 2.2 < peak < 3.2
    assert run.energy_error < 1e-6
    with xr.open_dataset(tmp_path / "es.nc") as data:
        speed = np.asarray(data["machine_speed"].sel(machine="generator"))
        time = np.asarray(data["time"])
    assert np.abs(speed[time > 165.0]).max() < 0.5
    assert np.abs(speed[time > 195.0]).max() < 1e-3


@pytest.mark.parametrize(
    ("overrides", "case", "message"),
    [
        (
            ["cases.normal.events=[{at: 1 s, type: earthquake}]"],
            "normal",
            "type = earthquake: not one of the known words",
        ),
        (["cases.lvrt.events.0.code=qebec"], "lvrt", "Did you mean 'quebec'"),
        (["turbine.roter={}"], "normal", "Did you mean 'rotor'"),
        (["turbine.attach=shaft"], "normal", "no body 'shaft'"),
        (["machines.generator.type=engine_map"], "normal", "type engine_map"),
        (["cases.normal.wind={type: breeze}"], "normal", "breeze"),
        (["turbine.data=nrel-6mw"], "normal", "no turbine 'nrel-6mw'"),
        (["turbine.rotor.aero_step=0 s"], "normal", "aero_step = 0 s: a time must be positive"),
        (["turbine.rotor.tower=perhaps"], "normal", "tower = perhaps: true or false is wanted"),
        (["turbine.controller.damper_gain=much"], "normal", "damper_gain = much: .* does not start with a number"),
        (["turbine.controller.second_order_pitch=6.28"], "normal", "second_order_pitch = 6.28: a list is wanted"),
        (["cases.lvrt.events.0.drawn_between=[5 s, 1 s]"], "lvrt", "earliest, latest"),
        (["cases.lvrt.events.0.recovery_level=2"], "lvrt", "recovery_level = 2: 2 is outside of the range 0 to 1.5"),
        (
            ["cases.emergency-stop.events.0.pitch_rate=0 deg/s"],
            "emergency-stop",
            "pitch_rate = 0 deg/s: a rotational speed must be positive",
        ),
        (["cases.emergency-stop.events.1.rise=-1 s"], "emergency-stop", "rise = -1 s: a time must not be negative"),
        (["cases.emergency-stop.events.1.on=hss_break"], "emergency-stop", "Did you mean 'hss_brake'"),
        (
            ["cases.normal.events=[{at: 1 s, type: stop}, {at: 2 s, type: stop}]"],
            "normal",
            "a second event of type stop",
        ),
        (
            ["cases.normal.events=[{at: 1 s, type: grid_loss}, {at: 2 s, type: pitch_to_feather}]"],
            "normal",
            "by itself",
        ),
        (["machines.generator.parameters={data: nrel-5mw, reactive_support: -1}"], "normal", "must not be negative"),
        ([], ["turbine.rotor.tower=false"], "the name of a case is text"),
    ],
)
def test_refusals(overrides, case, message):
    with pytest.raises((DrivetrainError, ValueError), match=message):
        prepare_setup(gw.load("nrel-5mw", overrides), case, duration=1.0)


def test_what_comes_after_the_end_is_noted():
    events = "[{at: 70 s, type: brake, on: hss_brake}, {at: 5 s, type: grid_fault, code: usa}]"
    drivetrain = gw.load("nrel-5mw", [f"cases.gust-grid-loss.events={events}"])
    notes = " ".join(prepare_setup(drivetrain, "gust-grid-loss", duration=30.0).notes)
    assert "without effect: the brake (70 s), the gust (60 s)" in notes and "grid's event" not in notes


def test_azimuth_is_met_when_the_gust_starts():
    from gearwright.running.setup import initial_azimuth

    setup = prepare_setup(gw.load("nrel-5mw"), "gust-grid-loss-11.4ms-t2-az3", fidelity="torsional")
    loop = CoupledRun(setup, 1e-3, ())
    speed = loop.point.speed
    begin = initial_azimuth(setup, speed)
    assert (begin + speed * 60.0) % (2 * np.pi) == pytest.approx(np.radians(60.0), abs=1e-9)
    loop.advance(60_000)
    met = np.degrees(loop.loop.scalar[2]) % 360
    # wind shear and tower shadow lower the mean torque a little, so that the speed settles beside the steady one
    assert min(abs(met - 60.0), 360 - abs(met - 60.0)) < 60.0


def test_fault_instant_is_the_same_for_all_codes():
    d = gw.load("nrel-5mw")
    times = {c: prepare_setup(d, f"lvrt-{c}-25ms-seed3").grid.time[1] for c in ("quebec", "usa")}
    assert times["quebec"] == times["usa"]
    assert 120.0 <= times["quebec"] <= 560.0
    assert prepare_setup(d, "lvrt-usa-25ms-seed4").grid.time[1] != times["usa"]


def test_wind_is_that_of_the_seed():
    d = gw.load("nrel-5mw")
    one, two = (prepare_setup(d, f"normal-9ms-seed{s}", duration=30.0).wind for s in (1, 2))
    again = air.turbulent(one_turbine(d), 9.0, 1, wind="IIA", duration=30.0)
    assert np.array_equal(one.field, again.field)
    assert not np.array_equal(one.field, two.field)


def one_turbine(drivetrain):
    return prepare_setup(drivetrain, "normal", duration=30.0).turbine


def test_grid_fault_through_the_dfig(tmp_path):
    # machines page, section 2: Quebec at 25 m/s, third order, three masses: pin 4.02 MN in the mean of five seeds with a
    # deviation of 0.1 to 0.3; one seed is met within three deviations and the 15 % between implementations
    run = gw.simulate("nrel-5mw", "lvrt-quebec-25ms-seed1", fidelity="torsional", output=tmp_path / "q.nc")
    pin = run.channels["stage1.planet1_bearing.force"]["max"] / 1e6
    assert 3.2 < pin < 5.0
    assert run.channels["main.torque"]["min"] < 0.15 * 4.1807e6
    assert run.energy_error < 1e-6


def test_medium_speed_set_up_holds_its_power(tmp_path):
    run = gw.simulate("nrel-5mw-medium-speed", "normal-17ms-seed1", fidelity="torsional", duration=160.0,
                      output=tmp_path / "m.nc")  # fmt: skip
    assert run.channels["generator.power"]["mean"] == pytest.approx(-5.0505e6, rel=0.01)
    assert run.channels["generator.speed"]["mean"] == pytest.approx(78.53, rel=0.01)


def test_start_and_stop_with_the_dfig(tmp_path):
    run = gw.simulate("nrel-5mw", "start-up-linear", fidelity="torsional", output=tmp_path / "s.nc")
    assert run.channels["turbine.electrical_power"]["max"] > 4.5e6
    run = gw.simulate("nrel-5mw", "normal-stop-linear", fidelity="torsional", output=tmp_path / "n.nc")
    with xr.open_dataset(tmp_path / "n.nc") as data:
        assert abs(float(data["machine_speed"].sel(machine="generator")[-1])) < 20.0
        assert float(data["turbine_electrical_power"][0, -1]) == 0.0


def agreement(setup, stepped, engine, duration, wanted=("main.torque",)):
    """RMS difference of channels from the modal loop, over their fluctuation, and the energy error."""
    loop = CoupledRun(setup, 1e-3, tuple(c for c in setup.system.channels if c.name in wanted))
    one = loop.advance(round(duration / loop.step))[0].lines
    other = EngineRun(stepped, 1e-3, tuple(c for c in stepped.system.channels if c.name in wanted), engine)
    begin, steps = other.start_state(), round(duration / other.step)
    # in two parts, so that a part that ends belongs to the test
    two = np.vstack([other.advance(n)[0].lines for n in (steps // 3, steps - steps // 3)])
    one = one[: len(two)]
    error = np.sqrt(np.mean((one - two) ** 2, axis=0)) / one.std(axis=0)
    return error, energy_book(stepped.system, begin, other.end_state()).error


@pytest.mark.parametrize("engine", ["exact", "exponential", "explicit"])
def test_an_engine_with_the_turbine_as_companion_agrees_with_the_modal_loop(engine):
    # the same linear train by an engine with exchange steps of 2 ms, against the loop of 1 ms: a dip at 1 s. The scheme errs
    # by 1.3e-4 at 2 ms (numerics page 2, section 5), the jump of the voltage adds to it
    duration = 4.0 if engine != "explicit" else 1.2
    event = "cases.lvrt.events=[{at: 1 s, type: grid_fault, code: denmark}]"
    drivetrain = gw.load("nrel-5mw", [event])
    setups = [
        prepare_setup(drivetrain, "lvrt-linear", fidelity="torsional", duration=4.0, stepped=s) for s in (False, True)
    ]
    error, energy = agreement(*setups, engine, duration)
    assert error[0] < 2e-3
    assert energy < 1e-6


@pytest.mark.parametrize("engine", ["exact", "exponential"])
def test_brake_by_tanh_with_an_engine(engine):
    events = ("cases.emergency-stop.events=[{at: 1 s, type: grid_loss, pitch_delay: 0 s, pitch_rate: 9 deg/s}, "
              "{at: 1 s, type: brake, on: hss_brake, slope: 10}]")  # fmt: skip
    drivetrain = gw.load("nrel-5mw", [events])
    setups = [
        prepare_setup(drivetrain, "emergency-stop-linear", fidelity="torsional", duration=6.0, stepped=s)
        for s in (False, True)
    ]
    assert setups[1].brake_element is None
    error, energy = agreement(*setups, engine, 6.0, ("main.torque", "brake.torque"))
    # the brake's torque is held over an exchange step: 2 ms of a rise of 0.6 s
    assert error.max() < 3e-3
    assert energy < 1e-6


def test_start_up_with_an_engine_and_with_periodic_stiffness(tmp_path):
    drivetrain = gw.load("nrel-5mw", ["cases.start-up.events=[{at: 1 s, type: start, rate: 4 deg/s}]"])
    setups = [
        prepare_setup(drivetrain, "start-up-linear", fidelity="torsional", duration=60.0, stepped=s)
        for s in (False, True)
    ]
    error, energy = agreement(*setups, "exact", 60.0)
    assert error[0] < 1e-3
    assert energy < 1e-6
    run = gw.simulate(drivetrain, "start-up-linear", fidelity="torsional", law="periodic", method="exponential", duration=60.0,
                      output=tmp_path / "e.nc")  # fmt: skip
    assert run.energy_error < 1e-6
    # the machine was switched on and brakes
    assert run.channels["generator.torque"]["min"] < -1e4


@pytest.mark.parametrize("law", ["periodic", "two_level"])
def test_a_start_up_by_explicit_steps_is_that_by_exponential_ones(law):
    """At standstill nothing loads the train: errors are measured by the loads that come, not by what there is."""
    drivetrain = gw.load("nrel-5mw", ["cases.start-up.events=[{at: 0.2 s, type: start, rate: 8 deg/s}]"])
    found = []
    for method in ("explicit", "exponential"):
        setup = prepare_setup(drivetrain, "start-up-linear", fidelity="torsional", law=law, duration=3.0, stepped=True)
        wanted = tuple(c for c in setup.system.channels if c.name in ("main.torque", "stage3.mesh.force"))
        run = EngineRun(setup, 1e-3, wanted, method, 1e-5)
        found.append(run.advance(round(1.5 / run.step))[0].lines)
    # where torque swings through backlash paths part: the first tenth of a second is compared, of which loads err by ten tolerances of
    # those at the mean wind at most, of which there are some hundredths here
    one, two = (lines[:100] for lines in found)
    assert np.abs(one).max(axis=0).min() > 100.0
    assert (np.sqrt(np.mean((one - two) ** 2, axis=0)) / np.abs(two).max(axis=0)).max() < 5e-3
    assert all(np.isfinite(lines).all() for lines in found)


def test_a_start_up_of_teeth_with_backlash_and_weight_says_what_presses_them(tmp_path):
    """The planets of the gearbox as built would lie loose at standstill; a twentieth of the torque puts them on their drive flanks."""
    drivetrain = gw.load("nrel-5mw-nejad-turbine", ["cases.start-up.events=[{at: 0.1 s, type: start, rate: 8 deg/s}]"])
    run = gw.simulate(drivetrain, "start-up", duration=0.2, tolerance=1e-3, output=tmp_path / "s.nc")
    assert any("5% of the torque in the mean wind" in sentence for sentence in run.assumed)
    assert run.energy_error < 1e-2


def test_a_run_that_diverges_keeps_the_part_before():
    setup = prepare_setup(gw.load("nrel-5mw"), CASE, fidelity="torsional", duration=10.0, stepped=True)
    run = EngineRun(setup, 1e-3, setup.system.channels, "exact")
    half = run.advance(500)
    assert len(half[1]) == 500
    run.loop.air[2, 0] = np.nan  # an aerodynamic torque that is not a number from 1 s on
    block, values = run.advance(500)
    assert run.failure is not None
    assert len(values) == 0
    assert len(block.time) == 0


def test_periodic_stiffness_in_the_turbine(tmp_path):
    run = gw.simulate("nrel-5mw", "normal", fidelity="torsional", law="periodic", duration=6.0, overrides=["discard=0 s"],
                      output=tmp_path / "p.nc")  # fmt: skip
    assert run.method in ("exact", "exponential", "explicit")
    assert run.energy_error < 1e-5
    assert run.channels["main.torque"]["mean"] == pytest.approx(4.2e6, rel=0.05)


@pytest.mark.parametrize(
    ("law", "method"),
    [("linear", "exact"), ("linear", "explicit"), ("periodic", "exponential"), ("tooth_contact", "explicit")],
)
def test_a_run_starts_at_the_steady_point_of_its_wind(law, method, tmp_path):
    """Below rated the rotor turns slower than the drivetrain's operating point: blade elements say how fast, and with what torque.

    In steady air without shear and tower shadow nothing moves then but tooth by tooth. Tilt leaves some 0.1 % at the
    passing of the blades.
    """
    name = "nrel-5mw"
    overrides = ["cases.normal.wind={type: steady, mean: 8 m/s, shear: 0}", "turbine.rotor.tower_shadow=false"]
    if law == "tooth_contact":  # teeth that are known: the gearbox of another source in the same turbine
        name = tmp_path / "toothed.yaml"
        name.write_text(
            "name: toothed\nsource: the reference turbine with the gearbox of nrel-5mw-nejad-source\ninclude: [nrel-5mw-nejad-source]\n"
            "turbine: {data: nrel-5mw, attach: rotor, controller: {type: reference}}\n"
            "machines: [{name: generator, type: dfig, parameters: {data: nrel-5mw}}]\nmodel: {fidelity: torsional, tolerance: 1e-3}\n"
            "cases: [{name: normal, duration: 1 s, wind: {type: steady, mean: 8 m/s}, record: [shafts, bodies, turbine]}]\n"
        )
    # the bound of the swing is for the damping of the source
    opened = on_source if law == "periodic" else gw.load
    drivetrain = opened(name, [*overrides, "cases.normal.discard=0 s", "cases.normal.record=[shafts, bodies, turbine]"])
    run = gw.simulate(
        drivetrain, "normal", fidelity="torsional", law=law, method=method, duration=0.5, output=tmp_path / "start.nc"
    )
    from dataclasses import replace

    from gearwright.train.expand import expand
    from gearwright.turbine import bem, load

    train = expand(drivetrain)
    ratio = abs(train.ratios["generator"] / train.ratios["rotor"])
    point = bem.operating_point(replace(load("nrel-5mw"), gear_ratio=ratio), 8.0)
    torque, speed = run.channels["main.torque"], run.channels["blades.speed"]
    assert speed["mean"] == pytest.approx(point.speed, rel=1e-3)
    assert abs(torque["mean"]) == pytest.approx(point.torque, rel=0.01)
    # teeth that come and go shake the shaft by some per cent; the speed of the operating point would start with half as much again
    swing = 0.02 if law == "linear" else 0.08
    assert np.abs([torque["min"], torque["max"]]) == pytest.approx([point.torque] * 2, rel=swing)
    assert run.channels["turbine.thrust"]["mean"] == pytest.approx(point.thrust, rel=5e-3)
