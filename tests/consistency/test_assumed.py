"""What a file does not say and the program takes is in the list ``assumed``, and is no longer there once it is said."""

import pytest
from test_damping_remarks import pair

import gearwright as gw
from gearwright.assembly import assemble
from gearwright.remarks import sorted_remarks, train_remarks
from gearwright.schema.case_lookup import find_case
from gearwright.train.expand import expand


def taken(file, overrides=(), **choice) -> list[str]:
    train = expand(gw.load(file, overrides), choice.get("fidelity"))
    return sorted_remarks([*train_remarks(train.notes), *assemble(train, **choice).provenance.notes])["assumed"]


def silent(sentences, words) -> bool:
    return not any(words in sentence for sentence in sentences)


#: what is said to be taken, and the edit of the file that says it instead
SAID = {
    "no profile shift of s.wheel, s.pinion": ["stages.0.wheel.profile_shift=0.1", "stages.0.pinion.profile_shift=-0.1"],
    "an addendum of 1 and a dedendum of 1.25": ["stages.0.addendum=1.0", "stages.0.dedendum=1.4"],
    "azimuth 0 deg": ["stages.0.azimuth=30 deg"],
    "no damping is given for slow": ["shafts.0.damping={ratio: 2 %}"],
    "law linear": ["model.law=linear"],
    "fidelity torsional": ["model.fidelity=torsional"],
}


@pytest.mark.parametrize("words", SAID)
def test_what_is_given_is_not_assumed(words, tmp_path) -> None:
    file = pair(tmp_path)
    assert not silent(taken(file), words)
    assert silent(taken(file, SAID[words]), words)


def test_a_model_without_any_damping_is_called_undamped(tmp_path) -> None:
    bare = ["stages.0.mesh.damping=null", "shafts.1.damping=null"]
    assert not silent(taken(pair(tmp_path), bare), "the model is undamped")
    assert silent(taken(pair(tmp_path), [*bare, "model.damping={modal: 2 %}"]), "damping")


def test_damping_of_elements_that_the_model_replaces_is_noted(tmp_path) -> None:
    found = gw.modes(gw.load(pair(tmp_path), ["model.damping={modal: 2 %}"]))
    assert any("in place of the damping given for s.mesh, fast" in note for note in found.notes)


def test_a_periodic_mesh_without_backlash_pulls_and_says_so(tmp_path) -> None:
    words, levels = "no backlash is given for s.mesh", ["stages.0.mesh.contact_ratio=1.6"]
    assert not silent(taken(pair(tmp_path), levels, law="periodic"), words)
    assert silent(taken(pair(tmp_path), [*levels, "stages.0.mesh.backlash=100 um"], law="periodic"), words)
    assert silent(taken(pair(tmp_path), levels, law="linear"), words)


MASSES = [
    "stages.0.wheel.mass=100 kg", "stages.0.pinion.mass=10 kg", "stages.0.azimuth=0 deg",
    "stages.0.bearings={wheel: {stiffness: 1e9 N/m}, pinion: {stiffness: 1e9 N/m}}",
]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "gravity: none"),
        (["model.gravity=true"], "gravity: 9.81 m/s^2 downward"),
        (["gravity={tilt: 5 deg}"], "gravity: left out of this model"),
        (["model.gravity=false"], None),
        (["model.gravity=true", "gravity={tilt: 5 deg}"], None),
    ],
)
def test_weight_is_left_out_or_taken_but_never_in_silence(given, said, tmp_path) -> None:
    found = taken(pair(tmp_path), [*MASSES, *given], fidelity="planar")
    gravity = [sentence for sentence in found if sentence.startswith("gravity")]
    assert (len(gravity) == 1 and gravity[0].startswith(said)) if said else not gravity
    assert not any("gravity" in sentence for sentence in taken(pair(tmp_path), [*MASSES, *given], fidelity="torsional"))


def test_power_flow_says_which_meshes_have_no_loss_and_which_point_it_took(tmp_path) -> None:
    flow = gw.power_flow(pair(tmp_path))
    assert flow.efficiency == pytest.approx(1.0) and flow.assumed[-1] == "no loss is given for s.mesh: none is taken"
    lossy = gw.load(
        pair(tmp_path), ["stages.0.mesh.loss={efficiency: 98 %}", "operating.speed=null", "operating.torque=null"]
    )
    assert [s for s in gw.power_flow(lossy).assumed if "input" in s] == [
        "the input turns at 1 rad/s",
        "the input torque is 1 N m forward",
    ]


def test_a_life_says_what_its_section_does_not(tmp_path) -> None:
    from gearwright.analyses.life import life_of

    done = gw.simulate(
        pair(tmp_path), "c", duration=0.2, output=tmp_path / "r.nc", overrides=["cases=[{name: c, start: operating}]"]
    )
    said = life_of(done.result_file).assumed
    assert {"a life of 20 years", "an availability of 1", "lifetime equivalent loads for 1e+07 cycles"} <= set(said)
    (tmp_path / "life.yaml").write_text("life: {years: 25, availability: 0.97, equivalent_cycles: 1e7}\n")
    said = life_of(done.result_file, tmp_path / "life.yaml").assumed
    assert all("repeats" in sentence for sentence in said)


def test_a_set_up_says_what_it_took_of_turbine_wind_and_events() -> None:
    from gearwright.running.setup import prepare_setup
    from gearwright.running.setup_assumed import taken as of_setup
    from gearwright.schema.cases import Case, Event
    from gearwright.schema.setup import TurbineFacts, Wind

    drivetrain = gw.load("nrel-5mw-ideal")
    case = next(c.name for c in drivetrain.cases if getattr(find_case(drivetrain, c.name).wind, "type", "") == "ntm")
    said = sorted_remarks(prepare_setup(drivetrain, case, duration=1.0).notes)["assumed"]
    assert said == ["air of 1.225 kg/m^3"]  # all else is in the file
    silent_case = Case(
        name="silent", wind=Wind(type="ntm", mean=12.0, seed=1), events=[Event(at=0.0, type="grid_loss")]
    )
    said = of_setup(TurbineFacts(), silent_case)
    assert {"turbine: nrel-5mw", "wind: shear exponent 0.2", "wind: class IIA"} <= set(said)
    assert any("the blades pitch at 8 deg/s" in sentence for sentence in said)
    known = find_case(drivetrain, case).model_copy(update={"wind": Wind(type="bts")})
    assert of_setup(TurbineFacts(data="x"), known) == ["air of 1.225 kg/m^3"]


def test_files_that_come_with_the_program_may_be_read_without_a_word_lost() -> None:
    """An assumption is never a warning."""
    for name in ("nrel-5mw-nejad-source", "grc-750kw", "lin-parker-1999"):
        found = gw.modes(name)
        assert not set(found.assumed) & set(found.warnings)


def test_a_bearing_life_says_what_it_takes_of_oil_and_survival(tmp_path) -> None:
    """The file gives catalogue ratings alone; with oil, cleanliness and a survival of its own nothing is left to say."""
    from pathlib import Path

    from gearwright.analyses.life import life_of
    from gearwright.schema.read import parse_file

    steady = Path(__file__).parents[1] / "data" / "steady-life.yaml"
    done = gw.simulate(str(steady), duration=1.5, output=tmp_path / "r.nc")
    said = life_of(done.result_file).assumed
    assert any("a_ISO = 1" in s for s in said) and any("90 % of the bearings survive" in s for s in said)
    life = parse_file(steady)["life"]
    for entry in life["bearings"]:
        entry["reliability"] = 0.95
        entry["modification"] = {
            "viscosity": 40.0,
            "pitch_diameter": "300 mm",
            "contamination": 0.5,
            "fatigue_limit": "200 kN",
        }
    import json

    (tmp_path / "life.yaml").write_text(json.dumps({"life": json.loads(json.dumps(life, default=str))}))
    said = life_of(done.result_file, tmp_path / "life.yaml").assumed
    assert silent(said, "a_ISO") and silent(said, "survive")
