"""What a case applies to a train."""

from __future__ import annotations

from dataclasses import field

from gearwright.records import dataclass
from gearwright.system import Signal


@dataclass(frozen=True)
class Control:
    """Speed controller: wanted speed [rad/s], gains [N m s/rad], [N m/rad], [N m s²/rad] over a filter [s], limit [N m]
    (0: none)."""

    speed: Signal
    proportional: float
    integral: float = 0.0
    derivative: float = 0.0
    filter_time: float = 0.01
    limit: float = 0.0


@dataclass(frozen=True)
class Load:
    """Torque on a body: ``torque(t) + slope (speed - reference)``, and that of a controller; N m, N m s/rad, rad/s."""

    body: str
    torque: Signal
    slope: float = 0.0
    reference: float = 0.0
    name: str = ""
    control: Control | None = None


@dataclass(frozen=True)
class Push:
    """Force [N] on ``x, y, z`` or moment [N m] on ``tilt_y, tilt_z`` of a body, in the standing frame."""

    body: str
    motion: str
    value: Signal
    name: str = ""


@dataclass(frozen=True)
class Drive:
    """A body made to follow a speed [rad/s]; the torque that this takes is a reaction."""

    body: str
    speed: Signal


@dataclass(frozen=True)
class Inputs:
    """Loads and drives of a case, initial speeds by body [rad/s], non-torque loads, capacities of brakes and clutches
    [N m] by element, grid (voltage, frequency, negative sequence, p.u.; None: nominal) and torque references of electrical
    machines [N m, braking] by name, pedals of engines (0..1) and initial speeds of vehicles [m/s] by machine."""

    loads: tuple[Load, ...] = ()
    drives: tuple[Drive, ...] = ()
    speeds: dict[str, float] = field(default_factory=dict)
    pushes: tuple[Push, ...] = ()
    capacities: dict[str, Signal] = field(default_factory=dict)
    grid: tuple[Signal, Signal, Signal] | None = None
    references: dict[str, Signal] = field(default_factory=dict)
    pedals: dict[str, Signal] = field(default_factory=dict)
    vehicles: dict[str, float] = field(default_factory=dict)
