"""From short records to a lifetime: how often every record happens, and loads and damage over all of them.

A record is counted once and happens ``repetitions`` times in the life. For a ten-minute run of normal operation that
is the time in its wind speed bin over its own duration, shared by the runs of the bin; for a start or a stop it is the
number of them. Source: Hayman, MLife theory manual (2012).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.errors import InputError
from gearwright.results.bins import apart, even_edges

from .weibull import Climate, bin_bounds

Float = NDArray[np.float64]

#: days of a year
JULIAN_YEAR, CALENDAR_YEAR = 365.25, 365.0
#: reference cycles of a lifetime equivalent load
LIFETIME_CYCLES = 1e7


class LifetimeError(InputError):
    """A lifetime that cannot be made of what is given."""


@dataclass(frozen=True)
class Lifetime:
    """Years in service, and the share of them in which the machine is available."""

    years: float = 20.0
    availability: float = 1.0
    days_per_year: float = JULIAN_YEAR

    def __post_init__(self) -> None:
        if not (math.isfinite(self.years) and self.years > 0.0):
            raise LifetimeError(f"a lifetime must be positive, got {self.years:g} years")
        if not 0.0 < self.availability <= 1.0:
            raise LifetimeError(f"availability {self.availability:g}: above 0, at most 1")

    @property
    def hours(self) -> float:
        """All hours of the life, available or not."""
        return self.years * self.days_per_year * 24.0

    @property
    def seconds(self) -> float:
        """All seconds of the life."""
        return 3600.0 * self.hours


@dataclass(frozen=True)
class Weights:
    """How often every record happens.

    ``repetitions`` by record; ``hours`` of each in the life (zero for transients, which replace nothing);
    ``speeds, low, high`` (edges) and ``shares`` of the wind bins; ``idle_hours`` of the life that no record stands for: below the first
    and above the last bin, and without availability.
    """

    repetitions: Mapping[str, float]
    hours: Mapping[str, float]
    speeds: Float
    low: Float
    high: Float
    shares: Float
    idle_hours: float

    @property
    def covered(self) -> float:
        """Share of the time in the bins, as the wind distribution has it."""
        return float(self.shares.sum())


def weigh(
    speeds: Mapping[str, float],
    durations: Mapping[str, float],
    climate: Climate,
    life: Lifetime,
    *,
    width: float | None = None,
    events: Mapping[str, float] | None = None,
    renormalise: bool = False,
) -> Weights:
    """Weights of records.

    Parameters
    ----------
    speeds : mean wind speed [m/s] of every record of operation
    durations : counted duration [s] of the same
    climate : distribution of wind speeds
    width : of the bins [m/s], half to either side of each speed; None: edges midway between neighbours
    events : records of transients (not in ``speeds``) and how often each happens in a year
    renormalise : scale the shares to sum 1; only if the bins should stand for all winds

    Raises LifetimeError or ClimateError.
    """
    if not speeds:
        raise LifetimeError("no record with a wind speed: nothing to weigh")
    for name, duration in durations.items():
        if not duration > 0.0:
            raise LifetimeError(f"record '{name}' has a counted duration of {duration:g} s: nothing was counted")
    centres = np.unique(np.round(list(speeds.values()), 9))
    low, high = bin_bounds(centres, width)
    shares = np.asarray(climate.below(high) - climate.below(low))
    if renormalise:
        if shares.sum() <= 0.0:
            raise LifetimeError("the wind never blows in any of the bins")
        shares = shares / shares.sum()
    of = {name: int(np.searchsorted(centres, round(speed, 9))) for name, speed in speeds.items()}
    runs = np.bincount(list(of.values()), minlength=len(centres))
    in_service = life.hours * life.availability
    hours = {name: in_service * float(shares[j] / runs[j]) for name, j in of.items()}
    repetitions = {name: 3600.0 * h / durations[name] for name, h in hours.items()}
    for name, per_year in (events or {}).items():
        if per_year < 0.0 or not math.isfinite(per_year):
            raise LifetimeError(f"'{name}' happens {per_year:g} times a year: a count must not be negative")
        repetitions[name], hours[name] = per_year * life.years, 0.0
    return Weights(repetitions, hours, centres, low, high, shares, life.hours - sum(hours.values()))


def lifetime_equivalent(
    loads: ArrayLike, references: ArrayLike, repetitions: ArrayLike, exponent: float, cycles: float = LIFETIME_CYCLES
) -> float:
    """Damage equivalent range of a life from those of its records.

    ``S_eq = (sum_j r_j N_j S_j^m / N_eq)^(1/m)``: a record j has the equivalent range S_j for N_j reference cycles
    (reference frequency times counted duration) and happens r_j times; N_eq are the ``cycles`` of the life. Raises
    LifetimeError unless exponent and cycles are positive.
    """
    if not (exponent > 0.0 and cycles > 0.0):
        raise LifetimeError(f"exponent and reference cycles must be positive, got {exponent:g} and {cycles:g}")
    s, n, r = (np.asarray(x, float) for x in (loads, references, repetitions))
    top = float(s.max(initial=0.0))
    if top == 0.0:
        return 0.0
    return float(top * (np.sum(r * n * (s / top) ** exponent) / cycles) ** (1.0 / exponent))


@dataclass(frozen=True)
class Spectrum:
    """A distribution over a life: ``amounts`` (seconds, revolutions or cycles) at ``levels`` (load, upper edges)."""

    levels: Float = field(metadata={"name": "level"})
    amounts: Float = field(metadata={"name": "seconds"})

    def exceedance(self) -> tuple[Float, Float]:
        """Levels from the highest, and the amount at or above each."""
        order = np.argsort(self.levels)[::-1]
        return self.levels[order], np.cumsum(self.amounts[order])

    def binned(self, bins: int = 64) -> Spectrum:
        """The same amounts in even bins between the extremes, at the middle of each."""
        used = self.amounts > 0.0
        if not used.any():
            return self
        low, high = float(self.levels[used].min()), float(self.levels[used].max())
        if not apart(low, high):
            return Spectrum(np.array([low]), np.array([float(self.amounts.sum())]))
        edges = even_edges(low, high, bins)
        amounts, _ = np.histogram(self.levels[used], edges, weights=self.amounts[used])
        return Spectrum(0.5 * (edges[1:] + edges[:-1]), amounts)


def joined(spectra: Sequence[Spectrum], repetitions: Sequence[float]) -> Spectrum:
    """One spectrum of a life from those of its records; levels stay as they are."""
    if not spectra:
        return Spectrum(np.zeros(0), np.zeros(0))
    levels = np.concatenate([s.levels for s in spectra])
    amounts = np.concatenate([s.amounts * r for s, r in zip(spectra, repetitions, strict=True)])
    used = amounts > 0.0
    return Spectrum(levels[used], amounts[used])
