"""Rainflow of whole series, matrices, load duration, level crossings."""

import numpy as np
import pytest

from gearwright.rating.duration import load_revolutions
from gearwright.rating.equivalent import damage_equivalent_range, damage_sum
from gearwright.results.rainflow import rainflow


def test_a_plain_sine_closes_one_cycle_per_period():
    k = np.arange(1001)
    cycles = rainflow(3.0 + 2.0 * np.sin(2 * np.pi * k / 100), residue="ignore")
    # ten periods: the first rise and the last fall stay open
    np.testing.assert_allclose(cycles.ranges, 4.0)
    np.testing.assert_allclose(cycles.means, 3.0)
    assert cycles.total == 9
    half = rainflow(3.0 + 2.0 * np.sin(2 * np.pi * k / 100), residue="half")
    assert half.total == 10.5  # 20 turning points and both ends: 21 ranges
    repeat = rainflow(3.0 + 2.0 * np.sin(2 * np.pi * k / 100), residue="repeat")
    assert repeat.total == 10
    np.testing.assert_allclose(repeat.ranges, 4.0)


@pytest.mark.parametrize("series", [[], [1.0], [1.0, 1.0, 1.0]])
@pytest.mark.parametrize("residue", ["half", "repeat", "ignore"])
def test_nothing_moves_nothing_counts(series, residue):
    cycles = rainflow(series, residue)
    assert cycles.total == 0
    assert damage_equivalent_range(cycles, 4, reference_cycles=10) == 0.0
    assert cycles.range_mean_matrix(4, 4).counts.sum() == 0 and cycles.markov_matrix(4).counts.sum() == 0


def test_bad_series_are_refused():
    with pytest.raises(ValueError, match="index 2"):
        rainflow([0.0, 1.0, np.nan, 2.0])
    with pytest.raises(ValueError, match="one dimension"):
        rainflow(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="half, repeat, ignore"):
        rainflow([0.0, 1.0], residue="none")  # type: ignore[arg-type]


def test_matrices_hold_all_cycles_and_the_sense():
    cycles = rainflow([4, 7, 2, 10, 5, 9, 3, 4, 2, 12, 5, 11, 1, 4, 3, 10, 6, 12, 4, 8, 1, 9, 4, 6], "ignore")
    edges = np.arange(0.5, 13.0)
    markov = cycles.markov_matrix(edges).counts
    assert markov.sum() == 8
    for begin, end in [(5, 9), (3, 4), (10, 2), (5, 11), (4, 3), (10, 6), (4, 8), (1, 12)]:
        assert markov[begin - 1, end - 1] == 1
    matrix = cycles.range_mean_matrix(np.arange(0.5, 12), np.arange(0.25, 12, 0.5))
    assert matrix.counts.sum() == 8
    np.testing.assert_array_equal(matrix.counts.sum(axis=1), np.histogram(cycles.ranges, matrix.row_edges)[0])
    counts, _ = cycles.spectrum(12)
    assert counts.sum() == 8


def test_reference_cycles_or_duration():
    cycles = rainflow(np.tile([0.0, 2.0], 500), "repeat")
    by_cycles = damage_equivalent_range(cycles, 5, reference_cycles=50)
    by_time = damage_equivalent_range(cycles, 5, duration=25.0, reference_frequency=2.0)
    assert by_cycles == pytest.approx(2.0 * (500 / 50) ** 0.2, rel=1e-12)
    assert by_time == pytest.approx(by_cycles, rel=1e-15)
    with pytest.raises(ValueError, match="either"):
        damage_equivalent_range(cycles, 5)
    with pytest.raises(ValueError, match="positive"):
        damage_equivalent_range(cycles, 5, reference_cycles=0.0)


def test_large_loads_do_not_overflow():
    cycles = rainflow(np.tile([0.0, 1e40], 100), "repeat")
    assert damage_equivalent_range(cycles, 12, reference_cycles=100) == pytest.approx(1e40, rel=1e-12)
    assert damage_sum([2.0, 3.0], [1.0, 0.5], 3) == 8.0 + 13.5


def test_load_revolutions_equal_the_integral_of_speed():
    rng = np.random.default_rng(4)
    load, speed = rng.normal(size=1000), 10.0 + rng.normal(size=1000)
    turns, _ = load_revolutions(load, speed, 0.1, 20)
    assert turns.sum() == pytest.approx(speed.sum() * 0.1 / (2 * np.pi))
    with pytest.raises(ValueError, match="length"):
        load_revolutions(load, speed[:-1], 0.1)
