"""Bending of a shaft's section from what a run recorded: at a gauge of the shaft, or from the bearings of a body beyond the section."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gearwright.results import Result
from gearwright.train.train import Bearing, Train

from .ratings import LifeInputError
from .simulated import Float


def at_gauge(result: Result, train: Train, shaft: str, place: float) -> Float | None:
    """Magnitude of the bending moment [N m] over time at a ``place`` [m] from the first end; None where the record has no section loads.

    Raises LifeInputError for a place that is neither the first end nor a gauge of the shaft.
    """
    gauges = train.shafts[shaft].gauges
    names = {0.0: shaft} | {g: f"{shaft}.gauge{i}" for i, g in enumerate(gauges, 1)}
    near = min(names, key=lambda g: abs(g - place))
    if abs(near - place) > 1e-3:
        raise LifeInputError(
            f"life.shafts, '{shaft}': section loads are recorded at the gauges of a shaft and at its first end "
            f"({', '.join(f'{1e3 * g:g} mm' for g in names)}), not at {1e3 * place:g} mm; put a gauge there"
        )
    if "moment_y" not in result.quantities.get("shaft", ()) or names[near] not in result.elements("shaft"):
        return None
    row = result.elements("shaft").index(names[near])
    y, z = (np.asarray(result.values(f"shaft_moment_{axis}", row), float) for axis in "yz")
    return np.hypot(y, z)


def beyond_section(forces: Float, places: Sequence[float], section: float) -> Float:
    """Bending moments (2, t) [N m] that bearing forces (n, 2, t) [N] make in a ``section`` [m], of those on its side away from the wheel at 0."""
    side = 1.0 if section >= 0.0 else -1.0
    levers = np.array([max(side * (x - section), 0.0) for x in places])
    return np.asarray(np.einsum("n,nkt->kt", levers, forces))


def shared(total: Float, places: Sequence[float], stiffness: Float) -> Float:
    """Forces (n, 2, t) [N] of bearings at ``places`` [m] that hold a rigid shaft whose ``total`` (2, t) acts at 0: two by the lever rule, more by
    their ``stiffness`` (n, 2)."""
    x = np.asarray(places, float)
    found = np.zeros((len(x), *total.shape))
    for k in (0, 1):
        c = stiffness[:, k]
        sums = np.array([[c.sum(), (c * x).sum()], [(c * x).sum(), (c * x * x).sum()]])
        shift, tilt = np.linalg.solve(sums, [1.0, 0.0])
        found[:, k] = np.outer(c * (shift + tilt * x), total[k])
    return found


def at_bearings(result: Result, train: Train, body: str, place: float) -> Float | None:
    """Magnitude of the bending moment [N m] over time in the section of a body at ``place`` [m] from its wheel, of the bearings beyond it.

    A spatial run has the force of each bearing; in a planar one they hold the body together, so that statics share their sum. None where
    the record has no forces of bearings in two directions. Raises LifeInputError for a body without two bearings that have a place.
    """
    if body not in train.bodies:
        raise LifeInputError(f"life.shafts: there is no body '{body}'; there are {', '.join(train.bodies)}")
    held = [b for b in train.bearings.values() if b.between[0] == body and b.x is not None]
    if len(held) < 2:
        raise LifeInputError(
            f"life.shafts: '{body}' has no two bearings with a place x, from which its bending would follow"
        )
    recorded = result.elements("bearing") if "force_y" in result.quantities.get("bearing", ()) else ()
    if any(b.name not in recorded for b in held):
        return None
    rows = [recorded.index(b.name) for b in held]
    forces = np.array([[np.asarray(result.values(f"bearing_force_{a}", i), float) for a in "yz"] for i in rows])
    places = [b.x or 0.0 for b in held]
    if str(result.attributes.get("fidelity", "")) != "spatial":
        forces = shared(forces.sum(axis=0), places, _stiffness(held))
    y, z = beyond_section(forces, places, place)
    return np.hypot(y, z)


def _stiffness(held: Sequence[Bearing]) -> Float:
    """Radial stiffness (n, 2) of bearings; equal ones where one is not known."""
    known = [b.stiffness for b in held if b.stiffness is not None]
    if len(known) < len(held):
        return np.ones((len(held), 2))
    return np.array([[k[0][0], k[1][1]] for k in known])
