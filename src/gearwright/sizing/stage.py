"""The size of one stage: the smallest module and width that hold S_H and S_F, then rounded to what is made.

    start:   d_1^3 = 2 T_1/(K r) (u + 1)/u,  K = 3 MPa, r = b/d_1
    repeat:  m = d_1 cos(beta)/z_1, b = r d_1, centre distance and shifts, rating;
             d_1 <- d_1 max[(S_Hmin/S_H)^(2/3), (S_Fmin/S_F)^(1/3)]

which settles in four or five rounds, since S_H grows with d_1^1.5 and S_F with its cube. The module is rounded to the nearest of
ISO 54, up or down: b d_1^2 stays what the flanks ask, so a rounding up alone would make every stage larger and narrower.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from gearwright.geometry.gear import GeometryError
from gearwright.geometry.pair import GearPair
from gearwright.rating.gear_rating import GearFacts
from gearwright.rating.iso6336_rating import RatingError

from .rated import Safety, gear_facts, safeties
from .ratings import Ratings
from .ratios import RING
from .teeth import SHIFT, ParallelTeeth, PlanetaryTeeth, Rack, rounded_module, sliding_split

#: width over the diameter of the sun or pinion: of published gearboxes the median is 1.03 (planetary) and 1.01 (parallel)
WIDTH = 1.0
#: sum of the shifts of sun and planet, of pinion and wheel
PLANETARY_SHIFTS, PARALLEL_SHIFTS = 0.8, 0.6
#: load intensity that the search starts from [Pa]
_START = 3e6
#: rounds of the search at most, and the relative change of the diameter that ends it
_ROUNDS, _SETTLED = 12, 1e-4
#: least width over diameter after rounding: a wider module makes a short wheel
_NARROW = 0.5


@dataclass(frozen=True)
class Duty:
    """What a stage does: torque on its slow side [N m], speed of it [rad/s], planets (0: parallel)."""

    torque: float
    speed: float
    planets: int


@dataclass(frozen=True)
class Aim:
    """What a stage is sized for: strength and load ``facts``, life [h] at rated torque, least S_H and S_F, and its shape: helix
    [rad], ``width`` over the diameter of sun or pinion, sum of the ``shifts`` of its external pair."""

    facts: GearFacts
    hours: float
    pitting: float
    bending: float
    helix: float
    width: float
    shifts: float


def aim_of(ratings: Ratings, planets: int, reserve: float = 1.0) -> Aim:
    """The aim of a stage (``planets`` 0: parallel) by the rules; ``reserve`` multiplies the wanted safeties once more."""
    m = ratings.margins
    wanted = m.reserve * reserve
    return Aim(
        gear_facts(m, ratings.strength, planets or 1),
        m.hours,
        wanted * m.pitting,
        wanted * m.bending,
        ratings.helix_planetary if planets else ratings.helix_parallel,
        WIDTH,
        PLANETARY_SHIFTS if planets else PARALLEL_SHIFTS,
    )


@dataclass(frozen=True)
class Stage:
    """A stage with its size.

    Attributes
    ----------
    rack, distance, shifts : module, helix, width [m]; centre distance [m]; shifts of sun, planet, ring, or of pinion, wheel
    shortening : of the tips of the external pair, and of the ring's [m], negative or zero
    pairs : sun and planet, planet and ring; or pinion and wheel
    safeties : of every wheel in every mesh
    """

    duty: Duty
    teeth: PlanetaryTeeth | ParallelTeeth
    rack: Rack
    distance: float
    shifts: tuple[float, ...]
    shortening: tuple[float, float]
    pairs: tuple[GearPair, ...]
    safeties: tuple[Safety, ...]

    @property
    def ratio(self) -> float:
        """Speed of the fast side over that of the slow side."""
        return self.teeth.ratio

    @property
    def wheels(self) -> tuple[tuple[str, int], ...]:
        """(name, teeth) of the wheels, the one on the fast side first."""
        t = self.teeth
        if isinstance(t, PlanetaryTeeth):
            return ("sun", t.sun), ("planet", t.planet), ("ring", t.ring)
        return ("pinion", t.pinion), ("wheel", t.wheel)

    @property
    def volume(self) -> float:
        """``sum b d^2`` of the wheels, the ring weighted [m^3]."""
        count = {"planet": self.duty.planets}
        weight = {"ring": RING}
        mt = self.rack.module / math.cos(self.rack.helix)
        return sum(count.get(n, 1) * weight.get(n, 1.0) * self.rack.width * (mt * z) ** 2 for n, z in self.wheels)

    @property
    def slenderness(self) -> float:
        """Width over the reference diameter of sun or pinion."""
        return self.rack.width / (2.0 * self.pairs[0].one.reference_radius)

    @property
    def pitting(self) -> float:
        """Least S_H."""
        return min(s.pitting for s in self.safeties)

    @property
    def bending(self) -> float:
        """Least S_F."""
        return min(s.bending for s in self.safeties)

    @property
    def force(self) -> float:
        """Tangential force of a mesh at the reference circle of sun or pinion, no factors [N]."""
        return tangential(self.duty, self.ratio, self.pairs[0].one.reference_radius)


def tangential(duty: Duty, ratio: float, radius: float) -> float:
    """Force [N] of one mesh at a reference radius [m] of the sun or pinion."""
    return duty.torque / ratio / max(duty.planets, 1) / radius


def planetary_pairs(
    teeth: PlanetaryTeeth, rack: Rack, distance: float
) -> tuple[tuple[float, ...], tuple[float, float], tuple[GearPair, ...]]:
    """Shifts, shortenings and pairs of a planetary stage at a centre distance [m]; the ring's tip clears fillet and root."""
    x1, x2 = sliding_split(rack, teeth.sun, teeth.planet, distance, *SHIFT)
    x3 = rack.shift_sum(teeth.planet, teeth.ring, distance, True) - x2
    short = rack.shortening(teeth.sun, teeth.planet, distance, x1 + x2)
    planet = rack.wheel("planet", teeth.planet, x2, short)
    outer = GearPair(rack.wheel("sun", teeth.sun, x1, short), planet, distance)
    for step in range(40):
        cut = -0.02 * step * rack.module
        inner = GearPair(planet, rack.wheel("ring", teeth.ring, x3, cut, True), distance)
        free = min(inner.tip_clearances) >= 0.2499 * rack.module and inner.fillet_margins[0] >= 0.0
        if free and not any(c.what.endswith("interference") for c in inner.checks()):
            break
    return (x1, x2, x3), (short, cut), (outer, inner)


def parallel_pairs(
    teeth: ParallelTeeth, rack: Rack, distance: float
) -> tuple[tuple[float, ...], tuple[float, float], tuple[GearPair, ...]]:
    """Shifts, shortenings and pair of a parallel stage at a centre distance [m]."""
    x1, x2 = sliding_split(rack, teeth.pinion, teeth.wheel, distance, *SHIFT)
    short = rack.shortening(teeth.pinion, teeth.wheel, distance, x1 + x2)
    pair = GearPair(
        rack.wheel("pinion", teeth.pinion, x1, short), rack.wheel("wheel", teeth.wheel, x2, short), distance
    )
    return (x1, x2), (short, 0.0), (pair,)


def at_size(duty: Duty, teeth: PlanetaryTeeth | ParallelTeeth, rack: Rack, distance: float, aim: Aim) -> Stage:
    """A stage of a module, width and centre distance with its safeties. Raises GeometryError, ValueError or RatingError."""
    shifts, short, pairs = (
        planetary_pairs(teeth, rack, distance)
        if isinstance(teeth, PlanetaryTeeth)
        else parallel_pairs(teeth, rack, distance)
    )
    for pair in pairs:
        bad = pair.checks()
        if bad:
            raise GeometryError(str(bad[0]))
    facts = aim.facts
    force = tangential(duty, teeth.ratio, pairs[0].one.reference_radius)
    turns = 3600.0 * aim.hours / (2.0 * math.pi)
    if isinstance(teeth, PlanetaryTeeth):
        sun = duty.speed * (teeth.ratio - 1.0)  # against the carrier
        planet = sun * teeth.sun / teeth.planet
        found = safeties(pairs[0], facts, force, sun, (turns * sun * duty.planets, turns * planet), (False, True))
        found += safeties(
            pairs[1], facts, force, planet, (turns * planet, turns * duty.speed * duty.planets), (True, False)
        )
    else:
        fast = duty.speed * teeth.ratio
        found = safeties(pairs[0], facts, force, fast, (turns * fast, turns * duty.speed), (False, False))
    return Stage(duty, teeth, rack, distance, shifts, short, pairs, tuple(found))


def smallest(duty: Duty, teeth: PlanetaryTeeth | ParallelTeeth, aim: Aim) -> Stage:
    """The smallest stage with these teeth that holds what is wanted, nothing rounded. Raises GeometryError, ValueError or RatingError."""
    one, two = teeth.external
    load = duty.torque / teeth.ratio / max(duty.planets, 1) * aim.facts.factors.mesh_load
    diameter = (2.0 * load / (_START * aim.width) * (one + two) / two) ** (1.0 / 3.0)
    for _ in range(_ROUNDS):
        rack = Rack(diameter * math.cos(aim.helix) / one, aim.helix, aim.width * diameter)
        found = at_size(duty, teeth, rack, rack.distance(one, two, aim.shifts), aim)
        factor = max((aim.pitting / found.pitting) ** (2.0 / 3.0), (aim.bending / found.bending) ** (1.0 / 3.0))
        if abs(factor - 1.0) < _SETTLED:
            break
        diameter *= factor
    return found


def distance_step(module: float) -> float:
    """Step of centre distances [m]: a millimetre, a tenth of one below a module of 4 mm, where it would move the shifts too far."""
    return 1e-3 if module >= 4e-3 else 1e-4


def sized(duty: Duty, teeth: PlanetaryTeeth | ParallelTeeth, ratings: Ratings, reserve: float = 1.0) -> Stage | None:
    """The smallest stage with these teeth that holds the wanted safeties, with a module of ISO 54, its centre distance in whole
    :func:`distance_step` and its width in steps of 5 mm; None where teeth of these numbers cannot be made."""
    aim = aim_of(ratings, duty.planets, reserve)
    one, two = teeth.external

    def at(module: float, width: float) -> Stage:
        rack, step = Rack(module, aim.helix, width), distance_step(module)
        distance = step * math.ceil(rack.distance(one, two, aim.shifts) / step - 1e-9)
        return at_size(duty, teeth, rack, distance, aim)

    try:
        return _rounded(smallest(duty, teeth, aim).rack, one, aim, at)
    except (GeometryError, RatingError, ValueError):
        return None


def _rounded(rack: Rack, teeth: int, aim: Aim, at: Callable[[float, float], Stage]) -> Stage:
    """Module to the nearest of ISO 54, then the least width in steps of 5 mm (1 mm below a diameter of 100 mm) that holds, not
    below half the diameter: from where b d^2 stays the same, down while it holds, or up until it does."""
    chosen = rounded_module(rack.module)
    diameter = chosen * teeth / math.cos(rack.helix)
    step = 5e-3 if diameter > 0.1 else 1e-3
    least = math.ceil(_NARROW * diameter / step)
    steps, held = max(least, math.ceil(rack.width * (rack.module / chosen) ** 2 / step)), None
    for _ in range(200):
        found = at(chosen, step * steps)
        lack = max((aim.pitting / found.pitting) ** 2, aim.bending / found.bending)
        if lack <= 1.0:
            held = found
            if steps == least:
                return found
            steps -= 1
        elif held is not None:
            return held
        else:
            least = steps + 1
            steps = max(least, math.floor(steps * (1.0 + 0.9 * (lack - 1.0))))
    raise GeometryError("no width holds the wanted safeties")
