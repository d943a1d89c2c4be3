"""Low-pass filter before decimation: linear phase, no delay, chunk by chunk.

A stored channel keeps what happens below 0.4 / store interval within 0.1 %; what lies above 0.6 / store
interval, and would come back as a false slow oscillation, is reduced by 60 dB or more. (Between the two the
filter falls off; lines from 0.5 to 0.6 fold back to 0.4 to 0.5.) Kaiser windows, in two stages where that costs
less: the first then only has to stop what would fold into the band of the second. Before the first and after
the last sample the signal is continued by point reflection, which keeps levels and slopes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import kernel
from gearwright.kernels.vectors import ROWS, TAPS, weighted

Float = NDArray[np.float64]

#: Edges of the pass and stop band in units of the stored sampling rate, and the attenuation [dB].
PASS_BAND = 0.4
STOP_BAND = 0.6
ATTENUATION = 60.0
#: Aim of each stage: ripples of two stages add up, and Kaiser's formula falls short by up to 1 dB at few taps.
_DESIGN = ATTENUATION + 7.0


def stages(ratio: int) -> tuple[int, ...]:
    """Decimation in one step or two (the first times the second is ``ratio``), whichever costs less."""

    def cost(first: int) -> float:
        if first == ratio:
            return _cost(len(taps(ratio)), ratio)
        return _cost(len(taps(first, ratio)), first) + _cost(len(taps(ratio // first)), ratio // first) / first

    if ratio == 1:
        return ()
    best = min((d for d in range(2, ratio + 1) if ratio % d == 0), key=cost)
    return (ratio,) if best == ratio else (best, ratio // best)


def _cost(length: int, ratio: int) -> float:
    """Products per sample of the input; to begin an output costs as much as twenty, to move a sample as ten."""
    return (length + 20.0) / ratio + 10.0


def taps(ratio: int, total: int | None = None) -> Float:
    """Weights of one low-pass for decimation by ``ratio``: odd number, symmetric, sum 1.

    ``total`` is the whole decimation if a second stage follows: then only what would fold below its stop band
    is stopped.
    """
    low = PASS_BAND / (total or ratio)
    high = STOP_BAND / ratio if total is None else 1.0 / ratio - STOP_BAND / total
    half = int(np.ceil((_DESIGN - 7.95) / (2.285 * 2 * np.pi * (high - low)) / 2))
    half = -(-(half + 1) // (TAPS // 2)) * (TAPS // 2) - 1  # with a zero before them, whole vectors
    beta = 0.1102 * (_DESIGN - 8.7)  # Kaiser (1974), for more than 50 dB
    k = np.arange(-half, half + 1)
    weights = np.sinc((low + high) * k) * np.kaiser(2 * half + 1, beta)
    return np.asarray(weights / weights.sum())


class Decimator:
    """Keeps every ``ratio``-th sample of n filtered channels.

    Output j stands at input sample ``ratio * (j + 1) - 1`` (counted from 0), so that a run sampled at
    ``interval * (1, 2, ...)`` is stored at ``interval * ratio * (1, 2, ...)``. With ratio 1 nothing is filtered.
    """

    def __init__(self, ratio: int, channels: int):
        if ratio < 1:
            raise ValueError(f"the decimation ratio must be at least 1, got {ratio}")
        self.ratio = ratio
        steps = stages(ratio)
        self._stages = [
            _Stage(step, taps(step, ratio if i + 1 < len(steps) else None), channels) for i, step in enumerate(steps)
        ] or [_Stage(1, np.ones(1), channels)]

    def compiled(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """Compiled functions that filtering needs, each with arguments of the kinds it is called with."""
        return [] if self.ratio == 1 else [(weigh, (np.zeros((1, 1)), 0, np.zeros((1, 1)), np.zeros(1), 1))]

    def add(self, values: Float) -> Float:
        """Take a chunk (k, n), best contiguous by channel; return the outputs that are complete (j, n), so too.

        What is returned is never memory of the chunk, which the caller may use again.
        """
        room, first = self.room(len(values))
        room[:, first : first + len(values)] = values.T
        return self.taken(len(values))

    def room(self, samples: int) -> tuple[Float, int]:
        """Memory (n, some number) for the next samples, and the column at which the caller writes the first of them."""
        return self._stages[0].room(samples)

    def taken(self, samples: int) -> Float:
        """Take the samples that were written to :meth:`room`; returns what :meth:`add` does."""
        channels = self._stages[0].taken(samples)
        for stage in self._stages[1:]:
            channels = stage.add(channels)
        return channels.T

    def finish(self) -> Float:
        """The outputs that need samples after the last one."""
        rest = self._stages[0].finish()
        for stage in self._stages[1:]:
            rest = np.concatenate([stage.add(rest), stage.finish()], axis=1)
        return rest.T


class _Stage:
    """One filter and the decimation after it; arrays are (channels, samples)."""

    def __init__(self, ratio: int, weights: Float, channels: int):
        self._ratio, self._weights = ratio, np.append(0.0, weights)
        self._half = len(weights) // 2
        # the input from the first sample on that the next output needs: the first columns of the room
        self._room = np.empty((channels, 0))
        self._filled = 0
        self._started = False
        self._weigh: Callable[..., None]

    def room(self, samples: int) -> tuple[Float, int]:
        """Memory for the next samples; it grows, and is used again, because fresh memory is slow."""
        end = self._filled + samples
        if end > self._room.shape[1]:
            room = np.empty((len(self._room), end + self._ratio))
            room[:, : self._filled] = self._held
            self._room = room
            self._weigh = weigh.closing(room, self._weights, self._ratio)
        return self._room, self._filled

    def taken(self, samples: int) -> Float:
        """Take what was written to the room, return the outputs that are complete (n, j)."""
        self._filled += samples
        if not self._started:
            if self._filled <= self._half:
                return np.empty((len(self._room), 0))
            self._started = True
            self._put(self._begun())
        return self._filtered()

    def add(self, values: Float) -> Float:
        """Take a chunk (n, k), return the outputs that are complete (n, j)."""
        room, first = self.room(values.shape[1])
        room[:, first : first + values.shape[1]] = values
        return self.taken(values.shape[1])

    def finish(self) -> Float:
        """The outputs that need samples after the last one."""
        if self._filled == 0:
            return np.empty((len(self._room), 0))
        if not self._started:
            self._put(self._begun())
        self._put(_continued(self._held, 0, self._half))
        out = self._filtered()
        self._filled = 0
        return out

    def _begun(self) -> Float:
        """The first samples, and what is thought to lie before them: half a filter, and what the zero weight takes."""
        before = self._half + 1 - (self._ratio - 1) if self._ratio > 1 else 0
        return _continued(self._held, before, 0)

    @property
    def _held(self) -> Float:
        return self._room[:, : self._filled]

    def _put(self, values: Float) -> None:
        """Hold these samples and no others."""
        self._filled = 0
        room, _ = self.room(values.shape[1])
        room[:, : values.shape[1]] = values
        self._filled = values.shape[1]

    def _filtered(self) -> Float:
        """The outputs that are complete; what later ones do not need is forgotten."""
        if self._ratio == 1:
            out = self._held.copy()
            self._filled = 0
            return out
        count = max((self._filled - len(self._weights)) // self._ratio + 1, 0)
        out = np.empty((len(self._room), count))
        self._weigh(out, self._filled)
        self._filled -= count * self._ratio
        return out


@kernel
def weigh(out, filled, held, weights, ratio):  # type: ignore[no-untyped-def]
    """Weighted sums of every row of ``held`` (n, k), begun every ``ratio`` samples, into ``out`` (n, j).

    The samples up to ``filled`` that come after the first of the next sum move to the begin of their row.
    """
    count = out.shape[1]
    whole = count // ROWS * ROWS
    for c in range(len(out)):
        row = held[c]
        for j in range(0, whole, ROWS):
            out[c, j], out[c, j + 1], out[c, j + 2], out[c, j + 3] = weighted(weights, row, j * ratio, ratio)
        for j in range(whole, count):
            out[c, j], _, _, _ = weighted(weights, row, j * ratio, 0)
        for i in range(filled - count * ratio):
            row[i] = row[count * ratio + i]


def _continued(values: Float, before: int, after: int) -> Float:
    """Point reflection about the first and last sample; repeated where the series is shorter than that."""
    return np.asarray(np.pad(values, ((0, 0), (before, after)), mode="reflect", reflect_type="odd"))
