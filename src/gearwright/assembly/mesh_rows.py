"""Meshes of a train as rows, acts and channels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gearwright.laws.floating import floating, floating_smooth
from gearwright.laws.mesh_properties import (
    Curve,
    carried,
    carried_curve,
    mean_stiffness,
    smooth_course,
    toothed,
    value_at,
)
from gearwright.laws.registry import MeshLaw
from gearwright.laws.tooth_contact import tooth_contact
from gearwright.remarks import assumed, warning
from gearwright.system import Law, Row, Source
from gearwright.train.train import Body, Mesh

from .contact import centre_pushes, contact, contact_rows, face_rows
from .elastic import around_the_wheels, series_mesh
from .face_rows import base_helix
from .loss_limits import check_losses
from .losses import in_series
from .meshes import MeshAct, _direction, flank_row, line_angle, mesh_act, phase_row, reference_stiffness
from .motion import AssemblyError
from .rigid import (
    check_joints,
    check_rank,
    compliances,
    followers,
    hold,
    loss_rows,
    rigid_mesh,
    said_of_followers,
    tooth_torques,
)
from .spatial_meshes import spatial_mesh
from .spatial_ring import refuse_travelling, rims, seen_by
from .tip_clearance import clearance_channels
from .work import Assembly

#: points of a smooth stiffness over the cycle of a floating member
FLOATING_POINTS = 256
_MESH_SIGN = "positive on the drive flank, the one loaded when power flows from input to output"


def push(work: Assembly, body: str, row: str, y: float, z: float) -> None:
    """Remember that a row pushes on a body's translation."""
    work.pushes.setdefault(body, []).append((row, y, z))


def remember_pushes(work: Assembly, mesh: Mesh, row: str, flank: int) -> None:
    """Entries of a flank row on both bodies' translations, kept or not: what their bearings have to carry."""
    alpha = line_angle(work.motions, mesh)
    if mesh.angle is None or alpha is None:
        return
    ey, ez = _direction(mesh.angle - flank * alpha)
    for sign, name in ((flank, mesh.between[0]), (-flank, mesh.between[1])):
        push(work, name, row, sign * ey, sign * ez)


def _rigid_meshes(work: Assembly) -> None:
    weights = compliances(work.train)
    redundant = followers({m.name: flank_row(work.motions, m, m.sigma) for m in work.train.meshes.values()})
    if redundant:
        work.note(said_of_followers(work.train, redundant))
    dropped = redundant if work.train.model.redundant == "drop" else []
    for mesh in work.train.meshes.values():
        if mesh.name in dropped:
            continue
        row = rigid_mesh(work, mesh, weights[mesh.name])
        work.hard[mesh.name] = dict(row.coefficients)
        remember_pushes(work, mesh, row.name, mesh.sigma)
        if not mesh.by_teeth:
            mesh_channels(work, mesh, row, False)
        loss = loss_rows(work, mesh, {row.name: mesh.sigma})
        if mesh.by_teeth:
            tooth_torques(work, mesh, row, loss)
    for body in work.train.holds:
        hold(work, body)
    check_rank(work, work.hard)
    check_joints(work, work.hard)
    if work.train.model.loss != "none":
        check_losses(work, weights)


def add_meshes(work: Assembly) -> None:
    """Every mesh with its act, or as a rigid row."""
    if work.law == "rigid":
        _rigid_meshes(work)
        return
    if work.train.model.redundant:
        work.note(f"model.redundant is for law rigid: with law {work.law} every mesh carries by its own stiffness")
    contacts = work.laws.law(work.law).rows == "contact"
    condensed = set() if contacts else _floating_members(work)
    every = work
    for mesh in work.train.meshes.values():
        law = every.law_of(mesh)
        if mesh.by_teeth:
            raise AssemblyError(
                f"mesh '{mesh.name}' is known by its teeth alone, and law {law.name} needs its module or base circles; law rigid "
                f"does without"
            )
        work = seen_by(every, mesh)
        clearance_channels(work, mesh)
        _say_of_skew(work, mesh, law)
        if contacts:
            refuse_travelling(work, mesh)
            _contact_mesh(work, mesh)
            continue
        if in_series(mesh):
            _refuse_own(law, mesh, "loses in series with its stiffness (loss: compliance)")
            if work.motions.fidelity == "spatial":
                raise AssemblyError(
                    f"mesh '{mesh.name}' loses in series with its stiffness (loss: compliance), which fidelity spatial does "
                    f"not compute; choose torsional or planar"
                )
            series_mesh(work, mesh, mesh.name in condensed)
            continue
        around = bool(mesh.circumference)
        if around and (mesh.name in condensed or work.motions.fidelity == "spatial"):
            what = "with a floating member" if mesh.name in condensed else "at fidelity spatial"
            raise AssemblyError(
                f"mesh '{mesh.name}' takes no profile over the circumference {what}; choose fidelity planar"
            )
        if mesh.name in condensed:
            continue
        spur = work.train.model.helical == "spur"
        if work.motions.fidelity == "spatial":
            spatial_mesh(work, mesh, spur, remember_pushes)
            continue
        row = flank_row(work.motions, mesh, mesh.sigma)
        reference = reference_stiffness(mesh, law)
        act = mesh_act(work.motions, mesh, law, work.damping(mesh.damping, reference, row), spur)
        work.heard(act)
        _add_mesh(work, mesh, around_the_wheels(work, mesh, act) if around else act)

    for rim in rims(every.train):
        every.pushes.pop(rim.ring, None)


def _say_of_skew(work: Assembly, mesh: Mesh, law: MeshLaw) -> None:
    """A warning where flanks are skew and the mesh is one spring over its face: no law but those with teeth feels it."""
    if not mesh.skew or law.own or law.rows == "contact" or work.motions.fidelity == "spatial":
        return
    if law.name == "periodic" and not in_series(mesh) and toothed(mesh, work.train) is not None:
        return
    lacking = (
        " without the teeth of the mesh (module, pressure_angle, a mean stiffness)" if law.name == "periodic" else ""
    )
    work.note(
        warning(
            f"mesh '{mesh.name}': its misalignment or lead_slope of {1e6 * mesh.skew:.4g} um is left out: law {law.name}{lacking} has "
            f"one spring over the face at fidelity {work.motions.fidelity}; law periodic with teeth, tooth_contact or fidelity "
            f"spatial has it"
        )
    )


def _contact_mesh(work: Assembly, mesh: Mesh) -> None:
    """A mesh whose tooth pairs touch one by one."""
    if in_series(mesh) or mesh.circumference:
        raise AssemblyError(
            f"mesh '{mesh.name}': a loss in series with the stiffness and a profile over the circumference belong to laws "
            f"linear and periodic; law tooth_contact takes losses as efficiency, friction or force pole offset"
        )
    floats = [n for n in mesh.between if work.train.bodies[n].floating and not work.train.bodies[n].fixed]
    if floats and work.motions.fidelity == "torsional":
        work.note(
            f"'{floats[0]}' floats: at fidelity torsional law tooth_contact keeps it in place; planar lets it float"
        )
    row = flank_row(work.motions, mesh, mesh.sigma)
    face = face_rows(work.motions, mesh)
    made = contact(mesh, work.train, lambda k: work.damping(mesh.damping, k, row), face is not None)
    for note in made.notes:
        work.note(note)
    rows, senses, planar = contact_rows(work.motions, mesh, made.data, face)
    law = tooth_contact(made.data, planar, made.stiffness, made.data.chi * made.load, face is not None)
    if face is not None and not face[0]:  # misaligned, but nothing tilts: no stiffness of a motion
        assert law.mean is not None and law.holds is not None
        law = law._replace(
            mean=tuple((m[0], *[0.0] * (len(m) - 1)) for m in law.mean),  # type: ignore[arg-type]
            holds=(True, True, *[False] * (law.rows - 2)),
        )
    work.builder.block(mesh.name, rows, law, senses)
    work.contacts[mesh.name] = made
    for r, flank in ((rows[0], mesh.sigma), (rows[1], -mesh.sigma)):
        remember_pushes(work, mesh, r.name, flank)
    if planar:
        for name, y, z in centre_pushes(mesh):
            push(work, mesh.between[0], f"{mesh.name}.{name}", y, z)
            push(work, mesh.between[1], f"{mesh.name}.{name}", -y, -z)
    mesh_channels(work, mesh, rows[0], True)
    channel = work.builder.channel
    if made.data.contact is not None:
        channel(
            "mesh",
            mesh.name,
            "contact_pressure",
            "Pa",
            "largest Hertz pressure of all pairs",
            [(Source.FORCE, rows[3].name, 1e6)],
            counted=True,
        )
    channel(
        "mesh",
        mesh.name,
        "wedging_force",
        "N",
        "smaller of both flank forces: above zero a tooth is wedged",
        [(Source.FORCE, rows[4].name, 1.0)],
        counted=True,
    )
    if face is not None:
        _face_channels(work, mesh, senses[0].name)
    if made.data.friction:
        channel(
            "mesh",
            mesh.name,
            "friction_power",
            "W",
            "rubbed away between the flanks of all pairs",
            [(Source.FORCE, f"{mesh.name}.friction", 1.0)],
            counted=True,
        )
    else:
        loss_rows(work, mesh, {rows[0].name: mesh.sigma, rows[1].name: -mesh.sigma})


def _face_channels(work: Assembly, mesh: Mesh, phase: str) -> None:
    """How the load of a mesh in contact lies across its face, its thrust, and the motion that its slices follow from."""
    channel = work.builder.channel
    sign = "of the mesh force about the middle of the face; positive: the end at larger x carries more"
    moment = [(Source.FORCE, f"{mesh.name}.tilt_drive", 1.0), (Source.FORCE, f"{mesh.name}.tilt_coast", -1.0)]
    channel("mesh", mesh.name, "face_moment", "N m", sign, moment, counted=True)
    sign = "largest load of a slice of the face, all its pairs, per width"
    channel("mesh", mesh.name, "line_load", "N/m", sign, [(Source.FORCE, f"{mesh.name}.line_load", 1.0)], counted=True)
    sign = "largest line load over the mean one, of the moment; 0 without contact"
    channel("mesh", mesh.name, "face_load_factor", "1", sign, [(Source.FORCE, phase, 1.0)], counted=True)
    helix = base_helix(mesh)
    if helix and work.motions.fidelity == "spatial":
        tangent = mesh.sigma * math.tan(helix)
        terms = [(Source.FORCE, f"{mesh.name}.drive", tangent), (Source.FORCE, f"{mesh.name}.coast", -tangent)]
        sign = f"axial force on '{mesh.between[0]}', positive along +x"
        channel("mesh", mesh.name, "axial_force", "N", sign, terms, counted=True)


def _refuse_own(law: MeshLaw, mesh: Mesh, why: str) -> None:
    """Refuse a user's own law where the assembly makes the force of a mesh in another way."""
    if law.own:
        raise AssemblyError(
            f"mesh '{mesh.name}' {why}, which law {law.name} does not take; choose law linear or periodic"
        )


def _add_mesh(work: Assembly, mesh: Mesh, act: MeshAct) -> None:
    if act.two_flanks and mesh.coasts:  # a row for each flank: none serves both
        mesh = replace(mesh, coasts=False)
    drive = Row(f"{mesh.name}.drive", flank_row(work.motions, mesh, mesh.sigma))
    rows = [drive]
    if act.two_flanks:
        rows.append(Row(f"{mesh.name}.coast", flank_row(work.motions, mesh, -mesh.sigma)))
    if act.spring is not None:
        work.builder.row(drive.name, drive.coefficients, act.spring)
    else:
        assert act.law is not None
        work.builder.block(mesh.name, rows, act.law, act.senses)
    remember_pushes(work, mesh, drive.name, mesh.sigma)
    if act.two_flanks:
        remember_pushes(work, mesh, rows[1].name, -mesh.sigma)
    mesh_channels(work, mesh, drive, act.two_flanks)
    flanks = {row.name: mesh.sigma * sign for row, sign in zip(rows, (1, -1), strict=False)}
    loss_rows(work, mesh, flanks)


def mesh_channels(work: Assembly, mesh: Mesh, drive: Row, two_flanks: bool) -> None:
    """Force and deflection of a mesh."""
    terms = [(Source.FORCE, drive.name, 1.0)]
    if two_flanks:
        terms.append((Source.FORCE, f"{mesh.name}.coast", -1.0))
    channel = work.builder.channel
    channel("mesh", mesh.name, "force", "N", _MESH_SIGN, terms, counted=True)
    if two_flanks:
        for flank in ("drive", "coast"):
            row = f"{mesh.name}.{flank}"
            channel("mesh", mesh.name, f"{flank}_force", "N", "pressing is positive", [(Source.FORCE, row, 1.0)])
    deflection = [(Source.POSITION, name, value) for name, value in drive.coefficients.items()]
    channel("mesh", mesh.name, "deflection", "m", "positive where the drive flanks are pressed", deflection)


def _floating_members(work: Assembly) -> set[str]:
    """Meshes of members that float (torsional): one law for all of a member's meshes, or none to condense."""
    condensed: set[str] = set()
    if work.motions.fidelity != "torsional":
        return condensed
    for body in work.train.bodies.values():
        if not body.floating or body.fixed:
            continue
        meshes = [m for m in work.train.meshes.values() if body.name in m.between and m.angle is not None and m.on]
        if len(meshes) < 2:
            continue
        condensed.update(m.name for m in meshes)
        _condense(work, body, meshes)
    return condensed


def _floating_law(
    work: Assembly,
    body: Body,
    meshes: list[Mesh],
    law: MeshLaw,
    spur: bool,
    row: dict[str, float],
    directions: NDArray[np.float64],
) -> Law:
    """Law of all meshes of a floating member: constant, in levels or smooth over the phase."""
    first = meshes[0]
    if not law.phased:
        levels = np.array([[mean_stiffness(m) for m in meshes]])
        return floating([0.0], levels, work.damping(first.damping, float(levels.mean()), row), directions)
    shift = [m.phase - first.phase for m in meshes]
    if law.name == "periodic":
        courses = [_smooth_carried(work, m, spur) for m in meshes]
        if any(len(curve) > 1 for curve in courses):
            raise AssemblyError(
                f"'{body.name}' floats: the stiffness of its meshes jumps over the cycle, at places of its own; at fidelity torsional "
                f"give it without corners, or choose planar"
            )
        x = np.arange(FLOATING_POINTS) / FLOATING_POINTS
        values = [np.array([value_at(c, float(at)) for at in x + d]) for c, d in zip(courses, shift, strict=True)]
        damping = work.damping(first.damping, float(np.mean(values)), row)
        return floating_smooth(values, damping, directions)
    curves = [carried_curve(m, spur) for m in meshes]
    if any(len(cells) > 1 for curve in curves for _, _, cells in curve):
        raise AssemblyError(
            f"'{body.name}' floats: at fidelity torsional law two_level needs stiffness in levels; choose law periodic, or planar"
        )
    edges = sorted({round((s - d) % 1.0, 12) for curve, d in zip(curves, shift, strict=True) for s, _, _ in curve})
    middle = [0.5 * (a + b) for a, b in zip(edges, [*edges[1:], edges[0] + 1.0], strict=True)]
    levels = np.array([[value_at(c, x + d) for c, d in zip(curves, shift, strict=True)] for x in middle])
    return floating(edges, levels, work.damping(first.damping, float(levels.mean()), row), directions)


def _smooth_carried(work: Assembly, mesh: Mesh, spur: bool) -> Curve:
    """Smooth course of the flank that carries, of a mesh that only a law linear in the deflection can take."""
    course = smooth_course(mesh, work.train, spur)
    for sentence in course.said:
        work.note(sentence)
    if course.reference is not None:
        work.references[mesh.name] = course.reference
    return carried(mesh, course)


def _condense(work: Assembly, body: Body, meshes: list[Mesh]) -> None:
    for mesh in meshes:
        _refuse_own(work.law_of(mesh), mesh, f"belongs to '{body.name}', which floats (fidelity torsional)")
    if len({work.law_of(mesh).name for mesh in meshes}) > 1:
        raise AssemblyError(f"'{body.name}' floats: at fidelity torsional all its meshes have one law; choose planar")
    law = work.law_of(meshes[0])
    if any(m.excitation for m in meshes):
        raise AssemblyError(
            f"'{body.name}' floats: its meshes cannot have a transmission error at fidelity torsional; choose planar"
        )
    gap = max((m.backlash or 0.0 for m in meshes), default=0.0)
    if gap > 0.0:
        work.note(
            assumed(
                f"'{body.name}' floats: at fidelity torsional its meshes stay on the flank that carries, their backlash of "
                f"{1e6 * gap:.4g} um is left out; planar has it"
            )
        )
    spur = work.train.model.helical == "spur"
    directions, rows = [], []
    for mesh in meshes:
        alpha = line_angle(work.motions, mesh)
        assert mesh.angle is not None and alpha is not None
        ey, ez = _direction(mesh.angle - mesh.sigma * alpha)
        sign = mesh.sigma if mesh.between[0] == body.name else -mesh.sigma
        directions.append((sign * ey, sign * ez))
        rows.append(Row(f"{mesh.name}.drive", flank_row(work.motions, mesh, mesh.sigma)))
    first = meshes[0]
    act = _floating_law(work, body, meshes, law, spur, dict(rows[0].coefficients), np.array(directions))
    sense = Row(f"{body.name}.phase", phase_row(work.motions, first), first.phase) if law.phased else None
    if sense is None:
        sense = Row(f"{body.name}.phase", {next(iter(rows[0].coefficients)): 1.0})
    work.builder.block(f"{body.name}.floating", rows, act, [sense])
    for mesh, row in zip(meshes, rows, strict=True):
        remember_pushes(work, mesh, row.name, mesh.sigma)
        mesh_channels(work, mesh, row, False)
