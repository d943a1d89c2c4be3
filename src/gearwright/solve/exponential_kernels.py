"""The stepping loop of the exponential engine (method: :mod:`gearwright.solve.exponential`).

All functions take the table of addresses ``H`` (see :mod:`exponential_slots`).
"""

from __future__ import annotations

from math import inf

import numpy as np

from gearwright.system.compiled import START, hot, kernel
from gearwright.system.signals import find_piece

from . import exponential_slots as T
from .explicit_pointers import apart, f8, i8, shift
from .exponential_laws import ask_guard, forces_at
from .exponential_pointers import (
    bookkeeper,
    call_book,
    call_fill,
    call_inner,
    call_product,
    call_project,
    call_signals,
    multiplier,
    reader,
    sampler,
)

_START = START
#: Passes of the fixed point before a step is halved.
PASSES = 14
_X3, _V3, _U3 = 0.7745966692414834, 0.2777777777777778, 0.4444444444444444


@multiplier
def product(out, base, matrix, n, x, lines):  # type: ignore[no-untyped-def]
    """``out = base + x @ matrix`` for lines of ``n`` numbers, four lines at a time."""
    for i in range(n):
        out[i] = base[i]
    k = 0
    while k + 4 <= lines:
        u0, u1, u2, u3 = x[k], x[k + 1], x[k + 2], x[k + 3]
        m0 = shift(matrix, k * n)
        m1, m2, m3 = shift(m0, n), shift(m0, 2 * n), shift(m0, 3 * n)
        for i in range(n):
            out[i] += m0[i] * u0 + m1[i] * u1 + m2[i] * u2 + m3[i] * u3
        k += 4
    while k < lines:
        u0 = x[k]
        m0 = shift(matrix, k * n)
        for i in range(n):
            out[i] += m0[i] * u0
        k += 1


@hot
def add_lines(out, matrix, n, x, step, lines):  # type: ignore[no-untyped-def]
    """``out += x[::step] @ matrix``."""
    apart()
    for k in range(lines):
        u = x[step * k]
        if u != 0.0:
            m = shift(matrix, k * n)
            for i in range(n):
                out[i] += m[i] * u


@reader
def signals_at(H, t, side, s):  # type: ignore[no-untyped-def]
    """Write the signals that vary at time ``t``; ``side`` is a time on the side of a jump that holds."""
    vari, sptr, sstart = i8(H[T.VARI]), i8(H[T.SPTR]), f8(H[T.SSTART])
    scoef, ssin, sdt = f8(H[T.SCOEF]), f8(H[T.SSIN]), f8(H[T.SDT])
    for j in range(H[T.VARYING]):
        i = vari[j]
        piece = find_piece(sptr, sstart, sdt, i, side)
        x = t - sstart[piece]
        b = 4 * piece
        value = scoef[b] + x * (scoef[b + 1] + x * (scoef[b + 2] + x * scoef[b + 3]))
        a = ssin[4 * i]
        if a != 0.0 and side >= ssin[4 * i + 3]:
            t0 = ssin[4 * i + 3]
            local = t - t0 if t0 > -1e300 else t
            value += a * np.sin(ssin[4 * i + 1] * local + ssin[4 * i + 2])
        s[i] = value


@hot
def propagate(a, blocks, table, y, b0, b1, b2, curved, out):  # type: ignore[no-untyped-def]
    """``out = E y + sum_l Gamma_l b_l`` block by block; ``curved`` is zero where b1 and b2 vanish."""
    apart()
    for k in range(blocks):
        j = 2 * k
        e0, e1, g0, g1 = table[k], table[blocks + k], table[2 * blocks + k], table[3 * blocks + k]
        p1 = e0 * y[j] + g0 * b0[j]
        p2 = e0 * y[j + 1] + g0 * b0[j + 1]
        q1 = e1 * y[j] + g1 * b0[j]
        q2 = e1 * y[j + 1] + g1 * b0[j + 1]
        if curved:
            e0, e1, g0, g1 = table[4 * blocks + k], table[5 * blocks + k], table[6 * blocks + k], table[7 * blocks + k]
            p1 += e0 * b1[j] + g0 * b2[j]
            p2 += e0 * b1[j + 1] + g0 * b2[j + 1]
            q1 += e1 * b1[j] + g1 * b2[j]
            q2 += e1 * b1[j + 1] + g1 * b2[j + 1]
        i = 4 * k
        out[j] = p1 + a[i] * q1 + a[i + 1] * q2
        out[j + 1] = p2 + a[i + 2] * q1 + a[i + 3] * q2


@hot
def inputs(H, t, h):  # type: ignore[no-untyped-def]
    """Sources over the step as polynomials, and the forcing of the blocks by them; returns whether they vary."""
    apart()
    sig0, sig1, sig2, now = f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2]), f8(H[T.SONE])
    vari, n = i8(H[T.VARI]), H[T.VARYING]
    middle = t + 0.5 * h
    if n > 0:
        for i in range(n):
            s = vari[i]
            sig0[s], sig1[s], sig2[s] = 0.0, 0.0, 0.0
        for q in range(3):
            x = (q - 1) * _X3
            weight = _U3 if q == 1 else _V3
            call_signals(H[T.READ], H, middle + 0.5 * h * x, middle, now)
            for i in range(n):
                s = vari[i]
                sig0[s] += weight * now[s]
                sig1[s] += 3.0 * weight * x * now[s]
                sig2[s] += 5.0 * weight * (1.5 * x * x - 0.5) * now[s]
    xp, xmid, xone, speed = f8(H[T.XP]), f8(H[T.XMID]), f8(H[T.XONE]), i8(H[T.SPEED])
    for i in range(H[T.PRESCRIBED]):
        s = speed[i]
        e = H[T.SIGNALS] + 1 + i
        sig0[e] = xp[i] + h * (0.5 * sig0[s] - sig1[s] / 6.0)
        sig1[e] = h * (0.5 * sig0[s] - 0.1 * sig2[s])
        sig2[e] = h * sig1[s] / 6.0
        xmid[i] = xp[i] + h * (0.5 * sig0[s] - 0.25 * sig1[s])
        xone[i] = xp[i] + h * sig0[s]
    lines = H[T.YS]
    steady, b0, b1, b2 = f8(H[T.STEADY]), f8(H[T.B0]), f8(H[T.B1]), f8(H[T.B2])
    for k in range(lines):
        b0[k] = steady[k]
    active = i8(H[T.ACTIVE_SOURCE])
    curved = H[T.ACTIVE] > 0
    if curved:
        for k in range(lines):
            b1[k], b2[k] = 0.0, 0.0
        for i in range(H[T.ACTIVE]):
            e = active[i]
            line = shift(f8(H[T.FORCING]), e * lines)
            u0, u1, u2 = sig0[e], sig1[e], sig2[e]
            for k in range(lines):
                b0[k] += line[k] * u0
                b1[k] += line[k] * u1
                b2[k] += line[k] * u2
    return curved


@hot
def watch(H, y, x, v, out):  # type: ignore[no-untyped-def]
    """Watched values of a state."""
    apart()
    n = H[T.ZS]
    call_product(H[T.PRODUCT], out, f8(H[T.BASE]), f8(H[T.Z]), n, y, H[T.Y])
    add_lines(out, f8(H[T.ZX]), n, x, 1, H[T.PRESCRIBED])
    add_lines(out, f8(H[T.ZV]), n, v, 1, H[T.PRESCRIBED])


@hot
def fixed_point(H, slot, t, h, curved, settle):  # type: ignore[no-untyped-def]
    """Iterate the force polynomials of a step; returns passes, negative (and the worst force) where it fails."""
    apart()
    blocks, forces, lines = H[T.BLOCKS], H[T.FORCES], H[T.RS]
    a, y, yh, yf = f8(H[T.A]), f8(H[T.STATE]), f8(H[T.YH]), f8(H[T.YF])
    b0, b1, b2 = f8(H[T.B0]), f8(H[T.B1]), f8(H[T.B2])
    free, dd, e0 = f8(H[T.FREE]), f8(H[T.DD]), f8(H[T.E0])
    response = shift(f8(H[T.RESPONSE]), slot * 6 * forces * lines)
    weight = shift(f8(H[T.WEIGHT]), slot * forces)
    c0, c1, c2, w, wn, wend = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2]), f8(H[T.W]), f8(H[T.WN]), f8(H[T.WEND])
    propagate(a, blocks, shift(f8(H[T.HALF]), slot * 8 * blocks), y, b0, b1, b2, curved, yh)
    propagate(a, blocks, shift(f8(H[T.FULL]), slot * 8 * blocks), y, b0, b1, b2, curved, yf)
    if forces == 0:
        return 1, 0
    last = shift(free, lines)
    call_product(H[T.PRODUCT], free, f8(H[T.BASE]), f8(H[T.C]), lines, yh, H[T.Y])
    call_product(H[T.PRODUCT], last, f8(H[T.BASE]), f8(H[T.C]), lines, yf, H[T.Y])
    for k in range(H[T.PRESCRIBED]):
        line = shift(f8(H[T.ZX]), k * H[T.ZS])
        u0, u1 = f8(H[T.XMID])[k], f8(H[T.XONE])[k]
        for i in range(H[T.ROWS]):
            free[i] += line[i] * u0
            last[i] += line[i] * u1
    for j in range(forces):
        w[3 * j], w[3 * j + 1], w[3 * j + 2] = wend[j], 0.0, 0.0
    scale = 0.0
    before = inf
    worst = 0
    for passes in range(1, PASSES + 1):
        call_product(H[T.PRODUCT], dd, free, response, 2 * lines, w, 3 * forces)
        end = shift(dd, lines)
        for i in range(lines):
            bend = 2.0 * (end[i] + e0[i] - 2.0 * dd[i])
            c0[i] = e0[i]
            c2[i] = bend
            c1[i] = end[i] - e0[i] - bend
        failed = call_project(H[T.PROJECT], H, t, h)
        if failed >= 0:
            return -passes, failed
        if passes == 1:
            scale = load_scale(H, weight)
        change = 0.0
        for j in range(forces):
            d = abs(wn[3 * j] - w[3 * j]) + abs(wn[3 * j + 1] - w[3 * j + 1]) + abs(wn[3 * j + 2] - w[3 * j + 2])
            d *= weight[j]
            if not d <= change:
                change = d
                worst = j
        for j in range(3 * forces):
            w[j] = wn[j]
        # what is left after a pass that changed little, from the rate at which the changes shrink
        rate = change / before if passes > 1 else 1.0
        if change <= settle * scale or (rate < 0.5 and change * rate <= (1.0 - rate) * settle * scale):
            return passes, worst
        if not change < inf:
            return -passes, worst
        before = change
    return -PASSES, worst


@hot
def load_scale(H, weight):  # type: ignore[no-untyped-def]
    """Largest law force at the start of the step, weighted."""
    apart()
    e0, wn = f8(H[T.E0]), f8(H[T.WN])
    rows = H[T.ROWS]
    scale = 1e-300
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        kref, cref, row, nf = f8(law[T.KREF]), f8(law[T.CREF]), law[T.ROW], law[T.NF]
        for j in range(nf):
            f = law[T.FIRST] + j
            load = wn[3 * f]
            for i in range(nf):
                load += kref[j * nf + i] * e0[row + i] + cref[j * nf + i] * e0[rows + row + i]
            scale = max(scale, abs(load) * weight[f])
    return scale


@hot
def finish(H, slot):  # type: ignore[no-untyped-def]
    """State at the end of the step from the settled polynomials, and its watched values."""
    apart()
    blocks, forces, lines = H[T.BLOCKS], H[T.FORCES], H[T.YS]
    b, w = f8(H[T.B]), f8(H[T.W])
    f0, f1, f2 = f8(H[T.F0]), f8(H[T.F1]), f8(H[T.F2])
    a, yf, yn = f8(H[T.A]), f8(H[T.YF]), f8(H[T.NEXT])
    full = shift(f8(H[T.FULL]), slot * 8 * blocks)
    for k in range(lines):
        f0[k], f1[k], f2[k] = 0.0, 0.0, 0.0
    for j in range(forces):
        line = shift(b, j * lines)
        u0, u1, u2 = w[3 * j], w[3 * j + 1], w[3 * j + 2]
        for k in range(lines):
            f0[k] += line[k] * u0
            f1[k] += line[k] * u1
            f2[k] += line[k] * u2
    for k in range(blocks):
        i, j = 4 * k, 2 * k
        g0, g1, g2 = full[2 * blocks + k], full[4 * blocks + k], full[6 * blocks + k]
        p1 = g0 * f0[j] + g1 * f1[j] + g2 * f2[j]
        p2 = g0 * f0[j + 1] + g1 * f1[j + 1] + g2 * f2[j + 1]
        g0, g1, g2 = full[3 * blocks + k], full[5 * blocks + k], full[7 * blocks + k]
        q1 = g0 * f0[j] + g1 * f1[j] + g2 * f2[j]
        q2 = g0 * f0[j + 1] + g1 * f1[j + 1] + g2 * f2[j + 1]
        yn[j] = yf[j] + p1 + a[i] * q1 + a[i + 1] * q2
        yn[j + 1] = yf[j + 1] + p2 + a[i + 2] * q1 + a[i + 3] * q2
    watch(H, yn, f8(H[T.XONE]), f8(H[T.VONE]), f8(H[T.E1]))


@hot
def error_of(H, slot, h, sampled):  # type: ignore[no-untyped-def]
    """What the third coefficient and the bend of the deflections would have moved, over the largest deflection.

    Where a sample is taken, what it would have changed the damping force counts as well: a strongly damped row
    follows the force polynomial at once, so that a switch shows in its rate until the step is over.
    """
    apart()
    forces, lines, rows = H[T.FORCES], H[T.RS], H[T.ROWS]
    response = shift(f8(H[T.RESPONSE]), slot * 6 * forces * lines)
    third, weight = shift(f8(H[T.THIRD]), slot * 2 * forces), shift(f8(H[T.WEIGHT]), slot * forces)
    e0, e1, dd, w, w3 = f8(H[T.E0]), f8(H[T.E1]), f8(H[T.DD]), f8(H[T.W]), f8(H[T.W3])
    c0, c1, c2 = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2])
    size = 1e-300
    error = 0.0
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        nf = law[T.NF]
        for j in range(nf):
            i = law[T.ROW] + j
            f = law[T.FIRST] + j
            k = f8(law[T.KREF])[j * nf + j]
            left_out = abs(w3[f] * third[f])
            if k > 0.0:
                size = max(size, abs(dd[lines + i]) / weight[f])
                # x (x - 1/2) (x - 1) is what a quadratic through three points misses: P3/20 - P1/20
                bend = h * (e0[rows + i] + e1[rows + i]) - 2.0 * (c1[i] + c2[i])
                mean = abs(c0[i] + 0.5 * c1[i] + c2[i] * (1.0 / 3.0))
                secant = min(abs(w[3 * f]) / (mean + 1e-300), k)
                left_out += 0.05 * abs(bend * response[(3 * f + 1) * 2 * lines + lines + i]) * secant
                if sampled:
                    left_out += abs(w3[f] * third[forces + f]) * f8(law[T.CREF])[j * nf + j] / k
            else:
                size = max(size, abs(w[3 * f]) * weight[f])
            error = max(error, left_out / weight[f])
    return error / size


@hot
def keep_books(H, h):  # type: ignore[no-untyped-def]
    """Energy over one step: products of polynomials for laws and inputs, end-point sums for constant damping."""
    apart()
    rows, springs = H[T.ROWS], H[T.SPRINGS]
    e0, e1, w = f8(H[T.E0]), f8(H[T.E1]), f8(H[T.W])
    c0, c1, c2 = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2])
    work, warm = f8(H[T.LAW_WORK]), f8(H[T.LAW_HEAT])
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        kref, cref, row, nf = f8(law[T.KREF]), f8(law[T.CREF]), law[T.ROW], law[T.NF]
        for j in range(nf):
            i = row + j
            f = law[T.FIRST] + j
            p0, p1 = w[3 * f], w[3 * f + 1]
            heat = 0.0
            for q in range(nf):
                m = row + q
                k = kref[j * nf + q]
                p0 += k * (c0[m] + 0.5 * c1[m] + c2[m] * (1.0 / 3.0))
                p1 += 0.5 * k * (c1[m] + c2[m])
                heat += cref[j * nf + q] * (e0[rows + i] * e0[rows + m] + e1[rows + i] * e1[rows + m])
            work[f] += p0 * (c1[i] + c2[i]) + p1 * c2[i] * (1.0 / 3.0) + 0.5 * h * heat
            warm[f] += 0.5 * h * (e0[rows + i] * e0[rows + i] + e1[rows + i] * e1[rows + i])
    heat_of = f8(H[T.SPRING_HEAT])
    r0, r1 = shift(e0, 2 * rows), shift(e1, 2 * rows)
    for j in range(springs):
        heat_of[j] += 0.5 * h * (r0[j] * r0[j] + r1[j] * r1[j])
    sig0, sig1, sig2 = f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2])
    place, which, by, done = i8(H[T.BIN]), i8(H[T.BSIG]), f8(H[T.BCOEF]), f8(H[T.INPUT_WORK])
    for j in range(H[T.INPUTS]):
        if place[j] >= 0:
            s = which[j]
            done[j] += by[j] * moved(H, place[j], sig0[s], sig1[s], sig2[s], h)
    if H[T.PRESCRIBED] > 0:
        call_book(H[T.REACT], H, h)


@hot
def moved(H, place, s0, s1, s2, h):  # type: ignore[no-untyped-def]
    """Integral over the step of a polynomial times the speed of a watched coordinate."""
    apart()
    coordinates = H[T.COORDINATES]
    i = 2 * H[T.ROWS] + H[T.SPRINGS] + place
    e0, e1 = f8(H[T.E0]), f8(H[T.E1])
    u0 = (e1[i] - e0[i]) / h
    va, vb = e0[coordinates + i], e1[coordinates + i]
    return h * (s0 * u0 + s1 * (vb - va) / 6.0 + s2 * (0.5 * (va + vb) - u0) / 5.0)


@bookkeeper
def book_reactions(H, h):  # type: ignore[no-untyped-def]
    """Work of the reactions at prescribed coordinates over one step: forces of rows and inertia times speed."""
    coordinates = H[T.COORDINATES]
    e0, e1, w = f8(H[T.E0]), f8(H[T.E1]), f8(H[T.W])
    c0, c1, c2 = f8(H[T.C0]), f8(H[T.C1]), f8(H[T.C2])
    sig0, sig1, sig2 = f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2])
    vnow, vone, speed, reaction = f8(H[T.VNOW]), f8(H[T.VONE]), i8(H[T.SPEED]), f8(H[T.REACTION])
    first = 2 * H[T.ROWS] + H[T.SPRINGS] + 2 * coordinates
    rrow, of, by, rk, rc, rf = i8(H[T.RROW]), i8(H[T.ROF]), f8(H[T.RBY]), f8(H[T.RK]), f8(H[T.RC]), f8(H[T.RF])
    for j in range(H[T.TERMS]):
        p = of[j]
        s = speed[p]
        if rrow[j] >= 0:
            f = rrow[j]
            r0, r1, r2 = w[3 * f], w[3 * f + 1], w[3 * f + 2]
            l = 0
            law = i8(H[T.LAW])
            while f >= law[T.FIRST] + law[T.NF]:
                l += 1
                law = shift(i8(H[T.LAW]), l * T.RECORD)
            nf = law[T.NF]
            at = (f - law[T.FIRST]) * nf
            for q in range(nf):
                m = law[T.ROW] + q
                k, d = f8(law[T.KREF])[at + q], f8(law[T.CREF])[at + q] / h
                r0 += k * (c0[m] + 0.5 * c1[m] + c2[m] * (1.0 / 3.0)) + d * (c1[m] + c2[m])
                r1 += 0.5 * k * (c1[m] + c2[m]) + d * c2[m]
                r2 += k * c2[m] / 6.0
        else:
            i = first - 1 - rrow[j]
            k, d = rk[j], rc[j]
            da, db, va, vb = e0[i], e1[i], e0[H[T.REACTIONS] + i], e1[H[T.REACTIONS] + i]
            r0 = k * (0.5 * (da + db) + h * (va - vb) / 12.0) + d * (db - da) / h + rf[j]
            r1 = 0.5 * (k * (db - da) + d * (vb - va))
            r2 = 0.5 * (k * (da + db) + d * (va + vb)) + rf[j] - r0
        reaction[p] += by[j] * h * (r0 * sig0[s] + r1 * sig1[s] / 3.0 + r2 * sig2[s] / 5.0)
    n = H[T.PRESCRIBED]
    mass = f8(H[T.RMASS])
    for p in range(n):
        for q in range(n):
            # half of the change of v_p M_pq v_q belongs to p as far as the work of both together goes
            reaction[p] += 0.5 * mass[p * n + q] * (vone[p] * vone[q] - vnow[p] * vnow[q])
    couple, partner, inertia, acceleration = i8(H[T.COF]), i8(H[T.CWITH]), f8(H[T.CMASS]), i8(H[T.ACCELERATION])
    speeds = 2 * H[T.ROWS] + H[T.SPRINGS] + coordinates
    for j in range(H[T.COUPLED]):
        p = couple[j]
        s = acceleration[p]
        va, vb = e0[speeds + partner[j]], e1[speeds + partner[j]]
        felt = moved(H, partner[j], sig0[s], sig1[s], sig2[s], h)
        reaction[p] += inertia[j] * (vone[p] * vb - vnow[p] * va - felt)


@hot
def emit(H, place, y, s, x):  # type: ignore[no-untyped-def]
    """Write one sample of all channels."""
    apart()
    n = H[T.CS]
    out = f8(H[T.DD])  # free between steps, and as long as a line needs
    call_product(H[T.PRODUCT], out, f8(H[T.LINE_ONE]), f8(H[T.LINE_Y]), n, y, H[T.Y])
    add_lines(out, f8(H[T.LINE_F]), n, f8(H[T.FL]), 1, H[T.FORCES])
    add_lines(out, f8(H[T.LINE_S]), n, s, 1, H[T.SIGNALS])
    add_lines(out, f8(H[T.LINE_X]), n, x, 1, H[T.PRESCRIBED])
    add_lines(out, f8(H[T.LINE_PHI]), n, f8(H[T.PHI]), 1, H[T.RIGID])
    channels = H[T.CHANNELS]
    target = shift(f8(H[T.OUT]), place * channels)
    for i in range(channels):
        target[i] = out[i]


@sampler
def inner_samples(H, place, finer, t, h):  # type: ignore[no-untyped-def]
    """Samples inside a step of ``2 ** finer`` sample intervals, by the exact formula."""
    blocks, lines = H[T.BLOCKS], H[T.YS]
    b0, b1, b2 = f8(H[T.B0]), f8(H[T.B1]), f8(H[T.B2])
    f0, f1, f2 = f8(H[T.F0]), f8(H[T.F1]), f8(H[T.F2])
    if H[T.ACTIVE] == 0:
        for k in range(lines):
            b1[k], b2[k] = 0.0, 0.0
    for k in range(lines):
        b0[k] += f0[k]
        b1[k] += f1[k]
        b2[k] += f2[k]
    sig0, sig1, sig2, speed = f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2]), i8(H[T.SPEED])
    xp, x, v, s, yh = f8(H[T.XP]), f8(H[T.XMID]), f8(H[T.PSI]), f8(H[T.SONE]), f8(H[T.YH])
    first = (1 << finer) - finer - 2
    for i in range(1, 1 << finer):
        table = shift(f8(H[T.DENSE]), (first + i) * 8 * blocks)
        propagate(f8(H[T.A]), blocks, table, f8(H[T.STATE]), b0, b1, b2, True, yh)
        at = i / (1 << finer)
        call_signals(H[T.READ], H, t + at * h, t + 0.5 * h, s)
        for k in range(H[T.PRESCRIBED]):
            j = speed[k]
            x[k] = xp[k] + h * at * (sig0[j] + (at - 1.0) * (sig1[j] + (2.0 * at - 1.0) * sig2[j]))
            v[k] = s[j]
        watch(H, yh, x, v, f8(H[T.EZ]))
        forces_at(H, f8(H[T.EZ]), t + at * h, s, i8(H[T.NEWMODES]), True)
        emit(H, place + i - 1, yh, s, x)


@hot
def rebase(H):  # type: ignore[no-untyped-def]
    """Move the rigid motion of the blocks and of the prescribed coordinates into phi, compensated."""
    apart()
    ny, q, n = H[T.Y], H[T.FREE_RIGID], H[T.PRESCRIBED]
    y, psi, xp, xmid = f8(H[T.STATE]), f8(H[T.PSI]), f8(H[T.XP]), f8(H[T.XMID])
    by, back = f8(H[T.PSI_BY]), f8(H[T.BACK])
    phi, low, base = f8(H[T.PHI]), f8(H[T.PHILOW]), f8(H[T.BASE])
    for k in range(q):
        psi[k] = 0.0
        for i in range(ny):
            psi[k] += by[k * ny + i] * y[i]
    for k in range(q):
        for i in range(ny):
            y[i] -= back[k * H[T.YS] + i] * psi[k]
    for k in range(H[T.RIGID]):
        move = -low[k]
        for i in range(q):
            move += f8(H[T.PHI_BY])[k * q + i] * psi[i]
        for i in range(n):
            move += f8(H[T.HELD])[k * n + i] * xp[i]
        after = phi[k] + move
        step = after - phi[k]
        low[k] = step - move
        phi[k] = after
        line = shift(f8(H[T.ZRHO]), k * H[T.ZS])
        for i in range(H[T.ZS]):
            base[i] += line[i] * step
    for k in range(n):
        xmid[k] = 0.0
        for i in range(n):
            xmid[k] += f8(H[T.REST])[k * n + i] * xp[i]
    for k in range(n):
        xp[k] = xmid[k]
    watch(H, y, xp, f8(H[T.VNOW]), f8(H[T.E0]))


@hot
def begin(H, t):  # type: ignore[no-untyped-def]
    """Watched values at the start of a call, and the modes of laws that have not decided."""
    apart()
    s, vnow, speed = f8(H[T.S]), f8(H[T.VNOW]), i8(H[T.SPEED])
    call_signals(H[T.READ], H, t, t, s)
    for i in range(H[T.PRESCRIBED]):
        vnow[i] = s[speed[i]]
    e0 = f8(H[T.E0])
    watch(H, f8(H[T.STATE]), f8(H[T.XP]), vnow, e0)
    d, dv, modes = f8(H[T.DW]), f8(H[T.DVW]), i8(H[T.MODES])
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        if modes[l] == _START and law[T.KIND] != T.LINEAR:
            modes[l] = 0
            if law[T.GUARD_OF] != 0:
                for i in range(law[T.ROW], law[T.ROW] + law[T.NROWS]):
                    d[i], dv[i] = e0[i], e0[H[T.ROWS] + i]
                modes[l] = ask_guard(H, law, t, s, _START)


@hot
def accept(H):  # type: ignore[no-untyped-def]
    """The end of the step becomes the start of the next."""
    apart()
    y, yn, e0, e1 = f8(H[T.STATE]), f8(H[T.NEXT]), f8(H[T.E0]), f8(H[T.E1])
    for k in range(H[T.Y]):
        y[k] = yn[k]
    for k in range(H[T.ZS]):
        e0[k] = e1[k]
    for k in range(H[T.PRESCRIBED]):
        f8(H[T.XP])[k] = f8(H[T.XONE])[k]
        f8(H[T.VNOW])[k] = f8(H[T.VONE])[k]
    modes, new_modes = i8(H[T.MODES]), i8(H[T.NEWMODES])
    for l in range(H[T.LAWS]):
        if i8(H[T.LAW])[l * T.RECORD + T.KIND] != T.LINEAR:
            modes[l] = new_modes[l]
    w, wend = f8(H[T.W]), f8(H[T.WEND])
    for j in range(H[T.FORCES]):
        wend[j] = w[3 * j] + w[3 * j + 1] + w[3 * j + 2]


@hot
def attempt(H, slot, t, h, settle, sampled):  # type: ignore[no-untyped-def]
    """One step without keeping it: passes (negative: failed), worst force, error indicator."""
    apart()
    curved = inputs(H, t, h)
    passes, worst = fixed_point(H, slot, t, h, curved, settle)
    if passes < 0:
        return passes, worst, inf
    s, vone, speed = f8(H[T.SONE]), f8(H[T.VONE]), i8(H[T.SPEED])
    if H[T.PRESCRIBED] > 0:
        call_signals(H[T.READ], H, t + h, t + 0.5 * h, s)
        for i in range(H[T.PRESCRIBED]):
            vone[i] = s[speed[i]]
    finish(H, slot)
    yn = f8(H[T.NEXT])
    total = 0.0
    for k in range(H[T.Y]):
        total += abs(yn[k])
    if not total < inf:
        return -passes, worst, inf
    indicator = error_of(H, slot, h, sampled) if H[T.FORCES] > 0 else 0.0
    return passes, worst, indicator


@kernel
def advance(table, landings, t0, interval, samples, allowed, settle):  # type: ignore[no-untyped-def]
    """Step ``samples`` sample intervals on; returns 0, or 1 if no step is short enough.

    ``allowed`` is the error per step, ``settle`` the tolerance of the fixed point. The shortest step is the interval
    over two to the DEEPEST; the level of a step is its length as a power of two of that.
    """
    H = i8(table.ctypes.data)
    deepest, coarsest, slots = H[T.DEEPEST], H[T.COARSEST], H[T.LEVELS]
    steps, count, sone = f8(H[T.STEP]), f8(H[T.COUNT]), f8(H[T.SONE])
    shortest = 1.0000001 * steps[slots - 1]
    near = 1e-9 * interval
    ticks = 1 << deepest
    total = samples * ticks
    level = coarsest
    pos = 0
    tau = 0.0
    cap = inf
    landing = 0
    odd_step = 0.0
    begin(H, t0)
    while pos < total:
        t = t0 + interval * (pos / ticks) + tau
        while landing < landings.shape[0] and landings[landing] <= t + near:
            landing += 1
        stop = landings[landing] if landing < landings.shape[0] else inf
        # the step: the longest level that fits, or the way to a landing
        while (pos & ((1 << level) - 1)) != 0 or pos + (1 << level) > total:
            level -= 1
        target = t0 + interval * ((pos + (1 << level)) / ticks)
        if stop < target - near and level > deepest:
            level = deepest
            continue
        odd = tau != 0.0 or stop < target - near
        if odd:
            h = min(min(target, stop) - t if stop < target - near else target - t, cap)
            slot = slots
            if h != odd_step:
                call_fill(H[T.FILL], H, slot, h)
                odd_step = h
        else:
            slot = coarsest - level
            h = steps[slot]
        sampled = level >= deepest or ((pos >> level) + 1) & ((ticks >> level) - 1) == 0
        passes, worst, indicator = attempt(H, slot, t, h, settle, sampled)
        count[1] += abs(passes)
        if (passes < 0 or indicator > allowed) and h > shortest:
            count[2] += 1
            if odd:
                cap = 0.5 * h
            else:
                level -= 1
            continue
        if passes < 0:
            count[4], count[5] = t, worst
            return 1
        cap = inf
        count[0] += 1
        count[3] = max(count[3], indicator)
        keep_books(H, h)
        if not odd and level > deepest:
            call_inner(H[T.INNER], H, pos // ticks, level - deepest, t, h)
        accept(H)
        tau += h
        if not odd or t + h >= target - near:
            pos += 1 << level
            tau = 0.0
            if (pos & (ticks - 1)) == 0:
                at = t0 + interval * (pos / ticks)
                call_signals(H[T.READ], H, at, t + 0.5 * h, sone)
                forces_at(H, f8(H[T.E0]), at, sone, i8(H[T.MODES]), False)
                emit(H, pos // ticks - 1, f8(H[T.STATE]), sone, f8(H[T.XP]))
                rebase(H)
            # a quiet step may be followed by a longer one
            if level < coarsest and indicator < allowed / 30.0 and (pos & ((2 << level) - 1)) == 0:
                level += 1
    return 0
