"""The bench on which a drivetrain is spelled out: what was made so far, what is wrong, what was derived."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gearwright.errors import NOTHING, Problem, listed, nearest
from gearwright.schema.file import Drivetrain
from gearwright.schema.parts import AngularDamping, LinearDamping, Material, Member

from .train import HOUSING, Bearing, Body, Coupling, Damping, Machine, Mesh, Note, Reduced, Shaft, Stage

STEEL = Material.silent()


@dataclass
class Bench:
    """Tables of the growing train, with its problems and notes.

    ``coaxial`` holds (body, body, (dy, dz)): the second axis lies that far from the first. ``phases`` are
    functions that set mesh phases once the flanks are known.
    """

    drivetrain: Drivetrain
    bodies: dict[str, Body] = field(default_factory=dict)
    meshes: dict[str, Mesh] = field(default_factory=dict)
    bearings: dict[str, Bearing] = field(default_factory=dict)
    shafts: dict[str, Shaft] = field(default_factory=dict)
    couplings: dict[str, Coupling] = field(default_factory=dict)
    machines: dict[str, Machine] = field(default_factory=dict)
    stages: dict[str, Stage] = field(default_factory=dict)
    reduced: dict[str, Reduced] = field(default_factory=dict)
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    coaxial: list[tuple[str, str, tuple[float, float]]] = field(default_factory=list)
    rigid: list[tuple[str, str, str]] = field(default_factory=list)
    phases: list[Any] = field(default_factory=list)
    alias: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def wrong(self, message: str, path: str, value: Any = NOTHING, allowed: str = "", meant: str = "") -> None:
        """Write down a problem; the expansion goes on so that all are reported at once."""
        self.problems.append(Problem(message, path, value, allowed, meant))

    def note(self, level: Any, where: str, message: str) -> None:
        """Write down what the reader of the file should know."""
        self.notes.append(Note(level, where, message))

    def by_teeth(self, where: str) -> None:
        """Note, once for the whole train, that radii are counted in teeth."""
        message = "no module: radii are counted in teeth; ratios and torques follow, forces of the teeth do not"
        if not any(note.message == message for note in self.notes):
            self.note("assumed", where, message)

    def add_body(self, body: Body, path: str) -> None:
        """Add a body; its name must be new."""
        if body.name == HOUSING:
            self.wrong(f"'{HOUSING}' is the frame, not a body", path, body.name)
        elif body.name in self.bodies:
            self.wrong("this name is given twice", path, body.name)
        else:
            self.bodies[body.name] = body

    def new_element(self, name: str, path: str) -> bool:
        """Whether an element of this name may be added (a problem is written down otherwise)."""
        for table in (self.meshes, self.bearings, self.shafts, self.couplings):
            if name in table:
                self.wrong("this name is given twice", path, name)
                return False
        return True

    def body(self, name: str, path: str, frame: bool = False, value: Any = None) -> str | None:
        """Full name of a body from a full, aliased or unique short name; None and a problem if there is none.

        ``frame``: ``housing`` is allowed too. The ends of a body of a mechanism (``crank.end``) stand for it.
        """
        if frame and name == HOUSING:
            return HOUSING
        if name in self.bodies:
            return name
        if name in self.alias:
            return self.alias[name]
        if name.endswith((".start", ".end")) and name.rsplit(".", 1)[0] in self.bodies:
            return name.rsplit(".", 1)[0]
        if self.drivetrain.model.fidelity == "multibody" and name.rsplit(".", 1)[0] in self.bodies:
            return name.rsplit(".", 1)[0]
        short = [full for full in (*self.bodies, *self.alias) if full.endswith("." + name)]
        if len(short) == 1:
            return self.alias.get(short[0], short[0])
        known = [*self.bodies] + ([HOUSING] if frame else [])
        shown = name if value is None else value
        if short:
            self.wrong(f"'{name}' could be {listed(short)}", path, shown, listed(short))
        else:
            self.wrong(f"there is no body '{name}'", path, shown, listed(known, 30), nearest(name, known))
        return None

    def material(self, name: str | None, path: str) -> Material | None:
        """A material of the file; None without a name, a problem if it is not there."""
        if name is None:
            return None
        found = self.drivetrain.materials.get(name)
        if found is None:
            known = list(self.drivetrain.materials)
            self.wrong(
                "there is no such material", path, name, listed(known) or "none is defined", nearest(name, known)
            )
        return found

    def inertia_of(self, member: Member, radius: float | None, where: str) -> float | None:
        """Inertia of a member from the file: given, or from its equivalent mass at a radius."""
        if member.inertia is not None or member.equivalent_mass is None:
            return member.inertia
        if radius is None:
            return None
        inertia = member.equivalent_mass * radius**2
        self.note(
            "derived",
            where,
            f"inertia {inertia:.5g} kg m² = equivalent mass {member.equivalent_mass:g} kg at {radius:.6g} m",
        )
        return inertia

    def disc(
        self, where: str, width: float | None, outer: float | None, bore: float | None, material: Material | None
    ) -> tuple[float, float] | None:
        """(mass, inertia) of a disc or tube, noted as derived; None where a dimension is missing."""
        if width is None or outer is None:
            return None
        inner = 0.5 * (bore or 0.0)
        density = (material or STEEL).density
        mass = density * width * math.pi * (outer**2 - inner**2)
        inertia = 0.5 * mass * (outer**2 + inner**2)
        self.note(
            "derived" if material else "assumed",
            where,
            f"mass {mass:.5g} kg and inertia {inertia:.5g} kg m² of a disc {2e3 * outer:.5g} mm x {1e3 * width:.5g} "
            f"mm, {density:g} kg/m³" + ("" if material else " (steel, no material is given)"),
        )
        return mass, inertia


def linear_damping(damping: LinearDamping | None) -> Damping:
    """Damping of a mesh or bearing as the train holds it."""
    if damping is None:
        return Damping()
    return Damping(damping.value, damping.ratio, damping.stiffness_proportional)


def angular_damping(damping: AngularDamping | None) -> Damping:
    """Damping of a shaft or torsional support as the train holds it."""
    if damping is None:
        return Damping()
    return Damping(damping.value, damping.ratio, damping.stiffness_proportional)


def connected(names: Iterable[str], links: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Groups of names that links join, in the order of ``names``."""
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for a, b in links:
        if a in parent and b in parent:
            parent[root(b)] = root(a)
    groups: dict[str, list[str]] = {}
    for name in parent:
        groups.setdefault(root(name), []).append(name)
    return list(groups.values())
