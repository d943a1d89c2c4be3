"""Plain tables: ``.csv``, ``.tsv``, ``.txt`` with one line of names, and units in the names or below them.

Understood without being told: comma, semicolon, tab or blanks between the columns; a decimal comma where
semicolons or tabs part the columns; units as ``RotSpeed [rpm]``, ``RotSpeed (rpm)`` or in a second line;
lines that start with ``#``, a line ``sep=;``, lines above the names, a separator at the end of every line, cells without a
value (not a number then), UTF-16, the heads of Campbell's TOA5. The time column is the one called time (or t), or
the one that is named; it may hold dates and times, and begins with zero then. ``50 Hz`` in place of its name gives the time of a
table that has none.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .record import (
    NO_TIME,
    Float,
    ReadError,
    Record,
    columns,
    distinct,
    lines_of,
    load_bytes,
    missing,
    rate_of,
    seconds,
)

_TIME_NAMES = {"time", "t", "zeit"}
_STAMP_NAMES = {
    "time",
    "t",
    "zeit",
    "timestamp",
    "datetime",
    "date_time",
    "date time",
    "date/time",
    "date",
    "time stamp",
}
_DATED = re.compile(r"^\d{1,4}[-./]\w{1,3}[-./]\d{2,4}(?!\d)")
_FORMS = (
    "%d-%b-%Y %H:%M:%S",
    "%d-%b-%Y %H:%M:%S.%f",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M:%S.%f",
    "%d.%m.%Y %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M:%S.%f",
)
#: words of a cell that has no value
_EMPTY = {"", "nan", "na", "n/a", "nat", "null", "none", "-", "inf", "+inf", "-inf"}
_NAME_AND_UNIT = re.compile(r"^(?P<name>.*?)\s*[\[(](?P<unit>[^\[\]()]*(?:\([^()]*\))?[^\[\]()]*)[\])]$")


def read_delimited(path: Path, wanted: Sequence[str] | None, time_column: str | None = None) -> Record:
    """Read a table of columns; only the wanted channels are kept (None: all)."""
    found = _table(_lines(path), path)
    names, body = found.names, found.body
    notes: list[str] = []
    rate = rate_of(time_column) if time_column not in names else None
    stamps = None if rate is not None else _stamps(found, time_column)
    at = -1 if rate is not None or stamps is not None else _time(names, time_column, path)
    taken = stamps.columns if stamps is not None else [at]
    rest = [j for j in range(len(names)) if j not in taken]
    fresh = distinct([names[j] for j in rest])
    chosen = columns(fresh, wanted, path)
    if stamps is not None:
        body = [line for line, there in zip(body, stamps.there, strict=True) if there]
        lost = len(found.body) - len(body)
        if lost:
            notes.append(f"{lost} rows without a time are not read")
    plain = [*([at] if at >= 0 else []), *(rest[j] for j in chosen)]
    table = _numbers(body, found, plain, at, path) if plain else np.empty((0, len(body)))
    time = _times(rate, stamps, table, len(body), found.units[at], path)
    if found.above:
        notes.append(f"{found.above} lines above the names are not read")
    return Record(
        path,
        time,
        [fresh[j] for j in chosen],
        [names[rest[j]] for j in chosen],
        [found.units[rest[j]] for j in chosen],
        table[1:] if at >= 0 else table,
        place=[number for number, _ in body],
        information={
            "format": "delimited text",
            "description": "",
            **({"begin": stamps.begin} if stamps is not None else {}),
            **({"unread": "; ".join(notes)} if notes else {}),
        },
    )


def _times(rate: float | None, stamps: _Stamps | None, table: Float, samples: int, unit: str, path: Path) -> Float:
    """Times [s] by the rate, by dates and times, or the first row of the table."""
    if rate is not None:
        return np.arange(samples) / rate
    return stamps.time if stamps is not None else seconds(table[0], unit, path)


class _Found(NamedTuple):
    """A table in a text: what parts the columns, their names and units, the lines of values with their numbers, lines above."""

    separator: str | None
    names: list[str]
    units: list[str]
    body: list[tuple[int, str]]
    above: int


class _Stamps(NamedTuple):
    """Dates and times: their columns, seconds since the first, that one as text, and which rows have one."""

    columns: list[int]
    time: Float
    begin: str
    there: list[bool]


def _table(lines: list[tuple[int, str]], path: Path) -> _Found:
    """Find names, units and values among the lines."""
    separator: str | None = None
    said = re.match(r"^\s*sep=(.)\s*$", lines[0][1])
    if said:
        lines, separator = lines[1:], said[1]
    head_at = 1 if lines and lines[0][1].lstrip('"').startswith("TOA5") else 0
    if not lines[head_at:]:
        raise ReadError("holds a header and no samples", path)
    toa5 = head_at == 1
    separator = separator or _separator(lines[-1][1] if toa5 else lines[0][1])
    if not toa5:
        head_at, separator = _below_preamble(lines, separator)
    above, lines = head_at, lines[head_at:]
    comma = separator in (";", "\t")
    lines = _without_last(lines, separator)
    head = _split(lines[0][1], separator)
    if all(_is_number(word, comma) for word in head):
        raise ReadError(f"line {lines[0][0]} holds numbers; names of the channels are wanted above", path)
    names, units = names_and_units(head)
    body = lines[1:]
    if body and not any(_is_number(word, comma) or _moment(word) for word in _split(body[0][1], separator)):
        units = _units_below(body[0], separator, units, path)
        body = body[2:] if toa5 else body[1:]  # how a value was made stands below its unit there
    if not body:
        raise ReadError("holds a header and no samples", path)
    if not any(_is_number(word, comma) or _moment(word) for line in body[:20] for word in _split(line[1], separator)):
        raise ReadError(f"is no table: line {body[0][0]}, below the names, holds no number", path)
    return _Found(separator, names, units, body, above)


def _below_preamble(lines: list[tuple[int, str]], separator: str | None) -> tuple[int, str | None]:
    """Where the names stand, and what parts the columns: the first line as wide as most of the last ones, unless it is the first."""
    tail = [line for _, line in lines[-50:]]
    likely = (
        separator if separator and sum(separator in line for line in tail) > len(tail) // 2 else _separator(tail[-1])
    )
    widths = Counter(len(_split(line, likely)) for line in tail)
    wide = max(widths, key=lambda n: (widths[n], n))
    own = len(_split(lines[0][1], separator))
    if wide < 2 or own == wide or abs(own - wide) == 1 and separator == likely or len(tail) < 3 or widths[wide] < 3:
        return 0, separator
    comma = likely in (";", "\t")
    for k, (_, line) in enumerate(lines):
        words = _split(line, likely)
        if len(words) == wide or (len(words) == wide + 1 and not words[-1]):
            return (0, separator) if all(_is_number(word, comma) for word in words) else (k, likely)
    return 0, separator


def _without_last(lines: list[tuple[int, str]], separator: str | None) -> list[tuple[int, str]]:
    """Lines without the separator that ends each of them."""
    if separator is None or len(lines) < 2 or not all(line.rstrip("\r\n").endswith(separator) for _, line in lines[1:]):
        return lines
    names = len(_split(lines[0][1], separator))
    if not lines[0][1].rstrip("\r\n ").endswith(separator) and len(_split(lines[1][1], separator)) != names + 1:
        return lines
    return [(i, line.rstrip("\r\n ").removesuffix(separator)) for i, line in lines]


def _stamps(found: _Found, named: str | None) -> _Stamps | None:
    """Time as dates and times of day, in one column or in two called date and time; None where the time is a number."""
    lower = [name.strip().lower() for name in found.names]
    if named is not None:
        taken = [found.names.index(named)] if named in found.names else []
    elif "date" in lower and "time" in lower:
        taken = [lower.index("date"), lower.index("time")]
    else:
        taken = [k for k, name in enumerate(lower) if name in _STAMP_NAMES][:1]
    if not taken:
        return None
    words = []
    for _, line in found.body:
        cells = _split(line, found.separator)
        words.append(" ".join(cells[k] for k in taken if k < len(cells)).strip())
    moments = [_moment(word) for word in words]
    if sum(m is not None for m in moments) < max(1, len(words) // 2):
        return None
    first = next(m for m in moments if m is not None)
    time = np.array([(m - first).total_seconds() for m in moments if m is not None])
    return _Stamps(taken, time, first.isoformat(), [m is not None for m in moments])


def _moment(word: str) -> datetime | None:
    """A date with a time of day, in ISO 8601 or as loggers write it; None for anything else. Days come before months where dots part
    them, months are named where hyphens do."""
    text = word.strip().replace("Z", "+00:00") if word.strip().endswith("Z") else word.strip()
    if not _DATED.match(text):
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        pass
    for form in _FORMS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None


def _lines(path: Path) -> list[tuple[int, str]]:
    """Lines that are neither empty nor comments, with their numbers."""
    content = load_bytes(path)
    if not content.strip():
        raise ReadError("is empty", path)
    if b"\0" in content[:4096] and content[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise ReadError("is not a text table: it holds zero bytes", path)
    lines = [
        (i, line) for i, line in enumerate(lines_of(content), 1) if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise ReadError("holds comments and no table", path)
    return lines


def _numbers(body: list[tuple[int, str]], found: _Found, take: list[int], at: int, path: Path) -> Float:
    """Samples of the columns ``take``, (columns, samples); cells without a value are not a number, but in the time ``at``."""
    names, separator = found.names, found.separator
    # a value takes a sign at least, and so does what parts two: no table is made that the text cannot fill
    for number, line in body:
        if len(line) < len(names) - 1:
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
            word = words[j]
            try:
                table[row, i] = float(word.replace(",", ".") if comma else word)
            except ValueError:
                if word.lower() in _EMPTY and j != at:
                    table[row, i] = np.nan
                    continue
                what = f"is {word!r}, not a number," if word else "has no value"
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
    if len(words) == len(names):
        return
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
    raise ReadError(f"no column is called time; {NO_TIME}. It has: {', '.join(names[:20])}", path)
