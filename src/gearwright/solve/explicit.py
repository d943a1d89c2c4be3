"""The explicit engine: Dormand-Prince 5(4) with error control, for everything that is not too stiff.

It takes springs, laws with their guards and states, signals, prescribed coordinates, hard rows, friction rows
and moving rows. Steps end where a margin of a guard is zero, where a signal jumps and at the end of a chunk;
samples in between come from the dense output of the method.

Tolerance: the error of a step is held below ``tolerance`` times a nominal deflection, for every coordinate in
its own length scale; speeds may err 1e4 1/s times that, or the top frequency times that if it is lower. The
nominal deflection is what the inputs of the system cause at rest (largest over time), or what the state holds
when the first chunk begins, whichever is larger. Source: numerics pages, sections 1 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from gearwright.system import Block, Channel, Diverged, State, System

from . import explicit_table as T

Float = NDArray[np.float64]

#: Velocity weight: rate at which a deviation within tolerance may move [1/s].
RATE = 1e4
#: Nominal deflection of a system in which nothing is elastic, in the length scale of its coordinates.
RIGID_SCALE = 1e-2


@dataclass
class Plan:
    """What :meth:`ExplicitEngine.prepare` made: tables, workspace, tolerances. Serves one run at a time."""

    system: System
    channels: tuple[Channel, ...]
    interval: float
    tolerance: float
    table: T.Table
    nominal: float
    frequency: float
    weighed: bool = False
    dependent: tuple[str, ...] = ()
    _counts: Any = field(default=None, repr=False)

    @property
    def statistics(self) -> dict[str, int]:
        """Counters since preparation: steps, rejected, evaluations, events, settles, fallbacks, factors."""
        stats = self.table.arrays[T.STATS]
        return {name: int(stats[i]) for i, name in enumerate(T.COUNTERS) if name != "row"}


class ExplicitEngine:
    """Explicit adaptive engine; see the module for what it takes and how its tolerance is meant."""

    name = "explicit"

    def refuses(self, system: System) -> str | None:
        """A sentence if the engine cannot run the system, else None."""
        if system.shape.hard or (system.arrays.fvel == 0.0).any() or len(system.arrays.grow):
            return "The explicit engine does not solve rigid, sticking or moving rows."
        return None

    def prepare(
        self,
        system: System,
        channels: tuple[Channel, ...] | None = None,
        interval: float = 1e-3,
        tolerance: float = 1e-4,
    ) -> Plan:
        """Tables and workspace for a run with samples every ``interval`` seconds.

        ``channels`` are those to write (None: all of the system); ``tolerance`` is relative to the nominal
        deflection. Raises ValueError for an interval or tolerance that is not positive, or for a system that
        the engine refuses.
        """
        if not (interval > 0.0 and tolerance > 0.0):
            raise ValueError(f"interval and tolerance must be positive, got {interval:g} and {tolerance:g}")
        reason = self.refuses(system)
        if reason:
            raise ValueError(reason)
        chosen = system.channels if channels is None else tuple(channels)
        table = T.Table()
        _fill(table, system, chosen)
        plan = Plan(system, chosen, interval, tolerance, table, _nominal(system), _top_frequency(system))
        carry = table.arrays[T.CARRY]
        carry[0] = min(0.1 / max(plan.frequency, 1e-3), 1e-2, interval)
        carry[1] = 1e-4
        carry[2] = tolerance
        carry[3] = _largest_step(system)
        return plan

    def advance(self, plan: Plan, state: State, steps: int) -> Block:
        """Move ``state`` by ``steps`` sample intervals and return the channels at their ends.

        Raises Diverged with time and row if the step becomes too small, steps become too many or modes switch
        without end; the state then holds the last instant that was reached.
        """
        from .explicit_kernels import advance

        table = plan.table
        if not plan.weighed:
            _weigh(plan, state)
        y = table.arrays[T.Y]
        n = plan.system.shape.coordinates
        y[:n], y[n : 2 * n], y[2 * n :] = state.q, state.v, state.z
        for slot, array in (
            (T.PHI, state.phi), (T.PHILOW, state.phi_low), (T.MODES, state.modes), (T.ROW_WORK, state.row_work),
            (T.ROW_HEAT, state.row_heat), (T.INPUT_WORK, state.input_work), (T.REACTION, state.reaction_work),
            (T.IMPACT, state.impact), (T.FSTATE, state.friction),
        ):  # fmt: skip
            table.bind(slot, array)
        landings = plan.system.landings - state.t
        length = steps * plan.interval
        landings = np.ascontiguousarray(landings[(landings > 1e-12) & (landings < length - 1e-12)])
        lines = np.empty((steps, len(plan.channels)))
        status, reached = advance(table.slots, state.t, steps, plan.interval, landings, lines)
        start = state.t
        state.q[:], state.v[:], state.z[:] = y[:n], y[n : 2 * n], y[2 * n :]
        state.t = start + (length if status == 0 else reached)
        if status != 0:
            self._raise(plan, int(status), state.t)
        return Block(np.asarray(start + plan.interval * np.arange(1, steps + 1), float), lines)

    def _raise(self, plan: Plan, status: int, time: float) -> None:
        row = plan.system.rows[int(plan.table.arrays[T.STATS][T.BAD_ROW])] if plan.system.rows else ""
        what = {
            1: f"the step became too small at row '{row}'",
            2: f"too many steps; the largest force is at row '{row}'",
            3: f"modes switch without end at one instant, last at row '{row}'",
            4: f"no consistent split between sticking and slipping rows was found, last at row '{row}'",
        }[status]
        raise Diverged(f"run stopped at {time:.6g} s: {what}", time, row)


def _fill(table: T.Table, system: System, channels: tuple[Channel, ...]) -> None:
    """Write sizes, arrays and the addresses of the compiled functions that the system needs."""
    from .explicit_kernels import STAGES
    from .explicit_rhs import SOFT

    table.size(T.STAGES, STAGES.address)
    table.size(T.EVALUATE, SOFT.address)
    a, s = system.arrays, system.shape
    n, m, ns, nz = s.coordinates, s.rows, s.signals, s.states
    # the engine's own inputs follow those of the user: see Builder.prescribe
    ns = len(system.signals)
    ny, nr = 2 * n + nz, 2 * m + ns
    guarded = np.flatnonzero(a.lguard)
    values: Any
    for slot, value in (
        (T.N, n), (T.M, m), (T.L, s.laws), (T.NS, ns), (T.NZ, nz), (T.NY, ny), (T.NR, nr),
        (T.FIRST_SPRING, m - s.springs), (T.SPRINGS, s.springs), (T.RIGID, s.rigid), (T.GUARDED, len(guarded)),
        (T.MONITORS, len(guarded)), (T.CHANNELS, len(channels)), (T.FRICTIONS, s.friction), (T.HARD, s.hard),
    ):  # fmt: skip
        table.size(slot, value)
    i8 = np.int64
    for slot, values in ((T.PTR, a.ptr), (T.IDX, a.idx), (T.LROW, a.lrow), (T.LNF, a.lnf), (T.LP, a.lp),
                         (T.LZ, a.lz), (T.SPTR, a.sptr), (T.GLAW, guarded), (T.FRIC, a.fric)):  # fmt: skip
        table.put(slot, values, i8)
    for slot, values in ((T.LADDR, a.laddr), (T.LGUARD, a.lguard), (T.FNORM, a.fnorm), (T.FSIG, a.fsig)):
        table.put(slot, values, i8)
    for slot, values in (
        (T.VAL, a.val.copy()), (T.OFF, a.off), (T.BASE, a.off.copy()), (T.ROW, np.zeros(m)), (T.K, a.k), (T.C, a.c),
        (T.F0, a.f0), (T.PAR, a.par), (T.SSTART, a.sstart), (T.SCOEF, a.scoef), (T.SSIN, a.ssin), (T.SDT, a.sdt),
        (T.U, a.u), (T.RHO, a.rho), (T.CHAT, a.chat), (T.FMU1, a.fmu1), (T.FMU2, a.fmu2), (T.FCAP, a.fcap),
        (T.FVEL, a.fvel), (T.JUMP, np.zeros(n)), (T.Y, np.zeros(ny)), (T.YEND, np.zeros(ny)),
        (T.YSTAGE, np.zeros(ny)), (T.YSAMPLE, np.zeros(ny)), (T.KS, np.zeros(9 * ny)), (T.WEIGHT, np.zeros(ny)),
        (T.MARGIN, np.zeros(2)), (T.CARRY, np.zeros(4)),
    ):  # fmt: skip
        table.put(slot, values)
    for slot in (T.G0, T.GR0, T.G1, T.GR1, T.GCURVE, T.GLOW, T.GHIGH):
        table.put(slot, np.zeros(len(guarded)))
    for slot in (T.NEXT, T.TRIGGER):
        table.put(slot, np.zeros(len(guarded)), i8)
    table.put(T.STATS, np.zeros(len(T.COUNTERS)), i8)
    listed = np.flatnonzero(a.fvel > 0.0)
    table.size(T.SMOOTH, len(listed))
    table.put(T.SMOOTHLIST, listed, i8)

    force_map = sp.csc_matrix((a.cval, a.crow.astype(np.int32), a.cptr.astype(np.int32)), shape=(m, n)).T
    inverse = sp.csr_matrix((a.minv, a.midx.astype(np.int32), a.mptr.astype(np.int32)), shape=(n, n))
    product = (inverse @ force_map).tocsr()
    product.sort_indices()
    table.put(T.GPTR, product.indptr, i8)
    table.put(T.GIDX, product.indices, i8)
    table.put(T.GVAL, product.data)
    force_rows = np.array([r for b in range(s.laws) for r in range(int(a.lrow[b]), int(a.lrow[b]) + int(a.lnf[b]))])
    force_rows = np.concatenate([force_rows, np.arange(m - s.springs - s.friction - s.hard, m)])
    table.size(T.FORCES, len(force_rows))
    table.put(T.FROW, force_rows, i8)
    _signals_and_inputs(table, system, inverse, nr, m)
    _prescribed(table, system, inverse)

    mass = system.mass.toarray() if s.rigid else np.zeros((n, n))
    gram = system.u @ mass @ system.u.T
    table.put(T.PROJECT, np.linalg.solve(gram, system.u @ mass) if s.rigid else np.zeros(0))
    lines = system.lines(channels)
    table.put(T.LPTR, lines.ptr, i8)
    table.put(T.LIDX, lines.idx, i8)
    table.put(T.LCOEF, lines.coef)
    table.put(T.LBASE, lines.base, i8)
    table.put(T.STACK, np.zeros(int(lines.base[-1]) + 1 + s.rigid))


def _signals_and_inputs(table: T.Table, system: System, inverse: Any, nr: int, m: int) -> None:
    a = system.arrays
    n, ns = system.shape.coordinates, len(system.signals)
    fixed = np.array([len(x.start) == 1 and not x.coefficients[0, 1:].any() and not x.sine[0] for x in system.signals])
    rows = np.zeros(9 * nr)
    for slot in range(9):
        for i in np.flatnonzero(fixed):
            rows[slot * nr + 2 * m + i] = system.signals[i].coefficients[0, 0]
    table.put(T.RS, rows)
    varying = np.flatnonzero(~fixed)
    table.size(T.VARYING, len(varying))
    table.put(T.VARI, varying, np.int64)
    gain = (inverse @ sp.csr_matrix((a.bv, (a.bi.astype(np.int32), a.bu.astype(np.int32))), shape=(n, ns))).tocoo()
    constant = np.zeros(n)
    driven = []
    for i, j, value in zip(gain.row, gain.col, gain.data, strict=True):
        if fixed[j]:
            constant[i] += value * system.signals[j].coefficients[0, 0]
        else:
            driven.append((i, j, value))
    table.put(T.ACC0, constant)
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
    mass, rows = system.mass.tocsr(), system.D.tocsc()
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


def _elastic_rows(system: System) -> NDArray[np.int64]:
    """Rows whose deflection sets the nominal one: those of laws, or springs where no law is elastic."""
    k = system.row_stiffness()
    first = system.shape.rows - system.shape.springs
    laws = np.flatnonzero(k[:first] > 0.0)
    return laws if len(laws) else first + np.flatnonzero(k[first:] > 0.0)


def _typical(system: System, deflection: Float) -> float:
    """Typical deflection in length units: median over the elastic rows that carry more than a thousandth."""
    rows = _elastic_rows(system)
    if not len(rows):
        return 0.0
    width = np.asarray(abs(system.D[rows]) @ system.arrays.qscale)
    size = np.abs(deflection[rows]) / np.where(width > 0, width, 1.0)
    size = size[np.isfinite(size)]
    size = size[size > 1e-3 * size.max()] if len(size) and size.max() > 0 else np.zeros(0)
    return float(np.median(size)) if len(size) else 0.0


def _nominal(system: System) -> float:
    """Largest over time of the typical deflection under the inputs, statically with the rigid acceleration."""
    if not len(_elastic_rows(system)):
        return 0.0
    mass, stiffness, _ = system.linear()
    free = system.free
    scale = system.arrays.qscale[free]
    m = mass[np.ix_(free, free)] * scale[:, None] * scale
    k = stiffness[np.ix_(free, free)] * scale[:, None] * scale
    values, vectors = np.linalg.eigh(0.5 * (k + k.T))
    soft = values < 1e-10 * max(values[-1], 1e-300)
    rigid = vectors[:, soft]
    a = system.arrays
    springs = system.spring_rows
    idle = np.asarray(system.D[springs].T @ (a.c * np.asarray(system.D[springs] @ system.v0) + a.f0))
    found = 0.0
    for time in _times(system):
        load = (system.input_force(time) - idle)[free] * scale
        if rigid.shape[1]:
            load = load - m @ rigid @ np.linalg.solve(rigid.T @ m @ rigid, rigid.T @ load)
        q = np.zeros(system.shape.coordinates)
        q[free] = scale * (vectors[:, ~soft] @ (vectors[:, ~soft].T @ load / values[~soft]))
        found = max(found, _typical(system, np.asarray(system.D @ q)))
    return found


def _times(system: System) -> list[float]:
    """Instants that show the size of the inputs: some knots of every signal and some of every sine."""
    times = [0.0]
    for signal in system.signals:
        knots = signal.start[signal.start >= 0.0]
        times += list(knots[:: max(len(knots) // 32, 1)])
        if signal.sine[0] and signal.sine[1]:
            begin = max(signal.sine[3], 0.0)
            times += [begin + j * 0.7853981633974483 / abs(signal.sine[1]) for j in range(8)]
    return sorted(set(times))


def _top_frequency(system: System) -> float:
    """Largest natural frequency of the mean model [rad/s], 0 where nothing is elastic."""
    free = system.free
    mass, stiffness, _ = system.linear()
    if not stiffness.any() or not len(free):
        return 0.0
    import scipy.linalg as sl

    last = len(free) - 1
    value = sl.eigh(
        stiffness[np.ix_(free, free)], mass[np.ix_(free, free)], eigvals_only=True, subset_by_index=(last, last)
    )
    return float(np.sqrt(max(value[0], 0.0)))


def _largest_step(system: System) -> float:
    """No step jumps over a wave of an input."""
    fastest = max((abs(s.sine[1]) for s in system.signals if s.sine[0]), default=0.0)
    return min(0.1, 0.125 * 2.0 * np.pi / fastest if fastest > 0.0 else 0.1)


def _weigh(plan: Plan, state: State) -> None:
    """Weights of the error norm, once the nominal deflection is known."""
    system = plan.system
    d, _ = state.deflections(system)
    nominal = max(plan.nominal, _typical(system, d))
    plan.nominal = nominal if nominal > 0.0 else RIGID_SCALE
    rate = min(RATE, max(plan.frequency, 1.0))
    n = system.shape.coordinates
    weight = plan.table.arrays[T.WEIGHT]
    weight[:n] = 1.0 / (plan.tolerance * plan.nominal * system.arrays.qscale)
    weight[n : 2 * n] = weight[:n] / rate
    weight[2 * n :] = 1.0 / (plan.tolerance * np.maximum(np.abs(np.concatenate([state.z, np.zeros(0)])), 1e-6))
    plan.weighed = True
