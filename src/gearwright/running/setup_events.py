"""Events of a set-up's case: what stops, starts and brakes a turbine, as the schedule of its loop; those of the grid are in
:mod:`gearwright.running.grid`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from gearwright.errors import DrivetrainError, listed, nearest
from gearwright.machines import Grid
from gearwright.schema.setup import EVENT_KEYS
from gearwright.turbine import Schedule, Turbine
from gearwright.turbine.wind import Wind

from .grid import GRID_EVENTS

#: events of a set-up
EVENTS = tuple(EVENT_KEYS)

#: rates at which blades pitch [rad/s]: in an emergency, in starts and stops
FAST, SLOW = math.radians(8.0), math.radians(2.0)


def schedule_of(drivetrain: Any, case: Any, turbine: Turbine, where: str) -> Schedule:
    """Events of a case as a schedule.

    Raises DrivetrainError for events that are not known, that contradict each other, or that the turbine cannot follow.
    """
    plan = Schedule()
    seen: dict[str, str] = {}
    for number, event in enumerate(case.events):
        place = f"{where}, events.{number}"
        if event.type is None:
            raise DrivetrainError(f"{place}: a set-up takes named events: {', '.join(EVENTS)}")
        if event.type in GRID_EVENTS:
            continue
        if event.type in seen:
            raise DrivetrainError(
                f"{place}: a second event of type {event.type}, beside {seen[event.type]}; a run has one"
            )
        seen[event.type] = f"events.{number}"
        if {"grid_loss", "pitch_to_feather"} <= seen.keys():
            raise DrivetrainError(
                f"{place}: grid_loss pitches to feather by itself (pitch_delay, pitch_rate); take one of the two events"
            )
        at = event.at
        if event.type == "grid_loss":
            delay = 0.2 if event.pitch_delay is None else event.pitch_delay
            plan = replace(plan, trip=at, feather=at + delay, feather_rate=event.pitch_rate or FAST)
        elif event.type == "pitch_to_feather":
            plan = replace(plan, feather=at, feather_rate=event.rate or FAST)
        elif event.type == "brake":
            plan = _braked(plan, drivetrain, event, turbine, place)
        elif event.type == "start":
            plan = replace(plan, start=at, start_rate=event.rate or SLOW)
        else:
            plan = replace(plan, stop=at, stop_rate=event.rate or SLOW)
        pitches = event.type == "pitch_to_feather" or {"pitch_delay", "pitch_rate", "rate"} & set(event.keys)
        if turbine.controller.fixed_blades and pitches:
            raise DrivetrainError(f"{place}: the blades of turbine '{turbine.name}' do not pitch; a brake stops it")
    if turbine.controller.fixed_blades and plan.stop is not None and plan.brake is None:
        raise DrivetrainError(
            f"{where}: the blades of turbine '{turbine.name}' do not pitch: a stop needs a brake, for instance "
            f"{{at: {plan.stop:g} s, type: brake, on: NAME}}"
        )
    return plan


def _braked(plan: Schedule, drivetrain: Any, event: Any, turbine: Turbine, place: str) -> Schedule:
    """The schedule with the brake of an event."""
    brakes = {e["name"]: e for e in drivetrain.raw.get("elements", []) if e.get("type") == "brake"}
    torque, rise = turbine.brake_torque, turbine.brake_rise
    if event.on is not None:
        if event.on not in brakes:
            meant = nearest(event.on, brakes)
            hint = f" Did you mean '{meant}'?" if meant else ""
            raise DrivetrainError(
                f"{place}: there is no brake '{event.on}'; brakes: {listed(list(brakes), 10) or 'none'}.{hint}"
            )
        facts = next(e for e in drivetrain.elements if e.name == event.on)
        if "housing" not in facts.between:
            raise DrivetrainError(f"{place}: brake '{event.on}' has to stand between a body and the housing")
        capacity = facts.capacity
        torque = float(getattr(capacity, "torque", capacity))
        rise = float(getattr(capacity, "rise", 0.0) or 0.0)
    return replace(
        plan,
        brake=event.at + (event.delay or 0.0),
        brake_torque=event.torque or torque,
        brake_rise=rise if event.rise is None else event.rise,
        brake_slope=event.slope or 0.0,
    )


def too_late(schedule: Schedule, grid: Grid, wind: Wind, duration: float) -> list[str]:
    """A note where something of a case comes after the end of the run."""
    at = {
        "the start": schedule.start,
        "the stop": schedule.stop,
        "the loss of the grid": schedule.trip,
        "the pitch to feather": schedule.feather,
        "the brake": schedule.brake,
        "the gust": wind.gust_start,
    }
    changes = [float(t) for t in grid.time if t > 0.0]
    if changes:
        at["the grid's event"] = min(changes)
    late = [f"{name} ({when:g} s)" for name, when in at.items() if when is not None and when > duration]
    return [f"after the end of the run at {duration:g} s, and so without effect: {', '.join(late)}"] if late else []
