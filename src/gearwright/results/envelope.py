"""Envelope spectrum, combs and shock pulses: what a damaged bearing leaves in a vibration.

An impact rings the structure at its own frequencies; how often impacts come is in the envelope, not in the plain
spectrum. Source: R. B. Randall, J. Antoni, Mech. Syst. Signal Process. 25 (2011) 485-520; shock pulses: ISO/TR 13373-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .spectra import Spectrum

Float = NDArray[np.float64]


def envelope(series: ArrayLike, interval: float, band: tuple[float, float] | None = None) -> Float:
    """Envelope of a series [its unit]: magnitude of the analytic signal of the part within ``band`` [Hz].

    Without a band only the mean is taken off. Raises ValueError for a band outside 0 to half the sampling rate, or a
    series that is short or not finite.
    """
    x = _checked(series, interval)
    n, top = len(x), 0.5 / interval
    low, high = (0.0, top) if band is None else band
    if not 0.0 <= low < high <= top * (1.0 + 1e-9):
        raise ValueError(f"the band {low:g} to {high:g} Hz must lie within 0 to {top:g} Hz, half the sampling rate")
    spectrum = np.fft.fft(x - x.mean())
    frequency = np.fft.fftfreq(n, interval)
    keep = (frequency > 0.0) & (frequency >= low) & (frequency <= high)
    return np.asarray(np.abs(np.fft.ifft(np.where(keep, 2.0 * spectrum, 0.0))))


def envelope_spectrum(series: ArrayLike, interval: float, band: tuple[float, float] | None = None) -> Spectrum:
    """Amplitudes of the envelope over frequency, its mean taken off, Hann window."""
    from .spectra import amplitude_spectrum

    found = amplitude_spectrum(envelope(series, interval, band), interval)
    shown = "all frequencies" if band is None else f"{band[0]:g} to {band[1]:g} Hz"
    return Spectrum(found.frequency, found.value, f"envelope of {shown}, {found.method}")


@dataclass(frozen=True)
class Comb:
    """A comb of lines at multiples of a frequency.

    ``frequency`` [Hz] that fits best near the nominal one, ``strength``: geometric mean of its lines over the median of
    the spectrum in the same range (1: nothing stands out; a line that is missing counts as much as one that is there),
    ``lines``: amplitude of each multiple.
    """

    frequency: float
    strength: float
    lines: Float


def comb(spectrum: Spectrum, frequency: float, harmonics: int = 8, tolerance: float = 0.01) -> Comb:
    """The best comb within ``tolerance`` (relative) of a frequency, over up to ``harmonics`` multiples.

    Raises ValueError where the spectrum does not resolve the frequency by three lines.
    """
    f, a = np.asarray(spectrum.frequency), np.asarray(spectrum.value)
    step = float(f[1] - f[0])
    if not frequency >= 3.0 * step:
        raise ValueError(
            f"{frequency:g} Hz cannot be told apart in a spectrum with lines {step:g} Hz apart: a longer record is needed"
        )
    count = min(harmonics, int((f[-1] - step) / (frequency * (1.0 + tolerance))))
    if count < 1:
        raise ValueError(f"{frequency:g} Hz lies above the spectrum, which ends at {f[-1]:g} Hz")
    # a trial step that moves the last multiple by half a line
    trials = max(int(np.ceil(2.0 * tolerance * frequency * count / (0.5 * step))) | 1, 1)
    background = float(np.median(a[(f > 0.5 * frequency) & (f < (count + 0.5) * frequency)]))
    best: Comb | None = None
    for trial in frequency * (1.0 + np.linspace(-tolerance, tolerance, trials)):
        lines = np.interp(trial * np.arange(1, count + 1), f, a)
        strength = float(np.exp(np.mean(np.log(np.maximum(lines, 1e-300) / max(background, 1e-300)))))
        if best is None or strength > best.strength:
            best = Comb(float(trial), strength, lines)
    assert best is not None
    return best


def shock_pulses(series: ArrayLike, interval: float, band: tuple[float, float] | None = None, threshold: float = 3.0,
                 least_distance: float = 0.0) -> tuple[Float, Float]:  # fmt: skip
    """Times [s] and heights of pulses: peaks of the envelope above ``threshold`` times its median.

    Of peaks closer than ``least_distance`` [s] the highest counts. Raises ValueError for a threshold of one or less.
    """
    from scipy.signal import find_peaks

    if not threshold > 1.0:
        raise ValueError(f"a threshold of pulses is a multiple of the median above 1, got {threshold:g}")
    e = envelope(series, interval, band)
    at, _ = find_peaks(e, height=threshold * float(np.median(e)), distance=max(1, round(least_distance / interval)))
    return np.asarray(at * interval, float), e[at]


def diagnose(spectrum: Spectrum, frequencies: Mapping[str, float], harmonics: int = 8,
             tolerance: float = 0.01) -> dict[str, Comb]:  # fmt: skip
    """Combs of an envelope spectrum at named frequencies, the strongest first; what is not resolved is left out."""
    found = {}
    for name, frequency in frequencies.items():
        try:
            found[name] = comb(spectrum, frequency, harmonics, tolerance)
        except ValueError:
            continue
    return dict(sorted(found.items(), key=lambda item: -item[1].strength))


def _checked(series: ArrayLike, interval: float) -> Float:
    x = np.asarray(series, float)
    if x.ndim != 1 or len(x) < 16 or not np.isfinite(x).all() or not interval > 0.0:
        raise ValueError("an envelope needs a finite series of one dimension with 16 samples or more and an interval")
    return x


__all__ = ["Comb", "comb", "diagnose", "envelope", "envelope_spectrum", "shock_pulses"]
