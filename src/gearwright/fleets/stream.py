"""Counting that goes on: rows of a turbine in, spectra out, with a state that can be kept at any row and gone on from.

The state is the same to the last bit however the rows were cut into pieces, and its size does not grow with time but for the ten-minute rows that
:meth:`Stream.taken` hands over. All sums are made over blocks that begin at the same samples of a record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from gearwright.arrays import Float
from gearwright.errors import InputError
from gearwright.results.counter_kernels import PIECE
from gearwright.results.counters import Counters, Counts

from .events import Events
from .observer import HIGHEST, Observed, Observer
from .order import Order, Piece
from .stream_rows import SIGNALS
from .ten_minutes import Minutes, Rows, of_means

State = dict[str, NDArray[np.generic]]

#: S-N slopes of the sums of ranges
EXPONENTS = (3.0, 4.0, 6.0, 8.0, 10.0, 12.0)
#: levels: bins to rated torque, from so many rated torques below zero to so many above
BINS, BELOW, ABOVE = 64, 2, 4
#: corner frequency of a speed of usual noise [Hz], values that follow a period of the corner
USUAL, PER_PERIOD = 5.0, 8.0
#: rows further apart than this [s] are means, which have no slope
MEAN = 30.0
VERSION = 2


@dataclass(frozen=True)
class Setting:
    """What a stream counts by: a state belongs to one setting.

    Parameters
    ----------
    interval : of the rows [s]
    torque, speed : of the generator at rated power [N m, rad/s]
    inertias : (g,) of the histories [kg m^2]
    corner : frequency up to which signals are used [Hz]; 0 for rows that are means
    """

    interval: float
    torque: float
    speed: float
    inertias: tuple[float, ...]
    corner: float

    @classmethod
    def made(
        cls,
        interval: float,
        torque: float,
        speed: float,
        inertias: Sequence[float] | Float,
        mode: float = float("inf"),
        corner: float | None = None,
    ) -> Setting:
        """The usual one for rows every ``interval`` [s] of a train whose first torsional mode is ``mode`` [Hz]."""
        if not (interval > 0.0 and torque > 0.0 and speed > 0.0):
            raise InputError(
                f"interval {interval:g} s, rated torque {torque:g} N m and rated speed {speed:g} rad/s have to be positive",
                where="stream",
            )
        if interval > MEAN:
            return cls(interval, torque, speed, tuple(map(float, inertias)), 0.0)
        usual = max(USUAL, 2.0 * mode if np.isfinite(mode) and mode < 20.0 else 0.0)
        chosen = min(usual if corner is None else corner, HIGHEST / interval)
        return cls(interval, torque, speed, tuple(map(float, inertias)), chosen)

    @property
    def means(self) -> bool:
        """Whether rows are means over their interval."""
        return self.corner == 0.0

    @property
    def hash(self) -> str:
        """Of all that decides about a state."""
        facts = [
            VERSION,
            self.interval,
            self.torque,
            self.speed,
            self.inertias,
            self.corner,
            BINS,
            BELOW,
            ABOVE,
            EXPONENTS,
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]

    @property
    def levels(self) -> Float:
        """Middles of the level bins [N m of the generator]."""
        return np.asarray((np.arange((BELOW + ABOVE) * BINS) - BELOW * BINS + 0.5) * (self.torque / BINS), float)


@dataclass(frozen=True)
class Spectra:
    """What a stream has counted: g histories, l levels.

    ``seconds``, ``turns`` (g, l) at level [s, turns of the generator], ``sums`` of turns times load [N m]; ``counts`` cycles and extremes of the histories, or None of means;
    ``damage`` (g, exponents) sum of R^m over cycles; ``time`` [s] counted in all, ``begin``, ``end`` [s since 1970] of the record; ``tally`` of faults.
    """

    setting: Setting
    seconds: Float
    turns: Float
    sums: Float
    counts: Counts | None
    time: float
    begin: float
    end: float
    tally: Mapping[str, float]
    clashes: Sequence[float]
    hours: Sequence[float]

    @property
    def damage(self) -> Float:
        """Sum of n R^m over all cycles (g, exponents) [(N m)^m]."""
        none = np.zeros((len(self.setting.inertias), len(EXPONENTS)))
        return none if self.counts is None else self.counts.damage

    def equivalent(self) -> Float:
        """Equivalent ranges at 1 Hz (g, exponents) [N m]."""
        return np.asarray((self.damage / max(self.time, 1e-9)) ** (1.0 / np.array(EXPONENTS)))

    @property
    def levels(self) -> Float:
        """Mean load (g, l) of every level in use, the middle of the others [N m]."""
        middles = np.tile(self.setting.levels, (len(self.turns), 1))
        return np.divide(self.sums, self.turns, out=middles, where=self.turns > 0.0)

    def rated_hours(self, exponent: float, group: int = -1) -> float:
        """Hours at rated torque and speed that do the same: sum of (T / T_r)^p omega / omega_r over the record [h]."""
        s = self.setting
        turns = self.turns[group] * 2.0 * np.pi / s.speed
        return float(np.sum(turns * (np.abs(self.levels[group]) / s.torque) ** exponent)) / 3600.0


class Stream:
    """Rows of one turbine, counted as they come."""

    def __init__(self, setting: Setting):
        self.setting = setting
        groups = len(setting.inertias)
        self.order = Order(len(SIGNALS), setting.interval)
        self.minutes = Minutes(setting.interval, setting.inertias[-1], setting.torque, setting.speed)
        self._observer = None if setting.means else _designed(setting.interval, setting.corner)
        self._counters = _counters(groups)
        self._ring = np.zeros((0, 2))
        self._rest = np.zeros((0, 3))
        self._seconds = np.zeros((groups, len(setting.levels)))
        self._turns = np.zeros((groups, len(setting.levels)))
        self._sums = np.zeros((groups, len(setting.levels)))
        self._span = np.array([np.nan, np.nan, 0.0])  # begin, end, values counted

    @property
    def step(self) -> float:
        """Time between two values of a history [s]."""
        return self.setting.interval if self._observer is None else self._observer.step

    def add(self, time: ArrayLike, signals: Mapping[str, ArrayLike], end: bool = False) -> None:
        """Take rows: time (n,) [s since 1970, UTC] and (n,) of every signal of ``SIGNALS`` that is there, as they came.

        ``end`` passes on what waits for rows that may still come: only at the end of a record. Raises InputError for a signal that is unknown, or
        speed or torque missing.
        """
        strange = [name for name in signals if name not in SIGNALS]
        if strange or not {"generator_speed", "generator_torque"} <= set(signals):
            raise InputError(
                f"a stream takes generator_speed and generator_torque, and {', '.join(SIGNALS[2:])}; not {', '.join(signals)}",
                where="signals",
            )
        t = np.asarray(time, float)
        values = np.full((len(t), len(SIGNALS)), np.nan)
        for name, column in signals.items():
            values[:, SIGNALS.index(name)] = column
        for piece in self.order.take(t, values, end):
            self._take(piece)
        if end:
            self.minutes.close(end=True)

    def _take(self, piece: Piece) -> None:
        if not np.isfinite(self._span[0]):
            self._span[0] = piece.time[0]
        self._span[1] = piece.time[-1]
        if self._observer is None:
            self._take_means(piece)
            return
        self.minutes.take(piece.time, piece.values)
        if piece.fresh:
            self._ring = self._ring[:0]
        rows = np.vstack([self._ring, piece.values[:, :2]])
        seen = self._observer.observe(rows[:, 1].copy(), rows[:, 0].copy())
        self._ring = rows[-(2 * self._observer.reach - 1) :].copy()
        self._feed(seen)

    def _feed(self, seen: Observed) -> None:
        """Count in whole blocks."""
        self._rest = np.vstack([self._rest, np.column_stack(seen)])
        whole = len(self._rest) // PIECE * PIECE
        for begin in range(0, whole, PIECE):
            self._count(self._rest[begin : begin + PIECE])
        self._rest = self._rest[whole:].copy()

    def _count(self, block: Float) -> None:
        torque, slope, speed = block.T
        histories = np.ascontiguousarray(torque + np.outer(self.setting.inertias, slope))
        self._counters.count(histories, 0, len(block))
        turns = np.abs(speed) * (self.step / (2.0 * np.pi))
        place = self._place(histories)
        for group, row in enumerate(place):
            self._seconds[group] += self.step * np.bincount(row, minlength=self._seconds.shape[1])
            self._turns[group] += np.bincount(row, turns, self._turns.shape[1])
            self._sums[group] += np.bincount(row, turns * histories[group], self._turns.shape[1])
        self._span[2] += len(block)

    def _place(self, histories: Float) -> NDArray[np.int64]:
        bins = self._seconds.shape[1]
        at = np.floor(histories * (BINS / self.setting.torque)).astype(np.int64) + BELOW * BINS
        return np.clip(at, 0, bins - 1)

    def _take_means(self, piece: Piece) -> None:
        """Means with their deviations: a normal distribution at every row; the means themselves are counted as slow cycles."""
        rows = of_means(piece.time, piece.values, self.setting.interval)
        self.minutes.take_means(piece.time, piece.values, piece.fresh)
        for begin in range(0, len(rows), PIECE):
            part = slice(begin, begin + PIECE)
            speed, torque = piece.values[part, 0], piece.values[part, 1]
            share, load = normal_shares(
                torque, np.nan_to_num(rows["torque_std"][part]), self.setting.torque, self._seconds.shape[1]
            )
            turns = (np.abs(speed) * self.setting.interval / (2.0 * np.pi))[:, None]
            for total, more in (
                (self._seconds, self.setting.interval * share),
                (self._turns, turns * share),
                (self._sums, turns * load),
            ):
                # row after row onto what was there: the same bits for any pieces
                total[:] = np.add.reduce(np.vstack([total[:1], more]), axis=0)
        self._span[2] += float(len(rows))
        self._rest = np.vstack(
            [self._rest, np.column_stack([piece.values[:, 1], np.zeros((len(rows), 1)), piece.values[:, 0]])]
        )
        whole = len(self._rest) // PIECE * PIECE
        for begin in range(0, whole, PIECE):
            self._slow(self._counters, self._rest[begin : begin + PIECE])
        self._rest = self._rest[whole:].copy()

    def _slow(self, counters: Counters, block: Float) -> None:
        histories = np.ascontiguousarray(np.tile(block[:, 0], (len(self.setting.inertias), 1)))
        counters.count(histories, 0, len(block))

    def taken(self) -> Rows:
        """The ten-minute rows that were closed since the last call, handed over (:data:`gearwright.fleets.ten_minutes.ROW`)."""
        return self.minutes.taken()

    def events(self) -> Events:
        """Starts, stops, trips, emergency stops and grid faults that were settled since the last call, handed over; of rows that are means those that a status tells."""
        return self.minutes.told()

    def spectra(self) -> Spectra:
        """What was counted so far, rows that wait for others included; counting goes on afterwards as if this had not been asked."""
        other = Stream(self.setting)
        other.restore(self.state())
        for piece in other.order.take(np.zeros(0), np.zeros((0, len(SIGNALS))), end=True):
            other._take(piece)
        if len(other._rest) and self.setting.means:
            other._slow(other._counters, other._rest)
        elif len(other._rest):
            other._count(other._rest)
        counted = other._counters.counts() if other._span[2] else None
        return Spectra(
            self.setting,
            other._seconds,
            other._turns,
            other._sums,
            counted,
            float(other._span[2] * self.step),
            float(other._span[0]),
            float(other._span[1]),
            dict(other.order.tally),
            list(other.order.clashes),
            list(other.order.hours),
        )

    def state(self) -> State:
        """All that counting goes on from, as arrays; a file of it is a few tens of kilobytes."""
        own: State = {
            "setting": np.array(self.setting.hash),
            "ring": self._ring,
            "rest": self._rest,
            "seconds": self._seconds,
            "turns": self._turns,
            "sums": self._sums,
            "span": self._span,
        }
        own |= self.order.state()
        own |= self.minutes.state()
        own |= {f"counters_{name}": values for name, values in self._counters.state().items()}
        return {name: values.copy() for name, values in own.items()}

    def restore(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from a state. Raises InputError where it was counted by another setting."""
        if str(state["setting"]) != self.setting.hash:
            raise InputError(
                "the state was counted for another train, rate, corner or version; begin a new book instead of going on",
                where="state",
            )
        numbers = {name: np.asarray(values) for name, values in state.items() if name != "setting"}
        self._ring, self._rest = numbers["ring"].copy(), numbers["rest"].copy()
        self._seconds, self._turns = numbers["seconds"].copy(), numbers["turns"].copy()
        self._sums, self._span = numbers["sums"].copy(), numbers["span"].copy()
        self.order = Order.restored(numbers)
        s = self.setting
        self.minutes = Minutes.restored(numbers, s.interval, s.inertias[-1], s.torque, s.speed)
        prefix = "counters_"
        self._counters.restore({n.removeprefix(prefix): v for n, v in numbers.items() if n.startswith(prefix)})


@cache
def _designed(interval: float, corner: float) -> Observer:
    return Observer.design(interval, corner, min(50.0, PER_PERIOD * corner))


def _counters(groups: int) -> Counters:
    return Counters(groups, range(groups), EXPONENTS, blocks=2)


def normal_shares(mean: Float, deviation: Float, rated: float, bins: int) -> tuple[Float, Float]:
    """Shares (n, bins) of the level bins in normal distributions (n,), and the load over each bin times its share; without a deviation all lies in one."""
    edges = (np.arange(1, bins) - BELOW * BINS) * (rated / BINS)
    none = np.zeros((len(mean), 1))
    spread = np.maximum(deviation, 1e-9 * rated)[:, None]
    z = (edges - mean[:, None]) / spread
    share = np.diff(np.hstack([none, ndtr(z), none + 1.0]), axis=1)
    density = np.hstack([none, np.exp(-0.5 * np.minimum(z**2, 1400.0)) / np.sqrt(2.0 * np.pi), none])
    return share, mean[:, None] * share - spread * np.diff(density, axis=1)
