"""Schema of elements: every place where two bodies act on each other, spelled out."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from gearwright.units import (
    Amount,
    Angle,
    AngularAcceleration,
    ContactRatio,
    Duration,
    HelixAngle,
    Length,
    Number,
    PositiveLength,
    PressureAngle,
    ProfileShift,
    RotationalSpeed,
    Stiff,
    Support,
    Torque,
    TorsionalStiff,
    problem,
)

from .base import ByType, Section, Short
from .bearing import Rolling
from .parts import (
    AngularDamping,
    Bearing,
    LinearDamping,
    MeshFacts,
    MeshStiffness,
    Pair,
    RackFacts,
    Teeth,
    ToothErrors,
    Wheel,
)


class Element(Section):
    """What every element has: a name and the two bodies (or ``housing``) between which it acts."""

    name: str = Field(min_length=1)
    between: Pair


class MeshElement(Element, MeshFacts):
    """A gear mesh between two bodies: teeth with a module, base circles, or tooth numbers alone.

    ``internal``: the larger wheel is a ring. ``same_sense``: the wheels turn alike though both are external (a
    label of bevel and shaft-mounted trains). ``on``: the carrier both ride on. ``azimuth``: direction from
    wheel 1 to wheel 2 (internal: from ring to planet).
    """

    type: Literal["mesh"]
    teeth: tuple[Teeth, Teeth] | None = None
    base_radius: tuple[PositiveLength, PositiveLength] | None = None
    base_diameter: tuple[PositiveLength, PositiveLength] | None = None
    module: PositiveLength | None = None
    profile_shift: tuple[ProfileShift, ProfileShift] = (0.0, 0.0)
    helix_angle: HelixAngle = 0.0
    hand: Literal["left", "right"] | None = None
    face_width: PositiveLength | None = None
    centre_distance: PositiveLength | None = None
    internal: bool = False
    same_sense: bool = False
    on: str | None = None
    azimuth: Angle | None = None

    @model_validator(mode="after")
    def _geometry(self) -> Self:
        if self.base_radius is not None and self.base_diameter is not None:
            raise problem("base_radius and base_diameter say the same: give one")
        if self.teeth is None and self.base_radius is None and self.base_diameter is None:
            raise problem(
                "a mesh needs the size of its wheels", "teeth: [20, 35], with a module; or base_radius: [0.3 m, 0.1 m]"
            )
        if self.internal and self.same_sense:
            raise problem("the wheels of an internal mesh turn alike anyway: leave same_sense away")
        return self


class BearingElement(Element, Bearing):
    """A bearing between two bodies, or a body and the housing."""

    type: Literal["bearing"]
    name: str = Field(min_length=1)  # type: ignore[assignment]


class SpringElement(Element):
    """A spring: radial ``stiffness`` [N/m], or ``torsional_stiffness`` about the axis, which may have ``play`` (total angle
    between both sides)."""

    type: Literal["spring"]
    stiffness: Support | None = None
    torsional_stiffness: TorsionalStiff | None = None
    damping: LinearDamping | None = None
    torsional_damping: AngularDamping | None = None
    play: Angle | None = None

    @model_validator(mode="after")
    def _some(self) -> Self:
        if self.stiffness is None and self.torsional_stiffness is None:
            raise problem("a spring needs stiffness or torsional_stiffness")
        if self.play is not None and (self.torsional_stiffness is None or self.play < 0.0):
            raise problem("play is an angle, not negative, of a torsional spring", "play: 0.5 deg")
        return self


class DamperElement(Element):
    """A damper: radial ``damping``, or ``torsional_damping`` about the axis."""

    type: Literal["damper"]
    damping: LinearDamping | None = None
    torsional_damping: AngularDamping | None = None

    @model_validator(mode="after")
    def _some(self) -> Self:
        if self.damping is None and self.torsional_damping is None:
            raise problem("a damper needs damping or torsional_damping")
        return self


class Capacity(Short):
    """Torque capacity of a brake or clutch, reached within ``rise`` after it is engaged."""

    short: ClassVar[str] = "torque"
    torque: Annotated[Torque, Field(ge=0.0)]
    rise: Duration | None = None


class BrakeElement(Element):
    """A brake or clutch: friction between two bodies up to a capacity. Engaged unless said otherwise."""

    type: Literal["brake", "clutch"]
    capacity: Capacity
    engaged: bool = True


class OneWayElement(Element):
    """A one-way clutch: the first body may overrun the second in the positive sense."""

    type: Literal["one_way"]
    stiffness: Stiff | None = None
    torsional_stiffness: TorsionalStiff | None = None


class DragElement(Element):
    """A drag torque against the relative rotation: constant and viscous part."""

    type: Literal["drag"]
    torque: Annotated[Torque, Field(ge=0.0)] = 0.0
    viscous: AngularDamping | None = None


class JointFriction(Section):
    """Friction of a joint that turns: a dry ``torque``, smoothed below the speed ``creep``, and a ``viscous`` part."""

    torque: Annotated[Torque, Field(ge=0.0)] = 0.0
    viscous: AngularDamping | None = None
    creep: Annotated[RotationalSpeed, Field(gt=0.0)] | None = None


Matrix = Annotated[list[Annotated[list[Number], Field(min_length=6, max_length=6)]], Field(min_length=6, max_length=6)]
Axis = Literal["x", "y", "z"]
Direction = Axis | tuple[Number, Number, Number]


class JointElement(Element):
    """An ideal joint of a mechanism (fidelity ``multibody``); with stiffness or damping its rows are elastic.

    ``between`` two bodies or named points of them (``crank.end``). ``axis`` and ``through`` in global axes at the
    start. ``length`` of a distance or point spring. ``speed`` and ``acceleration`` [rad/s^2] of a motor. ``matrix`` and
    ``damping_matrix`` of a bushing: 6 x 6 in SI units (x, y, z, about x, y, z). ``clearance``: of a radial joint with a
    stiffness, radial. ``friction`` of a revolute joint or a torsion spring: ``torque`` [N m] and ``viscous`` part.
    ``rolling``: a bearing with every element at every instant stands for a ``radial`` joint (its two directions), or for a
    ``revolute`` one (all but the rotation); ``law: nonlinear``, ``damping`` a value or stiffness_proportional.
    """

    type: Literal["revolute", "spherical", "translational", "cylindrical", "universal", "planar", "rigid", "fixed",
                  "point_on_line", "radial", "axial", "parallel", "distance", "lock", "motor", "point_spring",
                  "torsion_spring", "bushing"]  # fmt: skip
    axis: Direction | None = None
    through: tuple[Length, Length, Length] | None = None
    friction: JointFriction | None = None
    length: Amount | None = None
    stiffness: Support | None = None
    damping: LinearDamping | None = None
    angular_stiffness: TorsionalStiff | None = None
    angular_damping: AngularDamping | None = None
    speed: RotationalSpeed = 0.0
    acceleration: AngularAcceleration = 0.0
    matrix: Matrix | None = None
    damping_matrix: Matrix | None = None
    clearance: Amount | None = None
    rolling: Rolling | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for key, kinds in (
            ("matrix", ("bushing",)),
            ("damping_matrix", ("bushing",)),
            ("clearance", ("radial",)),
            ("friction", ("revolute", "cylindrical", "torsion_spring")),
            ("rolling", ("radial", "revolute")),
        ):
            if getattr(self, key) is not None and self.type not in kinds:
                raise problem(f"{key} does not belong to a joint of type {self.type}", ", ".join(kinds))
        if self.rolling is not None:
            for key in ("stiffness", "angular_stiffness", "angular_damping", "clearance"):
                if getattr(self, key) is not None:
                    raise problem(f"{key} of a joint with rolling elements follows from these: leave it out")
            if self.rolling.law != "nonlinear":
                raise problem(
                    "a mechanism has no operating point at which rolling elements get one stiffness",
                    "rolling: {law: nonlinear, ...}; or a stiffness (gearwright bearing-stiffness)",
                )
        if self.clearance is not None and self.stiffness is None:
            raise problem("clearance needs the stiffness beyond it", "stiffness: 1e8 N/m")
        if self.type == "motor" and (self.stiffness is not None or self.angular_stiffness is not None):
            raise problem("a motor prescribes a motion and has no stiffness", "a torsion_spring beside it")
        return self


class PairMesh(MeshFacts):
    """What is known of the mesh of a pair beside its gear; ``pitch_error`` by ``first`` and ``second``."""

    pitch_error: dict[Literal["first", "second"], ToothErrors] = {}  # type: ignore[assignment]


class TruePair(RackFacts):
    """The true teeth of a gear of a mechanism: basic rack, wheels ``first`` and ``second``, ``mesh`` for what else is known of the
    mesh, ``torque`` on the first wheel for which the teeth are made."""

    first: Wheel
    second: Wheel
    centre_distance: PositiveLength | None = None
    mesh: PairMesh = PairMesh.silent()
    torque: Torque | None = None


class GearElement(Element):
    """A gear row of a mechanism (fidelity ``multibody``): rigid, or elastic with a ``stiffness`` along the line of action.

    ``gear``: on the line of action, ``radius`` the pitch radii of both wheels; ``internal``: planet first, ring
    second. Without ``pressure_angle`` the force is tangential. ``simple_gear``: rotation only, radii of rings negative,
    turning against the ``carrier`` (default: the housing). ``flank``: -1 or 1; 0 follows the torque.

    ``stiffness`` may vary over the mesh cycle (``two_pairs`` and ``one_pair``, a ``table``, ``fourier``, or a mean with a
    ``contact_ratio`` and ``periodic: true``); that needs the ``teeth`` of both wheels and counts ``phase`` from where a
    pair enters, rising as the first wheel turns positive. With a ``backlash`` (normal) both flanks touch one-sided,
    ``flank`` is then the drive flank.

    ``pair``: the true teeth. Then ``law``: ``tooth_contact`` (default), ``periodic`` or ``linear``, as of a train.
    """

    type: Literal["gear", "simple_gear"]
    axis: Direction
    radius: tuple[Length, Length] | None = None
    pressure_angle: PressureAngle = 0.0
    helix_angle: HelixAngle = 0.0
    internal: bool = False
    carrier: str | None = None
    flank: Literal[-1, 0, 1] = 0
    stiffness: MeshStiffness | None = None
    damping: LinearDamping | None = None
    teeth: tuple[Teeth, Teeth] | None = None
    contact_ratio: ContactRatio | None = None
    periodic: bool = False
    phase: Number = 0.0
    backlash: Amount | None = None
    law: Literal["linear", "periodic", "tooth_contact"] | None = None
    pair: TruePair | None = None

    @model_validator(mode="after")
    def _teeth(self) -> Self:
        if self.pair is None:
            if self.radius is None:
                raise problem(
                    "a gear needs the pitch radii of both wheels, or their teeth", "radius: [0.1 m, 0.2 m]; or a pair"
                )
            if self.law == "tooth_contact":
                raise problem(
                    "tooth_contact needs the teeth",
                    "pair: {module: 4 mm, pressure_angle: 20 deg, first: ..., second: ...}",
                )
            if self.law == "periodic" and not self.varies:
                raise problem(
                    "a periodic gear needs a stiffness over the mesh cycle",
                    "stiffness: {two_pairs: ..., one_pair: ...}",
                )
            if self.law == "linear" and self.varies:
                raise problem(
                    "this stiffness varies over the mesh cycle: law linear takes a mean", "stiffness: 1e9 N/m"
                )
            return self
        if self.type == "simple_gear":
            raise problem("a simple_gear turns only: a pair is for type gear")
        for key in ("radius", "pressure_angle", "helix_angle", "teeth", "periodic"):
            if getattr(self, key):
                raise problem(f"{key} follows from the pair: leave it out")
        return self

    @model_validator(mode="after")
    def _elastic(self) -> Self:
        if self.pair is not None:
            return self
        for key in ("backlash", "damping"):
            if getattr(self, key) is not None and self.stiffness is None:
                raise problem(f"{key} of a gear needs its stiffness", "stiffness: 1e9 N/m")
        if self.type == "simple_gear" and (self.backlash is not None or self.varies):
            raise problem("a simple_gear turns only: backlash and stiffness over the cycle are for type gear")
        if self.varies and self.teeth is None:
            raise problem("a stiffness over the mesh cycle needs the teeth of both wheels", "teeth: [20, 35]")
        if self.stiffness is not None and self.stiffness.source is not None:
            raise problem("stiffness.from needs the teeth of the gear: give its pair, or the values")
        return self

    @property
    def acting(self) -> str:
        """The law that its teeth follow: the one given, or what follows from what is given."""
        if self.pair is not None:
            return self.law or "tooth_contact"
        if self.stiffness is None:
            return "rigid"
        return "periodic" if self.varies else "linear"

    @property
    def varies(self) -> bool:
        """Whether its stiffness varies over the mesh cycle."""
        s = self.stiffness
        return s is not None and (self.periodic or any(x is not None for x in (s.two_pairs, s.table, s.fourier)))


AnyElement = Annotated[
    MeshElement
    | BearingElement
    | SpringElement
    | DamperElement
    | BrakeElement
    | OneWayElement
    | DragElement
    | JointElement
    | GearElement,
    ByType(),
]
