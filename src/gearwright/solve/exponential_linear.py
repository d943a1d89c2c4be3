"""Laws that are linear in their deflection, with a stiffness over the phase: levels, or curves between corners.

    f = k(phase) d + c d',     d = d_0 + x g_0 + x^2 c_2 + x^3 c_3 over the step, through its middle and its end

The phase turns almost evenly, whatever the forces do. So the places where the step crosses corners, and the moments of
k(phase) with the deflection, are found once per step; after that the force polynomials are linear in the deflections at
the middle and at the end,

    w_l = m_l + a_l d(h/2) + b_l d(h)

and a pass of the fixed point is six products per force. Moments are taken anew where a phase has moved by more than the
tolerance of the fixed point allows.
"""

from __future__ import annotations

from math import floor

import numpy as np

from gearwright.system.compiled import fused, hot

from . import exponential_slots as T
from .explicit_pointers import apart, f8, i8, shift
from .exponential_cuts import cut_places
from .exponential_pointers import call_curved, liner

#: Gauss points and weights on (0, 1): exact for a cubic stiffness, deflection and polynomial together to the seventh degree
_POINTS = (
    (0.06943184420297371, 0.17392742256872692), (0.33000947820757187, 0.32607257743127305),
    (0.6699905217924281, 0.32607257743127305), (0.9305681557970262, 0.17392742256872692),
)  # fmt: skip


@hot
def piece_at(law, phase):  # type: ignore[no-untyped-def]
    """Piece that a phase is in; its bounds and number are remembered, as the phase counts them."""
    n = law[T.PIECES]
    known = f8(law[T.KNOWN])
    if known[0] <= phase < known[1]:
        return int(known[2])
    bound = f8(law[T.BOUND])
    cycle = floor(phase - bound[0])
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
    i = min(max(int(floor(x)), 0), cells - 1)
    x -= i
    cell = shift(cell, 4 * i)
    return cell[0] + x * (cell[1] + x * (cell[2] + x * cell[3]))


@fused
def _add(m, k, x):  # type: ignore[no-untyped-def]
    """Add what a stiffness at one place does: four coefficients by start, start rate, middle and end of the deflection."""
    p = 2.0 * x - 1.0
    # a cubic that has these values
    end = x * x * (2.0 * x - 1.0)
    mid = 8.0 * x * x * (1.0 - x)
    first = 1.0 - mid - end
    rate = x - 0.5 * mid - end
    for l in range(4):
        if l == 0:
            q = k
        elif l == 1:
            q = 3.0 * p * k
        elif l == 2:
            q = 5.0 * (1.5 * p * p - 0.5) * k
        else:
            q = 7.0 * p * (2.5 * p * p - 1.5) * k
        m[4 * l] += q * first
        m[4 * l + 1] += q * rate
        m[4 * l + 2] += q * mid
        m[4 * l + 3] += q * end


@fused
def _even(m, k):  # type: ignore[no-untyped-def]
    """What one stiffness over the whole step does, in closed form."""
    m[0], m[1], m[2], m[3] = k / 6.0, 0.0, k * 2.0 / 3.0, k / 6.0
    m[4], m[5], m[6], m[7] = -0.8 * k, -0.1 * k, 0.4 * k, 0.4 * k
    m[8], m[9], m[10], m[11] = k / 3.0, 0.0, -k * 2.0 / 3.0, k / 3.0
    m[12], m[13], m[14], m[15] = 0.3 * k, 0.1 * k, -0.4 * k, 0.1 * k


@fused
def _damp(m, c):  # type: ignore[no-untyped-def]
    """Add what a damping (over the length of the step) does, in closed form."""
    m[0] -= c
    m[3] += c
    m[4] += 2.0 * c
    m[6] -= 4.0 * c
    m[7] += 2.0 * c
    m[8] += 3.0 * c
    m[9] += c
    m[10] -= 4.0 * c
    m[11] += c


def basis() -> list[float]:
    """What a unit of stiffness at each of the Gauss points does to the moments of a whole step (4, 16)."""
    found = []
    for x, weight in _POINTS:
        p = 2.0 * x - 1.0
        end, mid = x * x * (2.0 * x - 1.0), 8.0 * x * x * (1.0 - x)
        deflection = (1.0 - mid - end, x - 0.5 * mid - end, mid, end)
        legendre = (1.0, 3.0 * p, 5.0 * (1.5 * p * p - 0.5), 7.0 * p * (2.5 * p * p - 1.5))
        found += [weight * q * d for q in legendre for d in deflection]
    return found


@fused
def whole(H, law, moment, p0, p1, p2):  # type: ignore[no-untyped-def]
    """Moments of a law whose phase stays in one piece over the step."""
    nf, first, kref, one = law[T.NF], law[T.FIRST], f8(law[T.KREF]), f8(H[T.BASIS])
    for q in range(4):
        place = 0.06943184420297371 if q == 0 or q == 3 else 0.33000947820757187
        place = place if q < 2 else 1.0 - place
        at = p0 + place * (p1 + place * p2)
        if law[T.PIECES] == 1:
            piece_at(law, at)  # a smooth curve goes on over its seam
        for j in range(nf):
            k = stiffness_at(law, j, at) - kref[j * nf + j]
            m, part = shift(moment, 16 * j), shift(one, 16 * q)
            for i in range(16):
                m[i] += k * part[i]
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
    kref, moment = f8(law[T.KREF]), shift(f8(H[T.MOMENT]), 16 * first)
    for i in range(16 * nf):
        moment[i] = 0.0
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
                    _add(shift(moment, 16 * j), width * weight * k, place)
        begin = end
    f8(law[T.USED])[2] = jumps
    piece_at(law, p0 + p1 + p2)
    for j in range(nf):
        f8(H[T.FEND])[first + j] = stiffness_at(law, j, p0 + p1 + p2) - kref[j * nf + j]


@hot
def moments(H, weight, h, fresh, tolerance):  # type: ignore[no-untyped-def]
    """Moments of all linear laws for the present phases; returns how many were found anew.

    Without ``fresh`` only where the phase has moved so far that the force, weighted, changes by more than ``tolerance``.
    """
    apart()
    c0, c1, c2 = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2])
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
        if not fresh:
            if phase < 0:
                continue
            moved = abs(p1 - used[0]) + abs(p2 - used[1])
            if moved == 0.0:
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
        if many or i8(law[T.PLACE])[1] > 1:
            call_curved(H[T.CURVED], H, l, h)
        else:
            used[3] = 1.0  # one stiffness over the whole step
            kref, nf = f8(law[T.KREF]), law[T.NF]
            for j in range(nf):
                k = stiffness_at(law, j, p0) - kref[j * nf + j]
                _even(shift(f8(H[T.MOMENT]), 16 * (first + j)), k)
                f8(H[T.FEND])[first + j] = k
        damping = f8(law[T.DAMP])
        for j in range(law[T.NF]):
            if damping[j] != 0.0:
                _damp(shift(f8(H[T.MOMENT]), 16 * (first + j)), damping[j] / h)
    return found


@fused
def apply_moments(H, law, h):  # type: ignore[no-untyped-def]
    """Force polynomials of a linear law for the present deflections."""
    e0, dd, wn, lines = f8(H[T.E0]), f8(H[T.DD]), f8(H[T.WN]), H[T.LINES]
    row, nf, first = law[T.ROW], law[T.NF], law[T.FIRST]
    for j in range(nf):
        m, w = shift(f8(H[T.MOMENT]), 16 * (first + j)), shift(wn, 3 * (first + j))
        start, rate = e0[row + j], h * e0[H[T.ROWS] + row + j]
        middle, end = dd[row + j], dd[lines + row + j]
        w[0] = m[0] * start + m[1] * rate + m[2] * middle + m[3] * end
        w[1] = m[4] * start + m[5] * rate + m[6] * middle + m[7] * end
        w[2] = m[8] * start + m[9] * rate + m[10] * middle + m[11] * end
        f8(H[T.W3])[first + j] = m[12] * start + m[13] * rate + m[14] * middle + m[15] * end


@fused
def end_of(H, law, j, h):  # type: ignore[no-untyped-def]
    """Force of a linear law beside its reference at the end of the step."""
    e0, dd, lines = f8(H[T.E0]), f8(H[T.DD]), H[T.LINES]
    i = law[T.ROW] + j
    start, rate, middle, end = e0[i], h * e0[H[T.ROWS] + i], dd[i], dd[lines + i]
    slope = 4.0 * start + rate - 8.0 * middle + 4.0 * end
    return f8(H[T.FEND])[law[T.FIRST] + j] * end + f8(law[T.DAMP])[j] / h * slope
