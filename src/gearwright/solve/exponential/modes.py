"""The reference model of the exponential engine as independent 2 x 2 blocks.

Positions are split three ways, and only the second part is elastic::

    x = T x_P + Phi eta + U psi            (x = u^T phi + q of the state)

``x_P`` are the prescribed coordinates and ``T`` what follows them rigidly, ``psi`` the rigid motions that no
prescribed coordinate holds, ``eta`` the undamped modes of the reference model in the mass-orthogonal complement
of the rigid motions. The reference model has the constant rows and, for the rows of laws, their mean or tangent
stiffness and damping. With the damping ``Gamma`` of all rows,

    eta'' = -omega^2 eta - Gamma [eta', psi']_eta + forcing,      psi'' = -Gamma [eta', psi']_psi + forcing

falls apart into groups of modes that damping couples. A mode alone is a block as it stands, at any damping ratio,
critical included; a coupled group goes through the complex eigenvectors of ``[omega eta, eta', psi']``, which has
no double zero, and the position ``psi`` joins the slowest real eigenvalue in one block that also serves a zero
one. Source: numerics page 2, section 7; physics notes 14.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import RunError
from gearwright.solve.steady.modes import forward
from gearwright.system import Law, System
from gearwright.system.sparse import groups

#: Damping of a coupling below this part of the largest is taken as none.
_COUPLED = 1e-11
#: Condition of the eigenvectors above which a group counts as defective.
_DEFECTIVE = 1e9


class Defective(RunError, ValueError):
    """Damping couples modes into a group that has no full set of eigenvectors."""


def declared_linear(law: Law) -> bool:
    """Whether a law says that its force is linear in its deflections, with a stiffness over the phase alone."""
    levels = law.pieces is not None and all(gap is None for gap in law.pieces.gap)
    return (levels or law.course is not None) and not law.states


@dataclass(frozen=True)
class Reference:
    """Stiffness and damping of the rows of laws in the reference model, one square block per law."""

    stiffness: list[Float]
    damping: list[Float]

    def matrices(self, system: System) -> tuple[Float, Float]:
        """Stiffness and damping of all rows (m, m): springs, laws; zero for senses."""
        m = system.shape.rows
        k, c = np.zeros((m, m)), np.zeros((m, m))
        springs = np.arange(m)[system.spring_rows]
        k[springs, springs] = system.arrays.k
        c[springs, springs] = system.arrays.c
        for block in range(system.shape.laws):
            rows = system.law_rows(block)
            k[rows, rows] = self.stiffness[block]
            c[rows, rows] = self.damping[block]
        return k, c


def reference(system: System, scale: float = 1.0) -> Reference:
    """Mean of every law, or its tangent; where a law has no slope at rest, half its largest secant.

    ``scale`` multiplies the damping of the laws: the reference may be chosen freely, and a slightly other one
    steps around a defective group of modes.
    """
    stiffness, damping = [], []
    for block, (k, c) in enumerate(system.law_gradients()):
        law = system.laws[block]
        k = 0.5 * (k + k.T)
        if law.mean is None and not k.any():
            k = np.diag(_secants(system, block))
        stiffness.append(k)
        damping.append(0.5 * (c + c.T) * scale)
    return Reference(stiffness, damping)


def _secants(system: System, block: int) -> Float:
    law = system.laws[block]
    signals = np.array([float(s(0.0)) for s in system.signals])
    best = np.zeros(law.rows)
    rest = np.zeros(law.rows + law.senses)
    for row in range(law.rows):
        for size in (1e-7, 1e-6, 1e-5, 1e-4, 1e-3):
            for sign in (1.0, -1.0):
                d = rest.copy()
                d[row] = sign * size
                force = (
                    system.law_force(block, d, rest, signals)[row] - system.law_force(block, rest, rest, signals)[row]
                )
                if np.isfinite(force):
                    best[row] = max(best[row], 0.5 * force / (sign * size))
    return best


@dataclass(frozen=True)
class Blocks:
    """The reference model in block coordinates ``y`` (Y = two per block: the first ones of all blocks, then the second).

    ``a`` (blocks, 4) the 2 x 2 matrices; ``elastic, elastic_rate`` (modes, Y), ``rigid, rigid_rate`` (free rigid
    motions, Y) give eta, eta', psi, psi' from y; ``from_*`` (Y, ..) the way back; ``omega`` [rad/s] and ``shapes``
    (free coordinates, modes) of the undamped modes, ``gamma`` (modes) their damping coefficients. ``free_rigid``
    (r, free rigid motions) turns psi into the state's phi; ``held`` (r, prescribed) turns prescribed positions into
    phi, ``follows`` (n, prescribed) into positions, ``rest`` (prescribed, prescribed) is what stays as deviation.
    ``row_shapes`` (m, modes), ``row_rates`` (m, free rigid motions), ``row_follows`` (m, prescribed) are the same for
    rows, exact zeros kept. ``momentum`` (modes and free rigid motions, free coordinates) gives eta, psi of positions.
    """

    a: Float
    elastic: Float
    elastic_rate: Float
    rigid: Float
    rigid_rate: Float
    from_elastic: Float
    from_elastic_rate: Float
    from_rigid: Float
    from_rigid_rate: Float
    omega: Float
    gamma: Float
    shapes: Float
    rigid_shapes: Float
    free_rigid: Float
    held: Float
    follows: Float
    rest: Float
    row_shapes: Float
    row_rates: Float
    row_follows: Float
    momentum: Float

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Both eigenvalues of every block."""
        mean = 0.5 * (self.a[:, 0] + self.a[:, 3])
        root = np.sqrt(0.25 * (self.a[:, 0] - self.a[:, 3]) ** 2 + self.a[:, 1] * self.a[:, 2] + 0j)
        return np.concatenate([mean + root, mean - root])


def blocks(system: System, row_stiffness: Float, row_damping: Float) -> Blocks:
    """Block form of the model with the given stiffness and damping (m, m) of its rows.

    Raises :class:`Defective` where damping couples modes without a full set of eigenvectors.
    """
    free = system.free
    fixed = np.array(sorted(system.prescribed), np.int64)
    r = system.shape.rigid
    u = system.u
    held_rates = u[:, fixed].T if len(fixed) else np.zeros((0, r))
    if len(fixed) and r:
        held: Float = np.asarray(np.linalg.pinv(held_rates, rcond=1e-10), float)
        _, values, right = np.linalg.svd(held_rates)
        rank = int((values > 1e-10 * max(values.max(initial=0.0), 1e-300)).sum())
        basis = right[rank:]
    else:
        held = np.zeros((r, len(fixed)))
        basis = np.eye(r)
    follows = u.T @ held
    follows[fixed] = np.eye(len(fixed))
    rest = np.eye(len(fixed)) - held_rates @ held
    rest[np.abs(rest) < 1e-12] = 0.0

    mass = system.mass.toarray()[np.ix_(free, free)]
    rows = system.D.toarray()
    rows_free = rows[:, free]
    rigid = (basis @ u)[:, free].T
    rates = (basis @ system.rho).T
    if len(basis):
        lower = np.linalg.cholesky(rigid.T @ mass @ rigid)
        basis = np.linalg.solve(lower, basis)
        damped = (basis @ system.rho) @ row_damping @ (basis @ system.rho).T
        _, turn = np.linalg.eigh(0.5 * (damped + damped.T))
        basis = turn.T @ basis
        rigid = (basis @ u)[:, free].T
        rates = (basis @ system.rho).T
        rates[np.abs(rates) < 1e-13 * np.abs(rates).max(initial=0.0)] = 0.0

    factor = np.linalg.cholesky(mass)
    inverse = forward(factor, np.eye(len(free)))
    complement = np.eye(len(free))
    if len(basis):
        q, _ = np.linalg.qr(factor.T @ rigid, mode="complete")
        complement = q[:, len(basis) :]
    vectors = inverse.T @ complement
    projected = rows_free @ vectors
    stiff = projected.T @ row_stiffness @ projected
    square, turn = np.linalg.eigh(0.5 * (stiff + stiff.T))
    shapes = vectors @ turn
    row_shapes = rows_free @ shapes
    clean = 1e-14 * np.abs(rows_free) @ np.abs(shapes)
    row_shapes[np.abs(row_shapes) < clean] = 0.0
    omega = np.sqrt(np.abs(square))

    motions = np.hstack([row_shapes, rates])
    gamma = motions.T @ row_damping @ motions
    row_follows = rows @ follows
    row_follows[np.abs(row_follows) <= 1e-12 * (np.abs(rows) @ np.abs(follows))] = 0.0
    a, forth, back = _blocks(square, gamma)
    ne, total = len(omega), len(gamma)
    return Blocks(
        a=a, elastic=forth[:ne], elastic_rate=forth[total : total + ne], rigid=forth[ne:total],
        rigid_rate=forth[total + ne :], from_elastic=back[:, :ne], from_elastic_rate=back[:, total : total + ne],
        from_rigid=back[:, ne:total], from_rigid_rate=back[:, total + ne :], omega=omega,
        gamma=np.diag(gamma)[:ne].copy(), shapes=shapes, rigid_shapes=rigid, free_rigid=basis.T.copy(), held=held,
        follows=follows, rest=rest, row_shapes=row_shapes, row_rates=rates, row_follows=row_follows,
        momentum=np.hstack([shapes, rigid]).T @ mass,
    )  # fmt: skip


def _blocks(square: Float, gamma: Float) -> tuple[Float, Float, Float]:
    """Blocks of the modal equations with squared frequencies ``square`` and damping ``gamma`` (elastic, then rigid)."""
    ne, total = len(square), len(gamma)
    largest = max(np.abs(square).max(initial=0.0), 1e-300) ** 0.5
    coupled = np.abs(gamma) > _COUPLED * max(np.abs(gamma).max(initial=0.0), 1e-6 * largest)
    coupled |= coupled.T
    _, label = groups(coupled)
    a: list[tuple[float, float, float, float]] = []
    # columns: (eta, psi, eta', psi') by y; rows: y by them
    out: list[Float] = []
    back: list[Float] = []
    size = 2 * total
    for group in range(label.max(initial=-1) + 1):
        members = np.flatnonzero(label == group)
        if len(members) == 1:
            i = int(members[0])
            s = max(float(np.sqrt(abs(square[i]))), 1e-3 * largest) if i < ne else 1.0
            below = -square[i] / s if i < ne else 0.0
            a.append((0.0, s, below, -gamma[i, i]))
            columns, rows = np.zeros((size, 2)), np.zeros((2, size))
            columns[i, 0], columns[total + i, 1] = 1.0 / s, 1.0
            rows[0, i], rows[1, total + i] = s, 1.0
            out.append(columns)
            back.append(rows)
            continue
        more = _coupled_blocks(square, gamma, members, ne, largest)
        a += more[0]
        out.append(more[1])
        back.append(more[2])
    x = np.hstack(out) if out else np.zeros((0, 0))
    y = np.vstack(back) if back else np.zeros((0, 0))
    # first numbers of all blocks, then the second ones
    order = np.arange(x.shape[1]).reshape(-1, 2).T.ravel()
    return np.array(a, float).reshape(-1, 4), x[:, order], y[order]


def _coupled_blocks(square, gamma, members, ne, largest):  # type: ignore[no-untyped-def]
    """Blocks of modes that damping couples: their matrices, and the maps from and to (eta, eta', psi')."""
    total = len(gamma)
    elastic, rigid = members[members < ne], members[members >= ne]
    e, r = len(elastic), len(rigid)
    s = np.maximum(np.sqrt(np.abs(square[elastic])), 1e-3 * largest)
    first = np.zeros((2 * e + r, 2 * e + r))
    first[:e, e : 2 * e] = np.diag(s)
    first[e : 2 * e, :e] = np.diag(-square[elastic] / s)
    first[e:, e:] -= gamma[np.ix_(members, members)]
    own = _eigenmodes(first, r)
    form, n_pairs, n_plain = own.form, 2 * len(own.pairs), len(own.plain)
    inverse = np.linalg.inv(form)

    size = 2 * total
    stacked = np.zeros((size, 2 * e + r))  # (eta, eta', psi') of every column
    stacked[elastic] = form[:e] / s[:, None]
    stacked[total + elastic] = form[e : 2 * e]
    stacked[total + rigid] = form[2 * e :]
    rows = np.zeros((2 * e + r, size))
    rows[:, elastic] = inverse[:, :e] * s
    rows[:, total + elastic] = inverse[:, e : 2 * e]
    rows[:, total + rigid] = inverse[:, 2 * e :]
    carry = _carry(own, form[2 * e :])
    fast = n_pairs + n_plain
    slow_rates = form[2 * e :, fast:] if len(own.slow) else np.eye(r)
    # c' = R_slow y_slow - F b_fast: in units of R_slow
    unit = np.linalg.inv(slow_rates)
    place = -unit @ carry[:, :fast] @ rows[:fast]
    place[:, rigid] += unit

    a: list[tuple[float, float, float, float]] = [(v.real, v.imag, -v.imag, v.real) for v in own.pairs]
    out, back = [stacked[:, :n_pairs]], [rows[:n_pairs]]
    out[0][rigid] = carry[:, :n_pairs]
    for i in range(0, n_plain, 2):
        one = float(own.plain[i])
        two = float(own.plain[i + 1]) if i + 1 < n_plain else one
        a.append((one, 0.0, 0.0, two))
        x, y = np.zeros((size, 2)), np.zeros((2, size))
        for j in range(min(2, n_plain - i)):
            x[:, j] = stacked[:, n_pairs + i + j]
            x[rigid, j] = carry[:, n_pairs + i + j]
            y[j] = rows[n_pairs + i + j]
        out.append(x)
        back.append(y)
    for i in range(r):
        x, y = np.zeros((size, 2)), np.zeros((2, size))
        x[rigid, 0] = slow_rates[:, i]
        y[0] = place[i]
        if len(own.slow):
            a.append((0.0, 1.0, 0.0, float(own.slow[i])))
            x[:, 1] = stacked[:, fast + i]
            y[1] = rows[fast + i]
        else:
            a.append((0.0, 0.0, 0.0, 0.0))
        out.append(x)
        back.append(y)
    return a, np.hstack(out), np.vstack(back)


class _Eigenmodes(NamedTuple):
    """Eigenvalues of complex ``pairs``, of ``plain`` real modes and of ``slow`` ones that carry the rigid motions, and their
    vectors in this order in real ``form``: a pair by two columns."""

    pairs: NDArray[np.complex128]
    plain: Float
    slow: Float
    form: Float


def _eigenmodes(first: Float, rigid: int) -> _Eigenmodes:
    """Eigenmodes of a coupled group; raises Defective where they do not span it."""
    values, vectors = np.linalg.eig(first)
    biggest = np.abs(values).max()
    real = np.flatnonzero(np.abs(values.imag) <= 1e-14 * biggest)
    pairs = np.flatnonzero(values.imag > 1e-14 * biggest)
    real = real[np.argsort(np.abs(values[real].real))]
    slow = [int(real[i]) for i in _slow(vectors[len(first) - rigid :, real].real, rigid)] if rigid else []
    plain = [int(i) for i in real if int(i) not in slow]
    if rigid and not slow and np.abs(values).min() < 1e-9 * biggest:
        raise Defective("damping leaves a rigid motion without a mode of its own")
    columns = [c for i in pairs for c in (vectors[:, i].real, vectors[:, i].imag)]
    columns += [vectors[:, i].real for i in (*plain, *slow)]
    form = np.array(columns).T
    scale = np.linalg.norm(form, axis=0)
    for i in range(len(pairs)):
        scale[2 * i : 2 * i + 2] = scale[2 * i : 2 * i + 2].max()
    form = form / scale
    if np.linalg.cond(form) > _DEFECTIVE:
        raise Defective("damping couples modes into a group without a full set of eigenvectors")
    return _Eigenmodes(values[pairs], values[plain].real, values[slow].real, form)


def _carry(own: _Eigenmodes, rates: Float) -> Float:
    """What fast modes carry of rigid positions: psi = c + F y with F = R inv(Lambda), R the rigid ``rates`` of all columns."""
    carry = np.zeros_like(rates)
    for i, value in enumerate(own.pairs):
        block = np.array([[value.real, value.imag], [-value.imag, value.real]])
        carry[:, 2 * i : 2 * i + 2] = rates[:, 2 * i : 2 * i + 2] @ np.linalg.inv(block)
    begin = 2 * len(own.pairs)
    for i, value in enumerate(own.plain):
        carry[:, begin + i] = rates[:, begin + i] / value
    return carry


def _slow(rates: Float, wanted: int) -> list[int]:
    """The ``wanted`` slowest real modes (columns, slowest first) whose rigid rates are independent; else none."""
    chosen: list[int] = []
    for i in range(rates.shape[1]):
        trial = rates[:, [*chosen, i]]
        norms = np.linalg.norm(trial, axis=0)
        if norms.min() > 0.0 and np.linalg.matrix_rank(trial / norms, tol=1e-5) == len(chosen) + 1:
            chosen.append(i)
        if len(chosen) == wanted:
            return chosen
    return []
