"""Turbines whose speed an induction machine holds, and rotors by a table: against closed forms and a solver of their own."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import gearwright as gw
from gearwright.errors import DrivetrainError
from gearwright.machines import Induction
from gearwright.running.setup import prepare_setup
from gearwright.running.turbine_fit import held_torque
from gearwright.turbine import TurbineError, bem, load, save
from gearwright.turbine.table import Performance, TableError, read_rosco

PLATE = {"synchronous_speed": "1500 rpm", "rated_slip": "2 %", "rated_power": "500 kW"}
OWN = {
    "name": "two-mass",
    "bodies": [{"name": "rotor", "inertia": "4e5 kg m^2"}],
    "stages": [{"name": "box", "type": "parallel", "module": "10 mm", "pressure_angle": "20 deg",
                "wheel": {"teeth": 200, "inertia": "1 kg m^2"}, "pinion": {"teeth": 20, "inertia": "0.001 kg m^2"},
                "mesh": {"stiffness": "1e12 N/m", "damping": "1e6 N s/m"}}],
    "shafts": [{"name": "main", "between": ["rotor", "box.wheel"], "torsional_stiffness": "5e7 N m/rad", "damping": "1e5 N m s/rad"},
               {"name": "fast", "between": ["box.pinion", "generator"], "rigid": True}],
    "machines": [{"name": "generator", "type": "induction", "inertia": "3000 kg m^2", "parameters": {
        "synchronous_speed": "28.6 rad/s", "rated_slip": "2 %", "rated_power": "500 kW", "frequency": "50.0684 Hz"}}],
    "turbine": {"data": "nordtank-500kw", "attach": "rotor", "controller": {"type": "fixed-speed"},
                "rotor": {"tower_shadow": False}},
    "model": {"fidelity": "torsional", "law": "linear"},
    "operating": {"input": "rotor", "output": "generator", "speed": "2.9 rad/s", "torque": "170 kN m"},
    "cases": [{"name": "dip", "duration": "6 s", "wind": {"type": "steady", "mean": "12 m/s", "shear": 0.0},
               "events": [{"at": "2 s", "type": "grid_fault", "code": "denmark"}],
               "counting_interval": "1 ms", "output_interval": "10 ms",
               "record": ["shafts", "machines", "turbine"]}],
}  # fmt: skip


def table(turbine):
    p = turbine.performance
    return lambda ratio: np.interp(ratio, p.ratios, p.cp[:, 0]) / ratio


def test_steady_point_is_where_table_and_slip_curve_meet():
    setup = prepare_setup(gw.load("nordtank-500kw-turbine"), "normal", duration=90.0)
    turbine, wind = load("nordtank-500kw"), 11.0
    machine = Induction.rated(500e3, 1500 * np.pi / 30, 0.02)
    # torque of the equivalent circuit by Thevenin, written out here
    x = machine.magnetising_reactance
    z = machine.stator_resistance + 1j * machine.stator_reactance
    thevenin = machine.voltage * 1j * x / (z + 1j * x)
    zt = z * 1j * x / (z + 1j * x)

    def torque(speed):
        slip = 1.0 - speed / (1500 * np.pi / 30)
        r = machine.rotor_resistance / slip
        current = thevenin / (zt + r + 1j * machine.rotor_reactance)
        return -1.5 * abs(current) ** 2 * r / (1500 * np.pi / 30)

    def surplus(w):
        pressure = 0.5 * 1.225 * np.pi * 20.5**3 * wind**2
        return pressure * table(turbine)(w * 20.5 / wind) - setup.ratio * torque(w * setup.ratio)

    speed = brentq(surplus, 1.0001 * 1500 * np.pi / 30 / setup.ratio, 1.05 * 1500 * np.pi / 30 / setup.ratio)
    found = bem.operating_point(setup.turbine, wind, machine=held_torque(machine))
    # the compiled table has steps of 0.02 in tip speed ratio: cp bends at the printed ratios
    assert found.speed == pytest.approx(speed, rel=1e-5)
    assert found.torque == pytest.approx(setup.ratio * torque(speed * setup.ratio), rel=2e-3)
    assert found.region == "fixed speed"


def test_dip_against_a_solver_of_its_own(tmp_path):
    # rotor, shaft, generator behind a stiff ratio of 10, machine of third order in complex form, table of cp
    run = gw.simulate(gw.load(OWN), "dip", output=tmp_path / "dip.nc")
    assert run.energy_error < 1e-9
    ratio, wind = 10.0, 12.0
    machine = Induction.rated(500e3, 28.6, 0.02, frequency=50.0684)
    ls, lr, lm = machine.inductances
    det, w0, pairs = ls * lr - lm * lm, machine.speed, machine.pole_pairs
    rs, rr = machine.stator_resistance, machine.rotor_resistance
    turbine = load("nordtank-500kw")

    def voltage(t):  # Denmark: 0.25 for 0.1 s, back to 1 within 1 s (S1 Table 5.1)
        return 1.0 if t < 2.0 else 0.25 if t <= 2.1 else min(0.25 + 0.75 * (t - 2.1), 1.0)

    def fluxes(t, rotor):
        u = 1j * voltage(t) * machine.voltage
        stator = (u + rs * lm / det * rotor) / (1j * w0 + rs * lr / det)
        return stator, (lr * stator - lm * rotor) / det, (ls * rotor - lm * stator) / det

    def rates(t, y):
        rotor = y[3] + 1j * y[4]
        stator, current, i_r = fluxes(t, rotor)
        braking = -1.5 * pairs * (stator.conjugate() * current).imag
        change = -rr * i_r - 1j * (w0 - pairs * ratio * y[1]) * rotor
        shaft = 5e7 * y[2] + 1e5 * (y[0] - y[1])
        aero = 0.5 * 1.225 * np.pi * 20.5**3 * wind**2 * table(turbine)(y[0] * 20.5 / wind)
        slow = 1.0 + ratio**2 * (3000.0 + 0.001)
        return [(aero - shaft) / 4e5, (shaft - ratio * braking) / slow, y[0] - y[1], change.real, change.imag]

    w = brentq(lambda s: rates(0.0, [s, s, 0, *_rest(rates, s)])[0] * 4e5 - ratio * _braking(fluxes, pairs, _rest(rates, s)),
               2.8601, 2.93)  # fmt: skip
    rest = _rest(rates, w)
    start = [w, w, ratio * _braking(fluxes, pairs, rest) / 5e7, *rest]
    spans, y, found = [(0.0, 2.0), (2.0, 2.1), (2.1, 3.1), (3.1, 6.0)], start, []
    time = np.arange(10, 601) * 0.01
    for a, b in spans:
        part = solve_ivp(rates, (a, b), y, rtol=1e-9, atol=1e-9, dense_output=True)
        inside = time[(time > a + 1e-9) & (time <= b + 1e-9)]
        found += [5e7 * part.sol(t)[2] + 1e5 * (part.sol(t)[0] - part.sol(t)[1]) for t in inside]
        y = part.y[:, -1]
    with gw.Result.open(run.result_file) as result:
        mine = np.interp(time, result.time, np.asarray(result.series("main.torque")))
    swing = max(found) - min(found)
    assert swing > 5e4
    # exchange steps of 1 ms with extrapolated speed and a step of 0.02 s for the aerodynamics, stored series smoothed
    assert np.abs(mine - np.array(found)).max() < 0.02 * swing


def _braking(fluxes, pairs, rest):
    stator, current, _ = fluxes(0.0, rest[0] + 1j * rest[1])
    return -1.5 * pairs * (stator.conjugate() * current).imag


def _rest(rates, speed):
    """Rotor flux at rest: the rates of the flux are linear in it."""
    zero = np.array(rates(0.0, [speed, speed, 0, 0, 0])[3:])
    columns = [np.array(rates(0.0, [speed, speed, 0, *e])[3:]) - zero for e in np.eye(2)]
    return np.linalg.solve(np.array(columns).T, -zero)


def test_start_closes_the_breaker_at_synchronous_speed(tmp_path):
    run = gw.simulate("nordtank-500kw-turbine", "start-up", duration=70.0, output=tmp_path / "start.nc")
    with gw.Result.open(run.result_file) as result:
        region = np.asarray(result.series("turbine.region"))
        torque = np.asarray(result.series("generator.torque"))
        speed = np.asarray(result.series("generator.speed"))
    closed = int(np.flatnonzero(region > 8.0)[0])
    assert speed[closed] == pytest.approx(1500 * np.pi / 30, rel=0.01)
    assert np.abs(torque[: closed - 60]).max() < 1.0
    # settled on the curve: 10 m/s
    point = bem.operating_point(load("nordtank-500kw"), 10.0)
    assert speed[-1] == pytest.approx(point.speed * 55.806, rel=2e-3)
    assert run.energy_error < 1e-9


def test_stop_by_brake(tmp_path):
    run = gw.simulate("nordtank-500kw-turbine", "emergency-stop", duration=80.0, output=tmp_path / "stop.nc")
    with gw.Result.open(run.result_file) as result:
        speed = np.asarray(result.series("generator.speed"))
    # energy of the rotor over the brake's power, rated torque driving: 4e5 2.87^2/2 / ((6800 - 2800) 160/2) is 5 s
    stopped = 80.0 * np.flatnonzero(np.abs(speed) < 0.5)[0] / len(speed)
    assert 63.0 < stopped < 72.0
    assert run.energy_error < 1e-6


def test_table_of_blade_elements_gives_their_points():
    turbine = load("nrel-5mw")
    by_table = replace(turbine, performance=bem.table_of(turbine))
    for wind in (8.0, 13.0, 20.0):
        a, b = bem.operating_point(turbine, wind), bem.operating_point(by_table, wind)
        # linear between steps of 0.25 in tip speed ratio and 0.5 deg
        assert b.speed == pytest.approx(a.speed, rel=3e-3)
        assert b.pitch == pytest.approx(a.pitch, abs=np.radians(0.05))
        assert b.thrust == pytest.approx(a.thrust, rel=0.01)


def test_table_in_the_loop_meets_the_wind_of_the_blades(tmp_path):
    # the same wind by blade elements and by table: mean power and thrust agree but for the memory of the wake and what a
    # steady table makes of a wind that differs over the rotor (4 % of power here); the shaft swings with 3P in both
    made = {}
    for kind in (False, True):
        drivetrain = gw.load("nrel-5mw", [f"turbine.rotor.table={str(kind).lower()}"])
        run = gw.simulate(
            drivetrain, "normal-9ms-seed1", fidelity="torsional", duration=160.0, output=tmp_path / f"{kind}.nc"
        )
        made[kind] = run.channels
    for name, rel in (("turbine.electrical_power", 0.06), ("turbine.thrust", 0.06), ("turbine.rotor_wind", 0.02)):
        assert made[True][name]["mean"] == pytest.approx(made[False][name]["mean"], rel=rel)
    assert made[True]["main.torque"]["std"] == pytest.approx(made[False]["main.torque"]["std"], rel=0.2)


def test_rosco_table_reads():
    # numbers of the file (written by ROSCO's toolbox), row of ratio 3, columns of -1 and 1 deg
    found = read_rosco(Path(__file__).parents[1] / "data" / "RoscoPerformance_CpCtCq.txt")
    np.testing.assert_allclose(found.ratios, [3.0, 3.5, 4.0])
    np.testing.assert_allclose(np.degrees(found.pitches), [-1.0, -0.5, 0.0, 0.5, 1.0])
    assert (found.cp[0, 0], found.cp[0, 4], found.cp[1, 0]) == (0.089542, 0.108307, 0.141508)
    assert (found.ct > found.cp).all()


def test_turbine_file_round_trip(tmp_path):
    turbine = load("grc-750kw")
    again = load(save(turbine, tmp_path / "grc.json"))
    assert again.controller == turbine.controller
    np.testing.assert_allclose(again.performance.cp, turbine.performance.cp)


def test_bad_tables(tmp_path):
    with pytest.raises(TableError, match="ascend"):
        Performance([3.0, 2.0, 4.0], [0.0], [[0.1], [0.2], [0.1]], [[0.1], [0.2], [0.1]])
    with pytest.raises(TableError, match="Betz"):
        Performance([1.0, 2.0, 4.0], [0.0], [[0.1], [0.7], [0.1]], [[0.1], [0.2], [0.1]])
    data = json.loads((gw.turbine.model.FOLDER / "grc-750kw.json").read_text())
    data["performance"].pop("ct")
    (tmp_path / "bad.json").write_text(json.dumps(data))
    with pytest.raises(TurbineError, match="'ct' is missing"):
        load(tmp_path / "bad.json")


@pytest.mark.parametrize(
    ("setup", "overrides", "case", "message"),
    [
        ("nrel-5mw", ["machines.generator.type=induction", f"machines.generator.parameters={json.dumps(PLATE)}"], "normal",
         "fixed-speed turbine has an induction machine"),
        ("nordtank-500kw-turbine", ["machines.generator.type=ideal", "machines.generator.parameters={lag: 0.02}"], "normal",
         "fixed-speed turbine has an induction machine"),
        ("nordtank-500kw-turbine", ["machines.generator.parameters.rated_power=200 kW"], "normal", "cannot hold the turbine's rated 0.5 MW"),
        ("nordtank-500kw-turbine", ["turbine.rotor={tower: true}"], "normal", "no tower modes"),
        ("nordtank-500kw-turbine", ["turbine.rotor={dynamic_stall: true}"], "normal", "needs blade elements"),
        ("nordtank-500kw-turbine", ["cases.normal.events=[{at: 5 s, type: stop}]"], "normal", "needs a brake"),
        ("nordtank-500kw-turbine", ["cases.normal.events=[{at: 5 s, type: pitch_to_feather}]"], "normal", "do not pitch"),
        ("nrel-5mw", ["turbine.rotor={table: missing.txt}"], "normal", "cannot be read"),
    ],
)  # fmt: skip
def test_refusals(setup, overrides, case, message):
    with pytest.raises((DrivetrainError, TurbineError), match=message):
        prepare_setup(gw.load(setup, overrides), case)


def test_a_turbine_of_fixed_speed_does_not_run_alone():
    with pytest.raises(TurbineError, match="set-up"):
        gw.turbine.simulate("nordtank-500kw", duration=10.0)
