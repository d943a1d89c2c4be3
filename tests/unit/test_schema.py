"""The drivetrain file: vocabulary, reading, overrides, includes, edits, cases, JSON Schema."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from gearwright.analyses.describe import describe
from gearwright.errors import DrivetrainError
from gearwright.schema.case_lookup import find_case, with_case
from gearwright.schema.file import json_schema
from gearwright.schema.losses import MeshLoss
from gearwright.schema.read import example_path, examples
from gearwright.schema.setup import Wind
from gearwright.schema.values import OverTime
from gearwright.train.expand import expand
from gearwright.train.open import edit, load

STAGE = {
    "name": "s", "type": "planetary", "planets": 3, "module": "10 mm", "pressure_angle": "20 deg",
    "sun": {"teeth": 20, "inertia": 1.0}, "planet": {"teeth": 40, "inertia": 2.0},
    "ring": {"teeth": 100, "fixed": True}, "carrier": {"inertia": 3.0},
    "meshes": {"sun_planet": {"stiffness": "1e9 N/m"}, "ring_planet": {"stiffness": "1e9 N/m"}},
}  # fmt: skip
FILE = {"name": "small", "stages": [STAGE]}

TEXT = """\
# a comment at the top
name: pair      # a comment behind
bodies:
  - {name: a, inertia: 2 kg m^2}    # first
  - {name: b, inertia: 3 kg m^2}

shafts:
  - name: joint
    between: [a, b]
    torsional_stiffness: 1e6 N m/rad
cases:
  - name: base
    duration: 10 s
    wind: {type: ntm, mean: 17 m/s, seed: 1}
    loads: [{on: a, torque: 5 N m}]
  - name: stiff
    base: base
    wind: {seed: 2}
    set: {shafts.joint.torsional_stiffness: 2e6 N m/rad}
"""


@pytest.mark.parametrize("name", examples())
def test_every_example_reads_expands_and_resolves_its_cases(name: str) -> None:
    drivetrain = load(name)
    assert drivetrain.name == name
    assert drivetrain.source and drivetrain.text and drivetrain.cases
    train = expand(drivetrain)
    if drivetrain.model.fidelity != "multibody":  # a mechanism has no ratios before it is closed up
        assert train.input and train.output
        # a differential with free speeds has no ratios
        assert train.ratios or name in ("four-flywheels", "tracked-steering")
    for case in drivetrain.cases:
        assert find_case(drivetrain, case.name).duration
        expand(with_case(drivetrain, case.name))


def test_quantities_are_si() -> None:
    d = load("grc-750kw")
    stage = d.stages[0]
    assert stage.module == 0.01
    assert stage.helix_angle == pytest.approx(math.radians(7.49))
    assert d.operating.torque == pytest.approx(322.6e3, rel=1e-3)
    assert stage.bearings.carrier[0].stiffness[0][0] > 0.0


@pytest.mark.parametrize(
    "override", ["stages.0.planets=4", "stages.s.planets=4", {"stages.s.planets": 4}, {"stages.0.planets": 4}]
)
def test_overrides_by_number_and_by_name(override: object) -> None:
    d = load(FILE, [override] if isinstance(override, str) else override)  # type: ignore[arg-type]
    assert len(expand(d).members("planet")) == 4
    assert d.overrides == (f"{next(iter(override))}=4" if isinstance(override, dict) else override,)


def test_overrides_add_keys_read_units_and_lists_and_join() -> None:
    d = load(FILE, ["model.law=periodic", "stages.s.planets=[0 deg, 120 deg, 240 deg]", "operating.speed=60 rpm"])
    d = load(d, ["operating.input=carrier", "stages.s.meshes.sun_planet.stiffness=2e9 N/m"])
    assert d.model.law == "periodic"
    assert d.operating.speed == pytest.approx(2 * math.pi)
    assert d.stages[0].meshes.sun_planet.stiffness.mean == 2e9
    assert expand(d).input == "s.carrier"
    assert len(d.overrides) == 5


def test_unnamed_stages_count() -> None:
    stage = {k: v for k, v in STAGE.items() if k != "name"}
    d = load({"name": "x", "stages": [stage]}, ["stages.stage1.sun.teeth=26", "stages.0.ring.teeth=106"])
    assert "stage1.sun" in expand(d).bodies


def test_edit_keeps_comments_and_writes_nothing_wrong(tmp_path: Path) -> None:
    file = tmp_path / "pair.yaml"
    file.write_text(TEXT)
    new = edit(file, {"shafts.joint.torsional_stiffness": "4e6 N m/rad", "bodies.0.mass": "7 kg"})
    assert file.read_text() == new
    for comment in ("# a comment at the top", "# a comment behind", "# first"):
        assert comment in new
    d = load(file)
    assert d.shafts[0].torsional_stiffness == 4e6 and d.bodies[0].mass == 7.0
    with pytest.raises(DrivetrainError, match="wrong dimension"):
        edit(file, {"shafts.joint.torsional_stiffness": "4e6 kg"})
    with pytest.raises(DrivetrainError, match="no body 'c'"):
        edit(file, {"shafts.joint.between": ["a", "c"]})
    assert file.read_text() == new


def test_a_case_takes_over_from_its_base_and_sets_values(tmp_path: Path) -> None:
    file = tmp_path / "pair.yaml"
    file.write_text(TEXT)
    d = load(file)
    case = find_case(d, "stiff")
    assert (case.duration, case.wind, case.loads[0].on) == (10.0, Wind(type="ntm", mean=17.0, seed=2), "a")
    assert find_case(d).name == "base"
    assert with_case(d, "stiff").shafts[0].torsional_stiffness == 2e6
    assert with_case(d, "base") is d
    assert d.shafts[0].torsional_stiffness == 1e6
    assert d.resolve("data/x.csv") == tmp_path / "data" / "x.csv"


def test_include_joins_by_name(tmp_path: Path) -> None:
    (tmp_path / "pair.yaml").write_text(TEXT)
    top = tmp_path / "top.yaml"
    top.write_text(
        "name: top\ninclude: [pair.yaml]\nbodies:\n  - {name: b, mass: 5 kg}\n"
        "elements:\n  - {name: stop, type: brake, between: [b, housing], capacity: {torque: 3 N m, rise: 1 s}}\n"
    )
    d = load(top)
    assert [(b.name, b.inertia, b.mass) for b in d.bodies] == [("a", [2.0], None), ("b", [3.0], 5.0)]
    assert expand(d).couplings["stop"].parameters["capacity"] == 3.0
    assert d.name == "top" and [c.name for c in d.cases] == ["base", "stiff"]
    (tmp_path / "pair.yaml").write_text("include: top.yaml\n" + TEXT)
    with pytest.raises(DrivetrainError, match="circle"):
        load(top)


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("5 kN m", "constant"), (5000, "constant"), ({"step": {"to": "5 kN m", "at": "1 s"}}, "step"),
        ({"ramp": {"from": "1 N m", "to": "5 kN m", "over": "2 s"}}, "ramp"),
        ({"sine": {"amplitude": "5 kN m", "frequency": "2 Hz"}}, "sine"),
        ({"table": [["0 s", "5 kN m"], ["1 s", 0], ["1 s", 3]]}, "table"),
        ({"file": {"path": "x.csv", "channel": "T", "scale": "-50 %"}}, "file"),
    ],
)  # fmt: skip
def test_values_over_time(written: object, form: str) -> None:
    d = load({**FILE, "cases": [{"name": "c", "duration": 1, "loads": [{"on": "sun", "torque": written}]}]})
    torque = d.cases[0].loads[0].torque
    assert isinstance(torque, OverTime) and torque.form == form
    found = torque.value
    big = {
        "constant": lambda: found,
        "step": lambda: found.to,
        "ramp": lambda: found.to,
        "sine": lambda: found.amplitude,
        "table": lambda: found.rows[0][1],
        "file": lambda: found.scale * -1e4,
    }
    assert big[form]() == 5000.0  # fmt: skip


def test_json_schema_mentions_units_and_accepts_the_examples() -> None:
    schema = json_schema()
    text = json.dumps(schema)
    assert "N m/rad" in text and "'22.2 rpm'" in text
    stage = schema["$defs"]["PlanetaryStage"]["properties"]
    assert {"number", "string"} == {v["type"] for v in stage["module"]["anyOf"][0]["anyOf"]}
    assert schema["additionalProperties"] is False
    assert example_path("grc-750kw").is_file()


SKETCHES = sorted((Path(__file__).parent.parent / "data" / "sketches").glob("*.yaml"))


@pytest.mark.parametrize("file", SKETCHES, ids=lambda f: f.stem)
def test_the_vocabulary_covers_all_kinds_of_systems(file: Path) -> None:
    """Planetary and parallel trains, trains by tooth numbers, tooth contact, losses, mechanism, turbine, vehicle."""
    drivetrain = load(file)
    train = expand(drivetrain)
    assert train.bodies and describe(train).name == drivetrain.name
    for case in drivetrain.cases:
        assert find_case(drivetrain, case.name).duration


def test_what_the_sketches_say() -> None:
    assert len(SKETCHES) == 9
    found = {file.stem: load(file) for file in SKETCHES}
    stop = find_case(found["nrel-5mw-turbine"], "emergency-stop")
    assert stop.wind == Wind.model_validate({"type": "ntm", "class": "IIA", "mean": 17.0, "shear": 0.2, "seed": 1})
    assert stop.duration == 200.0 and [e.type for e in stop.events] == ["grid_loss", "brake", "pitch_to_feather"]
    assert stop.events[2].rate == pytest.approx(math.radians(9.0))
    turbine = expand(found["nrel-5mw-turbine"])
    assert turbine.machines["generator"].type == "dfig"  # named again, so it takes the included one's place
    assert turbine.bodies["generator"].inertia == pytest.approx(502.25, abs=0.01)
    assert turbine.couplings["hss_brake"].parameters["capacity"] == pytest.approx(88.66e3)
    shift = find_case(found["ravigneaux"]).events[0]
    assert shift.set == "reverse_brake.capacity" and shift.to.ramp.before == 800.0
    crank = expand(found["slider-crank"])
    assert crank.bodies["rod"].principal == pytest.approx((0.042667, 1e-4, 0.042667))
    assert crank.couplings["big_end"].parameters["points"] == ("crank.end", "rod.start")
    assert crank.gravity == (0.0, 0.0, -9.81)
    vehicle = expand(found["tracked-steering"]).machines["vehicle"]
    assert vehicle.drives == ("A_L", "A_R") and vehicle.parameters.front_stiffness == 1000.0
    pair = expand(found["spur-pair-hertz"]).meshes["pair.mesh"]
    assert pair.stiffness.source == "hertz" and pair.backlash == pytest.approx(1e-4)
    lossy = expand(found["elastic-lossy"]).meshes["mesh"]
    assert lossy.loss == MeshLoss(efficiency=[0.5, 0.5], compliance="series") and lossy.same_sense


def test_sections_are_built_by_the_files_that_have_them():
    """In a process of its own: the schema of a file of bodies and a shaft is that of bodies and shafts, not of gears."""
    code = (
        "from gearwright.schema.file import Drivetrain\n"
        "from gearwright.schema import file as s, cases as c, parts as p\n"
        "Drivetrain.model_validate({'name': 'x', 'bodies': [{'name': 'a'}],\n"
        "    'shafts': [{'name': 'b', 'between': ['a', 'c'], 'torsional_stiffness': 1}]})\n"
        "kinds = (Drivetrain, s.BodyFacts, s.ShaftFacts, s.PlanetaryStage, s.MachineFacts, c.Case, c.Event, p.Wheel, p.Bearing)\n"
        "print(*(kind.__name__ for kind in kinds if kind.__pydantic_complete__))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Drivetrain", "BodyFacts", "ShaftFacts"]


def test_a_default_that_nobody_read_is_written_out():
    """Sections of which a file says nothing are made without being built; writing them needs them whole."""
    code = (
        "from gearwright.schema.file import Drivetrain\n"
        "d = Drivetrain.model_validate({'name': 'x', 'operating': {'input': 'a'}})\n"
        "print(d.model_dump(mode='json')['model']['helical'], d.model == type(d.model)(), d.model_dump_json(exclude_unset=True))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == 'averaged True {"name":"x","operating":{"input":"a"}}'


def test_errors_of_sections_within_sections_join_with_their_places():
    stage = STAGE | {"sun": {"teeth": 20, "tip_relief": {"amount": "1 N", "form": 1}}, "planets": 0}
    with pytest.raises(DrivetrainError) as caught:
        load({"name": "x", "stages": [stage, STAGE | {"type": "planet"}], "life": {"bearings": [{"on": "a"}]}})
    places = [problem.path for problem in caught.value.problems]
    assert len(places) == 3 and places[1:] == ["stages.s.type", "life.bearings.0.dynamic_rating"]
    with pytest.raises(DrivetrainError) as caught:
        load(
            {"name": "x", "stages": [stage | {"planets": 3}], "elements": [{"name": "e", "type": "mesh", "betwen": []}]}
        )
    places = [problem.path for problem in caught.value.problems]
    assert {"stages.s.sun.tip_relief.amount", "stages.s.sun.tip_relief.form", "elements.e.between"} <= set(places)
    assert any(problem.meant == "between" for problem in caught.value.problems)


def test_json_schema_spells_every_section_out_once():
    found = json_schema()
    parts = json.dumps(found).split('"#/$defs/')[1:]
    asked = {part.split('"')[0] for part in parts}
    assert asked == set(found["$defs"])
    assert {"OverTime_of_torque", "Life", "Rolling", "GearElement", "ReducedBody", "Wheel"} <= asked
    wheel = found["$defs"]["PlanetaryStage"]["properties"]["sun"]
    assert wheel == {"$ref": "#/$defs/Wheel", "description": "the sun"}
