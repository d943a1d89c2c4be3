"""Uncertainty from few seeds and extrapolation, against distributions that are known."""

import math

import numpy as np
import pytest
from scipy import stats

from gearwright.rating.extremes import bootstrap, gumbel, mean_equivalent, peaks_over_threshold, seeds_needed


def test_bootstrap_interval_covers_the_truth_as_often_as_it_says():
    """Means of 12 exponential values: the true mean lies in about 90 % of the intervals (BCa falls a little short)."""
    rng = np.random.default_rng(0)
    hits = 0
    for trial in range(200):
        found = bootstrap(rng.exponential(1.0, 12), lambda s: s.mean(axis=-1), resamples=400, seed=trial)
        hits += found.low <= 1.0 <= found.high
    assert 0.78 <= hits / 200 <= 0.96


def test_equivalent_load_of_runs_is_that_of_their_mean_damage():
    assert mean_equivalent([1.0, 2.0, 3.0], 4.0) == pytest.approx(((1 + 16 + 81) / 3) ** 0.25)
    assert mean_equivalent([[1.0, 1.0], [2.0, 2.0]], 10.0) == pytest.approx([1.0, 2.0])


def test_seeds_needed_for_a_known_scatter():
    """Scatter 10 %, 90 % confidence, half width 5 %: t(n-1) 0.1 / sqrt(n) < 0.05 first at n = 13 (t = 1.782)."""
    x = 1.0 + 0.1 * np.array([-1.0, 1.0, -1.0, 1.0]) * math.sqrt(3 / 4)
    assert x.std(ddof=1) == pytest.approx(0.1)
    assert seeds_needed(x, 0.05) == 13
    with pytest.raises(ValueError, match="must be positive"):
        seeds_needed(x, 0.0)


def test_gumbel_finds_its_own_parameters():
    """Standard errors of the estimates for n = 2000: 1.05 and 0.78 scale / sqrt(n)."""
    x = stats.gumbel_r(5e6, 3e5).rvs(2000, random_state=1)
    found = gumbel(x)
    assert found.location == pytest.approx(5e6, abs=3 * 1.05 * 3e5 / math.sqrt(2000))
    assert found.scale == pytest.approx(3e5, abs=3 * 0.78 * 3e5 / math.sqrt(2000))
    level = found.level(100.0)
    assert found.probability(level) == pytest.approx(0.99)
    with pytest.raises(ValueError, match="at least 5 finite values"):
        gumbel([1.0, 2.0])
    with pytest.raises(ValueError, match="all the same"):
        gumbel([2.0] * 6)


def test_peaks_of_independent_exponential_values():
    """Values with P(X > x) = exp(-x), one per second: excess exponential, rate exp(-u), level for T: log T."""
    x = stats.expon.rvs(size=200_000, random_state=2)
    found = peaks_over_threshold(x, 1.0, threshold=4.0, separation=0.0)
    # neighbours above the threshold are one peak: a share exp(-4) of them
    assert found.rate == pytest.approx(math.exp(-4.0), rel=0.06)
    assert found.shape == pytest.approx(0.0, abs=0.06)
    assert found.scale == pytest.approx(1.0, rel=0.06)
    assert found.level(1e6) == pytest.approx(math.log(1e6), rel=0.06)
    with pytest.raises(ValueError, match="independent peaks exceed"):
        peaks_over_threshold(x[:500], 1.0, threshold=4.0)
