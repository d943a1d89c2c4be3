"""One step of a method of Nyström: positions and speeds go together, four evaluations where Dormand and Prince need six.

For ``q'' = a(t, q, v)`` stages stand at 0, 1/4, 3/5 and 9/10 of the step. The weights of the positions fulfil all conditions of
fifth order of ``q'' = a(t, q)`` (Hairer, Nørsett, Wanner, II.14: the two places that are free are chosen for a small error in a vibration
of 0.8 per evaluation); the weights of the speeds, with which states of laws go too, fulfil those of fourth order but
one, ``sum b a a c = 1/24`` (1/20 here), which is met only where damping acts on damping. A vibration that turns by one
radian in five evaluations errs by 3e-5 of its phase, with Dormand and Prince by 1e-3.

The error is a part of the fourth divided difference over the step, of the accelerations and of the loads of all rows: it needs the
derivative at the end only, which is the start of the next step. Which part, :mod:`explicit_weights` says.
"""

from __future__ import annotations

import numpy as np

from gearwright.kernels import fused
from gearwright.kernels.pointers import f8, shift

from . import table as T
from .pointers import call_evaluate, stepper
from .step import SIDE, Method, largest, sum1, sum2, sum3, sum4

#: places of the stages; weights of the positions and of the speeds in each stage, and at the end of the step
C2, C3, C4 = 1 / 4, 3 / 5, 9 / 10
P21, P31, P32 = 1 / 32, 3 / 250, 21 / 125
P41, P42, P43 = 9 / 80, 117 / 700, 351 / 2800
A21, A31, A32 = 1 / 4, -51 / 125, 126 / 125
A41, A42, A43 = 333 / 500, -1053 / 1750, 117 / 140
P1, P2, P3, P4 = 13 / 162, 24 / 91, 25 / 189, 25 / 1053
B1, B2, B3, B4 = 13 / 162, 32 / 91, 125 / 378, 250 / 1053
#: fourth divided difference over the places of the stages and the end of the step
D1, D2, D3, D4, D5 = 200 / 27, -6400 / 273, 2500 / 63, -20000 / 351, 100 / 3


@fused
def place1(n, out, q, c, v, a, f):  # type: ignore[no-untyped-def]
    """``out = q + c v + a f``; vectors may run over their ends by less than a register, which speeds are written over."""
    for i in range(n):
        out[i] = q[i] + (c * v[i] + a * f[i])


@fused
def place2(n, out, q, c, v, a, f, b, g):  # type: ignore[no-untyped-def]
    """``out = q + c v + a f + b g``."""
    for i in range(n):
        out[i] = q[i] + (c * v[i] + (a * f[i] + b * g[i]))


@fused
def place3(n, out, q, c, v, a, f, b, g, d, h):  # type: ignore[no-untyped-def]
    """``out = q + c v + a f + b g + d h``."""
    for i in range(n):
        out[i] = q[i] + (c * v[i] + (a * f[i] + b * g[i] + d * h[i]))


@fused
def place4(n, out, q, c, v, a, f, b, g, d, h, e, k):  # type: ignore[no-untyped-def]
    """``out = q + c v + a f + b g + d h + e k``."""
    for i in range(n):
        out[i] = q[i] + (c * v[i] + (a * f[i] + b * g[i] + d * h[i] + e * k[i]))


@fused
def difference(n, a1, a2, a3, a4, a5, out):  # type: ignore[no-untyped-def]
    """Fourth divided difference over a step."""
    for i in range(n):
        out[i] = D1 * a1[i] + D2 * a2[i] + D3 * a3[i] + D4 * a4[i] + D5 * a5[i]


@fused
def most(n, x, w):  # type: ignore[no-untyped-def]
    """Largest of ``|x| w``; infinite if anything is not finite."""
    total, found = 0.0, 0.0
    for i in range(n):
        a = abs(x[i]) * w[i]
        total += a
        found = max(found, a)
    if not total < 1e300:
        return np.inf
    return found


def _nystrom(H, t, h, one, last):  # type: ignore[no-untyped-def]
    """One step: fills the stages and the end state; returns the error in units of the tolerance."""
    n, ny, nr, address = H[T.N], H[T.NY], H[T.NR], H[T.EVALUATE]
    y, end, ys = f8(H[T.Y]), f8(H[T.YEND]), f8(H[T.YSTAGE])
    ks, rs = f8(H[T.KS]), f8(H[T.RS])
    k1, k2, k3, k4 = shift(ks, one * ny), shift(ks, ny), shift(ks, 2 * ny), shift(ks, 3 * ny)
    k5 = shift(ks, last * ny)
    # speeds and states follow the positions; their derivatives are the accelerations and the rates of the states
    rest, hh = ny - n, h * h
    v, speeds, finals, w = shift(y, n), shift(ys, n), shift(end, n), shift(f8(H[T.WEIGHT]), n)
    a1, a2, a3, a4, a5 = shift(k1, n), shift(k2, n), shift(k3, n), shift(k4, n), shift(k5, n)
    late = t + (1.0 - SIDE) * h
    place1(n, ys, y, h * C2, v, hh * P21, a1)
    sum1(rest, speeds, v, h * A21, a1)
    call_evaluate(address, H, t + C2 * h, t + C2 * h, ys, k2, shift(rs, nr))
    place2(n, ys, y, h * C3, v, hh * P31, a1, hh * P32, a2)
    sum2(rest, speeds, v, h * A31, a1, h * A32, a2)
    call_evaluate(address, H, t + C3 * h, t + C3 * h, ys, k3, shift(rs, 2 * nr))
    place3(n, ys, y, h * C4, v, hh * P41, a1, hh * P42, a2, hh * P43, a3)
    sum3(rest, speeds, v, h * A41, a1, h * A42, a2, h * A43, a3)
    call_evaluate(address, H, t + C4 * h, t + C4 * h, ys, k4, shift(rs, 3 * nr))
    place4(n, end, y, h, v, hh * P1, a1, hh * P2, a2, hh * P3, a3, hh * P4, a4)
    sum4(rest, finals, v, h * B1, a1, h * B2, a2, h * B3, a3, h * B4, a4)
    call_evaluate(address, H, t + h, late, end, k5, shift(rs, last * nr))
    difference(rest, a1, a2, a3, a4, a5, speeds)
    f, load, m = shift(rs, H[T.M]), f8(H[T.MISS]), H[T.M]
    difference(m, shift(f, one * nr), shift(f, nr), shift(f, 2 * nr), shift(f, 3 * nr), shift(f, last * nr), load)
    return f8(H[T.CARRY])[5] * h * max(most(rest, speeds, w), largest((m + 3) & ~3, load, f8(H[T.LOAD_WEIGHT])))


#: One step, called by address.
NYSTROM = stepper(_nystrom)
#: The method: its stages are those numbered in the step, -1 the first.
METHOD = Method(NYSTROM, 4, ((-1, B1), (1, B2), (2, B3), (3, B4)), True)
