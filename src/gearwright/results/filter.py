"""Low-pass filter before decimation: linear phase, no delay, chunk by chunk.

A stored channel keeps what happens below 0.4 / store interval within 0.1 %; what lies above 0.6 / store
interval, and would come back as a false slow oscillation, is reduced by 60 dB or more. (Between the two the
filter falls off; lines from 0.5 to 0.6 fold back to 0.4 to 0.5.) Kaiser windows, in two stages where that costs
less: the first then only has to stop what would fold into the band of the second. Before the first and after
the last sample the signal is continued by point reflection, which keeps levels and slopes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gearwright.system import kernel, summed

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
        self._ratio, self._weights = ratio, weights
        self._half = len(weights) // 2
        # the input from the first sample on that the next output needs: the first columns of the room
        self._room = np.empty((channels, 0))
        self._filled = 0
        self._started = False

    def room(self, samples: int) -> tuple[Float, int]:
        """Memory for the next samples; it grows, and is used again, because fresh memory is slow."""
        end = self._filled + samples
        if end > self._room.shape[1]:
            room = np.empty((len(self._room), end + self._ratio))
            room[:, : self._filled] = self._held
            self._room = room
        return self._room, self._filled

    def taken(self, samples: int) -> Float:
        """Take what was written to the room, return the outputs that are complete (n, j)."""
        self._filled += samples
        if not self._started:
            if self._filled <= self._half:
                return np.empty((len(self._room), 0))
            self._started = True
            self._put(_continued(self._held, self._half - (self._ratio - 1), 0))
        out = self._filtered()
        self._put(self._held[:, out.shape[1] * self._ratio :].copy())
        return out

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
            self._put(_continued(self._held, self._half - (self._ratio - 1), 0))
        self._put(_continued(self._held, 0, self._half))
        out = self._filtered()
        self._filled = 0
        return out

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
        count = max((self._filled - len(self._weights)) // self._ratio + 1, 0)
        if self._ratio == 1:
            return self._held.copy()
        out = np.empty((len(self._room), count))
        weigh(self._room, self._weights, self._ratio, out)
        return out


@summed
def two_sums(weights, x, y):  # type: ignore[no-untyped-def]
    """Weighted sums of two stretches, which share the reading of the weights."""
    first = 0.0
    second = 0.0
    for i in range(len(weights)):
        first += weights[i] * x[i]
        second += weights[i] * y[i]
    return first, second


@kernel
def weigh(held, weights, ratio, out):  # type: ignore[no-untyped-def]
    """Weighted sums of every row of ``held`` (n, k), begun every ``ratio`` samples, into ``out`` (n, j)."""
    length, count = len(weights), out.shape[1]
    for c in range(len(out)):
        for j in range(0, count - 1, 2):
            b = j * ratio
            out[c, j], out[c, j + 1] = two_sums(
                weights, held[c, b : b + length], held[c, b + ratio : b + ratio + length]
            )
        if count % 2:
            b = (count - 1) * ratio
            out[c, count - 1], _ = two_sums(weights, held[c, b : b + length], held[c, b : b + length])


def _continued(values: Float, before: int, after: int) -> Float:
    """Point reflection about the first and last sample; repeated where the series is shorter than that."""
    return np.asarray(np.pad(values, ((0, 0), (before, after)), mode="reflect", reflect_type="odd"))
