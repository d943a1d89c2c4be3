"""Ratios of least gear volume: closed numbers, published gearboxes, what layouts can make."""

import math

import pytest

from gearwright.errors import DrivetrainError
from gearwright.sizing.ratings import layout_of, words_of
from gearwright.sizing.ratios import (
    LAYOUTS,
    layouts_for,
    least_volume,
    limits,
    neighbours_limit,
    parallel_volume,
    planetary_volume,
    usual_layout,
    volume,
)


def test_volumes_by_hand():
    """U 4, three planets: m 1, (1 + 1)(1 + 3 + 0.4 9)/3; U 6: m 2, 1.5 (1 + 12 + 0.4 25)/3; parallel 4: 1.25 17."""
    assert planetary_volume(4.0, 3) == pytest.approx(2.0 * 7.6 / 3.0)
    assert planetary_volume(6.0, 3) == pytest.approx(11.5)
    assert parallel_volume(4.0) == pytest.approx(21.25)


@pytest.mark.parametrize(
    ("layout", "published"),
    [
        ("3+3+par", (3.947, 6.167, 3.958)),
        ("3+par+par", (5.714, 3.565, 4.0)),
        ("3+par+par", (5.55, 4.05, 2.483)),
        ("5+3+par", (4.423, 5.192, 2.179)),
    ],
)
def test_no_published_ratios_beat_the_optimum_by_volume(layout, published):
    """The optimum is flat: what was built lies within 5.3 % above it, and never below."""
    layout = layout_of(layout)
    best = least_volume(math.prod(published), layout, bounded=False)
    assert math.prod(best) == pytest.approx(math.prod(published), rel=1e-9)
    assert 1.0 <= volume(published, layout) / volume(best, layout) < 1.053
    for k in range(len(best)):  # a step to either side costs volume
        for step in (0.99, 1.01):
            other = list(best)
            other[k] *= step
            other[k - 1] /= step
            assert volume(other, layout) >= volume(best, layout)


def test_one_planetary_stage_against_a_parallel_one_by_scanning():
    """The optimum of two stages equals the least of 20 000 splits."""
    ratio, layout = 20.0, (3, 0)
    scanned = min((volume((u, ratio / u), layout), u) for u in (2.2 + 0.0005 * k for k in range(20_000)))
    assert least_volume(ratio, layout, bounded=False)[0] == pytest.approx(scanned[1], abs=1e-3)


def test_planets_that_just_touch():
    """At the limit the tips of neighbouring planets touch: distance of their centres equals twice their tip radius."""
    for n, printed in ((3, 13.5), (4, 6.18), (5, 4.39), (6, 3.62), (7, 3.20)):
        u = neighbours_limit(n, sun=21, room=0.0)
        planet = 21 * (0.5 * u - 1.0)
        assert (21 + planet) * math.sin(math.pi / n) == pytest.approx(planet + 2.0)
        assert u == pytest.approx(printed, rel=5e-3)


def test_layouts_make_what_their_stages_can():
    for layout in layouts_for(50.0):
        found = least_volume(50.0, layout)
        assert math.prod(found) == pytest.approx(50.0)
        assert all(limits(n)[0] * 0.999 <= u <= limits(n)[1] * 1.001 for u, n in zip(found, layout, strict=True))
    assert usual_layout(83.0, 2e6) == (3, 0, 0) and usual_layout(97.0, 5e6) == (3, 3, 0)
    with pytest.raises(DrivetrainError, match=r"makes ratios from 1\.5 to 5\.6, not 50"):
        least_volume(50.0, (0,))
    with pytest.raises(DrivetrainError, match="no layout"):
        usual_layout(1000.0, 1e6)


def test_words_of_layouts_go_both_ways():
    for layout in LAYOUTS:
        assert layout_of(words_of(layout)) == layout
    for wrong in ("2", "par+x", "", "8+par", "3+par+par+par+par"):
        with pytest.raises(DrivetrainError, match="layout"):
            layout_of(wrong)
