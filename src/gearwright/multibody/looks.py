"""Compiled looks at many states: Jacobians of a recorded run, and the stiffness of a state by differences."""

from __future__ import annotations

import math

from gearwright.kernels import kernel
from gearwright.kernels.pointers import f8, i8, shift

from . import slots as T
from .motion import call_respond, call_see, copy, turn_by
from .rows import FLANK, PARAMETERS


@kernel
def watch(table, samples, jac):
    """Jacobians (samples x rows x 18) of recorded positions; flanks that follow the torque by the recorded multipliers."""
    H = i8(table.ctypes.data)
    bodies, count, out = H[T.BODIES], H[T.ROWS], f8(jac.ctypes.data)
    r, p, lam, follow, par = f8(H[T.OUT_R]), f8(H[T.OUT_P]), f8(H[T.OUT_LAM]), i8(H[T.FOLLOW]), f8(H[T.PAR])
    for s in range(samples):
        copy(shift(r, 3 * bodies * s), f8(H[T.STAGE_R]), 0, 3 * bodies)
        copy(shift(p, 4 * bodies * s), f8(H[T.STAGE_P]), 0, 4 * bodies)
        for q in range(H[T.FOLLOWS]):
            x = lam[count * s + follow[q]]
            if x != 0.0:
                par[PARAMETERS * follow[q] + FLANK] = -math.copysign(1.0, x)
        call_see(H[T.SEE], H, 0.0, 0, f8(H[T.STAGE_R]), f8(H[T.STAGE_P]), f8(H[T.STAGE_V]))
        copy(f8(H[T.JAC]), out, 18 * count * s, 18 * count)


@kernel
def differences(table, t, given, size, out):
    """``out`` (6 bodies x 6 bodies): -d(Q + J^T given)/dq by central differences of ``size``, velocities held."""
    H = i8(table.ctypes.data)
    n, v, Q, jac, body = 6 * H[T.BODIES], f8(H[T.V]), f8(H[T.Q]), f8(H[T.JAC]), i8(H[T.BODY])
    r, p, rs, ps, lam, K = (
        f8(H[T.R]),
        f8(H[T.P]),
        f8(H[T.STAGE_R]),
        f8(H[T.STAGE_P]),
        f8(given.ctypes.data),
        f8(out.ctypes.data),
    )
    for column in range(n):
        b, c = column // 6, column % 6
        for side in range(2):
            h = size if side == 0 else -size
            copy(r, rs, 0, n // 2)
            copy(p, ps, 0, 4 * H[T.BODIES])
            if c < 3:
                rs[3 * b + c] += h
            else:
                e = shift(ps, 4 * b)
                turn_by(e, e, h if c == 3 else 0.0, h if c == 4 else 0.0, h if c == 5 else 0.0)
            call_see(H[T.SEE], H, t, 0, rs, ps, v)
            call_respond(H[T.RESPOND], H, t, 0, v, f8(H[T.STATES]))
            for k in range(H[T.RIGID]):
                for slot in range(3):
                    at = 6 * body[3 * k + slot]
                    if at < n:
                        for q in range(6):
                            Q[at + q] += jac[18 * k + 6 * slot + q] * lam[k]
            for q in range(n):
                K[n * q + column] -= Q[q] / (2.0 * h)
