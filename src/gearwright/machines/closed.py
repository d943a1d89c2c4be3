"""Drivetrain, machine and torque control as one linear system: what the control does to the torsional modes.

The train is linear about its steady turning, the machine by its tangent, aerodynamic torque constant. The reference is
constant, of constant power (directly or through the speed filter of the controller), and may carry a drivetrain damper.
Source: machines page, sections 1.6 and 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gearwright.arrays import Float
from gearwright.system import System

from .alone import Linear


@dataclass(frozen=True)
class TorqueControl:
    """Torque reference about an operating point.

    ``reference``: ``torque`` (constant), ``power`` (P/w) or ``filtered power`` (P over the speed behind one pole at
    ``corner`` [rad/s]). ``damper_gain`` [N m s/rad] feeds back the speed through a band-pass at ``damper_frequency``
    [rad/s] with ``damper_ratio``.
    """

    reference: Literal["torque", "power", "filtered power"] = "torque"
    corner: float = 0.0
    damper_gain: float = 0.0
    damper_frequency: float = 0.0
    damper_ratio: float = 0.3


def closed_loop(
    system: System, body: str, linear: Linear | None, torque: float, speed: float, control: TorqueControl | None = None
) -> Float:
    """Matrix of train, machine and control: states are positions, speeds, machine, speed filter, band-pass (2).

    ``body`` carries the machine, which brakes with ``torque`` [N m] at ``speed`` [rad/s] (both positive); ``linear`` None
    is a machine whose torque does not move. Constant rows of the system alone count.
    """
    control = control or TorqueControl()
    n = system.shape.coordinates
    k, c = system.spring_matrices()
    inverse = np.linalg.inv(system.mass.toarray())
    m = len(linear.a) if linear is not None else 0
    size = 2 * n + m + 3
    a = np.zeros((size, size))
    a[:n, n : 2 * n] = np.eye(n)
    a[n : 2 * n, :n], a[n : 2 * n, n : 2 * n] = -inverse @ k, -inverse @ c
    if linear is None:
        a[-3:, -3:] = -np.eye(3)  # no control: states that nobody reads
        return a
    place = system.coordinates.index(f"{body}.rotation")
    sense = -1.0 if system.v0[place] < 0.0 else 1.0
    own = np.eye(size)
    w = sense * own[n + place]
    filtered, band, rate = own[-3], own[-2], own[-1]
    reference = np.zeros(size)
    if control.reference != "torque":
        reference = reference - torque / speed * (w if control.reference == "power" else filtered)
    reference = reference + control.damper_gain * rate
    states = own[2 * n : 2 * n + m]
    made = linear.c @ states + linear.d[0] * reference + linear.d[1] * w
    a[n : 2 * n] -= np.outer(inverse[:, place] * sense, made)
    a[2 * n : 2 * n + m] = linear.a @ states + np.outer(linear.b[:, 0], reference) + np.outer(linear.b[:, 1], w)
    a[-3] = max(control.corner, 1e-3) * (w - filtered)
    f, ratio = control.damper_frequency, control.damper_ratio
    if f > 0.0:
        a[-2], a[-1] = rate, 2.0 * ratio * f * (w - rate) - f * f * band
    else:
        a[-2], a[-1] = -band, -rate
    return a


def torsional_modes(matrix: Float, highest: float = 20.0) -> list[tuple[float, float]]:
    """Frequency [Hz, undamped] and damping ratio of the oscillating modes below ``highest`` [Hz], ascending."""
    found = [
        (abs(x) / (2.0 * math.pi), -x.real / abs(x))
        for x in np.linalg.eigvals(matrix)
        if x.imag > 1e-6 * abs(x) and abs(x) < 2.0 * math.pi * highest
    ]
    return sorted((float(f), float(z)) for f, z in found)


def nearest_mode(matrix: Float, frequency: float) -> tuple[float, float]:
    """Frequency [Hz] and damping ratio of the oscillating mode nearest a frequency; raises ValueError if there is none."""
    found = torsional_modes(matrix, 1e9)
    if not found:
        raise ValueError("nothing oscillates")
    return min(found, key=lambda m: abs(math.log(m[0] / frequency)))
