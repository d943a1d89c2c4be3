"""A system being assembled: the builder and what the parts of the assembly have to know of each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gearwright.laws.registry import Asked, MeshLaw
from gearwright.system import Builder, Source
from gearwright.train.train import Damping, Mesh, Train

from .contact import Contact
from .inputs import Inputs
from .meshes import MeshAct
from .motion import Motions, Terms

G = 9.81  # m/s^2, standard of the sources (S0 digest section 2)


@dataclass
class Assembly:
    """A system being assembled: the builder and what the parts have to know of each other."""

    train: Train
    motions: Motions
    law: str
    inputs: Inputs
    builder: Builder = field(default_factory=Builder)
    mass: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    #: notes that are the same for several names: sentence -> names
    noted: dict[str, list[str]] = field(default_factory=dict)
    #: force rows acting on a body's translation: body -> list of (row name, terms of the row)
    pushes: dict[str, list[tuple[str, float, float]]] = field(default_factory=dict)
    machine_torque: dict[str, list[tuple[Source, str, float]]] = field(default_factory=dict)
    #: gauges of shafts that have a channel: (shaft, element)
    gauged: list[tuple[str, str]] = field(default_factory=list)
    #: mass [kg] by body of the shafts that hang on it without bending
    hung: dict[str, float] = field(default_factory=dict)
    #: weight [N, N m] by coordinate, of what is described in the standing frame
    weights: Terms = field(default_factory=dict)

    #: loads [N] that the laws of meshes are linear about, by mesh
    references: dict[str, float] = field(default_factory=dict)
    #: meshes in contact pair by pair
    contacts: dict[str, Contact] = field(default_factory=dict)
    #: rows of rigid meshes, by mesh
    hard: dict[str, Terms] = field(default_factory=dict)
    #: laws that the caller allows beside those of this package
    laws: Asked = Asked()

    def law_of(self, mesh: Mesh) -> MeshLaw:
        """Law of a mesh: its own, or that of the model. Raises AssemblyError for one that is not known or not allowed."""
        return self.laws.law(mesh.law or self.law)

    @property
    def gravity(self) -> tuple[float, float, float] | None:
        """Gravity (x, y, z) [m/s^2] of a model that has it."""
        if not self.train.model.gravity:
            return None
        x, y, z = self.train.gravity or (0.0, 0.0, -G)
        return float(x), float(y), float(z)

    def put(self, value: float, row: Terms) -> None:
        """Add kinetic energy ``value/2 (row . v)^2`` and remember it per coordinate."""
        self.builder.inertia(value, row)
        for name, c in row.items():
            self.mass[name] = self.mass.get(name, 0.0) + value * c * c

    def damping(self, damping: Damping, stiffness: float, row: Terms) -> float:
        """Damping of a row [N s/m or N m s/rad] from its facts, or from the model's, which replace those of elements."""
        if self.train.damping:
            if damping != Damping():
                self.note("model.damping stands for the whole model: the dampings of its elements are left out")
            return float(self.train.damping.stiffness_proportional or 0.0) * stiffness
        if damping.value is not None:
            return damping.value
        if damping.stiffness_proportional is not None:
            return damping.stiffness_proportional * stiffness
        if damping.ratio is not None:
            inverse = sum(c * c / self.mass[name] for name, c in row.items())
            return 2.0 * damping.ratio * math.sqrt(stiffness / inverse)
        return 0.0

    def note_of(self, name: str, sentence: str) -> None:
        """Remember a name for a note that is said once for all its names, which stand for the braces of the sentence."""
        names = self.noted.setdefault(sentence, [])
        if name not in names:
            names.append(name)

    def said(self) -> tuple[str, ...]:
        """All notes."""
        return (
            *self.notes,
            *(sentence.format(", ".join(f"'{n}'" for n in names)) for sentence, names in self.noted.items()),
        )

    def heard(self, act: MeshAct) -> None:
        """Keep what the law of a mesh took, and the load it is linear about."""
        for sentence in act.said:
            self.note(sentence)
        self.references.update(act.references)

    def note(self, text: str) -> None:
        """Remember something the reader should know of this assembly."""
        if text not in self.notes:
            self.notes.append(text)
