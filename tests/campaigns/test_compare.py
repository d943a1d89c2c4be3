"""Loads side by side: two results, two campaigns, and planet bearings against the kinematic estimate."""

import json
import subprocess
import sys

import numpy as np
import pytest

import gearwright as gw
from gearwright.campaigns import CampaignError, campaign_plan, run_campaign
from gearwright.campaigns.comparison import compare


@pytest.fixture(scope="module")
def folders(quick, tmp_path_factory):
    place = tmp_path_factory.mktemp("compare")
    for name, stiffness in (("a", "8.7e8 N m/rad"), ("b", "4.35e8 N m/rad")):
        plan = campaign_plan(quick, overrides=[f"shafts.main.torsional_stiffness={stiffness}"], only=["*-hard"])
        run_campaign(plan, place / name)
    return place / "a", place / "b"


def test_campaigns_are_matched_group_by_group(folders):
    """The twist is proportional to the torque in every group: one ratio for all of them."""
    _, _, rows = compare(*folders)
    peaks = [r for r in rows if r.first_channel == "main.torque" and r.figure == "max"]
    assert [r.group["loads.0.torque.step.to"] for r in peaks] == ["1 MN m", "2 MN m", "4 MN m"]
    assert np.ptp([r.ratio for r in peaks]) < 1e-6
    assert [r.first for r in peaks] == pytest.approx([peaks[0].first, 2 * peaks[0].first, 4 * peaks[0].first], rel=1e-6)


def test_planet_bearings_against_the_kinematic_estimate(tmp_path):
    """In the mean T / (N r_c) holds exactly (S1 eq. 4.4, confirmed by its digest to 1e-12)."""
    run = gw.simulate(
        "nrel-5mw-gallego", "recorded-18ms", overrides=["discard=2 s"], duration=20.0, output=tmp_path / "a.nc"
    )
    estimate = "stage1.planet_bearing_kinematic.force"
    torque, force = run.channels["main.torque"]["mean"], run.channels[estimate]["mean"]
    train = gw.load("nrel-5mw-gallego")
    from gearwright.train.expand import expand

    radius = expand(train).bodies["stage1.planet1"].pin_radius
    assert force == pytest.approx(abs(torque) / (3 * radius), rel=1e-9)
    _, _, rows = compare(run.result_file, None, ["stage1.planet?_bearing.force"], against=estimate)
    means = [r for r in rows if r.figure == "mean"]
    # the estimate leaves out what accelerates the carrier and the planets
    assert len(means) == 3 and all(r.ratio == pytest.approx(1.0, abs=2e-3) for r in means)


def test_planet_bearings_against_a_torque_over_its_arm(tmp_path):
    """T / (N r_c) by hand is the estimate that the run itself counts: the same source, channel for channel."""
    run = gw.simulate(
        "nrel-5mw-gallego", "recorded-18ms", overrides=["discard=0 s"], duration=5.0, output=tmp_path / "a.nc"
    )
    names = ["stage1.planet?_bearing.force"]
    _, _, counted = compare(run.result_file, None, names, against="stage1.planet_bearing_kinematic.force")
    _, _, by_hand = compare(run.result_file, None, names, against="main.torque", arm=3 * 0.79524)
    assert [(r.figure, r.unit) for r in by_hand] == [(r.figure, r.unit) for r in counted]
    assert [r.first for r in by_hand] == pytest.approx([r.first for r in counted], rel=1e-9)
    with pytest.raises(CampaignError, match="main.torque is a torque and .* a force: give --arm"):
        compare(run.result_file, None, names, against="main.torque")
    with pytest.raises(CampaignError, match="not to be compared"):
        compare(run.result_file, None, names, against="generator.speed", arm=1.0)
    with pytest.raises(CampaignError, match="positive length"):
        compare(run.result_file, None, names, against="main.torque", arm=-1.0)


def test_command_and_page(folders, tmp_path):
    command = [sys.executable, "-m", "gearwright", "compare", *map(str, folders)]
    end = subprocess.run([*command, "--json", "-o", str(tmp_path / "page.html")], capture_output=True, check=True)
    rows = json.loads(end.stdout)
    assert {r["figure"] for r in rows} == {"mean", "std", "max", "del_4"}
    page = (tmp_path / "page.html").read_text()
    assert "Over the groups of runs" in page and "main.torque" in page


def test_round_off_has_no_ratio(tmp_path):
    """A steady run: means have ratios of one, standard deviations and balanced bearings are round-off and have none."""
    for fidelity in ("torsional", "planar"):
        gw.simulate("nrel-5mw-medium-speed-gearbox", "rated", duration=1.0, fidelity=fidelity,
                    output=tmp_path / f"{fidelity}.nc")  # fmt: skip
    _, _, rows = compare(tmp_path / "torsional.nc", tmp_path / "planar.nc")
    by = {(r.first_channel, r.figure): r.ratio for r in rows}
    assert by["stage2.mesh.force", "mean"] == pytest.approx(1.0, abs=1e-6)
    assert np.isnan(by["stage2.mesh.force", "std"]) and np.isnan(by["stage1.sun_bearing.force", "mean"])


def test_messages(folders, tmp_path):
    with pytest.raises(CampaignError, match="no channel 'main.torqe'.*Did you mean 'main.torque'"):
        compare(*folders, ["main.torqe"])
    with pytest.raises(CampaignError, match="needs two sources"):
        compare(folders[0])
    with pytest.raises(CampaignError, match="--against needs --channel"):
        compare(folders[0], against="main.torque")
    with pytest.raises(CampaignError, match="not the folder of a campaign"):
        compare(folders[0], tmp_path)
