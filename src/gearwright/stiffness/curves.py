"""Curves of a mesh that pages and commands show: stiffness over the cycle, transmission error over torque, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

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


def over_cycle(mesh: Mesh, train: Train, method: str) -> dict[str, Any]:
    """Stiffness of a mesh by ``fe`` or ``analytic`` over the cycle, its teeth and their fits, and sharing and stresses under
    the operating load where there is one (SI)."""
    stiff, sentence = mesh_pair_stiffness(mesh, train, method)
    force = nominal_force(mesh, train)
    phase = np.arange(SAMPLES) / SAMPLES
    cycle = stiff.over_cycle(phase, rising(mesh))
    course = sliced(stiff, phase, rising(mesh))
    loaded = stiff.over_cycle(phase, rising(mesh), force) if force else None
    fits = [dict(zip(("c0", "c1", "residual"), tooth.fit(), strict=True)) for tooth in (stiff.one, stiff.two)]
    stresses = None
    if loaded is not None:
        stresses = {
            "force": force,
            "share": loaded.share,
            "pair_force": loaded.force,
            "stiffness": sliced(stiff, phase, rising(mesh), force),
            "pressure": loaded.pressure,
            "largest_pressure": largest_pressure(stiff, loaded.pressure, force, rising(mesh)),
            "root_stress": loaded.root_stress,
            "largest_root_stress": None if loaded.root_stress is None else loaded.root_stress.max(axis=(1, 2)),
            "pressure_at_pitch_point": _at_pitch(stiff, force),
        }
    return {
        "mean": stiff.mean,
        "highest": course.max(),
        "lowest": course.min(),
        "contact_ratio": stiff.pair.contact_ratio,
        "half_width": stiff.half_width,
        "half_width_source": sentence,
        "phase": phase,
        "stiffness": course,
        "arc": cycle.arc,
        "pair_stiffness": cycle.pair_stiffness,
        "share": cycle.share,
        "teeth": [
            {"gear": t.gear.name, "arc": t.arcs, "stiffness": t.stiffness(t.arcs), "fit": f}
            for t, f in zip((stiff.one, stiff.two), fits, strict=True)
        ],
        "under_load": stresses,
    }


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


def _at_pitch(stiff: Any, force: float | None) -> float:
    assert force is not None
    return float(hertz.pressure(stiff.pair, force / stiff.face_width, stiff.pair.path.pitch_point, stiff.steels))


def errors_over_torque(mesh: Mesh, train: Train, method: str, torques: Sequence[float] = ()) -> dict[str, Any]:
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
    return {
        "wheel": mesh.between[0],
        "half_width_source": sentence,
        "operating_torque": None if nominal is None else nominal * stiff.pair.one.base_radius,
        "torque": values,
        "force": [e.force for e in errors],
        "mean": [e.mean for e in errors],
        "peak_to_peak": [e.peak_to_peak for e in errors],
        "harmonics": [e.harmonics() for e in errors],
        "largest_pressure": [float(e.pressure.max()) for e in errors],
        "largest_share": [float(e.share.max()) for e in errors],
        "phase": errors[0].phase,
        "error": [e.error for e in errors],
    }
