"""Keys of a file that nothing takes: said, since whoever wrote them expects something of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gearwright.schema.file import BodyFacts, Drivetrain, MachineFacts

    from .bench import Bench


def say_unused(bench: Bench) -> None:
    """Warn of every key that has no effect where it stands, whatever the fidelity and the law."""
    d = bench.drivetrain
    for body in d.bodies:
        _body(bench, body)
    for machine in d.machines:
        _machine(bench, machine)
    _model(bench, d)
    for element in d.elements:
        if element.type not in ("mesh", "bearing") and d.model.fidelity != "multibody":
            if element.type == "one_way" and element.torsional_stiffness is not None:
                _say(
                    bench,
                    f"elements.{element.name}.torsional_stiffness",
                    "a one-way clutch locks rigidly; fidelity multibody gives it a spring",
                )
            for key in ("stiffness", "damping"):
                if element.type in ("spring", "damper", "one_way") and getattr(element, key, None) is not None:
                    _say(
                        bench,
                        f"elements.{element.name}.{key}",
                        f"torsional_{key} acts between two shafts; {key} is for fidelity multibody",
                    )
    for case in d.cases:
        if case.wind is not None and d.turbine is None:
            _say(bench, f"cases.{case.name}.wind", "wind blows on a turbine, and this file has none")


def _say(bench: Bench, where: str, why: str) -> None:
    bench.note("warning", where, f"it has no effect: {why}")


def _body(bench: Bench, body: BodyFacts) -> None:
    path, said = f"bodies.{body.name}", body.model_fields_set
    if body.inertia is not None or body.fixed:
        for key in sorted(said & {"bore", "material"}):
            if getattr(body, key) is not None:
                why = "it is fixed" if body.inertia is None else "its inertia is given; length and diameter are drawn"
                _say(bench, f"{path}.{key}", why)
    if body.on is None:
        for key in sorted(said & {"pin_radius", "angle"}):
            if getattr(body, key) not in (None, 0.0):
                _say(bench, f"{path}.{key}", "it places a body 'on' a carrier; a body of its own has 'place'")
    if body.points and bench.drivetrain.model.fidelity != "multibody":
        _say(bench, f"{path}.points", "joints of fidelity multibody take points")


def _machine(bench: Bench, machine: MachineFacts) -> None:
    path = f"machines.{machine.name}"
    if machine.pedal is not None and machine.type != "engine_map":
        _say(bench, f"{path}.pedal", f"an engine_map has a pedal, a machine of type {machine.type} has none")
    if machine.efficiency is not None:
        _say(bench, f"{path}.efficiency", "torque and power of a machine are mechanical, at its shaft")
    if machine.control is not None:
        _say(bench, f"{path}.control", "turbine.controller controls a set-up, 'control' of a load a body's speed")
    if machine.mass is not None and machine.drives:
        driven = next((b for b in bench.drivetrain.bodies if b.name == machine.drives[0]), None)
        if machine.inertia is None or (driven is not None and driven.mass is None):
            _say(
                bench,
                f"{path}.mass",
                f"it joins mass and inertia of '{machine.drives[0]}' where that has a mass and the machine an inertia",
            )


def _model(bench: Bench, d: Drivetrain) -> None:
    if d.gravity is not None and not d.model.gravity and d.model.fidelity != "multibody":
        _say(bench, "gravity", "model.gravity: true lets it act, at fidelity planar and spatial")
    if d.grid is not None:
        _say(
            bench,
            "grid",
            "a run starts at nominal voltage and at the frequency of its machine; events of a case change them",
        )
    if d.operating.wind is not None:
        _say(bench, "operating.wind", "wind is that of a case")
