"""Load factors of ISO 6336-1: against a printed example, numerical integration, algebra, and what a mirror image must keep."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from gearwright.geometry.gear import Gear
from gearwright.geometry.pair import GearPair
from gearwright.rating.iso6336_rating import RatingError
from gearwright.rating.load_factors import (
    MESH_LOAD,
    PLACES,
    DynamicFacts,
    MisalignmentFacts,
    PinionPlace,
    curing_crowning,
    deflection,
    disc_inertia,
    dynamic_factor,
    face_load_by_c,
    face_load_factor,
    helix_running_in,
    helix_slope_deviation,
    ideal_relief,
    mesh_load_factor,
    reduced_mass,
    transverse_factors,
)
from gearwright.stiffness.iso6336 import iso_stiffness

A20 = math.radians(20.0)


def pair(z1=20, z2=60, width=0.1, **more):
    return GearPair.closed(
        Gear(z1, 10e-3, A20, face_width=width, **more), Gear(z2, 10e-3, A20, face_width=width, **more)
    )


def test_inertia_of_a_disc_is_its_integral():
    """The sum of rho r^2 over thin rings, from the bore (over the root diameter, as d_m here) to the mean radius."""
    gear = pair().one
    outer = 0.5 * (gear.tip_radius + gear.root_radius)
    r = np.linspace(0.3 * outer, outer, 200_001)
    middle = 0.5 * (r[1:] + r[:-1])
    rings = float(np.sum(7830.0 * 2.0 * math.pi * middle**3 * np.diff(r)))
    assert disc_inertia(gear, 7830.0, 0.3) == pytest.approx(rings, rel=1e-8)


def test_reduced_mass_is_that_of_the_equations_of_motion():
    """Eigenvalue of sun and N equal planets on springs along their lines of action: ``omega^2 = k/m_red`` for one mesh's k."""
    one = pair(19, 17)
    n, k = 3, 1e9
    js, jp = (disc_inertia(g, 7830.0, 0.0) for g in (one.one, one.two))
    rs, rp = one.one.base_radius, one.two.base_radius
    mass = np.diag([js, *[jp] * n])
    rows = np.zeros((n, n + 1))
    rows[:, 0] = rs
    rows[:, 1:] = rp * np.eye(n)
    stiffness = k * rows.T @ rows
    largest = max(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real)
    facts = DynamicFacts(one, 1.0, 1e6, 6, layout="sun", meshes=n)
    assert k / reduced_mass(facts) == pytest.approx(largest, rel=1e-9)


def test_a_held_ring_leaves_the_planet_alone():
    planet = Gear(35, 10e-3, A20, shift=0.419, face_width=0.2)
    ring = Gear(91, 10e-3, A20, shift=-0.84, ring=True, face_width=0.2)
    found = DynamicFacts(GearPair(planet, ring, 0.284), 5.0, 5e5, 6, layout="held ring")
    assert reduced_mass(found) == pytest.approx(disc_inertia(planet, 7830.0, 0.0) / planet.base_radius**2)
    assert dynamic_factor(found).value > 1.0
    with pytest.raises(RatingError, match="ring that turns"):
        dynamic_factor(DynamicFacts(GearPair(planet, ring, 0.284), 5.0, 5e5, 6))


def test_the_order_of_the_wheels_does_not_matter():
    one = pair(23, 61)
    turned = GearPair(one.two, one.one, one.distance)
    a = dynamic_factor(DynamicFacts(one, 60.0, 3e5, 7))
    b = dynamic_factor(DynamicFacts(turned, 60.0 * 23 / 61, 3e5, 7))
    assert b.value == pytest.approx(a.value, rel=1e-12) and b.resonance_ratio == pytest.approx(a.resonance_ratio)


def test_ideal_relief_takes_the_relief_part_away():
    """C_a = w/c' is the deflection of one pair under the load."""
    one, unit = pair(), 4e5
    best = unit / iso_stiffness(one, load=unit).single
    assert ideal_relief(one, unit) == best
    found = dynamic_factor(DynamicFacts(one, 60.0, unit, 7, relief=best))
    assert found.relief_part == pytest.approx(0.0, abs=1e-12)
    assert found.value < dynamic_factor(DynamicFacts(one, 60.0, unit, 7)).value


def test_crowning_by_search():
    """The largest line load of a misaligned crowned face, least over the crowning, in N/mm and um: C = sqrt(3)/4 f."""
    x = np.linspace(-0.5, 0.5, 20_001)
    stiffness, unit, f = 20.0, 300.0, 8.0

    def factor(crown):
        gap = 4.0 * crown * x**2
        return float((unit + stiffness * (f * x - gap + gap.mean())).max() / unit)

    best = minimize_scalar(factor, bounds=(0.0, 20.0), method="bounded", options={"xatol": 1e-9})
    crown, left = curing_crowning(8e-6, 2e10, 3e5)
    assert 1e6 * crown == pytest.approx(best.x, rel=1e-3) and left == pytest.approx(best.fun, rel=1e-4)
    assert left < face_load_factor(8e-6, 2e10, 3e5)


@pytest.mark.parametrize("misalignment", [5e-6, 25e-6, 60e-6, 150e-6])
def test_face_load_is_that_of_springs_that_lift(misalignment):
    """A rigid face on springs that only push, tilted by f and pressed until they carry the load: largest over mean line load.

    Method C's ``1 + u`` and ``2 sqrt(u)`` are this, solved here by bisection in N/mm and um."""
    stiffness, unit = 20.0, 300.0  # N/(mm um), N/mm
    x = (np.arange(4000) + 0.5) / 4000 - 0.5
    low, high = -1e3, 1e3
    for _ in range(200):
        middle = 0.5 * (low + high)
        load = stiffness * np.maximum(middle + 1e6 * misalignment * x, 0.0)
        low, high = (middle, high) if load.mean() < unit else (low, middle)
    # the largest stands half a strip inside the end
    want = stiffness * (middle + 0.5e6 * misalignment) / unit
    assert face_load_factor(misalignment, 2e10, 3e5) == pytest.approx(want, rel=1e-3)


def test_method_c_in_the_units_of_the_standard():
    """N/mm and um: f_sh = F_m/b 0.023 (|1 + K' l s/d1^2 (d1/d_sh)^4 - 0.3| + 0.3)(b/d1)^2, F_betax = 1.33 f_sh + f_ma."""
    place = PinionPlace("a", span=0.8, offset=0.1, shaft=0.2)
    facts = MisalignmentFacts(400e3, 0.25, 0.22, 17e9, 12e-6, place=place)
    bent = 1.0 + 0.8 * 800.0 * 100.0 / 220.0**2 * (220.0 / 200.0) ** 4
    f_sh = 400.0 * 0.023 * (abs(bent - 0.3) + 0.3) * (250.0 / 220.0) ** 2
    f_bx = 1.33 * f_sh + 12.0
    f_by = f_bx - min(0.15 * f_bx, 6.0)
    x = f_by * 17.0 / (2.0 * 400.0)
    found = face_load_by_c(facts)
    assert 1e6 * found.deflection == pytest.approx(f_sh) and 1e6 * found.initial == pytest.approx(f_bx)
    assert found.value == pytest.approx(1.0 + x if x <= 1.0 else 2.0 * math.sqrt(x))


def test_modifications_and_patterns_of_method_c():
    plain = MisalignmentFacts(400e3, 0.25, 0.22, 17e9, 12e-6)
    f_sh = deflection(plain)
    crowned = MisalignmentFacts(400e3, 0.25, 0.22, 17e9, 12e-6, modification="crowned")
    assert deflection(crowned) == pytest.approx(f_sh * 12 / 23)
    assert face_load_by_c(crowned).initial == pytest.approx(1.33 * deflection(crowned) + 6e-6)
    proven = MisalignmentFacts(400e3, 0.25, 0.22, 17e9, 12e-6, proven_pattern=True)
    assert face_load_by_c(proven).initial == pytest.approx(abs(1.33 * f_sh - 12e-6))
    assert set(PLACES) == set("abcde") and all(abs(w) <= abs(o) for w, o in PLACES.values())
    with pytest.raises(RatingError, match="end_relief"):
        face_load_by_c(MisalignmentFacts(400e3, 0.25, 0.22, 17e9, 12e-6, modification="cambered"))


@pytest.mark.parametrize(
    ("treatment", "limit", "um", "want"),
    [
        ("case_hardened", 1500e6, 20.0, 3.0),
        ("case_hardened", 1500e6, 80.0, 6.0),
        ("nitrided", 1250e6, 20.0, 3.0),
        ("through_hardened", 740e6, 20.0, 20.0 * 320 / 740),
        ("cast_iron", 400e6, 20.0, 11.0),
    ],
)
def test_running_in_of_the_helix(treatment, limit, um, want):
    assert 1e6 * helix_running_in(1e-6 * um, limit, treatment) == pytest.approx(want)


def test_helix_slope_of_the_printed_example():
    """TR 6336-30, example 1 (grade 5, b 100 mm): f_ma 12.08 um is the hypotenuse of both wheels' f_Hbeta."""
    d = [8 * z / math.cos(math.radians(15.8)) / 1e3 for z in (17, 103)]
    assert 1e6 * math.hypot(*(helix_slope_deviation(x, 0.1, 5) for x in d)) == pytest.approx(12.08, abs=0.005)


def test_mesh_load_of_the_table():
    assert [mesh_load_factor(n) for n in (1, 2, 3, 7)] == [1.0, 1.0, 1.10, 1.47] and mesh_load_factor(8) is None
    assert list(MESH_LOAD.values()) == sorted(MESH_LOAD.values())


def test_the_root_has_its_own_limit():
    """eps_g/(0.25 eps_a + 0.75) for the root: 1/Y_eps of a spur pair; eps_g/(eps_a Z_eps^2) for the flank."""
    one = pair()
    found = transverse_factors(one, 1e3, 12)
    e = one.contact_ratio
    assert found.bending == pytest.approx(e / (0.25 * e + 0.75))
    assert found.contact == pytest.approx(1.0 / ((4.0 - e) / 3.0))
