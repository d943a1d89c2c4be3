"""The torque of the main shaft by a Kalman filter on two masses: where torque is coarse, or the torque of the rotor is wanted.

States: twist of the shaft, speeds of rotor and generator (all at the low-speed shaft), torque of the rotor, which wanders. ``y = omega_g`` is measured, the generator's torque is
known. The filter is only as good as its noises: that of the speed is measured, that of the rotor's torque is what makes the innovations likeliest, and innovations that are not
white refuse the figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import expm, solve_discrete_are

from gearwright.arrays import Float
from gearwright.errors import InputError

from .observer import Observed

#: lags of the innovation that are looked at, and the correlation beyond which it is not white
LAGS, WHITE = 20, 0.3
#: longest step over the period of the first mode: the filter gives its values at the samples alone
_PER_PERIOD = 5.0
#: noise of the rotor's torque that is tried, over its rated one per root second, and least noise of a speed over the rated one
_TRIED, _LEAST = np.logspace(-3.0, 1.0, 17), 1e-6
#: samples from which the noise is found
_MOST = 40_000


@dataclass(frozen=True)
class TwoMasses:
    """Rotor and generator about one shaft, at the low-speed side: inertias [kg m^2], stiffness [N m/rad], damping [N m s/rad]; ``ratio`` of the generator's speed; rated torque and
    speed at that side."""

    rotor: float
    generator: float
    stiffness: float
    damping: float
    ratio: float
    torque: float
    speed: float

    @classmethod
    def of_mode(
        cls, rotor: float, generator: float, frequency: float, damping: float, ratio: float, torque: float, speed: float
    ) -> TwoMasses:
        """Stiffness and damping from the first free mode [Hz] and its damping ratio."""
        reduced = rotor * generator / (rotor + generator)
        omega = 2.0 * np.pi * frequency
        return cls(rotor, generator, reduced * omega**2, 2.0 * damping * reduced * omega, ratio, torque, speed)

    def matrices(self) -> tuple[Float, Float]:
        """State matrix (4, 4) and column (4,) of the generator's torque."""
        k, c = self.stiffness, self.damping
        state = np.array(
            [
                [0.0, 1.0, -1.0, 0.0],
                [-k / self.rotor, -c / self.rotor, c / self.rotor, 1.0 / self.rotor],
                [k / self.generator, c / self.generator, -c / self.generator, 0.0],
                [0.0, 0.0, 0.0, 0.0],
            ]
        )
        return state, np.array([0.0, 0.0, -self.ratio / self.generator, 0.0])


class Filtered(NamedTuple):
    """Load of the main shaft [N m at the low-speed side], torque of the rotor [N m], innovation [rad/s] and its likely size."""

    load: Float
    rotor: Float
    innovation: Float
    size: float


@dataclass(frozen=True)
class Filter:
    """A steady Kalman filter for samples every ``interval`` [s]: ``gain`` (4,), transition (4, 4) and input (4,)."""

    masses: TwoMasses
    interval: float
    step: Float
    push: Float
    gain: Float
    size: float

    @classmethod
    def made(cls, masses: TwoMasses, interval: float, speed_noise: float, torque_noise: float) -> Filter:
        """For a standard deviation of the measured speed [rad/s at the low-speed side] and a noise of the rotor's torque [N m/sqrt(s)]; exact discretisation (Van Loan 1978)."""
        a, b = masses.matrices()
        scale = np.array([masses.torque / masses.stiffness, masses.speed, masses.speed, masses.torque])
        a, b = a * scale[None, :] / scale[:, None], b / scale
        q = np.zeros((4, 4))
        q[3, 3] = (torque_noise / masses.torque) ** 2
        both = expm(np.block([[-a, q], [np.zeros((4, 4)), a.T]]) * interval)
        step = both[4:, 4:].T
        drift = step @ both[:4, 4:]
        push = expm(np.block([[a, b[:, None]], [np.zeros((1, 5))]]) * interval)[:4, 4]
        seen = np.array([[0.0, 0.0, 1.0, 0.0]])
        r = (speed_noise / masses.speed) ** 2
        covariance = solve_discrete_are(step.T, seen.T, 0.5 * (drift + drift.T) + 1e-18 * np.eye(4), np.array([[r]]))
        size = float(covariance[2, 2] + r)
        gain = covariance[:, 2] / size
        return cls(
            masses,
            interval,
            step * scale[:, None] / scale[None, :],
            push * scale,
            gain * scale / masses.speed,
            float(np.sqrt(size)) * masses.speed,
        )

    def run(self, torque: Float, speed: Float) -> Filtered:
        """Through samples (n,) of the generator's torque [N m] and speed [rad/s], as measured at the generator."""
        from scipy import signal  # a second that only this filter needs

        m = self.masses
        y = speed / m.ratio
        first = np.array([m.ratio * torque[0] / m.stiffness, y[0], y[0], m.ratio * torque[0]])
        # x+ = (A - A K C) x + b u + A K y, mode by mode
        inner = self.step - np.outer(self.step @ self.gain, [0.0, 0.0, 1.0, 0.0])
        values, vectors = np.linalg.eig(inner)
        back = np.linalg.inv(vectors)
        drive = np.outer(back @ self.push, torque) + np.outer(back @ (self.step @ self.gain), y)
        start = back @ first
        modes = np.empty((4, len(torque)), complex)
        for i in range(4):
            later = signal.lfilter([1.0], [1.0, -values[i]], drive[i, :-1], zi=[values[i] * start[i]])[0]
            modes[i] = np.concatenate([[start[i]], later])
        before = (vectors @ modes).real
        innovation = y - before[2]
        after = before + np.outer(self.gain, innovation)
        load = m.stiffness * after[0] + m.damping * (after[1] - after[2])
        return Filtered(load, after[3], innovation, self.size)


def likelihood(found: Filtered, skip: int) -> float:
    """Mean negative logarithm of the likelihood of innovations behind the first ``skip`` ones."""
    e = found.innovation[skip:]
    return float(np.log(found.size) + 0.5 * np.mean((e / found.size) ** 2))


def whiteness(innovation: Float) -> float:
    """Largest correlation of an innovation with its own past, over lags 1 to 20."""
    e = innovation - innovation.mean()
    power = float(e @ e)
    return max(abs(float(e[lag:] @ e[:-lag])) / power for lag in range(1, LAGS + 1)) if power > 0.0 else 0.0


def tuned(masses: TwoMasses, interval: float, speed_noise: float, torque: Float, speed: Float) -> Filter:
    """The filter whose noise of the rotor's torque makes the innovations of a record likeliest.

    Raises InputError for samples too far apart for the first mode, and where no noise makes the innovation white.
    """
    period = 2.0 * np.pi / np.sqrt(masses.stiffness * (1.0 / masses.rotor + 1.0 / masses.generator))
    if interval > period / _PER_PERIOD:
        raise InputError(
            f"a Kalman filter needs {_PER_PERIOD:g} samples a period of the first mode, one every {1e3 * period / _PER_PERIOD:.3g} ms; there is one every {1e3 * interval:.4g} ms",
            where="observer",
            allowed="observer fir",
        )
    noise = max(speed_noise / masses.ratio, _LEAST * masses.speed)
    part = slice(0, _MOST)
    skip = min(len(torque) // 4, round(20.0 / interval))
    made = [Filter.made(masses, interval, noise, q * masses.torque) for q in _TRIED]
    worth = [likelihood(f.run(torque[part], speed[part]), skip) for f in made]
    return made[int(np.argmin(worth))]


def observed(found: Filter, torque: Float, speed: Float, behind: float) -> tuple[Observed, Filtered]:
    """What an unbroken stretch says: the acceleration that carries the main shaft's load through the inertia ``behind`` it [kg m^2 at the generator]."""
    seen = found.run(torque, speed)
    slope = (seen.load / found.masses.ratio - torque) / behind
    return Observed(torque, slope, speed), seen


def proved(innovations: Sequence[Float]) -> float:
    """The worst correlation of the innovations of stretches. Raises InputError where it is no noise."""
    worst = max(whiteness(e) for e in innovations)
    if worst > WHITE:
        raise InputError(
            f"the innovation of the Kalman filter is not white (it correlates by {worst:.2f} with its past, {WHITE:g} are allowed): two masses and these noises are no model of the "
            "record; the loads would be wrong without a sign of it",
            where="observer",
            allowed="observer fir",
        )
    return worst
