"""Rows of ten minutes: what every turbine keeps of its weather and operation, and what corrections of slow data are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.rating.equivalent import damage_equivalent_range
from gearwright.results.rainflow import rainflow

from .events import BEHIND, EVENT, TAIL, Events, found, told_of_means

#: rows of the dtype :data:`ROW`
Rows = NDArray[np.void]

#: length of a row [s]
LENGTH = 600.0
#: fields of a row, SI: ``begin`` [s since 1970], ``seconds`` of data in it; steps of one second and the equivalent range (m = 3) of the inertia
#: estimate where rows are that dense
FIELDS = (
    "begin",
    "seconds",
    "speed",
    "speed_std",
    "speed_min",
    "speed_max",
    "torque",
    "torque_std",
    "power",
    "power_std",
    "pitch",
    "pitch_std",
    "wind",
    "wind_std",
    "speed_step",
    "torque_step",
    "range_3",
)
ROW = np.dtype([(name, np.float64) for name in FIELDS])
#: fewest samples that say anything of ten minutes
LEAST = 60


@dataclass
class Minutes:
    """Ten minutes in the making from samples of one second: the first row of every second; events are found in them, as far as they are settled."""

    interval: float
    inertia: float
    torque: float
    speed: float
    rows: Float = field(default_factory=lambda: np.zeros((0, 0)))
    number: float = float("nan")
    count: float = 0.0
    second: float = -np.inf
    closed: list[Rows] = field(default_factory=list)
    tail: Float = field(default_factory=lambda: np.zeros((0, 0)))
    settled: float = -np.inf
    events: list[Events] = field(default_factory=list)

    def take(self, time: Float, values: Float) -> None:
        """Take rows in the order of their time."""
        number = np.floor(time / LENGTH)
        cuts = np.flatnonzero(np.diff(number)) + 1
        for begin, end in zip([0, *cuts.tolist()], [*cuts.tolist(), len(time)], strict=True):
            if number[begin] != self.number:
                self.close()
                self.number = float(number[begin])
            t, x = time[begin:end], values[begin:end]
            second = np.floor(t)
            first = np.diff(second, prepend=self.second) > 0.0
            self.second = float(second[-1])
            new = np.column_stack([t, x])[first]
            self.rows = np.vstack([self.rows, new]) if self.rows.size else new
            self.count += len(t)

    def take_means(self, time: Float, values: Float, fresh: bool) -> None:
        """Take rows that are means already, ``fresh`` behind a gap: they are closed, and their status tells events."""
        self.closed.append(of_means(time, values, self.interval))
        rows = np.column_stack([time, values])
        seen = rows if fresh or not self.tail.size else np.vstack([self.tail, rows])
        events = told_of_means(seen, self.torque, self.interval)
        if len(events):
            self.events.append(events)
        self.tail = rows[-1:].copy()

    def close(self, end: bool = False) -> None:
        """End the ten minutes at hand; ``end``: no more will come."""
        if len(self.rows):
            rows = np.vstack([self.tail, self.rows]) if self.tail.size else self.rows
            until = float(rows[-1, 0]) - (0.0 if end else BEHIND)
            events = found(rows, self.torque, self.speed, self.settled, until)
            if len(events):
                self.events.append(events)
            self.settled = max(self.settled, until)
            self.tail = rows[rows[:, 0] > rows[-1, 0] - BEHIND - TAIL].copy()
            self.closed.append(of_samples(self.rows, self.number * LENGTH, self.count * self.interval, self.inertia))
        self.rows, self.count = self.rows[:0], 0.0

    def taken(self) -> Rows:
        """Closed rows, handed over."""
        found: Rows = np.concatenate(self.closed) if self.closed else np.zeros(0, ROW)
        self.closed = []
        return found

    def told(self) -> Events:
        """Events so far, handed over."""
        made: Events = np.concatenate(self.events) if self.events else np.zeros(0, EVENT)
        self.events = []
        return made

    def state(self) -> dict[str, Float]:
        """What goes on, as arrays."""
        return {
            "minutes_rows": self.rows,
            "minutes_numbers": np.array([self.number, self.count, self.second, self.settled]),
            "minutes_tail": self.tail,
            "minutes_events": _flat(self.events, EVENT),
            "minutes_closed": _flat(self.closed, ROW),
        }

    @classmethod
    def restored(
        cls, state: Mapping[str, Float], interval: float, inertia: float, torque: float, speed: float
    ) -> Minutes:
        """As it was when :meth:`state` was asked."""
        number, count, second, settled = (float(x) for x in state["minutes_numbers"])
        closed, events = _lists(state["minutes_closed"], ROW), _lists(state["minutes_events"], EVENT)
        rows, tail = state["minutes_rows"].copy(), state["minutes_tail"].copy()
        return cls(interval, inertia, torque, speed, rows, number, count, second, closed, tail, settled, events)


def _flat(lists: list[Rows], dtype: np.dtype[np.void]) -> Float:
    """Rows of a list as plain numbers."""
    rows: Rows = np.concatenate(lists) if lists else np.zeros(0, dtype)
    return rows.view(np.float64).reshape(len(rows), len(dtype.names or ()))


def _lists(values: Float, dtype: np.dtype[np.void]) -> list[Rows]:
    """The list of one that plain numbers are."""
    rows: Rows = np.ascontiguousarray(values).reshape(-1).view(dtype)
    return [rows.copy()] if len(rows) else []


def of_samples(rows: Float, begin: float, seconds: float, inertia: float) -> Rows:
    """One row from samples of a second (n, 1 + signals)."""
    made: Rows = np.full(1, np.nan, ROW)
    made["begin"], made["seconds"] = begin, seconds
    time, values = rows[:, 0], rows[:, 1:]
    for column, name in enumerate(("speed", "torque", "power", "pitch", "wind")):
        known = values[np.isfinite(values[:, column]), column]
        if len(known):
            made[name], made[f"{name}_std"] = known.mean(), known.std()
    speed, torque = values[:, 0], values[:, 1]
    made["speed_min"], made["speed_max"] = speed.min(), speed.max()
    steps = np.diff(time) < 1.5
    if steps.sum() >= LEAST:
        made["speed_step"] = np.diff(speed)[steps].std()
        made["torque_step"] = np.diff(torque)[steps].std()
        load = torque + inertia * np.gradient(speed, time)
        made["range_3"] = damage_equivalent_range(rainflow(load), 3.0, duration=len(load))
    return made


def of_means(time: Float, values: Float, interval: float) -> Rows:
    """Rows from rows that are means already, with what statistics stand beside them; ``values`` (n, signals)."""
    made: Rows = np.full(len(time), np.nan, ROW)
    made["begin"], made["seconds"] = time, interval
    for column, name in enumerate(("speed", "torque", "power", "pitch", "wind")):
        made[name] = values[:, column]
    own = ("speed_std", "speed_min", "speed_max", "torque_std", "power_std", "pitch_std", "wind_std")
    for column, name in enumerate(own, start=6):
        made[name] = values[:, column]
    # torque swings as power over speed where nothing else is known
    slope = np.divide(
        made["power_std"], np.abs(values[:, 0]), out=np.full(len(time), np.nan), where=values[:, 0] != 0.0
    )
    made["torque_std"] = np.where(np.isfinite(made["torque_std"]), made["torque_std"], slope)
    return made
