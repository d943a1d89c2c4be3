"""Analyses without a run: equilibrium, linearisation, kinematics from motors, inverse dynamics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from . import looks, motion, rows
from .elements import MultibodyError
from .mechanism import Mechanism, Place
from .table import look, table

Float = NDArray[np.floating[Any]]


def choose_flanks(m: Mechanism, place: Place, t: float = 0.0) -> None:
    """Flanks left open are set so that the tooth force parts the wheels (S0: the multiplier and the flank differ in sign)."""
    open_flanks = {j.name for j in m.joints if j.kind == "gear" and j.flank == 0}
    work = m.work()
    for _ in range(3):
        look(m.arrays, place, work, t, False)
        changed = False
        for k, row in enumerate(m.rows):
            par = m.arrays.par[k]
            if (
                row.kind == rows.GEAR
                and not par[rows.SIGN]
                and row.joint in open_flanks
                and work.lam[k] * par[rows.FLANK] > 0.0
            ):
                par[rows.FLANK] = -par[rows.FLANK]
                par[rows.OFFSET] = 0.0
                look(m.arrays, place, work, t, False)
                par[rows.OFFSET] = work.phi[k]
                row.parameters[:] = [float(x) for x in par]
                changed = True
        if not changed:
            return


def forces(m: Mechanism, place: Place, t: float = 0.0) -> tuple[Float, Float]:
    """Generalised forces Q (6 per body, rotations in body axes) and multipliers of the acceleration solution."""
    work = m.work()
    if not look(m.arrays, place, work, t, False):
        raise MultibodyError("the rows are singular in this position")
    # Q of the workspace already holds gravity, gyroscopic terms, loads and elastic rows
    return work.Q[:-1].ravel().copy(), work.lam.copy()


def equilibrium(m: Mechanism, t: float = 0.0, iterations: int = 60, near: Place | None = None) -> tuple[Place, Float]:
    """Position of rest under the loads at time t, and the multipliers there.

    Newton on forces and rows together, from the start or from ``near``. Raises MultibodyError where none is found.
    """
    place = m.copy() if near is None else Place(*(x.copy() for x in near))
    place.v[:] = 0.0
    n = 6 * len(m.bodies)
    scale = 1.0
    for _ in range(iterations):
        J, phi, work = m.jacobian(place, t)
        Q = work.Q[:-1].ravel().copy()
        lam = np.linalg.lstsq(J.T, -Q, rcond=1e-12)[0] if len(J) else np.zeros(0)
        rest = Q + J.T @ lam
        # forces of elastic rows and weights cancel in Q: what they are one by one says how small a rest is
        parts = work.jac[:, :] * work.lam[:, None] if len(m.rows) else np.zeros((1, 1))
        scale = max(float(np.abs(Q).max(initial=0.0)), float(np.abs(parts[m.arrays.rigid :]).max(initial=0.0)), 1e-9)
        if np.abs(rest).max() < 1e-9 * scale and np.abs(phi).max(initial=0.0) < 1e-10:
            full = work.lam.copy()
            full[: len(lam)] = lam
            return place, full
        K = _stiffness(m, place, lam, t)
        A = np.block([[K, -J.T], [J, np.zeros((len(J), len(J)))]])
        # least squares: a free motion without stiffness, along which the forces balance, stays where it is
        step = np.linalg.lstsq(A, np.concatenate([rest, -phi]), rcond=1e-11)[0][:n]
        size = float(np.abs(step).max())
        m.move(place, step * min(1.0, 0.3 / size) if size > 0.0 else step)
    raise MultibodyError(f"no equilibrium was found: forces of {np.abs(rest).max():.3g} are left; give start: rest")


def carried(m: Mechanism, place: Place, steady: Callable[[Place], Float], t: float = 0.0, iterations: int = 30) -> bool:
    """Displace a turning mechanism to where its elastic rows carry the loads while it keeps its shape; whether that was found.

    ``steady`` writes the speeds of the steady motion at a place into it and returns its accelerations (bodies x 6). What the loads
    leave unbalanced speeds the whole up, ``M a = M (riding + alpha v)``; everything else rests in the turning frame. Newton.
    """
    mass = m.mass.ravel()
    root = 1.0 / np.sqrt(mass)
    for _ in range(iterations):
        riding = steady(place)
        v = place.v[:-1].ravel().copy()
        J, phi, work = m.jacobian(place, t)
        driven = len(J) > 0 and float(np.abs(J @ v).max()) > 1e-9 * float(np.abs(v).max(initial=1e-300))
        turns = bool(v.any()) and not driven  # a motor takes what is unbalanced
        whole = v / root / max(float(np.linalg.norm(v / root)), 1e-300) if turns else np.zeros(len(v))
        loads = float(max(np.abs(work.Q[:-1]).max(), np.abs(work.jac * work.lam[:, None]).max(initial=0.0), 1e-9))
        Q = root * (work.Q[:-1].ravel() - mass * riding.ravel())
        Q -= whole * float(whole @ Q)
        lines = np.vstack([J * root, whole]) if turns else J * root
        free = la.null_space(lines, rcond=1e-9) if len(lines) else np.eye(len(v))
        lam = np.linalg.lstsq((J * root).T, -Q, rcond=1e-12)[0] if len(J) else np.zeros(0)
        rest = Q + (J * root).T @ lam
        if np.abs(rest / root).max() < 1e-7 * loads and np.abs(phi).max(initial=0.0) < 1e-10:
            return True
        K = free.T @ (root[:, None] * _stiffness(m, place, lam, t) * root) @ free
        step = free @ np.linalg.lstsq(K, free.T @ rest, rcond=1e-12)[0]
        if len(J):
            step -= np.linalg.lstsq(J * root, phi, rcond=1e-12)[0]
        step *= root
        m.move(place, step * min(1.0, 0.05 / max(float(np.abs(step).max()), 1e-300)))
    return False


def _generalised(m: Mechanism, place: Place, lam: Float, t: float) -> Float:
    work = m.work()
    look(m.arrays, place, work, t, False)
    J = m.dense(work)[: m.arrays.rigid]
    return np.asarray(work.Q[:-1].ravel() + J.T @ lam[: m.arrays.rigid], float)


def _stiffness(m: Mechanism, place: Place, lam: Float, t: float) -> Float:
    """-d(Q + J^T lambda)/dq by central differences, multipliers held (the load's own stiffness is in it)."""
    n = 6 * len(m.bodies)
    K, H = np.zeros((n, n)), table(m.arrays, place, work := m.work())
    motion.seen(H, float(t), 0)
    looks.differences(H, float(t), np.ascontiguousarray(np.append(lam, 0.0)), 1e-6, K)
    del work  # kept alive until here
    return K


@dataclass(frozen=True)
class Linearised:
    """Small motions about a configuration: ``mass, damping, stiffness`` on independent motions ``basis``
    (6 bodies x freedoms), ``poles`` [1/s], ``frequencies_hz`` and ``damping_ratios`` of pairs, rising."""

    mass: Float
    damping: Float
    stiffness: Float
    basis: Float
    poles: NDArray[np.complex128]
    frequencies_hz: Float
    damping_ratios: Float


def linearise(m: Mechanism, place: Place | None = None, t: float = 0.0) -> Linearised:
    """Linearise at a position (default: the equilibrium) with its speeds (gyroscopic terms are in the damping)."""
    if place is None:
        place, _ = equilibrium(m, t)
    J, _, _ = m.jacobian(place, t)
    _, lam = forces(m, place, t)
    weight = 1.0 / np.sqrt(m.mass.ravel())
    Z = weight[:, None] * (la.null_space(J * weight, rcond=1e-9) if len(J) else np.eye(6 * len(m.bodies)))
    K = Z.T @ _stiffness(m, place, lam, t) @ Z
    D, h = np.zeros((Z.shape[1], Z.shape[1])), 1e-6
    for c in range(Z.shape[1]):
        ends = []
        for sign in (1.0, -1.0):
            moved = Place(*(x.copy() for x in place))
            moved.v[:-1] += sign * h * Z[:, c].reshape(-1, 6)
            ends.append(_generalised(m, moved, lam, t))
        D[:, c] = -Z.T @ (ends[0] - ends[1]) / (2.0 * h)
    M = Z.T @ (m.mass.ravel()[:, None] * Z)
    f = len(M)
    A = np.block([[np.zeros((f, f)), np.eye(f)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    poles = np.linalg.eigvals(A)
    size = np.abs(poles)
    pairs = sorted((abs(s), -s.real / abs(s)) for s in poles if s.imag > 1e-9 * size.max(initial=1.0))
    return Linearised(
        M, D, K, Z, poles, np.array([w for w, _ in pairs]) / (2.0 * np.pi), np.array([z for _, z in pairs])
    )


def kinematic(m: Mechanism, times: Sequence[float]) -> list[tuple[Place, Float]]:
    """Positions, velocities (in the Place) and accelerations (6 per body) at times, from motors alone.

    Raises MultibodyError if motors leave a freedom, or where the mechanism locks.
    """
    if m.degrees_of_freedom:
        raise MultibodyError(f"kinematics need a motor for each freedom; {m.degrees_of_freedom} are left")
    place, found = m.copy(), []
    for t in times:
        for _ in range(50):
            J, phi, _ = m.jacobian(place, t)
            if np.abs(phi).max() < 1e-12:
                break
            m.move(place, -np.linalg.lstsq(J, phi, rcond=1e-12)[0])
        if np.abs(phi).max() > 1e-9:
            k = int(np.argmax(np.abs(phi)))
            raise MultibodyError(f"at {t:g} s the mechanism locks: '{m.rows[k].joint}' is off by {abs(phi[k]):.3g}")
        J, _, work = m.jacobian(place, t)
        place.v[:-1] = np.linalg.solve(J, -work.rate[: len(J)]).reshape(-1, 6)
        J, _, work = m.jacobian(place, t)
        place.last[:] = work.psi
        acceleration = np.linalg.solve(J, work.gamma[: len(J)])
        found.append((Place(*(x.copy() for x in place)), acceleration.reshape(-1, 6)))
    return found


def inverse_dynamics(m: Mechanism, times: Sequence[float]) -> list[Float]:
    """Multipliers at times under the prescribed motion: of a motor, the torque [N m] that drives it."""
    result = []
    for (place, acceleration), t in zip(kinematic(m, times), times, strict=True):
        J, _, work = m.jacobian(place, t)
        need = m.mass.ravel() * acceleration.ravel() - work.Q[:-1].ravel()
        lam = work.lam.copy()
        lam[: len(J)] = np.linalg.solve(J.T, need)
        result.append(lam)
    return result
