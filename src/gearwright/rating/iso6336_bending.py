"""Tooth root strength after ISO 6336-3:2019 (method B): form and stress correction factors, relative notch factors.

The critical section is where the tangents at 30 degrees (external) or 60 degrees (internal) touch the fillet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gearwright.geometry import involute
from gearwright.geometry.pair import GearPair

from .iso6336_rating import MPA, TREATMENTS, RatingError

#: slip-layer thickness rho' [mm]
_SLIP = {"hard": 0.0030, "nitrided": 0.1005, "cast": 0.3095}
#: and of through-hardened steels over their proof stress [MPa]
_PROOF_SLIP = ((500.0, 600.0, 800.0, 1000.0), (0.0281, 0.0194, 0.0064, 0.0014))
#: size factor Y_X: a - b m_n [mm] by family, between least and 1 (ISO 6336-3, table 5)
_SIZE = {
    "hard": (1.05, 0.01, 0.8),
    "nitrided": (1.05, 0.01, 0.8),
    "through": (1.03, 0.006, 0.85),
    "cast": (1.075, 0.015, 0.7),
}
#: relative surface factor Y_RrelT: a - b (R_z + 1)^c [um] by family, and its value below 1 um
_SURFACE = {
    "hard": (1.674, 0.529, 0.1, 1.120),
    "through": (1.674, 0.529, 0.1, 1.120),
    "nitrided": (4.299, 3.259, 0.0058, 1.025),
    "cast": (4.299, 3.259, 0.0058, 1.025),
}


@dataclass(frozen=True)
class RootFactors:
    """Form factor Y_F, stress correction Y_S, helix Y_beta; ``notch`` q_s; section thickness, lever, fillet [modules]."""

    form: float
    stress_correction: float
    helix: float
    notch: float
    thickness: float
    lever: float
    fillet: float


@dataclass(frozen=True)
class Protuberance:
    """Tool with a protuberance: its tip ``rounding`` and the ``undercut`` s_pr that is left after grinding [modules]."""

    rounding: float
    undercut: float


def root_factors(
    pair: GearPair, which: int, shaper_teeth: int = 20, protuberance: Protuberance | None = None, tip_load: bool = False
) -> RootFactors:
    """Factors of gear ``which`` (0 or 1) of a pair.

    A ring's fillet is that of a shaper of ``shaper_teeth`` whose rounding is the tool's. ``protuberance``: of a
    tool that leaves room for the grinding wheel. ``tip_load``: the load is at the tip and nothing shares it (Y_Fa, Y_Sa of
    DIN 3990, method C) instead of at the outer point of single contact. Raises RatingError for a geometry that has no
    critical section.
    """
    gear = pair.one if which == 0 else pair.two
    m, alpha, beta = gear.module, gear.pressure_angle, gear.helix_angle
    sign = -1.0 if gear.ring else 1.0
    base_helix = pair.base_helix
    zn = sign * gear.teeth / (math.cos(base_helix) ** 2 * math.cos(beta))
    x = gear.shift
    tool = gear.dedendum
    if protuberance is not None:
        rounding, undercut = protuberance.rounding, protuberance.undercut
    else:
        rounding, undercut = min(gear.fillet_radius, tool) if gear.ring else gear.rounding, 0.0
    virtual = rounding
    if gear.ring:
        # tooth tip of the shaper cutter, its own profile shift taken as zero
        virtual = rounding + max(tool - rounding, 0.0) ** 1.95 / (3.156 * 1.036**shaper_teeth)
    e = math.pi / 4.0 - tool * math.tan(alpha) - (1.0 - math.sin(alpha)) * rounding / math.cos(alpha)
    e += undercut / math.cos(alpha)
    g = virtual - tool + x
    angle = math.pi / 6.0 if gear.ring else math.pi / 3.0
    h = 2.0 / zn * (math.pi / 2.0 - e) - angle
    theta = angle
    for _ in range(100):
        new = 2.0 * g / zn * math.tan(theta) - h
        if abs(new - theta) < 1e-13:
            break
        theta = new
    else:
        raise RatingError(f"{gear.name}: the root has no critical section (teeth {gear.teeth}, shift {x:g})")
    cut = g / math.cos(theta) - virtual
    thickness = zn * math.sin(angle - theta) + (cut if gear.ring else math.sqrt(3.0) * cut)
    fillet = virtual + 2.0 * g**2 / (math.cos(theta) * (zn * math.cos(theta) ** 2 - 2.0 * g))
    if thickness <= 0.0 or fillet <= 0.0:
        raise RatingError(
            f"{gear.name}: the root section has no thickness or no rounding (check dedendum and tool tip)"
        )
    # load at the outer point of single contact of the virtual spur gear
    ratio = pair.contact_ratio / math.cos(base_helix) ** 2
    dn, dbn = abs(zn), abs(zn) * math.cos(alpha)
    dan = dn + 2.0 * (gear.tip_radius - gear.reference_radius) / m
    half = math.sqrt(max((0.5 * dan) ** 2 - (0.5 * dbn) ** 2, 0.0))
    shift_along = 0.0 if tip_load else math.pi * math.cos(alpha) * (ratio - 1.0)
    arc = half - sign * shift_along
    den = sign * 2.0 * math.hypot(arc, 0.5 * dbn)
    alpha_e = math.acos(dbn / abs(den))
    gamma = (0.5 * math.pi + 2.0 * x * math.tan(alpha)) / zn + involute.inv(alpha) - involute.inv(alpha_e)
    load_angle = alpha_e - gamma
    middle = zn * math.cos(angle - theta)
    lever = 0.5 * (
        (math.cos(gamma) - math.sin(gamma) * math.tan(load_angle)) * den
        - middle
        - (math.sqrt(3.0) * cut if gear.ring else cut)
    )
    form = 6.0 * lever * math.cos(load_angle) / (thickness**2 * math.cos(alpha))
    if not (lever > 0.0 and form > 0.0):
        raise RatingError(f"{gear.name}: the root section lies above the point of load")
    notch = thickness / (2.0 * fillet)
    correction = (1.2 + 0.13 * thickness / lever) * notch ** (1.0 / (1.21 + 2.3 * lever / thickness))
    overlap = min(pair.overlap_ratio, 1.0)
    helix = (1.0 - overlap * min(math.degrees(abs(beta)), 30.0) / 120.0) / math.cos(beta) ** 3
    return RootFactors(
        form if tip_load else form * _load_share(overlap, ratio), correction, helix, notch, thickness, lever, fillet
    )


def _load_share(overlap: float, ratio: float) -> float:
    """f_epsilon: pairs that share the load when it is at its worst."""
    if overlap == 0.0:
        return 1.0 if ratio < 2.0 else 0.7
    if overlap >= 1.0:
        return float(ratio**-0.5)
    return (
        math.sqrt(1.0 - overlap + overlap / ratio)
        if ratio < 2.0
        else math.sqrt((1.0 - overlap) / 2.0 + overlap / ratio)
    )


def nominal_root_stress(tangential: float, width: float, module: float, factors: RootFactors) -> float:
    """sigma_F0 [Pa] of a force [N] at the reference circle over the face ``width`` [m]."""
    return tangential / (width * module) * factors.form * factors.stress_correction * factors.helix


def root_strength(limit: float, module: float, treatment: str, factors: RootFactors, roughness: float) -> float:
    """Permissible root stress [Pa] for Y_NT = 1 and S_F = 1: ``2 sigma_Flim Y_delta_relT Y_R_relT Y_X``.

    ``limit`` is sigma_Flim [Pa], ``roughness`` R_z of the fillet [m].
    """
    if not limit > 0.0:
        raise RatingError(f"sigma_Flim must be positive, got {limit:g}")
    product = (
        notch_sensitivity(factors.notch, limit, treatment)
        * surface_factor(roughness, treatment)
        * size_factor(module, treatment)
    )
    return 2.0 * limit * product


def notch_sensitivity(notch: float, limit: float, treatment: str) -> float:
    """Y_delta_relT of a notch parameter q_s, against the reference gear's of 2.5; ``limit`` sigma_Flim [Pa]."""
    slip = _SLIP.get(TREATMENTS[treatment][2], _through_hardened_slip(limit))
    return (1.0 + math.sqrt(slip * 0.2 * (1.0 + 2.0 * notch))) / (1.0 + math.sqrt(slip * 1.2))


def surface_factor(roughness: float, treatment: str) -> float:
    """Y_RrelT of a roughness R_z [m] of the fillet, against 10 um of the reference gear."""
    a, b, c, smooth = _SURFACE[TREATMENTS[treatment][2]]
    rz = 1e6 * roughness
    return smooth if rz < 1.0 else float(a - b * (min(rz, 40.0) + 1.0) ** c)


def size_factor(module: float, treatment: str) -> float:
    """Y_X of a normal module [m]."""
    a, b, least = _SIZE[TREATMENTS[treatment][2]]
    return min(max(a - b * 1e3 * module, least), 1.0)


# --- rims, deep teeth, roots bent both ways, static strength -------------------------------------------------


def rim_factor(rim: float, height: float, module: float, internal: bool) -> float:
    """Y_B of a thin rim [m] under a tooth of a height h_t [m]. Raises RatingError below the range of the formulas.

    External ``1.6 ln(2.242 h_t/s_R)`` from s_R/h_t of 0.5, 1 from 1.2; internal ``1.15 ln(8.324 m_n/s_R)`` from s_R/m_n of 1.75,
    1 from 3.5.
    """
    ratio, least, most = (rim / module, 1.75, 3.5) if internal else (rim / height, 0.5, 1.2)
    if ratio <= least:
        raise RatingError(
            f"a rim of {1e3 * rim:.4g} mm is too thin to be rated: {ratio:.3g} "
            + (f"modules, above {least:g}" if internal else f"tooth heights, above {least:g}")
        )
    if ratio >= most:
        return 1.0
    return 1.15 * math.log(8.324 / ratio) if internal else 1.6 * math.log(2.242 / ratio)


def deep_tooth_factor(ratio: float, grade: float) -> float:
    """Y_DT of a virtual contact ratio eps_alpha_n: below 1 for precise deep teeth (grade 4 or better) from 2.05 on."""
    if grade > 4.0 or ratio <= 2.05:
        return 1.0
    return 2.366 - 0.666 * ratio if ratio <= 2.5 else 0.7


def mean_stress_ratio(treatment: str, correction: float, static: bool = False) -> float:
    """M of a treatment: case-hardened, induction-hardened and nitrided 0.8 - 0.15 Y_S (static 0.7), through-hardened 0.3
    (0.5), cast 0.4 (0.6)."""
    family = TREATMENTS[treatment][2]
    if family in ("hard", "nitrided"):
        return 0.7 if static else 0.8 - 0.15 * correction
    if family == "cast":
        return 0.6 if static else 0.4
    return 0.5 if static else 0.3


def mean_stress_factor(ratio: float, m: float) -> float:
    """Y_M of a root that is bent both ways: ``1 / (1 - R (1 - M)/(1 + M))``; R below 0, -1.2 for an idler with equal loads."""
    return 1.0 / (1.0 - ratio * (1.0 - m) / (1.0 + m))


def stress_ratio(one: float, two: float) -> float:
    """R of the root stresses of both flanks: -1.2 times the smaller over the larger (the rim bends too)."""
    low, high = sorted((abs(one), abs(two)))
    return -1.2 * low / high if high > 0.0 else 0.0


def static_notch_sensitivity(correction: float, limit: float, treatment: str) -> float:
    """Y_delta_relT for static strength from Y_S; ``limit`` sigma_Flim [Pa] (proof stress of through-hardened steel twice that)."""
    family = TREATMENTS[treatment][2]
    if family == "hard":
        return 0.44 * correction + 0.12
    if family == "nitrided":
        return 0.20 * correction + 0.60
    if family == "cast":
        return 0.07 * correction + 0.86
    root = (300.0 / (2.0 * limit / MPA)) ** 0.25
    return (1.0 + 0.82 * (correction - 1.0) * root) / (1.0 + 0.82 * root)


def _through_hardened_slip(limit: float) -> float:
    """rho' [mm] of a through-hardened steel by its 0.2 % proof stress, logarithmic between the entries of table 3; that stress is
    taken as twice sigma_Flim."""
    proof, (stresses, layers) = 2.0 * limit / MPA, _PROOF_SLIP
    return float(np.exp(np.interp(proof, stresses, np.log(layers))))
