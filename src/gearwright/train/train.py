"""The expanded train: bodies and elements spelled out, everything derived, SI. What assembly reads.

``expand(Drivetrain) -> Train`` makes it. A :class:`Train` states facts only; the choice of fidelity and law
stands apart (``Train.model`` is just the file's default).

Conventions (decisions.md): x along the shafts, from the rotor to the machine; y left looking downwind; z up;
rotations and torques positive about x. Angles count from +y towards +z.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from gearwright.geometry.involute import Path
from gearwright.geometry.pair import Cut
from gearwright.schema.cases import Model, ModelDamping

if TYPE_CHECKING:
    from gearwright.schema.bearing import CatalogueData, Rolling
    from gearwright.schema.losses import BearingFriction, MeshLoss, WheelProfile
    from gearwright.schema.machines import MachineParameters
    from gearwright.schema.parts import CarrierWall, Material, Pins, ToothErrors

Role = Literal["sun", "planet", "ring", "carrier", "wheel", "pinion", "shaft", "rotor", "machine", "body"]

#: The frame: an element may name it as one of its two bodies.
HOUSING = "housing"


@dataclass(frozen=True)
class Body:
    """A rigid body with one axis parallel to x.

    Attributes
    ----------
    name : ``stage1.planet2`` for a stage's member, the user's own name otherwise
    inertia : about its axis [kg m^2], of **one** body, planets not included in a carrier's; None if unknown
    mass : [kg]; None if unknown (then it keeps only its rotation)
    count : how many equal bodies this one coordinate stands for (``count: 3`` of a train without places)
    on : the carrier body it rides on, or None
    pin_radius, angle : place of its axis on the carrier [m, rad]; angle at carrier rotation zero
    place : (y, z) of its axis in the fixed frame [m], for bodies not on a carrier; None without a place
    x : axial position [m]
    fixed : held by the housing in every motion (no coordinate)
    floating : may have mass without support in a kept direction
    length, diameter : face width or length and reference diameter [m], for pictures and discs
    principal : three principal inertias, x first, of a body of a mechanism
    """

    name: str
    role: Role = "body"
    stage: str | None = None
    inertia: float | None = None
    mass: float | None = None
    count: int = 1
    on: str | None = None
    pin_radius: float | None = None
    angle: float = 0.0
    place: tuple[float, float] | None = None
    x: float = 0.0
    fixed: bool = False
    floating: bool = False
    length: float | None = None
    diameter: float | None = None
    principal: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Stiffness:
    """What is known of a mesh's stiffness along the line of action [N/m, transverse].

    Any subset: ``mean``; ``two_pairs`` and ``one_pair``; ``table`` of (fraction of cycle, value) with a
    periodic cubic spline through it, where a fraction given twice is a jump (left, right value) and ``corners``
    are fractions at which the curve jumps or its slope breaks; ``fourier`` of (order, amplitude, phase [rad]),
    cosines about ``mean``; ``source`` names a method that computes it (``fe``, ``iso6336``, ``analytic``, ``hertz``), ``half_width`` the
    contact half width [m] it takes at every point.
    """

    mean: float | None = None
    two_pairs: float | None = None
    one_pair: float | None = None
    table: tuple[tuple[float, float], ...] | None = None
    fourier: tuple[tuple[int, float, float], ...] | None = None
    source: str | None = None
    corners: tuple[float, ...] = ()
    half_width: float | None = None


@dataclass(frozen=True)
class Damping:
    """Damping of an element, one of: ``value`` [N s/m or N m s/rad], ``ratio`` (of the element's own two-body
    mode), ``stiffness_proportional`` [s]. All None: undamped."""

    value: float | None = None
    ratio: float | None = None
    stiffness_proportional: float | None = None


@dataclass(frozen=True)
class Excitation:
    """Transmission error as displacement along the line of action: amplitude [m] sin(2 pi order * base + phase),
    where ``base`` is the mesh phase (``mesh``), or the rotation of wheel 1 or 2 seen from the carrier (turns)."""

    base: Literal["mesh", "first", "second"]
    order: float
    amplitude: float
    phase: float = 0.0


@dataclass(frozen=True)
class Mesh:
    """A gear mesh between wheel 1 and wheel 2. In an internal pair wheel 1 is the planet, wheel 2 the ring.

    Attributes
    ----------
    base_radius : (r1, r2) [m], both positive
    teeth : (z1, z2), both positive, or None
    sigma : +1 if the positive-facing flank of wheel 1 is loaded when the train transmits power from input to
        output at positive input torque, else -1
    angle : direction from the centre of wheel 1 to that of wheel 2 (external), from ring to planet (internal)
        [rad], in the frame of the carrier if ``on``; None for wheels without places
    pressure_angle : transverse working pressure angle of this mesh [rad]; None if not known
    phase : mesh phase at time zero in cycles: 0 where a pair enters contact on the loaded flank (where the
        two-pair region begins), rising when the train turns forward; coast_phase likewise for the other flank
    phase_direction : +1 or -1 so that ``phase_direction * z1 / (2 pi) * (theta_1 - theta_on)`` rises when the
        train turns forward; the phase row is this plus ``phase``. ``coast_phase`` goes with the same row. A table
        over the cycle is run through backwards on the coast flank: its value there is that at
        ``contact_ratio - phase``
    phase_source : how the phase was found: ``teeth``, ``given`` or ``assumed``
    same_sense : train given by tooth numbers whose wheels turn alike (bevel label) or internally
    by_teeth : ``base_radius`` are tooth numbers, since no radius is known: speeds and torques follow, no force
    path : path of contact that follows from teeth and tips; ``contact_ratio_given`` the contact ratio of the file beside it
    centre_distance [m], rack_angle : transverse working distance; normal pressure angle of the basic rack [rad]
    misalignment : of the flanks over the face width along the line of action [m]
    wheels : the true teeth of both; ``teeth_different``: single teeth that
        differ, by wheel; ``circumference``: how the loss varies over a turn, by body
    no_gear : why these teeth make no gear; empty for sound ones
    law : law of this mesh where it is another one than that of the model
    coasts : the loads press the other flank; without backlash, where one row serves both flanks, line of action and course of the
        stiffness are then those of that flank
    """

    name: str
    between: tuple[str, str]
    base_radius: tuple[float, float]
    internal: bool = False
    same_sense: bool = False
    on: str | None = None
    teeth: tuple[int, int] | None = None
    sigma: int = 1
    angle: float | None = None
    pressure_angle: float | None = None
    helix_angle: float = 0.0
    hand: int = 0
    face_width: float | None = None
    module: float | None = None
    contact_ratio: float | None = None
    overlap_ratio: float = 0.0
    phase: float = 0.0
    coast_phase: float = 0.0
    phase_source: str = "assumed"
    phase_direction: int = 1
    stiffness: Stiffness = field(default_factory=Stiffness)
    damping: Damping = field(default_factory=Damping)
    backlash: float | None = None
    law: str | None = None
    coasts: bool = False
    excitation: tuple[Excitation, ...] = ()
    loss: MeshLoss | None = None
    by_teeth: bool = False
    path: Path | None = None
    contact_ratio_given: float | None = None
    centre_distance: float | None = None
    rack_angle: float | None = None
    misalignment: float = 0.0
    wheels: tuple[Cut, Cut] | None = None
    teeth_different: tuple[ToothErrors | None, ToothErrors | None] | None = None
    circumference: Mapping[str, WheelProfile] | None = None
    no_gear: str = ""
    stage: str | None = None

    @property
    def skew(self) -> float:
        """Misalignment with the lead slopes of both wheels [m]: over the face width, the end at larger x pressed less."""
        return self.misalignment + sum(wheel.gear.lead_slope for wheel in self.wheels or ())


@dataclass(frozen=True)
class Bearing:
    """A support between a body and another (the housing, or a carrier under a planet).

    ``stiffness`` is the full (y, z) block [N/m] as ((kyy, kyz), (kzy, kzz)), or None where nothing is given;
    ``torsional`` [N m/rad] about x; ``axial`` [N/m]; ``tilt`` (k about y, k about z) [N m/rad];
    ``matrix`` is the full 6 x 6 block in the order x, y, z, rotation, tilt_y, tilt_z instead of all these;
    ``clearance`` radial [m]; ``pin_error`` (radial, tangential) displacement of a planet's pin [m]. ``rolling`` is
    the bearing itself (type, geometry or catalogue, ratings, law, defects), ``element_mean`` its stiffness at the operating point
    by motion [N/m, N m/rad], what law ``nonlinear`` swings about, ``data`` what its maker says of it.
    ``x`` [m] is its place along the shaft, relative to the body (of a shaft: from its first end), ``support_x`` that on the support
    where it is another one; ``support`` the node of a reduced body that it stands on.
    """

    name: str
    between: tuple[str, str]
    stiffness: tuple[tuple[float, float], tuple[float, float]] | None = None
    torsional: float | None = None
    axial: float | None = None
    tilt: tuple[float, float] | None = None
    matrix: tuple[tuple[float, ...], ...] | None = None
    damping: Damping = field(default_factory=Damping)
    torsional_damping: Damping = field(default_factory=Damping)
    clearance: float | None = None
    pin_error: tuple[float, float] = (0.0, 0.0)
    friction: BearingFriction | None = None
    x: float = 0.0
    support_x: float | None = None
    support: str | None = None
    data: CatalogueData | None = None
    stage: str | None = None
    rolling: Rolling | None = None
    element_mean: tuple[float, ...] | None = None

    @property
    def by_elements(self) -> bool:
        """Whether its stiffness comes from its rolling elements: no stiffness is given."""
        return self.rolling is not None and self.stiffness is None and self.matrix is None


@dataclass(frozen=True)
class Segment:
    """A piece of a shaft of one cross-section: length, outer and inner diameter [m]."""

    length: float
    diameter: float
    bore: float = 0.0


@dataclass(frozen=True)
class Shaft:
    """A shaft between two bodies, torsion [N m/rad] and, where given, lateral stiffness [N/m].

    ``rigid`` shafts are gone after expansion (their ends are one body). A shaft with ``elements`` > 1 was
    replaced by bodies and shafts with consistent inertia: ``consistent`` holds the polar inertia [kg m^2] of
    this element, spread as J/6 [[2, 1], [1, 2]] over its ends.

    The rest counts where bodies have six motions: ``segments`` from the first end on with Young's and shear
    modulus [Pa] and density [kg/m^3] make it a beam; ``bearings`` hold it at their ``x`` from its first end
    (their ``between`` begins with the shaft's own name); ``gauges`` [m] are places whose section loads are
    recorded; ``spline`` (``first`` or ``second``) is an end that passes torque and radial force, but neither
    bending nor axial force; ``offset`` (y, z) [m] and ``angle`` (about y, about z) [rad] are the
    misalignment of the axis at the second end.

    ``hung``: mass [kg] that rests on each of its ends, of a shaft with dimensions that does not bend.

    A pin of a carrier is a shaft ``on`` it: described in its frame, ``eccentric`` the points (x, y, z) [m] of its end
    bodies, from their centres, that it is fixed to.
    """

    name: str
    between: tuple[str, str]
    torsional: float
    lateral: float | None = None
    damping: Damping = field(default_factory=Damping)
    bending_damping: Damping | None = None
    consistent: float = 0.0
    parent: str | None = None
    segments: tuple[Segment, ...] = ()
    young: float = 0.0
    shear: float = 0.0
    density: float = 0.0
    bearings: tuple[Bearing, ...] = ()
    gauges: tuple[float, ...] = ()
    spline: str | None = None
    offset: tuple[float, float] = (0.0, 0.0)
    angle: tuple[float, float] = (0.0, 0.0)
    eccentric: tuple[tuple[float, float, float], tuple[float, float, float]] | None = None
    on: str | None = None
    hung: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Rim:
    """Nodes that carry the teeth of a ring, evenly spaced around it: ``nodes`` in the sense of the angle, ``places``
    (x, y, z) [m] from the ring's centre, ``first`` [rad] the angle of the first one from +y towards +z."""

    ring: str
    nodes: tuple[str, ...]
    places: tuple[tuple[float, float, float], ...]
    first: float


@dataclass(frozen=True)
class Reduced:
    """A body of another program reduced to nodes: matrices (6 nodes + internal, square) in SI.

    Motions x, y, z, rotation, tilt_y, tilt_z of every node in the order of ``nodes``, then internal coordinates.
    ``mounts`` are bearings between ``<name>.<node>`` and the housing, or the carrier ``on`` which it rides: then it
    is described in the carrier's frame, and ``places`` are those of its nodes (x, y, z) [m]. ``rim``: the teeth of a ring
    sit on these nodes of it.
    """

    name: str
    nodes: tuple[str, ...]
    mass: Any
    stiffness: Any
    damping: Any = None
    mounts: tuple[Bearing, ...] = ()
    on: str | None = None
    places: tuple[tuple[float, float, float], ...] = ()
    rim: Rim | None = None


@dataclass(frozen=True)
class Coupling:
    """Any other element by type: ``spring``, ``damper``, ``brake``, ``clutch``, ``one_way``, ``drag``, joints.

    ``parameters`` are the file's facts in SI.
    """

    name: str
    type: str
    between: tuple[str, str]
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Machine:
    """A machine on one body: ``type`` (``constant``, ``slip``, ``table``, ``series``, ``induction``, ``dfig``, ...)
    and its parameters in SI. Its inertia is already in the body.

    ``efficiency`` 0 to 1; ``pedal`` of an engine, 0 to 1; ``magnetic_pull`` [N/m]: growth of the radial pull on the rotor;
    ``drives``: the bodies of a machine that has several, in their order.
    """

    name: str
    type: str
    body: str
    parameters: MachineParameters | None = None
    efficiency: float | None = None
    pedal: float | None = None
    magnetic_pull: float | None = None
    drives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stage:
    """What is known of a stage beside its parts.

    ``members`` are bodies by role (``wheel``, ``pinion``; ``carrier``, ``sun``, ``ring``; ``shaft``), ``planets`` those of a
    planetary stage at their ``angles`` [rad] on ``pin_radius`` [m]. ``teeth`` and ``base_radii`` [m] in the order wheel, pinion or
    sun, planet, ring. ``pins``, of ``pin_material``, and ``wall`` of a carrier that bends.
    """

    type: Literal["planetary", "parallel", "direct"]
    members: dict[str, str]
    planets: tuple[str, ...] = ()
    angles: tuple[float, ...] = ()
    teeth: tuple[int | None, ...] = ()
    base_radii: tuple[float, ...] = ()
    module: float | None = None
    pin_radius: float | None = None
    centre_distance: float | None = None
    internal: bool = False
    inertia_includes_planets: bool = False
    pins: Pins | None = None
    pin_material: Material | None = None
    wall: CarrierWall | None = None


@dataclass(frozen=True)
class Note:
    """Something to tell the reader of the file: ``level`` is ``derived``, ``assumed`` or ``warning``."""

    level: Literal["derived", "assumed", "warning"]
    where: str
    message: str


@dataclass(frozen=True)
class Train:
    """A drivetrain spelled out."""

    name: str
    bodies: dict[str, Body]
    meshes: dict[str, Mesh]
    bearings: dict[str, Bearing]
    shafts: dict[str, Shaft]
    couplings: dict[str, Coupling]
    machines: dict[str, Machine]
    #: operating point: input, output (body names), fixed (list), speed [rad/s], torque [N m], speeds of all bodies
    input: str | None = None
    output: str | None = None
    speed: float | None = None
    torque: float | None = None
    #: bodies that stand still at the operating point and in the ratios (fixed ones, and what operating.fixed or a
    #: ring's torsional support holds); they may still have a coordinate
    held: tuple[str, ...] = ()
    #: bodies named by operating.fixed: law rigid holds them in runs too
    holds: tuple[str, ...] = ()
    #: rigid-train speed of every body per unit input speed, and in rad/s at the operating speed
    ratios: dict[str, float] = field(default_factory=dict)
    #: the file's choice of model, its damping of the whole model, and gravity (x, y, z) [m/s^2]
    model: Model = field(default_factory=Model.silent)
    damping: ModelDamping | None = None
    gravity: tuple[float, float, float] | None = None
    notes: tuple[Note, ...] = ()
    stages: dict[str, Stage] = field(default_factory=dict)
    alias: dict[str, str] = field(default_factory=dict)
    reduced: dict[str, Reduced] = field(default_factory=dict)

    def members(self, role: Role, stage: str | None = None) -> list[Body]:
        """Bodies of a role, in order, of one stage or of all."""
        return [b for b in self.bodies.values() if b.role == role and (stage is None or b.stage == stage)]
