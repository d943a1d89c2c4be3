"""The system as the exact engine sees it: rigid motion apart, one linear model per combination of pieces.

Position of the free coordinates::

    position = U^T phi + q        phi = phi0 + b theta + N psi        q = E e

``theta`` is the integral of the speed of the prescribed coordinate (if there is one), ``psi`` are the rigid
motions that remain free, ``e`` the elastic deviations in a basis ``E`` that is M-orthogonal to them. With
``[E, Uf]`` normalised to unit mass the state ``x = [e, e', psi']`` follows ``x' = A x + B u``; no double zero
eigenvalue is left, because ``psi`` acts on no force. A combination in which open gaps let something float has
further rigid motions ``y`` inside ``e``; they are split off in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import RunError
from gearwright.system import Channel, Signal, System

Complex = NDArray[np.complex128]

#: Largest condition of an eigenbasis that is still called a basis.
WORST_CONDITION = 1e6
#: Eigenvalues below this [rad/s] are integrated by their own formulas: a particular solution would cancel.
SLOW = 1.0


class Defective(RunError, ValueError):
    """A combination without a usable eigenbasis (critical damping to many digits)."""


@dataclass(frozen=True)
class Phase:
    """The phase of a law with several pieces: its sense row and the starts of its pieces (cycles).

    ``multiplier`` places the piece in the key of a combination. ``optional`` is the number of rows of the law if
    all of them have gaps, else 0: while they are all open the piece does not matter.
    """

    law: int
    sense: int
    boundaries: tuple[float, ...]
    multiplier: int
    optional: int

    def piece(self, key: int) -> int:
        """Piece in a combination."""
        return key // self.multiplier % len(self.boundaries)


@dataclass(frozen=True)
class LawRow:
    """One force row of a law with pieces.

    ``stiffness`` levels by piece of the law's ``phase`` (None: one piece); ``gap`` is None for a row always in
    contact. ``multiplier`` places its open bit in the key of a combination.
    """

    law: int
    row: int
    phase: Phase | None
    stiffness: tuple[float, ...]
    damping: float
    gap: float | None
    multiplier: int

    def open(self, key: int) -> bool:
        """Whether the row is out of contact in a combination."""
        return self.gap is not None and key // self.multiplier % 2 == 1

    def level(self, key: int) -> float:
        """Stiffness in a combination, contact assumed."""
        return self.stiffness[self.phase.piece(key)] if self.phase else self.stiffness[0]

    @property
    def mean(self) -> float:
        """Stiffness averaged over the cycle."""
        if self.phase is None:
            return self.stiffness[0]
        edges = np.append(self.phase.boundaries, self.phase.boundaries[0] + 1.0)
        return float(np.diff(edges) @ np.array(self.stiffness))


def law_rows(system: System) -> tuple[list[LawRow], list[Phase], int]:
    """Force rows and phases of all laws and the number of combinations.

    Raises ValueError with a sentence where a law's pieces do not fit its block.
    """
    rows: list[LawRow] = []
    phases: list[Phase] = []
    count = 1
    for number, law in enumerate(system.laws):
        pieces = law.pieces
        if pieces is None:
            raise ValueError(f"law '{law.label}' is not linear in pieces")
        phase = None
        if len(pieces.boundaries) > 1:
            if not law.senses:
                raise ValueError(f"law '{law.label}' has pieces but no phase")
            optional = law.rows if all(g is not None for g in pieces.gap) else 0
            phase = Phase(number, system.sense_rows(number).start, tuple(pieces.boundaries), count, optional)
            phases.append(phase)
            count *= len(pieces.boundaries)
        for r, row in enumerate(range(*system.law_rows(number).indices(system.shape.rows))):
            levels, gap = tuple(pieces.stiffness[r]), pieces.gap[r]
            if len(levels) != max(len(pieces.boundaries), 1):
                raise ValueError(f"law '{law.label}' has {len(levels)} levels for {len(pieces.boundaries)} boundaries")
            rows.append(LawRow(number, row, phase, levels, pieces.damping[r], gap, count))
            if gap is not None:
                count *= 2
    if count >= 1 << 62:
        raise ValueError("there are too many combinations of pieces to number them")
    return rows, phases, count


@dataclass
class Reduction:
    """Bases and row matrices that do not depend on the combination.

    ``inputs`` are ``[1, signals..., theta']``: ``signal[i]`` is the signal behind input i (-1 for the constant
    and, in ``theta_input``, the index of theta' or -1). ``push`` (ne + nr, inputs) is the acceleration of
    ``[e', psi']`` per input without the part that comes through rows.
    """

    system: System
    rows: list[LawRow]
    phases: list[Phase]
    possible: int
    prescribed: int
    E: Float
    Uf: Float
    w: Float
    b: Float
    nf: Float
    signal: NDArray[np.int64]
    theta_input: int
    rate_input: int
    push: Float
    #: deflections of rows per e; rates of rows and speeds of coordinates per [e', psi']
    DE: Float = field(init=False)
    Dv: Float = field(init=False)
    Vall: Float = field(init=False)
    #: rates of rows per psi' and per theta'
    rho_f: Float = field(init=False)
    rho_b: Float = field(init=False)
    #: stiffness, damping, constant force of rows without law
    k: Float = field(init=False)
    c: Float = field(init=False)
    load: Float = field(init=False)

    def __post_init__(self) -> None:
        s = self.system
        self.DE = np.asarray(s.D @ self.E)
        self.rho_f = s.rho.T @ self.nf if s.shape.rigid else np.zeros((s.shape.rows, 0))
        self.rho_b = s.rho.T @ self.b if s.shape.rigid else np.zeros(s.shape.rows)
        self.Dv, self.Vall = np.hstack([self.DE, self.rho_f]), np.hstack([self.E, self.Uf.T])
        # constant rows; the rows of laws are filled in per combination
        self.k, self.c, self.load = (np.zeros(s.shape.rows) for _ in range(3))
        springs = s.spring_rows
        self.k[springs], self.c[springs] = s.arrays.k, s.arrays.c
        self.load[springs] = s.arrays.f0 + s.arrays.k * s.arrays.off[springs]

    @property
    def ne(self) -> int:
        """Number of elastic deviations."""
        return self.E.shape[1]

    @property
    def nr(self) -> int:
        """Number of free rigid motions."""
        return len(self.Uf)

    @property
    def n(self) -> int:
        """Length of the state x."""
        return 2 * self.ne + self.nr

    @property
    def ni(self) -> int:
        """Number of inputs."""
        return len(self.signal)

    def acts(self, key: int) -> tuple[Float, Float, Float]:
        """Stiffness, damping and constant force of every row in a combination: ``f = k D q + c dv + load``."""
        k, c, load = self.k.copy(), self.c.copy(), self.load.copy()
        off = self.system.arrays.off
        for row in self.rows:
            if not row.open(key):
                k[row.row], c[row.row] = row.level(key), row.damping
                load[row.row] = k[row.row] * (off[row.row] - (row.gap or 0.0))
        return k, c, load

    def force_rows(self, key: int) -> Float:
        """Forces of all rows over ``[x, psi, theta, inputs]``."""
        k, c, load = self.acts(key)
        ne, nr, n = self.ne, self.nr, self.n
        f = np.zeros((len(k), n + nr + 1 + self.ni))
        f[:, :ne] = k[:, None] * self.DE
        f[:, ne : 2 * ne] = c[:, None] * self.DE
        f[:, 2 * ne : n] = c[:, None] * self.rho_f
        f[:, n + nr + 1] = load
        if self.theta_input >= 0:
            f[:, n + nr + 1 + self.theta_input] += c * self.rho_b
        return f


def reduce(system: System, channels: tuple[Channel, ...]) -> Reduction:
    """Split the motion of a system; raises ValueError with a sentence if that cannot be done."""
    rows, phases, possible = law_rows(system)
    s, a = system.shape, system.arrays
    mass = system.mass.toarray()
    free = system.free
    prescribed = next(iter(system.prescribed), -1)
    u = system.u
    if prescribed >= 0:
        along = u[:, prescribed]
        b = along / (along @ along)
        others = _null_space(along[None, :]) if s.rigid > 1 else np.zeros((1, 0))
        w = b @ u
    else:
        b, others, w = np.zeros(s.rigid), np.eye(s.rigid), np.zeros(s.coordinates)
    Uf: Float = others.T @ u
    if prescribed >= 0:
        Uf[:, prescribed] = 0.0
    if len(Uf):
        lower = np.linalg.cholesky(Uf @ mass @ Uf.T)
        others = others @ np.linalg.inv(lower).T
        Uf = np.asarray(np.linalg.solve(lower, Uf), np.float64)
    E = _complement(mass, Uf, free, _mean_stiffness(system, rows))

    signal_of: dict[int, int] = {}
    listed = [-1]
    wanted = [int(i) for i in a.bu] + [i for c in channels for source, i, _ in c.terms if source.name == "SIGNAL"]
    for number in wanted:
        if number not in signal_of:
            signal_of[number] = len(listed)
            listed.append(number)
    theta_input = rate_input = -1
    if prescribed >= 0:
        theta_input = len(listed)
        listed.append(system.prescribed[prescribed])
        rate_input = signal_of[next(int(x) for i, x in zip(a.bi, a.bu, strict=True) if i == prescribed)]
    generalised = np.zeros((s.coordinates, len(listed)))
    for i, number, value in zip(a.bi, a.bu, a.bv, strict=True):
        if int(i) != prescribed:
            generalised[i, signal_of[int(number)]] += value
    if prescribed >= 0:
        inner = mass[np.ix_(free, free)] @ w[free]
        generalised[free, rate_input] -= inner
    push = np.hstack([E, Uf.T]).T @ generalised
    return Reduction(
        system=system,
        rows=rows,
        phases=phases,
        possible=possible,
        prescribed=prescribed,
        E=E,
        Uf=Uf,
        w=w,
        b=b,
        nf=others,
        signal=np.array(listed, np.int64),
        theta_input=theta_input,
        rate_input=rate_input,
        push=push,
    )


def _mean_stiffness(system: System, rows: list[LawRow]) -> Float:
    stiffness, _ = system.spring_matrices()
    for row in rows:
        d = system.D[row.row].toarray()
        stiffness = stiffness + row.mean * d.T @ d
    return stiffness


def _null_space(rows: Float) -> Float:
    """Orthonormal columns that independent rows leave at zero."""
    return np.linalg.svd(rows, full_matrices=True)[2][len(rows) :].T


def _complement(mass: Float, Uf: Float, free: NDArray[np.int64], stiffness: Float) -> Float:
    """Modes of the mean model that leave the free rigid motions at rest, unit mass, (n, ne)."""
    lower = np.linalg.cholesky(mass[np.ix_(free, free)])
    inside = _null_space((lower.T @ Uf[:, free].T).T) if len(Uf) else np.eye(len(free))
    basis = np.linalg.solve(lower.T, inside)
    values = basis.T @ stiffness[np.ix_(free, free)] @ basis
    _, turn = np.linalg.eigh(0.5 * (values + values.T))
    E = np.zeros((mass.shape[0], basis.shape[1]))
    E[free] = basis @ turn
    return E


@dataclass
class Combination:
    """One linear model in modal form.

    ``w = [Re z (modes), Im z (complex modes), y]`` and ``x = V w``, ``w = W x``. Modes are stored once per
    conjugate pair, complex ones first. ``z' = lam z + beta u``; ``y' = Re(lift z)`` are the rigid motions that
    open gaps release.
    """

    key: int
    V: Float
    W: Float
    lam: Complex
    complex_modes: int
    beta: Complex
    lift: Complex
    lift_psi: Complex

    @property
    def modes(self) -> int:
        """Number of stored modes."""
        return len(self.lam)


def combine(model: Reduction, key: int) -> Combination:
    """Modal form of a combination; raises :class:`Defective` if its eigenvectors do not span the states."""
    ne, nr, n = model.ne, model.nr, model.n
    k, c, load = model.acts(key)
    elastic = (model.DE.T * k) @ model.DE
    squares, turn = np.linalg.eigh(0.5 * (elastic + elastic.T))
    released = any(not k[row.row] for row in model.rows)
    floats = np.full(ne, False)
    if released:
        floats = squares <= 1e-13 * max(float(squares.max(initial=0.0)), 1e-300)
    squares = np.maximum(squares, 1e-300)
    Ty, Te = turn[:, floats], turn[:, ~floats]
    omega = np.sqrt(squares[~floats])
    nf, nw = Ty.shape[1], len(omega)
    # velocities [eta', y', psi'] and what rows do to them
    D = np.hstack([model.DE @ Te, model.DE @ Ty, model.rho_f])
    damping = (D.T * c) @ D
    size = nw + nf + nr
    A = np.zeros((nw + size, nw + size))
    A[:nw, nw : 2 * nw] = np.diag(omega)
    A[nw : 2 * nw, :nw] = -np.diag(omega)
    A[nw:, nw:] = -damping
    A[np.abs(A) < 1e-15 * np.abs(A).max(initial=0.0)] = 0.0
    values, right = np.linalg.eig(A)
    values = values.astype(complex)
    right = right.astype(complex)
    paired = np.flatnonzero(values.imag > 0.0)
    paired = paired[np.argsort(values[paired].imag)]
    single = np.flatnonzero(values.imag == 0.0)
    lam = np.concatenate([values[paired], values[single].real])
    nc, nz = len(paired), nw + size
    # real form: x = 2 Re(r z) = [2 Re r, -2 Im r] [Re z, Im z]
    R = np.hstack([2 * right[:, paired].real, right[:, single].real, -2 * right[:, paired].imag])
    try:
        left = np.linalg.inv(R)
    except np.linalg.LinAlgError:
        left = np.full((nz, nz), np.inf)
    if not np.linalg.norm(R) * np.linalg.norm(left) <= WORST_CONDITION:
        raise Defective("a mode is damped critically to many digits")
    V, W = np.zeros((n, n)), np.zeros((n, n))
    # x = [e, e', psi'] from [omega eta, eta', y', psi', y]
    V[:ne, :nz] = (Te / omega) @ R[:nw]
    V[:ne, nz:] = Ty
    V[ne : 2 * ne, :nz] = np.hstack([Te, Ty]) @ R[nw : 2 * nw + nf]
    V[2 * ne :, :nz] = R[2 * nw + nf :]
    W[:nz, :ne] = left[:, :nw] @ (omega[:, None] * Te.T)
    W[nz:, :ne] = Ty.T
    W[:nz, ne : 2 * ne] = left[:, nw : 2 * nw + nf] @ np.hstack([Te, Ty]).T
    W[:nz, 2 * ne :] = left[:, 2 * nw + nf :]
    push = model.push.copy()
    push[:, 0] -= model.Dv.T @ load
    if model.theta_input >= 0:
        push[:, model.theta_input] -= model.Dv.T @ (c * model.rho_b)
    nm = len(lam)
    real = W[:nz, ne:] @ push
    beta = real[:nm].astype(complex)
    beta[:nc] += 1j * real[nm:]

    def output(rows: Float) -> Complex:
        r = rows[:, :nm].astype(complex)
        r[:, :nc] -= 1j * rows[:, nm:nz]
        return r

    # Re(r z) with r = Re part - i Im part of the packed columns
    return Combination(
        key=key,
        V=V,
        W=W,
        lam=lam,
        complex_modes=nc,
        beta=beta,
        lift=output(Ty.T @ V[ne : 2 * ne]),
        lift_psi=output(V[2 * ne :]),
    )


def slow_limit(signals: list[Signal]) -> float:
    """Eigenvalues below this [rad/s] get their own formulas, given the finest piece of the inputs."""
    finest = min((float(np.diff(s.start).min()) for s in signals if len(s.start) > 2), default=np.inf)
    return max(SLOW, 0.1 / finest)
