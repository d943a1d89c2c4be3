"""The explicit engine: Dormand-Prince 5(4) with error control, for everything that is not too stiff; at loose tolerances a
method of Nyström (:mod:`.explicit_nystrom`).

It takes springs, laws with their guards and states, signals, prescribed coordinates, hard rows, friction rows
and moving rows. Steps end where a margin of a guard is zero, where a signal jumps and at the end of a chunk;
samples in between come from the dense output of the method.

Tolerance: the error of a step is held below ``tolerance`` times a nominal deflection, for every coordinate in
its own length scale; speeds may err 1e4 1/s times that, or the top frequency times that if it is lower. The
nominal deflection is what the inputs of the system, brakes included, cause at rest (largest over time), or what the
state holds when the first chunk begins, whichever is larger; where nothing loads the system it is what keeps the
tolerance above the round-off of its speeds. Source: numerics pages, sections 1 and 7.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.records import dataclass
from gearwright.system import Block, Channel, Diverged, State, System

from . import explicit_table as T
from .companion import Companion
from .explicit_fill import dependent_rows, fill, needs_multipliers, refusal

Float = NDArray[np.float64]

#: Velocity weight: rate at which a deviation within tolerance may move [1/s].
RATE = 1e4
#: Part of a row's rate that is round-off of its parts, and speed [rad/s or m/s] below which a train in which nothing
#: is elastic stands still: it must be well above round-off at the highest speeds.
ROUND_OFF = 1e-12
STILL = 1e-9
#: Longest step [s] of a train in which rows may stick or slip.
LOOK = 1e-2
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
    companion: Companion | None = None
    #: hard rows that follow from others; their force is shared by compliance
    dependent: tuple[str, ...] = ()

    @property
    def statistics(self) -> dict[str, int]:
        """Counters since preparation: steps, rejected, evaluations, events, settles, fallbacks, factors, unsettled."""
        stats = self.table.arrays[T.STATS]
        return {name: int(stats[i]) for i, name in enumerate(T.COUNTERS) if name != "row"}


class ExplicitEngine:
    """Explicit adaptive engine; see the module for what it takes and how its tolerance is meant."""

    name = "explicit"

    def refuses(self, system: System) -> str | None:
        """A sentence if the engine cannot run the system, else None."""
        return refusal(system)

    def compiled(self, system: System, tolerance: float) -> list[tuple[Any, tuple[Any, ...]]]:
        """Compiled functions that a run needs, in the order of need, each with arguments of the kinds it is called with."""
        from .explicit_fill import needed
        from .explicit_kernels import advance
        from .explicit_together import groups

        beside = {f for group in groups(system) for f in system.laws[group[0]].together or ()}
        rest = (np.zeros(1, np.int64), 0.0, 1, 1.0, np.zeros(1), np.zeros((1, 1)))
        return [*((function, ()) for function in (*beside, *needed(system, tolerance).values())), (advance, rest)]

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
        fill(table, system, chosen, tolerance)
        plan = Plan(system, chosen, interval, tolerance, table, _nominal(system), _top_frequency(system))
        plan.dependent = dependent_rows(system)
        carry = table.arrays[T.CARRY]
        carry[0] = min(0.1 / max(plan.frequency, 1e-3), 1e-2, interval)
        carry[1] = -9.2
        carry[2] = tolerance
        carry[3] = _largest_step(system)
        if needs_multipliers(system):
            # what sticks must be looked at now and then, rows that move more often
            carry[3] = min(carry[3], interval if len(system.arrays.grow) else max(interval, LOOK))
        return plan

    def accompany(self, plan: Plan, companion: Companion) -> None:
        """Let a companion go along with the runs of a plan."""
        table = plan.table
        for slot, value in (
            (T.BESIDE, companion.function.address), (T.BESIDE_DATA, companion.data.ctypes.data), (T.EVERY, companion.every),
            (T.FORCE_SEEN, companion.force_row),
        ):  # fmt: skip
            table.size(slot, value)
        table.put(T.SIGHT, np.hstack([companion.position, companion.speed]))
        table.put(T.SEEN, np.zeros(len(companion.position)))
        plan.companion = companion

    def advance(self, plan: Plan, state: State, steps: int) -> Block:
        """Move ``state`` by ``steps`` sample intervals and return the channels at their ends.

        Raises Diverged with time and row if the step becomes too small, steps become too many or modes switch
        without end; the state then holds the last instant that was reached.
        """
        from .explicit_kernels import advance

        table = plan.table
        if not plan.weighed:
            _weigh(plan, state)
        if T.CFLAGS in table.arrays:
            table.arrays[T.CFLAGS][2] = 1  # the state may come from elsewhere: factor anew
        if len(plan.system.arrays.grow) and plan.system.shape.rigid:
            state.q += plan.system.u.T @ state.phi
            state.phi[:] = state.phi_low[:] = 0.0
        y = table.arrays[T.Y]
        n = plan.system.shape.coordinates
        end = 2 * n + plan.system.shape.states
        y[:n], y[n : 2 * n], y[2 * n : end] = state.q, state.v, state.z
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
        state.q[:], state.v[:], state.z[:] = y[:n], y[n : 2 * n], y[2 * n : end]
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
        }[status]
        raise Diverged(f"run stopped at {time:.6g} s: {what}", time, row)


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
        for force in (system.input_force(time) - idle, *_brakes(system, time)):
            load = force[free] * scale
            if rigid.shape[1]:
                load = load - m @ rigid @ np.linalg.solve(rigid.T @ m @ rigid, rigid.T @ load)
            q = np.zeros(system.shape.coordinates)
            q[free] = scale * (vectors[:, ~soft] @ (vectors[:, ~soft].T @ load / values[~soft]))
            found = max(found, _typical(system, np.asarray(system.D @ q)))
    return found


def _brakes(system: System, time: float) -> list[Float]:
    """Generalised force of every friction row that slides at its own capacity, without what a normal force adds."""
    a = system.arrays
    forces = []
    for row, capacity, signal in zip(a.fric, a.fcap, a.fsig, strict=True):
        size = capacity + (float(system.signals[signal](time)) if signal >= 0 else 0.0)
        if size > 0.0:
            forces.append(size * system.D[[int(row)]].toarray()[0])
    return forces


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
    rate = min(RATE, max(plan.frequency, 1.0))
    # nothing may load the system: steps must not be made for the round-off of its speeds
    noise = ROUND_OFF * float((np.abs(state.v) / system.arrays.qscale).max(initial=0.0)) / (plan.tolerance * rate)
    plan.nominal = max(nominal, noise) if nominal > 0.0 else RIGID_SCALE
    n = system.shape.coordinates
    weight = plan.table.arrays[T.WEIGHT]
    weight[:n] = 1.0 / (plan.tolerance * plan.nominal * system.arrays.qscale)
    weight[n : 2 * n] = weight[:n] / rate
    weight[2 * n : 2 * n + len(state.z)] = 1.0 / (plan.tolerance * np.maximum(np.abs(state.z), 1e-6))
    for block, law in enumerate(system.laws):
        end = 2 * n + int(system.arrays.lz[block + 1])
        weight[end - len(law.heat) : end] = 0.0  # integrals on which nothing depends
    if T.CZERO in plan.table.arrays:
        a = system.arrays
        rows = np.concatenate([a.hard, a.fric]).astype(int)
        width = np.asarray(abs(system.D[rows]) @ a.qscale) if len(rows) else np.zeros(1)
        zero = np.maximum(1e-3 * plan.tolerance * plan.nominal * rate * width, 1e-12)
        if len(rows):
            # rates of rows that turn as a block are the round-off of their parts
            part = abs(system.D[rows])
            zero = np.maximum(zero, ROUND_OFF * np.asarray(part @ np.abs(state.v)))
            if not len(_elastic_rows(system)):
                zero = np.maximum(zero, STILL * (part @ np.ones(part.shape[1])))
        plan.table.arrays[T.CZERO][:] = zero
    plan.weighed = True
