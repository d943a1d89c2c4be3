"""What a case does to a mechanism: loads, prescribed speeds, brakes and events, as tables over time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gearwright.assembly.multibody import axis_of, direction
from gearwright.errors import DrivetrainError, listed
from gearwright.multibody import Joint, Load
from gearwright.system import Signal, signals

from .inputs import delayed, truth_of
from .overtime import Recordings, to_signal

Table = tuple[list[float], list[float]]

#: between samples of a curve [s]: lines between them are 1e-4 of a sine of up to 5 Hz
SPACING = 1e-3


def loads(drivetrain: Any, case: Any, duration: float) -> list[Any]:
    """The loads of a case: torques with slope, and the components of forces and moments, with the events that set
    torques. Raises DrivetrainError for what does not fit."""
    return [one for item in case.loads for one in _loads(drivetrain, case, item, duration)]


def _loads(drivetrain: Any, case: Any, item: Any, duration: float) -> list[Any]:
    body = _body(drivetrain, case, item.on, "a load")
    if item.control is not None:
        raise DrivetrainError(
            f"case '{case.name}': a speed controller (control of the load on '{item.on}') is not known to fidelity multibody; "
            f"give a slope, or prescribe the speed with speeds: {{{item.on}: ...}}"
        )
    point: Any = (0.0, 0.0, 0.0)
    if item.point is not None:
        if item.point not in body.points:
            raise DrivetrainError(f"case '{case.name}': body '{body.name}' has no point '{item.point}'")
        point = body.points[item.point]
    made = []
    events = [e for e in case.events if e.set == f"{item.on}.torque"]
    if item.torque is not None or item.slope:
        times, values = ([0.0], [0.0]) if item.torque is None else _table(drivetrain, item.torque, duration, item.on)
        if item.torque is not None and events:
            times, values = _edited(drivetrain, item.torque, events, duration, item.on)
        along = direction(item.direction) or (1.0, 0.0, 0.0)
        made.append(
            Load(
                item.on, times, values, moment=along, frame=item.axes, slope=item.slope, reference=item.reference or 0.0
            )
        )
    for axis, value in zip(np.eye(3).tolist(), item.force or (), strict=False):
        times, values = _table(drivetrain, value, duration, item.on)
        made.append(Load(item.on, times, values, force=axis, frame=item.axes, point=point))
    for axis, value in zip(np.eye(3)[1:].tolist(), item.moment or (), strict=False):
        times, values = _table(drivetrain, value, duration, item.on)
        made.append(Load(item.on, times, values, moment=axis, frame=item.axes))
    return made


def _body(drivetrain: Any, case: Any, name: str, what: str) -> Any:
    body = next((b for b in drivetrain.bodies if b.name == name), None)
    if body is None:
        known = ", ".join(b.name for b in drivetrain.bodies)
        raise DrivetrainError(f"case '{case.name}': {what} on '{name}', which is no body (bodies: {known})")
    return body


def motors(drivetrain: Any, case: Any, duration: float) -> list[Any]:
    """Prescribed speeds of a case as motors between a body and the housing, about the axis of the body's joints.

    Raises DrivetrainError for a speed that jumps, MultibodyError for a body without an axis.
    """
    made = []
    for name, value in case.speeds.items():
        _body(drivetrain, case, name, "a speed")
        axis = axis_of(drivetrain, [name], f"case '{case.name}': the speed of '{name}'")
        times, values = _table(drivetrain, value, duration, name, "rotational speed")
        if any(b <= a for a, b in zip(times, times[1:], strict=False)):
            raise DrivetrainError(
                f"case '{case.name}': the speed of '{name}' jumps, which would take an infinite torque; give a ramp"
            )
        made.append(Joint("motor", f"{name}_speed", name, "housing", axis=axis, speeds=(times, values)))
    return made


def capacities(drivetrain: Any, case: Any, duration: float) -> dict[str, Table]:
    """Capacity over time of brakes and clutches that events set or engage."""
    recordings, made = Recordings(drivetrain.resolve), {}
    for e in drivetrain.elements:
        if e.type not in ("brake", "clutch"):
            continue
        full, rise = float(e.capacity.torque), float(e.capacity.rise or 0.0)
        signal = signals.constant(full if e.engaged else 0.0)
        for event in sorted((x for x in case.events if x.set is not None), key=lambda x: x.at):
            name, _, what = event.set.rpartition(".")
            if name != e.name:
                continue
            if what == "capacity":
                value = to_signal(event.to, recordings, dimension="torque", duration=duration - event.at)
                signal = signal.replaced_from(event.at, delayed(value, event.at))
            else:
                now, wanted = float(signal(event.at)), full if truth_of(event, case) else 0.0
                over = rise * abs(wanted - now) / full if wanted > now and full else 0.0
                signal = signal.replaced_from(event.at, signals.ramp(now, wanted, event.at, over))
        made[e.name] = sampled(signal, duration)
    return made


def refuse_unknown_events(drivetrain: Any, case: Any) -> None:
    """Raise DrivetrainError for an event that means nothing to a mechanism."""
    known = [f"{item.on}.torque" for item in case.loads if item.torque is not None]
    known += [
        f"{e.name}.{what}"
        for e in drivetrain.elements
        if e.type in ("brake", "clutch")
        for what in ("capacity", "engaged")
    ]
    for event in case.events:
        if event.set not in known:
            said = f"set '{event.set}'" if event.set is not None else f"be of type '{event.type}'"
            raise DrivetrainError(
                f"case '{case.name}': at fidelity multibody an event cannot {said}; it can set "
                f"{listed(known) if known else 'nothing here'}"
            )


def _edited(drivetrain: Any, value: Any, events: list[Any], duration: float, on: str) -> Table:
    recordings = Recordings(drivetrain.resolve)
    signal = to_signal(value, recordings, dimension="torque", duration=duration, what=on)
    for event in sorted(events, key=lambda e: e.at):
        later = to_signal(event.to, recordings, dimension="torque", duration=duration - event.at, what=on)
        signal = signal.replaced_from(event.at, delayed(later, event.at))
    return sampled(signal, duration)


def sampled(signal: Signal, duration: float, spacing: float = SPACING) -> Table:
    """A signal as a table of lines: samples, and both values where it jumps."""
    jumps = signal.landings[(signal.landings >= 0.0) & (signal.landings <= duration)]
    grid = np.linspace(0.0, duration, max(2, math.ceil(duration / spacing) + 1))
    times = np.sort(np.concatenate([grid[~np.isin(grid, jumps)], np.repeat(jumps, 2)]))
    values = np.asarray(signal(times), float)
    for t in jumps:
        at = int(np.searchsorted(times, t))
        values[at] = float(signal(np.nextafter(t, -np.inf)))
        if values[at] == values[at + 1]:
            times[at] = np.nan  # a corner, not a jump
    keep = ~np.isnan(times)
    return times[keep].tolist(), values[keep].tolist()


def _table(drivetrain: Any, value: Any, duration: float, on: str, dimension: str = "torque") -> Table:
    """A value over time as a table; curves are sampled densely enough that lines between are 1e-4 of them."""
    form, item = value.form, value.value
    if form == "constant":
        return [0.0], [float(item)]
    if form == "step":
        return [item.at, item.at], [item.before, item.to]
    if form == "ramp":
        return [item.at, item.at + item.over], [item.before, item.to]
    if form == "table" and item.interpolation == "linear":
        return [r[0] for r in item.rows], [r[1] for r in item.rows]
    signal = to_signal(value, Recordings(drivetrain.resolve), dimension=dimension, duration=duration, what=on)
    return sampled(signal, duration, SPACING if form != "sine" else min(SPACING, 0.005 / max(item.frequency, 1e-9)))
