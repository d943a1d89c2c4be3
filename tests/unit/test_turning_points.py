"""What a swing does between samples: closed forms of sines, kinks, steps and contacts."""

import numpy as np
import pytest
import rainflow as oracle

from gearwright.results.counters import Counters, Counts
from gearwright.system import Leaps

EXPONENTS = (3.0, 10.0)
#: samples of a period, by which much a parabola may miss a crest: its vertex against cos at the half of an interval, closed form below
PER_PERIOD = 10.0


def counted(series, between=True, leaps=None, cuts=()):
    x = np.ascontiguousarray(np.asarray(series, float)[:, None])
    counters = Counters(1, (0,), EXPONENTS, between=between)
    edges = [0, *cuts, len(x)]
    for start, end in zip(edges[:-1], edges[1:], strict=True):
        counters.leap(None if leaps is None else leaps.part(start, end, 0))
        counters.add(x[start:end])
    return counters.counts()


def worst_vertex(samples: float) -> float:
    """What a parabola through samples at -3/2, -1/2 and 1/2 of an interval makes of the crest of a cosine: the worst place of a crest."""
    step = 2.0 * np.pi / samples
    near, far = np.cos(step / 2.0), np.cos(1.5 * step)
    return float(near + (near - far) / 8.0)


@pytest.mark.parametrize("phase", np.linspace(0.0, 0.5, 7))
def test_crests_of_a_sine_are_met_by_a_third_of_a_percent(phase):
    """Ten samples a period: a sample misses the crest by up to 1 - cos(pi/10) = 4.9 %, the parabola by 0.35 %; ranges alike."""
    x = 3.0 * np.cos(2.0 * np.pi * (np.arange(400) + phase) / PER_PERIOD)
    least = worst_vertex(PER_PERIOD)
    assert 1.0 - least == pytest.approx(0.0035, abs=2e-4)
    c = counted(x)
    for value in (c.maximum[0], -c.minimum[0]):
        assert 3.0 * least - 1e-12 <= value <= 3.0 + 1e-12
    # 39 whole swings of range 6 and what is cut at both ends
    equivalent = (c.damage[0] / 39.0) ** (1.0 / np.array(EXPONENTS)) / 6.0
    assert (np.abs(equivalent - 1.0) < 0.01).all()


def test_the_sample_alone_misses_a_crest_by_five_percent():
    """What the parabola is for: the crest halfway between two samples."""
    x = np.cos(2.0 * np.pi * (np.arange(400) + 0.5) / PER_PERIOD)
    assert counted(x, between=False).maximum[0] == pytest.approx(np.cos(np.pi / PER_PERIOD))
    assert counted(x).maximum[0] == pytest.approx(worst_vertex(PER_PERIOD))


@pytest.mark.parametrize("cuts", [(1, 2, 3, 4, 5, 6), (499,), tuple(range(7, 1000, 7))])
def test_cuts_change_nothing(cuts):
    rng = np.random.default_rng(4)
    x = np.cumsum(rng.normal(size=1000)) + 5.0 * np.sin(np.arange(1000))
    at = np.sort(rng.choice(1000, 60, replace=False))
    leaps = Leaps(at, np.zeros(60, np.int64), *(30.0 * rng.normal(size=(2, 60))))
    whole, parts = counted(x, leaps=leaps), counted(x, leaps=leaps, cuts=cuts)
    for name in Counts.__dataclass_fields__:
        np.testing.assert_allclose(getattr(whole, name), getattr(parts, name), rtol=1e-9, atol=1e-9, err_msg=name)


def test_cycles_are_those_of_the_turning_points():
    """The rainflow package, on a series whose crests and troughs are replaced by vertices of parabolas through three samples."""
    k = np.arange(3000)
    x = np.sin(0.31 * k) + 0.4 * np.sin(0.047 * k + 1.0) + 0.2 * np.sin(0.113 * k)
    a, b, c = x[:-2], x[1:-1], x[2:]
    turns = (b - a) * (c - b) < 0.0
    raised = x.copy()
    raised[1:-1][turns] = (b - (a - c) ** 2 / (8.0 * (a - 2.0 * b + c)))[turns]
    expected = [(low, count) for low, _, count, _, _ in oracle.extract_cycles(raised)]
    found = counted(x)
    for e, m in enumerate(EXPONENTS):
        assert found.damage[0, e] == pytest.approx(sum(n * r**m for r, n in expected), rel=2e-3)
    assert found.maximum[0] == pytest.approx(raised.max(), rel=1e-9) and found.minimum[0] == pytest.approx(raised.min())


@pytest.mark.parametrize("place", np.linspace(0.0, 0.95, 6))
def test_a_kink_is_never_exceeded(place):
    """Of a triangle with its tip at 1 the lines through two samples on either side meet in the tip: no sample and no parabola goes beyond."""
    x = 1.0 - 0.1 * np.abs(np.arange(-9, 10) + place)
    assert x.max() <= counted(x).maximum[0] <= 1.0 + 1e-12


def test_behind_a_step_nothing_overshoots():
    """A load that steps from 0 to 10 and then falls by 0.1 a sample was 10 at most where its sample is; a parabola alone says 11.2."""
    x = [0.0, 0.0, 0.0, 10.0, 9.9, 9.8, 9.7]
    assert counted(x).maximum[0] == pytest.approx(10.0, abs=0.06)
    assert counted(x[::-1]).maximum[0] == pytest.approx(10.0, abs=0.06)


@pytest.mark.parametrize(
    "x", [[4.0, 2.0, 0.0, 0.0, 0.0, 2.0], [9.0, 5.0, 0.1, 1.0, 6.0, 9.0], [9.0, 5.0, 0.0, 1.0, 6.0, 9.0]]
)
def test_a_contact_never_pulls(x):
    """What touches zero between samples touches it: a mesh that lets go has no force of the other sign."""
    assert counted(x).minimum[0] >= 0.0


def test_no_parabola_lies_across_a_leap():
    """Between 1 and 5 the load leapt: its limits are known, and nothing is smooth there."""
    x = np.array([0.9, 1.0, 1.0, 5.0, 4.0, 4.5, 5.0])
    leap = Leaps(np.array([3]), np.zeros(1, np.int64), np.array([1.1]), np.array([5.5]))
    found = counted(x, leaps=leap)
    assert (found.minimum[0], found.maximum[0]) == (0.9, 5.5)
    assert found.maximum_at[0] == 3


def test_measured_series_are_counted_as_they_are():
    """Counters of others' samples count these alone."""
    x = np.random.default_rng(1).normal(size=500)
    c = counted(x, between=False)
    assert (c.minimum[0], c.maximum[0]) == (x.min(), x.max())
    assert c.maximum_at[0] == x.argmax()
