"""Laws that are linear in their deflection, with a stiffness over the phase: levels, or curves between corners.

    f = k(phase) d + c d',     d a quintic over the step, by its start and rate there, and by four nodes up to the end

The nodes and the start are the five points of a Lobatto rule: their quintic misses what the first polynomials hardly feel,
and steps of three radians of the highest mode are accurate to a thousandth. The phase turns almost evenly, whatever the
forces do. So the places where the step crosses corners, and the moments of k(phase) with the deflection, are found once per
step; after that the force polynomials are linear in the deflections at the nodes,

    w_l = m_l + sum_q a_lq d(x_q h)

and a pass of the fixed point is thirty products per force. Moments are taken anew where a phase has moved by more than the
tolerance of the fixed point allows.
"""

from __future__ import annotations

from functools import cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import fused, hot
from gearwright.kernels.places import cell_of
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import slots as T
from .cuts import cut_places
from .pointers import call_curved, call_product, liner
from .tables import EARLY, LATE, legendre

#: Gauss points and weights on (0, 1): exact for the quintic, an even stiffness and the fourth polynomial together
_POINTS = (
    (0.046910077030668004, 0.11846344252809454),
    (0.23076534494715845, 0.23931433524968324),
    (0.5, 0.28444444444444444),
    (0.7692346550528415, 0.23931433524968324),
    (0.953089922969332, 0.11846344252809454),
)
_NODES = (0.5, 1.0, EARLY, LATE)
#: Lines of :func:`basis`: a unit of stiffness at each Gauss point, over the whole step, the slope's coefficients, the slope
#: at the end.
EVEN, SLOPES, AT_END = 5, 6, 7
#: Part of a phase below which it moves by what rounding leaves of the differences between its nodes.
ROUNDING = 4e-15
#: How moments are found: see :func:`moments`.
FIRST, FRESH, AGAIN = 0, 1, 2


def _scales() -> tuple[float, ...]:
    """One over the product of a node's distances to the others and its square; of all nodes; sum of their reciprocals."""
    whole = 1.0
    found = []
    for one in _NODES:
        product = one * one
        for other in _NODES:
            product *= one - other if other != one else 1.0
        found.append(1.0 / product)
        whole *= one
    return (*found, 1.0 / whole, sum(1.0 / one for one in _NODES))


_MIDDLE, _END, _EARLY, _LATE, _START, _BEND = _scales()


@hot
def piece_at(law, phase):  # type: ignore[no-untyped-def]
    """Piece that a phase is in; its bounds and number are remembered, as the phase counts them."""
    n = law[T.PIECES]
    known = f8(law[T.KNOWN])
    if known[0] <= phase < known[1]:
        return int(known[2])
    bound = f8(law[T.BOUND])
    cycle = np.floor(phase - bound[0])
    rest = phase - bound[0] - cycle
    j = n - 1
    while j > 0 and rest < bound[j]:
        j -= 1
    start = bound[0] + cycle
    known[0] = start + (bound[j] if j > 0 else 0.0)
    known[1] = start + (bound[j + 1] if j < n - 1 else 1.0)
    known[2] = j
    return j


@hot
def leaves_piece(law, p0, p1, p2):  # type: ignore[no-untyped-def]
    """Whether a quadratic phase leaves the piece that :func:`piece_at` found last within the step."""
    known = f8(law[T.KNOWN])
    low, high = known[0], known[1]
    end = p0 + p1 + p2
    if not low <= end < high:
        return True
    if p1 * (p1 + 2.0 * p2) < 0.0:
        extreme = p0 - 0.25 * p1 * p1 / p2
        return not low <= extreme < high
    return False


@fused
def stiffness_at(law, j, phase):  # type: ignore[no-untyped-def]
    """Stiffness of force row ``j`` of the law at a phase in the piece that :func:`piece_at` found last."""
    known, place = f8(law[T.KNOWN]), i8(law[T.PLACE])
    entry = 2 * (j * law[T.PIECES] + int(known[2]))
    cells = place[entry + 1]
    cell = shift(f8(law[T.CELL]), place[entry])
    if cells == 1:
        return cell[0] + 0.0 * phase
    x = (phase - known[0]) / (known[1] - known[0]) * cells
    i = cell_of(x, cells)
    x -= i
    cell = shift(cell, 4 * i)
    return cell[0] + x * (cell[1] + x * (cell[2] + x * cell[3]))


@fused
def cardinals(x):  # type: ignore[no-untyped-def]
    """What start, rate at the start (per step), middle, end, early and late node give to the deflection at a place."""
    middle, end, early, late = x - 0.5, x - 1.0, x - EARLY, x - LATE
    square, all_four = x * x, _START * middle * end * early * late
    return (
        (1.0 + _BEND * x) * all_four,
        x * all_four,
        _MIDDLE * square * end * early * late,
        _END * square * middle * early * late,
        _EARLY * square * middle * end * late,
        _LATE * square * middle * end * early,
    )


@fused
def _add(m, k, x):  # type: ignore[no-untyped-def]
    """Add what a stiffness at one place does: five coefficients by the six numbers of the deflection."""
    start, rate, middle, end, early, late = cardinals(x)
    for l in range(T.LOOP + 1):
        q = (2 * l + 1) * legendre(l, x) * k
        m[6 * l] += q * start
        m[6 * l + 1] += q * rate
        m[6 * l + 2] += q * middle
        m[6 * l + 3] += q * end
        m[6 * l + 4] += q * early
        m[6 * l + 5] += q * late


@fused
def _scaled(one, k, m):  # type: ignore[no-untyped-def]
    """Add one line of :func:`basis`, ``k`` times."""
    noinline()
    for i in range(T.MOMENTS):
        m[i] += k * one[i]


@cache
def basis() -> NDArray[np.float64]:
    """What a step's deflection gives by its start, rate, middle, end, early and late node (8, MOMENTS).

    A line has five coefficients of Legendre polynomials by the six numbers: of a unit of stiffness at each Gauss point, of the
    deflection, of its slope (per step); the last line is the slope at the end.
    """
    from numpy.polynomial import Legendre, Polynomial

    x = Polynomial([0.0, 1.0])
    found = np.zeros((8, T.MOMENTS))
    conditions = np.zeros((6, 6))
    conditions[0, 0] = conditions[1, 1] = 1.0
    conditions[2:] = np.power.outer(_NODES, np.arange(6))
    for i, column in enumerate(np.linalg.inv(conditions).T):
        one = Polynomial(column)
        for l in range(T.LOOP + 1):
            own = (2 * l + 1) * Legendre.basis(l)(2.0 * x - 1.0)
            for line, (place, weight) in enumerate(_POINTS):
                found[line, 6 * l + i] = weight * own(place) * one(place)
            for line, what in ((EVEN, one), (SLOPES, one.deriv())):
                found[line, 6 * l + i] = (own * what).integ()(1.0)
        found[AT_END, i] = one.deriv()(1.0)
    return found


@fused
def whole(H, law, moment, p0, p1, p2):  # type: ignore[no-untyped-def]
    """Moments of a law whose phase stays in one piece over the step."""
    nf, first, kref, k = law[T.NF], law[T.FIRST], f8(law[T.KREF]), f8(H[T.WORK])
    for j in range(nf):
        q = 0
        for place, _ in _POINTS:
            at = p0 + place * (p1 + place * p2)
            if law[T.PIECES] == 1:
                piece_at(law, at)  # a smooth curve goes on over its seam
            k[q] = stiffness_at(law, j, at) - kref[j * nf + j]
            q += 1
        out = shift(moment, T.MOMENTS * j)
        call_product(H[T.PRODUCT], out, f8(H[T.NOTHING]), f8(H[T.BASIS]), T.MOMENTS, k, q)
    if law[T.PIECES] == 1:
        piece_at(law, p0 + p1 + p2)
    f8(law[T.USED])[2] = 0.0
    for j in range(nf):
        f8(H[T.FEND])[first + j] = stiffness_at(law, j, p0 + p1 + p2) - kref[j * nf + j]


@liner
def curved(H, l, h):  # type: ignore[no-untyped-def]
    """Moments of a law whose stiffness varies within the step, piece by piece."""
    law = shift(i8(H[T.LAW]), l * T.RECORD)
    nf, n, first = law[T.NF], law[T.PIECES], law[T.FIRST]
    phase = law[T.PHASE]
    p0, p1, p2 = f8(H[T.C0])[phase], f8(H[T.C1])[phase], f8(H[T.C2])[phase]
    kref, moment = f8(law[T.KREF]), shift(f8(H[T.MOMENT]), T.MOMENTS * first)
    piece_at(law, p0)
    x = f8(H[T.CUTS])
    cuts = np.int64(0)
    if n > 1 and leaves_piece(law, p0, p1, p2):
        bound = f8(law[T.BOUND])
        for j in range(n):
            cuts = cut_places(H, p0 - bound[0] - (bound[j] if j > 0 else 0.0), p1, p2, 1.0, cuts)
    if cuts == 0:
        whole(H, law, moment, p0, p1, p2)
        return
    for i in range(T.MOMENTS * nf):
        moment[i] = 0.0
    begin = 0.0
    jumps = 0
    jump = f8(law[T.JUMP])
    for q in range(cuts + 1):
        end = 1.0 if q == cuts else x[q]
        width = end - begin
        if width > 0.0:
            middle = begin + 0.5 * width
            at = p0 + begin * (p1 + begin * p2)
            if q > 0:
                for j in range(nf):
                    shift(jump, jumps * (1 + nf))[1 + j] = -stiffness_at(law, j, at)
            piece_at(law, p0 + middle * (p1 + middle * p2))
            if q > 0:
                one = shift(jump, jumps * (1 + nf))
                one[0] = begin
                for j in range(nf):
                    one[1 + j] += stiffness_at(law, j, at)
                jumps += 1
            for point, weight in _POINTS:
                place = begin + width * point
                at = p0 + place * (p1 + place * p2)
                for j in range(nf):
                    k = stiffness_at(law, j, at) - kref[j * nf + j]
                    _add(shift(moment, T.MOMENTS * j), width * weight * k, place)
        begin = end
    f8(law[T.USED])[2] = jumps
    piece_at(law, p0 + p1 + p2)
    for j in range(nf):
        f8(H[T.FEND])[first + j] = stiffness_at(law, j, p0 + p1 + p2) - kref[j * nf + j]


@hot
def moments(H, weight, h, how, tolerance):  # type: ignore[no-untyped-def]
    """Moments of all linear laws for the present phases; returns how many were found anew.

    All of them if ``how`` is FRESH; FIRST is the same, but a curve within one piece counts as its value in the middle, to be
    found again. With AGAIN only where the phase has moved so far that the force, weighted, changes by more than ``tolerance``.
    """
    noinline()
    c0, c1, c2, one = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2]), f8(H[T.BASIS])
    found = 0
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if law[T.KIND] != T.LINEAR:
            continue
        phase, first = law[T.PHASE], law[T.FIRST]
        used = f8(law[T.USED])
        p0, p1, p2 = 0.0, 0.0, 0.0
        if phase >= 0:
            p0, p1, p2 = c0[phase], c1[phase], c2[phase]
        if how == AGAIN:
            if phase < 0:
                continue
            moved = abs(p1 - used[0]) + abs(p2 - used[1])
            if moved <= ROUNDING * abs(p0):
                continue
            if used[3] == 1.0:
                piece_at(law, p0)
                if law[T.PIECES] == 1 or not leaves_piece(law, p0, p1, p2):
                    continue
            i = law[T.ROW]
            load = f8(law[T.RANGE])[0] * max(abs(c0[i]), abs(c0[i] + c1[i] + c2[i])) * weight[first]
            if load * moved <= tolerance * (abs(p1) + abs(p2)):
                continue
        found += 1
        used[0], used[1], used[2] = p1, p2, 0.0
        many = law[T.PIECES] > 1
        if phase >= 0:
            piece_at(law, p0)
            many = many and leaves_piece(law, p0, p1, p2)
        used[3] = 0.0
        cells = i8(law[T.PLACE])[1]
        if many or (cells > 1 and how != FIRST):
            call_curved(H[T.CURVED], H, l, h)
        else:
            kref, nf = f8(law[T.KREF]), law[T.NF]
            if cells > 1:
                used[0] = inf
                p0 += 0.5 * (p1 + 0.5 * p2)
                piece_at(law, p0)
            else:
                used[3] = 1.0  # one stiffness over the whole step
            for j in range(nf):
                k = stiffness_at(law, j, p0) - kref[j * nf + j]
                moment = shift(f8(H[T.MOMENT]), T.MOMENTS * (first + j))
                for i in range(T.MOMENTS):
                    moment[i] = 0.0
                _scaled(shift(one, T.MOMENTS * EVEN), k, moment)
                f8(H[T.FEND])[first + j] = k
        damping = f8(law[T.DAMP])
        for j in range(law[T.NF]):
            if damping[j] != 0.0:
                moment = shift(f8(H[T.MOMENT]), T.MOMENTS * (first + j))
                _scaled(shift(one, T.MOMENTS * SLOPES), damping[j] / h, moment)
    return found


@fused
def apply_moments(H, law, h):  # type: ignore[no-untyped-def]
    """Force polynomials of a linear law for the present deflections."""
    e0, dd, wn, lines, forces = f8(H[T.E0]), f8(H[T.DD]), f8(H[T.WN]), H[T.LINES], H[T.FORCES]
    row, nf, first = law[T.ROW], law[T.NF], law[T.FIRST]
    for j in range(nf):
        m, w = shift(f8(H[T.MOMENT]), T.MOMENTS * (first + j)), shift(wn, first + j)
        start, rate = e0[row + j], h * e0[H[T.ROWS] + row + j]
        d = shift(dd, row + j)
        middle, end, early, late = d[0], d[lines], d[2 * lines], d[3 * lines]
        for l in range(T.LOOP + 1):
            n = shift(m, 6 * l)
            value = n[0] * start + n[1] * rate + n[2] * middle + n[3] * end + n[4] * early + n[5] * late
            if l < T.LOOP:
                w[l * forces] = value
            else:
                f8(H[T.WREST])[first + j] = value


@fused
def of_deflection(H, line, row, h):  # type: ignore[no-untyped-def]
    """What six numbers of a line of :func:`basis` make of the deflection of a row over the step."""
    e0, d, lines = f8(H[T.E0]), shift(f8(H[T.DD]), row), H[T.LINES]
    start, rate = e0[row], h * e0[H[T.ROWS] + row]
    ends = line[0] * start + line[1] * rate + line[3] * d[lines]
    return ends + line[2] * d[0] + line[4] * d[2 * lines] + line[5] * d[3 * lines]


@fused
def end_slope(H, row, h):  # type: ignore[no-untyped-def]
    """Slope (per step) of a row's deflection at the end of the step."""
    return of_deflection(H, shift(f8(H[T.BASIS]), T.MOMENTS * AT_END), row, h)


@fused
def end_of(H, law, j, h):  # type: ignore[no-untyped-def]
    """Force of a linear law beside its reference at the end of the step."""
    i = law[T.ROW] + j
    still = f8(H[T.FEND])[law[T.FIRST] + j] * f8(H[T.DD])[H[T.LINES] + i]
    return still + f8(law[T.DAMP])[j] / h * end_slope(H, i, h)
