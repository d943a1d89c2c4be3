"""Strength of gear steels by treatment and grade, rims, roots bent both ways."""

import pytest

from gearwright.rating import iso6336_bending as root
from gearwright.rating.iso6336_rating import RatingError
from gearwright.rating.strength import STEELS, limits


def test_grades_rise_within_every_steel():
    """ML below MQ below ME, at the middle of the hardnesses that all three share; root strength below that of the flank."""
    for name, steel in STEELS.items():
        at = 0.5 * (max(line.least for line in steel.flank) + min(line.most for line in steel.flank))
        flank, foot = ([line.slope * at + line.base for line in lines] for lines in steel)
        assert flank == sorted(flank), name
        if name not in ("through_hardened", "through_hardened_carbon"):  # lines of different slopes
            assert foot == sorted(foot), name
        assert all(f < h for f, h in zip(foot, flank, strict=True))


def test_numbers_that_wind_gearboxes_are_rated_with():
    """Case-hardened MQ 1500 MPa, sigma_FE 922 (twice 461); the printed example of DIN 3990-11 has 740 MPa at 266 HB (MQ 722)."""
    found = limits("case_hardened", "MQ")
    assert (found.pitting, 2 * found.bending) == (1500e6, 922e6)
    assert limits("case_hardened_pitting", "ME").pitting == 1650e6
    assert limits("case_hardened", "MQ", core=20.0).bending == 425e6
    assert limits("through_hardened", "MQ", hardness=266.0).pitting == pytest.approx(740e6, rel=0.03)
    assert limits("through_hardened", "MQ", hardness=266.0).bending == pytest.approx(590e6 / 2, rel=0.03)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("through_hardened", "MQ"), "depends on the hardness"),
        (("through_hardened", "MQ", 500.0), "outside the table"),
        (("nitrocarburised", "MQ"), "no table"),
        (("case_hardened", "MX"), "ML, MQ, ME"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(RatingError, match=message):
        limits(*arguments)


def test_rims_join_at_their_limits():
    """Y_B is 1 for thick rims and continuous there, to the rounding of its constants."""
    assert root.rim_factor(1.2 - 1e-9, 1.0, 1.0, False) == pytest.approx(1.0, abs=1e-3)
    assert root.rim_factor(3.5 - 1e-9, 1.0, 1.0, True) == pytest.approx(1.0, abs=4e-3)
    assert root.rim_factor(2.0, 1.0, 1.0, False) == 1.0
    with pytest.raises(RatingError, match="too thin"):
        root.rim_factor(0.4, 1.0, 1.0, False)


def test_deep_teeth_join_at_their_limits():
    assert root.deep_tooth_factor(2.05, 4) == pytest.approx(1.0)
    assert root.deep_tooth_factor(2.05 + 1e-9, 4) == pytest.approx(1.0, abs=1e-3)
    assert root.deep_tooth_factor(2.5, 4) == pytest.approx(0.7, abs=2e-3)
    assert root.deep_tooth_factor(2.4, 5) == 1.0


def test_mean_stress_influence_is_goodmans_line():
    """Y_M of R: strength of a cycle from R s to s over that from 0 to s, on a straight Haigh line of slope M: amplitude + M mean is
    the same for both."""
    m = 0.5
    for r in (-1.2, -1.0, -0.4, 0.0):
        peak = 2.0 / ((1.0 - r) + m * (1.0 + r)) * 0.5 * (1.0 + m)
        assert root.mean_stress_factor(r, m) == pytest.approx(peak)


def test_ratio_of_the_two_flanks_of_a_planet():
    assert root.stress_ratio(300.0, 300.0) == pytest.approx(-1.2)
    assert root.stress_ratio(200.0, -400.0) == root.stress_ratio(400.0, 200.0) == pytest.approx(-0.6)
    assert root.stress_ratio(0.0, 0.0) == 0.0 and root.mean_stress_factor(0.0, 0.4) == 1.0


def test_static_notch_sensitivity_is_one_for_the_reference_gear():
    """Y_S of the reference test gears is 2."""
    for treatment in ("case_hardened", "nitrided", "cast_iron", "through_hardened"):
        assert root.static_notch_sensitivity(2.0, 300e6, treatment) == pytest.approx(1.0)
        assert root.static_notch_sensitivity(2.5, 300e6, treatment) > 1.0
    assert root.mean_stress_ratio("case_hardened", 2.0) == pytest.approx(0.5)
    assert root.mean_stress_ratio("case_hardened", 2.0, static=True) == 0.7
