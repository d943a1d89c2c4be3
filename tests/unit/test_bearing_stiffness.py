"""Loads and stiffness of rolling bearings: finite differences, closed forms, the digest's sweep, Stribeck's factor."""

import math

import numpy as np
import pytest

from gearwright.bearings.stiffness import RollingBearing, line_constant

BEARINGS = {
    "cylindrical": RollingBearing(21, 0.155, 300e6, clearance=1.75e-6),
    "tapered": RollingBearing(28, 0.155, 300e6, math.radians(14), 1.75e-6),
    "sliced": RollingBearing(19, 0.1, 4e8, math.radians(10), 2e-6, slices=31, length=0.04, profile=1e-6),
    "deep-groove": RollingBearing(9, 0.04, 1e10, 0.0, 3e-6, centre_distance=0.0012),
    "angular": RollingBearing(14, 0.05, 1e10, math.radians(40), centre_distance=0.0015),
}
DISPLACEMENT = np.array([2.1e-5, 2.5e-5, -1.3e-5, 0.01, 6e-5, -4e-5])


@pytest.mark.parametrize("name", BEARINGS)
def test_tangent_is_symmetric_and_the_derivative_of_the_load(name):
    bearing = BEARINGS[name]
    _, k, elements = bearing.evaluate(DISPLACEMENT)
    assert (elements > 0).any()
    np.testing.assert_allclose(k, k.T, rtol=1e-12, atol=1e-9 * abs(k).max())
    assert not k[3].any()
    for i in range(6):
        # central difference: error of second order, 1e-9 m against 2e-5 m, plus round-off
        h = np.zeros(6)
        h[i] = 1e-9
        slope = (bearing.load(DISPLACEMENT + h) - bearing.load(DISPLACEMENT - h)) / 2e-9
        np.testing.assert_allclose(k[:, i], slope, rtol=2e-5, atol=2e-6 * abs(k[:, i]).max())


@pytest.mark.parametrize(
    ("angle", "loaded", "yy", "yz", "xx", "xy", "tilt"),
    [
        (0, 10, 4.923e8, 2.642e7, 0, 0, 0),
        (14, 10, 4.812e8, 1.717e7, 5.982e7, 1.112e8, 7.186e5),
        (30, 12, 4.576e8, -5.268e7, 3.051e8, 1.997e8, 3.665e6),
        (60, 20, 2.451e8, -3.659e6, 1.470e9, 3.642e7, 1.766e7),
        (90, 20, 0, 0, 2.054e9, 0, 2.467e7),
    ],
)
def test_sweep_over_the_contact_angle(angle, loaded, yy, yz, xx, xy, tilt):
    bearing = RollingBearing(20, 0.155, 300e6, math.radians(angle), 1.75e-6)
    _, k, elements = bearing.evaluate([25e-6, 25e-6, 25e-6, 0, 0, 0])
    assert (elements > 0).sum() == loaded
    got = [k[1, 1], k[1, 2], k[0, 0], k[0, 1], k[4, 4]]
    # the table has four digits; at 90 degrees the cosine is 6e-17, not zero
    np.testing.assert_allclose(got, [yy, yz, xx, xy, tilt], rtol=5e-4, atol=1e-3)


def test_axial_load_of_an_aligned_bearing_in_closed_form():
    roller = RollingBearing(20, 0.1, 3e8, math.radians(30))
    assert roller.load([1e-5, 0, 0, 0, 0, 0])[0] == pytest.approx(20 * 3e8 * (5e-6) ** (10 / 9) * 0.5, rel=1e-12)
    ball = RollingBearing(12, 0.1, 1e10, math.radians(40), centre_distance=1e-3)
    r, x = 1e-3 * math.cos(math.radians(40)), 1e-3 * math.sin(math.radians(40)) + 2e-5
    now = math.hypot(r, x)
    assert ball.load([2e-5, 0, 0, 0, 0, 0])[0] == pytest.approx(12 * 1e10 * (now - 1e-3) ** 1.5 * x / now, rel=1e-9)


def test_slices_without_profile_or_tilt_are_one_roller():
    one = RollingBearing(21, 0.155, 300e6, math.radians(14), 1e-6)
    cut = RollingBearing(21, 0.155, 300e6, math.radians(14), 1e-6, slices=20, length=0.1)
    d = [1e-5, 2e-5, 1e-5, 0, 0, 0]
    np.testing.assert_allclose(one.load(d)[:4], cut.load(d)[:4], rtol=1e-12)
    # a tilt of a cylindrical bearing meets resistance only when the rollers have a length
    cut = RollingBearing(21, 0.155, 300e6, slices=20, length=0.1)
    assert cut.stiffness([0, 2e-5, 0, 0, 0, 0])[5, 5] > 0


def test_stribeck_factor():
    # Stribeck: line contact 4.08 (digest S2 measures 4.064), point contact 4.37, many elements, no clearance
    assert RollingBearing(60, 0.1, 3e8).stribeck_factor(1e5) == pytest.approx(4.08, abs=0.03)
    ball = RollingBearing(60, 0.1, 1e10, centre_distance=0.1)
    assert ball.stribeck_factor(1e3) == pytest.approx(4.37, abs=0.03)
    # clearance narrows the load zone
    assert RollingBearing(60, 0.1, 3e8, clearance=3e-5).stribeck_factor(1e5) > 4.2


@pytest.mark.parametrize("name", BEARINGS)
def test_displacement_under_load(name):
    wanted = np.array([0, 8e3, -3e3, 0, 0, 0.0])
    d = BEARINGS[name].under_load(wanted)
    np.testing.assert_allclose(BEARINGS[name].load(d)[1:3], wanted[1:3], rtol=1e-8)
    if name == "tapered":
        # one line of contact per roller passes the apex: its moments follow the forces, so that tilts stay held
        wanted = np.array([6e3, 8e3, -3e3, 0, 0, 0])
        d = BEARINGS[name].under_load(wanted, (0, 1, 2))
        np.testing.assert_allclose(BEARINGS[name].load(d)[:3], wanted[:3], rtol=1e-6)
    if name == "angular":
        wanted = np.array([6e3, 8e3, -3e3, 0, 50.0, -20.0])
        d = BEARINGS[name].under_load(wanted, (0, 1, 2, 4, 5))
        np.testing.assert_allclose(BEARINGS[name].load(d), wanted, rtol=1e-6, atol=1e-4)


def test_line_constant_of_the_standard():
    # L_we 138 mm: 35948 * 138^(8/9) = 2.869e6 N/mm^(10/9)
    assert line_constant(0.138) == pytest.approx(35948 * 138 ** (8 / 9) * 1000 ** (10 / 9), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: RollingBearing(1, 0.1, 1e8), "at least two"),
        (lambda: RollingBearing(9, -0.1, 1e8), "pitch_radius"),
        (lambda: RollingBearing(9, 0.1, 1e8, profile=1e-6), "needs slices"),
        (lambda: RollingBearing(9, 0.1, 1e8).load([0, 1]), "six finite numbers"),
        (lambda: RollingBearing(9, 0.1, 1e8).under_load([1e3, 1, 0, 0, 0, 0]), "held at zero"),
        (lambda: RollingBearing(9, 0.1, 1e8).under_load([1e3, 1, 0, 0, 0, 0], (0, 1, 2)), "no displacement"),
    ],
)
def test_wrong_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
