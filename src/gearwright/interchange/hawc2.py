"""HAWC2 results (``.sel`` with ``.dat``, text or binary) and BHAWC results (the same suffixes, another head).

``.sel`` of HAWC2: scans, channels, length and format in the line below ``Scans``; then one line per channel with
number (columns 1 to 12), name (13 to 43), unit (44 to 54) and description; for the binary form one scale factor per
channel. The binary ``.dat`` holds int16, the samples of a channel together: ``value = factor * number``. Channel 1 is the
time. Layout after the public reader ``wetb/hawc2``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .openfast import number_table
from .recognise import sibling
from .record import Float, ReadError, Record, columns, distinct, lines_of, load_bytes, seconds
from .source import Lazy, Place, Source

_CHANNEL = re.compile(r"^\s*(\d+)\s{2,}\S")
_MOST = 100_000


@dataclass
class _Head:
    """What a ``.sel`` file says."""

    scans: int
    form: str
    names: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    factors: list[float] = field(default_factory=list)


def read_hawc2(path: Path, wanted: list[str] | None) -> Record:
    """Channels of a HAWC2 or BHAWC result, from either of its two files."""
    suffix = path.suffix.lower()
    sel = path if suffix == ".sel" else sibling(path, ".sel")
    dat = sibling(path, ".dat") if suffix == ".sel" else path
    if sel is None:
        raise ReadError("has no .sel file of the same name beside it, which says what its channels are", path)
    if dat is None:
        raise ReadError("has no .dat file of the same name beside it, which holds its values", path)
    head = _head(sel)
    fresh = distinct(head.names[1:])
    chosen = columns(fresh, wanted, path, head.texts[1:])
    time: Float
    values: Float | Lazy
    of: list[int] | None
    if head.form == "BINARY":
        time, values, of = _binary(dat, head, chosen)
    else:
        time, values, of = _text(dat, head, chosen)
    return Record(
        dat,
        seconds(time, head.units[0], dat),
        [fresh[j] for j in chosen],
        [head.names[j + 1] for j in chosen],
        [head.units[j + 1] for j in chosen],
        values,
        place=of,
        information={
            "format": f"{'BHAWC' if head.form == 'BHAWC' else 'HAWC2'} {'binary' if head.form == 'BINARY' else 'text'}",
            "description": "",
        },
        descriptions=[head.texts[j + 1] for j in chosen],
    )


def _head(path: Path) -> _Head:
    lines = lines_of(load_bytes(path))
    if not any(line.strip() for line in lines):
        raise ReadError("is empty", path)
    at = next((i for i, line in enumerate(lines) if re.match(r"\s*Scans\s+Channels", line)), None)
    if at is None or at + 1 >= len(lines):
        raise ReadError("is not a .sel file of HAWC2 or BHAWC: there is no line 'Scans Channels ...'", path)
    words = lines[at + 1].split()
    try:
        scans, channels = int(words[0]), int(words[1])
    except (ValueError, IndexError):
        raise ReadError(
            f"line {at + 2}: scans and channels are two whole numbers, not {lines[at + 1].strip()[:40]!r}", path
        ) from None
    if scans < 1 or not 1 <= channels <= _MOST:
        raise ReadError(f"damaged header: {scans} scans of {channels} channels in line {at + 2}", path)
    bhawc = "Coordinate convention" in lines[at] or "BHawC" in lines[0]
    form = "BHAWC" if bhawc else (words[3].upper() if len(words) > 3 else "ASCII")
    if form not in ("ASCII", "BINARY", "BHAWC"):
        raise ReadError(f"line {at + 2}: format {form!r} is not ASCII or BINARY", path)
    head = _Head(scans, form)
    rest = lines[at + 2 :]
    label = unit = 0
    if bhawc:
        heading = next((line for line in rest if "Label" in line and "Unit" in line), "")
        label, unit = heading.find("Label"), heading.find("Unit")
        if not 0 < label < unit:
            raise ReadError("has no line that heads the columns Label and Unit", path)
    for offset, line in enumerate(rest):
        if len(head.names) == channels:
            rest = rest[offset:]
            break
        match = _CHANNEL.match(line)
        if not match:
            continue
        if int(match[1]) != len(head.names) + 1:
            raise ReadError(f"line {at + 3 + offset}: channel {match[1]} where {len(head.names) + 1} is expected", path)
        for into, text in zip((head.names, head.units, head.texts), _parts(line, label, unit), strict=True):
            into.append(text)
    if len(head.names) != channels:
        raise ReadError(f"truncated: {channels} channels are announced, {len(head.names)} are listed", path)
    if form == "BINARY":
        head.factors = _factors(rest, channels, path)
    return head


def _parts(line: str, label: int, unit: int) -> tuple[str, str, str]:
    """Name, unit and description of a channel line; ``label`` and ``unit`` are the columns of BHAWC's head (0: HAWC2)."""
    if not label:
        return line[12:43].strip() or "channel", line[43:54].strip(), line[54:].strip()
    text = re.sub(r"^\s*\d+", "", line[:label])
    return line[label:unit].strip() or "channel", line[unit:].strip().strip("[]"), " ".join(text.split())


def _factors(lines: list[str], channels: int, path: Path) -> list[float]:
    start = next((i for i, line in enumerate(lines) if line.strip().lower().startswith("scale factors")), None)
    if start is None:
        raise ReadError("is of a binary result, but has no scale factors", path)
    found: list[float] = []
    for line in lines[start + 1 :]:
        for word in line.split():
            try:
                found.append(float(word))
            except ValueError:
                raise ReadError(f"scale factor {word[:20]!r} is not a number", path) from None
    if len(found) < channels:
        raise ReadError(f"truncated: {channels} channels, {len(found)} scale factors", path)
    return found[:channels]


def _binary(path: Path, head: _Head, chosen: list[int]) -> tuple[Float, Lazy, None]:
    source = Source(path)
    width = len(head.names)
    factors = np.array(head.factors)

    def value(raw: np.ndarray, j: Place) -> Float:
        return raw * factors[j]

    with source as file:
        if file.size != 2 * head.scans * width:
            what = "truncated: " if file.size < 2 * head.scans * width else "does not fit its .sel file: "
            raise ReadError(
                f"{what}{head.scans} scans of {width} channels take {2 * head.scans * width} bytes, it has {file.size}",
                path,
            )
    table = Lazy(source, 0, "<i2", head.scans, width, [j + 1 for j in chosen], value, together=False)
    time = Lazy(source, 0, "<i2", head.scans, width, [0], value, together=False).one(0)
    return _even(time, factors[0]), table, None


def _even(time: Float, step: float) -> Float:
    """The time of a binary result is rounded to one part in 32000 of its length: where that hides an even sampling, the
    even times are taken."""
    if len(time) < 3:
        return time
    even = np.linspace(time[0], time[-1], len(time))
    return even if np.abs(time - even).max() <= 1.01 * abs(step) and even[-1] > even[0] else time


def _text(path: Path, head: _Head, chosen: list[int]) -> tuple[Float, Float, list[int]]:
    content = load_bytes(path)
    if b"\0" in content[:4096]:
        raise ReadError("is binary, but its .sel file says text", path)
    rows = [(i, line) for i, line in enumerate(lines_of(content), 1) if line.strip()]
    if len(rows) != head.scans:
        what = "truncated: " if len(rows) < head.scans else "does not fit its .sel file: "
        raise ReadError(f"{what}{head.scans} scans are announced, it has {len(rows)} lines", path)
    table = number_table(rows, head.names, content.endswith((b"\n", b"\r")), path)
    return table[:, 0], np.ascontiguousarray(table[:, [j + 1 for j in chosen]].T), [i for i, _ in rows]
