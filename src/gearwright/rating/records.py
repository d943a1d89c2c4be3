"""What a life needs of one result: how long every load lasted, for how many turns, and the counted cycles.

Loads come from the counters of the run (every inner step, nothing filtered away); speeds at a load from the stored
series of the same run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import FileError
from gearwright.results.sound import reading

Float = NDArray[np.float64]

#: what is read of every kind: the quantity that is counted
QUANTITY = {"bearing": "force", "mesh": "normal_force", "shaft": "torque", "machine": "torque"}


class RecordError(FileError, ValueError):
    """A result that a life cannot be made of."""


@dataclass(frozen=True)
class Load:
    """The counted load of one element in one record.

    ``levels`` (l,) [N or N m] with ``seconds`` (l,) at each and ``speed`` (l,) [rad/s], the mean magnitude of the
    reference speed while the load was there. ``ranges, counts`` counted cycles: how many lie in a bin, and their mean
    range; ``equivalent`` ranges by exponent. ``extremes`` least and largest load, signed. ``axial`` (l,) mean magnitude of
    an axial force at each level, or None.
    """

    kind: str
    unit: str
    levels: Float
    seconds: Float
    speed: Float
    ranges: Float
    counts: Float
    equivalent: Mapping[float, float]
    extremes: tuple[float, float]
    axial: Float | None = None

    @property
    def largest(self) -> float:
        """Largest magnitude."""
        return max(abs(x) for x in self.extremes)


@dataclass(frozen=True)
class Record:
    """One result: its loads by element, counted ``duration`` [s], and how it was counted."""

    name: str
    loads: Mapping[str, Load]
    duration: float
    reference_frequency: float
    interval: float
    residue: str
    mean_speed: float
    incomplete: str | None


def read_record(path: Path, reference: tuple[str, float] | None, kinds: tuple[str, ...] = tuple(QUANTITY)) -> Record:
    """Read the loads of a result file.

    ``reference`` is the body whose speed is looked for and the speed [rad/s] to take where no series holds it. Raises
    RecordError for a file without counters, or one that counted nothing.
    """
    import netCDF4

    if not path.is_file():
        raise RecordError(f"{path}: there is no such result")
    try:
        file = netCDF4.Dataset(path)
    except OSError as error:
        raise RecordError(f"{path}: not a readable result file ({error.strerror or error})") from None
    with file, reading(path, RecordError):
        file.set_auto_mask(False)
        if "gearwright_format" not in file.ncattrs() or "exponent" not in file.variables:
            raise RecordError(f"{path}: not a result of a run with counted loads")
        duration = float(file.counted_duration_s)
        if not duration > 0.0:
            raise RecordError(f"{path}: nothing was counted (the run is as long as what it discards, or shorter)")
        speed, fallback = _speed(file, reference)
        exponents = [float(m) for m in file["exponent"][:]]
        discard = float(file.discard_s)
        keep = file["time"][:] > discard + 1e-9 if "time" in file.variables else np.zeros(0, bool)
        loads: dict[str, Load] = {}
        for kind in kinds:
            name = f"{kind}_{QUANTITY[kind]}"
            if f"{name}_duration" not in file.variables:
                continue
            loads.update(_loads(file, kind, name, exponents, speed, fallback, keep))
        mean = float(np.abs(speed[keep]).mean()) if speed is not None and keep.any() else fallback
        return Record(
            path.stem, loads, duration, float(file.reference_frequency_hz), float(file.count_interval_s), str(file.residue),
            mean, str(file.incomplete) if "incomplete" in file.ncattrs() else None,
        )  # fmt: skip


def _speed(file: Any, reference: tuple[str, float] | None) -> tuple[Float | None, float]:
    """Stored speed of the reference body [rad/s], of a machine or a body, or None; and what to take instead."""
    if reference is None:
        return None, 0.0
    body, fallback = reference
    for kind, quantity in (("machine", "speed"), ("body", "speed")):
        name = f"{kind}_{quantity}"
        if name in file.variables:
            elements = [str(e) for e in file[kind][:]]
            if body in elements:
                series = np.asarray(file[name][elements.index(body), :], float)
                if np.isfinite(series).any():
                    return series, fallback
    return None, fallback


def _loads(file: Any, kind: str, name: str, exponents: list[float], speed: Float | None, fallback: float,
           keep: NDArray[np.bool_]) -> dict[str, Load]:  # fmt: skip
    seconds, edges = file[f"{name}_duration"][:], file[f"{name}_duration_edge"][:]
    cycles, range_edges = file[f"{name}_cycles"][:], file[f"{name}_cycles_edge"][:]
    # results of older versions do not know the mean range of a bin
    middles = (
        file[f"{name}_cycles_range"][:]
        if f"{name}_cycles_range" in file.variables
        else 0.5 * (range_edges[:, 1:] + range_edges[:, :-1])
    )
    equivalent, statistic = file[f"{name}_del"][:], file[f"{name}_statistic"][:]
    rolls = kind in ("bearing", "mesh")
    stored = file[name][:] if rolls and name in file.variables and keep.any() else None
    thrust = file[f"{kind}_force_x"][:] if kind == "bearing" and f"{kind}_force_x" in file.variables else None
    words = [str(x) for x in file["statistic"][:]]
    low, high = words.index("minimum"), words.index("maximum")
    found = {}
    for i, element in enumerate(str(e) for e in file[kind][:]):
        if not np.isfinite(edges[i]).all() or not np.isfinite(seconds[i]).all():
            continue
        used = np.flatnonzero(seconds[i] > 0.0)
        levels = 0.5 * (edges[i][used] + edges[i][used + 1])
        # a constant load is the level itself, not the middle of its bin
        levels = np.clip(levels, statistic[i][low], statistic[i][high])
        at = np.full(len(used), fallback)
        axial = None
        if stored is not None:
            bins = len(seconds[i])
            # the bins are even
            steps = (stored[i][keep] - edges[i][0]) * (1.0 / (edges[i][1] - edges[i][0]))
            place = np.clip(steps.astype(np.int64), 0, bins - 1)
            if speed is not None:
                at = _mean_at(place, np.abs(speed[keep]), used, bins)
            if thrust is not None and np.isfinite(thrust[i]).all():
                axial = _mean_at(place, np.abs(thrust[i][keep]), used, bins)
        swings = np.flatnonzero(cycles[i] > 0.0)
        found[element] = Load(
            kind, str(file[name].units), levels, np.asarray(seconds[i][used], float), at,
            np.asarray(middles[i][swings], float), np.asarray(cycles[i][swings], float),
            dict(zip(exponents, map(float, equivalent[i]), strict=True)),
            (float(statistic[i][low]), float(statistic[i][high])), axial,
        )  # fmt: skip
    return found


def _mean_at(place: NDArray[np.int64], values: Float, used: NDArray[np.int64], bins: int) -> Float:
    """Mean of values by bin, in the bins ``used``; where a bin holds none, between its neighbours."""
    count = np.bincount(place, minlength=bins).astype(float)
    total = np.bincount(place, weights=values, minlength=bins)
    filled = np.flatnonzero(count > 0.0)
    return np.asarray(np.interp(used, filled, total[filled] / count[filled]))


__all__ = ["QUANTITY", "Load", "Record", "RecordError", "read_record"]
