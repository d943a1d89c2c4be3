"""Questions about teeth turned round: sizes to measure, backlash, overlap, splits of shifts, tooth numbers, teeth that meet again.

Spans: KHK, Gear Technical Reference, tables of span measurement (module 3, 24 teeth, shift 0.4, straight and 25 degrees). Otherwise
closed forms in another spelling, the outline of the gear itself, or counting.
"""

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest

import gearwright as gw
from gearwright.errors import GearwrightError
from gearwright.geometry import Gear, GearPair, involute
from gearwright.geometry.inverse import allowance_for, distance_for, helix_for, measures, width_for
from gearwright.geometry.measure import pin_at, pins, span, span_over
from gearwright.geometry.outline import outline
from gearwright.sizing.splits import by_din_3992, described, shift_sum, shifted, splits
from gearwright.sizing.tooth_numbers import phasing

DEGREE = math.pi / 180.0


@pytest.mark.parametrize("helix, over, size", [(0.0, 4, 32.8266), (25.0, 5, 42.0085)])
def test_printed_span_sizes(helix, over, size):
    found = span(Gear(24, 3e-3, shift=0.4, helix_angle=helix * DEGREE))
    assert found.over == over
    assert 1e3 * found.size == pytest.approx(size, abs=6e-5)


@pytest.mark.parametrize(
    "ring, teeth, shift", [(False, 24, 0.4), (False, 41, -0.2), (True, 91, -0.84), (True, 60, 0.3)]
)
def test_a_span_is_the_chord_where_it_touches(ring, teeth, shift):
    """Its plates are square to it, so it is the distance of the two points of the flanks, a chord of their circle."""
    gear = Gear(teeth, 3e-3, shift=shift, ring=ring, thickness_allowance=-50e-6)
    found = span(gear)
    half = gear.half_angle(0.5 * found.diameter)
    half = math.pi / teeth - half if ring else half
    assert found.size == pytest.approx(found.diameter * math.sin((found.over - 1) * math.pi / teeth + half), rel=1e-12)
    full = replace(gear, thickness_allowance=0.0)
    thinner = span_over(full, found.over).size - found.size
    assert thinner == pytest.approx((-1.0 if ring else 1.0) * 50e-6 * math.cos(20.0 * DEGREE), rel=1e-9)


@pytest.mark.parametrize("ring, teeth, shift", [(False, 24, 0.4), (False, 25, 0.0), (True, 91, -0.84), (True, 60, 0.3)])
def test_a_pin_touches_the_outline_of_its_space(ring, teeth, shift):
    gear = Gear(teeth, 3e-3, shift=shift, ring=ring)
    found = pins(gear)
    x, y = outline(gear)
    angle = 0.5 * math.pi + math.pi / teeth  # a tooth stands upright
    centre = 0.5 * found.centre * np.array([math.cos(angle), math.sin(angle)])
    away = np.stack([x - centre[0], y - centre[1]])
    step = np.diff(np.concatenate([away, away[:, :1]], axis=1), axis=1)
    along = np.clip(-(away * step).sum(axis=0) / np.maximum((step**2).sum(axis=0), 1e-30), 0.0, 1.0)
    nearest = np.hypot(*(away + along * step)).min()
    assert nearest == pytest.approx(0.5 * found.pin, abs=1e-6)  # chords of the outline
    across = found.centre if teeth % 2 == 0 else found.centre * math.cos(0.5 * math.pi / teeth)
    assert found.size == pytest.approx(across + (-found.pin if ring else found.pin), rel=1e-12)
    middle = gear.reference_radius + (-shift if ring else shift) * gear.module
    assert pins(gear, pin_at(gear, middle)).contact == pytest.approx(2.0 * middle, rel=1e-9)


def test_balls_of_helical_teeth_by_the_formula_of_the_standard():
    """``inv alpha_K = D_M/(z m_n cos alpha_n) - eta + inv alpha_t``, the normal spelling of what is computed at the base circle."""
    gear = Gear(29, 4e-3, helix_angle=18 * DEGREE, shift=0.25)
    found = pins(gear, 7e-3)
    a, t = 20 * DEGREE, gear.transverse_angle
    eta = (0.5 * math.pi - 2.0 * 0.25 * math.tan(a)) / 29
    value = 7e-3 / (29 * 4e-3 * math.cos(a)) - eta + involute.inv(t)
    centre = 2.0 * gear.base_radius / math.cos(involute.inverse_inv(value))
    assert found.size == pytest.approx(centre * math.cos(0.5 * math.pi / 29) + 7e-3, rel=1e-12)


def test_pins_that_do_not_fit_and_spans_of_helical_rings_are_refused():
    with pytest.raises(GearwrightError, match="outside the involute"):
        pins(Gear(24, 3e-3), 12e-3)
    with pytest.raises(GearwrightError, match="too large"):
        pins(Gear(60, 3e-3, ring=True), 60e-3)
    with pytest.raises(GearwrightError, match="between balls"):
        span(Gear(60, 3e-3, ring=True, helix_angle=0.2))


# --- backlash and overlap ----------------------------------------------------------------------------------------------------


def pair_of(internal, helix=10.0):
    one = Gear(29, 4e-3, helix_angle=helix * DEGREE, shift=0.3, face_width=40e-3, name="one")
    two = Gear(
        97 if internal else 61, 4e-3, helix_angle=helix * DEGREE, shift=0.1, ring=internal, face_width=40e-3, name="two"
    )
    return GearPair.closed(one, two)


@pytest.mark.parametrize("internal", [False, True])
def test_allowances_and_distances_make_the_backlash(internal):
    """Held by the thicknesses at the working circles, which say the backlash of a pair."""
    pair = pair_of(internal)
    total = allowance_for(pair, 0.3e-3)
    assert total < 0.0
    for share in (0.0, 0.5, 0.8):
        one, two = (replace(g, thickness_allowance=s * total) for g, s in ((pair.one, share), (pair.two, 1.0 - share)))
        assert GearPair(one, two, pair.distance).backlash == pytest.approx(0.3e-3, rel=1e-9)
    distance = distance_for(pair, 0.3e-3)
    assert (distance < pair.distance) == internal
    assert GearPair(pair.one, pair.two, distance).backlash == pytest.approx(0.3e-3, rel=1e-9)


def test_measures_of_a_backlash_of_spur_teeth():
    pair = pair_of(False, 0.0)
    found = measures(pair, 0.2e-3)
    assert found.normal == found.along == 0.2e-3
    # the centres move together by the radial one until the flanks touch, to first order of the involute
    away = distance_for(pair, pair.backlash + 2e-6) - pair.distance
    assert measures(pair, 2e-6).radial == pytest.approx(away, rel=1e-3)


def test_a_helix_for_an_overlap():
    pair = pair_of(False)
    helix = helix_for(pair, 1.3)
    turned = GearPair.closed(*(replace(g, helix_angle=helix) for g in (pair.one, pair.two)))
    assert turned.overlap_ratio == pytest.approx(1.3, rel=1e-12)
    wider = GearPair.closed(*(replace(g, face_width=width_for(pair, 1.3)) for g in (pair.one, pair.two)))
    assert wider.overlap_ratio == pytest.approx(1.3, rel=1e-12)
    assert width_for(pair_of(False, 0.0), 1.3) is None


# --- shifts ------------------------------------------------------------------------------------------------------------------

PUBLISHED = [  # module, helix, teeth, centre distance [mm]; printed shift of the first wheel
    (14, 10.0, (24, 95), 861.0, 0.480),  # NREL 5 MW, stage 3
    (30, 8.0, (26, 31), 877.033, 0.2702),  # DTU 10 MW
    (20, 8.0, (26, 41), 684.273, 0.2787),
    (18, 12.0, (28, 61), 825.885, 0.2976),
]


@pytest.mark.parametrize("module, helix, teeth, distance, printed", PUBLISHED)
def test_published_pairs_have_equal_sliding(module, helix, teeth, distance, printed):
    one, two = (Gear(z, 1e-3 * module, helix_angle=helix * DEGREE, face_width=0.2) for z in teeth)
    slip, root, din = splits(one, two, 1e-3 * distance)
    assert slip.shifts[0] == pytest.approx(printed, abs=2e-4)
    assert slip.sliding[0] == pytest.approx(slip.sliding[1], rel=1e-6)
    assert root.root[0] == pytest.approx(root.root[1], rel=1e-6)
    assert din.shifts[0] == pytest.approx(by_din_3992(one, two, sum(slip.shifts)))
    for split in (slip, root, din):
        assert sum(split.shifts) == pytest.approx(shift_sum(one, two, 1e-3 * distance), rel=1e-12)


def test_the_printed_tip_shortening_keeps_the_clearance_of_the_rack():
    one, two = (Gear(z, 14e-3, helix_angle=10 * DEGREE) for z in (24, 95))
    total = shift_sum(one, two, 0.861)
    pair = shifted(one, two, 0.861, 0.48, total)
    assert 1e3 * pair.one.shortening == pytest.approx(-0.938, abs=5e-4)  # printed
    assert pair.tip_clearances == pytest.approx((0.25 * 14e-3, 0.25 * 14e-3), rel=1e-9)


def test_din_3992_between_its_corners():
    """Halves for equal wheels and for a sum of one; the smaller wheel gets more of a smaller sum, whichever is the first."""
    small, large = Gear(20, 1e-3), Gear(60, 1e-3)
    assert by_din_3992(small, small, 0.4) == pytest.approx(0.2)
    assert by_din_3992(small, large, 1.0) == pytest.approx(0.5)
    assert by_din_3992(small, large, 0.4) > 0.2
    assert by_din_3992(large, small, 0.4) == pytest.approx(0.4 - by_din_3992(small, large, 0.4))


def test_sliding_is_zero_in_rolling_and_grows_to_the_base_circle():
    one, two = Gear(20, 1e-3, shift=0.2), Gear(60, 1e-3)
    found = described("", GearPair.closed(one, two))
    assert found.sliding[0] < 0.0 and found.sliding[1] < 0.0
    more = described("", GearPair.closed(replace(one, shift=0.4), two))
    assert more.sliding[0] > found.sliding[0]  # a shift takes the pinion's root away from its base circle


# --- tooth numbers and frequencies -------------------------------------------------------------------------------------------


def test_the_numbers_of_published_stages_come_first():
    assert gw.tooth_numbers(3.947, planets=3, within=0.01).found[0].numbers == (19, 17, 56)  # NREL 5 MW, stage 1
    assert gw.tooth_numbers(3.958, within=0.005).found[0].numbers == (24, 95)  # its stage 3


def test_the_rank_prefers_planets_that_can_be_put_in_then_hunting():
    found = gw.tooth_numbers(4.5, planets=3, within=0.03, rows=1000).found
    keys = [(not n.assembles, math.prod(n.common)) for n in found]
    assert keys == sorted(keys) and keys[0] == (False, 1) and keys[-1][0]
    for n in found:
        sun, planet, ring = n.numbers
        assert n.assembles == ((sun + ring) % 3 == 0)
        assert abs((1 + ring / sun) / 4.5 - 1.0) <= 0.03 + 1e-12
        assert planet + 2 < (sun + planet) * math.sin(math.pi / 3)


def test_phasing_is_the_sum_of_the_meshes():
    """Planets at equal angles push on the sun with the phases of its teeth: torsion is their sum, translation their sum as vectors."""
    for planets in range(3, 8):
        for sun in range(12, 40):
            for harmonic in (1, 2, 3):
                at = [2.0 * math.pi * n / planets for n in range(planets)]
                pushes = [cmath.exp(1j * harmonic * sun * a) for a in at]
                torsion = abs(sum(pushes)) > 1e-6
                across = any(
                    abs(sum(p * f(a) for p, a in zip(pushes, at, strict=True))) > 1e-6 for f in (math.cos, math.sin)
                )
                word = "torsion" if torsion else "translation" if across else "planets"
                assert phasing(sun, planets, harmonic) == word


@pytest.mark.parametrize("one, two", [(17, 56), (24, 36), (20, 35), (18, 54)])
def test_the_same_teeth_meet_again_when_counting_says_so(one, two):
    steps = next(n for n in range(1, one * two + 1) if n % one == 0 and n % two == 0)
    (found,) = [
        n for n in gw.tooth_numbers(two / one, within=1e-9, fewest=one, most=one).found if n.numbers == (one, two)
    ]
    assert found.repeat[0] == steps // one
    met = len({(n % one, n % two) for n in range(one * two)})
    assert (
        found.common[0] == one * two // met
    )  # assembly phases: pairs of teeth that one way of putting together never has


def test_frequencies_of_a_planetary_stage():
    """At 30 rpm of the carrier with the ring of 91 teeth held: 45.5 Hz; the sun of 20 and planets of 35 teeth meet 140 times before
    the same teeth do again."""
    found = {m.mesh: m for m in gw.gear_answers("nordtank-500kw", "stage1", speed="30 rpm").meetings}
    sun = found["stage1.sun_planet1"]
    assert sun.mesh_frequency == pytest.approx(91 * 0.5)
    assert sun.phases == 5 and sun.assembly == pytest.approx(45.5 / 5)
    assert sun.hunting == pytest.approx(45.5 / math.lcm(20, 35)) and sun.period == pytest.approx(140 / 45.5)
    assert sun.wheels == pytest.approx((45.5 / 20, 45.5 / 35))
    assert found["stage1.ring_planet1"].hunting == pytest.approx(45.5 / math.lcm(35, 91))


@pytest.mark.parametrize(
    "asked, said",
    [
        ({}, "ask for"),
        ({"backlash": "3"}, "more than half a pitch"),
        ({"backlash": "-1 mm"}, "not wanted"),
        ({"centre_distance": "100 mm"}, "must be less than the centre distance"),
        ({"overlap": -1.0}, "from 0"),
        ({"pin": "0 mm"}, "above 0"),
        ({"speed": "3 mm"}, "wrong dimension"),
    ],
)
def test_wrong_questions_are_refused(asked, said):
    with pytest.raises(GearwrightError, match=said):
        gw.gear_answers("nordtank-500kw", "stage1", **asked)


@pytest.mark.parametrize(
    "asked",
    [
        {"ratio": 0.9},
        {"ratio": 1.5, "planets": 3},
        {"ratio": 4.0, "planets": 1},
        {"ratio": 4.0, "within": 0.6},
        {"ratio": 4.0, "fewest": 3},
    ],
)
def test_ratios_that_no_stage_has_are_refused(asked):
    with pytest.raises(GearwrightError, match="--|teeth of the first wheel"):
        gw.tooth_numbers(**asked)
