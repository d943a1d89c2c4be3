"""Involute geometry, path of contact, contact ratio, mesh phase. Imports nothing of ours."""

from .involute import (
    Path,
    base_helix,
    base_pitch,
    base_radius,
    centre_distance,
    half_tooth_angle,
    inv,
    inverse_inv,
    overlap_ratio,
    path_of_contact,
    shift_sum,
    tip_radius,
    transverse_angle,
    transverse_module,
    working_angle,
    working_angle_from_shifts,
)
from .phase import MeshTeeth, planetary_phases, relative_phase, wrap

__all__ = [
    "MeshTeeth", "Path", "base_helix", "base_pitch", "base_radius", "centre_distance", "half_tooth_angle", "inv",
    "inverse_inv", "overlap_ratio", "path_of_contact", "planetary_phases", "relative_phase", "shift_sum",
    "tip_radius", "transverse_angle", "transverse_module", "working_angle", "working_angle_from_shifts", "wrap",
]  # fmt: skip
