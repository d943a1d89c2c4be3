"""Plain tables: ``.csv``, ``.tsv``, ``.txt`` with one line of names, and units in the names or below them.

Understood without being told: comma, semicolon, tab or blanks between the columns; a decimal comma where
semicolons or tabs part the columns; units as ``RotSpeed [rpm]``, ``RotSpeed (rpm)`` or in a second line;
lines that start with ``#``. The time column is the one called time (or t), or the one that is named.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .record import Float, ReadError, Record, columns, distinct, lines_of, load_bytes, missing, seconds

_TIME_NAMES = {"time", "t", "zeit"}
_NAME_AND_UNIT = re.compile(r"^(?P<name>.*?)\s*[\[(](?P<unit>[^\[\]()]*(?:\([^()]*\))?[^\[\]()]*)[\])]$")


def read_delimited(path: Path, wanted: Sequence[str] | None, time_column: str | None = None) -> Record:
    """Read a table of columns; only the wanted channels are kept (None: all)."""
    lines = _lines(path)
    separator = _separator(lines[0][1])
    comma = separator in (";", "\t")
    head = _split(lines[0][1], separator)
    if all(_is_number(word, comma) for word in head):
        raise ReadError(f"line {lines[0][0]} holds numbers; names of the channels are wanted above", path)
    names, units = names_and_units(head)
    body = lines[1:]
    if body and not any(_is_number(word, comma) for word in _split(body[0][1], separator)):
        units = _units_below(body[0], separator, units, path)
        body = body[1:]
    if not body:
        raise ReadError("holds a header and no samples", path)
    if not any(_is_number(word, comma) for word in _split(body[0][1], separator)):
        raise ReadError(f"is no table: line {body[0][0]}, below the names, holds no number", path)
    at = _time(names, time_column, path)
    rest = [j for j in range(len(names)) if j != at]
    fresh = distinct([names[j] for j in rest])
    chosen = columns(fresh, wanted, path)
    table = _numbers(body, separator, names, [at] + [rest[j] for j in chosen], path)
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


def _lines(path: Path) -> list[tuple[int, str]]:
    """Lines that are neither empty nor comments, with their numbers."""
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
    return lines


def _numbers(
    body: list[tuple[int, str]], separator: str | None, names: list[str], take: list[int], path: Path
) -> Float:
    """Samples of the columns ``take``, (columns, samples)."""
    # a value takes a sign at least, and so does what parts two: no table is made that the text cannot fill
    for number, line in body:
        if len(line) < 2 * len(names) - 1:
            _refuse_width(line, separator, names, number, number == body[-1][0], path)
    comma = separator in (";", "\t")
    fast = None if comma else _quickly([line for _, line in body], separator, take, len(names))
    if fast is not None:
        return fast
    table = np.empty((len(take), len(body)))
    for i, (number, line) in enumerate(body):
        words = _split(line, separator)
        if len(words) != len(names):
            _refuse_width(line, separator, names, number, i == len(body) - 1, path)
        for row, j in enumerate(take):
            try:
                table[row, i] = float(words[j].replace(",", ".") if comma else words[j])
            except ValueError:
                what = f"is {words[j]!r}, not a number," if words[j] else "has no value"
                raise ReadError(f"channel {names[j]} {what} in line {number}", path) from None
    return table


def _quickly(lines: list[str], separator: str | None, take: list[int], width: int) -> Float | None:
    """Plain numbers by NumPy's reader, (columns, samples); None where a line needs a closer look."""
    try:
        table = np.loadtxt(lines, delimiter=separator, ndmin=2, comments=None)
    except ValueError:
        return None
    return np.ascontiguousarray(table[:, take].T) if table.shape[1] == width else None


def _refuse_width(line: str, separator: str | None, names: list[str], number: int, last: bool, path: Path) -> None:
    words = _split(line, separator)
    if len(words) == len(names) and "" in words:
        raise ReadError(f"channel {names[words.index('')]} has no value in line {number}", path)
    what = "truncated: " if last and len(words) < len(names) else ""
    raise ReadError(f"{what}line {number} has {len(words)} values, the header {len(names)} names", path)


def _separator(line: str) -> str | None:
    """What parts the columns; None is any run of blanks."""
    return next((sign for sign in (";", "\t", ",") if sign in line), None)


def _split(line: str, separator: str | None) -> list[str]:
    text = line.strip("\r\n")
    if separator and '"' in text:
        try:
            words = next(csv.reader([text], delimiter=separator, skipinitialspace=True))
        except (csv.Error, StopIteration):
            words = text.split(separator)
    else:
        words = text.split(separator) if separator else text.split()
    return [word.strip().strip('"').strip() for word in words]


def _is_number(word: str, comma: bool) -> bool:
    try:
        float(word.replace(",", ".") if comma else word)
    except ValueError:
        return False
    return True


def names_and_units(head: list[str]) -> tuple[list[str], list[str]]:
    """Names and units of column heads such as ``torque [kN m]``; a head without a name becomes its number."""
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
