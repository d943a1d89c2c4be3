"""Blade elements: limits with closed forms, another program's table, the rotor at rest, stops and their energy."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gearwright.turbine import Schedule, TurbineError, airfoils, bem, load, model, simulate, tower, turbines
from gearwright.turbine import wind as air

pytestmark = pytest.mark.slow

DATA = Path(__file__).parent.parent / "data" / "turbine"
TURBINE = load("nrel-5mw")


def test_shipped_turbines_load_and_save(tmp_path):
    for name in turbines():
        one = load(name)
        two = load(model.save(one, tmp_path / f"{name}.json"))
        assert two.controller == one.controller
        assert np.array_equal(two.element_twist, one.element_twist)
        assert "Apache" in one.licence or "assumed" in one.source


def test_table_against_another_program():
    # ROSCO's own table (CCBlade with other loss and stall options): mean difference below 0.01, largest below 0.03
    lines = (DATA / "Cp_Ct_Cq.NREL5MW.txt").read_text().splitlines()
    pitches = np.array(lines[4].split(), float)
    ratios = np.array(lines[6].split(), float)
    start = next(i for i, line in enumerate(lines) if "Power coefficient" in line) + 2
    table = np.array([line.split() for line in lines[start : start + len(ratios)]], float)
    keep_r, keep_p = (ratios >= 4) & (ratios <= 11), (pitches >= -2) & (pitches <= 15)
    mine, _ = bem.performance(TURBINE, ratios[keep_r], np.radians(pitches[keep_p]))
    other = table[np.ix_(keep_r, keep_p)]
    good = other > 0.05
    difference = np.abs(mine - other)[good]
    assert difference.mean() < 0.01
    assert difference.max() < 0.03


def test_cone_and_tilt_follow_their_closed_form():
    # Cp(l) = (cos t cos g)^3 Cp0(l/cos t): the specification's identity for uniform wind
    flat = replace(TURBINE, cone=0.0, tilt=0.0)
    c, g = np.cos(TURBINE.tilt), np.cos(TURBINE.cone)
    ratio = np.array([7.5])
    with_both = bem.performance(TURBINE, ratio, np.array([0.02]))[0]
    without = bem.performance(flat, ratio / c, np.array([0.02]))[0]
    assert with_both == pytest.approx((c * g) ** 3 * without, rel=1e-9)


def test_induction_meets_the_momentum_balance():
    # an element of a lightly loaded disc: 4 F a (1 - a) = solidity V^2/U^2 cn, checked from the outside
    found = bem.rotor(TURBINE, 15.0, 1.267, np.radians(10.4))
    b = bem.blade(TURBINE)
    un = 15.0 * b.par[4] * b.par[3]
    vn, vt = un - found.axial, 1.267 * b.radius * b.par[3] + found.tangential
    phi = np.arctan2(vn, vt)
    grid = airfoils.grid()
    for i in (6, 9, 12):
        at = np.degrees(phi[i] - b.twist[i] - np.radians(10.4))
        cl, cd = (np.interp(at, grid, t.reshape(-1, 721)[b.foil[i]]) for t in (b.lift, b.drag))
        cn = cl * np.cos(phi[i]) + cd * np.sin(phi[i])
        a = found.axial[i] / un
        r, s = b.radius[i], np.sin(phi[i])
        loss = (
            4
            / np.pi**2
            * np.arccos(np.exp(-1.5 * (63 - r) / (r * s)))
            * np.arccos(np.exp(-1.5 * (r - 1.5) / (1.5 * s)))
        )
        solidity = 3 * b.chord[i] / (2 * np.pi * r)
        left = 4 * loss * a * (1 - a)
        assert left == pytest.approx(solidity * cn * (vn[i] ** 2 + vt[i] ** 2) / un**2, rel=1e-6)


def test_time_domain_at_rest_gives_the_steady_pitch():
    point = bem.operating_point(TURBINE, 18.0)
    run = simulate(TURBINE, air.steady(TURBINE, 18.0, shear=0.0), duration=200.0, shadow=False, skew=False)
    assert np.degrees(run["pitch"][-1]) == pytest.approx(np.degrees(point.pitch), abs=0.01)
    assert run["thrust"][-1] == pytest.approx(point.thrust, rel=0.005)


def test_dynamic_stall_changes_nothing_at_rest():
    still = air.steady(TURBINE, 9.0, shear=0.0)
    one, two = (simulate(TURBINE, still, duration=100.0, shadow=False, stall=s, skew=False) for s in (False, True))
    assert two["rotor_speed"][-1] == pytest.approx(one["rotor_speed"][-1], rel=2e-3)


def test_stall_tables_give_back_the_polar():
    t = airfoils.tables(TURBINE)
    back = t.attachment * t.attached + (1 - t.attachment) * t.separated
    inside = (t.attachment > 0) & (t.attachment < 0.999)
    assert back[inside] == pytest.approx(t.lift[inside], abs=1e-6)
    assert back[t.attachment == 0] == pytest.approx(t.lift[t.attachment == 0], abs=1e-9)


def test_tower_frequencies_against_openfast():
    # OpenFAST state matrix at 3 m/s, generator locked: 0.332 (mixed with the flap) and 0.314 Hz
    assert tower.fore_aft(TURBINE).frequency_hz == pytest.approx(0.332, rel=0.02)
    assert tower.side_side(TURBINE, locked=True).frequency_hz == pytest.approx(0.314, rel=0.02)


def test_a_step_of_wind_is_met_with_delay():
    # dynamic inflow: right after a pitch step the thrust overshoots, then the wake follows within some seconds
    rising = air.series(TURBINE, [0.0, 60.0, 60.1, 200.0], [8.0, 8.0, 9.0, 9.0], shear=0.0)
    run = simulate(TURBINE, rising, duration=120.0, shadow=False, tower_modes=False)
    after = np.interp([61.0, 119.0], run.time, run["aerodynamic_torque"] / run["rotor_speed"] ** 2)
    assert after[0] > 1.05 * after[1]


@pytest.mark.parametrize("masses", [2, 3])
def test_energy_of_an_emergency_stop(masses):
    # what the wind gives, less generator, brake and dampers, is the change of kinetic and elastic energy
    plan = Schedule(trip=30.0, feather=30.0, brake=30.0, brake_torque=8.6e6 / 97, brake_rise=0.6)
    run = simulate(
        TURBINE, air.steady(TURBINE, 12.0), duration=50.0, masses=masses, step=0.001, schedule=plan, interval=0.05
    )
    e = run.energy
    lost = e["generator"] + e["brake"] + e["shaft_damping"] + e["edge_damping"]
    assert e["aerodynamic"] - lost == pytest.approx(e["kinetic_and_elastic_change"], abs=2e-3 * e["brake"])
    assert abs(run["generator_speed"][-1]) < 1e-6


def test_start_and_normal_stop():
    plan = Schedule(start=10.0, stop=200.0)
    run = simulate(TURBINE, air.steady(TURBINE, 12.0), duration=320.0, schedule=plan)
    assert run["rotor_speed"][:100].max() < 0.2
    running = (run.time > 150) & (run.time < 200)
    assert run["electrical_power"][running].mean() == pytest.approx(5e6, rel=0.02)
    assert np.degrees(run["pitch"][-1]) == pytest.approx(90.0)
    assert run["generator_torque"][-1] == 0.0
    assert run["rotor_speed"][-1] < 0.3


def test_yaw_lowers_the_power_like_a_cosine_of_about_three():
    straight, turned = (
        simulate(TURBINE, air.steady(TURBINE, 8.0, shear=0.0, direction=d), duration=200.0, shadow=False)
        for d in (0.0, np.radians(20.0))
    )
    ratio = turned["electrical_power"][-1] / straight["electrical_power"][-1]
    # measured and computed exponents lie between 1.8 (full rotors in yaw) and 3 (plain BEM)
    assert np.cos(np.radians(20.0)) ** 3.2 < ratio < np.cos(np.radians(20.0)) ** 1.5


def test_step_sizes_agree():
    # aerodynamic damping of the free-free mode feels the aero step: measured 1.0 % at 0.02 s, 0.3 % at 0.01 s
    gust = air.turbulent(TURBINE, 18.0, 1, duration=160.0)
    fine, coarse = (
        simulate(TURBINE, gust, duration=160.0, step=s, aero_step=a).after(60.0)["low_speed_shaft_torque"].std()
        for s, a in ((0.001, 0.005), (0.01, 0.02))
    )
    assert coarse == pytest.approx(fine, rel=0.025)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: load("nrel-6mw"), "one of grc-750kw, nordtank-500kw, nrel-5mw"),
        (lambda: simulate(TURBINE, masses=4), "2 or 3 masses"),
        (lambda: simulate(replace(TURBINE, edge=None), masses=3), "no edgewise mode"),
        (lambda: model.Polar("p", [-90.0, 0.0, 90.0], [0, 0, 0], [0, 0, 0]), "covers -90 to 90 deg"),
        (lambda: bem.operating_point(TURBINE, 1.0), "does not turn its generator"),
        (lambda: model.from_mapping({"name": "x", "wings": 3}), "unknown key 'wings'"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(TurbineError, match=message):
        make()


def test_controller_of_another_ratio_gives_the_same_powers():
    other = TURBINE.controller.referred(61.975 / 97.0)
    turbine = replace(TURBINE, controller=other, gear_ratio=61.975)
    for v in (6.0, 9.0, 15.0):
        one, two = bem.operating_point(TURBINE, v), bem.operating_point(turbine, v)
        assert two.power == pytest.approx(one.power, rel=1e-9)
        assert two.speed == pytest.approx(one.speed, rel=1e-9)


# ---------------------------------------------------------------- power below rated: who is right by how much


def cp_of(turbine, ratio=7.5):
    return float(bem.performance(turbine, np.array([ratio]), np.array([0.0]))[0][0, 0])


def drawn_finer(turbine, count):
    """The rotor with so many elements: chord and twist along lines, each with the airfoil of the element that it lies in."""
    edges = np.linspace(turbine.hub_radius, turbine.tip_radius, count + 1)
    centre = 0.5 * (edges[1:] + edges[:-1])
    ends = turbine.element_radius + 0.5 * turbine.element_width
    foil = np.minimum(np.searchsorted(ends, centre), len(ends) - 1)
    return replace(
        turbine, element_radius=centre, element_width=np.diff(edges), element_polar=tuple(turbine.element_polar[i] for i in foil),
        element_chord=np.interp(centre, turbine.element_radius, turbine.element_chord),
        element_twist=np.interp(centre, turbine.element_radius, turbine.element_twist),
    )  # fmt: skip


def test_power_coefficient_of_other_programs():
    """5 MW rotor, aligned, tip speed ratio 7.5, pitch 0: AeroDyn of OpenFAST 5.0 (its driver, commit 2895884, static polars) has 0.48484
    and joins the forces of its nodes by lines that end at zero at hub and tip; HAWCStab2 has 1914.4 kW at 8 m/s and 9.1015 rpm, which is 0.4896."""
    flat = replace(TURBINE, tilt=0.0, cone=0.0)
    one = [
        replace(flat, element_radius=flat.element_radius[i : i + 1], element_width=np.ones(1), element_polar=flat.element_polar[i : i + 1],
                element_chord=flat.element_chord[i : i + 1], element_twist=flat.element_twist[i : i + 1])
        for i in range(len(flat.element_radius))
    ]  # fmt: skip
    along = np.concatenate([[flat.hub_radius], flat.element_radius, [flat.tip_radius]])
    joined = np.trapezoid(np.concatenate([[0.0], [cp_of(x) for x in one], [0.0]]), along)
    assert joined == pytest.approx(0.48484, rel=0.003)
    # the elements' sum is 0.4 % above that of many elements, and these are with HAWCStab2
    fine = cp_of(drawn_finer(flat, 200))
    assert cp_of(flat) == pytest.approx(fine, rel=0.005)
    assert fine == pytest.approx(0.4896, rel=0.005)


def test_power_at_8_metres_a_second():
    """1771.2 kW electric in the curve that NREL publishes of this turbine (FLORIS 4, nrel_5MW); here without shear and tower shadow, which
    AeroDyn's driver finds to take 2.8 % of the power. A deck says what the turbine's data say."""
    from gearwright.interchange.openfast_deck import read_deck

    power = bem.operating_point(TURBINE, 8.0).power
    assert 0.97 * 0.944 * power < 1771.2e3 < 0.944 * power
    deck = read_deck(DATA / "deck" / "nrel-5mw.fst", rated_power=5e6, rated_speed=1.267)
    assert bem.operating_point(deck, 8.0).power == pytest.approx(power, rel=1e-3)
