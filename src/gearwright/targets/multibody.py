"""Mechanisms of S0 (chapter 3, appendices A and B, P3) and S1 (section 3.2, appendices A and C)."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from gearwright.multibody import Body, Joint, Load, Mechanism, linearise, simulate
from gearwright.running.mechanism import mechanism_of

from .registry import computes, computes_each
from .target import Value

_X, _Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


@cache
def _run(name: str, case: str | None = None, duration: float | None = None) -> Any:
    made, drivetrain, chosen, length = mechanism_of(name, case, duration=duration)
    return simulate(made, length, drivetrain.model.step or 1e-3, chosen.output_interval)


@computes("S0.two_gear.*")
def _two_gears() -> dict[str, float]:
    found = _run("two-gears-fixed").reactions()
    one, two = found["gear"].bodies["wheel"], found["gear"].bodies["pinion"]
    first, second = found["joint1"].bodies["wheel"].force, found["joint2"].bodies["pinion"].force
    joints = [*first[:2], found["theta1"].bodies["wheel"].moment[2], *second[:2]]
    rows = [value for part in (one, two) for value in (*part.force[:2], part.moment[2])]
    made = {str(k + 1): float(v) for k, v in enumerate([*joints, *rows])}
    return made | {"lambda_normal": abs(found["gear"].teeth.normal)}


_COLUMNS = {"static": "three-body-equilibrium", "plus": "three-body-accelerating", "minus": "three-body-accelerating"}


@computes("S0.three_body.*")
def _three_bodies() -> dict[str, float]:
    made = {}
    for column, name in _COLUMNS.items():
        found = _run(name, column).reactions(0)
        planet, sun = found["gear"].bodies["planet"], found["gear"].bodies["sun"]
        values = {
            "Fx": planet.force[0],
            "Fy": planet.force[1],
            "M1": sun.moment[2],
            "M2": planet.moment[2],
            "M3fix": found["theta3"].bodies["carrier"].moment[2],
            "M3pin": found["pin"].bodies["carrier"].moment[2],
        }
        made.update({f"{column}.{k}": float(v) for k, v in values.items()})
    return made


# --- the small planetary stage of P3 with rigid rows -----------------------------------------------------------------


def _disc(name: str, radius: float, x: float = 0.0, y: float = 0.0) -> Body:
    mass = 7850.0 * 0.1 * math.pi * radius**2
    spin = 0.5 * mass * radius**2
    return Body(name, mass, (0.6 * spin, 0.6 * spin, spin), (x, y, 0.0))


@cache
def small_stage(planets: int) -> Any:
    """Run of the small planetary stage: sun row on the first planet only, as in S0."""
    angle = math.radians(20.0)
    turns = [2 * math.pi * k / planets for k in range(planets)]
    pins = [(0.3 * math.cos(turn), 0.3 * math.sin(turn)) for turn in turns]
    # with one planet the carrier is a bar of 11.775 kg with its centre at half the arm (S0 digest 4.3)
    inertia = 0.1463 + (11.775 * 0.15**2 if planets == 1 else 0.0)
    points = {f"pin{k}": (x, y, 0.0) for k, (x, y) in enumerate(pins)}
    carrier = Body("carrier", 11.775, (0.6 * inertia, 0.6 * inertia, inertia), points=points)
    wheels = [_disc(f"p{k}", 0.2, *pin) for k, pin in enumerate(pins)]
    bodies = [_disc("sun", 0.1), _disc("ring", 0.5), carrier, *wheels]
    joints = [
        Joint("revolute", "sun", "sun", "housing", axis=_Z),
        Joint("revolute", "carrier", "carrier", "housing", axis=_Z),
        Joint("fixed", "ring", "ring", "housing"),
        Joint("gear", "sp0", "sun", "p0", axis=_Z, radius=(0.1, 0.2), pressure_angle=angle),
    ]
    for k in range(planets):
        rows = {"axis": _Z, "radius": (0.2, 0.5), "pressure_angle": angle, "internal": True}
        joints.append(Joint("revolute", f"pin{k}", f"p{k}", f"carrier.pin{k}", axis=_Z))
        joints.append(Joint("gear", f"pr{k}", f"p{k}", "ring", **rows))  # type: ignore[arg-type]
    load = Load("carrier", [0.0, 2.0, 2.0], [-4.0, -4.0, 0.0], moment=_Z)
    return simulate(Mechanism(bodies, joints, [load]), 5.0, 5e-3, 5e-2)


@computes_each("S0.p3.rigid.n*")
def _rigid_angle(planets: str) -> float:
    """Turn of the carrier [deg]."""
    run = small_stage(int(planets))
    carrier = run.mechanism.index["carrier"]
    angles = 2.0 * np.unwrap(np.arctan2(run.euler[:, carrier, 3], run.euler[:, carrier, 0]), period=math.pi)
    return math.degrees(float(angles[-1] - angles[0]))


@computes_each("S0.p3.rigid.force.n*")
def _rigid_force(name: str) -> float:
    planets, row = name.split(".")
    joint = {"sp1": "sp0", "p1r": "pr0", "p2r": "pr1"}[row]
    return abs(small_stage(int(planets)).reactions(20)[joint].teeth.normal)


# --- pendulums, slider, springs --------------------------------------------------------------------------------------


def _crossings(t: Any, x: Any) -> Any:
    return np.asarray(CubicSpline(t, x).roots(extrapolate=False), float)


def _pendulum(angle: float, inertia: float) -> tuple[float, float]:
    """Period [s] and largest rate [rad/s] of a pendulum of 5 kg, centre of mass at 2.5 m, let go at an angle [deg]."""
    half = 0.5 * (math.radians(angle) - 0.5 * math.pi)
    centre = (0.0, 2.5 * math.sin(math.radians(angle)), -2.5 * math.cos(math.radians(angle)))
    turn = (math.cos(half), math.sin(half), 0.0, 0.0)
    rod = Body("rod", 5.0, (inertia, 0.5 * inertia, inertia), centre, turn, {"start": (0.0, -2.5, 0.0)})
    hinge = Joint("revolute", "hinge", "rod.start", "housing", axis=_X)
    run = simulate(Mechanism([rod], [hinge], gravity=(0.0, 0.0, -9.81)), 6.0, 2e-3, 2e-3)
    rate = run.velocity[:, 0, 3]
    zeros = _crossings(run.time, rate)
    return 2.0 * float(zeros[zeros > 0.1][0]), float(np.abs(rate).max())


@computes("S1.pendulum_*")
def _pendulums() -> dict[str, list[float]]:
    rods = [_pendulum(a, 5.0 * 25.0 / 12.0) for a in (45.0, 90.0)]
    points = [_pendulum(a, 1e-6) for a in (45.0, 90.0)]
    return {
        "rod_period_45_90": [period for period, _ in rods],
        "rod_peak_rate_45_90": [rate for _, rate in rods],
        "point_period_45_90": [period for period, _ in points],
    }


@computes("S1.slider_45deg")
def _slope() -> str:
    run = _run("slider-45deg")
    want = -0.25 * 9.81 * run.time**2
    error = max(float(np.abs(run.position[:, 0, c] - want).max()) for c in (1, 2))
    return "y = z = -g t^2/4" if error < 1e-6 * float(np.abs(want).max()) else f"off by {error:.2g} m"


@computes("S1.spring_mass_frequency")
def _spring() -> float:
    found = linearise(mechanism_of("spring-damper-masses")[0]).frequencies_hz
    return float(found[np.argmin(np.abs(found - 0.35))])


@computes("S1.slider_crank_*")
def _slider_crank() -> dict[str, Value]:
    run = _run("slider-crank", duration=4.0)
    m = run.mechanism
    y = run.position[:, m.index["slider"], 1]
    stops = _crossings(run.time, run.velocity[:, m.index["crank"], 3])
    stops = stops[stops > 0.1]
    back = stops[np.argmin(np.abs(np.interp(stops, run.time, y) - y[0]) + (stops < 2.0))]
    # thrown upwards fast enough the crank reaches its other limit, too
    fast = mechanism_of("slider-crank")[0]
    fast.set_speeds({"crank": ([None] * 3, [6.0, None, None])})
    thrown = simulate(fast, 1.0, 1e-3, 1e-3)
    angles = [np.degrees(np.arctan2(*r.position[:, m.index["crank"], [2, 1]].T)) for r in (run, thrown)]
    return {
        "initial_slider": float(y[0]),
        "period": float(back),
        "first_stop": float(stops[0]),
        "slider_range": [float(y.min()), float(y.max())],
        # the ground counts as a body of six coordinates and six rows in the source
        "constraint_count": [6 * len(m.bodies) + 6, m.row_count + 6, m.degrees_of_freedom],
        "crank_limits": [float(angles[0].min()), float(angles[1].max())],
    }


# --- trains with rigid rows ------------------------------------------------------------------------------------------


def _spins(made: Mechanism) -> dict[str, float]:
    """Speeds about the shafts at the start over that of the main shaft."""
    spin = {b.name: float(made.start.v[k, 5]) for k, b in enumerate(made.bodies)}
    return {name: value / spin["main_shaft"] for name, value in spin.items()}


@computes("S0.b8.*", "rank", "dof", "speed.sun", "speed.intermediate", "speed.generator")
def _eight_bodies() -> dict[str, float]:
    made = mechanism_of("nordtank-8-bodies")[0]
    spin = _spins(made)
    speeds = {f"speed.{k}": spin[name] for k, name in (("sun", "sun_shaft"), ("intermediate",) * 2, ("generator",) * 2)}
    return {"rank": made.rank, "dof": made.degrees_of_freedom, **speeds}


@computes("S0.b8.speed.planet")
def _simplified_radii() -> float:
    """Planet over carrier with the radii of the source, which close the stage (100, 177.5, 455 mm); the example has those
    of the teeth, 91/35."""
    radii = [f"elements.ring_planet{i}.radius=[177.5 mm, 455 mm]" for i in (1, 2, 3)]
    sun = "elements.sun_planet1.radius=[100 mm, 177.5 mm]"
    return _spins(mechanism_of("nordtank-8-bodies", None, [*radii, sun])[0])["planet1"]


@computes("S1.planetary_*", "joint_speeds", "constraint_count")
def _joints() -> dict[str, list[float]]:
    run = _run("planetary-joints")
    m = run.mechanism
    # body-axis spins are those about the axis, whatever the carrier's position
    speeds = [round(float(run.velocity[-1, m.index[b], 3]), 9) for b in ("carrier", "planet1", "sun", "ring")]
    return {"joint_speeds": speeds, "constraint_count": [6 * len(m.bodies), m.row_count, m.degrees_of_freedom]}


def _cylinder(name: str, radius: float, x: float) -> Body:
    """A steel cylinder of 0.4 m about the first axis at a place along it."""
    mass = 7700.0 * math.pi * radius**2 * 0.4
    across = mass * (radius**2 / 4 + 0.4**2 / 12)
    return Body(name, mass, (0.5 * mass * radius**2, across, across), (x, 0.0, 0.0))


@computes("LIT.5.5")
def _gear_constraint() -> list[float]:
    """Speeds of both cylinders, and the power through the three frames of the bearing over the sum of its parts."""
    bodies = [_cylinder("a", 0.05, -0.2), _cylinder("b", 0.1, 0.2), Body("bearing", 1.0, (0.1, 0.1, 0.1))]
    joints = [
        Joint("revolute", "mount", "bearing", "housing", axis=_Z),
        Joint("motor", "turn", "bearing", "housing", axis=_Z, speed=3.0),
        Joint("revolute", "joint_a", "a", "bearing", axis=_X),
        Joint("revolute", "joint_b", "b", "bearing", axis=_X),
        # ratio 10: the angles of both against the bearing, theta_a - 10 theta_b = 0
        Joint("simple_gear", "gear", "a", "b", axis=_X, radius=(1.0, -10.0), carrier="bearing"),
    ]
    t = np.linspace(0.0, 0.7, 7001)
    load = Load("a", t.tolist(), (2.0 * np.sin(2.0 * np.pi * t)).tolist(), moment=_X, frame="body")
    made = Mechanism(bodies, joints, [load])
    made.set_speeds({"a": ([None] * 3, [0.0, None, None])})
    run = simulate(made, 0.7, 1e-3, 0.1)
    lost, passed = 0.0, 0.0
    for sample in range(1, len(run.time)):
        found = run.reactions(sample)
        parts = [
            float(part.force @ run.velocity[sample, k, :3] + part.moment_body @ run.velocity[sample, k, 3:])
            for joint in ("joint_a", "joint_b", "gear")
            for k, b in enumerate(made.bodies)
            if (part := found[joint].bodies.get(b.name)) is not None
        ]
        lost, passed = max(lost, abs(sum(parts))), max(passed, sum(map(abs, parts)))
    return [float(run.velocity[-1, 0, 3]), float(run.velocity[-1, 1, 3]), lost / passed]
