"""The faults of recorded series: found, counted, said. Nothing is filled in; what is in doubt is left out and its time is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import InputError
from gearwright.remarks import Remark, warning

#: a step longer than so many usual ones is a gap; one that differs by more than this part is uneven
GAP, UNEVEN = 1.5, 0.1
#: a sensor is frozen when all signals stand still for that long [s], and for so many samples
FROZEN_TIME, FROZEN_ROWS = 2.0, 10
#: what clocks are moved by [s]
HOUR = 3600.0


class Stretch(NamedTuple):
    """An unbroken part of a record: rows ``begin`` to ``end`` of the accepted ones."""

    begin: int
    end: int


@dataclass(frozen=True)
class Findings:
    """What was found in a record, in rows unless said.

    Attributes
    ----------
    rows : of the file
    accepted : rows that are used
    interval : usual step [s], the mean without gaps
    missing : rows in which a value is missing or is no number
    out_of_order : rows earlier than one before them; they are put in order
    repeated : rows that say again what another one said at the same time; left out
    conflicts : rows with other values at a time that is taken already; left out, the first one counts
    frozen : rows in which all signals stand still behind the first one; left out
    gaps : number of gaps; ``gap_time`` [s] what they leave out, ``longest_gap`` [s]
    uneven : steps that differ from the usual one by more than a tenth without being a gap
    clock : sentences on what looks like a clock that was moved
    steady : all signals stand still throughout, which is kept: a steady state, or a sensor that is frozen from the first row on
    """

    rows: int
    accepted: int
    interval: float
    missing: int = 0
    out_of_order: int = 0
    repeated: int = 0
    conflicts: int = 0
    frozen: int = 0
    gaps: int = 0
    gap_time: float = 0.0
    longest_gap: float = 0.0
    uneven: int = 0
    clock: tuple[str, ...] = ()
    steady: bool = False

    def remarks(self) -> Iterator[Remark]:
        """Each fault as a sentence."""
        told = (
            (self.missing, "without a value or with one that is no number: left out"),
            (self.out_of_order, "earlier than a row before: put in order"),
            (self.repeated, "given twice: counted once"),
            (self.conflicts, "with other values at a time that another row has: the first one counts"),
            (
                self.frozen,
                f"in which all signals stand still for {FROZEN_TIME:g} s or more: left out as of a frozen sensor",
            ),
        )
        for number, what in told:
            if number:
                yield warning(f"{number} of {self.rows} rows {what}")
        if self.steady:
            yield warning("all signals stand still in the whole record: a steady state, or frozen sensors")
        if self.gaps:
            yield warning(
                f"{self.gaps} gap{'s' if self.gaps > 1 else ''} of together {self.gap_time:g} s, the longest "
                f"{self.longest_gap:g} s: nothing is filled in, loads in them are not counted"
            )
        if self.uneven:
            yield warning(
                f"{self.uneven} steps differ from {self.interval:g} s by more than {100 * UNEVEN:g} %: taken as even"
            )
        for sentence in self.clock:
            yield warning(sentence)


class Guarded(NamedTuple):
    """A record behind its guard: time (n,) [s] rising, values (signals, n), unbroken stretches, what was found."""

    time: Float
    values: Float
    stretches: tuple[Stretch, ...]
    findings: Findings


def guard(time: Float, values: Float, interval: float | None = None) -> Guarded:
    """Put a record in order and find its faults.

    Parameters
    ----------
    time : (rows,) [s]
    values : (signals, rows); a row with a value that is not finite is missing
    interval : usual step [s]; None: found, as the mean of those within 1.5 times the median

    Raises InputError where fewer than two rows are left.
    """
    rows = len(time)
    sound = np.isfinite(time) & np.isfinite(values).all(axis=0)
    missing = rows - int(sound.sum())
    t, x = time[sound], values[:, sound]
    late = int((t < np.maximum.accumulate(t)).sum()) if len(t) else 0
    order = np.argsort(t, kind="stable")
    t, x = t[order], x[:, order]
    first = np.concatenate([[True], np.diff(t) > 0.0]) if len(t) else np.zeros(0, bool)
    leader = np.flatnonzero(first)[np.cumsum(first) - 1]
    same = (x == x[:, leader]).all(axis=0) & ~first
    conflicts = ~first & ~same
    clashes = t[conflicts]
    t, x = t[first], x[:, first]
    if len(t) < 2:
        raise InputError(
            f"the record has {len(t)} rows with a time and all values; loads over time need two or more", where="data"
        )
    step = float(np.median(np.diff(t))) if interval is None else interval
    stuck = _frozen(x, max(FROZEN_ROWS, round(FROZEN_TIME / step))) if step < FROZEN_TIME else np.zeros(len(t), bool)
    steady = bool(stuck[1:].all())
    stuck &= not steady
    t, x = t[~stuck], x[:, ~stuck]
    steps = np.diff(t)
    gap = steps > GAP * step
    breaks = np.flatnonzero(gap) + 1
    stretches = tuple(Stretch(int(a), int(b)) for a, b in zip([0, *breaks], [*breaks, len(t)], strict=True))
    lost = steps[gap] - step
    if interval is None and not gap.all():
        step = float(steps[~gap].mean())  # stamps of few digits are even in the mean
    uneven = np.abs(steps[~gap] - step) > UNEVEN * step
    findings = Findings(
        rows,
        len(t),
        step,
        missing,
        late,
        int(same.sum()),
        int(conflicts.sum()),
        int(stuck.sum()),
        int(gap.sum()),
        float(lost.sum()),
        float(lost.max(initial=0.0)),
        int(uneven.sum()),
        tuple(_clock(clashes, lost, t, breaks, step)),
        steady,
    )
    return Guarded(t, x, stretches, findings)


def _frozen(values: Float, least: int) -> NDArray[np.bool_]:
    """Rows in which all signals are exactly those of the row before, in a row of ``least`` or more; standing still (all zero) is none."""
    moving = np.concatenate([[True], (np.diff(values, axis=1) != 0.0).any(axis=0)]) | (values == 0.0).all(axis=0)
    begin = np.flatnonzero(moving)
    length = np.diff(np.concatenate([begin, [len(moving)]]))
    long = np.repeat(length >= least, length)
    return np.asarray(long & ~moving)


def _clock(clashes: Float, lost: Float, time: Float, breaks: NDArray[np.int64], step: float) -> Iterator[str]:
    """What looks like a change of clocks: an hour of times with two sets of values, or an hour without any."""
    for first, rows in twice(clashes, step):
        yield (
            f"one hour of times has two sets of values ({rows} rows from {first:.0f} s on), as at a change of clocks: times from "
            "there to the next change are an hour in doubt"
        )
    for at, missing in zip(breaks, lost, strict=True):
        if step < HOUR and abs(missing - HOUR) <= 0.5 * step:
            yield f"one hour is missing before {time[at]:.0f} s, as at a change of clocks"


def twice(clashes: Float, step: float) -> Iterator[tuple[float, int]]:
    """Begin [s] and rows of every hour of times with two sets of values."""
    for block in np.split(clashes, np.flatnonzero(np.diff(clashes) > GAP * step) + 1) if len(clashes) > 1 else ():
        if abs(block[-1] - block[0] + step - HOUR) <= step:
            yield float(block[0]), len(block)
