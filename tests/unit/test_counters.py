"""Counting in the loop against NumPy, the rainflow package and itself in other chunks."""

import numpy as np
import pytest
import rainflow as oracle

from gearwright.results.counters import CountError, Counters
from gearwright.results.filter import Decimator

EXPONENTS = (3.0, 4.0, 10.0, 2.5)


def noisy(samples=5000, channels=4, seed=1):
    """Loads of very different size: offset, small, negative, coloured."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(samples, channels))
    return np.ascontiguousarray(x * [1.0, 1e-6, 3e5, 10.0] + [0.0, 1.0, -2e6, 0.0] + [0, 0, 0, 1] * x.cumsum(axis=0))


def count(x, sizes=None, counted=(0, 1, 2, 3), **options):
    counters = Counters(x.shape[1], counted, EXPONENTS, **options)
    start = 0
    for size in sizes or [len(x)]:
        counters.add(x[start : start + size])
        start += size
    assert start == len(x)
    return counters.counts()


def test_extremes_moments_and_their_instants():
    x = noisy()
    c = count(x)
    np.testing.assert_array_equal(c.minimum, x.min(axis=0))
    np.testing.assert_array_equal(c.maximum, x.max(axis=0))
    np.testing.assert_array_equal(c.minimum_at, x.argmin(axis=0))
    np.testing.assert_array_equal(c.maximum_at, x.argmax(axis=0))
    np.testing.assert_allclose(c.mean, x.mean(axis=0), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(c.standard_deviation, x.std(axis=0), rtol=1e-10)


def test_deviation_survives_a_mean_a_billion_times_larger():
    """A sine of amplitude 1 over whole periods has the deviation 1/sqrt(2), whatever it rides on."""
    k = np.arange(100_000)
    x = (1e9 + np.sin(2 * np.pi * k / 100))[:, None]
    assert count(x, counted=(0,)).standard_deviation[0] == pytest.approx(np.sqrt(0.5), rel=1e-6)


@pytest.mark.parametrize("residue", ["half", "repeat", "ignore"])
def test_chunks_do_not_matter(residue):
    x = noisy()
    whole = count(x, residue=residue)
    parts = count(x, sizes=[1, 1, 2, 300, 7, 2048, 2641], residue=residue)
    for name in ("minimum", "maximum", "minimum_at", "maximum_at", "cycles", "cycle_edges", "samples_at_level",
                 "level_edges", "block_low", "block_high"):  # fmt: skip
        np.testing.assert_array_equal(getattr(whole, name), getattr(parts, name), err_msg=name)
    np.testing.assert_allclose(whole.damage, parts.damage, rtol=1e-12)
    np.testing.assert_allclose(whole.mean, parts.mean, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(whole.block_mean, parts.block_mean, rtol=1e-12, atol=1e-9)


def test_cycles_agree_with_the_rainflow_package():
    x = noisy()
    c = count(x)
    for j in range(4):
        ranges, counts = np.array(oracle.count_cycles(x[:, j])).T
        expected = [(counts * ranges**m).sum() for m in EXPONENTS]
        np.testing.assert_allclose(c.damage[j], expected, rtol=1e-9)
        binned, _ = np.histogram(ranges, c.cycle_edges[j], weights=counts)
        np.testing.assert_allclose(c.cycles[j], binned)
        assert c.cycle_edges[j][-1] >= ranges.max() > c.cycle_edges[j][63]  # at least half of the bins are used


def test_time_at_level():
    x = noisy()
    c = count(x)
    for j in range(4):
        expected, _ = np.histogram(x[:, j], c.level_edges[j])
        np.testing.assert_array_equal(c.samples_at_level[j], expected)
        assert c.samples_at_level[j].sum() == len(x)
        assert np.count_nonzero(c.samples_at_level[j]) > 20


def test_bins_lie_on_one_grid():
    """Widths are powers of two and edges multiples of them, so that runs can be added."""
    c = count(noisy())
    for edges in (*c.cycle_edges, *c.level_edges):
        width = edges[1] - edges[0]
        assert np.log2(width) == round(np.log2(width))
        np.testing.assert_array_equal(edges / width, np.rint(edges / width))


def test_constant_load():
    c = count(np.full((1000, 1), 5.0), counted=(0,))
    assert c.damage.sum() == 0.0 and c.cycles.sum() == 0.0
    assert c.standard_deviation[0] == 0.0 and c.minimum[0] == c.maximum[0] == 5.0
    bin_of = np.flatnonzero(c.samples_at_level[0])
    assert len(bin_of) == 1 and c.samples_at_level[0, bin_of[0]] == 1000
    middle = c.level_edges[0, bin_of[0] : bin_of[0] + 2].mean()
    assert middle == pytest.approx(5.0, rel=1e-8)


def test_a_residue_of_any_length_is_held():
    """Ever growing, then ever shrinking oscillations close nothing before the end."""
    k = np.arange(30_000)
    x = ((-1.0) ** k * np.minimum(k + 1, 30_001 - k))[:, None]
    c = count(x, counted=(0,), sizes=[10_000] * 3)
    ranges, counts = np.array(oracle.count_cycles(x[:, 0])).T
    np.testing.assert_allclose(c.damage[0], [(counts * ranges**m).sum() for m in EXPONENTS], rtol=1e-9)


def test_envelope_keeps_every_peak():
    x = noisy(samples=9000)
    c = count(x, blocks=100)
    size = c.block_samples
    assert size == 128 and len(c.block_low) == -(-9000 // size)
    for b in range(len(c.block_low)):
        part = x[b * size : (b + 1) * size]
        np.testing.assert_array_equal(c.block_low[b], part.min(axis=0))
        np.testing.assert_array_equal(c.block_high[b], part.max(axis=0))
        np.testing.assert_allclose(c.block_mean[b], part.mean(axis=0), rtol=1e-9, atol=1e-9)


def test_discarded_rows_enter_the_envelope_only():
    x = noisy()
    counters = Counters(4, [0, 1, 2, 3], EXPONENTS)
    counters.add(x[:1000], counting=False)
    counters.add(x[1000:])
    c, expected = counters.counts(), count(np.ascontiguousarray(x[1000:]))
    assert c.samples == 4000
    np.testing.assert_allclose(c.damage, expected.damage, rtol=1e-12)
    np.testing.assert_array_equal(c.maximum, expected.maximum)
    np.testing.assert_array_equal(c.maximum_at, expected.maximum_at + 1000)
    np.testing.assert_array_equal(c.block_high.max(axis=0), x.max(axis=0))


def test_nothing_counted_is_not_a_number():
    c = Counters(2, [0], EXPONENTS).counts()
    assert c.samples == 0 and np.isnan(c.mean).all() and np.isnan(c.minimum).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_is_named(bad):
    x = noisy()
    x[3210, 2] = bad
    counters = Counters(4, [0], EXPONENTS)
    counters.add(np.ascontiguousarray(x[:1000]))
    with pytest.raises(CountError) as error:
        counters.add(np.ascontiguousarray(x[1000:]))
    assert (error.value.column, error.value.sample) == (2, 3210)


# --- the filter before decimation ------------------------------------------------------------------------


def decimate(x, ratio, sizes):
    d = Decimator(ratio, x.shape[1])
    out, start = [], 0
    for size in sizes:
        out.append(d.add(x[start : start + size]))
        start += size
    assert start == len(x)
    return np.concatenate([*out, d.finish()])


@pytest.mark.parametrize("ratio", [2, 5, 7, 10, 50, 200])
def test_pass_band_is_flat_and_without_delay(ratio):
    """A line at 0.39 of the stored rate is kept within 0.1 %, in phase."""
    k = np.arange(1, 400 * ratio + 1)
    x = np.cos(2 * np.pi * 0.39 * k / ratio)[:, None]
    out = decimate(x, ratio, [len(x)])[:, 0]
    stored = k[ratio - 1 :: ratio]
    expected = np.cos(2 * np.pi * 0.39 * stored / ratio)
    assert len(out) == len(stored)
    np.testing.assert_allclose(out[25:-25], expected[25:-25], rtol=0, atol=1.0e-3)


@pytest.mark.parametrize("ratio", [2, 5, 7, 10, 50, 200])
def test_stop_band_is_sixty_decibels_down(ratio):
    """Whatever lies above 0.6 of the stored rate comes back smaller than a thousandth."""
    rng = np.random.default_rng(2)
    frequency = np.concatenate([[0.6 / ratio, 0.5], rng.uniform(0.6 / ratio, 0.5, 60)])
    k = np.arange(60 * ratio)
    x = np.cos(2 * np.pi * frequency * k[:, None] + rng.uniform(0, 6, len(frequency)))
    out = decimate(x, ratio, [len(x)])
    assert np.abs(out[25:-25]).max() < 1.0e-3


@pytest.mark.parametrize("length", [3, 17, 40, 1003])
def test_levels_and_slopes_survive_to_both_ends(length):
    k = np.arange(length)
    x = np.stack([np.full(length, 3.0), 2.0 - 0.5 * k], axis=1)
    out = decimate(x, 5, [length])
    np.testing.assert_allclose(out, x[4::5], atol=1e-9)


def test_decimation_in_chunks():
    x = noisy(samples=3000)
    np.testing.assert_allclose(decimate(x, 10, [3000]), decimate(x, 10, [1, 50, 49, 900, 1000, 1000]), rtol=1e-12)


def test_ratio_one_changes_nothing():
    x = noisy(samples=100)
    np.testing.assert_array_equal(decimate(x, 1, [60, 40]), x)


def test_one_swing_closes_hundreds_of_waiting_cycles():
    """A decaying oscillation closes nothing; the swing after it closes all of it within one tile."""
    k = np.arange(3000)
    x = np.append(np.where(k % 2, -1.0, 1.0) * (3000.0 - k), [4000.0, -4000.0, 0.0])[:, None]
    c = count(x, sizes=[1000, 1000, 1003], counted=(0,))
    cycles = [(r, n) for r, _, n, _, _ in oracle.extract_cycles(x[:, 0])]
    np.testing.assert_allclose(c.damage[0], [sum(n * r**m for r, n in cycles) for m in EXPONENTS], rtol=1e-12)
    assert c.cycles.sum() == sum(n for _, n in cycles)


@pytest.mark.parametrize("sizes", [None, [1, 7, 992, 4000]])
def test_range_mean_matrix_is_that_of_the_rainflow_package(sizes):
    x = noisy()
    c = count(x, sizes)
    for j in range(4):
        cycles = np.array([[r, m, n] for r, m, n, _, _ in oracle.extract_cycles(x[:, j])])
        rows, columns = c.cycle_edges[j][::4], c.level_edges[j][::8]
        want = np.histogram2d(cycles[:, 0], cycles[:, 1], [rows, columns], weights=cycles[:, 2])[0]
        # a cycle whose range or mean lies on an edge but for rounding may fall on either side
        assert np.abs(c.range_mean[j] - want).sum() <= 2
        assert c.range_mean[j].sum() == pytest.approx(c.cycles[j].sum()) == pytest.approx(cycles[:, 2].sum())


@pytest.mark.parametrize("residue", ["half", "repeat", "ignore"])
def test_range_mean_matrix_adds_up_to_the_ranges(residue):
    c = count(noisy(seed=3), residue=residue)
    rows = c.cycles.reshape(4, -1, 4).sum(axis=2)
    np.testing.assert_array_equal(c.range_mean.sum(axis=2), rows)
