"""How long, and for how many revolutions, a load stays at a level; how often it crosses one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.results.bins import even_edges

Float = NDArray[np.float64]


def load_duration(load: ArrayLike, interval: float, edges: int | ArrayLike = 64) -> tuple[Float, Float]:
    """Load duration distribution: time [s] in every level bin, and the bin edges.

    ``load`` is sampled at ``interval`` [s]; every sample stands for one interval, so that the times add up to
    ``len(load) * interval``. The last edge belongs to the last bin. Raises ValueError if a value lies outside
    given edges: no time may get lost.
    """
    return _distribution(np.asarray(load, float), np.full(np.size(load), float(interval)), edges)


def load_revolutions(
    load: ArrayLike, speed: ArrayLike, interval: float, edges: int | ArrayLike = 64
) -> tuple[Float, Float]:
    """Load revolution distribution: revolutions in every level bin, and the bin edges.

    ``speed`` [rad/s] is that of the loaded shaft. Revolutions count regardless of the sense of rotation, so
    they add up to the integral of ``|speed|`` over 2 pi. Raises ValueError as :func:`load_duration`, or if
    the two series differ in length.
    """
    if np.size(load) != np.size(speed):
        raise ValueError(f"load and speed differ in length: {np.size(load)} and {np.size(speed)}")
    return _distribution(np.asarray(load, float), np.abs(np.asarray(speed, float)) * interval / (2 * np.pi), edges)


def level_crossings(series: ArrayLike, levels: ArrayLike) -> NDArray[np.int64]:
    """Number of upward crossings of every level: value before below the level, value after at or above it.

    Source: ASTM E1049-85 section 5.1, for crossings with positive slope at every level.
    """
    x = np.asarray(series, float)
    at = np.asarray(levels, float)
    before, after = x[:-1], x[1:]
    up = after > before
    # levels in (before, after]: those at or below `after` less those at or below `before`, summed over rises
    order = np.argsort(at, kind="stable")
    sorted_levels = at[order]
    first = np.searchsorted(sorted_levels, before[up], side="right")
    past = np.searchsorted(sorted_levels, after[up], side="right")
    steps = np.zeros(len(at) + 1, np.int64)
    np.add.at(steps, first, 1)
    np.add.at(steps, past, -1)
    counts = np.empty(len(at), np.int64)
    counts[order] = np.cumsum(steps)[:-1]
    return counts


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
