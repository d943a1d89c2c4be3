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

from gearwright.system import kernel

Float = NDArray[np.float64]

#: Edges of the pass and stop band in units of the stored sampling rate, and the attenuation [dB].
PASS_BAND = 0.4
STOP_BAND = 0.6
ATTENUATION = 60.0
#: Aim of each stage: ripples of two stages add up, and Kaiser's formula falls short by up to 1 dB at few taps.
_DESIGN = ATTENUATION + 7.0


def stages(ratio: int) -> tuple[int, ...]:
    """Decimation in one step or two (the first times the second is ``ratio``), whichever costs fewer products."""

    def cost(first: int) -> float:
        if first == ratio:
            return len(taps(ratio)) / ratio
        return (len(taps(first, ratio)) + len(taps(ratio // first)) / (ratio // first)) / first

    if ratio == 1:
        return ()
    best = min((d for d in range(2, ratio + 1) if ratio % d == 0), key=cost)
    return (ratio,) if best == ratio else (best, ratio // best)


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
        self._channels = channels
        self._stages = [
            _Stage(step, taps(step, ratio if i + 1 < len(steps) else None), channels) for i, step in enumerate(steps)
        ]

    def add(self, values: Float) -> Float:
        """Take a chunk (k, n), return the outputs that are complete (j, n)."""
        for stage in self._stages:
            values = stage.add(values)
        return values

    def finish(self) -> Float:
        """The outputs that need samples after the last one."""
        rest = np.zeros((0, self._channels))
        for stage in self._stages:
            rest = np.concatenate([stage.add(rest), stage.finish()])
        return rest


@kernel
def filter_rows(x, weights, ratio, out):  # type: ignore[no-untyped-def]
    """Row j of ``out``: the rows of ``x`` from ``ratio * j`` on, weighed symmetrically, all channels side by side."""
    half = len(weights) // 2
    n = out.shape[1]
    for j in range(len(out)):
        m = j * ratio + half
        for c in range(n):
            out[j, c] = weights[half] * x[m, c]
        for k in range(1, half, 2):
            # two pairs of rows at a time: half the traffic
            near, far = weights[half + k], weights[half + k + 1]
            for c in range(n):
                out[j, c] += near * (x[m - k, c] + x[m + k, c]) + far * (x[m - k - 1, c] + x[m + k + 1, c])
        if half % 2:
            for c in range(n):
                out[j, c] += weights[2 * half] * (x[m - half, c] + x[m + half, c])


class _Stage:
    """One filter and the decimation after it."""

    def __init__(self, ratio: int, weights: Float, channels: int):
        self._ratio, self._weights = ratio, weights
        self._half = len(weights) // 2
        # rows of the input from the first one that the next output needs
        self._held = np.zeros((0, channels))
        self._started = False

    def add(self, values: Float) -> Float:
        """Take a chunk (k, n), return the outputs that are complete (j, n)."""
        held = np.concatenate([self._held, values])
        if not self._started:
            if len(held) <= self._half:
                self._held = held
                return held[:0]
            held = self._begun(held)
        out = self._filtered(held)
        self._held = held[len(out) * self._ratio :].copy()
        return out

    def finish(self) -> Float:
        """The outputs that need samples after the last one."""
        held, self._held = self._held, self._held[:0]
        if len(held) == 0:
            return held
        if not self._started:
            held = self._begun(held)
        return self._filtered(_continued(held, 0, self._half))

    def _begun(self, values: Float) -> Float:
        """The start continued backwards, so that the first output has all its inputs."""
        self._started = True
        return _continued(values, self._half - (self._ratio - 1), 0)

    def _filtered(self, held: Float) -> Float:
        count = max((len(held) - len(self._weights)) // self._ratio + 1, 0)
        out = np.empty((count, held.shape[1]))
        filter_rows(held, self._weights, self._ratio, out)
        return out


def _continued(values: Float, before: int, after: int) -> Float:
    """Point reflection about the first and last row; repeated where the series is shorter than that."""
    return np.asarray(np.pad(values, ((before, after), (0, 0)), mode="reflect", reflect_type="odd"))
