"""One step of Dormand and Prince 5(4); dense output, and the work of all forces by the weights of the method.

Stages live in numbered slots of ``KS`` and ``RS``: ``one`` holds the derivative at the start of a step and
``last`` the one at its end, which is the start of the next (first same as last), ``spare`` serves events and
``SAMPLE`` serves samples.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gearwright.kernels import Compiled, fused, hot
from gearwright.kernels.pointers import f8, i8, noalias, noinline, shift

from . import table as T
from .pointers import call_evaluate, stepper

# Dormand and Prince 1980; dense output of Hairer, Norsett, Wanner, II.6
A21 = 1 / 5
A31, A32 = 3 / 40, 9 / 40
A41, A42, A43 = 44 / 45, -56 / 15, 32 / 9
A51, A52, A53, A54 = 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729
A61, A62, A63, A64, A65 = 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656
B1, B3, B4, B5, B6 = 35 / 384, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84
E1, E3, E4, E5, E6, E7 = 71 / 57600, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40
D1, D3, D4 = -12715105075 / 11282082432, 87487479700 / 32700410799, -10690763975 / 1880347072
D5, D6, D7 = 701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423

#: Part of the largest load, with the widths of the rows, below which a load counts as so large.
LEAST = 1e-3
#: Growth of a load from which it is measured by its new size.
GROWN = 1.1
#: Stage slot of samples, number of slots, and the part of a step by which the side of a jump is told.
SAMPLE, SLOTS, SIDE = 8, 9, 1e-4


class Method(NamedTuple):
    """A method: one step of it, evaluations of a step, stages (-1 the first) with their weights in the work of forces, and whether
    a step is drawn through the positions, speeds and accelerations at its ends (see :func:`dense`)."""

    stages: Compiled
    evaluations: int
    booked: tuple[tuple[int, float], ...]
    ends: bool


@hot
def evaluate(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Derivative ``k`` and rows ``r`` at time ``t`` and state ``y``, by the form the plan has chosen."""
    call_evaluate(H[T.EVALUATE], H, t, side, y, k, r)


@fused
def sum1(n, out, y, a, p):  # type: ignore[no-untyped-def]
    """``out = y + a p``; like the sums that follow, over vectors whose length is a multiple of four."""
    for i in range(n):
        out[i] = y[i] + a * p[i]


@fused
def sum2(n, out, y, a, p, b, q):  # type: ignore[no-untyped-def]
    """``out = y + a p + b q``."""
    for i in range(n):
        out[i] = y[i] + (a * p[i] + b * q[i])


@fused
def sum3(n, out, y, a, p, b, q, c, r):  # type: ignore[no-untyped-def]
    """``out = y + a p + b q + c r``."""
    for i in range(n):
        out[i] = y[i] + (a * p[i] + b * q[i] + c * r[i])


@fused
def sum4(n, out, y, a, p, b, q, c, r, d, s):  # type: ignore[no-untyped-def]
    """``out = y + a p + b q + c r + d s``."""
    for i in range(n):
        out[i] = y[i] + (a * p[i] + b * q[i] + c * r[i] + d * s[i])


@fused
def sum5(n, out, y, a, p, b, q, c, r, d, s, e, u):  # type: ignore[no-untyped-def]
    """``out = y + a p + b q + c r + d s + e u``."""
    for i in range(n):
        out[i] = y[i] + (a * p[i] + b * q[i] + c * r[i] + d * s[i] + e * u[i])


@fused
def largest(n, x, w):  # type: ignore[no-untyped-def]
    """Largest of ``|x| w``, over a multiple of four; infinite if anything is not finite."""
    # four at a time, so that one comparison does not wait for the one before
    m0 = m1 = m2 = m3 = 0.0
    total = 0.0
    for j in range(0, n, 4):
        a0, a1, a2, a3 = (
            abs(x[j]) * w[j],
            abs(x[j + 1]) * w[j + 1],
            abs(x[j + 2]) * w[j + 2],
            abs(x[j + 3]) * w[j + 3],
        )
        total += (a0 + a1) + (a2 + a3)
        m0 = max(m0, a0)
        m1 = max(m1, a1)
        m2 = max(m2, a2)
        m3 = max(m3, a3)
    if not total < 1e300:
        return np.inf
    return max(max(m0, m1), max(m2, m3))


@fused
def missed(n, k1, k3, k4, k5, k6, k7, out):  # type: ignore[no-untyped-def]
    """Error of a step over its length."""
    for i in range(n):
        out[i] = E1 * k1[i] + E3 * k3[i] + E4 * k4[i] + E5 * k5[i] + E6 * k6[i] + E7 * k7[i]


@hot
def weigh_loads(H, f, anew):  # type: ignore[no-untyped-def]
    """Weights of the errors of loads, by the largest load ``f`` that every row has met; a small one counts as a part of the
    largest of them all."""
    noinline()
    met, width, w, carry = f8(H[T.LOADS]), f8(H[T.WIDTH]), f8(H[T.LOAD_WEIGHT]), f8(H[T.CARRY])
    grown = anew
    for i in range(H[T.M]):
        grown = grown or abs(f[i]) > GROWN * met[i]
    if not grown:
        return
    most = 0.0
    for i in range(H[T.M]):
        met[i] = max(met[i], abs(f[i]))
        most = max(most, met[i] * width[i])
    for i in range(H[T.M]):
        if width[i] > 0.0:
            w[i] = carry[4] / (carry[2] * max(met[i], LEAST * most / width[i]))


def _stages(H, t, h, one, last):  # type: ignore[no-untyped-def]
    """One step: fills the stages and the end state; returns the error in units of the tolerance."""
    ny, nr, address = H[T.NY], H[T.NR], H[T.EVALUATE]
    y, end, ys, w = f8(H[T.Y]), f8(H[T.YEND]), f8(H[T.YSTAGE]), f8(H[T.WEIGHT])
    ks, rs = f8(H[T.KS]), f8(H[T.RS])
    k1, k2, k3, k4 = shift(ks, one * ny), shift(ks, ny), shift(ks, 2 * ny), shift(ks, 3 * ny)
    k5, k6, k7 = shift(ks, 4 * ny), shift(ks, 5 * ny), shift(ks, last * ny)
    late = t + (1.0 - SIDE) * h
    sum1(ny, ys, y, h * A21, k1)
    call_evaluate(address, H, t + 0.2 * h, t + 0.2 * h, ys, k2, shift(rs, nr))
    sum2(ny, ys, y, h * A31, k1, h * A32, k2)
    call_evaluate(address, H, t + 0.3 * h, t + 0.3 * h, ys, k3, shift(rs, 2 * nr))
    sum3(ny, ys, y, h * A41, k1, h * A42, k2, h * A43, k3)
    call_evaluate(address, H, t + 0.8 * h, t + 0.8 * h, ys, k4, shift(rs, 3 * nr))
    sum4(ny, ys, y, h * A51, k1, h * A52, k2, h * A53, k3, h * A54, k4)
    call_evaluate(address, H, t + 8.0 / 9.0 * h, t + 8.0 / 9.0 * h, ys, k5, shift(rs, 4 * nr))
    sum5(ny, ys, y, h * A61, k1, h * A62, k2, h * A63, k3, h * A64, k4, h * A65, k5)
    call_evaluate(address, H, t + h, late, ys, k6, shift(rs, 5 * nr))
    sum5(ny, end, y, h * B1, k1, h * B3, k3, h * B4, k4, h * B5, k5, h * B6, k6)
    call_evaluate(address, H, t + h, late, end, k7, shift(rs, last * nr))
    missed(ny, k1, k3, k4, k5, k6, k7, ys)
    f, m = shift(rs, H[T.M]), H[T.M]
    load = f8(H[T.MISS])
    missed(
        m,
        shift(f, one * nr),
        shift(f, 2 * nr),
        shift(f, 3 * nr),
        shift(f, 4 * nr),
        shift(f, 5 * nr),
        shift(f, last * nr),
        load,
    )
    return h * max(largest(ny, ys, w), largest((m + 3) & ~3, load, f8(H[T.LOAD_WEIGHT])))


#: One step, called by address.
STAGES = stepper(_stages)
#: Dormand and Prince.
METHOD = Method(STAGES, 6, ((-1, B1), (2, B3), (3, B4), (4, B5), (5, B6)), False)


@fused
def moved(n, x, h, y, v, a, end, w, b, places, speeds):  # type: ignore[no-untyped-def]
    """Positions of fifth degree through positions, speeds and accelerations at both ends of a step, and their derivative."""
    noalias()
    hh, once = h * h, 1.0 / h
    for i in range(n):
        c1, c2 = h * v[i], 0.5 * hh * a[i]
        d, e, g = end[i] - y[i] - c1 - c2, h * w[i] - c1 - 2.0 * c2, hh * b[i] - 2.0 * c2
        c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * g, 7.0 * e - 15.0 * d - g, 6.0 * d - 3.0 * e + 0.5 * g
        places[i] = y[i] + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5))))
        speeds[i] = once * (c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4 + x * (5.0 * c5)))))


@hot
def between_ends(H, x, h, one, last, out):  # type: ignore[no-untyped-def]
    """State at ``x`` of the step just made: positions of fifth degree through all that is known at both ends, speeds their
    derivative, states of laws of third degree."""
    n, ny = H[T.N], H[T.NY]
    y, end, ks = f8(H[T.Y]), f8(H[T.YEND]), f8(H[T.KS])
    v, w, a, b = shift(y, n), shift(end, n), shift(ks, one * ny + n), shift(ks, last * ny + n)
    moved(n, x, h, y, v, a, end, w, b, out, shift(out, n))
    for i in range(n, ny - n):
        r2 = w[i] - v[i]
        r3 = h * a[i] - r2
        out[n + i] = v[i] + x * (r2 + (1.0 - x) * (r3 + x * (r2 - h * b[i] - r3)))


@hot
def dense(H, theta, h, one, last, out):  # type: ignore[no-untyped-def]
    """State at ``theta`` of the step just made (also slightly beyond its end), of fourth order."""
    noinline()
    ny = H[T.NY]
    if H[T.ENDS] != 0:
        between_ends(H, theta, h, one, last, out)
        return
    y, end, ks = f8(H[T.Y]), f8(H[T.YEND]), f8(H[T.KS])
    k1, k3, k4 = shift(ks, one * ny), shift(ks, 2 * ny), shift(ks, 3 * ny)
    k5, k6, k7 = shift(ks, 4 * ny), shift(ks, 5 * ny), shift(ks, last * ny)
    rest = 1.0 - theta
    for i in range(ny):
        r2 = end[i] - y[i]
        r3 = h * k1[i] - r2
        r4 = r2 - h * k7[i] - r3
        r5 = h * (D1 * k1[i] + D3 * k3[i] + D4 * k4[i] + D5 * k5[i] + D6 * k6[i] + D7 * k7[i])
        out[i] = y[i] + theta * (r2 + rest * (r3 + theta * (r4 + rest * r5)))


@hot
def reaction(H, k, r, p):  # type: ignore[no-untyped-def]
    """Generalised force that makes prescribed coordinate number ``p`` of the list follow its signal."""
    a, f = shift(k, H[T.N]), shift(r, H[T.M])
    pmp, pmi, pmv = i8(H[T.PMP]), i8(H[T.PMI]), f8(H[T.PMV])
    pdp, pdr, pdv = i8(H[T.PDP]), i8(H[T.PDR]), f8(H[T.PDV])
    x = 0.0
    for e in range(pmp[p], pmp[p + 1]):
        x += pmv[e] * a[pmi[e]]
    for e in range(pdp[p], pdp[p + 1]):
        x += pdv[e] * f[pdr[e]]
    return x


@hot
def book_at(H, weight, slot):  # type: ignore[no-untyped-def]
    """Add the power at one stage, times ``weight`` seconds, to the energy book.

    The work of constant inputs is exact by the way gone and is left to :func:`book`.
    """
    noinline()
    m, ny, nr = H[T.M], H[T.NY], H[T.NR]
    k, r = shift(f8(H[T.KS]), slot * ny), shift(f8(H[T.RS]), slot * nr)
    f, s = shift(r, m), shift(r, 2 * m)
    rows, chat, work, heat = i8(H[T.FROW]), f8(H[T.CHAT]), f8(H[T.ROW_WORK]), f8(H[T.ROW_HEAT])
    for j in range(H[T.FORCES]):
        i = rows[j]
        wdv = weight * r[i]
        work[i] += wdv * f[i]
        heat[i] += wdv * r[i] * chat[i]
    bi, bu, bv, done = i8(H[T.BI]), i8(H[T.BU]), f8(H[T.BV]), f8(H[T.INPUT_WORK])
    if H[T.VARYING] > 0:
        fixed = i8(H[T.FIXED])
        for j in range(H[T.INPUTS]):
            if fixed[j] == 0:
                done[j] += weight * bv[j] * s[bu[j]] * k[bi[j]]
    for p in range(H[T.PRESCRIBED]):
        i = i8(H[T.PRI])[p]
        f8(H[T.REACTION])[i] += weight * k[i] * reaction(H, k, r, p)


@fused
def add_work(n, work, b1, r1, b2, r2, m):  # type: ignore[no-untyped-def]
    """``work += b1 dv1 f1 + b2 dv2 f2``: rates at ``r``, forces ``m`` entries behind them."""
    f1, f2 = shift(r1, m), shift(r2, m)
    for i in range(n):
        work[i] += b1 * r1[i] * f1[i] + b2 * r2[i] * f2[i]


@fused
def add_heat(n, heat, c, b1, r1, b2, r2):  # type: ignore[no-untyped-def]
    """``heat += c (b1 dv1^2 + b2 dv2^2)``."""
    for i in range(n):
        heat[i] += c[i] * (b1 * r1[i] * r1[i] + b2 * r2[i] * r2[i])


@hot
def slot_of(stage, one):  # type: ignore[no-untyped-def]
    """Slot of a stage that a method names: -1 is the first, which changes its place."""
    return one if stage < 0 else stage


@hot
def book(H, h, one, new):  # type: ignore[no-untyped-def]
    """Energy of an accepted step by the weights of the method; ``new`` is the state it ends in."""
    noinline()
    m, ny, nr = H[T.M], H[T.NY], H[T.NR]
    work, ks, rs = f8(H[T.ROW_WORK]), f8(H[T.KS]), f8(H[T.RS])
    slots, weights = i8(H[T.BOOK_SLOTS]), f8(H[T.BOOK_WEIGHTS])
    damped = H[T.FIRST_DAMPED]
    heat, c = shift(f8(H[T.ROW_HEAT]), damped), shift(f8(H[T.CHAT]), damped)
    for e in range(0, H[T.BOOKED], 2):
        b1, b2 = h * weights[e], h * weights[e + 1]
        r1, r2 = shift(rs, slot_of(slots[e], one) * nr), shift(rs, slots[e + 1] * nr)
        add_work(m, work, b1, r1, b2, r2, m)
        add_heat(m - damped, heat, c, b1, shift(r1, damped), b2, shift(r2, damped))
    idle = i8(H[T.IDLE_ROWS])
    for j in range(H[T.IDLE]):
        work[idle[j]] = 0.0
    y = f8(H[T.Y])
    bi, bu, bv, done = i8(H[T.BI]), i8(H[T.BU]), f8(H[T.BV]), f8(H[T.INPUT_WORK])
    fixed = i8(H[T.FIXED])
    for j in range(H[T.INPUTS]):
        i, u = bi[j], 2 * m + bu[j]
        if fixed[j] != 0:
            done[j] += bv[j] * rs[one * nr + u] * (new[i] - y[i])
        else:
            total = 0.0
            for e in range(H[T.BOOKED]):
                slot = slot_of(slots[e], one)
                total += weights[e] * rs[slot * nr + u] * ks[slot * ny + i]
            done[j] += bv[j] * h * total
    for p in range(H[T.PRESCRIBED]):
        i = i8(H[T.PRI])[p]
        total = 0.0
        for e in range(H[T.BOOKED]):
            slot = slot_of(slots[e], one)
            k = shift(ks, slot * ny)
            total += weights[e] * k[i] * reaction(H, k, shift(rs, slot * nr), p)
        f8(H[T.REACTION])[i] += h * total
