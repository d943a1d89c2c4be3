"""Life of rolling bearings after ISO 281: basic and modified rating life, equivalent load of bins, static safety.

Loads are in newtons, speeds in rad/s (the speed of the inner ring relative to the outer one: for a planet bearing
the planet relative to its carrier), lives in hours. Source: ISO 281:2007; ISO 76 for the static safety.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

Contact = Literal["ball", "roller"]

#: exponent of the load-life relation
LIFE_EXPONENT: Mapping[str, float] = {"ball": 3.0, "roller": 10.0 / 3.0}
#: life factor a_1 by reliability (ISO 281:2007, table 12)
RELIABILITY_FACTOR: Mapping[float, float] = {0.90: 1.0, 0.95: 0.64, 0.96: 0.55, 0.97: 0.47, 0.98: 0.37, 0.99: 0.25}

_LARGEST_MODIFICATION = 50.0
_LARGEST_VISCOSITY_RATIO = 4.0
_SMALLEST_VISCOSITY_RATIO = 0.1
# the three branches of the standard: numerator and exponent of the viscosity ratio
_BRANCHES = {
    "ball": (2.5671, ((0.4, 2.2649, 0.054381), (1.0, 1.9987, 0.19087), (4.0, 1.9987, 0.071739)), 0.83, 1.0 / 3.0, -9.3),
    "roller": (1.5859, ((0.4, 1.3993, 0.054381), (1.0, 1.2348, 0.19087), (4.0, 1.2348, 0.071739)), 1.0, 0.4, -9.185),
}


def life_exponent(contact: Contact) -> float:
    """p of ``L = (C/P)^p``: 3 for balls, 10/3 for rollers. Raises ValueError for another word."""
    try:
        return LIFE_EXPONENT[contact]
    except KeyError:
        raise ValueError(f"contact '{contact}': allowed are {', '.join(LIFE_EXPONENT)}") from None


def basic_life(rating: float, load: float, contact: Contact = "roller") -> float:
    """Basic rating life ``(C/P)^p`` in millions of revolutions; infinite for no load.

    ``rating`` is C [N], ``load`` the equivalent load P [N]. Raises ValueError for a rating that is not positive or
    a negative load.
    """
    _positive("dynamic load rating", rating)
    _not_negative("equivalent load", load)
    exponent = life_exponent(contact)
    return (rating / load) ** exponent if load > 0.0 else float("inf")


def basic_life_hours(rating: float, load: float, speed: float, contact: Contact = "roller") -> float:
    """Basic rating life L10h [h] at a speed [rad/s]; infinite without load or at rest."""
    turns = abs(speed) * 3600.0 / (2.0 * np.pi)
    life = basic_life(rating, load, contact)
    return float(1e6 * life / turns) if turns > 0.0 else float("inf")


def load_for_life(rating: float, hours: float, speed: float, contact: Contact = "roller") -> float:
    """Equivalent load [N] at which the basic rating life is just ``hours`` [h] at a speed [rad/s]."""
    _positive("dynamic load rating", rating)
    _positive("life in hours", hours)
    _positive("speed", abs(speed))
    turns = hours * abs(speed) * 3600.0 / (2.0 * np.pi)
    return float(rating / (turns / 1e6) ** (1.0 / life_exponent(contact)))


def equivalent_load(
    radial: float, axial: float = 0.0, *, radial_factor: float = 1.0, axial_factor: float = 0.0
) -> float:
    """``P = X F_r + Y F_a`` [N] from the magnitudes of the forces [N], but no less than ``F_r``; X and Y are the catalogue's beyond e."""
    return max(abs(radial), abs(radial) * radial_factor + abs(axial) * axial_factor)


@dataclass(frozen=True)
class LoadBins:
    """Loads [N], speeds [rad/s] and durations (any one unit) of the operating points of a bearing."""

    loads: np.ndarray
    speeds: np.ndarray
    durations: np.ndarray

    @classmethod
    def of(cls, loads: ArrayLike, speeds: ArrayLike, durations: ArrayLike | None = None) -> LoadBins:
        """From three sequences of one length (a scalar is repeated; durations are equal without the third).

        Raises ValueError for lengths that differ, values that are not finite, negative durations, or none at all.
        """
        given = (loads, speeds, 1.0 if durations is None else durations)
        try:
            one, two, three = np.broadcast_arrays(*(np.atleast_1d(np.asarray(x, float)) for x in given))
        except ValueError:
            shapes = ", ".join(str(np.size(x)) for x in given)
            raise ValueError(f"loads, speeds and durations of a bearing differ in number: {shapes}") from None
        if not all(np.isfinite(x).all() for x in (one, two, three)):
            raise ValueError("loads, speeds and durations of a bearing must be finite")
        if (three < 0.0).any() or three.sum() <= 0.0:
            raise ValueError("durations of bearing loads must not be negative, and one of them positive")
        return cls(np.abs(one), np.abs(two), three)

    @property
    def mean_speed(self) -> float:
        """Mean speed [rad/s] over the durations."""
        return float(self.speeds @ self.durations / self.durations.sum())

    def equivalent(self, contact: Contact = "roller") -> float:
        """``(sum P^p n t / sum n t)^(1/p)`` [N]; zero when nothing turns under load."""
        turns = self.speeds * self.durations
        largest = float(self.loads.max())
        if largest == 0.0 or turns.sum() == 0.0:
            return 0.0
        exponent = life_exponent(contact)
        return float(largest * (((self.loads / largest) ** exponent @ turns) / turns.sum()) ** (1.0 / exponent))

    def life_hours(self, rating: float, contact: Contact = "roller") -> float:
        """Basic rating life [h] of the mix of operating points."""
        return basic_life_hours(rating, self.equivalent(contact), self.mean_speed, contact)


def reliability_factor(reliability: float) -> float:
    """Life factor a_1 of a reliability between 0.90 and 0.99 (linear between the rows of the table)."""
    rows = sorted(RELIABILITY_FACTOR)
    if not rows[0] <= reliability <= rows[-1]:
        raise ValueError(f"reliability {reliability:g}: the table of ISO 281 covers {rows[0]:g} to {rows[-1]:g}")
    return float(np.interp(reliability, rows, [RELIABILITY_FACTOR[r] for r in rows]))


def reference_viscosity(speed: float, pitch_diameter: float) -> float:
    """Kinematic viscosity nu_1 [mm^2/s] that separates the surfaces at a speed [rad/s]; D_pw in metres."""
    _positive("speed", abs(speed))
    _positive("pitch diameter", pitch_diameter)
    rpm, diameter = abs(speed) * 30.0 / np.pi, 1e3 * pitch_diameter
    return float(45000.0 * rpm**-0.83 * diameter**-0.5 if rpm < 1000.0 else 4500.0 * rpm**-0.5 * diameter**-0.5)


def life_modification(
    viscosity_ratio: float, contamination: float, fatigue_limit: float, load: float, contact: Contact = "roller"
) -> float:
    """Life modification factor a_ISO of a radial bearing, at most 50.

    Parameters
    ----------
    viscosity_ratio : kappa = nu / nu_1; above 4 it counts as 4
    contamination : e_C, from 0 (heavily contaminated) to 1 (clean)
    fatigue_limit : C_u [N]
    load : equivalent load P [N]

    Raises ValueError for a viscosity ratio below 0.1, where the standard has no answer, or e_C outside 0 to 1.
    """
    life_exponent(contact)
    _not_negative("fatigue load limit", fatigue_limit)
    _not_negative("equivalent load", load)
    if not 0.0 <= contamination <= 1.0:
        raise ValueError(f"contamination factor {contamination:g}: it lies between 0 and 1")
    if not viscosity_ratio >= _SMALLEST_VISCOSITY_RATIO:
        raise ValueError(f"viscosity ratio {viscosity_ratio:g}: ISO 281 covers 0.1 and above")
    if load == 0.0:
        return _LARGEST_MODIFICATION
    kappa = min(viscosity_ratio, _LARGEST_VISCOSITY_RATIO)
    level, branches, outer, inner, power = _BRANCHES[contact]
    numerator, exponent = next((a, b) for top, a, b in branches if kappa < top or top == _LARGEST_VISCOSITY_RATIO)
    base = 1.0 - (level - numerator / kappa**exponent) ** outer * (contamination * fatigue_limit / load) ** inner
    # far below the fatigue limit the base reaches zero: endless life, which the standard cuts at 50
    factor = 0.1 * base**power if base > 0.0 else _LARGEST_MODIFICATION
    return float(min(factor, _LARGEST_MODIFICATION))


#: a and b of the contamination factor by cleanliness of circulating, filtered oil (ISO 281:2007, annex A, from memory)
_CLEANLINESS = {
    "13/10": (0.0864, 0.5663),
    "15/12": (0.0432, 0.9987),
    "17/14": (0.0288, 1.6329),
    "19/16": (0.0216, 2.3362),
}


def contamination_factor(cleanliness: str, viscosity_ratio: float, pitch_diameter: float) -> float:
    """e_C of circulating oil with a filter: ``a (1 - b / D_pw^(1/3))``, a being ``a_0 kappa^0.68 D_pw^0.55`` and at most 1; D_pw in mm here.

    ``cleanliness`` is the last two codes of ISO 4406, ``pitch_diameter`` in metres. Raises ValueError for another cleanliness.
    """
    if cleanliness not in _CLEANLINESS:
        raise ValueError(f"cleanliness '{cleanliness}': annex A has {', '.join(_CLEANLINESS)}")
    first, second = _CLEANLINESS[cleanliness]
    diameter = 1e3 * pitch_diameter
    rise = min(first * min(viscosity_ratio, _LARGEST_VISCOSITY_RATIO) ** 0.68 * diameter**0.55, 1.0)
    return float(max(rise * (1.0 - second / diameter ** (1.0 / 3.0)), 0.0))


def modified_life_hours(
    rating: float,
    load: float,
    speed: float,
    *,
    viscosity: float,
    pitch_diameter: float,
    contamination: float,
    fatigue_limit: float,
    reliability: float = 0.9,
    contact: Contact = "roller",
) -> float:
    """Modified rating life ``a_1 a_ISO L10h`` [h]; ``viscosity`` is that of the warm oil [mm^2/s]."""
    kappa = viscosity / reference_viscosity(speed, pitch_diameter)
    modification = life_modification(kappa, contamination, fatigue_limit, load, contact)
    return reliability_factor(reliability) * modification * basic_life_hours(rating, load, speed, contact)


def static_safety(static_rating: float, load: float) -> float:
    """``S_0 = C_0 / P_0``; infinite without load. Both in newtons."""
    _positive("static load rating", static_rating)
    _not_negative("static equivalent load", load)
    return static_rating / load if load > 0.0 else float("inf")


def _positive(name: str, value: float) -> None:
    if not (np.isfinite(value) and value > 0.0):
        raise ValueError(f"{name} must be positive, got {value:g}")


def _not_negative(name: str, value: float) -> None:
    if not (np.isfinite(value) and value >= 0.0):
        raise ValueError(f"{name} must not be negative, got {value:g}")
