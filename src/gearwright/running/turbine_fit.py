"""A turbine fitted to its drivetrain and machine: ratio, controller, a rotor by table, a speed that the grid holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gearwright.errors import DrivetrainError
from gearwright.machines import Dfig, Induction, Pmsg
from gearwright.schema.setup import CONTROLLER_KEYS
from gearwright.turbine import Turbine, bem
from gearwright.turbine.model import Controller
from gearwright.turbine.table import TableError, read_rosco

from .grid import number_of, refuse_unknown

#: controllers of a set-up
CONTROLLERS = tuple(CONTROLLER_KEYS)


def by_table(turbine: Turbine, options: Mapping[str, Any], resolve: Callable[[str], Path]) -> Turbine:
    """The turbine with its rotor as a table where ``rotor.table`` asks for one: ``true`` (made of its blade elements) or a
    performance file of ROSCO. Raises DrivetrainError for a file that is none, and options that a table does not have."""
    wanted = options.get("table", False)
    if wanted is True:
        turbine = replace(turbine, performance=turbine.performance or bem.table_of(turbine))
    elif wanted:
        try:
            turbine = replace(turbine, performance=read_rosco(resolve(str(wanted))))
        except TableError as error:
            raise DrivetrainError(f"turbine.rotor.table: {error}") from None
    if turbine.performance is not None and options.get("dynamic_stall"):
        raise DrivetrainError("turbine.rotor.dynamic_stall needs blade elements; a table is a steady rotor")
    return turbine


def held_torque(data: Dfig | Pmsg | Induction | None) -> Callable[[float], float] | None:
    """Steady torque [N m] over speed [rad/s] of a machine that holds the speed of its turbine; None for the others."""
    if not isinstance(data, Induction):
        return None
    return lambda speed: float(data.torque(1.0 - data.pole_pairs * speed / data.speed))


def fitted(turbine: Turbine, ratio: float, facts: Mapping[str, Any], data: Dfig | Pmsg | Induction | None,
         notes: list[str]) -> Turbine:  # fmt: skip
    """The turbine with the ratio of the drivetrain and a controller that fits it."""
    control = dict(facts.get("controller") or {})
    kind = control.get("type", "fixed-speed" if turbine.controller.fixed_speed else "reference")
    if kind not in CONTROLLERS:
        raise DrivetrainError(f"turbine.controller.type: '{kind}' is not known; there are {', '.join(CONTROLLERS)}")
    refuse_unknown(control, {"type", *CONTROLLER_KEYS[kind]}, f"turbine.controller of type {kind}")
    c: Controller = turbine.controller
    where = f"turbine.controller of type {kind}"
    power = None if "rated_power" not in control else number_of(control, "rated_power", 0.0, where, above=True)
    if (kind == "fixed-speed") != isinstance(data, Induction):
        raise DrivetrainError(
            f"turbine.controller of type {kind} does not go with this machine: a fixed-speed turbine has an induction machine "
            f"on the grid, and an induction machine takes no torque reference (machines: type induction with "
            f"turbine.controller: {{type: fixed-speed}})"
        )
    if isinstance(data, Induction):
        return replace(turbine, gear_ratio=ratio, controller=_held(turbine, control, data))
    factor = ratio / turbine.gear_ratio
    if abs(factor - 1.0) > 0.01 or power is not None:
        c = c.referred(factor if abs(factor - 1.0) > 0.01 else 1.0, power)
        if kind == "reference":
            notes.append(
                f"the controller is referred to the ratio {ratio:.5g} and {c.rated_power / 1e6:.5g} MW mechanical"
            )
    if "ratio" in control:
        number_of(control, "ratio", 0.0, where, above=True)
    changes: dict[str, Any] = {}
    if "damper_gain" in control:
        changes["damper_gain"] = number_of(control, "damper_gain", 0.0, where)
    if "damper_frequency" in control:
        changes["damper_frequency"] = 2.0 * math.pi * number_of(control, "damper_frequency", 0.0, where, above=True)
    if "constant_torque" in control:
        if not isinstance(control["constant_torque"], bool):
            raise DrivetrainError(f"{where}: constant_torque is true or false, not '{control['constant_torque']}'")
        changes["constant_torque"] = control["constant_torque"]
    if "second_order_pitch" in control:
        try:
            frequency, damping = (float(x) for x in control["second_order_pitch"])
        except (TypeError, ValueError):
            frequency, damping = math.nan, math.nan
        if not (0.0 < frequency < math.inf and 0.0 < damping < math.inf):
            raise DrivetrainError(
                f"{where}: second_order_pitch is [frequency in rad/s, damping ratio], not {control['second_order_pitch']}"
            )
        changes["second_order_pitch"] = (frequency, damping)
    c = replace(c, **changes)
    if c.damper_gain and not c.damper_frequency:
        raise DrivetrainError("turbine.controller.damper_gain needs damper_frequency, that of the free-free mode")
    return replace(turbine, gear_ratio=ratio, controller=c)


def _held(turbine: Turbine, control: Mapping[str, Any], data: Induction) -> Controller:
    """What is left of the controller where an induction machine holds the speed: its speeds are the machine's."""
    c = turbine.controller
    power = number_of(control, "rated_power", c.rated_power, "turbine.controller of type fixed-speed", above=True)
    synchronous = data.speed / data.pole_pairs
    speed = synchronous
    for _ in range(8):  # the speed at which the machine takes the rated power
        try:
            speed = (1.0 - data.slip_at(power / speed)) * synchronous
        except ValueError as error:
            raise DrivetrainError(
                f"the machine cannot hold the turbine's rated {power / 1e6:.4g} MW: {error}"
            ) from None
    largest = float(control["largest_pitch"]) if "largest_pitch" in control else c.maximum_pitch
    return Controller.held_by_the_grid(synchronous, speed, power, pitch=c.minimum_pitch, largest_pitch=largest,
                                       pitch_rate=c.pitch_rate)  # fmt: skip


__all__ = ["CONTROLLERS", "by_table", "fitted", "held_torque"]
