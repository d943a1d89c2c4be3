"""Safeties of the teeth of a stage at rated torque over the life, by the rating of :mod:`gearwright.rating`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gearwright.geometry.pair import GearPair
from gearwright.rating.gear_rating import FactorFacts, GearFacts, MeshStress, Role
from gearwright.rating.iso6336_bending import nominal_root_stress, root_strength
from gearwright.rating.iso6336_rating import FLANK_LINE, contact_factors, life_factor, nominal_contact_stress

from .ratings import MESH_LOAD, Margins, Strength

#: what the modification of the teeth rests on (f_ZCa of ISO 6336-2:2019): the relief is that of a formula, proven by its use. 1.0 is
#: for one found by an analysis of the load over the face, 1.2 for none
MODIFICATION = "experience"
#: factor on the root strength of teeth that are bent both ways
REVERSED = 0.7


@dataclass(frozen=True)
class Safety:
    """S_H and S_F of a wheel in one of its meshes."""

    wheel: str
    pitting: float
    bending: float


def gear_facts(margins: Margins, strength: Strength, planets: int) -> GearFacts:
    """Strength and factors of the meshes of a stage; those of the section ``life`` that the file is written with."""
    return GearFacts(
        (strength.pitting, strength.pitting),
        (strength.bending, strength.bending),
        strength.treatment,
        factors=FactorFacts(margins.application, MESH_LOAD[planets], margins.dynamic, face=margins.face_load),
        flank_line=FLANK_LINE[MODIFICATION],
        mean_stress=REVERSED,
    )


def safeties(
    pair: GearPair,
    facts: GearFacts,
    force: float,
    speed: float,
    cycles: tuple[float, float],
    both_ways: tuple[bool, bool],
) -> list[Safety]:
    """Safeties of both wheels of a pair.

    ``force`` tangential at the reference circles without factors [N], ``speed`` of gear one against the carrier [rad/s],
    load ``cycles`` of each wheel over the life, ``both_ways``: whether its roots are bent both ways.
    """
    stress = MeshStress(pair, facts, speed)
    factors = stress.load_factors(force)
    contact = contact_factors(pair, flank_line=facts.flank_line)
    nominal = nominal_contact_stress(pair, force, contact, stress.width)
    found = []
    for i, gear in enumerate((pair.one, pair.two)):
        role = Role(stress, i)
        flank = contact.single_pair[i] * nominal * math.sqrt(factors.flank)
        shape = role.root
        root = nominal_root_stress(force, stress.width, gear.module, shape) * factors.root
        root_limit = root_strength(facts.bending_limit[i], gear.module, facts.treatment, shape, facts.root_roughness)
        lives = [life_factor(cycles[i], facts.treatment, mode, facts.long_life) for mode in ("pitting", "bending")]
        weak = REVERSED if both_ways[i] else 1.0
        found.append(Safety(gear.name, role.reference * lives[0] / flank, root_limit * weak * lives[1] / root))
    return found
