"""LabVIEW measurement files (``.lvm``): a text with one or two headers that end with ``***End_of_Header***``, then names and values.

Layout after National Instruments' specification of the format: ``Separator``, ``Decimal_Separator`` and ``X_Columns`` (``One`` or ``No``) in
the first header; ``X0``, ``Delta_X`` and ``Y_Unit_Label`` in the second, one value for each channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .record import ReadError, Record, columns, distinct, lines_of, load_bytes

_END = "***End_of_Header***"


def read_lvm(path: Path, wanted: Sequence[str] | None) -> Record:
    """Channels of a LabVIEW measurement file; the time is its X column, or counted from ``X0`` by ``Delta_X``."""
    lines = lines_of(load_bytes(path))
    ends = [i for i, line in enumerate(lines) if line.strip().startswith(_END)]
    if not ends:
        raise ReadError(f"is no LabVIEW measurement file, or truncated: there is no line {_END}", path)
    if len(ends) > 2:
        raise ReadError(
            f"has {len(ends) - 1} segments with a header each; save them as one, or as files of their own", path
        )
    comma = any(line.split("\t")[0].split(",")[0] == "Separator" and "Comma" in line for line in lines[: ends[0]])
    sign = "," if comma else "\t"
    head: dict[str, list[str]] = {}
    for line in lines[: ends[-1]]:
        key, *values = [word.strip() for word in line.split(sign)]
        head.setdefault(key, values)
    decimal = head.get("Decimal_Separator", ["."])[0] or "."
    own = head.get("X_Columns", ["One"])[0]
    if own not in ("One", "No"):
        raise ReadError(f"has X_Columns {own}: a time for each channel; save it with one", path)
    at = next((i for i in range(ends[-1] + 1, len(lines)) if lines[i].strip()), None)
    if at is None:
        raise ReadError("holds a header and no samples", path)
    names = [word.strip() for word in lines[at].split(sign)][1:]
    while names and names[-1] in ("", "Comment"):
        names.pop()
    rows, places = _rows(lines, at + 1, sign, decimal, len(names), path)
    table = np.array(rows)
    if own == "One":
        time = table[:, 0]
    else:
        first, step = (_number(head.get(key, [""])[0], decimal, at, path) for key in ("X0", "Delta_X"))
        if not (np.isfinite(first) and step > 0.0):
            raise ReadError("has no X column, and its head no X0 and Delta_X that give one", path)
        time = first + step * np.arange(len(table))
    units = [*head.get("Y_Unit_Label", []), *[""] * len(names)][: len(names)]
    fresh = distinct(names)
    chosen = columns(fresh, wanted, path)
    begin = " ".join(head[key][0] for key in ("Date", "Time") if head.get(key))
    return Record(
        path,
        time,
        [fresh[j] for j in chosen],
        [names[j] for j in chosen],
        [units[j] for j in chosen],
        np.ascontiguousarray(table[:, [j + 1 for j in chosen]].T),
        place=places,
        information={
            "format": "LabVIEW measurement (text)",
            "description": head.get("Description", [""])[0],
            "begin": begin,
        },
    )


def _rows(
    lines: list[str], first: int, sign: str, decimal: str, channels: int, path: Path
) -> tuple[list[list[float]], list[int]]:
    """Rows of time and values from a line on, and the number of the line of each."""
    rows, places = [], []
    for i, line in enumerate(lines[first:], first + 1):
        cells = [word.strip() for word in line.split(sign)][: channels + 1]
        if not any(cells):
            continue
        if len(cells) <= channels:
            raise ReadError(f"line {i} has {len(cells) - 1} values, {channels} channels are named", path)
        rows.append([_number(word, decimal, i, path) for word in cells])
        places.append(i)
    if not rows:
        raise ReadError("holds a header and no samples", path)
    return rows, places


def _number(word: str, decimal: str, line: int, path: Path) -> float:
    """A cell; an empty one is not a number."""
    if not word or word.lower() == "nan":
        return float("nan")
    try:
        return float(word.replace(decimal, "."))
    except ValueError:
        raise ReadError(f"{word!r} in line {line} is not a number", path) from None
