"""How the planets of every stage shared the load of a run: mean shares, the largest share of a carrier turn, by bearing row.

The share of a planet is its mesh force over the mean of all planets'. Two figures of it stand for a stage:

- ``mean``: of forces averaged over the run, which clearances and errors that turn with the carrier make;
- ``per_turn``: the largest share at a place of the carrier, of forces averaged over one mesh cycle there, which weight,
  errors of rings and supports that stand still make.

Table of the standard (IEC 61400-4, AGMA 6006), for lack of better: 1.10, 1.25, 1.35, 1.44, 1.47 for three to seven planets; from
memory, to be checked against IEC 61400-4.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gearwright.train.kinematics import mesh_frequency, planet_groups
from gearwright.train.train import Train

from .result import Result

Float = NDArray[np.float64]

#: mesh load factor K_gamma by number of planets
TABLE = {3: 1.10, 4: 1.25, 5: 1.35, 6: 1.44, 7: 1.47}
TABLE_SOURCE = "to be checked against IEC 61400-4"
#: places around a carrier where its teeth do not say how many mesh cycles a turn has
PLACES = 72


@dataclass(frozen=True)
class PlanetSharing:
    """Shares of the planets of a stage: ``mean`` by planet, the largest of them, the largest ``per_turn`` of the carrier, by
    planet too (None where it turned less than once), ``turns`` counted, ``rows``: mean shares by bearing row and planet,
    ``rows_per_turn``: the largest of a turn, ``table`` of the standard."""

    planets: tuple[str, ...]
    mean: tuple[float, ...]
    largest_mean: float
    per_turn: float | None
    turns: float
    rows: dict[str, tuple[float, ...]]
    table: float | None
    table_source: str = TABLE_SOURCE
    per_turn_of: tuple[float, ...] | None = None
    rows_per_turn: dict[str, tuple[float, ...]] = field(default_factory=dict)


def planet_sharing(result: Result, train: Train, discard: float = 0.0) -> dict[str, PlanetSharing]:
    """Load sharing of every group of several planets whose mesh forces are stored, by its name; ``discard`` [s] at the start."""
    return dict(_groups(result, train, discard))


def _groups(result: Result, train: Train, discard: float) -> Iterator[tuple[str, PlanetSharing]]:
    if "mesh" not in result.quantities:
        return
    stored = list(result.elements("mesh"))
    quantity = next((q for q in ("force", "torque_first") if f"mesh_{q}" in result.file.variables), None)
    for name, (carrier, meshes) in planet_groups(train).items():
        if quantity is None or len(meshes) < 2 or not set(meshes) <= set(stored):
            continue
        time = np.asarray(result.time, float)
        keep = time >= time[0] + discard - 1e-12
        table = np.asarray(result.values(f"mesh_{quantity}"), float)[[stored.index(m) for m in meshes]]
        forces = np.abs(table[:, keep & np.isfinite(table).all(axis=0)])
        if not forces.size or not forces.sum() > 0.0:
            continue
        kept = keep & np.isfinite(table).all(axis=0)
        angle = _angle(result, train, carrier, time[kept])
        planets = tuple(_planet(train, mesh) for mesh in meshes)
        mean = forces.mean(axis=1) / forces.mean()
        turns = abs(float(angle[-1] - angle[0])) / (2.0 * math.pi) if len(angle) else 0.0
        places = _cycles(train, meshes[0])
        whole = turns >= 0.999
        each = largest_of_each(forces, angle, places) if whole else None
        rows = _rows(result, train, planets, kept)
        yield (
            name,
            PlanetSharing(
                planets=tuple(planet.rpartition(".")[2] for planet in planets),
                mean=tuple(map(float, mean)),
                largest_mean=float(mean.max()),
                per_turn=max(each) if each else None,
                turns=turns,
                rows={row: _shares(loads) for row, loads in rows.items()},
                table=TABLE.get(len(planets)),
                per_turn_of=each,
                rows_per_turn={row: largest_of_each(loads, angle, places) for row, loads in rows.items()}
                if whole
                else {},
            ),
        )


def _shares(loads: Float) -> tuple[float, ...]:
    """Mean loads (planets, time) over the mean of all."""
    return tuple(map(float, loads.mean(axis=1) / loads.mean()))


def largest_per_turn(forces: Float, angle: Float, places: int) -> float:
    """Largest share of forces (planets, time) that are averaged at each of ``places`` around the carrier, over its ``angle`` [rad]."""
    return max(largest_of_each(forces, angle, places))


def largest_of_each(forces: Float, angle: Float, places: int) -> tuple[float, ...]:
    """The largest share of a turn by planet, as :func:`largest_per_turn`."""
    place = np.floor(np.mod(angle, 2.0 * math.pi) / (2.0 * math.pi) * places).astype(int) % places
    sums = np.array([np.bincount(place, row, places) for row in forces])
    even = sums.mean(axis=0)
    seen = even > 1e-3 * even.max()
    return tuple(map(float, (sums[:, seen] / even[seen]).max(axis=1)))


def _cycles(train: Train, mesh: str) -> int:
    """Mesh cycles in a turn of the carrier, where they are a sensible number of places."""
    found = train.meshes[mesh]
    carrier = train.ratios.get(found.on or "")
    cycles = abs(2.0 * math.pi * mesh_frequency(found, train.ratios) / carrier) if carrier else 0.0
    return round(cycles) if 24.0 <= cycles <= 720.0 else PLACES


def _angle(result: Result, train: Train, carrier: str, time: Float) -> Float:
    """Angle of a carrier [rad] at times, from a stored speed of a body that turns with it, or from the operating speed."""
    ratio = train.ratios.get(carrier, 0.0)
    if "body_speed" in result.file.variables and len(time) > 1:
        names = list(result.elements("body"))
        turning = next((b for b in (carrier, *names) if b in names and train.ratios.get(b)), None)
        if turning is not None:
            speed = np.interp(time, result.time, np.asarray(result.values("body_speed", names.index(turning)), float))
            steps = np.diff(time) * (speed[1:] + speed[:-1]) / 2.0
            return np.asarray(np.concatenate([[0.0], np.cumsum(steps)]) * ratio / train.ratios[turning])
    return np.asarray(time * ratio * (train.speed or 0.0))


def _planet(train: Train, mesh: str) -> str:
    found = train.meshes[mesh]
    return next((b for b in found.between if train.bodies[b].on == found.on), mesh)


def _rows(result: Result, train: Train, planets: tuple[str, ...], kept: NDArray[np.bool_]) -> dict[str, Float]:
    """Loads (planets, time) of the rows of the planets' bearings, by name of the row without its planet."""
    if "bearing" not in result.quantities or "bearing_force" not in result.file.variables:
        return {}
    stored = list(result.elements("bearing"))
    found: dict[str, list[Float]] = {}
    for planet in planets:
        for bearing in train.bearings.values():
            if planet in bearing.between and bearing.name in stored:
                row = bearing.name.removeprefix(planet).lstrip("_.") or "bearing"
                force = np.abs(np.asarray(result.values("bearing_force", stored.index(bearing.name)), float)[kept])
                found.setdefault(row, []).append(np.nan_to_num(force))
    return {
        row: np.array(loads)
        for row, loads in found.items()
        if len(loads) == len(planets) and sum(float(load.sum()) for load in loads) > 0.0
    }
