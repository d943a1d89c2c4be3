"""Frequency and damping of a mode from a record: the decay of its swings, or the peak of its spectrum.

Sources: logarithmic decrement, S0 equation 4.11; peak of a measured torque, S1 section 3.6.2; least squares with linear
coefficients projected out: G. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413-432.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.errors import InputError
from gearwright.results.spectra import power_spectral_density

Float = NDArray[np.float64]

#: share of the variance that one mode must explain to be called the mode of a stretch
_LEAST_SHARE = 0.5
#: relative standard error of a frequency above which there is none
_WORST = 0.1


class IdentificationError(InputError):
    """A record that says nothing about a mode: the message says why and what would help."""


@dataclass(frozen=True)
class Mode:
    """An identified mode: frequency [Hz] (damped: that of the record) and damping ratio with standard errors.

    The truth lies within twice the standard errors in 95 of 100 records (``frequency_interval``, ``damping_interval``).
    ``swings``: half swings above the noise (decay) or lines of the spectrum used; ``method`` decay or spectrum; ``share`` of the
    variance in the stretch (and band) that the mode explains.
    """

    frequency: float
    frequency_error: float
    damping_ratio: float
    damping_error: float
    swings: int
    method: str
    share: float = 1.0
    #: what else is told of it as JSON
    TOLD: ClassVar = ("undamped", "frequency_interval", "damping_interval")

    @property
    def frequency_interval(self) -> tuple[float, float]:
        """Where the frequency [Hz] lies with 95 % probability."""
        return self.frequency - 2.0 * self.frequency_error, self.frequency + 2.0 * self.frequency_error

    @property
    def damping_interval(self) -> tuple[float, float]:
        """Where the damping ratio lies with 95 % probability."""
        return self.damping_ratio - 2.0 * self.damping_error, self.damping_ratio + 2.0 * self.damping_error

    @property
    def undamped(self) -> float:
        """Undamped natural frequency [Hz]."""
        return self.frequency / math.sqrt(1.0 - self.damping_ratio**2)


def _series(series: ArrayLike, interval: float) -> Float:
    x = np.asarray(series, float)
    if x.ndim != 1 or len(x) < 16 or not np.isfinite(x).all():
        raise IdentificationError(f"a finite series of one dimension with at least 16 samples is needed, got {x.shape}")
    if not interval > 0.0:
        raise IdentificationError(f"the sample interval must be positive, got {interval:g} s")
    return x


def decay(
    series: ArrayLike, interval: float, *, final: float | None = None, band: tuple[float, float] | None = None
) -> Mode:
    """Frequency and damping from free decaying swings: ``c + e^(-a t) (A cos w t + B sin w t)`` by least squares over the stretch.

    Parameters
    ----------
    series, interval : a stretch of a record [any unit] that holds one decaying mode, and its sample interval [s]
    final : the value that it swings about; None: found with the rest, and a slow trend where the stretch is long
    band : frequencies [Hz] that count; None: all. The fit then compares Fourier lines of record and swing in the band, so that
        nothing is filtered and the damping is not changed; what swings outside leaves a smooth skirt, which is fitted too

    The stretch counts from its largest swing on: what comes before is excitation. Samples behind the last swing above the noise
    do no harm. Standard errors are those of least squares, or of sums over a period where what is left is not white, whichever
    is larger. Raises IdentificationError for less than three half swings above the noise, swings that do not decay, and a
    record that one mode does not explain.
    """
    x = _series(series, interval)
    top = 0.5 / interval
    if band is not None and not 0.0 <= band[0] < band[1] <= top * (1.0 + 1e-9):
        raise IdentificationError(
            f"band {band[0]:g} to {band[1]:g} Hz: rising, up to half the sampling frequency, {top:g} Hz"
        )
    first = int(np.argmax(np.abs(_within(x - (x.mean() if final is None else final), interval, band))))
    if len(x) - first < 16:
        raise IdentificationError(
            "the largest swing is at the end of the stretch: the swings do not decay; choose the stretch after "
            "the excitation (--from, --to)"
        )
    return _Fit(x[first:], interval, final, band).mode(late=first > 0.5 * len(x))


class _Fit:
    """Least squares of one decaying swing, the linear coefficients projected out, over samples or over Fourier lines of a band."""

    def __init__(self, x: Float, interval: float, final: float | None, band: tuple[float, float] | None):
        self.interval, self.band, self.free = interval, band, final is None
        self.time = np.arange(len(x)) * interval
        self.size = float(np.abs(x - x.mean()).max())
        lines = np.fft.rfftfreq(len(x), interval)
        self.lines = np.ones(len(lines), bool) if band is None else (lines >= band[0]) & (lines <= band[1])
        if self.lines.sum() < 4:
            raise IdentificationError(
                f"the stretch has {int(self.lines.sum())} Fourier lines in the band, {1.0 / (len(x) * interval):.3g} Hz "
                "apart: take a wider band or a longer stretch"
            )
        self.target = self._seen((x - (final or 0.0))[:, None])[:, 0]
        self.raw, self.frequencies = x, lines

    def _seen(self, columns: Float) -> Float:
        """What is compared: samples, or real and imaginary parts of the Fourier lines in the band."""
        if self.band is None:
            return columns
        found = np.fft.rfft(columns, axis=0)[self.lines] * np.sqrt(2.0 / len(columns))
        return np.concatenate([found.real, found.imag])

    def _basis(self, log_frequency: float, decline: float) -> Float:
        w = 2.0 * math.pi * math.exp(log_frequency)
        t = self.time
        # a swing that grows is counted from the end, so that nothing overflows
        size = np.exp(-decline * w * (t if decline >= 0.0 else t - t[-1]))
        columns = [size * np.cos(w * t), size * np.sin(w * t)]
        if self.free and self.band is None:
            columns.append(np.ones_like(t))
            if t[-1] * w > 10.0 * math.pi:
                columns.append(np.linspace(-1.0, 1.0, len(t)))
        basis = self._seen(np.stack(columns, axis=1))
        if self.band is not None:
            half = len(basis) // 2
            one, slope = np.ones(half), np.linspace(-1.0, 1.0, half)
            skirts = [np.concatenate(v) for c in (one, slope) for v in ((c, 0.0 * c), (0.0 * c, c))]
            if len(basis) > 24:
                basis = np.column_stack([basis, *skirts])
        return basis

    def left(self, parameters: ArrayLike) -> Float:
        """What a swing of these parameters (logarithm of the frequency [Hz], decline over angular frequency) leaves."""
        basis = self._basis(*np.asarray(parameters, float))
        coefficients = np.linalg.lstsq(basis, self.target, rcond=None)[0]
        return np.asarray(self.target - basis @ coefficients)

    def _start(self) -> tuple[float, float]:
        y = self.raw - self.raw[len(self.raw) // 2 :].mean()
        n = 4 * len(y)
        spectrum, f = np.abs(np.fft.rfft(y, n)), np.fft.rfftfreq(n, self.interval)
        low, high = self.band or (0.0, 0.5 / self.interval)
        allowed = (f >= max(low, 1.0 / (len(y) * self.interval))) & (f <= min(high, 0.45 / self.interval))
        if not allowed.any():
            raise IdentificationError("the band holds no frequency that swings within the stretch")
        masked = np.where(allowed, spectrum, 0.0)
        peaks = np.flatnonzero((masked >= np.roll(masked, 1)) & (masked >= np.roll(masked, -1)) & allowed)
        best = [f[i] for i in peaks[np.argsort(-masked[peaks])][:6]] or [float(f[np.argmax(masked)])]
        tries = [(math.log(v * s), g) for v in best for s in (0.93, 1.0, 1.07) for g in (0.003, 0.01, 0.03, 0.1, 0.25)]
        return min(tries, key=lambda p: float(np.sum(self.left(p) ** 2)))

    def solved(self) -> tuple[Float, Float, Float]:
        """Parameters, their covariance, and what is left."""
        from scipy.optimize import least_squares

        done = least_squares(
            self.left, self._start(), x_scale=(0.01, 0.01), diff_step=(1e-6, 1e-6), xtol=1e-12, ftol=1e-12
        )
        rest, jacobian = np.asarray(done.fun), np.asarray(done.jac)
        inverse = np.linalg.pinv(jacobian.T @ jacobian)
        white = inverse * float(rest @ rest) / max(len(rest) - 6, 1)
        # sums over a period (or eight lines): what is left need not be white
        period = 8 if self.band is not None else max(int(1.0 / (math.exp(done.x[0]) * self.interval)), 1)
        starts = np.arange(0, len(rest), period)
        scores = np.add.reduceat(jacobian * rest[:, None], starts, axis=0)
        clustered = inverse @ (scores.T @ scores) @ inverse * len(starts) / max(len(starts) - 1, 1)
        larger = white if np.trace(white) > np.trace(clustered) else clustered
        return np.asarray(done.x), larger, rest

    def mode(self, late: bool) -> Mode:
        """The mode, or why there is none; ``late``: the largest swing came in the second half of the stretch."""
        (log_frequency, decline), covariance, rest = self.solved()
        frequency, top = math.exp(log_frequency), 0.5 / self.interval
        basis = self._basis(log_frequency, decline)
        swing = basis[:, :2] @ np.linalg.lstsq(basis, self.target, rcond=None)[0][:2]
        amplitude = self._amplitude(log_frequency, decline)
        noise = math.sqrt(float(rest @ rest) / max(len(rest) - 6, 1))
        length = self.time[-1]
        seen = max(2.0 * noise, 1e-6 * self.size)
        lasting = min(length, math.log(max(amplitude / seen, 1.0)) / max(2.0 * math.pi * frequency * decline, 1e-12))
        swings = int(2.0 * frequency * lasting + 1e-9)
        if (decline <= 0.0 and amplitude > 4.0 * noise) or (late and swings < 3):
            raise IdentificationError("the swings do not decay; choose the stretch after the excitation (--from, --to)")
        if swings < 3 or frequency > 0.9 * top:
            raise IdentificationError(
                f"{swings} half swings above the noise: at least three are needed; take a longer stretch, or one mode "
                "alone (--band)"
            )
        share = float(swing @ swing) / max(float(swing @ swing) + float(rest @ rest), 1e-300)
        if share < _LEAST_SHARE:
            raise IdentificationError(
                f"one decaying mode explains {100 * share:.0f} % of what swings in this stretch: choose the stretch after "
                "the excitation (--from, --to), or one mode alone (--band)"
            )
        # decline = a/w, the damping ratio a/sqrt(a^2 + w^2)
        ratio = decline / math.hypot(1.0, decline)
        errors = np.sqrt(np.diag(covariance))
        low, high = self.band or (0.0, math.inf)
        if not low <= frequency <= high or errors[0] > _WORST:
            raise IdentificationError(
                "no decaying mode within the band: what is there is the skirt of something outside, or noise; take a band "
                "around one peak"
            )
        damping_error = float(errors[1] / (1.0 + decline**2) ** 1.5)
        return Mode(frequency, frequency * float(errors[0]), float(ratio), damping_error, swings, "decay", share)

    def _amplitude(self, log_frequency: float, decline: float) -> float:
        basis = self._basis(log_frequency, decline)
        return float(np.hypot(*np.linalg.lstsq(basis, self.target, rcond=None)[0][:2]))


def _within(y: Float, interval: float, band: tuple[float, float] | None) -> Float:
    if band is None:
        return y
    # padded, so that the beginning does not ring at the end
    lines = np.fft.rfftfreq(2 * len(y), interval)
    kept = np.where((lines >= band[0]) & (lines <= band[1]), np.fft.rfft(y, 2 * len(y)), 0.0)
    return np.asarray(np.fft.irfft(kept, 2 * len(y))[: len(y)])


def _is_free_decay(x: Float, interval: float, band: tuple[float, float]) -> float | None:
    """Share of a record that one free swing explains, where that is most of it."""
    try:
        found = decay(x, interval, band=band)
    except (IdentificationError, np.linalg.LinAlgError):
        return None
    return found.share if found.share > 0.7 else None


def spectrum_peak(
    series: ArrayLike, interval: float, band: tuple[float, float] | None = None, *, segment: float | None = None
) -> Mode:
    """Frequency and damping from the peak of a power spectral density, by the curve of one mode under even excitation.

    ``A / ((1 - r^2)^2 + (2 zeta r)^2) + B`` with ``r = f/f_0`` is fitted to the logarithm of the density inside ``band``
    [Hz] (None: everything below a third of the sampling frequency). ``segment`` [s] is Welch's: its lines must be finer than the peak is
    wide (2 zeta f). Raises IdentificationError.
    """
    from scipy.optimize import curve_fit

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
        raise IdentificationError(
            f"{len(f)} lines of the spectrum between {low:g} and {high:g} Hz: at least eight are needed; take "
            "a wider band or longer segments"
        )
    f, s = f[s > 0.0], s[s > 0.0]
    free = _is_free_decay(x, interval, (low, high))
    if free is not None:
        raise IdentificationError(
            f"this stretch is a free swing, which explains {100 * free:.0f} % of it: its spectrum shows how it was "
            "cut, not a mode under even excitation; take --method decay"
        )
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
        raise IdentificationError(
            f"no single mode fits the spectrum between {low:g} and {high:g} Hz ({error}); choose a band around one peak"
        ) from None
    errors = np.sqrt(np.diag(covariance))
    f0, zeta = float(values[0]), float(values[1])
    if zeta < 0.25 * (f[1] - f[0]) / f0:
        raise IdentificationError(
            f"the peak at {f0:.4g} Hz is narrower than the lines of the spectrum ({f[1] - f[0]:.3g} Hz): take longer "
            "segments (a longer record)"
        )
    return Mode(f0 * math.sqrt(1.0 - zeta**2), float(errors[0]), zeta, float(errors[1]), len(f), "spectrum")
