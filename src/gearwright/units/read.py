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
from collections.abc import Sequence
from typing import Any

from .guess import apart, decimal_comma, meant, pointed
from .table import (
    BASES,
    SIGNS,
    Dimension,
    Exponents,
    UnitError,
    Unknown,
    describe_exponents,
    expression,
    lookup,
    table_unit,
)

_NUMBER = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$", re.DOTALL)
#: signs of a text that is read as a quantity: none is longer
_LONGEST = 200
#: what is counted in revolutions where no ``rad`` is given
_REVOLVING = ("rotational speed", "angular acceleration")
#: units of time that leave open whether turns or radians are meant, in what is neither
_OPEN = re.compile(r"\b(?:[kMG]?Hz|min|h)\b")

_registry: Any = None


def _any_lookup(name: str) -> tuple[float, Exponents]:
    """A name of the table, or one that pint knows. Raises UnitError for others."""
    global _registry
    try:
        return lookup(name)
    except Unknown:
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


def unit(text: str) -> tuple[float, Exponents]:
    """Factor to SI and exponents over (mass, length, time, current, temperature, angle) of a unit string.

    Units run together are refused where they would mean something else: ``Nm`` is a measure of yarn.
    """
    try:
        return expression(text, lookup)
    except Unknown:
        spaced = apart(text)
        try:
            found = expression(text, _any_lookup)
        except Unknown:
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
    if len(text) > _LONGEST:
        raise UnitError(f"'{text[:30]}...' is too long for a quantity")
    match = _NUMBER.match(text.translate(SIGNS))
    if match is None:
        raise UnitError(f"'{text}' does not start with a number")
    return float(match[1]), match[2]


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
        split_ones.append((amount, text, unit(text) if text else (1.0, (0.0,) * len(BASES))))
    _, first, (factor, exponents) = split_ones[0]
    for value, (_, text, (_, other)) in zip(values, split_ones, strict=True):
        if tuple(other) != tuple(exponents) or bool(text) != bool(first):
            raise UnitError(f"'{value}' and '{values[0]}' measure different things")
    return [amount * own / factor for amount, _, (own, _) in split_ones], first


def any_si(value: Any) -> Any:
    """A value of unknown dimension in SI: a number with a unit is converted, everything else is left."""
    if isinstance(value, str) and len(value) <= _LONGEST and _NUMBER.match(value):
        try:
            amount, text = split(value)
            return amount * unit(text)[0]
        except UnitError:
            return value
    return value
