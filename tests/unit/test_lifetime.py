"""Wind shares, weights, lifetime loads and Palmgren-Miner sums against closed forms."""

import math

import numpy as np
import pytest

from gearwright.rating.lifetime import Lifetime, LifetimeError, Spectrum, joined, lifetime_equivalent, weigh
from gearwright.rating.miner import Strength, StrengthError
from gearwright.rating.weibull import ClimateError, Measured, Weibull, bin_bounds, bin_edges, bin_shares


def test_weibull_mean_and_shares():
    wind = Weibull.of_mean(8.5)
    # Rayleigh: scale = 2 mean / sqrt(pi)
    assert wind.scale == pytest.approx(2 * 8.5 / math.sqrt(math.pi))
    assert bin_shares(wind, np.linspace(0, 200, 50)).sum() == pytest.approx(1.0)


def test_shares_of_speed_bins_of_the_classes():
    """Printed shares of 5 to 25 m/s (IEC classes I to III): sums 0.877, 0.840, 0.800."""
    edges = bin_edges(np.arange(5.0, 26.0, 2.0))
    for name, total, first in (("I", 0.877, 0.128), ("II", 0.840, 0.164), ("III", 0.800, 0.195)):
        shares = bin_shares(Weibull.of_class(name), edges)
        assert shares.sum() == pytest.approx(total, abs=5e-4)
        assert shares[0] == pytest.approx(first, abs=5e-4)


def test_measured_histogram_is_even_inside_its_bins():
    wind = Measured.of([0, 4, 8, 12], [1, 2, 1])
    assert bin_shares(wind, [2, 6, 10]) == pytest.approx([0.125 + 0.25, 0.25 + 0.125])


def test_hours_of_a_life_add_up():
    speeds = {f"r{v}-{s}": v for v in (5.0, 7.0, 9.0) for s in range(v == 7.0 or 2)}
    weights = weigh(
        speeds, dict.fromkeys(speeds, 600.0), Weibull.of_class("II"), Lifetime(20, 0.97), events={"stop": 100}
    )
    assert sum(weights.hours.values()) + weights.idle_hours == pytest.approx(20 * 8766)
    assert weights.repetitions["stop"] == 2000
    # one run stands for the whole of its bin, two for a half each
    share = bin_shares(Weibull.of_class("II"), [4, 6, 8, 10])
    assert weights.hours["r7.0-0"] == pytest.approx(share[1] * 20 * 8766 * 0.97)
    assert weights.hours["r5.0-0"] == pytest.approx(share[0] * 20 * 8766 * 0.97 / 2)
    assert weights.repetitions["r5.0-1"] == pytest.approx(weights.hours["r5.0-1"] * 6)


def test_lifetime_load_is_that_of_all_cycles_in_a_row():
    """Three records of known cycles, repeated: the load from their own equivalent ranges equals the direct sum."""
    rng = np.random.default_rng(0)
    ranges, repetitions, m = rng.uniform(1, 5, (3, 40)), np.array([10.0, 200.0, 3.0]), 6.5
    own = (np.sum(ranges**m, axis=1) / 600.0) ** (1 / m)
    direct = (np.sum(repetitions[:, None] * ranges**m) / 1e7) ** (1 / m)
    assert lifetime_equivalent(own, [600.0] * 3, repetitions, m) == pytest.approx(direct, rel=1e-12)


def test_spectra_join_without_losing_anything():
    one, two = Spectrum(np.array([1.0, 2.0]), np.array([5.0, 0.0])), Spectrum(np.array([3.0]), np.array([2.0]))
    both = joined([one, two], [2.0, 10.0])
    levels, above = both.exceedance()
    assert levels.tolist() == [3.0, 1.0] and above.tolist() == [20.0, 30.0]
    assert both.binned(4).amounts.sum() == pytest.approx(30.0)


def test_one_slope_and_its_endurance_limit():
    line = Strength.slope(400.0, 1e6, 8.0)
    assert line.cycles(400.0)[0] == pytest.approx(1e6)
    assert line.cycles([800.0, 200.0]) == pytest.approx([1e6 / 2**8, 1e6 * 2**8])
    limited = Strength.slope(400.0, 1e6, 8.0, limit=300.0)
    assert limited.cycles([301.0, 299.0]) == pytest.approx([1e6 * (400 / 301) ** 8, math.inf])
    assert limited.damage([299.0, 400.0], [1e30, 5e5]) == pytest.approx(0.5)


def test_pieces_meet_and_haibach_goes_on_flatter():
    curve = Strength((1e3, 1e6, 1e8), (1000.0, 500.0, 400.0), "haibach")
    m = curve.exponents
    assert m == pytest.approx([3 / math.log10(2), 2 / math.log10(1.25)])
    assert curve.cycles([1000.0, 500.0, 400.0]) == pytest.approx([1e3, 1e6, 1e8])
    assert curve.cycles(200.0)[0] == pytest.approx(1e8 * 2 ** (2 * m[-1] - 1))
    assert Strength((1e3, 1e6), (1000.0, 500.0)).cycles(250.0)[0] == pytest.approx(1e9)


def test_factor_to_failure_makes_the_sum_one():
    curve = Strength((1e3, 1e6, 1e8), (1000.0, 500.0, 400.0), "limit")
    stresses, counts = np.array([300.0, 420.0, 450.0]), np.array([1e7, 1e5, 1e3])
    factor = curve.factor_to_failure(stresses, counts)
    assert curve.damage(factor * 0.999 * stresses, counts) < 1.0 <= curve.damage(factor * 1.001 * stresses, counts)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Weibull(0.0, 2.0), "scale of a Weibull distribution must be positive"),
    (lambda: Weibull(9.0, -1.0), "shape of a Weibull"),
    (lambda: Weibull.of_class("IV"), "there are I, II, III"),
    (lambda: Measured.of([0, 1, 1], [1, 1]), "must rise"),
    (lambda: Measured.of([0, 1], [0]), "one of them positive"),
    (lambda: bin_edges([5.0]), "give their width"),
    (lambda: Lifetime(0), "must be positive"),
    (lambda: Lifetime(20, 1.2), "availability"),
    (lambda: weigh({}, {}, Weibull(9.0), Lifetime()), "no record with a wind speed"),
    (lambda: weigh({"a": 5.0}, {"a": 0.0}, Weibull(9.0), Lifetime(), width=2.0), "nothing was counted"),
    (lambda: Strength((1e6, 1e3), (1.0, 2.0)), "cycles must rise"),
    (lambda: Strength((1e3,), (1.0,)), "two points"),
    (lambda: Strength((1e3, 1e6), (2.0, 1.0)).cycles(3.0), "above the S-N curve"),
])  # fmt: skip
def test_refusals(make, message):
    with pytest.raises((ClimateError, LifetimeError, StrengthError), match=message):
        make()


def test_bins_have_the_edges_that_were_asked_for():
    """C58. By hand, for 1/10 of the time at every whole speed from 5 to 15 m/s: bins of 2 m/s around 6, 10 and 14 hold 0.2 each,
    midway edges all from 4 to 16."""
    wind = Measured.of(np.arange(5.0, 16.0).tolist(), [1.0] * 10)
    low, high = bin_bounds([6.0, 10.0, 14.0], 2.0)
    assert low.tolist() == [5.0, 9.0, 13.0] and high.tolist() == [7.0, 11.0, 15.0]
    speeds, durations = {"a": 6.0, "b": 10.0, "c": 14.0}, dict.fromkeys("abc", 600.0)
    asked = weigh(speeds, durations, wind, Lifetime(), width=2.0)
    assert asked.shares == pytest.approx([0.2, 0.2, 0.2]) and asked.covered == pytest.approx(0.6)
    assert weigh(speeds, durations, wind, Lifetime()).shares == pytest.approx([0.3, 0.4, 0.3])
    with pytest.raises(ClimateError, match="overlap"):
        bin_bounds([6.0, 7.0, 14.0], 2.0)
