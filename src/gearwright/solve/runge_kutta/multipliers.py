"""Hard rows and friction rows: multipliers by a small dense system that is factored once per pattern.

Candidates are all hard rows and all friction rows. Active are the hard rows and those friction rows that stick;
their rates obey ``D_c a = gamma``. A friction row that slips on a hard row adds its force, ``e lambda_n`` with
``e = s mu sign(lambda_n)``, to the matrix, so that loss and multiplier are solved together::

    G_ij = D_i M^-1 (D_j + sum of e_r D_r over rows r that slip on row j)^T        G lambda = D a_soft - gamma

Redundant rows: the rank is found by pivoted elimination of ``C M^-1 C^T`` when the pattern changes, and the
force is ``lambda = K C x`` with K the inverse of the rows' compliances: the limit of elastic rows, with losses
too (physics notes, 10). Which rows stick is decided in :mod:`explicit_friction`.

While no row changes its state, multipliers and accelerations are constant linear maps of the accelerations ``a0`` that the
other forces give, so a pattern is condensed once into two small matrices::

    x = A a0 - G^-1 gamma        a = a0 - W x        lambda = x, or K C x with redundant rows

Only coefficients that vary with the rate (smooth losses, tables) and moving rows need new factors at every evaluation.
"""

from __future__ import annotations

from gearwright.kernels import fused, hot
from gearwright.kernels.law_functions import move_rows
from gearwright.kernels.pointers import f8, i8, noinline, shift

from . import table as T
from .multiplier_pattern import (
    ACTIVE,
    MAPPED,
    RANK,
    STALE,
    VARIES,
    base_matrix,
    choose_basis,
    condense,
    factor_pattern,
    row_times,
    slip_factors,
)
from .pointers import evaluator
from .rhs import accelerations, capacity, coefficient, row_forces, row_motion, signal_rate, signals_at
from .small_matrices import factorise, substitute, weighted_sum

#: Rate of an active row, as a part of the sizes it is the difference of, that calls for a projection.
DRIFT = 1e-13


@hot
def move(H, y):  # type: ignore[no-untyped-def]
    """Let the geometry functions rewrite coefficients, ``gamma`` and residuals of the moving rows."""
    noinline()
    address, grow, gp, gpar = i8(H[T.GADDR]), i8(H[T.GROW]), i8(H[T.GP]), f8(H[T.GPAR])
    ptr, val, gamma, residual = i8(H[T.PTR]), f8(H[T.VAL]), f8(H[T.GAMMA]), f8(H[T.RESIDUAL])
    for g in range(H[T.MOVING]):
        row = grow[g]
        move_rows(
            address[g],
            y,
            shift(y, H[T.N]),
            shift(gpar, gp[g]),
            shift(val, ptr[row]),
            shift(gamma, row),
            shift(residual, row),
        )


@hot
def demand(H, c, t, side):  # type: ignore[no-untyped-def]
    """Demanded acceleration of a candidate row: rate of its signal and ``gamma`` of a moving row."""
    x = f8(H[T.GAMMA])[i8(H[T.CROW])[c]]
    if c < H[T.HARD]:
        which = i8(H[T.CRATE])[c]
        if which >= 0:
            x += signal_rate(H, which, t, side)
    return x


@fused
def constrain_by_maps(H, t, side, f, a):  # type: ignore[no-untyped-def]
    """Multipliers of the present pattern from accelerations without them; adds to forces and accelerations."""
    n, nc = H[T.N], H[T.CANDIDATES]
    active, basis, flags, b = i8(H[T.CACT]), i8(H[T.CBASIS]), i8(H[T.CFLAGS]), f8(H[T.CRHS])
    rank = flags[RANK]
    for i in range(rank):
        b[i] = 0.0
    weighted_sum(n, rank, nc, f8(H[T.CFROM]), a, 1.0, b)
    if H[T.DEMANDS] > 0:
        wanted = f8(H[T.CFORCE])
        for k in range(rank):
            wanted[k] = demand(H, active[basis[k]], t, side)
        weighted_sum(rank, rank, nc, f8(H[T.CINVERSE]), wanted, -1.0, b)
    weighted_sum(rank, nc, nc, f8(H[T.CFORCES]), b, 1.0, shift(f, H[T.CFIRST]))
    weighted_sum(rank, n, n, f8(H[T.CONTO]), b, -1.0, a)


@hot
def moved_accelerations(H, f, s, a):  # type: ignore[no-untyped-def]
    """Accelerations from the present coefficients of the rows."""
    noinline()
    n = H[T.N]
    ptr, idx, val, mask = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL]), f8(H[T.MASK])
    mptr, midx, minv, work = i8(H[T.MPTR]), i8(H[T.MIDX]), f8(H[T.MINV]), f8(H[T.RESULTANT])
    listed, acc0 = i8(H[T.FROW]), f8(H[T.ACC0])
    for i in range(n):
        work[i] = 0.0
    for j in range(H[T.FORCES]):
        row = listed[j]
        for e in range(ptr[row], ptr[row + 1]):
            work[idx[e]] += val[e] * f[row] * mask[idx[e]]
    for i in range(n):
        x = acc0[i]
        for e in range(mptr[i], mptr[i + 1]):
            x -= minv[e] * work[midx[e]]
        a[i] = x
    xi, xu, xv = i8(H[T.XI]), i8(H[T.XU]), f8(H[T.XV])
    for e in range(H[T.DRIVEN]):
        a[xi[e]] += xv[e] * s[xu[e]]


@hot
def plain_forces(H, f, s, dv):  # type: ignore[no-untyped-def]
    """What slipping rows carry of themselves, without multipliers: rows with a capacity or a known normal force."""
    rows, fnorm, normal, listed = i8(H[T.FRIC]), i8(H[T.FNORM]), i8(H[T.CNORM]), i8(H[T.OWNLIST])
    kind, slip = i8(H[T.FKIND]), f8(H[T.CSLIP])
    for j in range(H[T.OWNS]):
        r = listed[j]
        row, side = rows[r], slip[r]
        if side == 0.0:
            f[row] = 0.0
            continue
        if kind[r] == T.SWITCHED:  # never pressed by a hard row here: those have no force of their own
            f[row] = side * coefficient(H, r, dv[row], side) * f[fnorm[r]]
            continue
        cap = capacity(H, r, s)
        if normal[r] < 0 and fnorm[r] >= 0:
            press = f[fnorm[r]]
            cap += coefficient(H, r, dv[row], press * side) * abs(press)
        elif normal[r] < 0:
            cap += coefficient(H, r, dv[row], side)
        f[row] = side * cap


@hot
def constrain(H, t, side, f, s, a):  # type: ignore[no-untyped-def]
    """Solve the multipliers with new factors; writes forces and accelerations."""
    noinline()
    n, nc, hard = H[T.N], H[T.CANDIDATES], H[T.HARD]
    rows, active, basis, flags = i8(H[T.CROW]), i8(H[T.CACT]), i8(H[T.CBASIS]), i8(H[T.CFLAGS])
    columns, share, b, normal = f8(H[T.CVAL]), f8(H[T.CSHARE]), f8(H[T.CRHS]), i8(H[T.CNORM])
    gain, added = f8(H[T.CWEIGHT]), f8(H[T.CFORCE])
    factor_pattern(H)
    na, rank = flags[ACTIVE], flags[RANK]
    for i in range(rank):
        c = active[basis[i]]
        b[i] = row_times(H, rows[c], a) - demand(H, c, t, side)
    substitute(f8(H[T.CMAT]), rank, i8(H[T.CPIV]), b)
    for c in range(nc):
        added[c] = 0.0
    for i in range(na):
        x = b[i]
        if rank < na:
            x = 0.0
            for j in range(rank):
                x += share[i * nc + j] * b[j]
        added[active[i]] = x
    for r in range(H[T.FRICTIONS]):
        if gain[hard + r] != 0.0:
            added[hard + r] += gain[hard + r] * added[normal[r]]
    for c in range(nc):
        x = added[c]
        if x != 0.0:
            f[rows[c]] += x
            for i in range(n):
                a[i] -= columns[c * n + i] * x


def _joined(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Derivative and rows of a system with multipliers or moving rows."""
    n = H[T.N]
    m = H[T.M]
    f, s = shift(r, m), shift(r, 2 * m)
    if H[T.VARYING] > 0:
        signals_at(H, t, side, s)
    for i in range(n):
        k[i] = y[n + i]
    if H[T.MOVING] > 0:
        move(H, y)
    row_motion(H, y, r)
    if H[T.MOVING] > 0:
        d, off, residual, moved = f8(H[T.ROW]), f8(H[T.OFF]), f8(H[T.RESIDUAL]), i8(H[T.MROW])
        for j in range(H[T.MOVED]):
            d[moved[j]] = off[moved[j]] + residual[moved[j]]
    for i in range(H[T.CFIRST], H[T.CEND]):
        f[i] = 0.0
    row_forces(H, t, y, k, r)
    flags = i8(H[T.CFLAGS])
    a = shift(k, n)
    if flags[VARIES] != 0 or flags[STALE] != 0:
        # a pattern that is only tried while states are settled is not worth its maps
        slip_factors(H, r)
        plain_forces(H, f, s, r)
        if H[T.MOVING] > 0:
            base_matrix(H)
            moved_accelerations(H, f, s, a)
        else:
            accelerations(H, f, s, a)
        constrain(H, t, side, f, s, a)
        return
    if flags[MAPPED] == 0:
        condense(H)
    plain_forces(H, f, s, r)
    accelerations(H, f, s, a)
    constrain_by_maps(H, t, side, f, a)


@hot
def solve_active(H, b):  # type: ignore[no-untyped-def]
    """Solve ``B x = b`` on the independent active rows (no losses), in place."""
    noinline()
    nc = H[T.CANDIDATES]
    active, basis, base, work = i8(H[T.CACT]), i8(H[T.CBASIS]), f8(H[T.CBASE]), f8(H[T.CSHARE])
    rank = i8(H[T.CFLAGS])[RANK]
    for i in range(rank):
        for j in range(rank):
            work[i * rank + j] = base[active[basis[i]] * nc + active[basis[j]]]
    factorise(work, rank, i8(H[T.CPIV]))
    substitute(work, rank, i8(H[T.CPIV]), b)


@hot
def drifted(H, v, s):  # type: ignore[no-untyped-def]
    """Whether the rate of an active row has left its demand by more than round-off of its parts."""
    noinline()
    rows, active, ptr, idx, val = i8(H[T.CROW]), i8(H[T.CACT]), i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
    for j in range(i8(H[T.CFLAGS])[ACTIVE]):
        c = active[j]
        total, size = 0.0, 0.0
        if c < H[T.HARD] and i8(H[T.CRATE])[c] >= 0:
            total = -s[i8(H[T.CRATE])[c]]
            size = abs(total)
        for e in range(ptr[rows[c]], ptr[rows[c] + 1]):
            x = val[e] * v[idx[e]]
            total += x
            size += abs(x)
        if abs(total) > DRIFT * size:
            return True
    return False


def _project(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Put positions of moving rows and rates of all active rows on their demands; book the impulse.

    Positions move by the least distance in the mass norm, which is of the size of the error of a step.
    """
    n = H[T.N]
    rows, active, basis, flags = i8(H[T.CROW]), i8(H[T.CACT]), i8(H[T.CBASIS]), i8(H[T.CFLAGS])
    columns, b, gap, want = f8(H[T.CVAL]), f8(H[T.CRHS]), f8(H[T.CFORCE]), f8(H[T.CKEY])
    v, s = shift(y, n), shift(r, 2 * H[T.M])
    if H[T.MOVING] == 0 and flags[STALE] == 0 and not drifted(H, v, s):
        return
    if H[T.MOVING] > 0:
        residual = f8(H[T.RESIDUAL])
        for _ in range(3):
            move(H, y)
            base_matrix(H)
            choose_basis(H)
            for i in range(flags[RANK]):
                b[i] = residual[rows[active[basis[i]]]]
            solve_active(H, b)
            for i in range(flags[RANK]):
                for j in range(n):
                    y[j] -= columns[active[basis[i]] * n + j] * b[i]
        move(H, y)
        base_matrix(H)
    if H[T.VARYING] > 0:
        signals_at(H, t, side, s)
    choose_basis(H)
    for i in range(flags[RANK]):
        c = active[basis[i]]
        want[i] = 0.0
        if c < H[T.HARD] and i8(H[T.CRATE])[c] >= 0:
            want[i] = s[i8(H[T.CRATE])[c]]
        gap[i] = row_times(H, rows[c], v) - want[i]
        b[i] = gap[i]
    solve_active(H, b)
    for i in range(flags[RANK]):
        c = active[basis[i]]
        for j in range(n):
            v[j] -= columns[c * n + j] * b[i]
        f8(H[T.IMPACT])[0] += 0.5 * b[i] * gap[i]
        f8(H[T.ROW_WORK])[rows[c]] += b[i] * want[i]
    flags[STALE] = 1


#: Right-hand side of systems with multipliers, called by address.
JOINED = evaluator(_joined)
#: Projection of positions and speeds, called by address.
PROJECT = evaluator(_project)
