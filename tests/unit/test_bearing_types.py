"""Bearings by type: Hertz contacts, ratings, rows, reference life, factors of the equivalent loads."""

import math

import numpy as np
import pytest

from gearwright.bearings.factors import dynamic_equivalent, static_equivalent
from gearwright.bearings.iso16281 import contact_ratings, reference_life
from gearwright.bearings.ratings import dynamic_rating, from_catalogue, static_rating
from gearwright.bearings.stiffness import line_constant
from gearwright.bearings.types import BearingGeometry
from gearwright.stiffness.hertz import line_pressure, point_contact, roller_load

CYLINDRICAL = BearingGeometry("cylindrical", 15e-3, 0.1, 19, 15e-3)
TAPERED = BearingGeometry("tapered", 20e-3, 0.15, 22, 18e-3, math.radians(14))
SPHERICAL = BearingGeometry("spherical", 20e-3, 0.15, 22, 18e-3, math.radians(10))
DEEP = BearingGeometry("deep_groove", 17.462e-3, 72.5e-3, 8)
ANGULAR = BearingGeometry("angular_contact", 12e-3, 0.1, 18, contact_angle=math.radians(40))
STEEL = 2 * (1 - 0.3**2) / 206e9


def test_point_contact_of_a_ball_on_a_plane_in_closed_form():
    # Hertz: Q = 4/3 E* sqrt(R) delta^1.5, a = (3 Q R / (4 E*))^(1/3), p = 3 Q / (2 pi a^2); sum of curvatures 2/R
    radius, modulus = 0.01, 1 / STEEL
    contact = point_contact(2 / radius, 0.0, STEEL)
    assert contact.stiffness == pytest.approx(4 / 3 * modulus * math.sqrt(radius), rel=1e-9)
    a = (0.75 * 1e3 * radius * STEEL) ** (1 / 3)
    assert contact.major * 10 == pytest.approx(a, rel=1e-9)
    assert contact.pressure(1e3) == pytest.approx(1.5e3 / (math.pi * a * a), rel=1e-9)


def test_elliptical_contact_against_hertz_equations():
    # Johnson, Contact Mechanics 4.2: the ratio of curvatures follows from the ellipse by elliptic integrals
    from scipy.integrate import quad

    a1, a2 = 20.0, 900.0
    contact = point_contact(a1 + a2, (a2 - a1) / (a1 + a2), STEEL)
    b, a = 1.0, contact.major / contact.minor
    # A and B are integrals over the ellipse's potential; their ratio must be that of the curvatures
    low = quad(lambda t: 1 / ((a * a + t * t) ** 1.5 * math.sqrt(b * b + t * t)), 0, math.inf, epsabs=0)[0]
    high = quad(lambda t: 1 / ((b * b + t * t) ** 1.5 * math.sqrt(a * a + t * t)), 0, math.inf, epsabs=0)[0]
    assert low / high == pytest.approx(a1 / a2, rel=1e-6)


def test_line_pressure_is_that_of_the_printed_constant():
    # IEC 61400-4 prints 270 for steel, Hertz gives 268.4 (digest S1, section 13)
    found = line_pressure(1e6, 60.0, STEEL)
    assert found == pytest.approx(1e6 * 268.4 * math.sqrt(0.5 * 1e3 * 0.06), rel=3e-4)  # 268.4 is rounded


def test_roller_load_inverts_the_line_approach():
    # delta = 2 K F ln(F_0 / F) (digest S2)
    k = STEEL / (math.pi * 12e-3)
    reach = math.exp(2 / 3) / k * math.sqrt(25e-3 * 25e-3)
    loads = np.array([1.0, 500.0, 8000.0])
    found = roller_load(2 * k * loads * np.log(reach / loads), 12e-3, STEEL, (20e-3, 30e-3, 5e-3))
    np.testing.assert_allclose(found, loads, rtol=1e-10)
    assert roller_load(-1e-6, 12e-3, STEEL, (20e-3, 30e-3, 5e-3)) == 0.0
    # the standard's power law lies within some per cent at working loads
    assert found[1] == pytest.approx(line_constant(12e-3) * (2 * k * 500 * math.log(reach / 500)) ** (10 / 9), rel=0.1)


def test_static_rating_is_the_load_of_the_limiting_pressure():
    # ISO 76: C_0 is where the most loaded contact reaches 4.2 GPa (balls, F = Q Z / 5) or 4 GPa (rollers, Q Z / 5)
    assert DEEP.contact_pressure(5 * static_rating(DEEP) / 8) == pytest.approx(4.2e9, rel=0.01)
    assert CYLINDRICAL.contact_pressure(5 * static_rating(CYLINDRICAL) / 19) == pytest.approx(4.0e9, rel=0.01)


def test_ratings_of_a_6309():
    # SKF prints C 55.3 kN (7 % above the standard's formula: their b_m), C_0 31.5 kN
    assert dynamic_rating(DEEP) == pytest.approx(55.3e3, rel=0.08)
    assert static_rating(DEEP) == pytest.approx(31.5e3, rel=0.02)
    found = from_catalogue("deep_groove", 45e-3, 100e-3, 25e-3, 31.5e3)
    assert (found.elements, round(1e3 * found.element_diameter, 2)) == (8, 17.46)


def test_roller_factor_of_the_standard():
    # ISO 281, table 7: f_c 88.8 at gamma 0.20 (the largest)
    geometry = BearingGeometry("cylindrical", 20e-3, 0.1, 11, 20e-3)
    factor = dynamic_rating(geometry) / (1.1 * 20 ** (7 / 9) * 11**0.75 * 20 ** (29 / 27))
    assert factor == pytest.approx(88.8, rel=3e-3)


def test_catalogue_roller_keeps_the_static_rating():
    found = from_catalogue("cylindrical", 0.2, 0.42, 0.138, 3.0e6)
    assert static_rating(found) == pytest.approx(3.0e6, rel=1e-12)
    with pytest.raises(ValueError, match="more than the width"):
        from_catalogue("cylindrical", 0.2, 0.42, 0.05, 5e6)


@pytest.mark.parametrize("geometry", [SPHERICAL, TAPERED, ANGULAR, DEEP], ids=lambda g: g.type)
def test_two_rows_are_symmetric_and_the_derivative_of_their_load(geometry):
    import dataclasses

    double = (
        geometry if geometry.type == "spherical" else dataclasses.replace(geometry, rows=2, spread=0.04, play=-1e-5)
    )
    bearing = double.bearing()
    d = np.array([6e-6, 3e-5, -2e-5, 0.0, 5e-5, -4e-5])
    _, k, _ = bearing.evaluate(d)
    np.testing.assert_allclose(k, k.T, rtol=1e-12, atol=1e-9 * abs(k).max())
    for i in (0, 1, 2, 4, 5):
        h = np.zeros(6)
        h[i] = 1e-9
        slope = (bearing.load(d + h) - bearing.load(d - h)) / 2e-9
        np.testing.assert_allclose(k[:, i], slope, rtol=3e-5, atol=3e-6 * abs(k[:, i]).max() + 1e-9 * abs(k).max())


def test_spherical_bearing_aligns_itself_and_takes_both_axial_senses():
    bearing = SPHERICAL.bearing()
    one = bearing.load([0, 2e-5, 0, 0, 0, 0])
    tilted = bearing.load([0, 2e-5, 0, 0, 2e-3, -1e-3])
    np.testing.assert_allclose(one, tilted, rtol=1e-12, atol=1e-6)
    assert bearing.load([2e-5, 0, 0, 0, 0, 0])[0] == -bearing.load([-2e-5, 0, 0, 0, 0, 0])[0] > 0


def test_back_to_back_is_stiffer_against_tilting():
    import dataclasses

    pair = dataclasses.replace(TAPERED, rows=2, spread=0.05, play=-1e-5)
    wide = pair.bearing().stiffness(np.zeros(6))
    narrow = dataclasses.replace(pair, arrangement="face_to_face").bearing().stiffness(np.zeros(6))
    assert wide[4, 4] > 2 * narrow[4, 4] > 0
    # tilt stiffness of a preloaded ring of normals: 1/2 sum k lever^2, levers r sin a +- (spread/2) cos a
    a, r = math.radians(14), 0.075
    slope = 22 * 2 * TAPERED.contact_constant * 10 / 9 * (5e-6 * math.cos(a)) ** (1 / 9)
    assert wide[4, 4] == pytest.approx(0.5 * slope * (r * math.sin(a) + 0.025 * math.cos(a)) ** 2, rel=1e-9)


def test_count_shares_the_load():
    import dataclasses

    two = dataclasses.replace(CYLINDRICAL, count=2).bearing()
    d = [0, 2e-5, 0, 0, 0, 0]
    np.testing.assert_allclose(two.load(d), 2 * CYLINDRICAL.bearing().load(d))


@pytest.mark.parametrize("geometry", [DEEP, BearingGeometry("deep_groove", 12e-3, 0.1, 21)])
def test_reference_life_of_a_ball_bearing_without_clearance_is_the_basic_one(geometry):
    # the standard's contact ratings are made so that a radial load without clearance gives (C/P)^3; few balls share unevenly
    load = dynamic_rating(geometry) / 10
    d = geometry.bearing().under_load([0, load, 0, 0, 0, 0])
    found = reference_life(geometry, dynamic_rating(geometry), d)
    assert found.load == pytest.approx(load, rel=0.01)
    assert found.life == pytest.approx(1000, rel=0.03)


def test_reference_life_of_rollers_without_edges_lies_by_the_reduction_above_the_basic_one():
    # at P = C both laws meet but for the 0.83 of the standard; J of line contact with n = 10/9 instead of 1.1: 4 %
    c = dynamic_rating(CYLINDRICAL)
    d = CYLINDRICAL.bearing().under_load([0, c, 0, 0, 0, 0])
    assert reference_life(CYLINDRICAL, c, d, edges=False).load == pytest.approx(0.83 * c, rel=0.04)


def test_reference_life_falls_with_tilt_play_and_an_outer_ring_that_turns():
    import dataclasses

    geometry = dataclasses.replace(CYLINDRICAL, slices=31, profile="logarithmic")
    c = dynamic_rating(geometry)

    def life(one, tilt=0.0, **more):
        d = _radial_again(one, 0.2 * c, tilt)
        return reference_life(one, c, d, **more).life

    plain = life(geometry)
    assert life(geometry, 2e-3) < 0.9 * plain
    assert life(dataclasses.replace(geometry, play=60e-6)) < 0.9 * plain
    assert life(geometry, outer_turns=True) < plain
    assert reference_life(geometry, c, np.zeros(6)).life == math.inf


def _radial_again(geometry, load, tilt):
    from scipy.optimize import brentq

    y = brentq(lambda y: geometry.bearing().load([0, y, 0, 0, 0, tilt])[1] - load, 1e-6, 1e-3, xtol=1e-12)
    return np.array([0, y, 0, 0, 0, tilt])


def test_slices_carry_the_rating_of_the_whole():
    # n slices with 1/n of the load each have the life of the whole: the power 7/9 of the slice's rating is made for that
    import dataclasses

    c = dynamic_rating(CYLINDRICAL)
    d = CYLINDRICAL.bearing().under_load([0, 0.3 * c, 0, 0, 0, 0])
    one = reference_life(CYLINDRICAL, c, d, edges=False).life
    many = reference_life(dataclasses.replace(CYLINDRICAL, slices=40), c, d, edges=False).life
    assert many == pytest.approx(one, rel=1e-9)
    inner, outer = contact_ratings(CYLINDRICAL, c)
    assert outer > inner


def test_factors_of_the_tables():
    c0 = static_rating(DEEP)
    f0 = 13.0
    # ISO 281 table 3, row 1.03: e 0.28, Y 1.55
    axial = 1.03 * c0 / f0
    found = dynamic_equivalent(DEEP, axial, axial, c0)
    assert (found.radial_factor, found.axial_factor) == pytest.approx((0.56, 1.55), abs=0.01)
    assert dynamic_equivalent(DEEP, 10 * axial, axial, c0).load == 10 * axial
    assert dynamic_equivalent(ANGULAR, 1e3, 5e3, 1e5).axial_factor == 0.57
    cot = 1 / math.tan(math.radians(14))
    assert dynamic_equivalent(TAPERED, 1e4, 1e4, 1e5).load == pytest.approx(1e4 * (0.4 + 0.4 * cot))
    assert dynamic_equivalent(SPHERICAL, 1e4, 1e3, 1e5).axial_factor == pytest.approx(0.45 / math.tan(math.radians(10)))
    assert static_equivalent(DEEP, 1e3, 100).load == 1e3
    assert static_equivalent(TAPERED, 1e3, 5e3).load == pytest.approx(500 + 0.22 * cot * 5e3)
    assert dynamic_equivalent(CYLINDRICAL, 1e3, 500, 1e5, axial_factor=0.4).load == 1200
    with pytest.raises(ValueError, match="takes no axial load"):
        dynamic_equivalent(CYLINDRICAL, 1e3, 500, 1e5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"type": "conical"}, "there is no bearing type 'conical'"),
        ({"elements": 30}, "do not fit"),
        ({"elements": None}, "needs the number"),
        ({"element_length": None}, "element_length"),
        ({"contact_angle": 0.2}, "has no contact_angle"),
        ({"type": "tapered"}, "needs a contact_angle"),
        ({"profile": "logarithmic"}, "needs slices"),
        ({"rows": 3}, "one or two rows"),
        ({"element_diameter": 0.2}, "below pitch_diameter"),
    ],
)
def test_wrong_geometry_is_named(change, words):
    import dataclasses

    with pytest.raises(ValueError, match=words):
        dataclasses.replace(CYLINDRICAL, **change)


def test_full_complement_counts_itself():
    assert BearingGeometry("full_complement", 37.5e-3, 0.31, element_length=0.138).per_row == 25
