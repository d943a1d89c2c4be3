"""Rated flanks and roots of the meshes of a train: damage of a load record, safety over a life.

A tooth of a sun meets every planet once in a turn against the carrier, a tooth of a planet the sun with one flank and the
ring with the other. Source: ISO 6336-6:2019.
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
    face_load_factor,
    face_load_factor_bending,
    life_curve,
    nominal_contact_stress,
    transverse_factor,
)
from .lifetime import Spectrum
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
        """Force at the reference circle [N] of a transverse normal force [N]; the other flank carries nothing here."""
        return np.maximum(normal, 0.0) * math.cos(self.pair.one.transverse_angle)

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
                share = transverse_factor(self.pair, tangential * base * face, self.width, f.accuracy,
                                          limit=min(f.pitting_limit), treatment=f.treatment)  # fmt: skip
        height = min(abs(g.tip_radius - g.root_radius) for g in (self.pair.one, self.pair.two))
        return base * face * share, base * face_load_factor_bending(face, self.width, height) * share, face


@dataclass(frozen=True)
class Flank:
    """One flank (``mode`` pitting) or root (bending) of a wheel, loaded by the meshes ``elements`` in turn.

    ``ratio`` is the wheel's speed against the carrier per unit reference speed: load cycles of each mesh. ``stress`` by
    mesh force [N] at ``grid`` (g,) [Pa] is interpolated; ``strength`` in pascals.
    """

    element: str
    name: str
    mode: str
    elements: tuple[str, ...]
    ratio: float
    grid: Float
    stress: Float
    strength: Strength
    wanted: float
    spectra: dict[str, Spectrum] = field(default_factory=dict, compare=False)

    def dose(self, loads: Mapping[str, Load], record: str) -> Dose:
        """Damage of one pass of a record; its stress spectrum is kept for the safety factor."""
        levels, counts = [], []
        for name in self.elements:
            load = loads[name]
            levels.append(self.at(load.levels))
            counts.append(load.seconds * load.speed * abs(self.ratio) / (2.0 * math.pi))
        s, n = np.concatenate(levels), np.concatenate(counts)
        loaded = s > 0.0
        self.spectra[record] = Spectrum(s[loaded], n[loaded]).binned(128)
        return Dose(self.strength.damage(s, n), float(n.sum()))

    def at(self, force: ArrayLike) -> Float:
        """Stress [Pa] at mesh forces [N]; beyond the grid with the load factors of its end."""
        x = np.asarray(force, float)
        inside = np.interp(x, self.grid, self.stress, left=0.0)
        power = 0.5 if self.mode == "pitting" else 1.0
        return np.where(x > self.grid[-1], self.stress[-1] * np.maximum(x / self.grid[-1], 1.0) ** power, inside)

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


def rated_wheel(
    body: str, meshes: Mapping[str, tuple[MeshStress, int]], ratio: float, flank: str, alternating: bool, wanted: tuple[float, float],
    most: float,
) -> list[Flank]:  # fmt: skip
    """Pitting and bending of a wheel that meets ``meshes`` (equal pairs; which of the two gears it is) with one flank.

    ``alternating`` roots are bent both ways. ``most`` is the largest force [N] that the stress must cover. Raises
    RatingError for a geometry outside the standard.
    """
    stress, which = next(iter(meshes.values()))
    pair, facts = stress.pair, stress.facts
    gear = (pair.one, pair.two)[which]
    velocity = abs(stress.speed) * gear.reference_radius
    factors = contact_factors(pair)
    strength = contact_strength(pair, facts.pitting_limit[which], facts.treatment, velocity, facts.viscosity, facts.roughness,
                                facts.hardness if gear.teeth == max(pair.one.teeth, pair.two.teeth) else None)  # fmt: skip
    root = root_factors(pair, which)
    bending = root_strength(facts.bending_limit[which], gear.module, facts.treatment, root, facts.root_roughness)
    grid = np.linspace(0.0, max(most, 1.0) * 1.05, 200)
    contact, bent = np.zeros_like(grid), np.zeros_like(grid)
    for i, tangential in enumerate(stress.tangential(grid)):
        kh, kf, _ = stress.load_factors(float(tangential))
        contact[i] = (
            factors.single_pair[which]
            * nominal_contact_stress(pair, float(tangential), factors, stress.width)
            * math.sqrt(kh)
        )
        bent[i] = nominal_root_stress(float(tangential), stress.width, gear.module, root) * kf
    names = tuple(meshes)
    pit = flank_strength(strength.reference, facts.treatment, "pitting", facts.long_life)
    factor = facts.reversed_bending if alternating else 1.0
    bend = flank_strength(bending * factor, facts.treatment, "bending", facts.long_life)
    return [
        Flank(body, flank, "pitting", names, ratio, grid, contact, pit, wanted[0]),
        Flank(body, flank, "root bending", names, ratio, grid, bent, bend, wanted[1]),
    ]


__all__ = ["Flank", "GearFacts", "MeshStress", "flank_strength", "rated_wheel"]
