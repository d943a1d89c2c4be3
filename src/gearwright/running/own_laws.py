"""Users' own laws of meshes in a run: which the file and the call name, and whether they may be imported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gearwright.laws.registry import Asked, allowed, asked
from gearwright.schema.case_lookup import with_case
from gearwright.schema.file import Drivetrain, ParallelStage, PlanetaryStage


def laws_of_run(drivetrain: Drivetrain, case: str | None, law: Any, fidelity: str | None, allow_code: bool) -> Asked:
    """What a run asks for, with the own laws of file and call imported: modules beside the drivetrain file, in the working
    folder and on Python's path.

    Raises AssemblyError without permission, and for a module or a law in it that is not there.
    """
    found = asked(law)
    if found.name is not None:
        names = [found.name]
    else:
        names = [] if fidelity == "rigid" else list(laws_of_file(with_case(drivetrain, case)))
    return allowed(found, names, drivetrain.file.parent if drivetrain.file is not None else None, allow_code)


def laws_of_file(drivetrain: Drivetrain) -> Iterator[str]:
    """Laws of meshes that a file names: that of the model and those of single meshes."""
    if drivetrain.model.law is not None:
        yield drivetrain.model.law
    for stage in drivetrain.stages:
        if isinstance(stage, PlanetaryStage):
            meshes = [stage.meshes.sun_planet, stage.meshes.ring_planet]
        else:
            meshes = [stage.mesh] if isinstance(stage, ParallelStage) else []
        yield from (mesh.law for mesh in meshes if mesh.law is not None)
    yield from (e.law for e in drivetrain.elements if e.type == "mesh" and e.law is not None)
