"""Members and bearings that all kinds of stages share."""

from __future__ import annotations

from typing import Any

from gearwright.errors import listed, nearest
from gearwright.geometry import involute
from gearwright.schema.file import Stage
from gearwright.schema.parts import Bearing as BearingFacts
from gearwright.schema.parts import Member, Wheel

from .bench import Bench, angular_damping, linear_damping
from .pair import Rack
from .train import Bearing, Body

HANDS = {"right": 1, "left": -1, None: 0}


def rack_of(stage: Stage) -> Rack:
    """The basic rack of a stage."""
    return Rack(
        stage.module,
        stage.pressure_angle,
        stage.helix_angle,
        stage.addendum,
        stage.dedendum,
        stage.tool_tip,
        stage.material,
    )


def bearing(
    bench: Bench,
    facts: BearingFacts,
    name: str,
    between: tuple[str, str],
    stage: str | None,
    radius: float | None,
    path: str,
    pin_error: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Add one bearing; ``radius`` turns a tangential stiffness into a torsional one."""
    torsional = facts.torsional_stiffness
    if facts.tangential_stiffness is not None:
        if radius is None:
            bench.wrong("tangential_stiffness needs the base radius of the body; give torsional_stiffness", path)
            return
        torsional = facts.tangential_stiffness * radius**2
        bench.note(
            "derived", name, f"torsional stiffness {torsional:.5g} N m/rad from the tangential one at {radius:.6g} m"
        )
    radial = facts.stiffness
    if facts.matrix is not None:
        torsional = facts.matrix[3][3]
        (yy, yz), (zy, zz) = (tuple(row[1:3]) for row in facts.matrix[1:3])
        radial = ((yy, yz), (zy, zz)) if yy > 0.0 and zz > 0.0 else None
    if bench.new_element(name, path):
        support = facts.support
        if support is not None:
            nodes = [f"{r.name}.{n}" for r in bench.drivetrain.reduced_bodies for n in r.nodes]
            if support not in nodes and "planet" in between[0]:
                support += between[0].rsplit("planet", 1)[1].partition("_")[0]  # every planet on its own node
            if support not in nodes:
                known = listed(nodes) or "none: the file has no reduced_bodies"
                bench.wrong("there is no such node", f"{path}.support", facts.support, known, nearest(support, nodes))
        bench.bearings[name] = Bearing(
            name=name,
            between=between,
            stiffness=radial,
            torsional=torsional or None,
            axial=facts.axial_stiffness or None,
            tilt=facts.tilt_stiffness if facts.tilt_stiffness and any(facts.tilt_stiffness) else None,
            damping=linear_damping(facts.damping),
            torsional_damping=angular_damping(facts.torsional_damping),
            matrix=None if facts.matrix is None else tuple(tuple(row) for row in facts.matrix),
            clearance=facts.clearance,
            pin_error=pin_error,
            friction=facts.friction,
            x=facts.x,
            support=support,
            data=facts.data,
            stage=stage,
            rolling=facts.rolling,
        )


def bearings(
    bench: Bench,
    facts: list[BearingFacts],
    body: str,
    base: str,
    support: str,
    stage: str,
    radius: float | None,
    path: str,
    pin_error: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Add the bearings of one body: ``<body>_bearing``, or ``<body>_<name>`` where there are several."""
    if body in bench.bodies and bench.bodies[body].fixed:
        if facts:
            bench.note("warning", path, f"{body} is fixed: its bearings are left out")
        return
    for i, one in enumerate(facts):
        plain = len(facts) == 1 and one.name is None
        name = f"{body}_{one.name or ('bearing' if plain else f'bearing{i + 1}')}"
        bearing(bench, one, name, (base, support), stage, radius, path, pin_error)


def member(
    bench: Bench,
    stage: str,
    role: Any,
    facts: Member,
    radius: float | None,
    stuff: Stage | None,
    path: str,
    **more: Any,
) -> None:
    """Add a member's body with mass and inertia: given, from an equivalent mass, or of a disc."""
    name = more.pop("name", f"{stage}.{role}")
    if name == f"{stage}.planet1" or not name.startswith(f"{stage}.planet"):
        inertia, mass = bench.inertia_of(facts, radius, f"{stage}.{role}"), facts.mass
        if inertia is None and not facts.fixed and isinstance(facts, Wheel) and stuff is not None:
            mass, inertia = _disc(bench, facts, mass, stuff, f"{stage}.{role}", path)
    else:  # the planets are alike: do not say everything N times
        first = bench.bodies.get(f"{stage}.planet1")
        inertia, mass = (first.inertia, first.mass) if first else (facts.inertia, facts.mass)
    length = (facts.face_width or (stuff.face_width if stuff else None)) if isinstance(facts, Wheel) else None
    bench.add_body(
        Body(
            name=name,
            role=role,
            stage=stage,
            inertia=inertia,
            mass=mass,
            fixed=facts.fixed,
            floating=facts.floating,
            x=facts.x or 0.0,
            length=length,
            **more,
        ),
        path,
    )


def _disc(
    bench: Bench, wheel: Wheel, mass: float | None, stage: Stage, where: str, path: str
) -> tuple[float | None, float | None]:
    """Mass and inertia of a wheel as a disc of its reference circle (an internal wheel: a rim outside its teeth)."""
    if wheel.teeth is None or stage.module is None:
        return mass, None
    reference = 0.5 * wheel.teeth * involute.transverse_module(stage.module, stage.helix_angle)
    material = bench.material(wheel.material or stage.material, path)
    ring = where.endswith(".ring")
    outer = 0.5 * wheel.outer_diameter if ring and wheel.outer_diameter else reference
    bore = 2.0 * reference if ring else wheel.bore
    if ring and wheel.outer_diameter is None:
        return mass, None
    made = bench.disc(where, wheel.face_width or stage.face_width, outer, bore, material)
    if made is None:
        return mass, None
    if mass is None:
        return made
    return mass, made[1] * mass / made[0]


def twice(radius: float | None) -> float | None:
    """A diameter from a radius."""
    return None if radius is None else 2.0 * radius
