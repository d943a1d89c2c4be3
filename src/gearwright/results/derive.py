"""Quantities that follow from channels: while a run goes on (:class:`Derived`), or afterwards from its series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.kernels import kernel
from gearwright.system import Leaps

Float = NDArray[np.float64]
OPERATIONS = ("norm", "product", "share", "phase")
NORM, PRODUCT, SHARE, PHASE = range(len(OPERATIONS))
#: Rate of a rubbing row [rad/s or m/s] below which it counts as at rest: far above round-off, far below any motion.
AT_REST = 1e-7
#: least magnitudes between the samples of a piece, of all channels, and part of the lesser end below which one counts
NEAREST, LESS = 8192, 0.99


@dataclass(frozen=True)
class Derived:
    """A channel computed from others at every sample, before it is counted and stored.

    ``inputs`` are channel names (``element.quantity``), earlier derived ones included.

    ``operation``:

    - ``norm``: root of the sum of squares (magnitude of a bearing force)
    - ``product``: product (torque times speed)
    - ``share``: first input times the number of inputs over the sum of all inputs (load of one planet in units
      of the even share; 1 where the sum vanishes)
    - ``phase``: of a brake or clutch with capacity and slip speed: 0 free (no capacity), 1 slips, 2 locked

    The outcome is multiplied by ``factor``.
    """

    kind: str
    element: str
    quantity: str
    unit: str
    operation: str
    inputs: tuple[str, ...]
    sign: str = ""
    counted: bool = False
    factor: float = 1.0

    def __post_init__(self) -> None:
        if self.operation not in OPERATIONS:
            raise ValueError(
                f"operation of '{self.name}' must be one of {', '.join(OPERATIONS)}, got '{self.operation}'"
            )
        if not self.inputs:
            raise ValueError(f"derived channel '{self.name}' has no inputs")

    @property
    def name(self) -> str:
        """``element.quantity``, unique within a run."""
        return f"{self.element}.{self.quantity}"


class Extension:
    """Derived channels with their inputs found: extends chunks by their columns.

    Raises ValueError for an input that is not among the channels.
    """

    def __init__(self, names: Sequence[str], derived: Sequence[Derived]):
        column: dict[str, int] = {name: i for i, name in enumerate(names)}
        pointer, index = [0], []
        for d in derived:
            missing = [name for name in d.inputs if name not in column]
            if missing:
                raise ValueError(f"derived channel '{d.name}' needs '{missing[0]}', which is not among the channels")
            index += [column[name] for name in d.inputs]
            pointer.append(len(index))
            column.setdefault(d.name, len(names) + len(pointer) - 2)
        self._operation = np.array([OPERATIONS.index(d.operation) for d in derived], np.int64)
        self._factor = np.array([d.factor for d in derived], float)
        self._pointer, self._index = np.array(pointer, np.int64), np.array(index, np.int64)
        self._given = len(names)
        self._rest = (self._given, self._operation, self._factor, self._pointer, self._index)
        self._extend = extend_channels.closing(*self._rest)
        self._last = np.zeros(len(names) + len(derived))
        self._found = (np.zeros(NEAREST, np.int64), np.zeros(NEAREST, np.int64), np.zeros(NEAREST))
        self._nearest = nearest_of_norms.closing(*self._rest, self._last, *self._found)
        self._fresh = True

    def compiled(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """Compiled functions that extending needs, each with arguments of the kinds it is called with."""
        if not len(self._operation):
            return []
        return [
            (extend_channels, (np.zeros((1, 1)), 0, 0, *self._rest)),
            (nearest_of_norms, (np.zeros((1, 1)), 0, 0, True, *self._rest, self._last, *self._found)),
        ]

    def extend(self, room: Float, first: int, end: int) -> None:
        """Fill the rows of derived channels in ``room`` (n + derived, ...), columns ``first`` to ``end``."""
        if len(self._operation):
            self._extend(room, first, end)

    def leaping(self, leaps: Leaps | None, room: Float) -> Leaps | None:
        """Leaps of channels before samples of ``room``, with those of what is derived from them: other inputs are taken from the sample behind."""
        if leaps is None or not len(leaps.at) or not len(self._operation):
            return leaps
        # channels of one instant follow each other in ascending order
        event = np.concatenate([[0], np.cumsum((np.diff(leaps.at) != 0) | (np.diff(leaps.column) <= 0))])
        at = leaps.at[np.flatnonzero(np.diff(event, prepend=-1))]
        leapt = np.zeros((len(at), len(self._last)), bool)
        leapt[event, leaps.column] = True
        limits = []
        for values in (leaps.before, leaps.after):
            limits.append(room[:, at].T.copy())
            limits[-1][event, leaps.column] = values
        for d, operation in enumerate(self._operation):
            inputs = self._index[self._pointer[d] : self._pointer[d + 1]]
            these = np.flatnonzero(leapt[:, inputs].any(axis=1))
            if operation != PHASE and len(these):
                leapt[these, self._given + d] = True
                for values in limits:
                    values[these, self._given + d] = self._factor[d] * _combined(operation, values[these][:, inputs])
        event, column = np.nonzero(leapt)
        return Leaps(at[event], column, limits[0][event, column], limits[1][event, column])

    def between(self, room: Float, first: int, end: int) -> Leaps | None:
        """Where magnitudes are least between samples of columns ``first`` to ``end``, which :meth:`extend` wrote, and the sample
        before them: a vector that passes by zero has a magnitude with a cusp, which samples miss however smooth its parts are."""
        if not (self._operation == 0).any():
            return None
        many = self._nearest(room, first, end, self._fresh)
        self._last[:], self._fresh = room[:, end - 1], False
        at, column = self._found[0][:many].copy(), self._found[1][:many].copy()
        value = self._found[2][:many].copy()
        return Leaps(at, column, value, value) if many else None


def _combined(operation: int, inputs: Float) -> Float:
    """What an operation of :func:`extend_channels` makes of inputs (events, inputs)."""
    if operation == NORM:
        return np.asarray(np.sqrt((inputs**2).sum(axis=1)))
    if operation == PRODUCT:
        return np.asarray(inputs.prod(axis=1))
    total = inputs.sum(axis=1)
    safe = np.where(total == 0.0, 1.0, total)
    return np.where(total == 0.0, 1.0, inputs[:, 0] * inputs.shape[1] / safe)


@kernel
def nearest_of_norms(x, start, stop, fresh, given, operation, factor, pointer, index, last, at, column, value):  # type: ignore[no-untyped-def]
    """Least magnitudes on the lines between samples ``start - 1`` (``last``, unless ``fresh``) to ``stop`` of the norms of
    :func:`extend_channels`, where they are less than at both ends: sample behind, channel and value, ascending; how many."""
    many = 0
    for i in range(start, stop):
        if i == start and fresh:
            continue
        for d in range(len(operation)):
            if operation[d] != 0 or many == len(at):
                continue
            length = toward = 0.0
            for p in range(pointer[d], pointer[d + 1]):
                before = x[index[p], i - 1] if i > start else last[index[p]]
                step = x[index[p], i] - before
                length += step * step
                toward -= before * step
            if not 0.0 < toward < length:
                continue
            part = toward / length
            square = 0.0
            for p in range(pointer[d], pointer[d + 1]):
                before = x[index[p], i - 1] if i > start else last[index[p]]
                there = before + part * (x[index[p], i] - before)
                square += there * there
            least = factor[d] * np.sqrt(square)
            ends = min(x[given + d, i - 1] if i > start else last[given + d], x[given + d, i])
            if least < LESS * ends:
                at[many] = i
                column[many] = given + d
                value[many] = least
                many += 1
    return many


@kernel
def extend_channels(x, start, stop, given, operation, factor, pointer, index):  # type: ignore[no-untyped-def]
    """Fill columns start to stop of the channels of ``x`` (n, k) after the first ``given``: 0 norm, 1 product, 2 share of the first input, each times its factor;
    3 phase of a clutch with a capacity and a rate: 0 free, 1 slips, 2 locked (the factor is the rate at rest).

    Inputs of derived channel d are the channels ``index[pointer[d]:pointer[d + 1]]`` of ``x``.
    """
    for d in range(len(operation)):
        out, own = x[given + d, start:stop], x[index[pointer[d]], start:stop]
        if operation[d] == 3:
            other = x[index[pointer[d] + 1], start:stop]
            for i in range(len(out)):
                out[i] = 0.0 if own[i] <= 0.0 else (1.0 if abs(other[i]) > factor[d] else 2.0)
            continue
        for i in range(len(out)):
            out[i] = own[i] * own[i] if operation[d] == 0 else own[i]
        for p in range(pointer[d] + 1, pointer[d + 1]):
            other = x[index[p], start:stop]
            if operation[d] == 0:
                for i in range(len(out)):
                    out[i] += other[i] * other[i]
            elif operation[d] == 1:
                for i in range(len(out)):
                    out[i] *= other[i]
            else:
                for i in range(len(out)):
                    out[i] += other[i]
        if operation[d] == 0:
            for i in range(len(out)):
                out[i] = factor[d] * np.sqrt(out[i])
        elif operation[d] == 1:
            for i in range(len(out)):
                out[i] *= factor[d]
        else:
            # the even share where nothing is carried
            inputs = pointer[d + 1] - pointer[d]
            for i in range(len(out)):
                out[i] = factor[d] * (own[i] * inputs / out[i] if out[i] != 0.0 else 1.0)


class LoadSharing(NamedTuple):
    """Sharing of load among N parallel paths (planets).

    share : (planets, time) load over the even share
    factor : (time,) K_gamma at every instant: the largest share
    mean : largest mean load of a planet over the mean of the even share
    peak : largest load of any planet over the largest even share
    """

    share: Float
    factor: Float
    mean: float
    peak: float


def load_sharing(forces: ArrayLike) -> LoadSharing:
    """Load sharing of planets from their mesh forces (planets, time), K_gamma over time and overall.

    Shares are referred to the instantaneous sum, and are 1 where it vanishes. Overall, ``mean`` compares means
    of magnitudes, ``peak`` the largest magnitudes: both stay meaningful where the load passes zero. Source:
    IEC 61400-4, mesh load factor.
    """
    f = np.asarray(forces, float)
    if f.ndim != 2 or f.shape[0] < 1 or f.shape[1] < 1:
        raise ValueError(f"load sharing needs forces as (planets, time), got shape {f.shape}")
    even = f.mean(axis=0)
    safe = np.where(even == 0.0, 1.0, even)
    share = np.where(even == 0.0, 1.0, f / safe)
    mean_even, peak_even = float(np.mean(np.abs(even))), float(np.max(np.abs(even)))
    return LoadSharing(
        share=share,
        factor=share.max(axis=0),
        mean=float(np.abs(f).mean(axis=1).max()) / mean_even if mean_even else 1.0,
        peak=float(np.abs(f).max()) / peak_even if peak_even else 1.0,
    )
