"""Bearing life and line-contact stress against hand calculations and the continuity the standard is built on."""

import math

import numpy as np
import pytest

from gearwright.bearings import contact_stress, iso281


def test_life_of_the_planet_bearing_of_s1():
    # 31.46 rpm; (C/P)^(10/3) 1e6/(60 n) by hand
    speed = 31.46 * math.pi / 30
    by_hand = 1e6 / (60 * 31.46) * (1980 / 633) ** (10 / 3)
    assert iso281.basic_life_hours(1980e3, 633e3, speed) == pytest.approx(by_hand, rel=1e-12)
    assert iso281.load_for_life(1980e3, by_hand, speed) == pytest.approx(633e3, rel=1e-12)


def test_no_load_and_no_speed_live_for_ever():
    assert iso281.basic_life_hours(1e5, 0.0, 10.0) == math.inf
    assert iso281.basic_life_hours(1e5, 1e4, 0.0) == math.inf
    assert iso281.static_safety(1e5, 0.0) == math.inf


def test_life_of_bins_is_that_of_palmgren_and_miner():
    loads, speeds, durations = [1e4, 3e4, 2e4], [10.0, 5.0, 20.0], [1.0, 2.0, 7.0]
    shares = np.array(durations) / 10.0
    damage = sum(s / iso281.basic_life_hours(2e5, p, w) for s, p, w in zip(shares, loads, speeds, strict=True))
    bins = iso281.LoadBins.of(loads, speeds, durations)
    assert bins.life_hours(2e5) == pytest.approx(1 / damage, rel=1e-12)
    assert bins.mean_speed == pytest.approx(16.0)


@pytest.mark.parametrize("contact", ["ball", "roller"])
@pytest.mark.parametrize("kappa", [0.4, 1.0])
def test_modification_is_continuous_between_the_branches(contact, kappa):
    # the printed constants have five digits: the branches meet to about 1e-3 of a_ISO
    below, above = (iso281.life_modification(kappa * (1 + e), 0.5, 1e4, 1e5, contact) for e in (-1e-9, 1e-9))
    assert below == pytest.approx(above, rel=1e-3)


def test_modification_by_hand_and_its_limits():
    # roller, kappa 1: 0.1 (1 - 0.3511 * 0.05^0.4)^-9.185
    by_hand = 0.1 * (1 - 0.3511 * 0.05**0.4) ** -9.185
    assert iso281.life_modification(1.0, 0.5, 1e4, 1e5) == pytest.approx(by_hand, rel=1e-12)
    # ball, kappa 2
    by_hand = 0.1 * (1 - (2.5671 - 1.9987 / 2**0.071739) ** 0.83 * 0.05 ** (1 / 3)) ** -9.3
    assert iso281.life_modification(2.0, 0.5, 1e4, 1e5, "ball") == pytest.approx(by_hand, rel=1e-12)
    assert iso281.life_modification(9.0, 1.0, 2e5, 1e5) == 50.0
    assert iso281.life_modification(4.0, 0.0, 1e4, 1e5) == pytest.approx(0.1)


def test_reference_viscosity_nearly_meets_at_1000_rpm():
    # 45000 * 1000^-0.83 = 145.6 against 4500 * 1000^-0.5 = 142.3
    at = 1000 * math.pi / 30
    assert iso281.reference_viscosity(at * (1 - 1e-9), 0.1) == pytest.approx(14.56, rel=1e-3)
    assert iso281.reference_viscosity(at * (1 + 1e-9), 0.1) == pytest.approx(14.23, rel=1e-3)


def test_modified_life_is_the_product_of_its_factors():
    kappa = 40 / iso281.reference_viscosity(10.0, 0.31)
    factor = iso281.life_modification(kappa, 0.6, 2e5, 4e5)
    got = iso281.modified_life_hours(1980e3, 4e5, 10.0, viscosity=40, pitch_diameter=0.31, contamination=0.6,
                                     fatigue_limit=2e5, reliability=0.99)  # fmt: skip
    assert got == pytest.approx(0.25 * factor * iso281.basic_life_hours(1980e3, 4e5, 10.0), rel=1e-12)


def test_line_pressure_agrees_with_hertz():
    bearing = contact_stress.LineContact(25, 37.5e-3, 138e-3, 310e-3)
    q = bearing.roller_load(1e6) / 138e-3
    # Hertz: p = sqrt(q E' / (2 pi R)), E' = E / (1 - nu^2), two equal bodies of 206 GPa; the standard rounds up 0.6 %
    hertz = math.sqrt(q * 206e9 / (1 - 0.3**2) / (2 * math.pi) * bearing.curvature_sum)
    assert bearing.line_pressure(1e6) == pytest.approx(hertz, rel=7e-3)
    assert bearing.largest_pressure(4e6) == pytest.approx(2 * bearing.largest_pressure(1e6), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: iso281.basic_life(0.0, 1.0), "dynamic load rating must be positive"),
        (lambda: iso281.basic_life(1.0, 1.0, "needle"), "allowed are ball, roller"),
        (lambda: iso281.reliability_factor(0.999), "covers 0.9 to 0.99"),
        (lambda: iso281.life_modification(0.05, 0.5, 1.0, 1.0), "0.1 and above"),
        (lambda: iso281.life_modification(1.0, 1.5, 1.0, 1.0), "between 0 and 1"),
        (lambda: iso281.LoadBins.of([1, 2], [1, 2, 3]), "differ in number"),
        (lambda: iso281.LoadBins.of([1.0], [1.0], [-1.0]), "must not be negative"),
        (lambda: contact_stress.LineContact(0, 0.03, 0.1, 0.3), "rollers must be positive"),
        (lambda: contact_stress.LineContact(20, 0.3, 0.1, 0.3), "larger than roller_diameter"),
    ],
)
def test_wrong_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
