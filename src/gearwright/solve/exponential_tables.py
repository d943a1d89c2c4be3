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

from gearwright.system.compiled import hot, kernel

#: Numbers per block of a propagator: alpha, beta of exp(A h) and of Gamma_0..Gamma_2.
PER_BLOCK = 8


@hot
def chi(l, z):  # type: ignore[no-untyped-def]
    """``int_0^1 exp(z (1 - x)) P_l(2 x - 1) dx`` for complex ``z`` with a real part that is not large, l = 0..4."""
    u = 0.5 * z
    if abs(u) < 3.0:
        # power series of the spherical Bessel function: no cancellation
        term = 1.0 + 0.0j
        for k in range(1, l + 1):
            term *= -u / (2 * k + 1)
        total = term
        square = 0.5 * u * u
        for k in range(1, 40):
            term *= square / (k * (2 * l + 2 * k + 1))
            total += term
            if abs(term) < 1e-18 * abs(total):
                break
        return cmath.exp(u) * total
    e = cmath.exp(z)
    before = 0.5 * (e - 1.0) / u  # exp(u) i_0(u)
    if l == 0:
        return before
    now = -(0.5 * (e + 1.0) - before) / u  # -exp(u) i_1(u)
    for k in range(1, l):
        # i_(k+1) = i_(k-1) - (2 k + 1)/u i_k, with the alternating sign
        before, now = now, before + (2 * k + 1) / u * now
    return now


@hot
def function(l, z):  # type: ignore[no-untyped-def]
    """The exponential for ``l = -1``, otherwise ``chi_l``."""
    if l < 0:
        return cmath.exp(z)
    return chi(l, z)


@hot
def slope(l, z):  # type: ignore[no-untyped-def]
    """Derivative of :func:`function` with respect to ``z``."""
    if l < 0:
        return cmath.exp(z)
    below = chi(l - 1, z) if l > 0 else 0.0j
    return 0.5 * (chi(l, z) - (l * below + (l + 1) * chi(l + 1, z)) / (2 * l + 1))


@hot
def matrix_function(l, a11, a12, a21, a22, h):  # type: ignore[no-untyped-def]
    """``alpha, beta`` with ``f_l(A h) = alpha I + beta A`` for the real 2 x 2 matrix A."""
    mean = 0.5 * (a11 + a22)
    square = 0.25 * (a11 - a22) * (a11 - a22) + a12 * a21
    root = cmath.sqrt(square + 0.0j)
    z1 = (mean + root) * h
    z2 = (mean - root) * h
    gap = z1 - z2
    if abs(gap) > 0.25:
        divided = (function(l, z1) - function(l, z2)) / gap
    else:
        # mean of the derivative between the two, four Gauss points: safe when they are equal
        c = 0.5 * (z1 + z2)
        x1, w1 = 0.5 * 0.3399810435848563, 0.5 * 0.6521451548625461
        x2, w2 = 0.5 * 0.8611363115940526, 0.5 * 0.3478548451374538
        divided = w1 * (slope(l, c + x1 * gap) + slope(l, c - x1 * gap))
        divided += w2 * (slope(l, c + x2 * gap) + slope(l, c - x2 * gap))
    beta = (divided * h).real
    alpha = (function(l, z1) - divided * z1).real
    return alpha, beta


@hot
def fill_propagator(a, blocks, h, theta, out):  # type: ignore[no-untyped-def]
    """Write the propagator to ``theta h`` of a step ``h`` whose forcing is given in polynomials over the whole step.

    ``a`` (blocks, 4), ``out`` (blocks, 8).
    """
    part = theta * h
    # P_l(2 theta s - 1) in polynomials of s
    c10, c11 = theta - 1.0, theta
    c20 = 0.5 * theta * theta + 1.5 * (theta - 1.0) * (theta - 1.0) - 0.5
    c21, c22 = 3.0 * theta * (theta - 1.0), theta * theta
    for k in range(blocks):
        a11, a12, a21, a22 = a[k, 0], a[k, 1], a[k, 2], a[k, 3]
        out[k, 0], out[k, 1] = matrix_function(-1, a11, a12, a21, a22, part)
        p0, q0 = matrix_function(0, a11, a12, a21, a22, part)
        p1, q1 = matrix_function(1, a11, a12, a21, a22, part)
        p2, q2 = matrix_function(2, a11, a12, a21, a22, part)
        out[k, 2], out[k, 3] = part * p0, part * q0
        out[k, 4], out[k, 5] = part * (c10 * p0 + c11 * p1), part * (c10 * q0 + c11 * q1)
        out[k, 6] = part * (c20 * p0 + c21 * p1 + c22 * p2)
        out[k, 7] = part * (c20 * q0 + c21 * q1 + c22 * q2)


@hot
def fill_step(a, b, c, h, half, full, response, third, weight):  # type: ignore[no-untyped-def]
    """Everything a step of length ``h`` needs.

    Parameters
    ----------
    a (blocks, 4), b (force rows, 2 blocks) forcing of the blocks by a unit row force, c (2 blocks, rows) deflections
    half, full : (blocks, 8) propagators to the middle and the end
    response : (3 force rows, 2 rows) deflections at the middle (first half) and the end by each force coefficient
    third : (force rows,) own deflection at the end by the third coefficient, which is left out of the force
    weight : (force rows,) square root of the own compliance over the step [sqrt(m/N)]
    """
    blocks = a.shape[0]
    rows = c.shape[1]
    fill_propagator(a, blocks, h, 0.5, half)
    fill_propagator(a, blocks, h, 1.0, full)
    for j in range(b.shape[0]):
        for l in range(3):
            for i in range(2 * rows):
                response[3 * j + l, i] = 0.0
            for k in range(blocks):
                b1, b2 = b[j, 2 * k], b[j, 2 * k + 1]
                if b1 == 0.0 and b2 == 0.0:
                    continue
                g1 = a[k, 0] * b1 + a[k, 1] * b2
                g2 = a[k, 2] * b1 + a[k, 3] * b2
                p, q = half[k, 2 + 2 * l], half[k, 3 + 2 * l]
                x1, x2 = p * b1 + q * g1, p * b2 + q * g2
                p, q = full[k, 2 + 2 * l], full[k, 3 + 2 * l]
                y1, y2 = p * b1 + q * g1, p * b2 + q * g2
                for i in range(rows):
                    response[3 * j + l, i] += c[2 * k, i] * x1 + c[2 * k + 1, i] * x2
                for i in range(rows):
                    response[3 * j + l, rows + i] += c[2 * k, i] * y1 + c[2 * k + 1, i] * y2


@hot
def fill_weights(a, b, c, own, h, response, third, weight):  # type: ignore[no-untyped-def]
    """``third`` and ``weight`` of :func:`fill_step`; ``own`` is the row number of every force row."""
    blocks = a.shape[0]
    rows = c.shape[1]
    for j in range(b.shape[0]):
        i = own[j]
        weight[j] = sqrt(abs(response[3 * j, rows + i]))
        third[j] = 0.0
    for k in range(blocks):
        p, q = matrix_function(3, a[k, 0], a[k, 1], a[k, 2], a[k, 3], h)
        for j in range(b.shape[0]):
            b1, b2 = b[j, 2 * k], b[j, 2 * k + 1]
            g1 = a[k, 0] * b1 + a[k, 1] * b2
            g2 = a[k, 2] * b1 + a[k, 3] * b2
            third[j] += h * (c[2 * k, own[j]] * (p * b1 + q * g1) + c[2 * k + 1, own[j]] * (p * b2 + q * g2))


@kernel
def fill_tables(a, b, c, own, steps, half, full, response, third, weight):  # type: ignore[no-untyped-def]
    """All levels at once: the leading dimension of every output runs over ``steps``."""
    for s in range(steps.shape[0]):
        fill_step(a, b, c, steps[s], half[s], full[s], response[s], third[s], weight[s])
        fill_weights(a, b, c, own, steps[s], response[s], third[s], weight[s])


@kernel
def fill_dense(a, h, theta, out):  # type: ignore[no-untyped-def]
    """Propagators (points, blocks, 8) to the points ``theta`` within a step ``h``."""
    for i in range(theta.shape[0]):
        fill_propagator(a, a.shape[0], h, theta[i], out[i])
