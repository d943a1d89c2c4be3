"""Counting in the loop: extremes, moments, cycles, time at level, envelope, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .counter_kernels import TILE, Tally, count_ranges, count_rows, count_series

Float = NDArray[np.float64]
Residue = Literal["half", "repeat", "ignore"]

#: Bins of the cycle and level histograms; between half and all of them are in use.
RANGE_BINS = 128
LEVEL_BINS = 256
#: Most blocks of the envelope; between half and all of them are in use in a long run.
BLOCKS = 2000


class CountError(ValueError):
    """A value that cannot be counted; carries the column and the number of the sample (from 0)."""

    def __init__(self, column: int, sample: int):
        super().__init__(f"column {column} is not finite at sample {sample}")
        self.column = column
        self.sample = sample


@dataclass(frozen=True)
class Counts:
    """What was counted; n channels, c counted channels. Units are those of the channels.

    Attributes
    ----------
    samples : number of counted samples
    minimum, maximum, mean, standard_deviation : (n,) not-a-number if nothing was counted
    minimum_at, maximum_at : (n,) number of the sample (from 0, the discarded ones included), -1 for none
    damage : (c, exponents) sum of n R^m over unbinned cycles, residue as named
    cycles, cycle_edges : (c, range bins), (c, range bins + 1)
    samples_at_level, level_edges : (c, level bins), (c, level bins + 1)
    block_samples : samples per envelope block; the last block may be shorter
    block_low, block_mean, block_high : (blocks, n) envelope, discarded samples included
    """

    samples: int
    minimum: Float
    maximum: Float
    mean: Float
    standard_deviation: Float
    minimum_at: NDArray[np.int64]
    maximum_at: NDArray[np.int64]
    damage: Float
    cycles: Float
    cycle_edges: Float
    samples_at_level: Float
    level_edges: Float
    block_samples: int
    block_low: Float
    block_mean: Float
    block_high: Float


class Counters:
    """Counters of n channels, of which those in ``counted`` also get cycles and time at level.

    The standard deviation is that of the samples (divided by their number). Cycles follow ASTM E1049
    (four-point form, turning points without any hysteresis) and are summed unbinned; ``residue`` says what
    :meth:`counts` does with what closed no cycle (``half``, ``repeat`` or ``ignore``; see
    :mod:`gearwright.life.rainflow`).
    """

    def __init__(self, channels: int, counted: Sequence[int], exponents: Sequence[float],
                 residue: Residue = "half", blocks: int = BLOCKS):  # fmt: skip
        if residue not in ("half", "repeat", "ignore"):
            raise ValueError(f"residue must be half, repeat or ignore, got '{residue}'")
        if channels < 1 or blocks < 2 or blocks % 2:
            raise ValueError("counters need at least one channel and an even number of blocks")
        n, c = channels, len(counted)
        self.residue = residue
        self._capacity = 4 * TILE
        self._tally = Tally(
            number=np.array([0, 0, 0, 1, 0], np.int64),
            mean=np.zeros(n), square=np.zeros(n), low=np.full(n, np.nan), high=np.full(n, np.nan),
            low_at=np.full(n, -1, np.int64), high_at=np.full(n, -1, np.int64),
            block_low=np.zeros((blocks + 1) * n), block_sum=np.zeros((blocks + 1) * n),
            block_high=np.zeros((blocks + 1) * n),
            column=np.array(counted, np.int64), last=np.zeros(c), course=np.zeros(c, np.int64),
            depth=np.zeros(c, np.int64), stack=np.zeros(c * self._capacity),
            exponent=np.array(exponents, float), damage=np.zeros(c * len(exponents)),
            cycles=np.zeros(c * RANGE_BINS), range_width=np.zeros(c),
            level=np.zeros(c * LEVEL_BINS, np.int64), level_width=np.ones(c),
            level_first=np.zeros(c, np.int64),
            work=np.zeros(5 * n), ranges=np.zeros(TILE + 2),
        )  # fmt: skip

    def add(self, values: Float, counting: bool = True) -> None:
        """Count a chunk (k, n), contiguous by row; without ``counting`` it enters the envelope only.

        Raises CountError at a value that is not finite (what lies before its tile is counted).
        """
        rows = len(values)
        start = 0
        while start < rows:
            # the stacks of turning points hold any residue: they grow before they could be full
            piece = min(rows - start, 8 * TILE)
            needed = int(self._tally.depth.max(initial=0)) + piece + 2
            if needed > self._capacity:
                self._grow(2 * needed)
            before = int(self._tally.number[0])
            bad = count_rows(values, start, start + piece, counting, self._tally)
            if bad >= 0:
                first = start + int(self._tally.number[0]) - before
                wrong = ~np.isfinite(values[first : start + piece])
                row, column = np.argwhere(wrong)[0] if wrong.any() else (0, bad)
                raise CountError(int(column), int(self._tally.number[0]) + int(row))
            start += piece

    def _grow(self, capacity: int) -> None:
        c = len(self._tally.column)
        stack = np.zeros((c, capacity))
        stack[:, : self._capacity] = self._tally.stack.reshape(c, self._capacity)
        self._capacity = capacity
        self._tally = self._tally._replace(stack=stack.ravel())

    def counts(self) -> Counts:
        """Everything counted so far, residue included; counting may go on afterwards."""
        t = self._tally
        n, c, e = len(t.mean), len(t.column), len(t.exponent)
        samples = int(t.number[1])
        closed, size = int(t.number[2]), int(t.number[3])
        filled = closed + (1 if t.number[4] else 0)
        length = np.full(filled, float(size))
        if t.number[4]:
            length[-1] = t.number[4]
        damage, cycles, width = t.damage.reshape(c, e).copy(), t.cycles.reshape(c, -1).copy(), t.range_width.copy()
        for j in range(c):
            for ranges, weight in self._open_ranges(j):
                width[j] = count_ranges(ranges, weight, damage[j], t.exponent, cycles[j], width[j])
        nothing = np.full(n, np.nan)
        return Counts(
            samples=samples,
            minimum=t.low.copy(), maximum=t.high.copy(),
            mean=t.mean.copy() if samples else nothing,
            standard_deviation=np.sqrt(t.square / samples) if samples else nothing,
            minimum_at=t.low_at.copy(), maximum_at=t.high_at.copy(),
            damage=damage, cycles=cycles, cycle_edges=width[:, None] * np.arange(RANGE_BINS + 1),
            samples_at_level=t.level.reshape(c, -1).astype(float),
            level_edges=t.level_width[:, None] * (t.level_first[:, None] + np.arange(LEVEL_BINS + 1.0)),
            block_samples=size,
            block_low=t.block_low.reshape(-1, n)[:filled].copy(),
            block_mean=t.block_sum.reshape(-1, n)[:filled] / length[:, None],
            block_high=t.block_high.reshape(-1, n)[:filled].copy(),
        )  # fmt: skip

    def _open_ranges(self, j: int) -> list[tuple[Float, float]]:
        """Ranges (and their weight) that a counted channel adds when it ends here."""
        t = self._tally
        if t.course[j] == 0:
            return []
        first = j * self._capacity
        waiting = t.stack[first : first + t.depth[j]]
        # the last value is a turning point now and may close cycles
        closed, residue = _closed_ranges(np.append(waiting, t.last[j]))
        if self.residue == "half":
            return [(closed, 1.0), (np.abs(np.diff(residue)), 0.5)]
        if self.residue == "repeat":
            return [(closed, 1.0), (_closed_ranges(np.concatenate([residue, residue]))[0], 1.0)]
        return [(closed, 1.0)]


def _closed_ranges(x: Float) -> tuple[Float, Float]:
    size = len(x) // 2 + 2
    begin, end, stack = np.empty(size), np.empty(size), np.empty(len(x) + 2)
    found, top = count_series(x, begin, end, stack)
    return np.abs(end[:found] - begin[:found]), stack[:top]
