"""Whirl of turning shafts: damped poles, critical speeds and forced response of a rotor on bearings.

    M q'' + (C + W G) q' + (K + W N) q = f

with W [rad/s] the speed of the input, ``G`` the gyroscopic matrix (skew), ``N`` the circulatory one (skew) of damping that
turns with the shafts. All in the basis of the undamped modes at rest, where the rigid motions have no stiffness to round off.
Source: G. Genta, Dynamics of Rotating Systems (2005), chapters 4 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.arrays import Float
from gearwright.system import System

from .modes import damped_poles, free_motions, speed_matrices, undamped_shapes
from .rows import row_matrices

Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Rotor:
    """A linear model whose coefficients depend on the speed of the input.

    Attributes
    ----------
    basis : (n, f) mass-normalised undamped modes at rest, ``rigid`` of them rigid ones first
    stiffness, damping : (f, f) at rest
    gyroscopic, circulatory : (f, f) per rad/s of the input
    turning : (n,) speed of every coordinate per rad/s of the input
    rows, row_stiffness, row_damping : (m, n) and (m, m) of the force rows
    """

    system: System
    basis: Float
    rigid: int
    stiffness: Float
    damping: Float
    gyroscopic: Float
    circulatory: Float
    turning: Float
    rows: Float
    row_stiffness: Float
    row_damping: Float

    def poles(self, speed: float) -> tuple[Complex, Complex]:
        """Oscillating poles with positive imaginary part [rad/s], ascending by it, and their shapes (n, k)."""
        values, vectors = damped_poles(
            self.stiffness + speed * self.circulatory, self.damping + speed * self.gyroscopic, self.rigid
        )
        swinging = np.flatnonzero(values.imag > 1e-9 * np.abs(values).max(initial=1e-300))
        swinging = swinging[np.argsort(values[swinging].imag, kind="stable")]
        return values[swinging], self.basis @ vectors[:, swinging]

    def critical_speeds(self, order: float) -> tuple[Float, Complex]:
        """Speeds of the input [rad/s], ascending, at which an excitation of ``order`` cycles per turn meets an undamped
        natural frequency, and the shapes (n, k).

        ``q = x exp(i order W t)`` makes ``K x = W^2 (order^2 M - i order G) x``, a Hermitian problem: all speeds come at once and
        nothing is interpolated.
        """
        k = 0.5 * (self.stiffness + self.stiffness.T)[self.rigid :, self.rigid :]
        inner = order**2 * np.eye(len(k)) - 1j * order * self.gyroscopic[self.rigid :, self.rigid :]
        half = np.linalg.inv(np.linalg.cholesky(k))
        values, vectors = np.linalg.eigh(half @ inner @ half.T)
        meets = np.flatnonzero(values > 1e-12 * values[-1])[::-1]
        return 1.0 / np.sqrt(values[meets]), self.basis[:, self.rigid :] @ (half.T @ vectors[:, meets])

    def respond(self, speed: ArrayLike, frequency: ArrayLike, load: Complex) -> Complex:
        """Motion (p, n) under loads (p, n) that turn or swing as ``exp(i frequency t)`` [rad/s] at speeds (p,) of the input.

        Raises ValueError for a frequency of zero while a rigid motion is free.
        """
        w, at = (np.atleast_1d(np.asarray(x, float))[:, None, None] for x in (frequency, speed))
        if self.rigid and (w <= 0.0).any():
            raise ValueError("a free rigid motion has no response at frequency zero")
        resting = self.stiffness + at * self.circulatory - w**2 * np.eye(self.basis.shape[1])
        dynamic = resting + 1j * w * (self.damping + at * self.gyroscopic)
        return np.asarray(np.linalg.solve(dynamic, (load @ self.basis)[:, :, None])[:, :, 0] @ self.basis.T)

    def imposed(self, rows: Sequence[int], amounts: Sequence[complex], frequency: ArrayLike) -> tuple[Complex, Complex]:
        """Loads (p, n) and deflections (p, m) of displacements that are imposed on rows, at frequencies [rad/s]."""
        w = np.atleast_1d(np.asarray(frequency, float))
        on_row = np.zeros((len(w), len(self.rows)), complex)
        on_row[:, list(rows)] = amounts
        return -self.row_forces(on_row, w) @ self.rows, on_row

    def row_forces(self, deflection: Complex, frequency: ArrayLike) -> Complex:
        """Forces (p, m) of the rows under deflections (p, m)."""
        w = np.atleast_1d(np.asarray(frequency, float))
        return np.asarray(deflection @ self.row_stiffness.T + 1j * w[:, None] * (deflection @ self.row_damping.T))

    def stiffened(self, rows: Sequence[int], factor: float) -> Rotor:
        """The rotor with the stiffness of some rows times ``factor``, in the basis of before."""
        block = np.zeros_like(self.row_stiffness)
        block[np.ix_(rows, rows)] = (factor - 1.0) * self.row_stiffness[np.ix_(rows, rows)]
        stretch = self.rows @ self.basis
        return Rotor(
            self.system,
            self.basis,
            self.rigid,
            self.stiffness + stretch.T @ block @ stretch,
            self.damping,
            self.gyroscopic,
            self.circulatory,
            self.turning,
            self.rows,
            self.row_stiffness + block,
            self.row_damping,
        )


def rotor(system: System, turning: Float, speed: float, pairs: Sequence[tuple[int, int, float]] = ()) -> Rotor:
    """The rotor of a system whose coordinates turn with ``turning`` (n,) per unit speed of the input.

    Laws are taken by their mean, or by their tangents at ``speed`` [rad/s] of the input. ``pairs`` are rows (about y, about z) of
    shafts whose damping turns with them, and their speed per unit speed of the input: against a deformation d in standing axes
    it resists ``d' - W J d``. Raises ValueError where frames turn, which makes the coefficients periodic.
    """
    v = turning * speed
    gyroscopic, centripetal = (x / speed for x in speed_matrices(system, v))
    mass, stiffness, damping = system.linear(None, v)
    if np.abs(centripetal).max(initial=0.0) > 1e-9 * np.abs(stiffness).max() / abs(speed):
        raise ValueError("frames of carriers turn: choose model.frames: frozen")
    free = free_motions(system)
    unit, elastic, _ = undamped_shapes(free, 0.5 * (stiffness + stiffness.T), damping, mass)
    basis = np.hstack([unit, elastic])
    rows = system.D.toarray()
    row_stiffness, row_damping = row_matrices(system, None, v, 0.0)
    circulatory = np.zeros_like(stiffness)
    for about_y, about_z, rate in pairs:
        c = 0.5 * (row_damping[about_y, about_y] + row_damping[about_z, about_z]) * rate
        cross = np.outer(rows[about_y], rows[about_z])
        circulatory += c * (cross - cross.T)
    rigid = unit.shape[1]
    k, n = basis.T @ stiffness @ basis, basis.T @ circulatory @ basis
    k[:rigid] = k[:, :rigid] = 0.0
    g = basis.T @ (0.5 * (gyroscopic - gyroscopic.T)) @ basis
    return Rotor(system, basis, rigid, k, basis.T @ damping @ basis, g, n, turning, rows, row_stiffness, row_damping)


def circles(y: ArrayLike, z: ArrayLike) -> tuple[Float, Float]:
    """Radii of the circles that an orbit ``Re((y, z) exp(i w t))`` is made of: with +x (from y to z), and against it.

    Their sum is the larger half axis of the ellipse, their difference the smaller one, negative where the orbit runs against +x.
    """
    a, b = np.asarray(y, complex), np.asarray(z, complex)
    return 0.5 * np.abs(a + 1j * b), 0.5 * np.abs(a - 1j * b)
