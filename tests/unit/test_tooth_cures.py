"""What a check says would cure a gear does cure it; a number in every message, and refusals where teeth are computed with."""

import dataclasses
import math
import re

import pytest
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.geometry import involute
from gearwright.geometry.gear import Gear, GeometryError
from gearwright.geometry.pair import GearPair

runner = CliRunner()


def finding(pair, what):
    return next((c for c in pair.checks() if c.what == what), None)


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def test_more_shift_cures_undercut():
    pair = GearPair.closed(Gear(9, 5e-3), Gear(60, 5e-3))
    found = finding(pair, "undercut")
    # 1 - z sin^2(alpha)/2 with a standard rack
    (shift,) = numbers(found.cure)
    assert shift == pytest.approx(1.0 - 9 * 0.116978 / 2.0, abs=1e-3)
    cured = GearPair.closed(Gear(9, 5e-3, shift=shift + 1e-3), Gear(60, 5e-3))
    assert finding(cured, "undercut") is None


@pytest.mark.parametrize("shift", [0.7, 1.1])
def test_a_thin_tip_is_cured_by_the_shift_or_diameter_it_names(shift):
    pair = GearPair.closed(Gear(12, 5e-3, shift=shift), Gear(60, 5e-3))
    found = finding(pair, "tip thickness")
    assert found.level == ("warning" if found.value > 0.0 else "impossible")
    assert f"{1e3 * found.value:.3g} mm" in found.message
    named = numbers(found.cure)
    assert named, found.cure
    # a number of it, taken as tip diameter [mm] or as shift, leaves a tip of at least a fifth of a module
    good = []
    for value in named:
        for change in ({"tip_given": value / 2e3}, {"shift": value}):
            try:
                gear = dataclasses.replace(pair.one, **change)
                good.append(gear.tip_thickness >= 0.199 * gear.module and gear.tip_radius > gear.base_radius)
            except (GeometryError, ValueError):
                continue
    assert any(good), found.cure


def test_the_allowance_that_frees_jammed_flanks():
    pair = GearPair(Gear(21, 4e-3), Gear(49, 4e-3), 0.13995)
    found = finding(pair, "backlash")
    assert found.level == "warning" and "139.95 mm" in found.message
    allowance = 1e-6 * numbers(found.cure)[3]  # behind both sums of shifts and the distance
    freed = GearPair(
        *(dataclasses.replace(g, thickness_allowance=1.01 * allowance) for g in (pair.one, pair.two)), 0.13995
    )
    assert finding(freed, "backlash") is None and 0.0 < freed.backlash < 1e-6


def test_shortening_opens_the_tip_clearance():
    pair = GearPair.closed(Gear(21, 4e-3, addendum=1.2, dedendum=1.25), Gear(49, 4e-3))
    found = finding(pair, "tip clearance")
    short, diameter = numbers(found.cure)[:2]
    assert diameter == pytest.approx(2e3 * pair.one.tip_radius - 2.0 * short, abs=1e-3)
    cured = GearPair.closed(dataclasses.replace(pair.one, tip_given=diameter / 2e3), pair.two)
    assert cured.tip_clearances[0] == pytest.approx(0.25 * 4e-3, abs=1e-6)
    assert finding(cured, "tip clearance") is None


def test_tip_diameters_that_keep_off_the_fillet_and_the_base_circle():
    # P2: the ring's tip runs 2.9 mm onto the planet's fillet
    pair = GearPair.closed(Gear(36, 10e-3), Gear(93, 10e-3, ring=True))
    found = finding(pair, "interference with the fillet")
    assert found.value == pytest.approx(-2.9e-3, abs=0.1e-3)
    ring = dataclasses.replace(pair.two, tip_given=numbers(found.cure)[0] / 2e3)
    assert GearPair(pair.one, ring, pair.distance).fillet_margins[0] == pytest.approx(0.0, abs=1e-6)
    pair = GearPair.closed(Gear(20, 5e-3), Gear(60, 5e-3, ring=True))
    found = finding(pair, "involute interference")
    ring = dataclasses.replace(pair.two, tip_given=numbers(found.cure)[0] / 2e3 + 1e-6)
    assert finding(GearPair(pair.one, ring, pair.distance), "involute interference") is None


@pytest.mark.parametrize(("distance", "internal"), [(0.1645, False), (0.16, False), (0.1005, True)])
def test_a_centre_distance_too_short_names_the_shifts_and_the_distance_that_fit(distance, internal):
    """C37: the pair made with the named sum of shifts, or at the named distance, has no backlash left over."""
    one, two = Gear(20, 5e-3, shift=0.3), Gear(60 if internal else 45, 5e-3, shift=0.4, ring=internal)
    pair = GearPair(one, two, distance)
    if pair.backlash > 0.0:
        two = dataclasses.replace(two, shift=-0.6)
        pair = GearPair(one, two, distance)
    found = finding(pair, "backlash")
    assert "profile shifts that sum to" in found.cure
    wanted, now, closed = numbers(found.cure)[:3]
    assert now == pytest.approx(one.shift + two.shift)
    fitting = GearPair(one, dataclasses.replace(two, shift=wanted - one.shift), distance)
    assert abs(fitting.backlash) < 1e-3 * 5e-3  # four digits of a shift are 5e-5 of the module at most
    assert abs(GearPair(one, two, closed * 1e-3).backlash) < 1e-6


def test_a_small_lack_of_backlash_may_be_taken_from_the_teeth():
    one, two = Gear(20, 5e-3), Gear(45, 5e-3)
    found = finding(GearPair(one, two, 0.1624), "backlash")  # 0.1 mm short of 162.5 mm: 0.04 mm a gear
    take = -numbers(found.cure)[3] * 1e-6
    thin = [dataclasses.replace(g, thickness_allowance=-take) for g in (one, two)]
    assert abs(GearPair(*thin, 0.1624).backlash) < 1e-6


def test_a_short_path_says_what_it_lacks():
    pair = GearPair(Gear(21, 4e-3), Gear(49, 4e-3), 0.1445)
    found = finding(pair, "contact ratio")
    lack = 1e-3 * numbers(found.cure)[0]
    p = pair.path
    assert (p.end - p.start + lack) / p.base_pitch == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("sets", "parts"),
    [
        (["stages.pair.pinion.profile_shift=1.9"], ["thick at the tip", "mm"]),
        (["stages.pair.centre_distance=118 mm"], ["no backlash at a centre distance of 118 mm", "needs profile shifts that sum to -"]),
        (["stages.pair.centre_distance=125 mm"], ["contact ratio", "lacks", "mm"]),
        (["stages.pair.pinion.tip_diameter=104 mm"], ["comes within -", "shorten its tip by"]),
        (["stages.pair.pinion.face_width=null", "stages.pair.wheel.face_width=null", "stages.pair.material=null"],
         ["missing 'face_width'", "missing 'material'"]),
    ],
)  # fmt: skip
def test_a_run_refuses_impossible_teeth_with_number_and_cure(sets, parts, tmp_path):
    relief = ["stages.pair.pinion.tip_relief=null", "stages.pair.wheel.tip_relief=null"]
    arguments = ["run", "spur-pair-hertz", "-o", str(tmp_path / "x.nc")]
    for one in [*relief, *sets]:
        arguments += ["--set", one]
    result = runner.invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 2, result.output
    for part in parts:
        assert part in result.stderr, result.stderr


@pytest.mark.parametrize("sets", [["stages.pair.centre_distance=126 mm"], ["stages.pair.addendum=0.3"]])
def test_a_short_path_is_named_before_the_relief_it_leaves_no_room_for(sets, tmp_path):
    """The files relieve tips from the end of single contact on, which lies beyond the tip where the contact ratio is
    below 1: what is wrong is the path, and the mesh is named."""
    arguments = ["run", "spur-pair-hertz", "-o", str(tmp_path / "x.nc")]
    for one in sets:
        arguments += ["--set", one]
    result = runner.invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 2 and "mesh 'pair.mesh': transverse contact ratio 0." in result.stderr, result.stderr


def test_undercut_is_warned_of_where_teeth_still_touch(tmp_path):
    sets = ["stages.pair.pinion.teeth=9", "stages.pair.centre_distance=null"]
    arguments = ["gear", "spur-pair-hertz"]
    for one in sets:
        arguments += ["--set", one]
    result = runner.invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0 and "warning: pinion is undercut" in result.stdout
    assert "at least 0.4736 avoids it" in result.stdout  # 1 - 9 sin^2(20 deg)/2


def test_missing_rim_is_asked_for_by_name(tmp_path):
    """Elements need the bore or the outer diameter; a run that asks for them is refused with the name."""
    sets = ["stages.pair.pinion.bore=null", "stages.pair.mesh.stiffness={from: fe}"]
    arguments = ["run", "spur-pair-hertz", "-o", str(tmp_path / "x.nc")]
    for one in sets:
        arguments += ["--set", one]
    result = runner.invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 2 and "'bore'" in result.stderr and "pinion" in result.stderr


def test_no_cure_asks_for_a_tip_that_no_tooth_has():
    """A ring of 40 teeth around a planet of 35 at far too large a distance: no tip can be cut back by so much, and none
    has a negative diameter. At the distance that is offered, the clearance is a quarter of the module."""
    one, two = Gear(35, 10e-3, name="planet"), Gear(40, 10e-3, ring=True, name="ring")
    cures = [c.cure for c in GearPair(one, two, 0.284).checks() if c.what == "tip clearance"]
    assert len(cures) == 2
    tip = float(re.search(r"smaller by ([\d.]+) mm", cures[0])[1])
    assert "tip_diameter" not in cures[0] and "negative" not in cures[0]
    assert two.root_radius - one.tip_radius - (0.284 - 1e-3 * tip) == pytest.approx(0.25 * 10e-3, abs=1e-4)  # 4 digits


def test_a_ring_that_does_not_go_around_its_planet():
    with pytest.raises(ValueError, match="ring of 30 teeth does not go around a wheel of 35"):
        involute.working_angle_from_shifts((35, 30), (0.0, 0.0), math.radians(20), internal=True)
    with pytest.raises(ValueError, match=r"ring \(100 mm\) must be larger than that of the wheel in it \(120 mm\)"):
        involute.working_angle((0.12, 0.10), 0.3, internal=True)


@pytest.mark.parametrize(("lack", "offered"), [(0.0245, True), (0.0255, False)])
def test_thinner_teeth_are_a_cure_for_what_tolerances_are_made_of(lack, offered):
    """A fortieth of a module on each gear: 0.1 mm at module 4. More is a matter of shifts or of the distance."""
    one, two = Gear(21, 4e-3), Gear(49, 4e-3)
    low, high = 0.138, 0.14
    for _ in range(60):  # the distance at which flanks lack so much
        middle = 0.5 * (low + high)
        take = -GearPair(one, two, middle).backlash / (2.0 * math.cos(math.radians(20)))
        low, high = (middle, high) if take > lack * 4e-3 else (low, middle)
    cure = finding(GearPair(one, two, high), "backlash").cure
    assert ("thickness_allowance" in cure) == offered and "profile shifts that sum to" in cure
