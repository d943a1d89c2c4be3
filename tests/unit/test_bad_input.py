"""Bad input: one message with file, place, value, what is allowed and what was probably meant."""

from __future__ import annotations

import copy
import random
from pathlib import Path

import pytest

from gearwright.analyses.describe import describe
from gearwright.errors import DrivetrainError
from gearwright.schema.case_lookup import find_case
from gearwright.train.expand import expand
from gearwright.train.open import load

GOOD = """\
name: train
bodies:
  - {name: rotor, inertia: 1.0e6 kg m^2}
stages:
  - name: stage1
    type: planetary
    planets: 3
    module: 10 mm
    pressure_angle: 20 deg
    sun:     {teeth: 21, mass: 102 kg, inertia: 1.02 kg m^2}
    planet:  {teeth: 39, mass: 87 kg, inertia: 3.2 kg m^2}
    ring:    {teeth: 99, inertia: 891 kg m^2}
    carrier: {mass: 760 kg, inertia: 116.72 kg m^2, inertia_includes_planets: false}
    meshes:
      sun_planet:  {stiffness: 3.85e9 N/m}
      ring_planet: {stiffness: 4.55e9 N/m}
    bearings:
      ring: {stiffness: 2e9 N/m, torsional_stiffness: 2e9 N m/rad}
  - name: stage2
    type: parallel
    module: 8.25 mm
    pressure_angle: 20 deg
    azimuth: 0 deg
    wheel:  {teeth: 82, inertia: 31.72 kg m^2}
    pinion: {teeth: 23, inertia: 0.4 kg m^2}
    mesh: {stiffness: 2.69e9 N/m}
shafts:
  - {name: LSS, between: [rotor, stage1.carrier], torsional_stiffness: 3.7e7 N m/rad}
  - {name: ISS, between: [stage1.sun, stage2.wheel], torsional_stiffness: 5e7 N m/rad}
machines:
  - {name: generator, type: constant, drives: stage2.pinion, parameters: {torque: -1 kN m}}
model: {fidelity: torsional, law: linear}
operating: {input: rotor, output: stage2.pinion}
cases:
  - name: steady
    duration: 60 s
    loads:
      - {on: rotor, torque: {ramp: {from: 0 N m, to: 322.6 kN m, over: 10 s}}}
"""

# what is replaced, by what, and what the message must contain
CASES = {
    "unknown key": ("sun:     {teeth: 21, mass", "sun:     {teeth: 21, mas", [":10:", "stages.stage1.sun.mas", "unknown key 'mas'", "Did you mean 'mass'"]),
    "unknown key at the top": ("machines:", "machine:", ["unknown key 'machine'", "Did you mean 'machines'"]),
    "unknown key of a case": ("duration: 60 s", "duratoin: 60 s", ["cases.steady.duratoin", "Did you mean 'duration'"]),
    "unknown key of a value": ("{ramp: {", "{rampe: {", ["loads.0.torque.rampe", "Did you mean 'ramp'"]),
    "missing tooth number": ("{teeth: 21, ", "{", [":10:", "stages.stage1.sun", "'teeth' is needed"]),
    "missing module": ("    module: 10 mm\n", "", ["fidelity torsional needs the module"]),
    "missing pressure angle": ("    pressure_angle: 20 deg\n    sun", "    sun", ["stages.stage1", "'pressure_angle' is needed"]),
    "teeth not whole": ("{teeth: 21,", "{teeth: 21.5,", ["stages.stage1.sun.teeth = 21.5", "whole number"]),
    "negative inertia": ("inertia: 1.02", "inertia: -1.02", [":10:", "sun.inertia = -1.02 kg m^2", "must not be negative", "negative"]),
    "zero stiffness": ("stiffness: 3.85e9 N/m", "stiffness: 0 N/m", [":15:", "meshes.sun_planet.stiffness = 0 N/m", "zero"]),
    "zero shaft stiffness": ("5e7 N m/rad", "0", ["shafts.ISS.torsional_stiffness = 0", "must be positive"]),
    "wrong dimension": ("1.02 kg m^2", "1.02 kg m", ["wrong dimension", "moment of inertia", "'12.6 kg m^2'"]),
    "wrong dimension in a ramp": ("322.6 kN m,", "322.6 kN,", ["torque.ramp.to = 322.6 kN", "'kN' is force", "torque"]),
    "unknown unit": ("60 s", "60 flurb", ["'flurb' is not a known unit"]),
    "not assembled": ("planets: 3", "planets: 7", [":7:", "planets = 7", "(21 + 99)/7", "51.0000 deg", "102.0000 deg"]),
    "angles not assembled": ("planets: 3", "planets: [0 deg, 120 deg, 241 deg]", ["241.0000 deg cannot be assembled", "240.0000 deg"]),
    "no planets": ("planets: 3", "planets: 0", ["at least one planet"]),
    "ring too large": ("{teeth: 99", "{teeth: 120", ["ring_planet", "cannot be assembled", "less than the centre distance"]),
    "disconnected": ("  - {name: ISS, between: [stage1.sun, stage2.wheel], torsional_stiffness: 5e7 N m/rad}\n", "", ["2 parts", "stage1.sun", "stage2.wheel"]),
    "shaft to nowhere": ("stage2.wheel]", "stage2.weel]", ["shafts.ISS.between", "no body 'stage2.weel'", "Did you mean 'stage2.wheel'"]),
    "both ends alike": ("[rotor, stage1.carrier]", "[rotor, rotor]", ["shafts.LSS.between", "same body"]),
    "duplicate stage": ("name: stage2", "name: stage1", ["stages", "stage1", "given twice"]),
    "duplicate shaft": ("name: ISS", "name: LSS", ["LSS", "given twice"]),
    "planet mass counted": (", inertia_includes_planets: false", "", [":13:", "inertia_includes_planets", "true, or false"]),
    "two inertias": ("inertia: 1.02 kg m^2", "inertia: 1.02 kg m^2, equivalent_mass: 1 kg", ["say the same"]),
    "unknown stage": ("type: planetary", "type: planetry", ["stages.stage1.type = planetry", "Did you mean 'planetary'"]),
    "no type": ("    type: planetary\n", "", ["stages.stage1", "'type' says what it is", "planetary, parallel, direct"]),
    "unknown machine": ("type: constant", "type: constent", ["machines.generator.type = constent", "Did you mean 'constant'"]),
    "machine without facts": (", parameters: {torque: -1 kN m}", "", ["machines.generator", "needs torque"]),
    "machine fact": ("{torque: -1 kN m}", "{torque: -1 kg}", ["parameters.torque = -1 kg", "wrong dimension"]),
    "unknown fidelity": ("fidelity: torsional", "fidelity: torsionl", ["model.fidelity", "Did you mean 'torsional'"]),
    "unknown law": ("law: linear", "law: liner", ["model.law", "'liner' is not a law", "periodic"]),
    "unknown input": ("input: rotor", "input: roter", ["operating.input = roter", "Did you mean 'rotor'"]),
    "load on nobody": ("{on: rotor", "{on: roter", ["cases.steady.loads.0.on = roter", "Did you mean 'rotor'"]),
    "unknown base": ("    duration", "    base: stedy\n    duration", ["cases.steady.base = stedy", "unknown case", "Did you mean 'steady'"]),
    "no inertia": ("{name: rotor, inertia: 1.0e6 kg m^2}", "{name: rotor}", [":3:", "bodies.rotor", "needs the inertia of 'rotor'"]),
    "not YAML": ("planets: 3", "planets: [3", [":8:", "not valid YAML", "module: 10 mm"]),
    "tab": ("    planets: 3", "\tplanets: 3", [":7:", "not valid YAML", "begins with a tab"]),
    "decimal comma": ("1.02 kg m^2", "'1,02 kg m^2'", ["sun.inertia = 1,02 kg m^2", "not a comma", "Did you mean '1.02 kg m^2'"]),
    "decimal comma in a mapping": ("teeth: 21, mass", "profile_shift: 0,582, teeth: 21, mass", [":10:", "a number stands where a key is wanted"]),
    "unit misspelt": ("10 mm", "10 milimeter", ["'milimeter' is not a known unit", "Did you mean '10 mm'"]),
    "unit run together": ("322.6 kN m,", "322.6 kNm,", ["'kNm' is not a known unit", "Did you mean '322.6 kN m'"]),
    "unit in capitals": ("102 kg", "102 KG", ["Did you mean '102 kg'"]),
    "softer than rubber": ("model:", "materials:\n  steel: {young: 206}\nmodel:", ["materials.steel.young = 206", "softer than rubber", "206 GPa"]),
    "key given twice": ("planets: 3", "planets: 3\n    planets: 4", ["duplicate key", ":8:"]),
    "a list instead": ("model: {fidelity: torsional, law: linear}", "model: [torsional]", ["model", "a group of keys"]),
    "event to nowhere": ("    loads:", "    events: [{at: 1 s, set: brak.capacity, to: 3 N m}]\n    loads:", ["events.0.set = brak.capacity", "sets nothing"]),
    "case sets nothing": ("    loads:", "    set: {shafts.LSR.torsional_stiffness: 1}\n    loads:", ["cases.steady.set", "LSR", "Did you mean 'LSS'"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_one_clear_message(name: str, tmp_path: Path) -> None:
    old, new, said = CASES[name]
    assert old in GOOD
    file = tmp_path / "train.yaml"
    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(DrivetrainError) as caught:
        expand(load(file))
    message = str(caught.value)
    assert str(file) in message
    for part in said:
        assert part in message, message
    assert caught.value.file == str(file)
    assert caught.value.problems


def test_the_file_without_mistakes_is_good(tmp_path: Path) -> None:
    file = tmp_path / "train.yaml"
    file.write_text(GOOD)
    assert expand(load(file)).ratios["stage2.pinion"] < 0.0


def test_all_problems_at_once(tmp_path: Path) -> None:
    file = tmp_path / "train.yaml"
    text = GOOD
    for old, new in (("1.02 kg m^2", "-1 kg m^2"), ("azimuth", "azimut"), ("2.69e9 N/m", "0"), ("60 s", "60 kg")):
        text = text.replace(old, new, 1)
    file.write_text(text)
    with pytest.raises(DrivetrainError, match="4 problems") as caught:
        load(file)
    assert len(caught.value.problems) == 4
    file.write_text(GOOD.replace("[rotor, stage1", "[rotr, stage1").replace("stage2.wheel]", "stage2.whel]"))
    with pytest.raises(DrivetrainError, match="2 problems") as caught:
        load(file)
    assert {p.meant for p in caught.value.problems} == {"rotor", "stage2.wheel"}


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("grc-750", "Did you mean 'grc-750kw'"), ("grc-750kw.yaml", "Did you mean 'grc-750kw'"),
        ("/nowhere/at/all.yaml", "no such file"), (".", "folder"), ("", "neither"),
    ],
)  # fmt: skip
def test_files_that_are_not_there(source: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DrivetrainError, match=said):
        load(source)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"), (b"# nothing\n", "empty"), (b"- a\n- b\n", "mapping"), (b"\xff\xfe\x00", "UTF-8"),
        (GOOD.encode("utf-16"), "text in UTF-16"), (bytes(range(256)), "zero bytes"),
        (b"name: x\nsource: J\xf8rgensen\n", "x.yaml:2: not UTF-8 text"),
        (b"just words", "mapping"), (b"name: x\n", "bodies or stages"), (b"name: ''\nbodies: [{name: a}]\n", "name"),
        (b"name: &a [*a]\n", "name"),
    ],
)  # fmt: skip
def test_files_that_hold_something_else(content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes(content)
    with pytest.raises(DrivetrainError, match=said):
        load(file)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("stages.stage9.planets=4", "no item 'stage9'"), ("stages.5.planets=4", "from 0 to 1"),
        ("stages.stage1.plannets=4", "Did you mean 'planets'"), ("stages.stage1.module.x=4", "is the value"),
        ("model.law", "not an override"), ("=5", "not an override"), ("operating.input=wheell", "no body"),
        ("operating.input=stage1.carrier", ""), ("stages.stage1.sun=[", "not valid YAML"),
    ],
)  # fmt: skip
def test_overrides(override: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "train.yaml"
    file.write_text(GOOD)
    if not said:
        assert expand(load(file, [override])).input == "stage1.carrier"
        return
    with pytest.raises(DrivetrainError, match=said):
        load(file, [override])


def test_short_names_must_be_unique(tmp_path: Path) -> None:
    file = tmp_path / "train.yaml"
    file.write_text(GOOD)
    assert expand(load(file, ["operating.output=wheel"])).output == "stage2.wheel"
    other = GOOD.replace("  - {name: rotor,", "  - {name: my.wheel, inertia: 1 kg m^2}\n  - {name: rotor,")
    file.write_text(
        other.replace("shafts:", "shafts:\n  - {name: X, between: [my.wheel, rotor], torsional_stiffness: 1e6}")
    )
    with pytest.raises(DrivetrainError, match="could be my.wheel, stage2.wheel"):
        load(file, ["operating.output=wheel"])


def test_unknown_case() -> None:
    with pytest.raises(DrivetrainError, match="unknown case.*Allowed: .*Did you mean"):
        find_case(load("grc-750kw"), "grc-dynamo")
    with pytest.raises(DrivetrainError, match="no cases"):
        find_case(load({"name": "x", "bodies": [{"name": "a", "inertia": 1}]}))


_PLAINLY_WRONG = [
    None,
    "",
    0,
    -1,
    True,
    "x",
    "5 kg",
    [],
    {},
    [1],
    {"a": 1},
    float("nan"),
    1e400,
    "1 m",
    [[1, 2]],
    "rotor",
]


def _paths(node: object, path: tuple = ()) -> list[tuple]:
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(p for key, value in items for p in _paths(value, (*path, key)))]


@pytest.mark.parametrize("name", ["grc-750kw", "nordtank-500kw-two-level", "nrel-5mw-gallego", "lin-parker-1999"])
def test_a_damaged_file_reads_or_ends_in_a_message(name: str) -> None:
    """Values of an example are dropped, doubled or replaced at random: no error but DrivetrainError may come out."""
    raw = load(name).raw
    choose = random.Random(name)
    for _ in range(120):
        damaged = copy.deepcopy(raw)
        *way, last = choose.choice([p for p in _paths(damaged) if p])
        node = damaged
        for key in way:
            node = node[key]
        kind = choose.random()
        if kind < 0.3:
            del node[last]
        elif kind < 0.4 and isinstance(node, list):
            node.append(copy.deepcopy(node[last]))
        else:
            node[last] = choose.choice(_PLAINLY_WRONG)
        try:
            describe(expand(load(damaged)))
        except DrivetrainError as error:
            assert str(error) and error.problems
