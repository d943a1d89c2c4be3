"""Schema of what stands around a drivetrain: turbine, controller, wind, and events of the grid and the turbine."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from gearwright.errors import listed, nearest
from gearwright.units import (
    Angle,
    Delay,
    Duration,
    Frequency,
    PitchRate,
    PositiveFrequency,
    PositiveLength,
    PositivePower,
    Quantity,
    TorsionalDamp,
    WindSpeed,
    problem,
)

from .base import Joined, Section

#: types of wind and the keys that each knows besides the common ones
WIND_COMMON = {"type", "mean", "shear", "roughness"}
WIND_KEYS: dict[str, set[str]] = {
    "steady": {"direction"},
    "steps": {"speeds", "each", "rise"},
    "series": {"path", "time_column", "speed_column", "time", "speed"},
    "ntm": {"class", "seed", "deviation", "spectrum", "scaled", "key", "rings", "azimuths"},
    "etm": {"class", "seed", "deviation", "spectrum", "scaled", "key", "rings", "azimuths"},
    "eog": {"class", "start"},
    "ecd": {"class", "start"},
    "edc": {"class", "start", "sign"},
    "ews": {"class", "start", "sign", "plane"},
    "bts": {"path"},
    "mann": {"paths", "spacing", "deviation", "points"},
}

Count = Annotated[int, Field(strict=True, ge=2, le=1000)]
Points = Annotated[int, Field(strict=True, ge=2, le=100_000)]
Column = Annotated[int, Field(strict=True, ge=0, le=100_000)]
Text = Annotated[str, Field(min_length=1, max_length=500)]


class Wind(Joined):
    """The wind of a case: its ``type`` says which of the other keys it takes.

    ``steady``: mean and direction; ``steps`` through speeds; ``series``: a file, or times and speeds; ``ntm`` and ``etm``:
    normal and extreme turbulence of a class; gusts of IEC 61400-1: ``eog``, ``ecd``, ``edc``, ``ews``; ``bts``: a TurbSim
    file; ``mann``: three boxes of a Mann field. A case with a ``base`` says only what differs.
    """

    type: Literal["steady", "steps", "series", "ntm", "etm", "eog", "ecd", "edc", "ews", "bts", "mann"] = "steady"
    mean: WindSpeed | None = None
    shear: Annotated[float, Quantity("number", least=-1.0, most=1.0, why="exponent of the power law")] | None = None
    roughness: Annotated[float, Quantity("length", least=1e-6, most=10.0)] | None = None
    direction: Annotated[float, Quantity("angle", least=-3.1415926535897936, most=3.1415926535897936)] | None = None
    speeds: Annotated[list[WindSpeed], Field(min_length=1)] | None = None
    each: Duration | None = None
    rise: Duration | None = None
    path: Text | None = None
    time_column: Column | None = None
    speed_column: Column | None = None
    time: list[Delay] | None = None
    speed: list[WindSpeed] | None = None
    class_: Annotated[str, Field(pattern=r"^(I|II|III)(A\+|A|B|C)$")] | None = Field(None, alias="class")
    seed: Annotated[int, Field(strict=True, ge=0, le=2**63)] | None = None
    deviation: WindSpeed | None = None
    spectrum: Literal["kaimal", "karman"] | None = None
    scaled: Annotated[bool, Field(strict=True)] | None = None
    key: Annotated[str, Field(max_length=200)] | None = None
    rings: Count | None = None
    azimuths: Count | None = None
    start: Delay | None = None
    sign: Literal[-1, 1] | None = None
    plane: Literal["vertical", "horizontal"] | None = None
    paths: Annotated[list[Text], Field(min_length=3, max_length=3)] | None = None
    spacing: Annotated[list[PositiveLength], Field(min_length=3, max_length=3)] | None = None
    points: Annotated[list[Points], Field(min_length=3, max_length=3)] | None = None

    @property
    def said(self) -> list[str]:
        """The keys that the file says, in its words."""
        return ["class" if key == "class_" else key for key in type(self).model_fields if key in self.model_fields_set]

    def over(self, base: Self) -> Self:
        """As of any section, without what another type does not know."""
        if "type" not in self.model_fields_set or "type" not in base.model_fields_set or base.type == self.type:
            return super().over(base)
        known = WIND_COMMON | WIND_KEYS[self.type]
        kept = {key: getattr(base, key) for key in base.model_fields_set if key.rstrip("_") in known}
        return super().over(type(self).model_construct(**kept))


def wind_problems(wind: Wind) -> list[tuple[str, str, str, str]]:
    """What does not fit in the wind of a case that says its type: key, message, allowed, meant.

    What is missing is said by the run: a case may be the base of others, or get it from the grid of a campaign.
    """
    kind = wind.type
    known = sorted(WIND_COMMON | WIND_KEYS[kind]) if "type" in wind.model_fields_set else wind.said
    return [
        (key, f"wind of type {kind} knows no '{key}'", listed(known, 20), nearest(key, known))
        for key in wind.said
        if key not in known
    ]


class Rotor(Section):
    """How the rotor of a turbine is computed: blades that bend edgewise, the tower, dynamic stall, the tower's shadow, skewed
    wake; ``table``: true (a table made of the blade elements) or a performance file of ROSCO; ``air_density`` of the site."""

    flexible_blades: Annotated[bool, Field(strict=True)] | None = None
    tower: Annotated[bool, Field(strict=True)] | None = None
    dynamic_stall: Annotated[bool, Field(strict=True)] = False
    tower_shadow: Annotated[bool, Field(strict=True)] = True
    skewed_wake: Annotated[bool, Field(strict=True)] = True
    aero_step: Annotated[float, Quantity("time", "positive", most=0.1)] = 0.02
    inertia: Annotated[float, Quantity("moment of inertia", "positive")] | None = None
    table: Annotated[bool, Field(strict=True)] | Text | None = None
    air_density: Annotated[float, Quantity("density", least=0.5, most=2.0)] | None = None


CONTROLLER_KEYS: dict[str, set[str]] = {
    "reference": {"rated_power", "damper_gain", "damper_frequency", "constant_torque", "second_order_pitch"},
    "fixed-speed": {"rated_power", "largest_pitch"},
    "library": {"library", "input", "procedure", "interval", "ratio"},
    "fmu": {"file", "interval", "inputs", "pitch", "torque", "ratio"},
}


class TurbineController(Section):
    """The controller of a turbine: ``reference`` (the built-in one), ``fixed-speed`` (an induction machine holds the speed),
    ``library`` (a DISCON library) or ``fmu``; the type says which of the other keys it takes."""

    type: Literal["reference", "fixed-speed", "library", "fmu"] | None = None
    rated_power: PositivePower | None = None
    damper_gain: TorsionalDamp | None = None
    damper_frequency: PositiveFrequency | None = None
    constant_torque: Annotated[bool, Field(strict=True)] | None = None
    second_order_pitch: (
        tuple[
            Annotated[float, Quantity("rotational speed", "positive")],
            Annotated[float, Quantity("number", "positive", most=10.0)],
        ]
        | None
    ) = None
    largest_pitch: Angle | None = None
    library: Text | None = None
    input: Text | None = None
    procedure: Text | None = None
    interval: Duration | None = None
    ratio: Annotated[float, Quantity("number", "positive", most=1e4)] | None = None
    file: Text | None = None
    inputs: dict[str, Text] | None = None
    pitch: Text | None = None
    torque: Text | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        known = CONTROLLER_KEYS.get(
            self.type or "", set().union(CONTROLLER_KEYS["reference"], CONTROLLER_KEYS["fixed-speed"])
        )
        for key in self.model_fields_set - {"type"}:
            if key not in known:
                raise problem(
                    f"a controller of type {self.type or 'reference'} knows no '{key}'", listed(sorted(known))
                )
        return self


class TurbineFacts(Section):
    """A turbine on the drivetrain: ``data`` (the name of a shipped turbine, or a data file) or a ``deck`` of OpenFAST; the body
    that it is ``attach``-ed to; ``rotor`` and ``controller``."""

    data: Text | None = None
    deck: Text | None = None
    attach: Text | None = None
    rotor: Rotor | None = None
    controller: TurbineController | None = None


class GridFacts(Section):
    """The grid at the operating point: ``voltage`` [p.u.] and ``frequency``."""

    voltage: Annotated[float, Quantity("number", "not negative", most=1.5)] | None = None
    frequency: PositiveFrequency | None = None


Level = Annotated[float, Quantity("number", "not negative", most=1.5, why="in p.u.")]
#: events that are named, and the keys they know
EVENT_KEYS: dict[str, set[str]] = {
    "grid_fault": {"code", "profile", "recovery_level", "drawn_between", "phases"},
    "grid_voltage": {"level", "table"},
    "frequency_step": {"frequency", "over"},
    "grid_loss": {"pitch_delay", "pitch_rate"},
    "pitch_to_feather": {"rate"},
    "brake": {"delay", "slope", "rise", "torque"},
    "start": {"rate"},
    "stop": {"rate"},
}


TURBINE_EVENTS = ("grid_loss", "pitch_to_feather", "brake", "start", "stop")


def lowered(value: Any) -> Any:
    """A word in small letters."""
    return value.lower() if isinstance(value, str) else value


class NamedEvent(Section):
    """What named events take, see the type of each."""

    code: Annotated[Literal["quebec", "ireland", "usa", "denmark"], BeforeValidator(lowered)] | None = None
    profile: Annotated[list[tuple[Delay, Level]], Field(min_length=1)] | None = None
    recovery_level: Level | None = None
    drawn_between: tuple[Duration, Duration] | None = None
    phases: Literal[1, 2, 3] | None = None
    level: Level | None = None
    table: Annotated[list[tuple[Delay, Level]], Field(min_length=1)] | None = None
    frequency: Frequency | None = None
    over: Delay | None = None
    pitch_delay: Delay | None = None
    pitch_rate: PitchRate | None = None
    rate: PitchRate | None = None
    delay: Delay | None = None
    slope: Annotated[float, Quantity("steepness", "not negative")] | None = None
    rise: Delay | None = None
    torque: Annotated[float, Quantity("torque", "positive")] | None = None
