"""Tables of a result of this program: what the run counted itself, at its counting interval and without the discarded part.

The stored series is filtered, thinner and begins at zero: counting it again would be a second way to a figure, with another
value. It is gone only where a part of the time is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.errors import listed
from gearwright.results import Result

from .record import ReadError, unit


def counted_table(
    path: Path, table: str, names: Sequence[str], exponents: Sequence[float] | None, bins: int | None
) -> list[tuple[str, str, Any]]:
    """Columns (name, unit, values) of ``del``, ``rainflow`` or ``markov`` as the run counted them.

    Raises ReadError for channels that were not counted, exponents or bins that the file does not hold.
    """
    with Result.reading(path) as result:
        if table == "del":
            return _equivalents(result, names, exponents)
        if len(names) != 1:
            raise ReadError(f"counts are of one channel; name one of {listed(names, 20)}", path)
        return _cycles(result, names[0], bins) if table == "rainflow" else _levels(result, names[0])


def counted_statistics(path: Path) -> dict[str, dict[str, float]]:
    """Mean, standard deviation and extremes of every channel, as the run counted them."""
    with Result.reading(path) as result:
        return {
            row.name: {"mean": row.mean, "std": row.standard_deviation, "min": row.minimum, "max": row.maximum}
            for row in result.table()
        }


def _equivalents(result: Result, names: Sequence[str], exponents: Sequence[float] | None) -> list[tuple[str, str, Any]]:
    counted = [row for row in result.table() if row.name in names and row.equivalents]
    if not counted:
        raise ReadError(f"the run counted no cycles of {listed(names, 8)}", result.path)
    known = [float(m) for m in result.values("exponent")]
    missing = [m for m in exponents or () if m not in known]
    if missing:
        raise ReadError(
            f"the run counted with the exponents {listed([f'{m:g}' for m in known], 20)}, not {listed([f'{m:g}' for m in missing], 8)}: "
            f"add them to 'exponents' of the case and run again, or count the stored series with --from {result.attributes['discard_s']:g}",
            result.path,
        )
    cycles = float(result.attributes["reference_frequency_hz"]) * float(result.attributes["counted_duration_s"])
    columns: list[tuple[str, str, Any]] = [
        ("channel", "", [r.name for r in counted]),
        ("unit", "", [unit(r.unit) for r in counted]),
        ("mean", "", np.array([r.mean for r in counted])),
        ("min", "", np.array([r.minimum for r in counted])),
        ("max", "", np.array([r.maximum for r in counted])),
    ]
    columns += [(f"del_m{m:g}", "", np.array([r.equivalents[m] for r in counted])) for m in exponents or known]
    return [*columns, ("reference_cycles", "1", np.full(len(counted), cycles))]


def _cycles(result: Result, name: str, bins: int | None) -> list[tuple[str, str, Any]]:
    variable, row, spelled = result.place(name)
    if f"{variable}_cycles" not in result.file.variables:
        raise ReadError(f"the run counted no cycles of {name}", result.path)
    counts = np.asarray(result.values(f"{variable}_cycles", row), float)
    edges = np.asarray(result.values(f"{variable}_cycles_edge", row), float)
    chosen = len(counts) if bins is None else bins
    if chosen < 1 or len(counts) % chosen:
        fitting = [str(n) for n in range(1, len(counts) + 1) if len(counts) % n == 0]
        raise ReadError(
            f"the run counted in {len(counts)} bins, which can be joined to {listed(fitting, 20)}, not {chosen}",
            result.path,
        )
    each = len(counts) // chosen
    counts, edges = counts.reshape(chosen, each).sum(axis=1), edges[::each]
    last = int(np.max(np.flatnonzero(counts), initial=0)) + 1
    of = unit(spelled)
    return [
        ("range_from", of, edges[:last]),
        ("range_to", of, edges[1 : last + 1]),
        ("cycles", "1", counts[:last]),
        ("cycles_above", "1", counts[:last][::-1].cumsum()[::-1]),
    ]


def _levels(result: Result, name: str) -> list[tuple[str, str, Any]]:
    """Cycles from the lower to the upper level: a run keeps range and mean of a cycle, not which of its ends came first."""
    matrix = result.range_mean(name)
    of = unit(result.place(name)[2])
    rows, columns = np.nonzero(matrix.counts)
    half = 0.25 * (matrix.row_edges[1:] + matrix.row_edges[:-1])[rows]
    mean = 0.5 * (matrix.column_edges[1:] + matrix.column_edges[:-1])[columns]
    return [("from", of, mean - half), ("to", of, mean + half), ("cycles", "1", matrix.counts[rows, columns])]
