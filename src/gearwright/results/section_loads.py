"""Loads of a section or a face width in the words of the field: rotating frame, resultants, face load factor."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float = NDArray[np.float64]


def rotating_frame(along_y: ArrayLike, along_z: ArrayLike, angle: ArrayLike) -> tuple[Float, Float]:
    """Components of a load in axes that turn with the shaft, as strain gauges on it read them.

    Parameters
    ----------
    along_y, along_z : moments or shear forces in the standing frame (``moment_y``, ``moment_z`` of a gauge)
    angle : rotation of the shaft [rad], positive from +y towards +z (``angle`` of a body)
    """
    y, z, a = (np.asarray(v, float) for v in (along_y, along_z, angle))
    return y * np.cos(a) + z * np.sin(a), -y * np.sin(a) + z * np.cos(a)


def face_load_factor(force: ArrayLike, moment: ArrayLike, face_width: float, lifts: bool = True) -> Float:
    """KHbeta: largest over mean load per face width, for wheels whose teeth stay straight.

    Parameters
    ----------
    force : mesh force [N]
    moment : of the load distribution about the middle of the face [N m] (``face_moment``)
    face_width : [m]
    lifts : the model that the moment comes from lets a part of the face lift off; False: its slices are springs that pull
        as well (law ``linear``, or two slices, which stay in contact too long)

    A straight distribution ``F/b + 12 M x/b^3`` reaches over the whole face while ``6 |M| <= |F| b``, giving
    ``1 + 6 |M| / (|F| b)``. Beyond that a part lifts off: the triangle that carries force and moment at lever
    ``e = |M/F|`` has the length ``3 (b/2 - e)`` and twice its mean at its end. Infinite where the resultant lies
    outside the face, 1 without load. Springs that pull have the moment ``M = k b phi b^2 / 12`` of the misalignment phi
    they found: with ``u = 6 |M| / (|F| b)``, flanks that lift off share the force at the same misalignment as a triangle of
    the length ``b / sqrt(u)``, which gives ``2 sqrt(u)``. Source: ISO 6336-1 (linear distribution of method C).
    """
    if not face_width > 0.0:
        raise ValueError(f"the face width must be positive, got {face_width:g} m")
    f, m = np.abs(np.asarray(force, float)), np.abs(np.asarray(moment, float))
    lever = np.divide(m, f, out=np.where(m > 0.0, np.inf, 0.0), where=f > 0.0)
    full = 1.0 + 6.0 * lever / face_width
    with np.errstate(divide="ignore", invalid="ignore"):
        part = (
            2.0 * face_width / (3.0 * (0.5 * face_width - lever)) if lifts else 2.0 * np.sqrt(6.0 * lever / face_width)
        )
    beyond = (lever >= 0.5 * face_width) & (lifts | np.isinf(lever))
    found = np.where(6.0 * lever <= face_width, full, np.where(beyond, np.inf, part))
    return np.asarray(np.where((f == 0.0) & (m == 0.0), 1.0, found))
