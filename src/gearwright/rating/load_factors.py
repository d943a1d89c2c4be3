"""Load factors of ISO 6336-1: dynamic, mesh load, face load and transverse factors, each with the figures behind it.

Pure functions of frozen facts. SI units: forces in newtons, lengths in metres, a unit load in N/m of face width. Sources: ISO
6336-1:2019 (method B of K_v and K_alpha, method C of K_Hbeta), DIN 3990-1 and -11 for what the ISO standard took over from
them, ISO 1328-1:2013 for tolerances. What is from memory is named in ``docs/standards.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from gearwright.geometry.gear import Gear
from gearwright.geometry.pair import GearPair
from gearwright.geometry.tolerances import pitch_deviation, profile_form_deviation
from gearwright.results.planet_sharing import TABLE
from gearwright.stiffness.iso6336 import iso_stiffness

from .iso6336_rating import MPA, TREATMENTS, RatingError, contact_factors

#: least factors of wind practice (IEC 61400-4), unless a simulation or a test proves less
LEAST_DYNAMIC, LEAST_FACE_LOAD = 1.05, 1.15
#: mesh load factor by number of planets, for lack of a validated simulation (IEC 61400-4, AGMA 6006; from memory)
MESH_LOAD = TABLE

# --- tolerances and running-in -----------------------------------------------------------------------------


def helix_slope_deviation(diameter: float, width: float, grade: float) -> float:
    """Helix slope tolerance f_Hbeta [m] of ISO 1328-1:2013, ``0.05 sqrt(d) + 0.35 sqrt(b) + 4`` um at grade 5."""
    value = 0.05 * math.sqrt(1e3 * diameter) + 0.35 * math.sqrt(1e3 * width) + 4.0
    return 1e-6 * value * math.sqrt(2.0) ** (grade - 5.0)


def running_in(deviation: float, limit: float, treatment: str) -> float:
    """Running-in allowance y_alpha [m] of a pitch deviation [m] (for case-hardened and nitrided: 0.075 of it, at most 3 um)."""
    if TREATMENTS[treatment][2] in ("hard", "nitrided"):
        return min(0.075 * deviation, 3e-6)
    return min(160.0 / (limit / MPA), 1.0) * deviation


def helix_running_in(misalignment: float, limit: float, treatment: str) -> float:
    """Running-in allowance y_beta [m] of an initial misalignment F_betax [m] of one wheel.

    Surface-hardened and nitrided: 15 % of it, at most 6 um; through-hardened: 320/sigma_Hlim of it; cast iron: 55 %.
    """
    family = TREATMENTS[treatment][2]
    if family in ("hard", "nitrided"):
        return min(0.15 * misalignment, 6e-6)
    if family == "cast":
        return 0.55 * misalignment
    return min(320.0 / (limit / MPA), 1.0) * misalignment


# --- dynamic factor ----------------------------------------------------------------------------------------

Layout = Literal["parallel", "sun", "held ring"]


@dataclass(frozen=True)
class DynamicFacts:
    """What K_v of method B follows from.

    ``speed`` [rad/s] of gear one, of a planetary stage against the carrier; ``unit_load`` F_t K_A K_gamma / b [N/m];
    ``grade`` of ISO 1328; ``relief`` C_a [m]; ``bores`` inner over root diameters of the rims; ``density`` [kg/m^3];
    ``layout``: two wheels that turn (parallel), gear one a sun with ``meshes`` planets, or gear two a ring that is held,
    whose mass counts as infinite.
    """

    pair: GearPair
    speed: float
    unit_load: float
    grade: float
    relief: float = 0.0
    limit: float = 1.5e9
    treatment: str = "case_hardened"
    density: float = 7830.0
    bores: tuple[float, float] = (0.0, 0.0)
    layout: Layout = "parallel"
    meshes: int = 1


@dataclass(frozen=True)
class DynamicFactor:
    """K_v with what it follows from.

    ``resonance_ratio`` N, ``resonance_speed`` n_E1 [rad/s] of gear one, ``reduced_mass`` m_red [kg/m] of face width, and the
    parts B_p, B_f, B_k of pitch, profile and relief; ``region``: subcritical, resonance, between, supercritical.
    """

    value: float
    resonance_ratio: float
    resonance_speed: float
    reduced_mass: float
    pitch_part: float
    profile_part: float
    relief_part: float
    region: str


def disc_inertia(gear: Gear, density: float, bore: float) -> float:
    """J of a disc of the mean of tip and root diameter, per face width [kg m]: ``pi rho d_m^4 (1 - q^4) / 32``."""
    return math.pi * density * (gear.tip_radius + gear.root_radius) ** 4 * (1.0 - bore**4) / 32.0


def reduced_mass(facts: DynamicFacts) -> float:
    """m_red [kg/m] on the line of action, per face width.

    A sun with N planets has ``J_s J_p / (N J_p r_bs^2 + J_s r_bp^2)``; beside a held ring the planet is alone.
    """
    one, two = facts.pair.one, facts.pair.two
    j1 = disc_inertia(one, facts.density, facts.bores[0])
    if facts.layout == "held ring":
        return j1 / one.base_radius**2
    if two.ring:
        raise RatingError("K_v of a ring that turns is not in the standard's formulas; give K_v in life.gears")
    j2 = disc_inertia(two, facts.density, facts.bores[1])
    return j1 * j2 / (j1 * two.base_radius**2 + facts.meshes * j2 * one.base_radius**2)


def dynamic_factor(facts: DynamicFacts) -> DynamicFactor:
    """K_v by method B (resonance model of one pair). Raises RatingError for a ring that is not held."""
    pair, unit = facts.pair, facts.unit_load
    if not unit > 0.0:
        raise RatingError("K_v needs a load: F_t K_A K_gamma / b is not positive")
    stiff = iso_stiffness(pair, load=unit)
    mass = reduced_mass(facts)
    resonance = math.sqrt(stiff.mesh / mass) * pair.angular_pitch / (2.0 * math.pi)
    n = abs(facts.speed) / resonance
    gears = (pair.one, pair.two)
    base = max(pitch_deviation(2.0 * g.reference_radius, g.module, facts.grade) for g in gears)
    base *= math.cos(pair.one.transverse_angle)
    form = max(profile_form_deviation(g.module, facts.grade) for g in gears)
    bp = stiff.single * (base - running_in(base, facts.limit, facts.treatment)) / unit
    bf = stiff.single * (form - running_in(form, facts.limit, facts.treatment)) / unit
    bk = abs(1.0 - stiff.single * facts.relief / unit) if facts.relief > 0.0 else 1.0
    value, region = _over_resonance(n, unit, pair.contact_ratio + pair.overlap_ratio, bp, bf, bk)
    return DynamicFactor(max(value, 1.0), n, resonance, mass, bp, bf, bk, region)


def _over_resonance(n: float, unit: float, total: float, bp: float, bf: float, bk: float) -> tuple[float, str]:
    """K_v of the four ranges of N, from the parts and the total contact ratio."""
    short = total <= 2.0
    cv1, cv5 = 0.32, 0.47
    cv2 = 0.34 if short else 0.57 / (total - 0.3)
    cv3 = 0.23 if short else 0.096 / (total - 1.56)
    cv4 = 0.90 if short else (0.57 - 0.05 * total) / (total - 1.44)
    cv6 = 0.47 if short else 0.12 / (total - 1.74)
    cv7 = 0.75 if total <= 1.5 else (0.125 * math.sin(math.pi * (total - 2.0)) + 0.875 if total <= 2.5 else 1.0)
    lower = 0.85 if unit >= 1e5 else 0.5 + 0.35 * math.sqrt(unit / 1e5)
    if n <= lower:
        return n * (cv1 * bp + cv2 * bf + cv3 * bk) + 1.0, "subcritical"
    main = cv1 * bp + cv2 * bf + cv4 * bk + 1.0
    above = cv5 * bp + cv6 * bf + cv7
    if n <= 1.15:
        return main, "resonance"
    if n < 1.5:
        return above + (main - above) / 0.35 * (1.5 - n), "between"
    return above, "supercritical"


def ideal_relief(pair: GearPair, unit_load: float) -> float:
    """C_a [m] that takes the relief part of K_v away: the deflection of one pair under a unit load [N/m]."""
    return unit_load / iso_stiffness(pair, load=unit_load).single


# --- mesh load factor --------------------------------------------------------------------------------------


def mesh_load_factor(planets: int) -> float | None:
    """K_gamma of a number of planets by table: 1 for one or two; None beyond the table."""
    return 1.0 if planets <= 2 else MESH_LOAD.get(planets)


# --- face load factor --------------------------------------------------------------------------------------

#: places of a pinion: K' with and without the support that the pinion body gives its shaft
PLACES = {"a": (0.48, 0.8), "b": (-0.48, -0.8), "c": (1.33, 1.33), "d": (-0.36, -0.6), "e": (-0.6, -1.0)}
#: modification: share of f_sh per unit load (A, mm um/N), B_1 of f_sh and B_2 of f_ma
MODIFICATIONS = {
    "none": (0.023, 1.0, 1.0),
    "crowned": (0.012, 1.0, 0.5),
    "end_relief": (0.016, 1.0, 0.7),
    "load": (0.023, 0.1, 1.0),
    "load_crowned": (0.023, 0.1, 0.5),
}
Modification = Literal["none", "crowned", "end_relief", "load", "load_crowned"]


@dataclass(frozen=True)
class PinionPlace:
    """Where a pinion sits: ``place`` a to e of the standard's figure, bearing ``span`` l, ``offset`` s of the pinion from
    their middle and ``shaft`` diameter [m]; ``supported``: the pinion body stiffens its shaft."""

    place: str = "a"
    span: float = 0.0
    offset: float = 0.0
    shaft: float = 0.0
    supported: bool = False

    def bending(self, diameter: float) -> float:
        """``K' (l s / d1^2) (d1/d_sh)^4`` of a pinion of a reference diameter [m]; 0 without a span or an offset."""
        if not (self.span > 0.0 and self.shaft > 0.0) or self.offset == 0.0:
            return 0.0
        k = PLACES[self.place][0 if self.supported else 1]
        return k * self.span * self.offset / diameter**2 * (diameter / self.shaft) ** 4


@dataclass(frozen=True)
class MisalignmentFacts:
    """What K_Hbeta of method C follows from.

    ``unit_load`` F_m/b = F_t K_A K_gamma K_v / b [N/m] over the face ``width`` [m] of a pinion of reference ``diameter`` [m];
    ``stiffness`` c_gamma_beta [N/m^2]; ``manufacture`` f_ma [m]; ``modification`` one of MODIFICATIONS;
    ``proven_pattern``: a contact pattern shows that f_sh and f_ma point against each other; limits [Pa] and treatments of both
    wheels for the running-in. ``double`` helical: the formula of one half.
    """

    unit_load: float
    width: float
    diameter: float
    stiffness: float
    manufacture: float
    limits: tuple[float, float] = (1.5e9, 1.5e9)
    treatments: tuple[str, str] = ("case_hardened", "case_hardened")
    place: PinionPlace = PinionPlace()
    modification: str = "none"
    proven_pattern: bool = False


@dataclass(frozen=True)
class FaceLoad:
    """K_Hbeta with the misalignments [m] behind it: ``deflection`` f_sh, ``manufacture`` f_ma, ``initial`` F_betax, ``running_in``
    y_beta, ``effective`` F_betay; ``crowning`` [m] of one flank that cures it best, and the factor that is then left."""

    value: float
    deflection: float
    manufacture: float
    initial: float
    running_in: float
    effective: float
    crowning: float
    crowned: float


def manufacturing_misalignment(pair: GearPair, width: float, grade: float) -> float:
    """f_ma [m] of two wheels of a grade without adjustment: the root of the sum of squares of both f_Hbeta."""
    return math.hypot(*(helix_slope_deviation(2.0 * g.reference_radius, width, grade) for g in (pair.one, pair.two)))


def face_stiffness(pair: GearPair, unit_load: float) -> float:
    """c_gamma_beta [N/m^2] of a pair under a unit load [N/m]."""
    return iso_stiffness(pair, load=unit_load).mesh_beta


def deflection(facts: MisalignmentFacts) -> float:
    """f_sh [m] of pinion and shaft, ``(F_m/b) A (|B* + K' (l s/d1^2)(d1/d_sh)^4 - 0.3| + 0.3) (b/d1)^2``."""
    share = MODIFICATIONS[facts.modification][0]
    # A is in mm um / N: 1 N/m is 1e-3 N/mm, and 1 um is 1e-6 m
    bent = abs(1.0 + facts.place.bending(facts.diameter) - 0.3) + 0.3
    return 1e-9 * facts.unit_load * share * bent * (facts.width / facts.diameter) ** 2


def face_load_by_c(facts: MisalignmentFacts) -> FaceLoad:
    """K_Hbeta by method C. Raises RatingError for a modification or a place that the standard does not have."""
    if facts.modification not in MODIFICATIONS or facts.place.place not in PLACES:
        raise RatingError(
            f"K_Hbeta: modification '{facts.modification}', place '{facts.place.place}'; there are "
            f"{', '.join(MODIFICATIONS)} and places {', '.join(PLACES)}"
        )
    _, first, second = MODIFICATIONS[facts.modification]
    bent, made = deflection(facts), facts.manufacture
    initial = abs(1.33 * bent - made) if facts.proven_pattern else 1.33 * first * bent + second * made
    y = sum(helix_running_in(initial, s, t) for s, t in zip(facts.limits, facts.treatments, strict=True)) / 2.0
    effective = initial - y
    value = face_load_factor(effective, facts.stiffness, facts.unit_load)
    crowning, left = curing_crowning(effective, facts.stiffness, facts.unit_load)
    return FaceLoad(value, bent, made, initial, y, effective, crowning, left)


def face_load_factor(misalignment: float, stiffness: float, unit_load: float) -> float:
    """K_Hbeta of an effective misalignment F_beta_y [m], stiffness c_gamma_beta [N/m^2] and mean load F_m/b [N/m]."""
    if not (unit_load > 0.0 and stiffness > 0.0 and misalignment >= 0.0):
        raise RatingError("misalignment must not be negative, stiffness and load must be positive")
    x = misalignment * stiffness / (2.0 * unit_load)
    return 1.0 + x if x <= 1.0 else 2.0 * math.sqrt(x)


def curing_crowning(misalignment: float, stiffness: float, unit_load: float) -> tuple[float, float]:
    """Crowning C [m] of one flank that leaves the least K_Hbeta of a misalignment f [m], and that factor.

    While the whole face carries, a line load ``w + c (f x - 4 C x^2 + C/3)``, x from -1/2 to 1/2, has its least maximum for
    ``C = (sqrt(3)/4) f``: ``1 + c f / (2 sqrt(3) w)``. Beyond ``c f / w = 2 sqrt(3) / (1 + sqrt(3))`` an end lifts off and
    the factor is a lower bound.
    """
    return math.sqrt(3.0) / 4.0 * misalignment, 1.0 + stiffness * misalignment / (2.0 * math.sqrt(3.0) * unit_load)


def face_load_factor_bending(face_load: float, width: float, height: float) -> float:
    """K_Fbeta from K_Hbeta, the face width and the tooth height [m] (b/h counts as 3 at least)."""
    r = max(width / height, 3.0)
    return float(face_load ** (r**2 / (1.0 + r + r**2)))


# --- transverse factors ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TransverseFactors:
    """K_Halpha and K_Falpha; ``formula`` is the common value before their limits, which are ``most`` of each."""

    contact: float
    bending: float
    formula: float
    most: tuple[float, float]


def transverse_factors(
    pair: GearPair, unit_load: float, grade: float, *, limit: float = 1.5e9, treatment: str = "case_hardened"
) -> TransverseFactors:
    """K_Halpha and K_Falpha at a determinant load F_tH/b [N/m] (with K_A, K_gamma, K_v, K_Hbeta).

    At least 1; at most ``eps_g/(eps_a Z_eps^2)`` for the flank and ``eps_g/(0.25 eps_a + 0.75)`` for the root.
    """
    base = max(pitch_deviation(2.0 * g.reference_radius, g.module, grade) for g in (pair.one, pair.two))
    base *= math.cos(pair.one.transverse_angle)
    stiff = iso_stiffness(pair, load=unit_load).mesh
    x = stiff * (base - running_in(base, limit, treatment)) / unit_load
    alpha, total = pair.contact_ratio, pair.contact_ratio + pair.overlap_ratio
    value = 0.5 * total * (0.9 + 0.4 * x) if total <= 2.0 else 0.9 + 0.4 * math.sqrt(2.0 * (total - 1.0) / total) * x
    most = (total / (alpha * contact_factors(pair).contact_ratio ** 2), total / (0.25 * alpha + 0.75))
    found = tuple(min(max(value, 1.0), max(m, 1.0)) for m in most)
    return TransverseFactors(found[0], found[1], value, most)
