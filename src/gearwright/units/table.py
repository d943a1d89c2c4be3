"""The units that files are written in, exact, and the expressions that are made of them.

A unit is parsed here, never evaluated: names, powers between -9 and 9, products, quotients, at most four brackets deep.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from gearwright.errors import InputError

Exponents = tuple[float, ...]

#: Order of the exponents: mass, length, time, current, temperature, angle.
BASES = ("kg", "m", "s", "A", "K", "rad")

# name -> (factor to SI, exponents, whether SI prefixes are allowed)
UNITS: dict[str, tuple[float, Exponents, bool]] = {
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

_TOKEN = re.compile(r"([A-Za-zµμ°%]+|1(?![0-9]))|(\*\*|\^)?([+-]?\d+)|([*·/()])|(\s+)")
_RAISED = re.compile("[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
#: other signs of the same meaning
SIGNS = str.maketrans({"⋅": "·", "×": "*", "−": "-", "Ω": "ohm", "\u00a0": " ", "\u202f": " "})
#: bounds of what is read as a unit: no drivetrain has more
_LONGEST_UNIT, _DEEPEST, _HIGHEST_POWER = 80, 4, 9


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


class UnitError(InputError):
    """A quantity that cannot be read; ``allowed`` says what would be, ``meant`` what it probably was."""

    def __init__(self, message: str, allowed: str = "", meant: str = ""):
        super().__init__(message, allowed=allowed, meant=meant)

    @property
    def hint(self) -> str:
        """What was allowed and probably meant, as the end of a message."""
        allowed = f". Allowed: {self.allowed}" if self.allowed else ""
        return allowed + (f". Did you mean '{self.meant}'?" if self.meant else ".")


class Unknown(UnitError):
    """The small table does not know this unit: ask pint."""


def lookup(name: str) -> tuple[float, Exponents]:
    """Factor and exponents of a name, a prefix before it allowed. Raises Unknown."""
    if name in UNITS:
        return UNITS[name][:2]
    for prefix, factor in _PREFIXES.items():
        rest = name[len(prefix) :]
        if name.startswith(prefix) and rest in UNITS and UNITS[rest][2]:
            return factor * UNITS[rest][0], UNITS[rest][1]
    raise Unknown(name)


def _spelled(text: str) -> str:
    """The unit with plain signs and digits: ``min⁻¹`` is ``min^-1``."""
    return _RAISED.sub(lambda m: f"^{m[0].translate(_LOWERED)}", text.translate(SIGNS))


def expression(text: str, find: Callable[[str], tuple[float, Exponents]]) -> tuple[float, Exponents]:
    """Factor and exponents of a unit expression; products and quotients read from left to right, as pint does.

    ``find`` knows the names. Raises Unknown for what is no such expression, UnitError for one beyond the bounds.
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
            raise Unknown(text)
        position = match.end()
        name, _, power, sign, space = match.groups()
        if name:
            tokens.append(("unit", name))
        elif power is not None:
            tokens.append(("power", power))
        elif sign:
            tokens.append(("sign", sign))
        elif not space:
            raise Unknown(text)
    factor, exponents, rest = _product(tokens, text, find, 0)
    if rest:
        raise Unknown(text)
    if not (0.0 < factor < math.inf):
        raise UnitError(f"'{text}' is too large or too small a unit")
    return factor, exponents


def _product(
    tokens: list[tuple[str, str]], text: str, find: Callable[[str], tuple[float, Exponents]], depth: int
) -> tuple[float, Exponents, list[tuple[str, str]]]:
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
            raise Unknown(text)
        if kind == "sign":
            value, powers, tokens = _product(tokens, text, find, depth + 1)
            if not tokens:
                raise Unknown(text)
            tokens = tokens[1:]
        else:
            value, powers = find(word)
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
        raise Unknown(text)
    return factor, exponents, tokens


def _power(word: str, text: str) -> int:
    power = int(word) if len(word) < 4 else _HIGHEST_POWER + 1
    if abs(power) > _HIGHEST_POWER:
        raise UnitError(f"'{text}' has a power beyond {_HIGHEST_POWER}, which is no unit")
    return power


def table_unit(text: str) -> tuple[float, Exponents]:
    """As :func:`unit` for units of the table only; :class:`UnitError` for others."""
    try:
        return expression(text, lookup)
    except Unknown:
        raise UnitError(f"'{text}' is not a known unit") from None


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
    ("unbalance", "kg m", "500 g mm", 1e-15, 1e9, ()),
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
    DIMENSIONS[_name] = Dimension(_name, _unit_text, _example, table_unit(_unit_text)[1], _least, _most, _usual)


def describe_exponents(exponents: Exponents) -> str:
    """What a unit measures: a dimension's name, or its base units."""
    for known in DIMENSIONS.values():
        if known.exponents == tuple(exponents):
            return known.name
    parts = [b if e == 1 else f"{b}^{e:g}" for b, e in zip(BASES, exponents, strict=True) if e]
    return " ".join(parts) or "a plain number"
