"""Factors of the equivalent loads of a bearing by its type: ``P = X F_r + Y F_a`` and ``P_0 = X_0 F_r + Y_0 F_a``.

Source: ISO 281:2007, tables 3 (balls) and 8 (rollers); ISO 76:2006, tables 2 and 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gearwright.bearings.ratings import ball_static_factor
from gearwright.bearings.types import TYPES, BearingGeometry

# deep-groove balls: f_0 F_a / C_0r, e, Y (X is 0.56 beyond e)
_DEEP = (
    (0.172, 0.345, 0.689, 1.03, 1.38, 2.07, 3.45, 5.17, 6.89),
    (0.19, 0.22, 0.26, 0.28, 0.30, 0.34, 0.38, 0.42, 0.44),
    (2.30, 1.99, 1.71, 1.55, 1.45, 1.31, 1.15, 1.04, 1.00),
)
# angular contact from 20 degrees on: angle, e, X and Y of one row beyond e, Y_1 below and X_2, Y_2 beyond e of two rows
_ANGULAR = (
    (20.0, 25.0, 30.0, 35.0, 40.0, 45.0),
    (0.57, 0.68, 0.80, 0.95, 1.14, 1.34),
    (0.43, 0.41, 0.39, 0.37, 0.35, 0.33),
    (1.00, 0.87, 0.76, 0.66, 0.57, 0.50),
    (1.09, 0.92, 0.78, 0.66, 0.55, 0.47),
    (0.70, 0.67, 0.63, 0.60, 0.57, 0.54),
    (1.63, 1.41, 1.24, 1.07, 0.93, 0.81),
)
# static: angle, Y_0 of one row (X_0 0.5; two rows: 1 and twice that)
_STATIC = ((15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0), (0.46, 0.42, 0.38, 0.33, 0.29, 0.26, 0.22))


@dataclass(frozen=True)
class BearingKind:
    """What the factors of a bearing depend on: ``type``, ``contact_angle`` [rad], two rows (``double``), for deep-groove
    balls the factor f_0 of ISO 76 (``static_factor``) and the static rating [N].

    Raises ValueError where the table needs what is not given.
    """

    type: str
    contact_angle: float = 0.0
    double: bool = False
    static_factor: float = 14.0
    static_rating: float | None = None

    def __post_init__(self) -> None:
        if self.type == "deep_groove" and not self.static_rating:
            raise ValueError("the factors of a deep-groove bearing depend on its static_rating")
        if self.type in ("tapered", "spherical") and not 0.0 < self.contact_angle < math.pi / 2.0:
            raise ValueError(f"the factors of a {self.type} bearing depend on its contact_angle")
        degrees = math.degrees(self.contact_angle)
        if self.type == "angular_contact" and not 20.0 - 1e-9 <= degrees <= 45.0 + 1e-9:
            raise ValueError(
                f"the factors of an angular-contact bearing of {degrees:g} degrees depend on more than the angle: give "
                f"radial_factor and axial_factor from the catalogue (the table here covers 20 to 45 degrees)"
            )

    @classmethod
    def of(cls, geometry: BearingGeometry, static_rating: float) -> BearingKind:
        """That of a geometry. Raises ValueError."""
        return cls(
            geometry.type,
            geometry.contact_angle,
            geometry.row_count == 2,
            ball_static_factor(geometry.gamma),
            static_rating,
        )

    @property
    def takes_axial(self) -> bool:
        """Whether its raceways take an axial load."""
        return self.type not in ("cylindrical", "full_complement")

    def factors(self, radial: float, axial: float) -> tuple[float, float]:
        """X and Y at the magnitudes of the forces [N] on one bearing; 1 and 0 where its raceways take no axial load."""
        fr, fa = radial, axial
        if not self.takes_axial or (fa == 0.0 and self.type != "tapered"):
            return 1.0, 0.0
        if not TYPES[self.type]:
            cot = 1.0 / math.tan(self.contact_angle)
            beyond = fa > 1.5 * math.tan(self.contact_angle) * fr
            if self.double:
                return (0.67, 0.67 * cot) if beyond else (1.0, 0.45 * cot)
            return (0.4, 0.4 * cot) if beyond else (1.0, 0.0)
        if self.type == "deep_groove":
            assert self.static_rating is not None
            relative = self.static_factor * fa / self.static_rating
            limit, y = (float(np.interp(relative, _DEEP[0], row)) for row in _DEEP[1:])
            return (0.56, y) if fa > limit * fr else (1.0, 0.0)
        degrees = math.degrees(self.contact_angle)
        limit, x1, y1, y_low, x2, y2 = (float(np.interp(degrees, _ANGULAR[0], row)) for row in _ANGULAR[1:])
        if self.double:
            return (x2, y2) if fa > limit * fr else (1.0, y_low)
        return (x1, y1) if fa > limit * fr else (1.0, 0.0)


@dataclass(frozen=True)
class Equivalent:
    """An equivalent load [N] with the factors that made it."""

    load: float
    radial_factor: float
    axial_factor: float


def dynamic_equivalent(
    geometry: BearingGeometry,
    radial: float,
    axial: float,
    static_rating: float,
    radial_factor: float | None = None,
    axial_factor: float | None = None,
) -> Equivalent:
    """Dynamic equivalent load of the magnitudes of the forces [N].

    Given factors replace those of the table; they hold beyond the limit e, below which ``P = F_r`` (ISO 281:2007, 5.1: the limit is
    where both are the same). Raises ValueError for an axial load on a bearing that takes none, and for an
    angular-contact angle below 15 or above 45 degrees without given factors.
    """
    fr, fa = abs(radial), abs(axial)
    if radial_factor is not None or axial_factor is not None:
        x, y = 1.0 if radial_factor is None else radial_factor, axial_factor or 0.0
        return _at_least_radial(fr, fa, x, y)
    kind = BearingKind.of(geometry, static_rating)
    if fa > 1e-9 * max(fr, 1.0) and not kind.takes_axial:
        raise ValueError(
            f"a {geometry.word} bearing takes no axial load, got {fa:g} N; give axial_factor if its lips do"
        )
    x, y = kind.factors(fr, fa)
    return Equivalent(x * fr + y * fa, x, y)


def static_factors(kind: str, contact_angle: float, double: bool) -> tuple[float, float]:
    """X_0 and Y_0 of ISO 76 of a type of bearing and its contact angle [rad]."""
    if kind in ("cylindrical", "full_complement"):
        return 1.0, 0.0
    if kind == "deep_groove":
        return 0.6, 0.5
    if TYPES[kind]:
        one = float(np.interp(math.degrees(contact_angle), *_STATIC))
        return (1.0, 2.0 * one) if double else (0.5, one)
    cot = 1.0 / math.tan(contact_angle)
    return (1.0, 0.44 * cot) if double else (0.5, 0.22 * cot)


def static_equivalent(
    geometry: BearingGeometry,
    radial: float,
    axial: float,
    radial_factor: float | None = None,
    axial_factor: float | None = None,
) -> Equivalent:
    """Static equivalent load of the magnitudes of the forces [N]; never below the radial force (ISO 76:2006, 6.2)."""
    fr, fa = abs(radial), abs(axial)
    if radial_factor is not None or axial_factor is not None:
        return _at_least_radial(fr, fa, 1.0 if radial_factor is None else radial_factor, axial_factor or 0.0)
    return _at_least_radial(fr, fa, *static_factors(geometry.type, geometry.contact_angle, geometry.row_count == 2))


def _at_least_radial(fr: float, fa: float, x: float, y: float) -> Equivalent:
    load = x * fr + y * fa
    return Equivalent(load, x, y) if load >= fr else Equivalent(fr, 1.0, 0.0)
