"""Reduced finite-element bodies of a file: matrices read and checked, mounts as bearings."""

from __future__ import annotations

import math
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gearwright.errors import listed

from .bench import Bench
from .members import bearing
from .train import HOUSING, Reduced, Rim

if TYPE_CHECKING:
    from gearwright.schema.flexible import ReducedBody

#: largest deviation of nodes around a ring from even spacing [rad]
UNEVEN = 1e-3


def reduced(bench: Bench, facts: ReducedBody) -> None:
    """Read a reduced body and hold its mounts."""
    path = f"reduced_bodies.{facts.name}"
    if facts.name in bench.reduced or facts.name in bench.bodies:
        bench.wrong("this name is given twice", path, facts.name)
        return
    matrices = _read(bench, facts, path)
    if matrices is None:
        return
    on = None
    if facts.on is not None:
        on = bench.body(facts.on, f"{path}.on")
        if on is None:
            return
        _rigid_motions(bench, facts, matrices[1], path)
    rim = None
    if facts.teeth is not None:
        rim = _rim(bench, facts, path)
        if rim is None:
            return
    mounts = []
    for i, mount in enumerate(facts.mounts):
        name = f"{facts.name}_{mount.name or mount.node}"
        bearing(bench, mount, name, (f"{facts.name}.{mount.node}", on or HOUSING), None, None, f"{path}.mounts.{i}")
        if name in bench.bearings:
            made = bench.bearings.pop(name)
            if on is not None:
                at = facts.places[facts.nodes.index(mount.node)]
                made = replace(made, support_x=at[0] + mount.x)
            mounts.append(made)
    bench.reduced[facts.name] = Reduced(
        facts.name, tuple(facts.nodes), *matrices, tuple(mounts), on, tuple(facts.places), rim
    )


def _rim(bench: Bench, facts: ReducedBody, path: str) -> Rim | None:
    """The nodes that carry the teeth, in order around the ring; problems are noted."""
    assert facts.teeth is not None
    ring = bench.body(facts.teeth.of, f"{path}.teeth.of")
    if ring is None:
        return None
    body = bench.bodies[ring]
    if body.role != "ring":
        rings = listed([b.name for b in bench.bodies.values() if b.role == "ring"])
        bench.wrong("this is no ring of a planetary stage", f"{path}.teeth.of", facts.teeth.of, rings)
        return None
    if not body.fixed:
        bench.wrong(
            f"the reduced body stands for '{ring}' and its mounts hold it: the ring of the stage itself is to be fixed",
            f"{path}.teeth",
            facts.teeth.of,
            "fixed: true at the ring",
        )
        return None
    if any(other.rim is not None and other.rim.ring == ring for other in bench.reduced.values()):
        bench.wrong("the teeth of this ring sit on another reduced body already", f"{path}.teeth.of", facts.teeth.of)
        return None
    names = facts.teeth.nodes or facts.nodes
    around = []
    for name in names:
        x, y, z = facts.places[facts.nodes.index(name)]
        around.append((math.atan2(z, y) % (2.0 * math.pi), name, (x, y, z)))
    around.sort()
    angles = np.array([a for a, _, _ in around])
    off = angles - angles[0] - 2.0 * math.pi * np.arange(len(angles)) / len(angles)
    if len(names) < 3 or np.ptp(off) > UNEVEN or min(math.hypot(y, z) for _, _, (_, y, z) in around) == 0.0:
        worst = (
            ""
            if len(names) < 3
            else f"; '{around[int(np.abs(off).argmax())][1]}' is {math.degrees(np.abs(off).max()):.3g} degrees off"
        )
        bench.wrong(
            f"nodes that carry teeth are three or more, evenly spaced around the ring's centre{worst}",
            f"{path}.teeth.nodes",
            ", ".join(names),
            "other nodes (mounts) may lie anywhere: name those that carry the teeth",
        )
        return None
    return Rim(ring, tuple(n for _, n, _ in around), tuple(p for _, _, p in around), float(angles[0] + off.mean()))


def _rigid_motions(bench: Bench, facts: ReducedBody, stiffness: Any, path: str) -> None:
    """A body that turns with a carrier must not resist rigid motions of its nodes, or it would hold the train."""
    rigid = np.zeros((len(stiffness), 6))
    for i, (x, y, z) in enumerate(facts.places):
        rigid[6 * i : 6 * i + 6] = np.eye(6)
        # theta x r
        rigid[6 * i : 6 * i + 3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    force = stiffness @ rigid
    size = np.abs(stiffness) @ np.abs(rigid)
    if np.abs(force).max() > 1e-5 * size.max():
        bench.wrong(
            "its stiffness resists a rigid motion: the places do not fit the matrices, or they are held somewhere",
            f"{path}.places",
        )


def _read(bench: Bench, facts: ReducedBody, path: str) -> tuple[Any, Any, Any] | None:
    file = bench.drivetrain.resolve(facts.matrices)
    try:
        with np.load(file, allow_pickle=False) as data:
            found = {key: np.asarray(data[key], float) for key in ("mass", "stiffness", "damping") if key in data}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        bench.wrong(
            f"its matrices cannot be read: {error}", f"{path}.matrices", facts.matrices, "an .npz file of arrays"
        )
        return None
    least = 6 * len(facts.nodes)
    for key in ("mass", "stiffness"):
        if key not in found:
            bench.wrong(
                f"the file has no array '{key}'", f"{path}.matrices", facts.matrices, "mass, stiffness, damping"
            )
            return None
    size = found["mass"].shape[0]
    for key, matrix in found.items():
        if matrix.shape != (size, size) or size < least:
            bench.wrong(
                f"'{key}' is {' x '.join(str(n) for n in matrix.shape)}; {len(facts.nodes)} nodes need square matrices "
                f"of one size, at least {least}",
                f"{path}.matrices",
                facts.matrices,
            )
            return None
        if np.abs(matrix - matrix.T).max() > 1e-6 * np.abs(matrix).max():
            bench.wrong(f"'{key}' is not symmetric", f"{path}.matrices", facts.matrices)
            return None
    return found["mass"], found["stiffness"], found.get("damping")
