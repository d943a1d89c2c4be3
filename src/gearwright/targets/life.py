"""Counting, lifetime weights, ratings and reliability: S0 section 9, S1 sections 12 and 14, LIT.6.2, LIT.6.3, LIT.8."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy.special import ndtr

from gearwright.bearings.iso281 import LoadBins, basic_life_hours
from gearwright.geometry.gear import Gear
from gearwright.geometry.pair import GearPair
from gearwright.rating import iso6336_rating as iso
from gearwright.rating import load_factors
from gearwright.rating.duration import load_revolutions
from gearwright.rating.equivalent import damage_equivalent_range
from gearwright.rating.gear_rating import flank_strength
from gearwright.rating.lifetime import CALENDAR_YEAR, Lifetime, Spectrum, joined, lifetime_equivalent, weigh
from gearwright.rating.limit_state import Expression, LimitState, Variable, read_limit_states
from gearwright.rating.load_factors import DynamicFacts
from gearwright.rating.reliability import form, hlrf
from gearwright.rating.tooth_stress import S0_FACTOR, tooth_passes, tooth_time
from gearwright.rating.weibull import Weibull, bin_edges, bin_shares
from gearwright.results.rainflow import rainflow

from .registry import computes, computes_each
from .target import Value, given

# --- counting and equivalent loads ----------------------------------------------------------------------------------


@computes("LIT.8.1")
def _astm() -> list[float]:
    """Cycles in the order of the standard where all are found, then equivalent ranges."""
    cycles = rainflow([-2, 1, -3, 5, -1, 3, -4, 4, -2])
    found = sorted(zip(*(map(float, x) for x in (cycles.ranges, cycles.means, cycles.counts)), strict=True))
    printed = [(3, -0.5, 0.5), (4, -1, 0.5), (4, 1, 1), (8, 1, 0.5), (9, 0.5, 0.5), (8, 0, 0.5), (6, 1, 0.5)]
    if found != sorted(printed):
        return [x for cycle in found for x in cycle]
    equivalent = [damage_equivalent_range(cycles, m, reference_cycles=1.0) for m in (3, 4, 10)]
    return [float(x) for cycle in printed for x in cycle] + equivalent


@computes("LIT.8.2")
def _four_point() -> list[float]:
    reversals = [4, 7, 2, 10, 5, 9, 3, 4, 2, 12, 5, 11, 1, 4, 3, 10, 6, 12, 4, 8, 1, 9, 4, 6]
    found = rainflow(reversals, residue="ignore")
    return [float(x) for x in (*np.column_stack([found.begin, found.end]).ravel(), *found.residue)]


@computes("LIT.8.3")
def _sine() -> list[float]:
    found = []
    for points in (10, 1000):
        t = np.arange(10 * points + 1) / points
        cycles = rainflow(5 * np.sin(2 * np.pi * t), residue="repeat")
        found.append(damage_equivalent_range(cycles, 10, duration=10.0))
    return found


@computes("LIT.8.4")
def _narrow_band() -> list[float]:
    """A carrier with a slowly varying complex Gaussian envelope."""
    generator = np.random.default_rng(8)
    n, per_cycle = 400_000, 32
    slow = n // 50
    envelope = generator.standard_normal((2, slow + 2))
    t = np.arange(n * per_cycle // 8) / per_cycle
    x = np.linspace(0.0, slow / 8, len(t))
    a, b = (np.interp(x, np.arange(slow + 2), e) for e in envelope)
    series = a * np.cos(2 * np.pi * t) + b * np.sin(2 * np.pi * t)
    cycles = rainflow(series / series.std(), residue="half")
    return [damage_equivalent_range(cycles, m, reference_cycles=cycles.total) for m in (3, 4, 6, 10)]


# --- reliability -----------------------------------------------------------------------------------------------------


@computes("S1.form_*")
def _planet_bearing() -> dict[str, Value]:
    state = read_limit_states("planet-bearing").states[0]
    found = form(state)
    return {
        "beta": found.beta,
        "beta_s1": found.beta,
        "pf_s1": found.probability,
        # the printed beta, rounded to 3.97, belongs to this probability
        "pf": float(ndtr(-round(found.beta, 2))),
        "importance": [abs(found.alpha[k]) for k in ("chi_s", "chi_aero", "chi_dyn", "chi_stat")],
        "beta_c_1980_same_load": form(state.changed(C=1980e3)).beta,
    }


@computes("LIT.8.7")
def _form_examples() -> list[float]:
    def normal(mean: float, std: float) -> Variable:
        return Variable("normal", {"mean": mean, "std": std})

    linear = LimitState("linear", {"R": normal(200, 20), "S": normal(100, 30)}, Expression.of("R - S"))
    both = {name: normal(10, 5) for name in ("x1", "x2")}
    cubic = hlrf(LimitState("cubic", both, Expression.of("x1**3 + x2**3 - 18")))
    return [hlrf(linear).beta, cubic.beta, cubic.design["x1"], cubic.design["x2"]]


# --- lifetime weights ------------------------------------------------------------------------------------------------

#: wind at the 500 kW turbine of S0 and the speeds [m/s] of its runs
_WIND, _SPEEDS = Weibull(6.62, 2.19), {str(v): float(v) for v in range(6, 21, 2)}


def _nordtank_weights(duration: float) -> Any:
    """Weights of one run of a duration [s] at each speed over 20 years."""
    return weigh(_SPEEDS, dict.fromkeys(_SPEEDS, duration), _WIND, Lifetime(20.0, days_per_year=CALENDAR_YEAR))


@computes("S1.weibull_scale_class_ii")
def _class_two() -> float:
    return Weibull.of_class("II").scale


@computes_each("S0.weibull.*")
def _share_below(speed: str) -> float:
    return float(_WIND.below(float(speed)))


@computes("S0.hours.*")
def _hours() -> dict[str, float]:
    return dict(_nordtank_weights(600.0).hours)


@computes("LIT.8.5")
def _shares() -> list[float]:
    edges = bin_edges(np.arange(4.0, 25.0, 2.0))
    one, two = (bin_shares(Weibull.of_class(name), edges) for name in ("I", "II"))
    return [*map(float, one), float(one.sum()), *map(float, two)]


@computes("LIT.8.6")
def _combination() -> list[float]:
    speeds = {f"{v}-{s}": float(v) for v in range(5, 26, 2) for s in range(3)}
    runs, found = len(speeds), []
    for availability, level in ((1.0, 10.0), (0.5, 8.0 * 2 ** (1 / 3))):
        lifetime = Lifetime(20.0, availability)
        weights = weigh(speeds, dict.fromkeys(speeds, 600.0), Weibull.of_class("I"), lifetime)
        repetitions = [weights.repetitions[name] for name in speeds]
        cycles = weights.covered * Lifetime(20.0).seconds
        found.append(lifetime_equivalent([level] * runs, [600.0] * runs, repetitions, 3.0, cycles))
    return found


@computes("LIT.8.8")
def _load_revolutions() -> list[float]:
    t = np.arange(6000) * 0.1
    speed = 3.0 + np.sin(0.3 * t)
    load = 4e5 + 1e5 * np.sin(1.7 * t)
    found = [float(load_revolutions(load, speed, 0.1)[0].sum() / (speed.sum() * 0.1 / (2 * np.pi)))]
    constant = np.full(6000, 4e5)
    for bins in (np.array([0.0, 8e5]), 7, 64):
        amounts, edges = load_revolutions(constant, speed, 0.1, bins)
        level = np.where((edges[:-1] <= 4e5) & (edges[1:] >= 4e5), 4e5, 0.5 * (edges[:-1] + edges[1:]))
        equivalent = LoadBins.of(level, amounts, None).equivalent()
        found.append(basic_life_hours(1980e3, equivalent, 3.0) / basic_life_hours(1980e3, 4e5, 3.0))
    return found


# --- ISO 6336 --------------------------------------------------------------------------------------------------------


@computes("LIT.6.2.*", "load", "load_factors", "factors", "life", "stress", "safety")
def _worked_example() -> dict[str, list[float]]:
    """The case-carburised helical pair of worked example 1, with K_Hbeta 1.16 as given there."""
    alpha, beta, width, face = math.radians(20), math.radians(15.8), 0.1, 1.16
    one = Gear(17, 8e-3, alpha, beta, 0.145, dedendum=1.4, tip_given=79.83e-3, face_width=width)
    two = Gear(103, 8e-3, alpha, beta, 0.0, dedendum=1.4, tip_given=436.1775e-3, face_width=width)
    pair = GearPair(one, two, 0.5)
    speed = 360 * math.pi / 30
    force, velocity = 9000 / one.reference_radius, speed * one.reference_radius
    z = iso.contact_factors(pair)
    strength = iso.contact_strength(pair, 1500e6, "case_hardened", velocity, 320, 6e-6)
    dynamic = load_factors.dynamic_factor(DynamicFacts(pair, speed, force / width, 5, relief=70e-6)).value
    share = load_factors.transverse_factors(pair, force * dynamic * face / width, 5).contact
    bending = load_factors.face_load_factor_bending(face, width, one.tip_radius - one.root_radius)
    cycles = [360 * 60 * 50_000, 360 * 60 * 50_000 * 17 / 103]
    life = [iso.life_factor(n, "case_hardened") for n in cycles]
    nominal = 1e-6 * iso.nominal_contact_stress(pair, force, z, width)
    stress = nominal * math.sqrt(dynamic * face * share)
    allowed = [1e-6 * strength.reference * x for x in life]
    surface = [strength.lubricant, strength.speed, strength.roughness, strength.hardening, strength.size]
    return {
        "load": [force, velocity],
        "load_factors": [dynamic, bending, share],
        "factors": [z.zone, z.elasticity, z.contact_ratio, z.helix, *z.single_pair, *surface],
        "life": [*life, *cycles],
        "stress": [nominal, stress, *allowed],
        "safety": [a / stress for a in allowed],
    }


@cache
def _annex() -> tuple[Any, Any]:
    """Torques [kN m] of Annex C and the load cycles in 30 years from their seconds of 70 days."""
    torque, seconds = given("LIT.6.3.cycles").T
    return torque, seconds * 35.2 / 60 * 30 * 365.25 / 70


@computes("LIT.6.3.*")
def _annex_c() -> dict[str, Value]:
    torque, cycles = _annex()
    shown = [float(cycles[np.argmin(np.abs(torque - t))]) for t in (25.4, 22.5, 20.0, 15.3, 10.6, 5.8)]
    # permissible stress for Z_NT = 1: the printed S_H sigma_H over the curve's Z_NT in the rows of 22.5, 20.0 and 15.3 kN m
    flank = flank_strength(1457.0, "case_hardened", "pitting", 0.85)
    face = np.maximum(1.0 + 4.65 / torque, 1.31)
    return {
        "cycles": shown,
        "rows": [float(n) for n in flank.cycles([2349.0, 2211.0, 2084.0, 1823.0, 1593.0])],
        "sum": flank.damage(2349.0 * np.sqrt(torque * face / (25.4 * 1.31)), cycles),
    }


@computes("R.spectrum")
def _spectrum() -> dict[str, float]:
    """Both ways: the factor on all stresses at which the damage is 1, and the sum at the printed one."""
    torque, cycles = _annex()
    flank = flank_strength(1457.0, "case_hardened", "pitting", 0.85)
    stress = 2349.0 / 1.374 * np.sqrt(torque * np.maximum(1.0 + 4.65 / torque, 1.31) / (25.4 * 1.31))
    return {"S_H": flank.factor_to_failure(stress, cycles), "miner": flank.damage(1.374 * stress, cycles)}


# --- S0, section 9 ---------------------------------------------------------------------------------------------------


@computes("S0.rainflow.*")
def _nordtank_cycles() -> dict[str, Value]:
    """The printed half cycles of eight 30 s runs (S0 Table 5.2) as records of one sun tooth over 20 years."""
    ranges, *half_cycles = given("S0.rainflow.sum").T
    weights = _nordtank_weights(tooth_time(30.0, 20))
    spectra = [Spectrum(ranges, 0.5 * counted) for counted in half_cycles]
    life = joined(spectra, [weights.repetitions[name] for name in _SPEEDS])
    return {"sum": [int(2 * s.amounts.sum()) for s in spectra], "life": float(life.amounts.sum())}


@computes("S0.tooth_time.*")
def _tooth_times() -> dict[str, float]:
    return {name: tooth_time(30.0, z) for name, z in (("sun", 20), ("planet", 35), ("ring", 91))}


@computes("S0.hertz.pr.230.plus")
def _ring_stress() -> float:
    """The conformal contact of the ring, 0.65 of the pressure of Hertz [MPa]; the source added the curvatures."""
    alpha = math.radians(20)
    planet = Gear(35, 10e-3, alpha, 0.0, 0.419, face_width=0.21)
    ring = Gear(91, 10e-3, alpha, 0.0, -0.84, ring=True, face_width=0.21)
    pair = GearPair.closed(planet, ring)
    t = np.linspace(0.0, 3.0, 301)
    passes = tooth_passes(pair, t, t, np.full(301, 230e3 / 3), [pair.path.pitch_point], factor=S0_FACTOR)
    return 1e-6 * float(np.nanmax(passes.stress))
