"""Lifetime weights and reliability: S0 section 9, S1 sections 12 and 14, LIT.8.5 to 8.8."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .framework import REGISTRY

computes, literature = REGISTRY.computes, REGISTRY.literature

_FORM = (
    "S1.form_beta",
    "S1.form_beta_s1",
    "S1.form_pf",
    "S1.form_importance",
    "S1.form_beta_c_1980_same_load",
    "S1.form_pf_s1",
)


@computes(*_FORM)
def _planet_bearing() -> dict[str, object]:
    from gearwright.life.limit_state import read_limit_states
    from gearwright.life.reliability import form

    state = read_limit_states("planet-bearing").states[0]
    found, lower = form(state), form(state.changed(C=1980e3))
    return {
        "S1.form_beta": found.beta, "S1.form_beta_s1": found.beta, "S1.form_pf_s1": found.probability,
        # the printed beta, rounded to 3.97, belongs to this probability
        "S1.form_pf": _phi(round(found.beta, 2)),
        "S1.form_importance": [abs(found.alpha[k]) for k in ("chi_s", "chi_aero", "chi_dyn", "chi_stat")],
        "S1.form_beta_c_1980_same_load": lower.beta,
    }  # fmt: skip


def _phi(beta: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(-beta))


@computes("S1.weibull_scale_class_ii")
def _class_two() -> float:
    from gearwright.life.weibull import Weibull

    return Weibull.of_class("II").scale


_BINS = (6, 8, 10, 12, 14, 16, 18, 20)


@computes("S0.weibull.5", "S0.weibull.13", *(f"S0.hours.{v}" for v in _BINS))
def _nordtank_wind() -> dict[str, float]:
    from gearwright.life.lifetime import CALENDAR_YEAR, Lifetime, weigh
    from gearwright.life.weibull import Weibull

    wind = Weibull(6.62, 2.19)
    found = {f"S0.weibull.{v}": float(wind.below(v)) for v in (5, 13)}
    weights = weigh(
        {str(v): float(v) for v in _BINS},
        {str(v): 600.0 for v in _BINS},
        wind,
        Lifetime(20.0, days_per_year=CALENDAR_YEAR),
    )
    return {**found, **{f"S0.hours.{v}": weights.hours[str(v)] for v in _BINS}}


@literature("LIT.8.5", [
    0.11003, 0.14117, 0.15124, 0.14270, 0.12143, 0.09437, 0.06749, 0.04463, 0.02739, 0.01563, 0.00831, 0.92437,
    0.14476, 0.17499, 0.17247, 0.14619, 0.10911, 0.07262, 0.04344, 0.02346, 0.01148, 0.00510, 0.00206,
], "-", "closed form, Rayleigh wind", abs=5e-6, note="bins of 2 m/s from 3 to 25: mean 10 m/s and its sum, mean 8.5 m/s")  # fmt: skip
def _shares() -> list[float]:
    from gearwright.life.weibull import Weibull, bin_edges, bin_shares

    edges = bin_edges(np.arange(4.0, 25.0, 2.0))
    one, two = (bin_shares(Weibull.of_class(name), edges) for name in ("I", "II"))
    return [*map(float, one), float(one.sum()), *map(float, two)]


@literature("LIT.8.6", [10.0, 8.0], "unit of the series", "closed form (Hayman, MLife theory, 2012)", rel=1e-12,
            note="a constant range R of frequency f in every bin: R (f p T / N_eq)^(1/m) = 10 with N_eq = f p T; "
                 "with half the availability and m = 3 the load falls by 2^(1/3), here from 8 2^(1/3) to 8")  # fmt: skip
def _combination() -> list[float]:
    from gearwright.life.lifetime import Lifetime, lifetime_equivalent, weigh
    from gearwright.life.weibull import Weibull

    speeds = {f"{v}-{s}": float(v) for v in range(5, 26, 2) for s in range(3)}
    durations = dict.fromkeys(speeds, 600.0)
    found = []
    for availability, level, counted in ((1.0, 10.0, 1.0), (0.5, 8.0 * 2 ** (1 / 3), 1.0)):
        weights = weigh(speeds, durations, Weibull.of_class("I"), Lifetime(20.0, availability))
        cycles = weights.covered * Lifetime(20.0).seconds * counted
        repetitions = [weights.repetitions[name] for name in speeds]
        found.append(
            lifetime_equivalent([level] * len(speeds), [600.0 * counted] * len(speeds), repetitions, 3.0, cycles)
        )
    return found


@literature("LIT.8.7", [2.7735, 2.2401, 2.0801, 2.0801], "-", "linear and cubic limit state", abs=5e-5,
            note="beta of R - S; beta and design point of x1^3 + x2^3 - 18")  # fmt: skip
def _form_examples() -> list[float]:
    from gearwright.life.limit_state import Expression, LimitState, Variable
    from gearwright.life.reliability import hlrf

    linear = LimitState("linear", {"R": Variable("normal", {"mean": 200, "std": 20}),
                                   "S": Variable("normal", {"mean": 100, "std": 30})}, Expression.of("R - S"))  # fmt: skip
    both = {name: Variable("normal", {"mean": 10, "std": 5}) for name in ("x1", "x2")}
    cubic = hlrf(LimitState("cubic", both, Expression.of("x1**3 + x2**3 - 18")))
    return [hlrf(linear).beta, cubic.beta, cubic.design["x1"], cubic.design["x2"]]


@literature("LIT.8.8", [1.0, 1.0, 1.0, 1.0], "-", "conservation; closed form of a constant load", rel=1e-9,
            note="revolutions in all bins over the integral of the speed; life from the distribution of a constant load "
                 "over its closed form for 1, 7 and 64 bins")  # fmt: skip
def _load_revolutions() -> list[float]:
    from gearwright.life.duration import load_revolutions
    from gearwright.life.iso281 import LoadBins, basic_life_hours

    t = np.arange(6000) * 0.1
    speed = 3.0 + np.sin(0.3 * t)
    load = 4e5 + 1e5 * np.sin(1.7 * t)
    turns = load_revolutions(load, speed, 0.1)[0].sum() / (speed.sum() * 0.1 / (2 * np.pi))
    found = [float(turns)]
    for bins in (1, 7, 64):
        amounts, edges = load_revolutions(
            np.full(6000, 4e5), speed, 0.1, np.linspace(0.0, 8e5, bins + 1) if bins == 1 else bins
        )
        level = np.where((edges[:-1] <= 4e5) & (edges[1:] >= 4e5), 4e5, 0.5 * (edges[:-1] + edges[1:]))
        hours = LoadBins.of(level, amounts, None).equivalent()
        found.append(basic_life_hours(1980e3, hours, 3.0) / basic_life_hours(1980e3, 4e5, 3.0))
    return found


# --- ISO 6336 ----------------------------------------------------------------------------------------------

_TR30 = "ISO/TR 6336-30:2017 example 1, as coded by github.com/gfsReboucas/Drivetrain"


@cache
def _example() -> dict[str, Any]:
    """The case-carburised helical pair of worked example 1, with K_Hbeta 1.16 as given there."""
    from gearwright.geometry.gear import Gear
    from gearwright.geometry.pair import GearPair
    from gearwright.life import iso6336_rating as iso

    alpha, beta, width = math.radians(20), math.radians(15.8), 0.1
    one = Gear(17, 8e-3, alpha, beta, 0.145, dedendum=1.4, tip_given=79.83e-3, face_width=width)
    two = Gear(103, 8e-3, alpha, beta, 0.0, dedendum=1.4, tip_given=436.1775e-3, face_width=width)
    pair = GearPair(one, two, 0.5)
    speed = 360 * math.pi / 30
    force = 9000 / one.reference_radius
    velocity = speed * one.reference_radius
    factors = iso.contact_factors(pair)
    strength = iso.contact_strength(pair, 1500e6, "case_hardened", velocity, 320, 6e-6)
    dynamic = iso.dynamic_factor(pair, speed, force, width, 5, relief=70e-6).value
    share = iso.transverse_factor(pair, force * dynamic * 1.16, width, 5)
    height = one.tip_radius - one.root_radius
    cycles = [360 * 60 * 50_000, 360 * 60 * 50_000 * 17 / 103]
    life = [iso.life_factor(n, "case_hardened") for n in cycles]
    nominal = 1e-6 * iso.nominal_contact_stress(pair, force, factors, width)
    stress = nominal * math.sqrt(dynamic * 1.16 * share)
    allowed = [1e-6 * strength.reference * z for z in life]
    return {
        "load": [force, velocity], "k": [dynamic, iso.face_load_factor_bending(1.16, width, height), share],
        "z": [factors.zone, factors.elasticity, factors.contact_ratio, factors.helix, *factors.single_pair],
        "zl": [strength.lubricant, strength.speed, strength.roughness, strength.hardening, strength.size],
        "life": life, "cycles": cycles, "stress": [nominal, stress, *allowed], "safety": [a / stress for a in allowed],
    }  # fmt: skip


@literature("LIT.6.2.load", [127352.0, 2.664], "N, m/s", _TR30, rel=2e-4, note="F_t, v")
def _iso_load() -> list[float]:
    return list(_example()["load"])


@literature(
    "LIT.6.2.load_factors", [1.003, 1.12803, 1.0], "-", _TR30, rel=5e-4, note="K_v, K_Fbeta from K_Hbeta 1.16, K_Halpha"
)
def _iso_k() -> list[float]:
    return list(_example()["k"])


@literature("LIT.6.2.factors", [2.39533, 189.8117, 0.803, 1.01944, 1, 1, 1.04739, 0.96911, 0.96599, 1, 1], "-", _TR30, rel=6e-4,
            note="Z_H, Z_E, Z_eps (three digits printed), Z_beta, Z_B, Z_D, Z_L, Z_v, Z_R, Z_W, Z_X")  # fmt: skip
def _iso_factors() -> list[float]:
    return [*_example()["z"], *_example()["zl"]]


@literature(
    "LIT.6.2.life", [0.91, 0.962, 1.080e9, 1.783e8], "-", _TR30, rel=5e-4, note="Z_NT of pinion and wheel, N_L of both"
)
def _iso_life() -> list[float]:
    return [*_example()["life"], *_example()["cycles"]]


@literature(
    "LIT.6.2.stress",
    [1206.58, 1301.35, 1338.48, 1414.53],
    "MPa",
    _TR30,
    rel=1e-4,
    note="sigma_H0, sigma_H, sigma_HP1, sigma_HP2",
)
def _iso_stress() -> list[float]:
    return list(_example()["stress"])


@literature("LIT.6.2.safety", [1.02853, 1.08696], "-", _TR30, rel=1e-4, note="S_H of pinion and wheel")
def _iso_safety() -> list[float]:
    return list(_example()["safety"])


_SPECTRUM = {
    25.4: 24, 25.3: 23, 25.2: 14, 25.1: 28, 25.0: 14, 24.9: 9, 24.8: 19, 24.7: 28, 24.6: 33, 24.5: 24, 24.3: 24, 24.2: 19,
    24.0: 26, 23.8: 52, 23.6: 47, 23.3: 62, 23.1: 88, 22.8: 66, 22.5: 163, 22.1: 180, 21.8: 83, 21.4: 200, 20.9: 212, 20.5: 104,
    20.0: 238, 19.4: 253, 18.8: 200, 18.2: 206, 17.6: 297, 16.9: 316, 16.1: 334, 15.3: 352, 14.5: 274, 13.6: 286, 12.6: 404,
    11.6: 429, 10.6: 449, 9.5: 468, 8.3: 303, 7.1: 176, 5.8: 12,
}  # fmt: skip
_ANNEX = "ISO 6336-6:2019, Annex C and Table 4"
# permissible stress for Z_NT = 1: the printed S_H sigma_H over the curve's Z_NT in the rows of 22.5, 20.0 and 15.3 kN m
_REFERENCE = 1457.0


@literature("LIT.6.3.cycles", [2203, 14960, 21840, 32300, 41210, 1101], "-", _ANNEX, rel=1e-3,
            note="load cycles in 30 years at 25.4, 22.5, 20.0, 15.3, 10.6, 5.8 kN m, from the seconds of 70 days")  # fmt: skip
def _annex_cycles() -> list[float]:
    return [_SPECTRUM[t] * 35.2 / 60 * 30 * 365.25 / 70 for t in (25.4, 22.5, 20.0, 15.3, 10.6, 5.8)]


@literature("LIT.6.3.rows", [9.05e4, 2.02e5, 4.40e5, 2.58e6, 1.54e7], "-", _ANNEX, rel=0.01,
            note="cycles to failure at the printed S_H sigma_H 2349, 2211, 2084, 1823, 1593 MPa (four digits: up to 0.4 % of N)")  # fmt: skip
def _annex_rows() -> list[float]:
    curve = _flank()
    return [float(n) for n in curve.cycles([2349.0, 2211.0, 2084.0, 1823.0, 1593.0])]


@literature("LIT.6.3.sum", 0.99945, "-", _ANNEX, rel=0.01,
            note="Miner sum of all 42 bins with S_H 1.374; stress from that of the first row, K_Hbeta 1 + 4.65 kN m / T, 1.31 at least, "
                 "as the printed ones")  # fmt: skip
def _annex_sum() -> float:
    torque = np.array(list(_SPECTRUM))
    cycles = np.array(list(_SPECTRUM.values())) * 35.2 / 60 * 30 * 365.25 / 70
    face = np.maximum(1.0 + 4.65 / torque, 1.31)
    return _flank().damage(2349.0 * np.sqrt(torque * face / (25.4 * 1.31)), cycles)


def _flank() -> Any:
    from gearwright.life.gear_rating import flank_strength

    return flank_strength(_REFERENCE, "case_hardened", "pitting", 0.85)


# --- S0, section 9 -----------------------------------------------------------------------------------------

#: S0 Table 5.2: half cycles of a series by range [MPa] (rows) and wind speed (columns, 6 to 20 m/s)
_RANGES = (25, 74, 124, 173, 223, 272, 322, 371, 421, 471, 520, 570)
_HALF_CYCLES = np.array([
    [1, 1, 1, 3, 3, 1, 3, 5], [22, 16, 6, 16, 24, 16, 16, 12], [252, 30, 28, 14, 16, 20, 12, 12],
    [432, 100, 50, 55, 43, 42, 40, 42], [55, 313, 78, 44, 36, 36, 36, 32], [0, 232, 185, 78, 54, 57, 63, 67],
    [0, 64, 170, 140, 108, 102, 88, 86], [0, 4, 190, 118, 148, 134, 130, 132], [0, 0, 48, 218, 130, 116, 122, 118],
    [0, 0, 4, 66, 160, 170, 158, 156], [0, 0, 0, 6, 34, 60, 84, 90], [0, 0, 0, 0, 2, 4, 6, 6],
], float)  # fmt: skip


@computes("S0.rainflow.sum", "S0.rainflow.life")
def _nordtank_cycles() -> dict[str, object]:
    """The printed half cycles of eight 30 s runs as records of one sun tooth over 20 years."""
    from gearwright.life.lifetime import CALENDAR_YEAR, Lifetime, Spectrum, joined, weigh
    from gearwright.life.tooth_stress import tooth_time
    from gearwright.life.weibull import Weibull

    names = {str(v): float(v) for v in _BINS}
    weights = weigh(
        names,
        dict.fromkeys(names, tooth_time(30.0, 20)),
        Weibull(6.62, 2.19),
        Lifetime(20.0, days_per_year=CALENDAR_YEAR),
    )
    spectra = [Spectrum(np.array(_RANGES, float), 0.5 * _HALF_CYCLES[:, j]) for j in range(len(_BINS))]
    life = joined(spectra, [weights.repetitions[name] for name in names])
    return {
        "S0.rainflow.sum": [int(2 * s.amounts.sum()) for s in spectra],
        "S0.rainflow.life": float(life.amounts.sum()),
    }


@computes("S0.tooth_time.sun", "S0.tooth_time.planet", "S0.tooth_time.ring")
def _tooth_times() -> dict[str, float]:
    from gearwright.life.tooth_stress import tooth_time

    return {f"S0.tooth_time.{name}": tooth_time(30.0, z) for name, z in (("sun", 20), ("planet", 35), ("ring", 91))}


@computes("S0.hertz.pr.230.plus")
def _ring_stress() -> float:
    """The conformal contact of the ring, 0.65 of the pressure of Hertz [MPa]; the source added the curvatures."""
    from gearwright.geometry.gear import Gear
    from gearwright.geometry.pair import GearPair
    from gearwright.life.tooth_stress import S0_FACTOR, tooth_passes

    planet = Gear(35, 10e-3, math.radians(20), 0.0, 0.419, face_width=0.21)
    ring = Gear(91, 10e-3, math.radians(20), 0.0, -0.84, ring=True, face_width=0.21)
    pair = GearPair.closed(planet, ring)
    t = np.linspace(0.0, 3.0, 301)
    passes = tooth_passes(pair, t, t, np.full(301, 230e3 / 3), [pair.path.pitch_point], factor=S0_FACTOR)
    return 1e-6 * float(np.nanmax(passes.stress))
