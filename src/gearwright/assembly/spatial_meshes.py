"""Helical meshes with rows across the face at fidelity spatial."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gearwright.system import Row, Source
from gearwright.train.train import Damping, Mesh, Stiffness

from .face_rows import base_helix, slice_row
from .meshes import mesh_act, reference_stiffness
from .motion import AssemblyError
from .spatial_ring import travelled, travelling_mesh

if TYPE_CHECKING:
    from .work import Assembly

Remember = Callable[[Any, Mesh, str, int], None]

_MESH_SIGN = "positive on the drive flank, the one loaded when power flows from input to output"


def slices(work: Assembly, mesh: Mesh) -> list[tuple[float, float]]:
    """Places across the face [m] and weights (sum 1) of a mesh's rows.

    Two slices stand at the Gauss points, which gives the exact stiffness against a rigid tilt, ``k b^2 / 12``;
    other numbers are of equal width. One row in the middle where nothing tilts or the face width is not known.
    """
    tilting = any(t for name in mesh.between for t in work.motions.tilts(name))
    count = int(work.train.model.face_slices or 2)
    if not tilting or not mesh.face_width or count == 1:
        return [(0.0, 1.0)]
    if count == 2:
        reach = 0.5 * mesh.face_width / math.sqrt(3.0)
        return [(-reach, 0.5), (reach, 0.5)]
    step = mesh.face_width / count
    return [(-0.5 * mesh.face_width + (i + 0.5) * step, 1.0 / count) for i in range(count)]


def scaled(mesh: Mesh, weight: float) -> Mesh:
    """The mesh with a share of its stiffness, for one slice."""
    if weight == 1.0:
        return mesh
    s = mesh.stiffness

    def times(value: float | None) -> float | None:
        return None if value is None else weight * value

    part = Stiffness(
        mean=times(s.mean),
        two_pairs=times(s.two_pairs),
        one_pair=times(s.one_pair),
        table=None if s.table is None else tuple((f, weight * k) for f, k in s.table),
        fourier=None if s.fourier is None else tuple((o, weight * a, p) for o, a, p in s.fourier),
        source=s.source,
        corners=s.corners,
    )
    damping = mesh.damping
    if damping.value is not None:
        damping = Damping(value=weight * damping.value)
    return replace(mesh, stiffness=part, damping=damping)


def spatial_mesh(work: Assembly, mesh: Mesh, spur: bool, remember: Remember) -> None:
    """A mesh at fidelity spatial: rows across the face, each with its share of the stiffness."""
    places = slices(work, mesh)
    rim = travelled(work, mesh)
    misalignment = mesh.skew
    if mesh.misalignment and len(places) == 1:
        raise AssemblyError(
            f"mesh '{mesh.name}' has a misalignment, but one row across its face: it needs its face_width, wheels that "
            f"tilt, and model.face_slices of 2 or more"
        )
    whole = slice_row(work.motions, mesh, mesh.sigma, 0.0)
    law = work.law_of(mesh)
    if rim is not None and law.own:
        raise AssemblyError(
            f"mesh '{mesh.name}' travels around an elastic ring, which law {law.name} does not take; choose law linear or periodic"
        )
    damping = work.damping(mesh.damping, reference_stiffness(mesh, law), whole)
    terms: list[tuple[Source, str, float]] = []
    moment: list[tuple[Source, str, float]] = []
    for i, (place, weight) in enumerate(places):
        middle = (i + 0.5) / len(places) - 0.5  # two rows stand at the Gauss points of the face, each for its half
        name = mesh.name if len(places) == 1 else f"{mesh.name}.slice{i + 1}"
        part = replace(scaled(mesh, weight), name=name)
        off = -misalignment * place / (mesh.face_width or 1.0)
        drive = Row(f"{name}.drive", slice_row(work.motions, mesh, mesh.sigma, place), off)
        if rim is not None:
            travelling_mesh(
                work,
                rim,
                part,
                drive,
                weight * damping,
                spur,
                partial(slice_row, flank=mesh.sigma, place=place),
                mesh,
                (middle, weight),
            )
            terms.append((Source.FORCE, drive.name, 1.0))
            moment.append((Source.FORCE, drive.name, place))
            remember(work, mesh, drive.name, mesh.sigma)
            continue
        act = mesh_act(work.motions, part, law, weight * damping, spur, weight, mesh, middle)
        work.heard(act)
        if act.two_flanks and mesh.coasts:  # a row for each flank: none serves both
            mesh = replace(mesh, coasts=False)
            whole = slice_row(work.motions, mesh, mesh.sigma, 0.0)
            drive = Row(drive.name, slice_row(work.motions, mesh, mesh.sigma, place), off)
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
    channel("mesh", mesh.name, "force", "N", _MESH_SIGN, terms, counted=True)
    if any(factor < 0.0 for *_, factor in terms):  # both flanks have rows
        for flank, way in (("drive", 1.0), ("coast", -1.0)):
            pressing = [(kind, row, 1.0) for kind, row, factor in terms if factor == way]
            channel("mesh", mesh.name, f"{flank}_force", "N", "pressing is positive", pressing)
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
