"""Natural frequencies, damping and shapes of a system about a state.

Undamped problem ``K phi = w^2 M phi`` on the motions that are free: prescribed coordinates are removed, hard
rows and sticking friction rows hold what they hold. The rigid motions are known from kinematics and are
taken out exactly, so that their frequency is zero and not the square root of round-off, and so that the
damped state-space problem, written in ``[e, e', phi']`` (elastic part, its rate, rate of the rigid motions),
has no double zero, which no eigenvalue routine resolves better than to the root of the machine precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.system import State, System

from .rows import row_matrices

Complex = NDArray[np.complex128]

#: Relative distance below which two squared frequencies are one eigenvalue.
DEGENERATE = 1e-9
#: largest over smallest squared frequency above which the low modes are solved for again
SPREAD = 1e8
#: part of its own terms below which the rate of a held row under a rigid motion is round-off
ROUND_OFF = 1e-10


@dataclass(frozen=True)
class Modes:
    """Modes of a system, frequencies ascending with multiplicity, rigid modes first.

    Attributes
    ----------
    frequencies_hz : (k,) undamped natural frequencies [Hz]; rigid modes exactly 0. With gyroscopic matrices:
        frequencies of the undamped gyroscopic problem. A statically unstable mode has 0, its pole tells.
    damping_ratios : (k,) may exceed 1; NaN for rigid modes
    damping_from : (k,) how each ratio was found: ``classical`` (phi^T C phi / 2 w, exact because the mode is
        not coupled by damping), ``pole`` (-Re/abs of the damped pole whose shape matches the mode),
        ``projection`` (phi^T C phi / 2 w where no oscillating pole matches, e.g. beyond critical damping),
        ``rigid``
    shapes : (n, k) in coordinate units, mass-normalised (phi^T M phi = 1); the rigid ones span ``System.u``.
        Complex with gyroscopic matrices, then phi^H M phi + phi^H K phi / w^2 = 2.
    poles : all poles of the damped system [rad/s], ascending by absolute imaginary part
    strain_shares : (k, m) share of every row in the mode's strain energy; zero for rigid modes
    kinetic_shares : (k, n) share of every coordinate in the mode's kinetic energy
    rigid : number of rigid modes
    mass : (n, n) mass matrix the shapes are normalised with
    row_stiffness : (m, m) from deflections to forces of the rows, as linearised
    coordinates, rows : names
    """

    frequencies_hz: Float
    damping_ratios: Float
    damping_from: tuple[str, ...]
    shapes: NDArray[np.float64] | Complex
    poles: Complex
    strain_shares: Float
    kinetic_shares: Float
    rigid: int
    mass: Float
    row_stiffness: Float
    coordinates: tuple[str, ...]
    rows: tuple[str, ...]

    @property
    def count(self) -> int:
        """Number of modes."""
        return len(self.frequencies_hz)

    def clusters(self, tolerance: float = 1e-6) -> list[NDArray[np.int64]]:
        """Numbers of the modes that share one frequency within the relative ``tolerance``."""
        groups: list[list[int]] = []
        for i, f in enumerate(self.frequencies_hz):
            same = groups and abs(f - self.frequencies_hz[groups[-1][-1]]) <= tolerance * f
            both_rigid = groups and (i < self.rigid) == (groups[-1][-1] < self.rigid)
            if same and both_rigid:
                groups[-1].append(i)
            else:
                groups.append([i])
        return [np.array(g, np.int64) for g in groups]


class Free(NamedTuple):
    """The motions left free: ``q = basis y``, and the rigid motions among them.

    ``basis`` (n, f); ``rigid`` (r, n), rows of ``System.u`` or combinations that leave all held rows alone;
    ``unit`` (n, r) M-orthonormal columns with the span of ``rigid``; ``elastic`` (n, f - r) M-orthonormal
    columns, M-orthogonal to ``unit``.
    """

    basis: Float
    rigid: Float
    unit: Float
    elastic: Float


def held_rows(system: System, state: State | None = None) -> Float:
    """Rows (h, n) that cannot move: prescribed coordinates, hard rows, friction rows that stick in ``state``."""
    n = system.shape.coordinates
    pinned = np.zeros((len(system.prescribed), n))
    pinned[np.arange(len(pinned)), list(system.prescribed)] = 1.0
    rows = [int(r) for r in system.arrays.hard]
    if state is not None:
        rows += [int(r) for r, mode in zip(system.arrays.fric, state.friction, strict=True) if mode == 0]
    return np.vstack([pinned, system.D[rows].toarray()]) if rows else pinned


def free_motions(system: System, state: State | None = None) -> Free:
    """Bases of the free, the rigid and the elastic motions.

    Raises ValueError if nothing is free.
    """
    n = system.shape.coordinates
    mass = system.mass.toarray()
    held = held_rows(system, state)
    if len(held) == len(system.prescribed):
        basis = np.eye(n)[:, system.free]
    else:
        scale = 1.0 / np.sqrt(np.diag(mass))
        basis = scale[:, None] * _null_space(held * scale)
    if not basis.shape[1]:
        raise ValueError("no motion is free: prescribed coordinates and hard rows hold everything")
    rigid = _rigid_part(held, system.u)
    rigid[:, list(system.prescribed)] = 0.0
    lower = np.linalg.cholesky(basis.T @ mass @ basis)
    inverse = forward(lower, basis.T).T  # basis lower^-T: M-orthonormal columns
    if len(rigid):
        amount = np.linalg.lstsq(basis, rigid.T, rcond=None)[0]
        q, _ = np.linalg.qr(lower.T @ amount, mode="complete")
        unit, elastic = inverse @ q[:, : len(rigid)], inverse @ q[:, len(rigid) :]
        gram = np.linalg.cholesky(rigid @ mass @ rigid.T)
        unit = forward(gram, rigid).T  # exactly in the span, zeros kept
    else:
        unit, elastic = np.zeros((n, 0)), inverse
    return Free(basis, rigid, unit, elastic)


def _rigid_part(held: Float, u: Float) -> Float:
    """Combinations of the rigid motions ``u`` (r, n) that leave the held rows alone, as rows; round-off of a row moves nothing."""
    if not len(held) or not len(u):
        return u.copy()
    reach = held @ u.T
    reach[np.abs(reach) <= ROUND_OFF * (np.abs(held) @ np.abs(u.T))] = 0.0
    return np.asarray(_null_space(reach).T @ u)


def forward(lower: NDArray[Any], right: NDArray[Any]) -> Float:
    """Solution of a lower triangular system, from the first row on: what is zero above stays zero."""
    out = np.zeros_like(right)
    for i, row in enumerate(lower):
        out[i] = (right[i] - row[:i] @ out[:i]) / row[i]
    return out


def modes(
    system: System,
    speed: float | None = None,
    state: State | None = None,
    gyroscopic: Float | None = None,
    stiffness: Float | None = None,
) -> Modes:
    """Modes of a system, its laws by their mean or by their tangents at a state.

    Parameters
    ----------
    speed : speed of the first rigid motion's reference coordinate [rad/s] at which the train turns: adds the
        forces that laws draw from it (Coriolis, centripetal) and moves the tangents of machine laws there. By
        default the train stands still, and machine laws have their slope at the initial speeds (or ``state``)
    state : position and sticking friction rows about which to linearise; by default the unloaded position
        with friction rows free
    gyroscopic : (n, n) further matrix of velocity forces that do no work (skew), at the speed meant
    stiffness : (n, n) further stiffness: centripetal (symmetric), circulatory (skew), at the speed meant

    Moving rows are taken with the coefficients they were built with. Raises ValueError if ``speed`` is given
    to a system without a rigid motion.
    """
    v = system.v0.copy() if state is None else state.v.copy()
    t = 0.0 if state is None else state.t
    q = None if state is None else state.q
    g, extra = np.zeros((len(v), len(v))), np.zeros((len(v), len(v)))
    if speed is not None:
        v = at_speed(system, speed, v)
        g, extra = speed_matrices(system, v, t)
    mass, k, c = system.linear(q, v, t)
    free = free_motions(system, state)
    g = g if gyroscopic is None else g + gyroscopic
    extra = extra if stiffness is None else extra + stiffness
    c, g = c + 0.5 * (g + g.T), 0.5 * (g - g.T)
    rotating = bool(g.any() or extra.any())
    symmetric = 0.5 * (k + k.T)
    skew = np.where(np.abs(k - symmetric) > 1e-12 * np.abs(k).max(initial=0.0), k - symmetric, 0.0) + extra
    unit, elastic, square = undamped_shapes(free, symmetric, c, mass)
    phi = np.hstack([unit, elastic])
    r = unit.shape[1]
    deflated = 0 if _acts_on(skew, unit, symmetric) else r
    kr = np.diag(np.concatenate([np.zeros(r), square])) + phi.T @ skew @ phi
    poles, vectors = damped_poles(kr, phi.T @ (c + g) @ phi, deflated)
    coefficients: NDArray[np.float64] | Complex
    if rotating:
        w, coefficients = _gyroscopic(kr, phi.T @ g @ phi, deflated)
    else:
        w = np.concatenate([np.zeros(r), np.sqrt(np.maximum(square, 0.0))])
        coefficients = np.eye(len(w))
    shapes = phi @ coefficients
    damping = phi.T @ c @ phi
    ratios, source = _ratios(w, coefficients, damping, poles, vectors, deflated, classical=not rotating)
    order = np.lexsort((poles.real, poles.imag, np.abs(poles.imag)))
    springs, _ = row_matrices(system, q, v, t)
    return Modes(
        w / (2 * np.pi),
        ratios,
        source,
        shapes,
        poles[order],
        strain_shares(system, springs, shapes),
        kinetic_shares(mass, shapes),
        deflated,
        mass,
        springs,
        system.coordinates,
        system.rows,
    )


def at_speed(system: System, speed: float, v: Float | None = None) -> Float:
    """Speeds (n,) with the first rigid motion at ``speed``, otherwise as ``v`` (the initial speeds).

    Raises ValueError without a rigid motion.
    """
    if not system.shape.rigid:
        raise ValueError("nothing turns: the system has no rigid motion to which a speed could belong")
    base = system.v0 if v is None else v
    reference = int(np.flatnonzero(system.u[0])[0])
    return np.asarray(base + (speed / system.u[0, reference] - base[reference]) * system.u[0])


def speed_matrices(system: System, v: Float, t: float = 0.0) -> tuple[Float, Float]:
    """What speed adds to the tangents of laws that read senses: velocity matrix and stiffness (n, n).

    Differences of force over all rows of the block, senses included, at speeds ``v`` less those at rest, so
    that only what depends on speed is left: Coriolis and centripetal terms of members in turning frames.
    """
    n = system.shape.coordinates
    velocity, stiffness = np.zeros((n, n)), np.zeros((n, n))
    signals = np.array([float(s(t)) for s in system.signals])
    for block, law in enumerate(system.laws):
        if not law.senses or law.pieces is not None or law.tangent is not None:
            continue
        force = system.law_rows(block)
        whole = slice(force.start, system.sense_rows(block).stop)
        rows = system.D[whole].toarray()
        d, dv = system.arrays.off[whole].copy(), np.asarray(rows @ v)
        for total, step_d, step_v in ((velocity, 0.0, 1e-3), (stiffness, 1e-6, 0.0)):
            tangent, size = np.zeros((law.rows, len(d))), 0.0
            for j, unit in enumerate(np.eye(len(d))):
                for rate, sign in ((dv, 0.5), (np.zeros_like(dv), -0.5)):
                    for way in (1.0, -1.0):
                        at = d + way * step_d * unit, rate + way * step_v * unit
                        f = system.law_force(block, *at, signals, t) / (step_d + step_v)
                        tangent[:, j] += sign * way * f
                        size = max(size, np.abs(f).max())
            tangent[np.abs(tangent) <= 1e-12 * size] = 0.0
            total += system.D[force].toarray().T @ tangent @ rows
    return velocity, stiffness


def mac(a: Modes, b: Modes) -> Float:
    """Modal assurance criterion of two models (modes of a, modes of b), over the coordinates both have.

    Weighted with the mass matrix of ``a``, so that metres and radians can be added and that ``mac(a, a)`` is
    the unit matrix. Raises ValueError if the models share no coordinate.
    """
    number = {name: i for i, name in enumerate(b.coordinates)}
    mine = [i for i, name in enumerate(a.coordinates) if name in number]
    if not mine:
        raise ValueError("the two models have no coordinate in common")
    x = a.shapes[mine]
    y = b.shapes[[number[a.coordinates[i]] for i in mine]]
    weight = a.mass[np.ix_(mine, mine)]
    cross = np.abs(x.conj().T @ weight @ y) ** 2
    own = np.real(np.einsum("ik,ij,jk->k", x.conj(), weight, x))
    other = np.real(np.einsum("ik,ij,jk->k", y.conj(), weight, y))
    size = np.outer(own, other)
    return np.divide(cross, size, out=np.zeros_like(cross), where=size > 0)


# --- parts -------------------------------------------------------------------------------------------


def _null_space(matrix: Float) -> Float:
    """Orthonormal columns that ``matrix`` maps to zero; the unit matrix for an empty or zero one."""
    width = matrix.shape[1]
    size = np.linalg.norm(matrix, axis=1, keepdims=True)
    keep = size[:, 0] > 0.0
    if not keep.any():
        return np.eye(width)
    _, values, right = np.linalg.svd(matrix[keep] / size[keep], full_matrices=True)
    return right[int((values > 1e-10 * values[0]).sum()) :].T


def _refined(free: Free, k: Float, mass: Float, square: Float, shapes: Float) -> tuple[Float, Float]:
    """Low modes beside very high ones, by a step of inverse iteration on all of them at once.

    An eigenvalue routine is right to round-off of the highest squared frequency, which massless pins or stiff bearings
    put 1e11 times above the lowest. A Cholesky factor is right to round-off of every coordinate's own stiffness, so the
    inverse problem ``M phi = phi / w^2`` in the space of the low modes gives them to all digits. Rigid motions are held by
    a stiffness of their own. Where the train is not stable at rest, all stays as it is.
    """
    low = int(np.searchsorted(square, square[-1] / SPREAD**0.5))
    if low == 0 or square[0] <= 0.0:
        return square, shapes
    moved = mass @ free.unit
    inner = free.basis.T @ (k + square[0] * moved @ moved.T) @ free.basis
    try:
        lower = np.linalg.cholesky(inner)
        right = mass @ shapes[:, :low]
        half = forward(lower, free.basis.T @ right)
        found = free.basis @ forward(lower[::-1, ::-1].T, half[::-1])[::-1]
        turn = np.linalg.cholesky(half.T @ half)
    except np.linalg.LinAlgError:
        return square, shapes
    inverse, y = np.linalg.eigh(forward(turn, forward(turn, found.T @ mass @ found).T))
    better = found @ forward(turn[::-1, ::-1].T, y[::-1])[::-1][:, ::-1] / np.sqrt(inverse[::-1])
    return np.concatenate([1.0 / inverse[::-1], square[low:]]), np.hstack([better, shapes[:, low:]])


def undamped_shapes(free: Free, k: Float, c: Float, mass: Float) -> tuple[Float, Float, Float]:
    """Rigid columns, elastic shapes and their squared frequencies, ascending.

    Within one eigenvalue the shapes are turned so that damping does not couple them.
    """
    unit, elastic = free.unit, free.elastic
    square, x = np.linalg.eigh(elastic.T @ k @ elastic) if elastic.shape[1] else (np.zeros(0), np.zeros((0, 0)))
    shapes = elastic @ x
    if len(square) and square[-1] > SPREAD * abs(square[0]):
        square, shapes = _refined(free, k, mass, square, shapes)
    damping = shapes.T @ (0.5 * (c + c.T)) @ shapes
    begin = 0
    for end in range(1, len(square) + 1):
        if end == len(square) or square[end] - square[begin] > DEGENERATE * max(abs(square[end]), 1e-300):
            if end - begin > 1:
                _, turn = np.linalg.eigh(damping[begin:end, begin:end])
                shapes[:, begin:end] = shapes[:, begin:end] @ turn
            begin = end
    return unit, shapes, square


def _acts_on(extra: Float, unit: Float, k: Float) -> bool:
    """Whether an extra stiffness resists the rigid motions, which are then none any more."""
    if not unit.shape[1] or not extra.any():
        return False
    limit = 1e-9 * max(np.abs(extra).max(), np.abs(k).max(initial=0.0)) * np.abs(unit).max()
    return bool(np.abs(extra @ unit).max() > limit)


def damped_poles(k: Float, c: Float, rigid: int) -> tuple[Complex, Complex]:
    """Poles and shapes (in modal coordinates) of ``x'' + c x' + k x = 0`` whose first ``rigid`` have no stiffness."""
    n = len(k)
    m = n - rigid
    a = np.zeros((2 * m + rigid, 2 * m + rigid))
    order = np.concatenate([np.arange(rigid, n), np.arange(rigid)])  # rates: elastic first, rigid last
    a[:m, m : 2 * m] = np.eye(m)
    a[m:, :m] = -k[np.ix_(order, np.arange(rigid, n))]
    a[m:, m:] = -c[np.ix_(order, order)]
    values, vectors = np.linalg.eig(a)
    shapes = np.zeros((n, len(values)), complex)
    shapes[rigid:] = vectors[:m]
    size = np.where(values == 0.0, 1.0, values)
    shapes[:rigid] = vectors[2 * m :] / size
    poles = np.concatenate([np.zeros(rigid, complex), values])
    return poles, np.hstack([np.eye(n, rigid, dtype=complex), shapes])


def _gyroscopic(k: Float, g: Float, rigid: int) -> tuple[Float, Complex]:
    """Frequencies [rad/s] and complex shapes, in modal coordinates, of the undamped gyroscopic problem."""
    values, vectors = damped_poles(k, g, rigid)
    values, vectors = values[rigid:], vectors[:, rigid:]
    small = 1e-9 * np.abs(values).max()
    chosen = np.flatnonzero((values.imag > small) | ((np.abs(values.imag) <= small) & (values.real > small)))
    w = np.where(values[chosen].imag > small, values[chosen].imag, 0.0)
    order = np.argsort(w, kind="stable")
    w, shapes = w[order], vectors[:, chosen[order]]
    for j in range(shapes.shape[1]):
        x = shapes[:, j]
        kinetic = np.real(x.conj() @ x)
        potential = np.real(x.conj() @ k @ x) / w[j] ** 2 if w[j] > 0 else kinetic
        turn = x[np.abs(x).argmax()]
        shapes[:, j] = x * (abs(turn) / turn) * np.sqrt(2.0 / (kinetic + potential))
    return np.concatenate([np.zeros(rigid), w]), np.hstack([np.eye(len(k), rigid, dtype=complex), shapes])


def _ratios(
    w: Float,
    shapes: NDArray[np.float64] | Complex,
    c: Float,
    poles: Complex,
    vectors: Complex,
    rigid: int,
    classical: bool,
) -> tuple[Float, tuple[str, ...]]:
    """Damping ratio of every mode and how it was found.

    Poles and modes are matched by their elastic parts: a machine slope lets the rigid motion swing along with
    every mode, which says nothing about which mode it is.
    """
    count = len(w)
    projected = np.real(np.einsum("ik,ij,jk->k", np.conj(shapes), c, shapes))
    ratios = np.full(count, np.nan)
    source = ["rigid"] * count
    elastic = np.flatnonzero((np.arange(count) >= rigid) & (w > 0.0))
    ratios[elastic] = projected[elastic] / (2 * w[elastic])
    for i in np.flatnonzero((np.arange(count) >= rigid) & (w <= 0.0)):
        source[i] = "projection"
    coupled = elastic
    if classical:
        size = np.sqrt(np.abs(np.outer(projected, projected)))
        coupling = np.abs(c - np.diag(np.diag(c))) - 1e-9 * size
        np.fill_diagonal(coupling, 0.0)
        coupled = np.array([i for i in elastic if max(coupling[i].max(), coupling[:, i].max()) > 1e-14 * w[i]], int)
    for i in elastic:
        source[i] = "classical" if i not in coupled else "projection"
    if not len(coupled):
        return ratios, tuple(source)
    swinging = np.flatnonzero(poles.imag > 1e-9 * np.abs(poles).max(initial=1e-300))
    x, y = shapes[rigid:, coupled], vectors[rigid:, swinging]
    norm = np.outer(np.linalg.norm(x, axis=0), np.linalg.norm(y, axis=0))
    match = (np.abs(np.conj(x).T @ y) / norm) ** 2
    # weights must not vanish: an entry of zero would be an edge that is not there
    for a, b in zip(*_pairs(match + 1e-9), strict=True):
        if match[a, b] >= 0.5:
            pole = poles[swinging[b]]
            ratios[coupled[a]] = -pole.real / abs(pole)
            source[coupled[a]] = "pole"
    return ratios, tuple(source)


def _pairs(weight: Float) -> Any:
    """Rows and columns of the pairs with the largest sum of weights."""
    if not weight.size:
        return (), ()
    best = weight.argmax(axis=1)
    if len(set(best)) == len(best):
        return range(len(best)), best  # every row has its best: no sum is larger
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    return min_weight_full_bipartite_matching(csr_matrix(weight), maximize=True)


def strain_shares(system: System, row_stiffness: Float, shapes: NDArray[np.float64] | Complex) -> Float:
    """Share (k, m) of every row in the strain energy of every shape; zero for shapes that stretch nothing."""
    d = system.D @ shapes
    d[np.abs(d) <= 1e-12 * (abs(system.D) @ np.abs(shapes))] = 0.0
    energy = np.real(np.conj(d) * (row_stiffness @ d)).T
    total = energy.sum(axis=1, keepdims=True)
    return np.divide(energy, total, out=np.zeros_like(energy), where=total > 0)


def kinetic_shares(mass: Float, shapes: NDArray[np.float64] | Complex) -> Float:
    """Share (k, n) of every coordinate in the kinetic energy of every shape."""
    energy = np.real(np.conj(shapes) * (mass @ shapes)).T
    return np.asarray(energy / energy.sum(axis=1, keepdims=True))
