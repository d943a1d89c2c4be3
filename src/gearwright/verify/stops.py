"""Stops, backlash and drivetrain damper: TURBINE.stop_*, TURBINE.backlash, TURBINE.damper_* of the page on machines and faults.

Its figures come from another program (a chain of masses solved exactly, brake and machine by Runge-Kutta) on the same data.
"""

from __future__ import annotations

import copy
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .framework import REGISTRY

literature = REGISTRY.literature

_SOURCE = "machines and faults, section"
#: rated torque of the machine [N m] and ratio of nrel-5mw-gallego; rotor of the page: inertia, edgewise mode
_TORQUE, _RATIO = 43_093.55, 97.014
_ROTOR, _FLEXIBLE, _EDGE = 38.68e6, 3.341e7, 1.6075e9
#: what happens comes after this time [s]
_AT = 1.0


def _train(masses: int, rise: float, delay: float, duration: float) -> dict[str, Any]:
    """The high-speed gearbox as a file: aerodynamic torque falls to zero in 4 s, the machine's at once, then the brake."""
    import gearwright as gw

    raw: dict[str, Any] = copy.deepcopy(gw.load("nrel-5mw-gallego").raw)
    on = "rotor"
    raw["bodies"][0]["inertia"] = _ROTOR
    if masses == 3:
        on = "blades"
        raw["bodies"][0]["inertia"] = _ROTOR - _FLEXIBLE
        raw["bodies"].append({"name": on, "inertia": _FLEXIBLE})
        damper = 2.0 * 0.00477 * math.sqrt(_EDGE * _FLEXIBLE)
        raw["shafts"].append({"name": "edge", "between": [on, "rotor"], "torsional_stiffness": _EDGE, "damping": {"value": damper}})  # fmt: skip
    shaft = _TORQUE * _RATIO
    capacity = {"torque": 8.6e6 / _RATIO, **({"rise": rise} if rise else {})}
    raw["elements"] = [
        {"name": "brake", "type": "brake", "between": ["generator", "housing"], "capacity": capacity, "engaged": False}
    ]
    loads = [
        {"on": on, "torque": {"table": [[0.0, shaft], [_AT, shaft], [_AT + 4.0, 0.0]]}},
        {"on": "generator", "torque": {"table": [[0.0, -_TORQUE], [_AT, -_TORQUE], [_AT, 0.0]]}},
    ]
    raw["operating"] = {"input": "rotor", "output": "generator", "speed": "12.1 rpm", "torque": shaft}
    raw["cases"] = [{
        "name": "stop", "duration": duration, "loads": loads, "record": ["shafts", "bodies"], "counting_interval": 1e-3,
        "output_interval": 1e-3, "events": [{"at": _AT + delay, "set": "brake.engaged", "to": True}],
    }]  # fmt: skip
    return raw


@cache
def _stop(masses: int = 3, rise: float = 0.6, delay: float = 0.0, duration: float = 4.0) -> tuple[float, float, float]:
    """Largest and least torque of the main shaft over rated, and time to standstill of the machine [s]."""
    import tempfile

    import gearwright as gw
    from gearwright.results import Result

    with tempfile.TemporaryDirectory() as folder:
        made = gw.load(_train(masses, rise, delay, duration))
        run = gw.simulate(made, "stop", fidelity="torsional", output=Path(folder) / "stop.nc")
        with Result.open(run.result_file) as result:
            speed = np.asarray(result.series("generator", "speed").values)
            moving = np.flatnonzero(np.abs(speed) > 1.0)
            still = float(result.time[moving[-1]]) - _AT
    torque = run.channels["main.torque"]
    return torque["max"] / (_TORQUE * _RATIO), torque["min"] / (_TORQUE * _RATIO), still


@literature("TURBINE.stop_three_masses", [2.59, -1.76, 7.68], "rated, rated, s", f"{_SOURCE} 4", rel=0.01,
            note="emergency stop by a brake that sticks, rise 0.6 s: shaft maximum, rebound after standstill, time to it")  # fmt: skip
def _three() -> list[float]:
    return list(_stop(duration=10.0))


@literature("TURBINE.stop_two_masses", [2.26, 2.74], "rated", f"{_SOURCE} 4", rel=0.01,
            note="shaft maximum with rigid blades, rise 0.6 s and none")  # fmt: skip
def _two() -> list[float]:
    return [_stop(2)[0], _stop(2, 0.0)[0]]


@literature("TURBINE.stop_rise", [2.76, 3.11, 2.60, 2.23], "rated", f"{_SOURCE} 4", rel=0.01,
            note="shaft maximum over the rise of the brake: 0.1, 0.3, 1, 2 s")  # fmt: skip
def _rises() -> list[float]:
    return [_stop(rise=rise)[0] for rise in (0.1, 0.3, 1.0, 2.0)]


@literature("TURBINE.stop_delay", [3.27, 3.90, 3.95, 3.58, 3.06, 2.67], "rated", f"{_SOURCE} 4", rel=0.01,
            note="shaft maximum when a brake without rise bites later: 0.1 ... 0.6 s; half a period of the mode is the worst")  # fmt: skip
def _delays() -> list[float]:
    return [_stop(rise=0.0, delay=delay)[0] for delay in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)]


@literature("TURBINE.backlash", [-2.25, 0.59, 0.58, 0.56, -2.38, 0.63, 0.61, 1.10, -2.50, 0.65, 0.77, 1.61], "MN m, at start",
            f"{_SOURCE} 4", rel=0.15, note="grid loss at 11.4 m/s in turbulence (other seeds): shaft minimum, force on the coast "
            "flanks of sun, second and third stage over the force at start; backlash 0, 0.5, 1 mm")  # fmt: skip
def _backlash() -> list[float]:
    return [x for gap in (0.0, 0.5, 1.0) for x in _reversal(gap)]


def _reversal(gap: float) -> list[float]:
    """Least torque of the main shaft [MN m] and coast forces of three meshes after a loss of the grid; ``gap`` [mm]."""
    import tempfile

    import gearwright as gw
    from gearwright.results import Result

    meshes = ("stage1.meshes.sun_planet", "stage1.meshes.ring_planet", "stage2.mesh", "stage3.mesh")
    overrides = ["cases.normal.wind.mean=11.4 m/s", "cases.normal.discard=0 s", "cases.normal.counting_interval=0.2 ms",
                 "cases.normal.events=[{at: 30 s, type: grid_loss, pitch_delay: 0.2 s, pitch_rate: 8 deg/s}]",
                 *(f"stages.{m}.damping={{stiffness_proportional: 4e-5 s}}" for m in meshes)]  # fmt: skip
    if gap:
        overrides += [f"stages.{m}.backlash={gap} mm" for m in meshes]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        run = gw.simulate(gw.load("nrel-5mw", overrides), "normal", fidelity="torsional", duration=35.0,
                          output=Path(folder) / "loss.nc")  # fmt: skip
        found.append(run.channels["main.torque"]["min"] / 1e6)
        with Result.open(run.result_file) as result:
            for name in ("stage1.sun_planet1", "stage2.mesh", "stage3.mesh"):
                start = float(result.series(name, "normal_force").values[0])
                channel = run.channels[f"{name}.normal_force"]
                found.append(-min(channel["min"] / start, channel["max"] / start))
    return found


@cache
def _band(wind: float, gain: float) -> float:
    """Rms of the main shaft's torque between 1.3 and 2.2 Hz [kN m], 300 s and three seeds, medium-speed set-up."""
    import gearwright as gw
    from gearwright.cases.setup import prepare_setup
    from gearwright.cases.turbine_run import CoupledRun

    power = []
    for seed in (1, 2, 3):
        drivetrain = gw.load("nrel-5mw-medium-speed", [f"turbine.controller.damper_gain={gain}",
                             f"cases.normal.wind.mean={wind} m/s", f"cases.normal.wind.seed={seed}"])  # fmt: skip
        setup = prepare_setup(drivetrain, "normal", fidelity="torsional", law="linear", duration=360.0)
        loop = CoupledRun(setup, 1e-3, tuple(c for c in setup.system.channels if c.name == "main.torque"))
        block, _ = loop.advance(round(360.0 / loop.step))
        torque = block.lines[block.time > 60.0, 0][::10] / 1e3
        amplitude = np.abs(np.fft.rfft(torque)) / len(torque)
        frequency = np.fft.rfftfreq(len(torque), 0.01)
        power.append(2.0 * np.sum(amplitude[(frequency >= 1.3) & (frequency <= 2.2)] ** 2))
    return float(np.sqrt(np.mean(power)))


def _dampers() -> None:
    for wind, values in {11.4: (126.0, 79.0), 18.0: (197.0, 134.0), 25.0: (316.0, 212.0)}.items():
        literature(f"TURBINE.damper_{wind:g}", list(values), "kN m", f"{_SOURCE} 3", rel=0.15,
                   note="shaft torque between 1.3 and 2.2 Hz without and with a damper of 2000 N m s/rad; other seeds")(
            lambda v=wind: [_band(v, 0.0), _band(v, 2000.0)]  # type: ignore[misc]
        )  # fmt: skip


_dampers()
