"""Modes of a result: computed when a page asks, of the model that the run had."""

import json

import pytest

import gearwright as gw
from gearwright.analyses.modal import classify
from gearwright.analyses.modes_of_result import modal_of_result
from gearwright.running.prepare import prepare
from gearwright.solve.steady.modes import modes


@pytest.fixture(scope="module")
def steady(tmp_path_factory):
    path = tmp_path_factory.mktemp("modes") / "steady.nc"
    gw.simulate("nordtank-500kw-two-level", "steady", duration=0.5, output=path)
    with gw.Result.open(path) as result:
        attributes = dict(result.attributes)
    return path, attributes


def test_a_run_stores_none_and_its_page_has_them(steady, tmp_path):
    """The free train turns at 0 Hz; its planets have two modes of equal frequency, by the symmetry of three planets."""
    path, attributes = steady
    assert "modes_json" not in attributes and "campbell_json" not in attributes
    found = json.loads(modal_of_result(attributes)["modes_json"])
    assert found["frequencies_hz"][0] == 0.0
    planets = [f for f, kind in zip(found["frequencies_hz"], found["kinds"], strict=True) if kind == "planet"]
    assert len(planets) == 2 and planets[0] == pytest.approx(planets[1], rel=1e-9)
    html = gw.write_report(path, tmp_path / "a.html").read_text(encoding="utf-8")
    assert "The closest crossing" in html and 'id="table-modes"' in html and "holds no modes" not in html


def test_they_are_those_of_the_run_with_its_machines(steady):
    """The slope of the machine over speed damps the first elastic mode: less without the case."""
    _, attributes = steady
    found = json.loads(modal_of_result(attributes)["modes_json"])
    prepared = prepare(gw.load("nordtank-500kw-two-level"), "steady", duration=0.5)
    table = classify(modes(prepared.system), prepared.system, prepared.train)
    own, alone = table.modes, gw.modes("nordtank-500kw-two-level")
    assert found["frequencies_hz"] == own.frequencies_hz.tolist()
    assert found["damping_ratios"][1:] == own.damping_ratios[1:].tolist() and found["damping_ratios"][0] is None
    assert "note" not in found
    assert found["damping_ratios"][1] > 2.0 * alone.damping_ratios[1]


def test_stored_ones_are_kept_and_none_are_explained(steady):
    """Results of before have them in the file; a drivetrain that cannot be read has a reason."""
    _, attributes = steady
    assert modal_of_result({**attributes, "modes_json": "{}"}) == {}
    found = modal_of_result({**attributes, "drivetrain_json": "{"})
    assert set(found) == {"modes_problem"} and found["modes_problem"]
    assert modal_of_result({"fidelity": "multibody", "drivetrain_json": "{}"}) == {}
