"""Loaded equilibrium: where a run starts from.

A free train has no rest position under load: it turns, and if its torques do not balance it accelerates.
What can be in equilibrium is its elastic part (physics notes 15)::

    a = r^T f / (r^T M r)          [ K   M r ] [ q  ]   [ f - M r a ]
                                   [ r^T M 0 ] [ mu ] = [ 0         ]

solved here in a basis of elastic motions that is M-orthogonal to the rigid ones, by Newton's method on the
forces of all rows, so that gaps, flanks and curved laws find their state by themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gearwright.arrays import Float
from gearwright.errors import InputError
from gearwright.system import State, System

from .modes import Free, free_motions
from .rows import RowForces


class Unbalanced(InputError):
    """Torques that do not balance at the start.

    Attributes
    ----------
    motion : reference coordinate of the rigid motion that would accelerate
    unbalanced : generalised force on it [N m or N]
    acceleration : what it would do [rad/s^2 or m/s^2]
    proposals : value of every input, by ``coordinate <- signal``, that alone would balance it
    """

    def __init__(self, motion: str, unbalanced: float, acceleration: float, proposals: dict[str, float]):
        self.motion, self.unbalanced, self.acceleration, self.proposals = motion, unbalanced, acceleration, proposals
        offer = "; ".join(f"{name} = {value:.9g} {_unit(name)}" for name, value in proposals.items())
        tail = f"any one of these balances: {offer}" if offer else "no input acts on it"
        rate = "rad/s^2" if _unit(motion) == "N m" else "m/s^2"
        super().__init__(
            f"the loads at the start do not balance: {unbalanced:.6g} {_unit(motion)} is left on '{motion}', "
            f"which would accelerate with {acceleration:.4g} {rate}; {tail}; or let the run start at its operating speed without "
            f"balance (start: operating)"
        )


def _unit(coordinate: str) -> str:
    """Unit of a generalised force on a coordinate, or of an input on it."""
    return "N" if coordinate.partition(" <- ")[0].endswith((".x", ".y", ".z")) else "N m"


class NoEquilibrium(InputError):
    """A position that the loads do not determine; ``coordinates`` names what is loose."""

    def __init__(self, message: str, coordinates: tuple[str, ...] = ()):
        super().__init__(message)
        self.coordinates = coordinates


@dataclass(frozen=True)
class Equilibrium:
    """Elastic equilibrium on top of a uniform (or uniformly accelerating) rigid motion.

    Attributes
    ----------
    t : time [s]
    q : (n,) elastic deflection, M-orthogonal to the free rigid motions, zero on prescribed coordinates
    v : (n,) speeds of the rigid motion
    phi : (r,) amount of each rigid motion at which it holds
    acceleration : (r,) of the rigid motions [unit of their reference coordinate per s^2]
    unbalanced : (r,) what the loads leave on the free rigid motions, zero where one is prescribed
    relative : the largest part of ``unbalanced`` over the sum of absolute contributions
    proposals : input values that would balance, as in :class:`Unbalanced`
    forces : (m,) of all rows, multipliers of hard rows included (least squares, weighted by compliance); in the places of
        sense rows what their laws report
    reaction : (n,) force that keeps every prescribed coordinate on its course
    iterations : Newton steps taken
    loose : coordinates that lie free between open contacts
    rows : names of the rows
    """

    t: float
    q: Float
    v: Float
    phi: Float
    acceleration: Float
    unbalanced: Float
    relative: float
    proposals: dict[str, float]
    forces: Float
    reaction: Float
    iterations: int
    loose: tuple[str, ...]
    rows: tuple[str, ...]

    def force(self, row: str) -> float:
        """Force of a row by name."""
        return float(self.forces[self.rows.index(row)])

    def state(self, system: System) -> State:
        """The state a run starts from."""
        state = State.start(system, q=self.q, v=self.v, t=self.t)
        state.phi[:] = self.phi
        return state


def equilibrium(
    system: System,
    t: float = 0.0,
    tolerance: float = 1e-6,
    *,
    allow_acceleration: bool = False,
    settle_speed: bool = False,
    allow_loose: bool = False,
    average: bool = True,
    phi: Float | None = None,
) -> Equilibrium:
    """Static equilibrium of the elastic part under the loads at ``t``.

    Parameters
    ----------
    tolerance : largest unbalanced load on a free rigid motion, relative to the sum of absolute contributions
    allow_acceleration : take what is unbalanced as a uniform acceleration instead of refusing it
    settle_speed : let the rigid speeds move until the loads balance, where a speed-dependent load (the slope
        of a machine) allows it; otherwise the speeds are the system's initial ones
    allow_loose : accept parts that lie free between open contacts, where the iteration left them
    average : laws by their mean over a mesh cycle; False takes them at the phase where they stand
    phi : (r,) amounts of the rigid motions, zero by default

    The rigid part of the initial speeds is what counts; prescribed coordinates have the speed and the
    acceleration of their signals, and the rest follows them rigidly. Friction rows that slip act, those at
    rest do not. Laws with states of their own are taken at their initial states.

    Raises Unbalanced, or NoEquilibrium where nothing stops a motion, a part lies loose or nothing is found.
    """
    _refuse_moving_rows(system)
    place = np.zeros(system.shape.rigid) if phi is None else np.asarray(phi, float)
    drive = _Drive(system, t)
    free = free_motions(system)
    speed = drive.speed
    for _ in range(30):
        problem = _Problem(system, free, drive, t, system.u.T @ speed, place, average)
        answer = _solve(problem)
        if not settle_speed or answer.relative <= min(tolerance, 1e-12) or not len(free.rigid):
            break
        damping = problem.forces.damping(problem.deflection(answer.q))
        slope = free.rigid @ damping @ free.rigid.T
        size = np.abs(free.rigid) @ np.abs(damping) @ np.abs(free.rigid.T)
        if np.linalg.matrix_rank(slope, tol=1e-10 * size.max()) < len(slope):
            break
        change = np.linalg.solve(slope, answer.left)
        speed = speed + np.linalg.lstsq(system.u.T, free.rigid.T @ change, rcond=None)[0]
    loose = problem.loose(problem.tangent(answer.q)) if system.shape.laws else ()
    if loose and not allow_loose:
        raise NoEquilibrium(
            f"{', '.join(loose)} lie loose between open contacts: the loads do not determine their position", loose
        )
    if answer.relative > tolerance and not allow_acceleration:
        worst = int(np.abs(answer.left / answer.scale).argmax())
        motion = free.rigid[worst]
        reference = system.coordinates[int(np.flatnonzero(motion)[0])]
        follow = np.linalg.solve(free.rigid @ system.mass @ free.rigid.T, answer.left)
        raise Unbalanced(reference, float(answer.left[worst]), float(follow[worst]), _proposals(problem, answer))
    unbalanced: Any = np.zeros(system.shape.rigid)
    if len(free.rigid):
        unbalanced = np.linalg.lstsq(system.u @ system.u.T, system.u @ free.rigid.T @ answer.left, rcond=None)[0]
    return Equilibrium(
        t,
        answer.q,
        problem.v,
        place,
        answer.acceleration,
        unbalanced,
        answer.relative,
        _proposals(problem, answer),
        answer.f + problem.forces.reports(problem.deflection(answer.q)),
        answer.reaction,
        answer.iterations,
        loose,
        system.rows,
    )


def moved_equilibria(system: System, found: Equilibrium, low: System, high: System) -> tuple[Equilibrium, Equilibrium]:
    """Equilibria of two neighbours of a system, to first order: one step from ``found`` with the tangent there.

    ``low`` and ``high`` have the coordinates and rows of ``system`` and a number of it a little smaller and larger. The
    difference of their loads over that of the number is what the implicit function theorem gives,
    ``dF = F_p - F_u K^-1 r_p``, with an error of the square of the step.
    """
    free = free_motions(system)

    def problem(of: System) -> _Problem:
        return _Problem(of, free, _Drive(of, found.t), found.t, found.v, found.phi, True)

    at, ends = problem(system), (problem(low), problem(high))
    e = free.elastic
    left, right = (e.T @ (_external(p, found.forces) - p.rows.T @ p.forces(p.deflection(found.q))) for p in ends)
    half = e @ np.linalg.lstsq(at.tangent(found.q), 0.5 * (right - left), rcond=1e-14)[0]
    answers = []
    for p, move in zip(ends, (-half, half), strict=True):
        q = found.q + move
        answer = _finish(p, q, p.forces(p.deflection(q)), found.forces, 1)
        forces = answer.f + p.forces.reports(p.deflection(q))
        answers.append(replace(found, q=q, forces=forces, reaction=answer.reaction))
    return answers[0], answers[1]


# --- the problem -------------------------------------------------------------------------------------


class _Drive:
    """Rigid speeds and accelerations demanded by prescribed coordinates and driven hard rows.

    ``speed`` (r,): amounts per second, the initial speeds where nothing is demanded; ``acceleration`` (r,):
    the demanded part alone.
    """

    def __init__(self, system: System, t: float):
        u, a = system.u, system.arrays
        driven = [(int(r), int(s)) for r, s in zip(a.hard, a.rate, strict=True) if s >= 0]
        signals = [system.signals[s] for s in system.prescribed.values()]
        signals += [system.signals[s] for _, s in driven]
        demand = np.vstack(
            [np.eye(system.shape.coordinates)[list(system.prescribed)], system.D[[r for r, _ in driven]].toarray()]
        )
        rates = demand @ u.T
        value = np.array([float(s(t)) for s in signals])
        slope = np.array([float(s.rate(t)) for s in signals])
        mass = u @ system.mass @ u.T
        self.speed = np.linalg.solve(mass, u @ (system.mass @ system.v0)) if len(u) else np.zeros(0)
        self.acceleration = np.zeros(len(u))
        if len(u) and len(rates):
            self.speed += np.linalg.lstsq(rates, value - rates @ self.speed, rcond=1e-10)[0]
            self.acceleration = np.linalg.lstsq(rates, slope, rcond=1e-10)[0]


class _Answer(NamedTuple):
    q: Float
    f: Float
    acceleration: Float
    left: Float
    scale: Float
    relative: float
    reaction: Float
    iterations: int


class _Problem:
    """Residual and tangent in the elastic basis."""

    def __init__(self, system: System, free: Free, drive: _Drive, t: float, v: Float, phi: Float, average: bool):
        self.system, self.free, self.drive, self.v = system, free, drive, v
        self.forces = RowForces(system, t, v, phi, average)
        self.rows = system.D.toarray()
        self.held = system.arrays.hard.astype(int)
        # the inertia of following a prescribed coordinate is counted with the rigid acceleration below
        rates = {f"rate of {system.signal_names[s]}" for s in system.prescribed.values()}
        a = system.arrays
        self.inputs = [
            (int(i), system.signal_names[s], float(b) * self.forces.signals[s])
            for i, s, b in zip(a.bi, a.bu, a.bv, strict=True)
            if system.signal_names[s] not in rates
        ]
        self.load = np.zeros(system.shape.coordinates)
        for i, _, value in self.inputs:
            self.load[i] += value
        self.follow = system.mass @ (system.u.T @ drive.acceleration)
        self.drag = np.abs(free.rigid @ self.rows.T) if len(free.rigid) else np.zeros((0, len(self.rows)))
        self.reference = self._reduced(self.forces.closed_stiffness())

    def deflection(self, q: Float) -> Float:
        return np.asarray(self.forces.d0 + self.rows @ q)

    def _reduced(self, k: Float) -> Float:
        e = self.free.elastic
        return np.asarray(e.T @ (0.5 * (k + k.T)) @ e)

    def tangent(self, q: Float) -> Float:
        e = self.free.elastic
        return np.asarray(e.T @ self.forces.stiffness(self.deflection(q)) @ e)

    def turning(self, q: Float) -> Float:
        """Size of the parts of damping forces at speed: where they cancel, they leave round-off of this size,
        which without load is all there is."""
        return np.asarray(np.abs(self.forces.damping(self.deflection(q))) @ np.abs(self.v))

    def loose(self, matrix: Float) -> tuple[str, ...]:
        """Coordinates that an elastic stiffness does not hold."""
        if not len(matrix):
            return ()
        values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
        slack = vectors[:, values <= 1e-13 * max(values[-1], 1e-300)]
        if not slack.shape[1]:
            return ()
        motion = self.free.elastic @ slack * np.sqrt(np.diag(self.system.mass.toarray()))[:, None]
        size = np.linalg.norm(motion, axis=1)
        return tuple(self.system.coordinates[i] for i in np.flatnonzero(size > 1e-3 * size.max()))


def _solve(problem: _Problem) -> _Answer:
    """Elastic equilibrium, hard multipliers and what is left on the rigid motions; friction by repetition."""
    q = np.zeros(problem.system.shape.coordinates)
    f = problem.forces.friction(problem.forces(problem.deflection(q)))
    steps = 0
    for _ in range(100):
        q, f_soft, taken = _newton(problem, q, f)
        steps += taken
        answer = _finish(problem, q, f_soft, f, steps)
        new = problem.forces.friction(answer.f)
        change = np.abs(new - f)[problem.system.arrays.fric].max(initial=0.0)
        f = new
        if change <= 1e-12 * np.abs(new).max(initial=0.0):
            return answer._replace(f=new)
    raise NoEquilibrium("the friction of the start position does not settle: losses feed on themselves")


def _external(problem: _Problem, friction: Float) -> Float:
    rows = problem.system.arrays.fric
    return problem.load - problem.follow - problem.rows[rows].T @ friction[rows]


def _newton(problem: _Problem, q: Float, friction: Float) -> tuple[Float, Float, int]:
    """Damped Newton with the closed stiffness as metric and as the fall-back step."""
    e, forces, rows = problem.free.elastic, problem.forces, problem.rows
    if not e.shape[1]:
        return q, forces(problem.deflection(q)), 0
    loose = problem.loose(problem.reference)
    if loose:
        raise NoEquilibrium(f"nothing holds {', '.join(loose)}: no equilibrium under load", loose)
    metric = np.linalg.cholesky(problem.reference)
    external = _external(problem, friction)
    turning = problem.turning(q)

    def residual(at: Float) -> tuple[Float, Float, float, float]:
        f = forces(problem.deflection(at))
        r = e.T @ (external - rows.T @ f)
        size = np.abs(e).T @ (np.abs(external) + turning + np.abs(rows).T @ np.abs(f))
        norm = float(np.linalg.norm(np.linalg.solve(metric, r)))
        return f, r, norm, float(np.linalg.norm(np.linalg.solve(metric, size)))

    def work(at: Any, move: Any, part: float) -> float:
        return float(residual(at + part * (e @ move))[1] @ move)

    f, r, norm, size = residual(q)
    steps, stiffer = 0, 0.0
    for _ in range(500):
        if norm <= 1e-13 * size:
            break
        tangent = problem.tangent(q) + stiffer * problem.reference
        regular = np.linalg.cond(tangent) < 1e14
        move = np.linalg.solve(tangent if regular else problem.reference, r)
        if r @ move <= 0.0:
            move = np.linalg.solve(problem.reference, r)
        trial = q + e @ move
        result = residual(trial)
        if not result[2] < 0.9 * norm:
            if norm <= 1e-9 * size:
                break
            part = _along(partial(work, q, move))
            if part is None:
                raise NoEquilibrium(*_stuck(problem, e @ move))
            if part < 1e-3 and stiffer < 1e6:
                # a contact that hardly touches is soft here and stiff a little further on: a shorter step that leans on
                # the stiffness of closed contacts
                stiffer = max(10.0 * stiffer, 1e-6)
                continue
            trial = q + part * (e @ move)
            result = residual(trial)
        stiffer *= 0.1 if stiffer > 1e-9 else 0.0
        q, (f, r, norm, size) = trial, result
        steps += 1
    else:
        raise NoEquilibrium(f"no equilibrium was found under the loads at t = {forces.t:g} s in 500 steps")
    return q, f, steps


def _along(work: Callable[[float], float]) -> float | None:
    """Length of a step at which the forces do no more work along it: beyond an open gap if need be.

    None if they do work however far one goes: nothing stops the motion.
    """
    from scipy.optimize import brentq

    low, high = 0.0, 1.0
    while work(high) > 0.0:
        low, high = high, 4.0 * high
        if high > 1e12:
            return None
    return float(brentq(work, low, high, rtol=1e-3, xtol=1e-6 * high)) if work(high) < 0.0 else high


def _stuck(problem: _Problem, move: Float) -> tuple[str, tuple[str, ...]]:
    size = np.abs(move) * np.sqrt(np.diag(problem.system.mass.toarray()))
    names = tuple(problem.system.coordinates[i] for i in np.flatnonzero(size > 1e-3 * size.max()))
    where = ", ".join(names)
    return f"no equilibrium under the loads at t = {problem.forces.t:g} s: nothing stops the motion of {where}", names


def _finish(problem: _Problem, q: Float, f: Float, friction: Float, steps: int) -> _Answer:
    """Rigid acceleration, multipliers and reactions from the forces of the soft rows."""
    system, free = problem.system, problem.free
    f = f.copy()
    f[system.arrays.fric] = friction[system.arrays.fric]
    soft = problem.rows.T @ f
    rest = problem.load - problem.follow - soft
    left = free.rigid @ (problem.load - problem.follow) - (free.rigid @ problem.rows.T) @ f
    scale = np.abs(free.rigid) @ np.abs(problem.follow) + problem.drag @ np.abs(f)
    for i, _, value in problem.inputs:
        scale += np.abs(free.rigid[:, i] * value)
    scale += 1e-6 * (np.abs(free.rigid) @ problem.turning(q))
    share = np.divide(left, scale, out=np.zeros_like(left), where=scale > 0)
    own = np.linalg.solve(free.rigid @ system.mass @ free.rigid.T, left) if len(left) else np.zeros(0)
    rest = rest - system.mass @ (free.rigid.T @ own)
    fixed = list(system.prescribed)
    if len(problem.held):
        weight = 1.0 / np.sqrt(system.arrays.compliance)
        moving = np.setdiff1d(np.arange(len(rest)), fixed)
        columns = problem.rows[problem.held].T * weight
        f[problem.held] = weight * np.linalg.lstsq(columns[moving], rest[moving], rcond=1e-10)[0]
        rest = rest - problem.rows[problem.held].T @ f[problem.held]
    reaction = np.zeros(len(rest))
    reaction[fixed] = -rest[fixed]
    u = system.u
    motion = free.rigid.T @ own
    acceleration = problem.drive.acceleration.copy()
    if len(u):
        acceleration += np.linalg.lstsq(u.T, motion, rcond=None)[0]
    return _Answer(
        q,
        f,
        acceleration,
        left,
        np.where(scale > 0, scale, 1.0),
        float(np.abs(share).max(initial=0.0)),
        reaction,
        steps,
    )


def _proposals(problem: _Problem, answer: _Answer) -> dict[str, float]:
    """Value of each input that alone would balance the worst rigid motion."""
    if not len(answer.left):
        return {}
    motion = problem.free.rigid[int(np.abs(answer.left / answer.scale).argmax())]
    left = answer.left[int(np.abs(answer.left / answer.scale).argmax())]
    return {
        f"{problem.system.coordinates[i]} <- {name}": _apart(value, float(left / motion[i]))
        for i, name, value in problem.inputs
        if motion[i] != 0.0
    }


def _apart(value: float, change: float) -> float:
    """``value - change``, zero where they are equal but for round-off."""
    found = value - change
    return 0.0 if abs(found) <= 1e-12 * max(abs(value), abs(change)) else found


def _refuse_moving_rows(system: System) -> None:
    if len(system.arrays.gaddr):
        raise ValueError("rows whose coefficients move have no static equilibrium here: start such a model from rest")
