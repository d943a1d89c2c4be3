"""Laws within a step: where they are cut, and their forces as polynomials.

All functions take the table of addresses ``H`` (see :mod:`exponential_slots`). A place in the step runs from 0
to 1; deflections are ``c0 + x (c1 + x c2)`` there.
"""

from __future__ import annotations

import numpy as np

from gearwright.kernels import START, hot
from gearwright.kernels.law_functions import law_force, law_guard
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import slots as T
from .cuts import PIECES, cut_places
from .linear import apply_moments, piece_at, stiffness_at
from .pointers import call_general, general, projector

_START = START
# Gauss points and weights on (-1, 1), weights halved
_X3, _V3, _U3 = 0.7745966692414834, 0.2777777777777778, 0.4444444444444444
_XA, _VA = 0.8611363115940526, 0.17392742256872693
_XB, _VB = 0.3399810435848563, 0.32607257743127307


@hot
def place_rows(H, law, x, h):  # type: ignore[no-untyped-def]
    """Deflections and rates of a law's rows at a place of the step, into the scratch rows."""
    c0, c1, c2, d, dv = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2]), f8(H[T.DW]), f8(H[T.DVW])
    row = law[T.ROW]
    for i in range(row, row + law[T.NROWS]):
        d[i] = c0[i] + x * (c1[i] + x * c2[i])
        dv[i] = (c1[i] + 2.0 * x * c2[i]) / h


@hot
def ask_guard(H, law, t, s, mode):  # type: ignore[no-untyped-def]
    """Guard of a law at the scratch rows; margin and rate go to the scratch guard."""
    row = law[T.ROW]
    z = f8(H[T.NOTHING])
    d, dv = shift(f8(H[T.DW]), row), shift(f8(H[T.DVW]), row)
    return law_guard(law[T.GUARD_OF], t, d, dv, f8(law[T.PAR]), z, s, mode, f8(H[T.GUARD]))


@hot
def ask_force(H, law, t, s, mode):  # type: ignore[no-untyped-def]
    """Forces of a law at the scratch rows, into the scratch forces."""
    row = law[T.ROW]
    z = f8(H[T.NOTHING])
    d, dv, f = shift(f8(H[T.DW]), row), shift(f8(H[T.DVW]), row), shift(f8(H[T.FW]), row)
    law_force(law[T.FORCE], t, d, dv, f8(law[T.PAR]), z, s, mode, f, z)


@hot
def walk(H, law, a, t, h, s, mode):  # type: ignore[no-untyped-def]
    """From place ``a`` along the piece ``mode``: ``(end of the piece or 1, mode after it)``."""
    noinline()
    g = f8(H[T.GUARD])
    place_rows(H, law, a, h)
    following = ask_guard(H, law, t + a * h, s, mode)
    margin, rate = g[0], g[1] * h
    if margin < 0.0 and rate <= 0.0:
        return a, following
    low, at_low = a, margin
    high = 1.0
    place_rows(H, law, high, h)
    after = ask_guard(H, law, t + h, s, mode)
    at_high = g[0]
    if at_high >= 0.0:
        # a margin that bends like a parabola can dip below zero in between
        width = 1.0 - a
        bend = at_high - margin - rate * width
        if rate >= 0.0 or bend <= 0.0 or margin < 0.0:
            return 1.0, mode
        bottom = a - 0.5 * rate * width * width / bend
        if bottom <= a or bottom >= 1.0:
            return 1.0, mode
        place_rows(H, law, bottom, h)
        after = ask_guard(H, law, t + bottom * h, s, mode)
        if g[0] >= 0.0:
            return 1.0, mode
        high, at_high = bottom, g[0]
    elif margin < 0.0:
        # outside and on the way back: it goes on to the end, or up to where it turned again
        if g[1] >= 0.0:
            return 1.0, mode
        return 0.5 * (a + 1.0), after
    # regula falsi (Illinois) on a bracket: margin >= 0 at low, < 0 at high
    side = 0
    for _ in range(40):
        x = (low * at_high - high * at_low) / (at_high - at_low)
        if not low < x < high:
            x = 0.5 * (low + high)
        place_rows(H, law, x, h)
        now = ask_guard(H, law, t + x * h, s, mode)
        if g[0] == 0.0:
            return x, now  # hit exactly, as a nearly linear phase often is
        if g[0] < 0.0:
            high, at_high, after = x, g[0], now
            if side < 0:
                at_low *= 0.5
            side = -1
        else:
            low, at_low = x, g[0]
            if side > 0:
                at_high *= 0.5
            side = 1
        if high - low < 1e-12:
            break
    return high, after


@hot
def _integrate(H, law, begin, end, t, h, s, mode):  # type: ignore[no-untyped-def]
    """Add the moments of a law's force over a part of the step, by Gauss points."""
    noinline()
    d, dv, fw, wn = f8(H[T.DW]), f8(H[T.DVW]), f8(H[T.FW]), f8(H[T.WN])
    kref, cref = f8(law[T.KREF]), f8(law[T.CREF])
    row, nf, first, forces = law[T.ROW], law[T.NF], law[T.FIRST], H[T.FORCES]
    vari, sig0, sig1, sig2 = i8(H[T.VARI]), f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2])
    width = end - begin
    # four points where nothing is cut: three would not see the third coefficient
    many = law[T.POINTS] if width == 1.0 else 3
    for q in range(many):
        if many == 3:
            x = (q - 1) * _X3
            share = width * (_U3 if q == 1 else _V3)
        else:
            x = _XA if q == 0 or q == 3 else _XB
            x = -x if q < 2 else x
            share = width * (_VA if q == 0 or q == 3 else _VB)
        x = begin + 0.5 * width * (1.0 + x)
        place_rows(H, law, x, h)
        p = 2.0 * x - 1.0
        second = 1.5 * p * p - 0.5
        for i in range(H[T.VARYING]):
            j = vari[i]
            s[j] = sig0[j] + p * sig1[j] + second * sig2[j]
        ask_force(H, law, t + x * h, s, mode)
        p1, p2, p3 = 3.0 * p, 5.0 * second, 7.0 * p * (2.5 * p * p - 1.5)
        for j in range(nf):
            deviation = fw[row + j]
            for i in range(nf):
                deviation -= kref[j * nf + i] * d[row + i] + cref[j * nf + i] * dv[row + i]
            deviation *= share
            f = first + j
            wn[f] += deviation
            wn[forces + f] += p1 * deviation
            wn[2 * forces + f] += p2 * deviation
            wn[3 * forces + f] += p3 * deviation


@general
def general_law(H, l, t, h):  # type: ignore[no-untyped-def]
    """Force polynomials of one law by calls; -1, or its first force where it falls into too many pieces."""
    law = shift(i8(H[T.LAW]), l * T.RECORD)
    c0, c1, c2 = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2])
    s, x = f8(H[T.S]), f8(H[T.CUTS])
    first = law[T.FIRST]
    for order in range(T.LOOP):
        wn = shift(f8(H[T.WN]), order * H[T.FORCES] + first)
        for i in range(law[T.NF]):
            wn[i] = 0.0
    mode = i8(H[T.MODES])[l]
    following = mode
    walks = law[T.KIND] == T.WALK
    cuts = np.int64(0)
    if not walks:
        row, level, period = i8(law[T.CUTROW]), f8(law[T.CUTLEVEL]), f8(law[T.CUTPERIOD])
        for i in range(law[T.CUT]):
            r = row[i]
            cuts = cut_places(H, c0[r] - level[i], c1[r], c2[r], period[i], cuts)
    begin = 0.0
    pieces = 0
    while begin < 1.0:
        end = 1.0
        if walks:
            end, following = walk(H, law, begin, t, h, s, mode)
        elif pieces < cuts:
            end = x[pieces]
        if not walks and law[T.GUARD_OF] != 0:
            place_rows(H, law, 0.5 * (begin + end), h)
            mode = ask_guard(H, law, t + 0.5 * (begin + end) * h, s, _START)
        if end > begin:
            _integrate(H, law, begin, end, t, h, s, mode)
        pieces += 1
        if pieces > PIECES:
            return first
        if walks and end < 1.0:
            mode = following
        begin = end
    i8(H[T.NEWMODES])[l] = mode
    return -1


@hot
def end_deviation(H, law, t, h):  # type: ignore[no-untyped-def]
    """What the forces of a smooth law differ from its reference by at the end of the step, into its scratch forces."""
    noinline()
    d, dv, fw, s = f8(H[T.DW]), f8(H[T.DVW]), f8(H[T.FW]), f8(H[T.S])
    kref, cref = f8(law[T.KREF]), f8(law[T.CREF])
    row, nf = law[T.ROW], law[T.NF]
    vari, sig0, sig1, sig2 = i8(H[T.VARI]), f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2])
    for i in range(H[T.VARYING]):
        s[vari[i]] = sig0[i] + sig1[i] + sig2[i]
    place_rows(H, law, 1.0, h)
    ask_force(H, law, t + h, s, 0)
    for j in range(nf):
        for i in range(nf):
            fw[row + j] -= kref[j * nf + i] * d[row + i] + cref[j * nf + i] * dv[row + i]


@projector
def project(H, t, h):  # type: ignore[no-untyped-def]
    """Force polynomials of all laws for the present quadratics; -1, or the force at which too many pieces occur."""
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if law[T.KIND] == T.LINEAR:
            apply_moments(H, law, h)
        else:
            failed = call_general(H[T.GENERAL], H, l, t, h)
            if failed >= 0:
                return failed
    return -1


@hot
def forces_at(H, e, t, s, modes, ask):  # type: ignore[no-untyped-def]
    """True forces of all laws at watched values ``e``, into the force scratch; with ``ask``, modes by their guards."""
    noinline()
    d, dv, fw, fl = f8(H[T.DW]), f8(H[T.DVW]), f8(H[T.FW]), f8(H[T.FL])
    rows = H[T.ROWS]
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        row, nf, first = law[T.ROW], law[T.NF], law[T.FIRST]
        if law[T.KIND] == T.LINEAR:
            phase = 0.0
            if law[T.PHASE] >= 0:
                phase = e[law[T.PHASE]]
                piece_at(law, phase)
            damping, cref = f8(law[T.DAMP]), f8(law[T.CREF])
            for j in range(nf):
                k = stiffness_at(law, j, phase)
                fl[first + j] = k * e[row + j] + (damping[j] + cref[j * nf + j]) * e[rows + row + j]
            continue
        for i in range(row, row + law[T.NROWS]):
            d[i], dv[i] = e[i], e[rows + i]
        mode = modes[l]
        if ask and law[T.GUARD_OF] != 0:
            mode = ask_guard(H, law, t, s, _START)
        ask_force(H, law, t, s, mode)
        for j in range(nf):
            fl[first + j] = fw[row + j]
