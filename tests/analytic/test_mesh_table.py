"""Law periodic by its table: statics of the teeth, the spline, its potential, teeth that differ, what linear forms make of it."""

import dataclasses
import math

import numpy as np
import pytest
from scipy.optimize import brentq

import gearwright as gw
from gearwright.laws.floating import floating, floating_smooth
from gearwright.laws.mesh_by_table import SETS_IN, DifferentTeeth, mesh_by_table
from gearwright.laws.mesh_cycle import ramped_curve
from gearwright.laws.mesh_properties import smooth_course, value_at
from gearwright.stiffness.cycle import pair_stiffness
from gearwright.stiffness.mesh_table import PairStatics, mesh_table
from gearwright.stiffness.resolve import TAKE_UP, reference_load, statics, take_up_by_rule
from gearwright.stiffness.ste import transmission_error
from gearwright.targets.mesh import FORCE, PAIR, forms, one_mesh, swing
from gearwright.targets.shared import call_law
from gearwright.train.teeth import tooth_pair

TABLE = mesh_table(one_mesh(), FORCE)
ODD = DifferentTeeth(((0.0, 12e-6, -8e-6), (5e-6, 0.0, 0.0, -9e-6, 3e-6)), ((1.0, 1.0, 0.7), (1.0,) * 5), (1, 0, 2, 3))


def by_hand(phase: float, d: float) -> float:
    """Sum over pairs of equation (1), with the corner gaps as printed."""
    total, pitch, start, end = 0.0, 0.1328459, 0.1314641, 0.2795606
    for j in range(-2, 4):
        s = start + (phase + j) * pitch
        gap = 3.29572 * max(start - s, 0.0) ** 2 + 2.77050 * max(s - end, 0.0) ** 2
        if start - 0.4 * pitch < s < end + 0.4 * pitch:
            total += PAIR * max(d - gap, 0.0)
    return total


def test_the_loaded_error_is_the_root_of_the_sum_over_pairs() -> None:
    for part in (0.1, 1.0, 1.5):
        loaded = one_mesh().error(part * FORCE, 32)
        for phase, found in zip(loaded.phase, loaded.error, strict=True):
            root = brentq(lambda d, at=phase, f=part * FORCE: by_hand(at, d) - f, 0.0, 1e-3, xtol=1e-14)
            assert found == pytest.approx(root, rel=1e-4)  # gaps lie on a grid of 1/4000 base pitch


@pytest.mark.parametrize("part", [0.1, 0.5, 1.0, 1.5, 3.0])
def test_the_spline_has_the_force_at_every_load(part: float) -> None:
    """Between its kinks it is exact to the third order; a place or two about each it rounds: standard deviation over the cycle."""
    loaded = one_mesh().error(part * FORCE, 777)
    found = np.array([TABLE.force(p, d) for p, d in zip(loaded.phase, loaded.error, strict=True)]) / (part * FORCE)
    assert found.std() < 0.002
    assert np.abs(found - 1.0).max() < 0.03


def test_the_spline_has_ten_places_in_the_entry() -> None:
    """A pair takes up its load over sqrt(delta/K)/p_b = 4.3 % of the cycle."""
    ramp = math.sqrt(107.58e-6 / 3.29572) / 0.1328459
    assert ramp * TABLE.phases > 10.0 * math.sqrt(10.0)  # at a tenth of the load too


def test_force_is_the_slope_of_the_potential_and_the_law_is_the_table() -> None:
    law = mesh_by_table(TABLE, 0.0, backlash=2e-4, coast_shift=0.17)
    rng, h = np.random.default_rng(3), 1e-9
    for _ in range(40):
        phase, d = rng.uniform(-3.0, 3.0), rng.choice([3e-6, 4e-5, 1.1e-4, 6e-4, 2e-3])
        (drive, coast, _), _ = call_law(law, [d, -d, phase], [0.0, 0.0, 5.0])
        assert drive == pytest.approx(TABLE.force(phase, d), rel=1e-9)
        assert coast == pytest.approx(0.0, abs=1e-9)
        up, low = (law.energy([d + e, -d, phase], [0.0] * 3, [], 0) for e in (h, -h))  # type: ignore[misc]
        assert drive == pytest.approx((up - low) / (2.0 * h), rel=1e-5, abs=10.0)
        (_, coast, _), _ = call_law(law, [-1.0, d + 2e-4, phase], [0.0, 0.0, 5.0])
        assert coast == pytest.approx(TABLE.force(TABLE.span - phase - 0.17, d), rel=1e-9)


def test_damping_sets_in_with_the_contact_and_never_pulls() -> None:
    law = mesh_by_table(TABLE, 1e5, backlash=1e-4)
    for d in np.geomspace(1e-10, 1e-4, 30):
        for rate in (-1.0, 1.0):
            force = call_law(law, [d, -d, 0.4], [rate, -rate, 5.0])[0][0]
            elastic = TABLE.force(0.4, d)
            assert force == pytest.approx(
                max(elastic + 1e5 * rate * min(1.0, elastic / (SETS_IN * FORCE)), 0.0), abs=1e-6
            )
    assert call_law(law, [-1e-6, 1e-6, 0.4], [1.0, -1.0, 5.0])[0][0] == 0.0


def test_teeth_that_differ_close_their_own_gaps() -> None:
    """Against the sum over pairs with each tooth's number by hand: deviations close gaps on the drive and open them on the coast
    flank, a crack leaves its part of the stiffness."""
    table = mesh_table(one_mesh(), FORCE, alike=False, phases=1024, deflections=256)
    law = mesh_by_table(table, 0.0, backlash=0.0, coast_shift=0.3, different=ODD)

    def pairs(phase: float, d: float, coast: bool) -> float:
        total = 0.0
        for n in range(math.floor(phase) - 3, math.floor(phase) + 4):
            i, j = (n + ODD.offsets[2 * coast]) % 3, (n + ODD.offsets[2 * coast + 1]) % 5
            out = ODD.deviation[0][i] + ODD.deviation[1][j]
            travel = phase - n
            k, g = one_mesh().springs(np.array([one_mesh().span - travel if coast else travel]))
            total += float(k[0, 0] * ODD.left[0][i] * max(d + (-out if coast else out) - g[0, 0], 0.0))
        return total

    rng = np.random.default_rng(5)
    for _ in range(60):
        phase, d = rng.uniform(-8.0, 8.0), rng.uniform(2e-5, 3e-4)
        force = call_law(law, [d, -d, phase], [0.0, 0.0, 5.0])[0][0]
        assert force == pytest.approx(pairs(phase, d, False), abs=0.01 * FORCE)
        force = call_law(law, [-d, d, phase], [0.0, 0.0, 5.0])[0][1]
        assert force == pytest.approx(pairs(phase + 0.3, d, True), abs=0.01 * FORCE)
    assert law.energy([2e-4, -2e-4, 0.1], [0.0] * 3, [], 0) > 0.0  # type: ignore[misc]


def test_equal_teeth_by_number_are_the_table_of_all() -> None:
    same = dataclasses.replace(ODD, deviation=((0.0,) * 3, (0.0,) * 5), left=((1.0,) * 3, (1.0,) * 5))
    apart = mesh_by_table(mesh_table(one_mesh(), FORCE, alike=False), 1e5, backlash=2e-4, different=same)
    together = mesh_by_table(TABLE, 1e5, backlash=2e-4)
    for phase in np.linspace(-1.0, 2.0, 31):
        one, other = (call_law(law, [1.1e-4, -1e-4, phase], [1e-3, -1e-3, 5.0])[0] for law in (apart, together))
        np.testing.assert_allclose(one[:2], other[:2], rtol=1e-9, atol=1e-3)


def test_a_helical_pair_by_slices_is_the_transmission_error() -> None:
    """The statics of the table beside those of the command `ste`, whose pairs are springs in the order of their gaps."""
    train = gw.expand(
        gw.load(
            "nrel-5mw-nejad-source",
            [
                "stages.2.mesh.stiffness={from: analytic}",
                "materials={steel: {young: 210 GPa, poisson: 0.3}}",
                "stages.2.material=steel",
            ],
        )
    )
    mesh = train.meshes["stage3.mesh"]
    load = reference_load(mesh, train)
    assert load is not None
    found = statics(mesh, train, load.force).error(load.force, 64)
    stiff = pair_stiffness(tooth_pair(mesh), "analytic", statics_half_width(mesh, train))
    other = transmission_error(stiff, load.force * mesh.base_radius[0], samples=64, constant_width=True)
    assert found.error.mean() == pytest.approx(other.mean, rel=2e-3)
    assert np.ptp(found.error) == pytest.approx(other.peak_to_peak, rel=0.1)


def statics_half_width(mesh, train) -> float:  # type: ignore[no-untyped-def]
    from gearwright.stiffness.resolve import contact_half_width

    return contact_half_width(tooth_pair(mesh), mesh, train)[0]


def test_the_mean_stays_the_one_of_the_file() -> None:
    """Of the stiffness under the load; a pair is softer than the mean over the contact ratio, since pairs enter early."""
    train = gw.expand(gw.load("nrel-5mw-nejad-source"))
    mesh = train.meshes["stage1.sun_planet1"]
    load = reference_load(mesh, train)
    assert load is not None and not load.said
    found = statics(mesh, train, load.force)
    assert found.error(load.force, 4096).secant.mean() == pytest.approx(7.832e9, rel=1e-5)
    assert found.stiffness[0] == pytest.approx(7.832e9 / 1.1147, rel=0.06)
    assert found.stiffness[0] < 7.832e9 / 1.1147


def test_parts_of_the_face_add_up() -> None:
    """Two halves of a helical crowned face under one deflection carry what the whole face carries."""
    whole = dataclasses.replace(one_mesh(), overlap=0.7, crown=2e-5, slices=40)
    halves = [dataclasses.replace(whole, slices=20).part(at, 0.5) for at in (-0.25, 0.25)]
    tables = [mesh_table(part, 0.5 * FORCE, phases=256) for part in halves]
    for phase in np.linspace(0.0, 1.0, 9):
        both = sum(t.force(phase, 1.2e-4) for t in tables)
        assert both == pytest.approx(float(whole.force(np.array([phase]), np.array([1.2e-4]))[0]), rel=2e-3)


@pytest.mark.parametrize("part", [0.1, 0.3, 1.5])
def test_off_the_reference_load_it_is_as_good(part: float) -> None:
    """At a tenth of the natural frequency, against a finer table; frozen forms miss by half there."""
    law = forms()["table"]
    fine = mesh_by_table(mesh_table(one_mesh(), FORCE, phases=2048, deflections=256), law.mean[1][0], backlash=0.6e-3)  # type: ignore[index]
    one, other = (swing(x, 0.1, part, tolerance=1e-5) for x in (law, fine))
    assert one.std() == pytest.approx(other.std(), rel=0.02)
    assert one.max() == pytest.approx(other.max(), rel=0.02)


def test_both_engines_agree() -> None:
    law = forms()["table"]
    for ratio in (0.1, 0.85):
        one, other = (swing(law, ratio, method=m, tolerance=1e-5) for m in ("explicit", "exponential"))
        assert one.std() == pytest.approx(other.std(), rel=0.005)
        assert one.max() == pytest.approx(other.max(), rel=0.005)


def test_three_planets_of_a_floating_sun_share_equally_at_every_instant() -> None:
    """Together 9 / sum(1/k_i) (physics notes 9), and as the law in levels where both stand on one."""
    angle = 2.0 * np.pi * np.arange(3) / 3.0
    directions = np.column_stack([np.cos(angle), np.sin(angle)])
    x = np.arange(64) / 64
    courses = [2.0 + 0.7 * np.sin(2.0 * np.pi * (x + s)) for s in (0.0, 0.2, 0.5)]
    law = floating_smooth(courses, 0.0, directions)
    for i in (0, 17, 40):
        k = np.array([c[i] for c in courses])
        forces = call_law(law, [1.0, 1.0, 1.0, x[i] + 3.0], [0.0] * 4)[0][:3]
        np.testing.assert_allclose(forces, forces[0], rtol=1e-12)
        assert forces.sum() == pytest.approx(9.0 / np.sum(1.0 / k), rel=1e-9)
        level = floating([0.0], k[None, :], 0.0, directions)
        q = [0.9, 1.1, 1.3]
        np.testing.assert_allclose(
            call_law(law, [*q, x[i]], [0.0] * 4)[0][:3], call_law(level, [*q, x[i]], [0.0] * 4)[0][:3], rtol=1e-9
        )
        assert law.energy([*q, x[i]], [0.0] * 4, [], 0) == pytest.approx(level.energy([*q, x[i]], [0.0] * 4, [], 0))  # type: ignore[misc]


def test_levels_without_teeth_have_ramps() -> None:
    """Mean 1 with a contact ratio of 1.6 and a take-up of 0.05: one pair has 1/(1.6 + 0.05), ramps are straight."""
    curve = ramped_curve(2.0, 1.0, 0.6, 0.05)
    assert value_at(curve, 0.3) == pytest.approx(2.0) and value_at(curve, 0.8) == pytest.approx(1.0)
    assert value_at(curve, 0.975) == pytest.approx(1.5, abs=0.02) and value_at(curve, 0.625) == pytest.approx(
        1.5, abs=0.02
    )
    x = np.linspace(0.0, 1.0, 4001)[:-1]
    assert np.mean([value_at(curve, float(at)) for at in x]) == pytest.approx(1.65, rel=1e-3)
    assert max(abs(value_at(curve, float(at + 1e-6)) - value_at(curve, float(at))) for at in x) < 1e-3  # nothing jumps


def test_given_levels_keep_their_values_and_the_rule_gives_the_ramp() -> None:
    train = gw.expand(gw.load("nordtank-500kw-two-level"))
    mesh = train.meshes["stage1.sun_planet1"]
    course = smooth_course(mesh, train)
    width = take_up_by_rule(mesh, train, 3.471e9).width
    assert 0.01 < width < 0.2 and width != TAKE_UP
    assert value_at(course.curve, 0.2) == pytest.approx(6.176e9) and value_at(course.curve, 0.75) == pytest.approx(
        3.471e9
    )
    assert any("ramps of" in sentence for sentence in course.said)


def test_statics_refuse_no_load() -> None:
    with pytest.raises(ValueError, match="positive load"):
        one_mesh().error(0.0)
    with pytest.raises(ValueError, match="table of one pair"):
        mesh_by_table(TABLE, 0.0, different=ODD)


def test_a_pair_alone_reaches_beyond_its_path() -> None:
    assert isinstance(one_mesh(), PairStatics) and one_mesh().reach == pytest.approx(0.4)
