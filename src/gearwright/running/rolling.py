"""Rolling bearings of a train at its operating point: loads, displacements, stiffness.

Bearings whose stiffness comes from their elements are solved together with the statics of the train: the equilibrium
under the operating torque with every element in its place gives displacement and tangent of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.assembly import AssemblyError, assemble
from gearwright.assembly.inputs import Drive, Inputs, Load
from gearwright.assembly.motion import Motions
from gearwright.assembly.rolling import PLANAR, SPATIAL, bearing_geometry, carries_inner
from gearwright.bearings.ratings import estimate_of, ratings_of
from gearwright.bearings.types import BearingGeometry
from gearwright.errors import DrivetrainError
from gearwright.solve.steady.static import NoEquilibrium, Unbalanced, equilibrium
from gearwright.system import System, constant
from gearwright.train.train import HOUSING, Bearing, Note, Train

Float = NDArray[np.float64]
_PLACES = {"x": 0, "y": 1, "z": 2, "tilt_y": 4, "tilt_z": 5}
#: fidelities whose bodies have translations
ELASTIC = ("planar", "spatial")
#: share of the dynamic rating under which an unloaded bearing's stiffness is taken
UNLOADED = 0.01
_TURNS = 8


@dataclass(frozen=True)
class BearingPoint:
    """A bearing at the operating point: displacement (6) of the body against its support, load (6) of the body on it,
    tangent (6, 6), whether an element carries load."""

    displacement: Float
    load: Float
    stiffness: Float
    loaded: bool


def by_elements(train: Train) -> Iterator[Bearing]:
    """Bearings whose stiffness comes from their elements, those of shafts and reduced bodies included."""
    yield from (b for b in train.bearings.values() if b.by_elements)
    for shaft in train.shafts.values():
        yield from (b for b in shaft.bearings if b.by_elements)
    for body in train.reduced.values():
        yield from (b for b in body.mounts if b.by_elements)


def with_rolling(train: Train, fidelity: str | None = None, linear: bool = False) -> Train:
    """The train with the stiffness of its rolling bearings at the operating point.

    Bearings of law ``linear`` get their tangent there as a constant stiffness; those of law ``nonlinear`` keep their law
    and learn the tangent for modes and step sizes, or get it as constants too with ``linear``. Nothing happens at
    fidelities without translations. Raises DrivetrainError where there is no operating point or no equilibrium.
    """
    fidelity = fidelity or train.model.fidelity or "torsional"
    if fidelity not in ELASTIC or not any(True for _ in by_elements(train)):
        return train
    points = operating_points(train, fidelity)
    notes = list(train.notes)
    made: dict[str, Bearing] = {}
    for bearing in (b for b in by_elements(train) if b.name in points):
        point, turning = points[bearing.name], _turns(train, bearing, fidelity)
        k = point.stiffness
        size = np.linalg.norm(point.load[:3])
        what = (
            f"under {1e-3 * size:.4g} kN"
            if point.loaded
            else f"under {100 * UNLOADED:g} % of the dynamic rating, being unloaded"
        )
        notes.append(
            Note(
                "derived",
                bearing.name,
                f"stiffness of the rolling elements {what}: {k[1, 1]:.4g} N/m in y, {k[2, 2]:.4g} in z",
            )
        )
        if bearing.rolling and (estimate := estimate_of(bearing.rolling, bearing_geometry(bearing))):
            notes.append(Note("assumed", bearing.name, estimate))
        made[bearing.name] = _resolved(bearing, k, fidelity, turning, linear)
    return _exchanged(train, made, tuple(notes))


def operating_points(train: Train, fidelity: str) -> dict[str, BearingPoint]:
    """Displacement, load and tangent of every bearing by elements under the operating torque; those of shafts that are springs at a
    fidelity are in no model, and not here."""
    names = ", ".join(b.name for b in by_elements(train))
    if train.torque is None or train.input is None or train.output is None:
        raise DrivetrainError(
            f"the stiffness of the rolling elements of {names} is that at the operating point, which needs "
            f"operating.input, output and torque; or give these bearings a stiffness"
        )
    sound = {
        b.name: r.model_copy(update={"law": "nonlinear", "defects": []}) for b in by_elements(train) if (r := b.rolling)
    }
    # an equilibrium has no speed: a damping ratio waits for the stiffness that is sought here
    live = _exchanged(
        train,
        {b.name: replace(b, rolling=sound[b.name], damping=replace(b.damping, ratio=None)) for b in by_elements(train)},
        train.notes,
    )
    loads = (Load(train.input, constant(train.torque), name="operating torque"),)
    try:
        system = assemble(live, fidelity, "linear", Inputs(loads, (Drive(train.output, constant(0.0)),)))
        found = equilibrium(system, allow_loose=True)
    except (AssemblyError, NoEquilibrium, Unbalanced) as error:
        raise DrivetrainError(f"rolling bearings at the operating point: {error}") from None
    return {b.name: _point(live, b, system, found.q, found.phi) for b in by_elements(live) if b.name in system.blocks}


def _point(train: Train, bearing: Bearing, system: System, q: Float, phi: Float) -> BearingPoint:
    block = system.blocks.index(bearing.name)
    rows = system.law_rows(block)
    d = np.asarray(system.D[rows] @ q) + system.arrays.off[rows] + phi @ system.rho[:, rows]
    displacement = np.zeros(6)
    for motion, value in zip(SPATIAL if len(d) == 5 else PLANAR, d, strict=True):
        displacement[_PLACES[motion]] = value
    body = next(b for b in bearing.between if b != HOUSING)
    on = train.bodies[body].on if body in train.bodies else None
    geometry = bearing_geometry(bearing)
    sign = 1.0 if carries_inner(bearing, on) else -1.0
    load, stiffness = _mean_over_cage(geometry, sign * displacement)
    loaded = bool(np.abs(load).max() > 0.0)
    if not loaded:
        stiffness = _unloaded(bearing, geometry)
    return BearingPoint(displacement, sign * load, stiffness, loaded)


def _mean_over_cage(geometry: BearingGeometry, displacement: Float) -> tuple[Float, Float]:
    """Load and tangent, mean over places of the cage within one pitch."""
    rows = geometry.bearing()
    parts = []
    for i in range(_TURNS):
        shift = 2.0 * np.pi / geometry.per_row * i / _TURNS
        turned = replace(rows, rows=tuple(replace(r, first_angle=shift) for r in rows.rows))
        parts.append(turned.evaluate(displacement))
    return np.mean([p[0] for p in parts], axis=0), np.mean([p[1] for p in parts], axis=0)


def _unloaded(bearing: Bearing, geometry: BearingGeometry) -> Float:
    """Stiffness, the same in y and z, under a small radial load."""
    assert bearing.rolling is not None
    rows = geometry.bearing()
    load = UNLOADED * ratings_of(bearing.rolling, geometry)[0] * geometry.count
    d = rows.under_load([0.0, load, 0.0, 0.0, 0.0, 0.0])
    return _even(_mean_over_cage(geometry, d)[1])


def _even(k: Float) -> Float:
    """The mean of a matrix over all directions about x."""
    total = np.zeros((6, 6))
    for angle in np.arange(4) * np.pi / 2.0:
        c, s = np.cos(angle), np.sin(angle)
        turn = np.eye(6)
        turn[np.ix_([1, 2], [1, 2])] = turn[np.ix_([4, 5], [4, 5])] = [[c, -s], [s, c]]
        total += turn.T @ k @ turn / 4.0
    return 0.5 * (total + total.T)


def _turns(train: Train, bearing: Bearing, fidelity: str) -> bool:
    """Whether the body is described in a turning frame while its support stands still."""
    body = next(b for b in bearing.between if b != HOUSING)
    if HOUSING not in bearing.between or body not in train.bodies:
        return False
    return Motions.of(train, fidelity).frame[body] is not None


def _resolved(bearing: Bearing, k: Float, fidelity: str, turning: bool, linear: bool) -> Bearing:
    if turning:
        k = _even(k)
    if bearing.rolling is not None and bearing.rolling.law == "nonlinear" and not linear:
        places = [_PLACES[m] for m in (SPATIAL if fidelity == "spatial" else PLANAR)]
        return replace(bearing, element_mean=tuple(float(k[i, i]) for i in places))
    block = k[1:3, 1:3]
    radial: Any = tuple(tuple(float(x) for x in row) for row in 0.5 * (block + block.T))
    if fidelity == "planar":
        return replace(bearing, stiffness=radial)
    matrix: Any = tuple(tuple(float(x) for x in row) for row in 0.5 * (k + k.T))
    return replace(bearing, stiffness=radial, matrix=matrix)


def _exchanged(train: Train, made: dict[str, Bearing], notes: tuple[Note, ...]) -> Train:
    """The train with bearings replaced by name, wherever they hang."""
    bearings = {name: made.get(name, b) for name, b in train.bearings.items()}
    shafts = {
        name: replace(s, bearings=tuple(made.get(b.name, b) for b in s.bearings)) for name, s in train.shafts.items()
    }
    reduced = {
        name: replace(r, mounts=tuple(made.get(b.name, b) for b in r.mounts)) for name, r in train.reduced.items()
    }
    return replace(train, bearings=bearings, shafts=shafts, reduced=reduced, notes=notes)
