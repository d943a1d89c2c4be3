"""A whole gearbox from ratings: teeth and size of every stage, bearings, shafts, carriers, with what governs each."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from gearwright.errors import DrivetrainError
from gearwright.progress import Stage as Going
from gearwright.progress import stage as at_work

from .bearings import Chosen, planet_bearing
from .ratings import MESH_LOAD, Ratings, words_of
from .ratios import intensity_of, least_volume, limits, parallel_volume, planetary_volume, volume
from .shafts import BEARING_LOAD, DENSITY, Carrier, Seat, Shaft, bearing_hours, carrier_of, seats_of, shafts_of
from .stage import WIDTH, Duty, Stage, sized
from .teeth import MOST, ParallelTeeth, PlanetaryTeeth, parallel_teeth, planetary_teeth

#: tolerance of a ratio: of the whole, and of a stage that others make up for
WHOLE, STAGE = 0.002, 0.02
#: ratios are chosen among those whose gear volume is at most this much above the least
FLAT = 1.05
#: of tooth numbers whose volume is at most this much above the least, those whose width is nearest to the rule's are taken
ALIKE = 1.02
#: S_F that is wanted where tooth numbers leave it free, over the least: boxes that are built keep 1.15 to 2.7
SPARE_BENDING = 1.3
#: largest shift of a ring: beyond, its teeth are cut far from the rack
RING_SHIFT = 0.75
#: how a stage grows until its planets hold their bearings: factor on the wanted safeties, and the largest
GROWTH, MOST_GROWTH = 1.04, 2.2
#: tooth numbers of a stage that are tried where nothing can be made behind the best
MOST_TRIED = 12
#: rim of a planet around its bearing [modules]
RIM = 2.5
#: mass of a gearbox over that of its solid wheels (the ring weighted)
BOX = 1.65


@dataclass(frozen=True)
class Made:
    """A stage, the bearings of its planets, and by what the wanted safeties rose until they fit."""

    stage: Stage
    bearing: Chosen | None
    growth: float


@dataclass(frozen=True)
class Gearbox:
    """A gearbox: stages from the rotor on, shafts (main first), bearings of planets (one per planetary stage), of main shaft,
    carriers, wheels and pinions (``seats``), carriers, and ``grown``: by what the wanted safeties of a stage rose until its planets' bearings fit."""

    ratings: Ratings
    stages: tuple[Stage, ...]
    shafts: tuple[Shaft, ...]
    planet_bearings: tuple[Chosen | None, ...]
    seats: tuple[Seat, ...]
    carriers: tuple[Carrier | None, ...]
    grown: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Ratio of the teeth."""
        return math.prod(s.ratio for s in self.stages)

    @property
    def wheel_mass(self) -> float:
        """Mass of the solid wheels, the rings weighted [kg]."""
        return DENSITY * math.pi / 4.0 * sum(s.volume for s in self.stages)

    @property
    def mass(self) -> float:
        """Estimate of the mass of the gearbox [kg]."""
        return BOX * self.wheel_mass

    def governs(self, stage: int) -> str:
        """What sets the size of a stage."""
        s, m = self.stages[stage], self.ratings.margins
        if self.grown[stage] > 1.0:
            return "planet bearing"
        flank = min(s.safeties, key=lambda x: x.pitting)
        root = min(s.safeties, key=lambda x: x.bending)
        if flank.pitting / m.pitting <= root.bending / m.bending:
            return f"flank of the {flank.wheel}"
        return f"root of the {root.wheel}"


def gearbox(ratings: Ratings) -> Gearbox:
    """The lightest gearbox of the rules for ratings with a layout.

    Raises DrivetrainError that names the wish that blocks.
    """
    made = _stages(ratings)
    stages = tuple(m.stage for m in made)
    shafts = tuple(shafts_of(ratings, stages))
    carriers = tuple(carrier_of(s) for s in stages)
    return Gearbox(
        ratings,
        stages,
        shafts,
        tuple(m.bearing for m in made),
        tuple(seats_of(ratings, stages, shafts, carriers)),
        carriers,
        tuple(m.growth for m in made),
    )


def _stages(ratings: Ratings) -> list[Made]:
    """Stages from the slow side on; each takes what those before left of the ratio."""
    with at_work("stage", len(ratings.layout)) as going:
        return _from(ratings, Duty(ratings.torque, ratings.rotor_speed, ratings.layout[0]), 0, ratings.ratio, going)


def _from(ratings: Ratings, duty: Duty, number: int, left: float, going: Going) -> list[Made]:
    """A stage and those behind it: where nothing can be made behind the best of its tooth numbers, the next best are tried.

    Raises DrivetrainError, of the stage that blocks behind the best.
    """
    found = _ranked(ratings, duty, number, left)
    if number == len(ratings.layout) - 1:
        going.at(len(ratings.layout))
        return found[:1]
    first: DrivetrainError | None = None
    for made in found[:MOST_TRIED]:
        ratio = made.stage.ratio
        going.at(number + 1)
        try:
            behind = Duty(duty.torque / ratio, duty.speed * ratio, ratings.layout[number + 1])
            return [made, *_from(ratings, behind, number + 1, left / ratio, going)]
        except DrivetrainError as error:
            first = first or error
    assert first is not None
    raise first


def _ratios(ratings: Ratings, number: int, left: float) -> list[float]:
    """Ratios to try for a stage, of which ``left`` is to be made by it and those behind it: the one of least gear volume, and
    those around it with nearly the same volume, among which bearings and tooth numbers may decide."""
    rest = ratings.layout[number:]
    if len(rest) == 1:
        return [left]
    if ratings.ratios is not None:
        return [ratings.ratios[number]]
    weights = intensity_of(rest)
    best = least_volume(left, rest, weights)
    least = volume(best, rest, weights)
    found = []
    for k in range(-3, 9):
        u = best[0] * 1.04**k
        low, high = limits(rest[0])
        behind = [limits(n) for n in rest[1:]]
        if not (low <= u <= high and math.prod(e[0] for e in behind) <= left / u <= math.prod(e[1] for e in behind)):
            continue
        whole = (u, *least_volume(left / u, rest[1:], weights[1:]))
        if volume(whole, rest, weights) <= FLAT * least:
            found.append(u)
    return found or [best[0]]


def _teeth(duty: Duty, ratios: Sequence[float], tolerance: float, most: int) -> list[PlanetaryTeeth | ParallelTeeth]:
    """Tooth numbers near any of the ratios, each once."""
    found: dict[PlanetaryTeeth | ParallelTeeth, None] = {}
    for ratio in ratios:
        if duty.planets:
            found.update(dict.fromkeys(planetary_teeth(ratio, duty.planets, tolerance, most=most)))
        else:
            found.update(dict.fromkeys(parallel_teeth(ratio, tolerance, most=most)))
    return list(found)


def _candidates(ratings: Ratings, duty: Duty, number: int, left: float) -> list[PlanetaryTeeth | ParallelTeeth]:
    """Tooth numbers that a stage may have. Raises DrivetrainError where there are none."""
    last = number == len(ratings.layout) - 1
    ratios = _ratios(ratings, number, left)
    usual = MOST + 4 if duty.planets else MOST
    for tolerance, most in ((WHOLE, usual), (WHOLE, 36), (WHOLE, 48)) if last else ((STAGE, usual), (2 * STAGE, usual)):
        teeth = _teeth(duty, ratios, 0.98 * tolerance, most)
        if number == len(ratings.layout) - 2:  # the last stage has to make up for the rest with teeth of usual numbers
            end = Duty(duty.torque, duty.speed, ratings.layout[-1])
            fits = [t for t in teeth if _teeth(end, [left / t.ratio], 0.98 * WHOLE, MOST + 4 if end.planets else MOST)]
            teeth = fits or teeth
        if teeth:
            return teeth
    raise DrivetrainError(
        f"stage {number + 1} of layout {words_of(ratings.layout)}: no hunting tooth numbers "
        f"{'with equally spaced planets ' if duty.planets else ''}make a ratio of {ratios[0]:.4g} within "
        f"{'0.2' if last else '4'} %; another layout or generator speed does"
    )


def _ranked(ratings: Ratings, duty: Duty, number: int, left: float) -> list[Made]:
    """Stages of which ``left`` is to be made by them and those behind them, the best first: of the tooth numbers that fit, those that
    hold and whose planets hold their bearings, by volume with what the stages behind will take. Raises DrivetrainError."""
    teeth = _candidates(ratings, duty, number, left)
    weights = intensity_of(ratings.layout[number:])
    behind = ratings.layout[number + 1 :]
    found: list[tuple[float, Made]] = []
    blocked = 0
    for t in teeth:
        first = sized(duty, t, ratings)
        if first is None or abs(first.shifts[-1]) > RING_SHIFT:
            continue
        stage, bearing, growth = _with_bearing(ratings, first) if duty.planets else (first, None, 1.0)
        if stage is None:
            blocked += 1
            continue
        cost = stage.volume
        if behind:
            share = least_volume(left / t.ratio, behind, weights[1:], bounded=False)
            # the load intensity that this stage allows holds for those behind as well
            cost += (
                first.volume
                * weights[0]
                * volume(share, behind, weights[1:])
                / (planetary_volume(t.ratio, duty.planets) if duty.planets else parallel_volume(t.ratio))
            )
        found.append((cost, Made(stage, bearing, growth)))
    if found:
        return _sorted(found, SPARE_BENDING * ratings.margins.bending * ratings.margins.reserve)
    if blocked:
        raise DrivetrainError(
            f"stage {number + 1}: no bearing that lives {ratings.margins.hours:.0f} h at {BEARING_LOAD:g} of the rated load fits into its "
            f"planets, even with {MOST_GROWTH:.1f} times the wanted safeties of the teeth; fewer planets, a larger ratio of the stage, or "
            f"fewer hours"
        )
    raise DrivetrainError(
        f"stage {number + 1}: no teeth of a ratio near {left:.4g} hold {duty.torque:.4g} N m with these wishes"
    )


def _sorted(found: Sequence[tuple[float, Made]], bending: float) -> list[Made]:
    """Stages by volume (the first of each pair), those with an S_F of ``bending`` before the others; among volumes that are nearly the
    least the width of the rule decides, since flanks ask for b d^2 and leave it open whether a stage is wide or large."""
    strong = [cost for cost, made in found if made.stage.bending >= bending]
    alike = ALIKE * min(strong or [cost for cost, _ in found])

    def order(one: tuple[float, Made]) -> tuple[bool, bool, float]:
        cost, stage = one[0], one[1].stage
        return stage.bending < bending, cost > alike, cost if cost > alike else abs(math.log(stage.slenderness / WIDTH))

    return [made for _, made in sorted(found, key=order)]


def _with_bearing(ratings: Ratings, stage: Stage) -> tuple[Stage | None, Chosen | None, float]:
    """The stage, grown until its planets hold their bearings; None where even the largest does not.

    How much it has to grow follows from its own measures times a factor; only then it is sized anew.
    """
    assert isinstance(stage.teeth, PlanetaryTeeth)
    steps = math.floor(math.log(MOST_GROWTH) / math.log(GROWTH))

    def holds(k: int) -> bool:
        return _planet_bearing(ratings, stage, GROWTH ** (k * 2.0 / 3.0)) is not None

    if not holds(steps):
        return None, None, MOST_GROWTH
    first = bisect_left(range(steps), True, key=holds)
    for k in range(first, min(first + 4, steps) + 1):  # rounding moves the measures a little
        growth = GROWTH**k
        made = stage if k == 0 else sized(stage.duty, stage.teeth, ratings, growth)
        bearing = None if made is None else _planet_bearing(ratings, made)
        if bearing is not None:
            return made, bearing, growth
    return None, None, MOST_GROWTH


def _planet_bearing(ratings: Ratings, stage: Stage, scale: float = 1.0) -> Chosen | None:
    """Bearings of a planet of a stage whose measures are multiplied by ``scale``."""
    assert isinstance(stage.teeth, PlanetaryTeeth)
    force = 2.0 * stage.force * MESH_LOAD[stage.duty.planets] / scale
    speed = stage.duty.speed * (stage.ratio - 1.0) * stage.teeth.sun / stage.teeth.planet
    outside = 2.0 * scale * (stage.pairs[0].two.root_radius - RIM * stage.rack.module)
    return planet_bearing(force, speed, bearing_hours(ratings), outside, scale * stage.rack.width)
