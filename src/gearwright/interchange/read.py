"""One door for other programs' files: :func:`read` a file, :func:`inspect` it, :func:`select` a channel."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gearwright.results import is_result
from gearwright.schema.places import JSON

from .child import in_child
from .dataset import bridged, gaps_of, grid_dataset, loaded, sampling_of, series_dataset
from .in_file import InFile
from .names import known_names
from .own import counted_statistics
from .readers import READERS
from .recognise import recognise
from .record import Float, Grid, ReadError, Record, missing, unit
from .source import Later

if TYPE_CHECKING:
    import xarray

#: Files of that many bytes are large; packed ones hold some times more.
LARGE = 16 * 2**20


class Options(NamedTuple):
    """What files of some kinds are told beside their name, see :func:`read`."""

    time_column: str | None = None
    sensor_file: str | Path | None = None
    points: Sequence[int] | None = None
    spacing: Sequence[float] | None = None


class Contents(NamedTuple):
    """What a file holds: channels by name, and what else is known of it, both as plain data, see :func:`inspect`."""

    source: str
    format: str
    description: str
    kind: str
    channels: dict[str, dict[str, JSON]]
    facts: dict[str, JSON]


def read(
    path: str | Path,
    channels: Sequence[str] | None = None,
    *,
    time_column: str | None = None,
    lazy: bool | None = None,
    sensor_file: str | Path | None = None,
    points: Sequence[int] | None = None,
    spacing: Sequence[float] | None = None,
) -> xarray.Dataset:
    """Read a file of another program: a recorded series, a wind field, a table, the values of an input file.

    Parameters
    ----------
    path : a file; docs/files.md lists the kinds. What it is, is recognised by its content
    channels : names of the channels to keep, in this order; None keeps all. A description serves as a name where
        only one channel has it (HAWC2 repeats its names)
    time_column : name of the time column of a table; by default the one called time (or t)
    lazy : leave the values in the file until they are used; None: where they would take more than 64 MB
    sensor_file : FLEX5: the list of sensors; by default ``sensor`` beside the file
    points, spacing : Mann box: points (x, y, z), by default from a name like ``box_1024x32x32.bin``; their distances [m]

    Returns
    -------
    A Dataset whose variables keep the unit of the file. Attributes of a variable: ``units`` in one spelling (``kN m``,
    ``m/s^2``, ``1``), ``original_units`` and ``original_name`` as in the file, ``source`` (name of the file), and
    ``description`` where the file has one. Attribute ``kind`` of the Dataset:

    Values that are not finite stay as they are; attribute ``not_finite`` of the Dataset and of their channels names them (of values
    left in the file, using them is an error that does).

    - ``series``: coordinate ``time`` [s] (``time_2`` and so on where channels have other times); attributes
      ``sampling`` (median step [s]) and ``uniform_sampling`` (1 or 0), also ``format``, ``description``
    - ``field``: wind in space and time; ``table``: values over other coordinates; ``parameters``: one value each;
      ``linear model``: matrices of a ``.lin`` file

    Raises
    ------
    ReadError : a single message with the file: not there, empty, truncated, damaged, of a kind that is not read; time
        that does not rise, a channel that is not in it (the nearest, and what is), an option that does not belong to this file.
    """
    found = _read(Path(path), channels, Options(time_column, sensor_file, points, spacing), lazy)
    if isinstance(found, Grid):
        found.check()
        return grid_dataset(found)
    return series_dataset([loaded(record, lazy) for record in found])


def _read(
    path: Path, channels: Sequence[str] | None, options: Options, lazy: bool | None = None
) -> Grid | list[Record]:
    """What a file holds, by the reader of its kind.

    Values of large files (of all, with ``lazy``) of the kinds that a library reads stay in the file until they are used.
    """
    kind = recognise(path)
    given = {name: value for name, value in options._asdict().items() if value is not None}
    for name in given:
        if name not in READERS[kind].options:
            raise ReadError(f"{name} does not belong to a file of this kind ({kind.replace('_', ' ')})", path)
    read_it = partial(in_child, kind) if READERS[kind].in_child else READERS[kind].read
    reader = partial(read_it, path, **given)
    wanted = list(channels) if channels is not None else None
    large = channels is None and path.stat().st_size > LARGE
    heads = READERS[kind].by_channel and (large if lazy is None else lazy)
    found = reader(wanted, heads=True) if heads else reader(wanted)
    if isinstance(found, Grid):
        return found
    found = found if isinstance(found, list) else [found]
    for record in found:
        if isinstance(record.values, Later):
            record.values.read = partial(_again, reader)
    return found


def _again(reader: Callable[..., Any], names: list[str]) -> Float:
    """Values (channels, samples) of channels of one time axis by name."""
    found = reader(names)
    records = found if isinstance(found, list) else [found]
    rows = {name: row for record in records for name, row in zip(record.names, record.values, strict=True)}
    return np.array([rows[name] for name in names])


def records_of(
    path: str | Path, channels: Sequence[str] | None = None, *, lazy: bool | None = None, time_column: str | None = None
) -> list[Record]:
    """The series of a file, its values still in the file where the format allows it.

    Raises
    ------
    ReadError : as :func:`read`, and for a file that holds no series.
    """
    found = _read(Path(path), channels, Options(time_column), lazy)
    if isinstance(found, Grid):
        raise ReadError(f"holds a {found.kind} ({found.information.get('format', '')}), not series over time", path)
    return found


def series(
    path: str | Path, channel: str, *, time_column: str | None = None, gaps: str = "refuse"
) -> tuple[Float, Float, str]:
    """Times [s], values and unit of one channel, without the labels of a Dataset (whose import takes longer
    than a ten-minute run).

    Raises
    ------
    ReadError : as :func:`read` and :func:`select`; values that are not finite and gaps in an even time, unless ``gaps`` is ``bridge``,
        which draws straight lines over them.
    """
    record = loaded(records_of(path, [channel], time_column=time_column)[0], False)
    if gaps != "bridge":
        record.finite(np.asarray(record.values), range(len(record.names)))
        _refuse_gaps(record)
    spelled = unit(record.units[0])
    if spelled == "INVALID":
        raise ReadError(f"channel {channel} was marked INVALID by the program that wrote the file", record.path)
    time, values = record.time, np.asarray(record.values)[0]
    if gaps == "bridge" and np.isfinite(values).any():
        time, values = bridged(time, values)
    return time, values, spelled


def _refuse_gaps(record: Record) -> None:
    """Raise ReadError for a record that lacks samples between others."""
    found = gaps_of(record.time)
    if found:
        before, behind = found[0]
        more = f" (and {len(found) - 1} more gaps)" if len(found) > 1 else ""
        raise ReadError(
            f"has no samples between {before:g} and {behind:g} s{more}; take a part without a gap, or let straight lines bridge them "
            "(gaps: bridge, --gaps bridge)",
            record.path,
        )


def inspect(
    path: str | Path,
    channels: Sequence[str] | None = None,
    *,
    time_column: str | None = None,
    sensor_file: str | Path | None = None,
    points: Sequence[int] | None = None,
    spacing: Sequence[float] | None = None,
) -> Contents:
    """What a file holds, as plain data; a large file is read once, in pieces.

    Parameters
    ----------
    path, channels, time_column, sensor_file, points, spacing : as :func:`read`

    Returns
    -------
    ``source, format, description, kind`` and ``channels``: name to ``unit`` (one spelling), ``original_unit``, ``mean``,
    ``std``, ``min``, ``max`` in the units of the file, ``description`` where there is one. ``facts``: ``said`` (sentences); of
    series also ``samples, start_s, end_s, sampling_s, uniform_sampling`` and ``known`` (what common names stand for); of other kinds
    ``dimensions`` (size, unit, first and last value), and for a channel its dimensions, or its ``value``.

    Raises
    ------
    ReadError : as :func:`read`.
    """
    found = _read(Path(path), channels, Options(time_column, sensor_file, points, spacing))
    if isinstance(found, Grid):
        found.check()
        return _grid_contents(found)
    contents = _series_contents(found)
    if is_result(
        Path(path)
    ):  # the run's own figures: what is stored is filtered and begins before anything was counted
        for name, own in counted_statistics(Path(path)).items():
            if name in contents.channels and all(math.isfinite(x) for x in own.values()):
                contents.channels[name].update(own)
        contents.facts["statistics"] = "of the run at its counting interval, without what it discards"
    return contents


def _series_contents(records: list[Record]) -> Contents:
    first = records[0]
    channels: dict[str, dict[str, JSON]] = {}
    for k, record in enumerate(records):
        record.check()
        texts = record.descriptions or [""] * len(record.names)
        for j, (name, statistics) in enumerate(zip(record.names, _statistics(record), strict=True)):
            channels[name] = {"unit": unit(record.units[j]), "original_unit": record.units[j], **statistics}
            if texts[j]:
                channels[name]["description"] = texts[j]
            if k:
                channels[name].update(samples=len(record.time), sampling_s=sampling_of(record.time)[0])
    sampling, uniform = sampling_of(first.time)
    said = [f"{name}: {c['not_finite']} values are not finite" for name, c in channels.items() if "not_finite" in c]
    said += [f"no samples between {a:g} and {b:g} s" for record in records for a, b in gaps_of(record.time)[:20]]
    said += [str(record.information["unread"]) for record in records if "unread" in record.information]
    facts: dict[str, JSON] = {
        "said": said,
        "samples": len(first.time),
        "start_s": float(first.time[0]),
        "end_s": float(first.time[-1]),
        "sampling_s": sampling,
        "uniform_sampling": uniform,
        "known": known_names([name for record in records for name in record.original]),
    }
    return Contents(first.path.name, *_named(first), "series", channels, facts)


def _named(found: Record | Grid) -> tuple[str, str]:
    """Format and description of a file, as it or its reader says them."""
    return str(found.information.get("format", "")), str(found.information.get("description", ""))


def _statistics(record: Record) -> list[dict[str, float | None]]:
    """Mean, standard deviation and extremes of the finite values of every channel, and how many are not finite; of values in
    the file piece by piece."""
    width = len(record.names)
    lost = np.zeros(width, int)
    count, reference = np.zeros(width), np.zeros(width)
    total, square = np.zeros(width), np.zeros(width)
    low, high = np.full(width, np.inf), np.full(width, -np.inf)
    pieces = record.values.parts() if isinstance(record.values, InFile) else [(slice(0, width), record.values.T)]
    for rows, x in pieces:
        if not x.size:
            continue
        least, most, there = x.min(axis=0), x.max(axis=0), np.full(x.shape[1], len(x))
        whole = bool(np.isfinite(least).all() and np.isfinite(most).all())
        if not whole:
            finite = np.isfinite(x)
            there = finite.sum(axis=0)
            least, most = np.where(finite, x, np.inf).min(axis=0), np.where(finite, x, -np.inf).max(axis=0)
            x = np.where(finite, x, np.nan)
            lost[rows] += len(x) - there
        # sums of what differs from a mean do not lose digits; that of the first piece serves
        first = x.mean(axis=0) if whole else np.nansum(x, axis=0) / np.maximum(there, 1)
        reference[rows] = np.where(count[rows] == 0.0, first, reference[rows])
        off = x - reference[rows] if whole else np.nan_to_num(x - reference[rows])
        total[rows] += off.sum(axis=0)
        square[rows] += np.einsum("ij,ij->j", off, off)
        count[rows] += there
        low[rows], high[rows] = np.minimum(low[rows], least), np.maximum(high[rows], most)
    part = total / np.maximum(count, 1.0)
    mean = reference + part
    std = np.sqrt(np.maximum(square / np.maximum(count, 1.0) - part**2, 0.0))
    found: list[dict[str, float | None]] = []
    for j in range(width):
        figures = zip(("mean", "std", "min", "max"), (mean, std, low, high), strict=True)
        found.append({name: float(row[j]) if count[j] else None for name, row in figures})
        if lost[j]:
            found[j]["not_finite"] = int(lost[j])
    return found


def _grid_contents(grid: Grid) -> Contents:
    data = grid_dataset(grid)
    dimensions: dict[str, dict[str, JSON]] = {}
    for name, size in data.sizes.items():
        dimensions[str(name)] = {"size": int(size)}
        if name in data.coords:
            along = data[name]
            dimensions[str(name)]["unit"] = along.attrs.get("units", "1")
            if along.dtype.kind in "fiu" and size:
                dimensions[str(name)].update(first=float(along.values[0]), last=float(along.values[-1]))
    channels: dict[str, dict[str, JSON]] = {}
    for name, variable in data.data_vars.items():
        values = variable.values
        entry: dict[str, JSON] = {"unit": variable.attrs["units"], "original_unit": variable.attrs["original_units"]}
        if not variable.dims:
            entry["value"] = values.item()
        else:
            entry["dimensions"] = [str(d) for d in variable.dims]
            if values.dtype.kind in "fiub" and values.size:
                x = np.asarray(values, float)
                entry.update(mean=float(x.mean()), std=float(x.std()), min=float(x.min()), max=float(x.max()))
        if "description" in variable.attrs:
            entry["description"] = variable.attrs["description"]
        channels[str(name)] = entry
    facts: dict[str, JSON] = {
        "dimensions": dimensions,
        "said": [grid.information["unread"]] if "unread" in grid.information else [],
        "facts": {k: v for k, v in grid.information.items() if k not in ("format", "description", "unread")},
    }
    return Contents(grid.path.name, *_named(grid), grid.kind, channels, facts)


def select(dataset: xarray.Dataset, name: str) -> xarray.DataArray:
    """One channel of a Dataset of :func:`read`.

    Raises
    ------
    ReadError : the channel is not there (the nearest, and what is), or OpenFAST marked it INVALID.
    """
    source = str(dataset.attrs.get("source", "record"))
    if name not in dataset.data_vars:
        raise ReadError(missing(name, [str(n) for n in dataset.data_vars]), source)
    channel = dataset[name]
    if channel.attrs.get("units") == "INVALID":
        raise ReadError(f"channel {name} was marked INVALID by the program that wrote the file", source)
    return channel
