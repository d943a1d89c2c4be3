"""Rigid meshes, their losses, brakes, clutches, one-way clutches, drag: rows that are hard or rub.

A rigid mesh is the flank row of the elastic one with a multiplier instead of a spring; its sign is free, so that the
tooth normal follows the force. A loss is a row of its own beside it (see :mod:`.losses`), a brake or clutch a row
with a capacity. While such a row sticks it is one more rigid row; the engine decides which ones do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gearwright.laws.machine import torque_table
from gearwright.remarks import assumed
from gearwright.system import Friction, Hard, Row, Source, Spring, constant
from gearwright.train.kinematics import mesh_row
from gearwright.train.train import HOUSING, Bearing, Coupling, Mesh, Train

from .losses import MeshLoss, drag_facts, mesh_loss
from .meshes import flank_row
from .motion import AssemblyError, Motions, Terms, add

if TYPE_CHECKING:
    from .work import Assembly

#: Torque [N m] that no one-way clutch gives up.
UNYIELDING = 1e9
#: Inertia of a member that has none, as a part of the smallest one that is given.
NEGLIGIBLE = 1e-6
#: Sine of the angle below which a row follows from others.
FOLLOWS = 1e-9
#: Half-width of the hysteresis of switched losses, as a part of the operating power.
HYSTERESIS = 1e-6
#: Rate at which a smooth loss has reached tanh(1) of its force, as a part of the operating speed.
SMOOTH = 1e-3

_HEAT = "positive along the motion it opposes; times the rate it is the power lost"
_JOINT = "positive when the first end drives the second in the positive sense"


def rotations(motions: Motions, terms: dict[str, float]) -> Terms:
    """Coordinates of a row given by the rotations of bodies."""
    row: Terms = {}
    for body, factor in terms.items():
        add(row, motions.rotation(body), factor)
    return row


def relative(motions: Motions, between: tuple[str, str]) -> Terms:
    """Rotation of the first body against the second (or the housing)."""
    return rotations(motions, {b: s for b, s in zip(between, (1.0, -1.0), strict=True) if b != HOUSING})


def compliances(train: Train) -> dict[str, float]:
    """Weights of the split among redundant meshes: one over mean stiffness where all have one, else equal."""
    means = {name: mesh.stiffness.mean for name, mesh in train.meshes.items()}
    if all(means.values()):
        return {name: 1.0 / float(mean) for name, mean in means.items() if mean}
    return dict.fromkeys(means, 1.0)


def rigid_mesh(work: Assembly, mesh: Mesh, compliance: float) -> Row:
    """Add the multiplier row of a mesh and return it."""
    row = Row(f"{mesh.name}.drive", flank_row(work.motions, mesh, mesh.sigma))
    if not row.coefficients:
        raise AssemblyError(f"mesh '{mesh.name}': neither of its wheels turns")
    if mesh.backlash is not None or mesh.excitation:
        what = "backlash" if mesh.backlash is not None else "transmission error"
        work.note(f"mesh '{mesh.name}': law rigid takes no {what}; linear and periodic do")
    work.builder.row(row.name, row.coefficients, Hard(compliance=compliance))
    return row


def followers(rows: dict[str, Terms]) -> list[str]:
    """Names of rows that follow from rows before them: redundant meshes, such as those of further planets."""
    names = sorted({c for row in rows.values() for c in row})
    found, basis = [], np.zeros((0, len(names)))
    for name, row in rows.items():
        line = np.array([row.get(c, 0.0) for c in names])
        if not line.any():
            continue
        line /= np.linalg.norm(line)
        rest = line - basis.T @ (basis @ line)
        rest -= basis.T @ (basis @ rest)
        size = np.linalg.norm(rest)
        if size <= FOLLOWS:
            found.append(name)
        else:
            basis = np.vstack([basis, rest / size])
    return found


def said_of_followers(train: Train, names: list[str]) -> str:
    """What the reader should know of redundant meshes."""
    listed = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    if train.model.redundant == "drop":
        return f"redundant meshes are left out as model.redundant: drop asks: {listed}; the others carry their load, and they lose nothing"
    weights = "mean stiffness of each mesh" if all(m.stiffness.mean for m in train.meshes.values()) else "equal weights"
    return (
        f"redundant meshes {listed} share the load by least squares with {weights}; with losses the torques depend on that split "
        f"(model.redundant: drop leaves them out)"
    )


def hold(work: Assembly, body: str) -> None:
    """Hold a body of the operating point by a rigid row; its torque is the reaction."""
    row = work.motions.rotation(body)
    if not row:
        return
    work.builder.row(f"{body}.held", row, Hard(compliance=1e-6))
    work.hard[f"{body} (held)"] = dict(row)
    sign = "torque that holds the body, positive about +x"
    work.builder.channel(
        "shaft", body, "holding_torque", "N m", sign, [(Source.FORCE, f"{body}.held", -1.0)], counted=True
    )


def _width(work: Assembly, size: float) -> float:
    """Width of smooth friction in the rate of a row whose coefficients are of a size; 0 for sticking rows."""
    if work.train.model.loss != "smooth":
        return 0.0
    if not work.train.speed:
        work.note(
            assumed(
                "model.loss: smooth takes a thousandth of the operating speed as its width; none is given, taken as 1 rad/s"
            )
        )
    return SMOOTH * size * abs(work.train.speed or 1.0)


def _hysteresis(work: Assembly) -> float:
    """Half-width [W] of the hysteresis of switched losses; 0 for others."""
    model = work.train.model
    if model.loss != "switch":
        return 0.0
    if model.hysteresis:
        return float(model.hysteresis)
    if not (work.train.speed and work.train.torque):
        raise AssemblyError(
            "model.loss: switch needs the half-width of its hysteresis: give model.hysteresis (a power), or operating.speed and "
            "operating.torque, of whose power it takes a millionth"
        )
    return HYSTERESIS * abs(work.train.speed * work.train.torque)


def loss_rows(work: Assembly, mesh: Mesh, flanks: dict[str, int]) -> MeshLoss | None:
    """Add the friction rows of a mesh: one for every flank row (name -> flank +1 or -1) that presses; its loss, if any.

    Channels, whose product is the power lost: ``friction_force`` [N] and ``friction_rate`` [m/s]; ``friction_torque`` [N m]
    and ``friction_speed`` [rad/s], seen at wheel 1, where the loss is one of torque (fraction, friction coefficient, force
    pole offset) or no radius is known.
    """
    loss = mesh_loss(mesh)
    choice = work.train.model.loss
    if loss is None or choice == "none" or not any((loss.mu1, loss.mu2, *loss.table, *loss.table2)):
        return None
    # the rate of a rolling row is twice the pitch line speed seen from the carrier
    rates = [2.0 * mesh.base_radius[0] * speed for speed in loss.speeds]
    table = tuple(zip(rates, loss.table, loss.table2, strict=True))
    if mesh.loss is not None and mesh.loss.compliance == "series":
        raise AssemblyError(
            f"loss of mesh '{mesh.name}': compliance series belongs to an elastic mesh law of its own; leave it away for "
            f"a loss beside the mesh (parallel)"
        )
    # the power that switches is force times rate; of a sliding rotation it is the torque on wheel 1 times its rate
    hysteresis = _hysteresis(work) / (1.0 if loss.rolls else mesh.base_radius[0])
    terms = []
    for normal, flank in flanks.items():
        row = {c: flank * value for c, value in rotations(work.motions, loss.rate).items() if value != 0.0}
        if not row:
            return None
        name = f"{mesh.name}.loss" if len(flanks) == 1 else f"{normal}_loss"
        width = _width(work, max(map(abs, row.values())))
        act = Friction(normal, loss.mu1, loss.mu2, smooth=width, switch=hysteresis, table=table)
        work.builder.row(name, row, act)
        terms.append((Source.FORCE, name, float(flank)))
    _loss_channels(work, mesh, loss, terms)
    return loss


def _loss_channels(work: Assembly, mesh: Mesh, loss: MeshLoss, terms: list[tuple[Source, str, float]]) -> None:
    """What a loss opposes and with how much, in the unit that its row has."""
    base = rotations(work.motions, loss.rate)
    unit = loss.rate[mesh.between[0]] if mesh.by_teeth else 1.0  # teeth are no length: all is seen at wheel 1
    turns = mesh.by_teeth or not loss.rolls
    force, rate = (
        (("friction_torque", "N m"), ("friction_speed", "rad/s"))
        if turns
        else (("friction_force", "N"), ("friction_rate", "m/s"))
    )
    scaled = [(source, row, unit * factor) for source, row, factor in terms]
    work.builder.channel("mesh", mesh.name, *force, _HEAT, scaled, counted=True)
    speeds = [(Source.SPEED, c, value / unit) for c, value in base.items()]
    work.builder.channel("mesh", mesh.name, *rate, "rate that the loss opposes", speeds)


def tooth_torques(work: Assembly, mesh: Mesh, row: Row, loss: MeshLoss | None) -> None:
    """Torques of a rigid mesh whose radii nobody gave, on both wheels, its loss included.

    With ``f`` the multiplier of the row and ``l`` the force of its loss, the mesh puts ``-(D f + L l)`` on a wheel; the
    channels have the sign of the mesh force: positive on the drive flank.
    """
    for i, which in enumerate(("first", "second")):
        body = mesh.between[i]
        own = mesh_row(mesh)[body]
        terms = [(Source.FORCE, row.name, abs(own))]
        if loss is not None:
            terms.append((Source.FORCE, f"{mesh.name}.loss", loss.rate[body] * (1.0 if own > 0.0 else -1.0)))
        text = (
            f"of the teeth on wheel {i + 1} of the mesh about its own axis, loss included; positive on the drive flank, the one "
            "loaded when power flows from input to output; a body that counts several gets that of all of them. No radius is given, "
            "so there is no force"
        )
        work.builder.channel("mesh", mesh.name, f"torque_{which}", "N m", text, terms, counted=True)


def massless(work: Assembly) -> float:
    """Inertia [kg m^2] for members that have none."""
    given = [b.inertia for b in work.train.bodies.values() if b.inertia]
    if not given:
        raise AssemblyError("no member of this train has an inertia; give at least one (kg m^2)")
    return NEGLIGIBLE * min(given)


def check_rank(work: Assembly, rows: dict[str, Terms]) -> None:
    """Refuse meshes that contradict each other: bodies that nothing holds but that cannot turn."""
    held = {c for name, row in rows.items() if name.endswith(" (held)") for c in row}
    moving = _moving(rows)
    stuck = [c for c in sorted({c for row in rows.values() for c in row}) if c not in moving and c not in held]
    if not stuck:
        return
    touching = [name for name, row in rows.items() if any(c in stuck for c in row) and not name.endswith(" (held)")]
    # a mesh is to blame if its own wheels turn once it is gone
    blamed = [
        name
        for name in touching
        if set(rows[name]) - held <= _moving({k: row for k, row in rows.items() if k != name}) | _absent(rows, name)
    ]
    meshes = blamed or touching
    bodies = [c.removesuffix(".rotation") for c in stuck]
    raise AssemblyError(
        f"rigid meshes {', '.join(meshes[:6])} contradict each other: with all of them, {', '.join(bodies[:6])} cannot turn "
        f"at all; their ratios differ. Mend the tooth numbers, take one out, or hold the body with fixed: true if it shall stand"
    )


def joint(work: Assembly, coupling: Coupling) -> None:
    """Add a brake, clutch, one-way clutch or drag."""
    row = relative(work.motions, coupling.between)
    first, second = coupling.between
    if not row:
        raise AssemblyError(f"element '{coupling.name}' joins '{first}' and '{second}', and neither of them turns")
    p, name = coupling.parameters, f"{coupling.name}.torsion"
    terms = [(Source.FORCE, name, 1.0)]
    if coupling.type in ("brake", "clutch"):
        signal = work.inputs.capacities.get(coupling.name)
        if signal is None:
            signal = constant(float(p["capacity"]) if p.get("engaged", True) else 0.0)
        capacity = work.builder.signal(f"{coupling.name}.capacity", signal)
        work.builder.row(name, row, Friction(signal=capacity))
        channel = [(Source.SIGNAL, capacity, 1.0)]
        work.builder.channel("shaft", coupling.name, "capacity", "N m", "largest torque it can pass", channel)
    elif coupling.type == "one_way":
        work.builder.row(name, row, Friction(mu1=0.0, mu2=UNYIELDING))
    else:
        work.builder.row(name, row, Friction(cap=float(p.get("torque") or 0.0), smooth=_width(work, 1.0)))
        viscous = p.get("viscous")
        viscous = getattr(viscous, "value", viscous)
        if viscous:
            work.builder.row(f"{coupling.name}.viscous", row, Spring(0.0, float(viscous)))
            terms.append((Source.FORCE, f"{coupling.name}.viscous", 1.0))
    work.builder.channel("shaft", coupling.name, "torque", "N m", _JOINT, terms, counted=True)
    speed = [(Source.SPEED, c, value) for c, value in row.items()]
    work.builder.channel("shaft", coupling.name, "slip_speed", "rad/s", "speed of the first end over the second", speed)


def _moving(rows: dict[str, Terms]) -> set[str]:
    """Coordinates of rigid rows that some motion turns."""
    names = sorted({c for row in rows.values() for c in row})
    matrix = np.array([[row.get(c, 0.0) for c in names] for row in rows.values()])
    if not matrix.size:
        return set()
    _, values, right = np.linalg.svd(matrix / np.linalg.norm(matrix, axis=1, keepdims=True))
    rank = int((values > 1e-9 * values[0]).sum())
    return {c for c, m in zip(names, np.abs(right[rank:]).max(axis=0, initial=0.0), strict=True) if m > 1e-9}


def _absent(rows: dict[str, Terms], name: str) -> set[str]:
    """Coordinates that only this row holds: free without it."""
    others = {c for k, row in rows.items() if k != name for c in row}
    return set(rows[name]) - others


def check_joints(work: Assembly, rows: dict[str, Terms]) -> None:
    """Refuse a clutch between bodies that rigid meshes tie together already: it could never slip."""
    names = sorted({c for row in rows.values() for c in row})
    matrix = np.array([[row.get(c, 0.0) for c in names] for row in rows.values()]).reshape(len(rows), len(names))
    for coupling in work.train.couplings.values():
        row = relative(work.motions, coupling.between)
        if coupling.type not in ("brake", "clutch", "one_way", "drag") or not row or any(c not in names for c in row):
            continue
        wanted = np.array([row.get(c, 0.0) for c in names])
        rest = wanted - matrix.T @ np.linalg.lstsq(matrix.T, wanted, rcond=1e-10)[0]
        if np.abs(rest).max() < 1e-9:
            raise AssemblyError(
                f"{coupling.type} '{coupling.name}' joins '{coupling.between[0]}' and '{coupling.between[1]}', which the rigid "
                f"meshes lock together already: it can never slip and its torque is not determined; take it out"
            )


def bearing_friction(work: Assembly, bearing: Bearing) -> None:
    """Add the friction torque of a bearing: a part that sticks, a viscous part, and what varies with speed."""
    if not bearing.friction or work.train.model.loss == "none":
        return
    row = relative(work.motions, bearing.between)
    if not row:
        return
    constant_part, viscous, table = drag_facts(bearing.friction, bearing.name)
    terms = []
    if constant_part:
        work.builder.row(f"{bearing.name}.friction", row, Friction(cap=constant_part, smooth=_width(work, 1.0)))
        terms.append((Source.FORCE, f"{bearing.name}.friction", 1.0))
    if viscous:
        work.builder.row(f"{bearing.name}.viscous", row, Spring(0.0, viscous))
        terms.append((Source.FORCE, f"{bearing.name}.viscous", 1.0))
    if table:
        speeds = [-s for s, _ in reversed(table)] + [s for s, _ in table[1:]]
        torques = [x for _, x in reversed(table)] + [-x for _, x in table[1:]]
        law = torque_table(speeds, torques, 0.0)
        work.builder.block(f"{bearing.name}.curve", [Row(f"{bearing.name}.over_speed", row)], law)
        terms.append((Source.FORCE, f"{bearing.name}.over_speed", 1.0))
    if terms:
        work.builder.channel("bearing", bearing.name, "friction_torque", "N m", _HEAT, terms, counted=True)
        speed = [(Source.SPEED, c, value) for c, value in row.items()]
        work.builder.channel("bearing", bearing.name, "slip_speed", "rad/s", "of the body against its support", speed)


def completed_speeds(rows: dict[str, Terms], given: dict[str, float]) -> dict[str, float]:
    """Speeds of all coordinates in rigid rows that go with given ones; least-norm where the train stays free.

    Empty where nothing is given. Given ones that contradict the rows stay as they are: the run projects them.
    """
    names = sorted({c for row in rows.values() for c in row})
    free = [c for c in names if c not in given]
    matrix = np.array([[row.get(c, 0.0) for c in names] for row in rows.values()]).reshape(len(rows), len(names))
    if not free or not given:
        return {}
    known = np.array([given.get(c, 0.0) for c in names])
    pick = [names.index(c) for c in free]
    found, *_ = np.linalg.lstsq(matrix[:, pick], -matrix @ known, rcond=1e-10)
    return dict(zip(free, (float(x) for x in found), strict=True))
