"""What is left of a life, as quantiles: from damage and its error, and from the failures and survivals of a fleet.

A part that has taken the damage ``D = sum n / L10`` survives with ``R = exp(-c (theta D)^beta)``, ``c = -ln 0.9``: of parts with one rated life a tenth has failed. ``theta`` is
what the figures err by, lognormal with median 1; ``beta`` the Weibull slope. A fleet tells how often parts truly fail: with ``-ln R = lambda D^beta`` and a Gamma distribution of lambda
the update by failures and survivals is a closed form.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from gearwright.errors import InputError

#: -ln R of one rated life, and the usual slope of bearings
RATED, SLOPE = -math.log(0.9), 1.5
#: nodes of the integral over theta
_NODES = 64


def gain_spread(variation: float, exponent: float = 1.0) -> float:
    """Standard deviation of the logarithm of ``g^m``, for a factor g with a coefficient of variation and exponent m."""
    return exponent * math.sqrt(math.log1p(variation**2))


def survival(damage: float, spread: float = 0.0, slope: float = SLOPE) -> float:
    """Part of the parts that live at a damage, where its logarithm is wrong by ``spread`` (standard deviation)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    return float(np.exp(-RATED * (np.exp(spread * nodes) * damage) ** slope) @ weights / math.sqrt(2.0 * math.pi))


def damage_to_go(damage: float, probability: float, spread: float = 0.0, slope: float = SLOPE) -> float:
    """Further damage at which a part that lives now has failed with a probability; survival so far lowers what theta is likely to be."""
    _probability(probability)
    now = survival(damage, spread, slope)
    wanted = (1.0 - probability) * now

    def left(more: float) -> float:
        return survival(damage + more, spread, slope) - wanted

    most = 1.0
    while left(most) > 0.0:
        most *= 2.0
    return float(brentq(left, 0.0, most, xtol=1e-10))


@dataclass(frozen=True)
class FleetRate:
    """Distribution of lambda: Gamma with shape ``a`` and rate ``b`` [damage^slope]."""

    a: float
    b: float
    slope: float = SLOPE

    @classmethod
    def prior(cls, variation: float = 1.0, slope: float = SLOPE) -> FleetRate:
        """Before anything failed: the rating is right in the mean, with a coefficient of variation."""
        if not variation > 0.0:
            raise InputError(f"a coefficient of variation of {variation:g}: has to be positive", where="prior")
        shape = 1.0 / variation**2
        return cls(shape, shape / RATED, slope)

    def updated(self, failed: Sequence[float], running: Sequence[float]) -> FleetRate:
        """After parts failed at their damages, and others run at theirs."""
        total = float(np.sum(np.array([*failed, *running], float) ** self.slope))
        return FleetRate(self.a + len(failed), self.b + total, self.slope)

    @property
    def mean(self) -> float:
        """Mean of lambda."""
        return self.a / self.b

    @property
    def variation(self) -> float:
        """Coefficient of variation of lambda."""
        return 1.0 / math.sqrt(self.a)

    def failing(self, damage: float, later: float) -> float:
        """Probability that a part that lives at ``damage`` fails before it is at ``later``."""
        grown = later**self.slope - damage**self.slope
        return float(-math.expm1(-self.a * math.log1p(grown / self.b)))

    def damage_to_go(self, damage: float, probability: float) -> float:
        """Further damage at which a part that lives now has failed with a probability."""
        _probability(probability)
        grown = self.b * math.expm1(-math.log1p(-probability) / self.a)
        return float((damage**self.slope + grown) ** (1.0 / self.slope) - damage)


def _probability(probability: float) -> None:
    if not 0.0 < probability < 1.0:
        raise InputError(f"a probability of {probability:g}: above 0 and below 1", where="probability")
