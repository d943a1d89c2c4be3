"""A campaign: ids, values, one result and one row per case, resumed, failures apart, the same however it ran."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from gearwright.campaigns import CampaignError, Folder, campaign_plan, extremes, read_table, run_campaign
from gearwright.errors import DrivetrainError, RunError
from gearwright.running.run import simulate
from gearwright.schema.case_lookup import find_case, with_case
from gearwright.train.open import load

COMMAND = [sys.executable, "-m", "gearwright", "campaign"]


def _numbers(folder):
    return {p.stem: json.loads(p.read_text())["numbers"] for p in (folder / "lines").glob("*.json")}


@pytest.fixture(scope="module")
def done(quick, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out") / "steps"
    plan = campaign_plan(quick)
    return plan, folder, run_campaign(plan, folder)


def test_ids_follow_the_grid_and_name_cases(quick):
    plan = campaign_plan(quick)
    assert list(plan.items) == [f"steps-{m}MNm-{d}" for m in (1, 2, 4) for d in ("soft", "hard")]
    drivetrain = load(quick)
    case = find_case(drivetrain, "steps-4MNm-soft")
    assert case.duration == 5.0 and case.loads[0].torque.step.to == 4e6
    assert with_case(drivetrain, "steps-4MNm-soft").shafts[0].damping.value == 3e6


def test_loads_are_those_of_two_masses_under_a_step(done):
    """Undamped, a step T on the rotor twists the shaft by T J2 / (J1 + J2) (1 - cos w t): damping lowers the peak
    to 1 + exp(-pi zeta / sqrt(1 - zeta^2)) times the mean."""
    plan, folder, outcome = done
    assert (outcome.cases, outcome.done, outcome.computed, outcome.failed) == (6, 6, 6, {})
    table = read_table(folder)
    assert table["id"] == list(plan.items)
    assert table["loads.0.torque.step.to"] == [1e6, 1e6, 2e6, 2e6, 4e6, 4e6]
    reduced = 1.0 / (1 / 4e7 + 1 / 5e6)
    for torque, damping, peak in zip(
        table["loads.0.torque.step.to"], table["shafts.main.damping"], table["main.torque|max"], strict=True
    ):
        zeta = damping / (2 * math.sqrt(8.7e8 * reduced))
        # the torque of spring and damper together overshoots a little more than the twist
        t = np.linspace(0, 3, 30001)
        w = math.sqrt(8.7e8 / reduced)
        wd = w * math.sqrt(1 - zeta**2)
        decay = np.exp(-zeta * w * t)
        twist = 1 - decay * (np.cos(wd * t) + zeta * w / wd * np.sin(wd * t))
        rate = decay * w**2 / wd * np.sin(wd * t)
        shape = twist + damping / 8.7e8 * rate
        # samples every 10 ms meet the peak of a 2.2 Hz swing to (pi 2.2 0.01)^2 / 2
        assert peak == pytest.approx(torque / 9 * shape.max(), rel=3e-3)


def test_extremes_are_grouped_and_factored(done):
    plan, folder, _ = done
    rows = [r for r in extremes(Folder(folder), plan) if r["channel"] == "main.torque"]
    table = read_table(folder)
    assert [r["runs"] for r in rows] == [1] * 6
    assert [r["max"] for r in rows] == table["main.torque|max"]
    assert all(r["design"] == pytest.approx(1.35 * max(abs(r["max"]), abs(r["min"]))) for r in rows)


def test_seeds_are_one_group(quick):
    text = quick.read_text().replace("loads.0.torque.step.to: [1 MN m, 2 MN m, 4 MN m]", "wind.seed: [1, 2, 3]")
    plan = campaign_plan(_write(quick, "seeds.yaml", text))
    assert plan.group == ["shafts.main.damping"]
    assert list(plan.items)[0] == "steps-seed1-soft"


def _write(quick, name, text):
    path = quick.parent / name
    path.write_text(text)
    return path


def test_processes_give_the_same_bits_in_any_order(done, tmp_path):
    plan, folder, _ = done
    run_campaign(plan, tmp_path / "two", jobs=2)
    assert _numbers(tmp_path / "two") == _numbers(folder)
    assert (tmp_path / "two" / "table.csv").read_bytes() == (folder / "table.csv").read_bytes()


def test_goes_on_where_results_are_missing_or_damaged(quick, tmp_path):
    plan = campaign_plan(quick, only=["*-1MNm-*", "*-2MNm-soft"])
    folder = tmp_path / "out"
    run_campaign(plan, folder)
    table = (folder / "table.csv").read_bytes()
    (folder / "lines" / "steps-1MNm-soft.json").unlink()
    broken = folder / "results" / "steps-2MNm-soft.nc"
    broken.write_bytes(broken.read_bytes()[:-100])
    seen = []
    outcome = run_campaign(plan, folder, progress=lambda *a: seen.append(a[3]["id"]))
    assert sorted(seen) == ["steps-1MNm-soft", "steps-2MNm-soft"] and outcome.computed == 2
    assert (folder / "table.csv").read_bytes() == table


def test_a_failed_case_is_kept_apart_and_tried_again(quick, tmp_path, monkeypatch):
    plan = campaign_plan(quick, only=["*-soft"])
    right = simulate

    def one_fails(drivetrain, case, **options):
        if case == "steps-2MNm-soft":
            raise RunError("the run diverged: row main at 2.1 s", None)
        return right(drivetrain, case, **options)

    monkeypatch.setattr("gearwright.campaigns.work.simulate", one_fails)
    outcome = run_campaign(plan, tmp_path / "out")
    assert outcome.failed == {"steps-2MNm-soft": "the run diverged: row main at 2.1 s"} and outcome.done == 2
    assert read_table(tmp_path / "out")["id"] == ["steps-1MNm-soft", "steps-4MNm-soft"]
    monkeypatch.setattr("gearwright.campaigns.work.simulate", right)
    outcome = run_campaign(plan, tmp_path / "out")
    assert not outcome.failed and outcome.computed == 1 and not list((tmp_path / "out" / "failed").iterdir())


def test_messages(quick, tmp_path):
    text = quick.read_text()
    with pytest.raises(DrivetrainError, match=r"shafts.main.dampingg.*[Dd]id you mean 'damping'"):
        campaign_plan(_write(quick, "a.yaml", text.replace("shafts.main.damping:", "shafts.main.dampingg:")))
    with pytest.raises(DrivetrainError, match="the grid has no values for"):
        campaign_plan(_write(quick, "b.yaml", text.replace("[1 MN m, 2 MN m, 4 MN m]", "[]")))
    with pytest.raises(DrivetrainError, match="a torque"):
        campaign_plan(_write(quick, "c.yaml", text.replace("4 MN m]", "4 kg]")))
    with pytest.raises(DrivetrainError, match="unknown campaign.*steps"):
        campaign_plan(quick, "step")
    with pytest.raises(DrivetrainError, match="matches nothing-.*ids are like steps-1MNm-soft"):
        campaign_plan(quick, only=["nothing-*"])
    (tmp_path / "mine.txt").write_text("thesis")
    with pytest.raises(CampaignError, match="holds other files"):
        run_campaign(campaign_plan(quick), tmp_path)
    with pytest.raises(CampaignError, match="is not the folder of a campaign"):
        Folder(tmp_path).plan()


def test_another_campaign_in_the_folder_is_refused(done, quick):
    _, folder, _ = done
    other = campaign_plan(quick, overrides=["shafts.main.torsional_stiffness=9e8 N m/rad"])
    with pytest.raises(CampaignError, match="other values, options or overrides"):
        run_campaign(other, folder)


def test_a_full_disk_stops_the_campaign_with_one_message(quick, tmp_path, monkeypatch):
    import errno

    def full(*args, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("gearwright.campaigns.work.simulate", full)
    with pytest.raises(CampaignError, match=r"No space left on device; what is finished stays"):
        run_campaign(campaign_plan(quick, only=["*-soft"]), tmp_path / "out")


@pytest.mark.parametrize("times", [2, pytest.param(8, marks=pytest.mark.long)])
def test_killed_at_random_moments_it_loses_nothing(done, quick, tmp_path, times):
    """kill -9 of the driver, again and again; then one call finishes, and everything is as if nothing had been."""
    plan, folder, _ = done
    out, rng = tmp_path / "out", random.Random(5)
    for _ in range(times):
        process = subprocess.Popen([*COMMAND, str(quick), "-o", str(out), "--jobs", "2"], start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        time.sleep(rng.uniform(1.5, 5.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for line in (out / "lines").glob("[!.]*.json") if out.is_dir() else ():
            json.loads(line.read_text())  # whole, or not there
    end = subprocess.run(
        [*COMMAND, str(quick), "-o", str(out), "--jobs", "2", "--json"], capture_output=True, check=True
    )
    data = json.loads(end.stdout)
    assert data["done"] == data["cases"] == 6 and data["failed"] == {}
    assert _numbers(out) == _numbers(folder)
    assert sorted(p.name for p in (out / "results").iterdir()) == sorted(f"{i}.nc" for i in plan.items)


def test_the_page_of_a_campaign(done, quick, tmp_path):
    _, folder, _ = done
    end = subprocess.run([sys.executable, "-m", "gearwright", "report", str(folder), "-o", str(tmp_path / "a.html")],
                         capture_output=True, check=True)  # fmt: skip
    assert b"a.html" in end.stdout
    page = (tmp_path / "a.html").read_text()
    table = read_table(folder)
    largest = max(table["main.torque|max"])
    assert f"{largest / 1e3:.1f}" in page and "steps-4MNm-soft" in page and "nothing can be said about scatter" in page
