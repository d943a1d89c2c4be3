"""Propagators of 2 x 2 blocks over a step with Legendre forcing: the compiled tables of the exponential engine.

For a block ``y' = A y + b(t)`` and a force polynomial ``b = sum_l b_l P_l(2 t/h - 1)`` the end of the step is

    y(h) = exp(A h) y(0) + sum_l Gamma_l b_l,      Gamma_l = h chi_l(A h)
    chi_l(z) = int_0^1 exp(z (1 - x)) P_l(2 x - 1) dx = (-1)^l exp(z/2) i_l(z/2)

with the modified spherical Bessel functions ``i_l``. A function of a 2 x 2 matrix is ``alpha I + beta A``, whatever
its eigenvalues (conjugate, real or equal), so two numbers stand for each. The first numbers of all blocks stand before
the second ones. Source: numerics page 2, section 2.
"""

from __future__ import annotations

import cmath
from math import sqrt

from gearwright.system.compiled import hot

from . import exponential_slots as T
from .explicit_pointers import apart, f8, i8, shift
from .exponential_pointers import call_product, filler

# Gauss points and weights on (0, 1), exact for the products of polynomials up to the fourth
_GAUSS = (
    (0.046910077030668004, 0.11846344252809454), (0.23076534494715845, 0.23931433524968324), (0.5, 0.28444444444444444),
    (0.7692346550528415, 0.23931433524968324), (0.953089922969332, 0.11846344252809454),
)  # fmt: skip

#: Part of a leap of a force that its damping takes over within the step, from which on leaps are answered exactly
BRISK = 1e-3


@hot
def functions(z, real, imag):  # type: ignore[no-untyped-def]
    """``exp(z)``, then ``chi_0 .. chi_5`` for complex ``z``: seven values into ``real`` and ``imag``."""
    apart()
    e = cmath.exp(z)
    real[0], imag[0] = e.real, e.imag
    u = 0.5 * z
    if abs(u) < 4.0:
        # power series of the spherical Bessel function: no cancellation
        factor = cmath.exp(u)
        square = 0.5 * u * u
        lead = 1.0 + 0.0j
        for l in range(6):
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
    for l in range(1, 6):
        real[l + 1], imag[l + 1] = now.real, now.imag
        # i_(l+1) = i_(l-1) - (2 l + 1)/u i_l, with the alternating sign
        after = before + (2 * l + 1) * inverse * now
        before, now = now, after


@hot
def matrix_functions(a11, a12, a21, a22, h, work):  # type: ignore[no-untyped-def]
    """``f(A h) = alpha I + beta A`` for exp and chi_0 .. chi_4: alpha into ``work[0..5]``, beta into ``work[6..11]``.

    ``work`` holds 48 numbers.
    """
    apart()
    mean = 0.5 * (a11 + a22)
    square = 0.25 * (a11 - a22) * (a11 - a22) + a12 * a21
    root = cmath.sqrt(square + 0.0j)
    z1, gap = (mean + root) * h, 2.0 * root * h
    r1, i1, r2, i2 = shift(work, 12), shift(work, 19), shift(work, 26), shift(work, 33)
    functions(z1, r1, i1)
    close = abs(gap) <= 0.25
    if not close:
        functions((mean - root) * h, r2, i2)
        inverse = 1.0 / gap
        for l in range(6):
            divided = complex(r1[l] - r2[l], i1[l] - i2[l]) * inverse
            work[6 + l] = divided.real * h
            work[l] = r1[l] - (divided * z1).real
        return
    # mean of the derivative between the two, four Gauss points: safe when they are equal
    for l in range(6):
        work[l], work[6 + l], work[40 + l] = 0.0, 0.0, 0.0
    for q in range(4):
        x = 0.4305681557970263 if q == 0 or q == 3 else 0.16999052179242816
        weight = 0.17392742256872693 if q == 0 or q == 3 else 0.32607257743127307
        functions(mean * h + (x if q < 2 else -x) * gap, r2, i2)
        for l in range(6):
            if l == 0:
                slope = complex(r2[0], i2[0])
            else:
                # chi_n' = (chi_n - (n chi_(n-1) + (n+1) chi_(n+1))/(2 n + 1))/2 with n = l - 1
                n = l - 1
                slope = complex(r2[l], i2[l])
                if n > 0:
                    slope -= n / (2.0 * n + 1.0) * complex(r2[l - 1], i2[l - 1])
                slope = 0.5 * (slope - (n + 1.0) / (2.0 * n + 1.0) * complex(r2[l + 1], i2[l + 1]))
            work[6 + l] += weight * slope.real
            work[40 + l] += weight * slope.imag
    for l in range(6):
        divided = complex(work[6 + l], work[40 + l])
        work[6 + l] = divided.real * h
        work[l] = r1[l] - (divided * z1).real


@hot
def legendre(l, x):  # type: ignore[no-untyped-def]
    """``P_l(2 x - 1)`` for l up to 4."""
    p = 2.0 * x - 1.0
    if l == 0:
        return 1.0
    if l == 1:
        return p
    if l == 2:
        return 1.5 * p * p - 0.5
    if l == 3:
        return p * (2.5 * p * p - 1.5)
    return (4.375 * p * p - 3.75) * p * p + 0.375


@hot
def fill_propagator(H, h, theta, out):  # type: ignore[no-untyped-def]
    """Write the propagator to ``theta h`` of a step ``h`` whose forcing is given in polynomials over the whole step.

    ``out`` (12, blocks): alpha and beta of exp(A h), then of Gamma_0 .. Gamma_4.
    """
    apart()
    blocks, a, work = H[T.BLOCKS], f8(H[T.A]), f8(H[T.WORK])
    part = theta * h
    a11, a12, a21, a22 = a, shift(a, blocks), shift(a, 2 * blocks), shift(a, 3 * blocks)
    # P_l(2 theta s - 1) in polynomials of s, the coefficient of P_m
    share = shift(work, 48)
    for l in range(5):
        for m in range(5):
            share[5 * l + m] = 0.0
        for x, weight in _GAUSS:
            value = weight * legendre(l, theta * x)
            for m in range(l + 1):
                share[5 * l + m] += (2 * m + 1) * value * legendre(m, x)
    for k in range(blocks):
        matrix_functions(a11[k], a12[k], a21[k], a22[k], part, work)
        for which in range(2):
            p = shift(work, 6 * which)
            o = shift(out, which * blocks + k)
            o[0] = p[0]
            for l in range(5):
                total = 0.0
                for m in range(l + 1):
                    total += share[5 * l + m] * p[1 + m]
                o[2 * (l + 1) * blocks] = part * total


@filler
def fill_step(H, slot, h):  # type: ignore[no-untyped-def]
    """Everything a step of length ``h`` needs, into level ``slot``; a negative slot fills inner places only.

    The propagators to the middle and to the end; the deflection of every row at both by each coefficient of each
    force; own deflection and rate of a force row at the end by the third and by the fourth coefficient; and as weight
    the square root of the own compliance over the step [sqrt(m/N)], which makes forces and torques comparable. What a
    force is beside its polynomials moves only what answers within a fraction of the step, as the fourth polynomial
    does at its end: so rates and channels follow it. Slot ``-1 - power`` writes the propagators to the inner sample
    places of a step of ``2 ** power`` sample intervals.
    """
    blocks, forces = H[T.BLOCKS], H[T.FORCES]
    own = i8(H[T.OWN])
    if slot < 0:
        points = 1 << (-1 - slot)
        for i in range(1, points):
            fill_propagator(H, h, i / points, shift(f8(H[T.DENSE]), (points + slot - 1 + i) * 12 * blocks))
        return
    half = shift(f8(H[T.HALF]), slot * 12 * blocks)
    full = shift(f8(H[T.FULL]), slot * 12 * blocks)
    fill_propagator(H, h, 0.5, half)
    fill_propagator(H, h, 1.0, full)
    lines, phases, channels = H[T.LINES], H[T.PHASES], H[T.CS]
    response = shift(f8(H[T.RESPONSE]), slot * 6 * forces * lines)
    turn = shift(f8(H[T.TURN]), slot * 6 * forces * phases)
    residue, slip = shift(f8(H[T.RESIDUE]), slot * forces * channels), shift(f8(H[T.SLIP]), slot * forces * lines)
    left = shift(f8(H[T.LEFT]), slot * 4 * forces)
    weight = shift(f8(H[T.WEIGHT]), slot * forces)
    x, nothing = f8(H[T.SHOTS]), f8(H[T.ZERO])
    rates, stride = shift(f8(H[T.Z]), H[T.ROWS]), H[T.ZS]
    for j in range(forces):
        for m in range(6):
            answer(H, half if m % 2 == 0 else full, m // 2, j, x)
            call_product(H[T.PRODUCT], shift(response, (6 * j + m) * lines), nothing, f8(H[T.C]), lines, x, 2 * blocks)
            if phases > 0:
                call_product(
                    H[T.PRODUCT], shift(turn, (6 * j + m) * phases), nothing, f8(H[T.CP]), phases, x, 2 * blocks
                )
        for m in range(2):
            answer(H, full, 3 + m, j, x)
            deflection, rate = 0.0, 0.0
            for k in range(2 * blocks):
                deflection += x[k] * f8(H[T.C])[k * lines + own[j]]
                rate += x[k] * rates[k * stride + own[j]]
            left[m * forces + j], left[(2 + m) * forces + j] = deflection, rate
        call_product(H[T.PRODUCT], shift(residue, j * channels), nothing, f8(H[T.LINE_Y]), channels, x, 2 * blocks)
        for i in range(lines):
            slip[j * lines + i] = 0.0
            for k in range(2 * blocks):
                slip[j * lines + i] += x[k] * rates[k * stride + i]
    brisk = shift(f8(H[T.BRISK]), slot * (forces + 1))
    brisk[forces] = 0.0
    for l in range(H[T.LAWS]):
        law = shift(i8(H[T.LAW]), l * T.RECORD)
        for i in range(law[T.NF]):
            j = law[T.FIRST] + i
            at_once = abs(f8(law[T.CREF])[i * law[T.NF] + i] * slip[j * lines + own[j]])
            brisk[j] = 1.0 if at_once > BRISK else 0.0
            brisk[forces] = max(brisk[forces], brisk[j])
    for j in range(forces):
        weight[j] = sqrt(abs(response[6 * j * lines + lines + own[j]]))


@hot
def answer(H, table, l, force, out):  # type: ignore[no-untyped-def]
    """Block coordinates that polynomial ``l`` of a force leaves behind."""
    apart()
    blocks, a = H[T.BLOCKS], f8(H[T.A])
    b = shift(f8(H[T.B]), force * H[T.YS])
    g0, g1 = shift(table, (2 + 2 * l) * blocks), shift(table, (3 + 2 * l) * blocks)
    for k in range(blocks):
        b1, b2 = b[k], b[blocks + k]
        out[k] = g0[k] * b1 + g1[k] * (a[k] * b1 + a[blocks + k] * b2)
        out[blocks + k] = g0[k] * b2 + g1[k] * (a[2 * blocks + k] * b1 + a[3 * blocks + k] * b2)
