"""How sure a load from a few seeds is, and what longer runs would bring: bootstrap, Gumbel, peaks over threshold."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.results.bins import apart

Float = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """An estimate with the interval that holds the true value with probability ``confidence``."""

    value: float
    low: float
    high: float
    confidence: float

    @property
    def half_width(self) -> float:
        """Half the width over the value."""
        return 0.5 * (self.high - self.low) / abs(self.value) if self.value else math.nan


def _sample(values: ArrayLike, least: int, what: str) -> Float:
    x = np.asarray(values, float)
    if x.ndim != 1 or len(x) < least or not np.isfinite(x).all():
        raise ValueError(f"{what} needs at least {least} finite values in one dimension, got {x.shape}")
    return x


def bootstrap(
    values: ArrayLike,
    statistic: Callable[[Float], Float],
    *,
    confidence: float = 0.9,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """Interval of a statistic of independent values (one per seed) by the bias-corrected bootstrap.

    Parameters
    ----------
    values : (n,), n >= 3
    statistic : of an array (..., n) along its last axis
    confidence : probability of the interval
    resamples, seed : of the bootstrap; the same seed gives the same interval

    Source: Efron and Tibshirani (1993), bias-corrected and accelerated. Raises ValueError for fewer than three values.
    """
    from scipy import stats

    x = _sample(values, 3, "a bootstrap")
    value = float(statistic(x))
    if not apart(float(x.min()), float(x.max())):
        return Interval(value, value, value, confidence)
    found = stats.bootstrap(
        (x,),
        lambda s, axis: statistic(s),
        confidence_level=confidence,
        n_resamples=resamples,
        vectorized=True,
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(value, float(found.low), float(found.high), confidence)


def mean_equivalent(loads: ArrayLike, exponent: float) -> Float:
    """Equivalent load of several runs, ``(mean S^m)^(1/m)`` along the last axis: the load of their mean damage."""
    x = np.asarray(loads, float)
    top = float(x.max(initial=0.0))
    if top == 0.0:
        return np.zeros(x.shape[:-1])
    return np.asarray(top * np.mean((x / top) ** exponent, axis=-1) ** (1.0 / exponent))


def seeds_needed(values: ArrayLike, half_width: float = 0.05, confidence: float = 0.9, exponent: float = 1.0) -> int:
    """Seeds for which the mean (or, with ``exponent`` m, the equivalent load) is known to ``half_width`` of itself.

    From the scatter of the values there are and Student's distribution; the relative scatter of ``(mean S^m)^(1/m)`` is
    that of the damage over m. Raises ValueError for fewer than three values or a half width that is not positive.
    """
    from scipy import stats

    if not half_width > 0.0 or not 0.0 < confidence < 1.0:
        raise ValueError(f"half width {half_width:g} must be positive and confidence {confidence:g} between 0 and 1")
    x = _sample(values, 3, "the number of seeds")
    if not apart(float(x.min()), float(x.max())):
        return 2
    damage = (x / np.abs(x).max()) ** exponent if np.abs(x).max() > 0 else x
    mean = float(damage.mean())
    if mean == 0.0:
        raise ValueError("the mean is zero: a relative width has no meaning")
    scatter = float(damage.std(ddof=1)) / abs(mean) / exponent
    count = 2
    while stats.t.ppf(0.5 + 0.5 * confidence, count - 1) * scatter / math.sqrt(count) > half_width:
        count += max(1, count // 50)
        if count > 10**6:
            return count
    return count


@dataclass(frozen=True)
class Gumbel:
    """Distribution of the largest value of a run: ``F(x) = exp(-exp(-(x - location) / scale))``."""

    location: float
    scale: float
    runs: int

    def probability(self, x: ArrayLike) -> Float:
        """Probability that a run stays below ``x``."""
        return np.exp(-np.exp(-(np.asarray(x, float) - self.location) / self.scale))

    def level(self, repetitions: float) -> float:
        """Value that is exceeded on average once in ``repetitions`` runs (a 50-year value of ten-minute runs:
        2.63e6). Raises ValueError unless ``repetitions`` > 1."""
        if not repetitions > 1.0:
            raise ValueError(f"a return level needs more than one repetition, got {repetitions:g}")
        return self.location - self.scale * math.log(-math.log1p(-1.0 / repetitions))


def gumbel(maxima: ArrayLike) -> Gumbel:
    """Maximum-likelihood Gumbel distribution of the maxima of at least five runs of one length.

    Raises ValueError for fewer, or if they are all the same.
    """
    from scipy import stats

    x = _sample(maxima, 5, "a Gumbel distribution")
    spread = float(x.std())
    if not apart(float(x.min()), float(x.max())):
        raise ValueError("the maxima are all the same: no distribution fits")
    location, scale = stats.gumbel_r.fit((x - x.mean()) / spread)
    return Gumbel(float(x.mean() + spread * location), float(spread * scale), len(x))


@dataclass(frozen=True)
class PeaksOverThreshold:
    """Peaks of a process above a threshold: their rate [1/s] and generalised Pareto distribution of the excess.

    ``shape`` xi: 0 is exponential, negative has a bound. Source: Coles (2001), chapter 4.
    """

    threshold: float
    rate: float
    shape: float
    scale: float
    peaks: int

    def level(self, duration: float) -> float:
        """Value exceeded on average once in ``duration`` [s]. Raises ValueError if that is less than one peak."""
        count = self.rate * duration
        if not count > 1.0:
            raise ValueError(f"there are {count:.3g} peaks in {duration:g} s: too few for a return level")
        if abs(self.shape) < 1e-9:
            return self.threshold + self.scale * math.log(count)
        return self.threshold + self.scale / self.shape * (count**self.shape - 1.0)


def peaks_over_threshold(
    series: ArrayLike, interval: float, *, threshold: float | None = None, separation: float = 5.0
) -> PeaksOverThreshold:
    """Fit the peaks of a series above a threshold.

    Parameters
    ----------
    series : (n,) sampled at ``interval`` [s]
    threshold : None: mean plus 1.4 standard deviations, as is usual for extrapolating turbine loads
    separation : peaks closer than this [s] are one (its largest counts), so that they are independent

    Raises ValueError for fewer than ten peaks.
    """
    from scipy import stats

    x = _sample(series, 10, "peaks over a threshold")
    level = float(x.mean() + 1.4 * x.std()) if threshold is None else float(threshold)
    above = np.flatnonzero(x > level)
    if len(above) == 0:
        raise ValueError(f"the series never exceeds {level:g}")
    gaps = np.flatnonzero(np.diff(above) > max(separation / interval, 1.0))
    peaks = np.array([x[part].max() for part in np.split(above, gaps + 1)])
    if len(peaks) < 10:
        raise ValueError(
            f"only {len(peaks)} independent peaks exceed {level:g}; ten are needed: a lower threshold or a "
            "longer record"
        )
    excess = peaks - level
    unit = float(excess.mean())
    shape, _, scale = stats.genpareto.fit(excess / unit, floc=0.0)
    return PeaksOverThreshold(level, len(peaks) / (len(x) * interval), float(shape), float(scale * unit), len(peaks))
