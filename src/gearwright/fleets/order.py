"""The guard of a record that grows: rows in the order of their time, once each, gaps and frozen sensors told, whatever the pieces in which they came.

Every rule looks at rows one by one in the order in which they arrived, or at rows in the order of their time; none at the pieces. So the result is the
same to the last bit for any cutting of the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gearwright.arrays import Float

from .guard import FROZEN_ROWS, FROZEN_TIME, GAP, HOUR, UNEVEN

#: longest disorder that is put right [s], and in rows
WINDOW, WINDOW_ROWS = 60.0, 6
#: what is counted, in rows; gap_time and longest_gap in seconds
TALLY = (
    "rows",
    "accepted",
    "missing",
    "out_of_order",
    "late",
    "repeated",
    "conflicts",
    "frozen",
    "gaps",
    "uneven",
    "gap_time",
    "longest_gap",
)
#: the signals that have to be there, the first of a row
NEEDED = 2


class Piece(NamedTuple):
    """Sound rows that follow each other without a gap: time (n,) [s], values (n, signals); ``fresh`` where a gap lies before them."""

    time: Float
    values: Float
    fresh: bool


@dataclass
class Order:
    """What waits and what was counted; ``signals`` values a row, a row every ``interval`` [s].

    ``waiting`` rows that others may still go before, ``run`` rows that all say the same and may be a frozen sensor's; ``latest`` time seen, ``last``
    time passed on; ``stuck`` whether the run is a frozen one; ``clashes`` times with other values, ``hours`` times before which one hour is missing.
    """

    signals: int
    interval: float
    latest: float = -np.inf
    last: float = float("nan")
    stuck: bool = False
    waiting: Float = field(default_factory=lambda: np.zeros((0, 0)))
    run: Float = field(default_factory=lambda: np.zeros((0, 0)))
    tally: dict[str, float] = field(default_factory=lambda: dict.fromkeys(TALLY, 0.0))
    clashes: list[float] = field(default_factory=list)
    hours: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("waiting", "run"):
            if not getattr(self, name).size:
                setattr(self, name, np.zeros((0, 1 + self.signals)))

    def take(self, time: Float, values: Float, end: bool = False) -> list[Piece]:
        """Take rows as they came, give those that are settled, in the order of their time; ``end``: no more will come."""
        rows = np.column_stack([time, values])
        self.tally["rows"] += len(rows)
        sound = np.isfinite(rows[:, : 1 + NEEDED]).all(axis=1)
        self.tally["missing"] += int((~sound).sum())
        return self._parted(self._moving(self._in_order(rows[sound], end), end))

    @property
    def window(self) -> float:
        """The longest disorder that is put right [s]."""
        return max(WINDOW, WINDOW_ROWS * self.interval)

    def _in_order(self, rows: Float, end: bool) -> Float:
        """Rows that no row to come may go before, each time once."""
        reach = self.window
        before = np.concatenate([[self.latest], rows[:, 0]])
        highest = np.maximum.accumulate(before)
        self.tally["out_of_order"] += int((rows[:, 0] < highest[:-1]).sum())
        late = rows[:, 0] < highest[1:] - reach
        self.tally["late"] += int(late.sum())
        self.latest = float(highest[-1])
        waiting = np.vstack([self.waiting, rows[~late]])
        waiting = waiting[np.argsort(waiting[:, 0], kind="stable")]
        count = len(waiting) if end else int(np.searchsorted(waiting[:, 0], self.latest - reach, side="left"))
        settled, self.waiting = waiting[:count], waiting[count:]
        if not count:
            return settled
        first = np.concatenate([[True], np.diff(settled[:, 0]) > 0.0])
        leader = np.flatnonzero(first)[np.cumsum(first) - 1]
        same = ((settled == settled[leader]) | (np.isnan(settled) & np.isnan(settled[leader]))).all(axis=1)
        conflicts = ~first & ~same
        self.tally["repeated"] += int((~first & same).sum())
        self.tally["conflicts"] += int(conflicts.sum())
        self.clashes += settled[conflicts, 0].tolist()
        return np.asarray(settled[first])

    def _moving(self, rows: Float, end: bool) -> Float:
        """Rows without those of frozen sensors, as soon as it is known that they are none."""
        if self.interval >= FROZEN_TIME:
            return rows
        least = max(FROZEN_ROWS, round(FROZEN_TIME / self.interval))
        old = len(self.run)
        rows = np.vstack([self.run, rows])
        if not len(rows):
            return rows
        values = np.nan_to_num(rows[:, 1:])
        moves = np.concatenate([[True], (np.diff(values, axis=0) != 0.0).any(axis=1)])
        moves |= (rows[:, 1 : 1 + NEEDED] == 0.0).all(axis=1)
        begin = np.flatnonzero(moves)
        length = np.diff(np.concatenate([begin, [len(rows)]]))
        open_run = int(begin[-1])
        frozen = np.repeat(length >= least, length)
        if old and self.stuck:  # the run began as a frozen one, of which only the first row was kept
            frozen[: length[0]] = True
        drop = frozen & ~moves
        keep = ~drop
        if old and self.stuck:
            keep[0] = False  # given on before
        now_stuck = bool(frozen[open_run]) and not end
        self.tally["frozen"] += int(drop.sum())
        if now_stuck:
            self.run, given = rows[open_run : open_run + 1], rows[keep]
        elif end:
            self.run, given = rows[:0], rows[keep]
        else:
            keep[open_run:] = False
            self.run, given = rows[open_run:], rows[keep]
        self.stuck = now_stuck
        return np.asarray(given)

    def _parted(self, rows: Float) -> list[Piece]:
        """Pieces between gaps; steps are counted."""
        if not len(rows):
            return []
        self.tally["accepted"] += len(rows)
        steps = np.diff(rows[:, 0], prepend=self.last)
        known = np.isfinite(steps)
        gap = known & (steps > GAP * self.interval)
        self.tally["gaps"] += int(gap.sum())
        self.tally["uneven"] += int((np.abs(steps[known & ~gap] - self.interval) > UNEVEN * self.interval).sum())
        for at, lost in zip(rows[gap, 0].tolist(), (steps[gap] - self.interval).tolist(), strict=True):
            if self.interval < HOUR and abs(lost - HOUR) <= 0.5 * self.interval:
                self.hours.append(at)
            self.tally["gap_time"] += lost
            self.tally["longest_gap"] = max(self.tally["longest_gap"], lost)
        self.last = float(rows[-1, 0])
        cuts = np.flatnonzero(gap | ~known)
        bounds = [0, *cuts[cuts > 0].tolist(), len(rows)]
        fresh = {int(c) for c in cuts}
        return [
            Piece(rows[a:b, 0], rows[a:b, 1:], a in fresh)
            for a, b in zip(bounds[:-1], bounds[1:], strict=True)
            if b > a
        ]

    def state(self) -> dict[str, Float]:
        """All that counting goes on from, as arrays."""
        numbers = [self.signals, self.interval, self.latest, self.last, float(self.stuck)]
        return {
            "order_numbers": np.array(numbers),
            "order_waiting": self.waiting,
            "order_run": self.run,
            "order_tally": np.array([self.tally[name] for name in TALLY]),
            "order_clashes": np.array(self.clashes),
            "order_hours": np.array(self.hours),
        }

    @classmethod
    def restored(cls, state: Mapping[str, Float]) -> Order:
        """As it was when :meth:`state` was asked."""
        signals, interval, latest, last, stuck = (float(x) for x in state["order_numbers"])
        return cls(
            int(signals),
            interval,
            latest,
            last,
            bool(stuck),
            state["order_waiting"].copy(),
            state["order_run"].copy(),
            dict(zip(TALLY, (float(x) for x in state["order_tally"]), strict=True)),
            state["order_clashes"].tolist(),
            state["order_hours"].tolist(),
        )
