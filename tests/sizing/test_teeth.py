"""Teeth from numbers and centre distances: printed shifts, tooth numbers that close, bearings of the plan."""

import math

import pytest

from gearwright.sizing.bearings import DIAMETER_SERIES, WIDTH_SERIES, least_bearing
from gearwright.sizing.teeth import Rack, parallel_teeth, planetary_teeth, rounded_module, sliding_split


@pytest.mark.parametrize(
    ("module", "helix", "teeth", "distance", "printed"),
    [
        (14e-3, 10.0, (24, 95), 861e-3, 0.480),  # NREL 5 MW, stage 3
        (30e-3, 8.0, (26, 31), 877.033e-3, 0.2702),  # DTU 10 MW
        (20e-3, 8.0, (26, 41), 684.273e-3, 0.2787),
        (18e-3, 12.0, (28, 61), 825.885e-3, 0.2976),
    ],
)
def test_equal_sliding_is_the_split_of_published_pairs(module, helix, teeth, distance, printed):
    """Shifts of four published pairs, to their last printed digit."""
    rack = Rack(module, math.radians(helix), 0.1)
    assert sliding_split(rack, *teeth, distance)[0] == pytest.approx(printed, abs=2e-4)


@pytest.mark.parametrize(
    ("module", "helix", "teeth", "distance", "internal", "printed"),
    [
        (45e-3, 0.0, (19, 17), 863e-3, False, 1.419),
        (45e-3, 0.0, (17, 56), 863e-3, True, 0.301),
        (21e-3, 0.0, (18, 36), 584e-3, False, 0.893),
        (21e-3, 0.0, (36, 93), 584e-3, True, 0.621),
        (14e-3, 10.0, (24, 95), 861e-3, False, 1.149),
    ],
)
def test_sums_of_shifts_from_the_centre_distance(module, helix, teeth, distance, internal, printed):
    """Sums of the printed shifts of the NREL 5 MW gearbox."""
    assert Rack(module, math.radians(helix), 0.1).shift_sum(*teeth, distance, internal) == pytest.approx(
        printed, abs=6e-4
    )


def test_tooth_numbers_close_and_hunt():
    found = list(planetary_teeth(5.0, 3, 0.02))
    assert found
    for t in found:
        assert (t.sun + t.ring) % 3 == 0 and t.stretch in (0, 1, 2)
        assert math.gcd(t.sun, t.planet) == math.gcd(t.planet, t.ring) == 1
        assert abs(t.ratio / 5.0 - 1.0) <= 0.02 + 1e-12
        assert (t.planet + 2) < (t.sun + t.planet) * math.sin(math.pi / 3)
    assert all(t.hunting and abs(t.ratio / 4.0 - 1.0) <= 0.002 for t in parallel_teeth(4.0, 0.002))


def test_modules_are_those_of_the_standard():
    """The nearest by ratio: 12 and 14 part at the root of their product, 12.96; above 50 mm every 5 mm."""
    for module, chosen in (
        (12.9, 12.0),
        (13.1, 14.0),
        (14.0, 14.0),
        (0.3, 1.0),
        (51.0, 50.0),
        (53.0, 55.0),
        (104.0, 105.0),
    ):
        assert rounded_module(1e-3 * module) == pytest.approx(1e-3 * chosen)


@pytest.mark.parametrize(
    ("series", "bore", "outside", "width"),
    [("10", 200, 310, 51), ("30", 200, 310, 82), ("40", 200, 310, 109), ("31", 200, 340, 112), ("02", 200, 360, 58),
     ("32", 200, 360, 128), ("23", 200, 420, 138), ("18", 200, 250, 24), ("29", 200, 280, 48), ("29", 300, 420, 72)],
)  # fmt: skip
def test_the_plan_of_dimensions_against_bearings_on_the_shelf(series, bore, outside, width):
    """NU 1040, 23040, 24040, 23140, NU 240, 23240, NU 2340, 61840, NCF 2940, NCF 2960: D within 5 %, B within 13 %.

    The plan is for bores above some 100 mm: a 6210 is 10 % smaller than it says.
    """
    planned = bore + DIAMETER_SERIES[series[1]] * bore**0.9
    assert planned == pytest.approx(outside, rel=0.05)
    assert WIDTH_SERIES[series[0]] * (outside - bore) / 2.0 == pytest.approx(width, rel=0.13)


def test_a_heavier_load_never_takes_a_smaller_bearing():
    sizes = [least_bearing("cylindrical", 0.2, load, 10.0, 1e5) for load in (1e5, 2e5, 4e5)]
    assert all(b is not None and b.life >= 1e5 for b in sizes)
    assert sizes[0].dynamic < sizes[1].dynamic < sizes[2].dynamic
