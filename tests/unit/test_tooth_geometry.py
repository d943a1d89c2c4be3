"""Tooth outline against the rack itself (brute force), printed circles and closed forms."""

import math

import numpy as np
import pytest

from gearwright.geometry.gear import Gear, GeometryError
from gearwright.geometry.outline import half_tooth, outline


def cut_by_brute_force(gear, points):
    """Deepest the tool goes into points (2, n) over all its positions [m]; zero on a true outline, less inside.

    The rack's own shape in the transverse section: straight flank, elliptic rounding, flat tip; a point is moved
    into the rack's frame for many rolling angles.
    """
    m, a, c = gear.transverse_module, gear.pressure_angle, math.cos(gear.helix_angle)
    flat = 0.25 * math.pi - gear.straight * math.tan(a) - gear.rounding * math.cos(a)
    centre = gear.dedendum - gear.rounding
    deepest = np.full(points.shape[1], -np.inf)
    for theta in np.linspace(-0.9, 0.9, 7201):
        x = (np.cos(theta) * points[0] + np.sin(theta) * points[1]) / m + 0.5 * gear.teeth * theta
        y = (-np.sin(theta) * points[0] + np.cos(theta) * points[1]) / m + 0.5 * gear.teeth
        g = y / c + gear.cut_shift  # height in the normal section
        width = 0.25 * math.pi - g * math.tan(a)
        high = g > gear.straight
        if gear.rounding > 0:
            up = np.clip((g - centre) / gear.rounding, -1.0, 1.0)
            width = np.where(high, flat + gear.rounding * np.sqrt(1.0 - up**2), width)
        inside = width - np.abs(x)
        deepest = np.maximum(deepest, np.minimum(inside, gear.dedendum - g) * m)
    return deepest


@pytest.mark.parametrize(
    "facts",
    [
        {"teeth": 21, "module": 4e-3},
        {"teeth": 20, "module": 10e-3, "shift": 0.582},
        {"teeth": 21, "module": 4e-3, "tool_tip": "full"},
        {"teeth": 24, "module": 14e-3, "shift": 0.48, "helix_angle": math.radians(10.0)},
        {"teeth": 10, "module": 4e-3},
    ],
)
def test_the_rack_touches_the_outline_and_does_not_cut_it(facts):
    gear = Gear(**facts)
    half = half_tooth(gear)
    space = math.pi / gear.teeth - half.angle  # from the middle of the space, which the rack faces on -y
    points = np.array([half.radius * np.sin(space), -half.radius * np.cos(space)])
    depth = cut_by_brute_force(gear, points)
    assert depth.max() < 1e-6 * gear.module
    assert depth.min() > -3e-3 * gear.module
    assert half.undercut == (facts["teeth"] == 10)


def test_standard_rounding_and_start_of_the_involute():
    assert Gear(21, 4e-3).rounding == pytest.approx(0.25 / (1.0 - math.sin(math.radians(20.0))))
    # S0 digest 5: the true involute of the 500 kW planet begins at s = 42.87 mm, that of P2's planet at 32.33 mm
    assert 1e3 * Gear(35, 10e-3, shift=0.419).form_arc == pytest.approx(42.87, abs=0.02)
    assert 1e3 * Gear(36, 10e-3).form_arc == pytest.approx(32.33, abs=0.01)


def test_circles_of_the_5_mw_gearbox():
    """Nejad 2016, Table V: reference, base, tip and root diameters [mm]; shifts are printed to three digits."""
    sun = Gear(19, 45e-3, shift=0.617, shortening=-10.861e-3)
    ring = Gear(93, 21e-3, shift=0.117, ring=True)
    assert 2e3 * sun.reference_radius == pytest.approx(855.0, abs=1e-9)
    assert 2e3 * sun.base_radius == pytest.approx(803.437, abs=5e-4)
    assert 2e3 * sun.tip_radius == pytest.approx(978.84, abs=2 * 45 * 5e-4)
    assert 2e3 * sun.root_radius == pytest.approx(798.06, abs=2 * 45 * 5e-4)
    assert 2e3 * ring.tip_radius == pytest.approx(1906.07, abs=2 * 21 * 5e-4)
    assert 2e3 * ring.root_radius == pytest.approx(2000.57, abs=2 * 21 * 5e-4)


def test_ring_fillet_is_tangent_to_root_and_flank():
    ring = Gear(91, 10e-3, shift=-0.84, ring=True)
    half = half_tooth(ring, flank=400, fillet=200)
    x, y = half.points
    i = half.join
    before = math.atan2(y[i] - y[i - 1], x[i] - x[i - 1])
    after = math.atan2(y[i + 1] - y[i], x[i + 1] - x[i])
    assert abs(math.remainder(after - before, 2.0 * math.pi)) < 0.02
    assert half.radius[0] == pytest.approx(ring.root_radius, rel=1e-12)
    assert np.all(np.diff(half.radius) < 0.0)


def test_a_pointed_tooth_is_refused_with_its_cure():
    with pytest.raises(GeometryError, match=r"pointed .* a tip diameter of [\d.]+ mm leaves 0.2 modules"):
        half_tooth(Gear(12, 5e-3, shift=1.2))


def test_the_outline_closes_over_all_teeth():
    gear = Gear(21, 4e-3)
    x, y = outline(gear)
    turned = np.unwrap(np.arctan2(x, y))
    assert turned[-1] - turned[0] == pytest.approx(2.0 * math.pi, abs=2.0 * math.pi / 21 * 0.3)
    radius = np.hypot(x, y)
    assert radius.max() == pytest.approx(gear.tip_radius)
    assert radius.min() == pytest.approx(gear.root_radius)
