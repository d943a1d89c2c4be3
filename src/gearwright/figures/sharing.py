"""How planets share the load of their stage, from the stored series of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gearwright.results.derive import load_sharing
from gearwright.results.filter import taps
from gearwright.train.kinematics import planet_groups

from .reading import Array, Run


@dataclass(frozen=True)
class Sharing:
    """Shares of the planets of a stage: Kγ of mean loads and of peaks, loads [SI] and times kept, share of each planet
    over them, Kγ at every stored instant (not a number outside)."""

    planets: tuple[str, ...]
    quantity: str
    mean: float
    peak: float
    loads: Array
    keep: Array
    share: Array
    factor: Array
    first_mesh: str


def planet_meshes(run: Run) -> dict[str, list[str]]:
    """Meshes of every group of several planets that share a load, in order: by what rides on what, sun meshes first."""
    if run.train is None:
        return {}
    stored = set(run.elements("mesh"))
    groups = {name: [m for m in meshes if m in stored] for name, (_, meshes) in planet_groups(run.train).items()}
    return {name: meshes for name, meshes in groups.items() if len(meshes) > 1}


def sharing_of(run: Run) -> dict[str, Sharing | str]:
    """Load sharing of every stage with several planets; in words why there is none."""
    return {stage: _stage(run, stage, meshes) for stage, meshes in planet_meshes(run).items()}


def _stage(run: Run, stage: str, meshes: list[str]) -> Sharing | str:
    names = ("force", "drive_force", "torque_first")
    name = next((name for name in names if any(run.series("mesh", name, m) is not None for m in meshes)), "")
    forces = [row for mesh in meshes if (row := run.series("mesh", name, mesh)) is not None] if name else []
    if len(forces) < len(meshes) or not forces:
        return f"{stage}: the tooth forces of its planets are not stored."
    table = np.abs(np.asarray(forces))
    keep = np.isfinite(table).all(axis=0) & (run.times >= run.times[0] + float(run.attribute("discard_s", 0.0)))
    if edge := filter_edge(run):
        keep[:edge] = keep[-edge:] = False
    if not keep.any() or not table[:, keep].sum() > 0.0:
        return f"{stage}: its planets carry no load in this run."
    found = load_sharing(table[:, keep])
    factor = np.full(len(run.times), np.nan)
    factor[keep] = found.factor
    planets = tuple(_planet(run, mesh) for mesh in meshes)
    return Sharing(planets, name, found.mean, found.peak, table[:, keep], keep, found.share, factor, meshes[0])


def _planet(run: Run, mesh: str) -> str:
    """The planet of a mesh, by its short name."""
    train = run.train
    found = None if train is None else train.meshes[mesh]
    riders = [mesh] if train is None or found is None else [n for n in found.between if train.bodies[n].on == found.on]
    return riders[0].rpartition(".")[2]


def filter_edge(run: Run) -> int:
    """Stored samples at either end whose filter reached beyond the run, where the series is continued by guess."""
    step, count = run.attribute("store_interval_s"), run.attribute("count_interval_s")
    ratio = 1 if step is None or count is None else round(float(step) / float(count))
    return 0 if ratio <= 1 else len(taps(ratio)) // 2 // ratio + 1


def mesh_cycles(run: Run, name: str) -> int | None:
    """Mesh cycles in one turn of the carrier, where teeth and ratios are known and it is a whole number to show."""
    train = run.train
    mesh = None if train is None else train.meshes.get(name)
    if train is None or mesh is None or mesh.teeth is None or mesh.on is None:
        return None
    first, carrier = train.ratios.get(mesh.between[0]), train.ratios.get(mesh.on)
    if first is None or not carrier:
        return None
    cycles = abs(mesh.teeth[0] * (first - carrier) / carrier)
    return round(cycles) if 24.0 <= cycles <= 720.0 and abs(cycles - round(cycles)) < 0.02 else None


def carrier_angle(run: Run, stage: str) -> Array | None:
    """Angle of a stage's carrier over the run [rad] from a stored speed, its own or another's by the ratio."""
    train = run.train
    carrier = f"{stage}.carrier"
    sources = [(carrier, 1.0)]
    if train is not None:
        carrier = planet_groups(train).get(stage, (train.alias.get(carrier, carrier), ()))[0]
        sources = [(carrier, 1.0)]
        if ratio := train.ratios.get(carrier):
            sources += [(body, ratio / own) for body, own in train.ratios.items() if own]
        elif train.input and any(set(shaft.between) == {train.input, carrier} for shaft in train.shafts.values()):
            sources.append((train.input, 1.0))
    for body, factor in sources:
        speed = run.speed(body)
        if speed is not None and np.isfinite(speed).all():
            steps = np.diff(run.times) * (speed[1:] + speed[:-1]) / 2.0
            return np.asarray(np.concatenate([[0.0], np.cumsum(steps)]) * factor)
    return None


def turns(angle: Array) -> float:
    """Turns between the ends of an angle."""
    return abs(float(angle[-1] - angle[0])) / (2.0 * math.pi)
