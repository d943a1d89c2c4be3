"""Compiled loop of the explicit engine: Dormand-Prince 5(4), landing on switches, samples and the energy book.

The right-hand side and the step are called by address: they are compiled on their own, which keeps this loop
quick to compile, and a system with multipliers brings another right-hand side and nothing else changes.

Stages live in numbered slots of ``KS`` and ``RS``: ``one`` holds the derivative at the start of a step and
``last`` the one at its end, which is the start of the next (first same as last), ``spare`` serves events and
``SAMPLE`` serves samples.
"""

from __future__ import annotations

import numpy as np

from gearwright.system import START, hot, kernel

from . import explicit_table as T
from .explicit_pointers import apart, call_evaluate, call_stages, f8, i8, law_guard, shift, stepper
from .explicit_rhs import signals_at

# Dormand and Prince 1980; dense output of Hairer, Norsett, Wanner, II.6
A21 = 1 / 5
A31, A32 = 3 / 40, 9 / 40
A41, A42, A43 = 44 / 45, -56 / 15, 32 / 9
A51, A52, A53, A54 = 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729
A61, A62, A63, A64, A65 = 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656
B1, B3, B4, B5, B6 = 35 / 384, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84
E1, E3, E4, E5, E6, E7 = 71 / 57600, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40
D1, D3, D4 = -12715105075 / 11282082432, 87487479700 / 32700410799, -10690763975 / 1880347072
D5, D6, D7 = 701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423

SAMPLE = 8
SLOTS = 9
SIDE = 1e-4  # part of a step by which the side of a jump is told
OK, SMALL_STEP, MANY_STEPS, CHATTER = 0, 1, 2, 3


@hot
def evaluate(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Derivative ``k`` and rows ``r`` at time ``t`` and state ``y``, by the form the plan has chosen."""
    call_evaluate(H[T.EVALUATE], H, t, side, y, k, r)


def _stages(H, t, h, one, last):  # type: ignore[no-untyped-def]
    """One step: fills the stages and the end state; returns the error in units of the tolerance."""
    ny, nr = H[T.NY], H[T.NR]
    y, end, ys, w = f8(H[T.Y]), f8(H[T.YEND]), f8(H[T.YSTAGE]), f8(H[T.WEIGHT])
    ks, rs = f8(H[T.KS]), f8(H[T.RS])
    k1, k2, k3, k4 = shift(ks, one * ny), shift(ks, ny), shift(ks, 2 * ny), shift(ks, 3 * ny)
    k5, k6, k7 = shift(ks, 4 * ny), shift(ks, 5 * ny), shift(ks, last * ny)
    late = t + (1.0 - SIDE) * h
    for i in range(ny):
        ys[i] = y[i] + h * A21 * k1[i]
    evaluate(H, t + 0.2 * h, t + 0.2 * h, ys, k2, shift(rs, nr))
    for i in range(ny):
        ys[i] = y[i] + h * (A31 * k1[i] + A32 * k2[i])
    evaluate(H, t + 0.3 * h, t + 0.3 * h, ys, k3, shift(rs, 2 * nr))
    for i in range(ny):
        ys[i] = y[i] + h * (A41 * k1[i] + A42 * k2[i] + A43 * k3[i])
    evaluate(H, t + 0.8 * h, t + 0.8 * h, ys, k4, shift(rs, 3 * nr))
    for i in range(ny):
        ys[i] = y[i] + h * (A51 * k1[i] + A52 * k2[i] + A53 * k3[i] + A54 * k4[i])
    evaluate(H, t + 8.0 / 9.0 * h, t + 8.0 / 9.0 * h, ys, k5, shift(rs, 4 * nr))
    for i in range(ny):
        ys[i] = y[i] + h * (A61 * k1[i] + A62 * k2[i] + A63 * k3[i] + A64 * k4[i] + A65 * k5[i])
    evaluate(H, t + h, late, ys, k6, shift(rs, 5 * nr))
    for i in range(ny):
        end[i] = y[i] + h * (B1 * k1[i] + B3 * k3[i] + B4 * k4[i] + B5 * k5[i] + B6 * k6[i])
    evaluate(H, t + h, late, end, k7, shift(rs, last * nr))
    worst = 0.0
    total = 0.0
    for i in range(ny):
        e = E1 * k1[i] + E3 * k3[i] + E4 * k4[i] + E5 * k5[i] + E6 * k6[i] + E7 * k7[i]
        e = abs(e) * w[i]
        total += e
        worst = max(worst, e)
    if not total < 1e300:
        return np.inf
    return h * worst


#: One step, called by address.
STAGES = stepper(_stages)


@hot
def dense(H, theta, h, one, last, out):  # type: ignore[no-untyped-def]
    """State at ``theta`` of the step just made (also slightly beyond its end), fourth order."""
    apart()
    ny = H[T.NY]
    y, end, ks = f8(H[T.Y]), f8(H[T.YEND]), f8(H[T.KS])
    k1, k3, k4 = shift(ks, one * ny), shift(ks, 2 * ny), shift(ks, 3 * ny)
    k5, k6, k7 = shift(ks, 4 * ny), shift(ks, 5 * ny), shift(ks, last * ny)
    rest = 1.0 - theta
    for i in range(ny):
        r2 = end[i] - y[i]
        r3 = h * k1[i] - r2
        r4 = r2 - h * k7[i] - r3
        r5 = h * (D1 * k1[i] + D3 * k3[i] + D4 * k4[i] + D5 * k5[i] + D6 * k6[i] + D7 * k7[i])
        out[i] = y[i] + theta * (r2 + rest * (r3 + theta * (r4 + rest * r5)))


@hot
def scan(H, t, y, r, g, rate):  # type: ignore[no-untyped-def]
    """Margins of all monitors at the state that was evaluated last, and what follows where one reaches zero."""
    apart()
    m = H[T.M]
    d, s, z = f8(H[T.ROW]), shift(r, 2 * m), shift(y, 2 * H[T.N])
    listed, address, lrow, lp, lz = i8(H[T.GLAW]), i8(H[T.LGUARD]), i8(H[T.LROW]), i8(H[T.LP]), i8(H[T.LZ])
    par, modes, following, pair = f8(H[T.PAR]), i8(H[T.MODES]), i8(H[T.NEXT]), f8(H[T.MARGIN])
    for i in range(H[T.GUARDED]):
        j = listed[i]
        row = lrow[j]
        following[i] = law_guard(
            address[j], t, shift(d, row), shift(r, row), shift(par, lp[j]), shift(z, lz[j]), s, modes[j], pair
        )
        g[i] = pair[0]
        rate[i] = pair[1]
    if H[T.MARGINS] != 0:
        call_evaluate(H[T.MARGINS], H, t, t, shift(g, H[T.GUARDED]), shift(rate, H[T.GUARDED]), r)


@hot
def decide_modes(H, t, y, r):  # type: ignore[no-untyped-def]
    """Let every law that has not decided its mode do so."""
    apart()
    m = H[T.M]
    d, s, z = f8(H[T.ROW]), shift(r, 2 * m), shift(y, 2 * H[T.N])
    listed, address, lrow, lp, lz = i8(H[T.GLAW]), i8(H[T.LGUARD]), i8(H[T.LROW]), i8(H[T.LP]), i8(H[T.LZ])
    par, modes, pair = f8(H[T.PAR]), i8(H[T.MODES]), f8(H[T.MARGIN])
    for i in range(H[T.GUARDED]):
        j = listed[i]
        if modes[j] == START:
            row = lrow[j]
            modes[j] = law_guard(
                address[j], t, shift(d, row), shift(r, row), shift(par, lp[j]), shift(z, lz[j]), s, START, pair
            )


@hot
def predict(H):  # type: ignore[no-untyped-def]
    """Time to the first margin that is running out, by its value, rate and last curvature."""
    apart()
    g, rate, curve = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.GCURVE])
    first = np.inf
    for i in range(H[T.GUARDED]):
        if rate[i] < 0.0 and g[i] > 0.0:
            under = rate[i] * rate[i] - 2.0 * curve[i] * g[i]
            if under >= 0.0:
                first = min(first, 2.0 * g[i] / (np.sqrt(under) - rate[i]))
    return first


@hot
def first_dip(H, h):  # type: ignore[no-untyped-def]
    """Part of the step at which some margin, positive at both ends, may have been negative; 0 if none."""
    apart()
    g0, r0, g1, r1 = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.G1]), f8(H[T.GR1])
    found = 0.0
    for i in range(H[T.GUARDED]):
        if r0[i] < 0.0 and r1[i] > 0.0 and g0[i] > 0.0 and g1[i] > 0.0:
            a = 2.0 * (g0[i] - g1[i]) + h * (r0[i] + r1[i])
            b = 3.0 * (g1[i] - g0[i]) - h * (2.0 * r0[i] + r1[i])
            c = h * r0[i]
            under = b * b - 3.0 * a * c
            if under > 0.0:
                x = -c / (b + np.sqrt(under)) if b > 0.0 else (np.sqrt(under) - b) / (3.0 * a)
                if 0.0 < x < 1.0 and g0[i] + x * (c + x * (b + x * a)) <= 0.0:
                    found = x
    return found


@hot
def first_slip(H, t):  # type: ignore[no-untyped-def]
    """Part of the step at which a stage saw a row beyond its capacity or reversed, fine again at the end; else 0."""
    apart()
    m, nr, first = H[T.MONITORS], H[T.NR], H[T.GUARDED]
    g, rate, g0, rs = f8(H[T.GLOW]), f8(H[T.GHIGH]), f8(H[T.G0]), f8(H[T.RS])
    for stage in range(1, 5):
        call_evaluate(H[T.MARGINS], H, t, t, shift(g, first), shift(rate, first), shift(rs, stage * nr))
        for i in range(first, m):
            if g[i] < 0.0 and g0[i] > 0.0:
                return 0.2 if stage == 1 else (0.3 if stage == 2 else (0.8 if stage == 3 else 8.0 / 9.0))
    return 0.0


@hot
def locate(H, t, h, one, last, spare, top, eps):  # type: ignore[no-untyped-def]
    """First instant of the step at which a margin is zero: Illinois on every margin that is negative at ``top``.

    ``G1`` holds the margins at ``top``. Returns the part of the step; state, stage ``spare`` and ``G1`` are
    those of that instant and TRIGGER tells which monitors switch there.
    """
    apart()
    n_mon, ny, nr = H[T.MONITORS], H[T.NY], H[T.NR]
    g0, g1, low, high = f8(H[T.G0]), f8(H[T.G1]), f8(H[T.GLOW]), f8(H[T.GHIGH])
    rate = f8(H[T.GR1])
    ys = f8(H[T.YSTAGE])
    k, r = shift(f8(H[T.KS]), spare * ny), shift(f8(H[T.RS]), spare * nr)
    trigger = i8(H[T.TRIGGER])
    for i in range(n_mon):
        low[i] = g0[i]
        high[i] = g1[i]
        trigger[i] = 0
    bottom, theta = 0.0, top
    weight_low, weight_high, side = 1.0, 1.0, 0
    which = 0
    for _ in range(60):
        theta = top
        for i in range(n_mon):
            if high[i] <= 0.0:
                x = 0.5 * (bottom + top)
                if low[i] > 0.0:
                    x = bottom + (top - bottom) * weight_low * low[i] / (weight_low * low[i] - weight_high * high[i])
                if x <= theta:
                    theta = x
                    which = i
        if (top - theta) * h <= eps or (theta - bottom) * h <= eps:
            break
        dense(H, theta, h, one, last, ys)
        evaluate(H, t + theta * h, t + min(theta, 1.0 - SIDE) * h, ys, k, r)
        scan(H, t + theta * h, ys, r, g1, rate)
        negative = False
        for i in range(n_mon):
            negative = negative or (g1[i] < 0.0 and not (low[i] < 0.0 and high[i] > 0.0))
        if negative:
            for i in range(n_mon):
                if not (low[i] < 0.0 and high[i] > 0.0):
                    high[i] = g1[i]
            top = theta
            weight_low = 0.5 * weight_low if side == 1 else 1.0
            weight_high = 1.0
            side = 1
        else:
            for i in range(n_mon):
                low[i] = g1[i]
            bottom = theta
            weight_high = 0.5 * weight_high if side == -1 else 1.0
            weight_low = 1.0
            side = -1
    dense(H, theta, h, one, last, ys)
    evaluate(H, t + theta * h, t + min(theta, 1.0 - SIDE) * h, ys, k, r)
    scan(H, t + theta * h, ys, r, g1, rate)
    trigger[which] = 1
    return theta


@hot
def reaction(H, k, r, p):  # type: ignore[no-untyped-def]
    """Generalised force that makes prescribed coordinate number ``p`` of the list follow its signal."""
    a, f = shift(k, H[T.N]), shift(r, H[T.M])
    pmp, pmi, pmv = i8(H[T.PMP]), i8(H[T.PMI]), f8(H[T.PMV])
    pdp, pdr, pdv = i8(H[T.PDP]), i8(H[T.PDR]), f8(H[T.PDV])
    x = 0.0
    for e in range(pmp[p], pmp[p + 1]):
        x += pmv[e] * a[pmi[e]]
    for e in range(pdp[p], pdp[p + 1]):
        x += pdv[e] * f[pdr[e]]
    return x


@hot
def book_at(H, weight, slot):  # type: ignore[no-untyped-def]
    """Add the power at one stage, times ``weight`` seconds, to the energy book.

    The work of constant inputs is exact by the way gone and is left to :func:`book`.
    """
    apart()
    m, ny, nr = H[T.M], H[T.NY], H[T.NR]
    k, r = shift(f8(H[T.KS]), slot * ny), shift(f8(H[T.RS]), slot * nr)
    f, s = shift(r, m), shift(r, 2 * m)
    rows, chat, work, heat = i8(H[T.FROW]), f8(H[T.CHAT]), f8(H[T.ROW_WORK]), f8(H[T.ROW_HEAT])
    for j in range(H[T.FORCES]):
        i = rows[j]
        wdv = weight * r[i]
        work[i] += wdv * f[i]
        heat[i] += wdv * r[i] * chat[i]
    bi, bu, bv, done = i8(H[T.BI]), i8(H[T.BU]), f8(H[T.BV]), f8(H[T.INPUT_WORK])
    if H[T.VARYING] > 0:
        fixed = i8(H[T.FIXED])
        for j in range(H[T.INPUTS]):
            if fixed[j] == 0:
                done[j] += weight * bv[j] * s[bu[j]] * k[bi[j]]
    for p in range(H[T.PRESCRIBED]):
        i = i8(H[T.PRI])[p]
        f8(H[T.REACTION])[i] += weight * k[i] * reaction(H, k, r, p)


@hot
def book(H, h, one, new):  # type: ignore[no-untyped-def]
    """Energy of an accepted step by the weights of the method; ``new`` is the state it ends in."""
    apart()
    m, ny, nr = H[T.M], H[T.NY], H[T.NR]
    rows, chat, work, heat = i8(H[T.FROW]), f8(H[T.CHAT]), f8(H[T.ROW_WORK]), f8(H[T.ROW_HEAT])
    rs = f8(H[T.RS])
    r1, r3, r4 = shift(rs, one * nr), shift(rs, 2 * nr), shift(rs, 3 * nr)
    r5, r6 = shift(rs, 4 * nr), shift(rs, 5 * nr)
    b1, b3, b4, b5, b6 = h * B1, h * B3, h * B4, h * B5, h * B6
    for j in range(H[T.FORCES]):
        i = rows[j]
        x1, x3, x4, x5, x6 = b1 * r1[i], b3 * r3[i], b4 * r4[i], b5 * r5[i], b6 * r6[i]
        e = m + i
        work[i] += x1 * r1[e] + x3 * r3[e] + x4 * r4[e] + x5 * r5[e] + x6 * r6[e]
        heat[i] += chat[i] * (x1 * r1[i] + x3 * r3[i] + x4 * r4[i] + x5 * r5[i] + x6 * r6[i])
    y = f8(H[T.Y])
    bi, bu, bv, done = i8(H[T.BI]), i8(H[T.BU]), f8(H[T.BV]), f8(H[T.INPUT_WORK])
    fixed = i8(H[T.FIXED])
    for j in range(H[T.INPUTS]):
        q = bv[j]
        i = bi[j]
        u = 2 * m + bu[j]
        if fixed[j] != 0:
            done[j] += q * r1[u] * (new[i] - y[i])
        else:
            ks = f8(H[T.KS])
            done[j] += q * (
                b1 * r1[u] * ks[one * ny + i] + b3 * r3[u] * ks[2 * ny + i] + b4 * r4[u] * ks[3 * ny + i]
                + b5 * r5[u] * ks[4 * ny + i] + b6 * r6[u] * ks[5 * ny + i]
            )  # fmt: skip
    if H[T.PRESCRIBED] > 0:
        ks = f8(H[T.KS])
        for p in range(H[T.PRESCRIBED]):
            i = i8(H[T.PRI])[p]
            total = b1 * ks[one * ny + i] * reaction(H, shift(ks, one * ny), r1, p)
            total += b3 * ks[2 * ny + i] * reaction(H, shift(ks, 2 * ny), r3, p)
            total += b4 * ks[3 * ny + i] * reaction(H, shift(ks, 3 * ny), r4, p)
            total += b5 * ks[4 * ny + i] * reaction(H, shift(ks, 4 * ny), r5, p)
            total += b6 * ks[5 * ny + i] * reaction(H, shift(ks, 5 * ny), r6, p)
            f8(H[T.REACTION])[i] += total


@hot
def rebase(H, y):  # type: ignore[no-untyped-def]
    """Move the rigid part of ``y`` into ``phi`` (compensated sum) and renew the constant part of all rows."""
    apart()
    n, m = H[T.N], H[T.M]
    u, rho, project, phi, low = f8(H[T.U]), f8(H[T.RHO]), f8(H[T.PROJECTION]), f8(H[T.PHI]), f8(H[T.PHILOW])
    off, base, amount = f8(H[T.OFF]), f8(H[T.BASE]), f8(H[T.STACK])
    rigid = H[T.RIGID]
    for j in range(rigid):
        x = 0.0
        for i in range(n):
            x += project[j * n + i] * y[i]
        amount[j] = x
    for j in range(rigid):
        for i in range(n):
            y[i] -= u[j * n + i] * amount[j]
        step = amount[j] + low[j]
        total = phi[j] + step
        low[j] = step - (total - phi[j])
        phi[j] = total
    for i in range(m):
        x = off[i]
        for j in range(rigid):
            x += rho[j * m + i] * phi[j]
        base[i] = x


@hot
def sample(H, t, side, theta, h, one, last, out):  # type: ignore[no-untyped-def]
    """Write all channels at ``theta`` of the step just made."""
    apart()
    n, m, ny, nr = H[T.N], H[T.M], H[T.NY], H[T.NR]
    y = f8(H[T.YSAMPLE])
    k, r = shift(f8(H[T.KS]), SAMPLE * ny), shift(f8(H[T.RS]), SAMPLE * nr)
    dense(H, theta, h, one, last, y)
    evaluate(H, t, side, y, k, r)
    stack, base = f8(H[T.STACK]), i8(H[T.LBASE])
    u, project, phi = f8(H[T.U]), f8(H[T.PROJECTION]), f8(H[T.PHI])
    b_f, b_q, b_v, b_a, b_z, b_s, b_phi, b_one = (
        base[0], base[1], base[2], base[3], base[4], base[5], base[6], base[7],
    )  # fmt: skip
    for i in range(m):
        stack[b_f + i] = r[m + i]
    for i in range(n):
        stack[b_q + i] = y[i]
        stack[b_v + i] = y[n + i]
        stack[b_a + i] = k[n + i]
    for i in range(H[T.NZ]):
        stack[b_z + i] = y[2 * n + i]
    for i in range(H[T.NS]):
        stack[b_s + i] = r[2 * m + i]
    for j in range(H[T.RIGID]):
        x = 0.0
        for i in range(n):
            x += project[j * n + i] * y[i]
        stack[b_phi + j] = phi[j] + x
        for i in range(n):
            stack[b_q + i] -= u[j * n + i] * x
    stack[b_one] = 1.0
    lptr, lidx, lcoef = i8(H[T.LPTR]), i8(H[T.LIDX]), f8(H[T.LCOEF])
    for c in range(H[T.CHANNELS]):
        x = 0.0
        for e in range(lptr[c], lptr[c + 1]):
            x += lcoef[e] * stack[lidx[e]]
        out[c] = x


@hot
def follow(H, t, side, y, r):  # type: ignore[no-untyped-def]
    """Set prescribed coordinates to their signals; what a jump takes is booked as work of the reaction."""
    apart()
    n, m = H[T.N], H[T.M]
    s = shift(r, 2 * m)
    if H[T.VARYING] > 0:
        signals_at(H, t, side, s)
    pri, prs, jump = i8(H[T.PRI]), i8(H[T.PRS]), f8(H[T.JUMP])
    pjp, pji, pjv = i8(H[T.PJP]), i8(H[T.PJI]), f8(H[T.PJV])
    pmp, pmi, pmv = i8(H[T.PMP]), i8(H[T.PMI]), f8(H[T.PMV])
    v = shift(y, n)
    work = f8(H[T.REACTION])
    for i in range(n):
        jump[i] = 0.0
    for p in range(H[T.PRESCRIBED]):
        i = pri[p]
        change = s[prs[p]] - v[i]
        jump[i] += change
        for e in range(pjp[p], pjp[p + 1]):
            jump[pji[e]] += pjv[e] * change
    for p in range(H[T.PRESCRIBED]):
        i = pri[p]
        impulse = 0.0
        for e in range(pmp[p], pmp[p + 1]):
            impulse += pmv[e] * jump[pmi[e]]
        work[i] += impulse * (v[i] + 0.5 * jump[i])
    for i in range(n):
        v[i] += jump[i]


@hot
def weigh_states(H):  # type: ignore[no-untyped-def]
    """Scale the weights of the laws' states: relative to the largest value met so far."""
    apart()
    n, w, y, carry = H[T.N], f8(H[T.WEIGHT]), f8(H[T.Y]), f8(H[T.CARRY])
    for i in range(2 * n, H[T.NY]):
        w[i] = min(w[i], 1.0 / (carry[2] * max(abs(y[i]), 1e-6)))


@hot
def restart(H, t, h, slot):  # type: ignore[no-untyped-def]
    """Evaluate at the start of a step and let modes change until every margin is fine; False if they never are."""
    apart()
    ny, nr, n_mon = H[T.NY], H[T.NR], H[T.MONITORS]
    y = f8(H[T.Y])
    k, r = shift(f8(H[T.KS]), slot * ny), shift(f8(H[T.RS]), slot * nr)
    g, rate, curve = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.GCURVE])
    modes, following, listed = i8(H[T.MODES]), i8(H[T.NEXT]), i8(H[T.GLAW])
    stats = i8(H[T.STATS])
    for i in range(n_mon):
        curve[i] = 0.0
    for _ in range(4 * n_mon + 8):
        if H[T.SETTLE] != 0:
            call_evaluate(H[T.SETTLE], H, t, t + SIDE * h, y, k, r)
        evaluate(H, t, t + SIDE * h, y, k, r)
        stats[T.EVALUATIONS] += 1
        scan(H, t, y, r, g, rate)
        changed = False
        for i in range(H[T.GUARDED]):
            if rate[i] < 0.0 and g[i] <= 1e-9 * h * -rate[i]:
                modes[listed[i]] = following[i]
                changed = True
        if not changed:
            return True
        stats[T.EVENTS] += 1
    return False


@hot
def worst_row(H, slots):  # type: ignore[no-untyped-def]
    """Number of the row whose force is not finite in any stage, else of the largest force in the first."""
    apart()
    m, nr = H[T.M], H[T.NR]
    rs = f8(H[T.RS])
    for slot in range(slots):
        for i in range(m):
            x = rs[slot * nr + m + i]
            if not abs(x) < 1e300:
                return i
    found, largest = 0, -1.0
    for i in range(m):
        if abs(rs[m + i]) > largest:
            largest = abs(rs[m + i])
            found = i
    return found


@kernel
def advance(table, start, count, interval, landings, out):  # type: ignore[no-untyped-def]
    """Advance by ``count`` sample intervals from the absolute time ``start``.

    ``landings`` are times relative to ``start``, ``out`` is (count, channels). Time inside is relative, so that
    a late hour costs no precision. Returns a status and the relative time reached.
    """
    H = i8(table.ctypes.data)
    ny, nr = H[T.NY], H[T.NR]
    n_mon = H[T.MONITORS]
    y, end, ys = f8(H[T.Y]), f8(H[T.YEND]), f8(H[T.YSTAGE])
    ks, rs = f8(H[T.KS]), f8(H[T.RS])
    g0, r0, g1, r1, curve = f8(H[T.G0]), f8(H[T.GR0]), f8(H[T.G1]), f8(H[T.GR1]), f8(H[T.GCURVE])
    trigger, modes, following, listed = i8(H[T.TRIGGER]), i8(H[T.MODES]), i8(H[T.NEXT]), i8(H[T.GLAW])
    stats, carry = i8(H[T.STATS]), f8(H[T.CARRY])
    lines = f8(out.ctypes.data)
    width = H[T.CHANNELS]
    # np.int64 keeps the compiler from making a second form of every function for literal numbers
    one, last, spare = np.int64(0), np.int64(6), np.int64(7)
    h, previous = carry[0], carry[1]
    largest = carry[3]
    t, finish = 0.0, count * interval
    done, landed = 0, 0
    tries, redone = 0, 0
    limit = 20_000_000 + 2_000_000 * count
    begin = stats[T.STEPS] + stats[T.REJECTED]

    if H[T.PRESCRIBED] > 0:
        follow(H, start, start + SIDE * h, y, rs)
    rebase(H, y)
    evaluate(H, start, start + SIDE * h, y, ks, rs)
    decide_modes(H, start, y, rs)
    if not restart(H, start, h, one):
        return CHATTER, t
    aimed = 0.0
    while done < count:
        stop = finish
        if landed < landings.shape[0] and landings[landed] < finish:
            stop = landings[landed]
        room = stop - t
        if aimed > 0.0:
            step = aimed
        else:
            step = min(h, largest)
            target = min(room, predict(H))
            if step >= 0.999 * target:
                step = target
            elif step > 0.5 * target:
                step = 0.5 * target
        aimed = 0.0
        if not step > 1e-13:
            stats[T.BAD_ROW] = worst_row(H, np.int64(SLOTS - 1))
            return SMALL_STEP, t
        if stats[T.STEPS] + stats[T.REJECTED] - begin > limit:
            stats[T.BAD_ROW] = worst_row(H, np.int64(1))
            return MANY_STEPS, t
        error = call_stages(H[T.STAGES], H, start + t, step, one, last)
        stats[T.EVALUATIONS] += 6
        if not error <= 1.0:
            stats[T.REJECTED] += 1
            h = step * (max(0.2, 0.9 * error**-0.2) if error < 1e10 else 0.1)
            tries += 1
            redone = 0
            continue
        # --- margins -----------------------------------------------------------------------------------
        theta = 1.0
        event = False
        if n_mon > 0:
            k, r = shift(ks, last * ny), shift(rs, last * nr)
            scan(H, start + t + step, end, r, g1, r1)
            top = 0.0
            soon, which = 1e300, 0
            for i in range(n_mon):
                if g1[i] < 0.0:
                    top = 1.0
                elif r1[i] < 0.0 and g1[i] < -r1[i] * soon:
                    soon = g1[i] / -r1[i]
                    which = i
            eps = max(1e-9 * step, 1e-15 * (start + t))
            if top == 0.0:
                dip = first_dip(H, step)
                if dip == 0.0 and H[T.MARGINS] != 0:
                    dip = first_slip(H, start + t)
                if dip > 0.0:
                    dense(H, dip, step, one, last, ys)
                    k, r = shift(ks, spare * ny), shift(rs, spare * nr)
                    evaluate(H, start + t + dip * step, start + t + dip * step, ys, k, r)
                    scan(H, start + t + dip * step, ys, r, g1, r1)
                    for i in range(n_mon):
                        if g1[i] < 0.0:
                            top = dip
                    if top == 0.0:
                        dense(H, 1.0, step, one, last, ys)
                        evaluate(H, start + t + step, start + t + (1.0 - SIDE) * step, ys, k, r)
                        scan(H, start + t + step, ys, r, g1, r1)
            if top > 0.0:
                theta = locate(H, start + t, step, one, last, spare, top, eps)
                event = True
                if theta < 0.99 and redone < 4:
                    aimed = max(theta * step, 2e-13)
                    redone += 1
                    continue
            elif soon <= 0.01 * step:
                theta = 1.0 + soon / step
                dense(H, theta, step, one, last, ys)
                k, r = shift(ks, spare * ny), shift(rs, spare * nr)
                evaluate(H, start + t + theta * step, start + t + (1.0 - SIDE) * step, ys, k, r)
                scan(H, start + t + theta * step, ys, r, g1, r1)
                for i in range(n_mon):
                    trigger[i] = 0
                if g1[which] <= 10.0 * eps * abs(r1[which]):
                    event = True
                    trigger[which] = 1
                else:
                    theta = 1.0
                    k, r = shift(ks, last * ny), shift(rs, last * nr)
                    evaluate(H, start + t + step, start + t + (1.0 - SIDE) * step, end, k, r)
                    scan(H, start + t + step, end, r, g1, r1)
            if event:
                for i in range(n_mon):
                    over = g1[i] <= 0.0 and not (g0[i] <= 0.0 and r1[i] > 0.0)
                    if over or (r1[i] < 0.0 and g1[i] <= eps * -r1[i]):
                        trigger[i] = 1
        redone, tries = 0, 0
        stats[T.STEPS] += 1
        # --- energy, samples, end of the step ------------------------------------------------------------
        if event:
            book(H, step, one, ys)
            half = 0.5 * (theta - 1.0) * step
            book_at(H, half, last)
            book_at(H, half, spare)
        else:
            book(H, step, one, end)
        here = t + theta * step
        if stop - here <= 1e-9 * step:
            here = stop
        sampled = False
        while done < count and (done + 1) * interval <= here + 1e-9 * step:
            part = min(((done + 1) * interval - t) / step, theta)
            sample(
                H, start + t + part * step, start + t + min(part, 1.0 - SIDE) * step, part, step, one, last,
                shift(lines, done * width),
            )  # fmt: skip
            done += 1
            sampled = True
        if event:
            for i in range(ny):
                y[i] = ys[i]
            one, spare = spare, one
        else:
            for i in range(ny):
                y[i] = end[i]
            one, last = last, one
        t = here
        for i in range(n_mon):
            curve[i] = (r1[i] - r0[i]) / step
            g0[i] = g1[i]
            r0[i] = r1[i]
        if sampled:
            rebase(H, y)
            weigh_states(H)
        if H[T.PROJECT] != 0 and (sampled or H[T.MOVING] > 0):
            k, r = shift(ks, one * ny), shift(rs, one * nr)
            call_evaluate(H[T.PROJECT], H, start + t, start + t - SIDE * step, y, k, r)
            if not event and H[T.MOVING] > 0:
                evaluate(H, start + t, start + t - SIDE * step, y, k, r)
        # --- next step -----------------------------------------------------------------------------------
        e = max(error, 1e-6)
        factor = 0.9 * e**-0.14 * previous**0.08
        wanted = step * min(5.0, max(0.2, factor))
        previous = max(e, 1e-4)
        h = max(h, wanted) if step < 0.9 * h else wanted
        if event:
            stats[T.EVENTS] += 1
            for i in range(H[T.GUARDED]):
                if trigger[i] != 0:
                    modes[listed[i]] = following[i]
        jump = t == stop and stop < finish
        if jump:
            landed += 1
            if H[T.PRESCRIBED] > 0:
                follow(H, start + t, start + t + SIDE * h, y, shift(rs, one * nr))
        if (event or jump) and not restart(H, start + t, h, one):
            return CHATTER, t
    carry[0] = h
    carry[1] = previous
    return OK, t
