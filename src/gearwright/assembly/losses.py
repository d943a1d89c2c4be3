"""Losses of meshes: what the file says becomes a row that the normal force presses.

Two kinds of row. *Slide*: the relative rotation of the two wheels, with a force pole offset as coefficient; friction
moves the point of action of the tooth force by that offset (S3, section 4 of its digest, one rule for external and
internal pairs). *Roll*: ``r1 (w1 - wc) - s r2 (w2 - wc)``, twice the pitch line speed seen from the carrier, with
``(1 - eta)/(1 + eta)``: the efficiency ``eta`` of one direction, exactly. Loss = coefficient x |normal force| x |rate|.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gearwright.schema.losses import BearingFriction, EfficiencyTable
from gearwright.train.train import Mesh

from .motion import AssemblyError

#: sliding speed about which the friction of a pair of flanks changes its sign, unless said otherwise [m/s]
CREEP = 1e-2


@dataclass(frozen=True)
class MeshLoss:
    """Loss of a mesh: rotations in the row of its rate (flank of sigma = +1 of wheel 1), and its coefficients.

    ``mu1`` where wheel 1 drives, ``mu2`` where wheel 2 does. With ``speeds``, ``table`` and ``table2`` hold both over
    the speed of wheel 1 seen from the carrier [rad/s] instead.
    """

    rate: dict[str, float]
    mu1: float
    mu2: float
    speeds: tuple[float, ...] = ()
    table: tuple[float, ...] = ()
    table2: tuple[float, ...] = ()
    #: its rate is a rolling speed [m/s, with radii in m], its force a force; else a sliding rotation [rad/s] and a torque
    rolls: bool = False

    def at(self, speed: float) -> tuple[float, float]:
        """Both coefficients at a speed of wheel 1 seen from the carrier [rad/s]."""
        if not self.speeds:
            return self.mu1, self.mu2
        import numpy as np

        mu1, mu2 = (float(np.interp(abs(speed), self.speeds, x)) for x in (self.table, self.table2))
        return mu1, mu2


def in_series(mesh: Mesh) -> bool:
    """Whether the loss of a mesh sits between two half springs."""
    return mesh.loss is not None and mesh.loss.compliance == "series"


def _kappa(eta: float) -> float:
    return (1.0 - eta) / (1.0 + eta)


def efficiency_table(where: str, value: EfficiencyTable) -> tuple[tuple[float, float, float], ...]:
    """Rows (speed of wheel 1 seen from the carrier [rad/s], efficiency where wheel 1 drives, where wheel 2 drives).

    One meaning for power flow, rigid runs and the series form: S4 tabulates over the mesh speed r_1 w_1, the gear of
    the Modelica Standard Library over w_1, and trains given by tooth numbers have no other speed. A row without its
    third value has the second for both directions. Raises AssemblyError for speeds that do not rise.
    """
    rows = value.table
    if any(b[0] <= a[0] for a, b in zip(rows, rows[1:], strict=False)):
        raise AssemblyError(f"{where}: the speeds of an efficiency table rise from zero or above")
    return tuple((r[0], r[1], r[-1]) for r in rows)


def _slide_row(mesh: Mesh) -> dict[str, float]:
    second = 1.0 if mesh.same_sense else -1.0
    return {mesh.between[0]: 1.0, mesh.between[1]: second}


def _roll_row(mesh: Mesh) -> dict[str, float]:
    r1, r2 = mesh.base_radius
    second = r2 if mesh.internal or mesh.same_sense else -r2
    row = {mesh.between[0]: r1, mesh.between[1]: second}
    if mesh.on is not None:
        row[mesh.on] = row.get(mesh.on, 0.0) - (r1 + second)
    return row


def _offset(mesh: Mesh, fraction: float) -> float:
    """Force pole offset, in the unit of the radii of the row, that loses a fraction of the pitch power."""
    r1, r2 = mesh.base_radius
    return fraction / (1.0 / r1 - 1.0 / r2 if mesh.internal else 1.0 / r1 + 1.0 / r2)


def _mean_factor(mesh: Mesh) -> float:
    """Mean loss factor H_V of a pair: loss fraction = mu H_V. Needs teeth and the path of contact."""
    path = mesh.path
    if mesh.teeth is None or path is None:
        raise AssemblyError(
            f"loss of mesh '{mesh.name}': a friction coefficient needs the path of contact: teeth, module and "
            f"pressure_angle of the pair; or give the loss as fraction, efficiency or force_pole_offset"
        )
    approach = abs(path.pitch_point - path.start) / path.base_pitch
    recess = abs(path.end - path.pitch_point) / path.base_pitch
    z1, z2 = mesh.teeth
    curve = 1.0 / z1 - 1.0 / z2 if mesh.internal else 1.0 / z1 + 1.0 / z2
    base_helix = math.asin(math.sin(abs(mesh.helix_angle)) * math.cos(mesh.rack_angle or math.radians(20.0)))
    return 2.0 * math.pi * curve * _mean_distance(approach, recess) / math.cos(base_helix)


def _mean_distance(approach: float, recess: float) -> float:
    """Mean over a base pitch of the load's distance from the pitch point, in base pitches; pairs in contact share equally.

    With the pitch point in single contact this is ``(1 - e_a + e_1^2 + e_2^2)/2`` of the known formula, which does not
    hold where approach or recess is longer than a base pitch (rings).
    """
    pairs = range(math.ceil(approach + recess) + 1)
    knots = sorted(
        {-approach, recess, 0.0, *(x for k in pairs for x in (k - approach, recess - k) if -approach < x < recess)}
    )
    total = 0.0
    for a, b in zip(knots, knots[1:], strict=False):
        middle = 0.5 * (a + b)
        sharing = math.floor(middle + approach) + math.floor(recess - middle) + 1
        total += 0.5 * abs(b * b - a * a) / sharing
    return total


def sliding_friction(mesh: Mesh) -> tuple[float, float] | None:
    """Coefficient of friction between the flanks of a mesh and the sliding speed [m/s] about which it changes its sign,
    from ``loss: {sliding_friction: ...}``; None without. Raises AssemblyError for another loss beside it."""
    said = None if mesh.loss is None else mesh.loss.sliding_friction
    if mesh.loss is None or said is None:
        return None
    if len(mesh.loss.said) > 1:
        raise AssemblyError(
            f"loss of mesh '{mesh.name}': sliding_friction is a loss of its own; take the other keys out"
        )
    return (said, CREEP) if isinstance(said, float) else (said.coefficient, said.speed or CREEP)


def mesh_loss(mesh: Mesh) -> MeshLoss | None:
    """Loss of a mesh from the file's facts; None without any.

    Keys: ``efficiency`` (one number, two [wheel 1 drives, wheel 2 drives], or a table, see
    :func:`efficiency_table`), ``fraction`` of the pitch power, ``force_pole_offset`` (a length
    at the pitch circle; in teeth for trains given by tooth numbers alone), ``friction_coefficient`` (mean, with the
    pair's path of contact), ``sliding_friction`` (that of every pair by itself with law tooth_contact; here its mean).
    Raises AssemblyError for two ways of saying it, and for an offset beyond the smaller wheel.
    """
    said = mesh.loss
    if said is None or not said.said:
        return None
    rubbing = sliding_friction(mesh)
    ways = said.said - {"compliance", "forces"}
    if len(ways) != 1:
        raise AssemblyError(
            f"loss of mesh '{mesh.name}': give exactly one of efficiency, fraction, force_pole_offset, "
            f"friction_coefficient, sliding_friction; got {', '.join(sorted(ways)) or 'none'}"
        )
    if isinstance(said.efficiency, EfficiencyTable):
        rows = efficiency_table(f"loss of mesh '{mesh.name}'", said.efficiency)
        mu1, mu2 = (tuple(_kappa(r[i]) for r in rows) for i in (1, 2))
        return MeshLoss(_roll_row(mesh), mu1[0], mu2[0], tuple(r[0] for r in rows), mu1, mu2, True)
    if said.efficiency is not None:
        one, two = said.efficiency if isinstance(said.efficiency, list) else (said.efficiency, said.efficiency)
        return MeshLoss(_roll_row(mesh), _kappa(one), _kappa(two), rolls=True)
    friction = said.friction_coefficient if rubbing is None else rubbing[0]
    if said.fraction is not None:
        offset = _offset(mesh, said.fraction)
    elif friction is not None:
        offset = _offset(mesh, friction * _mean_factor(mesh))
    else:
        # radii of a row are base radii: an offset at the pitch circle shrinks like the radius
        shrunk = 1.0 if mesh.by_teeth or mesh.pressure_angle is None else math.cos(mesh.pressure_angle)
        offset = (said.force_pole_offset or 0.0) * shrunk
    smaller = min(mesh.base_radius)
    if offset >= smaller:
        raise AssemblyError(
            f"loss of mesh '{mesh.name}': it moves the tooth force by {offset / smaller:.3g} of the smaller wheel's radius; "
            f"from 1 on the mesh can never drive that wheel and the motion is not unique"
        )
    return MeshLoss(_slide_row(mesh), offset, offset)


def losses_of(meshes: dict[str, Mesh]) -> dict[str, MeshLoss]:
    """Losses of all meshes that have one, by mesh."""
    found = {name: mesh_loss(mesh) for name, mesh in meshes.items()}
    return {name: loss for name, loss in found.items() if loss is not None}


def drag_facts(facts: BearingFriction, name: str) -> tuple[float, float, tuple[tuple[float, float], ...]]:
    """Friction torque of a bearing: constant part [N m], viscous part [N m s/rad], table of (speed, extra torque).

    Of ``stribeck`` the difference to the torque at rest has fallen to 1/e at its speed. The table returned is that part of
    the torque which vanishes at rest. Raises AssemblyError for a table that does not begin at speed 0 and rise.
    """
    viscous, constant = facts.viscous or 0.0, facts.torque or 0.0
    table: tuple[tuple[float, float], ...] = ()
    if facts.stribeck is not None:
        s = facts.stribeck
        constant = s.breakaway
        points = [i / 10.0 for i in range(51)]
        extra = s.coulomb - constant
        table = tuple((x * s.speed, extra * (1.0 - math.exp(-x))) for x in points)
    elif facts.table is not None:
        rows = facts.table
        if rows[0][0] != 0.0 or any(b[0] <= a[0] for a, b in zip(rows, rows[1:], strict=False)):
            raise AssemblyError(
                f"friction of bearing '{name}': a table has two points or more, from speed 0 on, rising"
            )
        constant = rows[0][1]
        table = tuple((a, b - constant) for a, b in rows)
    return constant, viscous, table
