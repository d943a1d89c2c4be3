"""What moves: rigid rotation, elastic deviations and loads of a result, mode shapes, as tracks for the page.

Rigid rotation and elastic deviation stay apart: ``angle of a body = sum(share * turned) + deviation``. Deviations
are the result's own where bodies were recorded; otherwise they follow from the twists of shafts, the deflections
of meshes and the loads of bearings over their stiffness (least squares, the input's own deviation zero).
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.figures.reading import Run
from gearwright.train.kinematics import motion, rows_of
from gearwright.train.train import HOUSING, Train

from .records import Play, ShapeRecord
from .tracks import averaged, blocks, double, peaks, quantised

Array = NDArray[np.float64]
MOTIONS = ("rotation", "x", "y", "z", "tilt_y", "tilt_z")


def frames(train: Train, fidelity: str | None) -> dict[str, str | None]:
    """Carrier in whose turning frame the translations of a body are written, or None."""
    bodies = train.bodies.values()
    carriers: dict[str | None, str | None] = {
        b.stage: None if b.fixed else b.name for b in bodies if b.role == "carrier" and b.stage
    }
    found: dict[str, str | None] = {}
    for body in bodies:
        central = fidelity != "torsional" and body.role in ("sun", "ring", "carrier")
        found[body.name] = body.on or (carriers.get(body.stage) if central else None)
    return found


def rigid_shares(train: Train) -> Array:
    """(bodies, m) speeds of the rigid train's m independent motions; with ratios from the file m is 1."""
    names = list(train.bodies)
    if train.ratios:
        return np.array([[float(train.ratios.get(name) or 0.0)] for name in names])
    held = {b.name for b in train.bodies.values() if b.fixed} | set(train.held)
    meshes = {k: m for k, m in train.meshes.items() if HOUSING not in m.between}
    found = motion(names, rows_of(meshes, train.shafts, train.couplings), held)
    return np.asarray(found.basis)


def turned(train: Train, run: Run, shares: Array) -> Array:
    """(m, samples) what every independent motion has turned [rad], from the speeds that the result holds.

    Without recorded speeds the input turns at its operating speed.
    """
    names = list(train.bodies)
    time = run.times
    known: dict[int, Array] = {}
    for kind in ("body", "machine"):
        for element in run.elements(kind):
            body = element
            if kind == "machine" and element in train.machines:
                body = train.machines[element].body
            body = train.alias.get(body, body)
            speed = run.series(kind, "speed", element)
            if body in names and speed is not None and np.isfinite(speed).all():
                known.setdefault(names.index(body), speed)
    rows = [i for i in known if np.abs(shares[i]).max(initial=0.0) > 1e-12]
    reference = names.index(train.input) if train.input in names else None
    if reference in rows and shares.shape[1] == 1:
        rows = [int(reference)]  # type: ignore[arg-type]
    if rows:
        speeds = np.array([known[i] for i in rows])
        rates = np.linalg.pinv(shares[rows]) @ speeds
    else:
        rates = np.zeros((shares.shape[1], len(time)))
        if shares.shape[1]:
            own = shares[reference, 0] if reference is not None and shares[reference, 0] else 1.0
            rates[0] = (train.speed if train.speed is not None else 1.0) / own
    steps = np.diff(time, prepend=time[0])
    middle = np.concatenate([rates[:, :1], 0.5 * (rates[:, 1:] + rates[:, :-1])], axis=1)
    return np.asarray(np.cumsum(middle * steps, axis=1))


def deviations(train: Train, run: Run, shares: Array) -> tuple[dict[str, dict[str, Array]], str]:
    """Deviations by body and motion, and the words that say where they come from."""
    found: dict[str, dict[str, Array]] = {}
    for name in run.elements("body"):
        if name in train.bodies:
            for what in MOTIONS:
                series = run.series("body", "deviation" if what == "rotation" else what, name)
                if series is not None:
                    found.setdefault(name, {})[what] = np.nan_to_num(series)
    if any("rotation" in moved for moved in found.values()):
        return found, "as computed"
    moved = _translations(train, run)
    names = list(train.bodies)
    rows, values = [], []
    meshes = {k: m for k, m in train.meshes.items() if HOUSING not in m.between}
    for element, row in rows_of(meshes, train.shafts, {}).items():
        is_mesh = element in meshes
        series = run.series(*(("mesh", "deflection") if is_mesh else ("shaft", "twist")), element)
        if series is None:
            continue
        line = np.zeros(len(names))
        for name, value in row.items():
            if name in names:
                line[names.index(name)] += value
        size = float(np.linalg.norm(line))
        if is_mesh:
            series = meshes[element].sigma * (series - _along(train, element, moved))
        rows.append(line / size)
        values.append(np.nan_to_num(series) / size)
    if not rows:
        return moved, _source(False, bool(moved))
    held = [i for i, b in enumerate(train.bodies.values()) if b.fixed]
    source = _source(True, bool(moved))
    matrix = np.array(rows)
    matrix[:, held] = 0.0
    q = np.linalg.pinv(matrix, rcond=1e-9) @ np.array(values)
    if train.input in names and shares.shape[1] == 1:
        i = names.index(train.input)
        if shares[i, 0]:
            q = q - np.outer(shares[:, 0] / shares[i, 0], q[i])
    for i, name in enumerate(names):
        moved.setdefault(name, {})["rotation"] = q[i]
    return moved, source


def _source(turning: bool, shifting: bool) -> str:
    names = ["twists of shafts and deflections of teeth"] * turning + ["bearing loads over stiffness"] * shifting
    return " and ".join(names)


def _translations(train: Train, run: Run) -> dict[str, dict[str, Array]]:
    """Displacement of a body that one bearing of known stiffness holds: its load over that stiffness."""
    found: dict[str, dict[str, Array]] = {}
    if run.attribute("fidelity") == "torsional":
        return found  # bearing loads are reactions there, the bodies do not move
    for bearing in train.bearings.values():
        body = next((b for b in bearing.between if b != HOUSING), None)
        if body is None or bearing.stiffness is None or body in found:
            continue
        load = [run.series("bearing", f"force_{axis}", bearing.name) for axis in "yz"]
        stiffness = np.array(bearing.stiffness, dtype=float)
        if load[0] is None or load[1] is None or abs(np.linalg.det(stiffness)) < 1e-9:
            continue
        y, z = np.linalg.solve(stiffness, np.nan_to_num(np.array(load)))
        found[body] = {"y": y, "z": z}
    return found


def _along(train: Train, name: str, moved: Mapping[str, Mapping[str, Array]]) -> Array | float:
    """Part of a mesh's deflection that the translations of its wheels make [m]."""
    mesh = train.meshes[name]
    if mesh.angle is None:
        return 0.0
    direction = mesh.angle - mesh.sigma * (mesh.pressure_angle or 0.0) + mesh.sigma * 0.5 * math.pi
    total: Array | float = 0.0
    for body, sign in zip(mesh.between, (1.0, -1.0), strict=True):
        if body in moved and "y" in moved[body]:
            total = total + sign * (math.cos(direction) * moved[body]["y"] + math.sin(direction) * moved[body]["z"])
    return total


def played(train: Train, run: Run, most_bytes: int) -> Play | None:
    """The result as tracks of together at most ``most_bytes``; None without a time series."""
    time = run.times
    if len(time) < 2:
        return None
    shares = rigid_shares(train)
    angle = turned(train, run, shares)
    moved, source = deviations(train, run, shares)
    forces: list[tuple[str, str, str]] = []
    for name in run.elements("mesh"):
        if name in train.meshes:
            two = run.series("mesh", "coast_force", name) is not None
            forces += [("mesh", q, name) for q in (("drive_force", "coast_force") if two else ("force",))]
    forces += [("bearing", f"force_{a}", name) for name in run.elements("bearing") for a in "yz"]
    forces += [("shaft", "torque", name) for name in run.elements("shaft")]
    forces += [("machine", "torque", name) for name in run.elements("machine")]
    tracks = sum(len(m) for m in moved.values()) + len(forces) + 4 * len(angle)
    size = blocks(len(time), max(most_bytes // (2 * max(tracks, 1)), 50))
    record: Play = {
        "start": float(averaged(time, size)[0]),
        "step": float((time[1] - time[0]) * size),
        "count": len(averaged(time, size)),
        "block": size,
        "source": source,
        "relative": source != "as computed",
        "turned": [double(averaged(a, size)) for a in angle],
        "deviation": {},
        "force": {},
    }
    for name, motions in moved.items():
        kept = {what: quantised(averaged(values, size)) for what, values in motions.items()}
        kept = {what: track for what, track in kept.items() if track.get("constant") != 0.0}
        if kept:
            record["deviation"][name] = kept
    for kind, quantity, element in forces:
        series = run.series(kind, quantity, element)
        if series is not None:
            record["force"].setdefault(kind, {}).setdefault(element, {})[quantity] = quantised(peaks(series, size))
    return record


def steady(train: Train, loads: Mapping[str, float], speed: float) -> Play:
    """The train turning at one speed of its input [rad/s] under constant loads by channel name."""
    shares = rigid_shares(train)
    count, names = 2, list(train.bodies)
    fastest = max(float(np.abs(shares).max(initial=0.0)), 1e-9)
    i = names.index(train.input) if train.input in names else int(np.abs(shares).sum(axis=1).argmax())
    own = shares[i, 0] if shares.shape[1] and shares[i, 0] else 1.0
    # ten turns of the input, or of the fastest wheel if nothing else is known
    span = 20.0 * math.pi / max(abs(speed), 1e-6)
    turns = [double(np.array([0.0, speed * span / own if j == 0 else 0.0])) for j in range(shares.shape[1])]
    record: Play = {
        "start": 0.0,
        "step": span,
        "count": count,
        "block": 1,
        "source": "",
        "steady": True,
        "fastest": fastest,
        "turned": turns,
        "deviation": {},
        "force": {},
    }
    kinds: dict[str, Container[str]] = {
        "mesh": train.meshes,
        "bearing": train.bearings,
        "shaft": train.shafts,
        "machine": train.machines,
    }
    for channel, value in loads.items():
        element, _, quantity = channel.rpartition(".")
        for kind, known in kinds.items():
            wanted = quantity in ("force", "torque") if kind != "bearing" else quantity in ("force_y", "force_z")
            if wanted and element in known and math.isfinite(value):
                record["force"].setdefault(kind, {}).setdefault(element, {})[quantity] = {"constant": float(value)}
    return record


def shapes_record(
    frequencies: Sequence[float],
    damping: Sequence[float],
    kinds: Sequence[str],
    coordinates: Sequence[str],
    shapes: Any,
    bodies: Sequence[str],
) -> list[ShapeRecord]:
    """Mode shapes by body: ``{"name": label, "shape": {body: {motion: value}}}``; rigid modes are left out.

    ``shapes`` is (coordinates, modes), real or complex; of a complex shape the part in phase with its largest
    coordinate is shown.
    """
    found: list[ShapeRecord] = []
    matrix = np.asarray(shapes)
    for j, frequency in enumerate(frequencies):
        if not frequency > 0.0 or j >= matrix.shape[1]:
            continue
        column = matrix[:, j]
        if np.iscomplexobj(column):
            largest = column[np.abs(column).argmax()]
            column = (column * np.conj(largest) / abs(largest)).real
        shape: dict[str, dict[str, float]] = {}
        for coordinate, value in zip(coordinates, column, strict=True):
            body, _, what = coordinate.rpartition(".")
            if body in bodies and what in MOTIONS and value != 0.0:
                shape.setdefault(body, {})[what] = float(f"{float(value):.4g}")
        if shape:
            found.append(
                {
                    "number": j + 1,
                    "frequency": float(frequency),
                    "damping": float(damping[j]) if j < len(damping) and math.isfinite(damping[j]) else None,
                    "kind": kinds[j] if j < len(kinds) else "",
                    "shape": shape,
                }
            )
    return found
