"""From a train, with or without a result, to the scene the page draws: plain data, SI, a few hundred kilobytes.

What is true to size: wheels, teeth, places of axes, centre distances, face widths where the file has them. What is
simple: carriers, bearings, shafts without segments, housing, rotor (far smaller than the real one) and machines;
the page says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gearwright.analyses.modes_of_result import StoredModes
from gearwright.figures.palette import COLOURS
from gearwright.figures.reading import Run
from gearwright.train.train import HOUSING, Body, Train

from .mechanism import scene_of_mechanism_run
from .motion import frames, played, rigid_shares, shapes_record, steady
from .places import Plane, axis_places, planes_of
from .records import (
    BearingRecord,
    BodyRecord,
    CarrierRecord,
    EndRecord,
    PresetRecord,
    RodRecord,
    Scene,
    ShapeRecord,
)
from .wheels import Disc, Wheels, contact_record, disc_record, wheels_of

#: Version of the scene's layout.
FORMAT = 1
#: Largest size of the tracks of a page of its own, and of those inside a report, before base64 [bytes].
PAGE_BYTES, REPORT_BYTES = 6_000_000, 500_000


def scene_of_run(run: Run, most_bytes: int = PAGE_BYTES) -> Scene | None:
    """Scene of a result; None where the result does not hold its train or mechanism."""
    if run.attribute("fidelity") == "multibody":
        return scene_of_mechanism_run(run, most_bytes)
    train = run.train
    if train is None or not train.bodies:
        return None
    scene = _still(train, run.attribute("fidelity"))
    scene["case"] = str(run.attribute("case") or "")
    play = played(train, run, most_bytes)
    if play is None:
        scene["notes"].append("The result holds no series over time: the train turns at its operating speed.")
        return _with_modes(scene, train, run)
    scene["play"] = play
    if play["source"] not in ("", "as computed"):
        scene["notes"].append(
            f"Elastic deviations follow from {play['source']}; a run that records bodies has its own."
        )
    return _with_modes(scene, train, run)


def _with_modes(scene: Scene, train: Train, run: Run) -> Scene:
    modes = run.json("modes_json")
    scene["modes"] = _stored_modes(train, modes) if isinstance(modes, dict) else []
    return scene


def scene_of_train(
    train: Train,
    loads: Mapping[str, float],
    modes: Sequence[ShapeRecord],
    fidelity: str | None,
    notes: Sequence[str] = (),
) -> Scene:
    """Scene of a model without a result: it turns at its operating speed under static ``loads`` by channel name."""
    scene = _still(train, fidelity)
    scene["case"] = "static loads at the operating point" if loads else "no loads"
    scene["play"] = steady(train, loads, train.speed or 1.0)
    scene["modes"] = list(modes)
    scene["notes"] += list(notes)
    return scene


def _stored_modes(train: Train, data: Any) -> list[ShapeRecord]:
    try:
        found = StoredModes.read(data)
        if not found.shapes.values:
            return []
        return shapes_record(
            found.frequencies_hz,
            found.damping_ratios,
            found.kinds,
            found.shapes.coordinates,
            found.shapes.values,
            list(train.bodies),
        )
    except (KeyError, ValueError, TypeError, IndexError):
        return []


def _still(train: Train, fidelity: str | None) -> Scene:
    """Everything but motion."""
    places = axis_places(train)
    planes = planes_of(train)
    wheels = wheels_of(train, planes, places)
    numbers = {name: i for i, name in enumerate(train.bodies)}
    shares = rigid_shares(train)
    in_frame = frames(train, fidelity)
    size = max([d.radius for d in wheels.discs], default=0.5)
    bodies: list[BodyRecord] = []
    for name, body in train.bodies.items():
        y, z = places[name]
        frame = in_frame[name]
        role = body.role
        if role not in ("rotor", "machine") and any(_machine_body(train, m) == name for m in train.machines):
            role = "machine" if role in ("body", "shaft") else role
        bodies.append(
            {
                "name": name,
                "role": role,
                "stage": body.stage,
                "fixed": body.fixed,
                "share": [float(s) for s in shares[numbers[name]]],
                "place": [y, z],
                "on": -1 if body.on is None else numbers.get(body.on, -1),
                "pin": list(_pin(body, places)),
                "frame": -1 if frame is None else numbers.get(frame, -1),
                "colour": _colour(name, role),
            }
        )
    rods, extents = _rods(train, planes, wheels, places, numbers, size)
    scene: Scene = {
        "format": FORMAT,
        "name": train.name,
        "size": size,
        "bodies": bodies,
        "discs": [disc_record(d, numbers, _bore(train, d)) for d in wheels.discs],
        "meshes": [contact_record(c, numbers, wheels) for c in wheels.contacts],
        "carriers": _carriers(train, planes, wheels, places, numbers),
        "rods": rods,
        "ends": _ends(train, planes, wheels, numbers, extents, size),
        "bearings": _bearings(train, planes, wheels, numbers, rods, size),
        "housing": _housing(wheels, planes, places),
        "views": _views(wheels, planes),
        "shafts": [
            {"name": s.name, "bodies": [numbers.get(b, -1) for b in s.between], "stiffness": s.torsional}
            for s in train.shafts.values()
        ],
        "notes": list(wheels.notes),
        "fidelity": fidelity or "",
        "case": "",
        "modes": [],
        "play": steady(train, {}, train.speed or 1.0),
    }
    several = [f"{b.count} of {b.name}" for b in train.bodies.values() if b.count > 1]
    if several:
        scene["notes"].append(f"One is drawn where the file counts several equal bodies: {', '.join(several[:4])}.")
    scene["notes"].append(
        "Wheels, teeth and centre distances are to scale; rotor, machine, carriers, bearings and housing are only "
        "indicated"
        + (
            ", and axial places follow the order of the shafts."
            if len({b.x for b in train.bodies.values()}) < 2
            else "."
        )
    )
    return scene


def _pin(body: Body, places: dict[str, tuple[float, float]]) -> tuple[float, float]:
    """Radius and angle of a planet's axis on its carrier; zeros for other bodies."""
    if body.on is None or body.on not in places:
        return 0.0, 0.0
    y, z = (a - b for a, b in zip(places[body.name], places[body.on], strict=True))
    return math.hypot(y, z), math.atan2(z, y)


def _machine_body(train: Train, name: str) -> str:
    body = train.machines[name].body
    return train.alias.get(body, body)


def _colour(name: str, role: str) -> list[str]:
    token = role
    if role == "planet":
        digits = "".join(c for c in name.rsplit(".", 1)[-1] if c.isdigit())
        token = f"planet{(int(digits or 1) - 1) % 3 + 1}"
    return list(COLOURS.get(token, COLOURS["shaft"]))


def _bore(train: Train, disc: Disc) -> float | None:
    """Radius inside a planet where its bearing stands [m]; None for other wheels."""
    if disc.ring or train.bodies[disc.body].on is None:
        return None
    root = disc.gear.root_radius if disc.gear is not None else disc.radius
    return 0.6 * root


def _hub(disc: Disc) -> float:
    root = disc.gear.root_radius if disc.gear is not None else 0.9 * disc.radius
    return 0.55 * root


def _carriers(
    train: Train, planes: list[Plane], wheels: Wheels, places: dict[str, tuple[float, float]], numbers: dict[str, int]
) -> list[CarrierRecord]:
    found: list[CarrierRecord] = []
    for plane in planes:
        for carrier in {train.meshes[m].on for m in plane.meshes if train.meshes[m].on}:
            planets = [b for b in train.bodies.values() if b.on == carrier and b.name in plane.bodies]
            if carrier not in numbers or not planets:
                continue
            discs = [d for d in wheels.discs if d.plane == plane.name and d.body in {p.name for p in planets}]
            width = max(d.width for d in discs)
            bore = min(_bore(train, d) or 0.0 for d in discs)
            pins = [_pin(p, places) for p in planets]
            radius = max(r for r, _ in pins)
            angles = [a for r, a in pins if r > 0.99 * radius]
            if not radius:
                continue
            found.append(
                {
                    "body": numbers[str(carrier)],
                    "x": plane.x,
                    "width": width,
                    "radius": radius,
                    "angles": angles,
                    "pin": 0.55 * bore,
                    "plate": 0.12 * width,
                }
            )
    return found


class _Cores:
    """Extent along the axis [m] and radius of the core of every body, grown by what it carries."""

    def __init__(self) -> None:
        self.extents: dict[str, tuple[float, float]] = {}
        self.hubs: dict[str, float] = {}

    def stretch(self, body: str, low: float, high: float, hub: float) -> None:
        """Let a core reach from ``low`` to ``high``, no thicker than ``hub``."""
        old = self.extents.get(body, (low, high))
        self.extents[body] = (min(old[0], low), max(old[1], high))
        self.hubs[body] = min(self.hubs.get(body, hub), hub)


def _cores(train: Train, planes: list[Plane], wheels: Wheels, size: float) -> _Cores:
    cores = _Cores()
    for disc in wheels.discs:
        if not disc.ring and train.bodies[disc.body].on is None:
            reach = 0.85 * disc.width
            cores.stretch(disc.body, disc.x - reach, disc.x + reach, _hub(disc))
    for plane in planes:
        for name in {train.meshes[m].on for m in plane.meshes if train.meshes[m].on}:
            pins = [b.pin_radius for b in train.bodies.values() if b.on == name and b.pin_radius]
            if pins:
                edge = plane.x - 0.8 * plane.width
                cores.stretch(str(name), edge - 0.1 * plane.width, edge, 0.3 * min(pins))
        if not plane.meshes:
            for name in plane.bodies:
                hub = 0.12 * size if train.bodies[name].role == "rotor" else 0.08 * size
                cores.stretch(name, plane.x - 0.5 * plane.width, plane.x + 0.5 * plane.width, hub)
    return cores


def _rods(
    train: Train,
    planes: list[Plane],
    wheels: Wheels,
    places: dict[str, tuple[float, float]],
    numbers: dict[str, int],
    size: float,
) -> tuple[list[RodRecord], dict[str, tuple[float, float]]]:
    """Cylinders along the axes: the cores of bodies with several wheels, and shafts between bodies."""
    cores = _cores(train, planes, wheels, size)
    extents, hubs = cores.extents, cores.hubs
    rods: list[RodRecord] = []
    for name, (low, high) in extents.items():
        planetary = any(c.on == name for c in train.meshes.values())
        if not planetary and high > low and name in {d.body for d in wheels.discs}:
            rods.append({"bodies": [numbers[name], numbers[name]], "x": [low, high], "radius": hubs[name]})
    links = [(s.between, s.segments) for s in train.shafts.values()]
    links += [(c.between, ()) for c in train.couplings.values()]
    for (a, b), segments in links:
        if HOUSING in (a, b) or a not in extents or b not in extents:
            continue
        if math.dist(places[a], places[b]) > 0.02 * size:
            continue
        (a0, a1), (b0, b1) = extents[a], extents[b]
        x = [a1, b0] if a0 + a1 < b0 + b1 else [a0, b1]
        if abs(x[1] - x[0]) < 1e-6:
            continue
        rod: RodRecord = {"bodies": [numbers[a], numbers[b]], "x": x, "radius": min(hubs[a], hubs[b])}
        total = sum(s.length for s in segments)
        if segments and total > 0.0:
            rod["segments"] = [[s.length / total, 0.5 * s.diameter] for s in segments]
        rods.append(rod)
    return rods, extents


def _ends(
    train: Train,
    planes: list[Plane],
    wheels: Wheels,
    numbers: dict[str, int],
    extents: dict[str, tuple[float, float]],
    size: float,
) -> list[EndRecord]:
    """Rotor, machines and bodies without wheels."""
    found: list[EndRecord] = []
    plain = {p.bodies[0]: p for p in planes if not p.meshes}
    machines = {_machine_body(train, m) for m in train.machines}
    low = min((e[0] for e in extents.values()), default=0.0)
    high = max((e[1] for e in extents.values()), default=0.0)
    for name, body in train.bodies.items():
        kind = "rotor" if body.role == "rotor" else "machine" if name in machines else "body"
        plane = plain.get(name)
        if plane is not None:
            x, width = plane.x, plane.width
        elif kind == "rotor":
            x, width = low - 0.2 * size, 0.12 * size
        elif kind == "machine" and name in extents:
            x, width = high + 0.4 * size, 0.5 * size
        else:
            continue
        if kind == "body" and (body.on or body.stage):
            continue
        radius = {"rotor": 1.7 * size, "machine": 0.36 * size, "body": 0.3 * size}[kind]
        if kind == "machine":
            width = max(width, 0.5 * size)
        if body.diameter and kind == "body":
            radius = 0.5 * body.diameter
        found.append({"body": numbers[name], "kind": kind, "x": x, "width": width, "radius": radius})
    return found


def _bearings(
    train: Train, planes: list[Plane], wheels: Wheels, numbers: dict[str, int], rods: list[RodRecord], size: float
) -> list[BearingRecord]:
    found: list[BearingRecord] = []
    used: dict[str, int] = {}
    shafts = {r["bodies"][0]: r["radius"] for r in rods if r["bodies"][0] == r["bodies"][1]}
    for bearing in train.bearings.values():
        body, support = bearing.between
        if body == HOUSING:
            body, support = support, body
        if body not in numbers:
            continue
        discs = [d for d in wheels.discs if d.body == body]
        ring = bool(discs) and discs[0].ring
        on = numbers.get(support, -1)
        count = used[body] = used.get(body, 0) + 1
        record: BearingRecord = {
            "name": bearing.name,
            "body": numbers[body],
            "on": on,
            "ring": ring,
            "x": 0.0,
            "width": 0.0,
            "inner": 0.0,
            "outer": 0.0,
        }
        if bearing.stiffness is not None:
            record["stiffness"] = 0.5 * (bearing.stiffness[0][0] + bearing.stiffness[1][1])
        if train.bodies[body].on is not None and discs:
            bore = _bore(train, discs[0]) or 0.5 * discs[0].radius
            record |= {"x": discs[0].x, "width": 0.8 * discs[0].width, "inner": 0.55 * bore, "outer": bore}
        elif discs:
            disc = discs[0]
            inner = shafts.get(numbers[body], _hub(disc))
            side = -1.0 if count % 2 else 1.0
            record |= {
                "x": disc.x + side * 0.72 * disc.width,
                "width": 0.22 * disc.width,
                "inner": inner,
                "outer": 1.35 * inner,
            }
        else:
            plane = next((p for p in planes if body in p.bodies), None)
            if plane is None:
                continue
            pins = [b.pin_radius for b in train.bodies.values() if b.on == body and b.pin_radius]
            inner = 0.3 * min(pins) if pins else 0.08 * size
            x = plane.x - 0.86 * plane.width if pins else plane.x + 0.8 * plane.width
            record |= {"x": x, "width": 0.14 * plane.width, "inner": inner, "outer": 1.35 * inner}
        found.append(record)
    return found


def _housing(wheels: Wheels, planes: list[Plane], places: dict[str, tuple[float, float]]) -> list[dict[str, float]]:
    """Boxes around planes of wheels: x0, x1, y0, y1, z0, z1; round where all wheels share one axis."""
    boxes = []
    for plane in planes:
        discs = [d for d in wheels.discs if d.plane == plane.name]
        if not discs:
            continue
        rings = [d for d in discs if d.ring]
        reach = {id(d): 1.16 * d.radius + 0.03 for d in discs}
        if rings:
            reach = {id(d): 1.2 * d.radius for d in rings}
            discs = rings
        box = {
            "x0": plane.x - 0.95 * plane.width,
            "x1": plane.x + 0.95 * plane.width,
            "y0": min(places[d.body][0] - reach[id(d)] for d in discs),
            "y1": max(places[d.body][0] + reach[id(d)] for d in discs),
            "z0": min(places[d.body][1] - reach[id(d)] for d in discs),
            "z1": max(places[d.body][1] + reach[id(d)] for d in discs),
            "round": bool(rings) or len(discs) == 1,
        }
        boxes.append(box)
    return boxes


def _views(wheels: Wheels, planes: list[Plane]) -> list[PresetRecord]:
    """Camera presets of planes: their names and middles."""
    return [
        {
            "name": plane.name,
            "x": plane.x,
            "width": plane.width,
            "radius": max(d.radius for d in wheels.discs if d.plane == plane.name),
        }
        for plane in planes
        if any(d.plane == plane.name for d in wheels.discs)
    ]
