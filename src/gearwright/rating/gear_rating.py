"""Rated flanks and roots of the meshes of a train: damage of a load record, safety over a life.

Every tooth has two flanks, and a root beside each: one takes the mesh forces of one sign, the other those of the other. A
tooth of a sun meets every planet once in a turn against the carrier, a tooth of a planet the sun with one flank and the
ring with the other, and the other way about where the torque reverses. Source: ISO 6336-6:2019.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.geometry.pair import GearPair

from .components import Dose
from .iso6336_bending import (
    Protuberance,
    RootFactors,
    deep_tooth_factor,
    mean_stress_factor,
    mean_stress_ratio,
    nominal_root_stress,
    rim_factor,
    root_factors,
    root_strength,
    stress_ratio,
)
from .iso6336_rating import (
    ContactStrength,
    RatingError,
    contact_factors,
    contact_strength,
    life_curve,
    nominal_contact_stress,
)
from .lifetime import Spectrum, joined
from .load_factors import (
    DynamicFactor,
    DynamicFacts,
    FaceLoad,
    Layout,
    MisalignmentFacts,
    PinionPlace,
    dynamic_factor,
    face_load_by_c,
    face_load_factor,
    face_load_factor_bending,
    face_stiffness,
    transverse_factors,
)
from .miner import Strength
from .records import Load

Float = NDArray[np.float64]


@dataclass(frozen=True)
class FactorFacts:
    """What the load factors of a mesh follow from.

    ``application`` K_A; ``mesh_load`` K_gamma and ``dynamic`` K_v on the recorded force, ``dynamic`` None: method B at every
    load, at least ``least_dynamic``. K_Hbeta: ``face`` at every load, else of a fixed ``misalignment`` [m], else by method C from
    ``manufacture`` f_ma [m], ``modification``, ``proven_pattern`` and the ``place`` of the pinion; at least ``least_face``.
    ``transverse`` K_Halpha, ``face_bending`` K_Fbeta, ``transverse_bending`` K_Falpha; None: computed. ``relief`` C_a [m],
    ``layout`` and number of ``meshes`` of gear one, ``bores`` of the rims for method B.
    """

    application: float = 1.0
    mesh_load: float = 1.0
    dynamic: float | None = 1.0
    least_dynamic: float = 1.0
    face: float | None = None
    misalignment: float | None = None
    manufacture: float = 0.0
    modification: str = "none"
    proven_pattern: bool = False
    place: PinionPlace = PinionPlace()
    least_face: float = 1.0
    transverse: float | None = None
    face_bending: float | None = None
    transverse_bending: float | None = None
    relief: float = 0.0
    layout: Layout = "parallel"
    meshes: int = 1
    bores: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class GearFacts:
    """Strength of a mesh and what its factors follow from; in pascals and metres.

    ``rims`` thickness of both rims or None; ``undercuts`` s_pr that the tools leave beside both roots; ``flank_line`` f_ZCa; ``size`` Z_X and
    ``mean_stress`` Y_M where they are given.
    """

    pitting_limit: tuple[float, float]
    bending_limit: tuple[float, float]
    treatment: str = "case_hardened"
    hardness: float | None = None
    accuracy: float = 6.0
    roughness: float = 4.8e-6
    root_roughness: float = 16e-6
    viscosity: float = 320.0
    factors: FactorFacts = FactorFacts()
    flank_line: float = 1.0
    size: float | None = None
    mean_stress: float | None = None
    rims: tuple[float | None, float | None] = (None, None)
    long_life: float = 0.85
    undercuts: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class LoadFactors:
    """Load factors at one load, and what K_v by method B and K_Hbeta by method C follow from where they were computed."""

    application: float = 1.0
    mesh_load: float = 1.0
    dynamic: float = 1.0
    face: float = 1.0
    transverse: float = 1.0
    face_bending: float = 1.0
    transverse_bending: float = 1.0
    by_b: DynamicFactor | None = None
    by_c: FaceLoad | None = None

    @property
    def base(self) -> float:
        """K_A K_gamma K_v."""
        return self.application * self.mesh_load * self.dynamic

    @property
    def flank(self) -> float:
        """Product of all factors of the flank."""
        return self.base * self.face * self.transverse

    @property
    def root(self) -> float:
        """Product of all factors of the root."""
        return self.base * self.face_bending * self.transverse_bending


@dataclass(frozen=True)
class MeshStress:
    """Stresses of one mesh over its normal force: nominal factors and load factors of a pair whose gear one turns at a
    ``speed`` [rad/s] (against the carrier)."""

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

    @property
    def velocity(self) -> float:
        """Speed at the reference circle of gear one [m/s]."""
        return abs(self.speed) * self.pair.one.reference_radius

    def tangential(self, normal: Float) -> Float:
        """Force at the reference circle [N] of a transverse normal force [N] on the flank that is looked at."""
        return normal * math.cos(self.pair.one.transverse_angle)

    def load_factors(self, tangential: float) -> LoadFactors:
        """Factors at a force at the reference circle [N]."""
        f = self.facts.factors
        if not tangential > 0.0:
            return LoadFactors()
        outer = tangential * f.application * f.mesh_load / self.width
        by_b = self.dynamic_by_b(outer) if f.dynamic is None else None
        dynamic = max(by_b.value, f.least_dynamic) if by_b is not None else float(f.dynamic or 1.0)
        unit = outer * dynamic
        by_c = None
        if f.face is not None:
            face = f.face
        elif f.misalignment is not None:
            face = max(face_load_factor(f.misalignment, face_stiffness(self.pair, unit), unit), f.least_face)
        else:
            by_c = self.face_by_c(unit)
            face = max(by_c.value, f.least_face)
        share = f.transverse, f.transverse_bending
        if None in share:
            found = transverse_factors(
                self.pair,
                unit * face,
                self.facts.accuracy,
                limit=min(self.facts.pitting_limit),
                treatment=self.facts.treatment,
            )
            share = found.contact if share[0] is None else share[0], found.bending if share[1] is None else share[1]
        height = max(abs(g.tip_radius - g.root_radius) for g in (self.pair.one, self.pair.two))
        bending = face_load_factor_bending(face, self.width, height) if f.face_bending is None else f.face_bending
        return LoadFactors(
            f.application, f.mesh_load, dynamic, face, share[0] or 1.0, bending, share[1] or 1.0, by_b, by_c
        )

    def dynamic_by_b(self, unit_load: float) -> DynamicFactor:
        """K_v by method B at F_t K_A K_gamma / b [N/m]."""
        facts, f = self.facts, self.facts.factors
        return dynamic_factor(
            DynamicFacts(
                self.pair,
                self.speed,
                unit_load,
                facts.accuracy,
                f.relief,
                min(facts.pitting_limit),
                facts.treatment,
                bores=f.bores,
                layout=f.layout,
                meshes=f.meshes,
            )
        )

    def face_by_c(self, unit_load: float) -> FaceLoad:
        """K_Hbeta by method C at F_t K_A K_gamma K_v / b [N/m]."""
        facts, f = self.facts, self.facts.factors
        diameter = 2.0 * min(g.reference_radius for g in (self.pair.one, self.pair.two))
        return face_load_by_c(
            MisalignmentFacts(
                unit_load,
                self.width,
                diameter,
                face_stiffness(self.pair, unit_load),
                f.manufacture,
                facts.pitting_limit,
                (facts.treatment, facts.treatment),
                f.place,
                f.modification,
                f.proven_pattern,
            )
        )

    def rim_factors(self, which: int) -> tuple[float, float]:
        """Y_B and Y_DT of a gear. Raises RatingError for a rim that is too thin."""
        gear, rim = (self.pair.one, self.pair.two)[which], self.facts.rims[which]
        height = abs(gear.tip_radius - gear.root_radius)
        thin = 1.0 if rim is None else rim_factor(rim, height, gear.module, gear.ring)
        return thin, deep_tooth_factor(
            self.pair.contact_ratio / math.cos(self.pair.base_helix) ** 2, self.facts.accuracy
        )


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
    mean_stress: float = 1.0
    roles: Mapping[str, Role] = field(default_factory=dict, compare=False)
    spectra: dict[str, Spectrum] = field(default_factory=dict, compare=False)
    counted: dict[str, Spectrum] = field(default_factory=dict, compare=False)

    @property
    def elements(self) -> tuple[str, ...]:
        """Whose loads do it."""
        return tuple(self.courses)

    @property
    def loaded(self) -> bool:
        """Whether any record so far had a load on this flank."""
        return any(len(s.levels) for s in self.spectra.values())

    def dose(self, loads: Mapping[str, Load], record: str) -> Dose:
        """Damage of one pass of a record; its stress spectrum is kept for the safety factor, and beside it (``counted``) the stresses of the
        counted ranges of the mesh force, which are no tooth's own cycles."""
        levels, counts, ranges = [], [], []
        for name in self.elements:
            load, course = loads[name], self.courses[name]
            levels.append(course.at(load.levels))
            ranges.append(Spectrum(course.at(course.sense * load.ranges), load.counts))
            counts.append(load.seconds * load.speed * abs(self.ratio) / (2.0 * math.pi))
        s, n = np.concatenate(levels), np.concatenate(counts)
        loaded = s > 0.0
        self.spectra[record] = Spectrum(s[loaded], n[loaded]).binned(128)
        self.counted[record] = joined(ranges, [1.0] * len(ranges))
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
    def contact(self) -> ContactStrength:
        """Factors of the permissible contact stress. Raises RatingError."""
        pair, facts = self.stress.pair, self.stress.facts
        softer = self.which == (1 if pair.ratio >= 1.0 else 0)
        found = contact_strength(
            pair,
            facts.pitting_limit[self.which],
            facts.treatment,
            self.stress.velocity,
            facts.viscosity,
            facts.roughness,
            facts.hardness if softer else None,
        )
        return found if facts.size is None else replace(found, size=facts.size)

    @property
    def reference(self) -> float:
        """Permissible contact stress [Pa] for a life factor of 1. Raises RatingError."""
        return self.contact.reference

    @property
    def root(self) -> RootFactors:
        """Form and stress correction of the root. Raises RatingError."""
        pair = self.stress.pair
        gear, undercut = (pair.one, pair.two)[self.which], self.stress.facts.undercuts[self.which]
        if not undercut > 0.0:
            return root_factors(pair, self.which)
        rounding = min(gear.fillet_radius, gear.dedendum) if gear.ring else gear.rounding
        return root_factors(pair, self.which, protuberance=Protuberance(rounding, undercut / gear.module))

    @property
    def bending_reference(self) -> float:
        """Permissible root stress [Pa] for a life factor of 1, bent one way. Raises RatingError."""
        facts = self.stress.facts
        gear = (self.stress.pair.one, self.stress.pair.two)[self.which]
        return root_strength(
            facts.bending_limit[self.which], gear.module, facts.treatment, self.root, facts.root_roughness
        )


def rated_wheel(
    body: str,
    roles: Mapping[str, Role],
    ratio: float,
    names: Mapping[int, str],
    alternating: bool,
    wanted: tuple[float, float],
    grid: Float,
    back: int = 0,
) -> list[Flank]:
    """Pitting and bending of both flanks of a wheel that meets the meshes ``roles`` in turn.

    ``names`` of the flanks by the side (+1, -1) whose forces load them, in the order asked for; ``back`` is the side, if
    any, that is not loaded as the train is rated. ``alternating`` roots are bent both ways. ``grid``: forces [N], from 0 on,
    between whose stresses those of other forces lie. Raises RatingError for a geometry outside the standard.
    """
    courses: dict[Role, tuple[Float, Float]] = {}
    for role in roles.values():
        key = Role(role.stress, role.which)
        if key not in courses:
            courses[key] = _stresses(role, grid)
    made = []
    mean = _mean_stress(roles, courses) if alternating else 1.0
    for side, name in names.items():
        order = sorted(roles, key=lambda n: roles[n].side * roles[n].sense != side)  # whose load is here comes first
        first = roles[order[0]]
        facts = first.stress.facts
        factor = mean if alternating else 1.0
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
            made.append(
                Flank(
                    body,
                    name,
                    mode,
                    own,
                    ratio,
                    strength,
                    wanted[i],
                    side == back,
                    alternating,
                    factor if i else 1.0,
                    {n: roles[n] for n in order},
                )
            )
    return made


def _mean_stress(roles: Mapping[str, Role], courses: Mapping[Role, tuple[Float, Float]]) -> float:
    """Y_M of a root that is bent both ways: given, or from the stresses that the same force makes on both sides."""
    first = next(iter(roles.values()))
    if first.stress.facts.mean_stress is not None:
        return first.stress.facts.mean_stress
    sides: dict[int, float] = {}
    for role in roles.values():
        bent = float(courses[Role(role.stress, role.which)][1][-1])
        side = role.side * role.sense
        sides[side] = max(sides.get(side, 0.0), bent)
    m = mean_stress_ratio(first.stress.facts.treatment, max(role.root.stress_correction for role in roles.values()))
    return mean_stress_factor(stress_ratio(max(sides.values()), min(sides.values())), m)


def _stresses(role: Role, grid: Float) -> tuple[Float, Float]:
    """Contact and root stress [Pa] of a wheel at mesh forces [N]."""
    stress, which, pair = role.stress, role.which, role.stress.pair
    gear, root = (pair.one, pair.two)[which], role.root
    factors = contact_factors(pair, flank_line=stress.facts.flank_line)
    thin, deep = stress.rim_factors(which)
    contact, bent = np.zeros_like(grid), np.zeros_like(grid)
    for i, tangential in enumerate(stress.tangential(grid)):
        k = stress.load_factors(float(tangential))
        nominal = nominal_contact_stress(pair, float(tangential), factors, stress.width)
        contact[i] = factors.single_pair[which] * nominal * math.sqrt(k.flank)
        bent[i] = nominal_root_stress(float(tangential), stress.width, gear.module, root) * thin * deep * k.root
    return contact, bent
