"""Slope and low-pass of sampled signals: exact where a closed form says what they are."""

import numpy as np
import pytest

from gearwright.fleets.observer import Observer, corner_for, noise_of

RATES = [(50.0, 20.0), (20.0, 9.0), (10.0, 4.5), (5.0, 2.25), (1000.0, 20.0)]


def instants(observer: Observer, samples: int) -> np.ndarray:
    """Times of the answers to samples at 0, dt, 2 dt ..., by the words of the class."""
    parts = len(observer.slope)
    count = samples - 2 * observer.reach + 1
    return (observer.reach - 1 + np.arange(count * parts) / parts) * observer.interval


@pytest.mark.parametrize("rate, corner", RATES)
def test_a_swing_below_the_corner_keeps_amplitude_and_phase(rate, corner):
    """A 2.03 Hz swing, the first mode of the 5 MW train, between its samples too: within 0.5 %."""
    observer = Observer.design(1.0 / rate, corner)
    t = np.arange(round(30 * rate)) / rate
    w = 2 * np.pi * 2.03
    seen = observer.observe(1.0 + np.sin(w * t + 0.3), np.cos(w * t))
    at = instants(observer, len(t))
    assert len(at) == len(seen.torque) == len(seen.acceleration) == len(seen.speed)
    assert np.abs(seen.torque - 1.0 - np.sin(w * at + 0.3)).max() < 5e-3
    assert np.abs(seen.acceleration + w * np.sin(w * at)).max() < 5e-3 * w
    assert np.abs(seen.speed - np.cos(w * at)).max() < 5e-3


@pytest.mark.parametrize("rate, corner", RATES)
def test_a_constant_passes_and_has_no_slope(rate, corner):
    observer = Observer.design(1.0 / rate, corner)
    seen = observer.observe(np.full(400, 7.0), np.full(400, 120.0))
    assert np.abs(seen.torque - 7.0).max() < 1e-10
    assert np.abs(seen.acceleration).max() < 1e-8 * rate * 120.0


def test_answers_come_at_least_fifty_times_a_second():
    for rate, corner in RATES:
        assert Observer.design(1.0 / rate, corner).step <= 0.02 + 1e-12


def test_a_stretch_that_is_too_short_has_no_answer():
    observer = Observer.design(0.05, 9.0)
    assert len(observer.observe(np.ones(2 * observer.reach - 1), np.ones(2 * observer.reach - 1)).torque) == 0
    assert len(observer.observe(np.ones(2 * observer.reach), np.ones(2 * observer.reach)).torque) == 3


@pytest.mark.parametrize("noise", [0.006, 0.06])
def test_white_noise_is_measured_beside_a_swing(noise):
    """4000 samples of a known normal distribution: the estimate scatters by a few percent."""
    t = np.arange(4000) / 20.0
    swing = 120.0 + 0.5 * np.sin(2 * np.pi * 2.0 * t)
    found = noise_of(swing + np.random.default_rng(3).normal(0.0, noise, len(t)))
    assert found == pytest.approx(noise, rel=0.1)


def test_a_noisy_speed_lowers_the_corner():
    assert corner_for(0.02, 0.0, 543.0, 4e4, 2.0) == 20.0
    assert corner_for(0.02, 0.006, 543.0, 4e4, 2.0) == 5.0
    assert corner_for(0.02, 0.06, 543.0, 4e4, 2.0) == 4.0
    assert corner_for(0.1, 0.0, 543.0, 4e4, 2.0) == pytest.approx(4.5)
