"""Modes in the words of the field: kinds, energies by body and element, pole map, warnings.

Kinds follow Lin and Parker (J. Vib. Acoust. 121 (1999) 316-321): in a **rotational** mode the central members
of a planetary stage do not translate and its planets move alike; in a **translational** mode the central
members do not turn and the planets move as the cosine and sine of their places; in a **planet** mode the
central members are at rest. With six motions per body the first kind takes axial displacements along
(rotational-axial), the second tilts (translational-tilting; Eritenel and Parker, J. Sound Vib. 325 (2009) 397-420).
The three are orthogonal subspaces for equal planets, so the kinetic energy of
any mode splits into them, and a mode is of a kind when nearly all its energy is. Frequencies that several
modes share leave their shapes free; they are turned so that the kinds separate. A **massless** mode moves only members
without inertia (law rigid): its frequency is that of the negligible inertia that stands for them, not one of the train.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gearwright.solve.steady.modes import Modes, kinetic_shares, strain_shares
from gearwright.system import System
from gearwright.train.train import Train

Float = NDArray[np.float64]
Kind = Literal["rigid", "rotational", "translational", "planet", "shaft", "mixed", "massless"]

#: The subspaces the kinetic energy splits into, in the order of :attr:`ModalTable.parts`.
PARTS = ("rotational", "translational", "planet")

#: Share of the kinetic energy in one subspace that makes a mode be of its kind.
PURE = 0.95

#: Share of the strain energy in shafts that makes a mode a shaft mode.
SHAFT = 0.5

#: Share of the kinetic energy in members without inertia that makes a mode one of their stand-ins, not of the train.
LIGHT = 0.5


@dataclass(frozen=True)
class Pole:
    """A pole p: ``real`` and ``imag`` [rad/s], ``frequency_hz`` |p|/2 pi and ``damping_ratio`` -Re/|p| (zero for one at the origin)."""

    real: float
    imag: float
    frequency_hz: float
    damping_ratio: float


@dataclass(frozen=True)
class ModalTable:
    """Modes of a drivetrain for people.

    Attributes
    ----------
    modes : the modes, shapes turned within shared frequencies so that kinds separate
    kinds : (k,) kind of every mode
    parts : (k, 3) kinetic energy in the rotational, translational and planet subspaces
    multiplicity : (k,) number of modes that share the frequency
    bodies, body_energy : names (b,) and kinetic energy shares (k, b)
    elements, element_energy : names (e,) and strain energy shares (k, e); zero for rigid modes
    """

    modes: Modes
    kinds: tuple[Kind, ...]
    parts: Float
    multiplicity: NDArray[np.int64]
    bodies: tuple[str, ...]
    body_energy: Float
    elements: tuple[str, ...]
    element_energy: Float

    def energies(self, floor: float = 0.01) -> list[dict[str, float]]:
        """Shares of the strain energy by element, per mode, those above ``floor``."""
        return [
            {name: float(x) for name, x in zip(self.elements, row, strict=True) if x > floor}
            for row in self.element_energy
        ]

    def pole_map(self) -> list[Pole]:
        """Poles with non-negative imaginary part."""
        return [
            Pole(
                float(p.real),
                float(p.imag),
                float(abs(p) / (2 * np.pi)),
                float(-p.real / abs(p)) + 0.0 if p != 0 else 0.0,
            )
            for p in self.modes.poles
            if p.imag >= 0.0
        ]


def classify(modes: Modes, system: System, train: Train, tolerance: float = 1e-6) -> ModalTable:
    """Kinds and energies of the modes of a system assembled from ``train``.

    Coordinates are named ``<body>.rotation``, ``<body>.y``, ``<body>.z`` (planets: y and z in the frame of their
    carrier, absolute), rows ``<element>.<part>``. Frequencies within the relative ``tolerance`` count as one.
    A coordinate or an element that the train does not know counts with its own name.
    """
    spread, part = _subspaces(system, train)
    shapes = modes.shapes.copy()
    for cluster in modes.clusters(tolerance):
        if len(cluster) > 1 and cluster[0] >= modes.rigid and not np.iscomplexobj(shapes):
            shapes[:, cluster] = _separate(shapes[:, cluster], spread, part, modes.mass)
    turned = replace(
        modes,
        shapes=shapes,
        kinetic_shares=kinetic_shares(modes.mass, shapes),
        strain_shares=strain_shares(system, modes.row_stiffness, shapes),
    )
    fractions = np.array([_split(shapes[:, i], spread, part, modes.mass) for i in range(modes.count)])
    multiplicity = np.ones(modes.count, np.int64)
    for cluster in modes.clusters(tolerance):
        multiplicity[cluster] = len(cluster)
    bodies, body_energy = _gather(turned.kinetic_shares, [_body(c) for c in system.coordinates])
    springy = np.flatnonzero(np.abs(modes.row_stiffness).sum(axis=1))
    elements, element_energy = _gather(turned.strain_shares[:, springy], [_element(system.rows[r]) for r in springy])
    shaft_columns = [i for i, name in enumerate(elements) if name in train.shafts]
    in_shafts = element_energy[:, shaft_columns].sum(axis=1)
    light = body_energy[:, [i for i, name in enumerate(bodies) if name in _massless(system, train)]].sum(axis=1)
    kinds = tuple(
        "massless"
        if i >= modes.rigid and light[i] > LIGHT
        else _kind(i < modes.rigid, fractions[i], float(in_shafts[i]))
        for i in range(modes.count)
    )
    return ModalTable(turned, kinds, fractions, multiplicity, bodies, body_energy, elements, element_energy)


def _massless(system: System, train: Train) -> set[str]:
    """Bodies for whose inertia a negligible one stands (law rigid allows them)."""
    if system.provenance.law != "rigid":
        return set()
    carried = {n for s in train.shafts.values() if s.consistent or s.segments for n in s.between}
    return {b.name for b in train.bodies.values() if not b.inertia} - carried


def _kind(rigid: bool, fractions: Float, in_shafts: float) -> Kind:
    if rigid:
        return "rigid"
    if in_shafts > SHAFT:
        return "shaft"
    best = int(fractions.argmax())
    kinds: tuple[Kind, ...] = ("rotational", "translational", "planet")
    return kinds[best] if fractions[best] >= PURE else "mixed"


def _subspaces(system: System, train: Train) -> tuple[Float, NDArray[np.int64]]:
    """Orthogonal change of coordinates ``q = T p`` and the part (0, 1, 2) every ``p`` belongs to.

    Planets of a stage are described by what they do radially, tangentially and in rotation, and those by
    patterns over the planets: alike, as cosine and sine of their places, and the rest.
    """
    number = {name: i for i, name in enumerate(system.coordinates)}
    transform = np.eye(len(number))
    sideways = (".y", ".z", ".tilt_y", ".tilt_z")
    part = np.array([1 if name.endswith(sideways) else 0 for name in number], np.int64)
    for carrier in {b.on for b in train.bodies.values() if b.on is not None}:
        planets = [b for b in train.bodies.values() if b.on == carrier and f"{b.name}.rotation" in number]
        if not planets or any(b.count != 1 for b in planets):
            continue
        angles = np.array([b.angle for b in planets])
        planar = all(f"{b.name}.y" in number and f"{b.name}.z" in number for b in planets)
        if planar:
            for body, a in zip(planets, angles, strict=True):
                y, z = number[f"{body.name}.y"], number[f"{body.name}.z"]
                transform[np.ix_([y, z], [y, z])] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        tilting = all(f"{b.name}.tilt_y" in number for b in planets)
        if tilting:
            for body, a in zip(planets, angles, strict=True):
                y, z = number[f"{body.name}.tilt_y"], number[f"{body.name}.tilt_z"]
                transform[np.ix_([y, z], [y, z])] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        patterns, of = _patterns(angles, planar)
        motions = ["rotation", "y", "z"] if planar else ["rotation"]
        motions += [m for m in ("x", "tilt_y", "tilt_z") if all(f"{b.name}.{m}" in number for b in planets)]
        for motion in motions:
            columns = [number[f"{b.name}.{motion}"] for b in planets]
            transform[:, columns] = transform[:, columns] @ patterns
            part[columns] = of
    return transform, part


def _patterns(angles: Float, planar: bool) -> tuple[Float, NDArray[np.int64]]:
    """Orthonormal patterns (planets, planets) over the planets and the part of each.

    Without translations there is no translational kind: whatever is not alike is a planet mode.
    """
    count = len(angles)
    raw = np.column_stack([np.ones(count), np.cos(angles), np.sin(angles)])
    basis: list[Float] = []
    of: list[int] = []
    for j, column in enumerate(np.hstack([raw, np.eye(count)]).T):
        rest = column - sum((b * (b @ column) for b in basis), np.zeros(count))
        size = float(np.linalg.norm(rest))
        if size > 1e-9 and len(basis) < count:
            basis.append(rest / size)
            of.append(0 if j == 0 else 1 if j < 3 and planar else 2)
    return np.array(basis).T, np.array(of, np.int64)


def _separate(shapes: Any, spread: Float, part: NDArray[np.int64], mass: Float) -> Float:
    """Turn shapes of one frequency so that the energy of each lies in as few subspaces as can be."""
    p = spread.T @ shapes
    weight = p.T * (1.0 + part)
    form = weight @ (spread.T @ mass @ spread) @ p
    _, turn = np.linalg.eigh(0.5 * (form + form.T))
    return np.asarray(shapes @ turn)


def _split(shape: Any, spread: Float, part: NDArray[np.int64], mass: Float) -> Float:
    p = spread.T @ shape
    energy = np.real(np.conj(p) * (spread.T @ mass @ spread @ p))
    shares = np.bincount(part, weights=energy, minlength=3)
    return np.asarray(shares / shares.sum())


def _gather(shares: Float, names: Sequence[str]) -> tuple[tuple[str, ...], Float]:
    """Sum columns that belong to one name, names in order of appearance."""
    unique = tuple(dict.fromkeys(names))
    index = np.array([unique.index(n) for n in names], np.int64)
    total = np.zeros((len(shares), len(unique)))
    np.add.at(total.T, index, shares.T)
    return unique, total


def _body(coordinate: str) -> str:
    return coordinate.rpartition(".")[0] or coordinate


def _element(row: str) -> str:
    """Element of a row; slices of a mesh and parts of a shaft count together."""
    return re.sub(r"\.(slice|part)\d+$", "", row.rpartition(".")[0] or row)
