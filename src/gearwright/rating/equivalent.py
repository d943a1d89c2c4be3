"""Damage equivalent loads: the constant range that does, in the reference cycles, the damage of all cycles."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gearwright.results.rainflow import Cycles


def damage_sum(ranges: ArrayLike, counts: ArrayLike, exponent: float) -> float:
    """``sum n R^m``: damage up to the constant of the S-N line [unit^m]."""
    return float(np.sum(np.asarray(counts, float) * np.asarray(ranges, float) ** exponent))


def damage_equivalent_range(
    cycles: Cycles,
    exponent: float,
    *,
    reference_cycles: float | None = None,
    duration: float | None = None,
    reference_frequency: float = 1.0,
) -> float:
    """Damage equivalent range ``(sum n R^m / N_eq)^(1/m)`` from unbinned cycles [unit of the series].

    Parameters
    ----------
    cycles : counted cycles; their ``treatment`` says what was done with the residue
    exponent : slope m of the S-N line (Wöhler exponent), positive
    reference_cycles : N_eq; or instead
    duration, reference_frequency : N_eq = reference_frequency [Hz] times duration [s]

    The result is a range (peak to peak), not an amplitude. Source: Hayman, MLife theory manual (2012).

    Raises ValueError unless exactly one way to N_eq is given and all numbers are positive.
    """
    if (reference_cycles is None) == (duration is None):
        raise ValueError("give either reference_cycles, or duration (with reference_frequency)")
    reference = reference_frequency * duration if duration is not None else reference_cycles
    if not (reference is not None and reference > 0.0 and exponent > 0.0):
        raise ValueError(f"exponent and reference cycles must be positive, got {exponent:g} and {reference}")
    largest = float(cycles.ranges.max(initial=0.0))
    if largest == 0.0:
        return 0.0
    # scaled by the largest range, so that no exponent overflows
    scaled = damage_sum(cycles.ranges / largest, cycles.counts, exponent)
    return float(largest * (scaled / reference) ** (1.0 / exponent))
