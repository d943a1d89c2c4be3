"""The dynamic factor of a run beside K_v by method B of ISO 6336-1, mesh by mesh."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from gearwright.geometry.gear import GeometryError
from gearwright.results import Result
from gearwright.schema.life import GearLife, Life
from gearwright.train.teeth import tooth_pair
from gearwright.train.train import Mesh, Train

from .gear_rating import GearFacts, MeshStress
from .iso6336_rating import RatingError
from .mesh_facts import mesh_facts
from .simulated import Simulated, simulated

#: what is said of the difference between the two
DIFFERENCE = (
    "Simulated: the largest force over the largest mean of a mesh cycle, with all that swings in the run. Method B has one pair as two masses "
    "on a spring, which pitch and profile deviations of the grade shake, for the mean force of this run; it has no neighbours of the mesh, "
    "and far below resonance (N near 0) hardly any part in the ripple of the loaded teeth and in pairs that enter beside the path, which a run "
    "has. Above it lies what the run has of these; below it, deviations of the grade that the file does not have."
)


@dataclass(frozen=True)
class DynamicBeside:
    """Factors of a mesh: ``simulated``; by method B with the relief of the file, without any, and without any of one wheel and its mate
    alone, as if a sun had one planet (None: ``why`` says what is missing); ``grade`` of ISO 1328 and whether it was ``assumed``;
    resonance ratio N and where that lies. ``mean`` force [N]."""

    mesh: str
    mean: float
    simulated: float | None
    by_b: float | None
    without_relief: float | None
    alone: float | None
    grade: float
    assumed: bool
    resonance_ratio: float | None = None
    region: str = ""
    why: str = ""


def dynamic_beside(result: Result, train: Train, life: Life | None) -> list[DynamicBeside]:
    """Factors of every mesh of a run whose law has mesh dynamics; grades from the section ``life``, 6 without one."""
    run = simulated(result, train)
    return [
        _of_mesh(train, train.meshes[name], _entry(life, name), run) for name in run.means if run.has_dynamics(name)
    ]


def _entry(life: Life | None, name: str) -> GearLife | None:
    for entry in life.gears if life is not None else ():
        if any(fnmatchcase(name, pattern) for pattern in entry.on):
            return entry
    return None


def _of_mesh(train: Train, mesh: Mesh, entry: GearLife | None, run: Simulated) -> DynamicBeside:
    mean, own = run.means[mesh.name], run.dynamic.get(mesh.name)
    used = entry or GearLife.model_validate({"on": [mesh.name]})
    given = entry is not None and "accuracy" in entry.model_fields_set
    try:
        if mesh.module is None or mesh.face_width is None:
            raise RatingError("module and face width")
        pair = tooth_pair(mesh)
        facts = mesh_facts(train, mesh, pair, used, run).facts
        carrier = train.ratios.get(mesh.on, 0.0) if mesh.on is not None else 0.0
        speed = abs(train.speed or 0.0) * abs(train.ratios.get(mesh.between[0], 0.0) - carrier)
        unit = mean * math.cos(pair.one.transverse_angle) / min(mesh.face_width, pair.face_width or math.inf)
        found = MeshStress(pair, facts, speed).dynamic_by_b(unit)
        plain, alone = (MeshStress(pair, _plain(facts, one), speed).dynamic_by_b(unit) for one in (False, True))
    except (RatingError, GeometryError, ValueError) as error:
        return DynamicBeside(mesh.name, mean, own, None, None, None, used.accuracy, not given, why=str(error))
    return DynamicBeside(
        mesh.name,
        mean,
        own,
        found.value,
        plain.value,
        alone.value,
        used.accuracy,
        not given,
        found.resonance_ratio,
        found.region,
    )


def _plain(facts: GearFacts, alone: bool = False) -> GearFacts:
    """The facts without relief; ``alone``: of a sun and one planet."""
    plain = replace(facts.factors, relief=0.0)
    if alone and plain.layout == "sun":
        plain = replace(plain, layout="parallel", meshes=1)
    return replace(facts, factors=plain)
