"""Teeth of a stage: tooth numbers near a ratio, profile shifts from the centre distance, their split, tips.

Sources: ISO 21771 (geometry), ISO 54 (modules); equal specific sliding at both ends of the path as the split that published
wind gearboxes have to four digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gearwright.geometry import involute
from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.pair import GearPair

from .splits import balanced, sliding_gap

#: normal modules of ISO 54, series 1 and 2 [mm]
MODULES = (
    1,
    1.125,
    1.25,
    1.375,
    1.5,
    1.75,
    2,
    2.25,
    2.5,
    2.75,
    3,
    3.5,
    4,
    4.5,
    5,
    5.5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    14,
    16,
    18,
    20,
    22,
    25,
    28,
    32,
    36,
    40,
    45,
    50,
)
#: teeth of the sun or pinion that are tried
FEWEST, MOST = 18, 26
#: profile shift of a sun or pinion: below, a root loses strength; above, a tip gets thin
SHIFT = (0.1, 0.75)
#: steel of all wheels
STEEL = Steel(206e9, 0.3)


def rounded_module(module: float) -> float:
    """The nearest module [m] of ISO 54, by ratio; above 50 mm a whole number of 5 mm."""
    millimetres = 1e3 * module
    large = 5.0 * math.floor(millimetres / 5.0)
    known = MODULES if millimetres <= MODULES[-1] else (large, large + 5.0)
    return 1e-3 * min(known, key=lambda m: abs(math.log(m / millimetres)))


@dataclass(frozen=True)
class PlanetaryTeeth:
    """Tooth numbers of a planetary stage with its ring fixed; ``stretch`` is ``z_r - z_s - 2 z_p``."""

    sun: int
    planet: int
    ring: int

    @property
    def ratio(self) -> float:
        """Speed of the sun over that of the carrier."""
        return 1.0 + self.ring / self.sun

    @property
    def external(self) -> tuple[int, int]:
        """Teeth of sun and planet."""
        return self.sun, self.planet

    @property
    def stretch(self) -> int:
        """Teeth of the ring beyond those that unshifted wheels on one centre distance have."""
        return self.ring - self.sun - 2 * self.planet

    @property
    def hunting(self) -> bool:
        """Whether every tooth of a wheel meets every tooth of its mates."""
        return math.gcd(self.sun, self.planet) == 1 and math.gcd(self.planet, self.ring) == 1


@dataclass(frozen=True)
class ParallelTeeth:
    """Tooth numbers of a parallel stage: the wheel on the slow side, the pinion on the fast one."""

    pinion: int
    wheel: int

    @property
    def ratio(self) -> float:
        """Speed of the pinion over that of the wheel."""
        return self.wheel / self.pinion

    @property
    def external(self) -> tuple[int, int]:
        """Teeth of pinion and wheel."""
        return self.pinion, self.wheel

    @property
    def hunting(self) -> bool:
        """Whether every tooth meets every tooth of the mate."""
        return math.gcd(self.pinion, self.wheel) == 1


def planetary_teeth(
    ratio: float, planets: int, tolerance: float, fewest: int = FEWEST, most: int = MOST
) -> Iterator[PlanetaryTeeth]:
    """Tooth numbers of a stage within ``tolerance`` of a ratio: planets equally spaced, neighbours a module apart, a stretch of
    0, 1 or 2 teeth, hunting."""
    for sun in range(fewest, most + 1):
        for ring in range(
            math.ceil(sun * ((1.0 - tolerance) * ratio - 1.0)), math.floor(sun * ((1.0 + tolerance) * ratio - 1.0)) + 1
        ):
            if (sun + ring) % planets:
                continue
            for stretch in (0, 1, 2):
                rest = ring - sun - stretch
                if rest % 2 or rest < 2 * 12:
                    continue
                teeth = PlanetaryTeeth(sun, rest // 2, ring)
                if teeth.hunting and (teeth.planet + 3.0) < (sun + teeth.planet) * math.sin(math.pi / planets):
                    yield teeth


def parallel_teeth(
    ratio: float, tolerance: float, fewest: int = FEWEST, most: int = MOST + 4
) -> Iterator[ParallelTeeth]:
    """Tooth numbers of a parallel stage within ``tolerance`` of a ratio, hunting."""
    for pinion in range(fewest, most + 1):
        low, high = (1.0 - tolerance) * ratio * pinion, (1.0 + tolerance) * ratio * pinion
        for wheel in range(math.ceil(low), math.floor(high) + 1):
            teeth = ParallelTeeth(pinion, wheel)
            if teeth.hunting:
                yield teeth


@dataclass(frozen=True)
class Rack:
    """Module [m], helix angle [rad] of a stage, width [m] of its wheels; 20 degrees, addendum 1, dedendum 1.25 modules."""

    module: float
    helix: float
    width: float

    def wheel(self, name: str, teeth: int, shift: float, shortening: float = 0.0, ring: bool = False) -> Gear:
        """A wheel of the stage."""
        return Gear(
            teeth,
            self.module,
            helix_angle=self.helix,
            shift=shift,
            ring=ring,
            face_width=self.width,
            shortening=shortening,
            material=STEEL,
            name=name,
        )

    def distance(self, one: int, two: int, shifts: float) -> float:
        """Centre distance [m] of an external pair without backlash from the sum of its shifts."""
        angle = involute.working_angle_from_shifts((one, two), (shifts, 0.0), math.radians(20.0), self.helix)
        bases = tuple(involute.base_radius(z, self.module, math.radians(20.0), self.helix) for z in (one, two))
        return involute.centre_distance((bases[0], bases[1]), angle)

    def shift_sum(self, one: int, two: int, distance: float, internal: bool = False) -> float:
        """``x_1 + x_2`` that closes a pair at a centre distance [m]."""
        bases = tuple(involute.base_radius(z, self.module, math.radians(20.0), self.helix) for z in (one, two))
        angle = involute.working_angle((bases[0], bases[1]), distance, internal)
        return involute.shift_sum((one, two), angle, math.radians(20.0), self.helix, internal)

    def shortening(self, one: int, two: int, distance: float, shifts: float) -> float:
        """Added to both addenda [m], so that tips keep the clearance of the rack: ``a - a_0 - m (x_1 + x_2)``."""
        plain = 0.5 * (one + two) * involute.transverse_module(self.module, self.helix)
        return min(distance - plain - self.module * shifts, 0.0)


def sliding_split(
    rack: Rack, one: int, two: int, distance: float, least: float = -1.0, most: float = 2.0
) -> tuple[float, float]:
    """Shifts of an external pair with equal specific sliding at both ends of its path, that of gear one within bounds.

    ``zeta_1 = 1 - (s_2/s_1)/u`` at the start of the path, ``zeta_2 = 1 - u s_1/s_2`` at its end, s the arcs of the flanks.
    """
    return _split(one, two, rack.helix, round(distance / rack.module, 10), least, most)


@lru_cache(maxsize=4096)
def _split(one: int, two: int, helix: float, distance: float, least: float, most: float) -> tuple[float, float]:
    """:func:`sliding_split` for a module of one: the split does not depend on the size."""
    rack = Rack(1.0, helix, 1.0)
    total = rack.shift_sum(one, two, distance)
    short = rack.shortening(one, two, distance, total)

    def difference(x: float) -> float:
        wheels = [rack.wheel("", z, s, short) for z, s in ((one, x), (two, total - x))]
        return sliding_gap(GearPair(wheels[0], wheels[1], distance))

    x = balanced(difference, max(0.5 * total - 1.0, least), min(0.5 * total + 1.0, most))
    return x, total - x
