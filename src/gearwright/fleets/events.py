"""Starts, stops, trips, emergency stops and dips of the grid: told by the status of a turbine, else found in speed and torque of one-second samples, with the
damage that a campaign of events says each does."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import FileError
from gearwright.parts import whole

from .stream_rows import BRAKE, SPEED, STATES, STATUS, TORQUE, WIND

#: the number of a status is that of the event with which it begins
KINDS = ("start", *STATES[1:])
#: time [s since 1970], number of the kind, wind [m/s] and torque over the rated one before (after, for a start)
EVENT = np.dtype([("time", float), ("kind", float), ("wind", float), ("torque", float)])
Events = NDArray[np.void]

#: rated torque and speed above which a turbine feeds the grid; torque of a turbine that stops for want of wind
_FEEDING, _TURNING, _CALM = 0.05, 0.3, 0.15
#: seconds within which torque that comes back was a dip, that it takes to fall in a trip, that a start has to last, that an emergency stop brakes in
_DIP, _FALL, _LASTS, _BRAKED = 6.0, 2.5, 30.0, 30.0
#: samples before an event that tell what was, seconds that an event needs behind it, and that are kept before it
_BEFORE, BEHIND, TAIL = 10, 60.0, 90.0
#: samples further apart than this [s] tell no event
_APART = 3.0


def found(rows: Float, torque: float, speed: float, after: float, until: float) -> Events:
    """Events with times above ``after`` up to ``until`` in samples (n, 1 + signals) of a turbine with a rated torque and speed.

    Where two samples have a status it alone tells; the others are looked at by speed and torque.
    """
    time, signals = rows[:, 0], rows[:, 1:]
    load, turning = signals[:, TORQUE] / torque, np.abs(signals[:, SPEED]) / speed
    feeding = (load > _FEEDING) & (turning > _TURNING)
    known = np.isfinite(signals[:, STATUS])
    changes = np.flatnonzero((feeding[1:] != feeding[:-1]) & (np.diff(time) <= _APART) & ~(known[1:] & known[:-1])) + 1
    made = _told(time, load, signals[:, STATUS], _APART)
    dipped = -np.inf
    for i in changes.tolist():
        if feeding[i]:
            later = (time >= time[i]) & (time < time[i] + _LASTS)
            if time[i] - dipped > _DIP and feeding[later].mean() > 0.8:
                made.append((i, KINDS.index("start"), float(load[later].mean())))
            continue
        before = float(load[max(i - _BEFORE, 0) : i].mean())
        soon = (time > time[i]) & (time <= time[i] + _DIP)
        if feeding[soon].any():
            dipped = time[i]
            made.append((i, KINDS.index("grid fault"), before))
        else:
            made.append((i, _stop(time, load, turning, signals[:, BRAKE], i, before), before))
    return _listed(rows, made, after, until)


def told_of_means(rows: Float, torque: float, interval: float) -> Events:
    """Events between rows (n, 1 + signals) that are means over an interval [s], by their status alone; the first row is only looked back to."""
    made = _told(rows[:, 0], rows[:, 1 + TORQUE] / torque, rows[:, 1 + STATUS], 1.5 * interval)
    return _listed(rows, made, -np.inf, np.inf)


def _listed(rows: Float, made: list[tuple[int, int, float]], after: float, until: float) -> Events:
    """Events by sample, kind and load, in the order of their time."""
    kept = sorted((rows[i, 0], k, rows[i, 1 + WIND], b) for i, k, b in made if after < rows[i, 0] <= until)
    return np.array(kept, EVENT) if kept else np.zeros(0, EVENT)


def _told(time: Float, load: Float, status: Float, apart: float) -> list[tuple[int, int, float]]:
    """Events that a status tells: sample, kind, load before (after, for a start). From running to anything else, and back, but for a dip of the grid that was ridden through."""
    known = np.isfinite(status)
    changes = known[1:] & known[:-1] & (status[1:] != status[:-1]) & (np.diff(time) <= apart)
    made = []
    for i in np.flatnonzero(changes) + 1:
        was, now = int(status[i - 1]), int(status[i])
        if now == 0 and was != STATES.index("grid fault"):
            soon = (time >= time[i]) & (time < time[i] + max(_LASTS, apart))
            made.append((int(i), now, float(load[soon].mean())))
        elif was == 0:
            made.append(
                (int(i), now, float(load[max(i - _BEFORE, 0) : i].mean()) if apart <= _APART else float(load[i - 1]))
            )
    return made


def _stop(time: Float, load: Float, turning: Float, brake: Float, i: int, before: float) -> int:
    """Which of the kinds of stop begins at sample i."""
    if before < _CALM:
        return KINDS.index("stop")
    high = np.flatnonzero(load[:i] > 0.5 * before)
    if not len(high) or time[i] - time[high[-1]] > _FALL:
        return KINDS.index("stop")
    then = (time >= time[i]) & (time < time[i] + _BRAKED)
    braked = bool((np.nan_to_num(brake[then]) > 0.5).any())
    still = bool((turning[then] < 0.2 * turning[i - 1]).any())
    return KINDS.index("emergency stop") if braked or still else KINDS.index("trip")


@dataclass(frozen=True)
class EventDamage:
    """Sum of n R^m that an event does [(N m)^m of the generator]: ``sums`` (n, 2, exponents) with the least and the most inertia behind the load, by kind and wind."""

    name: str
    kinds: tuple[str, ...]
    winds: Float
    sums: Float

    def of(self, kind: int, wind: float) -> Float:
        """Sums (2, exponents) of an event: the mean over its runs at the nearest wind, of all where it is not known; not-a-number for a kind without runs."""
        own = np.array([k == KINDS[kind] for k in self.kinds])
        if not own.any():
            return np.full(self.sums.shape[1:], np.nan)
        winds = self.winds[own]
        near = (
            np.abs(winds - wind) <= np.abs(winds - wind).min() + 1e-9
            if np.isfinite(wind)
            else np.ones(len(winds), bool)
        )
        return np.asarray(self.sums[own][near].mean(axis=0))

    def write(self, path: str | os.PathLike[str], exponents: tuple[float, ...]) -> None:
        """As a table."""
        text = io.StringIO()
        text.write(
            f"# {self.name}: sum of n R^m of an event, R in N m of the generator; least inertia behind the load, then most\n"
        )
        text.write("kind,wind," + ",".join(f"sum{g}_{m:g}" for g in (1, 2) for m in exponents) + "\n")
        for kind, wind, own in zip(self.kinds, self.winds, self.sums, strict=True):
            text.write(f"{kind},{wind:g}," + ",".join(f"{x:.5g}" for x in own.ravel()) + "\n")
        with whole(Path(path)) as part:
            part.write_text(text.getvalue(), encoding="utf-8")


def read_events(source: str) -> EventDamage | None:
    """Damage of events from a file, or of a set-up whose table is shipped; None where there is none. Raises FileError for a file that is no such table."""
    place = Path(source)
    if not place.is_file():
        shipped = files("gearwright") / "fleets" / "data" / f"{source}-events.csv"
        if not shipped.is_file():
            return None
        place = Path(str(shipped))
    try:
        lines = place.read_text(encoding="utf-8").splitlines()
        cells = [line.split(",") for line in lines[2:] if line]
        sums = np.array([[float(x) for x in row[2:]] for row in cells])
        name = lines[0][1:].partition(":")[0].strip()
        return EventDamage(
            name,
            tuple(row[0] for row in cells),
            np.array([float(row[1]) for row in cells]),
            sums.reshape(len(cells), 2, -1),
        )
    except (ValueError, IndexError) as error:
        raise FileError(f"{place}: no table of events ({error})", where=str(place)) from None


def counted(events: Events) -> Mapping[str, int]:
    """Number of events by kind."""
    return {kind: int((events["kind"] == k).sum()) for k, kind in enumerate(KINDS)}
