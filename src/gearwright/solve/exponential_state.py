"""Inputs, propagation and watched values of the exponential engine."""

from __future__ import annotations

from gearwright.system.compiled import hot
from gearwright.system.signals import value_of

from . import exponential_slots as T
from .explicit_pointers import apart, f8, i8, shift
from .exponential_pointers import call_product, call_signals, multiplier, reader

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
        s[vari[j]] = value_of(sptr, sstart, scoef, ssin, sdt, vari[j], t, side)


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
