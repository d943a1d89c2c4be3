"""Quantities: the units of files, the reading of numbers with units, the fields of the schema, numbers that a caller gives."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .given import in_si, optional
from .read import any_si, factor_to, in_one_unit, split, to_si, unit
from .table import DIMENSIONS, Dimension, UnitError, describe_exponents, table_unit

if TYPE_CHECKING:
    from .fields import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """A field of ``units.fields``, which is imported, with pydantic, when the first one is asked for."""
    if name.startswith("_"):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.fields"), name)


__all__ = [
    "DIMENSIONS",
    "Dimension",
    "UnitError",
    "any_si",
    "describe_exponents",
    "factor_to",
    "in_one_unit",
    "in_si",
    "optional",
    "split",
    "table_unit",
    "to_si",
    "unit",
]
