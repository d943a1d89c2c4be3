"""Compiled rows: value, Jacobian and the velocity part of the second derivative of every scalar constraint.

Six kinds of row make every joint. Notation: ``s`` a point and ``a, b`` directions carried by the bodies, all in
global axes here; ``d = P_i - P_j``; ``w`` angular velocity. Positions are given by mass centre and rotation matrix,
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
========  ==================================================  =======================================

The angles ``psi`` are those of a mark on the wheel about its axis, from a mark of the carrier (SPIN) or from the
line of centres (GEAR, PHASE). They are counted on from their last value, so that wheels may turn as often as they like.
The ``angle(t)`` of a motor is that of its speed and acceleration, and of a table of speeds where it has one.
"""

from __future__ import annotations

import math

from gearwright.system import hot

ALONG, PERP, DISTANCE, SPIN, GEAR, PHASE = 0, 1, 2, 3, 4, 5

#: columns of the parameters of a row
OFFSET, RATIO_I, RATIO_J, FLANK, HELIX, INVOLUTE, INTERNAL, SPEED, ACCELERATION, STIFFNESS, DAMPING = range(11)
#: FOLLOW: the flank follows the sign of the force; FIRST, LAST: rows of the table of speeds of a motor; SIGN of a row
#: that a law reads
FOLLOW, FIRST, LAST, SIGN = range(11, 15)
PARAMETERS = 15


@hot
def cross(a0, a1, a2, b0, b1, b2):
    """Vector product."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@hot
def turned(R, b, x, y, z):
    """Body axes to global axes."""
    return (
        R[b, 0] * x + R[b, 1] * y + R[b, 2] * z,
        R[b, 3] * x + R[b, 4] * y + R[b, 5] * z,
        R[b, 6] * x + R[b, 7] * y + R[b, 8] * z,
    )


@hot
def put(jac, k, slot, R, b, f0, f1, f2, m0, m1, m2):
    """Add a block of a row: three columns of translation, three of rotation (turned into body axes)."""
    c = 6 * slot
    jac[k, c] += f0
    jac[k, c + 1] += f1
    jac[k, c + 2] += f2
    jac[k, c + 3] += R[b, 0] * m0 + R[b, 3] * m1 + R[b, 6] * m2
    jac[k, c + 4] += R[b, 1] * m0 + R[b, 4] * m1 + R[b, 7] * m2
    jac[k, c + 5] += R[b, 2] * m0 + R[b, 5] * m1 + R[b, 8] * m2


@hot
def mark_angle(a0, a1, a2, u0, u1, u2, m0, m1, m2, last):
    """Angle of mark m from direction u about axis a, counted on from ``last``."""
    c0, c1, c2 = cross(u0, u1, u2, m0, m1, m2)
    au = a0 * u0 + a1 * u1 + a2 * u2
    am = a0 * m0 + a1 * m1 + a2 * m2
    raw = math.atan2(a0 * c0 + a1 * c1 + a2 * c2, u0 * m0 + u1 * m1 + u2 * m2 - au * am)
    return raw + 2.0 * math.pi * math.floor((last - raw) / (2.0 * math.pi) + 0.5)


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
def evaluate(kind, body, local, par, times, speeds, angles, t, left, r, R, v, W, last, phi, jac, gamma, rate, psi):
    """Fill ``phi`` (value), ``jac`` (row x 3 bodies x 6), ``gamma`` (J a = gamma) and ``rate`` (d phi/dt at rest)."""
    for k in range(len(kind)):
        for column in range(18):
            jac[k, column] = 0.0
        rate[k] = 0.0
        i, j, c_ = body[k, 0], body[k, 1], body[k, 2]
        w0, w1, w2 = W[i, 0], W[i, 1], W[i, 2]
        x0, x1, x2 = W[j, 0], W[j, 1], W[j, 2]
        what = kind[k]
        a0, a1, a2 = turned(R, i, local[k, 6], local[k, 7], local[k, 8])
        b0, b1, b2 = turned(R, j, local[k, 9], local[k, 10], local[k, 11])
        if what == PERP:
            phi[k] = a0 * b0 + a1 * b1 + a2 * b2 - par[k, OFFSET]
            n0, n1, n2 = cross(a0, a1, a2, b0, b1, b2)
            put(jac, k, 0, R, i, 0.0, 0.0, 0.0, n0, n1, n2)
            put(jac, k, 1, R, j, 0.0, 0.0, 0.0, -n0, -n1, -n2)
            e0, e1, e2 = spinning(w0, w1, w2, a0, a1, a2)
            f0, f1, f2 = spinning(x0, x1, x2, b0, b1, b2)
            g0, g1, g2 = cross(w0, w1, w2, a0, a1, a2)
            h0, h1, h2 = cross(x0, x1, x2, b0, b1, b2)
            gamma[k] = -(e0 * b0 + e1 * b1 + e2 * b2 + f0 * a0 + f1 * a1 + f2 * a2)
            gamma[k] -= 2.0 * (g0 * h0 + g1 * h1 + g2 * h2)
            continue
        if what == SPIN:
            u0, u1, u2 = turned(R, c_, local[k, 18], local[k, 19], local[k, 20])
            m0, m1, m2 = turned(R, i, local[k, 12], local[k, 13], local[k, 14])
            psi[k, 0] = mark_angle(a0, a1, a2, u0, u1, u2, m0, m1, m2, last[k, 0])
            p, q = par[k, RATIO_I], par[k, RATIO_J]
            phi[k] = p * psi[k, 0]
            if q != 0.0:
                m0, m1, m2 = turned(R, j, local[k, 15], local[k, 16], local[k, 17])
                psi[k, 1] = mark_angle(b0, b1, b2, u0, u1, u2, m0, m1, m2, last[k, 1])
                phi[k] += q * psi[k, 1]
            phi[k] -= par[k, OFFSET] + t * (par[k, SPEED] + 0.5 * t * par[k, ACCELERATION])
            rate[k] = -par[k, SPEED] - t * par[k, ACCELERATION]
            rise = par[k, ACCELERATION]
            if par[k, LAST] > par[k, FIRST]:
                d0, d1, d2 = driven(times, speeds, angles, int(par[k, FIRST]), int(par[k, LAST]), t, left)
                phi[k] -= d0
                rate[k] -= d1
                rise += d2
            put(jac, k, 0, R, i, 0.0, 0.0, 0.0, p * a0, p * a1, p * a2)
            put(jac, k, 1, R, j, 0.0, 0.0, 0.0, q * b0, q * b1, q * b2)
            n0, n1, n2 = p * a0 + q * b0, p * a1 + q * b1, p * a2 + q * b2
            put(jac, k, 2, R, c_, 0.0, 0.0, 0.0, -n0, -n1, -n2)
            e0, e1, e2 = cross(w0, w1, w2, p * a0, p * a1, p * a2)
            f0, f1, f2 = cross(x0, x1, x2, q * b0, q * b1, q * b2)
            gamma[k] = (e0 + f0) * W[c_, 0] + (e1 + f1) * W[c_, 1] + (e2 + f2) * W[c_, 2] + rise
            continue
        s0, s1, s2 = turned(R, i, local[k, 0], local[k, 1], local[k, 2])
        q0, q1, q2 = turned(R, j, local[k, 3], local[k, 4], local[k, 5])
        d0 = r[i, 0] + s0 - r[j, 0] - q0
        d1 = r[i, 1] + s1 - r[j, 1] - q1
        d2 = r[i, 2] + s2 - r[j, 2] - q2
        g0, g1, g2 = cross(w0, w1, w2, s0, s1, s2)
        h0, h1, h2 = cross(x0, x1, x2, q0, q1, q2)
        y0 = v[i, 0] + g0 - v[j, 0] - h0
        y1 = v[i, 1] + g1 - v[j, 1] - h1
        y2 = v[i, 2] + g2 - v[j, 2] - h2
        e0, e1, e2 = spinning(w0, w1, w2, s0, s1, s2)
        f0, f1, f2 = spinning(x0, x1, x2, q0, q1, q2)
        e0, e1, e2 = e0 - f0, e1 - f1, e2 - f2
        if what == ALONG:
            phi[k] = b0 * d0 + b1 * d1 + b2 * d2 - par[k, OFFSET]
            m0, m1, m2 = cross(s0, s1, s2, b0, b1, b2)
            put(jac, k, 0, R, i, b0, b1, b2, m0, m1, m2)
            m0, m1, m2 = cross(b0, b1, b2, q0 + d0, q1 + d1, q2 + d2)
            put(jac, k, 1, R, j, -b0, -b1, -b2, m0, m1, m2)
            f0, f1, f2 = cross(x0, x1, x2, b0, b1, b2)
            g0, g1, g2 = spinning(x0, x1, x2, b0, b1, b2)
            gamma[k] = -(b0 * e0 + b1 * e1 + b2 * e2 + g0 * d0 + g1 * d1 + g2 * d2)
            gamma[k] -= 2.0 * (f0 * y0 + f1 * y1 + f2 * y2)
        elif what == DISTANCE:
            length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
            phi[k] = length - par[k, OFFSET]
            inverse = 1.0 / max(length, 1e-12)
            u0, u1, u2 = d0 * inverse, d1 * inverse, d2 * inverse
            m0, m1, m2 = cross(s0, s1, s2, u0, u1, u2)
            put(jac, k, 0, R, i, u0, u1, u2, m0, m1, m2)
            m0, m1, m2 = cross(u0, u1, u2, q0, q1, q2)
            put(jac, k, 1, R, j, -u0, -u1, -u2, m0, m1, m2)
            slip = u0 * y0 + u1 * y1 + u2 * y2
            gamma[k] = -(u0 * e0 + u1 * e1 + u2 * e2 + (y0 * y0 + y1 * y1 + y2 * y2 - slip * slip) * inverse)
        else:
            # line of centres: from wheel i to wheel j, of an internal pair from ring j to planet i
            z = par[k, INTERNAL]
            ad = a0 * d0 + a1 * d1 + a2 * d2
            k0, k1, k2 = z * (d0 - ad * a0), z * (d1 - ad * a1), z * (d2 - ad * a2)
            c = math.sqrt(k0 * k0 + k1 * k1 + k2 * k2)
            u0, u1, u2 = k0 / c, k1 / c, k2 / c
            t0, t1, t2 = cross(a0, a1, a2, u0, u1, u2)
            p, q = par[k, RATIO_I], par[k, RATIO_J]
            flank, helix = par[k, FLANK], par[k, HELIX]
            cosine, sine, inv = 1.0, 0.0, 0.0
            if par[k, INVOLUTE] != 0.0:
                cosine = min(abs(p + q) / c, 1.0)
                sine = math.sqrt(max(1.0 - cosine * cosine, 0.0))
                inv = sine / cosine - math.acos(cosine)
            m0, m1, m2 = turned(R, i, local[k, 12], local[k, 13], local[k, 14])
            psi[k, 0] = mark_angle(a0, a1, a2, u0, u1, u2, m0, m1, m2, last[k, 0])
            m0, m1, m2 = turned(R, j, local[k, 15], local[k, 16], local[k, 17])
            psi[k, 1] = mark_angle(a0, a1, a2, u0, u1, u2, m0, m1, m2, last[k, 1])
            if what == PHASE:
                f0, f1, f2 = cross(w0, w1, w2, a0, a1, a2)
                yd = a0 * y0 + a1 * y1 + a2 * y2 + f0 * d0 + f1 * d1 + f2 * d2
                k0, k1, k2 = z * (y0 - yd * a0 - ad * f0), z * (y1 - yd * a1 - ad * f1), z * (y2 - yd * a2 - ad * f2)
                phi[k] = p * psi[k, 0] - par[k, OFFSET]
                rate[k] = p * (a0 * w0 + a1 * w1 + a2 * w2 - (t0 * k0 + t1 * k1 + t2 * k2) / c)
                gamma[k] = 0.0
                continue
            phi[k] = p * psi[k, 0] + q * psi[k, 1] - flank * (p + q) * inv + helix * ad - par[k, OFFSET]
            n0 = flank * sine * u0 + cosine * t0 + helix * a0
            n1 = flank * sine * u1 + cosine * t1 + helix * a1
            n2 = flank * sine * u2 + cosine * t2 + helix * a2
            # the force acts at the pitch point: arms P + rho u on i, P - rho u on j
            ri, rj = p / cosine, q / cosine
            m0, m1, m2 = cross(s0 + ri * u0, s1 + ri * u1, s2 + ri * u2, n0, n1, n2)
            put(jac, k, 0, R, i, n0, n1, n2, m0, m1, m2)
            m0, m1, m2 = cross(n0, n1, n2, q0 - rj * u0, q1 - rj * u1, q2 - rj * u2)
            put(jac, k, 1, R, j, -n0, -n1, -n2, m0, m1, m2)
            # d/dt of the row
            f0, f1, f2 = cross(w0, w1, w2, a0, a1, a2)
            yd = a0 * y0 + a1 * y1 + a2 * y2 + f0 * d0 + f1 * d1 + f2 * d2
            k0, k1, k2 = z * (y0 - yd * a0 - ad * f0), z * (y1 - yd * a1 - ad * f1), z * (y2 - yd * a2 - ad * f2)
            out = u0 * k0 + u1 * k1 + u2 * k2
            k0, k1, k2 = (k0 - out * u0) / c, (k1 - out * u1) / c, (k2 - out * u2) / c
            turn = 0.0
            if sine > 1e-9:
                turn = cosine * out / (c * sine)
            g0, g1, g2 = cross(f0, f1, f2, u0, u1, u2)
            h0, h1, h2 = cross(a0, a1, a2, k0, k1, k2)
            h0, h1, h2 = h0 + g0, h1 + g1, h2 + g2
            o0 = flank * (cosine * turn * u0 + sine * k0) - sine * turn * t0 + cosine * h0 + helix * f0
            o1 = flank * (cosine * turn * u1 + sine * k1) - sine * turn * t1 + cosine * h1 + helix * f1
            o2 = flank * (cosine * turn * u2 + sine * k2) - sine * turn * t2 + cosine * h2 + helix * f2
            # w_i . (rho_i u x n) + w_j . (rho_j u x n), and its rate with the angular velocities held
            z0, z1, z2 = ri * w0 + rj * x0, ri * w1 + rj * x1, ri * w2 + rj * x2
            grow = sine / cosine * turn
            m0, m1, m2 = cross(u0, u1, u2, o0, o1, o2)
            f0, f1, f2 = cross(k0 + grow * u0, k1 + grow * u1, k2 + grow * u2, n0, n1, n2)
            gamma[k] = -(o0 * y0 + o1 * y1 + o2 * y2 + n0 * e0 + n1 * e1 + n2 * e2)
            gamma[k] -= z0 * (m0 + f0) + z1 * (m1 + f1) + z2 * (m2 + f2)


@hot
def row_speed(jac, body, v, k):
    """J v of a row."""
    total = 0.0
    for slot in range(3):
        b = body[k, slot]
        for c in range(6):
            total += jac[k, 6 * slot + c] * v[b, c]
    return total
