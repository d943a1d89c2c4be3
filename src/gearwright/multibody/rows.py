"""Compiled rows: value, Jacobian and the velocity part of the second derivative of every scalar constraint.

Eleven kinds of row make every joint. Notation: ``s`` a point and ``a, b`` directions carried by the bodies, all in
global axes here; ``d = P_i - P_j``; ``w`` angular velocity; ``c`` the distance of two axes. Positions are given by mass centre and rotation matrix,
angular columns of the Jacobian belong to the angular velocity in *body* axes (S1 appendix C).

========  ==================================================  =======================================
kind      constraint                                          makes
========  ==================================================  =======================================
ALONG     ``e . d = offset`` with ``e`` on body j             spherical, bearings, sliding joints
PERP      ``a . b = 0``, ``a`` on body i, ``b`` on body j     parallel axes, fixed, universal
DISTANCE  ``|d| = length``                                    rods, springs
SPIN      ``rho_i psi_i + rho_j psi_j = angle(t)``            simple gear row, motors, locks, torsion springs
GEAR      row on the line of action, in the position form     gear rows of S0, external, internal, helical
PHASE     none: read by a law, ``rho_i psi_i - offset``       mesh phase of an elastic gear row
LINE      GEAR with ``inv`` linear in ``c``, read by a law     deflection of a flank in tooth contact
TRAVEL    ``rho_i psi_i``, read by a law                       arc by which a flank has moved on its path
RADIAL    ``c - c_0``, read by a law                           centres of wheels in tooth contact
REPORT    none: a law leaves a result there                    largest pressure, force of a wedged tooth
PRESS     none: the force of other rows, read by a law         normal force that a loss follows
========  ==================================================  =======================================

The angles ``psi`` are those of a mark on the wheel about its axis, from a mark of the carrier (SPIN) or from the
line of centres (GEAR and what follows it). ``gamma`` is needed of rigid rows alone; the last six are never rigid. They are counted on from their last value, so that wheels may turn as often as they like.
The ``angle(t)`` of a motor is that of its speed and acceleration, and of a table of speeds where it has one.
"""

from __future__ import annotations

import math

import numpy as np

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import slots as T

ALONG, PERP, DISTANCE, SPIN, GEAR, PHASE, LINE, TRAVEL, RADIAL, REPORT, PRESS = range(11)

#: columns of the parameters of a row
OFFSET, RATIO_I, RATIO_J, FLANK, HELIX, INVOLUTE, INTERNAL, SPEED, ACCELERATION, STIFFNESS, DAMPING = range(11)
#: FOLLOW: the flank follows the sign of the force; FIRST, LAST: rows of the table of speeds of a motor, or those whose
#: force a PRESS row reads; SIGN of a row
#: that a law reads; ANGLE: working pressure angle at the distance that a LINE counts from
FOLLOW, FIRST, LAST, SIGN, ANGLE = range(11, 16)
PARAMETERS = 16


@hot
def cross(a0, a1, a2, b0, b1, b2):
    """Vector product."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@hot
def dot(a0, a1, a2, b0, b1, b2):
    """Scalar product."""
    return a0 * b0 + a1 * b1 + a2 * b2


@hot
def turned(R, x):
    """Body axes to global axes: the matrix R times the vector at x."""
    return (
        R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
        R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
        R[6] * x[0] + R[7] * x[1] + R[8] * x[2],
    )


@hot
def put(J, R, f0, f1, f2, m0, m1, m2):
    """A block of a row: three columns of translation, three of rotation (turned into body axes)."""
    noinline()
    J[0] = f0
    J[1] = f1
    J[2] = f2
    J[3] = R[0] * m0 + R[3] * m1 + R[6] * m2
    J[4] = R[1] * m0 + R[4] * m1 + R[7] * m2
    J[5] = R[2] * m0 + R[5] * m1 + R[8] * m2


@hot
def mark_angle(a0, a1, a2, u0, u1, u2, m0, m1, m2, last):
    """Angle of mark m from direction u about axis a, counted on from ``last``."""
    noinline()
    c0, c1, c2 = cross(u0, u1, u2, m0, m1, m2)
    au, am = dot(a0, a1, a2, u0, u1, u2), dot(a0, a1, a2, m0, m1, m2)
    raw = math.atan2(dot(a0, a1, a2, c0, c1, c2), dot(u0, u1, u2, m0, m1, m2) - au * am)
    return raw + 2.0 * math.pi * np.floor((last - raw) / (2.0 * math.pi) + 0.5)


@hot
def spinning(w0, w1, w2, s0, s1, s2):
    """w x (w x s)."""
    c0, c1, c2 = cross(w0, w1, w2, s0, s1, s2)
    return cross(w0, w1, w2, c0, c1, c2)


@hot
def driven(times, speeds, angles, first, last, t, left):
    """Angle, speed and acceleration of a table of speeds (linear between rows, constant outside)."""
    if t <= times[first]:
        rise = 0.0
        if t == times[first] and not left and last > first + 1:
            rise = (speeds[first + 1] - speeds[first]) / (times[first + 1] - times[first])
        return angles[first] + speeds[first] * (t - times[first]), speeds[first], rise
    k, high = first, last - 1
    while high - k > 1:
        middle = (k + high) // 2
        if times[middle] < t or (times[middle] == t and not left):
            k = middle
        else:
            high = middle
    past = times[last - 1] < t or (times[last - 1] == t and not left)
    if past:
        k = last - 1
    d = t - times[k]
    rise = 0.0
    if not past:
        rise = (speeds[k + 1] - speeds[k]) / (times[k + 1] - times[k])
    return angles[k] + d * (speeds[k] + 0.5 * d * rise), speeds[k] + d * rise, rise


@hot
def perpendicular(l, c, J, Ri, Rj, Wi, Wj):
    """PERP: value and gamma."""
    a0, a1, a2 = turned(Ri, shift(l, 6))
    b0, b1, b2 = turned(Rj, shift(l, 9))
    w0, w1, w2, x0, x1, x2 = Wi[0], Wi[1], Wi[2], Wj[0], Wj[1], Wj[2]
    n0, n1, n2 = cross(a0, a1, a2, b0, b1, b2)
    put(J, Ri, 0.0, 0.0, 0.0, n0, n1, n2)
    put(shift(J, 6), Rj, 0.0, 0.0, 0.0, -n0, -n1, -n2)
    e0, e1, e2 = spinning(w0, w1, w2, a0, a1, a2)
    f0, f1, f2 = spinning(x0, x1, x2, b0, b1, b2)
    g0, g1, g2 = cross(w0, w1, w2, a0, a1, a2)
    h0, h1, h2 = cross(x0, x1, x2, b0, b1, b2)
    gamma = -dot(e0, e1, e2, b0, b1, b2) - dot(f0, f1, f2, a0, a1, a2) - 2.0 * dot(g0, g1, g2, h0, h1, h2)
    return dot(a0, a1, a2, b0, b1, b2) - c[OFFSET], gamma


@hot
def spin(H, t, left, l, c, J, Ri, Rj, Rc, Wi, Wj, Wc, last, psi):
    """SPIN: value, gamma and rate at rest; the angles into ``psi``."""
    a0, a1, a2 = turned(Ri, shift(l, 6))
    b0, b1, b2 = turned(Rj, shift(l, 9))
    u0, u1, u2 = turned(Rc, shift(l, 18))
    m0, m1, m2 = turned(Ri, shift(l, 12))
    psi[0] = mark_angle(a0, a1, a2, u0, u1, u2, m0, m1, m2, last[0])
    p, q = c[RATIO_I], c[RATIO_J]
    phi = p * psi[0]
    if q != 0.0:
        m0, m1, m2 = turned(Rj, shift(l, 15))
        psi[1] = mark_angle(b0, b1, b2, u0, u1, u2, m0, m1, m2, last[1])
        phi += q * psi[1]
    phi -= c[OFFSET] + t * (c[SPEED] + 0.5 * t * c[ACCELERATION])
    rate = -c[SPEED] - t * c[ACCELERATION]
    rise = c[ACCELERATION]
    if c[LAST] > c[FIRST]:
        d0, d1, d2 = driven(f8(H[T.TIMES]), f8(H[T.VALUES]), f8(H[T.ANGLES]), int(c[FIRST]), int(c[LAST]), t, left)
        phi -= d0
        rate -= d1
        rise += d2
    a0, a1, a2, b0, b1, b2 = p * a0, p * a1, p * a2, q * b0, q * b1, q * b2
    put(J, Ri, 0.0, 0.0, 0.0, a0, a1, a2)
    put(shift(J, 6), Rj, 0.0, 0.0, 0.0, b0, b1, b2)
    put(shift(J, 12), Rc, 0.0, 0.0, 0.0, -a0 - b0, -a1 - b1, -a2 - b2)
    e0, e1, e2 = cross(Wi[0], Wi[1], Wi[2], a0, a1, a2)
    f0, f1, f2 = cross(Wj[0], Wj[1], Wj[2], b0, b1, b2)
    return phi, dot(e0 + f0, e1 + f1, e2 + f2, Wc[0], Wc[1], Wc[2]) + rise, rate


@hot
def between(ri, rj, vi, vj, Wi, Wj, s0, s1, s2, q0, q1, q2):
    """Of the points s of body i and q of body j: difference of their places, of their speeds, and of the parts of
    their accelerations that come from the speeds."""
    w0, w1, w2, x0, x1, x2 = Wi[0], Wi[1], Wi[2], Wj[0], Wj[1], Wj[2]
    g0, g1, g2 = cross(w0, w1, w2, s0, s1, s2)
    h0, h1, h2 = cross(x0, x1, x2, q0, q1, q2)
    e0, e1, e2 = spinning(w0, w1, w2, s0, s1, s2)
    f0, f1, f2 = spinning(x0, x1, x2, q0, q1, q2)
    return (
        ri[0] + s0 - rj[0] - q0,
        ri[1] + s1 - rj[1] - q1,
        ri[2] + s2 - rj[2] - q2,
        vi[0] + g0 - vj[0] - h0,
        vi[1] + g1 - vj[1] - h1,
        vi[2] + g2 - vj[2] - h2,
        e0 - f0,
        e1 - f1,
        e2 - f2,
    )


@hot
def along(l, c, J, ri, rj, vi, vj, Ri, Rj, Wi, Wj):
    """ALONG: value and gamma."""
    b0, b1, b2 = turned(Rj, shift(l, 9))
    s0, s1, s2 = turned(Ri, l)
    q0, q1, q2 = turned(Rj, shift(l, 3))
    d0, d1, d2, y0, y1, y2, e0, e1, e2 = between(ri, rj, vi, vj, Wi, Wj, s0, s1, s2, q0, q1, q2)
    m0, m1, m2 = cross(s0, s1, s2, b0, b1, b2)
    put(J, Ri, b0, b1, b2, m0, m1, m2)
    m0, m1, m2 = cross(b0, b1, b2, q0 + d0, q1 + d1, q2 + d2)
    put(shift(J, 6), Rj, -b0, -b1, -b2, m0, m1, m2)
    f0, f1, f2 = cross(Wj[0], Wj[1], Wj[2], b0, b1, b2)
    g0, g1, g2 = spinning(Wj[0], Wj[1], Wj[2], b0, b1, b2)
    gamma = -dot(b0, b1, b2, e0, e1, e2) - dot(g0, g1, g2, d0, d1, d2) - 2.0 * dot(f0, f1, f2, y0, y1, y2)
    return dot(b0, b1, b2, d0, d1, d2) - c[OFFSET], gamma


@hot
def distance(l, c, J, ri, rj, vi, vj, Ri, Rj, Wi, Wj):
    """DISTANCE: value and gamma."""
    s0, s1, s2 = turned(Ri, l)
    q0, q1, q2 = turned(Rj, shift(l, 3))
    d0, d1, d2, y0, y1, y2, e0, e1, e2 = between(ri, rj, vi, vj, Wi, Wj, s0, s1, s2, q0, q1, q2)
    length = math.sqrt(dot(d0, d1, d2, d0, d1, d2))
    inverse = 1.0 / max(length, 1e-12)
    u0, u1, u2 = d0 * inverse, d1 * inverse, d2 * inverse
    m0, m1, m2 = cross(s0, s1, s2, u0, u1, u2)
    put(J, Ri, u0, u1, u2, m0, m1, m2)
    m0, m1, m2 = cross(u0, u1, u2, q0, q1, q2)
    put(shift(J, 6), Rj, -u0, -u1, -u2, m0, m1, m2)
    slip = dot(u0, u1, u2, y0, y1, y2)
    gamma = -dot(u0, u1, u2, e0, e1, e2) - (dot(y0, y1, y2, y0, y1, y2) - slip * slip) * inverse
    return length - c[OFFSET], gamma


@hot
def teeth(what, l, c, J, ri, rj, vi, vj, Ri, Rj, Wi, Wj, last, psi):
    """GEAR and its relatives: value, gamma and rate at rest; the angles into ``psi``.

    The line of centres u leads from wheel i to wheel j, of an internal pair from ring j to planet i; t = a x u.
    """
    a0, a1, a2 = turned(Ri, shift(l, 6))
    s0, s1, s2 = turned(Ri, l)
    q0, q1, q2 = turned(Rj, shift(l, 3))
    d0, d1, d2, y0, y1, y2, e0, e1, e2 = between(ri, rj, vi, vj, Wi, Wj, s0, s1, s2, q0, q1, q2)
    z = c[INTERNAL]
    ad = dot(a0, a1, a2, d0, d1, d2)
    k0, k1, k2 = z * (d0 - ad * a0), z * (d1 - ad * a1), z * (d2 - ad * a2)
    far = math.sqrt(dot(k0, k1, k2, k0, k1, k2))
    u0, u1, u2 = k0 / far, k1 / far, k2 / far
    t0, t1, t2 = cross(a0, a1, a2, u0, u1, u2)
    m0, m1, m2 = turned(Ri, shift(l, 12))
    psi[0] = mark_angle(a0, a1, a2, u0, u1, u2, m0, m1, m2, last[0])
    m0, m1, m2 = turned(Rj, shift(l, 15))
    psi[1] = mark_angle(a0, a1, a2, u0, u1, u2, m0, m1, m2, last[1])
    p, q = c[RATIO_I], c[RATIO_J]
    w0, w1, w2, x0, x1, x2 = Wi[0], Wi[1], Wi[2], Wj[0], Wj[1], Wj[2]
    # speed of the line of centres
    f0, f1, f2 = cross(w0, w1, w2, a0, a1, a2)
    yd = dot(a0, a1, a2, y0, y1, y2) + dot(f0, f1, f2, d0, d1, d2)
    k0, k1, k2 = z * (y0 - yd * a0 - ad * f0), z * (y1 - yd * a1 - ad * f1), z * (y2 - yd * a2 - ad * f2)
    if what == PHASE:
        rate = p * (dot(a0, a1, a2, w0, w1, w2) - dot(t0, t1, t2, k0, k1, k2) / far)
        return p * psi[0] - c[OFFSET], 0.0, rate
    if what in (TRAVEL, RADIAL):
        # the centres alone turn the line of centres or part them; axes of wheels are parallel
        n, o = (p, -p * z / far) if what == TRAVEL else (0.0, z)
        if what == TRAVEL:
            u0, u1, u2 = t0, t1, t2
        u0, u1, u2 = o * u0, o * u1, o * u2
        m0, m1, m2 = cross(s0, s1, s2, u0, u1, u2)
        put(J, Ri, u0, u1, u2, m0 + n * a0, m1 + n * a1, m2 + n * a2)
        m0, m1, m2 = cross(u0, u1, u2, q0, q1, q2)
        put(shift(J, 6), Rj, -u0, -u1, -u2, m0, m1, m2)
        return (p * psi[0] if what == TRAVEL else far) - c[OFFSET], 0.0, 0.0
    flank, helix = c[FLANK], c[HELIX]
    cosine, sine, arc = 1.0, 0.0, 0.0
    if c[INVOLUTE] != 0.0:
        cosine = min(abs(p + q) / far, 1.0)
        sine = math.sqrt(max(1.0 - cosine * cosine, 0.0))
        arc = (p + q) * (sine / cosine - math.acos(cosine))
    if what == LINE:
        sine = math.sin(c[ANGLE])
        arc = -z * sine * far
    phi = p * psi[0] + q * psi[1] - flank * arc + helix * ad - c[OFFSET]
    n0 = flank * sine * u0 + cosine * t0 + helix * a0
    n1 = flank * sine * u1 + cosine * t1 + helix * a1
    n2 = flank * sine * u2 + cosine * t2 + helix * a2
    # the force acts at the pitch point: arms P + rho u on i, P - rho u on j
    pi, pj = p / cosine, q / cosine
    m0, m1, m2 = cross(s0 + pi * u0, s1 + pi * u1, s2 + pi * u2, n0, n1, n2)
    put(J, Ri, n0, n1, n2, m0, m1, m2)
    m0, m1, m2 = cross(n0, n1, n2, q0 - pj * u0, q1 - pj * u1, q2 - pj * u2)
    put(shift(J, 6), Rj, -n0, -n1, -n2, m0, m1, m2)
    # d/dt of the row
    out = dot(u0, u1, u2, k0, k1, k2)
    k0, k1, k2 = (k0 - out * u0) / far, (k1 - out * u1) / far, (k2 - out * u2) / far
    turn = 0.0
    if sine > 1e-9:
        turn = cosine * out / (far * sine)
    g0, g1, g2 = cross(f0, f1, f2, u0, u1, u2)
    h0, h1, h2 = cross(a0, a1, a2, k0, k1, k2)
    h0, h1, h2 = h0 + g0, h1 + g1, h2 + g2
    o0 = flank * (cosine * turn * u0 + sine * k0) - sine * turn * t0 + cosine * h0 + helix * f0
    o1 = flank * (cosine * turn * u1 + sine * k1) - sine * turn * t1 + cosine * h1 + helix * f1
    o2 = flank * (cosine * turn * u2 + sine * k2) - sine * turn * t2 + cosine * h2 + helix * f2
    # w_i . (rho_i u x n) + w_j . (rho_j u x n), and its rate with the angular velocities held
    grow = sine / cosine * turn
    m0, m1, m2 = cross(u0, u1, u2, o0, o1, o2)
    f0, f1, f2 = cross(k0 + grow * u0, k1 + grow * u1, k2 + grow * u2, n0, n1, n2)
    gamma = -dot(o0, o1, o2, y0, y1, y2) - dot(n0, n1, n2, e0, e1, e2)
    gamma -= dot(pi * w0 + pj * x0, pi * w1 + pj * x1, pi * w2 + pj * x2, m0 + f0, m1 + f1, m2 + f2)
    return phi, gamma, 0.0


@hot
def evaluate(H, t, left, r, v):
    """Fill ``phi`` (value), ``jac`` (row x 3 bodies x 6), ``gamma`` (J a = gamma) and ``rate`` (d phi/dt at rest)."""
    kind, body, local, par = i8(H[T.KIND]), i8(H[T.BODY]), f8(H[T.LOCAL]), f8(H[T.PAR])
    R, W, phi, jac = f8(H[T.MATRIX]), f8(H[T.SPIN]), f8(H[T.PHI]), f8(H[T.JAC])
    gamma, rate, psi, last = f8(H[T.GAMMA]), f8(H[T.RATE]), f8(H[T.PSI]), f8(H[T.LAST])
    for k in range(H[T.ROWS]):
        J, l, c = shift(jac, 18 * k), shift(local, 21 * k), shift(par, PARAMETERS * k)
        i, j, carrier = body[3 * k], body[3 * k + 1], body[3 * k + 2]
        Ri, Rj, Wi, Wj = shift(R, 9 * i), shift(R, 9 * j), shift(W, 3 * i), shift(W, 3 * j)
        what = kind[k]
        x, y, z = 0.0, 0.0, 0.0
        if what == PERP:
            x, y = perpendicular(l, c, J, Ri, Rj, Wi, Wj)
        elif what == SPIN:
            x, y, z = spin(
                H,
                t,
                left,
                l,
                c,
                J,
                Ri,
                Rj,
                shift(R, 9 * carrier),
                Wi,
                Wj,
                shift(W, 3 * carrier),
                shift(last, 2 * k),
                shift(psi, 2 * k),
            )
        elif what != REPORT and what != PRESS:
            ri, rj, vi, vj = shift(r, 3 * i), shift(r, 3 * j), shift(v, 6 * i), shift(v, 6 * j)
            if what == ALONG:
                x, y = along(l, c, J, ri, rj, vi, vj, Ri, Rj, Wi, Wj)
            elif what == DISTANCE:
                x, y = distance(l, c, J, ri, rj, vi, vj, Ri, Rj, Wi, Wj)
            else:
                x, y, z = teeth(what, l, c, J, ri, rj, vi, vj, Ri, Rj, Wi, Wj, shift(last, 2 * k), shift(psi, 2 * k))
        phi[k] = x
        gamma[k] = y
        rate[k] = z


@hot
def row_speed(J, body, v):
    """J v of a row."""
    total = 0.0
    for slot in range(3):
        b = 6 * body[slot]
        for c in range(6):
            total += J[6 * slot + c] * v[b + c]
    return total
