"""Rigid trains with losses in motion: sticking gears of S3 and LIT.5, energy, momentum and drift over long runs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import gearwright as gw
from gearwright.results import energy_book
from gearwright.schema.places import JSON, Values, groups
from gearwright.solve.runge_kutta import table as T

from .registry import computes
from .shared import Array, Overrides, Stepping, own, record, series

# --- gears of the Modelica Standard Library that stick ---------------------------------------------------------------


def lossy_gear(*overrides: str) -> gw.Drivetrain:
    """LossyGearDemo1: a gear of efficiency 0.5 under a torque that swings."""
    return gw.load(own("lossy-gear"), overrides)


@cache
def _demo(*overrides: str) -> tuple[Array, Array, Array]:
    """Time, and angle and speed of side b."""
    data = record(lossy_gear(*overrides))
    return data["time"].values, series(data, "body_angle", body="b"), series(data, "body_speed", body="b")


def _at(t: Array, values: Array, time: float) -> float:
    return float(values[np.searchsorted(t, time - 1e-9)])


def switch_times(drivetrain: gw.Drivetrain, tolerance: float = 1e-8) -> list[float]:
    """Instants at which the loss of the gear changes its state, by bisection over runs that end ever closer."""
    found = []
    for near in (0.0805, 0.1995, 0.3713, 0.4645):
        run = Stepping(drivetrain)
        run.advance(near - 0.003, 1, tolerance, run.system.channels)
        mode, low, high = run.state.friction[0], 0.0, 0.006
        while high - low > 1e-8:
            middle = 0.5 * (low + high)
            later = run.state.copy()
            run.engine.advance(run.plan(middle, tolerance, run.system.channels), later, 1)
            low, high = (low, middle) if later.friction[0] != mode else (middle, high)
        found.append(near - 0.003 + high)
    return found


@computes("S24.msl_lossygear_demo1_event_times")
@computes("S3.lossygear1.mode_switch_times")
@computes("LIT.5.1.times")
def _switches() -> list[float]:
    return switch_times(lossy_gear())


@computes("S3.lossygear1.*", "w2_max", "w2_min", "w2_end", "phi2_first_stuck", "phi2_second_stuck", "phi2_end")
def _first_demo() -> dict[str, float]:
    t, angle, w = _demo()
    return {
        "w2_max": float(w.max()),
        "w2_min": float(w.min()),
        "w2_end": float(w[-1]),
        "phi2_first_stuck": _at(t, angle, 0.1),
        "phi2_second_stuck": _at(t, angle, 0.4),
        "phi2_end": float(angle[-1]),
    }


@computes("S24.msl_lossygear_demo1_min_speed_1")
def _least_speed() -> float:
    return 2.0 * float(_demo()[2].min())


@computes("LIT.5.1.values")
def _first_values() -> list[float]:
    t, angle, w = _demo()
    return [_at(t, angle, 0.1), _at(t, w, 0.25), _at(t, w, 0.3), _at(t, angle, 0.4), float(w[-1])]


@computes("LIT.5.2.*")
def _second_demo() -> dict[str, list[float]]:
    """The same with friction in the bearing of a."""
    gear = gw.load(own("lossy-gear")).elements[0].name
    friction = "{name: f, type: bearing, between: [a, housing], friction: {torque: 0.5, viscous: 0.5}}"
    mesh = "{name: %s, type: mesh, between: [a, b], teeth: [20, 40], same_sense: true, loss: {efficiency: 0.5}}"
    t, _, w = _demo(f"elements=[{mesh % gear}, {friction}]")
    still = np.abs(w) < 1e-9
    moved = np.flatnonzero(still[1:] != still[:-1])
    return {
        "values": [_at(t, w, 0.05), _at(t, w, 0.25), float(w[-1])],
        "times": [float(t[i + 1]) for i in moved if t[i + 1] > 0.01][:3],
    }


@cache
def _third_demo() -> tuple[Array, Array, Array]:
    """Time, and angle and speed of side a."""
    data = record(own("braked-gear"))
    return data["time"].values, series(data, "body_angle", body="a"), series(data, "body_speed", body="a")


@computes("LIT.5.3")
def _braked() -> list[float]:
    t, angle, w = _third_demo()
    slope = float((w[50] - w[150]) / (t[150] - t[50]))
    return [slope, float(t[np.argmax(np.abs(w) < 1e-9)]), float(angle[-1])]


@computes("S24.msl_lossygear_demo3_stop_time")
def _stop_time() -> float:
    """The straight line through two samples before the stop meets zero."""
    t, _, w = _third_demo()
    i, j = np.searchsorted(t, 0.005), np.searchsorted(t, 0.015)
    return float(t[j] + w[j] * (t[j] - t[i]) / (w[i] - w[j]))


# --- S3 Fig. 6: four flywheels, a spring, a lossy mesh -----------------------------------------------------------------


@computes(
    "S3.fig6.*",
    "half_cycle_amplitude_ratio",
    "half_period",
    "energy_after_6s",
    "sign_switches_per_period",
    "loss_at_zero_relative_power",
)
def _four_flywheels() -> dict[str, float]:
    run = Stepping("four-flywheels", "let-go")
    start = run.state.copy()
    block = run.advance(1e-3, 6010, 1e-8, run.system.channels)
    t, lines = block.time, block.lines
    got = {c.name: lines[:, i] for i, c in enumerate(run.system.channels)}
    torque = got["spring.torque"]
    turns = [i for i in range(1, len(t) - 1) if (torque[i] - torque[i - 1]) * (torque[i + 1] - torque[i]) < 0.0]
    peaks = [_vertex(t[i - 1 : i + 2], torque[i - 1 : i + 2]) for i in turns[:4]]
    ratios = [abs(b[1] / a[1]) for a, b in zip([(0.01, torque[0]), *peaks], peaks, strict=False)]
    power = got["pair.friction_torque"] * got["pair.friction_speed"]
    # sign of the offset: of the product of tooth force and rate, over one period; it changes at turning points and between
    half, first = peaks[1][0] - peaks[0][0], peaks[0][0]
    sign = np.sign(got["pair.torque_first"] * got["pair.friction_speed"])
    sign = sign[(t > first + 0.25 * half) & (t < first + 2.25 * half)]
    # wound and at rest, nothing flows; the tooth force is round-off then, and so is the loss
    still = float(np.abs(power[t < 0.01]).max())
    return {
        "half_cycle_amplitude_ratio": float(np.mean(ratios)),
        "half_period": half,
        "energy_after_6s": 5.0 + energy_book(run.system, start, run.state).terms["friction pair"],
        "sign_switches_per_period": float((sign[1:] != sign[:-1]).sum()),
        "loss_at_zero_relative_power": still if still > 1e-15 * float(power.max()) else 0.0,
    }


def _vertex(t: Any, x: Any) -> tuple[float, float]:
    """Turning point of the parabola through three points."""
    c = np.polyfit(t - t[1], x, 2)
    at = -c[1] / (2.0 * c[0])
    return float(t[1] + at), float(np.polyval(c, at))


@computes("S3.fig6.total_angular_momentum")
def _momentum() -> float:
    run = Stepping("four-flywheels", "let-go")
    run.advance(1e-3, 6010, 1e-6)
    return float((run.system.mass @ run.state.v).sum())


# --- long runs ---------------------------------------------------------------------------------------------------------


def sine(amplitude: float, frequency: float) -> JSON:
    """A torque that swings [N m], [Hz]."""
    return {"sine": {"amplitude": amplitude, "frequency": frequency}}


def swinging(file: str, initial: dict[str, float], torques: Values, duration: float, **changes: Any) -> Stepping:
    """A train in motion with given speeds of some bodies under torques by body."""
    loads = [{"on": body, "torque": torque} for body, torque in torques.items()]
    case = {
        "name": "swing",
        "duration": duration,
        "start": "operating",
        "initial": initial,
        "record": ["bodies"],
        "loads": loads,
    }
    sets: Overrides = {key.replace("__", "."): value for key, value in changes.items()} | {"cases": [case]}
    return Stepping(file, overrides=sets)


def steering(torques: Values, duration: float) -> Stepping:
    """Steering gear of S3, an offset of 0.1 tooth in every mesh, all members turning."""
    meshes = ("GH", "AB_L", "AB_R", "FE_L", "FE_R", "CD_L", "CD_R", "EE")
    losses = {f"elements__{m}__loss": {"force_pole_offset": 0.1} for m in meshes}
    speeds = {"G": 100.0, "BF_L": 80.0, "BF_R": 120.0}
    return swinging("tracked-steering", speeds, torques, duration, machines=[], **losses)


@computes("S3.rigid.*", "power_balance_rel", "drift_1e5_projection")
def _long_run() -> dict[str, float]:
    """Steering gear with losses under loads that swing, 1e5 steps of 10 ms: energy left over, rates of the rows."""
    run = steering({"H": sine(5.0, 0.11), "A_L": sine(9.0, 0.37), "A_R": sine(-7.0, 0.23)}, 1000.0)
    start = run.state.copy()
    run.advance(1e-2, 100_000, 1e-6)
    return {
        "power_balance_rel": energy_book(run.system, start, run.state).error,
        # rates of the meshes in m/s, with one millimetre of radius a tooth
        "drift_1e5_projection": 1e-3 * float(np.abs(run.hard_rates()).max()),
    }


@computes("S3.rigid.drift_1e5_no_projection")
def _drift() -> float:
    """Largest rate of a mesh [m/s] after 1e5 steps of 1 ms of the steering gear, run up to some 1e4 rad/s.

    The engine projects between steps where samples are taken or states change: one sample at the end and loads that
    let no loss change its sign leave none.
    """
    run = steering({"H": 60.0, "A_L": -9.6, "A_R": -9.0}, 100.0)
    run.advance(1e-2, 10, 1e-6)  # all losses find their signs
    plan = run.plan(100.0, 1e-6)
    plan.table.arrays[T.CARRY][3] = 1e-3
    run.engine.advance(plan, run.state, 1)
    made = plan.statistics
    if made["steps"] < 100_000 or made["events"]:
        raise RuntimeError(f"not 1e5 steps without an event: {made}")
    return 1e-3 * float(np.abs(run.hard_rates()).max())


@computes("S3.rigid.torque_balance")
def _torque_balance() -> float:
    """Largest sum of outside torques and d'Alembert torques [N m] of a train that touches no frame, in motion.

    Simpson train without its brakes, losses included, under torques that swing: 200 instants of 10 s.
    """
    amplitudes = {"sun": 3.0, "ring_a": -20.0, "carrier_b": 30.0}
    torques = {body: sine(t, 0.2 + 0.1 * i) for i, (body, t) in enumerate(amplitudes.items())}
    meshes = [e for e in groups(gw.load("simpson").raw["elements"]) if e["type"] == "mesh"]
    operating = {"input": "sun", "speed": 50.0}
    speeds = {"sun": 50.0, "output": -20.0}
    run = swinging("simpson", speeds, torques, 10.0, elements=meshes, operating=operating)
    channels = {c.name: i for i, c in enumerate(run.system.channels)}
    lines = np.asarray(run.advance(0.05, 200, 1e-8, run.system.channels).lines)
    bodies = [name.removesuffix(".rotation") for name in run.system.coordinates]
    accelerations = lines[:, [channels[f"{body}.acceleration"] for body in bodies]]
    time = 0.05 * np.arange(1, 201)
    outside = sum(t * np.sin(2 * np.pi * (0.2 + 0.1 * i) * time) for i, t in enumerate(amplitudes.values()))
    return float(np.abs(outside - accelerations @ run.system.mass.diagonal()).max())
