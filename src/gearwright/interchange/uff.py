"""Universal files: functions at nodes (data set 58, text and binary 58b), time responses as series, others as tables.

Own code: the format is eleven lines and numbers, and every count is checked; the tests compare with pyuff.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .axes import Channel, held, records
from .record import Facts, Float, Grid, ReadError, Record, Variable, columns, decode, distinct, load_bytes

_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[EeDd][+-]?\d+)?|[+-]?[Nn][Aa][Nn]|[+-]?[Ii]nf(?:inity)?")
_END = re.compile(rb"^[ ]{0,5}-1[ \t]*\r?$", re.MULTILINE)
_START = re.compile(rb"^[ ]{0,5}-1[ \t]*\r?\n", re.MULTILINE)
_DIRECTIONS = {
    0: "",
    1: "+X",
    -1: "-X",
    2: "+Y",
    -2: "-Y",
    3: "+Z",
    -3: "-Z",
    4: "+RX",
    -4: "-RX",
    5: "+RY",
    -5: "-RY",
    6: "+RZ",
    -6: "-RZ",
}
_TIME_RESPONSE = (0, 1)


@dataclass
class _Function:
    """One data set 58."""

    name: str
    text: str
    kind: int
    abscissa: Float
    values: np.ndarray
    unit: str
    abscissa_label: str
    abscissa_unit: str


def read_uff(path: Path, wanted: Sequence[str] | None) -> list[Record] | Grid:
    """Time responses of data sets 58; a file with none of them gives its functions (spectra, FRF) as a table."""
    content = load_bytes(path)
    functions, others = _functions(content, path)
    if not functions:
        sets = ", ".join(sorted(others)) or "none"
        raise ReadError(f"has no function at nodes (data set 58); data sets in it: {sets}", path)
    series = [f for f in functions if f.kind in _TIME_RESPONSE and f.values.dtype.kind == "f"]
    about: Facts = {"format": "Universal file, data set 58", "description": functions[0].text}
    if series:
        channels = [
            Channel(f.name, f.unit, len(f.values), k, held(f.abscissa), held(f.values), f.text)
            for k, f in enumerate(series)
        ]
        return records(path, channels, wanted, about, len(content))
    return _table(functions, wanted, path, about)


def _table(functions: list[_Function], wanted: Sequence[str] | None, path: Path, about: Facts) -> Grid:
    first = functions[0]
    axis = "frequency" if "freq" in first.abscissa_label.lower() or first.kind in (2, 3, 4, 6, 9, 12) else "abscissa"
    names = distinct([f.name for f in functions])
    variables: dict[str, Variable] = {}
    for j in columns(names, wanted, path, [f.text for f in functions]):
        f = functions[j]
        if len(f.abscissa) != len(first.abscissa) or not np.allclose(f.abscissa, first.abscissa):
            raise ReadError(f"{names[j]} stands over another axis than {names[0]}; name those of one axis", path)
        if f.values.dtype.kind == "c":
            variables[f"{names[j]} real"] = Variable((axis,), f.values.real.copy(), f.unit, f.name, f.text)
            variables[f"{names[j]} imaginary"] = Variable((axis,), f.values.imag.copy(), f.unit, f.name, f.text)
        else:
            variables[names[j]] = Variable((axis,), f.values, f.unit, f.name, f.text)
    unit = first.abscissa_unit or ("Hz" if axis == "frequency" else "")
    return Grid(
        path, "table", {axis: Variable((axis,), first.abscissa, unit, first.abscissa_label)}, variables, dict(about)
    )


def _functions(content: bytes, path: Path) -> tuple[list[_Function], set[str]]:
    """Data sets 58 of a file, and the numbers of its other data sets."""
    found: list[_Function] = []
    others: set[str] = set()
    at = 0
    while True:
        start = _START.search(content, at)
        if start is None:
            return found, others
        line_end = content.find(b"\n", start.end())
        head = decode(content[start.end() : line_end if line_end >= 0 else len(content)]).rstrip("\r")
        kind = head[:7].strip()
        if kind not in ("58", "58b"):
            others.add(kind or "?")
            end = _END.search(content, start.end())
            if end is None:
                raise ReadError(f"truncated: data set {kind or '?'} is not closed by a line with -1", path)
            at = end.end()
            continue
        if line_end < 0:
            raise ReadError("truncated: it ends in the head of a data set 58", path)
        function, at = _one(content, head, line_end + 1, len(found) + 1, path)
        found.append(function)


def _one(content: bytes, head: str, at: int, number: int, path: Path) -> tuple[_Function, int]:
    lines: list[str] = []
    for _ in range(11):
        end = content.find(b"\n", at)
        if end < 0:
            raise ReadError(f"truncated: function {number} ends in its head", path)
        lines.append(decode(content[at:end]).rstrip("\r"))
        at = end + 1
    binary = head[:7].strip() == "58b"
    try:
        kind = int(lines[5][:5])
        response = lines[5][31:41].strip(), int(lines[5][41:51] or 0), int(lines[5][51:55] or 0)
        ordinate, count, even = int(lines[6][:10]), int(lines[6][10:20]), int(lines[6][20:30])
        first, step = (float(lines[6][30 + 13 * k : 43 + 13 * k].upper().replace("D", "E")) for k in range(2))
    except (ValueError, IndexError):
        raise ReadError(
            f"the head of function {number} is not readable (lines 6 and 7 of a data set 58)", path
        ) from None
    if ordinate not in (2, 4, 5, 6) or count < 1 or even not in (0, 1):
        raise ReadError(f"damaged head of function {number}: type {ordinate}, {count} values, spacing {even}", path)
    is_complex, double = ordinate in (5, 6), ordinate in (4, 6)
    per = (2 if is_complex else 1) + (1 - even)
    if binary:
        raw, at = _binary(content, head, at, count, per, double, even, number, path)
    else:
        closing = _END.search(content, at)
        if closing is None:
            raise ReadError(f"truncated: function {number} is not closed by a line with -1", path)
        raw = _text(content[at : closing.start()], count * per, number, path)
        at = closing.end()
    table = raw.reshape(count, per)
    if even and not step > 0.0:
        raise ReadError(f"damaged head of function {number}: steps of {step:g}", path)
    abscissa = np.asarray(first + step * np.arange(count) if even else table[:, 0], float)
    values = table[:, 1 - even :]
    name = (
        f"{response[0] if response[0] not in ('', 'NONE') else 'node'} {response[1]}{_DIRECTIONS.get(response[2], '')}"
    )
    text = " ".join(w for w in (lines[0].strip(), lines[1].strip()) if w and w.upper() != "NONE")
    if response[1] == 0 and text:
        name = lines[0].strip() if lines[0].strip().upper() != "NONE" else text
    label = (lines[7][25:46].strip(), lines[7][46:67].strip())
    unit = lines[8][46:67].strip()
    return _Function(
        " ".join(name.split()),
        text,
        kind,
        abscissa,
        values[:, 0] + 1j * values[:, 1] if is_complex else values[:, 0].copy(),
        "" if unit.upper() == "NONE" else unit,
        label[0],
        "" if label[1].upper() == "NONE" else label[1],
    ), at


def _text(block: bytes, wanted: int, number: int, path: Path) -> Float:
    words = _NUMBER.findall(block)
    if _NUMBER.sub(b"", block).strip():
        odd = _NUMBER.sub(b"", block).split()[0][:20]
        raise ReadError(f"function {number} holds {decode(odd)!r} among its numbers", path)
    if len(words) != wanted:
        what = "truncated: " if len(words) < wanted else ""
        raise ReadError(f"{what}function {number} announces {wanted} numbers, it has {len(words)}", path)
    return np.array([float(w.upper().replace(b"D", b"E")) for w in words])


def _binary(
    content: bytes, head: str, at: int, count: int, per: int, double: bool, even: int, number: int, path: Path
) -> tuple[Float, int]:
    try:
        order, form = int(head[7:13]), int(head[13:19])
    except ValueError:
        raise ReadError(f"the head of function {number} (58b) is not readable", path) from None
    if order not in (1, 2) or form != 2:
        raise ReadError(
            f"function {number} is in byte order {order}, number format {form}; IEEE numbers are read", path
        )
    sign = "<" if order == 1 else ">"
    values = "f8" if double else "f4"
    # the abscissa of an uneven spacing is single precision
    fields = [("x", f"{sign}f4")] if not even else []
    fields += [(f"v{k}", sign + values) for k in range(per - (1 - even))]
    kind = np.dtype(fields)
    # the announced size is not relied on (some writers count complex values once): the closing -1 is what tells
    size = count * kind.itemsize
    if at + size > len(content):
        raise ReadError(f"truncated: function {number} takes {size} bytes, {len(content) - at} are left", path)
    raw = np.frombuffer(content, kind, count, at)
    end = re.compile(rb"\s*-1[ \t]*\r?(\n|$)").match(content, at + size)
    if end is None:
        raise ReadError(f"damaged: function {number} is not closed by -1 behind its values", path)
    return np.array([np.asarray(raw[name], float) for name in kind.names or ()]).T.ravel(), end.end()
