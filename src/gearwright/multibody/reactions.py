"""Reactions of all joints over a whole run, from the recorded positions and multipliers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import looks, rows
from . import slots as T
from .simulate import Motion
from .table import fill, table

Float = NDArray[np.floating[Any]]
#: samples at a time
MANY = 1024


def reactions_over_time(done: Motion, joints: Sequence[str], gears: Sequence[str]) -> tuple[Float, Float, Float]:
    """Force and moment (samples, joints, 3) of joints, each on the body of :func:`held`, in global axes, moment about the
    mass centre; forces of teeth (samples, gears, 4): normal, tangential, radial, axial, on the first wheel.

    The same sums as :meth:`Mechanism.reactions`, for all samples at once.
    """
    m, count = done.mechanism, len(done.time)
    force, moment = np.zeros((2, count, len(joints), 3))
    teeth = np.zeros((count, len(gears), 4))
    arrays, place, work = m.arrays._replace(par=m.arrays.par.copy()), m.copy(), m.work()
    H, jac = table(arrays, place, work), np.zeros((MANY, len(m.rows), 18))
    at = {name: [k for k, row in enumerate(m.rows) if row.joint == name] for name in joints}
    for first in range(0, count, MANY):
        part = slice(first, min(first + MANY, count))
        many = part.stop - first
        r, p, lam = done.position[part], done.euler[part], done.multipliers[part]
        fill(H, T.OUT_R, [r, p])
        fill(H, T.OUT_LAM, [lam])
        looks.watch(H, many, jac)
        R = _matrices(p)
        for j, name in enumerate(joints):
            b = held(m, name)
            own = np.zeros((many, 3))
            for k in at[name]:
                for slot in (s for s in range(3) if m.rows[k].bodies[s] == b):
                    push = jac[:many, k, 6 * slot : 6 * slot + 6] * lam[:, k, None]
                    force[part, j] += push[:, :3]
                    own += push[:, 3:]
            moment[part, j] = np.einsum("sij,sj->si", R[:, b], own) if b < len(m.bodies) else own
        for j, name in enumerate(gears):
            for k in (k for k in at[name] if m.rows[k].kind in (rows.GEAR, rows.LINE)):
                teeth[part, j] += _teeth(m.rows[k], jac[:many, k, :3], lam[:, k], r, R)
    return force, moment, teeth


def held(m: Any, joint: str) -> int:
    """Number of the body on which the reactions of a joint are given: the first, or the other where that is the ground."""
    first, second, _ = next(row.bodies for row in m.rows if row.joint == joint)
    return int(second if first == len(m.bodies) else first)


def _matrices(p: Float) -> Float:
    """Rotation matrices (..., 3, 3) of Euler parameters (..., 4)."""
    e0, e = p[..., 0], p[..., 1:]
    x, y, z = e[..., 0], e[..., 1], e[..., 2]
    zero = np.zeros_like(x)
    skew = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    diagonal = (2.0 * e0 * e0 - 1.0)[..., None, None] * np.eye(3)
    return np.asarray(diagonal + 2.0 * (e[..., :, None] * e[..., None, :] + e0[..., None, None] * skew), float)


def flank_rows(m: Any, gears: Sequence[str]) -> dict[str, list[tuple[int, float]]]:
    """Of gears with a row for each flank: number and sign of the row of the drive and of the coast flank."""
    found = {}
    for name in gears:
        at = [k for k, row in enumerate(m.rows) if row.joint == name and row.kind in (rows.GEAR, rows.LINE)]
        if len(at) == 2:
            at.sort(key=lambda k: m.rows[k].name.endswith(".coast"))
            found[name] = [(k, m.rows[k].parameters[rows.SIGN]) for k in at]
    return found


def tip_clearances(done: Motion, gears: Sequence[str]) -> dict[str, Float]:
    """Radial clearance of tips to roots (samples) [m] of gears whose teeth are known: it closes where the centres of an external pair
    come closer, or those of an internal pair move apart."""
    m, found = done.mechanism, dict[str, Float]()
    for joint in m.joints:
        if joint.name not in gears or joint.tip_clearance is None:
            continue
        row = next(row for row in m.rows if row.joint == joint.name)
        rest, distance = joint.tip_clearance
        apart = [
            np.linalg.norm(_centres(row, done.position[k : k + MANY], _matrices(done.euler[k : k + MANY]))[1], axis=1)
            for k in range(0, len(done.time), MANY)
        ]
        found[joint.name] = rest - row.parameters[rows.INTERNAL] * (np.concatenate(apart) - distance)
    return found


def _centres(row: Any, r: Float, R: Float) -> tuple[Float, Float]:
    """Axis of a gear row and its line of centres: from the first wheel to the second, of an internal pair to the first [m]."""
    i, j, _ = row.bodies
    ground = r.shape[1]

    def point(b: int, local: Float) -> Float:
        return np.broadcast_to(local, (len(r), 3)) if b == ground else r[:, b] + R[:, b] @ local

    axis = np.broadcast_to(row.local[6:9], (len(r), 3)) if i == ground else R[:, i] @ row.local[6:9]
    d = row.parameters[rows.INTERNAL] * (point(i, row.local[0:3]) - point(j, row.local[3:6]))
    return axis, d - axis * np.sum(axis * d, axis=1, keepdims=True)


def _teeth(row: Any, push: Float, lam: Float, r: Float, R: Float) -> Float:
    """Normal, tangential, radial and axial force of a tooth row; ``push`` is the row's direction on the first wheel."""
    axis, d = _centres(row, r, R)
    u = d / np.linalg.norm(d, axis=1, keepdims=True)
    helix = np.sum(push * axis, axis=1)
    across = push - helix[:, None] * axis
    tangent = np.cross(axis, u)
    return lam[:, None] * np.stack(
        [np.sqrt(1.0 + helix**2), np.sum(across * tangent, axis=1), np.sum(across * u, axis=1), helix], axis=1
    )
