"""The same campaign on a real Dask cluster on loopback: workers lost in the middle, results sent back, Slurm scripts."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gearwright
from gearwright.campaigns import CampaignError, campaign_plan, run_campaign
from gearwright.campaigns.dask_workers import DaskWorkers, connect, slurm_cluster

distributed = pytest.importorskip("distributed")


def _numbers(folder):
    return {p.stem: json.loads(p.read_text())["numbers"] for p in (folder / "lines").glob("*.json")}


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as made:
        yield made


@pytest.fixture(scope="module")
def local(quick, tmp_path_factory):
    folder = tmp_path_factory.mktemp("local") / "out"
    run_campaign(campaign_plan(quick), folder)
    return folder


def test_workers_killed_in_the_middle(cluster, quick, local, tmp_path):
    """All cases there, each once, bit for bit as of a local run."""
    victims, seen = [], []

    def kill(finished, of, failed, line):
        seen.append(line["id"])
        if len(victims) < 2:
            pids = [w.pid for w in cluster.workers.values() if w.pid not in (None, *victims)]
            os.kill(pids[0], signal.SIGKILL)
            victims.append(pids[0])

    with distributed.Client(cluster) as client:
        outcome = run_campaign(campaign_plan(quick), tmp_path / "out", workers=DaskWorkers(client), progress=kill)
    assert len(victims) == 2 and outcome.failed == {}
    assert sorted(seen) == sorted(campaign_plan(quick).items)
    assert _numbers(tmp_path / "out") == _numbers(local)
    assert (tmp_path / "out" / "table.csv").read_bytes() == (local / "table.csv").read_bytes()


def test_all_workers_lost_at_once(cluster, quick, local, tmp_path):
    """No worker is left that holds the plan: the scheduler gives the runs to the workers that start anew."""
    victims = []

    def kill(finished, of, failed, line):
        if not victims:
            victims.extend(w.pid for w in cluster.workers.values() if w.pid is not None)
            for pid in victims:
                os.kill(pid, signal.SIGKILL)

    with distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        outcome = run_campaign(campaign_plan(quick), tmp_path / "out", workers=DaskWorkers(client), progress=kill)
    assert len(victims) == 2 and outcome.failed == {}
    assert _numbers(tmp_path / "out") == _numbers(local)


def test_results_come_back_on_request(cluster, quick, local, tmp_path):
    plan = campaign_plan(quick, only=["*-1MNm-*"])
    with connect(cluster.scheduler_address, return_results=True) as workers:
        run_campaign(plan, tmp_path / "out", workers=workers)
    names = sorted(p.name for p in (tmp_path / "out" / "results").iterdir())
    assert names == ["steps-1MNm-hard.nc", "steps-1MNm-soft.nc"]
    assert _numbers(tmp_path / "out").items() <= _numbers(local).items()


def test_messages(quick, tmp_path):
    with pytest.raises(CampaignError, match="no scheduler answers at tcp://127.0.0.1:9"), connect("tcp://127.0.0.1:9"):
        pass
    with pytest.raises(CampaignError, match="'cores' in 'cores' is not name=value"), slurm_cluster("cores"):
        pass
    with pytest.raises(CampaignError, match="coresss"), slurm_cluster("coresss=2"):
        pass


def test_a_cluster_without_workers_stops_with_a_message(quick, tmp_path):
    with (
        distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as empty,
        distributed.Client(empty) as client,
        pytest.raises(CampaignError, match="no workers"),
    ):
        run_campaign(campaign_plan(quick), tmp_path / "out", workers=DaskWorkers(client, patience=0.5))


def test_slurm_starts_its_workers_by_batch_scripts(quick, local, tmp_path, monkeypatch):
    """An `sbatch` that runs the script here and prints a job id, as Slurm does."""
    place = tmp_path / "bin"
    place.mkdir()
    for name, text in {
        "sbatch": '#!/bin/sh\ncp "$1" "$0.script"\nsetsid sh "$0.script" >"$0.log" 2>&1 &\necho $! >"$0.pid"\n'
        'echo "Submitted batch job 4711"\n',
        "scancel": f"#!/bin/sh\nkill -- -$(cat {place}/sbatch.pid)\n",
    }.items():
        (place / name).write_text(text)
        (place / name).chmod((place / name).stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    plan = campaign_plan(quick, only=["*-4MNm-soft"])
    options = f"jobs=1,cores=1,memory=1GB,walltime=00:10:00,queue=short,python={sys.executable},interface=lo"
    with slurm_cluster(options) as workers:
        run_campaign(plan, tmp_path / "out", workers=workers)
    assert _numbers(tmp_path / "out").items() <= _numbers(local).items()
    script = (place / "sbatch.script").read_text()
    assert "#SBATCH -p short" in script and "#SBATCH -t 00:10:00" in script


def test_a_scheduler_that_is_lost_is_one_message(quick, tmp_path):
    """B17: the message stood under the trace of another library."""
    long = tmp_path / "long.yaml"
    long.write_text(quick.read_text().replace("duration: 5 s", "duration: 3000 s"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    dask = [sys.executable, "-m", "distributed.cli."]
    words = ["--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard"]
    scheduler = subprocess.Popen([*dask[:-1], dask[-1] + "dask_scheduler", *words], **quiet)
    worker = subprocess.Popen([*dask[:-1], dask[-1] + "dask_worker", address, "--no-dashboard", "--no-nanny"], **quiet)
    try:
        for _ in range(600):
            with socket.socket() as there:
                if there.connect_ex(("127.0.0.1", int(address.rpartition(":")[2]))) == 0:
                    break
            time.sleep(0.1)
        command = [
            sys.executable,
            "-m",
            "gearwright",
            "campaign",
            "long.yaml",
            "-o",
            "out",
            "--scheduler",
            f"tcp://{address}",
        ]
        source = str(Path(gearwright.__file__).parents[1])
        run = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "PYTHONPATH": source})  # fmt: skip
        while not list((tmp_path / "out" / "lines").glob("*.json")) and run.poll() is None:
            time.sleep(0.05)
        scheduler.kill()
        _, said = run.communicate(timeout=100)
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    if run.returncode == 0:
        pytest.skip("the campaign was faster")
    assert run.returncode == 2
    assert said.startswith("gearwright: the scheduler is gone") and len(said.splitlines()) == 1, said
