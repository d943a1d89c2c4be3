"""B8, B9: the folder of a campaign has one owner at a time, and what is damaged in it is computed again or named."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import gearwright
from gearwright import progress
from gearwright.campaigns import CampaignError, Folder, campaign_plan, read_table, run_campaign
from gearwright.campaigns import owner as owners
from gearwright.campaigns.owner import owned
from gearwright.campaigns.table import write_table
from gearwright.parts import machine


@pytest.fixture(scope="module")
def whole(quick, tmp_path_factory):
    """A finished campaign of two runs."""
    folder = tmp_path_factory.mktemp("whole") / "steps"
    run_campaign(campaign_plan(quick, only=["steps-1*"]), folder)
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "steps"))


@pytest.fixture
def plan(quick):
    return campaign_plan(quick, only=["steps-1*"])


@pytest.fixture
def said(monkeypatch):
    heard = []
    monkeypatch.setattr(progress, "teller", heard.append)
    return heard


# --- one owner -----------------------------------------------------------------------------------------------------

#: owns a folder and says so, until it is told to end
HOLD = """
import sys
from pathlib import Path
from gearwright.campaigns.owner import owned
with owned(Path(sys.argv[1])):
    print("mine", flush=True)
    sys.stdin.readline()
"""


def hold(folder):
    env = {**os.environ, "PYTHONPATH": str(Path(gearwright.__file__).parents[1])}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    )
    assert process.stdout.readline() == b"mine\n"
    return process


def test_the_second_driver_says_who_the_owner_is_and_leaves(folder, plan):
    (folder / "results" / ".unfinished.1@elsewhere.part").touch()
    process = hold(folder)
    with pytest.raises(CampaignError, match=rf"process {process.pid} on {machine()}, since \d+ s"):
        run_campaign(plan, folder)
    assert (folder / "results" / ".unfinished.1@elsewhere.part").is_file()  # nothing of the owner was touched
    process.communicate(b"\n")
    assert run_campaign(plan, folder).done == 2


def test_a_driver_in_the_same_process_is_a_second_one_too(folder, plan):
    with owned(folder), pytest.raises(CampaignError, match="being worked on"):
        run_campaign(plan, folder)
    assert run_campaign(plan, folder).done == 2


def test_one_that_waits_goes_on_when_the_owner_has_ended(folder, plan, said, monkeypatch):
    monkeypatch.setattr(owners, "LOOK", 0.05)
    process = hold(folder)
    done = []
    waiting = threading.Thread(target=lambda: done.append(run_campaign(plan, folder, wait=True)))
    waiting.start()
    while not said:
        time.sleep(0.01)
    assert "waiting for its end" in said[0] and not done
    process.communicate(b"\n")
    waiting.join(60)
    assert done[0].done == 2 and len(said) == 1


def test_the_folder_of_a_killed_owner_is_taken_over_and_that_is_said(folder, plan, said):
    process = hold(folder)
    process.kill()
    process.wait()
    assert run_campaign(plan, folder).done == 2
    assert f"process {process.pid} on {machine()}" in said[0] and "taken over" in said[0]
    said.clear()
    assert run_campaign(plan, folder).done == 2 and not said  # it ended well: nothing is left to say


def test_an_owner_on_another_machine_lives_as_long_as_it_touches_its_file(folder, plan, said):
    """Where locks do not reach (a shared disk) the age of the last touch tells."""
    place = folder / ".owner"
    place.write_text(json.dumps({"host": "node7", "process": 1, "begun": time.time() - 7000}))
    with pytest.raises(CampaignError, match="process 1 on node7, since 117 min"):
        run_campaign(plan, folder)
    os.utime(place, (time.time() - 200,) * 2)
    assert run_campaign(plan, folder).done == 2
    assert "node7" in said[0] and "taken over" in said[0]


def test_without_locks_the_process_tells(folder, plan, said, monkeypatch):
    monkeypatch.setattr(owners, "_lock", lambda file: None)
    process = hold(folder)
    with pytest.raises(CampaignError, match=f"process {process.pid}"):
        run_campaign(plan, folder)
    process.kill()
    process.wait()
    assert run_campaign(plan, folder).done == 2


# --- damage --------------------------------------------------------------------------------------------------------


def _cut(text):
    return text[: len(text) // 2]


def _larger(text):
    """Another maximum than the run had: still JSON, still a number."""
    line = json.loads(text)
    line["channels"]["main.torque"]["max"] *= 2
    return json.dumps(line)


def _of_another(text):
    return text.replace("steps-1MNm-soft", "steps-1MNm-hard")


@pytest.mark.parametrize(
    "damage", [_cut, _larger, _of_another, lambda t: "", lambda t: "[]", lambda t: "NaN", lambda t: "[" * 9999]
)
def test_a_damaged_line_is_named_by_readers_and_computed_again_by_the_campaign(folder, plan, said, damage):
    line = folder / "lines" / "steps-1MNm-soft.json"
    sound = json.loads(line.read_text())
    line.write_text(damage(line.read_text()))
    with pytest.raises(CampaignError, match=r"steps-1MNm-soft\.json is damaged .*run the campaign again"):
        list(Folder(folder).finished(plan))
    outcome = run_campaign(plan, folder)
    assert (outcome.computed, outcome.done) == (1, 2)
    assert "steps-1MNm-soft" in said[0]
    assert json.loads(line.read_text())["numbers"] == sound["numbers"]  # the run is the one it was


def test_a_damaged_result_is_computed_again(folder, plan):
    result = folder / "results" / "steps-1MNm-hard.nc"
    content = bytearray(result.read_bytes())
    content[len(content) // 2] ^= 1
    result.write_bytes(content)
    assert run_campaign(plan, folder).computed == 1


@pytest.mark.parametrize("key", ["fingerprint", "plan", "layout"])
def test_a_plan_that_lost_something_is_one_message(folder, plan, key):
    manifest = folder / "campaign.json"
    facts = json.loads(manifest.read_text())
    del facts[key]
    manifest.write_text(json.dumps(facts))
    for use in (lambda: Folder(folder).plan(), lambda: run_campaign(plan, folder)):
        with pytest.raises(CampaignError, match=r"campaign\.json"):
            use()


def test_a_plan_that_was_altered_is_not_believed(folder, plan):
    """Its runs were made for other values."""
    manifest = folder / "campaign.json"
    manifest.write_text(manifest.read_text().replace("1 MN m", "9 MN m"))
    with pytest.raises(CampaignError, match="fingerprint"):
        Folder(folder).plan()


def test_the_plan_read_is_the_plan_written(folder, plan):
    assert Folder(folder).plan().fingerprint == plan.fingerprint


def test_the_table_is_read_as_it_was_written(folder, plan):
    """Beside it pyarrow, where it is, writes the same with types: every value and every kind of value agree."""
    from pyarrow import parquet

    beside = parquet.read_table(folder / "table.parquet").to_pydict()
    table = read_table(folder)
    assert table == beside
    assert [[type(v) for v in column] for column in table.values()] == [[type(v) for v in column] for column in beside.values()]  # fmt: skip


def test_a_campaign_needs_no_pyarrow(folder, plan, monkeypatch):
    """Its table is the same; a Parquet table of former runs does not stay beside it."""
    before = (folder / "table.csv").read_bytes()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert write_table(Folder(folder), plan) == folder / "table.csv"
    assert (folder / "table.csv").read_bytes() == before and not (folder / "table.parquet").exists()


def test_damaged_table_and_note_of_a_failure_are_named(folder, plan):
    for damaged in (b"", b"not a table\n1", b"id,a\nx,1\ny", b"id,a\n\xff\xfe,1"):
        (folder / "table.csv").write_bytes(damaged)
        with pytest.raises(CampaignError, match=r"table\.csv is damaged"):
            read_table(folder)
    (folder / "lines" / "steps-1MNm-soft.json").unlink()
    (folder / "failed" / "steps-1MNm-soft.json").write_text("{")
    (failure,) = Folder(folder).failures(plan)
    assert failure["id"] == "steps-1MNm-soft" and "damaged" in failure["error"]


def test_the_campaign_fleet_of_any_set_up_varies_weather_and_operation_independently():
    """192 points in the whole of their ranges, hardly correlated, the first ones those of a longer plan."""
    plan = campaign_plan("fleet", setup="nrel-5mw-medium-speed")
    assert len(plan.items) == 192 and plan.options.fidelity == "torsional"
    paths = ["wind.mean", "wind.shear", "turbine.rotor.air_density"]
    values = np.array([[float(str(item[p]).split()[0]) for p in paths] for item in plan.items.values()])
    deviation = np.array([float(str(item["wind.deviation"]).split()[0]) for item in plan.items.values()])
    columns = np.column_stack([values, deviation / (0.75 * values[:, 0] + 5.6)])
    assert np.abs(np.corrcoef(columns.T) - np.eye(4)).max() < 0.1
    assert np.ptp(values, axis=0) == pytest.approx([21.0, 0.35, 0.32], rel=0.05)
    curtailed = sum(float(str(i["turbine.controller.rated_power"]).split()[0]) < 5.05e6 for i in plan.items.values())
    assert curtailed == pytest.approx(0.3 * 192, abs=6)
    assert campaign_plan("fleet", only=["fleet-0001"]).items.keys() == {"fleet-0001"}
