"""A system: what engines step and analyses read. Knows nothing of gears."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.kernels import START

from .arrays import Arrays, Shape
from .channel import Channel, Lines, Source
from .law import Law
from .signals import Signal
from .sparse import Sparse


@dataclass(frozen=True)
class Provenance:
    """Where a system came from; ``own_laws`` holds the source texts of users' own laws by name, ``references`` the loads [N] that
    laws of meshes are linear about, by mesh."""

    drivetrain: str = ""
    fidelity: str = ""
    law: str = ""
    notes: tuple[str, ...] = ()
    own_laws: Mapping[str, str] = field(default_factory=dict)
    references: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class System:
    """Arrays for compiled code, and the names and small matrices for everyone else.

    ``mass`` is (n, n) sparse; ``prescribed`` maps a coordinate number to the number of its speed signal;
    ``landings`` are the instants > 0 at which a signal jumps or has a kink.
    """

    arrays: Arrays
    shape: Shape
    coordinates: tuple[str, ...]
    rows: tuple[str, ...]
    blocks: tuple[str, ...]
    laws: tuple[Law, ...]
    signals: tuple[Signal, ...]
    signal_names: tuple[str, ...]
    mass: Sparse
    prescribed: dict[int, int]
    v0: Float
    z0: Float
    landings: Float
    channels: tuple[Channel, ...]
    provenance: Provenance = field(default_factory=Provenance)

    # --- matrices ------------------------------------------------------------------------------------

    @cached_property
    def D(self) -> Sparse:
        """All rows as a sparse (m, n) matrix."""
        a = self.arrays
        return Sparse(a.val, a.idx, a.ptr, (self.shape.rows, self.shape.coordinates))

    @property
    def u(self) -> Float:
        """Rigid motions, (r, n)."""
        return self.arrays.u.reshape(self.shape.rigid, self.shape.coordinates)

    @property
    def rho(self) -> Float:
        """Rates of all rows per unit rigid motion, (r, m); exactly zero where a row does not move."""
        return self.arrays.rho.reshape(self.shape.rigid, self.shape.rows)

    @property
    def free(self) -> NDArray[np.int64]:
        """Numbers of the coordinates that are not prescribed."""
        return np.array([i for i in range(self.shape.coordinates) if i not in self.prescribed], np.int64)

    @property
    def degrees_of_freedom(self) -> int:
        """Motions that are left: coordinates less prescribed ones and the rank of the hard rows."""
        rows = self.D[self.arrays.hard.astype(int)].toarray()[:, self.free]
        size = np.linalg.norm(rows, axis=1, keepdims=True)
        values = np.linalg.svd(rows / np.where(size > 0.0, size, 1.0), compute_uv=False) if rows.size else np.zeros(0)
        return len(self.free) - int((values > 1e-9 * values.max(initial=1e-300)).sum())

    @property
    def spring_rows(self) -> slice:
        """The rows with constant stiffness and damping."""
        return slice(self.shape.rows - self.shape.springs, self.shape.rows)

    def law_rows(self, block: int) -> slice:
        """Force rows of a block."""
        first = int(self.arrays.lrow[block])
        return slice(first, first + int(self.arrays.lnf[block]))

    def sense_rows(self, block: int) -> slice:
        """Sense rows of a block."""
        first = int(self.arrays.lrow[block]) + int(self.arrays.lnf[block])
        return slice(first, first + int(self.arrays.lns[block]))

    def spring_matrices(self) -> tuple[Float, Float]:
        """Stiffness and damping (n, n) of the constant rows alone."""
        d = self.D[self.spring_rows].toarray()
        return (d.T * self.arrays.k) @ d, (d.T * self.arrays.c) @ d

    def law_gradients(
        self, q: Float | None = None, v: Float | None = None, t: float = 0.0
    ) -> list[tuple[Float, Float]]:
        """Tangent stiffness and damping (rows, rows) of every law.

        The law's own ``mean`` or ``tangent`` is taken where it has one; otherwise central differences over its few rows at
        ``q, v``, averaged over one cycle of its first sense row if it has senses.
        """
        return [self._law_gradient(i, q, v, t) for i in range(self.shape.laws)]

    def _law_gradient(self, block: int, q: Float | None, v: Float | None, t: float) -> tuple[Float, Float]:
        law = self.laws[block]
        if law.mean is not None:
            return np.diag(law.mean[0]), np.diag(law.mean[1])
        position = np.zeros(self.shape.coordinates) if q is None else q
        speed = self.v0 if v is None else v
        rows = slice(self.law_rows(block).start, self.law_rows(block).start + law.rows + law.senses)
        d = np.asarray(self.D[rows] @ position) + self.arrays.off[rows]
        if law.tangent is not None:
            return law.tangent(d)
        dv = np.asarray(self.D[rows] @ speed)
        signals = np.array([float(s(t)) for s in self.signals])
        cycle = np.linspace(0.0, law.period, 32, endpoint=False) if law.senses and law.period else np.zeros(1)
        k = np.zeros((law.rows, law.rows))
        c = np.zeros((law.rows, law.rows))
        step_d, step_v = 1e-9, 1e-7
        for shift in cycle:
            at = d.copy()
            if law.senses:
                at[law.rows] += shift
            for j in range(law.rows):
                for matrix, base, step, which in ((k, at, step_d, 0), (c, dv, step_v, 1)):
                    up, down = base.copy(), base.copy()
                    up[j] += step
                    down[j] -= step
                    pair = [
                        self.law_force(block, x, dv, signals, t)
                        if which == 0
                        else self.law_force(block, at, x, signals, t)
                        for x in (up, down)
                    ]
                    matrix[:, j] += (pair[0] - pair[1]) / (2 * step) / len(cycle)
        return k, c

    def law_force(
        self,
        block: int,
        d: Float,
        dv: Float,
        signals: Float,
        t: float = 0.0,
        z: Float | None = None,
        mode: int | None = None,
    ) -> Float:
        """Forces of one block for given deflections and rates of its rows (force rows, then senses)."""
        import ctypes

        law = self.laws[block]
        keep = [
            np.ascontiguousarray(x, float)
            for x in (d, dv, self.arrays.par[self.arrays.lp[block] :], law.states if z is None else z, signals)
        ]
        keep[3] = keep[3] if len(keep[3]) else np.zeros(1)
        pointer = [x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in keep]
        if mode is None:
            mode = 0
            if law.guard is not None:
                margin = np.zeros(2)
                mode = law.guard.ctypes(t, *pointer, START, margin.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
        f, rate = np.zeros(law.rows + law.senses), np.zeros(max(len(law.states), 1))
        law.force.ctypes(t, *pointer, mode, *(x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (f, rate)))
        return f[: law.rows]

    def linear(self, q: Float | None = None, v: Float | None = None, t: float = 0.0) -> tuple[Float, Float, Float]:
        """Mass, stiffness, damping (n, n) about a state, laws by their mean or tangent."""
        stiffness, damping = self.spring_matrices()
        for block, (k, c) in enumerate(self.law_gradients(q, v, t)):
            d = self.D[self.law_rows(block)].toarray()
            stiffness += d.T @ k @ d
            damping += d.T @ c @ d
        return self.mass.toarray(), stiffness, damping

    def row_stiffness(self) -> Float:
        """Mean stiffness of every row (m); zero for senses, hard and friction rows."""
        k = np.zeros(self.shape.rows)
        k[self.spring_rows] = self.arrays.k
        for block, (matrix, _) in enumerate(self.law_gradients()):
            k[self.law_rows(block)] = np.diag(matrix)
        return k

    # --- inputs --------------------------------------------------------------------------------------

    def input_force(self, t: float) -> Float:
        """Generalised input forces (n) at a time; zero on prescribed coordinates."""
        a = self.arrays
        force = np.zeros(self.shape.coordinates)
        for i, s, b in zip(a.bi, a.bu, a.bv, strict=True):
            if int(i) not in self.prescribed:
                force[i] += b * float(self.signals[s](t))
        return force

    # --- channels ------------------------------------------------------------------------------------

    def lines(self, channels: tuple[Channel, ...] | None = None) -> Lines:
        """Channels as sparse rows over ``[f, q, v, a, z, s, phi, 1]``."""
        s = self.shape
        sizes = [s.rows, s.coordinates, s.coordinates, s.coordinates, s.states, s.signals, s.rigid, 1]
        base = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        ptr, idx, coef = [0], [], []
        for channel in self.channels if channels is None else channels:
            for source, index, value in channel.terms:
                idx.append(int(base[source]) + index)
                coef.append(value)
            ptr.append(len(idx))
        return Lines(np.array(ptr, np.uint32), np.array(idx, np.uint32), np.array(coef, float), base)

    def deflection_terms(self, row: int) -> tuple[tuple[Source, int, float], ...]:
        """Channel terms of the deflection of a row, rigid motion and offset included."""
        d = self.D[row]
        terms = [(Source.POSITION, int(i), float(x)) for i, x in zip(d.indices, d.data, strict=True)]
        terms += [(Source.RIGID, r, float(self.rho[r, row])) for r in range(self.shape.rigid) if self.rho[r, row]]
        if self.arrays.off[row]:
            terms.append((Source.ONE, 0, float(self.arrays.off[row])))
        return tuple(terms)

    def kinetic_energy(self, v: Float) -> float:
        """Kinetic energy [J]."""
        return float(0.5 * v @ (self.mass @ v))

    def __repr__(self) -> str:
        s = self.shape
        return (
            f"System({self.provenance.drivetrain or 'unnamed'}, {self.provenance.fidelity}: "
            f"{s.coordinates} coordinates, {s.rows} rows, {s.laws} laws, {s.hard} hard, {s.friction} friction)"
        )
