"""What a quantity that cannot be read was probably meant to be: units run together, misspelt, a decimal comma."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

from gearwright.errors import nearest

from .table import Dimension, UnitError, table_unit

#: Units as people write them in a drivetrain file, and names that are spelled out. Where two differ by a capital only,
#: the last is what a capital, or none, most likely stands for.
USUAL = (
    "%", "m", "mm", "um", "cm", "km", "g", "kg", "t", "s", "ms", "min", "h", "N", "kN", "MN", "Pa", "kPa", "MPa", "GPa",
    "bar", "J", "kJ", "MJ", "W", "kW", "MW", "rad", "mrad", "deg", "rev", "rpm", "Hz", "kHz", "V", "kV", "A", "kA", "ohm",
)  # fmt: skip
_SPELLED = {
    "meter": "m", "millimeter": "mm", "micrometer": "um", "centimeter": "cm", "kilometer": "km", "kilogram": "kg", "gram": "g",
    "second": "s", "seconds": "s", "sec": "s", "minute": "min", "minutes": "min", "hour": "h", "hours": "h", "newton": "N",
    "kilonewton": "kN", "pascal": "Pa", "megapascal": "MPa", "gigapascal": "GPa", "watt": "W", "kilowatt": "kW",
    "megawatt": "MW", "radian": "rad", "degree": "deg", "degrees": "deg", "grad": "deg", "percent": "%", "hertz": "Hz",
}  # fmt: skip
_LETTERS = re.compile(r"([A-Za-zµμ°%]+)")
_COMMA = re.compile(r"\s*[+-]?[\d.]*,\d")
_ONE_COMMA = re.compile(r"\s*[+-]?\d+,\d+(?![\d,.])")


def decimal_comma(text: str) -> bool:
    """Whether a quantity has a comma in its number."""
    return _COMMA.match(text) is not None


def pointed(text: str) -> str:
    """The quantity with a decimal point for its comma; empty where a point beside it leaves open which is which."""
    return text.replace(",", ".", 1).strip() if _ONE_COMMA.match(text) else ""


def meant(text: str, dimension: Dimension) -> str:
    """The unit of this dimension that ``text`` is nearest to: ``kN m`` for ``kNm``, ``rpm`` for ``rmp``; empty if none is."""
    parts = _LETTERS.split(text)
    readings = [[part] if i % 2 == 0 else list(_readings(part)) for i, part in enumerate(parts)]
    for choice in islice(product(*readings), 200):
        candidate = "".join(choice)
        try:
            found = table_unit(candidate)
        except UnitError:
            continue
        if found[1][:5] == dimension.exponents[:5] and candidate != text:
            return candidate
    return ""


def apart(text: str) -> str:
    """``text`` with units that were run together set apart (``N m`` for ``Nm``), empty if that makes no unit of it."""
    parts = _LETTERS.split(text)
    readings = [[part] if i % 2 == 0 else [part, *_split(part, 3)] for i, part in enumerate(parts)]
    for choice in islice(product(*readings), 1, 200):
        try:
            table_unit("".join(choice))
        except UnitError:
            continue
        return "".join(choice)
    return ""


def _readings(word: str) -> Iterator[str]:
    """A word as it stands, its pieces, and the known word next to it."""
    yield word
    yield from _split(word, 3)
    known = nearest(word, [*_SPELLED, *USUAL])
    if known:
        yield _SPELLED.get(known, known)


def _split(word: str, most: int) -> Iterator[str]:
    """The word as two to ``most`` usual units, the fewest first."""
    for count in range(2, most + 1):
        yield from (" ".join(pieces) for pieces in _pieces(word, count))


def _pieces(word: str, count: int) -> Iterator[list[str]]:
    if count == 1:
        if word in USUAL:
            yield [word]
        return
    for end in range(1, len(word)):
        if word[:end] in USUAL:
            for rest in _pieces(word[end:], count - 1):
                yield [word[:end], *rest]
