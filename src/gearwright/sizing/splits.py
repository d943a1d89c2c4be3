"""The split of a sum of profile shifts between two wheels: equal sliding, equal root stress, DIN 3992; tips that keep their clearance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from gearwright.geometry.gear import Gear, GeometryError
from gearwright.geometry.pair import GearPair
from gearwright.rating.iso6336_bending import root_factors
from gearwright.rating.iso6336_rating import RatingError

#: how far a split goes to either side of equal shifts [modules]
REACH = 1.0


@dataclass(frozen=True)
class Split:
    """Shifts of both wheels by a ``rule``, or ``why`` there are none: specific ``sliding`` at the start and at the end of the path, ``root``
    factors Y_F Y_S Y_beta, ``tips``: thickness at the tip [modules], transverse ``contact_ratio``, ``findings``:
    what a designer would frown at, with its cure (a ring that must be cut back)."""

    rule: str
    shifts: tuple[float, float] | None
    sliding: tuple[float, float] | None = None
    root: tuple[float, float] | None = None
    tips: tuple[float, float] | None = None
    contact_ratio: float | None = None
    findings: tuple[str, ...] = ()
    why: str = ""


def sliding(pair: GearPair) -> tuple[float, float]:
    """Specific sliding where it is worst: of wheel one at the start of the path, ``1 - (s_2/s_1)/u``, of wheel two at its end,
    ``1 - u s_1/s_2``; minus infinity where the path begins or ends at a base circle."""
    p, u = pair.path, pair.ratio
    begin, end = (p.start, pair.mate_arc(p.start)), (p.end, pair.mate_arc(p.end))
    first = 1.0 - begin[1] / begin[0] / u if begin[0] > 0.0 else -math.inf
    return first, 1.0 - u * end[0] / end[1] if end[1] > 0.0 else -math.inf


def sliding_gap(pair: GearPair) -> float:
    """What the sliding of wheel two is worse than that of wheel one; rises with the shift of wheel one."""
    one, two = sliding(pair)
    if not math.isfinite(one):
        return -math.inf
    return one - two


def balanced(gap: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function, infinite beyond its range, is zero between two ends (Illinois); the nearer end where it has no zero."""
    ends = [gap(low), gap(high)]
    x = 0.5 * (low + high)
    for _ in range(60):
        if all(map(math.isfinite, ends)) and ends[0] * ends[1] < 0.0:
            x = (low * ends[1] - high * ends[0]) / (ends[1] - ends[0])
        else:
            x = 0.5 * (low + high)
        value = gap(x)
        if abs(value) < 1e-8 or high - low < 1e-9:
            break
        side = value > 0.0  # the end that stays counts half, so that none sticks
        ends[side], ends[not side] = value, 0.5 * ends[not side]
        low, high = (low, x) if side else (x, high)
    return x


def shift_sum(one: Gear, two: Gear, distance: float) -> float:
    """``x_1 + x_2`` that closes a pair without backlash at a centre distance [m]. Raises GeometryError where it cannot mesh."""
    return GearPair(one, two, distance).fitting_shifts


def shortening(one: Gear, two: Gear, distance: float, total: float) -> float:
    """Added to the addenda of an external pair [m], so that both tips keep the clearance of the rack: ``a - a_0 - m (x_1 + x_2)``; never
    longer teeth. A ring keeps its own."""
    if two.ring:
        return 0.0
    return min(distance - one.reference_radius - two.reference_radius - one.module * total, 0.0)


def shifted(one: Gear, two: Gear, distance: float, first: float, total: float) -> GearPair:
    """The pair with a sum of shifts, ``first`` of it on wheel one; tips by addendum, shift and :func:`shortening`."""
    short = shortening(one, two, distance, total)
    made = [
        replace(gear, shift=x, shortening=short, tip_given=None, root_given=None, relief=None)
        for gear, x in ((one, first), (two, total - first))
    ]
    return GearPair(made[0], made[1], distance)


def root_pair(pair: GearPair) -> tuple[float, float]:
    """``Y_F Y_S Y_beta`` of both wheels. Raises RatingError where a root has no critical section."""
    found = [root_factors(pair, which) for which in (0, 1)]
    one, two = (f.form * f.stress_correction * f.helix for f in found)
    return one, two


def by_din_3992(one: Gear, two: Gear, total: float) -> float:
    """Shift of the first wheel of an external pair by DIN 3992: ``S/2 + (0.5 - S/2) log u / log(z_n1 z_n2/100)``, z_n the virtual
    numbers of teeth; the smaller wheel is meant as the first."""
    virtual = [gear.virtual_number for gear in (one, two)]
    small = min(virtual)
    share = (0.5 - 0.5 * total) * math.log10(max(virtual) / small) / math.log10(virtual[0] * virtual[1] / 100.0)
    return 0.5 * total + (share if virtual[0] == small else -share)


def described(rule: str, pair: GearPair) -> Split:
    """What a split of shifts makes of a pair."""
    try:
        root = root_pair(pair)
    except RatingError:
        root = None
    return Split(
        rule,
        (pair.one.shift, pair.two.shift),
        sliding(pair),
        root,
        (pair.one.tip_thickness / pair.one.module, pair.two.tip_thickness / pair.two.module),
        pair.contact_ratio,
        tuple(str(c) for c in pair.checks()),
    )


def splits(one: Gear, two: Gear, distance: float) -> list[Split]:
    """The sum of shifts for a centre distance [m], split by the rules."""
    total = shift_sum(one, two, distance)

    def pair(x: float) -> GearPair:
        return shifted(one, two, distance, x, total)

    def slip(x: float) -> float:
        return sliding_gap(pair(x))

    def stress(x: float) -> float:
        first, second = root_pair(pair(x))
        return math.log(second / first)

    found = []
    low, high = 0.5 * total - REACH, 0.5 * total + REACH
    for rule, gap in (("equal sliding", slip), ("equal root stress", stress)):
        try:
            found.append(_balanced_split(rule, gap, pair, low, high))
        except (RatingError, GeometryError) as error:
            found.append(Split(rule, None, why=str(error)))
    if two.ring:
        found.append(Split("DIN 3992", None, why="DIN 3992 splits the shifts of external pairs alone"))
    else:
        found.append(described("DIN 3992", pair(by_din_3992(one, two, total))))
    return found


def _balanced_split(
    rule: str, gap: Callable[[float], float], pair: Callable[[float], GearPair], low: float, high: float
) -> Split:
    """The split where a gap is zero; first the ends are drawn in to where the pair exists."""
    steps = [low + (high - low) * k / 80.0 for k in range(81)]
    known = []
    for x in steps:
        try:
            value = gap(x)
        except (RatingError, GeometryError):
            continue
        if math.isfinite(value):
            known.append((x, value))
    crossing = [(a, b) for a, b in zip(known, known[1:], strict=False) if a[1] <= 0.0 <= b[1] or b[1] <= 0.0 <= a[1]]
    if not crossing:
        return Split(rule, None, why="no split within a module of equal shifts makes both wheels alike")
    (left, below), (right, _) = min(crossing, key=lambda c: abs(c[0][0] - 0.5 * (low + high)))
    sign = 1.0 if below <= 0.0 else -1.0
    return described(rule, pair(balanced(lambda x: sign * gap(x), left, right)))
