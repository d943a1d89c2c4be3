"""Where the parts of a train stand in space: planes of wheels along the shafts, and the place of every axis.

A file for torsional or planar motion says nothing of axial places: then planes follow each other from the rotor
to the machine in the order of the shafts, with gaps that leave room for bearings. Bodies with places of their own
(fidelity spatial) keep them.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from gearwright.train.train import HOUSING, Mesh, Train


@dataclass
class Plane:
    """Wheels that stand beside each other: ``meshes`` by name, ``width`` of the widest face, ``x`` of the middle;
    a plane of one body that meshes with nothing has no meshes."""

    name: str
    meshes: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    width: float = 0.1
    x: float = 0.0


def wheel_width(train: Train, mesh: Mesh, body: str) -> float:
    """Face width of a wheel [m]: of the body, of the mesh, or 0.8 times the smallest base radius of the stage."""
    own = train.bodies[body].length if body in train.bodies else None
    given = [w for w in (own, mesh.face_width) if w]
    if given:
        return float(given[0])
    stage = [m for m in train.meshes.values() if m.stage == mesh.stage] if mesh.stage else [mesh]
    return 0.8 * min(r for m in stage for r in m.base_radius)


def planes_of(train: Train) -> list[Plane]:
    """Planes in order from the rotor (or the input), with places along x."""
    planes: dict[str, Plane] = {}
    for mesh in train.meshes.values():
        if HOUSING in mesh.between:
            continue
        plane = planes.setdefault(_key(train, planes, mesh), Plane(mesh.stage or mesh.name))
        plane.meshes.append(mesh.name)
        for body in (*mesh.between, *([mesh.on] if mesh.on else [])):
            if body not in plane.bodies:
                plane.bodies.append(body)
    meshing = {body for plane in planes.values() for body in plane.bodies}
    for plane in planes.values():
        widths = [wheel_width(train, train.meshes[m], b) for m in plane.meshes for b in train.meshes[m].between]
        plane.width = max(widths)
    size = max([m.base_radius[i] for m in train.meshes.values() for i in (0, 1)], default=1.0)
    machines = {train.alias.get(m.body, m.body) for m in train.machines.values()}
    for name, item in train.bodies.items():
        if name not in meshing:
            usual = 0.5 if name in machines else 0.12
            planes[f"body {name}"] = Plane(name, [], [name], item.length or usual * size)
    ordered = _ordered(train, list(planes.values()))
    known = {round(train.bodies[b].x, 9) for plane in ordered for b in plane.bodies if b in train.bodies}
    if len(known) > 1:
        for plane in ordered:
            places = [train.bodies[b].x for b in plane.bodies if b in train.bodies]
            plane.x = sum(places) / len(places)
        return ordered
    end = 0.0
    for plane in ordered:
        room = 0.75 if plane.meshes else 0.4
        if any(train.bodies[b].role == "rotor" for b in plane.bodies):
            room = 2.0
        plane.x = end + (0.5 + room) * plane.width
        end = plane.x + (0.5 + room) * plane.width
    return ordered


def _key(train: Train, planes: dict[str, Plane], mesh: Mesh) -> str:
    if mesh.stage:
        return mesh.stage
    for key, plane in planes.items():
        if _central(train, [mesh.name]) and _central(train, plane.meshes) - _central(train, [mesh.name]):
            continue  # a second sun on the same axis stands behind the first
        for name in plane.meshes:
            other = train.meshes[name]
            for i, body in enumerate(other.between):
                if body in mesh.between:
                    radius = mesh.base_radius[mesh.between.index(body)]
                    if abs(radius - other.base_radius[i]) < 0.01 * radius:
                        return key
    return f"mesh {mesh.name}"


def _central(train: Train, meshes: list[str]) -> set[str]:
    """Outer-toothed wheels that mesh with planets and ride on no carrier themselves."""
    found = set()
    for name in meshes:
        mesh = train.meshes[name]
        for i, body in enumerate(mesh.between):
            if mesh.on is not None and train.bodies[body].on is None and not (mesh.internal and i == 1):
                found.add(body)
    return found


def _ordered(train: Train, planes: list[Plane]) -> list[Plane]:
    """Planes as one meets them along the shafts, breadth first."""
    at: dict[str, list[Plane]] = {}
    for plane in planes:
        for body in plane.bodies:
            at.setdefault(body, []).append(plane)
    links: dict[str, list[str]] = {}
    for between in [s.between for s in train.shafts.values()] + [c.between for c in train.couplings.values()]:
        if HOUSING not in between:
            links.setdefault(between[0], []).append(between[1])
            links.setdefault(between[1], []).append(between[0])
    rotors = [b.name for b in train.bodies.values() if b.role == "rotor"]
    starts = [b for b in (*rotors, train.input) if b in at] + [plane.bodies[0] for plane in planes]
    found: list[Plane] = []
    for start in starts:
        queue = deque([str(start)])
        seen = {str(start)}
        while queue:
            body = queue.popleft()
            near = list(links.get(body, []))
            for plane in at.get(body, []):
                if plane not in found:
                    found.append(plane)
                    near += plane.bodies
            for other in near:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
    return found


def axis_places(train: Train) -> dict[str, tuple[float, float]]:
    """(y, z) of every axis at rest [m], planets included; what the file leaves open follows from shafts and meshes."""
    found: dict[str, tuple[float, float]] = {}
    for body in train.bodies.values():
        if body.place is not None:
            found[body.name] = (float(body.place[0]), float(body.place[1]))
    joints = [s.between for s in train.shafts.values()] + [c.between for c in train.couplings.values()]
    for mesh in train.meshes.values():  # suns and rings stand on the axis of the carrier
        if mesh.on is not None:
            axis = found.setdefault(mesh.on, (0.0, 0.0))
            for name in mesh.between:
                if name in train.bodies and train.bodies[name].on is None:
                    found.setdefault(name, axis)
    for _ in range(len(train.bodies) + 1):
        before = len(found)
        for body in train.bodies.values():
            if body.on and body.pin_radius is not None and body.on in found and body.name not in found:
                y, z = found[body.on]
                found[body.name] = (
                    y + body.pin_radius * math.cos(body.angle),
                    z + body.pin_radius * math.sin(body.angle),
                )
        for a, b in joints:
            for one, two in ((a, b), (b, a)):
                if one in found and two in train.bodies and two not in found:
                    found[two] = found[one]
        _by_meshes(train, found)
        if len(found) == before:
            left = next((b for b in train.bodies if b not in found), None)
            if left is None:
                break
            found[left] = (0.0, 0.0)
    return found


def _by_meshes(train: Train, found: dict[str, tuple[float, float]]) -> None:
    """Place one body by the wheels it meshes with; one with two mates on different axes before one with one."""
    mates: dict[str, list[tuple[tuple[float, float], float, float]]] = {}
    for mesh in train.meshes.values():
        r1, r2 = mesh.base_radius
        cosine = math.cos(mesh.pressure_angle or math.radians(20.0))
        distance = abs(r2 - r1) / cosine if mesh.internal else (r1 + r2) / cosine
        angle = mesh.angle if mesh.angle is not None else 0.0
        for i in (0, 1):
            known, other = mesh.between[i], mesh.between[1 - i]
            if known in found and other in train.bodies and other not in found:
                # an angle counts from wheel 1 to wheel 2, from the ring to the planet in an internal pair
                back = (i == 1) != mesh.internal
                mates.setdefault(other, []).append((found[known], distance, angle + (math.pi if back else 0.0)))
    if not mates:
        return
    for body, near in mates.items():
        (y1, z1), d1, _ = near[0]
        for (y2, z2), d2, _ in near[1:]:
            apart = math.hypot(y2 - y1, z2 - z1)
            if apart > 1e-6 * d1:
                along = (d1**2 - d2**2 + apart**2) / (2.0 * apart)
                across = math.sqrt(max(d1**2 - along**2, 0.0))
                uy, uz = (y2 - y1) / apart, (z2 - z1) / apart
                found[body] = (y1 + along * uy - across * uz, z1 + along * uz + across * uy)
                return
    body, near = next(iter(mates.items()))
    (y, z), distance, angle = near[0]
    found[body] = (y + distance * math.cos(angle), z + distance * math.sin(angle))
