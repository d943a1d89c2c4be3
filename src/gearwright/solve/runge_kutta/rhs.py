"""Right-hand side of the explicit engine: rows, laws by address, accelerations.

Layout: ``y = [q, v, z]``, its derivative ``k = [v, a, zd]`` and the rows ``r = [dv, f, s]``. All functions here
take the table of addresses ``H`` (see :mod:`explicit_table`).
"""

from __future__ import annotations

import numpy as np

from gearwright.kernels import fused, hot
from gearwright.kernels.pointers import f8, i8, shift
from gearwright.kernels.tiles import WIDE, force_tile, motion_tile
from gearwright.system.signals import find_piece, value_of

from . import table as T
from .pointers import evaluator
from .together import force_of, forces_together


@hot
def signals_at(H, t, side, s):  # type: ignore[no-untyped-def]
    """Write the signals that vary at time ``t``; ``side`` is a time on the side of a jump that holds."""
    vari, sptr, sstart = i8(H[T.VARI]), i8(H[T.SPTR]), f8(H[T.SSTART])
    scoef, ssin, sdt = f8(H[T.SCOEF]), f8(H[T.SSIN]), f8(H[T.SDT])
    for j in range(H[T.VARYING]):
        s[vari[j]] = value_of(sptr, sstart, scoef, ssin, sdt, vari[j], t, side)


@hot
def signal_rate(H, i, t, side):  # type: ignore[no-untyped-def]
    """Derivative of one signal at time ``t``."""
    sptr, sstart, scoef, ssin, sdt = (i8(H[T.SPTR]), f8(H[T.SSTART]), f8(H[T.SCOEF]), f8(H[T.SSIN]), f8(H[T.SDT]))
    piece = find_piece(sptr, sstart, sdt, i, side)
    x = t - sstart[piece]
    b = 4 * piece
    value = scoef[b + 1] + x * (2.0 * scoef[b + 2] + x * 3.0 * scoef[b + 3])
    a = ssin[4 * i]
    if a != 0.0 and side >= ssin[4 * i + 3]:
        t0 = ssin[4 * i + 3]
        local = t - t0 if t0 > -1e300 else t
        value += a * ssin[4 * i + 1] * np.cos(ssin[4 * i + 1] * local + ssin[4 * i + 2])
    return value


@hot
def row_motion(H, y, dv):  # type: ignore[no-untyped-def]
    """Deflection (into the shared scratch) and rate of every row."""
    base, d, v = f8(H[T.BASE]), f8(H[T.ROW]), shift(y, H[T.N])
    if H[T.MOVING] > 0:
        ptr, idx, val = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
        for i in range(H[T.M]):
            x = base[i]
            w = 0.0
            for e in range(ptr[i], ptr[i + 1]):
                x += val[e] * y[idx[e]]
                w += val[e] * v[idx[e]]
            d[i] = x
            dv[i] = w
        return
    order, sizes, columns, values = (i8(H[T.ROW_ORDER]), i8(H[T.ROW_SIZES]), i8(H[T.ROW_COLUMNS]), f8(H[T.ROW_VALUES]))
    m, spill = H[T.M], f8(H[T.SPILL])
    at, e = 0, 0
    for g in range(H[T.ROW_GROUPS]):
        length, stop = sizes[2 * g], at + sizes[2 * g + 1]
        while at < stop:
            i = WIDE * order[at]
            rates = shift(dv, i) if i + WIDE <= m else spill
            motion_tile(values, columns, e, e + length, y, v, shift(base, i), shift(d, i), rates)
            e += length
            at += 1
    whole = m - m % WIDE
    for i in range(whole, m):
        dv[i] = spill[i - whole]


@hot
def capacity(H, r, s):  # type: ignore[no-untyped-def]
    """Capacity of friction row ``r`` without its normal force."""
    cap = f8(H[T.FCAP])[r]
    which = i8(H[T.FSIG])[r]
    if which >= 0:
        cap += s[which]
    return max(cap, 0.0)


@hot
def coefficient(H, r, rate, drives):  # type: ignore[no-untyped-def]
    """Coefficient of friction row ``r`` at a rate, where the first wheel drives (``drives >= 0``) or the second."""
    point, last = i8(H[T.FTP])[r], i8(H[T.FTP])[r + 1] - 1
    if last < point:
        return f8(H[T.FMU1])[r] if drives >= 0.0 else f8(H[T.FMU2])[r]
    table = f8(H[T.FTAB])
    which = 1 if drives >= 0.0 else 2
    x = abs(rate)
    while point < last and x > table[3 * point + 3]:
        point += 1
    here = table[3 * point + which]
    if point < last and x > table[3 * point]:
        part = (x - table[3 * point]) / (table[3 * point + 3] - table[3 * point])
        here += part * (table[3 * point + 3 + which] - here)
    return here


@hot
def smooth_friction(H, dv, f, s):  # type: ignore[no-untyped-def]
    """Friction rows with a width, pressed by a row whose force is known already (or by none)."""
    rows, normal, listed = i8(H[T.FRIC]), i8(H[T.FNORM]), i8(H[T.SMOOTHLIST])
    width = f8(H[T.FVEL])
    for j in range(H[T.SMOOTH]):
        r = listed[j]
        row = rows[r]
        cap = capacity(H, r, s)
        if normal[r] >= 0:
            press = f[normal[r]]
            cap += coefficient(H, r, dv[row], press * dv[row]) * abs(press)
        else:
            cap += coefficient(H, r, dv[row], dv[row])
        f[row] = cap * np.tanh(dv[row] / width[r])


@hot
def row_forces(H, t, y, k, r):  # type: ignore[no-untyped-def]
    """Forces of laws, springs and smooth friction rows, and the rates of the laws' states."""
    m = H[T.M]
    d = f8(H[T.ROW])
    f = shift(r, m)
    s = shift(r, 2 * m)
    z = shift(y, 2 * H[T.N])
    zd = shift(k, 2 * H[T.N])
    lrow, lz = i8(H[T.LROW]), i8(H[T.LZ])
    if H[T.TOGETHERS] > 0:
        forces_together(H, t, d, r, z, s, f, zd)
    alone = i8(H[T.ALONE_LAWS])
    for i in range(H[T.ALONE]):
        j = alone[i]
        force_of(H, j, lrow[j], lz[j], t, d, r, z, s, f, zd)
    kk, cc, f0 = f8(H[T.K]), f8(H[T.C]), f8(H[T.F0])
    first = H[T.FIRST_SPRING]
    for j in range(H[T.SPRINGS]):
        f[first + j] = kk[j] * d[first + j] + cc[j] * r[first + j] + f0[j]
    if H[T.SMOOTH] > 0:
        smooth_friction(H, r, f, s)


@fused
def accelerations(H, f, s, a):  # type: ignore[no-untyped-def]
    """``a = M^-1 (Q - D^T f)``, with ``M^-1 D^T`` and ``M^-1 Q`` multiplied out beforehand."""
    order, sizes, columns, values = (i8(H[T.ACC_ORDER]), i8(H[T.ACC_SIZES]), i8(H[T.ACC_COLUMNS]), f8(H[T.ACC_VALUES]))
    place, sums, base = i8(H[T.ACC_PLACE]), f8(H[T.ACC_SUMS]), f8(H[T.ACC_BASE])
    at, e = 0, 0
    for g in range(H[T.ACC_GROUPS]):
        length, stop = sizes[2 * g], at + sizes[2 * g + 1]
        while at < stop:
            i = WIDE * order[at]
            force_tile(values, columns, e, e + length, f, shift(base, i), shift(sums, i))
            e += length
            at += 1
    for i in range(H[T.N]):
        a[place[i]] = sums[i]
    xi, xu, xv = i8(H[T.XI]), i8(H[T.XU]), f8(H[T.XV])
    for e in range(H[T.DRIVEN]):
        a[xi[e]] += xv[e] * s[xu[e]]


def _soft(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Derivative and rows of a system without multipliers."""
    n = H[T.N]
    m = H[T.M]
    s = shift(r, 2 * m)
    if H[T.VARYING] > 0:
        signals_at(H, t, side, s)
    for i in range(n):
        k[i] = y[n + i]
    row_motion(H, y, r)
    row_forces(H, t, y, k, r)
    accelerations(H, shift(r, m), s, shift(k, n))


#: Right-hand side of systems without multipliers, called by address.
SOFT = evaluator(_soft)
