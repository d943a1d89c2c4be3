"""Fatigue of shafts from a run against closed forms."""

import math
from pathlib import Path

import numpy as np
import pytest

from gearwright.analyses.life import life_of
from gearwright.results.counters import Counters
from gearwright.running.run import simulate
from gearwright.train.open import load

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("amplitude", [6.0, 5.3, 4.1])
def test_a_sine_does_the_damage_of_its_amplitude(tmp_path, amplitude):
    """C14: every cycle is the same, T sin about a mean: stress 16 K T / (pi d^3), cycles of a year over those of the
    straight line through (1e4, 400 MPa) and (1e6, 150 MPa). Half a cycle of 100 s is not closed: 0.5 %, and 0.1 % for what
    sampling at 5 ms misses of a peak."""
    place = tmp_path / "sine.nc"
    edits = [f"cases.0.loads.{i}.torque.sine.amplitude={s}{amplitude} kN m" for i, s in enumerate(("", "-"))]
    simulate(load(DATA / "shaft-life.yaml", edits), "sine", output=place)
    stress = 1.5 * 16.0 * 1e3 * amplitude / (math.pi * 0.062**3)
    slope = math.log(100.0) / math.log(400.0 / 150.0)
    if stress < 150e6:
        slope = 2.0 * slope - 1.0  # Haibach's beyond the last point
    life = 1e6 * (150e6 / stress) ** slope
    row = next(r for r in life_of(place).components if r.element == "s")
    assert row.damage == pytest.approx(365.25 * 86400.0 / life, rel=6e-3)


def test_bins_keep_the_mean_range_of_their_cycles_while_they_are_joined():
    """The sum of all ranges and their number survive any growth of the bins (conservation)."""
    rng = np.random.default_rng(3)
    counters = Counters(1, [0], [1.0], "ignore")
    for scale in (1.0, 3.0, 40.0, 900.0):
        counters.add(scale * rng.standard_normal((4000, 1)))
    counts = counters.counts()
    assert (counts.cycles * counts.cycle_range).sum() == pytest.approx(counts.damage.sum(), rel=1e-12)
    inside = (counts.cycle_range >= counts.cycle_edges[:, :-1]) & (counts.cycle_range <= counts.cycle_edges[:, 1:])
    assert inside.all()
