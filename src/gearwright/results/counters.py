"""Counting in the loop: extremes, moments, cycles, time at level, envelope, chunk by chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import RunError
from gearwright.system import Leaps

from .counter_kernels import (
    BAD,
    BINS,
    ENVELOPE,
    LANES,
    LARGEST,
    MEAN_STEP,
    MOST_LEAPS,
    PIECE,
    RANGE_STEP,
    STACKS,
    WITH_LEAPS,
    LeapTable,
    Loads,
    Moments,
    count_samples,
    count_series,
)
from .turning_points import HELD

Float = NDArray[np.float64]
Residue = Literal["half", "repeat", "ignore"]

#: Bins of the cycle and level histograms; a third to all of them are in use.
RANGE_BINS = 128
LEVEL_BINS = 256
#: rows (ranges) and columns (means) of the range-mean matrix
_ROWS, _COLUMNS = RANGE_BINS // RANGE_STEP, LEVEL_BINS // MEAN_STEP
#: Most blocks of the envelope; between half and all of them are in use in a long run.
BLOCKS = 2000


#: what counting goes on from, of both tables
_KEPT_MOMENTS = ("number", "mean", "square", "low", "high", "low_at", "high_at", "block_low", "block_sum", "block_high")
_KEPT_LOADS = (
    "tail",
    "rough",
    "course",
    "depth",
    "damage",
    "cycles",
    "extent",
    "range_width",
    "level",
    "level_width",
    "level_first",
    "matrix",
)


class CountError(RunError, ValueError):
    """A value that cannot be counted; carries the column and the number of the sample (from 0)."""

    def __init__(self, column: int, sample: int):
        super().__init__(f"column {column} is not finite, or beyond {LARGEST:g}, at sample {sample}")
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
    cycle_range : (c, range bins) mean range of the cycles of each bin, its middle where there are none
    range_mean : (c, range rows, mean columns) cycles; edges are every fourth of ``cycle_edges`` and every eighth of
        ``level_edges``
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
    cycle_range: Float
    range_mean: Float
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
    :mod:`gearwright.results.rainflow`).

    Histogram bins have a width that is a power of two and edges that are multiples of it, chosen from the
    extremes so far; when these grow, bins are joined in pairs. So nothing must be known in advance, no count
    is ever in a wrong bin, and histograms of different runs can be added exactly.

    ``between`` lets turning points of counted channels lie on parabolas through samples (:mod:`.turning_points`), for series that are
    smooth but for what :meth:`leap` says; extremes and envelope hold them.
    """

    def __init__(
        self,
        channels: int,
        counted: Sequence[int],
        exponents: Sequence[float],
        residue: Residue = "half",
        blocks: int = BLOCKS,
        between: bool = False,
    ):
        if residue not in ("half", "repeat", "ignore"):
            raise ValueError(f"residue must be half, repeat or ignore, got '{residue}'")
        if channels < 1 or blocks < 2 or blocks % 2:
            raise ValueError("counters need at least one channel and an even number of blocks")
        n, c = channels, len(counted)
        self.residue = residue
        slopes = np.array(exponents, float)
        self._order = np.argsort(slopes, kind="stable")
        self._blocks = blocks
        self._capacity = 2 * PIECE
        self._moments = Moments(
            number=np.array([0, 0, 0, 1, 0, 0], np.int64),
            mean=np.zeros(n),
            square=np.zeros(n),
            low=np.full(n, np.nan),
            high=np.full(n, np.nan),
            low_at=np.full(n, -1, np.int64),
            high_at=np.full(n, -1, np.int64),
            block_low=np.zeros((blocks + 1) * n),
            block_sum=np.zeros((blocks + 1) * n),
            block_high=np.zeros((blocks + 1) * n),
            piece_sum=np.zeros(n),
            piece_square=np.zeros(n),
            piece_low=np.zeros(n),
            piece_high=np.zeros(n),
            next_low=np.zeros(n),
            next_high=np.zeros(n),
        )
        self._loads = Loads(
            column=np.array(counted, np.int64),
            tail=np.zeros(c * HELD),
            rough=np.zeros(c, np.int64),
            course=np.zeros(c, np.int64),
            between=np.array([between], np.int64),
            turned=np.zeros(c * (WITH_LEAPS + 1)),
            turns=np.zeros(c, np.int64),
            spot=np.zeros(WITH_LEAPS + 1, np.int64),
            depth=np.zeros(c, np.int64),
            stack=np.zeros(c * self._capacity),
            exponent=slopes[self._order],
            step=_steps(slopes[self._order]),
            damage=np.zeros(c * len(exponents)),
            cycles=np.zeros(c * RANGE_BINS, np.int64),
            extent=np.zeros(c * RANGE_BINS),
            range_width=np.zeros(c),
            level=np.zeros(c * LEVEL_BINS, np.int64),
            level_width=np.zeros(c),
            level_first=np.zeros(c),
            matrix=np.zeros(c * _ROWS * _COLUMNS, np.int64),
            ranges=np.zeros(self._capacity),
            means=np.zeros(self._capacity),
            power=np.zeros(self._capacity),
            place=np.zeros(WITH_LEAPS + 1, np.uint16),
            tally=np.zeros(LANES * LEVEL_BINS, np.int64),
            fitted=np.zeros(3 * c),
        )
        self._leaps = LeapTable(
            first=np.zeros(n + 1, np.int64),
            at=np.zeros(MOST_LEAPS, np.int64),
            before=np.zeros(MOST_LEAPS),
            after=np.zeros(MOST_LEAPS),
            series=np.zeros(WITH_LEAPS),
            leapt=np.zeros(WITH_LEAPS, np.uint16),
        )
        self._count = count_samples.closing(self._moments, self._loads, self._leaps)

    def compiled(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """Compiled functions that counting needs, each with arguments of the kinds it is called with."""
        return [(count_samples, (np.zeros((1, 1)), 0, 0, 0, True, self._moments, self._loads, self._leaps))]

    def leap(self, leaps: Leaps | None) -> None:
        """Say what leaps between samples of the next calls of :meth:`count`, until this is called again; ``at`` counts columns of
        their chunk.

        Both limits enter extremes, envelope and cycles; moments and levels are those of the samples, since a leap takes no time.
        Of more than ``MOST_LEAPS`` the first are taken.
        """
        table = self._leaps
        if leaps is None:
            table.first[:] = 0
            return
        column = leaps.column[:MOST_LEAPS]
        order = np.argsort(column, kind="stable")
        table.first[:] = np.searchsorted(column[order], np.arange(len(table.first)))
        for room, values in ((table.at, leaps.at), (table.before, leaps.before), (table.after, leaps.after)):
            room[: len(order)] = values[order]

    def add(self, values: Float, counting: bool = True) -> None:
        """Count a chunk (k, n), best contiguous by channel; without ``counting`` it enters the envelope only.

        Raises CountError at a value that is not finite or beyond 1e150 (what lies before its piece is counted).
        """
        self.count(np.ascontiguousarray(values.T), 0, len(values), counting)

    def count(self, channels: Float, start: int, end: int, counting: bool = True) -> None:
        """Count columns start to end of ``channels`` (n, ...), contiguous by channel; as :meth:`add` otherwise."""
        scanned = start
        while start < end:
            start, scanned, task = self._count(channels, start, scanned, end, counting)
            if task == BINS:
                self._move_bins()
            elif task == STACKS:
                self._grow(2 * (int(self._loads.depth.max()) + WITH_LEAPS))
            elif task == ENVELOPE:
                self._halve_envelope()
            elif task >= BAD:
                wrong = np.argwhere(~(np.abs(channels[:, start:end].T) <= LARGEST))
                # finite values whose sum is not are named by their column
                row, column = wrong[0] if len(wrong) else (0, task - BAD)
                raise CountError(int(column), int(self._moments.number[0] + row))

    def _move_bins(self) -> None:
        """Move counts to the bins that hold the extremes so far: a function of these alone, whatever the chunks."""
        t = self._loads
        ranges, width, first = t.fitted.reshape(3, -1)
        for j in np.flatnonzero((ranges != t.range_width) & (t.range_width > 0.0)):
            place = np.arange(RANGE_BINS) * (t.range_width[j] / ranges[j])
            _move(t.cycles[j * RANGE_BINS : (j + 1) * RANGE_BINS], place)
            _move(t.extent[j * RANGE_BINS : (j + 1) * RANGE_BINS], place)
            matrix = t.matrix[j * _ROWS * _COLUMNS : (j + 1) * _ROWS * _COLUMNS].reshape(_ROWS, _COLUMNS)
            _move(matrix, place[::RANGE_STEP] / RANGE_STEP)
        for j in np.flatnonzero(((width != t.level_width) | (first != t.level_first)) & (t.level_width > 0.0)):
            place = (t.level_first[j] + np.arange(LEVEL_BINS)) * (t.level_width[j] / width[j]) - first[j]
            _move(t.level[j * LEVEL_BINS : (j + 1) * LEVEL_BINS], place)
            matrix = t.matrix[j * _ROWS * _COLUMNS : (j + 1) * _ROWS * _COLUMNS].reshape(_ROWS, _COLUMNS)
            _move(matrix.T, place[::MEAN_STEP] / MEAN_STEP)
        t.range_width[:], t.level_width[:], t.level_first[:] = ranges, width, first

    def _grow(self, capacity: int) -> None:
        c = len(self._loads.column)
        stack = np.zeros((c, capacity))
        stack[:, : self._capacity] = self._loads.stack.reshape(c, self._capacity)
        self._capacity = capacity
        # one swing may close all cycles that wait: their ranges need as much room
        self._loads = self._loads._replace(
            stack=stack.ravel(), ranges=np.zeros(capacity), means=np.zeros(capacity), power=np.zeros(capacity)
        )
        self._count = count_samples.closing(self._moments, self._loads, self._leaps)

    def _halve_envelope(self) -> None:
        """Join the closed blocks in pairs."""
        m = self._moments
        half = self._blocks // 2
        for values, join in ((m.block_low, np.minimum), (m.block_sum, np.add), (m.block_high, np.maximum)):
            pairs = values.reshape(-1, len(m.mean))
            pairs[:half] = join(pairs[0 : 2 * half : 2], pairs[1 : 2 * half : 2])
        m.number[2] = half
        m.number[3] *= 2

    def counts(self) -> Counts:
        """Everything counted so far, residue included; counting may go on afterwards."""
        m, t = self._moments, self._loads
        n, c, e = len(m.mean), len(t.column), len(t.exponent)
        samples, size = int(m.number[1]), int(m.number[3])
        filled = int(m.number[2]) + (1 if m.number[4] else 0)
        length = np.full(filled, float(size))
        if m.number[4]:
            length[-1] = m.number[4]
        damage = t.damage.reshape(c, e).copy()
        cycles = t.cycles.reshape(c, RANGE_BINS).astype(float)
        extent = t.extent.reshape(c, RANGE_BINS).copy()
        matrix = t.matrix.reshape(c, _ROWS, _COLUMNS).astype(float)
        for j in range(c):
            for ranges, means, weight in self._open_ranges(j):
                damage[j] += weight * (ranges[:, None] ** t.exponent).sum(axis=0)
                bins = (ranges / (t.range_width[j] or 1.0)).astype(int)
                np.add.at(cycles[j], bins, weight)
                np.add.at(extent[j], bins, weight * ranges)
                columns = (means / (t.level_width[j] or 1.0) - t.level_first[j]).astype(int)
                np.add.at(matrix[j], (bins // RANGE_STEP, columns // MEAN_STEP), weight)
        damage[:, self._order] = damage.copy()
        nothing = np.full(n, np.nan)
        return Counts(
            samples=samples,
            minimum=m.low.copy(),
            maximum=m.high.copy(),
            mean=m.mean.copy() if samples else nothing,
            standard_deviation=np.sqrt(m.square / samples) if samples else nothing,
            minimum_at=m.low_at.copy(),
            maximum_at=m.high_at.copy(),
            damage=damage,
            cycles=cycles,
            cycle_edges=t.range_width[:, None] * np.arange(RANGE_BINS + 1),
            cycle_range=np.where(
                cycles > 0.0, extent / np.maximum(cycles, 0.5), t.range_width[:, None] * (np.arange(RANGE_BINS) + 0.5)
            ),
            range_mean=matrix,
            samples_at_level=t.level.reshape(c, LEVEL_BINS).astype(float),
            level_edges=t.level_width[:, None] * (t.level_first[:, None] + np.arange(LEVEL_BINS + 1.0)),
            block_samples=size,
            block_low=m.block_low.reshape(-1, n)[:filled].copy(),
            block_mean=m.block_sum.reshape(-1, n)[:filled] / length[:, None],
            block_high=m.block_high.reshape(-1, n)[:filled].copy(),
        )

    def state(self) -> dict[str, NDArray[Any]]:
        """All that counting goes on from, as arrays; :meth:`restore` takes them. What a piece needs while it is counted is not among them."""
        deepest = int(self._loads.depth.max(initial=0))
        stack = self._loads.stack.reshape(len(self._loads.column), -1)[:, :deepest]
        kept = {f"moments_{name}": getattr(self._moments, name) for name in _KEPT_MOMENTS}
        kept |= {f"loads_{name}": getattr(self._loads, name) for name in _KEPT_LOADS}
        return {name: values.copy() for name, values in {**kept, "loads_stack": stack}.items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what :meth:`state` gave, of counters made alike. Raises ValueError where they were not."""
        stack = state["loads_stack"]
        if stack.shape[1] + WITH_LEAPS > self._capacity:
            self._grow(2 * (stack.shape[1] + WITH_LEAPS))
        for room, prefix, names in ((self._moments, "moments", _KEPT_MOMENTS), (self._loads, "loads", _KEPT_LOADS)):
            for name in names:
                getattr(room, name)[...] = state[f"{prefix}_{name}"]
        self._loads.stack.reshape(len(self._loads.column), -1)[:, : stack.shape[1]] = stack

    def _open_ranges(self, j: int) -> list[tuple[Float, Float, float]]:
        """Ranges and means (and their weight) that a counted channel adds when it ends here."""
        t = self._loads
        if t.course[j] == 0:
            return []
        first = j * self._capacity
        waiting = t.stack[first : first + t.depth[j]]
        # the last value is a turning point now, as may be the one before, and may close cycles
        last = t.tail[HELD * (j + 1) - 2 : HELD * (j + 1)]
        closed, means, residue = _closed_ranges(np.concatenate([waiting, last]))
        if self.residue == "half":
            return [(closed, means, 1.0), (np.abs(np.diff(residue)), 0.5 * (residue[1:] + residue[:-1]), 0.5)]
        if self.residue == "repeat":
            again, again_means, _ = _closed_ranges(np.concatenate([residue, residue]))
            return [(closed, means, 1.0), (again, again_means, 1.0)]
        return [(closed, means, 1.0)]


def _steps(slopes: Float) -> NDArray[np.int64]:
    """Multiplications from one whole exponent to the next (ascending); -1 for those that are not whole."""
    steps, last = [], 0
    for slope in slopes:
        whole = slope == int(slope) and slope >= 0
        steps.append(int(slope) - last if whole else -1)
        last = int(slope) if whole else last
    return np.array(steps, np.int64)


def _move(counts: NDArray[Any], place: Float) -> None:
    """Move counts (or sums) to new bins along the first axis, in place."""
    filled = np.flatnonzero(counts.reshape(len(counts), -1).any(axis=1))
    moved = np.zeros_like(counts)
    np.add.at(moved, np.floor(place[filled]).astype(int), counts[filled])
    counts[:] = moved


def _closed_ranges(x: Float) -> tuple[Float, Float, Float]:
    size = len(x) // 2 + 2
    begin, end, stack = np.empty(size), np.empty(size), np.empty(len(x) + 2)
    # a usual residue is short: not worth a compilation
    count = count_series.py_func if len(x) < 2000 else count_series  # type: ignore[attr-defined]
    found, top = count(x, begin, end, stack)
    return np.abs(end[:found] - begin[:found]), 0.5 * (end[:found] + begin[:found]), stack[:top]
