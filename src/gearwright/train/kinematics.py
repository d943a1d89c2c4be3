"""Kinematics and torque flow of the rigid train: speeds, ratios, and which flank of each mesh is loaded.

Every mesh, shaft and coupling spring is one row of rotations; speeds are the null space of the rows with the
held bodies taken out. The torque flow under unit input torque solves ``D^T f = T`` in the least-squares sense,
with free torque on the output and on everything held; the sign of a mesh's ``f`` is its loaded flank
(decisions, Signs).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .train import HOUSING, Coupling, Mesh, Shaft, Train

Float = NDArray[np.float64]


def mesh_row(mesh: Mesh) -> dict[str, float]:
    """Rotations in the row of a mesh as written, positive flank of wheel 1 (sigma = +1).

    External ``r1 th1 + r2 th2``, internal and same-sense ``r1 th1 - r2 th2``, seen from the carrier: its entry is
    minus the mesh's own sum or difference of radii.
    """
    r1, r2 = mesh.base_radius
    second = -r2 if mesh.internal or mesh.same_sense else r2
    row = {mesh.between[0]: r1, mesh.between[1]: second}
    if mesh.on is not None:
        row[mesh.on] = row.get(mesh.on, 0.0) - (r1 + second)
    return row


def _joined(ends: tuple[str, str]) -> dict[str, float]:
    return {name: sign for name, sign in zip(ends, (1.0, -1.0), strict=True) if name != HOUSING}


def rows_of(
    meshes: Mapping[str, Mesh], shafts: Mapping[str, Shaft], couplings: Mapping[str, Coupling]
) -> dict[str, dict[str, float]]:
    """Rotation rows of everything that ties bodies together, by element name.

    Shafts and springs to the housing are left out: a spring to the housing is a load, not a support. Engaged brakes
    and clutches hold.
    """
    rows = {name: mesh_row(mesh) for name, mesh in meshes.items()}
    rows |= {name: _joined(s.between) for name, s in shafts.items() if HOUSING not in s.between}
    for name, c in couplings.items():
        sprung = c.type == "spring" and c.parameters.get("torsional_stiffness") and HOUSING not in c.between
        if sprung or (c.type in ("brake", "clutch") and c.parameters.get("engaged", True)):
            rows[name] = _joined(c.between)
    return rows


@dataclass(frozen=True)
class Motion:
    """What the rigid train can do: bodies in order, the held ones, basis of its speeds (bodies, motions)."""

    bodies: tuple[str, ...]
    held: tuple[str, ...]
    basis: Float
    rows: dict[str, dict[str, float]]

    @property
    def freedom(self) -> int:
        """Number of independent motions."""
        return self.basis.shape[1]

    def ratios(self, input: str) -> dict[str, float]:
        """Speed of every body per unit speed of ``input``; empty unless the train has one motion that turns it."""
        if self.freedom != 1 or input not in self.bodies:
            return {}
        speeds = self.basis[:, 0]
        own = speeds[self.bodies.index(input)]
        if abs(own) < 1e-9 * np.abs(speeds).max():
            return {}
        clean = np.where(np.abs(speeds / own) < 1e-12, 0.0, speeds / own)
        return {name: float(value) for name, value in zip(self.bodies, clean, strict=True)}


def motion(bodies: Iterable[str], rows: dict[str, dict[str, float]], held: Iterable[str]) -> Motion:
    """Speeds that satisfy all rows while the held bodies stand still."""
    names = tuple(bodies)
    fixed = tuple(dict.fromkeys(h for h in held if h in names))
    free = [i for i, name in enumerate(names) if name not in fixed]
    matrix = _matrix(rows, names)[:, free]
    size = np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix = matrix[size[:, 0] > 0.0] / size[size[:, 0] > 0.0]
    if not free:
        basis = np.zeros((0, 0))
    elif not len(matrix):
        basis = np.eye(len(free))
    else:
        _, singular, right = np.linalg.svd(matrix)
        rank = int(np.sum(singular > 1e-9 * singular[0]))
        basis = right[rank:].T
    full = np.zeros((len(names), basis.shape[1]))
    full[free] = basis
    return Motion(names, fixed, full, rows)


def _matrix(rows: dict[str, dict[str, float]], names: tuple[str, ...]) -> Float:
    number = {name: i for i, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names)))
    for i, row in enumerate(rows.values()):
        for name, value in row.items():
            if name in number:
                matrix[i, number[name]] += value
    return matrix


def torque_flow(motion: Motion, input: str, reacting: Iterable[str]) -> tuple[dict[str, float], float]:
    """Force of every row per unit torque on ``input``, and what is left unbalanced.

    ``reacting`` bodies (output, machines) and the held ones take whatever torque is needed; all others none.
    Among redundant rows (planets) the split is the one of least norm: equal shares.
    """
    free = {*motion.held, *reacting} - {input}
    balanced = [i for i, name in enumerate(motion.bodies) if name not in free]
    torque = np.array([1.0 if motion.bodies[i] == input else 0.0 for i in balanced])
    matrix = _matrix(motion.rows, motion.bodies)[:, balanced].T  # D^T f = T on the bodies that carry no reaction
    if not matrix.size or not len(balanced):
        return dict.fromkeys(motion.rows, 0.0), 0.0
    force, *_ = np.linalg.lstsq(matrix, torque, rcond=1e-10)
    left = float(np.linalg.norm(matrix @ force - torque))
    scale = np.abs(force).max(initial=0.0)
    force = np.where(np.abs(force) < 1e-9 * scale, 0.0, force)
    return dict(zip(motion.rows, (float(f) for f in force), strict=True)), left


def mesh_frequency(mesh: Mesh, speeds: Mapping[str, float]) -> float:
    """Mesh frequency [Hz] at given speeds [rad/s]: teeth of wheel 1 times its turns seen from the carrier.

    ``nan`` without tooth numbers or speeds. Where radii and teeth disagree, the wheel with more teeth counts.
    """
    if mesh.teeth is None or any(name not in speeds for name in mesh.between):
        return float("nan")
    carrier = speeds.get(mesh.on, 0.0) if mesh.on is not None else 0.0
    which = 0 if mesh.teeth[0] >= mesh.teeth[1] else 1
    return abs(mesh.teeth[which] * (speeds[mesh.between[which]] - carrier)) / (2.0 * np.pi)


def planet_groups(train: Train) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Meshes that share a load: those of one central wheel with several planets of one carrier, found by what rides on what.

    Name of the group -> (carrier, meshes in order). The name is that of the stage, or of the carrier where bodies are spelled
    out; a carrier with several central wheels of a kind (Ravigneaux) has one group for each, ``carrier: wheel``. Sun meshes
    stand for a set, ring meshes where there is no sun.
    """
    found: dict[tuple[str, str], list[Mesh]] = {}
    for mesh in train.meshes.values():
        riders = [name for name in mesh.between if mesh.on is not None and train.bodies[name].on == mesh.on]
        if mesh.on is not None and len(riders) == 1:
            centre = mesh.between[1 if mesh.between[0] == riders[0] else 0]
            found.setdefault((mesh.on, centre), []).append(mesh)
    shared = {key: group for key, group in found.items() if len(group) > 1}
    named: dict[str, tuple[str, tuple[str, ...]]] = {}
    for carrier in dict.fromkeys(carrier for carrier, _ in shared):
        own = {centre: group for (on, centre), group in shared.items() if on == carrier}
        suns = {centre: group for centre, group in own.items() if not group[0].internal} or own
        base = next((g[0].stage for g in suns.values() if g[0].stage), None) or carrier
        for centre, group in suns.items():
            label = base if len(suns) == 1 else f"{base}: {centre}"
            named[label] = carrier, tuple(m.name for m in group)
    return named


def speeds(train: Train, input_speed: float | None = None) -> dict[str, float]:
    """Speed of every body [rad/s] at an input speed (default: that of the operating point)."""
    speed = train.speed if input_speed is None else input_speed
    return {} if speed is None else {name: ratio * speed for name, ratio in train.ratios.items()}
