"""Bodies, elements, shafts and machines that the file spells out."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

from gearwright.schema.elements import BearingElement, MeshElement
from gearwright.schema.file import NEEDED, BodyFacts, MachineFacts, ShaftFacts
from gearwright.schema.parts import Wheel

from .bench import STEEL, Bench, angular_damping, linear_damping
from .members import HANDS, bearing
from .pair import Rack, Size, mesh, pair_in_place, single_phase, size
from .train import HOUSING, Bearing, Body, Coupling, Damping, Machine, Segment, Shaft

if TYPE_CHECKING:
    from gearwright.schema.elements import AnyElement, Element, MeshElement
    from gearwright.schema.losses import MeshLoss


def body(bench: Bench, facts: BodyFacts) -> None:
    """Add a body of the file."""
    path = f"bodies.{facts.name}"
    inertia = facts.inertia[0] if facts.inertia is not None else None
    mass = facts.mass
    if facts.inertia is None and not facts.fixed:
        material = bench.material(facts.material, path)
        made = bench.disc(path, facts.length, _half(facts.diameter), facts.bore, material)
        if made is not None:
            inertia = made[1] if mass is None else made[1] * mass / made[0]
            mass = made[0] if mass is None else mass
    role: Any = "rotor" if facts.name == "rotor" else ("planet" if facts.on else "body")
    bench.add_body(
        Body(
            name=facts.name,
            role=role,
            inertia=inertia,
            mass=mass,
            count=facts.count,
            pin_radius=facts.pin_radius,
            angle=facts.angle,
            x=facts.x or 0.0,
            fixed=facts.fixed,
            floating=facts.floating,
            length=facts.length,
            diameter=facts.diameter,
            principal=tuple(facts.inertia) if facts.inertia is not None and len(facts.inertia) == 3 else None,
        ),
        path,
    )
    if facts.place is not None:
        if facts.on is not None:
            bench.wrong("a body on a carrier has pin_radius and angle, not a place", f"{path}.place")
        bench.places[facts.name] = facts.place


def ride(bench: Bench, facts: BodyFacts) -> None:
    """Put a body on its carrier, once all bodies are there."""
    if facts.on is None or facts.name not in bench.bodies:
        return
    carrier = bench.body(facts.on, f"bodies.{facts.name}.on")
    if carrier == facts.name:
        bench.wrong("a body cannot ride on itself", f"bodies.{facts.name}.on", facts.on)
    elif carrier is not None:
        bench.bodies[facts.name] = dataclasses.replace(bench.bodies[facts.name], on=carrier)


def _half(diameter: float | None) -> float | None:
    return None if diameter is None else 0.5 * diameter


def _ends(bench: Bench, names: list[str], path: str, frame: bool = True) -> tuple[str, str] | None:
    ends = [bench.body(n, f"{path}.between", frame, value=f"[{', '.join(names)}]") for n in names]
    if ends[0] is None or ends[1] is None:
        return None
    if ends[0] == ends[1]:
        bench.wrong("both ends are the same body", f"{path}.between", f"[{', '.join(names)}]")
        return None
    return ends[0], ends[1]


def element(bench: Bench, facts: AnyElement) -> None:
    """Add an element of the file."""
    path = f"elements.{facts.name}"
    ends = _ends(bench, facts.between, path)
    if ends is None:
        return
    if isinstance(facts, MeshElement):
        _mesh(bench, facts, ends, path)
    elif isinstance(facts, BearingElement):
        bearing(bench, facts, facts.name, ends, None, None, path)
        a, b = ends
        if a != HOUSING and b != HOUSING and bench.bodies[a].on is None and bench.bodies[b].on is None:
            bench.coaxial.append((a, b, (0.0, 0.0)))
    elif bench.new_element(facts.name, path):
        bench.couplings[facts.name] = Coupling(facts.name, facts.type, ends, _parameters(facts))


def _parameters(facts: Element) -> dict[str, Any]:
    """The facts of an element that stay with it, in SI; dampings as the train holds them."""
    parameters: dict[str, Any] = {}
    for key in type(facts).model_fields:
        value = getattr(facts, key)
        if key in ("name", "type", "between") or value is None:
            continue
        parameters[key] = angular_damping(value) if "damping" in key or key == "viscous" else value
        if key == "capacity":
            parameters[key], parameters["rise"] = value.torque, value.rise
    if any(end.endswith((".start", ".end")) for end in facts.between):
        parameters["points"] = tuple(facts.between)
    return parameters


def _turned(loss: MeshLoss, ratio: float) -> MeshLoss:
    """A loss by direction, or as a table over the speed of wheel 1, for wheels that have changed their order.

    ``ratio`` is the speed of the new wheel 1 over that of the old one.
    """
    given = loss.efficiency
    if given is None or isinstance(given, float):
        return loss
    if isinstance(given, list):
        return loss.model_copy(update={"efficiency": given[::-1]})
    turned = [[row[0] * ratio, *row[:0:-1]] for row in given.table]
    return loss.model_copy(update={"efficiency": given.model_copy(update={"table": turned})})


def _mesh(bench: Bench, facts: MeshElement, ends: tuple[str, str], path: str) -> None:
    if not _may_mesh(bench, facts, ends, path):
        return
    on = bench.body(facts.on, f"{path}.on") if facts.on is not None else None
    radii = facts.base_radius
    if facts.base_diameter is not None:
        radii = (0.5 * facts.base_diameter[0], 0.5 * facts.base_diameter[1])
    rack = Rack(facts.module, facts.pressure_angle, facts.helix_angle)
    if radii is None and facts.module is not None and facts.pressure_angle is None:
        bench.wrong("missing: 'pressure_angle' is needed with teeth and module", path)
        return
    measure = radii if radii is not None else facts.teeth
    assert measure is not None
    flip = facts.internal and measure[0] > measure[1]  # wheel 1 of an internal pair is the planet
    order = (1, 0) if flip else (0, 1)
    sizes = [_size(bench, facts, rack, i, radii, facts.internal and i == order[1], path) for i in order]
    if facts.internal and sizes[0].base_radius >= sizes[1].base_radius:
        bench.wrong("the ring of an internal mesh must be larger than its pinion", path)
        return
    said = facts.pressure_angle if facts.module is None else None
    pair = pair_in_place(bench, rack, sizes[0], sizes[1], facts.internal, facts.centre_distance, said, path, path)
    if pair is None:
        return
    azimuth = facts.azimuth
    riding = next((bench.bodies[e] for e in ends if bench.bodies[e].on == on and bench.bodies[e].pin_radius), None)
    if azimuth is None and on is not None and riding is not None:
        azimuth = riding.angle
    names = (ends[order[0]], ends[order[1]])
    hand, same = HANDS[facts.hand], facts.same_sense
    made = mesh(bench, rack, pair, facts, facts.name, names, path, on=on, angle=azimuth, hand=hand, same_sense=same)
    if flip and made.loss is not None:
        made = dataclasses.replace(made, loss=_turned(made.loss, measure[0] / measure[1]))
    if facts.face_width is not None:
        made = dataclasses.replace(made, face_width=facts.face_width)
    if bench.new_element(made.name, path):
        bench.meshes[made.name] = made
        bench.phases.append(lambda meshes: single_phase(meshes, made.name, rack, pair, facts))
        if on is None and azimuth is not None and pair.centre_distance is not None:
            # the azimuth of an internal mesh points from ring to planet
            distance = -pair.centre_distance if facts.internal else pair.centre_distance
            bench.coaxial.append((*names, (distance * math.cos(azimuth), distance * math.sin(azimuth))))


def _may_mesh(bench: Bench, facts: MeshElement, ends: tuple[str, str], path: str) -> bool:
    """Whether two bodies can mesh where the file says; says what is wrong if not."""
    if HOUSING in ends:
        bench.wrong(
            "a mesh is between two bodies; a fixed wheel is a body with fixed: true", f"{path}.between", HOUSING
        )
        return False
    if facts.on is not None:
        return bench.body(facts.on, f"{path}.on") is not None
    rider = next((e for e in ends if bench.bodies[e].on), None)
    if rider is not None:
        bench.wrong(
            f"missing: 'on' names the carrier of this mesh, since {rider} rides on {bench.bodies[rider].on}", path
        )
    return rider is None


def _size(
    bench: Bench, facts: MeshElement, rack: Rack, i: int, radii: tuple[float, float] | None, ring: bool, path: str
) -> Size:
    """Size of wheel ``i`` of a mesh element."""
    wheel = Wheel(
        teeth=facts.teeth[i] if facts.teeth is not None else None,
        base_radius=radii[i] if radii is not None else None,
        profile_shift=facts.profile_shift[i],
    )
    found = size(bench, rack, wheel, facts.face_width, f"{path}.wheel{i + 1}", ring)
    assert found is not None
    return found


def shaft(bench: Bench, facts: ShaftFacts) -> None:
    """Add a shaft: one spring, a chain of elements with consistent inertia, or a joining of two bodies."""
    path = f"shafts.{facts.name}"
    ends = _ends(bench, facts.between, path, frame=True)
    if ends is None:
        return
    if facts.rigid and HOUSING in ends:
        bench.wrong("a rigid shaft to the housing fixes the body: say fixed: true there", f"{path}.between")
        return
    if not bench.new_element(facts.name, path):
        return
    a, b = ends
    if HOUSING not in ends:
        bench.coaxial.append((a, b, (0.0, 0.0)))
    if facts.rigid:
        bench.rigid.append((a, b, path))
        return
    stiffness, polar = facts.torsional_stiffness, 0.0
    held: tuple[Bearing, ...] = ()
    steel = STEEL
    segments = _segments(facts)
    if segments:
        material = bench.material(facts.material, f"{path}.material")
        steel = material or STEEL
        areas = [math.pi / 32.0 * (s.diameter**4 - s.bore**4) for s in segments]
        polar = areas[0]
        bar = steel.shear_modulus / sum(s.length / a for s, a in zip(segments, areas, strict=True))
        held = _held(bench, facts, path)
        level = "derived" if material else "assumed"
        if stiffness is None:
            stiffness = bar
            bench.note(
                level,
                path,
                f"torsional stiffness {bar:.5g} N m/rad of a round bar, shear modulus {steel.shear_modulus:.4g} Pa"
                + ("" if material else " (steel, no material is given)"),
            )
        elif abs(bar - stiffness) > 0.05 * stiffness:
            bench.note(
                "warning", path, f"torsional stiffness {stiffness:.5g} N m/rad is given, its dimensions make {bar:.5g}"
            )
        polar *= steel.density
    assert stiffness is not None
    damping = angular_damping(facts.damping)
    if facts.elements is None:
        made = Shaft(facts.name, ends, stiffness, facts.bending_stiffness, damping, _bending(bench, facts, path))
        if segments:
            made = _beam(made, facts, segments, steel, held)
        bench.shafts[facts.name] = made
        return
    count = facts.elements
    consistent = polar * (facts.length or 0.0) / count
    if damping.value is not None:
        damping = dataclasses.replace(damping, value=damping.value * count)
    if facts.bending_stiffness is not None and count > 1:
        bench.wrong(
            "a shaft divided into elements twists only; leave its bending_stiffness away", f"{path}.bending_stiffness"
        )
    nodes = [a, *(f"{facts.name}.node{i}" for i in range(1, count)), b]
    for node in nodes[1:-1]:
        bench.add_body(Body(name=node, role="shaft", inertia=0.0), path)
        bench.coaxial.append((a if a != HOUSING else b, node, (0.0, 0.0)))
    for i in range(count):
        name = facts.name if count == 1 else f"{facts.name}.part{i + 1}"
        bench.shafts[name] = Shaft(
            name,
            (nodes[i], nodes[i + 1]),
            stiffness * count,
            facts.bending_stiffness,
            damping,
            None,
            consistent,
            facts.name,
        )
    bench.note("derived", path, f"inertia {polar * (facts.length or 0.0):.5g} kg m² spread over {count} elements")


def _bending(bench: Bench, facts: ShaftFacts, path: str) -> Damping | None:
    """Damping of a beam in bending and along its axis, where the file gives it."""
    if facts.bending_damping is None:
        return None
    if facts.bending_damping.value is not None:
        bench.wrong(
            "a beam bends and stretches in several ways: no one value in N s/m damps them",
            f"{path}.bending_damping",
            facts.bending_damping.value,
            "{ratio: 2 %}, or {stiffness_proportional: 1e-3 s}",
        )
    return linear_damping(facts.bending_damping)


def _segments(facts: ShaftFacts) -> tuple[Segment, ...]:
    """Cross-sections of a shaft from its first end on; none without dimensions."""
    if facts.sections:
        return tuple(Segment(s.length, s.diameter, s.bore) for s in facts.sections)
    if facts.length is None or facts.diameter is None:
        return ()
    return (Segment(facts.length, facts.diameter, facts.bore or 0.0),)


def _beam(
    plain: Shaft, facts: ShaftFacts, segments: tuple[Segment, ...], steel: Any, held: tuple[Bearing, ...]
) -> Shaft:
    """A shaft with what dimensions add to it where bodies have six motions."""
    crooked = facts.misalignment
    return dataclasses.replace(
        plain,
        segments=segments,
        young=steel.young,
        shear=steel.shear_modulus,
        density=steel.density,
        bearings=held,
        gauges=tuple(facts.gauges),
        spline=facts.spline,
        offset=crooked.offset if crooked else (0.0, 0.0),
        angle=crooked.angle if crooked else (0.0, 0.0),
    )


def _held(bench: Bench, facts: ShaftFacts, path: str) -> tuple[Bearing, ...]:
    """Bearings along a shaft with dimensions, which hold it where bodies have six motions."""
    held = []
    for i, one in enumerate(facts.bearings):
        name = f"{facts.name}_{one.name or f'bearing{i + 1}'}"
        bearing(bench, one, name, (facts.name, HOUSING), None, None, f"{path}.bearings.{i}")
        if name in bench.bearings:
            held.append(bench.bearings.pop(name))
    return tuple(held)


def machine_body(bench: Bench, facts: MachineFacts) -> None:
    """A machine with inertia that drives nothing else is a body of its own name."""
    if facts.inertia is not None and not facts.drives and facts.name not in bench.bodies:
        bench.add_body(
            Body(name=facts.name, role="machine", inertia=facts.inertia, mass=facts.mass), f"machines.{facts.name}"
        )


def machine(bench: Bench, facts: MachineFacts) -> None:
    """Attach a machine to the bodies it drives; its inertia joins theirs."""
    path = f"machines.{facts.name}"
    if facts.name in bench.machines:
        bench.wrong("this name is given twice", path, facts.name)
        return
    missing = [key for key in NEEDED.get(facts.type, ()) if key not in facts.parameters.said]
    if missing:
        bench.wrong(f"missing: a {facts.type} machine needs {', '.join(missing)}", f"{path}.parameters")
    driven = facts.drives or ([facts.name] if facts.name in bench.bodies else [])
    if not driven:
        bench.wrong("this machine drives nothing", path, allowed="drives: a body; or inertia, then it is a body itself")
        return
    bodies = [name for name in (bench.body(d, f"{path}.drives") for d in driven) if name is not None]
    if len(bodies) != len(driven):
        return
    own = bodies[0]
    if facts.name != own and facts.inertia is not None:
        if len(bodies) > 1:
            bench.wrong("the inertia of a machine that drives several bodies belongs to these", f"{path}.inertia")
        old = bench.bodies[own]
        bench.bodies[own] = dataclasses.replace(
            old,
            inertia=(old.inertia or 0.0) + facts.inertia,
            mass=None if old.mass is None else old.mass + (facts.mass or 0.0),
        )
        bench.note("derived", own, f"inertia {facts.inertia:.5g} kg m² of machine {facts.name} added")
    drives = tuple(bodies) if len(bodies) > 1 else ()
    bench.machines[facts.name] = Machine(
        facts.name, facts.type, own, facts.parameters, facts.efficiency, facts.pedal, facts.magnetic_pull, drives
    )
