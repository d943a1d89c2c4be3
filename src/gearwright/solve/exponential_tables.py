"""Propagators of 2 x 2 blocks over a step with Legendre forcing: the compiled tables of the exponential engine.

For a block ``y' = A y + b(t)`` and a force polynomial ``b = sum_l b_l P_l(2 t/h - 1)`` the end of the step is

    y(h) = exp(A h) y(0) + sum_l Gamma_l b_l,      Gamma_l = h chi_l(A h)
    chi_l(z) = int_0^1 exp(z (1 - x)) P_l(2 x - 1) dx = (-1)^l exp(z/2) i_l(z/2)

with the modified spherical Bessel functions ``i_l``. A function of a 2 x 2 matrix is ``alpha I + beta A``, whatever
its eigenvalues (conjugate, real or equal), so two numbers stand for each. Source: numerics page 2, section 2.
"""

from __future__ import annotations

import cmath
from math import sqrt

from gearwright.system.compiled import hot

from . import exponential_slots as T
from .explicit_pointers import apart, f8, i8, shift
from .exponential_pointers import filler


@hot
def functions(z, real, imag):  # type: ignore[no-untyped-def]
    """``exp(z)``, then ``chi_0 .. chi_4`` for complex ``z``: six values into ``real`` and ``imag``."""
    apart()
    e = cmath.exp(z)
    real[0], imag[0] = e.real, e.imag
    u = 0.5 * z
    if abs(u) < 3.0:
        # power series of the spherical Bessel function: no cancellation
        factor = cmath.exp(u)
        square = 0.5 * u * u
        lead = 1.0 + 0.0j
        for l in range(5):
            term = lead
            total = lead
            for k in range(1, 40):
                term *= square / (k * (2 * l + 2 * k + 1))
                total += term
                if abs(term.real) + abs(term.imag) < 1e-17 * (abs(total.real) + abs(total.imag)):
                    break
            total *= factor
            real[l + 1], imag[l + 1] = total.real, total.imag
            lead *= -u / (2 * l + 3)
        return
    inverse = 1.0 / u
    before = 0.5 * (e - 1.0) * inverse  # exp(u) i_0(u)
    now = -(0.5 * (e + 1.0) - before) * inverse  # -exp(u) i_1(u)
    real[1], imag[1] = before.real, before.imag
    for l in range(1, 5):
        real[l + 1], imag[l + 1] = now.real, now.imag
        # i_(l+1) = i_(l-1) - (2 l + 1)/u i_l, with the alternating sign
        after = before + (2 * l + 1) * inverse * now
        before, now = now, after


@hot
def matrix_functions(a11, a12, a21, a22, h, work):  # type: ignore[no-untyped-def]
    """``f(A h) = alpha I + beta A`` for exp and chi_0 .. chi_3: alpha into ``work[0..4]``, beta into ``work[5..9]``.

    ``work`` holds 40 numbers.
    """
    apart()
    mean = 0.5 * (a11 + a22)
    square = 0.25 * (a11 - a22) * (a11 - a22) + a12 * a21
    root = cmath.sqrt(square + 0.0j)
    z1, gap = (mean + root) * h, 2.0 * root * h
    r1, i1, r2, i2 = shift(work, 10), shift(work, 16), shift(work, 22), shift(work, 28)
    functions(z1, r1, i1)
    close = abs(gap) <= 0.25
    if not close:
        functions((mean - root) * h, r2, i2)
        inverse = 1.0 / gap
        for l in range(5):
            divided = complex(r1[l] - r2[l], i1[l] - i2[l]) * inverse
            work[5 + l] = divided.real * h
            work[l] = r1[l] - (divided * z1).real
        return
    # mean of the derivative between the two, four Gauss points: safe when they are equal
    for l in range(5):
        work[l], work[5 + l], work[34 + l] = 0.0, 0.0, 0.0
    for q in range(4):
        x = 0.4305681557970263 if q == 0 or q == 3 else 0.16999052179242816
        weight = 0.17392742256872693 if q == 0 or q == 3 else 0.32607257743127307
        functions(mean * h + (x if q < 2 else -x) * gap, r2, i2)
        for l in range(5):
            if l == 0:
                slope = complex(r2[0], i2[0])
            else:
                # chi_n' = (chi_n - (n chi_(n-1) + (n+1) chi_(n+1))/(2 n + 1))/2 with n = l - 1
                n = l - 1
                slope = complex(r2[l], i2[l])
                if n > 0:
                    slope -= n / (2.0 * n + 1.0) * complex(r2[l - 1], i2[l - 1])
                slope = 0.5 * (slope - (n + 1.0) / (2.0 * n + 1.0) * complex(r2[l + 1], i2[l + 1]))
            work[5 + l] += weight * slope.real
            work[34 + l] += weight * slope.imag
    for l in range(5):
        divided = complex(work[5 + l], work[34 + l])
        work[5 + l] = divided.real * h
        work[l] = r1[l] - (divided * z1).real


@hot
def fill_propagator(H, h, theta, out):  # type: ignore[no-untyped-def]
    """Write the propagator to ``theta h`` of a step ``h`` whose forcing is given in polynomials over the whole step.

    ``out`` (8, blocks): alpha and beta of exp(A h), then of Gamma_0, Gamma_1, Gamma_2.
    """
    apart()
    blocks, a, work = H[T.BLOCKS], f8(H[T.A]), f8(H[T.WORK])
    part = theta * h
    # P_l(2 theta s - 1) in polynomials of s
    c10, c11 = theta - 1.0, theta
    c20 = 0.5 * theta * theta + 1.5 * (theta - 1.0) * (theta - 1.0) - 0.5
    c21, c22 = 3.0 * theta * (theta - 1.0), theta * theta
    for k in range(blocks):
        matrix_functions(a[4 * k], a[4 * k + 1], a[4 * k + 2], a[4 * k + 3], part, work)
        for which in range(2):
            p = shift(work, 5 * which)
            o = shift(out, which * blocks + k)
            o[0] = p[0]
            o[2 * blocks] = part * p[1]
            o[4 * blocks] = part * (c10 * p[1] + c11 * p[2])
            o[6 * blocks] = part * (c20 * p[1] + c21 * p[2] + c22 * p[3])


@filler
def fill_step(H, slot, h):  # type: ignore[no-untyped-def]
    """Everything a step of length ``h`` needs, into level ``slot``; a negative slot fills inner places only.

    The propagators to the middle and to the end; the deflection of every row at both by each coefficient of each
    force; the own deflection of a force row at the end by the third coefficient, which is left out of the force;
    the same for its rate; and as weight the square root of the own compliance over the step [sqrt(m/N)], which makes forces and
    torques comparable. Slot ``-1 - power`` writes the propagators to the inner sample places of a step of
    ``2 ** power`` sample intervals.
    """
    blocks, forces, lines = H[T.BLOCKS], H[T.FORCES], H[T.RS]
    a, b, c, own = f8(H[T.A]), f8(H[T.B]), f8(H[T.C]), i8(H[T.OWN])
    work = f8(H[T.WORK])
    if slot < 0:
        points = 1 << (-1 - slot)
        for i in range(1, points):
            fill_propagator(H, h, i / points, shift(f8(H[T.DENSE]), (points + slot - 1 + i) * 8 * blocks))
        return
    half = shift(f8(H[T.HALF]), slot * 8 * blocks)
    full = shift(f8(H[T.FULL]), slot * 8 * blocks)
    response = shift(f8(H[T.RESPONSE]), slot * 6 * forces * lines)
    third = shift(f8(H[T.THIRD]), slot * 2 * forces)
    rates = shift(f8(H[T.Z]), H[T.ROWS])
    weight = shift(f8(H[T.WEIGHT]), slot * forces)
    fill_propagator(H, h, 0.5, half)
    fill_propagator(H, h, 1.0, full)
    for i in range(6 * forces * lines):
        response[i] = 0.0
    for j in range(2 * forces):
        third[j] = 0.0
    for k in range(blocks):
        a11, a12, a21, a22 = a[4 * k], a[4 * k + 1], a[4 * k + 2], a[4 * k + 3]
        matrix_functions(a11, a12, a21, a22, h, work)
        t1, t2 = work[4], work[9]
        low, high = shift(c, 2 * k * lines), shift(c, (2 * k + 1) * lines)
        for j in range(forces):
            b1, b2 = b[j * H[T.YS] + 2 * k], b[j * H[T.YS] + 2 * k + 1]
            if b1 == 0.0 and b2 == 0.0:
                continue
            g1, g2 = a11 * b1 + a12 * b2, a21 * b1 + a22 * b2
            x1, x2 = h * (t1 * b1 + t2 * g1), h * (t1 * b2 + t2 * g2)
            third[j] += low[own[j]] * x1 + high[own[j]] * x2
            first = 2 * k * H[T.ZS] + own[j]
            third[forces + j] += rates[first] * x1 + rates[first + H[T.ZS]] * x2
            for m in range(6):
                line = shift(response, (6 * j + m) * lines)
                table = shift(half if m % 2 == 0 else full, (2 + m - m % 2) * blocks + k)
                x1, x2 = table[0] * b1 + table[blocks] * g1, table[0] * b2 + table[blocks] * g2
                for i in range(lines):
                    line[i] += low[i] * x1 + high[i] * x2
    for j in range(forces):
        weight[j] = sqrt(abs(response[3 * j * 2 * lines + lines + own[j]]))
