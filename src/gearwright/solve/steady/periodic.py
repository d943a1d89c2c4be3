"""Periodic steady state of a train whose stiffness follows the mesh phase, at constant speed.

Started from the equilibrium of the mean stiffness, a lightly damped stage rings for half a second before it
reaches the motion it keeps. That motion is found at once: over one common period the equations are linear
with coefficients that are constant between the corners of the stiffness courses (and nearly so over short
pieces elsewhere), so the state after a period is ``Phi_T x0 + b`` and the motion that repeats is
``(I - Phi_T) x0 = b`` with the rigid motion removed (physics notes 15).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gearwright.arrays import Float
from gearwright.errors import InputError
from gearwright.system import State, System

from .modes import Free, free_motions
from .rows import RowForces
from .static import Equilibrium, equilibrium

#: pieces per cycle of the fastest mesh where a stiffness course is not constant between corners
FINENESS = 48


class NoPeriod(InputError):
    """A train without a usable common period; the message says why and what to do instead."""


@dataclass(frozen=True)
class Periodic:
    """Start on the periodic steady state.

    ``start`` holds position, speeds and forces at its beginning, ``period`` [s] the common period (0 where
    nothing is periodic) and ``pieces`` the number of pieces it was cut into.
    """

    start: Equilibrium
    period: float
    pieces: int

    def state(self, system: System) -> State:
        """The state a run starts from."""
        return self.start.state(system)


def periodic_start(
    system: System,
    *,
    most_pieces: int = 20_000,
) -> Periodic:
    """Position and speeds from which the run is periodic from its first instant.

    Parameters
    ----------
    most_pieces : refuse a common period that needs more (stages with hunting teeth)

    Laws are linear about the mean equilibrium at every phase; phases advance with the rigid motion alone.
    Contacts stay as they are there. Laws with ``period == 0`` (gravity in a turning frame) stand still.

    Raises NoPeriod where the phases have no common period within ``most_pieces`` or a contact would change on
    the way, and what :func:`~.static.equilibrium` raises.
    """
    mean = equilibrium(system, settle_speed=True)
    free = free_motions(system)
    rates = _phase_rates(system, mean)
    if not len(rates) or not free.elastic.shape[1]:
        return Periodic(mean, 0.0, 0)
    course = _Course(system, mean, free)
    knots = _knots(system, mean, rates, most_pieces)
    size = course.size
    phi, b = np.eye(size), np.zeros(size)
    steps = []
    for begin, end in zip(knots[:-1], knots[1:], strict=True):
        a, push, force = course.piece(0.5 * (begin + end))
        step = course.advance(a, push, end - begin)
        phi, b = step[:size, :size] @ phi, step[:size, :size] @ b + step[:size, size]
        steps.append((step, force))
    x0: Float = np.asarray(np.linalg.solve(np.eye(size) - phi, b), float)
    course.check_contacts(x0, steps, knots)
    m = free.elastic.shape[1]
    q = mean.q + free.elastic @ x0[:m]
    v = mean.v + free.elastic @ x0[m : 2 * m] + free.unit[:, : size - 2 * m] @ x0[2 * m :]
    rows = RowForces(system, 0.0, v, mean.phi, average=False)
    forces = rows.friction(rows(rows.d0 + system.D @ q))
    hard = system.arrays.hard.astype(int)
    forces[hard] = mean.forces[hard]
    return Periodic(replace(mean, q=q, v=v, forces=forces), float(knots[-1]), len(steps))


def _phase_rates(system: System, mean: Equilibrium) -> Float:
    """Cycles per second of everything periodic that turns."""
    rate = np.asarray(system.D @ mean.v)
    rates = [
        abs(r) / law.period
        for block, law in enumerate(system.laws)
        if law.senses and law.period > 0.0
        for r in rate[system.sense_rows(block)]
    ]
    return np.array(sorted({float(f"{r:.12e}") for r in rates if r > 0.0}))


def _knots(system: System, mean: Equilibrium, rates: Float, most: int) -> Float:
    """Times from 0 to the common period at which some law has a corner or a piece ends."""
    turns = np.arange(1, most + 1) / rates[0]
    cycles = turns[:, None] * rates
    whole = np.abs(cycles - np.round(cycles)).max(axis=1) <= 1e-6
    if not whole.any():
        raise NoPeriod(
            f"the mesh phases have no common period within {most} cycles of the slowest; start from the equilibrium of "
            f"the mean stiffness and discard the first second"
        )
    period = float(turns[np.flatnonzero(whole)[0]])
    rows = RowForces(system, mean.t, mean.v, mean.phi, average=False)
    periodic = [i for i, law in enumerate(system.laws) if law.senses and law.period > 0.0]
    smooth = any(not _in_levels(system, i, rows, mean) for i in periodic)
    count = period * (FINENESS * rates[-1] if smooth else 0.0)
    for block in periodic:
        count += period * abs(_phase(system, block, rows)[1]) * len(_corners(system, block))
    if count > 1.1 * most + 100:
        raise NoPeriod(
            f"the common period of {period:.4g} s needs about {count:.0f} pieces, more than {most}; start from the "
            f"equilibrium of the mean stiffness and discard the first second"
        )
    knots = [np.array([0.0, period])]
    for block in periodic:
        begin, speed = _phase(system, block, rows)
        corners = _corners(system, block)
        if speed != 0.0 and len(corners):
            cycle = np.floor(begin) + np.sign(speed) * np.arange(-1, int(np.ceil(abs(speed) * period)) + 2)
            knots.append(((cycle[:, None] + corners) - begin).ravel() / speed)
    if smooth:
        knots.append(np.arange(0.0, period, 1.0 / (FINENESS * rates[-1])))
    times = np.sort(np.concatenate(knots))
    times = times[(times >= 0.0) & (times <= period)]
    times = times[np.concatenate([[True], np.diff(times) > 1e-9 * period / len(times)])]
    times[-1] = period
    return times


def _corners(system: System, block: int) -> Float:
    """Corners of a law, in cycles."""
    law = system.laws[block]
    return np.array(law.pieces.boundaries if law.pieces else law.corners) / law.period


def _phase(system: System, block: int, rows: RowForces) -> tuple[float, float]:
    """Phase of a law's first sense at the start [cycles] and its rate [1/s]."""
    first, period = system.sense_rows(block).start, system.laws[block].period
    return float(rows.d0[first]) / period, float(rows.dv[first]) / period


def _in_levels(system: System, block: int, rows: RowForces, mean: Equilibrium) -> bool:
    """Whether a law is constant between its corners, judged by its force at the mean deflection."""
    law = system.laws[block]
    if law.pieces is not None:
        return True
    corners = np.unique(_corners(system, block) % 1.0)
    whole = slice(system.law_rows(block).start, system.sense_rows(block).stop)
    at = rows.d0[whole] + np.asarray(system.D[whole] @ mean.q)
    rate = rows.dv[whole]
    follow = rate[law.rows :] / rate[law.rows] if rate[law.rows] != 0.0 else np.eye(law.senses)[0]
    edges = np.append(corners, corners[0] + 1.0) if len(corners) else np.array([0.0, 1.0])
    for begin, end in zip(edges[:-1], edges[1:], strict=True):
        seen = []
        for part in (0.05, 0.3, 0.5, 0.7, 0.95):
            d = at.copy()
            d[law.rows :] += ((begin + part * (end - begin)) * law.period - at[law.rows]) * follow
            seen.append(system.law_force(block, d, rate, rows.signals, rows.t))
        if np.ptp(seen, axis=0).max() > 1e-9 * np.abs(seen).max() or not np.any(seen):
            return False
    return True


class _Course:
    """Linear equations about the mean equilibrium at any place of the rigid motion.

    State: elastic deviation, its rate, and the deviation of the free rigid speeds where a load depends on them.
    """

    def __init__(self, system: System, mean: Equilibrium, free: Free):
        self.system, self.mean, self.free = system, mean, free
        self.rows = system.D.toarray()
        e = free.elastic
        speed = mean.v @ system.mass
        u = system.u
        self.amount = np.linalg.solve(u @ system.mass @ u.T, u @ speed) if len(u) else np.zeros(0)
        at_mean = RowForces(system, mean.t, mean.v, mean.phi, average=True)
        # what the mean equilibrium balances: loads, inertia of the rigid acceleration, friction, multipliers
        self.load = self.rows.T @ at_mean(at_mean.d0 + self.rows @ mean.q)
        damping = at_mean.damping(at_mean.d0 + self.rows @ mean.q)
        slope = free.unit.T @ damping @ free.unit
        loose = np.linalg.matrix_rank(slope, tol=1e-10 * np.abs(damping).max(initial=1e-300)) < len(slope)
        self.follow = free.unit if len(slope) and not loose else free.unit[:, :0]
        both = np.hstack([e, self.follow])
        self.damping = both.T @ damping @ both
        self.size = 2 * e.shape[1] + self.follow.shape[1]
        self._spectra: dict[bytes, tuple[Any, Any, Any] | None] = {}

    def piece(self, time: float) -> tuple[Float, Float, RowForces]:
        """Matrix and constant of ``x' = A x + b`` with all laws where they stand after ``time``."""
        e, m = self.free.elastic, self.free.elastic.shape[1]
        forces = RowForces(self.system, self.mean.t, self.mean.v, self.mean.phi + time * self.amount, average=False)
        d = forces.d0 + self.rows @ self.mean.q
        a = np.zeros((self.size, self.size))
        a[:m, m : 2 * m] = np.eye(m)
        a[m : 2 * m, :m] = -(e.T @ forces.stiffness(d) @ e)
        a[m:, m:] = -self.damping
        push = np.zeros(self.size)
        push[m : 2 * m] = e.T @ (self.load - self.rows.T @ forces(d))
        return a, push, forces

    def advance(self, a: Float, push: Float, duration: float) -> Float:
        """Exact step of ``x' = a x + push`` over ``duration`` as an (size + 1, size + 1) matrix.

        By the spectrum of ``a``, kept for the latest combinations of stiffnesses (told apart to single precision);
        where its basis is nearly defective (critical damping) by the matrix exponential.
        """
        if len(self._spectra) > 256:
            self._spectra.clear()
        key = np.float32(a / np.abs(a).max()).tobytes()
        if key not in self._spectra:
            values, vectors = np.linalg.eig(a)
            sound = np.linalg.cond(vectors) < 1e9 and np.abs(values).min() > 0.0
            self._spectra[key] = (values, vectors, np.linalg.inv(vectors)) if sound else None
        found = self._spectra[key]
        if found is None:
            n = self.size
            from scipy.linalg import expm

            return np.asarray(expm(duration * np.block([[a, push[:, None]], [np.zeros((1, n + 1))]])))
        values, vectors, inverse = found
        step = np.eye(self.size + 1)
        step[:-1, :-1] = ((vectors * np.exp(values * duration)) @ inverse).real
        step[:-1, -1] = ((vectors * (np.expm1(values * duration) / values)) @ (inverse @ push)).real
        return step

    def check_contacts(self, x0: Float, steps: list[tuple[Float, RowForces]], knots: Float) -> None:
        """Refuse if a law does at the end of a piece what its tangent did not foresee."""
        m = self.free.elastic.shape[1]
        x = np.append(x0, 1.0)
        every = max(1, len(steps) // 400)
        for i, (step, forces) in enumerate(steps):
            x = step @ x
            if i % every:
                continue
            base = forces.d0 + self.rows @ self.mean.q
            change = self.rows @ (self.free.elastic @ x[:m])
            foreseen = self.rows.T @ forces(base) + forces.stiffness(base) @ (self.free.elastic @ x[:m])
            real = self.rows.T @ forces(base + change)
            size = np.abs(self.rows).T @ np.abs(forces(base)) + 1e-300
            if (np.abs(real - foreseen) > 0.02 * size.max()).any():
                raise NoPeriod(
                    f"a contact opens or curves {knots[i + 1]:.4g} s into the period: the steady state is not linear; "
                    f"start from the equilibrium of the mean stiffness"
                )
