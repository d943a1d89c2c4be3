"""The page of the teeth of a stage, from a drivetrain file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gearwright.analyses.gear import stage_meshes
from gearwright.analyses.mesh_stiffness import MeshStiffness, mesh_stiffness
from gearwright.analyses.transmission_error import TransmissionError, transmission_error
from gearwright.errors import DrivetrainError
from gearwright.geometry.gear import GeometryError
from gearwright.geometry.pair import GearPair
from gearwright.train.teeth import tooth_pair

from .document import write_page
from .teeth import page


def write_teeth_page(
    drivetrain: Any,
    stage: str | None,
    path: Path,
    overrides: Sequence[str] = (),
    method: str | None = None,
    torques: Sequence[str] = (),
    mesh: str | None = None,
    flanks_alone: bool = False,
    stiff: MeshStiffness | None = None,
    error: TransmissionError | None = None,
) -> Path:
    """One page on the teeth of a stage, or of one of its meshes: flanks at work, stiffness, transmission error (at
    ``torques``, otherwise up to twice the operating one), elements with stress. What is known already is not computed again.

    Raises GeometryError if data for the method are missing; with ``flanks_alone`` the page says so and has the rest.
    """
    train, meshes = stage_meshes(drivetrain, stage, overrides, mesh)
    pairs: dict[str, GearPair] = {m.name: tooth_pair(m) for m in meshes}
    title = f"{train.name}, {meshes[0].stage}"
    try:
        stiff = stiff or mesh_stiffness(drivetrain, stage, method=method, overrides=overrides)
    except (GeometryError, DrivetrainError) as problem:
        if not flanks_alone:
            raise
        return write_page(page(title, pairs, None, None, elements=False, missing=str(problem)), path)
    if error is None and (train.torque or torques):
        by = method or stiff.method
        error = transmission_error(drivetrain, stage, torques=torques, method=by, mesh=mesh, overrides=overrides)
    return write_page(page(title, pairs, stiff, error, elements=stiff.method == "fe"), path)
