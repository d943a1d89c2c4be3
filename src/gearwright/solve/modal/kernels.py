"""Parts of the exact engine: exponentials, inputs, modal solution of a step."""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot
from gearwright.system.signals import find_piece

from . import places as at
from .arrays import arrays
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
    A = arrays(H)
    n = A.size[at.N_STATES]
    nu = A.size[at.N_INPUTS]
    ns = A.size[at.N_SINES]
    lam = complex(A.lr[slot * n + j], A.li[slot * n + j])
    z, total = slow_mode(
        lam,
        h,
        complex(A.z0r[j], A.z0i[j]),
        complex(A.gr[j], A.gi[j]),
        complex(A.gr[n + j], A.gi[n + j]),
        complex(A.gr[2 * n + j], A.gi[2 * n + j]),
        complex(A.gr[3 * n + j], A.gi[3 * n + j]),
    )
    for s in range(ns):
        amplitude = A.sines[4 * s]
        if amplitude == 0.0:
            continue
        b = (slot * nu + A.sine_input[s]) * n + j
        beta = complex(A.br[b], A.bi[b]) * amplitude
        for q in range(12):
            left = h * (1.0 - A.gauss[q])
            push = beta * (A.gauss[12 + q] * h * np.sin(A.sines[4 * s + 1] * (h - left) + A.sines[4 * s + 2]))
            e, one = slow_mode(lam, left, 1.0 + 0.0j, 0.0j, 0.0j, 0.0j, 0.0j)
            z += e * push
            total += one * push
    A.motion[at.Z_REAL], A.motion[at.Z_IMAG] = z.real, z.imag
    A.motion[at.TOTAL_REAL], A.motion[at.TOTAL_IMAG] = total.real, total.imag
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
    A = arrays(H)
    i = A.size[at.THETA_INPUT]
    if i < 0:
        return 0.0, 0.0
    speed = A.u[4 * i] + tau * (A.u[4 * i + 1] + tau * (A.u[4 * i + 2] + tau * A.u[4 * i + 3]))
    angle = A.motion[at.ANGLE] + tau * (
        A.u[4 * i] + tau * (A.u[4 * i + 1] / 2.0 + tau * (A.u[4 * i + 2] / 3.0 + tau * A.u[4 * i + 3] / 4.0))
    )
    s = A.sine_of[i]
    if s >= 0:
        a, omega, phase = A.sines[4 * s], A.sines[4 * s + 1], A.sines[4 * s + 2]
        speed += a * np.sin(omega * tau + phase)
        angle += a * sine_integral(omega, phase, tau)
    return angle, speed


@hot
def input_at(H, i, tau):
    """Input ``i`` of the step at ``tau``."""
    A = arrays(H)
    b = 4 * i
    value = A.u[b] + tau * (A.u[b + 1] + tau * (A.u[b + 2] + tau * A.u[b + 3]))
    s = A.sine_of[i]
    if s >= 0:
        value += A.sines[4 * s] * np.sin(A.sines[4 * s + 1] * tau + A.sines[4 * s + 2])
    return value


@part
def local_inputs(H, slot, degree, edge):
    """Polynomials and sines of all inputs about now; returns their degree, ``following`` is the next boundary.

    ``edge`` is the slack in time by which a boundary counts as reached; the degree passed does not matter.
    """
    A = arrays(H)
    nu = A.size[at.N_INPUTS]
    itheta = A.size[at.THETA_INPUT]
    origin = A.motion[at.ORIGIN]
    t = origin + A.motion[at.TIME]
    following = np.inf
    degree = 0
    for i in range(nu):
        number = A.signal[i]
        b = 4 * i
        if number < 0:
            A.u[b], A.u[b + 1], A.u[b + 2], A.u[b + 3] = 1.0, 0.0, 0.0, 0.0
            continue
        j = find_piece(A.sptr, A.sstart, A.sdt, number, t + edge)
        if j + 1 < A.sptr[number + 1]:
            following = min(following, A.sstart[j + 1] - origin)
        c0, c1, c2, c3 = A.scoef[4 * j], A.scoef[4 * j + 1], A.scoef[4 * j + 2], A.scoef[4 * j + 3]
        if c1 == 0.0 and c2 == 0.0 and c3 == 0.0:
            A.u[b], A.u[b + 1], A.u[b + 2], A.u[b + 3] = c0, 0.0, 0.0, 0.0
        else:
            x = t - A.sstart[j]
            A.u[b] = c0 + x * (c1 + x * (c2 + x * c3))
            A.u[b + 1] = c1 + x * (2.0 * c2 + 3.0 * x * c3)
            A.u[b + 2] = c2 + 3.0 * x * c3
            A.u[b + 3] = c3
            degree = max(degree, 3 if c3 != 0.0 else (2 if c2 != 0.0 else 1))
        s = A.sine_of[i]
        if s >= 0:
            t0 = A.ssin[4 * number + 3]
            active = t + edge >= t0
            if not active:
                following = min(following, t0 - origin)
            A.sines[4 * s] = A.ssin[4 * number] if active else 0.0
            A.sines[4 * s + 1] = A.ssin[4 * number + 1]
            A.sines[4 * s + 2] = A.ssin[4 * number + 1] * (t - t0 if t0 > -1e300 else t) + A.ssin[4 * number + 2]
        if i == itheta:
            now = A.u[b]
            if s >= 0:
                now += A.sines[4 * s] * np.sin(A.sines[4 * s + 2])
            # round-off carries on; a jump is for whoever called
            A.motion[at.SPEED_JUMP] = now - A.motion[at.SPEED]
            if abs(A.motion[at.SPEED_JUMP]) < JUMP * max(abs(now), abs(A.motion[at.SPEED])):
                A.motion[at.SPEED_JUMP] = 0.0
            A.u[b] += A.motion[at.SPEED] - now
    A.motion[at.NEXT_PIECE] = following
    return degree


@hot
def _by_constants(H, slot):
    """Forcing and particular solution of every mode under constant inputs, in one loop; what is left is homogeneous."""
    A = arrays(H)
    n, nu, nm, o = A.size[at.N_STATES], A.size[at.N_INPUTS], A.modes[4 * slot], slot * A.size[at.N_STATES]
    for j in range(nm):
        xr = 0.0
        xi = 0.0
        for i in range(nu):
            b = (slot * nu + i) * n + j
            xr += A.br[b] * A.u[4 * i]
            xi += A.bi[b] * A.u[4 * i]
        A.gr[j] = xr
        A.gi[j] = xi
        A.pr[j] = xi * A.ii[o + j] - xr * A.ir[o + j]
        A.pi[j] = -xr * A.ii[o + j] - xi * A.ir[o + j]
        A.hr[j] = A.z0r[j] - A.pr[j]
        A.hi[j] = A.z0i[j] - A.pi[j]


@hot
def _by_polynomials(H, slot, degree):
    """The same under inputs that are polynomials of ``degree`` in the time within the step."""
    A = arrays(H)
    n, nu, nm, o = A.size[at.N_STATES], A.size[at.N_INPUTS], A.modes[4 * slot], slot * A.size[at.N_STATES]
    for k in range(4):
        for j in range(nm):
            A.gr[k * n + j] = 0.0
            A.gi[k * n + j] = 0.0
            A.pr[k * n + j] = 0.0
            A.pi[k * n + j] = 0.0
    for i in range(nu):
        b = (slot * nu + i) * n
        for k in range(degree + 1):
            c = A.u[4 * i + k]
            if c != 0.0:
                for j in range(nm):
                    A.gr[k * n + j] += A.br[b + j] * c
                    A.gi[k * n + j] += A.bi[b + j] * c
    for j in range(nm):
        xr = -A.gr[degree * n + j]
        xi = -A.gi[degree * n + j]
        A.pr[degree * n + j] = xr * A.ir[o + j] - xi * A.ii[o + j]
        A.pi[degree * n + j] = xr * A.ii[o + j] + xi * A.ir[o + j]
    for k in range(degree - 1, -1, -1):
        for j in range(nm):
            xr = (k + 1) * A.pr[(k + 1) * n + j] - A.gr[k * n + j]
            xi = (k + 1) * A.pi[(k + 1) * n + j] - A.gi[k * n + j]
            A.pr[k * n + j] = xr * A.ir[o + j] - xi * A.ii[o + j]
            A.pi[k * n + j] = xr * A.ii[o + j] + xi * A.ir[o + j]
    for j in range(nm):
        A.hr[j] = A.z0r[j] - A.pr[j]
        A.hi[j] = A.z0i[j] - A.pi[j]


@hot
def _integral_polynomials(H, slot, degree):
    """``ipoly`` of the integrals: ``I(tau) = ipoly(tau) + Re (lift / lam) z(tau)`` + special modes."""
    A = arrays(H)
    n, nm, nq, free = A.size[at.N_STATES], A.modes[4 * slot], A.size[at.N_INTEGRALS], A.size[at.N_FREE]
    released = A.modes[4 * slot + 2]
    for a in range(released + free):
        t = (slot * nq + a) * n
        base = A.integrals0[a]
        for j in range(nm):
            base -= A.qr[t + j] * A.z0r[j] - A.qi[t + j] * A.z0i[j]
        A.ipoly[5 * a] = base
        for k in range(degree + 1):
            total = 0.0
            for j in range(nm):
                total += A.qr[t + j] * A.gr[k * n + j] - A.qi[t + j] * A.gi[k * n + j]
            A.ipoly[5 * a + 1 + k] = -total / (k + 1)
        for k in range(degree + 1, 4):
            A.ipoly[5 * a + 1 + k] = 0.0


@part
def begin_step(H, slot, degree, h):
    """Forcing, particular and homogeneous solution of every mode, and the polynomials of the integrals."""
    A = arrays(H)
    n, ns = A.size[at.N_STATES], A.size[at.N_SINES]
    nm = A.modes[4 * slot]
    if degree == 0 and A.modes[4 * slot + 3] == 0:  # the usual case of small models
        _by_constants(H, slot)
    else:
        _by_polynomials(H, slot, degree)
    for s in range(ns):
        if A.sines[4 * s] != 0.0:
            sn, cs = np.sin(A.sines[4 * s + 2]), np.cos(A.sines[4 * s + 2])
            b = (slot * ns + s) * n
            for j in range(nm):
                A.hr[j] -= A.sar[b + j] * sn + A.sbr[b + j] * cs
                A.hi[j] -= A.sai[b + j] * sn + A.sbi[b + j] * cs
    _integral_polynomials(H, slot, degree)
    return 0


@part
def values_at(H, slot, degree, tau):
    """``w`` and the integrals at ``tau``, where the homogeneous part stands."""
    A = arrays(H)
    size = A.size
    n, free, nu, ns, nq = size[at.N_STATES], size[at.N_FREE], size[at.N_INPUTS], size[at.N_SINES], size[at.N_INTEGRALS]
    nm, nc = A.modes[4 * slot], A.modes[4 * slot + 1]
    released, nspecial = A.modes[4 * slot + 2], A.modes[4 * slot + 3]
    if degree == 0:
        for j in range(nm):
            A.zr[j] = A.cr[j] + A.pr[j]
            A.zi[j] = A.ci[j] + A.pi[j]
    else:
        n2, n3 = 2 * n, 3 * n
        for j in range(nm):
            A.zr[j] = A.cr[j] + A.pr[j] + tau * (A.pr[n + j] + tau * (A.pr[n2 + j] + tau * A.pr[n3 + j]))
            A.zi[j] = A.ci[j] + A.pi[j] + tau * (A.pi[n + j] + tau * (A.pi[n2 + j] + tau * A.pi[n3 + j]))
    for s in range(ns):
        if A.sines[4 * s] != 0.0:
            x = A.sines[4 * s + 1] * tau + A.sines[4 * s + 2]
            sn, cs = np.sin(x), np.cos(x)
            b = (slot * ns + s) * n
            for j in range(nm):
                A.zr[j] += A.sar[b + j] * sn + A.sbr[b + j] * cs
                A.zi[j] += A.sai[b + j] * sn + A.sbi[b + j] * cs
    for a in range(released + free):
        b = 5 * a
        A.integrals[a] = A.ipoly[b] + tau * (
            A.ipoly[b + 1] + tau * (A.ipoly[b + 2] + tau * (A.ipoly[b + 3] + tau * A.ipoly[b + 4]))
        )
    for e in range(nspecial):
        j = A.special[slot * n + e]
        call_part(A.do_special, H, slot, j, tau)
        A.zr[j] = A.motion[at.Z_REAL]
        A.zi[j] = A.motion[at.Z_IMAG]
        for a in range(released + free):
            t = (slot * nq + a) * n + j
            A.integrals[a] += A.tr[t] * A.motion[at.TOTAL_REAL] - A.ti[t] * A.motion[at.TOTAL_IMAG]
    for a in range(released + free):
        t = (slot * nq + a) * n
        total = 0.0
        for j in range(nm):
            total += A.qr[t + j] * A.zr[j] - A.qi[t + j] * A.zi[j]
        for s in range(ns):
            if A.sines[4 * s] != 0.0:
                b = (slot * nu + A.sine_input[s]) * n
                push = 0.0
                for j in range(nm):
                    push += A.qr[t + j] * A.br[b + j] - A.qi[t + j] * A.bi[b + j]
                total -= push * A.sines[4 * s] * sine_integral(A.sines[4 * s + 1], A.sines[4 * s + 2], tau)
        A.integrals[a] += total
    for j in range(nm):
        A.w[j] = A.zr[j]
    for j in range(nc):
        A.w[nm + j] = A.zi[j]
    for a in range(released):
        A.w[nm + nc + a] = A.integrals[a]
    return 0


@part
def move(H, slot, degree, to):
    """Carry the homogeneous part from where it stands to ``to``; a long way back starts at the begin of the step."""
    A = arrays(H)
    n = A.size[0]
    nm = A.modes[4 * slot]
    now = A.motion[at.REACHED]
    A.motion[at.REACHED] = to
    largest = A.bounds[2 * slot]
    way = to - now
    if now == 0.0 or way * largest < -0.5:
        exponentials(A.lr, A.li, slot * n, nm, largest, to, A.xr, A.xi)
        for j in range(nm):
            A.cr[j] = A.hr[j] * A.xr[j] - A.hi[j] * A.xi[j]
            A.ci[j] = A.hr[j] * A.xi[j] + A.hi[j] * A.xr[j]
        return 0
    exponentials(A.lr, A.li, slot * n, nm, largest, way, A.xr, A.xi)
    for j in range(nm):
        a = A.cr[j]
        A.cr[j] = a * A.xr[j] - A.ci[j] * A.xi[j]
        A.ci[j] = a * A.xi[j] + A.ci[j] * A.xr[j]
    return 0
