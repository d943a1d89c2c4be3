"""Writers: series as OpenFAST ``.outb``, CSV, MAT, Parquet, netCDF; rainflow counts and equivalent loads as tables.

What is written is read again by :func:`gearwright.read` with the same names, units and values (an ``.outb`` file of int16
keeps the larger of 1/65535 of a channel's range and 6e-8 of its largest value).
"""

from __future__ import annotations

import csv
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gearwright.parts import whole
from gearwright.rating.equivalent import damage_equivalent_range
from gearwright.results import is_result
from gearwright.results.file import LIBRARY
from gearwright.results.rainflow import rainflow

from .dataset import loaded, sampling_of
from .own import counted_table
from .parquet import library
from .read import records_of
from .record import Float, ReadError, Record, unit

if TYPE_CHECKING:
    import xarray

_INT16 = 65535.0
#: largest number in single precision, less a hair
_SINGLE = 3.4e38
_EXPONENTS = (3.0, 4.0, 6.0, 9.0, 10.0)
#: rows of a table that are made to text at a time
_PIECE = 4096
TABLES = ("series", "del", "rainflow", "markov")


@dataclass(frozen=True)
class Column:
    """A column of a table: name, unit (one spelling) and values; texts or numbers."""

    name: str
    unit: str
    values: Any


def write(data: xarray.Dataset, path: str | Path, *, double: bool = False) -> Path:
    """Write series over time; the suffix says in which format.

    Parameters
    ----------
    data : Dataset with the coordinate ``time`` [s] and variables over it, as :func:`gearwright.read` gives
    path : ``.outb``, ``.csv``, ``.mat``, ``.parquet`` or ``.nc``
    double : ``.outb`` with float64 (names of at most ten letters) instead of int16

    Raises
    ------
    ReadError : an unknown suffix, no series over ``time``, a second time axis, what the format cannot hold.
    """
    target = Path(path)
    if "time" not in data.coords or not data.data_vars:
        raise ReadError("holds no series over time to write", str(data.attrs.get("source", "dataset")))
    other = next((str(n) for n, v in data.data_vars.items() if v.dims != ("time",)), None)
    if other is not None:
        raise ReadError(
            f"{other} is not over time alone; write the channels of one time axis", str(data.attrs.get("source", ""))
        )
    time = np.asarray(data["time"].values, float)
    columns = [Column("time", "s", time)]
    columns += [
        Column(str(n), str(v.attrs.get("units", "1")), np.asarray(v.values, float)) for n, v in data.data_vars.items()
    ]
    return write_columns(columns, target, series=True, double=double, description=str(data.attrs.get("source", "")))


def write_columns(
    columns: Sequence[Column], path: Path, *, series: bool = False, double: bool = False, description: str = ""
) -> Path:
    """Write columns of equal length; ``series``: the first is the time, so that ``.outb`` can be written too.

    Raises ReadError for an unknown suffix, a folder that is not there, and what the format cannot hold.
    """
    writers: dict[str, Callable[[Sequence[Column], Path], None]] = {
        ".csv": _csv,
        ".parquet": _parquet,
        ".mat": _mat,
        ".nc": _netcdf,
    }
    suffix = path.suffix.lower()
    if suffix == ".outb":
        if not series:
            raise ReadError("a table does not go into .outb; take .csv, .parquet or .mat", path)
    elif suffix not in writers:
        raise ReadError(f"cannot be written: {suffix or 'no suffix'} is not one of .outb, {', '.join(writers)}", path)
    if double and suffix != ".outb":
        raise ReadError("double belongs to .outb", path)
    try:
        if not path.parent.is_dir():
            raise ReadError(f"cannot be written: there is no folder {path.parent}", path)
        packed = _outb(columns, path, double, description) if suffix == ".outb" else b""
        with whole(path) as part:
            if suffix == ".outb":
                part.write_bytes(packed)
            else:
                writers[suffix](columns, part)
    except OSError as error:
        raise ReadError(f"cannot be written: {error.strerror or error}", path) from None
    return path


def _outb(columns: Sequence[Column], path: Path, double: bool, description: str) -> bytes:
    """OpenFAST binary, id 4 (int16, long names) or 3 (float64)."""
    time, channels = np.asarray(columns[0].values, float), columns[1:]
    step, uniform = sampling_of(time)
    if len(time) < 2 or not uniform:
        raise ReadError("OpenFAST's binary form needs a uniform time; write .csv, .mat or .parquet", path)
    step = float((time[-1] - time[0]) / (len(time) - 1))
    names = [b"Time", *(_latin(c.name) for c in channels)]
    units = [b"(s)", *(_latin(f"({c.unit if c.unit != '1' else '-'})") for c in channels)]
    length = 10
    if double:
        long = next((n for n in names if len(n) > length), None)
        if long is not None:
            raise ReadError(
                f"float64 in .outb has names of ten letters, {long.decode('latin-1')!r} is longer; leave out double, or "
                "write .parquet or .mat",
                path,
            )
        units = [u[:length] for u in units]
    else:
        length = max(length, *(len(w) for w in (*names, *units)))
    text = _latin(f"written by Gearwright from {description}" if description else "written by Gearwright")
    table = np.array([c.values for c in channels], float)
    if not np.isfinite(table).all():
        worst = channels[int(np.argmin(np.isfinite(table).all(axis=1)))].name
        raise ReadError(
            f"'{worst}' has values that are not finite, which .outb cannot hold; leave it out, or write .csv, .mat or "
            ".parquet",
            path,
        )
    head = struct.pack("<h", 3 if double else 4) + (b"" if double else struct.pack("<h", length))
    head += struct.pack("<iidd", len(channels), len(time), float(time[0]), step)
    words = struct.pack("<i", len(text)) + text + b"".join(w.ljust(length) for w in (*names, *units))
    if double:
        return head + words + np.ascontiguousarray(table.T, "<f8").tobytes()
    low, high = table.min(axis=1), table.max(axis=1)
    largest = np.maximum(np.abs(low), np.abs(high))
    if largest.max(initial=0.0) > _SINGLE:
        worst = channels[int(np.argmax(largest))].name
        raise ReadError(
            f"'{worst}' reaches {largest.max():.3g}; OpenFAST's binary form holds up to {_SINGLE:g}: write .csv, .mat "
            "or .parquet, or with double",
            path,
        )
    with np.errstate(divide="ignore", over="ignore"):
        # a scale so large that the offset loses its last digits in single precision would gain nothing
        scale = np.minimum(np.minimum(_INT16 / (high - low), 2.0**24 / largest), _SINGLE)
    # the middle of the range becomes zero; a little less than the whole range of int16, for the rounding of both
    scale = np.where(np.isfinite(scale) & (high > low), 0.9999 * scale, 1.0).astype("<f4")
    shift = np.where(high > low, -0.5 * (low + high) * scale, -low).astype("<f4")
    packed = np.round(table * scale[:, None].astype(float) + shift[:, None].astype(float))
    packed = np.clip(packed, -32768, 32767)
    return head + scale.tobytes() + shift.tobytes() + words + np.ascontiguousarray(packed.T.astype("<i2")).tobytes()


def _latin(text: str) -> bytes:
    return text.encode("latin-1", "replace")


def _heads(columns: Sequence[Column]) -> list[str]:
    return [c.name if c.unit in ("", "1") else f"{c.name} [{c.unit}]" for c in columns]


def _csv(columns: Sequence[Column], path: Path) -> None:
    """A row of names with units, then one for each time; texts in quotes, numbers with every digit."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        rows.writerow(_heads(columns))
        for first in range(0, len(columns[0].values), _PIECE):
            rows.writerows(zip(*(np.asarray(c.values[first : first + _PIECE]).tolist() for c in columns), strict=True))


def _parquet(columns: Sequence[Column], path: Path) -> None:
    pa = library(path)
    arrays = [pa.array(c.values) for c in columns]
    fields = [pa.field(c.name, a.type, metadata={"unit": c.unit}) for a, c in zip(arrays, columns, strict=True)]
    pa.parquet.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), path)


def _mat(columns: Sequence[Column], path: Path) -> None:
    from scipy.io import savemat

    variables: dict[str, np.ndarray] = {}
    names: list[str] = []
    for i, c in enumerate(columns):
        plain = re.sub(r"\W+", "_", c.name).strip("_")[:55] or f"channel_{i}"
        plain = plain if plain[0].isalpha() else f"x{plain}"
        fresh, n = plain, 1
        while fresh in variables:
            n += 1
            fresh = f"{plain}_{n}"
        values = np.asarray(c.values)
        variables[fresh] = values if values.dtype.kind in "fiub" else np.array([str(x) for x in values], object)
        names.append(fresh)
    listed = {
        "channel_variables": names,
        "channel_names": [c.name for c in columns],
        "channel_units": [c.unit for c in columns],
    }
    savemat(
        path,
        appendmat=False,
        mdict={**variables, **{k: np.array(v, object) for k, v in listed.items()}},
        long_field_names=True,
        do_compression=True,
        oned_as="column",
    )


def _netcdf(columns: Sequence[Column], path: Path) -> None:
    import netCDF4

    first = columns[0]
    axis = re.sub(r"\W+", "_", first.name)
    with LIBRARY, netCDF4.Dataset(path, "w") as file:
        file.createDimension(axis, len(first.values))
        seen: set[str] = set()
        for i, c in enumerate(columns):
            name = axis if i == 0 else c.name.replace("/", "|").strip() or f"channel_{i}"
            while name in seen:
                name += "_"
            seen.add(name)
            values = np.asarray(c.values)
            variable = file.createVariable(name, "f8" if values.dtype.kind in "fiub" else str, (axis,))
            variable.units, variable.original_name = c.unit, c.name
            variable[:] = (
                values.astype(float) if values.dtype.kind in "fiub" else np.array([str(x) for x in values], object)
            )


# ---------------------------------------------------------------- rainflow counts and equivalent loads


def cycle_table(record: Record, *, exponents: Sequence[float] = _EXPONENTS) -> list[Column]:
    """Damage equivalent ranges at 1 Hz of every channel, for every exponent; the residue counts as half cycles.

    Columns ``channel``, ``unit``, ``mean``, ``min``, ``max``, and ``del_m3`` and so on, in the unit of each channel.
    """
    table = np.asarray(record.values, float)
    span = float(record.time[-1] - record.time[0]) if len(record.time) > 1 else 0.0
    if not span > 0.0:
        raise ReadError("has one sample; equivalent loads need a duration", record.path)
    counted = [rainflow(row) for row in table]
    columns = [
        Column("channel", "", list(record.names)),
        Column("unit", "", [unit(u) for u in record.units]),
        Column("mean", "", table.mean(axis=1)),
        Column("min", "", table.min(axis=1)),
        Column("max", "", table.max(axis=1)),
    ]
    for m in exponents:
        if not m > 0.0:
            raise ReadError(f"an exponent is positive, not {m:g}", record.path)
        columns.append(
            Column(f"del_m{m:g}", "", np.array([damage_equivalent_range(c, m, duration=span) for c in counted]))
        )
    return columns


def rainflow_table(record: Record, *, bins: int = 64) -> list[Column]:
    """Cycles of one channel by range: bin edges, cycles, cumulated cycles from the largest range down."""
    values, of = _only(record)
    counts, edges = rainflow(values).spectrum(bins)
    return [
        Column("range_from", of, edges[:-1]),
        Column("range_to", of, edges[1:]),
        Column("cycles", "1", counts),
        Column("cycles_above", "1", counts[::-1].cumsum()[::-1]),
    ]


def markov_table(record: Record, *, bins: int = 64) -> list[Column]:
    """Cycles of one channel from level to level, one row per pair of bins that has any; levels are the middles of bins."""
    values, of = _only(record)
    matrix = rainflow(values).markov_matrix(bins)
    rows, columns = np.nonzero(matrix.counts)
    middle = [0.5 * (e[1:] + e[:-1]) for e in (matrix.row_edges, matrix.column_edges)]
    return [
        Column("from", of, middle[0][rows]),
        Column("to", of, middle[1][columns]),
        Column("cycles", "1", matrix.counts[rows, columns]),
    ]


def _only(record: Record) -> tuple[Float, str]:
    if len(record.names) != 1:
        raise ReadError(f"counts are of one channel; name one of {', '.join(record.names[:20])}", record.path)
    return np.asarray(record.values, float)[0], unit(record.units[0])


class Written(NamedTuple):
    """A file that was written: ``what`` is in it, how many ``rows`` of ``columns``, from which ``source``, and what is to be said of it."""

    output: str
    what: str
    rows: int
    columns: int
    source: str
    notes: tuple[str, ...]


def export_file(
    path: str | Path,
    output: str | Path,
    channels: Sequence[str] | None = None,
    *,
    table: str = "series",
    start: float | None = None,
    end: float | None = None,
    exponents: Sequence[float] | None = None,
    bins: int | None = None,
    double: bool = False,
    time_column: str | None = None,
) -> Written:
    """Series or a table of them from a file into another: what ``gearwright export`` does.

    Parameters
    ----------
    path, channels, time_column : as :func:`gearwright.read`
    output : the file to write
    table : ``series``, ``del``, ``rainflow`` or ``markov``
    start, end : only from and up to these times [s]
    exponents, bins : of ``del``, and of ``rainflow`` and ``markov``; default: those of the run that wrote a result, else 3, 4, 6,
        9, 10 and 64

    The tables of a result of this program are those that its run counted (:mod:`.own`); with ``start`` or ``end`` they are
    counted from that part of the stored series, which the note says.

    Raises
    ------
    ReadError : as reading and writing do; a table that is not known; no samples between start and end.
    """
    if table not in TABLES:
        raise ReadError(f"there is no table '{table}'; there are {', '.join(TABLES)}", output)
    if bins is not None and not 1 <= bins <= 4096:
        raise ReadError(f"1 to 4096 bins, not {bins}", output)
    if Path(output).exists() and Path(path).exists() and Path(output).samefile(path):
        raise ReadError("is the source itself; choose another file to write", output)
    found = records_of(path, list(channels) if channels else None, time_column=time_column)
    if len(found) > 1:
        names = "; ".join(f"{len(r.time)} samples: {', '.join(r.names[:6])}" for r in found)
        raise ReadError(f"has channels of {len(found)} times; name those of one ({names})", path)
    own = table != "series" and is_result(Path(path))
    note = ""
    record = _between(loaded(found[0], False), start, end)
    if table != "series":
        record.finite(np.asarray(record.values), range(len(record.names)))
    if own and start is None and end is None:
        made = counted_table(Path(path), table, record.names, exponents, bins)
        columns = [Column(*column) for column in made]
    elif table == "series":
        values = np.asarray(record.values)
        columns = [Column("time", "s", record.time)]
        columns += [
            Column(n, unit(u), values[j]) for j, (n, u) in enumerate(zip(record.names, record.units, strict=True))
        ]
    elif table == "del":
        columns = cycle_table(record, exponents=exponents or _EXPONENTS)
    else:
        columns = (rainflow_table if table == "rainflow" else markov_table)(record, bins=bins or 64)
    if own and not (start is None and end is None):
        note = (
            f"counted from the stored series, which is filtered, between {record.time[0]:g} and {record.time[-1]:g} s; without "
            "--from and --to the table is the run's own"
        )
    written = write_columns(
        columns, Path(output), series=table == "series", double=double, description=record.path.name
    )
    return Written(str(written), table, len(columns[0].values), len(columns), str(path), (note,) if note else ())


def _between(record: Record, start: float | None, end: float | None) -> Record:
    if start is None and end is None:
        return record
    keep = (record.time >= (start if start is not None else -np.inf)) & (
        record.time <= (end if end is not None else np.inf)
    )
    if not keep.any():
        raise ReadError(
            f"has no samples between the times asked for; it covers {record.time[0]:g} to {record.time[-1]:g} s",
            record.path,
        )
    record.time, record.values = record.time[keep], np.asarray(record.values)[:, keep]
    return record
