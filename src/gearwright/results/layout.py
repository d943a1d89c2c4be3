"""How a result file is laid out: elements of every kind, one variable per kind and quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gearwright.errors import FileError
from gearwright.system import Channel

from .derive import Derived

KINDS = ("mesh", "bearing", "shaft", "machine", "body", "turbine")


class ResultError(FileError, RuntimeError):
    """A result that cannot be written or read; the message names file and reason."""


class ChannelRow(NamedTuple):
    """A channel of a result: its name and what it is made of, its unit, statistics in that unit, the times [s] of the extremes, and
    damage equivalent ranges by exponent (``del`` of a result file; empty where its cycles were not counted)."""

    name: str
    kind: str
    element: str
    quantity: str
    unit: str
    minimum: float
    maximum: float
    mean: float
    standard_deviation: float
    time_of_minimum: float
    time_of_maximum: float
    equivalents: Mapping[float, float]


class Variable(NamedTuple):
    """One quantity of one kind: where its columns are and which elements they belong to."""

    kind: str
    quantity: str
    unit: str
    sign: str
    columns: list[int]
    elements: list[int]
    counted: list[int]  # places in columns that are counted

    @property
    def name(self) -> str:
        return f"{self.kind}_{self.quantity}"


def whole_ratio(store_interval: float | None, interval: float) -> int:
    """Samples for every stored one, from both intervals [s]; 1 where none is given. Raises ResultError if it is no whole number."""
    if not interval > 0.0:
        raise ResultError(f"the sample interval must be positive, got {interval:g} s")
    if store_interval is None:
        return 1
    ratio = round(store_interval / interval)
    if ratio < 1 or abs(store_interval / interval - ratio) > 1e-6 * max(ratio, 1):
        raise ResultError(
            f"the store interval {store_interval:g} s is not a whole multiple of the sample interval {interval:g} s"
        )
    return ratio


def layout(channels: Sequence[Channel | Derived], path: Path) -> tuple[dict[str, list[str]], list[Variable]]:
    """Elements of every kind, and one variable per kind and quantity."""
    elements: dict[str, list[str]] = {}
    variables: dict[tuple[str, str], Variable] = {}
    seen: set[tuple[str, str]] = set()
    for column, c in enumerate(channels):
        if c.kind not in KINDS:
            raise ResultError(f"{path}: channel '{c.name}' has kind '{c.kind}'; kinds are {', '.join(KINDS)}")
        if (c.kind, c.name) in seen:
            raise ResultError(f"{path}: two channels are called '{c.name}'")
        seen.add((c.kind, c.name))
        labels = elements.setdefault(c.kind, [])
        if c.element not in labels:
            labels.append(c.element)
        v = variables.setdefault((c.kind, c.quantity), Variable(c.kind, c.quantity, c.unit, c.sign, [], [], []))
        if v.unit != c.unit:
            raise ResultError(f"{path}: '{c.name}' is in {c.unit}, other elements of {v.name} in {v.unit}")
        if c.counted:
            v.counted.append(len(v.columns))
        v.columns.append(column)
        v.elements.append(labels.index(c.element))
    return elements, list(variables.values())
