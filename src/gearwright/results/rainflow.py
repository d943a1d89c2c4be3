"""Rainflow counting of a series (ASTM E1049-85) and the matrices made from it.

Cycles are closed by the four-point rule, or by the three-point rule of the standard. What is left, the residue, is first growing, then shrinking turning
points; what is done with it must be named with every figure:

- ``"half"``: every range of the residue is half a cycle. With it the count equals the three-point rule of
  ASTM E1049 section 5.4.4.
- ``"repeat"``: the residue is followed by itself once more and the cycles that close are counted (a history
  that repeats).
- ``"ignore"``: only closed cycles count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.results.counter_kernels import count_series, count_three_points

from .bins import even_edges

Float = NDArray[np.float64]
Residue = Literal["half", "repeat", "ignore"]
RESIDUES: tuple[str, ...] = ("half", "repeat", "ignore")
Rule = Literal["four_point", "three_point"]
RULES: tuple[str, ...] = ("four_point", "three_point")


@dataclass(frozen=True)
class Matrix:
    """Counts (rows, columns) over two sets of bin edges, in the unit of the series."""

    counts: Float
    row_edges: Float
    column_edges: Float


@dataclass(frozen=True)
class Cycles:
    """Counted cycles.

    Attributes
    ----------
    begin, end : (n,) the turning points between which a cycle or half cycle runs first [unit of the series]
    counts : (n,) 1 for a closed cycle, 0.5 for a half cycle of the residue
    residue : (r,) turning points that closed no cycle
    treatment : what was done with the residue
    """

    begin: Float
    end: Float
    counts: Float
    residue: Float
    treatment: str

    @property
    def ranges(self) -> Float:
        """Range of every cycle (n,), positive."""
        return np.asarray(np.abs(self.end - self.begin))

    @property
    def means(self) -> Float:
        """Mean of every cycle (n,)."""
        return 0.5 * (self.begin + self.end)

    @property
    def total(self) -> float:
        """Number of cycles, half cycles counted as half."""
        return float(self.counts.sum())

    def spectrum(self, bins: int | ArrayLike = 64) -> tuple[Float, Float]:
        """Cycle counts per range bin, and the bin edges (from zero when ``bins`` is a number)."""
        edges = _edges(bins, 0.0, self.ranges.max(initial=0.0))
        return np.histogram(self.ranges, edges, weights=self.counts)[0], edges

    def range_mean_matrix(self, range_bins: int | ArrayLike = 32, mean_bins: int | ArrayLike = 32) -> Matrix:
        """Counts by range (rows) and mean (columns)."""
        rows = _edges(range_bins, 0.0, self.ranges.max(initial=0.0))
        columns = _edges(mean_bins, self.means.min(initial=np.inf), self.means.max(initial=-np.inf))
        counts = np.histogram2d(self.ranges, self.means, [rows, columns], weights=self.counts)[0]
        return Matrix(counts, rows, columns)

    def markov_matrix(self, bins: int | ArrayLike = 32) -> Matrix:
        """Counts from level (rows) to level (columns); the sense of each cycle is kept."""
        low = min(self.begin.min(initial=np.inf), self.end.min(initial=np.inf))
        high = max(self.begin.max(initial=-np.inf), self.end.max(initial=-np.inf))
        edges = _edges(bins, low, high)
        counts = np.histogram2d(self.begin, self.end, [edges, edges], weights=self.counts)[0]
        return Matrix(counts, edges, edges)


def rainflow(series: ArrayLike, residue: Residue = "half", rule: Rule = "four_point") -> Cycles:
    """Count the cycles of a series (any unit, any sampling; only the order of values matters).

    ``rule``: ``four_point`` closes an inner range that neither neighbour undercuts; ``three_point`` is the algorithm of
    the standard as printed, which counts what contains the start as half cycles at once and so has its residue
    treated as ``half``. Both give the same counts.

    Raises ValueError for values that are not finite, more than one dimension, an unknown rule or treatment of
    the residue, or a treatment that the three-point rule does not have. Source: ASTM E1049-85 (2017), section 5.4.4.
    """
    if residue not in RESIDUES:
        raise ValueError(f"residue must be one of {', '.join(RESIDUES)}, got '{residue}'")
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}, got '{rule}'")
    x = _series(series)
    if rule == "three_point":
        if residue != "half":
            raise ValueError(
                f"the three-point rule counts its residue as half cycles; residue '{residue}' needs four_point"
            )
        first, second, weight, stack = (np.empty(len(x) + 2) for _ in range(4))
        found = count_three_points(x, first, second, weight, stack)
        left = _closed(x)[2]
        return Cycles(first[:found].copy(), second[:found].copy(), weight[:found].copy(), left, residue)
    begin, end, left = _closed(x)
    counts = np.ones(len(begin))
    if residue == "half" and len(left) > 1:
        begin, end = np.concatenate([begin, left[:-1]]), np.concatenate([end, left[1:]])
        counts = np.concatenate([counts, np.full(len(left) - 1, 0.5)])
    elif residue == "repeat":
        more_begin, more_end, _ = _closed(np.concatenate([left, left]))
        begin, end = np.concatenate([begin, more_begin]), np.concatenate([end, more_end])
        counts = np.ones(len(begin))
    return Cycles(begin, end, counts, left, residue)


def _closed(x: Float) -> tuple[Float, Float, Float]:
    size = len(x) // 2 + 2
    begin, end, stack = np.empty(size), np.empty(size), np.empty(len(x) + 2)
    found, top = count_series(x, begin, end, stack)
    return begin[:found].copy(), end[:found].copy(), stack[:top].copy()


def _series(series: ArrayLike) -> Float:
    x = np.ascontiguousarray(series, dtype=np.float64)
    if x.ndim != 1:
        raise ValueError(f"a series has one dimension, got {x.ndim}")
    # one pass without a temporary: any value that is not finite makes the sum of products not finite
    if len(x) and not np.isfinite(np.dot(x, x)) and not np.isfinite(x).all():
        raise ValueError(f"the series is not finite at index {int(np.flatnonzero(~np.isfinite(x))[0])}")
    return x


def _edges(bins: int | ArrayLike, low: float, high: float) -> Float:
    if not isinstance(bins, (int, np.integer)):
        return np.asarray(bins, np.float64)
    if not np.isfinite(low):  # no cycle at all
        low = high = 0.0
    return even_edges(low, high, int(bins))
