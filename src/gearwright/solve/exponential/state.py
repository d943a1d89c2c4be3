"""Inputs, propagation and watched values of the exponential engine."""

from __future__ import annotations

from gearwright.kernels import fused, hot
from gearwright.kernels.pointers import f8, i8, noalias, noinline, shift
from gearwright.system.signals import value_of

from . import slots as T
from .pointers import call_product, call_signals, reader

#: Place of a step up to which signals at its end are read, on the step's side of a jump; knots inside a step are not jumps.
INSIDE = 0.9999
_X3, _V3, _U3 = 0.7745966692414834, 0.2777777777777778, 0.4444444444444444


@hot
def add_lines(out, matrix, n, x, step, lines):  # type: ignore[no-untyped-def]
    """``out += x[::step] @ matrix``."""
    noinline()
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


@fused
def _six(p, stride):  # type: ignore[no-untyped-def]
    """Six pointers, each ``stride`` behind the one before."""
    return p, shift(p, stride), shift(p, 2 * stride), shift(p, 3 * stride), shift(p, 4 * stride), shift(p, 5 * stride)


@fused
def propagate(a, blocks, table, y, b0, b1, b2, curved, out):  # type: ignore[no-untyped-def]
    """``out = E y + sum_l Gamma_l b_l`` block by block; ``curved`` is zero where b1 and b2 vanish."""
    noinline()
    noalias()
    z, d0 = shift(y, blocks), shift(b0, blocks)
    e0, e1, g0, g1 = table, shift(table, blocks), shift(table, 2 * blocks), shift(table, 3 * blocks)
    a11, a12, a21, a22 = a, shift(a, blocks), shift(a, 2 * blocks), shift(a, 3 * blocks)
    second = shift(out, blocks)
    if curved:
        d1, d2 = shift(b1, blocks), shift(b2, blocks)
        _, _, g2, g3, g4, g5 = _six(shift(table, 2 * blocks), blocks)
        for k in range(blocks):
            p1 = e0[k] * y[k] + g0[k] * b0[k] + g2[k] * b1[k] + g4[k] * b2[k]
            p2 = e0[k] * z[k] + g0[k] * d0[k] + g2[k] * d1[k] + g4[k] * d2[k]
            q1 = e1[k] * y[k] + g1[k] * b0[k] + g3[k] * b1[k] + g5[k] * b2[k]
            q2 = e1[k] * z[k] + g1[k] * d0[k] + g3[k] * d1[k] + g5[k] * d2[k]
            out[k] = p1 + a11[k] * q1 + a12[k] * q2
            second[k] = p2 + a21[k] * q1 + a22[k] * q2
        return
    for k in range(blocks):
        p1, p2 = e0[k] * y[k] + g0[k] * b0[k], e0[k] * z[k] + g0[k] * d0[k]
        q1, q2 = e1[k] * y[k] + g1[k] * b0[k], e1[k] * z[k] + g1[k] * d0[k]
        out[k] = p1 + a11[k] * q1 + a12[k] * q2
        second[k] = p2 + a21[k] * q1 + a22[k] * q2


@fused
def push(a, blocks, table, f, stride, out):  # type: ignore[no-untyped-def]
    """``out += sum_l Gamma_l f_l`` for six polynomials, ``f_l`` being ``stride`` apart."""
    noinline()
    noalias()
    a11, a12, a21, a22 = a, shift(a, blocks), shift(a, 2 * blocks), shift(a, 3 * blocks)
    second = shift(out, blocks)
    f0, f1, f2, f3, f4, f5 = _six(f, stride)
    z0, z1, z2, z3, z4, z5 = _six(shift(f, blocks), stride)
    g0, g1, g2, g3, g4, g5 = _six(shift(table, 2 * blocks), 2 * blocks)
    h0, h1, h2, h3, h4, h5 = _six(shift(table, 3 * blocks), 2 * blocks)
    for k in range(blocks):
        p1 = g0[k] * f0[k] + g1[k] * f1[k] + g2[k] * f2[k] + g3[k] * f3[k] + g4[k] * f4[k] + g5[k] * f5[k]
        p2 = g0[k] * z0[k] + g1[k] * z1[k] + g2[k] * z2[k] + g3[k] * z3[k] + g4[k] * z4[k] + g5[k] * z5[k]
        q1 = h0[k] * f0[k] + h1[k] * f1[k] + h2[k] * f2[k] + h3[k] * f3[k] + h4[k] * f4[k] + h5[k] * f5[k]
        q2 = h0[k] * z0[k] + h1[k] * z1[k] + h2[k] * z2[k] + h3[k] * z3[k] + h4[k] * z4[k] + h5[k] * z5[k]
        out[k] += p1 + a11[k] * q1 + a12[k] * q2
        second[k] += p2 + a21[k] * q1 + a22[k] * q2


@fused
def prescribed_at(H, k, place, h):  # type: ignore[no-untyped-def]
    """Position of a prescribed coordinate at a place of the step."""
    s = i8(H[T.SPEED])[k]
    bend = f8(H[T.SIG1])[s] + (2.0 * place - 1.0) * f8(H[T.SIG2])[s]
    return f8(H[T.XP])[k] + h * place * (f8(H[T.SIG0])[s] + (place - 1.0) * bend)


@hot
def inputs(H, t, h):  # type: ignore[no-untyped-def]
    """Sources over the step as polynomials, and the forcing of the blocks by them; returns whether they vary."""
    noinline()
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
            at = middle + 0.5 * h * x
            call_signals(H[T.READ], H, at, at, now)
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
def missed_inputs(H, t, h):  # type: ignore[no-untyped-def]
    """What the polynomials of the signals that bend miss at the ends of the step, over what they may: the largest."""
    noinline()
    now, of, by, worst = f8(H[T.SONE]), i8(H[T.BENT_OF]), f8(H[T.BENT_BY]), 0.0
    sig0, sig1, sig2 = f8(H[T.SIG0]), f8(H[T.SIG1]), f8(H[T.SIG2])
    for side in range(2):
        call_signals(H[T.READ], H, t + side * h, t + (INSIDE if side == 1 else 1.0 - INSIDE) * h, now)
        for i in range(H[T.BENT]):
            s = of[i]
            worst = max(worst, abs(now[s] - sig0[s] - (2.0 * side - 1.0) * sig1[s] - sig2[s]) * by[i])
    return worst


@hot
def watch(H, y, x, v, out):  # type: ignore[no-untyped-def]
    """Watched values of a state."""
    noinline()
    n = H[T.ZS]
    call_product(H[T.PRODUCT], out, f8(H[T.BASE]), f8(H[T.Z]), n, y, H[T.Y])
    add_lines(out, f8(H[T.ZX]), n, x, 1, H[T.PRESCRIBED])
    add_lines(out, f8(H[T.ZV]), n, v, 1, H[T.PRESCRIBED])
