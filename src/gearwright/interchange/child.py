"""Reads HDF5 in a process of its own: the library can end or hang the interpreter on a damaged file.

The parent asks by one line of JSON and gets a head of JSON and plain arrays back; nothing that passes can run code. A child
that ends, hangs, or wants more memory than the file warrants, is an error of the file. It runs :mod:`.child_process`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .record import Facts, Float, Grid, ReadError, Record, Variable
from .source import Later

#: Seconds that a child may take, and bytes that it has to read in each further second.
PATIENCE = 20.0
_RATE = 2e6


class Series(NamedTuple):
    """A record without its numbers; whether those are read ``later``."""

    samples: int
    names: list[str]
    original: list[str]
    units: list[str]
    information: Facts
    descriptions: list[str] | None
    later: bool


class Part(NamedTuple):
    """A coordinate or variable of a grid without its numbers."""

    name: str
    dimensions: Sequence[str]
    shape: Sequence[int]
    unit: str
    coordinate: bool


class Head(NamedTuple):
    """What goes before the numbers, as JSON: why nothing was read, or the records, or the parts of a grid and what it says of itself."""

    error: str = ""
    records: Sequence[Series] = ()
    parts: Sequence[Part] | None = None
    information: Facts | None = None


def in_child(kind: str, path: Path, wanted: Sequence[str] | None, **options: str | bool) -> list[Record] | Grid:
    """What the reader of a kind (:mod:`.readers`) reads of a file, read in a child process.

    Raises
    ------
    ReadError : what the reader raises, and a child that ended, hung or could not be started.
    """
    size = path.stat().st_size
    ask = json.dumps({"kind": kind, "path": str(path), "size": size, "wanted": wanted, "options": options})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gearwright.interchange.child_process"],
            input=ask.encode(),
            capture_output=True,
            timeout=PATIENCE + size / _RATE,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ReadError("is damaged: the HDF5 library does not come to an end with it", path) from None
    except OSError as error:
        raise ReadError(
            f"is HDF5, which is read in a process of its own; it could not be started ({error})", path
        ) from None
    answer = done.stdout
    if done.returncode or len(answer) < 8:
        raise ReadError(f"is damaged: the HDF5 library ended its process with it (code {done.returncode})", path)
    length = int.from_bytes(answer[:8], "little")
    head = Head(*json.loads(answer[8 : 8 + length]))
    if head.error:
        raise ReadError(head.error, path)
    numbers = np.frombuffer(answer, "<f8", offset=8 + length + (-length) % 8)
    return _received(head, numbers, path)


def _received(head: Head, numbers: Float, path: Path) -> list[Record] | Grid:
    at = 0

    def take(shape: Sequence[int]) -> Float:
        nonlocal at
        count = int(np.prod(shape))
        at += count
        return numbers[at - count : at].reshape(shape).copy()

    if head.parts is not None:
        grid = Grid(path, "field", {}, {}, head.information or {})
        for part in (Part(*p) for p in head.parts):
            side = grid.coordinates if part.coordinate else grid.variables
            side[part.name] = Variable(tuple(part.dimensions), take(part.shape), part.unit)
        return grid
    return [
        Record(
            path,
            take([r.samples]),
            r.names,
            r.original,
            r.units,
            Later(r.names, r.samples) if r.later else take([len(r.names), r.samples]),
            information=r.information,
            descriptions=r.descriptions,
        )
        for r in (Series(*s) for s in head.records)
    ]


def sent(found: list[Record] | Grid) -> tuple[Head, list[Float]]:
    """Head and arrays of what was read, in the form that the parent takes."""
    if isinstance(found, Grid):
        both = [*found.coordinates.items(), *found.variables.items()]
        parts = [
            Part(name, v.dimensions, np.shape(v.values), v.unit, i < len(found.coordinates))
            for i, (name, v) in enumerate(both)
        ]
        return Head(parts=parts, information=found.information), [np.asarray(v.values, float) for _, v in both]
    records: list[Series] = []
    arrays: list[Float] = []
    for r in found:
        later = isinstance(r.values, Later)
        records.append(Series(len(r.time), r.names, r.original, r.units, r.information, r.descriptions, later))
        arrays += [r.time] if later else [r.time, np.asarray(r.values, float)]
    return Head(records=records), arrays
