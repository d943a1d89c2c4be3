"""Reduced finite-element bodies of a file: matrices read and checked, mounts as bearings."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from typing import Any

import numpy as np

from .expand_bench import Bench
from .expand_members import bearing
from .schema_flexible import ReducedBody
from .train import HOUSING, Reduced


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
    mounts = []
    for i, mount in enumerate(facts.mounts):
        name = f"{facts.name}_{mount.name or mount.node}"
        bearing(bench, mount, name, (f"{facts.name}.{mount.node}", on or HOUSING), None, None, f"{path}.mounts.{i}")
        if name in bench.bearings:
            made = bench.bearings.pop(name)
            if on is not None:
                at = facts.places[facts.nodes.index(mount.node)]
                made = replace(made, facts={**made.facts, "support_x": at[0] + mount.x})
            mounts.append(made)
    bench.reduced[facts.name] = Reduced(
        facts.name, tuple(facts.nodes), *matrices, tuple(mounts), on, tuple(facts.places)
    )


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
                f"of one size, at least {least}", f"{path}.matrices", facts.matrices,
            )  # fmt: skip
            return None
        if np.abs(matrix - matrix.T).max() > 1e-6 * np.abs(matrix).max():
            bench.wrong(f"'{key}' is not symmetric", f"{path}.matrices", facts.matrices)
            return None
    return found["mass"], found["stiffness"], found.get("damping")
