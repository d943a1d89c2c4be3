"""C48: the JSON Schema is what editors use: shipped files are valid by it, wrong ones are not, every key is described."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gearwright.errors import DrivetrainError
from gearwright.schema.file import json_schema
from gearwright.schema.machines import PARAMETERS
from gearwright.schema.read import example_path, examples, parse_file
from gearwright.schema.words import sentences
from gearwright.train.open import load
from tests.sweeps import sweep

SKETCHES = sorted((Path(__file__).parent.parent / "data" / "sketches").glob("*.yaml"))


@cache
def validator() -> Any:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("file", sweep([*map(example_path, examples()), *SKETCHES], 9), ids=lambda f: f.stem)
def test_a_shipped_file_is_valid(file: Path) -> None:
    """Joined over what it includes: a file that changes parts of another's stages is none by itself."""
    told = parse_file(file)
    whole = load(file).raw if "include" in told and "stages" in told else told
    assert [f"{list(e.absolute_path)}: {e.message[:200]}" for e in validator().iter_errors(whole)] == []


def _properties(node: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        if isinstance(node.get("properties"), dict):
            yield from ((f"{place}.{key}", shown) for key, shown in node["properties"].items())
        for key, item in node.items():
            yield from _properties(item, f"{place}.{key}")
    elif isinstance(node, list):
        for i, item in enumerate(node):
            yield from _properties(item, f"{place}.{i}")


def test_every_key_is_described() -> None:
    """All of them, with words of their own before what may be written."""
    found = dict(_properties(json_schema()))
    assert len(found) > 800
    without = [place for place, shown in found.items() if not shown.get("description", "").split(";")[0].strip()]
    assert without == []
    # the words are those of keys that there are
    known = {key for place in found for key in [place.rpartition(".")[2]]} | {"source", "before", "class_"}
    assert {key for _, key in sentences()} - known == set()


def test_a_description_says_unit_range_and_default() -> None:
    wheel = json_schema()["$defs"]["Wheel"]["properties"]
    assert "-2 to 2" in wheel["profile_shift"]["description"] and "default 0" in wheel["profile_shift"]["description"]
    stage = json_schema()["$defs"]["ParallelStage"]["properties"]
    assert (
        "a number in rad" in stage["pressure_angle"]["description"]
        and "0 to 45 deg" in stage["pressure_angle"]["description"]
    )
    number = stage["pressure_angle"]["anyOf"][0]["anyOf"][0]
    assert (number["minimum"], number["maximum"]) == (0.0, pytest.approx(math.pi / 4))


@pytest.mark.parametrize(
    ("example", "path", "value"),
    [
        ("grc-750kw", ("stages", 0, "pressure_angle"), 20),
        ("grc-750kw", ("stages", 0, "modul"), "10 mm"),
        ("grc-750kw", ("stages", 0, "module"), "ten mm"),
        ("grc-750kw", ("stages", 0, "planets"), "many"),
        ("grc-750kw", ("cases", 0, "wind"), {"tipe": "ntm"}),
        ("grc-750kw", ("machines", 0, "parameters"), {"wings": 2}),
        ("spur-pair-hertz", ("stages", 0, "mesh", "contact_ratio"), 0.5),
        ("free-rigid-body", ("cases", 0, "initial", "body"), {"spin": "fast"}),
    ],
)  # fmt: skip
def test_what_the_reader_refuses_the_schema_refuses(example: str, path: tuple[Any, ...], value: Any) -> None:
    data = copy.deepcopy(parse_file(example_path(example)))
    assert validator().is_valid(data)
    node = data
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    assert not validator().is_valid(data)
    with pytest.raises(DrivetrainError):
        load(data)


def test_types_know_the_keys_of_those_who_compute_with_them() -> None:
    """Two lists of the same keys: that of the schema and that of the room of machines."""
    from gearwright.machines import Dfig, Induction, Pmsg
    from gearwright.machines.facts import _PLATE

    for kind, data in (("dfig", Dfig), ("pmsg", Pmsg), ("induction", Induction)):
        other = {"limits", "data", "torque"} if kind != "induction" else set(_PLATE)
        assert set(PARAMETERS[kind].model_fields) == {f.name for f in fields(data)} | other, kind
