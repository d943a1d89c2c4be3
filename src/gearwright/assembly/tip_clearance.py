"""How far the tips of a mesh stand from the roots of their mates while its centres move, as channels."""

from __future__ import annotations

import math
from dataclasses import replace

from gearwright.system import Source
from gearwright.train.teeth import tip_clearance
from gearwright.train.train import Mesh

from .face_rows import slice_row
from .meshes import flank_row, working_angle
from .motion import Motions, Terms, add
from .work import Assembly

#: part of the largest coefficient of a row below which one is what rounding left of nothing
ROUNDING = 1e-9
_SIGN = "radial, the lesser one of both wheels{}; below zero tips touch roots"


def closing_row(motions: Motions, mesh: Mesh, place: float = 0.0) -> Terms:
    """How much closer tips have come to the roots of their mates, at ``place`` [m] from the middle of the face; empty where the
    centres do not move against each other.

    The sum of the deflections of both flanks over ``2 sin(alpha_wt)``, in which rotations cancel: what the centres of an external
    pair come closer, and those of an internal pair move apart.
    """
    alpha = working_angle(motions, mesh)
    if mesh.angle is None or not alpha:
        return {}
    mesh, row = replace(mesh, coasts=False), Terms()
    for flank in (mesh.sigma, -mesh.sigma):
        one = slice_row(motions, mesh, flank, place) if place else flank_row(motions, mesh, flank)
        add(row, one, 0.5 / math.sin(alpha))
    return {c: v for c, v in row.items() if abs(v) > ROUNDING * _lever(mesh, c)}


def _lever(mesh: Mesh, coordinate: str) -> float:
    return max(mesh.base_radius) if coordinate.endswith("rotation") else 1.0


def clearance_channels(work: Assembly, mesh: Mesh) -> None:
    """Channels of a mesh whose teeth are known and whose centres move: at both ends of a face that tilts."""
    rest = tip_clearance(mesh)
    if rest is None:
        return
    half = 0.5 * (mesh.face_width or 0.0)
    tilts = half > 0.0 and any(t for name in mesh.between for t in work.motions.tilts(name))
    places = [("", "", 0.0)]
    if tilts:
        places = [
            ("_first_end", ", at the end of the face at smaller x", -half),
            ("_second_end", ", at the end of the face at larger x", half),
        ]
    for end, where, place in places:
        row = closing_row(work.motions, mesh, place)
        if row:
            terms = [(Source.ONE, "0", rest), *((Source.POSITION, c, -v) for c, v in row.items())]
            work.builder.channel("mesh", mesh.name, f"tip_clearance{end}", "m", _SIGN.format(where), terms)
