"""Remaining life against closed forms and numbers made elsewhere."""

import math

import numpy as np
import pytest

from gearwright.errors import InputError
from gearwright.fleets.remaining import FleetRate, damage_to_go, survival


@pytest.mark.parametrize(
    "damage, spread, wanted", [(0.0, 0.0, 1.0), (0.5, 0.0, 0.72363), (0.5, 0.3, 0.67657), (1.0, 0.3, 0.55422)]
)
def test_the_damage_at_which_a_tenth_has_failed(damage, spread, wanted):
    """Numbers of another program; without spread also the closed form (D^b + 1)^(1/b) - D."""
    found = damage_to_go(damage, 0.1, spread)
    assert found == pytest.approx(wanted, abs=2e-5)
    if not spread:
        assert found == pytest.approx((damage**1.5 + 1.0) ** (1 / 1.5) - damage)


def test_the_fleet_update_is_the_closed_form():
    """Five failed at 0.4, 95 run at 0.6: figures made by hand from the Gamma distribution."""
    found = FleetRate.prior(1.0).updated([0.4] * 5, [0.6] * 95)
    assert found.mean == pytest.approx(0.109273, abs=1e-6) and found.variation == pytest.approx(0.40825, abs=1e-5)
    assert found.failing(0.6, 0.7) == pytest.approx(0.013110, abs=1e-6)
    assert 95 * found.failing(0.6, 0.7) == pytest.approx(1.245, abs=1e-3)


def test_the_fleet_update_against_an_integral():
    """Bayes by a fine sum over lambda."""
    found = FleetRate.prior(0.8).updated([0.5], [0.7, 0.9])
    rate = np.linspace(1e-6, 3.0, 400_001)
    shape = 1 / 0.8**2
    prior = rate ** (shape - 1) * np.exp(-rate * shape / -math.log(0.9))
    after = prior * rate * np.exp(-rate * (0.5**1.5 + 0.7**1.5 + 0.9**1.5))
    lives = np.exp(-rate * (1.2**1.5 - 0.9**1.5))
    assert 1.0 - np.sum(after * lives) / np.sum(after) == pytest.approx(found.failing(0.9, 1.2), rel=1e-4)


def test_quantiles_undo_probabilities():
    fleet = FleetRate.prior(1.0).updated([0.4], [0.6])
    assert fleet.failing(0.6, 0.6 + fleet.damage_to_go(0.6, 0.25)) == pytest.approx(0.25)
    assert survival(1.0) == pytest.approx(0.9)
    with pytest.raises(InputError):
        fleet.damage_to_go(0.6, 1.0)
