"""Lifetime weights and reliability: S0 section 9, S1 sections 12 and 14, LIT.8.5 to 8.8."""

from __future__ import annotations

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
