"""Engines and vehicles of a file: laws on their bodies, motions of the chassis, channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gearwright.machines.engine import EngineMap, engine
from gearwright.machines.vehicle import TrackedChassis, vehicle
from gearwright.schema.machines import ChassisParameters, EngineParameters
from gearwright.system import Row, Source, constant
from gearwright.train.train import Machine

from .motion import AssemblyError

if TYPE_CHECKING:
    from .work import Assembly

_RIGHT = "y to the right, z down: positive yaw turns to the right"
#: What the law reports: quantity -> unit, sign.
_REPORTS = {
    "drive_force_left": ("N", "of the ground on the wheel, positive forward"),
    "drive_force_right": ("N", "of the ground on the wheel, positive forward"),
    "side_force_left": ("N", "of the ground on the wheel, positive to the right"),
    "side_force_right": ("N", "of the ground on the wheel, positive to the right"),
    "slip_left": ("1", "magnitude of the slip of the tyre, referred to the speed of its hub"),
    "slip_right": ("1", "magnitude of the slip of the tyre, referred to the speed of its hub"),
    "curvature": ("1/m", "yaw rate over forward speed, positive to the right; zero at rest"),
}
_MOTIONS = {"forward": ("forward_speed", "m/s"), "lateral": ("lateral_speed", "m/s"), "yaw": ("yaw_rate", "rad/s")}
_STATES = {"position_x": "m", "position_y": "m", "heading": "rad"}
VEHICLE = "tracked_chassis"


def is_vehicle(machine: Machine) -> bool:
    """Whether a machine is a vehicle: its chassis has motions of its own, and loads on its wheels come on top."""
    return machine.type == VEHICLE


def add_engine(work: Assembly, machine: Machine) -> None:
    """Add an engine map on its body. Raises AssemblyError for facts that do not fit."""
    assert isinstance(machine.parameters, EngineParameters)
    try:
        data = EngineMap.of(machine.parameters)
    except ValueError as error:
        raise AssemblyError(f"machine '{machine.name}' (engine_map): {error}") from None
    position = 1.0 if machine.pedal is None else machine.pedal
    name = work.builder.signal(f"{machine.name}.pedal", work.inputs.pedals.get(machine.name, constant(position)))
    speed = (work.train.speed or 0.0) * work.train.ratios.get(machine.body, 0.0)
    row = f"{machine.name}.map"
    law = engine(data, work.builder.signal_number(name), speed, position)
    work.builder.block(machine.name, [Row(row, work.motions.rotation(machine.body))], law)
    work.machine_torque[machine.body].append((Source.FORCE, row, -1.0))
    work.builder.channel("machine", machine.name, "pedal", "1", "0 closed, 1 full", [(Source.SIGNAL, name, 1.0)])


def vehicle_coordinates(work: Assembly, machine: Machine) -> None:
    """Declare the motions of a chassis and their inertias; raises AssemblyError for facts that do not fit."""
    data = _data(machine)
    wheels = machine.drives or (machine.body,)
    if len(wheels) != 2:
        raise AssemblyError(
            f"machine '{machine.name}' (tracked_chassis) drives its left and its right wheel: drives: [left, right]; got "
            f"{', '.join(wheels)}"
        )
    for motion, inertia in (("forward", data.mass), ("lateral", data.mass), ("yaw", data.yaw_inertia)):
        coordinate = work.builder.coordinate(f"{machine.name}.{motion}", 1.0 if motion != "yaw" else 0.5 * data.base)
        work.put(inertia, {coordinate: 1.0})


def add_vehicle(work: Assembly, machine: Machine) -> None:
    """Add the law of a vehicle between its wheels and its chassis, and its channels."""
    name, wheels = machine.name, machine.drives
    rows = [
        Row(f"{name}.{side}_wheel", work.motions.rotation(w)) for side, w in zip(("left", "right"), wheels, strict=True)
    ]
    rows += [Row(f"{name}.{motion}", {f"{name}.{motion}": 1.0}) for motion in _MOTIONS]
    reports = [Row(f"{name}.{quantity}", {f"{name}.forward": 1.0}) for quantity in _REPORTS]
    if any(not row.coefficients for row in rows):
        raise AssemblyError(f"machine '{name}': a wheel of it does not turn ({', '.join(wheels)})")
    work.builder.block(name, rows, vehicle(_data(machine)), reports)
    channel = work.builder.channel
    for motion, (quantity, unit) in _MOTIONS.items():
        channel("machine", name, quantity, unit, _RIGHT, [(Source.SPEED, f"{name}.{motion}", 1.0)])
    for i, (quantity, unit) in enumerate(_STATES.items()):
        channel(
            "machine", name, quantity, unit, "x forward at the start; " + _RIGHT, [(Source.STATE, f"{name}:{i}", 1.0)]
        )
    for row, (quantity, (unit, sign)) in zip(reports, _REPORTS.items(), strict=True):
        channel("machine", name, quantity, unit, sign, [(Source.FORCE, row.name, 1.0)], counted="force" in quantity)


def wheel_speeds(work: Assembly) -> dict[str, float]:
    """Speeds of bodies [rad/s] that go with initial speeds of vehicles: their wheels roll."""
    found = {}
    for name, speed in work.inputs.vehicles.items():
        machine = work.train.machines[name]
        for wheel in machine.drives:
            found[wheel] = speed / _data(machine).wheel_radius
    return found


def _data(machine: Machine):  # type: ignore[no-untyped-def]
    assert isinstance(machine.parameters, ChassisParameters)
    try:
        return TrackedChassis.of(machine.parameters)
    except ValueError as error:
        raise AssemblyError(f"machine '{machine.name}' (tracked_chassis): {error}") from None
