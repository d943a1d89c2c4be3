"""Fills the table of the explicit engine: everything a system needs, laid out once, before the first step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import Compiled
from gearwright.system import Channel, System
from gearwright.system.sparse import Sparse

from . import nystrom as explicit_nystrom
from . import step as explicit_step
from . import table as T
from .friction import MARGINS, SETTLE
from .multipliers import JOINED, PROJECT
from .rhs import SOFT
from .tiles import WIDE, alike, tiles
from .together import fill_together
from .weights import bends

if TYPE_CHECKING:
    from .step import Method

#: Tolerance up to which Dormand and Prince step what does not bend.
TIGHTEST = 9e-7
#: Squared sine of the angle, in the metric of the inverse mass, below which a hard row depends on others.
DEPENDENT = 1e-10
#: Coefficient of a row along which nothing moves: its force is a report.
NOTHING = 1e-290


def needs_multipliers(system: System) -> bool:
    """Whether a system has hard rows, set-valued friction rows or rows that move."""
    a = system.arrays
    return bool(system.shape.hard or (a.fvel == 0.0).any() or len(a.grow))


def dependent_rows(system: System) -> tuple[str, ...]:
    """Names of the hard rows that follow from hard rows before them; their force is shared by compliance."""
    a = system.arrays
    if not len(a.hard):
        return ()
    gram = _candidate_gram(system, a.hard.astype(int))
    size = np.sqrt(np.diag(gram))
    gram = gram / size[:, None] / size
    found, factor = [], np.zeros((0, len(gram)))
    for i in range(len(gram)):
        rest = gram[i] - factor.T @ factor[:, i] if len(factor) else gram[i].copy()
        if rest[i] <= DEPENDENT:
            found.append(system.rows[int(a.hard[i])])
        else:
            factor = np.vstack([factor, rest / np.sqrt(rest[i])])
    return tuple(found)


def _inverse_mass(system: System) -> Sparse:
    a, n = system.arrays, system.shape.coordinates
    return Sparse(a.minv, a.midx, a.mptr, (n, n))


def _candidate_gram(system: System, rows: Any) -> Any:
    """``D M^-1 D^T`` of some rows; prescribed coordinates feel no force."""
    d = system.D[rows].toarray()
    free = d.copy()
    free[:, list(system.prescribed)] = 0.0
    return free @ (_inverse_mass(system) @ free.T)


def refusal(system: System) -> str | None:
    """Why the engine cannot run a system, or None."""
    a, names = system.arrays, system.rows
    friction = set(a.fric.astype(int))
    for row, normal in zip(a.fric, a.fnorm, strict=True):
        if int(normal) in friction:
            return (
                f"Friction row '{names[int(row)]}' is pressed by '{names[int(normal)]}', which is a friction row itself; "
                "press it by a hard row, a spring or a law."
            )
    candidates = np.concatenate([a.hard, a.fric]).astype(int)
    if len(candidates) and not len(a.grow):
        still = candidates[np.diag(_candidate_gram(system, candidates)) <= 0.0]
        if len(still):
            return f"Row '{names[int(still[0])]}' acts on prescribed coordinates only; leave it out."
    for first, count in zip(a.grow, a.gn, strict=True):
        block = system.D[int(first) : int(first) + int(count)]
        if set(block.indices) & set(system.prescribed):
            return f"Row '{names[int(first)]}' moves and acts on a prescribed coordinate; drive it by a hard row with a rate."
    return None


def method(system: System, tolerance: float) -> Method:
    """The method: Nyström's for what is elastic, where accelerations do not jump within steps, as friction lets them. Where nothing
    bends within steps, Dormand and Prince close the book of energy better at the tightest tolerances."""
    elastic = system.row_stiffness().any() and (tolerance > TIGHTEST or bends(system))
    return explicit_nystrom.METHOD if elastic and not needs_multipliers(system) else explicit_step.METHOD


def needed(system: System, tolerance: float) -> dict[int, Compiled]:
    """Compiled functions that the system needs, by their slot."""
    stages = method(system, tolerance).stages
    if not needs_multipliers(system):
        return {T.STAGES: stages, T.EVALUATE: SOFT}
    return {T.STAGES: stages, T.EVALUATE: JOINED, T.MARGINS: MARGINS, T.PROJECT: PROJECT, T.SETTLE: SETTLE}


def fill(table: T.Table, system: System, channels: tuple[Channel, ...], tolerance: float) -> None:
    """Write sizes, arrays and the addresses of the compiled functions that the system needs."""
    for slot, function in needed(system, tolerance).items():
        table.size(slot, function.address)
    _method(table, method(system, tolerance))
    # the engine's own inputs follow those of the user: see Builder.prescribe
    m = system.shape.rows
    nr = 2 * m + len(system.signals)
    guarded = np.flatnonzero(system.arrays.lguard)
    _sizes(table, system, nr, len(guarded), len(channels))
    _arrays(table, system, guarded)
    _room(table, system)
    fill_together(table, system)
    joined = needs_multipliers(system)
    _monitors(table, len(guarded) + (system.shape.hard + system.shape.friction if joined else 0))
    inverse = _inverse_mass(system).scipy
    _force_map(table, system, inverse)
    _signals_and_inputs(table, system, inverse, nr, m)
    _prescribed(table, system, inverse)
    if joined:
        _multipliers(table, system, inverse)
    _rigid_motions(table, system)
    _lines(table, system, channels)


def _sizes(table: T.Table, system: System, nr: int, guarded: int, channels: int) -> None:
    s = system.shape
    padded = _fours(2 * s.coordinates + s.states)  # whole vectors of four
    sizes = {T.N: s.coordinates, T.M: s.rows, T.L: s.laws, T.NS: len(system.signals), T.NZ: s.states, T.NY: padded}
    sizes |= {T.NR: nr, T.FIRST_SPRING: s.rows - s.springs, T.SPRINGS: s.springs, T.RIGID: s.rigid}
    sizes |= {T.GUARDED: guarded, T.CHANNELS: channels, T.FRICTIONS: s.friction, T.HARD: s.hard}
    for slot, value in sizes.items():
        table.size(slot, value)


def _arrays(table: T.Table, system: System, guarded: NDArray[np.int64]) -> None:
    """The arrays of the system as they are."""
    a = system.arrays
    whole = {T.PTR: a.ptr, T.IDX: a.idx, T.LROW: a.lrow, T.LP: a.lp, T.LZ: a.lz, T.SPTR: a.sptr, T.GLAW: guarded}
    whole |= {T.FRIC: a.fric, T.LADDR: a.laddr, T.LGUARD: a.lguard, T.FNORM: a.fnorm, T.FSIG: a.fsig, T.FTP: a.ftp}
    for slot, values in whole.items():
        table.put(slot, values, np.int64)
    real = {T.VAL: a.val.copy(), T.OFF: a.off, T.K: a.k, T.C: a.c, T.F0: a.f0, T.PAR: a.par, T.U: a.u, T.RHO: a.rho}
    real |= {T.SSTART: a.sstart, T.SCOEF: a.scoef, T.SSIN: a.ssin, T.SDT: a.sdt, T.CHAT: a.chat, T.FTAB: a.ftab}
    real |= {T.FMU1: a.fmu1, T.FMU2: a.fmu2, T.FCAP: a.fcap, T.FVEL: a.fvel}
    for slot, numbers in real.items():
        table.put(slot, numbers)
    table.put_lines(T.BASE, np.append(a.off, np.zeros(WIDE - 1)))
    # a smooth row on a hard row depends on the multiplier and is solved with it
    listed = np.flatnonzero((a.fvel > 0.0) & ~np.isin(a.fnorm, a.hard))
    table.size(T.SMOOTH, len(listed))
    table.put(T.SMOOTHLIST, listed, np.int64)


def _room(table: T.Table, system: System) -> None:
    """Room for state, stages, rows and counters."""
    n, m, ny = system.shape.coordinates, system.shape.rows, int(table.slots[T.NY])
    for slot, size in ((T.JUMP, n), (T.MARGIN, 2), (T.CARRY, 7)):
        table.put(slot, np.zeros(size))
    for slot in (T.Y, T.YEND, T.YSTAGE, T.YSAMPLE, T.WEIGHT):
        table.put_lines(slot, np.zeros(ny))
    table.put_lines(T.KS, np.zeros(9 * ny))
    for slot in (T.ROW, T.MISS, T.LOAD_WEIGHT, T.LOADS, T.WIDTH):
        table.put_lines(slot, np.zeros(m + WIDE - 1))
    table.put(T.STATS, np.zeros(len(T.COUNTERS)), np.int64)


def _monitors(table: T.Table, count: int) -> None:
    """Room for the margins of all monitors."""
    table.size(T.MONITORS, count)
    for slot in (T.G0, T.GR0, T.G1, T.GR1, T.GCURVE, T.GLOW, T.GHIGH):
        table.put(slot, np.zeros(count))
    for slot in (T.NEXT, T.TRIGGER):
        table.put(slot, np.zeros(count), np.int64)


def _force_map(table: T.Table, system: System, inverse: Any) -> None:
    """Accelerations by forces, and which rows have forces of laws, of friction or none."""
    import scipy.sparse as sp

    a, s = system.arrays, system.shape
    n, m = s.coordinates, s.rows
    force_map = sp.csc_matrix((a.cval, a.crow.astype(np.int32), a.cptr.astype(np.int32)), shape=(m, n)).T
    force_map = force_map @ sp.diags(np.where(_multiplied(system), 0.0, 1.0))
    force_map.eliminate_zeros()
    product = (inverse @ force_map).tocsr()
    product.sort_indices()
    _tiles(table, system, product)
    table.size(T.CFIRST, m - s.springs - s.friction - s.hard)
    table.size(T.CEND, m - s.springs)
    force_rows = np.array([r for b in range(s.laws) for r in range(int(a.lrow[b]), int(a.lrow[b]) + int(a.lnf[b]))])
    force_rows = np.concatenate([force_rows, np.arange(m - s.springs - s.friction - s.hard, m)])
    table.size(T.FORCES, len(force_rows))
    table.put(T.FROW, force_rows, np.int64)
    idle = np.setdiff1d(np.arange(m), force_rows)
    table.size(T.IDLE, len(idle))
    table.put(T.IDLE_ROWS, idle, np.int64)
    table.size(T.FIRST_DAMPED, int(np.flatnonzero(a.chat)[0]) if a.chat.any() else m)


def _rigid_motions(table: T.Table, system: System) -> None:
    """What takes rigid motions out of the positions."""
    n, rigid, u = system.shape.coordinates, system.shape.rigid, system.u
    mass = system.mass.toarray() if rigid else np.zeros((n, n))
    gram = u @ mass @ u.T
    table.put(T.PROJECTION, np.linalg.solve(gram, u @ mass) if rigid else np.zeros(0))


def _lines(table: T.Table, system: System, channels: tuple[Channel, ...]) -> None:
    """Channels as tiles of sums over what the loop has at a sample."""
    import scipy.sparse as sp

    lines = system.lines(channels)
    table.put(T.LBASE, lines.base, np.int64)
    stack = table.put(T.STACK, np.zeros(int(lines.base[-1]) + 1 + system.shape.rigid))
    shape = len(channels), len(stack)
    sums = sp.csr_matrix((lines.coef, lines.idx.astype(np.int32), lines.ptr.astype(np.int32)), shape=shape)
    found = tiles(sums, True)
    table.size(T.LINE_GROUPS, len(found["sizes"]))
    for slot, name in ((T.LINE_ORDER, "order"), (T.LINE_SIZES, "sizes"), (T.LINE_COLUMNS, "columns")):
        table.put(slot, found[name], np.int64)
    table.put_lines(T.LINE_VALUES, found["values"])
    table.put(T.LINE_ROOM, np.zeros(2 * WIDE))


def _method(table: T.Table, chosen: Method) -> None:
    """What the loop must know of a method beside its step."""
    booked = [*chosen.booked, *[(chosen.booked[-1][0], 0.0)] * (len(chosen.booked) % 2)]
    table.size(T.PER_STEP, chosen.evaluations)
    table.size(T.ENDS, int(chosen.ends))
    table.size(T.BOOKED, len(booked))
    table.put(T.BOOK_SLOTS, [slot for slot, _ in booked], np.int64)
    table.put(T.BOOK_WEIGHTS, [weight for _, weight in booked])


def _tiles(table: T.Table, system: System, product: Any) -> None:
    """Tiles of the rows and of the accelerations; ``product`` (n, m) turns forces into accelerations."""
    a, i8 = system.arrays, np.int64
    rows = system.D.scipy.copy()
    rows.data[np.abs(rows.data) <= NOTHING] = 0.0
    if len(a.grow):  # rows that move are not made of tiles
        rows = rows[:0]
    found = tiles(rows, False)
    table.size(T.ROW_GROUPS, len(found["sizes"]))
    for slot, name in ((T.ROW_ORDER, "order"), (T.ROW_SIZES, "sizes"), (T.ROW_COLUMNS, "columns")):
        table.put(slot, found[name], i8)
    table.put_lines(T.ROW_VALUES, found["values"])
    product.data[np.abs(product.data) <= NOTHING] = 0.0
    place = alike(product)
    found = tiles((-product[place]).tocsr(), True)
    table.size(T.ACC_GROUPS, len(found["sizes"]))
    for slot, name in ((T.ACC_ORDER, "order"), (T.ACC_SIZES, "sizes"), (T.ACC_COLUMNS, "columns")):
        table.put(slot, found[name], i8)
    table.put_lines(T.ACC_VALUES, found["values"])
    table.put(T.ACC_PLACE, place, i8)
    table.put(T.SPILL, np.zeros(WIDE))
    table.put_lines(T.ACC_SUMS, np.zeros(len(place) + WIDE - 1))


def _fours(n: int) -> int:
    """The next multiple of four."""
    return -(-n // 4) * 4


def _signals_and_inputs(table: T.Table, system: System, inverse: Any, nr: int, m: int) -> None:
    a = system.arrays
    n, ns = system.shape.coordinates, len(system.signals)
    fixed = np.array([len(x.start) == 1 and not x.coefficients[0, 1:].any() and not x.sine[0] for x in system.signals])
    rows = np.zeros(9 * nr)
    for slot in range(9):
        for i in np.flatnonzero(fixed):
            rows[slot * nr + 2 * m + i] = system.signals[i].coefficients[0, 0]
    table.put_lines(T.RS, rows)
    varying = np.flatnonzero(~fixed)
    table.size(T.VARYING, len(varying))
    table.put(T.VARI, varying, np.int64)
    import scipy.sparse as sp

    gain = (inverse @ sp.csr_matrix((a.bv, (a.bi.astype(np.int32), a.bu.astype(np.int32))), shape=(n, ns))).tocoo()
    constant = np.zeros(n)
    driven = []
    for i, j, value in zip(gain.row, gain.col, gain.data, strict=True):
        if fixed[j]:
            constant[i] += value * system.signals[j].coefficients[0, 0]
        else:
            driven.append((i, j, value))
    table.put(T.ACC0, constant)
    table.put_lines(T.ACC_BASE, np.append(constant[table.arrays[T.ACC_PLACE]], np.zeros(WIDE - 1)))
    table.size(T.DRIVEN, len(driven))
    table.put(T.XI, [x[0] for x in driven], np.int64)
    table.put(T.XU, [x[1] for x in driven], np.int64)
    table.put(T.XV, [x[2] for x in driven])
    own = [j for j, i in enumerate(a.bi) if int(i) in system.prescribed]
    count = own[0] if own else len(a.bi)
    table.size(T.INPUTS, count)
    table.put(T.BI, a.bi, np.int64)
    table.put(T.BU, a.bu, np.int64)
    table.put(T.BV, a.bv)
    table.put(T.FIXED, [fixed[u] for u in a.bu], np.int64)


def _prescribed(table: T.Table, system: System, inverse: Any) -> None:
    """Rows of the mass, columns of D and jumps of the free coordinates that go with prescribed coordinates."""
    mass, rows = system.mass.scipy, system.D.scipy.tocsc()
    lists: dict[int, list[Any]] = {slot: [] for slot in (T.PMP, T.PMI, T.PMV, T.PDP, T.PDR, T.PDV, T.PJP, T.PJI, T.PJV)}
    for slot in (T.PMP, T.PDP, T.PJP):
        lists[slot].append(0)
    coupling = mass.tolil(copy=True)
    for p in system.prescribed:
        coupling[p, :] = 0.0
    coupling = coupling.tocsc()
    for p in system.prescribed:
        line = mass[p]
        lists[T.PMI] += list(line.indices)
        lists[T.PMV] += list(line.data)
        lists[T.PMP].append(len(lists[T.PMI]))
        column = rows[:, p]
        lists[T.PDR] += list(column.indices)
        lists[T.PDV] += list(column.data)
        lists[T.PDP].append(len(lists[T.PDR]))
        along = -(inverse @ coupling[:, p]).toarray().ravel()
        for i in np.flatnonzero(along):
            lists[T.PJI].append(i)
            lists[T.PJV].append(along[i])
        lists[T.PJP].append(len(lists[T.PJI]))
    table.size(T.PRESCRIBED, len(system.prescribed))
    table.put(T.PRI, list(system.prescribed), np.int64)
    table.put(T.PRS, list(system.prescribed.values()), np.int64)
    for slot, values in lists.items():
        table.put(slot, values, np.float64 if slot in (T.PMV, T.PDV, T.PJV) else np.int64)


def _multipliers(table: T.Table, system: System, inverse: Any) -> None:
    """Candidates of multipliers and moving rows."""
    a, s, i8 = system.arrays, system.shape, np.int64
    n, m = s.coordinates, s.rows
    rows = np.concatenate([a.hard, a.fric]).astype(int)
    nc = len(rows)
    table.size(T.CANDIDATES, nc)
    table.put(T.CROW, rows, i8)
    place = {int(row): c for c, row in enumerate(a.hard)}
    table.put(T.CNORM, [place.get(int(row), -1) for row in a.fnorm], i8)
    table.put(T.CRATE, a.rate, i8)
    soft = float(np.mean(a.compliance)) if s.hard else 1.0
    table.put(T.CSTIFF, 1.0 / np.concatenate([a.compliance, np.full(s.friction, soft)]))
    table.put(T.CVAL, (inverse @ (system.D[rows].toarray().T * _free(system)[:, None])).T if nc else [])
    table.put(T.CBASE, _candidate_gram(system, rows) if nc else [])
    for slot in (T.CMAT, T.CSHARE, T.CWORK, T.CINVERSE, T.CFORCES):
        table.put(slot, np.zeros(nc * nc))
    for slot in (T.CFROM, T.CONTO):
        table.put(slot, np.zeros(n * nc))
    for slot in (T.CWEIGHT, T.CRHS, T.CSLIP, T.CZERO, T.CKEY, T.CFORCE):
        table.put(slot, np.zeros(nc))
    for slot in (T.CSIGN, T.CACT, T.CBASIS, T.CPIV, T.CNEAR):
        table.put(slot, np.zeros(nc), i8)
    table.put(T.CNOISE, np.zeros(1))
    pressed = np.isin(a.fnorm, a.hard)
    own = ~_multiplied(system)[a.fric.astype(int)] & ~((a.fvel > 0.0) & ~pressed)
    table.put(T.FKIND, np.where(a.fvel > 0.0, T.SMOOTHED, np.where(a.fhys > 0.0, T.SWITCHED, T.STICK)), i8)
    table.put(T.FHYS, a.fhys)
    table.size(T.OWNS, int(own.sum()))
    table.put(T.OWNLIST, np.flatnonzero(own), i8)
    table.size(T.DEMANDS, int((a.rate >= 0).any() or len(a.grow) > 0))
    varies = pressed & ((a.fvel > 0.0) | (np.diff(a.ftp.astype(i8)) > 0))
    # numbers as in multiplier_pattern
    table.put(T.CFLAGS, [0, 0, 1, int(varies.any() or len(a.grow) > 0), 0], i8)

    table.size(T.MOVING, len(a.grow))
    moved = np.concatenate([np.arange(g, g + c) for g, c in zip(a.grow, a.gn, strict=True)] or [np.zeros(0)])
    table.size(T.MOVED, len(moved))
    table.put(T.MROW, moved, i8)
    for slot, values in ((T.GADDR, a.gaddr), (T.GROW, a.grow), (T.GP, a.gp), (T.MPTR, a.mptr), (T.MIDX, a.midx)):
        table.put(slot, values, i8)
    for slot, numbers in (
        (T.GPAR, a.gpar),
        (T.GAMMA, np.zeros(m)),
        (T.RESIDUAL, np.zeros(m)),
        (T.MINV, a.minv),
        (T.MASK, _free(system)),
        (T.RESULTANT, np.zeros(n)),
    ):
        table.put(slot, numbers)
    if len(a.grow):
        table.size(T.RIGID, 0)  # geometry functions want positions whole: nothing is moved into phi


def _multiplied(system: System) -> Any:
    """Rows (m) whose whole force comes with the multipliers: hard rows and losses pressed by them alone."""
    a = system.arrays
    found = np.zeros(system.shape.rows, bool)
    found[a.hard.astype(int)] = True
    found[a.fric.astype(int)] = np.isin(a.fnorm, a.hard) & (a.fcap == 0.0) & (a.fsig < 0)
    return found


def _free(system: System) -> Any:
    """One for every coordinate that feels forces, zero for prescribed ones."""
    mask = np.ones(system.shape.coordinates)
    mask[list(system.prescribed)] = 0.0
    return mask
