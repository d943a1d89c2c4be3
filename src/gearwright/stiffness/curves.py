"""Curves of a mesh that pages and commands show: stiffness over the cycle, transmission error over torque."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gearwright.arrays import Float
from gearwright.geometry.gear import GeometryError
from gearwright.progress import each
from gearwright.train.train import Mesh, Train

from . import hertz
from .cycle import PairStiffness
from .resolve import mesh_pair_stiffness, nominal_force, overlap_of, rising, skewed
from .ste import transmission_error

#: phases over one cycle in tables and pictures
SAMPLES = 128
#: slices over the face of helical teeth, as many as the transmission error takes
SLICES = 41
#: torques of a curve as parts of the operating one
PARTS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)


@dataclass(frozen=True)
class Fit:
    """Stiffness of a tooth over the arc as K = c0 + c1 s^2 [N/m, s in m], and the largest part that this misses."""

    c0: float
    c1: float
    residual: float


@dataclass(frozen=True)
class ToothCurve:
    """Stiffness of a tooth [N/m] over the arc of its flank [m]."""

    gear: str
    arc: Float
    stiffness: Float
    fit: Fit


@dataclass(frozen=True)
class UnderLoad:
    """What the operating ``force`` [N] makes over the cycle: share and force of each pair, stiffness [N/m], Hertz pressure and tension
    along the fillets [Pa], None without finite elements."""

    force: float
    share: Float
    pair_force: Float
    stiffness: Float
    pressure: Float
    largest_pressure: float
    root_stress: Float | None
    largest_root_stress: Float | None
    pressure_at_pitch_point: float


@dataclass(frozen=True)
class MeshCurve:
    """Stiffness of a mesh [N/m] over the phase of its cycle (n,), of each pair (n, pairs), of its teeth."""

    mean: float
    highest: float
    lowest: float
    contact_ratio: float
    half_width: float
    half_width_source: str
    phase: Float
    stiffness: Float
    arc: Float
    pair_stiffness: Float
    share: Float
    teeth: tuple[ToothCurve, ToothCurve]
    under_load: UnderLoad | None


@dataclass(frozen=True)
class ErrorCurve:
    """Transmission error of a mesh [m] at torques on its first ``wheel`` [N m]: force along the line of action [N], mean, swing and
    mesh harmonics, largest Hertz pressure [Pa] and share, and the error over the phase of the cycle."""

    wheel: str
    half_width_source: str
    operating_torque: float | None
    torque: Sequence[float]
    force: Sequence[float]
    mean: Sequence[float]
    peak_to_peak: Sequence[float]
    harmonics: Sequence[Float]
    largest_pressure: Sequence[float]
    largest_share: Sequence[float]
    phase: Float
    error: Sequence[Float]


def over_cycle(mesh: Mesh, train: Train, method: str) -> MeshCurve:
    """Stiffness of a mesh by ``fe`` or ``analytic`` over the cycle, its teeth and their fits, and sharing and stresses under
    the operating load where there is one (SI)."""
    stiff, sentence = mesh_pair_stiffness(mesh, train, method)
    force = nominal_force(mesh, train)
    phase = np.arange(SAMPLES) / SAMPLES
    cycle = stiff.over_cycle(phase, rising(mesh))
    course = sliced(stiff, phase, rising(mesh))
    stresses = None
    if force:
        loaded = stiff.over_cycle(phase, rising(mesh), force)
        at = hertz.pressure(stiff.pair, force / stiff.face_width, stiff.pair.path.pitch_point, stiff.steels)
        stresses = UnderLoad(
            force,
            loaded.share,
            loaded.force,
            sliced(stiff, phase, rising(mesh), force),
            loaded.pressure,
            largest_pressure(stiff, loaded.pressure, force, rising(mesh)),
            loaded.root_stress,
            None if loaded.root_stress is None else loaded.root_stress.max(axis=(1, 2)),
            float(at),
        )
    one, two = (ToothCurve(t.gear.name, t.arcs, t.stiffness(t.arcs), Fit(*t.fit())) for t in (stiff.one, stiff.two))
    return MeshCurve(
        stiff.mean,
        course.max(),
        course.min(),
        stiff.pair.contact_ratio,
        stiff.half_width,
        sentence,
        phase,
        course,
        cycle.arc,
        cycle.pair_stiffness,
        cycle.share,
        (one, two),
        stresses,
    )


def sliced(stiff: PairStiffness, phase: Float, upward: bool, force: float | None = None) -> Float:
    """Mesh stiffness [N/m] over phases: of a helical pair the sum over slices of the face, each at its own place of the cycle.

    The slices lie side by side as springs do between bodies that only turn, so each adds its part of the spur course.
    """
    overlap = stiff.pair.overlap_ratio
    slices = SLICES if overlap else 1
    places = overlap * ((np.arange(slices) + 0.5) / slices - 0.5)
    each_at = np.concatenate([np.mod(phase + place, 1.0) for place in places])
    return np.asarray(stiff.over_cycle(each_at, upward, force).stiffness.reshape(slices, -1).mean(axis=0))


def largest_pressure(stiff: PairStiffness, spur: Float, force: float | None, upward: bool) -> float:
    """Largest Hertz pressure [Pa] of a cycle: of helical teeth that of the slices which :func:`transmission_error` balances."""
    if not stiff.pair.overlap_ratio or force is None:
        return float(spur.max())
    return float(transmission_error(stiff, force * stiff.pair.one.base_radius, upward, SAMPLES).pressure.max())


def errors_over_torque(mesh: Mesh, train: Train, method: str, torques: Sequence[float] = ()) -> ErrorCurve:
    """Static transmission error of a mesh over torques on its first wheel [N m] (none: up to twice the operating one).

    Raises ValueError without torques for a train that has no operating torque.
    """
    stiff, sentence = mesh_pair_stiffness(mesh, train, method)
    nominal = nominal_force(mesh, train)
    values = list(torques)
    if not values:
        if nominal is None:
            raise ValueError("this train has no operating torque")
        values = [nominal * stiff.pair.one.base_radius * part for part in PARTS]
    pair, heaviest = stiff.pair, max(values) / stiff.pair.one.base_radius
    width = float(hertz.half_width(pair, heaviest / stiff.face_width, pair.path.pitch_point, stiff.steels))
    if width > 0.5 * pair.one.module:  # the local approach holds for a contact that is small beside the tooth
        raise GeometryError(
            f"mesh '{mesh.name}': {1e-3 * max(values):.4g} kN m would press flanks of module {1e3 * pair.one.module:.4g} mm "
            f"together over {2e3 * width:.3g} mm; give a smaller torque, or the unit that Young's modulus lacks"
        )
    stiff = replace(stiff, pair=skewed(pair, mesh))
    errors = [
        transmission_error(stiff, t, rising(mesh), overlap=overlap_of(mesh, train)) for t in each("torque", values)
    ]
    return ErrorCurve(
        mesh.between[0],
        sentence,
        None if nominal is None else nominal * stiff.pair.one.base_radius,
        values,
        [e.force for e in errors],
        [e.mean for e in errors],
        [e.peak_to_peak for e in errors],
        [e.harmonics() for e in errors],
        [float(e.pressure.max()) for e in errors],
        [float(e.share.max()) for e in errors],
        errors[0].phase,
        [e.error for e in errors],
    )
