"""Answers about the teeth of a stage: shifts for a centre distance, allowances for a backlash, a helix for an overlap, sizes to measure,
frequencies at which teeth meet again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from gearwright.analyses.base import ASIDE, Analysis, Column, Table, drivetrain_of
from gearwright.analyses.gear import stage_meshes
from gearwright.errors import DrivetrainError
from gearwright.geometry.gear import Gear, GeometryError
from gearwright.geometry.inverse import Backlash, allowance_for, distance_for, helix_for, measures, width_for
from gearwright.geometry.measure import Pins, Span, pins, span
from gearwright.geometry.pair import GearPair
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh
from gearwright.units import in_si

from .meetings import Meeting, meeting
from .splits import Split, described, shift_sum, shortening, splits

T = TypeVar("T")


@dataclass(frozen=True)
class Shifts:
    """A mesh at a centre ``distance`` [m]: working pressure angle [rad], ``total`` of the shifts without backlash, its ``splits``, tip ``short`` ening
    [m] that keeps the clearance of the rack (of a ring none)."""

    mesh: str
    wheels: tuple[str, str]
    distance: float
    working_angle: float
    total: float
    short: float
    splits: Sequence[Split]


@dataclass(frozen=True)
class Thinned:
    """What makes a backlash of a mesh: the ``backlash`` in its measures, sum of the thickness allowances ``total`` [m] with the share of each
    wheel where both take the same; or the ``distance`` [m] with the teeth as they are (or ``why`` there is none)."""

    mesh: str
    present: Backlash
    backlash: Backlash
    total: float
    each: float
    distance: float | None
    why: str = ""


@dataclass(frozen=True)
class Helix:
    """What makes an ``overlap`` of a mesh: ``helix`` [rad] with the face width that there is, or ``why`` none does; ``width`` [m] with the helix that there
    is; ``total`` of the shifts that the centre distance then needs, and the transverse ``contact_ratio``."""

    mesh: str
    overlap: float
    present: float
    helix: float | None
    width: float | None
    total: float | None
    contact_ratio: float | None
    why: str = ""


@dataclass(frozen=True)
class Measured:
    """Sizes of a wheel, with its thickness allowance as cut and without it: span over teeth, over pins (balls), or ``why`` not."""

    wheel: str
    allowance: float
    span: Span | None
    full_span: Span | None
    pins: Pins | None
    full_pins: Pins | None
    why: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class GearAnswers(Analysis):
    """Answers about the teeth of a stage; what was not asked is empty."""

    name: str
    stage: str
    shifts: Sequence[Shifts] = ()
    backlash: Sequence[Thinned] = ()
    helix: Sequence[Helix] = ()
    sizes: Sequence[Measured] = ()
    meetings: Sequence[Meeting] = ()
    pairs: Sequence[GearPair] = field(default=(), metadata=ASIDE)

    @property
    def title(self) -> str:
        """Train and stage."""
        return f"{self.name}, {self.stage}"

    def shown(self) -> Iterator[Table | str]:
        """A table for every question."""
        for s in self.shifts:
            yield from _shown_shifts(s)
        if self.backlash:
            yield from _shown_backlash(self.backlash)
        if self.helix:
            yield from _shown_helix(self.helix)
        if self.sizes:
            yield from _shown_sizes(self.sizes)
        if self.meetings:
            yield from _shown_meetings(self.meetings)


def gear_answers(
    drivetrain: Any,
    stage: str | None = None,
    *,
    mesh: str | None = None,
    centre_distance: str | float | None = None,
    backlash: str | float | None = None,
    overlap: float | None = None,
    measure: bool = False,
    pin: str | float | None = None,
    speed: str | float | None = None,
    overrides: Sequence[str] = (),
) -> GearAnswers:
    """Answers about the teeth of a stage.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    stage, mesh : the stage, needed where there are several; one of its meshes, default all
    centre_distance : shifts for it [m], split by equal sliding, equal root stress and DIN 3992, and the tip shortening
    backlash : allowances that make it, along the transverse line of action as a file says it [m]
    overlap : overlap ratio; the helix that makes it
    measure, pin : span sizes and sizes over pins, of a diameter [m] or of one that suits
    speed : of the train's input [rad/s]; frequencies at which teeth meet again
    overrides : ``path=value`` edits of the file

    Raises DrivetrainError where nothing is asked, GeometryError.
    """
    if not (centre_distance or backlash is not None or overlap is not None or measure or pin or speed):
        raise DrivetrainError("ask for a centre distance, a backlash, an overlap, measures or a speed")
    train, meshes = stage_meshes(drivetrain_of(drivetrain, overrides), stage, (), mesh)
    pairs = [tooth_pair(m) for m in meshes]
    both = list(zip(meshes, pairs, strict=True))
    answers = GearAnswers(train.name, str(meshes[0].stage), pairs=pairs)
    if centre_distance:
        a = _positive(centre_distance, "length", "--centre-distance")
        answers = replace(answers, shifts=[_shifts(m, p, a) for m, p in both])
    if backlash is not None:
        wanted = in_si(backlash, "length", "--backlash")
        if wanted < 0.0:
            raise DrivetrainError(f"--backlash {backlash}: teeth that jam are not wanted; 0 or more")
        if wanted > 0.5 * min(p.path.base_pitch for p in pairs):
            raise DrivetrainError(
                f"--backlash {backlash}: more than half a pitch leaves no teeth; a plain number is in m, '0.3 mm' is common"
            )
        answers = replace(answers, backlash=[_thinned(m, p, wanted) for m, p in both])
    if overlap is not None:
        if not 0.0 <= overlap < 20.0:
            raise DrivetrainError(f"--overlap {overlap:g}: an overlap ratio from 0 to below 20, such as 1.2")
        answers = replace(answers, helix=[_helix(m, p, overlap) for m, p in both])
    if measure or pin:
        size = None if pin is None else _positive(pin, "length", "--pin")
        gears = {g.name: g for p in pairs for g in (p.one, p.two)}
        answers = replace(answers, sizes=[_measured(g, size) for g in gears.values()])
    if speed:
        w = _positive(speed, "rotational speed", "--speed")
        answers = replace(answers, meetings=[meeting(m, train, w) for m in meshes])
    return answers


def _positive(value: str | float, dimension: str, option: str) -> float:
    found = in_si(value, dimension, option)
    if not found > 0.0:
        raise DrivetrainError(f"{option} {value}: a value above 0 is wanted")
    return found


def _shifts(mesh: Mesh, pair: GearPair, distance: float) -> Shifts:
    one, two = pair.one, pair.two
    total = shift_sum(one, two, distance)
    found = splits(one, two, distance)
    present = described("as in the file", pair)
    reach = (two.base_radius - one.base_radius) if pair.internal else (one.base_radius + two.base_radius)
    angle = math.acos(reach / distance)
    return Shifts(
        mesh.name,
        (one.name, two.name),
        distance,
        angle,
        total,
        shortening(one, two, distance, total),
        [*found, present],
    )


def _thinned(mesh: Mesh, pair: GearPair, wanted: float) -> Thinned:
    total = allowance_for(pair, wanted)
    present, target = measures(pair, pair.backlash), measures(pair, wanted)
    try:
        return Thinned(mesh.name, present, target, total, 0.5 * total, distance_for(pair, wanted))
    except GeometryError as error:
        return Thinned(mesh.name, present, target, total, 0.5 * total, None, str(error))


def _helix(mesh: Mesh, pair: GearPair, wanted: float) -> Helix:
    width = width_for(pair, wanted)
    try:
        helix = helix_for(pair, wanted)
    except GeometryError as error:
        return Helix(mesh.name, wanted, pair.overlap_ratio, None, width, None, None, str(error))
    one, two = (replace(g, helix_angle=math.copysign(helix, g.helix_angle)) for g in (pair.one, pair.two))
    try:
        total = shift_sum(one, two, pair.distance)
        ratio = GearPair(one, two, pair.distance).contact_ratio
    except GeometryError as error:
        return Helix(mesh.name, wanted, pair.overlap_ratio, helix, width, None, None, str(error))
    return Helix(mesh.name, wanted, pair.overlap_ratio, helix, width, total, ratio)


def _measured(gear: Gear, pin: float | None) -> Measured:
    full = replace(gear, thickness_allowance=0.0)
    reasons: list[str] = []
    cut, whole = (_tried(span, one, reasons) for one in (gear, full))
    over = _tried(lambda g: pins(g, pin), gear, reasons)
    pin = pin if over is None else over.pin
    return Measured(
        gear.name,
        gear.thickness_allowance,
        cut,
        whole,
        over,
        _tried(lambda g: pins(g, pin), full, reasons),
        "; ".join(dict.fromkeys(reasons)),
    )


def _tried(size: Callable[[Gear], T], gear: Gear, reasons: list[str]) -> T | None:
    """A size of a gear, or None with the reason."""
    try:
        return size(gear)
    except GeometryError as error:
        reasons.append(str(error))
        return None


# --- tables ------------------------------------------------------------------------------------------------------------------


def _shown_shifts(s: Shifts) -> Iterator[Table | str]:
    yield (
        f"{s.mesh} at {1e3 * s.distance:.6g} mm: working pressure angle {math.degrees(s.working_angle):.4f} deg, profile shifts sum to "
        f"{s.total:.4f}, tip shortening {1e3 * s.short + 0.0:.4g} mm"
    )
    columns = [
        "rule",
        *(Column(f"x {w}", "", 4) for w in s.wheels),
        *(Column(k, "", 3) for k in ("sliding start", "end", "root 1", "root 2", "tip 1", "tip 2", "contact ratio")),
    ]
    rows = [
        [
            x.rule,
            *x.shifts,
            *(x.sliding or (None, None)),
            *(x.root or (None, None)),
            *(x.tips or (None, None)),
            x.contact_ratio,
        ]
        for x in s.splits
        if x.shifts is not None
    ]
    yield Table(f"Split of the shifts of {s.mesh}", columns, rows)
    yield from (f"{x.rule}: {x.why}" for x in s.splits if x.why)
    first = [x for x in s.splits if x.shifts is not None][:1]
    yield from (f"{x.rule}: {found}" for x in first for found in x.findings)
    yield "sliding: specific, of the first wheel at the start of the path and of the second at its end; root: Y_F Y_S Y_beta; tip: thickness in modules"


def _shown_backlash(found: Sequence[Thinned]) -> Iterator[Table | str]:
    columns = [
        "mesh",
        *(Column(k, "um", 4) for k in ("along", "normal", "around", "radial", "allowances", "each")),
        Column("or distance", "mm", 7),
    ]
    rows = []
    for t in found:
        b = t.backlash
        rows.append([t.mesh, b.along, b.normal, b.circumferential, b.radial, t.total, t.each, t.distance])
    yield Table("Thickness allowances for a backlash", columns, rows)
    for t in found:
        yield f"{t.mesh}: backlash now {1e6 * t.present.along:.4g} um" + (f"; {t.why}" if t.why else "")
    yield "along: the transverse line of action, as a file says it; around: at the working circles; allowances: sum of both wheels"


def _shown_helix(found: Sequence[Helix]) -> Iterator[Table | str]:
    columns = [
        "mesh",
        Column("overlap"),
        Column("now"),
        Column("helix", "deg", 5),
        Column("or width", "mm", 5),
        Column("shifts sum to"),
        Column("contact ratio"),
    ]
    yield Table(
        "Helix for an overlap, at the centre distance of the file",
        columns,
        [[h.mesh, h.overlap, h.present, h.helix, h.width, h.total, h.contact_ratio] for h in found],
    )
    yield from (f"{h.mesh}: {h.why}" for h in found if h.why)


def _shown_sizes(found: Sequence[Measured]) -> Iterator[Table | str]:
    columns = [
        "wheel",
        "over teeth",
        Column("span", "mm", 7),
        Column("full span", "mm", 7),
        Column("span touches", "mm", 6),
        Column("pin", "mm", 4),
        Column("over pins", "mm", 7),
        Column("full over pins", "mm", 7),
        Column("pin touches", "mm", 6),
    ]
    rows = []
    for m in found:
        s, f, p, q = m.span, m.full_span, m.pins, m.full_pins
        rows.append(
            [
                m.wheel,
                None if s is None else s.over,
                s and s.size,
                f and f.size,
                s and s.diameter,
                p and p.pin,
                p and p.size,
                q and q.size,
                p and p.contact,
            ]
        )
    yield Table("Sizes to measure", columns, rows)
    yield from (m.why for m in found if m.why)
    yield "full: without the thickness allowance; touches: diameter on the flank; helical teeth are measured over balls"
    if any(m.span is not None and m.span.width for m in found):
        yield "helical teeth: the plates need a face of " + ", ".join(
            f"{1e3 * m.span.width:.4g} mm ({m.wheel})" for m in found if m.span is not None
        )


def _shown_meetings(found: Sequence[Meeting]) -> Iterator[Table | str]:
    columns = [
        "mesh",
        *(Column(k, "Hz", 5) for k in ("mesh", "first wheel", "second")),
        "assembly phases",
        *(Column(k, "Hz", 4) for k in ("their frequency", "hunting")),
        Column("same teeth every", "s", 4),
    ]
    rows = [[m.mesh, m.mesh_frequency, *m.wheels, m.phases, m.assembly, m.hunting, m.period] for m in found]
    yield Table(f"Frequencies at {found[0].speed * 30.0 / math.pi:.5g} rpm of the input", columns, rows)
    yield "turns of the wheels seen from the carrier; hunting: the same two teeth meet again"
