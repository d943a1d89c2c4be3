"""The slope of a sampled speed, and the torque seen through the same low-pass, at samples and between them.

Both filters are even about the instant they answer for and true up to one corner frequency, so that neither shifts anything in time and inertia
torque and generator torque add up instant by instant. Below the corner the signals are determined between their samples too, and both are given there: the peak of a swing seldom falls on a sample, and
cycles counted on ten samples a second of a 2 Hz swing are 6 % too small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float

#: corner frequencies [Hz] for a clean, a usual and a coarse speed signal, and the part of the sampling rate that none goes beyond
CORNERS = (20.0, 5.0, 4.0)
HIGHEST = 0.45
#: values a second behind the filter, at least: 25 for a period of a 2 Hz swing
RATE = 50.0
#: fewest samples to a side
LEAST_REACH = 20
#: between corner and stop in units of the sampling rate over the reach; weight of what is to be stopped
_TRANSITION, _STOP = 1.0, 0.1
#: part of the root mean square torque that the noise of the speed may make in the inertia torque
NOISE = 0.005
#: order of the differences that take a smooth signal away and leave the noise
_ORDER = 10


@dataclass(frozen=True)
class Observer:
    """Filters for samples every ``interval`` [s] with the corner frequency ``corner`` [Hz].

    ``slope`` (parts, 2 reach) [1/s] and ``low_pass`` (parts, 2 reach) are the weights of the samples from the earliest on, for instants that
    lie 0, 1/parts, 2/parts ... of an interval behind the sample number ``reach - 1``.
    """

    interval: float
    corner: float
    slope: Float
    low_pass: Float

    @classmethod
    def design(cls, interval: float, corner: float, rate: float = RATE) -> Observer:
        """The pair for a sampling interval [s] and a corner frequency [Hz], with ``rate`` or more values a second behind the filter.

        Least squares over frequencies: up to the corner the error relative to the wanted response, above it the response itself, which is
        noise. A constant torque passes as it is, a constant speed has no slope.
        """
        parts = max(1, int(np.ceil(rate * interval * (1.0 - 1e-6))))
        reach = max(LEAST_REACH, int(np.ceil(1.2 / (corner * interval))))
        k = np.arange(1 - reach, reach + 1)
        edge = 2.0 * np.pi * corner * interval
        w = np.linspace(0.0, np.pi, 16 * reach)[1:]
        passed, stopped = w <= edge, w >= edge + 2.0 * np.pi * _TRANSITION / reach
        waves = np.exp(1j * np.outer(w, k))
        slope, low_pass = [], []
        for part in range(parts):
            wanted = np.exp(1j * w * part / parts)
            torque = (
                np.concatenate([waves[passed], _STOP * waves[stopped]]),
                np.where(passed, wanted, 0.0)[passed | stopped],
            )
            scale = np.where(passed, 1.0 / w, _STOP / edge)[passed | stopped, None]
            speed = waves[passed | stopped] * scale, np.where(passed, 1j * wanted, 0.0)[passed | stopped]
            low_pass.append(_weights(*torque, 1.0))
            slope.append(_weights(*speed, 0.0) / interval)
        return cls(interval, corner, np.array(slope), np.array(low_pass))

    @property
    def reach(self) -> int:
        """Samples that a value needs on either side."""
        return self.slope.shape[1] // 2

    @property
    def step(self) -> float:
        """Time between two values [s]."""
        return self.interval / len(self.slope)

    def observe(self, torque: Float, speed: Float) -> Observed:
        """What an unbroken stretch of samples (n,) says, from ``reach - 1`` samples behind its begin to as many before its end; may be empty."""
        if len(torque) < 2 * self.reach:
            return Observed(np.zeros(0), np.zeros(0), np.zeros(0))
        return Observed(_filtered(torque, self.low_pass), _filtered(speed, self.slope), _filtered(speed, self.low_pass))

    def noise_gain(self) -> float:
        """Standard deviation of the slope [1/s] per standard deviation of white noise in the speed."""
        return float(np.sqrt((self.slope**2).sum(axis=1).mean()))


def _weights(matrix: NDArray[np.complex128], wanted: NDArray[np.complex128], whole: float) -> Float:
    """Least squares over real weights whose sum is ``whole``."""
    real = np.vstack([matrix.real, matrix.imag])
    aim = np.concatenate([wanted.real, wanted.imag])
    # the last weight follows from the others
    free = real[:, :-1] - real[:, -1:]
    found = np.linalg.lstsq(free, aim - whole * real[:, -1], rcond=None)[0]
    return np.append(found, whole - found.sum())


def _filtered(x: Float, weights: Float) -> Float:
    """A series through every row of weights, the answers of one instant beside each other."""
    # convolution turns the weights round
    return np.stack([np.convolve(x, row[::-1], "valid") for row in weights], axis=1).ravel()


class Observed(NamedTuple):
    """Torque [N m], acceleration [rad/s^2] and speed [rad/s] of the generator at the same instants."""

    torque: Float
    acceleration: Float
    speed: Float


def noise_of(speed: Float) -> float:
    """Standard deviation [rad/s] of the white noise and the steps in a sampled speed.

    Differences of tenth order let nothing pass of what lies far below half the sampling rate; their median size is that of the noise
    (times 0.6745 for a normal distribution).
    """
    if len(speed) < 4 * _ORDER:
        return 0.0
    gain = float(np.linalg.norm(np.poly(np.ones(_ORDER))))
    return float(np.median(np.abs(np.diff(speed, n=_ORDER)))) / 0.6745 / gain


def corner_for(interval: float, noise: float, inertia: float, torque: float, mode: float) -> float:
    """The highest of the usual corner frequencies [Hz] at which noise makes less than 0.5 % of the torque, else the lowest.

    Parameters
    ----------
    noise : standard deviation of the speed's noise [rad/s]
    inertia, torque : of the train, referred to the generator [kg m^2]; root mean square [N m]
    mode : first torsional mode [Hz]: no corner falls below twice this, where it is below 20 Hz and the rate allows it
    """
    bound = HIGHEST / interval
    for corner in CORNERS:
        chosen = min(max(corner, 2.0 * mode if mode <= CORNERS[0] else 0.0), bound)
        made = inertia * noise * Observer.design(interval, chosen).noise_gain()
        if made <= NOISE * torque:
            break
    return float(chosen)
