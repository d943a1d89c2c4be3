"""Meshes of a train as gear rows of a mechanism, with every law of fidelity ``planar`` and their losses."""

from __future__ import annotations

import math
from dataclasses import replace

from gearwright.laws.mesh_properties import mean_stiffness
from gearwright.laws.pressed_friction import pressed_friction
from gearwright.laws.tooth_contact import tooth_contact
from gearwright.multibody import Joint, MultibodyError
from gearwright.system import Law
from gearwright.train.teeth import tip_clearance
from gearwright.train.train import Mesh

from .contact import contact
from .elastic import around_the_wheels, series_law
from .losses import in_series, mesh_loss, sliding_friction
from .meshes import MeshAct, flank_row, mesh_act, reference_stiffness, working_angle
from .motion import AssemblyError
from .work import Assembly

X = (1.0, 0.0, 0.0)
_TURN = 1.0 / (2.0 * math.pi)
#: the transition of friction about standstill is this many times wider than what steps can just follow
EASE = 2.0
#: least width of that transition, as a part of the operating speed
LEAST = 1e-6


def mesh_joint(work: Assembly, mesh: Mesh) -> Joint:
    """The gear row of a mesh with the law of the assembly. Raises AssemblyError for what the law lacks."""
    motions = work.motions
    alpha = working_angle(motions, mesh)
    assert alpha is not None
    r1, r2 = (r / math.cos(alpha) for r in mesh.base_radius)
    # the tooth of a right-hand wheel turns with it like a right-hand screw
    helix = mesh.hand * mesh.helix_angle
    gear = Joint(
        "gear",
        mesh.name,
        *mesh.between,
        axis=X,
        radius=(r1, r2),
        pressure_angle=math.atan(math.tan(alpha) * math.cos(helix)),
        helix_angle=helix,
        internal=mesh.internal,
        flank=mesh.sigma,
        carrier=mesh.on,
        tip_clearance=_tip_clearance(mesh),
    )
    if work.law == "rigid":
        return gear
    row = flank_row(motions, mesh, mesh.sigma)
    if work.law == "tooth_contact":
        return _in_contact(work, mesh, gear)
    law = work.law_of(mesh)
    if in_series(mesh):
        if law.own:
            raise MultibodyError(
                f"the mesh '{mesh.name}' loses in series with its stiffness, which law {law.name} does not take"
            )
        series, printed = series_law(work, mesh)
        if printed:
            raise MultibodyError(
                f"the mesh '{mesh.name}' has forces on its centres as S4 prints them (loss.forces: printed)"
            )
        second = -mesh.base_radius[1] if mesh.internal else mesh.base_radius[1]
        roll = (0.5 * mesh.sigma * mesh.base_radius[0], -0.5 * mesh.sigma * second)
        reports: list[tuple[float, float] | None] = [None] * 3
        turns = [(_TURN, 0.0), (0.0, _TURN)] if series.senses > 3 else []
        return replace(gear, law=series, beside=(roll,), watched=(*reports, *turns))
    damping = work.damping(mesh.damping, reference_stiffness(mesh, law), row)
    act = mesh_act(motions, mesh, law, damping, work.train.model.helical == "spur")
    work.heard(act)
    if mesh.circumference:
        act = around_the_wheels(work, mesh, act)
    if act.law is None:
        return replace(gear, stiffness=mean_stiffness(mesh), damping=damping)
    return _with_senses(replace(gear, law=act.law), mesh, act)


def _tip_clearance(mesh: Mesh) -> tuple[float, float] | None:
    rest, distance = tip_clearance(mesh), mesh.centre_distance
    return None if rest is None or distance is None else (rest, distance)


def _with_senses(gear: Joint, mesh: Mesh, act: MeshAct) -> Joint:
    """With what a law reads beside its flanks: the mesh phase (in its place perhaps the turns of the first wheel), turns of both."""
    if not act.senses:
        return gear
    first, *others = act.senses
    watched = tuple((0.0, _TURN) if s.name.endswith(("_second", "_2")) else (_TURN, 0.0) for s in others)
    if not first.name.endswith(".phase"):
        return replace(gear, watched=((_TURN, 0.0), *watched))
    if (
        any(e.base == "mesh" for e in mesh.excitation)
        or abs(max(map(abs, first.coefficients.values())) - _TURN) > 1e-12
    ):
        return replace(_with_phase(gear, mesh), watched=watched)
    return replace(gear, teeth=1, phase=first.off, watched=watched)


def _with_phase(gear: Joint, mesh: Mesh) -> Joint:
    if mesh.teeth is None:
        raise AssemblyError(f"mesh '{mesh.name}' has no tooth numbers; its law needs them for the mesh phase")
    return replace(gear, teeth=mesh.phase_direction * mesh.teeth[0], phase=mesh.phase)


def _in_contact(work: Assembly, mesh: Mesh, gear: Joint) -> Joint:
    row = flank_row(work.motions, mesh, mesh.sigma)
    made = contact(mesh, work.train, lambda k: work.damping(mesh.damping, k, row))
    for note in made.notes:
        work.note(note)
    data = made.data
    law = tooth_contact(data, True, made.stiffness, data.chi * made.load)
    along = (data.pitch if data.rising else -data.pitch) * mesh.phase_direction * data.teeth[0] / (2.0 * math.pi)
    beside: tuple[tuple[float, float] | None, ...] = ()
    if data.friction:
        second = -mesh.base_radius[1] if mesh.internal else mesh.base_radius[1]
        beside = ((0.0, mesh.sigma * second), None)
    return replace(_with_phase(gear, mesh), law=law, travel=along, beside=beside)


def loss_joint(work: Assembly, mesh: Mesh, step: float) -> Joint | None:
    """Friction of a mesh on the rotation of its wheels, for steps [s] of a length; None where it loses nothing, or by its own law."""
    if work.train.model.loss == "none" or in_series(mesh) and work.law != "rigid":
        return None
    if work.law == "tooth_contact" and sliding_friction(mesh) is not None:
        return None
    loss = mesh_loss(mesh)
    if loss is None or not any((loss.mu1, loss.mu2, *loss.table, *loss.table2)):
        return None
    one, two = (loss.rate[name] for name in mesh.between)
    speed = abs((work.train.speed or 0.0) * work.train.ratios.get(mesh.between[0], 0.0))
    rates = [2.0 * mesh.base_radius[0] * w for w in loss.speeds]
    table = list(zip(rates, loss.table, loss.table2, strict=True)) or [(0.0, loss.mu1, loss.mu2)]
    return Joint(
        "rub",
        f"{mesh.name}_loss",
        *mesh.between,
        axis=X,
        carrier=mesh.on,
        beside=((one, two),),
        press=mesh.name,
        law=_friction(
            mesh.name, table, LEAST * abs(one) * (speed or 1.0), EASE * step * _mobility(work, mesh, one, two)
        ),
    )


def _friction(name: str, table: list[tuple[float, float, float]], creep: float, follow: float) -> Law:
    try:
        return pressed_friction(table, creep, follow)
    except ValueError as error:
        raise AssemblyError(f"loss of mesh '{name}': {error}") from None


def _mobility(work: Assembly, mesh: Mesh, one: float, two: float) -> float:
    """How a force on the row of a loss speeds it up, each body by itself [unit of the rate / s / N]."""
    parts = [(mesh.between[0], one), (mesh.between[1], two), (mesh.on, one + two)]
    return sum(
        c * c / work.mass[f"{name}.rotation"]
        for name, c in parts
        if name is not None and c and f"{name}.rotation" in work.mass
    )
