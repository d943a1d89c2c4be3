"""Quantities that a caller gives in Python: numbers are SI, text has a unit, as in files."""

from __future__ import annotations

from numbers import Real
from typing import Any

from gearwright.errors import DrivetrainError

from .read import to_si
from .table import DIMENSIONS, UnitError


def in_si(value: Any, dimension: str, what: str) -> float:
    """A quantity in SI: a plain number as it is, or text with a unit, ``"12.1 rpm"``.

    ``dimension`` is one of :data:`gearwright.units.DIMENSIONS`, ``what`` heads the message. Raises DrivetrainError for
    another dimension, and for what is no finite number.
    """
    plain = float(value) if isinstance(value, Real) and not isinstance(value, bool) else value
    try:
        return to_si(plain, DIMENSIONS[dimension])
    except UnitError as error:
        allowed = f" Allowed: {error.allowed}." if error.allowed else ""
        raise DrivetrainError(f"{what} = {value}: {error}.{allowed}{error.hint}") from None


def optional(value: Any, dimension: str, what: str) -> float | None:
    """:func:`in_si`, and None for None."""
    return None if value is None else in_si(value, dimension, what)
