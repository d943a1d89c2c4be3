"""Teeth after ISO 6336: sections of the true outline, hand formulas, damage of spectra with a closed form."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gearwright.geometry.gear import Gear
from gearwright.geometry.outline import half_tooth
from gearwright.geometry.pair import GearPair
from gearwright.rating import iso6336_rating as iso
from gearwright.rating import load_factors
from gearwright.rating.gear_rating import FactorFacts, GearFacts, MeshStress, Role, flank_strength, rated_wheel
from gearwright.rating.iso6336_bending import nominal_root_stress, root_factors
from gearwright.rating.records import Load

A20 = math.radians(20)


def spur(z1=20, z2=60, x1=0.0, **more):
    one = Gear(z1, 10e-3, A20, 0.0, x1, face_width=0.1, **more)
    return GearPair.closed(one, Gear(z2, 10e-3, A20, 0.0, 0.0, face_width=0.1, **more))


@pytest.mark.parametrize(("z", "x"), [(20, 0.0), (20, 0.4), (35, 0.2), (90, 0.0)])
def test_root_section_is_where_30_degrees_touch_the_cut_tooth(z, x):
    """Thickness and fillet radius of the standard's section against the outline that the rack tool cuts."""
    pair = spur(z, 60, x)
    found = root_factors(pair, 0)
    half = half_tooth(pair.one, fillet=4000)
    px, py = half.points[:, : half.join]
    slope = np.arctan2(np.gradient(px), np.gradient(py))
    # the fillet runs from the root circle to the flank: the tangent turns through 30 degrees to the tooth axis
    at = int(np.argmin(np.abs(np.abs(slope) - math.radians(30))))
    assert 2 * abs(px[at]) / 10e-3 == pytest.approx(found.thickness, rel=2e-3)
    arc = np.hypot(np.gradient(px), np.gradient(py))
    curvature = np.gradient(np.unwrap(slope)) / arc
    assert abs(1.0 / curvature[at]) / 10e-3 == pytest.approx(found.fillet, rel=0.03)


def test_load_on_the_section_is_that_of_a_beam():
    """sigma_F0 / Y_S is bending of the section: 6 F h cos(a) / (b s^2), F the normal force."""
    pair = spur()
    found = root_factors(pair, 0)
    stress = nominal_root_stress(1e4, 0.1, 10e-3, found) / found.stress_correction
    # line of action through the outer point of single contact, at angle a to the tooth's normal
    path = pair.path
    outer = pair.one.radius(path.start + path.base_pitch)
    alpha_e = math.acos(pair.one.base_radius / outer)
    half = pair.one.half_angle(outer)
    load_angle = alpha_e - half
    normal = 1e4 / math.cos(A20)
    bending = 6 * normal * math.cos(load_angle) * found.lever * 10e-3 / (0.1 * (found.thickness * 10e-3) ** 2)
    assert stress == pytest.approx(bending, rel=1e-6)
    # and the lever from the line of action to the section, on the tooth axis
    crossing = pair.one.base_radius / math.cos(load_angle)
    section = math.sqrt((found.thickness * 10e-3 / 2) ** 2)  # half thickness at 30 degrees
    assert crossing - found.lever * 10e-3 > pair.one.root_radius > section


def test_contact_stress_is_that_of_hertz_at_the_pitch_point():
    """Z_H Z_E sqrt(...) of a spur pair is the Hertz pressure of the two curvatures; Z_eps reduces it."""
    pair = spur()
    factors = iso.contact_factors(pair)
    normal = 2e4 / math.cos(A20)
    modulus = 206e9 / (2 * (1 - 0.3**2))
    hertz = math.sqrt(normal / 0.1 * modulus / (math.pi * pair.curvature(pair.path.pitch_point)))
    assert iso.nominal_contact_stress(pair, 2e4, factors, 0.1) == pytest.approx(hertz * factors.contact_ratio, rel=1e-9)
    # Z_B takes it to the inner point of single contact
    inner = math.sqrt(normal / 0.1 * modulus / (math.pi * pair.curvature(pair.path.end - pair.path.base_pitch)))
    assert factors.single_pair[0] == pytest.approx(max(inner / hertz, 1.0), rel=1e-9)


def test_internal_pair_has_less_contact_stress():
    planet = Gear(35, 10e-3, A20, 0.0, 0.419, face_width=0.21)
    ring = Gear(91, 10e-3, A20, 0.0, -0.84, ring=True, face_width=0.238)
    pair = GearPair(planet, ring, 0.284)
    normal = 2e4 / math.cos(planet.transverse_angle)
    factors = iso.contact_factors(pair)
    modulus = 206e9 / (2 * (1 - 0.3**2))
    hertz = math.sqrt(normal / 0.21 * modulus / (math.pi * pair.curvature(pair.path.pitch_point)))
    assert iso.nominal_contact_stress(pair, 2e4, factors, 0.21) == pytest.approx(
        hertz * factors.contact_ratio, rel=1e-6
    )
    for which in (0, 1):
        found = root_factors(pair, which)
        assert 0.8 < found.form < 2.5 and 1.4 < found.stress_correction < 3.5


@pytest.mark.parametrize(("cycles", "want"), [(1e4, 1.6), (1e5, 1.6), (5e7, 1.0), (1e10, 0.85), (1e12, 0.85)])
def test_life_factors_at_the_corners(cycles, want):
    assert iso.life_factor(cycles, "case_hardened") == pytest.approx(want)


def test_bending_life_factors_of_the_treatments():
    assert iso.life_factor(1e3, "case_hardened", "bending") == 2.5
    assert iso.life_factor(1e3, "nitrided", "bending") == 1.6
    assert iso.life_factor(3e6, "through_hardened", "bending") == pytest.approx(1.0)
    assert iso.life_factor(1e11, "case_hardened", "bending", 1.0) == 1.0


def test_face_load_of_a_small_and_a_large_misalignment():
    """Linear while the whole face carries, square root of it after; continuous where the two meet."""
    assert load_factors.face_load_factor(10e-6, 20e9, 2e5) == pytest.approx(1.5)
    assert load_factors.face_load_factor(20e-6, 20e9, 2e5) == pytest.approx(2.0)
    assert load_factors.face_load_factor(80e-6, 20e9, 2e5) == pytest.approx(4.0)


FACTS = GearFacts((1500e6, 1500e6), (500e6, 500e6), factors=FactorFacts(face=1.1, transverse=1.0))


def record(force, seconds=600.0, speed=2.0):
    return Load(
        "mesh",
        "N",
        np.array([force]),
        np.array([seconds]),
        np.array([speed]),
        np.zeros(0),
        np.zeros(0),
        {},
        (force, force),
    )


def test_damage_of_a_constant_force_is_cycles_over_the_curve():
    pair = spur()
    mesh = MeshStress(pair, FACTS, 2.0)
    pitting, bending = rated_wheel(
        "pinion", {"mesh": Role(mesh, 0)}, 3.0, {1: ""}, False, (1.0, 1.0), np.linspace(0.0, 2.1e5, 200)
    )
    force, turns = 1.2e5, 600 * 2 * 3 / (2 * math.pi)
    for flank, power in ((pitting, 0.5), (bending, 1.0)):
        dose = flank.dose({"mesh": record(force)}, "r")
        assert dose.cycles == pytest.approx(turns)
        # away from the grid of 200 forces the interpolation is good to 1e-4
        stress = float(flank.courses["mesh"].at(force))
        assert dose.damage == pytest.approx(turns / flank.strength.cycles(stress)[0], rel=1e-9)
        assert float(flank.courses["mesh"].at(8e5)) == pytest.approx(
            float(flank.courses["mesh"].at(4e5)) * 2**power, rel=1e-9
        )
        # the safety factor brings the damage of the life to 1
        safety = flank.safety({"r": 1e3})
        assert flank.strength.damage([stress * safety * 1.001], [1e3 * turns]) >= 1.0
        assert flank.strength.damage([stress * safety * 0.99], [1e3 * turns]) < 1.0
    tangential = force * math.cos(A20)
    want = math.sqrt(1.1) * iso.nominal_contact_stress(pair, tangential, iso.contact_factors(pair), 0.1)
    assert float(pitting.courses["mesh"].at(force)) == pytest.approx(
        want * iso.contact_factors(pair).single_pair[0], rel=1e-4
    )


def test_a_sun_is_hit_by_every_planet_and_a_coast_flank_not_at_all():
    pair = spur()
    mesh = MeshStress(pair, FACTS, 2.0)
    one = rated_wheel("sun", {"a": Role(mesh, 0)}, 3.0, {1: ""}, False, (1.0, 1.0), np.linspace(0.0, 2.1e5, 200))[0]
    three = rated_wheel(
        "sun", {k: Role(mesh, 0) for k in "abc"}, 3.0, {1: ""}, False, (1.0, 1.0), np.linspace(0.0, 2.1e5, 200)
    )[0]
    loads = {k: record(1.5e5) for k in "abc"}
    assert three.dose(loads, "r").damage == pytest.approx(3 * one.dose(loads, "r").damage)
    assert one.dose({"a": record(-1.5e5)}, "r").damage == 0.0


def test_a_root_bent_both_ways_has_y_m_of_its_strength():
    """R is -1.2 for equal stresses on both sides; M = 0.8 - 0.15 Y_S of case-hardened steel. A given Y_M replaces it."""
    facts = replace(FACTS, mean_stress=0.7)
    once, both, given = (
        rated_wheel(
            "w",
            {"a": Role(MeshStress(spur(), f, 2.0), 0)},
            1.0,
            {1: ""},
            alternating,
            (1.0, 1.0),
            np.linspace(0.0, 2.1e5, 200),
        )[1]
        for f, alternating in ((FACTS, False), (FACTS, True), (facts, True))
    )
    m = 0.8 - 0.15 * root_factors(spur(), 0).stress_correction
    want = 1.0 / (1.0 + 1.2 * (1.0 - m) / (1.0 + m))
    assert both.strength.limit == pytest.approx(want * once.strength.limit) and both.mean_stress == pytest.approx(want)
    assert given.strength.limit == pytest.approx(0.7 * once.strength.limit)


def test_a_planet_whose_sides_differ_is_bent_less():
    """The sun's side makes more stress in the planet's root than the ring's, with another contact ratio: R above -1.2."""
    sun = MeshStress(spur(19, 35), FACTS, 2.0)
    planet = Gear(35, 10e-3, A20, 0.0, 0.419, face_width=0.1)
    ring = MeshStress(GearPair(planet, Gear(91, 10e-3, A20, 0.0, -0.84, ring=True, face_width=0.1), 0.284), FACTS, 2.0)
    roles = {"sun": Role(sun, 1, 1), "ring": Role(ring, 0, -1)}
    flanks = rated_wheel(
        "planet", roles, 1.0, {1: "sun flank", -1: "ring flank"}, True, (1.0, 1.0), np.linspace(0.0, 2.1e5, 200)
    )
    bent = [float(flanks[1].courses["sun"].at(2e5)), float(flanks[3].courses["ring"].at(2e5))]
    assert flanks[1].courses["ring"].at(2e5) == 0.0
    r = -1.2 * min(bent) / max(bent)
    m = 0.8 - 0.15 * max(role.root.stress_correction for role in roles.values())
    assert flanks[1].mean_stress == pytest.approx(1.0 / (1.0 - r * (1.0 - m) / (1.0 + m)), rel=1e-3)


def test_flat_long_life_has_an_endurance_limit():
    curve = flank_strength(1e9, "case_hardened", "pitting", 1.0)
    assert curve.limit == 1e9 and curve.cycles(0.999e9)[0] == math.inf
    assert flank_strength(1e9, "case_hardened", "pitting", 0.85).limit == pytest.approx(0.85e9)


def test_transverse_factor_is_bounded():
    pair = spur()
    most = (pair.contact_ratio) / (pair.contact_ratio * iso.contact_factors(pair).contact_ratio ** 2)
    assert load_factors.transverse_factors(pair, 1e3, 12).contact == pytest.approx(most)
    assert load_factors.transverse_factors(pair, 1e8, 4).contact == 1.0


@pytest.mark.parametrize(("make", "message"), [
    (lambda: iso.life_curve("soft", "pitting"), "there are case_hardened"),
    (lambda: iso.contact_strength(spur(), 0.0, "case_hardened", 1.0, 320, 5e-6), "must be positive"),
    (lambda: load_factors.face_load_factor(-1e-6, 1e10, 1e5), "must not be negative"),
    (lambda: MeshStress(GearPair.closed(Gear(20, 1e-2), Gear(30, 1e-2)), FACTS, 1.0), "face width"),
])  # fmt: skip
def test_refusals(make, message):
    with pytest.raises(iso.RatingError, match=message):
        make()
