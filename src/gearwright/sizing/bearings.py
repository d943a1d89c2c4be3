"""Rolling bearings by the dimension series of ISO 15, with ratings by ISO 281.

Plan of the boundary dimensions: ``D = d + f_D d^0.9``, ``B = f_B (D - d)/2`` in millimetres (against twelve catalogue bearings: D
within 4 %, B within 8 %). The dynamic rating is that of the likely inside of such a bearing, times what catalogues print over
it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from gearwright.bearings.iso281 import basic_life_hours, load_for_life
from gearwright.bearings.ratings import dynamic_rating, from_catalogue, static_rating

#: f_D of the diameter series 8, 9, 0, 1, 2, 3; f_B of the width series 0 to 6
DIAMETER_SERIES = {"8": 0.45, "9": 0.62, "0": 0.84, "1": 1.12, "2": 1.48, "3": 1.92}
WIDTH_SERIES = {"0": 0.64, "1": 0.88, "2": 1.15, "3": 1.5, "4": 2.0, "5": 2.7, "6": 3.6}
#: pin of a planet over the outside diameter of its bearing: thinner bends, thicker leaves no room for rollers
THIN, THICK = 0.45, 0.75
#: narrowest bearing that is taken [m]
NARROWEST = 5e-3
#: contact angle of tapered and spherical bearings [rad]
ANGLE = math.radians(12.0)
#: printed rating over that of the estimated inside, by type
PRINTED = {"full_complement": 1.10, "cylindrical": 1.05, "tapered": 1.25, "spherical": 1.42}


@dataclass(frozen=True)
class Chosen:
    """A bearing: type, boundary dimensions [m], ratings C and C_0 [N], ``count`` side by side, life L10 [h] of all of them
    at the load [N] and speed [rad/s] it was chosen for, and its ``series``."""

    type: str
    bore: float
    outside: float
    width: float
    dynamic: float
    static: float
    count: int
    load: float
    speed: float
    series: str

    @property
    def contact_angle(self) -> float:
        """Contact angle [rad]; 0 of cylindrical rollers."""
        return contact_angle(self.type)

    @property
    def life(self) -> float:
        """L10 [h] of one of the bearings under its part of the load."""
        return basic_life_hours(self.dynamic, max(self.load, 1.0) / self.count, max(self.speed, 1e-9))


def contact_angle(type: str) -> float:
    """Contact angle [rad] that is taken for a type of roller bearing."""
    return ANGLE if type in ("tapered", "spherical") else 0.0


@lru_cache(maxsize=1024)
def plan(bore: float) -> tuple[tuple[str, float, float], ...]:
    """(series, outside diameter, width) [m] of the bearings of a bore [m], the lightest first."""
    millimetres = 1e3 * bore
    found = []
    for diameter, fd in DIAMETER_SERIES.items():
        outside = 1e-3 * 5.0 * round((millimetres + fd * millimetres**0.9) / 5.0)
        for width_series, fb in WIDTH_SERIES.items():
            width = 1e-3 * round(fb * (1e3 * outside - millimetres) / 2.0)
            if width >= NARROWEST:
                found.append((width_series + diameter, outside, width))
    return tuple(sorted(found, key=lambda item: (item[1] ** 2 - bore**2) * item[2]))


@lru_cache(maxsize=100_000)
def rated(type: str, bore: float, outside: float, width: float) -> tuple[float, float]:
    """Likely C and C_0 [N] of a bearing with these boundary dimensions [m]. Raises ValueError."""
    made = from_catalogue(type, bore, outside, width, contact_angle=contact_angle(type))
    return PRINTED[type] * dynamic_rating(made), static_rating(made)


def least_bearing(
    type: str,
    bore: float,
    load: float,
    speed: float,
    hours: float,
    *,
    outside: float = math.inf,
    width: float = math.inf,
    count: int = 1,
) -> Chosen | None:
    """The lightest bearing of a bore [m] that lives so many hours under a load [N] at a speed [rad/s]; None where none does."""
    needed = load / count / load_for_life(1.0, hours, speed)
    for series, big, wide in plan(bore):
        if big > outside + 1e-9 or wide > width / count + 1e-9:
            continue
        try:
            c, c0 = rated(type, bore, big, wide)
        except ValueError:
            continue
        if c >= needed:
            return Chosen(type, bore, big, wide, c, c0, count, load, speed, series)
    return None


def planet_bearing(
    load: float, speed: float, hours: float, outside: float, width: float, count: int = 2
) -> Chosen | None:
    """The smallest full-complement bearings side by side in the bore of a planet.

    ``load`` on the planet's pin [N], ``speed`` of the planet against the carrier [rad/s], ``outside`` the largest bore of the
    planet [m], ``width`` its face width [m]. The pin is 0.45 to 0.75 of the outside diameter. None where none lives so long.
    """
    found = []
    step = 5.0 if outside < 0.2 else 10.0 if outside < 0.5 else 20.0
    for k in range(math.ceil(1e3 * THIN * 0.7 * outside / step), math.floor(1e3 * THICK * outside / step) + 1):
        bore = 1e-3 * step * k
        one = least_bearing(
            "full_complement", bore, load, speed, hours, outside=min(outside, bore / THIN), width=width, count=count
        )
        if one is not None:
            found.append(one)
    # the smallest bearing leaves the thickest rim; among equals the thickest pin
    return min(found, key=lambda b: (b.outside, -b.bore), default=None)
