"""Compiled forces of a mechanism: gravity, gyroscopic terms, loads, elastic rows and laws."""

from __future__ import annotations

from gearwright.kernels import START, hot
from gearwright.kernels.law_functions import law_force, law_guard
from gearwright.kernels.pointers import f8, i8, shift

from . import slots as T
from .rows import DAMPING, FIRST, LAST, PARAMETERS, PRESS, SIGN, STIFFNESS, cross, dot, row_speed


@hot
def table_value(times, values, start, stop, t, left):
    """Value of a table at t, constant outside; at a jump the value before it when ``left``."""
    low, high = start, stop  # the last entry that is not later than t (earlier, when left) is in [low, high)
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] < t or (times[middle] == t and not left):
            low = middle
        else:
            high = middle
    if low + 1 == stop or t <= times[low]:
        return values[low]
    return values[low] + (values[low + 1] - values[low]) * (t - times[low]) / (times[low + 1] - times[low])


@hot
def outer(H, t, left, v, Q):
    """Q: gravity, gyroscopic term and loads."""
    mass, gravity, R = f8(H[T.MASS]), f8(H[T.GRAVITY]), f8(H[T.MATRIX])
    for b in range(H[T.BODIES]):
        m, w, out = shift(mass, 6 * b), shift(v, 6 * b + 3), shift(Q, 6 * b)
        for c in range(3):
            out[c] = m[c] * gravity[c]
        out[3], out[4], out[5] = cross(m[3] * w[0], m[4] * w[1], m[5] * w[2], w[0], w[1], w[2])
    times, values, bodies, table = f8(H[T.TIMES]), f8(H[T.VALUES]), i8(H[T.LOAD_BODY]), i8(H[T.LOAD_TABLE])
    vectors, points, slopes, standing = (
        f8(H[T.LOAD_VECTOR]),
        f8(H[T.LOAD_POINT]),
        f8(H[T.LOAD_SLOPE]),
        i8(H[T.LOAD_GLOBAL]),
    )
    for k in range(H[T.LOADS]):
        b = bodies[k]
        x, arm, w, out, Rb = (
            shift(vectors, 6 * k),
            shift(points, 3 * k),
            shift(v, 6 * b + 3),
            shift(Q, 6 * b),
            shift(R, 9 * b),
        )
        f = table_value(times, values, table[2 * k], table[2 * k + 1], t, left)
        if slopes[2 * k] != 0.0:
            f += slopes[2 * k] * (dot(x[3], x[4], x[5], w[0], w[1], w[2]) - slopes[2 * k + 1])
        f0, f1, f2 = f * x[0], f * x[1], f * x[2]
        if standing[k] != 0:
            f0, f1, f2 = (
                Rb[0] * f0 + Rb[3] * f1 + Rb[6] * f2,
                Rb[1] * f0 + Rb[4] * f1 + Rb[7] * f2,
                Rb[2] * f0 + Rb[5] * f1 + Rb[8] * f2,
            )
            for c in range(3):
                out[c] += f * x[c]
                out[3 + c] += f * (Rb[c] * x[3] + Rb[3 + c] * x[4] + Rb[6 + c] * x[5])
        else:
            for c in range(3):
                out[c] += Rb[3 * c] * f0 + Rb[3 * c + 1] * f1 + Rb[3 * c + 2] * f2
                out[3 + c] += f * x[3 + c]
        n0, n1, n2 = cross(arm[0], arm[1], arm[2], f0, f1, f2)
        out[3] += n0
        out[4] += n1
        out[5] += n2


@hot
def pressing(H, k, lam):
    """Sum of the forces of the flanks that a PRESS row reads, with the sign of the larger; of rigid rows the last solution's."""
    c, press, total, size = shift(f8(H[T.PAR]), PARAMETERS * k), f8(H[T.PRESS]), 0.0, 0.0
    for q in range(int(c[FIRST]), int(c[LAST])):
        x = press[q] if q < H[T.RIGID] else lam[q]
        total += x
        size += abs(x)
    return size if total >= 0.0 else -size


@hot
def laws(H, t, left, states, change):
    """Multipliers of the rows that laws serve, from ``phi`` and ``dv``; rates of their states into ``change``."""
    law, par, parameters = i8(H[T.LAW]), f8(H[T.PAR]), f8(H[T.LAW_PAR])
    phi, d, dv, f, none, s = f8(H[T.PHI]), f8(H[T.D]), f8(H[T.DV]), f8(H[T.F]), f8(H[T.NONE]), f8(H[T.SIGNAL])
    lam, kind, table = f8(H[T.LAM]), i8(H[T.KIND]), i8(H[T.SIGNAL_TABLE])
    times, values = f8(H[T.TIMES]), f8(H[T.VALUES])
    for q in range(H[T.SIGNALS]):
        s[q] = table_value(times, values, table[2 * q], table[2 * q + 1], t, left)
    for q in range(H[T.LAWS]):
        one = shift(law, 8 * q)
        first, last, p, z = one[2], one[2] + one[3], shift(parameters, one[4]), shift(states, one[6])
        for k in range(first, last):
            sign = par[PARAMETERS * k + SIGN]
            d[k] = sign * (pressing(H, k, lam) if kind[k] == PRESS else phi[k])
            dv[k] *= sign
        own, rates, out, mode = shift(d, first), shift(dv, first), shift(f, first), 0
        if one[1] != 0:
            # fixed steps: the piece is that of the present values
            mode = law_guard(one[1], t, own, rates, p, z, s, START, none)  # type: ignore[call-arg]
        law_force(one[0], t, own, rates, p, z, s, mode, out, shift(change, one[6]))  # type: ignore[call-arg]
        for k in range(first, last):
            if one[5] != 0 and f[k] < 0.0:
                f[k] = 0.0
            lam[k] = 0.0 if k >= first + one[7] else -par[PARAMETERS * k + SIGN] * f[k]


@hot
def elastic(H, t, left, v, states, change, Q):
    """Forces of rows with a stiffness or a law, as multipliers and in Q."""
    jac, body, par, phi, rate = f8(H[T.JAC]), i8(H[T.BODY]), f8(H[T.PAR]), f8(H[T.PHI]), f8(H[T.RATE])
    lam, dv, bodies, rigid, count = f8(H[T.LAM]), f8(H[T.DV]), H[T.BODIES], H[T.RIGID], H[T.ROWS]
    for k in range(rigid, count):
        dv[k] = row_speed(shift(jac, 18 * k), shift(body, 3 * k), v) + rate[k]
        c = shift(par, PARAMETERS * k)
        lam[k] = -c[STIFFNESS] * phi[k] - c[DAMPING] * dv[k]
    couple, value = i8(H[T.COUPLE]), f8(H[T.COUPLE_VALUE])
    for q in range(H[T.COUPLES]):
        a, b = couple[2 * q], couple[2 * q + 1]
        lam[a] -= value[2 * q] * phi[b] + value[2 * q + 1] * dv[b]
    if H[T.LAWS] > 0:
        laws(H, t, left, states, change)
    for k in range(rigid, count):
        for slot in range(3):
            b = body[3 * k + slot]
            if b < bodies:
                for c in range(6):
                    Q[6 * b + c] += jac[18 * k + 6 * slot + c] * lam[k]
