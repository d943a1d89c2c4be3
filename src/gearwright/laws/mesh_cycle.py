"""Mesh stiffness over the cycle as a curve, with optional backlash and transmission error.

    F = k(phase) (d - e) + c (dv - e'),     e = sum a sin(2 pi order x + phi)

The curve is a piecewise cubic between **corners** (where a pair enters or leaves and the slope or the value
jumps); inside a segment it is smooth, and a step stays inside one. With backlash the coast flank has its own
curve and row, and no flank pulls. The error ``e`` moves the drive flank and, with the opposite sign, the
coast flank. Sources: S0 chapter 4 (stiffness over the cycle), physics notes 4 to 6.
"""

import math
from collections.abc import Sequence

import numpy as np

from gearwright.kernels import START, force, guard
from gearwright.kernels.places import cell_of, whole_of, within_cells
from gearwright.kernels.pointers import always_inline
from gearwright.system import Course, Law, Pieces

#: Segments of a curve: begin and width [cycles], cubics of their cells.
Curve = list[tuple[float, float, np.ndarray]]

# Parameters: 0 rows, 1 damping, 2 backlash, 3 segments, 4 offset of the excitations, 5 number of excitations,
# then per segment: start, width, cells, offset of the drive curve, offset of the coast curve;
# then the curves (4 coefficients a cell over its local coordinate 0..1), then per excitation: sense, order,
# amplitude, phase. Senses: mesh phase first.
_HEAD = 6
_SEGMENT = 5


@force
def mesh_cycle_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters as laid out above; senses: mesh phase, then the turns that excitations count."""
    always_inline()
    if p[0] == 1.0 and p[5] == 0.0:  # one flank without error: nearly every periodic mesh
        b, x = 6, d[1]
        if p[3] > 1.0:
            whole = np.floor(((mode >> 2) + 0.5) / p[3])
            b += 5 * cell_of((mode >> 2) - p[3] * whole, p[3])
            x = (x - whole - p[b]) / p[b + 1]
        else:
            x -= p[6]
            x -= np.floor(x)
        x *= p[b + 2]
        cell = within_cells(np.floor(x), p[b + 2])
        x -= cell
        i = int(p[b + 3] + 4.0 * cell)
        f[0] = (p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3]))) * d[0] + p[1] * dv[0]
        return
    rows = int(p[0])
    segments = int(p[3])
    error, error_rate = 0.0, 0.0
    o = int(p[4])
    for _ in range(int(p[5])):
        sense = rows + int(p[o])
        w = 2.0 * math.pi * p[o + 1]
        error += p[o + 2] * math.sin(w * d[sense] + p[o + 3])
        error_rate += p[o + 2] * w * math.cos(w * d[sense] + p[o + 3]) * dv[sense]
        o += 4
    if segments == 1:  # smooth and periodic: no piece to remember
        cycle = np.floor(d[rows] - p[6])
        b = 6
    else:
        piece = int(mode >> 2)
        cycle = float(piece // segments)
        b = 6 + 5 * (piece % segments)
    cells = p[b + 2]
    x = (d[rows] - cycle - p[b]) / p[b + 1] * cells
    cell = cell_of(x, cells)
    x -= cell
    i = int(p[b + 3]) + 4 * cell
    k = p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3]))
    if rows == 1:
        f[0] = k * (d[0] - error) + p[1] * (dv[0] - error_rate)
        return
    f[0] = k * (d[0] - error) + p[1] * (dv[0] - error_rate) if mode & 1 else 0.0
    i = int(p[b + 4]) + 4 * cell
    k = p[i] + x * (p[i + 1] + x * (p[i + 2] + x * p[i + 3]))
    f[1] = k * (d[1] + error - p[2]) + p[1] * (dv[1] + error_rate) if mode & 2 else 0.0


@guard
def mesh_cycle_guard(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Mode: piece of the unbounded phase times four, plus contact bits (1 drive, 2 coast).

    The margin is the least of three: phase left in the piece [cycles] and, scaled by 0.1 mm, the distance of
    a free flank to contact and the force over stiffness of a touching one.
    """
    rows = int(p[0])
    segments = int(p[3])
    phase, rate = d[rows], dv[rows]
    error, error_rate = 0.0, 0.0
    o = int(p[4])
    if rows == 2:
        for _ in range(int(p[5])):
            sense = rows + int(p[o])
            w = 2.0 * math.pi * p[o + 1]
            error += p[o + 2] * math.sin(w * d[sense] + p[o + 3])
            error_rate += p[o + 2] * w * math.cos(w * d[sense] + p[o + 3]) * dv[sense]
            o += 4
    if mode == START:
        cycle = whole_of(phase - p[6])
        j = segments - 1
        while j > 0 and phase - cycle < p[6 + 5 * j]:
            j -= 1
        piece = cycle * segments + j
        bits = 0
        if rows == 2:
            bits = (1 if d[0] - error > 0.0 else 0) + (2 if d[1] + error > p[2] else 0)
        return (piece << 2) + bits
    g[0] = 1.0
    g[1] = 0.0
    following = mode
    if segments > 1:
        piece = int(mode >> 2)
        b = 6 + 5 * (piece % segments)
        low = piece // segments + p[b]
        if rate >= 0.0:
            g[0] = low + p[b + 1] - phase
            g[1] = -rate
            following = mode + 4
        else:
            g[0] = phase - low
            g[1] = rate
            following = mode - 4
    if rows == 2:
        ratio = p[1] / p[int(p[9])]  # damping over a stiffness of the curve: the release condition's time
        x = d[0] - error
        w = dv[0] - error_rate
        if mode & 1:
            x += ratio * w
        else:
            x, w = -x, -w
        if x * 1e4 < g[0]:
            g[0] = x * 1e4
            g[1] = w * 1e4
            following = mode ^ 1
        x = d[1] + error - p[2]
        w = dv[1] + error_rate
        if mode & 2:
            x += ratio * w
        else:
            x, w = -x, -w
        if x * 1e4 < g[0]:
            g[0] = x * 1e4
            g[1] = w * 1e4
            following = mode ^ 2
    return following


def sampled_curve(values: Sequence[float], corners: Sequence[float]) -> Curve:
    """Segments ``(start, width, coefficients (cells, 4))`` of a curve given at equidistant points.

    ``values`` are (points,) over one cycle beginning at zero. Without corners the curve is a periodic cubic
    spline. With corners each segment is interpolated by its own spline through the samples inside it, so that
    jumps stay jumps.
    """
    from scipy.interpolate import CubicSpline

    n = len(values)
    grid = np.arange(n) / n
    y = np.asarray(values, float)
    if not corners:
        spline = CubicSpline(np.append(grid, 1.0), np.append(y, y[0]), bc_type="periodic")
        return [(0.0, 1.0, _cells(spline, 0.0, 1.0, n))]
    edges = sorted(c % 1.0 for c in corners)
    segments = []
    for begin, end in zip(edges, [*edges[1:], edges[0] + 1.0], strict=True):
        unwrapped = np.concatenate([grid, grid + 1.0])
        inside = (unwrapped >= begin - 1e-12) & (unwrapped < end - 1e-12)
        x, v = unwrapped[inside], np.concatenate([y, y])[inside]
        if len(x) < 4:
            raise ValueError(
                f"the curve has {len(x)} points between its corners {begin:g} and {end:g}; give at least 4"
            )
        spline = CubicSpline(x, v)
        segments.append((begin, end - begin, _cells(spline, begin, end, max(len(x), 8))))
    return segments


def _cells(spline, begin: float, end: float, n: int) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Resample a spline as ``n`` equal cells with local coordinate 0..1 (exact values and slopes at the ends)."""
    edges = np.linspace(begin, end, n + 1)
    value, slope = spline(edges), spline(edges, 1) * (end - begin) / n
    rise = np.diff(value)
    return np.column_stack(
        [value[:-1], slope[:-1], 3 * rise - 2 * slope[:-1] - slope[1:], slope[:-1] + slope[1:] - 2 * rise]
    )


def constant_curve(value: float) -> Curve:
    """One segment of constant stiffness."""
    return [(0.0, 1.0, np.array([[value, 0.0, 0.0, 0.0]]))]


def level_curve(two_pairs: float, one_pair: float, fraction: float) -> Curve:
    """Two segments of constant stiffness, two pairs first."""
    return [
        (0.0, fraction, np.array([[two_pairs, 0.0, 0.0, 0.0]])),
        (fraction, 1.0 - fraction, np.array([[one_pair, 0.0, 0.0, 0.0]])),
    ]


def ramped_curve(high: float, low: float, fraction: float, ramp: float) -> Curve:
    """Smooth course between two levels: ``high`` from 0 to ``fraction`` of the cycle, reached by a ramp before and left by one
    after, as a pair takes up its load beyond both ends of its path."""
    from scipy.interpolate import PchipInterpolator

    n = 64 * max(math.ceil(10.0 / max(ramp, 0.01) / 64.0), 4)
    x = np.arange(n + 1) / n
    up = np.clip((x - (1.0 - ramp)) / ramp, 0.0, 1.0)
    down = np.clip(1.0 - (x - fraction) / ramp, 0.0, 1.0)
    spline = PchipInterpolator(x, low + (high - low) * np.maximum(up, down))
    return [(0.0, 1.0, _cells(spline, 0.0, 1.0, n))]


def fourier_curve(mean: float, harmonics: Sequence[tuple[int, float, float]], points: int = 0) -> Curve:
    """``mean + sum amplitude cos(2 pi order x + phase)`` as a periodic spline fine enough for 1e-7 of the mean."""
    order = max((h[0] for h in harmonics), default=1)
    n = points or max(64, 64 * order)
    x = np.arange(n) / n
    y = np.full(n, mean)
    for k, a, phi in harmonics:
        y += a * np.cos(2 * np.pi * k * x + phi)
    return sampled_curve(y.tolist(), ())


def mirrored(curve: Curve, length: float) -> Curve:
    """The curve run through backwards: the coast flank meets the same path from its other end.

    A pair that enters at 0 and leaves at ``length`` (the contact ratio) on the drive flank enters the coast
    flank at what was its exit: value at x is the drive's value at ``length - x``.
    """
    result = []
    for start, width, cells in curve:
        begin = (length - start - width) % 1.0
        c0, c1, c2, c3 = cells.T[:, ::-1]
        flipped = np.column_stack([c0 + c1 + c2 + c3, -(c1 + 2 * c2 + 3 * c3), c2 + 3 * c3, -c3])
        result.append((begin, width, flipped))
    return sorted(result, key=lambda item: item[0])


def shifted(curve: Curve, by: float) -> Curve:
    """The curve as a function of another phase: value at x is the old value at ``x + by``."""
    return sorted([((start - by) % 1.0, width, cells) for start, width, cells in curve], key=lambda item: item[0])


def _value(curve: Curve, x: float) -> tuple[float, np.ndarray, float, float]:
    for start, width, cells in curve:
        local = (x - start) % 1.0
        if local < width or len(curve) == 1:
            return start, cells, width, local
    start, width, cells = curve[-1]
    return start, cells, width, (x - start) % 1.0


def _cut(curve: Curve, edges: Sequence[float]) -> Curve:
    """Resample a curve so that its segments begin exactly at ``edges``."""
    from scipy.interpolate import CubicHermiteSpline

    result = []
    for begin, end in zip(edges, [*edges[1:], edges[0] + 1.0], strict=True):
        _, cells, width, local = _value(curve, begin + 1e-9)
        span = end - begin
        if len(cells) == 1 and not cells[0, 1:].any():
            result.append((begin, span, cells.copy()))
            continue
        n = len(cells)
        h = width / n
        x = np.arange(n + 1) * h
        value = np.append(cells[:, 0], cells[-1].sum())
        slope = np.append(cells[:, 1], cells[-1, 1] + 2 * cells[-1, 2] + 3 * cells[-1, 3]) / h
        if len(curve) == 1:  # periodic: continue over the seam
            x = np.concatenate([x, x[1:] + 1.0])
            value = np.concatenate([value, value[1:]])
            slope = np.concatenate([slope, slope[1:]])
        spline = CubicHermiteSpline(x, value, slope)
        local = max(local - 1e-9, 0.0)
        fine = 4 if len(curve) == 1 else 1  # cells that begin elsewhere: small ones keep the cubics that they cut
        result.append((begin, span, _cells(spline, local, local + span, max(8, fine * round(n * span / width)))))
    return result


def _alike(
    curves: list[Curve],
) -> tuple[list[float], list[Curve]]:
    """Curves of all flanks cut at the edges of each, and these edges; two flanks have as many cells.

    Raises ValueError for a curve that is not positive everywhere.
    """
    edges = sorted({round(start, 12) for curve in curves if len(curve) > 1 for start, _, _ in curve})
    if not edges:  # smooth ones keep their own begin where they can
        edges = [curves[0][0][0]]
    whole = [len(curve) == 1 and len(edges) == 1 and curve[0][0] == edges[0] for curve in curves]
    cut = [curve if same else _cut(curve, edges) for curve, same in zip(curves, whole, strict=True)]
    for curve in cut:
        for _, _, cells in curve:
            if not (cells[:, 0] > 0).all():
                raise ValueError("mesh stiffness over the cycle must be positive everywhere")
    if len(cut) == 2 and len(cut[0]) == len(cut[1]):
        for i, (first, second) in enumerate(zip(cut[0], cut[1], strict=True)):
            n = max(len(first[2]), len(second[2]))
            cut[0][i], cut[1][i] = _refined(first, n), _refined(second, n)
    return edges, cut


def mesh_cycle(
    drive: Curve,
    damping: float,
    *,
    coast: Curve | None = None,
    backlash: float | None = None,
    excitations: Sequence[tuple[int, float, float, float]] = (),
    senses: int = 1,
) -> Law:
    """Mesh stiffness over the cycle.

    Parameters
    ----------
    drive, coast : curves made by the functions of this module, over the same phase [N/m over cycles]
    damping : constant damping along the line of action [N s/m]
    backlash : normal backlash [m]; None joins the flanks (one force row, the mesh can pull)
    excitations : (sense number, order, amplitude [m], phase [rad]); sense 0 is the mesh phase
    senses : number of sense rows of the block

    Raises ValueError for a curve that is not positive everywhere.
    """
    curves = [drive] if backlash is None else [drive, coast or drive]
    edges, cut = _alike(curves)
    parameters = _parameters(cut, edges, damping, backlash, excitations)
    rows = len(curves)
    several = tuple(edges) if len(edges) > 1 else ()
    mean = [_mean(curve) for curve in curves]
    flat = all(len(cells) == 1 for curve in cut for _, _, cells in curve)
    pieces = course = None
    if flat and not excitations:
        levels = tuple(tuple(float(cells[0, 0]) for _, _, cells in curve) for curve in cut)
        pieces = Pieces(several, levels, (damping,) * rows, (None,) if backlash is None else (0.0, backlash))
    elif rows == 1 and not excitations:
        course = Course(tuple(edges), tuple(tuple(map(_cubic, curve)) for _, _, curve in cut[0]), damping)
    law = Law(
        force=mesh_cycle_force,
        guard=mesh_cycle_guard if several or rows == 2 else None,
        parameters=parameters,
        rows=rows,
        senses=senses,
        mean=((mean[0],), (damping,)) if rows == 1 else ((mean[0], 0.0), (damping, 0.0)),
        damping=(damping,) if rows == 1 and not excitations else (),
        pieces=pieces,
        course=course,
        corners=several,
        places=64 if several else max(64, *(len(cells) for curve in cut for _, _, cells in curve)),
        smooth=rows == 1 and not several,
        label="mesh stiffness over the cycle",
        source="S0 chapter 4",
    )
    return law._replace(energy=_energy(cut, backlash, excitations, rows))


def _parameters(
    cut: list[Curve],
    edges: Sequence[float],
    damping: float,
    backlash: float | None,
    excitations: Sequence[tuple[int, float, float, float]],
) -> tuple[float, ...]:
    """Head, segments, cells and excitations in the order in which the force reads them."""
    offset = _HEAD + _SEGMENT * len(edges)
    table: list[float] = []
    segments: list[float] = []
    for i, begin in enumerate(edges):
        places = []
        for curve in cut:
            places.append(float(offset + len(table)))
            table += curve[i][2].ravel().tolist()
        segments += [begin, cut[0][i][1], float(len(cut[0][i][2])), places[0], places[-1]]
    counts = [float(len(edges)), float(offset + len(table)), float(len(excitations))]
    head = [float(len(cut)), damping, backlash or 0.0, *counts]
    return (*head, *segments, *table, *(float(x) for e in excitations for x in e))


def _cubic(cell: np.ndarray) -> tuple[float, float, float, float]:
    a, b, c, d = (float(x) for x in cell)
    return a, b, c, d


def _refined(segment: tuple[float, float, np.ndarray], n: int) -> tuple[float, float, np.ndarray]:
    start, width, cells = segment
    if len(cells) == n:
        return segment
    if len(cells) == 1 and not cells[0, 1:].any():
        return start, width, np.repeat(cells, n, axis=0)
    from scipy.interpolate import CubicHermiteSpline

    m = len(cells)
    x = np.linspace(0.0, 1.0, m + 1)
    value = np.append(cells[:, 0], cells[-1].sum())
    slope = np.append(cells[:, 1], cells[-1, 1] + 2 * cells[-1, 2] + 3 * cells[-1, 3]) * m
    return start, width, _cells(CubicHermiteSpline(x, value, slope), 0.0, 1.0, n)


def _mean(curve: Curve) -> float:
    total = 0.0
    for _, width, cells in curve:
        total += width * float(np.mean(cells @ np.array([1.0, 1 / 2, 1 / 3, 1 / 4])))
    return total


def _energy(curves, backlash, excitations, rows):  # type: ignore[no-untyped-def]
    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        error = 0.0
        for sense, order, amplitude, phase in excitations:
            error += amplitude * math.sin(2 * math.pi * order * d[rows + int(sense)] + phase)
        segments = len(curves[0])
        piece = int(mode) >> 2 if mode != START else 0
        cycle, j = divmod(piece, segments)
        if segments == 1:  # smooth and periodic, as in the force
            cycle = np.floor(d[rows] - curves[0][0][0])
        total = 0.0
        for row, curve in enumerate(curves):
            start, width, cells = curve[j]
            x = (d[rows] - cycle - start) / width * len(cells)
            cell = min(max(int(x), 0), len(cells) - 1)
            x -= cell
            c = cells[cell]
            k = c[0] + x * (c[1] + x * (c[2] + x * c[3]))
            if rows == 1:
                return 0.5 * k * (d[0] - error) ** 2
            if mode & (1 << row):
                total += 0.5 * k * ((d[0] - error) if row == 0 else (d[1] + error - backlash)) ** 2
        return total

    return energy
