"""Spectra and orders against closed forms."""

import numpy as np
import pytest

from gearwright.results.order_tracks import resonances
from gearwright.results.orders import order_map, over_angle, shaft_angle
from gearwright.results.spectra import amplitude_spectrum, power_spectral_density


@pytest.mark.parametrize("window", ["hann", "boxcar", "flattop"])
def test_density_adds_up_to_the_variance(window):
    rng = np.random.default_rng(0)
    x = 7.0 + 2.0 * rng.normal(size=200_000)
    spectrum = power_spectral_density(x, 0.01, segment=20.0, window=window)
    area = spectrum.value.sum() * (spectrum.frequency[1] - spectrum.frequency[0])
    assert area == pytest.approx(4.0, rel=0.02)
    # white noise: one level up to half the sampling rate
    assert spectrum.value[10:-10].mean() == pytest.approx(4.0 / 50.0, rel=0.02)
    assert window in spectrum.method and "20 s" in spectrum.method


def test_density_of_a_sine():
    """The area under the line is half the square of the amplitude."""
    t = np.arange(100_000) * 0.01
    x = 3.0 * np.sin(2 * np.pi * 2.0 * t)
    spectrum = power_spectral_density(x, 0.01, segment=50.0)
    assert spectrum.value.sum() * spectrum.frequency[1] == pytest.approx(4.5, rel=1e-6)
    assert spectrum.frequency[spectrum.value.argmax()] == pytest.approx(2.0)


@pytest.mark.parametrize("window", ["hann", "boxcar", "flattop"])
def test_amplitude_of_sines(window):
    t = np.arange(1000) * 0.01
    x = 5.0 + 3.0 * np.sin(2 * np.pi * 2.0 * t + 0.3) + 0.2 * np.cos(2 * np.pi * 11.0 * t)
    spectrum = amplitude_spectrum(x, 0.01, window)
    at = {f: i for i, f in enumerate(np.round(spectrum.frequency, 6))}
    assert spectrum.value[at[2.0]] == pytest.approx(3.0, rel=1e-9)
    assert spectrum.value[at[11.0]] == pytest.approx(0.2, rel=1e-6)
    assert spectrum.value[0] == pytest.approx(5.0)


def test_spectra_refuse_what_they_cannot_do():
    with pytest.raises(ValueError, match="does not fit"):
        power_spectral_density(np.zeros(100), 0.01, segment=5.0)
    with pytest.raises(ValueError, match="finite"):
        amplitude_spectrum([0.0, np.nan, 1.0], 0.01)
    with pytest.raises(ValueError, match="two samples"):
        power_spectral_density([1.0], 0.01)


# --- orders ----------------------------------------------------------------------------------------------

T = np.arange(0, 20.0, 1e-3)
SPEED = 20.0 + 4.0 * T  # rad/s, a run-up
ANGLE = 20.0 * T + 2.0 * T**2


def test_shaft_angle_is_the_integral_of_speed():
    np.testing.assert_allclose(shaft_angle(SPEED, 1e-3), ANGLE, rtol=1e-12, atol=1e-10)
    np.testing.assert_allclose(shaft_angle(np.cos(T), 1e-3), np.sin(T), atol=1e-10)


def test_series_over_angle():
    angle, values = over_angle(np.sin(3 * ANGLE), ANGLE, 64)
    np.testing.assert_allclose(np.diff(angle), 2 * np.pi / 64)
    np.testing.assert_allclose(values, np.sin(3 * angle), atol=1e-4)
    back, values = over_angle(np.sin(3 * ANGLE), -ANGLE, 64)
    np.testing.assert_allclose(values, -np.sin(3 * back), atol=1e-4)
    with pytest.raises(ValueError, match="one sense"):
        over_angle(np.sin(T), np.sin(T), 64)


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_order_map_follows_amplitude_and_speed(sense):
    amplitude = 1.0 + 0.1 * T
    m = order_map(amplitude * np.sin(6 * ANGLE), sense * SPEED, 1e-3, revolutions=8)
    np.testing.assert_allclose(m.speed, sense * np.interp(m.time, T, SPEED), rtol=5e-3)
    sixth, ninth = (m.amplitude[:, int(np.abs(m.order - order).argmin())] for order in (6.0, 9.0))
    np.testing.assert_allclose(sixth, np.interp(m.time, T, amplitude), rtol=5e-3)
    assert ninth.max() < 1e-2


def test_resonance_peak_of_an_oscillator():
    """Amplitude of a slowly swept oscillator (2 % damping, 60 rad/s) seen through order 1: peak where it resonates."""
    natural, damping = 60.0, 0.02
    r = SPEED / natural
    response = 1.0 / np.sqrt((1 - r**2) ** 2 + (2 * damping * r) ** 2)
    peaks = resonances(response * np.sin(ANGLE), SPEED, 1e-3, [1.0, 3.0])
    assert [p.order for p in peaks] == [1.0]
    assert peaks[0].speed == pytest.approx(natural * np.sqrt(1 - 2 * damping**2), rel=0.01)
    assert peaks[0].frequency == pytest.approx(natural / (2 * np.pi), rel=0.01)
    assert peaks[0].factor > 5.0
