"""Power spectral densities at the counting rate, formed while a run goes on (Welch 1967).

Stored series end below half the storing rate, often at 20 Hz; teeth mesh at hundreds. Segments with a Hann window that
overlap by half are transformed as they fill; only the sum of their squares is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]

#: most memory of the open segments of a run [bytes]
MEMORY = 256e6
#: channels that are transformed at a time: the library takes several side by side
_AT_ONCE = 8


class Densities(NamedTuple):
    """Kinds of channels (``mesh``, ...) whose densities are formed, the spacing of their lines [Hz], and the counted duration
    of the run [s]: one that is shorter than a segment is a segment."""

    kinds: tuple[str, ...]
    resolution: float
    duration: float = np.inf


class Welch:
    """Densities of some rows of chunks that come contiguous by channel.

    Parameters
    ----------
    rows : rows of a chunk
    resolution : spacing of the lines [Hz]: a segment is as long as its inverse
    interval : sample interval [s]
    duration : of what will come [s]
    """

    def __init__(self, rows: Sequence[int], resolution: float, interval: float, duration: float = np.inf):
        length = min(1.0 / resolution, duration) / interval
        self.samples = max(int(length + 1e-6) // 2 * 2, 4)
        self.interval = interval
        self.rows = np.array(rows, np.int64)
        if 8.0 * self.samples * len(self.rows) > MEMORY:
            finest = 8.0 * len(self.rows) / (MEMORY * interval)
            raise ValueError(
                f"spectra of {len(self.rows)} channels with lines {resolution:g} Hz apart need too much memory; at this "
                f"counting interval they may be {finest:.2g} Hz apart"
            )
        self.segments = 0
        self._held = np.empty((len(self.rows), self.samples))
        self._filled = 0
        self._sum = np.zeros((len(self.rows), self.samples // 2 + 1))
        self._window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(self.samples) / self.samples)

    def add(self, channels: Float, start: int, end: int) -> None:
        """Take columns start to end of ``channels``."""
        while start < end:
            stop = min(end, start + self.samples - self._filled)
            for to, row in zip(self._held, self.rows, strict=True):
                to[self._filled : self._filled + stop - start] = channels[row, start:stop]
            self._filled += stop - start
            start = stop
            if self._filled == self.samples:
                self._close()

    def _close(self) -> None:
        half = self.samples // 2
        for first in range(0, len(self.rows), _AT_ONCE):
            part = self._held[first : first + _AT_ONCE]
            lines = np.fft.rfft((part - part.mean(axis=1, keepdims=True)) * self._window)
            self._sum[first : first + _AT_ONCE] += lines.real**2 + lines.imag**2
        self.segments += 1
        self._held[:, :half] = self._held[:, half:]
        self._filled = half

    @property
    def frequency(self) -> Float:
        """Lines [Hz]."""
        return np.arange(self.samples // 2 + 1) / (self.samples * self.interval)

    def density(self) -> Float:
        """One-sided densities [unit²/Hz] (rows, lines): their sum times the spacing is the mean variance of the windowed
        segments. Not-a-number before a segment was full."""
        if not self.segments:
            return np.full_like(self._sum, np.nan)
        both = self._sum * (self.interval / (self.segments * float(self._window @ self._window)))
        both[:, 1:-1] *= 2.0
        return np.asarray(both)

    @property
    def method(self) -> str:
        """How it was made, in words."""
        return (
            f"Welch, hann window, {self.segments} segments of {self.samples * self.interval:g} s, overlap 50%, "
            f"at the counting rate"
        )
