"""Frequency and damping of a mode from a record: the decay of its swings, or the peak of its spectrum.

Sources: logarithmic decrement, S0 equation 4.11; peak of a measured torque, S1 section 3.6.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float = NDArray[np.float64]


class IdentificationError(ValueError):
    """A record that says nothing about a mode: the message says why and what would help."""


@dataclass(frozen=True)
class Mode:
    """An identified mode: frequency [Hz] (damped: that of the record) and damping ratio with standard errors.

    ``swings`` peaks used (decay) or lines of the spectrum used; ``method`` decay or spectrum.
    """

    frequency: float
    frequency_error: float
    damping_ratio: float
    damping_error: float
    swings: int
    method: str

    @property
    def undamped(self) -> float:
        """Undamped natural frequency [Hz]."""
        return self.frequency / math.sqrt(1.0 - self.damping_ratio**2)


def decrement_ratio(decrement: float) -> float:
    """Damping ratio of a logarithmic decrement a period: ``d / sqrt(4 pi^2 + d^2)``."""
    return decrement / math.hypot(2.0 * math.pi, decrement)


def _series(series: ArrayLike, interval: float) -> Float:
    x = np.asarray(series, float)
    if x.ndim != 1 or len(x) < 16 or not np.isfinite(x).all():
        raise IdentificationError(f"a finite series of one dimension with at least 16 samples is needed, got {x.shape}")
    if not interval > 0.0:
        raise IdentificationError(f"the sample interval must be positive, got {interval:g} s")
    return x


def decay(series: ArrayLike, interval: float, *, final: float | None = None, floor: float = 0.05) -> Mode:
    """Frequency and damping from free decaying swings, by a line through the logarithms of all peaks.

    Parameters
    ----------
    series, interval : a stretch of a record [any unit] that holds one decaying mode, and its sample interval [s]
    final : the value that it swings about; None: found so that upper and lower peaks decay alike
    floor : peaks below this part of the largest are left out (noise)

    Peaks and troughs are placed by a parabola through the samples above 70 % of each. Raises IdentificationError for fewer than five.
    """
    x = _series(series, interval)
    centre = float(final) if final is not None else _centre(x)
    y = x - centre
    where, height = _peaks(y)
    kept = np.abs(height) > floor * np.abs(height).max(initial=0.0)
    where, height = where[kept], np.abs(height[kept])
    # from the largest swing on: what comes before is excitation
    first = int(np.argmax(height)) if len(height) else 0
    where, height = where[first:], height[first:]
    if len(where) < 5:
        raise IdentificationError(f"{len(where)} peaks above {100 * floor:g} % of the largest: at least five are needed; "
                                  "take a longer stretch, or one mode alone")  # fmt: skip
    halves = np.arange(len(where))
    # noise of one size all along weighs most on the logarithms of small peaks
    slope, slope_error = _line(halves, np.log(height), height**2)
    period, period_error = _line(halves, where * interval, height**2)
    if slope >= 0.0:
        raise IdentificationError("the swings do not decay; choose the stretch after the excitation (--from, --to)")
    decrement, error = -2.0 * slope, 2.0 * slope_error
    ratio = decrement_ratio(decrement)
    frequency = 0.5 / period
    # d ratio / d decrement = 4 pi^2 / (4 pi^2 + d^2)^1.5
    sensitivity = 4.0 * math.pi**2 / (4.0 * math.pi**2 + decrement**2) ** 1.5
    return Mode(frequency, frequency * period_error / period, ratio, sensitivity * error, len(where), "decay")


def _centre(x: Float) -> float:
    """Value about which peaks and troughs decay alike: the mean of every peak and the mean of its neighbours, the late ones
    counting most."""
    where, height = _peaks(x - x.mean())
    if len(height) < 3:
        return float(x.mean())
    middle = 0.25 * (height[:-2] + 2.0 * height[1:-1] + height[2:])
    return float(x.mean() + np.average(middle, weights=1.0 + np.arange(len(middle))))


def _peaks(y: Float) -> tuple[Float, Float]:
    """Places (in samples) and heights of the extremes between crossings of zero, by parabolas through their caps."""
    sign = np.sign(y)
    sign[sign == 0.0] = 1.0
    cuts = np.flatnonzero(sign[1:] != sign[:-1]) + 1
    places, heights = [], []
    # the pieces before the first and after the last crossing may hold no extreme of their own
    for a, b in zip(cuts[:-1], cuts[1:], strict=True):
        i = a + int(np.argmax(np.abs(y[a:b])))
        # samples of the cap: noise averages out of a parabola through all of them
        cap = a + np.flatnonzero(np.abs(y[a:b]) >= 0.7 * abs(y[i]))
        if len(cap) < 3:
            cap = np.arange(max(i - 1, 0), min(i + 2, len(y)))
        if len(cap) < 3:
            continue
        bend, slope, level = np.polyfit(cap - i, y[cap], 2)
        shift = -0.5 * slope / bend if bend != 0.0 else 0.0
        if abs(shift) > len(cap):
            continue
        places.append(i + shift)
        heights.append(level + 0.5 * slope * shift)
    return np.array(places), np.array(heights)


def _line(x: ArrayLike, y: Float, weight: Float) -> tuple[float, float]:
    """Slope of a weighted least-squares line and its standard error."""
    x, w = np.asarray(x, float), weight / weight.mean()
    dx, dy = x - np.average(x, weights=w), y - np.average(y, weights=w)
    square = float(w @ dx**2)
    slope = float(w @ (dx * dy)) / square
    rest = dy - slope * dx
    return slope, math.sqrt(float(w @ rest**2) / max(len(x) - 2, 1) / square)


def spectrum_peak(
    series: ArrayLike, interval: float, band: tuple[float, float] | None = None, *, segment: float | None = None
) -> Mode:
    """Frequency and damping from the peak of a power spectral density, by the curve of one mode under even excitation.

    ``A / ((1 - r^2)^2 + (2 zeta r)^2) + B`` with ``r = f/f_0`` is fitted to the logarithm of the density inside ``band``
    [Hz] (None: everything below a third of the sampling frequency). ``segment`` [s] is Welch's: its lines must be finer than the peak is
    wide (2 zeta f). Raises IdentificationError.
    """
    from scipy.optimize import curve_fit

    from gearwright.results.spectra import power_spectral_density

    x = _series(series, interval)
    low, high = band if band is not None else (2.0 / (len(x) * interval), 1.0 / (3.0 * interval))
    if not 0.0 <= low < high <= 0.5 / interval:
        raise IdentificationError(
            f"band {low:g} to {high:g} Hz: rising, up to half the sampling frequency, {0.5 / interval:g} Hz"
        )
    found = power_spectral_density(x - x.mean(), interval, segment if segment is not None else len(x) * interval / 8.0)
    inside = (found.frequency >= low) & (found.frequency <= high) & (found.frequency > 0.0)
    f, s = found.frequency[inside], np.asarray(found.value)[inside]
    if len(f) < 8 or not (s > 0.0).any():
        raise IdentificationError(f"{len(f)} lines of the spectrum between {low:g} and {high:g} Hz: at least eight are needed; take "
                                  "a wider band or longer segments")  # fmt: skip
    f, s = f[s > 0.0], s[s > 0.0]
    top = int(np.argmax(s))

    def curve(f: Float, f0: float, zeta: float, a: float, b: float) -> Float:
        r2 = (f / f0) ** 2
        return np.asarray(np.logaddexp(a - np.log((1.0 - r2) ** 2 + 4.0 * zeta**2 * r2), b))

    start = (f[top], 0.03, math.log(s[top]) + math.log(4 * 0.03**2), math.log(s.min()))
    try:
        values, covariance = curve_fit(
            curve, f, np.log(s), start, bounds=((low, 1e-5, -np.inf, -np.inf), (high, 0.7, np.inf, np.inf))
        )
    except (RuntimeError, ValueError) as error:
        raise IdentificationError(f"no single mode fits the spectrum between {low:g} and {high:g} Hz ({error}); choose a band "
                                  "around one peak") from None  # fmt: skip
    errors = np.sqrt(np.diag(covariance))
    f0, zeta = float(values[0]), float(values[1])
    if zeta < 0.25 * (f[1] - f[0]) / f0:
        raise IdentificationError(f"the peak at {f0:.4g} Hz is narrower than the lines of the spectrum ({f[1] - f[0]:.3g} Hz): take longer "
                                  "segments (a longer record)")  # fmt: skip
    return Mode(f0 * math.sqrt(1.0 - zeta**2), float(errors[0]), zeta, float(errors[1]), len(f), "spectrum")


__all__ = ["IdentificationError", "Mode", "decay", "decrement_ratio", "spectrum_peak"]
