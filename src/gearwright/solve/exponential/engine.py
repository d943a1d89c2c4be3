"""The exponential engine: exact for the constant part, a small implicit system for the forces of laws.

Over a step the deviation of every law force from its linear reference,

    f(t) = law(d, dv, z, ..) - k_ref d - c_ref dv  ~  w_0 P_0 + w_1 P_1 + w_2 P_2 + w_3 P_3

is the least-squares projection on Legendre polynomials, with the deflections as quadratics through the start, the
middle and the end of the step, which the exact propagator gives as linear functions of the w. The fixed point in
the 4 m numbers w is iterated; switches, corners and gaps are found inside the step and the integrals are cut
there, so the method keeps its fourth order through them and never stops at one. Neither strong damping nor high
frequencies of the constant part limit the step. Inputs are projected the same way, up to the second
polynomial; sines bound the step by their period, and what is missed at the ends of a step of signals in pieces counts as
its error. Source: numerics page 2, section 2.

A law that is linear in its deflection, with a stiffness over the phase (levels, curves between corners), needs no call: its
deflection is a quintic through four nodes, its moments are found once per step, and a pass is a few products
(:mod:`exponential_linear`). Four coefficients w_0 .. w_3 are followed, which carries steps of four radians of the highest mode.
A fifth moves only the end of the step, and so do jumps of stiffness where damping feels them at once
(:mod:`exponential_leaps`). The polynomials of smooth laws that are called end where their forces do: what is overdamped follows them.

What the bend of the deflections and the rest of the force would have moved measures the error: a step whose indicator
exceeds the tolerance is repeated with half the length, a quiet one is followed by one of twice the length.
"""

from __future__ import annotations

from ctypes import POINTER, c_int64
from dataclasses import dataclass, field
from functools import cached_property
from math import floor, inf, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.solve.companion import Companion
from gearwright.solve.leaps import Jumpers, jumpers
from gearwright.system import Block, Channel, Diverged, Leaps, State, System

from . import slots as T
from .kernels import advance
from .model import bent_signals, build_table, followed, from_blocks, law_rows, needed, to_blocks
from .modes import Blocks, Defective, Reference, blocks, declared_linear, reference
from .slots import Table
from .tables import fill_step

#: Error allowed per step over the error wanted at the end: single steps add up. Measured on meshes in levels and curves, the
#: error of the forces over their mean is 13 to 21 times the largest indicator.
_LOCAL = 0.02
#: The indicator shrinks faster with the step than the error does: powers of the tolerance below 1e-3 by which it is held closer: as
#: a rule, and where a stiffness is a curve, whose cells the indicator does not see.
_TIGHTER, _TIGHTER_CURVES = 0.5, 1.0
#: Power of the tolerance below 1e-3 with which the longest step shrinks where laws that are smooth are called: little else tells the
#: indicator what such a step misses.
_SHORTER = 0.2
#: What polynomials miss of a signal over its range, at the ends of a step, per tolerance.
_SIGNALS = 1.0
#: Halvings of the first step before a run is given up.
_DEEPER = 8
#: Radians of the highest light mode in the longest step: laws by calls, laws that are linear over their phase.
_TURNS, _TURNS_LINEAR = 1.5, 4.0
#: Longest step in units of the sample interval, as a power of two.
_LONGEST = 5


@dataclass
class Plan:
    """What :meth:`ExponentialEngine.prepare` found; ``statistics`` grow with every :meth:`ExponentialEngine.advance`."""

    system: System
    channels: tuple[Channel, ...]
    interval: float
    form: Blocks
    table: Table
    #: rows that the fixed point follows, phases of linear laws
    rows: tuple[list[int], list[int]]
    #: longest step [s]
    step: float
    #: error allowed per step, tolerance of the fixed point
    allowed: float
    settle: float
    #: steps, passes of the fixed point, rejected steps, largest error indicator
    statistics: dict[str, float] = field(
        default_factory=lambda: {"steps": 0, "passes": 0, "rejected": 0, "indicator": 0.0}
    )

    @cached_property
    def jumpers(self) -> Jumpers:
        """Channels that may jump."""
        return jumpers(self.system, self.channels)


class ExponentialEngine:
    """Fourth-order exponential integrator in the space of the rows of laws.

    Parameters
    ----------
    step : fixed step [s]; rounded to the sample interval times or over a power of two, and halved only where the
        fixed point fails. None lets the tolerance rule.
    """

    name = "exponential"

    def __init__(self, step: float | None = None):
        if step is not None and not step > 0.0:
            raise ValueError(f"a step must be positive, got {step:g} s")
        self.step = step

    def refuses(self, system: System) -> str | None:
        """A sentence if this engine cannot serve the system, and which one can."""
        s = system.shape
        if s.hard:
            return f"the exponential engine takes no rigid rows ('{system.rows[int(system.arrays.hard[0])]}'); choose explicit"
        if s.friction:
            return f"the exponential engine takes no friction rows ('{system.rows[int(system.arrays.fric[0])]}'); choose explicit"
        if len(system.arrays.gaddr):
            return f"the exponential engine takes no moving rows ('{system.rows[int(system.arrays.grow[0])]}'); choose explicit"
        for name, law in zip(system.blocks, system.laws, strict=True):
            if law.states:
                return f"the law of '{name}' has states of its own, which the exponential engine does not step; choose explicit"
        return None

    def compiled(self, system: System, tolerance: float) -> list[tuple[Any, tuple[Any, ...]]]:
        """Compiled functions that a run needs, in the order of need, each with arguments of the kinds it is called with."""
        rest = (np.zeros(1, np.int64), system.landings, 0.0, 1.0, 1, 1.0, 1.0)
        return [*((function, ()) for function in needed(system)), (advance, rest)]

    def prepare(self, system: System, channels: tuple[Channel, ...], interval: float, tolerance: float) -> Plan:
        """Modes, tables and channel maps.

        ``interval`` is the sample interval [s], ``tolerance`` the error wanted, relative to the largest deflection.
        Raises ValueError if the engine refuses the system or no reference model has a full set of modes.
        """
        refusal = self.refuses(system)
        if refusal:
            raise ValueError(refusal)
        if not (interval > 0.0 and tolerance > 0.0):
            raise ValueError(f"sample interval and tolerance must be positive, got {interval:g} s and {tolerance:g}")
        form, chosen = reference_form(system)
        wanted = self.step if self.step is not None else longest_step(system, form)
        if self.step is None and _smooth_calls(system):
            wanted *= min(tolerance / 1e-3, 1.0) ** _SHORTER
        bent = bent_signals(system) if self.step is None else []
        if self.step is None:
            wanted = min(wanted, sine_step(system, tolerance))
        units, finer = steps_of(interval, wanted, self.step is not None)
        unit = interval / units
        table = build_table(system, form, chosen, tuple(channels), unit, finer, _DEEPER)
        table.size(T.UNITS, units)
        table.size(T.BENT, len(bent))
        table.put(T.BENT_OF, [i for i, _ in bent], np.int64)
        table.put(T.BENT_BY, [1.0 / (_SIGNALS * tolerance * size) for _, size in bent])
        address = table.slots.ctypes.data_as(POINTER(c_int64))
        for power in range(1, finer + 1):
            fill_step.ctypes(address, -1 - power, unit * 2.0**power)
        closer = _TIGHTER_CURVES if any(law.course is not None for law in system.laws) else _TIGHTER
        return Plan(
            system=system,
            channels=tuple(channels),
            interval=interval,
            form=form,
            table=table,
            rows=followed(system, chosen),
            step=unit * 2.0**finer,
            allowed=inf if self.step is not None else _LOCAL * tolerance * min(tolerance / 1e-3, 1.0) ** closer,
            settle=min(1e-3, max(0.01 * tolerance, 1e-11)),
        )

    def accompany(self, plan: Plan, companion: Companion) -> None:
        """Let a companion go along with the runs of a plan; calls every power of two of samples keep its steps long."""
        system, form, table = plan.system, plan.form, plan.table
        free = system.free
        sight = companion.position[:, free] @ form.shapes @ form.elastic
        sight += companion.speed[:, free] @ (form.shapes @ form.elastic_rate + form.rigid_shapes @ form.rigid_rate)
        for slot, value in (
            (T.BESIDE, companion.function.address),
            (T.BESIDE_DATA, companion.data.ctypes.data),
            (T.EVERY, companion.every),
        ):
            table.size(slot, value)
        table.put(T.SIGHT, sight)
        table.put(T.SEEN, np.zeros(len(sight)))
        # the companion rewrites the system's own signals, of which this engine keeps a copy
        table.bind(T.SSTART, system.arrays.sstart)
        table.bind(T.SCOEF, system.arrays.scoef)
        table.kept.append(companion)

    def advance(self, plan: Plan, state: State, steps: int) -> Block:
        """Move ``state`` by ``steps`` sample intervals; channel values at the end of each.

        Raises Diverged (with time and row) if the fixed point fails at the shortest step or a value is not finite;
        the state is then as it was before the call.
        """
        system, form, table = plan.system, plan.form, plan.table
        out = np.zeros((steps, len(plan.channels)))
        springs = system.spring_rows
        before = state.deflections(system)[0]
        phi, phi_low, modes = state.phi.copy(), state.phi_low.copy(), state.modes.copy()
        for slot, array in ((T.PHI, phi), (T.PHILOW, phi_low), (T.MODES, modes), (T.OUT, out)):
            table.bind(slot, array)
        arrays = table.arrays
        y, xp, vp = to_blocks(system, form, state)
        arrays[T.STATE][: len(y)] = y
        arrays[T.XP][: len(xp)] = xp
        arrays[T.VNOW][: len(vp)] = vp
        start = before - np.asarray(system.D @ state.q)
        for place, rows in zip((0, int(table.slots[T.LINES])), plan.rows, strict=True):
            arrays[T.BASE][place : place + len(rows)] = start[rows]
        for slot in (T.COUNT, T.LAW_WORK, T.LAW_HEAT, T.SPRING_HEAT, T.INPUT_WORK, T.REACTION, T.WEND):
            arrays[slot][:] = 0.0
        room = plan.jumpers.room(steps)
        table.size(T.LEAP_ROOM, room)
        leaps, events = np.empty(4 * room), np.zeros(1, np.int64)
        table.bind(T.LEAPS, leaps)
        table.bind(T.LEAP_COUNT, events)
        status = advance(table.slots, system.landings, state.t, plan.interval, steps, plan.allowed, plan.settle)
        count = arrays[T.COUNT]
        for i, key in enumerate(("steps", "passes", "rejected")):
            plan.statistics[key] += int(count[i])
        plan.statistics["indicator"] = max(plan.statistics["indicator"], float(count[3]))
        if status:
            row = system.rows[int(law_rows(system)[int(count[5])])] if system.shape.laws else ""
            where = f" for row '{row}'" if row else ""
            raise Diverged(f"no step is short enough{where} at {count[4]:.6g} s", float(count[4]), row)
        begin = state.t
        state.t = begin + steps * plan.interval
        state.phi[:], state.phi_low[:], state.modes[:] = phi, phi_low, modes
        from_blocks(system, form, arrays[T.STATE][: len(y)], arrays[T.XP][: len(xp)], arrays[T.VNOW][: len(vp)], state)
        after = state.deflections(system)[0]
        a, n = system.arrays, int(table.slots[T.FORCES])
        own = law_rows(system)
        heat = np.zeros(system.shape.rows)
        heat[own] = arrays[T.LAW_HEAT][:n]
        damped = np.flatnonzero(a.c) + springs.start
        heat[damped] = arrays[T.SPRING_HEAT][: len(damped)]
        state.row_heat += a.chat * heat
        state.row_work[own] += arrays[T.LAW_WORK][:n]
        stored = 0.5 * a.k * (after[springs] ** 2 - before[springs] ** 2) + a.f0 * (after - before)[springs]
        state.row_work[springs] += stored + a.c * heat[springs]
        state.input_work += arrays[T.INPUT_WORK][: system.shape.inputs]
        state.reaction_work[sorted(system.prescribed)] += arrays[T.REACTION][: len(xp)]
        found = _leaps_of(plan, leaps.reshape(-1, 4)[: int(events[0])], own, steps) if events[0] else None
        return Block(np.asarray(begin + plan.interval * np.arange(1, steps + 1), float), out, found)


def _leaps_of(plan: Plan, events: NDArray[np.float64], own: NDArray[np.int64], steps: int) -> Leaps | None:
    """Jumps of channels by the events (time, force, limit before, limit after) of laws over their phase."""
    rows = {int(row): i for i, row in enumerate(plan.jumpers.rows)}
    events = events[np.argsort(events[:, 0], kind="stable")]
    place = np.array([rows.get(int(own[int(force)]), -1) for force in events[:, 1]])
    events, place = events[place >= 0], place[place >= 0]
    limits = np.zeros((2, len(events), len(rows)))
    limits[:, np.arange(len(events)), place] = events[:, 2:].T
    at = np.minimum(np.floor(events[:, 0] / plan.interval * (1 - 1e-12)).astype(np.int64), steps - 1)
    return plan.jumpers.leaps(at, limits[0], limits[1])


def reference_form(system: System) -> tuple[Blocks, Reference]:
    """Blocks of the reference model; a defective group is stepped around with slightly more reference damping."""
    for scale in (1.0, 1.01, 1.05):
        chosen = reference(system, scale)
        try:
            return blocks(system, *chosen.matrices(system)), chosen
        except Defective as error:
            reason = str(error)
    raise ValueError(f"{reason}; choose explicit")


def steps_of(interval: float, wanted: float, fixed: bool) -> tuple[int, int]:
    """Units of a sample interval and power of two of them that make the longest step not above the one wanted.

    Units are the interval itself or, unless the step is ``fixed`` by the user, its third.
    """
    found = (1, _LONGEST)
    if wanted < inf:
        powers = [(units, floor(log2(units * wanted / interval) + 1e-9)) for units in ((1,) if fixed else (1, 3))]
        found = max(powers, key=lambda one: 2.0 ** one[1] / one[0])
    return found[0], min(found[1], _LONGEST)


def _smooth_calls(system: System) -> bool:
    """Whether laws are called, all of them smooth."""
    called = [law for law in system.laws if not declared_linear(law)]
    return bool(called) and all(law.smooth for law in called)


def longest_step(system: System, form: Blocks) -> float:
    """``min(r/w, 1/(3 f))``: w the highest mode below 30 % damping in the rows of laws, f the highest mesh frequency.

    r is how far the highest mode may turn: as far as the fixed point settles in a few passes and the indicator sees what is
    missed. With laws that are linear over their phase alone that is twice as far.
    """
    limits = [inf]
    rows = [r for b in range(system.shape.laws) for r in range(system.shape.rows)[system.law_rows(b)]]
    if len(rows) and len(form.omega):
        shapes = form.row_shapes[rows]
        compliance = shapes**2 / np.maximum(form.omega, 1e-6 * form.omega.max()) ** 2
        takes = (compliance > 0.01 * np.maximum(compliance.sum(axis=1, keepdims=True), 1e-300)).any(axis=0)
        light = form.gamma < 0.6 * form.omega
        if (takes & light).any():
            turns = _TURNS_LINEAR if all(declared_linear(law) for law in system.laws) else _TURNS
            limits.append(turns / float(form.omega[takes & light].max()))
    frequency = mesh_frequency(system)
    if frequency > 0.0:
        limits.append(1.0 / (3.0 * frequency))
    return min(limits)


def sine_step(system: System, tolerance: float) -> float:
    """Longest step [s] in which no sine bends more than its polynomial of the second degree may miss, infinite without one.

    Over a step of ``theta`` radians of a sine the next polynomial is ``(theta/2)^3 / 15`` of its amplitude.
    """
    fastest = max((abs(s.sine[1]) for s in system.signals if s.sine[0]), default=0.0)
    return 2.0 * (15.0 * _SIGNALS * tolerance) ** (1.0 / 3.0) / fastest if fastest else inf


def mesh_frequency(system: System) -> float:
    """Highest rate of a law's phase [cycles/s] at the initial speeds; zero without phases."""
    best = 0.0
    rates = np.asarray(system.D @ system.v0)
    for block, law in enumerate(system.laws):
        if law.senses and law.period:
            best = max(best, float(abs(rates[system.sense_rows(block).start])) / law.period)
    return best
