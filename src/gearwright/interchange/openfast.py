"""OpenFAST and FAST result files: ``.out`` (text) and ``.outb`` (binary, file ids 1 to 4).

The binary layout is that of the OpenFAST source (``NWTC_IO``, ``WrBinFAST``) and of the public reader
``openfast_toolbox/io/fast_output_file.py``:

=====  ==============================================================================
id     content
=====  ==============================================================================
1      channels packed to int16, time packed to int32
2      channels packed to int16, time as start and step
3      channels as float64, time as start and step
4      as 2, with the length of a channel name stated (10 in the others)
=====  ==============================================================================

A packed channel is ``value = (packed - offset) / scale``. All sizes are compared with the size of the file
before anything is allocated, so a damaged header is an error and never a large array.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .record import Float, ReadError, Record, columns, distinct, lines_of, load_bytes, seconds
from .source import Lazy, Place, Source

_TIME_PACKED, _PACKED, _DOUBLE, _LONG_NAMES = 1, 2, 3, 4
_NAME_LENGTH = 10
_HEADER_LINES = 200


def read_binary(path: Path, wanted: Sequence[str] | None) -> Record:
    """The head of an ``.outb`` file and its channels, still in the file (None: all)."""
    source = Source(path)
    with source as file:
        if not file.size:
            raise ReadError("is empty", path)
        kind = int(file.number("h", "the file id"))
        if kind not in (_TIME_PACKED, _PACKED, _DOUBLE, _LONG_NAMES):
            swapped = kind % 256 == 0 and kind >> 8 in (1, 2, 3, 4)
            order = " (its bytes seem to be in the other order)" if swapped else ""
            raise ReadError(f"is not an OpenFAST binary file: it starts with id {kind}, not 1, 2, 3 or 4{order}", path)
        length = file.count("h", "the length of a channel name", 1) if kind == _LONG_NAMES else _NAME_LENGTH
        channels = file.count("i", "the number of channels", 1)
        samples = file.count("i", "the number of samples", 1)
        first = file.number("d", "the time")
        second = file.number("d", "the time")
        # Everything has a stated size: compare with the file before a single array is made.
        scaled = kind != _DOUBLE
        cell = 2 if scaled else 8
        least = 2 * (channels + 1) * length + samples * channels * cell + (8 * channels if scaled else 0)
        if file.at + least > file.size:
            raise ReadError(
                f"truncated, or its header is damaged: {channels} channels of {samples} samples need more than "
                f"the {file.size} bytes it has",
                path,
            )
        scale = file.array("<f4", channels, "the scales") if scaled else np.ones(channels, "<f4")
        offset = file.array("<f4", channels, "the offsets") if scaled else np.zeros(channels, "<f4")
        with np.errstate(all="ignore"):
            factor, shift = scale.astype(float), offset.astype(float)
        description_size = file.count("i", "the length of the description", 0)
        description = file.words(1, description_size, "the description")[0]
        names = file.words(channels + 1, length, "the channel names")[1:]
        units = file.words(channels + 1, length, "the units")[1:]
        packed_time = file.array("<i4", samples, "the times") if kind == _TIME_PACKED else None
        fresh = distinct(names)
        chosen = columns(fresh, wanted, path)

        def value(raw: np.ndarray, j: Place) -> Float:
            return (raw - shift[j]) / factor[j] if scaled else np.asarray(raw, float)

        values = Lazy(source, file.at, "<i2" if scaled else "<f8", samples, channels, chosen, value)
        end = file.at + samples * channels * cell
        behind = file.size - end
        beyond = f"{behind} bytes behind its last sample are not read" if behind else ""
    with np.errstate(all="ignore"):  # a zero scale shows itself as a value that is not finite
        if packed_time is not None:
            time = np.asarray((packed_time.astype(float) - second) / first, float)
        else:
            time = np.asarray(first + second * np.arange(samples), float)
    return Record(
        path,
        time,
        [fresh[j] for j in chosen],
        [names[j] for j in chosen],
        [units[j] for j in chosen],
        values,
        information={
            "format": f"OpenFAST binary, id {kind}",
            "description": description,
            **({"unread": beyond} if beyond else {}),
        },
    )


def read_text(path: Path, wanted: Sequence[str] | None) -> Record:
    """Read an ``.out`` text file (also gzipped); only the wanted channels are kept (None: all)."""
    content = load_bytes(path)
    if not content.strip():
        raise ReadError("is empty", path)
    lines = lines_of(content)
    head = _header(lines, path)
    names = _words(lines[head])
    units = [word.strip() for word in _words(lines[head + 1])]
    if len(names) != len(units):
        raise ReadError(
            f"damaged header: {len(names)} names in line {head + 1}, {len(units)} units in line {head + 2}",
            path,
        )
    fresh = distinct(names[1:])
    chosen = columns(fresh, wanted, path)
    body = [(i + 1, line) for i, line in enumerate(lines[head + 2 :], head + 2) if line.strip()]
    closing = ""
    while len(body) > 1 and body[-1][1].split()[0][0].isalpha() and not _is_value(body[-1][1].split()[0]):
        closing = body.pop()[1].strip() + (f" {closing}" if closing else "")
    if not body:
        raise ReadError("holds a header and no samples", path)
    table = number_table(body, names, content.endswith((b"\n", b"\r")), path)
    return Record(
        path,
        seconds(table[:, 0], units[0], path),
        [fresh[j] for j in chosen],
        [names[j + 1] for j in chosen],
        [units[j + 1] for j in chosen],
        np.ascontiguousarray(table[:, [j + 1 for j in chosen]].T),
        place=[number for number, _ in body],
        information={
            "format": "OpenFAST text",
            "description": " ".join(line.strip().strip('"') for line in lines[:head] if line.strip()),
            **({"unread": f"not read, below the samples: {closing[:120]}"} if closing else {}),
        },
    )


def _header(lines: list[str], path: Path) -> int:
    """Index of the line of names: its first word is Time and the line below starts with a unit."""
    for i, line in enumerate(lines[:_HEADER_LINES]):
        words = line.split()
        if words and words[0].strip('"').lower() == "time" and i + 1 < len(lines):
            below = lines[i + 1].lstrip(' \t"')
            if below.startswith(("(", "[")):
                return i
    raise ReadError("is not an OpenFAST text file: no line of names that starts with Time above one of units", path)


def _words(line: str) -> list[str]:
    """Words of a header line; tab-separated where it has tabs (a unit may hold a blank)."""
    words = line.rstrip().split("\t") if "\t" in line.strip() else line.split()
    return [word.strip().strip('"').strip() for word in words]


def number_table(body: list[tuple[int, str]], names: list[str], ended: bool, path: Path) -> Float:
    """Rows of numbers, (samples, columns); ``body`` holds line numbers and lines, ``ended`` whether the last is whole."""
    width = len(names)
    # The last row of a file that was cut off is short, or its last number is (no line end behind it).
    last = body[-1][1].split()
    if len(last) < width:
        raise ReadError(f"truncated: line {body[-1][0]}, the last, has {len(last)} of {width} values", path)
    if not ended and len(body) > 1 and len(last[-1]) < len(body[-2][1].split()[-1]):
        raise ReadError(f"truncated: it ends within a number ({last[-1]!r}) in line {body[-1][0]}", path)
    try:
        table = np.loadtxt([line for _, line in body], ndmin=2, comments=None)
        if table.shape[1] == width:
            return table
    except ValueError:
        pass  # found again below, with its place
    cells = [line.split() for _, line in body]
    for (number, _), words in zip(body, cells, strict=True):
        if len(words) != width:
            raise ReadError(f"line {number} has {len(words)} values, the header {width} names", path)
    return np.array(
        [
            [_number(word, name, number, path) for word, name in zip(words, names, strict=True)]
            for (number, _), words in zip(body, cells, strict=True)
        ]
    )


def _is_value(word: str) -> bool:
    """Whether a word is a number, ``NaN`` and ``Infinity`` among them."""
    try:
        float(word)
    except ValueError:
        return False
    return True


def _number(word: str, name: str, line: int, path: Path) -> float:
    """A number as Fortran writes it: ``1.0D+03``, or ``1.0-105`` where the exponent has three digits."""
    plain = re.sub(r"^([+-]?[\d.]+)([+-]\d+)$", r"\1E\2", word.upper().replace("D", "E"))
    try:
        return float(plain)
    except ValueError:
        raise ReadError(f"channel {name} is {word!r}, not a number, in line {line}", path) from None
