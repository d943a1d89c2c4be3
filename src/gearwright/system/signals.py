"""Signals: numbers over time that laws read and inputs apply.

Every signal is a piecewise cubic in time plus at most one sine, whatever it was made from (constant, step,
ramp, table, recorded series), so that engines evaluate, differentiate and integrate all of them alike and
land on the instants where one jumps or has a kink.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.arrays import Float
from gearwright.kernels import hot
from gearwright.kernels.places import cell_of


@dataclass(frozen=True)
class Signal:
    """A piecewise cubic plus one sine.

    Parameters
    ----------
    start : (p,) ascending start times of the pieces [s]; the first piece also serves all earlier times,
        the last one all later times.
    coefficients : (p, 4) value = c0 + c1 x + c2 x^2 + c3 x^3 with x = t - start.
    sine : (amplitude, angular frequency [rad/s], phase [rad], start [s]); zero before its start.
    landings : instants at which value or slope jumps; engines land on them.
    """

    start: Float
    coefficients: Float
    sine: tuple[float, float, float, float] = (0.0, 0.0, 0.0, -math.inf)
    landings: Float = field(default_factory=lambda: np.zeros(0))

    def __call__(self, t: ArrayLike) -> Float:
        """Value at times ``t`` (any shape)."""
        return self._evaluate(t, 0)

    def rate(self, t: ArrayLike) -> Float:
        """Derivative at times ``t``."""
        return self._evaluate(t, 1)

    def integral(self, t: ArrayLike) -> Float:
        """Integral from time zero to ``t``, exact."""
        time = np.asarray(t, float)
        knots = np.append(self.start, np.inf)
        anti = np.column_stack([np.zeros(len(self.start)), self.coefficients / np.array([1.0, 2.0, 3.0, 4.0])])

        def primitive(x: Float) -> Float:
            width = np.diff(self.start)
            steps = sum(anti[:-1, j] * width**j for j in range(1, 5)) if len(width) else np.zeros(0)
            offset = np.concatenate([[0.0], np.cumsum(steps)])
            piece = np.clip(np.searchsorted(knots[:-1], x, side="right") - 1, 0, None)
            local = x - self.start[piece]
            return offset[piece] + sum(anti[piece, j] * local**j for j in range(1, 5))

        value = primitive(time) - primitive(np.zeros(1))[0]
        a, w, p, t0 = self.sine
        if a:
            begin = max(t0, 0.0)

            def sine(x: Float) -> Float:
                local = np.maximum(x, begin)
                if w == 0.0:
                    return a * math.sin(p) * local
                return -a / w * np.cos(w * (local - t0 if math.isfinite(t0) else local) + p)

            value = value + sine(time) - sine(np.asarray(begin))
        return value

    def _evaluate(self, t: ArrayLike, order: int) -> Float:
        time = np.asarray(t, float)
        piece = np.clip(np.searchsorted(self.start, time, side="right") - 1, 0, None)
        x = time - self.start[piece]
        c = self.coefficients[piece]
        if order == 0:
            value = c[..., 0] + x * (c[..., 1] + x * (c[..., 2] + x * c[..., 3]))
        else:
            value = c[..., 1] + x * (2 * c[..., 2] + 3 * x * c[..., 3])
        a, w, p, t0 = self.sine
        if a:
            local = time - (t0 if math.isfinite(t0) else 0.0)
            wave = a * np.sin(w * local + p) if order == 0 else a * w * np.cos(w * local + p)
            value = value + np.where(time >= t0, wave, 0.0)
        return value

    def derivative(self) -> Signal:
        """The rate of this signal as a signal."""
        c = self.coefficients
        rate = np.column_stack([c[:, 1], 2 * c[:, 2], 3 * c[:, 3], np.zeros(len(c))])
        a, w, p, t0 = self.sine
        return Signal(self.start, rate, (a * w, w, p + math.pi / 2, t0), self.landings)

    def scaled(self, factor: float) -> Signal:
        """This signal times ``factor``."""
        a, w, p, t0 = self.sine
        return Signal(self.start, self.coefficients * factor, (a * factor, w, p, t0), self.landings)

    def replaced_from(self, at: float, other: Signal) -> Signal:
        """This signal until ``at``, ``other`` (in its own absolute time) from then on: the edit of an event.

        Raises ValueError if either has a sine that would have to be cut.
        """
        if self.sine[0]:
            raise ValueError("a sine cannot be cut by an event; write it as a table")
        keep = self.start < at
        first = max(int(np.searchsorted(other.start, at, side="right")) - 1, 0)
        head = other.coefficients[first].copy()
        x = at - other.start[first]
        shifted = np.array(
            [
                head[0] + x * (head[1] + x * (head[2] + x * head[3])),
                head[1] + x * (2 * head[2] + 3 * x * head[3]),
                head[2] + 3 * x * head[3],
                head[3],
            ]
        )
        start = np.concatenate([self.start[keep], [at], other.start[first + 1 :]])
        coefficients = np.vstack([self.coefficients[keep], shifted, other.coefficients[first + 1 :]])
        a, w, p, t0 = other.sine
        landings = np.unique(
            np.concatenate([self.landings[self.landings < at], [at], other.landings[other.landings > at]])
        )
        return Signal(start, coefficients, (a, w, p, max(t0, at)) if a else other.sine, landings)


def constant(value: float) -> Signal:
    """A value that does not change."""
    return Signal(np.zeros(1), np.array([[value, 0.0, 0.0, 0.0]]))


def step(at: float, before: float, after: float) -> Signal:
    """A jump at one instant."""
    return Signal(
        np.array([min(0.0, at - 1.0), at]),
        np.array([[before, 0, 0, 0], [after, 0, 0, 0]], float),
        landings=np.array([at]),
    )


def ramp(begin: float, end: float, at: float, over: float) -> Signal:
    """``begin`` until ``at``, then linear to ``end`` within ``over`` seconds."""
    if over <= 0.0:
        return step(at, begin, end)
    slope = (end - begin) / over
    coefficients = np.array([[begin, 0, 0, 0], [begin, slope, 0, 0], [end, 0, 0, 0]], float)
    return Signal(np.array([min(0.0, at - 1.0), at, at + over]), coefficients, landings=np.array([at, at + over]))


def sine(amplitude: float, frequency: float, phase: float = 0.0, mean: float = 0.0, start: float = -math.inf) -> Signal:
    """``mean + amplitude sin(2 pi frequency (t - start) + phase)``; frequency in Hz, phase in rad."""
    landings = np.array([start]) if math.isfinite(start) and start > 0 else np.zeros(0)
    return Signal(
        np.zeros(1),
        np.array([[mean, 0.0, 0.0, 0.0]]),
        (amplitude, 2 * math.pi * frequency, phase, start),
        landings,
    )


def table(time: ArrayLike, value: ArrayLike, interpolation: str = "linear") -> Signal:
    """A series: ``linear``, ``cubic`` (not-a-knot spline), ``monotone`` (PCHIP) or ``hold``.

    Held at its end values outside. Linear and held series land on every knot, splines on none but their ends.
    Raises ValueError if times do not ascend, lengths differ, a value is not finite or the name is unknown.
    """
    x = np.asarray(time, float)
    y = np.asarray(value, float)
    if x.ndim != 1 or x.shape != y.shape or len(x) < 1:
        raise ValueError("a table needs as many times as values")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        bad = int(np.flatnonzero(~(np.isfinite(x) & np.isfinite(y)))[0])
        raise ValueError(f"value number {bad + 1} of the table is not finite")
    if len(x) > 1 and (np.diff(x) <= 0).any():
        bad = int(np.flatnonzero(np.diff(x) <= 0)[0])
        raise ValueError(f"times must ascend: {x[bad]:g} s is followed by {x[bad + 1]:g} s")
    if len(x) == 1:
        return constant(float(y[0]))
    pieces: Float
    if interpolation == "linear":
        pieces = np.column_stack([y[:-1], np.diff(y) / np.diff(x), np.zeros(len(x) - 1), np.zeros(len(x) - 1)])
        landings = x
    elif interpolation == "hold":
        pieces = np.column_stack([y[:-1], *np.zeros((3, len(x) - 1))])
        landings = x
    elif interpolation in ("cubic", "monotone"):
        from scipy.interpolate import CubicSpline, PchipInterpolator

        spline = CubicSpline(x, y) if interpolation == "cubic" else PchipInterpolator(x, y)
        pieces = np.ascontiguousarray(spline.c[::-1].T)
        landings = x[[0, -1]]
    else:
        raise ValueError(f"interpolation '{interpolation}' is not one of linear, cubic, monotone, hold")
    return _held(x, y, pieces, landings)


def hermite(time: ArrayLike, value: ArrayLike, slope: ArrayLike) -> Signal:
    """A series given by values and slopes, joined by cubics, held at its end values outside; lands on its ends.

    Times must ascend and all three be finite and of one length, which the caller has made sure of.
    """
    x, y, s = (np.asarray(a, float) for a in (time, value, slope))
    h = np.diff(x)
    rise = np.diff(y) / h
    bend = (3 * rise - 2 * s[:-1] - s[1:]) / h
    twist = (s[:-1] + s[1:] - 2 * rise) / h**2
    return _held(x, y, np.column_stack([y[:-1], s[:-1], bend, twist]), x[[0, -1]])


def _held(x: Float, y: Float, pieces: Float, landings: Float) -> Signal:
    """The pieces between the knots, the end values outside."""
    begin = np.array([[y[0], 0.0, 0.0, 0.0]])
    end = np.array([[y[-1], 0.0, 0.0, 0.0]])
    width = float(np.min(np.diff(x)))
    start = np.concatenate([[x[0] - width], x])
    return Signal(start, np.vstack([begin, pieces, end]), landings=landings)


def pack(signals: Sequence[Signal]) -> tuple[NDArray[np.uint32], Float, Float, Float, Float]:
    """Flatten signals into ``(sptr, sstart, scoef, ssin, sdt)`` for :func:`evaluate`.

    ``sdt`` is the common width of a signal's inner pieces (the first and last pieces excepted) or 0, for
    which the piece is found by bisection.
    """
    sptr = np.zeros(len(signals) + 1, np.uint32)
    sdt = np.zeros(len(signals))
    for i, signal in enumerate(signals):
        sptr[i + 1] = sptr[i] + len(signal.start)
        inner = np.diff(signal.start)
        if len(inner) > 2 and np.allclose(inner, inner[0], rtol=1e-9, atol=0.0):
            sdt[i] = inner[0]
    sstart = np.concatenate([s.start for s in signals]) if signals else np.zeros(0)
    scoef = np.concatenate([s.coefficients.ravel() for s in signals]) if signals else np.zeros(0)
    ssin = np.concatenate([np.asarray(s.sine, float) for s in signals]) if signals else np.zeros(0)
    return sptr, np.ascontiguousarray(sstart), np.ascontiguousarray(scoef), ssin, sdt


@hot
def find_piece(sptr, sstart, sdt, i, t):  # type: ignore[no-untyped-def]
    """Index of the piece of signal ``i`` that serves time ``t`` (a piece serves its own start)."""
    lo = np.int64(sptr[i])
    hi = np.int64(sptr[i + 1]) - 1
    if hi == lo or t < sstart[lo + 1]:
        return lo
    if t >= sstart[hi]:
        return hi
    if sdt[i] > 0.0:
        j = lo + cell_of((t - sstart[lo]) / sdt[i], hi - lo + 1)
        while sstart[j] > t:
            j -= 1
        while j < hi and sstart[j + 1] <= t:
            j += 1
        return j
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if sstart[mid] <= t:
            lo = mid
        else:
            hi = mid
    return lo


@hot
def value_of(sptr, sstart, scoef, ssin, sdt, i, t, side):  # type: ignore[no-untyped-def]
    """Signal ``i`` at time ``t``, from arrays or pointers; ``side`` is a time on the side of a jump that holds."""
    piece = find_piece(sptr, sstart, sdt, i, side)
    x = t - sstart[piece]
    b = 4 * piece
    value = scoef[b] + x * (scoef[b + 1] + x * (scoef[b + 2] + x * scoef[b + 3]))
    a = ssin[4 * i]
    if a != 0.0 and side >= ssin[4 * i + 3]:
        t0 = ssin[4 * i + 3]
        local = t - t0 if t0 > -1e300 else t
        value += a * np.sin(ssin[4 * i + 1] * local + ssin[4 * i + 2])
    return value


@hot
def evaluate(sptr, sstart, scoef, ssin, sdt, t, tp, s):  # type: ignore[no-untyped-def]
    """Write all signals at time ``t`` into ``s``; ``tp`` picks the piece.

    Within a step every stage must see one side of a jump: pass the middle of the step as ``tp``.
    """
    for i in range(sptr.shape[0] - 1):
        s[i] = value_of(sptr, sstart, scoef, ssin, sdt, i, t, tp)
