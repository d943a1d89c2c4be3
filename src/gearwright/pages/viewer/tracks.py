"""Time series for the page: decimated to what is visible, quantised to 16 bits, as base64.

A motion is averaged over its blocks; a force keeps the lowest and the highest value of every two blocks in turn,
so that no peak is lost. Rotations count on without bound and stay double.
"""

from __future__ import annotations

import base64
import math

import numpy as np
from numpy.typing import NDArray

from .records import Track

Array = NDArray[np.float64]
#: Steps of a 16-bit track; what is lost is below 2e-5 of its range.
STEPS = 65534


def quantised(values: Array) -> Track:
    """``{"data": base64 of uint16, "offset", "scale"}``: value = offset + scale * number; not finite: 65535."""
    values = np.asarray(values, dtype=float)
    good = np.isfinite(values)
    low = float(values[good].min()) if good.any() else 0.0
    high = float(values[good].max()) if good.any() else 0.0
    scale = (high - low) / STEPS
    if not scale > 0.0:
        return {"constant": low if good.any() else None}
    numbers = np.full(values.shape, 65535, dtype="<u2")
    numbers[good] = np.rint((values[good] - low) / scale).astype("<u2")
    return {"data": base64.b64encode(numbers.tobytes()).decode(), "offset": low, "scale": scale}


def double(values: Array) -> Track:
    """A track of doubles."""
    return {"doubles": base64.b64encode(np.asarray(values, dtype="<f8").tobytes()).decode()}


def blocks(count: int, most: int) -> int:
    """Samples per block so that ``count`` samples become at most ``most``."""
    return max(1, math.ceil(count / max(most, 1)))


def averaged(values: Array, size: int) -> Array:
    """Mean of every whole block of ``size`` samples."""
    whole = len(values) // size * size
    return np.asarray(values[:whole].reshape(-1, size).mean(axis=1))


def peaks(values: Array, size: int) -> Array:
    """One value a block: the lowest of the even, the highest of the odd blocks, over both of the two."""
    if size == 1:
        return np.asarray(values, dtype=float)
    whole = len(values) // size
    picked = averaged(values, size)
    pairs = whole // 2
    both = values[: 2 * pairs * size].reshape(pairs, 2 * size)
    picked[0 : 2 * pairs : 2] = both.min(axis=1)
    picked[1 : 2 * pairs : 2] = both.max(axis=1)
    return picked
