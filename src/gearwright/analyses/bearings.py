"""Everything about a bearing under a load: stiffness, load of the elements, contact stress, life, frequencies.

Bearings come from a drivetrain file whose bearings have a ``rolling`` section, loaded at the operating point, or from a
small bearing file with its own load and speed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field, ValidationError

from gearwright.assembly import AssemblyError, Drive, Inputs, Load, assemble
from gearwright.bearings import iso281
from gearwright.bearings.contact_stress import LineContact
from gearwright.bearings.factors import dynamic_equivalent, static_equivalent
from gearwright.bearings.iso16281 import reference_life
from gearwright.bearings.orders import passing_orders
from gearwright.bearings.ratings import estimate_of, geometry_of, ratings_of
from gearwright.bearings.types import BearingGeometry
from gearwright.errors import DrivetrainError
from gearwright.progress import each
from gearwright.remarks import Remark, assumed
from gearwright.running.rolling import with_rolling
from gearwright.schema.base import Section
from gearwright.schema.bearing import Rolling
from gearwright.schema.complaints import problems_of
from gearwright.schema.file import Drivetrain
from gearwright.schema.paths import set_value
from gearwright.schema.read import pairs, parse_file
from gearwright.solve.steady.static import NoEquilibrium, Unbalanced, equilibrium
from gearwright.stiffness.resolve import resolved
from gearwright.system import signals
from gearwright.train import kinematics
from gearwright.train.expand import expand
from gearwright.train.train import HOUSING, Bearing, Train
from gearwright.units import Angle, Force, PositiveNumber, RotationalSpeed

from .base import OPTIONAL, Analysis, Column, Picture, Table, drivetrain_of
from .picture import Curve
from .static_loads import channel_values

#: slices of a roller for the reference life, where the file gives none (the standard asks for 30 or more)
REFERENCE_SLICES = 41
#: a load given beside the file: quantity to a number in SI or a text
Given = Mapping[str, float | str]
MOTIONS = ("x", "y", "z", "rotation", "tilt_y", "tilt_z")


class BearingLoad(Section):
    """Load of one bin: radial and axial force, tilt of the inner ring, speed of the inner ring against the outer one, and
    the share of the time."""

    radial: Force = 0.0
    axial: Force = 0.0
    tilt: Angle = 0.0
    speed: RotationalSpeed = 0.0
    share: PositiveNumber = 1.0


class BearingFile(Section):
    """A bearing file: ``bearing`` as the ``rolling`` section of a drivetrain, and ``load`` or ``bins`` of loads.

    ``outer_turns``: the load stands still relative to the inner ring.
    """

    name: str = "bearing"
    source: str | None = None
    assumed: list[str] = []
    bearing: Rolling
    load: BearingLoad | None = None
    bins: Annotated[list[BearingLoad], Field(min_length=1)] | None = None
    outer_turns: bool = False


@dataclass(frozen=True)
class GeometryFound:
    """Dimensions that the figures hold for [m], by row; ``estimate``: what of them was estimated, in a sentence."""

    estimated: bool
    elements: int
    rows: int
    element_diameter: float
    element_length: float | None
    pitch_diameter: float
    contact_angle_deg: float
    play: float
    constant: float
    exponent: float
    slices: int
    free_contact_angle_deg: float
    elements_given: bool
    estimate: str | None


@dataclass(frozen=True)
class RatingsFound:
    """Dynamic and static rating and fatigue limit [N], and where they are from."""

    dynamic: float
    static: float
    dynamic_source: str
    static_source: str
    fatigue_limit: float | None


@dataclass(frozen=True)
class LoadFound:
    """The largest load [N] of ``count`` bearings together, its speed [rad/s], all bins, and the force (x, y, z) of the model."""

    radial: float
    axial: float
    speed: float
    count: int
    bins: list[dict[str, float]]
    force: list[float] | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class StiffnessFound:
    """Displacement, load and tangent ``matrix`` (6, 6) at the largest load, in the ``order`` of motions; SI."""

    order: tuple[str, ...]
    displacement: np.ndarray
    load: np.ndarray
    matrix: np.ndarray


@dataclass(frozen=True)
class LineFound:
    """Line contact by IEC 61400-4: loads [N], line pressure [N/m], pressure and limit [Pa]."""

    static_equivalent_load: float
    roller_load: float
    line_pressure: float
    largest_pressure: float
    load_share: float
    edge_factor: float
    misalignment_factor: float
    limit: float | None
    utilisation: float | None


@dataclass(frozen=True)
class ContactFound:
    """Loads of the elements [N] and pressures on the rings [Pa] at the largest load."""

    element_loads: np.ndarray
    loaded_elements: int
    largest_element_load: float
    stribeck_factor: float | None
    pressure_inner: float
    pressure_outer: float
    iec_61400_4: LineFound | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class LifeFound:
    """Loads [N] and lives [million turns, h] of one bearing under all bins; the modified life needs what is not given."""

    equivalent_load: float
    radial_factor: float
    axial_factor: float
    exponent: float
    speed: float
    basic_life_million_turns: float
    basic_life_hours: float
    reference_load: float
    reference_life_million_turns: float
    reference_life_hours: float
    reference_profile: str | None
    static_equivalent_load: float
    static_safety: float
    reliability: float
    viscosity_ratio: float | None = field(default=None, metadata=OPTIONAL)
    life_modification: float | None = field(default=None, metadata=OPTIONAL)
    reliability_factor: float | None = field(default=None, metadata=OPTIONAL)
    modified_life_hours: float | None = None
    modified_life_needs: str | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class BearingRating:
    """What was found of one bearing; ``frequencies`` are ``orders`` and ``hz`` of bpfo, bpfi, bsf and ftf."""

    type: str
    designation: str | None
    geometry: GeometryFound
    ratings: RatingsFound
    load: LoadFound
    stiffness: StiffnessFound
    contact: ContactFound
    life: LifeFound
    frequencies: Mapping[str, Mapping[str, float]]
    stiffness_in_the_model: tuple[tuple[float, float], tuple[float, float]] | None = field(
        default=None, metadata=OPTIONAL
    )
    stiffness_source: str | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, repr=False, eq=False)
class BearingRatings(Analysis):
    """The rolling bearings of a file under a load, by name. ``operating`` says where the load is from."""

    name: str
    unit: str
    operating: str
    bearings: Mapping[str, BearingRating]

    def shown(self) -> Iterator[Table | str]:
        """Loads, stiffness, life, passing frequencies."""
        found = self.bearings
        kilo = {name: Column(name, "kN") for name in ("radial", "axial", "Q max", "C", "P", "P ref")}
        loads = [
            "bearing",
            "type",
            kilo["radial"],
            kilo["axial"],
            Column("", "rpm"),
            "loaded",
            kilo["Q max"],
            "Stribeck",
            Column("Hertz", "MPa"),
            Column("IEC", "MPa"),
        ]
        yield Table(f"Bearings of {self.name} ({self.operating})", loads, [_load_row(n, b) for n, b in found.items()])
        lateral, tilts = [Column(k, "N/m") for k in ("ky", "kz", "kx")], [Column(f"tilt {k}", "N m/rad") for k in "yz"]
        stiffness = ["bearing", *lateral, *tilts, Column("displacement", "um")]
        yield Table("Stiffness at this load", stiffness, [_stiffness_row(n, b) for n, b in found.items()])
        hours = [Column(k, "h", 5) for k in ("L10h", "modified", "reference")]
        life = [
            "bearing",
            kilo["C"],
            kilo["P"],
            Column("L10", "Mrev"),
            hours[0],
            hours[1],
            kilo["P ref"],
            hours[2],
            "S0",
        ]
        yield Table("Life of one bearing", life, [_life_row(n, b) for n, b in found.items()])
        hz = [Column(k.upper(), "Hz", 5) for k in PASSING]
        orders = [Column(k, "", 5) for k in ("orders BPFO", "BPFI", "BSF", "FTF")]
        yield Table(
            "Passing frequencies",
            ["bearing", "elements", *hz, *orders],
            [
                [n, _elements(b.geometry), *(b.frequencies[of][k] for of in ("hz", "orders") for k in PASSING)]
                for n, b in found.items()
            ],
        )

    def matrices(self) -> Iterator[Table]:
        """The whole stiffness matrix of every bearing."""
        for name, b in self.bearings.items():
            order = b.stiffness.order
            rows = [[m, *map(float, row)] for m, row in zip(order, b.stiffness.matrix, strict=True)]
            columns = ["", *(Column(m, "", 5) for m in order)]
            yield Table(f"Stiffness of {name}, N/m, N/rad, N m/rad", columns, rows)

    def picture(self) -> Picture:
        """Load of every element of every bearing."""
        curves = []
        for name, b in self.bearings.items():
            loads = np.asarray(b.contact.element_loads, float)
            curves.append(Curve(name, list(range(1, len(loads) + 1)), loads.tolist(), "points"))
        return Picture("element", "load [N]", curves)


PASSING = ("bpfo", "bpfi", "bsf", "ftf")


def _load_row(name: str, b: BearingRating) -> list[Any]:
    contact, load = b.contact, b.load
    line = contact.iec_61400_4
    kind = b.type.replace("_", "-") + (f" x {load.count}" if load.count > 1 else "")
    return [
        name,
        kind,
        load.radial,
        load.axial,
        load.speed,
        contact.loaded_elements,
        contact.largest_element_load,
        contact.stribeck_factor,
        max(contact.pressure_inner, contact.pressure_outer),
        None if line is None else line.largest_pressure,
    ]


def _elements(geometry: GeometryFound) -> str:
    """Number of elements of a row, and whether somebody gave it."""
    return f"{geometry.elements}" + ("" if geometry.elements_given or not geometry.estimated else " (estimated)")


def _stiffness_row(name: str, b: BearingRating) -> list[Any]:
    k, d = b.stiffness.matrix, b.stiffness.displacement
    return [name, *(float(k[i, i]) for i in (1, 2, 0, 4, 5)), float((d[0] ** 2 + d[1] ** 2 + d[2] ** 2) ** 0.5)]


def _life_row(name: str, b: BearingRating) -> list[Any]:
    life = b.life
    return [
        name,
        b.ratings.dynamic,
        life.equivalent_load,
        life.basic_life_million_turns,
        life.basic_life_hours,
        life.modified_life_hours,
        life.reference_load,
        life.reference_life_hours,
        life.static_safety,
    ]


def _remarks(found: Mapping[str, BearingRating]) -> list[str]:
    """Remarks on the bearings; what holds for several is said once."""
    said: dict[str, list[str]] = {}
    for name, b in found.items():
        for note in _notes(b):
            said.setdefault(note, []).append(name)
    made: list[str] = []
    for note, names in said.items():
        which = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
        made.append(Remark(f"{which}: {note}", getattr(note, "kind", "notes")))
    return made


def _notes(b: BearingRating) -> list[str]:
    notes: list[str] = []
    which = [w for w in ("dynamic", "static") if getattr(b.ratings, f"{w}_source") != "given"]
    if which:
        notes.append(assumed(f"{' and '.join(which)} rating from its geometry; give the catalogue's"))
    g, life = b.geometry, b.life
    if g.estimated:
        notes.append(assumed(f"{g.estimate}; stiffness is good to some ten per cent"))
    if life.reference_profile:
        notes.append(assumed(f"reference life with {life.reference_profile}, since the file gives no slices"))
    line = b.contact.iec_61400_4
    if line is not None and line.utilisation is not None:
        notes.append(f"line contact at {line.utilisation:.3g} of its limit")
    if life.modified_life_needs:
        notes.append(f"the modified life needs {life.modified_life_needs}")
    return notes


def bearing(
    drivetrain: Any,
    *,
    radial: float | str | None = None,
    axial: float | str | None = None,
    speed: float | str | None = None,
    fidelity: str | None = None,
    overrides: Sequence[str] = (),
) -> BearingRatings:
    """Rate every rolling bearing of a drivetrain, or of a bearing file: stiffness, element loads, stress, life, frequencies.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path (of a bearing file too), or the name of an example
    radial, axial, speed : load in N or as text with a unit (``"90 kN"``), speed of the inner ring against the outer one in rad/s
        (``"31.46 rpm"``); they replace the load of a bearing file, or of the only bearing of a drivetrain
    fidelity : of the model that gives the loads

    Raises DrivetrainError for anything a user can mend.
    """
    given = {k: v for k, v in (("radial", radial), ("axial", axial), ("speed", speed)) if v is not None}
    small = None if isinstance(drivetrain, Drivetrain) else _small_file(str(drivetrain), overrides)
    if small is not None:
        return _of_bearing_file(small, given)
    return _of_train(drivetrain_of(drivetrain, overrides), fidelity, given)


# --- bearing file --------------------------------------------------------------------------------------------------------


def _small_file(file: str, overrides: Sequence[str]) -> BearingFile | None:
    """The bearing file, or None if it is a drivetrain (or an example's name)."""
    path = Path(file)
    if not path.is_file() or path.suffix not in (".yaml", ".yml"):
        return None
    raw = parse_file(path)
    if "bearing" not in raw:
        return None
    for place, value in pairs(list(overrides)):
        set_value(raw, place, value)
    try:
        return BearingFile.model_validate(raw)
    except ValidationError as error:
        raise DrivetrainError.of(problems_of(error, raw, BearingFile), str(path)) from None


def _of_bearing_file(file: BearingFile, given: Given) -> BearingRatings:
    bins = list(file.bins or ([file.load] if file.load is not None else []))
    if given or not bins:
        bins = [_bin(bins[0] if len(bins) == 1 else None, given)]
    found = {file.name: _bearing(file.name, file.bearing, bins, file.outer_turns)}
    return BearingRatings(file.name, "SI", "as given", found, remarks=_remarks(found))


def _bin(old: BearingLoad | None, given: Given) -> BearingLoad:
    raw = {**({} if old is None else old.model_dump()), **given}
    if "radial" not in given and "axial" not in given and old is None:
        raise DrivetrainError(
            "a bearing file needs a load: load: {radial: 90 kN, speed: 20 rpm}, bins of them, or --radial and --speed"
        )
    try:
        return BearingLoad.model_validate(raw)
    except ValidationError as error:
        raise DrivetrainError.of(problems_of(error, raw, BearingLoad), "load") from None


# --- drivetrain ------------------------------------------------------------------------------------------------------------


def _of_train(drivetrain: Drivetrain, fidelity: str | None, given: Given) -> BearingRatings:
    train = expand(drivetrain, fidelity)
    fidelity = fidelity or train.model.fidelity or "torsional"
    rolling = [(b, b.rolling) for b in _all(train) if b.rolling is not None]
    if not rolling:
        raise DrivetrainError(
            f"{train.name}: no bearing says what it is; give one a 'rolling' section, for instance "
            "rolling: {type: cylindrical, element_diameter: 37.5 mm, element_length: 138 mm, pitch_diameter: 310 mm, "
            "elements: 25, dynamic_rating: 1980 kN}"
        )
    try:
        train = with_rolling(resolved(train), fidelity, linear=True)
    except ValueError as error:
        raise DrivetrainError(str(error)) from None
    forces = {} if given and len(rolling) == 1 else _static_forces(train, fidelity)
    now = kinematics.speeds(train)
    found: dict[str, BearingRating] = {}
    for bearing, facts in each("bearing", rolling):
        body = next(b for b in bearing.between if b != HOUSING)
        on = train.bodies[body].on if body in train.bodies else None
        inner = (facts.inner or ("support" if on in bearing.between and on is not None else "body")) == "body"
        other = next((b for b in bearing.between if b != body), HOUSING)
        relative = _speed(now, body, train) - _speed(now, other, train)
        force = [forces.get(f"{bearing.name}.force_{axis}", 0.0) for axis in "xyz"]
        if given and len(rolling) == 1:
            one = _bin(BearingLoad(speed=abs(relative)), given)
        elif f"{bearing.name}.force_y" not in forces:
            raise DrivetrainError(
                f"bearing '{bearing.name}' has no load of its own at fidelity {fidelity}; choose --fidelity planar or "
                f"spatial, or give --radial and --axial for a file with one bearing"
            )
        else:
            one = BearingLoad(radial=math.hypot(force[1], force[2]), axial=abs(force[0]), speed=abs(relative))
        made = _bearing(bearing.name, facts, [one], not inner)
        solved = next((b for b in _all(train) if b.name == bearing.name), bearing)
        source = "rolling elements" if bearing.by_elements else "given"
        made = replace(made, load=replace(made.load, force=force))
        if solved.stiffness is not None:
            made = replace(made, stiffness_in_the_model=solved.stiffness, stiffness_source=source)
        found[bearing.name] = made
    operating = f"operating point, fidelity {fidelity}" if forces else "as given"
    return BearingRatings(train.name, "SI", operating, found, remarks=_remarks(found))


def _all(train: Train) -> list[Bearing]:
    held = [b for s in train.shafts.values() for b in s.bearings]
    return [*train.bearings.values(), *held, *(b for r in train.reduced.values() for b in r.mounts)]


def _speed(now: Mapping[str, float | None], name: str, train: Train) -> float:
    if name in train.shafts:
        name = train.shafts[name].between[0]
    return float(now.get(name) or 0.0)


def _static_forces(train: Train, fidelity: str) -> dict[str, float]:
    """Bearing forces [N] under the operating torque, by channel."""
    if train.torque is None or train.input is None or train.output is None:
        raise DrivetrainError(
            f"{train.name}: the loads of its bearings are those at the operating point, which needs operating.input, "
            f"output and torque"
        )
    loads = (Load(train.input, signals.constant(train.torque), name="operating torque"),)
    try:
        system = assemble(train, fidelity, "linear", Inputs(loads, (Drive(train.output, signals.constant(0.0)),)))
        values = channel_values(system, equilibrium(system))
    except (AssemblyError, NoEquilibrium, Unbalanced) as error:
        raise DrivetrainError(f"{train.name}: {error}") from None
    return {name: value for name, value in values.items() if ".force_" in name}


# --- one bearing -------------------------------------------------------------------------------------------------------------


def _bearing(name: str, facts: Rolling, bins: Sequence[BearingLoad], outer_turns: bool) -> BearingRating:
    try:
        geometry, estimated = geometry_of(facts)
        return _rated(facts, geometry, estimated, bins, outer_turns)
    except ValueError as error:
        if isinstance(error, DrivetrainError):
            raise
        raise DrivetrainError(f"bearing '{name}': {error}") from None


def _rated(
    facts: Rolling, geometry: BearingGeometry, estimated: bool, bins: Sequence[BearingLoad], outer_turns: bool
) -> BearingRating:
    """Stiffness, element loads, stresses, life and frequencies of a bearing under loads; the first half at the largest.

    Forces of the bins are those of all ``count`` bearings together; what is printed of one bearing is named so.
    """
    c, c0 = ratings_of(facts, geometry)
    worst = max(bins, key=lambda b: abs(b.radial) + abs(b.axial))
    displacement = _displacement(geometry, worst)
    load, stiffness, _ = geometry.bearing().evaluate(displacement)
    speed = sum(abs(b.speed) * b.share for b in bins) / sum(b.share for b in bins)
    orders = passing_orders(
        geometry.per_row, geometry.element_diameter, geometry.pitch_diameter, geometry.contact_angle
    )
    return BearingRating(
        geometry.type,
        facts.designation,
        _geometry(facts, geometry, estimated),
        RatingsFound(
            c,
            c0,
            "given" if facts.dynamic_rating else "from geometry (ISO 281)",
            "given" if facts.static_rating else "from geometry (ISO 76)",
            facts.fatigue_limit,
        ),
        LoadFound(worst.radial, worst.axial, worst.speed, geometry.count, [b.model_dump() for b in bins]),
        StiffnessFound(MOTIONS, displacement, load, stiffness),
        _contact(facts, geometry, displacement, worst),
        _life(facts, geometry, c, c0, bins, outer_turns, speed),
        {
            "orders": {"bpfo": orders.outer, "bpfi": orders.inner, "bsf": orders.spin, "ftf": orders.cage},
            "hz": orders.frequencies(worst.speed if not outer_turns else 0.0, worst.speed if outer_turns else 0.0),
        },
    )


def _geometry(facts: Rolling, geometry: BearingGeometry, estimated: bool) -> GeometryFound:
    return GeometryFound(
        estimated,
        geometry.per_row,
        geometry.row_count,
        geometry.element_diameter,
        geometry.element_length,
        geometry.pitch_diameter,
        math.degrees(geometry.contact_angle),
        geometry.play,
        geometry.contact_constant,
        geometry.bearing().exponent,
        geometry.slices,
        math.degrees(geometry.free_contact_angle),
        facts.elements is not None,
        estimate_of(facts, geometry),
    )


def _displacement(geometry: BearingGeometry, load: BearingLoad) -> np.ndarray:
    """Displacement (6) under a radial force along y and an axial one, at a held tilt about z."""
    rows = geometry.bearing()
    axial = abs(load.axial)
    motions: tuple[int, ...] = (1, 2)
    if geometry.type not in ("cylindrical", "full_complement") and (axial > 0.0 or geometry.row_count == 2):
        motions = (0, 1, 2)
    elif geometry.type in ("cylindrical", "full_complement"):
        axial = 0.0  # its lips take it, not its raceways
    wanted = np.array([axial, abs(load.radial), 0.0, 0.0, 0.0, 0.0])
    return rows.under_load(wanted, motions, held=np.array([0.0, 0.0, 0.0, 0.0, 0.0, load.tilt]))


def _contact(facts: Rolling, geometry: BearingGeometry, displacement: np.ndarray, load: BearingLoad) -> ContactFound:
    elements = np.concatenate([row.evaluate(displacement)[2] for row in geometry.bearing().rows])
    most, radial = float(elements.max(initial=0.0)), abs(load.radial) / geometry.count
    factor = most * geometry.row_count * geometry.per_row / radial if radial > 0.0 else None
    inner, outer = (geometry.contact_pressure(most, outer=ring) for ring in (False, True))
    found = ContactFound(elements, int((elements > 0.0).sum()), most, factor, inner, outer)
    if geometry.is_ball or not geometry.element_length:
        return found
    given = {} if facts.contact is None else facts.contact.model_dump(exclude={"limit"})
    limit = None if facts.contact is None else facts.contact.limit
    axial = abs(load.axial) / geometry.count
    zero = static_equivalent(geometry, radial, axial, facts.static_radial_factor, facts.static_axial_factor).load
    line = LineContact(
        geometry.row_count * geometry.per_row,
        geometry.element_diameter,
        geometry.element_length,
        geometry.pitch_diameter,
        geometry.contact_angle,
        **given,
    )
    largest = line.largest_pressure(zero)
    return replace(
        found,
        iec_61400_4=LineFound(
            zero,
            line.roller_load(zero),
            line.line_pressure(zero),
            largest,
            line.load_share,
            line.edge_factor,
            line.misalignment_factor,
            limit,
            None if limit is None else largest / limit,
        ),
    )


def _life(
    facts: Rolling,
    geometry: BearingGeometry,
    c: float,
    c0: float,
    bins: Sequence[BearingLoad],
    outer_turns: bool,
    speed: float,
) -> LifeFound:
    contact: iso281.Contact = "ball" if geometry.is_ball else "roller"
    loads, reference, static = [], [], 0.0
    # the standard asks for slices and a profile; a spherical roller follows its raceway and needs neither
    sliced = not geometry.is_ball and geometry.type != "spherical" and geometry.slices == 1
    finer_geometry = replace(geometry, slices=REFERENCE_SLICES, profile="logarithmic") if sliced else geometry
    for one in bins:
        radial, axial = abs(one.radial) / geometry.count, abs(one.axial) / geometry.count
        loads.append(dynamic_equivalent(geometry, radial, axial, c0, facts.radial_factor, facts.axial_factor))
        static = max(
            static,
            static_equivalent(geometry, radial, axial, facts.static_radial_factor, facts.static_axial_factor).load,
        )
        at = _displacement(finer_geometry, one)
        reference.append(reference_life(finer_geometry, c, at, outer_turns=outer_turns).load)
    shares, speeds = [b.share for b in bins], [b.speed for b in bins]
    basic = iso281.LoadBins.of([p.load for p in loads], speeds, shares)
    finer = iso281.LoadBins.of(reference, speeds, shares)
    equivalent, p_ref = basic.equivalent(contact), finer.equivalent(contact)
    if speed == 0.0:  # at rest no bin counts by its turns; the load of the bins by time says what a turn would cost
        equivalent, p_ref = max(p.load for p in loads), max(reference)
    basic_hours = iso281.basic_life_hours(c, equivalent, speed, contact)
    found = LifeFound(
        equivalent,
        loads[0].radial_factor,
        loads[0].axial_factor,
        iso281.life_exponent(contact),
        speed,
        iso281.basic_life(c, equivalent, contact),
        basic_hours,
        p_ref,
        iso281.basic_life(c, p_ref, contact),
        iso281.basic_life_hours(c, p_ref, speed, contact),
        f"{REFERENCE_SLICES} slices and the logarithmic profile" if sliced else None,
        static,
        iso281.static_safety(c0, static),
        facts.reliability,
    )
    oil, limit = facts.lubrication, facts.fatigue_limit
    missing = [name for name, value in (("lubrication", oil), ("fatigue_limit", limit)) if not value]
    if oil is None or not limit or speed == 0.0:
        return replace(found, modified_life_needs=", ".join(missing) or "a speed")
    kappa = oil.viscosity / iso281.reference_viscosity(speed, geometry.pitch_diameter)
    factor = iso281.life_modification(kappa, oil.contamination, limit, equivalent, contact)
    survival = iso281.reliability_factor(facts.reliability)
    return replace(
        found,
        viscosity_ratio=kappa,
        life_modification=factor,
        reliability_factor=survival,
        modified_life_hours=survival * factor * basic_hours,
    )
