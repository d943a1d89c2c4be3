"""A mechanism from a drivetrain file: bodies with places in space, joints, gear rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gearwright.laws.clearance import clearance
from gearwright.multibody import Body, Joint, Load, Mechanism, MultibodyError
from gearwright.multibody.elements import matrix
from gearwright.multibody.simulate import default_step
from gearwright.remarks import assumed
from gearwright.schema.file import Placement
from gearwright.train.train import Bearing

from .motion import AssemblyError
from .multibody_laws import gear_law, rubbing_of
from .multibody_pairs import pair_gear
from .rolling import carries_inner, rolling_law, turns_read

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def direction(value: Any) -> tuple[float, float, float] | None:
    """A direction of the file: an axis by its letter, or a vector."""
    if value is None:
        return None
    if isinstance(value, str):
        return _AXES[value]
    x, y, z = (float(v) for v in value)
    return x, y, z


def mechanism(
    drivetrain: Any,
    loads: list[Load] | None = None,
    motors: Sequence[Joint] = (),
    capacities: dict[str, tuple[list[float], list[float]]] | None = None,
) -> Mechanism:
    """The mechanism of a drivetrain file (fidelity ``multibody``), closed up.

    motors : joints that a case adds; capacities : of brakes and clutches over time, where a case changes them.

    Bodies need a mass and three principal inertias. ``assembly`` gives rough or exact places: ``at`` (mass centre),
    ``angle`` and ``about`` (an axis), or ``euler``. Stages are not turned into mechanisms: spell the bodies out.

    Raises MultibodyError with what is missing, or does not fit.
    """
    if drivetrain.stages or drivetrain.shafts or drivetrain.machines:
        raise MultibodyError(
            "fidelity multibody takes bodies and elements; stages, shafts and machines are for torsional and planar"
        )
    places = drivetrain.assembly or {}
    names = {b.name for b in drivetrain.bodies}
    for name in places:
        if name not in names:
            raise MultibodyError(f"assembly: there is no body '{name}' (bodies: {', '.join(sorted(names))})")
    bodies = [_body(b, places.get(b.name) or Placement.silent()) for b in drivetrain.bodies]
    pairs = {
        e.name: pair_gear(drivetrain, e, bodies, _AXES[e.axis] if isinstance(e.axis, str) else e.axis)
        for e in drivetrain.elements
        if getattr(e, "pair", None) is not None
    }
    joints = [
        one
        for e in drivetrain.elements
        for one in ([pairs[e.name].joint] if e.name in pairs else _joints(drivetrain, e, bodies, capacities or {}))
    ]
    joints += motors
    gravity = (0.0, 0.0, 0.0)
    if drivetrain.gravity is not None:
        g = drivetrain.gravity
        gravity = (
            g.vector
            if g.vector is not None
            else (g.acceleration * math.sin(g.tilt), 0.0, -g.acceleration * math.cos(g.tilt))
        )

    def made(rubbing: Sequence[Joint] = ()) -> Mechanism:
        return Mechanism(
            bodies,
            [*joints, *rubbing],
            loads or [],
            gravity,
            drivetrain.model.redundant or "drop",
            drivetrain.model.stabilisation,
        )

    whole = made()
    for pair in pairs.values():
        pair.check(whole)
    step = float(drivetrain.model.step or default_step(whole)) if pairs else 0.0
    rubbing = [one for pair in pairs.values() if (one := pair.loss(step)) is not None]
    whole = made(rubbing) if rubbing else whole
    if drivetrain.gravity is None and not drivetrain.model.gravity:
        whole.notes.append(assumed("no gravity: bodies have no weight (gravity: [0, 0, -9.81] gives it)"))
    whole.notes += [note for pair in pairs.values() for note in pair.work.said()]
    return whole


def _body(b: Any, place: Placement) -> Body:
    if b.mass is None or b.inertia is None or len(b.inertia) != 3:
        raise MultibodyError(f"body '{b.name}': a mechanism needs its mass and three principal inertias")
    euler = [float(x) for x in place.euler or (1.0, 0.0, 0.0, 0.0)]
    if place.angle is not None:
        axis = np.asarray(direction(place.about or "x"), float)
        half = 0.5 * place.angle
        euler = [math.cos(half), *(math.sin(half) * axis / np.linalg.norm(axis))]
    points = {name: tuple(p) for name, p in b.points.items()}
    if b.length is not None:
        along = np.eye(3)[int(np.argmin(b.inertia))]  # a rod lies along its axis of least inertia
        points = {"start": -0.5 * b.length * along, "end": 0.5 * b.length * along, **points}
    where: Any = place.at
    if where is None:
        # a rod placed by its angle alone starts at the origin
        where = (0.0, 0.0, 0.0)
        if place.angle is not None and "start" in points:
            where = -matrix(euler) @ np.asarray(points["start"])
    return Body(b.name, b.mass, tuple(b.inertia), [float(x) for x in where], euler, points)


def axis_of(drivetrain: Any, names: Sequence[str], what: str) -> tuple[float, float, float]:
    """Axis about which bodies turn: that of a joint between the first and the housing, or of any joint or gear of it.

    Raises MultibodyError without one.
    """
    found = None
    for e in drivetrain.elements:
        sides = [x if x in names else x.rsplit(".", 1)[0] for x in e.between]
        axis = direction(getattr(e, "axis", None))
        if names[0] not in sides or axis is None:
            continue
        if "housing" in sides or all(n in sides for n in names):
            return axis
        found = found or axis
    if found is None:
        raise MultibodyError(f"{what}: no joint of '{names[0]}' says about which axis it turns")
    return found


def _value(e: Any, damping: Any, stiffness: float | None) -> float:
    if damping is None:
        return 0.0
    if damping.value is not None:
        return float(damping.value)
    if damping.stiffness_proportional is not None and stiffness is not None:
        return float(damping.stiffness_proportional * stiffness)
    raise MultibodyError(
        f"joint '{e.name}': a damping ratio has no meaning in a mechanism; give a value or stiffness_proportional"
    )


def _joints(
    drivetrain: Any, e: Any, bodies: list[Body], capacities: Mapping[str, tuple[list[float], list[float]]]
) -> list[Joint]:
    """The joint of an element, and a second one for friction in it."""
    if e.type in ("brake", "clutch", "drag"):
        return [_rubbing(drivetrain, e, bodies, capacities)]
    if e.type not in _TYPES:
        raise MultibodyError(
            f"element '{e.name}' of type {e.type} does not belong to a mechanism; it knows {', '.join(_TYPES)}, brake, "
            f"clutch and drag"
        )
    joint = Joint(e.type, e.name, e.between[0], e.between[1], axis=direction(e.axis))
    if e.type in ("gear", "simple_gear"):
        mean = None if e.stiffness is None else e.stiffness.mean
        law = gear_law(e, _value(e, e.damping, mean))
        gear = replace(
            joint,
            radius=tuple(e.radius),
            pressure_angle=e.pressure_angle,
            helix_angle=e.helix_angle,
            internal=e.internal,
            carrier=e.carrier,
            flank=e.flank,
        )
        if law is None:
            return [replace(gear, stiffness=mean, damping=_value(e, e.damping, mean))]
        return [replace(gear, law=law, teeth=e.teeth[0] if law.senses else None, phase=e.phase)]
    if e.rolling is not None:
        return [_rolling(e), *_friction_of(drivetrain, e, bodies)]
    if e.clearance is not None:
        joint = replace(joint, law=clearance(e.stiffness, _value(e, e.damping, e.stiffness), e.clearance))
    else:
        joint = replace(joint, stiffness=e.stiffness, damping=_value(e, e.damping, e.stiffness))
    made = replace(
        joint,
        through=e.through,
        angular_stiffness=e.angular_stiffness,
        angular_damping=_value(e, e.angular_damping, e.angular_stiffness),
        length=e.length,
        speed=e.speed,
        acceleration=e.acceleration,
        matrix=e.matrix,
        damping_matrix=e.damping_matrix,
    )
    return [made, *_friction_of(drivetrain, e, bodies)]


def _friction_of(drivetrain: Any, e: Any, bodies: list[Body]) -> list[Joint]:
    """Friction in a joint."""
    if e.friction is None:
        return []
    axis = direction(e.axis)
    assert axis is not None
    law = rubbing_of(
        e.name,
        ([0.0], [e.friction.torque]),
        _value(e, e.friction.viscous, None),
        e.friction.creep,
        _mobility(bodies, e.between, axis),
        drivetrain.model.step,
    )
    return [Joint("torsion_spring", f"{e.name}_friction", e.between[0], e.between[1], axis=axis, law=law)]


def _rolling(e: Any) -> Joint:
    """A bearing by its rolling elements in place of a radial or revolute joint, its axis that of the joint."""
    if e.damping is not None and e.damping.ratio is not None:
        raise MultibodyError(
            f"joint '{e.name}': a damping ratio has no meaning in a mechanism; give a value or stiffness_proportional"
        )
    damping = (0.0, 0.0) if e.damping is None else (e.damping.value or 0.0, e.damping.stiffness_proportional or 0.0)
    bearing = Bearing(e.name, tuple(e.between), rolling=e.rolling)
    inner = carries_inner(bearing, None)
    try:
        law, geometry = rolling_law(bearing, inner, damping, e.type == "revolute")
    except AssemblyError as error:
        raise MultibodyError(str(error)) from None
    return Joint(
        "rolling",
        e.name,
        e.between[0],
        e.between[1],
        axis=direction(e.axis),
        through=e.through,
        law=law,
        watched=turns_read(geometry, inner, law),
    )


def _rubbing(
    drivetrain: Any, e: Any, bodies: list[Body], capacities: Mapping[str, tuple[list[float], list[float]]]
) -> Joint:
    """A brake, clutch or drag: friction about the axis that the joints of its bodies give."""
    names = [x for x in e.between if x != "housing"]
    axis = axis_of(drivetrain, names, f"element '{e.name}'")
    viscous = 0.0
    if e.type == "drag":
        table = ([0.0], [float(e.torque)])
        viscous = _value(e, e.viscous, None)
    else:
        full = float(e.capacity.torque) if e.engaged else 0.0
        table = capacities.get(e.name, ([0.0], [full]))
    law = rubbing_of(e.name, table, viscous, None, _mobility(bodies, e.between, axis), drivetrain.model.step)
    return Joint("torsion_spring", e.name, e.between[0], e.between[1], axis=axis, law=law)


def _mobility(bodies: list[Body], between: Sequence[str], axis: tuple[float, float, float]) -> float:
    """Angular acceleration between two free bodies per torque about an axis [1/(kg m^2)]."""
    total, unit = 0.0, np.asarray(axis, float) / np.linalg.norm(axis)
    for b in bodies:
        if b.name in between or any(x.rsplit(".", 1)[0] == b.name for x in between):
            own = matrix(np.asarray(b.euler, float) / np.linalg.norm(b.euler)).T @ unit
            total += float(np.sum(own**2 / np.asarray(b.inertia)))
    return total


_TYPES = (
    "spherical", "revolute", "cylindrical", "translational", "universal", "fixed", "rigid", "planar", "point_on_line",
    "radial", "axial", "parallel", "distance", "lock", "motor", "gear", "simple_gear", "point_spring",
    "torsion_spring", "bushing",
)  # fmt: skip
