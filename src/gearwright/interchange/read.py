"""One door for recorded series: :func:`read` a file, :func:`select` a channel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .record import Float, ReadError, Record, missing, unit

if TYPE_CHECKING:
    import xarray

_BINARY = {".outb"}
_FAST_TEXT = {".out"}
_TABLES = {".csv", ".tsv", ".txt"}


def read(path: str | Path, channels: Sequence[str] | None = None, *, time_column: str | None = None) -> xarray.Dataset:
    """Read a recorded series.

    Parameters
    ----------
    path : OpenFAST ``.out`` or ``.outb``, or a table ``.csv``, ``.tsv``, ``.txt``; each also ``.gz``
    channels : names of the channels to keep, in this order; None keeps all. A binary file unpacks no others.
    time_column : name of the time column of a table; by default the one called time (or t)

    Returns
    -------
    A Dataset with the coordinate ``time`` [s] and one variable per channel in the unit of the file.
    Attributes of a variable: ``units`` in one spelling (``kN m``, ``m/s^2``, ``1``), ``original_units`` and
    ``original_name`` as in the file, ``source`` (name of the file), ``sampling`` (median step of time [s]).
    Attributes of the Dataset: ``source``, ``format``, ``description``, ``sampling``, and ``uniform_sampling``
    (1 or 0).

    Raises
    ------
    ReadError : a single message with the file: not there, empty, truncated, damaged, time that does not rise,
        values that are not finite (channel and row), a channel that is not in it (the nearest, and what is).
    """
    import xarray

    record = _record(Path(path), list(channels) if channels is not None else None, time_column)
    record.check()
    steps = np.diff(record.time)
    sampling = float(np.median(steps)) if len(steps) else float("nan")
    # times printed with four digits still count as uniform
    allowed = min(1.01e-4, 0.05 * sampling) + 1e-6 * sampling
    uniform = bool(len(steps)) and bool(np.all(np.abs(steps - sampling) <= allowed))
    source = record.path.name
    variables = {
        name: (
            "time",
            values,
            {
                "units": unit(spelled),
                "original_units": spelled,
                "original_name": original,
                "source": source,
                "sampling": sampling,
            },
        )
        for name, original, spelled, values in zip(
            record.names, record.original, record.units, record.values, strict=True
        )
    }
    return xarray.Dataset(
        variables,
        coords={"time": ("time", record.time, {"units": "s", "long_name": "time"})},
        attrs={
            "source": source,
            "sampling": sampling,
            "uniform_sampling": int(uniform),
            **record.information,
        },
    )


def _record(path: Path, channels: list[str] | None, time_column: str | None) -> Record:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    kind = suffixes[-2] if len(suffixes) > 1 and suffixes[-1] == ".gz" else (suffixes or [""])[-1]
    if kind in _BINARY:
        from .openfast import read_binary

        return read_binary(path, channels)
    if kind in _FAST_TEXT:
        from .openfast import read_text

        return read_text(path, channels)
    if kind in _TABLES:
        from .delimited import read_delimited

        return read_delimited(path, channels, time_column)
    known = ", ".join(sorted(_BINARY | _FAST_TEXT | _TABLES))
    raise ReadError(f"unknown kind of file {kind!r}; readable are {known}, each also with .gz", path)


def series(path: str | Path, channel: str, *, time_column: str | None = None) -> tuple[Float, Float, str]:
    """Times [s], values and unit of one channel, without the labels of a Dataset (whose import takes longer
    than a ten-minute run).

    Raises
    ------
    ReadError : as :func:`read` and :func:`select`.
    """
    record = _record(Path(path), [channel], time_column)
    record.check()
    spelled = unit(record.units[0])
    if spelled == "INVALID":
        raise ReadError(f"channel {channel} was marked INVALID by the program that wrote the file", record.path)
    return record.time, record.values[0], spelled


def inspect(
    path: str | Path, channels: Sequence[str] | None = None, *, time_column: str | None = None
) -> dict[str, Any]:
    """What a recorded series holds, as plain data.

    Returns
    -------
    ``source, format, description, samples, start_s, end_s, sampling_s, uniform_sampling`` and ``channels``: name to
    ``unit`` (one spelling), ``original_unit``, ``mean``, ``std``, ``min``, ``max``, in the units of the file.

    Raises
    ------
    ReadError : as :func:`read`.
    """
    data = read(path, channels, time_column=time_column)
    time = np.asarray(data["time"].values, float)
    found = {}
    for name, series in data.data_vars.items():
        x = np.asarray(series.values, float)
        found[str(name)] = {
            "unit": series.attrs["units"], "original_unit": series.attrs["original_units"], "mean": float(x.mean()),
            "std": float(x.std()), "min": float(x.min()), "max": float(x.max()),
        }  # fmt: skip
    return {
        "source": data.attrs["source"], "format": data.attrs.get("format", ""),
        "description": data.attrs.get("description", ""), "samples": len(time), "start_s": float(time[0]),
        "end_s": float(time[-1]), "sampling_s": float(data.attrs["sampling"]),
        "uniform_sampling": bool(data.attrs["uniform_sampling"]), "channels": found,
    }  # fmt: skip


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
