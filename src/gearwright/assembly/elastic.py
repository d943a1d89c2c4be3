"""Meshes with their loss at the contact point between two half springs (``loss: {compliance: series}``)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gearwright.laws.elastic_loss import elastic_loss
from gearwright.laws.mesh_properties import mean_stiffness
from gearwright.laws.profile import profiled, sine_profile, spring_law, tooth_profile
from gearwright.schema.losses import EfficiencyTable
from gearwright.system import Law, Row, Source
from gearwright.train.train import Mesh

from .losses import efficiency_table
from .meshes import MeshAct, _direction, flank_row, line_angle, turn_row
from .motion import AssemblyError, Terms, add

if TYPE_CHECKING:
    from .work import Assembly


#: What the law reports beside its forces: quantity -> unit, sign.
_REPORTS = {
    "contact_speed": (
        "m/s",
        "speed of the contact point along the line of action, positive forward; zero while it sticks",
    ),
    "contact_state": ("1", "-1 moves backward, 0 sticks, 1 moves forward"),
    "loss_power": ("W", "lost in the contact point, never negative; zero while it sticks"),
}


def turn_rows(work: Assembly, mesh: Mesh) -> list[Row]:
    """Turns of both wheels seen from the carrier, which profiles over the circumference are read at."""
    return [Row(f"{mesh.name}.turn_{n + 1}", turn_row(work.motions, mesh, n)) for n in (0, 1)]


def around_the_wheels(work: Assembly, mesh: Mesh, act: MeshAct) -> MeshAct:
    """The act of a mesh with its profiles over the circumference of the wheels. Raises AssemblyError for bad ones."""
    where = f"mesh '{mesh.name}'"
    law = act.law if act.spring is None else spring_law(act.spring.k, act.spring.c)
    assert law is not None
    try:
        made = profiled(law, profiles_of(where, mesh))
    except ValueError as error:
        raise AssemblyError(f"{where}: {error}") from None
    return MeshAct(None, made, act.two_flanks, (*act.senses, *turn_rows(work, mesh)))


def series_mesh(work: Assembly, mesh: Mesh, floating: bool) -> None:
    """Add the rows, law and channels of one mesh.

    Raises AssemblyError for what the law does not take, see :func:`series_law`, and floating members at torsional.
    """
    where = f"mesh '{mesh.name}' (compliance: series)"
    if floating:
        raise AssemblyError(f"{where} does not take a floating member at fidelity torsional; choose planar")
    if work.motions.fidelity not in ("torsional", "planar"):
        raise AssemblyError(f"{where} works at fidelity torsional or planar, not {work.motions.fidelity}")
    law, printed = series_law(work, mesh)
    drive = Row(f"{mesh.name}.drive", flank_row(work.motions, mesh, mesh.sigma))
    roll = Row(f"{mesh.name}.roll", _roll_row(work, mesh, printed))
    reports = [Row(f"{mesh.name}.{what}", dict(roll.coefficients)) for what in _REPORTS]
    senses = reports + (turn_rows(work, mesh) if law.senses > len(reports) else [])
    work.builder.block(mesh.name, [drive, roll], law, senses)
    _push_centres(work, mesh, drive.name, roll.name if printed else None)
    channel = work.builder.channel
    channel(
        "mesh",
        mesh.name,
        "force",
        "N",
        "pressing of the drive flanks is positive",
        [(Source.FORCE, drive.name, 1.0)],
        counted=True,
    )
    channel(
        "mesh",
        mesh.name,
        "loss_force",
        "N",
        "positive where it opposes forward rolling; while the contact sticks, the difference of the two side forces",
        [(Source.FORCE, roll.name, 1.0)],
        counted=True,
    )
    for row, (quantity, (unit, sign)) in zip(reports, _REPORTS.items(), strict=True):
        channel(
            "mesh", mesh.name, quantity, unit, sign, [(Source.FORCE, row.name, 1.0)], counted=quantity == "loss_power"
        )
    deflection = [(Source.POSITION, name, value) for name, value in drive.coefficients.items()]
    channel("mesh", mesh.name, "deflection", "m", "positive where the drive flanks are pressed", deflection)


def series_law(work: Assembly, mesh: Mesh) -> tuple[Law, bool]:
    """Law of a mesh whose loss sits between two half springs, and whether its forces on the centres are as S4 prints them.

    Raises AssemblyError for backlash, transmission error, stiffness over the mesh cycle, losses other than an efficiency.
    """
    where = f"mesh '{mesh.name}' (compliance: series)"
    for what, given in (
        ("backlash", mesh.backlash is not None),
        ("transmission error", mesh.excitation),
        ("law periodic; give a profile over the circumference", work.law_of(mesh).phased),
    ):
        if given:
            raise AssemblyError(f"{where} does not take {what}")
    assert mesh.loss is not None
    unknown = mesh.loss.said - {"efficiency", "compliance", "forces"}
    if unknown:
        raise AssemblyError(f"{where} takes an efficiency, not {', '.join(sorted(unknown))}")
    efficiency, table = _efficiency(where, mesh.loss.efficiency, mesh.base_radius[0])
    if work.train.model.loss == "none":
        efficiency, table = (1.0, 1.0), ()
    k = mean_stiffness(mesh)
    profiles = profiles_of(where, mesh)
    try:
        c = work.damping(mesh.damping, k, flank_row(work.motions, mesh, mesh.sigma))
        return elastic_loss(k, c, efficiency, table, profiles), mesh.loss.forces == "printed"
    except ValueError as error:
        raise AssemblyError(f"{where}: {error}") from None


def _roll_row(work: Assembly, mesh: Mesh, printed: bool) -> Terms:
    """Half the sum of the displacements of both wheels along the line of action, seen from the carrier.

    Rotations only, so that the loss turns the wheels (and the carrier back) without pushing the centres; with
    ``printed`` the translations too, which scales the centre forces as S4 prints them.
    """
    r1, r2 = mesh.base_radius
    second = -r2 if (mesh.internal or mesh.same_sense) else r2
    half = 0.5 * mesh.sigma
    row: Terms = {}
    add(row, work.motions.rotation(mesh.between[0]), half * r1)
    add(row, work.motions.rotation(mesh.between[1]), -half * second)
    if mesh.on is not None:
        add(row, work.motions.rotation(mesh.on), -half * (r1 - second))
    alpha = line_angle(work.motions, mesh)
    if printed and mesh.angle is not None and alpha is not None:
        ey, ez = _direction(mesh.angle - mesh.sigma * alpha)
        for name in mesh.between:
            y, z = work.motions.translation(name)
            add(row, y, half * ey)
            add(row, z, half * ez)
    return row


def _push_centres(work: Assembly, mesh: Mesh, drive: str, roll: str | None) -> None:
    alpha = line_angle(work.motions, mesh)
    if mesh.angle is None or alpha is None:
        return
    ey, ez = _direction(mesh.angle - mesh.sigma * alpha)
    for sign, name in ((mesh.sigma, mesh.between[0]), (-mesh.sigma, mesh.between[1])):
        pushes = work.pushes.setdefault(name, [])
        pushes.append((drive, sign * ey, sign * ez))
        if roll is not None:
            pushes.append((roll, 0.5 * mesh.sigma * ey, 0.5 * mesh.sigma * ez))


Triples = tuple[tuple[float, float, float], ...]


def _efficiency(
    where: str, given: float | list[float] | EfficiencyTable | None, radius: float
) -> tuple[tuple[float, float], Triples]:
    """One value, [first drives, second drives], or a table over the speed of wheel 1, whose base radius is given.

    The law reads the rolling speed at the line of action, ``r_1 w_1`` but for what the mesh deflects.
    """
    if isinstance(given, EfficiencyTable):
        return (1.0, 1.0), tuple((radius * w, one, two) for w, one, two in efficiency_table(where, given))
    one, two = given if isinstance(given, list) else (given, given)
    return (1.0 if one is None else one, 1.0 if two is None else two), ()


def profiles_of(where: str, mesh: Mesh) -> tuple[Sequence[float], Sequence[float]]:
    """Profiles of both wheels, named by body (the last part of its name is enough)."""
    found: list[Sequence[float]] = [(), ()]
    for name, facts in (mesh.circumference or {}).items():
        matches = [i for i, body in enumerate(mesh.between) if name in (body, body.rpartition(".")[2])]
        if len(matches) != 1:
            raise AssemblyError(f"{where}: a profile of '{name}'; its wheels are {' and '.join(mesh.between)}")
        try:
            if facts.sine is not None:
                phase = math.radians(facts.sine.phase_deg or 0.0)
                found[matches[0]] = sine_profile(facts.sine.periods, facts.sine.amplitude, phase).tolist()
            elif facts.table is not None:
                found[matches[0]] = facts.table
            else:
                count = facts.count or (mesh.teeth[matches[0]] if mesh.teeth else None)
                if count is None:
                    raise ValueError("the number of teeth is not known; give count")
                width = facts.width or mesh.contact_ratio or 1.5
                found[matches[0]] = tooth_profile(count, facts.teeth or {}, width).tolist()
        except ValueError as error:
            raise AssemblyError(f"{where}: profile of '{name}': {error}") from None
    return found[0], found[1]
