"""B19: data without spread, with spread by rounding alone, of zeros and of one sample are data like others."""

import math
from pathlib import Path

import numpy as np
import pytest

import gearwright
from gearwright.analyses.life import life_of
from gearwright.figures.drawing import ticks
from gearwright.figures.format import MINUS, NARROW_SPACE, number
from gearwright.rating.extremes import bootstrap, gumbel, seeds_needed
from gearwright.rating.lifetime import Spectrum
from gearwright.results.bins import apart, even_edges
from gearwright.results.rainflow import rainflow

STEADY = Path(__file__).parent.parent / "data" / "steady-life.yaml"
LEVEL = 33333.333333333336
#: name -> series; levels of three planets under a constant load differ by an ulp
SERIES = {
    "zeros": np.zeros(9), "one sample": np.array([7.0]), "constant": np.full(9, LEVEL),
    "rounding": np.array([LEVEL, np.nextafter(LEVEL, 0.0), np.nextafter(LEVEL, 1e9)] * 3), "denormal": np.array([0.0, 5e-324] * 5),
    "negative": np.full(5, -4.0), "denormal below zero": np.array([-5e-324] * 4), "large": np.array([-1e150, 1e150] * 4),
}  # fmt: skip


@pytest.mark.parametrize("name", SERIES)
@pytest.mark.parametrize("bins", [1, 64, 4096])
def test_no_amount_is_lost_in_bins(name, bins):
    x = SERIES[name]
    edges = even_edges(float(x.min()), float(x.max()), bins)
    assert len(edges) == bins + 1 and (np.diff(edges) > 0.0).all() and edges[0] <= x.min() and edges[-1] >= x.max()
    spectrum = Spectrum(x, np.ones(len(x))).binned(bins)
    assert spectrum.amounts.sum() == len(x)
    if not apart(x.min(), x.max()):
        assert len(spectrum.levels) == 1 and spectrum.levels[0] == x.min()  # one level, not 64 of rounding
    cycles = rainflow(x)
    for counts in (cycles.spectrum(bins)[0], *([cycles.markov_matrix(bins).counts] if bins < 100 else [])):
        assert counts.sum() == cycles.total


@pytest.mark.parametrize("name", ["zeros", "constant", "rounding", "denormal"])
def test_maxima_that_are_the_same_have_no_scatter(name):
    """The interval of a mean that does not scatter is the mean; no Gumbel distribution has scale zero."""
    x = np.resize(SERIES[name], 6)
    found = bootstrap(x, lambda s: s.mean(axis=-1))
    assert found.low == found.value == found.high == x.mean()
    assert seeds_needed(x) == 2
    with pytest.raises(ValueError, match="all the same"):
        gumbel(x)


@pytest.mark.parametrize(
    "low, high", [(0.0, 0.0), (0.0, 5e-324), (1.0, np.nextafter(1.0, 2.0)), (-1e308, 1e308), (0.0, math.inf)]
)
def test_an_axis_without_extent_has_one_tick(low, high):
    assert ticks(low, high) == [low]


def test_numbers_of_any_size_are_written():
    """By hand: 4.940656e-324 is the least there is."""
    narrow = NARROW_SPACE
    assert number(5e-324) == f"4.941{narrow}×{narrow}10⁻³²⁴"
    assert number(-1.7976931348623157e308, 3) == f"{MINUS}1.80{narrow}×{narrow}10³⁰⁸"
    assert number(9.99996, 4) == "10.00" and number(0.00012345, 3) == "0.000123"


def test_a_constant_load_is_rated(tmp_path):
    """The commonest rating of all. By hand: three pins share 18 kN m at 180 mm (27 + 33 teeth of module 6), planets turn
    93/33 times as fast as their carrier at 40 rpm, and a roller bearing's life is (C/P)^(10/3) million turns."""
    gearwright.simulate(gearwright.load(STEADY), duration=1.2, output=tmp_path / "s.nc")
    lives = {row.element: row.life_hours for row in life_of(tmp_path / "s.nc").components}
    turns = (300e3 / (18e3 / 3 / 0.18)) ** (10 / 3) * 1e6
    for planet in (1, 2, 3):
        assert lives[f"p.planet{planet}_bearing"] == pytest.approx(turns / (40.0 * 93 / 33 * 60), rel=1e-6)
