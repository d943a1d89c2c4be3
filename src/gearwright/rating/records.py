"""What a life needs of one result: how long every load lasted, for how many turns, and the counted cycles.

Loads come from the counters of the run (every inner step, nothing filtered away); speeds at a load from the stored
series of the same run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import FileError
from gearwright.results import Result
from gearwright.results.sound import reading
from gearwright.results.store import STATISTICS

Float = NDArray[np.float64]

#: what is read of every kind: the quantity that is counted
QUANTITY = {"bearing": "force", "mesh": "force", "shaft": "torque", "machine": "torque"}


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


def read_record(
    result: Result, reference: tuple[str, float] | None, kinds: tuple[str, ...] = tuple(QUANTITY)
) -> Record:
    """The loads of a result.

    ``reference`` is the body whose speed is looked for and the speed [rad/s] to take where no series holds it. Raises
    RecordError for a result without counters, or one that counted nothing.
    """
    path, facts, stored = result.path, result.attributes, result.file.variables
    with reading(path, RecordError):
        if "exponent" not in stored:
            raise RecordError(f"{path}: not a result of a run with counted loads")
        duration = float(facts["counted_duration_s"])
        if not duration > 0.0:
            raise RecordError(f"{path}: nothing was counted (the run is as long as what it discards, or shorter)")
        speed, fallback = _speed(result, reference)
        exponents = [float(m) for m in result.values("exponent")]
        keep = result.time > float(facts["discard_s"]) + 1e-9 if "time" in stored else np.zeros(0, bool)
        loads: dict[str, Load] = {}
        for kind in kinds:
            name = f"{kind}_{QUANTITY[kind]}"
            if f"{name}_duration" in stored:
                loads.update(_loads(result, kind, name, exponents, speed, fallback, keep))
        mean = float(np.abs(speed[keep]).mean()) if speed is not None and keep.any() else fallback
        return Record(
            path.stem,
            loads,
            duration,
            float(facts["reference_frequency_hz"]),
            float(facts["count_interval_s"]),
            str(facts["residue"]),
            mean,
            None if result.incomplete is None else str(result.incomplete),
        )


def _speed(result: Result, reference: tuple[str, float] | None) -> tuple[Float | None, float]:
    """Stored speed of the reference body [rad/s], of a machine or a body, or None; and what to take instead."""
    if reference is None:
        return None, 0.0
    body, fallback = reference
    for kind in ("machine", "body"):
        if "speed" in result.quantities.get(kind, ()) and body in result.elements(kind):
            series = np.asarray(result.values(f"{kind}_speed", result.elements(kind).index(body)), float)
            if np.isfinite(series).any():
                return series, fallback
    return None, fallback


def _loads(
    result: Result,
    kind: str,
    name: str,
    exponents: list[float],
    speed: Float | None,
    fallback: float,
    keep: NDArray[np.bool_],
) -> dict[str, Load]:
    known = result.file.variables
    seconds, edges = result.values(f"{name}_duration"), result.values(f"{name}_duration_edge")
    cycles, range_edges = result.values(f"{name}_cycles"), result.values(f"{name}_cycles_edge")
    # results of older versions do not know the mean range of a bin
    middles = (
        result.values(f"{name}_cycles_range")
        if f"{name}_cycles_range" in known
        else 0.5 * (range_edges[:, 1:] + range_edges[:, :-1])
    )
    equivalent, statistic = result.values(f"{name}_del"), result.values(f"{name}_statistic")
    rolls = kind in ("bearing", "mesh")
    stored = result.values(name) if rolls and name in known and keep.any() else None
    thrust = result.values(f"{kind}_force_x") if kind == "bearing" and f"{kind}_force_x" in known else None
    low, high = STATISTICS.index("minimum"), STATISTICS.index("maximum")
    found = {}
    for i, element in enumerate(result.elements(kind)):
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
            kind,
            result.unit(name),
            levels,
            np.asarray(seconds[i][used], float),
            at,
            np.asarray(middles[i][swings], float),
            np.asarray(cycles[i][swings], float),
            dict(zip(exponents, map(float, equivalent[i]), strict=True)),
            (float(statistic[i][low]), float(statistic[i][high])),
            axial,
        )
    return found


def _mean_at(place: NDArray[np.int64], values: Float, used: NDArray[np.int64], bins: int) -> Float:
    """Mean of values by bin, in the bins ``used``; where a bin holds none, between its neighbours."""
    count = np.bincount(place, minlength=bins).astype(float)
    total = np.bincount(place, weights=values, minlength=bins)
    filled = np.flatnonzero(count > 0.0)
    return np.asarray(np.interp(used, filled, total[filled] / count[filled]))
