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
from typing import Any

import numpy as np

from .record import Float, Grid, ReadError, Record, Variable
from .source import Later

#: Seconds that a child may take, and bytes that it has to read in each further second.
PATIENCE = 20.0
_RATE = 2e6


def in_child(kind: str, path: Path, wanted: Sequence[str] | None, **options: Any) -> list[Record] | Grid:
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
    head = json.loads(answer[8 : 8 + length])
    if "error" in head:
        raise ReadError(head["error"], path)
    numbers = np.frombuffer(answer, "<f8", offset=8 + length + (-length) % 8)
    return _received(head, numbers, path)


def _received(head: dict[str, Any], numbers: Float, path: Path) -> list[Record] | Grid:
    at = 0

    def take(shape: list[int]) -> Float:
        nonlocal at
        count = int(np.prod(shape))
        at += count
        return numbers[at - count : at].reshape(shape).copy()

    if head["kind"] == "grid":
        parts = [
            {name: Variable(tuple(v["dimensions"]), take(v["shape"]), v["unit"]) for name, v in head[key].items()}
            for key in ("coordinates", "variables")
        ]
        return Grid(path, "field", parts[0], parts[1], head["information"])
    return [
        Record(
            path,
            take([r["samples"]]),
            r["names"],
            r["original"],
            r["units"],
            Later(r["names"], r["samples"]) if r["later"] else take([len(r["names"]), r["samples"]]),
            information=r["information"],
            descriptions=r["descriptions"],
        )
        for r in head["records"]
    ]


def sent(found: list[Record] | Grid) -> tuple[dict[str, Any], list[Float]]:
    """Head and arrays of what was read, in the form that the parent takes."""
    if isinstance(found, Grid):
        head: dict[str, Any] = {"kind": "grid", "information": found.information}
        arrays = []
        for key in ("coordinates", "variables"):
            part = getattr(found, key)
            head[key] = {
                n: {"dimensions": v.dimensions, "shape": np.shape(v.values), "unit": v.unit} for n, v in part.items()
            }
            arrays += [np.asarray(v.values, float) for v in part.values()]
        return head, arrays
    head = {
        "kind": "series",
        "records": [
            {
                "samples": len(r.time),
                "names": r.names,
                "original": r.original,
                "units": r.units,
                "information": r.information,
                "descriptions": r.descriptions,
                "later": isinstance(r.values, Later),
            }
            for r in found
        ],
    }
    return head, [
        a for r in found for a in ((r.time,) if isinstance(r.values, Later) else (r.time, np.asarray(r.values, float)))
    ]
