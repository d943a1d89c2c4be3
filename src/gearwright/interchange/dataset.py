"""Records and grids become labelled Datasets; large ones stay in the file until they are used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .in_file import InFile
from .record import Facts, Float, Grid, ReadError, Record, unit

if TYPE_CHECKING:
    import xarray

#: Tables below this many bytes as float64 are read at once, so that damage is found at once.
EAGER = 64 * 2**20


def loaded(record: Record, lazy: bool | None) -> Record:
    """The record with its values read, unless it is large (``lazy`` None) or shall stay in the file (True)."""
    if isinstance(record.values, InFile):
        large = 8 * record.values.shape[0] * record.values.shape[1] > EAGER
        if not (large if lazy is None else lazy):
            record.values = record.values.all()
    record.check()
    return record


def sampling_of(time: Float) -> tuple[float, bool]:
    """Median step of a time [s], and whether all steps are it. Times printed with four digits still count as uniform."""
    steps = np.diff(time)
    sampling = float(np.median(steps)) if len(steps) else float("nan")
    allowed = min(1.01e-4, 0.05 * sampling) + 1e-6 * sampling
    return sampling, bool(len(steps)) and bool(np.all(np.abs(steps - sampling) <= allowed))


def gaps_of(time: Float) -> list[tuple[float, float]]:
    """Gaps of a record that is sampled evenly but for them: the times [s] before and behind each step above one and a half of the median
    where nine of ten steps are within a tenth of it."""
    steps = np.diff(time)
    if len(steps) < 10:
        return []
    usual = float(np.median(steps))
    if np.mean(np.abs(steps - usual) <= 0.1 * usual) < 0.9:
        return []
    return [(float(time[i]), float(time[i + 1])) for i in np.flatnonzero(steps > 1.5 * usual)]


def bridged(time: Float, values: Float) -> tuple[Float, Float]:
    """A series with straight lines over its gaps and over values that are not finite, on the usual step."""
    good = np.isfinite(values)
    pieces = [time]
    usual = float(np.median(np.diff(time))) if len(time) > 1 else 0.0
    for before, behind in gaps_of(time):
        count = max(round((behind - before) / usual) - 1, 0)
        pieces.append(np.linspace(before, behind, count + 2)[1:-1])
    filled = np.sort(np.concatenate(pieces))
    return filled, np.interp(filled, time[good], values[good])


def series_dataset(records: Sequence[Record]) -> xarray.Dataset:
    """One Dataset of records of one file; a second time axis is called ``time_2``, and so on."""
    import xarray

    variables: dict[str, xarray.Variable] = {}
    coordinates: dict[str, xarray.Variable] = {}
    damaged: list[str] = []
    for k, record in enumerate(records):
        axis = "time" if k == 0 else f"time_{k + 1}"
        coordinates[axis] = xarray.Variable((axis,), record.time, {"units": "s", "long_name": "time"})
        sampling, _ = sampling_of(record.time)
        texts = record.descriptions or [""] * len(record.names)
        holes = record.holes()
        damaged += [f"{name}: {text}" for name, text in holes.items()]
        for j, name in enumerate(record.names):
            attributes: Facts = {
                "units": unit(record.units[j]),
                "original_units": record.units[j],
                "original_name": record.original[j],
                "source": record.path.name,
                "sampling": sampling,
            }
            if texts[j]:
                attributes["description"] = texts[j]
            if name in holes:
                attributes["not_finite"] = holes[name]
            values = record.values[j] if isinstance(record.values, np.ndarray) else _in_file(record, j)
            variables[name] = xarray.Variable((axis,), values, attributes)
    sampling, uniform = sampling_of(records[0].time)
    return xarray.Dataset(
        variables,
        coords=coordinates,
        attrs={
            "source": records[0].path.name,
            "sampling": sampling,
            "uniform_sampling": int(uniform),
            "kind": "series",
            **({"not_finite": "; ".join(damaged)} if damaged else {}),
            **records[0].information,
        },
    )


def grid_dataset(grid: Grid) -> xarray.Dataset:
    """Dataset of a field, a table or parameters."""
    import xarray

    def made(name: str, v: Any) -> Any:
        attributes = {
            "units": unit(v.unit),
            "original_units": v.unit,
            "original_name": v.original or name,
            "source": grid.path.name,
        }
        if v.description:
            attributes["description"] = v.description
        values = v.values
        if isinstance(values, FieldInFile):
            values = values.array(grid, name)
        return xarray.Variable(v.dimensions, values, attributes)

    return xarray.Dataset(
        {name: made(name, v) for name, v in grid.variables.items()},
        coords={name: made(name, v) for name, v in grid.coordinates.items()},
        attrs={"source": grid.path.name, "kind": grid.kind, **grid.information},
    )


class FieldInFile:
    """Values of a field that stay in the file; ``part(first, last)`` reads a stretch along the first dimension."""

    def __init__(self, shape: tuple[int, ...], part: Any) -> None:
        self.shape = shape
        self.part = part

    def array(self, grid: Grid, name: str) -> Any:
        """As data of an xarray variable."""

        def read(first: int, last: int) -> Float:
            values = self.part(first, last)
            if not np.isfinite(values).all():
                raise ReadError(f"{name} holds values that are not finite", grid.path)
            return values

        return _lazily(self.shape, read)


def _in_file(record: Record, j: int) -> Any:
    """A channel that is read, and checked, when it is used."""
    table = record.values
    assert isinstance(table, InFile)

    def read(first: int, last: int) -> Float:
        values = table.one(j, first, last)
        record.finite(values[None, :], [j], first)
        return values

    return _lazily((len(record.time),), read)


def _lazily(shape: tuple[int, ...], read: Any) -> Any:
    from xarray.backends import BackendArray
    from xarray.core import indexing

    class Stretches(BackendArray):
        """Reads the stretch of the first dimension that is asked for, and takes the rest from it."""

        def __init__(self) -> None:
            self.shape = shape
            self.dtype = np.dtype(float)

        def __getitem__(self, key: Any) -> Any:
            return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._get)

        def _get(self, key: tuple[Any, ...]) -> Any:
            first = key[0]
            if isinstance(first, slice):
                places = range(*first.indices(self.shape[0]))
                if not len(places):
                    return np.empty((0, *self.shape[1:]))[(slice(None), *key[1:])]
                low, high = min(places), max(places) + 1
                stretch = np.asarray(read(low, high))
                return stretch[
                    np.arange(len(stretch))[[p - low for p in places]] if first.step not in (None, 1) else slice(None)
                ][(slice(None), *key[1:])]
            first = int(first) % self.shape[0]
            return np.asarray(read(first, first + 1))[0][tuple(key[1:])]

    return indexing.LazilyIndexedArray(Stretches())
