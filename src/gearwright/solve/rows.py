"""Forces of all rows at a position, and how they change with it: what static analyses ask of laws."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gearwright.system import System

Float = NDArray[np.float64]


def row_matrices(system: System, q: Float | None, v: Float | None, t: float) -> tuple[Float, Float]:
    """Stiffness and damping (m, m) from deflections and rates of the rows to their forces.

    Laws by their mean or by their tangents at ``q, v`` as in ``System.law_gradients``.
    """
    m = system.shape.rows
    k, c = np.zeros((m, m)), np.zeros((m, m))
    springs = np.arange(m)[system.spring_rows]
    k[springs, springs] = system.arrays.k
    c[springs, springs] = system.arrays.c
    for block, (tangent, drag) in enumerate(system.law_gradients(q, v, t)):
        rows = system.law_rows(block)
        k[rows, rows] = tangent
        c[rows, rows] = drag
    return k, c


class RowForces:
    """Forces of springs, laws and slipping friction rows at an instant and a place of the rigid motions.

    ``average`` replaces a law that depends on a phase by its mean over one period of its first sense row
    (``Law.period``), the other senses following at their own rates; otherwise it is taken where it stands.
    Hard rows have no force here. States of laws stay at their initial values.
    """

    def __init__(self, system: System, t: float, v: Float, phi: Float, average: bool):
        self.system, self.t, self.average = system, t, average
        self.d0 = system.arrays.off + phi @ system.rho
        self.signals = np.array([float(s(t)) for s in system.signals])
        self.dv = np.asarray(system.D @ v)
        self._nodes = [self._phases(i) for i in range(system.shape.laws)]

    def _phases(self, block: int) -> tuple[Float, Float]:
        """Shifts (points, senses) of the senses and weights (points,) for the mean of a law."""
        law, senses = self.system.laws[block], self.system.sense_rows(block)
        if not (self.average and law.senses and law.period > 0.0):
            return np.zeros((1, law.senses)), np.ones(1)
        corners = np.array(law.pieces.boundaries if law.pieces else law.corners) % law.period
        if len(corners):
            # Gauss points between the kinks, placed from the present phase on
            now = float(self.d0[senses][0])
            knots = np.unique(np.concatenate([(corners - now) % law.period, [0.0, law.period]]))
            x, w = np.polynomial.legendre.leggauss(5)
            width = np.diff(knots)[:, None]
            shift = (knots[:-1, None] + width * (x + 1) / 2).ravel()
            weight = (width * w / 2).ravel() / law.period
        else:
            shift = np.arange(64) * law.period / 64
            weight = np.full(64, 1.0 / 64)
        rate = self.dv[senses]
        follow = rate / rate[0] if rate[0] != 0.0 else np.eye(law.senses)[0]
        return shift[:, None] * follow, weight

    def law(self, block: int, d: Float, dv: Float) -> Float:
        """Force of one law, rows of the block as (force rows, senses)."""
        law = self.system.laws[block]
        total = np.zeros(law.rows)
        for shift, weight in zip(*self._nodes[block], strict=True):
            at = d.copy()
            at[law.rows :] += shift
            total += weight * self.system.law_force(block, at, dv, self.signals, self.t)
        return total

    def __call__(self, d: Float) -> Float:
        """Forces of springs and laws (m) for deflections ``d`` (m)."""
        system, a = self.system, self.system.arrays
        f = np.zeros(system.shape.rows)
        rows = system.spring_rows
        f[rows] = a.k * d[rows] + a.c * self.dv[rows] + a.f0
        for block in range(system.shape.laws):
            whole = slice(system.law_rows(block).start, system.sense_rows(block).stop)
            f[system.law_rows(block)] = self.law(block, d[whole], self.dv[whole])
        return f

    def friction(self, f: Float) -> Float:
        """``f`` with the forces of friction rows that slip at the present rates, given the other rows' forces.

        A friction row at rest carries nothing here: what it holds is not determined by statics.
        """
        a, out = self.system.arrays, f.copy()
        for i, row in enumerate(a.fric):
            rate = self.dv[row]
            normal = f[a.fnorm[i]] if a.fnorm[i] >= 0 else 0.0
            press = normal if a.fnorm[i] >= 0 else 1.0  # without a normal row, mu1 and mu2 are capacities by direction
            mu = a.fmu1[i] if press * rate > 0.0 else a.fmu2[i]
            first, last = int(a.ftp[i]), int(a.ftp[i + 1])
            if last > first:
                points = a.ftab[3 * first : 3 * last].reshape(-1, 3)
                mu = np.interp(abs(rate), points[:, 0], points[:, 1 if press * rate > 0.0 else 2])
            capacity = mu * abs(press) + a.fcap[i]
            if a.fsig[i] >= 0:
                capacity += self.signals[a.fsig[i]]
            side = np.tanh(rate / a.fvel[i]) if a.fvel[i] > 0.0 else np.sign(rate)
            out[row] = capacity * side
        return out

    def stiffness(self, d: Float) -> Float:
        """Tangent stiffness (n, n) at deflections ``d``."""
        system = self.system
        rows = system.D[system.spring_rows].toarray()
        total = (rows.T * system.arrays.k) @ rows
        for block, law in enumerate(system.laws):
            force, whole = system.law_rows(block), slice(system.law_rows(block).start, system.sense_rows(block).stop)
            tangent = np.zeros((law.rows, law.rows))
            for j in range(law.rows):
                step = 1e-6 * max(abs(d[force][j]), 1e-6)
                up, down = d[whole].copy(), d[whole].copy()
                up[j] += step
                down[j] -= step
                change = self.law(block, up, self.dv[whole]) - self.law(block, down, self.dv[whole])
                tangent[:, j] = change / (2 * step)
            rows = system.D[force].toarray()
            total += rows.T @ tangent @ rows
        return total

    def damping(self, d: Float) -> Float:
        """Tangent damping (n, n): change of the row forces with the speeds."""
        system = self.system
        rows = system.D[system.spring_rows].toarray()
        total = (rows.T * system.arrays.c) @ rows
        for block, law in enumerate(system.laws):
            force, whole = system.law_rows(block), slice(system.law_rows(block).start, system.sense_rows(block).stop)
            tangent = np.zeros((law.rows, law.rows))
            for j in range(law.rows):
                step = max(1e-6 * abs(self.dv[force][j]), 1e-5)
                up, down = self.dv[whole].copy(), self.dv[whole].copy()
                up[j] += step
                down[j] -= step
                change = self.law(block, d[whole], up) - self.law(block, d[whole], down)
                tangent[:, j] = change / (2 * step)
            rows = system.D[force].toarray()
            total += rows.T @ tangent @ rows
        return total

    def closed_stiffness(self) -> Float:
        """Stiffness (n, n) with every contact closed: an upper bound for gaps, the scale of the problem."""
        system = self.system
        rows = system.D[system.spring_rows].toarray()
        total = (rows.T * system.arrays.k) @ rows
        gradients = system.law_gradients()
        for block, law in enumerate(system.laws):
            k = np.diag(gradients[block][0]).copy()
            if law.pieces:
                k = np.array([max(levels) for levels in law.pieces.stiffness])
            elif law.mean is None:
                k = np.maximum(k, self._probe(block))
            rows = system.D[system.law_rows(block)].toarray()
            total += (rows.T * k) @ rows
        return total

    def _probe(self, block: int) -> Float:
        """Largest secant stiffness of every row of a law over a spread of deflections."""
        law = self.system.laws[block]
        whole = slice(self.system.law_rows(block).start, self.system.sense_rows(block).stop)
        base = self.d0[whole].copy()
        still = self.law(block, base, self.dv[whole])
        found = np.zeros(law.rows)
        for j in range(law.rows):
            for step in (1e-5, -1e-5, 1e-4, -1e-4, 1e-3, -1e-3):
                at = base.copy()
                at[j] += step
                found[j] = max(found[j], (self.law(block, at, self.dv[whole])[j] - still[j]) / step)
        return found
