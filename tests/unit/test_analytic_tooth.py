"""The tooth by formulas (Weber, Banaschek; NASA TM 89877) against closed forms of a prismatic tooth."""

import math

import numpy as np
import pytest

from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.outline import HalfTooth
from gearwright.stiffness.analytic import compliance
from gearwright.stiffness.hertz import depth_to_middle, local_compliance

STEEL = Steel(206e9, 0.3)


@pytest.mark.parametrize("part", [0.3, 0.7, 0.98])
@pytest.mark.parametrize("angle", [15.0, 25.0])
def test_a_prismatic_tooth_gives_way_as_a_bar_does(part, angle):
    """A bar of height L and thickness h under a unit force at the angle t to its normal: bending
    4/E' int (d cos t - h sin(t)/2)^2 / h^3 (times 3), shear 2.4/(1 - nu) cos^2 t L/h and the pull sin^2 t L/h along it, over
    E/(1 - nu^2); the rest is the foot's half plane and the flank, as the paper has them."""
    gear = Gear(30, 5e-3, math.radians(angle))
    s = gear.tip_arc * part + (1.0 - part) * gear.arc(gear.reference_radius)
    r = gear.radius(s)
    psi, alpha = gear.half_angle(r), math.atan(s / gear.base_radius)
    t, h = alpha - psi, 2.0 * r * math.sin(psi)
    top, long = r * math.cos(psi), 9e-3
    y = np.linspace(top - long, top + 1e-3, 4001)
    bar = HalfTooth(np.hypot(0.5 * h, y), np.arctan2(0.5 * h, y), 0, False)
    c, n = math.cos(t), math.sin(t)
    bend = 12.0 / h**3 * (c**2 * long**3 / 3.0 - 0.5 * c * n * h * long**2 + 0.25 * n**2 * h**2 * long)
    beam = STEEL.plane * (bend + (2.4 / 0.7 * c**2 + n**2) * long / h)
    q = (long - 0.5 * h * math.tan(t)) / h
    foot = STEEL.plane * c**2 * (5.306 * q**2 + 2.0 * 0.4 / 0.7 * q + 1.534 * (1.0 + 0.4167 * math.tan(t) ** 2 / 1.3))
    flank = float(local_compliance(STEEL, depth_to_middle(gear, s), 5e-5))
    assert compliance(gear, STEEL, s, 5e-5, bar) == pytest.approx(beam + foot + flank, rel=2e-4)


def test_a_rim_turns_as_a_disc_in_shear():
    """A unit force at the base circle twists the ring between root circle and bore: r_b^2/(4 pi G) (1/r_i^2 - 1/r_o^2); the foot
    of a thick rim is 1.25 of the half plane's."""
    plain = Gear(30, 5e-3, material=STEEL)
    thick = Gear(30, 5e-3, material=STEEL, rim=1e-3)
    thin = Gear(30, 5e-3, material=STEEL, rim=0.9 * plain.root_radius)
    s = plain.arc(plain.reference_radius)
    rb, ro, g = plain.base_radius, plain.root_radius, 206e9 / 2.6
    twist = [rb**2 / (4 * math.pi * g) * (1 / w.rim**2 - 1 / ro**2) for w in (thick, thin)]
    bare, deep, shallow = (compliance(w, STEEL, s, 5e-5) for w in (plain, thick, thin))
    ground = (deep - twist[0] - bare) / 0.25  # 1.25 - 1 of the half plane's foot
    foot = 2.0 * half_foot(plain)
    held = 1.25 * -math.expm1(-1.15 * 0.1 * ro / foot)
    assert shallow - twist[1] - bare == pytest.approx((held - 1.0) * ground, rel=1e-3)


def half_foot(gear):
    """Half thickness of the tooth at its root circle [m]."""
    from gearwright.geometry.outline import half_tooth

    return float(half_tooth(gear, flank=120, fillet=60).points[0][0])
