"""Stops, backlash and drivetrain damper: TURBINE.stop_*, TURBINE.backlash, TURBINE.damper_* of the page on machines and faults.

Its figures come from another program (a chain of masses solved exactly, brake and machine by Runge-Kutta) on the same data.
"""

from __future__ import annotations

import math
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

import gearwright as gw
from gearwright.schema.places import JSON, groups

from .registry import computes, computes_each
from .shared import coupled, on_source

#: rated torque of the machine [N m] and ratio of nrel-5mw-gallego; rotor of the page: inertia, edgewise mode
_TORQUE, _RATIO = 43_093.55, 97.014
_ROTOR, _FLEXIBLE, _EDGE = 38.68e6, 3.341e7, 1.6075e9
#: what happens comes after this time [s]
_AT = 1.0


def _train(masses: int, rise: float, delay: float, duration: float) -> gw.Drivetrain:
    """The high-speed gearbox: aerodynamic torque falls to zero in 4 s, the machine's at once, then the brake.

    Of three masses the first are the blades, on a spring of their edgewise mode.
    """
    raw = gw.load("nrel-5mw-gallego-source").raw
    on, bodies, shafts = "rotor", groups(raw["bodies"]), groups(raw["shafts"])
    bodies[0] = bodies[0] | {"inertia": _ROTOR}
    if masses == 3:
        on = "blades"
        bodies = [bodies[0] | {"inertia": _ROTOR - _FLEXIBLE}, *bodies[1:], {"name": on, "inertia": _FLEXIBLE}]
        damping = {"value": 2.0 * 0.00477 * math.sqrt(_EDGE * _FLEXIBLE)}
        shafts.append({"name": "edge", "between": [on, "rotor"], "torsional_stiffness": _EDGE, "damping": damping})
    shaft = _TORQUE * _RATIO
    capacity = {"torque": 8.6e6 / _RATIO, **({"rise": rise} if rise else {})}
    brake: dict[str, JSON] = {
        "name": "brake",
        "type": "brake",
        "between": ["generator", "housing"],
        "capacity": capacity,
        "engaged": False,
    }
    wind = [[0.0, shaft], [_AT, shaft], [_AT + 4.0, 0.0]]
    machine = [[0.0, -_TORQUE], [_AT, -_TORQUE], [_AT, 0.0]]
    case: dict[str, JSON] = {"name": "stop", "duration": duration, "record": ["shafts", "bodies"]}
    case |= {"counting_interval": 1e-3, "output_interval": 1e-3}
    case["loads"] = [{"on": on, "torque": {"table": wind}}, {"on": "generator", "torque": {"table": machine}}]
    case["events"] = [{"at": _AT + delay, "set": "brake.engaged", "to": True}]
    operating: dict[str, JSON] = {"input": "rotor", "output": "generator", "speed": "12.1 rpm", "torque": shaft}
    changed: dict[str, JSON] = {
        "bodies": bodies,
        "shafts": shafts,
        "elements": [brake],
        "operating": operating,
        "cases": [case],
    }
    return gw.load({**raw, **changed})


@cache
def _stop(masses: int = 3, rise: float = 0.6, delay: float = 0.0, duration: float = 4.0) -> tuple[float, float, float]:
    """Largest and least torque of the main shaft over rated, and time to standstill of the machine [s]."""
    with tempfile.TemporaryDirectory() as folder:
        made = _train(masses, rise, delay, duration)
        run = gw.simulate(made, "stop", fidelity="torsional", output=Path(folder) / "stop.nc")
        with gw.Result.open(run.result_file) as result:
            speed = np.asarray(result.series("generator", "speed").values)
            moving = np.flatnonzero(np.abs(speed) > 1.0)
            still = float(result.time[moving[-1]]) - _AT
    torque = run.channels["main.torque"]
    return torque["max"] / (_TORQUE * _RATIO), torque["min"] / (_TORQUE * _RATIO), still


@computes("TURBINE.stop_three_masses")
def _three() -> list[float]:
    return list(_stop(duration=10.0))


@computes("TURBINE.stop_two_masses")
def _two() -> list[float]:
    return [_stop(2)[0], _stop(2, 0.0)[0]]


@computes("TURBINE.stop_rise")
def _rises() -> list[float]:
    return [_stop(rise=rise)[0] for rise in (0.1, 0.3, 1.0, 2.0)]


@computes("TURBINE.stop_delay")
def _delays() -> list[float]:
    return [_stop(rise=0.0, delay=delay)[0] for delay in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)]


@computes("TURBINE.backlash")
def _backlash() -> list[float]:
    return [x for gap in (0.0, 0.5, 1.0) for x in _reversal(gap)]


def _reversal(gap: float) -> list[float]:
    """Least torque of the main shaft [MN m] and coast forces of three meshes after a loss of the grid; ``gap`` [mm]."""
    meshes = ("stage1.meshes.sun_planet", "stage1.meshes.ring_planet", "stage2.mesh", "stage3.mesh")
    event = "{at: 30 s, type: grid_loss, pitch_delay: 0.2 s, pitch_rate: 8 deg/s}"
    case = {"wind.mean": "11.4 m/s", "discard": "0 s", "counting_interval": "0.2 ms", "events": f"[{event}]"}
    overrides = [f"cases.normal.{key}={value}" for key, value in case.items()]
    overrides += [f"stages.{m}.damping={{stiffness_proportional: 4e-5 s}}" for m in meshes]
    overrides += [f"stages.{m}.backlash={gap} mm" for m in meshes if gap]
    with tempfile.TemporaryDirectory() as folder:
        made, file = on_source("nrel-5mw", overrides), Path(folder) / "loss.nc"
        run = gw.simulate(made, "normal", fidelity="torsional", duration=35.0, output=file)
        found = [run.channels["main.torque"]["min"] / 1e6]
        with gw.Result.open(run.result_file) as result:
            for name in ("stage1.sun_planet1", "stage2.mesh", "stage3.mesh"):
                start = float(result.series(name, "force").values[0])
                channel = run.channels[f"{name}.force"]
                found.append(-min(channel["min"] / start, channel["max"] / start))
    return found


@cache
def _band(wind: float, gain: float) -> float:
    """Rms of the main shaft's torque between 1.3 and 2.2 Hz [kN m], 300 s and three seeds, medium-speed set-up."""
    power = []
    for seed in (1, 2, 3):
        gains = [f"turbine.controller.damper_gain={gain}"]
        loop = coupled("nrel-5mw-medium-speed", wind, seed, 360.0, ("main.torque",), gains)
        block, _ = loop.advance(round(360.0 / loop.step))
        torque = block.lines[block.time > 60.0, 0][::10] / 1e3
        amplitude = np.abs(np.fft.rfft(torque)) / len(torque)
        frequency = np.fft.rfftfreq(len(torque), 0.01)
        power.append(2.0 * np.sum(amplitude[(frequency >= 1.3) & (frequency <= 2.2)] ** 2))
    return float(np.sqrt(np.mean(power)))


@computes_each("TURBINE.damper_*")
def _damper(wind: str) -> list[float]:
    return [_band(float(wind), 0.0), _band(float(wind), 2000.0)]
