"""Hard rows and friction rows: multipliers by a small dense system that is factored once per pattern.

Candidates are all hard rows and all friction rows. Active are the hard rows and those friction rows that stick;
their rates obey ``D_c a = gamma``. A friction row that slips on a hard row adds its force, ``e lambda_n`` with
``e = s mu sign(lambda_n)``, to the matrix, so that loss and multiplier are solved together::

    G_ij = D_i M^-1 (D_j + sum of e_r D_r over rows r that slip on row j)^T        G lambda = D a_soft - gamma

Redundant rows: the rank is found by pivoted elimination of ``C M^-1 C^T`` when the pattern changes, and the
force is ``lambda = K C x`` with K the inverse of the rows' compliances: the limit of elastic rows, with losses
too (physics notes, 10). Which rows stick is decided in :mod:`explicit_friction`.
"""

from __future__ import annotations

import numpy as np

from gearwright.system import hot

from . import explicit_table as T
from .explicit_pointers import apart, evaluator, f8, i8, move_rows, shift
from .explicit_rhs import accelerations, capacity, row_forces, row_motion, signal_rate, signals_at

#: Squared sine of the angle below which a row counts as dependent on others.
DEPENDENT = 1e-10
# numbers in CFLAGS
ACTIVE, RANK, STALE, VARIES = 0, 1, 2, 3


@hot
def factorise(a, n, pivot):  # type: ignore[no-untyped-def]
    """LU with partial pivoting of the (n, n) matrix ``a``, in place; rows swap from the pivot's column on."""
    apart()
    for j in range(n):
        best = j
        for i in range(j + 1, n):
            if abs(a[i * n + j]) > abs(a[best * n + j]):
                best = i
        pivot[j] = best
        if best != j:
            for c in range(j, n):
                x = a[j * n + c]
                a[j * n + c] = a[best * n + c]
                a[best * n + c] = x
        inverse = 1.0 / a[j * n + j]
        for i in range(j + 1, n):
            x = a[i * n + j] * inverse
            a[i * n + j] = x
            for c in range(j + 1, n):
                a[i * n + c] -= x * a[j * n + c]


@hot
def substitute(a, n, pivot, b):  # type: ignore[no-untyped-def]
    """Solve with the factors of :func:`factorise`, in place."""
    apart()
    for j in range(n):
        p = pivot[j]
        x = b[p]
        b[p] = b[j]
        b[j] = x
        for i in range(j + 1, n):
            b[i] -= a[i * n + j] * x
    for j in range(n - 1, -1, -1):
        x = b[j]
        for c in range(j + 1, n):
            x -= a[j * n + c] * b[c]
        b[j] = x / a[j * n + j]


@hot
def move(H, y):  # type: ignore[no-untyped-def]
    """Let the geometry functions rewrite coefficients, ``gamma`` and residuals of the moving rows."""
    apart()
    address, grow, gp, gpar = i8(H[T.GADDR]), i8(H[T.GROW]), i8(H[T.GP]), f8(H[T.GPAR])
    ptr, val, gamma, residual = i8(H[T.PTR]), f8(H[T.VAL]), f8(H[T.GAMMA]), f8(H[T.RESIDUAL])
    for g in range(H[T.MOVING]):
        row = grow[g]
        move_rows(
            address[g], y, shift(y, H[T.N]), shift(gpar, gp[g]), shift(val, ptr[row]), shift(gamma, row),
            shift(residual, row),
        )  # fmt: skip


@hot
def inverse_mass_times_row(H, row, out):  # type: ignore[no-untyped-def]
    """``out = M^-1 D_row^T`` (prescribed coordinates feel no force)."""
    apart()
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
    apart()
    ptr, idx, val = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
    total = 0.0
    for e in range(ptr[row], ptr[row + 1]):
        total += val[e] * x[idx[e]]
    return total


@hot
def base_matrix(H):  # type: ignore[no-untyped-def]
    """``X_c = M^-1 D_c^T`` of all candidates and ``B = D X``."""
    apart()
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
    apart()
    nc, hard = H[T.CANDIDATES], H[T.HARD]
    base, active, basis = f8(H[T.CBASE]), i8(H[T.CACT]), i8(H[T.CBASIS])
    work, left, state, flags = f8(H[T.CWORK]), f8(H[T.CKEY]), i8(H[T.FSTATE]), i8(H[T.CFLAGS])
    width = f8(H[T.FVEL])
    na = 0
    for c in range(nc):
        if c < hard or (width[c - hard] == 0.0 and state[c - hard] == 0):
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
    """``s`` of every slipping row and ``e = s mu sign`` of those pressed by a hard row."""
    apart()
    hard = H[T.HARD]
    state, sign, normal = i8(H[T.FSTATE]), i8(H[T.CSIGN]), i8(H[T.CNORM])
    mu1, mu2, width, rows = f8(H[T.FMU1]), f8(H[T.FMU2]), f8(H[T.FVEL]), i8(H[T.FRIC])
    slip, gain = f8(H[T.CSLIP]), f8(H[T.CWEIGHT])
    for r in range(H[T.FRICTIONS]):
        s = float(state[r]) if state[r] < 2 else 0.0
        if width[r] > 0.0:
            s = np.tanh(dv[rows[r]] / width[r])
        slip[r] = s
        gain[hard + r] = 0.0
        if normal[r] >= 0 and s != 0.0:
            press = sign[normal[r]]
            mu = mu1[r] if press * s >= 0.0 else mu2[r]
            gain[hard + r] = s * mu * press


@hot
def factor_pattern(H):  # type: ignore[no-untyped-def]
    """Matrix of the active rows for the present pattern of sticking, slipping and signs, factored."""
    apart()
    nc, hard = H[T.CANDIDATES], H[T.HARD]
    base, active, basis, flags = f8(H[T.CBASE]), i8(H[T.CACT]), i8(H[T.CBASIS]), i8(H[T.CFLAGS])
    matrix, share, gain, normal = f8(H[T.CMAT]), f8(H[T.CSHARE]), f8(H[T.CWEIGHT]), i8(H[T.CNORM])
    stiff, work = f8(H[T.CSTIFF]), f8(H[T.CWORK])
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
    i8(H[T.STATS])[T.FACTORS] += 1


@hot
def demand(H, c, t, side):  # type: ignore[no-untyped-def]
    """Demanded acceleration of a candidate row: rate of its signal and ``gamma`` of a moving row."""
    x = f8(H[T.GAMMA])[i8(H[T.CROW])[c]]
    if c < H[T.HARD]:
        which = i8(H[T.CRATE])[c]
        if which >= 0:
            x += signal_rate(H, which, t, side)
    return x


@hot
def moved_accelerations(H, f, s, a):  # type: ignore[no-untyped-def]
    """Accelerations from the present coefficients of the rows."""
    apart()
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
def plain_forces(H, f, s):  # type: ignore[no-untyped-def]
    """Forces of the candidates without multipliers: what slipping rows carry of themselves, zero elsewhere."""
    apart()
    hard = H[T.HARD]
    rows, normal, fnorm = i8(H[T.CROW]), i8(H[T.CNORM]), i8(H[T.FNORM])
    mu1, mu2, width, slip = f8(H[T.FMU1]), f8(H[T.FMU2]), f8(H[T.FVEL]), f8(H[T.CSLIP])
    for c in range(hard):
        f[rows[c]] = 0.0
    for r in range(H[T.FRICTIONS]):
        if width[r] > 0.0 and normal[r] < 0:
            continue  # smooth and pressed by a known force: done with the soft rows
        cap = capacity(H, r, s)
        if normal[r] < 0 and fnorm[r] >= 0:
            press = f[fnorm[r]]
            cap += (mu1[r] if press * slip[r] >= 0.0 else mu2[r]) * abs(press)
        elif normal[r] < 0:
            cap += mu1[r] if slip[r] >= 0.0 else mu2[r]
        f[rows[hard + r]] = slip[r] * cap


@hot
def constrain(H, t, side, f, s, a):  # type: ignore[no-untyped-def]
    """Solve the multipliers for the present pattern; writes forces and accelerations."""
    n, nc, hard = H[T.N], H[T.CANDIDATES], H[T.HARD]
    rows, active, basis, flags = i8(H[T.CROW]), i8(H[T.CACT]), i8(H[T.CBASIS]), i8(H[T.CFLAGS])
    columns, share, b, normal = f8(H[T.CVAL]), f8(H[T.CSHARE]), f8(H[T.CRHS]), i8(H[T.CNORM])
    gain, added = f8(H[T.CWEIGHT]), f8(H[T.CFORCE])
    plain_forces(H, f, s)
    if H[T.MOVING] > 0:
        base_matrix(H)
        moved_accelerations(H, f, s, a)
    else:
        accelerations(H, f, s, a)
    if flags[STALE] != 0 or flags[VARIES] != 0:
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
    row_forces(H, t, y, k, r)
    slip_factors(H, r)
    constrain(H, t, side, f, s, shift(k, n))


@hot
def solve_active(H, b):  # type: ignore[no-untyped-def]
    """Solve ``B x = b`` on the independent active rows (no losses), in place."""
    apart()
    nc = H[T.CANDIDATES]
    active, basis, base, work = i8(H[T.CACT]), i8(H[T.CBASIS]), f8(H[T.CBASE]), f8(H[T.CSHARE])
    rank = i8(H[T.CFLAGS])[RANK]
    for i in range(rank):
        for j in range(rank):
            work[i * rank + j] = base[active[basis[i]] * nc + active[basis[j]]]
    factorise(work, rank, i8(H[T.CPIV]))
    substitute(work, rank, i8(H[T.CPIV]), b)


def _project(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Put positions of moving rows and rates of all active rows on their demands; book the impulse.

    Positions move by the least distance in the mass norm, which is of the size of the error of a step.
    """
    n = H[T.N]
    rows, active, basis, flags = i8(H[T.CROW]), i8(H[T.CACT]), i8(H[T.CBASIS]), i8(H[T.CFLAGS])
    columns, b, gap, want = f8(H[T.CVAL]), f8(H[T.CRHS]), f8(H[T.CFORCE]), f8(H[T.CKEY])
    v, s = shift(y, n), shift(r, 2 * H[T.M])
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
