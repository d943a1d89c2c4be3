"""Energy book of the exact engine, from moments instead of quadrature.

Over all visits of one combination, with ``z' = lam z + beta u`` and the sums ``P`` of the changes of ``z z^T``
and ``R`` of the integrals of ``z u^T``, the Gram matrix ``S``, the integral of ``z z^T``, follows from one
division::

    (lam_i + lam_j) S_ij = P_ij - (beta R^T)_ij - (R beta^T)_ij

so that the work of every damper is known to round-off at the cost of one rank-one sum per switch. Stored
energy changes by end values, inputs by ``R``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.system import State

from .model import Combination, Reduction

#: Largest products [multiplications] that BLAS does without threads, with a margin, real and complex. Small
#: products that wait for a second core take a thousand times as long on a busy machine, and a run is to use one.
_UNTHREADED, _UNTHREADED_COMPLEX = 1 << 17, 1 << 14


def multiply(a: NDArray[Any], b: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
    """``a b`` for a tall ``a`` (m, k), in blocks of rows that stay on one core; both real or both complex."""
    (m, k), n = a.shape, b.shape[1]
    if out is None:
        out = np.empty((m, n), a.dtype)
    rows = max(1, (_UNTHREADED_COMPLEX if np.iscomplexobj(a) else _UNTHREADED) // max(k * n, 1))
    whole = m - m % rows
    if whole:
        np.matmul(np.ascontiguousarray(a[:whole]).reshape(-1, rows, k), b, out=out[:whole].reshape(-1, rows, n))
    if whole < m:
        np.matmul(a[whole:], b, out=out[whole:])
    return out


def multiply_turned(a: Float, b: Float, out: Float) -> None:
    """``a b`` for a tall ``a`` (m, k) into ``out`` (m, n), which is contiguous by column.

    A run has one linear-algebra thread, so the blocks may be large; they stay in the processor's cache.
    """
    left, columns = b.T, out.T
    for first in range(0, len(a), 2048):
        np.matmul(left, a[first : first + 2048].T, out=columns[:, first : first + 2048])


def gram(a: Float) -> Float:
    """``a^T a`` for a tall ``a`` (m, n), in blocks of rows that stay on one core."""
    m, n = a.shape
    rows = max(1, _UNTHREADED // max(n * n, 1))
    total = np.zeros((n, n))
    left = a.T.copy()  # a product with itself would be handed to a routine that takes threads at any size
    for first in range(0, m, rows):
        total += left[:, first : first + rows] @ a[first : first + rows]
    return total


@dataclass
class Ledger:
    """Matrices of one combination for the book.

    ``rate`` (rows, nz): row rates over the full set of modes (stored ones, then the conjugates of the complex
    ones), ``rate_t`` its transpose; ``speed`` (ne + nr, nz) the same for ``[e', psi']``; ``state`` (n, nz) for x; ``twist`` (law rows, n)
    deflections of law rows over w; ``force`` the forces of all rows over ``[x, inputs]``.
    """

    lam: Any
    beta: Any
    weight: Float
    speed: Any
    state: Any
    rate: Any
    rate_t: Any
    twist: Float
    force: Float
    touching: NDArray[np.int64]
    k: Float
    c: Float


def ledger(model: Reduction, combination: Combination) -> Ledger:
    """Prepare the book of a combination."""
    c = combination
    nm, nc, ne, n = c.modes, c.complex_modes, model.ne, model.n
    nz = nm + nc
    half = c.V[:, :nm].astype(complex)
    half[:, :nc] = 0.5 * (half[:, :nc] - 1j * c.V[:, nm:nz])
    state = np.hstack([half, half[:, :nc].conj()])
    speed = state[ne:]
    rate = multiply(model.Dv, speed.real.copy()) + 1j * multiply(model.Dv, speed.imag.copy())
    stiffness, damping, _ = model.acts(c.key)
    inside = np.array([i for i, r in enumerate(model.rows) if not r.open(c.key)], np.int64)
    numbers = np.array([r.row for r in model.rows], np.int64)
    force = model.force_rows(c.key)
    keep = np.r_[0:n, n + model.nr + 1 : force.shape[1]]
    return Ledger(
        lam=np.concatenate([c.lam, c.lam[:nc].conj()]),
        beta=np.vstack([c.beta, c.beta[:nc].conj()]),
        weight=np.where(np.arange(nm) < nc, 2.0, 1.0),
        speed=speed,
        state=state,
        rate=rate,
        rate_t=np.ascontiguousarray(rate.T),
        twist=model.DE[numbers] @ c.V[:ne] if len(numbers) else np.zeros((0, n)),
        force=force[:, keep],
        touching=inside,
        k=stiffness[numbers],
        c=damping[numbers],
    )


@dataclass
class Totals:
    """What the visits since the last settling add up to."""

    rate_square: Float  # integral of dv^2, rows without gap: always; rows of laws: in contact
    law_work: Float  # by law row
    moments: Float  # integral of [e', psi'] u^T
    theta: Float  # integral of u theta'
    theta_force: Float  # integral of theta' f, by row
    impulse: float = 0.0  # mean over jumps of theta' of the momentum along the coupled inertia, times the jump


def totals(model: Reduction) -> Totals:
    """Empty sums."""
    m = model.system.shape.rows
    return Totals(
        np.zeros(m),
        np.zeros(len(model.rows)),
        np.zeros((model.ne + model.nr, model.ni)),
        np.zeros(model.ni),
        np.zeros(m),
    )


def settle(model: Reduction, book: Ledger, sums: Totals, P: Float, change: Float, R: Float, T: Float) -> None:
    """Add one combination's visits to the totals.

    P (n, n): change of w w^T; change (n): of w; R (inputs, 2, n): real and imaginary part of the integrals of
    ``u z``; T (inputs): of ``u theta'``.
    """
    nm, nz = len(book.weight), len(book.lam)
    nc = nz - nm
    half = (R[:, 0, :nm] + 1j * R[:, 1, :nm]).T
    moments = np.vstack([half, half[:nc].conj()])
    rows = P[:nm, :nz].astype(complex)
    rows[:nc] += 1j * P[nm:nz, :nz]
    pairs = np.hstack([rows[:, :nm], rows[:, :nc]])
    pairs[:, :nc] += 1j * rows[:, nm:nz]
    pairs[:, nm:] -= 1j * rows[:, nm:nz]
    pairs -= book.beta[:nm] @ moments.T + half @ book.beta.T
    sum_ = book.lam[:nm, None] + book.lam[None, :]
    largest = float(np.abs(book.lam).max(initial=0.0))
    empty = np.abs(sum_) <= 1e-14 * nz * largest + 1e-300  # undamped: no damper sees these
    matrix = np.where(empty, 0.0, pairs / np.where(empty, 1.0, sum_))
    seen = multiply(matrix, book.rate_t)
    square = np.real((book.weight * book.rate[:, :nm] * seen.T).sum(axis=1))
    itheta = model.theta_input
    if itheta >= 0:
        square += 2 * model.rho_b * np.real(book.rate @ moments[:, itheta]) + model.rho_b**2 * T[itheta]
        sums.theta_force += book.force @ np.concatenate([np.real(book.state @ moments[:, itheta]), T])
    laws = np.array([r.row for r in model.rows], np.int64)
    constant = np.ones(len(square), bool)
    constant[laws] = False
    sums.rate_square[constant] += square[constant]
    inside = book.touching
    if len(inside):
        touch = laws[inside]
        sums.rate_square[touch] += square[touch]
        off = model.system.arrays.off
        shift = np.array([off[model.rows[i].row] - (model.rows[i].gap or 0.0) for i in inside])
        twist = book.twist[inside]
        stored = 0.5 * ((twist @ P) * twist).sum(axis=1) + shift * (twist @ change)
        sums.law_work[inside] += book.k[inside] * stored + book.c[inside] * square[touch]
    sums.moments += np.real(book.speed @ moments)
    sums.theta += T


def enter(
    model: Reduction,
    sums: Totals,
    state: State,
    start: Float,
    end: Float,
    psi: Float,
    theta: float,
    speeds: tuple[float, float],
) -> None:
    """Write the totals of a run from ``x = start`` to ``end`` into the book of ``state``.

    ``psi, theta`` are the changes of the rigid motions, ``speeds`` the prescribed speed at both ends. Inputs
    that carry the acceleration of a prescribed coordinate do no work of their own: what moves that coordinate
    is booked as its reaction.
    """
    system, a, ne = model.system, model.system.arrays, model.ne
    springs = system.spring_rows
    # springs: stored energy by end values, damping and constant force by integrals
    off = a.off[springs]
    d0, d1 = (model.DE[springs] @ x[:ne] + off for x in (start, end))
    way = d1 - d0 + model.rho_f[springs] @ psi + model.rho_b[springs] * theta
    heat = a.c * sums.rate_square[springs]
    state.row_work[springs] += 0.5 * a.k * (d1 - d0) * (d1 + d0) + a.f0 * way + heat
    for i, row in enumerate(model.rows):
        state.row_work[row.row] += sums.law_work[i]
    state.row_heat += a.chat * sums.rate_square
    where = {int(s): i for i, s in enumerate(model.signal) if s >= 0 and i != model.theta_input}
    speeds_of = model.Vall
    for b, (i, s, value) in enumerate(zip(a.bi, a.bu, a.bv, strict=True)):
        u = where[int(s)]
        if u != model.rate_input:
            state.input_work[b] += value * (speeds_of[i] @ sums.moments[:, u] + model.w[i] * sums.theta[u])
    p = model.prescribed
    if p < 0:
        return
    mass = system.mass[p].toarray()[0]
    own = mass[p]
    mass[p] = 0.0
    rate = model.rate_input
    v0, v1 = (speeds_of @ x[ne:] + model.w * s for x, s in zip((start, end), speeds, strict=True))
    felt = mass @ (v1 * speeds[1] - v0 * speeds[0] - speeds_of @ sums.moments[:, rate] - model.w * sums.theta[rate])
    felt -= sums.impulse
    column = system.D.T[p].toarray()[0]
    state.reaction_work[p] += 0.5 * own * (speeds[1] ** 2 - speeds[0] ** 2) + felt + column @ sums.theta_force
