"""Even bins over any data: those without spread, with spread by rounding alone, and zeros are data too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]

#: spread over size below which values are equal but for rounding (of a run, not of one operation)
ROUNDING = 1e-12
#: spread that no bin can part further
LEAST = 1e-290


def apart(low: float, high: float) -> bool:
    """Whether two values differ by more than rounding."""
    return high - low > max(ROUNDING * max(abs(low), abs(high)), LEAST)


def even_edges(low: float, high: float, bins: int) -> Float:
    """``bins + 1`` edges from ``low`` to ``high``; values that are equal but for rounding stand in the middle of theirs,
    zeros above the first edge."""
    if apart(low, high):
        return np.linspace(low, high, bins + 1)
    margin = 0.5 * max(abs(low), abs(high), 1.0) / bins
    return np.linspace(low - margin if low != 0.0 else 0.0, high + margin, bins + 1)
