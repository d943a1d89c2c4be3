"""Rated flanks and roots of the meshes of a train: damage of a load record, safety over a life.

Every tooth has two flanks, and a root beside each: one takes the mesh forces of one sign, the other those of the other. A
tooth of a sun meets every planet once in a turn against the carrier, a tooth of a planet the sun with one flank and the
ring with the other, and the other way about where the torque reverses. Source: ISO 6336-6:2019.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.geometry.pair import GearPair
from gearwright.stiffness.iso6336 import iso_stiffness

from .components import Dose
from .iso6336_bending import nominal_root_stress, root_factors, root_strength
from .iso6336_rating import (
    RatingError,
    contact_factors,
    contact_strength,
    life_curve,
    nominal_contact_stress,
)
from .lifetime import Spectrum
from .load_factors import face_load_factor, face_load_factor_bending, transverse_factors
from .miner import Strength
from .records import Load

Float = NDArray[np.float64]


@dataclass(frozen=True)
class GearFacts:
    """Strength and factors of a mesh; the fields are those of the section ``life.gears``."""

    pitting_limit: tuple[float, float]
    bending_limit: tuple[float, float]
    treatment: str = "case_hardened"
    hardness: float | None = None
    accuracy: float = 6.0
    roughness: float = 4.8e-6
    root_roughness: float = 16e-6
    viscosity: float = 320.0
    application: float = 1.0
    dynamic: float = 1.0
    mesh_load: float = 1.0
    face_load: float | None = None
    misalignment: float | None = None
    transverse: float | None = None
    reversed_bending: float = 0.7
    long_life: float = 0.85


@dataclass(frozen=True)
class MeshStress:
    """Stresses of one mesh over its normal force: nominal factors and load factors of a pair."""

    pair: GearPair
    facts: GearFacts
    speed: float

    def __post_init__(self) -> None:
        if self.pair.face_width is None:
            raise RatingError("the face width of the teeth is not known; give face_width in the drivetrain file")

    @property
    def width(self) -> float:
        """Common face width [m]."""
        assert self.pair.face_width is not None
        return self.pair.face_width

    def tangential(self, normal: Float) -> Float:
        """Force at the reference circle [N] of a transverse normal force [N] on the flank that is looked at."""
        return normal * math.cos(self.pair.one.transverse_angle)

    def load_factors(self, tangential: float) -> tuple[float, float, float]:
        """Product of K_A, K_gamma, K_v with K_Hbeta K_Halpha, with K_Fbeta K_Falpha, and K_Hbeta itself, at a force [N]."""
        f = self.facts
        base = f.application * f.mesh_load * f.dynamic
        face = 1.0
        if f.face_load is not None:
            face = f.face_load
        elif f.misalignment is not None and tangential > 0.0:
            stiff = iso_stiffness(self.pair, load=tangential * base / self.width).mesh_beta
            face = face_load_factor(f.misalignment, stiff, tangential * base / self.width)
        share = f.transverse
        if share is None:
            share = 1.0
            if tangential > 0.0:
                share = transverse_factors(
                    self.pair,
                    tangential * base * face / self.width,
                    f.accuracy,
                    limit=min(f.pitting_limit),
                    treatment=f.treatment,
                ).contact
        height = max(abs(g.tip_radius - g.root_radius) for g in (self.pair.one, self.pair.two))
        return base * face * share, base * face_load_factor_bending(face, self.width, height) * share, face


@dataclass(frozen=True)
class Course:
    """Stress [Pa] (g,) over the force [N] (g,) of a mesh on one flank, which forces of the sign ``sense`` load."""

    sense: int
    grid: Float
    stress: Float
    power: float

    def at(self, force: ArrayLike) -> Float:
        """Stress [Pa] at signed mesh forces [N], 0 where the other flank carries them; beyond the grid it goes on with the
        load factors of its end."""
        x = self.sense * np.asarray(force, float)
        inside = np.interp(x, self.grid, self.stress, left=0.0)
        beyond = self.stress[-1] * np.maximum(x / self.grid[-1], 1.0) ** self.power
        return np.where(x > self.grid[-1], beyond, inside)


@dataclass(frozen=True)
class Flank:
    """One flank (``mode`` pitting) or root (bending) of a wheel, loaded by the meshes ``courses`` in turn.

    ``ratio`` is the wheel's speed against the carrier per unit reference speed: load cycles of each mesh. ``strength`` in
    pascals; stresses of a mesh with another permissible stress are scaled to it. ``back``: no load of the record that
    the train is rated for is on this flank; it is of interest where another one is.
    """

    element: str
    name: str
    mode: str
    courses: Mapping[str, Course]
    ratio: float
    strength: Strength
    wanted: float
    back: bool = False
    alternating: bool = False
    spectra: dict[str, Spectrum] = field(default_factory=dict, compare=False)

    @property
    def elements(self) -> tuple[str, ...]:
        """Whose loads do it."""
        return tuple(self.courses)

    @property
    def loaded(self) -> bool:
        """Whether any record so far had a load on this flank."""
        return any(len(s.levels) for s in self.spectra.values())

    def dose(self, loads: Mapping[str, Load], record: str) -> Dose:
        """Damage of one pass of a record; its stress spectrum is kept for the safety factor."""
        levels, counts = [], []
        for name in self.elements:
            load = loads[name]
            levels.append(self.courses[name].at(load.levels))
            counts.append(load.seconds * load.speed * abs(self.ratio) / (2.0 * math.pi))
        s, n = np.concatenate(levels), np.concatenate(counts)
        loaded = s > 0.0
        self.spectra[record] = Spectrum(s[loaded], n[loaded]).binned(128)
        return Dose(self.strength.damage(s, n), float(n[loaded].sum()))

    def largest(self, loads: Mapping[str, Load]) -> tuple[float, float]:
        """Largest mesh force [N] on this flank in a record, as a magnitude, and its stress [Pa]."""
        forces = {name: max(0.0, *(c.sense * x for x in loads[name].extremes)) for name, c in self.courses.items()}
        return max(forces.values()), max(float(c.at(c.sense * forces[name])) for name, c in self.courses.items())

    def safety(self, repetitions: Mapping[str, float]) -> float:
        """Factor on all stresses at which the damage over the life is 1 (ISO 6336-6)."""
        stresses = np.concatenate([s.levels for s in self.spectra.values()] or [np.zeros(0)])
        counts = np.concatenate([s.amounts * repetitions[k] for k, s in self.spectra.items()] or [np.zeros(0)])
        return self.strength.factor_to_failure(stresses, counts)


def flank_strength(reference: float, treatment: str, mode: str, long_life: float) -> Strength:
    """S-N curve of a permissible stress [Pa] for a life factor of 1; the first piece goes on above its first point."""
    points = life_curve(treatment, mode, long_life)
    kept = [points[0]]
    for cycles, factor in points[1:]:
        if factor < kept[-1][1]:
            kept.append((cycles, factor))
    return Strength(tuple(n for n, _ in kept), tuple(reference * f for _, f in kept), "limit", True)


@dataclass(frozen=True)
class Role:
    """A wheel in one of its meshes: the pair, which of the two gears it is, and ``side``, the sense (+1 or -1) in which a
    positive mesh force turns it: positive forces of meshes with one side are on one flank. ``sense`` is the sign that the
    force has as the train is rated."""

    stress: MeshStress
    which: int
    side: int = 1
    sense: int = 1

    @property
    def reference(self) -> float:
        """Permissible contact stress [Pa] for a life factor of 1. Raises RatingError."""
        pair, facts = self.stress.pair, self.stress.facts
        gear = (pair.one, pair.two)[self.which]
        velocity = abs(self.stress.speed) * gear.reference_radius
        hardness = facts.hardness if gear.teeth == max(pair.one.teeth, pair.two.teeth) else None
        return contact_strength(
            pair, facts.pitting_limit[self.which], facts.treatment, velocity, facts.viscosity, facts.roughness, hardness
        ).reference

    @property
    def bending_reference(self) -> float:
        """Permissible root stress [Pa] for a life factor of 1, bent one way. Raises RatingError."""
        pair, facts = self.stress.pair, self.stress.facts
        gear = (pair.one, pair.two)[self.which]
        root = root_factors(pair, self.which)
        return root_strength(facts.bending_limit[self.which], gear.module, facts.treatment, root, facts.root_roughness)


def rated_wheel(
    body: str, roles: Mapping[str, Role], ratio: float, names: Mapping[int, str], alternating: bool,
    wanted: tuple[float, float], most: float, back: int = 0,
) -> list[Flank]:  # fmt: skip
    """Pitting and bending of both flanks of a wheel that meets the meshes ``roles`` in turn.

    ``names`` of the flanks by the side (+1, -1) whose forces load them, in the order asked for; ``back`` is the side, if
    any, that is not loaded as the train is rated. ``alternating`` roots are bent both ways. ``most`` is the largest force
    [N] that the stress must cover. Raises RatingError for a geometry outside the standard.
    """
    grid = np.linspace(0.0, max(most, 1.0) * 1.05, 200)
    courses: dict[Role, tuple[Float, Float]] = {}
    for role in roles.values():
        key = Role(role.stress, role.which)
        if key not in courses:
            courses[key] = _stresses(role, grid)
    made = []
    for side, name in names.items():
        order = sorted(roles, key=lambda n: roles[n].side * roles[n].sense != side)  # whose load is here comes first
        first = roles[order[0]]
        facts = first.stress.facts
        factor = facts.reversed_bending if alternating else 1.0
        for i, (mode, power) in enumerate((("pitting", 0.5), ("root bending", 1.0))):
            reference = (first.reference, first.bending_reference)[i]
            own = {}
            for mesh in order:
                role = roles[mesh]
                scale = reference / (role.reference, role.bending_reference)[i]
                stress = courses[Role(role.stress, role.which)][i]
                own[mesh] = Course(role.side * side, grid, scale * stress, power)
            strength = flank_strength(
                reference * (factor if i else 1.0), facts.treatment, "bending" if i else "pitting", facts.long_life
            )
            made.append(Flank(body, name, mode, own, ratio, strength, wanted[i], side == back, alternating))
    return made


def _stresses(role: Role, grid: Float) -> tuple[Float, Float]:
    """Contact and root stress [Pa] of a wheel at mesh forces [N]."""
    stress, which, pair = role.stress, role.which, role.stress.pair
    gear, factors, root = (pair.one, pair.two)[which], contact_factors(pair), root_factors(pair, which)
    contact, bent = np.zeros_like(grid), np.zeros_like(grid)
    for i, tangential in enumerate(stress.tangential(grid)):
        kh, kf, _ = stress.load_factors(float(tangential))
        nominal = nominal_contact_stress(pair, float(tangential), factors, stress.width)
        contact[i] = factors.single_pair[which] * nominal * math.sqrt(kh)
        bent[i] = nominal_root_stress(float(tangential), stress.width, gear.module, root) * kf
    return contact, bent


__all__ = ["Course", "Flank", "GearFacts", "MeshStress", "Role", "flank_strength", "rated_wheel"]
