"""The row of a flank at a place across the face, where wheels tilt and move along the axis."""

from __future__ import annotations

import math

from gearwright.geometry import involute
from gearwright.train.train import HOUSING, Mesh

from .meshes import _direction, flank_row, line_angle
from .motion import Motions, Terms, add


def base_helix(mesh: Mesh) -> float:
    """Helix angle at the base circle [rad], positive for a right-hand wheel 1.

    From the basic rack where the file has one, else from the working pressure angle. Without a hand the first wheel
    (the sun) counts as right-handed and a planet in its ring as left-handed; the assembly notes it.
    """
    if not mesh.helix_angle:
        return 0.0
    hand = float(mesh.hand) or (-1.0 if mesh.internal else 1.0)
    rack = mesh.rack_angle
    if rack is not None:
        return hand * involute.base_helix(float(rack), mesh.helix_angle)
    return hand * math.atan(math.tan(mesh.helix_angle) * math.cos(mesh.pressure_angle or 0.0))


def slice_row(motions: Motions, mesh: Mesh, flank: int, place: float) -> Terms:
    """Row of one flank at ``place`` [m] from the middle of the face (towards +x), transverse normalisation.

    The planar row is joined by what moves along x and tilts. With n the outward normal of the flank of wheel 1
    divided by cos(beta_b), so that its transverse part is a unit vector and its axial part tan(beta_b),

        delta = s [ n . (u_1 - u_2) ] at the pitch point,   u = x + theta x r

    A right-hand wheel has ``n_x = -tan(beta_b)`` on its flank that faces the positive sense. With this row the
    transverse stiffness acts: ``k_t d^2 = k_n (d cos beta_b)^2``.
    """
    row = flank_row(motions, mesh, flank)
    alpha = line_angle(motions, mesh)
    if mesh.angle is None or alpha is None:
        return row
    ny, nz = (flank * e for e in _direction(mesh.angle - flank * alpha))
    nx = -flank * math.tan(base_helix(mesh))
    for sign, (name, (ry, rz)) in zip((1.0, -1.0), _pitch_points(mesh, alpha), strict=True):
        ty, tz = motions.tilts(name)
        axial = add(add(motions.axial(name) if name != HOUSING else {}, ty, rz), tz, -ry)
        add(row, axial, sign * nx)
        add(row, tz, sign * ny * place)
        add(row, ty, -sign * nz * place)
    return {c: v for c, v in row.items() if v != 0.0}


def _pitch_points(mesh: Mesh, alpha: float) -> list[tuple[str, tuple[float, float]]]:
    """Pitch point seen from the centre of each wheel [m]."""
    assert mesh.angle is not None
    c, s = math.cos(mesh.angle), math.sin(mesh.angle)
    r1, r2 = (r / math.cos(alpha) for r in mesh.base_radius)
    other = r2 if mesh.internal else -r2
    return [(mesh.between[0], (r1 * c, r1 * s)), (mesh.between[1], (other * c, other * s))]
