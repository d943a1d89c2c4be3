"""Orders: series over the angle of a shaft, and their spectra over a run-up or coast-down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float = NDArray[np.float64]


class OrderMap(NamedTuple):
    """Amplitudes of orders along a run-up or coast-down.

    time, speed : (blocks,) time [s] and speed of the shaft [rad/s] in the middle (by angle) of every block
    order : (orders,)
    amplitude : (blocks, orders), peak values [unit of the series]
    """

    time: Float
    speed: Float
    order: Float
    amplitude: Float
    method: str


def shaft_angle(speed: ArrayLike, interval: float) -> Float:
    """Angle [rad] of a shaft from its sampled speed [rad/s], zero at the first sample (integral of a cubic spline)."""
    from scipy.interpolate import CubicSpline

    w = np.asarray(speed, float)
    if len(w) < 2:
        return np.zeros(len(w))
    t = np.arange(len(w)) * interval
    return np.asarray(CubicSpline(t, w).antiderivative()(t))


def over_angle(series: ArrayLike, angle: ArrayLike, samples_per_revolution: int) -> tuple[Float, Float]:
    """Resample to equal steps of a shaft's angle; returns angles [rad] and values.

    ``angle`` [rad] must rise or fall throughout. Cubic spline interpolation: choose the time sampling at least
    five times the highest frequency of interest, and enough samples per revolution that nothing of weight lies
    above half of them as an order.

    Raises ValueError where the shaft reverses.
    """
    from scipy.interpolate import CubicSpline

    x, a = np.asarray(series, float), np.asarray(angle, float)
    step = np.diff(a)
    if len(a) < 4 or not ((step > 0.0).all() or (step < 0.0).all()):
        raise ValueError("the shaft must turn in one sense over the whole series, and for at least four samples")
    sign = 1.0 if step[0] > 0.0 else -1.0
    pitch = 2.0 * np.pi / samples_per_revolution
    count = int(np.floor(abs(a[-1] - a[0]) / pitch * (1.0 + 1e-12))) + 1
    rising = np.arange(count) * pitch
    values = CubicSpline(sign * (a - a[0]), x)(np.minimum(rising, abs(a[-1] - a[0])))
    return a[0] + sign * rising, np.asarray(values)


def order_map(
    series: ArrayLike,
    speed: ArrayLike,
    interval: float,
    *,
    revolutions: int = 16,
    samples_per_revolution: int = 256,
) -> OrderMap:
    """Order spectra of blocks of revolutions that share three quarters with the next, by the window of Hann.

    Orders are ``1 / revolutions`` apart up to half of ``samples_per_revolution``.
    """
    w = np.asarray(speed, float)
    angle = shaft_angle(w, interval)
    at, values = over_angle(series, angle, samples_per_revolution)
    length = revolutions * samples_per_revolution
    hop = max(round(0.25 * length), 1)
    starts = np.arange(0, len(values) - length + 1, hop)
    if len(starts) == 0:
        raise ValueError(f"the series has fewer than {revolutions} revolutions of the shaft")
    blocks = values[starts[:, None] + np.arange(length)]
    order, amplitude = _amplitudes(blocks, samples_per_revolution)
    time = np.arange(len(w)) * interval
    sign = 1.0 if angle[-1] >= angle[0] else -1.0

    middle = np.interp(sign * at[starts + length // 2], sign * angle, time)
    method = f"hann window over {revolutions} revolutions, overlap 75%"
    return OrderMap(middle, np.interp(middle, time, w), order, amplitude, method)


def _amplitudes(blocks: Float, samples_per_revolution: int) -> tuple[Float, Float]:
    from scipy.signal import get_window

    n = blocks.shape[-1]
    weights = get_window("hann", n)
    mean = blocks.mean(axis=-1, keepdims=True)
    amplitude = np.abs(np.fft.rfft((blocks - mean) * weights, axis=-1)) * 2.0 / weights.sum()
    if n % 2 == 0:
        amplitude[..., -1] *= 0.5
    amplitude[..., 0] = np.abs(mean[..., 0])
    return np.arange(n // 2 + 1) * (samples_per_revolution / n), np.asarray(amplitude)
