"""How long, and for how many revolutions, a load stays at a level; how often it crosses one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.results.bins import even_edges

Float = NDArray[np.float64]


def load_revolutions(
    load: ArrayLike, speed: ArrayLike, interval: float, edges: int | ArrayLike = 64
) -> tuple[Float, Float]:
    """Load revolution distribution: revolutions in every level bin, and the bin edges.

    ``speed`` [rad/s] is that of the loaded shaft. Revolutions count regardless of the sense of rotation, so
    they add up to the integral of ``|speed|`` over 2 pi. Raises ValueError if a load leaves the edges or is not finite, or if
    the two series differ in length.
    """
    if np.size(load) != np.size(speed):
        raise ValueError(f"load and speed differ in length: {np.size(load)} and {np.size(speed)}")
    return _distribution(np.asarray(load, float), np.abs(np.asarray(speed, float)) * interval / (2 * np.pi), edges)


def _distribution(load: Float, weight: Float, edges: int | ArrayLike) -> tuple[Float, Float]:
    if load.ndim != 1 or len(load) == 0 or not np.isfinite(load).all():
        raise ValueError("a load distribution needs a finite series of one dimension with at least one value")
    if isinstance(edges, (int, np.integer)):
        bounds = even_edges(float(load.min()), float(load.max()), int(edges))
    else:
        bounds = np.asarray(edges, float)
        if load.min() < bounds[0] or load.max() > bounds[-1]:
            raise ValueError(
                f"load from {load.min():g} to {load.max():g} leaves the edges {bounds[0]:g} to {bounds[-1]:g}"
            )
    return np.histogram(load, bounds, weights=weight)[0], bounds
