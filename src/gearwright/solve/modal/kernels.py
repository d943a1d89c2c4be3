"""Parts of the exact engine: exponentials, inputs, modal solution of a step."""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8
from gearwright.system.signals import find_piece

from . import places as at
from .pointers import call_part, part

#: Part of a prescribed speed by which it must change at an instant to be called a jump.
JUMP = 1e-9
# division is slow
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12 = (1.0 / k for k in range(2, 13))


@hot
def product(a, o, m, n, x, y):
    """``y = A x`` for a column-major (m, n) matrix at offset ``o``; columns in fours, so that it vectorises."""
    for i in range(m):
        y[i] = 0.0
    j = 0
    while j + 4 <= n:
        b = o + j * m
        x0, x1, x2, x3 = x[j], x[j + 1], x[j + 2], x[j + 3]
        for i in range(m):
            y[i] += a[b + i] * x0 + a[b + m + i] * x1 + a[b + 2 * m + i] * x2 + a[b + 3 * m + i] * x3
        j += 4
    while j < n:
        b = o + j * m
        x0 = x[j]
        for i in range(m):
            y[i] += a[b + i] * x0
        j += 1


@hot
def exponentials(lr, li, o, n, largest, h, er, ei):
    """``exp(lam h)`` of n modes without a call: Taylor of ``exp - 1`` at a small argument, then doubled.

    Doubling ``y -> y (2 + y)`` keeps the relative precision of small ``y``, so slow modes lose nothing.
    """
    doubling = 0
    scale = h
    while abs(scale) * largest > 0.3 and doubling < 60:
        scale *= 0.5
        doubling += 1
    if abs(scale) * largest < 1e-5:  # the last steps of a search: three terms, then six, are enough
        for j in range(n):
            a = lr[o + j] * scale
            b = li[o + j] * scale
            r = 1.0 + a * C3
            s = b * C3
            r, s = 1.0 + (a * r - b * s) * C2, (a * s + b * r) * C2
            er[j] = 1.0 + (a * r - b * s)
            ei[j] = a * s + b * r
        return
    if abs(scale) * largest < 0.01:
        for j in range(n):
            a = lr[o + j] * scale
            b = li[o + j] * scale
            r = 1.0 + a * C6
            s = b * C6
            r, s = 1.0 + (a * r - b * s) * C5, (a * s + b * r) * C5
            r, s = 1.0 + (a * r - b * s) * C4, (a * s + b * r) * C4
            r, s = 1.0 + (a * r - b * s) * C3, (a * s + b * r) * C3
            r, s = 1.0 + (a * r - b * s) * C2, (a * s + b * r) * C2
            er[j] = 1.0 + (a * r - b * s)
            ei[j] = a * s + b * r
        return
    for j in range(n):
        a = lr[o + j] * scale
        b = li[o + j] * scale
        # Horner of sum x^k / k!, k = 1..12, complex
        r = 1.0 + a * C12
        s = b * C12
        r, s = 1.0 + (a * r - b * s) * C11, (a * s + b * r) * C11
        r, s = 1.0 + (a * r - b * s) * C10, (a * s + b * r) * C10
        r, s = 1.0 + (a * r - b * s) * C9, (a * s + b * r) * C9
        r, s = 1.0 + (a * r - b * s) * C8, (a * s + b * r) * C8
        r, s = 1.0 + (a * r - b * s) * C7, (a * s + b * r) * C7
        r, s = 1.0 + (a * r - b * s) * C6, (a * s + b * r) * C6
        r, s = 1.0 + (a * r - b * s) * C5, (a * s + b * r) * C5
        r, s = 1.0 + (a * r - b * s) * C4, (a * s + b * r) * C4
        r, s = 1.0 + (a * r - b * s) * C3, (a * s + b * r) * C3
        r, s = 1.0 + (a * r - b * s) * C2, (a * s + b * r) * C2
        er[j] = a * r - b * s
        ei[j] = a * s + b * r
    for _ in range(doubling):
        for j in range(n):
            a = er[j]
            b = ei[j]
            er[j] = 2.0 * a + (a * a - b * b)
            ei[j] = 2.0 * b + 2.0 * a * b
    for j in range(n):
        er[j] += 1.0


@hot
def slow_mode(lam, h, z0, g0, g1, g2, g3):
    """``z(h)`` and its integral for ``z' = lam z + g0 + g1 t + g2 t^2 + g3 t^3``, any ``lam``, by phi functions."""
    x = lam * h
    if x.real * x.real + x.imag * x.imag < 1.0:
        p5 = 1.0 + x / 20.0
        for k in range(19, 5, -1):
            p5 = 1.0 + x * p5 / k
        p5 = p5 / 120.0
        p4 = 1.0 / 24.0 + x * p5
        p3 = 1.0 / 6.0 + x * p4
        p2 = 0.5 + x * p3
        p1 = 1.0 + x * p2
        p0 = 1.0 + x * p1
    else:
        p0 = np.exp(x)
        p1 = (p0 - 1.0) / x
        p2 = (p1 - 1.0) / x
        p3 = (p2 - 0.5) / x
        p4 = (p3 - 1.0 / 6.0) / x
        p5 = (p4 - 1.0 / 24.0) / x
    z = p0 * z0 + h * (p1 * g0 + h * (p2 * g1 + h * (2.0 * p3 * g2 + h * 6.0 * p4 * g3)))
    total = h * (p1 * z0 + h * (p2 * g0 + h * (p3 * g1 + h * (2.0 * p4 * g2 + h * 6.0 * p5 * g3))))
    return z, total


@part
def special_mode(H, slot, j, h):
    """Write ``z(h)`` and its integral of special mode ``j``: polynomials by formula, sines by Gauss."""
    size = i8(H[at.SIZE])
    sine_input = i8(H[at.SINE_INPUT])
    gauss = f8(H[at.GAUSS])
    lr = f8(H[at.LR])
    li = f8(H[at.LI])
    br = f8(H[at.BR])
    bi = f8(H[at.BI])
    z0r = f8(H[at.Z0R])
    z0i = f8(H[at.Z0I])
    gr = f8(H[at.GR])
    gi = f8(H[at.GI])
    sines = f8(H[at.SINES])
    motion = f8(H[at.MOTION])
    n = size[at.N_STATES]
    nu = size[at.N_INPUTS]
    ns = size[at.N_SINES]
    lam = complex(lr[slot * n + j], li[slot * n + j])
    z, total = slow_mode(
        lam,
        h,
        complex(z0r[j], z0i[j]),
        complex(gr[j], gi[j]),
        complex(gr[n + j], gi[n + j]),
        complex(gr[2 * n + j], gi[2 * n + j]),
        complex(gr[3 * n + j], gi[3 * n + j]),
    )
    for s in range(ns):
        amplitude = sines[4 * s]
        if amplitude == 0.0:
            continue
        b = (slot * nu + sine_input[s]) * n + j
        beta = complex(br[b], bi[b]) * amplitude
        for q in range(12):
            left = h * (1.0 - gauss[q])
            push = beta * (gauss[12 + q] * h * np.sin(sines[4 * s + 1] * (h - left) + sines[4 * s + 2]))
            e, one = slow_mode(lam, left, 1.0 + 0.0j, 0.0j, 0.0j, 0.0j, 0.0j)
            z += e * push
            total += one * push
    motion[at.Z_REAL], motion[at.Z_IMAG] = z.real, z.imag
    motion[at.TOTAL_REAL], motion[at.TOTAL_IMAG] = total.real, total.imag
    return 0


@hot
def sine_integral(omega, phase, h):
    """Integral of ``sin(omega t + phase)`` over [0, h]."""
    half = 0.5 * omega * h
    if abs(half) < 1e-4:
        return h * (1.0 - half * half / 6.0) * np.sin(phase + half)
    return 2.0 * np.sin(half) / omega * np.sin(phase + half)


@hot
def theta_at(H, tau):
    """Prescribed rotation since the start of the call and its speed, ``tau`` after the begin of the step."""
    size = i8(H[at.SIZE])
    sine_of = i8(H[at.SINE_OF])
    motion = f8(H[at.MOTION])
    u = f8(H[at.U])
    sines = f8(H[at.SINES])
    i = size[at.THETA_INPUT]
    if i < 0:
        return 0.0, 0.0
    speed = u[4 * i] + tau * (u[4 * i + 1] + tau * (u[4 * i + 2] + tau * u[4 * i + 3]))
    angle = motion[at.ANGLE] + tau * (
        u[4 * i] + tau * (u[4 * i + 1] / 2.0 + tau * (u[4 * i + 2] / 3.0 + tau * u[4 * i + 3] / 4.0))
    )
    s = sine_of[i]
    if s >= 0:
        a, omega, phase = sines[4 * s], sines[4 * s + 1], sines[4 * s + 2]
        speed += a * np.sin(omega * tau + phase)
        angle += a * sine_integral(omega, phase, tau)
    return angle, speed


@hot
def input_at(H, i, tau):
    """Input ``i`` of the step at ``tau``."""
    sine_of = i8(H[at.SINE_OF])
    u = f8(H[at.U])
    sines = f8(H[at.SINES])
    b = 4 * i
    value = u[b] + tau * (u[b + 1] + tau * (u[b + 2] + tau * u[b + 3]))
    s = sine_of[i]
    if s >= 0:
        value += sines[4 * s] * np.sin(sines[4 * s + 1] * tau + sines[4 * s + 2])
    return value


@part
def local_inputs(H, slot, degree, edge):
    """Polynomials and sines of all inputs about now; returns their degree, ``following`` is the next boundary.

    ``edge`` is the slack in time by which a boundary counts as reached; the degree passed does not matter.
    """
    sptr = i8(H[at.SPTR])
    sstart = f8(H[at.SSTART])
    scoef = f8(H[at.SCOEF])
    ssin = f8(H[at.SSIN])
    sdt = f8(H[at.SDT])
    size = i8(H[at.SIZE])
    signal = i8(H[at.SIGNAL])
    sine_of = i8(H[at.SINE_OF])
    motion = f8(H[at.MOTION])
    u = f8(H[at.U])
    sines = f8(H[at.SINES])
    nu = size[at.N_INPUTS]
    itheta = size[at.THETA_INPUT]
    origin = motion[at.ORIGIN]
    t = origin + motion[at.TIME]
    following = np.inf
    degree = 0
    for i in range(nu):
        number = signal[i]
        b = 4 * i
        if number < 0:
            u[b], u[b + 1], u[b + 2], u[b + 3] = 1.0, 0.0, 0.0, 0.0
            continue
        j = find_piece(sptr, sstart, sdt, number, t + edge)
        if j + 1 < sptr[number + 1]:
            following = min(following, sstart[j + 1] - origin)
        c0, c1, c2, c3 = scoef[4 * j], scoef[4 * j + 1], scoef[4 * j + 2], scoef[4 * j + 3]
        if c1 == 0.0 and c2 == 0.0 and c3 == 0.0:
            u[b], u[b + 1], u[b + 2], u[b + 3] = c0, 0.0, 0.0, 0.0
        else:
            x = t - sstart[j]
            u[b] = c0 + x * (c1 + x * (c2 + x * c3))
            u[b + 1] = c1 + x * (2.0 * c2 + 3.0 * x * c3)
            u[b + 2] = c2 + 3.0 * x * c3
            u[b + 3] = c3
            degree = max(degree, 3 if c3 != 0.0 else (2 if c2 != 0.0 else 1))
        s = sine_of[i]
        if s >= 0:
            t0 = ssin[4 * number + 3]
            active = t + edge >= t0
            if not active:
                following = min(following, t0 - origin)
            sines[4 * s] = ssin[4 * number] if active else 0.0
            sines[4 * s + 1] = ssin[4 * number + 1]
            sines[4 * s + 2] = ssin[4 * number + 1] * (t - t0 if t0 > -1e300 else t) + ssin[4 * number + 2]
        if i == itheta:
            now = u[b]
            if s >= 0:
                now += sines[4 * s] * np.sin(sines[4 * s + 2])
            # round-off carries on; a jump is for whoever called
            motion[at.SPEED_JUMP] = now - motion[at.SPEED]
            if abs(motion[at.SPEED_JUMP]) < JUMP * max(abs(now), abs(motion[at.SPEED])):
                motion[at.SPEED_JUMP] = 0.0
            u[b] += motion[at.SPEED] - now
    motion[at.NEXT_PIECE] = following
    return degree


@hot
def _by_constants(H, slot):
    """Forcing and particular solution of every mode under constant inputs, in one loop; what is left is homogeneous."""
    size = i8(H[at.SIZE])
    modes = i8(H[at.MODES])
    ir = f8(H[at.IR])
    ii = f8(H[at.II])
    br = f8(H[at.BR])
    bi = f8(H[at.BI])
    z0r = f8(H[at.Z0R])
    z0i = f8(H[at.Z0I])
    hr = f8(H[at.HR])
    hi = f8(H[at.HI])
    gr = f8(H[at.GR])
    gi = f8(H[at.GI])
    pr = f8(H[at.PR])
    pi = f8(H[at.PI])
    u = f8(H[at.U])
    n, nu, nm, o = size[at.N_STATES], size[at.N_INPUTS], modes[4 * slot], slot * size[at.N_STATES]
    for j in range(nm):
        xr = 0.0
        xi = 0.0
        for i in range(nu):
            b = (slot * nu + i) * n + j
            xr += br[b] * u[4 * i]
            xi += bi[b] * u[4 * i]
        gr[j] = xr
        gi[j] = xi
        pr[j] = xi * ii[o + j] - xr * ir[o + j]
        pi[j] = -xr * ii[o + j] - xi * ir[o + j]
        hr[j] = z0r[j] - pr[j]
        hi[j] = z0i[j] - pi[j]


@hot
def _by_polynomials(H, slot, degree):
    """The same under inputs that are polynomials of ``degree`` in the time within the step."""
    size = i8(H[at.SIZE])
    modes = i8(H[at.MODES])
    ir = f8(H[at.IR])
    ii = f8(H[at.II])
    br = f8(H[at.BR])
    bi = f8(H[at.BI])
    z0r = f8(H[at.Z0R])
    z0i = f8(H[at.Z0I])
    hr = f8(H[at.HR])
    hi = f8(H[at.HI])
    gr = f8(H[at.GR])
    gi = f8(H[at.GI])
    pr = f8(H[at.PR])
    pi = f8(H[at.PI])
    u = f8(H[at.U])
    n, nu, nm, o = size[at.N_STATES], size[at.N_INPUTS], modes[4 * slot], slot * size[at.N_STATES]
    for k in range(4):
        for j in range(nm):
            gr[k * n + j] = 0.0
            gi[k * n + j] = 0.0
            pr[k * n + j] = 0.0
            pi[k * n + j] = 0.0
    for i in range(nu):
        b = (slot * nu + i) * n
        for k in range(degree + 1):
            c = u[4 * i + k]
            if c != 0.0:
                for j in range(nm):
                    gr[k * n + j] += br[b + j] * c
                    gi[k * n + j] += bi[b + j] * c
    for j in range(nm):
        xr = -gr[degree * n + j]
        xi = -gi[degree * n + j]
        pr[degree * n + j] = xr * ir[o + j] - xi * ii[o + j]
        pi[degree * n + j] = xr * ii[o + j] + xi * ir[o + j]
    for k in range(degree - 1, -1, -1):
        for j in range(nm):
            xr = (k + 1) * pr[(k + 1) * n + j] - gr[k * n + j]
            xi = (k + 1) * pi[(k + 1) * n + j] - gi[k * n + j]
            pr[k * n + j] = xr * ir[o + j] - xi * ii[o + j]
            pi[k * n + j] = xr * ii[o + j] + xi * ir[o + j]
    for j in range(nm):
        hr[j] = z0r[j] - pr[j]
        hi[j] = z0i[j] - pi[j]


@hot
def _integral_polynomials(H, slot, degree):
    """``ipoly`` of the integrals: ``I(tau) = ipoly(tau) + Re (lift / lam) z(tau)`` + special modes."""
    size = i8(H[at.SIZE])
    modes = i8(H[at.MODES])
    qr = f8(H[at.QR])
    qi = f8(H[at.QI])
    z0r = f8(H[at.Z0R])
    z0i = f8(H[at.Z0I])
    gr = f8(H[at.GR])
    gi = f8(H[at.GI])
    ipoly = f8(H[at.IPOLY])
    integrals0 = f8(H[at.INTEGRALS0])
    n, nm, nq, free = size[at.N_STATES], modes[4 * slot], size[at.N_INTEGRALS], size[at.N_FREE]
    released = modes[4 * slot + 2]
    for a in range(released + free):
        t = (slot * nq + a) * n
        base = integrals0[a]
        for j in range(nm):
            base -= qr[t + j] * z0r[j] - qi[t + j] * z0i[j]
        ipoly[5 * a] = base
        for k in range(degree + 1):
            total = 0.0
            for j in range(nm):
                total += qr[t + j] * gr[k * n + j] - qi[t + j] * gi[k * n + j]
            ipoly[5 * a + 1 + k] = -total / (k + 1)
        for k in range(degree + 1, 4):
            ipoly[5 * a + 1 + k] = 0.0


@part
def begin_step(H, slot, degree, h):
    """Forcing, particular and homogeneous solution of every mode, and the polynomials of the integrals."""
    size = i8(H[at.SIZE])
    modes = i8(H[at.MODES])
    sar = f8(H[at.SAR])
    sai = f8(H[at.SAI])
    sbr = f8(H[at.SBR])
    sbi = f8(H[at.SBI])
    hr = f8(H[at.HR])
    hi = f8(H[at.HI])
    sines = f8(H[at.SINES])
    n, ns = size[at.N_STATES], size[at.N_SINES]
    nm = modes[4 * slot]
    if degree == 0 and modes[4 * slot + 3] == 0:  # the usual case of small models
        _by_constants(H, slot)
    else:
        _by_polynomials(H, slot, degree)
    for s in range(ns):
        if sines[4 * s] != 0.0:
            sn, cs = np.sin(sines[4 * s + 2]), np.cos(sines[4 * s + 2])
            b = (slot * ns + s) * n
            for j in range(nm):
                hr[j] -= sar[b + j] * sn + sbr[b + j] * cs
                hi[j] -= sai[b + j] * sn + sbi[b + j] * cs
    _integral_polynomials(H, slot, degree)
    return 0


@part
def values_at(H, slot, degree, tau):
    """``w`` and the integrals at ``tau``, where the homogeneous part stands."""
    size = i8(H[at.SIZE])
    sine_input = i8(H[at.SINE_INPUT])
    modes = i8(H[at.MODES])
    special = i8(H[at.SPECIAL])
    br = f8(H[at.BR])
    bi = f8(H[at.BI])
    sar = f8(H[at.SAR])
    sai = f8(H[at.SAI])
    sbr = f8(H[at.SBR])
    sbi = f8(H[at.SBI])
    tr = f8(H[at.TR])
    ti = f8(H[at.TI])
    qr = f8(H[at.QR])
    qi = f8(H[at.QI])
    w = f8(H[at.W])
    cr = f8(H[at.CR])
    ci = f8(H[at.CI])
    motion = f8(H[at.MOTION])
    zr = f8(H[at.ZR])
    zi = f8(H[at.ZI])
    pr = f8(H[at.PR])
    pi = f8(H[at.PI])
    sines = f8(H[at.SINES])
    ipoly = f8(H[at.IPOLY])
    integrals = f8(H[at.INTEGRALS])
    n, free, nu, ns, nq = size[at.N_STATES], size[at.N_FREE], size[at.N_INPUTS], size[at.N_SINES], size[at.N_INTEGRALS]
    nm, nc = modes[4 * slot], modes[4 * slot + 1]
    released, nspecial = modes[4 * slot + 2], modes[4 * slot + 3]
    if degree == 0:
        for j in range(nm):
            zr[j] = cr[j] + pr[j]
            zi[j] = ci[j] + pi[j]
    else:
        n2, n3 = 2 * n, 3 * n
        for j in range(nm):
            zr[j] = cr[j] + pr[j] + tau * (pr[n + j] + tau * (pr[n2 + j] + tau * pr[n3 + j]))
            zi[j] = ci[j] + pi[j] + tau * (pi[n + j] + tau * (pi[n2 + j] + tau * pi[n3 + j]))
    for s in range(ns):
        if sines[4 * s] != 0.0:
            x = sines[4 * s + 1] * tau + sines[4 * s + 2]
            sn, cs = np.sin(x), np.cos(x)
            b = (slot * ns + s) * n
            for j in range(nm):
                zr[j] += sar[b + j] * sn + sbr[b + j] * cs
                zi[j] += sai[b + j] * sn + sbi[b + j] * cs
    for a in range(released + free):
        b = 5 * a
        integrals[a] = ipoly[b] + tau * (
            ipoly[b + 1] + tau * (ipoly[b + 2] + tau * (ipoly[b + 3] + tau * ipoly[b + 4]))
        )
    for e in range(nspecial):
        j = special[slot * n + e]
        call_part(H[at.DO_SPECIAL], H, slot, j, tau)
        zr[j] = motion[at.Z_REAL]
        zi[j] = motion[at.Z_IMAG]
        for a in range(released + free):
            t = (slot * nq + a) * n + j
            integrals[a] += tr[t] * motion[at.TOTAL_REAL] - ti[t] * motion[at.TOTAL_IMAG]
    for a in range(released + free):
        t = (slot * nq + a) * n
        total = 0.0
        for j in range(nm):
            total += qr[t + j] * zr[j] - qi[t + j] * zi[j]
        for s in range(ns):
            if sines[4 * s] != 0.0:
                b = (slot * nu + sine_input[s]) * n
                push = 0.0
                for j in range(nm):
                    push += qr[t + j] * br[b + j] - qi[t + j] * bi[b + j]
                total -= push * sines[4 * s] * sine_integral(sines[4 * s + 1], sines[4 * s + 2], tau)
        integrals[a] += total
    for j in range(nm):
        w[j] = zr[j]
    for j in range(nc):
        w[nm + j] = zi[j]
    for a in range(released):
        w[nm + nc + a] = integrals[a]
    return 0


@part
def move(H, slot, degree, to):
    """Carry the homogeneous part from where it stands to ``to``; a long way back starts at the begin of the step."""
    bounds = f8(H[at.BOUNDS])
    lr = f8(H[at.LR])
    li = f8(H[at.LI])
    hr = f8(H[at.HR])
    hi = f8(H[at.HI])
    cr = f8(H[at.CR])
    ci = f8(H[at.CI])
    xr = f8(H[at.XR])
    xi = f8(H[at.XI])
    motion = f8(H[at.MOTION])
    n = i8(H[at.SIZE])[0]
    nm = i8(H[at.MODES])[4 * slot]
    now = motion[at.REACHED]
    motion[at.REACHED] = to
    largest = bounds[2 * slot]
    way = to - now
    if now == 0.0 or way * largest < -0.5:
        exponentials(lr, li, slot * n, nm, largest, to, xr, xi)
        for j in range(nm):
            cr[j] = hr[j] * xr[j] - hi[j] * xi[j]
            ci[j] = hr[j] * xi[j] + hi[j] * xr[j]
        return 0
    exponentials(lr, li, slot * n, nm, largest, way, xr, xi)
    for j in range(nm):
        a = cr[j]
        cr[j] = a * xr[j] - ci[j] * xi[j]
        ci[j] = a * xi[j] + ci[j] * xr[j]
    return 0
