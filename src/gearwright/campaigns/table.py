"""The table of a campaign: one row per run, written piece by piece, and the tables of extremes made from it."""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.units import any_si

from .folder import CampaignError, Folder
from .line import Figures, Line, Ultimate
from .plan import Plan

#: what stands in a cell of the table
Cell = str | int | float | bool | None
#: rows of one piece of the table in memory
_PIECE = 256
#: how Python writes numbers
_WHOLE = re.compile(r"-?\d+")
_NUMBER = re.compile(r"-?(\d+(\.\d*)?(e[-+]?\d+)?|inf|nan)")


def row_of(line: Line) -> dict[str, Cell]:
    """A line as one flat row: id, values by path, method, energy error, ``channel|figure`` for every channel."""
    row: dict[str, Cell] = {"id": line["id"]}
    row.update({path: _plain(value) for path, value in line["values"].items()})
    row.update(method=line.get("method"), duration_s=line.get("duration_s"), energy_error=line.get("energy_error"))
    for name, channel in line.get("channels", {}).items():
        row.update({f"{name}|{figure}": x for figure, x in channel.items() if isinstance(x, float | int)})
        row.update({f"{name}|del_{m}": value for m, value in channel.get("del", {}).items()})
    return row


def _plain(value: Any) -> Cell:
    """A number where a quantity is written (``17 m/s`` is 17.0), else the text."""
    if isinstance(value, bool) or not isinstance(value, str):
        return value if isinstance(value, (int, float, bool)) or value is None else json.dumps(value, default=str)
    found = any_si(value)
    return found if isinstance(found, (int, float)) else value


def write_table(folder: Folder, plan: Plan) -> Path:
    """Write ``table.csv`` of the finished runs, in the order of the plan, and where pyarrow is installed ``table.parquet``.

    Memory does not grow with the number of runs. Columns are those of all runs; a run without one has no value.
    Raises CampaignError if the disk is full.
    """
    target = folder.path / "table.csv"
    kinds: dict[str, type] = {"id": str}
    for line in folder.finished(plan):
        for name, value in row_of(line).items():
            known = kinds.get(name)
            kind = type(value)
            if known is None or known is type(None) or (known is int and kind is float):
                kinds[name] = kind
            elif kind not in (known, type(None)) and not (known is float and kind is int):
                kinds[name] = str
    temporary = folder.path / ".table.csv.tmp"
    try:
        with open(temporary, "w", newline="", encoding="utf-8") as text:
            rows = csv.DictWriter(text, list(kinds))
            rows.writeheader()
            for piece in _pieces(map(row_of, folder.finished(plan))):
                rows.writerows(piece)
        os.replace(temporary, target)
        _write_parquet(folder, plan, kinds)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise CampaignError(f"{target} cannot be written: {error.strerror}; the runs are kept") from None
    return target


def _write_parquet(folder: Folder, plan: Plan, kinds: Mapping[str, type]) -> None:
    """The table with types and units of columns for other programs; without pyarrow an older one goes, which would tell other runs."""
    target, temporary = folder.path / "table.parquet", folder.path / ".table.parquet.tmp"
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        target.unlink(missing_ok=True)
        return
    fields = {float: pyarrow.float64(), int: pyarrow.int64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(name, fields.get(kind, pyarrow.string())) for name, kind in kinds.items()])
    schema = schema.with_metadata({"campaign": plan.name, "fingerprint": plan.fingerprint})
    try:
        with parquet.ParquetWriter(temporary, schema) as writer:
            for piece in _pieces(map(row_of, folder.finished(plan))):
                columns = {name: [_as(row.get(name), kind) for row in piece] for name, kind in kinds.items()}
                writer.write_table(pyarrow.table(columns, schema))
        os.replace(temporary, target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _as(value: Any, kind: type) -> Any:
    return value if value is None or kind in (type(None), type(value)) else kind(value)


def _pieces(rows: Iterable[dict[str, Cell]]) -> Iterator[list[dict[str, Cell]]]:
    piece: list[dict[str, Cell]] = []
    for row in rows:
        piece.append(row)
        if len(piece) == _PIECE:
            yield piece
            piece = []
    if piece:
        yield piece


def read_table(folder: str | Path) -> dict[str, list[Any]]:
    """Columns of a campaign's table: numbers, truth values or texts, None where a run has no value.

    Raises CampaignError if the folder has none, or a damaged one.
    """
    place = Path(folder) / "table.csv"
    if not place.is_file():
        raise CampaignError(f"{folder} has no table.csv; run the campaign first")
    try:
        with open(place, newline="", encoding="utf-8") as text:
            names, *rows = csv.reader(text, strict=True)
        if "id" not in names:
            raise ValueError("it has no ids")
        cells = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        columns = {name: _values(name, found) for name, found in zip(names, cells, strict=True)}
    except (OSError, ValueError, MemoryError, csv.Error) as error:
        words = " ".join(str(error).split())[:120]
        raise CampaignError(f"{place} is damaged ({words}); run the campaign again, which writes it anew") from None
    return columns


def _values(name: str, cells: Sequence[str]) -> list[Any]:
    """The cells of a column as what was written: a column holds one kind, and a text that is a number became one before."""
    present = [cell for cell in cells if cell]
    if name == "id" or not present:
        return [cell or None for cell in cells]
    if set(present) <= {"True", "False"}:
        return [cell == "True" if cell else None for cell in cells]
    if all(map(_NUMBER.fullmatch, present)):
        kind: Callable[[str], Any] = int if all(map(_WHOLE.fullmatch, present)) else float
        return [kind(cell) if cell else None for cell in cells]
    return [cell or None for cell in cells]


def extremes(folder: Folder, plan: Plan) -> list[Ultimate]:
    """Ultimate loads of every channel and group of runs (all that the grid varies but the seed).

    One row per channel and group: ``group``, ``channel``, ``unit``, ``runs``, ``max`` and ``min`` with the ids that
    govern, ``mean_of_max`` (mean over the seeds of each run's largest magnitude, S1 chapter 5),
    ``mean_of_upper_half`` (mean of the larger half, IEC 61400-1 section 7.6.2 for DLC 2.1, 2.2, 5.1),
    ``characteristic`` (the mean_of_max), ``design`` (times the partial factor), ``mean`` and ``std`` of the runs.
    """
    groups: dict[str, dict[str, list[tuple[str, Figures]]]] = {}
    for line in folder.finished(plan):
        key = json.dumps([line["values"].get(path) for path in plan.group], default=str)
        for name, channel in line.get("channels", {}).items():
            groups.setdefault(key, {}).setdefault(name, []).append((line["id"], channel))
    rows: list[Ultimate] = []
    for key, channels in groups.items():
        group = dict(zip(plan.group, json.loads(key), strict=True))
        for name, runs in channels.items():
            high = np.array([c["max"] for _, c in runs])
            low = np.array([c["min"] for _, c in runs])
            largest = np.sort(np.maximum(np.abs(high), np.abs(low)))[::-1]
            mean_of_max = float(largest.mean())
            std = math.sqrt(float(np.mean([c["std"] ** 2 for _, c in runs])))
            rows.append(
                {
                    "group": group,
                    "channel": name,
                    "unit": runs[0][1]["unit"],
                    "kind": runs[0][1]["kind"],
                    "runs": len(runs),
                    "max": float(high.max()),
                    "max_id": runs[int(high.argmax())][0],
                    "min": float(low.min()),
                    "min_id": runs[int(low.argmin())][0],
                    "mean_of_max": mean_of_max,
                    "mean_of_upper_half": float(largest[: max((len(largest) + 1) // 2, 1)].mean()),
                    "characteristic": mean_of_max,
                    "design": plan.partial_factor * mean_of_max,
                    "mean": float(np.mean([c["mean"] for _, c in runs])),
                    "std": std,
                }
            )
    return rows
