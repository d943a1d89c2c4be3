"""Load capacity of teeth after ISO 6336 (method B): contact stress, permissible stress, life curves.

Stresses in pascals, lengths in metres, forces in newtons. Sources: ISO 6336-1, -2, -5:2016/2019 and -6:2019; worked example
ISO/TR 6336-30:2017.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gearwright.errors import InputError
from gearwright.geometry.pair import GearPair

MPA = 1e6

#: pitting: (cycles, Z_NT) of every treatment; the last factor is replaced by what the design assures (0.85 to 1)
_PITTING = {
    "hard": ((1e5, 1.6), (5e7, 1.0), (1e10, 0.85)),
    "hard_pitting": ((6e5, 1.6), (1e7, 1.3), (1e9, 1.0), (1e10, 0.85)),
    "nitrided": ((1e5, 1.3), (2e6, 1.0), (1e10, 0.85)),
    "nitrocarburised": ((1e5, 1.1), (2e6, 1.0), (1e10, 0.85)),
}
#: bending: (cycles, Y_NT)
_BENDING = {
    "hard": ((1e3, 2.5), (3e6, 1.0), (1e10, 0.85)),
    "through": ((1e4, 2.5), (3e6, 1.0), (1e10, 0.85)),
    "nitrided": ((1e3, 1.6), (3e6, 1.0), (1e10, 0.85)),
    "nitrocarburised": ((1e3, 1.1), (3e6, 1.0), (1e10, 0.85)),
}
#: treatment -> pitting curve, bending curve, family of the size and notch factors
TREATMENTS = {
    "case_hardened": ("hard", "hard", "hard"),
    "case_hardened_pitting": ("hard_pitting", "hard", "hard"),
    "induction_hardened": ("hard", "hard", "hard"),
    "induction_hardened_pitting": ("hard_pitting", "hard", "hard"),
    "through_hardened": ("hard", "through", "through"),
    "through_hardened_pitting": ("hard_pitting", "through", "through"),
    "nitrided": ("nitrided", "nitrided", "nitrided"),
    "nitrocarburised": ("nitrocarburised", "nitrocarburised", "nitrided"),
    "cast_iron": ("nitrided", "nitrided", "cast"),
}


class RatingError(InputError):
    """Teeth that cannot be rated: the message says which number is wrong or missing."""


def life_curve(treatment: str, mode: str, long_life: float = 0.85) -> tuple[tuple[float, float], ...]:
    """(cycles, factor) of Z_NT (``pitting``) or Y_NT (``bending``), straight in log-log between.

    ``long_life`` is the factor at 1e10 cycles: 0.85 to 1.0 for the best material, finish and experience.
    """
    if treatment not in TREATMENTS:
        raise RatingError(f"treatment '{treatment}': there are {', '.join(TREATMENTS)}")
    points = _PITTING[TREATMENTS[treatment][0]] if mode == "pitting" else _BENDING[TREATMENTS[treatment][1]]
    return (*points[:-1], (points[-1][0], long_life))


def life_factor(cycles: float, treatment: str, mode: str = "pitting", long_life: float = 0.85) -> float:
    """Z_NT or Y_NT at a number of load cycles; level before the first point and after the last."""
    points = life_curve(treatment, mode, long_life)
    if cycles <= points[0][0]:
        return points[0][1]
    for (n1, f1), (n2, f2) in zip(points, points[1:], strict=False):
        if cycles <= n2:
            return f1 * (cycles / n1) ** (math.log(f2 / f1) / math.log(n2 / n1))
    return points[-1][1]


# --- contact stress ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ContactFactors:
    """Factors of the contact stress: Z_H, Z_E [sqrt(MPa)], Z_epsilon, Z_beta, and of single pair contact (Z_B, Z_D)."""

    zone: float
    elasticity: float
    contact_ratio: float
    helix: float
    single_pair: tuple[float, float]


#: f_ZCa of helical teeth by what their profile and helix modification rests on (ISO 6336-2:2019, from memory)
FLANK_LINE = {"none": 1.2, "experience": 1.07, "analysis": 1.0}


def contact_factors(
    pair: GearPair, young: float = 206e9, poisson: float = 0.3, flank_line: float = 1.0
) -> ContactFactors:
    """Geometry factors of a pair; ``young`` [Pa] and ``poisson`` where the gears name no material.

    ``flank_line`` f_ZCa of helical teeth, whose root Z_B and Z_D are at an overlap of 1 or more (editions before 2019: 1).
    """
    beta, alpha_t, working = pair.one.helix_angle, pair.one.transverse_angle, pair.working_angle
    zone = math.sqrt(2.0 * math.cos(pair.base_helix) * math.cos(working) / (math.cos(alpha_t) ** 2 * math.sin(working)))
    soft = 0.0
    for gear in (pair.one, pair.two):
        e, nu = (gear.material.young, gear.material.poisson) if gear.material is not None else (young, poisson)
        soft += (1.0 - nu**2) / (e / MPA)
    elasticity = math.sqrt(1.0 / (math.pi * soft))
    alpha, overlap = pair.contact_ratio, pair.overlap_ratio
    if overlap >= 1.0:
        ratio = math.sqrt(1.0 / alpha)
    else:
        ratio = math.sqrt((4.0 - alpha) / 3.0 * (1.0 - overlap) + overlap / alpha)
    return ContactFactors(zone, elasticity, ratio, 1.0 / math.sqrt(math.cos(beta)), _single_pair(pair, flank_line))


def _single_pair(pair: GearPair, flank_line: float) -> tuple[float, float]:
    """Z_B and Z_D: from the pitch point to the inner point of single contact of gear one and of gear two."""
    path, overlap = pair.path, min(pair.overlap_ratio, 1.0)
    line = math.sqrt(flank_line) if overlap > 0.0 else 1.0
    pitch = pair.curvature(path.pitch_point)
    found = []
    for s in (path.end - path.base_pitch, path.start + path.base_pitch):
        radius = pair.curvature(s) if s > 0.0 else math.nan
        m = max(math.sqrt(pitch / radius), 1.0) if radius > 0.0 else 1.0
        found.append(m - overlap * (m - line))
    return found[0], 1.0 - overlap * (1.0 - line) if pair.internal else found[1]


def nominal_contact_stress(pair: GearPair, tangential: float, factors: ContactFactors, width: float) -> float:
    """sigma_H0 [Pa] at the pitch point under a force [N] at the reference circle of gear one, over the face ``width`` [m]."""
    d1 = 2.0 * pair.one.reference_radius
    u = pair.two.teeth / pair.one.teeth * (-1.0 if pair.internal else 1.0)
    load = tangential / (d1 * width) / MPA * (u + 1.0) / u
    product = factors.zone * factors.elasticity * factors.contact_ratio * factors.helix
    return MPA * product * math.sqrt(max(load, 0.0))


# --- permissible contact stress ----------------------------------------------------------------------------


def lubricant_constant(limit: float) -> float:
    """C_ZL of a limit sigma_Hlim [Pa]."""
    return 0.83 + 0.08 * (min(max(limit / MPA, 850.0), 1200.0) - 850.0) / 350.0


def lubricant_factor(limit: float, viscosity: float) -> float:
    """Z_L; viscosity at 40 C [mm^2/s]."""
    c = lubricant_constant(limit)
    return c + 4.0 * (1.0 - c) / (1.2 + 134.0 / viscosity) ** 2


def speed_factor(limit: float, speed: float) -> float:
    """Z_v; pitch line speed [m/s]."""
    c = lubricant_constant(limit) + 0.02
    return c + 2.0 * (1.0 - c) / math.sqrt(0.8 + 32.0 / max(abs(speed), 1e-9))


def roughness_factor(pair: GearPair, limit: float, roughness: float) -> float:
    """Z_R; ``roughness`` is the mean peak to valley height R_z of both flanks [m] (6 R_a)."""
    rho = [0.5 * g.base_radius * 2.0 * math.tan(pair.working_angle) for g in (pair.one, pair.two)]
    relative = rho[0] * rho[1] / (rho[1] - rho[0] if pair.internal else rho[0] + rho[1])
    rz10 = 1e6 * roughness * (0.01 / relative) ** (1.0 / 3.0)
    c = 0.32 - 0.2 * min(max(limit / MPA, 850.0), 1200.0) / 1000.0
    return float((3.0 / rz10) ** c)


def work_hardening_factor(hardness: float | None) -> float:
    """Z_W of a softer wheel of a Brinell hardness (130 to 470) against a hard, smooth pinion; 1 without a hardness."""
    return 1.0 if hardness is None else 1.2 - (min(max(hardness, 130.0), 470.0) - 130.0) / 1700.0


def size_factor_pitting(module: float, treatment: str) -> float:
    """Z_X; normal module [m]."""
    m, family = 1e3 * module, TREATMENTS[treatment][2]
    if family == "hard":
        return min(max(1.05 - 0.005 * m, 0.9), 1.0)
    if family == "nitrided":
        return min(max(1.08 - 0.011 * m, 0.75), 1.0)
    return 1.0


@dataclass(frozen=True)
class ContactStrength:
    """Factors of the permissible contact stress: Z_L, Z_v, Z_R, Z_W, Z_X; ``limit`` sigma_Hlim [Pa]."""

    limit: float
    lubricant: float
    speed: float
    roughness: float
    hardening: float
    size: float

    @property
    def reference(self) -> float:
        """Permissible stress [Pa] for Z_NT = 1 and S_H = 1."""
        return self.limit * self.lubricant * self.speed * self.roughness * self.hardening * self.size


def contact_strength(
    pair: GearPair,
    limit: float,
    treatment: str,
    speed: float,
    viscosity: float,
    roughness: float,
    hardness: float | None = None,
) -> ContactStrength:
    """Strength of a flank of ``limit`` sigma_Hlim [Pa] at a pitch line speed [m/s]."""
    if not limit > 0.0:
        raise RatingError(f"sigma_Hlim must be positive, got {limit:g}")
    return ContactStrength(
        limit,
        lubricant_factor(limit, viscosity),
        speed_factor(limit, speed),
        roughness_factor(pair, limit, roughness),
        work_hardening_factor(hardness),
        size_factor_pitting(pair.one.module, treatment),
    )
