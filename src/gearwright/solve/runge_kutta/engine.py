"""The explicit engine: a method of Nyström (:mod:`.explicit_nystrom`) with error control, for everything that is not too stiff;
Dormand-Prince 5(4) where rows are hard, may stick, or move.

It takes springs, laws with their guards and states, signals, prescribed coordinates, hard rows, friction rows
and moving rows. Steps end where a margin of a guard is zero, where a signal jumps and at the end of a chunk;
samples in between come from the dense output of the method.

Tolerance: the error of a step is held below ``tolerance`` times a nominal deflection, for every coordinate in
its own length scale; speeds may err 1e4 1/s times that, or the top frequency times that if it is lower. The
nominal deflection is what the inputs of the system, brakes included, cause at rest (largest over time), or what the
state holds when the first chunk begins, whichever is larger; where nothing loads the system it is what keeps the
tolerance above the round-off of its speeds. The load of every elastic row is measured by itself beside that
(:mod:`.explicit_weights`). Source: numerics pages, sections 1 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gearwright.arrays import Float
from gearwright.solve.companion import Companion
from gearwright.solve.leaps import Jumpers, between, jumpers
from gearwright.system import Block, Channel, Diverged, State, System, in_order

from . import table as T
from .fill import dependent_rows, fill, needed, needs_multipliers, refusal
from .kernels import advance
from .together import groups
from .weights import Sizes, largest_step, sizes_of, weigh

#: Ends of sudden steps that a chunk has room for, however short it is.
FEWEST_ENDS = 1024
#: Longest step [s] of a train in which rows may stick or slip.
LOOK = 1e-2


@dataclass
class Plan:
    """What :meth:`ExplicitEngine.prepare` made: tables, workspace, tolerances. Serves one run at a time."""

    system: System
    channels: tuple[Channel, ...]
    interval: float
    tolerance: float
    table: T.Table
    sizes: Sizes
    nominal: float
    frequency: float
    weighed: bool = False
    sudden: int = 0
    companion: Companion | None = None
    #: hard rows that follow from others; their force is shared by compliance
    dependent: tuple[str, ...] = ()

    @cached_property
    def jumpers(self) -> Jumpers:
        """Channels that may jump."""
        return jumpers(self.system, self.channels)

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
        sizes = sizes_of(system)
        plan = Plan(system, chosen, interval, tolerance, table, sizes, sizes.nominal, sizes.frequency)
        plan.dependent = dependent_rows(system)
        carry = table.arrays[T.CARRY]
        carry[0] = min(0.1 / max(plan.frequency, 1e-3), 1e-2, interval)
        carry[1] = -9.2
        carry[2] = tolerance
        carry[3] = largest_step(system)
        if needs_multipliers(system):
            # what sticks must be looked at now and then, rows that move more often
            carry[3] = min(carry[3], interval if len(system.arrays.grow) else max(interval, LOOK))
        return plan

    def accompany(self, plan: Plan, companion: Companion) -> None:
        """Let a companion go along with the runs of a plan."""
        table = plan.table
        for slot, value in (
            (T.BESIDE, companion.function.address),
            (T.BESIDE_DATA, companion.data.ctypes.data),
            (T.EVERY, companion.every),
            (T.FORCE_SEEN, companion.force_row),
        ):
            table.size(slot, value)
        table.put(T.SIGHT, np.hstack([companion.position, companion.speed]))
        table.put(T.SEEN, np.zeros(len(companion.position)))
        plan.companion = companion

    def weigh(self, plan: Plan, state: State) -> None:
        """Weigh the errors by the state in which a run begins, once; :meth:`advance` does it by itself."""
        if not plan.weighed:
            plan.nominal, plan.weighed = weigh(plan.table, plan.system, plan.sizes, plan.tolerance, state), True

    def enter(self, plan: Plan, state: State) -> Float:
        """Put a state into the table of a plan; returns the positions, speeds and states there, which are a copy."""
        table, n = plan.table, plan.system.shape.coordinates
        y: Float = table.arrays[T.Y]
        y[:n], y[n : 2 * n], y[2 * n : 2 * n + plan.system.shape.states] = state.q, state.v, state.z
        for slot, array in (
            (T.PHI, state.phi),
            (T.PHILOW, state.phi_low),
            (T.MODES, state.modes),
            (T.ROW_WORK, state.row_work),
            (T.ROW_HEAT, state.row_heat),
            (T.INPUT_WORK, state.input_work),
            (T.REACTION, state.reaction_work),
            (T.IMPACT, state.impact),
            (T.FSTATE, state.friction),
        ):
            table.bind(slot, array)
        return y

    def advance(self, plan: Plan, state: State, steps: int) -> Block:
        """Move ``state`` by ``steps`` sample intervals and return the channels at their ends.

        Raises Diverged with time and row if the step becomes too small, steps become too many or modes switch
        without end; the state then holds the last instant that was reached.
        """
        table = plan.table
        self.weigh(plan, state)
        if T.CFLAGS in table.arrays:
            table.arrays[T.CFLAGS][2] = 1  # the state may come from elsewhere: factor anew
        if len(plan.system.arrays.grow) and plan.system.shape.rigid:
            state.q += plan.system.u.T @ state.phi
            state.phi[:] = state.phi_low[:] = 0.0
        y = self.enter(plan, state)
        n = plan.system.shape.coordinates
        end = 2 * n + plan.system.shape.states
        landings = plan.system.landings - state.t
        length = steps * plan.interval
        landings = np.ascontiguousarray(landings[(landings > 1e-12) & (landings < length - 1e-12)])
        lines = np.empty((steps, len(plan.channels)))
        leaps = plan.jumpers
        room = leaps.room(steps)
        table.size(T.LEAP_ROOM, room)
        table.size(T.LEAP_MANY, len(leaps.rows))
        count = table.put(T.LEAP_COUNT, [0], np.int64)
        table.put(T.LEAP_ROWS, leaps.rows, np.int64)
        at = table.put(T.LEAP_AT, np.empty(room, np.int64), np.int64)
        forces = table.put(T.LEAP_FORCES, np.empty(2 * room * len(leaps.rows)))
        room = max(steps, FEWEST_ENDS)
        table.size(T.END_ROOM, room)
        ends = table.put(T.END_COUNT, [0], np.int64)
        end_at = table.put(T.END_AT, np.empty(room, np.int64), np.int64)
        end_lines = table.put(T.END_LINES, np.empty(room * len(plan.channels)))
        status, reached = advance(table.slots, state.t, steps, plan.interval, landings, lines)
        start = state.t
        state.q[:], state.v[:], state.z[:] = y[:n], y[n : 2 * n], y[2 * n : end]
        state.t = start + (length if status == 0 else reached)
        if status != 0:
            self._raise(plan, int(status), state.t)
        events = int(count[0])
        pairs = forces[: 2 * events * len(leaps.rows)].reshape(events, 2, len(leaps.rows))
        found = leaps.leaps(at[:events], pairs[:, 0], pairs[:, 1]) if events else None
        many = int(ends[0])
        plan.sudden += many
        sudden = (
            between(lines, end_at[:many], end_lines[: many * len(plan.channels)].reshape(many, -1)) if many else None
        )
        found = in_order(found, sudden)
        return Block(np.asarray(start + plan.interval * np.arange(1, steps + 1), float), lines, found)

    def _raise(self, plan: Plan, status: int, time: float) -> None:
        row = plan.system.rows[int(plan.table.arrays[T.STATS][T.BAD_ROW])] if plan.system.rows else ""
        what = {
            1: f"the step became too small at row '{row}'",
            2: f"too many steps; the largest force is at row '{row}'",
            3: f"modes switch without end at one instant, last at row '{row}'",
        }[status]
        raise Diverged(f"run stopped at {time:.6g} s: {what}", time, row)
