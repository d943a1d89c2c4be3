"""Gears as they are cut, pairs at work, path of contact, mesh phase, outlines. Imports nothing of ours."""

from .gear import Gear, GeometryError, Relief, Steel
from .involute import (
    Path,
    backlash_by_rule,
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
from .pair import Check, GearPair, pair_from_facts, single_contact_end
from .phase import MeshTeeth, planetary_phases, relative_phase, wrap

__all__ = [
    "Check", "Gear", "GearPair", "GeometryError", "MeshTeeth", "Path", "Relief", "Steel", "backlash_by_rule", "base_helix", "base_pitch", "base_radius", "centre_distance", "half_tooth_angle", "inv",
    "inverse_inv", "overlap_ratio", "pair_from_facts", "path_of_contact", "planetary_phases", "relative_phase", "shift_sum", "single_contact_end",
    "tip_radius", "transverse_angle", "transverse_module", "working_angle", "working_angle_from_shifts", "wrap",
]  # fmt: skip
