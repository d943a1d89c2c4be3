"""Mechanisms of S0 (chapter 3, appendices A and B, P3) and S1 (section 3.2, appendices A and C)."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .framework import REGISTRY


@cache
def _run(name: str, case: str | None = None, duration: float | None = None) -> Any:
    from gearwright.cases.mechanism import mechanism_of
    from gearwright.multibody import simulate

    made, drivetrain, chosen, length = mechanism_of(name, case, duration=duration)
    return simulate(made, length, drivetrain.model.step or 1e-3, chosen.output_interval)


@REGISTRY.computes(*(f"S0.two_gear.{k}" for k in range(1, 12)), "S0.two_gear.lambda_normal")
def _two_gears() -> dict[str, float]:
    found = _run("two-gears-fixed").reactions()
    one, two = found["gear"]["wheel"], found["gear"]["pinion"]
    first, second = found["joint1"]["wheel"]["force"], found["joint2"]["pinion"]["force"]
    values = [
        first[0], first[1], found["theta1"]["wheel"]["moment"][2], second[0], second[1],
        one["force"][0], one["force"][1], one["moment"][2], two["force"][0], two["force"][1], two["moment"][2],
    ]  # fmt: skip
    made = {f"S0.two_gear.{k + 1}": float(v) for k, v in enumerate(values)}
    made["S0.two_gear.lambda_normal"] = abs(found["gear"]["teeth"]["normal"])
    return made


_COLUMNS = {"static": ("three-body-equilibrium", "static"), "plus": ("three-body-accelerating", "plus"),
            "minus": ("three-body-accelerating", "minus")}  # fmt: skip


@REGISTRY.computes(*(f"S0.three_body.{c}.{v}" for c in _COLUMNS for v in ("Fx", "Fy", "M1", "M2", "M3fix", "M3pin")))
def _three_bodies() -> dict[str, float]:
    made = {}
    for column, (name, case) in _COLUMNS.items():
        found = _run(name, case).reactions(0)
        planet, sun = found["gear"]["planet"], found["gear"]["sun"]
        values = {
            "Fx": planet["force"][0], "Fy": planet["force"][1], "M1": sun["moment"][2], "M2": planet["moment"][2],
            "M3fix": found["theta3"]["carrier"]["moment"][2], "M3pin": found["pin"]["carrier"]["moment"][2],
        }  # fmt: skip
        made.update({f"S0.three_body.{column}.{k}": float(v) for k, v in values.items()})
    return made


@cache
def small_stage(planets: int) -> Any:
    """Run of the small planetary stage of P3 with rigid rows: sun row on the first planet only, as in S0."""
    from gearwright.multibody import Body, Joint, Load, Mechanism, simulate

    z = (0.0, 0.0, 1.0)
    angle = math.radians(20.0)

    def disc(name: str, radius: float, x: float = 0.0, y: float = 0.0) -> Body:
        mass = 7850.0 * 0.1 * math.pi * radius**2
        spin = 0.5 * mass * radius**2
        return Body(name, mass, (0.6 * spin, 0.6 * spin, spin), (x, y, 0.0))

    pins = [
        (0.3 * math.cos(2 * math.pi * k / planets), 0.3 * math.sin(2 * math.pi * k / planets)) for k in range(planets)
    ]
    # with one planet the carrier is a bar of 11.775 kg with its centre at half the arm (S0 digest 4.3)
    inertia = 0.1463 + (11.775 * 0.15**2 if planets == 1 else 0.0)
    carrier = Body("carrier", 11.775, (0.6 * inertia, 0.6 * inertia, inertia),
                   points={f"pin{k}": (x, y, 0.0) for k, (x, y) in enumerate(pins)})  # fmt: skip
    bodies = [disc("sun", 0.1), disc("ring", 0.5), carrier, *(disc(f"p{k}", 0.2, *pins[k]) for k in range(planets))]
    joints = [
        Joint("revolute", "sun", "sun", "housing", axis=z), Joint("revolute", "carrier", "carrier", "housing", axis=z),
        Joint("fixed", "ring", "ring", "housing"),
        Joint("gear", "sp0", "sun", "p0", axis=z, radius=(0.1, 0.2), pressure_angle=angle),
    ]  # fmt: skip
    for k in range(planets):
        joints += [
            Joint("revolute", f"pin{k}", f"p{k}", f"carrier.pin{k}", axis=z),
            Joint("gear", f"pr{k}", f"p{k}", "ring", axis=z, radius=(0.2, 0.5), pressure_angle=angle, internal=True),
        ]  # fmt: skip
    load = Load("carrier", [0.0, 2.0, 2.0], [-4.0, -4.0, 0.0], moment=z)
    return simulate(Mechanism(bodies, joints, [load]), 5.0, 5e-3, 5e-2)


def _turned(run: Any, body: str) -> float:
    k = run.mechanism.index[body]
    angles = 2.0 * np.unwrap(np.arctan2(run.euler[:, k, 3], run.euler[:, k, 0]), period=math.pi)
    return float(angles[-1] - angles[0])


@REGISTRY.computes(*(f"S0.p3.rigid.n{n}" for n in (1, 2, 3, 4)))
def _rigid_angles() -> dict[str, float]:
    return {f"S0.p3.rigid.n{n}": math.degrees(_turned(small_stage(n), "carrier")) for n in (1, 2, 3, 4)}


@REGISTRY.computes(*(f"S0.p3.rigid.force.n{n}.{p}" for n in (1, 2, 3, 4)
                     for p in (("sp1", "p1r") if n == 1 else ("sp1", "p1r", "p2r"))))  # fmt: skip
def _rigid_forces() -> dict[str, float]:
    made = {}
    for n in (1, 2, 3, 4):
        found = small_stage(n).reactions(20)
        for key, joint in (("sp1", "sp0"), ("p1r", "pr0"), ("p2r", "pr1")):
            if joint in found:
                made[f"S0.p3.rigid.force.n{n}.{key}"] = abs(found[joint]["teeth"]["normal"])
    return made


def _pendulum(angle: float, inertia: float) -> tuple[float, float]:
    """Period [s] and largest rate [rad/s] of a pendulum of 5 kg, centre of mass at 2.5 m, let go at an angle [deg]."""
    from gearwright.multibody import Body, Joint, Mechanism, simulate

    half = 0.5 * (math.radians(angle) - 0.5 * math.pi)
    y, z = 2.5 * math.sin(math.radians(angle)), -2.5 * math.cos(math.radians(angle))
    rod = Body("rod", 5.0, (inertia, 0.5 * inertia, inertia), (0.0, y, z), (math.cos(half), math.sin(half), 0.0, 0.0),
               {"start": (0.0, -2.5, 0.0)})  # fmt: skip
    made = Mechanism([rod], [Joint("revolute", "hinge", "rod.start", "housing", axis=(1.0, 0.0, 0.0))],
                     gravity=(0.0, 0.0, -9.81))  # fmt: skip
    run = simulate(made, 6.0, 2e-3, 2e-3)
    rate = run.velocity[:, 0, 3]
    zeros = _crossings(run.time, rate)
    return 2.0 * float(zeros[zeros > 0.1][0]), float(np.abs(rate).max())


def _crossings(t: Any, x: Any) -> Any:
    from scipy.interpolate import CubicSpline

    found = CubicSpline(t, x).roots(extrapolate=False)
    return np.asarray(found, float)


@REGISTRY.computes("S1.pendulum_rod_period_45_90", "S1.pendulum_rod_peak_rate_45_90")
def _rods() -> dict[str, list[float]]:
    found = [_pendulum(a, 5.0 * 25.0 / 12.0) for a in (45.0, 90.0)]
    return {
        "S1.pendulum_rod_period_45_90": [f[0] for f in found],
        "S1.pendulum_rod_peak_rate_45_90": [f[1] for f in found],
    }


@REGISTRY.computes("S1.pendulum_point_period_45_90")
def _points() -> list[float]:
    return [_pendulum(a, 1e-6)[0] for a in (45.0, 90.0)]


@REGISTRY.computes("S1.slider_45deg")
def _slope() -> str:
    run = _run("slider-45deg")
    want = -0.25 * 9.81 * run.time**2
    error = max(float(np.abs(run.position[:, 0, c] - want).max()) for c in (1, 2))
    return "y = z = -g t^2/4" if error < 1e-6 * float(np.abs(want).max()) else f"off by {error:.2g} m"


@REGISTRY.computes("S1.spring_mass_frequency")
def _spring() -> float:
    from gearwright.cases.mechanism import mechanism_of
    from gearwright.multibody import linearise

    made = mechanism_of("spring-damper-masses")[0]
    found = linearise(made).frequencies_hz
    return float(found[np.argmin(np.abs(found - 0.35))])


@REGISTRY.computes("S1.slider_crank_initial_slider", "S1.slider_crank_period", "S1.slider_crank_first_stop",
                   "S1.slider_crank_slider_range", "S1.slider_crank_constraint_count", "S1.slider_crank_crank_limits")  # fmt: skip
def _slider_crank() -> dict[str, Any]:
    from gearwright.cases.mechanism import mechanism_of
    from gearwright.multibody import simulate

    run = _run("slider-crank", duration=4.0)
    m = run.mechanism
    y, spin = run.position[:, m.index["slider"], 1], run.velocity[:, m.index["crank"], 3]
    stops = _crossings(run.time, spin)
    stops = stops[stops > 0.1]
    back = stops[np.argmin(np.abs(np.interp(stops, run.time, y) - y[0]) + (stops < 2.0))]
    # thrown upwards fast enough the crank reaches its other limit, too
    fast = mechanism_of("slider-crank")[0]
    fast.set_speeds({"crank": ([None] * 3, [6.0, None, None])})
    thrown = simulate(fast, 1.0, 1e-3, 1e-3)

    def angle(r: Any) -> Any:
        p = r.position[:, m.index["crank"]]
        return np.degrees(np.arctan2(p[:, 2], p[:, 1]))

    # the ground counts as a body of six coordinates and six rows in the source
    return {
        "S1.slider_crank_initial_slider": float(y[0]), "S1.slider_crank_period": float(back),
        "S1.slider_crank_first_stop": float(stops[0]), "S1.slider_crank_slider_range": [float(y.min()), float(y.max())],
        "S1.slider_crank_constraint_count": [6 * len(m.bodies) + 6, m.row_count + 6, m.degrees_of_freedom],
        "S1.slider_crank_crank_limits": [float(angle(run).min()), float(angle(thrown).max())],
    }  # fmt: skip


@REGISTRY.computes("S0.b8.rank", "S0.b8.dof", "S0.b8.speed.sun", "S0.b8.speed.intermediate", "S0.b8.speed.generator")
def _eight_bodies() -> dict[str, float]:
    from gearwright.cases.mechanism import mechanism_of

    made = mechanism_of("nordtank-8-bodies")[0]
    spin = {b.name: float(made.start.v[k, 5]) for k, b in enumerate(made.bodies)}
    carrier = spin["main_shaft"]
    return {
        "S0.b8.rank": made.rank, "S0.b8.dof": made.degrees_of_freedom, "S0.b8.speed.sun": spin["sun_shaft"] / carrier,
        "S0.b8.speed.intermediate": spin["intermediate"] / carrier, "S0.b8.speed.generator": spin["generator"] / carrier,
    }  # fmt: skip


@REGISTRY.computes("S0.b8.speed.planet")
def _simplified_radii() -> float:
    """Planet over carrier with the radii of the source, which close the stage (100, 177.5, 455 mm); the example has those
    of the teeth, 91/35."""
    from gearwright.cases.mechanism import mechanism_of

    radii = [f"elements.ring_planet{i}.radius=[177.5 mm, 455 mm]" for i in (1, 2, 3)]
    made = mechanism_of("nordtank-8-bodies", None, [*radii, "elements.sun_planet1.radius=[100 mm, 177.5 mm]"])[0]
    spin = {b.name: float(made.start.v[k, 5]) for k, b in enumerate(made.bodies)}
    return spin["planet1"] / spin["main_shaft"]


@REGISTRY.computes("S1.planetary_joint_speeds", "S1.planetary_constraint_count")
def _joints() -> dict[str, list[float]]:
    run = _run("planetary-joints")
    m = run.mechanism
    # body-axis spins are those about the axis, whatever the carrier's position
    speeds = [round(float(run.velocity[-1, m.index[b], 3]), 9) for b in ("carrier", "planet1", "sun", "ring")]
    return {
        "S1.planetary_joint_speeds": speeds,
        "S1.planetary_constraint_count": [6 * len(m.bodies), m.row_count, m.degrees_of_freedom],
    }


_CYLINDERS = tuple(
    7700.0 * math.pi * r**2 * 0.4 * np.array([0.5 * r**2, r**2 / 4 + 0.4**2 / 12, 1.0]) for r in (0.05, 0.1)
)
#: both cylinders as one inertia on the slow shaft; torque 2 sin(2 pi t) N m on the fast one
_GEAR_INERTIA = 100.0 * float(_CYLINDERS[0][0]) + float(_CYLINDERS[1][0])
_SLOW = 10.0 * 2.0 / (2.0 * math.pi * _GEAR_INERTIA) * (1.0 - math.cos(2.0 * math.pi * 0.7))


@REGISTRY.literature("LIT.5.5", [10.0 * _SLOW, _SLOW, 0.0], "rad/s, rad/s, 1", rel=1e-7, abs=1e-9,
                     source="Modelica Standard Library, Rotational3DEffects.GearConstraint",
                     note="speeds of both cylinders against their bearing at 0.7 s (closed form of the one-dimensional train) "
                          "with the bearing turning about z at 3 rad/s, and the power through its three frames over the sum "
                          "of its parts")  # fmt: skip
def _gear_constraint() -> list[float]:
    from gearwright.multibody import Body, Joint, Load, Mechanism, simulate

    x, z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    (ia, ta, ma), (ib, tb, mb) = (map(float, c) for c in _CYLINDERS)
    bodies = [Body("a", ma, (ia, ta, ta), (-0.2, 0.0, 0.0)), Body("b", mb, (ib, tb, tb), (0.2, 0.0, 0.0)),
              Body("bearing", 1.0, (0.1, 0.1, 0.1))]  # fmt: skip
    joints = [
        Joint("revolute", "mount", "bearing", "housing", axis=z), Joint("motor", "turn", "bearing", "housing", axis=z, speed=3.0),
        Joint("revolute", "joint_a", "a", "bearing", axis=x), Joint("revolute", "joint_b", "b", "bearing", axis=x),
        # ratio 10: the angles of both against the bearing, theta_a - 10 theta_b = 0
        Joint("simple_gear", "gear", "a", "b", axis=x, radius=(1.0, -10.0), carrier="bearing"),
    ]  # fmt: skip
    t = np.linspace(0.0, 0.7, 7001)
    load = Load("a", t.tolist(), (2.0 * np.sin(2.0 * np.pi * t)).tolist(), moment=x, frame="body")
    made = Mechanism(bodies, joints, [load])
    made.set_speeds({"a": ([None] * 3, [0.0, None, None])})
    run = simulate(made, 0.7, 1e-3, 0.1)
    lost, passed = 0.0, 0.0
    for sample in range(1, len(run.time)):
        found = run.reactions(sample)
        parts = [
            float(part["force"] @ run.velocity[sample, k, :3] + part["moment_body"] @ run.velocity[sample, k, 3:])
            for joint in ("joint_a", "joint_b", "gear")
            for k, b in enumerate(made.bodies)
            if (part := found[joint].get(b.name)) is not None
        ]
        lost, passed = max(lost, abs(sum(parts))), max(passed, sum(map(abs, parts)))
    return [float(run.velocity[-1, 0, 3]), float(run.velocity[-1, 1, 3]), lost / passed]
