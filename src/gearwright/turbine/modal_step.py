"""Matrices of a modal drivetrain over one exchange step: the step itself, samples inside it, heat in its dampers.

With torques linear over a step every mode is ``z(tau) = z + A1 z' + A2 b u'`` with ``A1 = tau phi_1(rate tau)`` and
``A2 = tau^2 phi_2(rate tau)``; ``z'`` is the derivative at its begin. All of it follows from the phi functions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float

from .coupled import Stepper
from .linear import Linear

Complex = NDArray[np.complex128]


def phi(k: int, x: Complex) -> Complex:
    """``phi_k(x)``: the sum of ``x^i / (i + k)!`` over i; ``phi_0`` is the exponential."""
    x = np.asarray(x, complex)
    small = np.abs(x) < 1.0
    tiny = np.where(small, x, 0.0)
    series = np.zeros_like(tiny)
    for i in range(20, -1, -1):
        series = series * tiny + 1.0 / math.factorial(i + k)
    far = np.where(small, 1.0, x)
    value = np.exp(far)
    for i in range(k):
        value = (value - 1.0 / math.factorial(i)) / far
    return np.asarray(np.where(small, series, value))


def stepper(linear: Linear, step: float, roll: Float) -> Stepper:
    """The drivetrain over an exchange step [s]; ``roll`` the torque on the housing over the vector of a sample."""
    kept, osc = linear.kept, linear.oscillating
    rate, push, over = linear.rate[:kept], linear.push[:, :kept], linear.over[:, :kept]
    x = rate * step
    p1, p2, p3, p4 = (phi(k, x) for k in (1, 2, 3, 4))
    hold = step * p1
    grow = step**2 * p2 * push
    mean, lever = step**2 * p2, step**3 * (p2 - p3)
    growth = np.array([[np.real(over[p] * step**3 * p3 * push[i]).sum() for i in range(2)] for p in range(3)])
    late = step**4 * (p3 - p4)
    growth_lever = np.array([[np.real(over[p] * late * push[i]).sum() for i in range(2)] for p in range(3)])

    def parts(z: Complex) -> Float:
        return np.ascontiguousarray(np.concatenate([z.real, z.imag[:osc]]))

    def row(z: Complex) -> Float:
        return np.ascontiguousarray(np.concatenate([z.real, -z.imag[:osc]]))

    def both(z: Complex) -> tuple[Float, Float]:
        return np.ascontiguousarray(z.real), np.ascontiguousarray(z.imag)

    n = kept + osc
    fields: list[Any] = [
        *both(rate),
        *(parts(push[i]) for i in range(3)),
        parts(linear.constant[:kept]),
        *both(hold),
        parts(grow[0]),
        parts(grow[1]),
        *(row(over[p]) for p in range(3)),
        *(row(mean * over[p]) for p in range(3)),
        *(row(lever * over[p]) for p in range(2)),
        np.ascontiguousarray(roll[:n]),
        np.ascontiguousarray(roll[n:]),
        growth,
        growth_lever,
        linear.rigid,
        linear.ratio,
        linear.fast,
        osc,
    ]
    return Stepper(*fields)


def brake_response(linear: Linear, step: float) -> float:
    """Speed of the third point at the end of a step per unit torque of the third input over it."""
    kept = linear.kept
    hold = step * phi(1, linear.rate[:kept] * step)
    modes = float(np.real(linear.over[2, :kept] * hold * linear.push[2, :kept]).sum())
    return modes + float(linear.fast[2, 2] + linear.ratio[2] * linear.rigid[2] * step)


def sample_matrix(linear: Linear, interval: float, per: int, lines: Float) -> Float:
    """Channels at the samples of a step over what the loop keeps of it: (channels, parts + 8, per). ``lines`` (width,
    channels) over the vector of a sample."""
    kept, osc = linear.kept, linear.oscillating
    n = kept + osc
    rate, push = linear.rate[:kept], linear.push[:, :kept]
    made = np.zeros((n + 8, lines.shape[1], per))
    for s in range(per):
        tau = (s + 1) * interval
        hold, grow = tau * phi(1, rate * tau), tau**2 * phi(2, rate * tau)
        at = np.zeros((lines.shape[0], n + 8))
        own = 1.0 + hold * rate
        i, o = np.arange(kept), np.arange(osc)
        at[i, i] = own.real
        at[kept + o, kept + o] = own.real[:osc]
        at[o, kept + o], at[kept + o, o] = -own.imag[:osc], own.imag[:osc]
        causes = [*(hold * push[j] for j in range(3)), grow * push[0], grow * push[1], hold * linear.constant[:kept]]
        for j, z in enumerate(causes):
            at[:kept, n + j], at[kept:n, n + j] = z.real, z.imag[:osc]
        # inputs, slopes, one, omega, phi
        for j in range(3):
            at[n + j, n + j] = 1.0
        for j in range(2):
            at[n + j, n + 3 + j], at[n + 3 + j, n + 3 + j] = tau, 1.0
        at[n + 6, n + 5] = at[n + 7, n + 6] = at[n + 8, n + 7] = 1.0
        at[n + 8, n + 6] = tau
        for j, place in enumerate((0, 1, 2, 5)):
            at[n + 7, n + place] += tau * linear.rigid[j]
            at[n + 8, n + place] += tau**2 / 2 * linear.rigid[j]
        for j in range(2):
            at[n + 7, n + 3 + j] += tau**2 / 2 * linear.rigid[j]
            at[n + 8, n + 3 + j] += tau**3 / 6 * linear.rigid[j]
        made[:, :, s] = at.T @ lines
    return made.transpose(1, 0, 2)


def squares(linear: Linear, step: float, rows: Float, moments: Float) -> Float:
    """Sum over all steps of the integrals of the squared ``rows`` of :meth:`Linear.damper_rows`.

    ``moments`` is the sum of ``y y^T`` over the steps, y the derivatives of the modes at the begin and the two slopes. Gauss
    points in panels that shrink towards the begin of the step, where the fastest modes live.
    """
    kept, osc = linear.kept, linear.oscillating
    rate, push = linear.rate[:kept], linear.push[:, :kept]
    fastest = float(np.abs(linear.rate[:kept].real).max(initial=0.0)) * step
    panels = 2 + max(math.ceil(math.log2(max(2.0 * fastest, 1.0))), 0)
    edges = np.append(0.0, 2.0 ** -np.arange(panels - 1, -1, -1))
    nodes, weights = np.polynomial.legendre.leggauss(10)
    total = np.zeros(len(rows))
    factor: Any = np.zeros((kept + osc + 2,) * 2)
    factor[-2:, -2:] = np.eye(2)
    i, o = np.arange(kept), np.arange(osc)
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        for x, w in zip(nodes, weights, strict=True):
            tau = step * (0.5 * (low + high) + 0.5 * (high - low) * x)
            own, hold = np.exp(rate * tau), tau * phi(1, rate * tau)
            factor[i, i] = own.real
            factor[kept + o, kept + o] = own.real[:osc]
            factor[o, kept + o], factor[kept + o, o] = -own.imag[:osc], own.imag[:osc]
            for j in range(2):
                z = hold * push[j]
                factor[:kept, -2 + j], factor[kept:-2, -2 + j] = z.real, z.imag[:osc]
            here = rows @ factor
            total += 0.5 * (high - low) * step * w * np.einsum("ij,jk,ik->i", here, moments, here, optimize=True)
    return total
