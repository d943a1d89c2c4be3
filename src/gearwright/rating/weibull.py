"""How often which wind blows: a Weibull distribution or a measured histogram, and the share of every speed bin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.errors import InputError

Float = NDArray[np.float64]

#: mean wind speed [m/s] at the hub of the classes of IEC 61400-1: 0.2 V_ref
CLASS_MEAN = {"I": 10.0, "II": 8.5, "III": 7.5}


class ClimateError(InputError):
    """A distribution of wind speeds, or bins of it, that cannot be."""


class Climate(Protocol):
    """What a lifetime needs to know of the wind."""

    def below(self, speed: ArrayLike) -> Float:
        """Share of the time with a lower mean wind speed [m/s]."""
        ...

    @property
    def words(self) -> str:
        """In words."""
        ...


@dataclass(frozen=True)
class Weibull:
    """``F(v) = 1 - exp(-(v/scale)^shape)`` of ten-minute means [m/s]; shape 2 is Rayleigh's."""

    scale: float
    shape: float = 2.0

    def __post_init__(self) -> None:
        for name in ("scale", "shape"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise ClimateError(f"the {name} of a Weibull distribution must be positive, got {value:g}")

    @classmethod
    def of_mean(cls, mean: float, shape: float = 2.0) -> Weibull:
        """From the mean wind speed [m/s]."""
        if not mean > 0.0 or not shape > 0.0:
            raise ClimateError(f"mean wind speed and shape must be positive, got {mean:g} and {shape:g}")
        return cls(mean / math.gamma(1.0 + 1.0 / shape), shape)

    @classmethod
    def of_class(cls, name: str) -> Weibull:
        """Of a class of IEC 61400-1 (I, II, III; a letter behind it does not matter)."""
        roman = name.strip().upper().rstrip("ABCS+")
        if roman not in CLASS_MEAN:
            raise ClimateError(f"no wind class '{name}'; there are {', '.join(CLASS_MEAN)}")
        return cls.of_mean(CLASS_MEAN[roman])

    def below(self, speed: ArrayLike) -> Float:
        """Share of the time with a lower mean wind speed [m/s]."""
        v = np.maximum(np.asarray(speed, float), 0.0)
        return np.asarray(-np.expm1(-((v / self.scale) ** self.shape)))

    @property
    def mean(self) -> float:
        """Mean wind speed [m/s]."""
        return self.scale * math.gamma(1.0 + 1.0 / self.shape)

    @property
    def words(self) -> str:
        """In words."""
        return f"Weibull, scale {self.scale:.4g} m/s, shape {self.shape:.4g} (mean {self.mean:.3g} m/s)"


@dataclass(frozen=True)
class Measured:
    """A measured histogram: hours or shares between edges [m/s], even inside a bin; scaled to sum 1."""

    edges: tuple[float, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, edges: Sequence[float], counts: Sequence[float]) -> Measured:
        """From edges (n + 1, rising) and counts (n), in any unit.

        Raises ClimateError for lengths that do not fit, edges that do not rise, or counts that are negative or all zero.
        """
        e, c = np.asarray(edges, float), np.asarray(counts, float)
        if e.ndim != 1 or c.ndim != 1 or len(e) != len(c) + 1:
            raise ClimateError(f"a histogram of {c.size} counts needs {c.size + 1} edges, got {e.size}")
        if not (np.isfinite(e).all() and (np.diff(e) > 0.0).all()):
            raise ClimateError("the edges of a wind histogram must rise")
        if not np.isfinite(c).all() or (c < 0.0).any() or c.sum() <= 0.0:
            raise ClimateError("the counts of a wind histogram must not be negative, and one of them positive")
        return cls(tuple(e.tolist()), tuple((c / c.sum()).tolist()))

    def below(self, speed: ArrayLike) -> Float:
        """Share of the time with a lower mean wind speed [m/s]."""
        total = np.concatenate([[0.0], np.cumsum(self.shares)])
        return np.asarray(np.interp(np.asarray(speed, float), self.edges, total))

    @property
    def words(self) -> str:
        """In words."""
        return f"measured histogram of {len(self.shares)} bins, {self.edges[0]:g} to {self.edges[-1]:g} m/s"


def bin_edges(centres: ArrayLike) -> Float:
    """Edges [m/s] of the bins around rising wind speeds: midway between neighbours, the outer bins symmetric.

    Raises ClimateError.
    """
    c = _rising(centres)
    if len(c) == 1:
        raise ClimateError("one wind speed alone makes no bins: give their width")
    middle = 0.5 * (c[1:] + c[:-1])
    return np.concatenate([[max(2.0 * c[0] - middle[0], 0.0)], middle, [2.0 * c[-1] - middle[-1]]])


def bin_bounds(centres: ArrayLike, width: float | None = None) -> tuple[Float, Float]:
    """Lower and upper edge [m/s] of every bin: half a ``width`` to either side of its speed, or as :func:`bin_edges`.

    Bins of a width may leave winds between them to no bin. Raises ClimateError for bins that overlap.
    """
    c = _rising(centres)
    if width is None:
        edges = bin_edges(c)
        return edges[:-1], edges[1:]
    if not width > 0.0:
        raise ClimateError(f"the width of a wind speed bin must be positive, got {width:g}")
    near = np.flatnonzero(np.diff(c) < width * (1.0 - 1e-9))
    if len(near):
        one, two = c[near[0]], c[near[0] + 1]
        raise ClimateError(
            f"bins of {width:g} m/s around {one:g} and {two:g} m/s overlap: their winds would count twice. Leave the "
            "width out, edges then lie midway between the speeds"
        )
    return np.maximum(c - 0.5 * width, 0.0), c + 0.5 * width


def _rising(centres: ArrayLike) -> Float:
    c = np.asarray(centres, float)
    if c.ndim != 1 or len(c) == 0 or not np.isfinite(c).all() or (np.diff(c) <= 0.0).any():
        raise ClimateError("wind speeds of bins must rise")
    return c


def bin_shares(climate: Climate, edges: ArrayLike) -> Float:
    """Share of the time in every bin between edges [m/s]; their sum is below 1, and is not made 1."""
    return np.asarray(np.diff(climate.below(np.asarray(edges, float))))
