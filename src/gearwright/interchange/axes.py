"""Channels that each bring a time of their own become records, one for every different time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .record import NO_TIME, Facts, Float, ReadError, Record, columns, distinct, missing, rate_of, seconds
from .source import Later

TIME_NAMES = {"time", "t", "zeit", "time_s", "times", "timestamp"}


def held(values: Any) -> Callable[[], Any]:
    """What gives values that are at hand, or a whole variable of a file (anything that ``[:]`` reads)."""
    return lambda: values[:]


@dataclass
class Channel:
    """A channel before it is read: ``values()`` gives its numbers; ``axis`` tells which channels share a time."""

    name: str
    unit: str
    size: int
    axis: Any
    time: Callable[[], Any]
    values: Callable[[], Any]
    description: str = ""


def records(
    path: Path,
    channels: Sequence[Channel],
    wanted: Sequence[str] | None,
    information: Facts,
    largest: int,
    heads: bool = False,
) -> list[Record]:
    """Records of the wanted channels, in the order of their times in the file.

    ``largest`` is how many numbers the file can hold at most; more are an error before anything is read. ``heads`` reads
    times and names only.

    Raises
    ------
    ReadError : no channel, one that is not there, sizes that the file cannot hold.
    """
    if not channels:
        raise ReadError("holds no channels", path)
    fresh = distinct([c.name for c in channels])
    chosen = columns(fresh, wanted, path, [c.description for c in channels])
    total = sum(channels[j].size for j in chosen)
    if any(channels[j].size < 0 for j in chosen) or total > largest:
        raise ReadError(f"damaged: its channels are said to have {total} values, more than it can hold", path)
    groups: dict[Any, list[int]] = {}
    for j in chosen:
        groups.setdefault(channels[j].axis, []).append(j)
    made: list[tuple[Float, list[int]]] = []
    for members in groups.values():
        time = np.asarray(channels[members[0]].time(), float)
        same = next((entry for entry in made if entry[0].shape == time.shape and np.array_equal(entry[0], time)), None)
        if same is not None:
            same[1].extend(members)
        else:
            made.append((time, list(members)))
    out = []
    for time, members in made:
        members = [j for j in chosen if j in members]
        rows = []
        for j in [] if heads else members:
            values = numbers(channels[j].values(), channels[j].name, path)
            if values.shape != time.shape:
                raise ReadError(f"channel {channels[j].name} has {values.size} values for {len(time)} times", path)
            rows.append(values)
        named = [fresh[j] for j in members]
        out.append(
            Record(
                path,
                time,
                named,
                [channels[j].name for j in members],
                [channels[j].unit for j in members],
                Later(named, len(time)) if heads else np.array(rows).reshape(len(members), len(time)),
                information=information,
                descriptions=[channels[j].description for j in members],
            )
        )
    return out


def numbers(values: Any, name: str, path: Path) -> Float:
    """Values of a channel as float64; raises ReadError for texts, dates and complex numbers."""
    array = np.ma.filled(values, np.nan) if np.ma.isMaskedArray(values) else np.asarray(values)
    if array.dtype.kind not in "fiub":
        what = {"c": "complex numbers", "U": "texts", "S": "texts", "M": "dates", "O": "no plain numbers"}
        raise ReadError(
            f"channel {name} holds {what.get(array.dtype.kind, 'no numbers')}; name the channels to read", path
        )
    return np.ascontiguousarray(array, dtype=float)


def timed(
    path: Path,
    names: Sequence[str],
    units: Sequence[str],
    table: Sequence[Any],
    wanted: Sequence[str] | None,
    time_column: str | None,
    information: Facts,
    heads: bool = False,
) -> Record:
    """One record of columns of equal length (arrays, or anything that ``[:]`` reads), one of which is the time; ``heads``
    reads that one only."""
    rate = rate_of(time_column) if time_column not in names else None
    at = time_index(names, time_column, path) if rate is None else -1
    rest = [j for j in range(len(names)) if j != at]
    fresh = distinct([names[j] for j in rest])
    chosen = columns(fresh, wanted, path)
    if rate is None:
        time = seconds(numbers(table[at][:], names[at], path), units[at], path)
    else:
        time = np.arange(len(table[0]) if len(table) else 0) / rate
    named = [fresh[j] for j in chosen]
    rows = [] if heads else [numbers(table[rest[j]][:], fresh[j], path) for j in chosen]
    for name, row in zip(named, rows, strict=not heads):
        if row.shape != time.shape:
            raise ReadError(f"channel {name} has {row.size} values for {time.size} times", path)
    return Record(
        path,
        time,
        named,
        [names[rest[j]] for j in chosen],
        [units[rest[j]] for j in chosen],
        Later(named, len(time)) if heads else np.array(rows).reshape(len(chosen), len(time)),
        information=information,
    )


def time_index(names: Sequence[str], named: str | None, path: Path) -> int:
    """Which column is the time: the named one, or the one called time (t, zeit)."""
    if named is not None:
        if named not in names:
            raise ReadError(f"no time column: {missing(named, names)}", path)
        return list(names).index(named)
    for i, name in enumerate(names):
        if name.strip().lower() in TIME_NAMES:
            return i
    raise ReadError(f"no column is called time; {NO_TIME}. It has: {', '.join(names[:20])}", path)
