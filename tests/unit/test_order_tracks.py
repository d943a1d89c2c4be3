"""C13, C44: amplitude of an order along a run-up or coast-down, and its resonances.

Truth: one mode shaken by cos(order x angle), by SciPy, whose own largest swing is the envelope.
"""

import numpy as np
import pytest
from scipy.signal import cont2discrete, lfilter

from gearwright.results.order_tracks import order_track, resonances

RPM = 30.0 / np.pi
FINE = 20
OTHERS = [0.5, 1.0, 3.0, 44.0, 66.0]


def swept(natural, damping, order, rpm, duration, rate=1000.0):
    """Time, response about zero and shaft speed of x'' + 2 z w x' + w^2 x = w^2 cos(order phi) under an even run-up or coast-down."""
    w, (first, last) = 2 * np.pi * natural, (v / RPM for v in rpm)
    gain = (last - first) / duration
    fine = np.arange(int(duration * rate) * FINE) / (rate * FINE)
    force = w**2 * np.cos(order * (first * fine + 0.5 * gain * fine**2))
    # exact for a force that is straight between samples of a twentieth of a millisecond: (2 pi 220 Hz h)^2 / 12 = 4e-4 of it at most
    over, under, _ = cont2discrete(([1.0], [1.0, 2 * damping * w, w**2]), 1.0 / (rate * FINE), method="foh")
    t = fine[::FINE]
    return t, lfilter(over[0], under, force)[::FINE], first + gain * t


@pytest.mark.slow
@pytest.mark.parametrize("damping, rpm, duration", [
    (0.01, (60.0, 600.0), 120.0),  # slow: 0.7 s in the half-power band
    (0.01, (60.0, 600.0), 20.0),  # fast: the response has not risen to its steady value when the order is through
    (0.02, (60.0, 300.0), 6.0),
    (0.003, (60.0, 150.0), 40.0),  # light damping: beats behind the peak are no resonances
    (0.01, (200.0, 60.0), 60.0),  # coast-down
    (0.05, (60.0, 200.0), 60.0),
])  # fmt: skip
def test_peak_of_a_passed_resonance_is_that_of_the_series(damping, rpm, duration):
    t, x, speed = swept(30.0, damping, 22.0, rpm, duration)
    found = [r for r in resonances(5.0 + x, speed, t[1], [22.0, *OTHERS]) if r.at is None]
    k = int(np.argmax(np.abs(x)))
    assert [r.order for r in found] == [22.0]
    assert found[0].amplitude == pytest.approx(abs(x[k]), rel=0.1)
    assert found[0].speed == pytest.approx(speed[k], rel=0.03)
    assert found[0].frequency == pytest.approx(22.0 * found[0].speed / (2 * np.pi))


@pytest.mark.slow
def test_a_run_that_ends_in_the_resonance_has_its_peak_at_the_end():
    t, x, speed = swept(30.0, 0.01, 22.0, (60.0, 82.0), 40.0)
    (found,) = resonances(x, speed, t[1], [22.0, *OTHERS])
    assert found.at == "end" and found.order == 22.0
    assert found.amplitude == pytest.approx(np.abs(x).max(), rel=0.1)


def test_a_coast_down_from_the_resonance_has_its_peak_at_the_start():
    t, x, speed = swept(30.0, 0.01, 22.0, (60.0, 82.0), 40.0)
    (found,) = [r for r in resonances(x[::-1], speed[::-1], t[1], [22.0, *OTHERS]) if r.order == 22.0]
    assert found.at == "start" and found.amplitude == pytest.approx(np.abs(x).max(), rel=0.1)


def test_the_track_is_the_amplitude_of_the_order_beside_stronger_ones():
    """Orders 22 and 44 of known amplitude, 44 fifty times the other, and a mean of a thousand times."""
    t = np.arange(0.0, 60.0, 1e-3)
    speed = (100.0 + 5.0 * t) / RPM
    angle = (100.0 * t + 2.5 * t * t) / RPM
    amplitude = 1.0 + 0.01 * t
    x = 1000.0 + amplitude * np.sin(22 * angle) + 50.0 * np.cos(44 * angle)
    track = order_track(x, speed, 1e-3, 22.0, [1.0, 22.0, 44.0])
    assert track.amplitude[1:-1] == pytest.approx(1.0 + 0.01 * track.time[1:-1], rel=0.02)
    # the ends are drawn on from their blocks
    assert track.amplitude[[0, -1]] == pytest.approx([1.0, 1.6], rel=0.03)
    assert track.speed == pytest.approx(np.interp(track.time, t, speed), rel=1e-3)


@pytest.mark.slow
def test_noise_is_no_resonance():
    for seed in range(6):
        noise = np.random.default_rng(seed).standard_normal(60_000)
        assert resonances(noise, np.linspace(60.0, 300.0, len(noise)) / RPM, 1e-3, [22.0, *OTHERS]) == []


@pytest.mark.slow
def test_a_mode_that_rings_by_itself_is_hardly_ever_a_resonance_of_an_order():
    """A mode at 30 Hz shaken by noise: three orders cross it, none excites it. Its swings come and go, so one crossing in ten
    may meet a burst with quiet on one side."""
    w, z, h = 2 * np.pi * 30.0, 0.01, 1e-3
    found = []
    for seed in range(10):
        noise = np.random.default_rng(seed).standard_normal(60_000)
        ringing = lfilter([1.0], [1.0, -2 * np.exp(-z * w * h) * np.cos(w * h), np.exp(-2 * z * w * h)], noise)
        found += resonances(ringing, np.linspace(20.0, 100.0, len(noise)) / RPM, 1e-3, [22.0, 31.0, 44.0])
    assert len(found) <= 3


def test_round_off_and_lines_of_a_millionth_are_no_resonances():
    t, x, speed = swept(30.0, 0.01, 22.0, (60.0, 200.0), 20.0)
    lines = 1e-4 * np.cos(3.0 * np.cumsum(speed) * t[1]) * np.exp(-(((speed * RPM - 120.0) / 20.0) ** 2))
    assert [r.order for r in resonances(100.0 + x + lines, speed, t[1], [22.0, 3.0]) if r.at is None] == [22.0]
    assert resonances(200.0 + lines, speed, t[1], [22.0, 3.0]) == []


@pytest.mark.slow
def test_two_modes_of_one_order_are_two_resonances():
    t, one, speed = swept(20.0, 0.01, 22.0, (40.0, 200.0), 60.0)
    _, two, _ = swept(45.0, 0.01, 22.0, (40.0, 200.0), 60.0)
    found = resonances(one + two, speed, t[1], [22.0])
    assert sorted(r.frequency for r in found) == pytest.approx([20.0, 45.0], rel=0.05)
    for part in (one, two):
        assert any(r.amplitude == pytest.approx(np.abs(part).max(), rel=0.1) for r in found)


def test_orders_that_no_block_tells_apart_are_one_peak_with_both_names():
    t, x, speed = swept(30.0, 0.02, 22.0, (60.0, 120.0), 20.0)
    (found,) = [r for r in resonances(x, speed, t[1], [22.0, 22.01]) if r.at is None]
    assert {found.order, *found.merged} == {22.0, 22.01}


def test_a_shaft_that_reverses_has_no_tracks():
    with pytest.raises(ValueError, match="one sense"):
        resonances(np.sin(np.arange(4000.0)), np.linspace(-1.0, 1.0, 4000), 1e-3, [1.0])
