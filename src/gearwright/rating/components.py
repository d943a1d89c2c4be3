"""Ratings of bearings and shafts: the damage of a load record, and what remains of the life asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gearwright.bearings.contact_stress import LineContact
from gearwright.bearings.factors import BearingKind, static_factors
from gearwright.bearings.iso281 import (
    Contact,
    contamination_factor,
    life_exponent,
    life_modification,
    reference_viscosity,
    reliability_factor,
)

from .miner import Strength
from .records import Load

Float = NDArray[np.float64]


@dataclass(frozen=True)
class Dose:
    """What one record does to a component: ``damage`` (a Miner sum of 1 fails) of one pass through it, and the cycles or
    revolutions it holds; ``weighted`` is the sum of ``n P^p`` where that defines an equivalent load, else 0."""

    damage: float
    cycles: float
    weighted: float = 0.0


class Component(Protocol):
    """A rated part of an element: what the life of a campaign needs."""

    @property
    def element(self) -> str:
        """What is rated."""
        ...

    @property
    def elements(self) -> tuple[str, ...]:
        """Whose loads do it."""
        ...

    @property
    def mode(self) -> str:
        """How it fails."""
        ...

    def dose(self, loads: Mapping[str, Load], record: str) -> Dose:
        """Damage of one pass through a record."""
        ...


@dataclass(frozen=True)
class Bearing:
    """A rolling bearing rated after ISO 281 for one element; loads are shared by ``count`` of them.

    ``ratio`` is the speed of the bearing per unit of the reference speed. ``load`` is the element whose recorded load it
    takes a ``share`` of: at fidelity torsional a body has one reaction for all its bearings. ``radial_factor`` X and
    ``axial_factor`` Y where they are given, else those of its ``kind``, else the radial load alone counts. ``cleanliness`` of the oil (ISO
    4406) where no ``contamination`` e_C is given; ``mean_diameter`` d_m [m]; a_ISO counts up to ``most``.
    """

    element: str
    name: str
    ratio: float
    rating: float
    contact: Contact = "roller"
    count: int = 1
    radial_factor: float | None = None
    axial_factor: float | None = None
    static_rating: float | None = None
    required_hours: float | None = None
    reliability: float = 0.9
    viscosity: float | None = None
    pitch_diameter: float | None = None
    contamination: float | None = None
    fatigue_limit: float | None = None
    line: LineContact | None = None
    allowed_pressure: float | None = None
    source: str = ""
    load: str = ""
    share: float = 1.0
    kind: BearingKind | None = None
    type: str = ""
    mean_diameter: float | None = None
    cleanliness: str = ""
    most: float = 50.0

    @property
    def elements(self) -> tuple[str, ...]:
        """Whose loads do it."""
        return (self.load or self.element,)

    @property
    def rates_axial(self) -> bool:
        """Whether an axial load enters its equivalent load."""
        return self.axial_factor is not None or (
            self.radial_factor is None and self.kind is not None and self.kind.takes_axial
        )

    @property
    def mode(self) -> str:
        """How it fails."""
        return "rolling contact fatigue"

    @property
    def exponent(self) -> float:
        """p of the life."""
        return life_exponent(self.contact)

    def equivalent(self, load: Load) -> Float:
        """Equivalent load [N] of one bearing at the levels of a record."""
        part = self.share / self.count
        radial = np.abs(load.levels) * part
        axial = load.axial * part if load.axial is not None else np.zeros_like(radial)
        if not self.rates_axial:
            return np.maximum(radial, (self.radial_factor or 1.0) * radial)
        if (
            self.axial_factor is not None
        ):  # those of a catalogue hold beyond the limit e, below which the radial load alone counts
            return np.maximum(radial, (self.radial_factor or 1.0) * radial + self.axial_factor * axial)
        assert self.kind is not None
        factors = np.array([self.kind.factors(float(r), float(a)) for r, a in zip(radial, axial, strict=True)]).reshape(
            -1, 2
        )
        return np.asarray(factors[:, 0] * radial + factors[:, 1] * axial)

    def static_load(self, load: Load) -> float:
        """Largest static equivalent load P_0 [N] of one bearing in a record: radial alone, or with the axial load at that level."""
        part = self.share / self.count
        radial = np.abs(load.levels) * part
        largest = max(load.largest * part, float(radial.max(initial=0.0)))
        if load.axial is None or self.kind is None or not self.kind.takes_axial:
            return largest
        x, y = static_factors(self.kind.type, self.kind.contact_angle, self.kind.double)
        return max(largest, float((x * radial + y * load.axial * part).max(initial=0.0)))

    def dose(self, loads: Mapping[str, Load], record: str) -> Dose:
        """Damage of one pass: revolutions over those of the basic life, at every level."""
        load = loads[self.elements[0]]
        turns = load.seconds * load.speed * abs(self.ratio) / (2.0 * math.pi)
        weighted = float(np.sum(turns * (self.equivalent(load) / self.rating) ** self.exponent))
        return Dose(weighted / 1e6, float(turns.sum()), weighted * self.rating**self.exponent)

    def modification(self, load: float, speed: float) -> float | None:
        """``a_1 a_ISO`` at an equivalent load [N] and speed [rad/s], or None where its data are not given.

        Raises ValueError outside the range of ISO 281.
        """
        if (
            self.viscosity is None
            or self.pitch_diameter is None
            or (self.contamination is None and not self.cleanliness)
            or self.fatigue_limit is None
        ):
            return None if self.reliability == 0.9 else reliability_factor(self.reliability)
        kappa = self.viscosity / reference_viscosity(speed, self.pitch_diameter)
        clean = self.contamination
        if clean is None:
            clean = contamination_factor(self.cleanliness, kappa, self.pitch_diameter)
        found = life_modification(kappa, clean, self.fatigue_limit, load, self.contact)
        return reliability_factor(self.reliability) * min(found, self.most)


@dataclass(frozen=True)
class Shaft:
    """A shaft in torsion: amplitudes of the local shear stress against an S-N curve of amplitudes."""

    element: str
    diameter: float
    bore: float
    concentration: float
    strength: Strength

    @property
    def elements(self) -> tuple[str, ...]:
        """Whose loads do it."""
        return (self.element,)

    @property
    def mode(self) -> str:
        """How it fails."""
        return "torsional fatigue"

    @property
    def stress_per_torque(self) -> float:
        """Local shear stress per torque [1/m^3]: ``K 16 d / (pi (d^4 - d_i^4))``."""
        return self.concentration * 16.0 * self.diameter / (math.pi * (self.diameter**4 - self.bore**4))

    def dose(self, loads: Mapping[str, Load], record: str) -> Dose:
        """Damage of one pass: counted ranges, half of each as amplitude."""
        load = loads[self.element]
        amplitude = 0.5 * load.ranges * self.stress_per_torque
        return Dose(self.strength.damage(amplitude, load.counts), float(load.counts.sum()))
