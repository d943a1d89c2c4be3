"""Steering gear, brakes, engine, tyre and vehicle of S3: ``S3.steer``, ``S3.brake``, ``S3.engine``, ``S3.tyre``, ``S3.vehicle``."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .framework import REGISTRY

computes, literature = REGISTRY.computes, REGISTRY.literature

_FILE = "tracked-steering"
_TRAIN = "machines=[]"
_LOSSLESS = "model.loss=none"
#: tooth numbers of the digest's torque figures
_DIGEST = ("elements.GH.teeth=[60, 20]", "elements.AB_L.teeth=[60, 20]", "elements.AB_R.teeth=[60, 20]")
_MESHES = ("GH", "AB_L", "AB_R", "FE_L", "FE_R", "CD_L", "CD_R", "EE")
_LABELS = ("GH", "AB_L", "AB_R")


def _flow(operating: str, *overrides: str) -> Any:
    from gearwright.cases.powerflow import power_flow

    return power_flow(_FILE, None, overrides=[_TRAIN, *overrides, f"operating={operating}"])


# --- steering gear ------------------------------------------------------------------------------------------

_LOCKED = "{fixed: [C_L], speeds: {G: %s}, torques: {A_L: -100 N m, A_R: -200 N m}, reactions: [H]}"


@computes("S3.steer.locked_speed_ratio", "S3.steer.turn_radius_inner_wheel", "S3.steer.turn_radius_centre", "S3.steer.k",
          "S3.steer.locked.planet_speeds", "S3.steer.locked.output_speeds", "S3.steer.rotor_speed")  # fmt: skip
def _kinematics() -> dict[str, Any]:
    locked = _flow(_LOCKED % "1 rad/s")
    inner, outer = locked.speed("BF_L"), locked.speed("BF_R")
    ratio = outer / inner
    # no slip: both wheels roll on circles about one centre, a track of 2 m apart
    radius = 2.0 / (ratio - 1.0)
    free = _flow("{speeds: {BF_L: 0.9 rad/s, BF_R: 1.1 rad/s}, torques: {H: 1 N m}, reactions: [A_L, A_R]}")
    return {
        "S3.steer.locked_speed_ratio": ratio, "S3.steer.turn_radius_inner_wheel": radius,
        "S3.steer.turn_radius_centre": radius + 1.0, "S3.steer.k": (ratio + 1.0) / (ratio - 1.0),
        "S3.steer.locked.planet_speeds": [locked.speed("ED_L"), locked.speed("ED_R")],
        "S3.steer.locked.output_speeds": [inner, outer, locked.speed("C_R")],
        "S3.steer.rotor_speed": free.speed("C_L"),
    }  # fmt: skip


@computes("S3.steer.dof_free", "S3.steer.dof_one_brake_locked", "S3.steer.dof_both_brakes_locked")
def _freedom() -> dict[str, int]:
    from gearwright.assembly import assemble
    from gearwright.drivetrain import expand, load

    drivetrain = load(_FILE, [_TRAIN])
    meshes = [e for e in drivetrain.elements if e.type == "mesh"]
    system = assemble(expand(drivetrain.model_copy(update={"elements": meshes})))
    rows = system.D[system.arrays.hard.astype(int)].toarray()
    locks = np.eye(rows.shape[1])[[system.coordinates.index(f"C_{side}.rotation") for side in "LR"]]
    found = {}
    for locked, name in enumerate(("free", "one_brake_locked", "both_brakes_locked")):
        rank = np.linalg.matrix_rank(np.vstack([rows, locks[:locked]]))
        found[f"S3.steer.dof_{name}"] = rows.shape[1] - int(rank)
    return found


@computes("S3.steer.locked.brake_torque_lossless", "S3.steer.locked.input_torque_lossless",
          "S3.steer.locked.brake_torque_lossy", "S3.steer.locked.input_torque_lossy",
          "S3.steer.locked.efficiency_lossy")  # fmt: skip
def _torques() -> dict[str, float]:
    free, lossy = _flow(_LOCKED % "10 rad/s", _LOSSLESS, *_DIGEST), _flow(_LOCKED % "10 rad/s", *_DIGEST)
    return {
        "S3.steer.locked.brake_torque_lossless": free.torque("C_L"),
        "S3.steer.locked.input_torque_lossless": free.torque("H"),
        "S3.steer.locked.brake_torque_lossy": lossy.torque("C_L"),
        "S3.steer.locked.input_torque_lossy": lossy.torque("H"), "S3.steer.locked.efficiency_lossy": lossy.efficiency,
    }  # fmt: skip


_SLIP = ("{speeds: {G: 10 rad/s, BF_L: 9.5 rad/s}, torques: {H: 20 N m, C_L: -10 N m}, reactions: [A_L, A_R]}",)


@computes("S3.steer.slip.output_torques_lossless", "S3.steer.slip.output_torques_lossy")
def _slipping() -> dict[str, list[float]]:
    flows = [_flow(*_SLIP, *more, *_DIGEST) for more in ((_LOSSLESS,), ())]
    return {
        f"S3.steer.slip.output_torques_{word}": [flow.torque("A_L"), flow.torque("A_R")]
        for word, flow in zip(("lossless", "lossy"), flows, strict=True)
    }


#: all external, bevel 60/20, offset of 0.1 tooth everywhere
_OFFSET = (
    "elements.GH.teeth=[60, 20]", *(f"elements.{m}.loss={{force_pole_offset: 0.1}}" for m in _MESHES),
    *(f"elements.{m}.same_sense=false" for m in _LABELS),
)  # fmt: skip


@computes("S3.steer.bias_ratio_dr0.1")
def _bias() -> float:
    # the limit of no differential speed: the signs of the losses are those of a left side that is slower by 1e-9
    flow = _flow(
        "{speeds: {BF_L: 0.999999999, BF_R: 1.000000001}, torques: {H: -1 N m}, reactions: [A_L, A_R]}", *_OFFSET
    )
    return float(flow.torque("A_L") / flow.torque("A_R"))


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
    from gearwright.cases.run import initial_state, prepare
    from gearwright.drivetrain import load
    from gearwright.solve.explicit import ExplicitEngine

    case = {"name": "loads", "duration": 0.02, "start": "operating",
            "initial": {"G": 10.0, "BF_L": 10.0, "BF_R": 10.0},
            "loads": [{"on": "A_L", "torque": 20.0 * ratio}, {"on": "A_R", "torque": 20.0}, {"on": "H", "torque": -7.0}]}  # fmt: skip
    prepared = prepare(load(_FILE, {_k(o): _v(o) for o in (_TRAIN, *_OFFSET)} | {"cases": [case]}))
    engine = ExplicitEngine()
    state = initial_state(prepared)
    engine.advance(engine.prepare(prepared.system, prepared.system.channels, 2e-3, 1e-6), state, 10)
    left, right = (prepared.system.coordinates.index(f"BF_{side}.rotation") for side in "LR")
    return abs(float(state.v[left] - state.v[right]))


def _k(override: str) -> str:
    return override.partition("=")[0]


def _v(override: str) -> Any:
    import yaml

    return yaml.safe_load(override.partition("=")[2])


def _run(case: str | None, *overrides: str, duration: float | None = None) -> Any:
    import tempfile
    from pathlib import Path

    import gearwright as gw

    with tempfile.TemporaryDirectory() as folder:
        done = gw.simulate(_FILE, case, duration=duration, output=Path(folder) / "run.nc", overrides=list(overrides))
        with gw.Result.open(done.result_file) as result:
            return result.dataset.load()


_BRAKE_CASE = (
    "cases=[{name: brake, duration: 5 s, start: operating, initial: {G: 10, BF_L: 10, BF_R: 10}, record: [shafts, bodies], "
    "output_interval: 1e-4 s, counting_interval: 1e-4 s, loads: [{on: H, torque: -6}, {on: A_L, slope: -0.9}, "
    "{on: A_R, slope: -0.9}], events: [{at: 0 s, set: brake_L.capacity, to: {ramp: {from: 0, to: 20, over: 1 s}}}, "
    "{at: 3 s, set: brake_L.capacity, to: {ramp: {from: 20, to: 0, over: 1 s}}}]}]"
)


@computes("S3.brake.lock_time", "S3.brake.release_time", "S3.brake.rotor_speed_5s")
def _brake() -> dict[str, float]:
    data = _run(
        "brake", _TRAIN, _LOSSLESS, "elements.GH.teeth=[60, 20]", *(f"elements.{m}.same_sense=false" for m in _LABELS),
        *(f"bodies.A_{side}.inertia=5.0 kg m^2" for side in "LR"), _BRAKE_CASE,
    )  # fmt: skip
    t, phase = data["time"].values, np.rint(data["shaft_phase"].sel(shaft="brake_L").values)
    locked = np.flatnonzero(phase == 2.0)
    return {
        "S3.brake.lock_time": float(t[locked[0]]),
        "S3.brake.release_time": float(t[locked[-1]]),
        "S3.brake.rotor_speed_5s": float(data["body_speed"].sel(body="C_L").values[-1]),
    }


# --- engine and tyre ----------------------------------------------------------------------------------------


@computes("S3.engine.A", "S3.engine.zero_torque_speeds", "S3.engine.torque_stall_full_pedal")
def _engine() -> dict[str, Any]:
    from scipy.optimize import brentq

    from gearwright.machines import EngineMap

    data = EngineMap(200.0, 250.0, 300.0)
    bend = data.torque([50.0, 250.0, 450.0], 1.0)
    zeros = [brentq(lambda w: float(data.torque(w, 1.0)), a, b, xtol=1e-13) for a, b in ((-100.0, 0.0), (500.0, 600.0))]
    return {
        "S3.engine.A": float(bend[1] - 0.5 * (bend[0] + bend[2])) / 200.0**2,
        "S3.engine.zero_torque_speeds": zeros,
        "S3.engine.torque_stall_full_pedal": float(data.torque(0.0, 1.0)),
    }


@computes("S3.tyre.k10_corrected", "S3.tyre.k10_printed")
def _tyre() -> dict[str, float]:
    from gearwright.machines import TrackedChassis

    made = {word: TrackedChassis(1000.0, 1000.0, 2.0, 3.0, 0.3, tyre=word) for word in ("corrected", "printed")}
    return {f"S3.tyre.k10_{word}": data.tyre_factor for word, data in made.items()}


# --- vehicle ------------------------------------------------------------------------------------------------


@computes("S3.vehicle.speed_5s", "S3.vehicle.lock_time", "S3.vehicle.brake_torque_after_lock", "S3.vehicle.position_10s",
          "S3.vehicle.heading_10s", "S3.vehicle.locked_wheel_speed_ratio")  # fmt: skip
def _reference() -> dict[str, Any]:
    fine = [f"cases.reference.{key}_interval=2e-4 s" for key in ("output", "counting")]
    data = _run("reference", *fine, duration=10.0)
    t = data["time"].values

    def machine(quantity: str) -> Any:
        return np.asarray(data[f"machine_{quantity}"].sel(machine="vehicle").values, float)

    lock = int(np.argmax(data["shaft_phase"].sel(shaft="brake_R").values == 2.0))
    wheel = {side: np.asarray(data["body_speed"].sel(body=f"A_{side}").values, float) for side in "LR"}
    return {
        "S3.vehicle.speed_5s": float(np.interp(5.0, t, machine("forward_speed"))), "S3.vehicle.lock_time": float(t[lock]),
        "S3.vehicle.brake_torque_after_lock": float(abs(data["shaft_torque"].sel(shaft="brake_R").values[lock])),
        "S3.vehicle.position_10s": [float(machine("position_x")[-1]), float(machine("position_y")[-1])],
        "S3.vehicle.heading_10s": float(machine("heading")[-1]),
        "S3.vehicle.locked_wheel_speed_ratio": float(wheel["L"][-1] / wheel["R"][-1]),
    }  # fmt: skip


@literature("S3.vehicle.no_slip_radius_limit", 4.0625, "m", "S3 digest sect. 10.6: limit of the steady circle without slip",
            abs=1e-3, note="radius of the driven axle's centre, right brake locked, no front side force, overall ratio 16, pedal "
            "0.05, steady circles at peak friction 100 and 1000 extrapolated in its inverse. The digest's 4.214 and 4.077 m at "
            "friction 10 and 100 are those of the speed reached after 60 s, before the steady one (4.253, 4.081)")  # fmt: skip
def _circle() -> float:
    soft, hard = circle(100.0), circle(1000.0)
    return hard + (hard - soft) / 9.0


def circle(friction: float) -> float:
    """Radius [m] of the driven axle's centre on the steady circle with the right brake locked and no front side force."""
    import ctypes

    from scipy.optimize import brentq, root

    from gearwright.machines import EngineMap, TrackedChassis, vehicle

    data = TrackedChassis(1000.0, 1000.0, 2.0, 3.0, 0.3, friction=friction, rear_share=0.75, rolling=0.02, drag=0.5)
    law, engine = vehicle(data), EngineMap(200.0, 250.0, 300.0)
    pointer = ctypes.POINTER(ctypes.c_double)
    ratio, total = 81.0 / 49.0, 16.0
    mean = 0.5 * (1.0 + ratio)  # speed of the carrier over that of the slower output

    def forces(dv: Any) -> Any:
        f, zd = np.zeros(12), np.zeros(6)
        speeds = np.zeros(12)
        speeds[:5] = dv
        arrays = [np.zeros(12), speeds, np.array(law.parameters), np.zeros(6), np.zeros(1)]
        law.force.ctypes(
            0.0, *(x.ctypes.data_as(pointer) for x in arrays), 0, *(x.ctypes.data_as(pointer) for x in (f, zd))
        )
        return f[:5]

    def steady(forward: float) -> tuple[Any, float]:
        """Steady circle at a forward speed [m/s]: unknowns, and what the engine lacks to hold it [W]."""

        def state(x: Any) -> Any:
            slow = (forward - x[0]) * (1.0 + x[2]) / data.wheel_radius
            return np.array([ratio * slow, slow, forward, 1.5 * x[0] + x[1], x[0]])

        find: Any = root
        found = find(
            lambda x: forces(state(x))[2:] / 1e3, [forward / 4.2, 0.0, 0.0], method="lm", options={"xtol": 1e-13}
        )
        dv = state(found.x)
        if np.abs(forces(dv)[2:]).max() > 1e-3:
            raise RuntimeError(f"no steady circle at {forward:g} m/s and friction {friction:g}: {found.message}")
        speed = total * mean * dv[1]
        power = float(engine.torque(speed, 0.05)) * speed
        return found.x, float(forces(dv)[:2] @ dv[:2] - power)

    speed = brentq(lambda v: steady(v)[1], 1.0, 11.0, xtol=1e-9)
    yaw, lateral, _ = steady(speed)[0]
    return float(math.hypot(speed, lateral) / abs(yaw))


#: overall ratio, pedal, brake [N m], distances of Simple and Slow from Reference [m]
_SETTINGS = (
    (1.0, 1.0, 600.0, 0.57, 7.25), (4.0, 0.8, 400.0, 1.16, 14.72), (9.0, 0.4, 400.0, 5.33, 15.24),
    (16.0, 0.2, 300.0, 2.65, 13.17),
)  # fmt: skip


@cache
def distances(ratio: float, pedal: float, brake: float) -> tuple[float, float]:
    """Distances [m] of cases Simple and Slow from Reference 5 s after the brake begins to act at 5 m/s."""
    teeth = round(20 * math.sqrt(ratio))
    shared = (
        f"elements.GH.teeth=[{teeth}, 20]", f"elements.AB_L.teeth=[{teeth}, 20]", f"elements.AB_R.teeth=[{teeth}, 20]",
        f"machines.engine.pedal={pedal}", "cases.reference.initial={vehicle.speed: 5 m/s}",
        "cases.reference.output_interval=1e-4 s", "cases.reference.counting_interval=1e-4 s",
    )  # fmt: skip
    ends = []
    for case, over in (("reference", 1.0), ("simple", 1.0), ("slow", 5.0)):
        events = f"[{{at: 0 s, set: brake_R.capacity, to: {{ramp: {{from: 0, to: {brake}, over: {over} s}}}}}}]"
        named = "slow" if case == "slow" else "reference"
        data = _run(case, *shared, f"cases.{named}.events={events}", duration=5.0)
        ends.append([float(data[f"machine_position_{a}"].sel(machine="vehicle").values[-1]) for a in "xy"])
    return math.dist(ends[1], ends[0]), math.dist(ends[2], ends[0])


@computes("S3.vehicle.order_of_effects")
def _order() -> str:
    pairs = [distances(*setting[:3]) for setting in _SETTINGS]
    return "Simple < Slow" if all(simple < slow for simple, slow in pairs) else f"not in all settings: {pairs}"


@literature("S3.vehicle.distances", [x for s in _SETTINGS for x in s[3:]], "m", "S3 digest sect. 10.6, simulation", rel=1e-2,
            note="Simple and Slow from Reference 5 s after the brake at 5 m/s, for overall ratios 1, 4, 9, 16")  # fmt: skip
def _distances() -> list[float]:
    return [x for s in _SETTINGS for x in distances(*s[:3])]
