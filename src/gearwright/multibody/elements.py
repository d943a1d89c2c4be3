"""What a mechanism is made of: bodies, joints and loads, as they are given.

Axes: one global frame, chosen by the user; body axes in the mass centre along the principal axes of inertia.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import InputError
from gearwright.system import Law

Float = NDArray[np.floating[Any]]
GROUND = "housing"


class MultibodyError(InputError):
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
                f"above the sum of the others (allowed: at most {a + b:.6g} kg m^2)"
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
    flank : -1 or +1, the side of the tooth in contact; 0: the one whose force parts the wheels, changed where the
        torque reverses
    speed, acceleration : of a motor [rad/s, rad/s^2]; speeds: times [s] and speeds of its motion, linear between
    matrix, damping_matrix : 6 x 6 of a bushing (x, y, z, about x, y, z; global axes at the start, those of the second body later)
    law : a compiled law in place of a stiffness: of as many rows as the joint has; of a gear one row (drive flank) or
        two (drive, coast), and at most one sense row, the mesh phase ``teeth`` psi / 2 pi + ``phase`` with psi the angle
        of the first wheel from the line of centres. The drive flank is ``flank`` (default -1). With a ``travel``, arc of a
        flank along its path per angle of the first wheel [m/rad], the law is tooth contact (seven rows)
    beside, watched : rotations ``r_i psi_i + r_j psi_j`` against the carrier (None: a report of the law) that a law acts on
        beside its flanks, and that it reads after the phase. Of a ``rub`` the one row that friction acts on
    tip_clearance : of a gear whose teeth are known: the lesser radial clearance of tips to roots, and the distance of the centres at
        which it is that [m]
    press : of a ``rub`` (the loss of a mesh), the gear whose tooth force its law reads
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
    speeds: tuple[Sequence[float], Sequence[float]] | None = None
    matrix: Any = None
    damping_matrix: Any = None
    law: Law | None = None
    teeth: int | None = None
    phase: float = 0.0
    travel: float = 0.0
    beside: Sequence[tuple[float, float] | None] = ()
    watched: Sequence[tuple[float, float] | None] = ()
    tip_clearance: tuple[float, float] | None = None
    press: str | None = None


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
