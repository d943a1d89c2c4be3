"""Quantities at the boundary: a plain number is SI, a string carries its unit; inside everything is SI.

A unit is parsed here, never evaluated: names, powers between -9 and 9, products, quotients, at most four brackets deep.
Common names stand in a small exact table; any other *name* is looked up in pint, which is imported only then (it takes half
a second) and stays the authority: a test compares the table with it. Angle is carried as a dimension of its own, so that an
angle, a percentage and a plain number are told apart.

An inverse time without ``rad`` that is given for a rotational speed counts revolutions (``1/min``, ``min^-1`` and ``r/min`` are
rpm, ``1/s`` and ``Hz`` are revolutions per second), for an angular acceleration likewise: ISO 80000-3 calls it the rotational
frequency.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from threading import local
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from gearwright.records import dataclass

Exponents = tuple[float, ...]

#: Order of the exponents: mass, length, time, current, temperature, angle.
_BASES = ("kg", "m", "s", "A", "K", "rad")

# name -> (factor to SI, exponents, whether SI prefixes are allowed)
_UNITS: dict[str, tuple[float, Exponents, bool]] = {
    "m": (1.0, (0, 1, 0, 0, 0, 0), True),
    "g": (1e-3, (1, 0, 0, 0, 0, 0), True),
    "t": (1e3, (1, 0, 0, 0, 0, 0), False),
    "s": (1.0, (0, 0, 1, 0, 0, 0), True),
    "min": (60.0, (0, 0, 1, 0, 0, 0), False),
    "h": (3600.0, (0, 0, 1, 0, 0, 0), False),
    "A": (1.0, (0, 0, 0, 1, 0, 0), True),
    "K": (1.0, (0, 0, 0, 0, 1, 0), False),
    "rad": (1.0, (0, 0, 0, 0, 0, 1), True),
    "deg": (math.pi / 180.0, (0, 0, 0, 0, 0, 1), False),
    "°": (math.pi / 180.0, (0, 0, 0, 0, 0, 1), False),
    "turn": (2.0 * math.pi, (0, 0, 0, 0, 0, 1), False),
    "rev": (2.0 * math.pi, (0, 0, 0, 0, 0, 1), False),
    "r": (2.0 * math.pi, (0, 0, 0, 0, 0, 1), False),
    "rpm": (2.0 * math.pi / 60.0, (0, 0, -1, 0, 0, 1), False),
    "Hz": (1.0, (0, 0, -1, 0, 0, 0), True),
    "N": (1.0, (1, 1, -2, 0, 0, 0), True),
    "Pa": (1.0, (1, -1, -2, 0, 0, 0), True),
    "bar": (1e5, (1, -1, -2, 0, 0, 0), False),
    "J": (1.0, (1, 2, -2, 0, 0, 0), True),
    "W": (1.0, (1, 2, -3, 0, 0, 0), True),
    "V": (1.0, (1, 2, -3, -1, 0, 0), True),
    "ohm": (1.0, (1, 2, -3, -2, 0, 0), True),
    "H": (1.0, (1, 2, -2, -2, 0, 0), True),
    "Wb": (1.0, (1, 2, -2, -1, 0, 0), True),
    "F": (1.0, (-1, -2, 4, 2, 0, 0), True),
    "%": (1e-2, (0, 0, 0, 0, 0, 0), False),
    "1": (1.0, (0, 0, 0, 0, 0, 0), False),
}
_PREFIXES = {"k": 1e3, "M": 1e6, "G": 1e9, "c": 1e-2, "d": 1e-1, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9}

_NUMBER = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$", re.DOTALL)
#: pattern of a quantity in the JSON Schema (a regular expression of ECMA 262)
JSON_QUANTITY = r"^\s*[+\-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+\-]?[0-9]+)?(\s.*|[^0-9\s.,].*)?$"
_TOKEN = re.compile(r"([A-Za-zµμ°%]+|1(?![0-9]))|(\*\*|\^)?([+-]?\d+)|([*·/()])|(\s+)")
_RAISED = re.compile("[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
#: other signs of the same meaning
_SIGNS = str.maketrans({"⋅": "·", "×": "*", "−": "-", "Ω": "ohm", "\u00a0": " ", "\u202f": " "})
#: bounds of what is read as a quantity or a unit: no drivetrain has more
_LONGEST_QUANTITY, _LONGEST_UNIT, _DEEPEST, _HIGHEST_POWER = 200, 80, 4, 9
#: no number of a file is smaller than this and not zero
TINY = 1e-150
#: plain numbers of a file from which on a unit was probably forgotten: of a length [m] and a rotational speed [rad/s]
ODD = {"length": 10.0, "rotational speed": 1000.0}
#: what is counted in revolutions where no ``rad`` is given
_REVOLVING = ("rotational speed", "angular acceleration")
#: units of time that leave open whether turns or radians are meant, in what is neither
_OPEN = re.compile(r"\b(?:[kMG]?Hz|min|h)\b")


@dataclass(frozen=True)
class Dimension:
    """A dimension of a field: its name, its SI unit, an example for messages, exponents of the base units, the sizes [SI] that
    any value of it has (zero apart), units that a plain number may have been meant in."""

    name: str
    unit: str
    example: str
    exponents: Exponents
    least: float = 1e-30
    most: float = 1e30
    usual: tuple[str, ...] = ()

    @property
    def one(self) -> str:
        """The name with its article."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"

    @property
    def allowed(self) -> str:
        """What may be written, for messages."""
        plain = f" in {self.unit}" if self.unit else ""
        return f"{self.name} as a number{plain} or a string such as '{self.example}'"


class UnitError(ValueError):
    """A quantity that cannot be read; ``allowed`` says what would be, ``meant`` what it probably was."""

    def __init__(self, message: str, allowed: str = "", meant: str = ""):
        super().__init__(message)
        self.allowed, self.meant = allowed, meant

    @property
    def hint(self) -> str:
        """What was allowed and probably meant, as the end of a message."""
        allowed = f". Allowed: {self.allowed}" if self.allowed else ""
        return allowed + (f". Did you mean '{self.meant}'?" if self.meant else ".")


class _Unknown(Exception):
    """The small table does not know this unit: ask pint."""


def _lookup(name: str) -> tuple[float, Exponents]:
    if name in _UNITS:
        return _UNITS[name][:2]
    for prefix, factor in _PREFIXES.items():
        rest = name[len(prefix) :]
        if name.startswith(prefix) and rest in _UNITS and _UNITS[rest][2]:
            return factor * _UNITS[rest][0], _UNITS[rest][1]
    raise _Unknown(name)


def _table_unit(text: str) -> tuple[float, Exponents]:
    """Factor and exponents of a unit of the table's names."""
    return _expression(text, _lookup)


def _spelled(text: str) -> str:
    """The unit with plain signs and digits: ``min⁻¹`` is ``min^-1``."""
    return _RAISED.sub(lambda m: f"^{m[0].translate(_LOWERED)}", text.translate(_SIGNS))


def _expression(text: str, lookup: Callable[[str], tuple[float, Exponents]]) -> tuple[float, Exponents]:
    """Factor and exponents of a unit expression; products and quotients read from left to right, as pint does.

    ``lookup`` knows the names. Raises _Unknown for what is no such expression, UnitError for one beyond the bounds.
    """
    if not text:
        return 1.0, (0.0,) * 6
    if len(text) > _LONGEST_UNIT:
        raise UnitError(f"'{text[:30]}...' is too long for a unit")
    tokens: list[tuple[str, str]] = []
    position = 0
    text = _spelled(text)
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _Unknown(text)
        position = match.end()
        name, _, power, sign, space = match.groups()
        if name:
            tokens.append(("unit", name))
        elif power is not None:
            tokens.append(("power", power))
        elif sign:
            tokens.append(("sign", sign))
        elif not space:
            raise _Unknown(text)
    factor, exponents, rest = _product(tokens, text, lookup, 0)
    if rest:
        raise _Unknown(text)
    if not (0.0 < factor < math.inf):
        raise UnitError(f"'{text}' is too large or too small a unit")
    return factor, exponents


def _product(tokens: list[tuple[str, str]], text: str, lookup: Callable[[str], tuple[float, Exponents]],
             depth: int) -> tuple[float, Exponents, list[tuple[str, str]]]:  # fmt: skip
    factor, sign = 1.0, 1
    exponents: Exponents = (0.0,) * 6
    seen = False
    if depth > _DEEPEST:
        raise UnitError(f"'{text[:30]}' has too many brackets for a unit")
    while tokens:
        kind, word = tokens[0]
        if kind == "sign" and word == ")":
            break
        tokens = tokens[1:]
        if kind == "sign" and word in "*·":
            sign = 1
            continue
        if kind == "sign" and word == "/":
            sign = -1
            continue
        if kind == "power":
            raise _Unknown(text)
        if kind == "sign":
            value, powers, tokens = _product(tokens, text, lookup, depth + 1)
            if not tokens:
                raise _Unknown(text)
            tokens = tokens[1:]
        else:
            value, powers = lookup(word)
        power = 1
        if tokens and tokens[0][0] == "power":
            power, tokens = _power(tokens[0][1], text), tokens[1:]
        try:
            factor *= value ** (sign * power)
        except (OverflowError, ZeroDivisionError):
            factor = math.inf
        exponents = tuple(e + sign * power * p for e, p in zip(exponents, powers, strict=True))
        sign, seen = 1, True
    if not seen:
        raise _Unknown(text)
    return factor, exponents, tokens


def _power(word: str, text: str) -> int:
    power = int(word) if len(word) < 4 else _HIGHEST_POWER + 1
    if abs(power) > _HIGHEST_POWER:
        raise UnitError(f"'{text}' has a power beyond {_HIGHEST_POWER}, which is no unit")
    return power


_registry: Any = None


def _any_lookup(name: str) -> tuple[float, Exponents]:
    """A name of the table, or one that pint knows. Raises UnitError for others."""
    global _registry
    try:
        return _lookup(name)
    except _Unknown:
        if len(name) == 1:  # constants of nature, to pint
            raise UnitError(f"'{name}' is not a known unit") from None
    if _registry is None:
        import pint

        _registry = pint.UnitRegistry(cache_folder=None)
    try:
        one, two = (_registry.Quantity(x, name.replace("°", "degree_")).to_base_units() for x in (1.0, 2.0))
        factor, units = float(one.magnitude), dict(one.unit_items())
        proportional = abs(float(two.magnitude) - 2.0 * factor) <= 1e-9 * abs(factor)
    except Exception as error:  # whatever the library makes of a word: it is no unit
        raise UnitError(f"'{name}' is not a known unit") from error
    names = ("kilogram", "meter", "second", "ampere", "kelvin", "radian")
    if set(units) - set(names) or not proportional:
        raise UnitError(f"'{name}' is a unit of something a drivetrain does not have")
    return factor, tuple(float(units.get(known, 0)) for known in names)


def table_unit(text: str) -> tuple[float, Exponents]:
    """As :func:`unit` for units of the table only; :class:`UnitError` for others."""
    try:
        return _table_unit(text)
    except _Unknown:
        raise UnitError(f"'{text}' is not a known unit") from None


def unit(text: str) -> tuple[float, Exponents]:
    """Factor to SI and exponents over (mass, length, time, current, temperature, angle) of a unit string.

    Units run together are refused where they would mean something else: ``Nm`` is a measure of yarn.
    """
    try:
        return _table_unit(text)
    except _Unknown:
        from .unit_guess import apart

        spaced = apart(text)
        try:
            found = _expression(text, _any_lookup)
        except _Unknown:
            raise UnitError(f"'{text}' is not a known unit", meant=spaced) from None
        except UnitError as error:
            raise UnitError(f"'{text}' is not a known unit" if spaced else str(error), meant=spaced) from None
        if spaced and found[1] != table_unit(spaced)[1]:
            raise UnitError(f"'{text}' is not a known unit", meant=spaced) from None
        return found


def factor_to(text: str, dimension: Dimension) -> float:
    """Factor from a unit to the SI unit of a dimension.

    A unit without ``rad`` is taken for an angular one (``N m`` for a torsional stiffness); of a rotational speed or an angular
    acceleration it counts revolutions (``1/min`` is rpm, ``Hz`` is revolutions per second). Raises :class:`UnitError` for a
    unit of something else.
    """
    factor, exponents = unit(text)
    angle = exponents[5] - dimension.exponents[5]
    bare = exponents[5] == 0.0 and dimension.exponents[5] != 0.0 and any(exponents)
    if exponents[:5] != dimension.exponents[:5] or (angle and not bare):
        raise UnitError(
            f"wrong dimension: '{text}' is {describe_exponents(exponents)}, {dimension.one} is wanted",
            dimension.allowed,
        )
    if bare and dimension.name in _REVOLVING:
        return factor * 2.0 * math.pi
    if bare and _OPEN.search(text):
        raise UnitError(f"'{text}' leaves open whether turns or radians are meant", dimension.allowed)
    return factor


def split(text: str) -> tuple[float, str]:
    """Number and unit string of a quantity string; :class:`UnitError` if it does not start with a number."""
    if len(text) > _LONGEST_QUANTITY:
        raise UnitError(f"'{text[:30]}...' is too long for a quantity")
    match = _NUMBER.match(text.translate(_SIGNS))
    if match is None:
        raise UnitError(f"'{text}' does not start with a number")
    return float(match[1]), match[2]


def describe_exponents(exponents: Exponents) -> str:
    """What a unit measures: a dimension's name, or its base units."""
    for known in DIMENSIONS.values():
        if known.exponents == tuple(exponents):
            return known.name
    parts = [b if e == 1 else f"{b}^{e:g}" for b, e in zip(_BASES, exponents, strict=True) if e]
    return " ".join(parts) or "a plain number"


def to_si(value: Any, dimension: Dimension) -> float:
    """A quantity in SI: numbers pass, strings are converted after their dimension is checked (:func:`factor_to`).

    Raises :class:`UnitError`.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise UnitError(f"{dimension.one} is wanted", dimension.allowed)
    try:
        if isinstance(value, str):
            amount, text = split(value)
            number = amount * (factor_to(text, dimension) if text else 1.0)
        else:
            number = float(value)
    except OverflowError:
        number = math.inf
    except UnitError as error:
        if error.allowed:
            raise
        message, meant = _guessed(value, dimension, str(error))  # type: ignore[arg-type]
        raise UnitError(message, dimension.allowed, meant) from None
    if not math.isfinite(number):
        raise UnitError("the number is not finite", dimension.allowed)
    return number


def _guessed(value: str, dimension: Dimension, message: str) -> tuple[str, str]:
    """Message and what was probably meant, for a quantity that cannot be read."""
    from .unit_guess import decimal_comma, meant, pointed

    if decimal_comma(value):
        return "a number has a decimal point, not a comma", pointed(value)
    try:
        _, text = split(value)
    except UnitError:
        return message, ""
    nearest_unit = meant(text, dimension)
    return message, f"{value[: len(value.rstrip()) - len(text)].strip()} {nearest_unit}" if nearest_unit else ""


def in_one_unit(values: Sequence[Any]) -> tuple[list[float], str]:
    """Quantities as numbers in the unit of the first, and that unit as text (empty for plain numbers).

    For values that are computed with before the place is known that knows their dimension: written back as
    ``f"{number!r} {unit}"`` they are checked there. Raises :class:`UnitError` for what is no quantity, and for units that
    measure different things.
    """
    split_ones = []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise UnitError(f"'{value}' is not a number or a quantity")
        try:
            amount, text = split(value) if isinstance(value, str) else (float(value), "")
        except OverflowError:
            amount, text = math.inf, ""
        if not math.isfinite(amount):
            raise UnitError("the number is not finite")
        split_ones.append((amount, text, unit(text) if text else (1.0, (0.0,) * len(_BASES))))
    _, first, (factor, exponents) = split_ones[0]
    for value, (_, text, (_, other)) in zip(values, split_ones, strict=True):
        if tuple(other) != tuple(exponents) or bool(text) != bool(first):
            raise UnitError(f"'{value}' and '{values[0]}' measure different things")
    return [amount * own / factor for amount, _, (own, _) in split_ones], first


def any_si(value: Any) -> Any:
    """A value of unknown dimension in SI: numbers with a unit are converted, everything else is left.

    Used for facts whose owner checks them later (parameters of a machine, wind, grid). Lists and mappings are
    walked.
    """
    if isinstance(value, dict):
        return {key: any_si(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [any_si(item) for item in value]
    if isinstance(value, str) and len(value) <= _LONGEST_QUANTITY and _NUMBER.match(value):
        try:
            amount, text = split(value)
            return amount * unit(text)[0]
        except UnitError:
            return value
    return value


DIMENSIONS: dict[str, Dimension] = {}
# name, SI unit, example, smallest size that is not zero, largest size, units that a plain number may have been meant in
for _name, _unit_text, _example, _least, _most, _usual in (
    ("number", "", "5 %", 1e-30, 1e18, ("%",)),
    ("length", "m", "210 mm", 1e-12, 1e5, ("mm", "um")),
    ("mass", "kg", "163 kg", 1e-9, 1e9, ("g",)),
    ("time", "s", "30 s", 1e-12, 1e10, ("ms",)),
    ("angle", "rad", "20 deg", 1e-12, 4.0 * math.pi, ("deg",)),
    ("rotational speed", "rad/s", "22.2 rpm", 1e-12, 1e6, ("rpm",)),
    ("angular acceleration", "rad/s^2", "2 rad/s^2", 1e-12, 1e9, ("rpm/s",)),
    ("speed", "m/s", "12 m/s", 1e-12, 1e4, ("km/h",)),
    ("frequency", "Hz", "50 Hz", 1e-9, 1e9, ()),
    ("rate", "1/s", "0.1 1/s", 1e-12, 1e9, ()),
    ("acceleration", "m/s^2", "9.81 m/s^2", 1e-12, 1e6, ()),
    ("force", "N", "90 kN", 1e-12, 1e12, ()),
    ("torque", "N m", "322.6 kN m", 1e-12, 1e12, ()),
    ("power", "W", "750 kW", 1e-9, 1e12, ()),
    ("energy", "J", "1 kJ", 1e-12, 1e15, ()),
    ("moment of inertia", "kg m^2", "12.6 kg m^2", 1e-15, 1e15, ()),
    ("stiffness", "N/m", "1e8 N/m", 1e-9, 1e18, ()),
    ("torsional stiffness", "N m/rad", "3.7e7 N m/rad", 1e-9, 1e18, ()),
    ("damping", "N s/m", "2e4 N s/m", 1e-12, 1e15, ()),
    ("torsional damping", "N m s/rad", "6.2e6 N m s/rad", 1e-15, 1e15, ()),
    ("pressure", "Pa", "206 GPa", 1e-3, 1e13, ("GPa", "MPa")),
    ("density", "kg/m^3", "7850 kg/m^3", 1e-6, 1e5, ()),
    ("voltage", "V", "690 V", 1e-9, 1e7, ("kV",)),
    ("current", "A", "1 kA", 1e-9, 1e9, ("kA",)),
    ("resistance", "ohm", "3 ohm", 1e-12, 1e9, ()),
    ("inductance", "H", "2 H", 1e-12, 1e6, ("mH",)),
    ("capacitance", "F", "10 mF", 1e-15, 1e6, ("mF", "uF")),
    ("steepness", "s/rad", "30 s/rad", 1e-12, 1e12, ()),
    ("cornering stiffness", "N/rad", "1 kN/rad", 1e-9, 1e12, ()),
    ("quadratic drag", "N s^2/m^2", "0.5 N s^2/m^2", 1e-12, 1e9, ()),
    ("magnetic flux", "Wb", "4 Wb", 1e-12, 1e6, ()),
):
    DIMENSIONS[_name] = Dimension(_name, _unit_text, _example, _table_unit(_unit_text)[1], _least, _most, _usual)


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
    ) -> dict[str, Any]:
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
    ) -> dict[str, Any]:
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
