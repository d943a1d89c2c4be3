"""A turbine fitted to its drivetrain and machine: ratio, controller, a rotor by table, a speed that the grid holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from gearwright.errors import DrivetrainError, listed
from gearwright.machines import Dfig, Induction, Pmsg
from gearwright.schema.setup import CONTROLLER_KEYS, Rotor, TurbineController
from gearwright.turbine import Turbine, bem
from gearwright.turbine.model import Controller
from gearwright.turbine.table import TableError, read_rosco


def by_table(turbine: Turbine, rotor: Rotor, resolve: Callable[[str], Path]) -> Turbine:
    """The turbine with its rotor as a table where ``rotor.table`` asks for one: ``true`` (made of its blade elements) or a
    performance file of ROSCO. Raises DrivetrainError for a file that is none, and options that a table does not have."""
    wanted = rotor.table
    if wanted is True:
        turbine = replace(turbine, performance=turbine.performance or bem.table_of(turbine))
    elif wanted:
        try:
            turbine = replace(turbine, performance=read_rosco(resolve(wanted)))
        except TableError as error:
            raise DrivetrainError(f"turbine.rotor.table: {error}") from None
    if turbine.performance is not None and rotor.dynamic_stall:
        raise DrivetrainError("turbine.rotor.dynamic_stall needs blade elements; a table is a steady rotor")
    return turbine


def held_torque(data: Dfig | Pmsg | Induction | None) -> Callable[[float], float] | None:
    """Steady torque [N m] over speed [rad/s] of a machine that holds the speed of its turbine; None for the others."""
    if not isinstance(data, Induction):
        return None
    return lambda speed: float(data.torque(1.0 - data.pole_pairs * speed / data.speed))


def fitted(
    turbine: Turbine, ratio: float, control: TurbineController, data: Dfig | Pmsg | Induction | None, notes: list[str]
) -> Turbine:
    """The turbine with the ratio of the drivetrain and a controller that fits it."""
    kind = control.type or ("fixed-speed" if turbine.controller.fixed_speed else "reference")
    if strange := sorted(control.model_fields_set - {"type"} - CONTROLLER_KEYS[kind]):
        known = listed(sorted(CONTROLLER_KEYS[kind]), 20)
        raise DrivetrainError(f"turbine.controller of type {kind} knows no '{strange[0]}'; it knows {known}")
    c: Controller = turbine.controller
    power = control.rated_power
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
    c = replace(
        c,
        damper_gain=c.damper_gain if control.damper_gain is None else control.damper_gain,
        damper_frequency=c.damper_frequency
        if control.damper_frequency is None
        else 2.0 * math.pi * control.damper_frequency,
        constant_torque=c.constant_torque if control.constant_torque is None else control.constant_torque,
        second_order_pitch=control.second_order_pitch or c.second_order_pitch,
    )
    if c.damper_gain and not c.damper_frequency:
        raise DrivetrainError("turbine.controller.damper_gain needs damper_frequency, that of the free-free mode")
    return replace(turbine, gear_ratio=ratio, controller=c)


def _held(turbine: Turbine, control: TurbineController, data: Induction) -> Controller:
    """What is left of the controller where an induction machine holds the speed: its speeds are the machine's."""
    c = turbine.controller
    power = control.rated_power or c.rated_power
    synchronous = data.speed / data.pole_pairs
    speed = synchronous
    for _ in range(8):  # the speed at which the machine takes the rated power
        try:
            speed = (1.0 - data.slip_at(power / speed)) * synchronous
        except ValueError as error:
            raise DrivetrainError(
                f"the machine cannot hold the turbine's rated {power / 1e6:.4g} MW: {error}"
            ) from None
    largest = c.maximum_pitch if control.largest_pitch is None else control.largest_pitch
    return Controller.held_by_the_grid(
        synchronous, speed, power, pitch=c.minimum_pitch, largest_pitch=largest, pitch_rate=c.pitch_rate
    )
