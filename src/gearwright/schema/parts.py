"""Parts that several sections of the schema share: stiffness, damping, supports, wheels, losses."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, PlainValidator, field_validator, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from gearwright.units import (
    Amount,
    Angle,
    AnyStiff,
    ContactRatio,
    Damp,
    DampingRatio,
    Density,
    Duration,
    Fraction,
    HelixAngle,
    Inertia,
    Length,
    Mass,
    Number,
    OverlapRatio,
    PositiveLength,
    Pressure,
    PressureAngle,
    ProfileShift,
    Quantity,
    Share,
    Stiff,
    Support,
    TorsionalDamp,
    TorsionalSupport,
    problem,
)

from .base import Also, OneOrMore, Section, Short, elsewhere
from .mesh_laws import BY_MESH, LAWS, is_own

if TYPE_CHECKING:
    from .bearing import CatalogueData, Rolling
    from .losses import BearingFriction, MeshLoss, WheelProfile
else:
    Rolling, CatalogueData = elsewhere("bearing", "Rolling"), elsewhere("bearing", "CatalogueData")
    BearingFriction, MeshLoss = elsewhere("losses", "BearingFriction"), elsewhere("losses", "MeshLoss")
    WheelProfile = elsewhere("losses", "WheelProfile")


def _flat(value: Any) -> Any:
    """A word, a number, a list of them or a table; nothing deeper."""
    deep = [item for row in value if isinstance(row, list) for item in row] if isinstance(value, list) else []
    row = [item for item in value if not isinstance(item, list)] if isinstance(value, list) else [value]
    if not all(item is None or isinstance(item, (str, int, float)) for item in (*row, *deep)):
        raise problem("data are words and numbers", "ratio: 97, or a list of them, or a table")
    return value


Word = str | int | float | bool | None
#: what a reader of the file should know; nothing computes with it, it stays as it is written
Data = dict[
    str,
    Annotated[
        Word | list[Word | list[Word]], PlainValidator(_flat, json_schema_input_type=Word | list[Word | list[Word]])
    ],
]
Names = Annotated[list[str], OneOrMore]
Teeth = Annotated[int, Field(strict=True, gt=0, le=10_000)]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class Harmonic(Section):
    """``amplitude cos(2 pi order u + phase)`` with the mesh cycle u."""

    order: Teeth
    amplitude: Support
    phase: Angle = 0.0


class MeshStiffness(Short):
    """Stiffness along the line of action [N/m], whatever is known of it.

    ``mean``; ``two_pairs`` with ``one_pair``; ``table`` of (fraction of the mesh cycle, value), the cycle
    beginning where a pair enters on the loaded flank, a fraction given twice is a jump, ``corners`` are
    fractions where the curve jumps or its slope breaks; ``fourier`` harmonics about ``mean``; ``from``
    names a method that computes it from tooth data, ``half_width`` the contact half width that ``fe`` and
    ``analytic`` take at every point (default: that of Hertz at the pitch point under the operating torque).
    ``direction: normal`` marks values in the normal plane of a
    helical gear (default: transverse).
    """

    short: ClassVar[str] = "mean"
    mean: Stiff | None = None
    two_pairs: Stiff | None = None
    one_pair: Stiff | None = None
    table: list[tuple[Fraction, Stiff]] | None = None
    corners: list[Fraction] = []
    fourier: list[Harmonic] | None = None
    source: Literal["hertz", "fe", "iso6336", "analytic"] | None = Field(None, alias="from")
    half_width: PositiveLength | None = None
    direction: Literal["transverse", "normal"] = "transverse"

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.two_pairs is None) != (self.one_pair is None):
            raise problem("two_pairs and one_pair are given together")
        if self.fourier and self.mean is None:
            raise problem("fourier harmonics need the mean that they swing about")
        if self.table is not None:
            fractions = [f for f, _ in self.table]
            if len(fractions) < 4:
                raise problem("a stiffness table needs at least 4 points over the cycle")
            if any(b < a for a, b in zip(fractions, fractions[1:], strict=False)) or fractions[-1] > 1.0:
                raise problem("the fractions of a stiffness table must rise from 0 to at most 1")
            if any(c > 1.0 for c in self.corners):
                raise problem("corners are fractions of the cycle, at most 1")
        elif self.corners:
            raise problem("corners belong to a table")
        if self.half_width is not None and self.source not in ("fe", "analytic"):
            raise problem("half_width belongs to from: fe or from: analytic")
        if all(x is None for x in (self.mean, self.two_pairs, self.table, self.source)):
            raise problem("no stiffness is given", "mean, two_pairs and one_pair, table, or from")
        return self


class LinearDamping(Short):
    """Damping of a mesh or bearing: a value, a ratio of its own two-body mode, or proportional to stiffness."""

    short: ClassVar[str] = "value"
    value: Damp | None = None
    ratio: DampingRatio | None = None
    stiffness_proportional: Duration | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        _exactly_one(self, "value", "ratio", "stiffness_proportional")
        return self


class AngularDamping(Short):
    """Damping of a shaft or torsional support: a value, a ratio, or proportional to stiffness."""

    short: ClassVar[str] = "value"
    value: TorsionalDamp | None = None
    ratio: DampingRatio | None = None
    stiffness_proportional: Duration | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        _exactly_one(self, "value", "ratio", "stiffness_proportional")
        return self


def _exactly_one(section: Section, *keys: str) -> None:
    if sum(getattr(section, key) is not None for key in keys) != 1:
        raise problem("exactly one form is given", f"a value, or one of {', '.join(keys[1:])}")


def _block(value: Any) -> Any:
    """[y, z] or a full 2 x 2 block from one number, a pair, or a block."""
    if not isinstance(value, (list, tuple)):
        return [[value, 0.0], [0.0, value]]
    if len(value) != 2:
        raise problem("a bearing stiffness has one value, [y, z], or [[yy, yz], [zy, zz]]")
    if isinstance(value[0], (list, tuple)):
        return value
    return [[value[0], 0.0], [0.0, value[1]]]


def _both(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) else (value, value)


def _simpler(usual: JsonSchemaValue) -> list[JsonSchemaValue]:
    """One value, and one for each direction, beside a block."""
    row = usual["prefixItems"][0]
    return [row["prefixItems"][0], row]


Row = tuple[AnyStiff, AnyStiff]


class Bearing(Section):
    """A support. Several bearings of one body are a list; then ``name`` tells them apart.

    ``stiffness`` radial [N/m]: one value, [y, z] or a full block; ``axial_stiffness``; ``tilt_stiffness``
    [N m/rad]: one value or [about y, about z]; ``torsional_stiffness`` [N m/rad] about the axis, or
    ``tangential_stiffness`` [N/m] at the base circle (of the pins for a carrier). ``x``: place along the
    shaft, relative to the body (a bearing of a shaft: from its first end). ``matrix``: the full 6 x 6 stiffness
    in SI units, order x, y, z, rotation, tilt_y, tilt_z, for fidelity spatial. ``support``: the node ``<reduced body>.<node>`` it stands on there instead of the housing.
    ``rolling``: the bearing itself, by geometry or catalogue; its stiffness is used where none is given.
    ``data``: what its maker says of it.
    """

    name: str | None = None
    stiffness: Annotated[tuple[Row, Row], Also(_block, _simpler)] | None = None
    axial_stiffness: Support | None = None
    tilt_stiffness: (
        Annotated[tuple[TorsionalSupport, TorsionalSupport], Also(_both, lambda usual: [usual["prefixItems"][0]])]
        | None
    ) = None
    matrix: Annotated[list[list[Number]], Field(min_length=6, max_length=6)] | None = None
    torsional_stiffness: TorsionalSupport | None = None
    tangential_stiffness: Support | None = None
    damping: LinearDamping | None = None
    torsional_damping: AngularDamping | None = None
    clearance: Amount | None = None
    friction: BearingFriction | None = None
    rolling: Rolling | None = None
    x: Length = 0.0
    support: str | None = None
    data: CatalogueData | None = None

    @field_validator("stiffness")
    @classmethod
    def _definite(cls, block: Any) -> Any:
        if block is not None:
            (yy, yz), (zy, zz) = block
            if not (yy > 0.0 and zz > 0.0 and yy * zz - 0.25 * (yz + zy) ** 2 > 0.0):
                raise problem("a bearing stiffness must be positive", "1e8 N/m, or leave the key away")
        return block

    @field_validator("matrix")
    @classmethod
    def _positive(cls, matrix: Any) -> Any:
        if matrix is not None:
            if any(len(row) != 6 for row in matrix):
                raise problem("a bearing matrix has six rows of six values")
            k = np.array(matrix, float)
            if np.abs(k - k.T).max() > 1e-6 * np.abs(k).max():
                raise problem("a bearing matrix must be symmetric")
            size = np.sqrt(np.maximum(np.diag(k), 1e-300))
            if np.diag(k).min() < 0.0 or np.linalg.eigvalsh(k / np.outer(size, size)).min() < -1e-9:
                raise problem("a bearing matrix must not be negative: it would push instead of hold")
        return matrix

    @model_validator(mode="after")
    def _one_torsion(self) -> Self:
        if self.matrix is not None and (self.stiffness is not None or self.axial_stiffness is not None):
            raise problem("matrix holds every stiffness: leave stiffness, axial_stiffness and tilt_stiffness away")
        if self.torsional_stiffness is not None and self.tangential_stiffness is not None:
            raise problem("torsional_stiffness and tangential_stiffness say the same: give one")
        if self.rolling is not None and self.clearance is not None:
            raise problem("clearance and rolling.play say the same: give rolling.play, the diametral play")
        if self.rolling is not None and self.rolling.law == "nonlinear" and (self.stiffness or self.matrix):
            raise problem("rolling.law nonlinear makes the force from the elements: leave stiffness and matrix away")
        return self


class TipRelief(Section):
    """Tip relief of a flank: ``amount`` at the tip, ``start``: the diameter where it begins, or the end of single
    contact, and its shape."""

    amount: Amount
    start: Annotated[float | str, Quantity("length", "positive", words=("single_contact_end",))] = "single_contact_end"
    shape: Literal["linear", "parabolic"] = "linear"


class Member(Section):
    """A turning member of a stage, with what is known of it.

    ``inertia`` about its axis, or ``equivalent_mass`` = inertia / base radius² (carrier: pin radius²), or
    neither: a disc of its size, if ``face_width`` is given. ``fixed``: held by the housing in every motion.
    ``floating``: may be without support.
    """

    inertia: Inertia | None = None
    equivalent_mass: Mass | None = None
    mass: Mass | None = None
    fixed: bool = False
    floating: bool = False
    x: Length | None = None

    @model_validator(mode="after")
    def _one_inertia(self) -> Self:
        if self.inertia is not None and self.equivalent_mass is not None:
            raise problem("inertia and equivalent_mass say the same: give one")
        return self


class RackFacts(Section):
    """The basic rack of wheels that mesh, and what they share. ``module`` and ``pressure_angle`` are normal; with base circles
    and no module, ``pressure_angle`` is the working one. ``addendum`` and ``dedendum`` in modules; ``tool_tip``: rounding of its
    tip, ``standard`` (all of the clearance), ``full``, or a radius in modules."""

    module: PositiveLength | None = None
    pressure_angle: PressureAngle | None = None
    helix_angle: HelixAngle = 0.0
    hand: Literal["left", "right"] | None = None
    addendum: Annotated[float, Quantity("number", "positive", most=3.0, why="in modules")] = 1.0
    dedendum: Annotated[float, Quantity("number", "positive", most=3.0, why="in modules")] = 1.25
    tool_tip: Annotated[
        float | str, Quantity("number", "not negative", words=("standard", "full"), most=2.0, why="in modules")
    ] = "standard"
    material: str | None = None
    face_width: PositiveLength | None = None


class Wheel(Member):
    """A gear wheel: teeth with the stage's module, or a base circle, or both (then the base circle is used).

    ``bore`` of an external wheel and ``outer_diameter`` of a ring bound the rim. ``thickness_allowance``: added to
    the normal tooth thickness at the reference circle, negative for backlash. ``fillet_radius``: of a ring's root,
    in modules. ``tip_shortening``: added to the addendum, negative for shorter teeth. ``profile_crowning``,
    ``lead_crowning``: height at the ends of the flank. ``lead_slope``: taken off the working flank at the end of the face at larger
    x over the other end, by a change of the helix (the other flank has it the other way). ``bias``: taken off at the tip of the end
    at larger x and at the root of the other end, as much left standing at the other two corners. A planet works with both flanks
    and has neither.
    """

    teeth: Teeth | None = None
    base_diameter: PositiveLength | None = None
    base_radius: PositiveLength | None = None
    profile_shift: ProfileShift = 0.0
    face_width: PositiveLength | None = None
    tip_diameter: PositiveLength | None = None
    root_diameter: PositiveLength | None = None
    tip_shortening: Length | None = None
    bore: PositiveLength | None = None
    outer_diameter: PositiveLength | None = None
    tip_relief: TipRelief | None = None
    profile_crowning: Amount = 0.0
    lead_crowning: Amount = 0.0
    lead_slope: Length = 0.0
    bias: Length = 0.0
    thickness_allowance: Length = 0.0
    fillet_radius: Annotated[float, Quantity("number", "positive", most=2.0, why="in modules")] = 0.2
    material: str | None = None
    data: Data = {}

    @model_validator(mode="after")
    def _one_circle(self) -> Self:
        if self.base_diameter is not None and self.base_radius is not None:
            raise problem("base_diameter and base_radius say the same: give one")
        return self


class Pins(Section):
    """Pins of a carrier that bend (fidelity spatial): ``length`` between its walls, the planets in the middle of it; with
    ``walls: 1`` the far end is free. ``damping`` proportional to stiffness."""

    length: PositiveLength
    diameter: PositiveLength
    bore: Annotated[Length, Field(ge=0.0)] = 0.0
    walls: Literal[1, 2] = 2
    material: str | None = None
    damping: Duration | None = None

    @model_validator(mode="after")
    def _hollow(self) -> Self:
        if self.bore >= self.diameter:
            raise problem("the bore of a pin must be smaller than its diameter")
        return self


class CarrierWall(Section):
    """A second wall of a carrier (fidelity spatial), at the far end of the pins, with a part of the carrier's mass and
    inertia. A web holds it: ``torsional_stiffness`` against wind-up, and what else is given; the pins hold it too.
    ``x``: its place beside the first wall's middle where there are no pins."""

    mass: Annotated[Mass, Field(gt=0.0)]
    inertia: Annotated[Inertia, Field(gt=0.0)]
    torsional_stiffness: TorsionalSupport | None = None
    stiffness: Support | None = None
    axial_stiffness: Support | None = None
    tilt_stiffness: TorsionalSupport | None = None
    damping: Duration | None = None
    x: Length = 0.0


class Carrier(Member):
    """A planet carrier; ``inertia_includes_planets`` says whether its inertia holds N m_p r_c². ``pins`` and ``second_wall``
    make it flexible at fidelity spatial."""

    pins: Pins | None = None
    second_wall: CarrierWall | None = None
    pin_diameter: PositiveLength | None = None
    pin_radius: PositiveLength | None = None
    inertia_includes_planets: bool | None = None

    @model_validator(mode="after")
    def _one_pin(self) -> Self:
        if self.pin_diameter is not None and self.pin_radius is not None:
            raise problem("pin_diameter and pin_radius say the same: give one")
        return self


class Transmission(Section):
    """One part of a transmission error: ``amplitude sin(2 pi order u + phase)`` with u the mesh cycle, or the
    turn of the ``first`` or ``second`` wheel seen from the carrier (runout, pitch error)."""

    base: Literal["mesh", "first", "second"] = "mesh"
    order: Annotated[float, Quantity("number", "positive", most=1e4)] = 1.0
    amplitude: Amount
    phase: Angle = 0.0


class Pit(Section):
    """A pit on the drive flank: ``depth`` in the middle of the diameters ``start`` to ``end``."""

    depth: Amount
    start: PositiveLength
    end: PositiveLength


class OddTooth(Section):
    """A tooth that differs (law tooth_contact): its number, counted from 0 as teeth come by, ``deviation`` by which its
    drive flank stands out (a pitch error: the other flank stands back), ``crack``: share of the stiffness of its pairs
    that is lost, ``pit`` on its drive flank."""

    tooth: Annotated[int, Field(strict=True, ge=0)]
    deviation: Length = 0.0
    crack: Annotated[Share, Field(lt=1.0)] = 0.0
    pit: Pit | None = None


class ToothErrors(Section):
    """Teeth of one wheel that differ: ``deviations`` of all teeth in their order, or ``teeth`` one by one, or both.

    ``grade``: pitch deviations that just keep the accuracy grade of ISO 1328-1, a sinusoid once per turn and random teeth that
    ``seed`` chooses, for every wheel of this kind its own.
    """

    deviations: list[Length] = []
    teeth: Annotated[list[OddTooth], OneOrMore] = []
    grade: Annotated[int, Field(strict=True, ge=1, le=11)] | None = None
    seed: Annotated[int, Field(strict=True, ge=0)] = 1

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if self.grade is not None and self.deviations:
            raise problem("deviations and grade both say where all flanks are: give one")
        return self

    @model_validator(mode="before")
    @classmethod
    def _teeth_alone(cls, value: Any) -> Any:
        """``{tooth: 7, deviation: 10 um}`` for ``{teeth: [...]}``, and a list of them."""
        if isinstance(value, dict) and "tooth" in value:
            return {"teeth": [value]}
        return {"teeth": value} if isinstance(value, list) else value

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        full = super().__get_pydantic_json_schema__(schema, handler)
        resolved = handler.resolve_ref_schema(full)
        mapping, forms = dict(resolved), resolved["properties"]["teeth"]["anyOf"]
        resolved.clear()
        resolved.update({"title": cls.__name__, "anyOf": [*forms, mapping]})
        return full


def law_of_model(value: Any) -> Any:
    """A law that the file or a command names."""
    return _known(value, tuple(LAWS))


def law_of_mesh(value: Any) -> Any:
    """A law that one mesh names beside that of the model."""
    return _known(value, BY_MESH)


def _known(value: Any, words: tuple[str, ...]) -> Any:
    if not isinstance(value, str) or not (value in words or is_own(value)):
        raise problem(f"'{value}' is not a law of a mesh", f"{', '.join(words)}, or module:name of an own law")
    return value


class MeshFacts(Section):
    """What is known of a mesh, whatever law uses it.

    ``phase``, ``coast_phase`` [cycles]: given values win over those from tooth numbers. ``excitation``:
    transmission error along the line of action. ``misalignment``: of the flanks over the face width along the line
    of action, the end at larger x pressed less (fidelity spatial; laws periodic and tooth_contact with teeth at any). ``pitch_error``: teeth of a wheel that differ, by
    ``wheel, pinion, sun, planet`` or ``ring``. ``backlash``: normal. ``law``: of this mesh beside that of the model: ``linear``,
    ``periodic`` or your own, ``module:name``.
    """

    law: Annotated[str, BeforeValidator(law_of_mesh)] | None = None
    stiffness: MeshStiffness | None = None
    damping: LinearDamping | None = None
    contact_ratio: ContactRatio | None = None
    overlap_ratio: OverlapRatio | None = None
    pressure_angle: PressureAngle | None = None
    phase: Number | None = None
    coast_phase: Number | None = None
    backlash: Amount | None = None
    misalignment: Length | None = None
    excitation: Annotated[list[Transmission], OneOrMore] = []
    loss: MeshLoss | None = None
    pitch_error: dict[Literal["wheel", "pinion", "sun", "planet", "ring"], ToothErrors] = {}
    profile: dict[str, WheelProfile] | None = None


#: Young's or shear modulus [Pa] that no solid falls below: a number in GPa or MPa was meant for one in Pa
SOFTEST = 1e6


class Material(Section):
    """Young's or shear modulus, Poisson's ratio, density; steel if nothing is said."""

    young: Pressure = 206e9
    poisson: Annotated[float, Field(ge=0.0, lt=0.5)] = 0.3
    shear: Pressure | None = None
    density: Density = 7850.0

    @field_validator("young", "shear")
    @classmethod
    def _stiff(cls, value: float | None) -> float | None:
        if value is not None and value < SOFTEST:
            raise problem(f"{value:g} Pa is softer than rubber; a plain number is in Pa", "pressure such as '206 GPa'")
        return value

    @property
    def shear_modulus(self) -> float:
        """Shear modulus [Pa]: given, or E / (2 (1 + nu))."""
        return self.shear if self.shear is not None else self.young / (2.0 * (1.0 + self.poisson))
