"""Wheels and meshes as the page draws them: tooth profiles, angular places of the teeth, contact geometry.

Teeth come from the geometry room. The angle of a wheel's tooth 0 at rest follows from contact on the loaded flank:
a mesh's phase places the teeth of the first wheel, the contact point those of its mate, and so on through the
plane, so that drawn teeth touch where the model's do. A wheel whose teeth are not known is a plain disc.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

from gearwright.geometry import involute
from gearwright.geometry.gear import Gear, GeometryError
from gearwright.geometry.outline import half_tooth
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh, Train

from .places import Plane, wheel_width

#: Points on the involute and on the fillet of a drawn half tooth.
FLANK, FILLET = 7, 4
STEEL = (206e9, 0.3)


@dataclass
class Disc:
    """One wheel of a body in one plane. ``offset`` is the angle of its tooth 0 at rest, ``twist`` its helix
    [rad/m]; ``gear`` is None for a plain disc of ``radius``."""

    body: str
    plane: str
    x: float
    width: float
    radius: float
    ring: bool
    gear: Gear | None = None
    offset: float | None = None
    twist: float | None = None
    nominal: bool = False


@dataclass
class Contact:
    """Geometry of contact of a mesh: discs, direction of the centres, path by the arc ``s`` of wheel 1."""

    mesh: Mesh
    discs: tuple[int, int]
    angle: float
    working_angle: float
    base: tuple[float, float]
    start: float
    end: float
    pitch: float
    distance: float
    true_teeth: bool


class DiscRecord(TypedDict):
    """A wheel, with half a tooth from root to tip where its teeth are known."""

    body: int
    x: float
    width: float
    ring: bool
    radius: float
    plane: str
    bore: float | None
    teeth: NotRequired[int]
    offset: NotRequired[float]
    twist: NotRequired[float]
    rim: NotRequired[float]
    root: NotRequired[float]
    tip: NotRequired[float]
    base: NotRequired[float]
    half: NotRequired[float]
    module: NotRequired[float]
    profile: NotRequired[list[list[float]]]


class ContactRecord(TypedDict):
    """Contact of a mesh: its path by the arc of wheel 1, moduli and stiffness for the pressure."""

    name: str
    stage: str | None
    discs: list[int]
    on: int
    angle: float
    internal: bool
    sigma: float
    base: list[float]
    workingAngle: float
    start: float
    end: float
    pitch: float
    distance: float
    teeth: bool
    width: float
    modulus: float
    stiffness: float | None


@dataclass
class Wheels:
    """All discs and contacts of a train, and what had to be simplified."""

    discs: list[Disc] = field(default_factory=list)
    contacts: list[Contact] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def wheels_of(train: Train, planes: list[Plane], places: dict[str, tuple[float, float]]) -> Wheels:
    """Discs and contacts, plane by plane."""
    made = Wheels()
    plain: list[str] = []
    nominal: list[str] = []
    for plane in planes:
        index: dict[str, int] = {}
        for name in plane.meshes:
            _add(train, plane, train.meshes[name], places, index, made, plain, nominal)
    if plain:
        made.notes.append(f"Plain discs in place of teeth, whose geometry the file does not give: {_listed(plain)}.")
    if nominal:
        made.notes.append(
            f"Teeth from tooth number and base circle alone (20 deg, standard height) in {_listed(nominal)}."
        )
    return made


def _listed(names: list[str]) -> str:
    kinds = list(dict.fromkeys(names))
    return ", ".join(kinds[:4]) + (f" and {len(kinds) - 4} more" if len(kinds) > 4 else "")


def _add(
    train: Train,
    plane: Plane,
    mesh: Mesh,
    places: dict[str, tuple[float, float]],
    index: dict[str, int],
    made: Wheels,
    plain: list[str],
    nominal: list[str],
) -> None:
    (y1, z1), (y2, z2) = (places[b] for b in mesh.between)
    away = (z1 - z2, y1 - y2) if mesh.internal else (z2 - z1, y2 - y1)
    distance = math.hypot(*away)
    angle = math.atan2(*away) if distance > 1e-9 else (mesh.angle or 0.0)
    gears: list[Gear | None] = [None, None]
    base = mesh.base_radius
    try:
        pair = tooth_pair(mesh)
        gears = [pair.one, pair.two]
        base, working, start, end = pair.base_radii, pair.working_angle, pair.path.start, pair.path.end
        pitch, true_teeth = pair.path.base_pitch, True
    except (GeometryError, ValueError, TypeError, KeyError):
        true_teeth = False
        total = abs(base[1] - base[0]) if mesh.internal else base[0] + base[1]
        given = mesh.pressure_angle or math.radians(20.0)
        working = math.acos(total / distance) if 1.0 < distance / max(total, 1e-12) < 1.4 else given
        if mesh.teeth is not None and not mesh.same_sense:
            gears = [_nominal(mesh, 0), _nominal(mesh, 1)]
        pitch = 2.0 * math.pi * base[0] / mesh.teeth[0] if mesh.teeth else base[0]
        at = base[0] * math.tan(working)
        start, end = at, at
        if gears[0] is not None and gears[1] is not None:
            try:
                tips = (gears[0].tip_radius, gears[1].tip_radius)
                path = involute.path_of_contact(base, tips, working, pitch, mesh.internal)
                start, end = path.start, path.end
            except ValueError:
                pass
            nominal.append(mesh.stage or mesh.name)
        else:
            plain.append(mesh.stage or mesh.name)
    numbers = []
    for i, body in enumerate(mesh.between):
        if body not in index:
            index[body] = len(made.discs)
            made.discs.append(
                Disc(
                    body,
                    plane.name,
                    plane.x,
                    wheel_width(train, mesh, body),
                    base[i] / math.cos(working),
                    mesh.internal and i == 1,
                    gears[i],
                    nominal=not true_teeth,
                )
            )
        numbers.append(index[body])
    contact = Contact(mesh, (numbers[0], numbers[1]), angle, working, base, start, end, pitch, distance, true_teeth)
    made.contacts.append(contact)
    one, two = made.discs[numbers[0]], made.discs[numbers[1]]
    if one.gear is not None and two.gear is not None:
        _turn(contact, one, two)


def _nominal(mesh: Mesh, i: int) -> Gear | None:
    """A standard gear of the mesh's tooth number and base circle; None where such a tooth cannot be cut."""
    assert mesh.teeth is not None
    angle = math.radians(20.0)
    module = 2.0 * mesh.base_radius[i] / (mesh.teeth[i] * math.cos(angle))
    try:
        gear = Gear(mesh.teeth[i], module, ring=mesh.internal and i == 1)
        half_tooth(gear, 3, 3)
    except (GeometryError, ValueError, ZeroDivisionError):
        return None
    return gear


def _turn(contact: Contact, one: Disc, two: Disc) -> None:
    """Angles of the teeth and helices of what a mesh's wheels do not yet have."""
    assert one.gear is not None and two.gear is not None
    mesh, sense = contact.mesh, 1.0 if contact.mesh.internal else -1.0
    ratio = contact.base[0] / contact.base[1]
    if one.twist is None and two.twist is None:
        hand = float(mesh.hand) or (-1.0 if mesh.internal else 1.0)
        beta = mesh.helix_angle or abs(one.gear.helix_angle)
        one.twist = hand * math.tan(beta) / one.gear.reference_radius
    if one.twist is None:
        one.twist = sense * (two.twist or 0.0) / ratio
    if two.twist is None:
        two.twist = sense * one.twist * ratio
    if one.offset is None:
        rising = mesh.sigma * mesh.phase_direction > 0
        along = mesh.phase * contact.pitch
        s = contact.start + along if rising else contact.end - along
        psi = one.gear.base_half_angle
        free = contact.angle + mesh.sigma * (s / contact.base[0] - psi - contact.working_angle)
        if two.offset is None:
            one.offset = free
        else:  # the second wheel stands already: turn the first one to it
            one.offset = free + sense * (two.offset - mate_offset(contact, one, two, free)) / ratio
    if two.offset is None:
        two.offset = mate_offset(contact, one, two, one.offset)


def contact_arc(contact: Contact, psi: float, offset: float) -> float:
    """Arc ``s`` of wheel 1 where the pair nearest after the start touches, its tooth 0 at angle ``offset`` [m]."""
    s = contact.base[0] * (contact.mesh.sigma * (offset - contact.angle) + psi + contact.working_angle)
    return contact.start + (s - contact.start) % contact.pitch


def mate_offset(contact: Contact, one: Disc, two: Disc, offset: float) -> float:
    """Angle of a tooth of wheel 2 that touches wheel 1, one of whose teeth stands at ``offset``."""
    assert one.gear is not None and two.gear is not None
    sigma = contact.mesh.sigma
    s = contact_arc(contact, one.gear.base_half_angle, offset)
    radius = math.hypot(contact.base[0], s)
    polar = contact.angle + sigma * (math.atan2(s, contact.base[0]) - contact.working_angle)
    centre = -contact.distance if contact.mesh.internal else contact.distance
    y = radius * math.cos(polar) - centre * math.cos(contact.angle)
    z = radius * math.sin(polar) - centre * math.sin(contact.angle)
    half = two.gear.half_angle(math.hypot(y, z))
    return math.atan2(z, y) + (sigma if two.ring else -sigma) * half


def disc_record(disc: Disc, bodies: dict[str, int], bore: float | None) -> DiscRecord:
    """Plain data of a disc. ``profile`` is half a tooth from root to tip: radii and half angles."""
    record: DiscRecord = {
        "bore": bore,
        "body": bodies[disc.body],
        "x": disc.x,
        "width": disc.width,
        "ring": disc.ring,
        "radius": disc.radius,
        "plane": disc.plane,
    }
    gear = disc.gear
    if gear is None:
        record["bore"] = bore if bore is not None else (1.12 * disc.radius if disc.ring else 0.0)
        return record
    tooth = half_tooth(gear, FLANK, FILLET)
    root = float(tooth.radius[0])
    if disc.ring:
        rim = gear.rim or root + 3.2 * gear.module
    else:
        rim = bore if bore is not None else max(root - 2.6 * gear.module, 0.45 * root)
    record |= {
        "teeth": gear.teeth,
        "offset": disc.offset or 0.0,
        "twist": disc.twist or 0.0,
        "rim": rim,
        "root": root,
        "tip": gear.tip_radius,
        "base": gear.base_radius,
        "half": gear.base_half_angle,
        "module": gear.module,
        "profile": [[float(r) for r in tooth.radius], [float(a) for a in tooth.angle]],
    }
    return record


def contact_record(contact: Contact, bodies: dict[str, int], wheels: Wheels) -> ContactRecord:
    """Plain data of a mesh's contact."""
    mesh = contact.mesh
    moduli = []
    for disc in (wheels.discs[i] for i in contact.discs):
        steel = disc.gear.material if disc.gear is not None else None
        young, poisson = (steel.young, steel.poisson) if steel is not None else STEEL
        moduli.append((1.0 - poisson**2) / young)
    k = mesh.stiffness.mean
    if k is None and mesh.stiffness.two_pairs is not None and mesh.stiffness.one_pair is not None:
        k = 0.5 * (mesh.stiffness.two_pairs + mesh.stiffness.one_pair)
    return {
        "name": mesh.name,
        "stage": mesh.stage,
        "discs": list(contact.discs),
        "on": bodies[mesh.on] if mesh.on is not None else -1,
        "angle": contact.angle,
        "internal": mesh.internal,
        "sigma": mesh.sigma,
        "base": list(contact.base),
        "workingAngle": contact.working_angle,
        "start": contact.start,
        "end": contact.end,
        "pitch": contact.pitch,
        "distance": contact.distance,
        "teeth": contact.end > contact.start and all(wheels.discs[i].gear is not None for i in contact.discs),
        "width": min(wheels.discs[i].width for i in contact.discs),
        "modulus": 1.0 / sum(moduli),
        "stiffness": k,
    }
