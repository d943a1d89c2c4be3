"""What is assumed, noted and warned of stands in one list each: in the result, on the terminal, as JSON, on the page."""

import json
import re

import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.cli import app
from gearwright.remarks import Remark, assumed, gathered, remark_lines, remarks_in, sorted_remarks, warning, with_lists

LISTS = ("assumed", "notes", "warnings")


def test_each_sentence_is_said_once_and_an_assumption_is_no_warning() -> None:
    said = sorted_remarks(["a", assumed("b"), warning("c"), "a", "b", assumed("b")])
    assert said == {"assumed": ["b"], "notes": ["a"], "warnings": ["c"]}
    assert remark_lines([warning("c"), "a", assumed("b")]) == ["assumed: b", "note: a", "warning: c"]


def test_what_is_said_alike_of_several_parts_is_said_once() -> None:
    said = [
        assumed("a.planet1: steel"),
        assumed("a.planet2: steel"),
        assumed("steel"),
        assumed("no load: none"),
        assumed("b: iron"),
    ]
    assert remark_lines(said) == [
        "assumed: a.planet1, a.planet2: steel",
        "assumed: steel",
        "assumed: no load: none",
        "assumed: b: iron",
    ]
    assert len(sorted_remarks(said)["assumed"]) == 5


@pytest.mark.parametrize("old", [{}, {"notes": '["a"]'}, {"notes": "a"}, {"notes": ["a"]}, {"notes": '["damaged'}])
def test_results_of_older_versions_have_the_lists_too(old: dict) -> None:
    made = with_lists(old)
    assert [made["assumed"], made["warnings"]] == [[], []] and len(made["notes"]) == len(old)
    assert with_lists(made) == made


def test_remarks_keep_their_list_on_the_way_to_another_process() -> None:
    import pickle

    there = pickle.loads(pickle.dumps(assumed("b")))
    assert there == "b" and there.kind == "assumed" and isinstance(there, Remark)
    assert sorted_remarks(remarks_in({"notes": [assumed("b")]}))["assumed"] == ["b"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("remarks")
    return gw.simulate("spur-pair-hertz", duration=0.02, output=place / "r.nc"), place


def test_a_run_its_result_its_page_and_the_terminal_say_the_same(run) -> None:
    done, place = run
    with gw.Result.open(done.result_file) as result:
        assert [result.assumed, result.notes, result.warnings] == [done.assumed, done.notes, done.warnings]
        assert all(isinstance(result.attributes[name], str) for name in LISTS)  # JSON, as the lists before
    assert any("azimuth 0 deg" in sentence for sentence in done.assumed)
    runner = CliRunner()
    given = ["run", "spur-pair-hertz", "--duration", "0.02", "-o", str(place / "again.nc")]
    told = json.loads(runner.invoke(app, [*given, "--json"]).stdout)
    assert {name: told[name] for name in LISTS} == {name: getattr(done, name) for name in LISTS}
    lines = runner.invoke(app, given).stdout
    for word, name in (("assumed", "assumed"), ("note", "notes"), ("warning", "warnings")):
        assert re.findall(rf"^{word}: (.*)$", lines, re.M) == gathered(getattr(done, name))
    from html import unescape

    page = unescape(gw.write_report(done.result_file, place / "r.html").read_text(encoding="utf-8"))
    body = page[: page.index('<script type="application/gzip"')]
    for name in LISTS:
        for sentence in gathered(getattr(done, name)):
            assert body.count(f"<li>{sentence}</li>") == 1, sentence
    assert "<h3>Assumed</h3>" in body


FIGURES = {
    "describe": ["describe", "nrel-5mw-gallego"],
    "modes": ["modes", "nrel-5mw-two-mass"],
    "modes of a mechanism": ["modes", "slider-crank"],
    "run of a mechanism": ["run", "slider-crank", "--duration", "0.05", "-o", "r.nc"],
    "run of a set-up": ["run", "nrel-5mw-ideal", "--duration", "0.1", "--set", "discard=0 s", "-o", "r.nc"],
    "powerflow": ["powerflow", "grc-750kw"],
    "gear": ["gear", "grc-750kw", "--stage", "stage2"],
    "stiffness": ["stiffness", "spur-pair-hertz", "--method", "iso6336"],
    "life": ["life", "r.nc"],
    "bearing": ["bearing", "BEARING.yaml"],
    "view": ["view", "grc-750kw", "-o", "v.html"],
}
BEARING = """
name: main
bearing: {type: deep_groove, bore: 30 mm, outside_diameter: 62 mm, width: 16 mm}
load: {radial: 2 kN, speed: 1000 rpm}
"""


@pytest.mark.parametrize("given", FIGURES.values(), ids=FIGURES)
def test_every_command_that_prints_figures_has_the_three_lists(given, run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "BEARING.yaml").write_text(BEARING)
    if given[0] == "life":
        given = ["life", str(run[0].result_file)]
    told = CliRunner().invoke(app, [*given, "--json"])
    assert told.exit_code == 0, told.output
    data = json.loads(told.stdout)
    assert all(isinstance(data[name], list) for name in LISTS)
    assert not set(data["assumed"]) & set(data["warnings"])


def test_a_pair_without_a_hunting_tooth_is_a_note() -> None:
    """88 and 22 teeth share the divisor 22: true of many sound gearboxes, so nothing is likely wrong."""
    told = json.loads(CliRunner().invoke(app, ["describe", "grc-750kw", "--json"]).stdout)
    assert any("no hunting tooth, 88 and 22" in note for note in told["notes"])
    assert not any("hunting" in sentence for sentence in (*told["warnings"], *told["assumed"]))
