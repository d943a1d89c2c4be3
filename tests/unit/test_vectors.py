"""Loops over vectors against NumPy, at all lengths that leave a rest, and the product of tiles against its matrices."""

import numpy as np
import pytest

from gearwright.kernels.vectors import MOST, ROWS, TAPS, WIDTH, extremes, multiply_out, tiles, weighted
from gearwright.results.turning_points import turns


@pytest.mark.parametrize("length", [1, 2, 31, 32, 33, 64, 1000])
def test_extremes_are_those_of_numpy(length):
    x = np.random.default_rng(length).normal(size=length)
    assert extremes(x) == (x.min(), x.max())


def test_extremes_at_every_place():
    x = np.zeros(100)
    for i in range(100):
        x[i] = 1.0 + i
        assert extremes(x) == (0.0, 1.0 + i)
        x[i] = -1.0
        assert extremes(x)[0] == -1.0
        x[i] = 0.0


@pytest.mark.parametrize("length", [1, 2, 3, 64, 65, 66, 129, 500])
def test_slopes_that_change_are_found(length):
    """Against signs of differences; the first two samples are always named."""
    rng = np.random.default_rng(length)
    for x in (
        rng.normal(size=length),
        np.round(rng.normal(size=length).cumsum()),
        np.zeros(length),
        np.arange(length) * 1.0,
    ):
        place = np.zeros(length + 1, np.uint16)
        found = turns(x, place)
        slope = np.sign(np.diff(x))
        assert list(place[:found]) == [*range(min(2, length)), *(np.flatnonzero(np.diff(slope)) + 2)]


@pytest.mark.parametrize("length", [1, 3, 10, 20, 40])
@pytest.mark.parametrize("rows", [1, 2, MOST, MOST + 1, 50])
def test_product_of_tiles(rows, length):
    """Whole and shortened rows, to places in any order; sums of 37 products to rounding."""
    rng = np.random.default_rng(rows)
    channels, inner, stride = 7, 37, 40
    left = rng.normal(size=(rows + MOST, stride))
    right = rng.normal(size=(channels, inner, length))
    where = np.stack([rng.permutation(rows) * length, np.full(rows, length)], axis=1)
    where[-1, 1] = (length + 1) // 2
    columns = np.full((channels, 4 + rows * length), np.nan)
    multiply_out(left.ravel(), stride, tiles(right), where, 4, length, np.empty(MOST * WIDTH), columns)
    expected = np.full_like(columns, np.nan)
    for c in range(channels):
        for (begin, count), row in zip(where, left[:, :inner] @ right[c], strict=False):
            expected[c, 4 + begin : 4 + begin + count] = row[:count]
    np.testing.assert_allclose(columns, expected, rtol=0, atol=1e-13 * inner)


def test_product_without_channels_is_nothing():
    assert tiles(np.zeros((0, 5, 10))).shape == (0, 5, WIDTH)


def test_weighted_sums():
    rng = np.random.default_rng(1)
    weights, x = rng.normal(size=3 * TAPS), rng.normal(size=300)
    expected = [weights @ x[7 + 40 * r :][: len(weights)] for r in range(ROWS)]
    np.testing.assert_allclose(sums(weights, x, 7, 40), expected, rtol=1e-12)


def sums(weights, x, at, step):
    from gearwright.kernels import kernel

    @kernel
    def call(weights, x, at, step):
        return weighted(weights, x, at, step)

    return call(weights, x, at, step)
