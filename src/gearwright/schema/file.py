"""The schema of a drivetrain file: what a user may write. Reading makes everything SI; nothing is derived here."""

from functools import cache, reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import (
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue

from gearwright.errors import listed, nearest
from gearwright.units import (
    Angle,
    Fraction,
    Inertia,
    Length,
    Mass,
    Number,
    PositiveFraction,
    PositiveLength,
    Stiff,
    TorsionalStiff,
    problem,
)

from .base import Also, AsTheHolderMade, ByType, Late, OneOrMore, Section, WholeSchema, elsewhere
from .cases import Campaign, Case, Gravity, Model, Operating
from .parts import (
    AngularDamping,
    Bearing,
    Carrier,
    Data,
    LinearDamping,
    Material,
    Member,
    MeshFacts,
    Names,
    Pair,
    RackFacts,
    Teeth,
    Wheel,
)
from .places import JSON

if TYPE_CHECKING:
    from .elements import AnyElement
    from .flexible import ReducedBody
    from .life import Life
    from .machines import MachineParameters
    from .setup import GridFacts, TurbineFacts

else:
    MachineParameters = Annotated[Any, AsTheHolderMade(lambda: _parameters())] | str
    TurbineFacts, GridFacts = elsewhere("setup", "TurbineFacts"), elsewhere("setup", "GridFacts")
    AnyElement = elsewhere("elements", "AnyElement")
    ReducedBody, Life = elsewhere("flexible", "ReducedBody"), elsewhere("life", "Life")

Bearings = Annotated[list[Bearing], OneOrMore]


#: planets of one stage; their neighbours would overlap long before
MOST_PLANETS = 64


def _inertias(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) else [value]


class BodyFacts(Section):
    """A body spelled out: ``inertia`` about its axis, or three principal values (x first) for mechanisms.

    ``on`` a carrier with ``pin_radius`` and ``angle``; otherwise ``place`` (y, z) and ``x``. ``count`` equal
    bodies share one coordinate; inertia and mass are those of one. A disc or tube with ``length``,
    ``diameter`` (``bore``) and ``material`` gets its mass and inertia from them. ``points`` of a body of a mechanism:
    named places in body axes from its mass centre, for joints (``crank.pin``).
    """

    name: str = Field(min_length=1)
    inertia: (
        Annotated[list[Inertia], Also(_inertias, lambda usual: [usual["items"]]), Field(min_length=1, max_length=3)]
        | None
    ) = None
    mass: Mass | None = None
    on: str | None = None
    count: Teeth = 1
    pin_radius: PositiveLength | None = None
    angle: Angle = 0.0
    place: tuple[Length, Length] | None = None
    x: Length | None = None
    length: PositiveLength | None = None
    diameter: PositiveLength | None = None
    bore: PositiveLength | None = None
    material: str | None = None
    fixed: bool = False
    floating: bool = False
    points: dict[str, tuple[Length, Length, Length]] = {}
    data: Data = {}

    @model_validator(mode="after")
    def _one_or_three(self) -> Self:
        if self.inertia is not None and len(self.inertia) == 2:
            raise problem("an inertia is one value about the axis, or three principal values")
        return self


class PlanetaryMeshes(Section):
    """The two kinds of mesh of a planetary stage."""

    sun_planet: MeshFacts = MeshFacts.silent()
    ring_planet: MeshFacts = MeshFacts.silent()


class PlanetaryBearings(Section):
    """Bearings of a planetary stage; each one or a list. The planet's act between planet and carrier."""

    sun: Bearings = []
    ring: Bearings = []
    carrier: Bearings = []
    planet: Bearings = []


class Stage(RackFacts):
    """What all stages share."""

    name: str | None = None
    place: tuple[Length, Length] | None = None
    x: Length | None = None


class PlanetaryStage(Stage):
    """A planetary stage: ``planets`` is their number (equally spaced) or a list of their angles.

    ``first_angle`` turns a number of equally spaced planets. ``pin_errors``: (radial, tangential) position
    error of each planet's pin. ``hand`` is that of the sun.
    """

    type: Literal["planetary"]
    planets: int | list[Angle]
    first_angle: Angle = 0.0
    centre_distance: PositiveLength | None = None
    sun: Wheel
    planet: Wheel
    ring: Wheel
    carrier: Carrier = Carrier.silent()
    meshes: PlanetaryMeshes = PlanetaryMeshes.silent()
    bearings: PlanetaryBearings = PlanetaryBearings.silent()
    pin_errors: list[tuple[Length, Length]] = []

    @model_validator(mode="before")
    @classmethod
    def _planets(cls, value: Any) -> Any:
        if isinstance(value, dict) and "planets" in value:
            planets = value["planets"]
            whole = isinstance(planets, int) and not isinstance(planets, bool)
            if not whole and not isinstance(planets, (list, tuple)):
                raise problem(f"planets is '{planets}'", "their number, such as 3, or a list of angles")
            if (whole and planets < 1) or (not whole and len(planets) == 0):
                raise problem("a planetary stage needs at least one planet", "planets: 3")
            if (planets if whole else len(planets)) > MOST_PLANETS:
                raise problem(f"more than {MOST_PLANETS} planets find no place in a stage", "planets: 3")
        return value


class ParallelBearings(Section):
    """Bearings of a parallel stage; each one or a list."""

    wheel: Bearings = []
    pinion: Bearings = []


class ParallelStage(Stage):
    """Two wheels on parallel shafts. ``azimuth``: direction from wheel to pinion. ``internal``: the wheel is a
    ring. ``hand`` is that of the wheel."""

    type: Literal["parallel"]
    wheel: Wheel
    pinion: Wheel
    mesh: MeshFacts = MeshFacts.silent()
    bearings: ParallelBearings = ParallelBearings.silent()
    centre_distance: PositiveLength | None = None
    azimuth: Angle | None = None
    internal: bool = False


class DirectStage(Section):
    """No gears: one shaft body through which the torque passes at ratio one."""

    type: Literal["direct"]
    name: str | None = None
    shaft: Member
    bearings: Bearings = []
    place: tuple[Length, Length] | None = None
    x: Length | None = None


AnyStage = Annotated[PlanetaryStage | ParallelStage | DirectStage, ByType()]


class ShaftSection(Section):
    """A piece of a shaft of one cross-section."""

    length: PositiveLength
    diameter: PositiveLength
    bore: Length = 0.0

    @model_validator(mode="after")
    def _hollow(self) -> Self:
        if not 0.0 <= self.bore < self.diameter:
            raise problem("the bore of a shaft is smaller than its diameter")
        return self


class Misalignment(Section):
    """Where the axis at the second end of a shaft lies without load: ``offset`` (y, z), ``angle`` (about y, z)."""

    offset: tuple[Length, Length] = (0.0, 0.0)
    angle: tuple[Angle, Angle] = (0.0, 0.0)


class ShaftFacts(Section):
    """A shaft between two bodies, one of

    - ``torsional_stiffness`` [N m/rad],
    - a round bar or tube: ``length``, ``diameter``, ``bore``, ``material``; or ``sections`` of these, from the
      first end on,
    - ``rigid: true``: both ends are one body.

    ``elements``: divide it into that many torsional elements with consistent inertia (needs the dimensions).
    ``bending_stiffness`` [N/m] couples the translations of its ends. At fidelity ``spatial`` dimensions make it a
    beam, damped in bending and along its axis by ``bending_damping`` (a ratio or in proportion to stiffness; without it
    as its torsion is, where that is no value): ``bearings`` hold it at ``x`` from its first end, ``gauges`` are places where section loads are recorded,
    ``spline`` names an end that passes neither bending nor axial force, ``misalignment`` shifts the axis at the
    second end.
    """

    name: str = Field(min_length=1)
    between: Pair
    torsional_stiffness: TorsionalStiff | None = None
    bending_stiffness: Stiff | None = None
    damping: AngularDamping | None = None
    bending_damping: LinearDamping | None = None
    rigid: bool = False
    length: PositiveLength | None = None
    diameter: PositiveLength | None = None
    bore: PositiveLength | None = None
    material: str | None = None
    elements: Teeth | None = None
    sections: list[ShaftSection] = []
    bearings: Bearings = []
    gauges: list[Length] = []
    spline: Literal["first", "second"] | None = None
    misalignment: Misalignment | None = None
    data: Data = {}

    @property
    def bar(self) -> bool:
        """Whether it has the dimensions of a round bar."""
        return bool(self.sections) or (self.length is not None and self.diameter is not None)

    @property
    def _carries(self) -> bool:
        """Whether it has what only a shaft that bends has."""
        return bool(self.bearings or self.gauges or self.spline or self.misalignment)

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if self.sections and (self.length is not None or self.diameter is not None or self.bore is not None):
            raise problem("sections hold every dimension of a shaft: leave length, diameter and bore away")
        if self.elements is not None and self._carries:
            raise problem(
                "a shaft divided into elements twists only: it has no bearings, gauges, spline or misalignment"
            )
        if self.sections and self.elements is not None:
            raise problem("elements divide a shaft of one cross-section; sections divide themselves")
        if not self.bar and self._carries:
            raise problem(
                "bearings, gauges, spline and misalignment of a shaft need its dimensions",
                "length and diameter, or sections",
            )
        if self.rigid and self._carries:
            raise problem("a rigid shaft has no bearings, gauges, spline or misalignment of its own")
        return self

    @model_validator(mode="after")
    def _on_the_shaft(self) -> Self:
        reach = sum(s.length for s in self.sections) or self.length or 0.0
        for key, places in (("bearing", [b.x for b in self.bearings]), ("gauge", self.gauges)):
            for x in places:
                if not 0.0 <= x <= reach * (1 + 1e-12):
                    raise problem(f"a {key} at {x:g} m lies beyond the shaft of {reach:g} m")
        return self

    @model_validator(mode="after")
    def _stiff_somehow(self) -> Self:
        if self.rigid and (self.torsional_stiffness is not None or self.elements is not None):
            raise problem("a rigid shaft has neither a stiffness nor elements")
        if not self.rigid and self.torsional_stiffness is None and not self.bar:
            raise problem(
                "a shaft needs its torsional stiffness",
                "torsional_stiffness: 3.7e7 N m/rad; or length and diameter; or rigid: true",
            )
        if self.elements is not None and not self.bar:
            raise problem("elements of a shaft need its length and diameter")
        if self.bore is not None and self.diameter is not None and self.bore >= self.diameter:
            raise problem("the bore of a shaft is smaller than its diameter")
        return self


#: parameters that a type of machine cannot do without
NEEDED = {
    "constant": ("torque",),
    "slip": ("synchronous_speed", "rated_slip", "rated_power"),
    "table": ("table",),
    "series": ("torque",),
}


class Placement(Section):
    """Where a body of a mechanism is at the start, roughly or exactly: ``at`` (its mass centre), turned by an ``angle``
    ``about`` an axis, or by Euler parameters (``euler``)."""

    at: tuple[Length, Length, Length] | None = None
    angle: Angle | None = None
    about: Literal["x", "y", "z"] | tuple[Number, Number, Number] | None = None
    euler: tuple[Number, Number, Number, Number] | None = None

    @model_validator(mode="after")
    def _turned(self) -> Self:
        if self.angle is not None and self.euler is not None:
            raise problem("angle and euler say the same: give one")
        for key in ("about", "euler"):
            value = getattr(self, key)
            if isinstance(value, tuple) and not any(value):
                raise problem(
                    f"{key} is a direction, not zero", f"{key}: x" if key == "about" else "euler: [1, 0, 0, 0]"
                )
        return self


class MachineControl(Section):
    """What a machine is controlled by: ``power`` or ``torque``."""

    type: Literal["power", "torque"]


class MachineFacts(Section):
    """A machine on the train. With ``inertia`` and no ``drives`` it is a body of its own name; otherwise it
    acts on the bodies that ``drives`` names. ``parameters``: a mapping, or the name of a set of data.
    ``magnetic_pull`` [N/m]: how much the radial pull on the rotor grows per displacement (fidelity spatial)."""

    name: str = Field(min_length=1)
    type: Literal[
        "constant", "slip", "table", "series", "induction", "dfig", "pmsg", "engine_map", "tracked_chassis", "ideal"
    ]
    inertia: Inertia | None = None
    mass: Mass | None = None
    drives: Names = []
    efficiency: PositiveFraction | None = None
    pedal: Fraction | None = None
    magnetic_pull: Stiff | None = None
    control: MachineControl | None = None
    parameters: MachineParameters = Field({}, validate_default=True)

    @field_validator("parameters", mode="before")
    @classmethod
    def _of_its_type(cls, value: Any, info: ValidationInfo) -> Any:
        """Parameters in SI, checked by the section of the type of machine."""
        kind = info.data.get("type")
        if not isinstance(value, (dict, str)) or (isinstance(value, str) and len(value) > 200):
            raise problem("parameters are a mapping, or the name of a set of data", "{torque: 10 kN m}")
        if kind is None:
            return value
        try:
            return _reader(kind)({"data": value} if isinstance(value, str) else value)
        except ValidationError as error:
            known = [field.alias or name for name, field in _reader(kind).section.model_fields.items()]
            for one in error.errors(include_url=False):
                if one["type"] == "extra_forbidden":
                    key = str(one["loc"][0])
                    raise problem(
                        f"a machine of type {kind} knows no parameter '{key}'", listed(known, 40), nearest(key, known)
                    ) from None
            raise


def _parameters() -> Any:
    """Sections of the parameters of all types of machine."""
    return reduce(or_, import_module(f"{__package__}.machines").PARAMETERS.values())


@cache
def _reader(kind: str) -> Late:
    """Reader of the parameters of a type of machine."""
    return Late(lambda: import_module(f"{__package__}.machines").PARAMETERS[kind])


class Drivetrain(Section):
    """A drivetrain file, read and in SI. :func:`gearwright.load` makes it.

    ``file`` is where it came from, ``text`` its text as read (overrides not applied), ``raw`` the merged
    mapping that was validated (included files and overrides applied, units as written).
    """

    name: str = Field(min_length=1)
    source: str | None = None
    assumed: Names = []
    claims: Names = []
    not_claimed: Names = []
    include: Names = []
    allow: Annotated[list[Literal["teeth_and_radii"]], OneOrMore] = []
    materials: dict[str, Material] = {}
    bodies: list[BodyFacts] = []
    elements: list[AnyElement] = []
    stages: list[AnyStage] = []
    shafts: list[ShaftFacts] = []
    machines: list[MachineFacts] = []
    reduced_bodies: list[ReducedBody] = []
    turbine: TurbineFacts | None = None
    grid: GridFacts | None = None
    gravity: Gravity | None = None
    assembly: dict[str, Placement] | None = None
    model: Model = Model.silent()
    operating: Operating = Operating.silent()
    cases: list[Case] = []
    campaigns: list[Campaign] = []
    life: Life | None = None

    _file: Path | None = PrivateAttr(None)
    _text: str = PrivateAttr("")
    _raw: dict[str, JSON] = PrivateAttr(default_factory=dict)
    _odd: list[tuple[str, str]] = PrivateAttr(default_factory=list)  # plain numbers that are odd as SI: path, sentence
    _written: Any = PrivateAttr(None)  # the same with the places of its values
    _overrides: tuple[str, ...] = PrivateAttr(())

    @property
    def file(self) -> Path | None:
        """The file this drivetrain was read from; None if it was made from a mapping."""
        return self._file

    @property
    def text(self) -> str:
        """The text of the file, for the record of a result."""
        return self._text

    @property
    def raw(self) -> dict[str, JSON]:
        """The mapping that was validated."""
        return self._raw

    @property
    def overrides(self) -> tuple[str, ...]:
        """The overrides that were applied, as ``path=value``."""
        return self._overrides

    def stage_name(self, index: int) -> str:
        """Name of a stage: its own, or ``stage1``, ``stage2``, ... by its place."""
        return self.stages[index].name or f"stage{index + 1}"

    def resolve(self, path: str) -> Path:
        """A path written in the file, relative to the file's folder."""
        found = Path(path).expanduser()
        return found if found.is_absolute() or self._file is None else self._file.parent / found

    def __repr__(self) -> str:
        parts = [f"{len(self.stages)} stages", f"{len(self.bodies)} bodies", f"{len(self.elements)} elements"]
        return f"Drivetrain({self.name}: {', '.join(parts)})"


def json_schema() -> JsonSchemaValue:
    """JSON Schema of a drivetrain file, units in the descriptions."""
    schema = Drivetrain.model_json_schema(by_alias=True, schema_generator=WholeSchema)
    schema["title"] = "Gearwright drivetrain"
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema
