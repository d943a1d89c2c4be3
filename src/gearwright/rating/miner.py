"""S-N curves of straight pieces in log-log, an endurance limit, and the Palmgren-Miner sum."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.errors import InputError

Float = NDArray[np.float64]
Beyond = Literal["limit", "continue", "haibach"]


class StrengthError(InputError):
    """An S-N curve that cannot be, or a load outside its range."""


@dataclass(frozen=True)
class Strength:
    """Cycles to failure over stress: points (cycles, stress), straight in log-log between them.

    Stresses are in any one unit, the same as the loads'. Left of the first point the curve is level: a stress above it
    is not covered and :meth:`cycles` raises StrengthError, unless ``extrapolate``. What follows the last point:
    ``limit`` no damage below its stress (endurance limit), ``continue`` the last slope goes on, ``haibach`` a slope of
    ``2 m - 1``. Source: Haibach (2006) for the last.
    """

    cycles_at: tuple[float, ...]
    stresses: tuple[float, ...]
    beyond: Beyond = "continue"
    extrapolate: bool = False

    def __post_init__(self) -> None:
        n, s = np.asarray(self.cycles_at, float), np.asarray(self.stresses, float)
        if len(n) != len(s) or len(n) < 2:
            raise StrengthError(f"an S-N curve needs two points or more, got {len(n)} cycles and {len(s)} stresses")
        if not (np.isfinite(n).all() and np.isfinite(s).all() and (n > 0.0).all() and (s > 0.0).all()):
            raise StrengthError("cycles and stresses of an S-N curve must be positive")
        if (np.diff(n) <= 0.0).any() or (np.diff(s) >= 0.0).any():
            raise StrengthError("along an S-N curve cycles must rise and stresses must fall")
        if self.beyond not in ("limit", "continue", "haibach"):
            raise StrengthError(f"beyond must be limit, continue or haibach, got '{self.beyond}'")

    @classmethod
    def slope(cls, stress: float, cycles: float, exponent: float, *, limit: float | None = None) -> Strength:
        """One slope m through (cycles, stress): ``N = cycles (stress/S)^m``, without end or down to an endurance limit.

        The line is covered from one cycle on.
        """
        if not (stress > 0.0 and cycles > 1.0 and exponent > 0.0):
            raise StrengthError(
                f"stress {stress:g}, cycles {cycles:g} (above 1) and exponent {exponent:g} must be positive"
            )
        top = stress * cycles ** (1.0 / exponent)
        if limit is None:
            return cls((1.0, cycles), (top, stress), "continue", True)
        if not 0.0 < limit < top:
            raise StrengthError(f"endurance limit {limit:g}: above 0 and below {top:g}")
        return cls((1.0, cycles * (stress / limit) ** exponent), (top, limit), "limit", True)

    @property
    def exponents(self) -> Float:
        """Slope m of every piece."""
        n, s = np.log(self.cycles_at), np.log(self.stresses)
        return np.asarray(np.diff(n) / -np.diff(s))

    @property
    def limit(self) -> float:
        """Stress below which nothing is damaged; 0 where there is none."""
        return self.stresses[-1] if self.beyond == "limit" else 0.0

    def cycles(self, stress: ArrayLike) -> Float:
        """Cycles to failure at each stress, infinite where nothing is damaged.

        Raises StrengthError for a stress above the curve's highest unless ``extrapolate``.
        """
        s = np.atleast_1d(np.asarray(stress, float))
        top = self.stresses[0]
        if not self.extrapolate and s.max(initial=0.0) > top * (1.0 + 1e-12):
            raise StrengthError(
                f"stress {s.max():g} lies above the S-N curve, which begins at {top:g} ({self.cycles_at[0]:g} cycles): "
                "give the curve's static end, or check the loads"
            )
        points, logs, m = np.asarray(self.stresses), np.log(self.cycles_at), self.exponents
        piece = np.clip(np.searchsorted(-points, -s, side="left") - 1, 0, len(m) - 1)
        with np.errstate(divide="ignore"):
            logn = logs[piece] + m[piece] * (np.log(points[piece]) - np.log(s))
            below = s < points[-1]
            if self.beyond == "limit":
                logn = np.where(below, np.inf, logn)
            elif self.beyond == "haibach":
                shallow = 2.0 * m[-1] - 1.0
                logn = np.where(below, logs[-1] + shallow * (np.log(points[-1]) - np.log(s)), logn)
            logn = np.where(s <= 0.0, np.inf, logn)
            return np.exp(logn)

    def damage(self, stresses: ArrayLike, counts: ArrayLike) -> float:
        """Palmgren-Miner sum ``sum n/N``; failure is expected at 1."""
        s, n = np.asarray(stresses, float), np.asarray(counts, float)
        used = n > 0.0
        if not used.any():
            return 0.0
        return float(np.sum(n[used] / self.cycles(s[used])))

    def factor_to_failure(self, stresses: ArrayLike, counts: ArrayLike) -> float:
        """Factor on all stresses at which the sum is 1; infinite without a load. Found by bisection."""
        s, n = np.asarray(stresses, float), np.asarray(counts, float)
        s, n = s[n > 0.0], n[n > 0.0]
        if len(s) == 0 or s.max() <= 0.0:
            return math.inf
        curve = Strength(self.cycles_at, self.stresses, self.beyond, True)
        low, high = 0.0, self.stresses[0] / float(s.max())
        while curve.damage(high * s, n) < 1.0:
            low, high = high, 2.0 * high
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if curve.damage(middle * s, n) >= 1.0 else (middle, high)
            if high - low <= 1e-12 * high:
                break
        return high
