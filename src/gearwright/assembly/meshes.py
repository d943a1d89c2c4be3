"""Rows and laws of gear meshes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gearwright.laws.mesh_by_table import DifferentTeeth
from gearwright.laws.mesh_properties import MeshProperties, mean_stiffness
from gearwright.laws.registry import MeshLaw
from gearwright.schema.parts import ToothErrors
from gearwright.stiffness.resolve import teeth_of
from gearwright.system import Law, Row, Spring
from gearwright.train.pair import tooth_numbers
from gearwright.train.train import Mesh, Train

from .motion import AssemblyError, Motions, Terms, add


def _direction(angle: float) -> tuple[float, float]:
    return -math.sin(angle), math.cos(angle)


def working_angle(motions: Motions, mesh: Mesh) -> float | None:
    """Working pressure angle [rad] of a placed mesh; None without a place.

    Where the base radii and the centre distance give the same angle as the train states (to 1e-6), their exact
    one is taken, so that a rigid rotation of the train gives zero deflection to round-off. Where they disagree
    (printed data that do not fit) the stated angle holds: a placed mesh is the projection alone.
    """
    if mesh.angle is None:
        return None
    span = abs(mesh.base_radius[1] - mesh.base_radius[0]) if mesh.internal else sum(mesh.base_radius)
    first, second = (motions.train.bodies[name] for name in mesh.between)
    planet = first if first.on is not None else second
    distance = None
    if planet.on is not None and planet.pin_radius is not None and mesh.on == planet.on:
        distance = planet.pin_radius
    elif first.place is not None and second.place is not None:
        distance = math.dist(first.place, second.place)
    if not distance:
        return mesh.pressure_angle
    stated = mesh.pressure_angle
    if stated is not None and abs(math.cos(stated) * distance / span - 1.0) > 1e-6:
        return stated
    if span > distance:
        raise AssemblyError(
            f"mesh '{mesh.name}': base radii {mesh.base_radius[0]:g} and {mesh.base_radius[1]:g} m do not fit the "
            f"centre distance {distance:g} m"
        )
    return math.acos(span / distance)


def line_angle(motions: Motions, mesh: Mesh) -> float | None:
    """Working pressure angle [rad] of the flank that the rows of a mesh describe: of the other flank it leans the other way."""
    alpha = working_angle(motions, mesh)
    return -alpha if mesh.coasts and alpha is not None else alpha


def flank_row(motions: Motions, mesh: Mesh, flank: int) -> Terms:
    """Row of one flank along its line of action, positive where the flank is pressed.

    ``flank`` is +1 for the positive-facing flank of wheel 1, -1 for the other. External pair, psi the direction
    from wheel 1 to wheel 2, e(b) = (-sin b, cos b)::

        delta = s [ e(psi - s alpha) . (x_1 - x_2) + r_1 th_1 + r_2 th_2 ]

    internal pair (1 planet, 2 ring, psi from the ring to the planet)::

        delta = s [ e(psi - s alpha) . (x_1 - x_2) + r_1 th_1 - r_2 th_2 ]

    A wheel that keeps no translation is carried by its support, which brings in the carrier's rotation. Wheels
    without a place (a train given by tooth numbers) have their rotations seen from the carrier, which is the same
    projection with the mesh's own sum or difference of base radii. Source: S1 digest 4.2 (general form). Where a mesh
    coasts without backlash, the row is that of the other flank with the opposite sign: negative where that flank is pressed.
    """
    r1, r2 = mesh.base_radius
    second = -r2 if (mesh.internal or mesh.same_sense) else r2
    row: Terms = {}
    add(row, motions.rotation(mesh.between[0]), flank * r1)
    add(row, motions.rotation(mesh.between[1]), flank * second)
    places = [motions.translation(name) for name in mesh.between]
    alpha = line_angle(motions, mesh)
    if mesh.angle is not None and alpha is not None:
        ey, ez = _direction(mesh.angle - flank * alpha)
        for sign, (y, z) in zip((flank, -flank), places, strict=True):
            add(row, y, sign * ey)
            add(row, z, sign * ez)
        if mesh.on is None or any(motions.train.bodies[n].pin_radius for n in mesh.between):
            return row
    elif any(motions.keeps(name, "y") for name in mesh.between):
        missing = "azimuth" if mesh.angle is None else "pressure_angle"
        raise AssemblyError(f"mesh '{mesh.name}' has no {missing}; fidelity {motions.fidelity} needs its place")
    if mesh.on is not None:
        add(row, motions.rotation(mesh.on), -flank * (r1 + second))
    return row


def phase_row(motions: Motions, mesh: Mesh) -> Terms:
    """Mesh phase in cycles, rising when the train turns forward: z_1/(2 pi) times wheel 1 seen from the carrier."""
    teeth = mesh.teeth[0] if mesh.teeth else None
    if teeth is None:
        raise AssemblyError(f"mesh '{mesh.name}' has no tooth numbers; its law needs them for the mesh phase")
    row: Terms = {}
    factor = mesh.phase_direction * teeth / (2.0 * math.pi)
    add(row, motions.rotation(mesh.between[0]), factor)
    if mesh.on is not None:
        add(row, motions.rotation(mesh.on), -factor)
    return row


def turn_row(motions: Motions, mesh: Mesh, which: int) -> Terms:
    """Turns of one wheel seen from the carrier, for errors once per revolution."""
    row: Terms = {}
    add(row, motions.rotation(mesh.between[which]), 1.0 / (2.0 * math.pi))
    if mesh.on is not None:
        add(row, motions.rotation(mesh.on), -1.0 / (2.0 * math.pi))
    return row


@dataclass(frozen=True)
class MeshAct:
    """What a mesh becomes: a spring, or a law on one flank row or two."""

    spring: Spring | None
    law: Law | None
    two_flanks: bool
    senses: tuple[Row, ...]
    #: sentences on what the law took, and loads [N] that it is linear about, by mesh
    said: tuple[str, ...] = ()
    references: Mapping[str, float] = field(default_factory=dict)


def reference_stiffness(mesh: Mesh, law: MeshLaw) -> float:
    """Stiffness [N/m] that the damping of a mesh refers to; a user's own law may do without."""
    damped = mesh.damping.ratio is not None or mesh.damping.stiffness_proportional is not None
    try:
        return mean_stiffness(mesh)
    except AssemblyError:
        if not law.own or damped:
            raise
        return 0.0


def mesh_act(
    motions: Motions,
    mesh: Mesh,
    law: MeshLaw,
    damping: float,
    spur: bool = False,
    share: float = 1.0,
    whole: Mesh | None = None,
    place: float = 0.0,
) -> MeshAct:
    """Act of one mesh for the law asked for; ``damping`` [N s/m] along the line of action, ``share`` of the face of the mesh
    ``whole``, whose middle is at ``place`` in face widths from that of the face.

    Raises AssemblyError if a fact that the law needs is missing, or the mesh has something that it does not take.
    """
    if law.own:
        return _own_act(motions, mesh, law, MeshProperties(mesh, damping, share, spur))
    bases = {e.base for e in mesh.excitation}
    senses = []
    if law.phased or "mesh" in bases:
        senses = [Row(f"{mesh.name}.phase", phase_row(motions, mesh), mesh.phase)]
    if not senses and bases:
        senses = [Row(f"{mesh.name}.phase", turn_row(motions, mesh, 0), 0.0)]
    position = {"mesh": 0}
    for base, which in (("first", 0), ("second", 1)):
        if base in bases:
            position[base] = len(senses)
            senses.append(Row(f"{mesh.name}.turn_{base}", turn_row(motions, mesh, which), 0.0))
    excitations = tuple((position[e.base], e.order, e.amplitude, e.phase) for e in mesh.excitation)
    properties = MeshProperties(
        mesh,
        damping,
        share,
        spur,
        excitations,
        len(senses),
        motions.train,
        (place, share),
        whole,
    )
    if law.name == "periodic":
        properties = replace(properties, different=_different(whole or mesh, motions.train, properties.said))
    made = law.act(properties)
    if isinstance(made, Spring):
        return MeshAct(made, None, False, ())
    return MeshAct(
        None,
        made,
        mesh.backlash is not None,
        tuple(senses) if made.senses else (),
        tuple(properties.said),
        properties.references,
    )


def _own_act(motions: Motions, mesh: Mesh, law: MeshLaw, properties: MeshProperties) -> MeshAct:
    """Act of a user's own law: sense rows are the mesh phase and the turns of both wheels, as many as it reads."""
    if mesh.excitation:
        raise AssemblyError(
            f"mesh '{mesh.name}' has a transmission error (excitation), which law {law.name} would not see: take it out, or put it "
            f"into the law"
        )
    made = law.act(properties)
    assert isinstance(made, Law)
    senses = []
    if made.senses:
        senses.append(Row(f"{mesh.name}.phase", phase_row(motions, mesh), mesh.phase))
    for base, which in (("first", 0), ("second", 1)):
        senses.append(Row(f"{mesh.name}.turn_{base}", turn_row(motions, mesh, which), 0.0))
    return MeshAct(None, made, made.rows == 2, tuple(senses[: made.senses]))


def _different(mesh: Mesh, train: Train, said: list[str]) -> DifferentTeeth | None:
    """Deviations and cracks of single teeth for law periodic; None where all teeth are alike or no teeth are known. ``said`` takes
    a sentence on what only law tooth_contact has."""
    facts = mesh.teeth_different
    pair = teeth_of(mesh) if facts else None
    if not facts or pair is None:
        return None
    found = [
        _of_wheel(gear.name, gear.teeth, one, mesh.name, said)
        for gear, one in zip((pair.one, pair.two), facts, strict=True)
    ]
    return DifferentTeeth((found[0][0], found[1][0]), (found[0][1], found[1][1]), tooth_numbers(mesh, train, pair))


def _of_wheel(
    name: str, count: int, facts: ToothErrors | None, mesh: str, said: list[str]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Deviations [m] and remaining parts of the stiffness of all teeth of a wheel."""
    left = [1.0] * count
    if facts is None:
        return (0.0,) * count, tuple(left)
    deviation = [float(x) for x in facts.deviations] or [0.0] * count
    if len(deviation) != count:
        raise AssemblyError(f"mesh '{mesh}': {name} has {count} teeth, pitch_error gives {len(deviation)} deviations")
    for tooth in facts.teeth:
        if tooth.tooth >= count:
            raise AssemblyError(
                f"mesh '{mesh}': {name} has teeth 0 to {count - 1}; pitch_error names tooth {tooth.tooth}"
            )
        deviation[tooth.tooth] += tooth.deviation
        left[tooth.tooth] *= 1.0 - (tooth.crack or 0.0)
    if any(tooth.pit and tooth.pit.depth for tooth in facts.teeth):
        said.append(f"mesh '{mesh}': law periodic leaves out the pits of {name}; law tooth_contact has them")
    return tuple(deviation), tuple(left)
