"""A mechanism from a drivetrain file: bodies with places in space, joints, gear rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gearwright.multibody import Body, Joint, Load, Mechanism, MultibodyError

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def direction(value: Any) -> tuple[float, float, float] | None:
    """A direction of the file: an axis by its letter, or a vector."""
    if value is None:
        return None
    if isinstance(value, str):
        return _AXES[value]
    x, y, z = (float(v) for v in value)
    return x, y, z


def mechanism(drivetrain: Any, loads: list[Load] | None = None) -> Mechanism:
    """The mechanism of a drivetrain file (fidelity ``multibody``), closed up.

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
    bodies = [_body(b, places.get(b.name, {})) for b in drivetrain.bodies]
    joints = [_joint(e) for e in drivetrain.elements]
    gravity = (0.0, 0.0, 0.0)
    if drivetrain.gravity is not None:
        g = drivetrain.gravity
        gravity = g.vector if g.vector is not None else (
            g.acceleration * math.sin(g.tilt), 0.0, -g.acceleration * math.cos(g.tilt)
        )  # fmt: skip
    return Mechanism(bodies, joints, loads or [], gravity, drivetrain.model.redundant, drivetrain.model.stabilisation)


def _body(b: Any, place: dict[str, Any]) -> Body:
    if b.mass is None or b.inertia is None or len(b.inertia) != 3:
        raise MultibodyError(f"body '{b.name}': a mechanism needs its mass and three principal inertias")
    unknown = set(place) - {"at", "angle", "about", "euler"}
    if unknown:
        raise MultibodyError(f"assembly.{b.name}: '{min(unknown)}' is none of at, angle, about, euler")
    euler = [float(x) for x in place.get("euler", (1.0, 0.0, 0.0, 0.0))]
    if "angle" in place:
        axis = np.asarray(direction(place.get("about", "x")), float)
        half = 0.5 * float(place["angle"])
        euler = [math.cos(half), *(math.sin(half) * axis / np.linalg.norm(axis))]
    points = {name: tuple(p) for name, p in b.points.items()}
    if b.length is not None:
        along = np.eye(3)[int(np.argmin(b.inertia))]  # a rod lies along its axis of least inertia
        points = {"start": -0.5 * b.length * along, "end": 0.5 * b.length * along, **points}
    where = place.get("at")
    if where is None:
        # a rod placed by its angle alone starts at the origin
        where = (0.0, 0.0, 0.0)
        if "angle" in place and "start" in points:
            from gearwright.multibody.mechanism import matrix

            where = -matrix(euler) @ np.asarray(points["start"])
    return Body(b.name, b.mass, tuple(b.inertia), [float(x) for x in where], euler, points)


def _joint(e: Any) -> Joint:
    if e.type not in _TYPES:
        raise MultibodyError(
            f"element '{e.name}' of type {e.type} does not belong to a mechanism; it knows {', '.join(_TYPES)}"
        )
    if getattr(e, "friction", None) is not None:
        raise MultibodyError(f"joint '{e.name}': friction of joints is not computed by this version")

    def value(damping: Any) -> float:
        if damping is None:
            return 0.0
        if damping.value is None:
            raise MultibodyError(f"joint '{e.name}': give its damping as a value")
        return float(damping.value)

    shared: dict[str, Any] = {
        "kind": e.type, "name": e.name, "first": e.between[0], "second": e.between[1], "axis": direction(e.axis),
        "stiffness": e.stiffness, "damping": value(e.damping),
    }  # fmt: skip
    if e.type in ("gear", "simple_gear"):
        return Joint(**shared, radius=tuple(e.radius), pressure_angle=e.pressure_angle, helix_angle=e.helix_angle,
                     internal=e.internal, carrier=e.carrier, flank=e.flank)  # fmt: skip
    return Joint(**shared, through=e.through, angular_stiffness=e.angular_stiffness,
                 angular_damping=value(e.angular_damping), length=e.length, speed=e.speed,
                 acceleration=e.acceleration)  # fmt: skip


_TYPES = (
    "spherical", "revolute", "cylindrical", "translational", "universal", "fixed", "rigid", "planar", "point_on_line",
    "radial", "axial", "parallel", "distance", "lock", "motor", "gear", "simple_gear", "point_spring",
    "torsion_spring", "bushing",
)  # fmt: skip
