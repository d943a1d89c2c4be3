"""Modes, Campbell diagram and power flow of the model that a result was made with: computed when a page asks, not by every run."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gearwright.analyses.modal import ModalTable, classify
from gearwright.assembly import AssemblyError
from gearwright.errors import DrivetrainError
from gearwright.figures.format import finite, told
from gearwright.results.file import Attribute
from gearwright.running.prepare import prepare
from gearwright.schema.case_lookup import with_case
from gearwright.schema.file import Drivetrain
from gearwright.schema.read import example_path, examples, from_mapping
from gearwright.solve.steady.modes import modes
from gearwright.solve.steady.powerflow import PowerFlowError
from gearwright.system import System
from gearwright.train.train import Train

from .base import OPTIONAL
from .modes import blades_of, diagram_of, modes_of
from .power_flow import PowerFlow, power_flow

#: what the attributes of a result hold of its modes; older results have them in the file
MODES, CAMPBELL, PROBLEM = "modes_json", "campbell_json", "modes_problem"
#: modes whose shapes are kept
MOST = 40


@dataclass(frozen=True)
class Shapes:
    """Shapes of the lowest :data:`MOST` modes, four digits: ``values`` (coordinates, modes); of complex shapes the part in phase with
    the largest coordinate."""

    coordinates: Sequence[str]
    values: Sequence[Sequence[float]]


@dataclass(frozen=True)
class StoredModes:
    """Modes as pages read them: an entry a mode; ``energies`` are shares of its strain energy by element."""

    frequencies_hz: Sequence[float]
    damping_ratios: Sequence[float]
    kinds: Sequence[str]
    energies: Sequence[Mapping[str, float]]
    shapes: Shapes
    note: str | None = field(metadata=OPTIONAL)

    @classmethod
    def read(cls, data: Any) -> StoredModes:
        """The modes from their JSON; results of version 0.1 lack what is left empty here.

        Raises KeyError, TypeError or AttributeError where it is none.
        """
        frequencies, shapes = data["frequencies_hz"], data.get("shapes") or {"coordinates": [], "values": []}
        return cls(
            frequencies,
            [math.nan if z is None else z for z in data.get("damping_ratios") or [None] * len(frequencies)],
            data.get("kinds") or [""] * len(frequencies),
            data.get("energies") or [{}] * len(frequencies),
            Shapes(shapes["coordinates"], shapes["values"]),
            data.get("note"),
        )


def modal_of_result(attributes: Mapping[str, Attribute]) -> dict[str, str]:
    """Modes and Campbell diagram as JSON, under the names that older results carry them under.

    ``modes_json``: a :class:`StoredModes`, ``campbell_json``: a :class:`gearwright.figures.campbell.Campbell`. What the attributes hold already is not computed again. Where there are
    none, ``modes_problem`` says why. Empty for a mechanism, whose modes change with its position.
    """
    if MODES in attributes or attributes.get("fidelity") == "multibody" or "drivetrain_json" not in attributes:
        return {}

    try:
        drivetrain = drivetrain_of(attributes)
        system, train, note = _model(drivetrain, attributes)
        table = classify(modes(system), system, train)
        diagram = diagram_of(system, train, table, blades_of(drivetrain, train)[0])
    except (AssemblyError, AttributeError, ValueError, KeyError, ArithmeticError) as error:
        # a rigid train under a prescribed speed has none
        return {PROBLEM: " ".join(str(error).split())}
    return {
        MODES: json.dumps(finite(stored_modes(table, note))),
        CAMPBELL: json.dumps(told(diagram) if diagram else {}),
    }


def drivetrain_of(attributes: Mapping[str, Attribute]) -> Drivetrain:
    """The drivetrain that a result was made of; of a shipped example with the place of the series that its cases read."""
    raw = json.loads(str(attributes["drivetrain_json"]))
    name = str(raw.get("name"))
    place = example_path(name) if name in examples() else None
    return from_mapping(raw, place, str(attributes.get("drivetrain_text", "")))


def flow_of_result(attributes: Mapping[str, Attribute]) -> PowerFlow | None:
    """Steady power flow of a rigid train at the operating point of its case. None for others, and where the operating point is no
    steady one."""
    if attributes.get("law") != "rigid" or "drivetrain_json" not in attributes:
        return None
    case = json.loads(str(attributes.get("case_json", "{}")))
    try:
        return power_flow(drivetrain_of(attributes), case.get("name") if case.get("set") else None)
    except (PowerFlowError, DrivetrainError):
        return None


def _model(drivetrain: Drivetrain, attributes: Mapping[str, Attribute]) -> tuple[System, Train, str]:
    """System and train of the run, with the machines and loads of its case: their slope over speed damps. Where what the
    case reads is gone, or a turbine gives the loads, the train alone, and a sentence that says so."""
    case = str(attributes["case"])
    fidelity, law = (str(attributes[key]) if key in attributes else None for key in ("fidelity", "law"))
    length = float(str(attributes["duration_s"])) if "duration_s" in attributes else None
    why = "its loads come from the turbine"
    if drivetrain.turbine is None:
        try:
            prepared = prepare(drivetrain, case, fidelity=fidelity, law=law, duration=length)
            return prepared.system, prepared.train, ""
        except (DrivetrainError, OSError) as error:
            why = " ".join(str(error).split())
    settings = json.loads(str(attributes.get("case_json", "{}")))
    found = modes_of(with_case(drivetrain, case), fidelity, law, held=tuple(settings.get("speeds") or ()))
    return found.system, found.train, f"Of the train without the machines and loads of the case ({why})."


def stored_modes(table: ModalTable, note: str = "") -> StoredModes:
    """Modes for a page, with a ``note`` on the model that they are of."""
    found = table.modes
    shapes = np.asarray(found.shapes)[:, :MOST]
    if np.iscomplexobj(shapes):
        largest = shapes[np.abs(shapes).argmax(axis=0), np.arange(shapes.shape[1])]
        shapes = (shapes * np.conj(largest) / np.where(largest == 0.0, 1.0, np.abs(largest))).real
    values = [[float(f"{x:.4g}") for x in row] for row in shapes]
    return StoredModes(
        found.frequencies_hz.tolist(),
        found.damping_ratios.tolist(),
        table.kinds,
        table.energies(),
        Shapes(found.coordinates, values),
        note or None,
    )
