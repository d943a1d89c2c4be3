"""The true teeth of a mesh, from what the train knows of its wheels."""

from __future__ import annotations

from gearwright.geometry.gear import GeometryError
from gearwright.geometry.pair import GearPair, pair_from_facts

from .train import Mesh, Train


def known_pair(mesh: Mesh) -> GearPair | None:
    """The teeth of a mesh; None where the file knows too little of them."""
    return None if mesh.wheels is None or mesh.centre_distance is None else tooth_pair(mesh)


def tooth_pair(mesh: Mesh) -> GearPair:
    """The two gears of a mesh at their centre distance; gear one is ``mesh.between[0]``.

    Raises GeometryError that names what is missing, or why the teeth cannot mesh.
    """
    wheels, distance = mesh.wheels, mesh.centre_distance
    if wheels is None or distance is None:
        raise GeometryError(
            f"mesh '{mesh.name}' has no tooth geometry: its stage needs module, pressure_angle and the teeth of both "
            f"wheels (and no base circle that contradicts them)"
        )
    try:
        return pair_from_facts(wheels, distance)
    except GeometryError as error:
        raise GeometryError(f"mesh '{mesh.name}': {error}") from None


def tip_clearance(mesh: Mesh) -> float | None:
    """The lesser radial clearance between the tips of one wheel and the roots of the other [m]; None where the teeth are not known."""
    try:
        return min(tooth_pair(mesh).tip_clearances)
    except (GeometryError, ValueError):
        return None


def refuse_no_gear(train: Train) -> None:
    """Raise GeometryError for meshes whose teeth make no gear: what the description warns of is not computed with."""
    bad = [f"mesh '{m.name}': {fault}" for m in train.meshes.values() if (fault := m.no_gear)]
    if bad:
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise GeometryError(f"{bad[0]}{more}: that is no gear")


def sound_pair(mesh: Mesh) -> GearPair:
    """The two gears of a mesh that can be computed with. Raises GeometryError with every finding that makes them
    impossible."""
    pair = tooth_pair(mesh)
    try:
        pair.refuse_impossible()
    except GeometryError as error:
        raise GeometryError(f"mesh '{mesh.name}': {error}") from None
    return pair
