"""Pictures of modified flanks as data: errors over the cycle by load, swing over load and relief (Harris map), pressure on the flank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gearwright.stiffness.flanks import Carried, Flanks, Shape
from gearwright.stiffness.quietest import Scene

Array = NDArray[np.float64]

#: loads of the curves and of the map in parts of the largest one, reliefs of the map in parts of the chosen one
LOADS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25)
MAP_LOADS, MAP_RELIEFS = np.linspace(0.05, 1.3, 18), np.linspace(0.0, 2.0, 21)
#: places along the path in a picture of contact
PLACES = 64


@dataclass(frozen=True, eq=False)
class Harris:
    """A mesh over load: ``torque`` on its first wheel [N m], ``phase``, ``before`` and ``after`` (torques, phases) the error [m]."""

    torque: Array
    phase: Array
    before: Array
    after: Array


@dataclass(frozen=True, eq=False)
class ReliefMap:
    """Swing [m] (reliefs, torques) over the ``torque`` on the first wheel [N m] and the relief in ``parts`` of the chosen one."""

    torque: Array
    parts: Array
    swing: Array


@dataclass(frozen=True, eq=False)
class Pressed:
    """Largest Hertz pressure [Pa] of a cycle on the flank: (places of the face, arcs); ``arc`` on the first wheel [m], ``place`` in face
    widths from the middle, larger x positive; NaN where nothing touches."""

    arc: Array
    place: Array
    pressure: Array


def harris(scene: Scene, before: Mapping[str, Shape], after: Mapping[str, Shape]) -> Harris:
    """Errors over the cycle by load, at the misalignment of a scene, whose load is the largest one."""
    forces = [part * scene.force for part in LOADS]
    found = [np.stack([replace(scene, force=f).carry(shapes).error for f in forces]) for shapes in (before, after)]
    radius = scene.flanks.stiff.pair.one.base_radius
    samples = found[0].shape[1]
    return Harris(radius * np.array(forces), np.arange(samples) / samples, found[0], found[1])


def relief_map(scene: Scene, after: Mapping[str, Shape]) -> ReliefMap:
    """Swing over load and relief; all reliefs in the same proportion."""
    swing = np.zeros((len(MAP_RELIEFS), len(MAP_LOADS)))
    for i, part in enumerate(MAP_RELIEFS):
        shapes = {key: replace(shape, amount=part * shape.amount) for key, shape in after.items()}
        for j, load in enumerate(MAP_LOADS):
            swing[i, j] = replace(scene, force=load * scene.force).carry(shapes).swing
    return ReliefMap(scene.force * scene.flanks.stiff.pair.one.base_radius * MAP_LOADS, MAP_RELIEFS, swing)


def pressed(flanks: Flanks, found: Carried) -> Pressed:
    """Largest pressure at every place of the flank."""
    p = flanks.stiff.pair.path
    beyond = 0.08 * (p.end - p.start)
    edges = np.linspace(p.start - beyond, p.end + beyond, PLACES + 1)
    at = np.clip(np.digitize(flanks.arc, edges) - 1, 0, PLACES - 1)
    picture = np.zeros((flanks.slices, PLACES))
    rows = np.broadcast_to(np.arange(flanks.slices)[None, :, None], at.shape)
    np.maximum.at(picture, (rows.ravel(), at.ravel()), flanks.pressure(found).ravel())
    place = flanks.place
    if flanks.slices == 1:  # the same along the face
        picture, place = np.repeat(picture, 2, axis=0), np.array([-0.25, 0.25])
    return Pressed(0.5 * (edges[1:] + edges[:-1]), place, np.where(picture > 0.0, picture, np.nan))
