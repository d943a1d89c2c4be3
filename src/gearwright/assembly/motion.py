"""Which motions a body keeps, and what carries the ones it drops.

A row is written for every motion of both bodies; a fidelity keeps some as coordinates. A dropped motion is
carried rigidly by the body's support (a planet by its carrier, anything else by the housing), so the same row
serves every fidelity and the force on a dropped motion is a reaction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gearwright.errors import AssemblyError
from gearwright.train.train import HOUSING, Bearing, Body, Train

#: kept motions of each fidelity, in this order
KEPT: dict[str, tuple[str, ...]] = {
    "rigid": ("rotation",),
    "torsional": ("rotation",),
    "planar": ("rotation", "y", "z"),
    "spatial": ("x", "y", "z", "rotation", "tilt_y", "tilt_z"),
}

#: notes that are said once for all bearings and shafts they hold for
UNEVEN = (
    "supports that are not the same in y and z, under bodies described in a turning frame: {}; there their stiffness has the "
    "period of half a turn; modes use the mean"
)
BETWEEN = (
    "what joins frames that turn against each other: {}; modes take the frames where they stand, aligned at the start"
)

Terms = dict[str, float]


def add(total: Terms, terms: Terms, factor: float = 1.0) -> Terms:
    """Add ``factor * terms`` into ``total`` and return it."""
    for name, value in terms.items():
        total[name] = total.get(name, 0.0) + factor * value
    return total


@dataclass(frozen=True)
class Motions:
    """Motions of all bodies of a train at a fidelity, as combinations of coordinates.

    ``frame`` maps a body to the carrier in whose frame its translations are written (None: the fixed frame).
    """

    train: Train
    fidelity: str
    kept: dict[str, tuple[str, ...]]
    frame: dict[str, str | None]
    released: frozenset[str] = field(default_factory=frozenset)
    #: six motions of bodies that take them from elsewhere: a ring from the nodes of its elastic body near a mesh
    taken: dict[str, dict[str, Terms]] = field(default_factory=dict)

    @classmethod
    def of(cls, train: Train, fidelity: str) -> Motions:
        """Decide for every body of the train.

        Raises AssemblyError for an unknown fidelity and for a body with mass that nothing supports in a kept
        direction (unless it is ``floating``).
        """
        if fidelity not in KEPT:
            raise AssemblyError(f"fidelity '{fidelity}' cannot be assembled; choose one of {', '.join(KEPT)}")
        supported = {b.between[0] for b in train.bearings.values() if b.stiffness is not None or b.by_elements}
        for shaft in train.shafts.values():
            if shaft.lateral or (shaft.segments and fidelity == "spatial"):
                supported.update(n for n in shaft.between if n != shaft.on)
        if fidelity == "spatial":
            supported |= {f"{one.name}.{node}" for one in train.reduced.values() for node in one.nodes}
        axial, tilting = _held_by_supports(train) if fidelity == "spatial" else (set(), set())
        kept: dict[str, tuple[str, ...]] = {}
        for body in train.bodies.values():
            if body.fixed:
                kept[body.name] = ()
                continue
            motions = KEPT[fidelity]
            translates = "y" in motions and body.mass is not None and _is_meshed_or_supported(train, body, supported)
            if translates and body.name not in supported and not body.floating:
                raise AssemblyError(
                    f"'{body.name}' has mass {body.mass:g} kg but no bearing holds it in y and z; give its bearing a "
                    f"stiffness, say 'floating: true' if its meshes alone shall hold it, or choose fidelity torsional"
                )
            if fidelity == "spatial":
                free = {"x": body.name in axial, "tilt_y": body.name in tilting, "tilt_z": body.name in tilting}
                motions = tuple(m for m in motions if free.get(m, True))
            kept[body.name] = motions if translates else tuple(m for m in motions if m == "rotation")
        turning = "y" in KEPT[fidelity] and not (fidelity == "spatial" and train.model.frames == "frozen")
        frame = {b.name: _frame(train, b) if turning else None for b in train.bodies.values()}
        return cls(train, fidelity, kept, frame)

    def coordinate(self, body: str, motion: str) -> str:
        """Name of a coordinate."""
        return f"{body}.{motion}"

    def keeps(self, body: str, motion: str) -> bool:
        """Whether a motion of a body is a coordinate."""
        return body != HOUSING and motion in self.kept[body]

    def rotation(self, body: str) -> Terms:
        """Rotation of a body [rad]."""
        if body in self.taken:
            return dict(self.taken[body]["rotation"])
        return {self.coordinate(body, "rotation"): 1.0} if self.keeps(body, "rotation") else {}

    def translation(self, body: str) -> tuple[Terms, Terms]:
        """Displacements (y, z) of a body's centre, absolute, in its own frame [m]."""
        if body == HOUSING:
            return {}, {}
        if body in self.taken:
            return self.taken[body]["y"], self.taken[body]["z"]
        if self.keeps(body, "y"):
            return {self.coordinate(body, "y"): 1.0}, {self.coordinate(body, "z"): 1.0}
        item = self.train.bodies[body]
        if item.on is not None and item.pin_radius is not None:
            return self.point(item.on, item.pin_radius, item.angle)
        return {}, {}

    def point(self, body: str, radius: float, angle: float) -> tuple[Terms, Terms]:
        """Displacements (y, z) of the material point of a body at ``radius`` and ``angle``."""
        y, z = (dict(terms) for terms in self.translation(body))
        add(y, self.rotation(body), -radius * math.sin(angle))
        add(z, self.rotation(body), radius * math.cos(angle))
        return y, z

    def support_point(self, body: str, support: str) -> tuple[Terms, Terms]:
        """Displacements of the point of ``support`` that holds ``body``."""
        item = self.train.bodies[body]
        if support == item.on and item.pin_radius is not None:
            return self.point(support, item.pin_radius, item.angle)
        return self.translation(support)

    def tilts(self, body: str) -> tuple[Terms, Terms]:
        """Tilts (about y, about z) of a body; those of its carrier, or none, where it has none of its own."""
        if body == HOUSING:
            return {}, {}
        if body in self.taken:
            return self.taken[body]["tilt_y"], self.taken[body]["tilt_z"]
        if self.keeps(body, "tilt_y"):
            return {self.coordinate(body, "tilt_y"): 1.0}, {self.coordinate(body, "tilt_z"): 1.0}
        on = self.train.bodies[body].on
        return self.tilts(on) if on is not None else ({}, {})

    def place(self, body: str, dx: float = 0.0, ry: float = 0.0, rz: float = 0.0) -> tuple[Terms, Terms, Terms]:
        """Displacements (x, y, z) of the material point of a body at ``(dx, ry, rz)`` from its centre.

        ``theta x r`` with all three rotations. A motion that the body does not keep is that of its carrier.
        """
        if body == HOUSING:
            return {}, {}, {}
        y, z = (dict(terms) for terms in self.translation(body))
        add(y, self.rotation(body), -rz)
        add(z, self.rotation(body), ry)
        ty, tz = self.tilts(body)
        add(y, tz, dx)
        add(z, ty, -dx)
        x = add(add(self.axial(body), ty, rz), tz, -ry)
        return x, y, z

    def axial(self, body: str) -> Terms:
        """Displacement along x of a body's centre, of its carrier at its pin where it has none of its own."""
        if body in self.taken:
            return dict(self.taken[body]["x"])
        if self.keeps(body, "x"):
            return {self.coordinate(body, "x"): 1.0}
        item = self.train.bodies[body]
        if item.on is None or item.pin_radius is None:
            return {}
        ry, rz = item.pin_radius * math.cos(item.angle), item.pin_radius * math.sin(item.angle)
        ty, tz = self.tilts(item.on)
        return add(add(self.axial(item.on), ty, rz), tz, -ry)

    def scale(self, body: str) -> float:
        """A radius that turns a rotation of the body into a length, for tolerances [m]."""
        radii = [m.base_radius[i] for m in self.train.meshes.values() for i in (0, 1) if m.between[i] == body]
        radii += [b.pin_radius for b in self.train.bodies.values() if b.on == body and b.pin_radius]
        return max(radii) if radii else 0.1


def _held_by_supports(train: Train) -> tuple[set[str], set[str]]:
    """Bodies that a bearing or beam holds along x, and against tilting: the others follow their support there.

    A radial bearing beside the body's centre holds its tilt through its lever.
    """
    axial: set[str] = set()
    tilting: set[str] = set()
    for one in train.reduced.values():
        nodes = {f"{one.name}.{node}" for node in one.nodes}
        axial |= nodes
        tilting |= nodes
    for b in train.bearings.values():
        along, across = _held_by_elements(b)
        full = b.matrix
        if b.axial or (full is not None and full[0][0] > 0.0) or along:
            axial.add(b.between[0])
        leans = full is not None and full[4][4] > 0.0 and full[5][5] > 0.0
        if b.tilt or leans or across or ((b.stiffness is not None or b.by_elements) and b.x):
            tilting.add(b.between[0])
    for shaft in train.shafts.values():
        if shaft.segments:
            free = {"first": 0, "second": 1}.get(shaft.spline or "")
            # a pin does not hold the carrier that carries it
            tilting.update(n for i, n in enumerate(shaft.between) if i != free and n != shaft.on)
            if free is None:
                axial.update(n for n in shaft.between if n != shaft.on)
    return axial, tilting


def _held_by_elements(bearing: Bearing) -> tuple[bool, bool]:
    """Whether the rolling elements of a bearing hold its body along x, and against tilting."""
    if not bearing.by_elements or bearing.rolling is None:
        return False, False
    facts = bearing.rolling
    kind, angled = facts.type, facts.type in ("tapered", "spherical", "angular_contact", "deep_groove")
    two_rows = facts.rows == 2 and facts.spread > 0.0
    sliced = facts.slices > 1
    return angled, kind != "spherical" and (two_rows or sliced or kind in ("deep_groove", "angular_contact"))


def _is_meshed_or_supported(train: Train, body: Body, supported: set[str]) -> bool:
    """A rotor or machine that only turns keeps its rotation alone: its bearings are not part of the train."""
    meshed = any(body.name in m.between for m in train.meshes.values())
    carries = any(b.on == body.name for b in train.bodies.values())
    return meshed or carries or body.name in supported


def _frame(train: Train, body: Body) -> str | None:
    """Planets and the other members of a planetary stage live in the frame of the stage's carrier."""
    if body.on is not None:
        return body.on
    if body.role in ("sun", "ring", "carrier") and body.stage is not None:
        carriers = [b.name for b in train.bodies.values() if b.stage == body.stage and b.role == "carrier"]
        if carriers:
            return None if train.bodies[carriers[0]].fixed else carriers[0]
    return None
