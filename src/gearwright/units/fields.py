"""Quantities as fields of pydantic models: dimension, range, words, and how the JSON Schema shows them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from threading import local
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, core_schema

from .read import to_si, unit
from .table import DIMENSIONS, UnitError

#: pattern of a quantity in the JSON Schema (a regular expression of ECMA 262)
JSON_QUANTITY = r"^\s*[+\-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+\-]?[0-9]+)?(\s.*|[^0-9\s.,].*)?$"
#: no number of a file is smaller than this and not zero
TINY = 1e-150
#: plain numbers of a file from which on a unit was probably forgotten: of a length [m] and a rotational speed [rad/s]
ODD = {"length": 10.0, "rotational speed": 1000.0}


class _Odd(local):
    """Plain numbers read by a thread that are odd as SI, and what was probably meant."""

    def __init__(self) -> None:
        self.found: list[tuple[float, str]] = []


_odd = _Odd()


def odd_numbers() -> list[tuple[float, str]]:
    """Plain numbers that were read since the last call and are odd as SI, with what was probably meant."""
    found, _odd.found = _odd.found, []
    return found


@dataclass(frozen=True)
class Quantity:
    """Annotation of a pydantic field: its dimension, the range of its value, and words that are accepted instead.

    ``sign``: ``positive``, ``not negative`` or nothing. ``least`` and ``most`` [SI] bound it further (by default what the
    dimension allows, more than any drivetrain has), both included; ``why`` says in a few words what lies beyond. A number
    outside is refused, with what was probably meant. The JSON Schema shows the same range.
    """

    dimension: str
    sign: str = ""
    words: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    why: str = ""

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest value [SI]; of a positive quantity the smallest is above zero."""
        d = DIMENSIONS[self.dimension]
        lowest = {"positive": d.least, "not negative": 0.0}.get(self.sign, -d.most)
        return lowest if self.least is None else self.least, d.most if self.most is None else self.most

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        d = DIMENSIONS[self.dimension]
        low, high = self.range
        words = [{"enum": list(self.words)}] if self.words else []
        return {
            "anyOf": [
                {"type": "number", "minimum": low, "maximum": high},
                {"type": "string", "pattern": JSON_QUANTITY, "examples": [d.example]},
                *words,
            ],
            "description": self.sentence(),
        }

    def sentence(self) -> str:
        """What may be written: dimension, unit, range, example."""
        d = DIMENSIONS[self.dimension]
        start = f"{d.name}; a number" + (f" in {d.unit}" if d.unit else "") + f", or a string such as '{d.example}'"
        words = f"; or {', '.join(self.words)}" if self.words else ""
        return f"{start}{words}; {self.bounds()}{f' ({self.why})' if self.why else ''}"

    def bounds(self) -> str:
        """The range in words: ``0 to 45 deg``; signs alone where only the dimension bounds it."""
        if self.least is None and self.most is None:
            return self.sign or "any sign"
        low, high = self.range
        if self.dimension == "angle":
            return f"{math.degrees(low):.4g} to {math.degrees(high):.4g} deg"
        unit = DIMENSIONS[self.dimension].unit
        end = f" {unit}" if unit else ""
        if self.most is None:
            return f"{low:g}{end} or more"
        if self.least is None:
            return (f"above 0 up to {high:g}" if self.sign == "positive" else f"{low:g} to {high:g}") + end
        return f"{low:g} to {high:g}{end}"

    def read(self, value: Any) -> float | str:
        """The value in SI. Raises the error of a field for what cannot be read and what lies outside of the range."""
        d = DIMENSIONS[self.dimension]
        if isinstance(value, str) and value in self.words:
            return value
        try:
            number = to_si(value, d)
        except UnitError as error:
            words = f", or {', '.join(self.words)}" if self.words else ""
            raise problem(str(error), error.allowed + words, error.meant) from None
        if (self.sign == "positive" and number <= 0.0) or (self.sign == "not negative" and number < 0.0):
            state = "negative" if number < 0.0 else "zero"
            rule = "must be positive" if self.sign == "positive" else "must not be negative"
            raise problem(f"{d.one} {rule}, this one is {state}", f"{d.one} such as '{d.example}'")
        low, high = self.range
        if not low <= number <= high or 0.0 < abs(number) < TINY:
            self._beyond(value, number)
        if not isinstance(value, str) and abs(number) >= ODD.get(self.dimension, math.inf):
            _odd.found.append((number, self._meant(value)))
        return number

    def _beyond(self, value: Any, number: float) -> None:
        """Refuse a number outside of the range."""
        d = DIMENSIONS[self.dimension]
        low, _ = self.range
        shown = f"{number:g} {d.unit}".strip()
        if (self.least is None and self.most is None) or abs(number) < TINY:
            size = "small" if abs(number) < max(low, TINY) else "large"
            message = f"{shown} is too {size} for {d.one}"
        else:
            message = f"{shown} is outside of the range {self.bounds()}" + (f" ({self.why})" if self.why else "")
        allowed = f"{d.one}, {self.bounds()}" + (
            "" if self.least is not None or self.most is not None else f", such as '{d.example}'"
        )
        raise problem(message, allowed, self._meant(value))

    def _meant(self, value: Any) -> str:
        """A plain number with the unit that puts it into the range."""
        plain = value if isinstance(value, (int, float)) else value.strip()
        try:
            float(plain)
        except ValueError:
            return ""
        low, high = self.range
        for name in DIMENSIONS[self.dimension].usual:
            if name == "%" and (abs(float(plain)) < 2.0 or high > 1.0):
                continue  # a share of 1.2 is no 1.2 %, and no profile shift is given in %
            if low <= float(plain) * unit(name)[0] <= high:
                return f"{plain:g} {name}" if not isinstance(plain, str) else f"{plain} {name}"
        return ""


class Either:
    """Annotation of a field that takes one of several dimensions, told apart by the unit; a plain number is of the first."""

    def __init__(self, *dimensions: str):
        self._ways = [Quantity(name) for name in dimensions]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self._read)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        made = self._ways[0].__get_pydantic_json_schema__(schema, handler)
        return {**made, "description": "; or ".join(way.sentence() for way in self._ways)}

    def _read(self, value: Any) -> float | str:
        for way in self._ways if isinstance(value, str) else ():
            try:
                return way.read(value)
            except PydanticCustomError:
                continue
        return self._ways[0].read(value)


def problem(message: str, allowed: str = "", meant: str = "") -> PydanticCustomError:
    """An error that the reader turns into a :class:`~gearwright.errors.Problem`."""
    return PydanticCustomError("gearwright", "{message}", {"message": message, "allowed": allowed, "meant": meant})


Number = Annotated[float, Quantity("number")]
Share = Annotated[float, Quantity("number", "not negative")]
PositiveNumber = Annotated[float, Quantity("number", "positive")]
#: a share of a whole
Fraction = Annotated[float, Quantity("number", "not negative", most=1.0)]
PositiveFraction = Annotated[float, Quantity("number", "positive", most=1.0)]
DampingRatio = Annotated[float, Quantity("number", "not negative", most=1.0, why="1 is critical: nothing swings")]
ProfileShift = Annotated[
    float, Quantity("number", least=-2.0, most=2.0, why="in modules; beyond, the cutter leaves no involute")
]
ContactRatio = Annotated[
    float, Quantity("number", least=1.0, most=6.0, why="transverse; below 1 the pair loses contact between teeth")
]
OverlapRatio = Annotated[float, Quantity("number", "not negative", most=30.0)]
Factor = Annotated[float, Quantity("number", "positive", most=1e3)]
Length = Annotated[float, Quantity("length")]
PositiveLength = Annotated[float, Quantity("length", "positive")]
Amount = Annotated[float, Quantity("length", "not negative")]
Mass = Annotated[float, Quantity("mass", "positive")]
Time = Annotated[float, Quantity("time")]
Duration = Annotated[float, Quantity("time", "positive")]
Delay = Annotated[float, Quantity("time", "not negative")]
Angle = Annotated[float, Quantity("angle")]
PressureAngle = Annotated[
    float, Quantity("angle", least=0.0, most=math.pi / 4.0, why="of a rack; beyond, there are no teeth")
]
HelixAngle = Annotated[float, Quantity("angle", least=-math.pi / 3.0, most=math.pi / 3.0, why="beyond, it is a screw")]
Tilt = Annotated[float, Quantity("angle", least=-math.pi / 2.0, most=math.pi / 2.0)]
RotationalSpeed = Annotated[float, Quantity("rotational speed")]
PitchRate = Annotated[float, Quantity("rotational speed", "positive", most=math.pi / 2.0, why="blades pitch slower")]
AngularAcceleration = Annotated[float, Quantity("angular acceleration")]
Speed = Annotated[float, Quantity("speed")]
WindSpeed = Annotated[float, Quantity("speed", "not negative", most=150.0)]
Frequency = Annotated[float, Quantity("frequency", "not negative")]
PositiveFrequency = Annotated[float, Quantity("frequency", "positive")]
Rate = Annotated[float, Quantity("rate", "not negative")]
Acceleration = Annotated[float, Quantity("acceleration")]
Torque = Annotated[float, Quantity("torque")]
Capacity = Annotated[float, Quantity("torque", "not negative")]
Force = Annotated[float, Quantity("force")]
Power = Annotated[float, Quantity("power")]
PositivePower = Annotated[float, Quantity("power", "positive")]
Inertia = Annotated[float, Quantity("moment of inertia", "not negative")]
Stiff = Annotated[float, Quantity("stiffness", "positive")]
AnyStiff = Annotated[float, Quantity("stiffness")]
Support = Annotated[float, Quantity("stiffness", "not negative")]
TorsionalStiff = Annotated[float, Quantity("torsional stiffness", "positive")]
TorsionalSupport = Annotated[float, Quantity("torsional stiffness", "not negative")]
Damp = Annotated[float, Quantity("damping", "not negative")]
TorsionalDamp = Annotated[float, Quantity("torsional damping", "not negative")]
Slope = Annotated[float, Quantity("torsional damping")]
Pressure = Annotated[float, Quantity("pressure", "positive")]
Density = Annotated[float, Quantity("density", "positive")]
