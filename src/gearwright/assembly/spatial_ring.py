"""Rings that bend: the teeth of a ring sit on the nodes of a reduced body, and planets meet them where they are.

What a mesh feels of the ring is found node by node with the mesh's own row, as if the mesh stood there (the motions of the
node, carried rigidly to the ring's centre, are the ring's). Between the nodes it follows the trigonometric polynomial
through all of them. A planet that stands has a fixed place among the nodes, and every law its ordinary rows; one that turns is a
law whose shares follow the carrier's angle (:mod:`gearwright.laws.ring_mesh`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from gearwright.laws.mesh_cycle import constant_curve
from gearwright.laws.mesh_properties import Curve, carried, carried_curve, mean_stiffness, smooth_course
from gearwright.laws.ring_mesh import cardinal, ring_mesh
from gearwright.system import Row
from gearwright.train.train import Mesh, Rim, Train

from .meshes import phase_row
from .motion import AssemblyError, Terms, add

if TYPE_CHECKING:
    from .work import Assembly

SIX = ("x", "y", "z", "rotation", "tilt_y", "tilt_z")


def rims(train: Train) -> list[Rim]:
    """Rims of all reduced bodies."""
    return [one.rim for one in train.reduced.values() if one.rim is not None]


def _rim(work: Assembly, mesh: Mesh) -> tuple[Rim, str] | None:
    """The rim that a mesh meets and the name of its reduced body."""
    if work.motions.fidelity != "spatial":
        return None
    return next(
        (
            (one.rim, one.name)
            for one in work.train.reduced.values()
            if one.rim is not None and one.rim.ring == mesh.between[1]
        ),
        None,
    )


def _turning(work: Assembly, mesh: Mesh) -> str | None:
    """The carrier in whose frame the planet of a mesh is described."""
    return work.motions.frame[mesh.between[0]]


def at_node(body: str, rim: Rim, j: int) -> dict[str, Terms]:
    """Motions of the ring's centre as those of node ``j``, carried rigidly: ``u - theta x r``."""
    x, y, z = rim.places[j]
    motion = {m: {f"{body}.{rim.nodes[j]}.{m}": 1.0} for m in SIX}
    turn, ty, tz = motion["rotation"], motion["tilt_y"], motion["tilt_z"]
    centre = dict(motion)
    centre["x"] = add(add(dict(motion["x"]), ty, -z), tz, y)
    centre["y"] = add(add(dict(motion["y"]), tz, -x), turn, z)
    centre["z"] = add(add(dict(motion["z"]), turn, -y), ty, x)
    return centre


def _turned(motion: dict[str, Terms], angle: float) -> dict[str, Terms]:
    """The same motions seen as often as the axes turn: what a node does, done at another place of the ring."""
    c, s = math.cos(angle), math.sin(angle)
    out = {"x": dict(motion["x"]), "rotation": dict(motion["rotation"])}
    for a, b in (("y", "z"), ("tilt_y", "tilt_z")):
        out[a] = add(add({}, motion[a], c), motion[b], -s)
        out[b] = add(add({}, motion[a], s), motion[b], c)
    return out


def seen_by(work: Assembly, mesh: Mesh) -> Assembly:
    """The assembly as a mesh with a standing planet sees it: its ring moves as the nodes near it do."""
    found = _rim(work, mesh)
    if found is None or _turning(work, mesh) is not None:
        return work
    rim, body = found
    angle = _placed(mesh)
    n = len(rim.nodes)
    ring: dict[str, Terms] = {m: {} for m in SIX}
    places = [rim.first + 2.0 * math.pi * j / n for j in range(n)]
    for j, share in enumerate(cardinal(n, [angle - place for place in places])):
        for motion, terms in _turned(at_node(body, rim, j), angle - places[j]).items():
            add(ring[motion], terms, float(share) if abs(share) > 1e-12 else 0.0)
    ring = {m: {c: v for c, v in terms.items() if v != 0.0} for m, terms in ring.items()}
    return replace(work, motions=replace(work.motions, taken={**work.motions.taken, rim.ring: ring}))


def _placed(mesh: Mesh) -> float:
    if mesh.angle is None:
        raise AssemblyError(f"mesh '{mesh.name}' meets an elastic ring and needs its place: pressure_angle and module")
    return mesh.angle


def travelled(work: Assembly, mesh: Mesh) -> tuple[Rim, str] | None:
    """The elastic ring around which a mesh travels, with the name of its reduced body."""
    return _rim(work, mesh) if _turning(work, mesh) is not None else None


def refuse_travelling(work: Assembly, mesh: Mesh) -> None:
    """Tooth contact reads eight motions of the ring, each of which would travel."""
    if travelled(work, mesh) is not None:
        raise AssemblyError(
            f"mesh '{mesh.name}' travels around an elastic ring, which law tooth_contact does not follow: choose law linear or "
            f"periodic, or model.frames: frozen, where the planets meet the ring at their places"
        )


def _course(work: Assembly, mesh: Mesh, spur: bool, whole: Mesh, part: tuple[float, float]) -> Curve:
    law = work.law_of(mesh)
    if law.name != "periodic":
        return carried_curve(mesh, spur) if law.phased else constant_curve(mean_stiffness(mesh))
    course = smooth_course(whole, work.train, spur, part)
    for sentence in course.said:
        work.note(sentence)
    if course.reference is not None:
        work.references[whole.name] = course.reference
    return carried(whole, course)


def travelling_mesh(
    work: Assembly,
    met: tuple[Rim, str],
    mesh: Mesh,
    drive: Row,
    damping: float,
    spur: bool,
    row: Callable[..., Terms],
    whole: Mesh,
    part: tuple[float, float],
) -> None:
    """A mesh (or its slice) whose planet turns in an elastic ring; ``row`` makes its row from motions and a mesh. ``part``: middle
    and width of the slice in face widths of the mesh ``whole``."""
    rim, body = met
    frame = _turning(work, mesh)
    assert frame is not None
    if mesh.backlash is not None or mesh.excitation:
        what = "backlash" if mesh.backlash is not None else "a transmission error"
        raise AssemblyError(
            f"mesh '{mesh.name}' travels around an elastic ring and has {what}: take that out of the file, or choose "
            f"model.frames: frozen"
        )
    n = len(rim.nodes)
    still: dict[str, Terms] = {m: {} for m in SIX}
    periodic = work.law_of(mesh).phased
    curve = _course(work, mesh, spur, whole, part)
    rows = [drive]
    for j in range(n):
        alone = replace(work.motions, taken={rim.ring: at_node(body, rim, j), mesh.between[0]: still})
        there = replace(mesh, angle=rim.first + 2.0 * math.pi * j / n)
        rows.append(Row(f"{mesh.name}.{rim.nodes[j]}", row(alone, there)))
    rows.append(Row(f"{mesh.name}.place", work.motions.rotation(frame)))
    senses = [Row(f"{mesh.name}.phase", phase_row(work.motions, mesh), mesh.phase)] if periodic else []
    law = ring_mesh(curve, damping, n, _placed(mesh) - rim.first, periodic)
    work.builder.block(mesh.name, rows, law, senses)
    work.note(
        f"'{rim.ring}' is elastic and stands while its planets turn: their meshes travel around its {n} nodes; modes take them "
        f"where they stand"
    )
