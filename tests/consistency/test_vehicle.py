"""Engine, chassis and tyres: laws against written-out equations, runs against SciPy, the steering gear with its brake."""

import ctypes
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gearwright as gw
from gearwright.assembly import AssemblyError, assemble
from gearwright.errors import DrivetrainError
from gearwright.machines import EngineMap, TrackedChassis, engine, vehicle
from gearwright.targets.run import run_targets
from gearwright.train.expand import expand
from gearwright.train.open import load

DATA = TrackedChassis(
    1000.0, 1200.0, 2.0, 3.0, 0.3, friction=0.9, rear_share=0.75, rolling=0.02, drag=0.5, front_stiffness=1000.0
)


def call(law, dv, z, signals=(0.0,)):
    size = law.rows + law.senses
    arrays = [np.zeros(size), np.zeros(size), np.array(law.parameters), np.array(z, float), np.array(signals, float)]
    arrays[1][: len(dv)] = dv
    f, zd = np.zeros(size), np.zeros(max(len(z), 1))
    pointer = ctypes.POINTER(ctypes.c_double)
    law.force.ctypes(
        0.0, *(x.ctypes.data_as(pointer) for x in arrays), 0, *(x.ctypes.data_as(pointer) for x in (f, zd))
    )
    return f, zd


def written_out(data, wl, wr, vx, vy, wz):
    """Tables 2 and 3 of S3 as the digest corrects them: forces of the ground, resistances, front side force."""
    k = math.tan(0.9 * math.pi / 2) / data.slip_90
    n = data.rear_share * data.mass * 9.81 / 2
    wheels = []
    for w, side in ((wl, 1), (wr, -1)):
        hub = np.array([vx + side * wz * data.track / 2, vy - wz * data.base / 2])
        slip = np.array([data.wheel_radius * w - hub[0], -hub[1]]) / abs(hub[0])
        s = math.hypot(*slip)
        wheels.append(data.friction * n * 2 / math.pi * math.atan(k * s) * slip / s)
    front = -2 * data.front_stiffness * math.atan((vy + wz * data.base / 2) / vx)
    resistance = data.rolling * data.mass * 9.81 + data.drag * vx**2
    return wheels, front, resistance


def test_chassis_and_tyres_written_out():
    law = vehicle(DATA)
    rng = np.random.default_rng(3)
    for _ in range(50):
        vx, vy, wz = rng.uniform(1.0, 20.0), rng.normal(), 0.5 * rng.normal()
        wl, wr = (vx / DATA.wheel_radius * (1 + 0.2 * rng.normal()) for _ in range(2))
        heading = rng.normal()
        f, zd = call(law, [wl, wr, vx, vy, wz], [0, 0, heading, 0, 0, 0])
        (left, right), front, resistance = written_out(DATA, wl, wr, vx, vy, wz)
        m, b, length = DATA.mass, DATA.track, DATA.base
        expected = [
            DATA.wheel_radius * left[0], DATA.wheel_radius * right[0], -(m * vy * wz + left[0] + right[0] - resistance),
            -(-m * vx * wz + left[1] + right[1] + front),
            -(front * length / 2 - (left[1] + right[1]) * length / 2 + (left[0] - right[0]) * b / 2),
        ]  # fmt: skip
        # slips are softened by 1e-7, tyre forces by its square over the slip
        np.testing.assert_allclose(f[:5], expected, rtol=1e-9, atol=1e-6)
        assert zd[:2] == pytest.approx([vx * math.cos(heading) - vy * math.sin(heading),
                                        vx * math.sin(heading) + vy * math.cos(heading)])  # fmt: skip
        # what wheels and chassis give up is the heat of the tyres, of rolling and of the air
        power = f[:5] @ np.array([wl, wr, vx, vy, wz])
        assert power == pytest.approx(zd[3:].sum(), rel=1e-9) and (zd[3:] >= 0.0).all()


def test_standing_still_makes_no_force():
    f, zd = call(vehicle(DATA), np.zeros(5), np.zeros(6))
    assert not f[:5].any() and not zd.any()


def test_engine_by_parabola_and_by_points():
    data = EngineMap(200.0, 250.0, 300.0)
    law = engine(data, 1)
    for w in (-80.0, 0.0, 249.0, 400.0, 700.0):
        for p in (0.0, 0.3, 1.0):
            expected = (p + 0.1) / 1.1 * (200.0 - (w - 250.0) ** 2 / 450.0)
            assert -call(law, [w], [], (9.9, p))[0][0] == pytest.approx(expected, rel=1e-12)
            assert float(data.torque(w, p)) == pytest.approx(expected, rel=1e-12)
    points = EngineMap(full_load=((0, 60), (100, 150), (300, 180), (500, 0)), closed=((0, 0), (500, -40)))
    law = engine(points, 0)
    for w in (-10.0, 0.0, 100.0, 222.0, 499.0, 800.0):
        # cells of a 512th of the range through values and slopes of the monotone cubic
        assert -call(law, [w], [], (0.5,))[0][0] == pytest.approx(float(points.torque(w, 0.5)), abs=0.05)


def straight(tmp_path, overrides=(), **more):
    done = gw.simulate("tracked-steering", "straight", output=tmp_path / "s.nc", overrides=list(overrides), **more)
    with gw.Result.open(done.result_file) as result:
        return done, result.dataset.load()


def machine(data, quantity, name="vehicle"):
    return np.asarray(data[f"machine_{quantity}"].sel(machine=name).values, float)


def test_straight_run_against_scipy(tmp_path):
    # one wheel speed and the forward speed: a differential whose sides turn alike is a gear of ratio 4 with the
    # losses of three rolling meshes in series (the others stand still): 0.99 at the bevel pair and at one output pair each
    overrides = [f"cases.reference.{k}_interval=0.01 s" for k in ("output", "counting")]
    done, data = straight(tmp_path, overrides, duration=3.0)
    eta = (1 - 0.01 / (1 + 2)) / (1 + 0.01 * 2 / (1 + 2))  # force pole offset of 1 % of the pitch power, ratio 2

    def rates(t, x):
        w, v = x
        slip = (0.3 * w - v) / max(abs(v), 1e-3)
        force = 2 * 7357.5 / 2 * 2 / math.pi * math.atan(math.tan(0.45 * math.pi) / 0.1 * slip)
        # inertias at the wheels: H turns 4 times, the block of the differential (G, rotors, suns, planets) twice
        torque = 200.0 - (4 * w - 250.0) ** 2 / 450.0
        # torques through both pairs: engine less its own inertia, times the efficiency, less the block, times it again
        inertia = 2 * 0.6 + eta * (2 * 2 * (7 * 0.1) + eta * 4 * 4 * 0.1)
        return [(eta**2 * 4 * torque - 0.3 * force) / inertia, (force - 0.02 * 9810.0 - 0.5 * v * v) / 1000.0]

    t = data["time"].values
    found = solve_ivp(rates, (0, 3.0), [0.01 / 0.3, 0.01], "LSODA", t, rtol=1e-9, atol=1e-10)
    # 1e-4: the run's tolerance is 1e-6 of a nominal motion of 1 cm, its speeds within that times 1e2
    np.testing.assert_allclose(machine(data, "forward_speed"), found.y[1], atol=2e-4)
    assert np.abs(machine(data, "yaw_rate")).max() < 1e-9
    assert done.energy_error < 1e-9
    assert not data["shaft_phase"].values.any()  # both brakes are free


def test_reference_manoeuvre():
    ids = ["S3.vehicle.speed_5s", "S3.vehicle.lock_time", "S3.vehicle.brake_torque_after_lock", "S3.vehicle.position_10s",
           "S3.vehicle.heading_10s", "S3.vehicle.locked_wheel_speed_ratio", "S3.engine", "S3.tyre"]  # fmt: skip
    rows = run_targets(ids)
    wrong = {r.target.id: (r.target.value, r.got, r.note) for r in rows if r.status not in ("pass", "erratum")}
    assert not wrong and len(rows) == 11


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"machines.vehicle.drives": ["A_L"]}, "drives its left and its right wheel"),
        ({"machines.vehicle.parameters.mass": None}, "missing: mass"),
        ({"machines.vehicle.parameters.rear_share": 1.2}, "rear_share = 1.2: 1.2 is outside of the range 0 to 1"),
        ({"machines.vehicle.parameters.tyre": "soft"}, "Allowed: corrected, printed"),
        ({"machines.vehicle.parameters.wings": 2}, "of type tracked_chassis knows no parameter 'wings'. Allowed: mass"),
        (
            {"machines.engine.parameters": {"peak_torque": 200.0}},
            "give peak_torque, peak_speed, half_width, or full_load",
        ),
        ({"machines.engine.parameters": {"full_load": [[0, 1], [0, 2]]}}, "rising speeds"),
        (
            {"machines.engine.parameters": {"power": 3.0}},
            "of type engine_map knows no parameter 'power'. Allowed: peak_torque",
        ),
    ],
)
def test_facts_that_do_not_fit(changes, says):
    with pytest.raises((AssemblyError, DrivetrainError), match=says):
        assemble(expand(load("tracked-steering", changes)))


def test_pedal_over_time(tmp_path):
    events = "cases.straight.events=[{at: 0.5 s, set: engine.pedal, to: 0.2}]"
    _, data = straight(tmp_path, [events], duration=1.0)
    t, torque, pedal = data["time"].values, machine(data, "torque", "engine"), machine(data, "pedal", "engine")
    assert pedal[t < 0.499].min() == 1.0 and pedal[t > 0.51].max() == pytest.approx(0.2)
    before, after = torque[np.searchsorted(t, 0.49)], torque[np.searchsorted(t, 0.51)]
    assert after / before == pytest.approx(0.3 / 1.1, rel=0.02)  # the speed hardly changes in between
    with pytest.raises(DrivetrainError, match="to = 1.5: 1.5 is outside of the range 0 to 1"):
        straight(tmp_path, ["cases.straight.events=[{at: 0.5 s, set: engine.pedal, to: 1.5}]"], duration=1.0)
