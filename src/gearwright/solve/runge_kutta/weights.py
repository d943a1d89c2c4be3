"""What the errors of the explicit engine are measured by: loads of rows and deviations of coordinates.

A coordinate has the tolerance times a nominal deflection in its own length scale, the same for all of them. Loads are measured one
by one: a row has the tolerance times the largest load that it has met, at first the one that the inputs cause at rest or that the
speeds of the start can cause; one that is small counts as a thousandth of the largest of all rows. So the load of a stiff shaft or of
a mesh of the high-speed stage, whose deflection is a small part of the others, is as accurate as theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.system import Law, State, System

from . import table as T

#: Velocity weight: rate at which a deviation within tolerance may move [1/s].
RATE = 1e4
#: Part of a row's rate that is round-off of its parts, and speed [rad/s or m/s] below which a train in which nothing
#: is elastic stands still: it must be well above round-off at the highest speeds.
ROUND_OFF = 1e-12
STILL = 1e-9
#: Error of a step of Nyström's method over its fourth difference, at a tolerance of 1e-3, and powers of tighter tolerances: with which it
#: over-rates the error of a smooth motion with weak damping, which is of fifth order; with which it under-rates that of a mode that rings
#: on from where stiffness jumps or bends between the samples of its course; and the sum of many bends within steps.
#: Measured on the shipped examples: docs/engines.md.
ESTIMATE, SMOOTH, JUMPS, KINKS = 1 / 720, 0.25, 0.1, 0.22
#: Cells of a smooth piece of a course from which on it goes through samples.
SAMPLED = 16
#: Largest rate of decay over the largest frequency from which on steps are of third order only.
DAMPED = 2.0
#: Damping ratio of fast modes below which errors of single steps live long enough to be held closer, and how much closer at most.
LIVELY, CLOSER = 0.01, 10.0
#: Least deflection, in the length scale of its coordinates, that the load of a row is measured by [m]; with less of it nothing
#: loads a system.
SMALLEST = 1e-12
#: Nominal deflection of a system in which nothing is elastic, in the length scale of its coordinates.
RIGID_SCALE = 1e-2


@dataclass(frozen=True)
class Sizes:
    """Of the mean model, found once: ``mass, stiffness`` (free coordinates), of every row (m) its ``spring`` (mean stiffness), its
    ``width`` in the length scales of its coordinates and its static deflection ``static``; ``elastic``, the rows that set the nominal
    deflection; the ``nominal`` deflection; the largest natural ``frequency`` [rad/s]; ``fastest``, the largest rate at which
    anything swings or decays [rad/s]; ``memory``, how much closer steps are held where fast modes are hardly damped."""

    mass: Float
    stiffness: Float
    spring: Float
    width: Float
    elastic: NDArray[np.int64]
    static: Float
    nominal: float
    frequency: float
    fastest: float
    memory: float


def sizes_of(system: System) -> Sizes:
    """Sizes of a system under its inputs."""
    free, m = system.free, system.shape.rows
    mass, stiffness, damping = (x[np.ix_(free, free)] for x in system.linear())
    spring = system.row_stiffness()
    first = m - system.shape.springs
    laws = np.flatnonzero(spring[:first] > 0.0)
    elastic = laws if len(laws) else first + np.flatnonzero(spring[first:] > 0.0)
    width = np.asarray(abs(system.D[np.arange(m)]) @ system.arrays.qscale)
    nominal, static = _nominal(system, mass, stiffness, width, elastic)
    return Sizes(mass, stiffness, spring, width, elastic, static, nominal, *_rates(mass, stiffness, damping))


def largest_step(system: System) -> float:
    """No step jumps over a wave of an input."""
    fastest = max((abs(s.sine[1]) for s in system.signals if s.sine[0]), default=0.0)
    return min(0.1, 0.125 * 2.0 * np.pi / fastest if fastest > 0.0 else 0.1)


def weigh(table: T.Table, system: System, sizes: Sizes, tolerance: float, state: State) -> float:
    """Write the weights of the errors, at the beginning of a run; the nominal deflection that they hold."""
    d, _ = state.deflections(system)
    nominal = max(sizes.nominal, _typical(sizes.width, sizes.elastic, d))
    rate = min(RATE, max(sizes.frequency, 1.0))
    # nothing may load the system: steps must not be made for the round-off of its speeds
    noise = ROUND_OFF * float((np.abs(state.v) / system.arrays.qscale).max(initial=0.0)) / (tolerance * rate)
    nominal = max(nominal, noise) if nominal > SMALLEST else RIGID_SCALE
    if T.CZERO in table.arrays:
        table.arrays[T.CZERO][:] = _still(system, sizes, 1e-3 * tolerance * nominal * rate, state)
    tolerance /= sizes.memory
    arrays, m, n = table.arrays, system.shape.rows, system.shape.coordinates
    swings = np.maximum(_swings(system, sizes, state.v), max(noise, SMALLEST) * sizes.width)
    arrays[T.WIDTH][:m] = np.where(sizes.spring > 0.0, sizes.width, 0.0)
    arrays[T.LOADS][:m] = sizes.spring * np.maximum(sizes.static, swings)
    arrays[T.CARRY][4] = sizes.fastest
    power = KINKS if bends(system) else (-SMOOTH if sizes.fastest < DAMPED * sizes.frequency else 0.0)
    if power < 0.0 and any(law.leaps or _sampled(law) for law in system.laws):
        power = JUMPS
    arrays[T.CARRY][2], arrays[T.CARRY][5] = tolerance, ESTIMATE * max(1e-3 / tolerance, 1.0) ** power
    weight = arrays[T.WEIGHT]
    weight[:n] = 1.0 / (tolerance * nominal * system.arrays.qscale)
    weight[n : 2 * n] = weight[:n] / rate
    weight[2 * n : 2 * n + len(state.z)] = 1.0 / (tolerance * np.maximum(np.abs(state.z), 1e-6))
    for block, law in enumerate(system.laws):
        end = 2 * n + int(system.arrays.lz[block + 1])
        weight[end - len(law.heat) : end] = 0.0  # integrals on which nothing depends
    return nominal


def bends(system: System) -> bool:
    """Whether a law bends where no step is made to end: one without a guard that is neither smooth nor a course over its phase."""
    return any(law.guard is None and law.course is None and not law.smooth for law in system.laws)


def _sampled(law: Law) -> bool:
    """Whether the stiffness of a law is a course through so many samples that it may bend between any two."""
    return law.course is not None and max(len(cells) for cells in law.course.cells) > SAMPLED


def _still(system: System, sizes: Sizes, scale: float, state: State) -> Float:
    """Rates of the candidates of multipliers below which they stand still; ``scale`` goes with their widths."""
    a = system.arrays
    rows = np.concatenate([a.hard, a.fric]).astype(int)
    if not len(rows):
        return np.full(1, max(scale, 1e-12))
    part = abs(system.D[rows])
    # rates of rows that turn as a block are the round-off of their parts
    zero = np.maximum(np.maximum(scale * sizes.width[rows], 1e-12), ROUND_OFF * np.asarray(part @ np.abs(state.v)))
    if not len(sizes.elastic):
        zero = np.maximum(zero, STILL * (part @ np.ones(part.shape[1])))
    return np.asarray(zero)


def _typical(width: Float, elastic: NDArray[np.int64], deflection: Float) -> float:
    """Typical deflection in length units: median over the elastic rows that carry more than a thousandth."""
    wide = width[elastic]
    size = np.abs(deflection[elastic]) / np.where(wide > 0, wide, 1.0)
    size = size[np.isfinite(size)]
    size = size[size > 1e-3 * size.max()] if len(size) and size.max() > 0 else np.zeros(0)
    return float(np.median(size)) if len(size) else 0.0


def _nominal(
    system: System, mass: Float, stiffness: Float, width: Float, elastic: NDArray[np.int64]
) -> tuple[float, Float]:
    """Largest over time of the typical deflection, and of that of every row, under the inputs: statically with the rigid
    acceleration."""
    rows = np.zeros(system.shape.rows)
    if not len(elastic):
        return 0.0, rows
    free = system.free
    scale = system.arrays.qscale[free]
    m = mass * scale[:, None] * scale
    k = stiffness * scale[:, None] * scale
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
            d = np.asarray(system.D @ q)
            found, rows = max(found, _typical(width, elastic, d)), np.maximum(rows, np.abs(d))
    return found, rows


def _swings(system: System, sizes: Sizes, v: Float) -> Float:
    """How far the rows deflect (m) in the modes of the mean model when the kinetic energy of speeds that are not rigid turns
    into that of springs: root of the sum of squares of the modes."""
    free, m = system.free, sizes.mass
    u = system.u[:, free]
    own = v[free] - (u.T @ np.linalg.lstsq(u @ m @ u.T, u @ m @ v[free], rcond=None)[0] if len(u) else 0.0)
    if not own @ m @ own > ROUND_OFF * (v[free] @ m @ v[free]):
        return np.zeros(system.shape.rows)
    import scipy.linalg as sl

    values, shapes = sl.eigh(sizes.stiffness, m)
    elastic = values > 1e-10 * max(values[-1], 1e-300)
    amplitude = (shapes[:, elastic].T @ m @ own) / np.sqrt(values[elastic])
    return np.asarray(np.linalg.norm((system.D.toarray()[:, free] @ shapes[:, elastic]) * amplitude, axis=1))


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


def _rates(mass: Float, stiffness: Float, damping: Float) -> tuple[float, float, float]:
    """Largest natural frequency; largest rate at which anything swings or decays [rad/s]; how much closer steps are held. Zero where
    nothing is elastic."""
    if not stiffness.any() or not len(mass):
        return 0.0, 0.0, 1.0
    import scipy.linalg as sl

    values, shapes = sl.eigh(stiffness, mass)
    omega = np.sqrt(np.maximum(values, 0.0))
    if not omega[-1] > 0.0:
        return 0.0, 0.0, 1.0
    fast = omega > omega[-1] / 3.0
    rates = np.einsum("ij,ij->j", shapes, damping @ shapes)
    ratio = float(np.median(rates[fast] / (2.0 * omega[fast])))
    last = len(mass) - 1
    decay = float(sl.eigh(damping, mass, eigvals_only=True, subset_by_index=(last, last))[0]) if damping.any() else 0.0
    return float(omega[-1]), max(float(omega[-1]), decay), float(np.clip(LIVELY / max(ratio, 1e-12), 1.0, CLOSER))
