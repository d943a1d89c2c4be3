"""The exact engine: piecewise-linear systems, solved in modal form between switches.

Between two switches a system of springs and laws with constant pieces is linear and time-invariant. Its
solution is written down per mode, inputs (piecewise cubics and sines) included, so there is no step size and
no tolerance: only the instants of switches are searched for, to round-off. One set of modes is kept per
combination of pieces and made when it is first met. Source: numerics page 1, item 2.
"""

from __future__ import annotations

import ctypes
import math
from itertools import pairwise
from typing import Any

import numpy as np

from gearwright.arrays import Float
from gearwright.kernels import START
from gearwright.kernels.vectors import multiply_out
from gearwright.solve.companion import Companion
from gearwright.system import Block, Channel, Diverged, State, System

from . import places as at
from .arrays import BLOCK, JUMPED, NOT_FINITE, PARTS, STUCK, UNKNOWN, Layout
from .blocks import block_matrix, fill_blocks
from .energy import enter, gram, ledger, multiply, multiply_turned, settle, totals
from .fill import compiled as filling
from .fill import fill
from .loop import run
from .model import Defective, Reduction, combine
from .parts import PART
from .plan import Plan, make_plan, reduced

#: Number of events at one instant, per row, before the run is called stuck.
PATIENCE = 6


class ExactEngine:
    """Piecewise-linear modal method; see the module."""

    name = "exact"

    def refuses(self, system: System) -> str | None:
        """A sentence saying why a system cannot be solved exactly and what to choose, or None."""
        try:
            reduced(system, ())
        except ValueError as error:
            return str(error)
        return None

    def compiled(self, system: System, tolerance: float) -> list[tuple[Any, tuple[Any, ...]]]:
        """Compiled functions that a run needs, in the order of need, each with arguments of the kinds it is called with."""
        made: list[tuple[Any, tuple[Any, ...]]] = [(run, (np.zeros(1, np.int64), 1, 1))]
        names = ["inputs", "begin", "values", "move", "moments", "samples"]
        if any(law.pieces is not None for law in system.laws):
            names += ["events", "search", "switch"]
            made += filling()
        if any(signal.sine[0] for signal in system.signals):
            names.append("sines")
        if not system.laws:
            names.append("blocks")
            x, xs, where = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 2), np.int64)
            made.append((multiply_out, (x, 1, np.zeros((1, 1, 1)), where, 0, 1, x, xs)))
        return [*((PART[name], ()) for name in names), *made]

    def prepare(self, system: System, channels: tuple[Channel, ...], interval: float, tolerance: float = 0.0) -> Plan:
        """Make bases, workspace and the pool of combinations; raises ValueError if the system is refused.

        ``interval`` is the sample interval [s]. Every ``tolerance`` is met: the result is exact to round-off.
        """
        return make_plan(reduced(system, tuple(channels)), tuple(channels), interval)

    def accompany(self, plan: Plan, companion: Companion) -> None:
        """Let a companion go along with the runs of a plan, from its next one on."""
        model, work = plan.model, plan.work
        work.sight_of[:] = np.hstack([companion.position @ model.E, companion.speed @ model.Vall]).ravel()
        work.beside[:] = companion.function.address, companion.data.ctypes.data, companion.every, 0
        plan.companion = companion
        _need(plan, "beside")

    def advance(self, plan: Plan, state: State, steps: int) -> Block:
        """Move ``state`` by ``steps`` intervals and return the channel values at their ends.

        Raises Diverged with the row and the time if the state is no longer finite, switches pile up at one
        instant, or a combination has no eigenbasis; ``state`` is then left as it was.
        """
        return _advance(plan, state, steps)


# --- combinations ------------------------------------------------------------------------------------


def _add(plan: Plan, key: int) -> None:
    """Make a combination and put it into a slot; raises Defective."""
    model, layout, pool = plan.model, plan.layout, plan.pool
    made = combine(model, key)
    empty = [i for i, c in enumerate(plan.combinations) if c is None]
    if empty:
        slot = empty[0]
    else:
        _settle(plan)
        slot = int(np.argmin(pool.used))
    plan.combinations[slot] = made
    plan.ledgers[slot] = None
    plan.lines[slot] = None
    plan.made += 1
    pool.used[slot] = plan.work.number[at.VISITS] + 1
    n, free, nu, ns, ne, nq = (int(layout.size[i]) for i in (0, 1, 2, 3, 6, 7))
    nm, lam = made.modes, made.lam
    waves = [model.system.signals[model.signal[i]].sine for i in layout.sine_input]
    special = np.abs(lam) < plan.slow
    for _, omega, _, _ in waves:
        special |= np.minimum(np.abs(lam - 1j * omega), np.abs(lam + 1j * omega)) < 1e-3 * max(omega, 1.0)
    inverse = np.where(special, 0.0, 1.0 / np.where(special, 1.0, lam))
    released = n - nm - made.complex_modes
    which = np.flatnonzero(special)
    pool.modes[4 * slot : 4 * slot + 4] = nm, made.complex_modes, released, len(which)
    pool.special[slot * n : slot * n + len(which)] = which
    if len(which):
        _need(plan, "special")
    # the twelve Gauss points of special modes and sines are good for six radians
    pace = float(np.abs(lam[which]).max(initial=0.0)) + 2 * max((abs(w[1]) for w in waves), default=0.0)
    pool.bounds[2 * slot] = float(np.abs(lam).max(initial=0.0))
    pool.bounds[2 * slot + 1] = 6.0 / pace if pace > 0.0 else np.inf
    o = slot * n
    pool.lr[o : o + nm], pool.li[o : o + nm] = lam.real, lam.imag
    pool.ir[o : o + nm], pool.ii[o : o + nm] = inverse.real, inverse.imag
    factor = np.exp(lam * plan.interval)
    pool.er[o : o + nm], pool.ei[o : o + nm] = factor.real, factor.imag
    factor = np.exp(lam * (plan.interval * BLOCK))
    pool.fr[o : o + nm], pool.fi[o : o + nm] = factor.real, factor.imag
    for i in range(nu):
        b = (slot * nu + i) * n
        pool.br[b : b + nm], pool.bi[b : b + nm] = made.beta[:, i].real, made.beta[:, i].imag
    for s, (_, omega, _, _) in enumerate(waves):
        # z' = lam z + beta sin(x): z = -(lam sin x + omega cos x) beta / (lam^2 + omega^2); amplitude is
        # a factor of the input while it acts
        push = made.beta[:, layout.sine_input[s]] * waves[s][0]
        below = np.where(special, 1.0, lam**2 + omega**2)
        sine, cosine = (np.where(special, 0.0, -push * f / below) for f in (lam, omega))
        b = (slot * ns + s) * n
        pool.sar[b : b + nm], pool.sai[b : b + nm] = sine.real, sine.imag
        pool.sbr[b : b + nm], pool.sbi[b : b + nm] = cosine.real, cosine.imag
    lift = np.vstack([made.lift, made.lift_psi])
    for a in range(len(lift)):
        b = (slot * nq + a) * n
        over = lift[a] * inverse
        pool.tr[b : b + nm], pool.ti[b : b + nm] = lift[a].real, lift[a].imag
        pool.qr[b : b + nm], pool.qi[b : b + nm] = over.real, over.imag
    pool.to_state[slot * n * n : (slot + 1) * n * n] = made.V.T.ravel()
    pool.to_modes[slot * n * n : (slot + 1) * n * n] = made.W.T.ravel()
    pool.sight[slot * n * ne : (slot + 1) * n * ne] = (_event_rows(model, layout) @ made.V).T.ravel()
    _index(plan, slice(slot, slot + 1) if empty else slice(None))


def _index(plan: Plan, slots: slice) -> None:
    """Enter slots into the hash table; all of them anew after one has changed hands."""
    pool, mask = plan.pool, int(plan.layout.size[at.HASH_MASK])
    if slots == slice(None):
        pool.hkey[:] = -1
    for slot in range(plan.slots)[slots]:
        made = plan.combinations[slot]
        if made is not None:
            h = (made.key * 0x9E3779B97F4A7C1) & mask
            while pool.hkey[h] != -1:
                h = (h + 1) & mask
            pool.hkey[h], pool.hslot[h] = made.key, slot


def _need(plan: Plan, *parts: str) -> None:
    """Compile parts of the engine, or load them from the cache, and enter their addresses."""
    for name in parts:
        place = len(plan.table) - len(PARTS) + PARTS.index(name)
        if plan.table[place] == 0:
            plan.table[place] = PART[name].address


def _event_rows(model: Reduction, layout: Layout) -> Float:
    ne, n = model.ne, model.n
    rows = np.zeros((int(layout.size[at.N_EVENTS]), n))
    e = 0
    for number in [p.sense for p in model.phases] + [r.row for r in model.rows if r.gap is not None]:
        rows[e, :ne] = model.DE[number]
        rows[e + 1, ne:] = model.Dv[number]
        e += 2
    return rows


def _line_matrix(plan: Plan, slot: int) -> Float:
    """Channels over a row of samples, transposed."""
    if plan.lines[slot] is None:
        made = plan.combinations[slot]
        assert made is not None
        n = plan.model.n
        full = plan.static_lines + multiply(plan.force_lines, plan.model.force_rows(made.key))
        plan.lines[slot] = np.ascontiguousarray(np.hstack([multiply(full[:, :n], made.V), full[:, n:]]).T)
    return plan.lines[slot]  # type: ignore[no-any-return]


# --- running -----------------------------------------------------------------------------------------


def _advance(plan: Plan, state: State, steps: int) -> Block:
    model, work, system, layout = plan.model, plan.work, plan.system, plan.layout
    _need(plan, "inputs", "begin", "values", "move", "moments", "samples")
    if model.phases or any(r.gap is not None for r in model.rows):
        _need(plan, "events", "search", "switch")
    if len(work.sines):
        _need(plan, "sines")
    if layout.size[at.BLOCK_SAMPLES]:
        _need(plan, "blocks")
    n = model.n
    shift = _enter(plan, state)
    start, speed0 = work.state.copy(), float(work.motion[at.SPEED])
    plan.sums = totals(model)
    for slot in _taken(plan):
        _clear(plan, slot)
    columns = np.empty((len(plan.channels), steps))  # contiguous by channel, as whoever counts wants it
    lines = columns.T
    width = n + model.nr + 1 + model.ni
    capacity = len(work.record_slot)
    patience = PATIENCE * (len(model.rows) + 2)
    switches: list[tuple[Any, Float, Float]] = []
    while work.number[at.SAMPLE] < steps:
        first = int(work.number[at.SAMPLE])
        work.number[at.STOP] = steps
        result = run(plan.table, plan.batch, patience)
        done = int(work.number[at.SAMPLE])
        if done > first:
            _fill(
                plan,
                lines[first:done],
                work.samples.reshape(-1, width)[: done - first],
                work.sample_slot[: done - first],
            )
            if work.number[at.FILLED] and len(plan.channels):
                _fill_blocks(plan, columns, first)
        _switched(plan, switches)
        if result in (STUCK, NOT_FINITE):
            row = system.rows[int(work.number[at.ROW])] if model.rows else ""
            now = state.t + float(work.motion[at.TIME])
            what = "switches without end at one instant" if result == STUCK else "is no longer finite"
            raise Diverged(f"the run stops at {now:.9g} s: row '{row}' {what}", now, row)
        if work.number[at.RECORDED] >= capacity - 2:
            _sum_records(plan)
        if result == JUMPED:
            _jump(plan)
        if result == UNKNOWN:
            try:
                _add(plan, int(work.number[at.KEY]))
            except Defective as error:
                now = state.t + float(work.motion[at.TIME])
                raise Diverged(f"the run stops at {now:.9g} s: {error}; choose another engine", now) from error
    if plan.rigid_lines.any():
        lines += plan.rigid_lines @ (state.phi + shift)
    _settle(plan)
    time: Float = state.t + plan.interval * np.arange(1.0, steps + 1)
    _leave(plan, state, shift, start, speed0, steps)
    leaps = plan.jumpers.chosen(*(np.concatenate(part) for part in zip(*switches, strict=True))) if switches else None
    return Block(time, lines, leaps)


def _switched(plan: Plan, found: list[tuple[Any, Float, Float]]) -> None:
    """Take the switches that were kept since: the sample that each comes before, channels that may jump before and after."""
    work, columns = plan.work, plan.jumpers.channels
    count = int(work.number[at.LEAPS])
    if not count:
        return
    width = plan.model.n + plan.model.nr + 1 + plan.model.ni
    if len(columns):
        rows, slots = work.leap.reshape(-1, width)[: 2 * count], work.leap_slot[: 2 * count]
        values = np.empty((2 * count, len(columns)))
        for slot in np.unique(slots):
            values[slots == slot] = rows[slots == slot] @ _line_matrix(plan, int(slot))[:, columns]
        found.append((work.leap_at[:count].copy(), values[::2], values[1::2]))
    if work.number[at.WAITING]:  # what comes after the last one is not known yet
        work.leap[: 2 * width] = work.leap[2 * count * width : 2 * (count + 1) * width]
        work.leap_slot[:2], work.leap_at[0] = work.leap_slot[2 * count : 2 * count + 2], work.leap_at[count]
    work.number[at.LEAPS] = 0


def _jump(plan: Plan) -> None:
    """Let the prescribed speed jump: no force but that of coupled inertia is strong enough to act in no time."""
    model, work = plan.model, plan.work
    change, speed = float(work.motion[at.SPEED_JUMP]), float(work.motion[at.SPEED])
    before = work.state[model.ne :].copy()
    work.state[model.ne :] += model.push[:, model.rate_input] * change
    work.motion[at.SPEED] = speed + change
    mass = model.system.mass[model.prescribed].toarray()[0]
    mass[model.prescribed] = 0.0
    both = model.Vall @ (before + work.state[model.ne :]) + model.w * (2.0 * speed + change)
    plan.sums.impulse += 0.5 * change * float(mass @ both)


def _fill(plan: Plan, lines: Float, samples: Float, slots: Any) -> None:
    """Channel values of samples, combination by combination."""
    if not lines.shape[1]:
        return
    if plan.work.number[at.FILLED]:
        (single,) = np.nonzero(slots >= 0)
        lines[single] = multiply(samples[single], _line_matrix(plan, 0))
        return
    if (slots == slots[0]).all():
        multiply_turned(samples, _line_matrix(plan, int(slots[0])), lines)
        return
    fill(lines.T, samples, slots, lambda slot: _line_matrix(plan, slot))


def _fill_blocks(plan: Plan, columns: Float, first: int) -> None:
    """Channel values of the samples in blocks; a model that has them keeps its one combination in slot 0."""
    if plan.block_lines is None:
        plan.block_lines = block_matrix(plan, 0, _line_matrix(plan, 0))
    fill_blocks(plan, plan.block_lines, columns, first)


def _sum_records(plan: Plan) -> None:
    """Add the recorded visits to the sums of their combinations."""
    work, n = plan.work, plan.model.n
    count = int(work.number[at.RECORDED])
    if not count:
        return
    slots = work.record_slot[:count]
    order = np.argsort(slots.astype(np.uint16), kind="stable")
    record = work.record[: count * 2 * n].reshape(count, 2 * n)[order]
    cuts = [0, *(np.flatnonzero(np.diff(slots[order])) + 1), count]
    for first, last in pairwise(cuts):
        slot = int(slots[order[first]])
        begin, end = record[first:last, :n], record[first:last, n:]
        plan.changes[slot] += gram(end) - gram(begin)
        plan.shifts[slot] += (end - begin).sum(axis=0)
    work.number[at.RECORDED] = 0


def _taken(plan: Plan) -> list[int]:
    """Slots that hold a combination."""
    return [slot for slot, made in enumerate(plan.combinations) if made is not None]


def _clear(plan: Plan, slot: int) -> None:
    """Empty the sums of a slot; slots that were never taken stay untouched memory."""
    width = plan.model.ni
    plan.pool.R[slot * width * 2 * plan.model.n : (slot + 1) * width * 2 * plan.model.n] = 0.0
    plan.pool.T[slot * width : (slot + 1) * width] = 0.0
    plan.changes[slot] = 0.0
    plan.shifts[slot] = 0.0


def _settle(plan: Plan) -> None:
    """Turn the sums of all combinations into work and heat, and empty them."""
    _sum_records(plan)
    model, pool = plan.model, plan.pool
    n, nu = model.n, model.ni
    R = pool.R.reshape(plan.slots, nu, 2, n)
    T = pool.T.reshape(plan.slots, nu)
    for slot in _taken(plan):
        made = plan.combinations[slot]
        if made is None or not (R[slot].any() or plan.shifts[slot].any()):
            continue
        book = plan.ledgers[slot]
        if book is None:
            book = plan.ledgers[slot] = ledger(model, made)
        settle(model, book, plan.sums, plan.changes[slot], plan.shifts[slot], R[slot], T[slot])
        _clear(plan, slot)


def _enter(plan: Plan, state: State) -> Float:
    """Split the state into x, rigid motions and pieces; returns the rigid part of q, by rigid motion."""
    model, work, system, layout = plan.model, plan.work, plan.system, plan.layout
    mass = system.mass
    p = model.prescribed
    q, v = state.q.copy(), state.v.copy()
    shift = np.zeros(system.shape.rigid)
    speed = 0.0
    if p >= 0:
        speed = float(v[p])
        shift += model.b * q[p]
        q, v = q - model.w * q[p], v - model.w * speed
        q[p] = v[p] = 0.0
    if system.shape.rigid:
        shift += model.nf @ (model.Uf @ (mass @ q))
    ne = model.ne
    work.state[:ne] = model.E.T @ (mass @ q)
    work.state[ne:] = model.Vall.T @ (mass @ v)
    work.psi[:] = 0.0
    work.motion[:4] = 0.0, 0.0, speed, state.t
    work.number[[0, 1, 5, 6, 7, at.LEAPS, at.WAITING]] = 0
    work.beside[3] = 0
    work.number[at.ROW] = model.rows[0].row if model.rows else 0
    off, rho = system.arrays.off, system.rho
    for k, phase in enumerate(model.phases):
        parts = [float(off[phase.sense])]
        for i in range(system.shape.rigid):
            parts += [rho[i, phase.sense] * x for x in (state.phi[i], state.phi_low[i], shift[i])]
        here = math.fsum(parts) + float(model.DE[phase.sense] @ work.state[:ne])
        whole = math.floor(here - phase.boundaries[0])
        work.pieces[k] = max(int(np.searchsorted(phase.boundaries, here - whole, side="right")) - 1, 0)
        work.cycles[k] = 0
        work.pbase[k] = math.fsum([*parts, -whole])
    for g, row in enumerate(r for r in model.rows if r.gap is not None):
        level = row.stiffness[int(work.pieces[model.phases.index(row.phase)]) if row.phase else 0]
        d = float(model.DE[row.row] @ work.state[:ne]) + layout.goff[g]
        rate = float(model.Dv[row.row] @ work.state[ne:])
        work.contacts[g] = int(d > 0.0 and level * d + row.damping * rate > 0.0)
    return shift


def _leave(plan: Plan, state: State, shift: Float, start: Float, speed0: float, steps: int) -> None:
    """Write the end of a run back into the state, its book included."""
    model, work, system = plan.model, plan.work, plan.system
    ne = model.ne
    theta, speed = float(work.motion[at.ANGLE]), float(work.motion[at.SPEED])
    enter(model, plan.sums, state, start, work.state, work.psi, theta, (speed0, speed))
    state.t = state.t + steps * plan.interval
    moved = model.b * theta + model.nf @ work.psi
    for i in range(system.shape.rigid):
        parts = [state.phi[i], state.phi_low[i], shift[i], moved[i]]
        state.phi[i] = math.fsum(parts)
        state.phi_low[i] = math.fsum([*parts, -state.phi[i]])
    state.q[:] = model.E @ work.state[:ne]
    state.v[:] = model.Vall @ work.state[ne:] + model.w * speed
    _set_modes(system, state)


def _set_modes(system: System, state: State) -> None:
    """Modes as the laws' own guards number them, for whoever goes on from here."""
    if not any(law.guard for law in system.laws):
        return
    d, dv = state.deflections(system)
    signals = np.array([float(s(state.t)) for s in system.signals])
    for i, law in enumerate(system.laws):
        if law.guard is not None:
            block = slice(system.law_rows(i).start, system.sense_rows(i).stop)
            margin = np.zeros(2)
            values = [
                np.ascontiguousarray(x) for x in (d[block], dv[block], np.append(law.parameters, 0.0), [0.0], signals)
            ]
            pointers = [x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (*values, margin)]
            state.modes[i] = law.guard.ctypes(state.t, *pointers[:5], START, pointers[5])
