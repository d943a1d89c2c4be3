"""Electrical machines on drivetrains without a turbine, against the machines page, its formula, and the slip line."""

import math

import numpy as np
import pytest

import gearwright as gw
from gearwright.assembly import AssemblyError
from gearwright.errors import DrivetrainError
from gearwright.machines import Dfig, Grid, dfig, run_alone
from gearwright.running.grid import grid_of, grid_signals
from gearwright.running.prepare import prepare
from gearwright.schema.cases import Event

RATED, SPEED, SHAFT = 43_093.55, 122.909, 4.1807e6
QUEBEC = "[[0, 0], [0.15, 0], [0.33, 1]]"


def gallego(event, facts="", duration=2.2):
    """The 5 MW gearbox as its source prints it, with rigid rotor, constant torque at both ends, a DFIG and an event of its grid at 0.2 s."""
    case = (
        f"cases=[{{name: dip, duration: {duration} s, record: [shafts, machines], loads: [{{on: rotor, torque: 4180.68075 kN m}}], "
        f"events: [{event}]}}]"
    )
    facts = f"machines.generator.parameters={{data: nrel-5mw, torque: 43.09355 kN m{facts}}}"
    return gw.load("nrel-5mw-gallego-source", ["machines.generator.type=dfig", case, facts])


# machines page, sections 1.4 and 2, two masses: shaft maximum and minimum over rated; tolerance 1 % (of the swing)
@pytest.mark.parametrize(
    ("event", "facts", "most", "least"),
    [
        ("{at: 0.2 s, type: grid_fault, code: quebec}", "", 2.353, -0.546),
        ("{at: 0.2 s, type: grid_fault, code: denmark}", "", 1.455, -0.084),
        ("{at: 0.2 s, type: grid_fault, code: quebec}", ", limits: none", 3.123, -0.835),
        ("{at: 0.2 s, type: grid_fault, code: denmark}", ", crowbar: true", 1.60, None),
        ("{at: 0.2 s, type: grid_fault, code: quebec}", ", hold_below: 0.9", 2.27, None),
        (f"{{at: 0.2 s, type: grid_fault, profile: {QUEBEC}}}", ", order: 5", 1.557, None),
    ],
)
def test_shaft_through_a_dip(tmp_path, event, facts, most, least):
    run = gw.simulate(gallego(event, facts), "dip", output=tmp_path / "dip.nc")
    torque = run.channels["main.torque"]
    assert torque["max"] / SHAFT == pytest.approx(most, rel=0.01)
    if least is not None:
        assert torque["min"] / SHAFT == pytest.approx(least, abs=0.01)
    assert run.energy_error < 1e-8
    assert any("DFIG" in note for note in run.attributes["notes"])


@pytest.mark.parametrize(("code", "most"), [("quebec", 2.356), ("denmark", 1.456), ("usa", 1.197)])
def test_what_sets_the_load(code, most):
    # T_shaft/T_0 = 1 - mu (w_1^2/w_d) int d exp(-zeta w_1 s) sin(w_d s), d = 1 - T_g/T_0 of the machine at constant speed
    from gearwright.running.grid import grid_profile

    time, voltage = grid_profile(code)
    grid = Grid.through([0.0, 0.01, *(0.01 + t for t in time)], [1.0, 1.0, *voltage])
    found = run_alone(dfig(Dfig.nrel_5mw(), RATED, SPEED), SPEED, reference=RATED, grid=grid, duration=4.0)
    t = np.arange(0.0, 4.0, 1e-3)
    lost = 1.0 - np.interp(t, found.time, found.torque) / RATED
    w, zeta, mu = 2 * math.pi * 1.966 / math.sqrt(1 - 0.0463**2), 0.0463, 0.8915
    wd = w * math.sqrt(1 - zeta**2)
    answer = np.convolve(lost, np.exp(-zeta * w * t) * np.sin(wd * t))[: len(t)] * 1e-3
    assert (1.0 - mu * w**2 / wd * answer).max() == pytest.approx(most, rel=0.03)


def test_induction_machine_on_the_line_is_the_slip_machine(tmp_path):
    # around the operating point of a shallow, slow change the machine itself and its steady line hold the same speed
    found = {}
    for kind in ("slip", "induction"):
        case = ("cases=[{name: ramp, duration: 2.5 s, record: [machines], "
                "loads: [{on: rotor, torque: {ramp: {from: 322.627986 kN m, to: 300 kN m, at: 0.2 s, over: 0.5 s}}}]}]")  # fmt: skip
        d = gw.load("grc-750kw", [case, "campaigns=[]", f"machines.generator.type={kind}", "model.fidelity=torsional"])
        run = gw.simulate(d, "ramp", output=tmp_path / f"{kind}.nc")
        assert run.energy_error < 1e-8
        found[kind] = run.channels
    slip, machine = (found[k]["generator.speed"] for k in ("slip", "induction"))
    synchronous = 60 * math.pi
    # the curve of the circuit is steeper than the line through its rated point: a little less slip at part load
    assert (machine["min"] - synchronous) / (slip["min"] - synchronous) == pytest.approx(1.0, abs=0.05)


def test_operating_speed_settles_on_the_curve(tmp_path):
    d = gw.load("nordtank-500kw-full", ["machines.generator.type=induction"])
    run = gw.simulate(d, "steady", duration=0.5, output=tmp_path / "n.nc")
    assert run.channels["generator.torque"]["std"] < 1e-3 * 2542
    assert any("where the curve" in note for note in run.attributes["notes"])


def test_shipped_dip_of_the_induction_machine(tmp_path):
    run = gw.simulate("grc-750kw", "voltage-dip", duration=2.3, fidelity="torsional", output=tmp_path / "g.nc")
    torque = run.channels["generator.torque"]
    # generator torque falls with the dip (positive about x: braking is negative), the machine runs up
    assert torque["max"] > -0.45 * 3959
    assert run.channels["generator.speed"]["max"] > 1.01 * run.channels["generator.speed"]["min"]
    assert run.channels["generator.voltage"]["min"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["cases.dip.events.0.code=qebec"], "Did you mean 'quebec'"),
        (["cases.dip.events.0.at=0 s"], "does not start at the operating point"),
        (["cases.dip.events=[{at: 1 s, type: grid_fault, profile: [[0.1, 0], [0.2, 1]]}]"], "starts at 0 s"),
        (
            ["cases.dip.events=[{at: 1 s, type: grid_fault, code: usa, phases: 4}]"],
            "phases = 4: not one of the known words. Allowed: 1, 2, 3",
        ),
        (["cases.dip.events=[{at: 1 s, type: grid_voltage}]"], "either level or table"),
        (["cases.dip.events=[{at: 0 s, type: grid_voltage, level: 0.9}]"], "starts at 0.9 p.u."),
        (["cases.dip.events=[{at: 1 s, type: frequency_step}]"], "needs frequency"),
        (["cases.dip.events=[{at: 1 s, type: frequency_step, frequency: 600 Hz}]"], "half and one and a half"),
        (["cases.dip.events=[{at: 1 s, type: grid_loss}]"], "needs a turbine"),
        (["cases.dip.events=[{at: 1 s, set: generator.torqe_reference, to: 1 kN m}]"], "generator.torque_reference"),
        (["machines.generator.parameters.curent_limit=1 A"], "Did you mean 'current_limit'"),
        (["machines.generator.parameters.torque=90 kN m"], "above the limit"),
        (["machines.generator.parameters.torque_ki=-8"], "unstable at"),
        (["operating.speed=20 rpm"], "slip of"),
        (["machines.generator.type=induction", "machines.generator.parameters={rated_power: 5 MW}"], "missing"),
    ],
)
def test_refusals(overrides, message):
    d = gallego("{at: 1 s, type: grid_fault, code: quebec}")
    with pytest.raises((DrivetrainError, AssemblyError), match=message):
        prepare(gw.load("nrel-5mw-gallego", [*d.overrides, *overrides]), "dip")


def test_operating_speed_far_from_the_curve_is_refused():
    with pytest.raises(AssemblyError, match="set operating.speed to that"):
        prepare(gw.load("grc-750kw", ["machines.generator.type=induction", "operating.speed=20 rpm"]), "rated")
    with pytest.raises(AssemblyError, match="beyond the breakdown torque"):
        prepare(gw.load("grc-750kw", ["machines.generator.type=induction", "operating.torque=900 kN m"]), "rated")


def test_asymmetric_fault_needs_an_order_that_has_it():
    event = "cases.voltage-dip.events=[{at: 1 s, type: grid_fault, code: usa, phases: 1}]"
    with pytest.raises(DrivetrainError, match="order: 5"):
        prepare(gw.load("grc-750kw", [event]), "voltage-dip")


def test_frequency_and_reference_events(tmp_path):
    events = "{at: 0.3 s, type: frequency_step, frequency: 59 Hz, over: 0.1 s}, {at: 0.5 s, set: generator.torque_reference, to: 40 kN m}"
    run = gw.simulate(gallego(events, duration=0.8), "dip", output=tmp_path / "f.nc")
    assert run.channels["generator.torque"]["max"] == pytest.approx(-40e3, rel=0.01)
    assert run.channels["generator.torque_reference"]["min"] == pytest.approx(40e3)


class Case:
    def __init__(self, *events):
        self.events = [Event(at=at, type=kind, **keys) for at, kind, keys in events]


def test_grid_of_several_events():
    case = Case((1.0, "grid_fault", {"code": "quebec"}), (5.0, "grid_voltage", {"level": 0.95}),
                (2.0, "frequency_step", {"frequency": 61.0, "over": 0.5}), (6.0, "grid_fault", {"profile": [[0, 0.2], [0.1, 1.0]], "phases": 1}))  # fmt: skip
    grid = grid_of(case, 60.0, "case 'x'")
    v, f, n = grid.at([0.5, 1.0, 1.1, 1.24, 2.25, 3.0, 5.0, 5.5, 6.0, 6.05])
    assert v == pytest.approx([1, 0, 0, 0.5, 1, 1, 0.95, 0.95, 2.2 / 3, 2.6 / 3])
    assert f == pytest.approx([1, 1, 1, 1, 1 + 0.5 / 60, 61 / 60, 61 / 60, 61 / 60, 61 / 60, 61 / 60])
    assert n == pytest.approx([0, 0, 0, 0, 0, 0, 0, 0, 0.8 / 3, 0.4 / 3])
    signals = grid_signals(grid)
    times = np.array([0.5, 1.0, 1.1, 1.24, 2.25, 3.0, 5.0, 5.5, 6.0, 6.05])
    for signal, want in zip(signals, (v, f, n), strict=True):
        assert signal(times) == pytest.approx(want)
    assert set(signals[0].landings) >= {1.0, 1.15, 1.33, 5.0, 6.0}


def test_dynamometer_steps_and_shutdown(tmp_path):
    # S1 section 3.6: power steps of 25, 50, 100 % by the speed of the slow shaft, shutdown at 25 %
    run = gw.simulate("grc-750kw", "grc-dynamometer", fidelity="torsional", duration=85.0, output=tmp_path / "d.nc")
    # flanks part as the machine is lost: power bends inside steps, and which ones differs by processor (below 1e-8 on one, 7e-8 on another)
    assert run.energy_error < 1e-6
    with gw.Result.open(run.result_file) as result:
        t, power = result.time, -np.asarray(result.series("generator.power"))
        shaft, speed = np.asarray(result.series("LSS.torque")), np.asarray(result.series("rotor.speed"))
    for at, share in ((19.0, 0.25), (39.0, 0.5), (59.0, 1.0), (74.0, 0.25)):
        i = np.searchsorted(t, at)
        # the references are those of the slip curve to four decimals
        assert power[i] == pytest.approx(share * 750e3, rel=0.02)
        # no losses in the train: the dynamometer's power is the machine's
        assert shaft[i] * speed[i] == pytest.approx(power[i], rel=2e-3)
    after = power[t > 75.5]
    assert np.abs(after).max() < 2e3 and speed[-1] < 0.5 * speed[0]


def test_a_dip_on_a_train_converges_with_the_tolerance(tmp_path):
    """Integrators that stop at a limit fade out over a narrow band: the error control can meet any tolerance."""
    facts = ["machines.generator.type=dfig", "machines.generator.parameters={data: nrel-5mw}",
             "cases.rated.loads=[{on: rotor, torque: 4180.08 kN m}]",
             "cases.rated.events=[{at: 0.1 s, type: grid_fault, code: quebec}]"]  # fmt: skip
    found = {}
    for tolerance in (1e-6, 1e-9):
        run = gw.simulate(gw.load("nrel-5mw-gallego", facts), "rated", fidelity="torsional", method="explicit",
                          tolerance=tolerance, duration=0.8, output=tmp_path / "dip.nc")  # fmt: skip
        found[tolerance] = [run.channels["main.torque"][k] for k in ("min", "max", "std")]
    # relative to what the dip does to the shaft, twice rated
    assert found[1e-6] == pytest.approx(found[1e-9], rel=1e-5)
