"""Steering gear, brakes, engine, tyre and vehicle of S3: ``S3.steer``, ``S3.brake``, ``S3.engine``, ``S3.tyre``, ``S3.vehicle``."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import brentq, root

import gearwright as gw
from gearwright.analyses.power_flow import PowerFlow
from gearwright.machines import EngineMap, TrackedChassis, vehicle

from .registry import computes, computes_each
from .shared import Stepping, call_law, flow, record, series, system_of
from .target import Value, given

_FILE = "tracked-steering"
#: the train alone: without machines, and without the cases that name one
_TRAIN = ("machines=[]", "cases=[]")
_LOSSLESS = "model.loss=none"
_MESHES = ("GH", "AB_L", "AB_R", "FE_L", "FE_R", "CD_L", "CD_R", "EE")
_LABELS = ("GH", "AB_L", "AB_R")
_BEVEL = "elements.GH.teeth=[60, 20]"
#: tooth numbers of the digest's torque figures
_DIGEST = tuple(f"elements.{mesh}.teeth=[60, 20]" for mesh in _LABELS)
_EXTERNAL = tuple(f"elements.{mesh}.same_sense=false" for mesh in _LABELS)


def _flow(operating: str, *overrides: str) -> PowerFlow:
    return flow(_FILE, None, *_TRAIN, *overrides, f"operating={operating}")


# --- steering gear ---------------------------------------------------------------------------------------------------

_LOCKED = "{fixed: [C_L], speeds: {G: %s}, torques: {A_L: -100 N m, A_R: -200 N m}, reactions: [H]}"


@computes(
    "S3.steer.*",
    "locked_speed_ratio",
    "turn_radius_inner_wheel",
    "turn_radius_centre",
    "k",
    "locked.planet_speeds",
    "locked.output_speeds",
    "rotor_speed",
)
def _kinematics() -> dict[str, Value]:
    locked = _flow(_LOCKED % "1 rad/s")
    inner, outer = locked.speed("BF_L"), locked.speed("BF_R")
    ratio = outer / inner
    # no slip: both wheels roll on circles about one centre, a track of 2 m apart
    radius = 2.0 / (ratio - 1.0)
    free = _flow("{speeds: {BF_L: 0.9 rad/s, BF_R: 1.1 rad/s}, torques: {H: 1 N m}, reactions: [A_L, A_R]}")
    return {
        "locked_speed_ratio": ratio,
        "turn_radius_inner_wheel": radius,
        "turn_radius_centre": radius + 1.0,
        "k": (ratio + 1.0) / (ratio - 1.0),
        "locked.planet_speeds": [locked.speed("ED_L"), locked.speed("ED_R")],
        "locked.output_speeds": [inner, outer, locked.speed("C_R")],
        "rotor_speed": free.speed("C_L"),
    }


@computes("S3.steer.dof_*")
def _freedom() -> dict[str, int]:
    drivetrain = gw.load(_FILE, _TRAIN)
    meshes = [e for e in drivetrain.elements if e.type == "mesh"]
    system = system_of(drivetrain.model_copy(update={"elements": meshes}))
    rows = system.D[system.arrays.hard.astype(int)].toarray()
    locks = np.eye(rows.shape[1])[[system.coordinates.index(f"C_{side}.rotation") for side in "LR"]]
    ranks = [int(np.linalg.matrix_rank(np.vstack([rows, locks[:locked]]))) for locked in range(3)]
    return {
        name: rows.shape[1] - r
        for name, r in zip(("free", "one_brake_locked", "both_brakes_locked"), ranks, strict=True)
    }


@computes(
    "S3.steer.locked.*",
    "brake_torque_lossless",
    "input_torque_lossless",
    "brake_torque_lossy",
    "input_torque_lossy",
    "efficiency_lossy",
)
def _torques() -> dict[str, float | None]:
    free, lossy = _flow(_LOCKED % "10 rad/s", _LOSSLESS, *_DIGEST), _flow(_LOCKED % "10 rad/s", *_DIGEST)
    found: dict[str, float | None] = {}
    for word, made in (("lossless", free), ("lossy", lossy)):
        found |= {f"brake_torque_{word}": made.torque("C_L"), f"input_torque_{word}": made.torque("H")}
    return found | {"efficiency_lossy": lossy.efficiency}


@computes_each("S3.steer.slip.output_torques_*")
def _slipping(word: str) -> list[float]:
    point = "{speeds: {G: 10 rad/s, BF_L: 9.5 rad/s}, torques: {H: 20 N m, C_L: -10 N m}, reactions: [A_L, A_R]}"
    made = _flow(point, *([_LOSSLESS] if word == "lossless" else []), *_DIGEST)
    return [made.torque("A_L"), made.torque("A_R")]


#: all external, bevel 60/20, offset of 0.1 tooth everywhere
_OFFSET = (_BEVEL, *(f"elements.{m}.loss={{force_pole_offset: 0.1}}" for m in _MESHES), *_EXTERNAL)


@computes("S3.steer.bias_ratio_dr0.1")
def _bias() -> float:
    # the limit of no differential speed: the signs of the losses are those of a left side that is slower by 1e-9
    speeds = "{BF_L: 0.999999999, BF_R: 1.000000001}"
    made = _flow(f"{{speeds: {speeds}, torques: {{H: -1 N m}}, reactions: [A_L, A_R]}}", *_OFFSET)
    return float(made.torque("A_L") / made.torque("A_R"))


@computes("S3.steer.stick_threshold")
def _threshold() -> float:
    """Ratio of the output loads at which the gear, all members turning alike, begins to differ: by halving."""
    low, high = 1.02, 1.035
    while high - low > 2e-4:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _differs(middle) < 1e-9 else (low, middle)
    return 0.5 * (low + high)


def _differs(ratio: float) -> float:
    """Differential speed [rad/s] after 20 ms under loads in a ratio."""
    loads = f"[{{on: A_L, torque: {20.0 * ratio!r}}}, {{on: A_R, torque: 20.0}}, {{on: H, torque: -7.0}}]"
    case = f"{{name: loads, duration: 0.02, start: operating, initial: {{G: 10.0, BF_L: 10.0, BF_R: 10.0}}, loads: {loads}}}"
    run = Stepping(_FILE, overrides=["machines=[]", *_OFFSET, f"cases=[{case}]"])
    run.advance(2e-3, 10, 1e-6, run.system.channels)
    left, right = (run.system.coordinates.index(f"BF_{side}.rotation") for side in "LR")
    return abs(float(run.state.v[left] - run.state.v[right]))


def _ramp(start: float, end: float, over: float = 1.0) -> str:
    return f"{{ramp: {{from: {start:g}, to: {end:g}, over: {over:g} s}}}}"


def _brake_case() -> str:
    """The left brake closes over 1 s, holds, and opens from 3 s on."""
    values = {
        "name": "brake",
        "duration": "5 s",
        "start": "operating",
        "initial": "{G: 10, BF_L: 10, BF_R: 10}",
        "record": "[shafts, bodies]",
        "output_interval": "1e-4 s",
        "counting_interval": "1e-4 s",
        "loads": "[{on: H, torque: -6}, {on: A_L, slope: -0.9}, {on: A_R, slope: -0.9}]",
        "events": f"[{{at: 0 s, set: brake_L.capacity, to: {_ramp(0, 20)}}}, "
        f"{{at: 3 s, set: brake_L.capacity, to: {_ramp(20, 0)}}}]",
    }
    return f"cases=[{{{', '.join(f'{key}: {value}' for key, value in values.items())}}}]"


@computes("S3.brake.*")
def _brake() -> dict[str, float]:
    inertias = [f"bodies.A_{side}.inertia=5.0 kg m^2" for side in "LR"]
    data = record(_FILE, "brake", ["machines=[]", _LOSSLESS, _BEVEL, *_EXTERNAL, *inertias, _brake_case()])
    t = data["time"].values
    locked = np.flatnonzero(np.rint(series(data, "shaft_phase", shaft="brake_L")) == 2.0)
    rotor = float(series(data, "body_speed", body="C_L")[-1])
    return {"lock_time": float(t[locked[0]]), "release_time": float(t[locked[-1]]), "rotor_speed_5s": rotor}


# --- engine and tyre -------------------------------------------------------------------------------------------------

_ENGINE = EngineMap(200.0, 250.0, 300.0)


@computes("S3.engine.*")
def _engine() -> dict[str, Value]:
    bend = _ENGINE.torque([50.0, 250.0, 450.0], 1.0)
    bounds = ((-100.0, 0.0), (500.0, 600.0))
    return {
        "A": float(bend[1] - 0.5 * (bend[0] + bend[2])) / 200.0**2,
        "zero_torque_speeds": [brentq(lambda w: float(_ENGINE.torque(w, 1.0)), *b, xtol=1e-13) for b in bounds],
        "torque_stall_full_pedal": float(_ENGINE.torque(0.0, 1.0)),
    }


@computes_each("S3.tyre.k10_*")
def _tyre(word: str) -> float:
    return TrackedChassis(1000.0, 1000.0, 2.0, 3.0, 0.3, tyre=word).tyre_factor


# --- vehicle -----------------------------------------------------------------------------------------------------------


@computes(
    "S3.vehicle.*",
    "speed_5s",
    "lock_time",
    "brake_torque_after_lock",
    "position_10s",
    "heading_10s",
    "locked_wheel_speed_ratio",
)
def _reference() -> dict[str, Value]:
    fine = [f"cases.reference.{key}_interval=2e-4 s" for key in ("output", "counting")]
    data = record(_FILE, "reference", fine, duration=10.0)
    t = data["time"].values
    machine = {
        name: series(data, f"machine_{name}", machine="vehicle")
        for name in ("forward_speed", "position_x", "position_y", "heading")
    }
    lock = int(np.argmax(series(data, "shaft_phase", shaft="brake_R") == 2.0))
    left, right = (float(series(data, "body_speed", body=f"A_{side}")[-1]) for side in "LR")
    return {
        "speed_5s": float(np.interp(5.0, t, machine["forward_speed"])),
        "lock_time": float(t[lock]),
        "brake_torque_after_lock": float(abs(series(data, "shaft_torque", shaft="brake_R")[lock])),
        "position_10s": [float(machine["position_x"][-1]), float(machine["position_y"][-1])],
        "heading_10s": float(machine["heading"][-1]),
        "locked_wheel_speed_ratio": left / right,
    }


@computes("S3.vehicle.no_slip_radius_limit")
def _circle() -> float:
    soft, hard = circle(100.0), circle(1000.0)
    return hard + (hard - soft) / 9.0


def circle(friction: float) -> float:
    """Radius [m] of the driven axle's centre on the steady circle with the right brake locked and no front side force."""
    data = TrackedChassis(1000.0, 1000.0, 2.0, 3.0, 0.3, friction=friction, rear_share=0.75, rolling=0.02, drag=0.5)
    law = vehicle(data)
    ratio, total = 81.0 / 49.0, 16.0
    mean = 0.5 * (1.0 + ratio)  # speed of the carrier over that of the slower output

    def forces(dv: Any) -> Any:
        return call_law(law, [], dv)[0][:5]

    def steady(forward: float) -> tuple[Any, float]:
        """Steady circle at a forward speed [m/s]: unknowns, and what the engine lacks to hold it [W]."""

        def state(x: Any) -> Any:
            slow = (forward - x[0]) * (1.0 + x[2]) / data.wheel_radius
            return np.array([ratio * slow, slow, forward, 1.5 * x[0] + x[1], x[0]])

        find: Any = root
        begin = [forward / 4.2, 0.0, 0.0]
        found = find(lambda x: forces(state(x))[2:] / 1e3, begin, method="lm", options={"xtol": 1e-13})
        dv = state(found.x)
        if np.abs(forces(dv)[2:]).max() > 1e-3:
            raise RuntimeError(f"no steady circle at {forward:g} m/s and friction {friction:g}: {found.message}")
        speed = total * mean * dv[1]
        return found.x, float(forces(dv)[:2] @ dv[:2] - float(_ENGINE.torque(speed, 0.05)) * speed)

    speed = brentq(lambda v: steady(v)[1], 1.0, 11.0, xtol=1e-9)
    yaw, lateral, _ = steady(speed)[0]
    return float(math.hypot(speed, lateral) / abs(yaw))


@cache
def distances(ratio: float, pedal: float, brake: float) -> tuple[float, float]:
    """Distances [m] of cases Simple and Slow from Reference 5 s after the brake [N m] begins to act at 5 m/s."""
    case = {"initial": "{vehicle.speed: 5 m/s}", "output_interval": "1e-4 s", "counting_interval": "1e-4 s"}
    shared = [f"elements.{mesh}.teeth=[{round(20 * math.sqrt(ratio))}, 20]" for mesh in _LABELS]
    shared += [f"machines.engine.pedal={pedal}", *(f"cases.reference.{key}={value}" for key, value in case.items())]
    ends = []
    for name, over in (("reference", 1.0), ("simple", 1.0), ("slow", 5.0)):
        events = f"[{{at: 0 s, set: brake_R.capacity, to: {_ramp(0, brake, over)}}}]"
        changed = "slow" if name == "slow" else "reference"
        data = record(_FILE, name, [*shared, f"cases.{changed}.events={events}"], duration=5.0)
        ends.append([float(data[f"machine_position_{axis}"].sel(machine="vehicle").values[-1]) for axis in "xy"])
    return math.dist(ends[1], ends[0]), math.dist(ends[2], ends[0])


def _all_distances() -> list[tuple[float, float]]:
    return [distances(*setting) for setting in given("S3.vehicle.distances").tolist()]


@computes("S3.vehicle.order_of_effects")
def _order() -> str:
    pairs = _all_distances()
    return "Simple < Slow" if all(simple < slow for simple, slow in pairs) else f"not in all settings: {pairs}"


@computes("S3.vehicle.distances")
def _distances() -> list[float]:
    return [x for pair in _all_distances() for x in pair]
