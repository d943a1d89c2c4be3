"""C57: paths are one language, in --set, in what cases set, in grids of campaigns and in studies."""

import pytest

import gearwright as gw
from gearwright.campaigns import campaign_plan, study_plan
from gearwright.schema.case_lookup import find_case, with_case
from gearwright.train.open import with_member

TORQUE = "1 kN m"


def torque(drivetrain, case):
    """The constant torque [N m] of the first load of a case."""
    return find_case(drivetrain, case).loads[0].torque.value


@pytest.mark.parametrize("path", ["loads.0.torque", "cases.rated.loads.0.torque", "cases.3.loads.0.torque"])
def test_a_value_of_a_case_is_set_by_either_way(path):
    names = [c.name for c in gw.load("grc-750kw").cases]
    path = path.replace("cases.3", f"cases.{names.index('rated')}")
    made = gw.load("grc-750kw", [f"{path}={TORQUE}"], "rated")
    assert torque(made, "rated") == 1000.0
    before = gw.load("grc-750kw")
    assert find_case(made, "torque-ramp").loads[0].torque == find_case(before, "torque-ramp").loads[0].torque


@pytest.mark.parametrize("path", ["loads.0.torque", "cases.rated.loads.0.torque"])
def test_a_campaign_or_study_varies_it_by_either_way(path):
    made = with_member(gw.load("grc-750kw"), "rated", "one", {path: TORQUE})
    assert torque(made, "one") == 1000.0 and torque(made, "rated") == pytest.approx(322.627986e3)


def test_without_a_case_the_first_one_is_meant():
    assert gw.load("nrel-5mw-two-mass", ["duration=7 s"]).cases[0].duration == 7.0


@pytest.mark.parametrize("path", ["shafts.joint.torsional_stiffness", "shafts.0.torsional_stiffness"])
@pytest.mark.parametrize(
    "values", [{"shafts.joint.torsional_stiffness": 2e6}, {"shafts.0": {"torsional_stiffness": 2e6}}]
)
def test_the_word_of_the_user_wins_over_what_a_case_sets(path, values):
    """However both spell the place, and whether the case sets the value or all around it; what else the case sets stays."""
    joint = {"name": "joint", "between": ["a", "b"], "torsional_stiffness": 1e6}
    whole = {key: {**joint, **value} if isinstance(value, dict) else value for key, value in values.items()}
    source = {
        "name": "two",
        "bodies": [{"name": "a", "inertia": 1.0}, {"name": "b", "inertia": 1.0}],
        "shafts": [joint],
        "cases": [{"name": "stiff", "duration": 1.0, "set": {**whole, "bodies.b.inertia": 3.0}}],
    }
    assert with_case(gw.load(source), "stiff").shafts[0].torsional_stiffness == 2e6
    changed = with_case(gw.load(source, [f"{path}=5e6 N m/rad"]), "stiff")
    assert changed.shafts[0].torsional_stiffness == 5e6 and changed.bodies[1].inertia == [3.0]
    one_by_one = with_case(gw.load(gw.load(source), {path: 5e6}), "stiff")
    assert one_by_one.shafts[0].torsional_stiffness == 5e6


def test_what_a_case_takes_over_from_its_base_can_be_set_in_it():
    """The stop has its wind from `normal`, which keeps its own."""
    made = gw.load("nrel-5mw", ["wind.mean=20 m/s"], "normal-stop")
    assert find_case(made, "normal-stop").wind.mean == 20.0 and find_case(made, "normal").wind.mean == 17.0
    assert find_case(made, "normal-stop").duration == find_case(gw.load("nrel-5mw"), "normal-stop").duration


def test_a_path_of_a_case_means_the_case_of_a_campaign():
    plan = campaign_plan("nrel-5mw", "lvrt", overrides=["duration=12 s", "discard=0 s"], only=["*-9.4ms-seed1"])
    member = plan.member(next(iter(plan.items)))
    assert find_case(member, next(iter(plan.items))).duration == 12.0
    assert find_case(gw.load("nrel-5mw", ["wind.seed=3"], "lvrt-quebec-25ms-seed1"), "lvrt-linear").wind.seed == 3


def test_a_study_takes_paths_of_the_file_for_its_case(tmp_path):
    study = tmp_path / "s.yaml"
    study.write_text(
        "name: s\ndrivetrain: nrel-5mw-two-mass\nset: {discard: 0 s}\nmethod: grid\nvary:\n"
        "  duration: {values: [1 s, 2 s]}\noutputs: [main.torque.max]\n"
    )
    plan = study_plan(study)
    found = [find_case(plan.member(i), i).duration for i in plan.items]
    study.write_text(
        study.read_text().replace("  duration:", f"  cases.{gw.load('nrel-5mw-two-mass').cases[0].name}.duration:")
    )
    other = study_plan(study)
    assert found == [1.0, 2.0] == [find_case(other.member(i), i).duration for i in other.items]


def test_a_python_run_takes_them_too(tmp_path):
    run = gw.simulate("nrel-5mw-two-mass", overrides=["duration=0.3 s", "discard=0 s"], output=tmp_path / "r.nc")
    assert run.duration_s == pytest.approx(0.3)
