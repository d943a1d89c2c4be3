"""Every kind of joint as rows of the compiled kinds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import rows
from .elements import GROUND, Body, Joint, MultibodyError, matrix, normals

Float = NDArray[np.floating[Any]]

#: kinds of joints: (needs an axis, number of rows)
KINDS: dict[str, tuple[bool, int]] = {
    "spherical": (False, 3), "revolute": (True, 5), "cylindrical": (True, 4), "translational": (True, 5),
    "universal": (True, 4), "fixed": (False, 6), "rigid": (False, 6), "point_on_line": (True, 2), "radial": (True, 2),
    "axial": (True, 1), "parallel": (True, 2), "planar": (True, 3), "distance": (False, 1), "lock": (True, 1),
    "motor": (True, 1), "gear": (True, 1), "simple_gear": (True, 1), "point_spring": (False, 1),
    "torsion_spring": (True, 1), "bushing": (False, 6), "rolling": (True, 2), "rub": (True, 1),
}  # fmt: skip


@dataclass
class Row:
    """One scalar row: kind, bodies (first, second, carrier), 21 local components, parameters."""

    joint: str
    name: str
    kind: int
    bodies: tuple[int, int, int]
    local: Float
    parameters: list[float]
    elastic: bool
    law: Any = None
    table: Any = None
    #: lines of the stiffness and damping matrix of the joint, and the own place in them
    couples: Any = None
    #: whether a law reads it and puts no force on it
    sense: bool = False
    #: joint whose tooth force a PRESS row reads
    press: str | None = None


def rows_of(bodies: Sequence[Body], index: Mapping[str, int], joint: Joint, r: Float, p: Float) -> list[Row]:
    """The rows of a joint between bodies, whose numbers ``index`` tells by name, made at positions r and Euler parameters p.

    Raises MultibodyError.
    """
    if joint.kind not in KINDS:
        raise MultibodyError(f"joint '{joint.name}': kind '{joint.kind}' is none of {', '.join(KINDS)}")
    needs = KINDS[joint.kind][0]
    axis = np.array([0.0, 0.0, 1.0])
    if joint.axis is not None:
        length = float(np.linalg.norm(joint.axis))
        if length < 1e-12:
            raise MultibodyError(
                f"joint '{joint.name}': its axis has no length; allowed: x, y, z, or a vector such as [0, 0.6, 0.8]"
            )
        axis = np.asarray(joint.axis, float) / length
    elif needs:
        raise MultibodyError(
            f"joint '{joint.name}' of kind {joint.kind} needs an axis; allowed: x, y, z, or a vector such as [0, 0.6, 0.8]"
        )
    return _Maker(bodies, index, joint, r, p, axis).make()


class _Maker:
    def __init__(self, bodies: Sequence[Body], index: Mapping[str, int], joint: Joint, r: Float, p: Float, axis: Float):
        self.joint, self.axis = joint, axis
        (i, si), (j, sj) = (_side(bodies, index, joint, text) for text in (joint.first, joint.second))
        ground = len(bodies)
        if i == j:
            raise MultibodyError(f"joint '{joint.name}' joins '{joint.first}' to itself")
        self.R = [matrix(q) for q in p]
        self.i, self.j, self.c = i, j, ground
        if joint.carrier is not None:
            self.c = _body(index, joint, joint.carrier)
        through = None if joint.through is None else np.asarray(joint.through, float)
        slides = joint.kind in ("translational", "cylindrical", "point_on_line", "radial", "distance", "point_spring")

        def local(b: int, point: Float) -> Float:
            return self.R[b].T @ (point - r[b])

        if through is not None:
            si = local(i, through) if si is None and (i == ground or not slides) else si
            sj = local(j, through) if sj is None and (j == ground or not slides) else sj
        if si is None and i == ground:
            si = r[j] + self.R[j] @ (np.zeros(3) if sj is None else sj)
        if sj is None and j == ground:
            sj = r[i] + self.R[i] @ (np.zeros(3) if si is None else si)
        self.si = np.zeros(3) if si is None else si
        self.sj = np.zeros(3) if sj is None else sj
        self.gap = r[i] + self.R[i] @ self.si - r[j] - self.R[j] @ self.sj

    def row(
        self,
        label: str,
        kind: int,
        a: Float | None = None,
        b: Float | None = None,
        marks: bool = False,
        angular: bool = False,
        carrier: int | None = None,
        **values: float,
    ) -> Row:
        """A row; directions and marks are given in global axes at the start."""
        joint = self.joint
        local = np.zeros(21)
        local[0:3], local[3:6] = self.si, self.sj
        if a is not None:
            local[6:9] = self.R[self.i].T @ a
        if b is not None:
            local[9:12] = self.R[self.j].T @ b
        c = self.c if carrier is None else carrier
        if marks:
            q1, _ = normals(self.axis)
            local[12:15], local[15:18], local[18:21] = self.R[self.i].T @ q1, self.R[self.j].T @ q1, self.R[c].T @ q1
        par = [0.0] * rows.PARAMETERS
        for name, value in values.items():
            par[getattr(rows, name)] = value
        stiff = joint.angular_stiffness if angular else joint.stiffness
        damp = joint.angular_damping if angular else joint.damping
        elastic = (
            joint.law is not None
            or joint.matrix is not None
            or (
                joint.stiffness is not None
                or joint.angular_stiffness is not None
                or joint.damping > 0.0
                or joint.angular_damping > 0.0
                or joint.kind in ("bushing", "point_spring", "torsion_spring")
            )
        )
        if joint.law is not None:
            par[rows.SIGN] = par[rows.SIGN] or 1.0
        elif elastic:
            par[rows.STIFFNESS], par[rows.DAMPING] = stiff or 0.0, damp
        return Row(joint.name, f"{joint.name}.{label}", kind, (self.i, self.j, c), local, par, elastic, joint.law)

    def along(self, labels: Sequence[str], directions: Sequence[Float]) -> list[Row]:
        return [self.row(f"position_{x}", rows.ALONG, b=d) for x, d in zip(labels, directions, strict=True)]

    def make(self) -> list[Row]:
        """The rows, checked against the law of the joint."""
        joint = self.joint
        made = self._rows()
        if joint.law is None:
            return made
        law = joint.law
        if law.rows + law.senses != len(made):
            raise MultibodyError(
                f"joint '{joint.name}': its law has {law.rows} rows and {law.senses} senses; here it may have {len(made)} in all"
            )
        for row in made[law.rows :]:
            row.sense = True
        return made

    def _rotations(
        self, ratios: Sequence[tuple[float, float] | None], label: str, carrier: int | None = None
    ) -> list[Row]:
        """Rows of rotations ``r_i psi_i + r_j psi_j`` against the carrier, for a law; None: a row for its report."""
        axis = self.axis
        return [
            self.row(f"{label}_{k + 1}", rows.REPORT)
            if pair is None
            else self.row(
                f"{label}_{k + 1}", rows.SPIN, axis, axis, True, True, carrier, RATIO_I=pair[0], RATIO_J=pair[1]
            )
            for k, pair in enumerate(ratios)
        ]

    def _rolling(self, q1: Float, q2: Float) -> list[Row]:
        """Rows of a bearing by its elements: across the axis, or all motions but the turning one; then what its law reads."""
        joint, axis = self.joint, self.axis
        if joint.law is None or joint.law.rows not in (2, 5):
            raise MultibodyError(f"joint '{joint.name}': a bearing by its elements needs its law")
        made = self.along("12", [q1, q2])
        if joint.law.rows == 5:
            made = [
                *self.along(("axial",), [axis]),
                *made,
                self.row("tilt_1", rows.PERP, q2, axis, angular=True),
                self.row("tilt_2", rows.PERP, axis, q1, angular=True),
            ]
        return made + self._rotations(joint.watched, "turn", self.j)

    def _rows(self) -> list[Row]:
        joint, axis = self.joint, self.axis
        q1, q2 = normals(axis)
        e = list(np.eye(3))
        point = self.along("xyz", e)
        across = self.along("12", [q1, q2])
        parallel = [
            self.row("parallel_1", rows.PERP, axis, q1, angular=True),
            self.row("parallel_2", rows.PERP, axis, q2, angular=True),
        ]
        kind = joint.kind
        if kind == "spherical":
            return point
        if kind == "revolute":
            return point + parallel
        if kind == "cylindrical":
            return across + parallel
        if kind in ("point_on_line", "radial"):
            return across
        if kind == "axial":
            return [self.row("position_axial", rows.ALONG, b=axis, OFFSET=0.0)]
        if kind == "parallel":
            return parallel
        if kind == "planar":
            return [self.row("position_axial", rows.ALONG, b=axis, OFFSET=0.0), *parallel]
        if kind == "translational":
            return across + parallel + [self.row("rotation", rows.PERP, q1, q2, angular=True)]
        if kind in ("fixed", "rigid", "bushing"):
            turn = [
                self.row(f"rotation_{x}", rows.PERP, e[m], e[n], angular=True)
                for x, m, n in (("x", 1, 2), ("y", 2, 0), ("z", 0, 1))
            ]
            return self._coupled(point + turn)
        if kind == "universal":
            return point + [self.row("cross", rows.PERP, q1, axis, angular=True)]
        if kind in ("distance", "point_spring"):
            length = joint.length if joint.length is not None else float(np.linalg.norm(self.gap))
            if kind == "distance" and length < 1e-9:
                raise MultibodyError(f"joint '{joint.name}': a distance of zero is a spherical joint")
            return [self.row("distance", rows.DISTANCE, OFFSET=length)]
        if kind in ("lock", "motor", "torsion_spring"):
            made = self.row(
                "rotation",
                rows.SPIN,
                axis,
                axis,
                True,
                True,
                carrier=self.j,
                RATIO_I=1.0,
                SPEED=joint.speed,
                ACCELERATION=joint.acceleration,
            )
            made.table = self._speeds()
            return [made]
        if kind == "rolling":
            return self._rolling(q1, q2)
        if kind == "rub":
            press = self.row("press", rows.PRESS)
            press.press = joint.press
            return [*self._rotations(joint.beside, "rotation"), press]
        return self._gear()

    def _speeds(self) -> tuple[Float, Float] | None:
        joint = self.joint
        if joint.speeds is None:
            return None
        t, w = (np.asarray(x, float) for x in joint.speeds)
        if t.shape != w.shape or not len(t) or not np.isfinite(t).all() or not np.isfinite(w).all():
            raise MultibodyError(f"motor '{joint.name}': its speeds need as many times as values, all of them numbers")
        if np.any(np.diff(t) <= 0.0):
            raise MultibodyError(
                f"motor '{joint.name}': a speed cannot jump (times must rise): that would take an infinite torque; give "
                f"a ramp"
            )
        return t, w

    def _coupled(self, made: list[Row]) -> list[Row]:
        joint = self.joint
        if joint.matrix is None:
            if joint.damping_matrix is not None:
                raise MultibodyError(f"joint '{joint.name}': a damping_matrix belongs to a matrix")
            return made
        k = np.asarray(joint.matrix, float)
        d = np.zeros((6, 6)) if joint.damping_matrix is None else np.asarray(joint.damping_matrix, float)
        for label, value in (("matrix", k), ("damping_matrix", d)):
            if value.shape != (6, 6) or np.abs(value - value.T).max() > 1e-6 * np.abs(value).max():
                raise MultibodyError(f"joint '{joint.name}': its {label} must be 6 x 6 and symmetric")
            size = np.sqrt(np.maximum(np.diag(value), 1e-300))
            if np.diag(value).min() < 0.0 or np.linalg.eigvalsh(value / np.outer(size, size)).min() < -1e-9:
                raise MultibodyError(f"joint '{joint.name}': its {label} must not be negative: it would push")
        if joint.stiffness is not None or joint.angular_stiffness is not None:
            raise MultibodyError(f"joint '{joint.name}': matrix holds every stiffness; leave the others away")
        # a rotation row is a_i . b_j: of a small rotation about x it is +1 times it (see _rows)
        for at, row in enumerate(made):
            row.parameters[rows.STIFFNESS], row.parameters[rows.DAMPING] = k[at, at], d[at, at]
            row.couples = (k[at].tolist(), d[at].tolist(), at)
        return made

    def _gear(self) -> list[Row]:
        joint, axis = self.joint, self.axis
        if joint.radius is None or 0.0 in joint.radius:
            raise MultibodyError(f"gear '{joint.name}' needs two pitch radii")
        first, second = joint.radius
        if joint.kind == "simple_gear":
            return [self.row("mesh", rows.SPIN, axis, axis, True, RATIO_I=first, RATIO_J=second)]
        second = -abs(second) if joint.internal else second
        helix = math.tan(joint.helix_angle)
        angle = math.atan(math.tan(joint.pressure_angle) / math.cos(joint.helix_angle))
        cosine = math.cos(angle)
        centres = self.gap - axis * (axis @ self.gap)
        distance = float(np.linalg.norm(centres))
        if distance < 1e-9:
            raise MultibodyError(f"gear '{joint.name}': the axes of its wheels coincide at the start")
        if abs(first + second) * cosine > distance * (1.0 + 1e-9):
            raise MultibodyError(
                f"gear '{joint.name}': the base circles ({abs(first + second) * cosine:.6g} m together) are too large "
                f"for the centre distance of {distance:.6g} m"
            )
        if abs(distance - abs(first + second)) > 0.05 * distance:
            raise MultibodyError(
                f"gear '{joint.name}': pitch radii {first:g} and {second:g} m do not fit a centre distance of "
                f"{distance:.6g} m"
            )
        shared = {
            "RATIO_I": first * cosine,
            "RATIO_J": second * cosine,
            "HELIX": helix * cosine,
            "INVOLUTE": 1.0 if joint.pressure_angle else 0.0,
            "INTERNAL": 1.0 if joint.internal else -1.0,
        }
        flank = float(joint.flank or -1)
        law = joint.law
        flanks = 1 if law is None else law.rows - len(joint.beside)
        follow = float(joint.flank == 0 and bool(joint.pressure_angle) and flanks == 1)
        made = [self._tooth_row("mesh", rows.GEAR, shared, FLANK=flank, FOLLOW=follow, SIGN=flank)]
        if law is None:
            made[0].parameters[rows.SIGN] = 0.0
            return made
        if joint.travel:
            made = self._contact(shared, flank, distance)
        elif flanks == 2:
            made.append(self._tooth_row("coast", rows.GEAR, shared, FLANK=-flank, SIGN=-flank))
        made += self._rotations(joint.beside, "rotation")
        if law.senses > len(joint.watched):
            if joint.teeth is None:
                raise MultibodyError(
                    f"gear '{joint.name}': its law reads the mesh phase; give the teeth of the first wheel"
                )
            made.append(self._tooth_row("phase", rows.PHASE, shared, RATIO_I=joint.teeth / (2.0 * math.pi), SIGN=1.0))
        return made + self._rotations(joint.watched, "turn")

    def _tooth_row(self, label: str, kind: int, shared: Mapping[str, float], **own: float) -> Row:
        """A row of a gear: parameters that all of them have, and its own."""
        return self.row(label, kind, self.axis, self.axis, True, False, None, **{**shared, **own})

    def _contact(self, shared: Mapping[str, float], flank: float, distance: float) -> list[Row]:
        """Rows of tooth contact, in the order of :mod:`gearwright.laws.tooth_contact`: both flanks with the centres counted
        linearly (the law adds the rest), the arc travelled, two reports, the distance of the centres, and across it nothing."""
        working = math.acos(min(abs(shared["RATIO_I"] + shared["RATIO_J"]) / distance, 1.0))
        rows_ = [
            self._tooth_row(name, rows.LINE, shared, FLANK=side, SIGN=side, ANGLE=working)
            for name, side in (("mesh", flank), ("coast", -flank))
        ]
        rows_.append(self._tooth_row("travel", rows.TRAVEL, shared, RATIO_I=self.joint.travel))
        rows_ += [self.row(name, rows.REPORT) for name in ("pressure", "wedge")]
        rows_.append(self._tooth_row("radial", rows.RADIAL, shared))
        rows_.append(self.row("across", rows.REPORT))
        return rows_


def _body(index: Mapping[str, int], joint: Joint, name: str) -> int:
    if name not in index:
        raise MultibodyError(f"joint '{joint.name}': there is no body '{name}'{_meant(name, index)}")
    return index[name]


def _meant(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a message."""
    import difflib

    close = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def _side(bodies: Sequence[Body], index: Mapping[str, int], joint: Joint, text: str) -> tuple[int, Float | None]:
    name, point = text, None
    if name not in index and "." in text:
        name, point = text.rsplit(".", 1)
    b = _body(index, joint, name)
    if point is None:
        return b, None
    points = {} if name == GROUND else bodies[b].points
    if point not in points:
        known = f"it has {', '.join(points)}" if points else "it has none"
        raise MultibodyError(
            f"joint '{joint.name}': body '{name}' has no point '{point}' ({known}){_meant(point, points)}"
        )
    return b, np.asarray(points[point], float)
