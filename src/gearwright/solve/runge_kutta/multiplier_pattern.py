"""Patterns of multipliers: which rows are active and independent, the factors of their matrix, the maps it condenses to.

A pattern is the set of states (sticking, slipping, signs of the forces that press); see :mod:`multipliers` for the equations.
"""

from __future__ import annotations

import numpy as np

from gearwright.kernels import hot
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import table as T
from .rhs import coefficient
from .small_matrices import factorise, substitute

#: Squared sine of the angle below which a row counts as dependent on others.
DEPENDENT = 1e-10
# numbers in CFLAGS: active rows, rank; the factors are stale, vary with every evaluation, are condensed to maps
ACTIVE, RANK, STALE, VARIES, MAPPED = 0, 1, 2, 3, 4


@hot
def inverse_mass_times_row(H, row, out):  # type: ignore[no-untyped-def]
    """``out = M^-1 D_row^T`` (prescribed coordinates feel no force)."""
    noinline()
    ptr, idx, val, mask = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL]), f8(H[T.MASK])
    mptr, midx, minv, work = i8(H[T.MPTR]), i8(H[T.MIDX]), f8(H[T.MINV]), f8(H[T.RESULTANT])
    n = H[T.N]
    for i in range(n):
        work[i] = 0.0
    for e in range(ptr[row], ptr[row + 1]):
        work[idx[e]] += val[e] * mask[idx[e]]
    for i in range(n):
        x = 0.0
        for e in range(mptr[i], mptr[i + 1]):
            x += minv[e] * work[midx[e]]
        out[i] = x


@hot
def row_times(H, row, x):  # type: ignore[no-untyped-def]
    """``D_row x``."""
    noinline()
    ptr, idx, val = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
    total = 0.0
    for e in range(ptr[row], ptr[row + 1]):
        total += val[e] * x[idx[e]]
    return total


@hot
def base_matrix(H):  # type: ignore[no-untyped-def]
    """``X_c = M^-1 D_c^T`` of all candidates and ``B = D X``."""
    noinline()
    n, nc = H[T.N], H[T.CANDIDATES]
    rows, columns, base = i8(H[T.CROW]), f8(H[T.CVAL]), f8(H[T.CBASE])
    for c in range(nc):
        inverse_mass_times_row(H, rows[c], shift(columns, c * n))
    for i in range(nc):
        for j in range(nc):
            base[i * nc + j] = row_times(H, rows[i], shift(columns, j * n))


@hot
def choose_basis(H):  # type: ignore[no-untyped-def]
    """List the active rows and pick independent ones among them by pivoted Cholesky elimination."""
    noinline()
    nc, hard = H[T.CANDIDATES], H[T.HARD]
    base, active, basis = f8(H[T.CBASE]), i8(H[T.CACT]), i8(H[T.CBASIS])
    work, left, state, flags = f8(H[T.CWORK]), f8(H[T.CKEY]), i8(H[T.FSTATE]), i8(H[T.CFLAGS])
    kind = i8(H[T.FKIND])
    na = 0
    for c in range(nc):
        if c < hard or (kind[c - hard] == T.STICK and state[c - hard] == 0):
            active[na] = c
            na += 1
    for i in range(na):
        left[i] = 1.0
    rank = 0
    while rank < na:
        best = 0
        for i in range(na):
            if left[i] > left[best]:
                best = i
        if left[best] <= DEPENDENT:
            break
        root = np.sqrt(left[best])
        p = active[best]
        for i in range(na):
            a = active[i]
            x = base[a * nc + p] / np.sqrt(base[a * nc + a] * base[p * nc + p])
            for j in range(rank):
                x -= work[j * nc + i] * work[j * nc + best]
            work[rank * nc + i] = x / root
        for i in range(na):
            left[i] -= work[rank * nc + i] ** 2
        left[best] = -1.0
        basis[rank] = best
        rank += 1
    flags[ACTIVE] = na
    flags[RANK] = rank


@hot
def slip_factors(H, dv):  # type: ignore[no-untyped-def]
    """``s`` of every slipping row and ``e = s mu sign`` of those pressed by a hard row; both as set by a switched row."""
    noinline()
    hard = H[T.HARD]
    state, sign, normal, kind = i8(H[T.FSTATE]), i8(H[T.CSIGN]), i8(H[T.CNORM]), i8(H[T.FKIND])
    width, rows = f8(H[T.FVEL]), i8(H[T.FRIC])
    slip, gain = f8(H[T.CSLIP]), f8(H[T.CWEIGHT])
    for r in range(H[T.FRICTIONS]):
        s = float(state[r]) if state[r] < 2 else 0.0
        if kind[r] == T.SMOOTHED:
            s = np.tanh(dv[rows[r]] / width[r])
        slip[r] = s
        gain[hard + r] = 0.0
        if normal[r] >= 0 and s != 0.0:
            press = 1 if kind[r] == T.SWITCHED else sign[normal[r]]
            gain[hard + r] = s * press * coefficient(H, r, dv[rows[r]], press * s)


@hot
def factor_pattern(H):  # type: ignore[no-untyped-def]
    """Matrix of the active rows for the present pattern of sticking, slipping and signs, factored."""
    noinline()
    nc, hard = H[T.CANDIDATES], H[T.HARD]
    base, active, basis, flags = f8(H[T.CBASE]), i8(H[T.CACT]), i8(H[T.CBASIS]), i8(H[T.CFLAGS])
    matrix, share, gain, normal = f8(H[T.CMAT]), f8(H[T.CSHARE]), f8(H[T.CWEIGHT]), i8(H[T.CNORM])
    stiff, work = f8(H[T.CSTIFF]), f8(H[T.CWORK])
    if flags[STALE] != 0 or H[T.MOVING] > 0:
        choose_basis(H)
    na, rank = flags[ACTIVE], flags[RANK]
    # full matrix of the active rows in work (columns: forces of active rows with the losses they carry)
    for j in range(na):
        b = active[j]
        for i in range(na):
            a = active[i]
            x = base[a * nc + b]
            for r in range(H[T.FRICTIONS]):
                if normal[r] == b and gain[hard + r] != 0.0:
                    x += gain[hard + r] * base[a * nc + hard + r]
            work[i * nc + j] = x
    if rank == na:
        for i in range(na):
            for j in range(na):
                matrix[i * na + j] = work[i * nc + j]
            basis[i] = i
    else:
        for i in range(na):
            for j in range(rank):
                share[i * nc + j] = stiff[active[i]] * base[active[i] * nc + active[basis[j]]]
        for i in range(rank):
            for j in range(rank):
                x = 0.0
                for e in range(na):
                    x += work[basis[i] * nc + e] * share[e * nc + j]
                matrix[i * rank + j] = x
    factorise(matrix, rank, i8(H[T.CPIV]))
    flags[STALE] = 0
    flags[MAPPED] = 0
    i8(H[T.STATS])[T.FACTORS] += 1


@hot
def condense(H):  # type: ignore[no-untyped-def]
    """Maps of the pattern just factored, each stored by its argument so that its entries for one follow each other.

    From accelerations to unknowns, from unknowns to forces of the candidates and to accelerations.
    """
    noinline()
    n, nc, hard = H[T.N], H[T.CANDIDATES], H[T.HARD]
    active, basis, flags, rows = i8(H[T.CACT]), i8(H[T.CBASIS]), i8(H[T.CFLAGS]), i8(H[T.CROW])
    ptr, idx, val, columns, b = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL]), f8(H[T.CVAL]), f8(H[T.CRHS])
    inverse, start, onto, share = f8(H[T.CINVERSE]), f8(H[T.CFROM]), f8(H[T.CONTO]), f8(H[T.CSHARE])
    forces, gain, normal = f8(H[T.CFORCES]), f8(H[T.CWEIGHT]), i8(H[T.CNORM])
    na, rank = flags[ACTIVE], flags[RANK]
    flags[MAPPED] = 1
    for k in range(rank):
        for i in range(rank):
            b[i] = 1.0 if i == k else 0.0
        substitute(f8(H[T.CMAT]), rank, i8(H[T.CPIV]), b)
        for i in range(rank):
            inverse[k * nc + i] = b[i]
    for i in range(n * nc):
        start[i] = 0.0
        onto[i] = 0.0
    for i in range(rank * nc):
        forces[i] = 0.0
    for k in range(rank):
        row = rows[active[basis[k]]]
        for e in range(ptr[row], ptr[row + 1]):
            for i in range(rank):
                start[idx[e] * nc + i] += inverse[k * nc + i] * val[e]
        for j in range(na):
            forces[k * nc + active[j]] = share[j * nc + k] if rank < na else (1.0 if j == k else 0.0)
        for r in range(H[T.FRICTIONS]):
            if normal[r] >= 0:
                forces[k * nc + hard + r] += gain[hard + r] * forces[k * nc + normal[r]]
        for c in range(nc):
            x = forces[k * nc + c]
            if x != 0.0:
                for i in range(n):
                    onto[k * n + i] += x * columns[c * n + i]
