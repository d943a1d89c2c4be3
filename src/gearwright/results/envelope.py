"""Envelope spectrum, combs and shock pulses: what a damaged bearing leaves in a vibration.

An impact rings the structure at its own frequencies; how often impacts come is in the envelope, not in the plain
spectrum. Source: R. B. Randall, J. Antoni, Mech. Syst. Signal Process. 25 (2011) 485-520; shock pulses: ISO/TR 13373-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .spectra import Spectrum, amplitude_spectrum

Float = NDArray[np.float64]

#: strength of a comb that stands out
STRENGTH = 5.0
#: part of the level of a comb that was found from which another counts beside it
BESIDE = 0.1


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

    @property
    def level(self) -> float:
        """Root of the sum of squares of its lines [unit of the series]."""
        return float(np.sqrt(np.sum(self.lines**2)))


@dataclass(frozen=True)
class Verdict:
    """What a comb is: ``found`` (it stands out by itself, above the level asked for), or not; ``of`` names the found comb, and
    ``multiple`` the multiple of it, that explain all of its lines that stand out."""

    found: bool
    of: str | None = None
    multiple: int | None = None

    @property
    def words(self) -> str:
        """For a table."""
        if self.found:
            return "found"
        if self.of is None:
            return ""
        if self.multiple == 1:
            return f"skirt of {self.of}"
        return f"harmonic of {self.of}" if self.multiple else f"shares lines with {self.of}"


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
    background = _background(f, a, frequency, count)
    best: Comb | None = None
    for trial in frequency * (1.0 + np.linspace(-tolerance, tolerance, trials)):
        lines = np.interp(trial * np.arange(1, count + 1), f, a)
        strength = float(np.exp(np.mean(np.log(np.maximum(lines, 1e-300) / max(background, 1e-300)))))
        if best is None or strength > best.strength:
            best = Comb(float(trial), strength, lines)
    assert best is not None
    return best


def _background(f: Float, a: Float, frequency: float, count: int) -> float:
    """Median of a spectrum in the range of a comb."""
    return max(float(np.median(a[(f > 0.5 * frequency) & (f < (count + 0.5) * frequency)])), 1e-300)


def judge(spectrum: Spectrum, combs: Mapping[str, Comb], least: float) -> dict[str, Verdict]:
    """Which combs are there by themselves, above a ``least`` level, and which are made of the lines of those.

    The strongest comb counts first; of a comb and those at whole parts of its frequency it is the lowest whose other lines stand out
    too. What its lines leave of the others is looked at in turn; it counts from a tenth of the strongest level on, as impacts
    shake what the stiffness of sound bearings does too.
    """
    f, a = np.asarray(spectrum.frequency), np.asarray(spectrum.value)
    step = float(f[1] - f[0])
    bases: list[str] = []

    def multiple(name: str, base: str, every: int = 1) -> bool:
        ratio = every * combs[name].frequency / combs[base].frequency
        # a Hann line is four wide, and a comb is placed within half a line at its last multiple
        return abs(ratio - round(ratio)) * combs[base].frequency < 2.0 * step and round(ratio) >= 1

    def own(name: str, without: list[str]) -> tuple[float, float, int]:
        """Strength, level and number of the lines of a comb that others do not explain."""
        one = combs[name]
        count = len(one.lines)
        kept = [n for n in range(1, count + 1) if not any(multiple(name, b, n) for b in without)]
        if not kept:
            return 0.0, 0.0, 0
        lines = one.lines[np.array(kept) - 1]
        over = np.maximum(lines, 1e-300) / _background(f, a, one.frequency, count)
        return float(np.exp(np.mean(np.log(over)))), float(np.sqrt(np.sum(lines**2))), len(kept)

    def there(name: str, without: list[str]) -> float:
        strength, level, count = own(name, without)
        wanted = max([least, *(BESIDE * combs[b].level for b in without)])
        return strength if strength >= STRENGTH and level >= wanted and count >= min(2, len(combs[name].lines)) else 0.0

    while True:
        left = {name: there(name, bases) for name in combs if name not in bases}
        best = max(left, key=lambda name: left[name], default=None)
        if best is None or not left[best]:
            break
        lower = [
            n for n in left if n != best and multiple(best, n) and combs[n].frequency < 0.75 * combs[best].frequency
        ]
        lower = [n for n in lower if there(n, [*bases, best])]
        bases.append(min(lower, key=lambda n: combs[n].frequency, default=best))
    found: dict[str, Verdict] = {}
    for name, one in combs.items():
        whole = [b for b in bases if b != name and multiple(name, b)]
        shared = [b for b in bases if b != name and any(multiple(name, b, n) for n in range(1, len(one.lines) + 1))]
        if name in bases:
            found[name] = Verdict(True)
        elif whole:
            found[name] = Verdict(False, whole[0], round(one.frequency / combs[whole[0]].frequency))
        else:
            found[name] = Verdict(False, shared[0] if shared and one.strength >= STRENGTH else None)
    return found


def shock_pulses(
    series: ArrayLike,
    interval: float,
    band: tuple[float, float] | None = None,
    threshold: float = 3.0,
    least_distance: float = 0.0,
) -> tuple[Float, Float]:
    """Times [s] and heights of pulses: peaks of the envelope above ``threshold`` times its median.

    Of peaks closer than ``least_distance`` [s] the highest counts. Raises ValueError for a threshold of one or less.
    """
    from scipy.signal import find_peaks

    if not threshold > 1.0:
        raise ValueError(f"a threshold of pulses is a multiple of the median above 1, got {threshold:g}")
    e = envelope(series, interval, band)
    at, _ = find_peaks(e, height=threshold * float(np.median(e)), distance=max(1, round(least_distance / interval)))
    return np.asarray(at * interval, float), e[at]


def diagnose(
    spectrum: Spectrum, frequencies: Mapping[str, float], harmonics: int = 8, tolerance: float = 0.01
) -> dict[str, Comb]:
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
