"""What a file holds and what was derived from it: bodies, elements, ratios, speeds, frequencies, the assembled model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gearwright.assembly import AssemblyError, assemble
from gearwright.assembly.multibody import mechanism
from gearwright.errors import DrivetrainError
from gearwright.figures.format import alike
from gearwright.laws.mesh_properties import mean_stiffness
from gearwright.laws.registry import without_own
from gearwright.multibody import MultibodyError
from gearwright.remarks import train_remarks
from gearwright.results.damping import damping_warnings
from gearwright.running.mechanism import mechanism_of
from gearwright.running.rolling import with_rolling
from gearwright.schema.case_lookup import case_warnings
from gearwright.schema.file import Drivetrain
from gearwright.schema.losses import MeshLoss
from gearwright.schema.parts import CarrierWall
from gearwright.stiffness.resolve import resolved
from gearwright.train.expand import expand
from gearwright.train.kinematics import mesh_frequency, speeds
from gearwright.train.train import Bearing, Body, Coupling, Damping, Machine, Mesh, Shaft, Stage, Stiffness, Train

from .base import ASIDE, GIVEN, OPTIONAL, Analysis, Column, Picture, Table, drivetrain_of
from .picture import Curve


@dataclass(frozen=True)
class OperatingPoint:
    """Speed [rad/s and rpm], torque [N m] and power [W] of the input; None where the file gives none."""

    speed: float | None
    speed_rpm: float | None
    torque: float | None
    power: float | None


@dataclass(frozen=True)
class Gravity:
    """Acceleration (x, y, z) [m/s^2]."""

    vector: tuple[float, float, float]


@dataclass(frozen=True)
class BodyFacts:
    """A body, as :class:`gearwright.train.train.Body` has it, with its speeds at the operating point."""

    role: str
    stage: str | None
    inertia: float | None
    mass: float | None
    count: int
    on: str | None
    pin_radius: float | None
    angle_deg: float
    place: tuple[float, float] | None
    fixed: bool
    speed_ratio: float | None
    speed: float | None
    speed_rpm: float | None


@dataclass(frozen=True)
class MeshFacts:
    """A mesh, as :class:`gearwright.train.train.Mesh` has it, and what follows: ``contact_points`` of both flanks, ``mean_stiffness``
    over the mesh cycle [N/m], ``mesh_frequency`` [Hz], ``order`` per turn of the input, and which teeth meet."""

    between: tuple[str, str]
    on: str | None
    stage: str | None
    internal: bool
    teeth: tuple[int, int] | None
    base_radius: tuple[float, float] | None
    module: float | None
    pressure_angle_deg: float | None
    helix_angle_deg: float
    face_width: float | None
    sigma: int
    phase: float
    coast_phase: float
    phase_source: str
    contact_ratio: float | None
    contact_ratio_given: float | None
    contact_ratio_derived: float | None
    overlap_ratio: float
    contact_points: int | None
    stiffness: Stiffness = field(metadata=GIVEN)
    mean_stiffness: float | None
    damping: Damping = field(metadata=GIVEN)
    backlash: float | None
    loss: MeshLoss | None
    mesh_frequency: float | None
    order: float | None
    common_divisor: int | None
    hunting_tooth: bool | None
    turns_to_repeat: tuple[int, int] | None


@dataclass(frozen=True)
class StageFacts:
    """A stage: bodies by role, output over input speed of it, mesh frequency [Hz]."""

    type: str
    members: Mapping[str, str | Sequence[str]]
    mesh_frequency: float | None
    speed_ratio: float | None = field(metadata=OPTIONAL)


@dataclass(frozen=True)
class ParallelFacts(StageFacts):
    """A pair of wheels."""

    teeth: Sequence[int | None]
    module: float | None
    centre_distance: float | None
    base_radii: Sequence[float]
    internal: bool


@dataclass(frozen=True)
class Assembly:
    """Whether equally spaced planets can be mounted: sum of the teeth of sun and ring, what falls to a planet, whether that is whole."""

    sum: int
    per_planet: float
    whole: bool


@dataclass(frozen=True)
class PinFacts:
    """Pins of a carrier that bends [m], damping proportional to stiffness [s], and their steel [Pa, kg/m^3]."""

    length: float
    diameter: float
    bore: float
    walls: int
    damping: float | None
    young: float
    shear: float
    density: float


@dataclass(frozen=True)
class PlanetaryFacts(StageFacts):
    """A planetary stage."""

    pin_radius: float | None
    inertia_includes_planets: bool
    teeth: Sequence[int | None]
    module: float | None
    base_radii: Sequence[float]
    planets: int
    angles_deg: Sequence[float]
    pins: PinFacts | None = field(metadata=OPTIONAL)
    wall: CarrierWall | None = field(metadata=OPTIONAL)
    assembly: Assembly | None = field(metadata=OPTIONAL)
    in_phase: bool | None = field(metadata=OPTIONAL)


@dataclass(frozen=True)
class AssembledModel:
    """What is assembled of a train."""

    fidelity: str
    law: str
    degrees_of_freedom: int
    rows: int
    coordinates: Sequence[str]


@dataclass(frozen=True)
class JointFacts:
    """A joint of a mechanism: bodies, rows, how many of them were ``dropped``, whether any is ``elastic``."""

    name: str
    type: str
    between: tuple[str, str]
    rows: int
    dropped: int
    elastic: bool


@dataclass(frozen=True)
class MechanismModel:
    """What is made of a mechanism: freedoms, rows and their rank, joints."""

    fidelity: str
    degrees_of_freedom: int
    rows: int
    rank: int
    redundant_rows: Sequence[str]
    joints: Sequence[JointFacts]
    notes: Sequence[str]


@dataclass(frozen=True)
class NoModel:
    """Why no model can be made."""

    problem: str
    fidelity: str | None = field(default=None, metadata=OPTIONAL)


Made: TypeAlias = AssembledModel | MechanismModel | NoModel


@dataclass(frozen=True, repr=False, eq=False)
class Description(Analysis):
    """A drivetrain spelled out; SI, unless a name says otherwise.

    ``ratio`` is input over output speed, ``speed_ratio`` output over input; ``bodies``, ``meshes`` and the like hold facts by name;
    speeds and frequencies are those of the operating point, None (or empty) without one; ``derived`` are sentences; ``model`` is
    fidelity, law, degrees of freedom and coordinates of what is assembled, the ``problem`` for which it cannot be, or None of a train.
    """

    name: str
    input: str | None
    output: str | None
    held: Sequence[str]
    ratio: float | None
    speed_ratio: float | None
    operating: OperatingPoint
    model: Made | None
    gravity: Gravity | None
    bodies: Mapping[str, BodyFacts]
    meshes: Mapping[str, MeshFacts]
    bearings: Mapping[str, Bearing]
    shafts: Mapping[str, Shaft]
    couplings: Mapping[str, Coupling]
    machines: Mapping[str, Machine]
    stages: Mapping[str, StageFacts]
    mass: float | None
    alias: Mapping[str, str]
    contact_points: int | None
    mesh_frequencies_hz: Mapping[str, float]
    shaft_frequencies_hz: Mapping[str, float]
    derived: Sequence[str]
    #: what the file says of its data
    source: str = field(metadata=ASIDE)
    assumed_by_the_file: Sequence[str] = field(metadata=ASIDE)
    not_claimed: Sequence[str] = field(metadata=ASIDE)

    def to_dict(self) -> dict[str, Any]:
        """As the command prints it: the mean stiffness of a rolling bearing and what a machine has beside its parameters among these."""
        data = super().to_dict()
        held = [bearing for shaft in data["shafts"].values() for bearing in shaft["bearings"]]
        for bearing in (*data["bearings"].values(), *held):
            if (mean := bearing.pop("element_mean")) is not None and bearing["rolling"] is not None:
                bearing["rolling"]["mean"] = mean
        for machine in data["machines"].values():
            more = {key: machine.pop(key) for key in ("efficiency", "pedal", "magnetic_pull", "drives")}
            given = {key: value for key, value in more.items() if value not in (None, [])}
            machine["parameters"] = {**(machine["parameters"] or {}), **given}
        return data

    def shown(self) -> Iterator[Table | str]:
        """Operating point, bodies, elements, what was derived, the model."""
        yield f"{self.name}: {self.source or 'no source given'}"
        if self.input:
            yield self._point()
        for part in self._elements():
            yield from ("", part) if isinstance(part, Table) else (part,)
        yield ""
        if self.derived:
            yield "\n".join(["derived", *(f"  {sentence}" for sentence in self.derived)])
        if self.assumed_by_the_file:
            yield "\n".join(["assumed by the file", *(f"  {a}" for a in self.assumed_by_the_file)])
        if self.not_claimed:
            yield "not claimed: " + ", ".join(self.not_claimed)
        yield from self._model()

    def _point(self) -> str:
        operating, point = self.operating, f"input {self.input}, output {self.output}"
        if self.speed_ratio:
            point += f", speed ratio output/input {self.speed_ratio:.6g}"
        if operating.speed_rpm is not None:
            point += f", {operating.speed_rpm:.4g} rpm"
        if operating.torque is not None:
            point += f", {operating.torque / 1e3:.5g} kN m"
        if operating.power:
            point += f", {operating.power / 1e3:.5g} kW"
        return point

    def _elements(self) -> Iterator[Table | str]:
        five = {
            unit: Column(name, unit, 5)
            for name, unit in (("mass", "kg"), ("inertia", "kg m2"), ("stiffness", "GN/m"), ("mesh", "Hz"))
        }
        rows: list[list[Any]] = [
            [name, b.role, b.mass, b.inertia, b.speed_ratio, b.speed_rpm, "fixed" if b.fixed else (b.on or "")]
            for name, b in self.bodies.items()
        ]
        speeds = [Column("speed/input", "", 6), Column("rpm", "", 5)]
        yield Table("bodies", ["", "role", five["kg"], five["kg m2"], *speeds, "on"], rows)
        if self.meshes:
            rows = [
                [
                    name,
                    "-".join(m.between),
                    "/".join(map(str, m.teeth)) if m.teeth else "",
                    "/".join(f"{1e3 * r:.4g}" for r in m.base_radius or ()),
                    m.pressure_angle_deg,
                    m.contact_ratio,
                    m.mean_stiffness,
                    m.mesh_frequency,
                    f"{m.phase:.4f} ({m.phase_source})",
                ]
                for name, m in self.meshes.items()
            ]
            angle, contact = Column("angle deg", "", 5), Column("contact ratio", "", 5)
            yield Table(
                "meshes",
                ["", "between", "teeth", "base radii mm", angle, contact, five["GN/m"], five["Hz"], "phase"],
                rows,
            )
            if self.contact_points and getattr(self.model, "law", None) == "tooth_contact":
                yield f"  {self.contact_points} contact points: both flanks, contact ratios rounded up"
        if self.bearings:
            rows = [
                [n, "-".join(b.between), *(b.stiffness[i][i] if b.stiffness else None for i in (0, 1)), b.torsional]
                for n, b in self.bearings.items()
            ]
            lateral = [Column(name, "GN/m", 5) for name in ("ky", "kz")]
            yield Table("bearings", ["", "between", *lateral, Column("k about x", "N m/rad", 5)], rows)
        if self.shafts:
            rows = [[n, "-".join(s.between), s.torsional, s.lateral] for n, s in self.shafts.items()]
            yield Table("shafts", ["", "between", Column("torsion", "N m/rad", 5), Column("lateral", "N/m", 5)], rows)

    def _model(self) -> Iterator[Table | str]:
        model = self.model
        if isinstance(model, NoModel):
            yield f"not assembled: {model.problem}"
        elif isinstance(model, MechanismModel):
            cells = [
                [
                    j.name,
                    j.type,
                    "-".join(j.between),
                    str(j.rows),
                    "elastic" if j.elastic else (f"{j.dropped} dropped" if j.dropped else ""),
                ]
                for j in model.joints
            ]
            yield Table("joints", ["", "type", "between", "rows", ""], cells)
            yield f"model: multibody, {model.degrees_of_freedom} degrees of freedom, {model.rows} rows of rank {model.rank}"
        elif model is not None:
            yield (
                f"model: {model.fidelity}, law {model.law}, {model.degrees_of_freedom} degrees of freedom, {model.rows} rows"
            )

    def picture(self) -> Picture | str:
        """Mesh and shaft frequencies at the operating speed."""
        if not self.shaft_frequencies_hz:
            return "the file has no operating speed, so there are no frequencies"
        both = {**self.shaft_frequencies_hz, **self.mesh_frequencies_hz}
        return Picture(
            "body or mesh",
            "frequency [Hz]",
            [Curve("frequency", list(both), list(both.values()), "bars")],
            logarithmic=True,
        )


def describe(drivetrain: Any, fidelity: str | None = None, *, overrides: Sequence[str] = ()) -> Description:
    """What a drivetrain holds and what was derived: ``gearwright describe``.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path, the name of an example, or a Train (:func:`gearwright.expand`), which gives what is spelled
        out alone, without the assembled ``model``
    fidelity : overrides the file's
    overrides : ``path=value`` edits of a file
    """
    if isinstance(drivetrain, Train):
        if fidelity is not None or overrides:
            raise DrivetrainError("fidelity and overrides go with a drivetrain; a Train is expanded already")
        return _description(drivetrain, source="", assumed_by_the_file=(), not_claimed=())
    made = drivetrain_of(drivetrain, overrides)
    train = expand(made, fidelity)
    with suppress(ValueError):  # what the teeth or bearings lack is said by the assembly below
        train = resolved(train)
        train = with_rolling(train, fidelity)
    told = train
    model: Made
    if (fidelity or made.model.fidelity) == "multibody":
        model = _mechanism(made)
        said = [] if isinstance(model, NoModel) else list(model.notes)
    else:
        train, said = without_own(train)
        try:
            system = assemble(train, fidelity)
        except AssemblyError as error:
            model = NoModel(str(error))
        else:
            said = [*said, *system.provenance.notes, *damping_warnings(system, train)]
            model = AssembledModel(
                system.provenance.fidelity,
                system.provenance.law,
                system.degrees_of_freedom,
                system.shape.rows,
                system.coordinates,
            )
    about = {"source": made.source or "", "assumed_by_the_file": made.assumed, "not_claimed": made.not_claimed}
    return _description(told, model, [*case_warnings(made), *said], **about)


def _description(train: Train, model: Made | None = None, said: Sequence[str] = (), **more: Any) -> Description:
    """What is spelled out in a train, with the ``model`` that is made of it, what was ``said`` of that, and ``more`` of the file."""
    now = speeds(train)
    at_output = train.ratios.get(train.output) if train.output else None
    meshes = {name: _mesh(mesh, now, train) for name, mesh in train.meshes.items()}
    masses = [b.mass * b.count for b in train.bodies.values() if b.mass is not None]
    power = None if train.speed is None or train.torque is None else train.speed * train.torque
    return alike(
        Description,
        train,
        ratio=None if not at_output else 1.0 / at_output,
        speed_ratio=at_output,
        operating=OperatingPoint(train.speed, _rpm(train.speed), train.torque, power),
        model=model,
        gravity=None if train.gravity is None else Gravity(train.gravity),
        bodies={name: _body(b, now, train) for name, b in train.bodies.items()},
        meshes=meshes,
        stages={name: _stage(name, stage, train, meshes) for name, stage in train.stages.items()},
        mass=sum(masses) if masses else None,
        contact_points=sum(m.contact_points or 0 for m in meshes.values()) or None,
        mesh_frequencies_hz={n: m.mesh_frequency for n, m in meshes.items() if m.mesh_frequency is not None},
        shaft_frequencies_hz={n: abs(w) / (2.0 * math.pi) for n, w in now.items() if w},
        derived=[f"{n.where}: {n.message}" for n in train.notes if n.level == "derived"],
        remarks=[*train_remarks(train.notes), *_hunting(train), *said],
        **more,
    )


def _rpm(speed: float | None) -> float | None:
    return None if speed is None else speed * 30.0 / math.pi


def _body(b: Body, now: Mapping[str, float], train: Train) -> BodyFacts:
    speed = now.get(b.name)
    return alike(
        BodyFacts,
        b,
        angle_deg=math.degrees(b.angle),
        speed_ratio=train.ratios.get(b.name),
        speed=speed,
        speed_rpm=_rpm(speed),
    )


def _mesh(mesh: Mesh, now: Mapping[str, float], train: Train) -> MeshFacts:
    frequency = mesh_frequency(mesh, now)
    order = mesh_frequency(mesh, train.ratios) * 2.0 * math.pi
    common = math.gcd(*mesh.teeth) if mesh.teeth else None
    stiffness = None
    with suppress(AssemblyError):
        stiffness = mean_stiffness(mesh)
    return alike(
        MeshFacts,
        mesh,
        base_radius=None if mesh.by_teeth else mesh.base_radius,
        pressure_angle_deg=None if mesh.pressure_angle is None else math.degrees(mesh.pressure_angle),
        helix_angle_deg=math.degrees(mesh.helix_angle),
        contact_ratio_derived=None if mesh.path is None else mesh.path.contact_ratio,
        contact_points=None if mesh.contact_ratio is None else 2 * math.ceil(mesh.contact_ratio - 1e-9),
        mean_stiffness=stiffness,
        mesh_frequency=None if math.isnan(frequency) else frequency,
        order=None if math.isnan(order) else order,
        common_divisor=common,
        hunting_tooth=None if common is None else common == 1,
        turns_to_repeat=None if not mesh.teeth or not common else (mesh.teeth[1] // common, mesh.teeth[0] // common),
    )


def _stage(name: str, stage: Stage, train: Train, meshes: Mapping[str, MeshFacts]) -> StageFacts:
    first, last = ("carrier", "sun") if stage.type == "planetary" else ("wheel", "pinion")
    begin, end = (train.ratios.get(stage.members.get(role, "")) for role in (first, last))
    speed_ratio = end / begin if begin and end else None
    frequency = next((m.mesh_frequency for m in meshes.values() if m.stage == name), None)
    plain = StageFacts(stage.type, stage.members, frequency, speed_ratio)
    if stage.type == "direct":
        return plain
    if stage.type == "parallel":
        return alike(ParallelFacts, plain, stage)
    zs, _, zr = stage.teeth
    n, pins, steel = len(stage.planets), stage.pins, stage.pin_material
    known = None if zs is None or zr is None else (zs, zr)
    return alike(
        PlanetaryFacts,
        plain,
        stage,
        members={**stage.members, "planets": stage.planets},
        planets=n,
        angles_deg=[math.degrees(a) for a in stage.angles],
        pins=None if pins is None or steel is None else alike(PinFacts, pins, steel, shear=steel.shear_modulus),
        assembly=known and Assembly(sum(known), sum(known) / n, sum(known) % n == 0),
        in_phase=known and all(z % n == 0 for z in known),
    )


def _hunting(train: Train) -> list[str]:
    """Pairs whose teeth always meet the same mates (common divisor of the tooth numbers)."""
    found: dict[tuple[str, tuple[int, int]], str] = {}
    for mesh in train.meshes.values():
        if mesh.teeth is None or mesh.stage is None or (mesh.stage, mesh.teeth) in found:
            continue
        common = math.gcd(*mesh.teeth)
        if common > 1:
            z1, z2 = mesh.teeth
            found[mesh.stage, mesh.teeth] = (
                f"{mesh.name}: no hunting tooth, {z1} and {z2} share the divisor {common}: a tooth meets only "
                f"{z2 // common} of its mate's {z2} teeth"
            )
    return list(found.values())


def _mechanism(drivetrain: Drivetrain) -> MechanismModel | NoModel:
    """What a file is as a mechanism; a ``problem`` where it cannot be made."""
    try:
        if drivetrain.cases:
            made, _, _, _ = mechanism_of(drivetrain, None, (), drivetrain.cases[0].duration or 1.0)
        else:
            made = mechanism(drivetrain)
    except (MultibodyError, DrivetrainError) as error:
        return NoModel(str(error), "multibody")
    rows = {j.name: [row for row in made.rows if row.joint == j.name] for j in made.joints}
    lost = {j.name: sum(name.rpartition(".")[0] == j.name for name in made.dropped) for j in made.joints}
    joints = [
        JointFacts(
            j.name,
            j.kind,
            (j.first, j.second),
            len(rows[j.name]) + lost[j.name],
            lost[j.name],
            any(row.elastic for row in rows[j.name]),
        )
        for j in made.joints
    ]
    return MechanismModel(
        "multibody", made.degrees_of_freedom, made.row_count, made.rank, list(made.redundant), joints, list(made.notes)
    )
