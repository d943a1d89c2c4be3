"""Pages of campaigns with events, and of drivetrains compared over wind."""

import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.campaigns import Folder, Options, campaign_plan, extremes, run_campaign
from gearwright.cli import app
from gearwright.figures.markup import unpacked
from gearwright.pages.campaign_events import bearing_loads

DIPS = {
    "name": "short", "case": "short-dip", "use": "ultimate", "partial_factor": 1.35,
    "grid": {"events.0.code": ["quebec", "denmark"], "wind.mean": ["11.4 m/s"], "wind.seed": [1]},
}  # fmt: skip


def invoke(*words):
    result = CliRunner().invoke(app, [str(w) for w in words])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def dips(tmp_path_factory):
    raw = dict(gw.load("nrel-5mw").raw)
    case = {"name": "short-dip", "base": "lvrt", "duration": "16 s", "discard": "0 s",
            "events": [{"at": "4 s", "type": "grid_fault", "code": "quebec"}]}  # fmt: skip
    drivetrain = gw.load({**raw, "cases": [*raw["cases"], case], "campaigns": [DIPS]})
    folder = tmp_path_factory.mktemp("dips") / "out"
    run_campaign(campaign_plan(drivetrain), folder)
    return folder


def test_page_of_dips(dips, tmp_path):
    place = Folder(dips)
    loads = bearing_loads(extremes(place, place.plan()))
    by_code = {json.loads(k)["events.0.code"]: v for k, v in loads.items()}
    # S1 and the machines page: Quebec loads most
    assert by_code["quebec"]["planet"] > by_code["denmark"]["planet"] > 1.0e6
    invoke("report", dips, "-o", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    text += unpacked(text, "data")
    for words in ("Planet and pinion bearing forces by wind and event", "area over the voltage curve", "ringing of the first mode",
                  "short-quebec-11.4ms-seed1, which governs: stage1.planet"):  # fmt: skip
        assert words in text
    # the free-free mode rings after the dip
    found = re.search(r"the largest amplitude is \S+ kN at (\S+) Hz", text.replace("\u202f", ""))
    assert found and 1.2 < float(found[1]) < 2.1


def test_page_of_one_run(dips, tmp_path):
    invoke("report", dips / "results" / "short-quebec-11.4ms-seed1.nc", "-o", tmp_path / "run.html")
    assert "Through the event" in (tmp_path / "run.html").read_text()


def test_ideal_and_detailed_drivetrain(tmp_path):
    folders = []
    for setup in ("nrel-5mw-ideal", "nrel-5mw"):
        plan = campaign_plan("normal", setup=setup, only=["normal-*3ms-seed1"], overrides=["discard=0 s"],
                             options=Options(fidelity="torsional", duration=10.0))  # fmt: skip
        assert len(plan.items) == 2
        run_campaign(plan, tmp_path / setup)
        folders.append(tmp_path / setup)
    channels = ("--channel", "main.torque", "--channel", "turbine.tower_*_moment*")
    rows = json.loads(invoke("compare", *folders, *channels, "--json", "-o", tmp_path / "page.html"))
    means = {
        r["group"]["wind.mean"]: r["ratio"]
        for r in rows
        if r["first_channel"] == "main.torque" and r["figure"] == "mean"
    }
    # the same wind, rotor and controller: means agree, the shaft carries the same power
    assert len(means) == 2 and all(abs(v - 1.0) < 0.02 for v in means.values())
    assert "Mean, deviation and equivalent loads" in (tmp_path / "page.html").read_text()


def test_moments_are_those_of_the_hub_loads(tmp_path):
    # statics: a rigid tower carries thrust and hub moment; the shaft turns under the bending, whose size it keeps
    run = gw.simulate(
        gw.load("nrel-5mw-ideal", ["turbine.rotor.tower=false", "cases.normal.discard=0 s"]),
        "normal",
        duration=30.0,
        output=tmp_path / "r.nc",
    )
    with gw.Result.open(run.result_file) as result:
        x = {n: np.asarray(result.series(f"turbine.{n}"), float) for n in (
            "thrust", "hub_moment_y", "hub_moment_z", "tower_top_moment_y", "tower_base_moment_y", "shaft_bending_y", "shaft_bending_z")}  # fmt: skip
    height = 87.6  # of the tower; the hub stands at 90 m
    # stored series are filtered one by one, which is linear
    scale = np.abs(x["tower_base_moment_y"]).max()
    np.testing.assert_allclose(
        x["tower_base_moment_y"] - x["tower_top_moment_y"], height * x["thrust"], atol=1e-5 * scale
    )
    standing = np.hypot(x["hub_moment_y"], x["hub_moment_z"]).std()
    assert np.hypot(x["shaft_bending_y"], x["shaft_bending_z"]).std() == pytest.approx(standing, rel=0.05)
    # tilt, shear and tower give a moment that stands: the turning shaft feels it once a turn
    assert abs(x["shaft_bending_y"].mean()) < 0.2 * x["shaft_bending_y"].std()
