"""Schema of what is done with a drivetrain: model, operating point, cases, campaigns."""

from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, Tag, TypeAdapter, ValidationInfo, field_validator, model_validator

from gearwright.errors import listed, nearest
from gearwright.units import (
    Acceleration,
    Capacity,
    DampingRatio,
    Delay,
    Duration,
    Either,
    Force,
    Fraction,
    Frequency,
    Inertia,
    PositiveNumber,
    Power,
    Quantity,
    Rate,
    RotationalSpeed,
    Slope,
    Speed,
    Tilt,
    Torque,
    TorsionalSupport,
    WindSpeed,
    problem,
)

from .base import ByShape, Joined, OneOrMore, Said, Section, Short
from .parts import Names, law_of_model
from .setup import EVENT_KEYS, NamedEvent, Wind
from .values import OverTime

Fidelity = Literal["rigid", "torsional", "planar", "spatial", "multibody"]


class ModelDamping(Section):
    """Damping of the whole model instead of that of its elements: ``modal`` ratio (one, or one per elastic mode
    from the lowest), or ``stiffness_proportional`` [s] and ``mass_proportional`` [1/s]."""

    modal: Annotated[list[DampingRatio], OneOrMore] | None = None
    stiffness_proportional: Delay | None = None
    mass_proportional: Rate | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        classical = self.stiffness_proportional is not None or self.mass_proportional is not None
        if (self.modal is not None) == classical:
            raise problem("damping of the model is either modal, or proportional to stiffness and mass")
        return self


class Model(Section):
    """How finely the facts are computed: the file's default, which the command line may change.

    ``helical``: the stiffness course of a helical mesh is the spur course averaged over its overlap, or, on
    request, the ``spur`` course itself. ``mesh_form``: law periodic has the force of its teeth as a ``table`` over phase and
    deflection; or linear about the load at the operating point, by the ``secant`` stiffness over the phase, or by the mean
    stiffness and the loaded static transmission error (``ste``). ``tip_contact``: with law tooth_contact a loaded pair enters and leaves by its tip
    ``corner``; ``cut`` takes pairs on the path of contact alone, as S2 does, which makes energy. ``face_slices``: rows of
    a mesh across its face at fidelity spatial (default: two at the Gauss points, which is exact for a rigid tilt; more
    are of equal width), or slices of the face in contact (default: nine and more). ``frames``: with
    ``frozen`` the planets stay at their places at time zero while everything turns, which makes fidelity spatial
    time-invariant. ``highest_frequency`` wanted of loads: runs keep modes to 2.5 times it and attachment vectors.
    ``method`` and ``tolerance`` go to the engine. ``loss``: mesh losses at rest ``stick``, are ``smooth``, or follow S3's
    ``switch`` with half-width ``hysteresis`` in power (default: a millionth of the operating power). ``redundant`` rows of
    law rigid (planets) and of fidelity multibody ``share`` their load (default of law rigid) or are taken out (``drop``,
    default of multibody). Of fidelity ``multibody``: ``step`` of time, ``stabilisation`` (zeta, beta [1/s]) of Baumgarte in
    place of projection.
    """

    fidelity: Fidelity | None = None
    law: Annotated[str, BeforeValidator(law_of_model)] | None = None
    loss: Literal["stick", "switch", "smooth", "none"] = "stick"
    hysteresis: Annotated[Power, Field(gt=0.0)] | None = None
    gyroscopic: bool = False
    gravity: bool = False
    helical: Literal["averaged", "spur"] = "averaged"
    mesh_form: Literal["table", "secant", "ste"] = "table"
    tip_contact: Literal["corner", "cut"] = "corner"
    damping: ModelDamping | None = None
    method: str | None = None
    tolerance: Annotated[float, Quantity("number", least=1e-14, most=0.1)] | None = None
    face_slices: Annotated[int, Field(strict=True, ge=1, le=41)] | None = None
    frames: Literal["turning", "frozen"] = "turning"
    highest_frequency: Annotated[Frequency, Field(gt=0.0)] | None = None
    step: Duration | None = None
    redundant: Literal["drop", "share"] | None = None
    stabilisation: tuple[Rate, Rate] | None = None

    @model_validator(mode="after")
    def _switch(self) -> Self:
        if self.hysteresis is not None and self.loss != "switch":
            raise ValueError(f"hysteresis is for loss: switch; loss is {self.loss}")
        return self


class Gravity(Short):
    """Gravity: a vector (x, y, z) in the frame of the train, or magnitude and shaft tilt (rotor end up)."""

    short: ClassVar[str] = "vector"
    vector: tuple[Acceleration, Acceleration, Acceleration] | None = None
    acceleration: Annotated[float, Quantity("acceleration", "not negative", most=1000.0)] = 9.81
    tilt: Tilt = 0.0


class Operating(Section):
    """The operating point: which bodies are input, output and fixed; speed and torque of the input.

    Names may be short where that is unique (``sun`` for ``stage1.sun``). Trains with several independent motions
    have more: ``speeds`` and ``torques`` by body, and ``reactions``, bodies whose torque is sought besides those
    held (default: the output).
    """

    input: str | None = None
    output: str | None = None
    fixed: Names = []
    speed: RotationalSpeed | None = None
    torque: Torque | None = None
    speeds: dict[str, RotationalSpeed] = {}
    torques: dict[str, Torque] = {}
    reactions: Names = []
    wind: WindSpeed | None = None


class Control(Section):
    """A controller (PID) that holds a body's ``speed``: gains ``proportional`` [N m s/rad], ``integral`` [N m/rad] and
    ``derivative`` [N m s²/rad] over a filter of ``filter_time``, torque within ``limit``."""

    speed: OverTime[RotationalSpeed]
    proportional: Slope
    integral: TorsionalSupport = 0.0
    derivative: Inertia = 0.0
    filter_time: Duration = 0.01
    limit: Torque | None = None

    @model_validator(mode="after")
    def _brakes(self) -> Self:
        if self.proportional <= 0.0:
            raise problem("the proportional gain of a speed control must be positive: it would drive the speed away")
        return self


class Load(Section):
    """A torque on a body: ``torque(t) + slope (speed - operating speed)``; a negative slope damps. ``control`` adds the
    torque of a speed controller.

    At fidelities spatial and multibody also a ``force`` (x, y, z) and a ``moment`` (about y, about z) in the standing
    frame: the non-torque loads of a rotor. At multibody the torque has a ``direction`` (default x), ``axes`` may be those
    of the ``body``, the force acts at a named ``point`` of it, and the slope counts from the speed ``reference``.
    """

    on: str
    torque: OverTime[Torque] | None = None
    slope: Slope = 0.0
    force: tuple[OverTime[Force], OverTime[Force], OverTime[Force]] | None = None
    moment: tuple[OverTime[Torque], OverTime[Torque]] | None = None
    direction: Literal["x", "y", "z"] | tuple[float, float, float] | None = None
    axes: Literal["global", "body"] = "global"
    point: str | None = None
    reference: RotationalSpeed | None = None
    control: Control | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        given = (self.torque, self.force, self.moment, self.control)
        if self.slope == 0.0 and all(x is None for x in given):
            raise problem("a load has a torque, a slope, a force, a moment or a control")
        return self

    @property
    def of_mechanism(self) -> bool:
        """Whether it says what only fidelity ``multibody`` knows."""
        given = (self.direction, self.point, self.reference)
        return any(x is not None for x in given) or self.axes == "body"


#: what an event can set, by the last word of its path: the dimension of the value
_SETS = {
    "torque": OverTime[Torque],
    "capacity": OverTime[Capacity],
    "torque_reference": OverTime[Torque],
    "pedal": OverTime[Fraction],
    "engaged": OverTime[Any],
}


@cache
def _set_reader(word: str) -> TypeAdapter[Any]:
    return TypeAdapter(_SETS[word])


class Event(NamedEvent):
    """At a time, either a value is changed (``set`` a path ``to`` a value over time, counted from the event), or something
    named happens: its ``type`` says which of the other keys it takes.

    ``grid_fault``: code, profile, recovery_level, drawn_between, phases; ``grid_voltage``: level or table;
    ``frequency_step``: frequency, over; ``grid_loss``: pitch_delay, pitch_rate; ``pitch_to_feather``, ``start`` and
    ``stop``: rate; ``brake``: on, delay, rise, torque, slope.
    """

    at: Delay
    set: str | None = None
    to: OverTime[Any] | None = None
    type: (
        Literal[
            "grid_fault", "grid_voltage", "frequency_step", "grid_loss", "pitch_to_feather", "brake", "start", "stop"
        ]
        | None
    ) = None
    on: str | None = None

    @property
    def keys(self) -> list[str]:
        """What a named event says beside its time, by key."""
        said = self.model_fields_set - {"at", "set", "to", "type", "on"}
        return [key for key in NamedEvent.model_fields if key in said and getattr(self, key) is not None]

    @field_validator("to", mode="before")
    @classmethod
    def _dimension(cls, value: Any, info: ValidationInfo) -> Any:
        """The value in the dimension of what is set."""
        word = str(info.data.get("set") or "").rpartition(".")[2]
        return _set_reader(word).validate_python(value) if word in _SETS and value is not None else value

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.set is None) == (self.type is None):
            raise problem("an event has either set and to, or a type")
        if (self.set is None) != (self.to is None):
            raise problem("set and to belong together")
        if self.on is not None and self.type != "brake":
            raise problem("'on' belongs to an event of type brake")
        known = EVENT_KEYS[self.type] if self.type is not None else {}
        for key in self.keys:
            if key not in known:
                what = f"of type {self.type}" if self.type is not None else "that sets a value"
                raise problem(f"'{key}' does not belong to an event {what}", listed(sorted(known)), nearest(key, known))
        return self


class Compare(Section):
    """A recorded shaft torque to compare the computed one with (correlation and standard deviations)."""

    shaft: str
    channel: str
    path: str | None = None


class Trim(Section):
    """A slow speed trim that balances two given torques; its power is booked. ``on`` a body, with the time
    constant by which the deviation from the operating speed is taken back."""

    on: str
    time_constant: Duration


Recorded = Literal["meshes", "bearings", "shafts", "machines", "bodies", "turbine", "grid"]


class Spectra(Section):
    """Power spectral densities at the counting rate, of what ``record`` names too: Welch's method, Hann windows that overlap by
    half. ``resolution`` is the spacing of the lines."""

    of: Annotated[list[Literal["meshes", "bearings", "shafts", "machines", "bodies", "turbine"]], Field(min_length=1)]
    resolution: Annotated[Frequency, Field(gt=0.0)] = 1.0


Exponent = Annotated[float, Quantity("number", "positive", most=50.0)]


class StartSpeed(Joined):
    """How a body begins: ``speed`` about its axis; in a mechanism ``velocity`` (x, y, z, global) and ``spin`` (body axes),
    ``null`` where it follows from the joints."""

    speed: RotationalSpeed | None = None
    velocity: Annotated[list[Speed | None], Field(min_length=3, max_length=3)] | None = None
    spin: Annotated[list[RotationalSpeed | None], Field(min_length=3, max_length=3)] | None = None


#: a body's speed, a vehicle's speed, or (of a set-up, ``azimuth``) an angle
Start = Annotated[
    Annotated[float, Either("rotational speed", "speed", "angle"), Tag("one")]
    | Annotated[StartSpeed, Said(lambda: StartSpeed), Tag("mapping")],
    ByShape("a speed such as '20 rpm', or {speed: 20 rpm}; of a mechanism {spin: [...], velocity: [...]}"),
]


class Case(Section):
    """A load case.

    ``base`` names a case whose keys are taken over where this one is silent. ``duration`` includes the
    ``discard`` at its beginning, which is by rule where it is not given: until starting transients are gone, 1 s at most. ``set`` changes values of the drivetrain by path for this case alone.
    ``output_interval`` and ``counting_interval`` [s] are those of stored series and of counted cycles.
    ``exponents`` and ``reference_cycles`` belong to damage equivalent loads.
    """

    name: str = Field(min_length=1)
    description: str | None = None
    base: str | None = None
    duration: Duration | None = None
    discard: Delay | None = None
    start: Literal["equilibrium", "operating", "rest", "periodic"] = "equilibrium"
    initial: dict[str, Start] = {}
    loads: list[Load] = []
    speeds: dict[str, OverTime[RotationalSpeed]] = {}
    trim: Trim | None = None
    wind: Annotated[Wind, Said(lambda: Wind)] | None = None
    mean_wind: WindSpeed | None = None
    events: list[Event] = []
    record: list[Recorded] = ["meshes", "bearings", "shafts", "machines"]
    spectra: Spectra | None = None
    output_interval: Duration | None = None
    counting_interval: Duration | None = None
    exponents: Annotated[list[Exponent], Field(max_length=30)] = [3.0, 4.0, 6.0, 9.0]
    reference_cycles: Annotated[float, Quantity("number", least=1e-6, most=1e15)] | None = None
    compare: Compare | None = None
    set: dict[str, Any] = {}


class Campaign(Section):
    """Many cases: a case and a grid of paths and values, each path once with every value of the others.

    A path leads into the case (``wind.mean``) or into the drivetrain (``stages.stage1.sun.inertia``). Values are
    a list, or a mapping that gives each a word for the id of the case (``{t1: 62.5 s, t2: 64 s}``).
    ``partial_factor`` multiplies ultimate loads.
    """

    name: str = Field(min_length=1, pattern=r"^[A-Za-z0-9._-]+$")
    case: str
    grid: dict[str, list[Any] | dict[str, Any]]
    partial_factor: PositiveNumber = 1.0
    use: Literal["fatigue", "ultimate"] = "fatigue"
    description: str | None = None

    @model_validator(mode="after")
    def _filled(self) -> Self:
        for path, values in self.grid.items():
            if not values:
                raise problem(f"the grid has no values for {path}", "one value or more")
        return self
