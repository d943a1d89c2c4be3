"""Fatigue loads: rainflow, damage equivalent loads, load duration and load revolution distributions."""

from .duration import level_crossings, load_duration, load_revolutions
from .equivalent import damage_equivalent_range, damage_sum
from .rainflow import Cycles, Matrix, rainflow, turning_points

__all__ = [
    "Cycles", "Matrix", "damage_equivalent_range", "damage_sum", "level_crossings", "load_duration",
    "load_revolutions", "rainflow", "turning_points",
]  # fmt: skip
