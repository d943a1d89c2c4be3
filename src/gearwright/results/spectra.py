"""Spectra of evenly sampled series: one-sided power density and amplitude, window stated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float = NDArray[np.float64]


class Spectrum(NamedTuple):
    """A one-sided spectrum: ``frequency`` [Hz], ``value`` and how it was made, in words."""

    frequency: Float
    value: Float
    method: str


def power_spectral_density(
    series: ArrayLike,
    interval: float,
    segment: float | None = None,
    window: str = "hann",
) -> Spectrum:
    """One-sided power spectral density [unit²/Hz] by Welch's method: segments share half with the next, their means are taken off.

    Parameters
    ----------
    series : values along the last axis
    interval : sample interval [s]
    segment : length of a segment [s], so that lines are 1/segment apart; None: an eighth of the series
        (at least 256 samples where there are so many)
    window : any window name of scipy.signal

    The sum over frequency times the spacing of the lines is the mean variance of the windowed segments: of a
    stationary series, its variance. Source: Welch (1967).
    """
    from scipy import signal

    x = _checked(series, interval)
    length = _segment_length(x.shape[-1], interval, segment)
    frequency, value = signal.welch(
        x, 1.0 / interval, window=window, nperseg=length, noverlap=min(length // 2, length - 1), detrend="constant"
    )
    method = f"Welch, {window} window, segments of {length * interval:g} s, overlap 50%"
    return Spectrum(frequency, value, method)


def amplitude_spectrum(series: ArrayLike, interval: float, window: str = "hann") -> Spectrum:
    """One-sided spectrum of amplitudes (peak values) [unit], one segment, corrected for the window.

    A sine of amplitude A whose frequency falls on a line shows as A there. The mean is taken off first and
    put back as the value at zero frequency.
    """
    from scipy import signal

    x = _checked(series, interval)
    n = x.shape[-1]
    weights = signal.get_window(window, n)
    mean = x.mean(axis=-1, keepdims=True)
    value = np.abs(np.fft.rfft((x - mean) * weights, axis=-1)) * 2.0 / weights.sum()
    if n % 2 == 0:
        value[..., -1] *= 0.5
    value[..., 0] = np.abs(mean[..., 0])
    return Spectrum(
        np.asarray(np.fft.rfftfreq(n, interval), float), value, f"amplitude, {window} window, {n * interval:g} s"
    )


def _segment_length(samples: int, interval: float, segment: float | None) -> int:
    if segment is None:
        # even, so that the last line is half the sampling rate
        return max(min(samples, max(samples // 8, 256)) // 2 * 2, 2)
    length = round(segment / interval)
    if not 2 <= length <= samples:
        raise ValueError(f"a segment of {segment:g} s does not fit a series of {samples * interval:g} s")
    return length


def _checked(series: ArrayLike, interval: float) -> Float:
    x = np.asarray(series, float)
    if x.ndim < 1 or x.shape[-1] < 2 or not interval > 0.0:
        raise ValueError("a spectrum needs at least two samples and a positive interval")
    if not np.isfinite(x).all():
        raise ValueError("a spectrum needs finite values")
    return x


class Waterfall(NamedTuple):
    """Spectra of amplitudes one after the other: ``time`` [s] of their middles, ``frequency`` [Hz], ``value`` (frequency, time)."""

    time: Float
    frequency: Float
    value: Float
    method: str


def waterfall(series: ArrayLike, interval: float, segment: float, hop: float, start: float = 0.0) -> Waterfall:
    """Amplitudes (peak) [unit] over time and frequency of one series: Hann-windowed segments of ``segment`` seconds whose
    line is taken off, one every ``hop`` seconds. ``start`` is the time of the first sample.

    A steady sine shows with its amplitude in every column. Raises ValueError for a segment longer than the series.
    """
    from scipy import signal

    x = _checked(series, interval)
    length = _segment_length(x.shape[-1], interval, segment)
    weights = signal.get_window("hann", length)
    step = max(round(hop / interval), 1)
    places = np.arange(0, x.shape[-1] - length + 1, step)
    pieces = signal.detrend(np.stack([x[p : p + length] for p in places]), axis=-1)
    value = np.abs(np.fft.rfft(pieces * weights, axis=-1)) * 2.0 / weights.sum()
    middle = start + interval * (places + 0.5 * (length - 1))
    method = f"Hann window, segments of {length * interval:g} s every {step * interval:g} s, line taken off"
    return Waterfall(middle, np.asarray(np.fft.rfftfreq(length, interval), float), value.T, method)
