"""A :class:`Train` as plain data, so that a result file carries what its scheme is drawn from."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from gearwright.geometry.gear import Gear, Relief, Steel
from gearwright.geometry.pair import Cut, WantedRelief
from gearwright.schema.bearing import Rolling
from gearwright.schema.places import JSON
from gearwright.train.train import Bearing, Body, Coupling, Machine, Mesh, Note, Segment, Shaft, Stiffness, Train

from .format import finite

_PARTS: dict[str, type] = {
    "bodies": Body,
    "meshes": Mesh,
    "bearings": Bearing,
    "shafts": Shaft,
    "couplings": Coupling,
    "machines": Machine,
}
#: Fields that hold parts of their own.
_NESTED: dict[tuple[type, str], type] = {
    (Mesh, "stiffness"): Stiffness,
    (Mesh, "wheels"): Cut,
    (Cut, "gear"): Gear,
    (Cut, "relief"): WantedRelief,
    (Gear, "material"): Steel,
    (Gear, "relief"): Relief,
    (Shaft, "segments"): Segment,
    (Shaft, "bearings"): Bearing,
}
#: Fields with classes of their own that no picture needs.
_LEFT_OUT = frozenset(
    {
        "damping",
        "torsional_damping",
        "excitation",
        "path",
        "data",
        "loss",
        "friction",
        "teeth_different",
        "circumference",
        "parameters",
    }
)


def train_record(train: Train) -> dict[str, JSON]:
    """Plain data of a train (JSON-able, SI)."""
    record = finite(train)
    assert isinstance(record, dict)
    return record


def train_from_record(record: Any) -> Train:
    """The train of a record, enough of it to draw and to list: damping and excitation are left out.

    Keys that are not known (a file of a newer version) are passed over. Raises ``KeyError`` or ``TypeError`` where
    the record is not one of a train, ``ValueError`` where a bearing is none.
    """
    parts: Any = {
        name: {key: _build(kind, value) for key, value in record.get(name, {}).items()} for name, kind in _PARTS.items()
    }
    plain = {
        key: record[key]
        for key in ("input", "output", "speed", "torque", "ratios", "stages", "alias")
        if record.get(key) is not None
    }
    notes = tuple(_build(Note, note) for note in record.get("notes", ()))
    return Train(name=record["name"], **parts, **plain, notes=notes)


def _build(kind: type, values: Any) -> Any:
    if kind is Mesh and isinstance(values.get("facts"), dict):  # of version 0.1
        values = {**values, "by_teeth": values["facts"].get("radius_unit") == "teeth"}
    known = {f.name for f in fields(kind)} - _LEFT_OUT
    return kind(**{key: _value(kind, key, value) for key, value in values.items() if key in known})


def _value(kind: type, key: str, value: Any) -> Any:
    if key == "rolling" and value is not None:
        return Rolling.model_validate({k: v for k, v in value.items() if v is not None and k in Rolling.model_fields})
    part = _NESTED.get((kind, key))
    if part is Cut and not all("gear" in wheel for wheel in value or ()):
        return None  # of version 0.1, in another form: drawn without true teeth
    if part is not None and value is not None:
        return tuple(_build(part, item) for item in value) if isinstance(value, list) else _build(part, value)
    if isinstance(value, list):
        return tuple(_value(kind, "", item) for item in value)
    return value
