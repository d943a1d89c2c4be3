"""The page of the teeth of a stage, from a drivetrain file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gearwright.analyses.teeth import stage_meshes, ste_of_file, stiffness_of_file
from gearwright.errors import DrivetrainError
from gearwright.geometry.gear import GeometryError
from gearwright.geometry.pair import GearPair
from gearwright.train.teeth import tooth_pair

from .document import write_page
from .teeth import page


def teeth_page(
    file: str, stage: str | None, path: Path, overrides: Sequence[str] = (), method: str = "fe",
    torques: Sequence[str] = (), mesh: str | None = None, flanks_alone: bool = False,
) -> Path:  # fmt: skip
    """One page on the teeth of a stage, or of one of its meshes: flanks at work, stiffness, transmission error (at
    ``torques``, otherwise up to twice the operating one), elements with stress.

    Raises GeometryError if data for the method are missing; with ``flanks_alone`` the page says so and has the rest.
    """
    train, meshes = stage_meshes(file, stage, overrides, mesh)
    pairs: dict[str, GearPair] = {m.name: tooth_pair(m) for m in meshes}
    title = f"{train.name}, {meshes[0].stage}"
    try:
        stiff = stiffness_of_file(file, stage, method, overrides)
    except (GeometryError, DrivetrainError) as error:
        if not flanks_alone:
            raise
        return write_page(page(title, pairs, None, None, elements=False, missing=str(error)), path)
    ste = ste_of_file(file, stage, torques, method, mesh, overrides) if train.torque or torques else None
    return write_page(page(title, pairs, stiff, ste, elements=method == "fe"), path)
