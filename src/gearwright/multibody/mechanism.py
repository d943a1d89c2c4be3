"""Bodies and joints become rows: a mechanism, closed up, its redundant rows found by rank.

Axes: one global frame, chosen by the user; body axes in the mass centre along the principal axes of inertia.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import motion, rows

Float = NDArray[np.floating[Any]]
GROUND = "housing"


class MultibodyError(ValueError):
    """A mechanism that cannot be built, closed up or moved: says which joint or body, and by how much."""


@dataclass
class Body:
    """A rigid body.

    mass [kg]; inertia: three principal moments [kg m^2] about the mass centre; position [m] of the mass centre and
    Euler parameters (e0, e) of the body axes, both rough values if the joints have to close up; velocity [m/s] global,
    spin [rad/s] in body axes; points: named places in body axes [m].
    """

    name: str
    mass: float
    inertia: tuple[float, float, float]
    position: Sequence[float] = (0.0, 0.0, 0.0)
    euler: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    points: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        a, b, c = sorted(self.inertia)
        if not self.mass > 0.0 or not a > 0.0:
            raise MultibodyError(f"body '{self.name}': mass and principal inertias must be positive")
        if c > (a + b) * (1.0 + 1e-6):
            raise MultibodyError(
                f"body '{self.name}': principal inertias {tuple(self.inertia)} are not those of a body, the largest is "
                f"above the sum of the others"
            )


@dataclass(frozen=True)
class Joint:
    """A joint, gear row, motor or elastic element between two bodies (``housing`` is the ground).

    kind : one of :data:`KINDS`
    first, second : ``body`` or ``body.point``; without a point the mass centre (of the housing: where the other
        side's point is at the start, or ``through``)
    axis : direction in global axes at the start
    through : a point on the joint in global axes at the start
    stiffness, damping : make the joint's rows elastic: [N/m, N s/m] for those of position, and
        ``angular_stiffness``, ``angular_damping`` [N m/rad, N m s/rad] for those of direction
    radius : pitch radii (first, second) of a gear, negative for a ring in a simple row
    pressure_angle (normal), helix_angle [rad], internal (first planet, second ring), carrier : of gears
    flank : -1 or +1, the side of the tooth in contact; 0: chosen from the load at the start, so that the tooth force
        parts the wheels
    speed, acceleration : of a motor [rad/s, rad/s^2]
    length : of ``distance`` and springs [m]; None: as at the start
    """

    kind: str
    name: str
    first: str
    second: str
    axis: Sequence[float] | None = None
    through: Sequence[float] | None = None
    stiffness: float | None = None
    damping: float = 0.0
    angular_stiffness: float | None = None
    angular_damping: float = 0.0
    radius: tuple[float, float] | None = None
    pressure_angle: float = 0.0
    helix_angle: float = 0.0
    internal: bool = False
    carrier: str | None = None
    flank: int = 0
    speed: float = 0.0
    acceleration: float = 0.0
    length: float | None = None


@dataclass(frozen=True)
class Load:
    """A force [N] or moment [N m] on a body: a table over time (linear, jumps as double times) along directions.

    force, moment : directions; frame ``global`` or ``body``; point : where the force acts, in body axes
    slope [N m s/rad], reference [rad/s] : adds slope (spin about the moment's direction in body axes - reference)
    """

    body: str
    times: Sequence[float]
    values: Sequence[float]
    force: Sequence[float] = (0.0, 0.0, 0.0)
    moment: Sequence[float] = (0.0, 0.0, 0.0)
    frame: str = "global"
    point: Sequence[float] = (0.0, 0.0, 0.0)
    slope: float = 0.0
    reference: float = 0.0


class Arrays(NamedTuple):
    """What the compiled loop reads."""

    mass: Float
    inverse: Float
    gravity: Float
    kind: Any
    body: Any
    local: Float
    par: Float
    rigid: int
    pairs: Any
    first: Any
    shift: float
    stabilise: Float
    load_body: Any
    load_table: Any
    load_global: Any
    load_vector: Float
    load_point: Float
    load_slope: Float
    times: Float
    values: Float


class Place(NamedTuple):
    """A state: positions, Euler parameters, velocities, last angles of the marks. The last row is the ground."""

    r: Float
    p: Float
    v: Float
    last: Float


class Work(NamedTuple):
    """Workspace of the compiled loop."""

    r: Float
    p: Float
    v: Float
    R: Float
    W: Float
    phi: Float
    jac: Float
    gamma: Float
    rate: Float
    psi: Float
    Q: Float
    acc: Float
    lam: Float
    S: Float
    rest: Float
    move: Float
    slope: Float


def matrix(p: Sequence[float]) -> Float:
    """Rotation matrix (body to global) of Euler parameters (e0, e1, e2, e3)."""
    e0, e = float(p[0]), np.asarray(p[1:], float)
    cross = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
    return (2.0 * e0 * e0 - 1.0) * np.eye(3) + 2.0 * (np.outer(e, e) + e0 * cross)


def normals(axis: Float) -> tuple[Float, Float]:
    """Two unit vectors that make a right-handed triad (q1, q2, axis)."""
    start = np.eye(3)[int(np.argmin(np.abs(axis)))]
    q1 = start - axis * (axis @ start)
    q1 /= np.linalg.norm(q1)
    return q1, np.cross(axis, q1)


class Mechanism:
    """A closed-up mechanism.

    Parameters
    ----------
    bodies, joints, loads : what it is made of
    gravity : vector in global axes [m/s^2]
    redundant : rows that follow from others are ``drop``-ped, or ``share`` the load by the least norm
    stabilise : (zeta, beta) of Baumgarte; None: rows are met by projection

    Attributes: ``arrays``, ``start`` (a Place), ``rows`` (joint of each row), ``dropped`` and ``redundant`` (names of
    rows), ``degrees_of_freedom``, ``notes``.
    Raises MultibodyError.
    """

    def __init__(self, bodies: Sequence[Body], joints: Sequence[Joint], loads: Sequence[Load] = (),
                 gravity: Sequence[float] = (0.0, 0.0, 0.0), redundant: str = "drop",
                 stabilise: tuple[float, float] | None = None):  # fmt: skip
        from .joints import rows_of

        self.bodies, self.joints, self.loads = list(bodies), list(joints), list(loads)
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
                    raise MultibodyError(f"body '{b.name}': Euler parameters are all zero")
                self.notes.append(f"Euler parameters of '{b.name}' had length {norm:.9g} and were normalised")
            p[k] = np.asarray(b.euler, float) / norm
        made = [row for joint in self.joints for row in rows_of(self, joint, r, p)]
        made.sort(key=lambda row: row.elastic)
        self.rows = made
        count = len(made)
        self.start = Place(r, p, np.zeros((n + 1, 6)), np.zeros((max(count, 1), 2)))
        self._arrays(np.asarray(gravity, float), stabilise)
        self._close()
        self._rank(redundant)

    def _arrays(self, gravity: Float, stabilise: tuple[float, float] | None, shift: float = 0.0) -> None:
        n, made = len(self.bodies), self.rows
        count = len(made)
        kind = np.array([row.kind for row in made], np.int64)
        body = np.array([row.bodies for row in made], np.int64).reshape(count, 3)
        local = np.array([row.local for row in made], float).reshape(count, 21)
        par = np.array([row.parameters for row in made], float).reshape(count, rows.PARAMETERS)
        rigid = sum(not row.elastic for row in made)
        pairs, first = [], np.arange(rigid)
        for a in range(rigid):
            for b in range(a + 1):
                for x in range(3):
                    for y in range(3):
                        if body[a, x] == body[b, y] < n and _acts(made[a], x) and _acts(made[b], y):
                            pairs.append((a, b, 6 * x, 6 * y, body[a, x]))
                            first[a] = min(first[a], b)
        tables: list[tuple[int, int]] = []
        times: list[float] = []
        values: list[float] = []
        for load in self.loads:
            tables.append((len(times), len(times) + len(load.times)))
            times += list(load.times)
            values += list(load.values)
        loads = self.loads
        self.arrays = Arrays(
            self.mass, 1.0 / self.mass, gravity, kind, body, local, par, rigid,
            np.array(pairs, np.int64).reshape(-1, 5), first.astype(np.int64), shift,
            np.array(stabilise or (0.0, 0.0), float),
            np.array([self.index[x.body] for x in loads], np.int64), np.array(tables, np.int64).reshape(-1, 2),
            np.array([x.frame == "global" for x in loads], np.bool_),
            np.array([[*x.force, *x.moment] for x in loads], float).reshape(-1, 6),
            np.array([x.point for x in loads], float).reshape(-1, 3),
            np.array([[x.slope, x.reference] for x in loads], float).reshape(-1, 2),
            np.array(times, float), np.array(values, float),
        )  # fmt: skip

    def work(self) -> Work:
        """A workspace."""
        n, count = len(self.bodies), max(len(self.rows), 1)
        R = np.zeros((n + 1, 9))
        R[n] = np.eye(3).ravel()
        p = np.zeros((n + 1, 4))
        p[:, 0] = 1.0
        z = np.zeros
        return Work(z((n + 1, 3)), p, z((n + 1, 6)), R, z((n + 1, 3)), z(count), z((count, 18)), z(count), z(count),
                    z((count, 2)), z((n + 1, 6)), z((n + 1, 6)), z(count), z((count, count)), z(count), z(count),
                    z((4, n + 1, 12)))  # fmt: skip

    def copy(self) -> Place:
        """A copy of the start."""
        return Place(*(x.copy() for x in self.start))

    def jacobian(self, place: Place, t: float = 0.0) -> tuple[Float, Float, Work]:
        """Dense Jacobian of the rigid rows (rows x 6 bodies), their values, and the workspace of the look."""
        work = self.work()
        motion.look(self.arrays, place, work, t)
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
        motion.move(self.arrays, place, np.ascontiguousarray(change.reshape(n, 6)))

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
        for k, row in enumerate(self.rows):
            if row.kind in (rows.SPIN, rows.GEAR):
                a.par[k, rows.OFFSET] = row.parameters[rows.OFFSET] + work.phi[k]
                row.parameters[rows.OFFSET] = float(a.par[k, rows.OFFSET])
        place.last[:] = work.psi

    def _rank(self, redundant: str) -> None:
        a = self.arrays
        J, _, _ = self.jacobian(self.start)
        scaled = J / np.sqrt(self.mass.ravel())
        basis: list[Float] = []
        extra = []
        for k, line in enumerate(scaled):
            rest = line.copy()
            for _ in range(2):
                for q in basis:
                    rest -= q * (q @ rest)
            if np.linalg.norm(rest) < 1e-8 * max(float(np.linalg.norm(line)), 1e-300):
                extra.append(k)
            else:
                basis.append(rest / np.linalg.norm(rest))
        self.redundant = tuple(self.rows[k].name for k in extra)
        self.rank = len(basis)
        self.row_count = len(scaled)
        self.degrees_of_freedom = 6 * len(self.bodies) - self.rank
        self.dropped: tuple[str, ...] = ()
        stabilise = tuple(a.stabilise) if self.stabilised else None
        if not extra:
            return
        named = ", ".join(self.redundant)
        if redundant == "share":
            self.notes.append(f"redundant rows share the load by the least norm: {named}")
            size = float(np.mean(np.sum(scaled**2, axis=1)))
            self._arrays(a.gravity, stabilise, 1e-7 * size)
            return
        self.notes.append(f"redundant rows were dropped: {named}")
        self.dropped = self.redundant
        self.rows = [row for k, row in enumerate(self.rows) if k not in extra]
        last = np.delete(self.start.last[: len(self.rows) + len(extra)], extra, axis=0)
        self.start = self.start._replace(last=np.ascontiguousarray(last) if len(last) else np.zeros((1, 2)))
        self._arrays(a.gravity, stabilise)

    def set_speeds(self, given: Mapping[str, tuple[Sequence[float | None], Sequence[float | None]]]) -> None:
        """Speeds at the start: given (velocity, spin in body axes; None: free), the rest from the rows.

        Raises MultibodyError if what is given contradicts the rows.
        """
        J, _, work = self.jacobian(self.start)
        lines, wants = [J], [-work.rate[: self.arrays.rigid]]
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

    def reactions(self, place: Place, lam: Float, t: float = 0.0) -> dict[str, dict[str, Any]]:
        """Forces [N] and moments [N m] of every joint on each of its bodies, in global and in body axes.

        Moments are about the mass centre. Gears also have ``teeth``: normal, tangential, radial and axial force.
        """
        work = self.work()
        self._seen = place
        motion.look(self.arrays, place, work, t)
        found: dict[str, dict[str, Any]] = {}
        for k, row in enumerate(self.rows):
            entry = found.setdefault(row.joint, {})
            for slot, b in enumerate(row.bodies):
                if not _acts(row, slot):
                    continue
                name = GROUND if b == len(self.bodies) else self.bodies[b].name
                part = entry.setdefault(name, {"force": np.zeros(3), "moment_body": np.zeros(3)})
                part["force"] = part["force"] + work.jac[k, 6 * slot : 6 * slot + 3] * lam[k]
                part["moment_body"] = part["moment_body"] + work.jac[k, 6 * slot + 3 : 6 * slot + 6] * lam[k]
            if row.kind == rows.GEAR:
                entry["teeth"] = self._teeth(k, float(lam[k]), work)
        for entry in found.values():
            for name, part in entry.items():
                if name == "teeth":
                    continue
                R = work.R[self.index[name]].reshape(3, 3)
                part["moment"] = R @ part["moment_body"]
                part["force_body"] = R.T @ part["force"]
        return found

    def _teeth(self, k: int, lam: float, work: Work) -> dict[str, float]:
        i = self.rows[k].bodies[0]
        push = work.jac[k, :3]  # flank sine u + cosine t + helix a, the direction of the force on the first wheel
        axis = work.R[i].reshape(3, 3) @ self.arrays.local[k, 6:9]
        helix = float(push @ axis)
        transverse = push - helix * axis
        u = self._line_of_centres(k, work, axis)
        radial = float(transverse @ u)
        return {
            "normal": lam * float(np.sqrt(1.0 + helix * helix)), "tangential": lam * float(transverse @ np.cross(axis, u)),
            "radial": lam * radial, "axial": lam * helix,
        }  # fmt: skip

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


def _acts(row: Any, slot: int) -> bool:
    return slot < 2 or row.kind == rows.SPIN
