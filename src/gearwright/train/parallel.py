"""Parallel and direct stages spelled out."""

from __future__ import annotations

import math

from gearwright.schema.file import DirectStage, ParallelStage

from .bench import Bench
from .members import HANDS, bearings, member, rack_of, twice
from .pair import mesh, pair_in_place, single_phase, size
from .train import HOUSING, Stage


def parallel(bench: Bench, stage: ParallelStage, name: str) -> None:
    """Expand a parallel stage: wheel and pinion, their mesh and bearings."""
    path = f"stages.{name}"
    rack = rack_of(stage)
    wheel = size(bench, rack, stage.wheel, stage.face_width, f"{path}.wheel", ring=stage.internal)
    pinion = size(bench, rack, stage.pinion, stage.face_width, f"{path}.pinion")
    if wheel is None or pinion is None:
        return
    if wheel.by_teeth != pinion.by_teeth:
        bench.wrong(
            "one wheel has a base circle, the other only teeth", path, allowed="a module, or base_diameter of both"
        )
        return
    one, two = (pinion, wheel) if stage.internal else (wheel, pinion)
    pair = pair_in_place(
        bench, rack, one, two, stage.internal, stage.centre_distance, stage.mesh.pressure_angle, f"{path}.mesh", path
    )
    if pair is None:
        return
    azimuth = stage.azimuth
    if azimuth is None:
        azimuth = 0.0
        bench.note("assumed", path, "azimuth 0 deg: the pinion lies to the left of the wheel, looking downwind")
    member(
        bench,
        name,
        "wheel",
        stage.wheel,
        wheel.base_radius,
        stage,
        f"{path}.wheel",
        diameter=twice(wheel.reference_radius),
    )
    member(bench, name, "pinion", stage.pinion, pinion.base_radius, stage, f"{path}.pinion",
            diameter=twice(pinion.reference_radius))  # fmt: skip
    if stage.place is not None:
        bench.places[f"{name}.wheel"] = stage.place
    distance = pair.centre_distance
    if distance is not None:
        offset = (distance * math.cos(azimuth), distance * math.sin(azimuth))
        bench.coaxial.append((f"{name}.wheel", f"{name}.pinion", offset))
    names = [f"{name}.wheel", f"{name}.pinion"]
    hand = HANDS[stage.hand]
    if stage.internal:
        names.reverse()
    made = mesh(
        bench,
        rack,
        pair,
        stage.mesh,
        f"{name}.mesh",
        (names[0], names[1]),
        f"{path}.mesh",
        angle=azimuth,
        hand=hand,
        stage=name,
    )
    if bench.new_element(made.name, path):
        bench.meshes[made.name] = made
    for role, part in (("wheel", wheel), ("pinion", pinion)):
        facts = getattr(stage.bearings, role)
        bearings(
            bench, facts, f"{name}.{role}", f"{name}.{role}", HOUSING, name, part.base_radius, f"{path}.bearings.{role}"
        )
    bench.stages[name] = Stage(
        "parallel",
        {role: f"{name}.{role}" for role in ("wheel", "pinion")},
        teeth=(wheel.teeth, pinion.teeth),
        module=stage.module,
        centre_distance=distance,
        base_radii=(wheel.base_radius, pinion.base_radius),
        internal=stage.internal,
    )
    bench.phases.append(lambda meshes: single_phase(meshes, made.name, rack, pair, stage.mesh))


def direct(bench: Bench, stage: DirectStage, name: str) -> None:
    """Expand a direct stage: one shaft body."""
    path = f"stages.{name}"
    member(bench, name, "shaft", stage.shaft, None, None, f"{path}.shaft")
    if stage.place is not None:
        bench.places[f"{name}.shaft"] = stage.place
    bearings(bench, stage.bearings, f"{name}.shaft", f"{name}.shaft", HOUSING, name, None, f"{path}.bearings")
    bench.stages[name] = Stage("direct", {"shaft": f"{name}.shaft"})
