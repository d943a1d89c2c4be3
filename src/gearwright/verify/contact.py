"""Tooth contact of S2: statics of its law, entry and exit of pairs in motion, the wind gearbox; speeds of S0's trains."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import brentq

from .framework import REGISTRY

computes = REGISTRY.computes

#: the source's rule: a pair exists on the path of contact alone
_CUT = "model.tip_contact=cut"
_PLAIN = ("stages.pair.pinion.tip_relief=null", "stages.pair.wheel.tip_relief=null", _CUT)


@cache
def _pair(*sets: str) -> tuple[Any, Any, float]:
    """Contact of `spur-pair-hertz` with overrides, its law, and the force of 200 N m on the pinion [N]."""
    from gearwright.assembly.contact import contact
    from gearwright.drivetrain import expand, load
    from gearwright.laws.tooth_contact import tooth_contact

    train = expand(load("spur-pair-hertz", list(sets)))
    made = contact(train.meshes["pair.mesh"], train)
    return made, tooth_contact(made.data, False, made.stiffness, 0.0), 200.0 / made.pair.two.base_radius


@computes(
    "S24.s2_example_contact_ratio", "S24.s2_example_normal_force", "S24.s2_example_delta_single",
    "S24.s2_example_delta_double", "S24.s2_example_contact_stiffness_single", "S24.s2_load_share_double_contact_no_relief",
    "S24.s2_static_transmission_error_no_relief", "S24.s2_energy_created_per_mesh_cycle_no_relief",
)  # fmt: skip
def _statics() -> dict[str, float]:
    from gearwright.assembly.contact import balance
    from gearwright.laws.tooth_contact import look

    made, law, force = _pair(*_PLAIN)
    one, stiffness = balance(law, force, 0.8)
    two, _ = balance(law, force, 0.3)
    shared = look(law, two, 0.3)
    # a pair enters with the deflection of one pair and leaves with that of two (digest 8.2)
    created = look(law, one, 0.8).energy - 0.5 * shared.energy
    return {
        "S24.s2_example_contact_ratio": made.pair.contact_ratio,
        "S24.s2_example_normal_force": force,
        "S24.s2_example_delta_single": 1e6 * one,
        "S24.s2_example_delta_double": 1e6 * two,
        "S24.s2_example_contact_stiffness_single": stiffness,
        "S24.s2_load_share_double_contact_no_relief": float(shared.force[0] / force),
        "S24.s2_static_transmission_error_no_relief": 1e6 * (one - two),
        "S24.s2_energy_created_per_mesh_cycle_no_relief": 1e3 * created,
    }


@computes("S24.s2_example_pressure_full_load_at_s_lo", "S24.s2_example_pressure_full_load_at_s_hi")
def _pressures() -> dict[str, float]:
    from gearwright.laws.tooth_contact_pair import pressure

    made, law, force = _pair(*_PLAIN)
    p = np.array(law.parameters)
    line = made.pair.path.s_c
    ends = [1e-6 * pressure(p, s, line - s, force) for s in made.data.path]
    # gear one of the example is the wheel: its path begins where that of the pinion ends
    return {
        "S24.s2_example_pressure_full_load_at_s_lo": ends[1], "S24.s2_example_pressure_full_load_at_s_hi": ends[0],
    }  # fmt: skip


@computes("S24.s2_static_transmission_error_relief_c_eq_delta1")
def _relieved() -> float:
    from gearwright.assembly.contact import balance

    _, law, force = _pair(_CUT)
    d = [balance(law, force, float(x), 4e-6)[0] for x in np.linspace(0.0, 1.0, 401)]
    return 1e6 * float(np.ptp(d))


@computes("S24.s2_golden_ratio_gamma", "S24.s2_min_slack_over_base_pitch_z20_40")
def _trigger() -> dict[str, float]:
    """The source's switching rule (15), (16) on a random walk, in arc lengths; the slack that the walk leaves."""
    made, _, _ = _pair(*_PLAIN)
    gamma = (math.sqrt(5.0) - 1.0) / 2.0
    low, high = made.data.path
    pitch = made.data.pitch
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
    return {"S24.s2_golden_ratio_gamma": gamma, "S24.s2_min_slack_over_base_pitch_z20_40": bound / pitch}


@computes("S24.s2_inverse_force_max_relative_error_one_pass")
def _lambert() -> float:
    """The four terms and one pass of the digest, against SciPy's Lambert function; the law itself uses a table that is
    closer (tests)."""
    from scipy.special import lambertw

    x = np.logspace(-14.0, -2.0, 4001)
    l1 = np.log(x)
    l2 = np.log(-l1)
    w = l1 - l2 + l2 / l1 + l2 * (l2 - 2.0) / (2.0 * l1**2)
    w = w / (1.0 + w) * (1.0 + np.log(-x / w))
    return float(np.abs(np.real(lambertw(-x, -1)) / w - 1.0).max())


@computes("S24.s2_contact_points_total", "S24.s2_wind_gearbox_ratio", "S24.s2_wind_gearbox_example_output_speed")
def _gearbox() -> dict[str, float]:
    from gearwright.drivetrain import describe, expand, load

    data = describe(expand(load("wind-gearbox-hertz")))
    return {
        "S24.s2_contact_points_total": data["contact_points"],
        "S24.s2_wind_gearbox_ratio": data["speed_ratio"],
        "S24.s2_wind_gearbox_example_output_speed": data["bodies"]["generator"]["speed_rpm"],
    }


@computes("S24.s2_ring_contact_ratio_40_100")
def _ring() -> float:
    from gearwright.geometry.gear import Gear
    from gearwright.geometry.pair import GearPair

    return GearPair.closed(Gear(40, 10e-3), Gear(100, 10e-3, ring=True)).contact_ratio


@cache
def _entry(speed: float, relief: bool) -> tuple[float, float]:
    """Largest pressure of an entering pair over that of half the load at the same place (first quarter of the double
    zone), and largest pressure of a pair alone over the static one, both over steady cycles."""
    from gearwright.cases.run import initial_state, prepare
    from gearwright.drivetrain import load
    from gearwright.laws.tooth_contact import look
    from gearwright.laws.tooth_contact_pair import pressure
    from gearwright.solve.explicit import ExplicitEngine

    # damping 0.05 of one pair's own mode: that of the mean tangent is 1.28 times as large (1.635 pairs)
    sets = [_CUT, f"operating.speed={speed} rpm", f"cases.steady.speeds={{pair.pinion: {speed} rpm}}",
            "stages.pair.mesh.damping.ratio=0.0391"]  # fmt: skip
    prepared = prepare(load("spur-pair-hertz", sets if relief else [*sets, *_PLAIN]))
    system = prepared.system
    law = system.laws[0]
    p = np.array(law.parameters)
    made, _, force = _pair(*(() if relief else _PLAIN))
    cycle = 60.0 / speed / 20.0
    interval = min(cycle / 400.0, 2e-5)
    engine = ExplicitEngine()
    plan = engine.prepare(system, (), interval, 1e-5)
    state = initial_state(prepared)
    engine.advance(plan, state, round(4.0 * cycle / interval))
    line, (low, high), pitch = made.pair.path.s_c, made.data.path, made.data.pitch
    zone = high - low - pitch
    peak, alone = 0.0, 0.0
    for _ in range(round(2.0 * cycle / interval)):
        engine.advance(plan, state, 1)
        seen = look(law, state.deflections(system)[0][: law.rows + 1])
        for s, f in zip(seen.arc, seen.force, strict=True):
            travelled = s - low if made.data.rising else high - s
            if travelled < 0.25 * zone:
                peak = max(peak, pressure(p, s, line - s, f) / pressure(p, s, line - s, 0.5 * force))
            elif zone < travelled < pitch:
                alone = max(alone, pressure(p, s, line - s, f) / pressure(p, s, line - s, force))
    return peak, alone


@computes("S24.s2_entry_pressure_peak_over_steady_no_relief")
def _entry_plain() -> float:
    return _entry(60.0, False)[0]


@computes(
    "S24.s2_entry_pressure_peak_over_steady_with_relief_c_eq_delta1", "S24.s2_exit_overload_pressure_ratio_with_relief"
)
def _entry_relieved() -> dict[str, float]:
    peak, alone = _entry(600.0, True)
    return {
        "S24.s2_entry_pressure_peak_over_steady_with_relief_c_eq_delta1": peak,
        "S24.s2_exit_overload_pressure_ratio_with_relief": alone,
    }


@computes("S24.s2_exit_overload_pressure_ratio_no_relief")
def _exit_plain() -> float:
    return _entry(600.0, False)[1]


@computes(
    "S24.s2_bpfo_600rpm_Z14_d10_D50", "S24.s2_bpfi_600rpm_Z14_d10_D50",
    "S24.s2_roller_bearing_Qmax_Z_over_W_zero_clearance",
)  # fmt: skip
def _rollers() -> dict[str, float]:
    from gearwright.geometry.bearing_orders import passing_orders
    from gearwright.geometry.gear import Steel
    from gearwright.laws.tooth_contact_pair import phi

    found = passing_orders(14, 10e-3, 50e-3).frequencies(600.0 * math.pi / 30.0)
    # rollers by the contact law of the teeth: two contacts in series, F0 of both radii (digest 11)
    k = 2.0 * Steel().plane / (math.pi * 12e-3)
    reach = math.exp(2.0 / 3.0) * 25e-3
    cosine = np.cos(2.0 * math.pi * np.arange(14) / 14)

    def loads(shift: float) -> Any:
        delta = shift * cosine[cosine > 1e-9]
        return np.array([phi(x / (2.0 * reach)) for x in delta]) * reach / k

    shift = brentq(lambda x: float(loads(x) @ cosine[cosine > 1e-9]) - 2000.0, 1e-8, 1e-4, xtol=1e-15)
    return {
        "S24.s2_bpfo_600rpm_Z14_d10_D50": found["bpfo"],
        "S24.s2_bpfi_600rpm_Z14_d10_D50": found["bpfi"],
        "S24.s2_roller_bearing_Qmax_Z_over_W_zero_clearance": float(loads(shift).max() * 14 / 2000.0),
    }


@computes("S24.s2_timoshenko_mid_deflection_error")
def _shaft() -> float:
    """Shaft of two elements on hinges, loaded in the middle: deflection over P L^3/48EI + P L/(4 kappa G A), less one."""
    from gearwright.stiffness.beam import Beam, beam_stiffness

    length, load = 0.4, 1000.0
    half, whole = Beam(0.5 * length, 60e-3), Beam(length, 60e-3)
    k = np.zeros((18, 18))
    one = beam_stiffness(half)
    for start in (0, 6):
        k[start : start + 12, start : start + 12] += one
    held = (0, 1, 2, 3, 9, 13, 14, 15)  # hinges at both ends, nothing turns about the axis, one end stays along it
    free = [i for i in range(18) if i not in held]
    force = np.zeros(18)
    force[7] = load
    bent = np.zeros(18)
    bent[free] = np.linalg.solve(k[np.ix_(free, free)], force[free])
    stiff = whole.young * whole.second_moment
    shear = whole.shear_coefficient * whole.shear * whole.area
    exact = load * length**3 / (48.0 * stiff) + load * length / (4.0 * shear)
    return float(bent[7] / exact - 1.0)


# --- Kahraman's oscillator (LIT 4.1): by direct integration of its equation, RK4 with 400 steps per period ------------

_KAHRAMAN = "literature-benchmarks 4.1, form of Kahraman and Singh, J. Sound Vib. 142 (1990) 49-75"


@cache
def _swept(case: str, low: float, high: float, steps: int) -> Any:
    from gearwright.cases.sweep import sweep
    from gearwright.drivetrain import load

    # the source: sweeps in steps of 5 Hz here, 300 periods each, the last 20 measured
    return sweep(load("kahraman-oscillator"), case, np.linspace(low, high, steps).tolist(), settle=180)


def _answer(found: Any, way: str, at: float) -> list[float]:
    """Peak to peak and rms by half the backlash, and loss of contact."""
    answers, i = getattr(found, way), int(np.argmin(np.abs(found.frequency - at)))
    return [
        float(answers["peak_to_peak"][i, 0] / 5e-6),
        float(answers["rms"][i, 0] / 5e-6),
        float(answers["loss"][i, 0]),
    ]


def _case_a() -> Any:
    return _swept("a", 440.0, 760.0, 65)


for _hertz, _up, _down in (
    (500.0, (0.1330, 0.0470, 0.0), (1.7118, 0.5835, 0.723)), (600.0, (0.1556, 0.0550, 0.0), (1.2153, 0.4205, 0.665)),
    (700.0, (0.1943, 0.0687, 0.0), (0.8779, 0.3072, 0.605)),
):  # fmt: skip
    for _way, _values in (("up", _up), ("down", _down)):

        def _compute(way: str = _way, at: float = _hertz) -> list[float]:
            return _answer(_case_a(), way, at)[:2]

        REGISTRY.literature(
            f"LIT.4.1.a.{_way}.{_hertz / 1000:g}", list(_values[:2]), "-", _KAHRAMAN, rel=1e-3, abs=1e-4,
            note="peak to peak and rms by half the backlash",
        )(_compute)  # fmt: skip


@REGISTRY.literature("LIT.4.1.a.jump_up", [745.0, 750.0], "Hz", _KAHRAMAN, abs=5.0, note="the step may fall one beside")
def _jump_up() -> list[float]:
    return sorted(next(j.between for j in _case_a().jumps if j.direction == "up"))


@REGISTRY.literature("LIT.4.1.a.jump_down", [450.0, 455.0], "Hz", _KAHRAMAN, abs=5.0, note="as the jump up")
def _jump_down() -> list[float]:
    return sorted(next(j.between for j in _case_a().jumps if j.direction == "down"))


@REGISTRY.literature("LIT.4.1.a.loss", [0.723, 0.665, 0.605], "-", _KAHRAMAN, abs=8e-3,
                     note="share of time without contact on the way down at 0.5, 0.6, 0.7; one of 128 samples is 0.008")  # fmt: skip
def _lost() -> list[float]:
    return [_answer(_case_a(), "down", f)[2] for f in (500.0, 600.0, 700.0)]


@REGISTRY.literature("LIT.4.1.b.0.85", [0.1378, 0.0487, 0.4312, 0.1535], "-", _KAHRAMAN, rel=1e-3, abs=1e-4,
                     note="peak to peak and rms, up, then down")  # fmt: skip
def _case_b() -> list[float]:
    found = _swept("b", 780.0, 920.0, 29)
    return [*_answer(found, "up", 850.0)[:2], *_answer(found, "down", 850.0)[:2]]


@REGISTRY.literature("LIT.4.1.c.0.85", [0.1450, 0.0513, 0.4052, 0.1443], "-", _KAHRAMAN, rel=1e-3, abs=1e-4,
                     note="stiffness varies with the mesh phase, the speed is swept; up, then down")  # fmt: skip
def _case_c() -> list[float]:
    found = _swept("c", 820.0, 920.0, 21)
    return [*_answer(found, "up", 850.0)[:2], *_answer(found, "down", 850.0)[:2]]
