"""The amplitude of an order along a run-up or coast-down, and the resonances on it.

A block of fixed revolutions smears a resonance that is passed within them. Here the block follows the sweep: a frequency that
moves at ``f'`` [Hz/s] lights up a mode for ``1/sqrt(f')`` seconds or longer, whatever the damping (a response cannot rise
faster than its frequency passes), so blocks of 0.4 of that keep the peak. They are longer only where two orders would
else not be told apart. In a block the order, its neighbours, a mean and a trend are fitted together by least squares under a
Hann window. Source of the sweep's own width: F. M. Lewis, Trans. ASME 54 (1932) 253-261 (vibration during acceleration
through a critical speed); least-squares order tracking: R. B. Randall, Vibration-based Condition Monitoring (2011), 3.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .orders import shaft_angle

Float = NDArray[np.float64]

#: length of a block over the time 1/sqrt(f') in which a sweep passes a mode
_SHARE = 0.4
#: separation of two orders that a block tells apart, in lines (1/revolutions) of the block
_APART = 2.0
#: periods of an order in a block at least, so that mean and trend are no part of it
_LEAST = 2.5
#: revolutions of the longest block
_LONGEST = 16.0
#: blocks per length of a block
_PER_BLOCK = 4
#: amplitudes below this part of half the series' range are none, nor below that part of its largest value (round-off)
FLOOR, ROUND_OFF = 1e-3, 1e-5
#: the same at the start of a run, where free vibration from starting meets whatever order has its frequency
_START = 0.1
#: peaks of one order closer than this in speed, or without a valley of this depth between them, are one resonance: what
#: follows the largest is its beat with the free vibration it leaves
_CLOSE, _VALLEY = 0.1, 0.5
#: how far a peak must rise over what orders beside it show where they meet the same frequency
_STANDS_OUT = 2.0
#: and over what they show in half of the run
_OVER_NOISE = 4.0
#: part of another order's amplitude that its change within a block may leave at an order one line away (falls with the square)
_LEAK = 0.3


class OrderTrack(NamedTuple):
    """Amplitude of an order along a run.

    time, speed : (blocks,) [s, rad/s] in the middle of every block
    amplitude : (blocks,), peak values [unit of the series]
    beside : (blocks,) the larger amplitude of two orders beside it where no line is known, three lines of the block away; where
        there is no room for them, twice the standard error that the rest of the block leaves
    revolutions : (blocks,) length of the blocks
    """

    order: float
    time: Float
    speed: Float
    amplitude: Float
    beside: Float
    revolutions: Float


class Resonance(NamedTuple):
    """A peak of one order: speed [rad/s], frequency [Hz], amplitude, and its factor over the order's median.

    ``at`` is ``start`` or ``end`` where the peak lies at an end of the run: the resonance may lie beyond, and at the start it may be
    what starting leaves. ``merged`` are orders that the run is too short to tell apart from this one there.
    """

    order: float
    speed: float
    frequency: float
    amplitude: float
    factor: float
    at: str | None = None
    merged: tuple[float, ...] = ()


class _Run(NamedTuple):
    """A series with the angle of its shaft, and speed [rad/s] and its absolute rate [rad/s^2] without the shaft's vibration."""

    series: Float
    angle: Float
    interval: float
    speed: Float
    rate: Float
    start: float = 0.0


def order_track(
    series: ArrayLike, speed: ArrayLike, interval: float, order: float, lines: Sequence[float] = ()
) -> OrderTrack:
    """Amplitude of one order of a shaft along a run.

    Parameters
    ----------
    series, speed : (samples,) any unit, [rad/s] of the shaft, which must not reverse; ``interval`` [s] between samples
    order : periods per turn of the shaft, below half the sampling rate throughout
    lines : all orders known to be in the series, which are told apart from this one where the run is long enough

    Raises ValueError for a run shorter than a block.
    """
    return _track(_run(series, speed, interval), order, lines)


def resonances(
    series: ArrayLike, speed: ArrayLike, interval: float, orders: Sequence[float], factor: float = 2.0
) -> list[Resonance]:
    """Peaks along the given orders, largest first.

    A peak stands out by ``factor`` over the order's median, by twice over the orders beside it and by four times over what these
    show in half of the run (noise), rises above its valleys by a
    quarter of the order's largest amplitude, and lies above a floor: a thousandth of half the range of the series (a tenth at its
    start), and 1e-5 of its largest value. The ends of the run count. Parameters as of :func:`order_track`, whose ``lines`` are the ``orders``.
    """
    run = _run(series, speed, interval)
    floor = max(FLOOR * 0.5 * float(np.ptp(run.series)), ROUND_OFF * float(np.abs(run.series).max()))
    tracks = [_track(run, order, orders) for order in orders]
    start = _START / FLOOR * floor
    found = [(peak, place) for track in tracks for peak, place in _peaks(track, tracks, factor, floor, start)]
    found.sort(key=lambda item: -item[0].amplitude)
    kept: list[tuple[Resonance, _Place]] = []
    for peak, place in found:
        for i, (larger, other) in enumerate(kept):
            # one peak of orders that a block there does not tell apart
            if (
                abs(peak.order - larger.order) * other.revolutions < 0.5 * _APART
                and abs(place.time - other.time) < other.length
            ):
                kept[i] = larger._replace(merged=(*larger.merged, peak.order)), other
                break
        else:
            kept.append((peak, place))
    return [peak for peak, _ in kept]


def turns_to_pass(speed: ArrayLike, interval: float, order: float) -> float:
    """Turns of the shaft in which an order passes a mode at the mean speed, whatever its damping: ``1/sqrt(f')`` seconds."""
    w = np.abs(np.asarray(speed, float))
    rate = float(np.ptp(w)) / (len(w) * interval)
    return float(w.mean() / (2.0 * np.pi) / np.sqrt(max(order * rate / (2.0 * np.pi), 1e-300)))


def _run(series: ArrayLike, speed: ArrayLike, interval: float) -> _Run:
    x, w = np.asarray(series, float), np.asarray(speed, float)
    if len(x) != len(w) or len(x) < 64:
        raise ValueError(f"series and speed of one length, 64 samples or more, are needed, got {len(x)} and {len(w)}")
    angle = shaft_angle(w, interval)
    # means over a 32nd of the run: free of the shaft's own vibration
    edges = np.linspace(0, len(w) - 1, 33).round().astype(int)
    mean = np.diff(angle[edges]) / (np.diff(edges) * interval)
    middle = 0.5 * (edges[:-1] + edges[1:])
    rate = np.interp(np.arange(len(w)), middle, np.abs(np.gradient(mean, middle * interval)))
    slope = np.gradient(mean, middle)
    at = np.arange(len(w))
    smooth = np.interp(at, middle, mean)
    smooth = np.where(at < middle[0], mean[0] + slope[0] * (at - middle[0]), smooth)
    smooth = np.where(at > middle[-1], mean[-1] + slope[-1] * (at - middle[-1]), smooth)
    if (smooth > 0.0).any() and (smooth < 0.0).any():
        raise ValueError("the shaft must turn in one sense over the whole series")
    return _Run(x, angle, interval, np.asarray(smooth), np.asarray(rate))


def _track(run: _Run, order: float, lines: Sequence[float]) -> OrderTrack:
    turns = abs(run.angle[-1] - run.angle[0]) / (2.0 * np.pi)
    longest = min(_LONGEST, turns / 4.0)
    distance = [d for d in (abs(line - order) for line in lines) if d * longest >= _APART]
    least = max([_LEAST / order, *(_APART / d for d in distance)])
    if least > turns:
        raise ValueError(f"{turns:.3g} turns of the shaft are too few for order {order:g}")
    reach = order + 3.0 * _APART / least
    run, gain = _thinned(run, reach * float(np.abs(run.speed).max()) / (2.0 * np.pi))
    turning = np.maximum(np.abs(run.speed), 1e-300) / (2.0 * np.pi)
    passing = _SHARE / np.sqrt(np.maximum(order * run.rate / (2.0 * np.pi), 1e-300))
    wanted = np.clip(passing * turning, least, max(longest, least)) / turning / run.interval
    # lengths half an octave apart, at most half the series
    wanted = 2.0 ** (np.round(2.0 * np.log2(np.clip(wanted, 12.0, 0.5 * len(run.series)))) / 2.0)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for start, n, end in _blocks(wanted):
        revolutions = n * run.interval * turning[start + n // 2]
        groups.setdefault((n, round(2.0 * np.log2(revolutions)), end), []).append(start)
    where, amplitude, beside, length = [], [], [], []
    for (n, _, end), starts in groups.items():
        for part in np.array_split(np.array(starts), len(starts) * n // 200_000 + 1):
            a, b, revolutions = _fit(run, part, n, order, lines, end)
            where.append(part + (n - 1) * (end + 1) // 2)
            amplitude.append(a)
            beside.append(b)
            length.append(revolutions)
    at = np.concatenate(where)
    sort = np.argsort(at, kind="stable")
    at = at[sort]
    found, near, revolutions = (np.concatenate(v)[sort] for v in (amplitude, beside, length))
    loss = gain(order * turning[at])
    return OrderTrack(order, run.start + at * run.interval, run.speed[at], found / loss, near / loss, revolutions)


def _blocks(length: Float) -> Iterator[tuple[int, int, int]]:
    """First sample, samples and the place of interest of blocks along a run: 0 its middle, -1 and 1 the ends of the run."""
    samples = len(length)
    yield 0, int(length[0]), -1
    middle = 0.5 * length[0]
    while True:
        n = int(length[min(int(middle), samples - 1)])
        start = int(middle) - n // 2
        if start + n > samples:
            break
        if start >= 0:
            yield start, n, 0
        middle += max(n / _PER_BLOCK, 1.0)
    n = int(length[-1])
    yield samples - n, n, 1


def _thinned(run: _Run, highest: float) -> tuple[_Run, Callable[[Float], Float]]:
    """A run with fewer samples where nothing above ``highest`` [Hz] is looked at, and the gain of what was done over frequency.

    Means of means of means: what would be folded back is 70 dB down.
    """
    every = int(1.0 / (16.0 * highest * run.interval))
    every = min(every, len(run.series) // 256)
    if every < 2:
        return run, np.ones_like
    box = np.ones(every) / every
    kernel = np.convolve(np.convolve(box, box), box)
    series, angle, speed, rate = (
        np.convolve(v, kernel, "valid")[::every] for v in (run.series, run.angle, run.speed, run.rate)
    )
    step = np.pi * run.interval

    def gain(frequency: Float) -> Float:
        return np.asarray((np.sin(every * step * frequency) / (every * np.sin(step * frequency))) ** 3)

    start = run.start + 0.5 * (len(kernel) - 1) * run.interval
    return _Run(series, angle, every * run.interval, speed, rate, start), gain


def _fit(
    run: _Run, starts: NDArray[np.int64], n: int, order: float, lines: Sequence[float], end: int
) -> tuple[Float, Float, Float]:
    """Amplitudes of an order and of the larger of two beside it in blocks of ``n`` samples, and revolutions of the blocks."""
    take = starts[:, None] + np.arange(n)
    x, angle = run.series[take], run.angle[take]
    angle = angle - angle[:, n // 2, None]
    revolutions = np.abs(angle[:, -1] - angle[:, 0]) / (2.0 * np.pi)
    line = 1.0 / max(float(np.median(revolutions)), 1e-12)
    apart, reach = 0.75 * _APART * line, 8.0 * line

    def neighbours(centre: float) -> list[float]:
        kept: list[float] = []
        for other in sorted({*lines, order}, key=lambda o: abs(o - centre)):
            if apart <= abs(other - centre) <= reach and other > apart and all(abs(other - k) >= apart for k in kept):
                kept.append(other)
        return kept

    amplitude, error = _amplitude(x, angle, order, neighbours(order), end)
    places = [
        o
        for o in (order - 3.0 * line, order + 3.0 * line)
        if o > apart and min(abs(o - k) for k in (*lines, order)) >= apart
    ]
    found = [_amplitude(x, angle, other, neighbours(other), end)[0] for other in places]
    return amplitude, np.max(found, axis=0) if found else 2.0 * error, revolutions


def _amplitude(x: Float, angle: Float, order: float, others: Sequence[float], end: int) -> tuple[Float, Float]:
    """Amplitude of an order in blocks (blocks, samples), fitted beside mean, trend and other orders under a Hann window; at an
    ``end`` of the block (-1, 1) it grows evenly along the block. And its standard error, if what is left is white."""
    n = x.shape[1]
    t = np.linspace(-1.0, 1.0, n)
    root = np.sqrt(0.5 + 0.5 * np.cos(np.pi * t * (n - 1) / n))
    columns = [f(o * angle) for o in (order, *others) for f in (np.cos, np.sin)]
    columns += [np.ones_like(x), np.broadcast_to(t, x.shape)]
    if end:
        columns += [t * columns[0], t * columns[1]]
    basis = np.stack(columns, axis=-1) * root[:, None]
    turned = basis.transpose(0, 2, 1)
    normal = turned @ basis
    # what a block hardly tells apart: a little weight on small amplitudes
    normal += 1e-9 * n * np.eye(normal.shape[-1])
    found = np.linalg.solve(normal, turned @ (x * root)[..., None])[..., 0]
    cosine, sine = found[:, 0], found[:, 1]
    if end:
        cosine, sine = cosine + end * found[:, -2], sine + end * found[:, -1]
    rest = x * root - (basis @ found[..., None])[..., 0]
    # sum of Hann weights n/2, of their squares 3n/8: the variance of a coefficient is 3/n of the sample's
    error = np.sqrt(3.0 / n * (rest**2).sum(axis=1) / (0.5 * n))
    return np.asarray(np.hypot(cosine, sine)), np.asarray(error)


class _Place(NamedTuple):
    """Where a peak was found: time and length of the block [s], its revolutions."""

    time: float
    length: float
    revolutions: float


def _peaks(
    track: OrderTrack, tracks: Sequence[OrderTrack], factor: float, floor: float, start: float
) -> list[tuple[Resonance, _Place]]:
    from scipy.signal import find_peaks

    cut = track.amplitude
    if len(cut) < 3:
        return []
    # medians over time, whatever the length of the blocks
    weight = np.gradient(track.time)
    rank = np.argsort(cut)
    median = float(cut[rank][np.searchsorted(np.cumsum(weight[rank]), 0.5 * weight.sum())])
    floor = max(floor, _OVER_NOISE * float(np.median(track.beside)))
    padded = np.concatenate([[0.0], cut, [0.0]])
    at, _ = find_peaks(padded, height=max(factor * median, floor), prominence=0.25 * float(cut.max()))
    kept: list[int] = []
    for p in sorted((at - 1).tolist(), key=lambda p: -cut[p]):
        if p == 0 and cut[0] < start:
            continue
        # an end is extrapolated: the block beside it has to stand out too
        beside = 1 if p == 0 else p - 1 if p == len(cut) - 1 else p
        if _own(track, tracks, p) and _own(track, tracks, beside) and not any(_same(track, p, q) for q in kept):
            kept.append(p)
    size = np.abs(track.speed)
    found = []
    for p in kept:
        frequency = float(track.order * size[p] / (2.0 * np.pi))
        over = float(cut[p]) / median if median > 0.0 else np.inf
        end = "start" if p == 0 else "end" if p == len(cut) - 1 else None
        peak = Resonance(track.order, float(track.speed[p]), frequency, float(cut[p]), over, end)
        length = float(track.revolutions[p] * 2.0 * np.pi / size[p])
        found.append((peak, _Place(float(track.time[p]), length, float(track.revolutions[p]))))
    return found


def _own(track: OrderTrack, tracks: Sequence[OrderTrack], p: int) -> bool:
    """Whether a peak is the line's own: it is more than what a stronger order leaves in its block, and orders beside it do not show
    it where they meet the same frequency. A mode that something else shakes shows before and behind; one that the line has
    shaken rings behind only."""
    away = max(4.0 / max(track.revolutions[p] * track.order, 1e-12), 0.02)
    off = np.abs(track.speed) / abs(track.speed[p]) - 1.0
    sides = [track.beside[(off * way >= 0.0) & (off * way <= away)] for way in (-1.0, 1.0)]
    left = min(float(side.max()) for side in sides if len(side) > 1 or p not in (0, len(off) - 1))
    for other in tracks:
        lines = abs(other.order - track.order) * float(track.revolutions[p])
        if lines > 0.5 * _APART:
            left = max(left, _LEAK / lines**2 * float(np.interp(track.time[p], other.time, other.amplitude)))
    return bool(track.amplitude[p] > _STANDS_OUT * left)


def _same(track: OrderTrack, p: int, q: int) -> bool:
    """Whether a smaller peak belongs to the resonance of a larger one."""
    if abs(abs(track.speed[p]) - abs(track.speed[q])) <= _CLOSE * max(abs(track.speed[p]), abs(track.speed[q])):
        return True
    between = track.amplitude[min(p, q) : max(p, q) + 1]
    return bool(between.min() > _VALLEY * track.amplitude[p])
