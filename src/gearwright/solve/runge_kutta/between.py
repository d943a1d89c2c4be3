"""Between steps of the explicit engine: the rigid rotation taken out, samples written, prescribed speeds kept."""

from __future__ import annotations

from gearwright.kernels import fused, hot
from gearwright.kernels.pointers import f8, i8, noalias, noinline, shift
from gearwright.kernels.tiles import WIDE, force_tile

from . import table as T
from .rhs import signals_at
from .step import SAMPLE, dense, evaluate


@fused
def copy(n, out, x):  # type: ignore[no-untyped-def]
    """``out = x``."""
    noalias()
    for i in range(n):
        out[i] = x[i]


@fused
def add(n, out, a, x):  # type: ignore[no-untyped-def]
    """``out += a x``."""
    noalias()
    for i in range(n):
        out[i] += a * x[i]


@hot
def product(n, x, y):  # type: ignore[no-untyped-def]
    """Sum of ``x y``."""
    total = 0.0
    for i in range(n):
        total += x[i] * y[i]
    return total


@hot
def rebase(H, y):  # type: ignore[no-untyped-def]
    """Move the rigid part of ``y`` into ``phi`` (compensated sum) and renew the constant part of all rows."""
    noinline()
    n, m = H[T.N], H[T.M]
    u, rho, project, phi, low = f8(H[T.U]), f8(H[T.RHO]), f8(H[T.PROJECTION]), f8(H[T.PHI]), f8(H[T.PHILOW])
    off, base, amount = f8(H[T.OFF]), f8(H[T.BASE]), f8(H[T.STACK])
    rigid = H[T.RIGID]
    for j in range(rigid):
        amount[j] = product(n, shift(project, j * n), y)
    copy(m, base, off)
    for j in range(rigid):
        add(n, y, -amount[j], shift(u, j * n))
        step = amount[j] + low[j]
        total = phi[j] + step
        low[j] = step - (total - phi[j])
        phi[j] = total
        add(m, base, total, shift(rho, j * m))


@hot
def sample(H, t, side, theta, h, one, last, out):  # type: ignore[no-untyped-def]
    """Write all channels at ``theta`` of the step just made."""
    noinline()
    n, m, ny, nr = H[T.N], H[T.M], H[T.NY], H[T.NR]
    y = f8(H[T.YSAMPLE])
    k, r = shift(f8(H[T.KS]), SAMPLE * ny), shift(f8(H[T.RS]), SAMPLE * nr)
    dense(H, theta, h, one, last, y)
    H[T.REPORTS] = 1
    evaluate(H, t, side, y, k, r)
    H[T.REPORTS] = 0
    stack, base = f8(H[T.STACK]), i8(H[T.LBASE])
    u, project, phi = f8(H[T.U]), f8(H[T.PROJECTION]), f8(H[T.PHI])
    b_f, b_q, b_v, b_a, b_z, b_s, b_phi, b_one = (
        base[0],
        base[1],
        base[2],
        base[3],
        base[4],
        base[5],
        base[6],
        base[7],
    )
    copy(m, shift(stack, b_f), shift(r, m))
    copy(n, shift(stack, b_q), y)
    copy(n, shift(stack, b_v), shift(y, n))
    copy(n, shift(stack, b_a), shift(k, n))
    for i in range(H[T.NZ]):
        stack[b_z + i] = y[2 * n + i]
    for i in range(H[T.NS]):
        stack[b_s + i] = r[2 * m + i]
    for j in range(H[T.RIGID]):
        x = product(n, shift(project, j * n), y)
        stack[b_phi + j] = phi[j] + x
        add(n, shift(stack, b_q), -x, shift(u, j * n))
    stack[b_one] = 1.0
    order, sizes, columns, values = (
        i8(H[T.LINE_ORDER]),
        i8(H[T.LINE_SIZES]),
        i8(H[T.LINE_COLUMNS]),
        f8(H[T.LINE_VALUES]),
    )
    count, last, zeros = H[T.CHANNELS], f8(H[T.LINE_ROOM]), shift(f8(H[T.LINE_ROOM]), WIDE)
    at, e = 0, 0
    for g in range(H[T.LINE_GROUPS]):
        length, stop = sizes[2 * g], at + sizes[2 * g + 1]
        while at < stop:
            c = WIDE * order[at]
            force_tile(values, columns, e, e + length, stack, zeros, shift(out, c) if c + WIDE <= count else last)
            e += length
            at += 1
    whole = count - count % WIDE
    for c in range(whole, count):
        out[c] = last[c - whole]


@hot
def follow(H, t, side, y, r):  # type: ignore[no-untyped-def]
    """Set prescribed coordinates to their signals; what a jump takes is booked as work of the reaction."""
    noinline()
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
