"""Coordinates that follow their neighbours: what moves by itself far above everything of interest.

Nodes of shafts carry little inertia on stiff neighbours. Their own motions set the step of an explicit method and no
load that is looked at. Such a coordinate follows the others as the springs between them say, ``q_c = -K_cc^-1 K_cr q_r``,
and its inertia goes along: static loads are exact, and all rows keep their few entries, which modes would not leave
them. Source: R. J. Guyan, AIAA J. 3 (1965) 380; its error at a frequency w is of the order of ``(w/w_c)^2`` of the inertia of
these coordinates, with ``w_c`` their lowest frequency when all others stand still.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.system import System

from .reduce import on_basis

Chosen = NDArray[np.int64]

#: a motion that dies out so many times faster than the fastest one swings is not seen by anything
FASTER = 10.0


def condensed(system: System, lowest_hz: float | None = None) -> System:
    """The system without coordinates that only follow; itself where there are none.

    Without a frequency only those go whose own motion dies out faster than anything swings, tied to their neighbours by
    stiffness and damping in the same proportions. With ``lowest_hz`` those go too that swing by themselves above it.
    What laws, inputs, prescribed speeds, hard or friction rows touch is kept.
    """
    may = _candidates(system)
    if not len(may):
        return system
    stiffness, damping = system.spring_matrices()
    mass = system.mass.toarray()
    gone = _overdamped(system, may, mass, stiffness, damping)
    if lowest_hz is not None:
        fast = _above(np.setdiff1d(may, gone), mass, stiffness, (2.0 * np.pi * lowest_hz) ** 2)
        gone = np.union1d(gone, fast)
    if not len(gone):
        return system
    kept = np.setdiff1d(np.arange(len(mass)), gone)
    basis = np.eye(len(mass))[:, kept]
    basis[gone] = _follows(stiffness, gone, kept)
    names = [system.coordinates[i] for i in kept]
    shown = ", ".join(system.coordinates[i] for i in gone[:6]) + (", ..." if len(gone) > 6 else "")
    note = f"{shown} follow their neighbours: their own motion is too fast to matter"
    # where they stand with the others at rest: springs may be strained by misalignment
    a, rows = system.arrays, system.D[system.spring_rows][:, gone].toarray()
    strain = rows.T @ (a.k * a.off[system.spring_rows] + a.f0)
    rest = np.zeros(len(mass))
    rest[gone] = -np.linalg.solve(stiffness[np.ix_(gone, gone)], strain)
    return on_basis(system, basis, names, np.asarray(system.D @ basis), note, rest)


def _candidates(system: System) -> Chosen:
    """Coordinates that nothing but springs and inertia touches."""
    a = system.arrays
    if len(a.grow) or system.shape.hard or system.shape.friction:
        return np.zeros(0, np.int64)
    touched = np.zeros(system.shape.coordinates, bool)
    others = system.D[: system.spring_rows.start]
    touched[others.indices[others.data != 0.0]] = True
    touched[a.bi.astype(np.int64)] = True
    touched[list(system.prescribed)] = True
    stiff = np.abs(system.spring_matrices()[0]).sum(axis=1) > 0.0
    return np.flatnonzero(stiff & ~touched)


def _follows(matrix: Float, gone: Chosen, kept: Chosen) -> Float:
    """How coordinates follow the others by a matrix, without what round-off leaves."""
    share = -np.linalg.solve(matrix[np.ix_(gone, gone)], matrix[np.ix_(gone, kept)])
    size = np.sqrt(np.abs(np.diag(matrix)))
    share[np.abs(share) * size[gone, None] < 1e-12 * size[None, kept]] = 0.0
    return np.asarray(share)


def _above(may: Chosen, mass: Float, matrix: Float, least: float) -> Chosen:
    """The most coordinates whose lowest eigenvalue of ``matrix`` against ``mass``, all others held, is ``least``."""
    while len(may):
        inside = np.ix_(may, may)
        values, shapes = la.eigh(matrix[inside], mass[inside])
        if values[0] >= least:
            break
        lowest = shapes[:, 0]
        may = np.delete(may, int(np.argmax(lowest * (mass[inside] @ lowest))))
    return may


def _overdamped(system: System, may: Chosen, mass: Float, stiffness: Float, damping: Float) -> Chosen:
    """Coordinates of motions that die out faster than anything swings, and that stiffness and damping tie alike."""
    strong = may[np.diag(damping)[may] > 0.0]
    if not len(strong):
        return strong
    _, whole, _ = system.linear()
    top = float(la.eigh(whole, mass, eigvals_only=True, subset_by_index=(len(mass) - 1, len(mass) - 1))[0])
    gone = _above(strong, mass, damping, FASTER * top**0.5)
    kept = np.setdiff1d(np.arange(len(mass)), gone)
    if len(gone):
        by_stiffness, by_damping = (_follows(m, gone, kept) for m in (stiffness, damping))
        if np.abs(by_stiffness - by_damping).max() > 1e-9 * np.abs(by_stiffness).max():
            return gone[:0]
    return gone
