"""What must hold for the count of any series."""

import numpy as np
import pytest
import rainflow as oracle
from hypothesis import given, settings
from hypothesis import strategies as st

from gearwright.rating.equivalent import damage_sum
from gearwright.results.counters import Counters
from gearwright.results.rainflow import rainflow

levels = st.lists(st.integers(-20, 20), min_size=2, max_size=60)
floats = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=2, max_size=60)


def by_range(ranges, counts):
    """Total count per range, as a dictionary."""
    total: dict[float, float] = {}
    for r, c in zip(ranges, counts, strict=True):
        if r > 0:
            total[float(r)] = total.get(float(r), 0.0) + float(c)
    return total


def turning_points(series):
    """First value, every local extreme (a plateau once), last value; no hysteresis is applied."""
    x = np.asarray(series, float)
    if len(x) == 0:
        return x
    x = x[np.concatenate([[True], np.diff(x) != 0.0])]
    if len(x) < 3:
        return x
    rise = np.diff(x) > 0.0
    return x[np.concatenate([[True], rise[1:] != rise[:-1], [True]])]


@given(levels)
@settings(max_examples=300, deadline=None)
def test_agrees_with_the_rainflow_package(series):
    """The three-point rule of ASTM E1049 and the four-point rule with a residue of half cycles are one count."""
    # the package wants three values and changes of direction only: repeat the last, drop plateaus
    points = turning_points(series)
    expected = oracle.count_cycles([*points, points[-1]]) if len(points) > 1 else []
    cycles = rainflow(series, "half")
    assert by_range(cycles.ranges, cycles.counts) == by_range([r for r, _ in expected], [c for _, c in expected])


@given(floats)
@settings(deadline=None)
def test_every_range_between_turning_points_is_half_a_cycle(series):
    cycles = rainflow(series, "half")
    assert cycles.total == (len(turning_points(series)) - 1) / 2


@given(levels, st.integers(1, 4))
@settings(deadline=None)
def test_points_between_turning_points_change_nothing(series, more):
    x = np.asarray(series, float)
    at = np.arange(len(x))
    finer = np.interp(np.arange((len(x) - 1) * 4 * more + 1) / (4 * more), at, x)
    for residue in ("half", "repeat", "ignore"):
        a, b = rainflow(x, residue), rainflow(finer, residue)
        np.testing.assert_array_equal(a.begin, b.begin)
        np.testing.assert_array_equal(a.end, b.end)


@given(levels)
@settings(deadline=None)
def test_mirrored_and_scaled_series(series):
    x = np.asarray(series, float)
    a, b = rainflow(x), rainflow(-2.0 * x)
    np.testing.assert_array_equal(2.0 * a.ranges, b.ranges)
    np.testing.assert_array_equal(a.counts, b.counts)


@given(levels)
@settings(deadline=None)
def test_largest_range_is_counted_and_residues_are_ordered(series):
    x = np.asarray(series, float)
    half, repeat, ignore = (rainflow(x, r) for r in ("half", "repeat", "ignore"))
    if np.ptp(x) > 0:
        assert half.ranges.max() == np.ptp(x) == repeat.ranges.max()
    assert ignore.total <= min(half.total, repeat.total)


@given(levels, st.lists(st.integers(1, 20), min_size=1, max_size=8), st.sampled_from(["half", "repeat", "ignore"]))
@settings(deadline=None)
def test_counting_in_the_loop_is_the_count_of_the_series(series, sizes, residue):
    x = np.asarray(series, float)[:, None]
    counters = Counters(1, [0], [3.0, 5.5], residue)
    start = 0
    while start < len(x):
        size = sizes[start % len(sizes)]
        counters.add(x[start : start + size])
        start += size
    counts, cycles = counters.counts(), rainflow(x[:, 0], residue)
    expected = [damage_sum(cycles.ranges, cycles.counts, m) for m in (3.0, 5.5)]
    np.testing.assert_allclose(counts.damage[0], expected, rtol=1e-12)
    assert counts.cycles[0].sum() == cycles.total


@given(st.lists(st.integers(-20, 20), max_size=60))
@settings(deadline=None)
def test_three_points_count_what_four_points_count(values):
    """The rule of the standard as printed against the four-point rule with half cycles: ranges, means and counts."""
    from gearwright.results.rainflow import rainflow

    four, three = rainflow(values, "half"), rainflow(values, "half", rule="three_point")

    def sums(c):
        table = {}
        for r, m, n in zip(c.ranges, c.means, c.counts, strict=True):
            table[(r, m)] = table.get((r, m), 0.0) + n
        return {k: v for k, v in table.items() if k[0] > 0}

    assert sums(four) == sums(three)


def test_three_points_of_the_standard():
    """ASTM E1049-85, Fig. 6: -2, 1, -3, 5, -1, 3, -4, 4, -2 gives ranges 3, 4, 6, 8, 9 with 0.5, 1.5, 0.5, 1.0, 0.5."""
    from gearwright.results.rainflow import rainflow

    c = rainflow([-2, 1, -3, 5, -1, 3, -4, 4, -2], rule="three_point")
    found = {r: c.counts[c.ranges == r].sum() for r in np.unique(c.ranges)}
    assert found == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    with pytest.raises(ValueError, match="four_point"):
        rainflow([0, 1, 0], "repeat", rule="three_point")
