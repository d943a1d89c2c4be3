"""Static rating, fatigue limit and contamination of bearings by rule, against catalogue lines and the formulas in other units."""

import pytest

from gearwright.bearings.iso281 import contamination_factor, life_modification, reference_viscosity
from gearwright.rating.bearing_facts import MOST_MODIFICATION, completed, fatigue_limit, static_by_dimensions
from gearwright.rating.components import Bearing
from gearwright.rating.oil import Oil
from gearwright.schema.bearing import CatalogueData
from gearwright.schema.life import OilFacts

OIL = {"viscosity": 320, "viscosity_100": 36, "temperature": 65}


def line(**more):
    return CatalogueData.model_validate({"bore": "200 mm", "outside_diameter": "360 mm", "width": "98 mm"} | more)


def test_static_rating_from_dimensions_and_dynamic_rating():
    """By hand (ISO 76): 21 of 40 mm rollers in a cage at 280 mm; their length makes C what it is, so C_0 goes with C^(9/7)."""
    for rating in (1.0e6, 1.2e6):
        found = static_by_dimensions(line(), "cylindrical", rating)
        assert found / static_by_dimensions(line(), "cylindrical", 1.1e6) == pytest.approx((rating / 1.1e6) ** (9 / 7))
        # lengths between a third and nine tenths of the width bound it: 44 (1 - D_w/D_pw) Z L D_w in N and mm
        assert 44 * (1 - 40 / 280) * 17 * 33 * 40 < found < 44 * (1 - 40 / 280) * 17 * 89 * 40
    assert static_by_dimensions(line(), "toroidal", 1e6) is None
    assert static_by_dimensions(CatalogueData(bore=0.2), "cylindrical", 1e6) is None


def test_fatigue_limit_of_the_standard():
    """ISO 281, B.3.3.3, in kN and mm: C_0/8.2 of rollers, times (100/D_pw)^0.3 above 100 mm; C_0/22 and the square root of balls."""
    assert fatigue_limit(820e3, 0.1, "roller") == pytest.approx(100e3)
    assert fatigue_limit(820e3, 0.05, "roller") == pytest.approx(100e3)
    assert fatigue_limit(820e3, 0.4, "roller") == pytest.approx(100e3 * (100 / 400) ** 0.3)
    assert fatigue_limit(22e3, 0.4, "ball") == pytest.approx(500.0)


def test_contamination_falls_with_dirt_and_rises_with_film_and_size():
    cleaner = [contamination_factor(c, 1.0, 0.3) for c in ("19/16", "17/14", "15/12", "13/10")]
    assert cleaner == sorted(cleaner) and cleaner[0] > 0.1 and cleaner[-1] < 1.0
    assert (
        contamination_factor("17/14", 0.5, 0.3)
        < contamination_factor("17/14", 1.0, 0.3)
        < contamination_factor("17/14", 1.0, 0.6)
    )
    assert contamination_factor("13/10", 4.0, 1.0) == pytest.approx(
        1 - 0.5663 / 10.0
    )  # the rise is full: 1 - b/D^(1/3)
    with pytest.raises(ValueError, match="annex A"):
        contamination_factor("21/18", 1.0, 0.3)


def test_oil_and_dimensions_make_the_modified_life_and_given_values_replace_them():
    oil = Oil.of(OilFacts.model_validate(OIL | {"cleanliness": "17/14"}))
    bare = Bearing("b", "", 1.0, 1.2e6, type="cylindrical")
    made, taken = completed(bare, line(), oil)
    assert made.static_rating == static_by_dimensions(
        line(), "cylindrical", 1.2e6
    ) and made.mean_diameter == pytest.approx(0.28)
    assert len(taken) == 2 and "17/14" in taken[1]
    load, speed = 400e3, 3.0
    kappa = 1e6 * oil.kinematic(65.0) / reference_viscosity(speed, 0.28)
    want = life_modification(
        kappa, contamination_factor("17/14", kappa, 0.28), fatigue_limit(made.static_rating, 0.28, "roller"), load
    )
    assert 0.1 < want < MOST_MODIFICATION and made.modification(load, speed) == pytest.approx(want)
    assert made.modification(10e3, speed) == MOST_MODIFICATION  # a rule does not lend fifty lives
    given, none = completed(bare, line(static_rating="2 MN"), Oil.of(OilFacts.model_validate(OIL)))
    assert given.static_rating == 2e6 and not none and given.modification(load, speed) is None
