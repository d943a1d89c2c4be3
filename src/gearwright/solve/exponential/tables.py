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

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import slots as T
from .pointers import call_product, filler

# Gauss points and weights on (0, 1), exact for the products of polynomials up to the fifth
_GAUSS = (
    (0.03376524289842403, 0.08566224618958514),
    (0.16939530676686776, 0.18038078652406936),
    (0.38069040695840156, 0.23395696728634552),
    (0.6193095930415985, 0.23395696728634552),
    (0.8306046932331322, 0.18038078652406936),
    (0.9662347571015759, 0.08566224618958514),
)

#: Two nodes beside the middle and the end: the five points of a Lobatto rule with the start
EARLY, LATE = 0.1726731646460114, 0.8273268353539886

#: Part of a leap of a force that its damping takes over within the step, from which on samples follow the rest of a force
BRISK = 1e-3


@hot
def functions(z, real, imag):  # type: ignore[no-untyped-def]
    """``exp(z)``, then ``chi_0 .. chi_6`` for complex ``z``: eight values into ``real`` and ``imag``."""
    noinline()
    e = cmath.exp(z)
    real[0], imag[0] = e.real, e.imag
    u = 0.5 * z
    if abs(u) < 4.0:
        # power series of the spherical Bessel function: no cancellation
        factor = cmath.exp(u)
        square = 0.5 * u * u
        lead = 1.0 + 0.0j
        for l in range(7):
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
    for l in range(1, 7):
        real[l + 1], imag[l + 1] = now.real, now.imag
        # i_(l+1) = i_(l-1) - (2 l + 1)/u i_l, with the alternating sign
        after = before + (2 * l + 1) * inverse * now
        before, now = now, after


@hot
def matrix_functions(a11, a12, a21, a22, h, work):  # type: ignore[no-untyped-def]
    """``f(A h) = alpha I + beta A`` for exp and chi_0 .. chi_5: alpha into ``work[0..6]``, beta into ``work[7..13]``.

    ``work`` holds 54 numbers.
    """
    noinline()
    mean = 0.5 * (a11 + a22)
    square = 0.25 * (a11 - a22) * (a11 - a22) + a12 * a21
    root = cmath.sqrt(square + 0.0j)
    z1, gap = (mean + root) * h, 2.0 * root * h
    r1, i1, r2, i2 = shift(work, 14), shift(work, 22), shift(work, 30), shift(work, 38)
    functions(z1, r1, i1)
    close = abs(gap) <= 0.25
    if not close:
        functions((mean - root) * h, r2, i2)
        inverse = 1.0 / gap
        for l in range(7):
            divided = complex(r1[l] - r2[l], i1[l] - i2[l]) * inverse
            work[7 + l] = divided.real * h
            work[l] = r1[l] - (divided * z1).real
        return
    # mean of the derivative between the two, four Gauss points: safe when they are equal
    for l in range(7):
        work[l], work[7 + l], work[46 + l] = 0.0, 0.0, 0.0
    for q in range(4):
        x = 0.4305681557970263 if q == 0 or q == 3 else 0.16999052179242816
        weight = 0.17392742256872693 if q == 0 or q == 3 else 0.32607257743127307
        functions(mean * h + (x if q < 2 else -x) * gap, r2, i2)
        for l in range(7):
            if l == 0:
                slope = complex(r2[0], i2[0])
            else:
                # chi_n' = (chi_n - (n chi_(n-1) + (n+1) chi_(n+1))/(2 n + 1))/2 with n = l - 1
                n = l - 1
                slope = complex(r2[l], i2[l])
                if n > 0:
                    slope -= n / (2.0 * n + 1.0) * complex(r2[l - 1], i2[l - 1])
                slope = 0.5 * (slope - (n + 1.0) / (2.0 * n + 1.0) * complex(r2[l + 1], i2[l + 1]))
            work[7 + l] += weight * slope.real
            work[46 + l] += weight * slope.imag
    for l in range(7):
        divided = complex(work[7 + l], work[46 + l])
        work[7 + l] = divided.real * h
        work[l] = r1[l] - (divided * z1).real


@hot
def legendre(l, x):  # type: ignore[no-untyped-def]
    """``P_l(2 x - 1)`` for l up to 5."""
    p = 2.0 * x - 1.0
    if l == 0:
        return 1.0
    if l == 1:
        return p
    if l == 2:
        return 1.5 * p * p - 0.5
    if l == 3:
        return p * (2.5 * p * p - 1.5)
    if l == 4:
        return (4.375 * p * p - 3.75) * p * p + 0.375
    return p * ((7.875 * p * p - 8.75) * p * p + 1.875)


@hot
def fill_propagator(H, h, theta, out):  # type: ignore[no-untyped-def]
    """Write the propagator to ``theta h`` of a step ``h`` whose forcing is given in polynomials over the whole step.

    ``out`` (PROPAGATOR, blocks): alpha and beta of exp(A h), then of Gamma_0 .. Gamma_5.
    """
    noinline()
    blocks, a, work = H[T.BLOCKS], f8(H[T.A]), f8(H[T.WORK])
    part = theta * h
    a11, a12, a21, a22 = a, shift(a, blocks), shift(a, 2 * blocks), shift(a, 3 * blocks)
    # P_l(2 theta s - 1) in polynomials of s, the coefficient of P_m
    share = shift(work, 56)
    for l in range(6):
        for m in range(6):
            share[6 * l + m] = 0.0
        for x, weight in _GAUSS:
            value = weight * legendre(l, theta * x)
            for m in range(l + 1):
                share[6 * l + m] += (2 * m + 1) * value * legendre(m, x)
    for k in range(blocks):
        matrix_functions(a11[k], a12[k], a21[k], a22[k], part, work)
        for which in range(2):
            p = shift(work, 7 * which)
            o = shift(out, which * blocks + k)
            o[0] = p[0]
            for l in range(6):
                total = 0.0
                for m in range(l + 1):
                    total += share[6 * l + m] * p[1 + m]
                o[2 * (l + 1) * blocks] = part * total


@hot
def to_node(H, slot, node):  # type: ignore[no-untyped-def]
    """Propagator of a level to one of the nodes of the deflection: the middle, the end, one early, one late."""
    size = T.PROPAGATOR * H[T.BLOCKS]
    if node == 0:
        return shift(f8(H[T.HALF]), slot * size)
    if node == 1:
        return shift(f8(H[T.FULL]), slot * size)
    return shift(f8(H[T.BESIDES]), (2 * slot + node - 2) * size)


@hot
def place_of(node):  # type: ignore[no-untyped-def]
    """Place of a node in the step: the middle, the end, then the two more of a Lobatto rule of five points."""
    if node < 2:
        return 0.5 if node == 0 else 1.0
    return EARLY if node == 2 else LATE


@filler
def fill_step(H, slot, h):  # type: ignore[no-untyped-def]
    """Everything a step of length ``h`` needs, into level ``slot``; a negative slot fills inner places only.

    The propagators to the nodes; the deflection of every row there by each coefficient of each force; own deflection and
    rate of a force row at the end by the two coefficients beyond; and as weight the square root of the own compliance over
    the step [sqrt(m/N)], which makes forces and torques comparable. What a force is beside its polynomials moves only what
    answers within a fraction of the step, as the last polynomial does at its end: so rates and channels follow it. Slot
    ``-1 - power`` writes the propagators to the inner sample places of a step of ``2 ** power`` sample intervals.
    """
    blocks, forces, nodes = H[T.BLOCKS], H[T.FORCES], H[T.NODES]
    own = i8(H[T.OWN])
    if slot < 0:
        points = 1 << (-1 - slot)
        for i in range(1, points):
            fill_propagator(H, h, i / points, shift(f8(H[T.DENSE]), (points + slot - 1 + i) * T.PROPAGATOR * blocks))
        return
    for q in range(nodes):
        fill_propagator(H, h, place_of(q), to_node(H, slot, q))
    full = to_node(H, slot, 1)
    lines, phases, channels = H[T.LINES], H[T.PHASES], H[T.CS]
    response = shift(f8(H[T.RESPONSE]), slot * T.LOOP * nodes * forces * lines)
    turn = shift(f8(H[T.TURN]), slot * 2 * T.LOOP * forces * phases)
    residue, slip = shift(f8(H[T.RESIDUE]), slot * forces * channels), shift(f8(H[T.SLIP]), slot * forces * lines)
    left = shift(f8(H[T.LEFT]), slot * 5 * forces)
    weight = shift(f8(H[T.WEIGHT]), slot * forces)
    x, nothing = f8(H[T.SHOTS]), f8(H[T.ZERO])
    rates, stride = shift(f8(H[T.Z]), H[T.ROWS]), H[T.ZS]
    for j in range(forces):
        for l in range(T.LOOP):
            line = l * forces + j
            for q in range(nodes):
                answer(H, to_node(H, slot, q), l, j, x)
                out = shift(response, (line * nodes + q) * lines)
                call_product(H[T.PRODUCT], out, nothing, f8(H[T.C]), lines, x, 2 * blocks)
                if phases > 0 and q < 2:
                    out = shift(turn, (2 * line + q) * phases)
                    call_product(H[T.PRODUCT], out, nothing, f8(H[T.CP]), phases, x, 2 * blocks)
        for m in range(2):
            answer(H, full, T.LOOP + m, j, x)
            deflection, rate = 0.0, 0.0
            for k in range(2 * blocks):
                deflection += x[k] * f8(H[T.C])[k * lines + own[j]]
                rate += x[k] * rates[k * stride + own[j]]
            left[m * forces + j], left[(2 + m) * forces + j] = deflection, rate
        if nodes > 2:
            answer(H, to_node(H, slot, 2), T.LOOP, j, x)
            left[4 * forces + j] = 0.0
            for k in range(2 * blocks):
                left[4 * forces + j] += x[k] * f8(H[T.C])[k * lines + own[j]]
            answer(H, full, T.ALL - 1, j, x)
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
        weight[j] = sqrt(abs(response[(j * nodes + 1) * lines + own[j]]))


@hot
def answer(H, table, l, force, out):  # type: ignore[no-untyped-def]
    """Block coordinates that polynomial ``l`` of a force leaves behind."""
    noinline()
    blocks, a = H[T.BLOCKS], f8(H[T.A])
    b = shift(f8(H[T.B]), force * H[T.YS])
    g0, g1 = shift(table, (2 + 2 * l) * blocks), shift(table, (3 + 2 * l) * blocks)
    for k in range(blocks):
        b1, b2 = b[k], b[blocks + k]
        out[k] = g0[k] * b1 + g1[k] * (a[k] * b1 + a[blocks + k] * b2)
        out[blocks + k] = g0[k] * b2 + g1[k] * (a[2 * blocks + k] * b1 + a[3 * blocks + k] * b2)
