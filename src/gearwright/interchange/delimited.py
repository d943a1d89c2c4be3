"""Plain tables: ``.csv``, ``.tsv``, ``.txt`` with one line of names, and units in the names or below them.

Understood without being told: comma, semicolon, tab or blanks between the columns; a decimal comma where
semicolons or tabs part the columns; units as ``RotSpeed [rpm]``, ``RotSpeed (rpm)`` or in a second line;
lines that start with ``#``. The time column is the one called time (or t), or the one that is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .record import ReadError, Record, columns, distinct, lines_of, load_bytes, missing, seconds

_TIME_NAMES = {"time", "t", "zeit"}
_NAME_AND_UNIT = re.compile(r"^(?P<name>[^\[(]*?)\s*[\[(](?P<unit>[^\])]*)[\])]$")


def read_delimited(path: Path, wanted: Sequence[str] | None, time_column: str | None) -> Record:
    """Read a table of columns; only the wanted channels are kept (None: all)."""
    content = load_bytes(path)
    if not content.strip():
        raise ReadError("is empty", path)
    if b"\0" in content[:4096]:
        raise ReadError("is not a text table: it holds zero bytes", path)
    lines = [
        (i, line) for i, line in enumerate(lines_of(content), 1) if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise ReadError("holds comments and no table", path)
    separator = _separator(lines[0][1])
    comma = separator in (";", "\t")
    head = _split(lines[0][1], separator)
    if all(_is_number(word, comma) for word in head):
        raise ReadError(f"line {lines[0][0]} holds numbers; names of the channels are wanted above", path)
    names, units = _names_and_units(head)
    body = lines[1:]
    if body and not any(_is_number(word, comma) for word in _split(body[0][1], separator)):
        units = _units_below(body[0], separator, units, path)
        body = body[1:]
    if not body:
        raise ReadError("holds a header and no samples", path)
    at = _time(names, time_column, path)
    rest = [j for j in range(len(names)) if j != at]
    fresh = distinct([names[j] for j in rest])
    chosen = columns(fresh, wanted, path)
    table = np.empty((len(chosen) + 1, len(body)))
    take = [at] + [rest[j] for j in chosen]
    for i, (number, line) in enumerate(body):
        words = _split(line, separator)
        if len(words) != len(names):
            what = "truncated: " if i == len(body) - 1 and len(words) < len(names) else ""
            raise ReadError(f"{what}line {number} has {len(words)} values, the header {len(names)} names", path)
        for row, j in enumerate(take):
            try:
                table[row, i] = float(words[j].replace(",", ".") if comma else words[j])
            except ValueError:
                raise ReadError(f"channel {names[j]} is {words[j]!r}, not a number, in line {number}", path) from None
    return Record(
        path,
        seconds(table[0], units[at], path),
        [fresh[j] for j in chosen],
        [names[rest[j]] for j in chosen],
        [units[rest[j]] for j in chosen],
        table[1:],
        place=[number for number, _ in body],
        information={"format": "delimited text", "description": ""},
    )


def _separator(line: str) -> str | None:
    """What parts the columns; None is any run of blanks."""
    return next((sign for sign in (";", "\t", ",") if sign in line), None)


def _split(line: str, separator: str | None) -> list[str]:
    words = line.strip("\r\n").split(separator) if separator else line.split()
    return [word.strip().strip('"').strip() for word in words]


def _is_number(word: str, comma: bool) -> bool:
    try:
        float(word.replace(",", ".") if comma else word)
    except ValueError:
        return False
    return True


def _names_and_units(head: list[str]) -> tuple[list[str], list[str]]:
    names, units = [], []
    for i, word in enumerate(head):
        match = _NAME_AND_UNIT.match(word)
        name = match["name"].strip() if match else word
        names.append(name or f"column{i + 1}")
        units.append(match["unit"] if match else "")
    return names, units


def _units_below(line: tuple[int, str], separator: str | None, units: list[str], path: Path) -> list[str]:
    """Units of a second header line; one left out keeps the unit beside the name."""
    words = _split(line[1], separator)
    if len(words) != len(units):
        raise ReadError(f"line {line[0]} has {len(words)} units, the header {len(units)} names", path)
    return [below or beside for below, beside in zip(words, units, strict=True)]


def _time(names: list[str], named: str | None, path: Path) -> int:
    if named is not None:
        if named not in names:
            raise ReadError(f"no time column: {missing(named, names)}", path)
        return names.index(named)
    for i, name in enumerate(names):
        if name.lower() in _TIME_NAMES:
            return i
    raise ReadError(f"no column is called time; name it with time_column. It has: {', '.join(names[:20])}", path)
