"""The numbers of a file by their paths: what a sensitivity asks for and what a design moves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gearwright.errors import DrivetrainError, Problem, nearest
from gearwright.units import UnitError, split, unit

from .paths import item_name, step
from .places import Values

#: sections of a file whose numbers make the model: what its bodies and elements are
MODEL = ("materials", "bodies", "stages", "shafts", "elements", "machines", "couplings", "reduced_bodies")
#: keys that hold counts, tables or names of things, no number that can move a little
_WHOLE = re.compile("teeth|planets|count|seed|rows|data|pitch_error|grade|harmonics|samples|gauges")


@dataclass(frozen=True)
class FileNumber:
    """A number of a file: its path, its value in the unit that the file has, that unit (empty for plain numbers)."""

    path: str
    value: float
    unit: str

    @property
    def shown(self) -> str:
        """The number and its unit, for people."""
        return f"{self.value:.6g} {self.unit}".strip()

    def times(self, factor: float) -> str | float:
        """The number times a factor, as a file has it."""
        return self.written(self.value * factor)

    def written(self, value: float) -> str | float:
        """Another value in the same unit, as a file has it."""
        return f"{value!r} {self.unit}" if self.unit else value


def numbers_of(raw: Values, sections: Sequence[str] = MODEL) -> list[FileNumber]:
    """All numbers of a file that can move, in its order; zeros are left out, as they have no relative change."""
    return [
        found
        for section in sections
        if section in raw
        for found in _within(raw[section], section, section)
        if found.value != 0.0
    ]


def _within(node: Any, path: str, section: str) -> Iterator[FileNumber]:
    items: Iterator[tuple[str, Any]]
    if isinstance(node, Mapping):
        items = ((str(key), item) for key, item in node.items() if not _WHOLE.fullmatch(str(key)))
    elif isinstance(node, list):
        items = ((item_name(section, item, i), item) for i, item in enumerate(node))
    else:
        found = _number(path, node)
        if found is not None:
            yield found
        return
    for name, item in items:
        yield from _within(item, f"{path}.{name}", name if isinstance(node, Mapping) else section)


def _number(path: str, value: Any) -> FileNumber | None:
    """What is a number, with or without a unit."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        return FileNumber(path, float(value), "")
    try:
        amount, text = split(value)
        if text:
            unit(text)
    except (UnitError, OverflowError):
        return None
    return FileNumber(path, amount, text)


def number_at(raw: Values, path: str) -> FileNumber:
    """The number at a path. Raises DrivetrainError that names the nearest one."""
    node: Any = raw
    section, parts = "", [part for part in path.split(".") if part]
    while parts and isinstance(node, dict | list):
        found = step(node, section, parts)
        if found is None:
            break
        key, used = found
        section, node, parts = (str(key) if isinstance(node, dict) else section), node[key], parts[used:]
    number = None if parts else _number(path, node)
    if number is None:
        known = [one.path for one in numbers_of(raw)]
        what = "the file has no such number" if parts else f"no number, but {_kind(node)}"
        raise DrivetrainError.of(
            [Problem(what, "", path, "a path such as " + ", ".join(known[:3]), nearest(path, known))]
        )
    return number


def _kind(node: Any) -> str:
    if isinstance(node, Mapping):
        return "a group with " + ", ".join(map(str, list(node)[:6]))
    return f"a list of {len(node)}" if isinstance(node, list) else f"'{node}'"
