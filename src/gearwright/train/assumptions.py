"""What a file does not say and the model takes all the same: sentences of the list ``assumed``, with where they belong."""

from __future__ import annotations

from collections.abc import Iterator

from gearwright.errors import listed
from gearwright.schema.file import DirectStage, Drivetrain, PlanetaryStage

from .train import Train

#: fidelities that move bodies across their axis
_ACROSS = ("planar", "spatial", "multibody")


def assumptions(drivetrain: Drivetrain, train: Train, fidelity: str | None) -> Iterator[tuple[str, str]]:
    """(where, sentence) of every value with a physical meaning that the expansion took by itself at a fidelity."""
    yield from _teeth(drivetrain)
    fidelity = fidelity or drivetrain.model.fidelity
    if fidelity in _ACROSS and any(b.mass for b in train.bodies.values()):
        yield from _fields(drivetrain, fidelity)


def _teeth(drivetrain: Drivetrain) -> Iterator[tuple[str, str]]:
    """The basic racks and the profile shifts of teeth with a module."""
    racks: dict[str, list[str]] = {}
    plain: list[str] = []
    for i, stage in enumerate(drivetrain.stages):
        if isinstance(stage, DirectStage):
            continue
        roles = ("sun", "planet", "ring") if isinstance(stage, PlanetaryStage) else ("wheel", "pinion")
        name, wheels = drivetrain.stage_name(i), [(role, getattr(stage, role)) for role in roles]
        if stage.module is None or stage.pressure_angle is None or any(wheel.teeth is None for _, wheel in wheels):
            continue
        tipped = all(wheel.tip_diameter and wheel.root_diameter for _, wheel in wheels)
        if {"addendum", "dedendum"} - stage.model_fields_set and not tipped:
            rack = f"basic rack with an addendum of {stage.addendum:g} and a dedendum of {stage.dedendum:g} modules"
            racks.setdefault(rack, []).append(name)
        plain += [f"{name}.{role}" for role, wheel in wheels if "profile_shift" not in wheel.model_fields_set]
    for rack, names in racks.items():
        yield f"stages {listed(names)}", rack
    if plain:
        yield "stages", f"no profile shift of {listed(plain)}"


def _fields(drivetrain: Drivetrain, fidelity: str) -> Iterator[tuple[str, str]]:
    """Weight, and forces of turning frames, which act on bodies that move across their axis."""
    given, asked = drivetrain.gravity, "gravity" in drivetrain.model.model_fields_set
    if given is None and drivetrain.model.gravity:
        yield "gravity", "9.81 m/s^2 downward and a level shaft (gravity: {tilt: 5 deg} says otherwise)"
    elif given is None and not asked:
        yield "gravity", "none: bodies have no weight (model: {gravity: true} switches it on)"
    elif given is not None and not drivetrain.model.gravity and not asked and fidelity != "multibody":
        yield "gravity", "left out of this model, though the file gives it (model: {gravity: true} switches it on)"
    if fidelity != "multibody" and "gyroscopic" not in drivetrain.model.model_fields_set:
        yield (
            "model",
            "no gyroscopic and centripetal forces of turning bodies (model: {gyroscopic: true} switches them on)",
        )
