"""Tooth contact of S2: statics of its law, entry and exit of pairs in motion, the wind gearbox; Kahraman's oscillator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import lambertw

import gearwright as gw
from gearwright.analyses.sweep import sweep
from gearwright.assembly.contact import balance, contact
from gearwright.bearings.orders import passing_orders
from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.pair import GearPair
from gearwright.laws.tooth_contact import look, tooth_contact
from gearwright.laws.tooth_contact_pair import phi, pressure
from gearwright.stiffness.beam import Beam, beam_stiffness

from .registry import computes, computes_each
from .shared import Stepping

#: the source's rule: a pair exists on the path of contact alone
_CUT = ("model.tip_contact=cut",)
_PLAIN = (*_CUT, "stages.pair.pinion.tip_relief=null", "stages.pair.wheel.tip_relief=null")


@cache
def _pair(*sets: str) -> tuple[Any, Any, float]:
    """Contact of `spur-pair-hertz` with overrides, its law, and the force of 200 N m on the pinion [N]."""
    train = gw.expand(gw.load("spur-pair-hertz", list(sets)))
    made = contact(train.meshes["pair.mesh"], train)
    return made, tooth_contact(made.data, False, made.stiffness, 0.0), 200.0 / made.pair.two.base_radius


@computes(
    "S24.s2_*",
    "example_contact_ratio",
    "example_normal_force",
    "example_delta_single",
    "example_delta_double",
    "example_contact_stiffness_single",
    "load_share_double_contact_no_relief",
    "static_transmission_error_no_relief",
    "energy_created_per_mesh_cycle_no_relief",
)
def _statics() -> dict[str, float]:
    made, law, force = _pair(*_PLAIN)
    one, stiffness = balance(law, force, 0.8)
    two, _ = balance(law, force, 0.3)
    shared = look(law, two, 0.3)
    return {
        "example_contact_ratio": made.pair.contact_ratio,
        "example_normal_force": force,
        "example_delta_single": 1e6 * one,
        "example_delta_double": 1e6 * two,
        "example_contact_stiffness_single": stiffness,
        "load_share_double_contact_no_relief": float(shared.force[0] / force),
        "static_transmission_error_no_relief": 1e6 * (one - two),
        # a pair enters with the deflection of one pair and leaves with that of two (digest 8.2)
        "energy_created_per_mesh_cycle_no_relief": 1e3 * (look(law, one, 0.8).energy - 0.5 * shared.energy),
    }


@computes("S24.s2_example_pressure_full_load_at_*")
def _pressures() -> dict[str, float]:
    made, law, force = _pair(*_PLAIN)
    line = made.pair.path.s_c
    low, high = (1e-6 * pressure(np.array(law.parameters), s, line - s, force) for s in made.data.path)
    # gear one of the example is the wheel: its path begins where that of the pinion ends
    return {"s_lo": high, "s_hi": low}


@computes("S24.s2_static_transmission_error_relief_c_eq_delta1")
def _relieved() -> float:
    _, law, force = _pair(*_CUT)
    return 1e6 * float(np.ptp([balance(law, force, float(x), 4e-6)[0] for x in np.linspace(0.0, 1.0, 401)]))


@computes("S24.s2_*", "golden_ratio_gamma", "min_slack_over_base_pitch_z20_40")
def _trigger() -> dict[str, float]:
    """The source's switching rule (15), (16) on a random walk, in arc lengths; the slack that the walk leaves."""
    made, _, _ = _pair(*_PLAIN)
    gamma = (math.sqrt(5.0) - 1.0) / 2.0
    (low, high), pitch = made.data.path, made.data.pitch
    step = math.ceil(made.pair.contact_ratio) * pitch
    rng = np.random.default_rng(0)
    s, least = 0.5 * (low + high), math.inf
    for _ in range(60_000):
        s += 0.3 * pitch * rng.standard_normal()
        for _ in range(8):
            ahead, behind = s + step - high, low - s + step
            if ahead < gamma * (behind - step):
                s += step
            elif behind < gamma * (ahead - step):
                s -= step
            else:
                break
        least = min(least, s + step - high, low - s + step)
    # the walk reaches the smallest slack within a step of its own: the rule's bound is gamma^2 (P - (s_hi - s_lo))
    bound = gamma**2 * (step - (high - low))
    assert least >= bound - 1e-12
    return {"golden_ratio_gamma": gamma, "min_slack_over_base_pitch_z20_40": bound / pitch}


@computes("S24.s2_inverse_force_max_relative_error_one_pass")
def _lambert() -> float:
    """The four terms and one pass of the digest, against SciPy's Lambert function; the law itself uses a table that is
    closer (tests)."""
    x = np.logspace(-14.0, -2.0, 4001)
    l1 = np.log(x)
    l2 = np.log(-l1)
    w = l1 - l2 + l2 / l1 + l2 * (l2 - 2.0) / (2.0 * l1**2)
    w = w / (1.0 + w) * (1.0 + np.log(-x / w))
    return float(np.abs(np.real(lambertw(-x, -1)) / w - 1.0).max())


@computes("S24.s2_*", "contact_points_total", "wind_gearbox_ratio", "wind_gearbox_example_output_speed")
def _gearbox() -> dict[str, float | None]:
    data = gw.describe(gw.expand(gw.load("wind-gearbox-hertz")))
    return {
        "contact_points_total": data.contact_points,
        "wind_gearbox_ratio": data.speed_ratio,
        "wind_gearbox_example_output_speed": data.bodies["generator"].speed_rpm,
    }


@computes("S24.s2_ring_contact_ratio_40_100")
def _ring() -> float:
    return GearPair.closed(Gear(40, 10e-3), Gear(100, 10e-3, ring=True)).contact_ratio


# --- pairs in motion -------------------------------------------------------------------------------------------------


@cache
def _entry(speed: float, *sets: str) -> tuple[float, float]:
    """Largest pressure of an entering pair over that of half the load at the same place (first quarter of the double
    zone), and largest pressure of a pair alone over the static one, both over steady cycles."""
    # damping 0.05 of one pair's own mode: that of the mean tangent is 1.28 times as large (1.635 pairs)
    motion = [f"operating.speed={speed} rpm", f"cases.steady.speeds={{pair.pinion: {speed} rpm}}"]
    run = Stepping("spur-pair-hertz", overrides=[*sets, *motion, "stages.pair.mesh.damping.ratio=0.0391"])
    law = run.system.laws[0]
    made, _, force = _pair(*sets)
    p, line, (low, high) = np.array(law.parameters), made.pair.path.s_c, made.data.path
    zone = high - low - made.data.pitch
    cycle = 60.0 / speed / 20.0
    interval = min(cycle / 400.0, 2e-5)
    plan = run.plan(interval, 1e-5)
    run.engine.advance(plan, run.state, round(4.0 * cycle / interval))
    peak, alone = 0.0, 0.0
    for _ in range(round(2.0 * cycle / interval)):
        run.engine.advance(plan, run.state, 1)
        seen = look(law, run.state.deflections(run.system)[0][: law.rows + 1])
        for s, f in zip(seen.arc, seen.force, strict=True):
            travelled = s - low if made.data.rising else high - s
            if travelled < 0.25 * zone:
                peak = max(peak, pressure(p, s, line - s, f) / pressure(p, s, line - s, 0.5 * force))
            elif zone < travelled < made.data.pitch:
                alone = max(alone, pressure(p, s, line - s, f) / pressure(p, s, line - s, force))
    return peak, alone


@computes_each(
    "S24.s2_*",
    "entry_pressure_peak_over_steady_no_relief",
    "exit_overload_pressure_ratio_no_relief",
    "entry_pressure_peak_over_steady_with_relief_c_eq_delta1",
    "exit_overload_pressure_ratio_with_relief",
)
def _entry_and_exit(name: str) -> float:
    """The entry without relief at 60 rpm, all else at 600 rpm."""
    if "with_relief" in name:
        found = _entry(600.0, *_CUT)
    else:
        found = _entry(60.0 if name.startswith("entry") else 600.0, *_PLAIN)
    return found[0] if name.startswith("entry") else found[1]


# --- dynamic bearing and shaft (digest section 11) -------------------------------------------------------------------


@computes(
    "S24.s2_*", "bpfo_600rpm_Z14_d10_D50", "bpfi_600rpm_Z14_d10_D50", "roller_bearing_Qmax_Z_over_W_zero_clearance"
)
def _rollers() -> dict[str, float]:
    found = passing_orders(14, 10e-3, 50e-3).frequencies(600.0 * math.pi / 30.0)
    # rollers by the contact law of the teeth: two contacts in series, F0 of both radii (digest 11)
    k = 2.0 * Steel().plane / (math.pi * 12e-3)
    reach = math.exp(2.0 / 3.0) * 25e-3
    cosine = np.cos(2.0 * math.pi * np.arange(14) / 14)
    cosine = cosine[cosine > 1e-9]

    def loads(shift: float) -> Any:
        return np.array([phi(x / (2.0 * reach)) for x in shift * cosine]) * reach / k

    shift = brentq(lambda x: float(loads(x) @ cosine) - 2000.0, 1e-8, 1e-4, xtol=1e-15)
    return {
        "bpfo_600rpm_Z14_d10_D50": found["bpfo"],
        "bpfi_600rpm_Z14_d10_D50": found["bpfi"],
        "roller_bearing_Qmax_Z_over_W_zero_clearance": float(loads(shift).max() * 14 / 2000.0),
    }


@computes("S24.s2_timoshenko_mid_deflection_error")
def _shaft() -> float:
    """Shaft of two elements on hinges, loaded in the middle: deflection over P L^3/48EI + P L/(4 kappa G A), less one."""
    length, load = 0.4, 1000.0
    half, whole = Beam(0.5 * length, 60e-3), Beam(length, 60e-3)
    k = np.zeros((18, 18))
    for start in (0, 6):
        k[start : start + 12, start : start + 12] += beam_stiffness(half)
    # hinges at both ends, nothing turns about the axis, one end stays along it
    free = [i for i in range(18) if i not in (0, 1, 2, 3, 9, 13, 14, 15)]
    force, bent = np.zeros(18), np.zeros(18)
    force[7] = load
    bent[free] = np.linalg.solve(k[np.ix_(free, free)], force[free])
    shear = whole.shear_coefficient * whole.shear * whole.area
    exact = load * length**3 / (48.0 * whole.young * whole.second_moment) + load * length / (4.0 * shear)
    return float(bent[7] / exact - 1.0)


# --- Kahraman's oscillator (LIT 4.1): by direct integration of its equation, RK4 with 400 steps per period ------------


@cache
def _swept(case: str, low: float, high: float, steps: int) -> Any:
    # the source: sweeps in steps of 5 Hz here, 300 periods each, the last 20 measured
    return sweep(gw.load("kahraman-oscillator"), case, np.linspace(low, high, steps).tolist(), settle=180)


def _case_a() -> Any:
    return _swept("a", 440.0, 760.0, 65)


def _answer(found: Any, way: str, at: float, *quantities: str) -> list[float]:
    """Amplitudes by half the backlash, and share of time without contact."""
    answers, i = getattr(found, way), int(np.argmin(np.abs(found.frequency - at)))
    scale = {"peak_to_peak": 5e-6, "rms": 5e-6, "loss": 1.0}
    return [float(answers[q][i, 0] / scale[q]) for q in quantities]


_SIZES: Sequence[str] = ("peak_to_peak", "rms")


@computes_each("LIT.4.1.a.*", *(f"{way}.{f}" for way in ("up", "down") for f in ("0.5", "0.6", "0.7")))
def _amplitudes(name: str) -> list[float]:
    way, _, ratio = name.partition(".")
    return _answer(_case_a(), way, 1000.0 * float(ratio), *_SIZES)


@computes("LIT.4.1.a.*", "jump_up", "jump_down", "loss")
def _jumps() -> dict[str, list[float]]:
    between = {f"jump_{j.direction}": sorted(j.between) for j in reversed(_case_a().jumps)}
    return between | {"loss": [_answer(_case_a(), "down", f, "loss")[0] for f in (500.0, 600.0, 700.0)]}


@computes_each("LIT.4.1.*", "b.0.85", "c.0.85")
def _both_ways(name: str) -> list[float]:
    found = _swept("b", 780.0, 920.0, 29) if name[0] == "b" else _swept("c", 820.0, 920.0, 21)
    return [*_answer(found, "up", 850.0, *_SIZES), *_answer(found, "down", 850.0, *_SIZES)]
