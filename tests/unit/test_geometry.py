"""Involute geometry and mesh phase against published tables and closure conditions."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gearwright.geometry import (
    MeshTeeth,
    backlash_by_rule,
    base_pitch,
    base_radius,
    centre_distance,
    half_tooth_angle,
    inv,
    inverse_inv,
    overlap_ratio,
    path_of_contact,
    planetary_phases,
    relative_phase,
    shift_sum,
    tip_radius,
    transverse_angle,
    working_angle,
    working_angle_from_shifts,
)
from gearwright.geometry.tolerances import pitch_errors

DEG = math.pi / 180.0
A = 20.0 * DEG


@given(st.floats(1e-2, 1.5))
def test_inverse_involute(angle: float) -> None:
    assert inverse_inv(inv(angle)) == pytest.approx(angle, rel=1e-9)


def test_inverse_involute_ends() -> None:
    assert inverse_inv(0.0) == 0.0
    assert inverse_inv(0.014904383867) == pytest.approx(20 * DEG, rel=1e-9)  # inv 20 deg of any gear table
    with pytest.raises(ValueError, match="negative"):
        inverse_inv(-1e-3)


def test_500_kw_stage() -> None:
    """S0 table 5.1 and its recomputation: 20/35/91, module 10 mm, shifts 0.582, 0.419, -0.840."""
    m = 0.01
    sun, planet, ring = (base_radius(z, m, A) for z in (20, 35, 91))
    assert (1e3 * sun, 1e3 * planet, 1e3 * ring) == pytest.approx((93.9693, 164.4462, 427.5601), abs=1e-4)
    outer = working_angle_from_shifts((20, 35), (0.582, 0.419), A)
    inner = working_angle_from_shifts((35, 91), (0.419, -0.84), A, internal=True)
    assert (outer / DEG, inner / DEG) == pytest.approx((24.5089, 22.1128), abs=1e-4)
    assert 1e3 * centre_distance((sun, planet), outer) == pytest.approx(284.0053, abs=1e-4)
    assert 1e3 * centre_distance((planet, ring), inner, internal=True) == pytest.approx(284.0039, abs=1e-4)
    tips = [tip_radius(20, m, 0.582), tip_radius(35, m, 0.419), tip_radius(91, m, -0.84, ring=True)]
    assert [1e3 * t for t in tips] == pytest.approx([115.82, 189.19, 453.40], abs=1e-9)
    pitch = base_pitch(m, A)
    one = path_of_contact((sun, planet), (tips[0], tips[1]), outer, pitch)
    two = path_of_contact((planet, ring), (tips[1], tips[2]), inner, pitch, internal=True)
    for path, s_c, start, end, at_pitch, ratio in (
        (one, 117.8153, 24.272, 67.706, 42.842, 1.4713),
        (two, 106.9079, 43.969, 93.543, 66.817, 1.6793),
    ):
        assert 1e3 * path.s_c == pytest.approx(s_c, abs=1e-4)
        assert [1e3 * s for s in (path.start, path.end, path.pitch_point)] == pytest.approx(
            [start, end, at_pitch], abs=1e-3
        )
        assert path.contact_ratio == pytest.approx(ratio, abs=5e-5)
    assert 1e3 * (one.end - pitch) == pytest.approx(38.184, abs=1e-3)  # switches to one pair and back, T5.1
    assert 1e3 * (one.start + pitch) == pytest.approx(53.794, abs=1e-3)
    assert 1e3 * (two.end - pitch) == pytest.approx(64.022, abs=1e-3)
    assert 1e3 * (two.start + pitch) == pytest.approx(73.490, abs=1e-3)


@pytest.mark.parametrize(
    ("teeth", "m", "internal", "ratio"),
    [((21, 49), 4e-3, False, 1.6601), ((21, 36), 1e-2, False, 1.63079), ((36, 93), 1e-2, True, 1.93625)],
)
def test_contact_ratios_of_s0_p2(teeth: tuple[int, int], m: float, internal: bool, ratio: float) -> None:
    radii = (base_radius(teeth[0], m, A), base_radius(teeth[1], m, A))
    tips = (tip_radius(teeth[0], m), tip_radius(teeth[1], m, ring=internal))
    path = path_of_contact(radii, tips, A, base_pitch(m, A), internal)
    assert path.contact_ratio == pytest.approx(ratio, abs=6e-5)


@pytest.mark.parametrize(
    ("teeth", "m", "beta", "shifts", "shortening", "a", "tips", "angle", "ratio", "overlap", "b"),
    [
        ((19, 17), 45e-3, 0.0, (0.617, 0.802), -10.861e-3, 0.863, (978.84, 905.44), 28.118, 1.1147, 0.0, 0.491),
        ((18, 36), 21e-3, 0.0, (0.389, 0.504), -1.75e-3, 0.584, (432.85, 815.66), 24.170, 1.3704, 0.0, 0.550),
        ((24, 95), 14e-3, 10.0, (0.480, 0.669), -0.938e-3, 0.861, (380.75, 1395.37), 22.856, 1.4627, 1.4213, 0.360),
    ],
)
def test_5_mw_reference_gearbox(teeth, m, beta, shifts, shortening, a, tips, angle, ratio, overlap, b) -> None:
    """Nejad et al. 2016, tables as in the literature page section 3.2 (tips given as diameters in mm)."""
    beta *= DEG
    radii = tuple(base_radius(z, m, A, beta) for z in teeth)
    found = working_angle((radii[0], radii[1]), a)
    assert found / DEG == pytest.approx(angle, abs=6e-4)
    own = [tip_radius(z, m, x, beta, shortening=shortening) for z, x in zip(teeth, shifts, strict=True)]
    assert [2e3 * t for t in own] == pytest.approx(tips, abs=0.04)
    path = path_of_contact((radii[0], radii[1]), (own[0], own[1]), found, base_pitch(m, A, beta))
    assert path.contact_ratio == pytest.approx(ratio, abs=6e-4)
    assert overlap_ratio(b, beta, m) == pytest.approx(overlap, abs=1e-4)
    assert shift_sum(teeth, found, A, beta) == pytest.approx(sum(shifts), abs=2e-3)


@given(
    st.integers(12, 60),
    st.integers(61, 200),
    st.floats(-0.3, 0.8),
    st.floats(-0.3, 0.8),
    st.floats(0.0, 0.4),
    st.booleans(),
)
def test_shifts_and_working_angle_are_inverse(z1, z2, x1, x2, beta, internal) -> None:
    assume(inv(transverse_angle(A, beta)) + 2 * math.tan(A) * (x1 + x2) / ((z1 - z2) if internal else z1 + z2) > 1e-4)
    angle = working_angle_from_shifts((z1, z2), (x1, x2), A, beta, internal)
    assert shift_sum((z1, z2), angle, A, beta, internal) == pytest.approx(x1 + x2, abs=1e-9)
    radii = (base_radius(z1, 0.01, A, beta), base_radius(z2, 0.01, A, beta))
    assert working_angle(radii, centre_distance(radii, angle, internal), internal) == pytest.approx(angle, abs=1e-7)


def test_tooth_thickness_closes_the_profile_shift_equation() -> None:
    """A tooth of 1 facing a space of 2: s1 + s2 = s_c at the working angle of the shifts (S0 section 5.1)."""
    z, x = (23, 57), (0.31, 0.12)
    angle = working_angle_from_shifts(z, x, A)
    radii = [base_radius(n, 0.01, A) for n in z]
    s1 = radii[0] * (half_tooth_angle(z[0], x[0], A) + angle)
    s2 = radii[1] * (-math.pi / z[1] + half_tooth_angle(z[1], x[1], A) + angle)
    s_c = sum(radii) * math.tan(angle)
    pitch = base_pitch(0.01, A)
    assert ((s1 + s2 - s_c) / pitch + 0.5) % 1.0 - 0.5 == pytest.approx(0.0, abs=1e-10)


def _kinds(zs, zp, zr, xs, xp, m, outer, inner, sigma=-1, forward=1):
    radii = [base_radius(z, m, A) for z in (zs, zp, zr)]
    distance = centre_distance((radii[0], radii[1]), outer)
    inner = working_angle((radii[1], radii[2]), distance, internal=True) if inner is None else inner
    pitch = base_pitch(m, A)
    tips = [tip_radius(zs, m, xs), tip_radius(zp, m, xp), radii[2] * 1.061]
    one = path_of_contact((radii[0], radii[1]), (tips[0], tips[1]), outer, pitch)
    two = path_of_contact((radii[1], radii[2]), (tips[1], tips[2]), inner, pitch, internal=True)
    sun = MeshTeeth((zs, zp), xs, radii[0], outer, one, sigma, forward)
    ring = MeshTeeth((zp, zr), xp, radii[1], inner, two, -sigma, -forward)
    return sun, ring, radii


def test_phases_of_the_500_kw_stage() -> None:
    """Planets at 0, 1/3, 2/3 rising, ring 0.070 after sun (decisions, nordtank)."""
    outer = working_angle_from_shifts((20, 35), (0.582, 0.419), A)
    inner = working_angle_from_shifts((35, 91), (0.419, -0.84), A, internal=True)
    sun, ring, radii = _kinds(20, 35, 91, 0.582, 0.419, 0.01, outer, inner)
    two = path_of_contact(
        (radii[1], radii[2]), (0.18919, 0.4534), inner, base_pitch(0.01, A), internal=True
    )  # tips of the table
    ring = MeshTeeth((35, 91), 0.419, radii[1], inner, two, 1, -1)
    phases = planetary_phases(sun, ring, 0.419, [0.0, 2 * math.pi / 3, 4 * math.pi / 3], A)
    assert [p[0][0] for p in phases] == pytest.approx([0.0, 1 / 3, 2 / 3], abs=1e-9)
    assert [p[1][0] - p[0][0] for p in phases] == pytest.approx([0.070] * 3, abs=5e-4)


@given(
    st.integers(15, 40), st.integers(15, 50), st.floats(0.0, 0.6), st.floats(0.0, 0.6),
    st.lists(st.integers(0, 200), min_size=1, max_size=4), st.sampled_from([-1, 1]),
)  # fmt: skip
def test_all_planets_meet_the_same_ring(zs: int, zp: int, xs: float, xp: float, steps: list[int], sigma: int) -> None:
    """Through sun, planet and ring the contacts of every planet that can be assembled fix one and the same ring:
    the base angle of the ring's loaded flank, psi + sigma s_r / r_r, is equal modulo a tooth."""
    zr = zs + 2 * zp
    outer = working_angle_from_shifts((zs, zp), (xs, xp), A)
    sun, ring, radii = _kinds(zs, zp, zr, xs, xp, 0.01, outer, None, sigma, -sigma)
    angles = [0.0] + [2 * math.pi * k / (zs + zr) for k in steps]
    tooth = 2 * math.pi / zr
    starts = []
    for angle, (_, (phase, _)) in zip(angles, planetary_phases(sun, ring, xp, angles, A), strict=True):
        rising = ring.sigma * ring.forward > 0
        distance = phase * ring.path.base_pitch
        s = ring.path.start + distance if rising else ring.path.end - distance
        starts.append((angle + ring.sigma * (s + ring.path.s_c) / radii[2]) / tooth)
    for other in starts[1:]:
        assert (other - starts[0] + 0.5) % 1.0 - 0.5 == pytest.approx(0.0, abs=1e-7)


@given(st.integers(15, 40), st.integers(15, 50), st.integers(1, 5))
def test_relative_phases_need_tooth_numbers_only(zs: int, zp: int, steps: int) -> None:
    zr = zs + 2 * zp
    sun, ring, _ = _kinds(zs, zp, zr, 0.0, 0.0, 0.01, A, None)
    angles = [0.0, 2 * math.pi * steps / (zs + zr)]
    (s0, r0), (s1, r1) = planetary_phases(sun, ring, 0.0, angles, A)
    for z, first, second, forward in ((zs, s0, s1, 1), (zr, r0, r1, -1)):
        for flank in (0, 1):
            expected = relative_phase(z, angles[1], forward)
            assert (second[flank] - first[flank] - expected + 0.5) % 1.0 - 0.5 == pytest.approx(0.0, abs=1e-7)


def test_pairs_that_cannot_mesh() -> None:
    with pytest.raises(ValueError, match="less than the centre distance"):
        working_angle((0.1, 0.2), 0.29)
    with pytest.raises(ValueError, match="inside its base circle"):
        path_of_contact((0.1, 0.2), (0.09, 0.22), A, 0.02)
    with pytest.raises(ValueError, match="does not go around a wheel of 20"):
        working_angle_from_shifts((20, 20), (0.0, 0.0), A, internal=True)


@pytest.mark.parametrize(
    ("module", "distance", "printed"),
    [
        (3.0, 100.0, 0.14),
        (5.0, 200.0, 0.21),
        (8.0, 400.0, 0.34),
        (8.0, 800.0, 0.47),
        (12.0, 800.0, 0.55),
        (18.0, 400.0, 0.54),
        (18.0, 1600.0, 0.94),
    ],
)
def test_backlash_by_rule_is_the_table_of_the_standard(module: float, distance: float, printed: float) -> None:
    """ISO/TR 10064-2, table of least backlash by module and centre distance, printed in mm and rounded up to 0.01 mm."""
    by_rule = 1e3 * backlash_by_rule(1e-3 * distance, 1e-3 * module)
    assert printed - 0.01 < by_rule <= printed
    assert backlash_by_rule(-1e-3 * distance, 1e-3 * module) == pytest.approx(
        1e-3 * by_rule
    )  # a ring's distance has a sign


def test_backlash_by_rule_needs_a_module() -> None:
    with pytest.raises(ValueError, match="module above 0"):
        backlash_by_rule(0.1, 0.0)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(12, 140), st.floats(1e-3, 50e-3), st.integers(4, 9), st.integers(0, 10**6)
)  # fmt: skip
def test_made_pitch_errors_keep_their_grade(count: int, module: float, grade: int, seed: int) -> None:
    """No pitch beyond f_pT, no range beyond F_pT (ISO 1328-1:2013, written out here), their mean zero, the same at every call."""
    d = count * module
    step = 1e-6 * math.sqrt(2.0) ** (grade - 5)
    single = (1.0 * d + 400.0 * module + 5.0) * step
    total = (2.0 * d + 0.55 * math.sqrt(1e3 * d) + 700.0 * module + 12.0) * step
    made = pitch_errors(count, d, module, grade, f"{seed}")
    assert (
        made
        == pitch_errors(count, d, module, grade, f"{seed}")
        != pitch_errors(count, d, module, grade, f"{seed} other")
    )
    assert max(abs(a - b) for a, b in zip(made, [made[-1], *made[:-1]], strict=True)) <= single * (1 + 1e-9)
    assert max(made) - min(made) <= total * (1 + 1e-9)
    assert abs(sum(made)) <= 1e-9 * total * count
