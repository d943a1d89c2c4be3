"""Targets of the literature as data, and what becomes of one.

The files in ``data/``, one for each family of ids, are lists of groups::

    - source: where the values of the group are printed, or how they follow
      kind: how the source or its digest has them (printed, derived, computed, ...); A to C on the literature page
      status: absent where the target counts, else one of STATUSES
      unit: Hz
      tolerance: {rel: 1e-3}
      targets:
        LIT.2.1: {value: [0.0, 176.1], note: what a reader should know, given: [numbers that the computation reads]}

Keys of a tolerance: see :class:`Tolerance`. Everything that a group has, one of its targets may have for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from ruamel.yaml import YAML

from gearwright.errors import InputError

#: a value of a target: number, words, a list (``None`` where the source leaves an entry open), or numbers by name
Value: TypeAlias = "float | str | None | Sequence[Any] | Mapping[str, float]"

#: targets that never decide about the exit code
STATUSES = {
    "erratum": "the source is in error here",
    "not reproducible": "printed, but cannot be recomputed from what is printed",
    "indicative": "shown for comparison",
    "indicative outside": "passes inside its tolerance, is indicative outside",
    "not checked": "the value is from memory",
}

DATA = Path(__file__).parent / "data"
#: first parts of the ids, each with a file, in the order of the table
FAMILIES = ("S0", "S1", "S24", "S3", "LIT", "SPACE", "TURBINE", "R", "L", "S", "T", "D", "M", "P")


class UnknownTarget(InputError):
    """A prefix that fits no target."""


@dataclass(frozen=True)
class Tolerance:
    """How far a computed value may be from the printed one; the wider one of several counts.

    ``rel`` of the value and ``abs``; ``zero``: absolute, for entries that are zero; ``range``: the value is a pair of bounds;
    ``at_most``: a bound, whatever the value; ``factor``: the ratio of both is at most this and at least its inverse; ``text``:
    words for the reader. Without any the value has to be met to round-off.
    """

    rel: float | None = None
    abs: float | None = None
    zero: float | None = None
    range: bool = False
    at_most: float | None = None
    factor: float | None = None
    text: str = ""

    def words(self, unit: str) -> str:
        """The tolerance for a table."""
        parts = [
            self.rel is not None and f"{100 * self.rel:g} %",
            self.abs is not None and f"{self.abs:g} {unit}".strip(),
            self.zero is not None and f"abs_zero_mode: {self.zero}",
            self.range and "range",
            self.at_most is not None and f"max: {self.at_most:g}",
            self.factor is not None and f"factor {self.factor:g}",
            self.text,
        ]
        return " or ".join(part for part in parts if part)


@dataclass(frozen=True)
class Target:
    """One value of the literature."""

    id: str
    value: Value
    unit: str
    source: str
    kind: str = "A"
    status: str = ""
    tolerance: Tolerance = Tolerance()
    note: str = ""
    inputs: str = ""
    given: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """A target, the value that was got, its error, and the verdict.

    ``error`` is relative where the tolerance is, else absolute, and the largest one of a list. ``status`` is pass, fail or
    that of the target.
    """

    target: Target
    got: Value
    error: float | None
    status: str
    note: str = ""

    def to_dict(self) -> dict[str, Value]:
        """For ``--json``."""
        t = self.target
        return {
            "id": t.id,
            "source": t.source,
            "kind": t.kind,
            "target": t.value,
            "unit": t.unit,
            "got": self.got,
            "error": self.error,
            "tolerance": t.tolerance.words(t.unit),
            "status": self.status,
            "note": self.note or t.note,
        }


@cache
def targets_of(family: str) -> Mapping[str, Target]:
    """Targets of one family by id, in the order of their file."""
    found: dict[str, Target] = {}
    for group in YAML(typ="safe", pure=True).load(DATA / f"{family}.yaml"):
        rows = group.pop("targets")
        for id, own in rows.items():
            if id in found:
                raise ValueError(f"{family}.yaml: {id} stands there twice")
            found[id] = _target(id, **{**group, **own})
    return found


def _target(id: str, **more: Any) -> Target:
    unknown = more.keys() - {f.name for f in fields(Target)}
    if unknown or more.get("status", "") not in ("", *STATUSES):
        raise ValueError(f"{id}: {', '.join(unknown) or more['status']} is not known here")
    tolerance, given = Tolerance(**(more.pop("tolerance", None) or {})), tuple(more.pop("given", ()))
    return Target(id, tolerance=tolerance, given=given, **more)


def target(id: str) -> Target:
    """One target."""
    return targets_of(id.split(".")[0])[id]


def given(id: str) -> Any:
    """The numbers that a computation reads from the data of a target, as an array."""
    return np.array(target(id).given, float)


def chosen(prefixes: Sequence[str] = ()) -> list[Target]:
    """Targets whose ids begin with one of the prefixes, all without any.

    ``LIT.1`` fits ``LIT.1.2.N3`` but not ``LIT.10``; a trailing star is read over.

    Raises UnknownTarget for a prefix that fits no target.
    """
    wanted = [p.removesuffix(".*").removesuffix("*") for p in prefixes]
    parts = [f for f in FAMILIES if not wanted or any(p.split(".")[0] == f for p in wanted)]
    found = [t for family in parts for t in targets_of(family).values()]
    for p in wanted:
        if not any(_fits(t.id, p) for t in found):
            raise UnknownTarget(f"no target begins with '{p}'; families are {', '.join(FAMILIES)}")
    return [t for t in found if not wanted or any(_fits(t.id, p) for p in wanted)]


def _fits(id: str, prefix: str) -> bool:
    return id == prefix or (id.startswith(prefix) and (prefix.endswith(".") or id[len(prefix)] in "._"))
