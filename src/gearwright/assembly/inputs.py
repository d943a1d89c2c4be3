"""What a case applies to a train."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gearwright.laws.mesh_properties import contact_length
from gearwright.system import Signal
from gearwright.train.train import Mesh, Train


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
    machines [N m, braking] by name, pedals of engines (0..1), initial speeds of vehicles [m/s] and what is connected of machines
    that an event trips (1, or 0 tripped) by machine.
    ``at_rest``: what has no initial speed of its own stands."""

    loads: tuple[Load, ...] = ()
    drives: tuple[Drive, ...] = ()
    speeds: dict[str, float] = field(default_factory=dict)
    pushes: tuple[Push, ...] = ()
    capacities: dict[str, Signal] = field(default_factory=dict)
    grid: tuple[Signal, Signal, Signal] | None = None
    references: dict[str, Signal] = field(default_factory=dict)
    pedals: dict[str, Signal] = field(default_factory=dict)
    vehicles: dict[str, float] = field(default_factory=dict)
    engaged: dict[str, Signal] = field(default_factory=dict)
    at_rest: bool = False


def coasting(train: Train, inputs: Inputs, law: str, fidelity: str) -> Train:
    """The train as the loads press it: unchanged, or with what belongs to the other flanks.

    Meshes whose one row serves both flanks (without backlash, or of a member that floats at fidelity torsional; not with law tooth_contact) get
    line of action and course of the flank that carries. How teeth stand at the start is free where no phase is given: phases count from the flank that carries, so that a train which is turned
    and loaded the other way is the mirror image from the first instant on.
    """
    if not _backwards(train, inputs):
        return train
    turned: dict[str, tuple[float, float]] = {}
    meshes = {}
    for name, m in train.meshes.items():
        floats = fidelity == "torsional" and any(train.bodies[b].floating for b in m.between)
        m = replace(m, coasts=(m.backlash is None or floats) and law != "tooth_contact")
        if m.phase_source != "given":
            begun, unit = turned.setdefault(
                m.stage or name, (contact_length(m) - m.coast_phase - m.phase, _rate(train, m))
            )
            by = begun * (_rate(train, m) / unit if unit else 1.0)
            m = replace(m, phase=m.phase + by, coast_phase=m.coast_phase + by)
        meshes[name] = m
    return replace(train, meshes=meshes)


def _rate(train: Train, mesh: Mesh) -> float:
    """Cycles of a mesh per turn of the input."""
    one = train.ratios.get(mesh.between[0], 0.0) - (train.ratios.get(mesh.on, 0.0) if mesh.on else 0.0)
    return abs(one) * (mesh.teeth[0] if mesh.teeth else 0)


def _backwards(train: Train, inputs: Inputs) -> bool:
    """Whether the loads press the other flanks than a positive torque of the input: by the first torque on the input that is not
    zero, else by those that react to it, else by the operating torque."""
    driving = [x for load in inputs.loads if load.body == train.input for x in _values(load.torque)]
    driving += [
        -x * train.ratios.get(load.body, 0.0)
        for load in inputs.loads
        if load.body != train.input
        for x in _values(load.torque)
    ]
    first = next((x for x in (*driving, train.torque or 0.0) if x), 0.0)
    return first < 0.0


def _values(signal: Signal) -> list[float]:
    """Value of a signal at time zero and at its later knots, without its sine."""
    now = max(int(signal.start.searchsorted(0.0, "right")) - 1, 0)
    return [float(c[0]) for c in signal.coefficients[now:]]
