"""Bodies and joints become rows: a mechanism, closed up, its redundant rows found by rank.

Axes: one global frame, chosen by the user; body axes in the mass centre along the principal axes of inertia.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import rows
from .arrays import Arrays, Place, Work, acts, pack, workspace
from .elements import GROUND, Body, Joint, Load, MultibodyError
from .joints import rows_of
from .table import compile_ahead, look, move

Float = NDArray[np.floating[Any]]
#: kinds of rows whose values count from the closed position
COUNTED = (rows.SPIN, rows.GEAR, rows.PHASE, rows.LINE, rows.TRAVEL, rows.RADIAL)


@dataclass(frozen=True)
class Reaction:
    """What a joint does to a body: force [N] and moment about the mass centre [N m], in global and in body axes."""

    force: Float
    moment_body: Float
    moment: Float
    force_body: Float


@dataclass(frozen=True)
class ToothForces:
    """Forces of the teeth on the first wheel of a gear [N]."""

    normal: float
    tangential: float
    radial: float
    axial: float

    def __add__(self, other: ToothForces) -> ToothForces:
        return ToothForces(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


class JointReactions(NamedTuple):
    """Reactions of a joint by body; of a gear the forces of its teeth too."""

    bodies: dict[str, Reaction]
    teeth: ToothForces | None

    def parts(self) -> dict[str, Reaction | ToothForces]:
        """All of them by name, as files have them: those of the teeth are called ``teeth``."""
        teeth = {} if self.teeth is None else {"teeth": self.teeth}
        return {**self.bodies, **teeth}


class Mechanism:
    """A closed-up mechanism.

    Parameters
    ----------
    bodies, joints, loads : what it is made of
    gravity : vector in global axes [m/s^2]
    redundant : rows that follow from others are ``drop``-ped, or ``share`` the load by the least norm
    stabilise : (zeta, beta) of Baumgarte; None: rows are met by projection
    signals : tables over time (times, values; linear, jumps as double times) that laws read by number

    Attributes: ``arrays``, ``start`` (a Place), ``rows`` (joint of each row), ``dropped`` and ``redundant`` (names of
    rows), ``degrees_of_freedom``, ``notes``.
    Raises MultibodyError.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        joints: Sequence[Joint],
        loads: Sequence[Load] = (),
        gravity: Sequence[float] = (0.0, 0.0, 0.0),
        redundant: str = "drop",
        stabilise: tuple[float, float] | None = None,
        signals: Sequence[tuple[Sequence[float], Sequence[float]]] = (),
    ):
        self.bodies, self.joints, self.loads = list(bodies), list(joints), list(loads)
        self.signals = list(signals)
        #: longest steps [s] that laws with states of their own can follow, and what they belong to
        self.longest: list[tuple[float, str]] = []
        self.index = {b.name: k for k, b in enumerate(self.bodies)}
        self.index[GROUND] = len(self.bodies)
        self.notes: list[str] = []
        self.stabilised = stabilise is not None
        n = len(self.bodies)
        self.mass = np.array([[b.mass] * 3 + list(b.inertia) for b in self.bodies], float).reshape(n, 6)
        r, p = np.zeros((n + 1, 3)), np.zeros((n + 1, 4))
        p[n, 0] = 1.0
        for k, b in enumerate(self.bodies):
            r[k] = b.position
            norm = float(np.linalg.norm(b.euler))
            if abs(norm - 1.0) > 1e-9:
                if norm == 0.0:
                    raise MultibodyError(
                        f"body '{b.name}': Euler parameters are all zero; [1, 0, 0, 0] is a body that is not turned"
                    )
                self.notes.append(f"Euler parameters of '{b.name}' had length {norm:.9g} and were normalised")
            p[k] = np.asarray(b.euler, float) / norm
        made = [row for joint in self.joints for row in rows_of(self.bodies, self.index, joint, r, p)]
        made.sort(key=lambda row: row.elastic)
        self.rows = made
        count = len(made)
        states = [x for joint in self.joints if joint.law is not None for x in joint.law.states]
        self.start = Place(r, p, np.zeros((n + 1, 6)), np.zeros((max(count, 1), 2)), np.array(states, float))
        self._gravity, self._stabilise = np.asarray(gravity, float), stabilise
        compile_ahead()
        self.arrays = self._pack()
        self._close()
        self._rank(redundant)

    def _pack(self, shift: float = 0.0) -> Arrays:
        """The arrays of the present rows."""
        return pack(
            self.mass,
            self.rows,
            self.joints,
            self.loads,
            [self.index[x.body] for x in self.loads],
            self.signals,
            self._gravity,
            self._stabilise,
            shift,
        )

    def work(self) -> Work:
        """A workspace."""
        return workspace(len(self.bodies), len(self.rows), len(self.start.states), len(self.signals))

    def copy(self) -> Place:
        """A copy of the start."""
        return Place(*(x.copy() for x in self.start))

    def jacobian(self, place: Place, t: float = 0.0) -> tuple[Float, Float, Work]:
        """Dense Jacobian of the rigid rows (rows x 6 bodies), their values, and the workspace of the look."""
        work = self.work()
        look(self.arrays, place, work, t, False)
        return self.dense(work)[: self.arrays.rigid], work.phi[: self.arrays.rigid].copy(), work

    def dense(self, work: Work) -> Float:
        """Dense Jacobian of all rows from a workspace."""
        n = len(self.bodies)
        J = np.zeros((len(self.rows), 6 * (n + 1)))
        for k, row in enumerate(self.rows):
            for slot, b in enumerate(row.bodies):
                J[k, 6 * b : 6 * b + 6] += work.jac[k, 6 * slot : 6 * slot + 6]
        return J[:, : 6 * n]

    def move(self, place: Place, change: Float) -> None:
        """Displace a state by small motions (6 per body, rotations in body axes)."""
        n = len(self.bodies)
        move(self.arrays, place, self.work(), change.reshape(n, 6))

    def _close(self) -> None:
        """Close up the joints from rough values; angles of gear rows count from the closed position."""
        place, a = self.start, self.arrays
        counted = np.isin(a.kind[: a.rigid], (rows.SPIN, rows.GEAR))
        phi: Float = np.zeros(a.rigid)
        for _ in range(60):
            J, phi, work = self.jacobian(place)
            phi = np.asarray(np.where(counted, 0.0, phi), float)
            if not len(phi) or np.abs(phi).max() < 1e-13:
                break
            weight = 1.0 / np.sqrt(self.mass.ravel())
            keep = ~counted
            step = -weight * np.linalg.lstsq(J[keep] * weight, phi[keep], rcond=1e-10)[0]
            size = np.abs(step).max()
            self.move(place, step * min(1.0, 0.5 / size) if size > 0 else step)
        if len(phi) and np.abs(phi).max() > 1e-10:
            k = int(np.argmax(np.abs(phi)))
            raise MultibodyError(
                f"the mechanism cannot be closed up: joint '{self.rows[k].joint}' keeps a gap of {abs(phi[k]):.3g} m"
            )
        _, _, work = self.jacobian(place)
        phases = {joint.name: joint.phase for joint in self.joints}
        for k, row in enumerate(self.rows):
            if row.kind in COUNTED:
                begin = phases.get(row.joint, 0.0) if row.kind == rows.PHASE else 0.0
                a.par[k, rows.OFFSET] = row.parameters[rows.OFFSET] + work.phi[k] - begin
                row.parameters[rows.OFFSET] = float(a.par[k, rows.OFFSET])
        place.last[:] = work.psi

    def _rank(self, redundant: str) -> None:
        J, _, _ = self.jacobian(self.start)
        scaled = J / np.sqrt(self.mass.ravel())
        extra, basis = _dependent(scaled, 1e-8)
        if extra:
            self._refuse_singular(scaled, extra)
        self.redundant = tuple(self.rows[k].name for k in extra)
        self.rank = len(basis)
        self.row_count = len(scaled)
        self.degrees_of_freedom = 6 * len(self.bodies) - self.rank
        self.dropped: tuple[str, ...] = ()
        if not extra:
            self._arrange()
            return
        named = ", ".join(self.redundant)
        lossy = {row.press for row in self.rows if row.press} & {self.rows[k].joint for k in extra}
        if lossy and redundant != "share":
            raise MultibodyError(
                f"the loss of '{min(lossy)}' follows a tooth force that rigid meshes leave open (redundant rows: {named}); "
                f"set model.redundant: share"
            )
        if redundant == "share":
            self.notes.append(f"redundant rows share the load by the least norm: {named}")
            size = float(np.mean(np.sum(scaled**2, axis=1)))
            self._arrange(1e-7 * size)
            return
        self.notes.append(f"redundant rows were dropped: {named}")
        self.dropped = self.redundant
        self.rows = [row for k, row in enumerate(self.rows) if k not in extra]
        last = np.delete(self.start.last[: len(self.rows) + len(extra)], extra, axis=0)
        self.start = self.start._replace(last=np.ascontiguousarray(last) if len(last) else np.zeros((1, 2)))
        self._arrange()

    def _refuse_singular(self, scaled: Float, extra: list[int]) -> None:
        """Raise MultibodyError where rows follow from the others at the start, but not a little beside it: a dead point."""
        kept = [k for k in range(len(scaled)) if k not in extra]
        _, sizes, turns = np.linalg.svd(scaled[kept])
        free = turns[int(np.sum(sizes > 1e-9 * sizes.max(initial=1.0))) :]
        if not len(free):
            return
        weight = 1.0 / np.sqrt(self.mass.ravel())
        step = weight * (np.random.default_rng(0).normal(size=len(free)) @ free)
        place = self.copy()
        self.move(place, 0.02 * step / np.abs(step).max())
        for _ in range(20):
            J, phi, _ = self.jacobian(place)
            if np.abs(phi[kept]).max(initial=0.0) < 1e-12:
                break
            self.move(place, -weight * np.linalg.lstsq(J[kept] * weight, phi[kept], rcond=1e-10)[0])
        beside, _ = _dependent(J / np.sqrt(self.mass.ravel()), 1e-5)
        lost = [self.rows[k].name for k in extra if k not in beside]
        if lost:
            raise MultibodyError(
                f"the mechanism starts in a singular position: there, and nowhere beside it, {', '.join(lost)} "
                f"{'follows' if len(lost) == 1 else 'follow'} from the other rows (a dead point); start it from another place"
            )

    def _arrange(self, shift: float = 0.0) -> None:
        """Rows in the order of the smallest envelope of J M^-1 J^T; the arrays made anew."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import reverse_cuthill_mckee

        before = self.rows
        self.arrays = self._pack(shift)
        a = self.arrays
        if a.rigid < 3:
            return
        i, j = a.pairs[:, 0], a.pairs[:, 1]
        near = coo_matrix((np.ones(2 * len(i)), (np.r_[i, j], np.r_[j, i])), (a.rigid, a.rigid)).tocsr()
        order = [int(k) for k in reverse_cuthill_mckee(near, symmetric_mode=True)] + list(range(a.rigid, len(before)))
        self.rows = [before[k] for k in order]
        other = self._pack(shift)
        if np.sum(np.arange(a.rigid) - other.first) >= np.sum(np.arange(a.rigid) - a.first):
            self.rows = before
            return
        self.arrays = other
        self.start = self.start._replace(last=np.ascontiguousarray(self.start.last[order]))

    def set_speeds(
        self, given: Mapping[str, tuple[Sequence[float | None], Sequence[float | None]]], still: Collection[str] = ()
    ) -> None:
        """Speeds at the start: given (velocity, spin in body axes; None: free), the rest from the rows.

        ``still``: elastic joints that do not stretch further. Raises MultibodyError if what is given contradicts the rows.
        """
        J, _, work = self.jacobian(self.start)
        lines, wants = [J], [-work.rate[: self.arrays.rigid]]
        if still:
            held = [k for k, row in enumerate(self.rows) if row.elastic and row.joint in still and not row.sense]
            lines.append(self.dense(work)[held])
            wants.append(-work.rate[held])
        for name, (velocity, spin) in given.items():
            for c, value in enumerate((*velocity, *spin)):
                if value is not None:
                    line = np.zeros(J.shape[1])
                    line[6 * self.index[name] + c] = 1.0
                    lines.append(line[None])
                    wants.append(np.array([float(value)]))
        A, b = np.vstack(lines), np.concatenate(wants)
        weight = 1.0 / np.sqrt(self.mass.ravel())
        v = weight * np.linalg.lstsq(A * weight, b, rcond=1e-12)[0]
        gap = np.abs(A @ v - b)
        if len(gap) and gap.max() > 1e-8 * max(1.0, np.abs(b).max()):
            raise MultibodyError(f"the speeds given at the start contradict the joints, by {gap.max():.3g}")
        self.start.v[:-1] = v.reshape(-1, 6)

    def reactions(self, place: Place, lam: Float, t: float = 0.0) -> dict[str, JointReactions]:
        """Forces and moments of every joint on each of its bodies; of gears the forces of the teeth too."""
        work = self.work()
        self._seen = place
        arrays = self.arrays._replace(par=self.arrays.par.copy())
        for k in arrays.follow:
            if lam[k]:
                arrays.par[k, rows.FLANK] = -np.sign(lam[k])
        look(arrays, place, work, t, False)
        made = {row.joint for row in self.rows}
        sums: dict[tuple[str, str], Float] = {}
        teeth: dict[str, ToothForces] = {}
        for k, row in enumerate(self.rows):
            for slot, b in enumerate(row.bodies):
                if not acts(row, slot):
                    continue
                key = (row.joint, GROUND if b == len(self.bodies) else self.bodies[b].name)
                sums[key] = sums.get(key, np.zeros(6)) + work.jac[k, 6 * slot : 6 * slot + 6] * lam[k]
            if row.kind in (rows.GEAR, rows.LINE):
                one = self._teeth(k, float(lam[k]), work)  # there are two of a mesh with backlash
                teeth[row.joint] = one + teeth[row.joint] if row.joint in teeth else one
        found = {j.name: JointReactions({}, teeth.get(j.name)) for j in self.joints if j.name in made}
        for (joint, body), both in sums.items():
            R = work.R[self.index[body]].reshape(3, 3)
            found[joint].bodies[body] = Reaction(both[:3], both[3:], R @ both[3:], R.T @ both[:3])
        return found

    def _teeth(self, k: int, lam: float, work: Work) -> ToothForces:
        i = self.rows[k].bodies[0]
        push = work.jac[k, :3]  # flank sine u + cosine t + helix a, the direction of the force on the first wheel
        axis = work.R[i].reshape(3, 3) @ self.arrays.local[k, 6:9]
        helix = float(push @ axis)
        transverse = push - helix * axis
        u = self._line_of_centres(k, work, axis)
        radial = float(transverse @ u)
        normal, tangential = float(np.sqrt(1.0 + helix * helix)), float(transverse @ np.cross(axis, u))
        return ToothForces(lam * normal, lam * tangential, lam * radial, lam * helix)

    def _line_of_centres(self, k: int, work: Work, axis: Float) -> Float:
        row, place = self.rows[k], self._seen
        i, j, _ = row.bodies
        P = place.r[i] + work.R[i].reshape(3, 3) @ row.local[0:3]
        Q = place.r[j] + work.R[j].reshape(3, 3) @ row.local[3:6]
        d = row.parameters[rows.INTERNAL] * (P - Q)
        d = d - axis * (axis @ d)
        return np.asarray(d / np.linalg.norm(d), float)

    def kinetic_energy(self, v: Float) -> float:
        """Kinetic energy [J] of velocities (bodies x 6)."""
        return 0.5 * float(np.sum(self.mass * v[: len(self.bodies)] ** 2))

    def potential_energy(self, r: Float) -> float:
        """Energy of position in the field of gravity [J]."""
        return -float(np.sum(self.mass[:, 0] * (r[: len(self.bodies)] @ self.arrays.gravity)))


def _dependent(lines: Float, tolerance: float) -> tuple[list[int], list[Float]]:
    """Rows that follow from those before them, by Gram-Schmidt; and the basis of the others."""
    basis: list[Float] = []
    extra = []
    for k, line in enumerate(lines):
        rest = line.copy()
        for _ in range(2):
            for q in basis:
                rest -= q * (q @ rest)
        if np.linalg.norm(rest) < tolerance * max(float(np.linalg.norm(line)), 1e-300):
            extra.append(k)
        else:
            basis.append(rest / np.linalg.norm(rest))
    return extra, basis
