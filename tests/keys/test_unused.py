"""C54: keys that have no effect where they stand are refused or said, each by what stands in the list of faults."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from gearwright.errors import DrivetrainError
from gearwright.running.prepare import prepare, remarks_of
from gearwright.schema.read import from_mapping
from gearwright.train.expand import expand

from .bases import BEAM, SPELLED, STAGES, TEETH


def _with(raw: dict[str, Any], path: str, value: Any) -> Any:
    made = copy.deepcopy(raw)
    *steps, last = path.split(".")
    place: Any = made
    for step in steps:
        place = place[int(step)] if step.isdigit() else place.setdefault(step, {})
    place[last] = value
    return made


@pytest.mark.parametrize(
    ("raw", "path", "value", "said"),
    [
        (TEETH, "stages.0.pinion.outer_diameter", 0.3, "outer_diameter belongs to a ring"),
        (TEETH, "stages.0.pinion.fillet_radius", 0.3, "fillet_radius belongs to a ring"),
        (STAGES, "stages.0.ring.bore", 0.3, "bore belongs to an external wheel"),
        (TEETH, "stages.0.mesh.overlap_ratio", 1.2, "the teeth of this pair are straight"),
        (SPELLED, "shafts.1.gauges", [0.1], "divided into elements twists only"),
        (SPELLED, "cases.0.events.0.on", "load", "'on' belongs to an event of type brake"),
    ],
)
def test_what_cannot_be_meant_is_refused(raw: dict[str, Any], path: str, value: Any, said: str) -> None:
    with pytest.raises(DrivetrainError, match=said):
        expand(from_mapping(_with(raw, path, value)))


@pytest.mark.parametrize(
    ("raw", "path", "value", "where"),
    [
        (SPELLED, "bodies.0.bore", 0.01, "bodies.motor.bore"),
        (SPELLED, "bodies.0.pin_radius", 0.1, "bodies.motor.pin_radius"),
        (SPELLED, "machines.0.pedal", 0.5, "machines.m1.pedal"),
        (SPELLED, "machines.0.mass", 5.0, "machines.m1.mass"),
        (SPELLED, "elements.3.stiffness", 1e5, "elements.sp.stiffness"),
        (SPELLED, "elements.7.torsional_stiffness", 1e5, "elements.ow.torsional_stiffness"),
        (SPELLED, "cases.0.wind", {"type": "steady", "mean": 8.0}, "cases.c.wind"),
        (SPELLED, "operating.wind", 8.0, "operating.wind"),
        (SPELLED, "grid", {"voltage": 0.9}, "grid"),
        (SPELLED, "model.fidelity", "planar", "gravity"),  # without model.gravity
    ],
)
def test_what_has_no_effect_is_warned_of(raw: dict[str, Any], path: str, value: Any, where: str) -> None:
    notes = expand(from_mapping(_with(raw, path, value)), None).notes
    assert any(n.level == "warning" and n.where == where and "it has no effect" in n.message for n in notes)


def _remarks(raw: dict[str, Any], fidelity: str = "torsional", law: str = "linear") -> str:
    return "\n".join(map(str, remarks_of(prepare(from_mapping(raw), "c", fidelity=fidelity, law=law))))


def test_a_machine_that_a_load_stands_for() -> None:
    raw = _with(SPELLED, "cases.0.loads", [{"on": "motor", "torque": 5.0}, {"on": "load", "torque": -5.0}])
    assert "machine 'm1': the case's load of 'motor' stands for it" in _remarks(raw)
    assert "stands for it" not in _remarks(SPELLED)


def test_a_mass_that_nothing_holds_sideways() -> None:
    assert "the mass of 'rotor' has no effect: nothing holds it" in _remarks(
        _with(STAGES, "bodies.0.mass", 5.0), "planar"
    )
    assert "has no effect" not in _remarks(BEAM, "spatial")


def test_a_contact_ratio_beside_teeth_that_make_the_stiffness() -> None:
    raw = _with(TEETH, "stages.0.mesh.contact_ratio", 1.3)
    train = expand(from_mapping(raw))
    (note,) = [n for n in train.notes if "contact ratio 1.3 is given" in n.message]
    assert note.level == "warning" and "the given one has no effect" in note.message
    assert train.meshes["g.mesh"].contact_ratio == pytest.approx(train.meshes["g.mesh"].path.contact_ratio)


def test_an_initial_speed_of_a_body_whose_speed_is_prescribed() -> None:
    raw = _with(_with(SPELLED, "cases.0.speeds", {"motor": 100.0}), "cases.0.initial", {"motor": 50.0})
    with pytest.raises(DrivetrainError, match="prescribes the speed of 'motor'"):
        prepare(from_mapping(raw), "c")


def test_teeth_that_disagree_with_given_base_circles() -> None:
    raw = _with(TEETH, "stages.0.pinion.base_radius", 0.1)
    raw = _with(raw, "stages.0.mesh.stiffness", 1e9)
    with pytest.raises(DrivetrainError, match="teeth make a ratio of"):
        expand(from_mapping(raw))
    raw["allow"] = ["teeth_and_radii"]
    assert any("teeth make a ratio of" in n.message and n.level == "warning" for n in expand(from_mapping(raw)).notes)


def test_dampings_of_elements_beside_that_of_the_model() -> None:
    raw = _with(STAGES, "model.damping", {"modal": 0.02})
    assert "the dampings of its elements are left out" in _remarks(raw)
