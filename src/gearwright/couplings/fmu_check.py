"""Does an exported FMU do what the drivetrain does? Validation and a run under fmpy, compared with a native run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.controllers.fmu_import import Fmu, fmpy_module

from .plant import Stepper, is_linear, make_plant

#: differences are relative to the largest value of a channel; channels of less than this part of their kind's largest
#: value are round-off and compared on that scale
FLOOR = 1e-6


@dataclass(frozen=True)
class Difference:
    """Largest difference between unit and native run, relative to the channel's largest value, and the channel."""

    difference: float
    channel: str


@dataclass(frozen=True)
class Check:
    """What a check found: problems of validation, the native method, the largest difference of all channels and by kind of channel."""

    file: str
    problems: list[str]
    native_method: str
    duration_s: float
    step_s: float
    largest_difference: float
    by_kind: dict[str, Difference]


def check_fmu(
    path: Path,
    drivetrain: Any,
    *,
    fidelity: str | None = None,
    law: str | None = None,
    rotor: str = "torque",
    generator: str = "torque",
    step: float = 0.01,
    duration: float = 2.0,
    tolerance: float = 1e-6,
    method: str | None = None,
    overrides: Any = (),
) -> Check:
    """Validate an FMU, run it under fmpy with torques that step and swing, and compare with the native engine.

    Accelerations are left out: their value at a jump of a torque is a matter of side.
    """
    fmpy = fmpy_module()
    from fmpy.validation import validate_fmu

    problems = list(validate_fmu(str(path)))
    plant = make_plant(drivetrain, fidelity, law, rotor=rotor, generator=generator, overrides=overrides)
    steps = round(duration / step)
    inputs = profile([p.start for p in plant.ports], rotor, steps, step)
    if method is None and not is_linear(plant.system):
        method = "explicit"  # the engine that was exported
    native = Stepper(plant, step, tolerance, method=method)
    wanted = np.array([native.step(row) for row in inputs])
    names: dict[str, int] = {}
    for i, c in enumerate(plant.system.channels):
        if c.quantity not in ("acceleration", "acceleration_y", "acceleration_z", "acceleration_x"):
            names.setdefault(f"{c.element}.{c.quantity}", i)
    had = run_fmu(fmpy, path, [p.name for p in plant.ports], inputs, step, list(names))
    found: dict[str, Difference] = {}
    kinds: dict[tuple[str, str], float] = {}
    for i in names.values():
        c = plant.system.channels[i]
        key = (c.kind, c.unit)
        kinds[key] = max(kinds.get(key, 0.0), float(np.abs(wanted[:, i]).max()))
    for column, (name, i) in enumerate(names.items()):
        c = plant.system.channels[i]
        scale = max(float(np.abs(wanted[:, i]).max()), FLOOR * kinds[c.kind, c.unit], 1e-30)
        error = float(np.abs(had[:, column] - wanted[:, i]).max()) / scale
        if c.kind not in found or error > found[c.kind].difference:
            found[c.kind] = Difference(error, name)
    largest = max(f.difference for f in found.values())
    return Check(str(path), problems, native.engine.name, duration, step, largest, found)


def profile(start: list[float], rotor: str, steps: int, step: float) -> np.ndarray:
    """Inputs over time: the generator torque (or the voltage) steps to 70 % at a third and back at two thirds, the rotor swings
    at 1 Hz."""
    t = step * np.arange(steps)
    made = np.tile(np.array(start, float), (steps, 1))
    made[:, 0] *= 1.0 + (0.1 if rotor == "torque" else 1e-3) * np.sin(2.0 * np.pi * t)
    made[steps // 3 : 2 * steps // 3, 1] *= 0.7
    return made


def run_fmu(fmpy: Any, path: Path, ports: list[str], inputs: np.ndarray, step: float, outputs: list[str]) -> np.ndarray:
    """Run an FMU step by step with inputs held over each step; outputs at the ends of the steps."""
    with Fmu(path) as unit:
        unit.start(dict(zip(ports, inputs[0], strict=True)))
        made = []
        for row in inputs:
            unit.step(step, dict(zip(ports, row, strict=True)))
            made.append(unit.get(outputs))
    return np.array(made)
