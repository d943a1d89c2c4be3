"""The same equations for other programs: rows with stiffness in levels, springs, constant inputs.

Taken from a system's matrices only (rows, masses, levels, inputs), so that nothing of the package's compiled code is
in the way of a peer. State: all coordinates, then all speeds; angles are absolute.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gearwright.system import Source

from .common import Float


class TwoLevel:
    """Right-hand sides of ``M dv/dt = Q - D^T f`` with ``f = k(phase) d + c dv`` at the law rows, springs elsewhere."""

    def __init__(self, system: Any):
        a, s = system.arrays, system.shape
        d = system.D.toarray()
        self.n = s.coordinates
        blocks = range(s.laws)
        for law in system.laws:
            if law.pieces is None or law.rows != 1 or len(law.pieces.stiffness[0]) > 2:
                raise ValueError(f"'{law.label}' has no levels of stiffness")
        force = [system.law_rows(b).start for b in blocks]
        sense = [system.sense_rows(b).start if law.senses else force[b] for b, law in enumerate(system.laws)]
        spring = system.spring_rows
        self.rows = np.vstack([d[force], d[spring]])
        self.offset = np.concatenate([a.off[force], a.off[spring]])
        self.phase, self.phase0 = d[sense], a.off[sense]
        levels = [law.pieces.stiffness[0] for law in system.laws]
        self.first = np.array([k[0] for k in levels])
        self.second = np.array([k[-1] for k in levels])
        self.switch = np.array([law.pieces.boundaries[1] if law.pieces.boundaries else 1.0 for law in system.laws])
        self.k = np.concatenate([np.zeros(s.laws), a.k])
        self.c = np.concatenate([[law.pieces.damping[0] for law in system.laws], a.c])
        self.f0 = np.concatenate([np.zeros(s.laws), a.f0])
        self.laws = s.laws
        self.mass = np.asarray(system.mass.toarray())
        self.inverse = np.linalg.inv(self.mass)
        self.input = np.zeros(self.n)
        for i, u, value in zip(a.bi, a.bu, a.bv, strict=True):
            self.input[i] += value * float(system.signals[u](0.0))
        courses = [c.terms for c in system.channels if c.kind == "mesh" and c.quantity == "deflection"]
        self.meshes = np.zeros((len(courses), self.n))
        for i, terms in enumerate(courses):
            for source, column, factor in terms:
                if source != Source.POSITION:
                    raise ValueError("a mesh deflection depends on more than positions")
                self.meshes[i, column] += factor
        self.back = self.inverse @ self.rows.T
        self.drive = self.inverse @ (self.input - self.rows.T @ self.f0)

    def start(self, state: Any) -> Float:
        """First-order state of a :class:`gearwright.system.State` at its start (no rotation yet)."""
        return np.concatenate([state.q, state.v])

    def deflections(self, q: Float) -> Float:
        """Deflections of the meshes for positions ``(times, n)``."""
        return np.asarray(q @ self.meshes.T)

    def stiffness(self, q: Float) -> Float:
        """Stiffness of every row at a position."""
        k = self.k.copy()
        phase = self.phase @ q + self.phase0
        k[: self.laws] = np.where(phase - np.floor(phase) < self.switch, self.first, self.second)
        return k

    def right_side(self, t: float, y: Float) -> Float:
        """NumPy right-hand side."""
        q, v = y[: self.n], y[self.n :]
        f = self.stiffness(q) * (self.rows @ q + self.offset) + self.c * (self.rows @ v)
        return np.concatenate([v, self.drive - self.back @ f])

    def jacobian(self, q: Float) -> Float:
        """Jacobian at a position, switches left out."""
        n = self.n
        j = np.zeros((2 * n, 2 * n))
        j[:n, n:] = np.eye(n)
        j[n:, :n] = -(self.back * self.stiffness(q)) @ self.rows
        j[n:, n:] = -(self.back * self.c) @ self.rows
        return j

    def compiled(self) -> Any:
        """The right-hand side as ``f(t, y, yp)``, compiled, rows stored sparse as a careful user would."""
        import numba
        from scipy.sparse import csr_matrix

        rows, back, phase = csr_matrix(self.rows), csr_matrix(self.back), csr_matrix(self.phase)
        rp, ri, rv = rows.indptr, rows.indices, rows.data
        bp, bi, bv = back.indptr, back.indices, back.data
        sp, si, sv = phase.indptr, phase.indices, phase.data
        n, laws, m = self.n, self.laws, len(self.k)
        offset, phase0, first, second, switch = self.offset, self.phase0, self.first, self.second, self.switch
        k0, c, drive = self.k, self.c, self.drive

        @numba.njit(error_model="numpy")
        def right_side(t, y, yp):  # type: ignore[no-untyped-def]
            f = np.empty(m)
            for i in range(m):
                d, dv = offset[i], 0.0
                for e in range(rp[i], rp[i + 1]):
                    d += rv[e] * y[ri[e]]
                    dv += rv[e] * y[n + ri[e]]
                k = k0[i]
                if i < laws:
                    x = phase0[i]
                    for e in range(sp[i], sp[i + 1]):
                        x += sv[e] * y[si[e]]
                    k = first[i] if x - np.floor(x) < switch[i] else second[i]
                f[i] = k * d + c[i] * dv
            for i in range(n):
                a = drive[i]
                for e in range(bp[i], bp[i + 1]):
                    a -= bv[e] * f[bi[e]]
                yp[i] = y[n + i]
                yp[n + i] = a

        right_side(0.0, np.zeros(2 * n), np.zeros(2 * n))
        return right_side

    def reference(self, y: Float, times: Float) -> Float:
        """Positions at ``times``: scipy's DOP853 at 1e-12, restarted at every switch; between them nothing switches."""
        from scipy.integrate import solve_ivp

        n = self.n
        result = np.empty((len(times), n))
        t, filled = 0.0, 0
        phase = self.phase @ y[:n] + self.phase0
        direction = np.sign(self.phase @ y[n:])
        cycle = np.floor(phase)
        second = phase - cycle >= self.switch
        scale = np.concatenate([np.full(n, 1e-13), np.full(n, 1e-10)])
        while filled < len(times):
            k = self.k.copy()
            k[: self.laws] = np.where(second, self.second, self.first)
            upper = np.where(second, cycle + 1.0, cycle + self.switch)
            lower = np.where(second, cycle + self.switch, cycle)
            edge = np.where(direction > 0, upper, lower)
            a = -(self.back * k) @ self.rows
            b = -(self.back * self.c) @ self.rows
            constant = self.drive - self.back @ (k * self.offset)

            def rhs(_t, y, a=a, b=b, constant=constant):  # type: ignore[no-untyped-def]
                return np.concatenate([y[n:], constant + a @ y[:n] + b @ y[n:]])

            def left(_t, y, edge=edge):  # type: ignore[no-untyped-def]
                return float(np.min(direction * (edge - self.phase @ y[:n] - self.phase0), initial=1.0))

            left.terminal = True  # type: ignore[attr-defined]
            left.direction = -1  # type: ignore[attr-defined]
            ahead = times[filled:]
            found = solve_ivp(
                rhs, (t, times[-1]), y, method="DOP853", rtol=1e-12, atol=scale, events=left, dense_output=True
            )
            end = found.t[-1]
            inside = ahead[ahead <= end + 1e-15]
            if len(inside):
                result[filled : filled + len(inside)] = found.sol(inside)[:n].T  # type: ignore[misc]
            filled += len(inside)
            t, y = end, found.y[:, -1]
            due = direction * (edge - self.phase @ y[:n] - self.phase0) < 1e-9
            leaving = due & np.where(direction > 0, second, ~second)
            cycle = cycle + np.where(leaving, direction, 0.0)
            second = np.where(due, ~second, second)
        return result
