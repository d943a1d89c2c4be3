"""Sizes of wheels and geometry of a gear pair, from whatever the file gives; disagreements are noted."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from gearwright.errors import nearest
from gearwright.geometry import involute
from gearwright.geometry.gear import Gear, GeometryError, Steel
from gearwright.geometry.involute import Path
from gearwright.geometry.pair import Cut, GearPair, WantedRelief, on_flanks, pair_from_facts
from gearwright.geometry.phase import MeshTeeth, flank_phases, mate_tooth_angle, tooth_angle
from gearwright.geometry.tolerances import pitch_errors
from gearwright.schema.parts import MeshFacts, ToothErrors, Wheel

from .bench import Bench, linear_damping
from .teeth import tooth_pair
from .train import Excitation, Mesh, Stiffness, Train


@dataclass(frozen=True)
class Rack:
    """The basic rack of a stage: normal module and pressure angle (None if not known), helix, addendum."""

    module: float | None
    pressure_angle: float | None
    helix_angle: float = 0.0
    addendum: float = 1.0
    dedendum: float = 1.25
    tool_tip: float | str = "standard"
    material: str | None = None

    @property
    def angle(self) -> float | None:
        """Transverse pressure angle."""
        if self.pressure_angle is None:
            return None
        return involute.transverse_angle(self.pressure_angle, self.helix_angle)

    @property
    def pitch(self) -> float | None:
        """Transverse base pitch [m]."""
        if self.module is None or self.pressure_angle is None:
            return None
        return involute.base_pitch(self.module, self.pressure_angle, self.helix_angle)

    @property
    def base_helix(self) -> float:
        """Helix angle at the base circle."""
        if self.helix_angle == 0.0 or self.pressure_angle is None:
            return self.helix_angle
        return involute.base_helix(self.pressure_angle, self.helix_angle)


@dataclass(frozen=True)
class Size:
    """What is known of a wheel: base radius (in teeth if ``by_teeth``), teeth, tip and reference radius [m].

    ``base_given``: the base circle is not that of module and teeth, so nothing is derived from the tips.
    ``cut``: the true tooth, where enough is known.
    """

    base_radius: float
    teeth: int | None
    shift: float = 0.0
    tip_radius: float | None = None
    reference_radius: float | None = None
    face_width: float | None = None
    by_teeth: bool = False
    base_given: bool = False
    cut: Cut | None = None
    fault: str = ""  # why these angles make no gear


def size(bench: Bench, rack: Rack, wheel: Wheel, width: float | None, path: str, ring: bool = False) -> Size | None:
    """Size of a wheel of a stage; None and a problem if it is not given."""
    given = wheel.base_radius if wheel.base_radius is not None else _half(wheel.base_diameter)
    teeth, derived, tip, reference = wheel.teeth, None, _half(wheel.tip_diameter), None
    if teeth is not None and rack.module is not None:
        if rack.pressure_angle is None:
            if given is None:
                bench.wrong("missing: 'pressure_angle' is needed with teeth and module", path.rsplit(".", 1)[0])
                return None
        else:
            derived = involute.base_radius(teeth, rack.module, rack.pressure_angle, rack.helix_angle)
        reference = 0.5 * teeth * involute.transverse_module(rack.module, rack.helix_angle)
        if tip is None and derived is not None:
            tip = involute.tip_radius(
                teeth,
                rack.module,
                wheel.profile_shift,
                rack.helix_angle,
                rack.addendum,
                wheel.tip_shortening or 0.0,
                ring,
            )
    override = given is not None and (derived is None or abs(given - derived) > 5e-3 * derived)
    if given is not None and derived is not None and abs(given - derived) > 1e-3 * derived:
        bench.note(
            "warning",
            path,
            f"base diameter {2e3 * given:.6g} mm is given, module and teeth make {2e3 * derived:.6g} mm: "
            "the given one is used",
        )
    radius = given if given is not None else derived
    by_teeth = False
    if radius is None:
        if teeth is None:
            bench.wrong(
                "missing: 'teeth' is needed", path, allowed="teeth: 20 (with the stage's module), or base_diameter"
            )
            return None
        radius, by_teeth = float(teeth), True
    if given is None and derived is not None:
        bench.note("derived", path, f"base radius {1e3 * derived:.6g} mm from {teeth} teeth")
    cut, fault = None, ""
    if derived is not None and not override:
        try:
            cut = cut_of(bench, rack, wheel, width, path, ring)
        except GeometryError as error:
            fault = f"the teeth of this pair cannot be made: {error}"
    face = wheel.face_width or width
    return Size(radius, teeth, wheel.profile_shift, tip, reference, face, by_teeth, override, cut, fault)


def cut_of(bench: Bench, rack: Rack, wheel: Wheel, width: float | None, path: str, ring: bool) -> Cut:
    """The true tooth of a wheel with the relief wanted. Raises GeometryError where its angles make no gear."""
    material = bench.material(wheel.material or rack.material, path)
    if wheel.outer_diameter is not None and not ring:
        bench.wrong(
            "the rim of an external wheel is bounded by its bore",
            f"{path}.outer_diameter",
            wheel.outer_diameter,
            "bore; outer_diameter belongs to a ring",
        )
    if "fillet_radius" in wheel.model_fields_set and not ring:
        bench.wrong(
            "the tool makes the root of an external wheel",
            f"{path}.fillet_radius",
            wheel.fillet_radius,
            "tool_tip of the stage; fillet_radius belongs to a ring",
        )
    if wheel.bore is not None and ring:
        bench.wrong(
            "the rim of a ring is bounded by its outer diameter",
            f"{path}.bore",
            wheel.bore,
            "outer_diameter; bore belongs to an external wheel",
        )
    relief = wheel.tip_relief
    start = None if relief is None else relief.start if isinstance(relief.start, str) else 0.5 * relief.start
    assert wheel.teeth is not None and rack.module is not None and rack.pressure_angle is not None
    gear = Gear(
        wheel.teeth, rack.module, rack.pressure_angle, rack.helix_angle, wheel.profile_shift, ring, wheel.face_width or width,
        rack.addendum, rack.dedendum, rack.tool_tip, _half(wheel.tip_diameter), _half(wheel.root_diameter),
        wheel.tip_shortening or 0.0, wheel.thickness_allowance, wheel.fillet_radius,
        _half(wheel.outer_diameter if ring else wheel.bore),
        None if material is None else Steel(material.young, material.poisson), profile_crowning=wheel.profile_crowning,
        lead_crowning=wheel.lead_crowning, lead_slope=wheel.lead_slope, bias=wheel.bias, name=path.rsplit(".", 1)[-1],
    )  # fmt: skip
    return Cut(gear, None if relief is None or start is None else WantedRelief(relief.amount, start, relief.shape))


def _half(diameter: float | None) -> float | None:
    return None if diameter is None else 0.5 * diameter


@dataclass(frozen=True)
class Pair:
    """Two wheels at work. ``one`` is the planet and ``two`` the ring of an internal pair."""

    one: Size
    two: Size
    internal: bool
    pressure_angle: float | None
    centre_distance: float | None
    path: Path | None = None
    fault: str = ""  # why these teeth make no gear

    @property
    def base_radii(self) -> tuple[float, float]:
        """Base radii of both wheels [m]."""
        return self.one.base_radius, self.two.base_radius

    @property
    def teeth(self) -> tuple[int, int] | None:
        """Tooth numbers, if both are known."""
        if self.one.teeth is None or self.two.teeth is None:
            return None
        return self.one.teeth, self.two.teeth


def natural_angle(rack: Rack, one: Size, two: Size, internal: bool) -> float:
    """Transverse working angle without a given centre distance: from the profile shifts, if module and teeth are
    known, else the given pressure angle itself. Raises ``ValueError`` if there is none."""
    assert rack.pressure_angle is not None and rack.angle is not None
    if rack.module is None:
        return rack.pressure_angle
    if one.teeth is None or two.teeth is None or one.shift + two.shift == 0.0:
        return rack.angle
    return involute.working_angle_from_shifts(
        (one.teeth, two.teeth), (one.shift, two.shift), rack.pressure_angle, rack.helix_angle, internal
    )


def pair_at(
    bench: Bench,
    rack: Rack,
    one: Size,
    two: Size,
    internal: bool,
    angle: float | None,
    distance: float | None,
    where: str,
) -> Pair:
    """A pair at a working angle and centre distance; what follows from the tips is added."""
    path, fault = None, ""
    if (
        angle is not None
        and rack.pitch is not None
        and one.tip_radius is not None
        and two.tip_radius is not None
        and not (one.base_given or two.base_given)
    ):
        try:
            path = involute.path_of_contact(
                (one.base_radius, two.base_radius), (one.tip_radius, two.tip_radius), angle, rack.pitch, internal
            )
        except ValueError as error:
            fault = f"no path of contact: {error}"
        else:
            path = _without_undercut(path, one, two)
            if path.end <= path.start:
                fault, path = "the tips of this pair do not reach each other", None
    if fault:
        bench.note("warning", where, fault)
    return Pair(one, two, internal, angle, distance, path, fault)


def _without_undercut(path: Path, one: Size, two: Size) -> Path:
    if one.cut is None or two.cut is None:
        return path
    try:
        return on_flanks(path, one.cut.gear, two.cut.gear)
    except (ValueError, ArithmeticError):  # no such teeth: said where they are checked
        return path


def mesh(
    bench: Bench, rack: Rack, pair: Pair, facts: MeshFacts, name: str, between: tuple[str, str], path: str, **more: Any
) -> Mesh:
    """The mesh of the train from a pair and the facts of the file. Flank and phase are set later."""
    derived = pair.path.contact_ratio if pair.path is not None else None
    ratio = facts.contact_ratio if facts.contact_ratio is not None else derived
    faults = [pair.fault] if pair.fault else []
    if uncut := pair.one.fault or pair.two.fault:
        bench.note("warning", path, uncut)
        faults.append(uncut)
    if derived is not None:
        if facts.contact_ratio is None:
            bench.note("derived", path, f"contact ratio {derived:.4f} from teeth and tips")
        elif abs(derived - facts.contact_ratio) > 0.01 * derived:
            computed = facts.stiffness is not None and facts.stiffness.source is not None
            used = (
                "its stiffness is computed from the teeth, by which the given one has no effect"
                if computed
                else "the given one is used, except by law tooth_contact, which takes that of the teeth"
            )
            bench.note(
                "warning",
                path,
                f"contact ratio {facts.contact_ratio:g} is given, teeth and tips make {derived:.4f}: {used}",
            )
            ratio = derived if computed else ratio
    backlash = facts.backlash
    wheels = None
    if pair.one.cut is not None and pair.two.cut is not None:
        wheels = (pair.one.cut, pair.two.cut)
        checked, impossible = _checked(bench, pair, path)
        faults += impossible
        allowed = pair.one.cut.gear.thickness_allowance + pair.two.cut.gear.thickness_allowance
        if checked is not None and backlash is None and allowed < 0.0 < checked.backlash:
            backlash = checked.backlash
            bench.note("derived", path, f"backlash {1e6 * backlash:.4g} um from tooth thickness and centre distance")
    width = _least(pair.one.face_width, pair.two.face_width)
    overlap = facts.overlap_ratio
    if overlap and rack.helix_angle == 0.0 and rack.module is not None:
        bench.wrong(
            "the teeth of this pair are straight: they do not overlap",
            f"{path}.overlap_ratio",
            overlap,
            "helix_angle beside module, or no overlap_ratio",
        )
        overlap = 0.0
    _teeth_and_radii(bench, pair, path)
    if overlap is None:
        overlap = 0.0
        if width is not None and rack.module is not None and rack.helix_angle:
            overlap = involute.overlap_ratio(width, rack.helix_angle, rack.module)
            bench.note("derived", path, f"overlap ratio {overlap:.4f} from face width and helix")
    if ratio is not None and ratio + overlap < 1.0:
        bench.note("warning", path, f"contact ratio {ratio:.4f} below 1: the pair loses contact between teeth")
        faults.append(f"contact ratio {ratio:.4f} below 1")
    return Mesh(
        name=name, between=between, base_radius=pair.base_radii, internal=pair.internal, teeth=pair.teeth,
        pressure_angle=pair.pressure_angle, helix_angle=rack.helix_angle, face_width=width, module=rack.module,
        contact_ratio=ratio, overlap_ratio=overlap, stiffness=stiffness(facts, rack),
        damping=linear_damping(facts.damping), backlash=backlash, law=facts.law,
        excitation=tuple(Excitation(e.base, e.order, e.amplitude, e.phase) for e in facts.excitation),
        loss=facts.loss, by_teeth=pair.one.by_teeth, path=pair.path, contact_ratio_given=facts.contact_ratio,
        centre_distance=pair.centre_distance, rack_angle=rack.pressure_angle if rack.module is not None else None,
        misalignment=facts.misalignment or 0.0, wheels=wheels, teeth_different=_odd_teeth(bench, facts, between, path, rack, pair),
        circumference=facts.profile, no_gear="; ".join(faults), **more,
    )  # fmt: skip


#: share by which ratios of tooth numbers and of base circles may differ: circles are printed with four digits or more
CLOSE = 1e-3


def _teeth_and_radii(bench: Bench, pair: Pair, path: str) -> None:
    """Refuse tooth numbers and given base circles that make two ratios; warn where the file allows it."""
    if pair.teeth is None or pair.one.by_teeth or not (pair.one.base_given or pair.two.base_given):
        return
    by_teeth, by_radii = pair.teeth[1] / pair.teeth[0], pair.two.base_radius / pair.one.base_radius
    if abs(by_teeth - by_radii) <= CLOSE * by_radii:
        return
    shown = (by_teeth, by_radii) if by_teeth >= 1.0 else (1.0 / by_teeth, 1.0 / by_radii)
    what = f"teeth make a ratio of {shown[0]:.5g}, base circles one of {shown[1]:.5g}"
    disagreeing(bench, path, what, "the circles, the mesh frequency the larger tooth number")


def disagreeing(bench: Bench, path: str, what: str, followed: str) -> None:
    """A problem, once for all equal meshes, that teeth and radii disagree; a warning in a file that allows it."""
    if "teeth_and_radii" in bench.drivetrain.allow:
        bench.note("warning", path, f"{what}: speeds and torques follow {followed}")
    elif not any(p.path == path and p.message == what for p in bench.problems):
        kept = "; or allow: [teeth_and_radii] in a file that keeps what its source prints"
        bench.wrong(what, path, allowed="tooth numbers and circles of one gear" + kept)


def _odd_teeth(
    bench: Bench, facts: MeshFacts, between: tuple[str, str], path: str, rack: Rack, pair: Pair
) -> tuple[ToothErrors | None, ToothErrors | None] | None:
    """Teeth that differ, by wheel of the mesh; a wheel that the mesh does not have is a problem."""
    if not facts.pitch_error:
        return None
    made: list[ToothErrors | None] = [None, None]
    roles = [name.rsplit(".", 1)[-1].rstrip("0123456789") for name in between]
    for role, errors in facts.pitch_error.items():
        if role not in roles:
            bench.wrong(
                f"this mesh has no {role}", f"{path}.pitch_error", role, " or ".join(roles), nearest(role, roles)
            )
            continue
        which = roles.index(role)
        wheel = (pair.one, pair.two)[which]
        made[which] = _of_grade(bench, errors, between[which], f"{path}.pitch_error.{role}", rack, wheel)
    return made[0], made[1]


def _of_grade(bench: Bench, errors: ToothErrors, body: str, path: str, rack: Rack, wheel: Size) -> ToothErrors:
    """The errors, with deviations along the line of action [m] that keep the grade of the file, each body with its own."""
    if errors.grade is None:
        return errors
    if rack.module is None or rack.angle is None or wheel.teeth is None or wheel.reference_radius is None:
        bench.wrong(
            "a grade needs module, pressure angle and teeth", f"{path}.grade", errors.grade, "deviations: [...]"
        )
        return errors
    seed = f"{errors.seed} {body} {path.rsplit('.', 3)[-3]}"
    arcs = pitch_errors(wheel.teeth, 2.0 * wheel.reference_radius, rack.module, errors.grade, seed)
    return errors.model_copy(update={"deviations": [arc * math.cos(rack.angle) for arc in arcs]})


def stiffness(facts: MeshFacts, rack: Rack) -> Stiffness:
    """Mesh stiffness in the transverse plane; normal values are multiplied by cos² of the base helix."""
    s = facts.stiffness
    if s is None:
        return Stiffness()
    c = math.cos(rack.base_helix) ** 2 if s.direction == "normal" else 1.0

    def times(value: float | None) -> float | None:
        return None if value is None else c * value

    return Stiffness(
        mean=times(s.mean),
        two_pairs=times(s.two_pairs),
        one_pair=times(s.one_pair),
        table=None if s.table is None else tuple((f, c * k) for f, k in s.table),
        corners=tuple(s.corners),
        fourier=None if s.fourier is None else tuple((h.order, c * h.amplitude, h.phase) for h in s.fourier),
        source=s.source,
        half_width=s.half_width,
    )


def _checked(bench: Bench, pair: Pair, path: str) -> tuple[GearPair | None, list[str]]:
    """The pair's true teeth at work, with a warning for whatever a designer would frown at; and what makes them impossible."""
    if pair.path is None or pair.centre_distance is None:
        return None, []
    assert pair.one.cut is not None and pair.two.cut is not None
    try:
        made = pair_from_facts((pair.one.cut, pair.two.cut), pair.centre_distance)
        findings = made.checks()
    except (ValueError, ArithmeticError) as error:  # a GeometryError, or numbers no gear has
        fault = f"the teeth of this pair cannot be made: {error}"
        bench.note("warning", path, fault)
        return None, [fault]
    for one in findings:
        if one.what != "contact ratio":  # said of the mesh itself
            bench.note("warning", path, str(one))
    return made, [str(one) for one in findings if one.level == "impossible" and one.what != "contact ratio"]


def _least(a: float | None, b: float | None) -> float | None:
    known = [x for x in (a, b) if x is not None]
    return min(known) if known else None


def pair_in_place(
    bench: Bench,
    rack: Rack,
    one: Size,
    two: Size,
    internal: bool,
    distance: float | None,
    said: float | None,
    where: str,
    path: str,
) -> Pair | None:
    """A pair with the working angle of its centre distance, or that of its shifts, or the given one."""
    if one.by_teeth != two.by_teeth:
        bench.wrong(
            "one wheel is known by its base circle and the other by its teeth alone: they have no common measure",
            path,
            allowed="the module with both tooth numbers, base circles of both wheels, or tooth numbers alone",
        )
        return None
    if one.by_teeth:
        bench.by_teeth(path)
        return Pair(one, two, internal, said, distance)
    radii = (one.base_radius, two.base_radius)
    angle = said
    if angle is None and rack.pressure_angle is not None:
        try:
            angle = natural_angle(rack, one, two, internal)
        except ValueError as error:
            bench.wrong(f"the profile shifts of this pair cannot be closed: {error}", where)
            return None
    if distance is None:
        if angle is None:
            return Pair(one, two, internal, None, None)
        reach = radii[1] - radii[0] if internal else radii[0] + radii[1]
        if reach <= 0.0:
            bench.wrong("the ring of an internal pair must be larger than its pinion", path)
            return None
        distance = involute.centre_distance(radii, angle, internal)
        bench.note("derived", path, f"centre distance {1e3 * distance:.6g} mm")
    elif said is None:
        closing = angle
        try:
            angle = involute.working_angle(radii, distance, internal)
        except ValueError as error:
            bench.wrong(f"this pair cannot be assembled: {error}", f"{path}.centre_distance", distance)
            return None
        if closing is not None:
            free = involute.centre_distance(radii, closing, internal)
            if abs(free - distance) > 1e-3 * distance:
                bench.note(
                    "warning",
                    path,
                    f"the profile shifts close this pair at {1e3 * free:.6g} mm, "
                    f"the centre distance is {1e3 * distance:.6g} mm" + _needed_shifts(rack, one, two, internal, angle),
                )
        if rack.angle is not None and abs(angle - rack.angle) > 1e-6:
            bench.note("derived", where, f"working pressure angle {math.degrees(angle):.4f} deg")
    return pair_at(bench, rack, one, two, internal, angle, distance, where)


def _needed_shifts(rack: Rack, one: Size, two: Size, internal: bool, angle: float) -> str:
    """The sum of profile shifts that a working angle needs, and the one given, as the end of a sentence."""
    if rack.pressure_angle is None or one.teeth is None or two.teeth is None:
        return ""
    wanted = involute.shift_sum((one.teeth, two.teeth), angle, rack.pressure_angle, rack.helix_angle, internal)
    return f", which needs profile shifts that sum to {wanted:.4g}; they sum to {one.shift + two.shift:.4g}"


def set_phase(
    mesh: Mesh, facts: Any, drive: float, coast: float, source: str, first: tuple[float, float] | None = None
) -> Mesh:
    """A mesh with its phases; a given phase is that of the first planet, the others keep their distance to it."""
    first = first or (drive, coast)
    if facts.phase is not None:
        drive, coast, source = drive - first[0] + facts.phase, coast - first[0] + facts.phase, "given"
    if facts.coast_phase is not None:
        coast, source = (
            coast - (first[1] if facts.phase is None else first[1] - first[0] + facts.phase) + facts.coast_phase,
            "given",
        )
    return dataclasses.replace(mesh, phase=drive, coast_phase=coast, phase_source=source)


def single_phase(meshes: dict[str, Mesh], name: str, rack: Rack, pair: Pair, facts: Any) -> None:
    """Phase of a mesh that stands alone: zero on the loaded flank (its start is free), the other flank by
    the tooth thickness where that is known."""
    made = meshes[name]
    coast = 0.0
    if (
        pair.path is not None
        and pair.teeth is not None
        and rack.pressure_angle is not None
        and pair.pressure_angle is not None
    ):
        kind = MeshTeeth(
            pair.teeth,
            pair.one.shift,
            pair.one.base_radius,
            pair.pressure_angle,
            pair.path,
            made.sigma,
            made.phase_direction,
        )
        theta = tooth_angle(kind, 0.0, rack.pressure_angle, rack.helix_angle)
        coast = flank_phases(kind, theta, rack.pressure_angle, rack.helix_angle)[1]
    meshes[name] = set_phase(made, facts, 0.0, coast, "assumed")


def tooth_numbers(mesh: Mesh, train: Train, pair: GearPair) -> tuple[int, int, int, int]:
    """Numbers of the teeth in pair zero: of wheel 1 and 2 on the drive flank, then on the coast flank.

    Teeth are counted as they come while the train turns forward. Tooth 0 of the sun and of the ring is in pair 0 of
    their mesh with the first planet, tooth 0 of a planet in pair 0 of its mesh with the sun.
    """
    p = pair.path
    z1, z2 = pair.one.teeth, pair.two.teeth
    one = two = 0
    if mesh.on is not None and mesh.angle is not None:
        siblings = [
            m
            for m in train.meshes.values()
            if m.stage == mesh.stage and m.on == mesh.on and m.internal == mesh.internal
        ]
        first = siblings[0]
        turn = mesh.angle - (first.angle or 0.0)
        wheel, forward = (z2, mesh.phase_direction) if mesh.internal else (z1, mesh.phase_direction)
        number = -round(forward * wheel * turn / (2.0 * math.pi) + mesh.phase - first.phase)
        if mesh.internal:
            two = number
            one = _planet_tooth(mesh, train, pair)
        else:
            one = number
    psi = involute.half_tooth_angle(z1, pair.one.shift, pair.one.pressure_angle, pair.one.helix_angle)
    both = (2.0 * pair.one.base_radius * (psi + pair.working_angle) - p.start - p.end) / p.base_pitch
    up = mesh.sigma * mesh.phase_direction
    shift = round(mesh.coast_phase - mesh.phase + up * both)
    return one, two, one - shift, two - shift + up


def _planet_tooth(mesh: Mesh, train: Train, pair: GearPair) -> int:
    """Tooth of a planet in pair zero of its ring mesh."""
    planet = mesh.between[0]
    sun = next((m for m in train.meshes.values() if not m.internal and m.between[1] == planet), None)
    if sun is None:
        return 0
    outer = tooth_pair(sun)
    kinds = [
        MeshTeeth(
            (q.one.teeth, q.two.teeth),
            q.one.shift,
            q.one.base_radius,
            q.working_angle,
            q.path,
            m.sigma,
            m.phase_direction,
        )
        for m, q in ((sun, outer), (mesh, pair))
    ]
    a, b = pair.one.pressure_angle, pair.one.helix_angle
    theta_sun = tooth_angle(kinds[0], sun.phase, a, b)
    theta = mate_tooth_angle(kinds[0], theta_sun, outer.two.shift, outer.two.base_radius, a, b) + math.pi
    theta = math.remainder(theta, 2.0 * math.pi)
    psi = involute.half_tooth_angle(pair.one.teeth, pair.one.shift, a, b)
    s = pair.one.base_radius * (mesh.sigma * theta + psi + pair.working_angle)
    travelled = (
        s - pair.path.start if mesh.sigma * mesh.phase_direction > 0 else pair.path.end - s
    ) / pair.path.base_pitch
    return -round(mesh.phase - travelled)
