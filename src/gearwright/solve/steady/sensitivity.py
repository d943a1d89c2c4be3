"""How modes, static loads and spectra of a linear system change with its matrices: closed forms, no second solution.

    undamped   d(w^2) = phi^T (dK - w^2 dM) phi                                      phi^T M phi = 1
    damped     dp     = - psi^H (p^2 dM + p dC + dK) phi / psi^H (2 p M + C) phi     psi the left vector
    spectral   A = -w^2 M + i w C + K, h = B A^-1 b:   dh = dB A^-1 b - B A^-1 dA A^-1 b

Where several modes share a frequency (or several poles a value), its changes are the eigenvalues of the small matrix over
their shapes. Sources: Fox and Kapoor, AIAA J. 6 (1968) 2426-2429; Adhikari, J. Eng. Mech. 125 (1999) 1372-1379.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float

from .modes import Modes

Complex = NDArray[np.complex128]

#: relative distance below which two poles are one
ONE_POLE = 1e-6
#: part of a mode's shape that a pole's shape must have to be the pole of that mode
SAME_SHAPE = 0.5


@dataclass(frozen=True)
class Matrices:
    """Mass, damping and stiffness (n, n) of a system, or how they change with a number."""

    mass: Float
    damping: Float
    stiffness: Float


def frequency_changes(modes: Modes, change: Matrices) -> Float:
    """Changes (k,) of the natural frequencies [Hz per unit of the number]; zero for rigid modes.

    Where modes share a frequency their changes stand in ascending order.
    """
    stiffness = 0.5 * (change.stiffness + change.stiffness.T)
    out = np.zeros(modes.count)
    for cluster in modes.clusters():
        f = float(modes.frequencies_hz[cluster[0]])
        if cluster[0] < modes.rigid or f <= 0.0:
            continue
        phi = np.real(modes.shapes[:, cluster])
        w = 2.0 * np.pi * f
        moved = phi.T @ (stiffness - w**2 * change.mass) @ phi
        out[cluster] = np.linalg.eigvalsh(0.5 * (moved + moved.T)) / (2.0 * w) / (2.0 * np.pi)
    return out


@dataclass(frozen=True)
class Poles:
    """Damped poles (j,) with positive imaginary part [rad/s], their right and left vectors (n, j), and the pole of every mode
    (k,): -1 where a mode has none (rigid, beyond critical damping)."""

    values: Complex
    right: Complex
    left: Complex
    of_mode: NDArray[np.int64]


def damped(modes: Modes, matrices: Matrices) -> Poles:
    """Poles of a system whose undamped ``modes`` are known, in their basis."""
    from scipy.linalg import eig
    from scipy.optimize import linear_sum_assignment

    phi = np.real(modes.shapes)
    count, r = modes.count, modes.rigid
    k, c = phi.T @ matrices.stiffness @ phi, phi.T @ matrices.damping @ phi
    k[:r] = k[:, :r] = 0.0  # a rigid motion stretches nothing
    state = np.block([[np.zeros((count, count)), np.eye(count)], [-k, -c]])
    values, left, right = eig(state, left=True, right=True)
    chosen = np.flatnonzero(values.imag > 1e-9 * np.abs(values).max(initial=1e-300))
    values, x, y = values[chosen], right[:count, chosen], left[count:, chosen]
    share = np.abs(x) ** 2
    share[:r] = 0.0
    share /= share.sum(axis=0)
    rows, columns = linear_sum_assignment(share, maximize=True)
    of_mode = np.full(count, -1)
    for i, j in zip(rows, columns, strict=True):
        if i >= r and share[i, j] >= SAME_SHAPE:
            of_mode[i] = j
    return Poles(values, phi @ x, phi @ y, of_mode)


def pole_changes(poles: Poles, matrices: Matrices, change: Matrices) -> Complex:
    """Changes (j,) of the poles [rad/s per unit of the number]."""
    out = np.zeros(len(poles.values), complex)
    left = np.zeros(len(poles.values), bool)
    for j, p in enumerate(poles.values):
        if left[j]:
            continue
        group = np.flatnonzero(np.abs(poles.values - p) <= ONE_POLE * abs(p))
        left[group] = True
        x, y = poles.right[:, group], poles.left[:, group].conj().T
        size = y @ (2.0 * p * matrices.mass + matrices.damping) @ x
        moved = y @ (p**2 * change.mass + p * change.damping + change.stiffness) @ x
        found = np.linalg.eigvals(-np.linalg.solve(size, moved))
        out[group] = found[np.argsort(found.imag)]
    return out


def damping_changes(poles: Poles, moved: Complex) -> Float:
    """Changes (k,) of the damping ratios ``-Re p/|p|`` of the modes; NaN where a mode has no pole."""
    p = poles.values
    size = np.abs(p)
    change = -moved.real / size + p.real * np.real(p.conj() * moved) / size**3
    return np.array([change[j] if j >= 0 else np.nan for j in poles.of_mode])


@dataclass(frozen=True)
class Output:
    """Rows of outputs over the free motions: the force is ``(stiff + i w damp) x``; both (o, f)."""

    stiff: Float
    damp: Float


@dataclass(frozen=True)
class Spectral:
    """Standard deviations (o,) of outputs, their rates of upward zero crossings (o,) [1/s], and the relative changes (o, p) of
    both with every number."""

    deviation: Float
    rate: Float
    deviation_change: Float
    rate_change: Float

    def equivalent_change(self, exponent: float) -> Float:
        """Relative changes (o, p) of the narrow-band damage equivalent load: ``d ln sigma + d ln nu/m``."""
        return np.asarray(self.deviation_change + self.rate_change / exponent)


def spectral(
    matrices: Matrices,
    changes: Sequence[Matrices],
    load: Float,
    output: Output,
    output_changes: Sequence[Output],
    w: Float,
    density: Float,
) -> Spectral:
    """Outputs of a linear system under one random load, and how they change.

    Parameters
    ----------
    matrices, changes : of the system (f, f), and per unit of every number
    load : (f,) generalised force per unit of the random load
    output, output_changes : rows of the outputs, and their changes
    w, density : circular frequencies (w,) [rad/s], ascending, and the one-sided density of the load there [unit^2/(rad/s)]
    """
    w = np.asarray(w, float)
    s, rows = 1j * w[:, None, None], output.stiff + 1j * w[:, None, None] * output.damp
    dynamic = s**2 * matrices.mass + s * matrices.damping + matrices.stiffness
    x = np.linalg.solve(dynamic, np.broadcast_to(load, (len(w), len(load)))[:, :, None])
    adjoint = np.linalg.solve(dynamic.transpose(0, 2, 1), rows.transpose(0, 2, 1)).transpose(0, 2, 1)  # rows of B A^-1
    h = (rows @ x)[:, :, 0]
    power = np.abs(h) ** 2 * density[:, None]
    moved = np.zeros((*h.shape, len(changes)))
    for j, (change, own) in enumerate(zip(changes, output_changes, strict=True)):
        bent = s**2 * (change.mass @ x) + s * (change.damping @ x) + change.stiffness @ x
        dh = own.stiff @ x + s * (own.damp @ x) - adjoint @ bent
        moved[:, :, j] = 2.0 * np.real(h.conj() * dh[:, :, 0]) * density[:, None]
    zero = np.trapezoid(power, w, axis=0)
    second = np.trapezoid(w[:, None] ** 2 * power, w, axis=0)
    d_zero = np.trapezoid(moved, w, axis=0)
    d_second = np.trapezoid(w[:, None, None] ** 2 * moved, w, axis=0)
    deviation = 0.5 * d_zero / zero[:, None]
    rate = 0.5 * (d_second / second[:, None] - d_zero / zero[:, None])
    return Spectral(np.sqrt(zero), np.sqrt(second / zero) / (2.0 * np.pi), deviation, rate)
