"""Helical meshes with rows across the face at fidelity spatial."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gearwright.geometry import involute
from gearwright.system import Row, Source
from gearwright.train.train import HOUSING, Damping, Mesh, Stiffness

from .meshes import _direction, flank_row, line_angle, mean_stiffness, mesh_act
from .motion import AssemblyError, Motions, Terms, add
from .spatial_ring import travelled, travelling_mesh

if TYPE_CHECKING:
    from .work import Assembly

Remember = Callable[[Any, Mesh, str, int], None]

_MESH_SIGN = "positive on the drive flank, the one loaded when power flows from input to output"


def base_helix(mesh: Mesh) -> float:
    """Helix angle at the base circle [rad], positive for a right-hand wheel 1.

    From the basic rack where the file has one, else from the working pressure angle. Without a hand the first wheel
    (the sun) counts as right-handed and a planet in its ring as left-handed; the assembly notes it.
    """
    if not mesh.helix_angle:
        return 0.0
    hand = float(mesh.hand) or (-1.0 if mesh.internal else 1.0)
    rack = mesh.facts.get("rack_angle")
    if rack is not None:
        return hand * involute.base_helix(float(rack), mesh.helix_angle)
    return hand * math.atan(math.tan(mesh.helix_angle) * math.cos(mesh.pressure_angle or 0.0))


def slices(work: Assembly, mesh: Mesh) -> list[tuple[float, float]]:
    """Places across the face [m] and weights (sum 1) of a mesh's rows.

    Two slices stand at the Gauss points, which gives the exact stiffness against a rigid tilt, ``k b^2 / 12``;
    other numbers are of equal width. One row in the middle where nothing tilts or the face width is not known.
    """
    tilting = any(t for name in mesh.between for t in work.motions.tilts(name))
    count = int(work.train.model.get("face_slices") or 2)
    if not tilting or not mesh.face_width or count == 1:
        return [(0.0, 1.0)]
    if count == 2:
        reach = 0.5 * mesh.face_width / math.sqrt(3.0)
        return [(-reach, 0.5), (reach, 0.5)]
    step = mesh.face_width / count
    return [(-0.5 * mesh.face_width + (i + 0.5) * step, 1.0 / count) for i in range(count)]


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


def scaled(mesh: Mesh, weight: float) -> Mesh:
    """The mesh with a share of its stiffness, for one slice."""
    if weight == 1.0:
        return mesh
    s = mesh.stiffness

    def times(value: float | None) -> float | None:
        return None if value is None else weight * value

    part = Stiffness(
        mean=times(s.mean), two_pairs=times(s.two_pairs), one_pair=times(s.one_pair),
        table=None if s.table is None else tuple((f, weight * k) for f, k in s.table),
        fourier=None if s.fourier is None else tuple((o, weight * a, p) for o, a, p in s.fourier),
        source=s.source, corners=s.corners,
    )  # fmt: skip
    damping = mesh.damping
    if damping.value is not None:
        damping = Damping(value=weight * damping.value)
    return replace(mesh, stiffness=part, damping=damping)


def spatial_mesh(work: Assembly, mesh: Mesh, spur: bool, remember: Remember) -> None:
    """A mesh at fidelity spatial: rows across the face, each with its share of the stiffness."""
    places = slices(work, mesh)
    rim = travelled(work, mesh)
    misalignment = float(mesh.facts.get("misalignment") or 0.0)
    if misalignment and len(places) == 1:
        raise AssemblyError(
            f"mesh '{mesh.name}' has a misalignment, but one row across its face: it needs its face_width, wheels that "
            f"tilt, and model.face_slices of 2 or more"
        )
    whole = slice_row(work.motions, mesh, mesh.sigma, 0.0)
    damping = work.damping(mesh.damping, mean_stiffness(mesh), whole)
    terms: list[tuple[Source, str, float]] = []
    moment: list[tuple[Source, str, float]] = []
    for i, (place, weight) in enumerate(places):
        name = mesh.name if len(places) == 1 else f"{mesh.name}.slice{i + 1}"
        part = replace(scaled(mesh, weight), name=name)
        off = -misalignment * place / (mesh.face_width or 1.0)
        drive = Row(f"{name}.drive", slice_row(work.motions, mesh, mesh.sigma, place), off)
        if rim is not None:
            travelling_mesh(
                work, rim, part, drive, weight * damping, spur, partial(slice_row, flank=mesh.sigma, place=place)
            )
            terms.append((Source.FORCE, drive.name, 1.0))
            moment.append((Source.FORCE, drive.name, place))
            remember(work, mesh, drive.name, mesh.sigma)
            continue
        act = mesh_act(work.motions, part, work.law, weight * damping, spur)
        rows = [drive]
        if act.two_flanks:
            # the flanks face each other: what opens one closes the other
            rows.append(Row(f"{name}.coast", slice_row(work.motions, mesh, -mesh.sigma, place), -off))
        if act.spring is not None:
            work.builder.row(drive.name, drive.coefficients, act.spring, off)
        else:
            assert act.law is not None
            work.builder.block(name, rows, act.law, act.senses)
        for row, side in zip(rows, (1, -1), strict=False):
            terms.append((Source.FORCE, row.name, float(side)))
            moment.append((Source.FORCE, row.name, side * place))
            remember(work, mesh, row.name, side * mesh.sigma)
    channel = work.builder.channel
    channel("mesh", mesh.name, "normal_force", "N", _MESH_SIGN, terms, counted=True)
    deflection = [(Source.POSITION, name, value) for name, value in whole.items()]
    sign = "positive where the drive flanks are pressed" + ("; without what the ring itself bends" if rim else "")
    channel("mesh", mesh.name, "deflection", "m", sign, deflection)
    if len(places) > 1:
        sign = "of the mesh force about the middle of the face; positive: the end at larger x carries more"
        channel("mesh", mesh.name, "face_moment", "N m", sign, moment, counted=True)
    helix = base_helix(mesh)
    if helix:
        tangent = mesh.sigma * math.tan(helix)
        sign = f"axial force on '{mesh.between[0]}', positive along +x"
        # of the flank that faces the other way the normal points the other way too
        axial = [(kind, row, (tangent if s > 0 else -tangent)) for kind, row, s in terms]
        channel("mesh", mesh.name, "axial_force", "N", sign, axial, counted=True)
