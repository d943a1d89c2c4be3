"""HDF5: HAWC2's time series (gtsdf) and netCDF files, this program's results among them.

gtsdf ("General time series data format", ``wetb/gtsdf``): groups ``block0000`` and so on with ``data`` (samples, channels)
as float or as integers with ``gains`` and ``offsets`` per channel (the largest integer stands for no value), and ``time``,
scaled by ``time_step`` and shifted by ``time_start``. Runs in the child process (:mod:`.child`): the library can end or hang the
interpreter on a damaged file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.results.layout import KINDS
from gearwright.system.former import present_variables

from .axes import Channel, held, records, time_index, timed
from .limits import MOST_PER_BYTE, bounded, library
from .record import Facts, Float, Grid, ReadError, Record, Variable, columns, decode, distinct, seconds
from .source import Later


def open_hdf5(
    path: Path, wanted: Sequence[str] | None, time_column: str | None = None, heads: bool = False
) -> list[Record] | Grid:
    """What an HDF5 file holds: a gtsdf file of HAWC2, a netCDF file, or a flat file of columns with a time. netCDF files, results of
    this program among them, need no h5py."""
    if _is_netcdf(path):
        return open_netcdf(path, wanted, time_column, heads)
    h5py = library(path)
    try:
        with h5py.File(path, "r") as file:
            kind = file.attrs.get("type", b"")
            text = kind.decode("latin-1") if isinstance(kind, bytes) else str(kind)
            if text.lower() == "general time series data format":
                return [_gtsdf(file, path, wanted, heads)]
            return [_flat(file, path, wanted, time_column, heads)]
    except (ReadError, MemoryError):
        raise
    except Exception as error:  # the library raises what it likes on damaged files
        raise ReadError(f"is damaged or no HDF5 file that can be read ({_short(error)})", path) from None


def _is_netcdf(path: Path) -> bool:
    """Whether the netCDF library wrote a file: its mark is not in the list of attributes, but can be asked for."""
    import netCDF4

    try:
        with netCDF4.Dataset(path) as file:
            return "gearwright_format" in file.ncattrs() or bool(file.getncattr("_NCProperties"))
    except (AttributeError, OSError, RuntimeError):
        return False


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"


def _gtsdf(file: Any, path: Path, wanted: Sequence[str] | None, heads: bool) -> Record:
    blocks = int(_one(file.attrs.get("no_blocks", 0)))
    groups = [file[f"block{i:04d}"] for i in range(min(blocks, len(file)))]
    if not groups or len(groups) != blocks:
        raise ReadError(f"damaged: {blocks} blocks are announced, {len(groups)} are there", path)
    width = groups[0]["data"].shape[1]
    names = _texts(file, "attribute_names", width) or [f"channel_{i + 1}" for i in range(width)]
    units = _texts(file, "attribute_units", width) or [""] * width
    texts = _texts(file, "attribute_descriptions", width) or [""] * width
    for what, of in (("names", names), ("units", units), ("descriptions", texts)):
        if len(of) != width:
            raise ReadError(f"{width} channels, but {len(of)} {what}", path)
    # HAWC2 stores the time as a channel too
    fresh = distinct(names)
    chosen = columns(fresh, wanted, path, texts)
    times, values = [], []
    for group in groups:
        data = group["data"]
        bounded(data, path)
        if data.ndim != 2 or data.shape[1] != width or data.dtype.kind not in "fiu":
            raise ReadError(f"damaged: {data.name} is {data.shape} of {data.dtype}, {width} channels are wanted", path)
        if "time" in group:
            bounded(group["time"], path)
        time = np.asarray(group["time"][:] if "time" in group else np.arange(len(data)), float)
        time = time * _one(group.attrs.get("time_step", 1.0)) + _one(group.attrs.get("time_start", 0.0))
        gains = np.asarray(group["gains"][:], float) if "gains" in group else np.ones(width)
        offsets = np.asarray(group["offsets"][:], float) if "offsets" in group else np.zeros(width)
        if len(time) != len(data) or len(gains) != width or len(offsets) != width:
            raise ReadError(f"damaged: {group.name} has times, gains or offsets that do not fit its values", path)
        times.append(time)
        if heads:
            continue
        values.append(np.array([_scaled(data[:, j], gains[j], offsets[j]) for j in chosen]).reshape(len(chosen), -1))
    time, named = np.concatenate(times), [fresh[j] for j in chosen]
    return Record(
        path,
        time,
        named,
        [names[j] for j in chosen],
        [units[j] for j in chosen],
        Later(named, len(time)) if heads else np.hstack(values),
        information={"format": "HAWC2 HDF5 (gtsdf)", "description": _text(file.attrs.get("description", ""))},
        descriptions=[texts[j] for j in chosen],
    )


def _one(value: Any) -> float:
    """A number that some programs write as a list of one."""
    return float(np.asarray(value, float).reshape(()) if np.size(value) != 1 else np.ravel(value)[0])


def _scaled(raw: np.ndarray, gain: float, offset: float) -> Float:
    values = raw.astype(float)
    if raw.dtype.kind in "iu":
        values[raw == np.iinfo(raw.dtype).max] = np.nan
    return values * gain + offset


def _text(value: Any) -> str:
    return decode(bytes(value)) if isinstance(value, (bytes, np.bytes_)) else str(value)


def _texts(file: Any, name: str, width: int) -> list[str]:
    if name not in file:
        return []
    return [_text(word).strip() for word in file[name][: width + 1]]


def _flat(file: Any, path: Path, wanted: Sequence[str] | None, time_column: str | None, heads: bool) -> Record:
    """Columns at the top of the file, one of them the time; units as attribute ``units`` or ``unit``."""
    found = {
        name: item
        for name, item in file.items()
        if hasattr(item, "shape") and item.ndim == 1 and item.dtype.kind in "fiub"
    }
    if not found:
        raise ReadError(
            "is an HDF5 file of a layout that is not known (gtsdf, netCDF and columns with a time are)", path
        )
    for item in found.values():
        bounded(item, path)
    names = list(found)
    units = [_text(item.attrs.get("units", item.attrs.get("unit", ""))) for item in found.values()]
    size = len(found[names[time_index(names, time_column, path)]])
    keep = [i for i, name in enumerate(names) if len(found[name]) == size]
    return timed(
        path,
        [names[i] for i in keep],
        [units[i] for i in keep],
        [found[names[i]] for i in keep],
        wanted,
        time_column,
        {"format": "HDF5 columns", "description": ""},
        heads,
    )


def open_netcdf(
    path: Path, wanted: Sequence[str] | None, time_column: str | None = None, heads: bool = False
) -> list[Record] | Grid:
    """Channels of a result of this program (``element.quantity``), or the variables of a netCDF file."""
    import netCDF4

    try:
        with netCDF4.Dataset(path) as file:
            file.set_auto_mask(True)
            if "gearwright_format" in file.ncattrs():
                return records(
                    path, list(_result(file, path)), wanted, _about(file, "Gearwright result"), _most(path), heads
                )
            return _plain(file, path, wanted, time_column, heads)
    except (ReadError, MemoryError):
        raise
    except Exception as error:
        raise ReadError(f"is damaged or no netCDF file that can be read ({_short(error)})", path) from None


def _most(path: Path) -> int:
    return max(MOST_PER_BYTE * path.stat().st_size // 8, 1)


def _about(file: Any, form: str) -> Facts:
    about: Facts = {"format": form, "description": str(getattr(file, "title", ""))}
    for name in ("drivetrain", "case", "fidelity"):
        if name in file.ncattrs():
            about[name] = str(file.getncattr(name))
    return about


def _result(file: Any, path: Path) -> Iterator[Channel]:
    time = file.variables["time"]
    seen: set[str] = set()
    for present_name, name in present_variables(file.variables).items():
        variable = file.variables[name]
        kind, _, quantity = present_name.partition("_")
        if kind not in KINDS or variable.dimensions != (kind, "time") or f"{name}_high" not in file.variables:
            continue
        high = np.asarray(np.ma.filled(file.variables[f"{name}_high"][:].astype(float), np.nan))
        present = np.asarray(np.isfinite(high).any(axis=1))
        for i, element in enumerate(file.variables[kind][:]):
            if not present[i]:
                continue
            spelled = f"{element}.{quantity}"
            spelled = spelled if spelled not in seen else f"{kind}.{spelled}"
            seen.add(spelled)
            yield Channel(
                spelled,
                str(getattr(variable, "units", "")),
                int(variable.shape[1]),
                "time",
                held(time),
                _row(variable, i),
                str(getattr(variable, "sign", "")),
            )


def _row(variable: Any, i: int) -> Callable[[], Any]:
    return lambda: variable[i]


def _plain(
    file: Any, path: Path, wanted: Sequence[str] | None, time_column: str | None, heads: bool
) -> list[Record] | Grid:
    def unit(variable: Any) -> str:
        return str(getattr(variable, "original_units", getattr(variable, "units", "")))

    numeric = {name: v for name, v in file.variables.items() if v.dtype != str and np.dtype(v.dtype).kind in "fiub"}
    size = sum(int(v.size) for v in numeric.values())
    if size > _most(path):
        raise ReadError(f"damaged: it is said to have {size} values, more than it can hold", path)
    lines = {name: v for name, v in numeric.items() if len(v.dimensions) == 1}
    axis = time_column if time_column is not None else next((n for n in lines if n.lower() in ("time", "t")), None)
    if axis is not None and axis in lines:
        along = lines[axis].dimensions[0]
        channels = [
            Channel(
                str(getattr(v, "original_name", name)),
                unit(v),
                int(v.size),
                "time",
                lambda: _seconds(lines[axis], path),
                held(v),
                str(getattr(v, "description", "")),
            )
            for name, v in lines.items()
            if name != axis and v.dimensions[0] == along
        ]
        if channels and all(len(v.dimensions) <= 1 for v in numeric.values()):
            return records(path, channels, wanted, _about(file, "netCDF"), _most(path), heads)
    coordinates = {n: Variable((n,), _filled(v), unit(v)) for n, v in lines.items() if v.dimensions == (n,)}
    rest = {n: Variable(tuple(v.dimensions), _filled(v), unit(v)) for n, v in numeric.items() if n not in coordinates}
    names = list(rest)
    return Grid(
        path,
        "field",
        coordinates,
        {names[j]: rest[names[j]] for j in columns(names, wanted, path)},
        _about(file, "netCDF"),
    )


def _filled(variable: Any) -> Float:
    return np.asarray(np.ma.filled(np.ma.asarray(variable[:]).astype(float), np.nan))


def _seconds(variable: Any, path: Path) -> Float:
    spelled = str(getattr(variable, "units", ""))
    if " since " in spelled:
        spelled = {"seconds": "s", "milliseconds": "ms", "minutes": "min", "hours": "h"}.get(
            spelled.split()[0], spelled
        )
    return seconds(_filled(variable), spelled, path)
