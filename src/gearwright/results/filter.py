"""Low-pass filter before decimation: linear phase, no delay, chunk by chunk.

A stored channel keeps what happens below 0.4 / store interval within 0.1 %; what lies above 0.6 / store
interval, and would come back as a false slow oscillation, is reduced by 60 dB or more. (Between the two the
filter falls off; lines from 0.5 to 0.6 fold back to 0.4 to 0.5.) A Kaiser window gives that with 19 taps per
stored sample. Before the first and after the last sample the signal is continued by point reflection, which
keeps levels and slopes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]

#: Edges of the pass and stop band in units of the stored sampling rate, and the attenuation [dB].
PASS_BAND = 0.4
STOP_BAND = 0.6
ATTENUATION = 60.0
#: Kaiser's formula falls short of its aim by up to 1 dB at few taps.
_DESIGN = ATTENUATION + 2.0
#: Outputs per matrix product: with 18 taps per output about half of the matrix is not zero.
_OUTPUTS = 18


def taps(ratio: int) -> Float:
    """Weights of the low-pass for decimation by ``ratio``: odd number, symmetric, sum 1."""
    width = 2 * np.pi * (STOP_BAND - PASS_BAND) / ratio
    half = int(np.ceil((_DESIGN - 7.95) / (2.285 * width) / 2))
    beta = 0.1102 * (_DESIGN - 8.7)  # Kaiser (1974), for more than 50 dB
    k = np.arange(-half, half + 1)
    weights = np.sinc((PASS_BAND + STOP_BAND) * k / ratio) * np.kaiser(2 * half + 1, beta)
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
        self._weights = taps(ratio) if ratio > 1 else np.ones(1)
        self._half = len(self._weights) // 2
        self._channels = channels
        # rows of the input from the first one that the next output needs
        self._held = np.zeros((0, channels))
        self._started = False
        rows = (_OUTPUTS - 1) * ratio + len(self._weights)
        self._matrix = np.zeros((_OUTPUTS, rows))
        for i in range(_OUTPUTS):
            self._matrix[i, i * ratio : i * ratio + len(self._weights)] = self._weights

    def add(self, values: Float) -> Float:
        """Take a chunk (k, n), return the outputs that are complete (j, n)."""
        if self.ratio == 1:
            return values
        held = np.concatenate([self._held, values])
        if not self._started and len(held) > self._half:
            held = self._begun(held)
        rows, step = self._matrix.shape[1], _OUTPUTS * self.ratio
        batches = max((len(held) - rows) // step + 1, 0) if self._started else 0
        out = np.empty((batches * _OUTPUTS, self._channels))
        for b in range(batches):
            np.matmul(self._matrix, held[b * step : b * step + rows], out=out[b * _OUTPUTS : (b + 1) * _OUTPUTS])
        self._held = held[batches * step :].copy()
        return out

    def finish(self) -> Float:
        """The outputs that need samples after the last one."""
        held = self._held
        if self.ratio == 1 or len(held) == 0:
            return np.zeros((0, self._channels))
        if not self._started:
            held = self._begun(held)
        held = _continued(held, 0, self._half)
        count = max((len(held) - len(self._weights)) // self.ratio + 1, 0)
        out = np.empty((count, self._channels))
        for j in range(count):
            out[j] = self._weights @ held[j * self.ratio : j * self.ratio + len(self._weights)]
        self._held = held[:0]
        return out

    def _begun(self, values: Float) -> Float:
        """The start continued backwards, so that the first output has all its inputs."""
        self._started = True
        return _continued(values, self._half - (self.ratio - 1), 0)


def _continued(values: Float, before: int, after: int) -> Float:
    """Point reflection about the first and last row; repeated where the series is shorter than that."""
    return np.asarray(np.pad(values, ((before, after), (0, 0)), mode="reflect", reflect_type="odd"))
