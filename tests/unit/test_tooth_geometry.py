"""Tooth outline against the rack itself (brute force), printed circles and closed forms."""

import dataclasses
import math
import re
from pathlib import Path

import numpy as np
import pytest

from gearwright.geometry.export import write_outline
from gearwright.geometry.gear import Gear, GeometryError
from gearwright.geometry.outline import half_tooth, outline
from gearwright.geometry.pair import GearPair
from gearwright.stiffness.fe import loaded_tooth
from gearwright.stiffness.tooth import flank_arcs, tooth_stiffness
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.teeth import sound_pair, tooth_pair

DATA = Path(__file__).parents[1] / "data"


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
        # C11: undercut by little and by much, sharp and full tool tips, a helix
        *({"teeth": z, "module": 3e-3} for z in (8, 12, 16, 17)),
        {"teeth": 14, "module": 3e-3, "tool_tip": 0.0},
        {"teeth": 12, "module": 3e-3, "tool_tip": "full"},
        {"teeth": 13, "module": 3e-3, "helix_angle": math.radians(12.0)},
        {"teeth": 16, "module": 3e-3, "thickness_allowance": -60e-6},
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
    # a rack undercuts below 2 h / sin^2 teeth, h being the height of its straight flank less the shift (17.1 at 20 deg)
    lead = 0.5 * gear.teeth / math.cos(gear.helix_angle) * math.sin(gear.transverse_angle) ** 2
    assert half.undercut == (lead < gear.straight - gear.cut_shift)


def test_undercut_begins_where_the_tool_says_and_grows_from_nothing():
    """C11: at the limiting shift there is none; just below, the involute begins at its base circle, not nowhere."""
    limit = Gear(12, 3e-3).minimum_shift
    assert not Gear(12, 3e-3, shift=limit + 1e-9).undercut
    arcs = []
    for short in (1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9):
        gear = Gear(12, 3e-3, shift=limit - short)
        assert half_tooth(gear).undercut and gear.form_arc >= 0.0
        arcs.append(gear.form_arc)
    assert arcs == sorted(arcs, reverse=True) and arcs[-1] < 1e-5


def test_a_path_of_contact_begins_at_the_undercut_that_is_drawn():
    """C12: pinion of 12 with 52 teeth, module 3, no shift. Form diameter and contact ratio of the faults page:
    (12.446 - 1.158) / (3 pi cos 20 deg), from the tip of the pinion to its form circle."""
    pair = GearPair.closed(Gear(12, 3e-3), Gear(52, 3e-3))
    assert 1e3 * pair.one.radius(pair.one.form_arc) == pytest.approx(16.9540, abs=1e-4)
    assert pair.contact_ratio == pytest.approx(1.275, abs=5e-4)
    half = half_tooth(pair.one)
    assert half.radius[half.join] == pytest.approx(16.9540e-3, abs=1e-7)
    # turned around, the wheel's mate is undercut
    back = GearPair.closed(Gear(52, 3e-3), Gear(12, 3e-3))
    assert back.contact_ratio == pytest.approx(pair.contact_ratio, rel=1e-12)


def test_a_planet_is_undercut_in_both_its_meshes():
    sun, planet, ring = Gear(40, 3e-3), Gear(12, 3e-3), Gear(64, 3e-3, ring=True)
    outer, inner = GearPair.closed(sun, planet), GearPair.closed(planet, ring)
    begin = planet.arc(16.9540e-3)
    assert outer.mate_arc(outer.path.end) == pytest.approx(begin, abs=2e-6)
    assert inner.path.start >= begin - 2e-6


def test_a_tooth_that_is_cut_off_is_refused():
    with pytest.raises(GeometryError, match="cuts the whole tooth off"):
        half_tooth(Gear(2, 3e-3))


@pytest.mark.parametrize("teeth", [12, 16, 17])
def test_the_textbook_pinion_is_no_impossible_gear(teeth):
    """C11: undercut is warned of; elements compute the tooth up to where the involute that is left begins."""
    train = expand(load(DATA / "pinion-17.yaml", [f"stages.0.pinion.teeth={teeth}"]))
    mesh = train.meshes["pair.mesh"]
    pair = sound_pair(mesh)
    assert [c.level for c in pair.checks() if c.what == "undercut"] == ["warning"]
    assert mesh.contact_ratio == pytest.approx(pair.contact_ratio, rel=1e-12)
    assert mesh.path.start == pytest.approx(pair.path.start, abs=1e-12)
    pinion = next(g for g in (pair.one, pair.two) if g.teeth == teeth)
    arcs = flank_arcs(pinion)
    assert arcs[0] > pinion.form_arc
    compliance = tooth_stiffness(pinion, "analytic", 3e-5).compliance(arcs)
    assert compliance[-1] > 1.4 * compliance[0]  # a tooth gives way more towards its tip
    loaded = loaded_tooth(pinion, arcs[0], 6e-5, fine=0.5)
    assert loaded.compliance == pytest.approx(
        float(tooth_stiffness(pinion, "analytic", 6e-5).compliance(arcs[0])),
        rel=0.25,  # formulas against elements
    )


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


# --- pairs ---------------------------------------------------------------------------------------------------------

A20 = math.radians(20.0)


def p2_pair(z1, z2, module, ring=False):
    """Unshifted gears without a ring's dedendum conflict: P2's pairs."""
    return GearPair.closed(Gear(z1, module, name="one"), Gear(z2, module, ring=ring, name="two"))


def test_p2_pair_with_the_corrected_values():
    """S0 digest 5: 21/49, M 4: s_c 47.8828, path 4.0256..23.6294, contact ratio 1.6601, one pair 11.8209..15.8341."""
    pair = p2_pair(21, 49, 4e-3)
    assert 1e3 * pair.path.s_c == pytest.approx(47.8828, abs=5e-5)
    assert 1e3 * pair.path.start == pytest.approx(4.0256, abs=5e-5)
    assert 1e3 * pair.path.end == pytest.approx(23.6294, abs=5e-5)
    assert pair.contact_ratio == pytest.approx(1.6601, abs=5e-5)
    single = next(r for r in pair.regions if r[2] == 1)
    assert [1e3 * x for x in single[:2]] == pytest.approx([11.8209, 15.8341], abs=5e-5)


def test_p2_planetary_and_the_ring_tip_on_the_planets_fillet():
    """21/36/93, M 10: 10.9305..59.0735 (1.63079) and 29.3845..86.5452 (1.93625); the involute begins at 32.33."""
    outer, inner = p2_pair(21, 36, 10e-3), p2_pair(36, 93, 10e-3, ring=True)
    assert [1e3 * outer.path.start, 1e3 * outer.path.end] == pytest.approx([10.9305, 59.0735], abs=6e-5)
    assert [1e3 * inner.path.start, 1e3 * inner.path.end] == pytest.approx([29.3845, 86.5452], abs=6e-5)
    assert (outer.contact_ratio, inner.contact_ratio) == pytest.approx((1.63079, 1.93625), abs=6e-6)
    found = {c.what: c for c in inner.checks()}["interference with the fillet"]
    assert 1e3 * found.value == pytest.approx(29.3845 - 32.33, abs=0.006)
    diameter = float(re.search(r"tip diameter of ([\d.]+) mm", found.cure).group(1))
    cured = GearPair(inner.one, dataclasses.replace(inner.two, tip_given=0.5e-3 * diameter), inner.distance)
    assert cured.fillet_margins[0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("teeth", "module", "helix", "shifts", "short", "distance", "tips", "ratio", "overlap", "angle"),
    [
        ((19, 17), 45, 0, (0.617, 0.802), -10.861, 863, (978.84, 905.44), 1.1147, 0.0, 28.118),
        ((18, 36), 21, 0, (0.389, 0.504), -1.75, 584, (432.85, 815.66), 1.3704, 0.0, 24.170),
        ((24, 95), 14, 10, (0.480, 0.669), -0.938, 861, (380.75, 1395.37), 1.4627, 1.4213, 22.856),
    ],
)
def test_pairs_of_the_5_mw_gearbox(teeth, module, helix, shifts, short, distance, tips, ratio, overlap, angle):
    """Nejad 2016, Table V. The printed contact ratios follow from the printed tip circles; the shortening gives the
    tips to the digits of the printed shifts (three)."""
    width = {45: 0.491, 21: 0.550, 14: 0.360}[module]
    one, two = (
        Gear(
            z,
            1e-3 * module,
            A20,
            math.radians(helix),
            x,
            face_width=width,
            shortening=1e-3 * short,
            tip_given=0.5e-3 * d,
        )
        for z, x, d in zip(teeth, shifts, tips, strict=True)
    )
    pair = GearPair(one, two, 1e-3 * distance)
    assert pair.contact_ratio == pytest.approx(ratio, abs=1.01e-4)
    assert pair.overlap_ratio == pytest.approx(overlap, abs=5.1e-5)
    assert math.degrees(pair.working_angle) == pytest.approx(angle, abs=6e-4)
    for gear, printed in zip((one, two), tips, strict=True):
        own = dataclasses.replace(gear, tip_given=None).tip_radius
        assert 2e3 * own == pytest.approx(printed, abs=2 * module * 5e-4 + 1e-9)


def test_backlash_from_thickness_and_from_distance():
    """First order: an allowance dt (normal, each) opens dt cos(a) per gear; a larger distance opens 2 dc sin(a_w)."""
    pair = p2_pair(21, 49, 4e-3)
    assert pair.backlash == pytest.approx(0.0, abs=1e-15)
    thin = GearPair(dataclasses.replace(pair.one, thickness_allowance=-40e-6), pair.two, pair.distance)
    assert thin.backlash == pytest.approx(40e-6 * math.cos(A20), rel=1e-9)
    wide = GearPair(pair.one, pair.two, pair.distance + 1e-6)
    assert wide.backlash == pytest.approx(2e-6 * math.sin(A20), rel=1e-3)
    ring = p2_pair(36, 93, 10e-3, ring=True)
    thin = GearPair(ring.one, dataclasses.replace(ring.two, thickness_allowance=-40e-6), ring.distance)
    assert thin.backlash == pytest.approx(40e-6 * math.cos(A20), rel=1e-9)


@pytest.mark.parametrize(
    ("one", "two", "distance", "what", "level"),
    [
        (Gear(9, 5e-3), Gear(60, 5e-3), None, "undercut", "warning"),
        (Gear(12, 5e-3, shift=0.7), Gear(60, 5e-3), None, "tip thickness", "warning"),
        (Gear(21, 4e-3, shift=0.5), Gear(49, 4e-3), 0.140, "backlash", "impossible"),
        (Gear(21, 4e-3, addendum=1.3, dedendum=1.25), Gear(49, 4e-3), None, "tip clearance", "impossible"),
        (Gear(21, 4e-3), Gear(49, 4e-3), 0.1445, "contact ratio", "impossible"),
        (Gear(30, 5e-3), Gear(36, 5e-3, ring=True), None, "trochoid interference", "impossible"),
        (Gear(20, 5e-3), Gear(60, 5e-3, ring=True), None, "involute interference", "warning"),
    ],
)
def test_checks_name_the_number_and_the_cure(one, two, distance, what, level):
    pair = GearPair.closed(one, two) if distance is None else GearPair(one, two, distance)
    found = {c.what: c for c in pair.checks()}
    assert found[what].level == level
    assert re.search(r"\d", str(found[what]))
    if level == "impossible":
        with pytest.raises(GeometryError, match=r"\d"):
            pair.refuse_impossible()


def test_trochoid_interference_against_moved_outlines():
    """Brute force: turn the planet's true outline inside the ring's and look for a tip inside the ring's metal."""
    for teeth, cuts in (((30, 36), True), ((20, 60), False)):
        pair = p2_pair(*teeth, 5e-3, ring=True)
        assert (pair.trochoid_margin < 0.0) == cuts
        tip = pair.one.tip_radius * np.array([math.sin(pair.one.half_angle(pair.one.tip_radius)), 0.0])
        tip[1] = math.sqrt(pair.one.tip_radius**2 - tip[0] ** 2)
        worst = -math.inf
        for turn in np.linspace(0.0, 1.6, 1600):  # the leading tip corner rolls out of the space it sat in
            c, s = math.cos(turn), math.sin(turn)
            x, y = c * tip[0] + s * tip[1], -s * tip[0] + c * tip[1] + pair.distance
            back = turn * teeth[0] / teeth[1]
            angle, radius = math.atan2(x, y) - back, math.hypot(x, y)
            if radius > pair.two.tip_radius:  # between the ring's teeth: the half angle of the space bounds it
                space = math.pi / teeth[1] - pair.two.half_angle(radius)
                worst = max(worst, abs(math.remainder(angle, 2.0 * math.pi / teeth[1])) - space)
        assert (worst > 1e-6) == cuts


def test_exports_close_and_agree(tmp_path):
    gear = Gear(21, 4e-3, rim=0.02)
    rows = np.loadtxt(write_outline(gear, tmp_path / "gear.csv"), delimiter=",", skiprows=1)
    dxf = write_outline(gear, tmp_path / "gear.dxf").read_text().split("\n")
    assert dxf.count("VERTEX") == len(rows)
    assert dxf.count("CIRCLE") == 3
    svg = write_outline(gear, tmp_path / "gear.svg").read_text()
    assert svg.count("L") == len(rows) - 1
    x, y = rows.T
    area = abs(0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1)))
    # between the discs of the root and tip circles, near the reference circle (thickness equals space there)
    assert math.pi * 37.0**2 < area < math.pi * 46.0**2
    with pytest.raises(GeometryError, match="dxf"):
        write_outline(gear, tmp_path / "gear.step")


def test_teeth_from_a_file():
    """The train's meshes carry their wheels; a planet's relief ends at the single contact of its own pair."""
    train = expand(load("nordtank-500kw", ["stages.0.planet.tip_relief.amount=20 um"]))
    pair = tooth_pair(train.meshes["stage1.sun_planet1"])
    assert pair.contact_ratio == pytest.approx(1.4713, abs=5e-4)
    planet = pair.two
    low = pair.path.end - pair.path.base_pitch
    assert planet.relief.start == pytest.approx(planet.radius(pair.mate_arc(low)))
    assert pair.modification(pair.path.start) == pytest.approx(20e-6)
    assert pair.modification(low + 1e-9) == 0.0
    inner = tooth_pair(train.meshes["stage1.ring_planet1"])
    assert inner.one.relief.start != pytest.approx(planet.relief.start, rel=1e-4)
    with pytest.raises(GeometryError, match="module, pressure_angle"):
        tooth_pair(expand(load("lin-parker-1999")).meshes["stage.sun_planet1"])


def test_thickness_allowance_becomes_the_backlash_of_the_mesh():
    """-40 um on both teeth open 80 cos(20 deg) um along the line of action; the file's centre distance is 5 um short
    of that of its shifts, which takes 2 dc sin(a_w) = 4.37 um. A backlash that is given wins."""
    edits = [f"stages.0.{w}.thickness_allowance=-40 um" for w in ("sun", "planet")]
    mesh = expand(load("nordtank-500kw", edits)).meshes["stage1.sun_planet1"]
    expected = 80e-6 * math.cos(A20) - 2.0 * (284.00526e-3 - 284e-3) * math.sin(math.radians(24.507))
    assert mesh.backlash == pytest.approx(expected, abs=0.02e-6)
    given = expand(load("nordtank-500kw", [*edits, "stages.0.meshes.sun_planet.backlash=0.1 mm"]))
    assert given.meshes["stage1.sun_planet1"].backlash == pytest.approx(1e-4)
    assert expand(load("nordtank-500kw")).meshes["stage1.sun_planet1"].backlash is None
