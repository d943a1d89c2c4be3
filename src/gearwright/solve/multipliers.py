"""Hard rows and friction rows: multipliers by a small dense system that is factored once per pattern.

Candidates are all hard rows and all friction rows. Active are the hard rows and those friction rows that stick;
their rates obey ``D_c a = gamma``. A friction row that slips on a hard row adds its force, ``e lambda_n`` with
``e = s mu sign(lambda_n)``, to the matrix, so that loss and multiplier are solved together::

    G_ij = D_i M^-1 (D_j + sum of e_r D_r over rows r that slip on row j)^T        G lambda = D a_soft - gamma

Redundant rows: the rank is found by pivoted elimination of ``C M^-1 C^T`` when the pattern changes, and the
force is ``lambda = K C x`` with K the inverse of the rows' compliances: the limit of elastic rows, with losses
too (physics notes, 10). ``FSTATE`` holds -1, 0, +1 (slips backward, sticks, slips forward), ``CSIGN`` the sign of
each hard multiplier that presses a slipping row. Which rows stick is settled together by a warm-started active
set with least-index pivots after eight passes and projected Gauss-Seidel as fallback (numerics page 2, 6).
"""

from __future__ import annotations

import numpy as np

from gearwright.system import hot

from . import explicit_table as T
from .explicit_pointers import evaluator, f8, i8, move_rows, shift
from .explicit_rhs import accelerations, capacity, row_forces, row_motion, signal_rate, signals_at

#: Squared sine of the angle below which a row counts as dependent on others.
DEPENDENT = 1e-10
#: Passes before only the first inconsistent row changes.
ALL_AT_ONCE = 8
#: Relative accuracy of a multiplier: differences below it decide nothing.
NOISE = 1e-10
# numbers in CFLAGS
ACTIVE, RANK, STALE, VARIES = 0, 1, 2, 3


@hot
def factorise(a, n, pivot):  # type: ignore[no-untyped-def]
    """LU with partial pivoting of the (n, n) matrix ``a``, in place; rows swap from the pivot's column on."""
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
    ptr, idx, val = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
    total = 0.0
    for e in range(ptr[row], ptr[row + 1]):
        total += val[e] * x[idx[e]]
    return total


@hot
def base_matrix(H):  # type: ignore[no-untyped-def]
    """``X_c = M^-1 D_c^T`` of all candidates and ``B = D X``."""
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
def friction_capacity(H, r, f, s, toward):  # type: ignore[no-untyped-def]
    """Capacity of friction row ``r`` under the present normal force for motion towards the sign of ``toward``."""
    cap = capacity(H, r, s)
    normal = i8(H[T.FNORM])[r]
    if normal >= 0:
        press = f[normal]
        mu = f8(H[T.FMU1])[r] if press * toward >= 0.0 else f8(H[T.FMU2])[r]
        cap += mu * abs(press)
    return cap


def _margins(H, t, side, g, rate, r):  # type: ignore[no-untyped-def]
    """Margins of the candidates: sign of a multiplier that presses, direction of slip, capacity left."""
    m, hard = H[T.M], H[T.HARD]
    f, s = shift(r, m), shift(r, 2 * m)
    rows, state, sign, normal = i8(H[T.CROW]), i8(H[T.FSTATE]), i8(H[T.CSIGN]), i8(H[T.CNORM])
    width, zero, slip = f8(H[T.FVEL]), f8(H[T.CZERO]), f8(H[T.CSLIP])
    mu1, mu2 = f8(H[T.FMU1]), f8(H[T.FMU2])
    for c in range(H[T.CANDIDATES]):
        g[c] = 1.0
        rate[c] = 0.0
    for q in range(H[T.FRICTIONS]):
        c = hard + q
        row = rows[c]
        if width[q] == 0.0:
            if state[q] == 0:
                g[c] = friction_capacity(H, q, f, s, f[row]) - abs(f[row])
            else:
                g[c] = state[q] * r[row] + 0.01 * zero[c]
        p = normal[q]
        if p >= 0 and slip[q] != 0.0 and (mu1[q] > 0.0 or mu2[q] > 0.0):
            if sign[p] != 0:
                g[p] = sign[p] * f[rows[p]]
            else:
                g[p] = f8(H[T.CNOISE])[0] - abs(f[rows[p]])


@hot
def solve_active(H, b):  # type: ignore[no-untyped-def]
    """Solve ``B x = b`` on the independent active rows (no losses), in place."""
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


@hot
def noise_of(H, r, k):  # type: ignore[no-untyped-def]
    """Size of the forces on the candidates; a part :data:`NOISE` of it decides nothing."""
    m = H[T.M]
    rows, base, nc = i8(H[T.CROW]), f8(H[T.CBASE]), H[T.CANDIDATES]
    ptr, idx, val = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
    a, force = shift(k, H[T.N]), 0.0
    for c in range(nc):
        row = rows[c]
        force = max(force, abs(r[m + row]))
        total = 0.0
        for e in range(ptr[row], ptr[row + 1]):
            total += abs(val[e] * a[idx[e]])
        force = max(force, total / base[c * nc + c])
    return NOISE * force


@hot
def guess_states(H, r):  # type: ignore[no-untyped-def]
    """First guess of all states from the rates, the last states and the monitors that triggered."""
    m, hard = H[T.M], H[T.HARD]
    rows, state, sign = i8(H[T.CROW]), i8(H[T.FSTATE]), i8(H[T.CSIGN])
    width, zero, trigger = f8(H[T.FVEL]), f8(H[T.CZERO]), shift(i8(H[T.TRIGGER]), H[T.GUARDED])
    still = i8(H[T.CNEAR])
    for c in range(H[T.CANDIDATES]):
        row = rows[c]
        if c < hard:
            if trigger[c] != 0:
                sign[c] = -sign[c] if sign[c] != 0 else (1 if r[m + row] > 0.0 else -1)
        elif width[c - hard] == 0.0:
            q = c - hard
            still[q] = 1 if abs(r[row]) <= zero[c] else 0
            if still[q] == 0:
                state[q] = 1 if r[row] > 0.0 else -1
            elif state[q] == 2:
                state[q] = 0
            elif trigger[c] != 0:
                state[q] = (1 if r[m + row] > 0.0 else -1) if state[q] == 0 else 0
        trigger[c] = 0


@hot
def relax(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Fallback: projected Gauss-Seidel over all candidates from the last point; reads the states off the forces."""
    n, m, nc, hard = H[T.N], H[T.M], H[T.CANDIDATES], H[T.HARD]
    rows, state, sign, still = i8(H[T.CROW]), i8(H[T.FSTATE]), i8(H[T.CSIGN]), i8(H[T.CNEAR])
    base, columns, width = f8(H[T.CBASE]), f8(H[T.CVAL]), f8(H[T.FVEL])
    f, s, a = shift(r, m), shift(r, 2 * m), shift(k, n)
    for _ in range(2000):
        change, size = 0.0, 1e-300
        for c in range(nc):
            row = rows[c]
            if c >= hard and width[c - hard] > 0.0:
                continue
            x = f[row]
            if c >= hard and still[c - hard] == 0:
                x = state[c - hard] * friction_capacity(H, c - hard, f, s, float(state[c - hard]))
            else:
                x += (row_times(H, row, a) - demand(H, c, t, side)) / base[c * nc + c]
                if c >= hard:
                    cap = friction_capacity(H, c - hard, f, s, x)
                    x = min(max(x, -cap), cap)
            step = x - f[row]
            f[row] = x
            for i in range(n):
                a[i] -= columns[c * n + i] * step
            change = max(change, abs(step))
            size = max(size, abs(x))
        if change <= 1e-10 * size:
            break
    for c in range(nc):
        x = f[rows[c]]
        if c < hard:
            sign[c] = 1 if x > 0.0 else -1
        elif width[c - hard] == 0.0 and still[c - hard] != 0:
            cap = friction_capacity(H, c - hard, f, s, x)
            state[c - hard] = 0 if abs(x) < cap * (1.0 - 1e-9) else (1 if x > 0.0 else -1)


def _settle(H, t, side, y, k, r):  # type: ignore[no-untyped-def]
    """Decide together which rows at zero rate stick, and the signs that losses take; project the speeds."""
    n, m, hard = H[T.N], H[T.M], H[T.HARD]
    rows, state, sign, still = i8(H[T.CROW]), i8(H[T.FSTATE]), i8(H[T.CSIGN]), i8(H[T.CNEAR])
    width, flags, stats = f8(H[T.FVEL]), i8(H[T.CFLAGS]), i8(H[T.STATS])
    f, s, a = shift(r, m), shift(r, 2 * m), shift(k, n)
    nc = H[T.CANDIDATES]
    stats[T.SETTLES] += 1
    for i in range(n):
        k[i] = y[n + i]
    if H[T.MOVING] > 0:
        move(H, y)
    ptr, idx, val = i8(H[T.PTR]), i8(H[T.IDX]), f8(H[T.VAL])
    for c in range(nc):
        r[rows[c]] = row_times(H, rows[c], k)
    guess_states(H, r)
    _project_hot(H, t, side, y, k, r)
    settled = False
    for turn in range(ALL_AT_ONCE + 4 * nc + 8):
        flags[STALE] = 1
        _joined_hot(H, t, side, y, k, r)
        tiny = noise_of(H, r, k)
        f8(H[T.CNOISE])[0] = tiny
        changed = 0
        for c in range(nc):
            row = rows[c]
            if turn >= ALL_AT_ONCE and changed > 0:
                break
            if c < hard:
                if abs(f[row]) > tiny and sign[c] * f[row] <= 0.0:
                    sign[c] = 1 if f[row] > 0.0 else -1
                    if presses(H, c):
                        changed += 1
                continue
            q = c - hard
            if width[q] > 0.0 or still[q] == 0:
                continue
            if state[q] == 0:
                if abs(f[row]) > friction_capacity(H, q, f, s, f[row]) * (1.0 + 1e-9) + tiny:
                    state[q] = 1 if f[row] > 0.0 else -1
                    changed += 1
            else:
                total = 0.0
                for e in range(ptr[row], ptr[row + 1]):
                    total += abs(val[e] * a[idx[e]])
                noise = NOISE * total + tiny * f8(H[T.CBASE])[c * nc + c]
                if state[q] * (row_times(H, row, a) - demand(H, c, t, side)) < -noise:
                    state[q] = 0
                    changed += 1
        if changed == 0:
            settled = True
            break
    if not settled:
        stats[T.FALLBACKS] += 1
        relax(H, t, side, y, k, r)
    flags[STALE] = 1
    _project_hot(H, t, side, y, k, r)


@hot
def presses(H, c):  # type: ignore[no-untyped-def]
    """Whether a slipping row takes its capacity from hard row ``c``."""
    normal, slip = i8(H[T.CNORM]), f8(H[T.CSLIP])
    found = False
    for q in range(H[T.FRICTIONS]):
        found = found or (normal[q] == c and slip[q] != 0.0)
    return found


_joined_hot = hot(_joined)
_project_hot = hot(_project)
#: Right-hand side of systems with multipliers, called by address like the three that follow.
JOINED = evaluator(_joined)
MARGINS = evaluator(_margins)
PROJECT = evaluator(_project)
SETTLE = evaluator(_settle)
