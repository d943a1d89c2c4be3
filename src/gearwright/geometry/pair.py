"""Two gears at work: path of contact, pair regions, backlash, and the checks a designer makes.

Everything by the base-circle arc ``s1`` of gear one (of an internal pair: the planet), in the transverse section.
The mate's arc is ``s2 = s_c - s1`` (external) or ``s2 = s_c + s1`` (ring). Source: S0 digest section 5, ISO 21771.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from . import involute
from .gear import Gear, GeometryError, Relief
from .involute import Path
from .outline import half_tooth, pointed_cure

#: tip thickness and tip clearance [modules] below which a warning is due
TIP_THICKNESS, TIP_CLEARANCE = 0.2, 0.1


@dataclass(frozen=True)
class Check:
    """A finding about a gear or pair: ``value`` against ``limit`` in ``unit``; ``impossible`` ones cannot run."""

    level: Literal["warning", "impossible"]
    what: str
    value: float
    limit: float
    unit: str
    message: str
    cure: str

    def __str__(self) -> str:
        return f"{self.message}; {self.cure}"


def on_flanks(path: Path, one: Gear, two: Gear) -> Path:
    """A path of contact between tip circles without what undercut takes from the flanks of gear one and two.

    A fillet that does not undercut is no end of the path: the mate's tip runs onto it, which is warned of.
    """
    start = max(path.start, one.form_arc) if one.undercut else path.start
    end = min(path.end, path.s_c - two.form_arc) if two.undercut else path.end
    return dataclasses.replace(path, start=start, end=end)


@dataclass(frozen=True)
class GearPair:
    """Two gears at a centre distance [m]. ``two`` is the ring of an internal pair.

    Raises GeometryError where the gears cannot mesh (modules, angles, base circles against the distance).
    """

    one: Gear
    two: Gear
    distance: float

    def __post_init__(self) -> None:
        one, two = self.one, self.two
        if one.ring:
            raise GeometryError("the first gear of an internal pair is the pinion or planet, the second the ring")
        for what, a, b in (
            ("module", one.module, two.module),
            ("pressure angle", one.pressure_angle, two.pressure_angle),
            ("helix angle", abs(one.helix_angle), abs(two.helix_angle)),
        ):
            if abs(a - b) > 1e-9 * max(abs(a), 1e-3):
                raise GeometryError(f"{one.name} and {two.name} differ in their {what} ({a:g} and {b:g})")
        try:
            self.path  # noqa: B018  computed here so that a pair that exists can be asked anything
        except ValueError as error:
            raise GeometryError(f"{one.name} and {two.name}: {error}") from None

    @classmethod
    def closed(cls, one: Gear, two: Gear) -> GearPair:
        """The pair at the centre distance that leaves no backlash between nominal thicknesses (shifts alone)."""
        angle = involute.working_angle_from_shifts(
            (one.teeth, two.teeth), (one.shift, two.shift), one.pressure_angle, one.helix_angle, two.ring
        )
        return cls(one, two, involute.centre_distance((one.base_radius, two.base_radius), angle, two.ring))

    @property
    def internal(self) -> bool:
        """Whether gear two is a ring."""
        return self.two.ring

    @property
    def ratio(self) -> float:
        """Teeth of gear two over those of gear one."""
        return self.two.teeth / self.one.teeth

    @property
    def angular_pitch(self) -> float:
        """Angle from tooth to tooth of gear one."""
        return 2.0 * math.pi / self.one.teeth

    @property
    def base_radii(self) -> tuple[float, float]:
        """[m]"""
        return self.one.base_radius, self.two.base_radius

    @cached_property
    def working_angle(self) -> float:
        """Transverse working pressure angle."""
        return involute.working_angle(self.base_radii, self.distance, self.internal)

    @cached_property
    def path(self) -> Path:
        """Path of contact between the tip circles, as far as undercut leaves both flanks."""
        between_tips = involute.path_of_contact(
            self.base_radii,
            (self.one.tip_radius, self.two.tip_radius),
            self.working_angle,
            self.one.base_pitch,
            self.internal,
        )
        return on_flanks(between_tips, self.one, self.two)

    def mate_arc(self, s1: Any) -> Any:
        """``s2`` of gear two where gear one touches at ``s1`` [m]."""
        return self.path.s_c + s1 if self.internal else self.path.s_c - s1

    @property
    def contact_ratio(self) -> float:
        """Transverse contact ratio."""
        return self.path.contact_ratio

    @property
    def face_width(self) -> float | None:
        """The smaller face width [m]."""
        known = [g.face_width for g in (self.one, self.two) if g.face_width is not None]
        return min(known) if known else None

    def lacking(self) -> str:
        """What the contact of two flanks needs and this pair does not have; empty if nothing."""
        return "; ".join(
            f"{gear.name}: missing '{what}'"
            for gear in (self.one, self.two)
            for what, value in (("face_width", gear.face_width), ("material", gear.material))
            if value is None
        )

    @property
    def overlap_ratio(self) -> float:
        """Overlap ratio of a helical pair, 0 of a spur pair or without a face width."""
        width = self.face_width
        return 0.0 if width is None else involute.overlap_ratio(width, self.one.helix_angle, self.one.module)

    @property
    def base_helix(self) -> float:
        """Helix angle on the base cylinders."""
        return involute.base_helix(self.one.pressure_angle, self.one.helix_angle)

    @property
    def working_radii(self) -> tuple[float, float]:
        """Pitch radii at this centre distance [m]."""
        c = math.cos(self.working_angle)
        return self.one.base_radius / c, self.two.base_radius / c

    @property
    def regions(self) -> list[tuple[float, float, int]]:
        """(from, to, pairs in contact) along the path, by ``s1`` [m]."""
        p, pitch = self.path, self.path.base_pitch
        whole = math.floor(p.contact_ratio)
        rest = p.end - p.start - whole * pitch
        found = []
        for i in range(whole + 1):
            low = p.start + i * pitch
            found.append((low, low + rest, whole + 1))
            if i < whole:
                found.append((low + rest, low + pitch, whole))
        return [r for r in found if r[1] - r[0] > 1e-12]

    def curvature(self, s1: float) -> float:
        """Equivalent radius of curvature in the normal section at ``s1`` [m]: 1/R = 1/rho1 +- 1/rho2."""
        s2 = self.mate_arc(s1)
        rho = s1 * s2 / (s2 - s1 if self.internal else s1 + s2)
        return rho / math.cos(self.base_helix)

    def modification(self, s1: float) -> float:
        """Material taken off both flanks where they meet at ``s1`` [m]."""
        return self.one.modification(s1) + self.two.modification(self.mate_arc(s1))

    @property
    def backlash(self) -> float:
        """Normal backlash in the transverse section, along the line of action [m]; negative: the teeth jam."""
        one, two = self.working_radii
        pitch = 2.0 * math.pi * one / self.one.teeth
        return (pitch - self.one.thickness(one) - self.two.thickness(two)) * math.cos(self.working_angle)

    @property
    def fitting_shifts(self) -> float:
        """Sum of the profile shifts that leaves no backlash between nominal thicknesses at this centre distance [modules]."""
        one, two = self.one, self.two
        return involute.shift_sum(
            (one.teeth, two.teeth), self.working_angle, one.pressure_angle, one.helix_angle, self.internal
        )

    @property
    def tip_clearances(self) -> tuple[float, float]:
        """Radial clearance of gear one's tip in two's root, of two's tip in one's root [m]."""
        a, (one, two) = self.distance, (self.one, self.two)
        if self.internal:
            return two.root_radius - a - one.tip_radius, two.tip_radius - a - one.root_radius
        return a - one.tip_radius - two.root_radius, a - two.tip_radius - one.root_radius

    @property
    def fillet_margins(self) -> tuple[float, float]:
        """How far the path of contact stays from the fillet of gear one and two, by arc ``s`` [m]; negative: the
        mate's tip runs on the fillet."""
        p = self.path
        one = p.start - self.one.form_arc
        if self.internal:
            return one, self.two.form_arc - self.mate_arc(p.end)
        return one, self.mate_arc(p.end) - self.two.form_arc

    @property
    def trochoid_margin(self) -> float | None:
        """Internal pair: arc at the ring's tip circle by which the planet's tips pass the ring's [m]."""
        if not self.internal:
            return None
        ra1, ra2, a = self.one.tip_radius, self.two.tip_radius, self.distance
        x = (ra2**2 - ra1**2 - a**2) / (2.0 * a * ra1)
        y = (a**2 + ra2**2 - ra1**2) / (2.0 * a * ra2)
        if abs(x) >= 1.0 or abs(y) >= 1.0:  # the tip circles do not cross
            return math.inf
        inv_w = involute.inv(self.working_angle)
        inv_1 = involute.inv(math.acos(self.one.base_radius / ra1))
        inv_2 = involute.inv(math.acos(min(self.two.base_radius / ra2, 1.0)))
        turned = (math.acos(x) + inv_1 - inv_w) * self.one.teeth / self.two.teeth + inv_w - inv_2
        return (turned - math.acos(y)) * ra2

    def _clear_tip(self, which: int, short: float) -> float:
        """Tip radius of a gear whose tip is cut back by ``short`` [m]."""
        gear = (self.one, self.two)[which]
        return gear.tip_radius + (short if gear.ring else -short)

    def _clearance_cure(self, which: int, short: float) -> str:
        """How the tip of a gear gets ``short`` [m] more room; a tooth cannot be cut back beyond its root."""
        gear, tip = (self.one, self.two)[which], self._clear_tip(which, short)
        if (tip >= gear.root_radius) if gear.ring else (tip <= gear.root_radius):
            way = "smaller" if self.internal else "larger"
            return (
                f"no shorter tip cures it: a centre distance {way} by {1e3 * short:.4g} mm, or other numbers of teeth, "
                f"for a clearance of 0.25 modules"
            )
        return (
            f"shorten its tip by {1e3 * short:.4g} mm, to a tip_diameter of {2e3 * tip:.6g} mm, "
            f"for a clearance of 0.25 modules"
        )

    # --- checks --------------------------------------------------------------------------------------------

    def checks(self) -> list[Check]:
        """Everything a designer would frown at, each with its number and what cures it."""
        found = [*gear_checks(self.one), *gear_checks(self.two)]
        m, p = self.one.module, self.path
        names = (self.one.name, self.two.name)
        total = self.contact_ratio + self.overlap_ratio
        if self.contact_ratio < 1.0:
            found.append(Check(
                "warning" if total >= 1.0 else "impossible", "contact ratio", self.contact_ratio, 1.0, "",
                f"transverse contact ratio {self.contact_ratio:.4f} below 1"
                + (": the tip circles do not reach each other" if self.contact_ratio <= 0.0 else ""),
                f"the path of contact lacks {1e3 * (p.base_pitch - p.end + p.start):.3g} mm: larger tip circles, "
                f"more teeth or less working pressure angle",
            ))  # fmt: skip
        for i, clearance in enumerate(self.tip_clearances):
            if clearance < TIP_CLEARANCE * m:
                found.append(Check(
                    "impossible" if clearance < 0.0 else "warning", "tip clearance", clearance, TIP_CLEARANCE * m, "m",
                    f"the tip of {names[i]} comes within {1e3 * clearance:.4g} mm of the root of {names[1 - i]}",
                    self._clearance_cure(i, 0.25 * m - clearance),
                ))  # fmt: skip
        for i, margin in enumerate(self.fillet_margins):
            if margin < -1e-9:
                other = self.two if i == 0 else self.one
                arc = other.tip_arc + (margin if not (self.internal and i == 0) else -margin)
                found.append(
                    Check(
                        "warning",
                        "interference with the fillet",
                        margin,
                        0.0,
                        "m",
                        f"the tip of {names[1 - i]} runs {-1e3 * margin:.3g} mm (along the path of contact) onto the "
                        f"fillet of {names[i]}",
                        f"a tip diameter of {2e3 * other.radius(max(arc, 0.0)):.6g} mm of {names[1 - i]} avoids it",
                    )
                )
        if self.internal and self.two.tip_arc < p.s_c:
            found.append(
                Check(
                    "warning",
                    "involute interference",
                    self.two.tip_arc - p.s_c,
                    0.0,
                    "m",
                    f"the ring's tip reaches {1e3 * (p.s_c - self.two.tip_arc):.3g} mm beyond the tangent point of "
                    f"{names[0]}",
                    f"a tip diameter of at least {2e3 * self.two.radius(p.s_c):.6g} mm of the ring",
                )
            )
        margin_ = self.trochoid_margin
        if margin_ is not None and margin_ < 0.0:
            found.append(
                Check(
                    "impossible",
                    "trochoid interference",
                    margin_,
                    0.0,
                    "m",
                    f"the tips of {names[0]} cut the tips of the ring by {-1e3 * margin_:.3g} mm on leaving the space",
                    "a larger difference of tooth numbers, or shorter tips",
                )
            )
        if self.backlash < -1e-3 * m:  # less is the rounding of printed shifts and distances
            depth = self.backlash
            take = -depth / (2.0 * math.cos(self.base_helix) * math.cos(self.one.pressure_angle))
            found.append(
                Check(
                    "impossible" if depth < -0.05 * m else "warning",
                    "backlash",
                    depth,
                    0.0,
                    "m",
                    f"no backlash at a centre distance of {1e3 * self.distance:.6g} mm: {1e6 * depth:.3g} um along the "
                    f"line of action",
                    self._backlash_cure(take),
                )
            )
        return found

    def _backlash_cure(self, take: float) -> str:
        """What frees flanks that lack ``take`` [m] of thickness on each gear: shifts or distance; thinner teeth where they are a
        matter of tolerances."""
        one, two = self.one, self.two
        fitting = self.fitting_shifts
        closed = GearPair.closed(one, two).distance
        cure = (
            f"this centre distance needs profile shifts that sum to {fitting:.4g} (they sum to {one.shift + two.shift:.4g}), these "
            f"shifts a centre distance of {1e3 * closed:.6g} mm"
        )
        if take < 0.025 * one.module:
            cure += f"; or a thickness_allowance of {-1e6 * take:.3g} um on each gear, which only just frees the flanks"
        return cure

    def refuse_impossible(self) -> None:
        """Raise GeometryError with every finding that makes the pair impossible."""
        bad = [str(c) for c in self.checks() if c.level == "impossible"]
        if bad:
            raise GeometryError("; ".join(bad))


def gear_checks(gear: Gear) -> list[Check]:
    """Undercut and tip thickness of one gear."""
    found = []
    if not gear.ring and gear.root_given is None:
        lack = gear.minimum_shift - gear.cut_shift
        if lack > 1e-9:
            found.append(
                Check(
                    "impossible" if _flank_gone(gear) else "warning",
                    "undercut",
                    gear.cut_shift,
                    gear.minimum_shift,
                    "modules",
                    f"{gear.name} is undercut: a profile shift of {gear.cut_shift:.4g} with {gear.teeth} teeth",
                    f"a profile shift of at least {gear.minimum_shift:.4g} avoids it",
                )
            )
    thick = gear.tip_thickness
    if thick < TIP_THICKNESS * gear.module:
        found.append(
            Check(
                "impossible" if thick <= 0.0 else "warning",
                "tip thickness",
                thick,
                TIP_THICKNESS * gear.module,
                "m",
                f"the teeth of {gear.name} are {1e3 * thick:.3g} mm thick at the tip",
                pointed_cure(gear),
            )
        )
    return found


def _flank_gone(gear: Gear) -> bool:
    if gear.tip_thickness <= 0.0:
        return False  # said by its own check
    try:
        half_tooth(gear)
    except GeometryError:
        return True
    return False


def single_contact_end(pair: GearPair) -> tuple[float, float]:
    """Radii [m] on gear one and two beyond which more than the least number of pairs share the load."""
    p = pair.path
    whole = max(math.floor(p.contact_ratio), 1)
    low, high = p.end - whole * p.base_pitch, p.start + whole * p.base_pitch
    return pair.one.radius(high), pair.two.radius(pair.mate_arc(low))


@dataclass(frozen=True)
class WantedRelief:
    """Tip relief as a file gives it: ``amount`` at the tip [m], ``start``: ``single_contact_end`` or a radius [m], ``shape``."""

    amount: float
    start: float | str
    shape: str = "linear"


@dataclass(frozen=True)
class Cut:
    """A wheel as it is cut: its gear without relief, and the relief wanted, whose start may depend on the mate."""

    gear: Gear
    relief: WantedRelief | None = None


def pair_from_facts(wheels: tuple[Cut, Cut], distance: float) -> GearPair:
    """The pair of two wheels at a centre distance [m], with their reliefs. Raises GeometryError."""
    pair = GearPair(wheels[0].gear, wheels[1].gear, distance)
    ends = single_contact_end(pair)
    done = []
    for wheel, end in zip(wheels, ends, strict=True):
        gear, relief = wheel.gear, wheel.relief
        if relief is None or relief.amount == 0.0:
            done.append(gear)
            continue
        start = end if isinstance(relief.start, str) else relief.start
        begin = gear.arc(start)
        if (begin - gear.tip_arc) * (1 if gear.ring else -1) <= 0.0:
            if isinstance(relief.start, str):
                if pair.contact_ratio + pair.overlap_ratio < 1.0:
                    return pair  # its checks say what is wrong before any relief is
                raise GeometryError(
                    f"{gear.name}: no tip relief can start at 'single_contact_end', since two pairs never share the load "
                    f"(transverse contact ratio {pair.contact_ratio:.4f}); give its start as a diameter"
                )
            raise GeometryError(
                f"{gear.name}: the tip relief starts at a diameter of {2e3 * start:.6g} mm, which is not before the "
                f"tip ({2e3 * gear.tip_radius:.6g} mm)"
            )
        done.append(dataclasses.replace(gear, relief=Relief(relief.amount, start, relief.shape)))
    return GearPair(done[0], done[1], distance)
