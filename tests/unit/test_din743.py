"""Shafts after DIN 743: limits that the formulas must have, beside the recomputed examinations of ``gearwright verify D``."""

import math
from dataclasses import replace

import pytest

from gearwright.rating.din743 import (
    CrossHole,
    Filleted,
    Measured,
    ShaftLoads,
    ShaftSteel,
    geometric_size,
    notch_size,
    shaft_safety,
    surface,
    technical_size,
)
from gearwright.rating.iso6336_rating import RatingError

CRMO = ShaftSteel(1100e6, 900e6)
PLAIN = Filleted(100e-3, radius=5e-3, depth=10e-3)


def test_the_circle_of_torsion_alone():
    """S_F of pure torsion is the yield point over sqrt(3) tau, 1.2 times for the plastic support of a solid shaft."""
    torque = 20e3
    s = shaft_safety(PLAIN, CRMO, ShaftLoads(torsion=(torque, 0.0, torque)), treated=0.12)
    tau = 16.0 * torque / (math.pi * 0.1**3)
    assert s.yielding == pytest.approx(1.2 * technical_size("heat_treated", 0.12, False) * 900e6 / math.sqrt(3) / tau)
    assert math.isinf(s.fatigue)


def test_fatigue_without_a_mean_is_strength_over_amplitude():
    moment = 5e3
    s = shaft_safety(PLAIN, CRMO, ShaftLoads(bending=(0.0, moment, moment)), treated=0.12)
    amplitude = 32.0 * moment / (math.pi * 0.1**3)
    strength = 0.5 * technical_size("heat_treated", 0.12, True) * 1100e6
    assert s.fatigue == pytest.approx(strength / s.total[1] / amplitude)
    both = [
        shaft_safety(PLAIN, CRMO, ShaftLoads(bending=(0.0, moment, moment)), treated=0.12, constant_mean=c).fatigue
        for c in (True, False)
    ]
    assert both[0] == pytest.approx(both[1])


def test_a_hollow_shaft_has_its_own_section():
    hollow = replace(PLAIN, bore=60e-3)
    assert hollow.stresses(1e5, 1e3, 1e3)[0] == pytest.approx(1e5 / (math.pi / 4 * (0.1**2 - 0.06**2)))
    ratio = 1.0 - 0.6**4
    assert PLAIN.stresses(0, 1e3, 1e3)[1] / hollow.stresses(0, 1e3, 1e3)[1] == pytest.approx(ratio)
    # a circular section twists with twice its bending modulus
    _, bent, twisted = hollow.stresses(0, 1e3, 1e3)
    assert bent == pytest.approx(2 * twisted)


def test_shape_factors_reach_their_limits():
    """A hole that vanishes has Kirsch's 3 in tension; in bending too, and 2.023 in torsion. A blunt shoulder tends to 1."""
    hole = CrossHole(50e-3, radius=1e-9)
    part_factors = hole.stresses(1.0, 1.0, 1.0)
    assert part_factors[0] == pytest.approx(4 / (math.pi * 0.05**2), rel=1e-6)
    blunt, sharp = (Filleted(100e-3, radius=r, depth=10e-3).shape_factors() for r in (20e-3, 1e-3))
    assert all(1.0 < b < s for b, s in zip(blunt, sharp, strict=True))
    with pytest.raises(RatingError, match=r"r/t"):
        Filleted(100e-3, radius=0.1e-3, depth=10e-3).shape_factors()


@pytest.mark.parametrize(
    ("kind", "tensile", "small", "large", "at"),
    [
        ("nitrided", True, 100, 0.89, 300),
        ("structural", True, 100, 0.89, 300),
        ("structural", False, 32, 0.75, 300),
        ("case_hardened_crnimo", True, 16, 0.67, 300),
        ("case_hardened_crnimo", False, 16, 0.67, 300),
        ("case_hardened", True, 16, 0.60, 150),
        ("heat_treated", True, 16, 0.67, 300),
        ("heat_treated", False, 16, 0.57, 300),
    ],
)
def test_size_factors_join_their_pieces(kind, tensile, small, large, at):
    """K_1 is 1 up to the bar's diameter and, from 300 (150) mm on, the level that the sloping piece reaches there to 2 %."""
    assert technical_size(kind, 1e-3 * small, tensile) == 1.0
    assert technical_size(kind, 0.5, tensile) == large
    assert technical_size(kind, 1e-3 * at, tensile) == pytest.approx(large, rel=0.02)


def test_other_factors():
    assert geometric_size(7.5e-3) == 1.0 and geometric_size(0.15) == pytest.approx(0.8) and geometric_size(0.5) == 0.8
    assert notch_size(0.3, 2.0) == pytest.approx(1 - 0.2 * math.log10(2.0)) and notch_size(7.5e-3, 3.0) == 1.0
    assert surface(1e-6, 1000e6) == 1.0 and surface(20e-6, 1000e6) < surface(5e-6, 1000e6) < 1.0


def test_measured_notches_at_their_test_bars():
    """At 40 mm the factors are the measured ones: key 3 (sigma_B/1000)^0.38, press fit 2.7 (sigma_B/1000)^0.43, toothed shafts by
    beta* = exp(4.2e-7 sigma_B^2)."""
    from gearwright.rating.din743 import Part

    part = Part(1000e6, 800e6, 10e-6)
    star = math.exp(0.42)
    for kind, bending, torsion in (
        ("key", 3.0, 1.78),
        ("keys", 3.45, 2.047),
        ("press_fit", 2.7, 1.755),
        ("spline", 1 + 0.45 * (star - 1), star),
        ("serration", 1 + 0.65 * (star - 1), star),
        ("involute_spline", 1 + 0.49 * (star - 1), 1 + 0.75 * (star - 1)),
    ):
        found = Measured(40e-3, kind=kind).factors(part)
        assert (found.bending, found.torsion) == pytest.approx((bending, torsion)), kind
    with pytest.raises(RatingError, match="press_fit"):
        Measured(40e-3, kind="weld").factors(part)
    with pytest.raises(RatingError, match="heat_treated"):
        ShaftSteel(1e9, 8e8, "steel")


def test_yield_of_a_hollow_or_hard_shaft():
    loads = ShaftLoads(bending=(1e3, 0.0, 1e3))
    solid, hollow, hard = (
        shaft_safety(PLAIN, CRMO, loads, treated=0.12, **more).flow[1]
        for more in ({}, {"hollow": True}, {"hard_layer": True})
    )
    gamma = 1.05  # a shoulder with 1.5 <= alpha_b < 2
    assert 1.5 <= PLAIN.shape_factors()[1] < 2.0
    assert (solid / hard, hollow / hard) == pytest.approx((1.2 * gamma, 1.1 * gamma))
