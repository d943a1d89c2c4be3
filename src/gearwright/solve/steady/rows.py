"""Forces of all rows at a position, and how they change with it: what static analyses ask of laws."""

from __future__ import annotations

import numpy as np

from gearwright.arrays import Float
from gearwright.system import System
from gearwright.system.law_means import DAMPING, FORCE, REPORT, STIFFNESS, law_means


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
        self._points = _Points(system, [self._phases(i) for i in range(system.shape.laws)])

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
            shift = np.arange(law.places) * law.period / law.places
            weight = np.full(law.places, 1.0 / law.places)
        rate = self.dv[senses]
        follow = rate / rate[0] if rate[0] != 0.0 else np.eye(law.senses)[0]
        return shift[:, None] * follow, weight

    def laws(self, what: int, d: Float, dv: Float) -> Float:
        """Forces (m, 1) of all laws, or their tangents (m, columns): see :func:`~gearwright.system.law_means.law_means`."""
        return self._points.ask(what, self.t, d, dv, self.signals)

    def __call__(self, d: Float) -> Float:
        """Forces of springs and laws (m) for deflections ``d`` (m)."""
        system, a = self.system, self.system.arrays
        f = np.zeros(system.shape.rows)
        rows = system.spring_rows
        f[rows] = a.k * d[rows] + a.c * self.dv[rows] + a.f0
        return f + self.laws(FORCE, d, self.dv)[:, 0] if system.shape.laws else f

    def reports(self, d: Float) -> Float:
        """What laws report in the places of their sense rows (m), zero in all others; no forces."""
        return self.laws(REPORT, d, self.dv)[:, 0] if self.system.shape.laws else np.zeros(self.system.shape.rows)

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
        return self._tangent(STIFFNESS, d, self.system.arrays.k)

    def damping(self, d: Float) -> Float:
        """Tangent damping (n, n): change of the row forces with the speeds."""
        return self._tangent(DAMPING, d, self.system.arrays.c)

    def _tangent(self, what: int, d: Float, springs: Float) -> Float:
        system = self.system
        rows = system.D[system.spring_rows].toarray()
        total = np.asarray((rows.T * springs) @ rows)
        if not system.shape.laws:
            return total
        found = self.laws(what, d, self.dv)
        for block, law in enumerate(system.laws):
            force = system.law_rows(block)
            rows = system.D[force].toarray()
            total += rows.T @ found[force, : law.rows] @ rows
        return total

    def closed_stiffness(self) -> Float:
        """Stiffness (n, n) with every contact closed: an upper bound for gaps, the scale of the problem."""
        system = self.system
        rows = system.D[system.spring_rows].toarray()
        total = (rows.T * system.arrays.k) @ rows
        gradients = system.law_gradients()
        steep = self._probe() if any(law.mean is None and not law.pieces for law in system.laws) else None
        for block, law in enumerate(system.laws):
            k = np.diag(gradients[block][0]).copy()
            if law.pieces:
                k = np.array([max(levels) for levels in law.pieces.stiffness])
            elif law.mean is None and steep is not None:
                k = np.maximum(k, steep[system.law_rows(block)])
            rows = system.D[system.law_rows(block)].toarray()
            total += (rows.T * k) @ rows
        return total

    def _probe(self) -> Float:
        """Largest secant stiffness (m) of every row of a law over a spread of deflections, by tangents of that step."""
        system = self.system
        still = self.laws(FORCE, self.d0, self.dv)[:, 0]
        found = np.zeros(system.shape.rows)
        for j in range(max(law.rows for law in system.laws)):
            mine = [system.law_rows(b).start + j for b, law in enumerate(system.laws) if j < law.rows]
            for step in (1e-5, -1e-5, 1e-4, -1e-4, 1e-3, -1e-3):
                at = self.d0.copy()
                at[mine] += step
                found[mine] = np.maximum(found[mine], (self.laws(FORCE, at, self.dv)[mine, 0] - still[mine]) / step)
        return found


class _Points:
    """Mean points of all laws and the scratch that :func:`law_means` needs."""

    def __init__(self, system: System, points: list[tuple[Float, Float]]):
        a = system.arrays
        sizes = [law.rows + law.senses for law in system.laws]
        self.columns = max((law.rows for law in system.laws), default=0)
        self.laws = (a.laddr, a.lguard, a.lrow, a.lnf, a.lns, a.lp, a.lz, _some(a.par))
        weights, shifts = [w for _, w in points], [s.ravel() for s, _ in points]
        self.points = (
            np.cumsum([0, *map(len, weights)]),
            np.cumsum([0, *map(len, shifts)]),
            np.concatenate([*weights, [0.0]]),
            np.concatenate([*shifts, [0.0]]),
        )
        self.z = _some(system.z0)
        self.scratch = tuple(np.zeros(max(sizes, default=0) + 2) for _ in range(3))

    def ask(self, what: int, t: float, d: Float, dv: Float, signals: Float) -> Float:
        out = np.zeros((len(d), 1 if what in (FORCE, REPORT) else self.columns))
        law_means(
            what,
            float(t),
            self.laws,
            self.points,
            np.ascontiguousarray(d, float),
            np.ascontiguousarray(dv, float),
            self.z,
            _some(signals),
            *self.scratch,
            np.zeros(len(self.z)),
            out,
        )
        return out


def _some(values: Float) -> Float:
    """The values, or one zero where there is none: compiled code takes a pointer to the first."""
    return values if len(values) else np.zeros(1)
