"""C36 and C57: a record that is not of this train, runs of other lengths, patterns of channels, whose power it is, signs."""

import csv
import json
import shutil

import numpy as np
import pytest
from typer.testing import CliRunner

import gearwright as gw
from gearwright.cli import app


def told(*given, code=0):
    done = CliRunner().invoke(app, list(map(str, given)))
    assert done.exit_code == code, done.output
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("loads")
    return gw.simulate(
        "nrel-5mw-gallego",
        "recorded-18ms",
        overrides=["discard=0 s"],
        duration=40,
        fidelity="torsional",
        output=place / "r.nc",
    )


# --- C36 ---------------------------------------------------------------------------------------------------------------


def record(path, factor):
    """Forty seconds of the shipped record; the rotor torque is mirrored about its mean by a factor of -1."""
    data = gw.read(
        gw.load("nrel-5mw-gallego").resolve("data/nrel-5mw-18ms.outb"), ["RotSpeed", "GenTq", "GenSpeed", "RotTorq"]
    )
    data = data.isel(time=slice(0, 401))
    torque = data["RotTorq"]
    data["RotTorq"] = (torque.mean() + factor * (torque - torque.mean())).assign_attrs(torque.attrs)
    return gw.write(data, path)


@pytest.mark.parametrize("factor", [1.0, -1.0])
def test_a_torque_that_the_computed_one_does_not_follow_is_warned_of(factor, tmp_path):
    """Mirrored about its mean a series has the same correlation with the other sign."""
    file = record(tmp_path / "record.csv", factor)
    data = json.loads(
        told("run", "nrel-5mw-gallego", "--loads", file, "--fidelity", "torsional", "-o", tmp_path / "r.nc", "--json")
    )
    assert factor * data["recorded_torque_correlation"] > 0.9
    doubts = [w for w in data["warnings"] if "does not follow the recorded 'RotTorq'" in w]
    assert len(doubts) == (factor < 0)
    with gw.Result.open(tmp_path / "r.nc") as result:
        assert [w for w in result.warnings if "does not follow" in w] == doubts
    if doubts:
        assert "a sign is turned" in doubts[0]


def test_the_limit_is_seven_tenths():
    """Two sines of the same frequency, a phase p apart, have the correlation cos p."""
    from gearwright.running.facts import _doubts, correlation

    t = np.arange(0.0, 100.0, 0.01)
    for phase, warns in ((np.arccos(0.72), False), (np.arccos(0.68), True)):
        one, other = np.sin(2 * np.pi * t), np.sin(2 * np.pi * t + phase)
        found = correlation(one, other)
        assert found == pytest.approx(np.cos(phase), abs=1e-3)
        wanted = type("Wanted", (), {"shaft": "main", "channel": "T"})
        assert bool(_doubts(wanted, found, one, other)) == warns
    assert np.isnan(correlation(np.ones(5), np.arange(5.0)))


# --- C57 ---------------------------------------------------------------------------------------------------------------


def test_patterns_of_channels_in_export_inspect_and_read(run, tmp_path):
    told("export", run.result_file, "--channel", "main.*", "--channel", "generator.torque", "-o", tmp_path / "x.csv")
    with open(tmp_path / "x.csv", newline="") as file:
        head = next(csv.reader(file))
    wanted = [name for name in run.channels if name.startswith("main.")] + ["generator.torque"]
    assert len(wanted) > 1 and [word.split(" [")[0].strip() for word in head[1:]] == wanted
    assert "main.torque" in told("inspect", run.result_file, "--channel", "main.t*")
    assert set(gw.read(run.result_file, ["stage?.mesh.force"]).data_vars) == {
        "stage2.mesh.force",
        "stage3.mesh.force",
    }
    assert (
        "no channel 'nothing.*'"
        in CliRunner().invoke(app, ["inspect", str(run.result_file), "--channel", "nothing.*"]).output
    )


def test_runs_of_very_different_lengths_are_not_compared_in_silence(tmp_path):
    short, long, same = (tmp_path / f"{name}.nc" for name in ("short", "long", "same"))
    for path, duration in ((short, 0.05), (long, 0.5), (same, 0.06)):
        gw.simulate("nrel-5mw-two-mass", duration=duration, output=path, overrides=["discard=0 s"])
    said = told("compare", short, long, "-o", tmp_path / "c.html")
    assert "warning: short counts 0.05 s a run and long 0.5 s" in said
    assert "counts 0.05 s a run" in (tmp_path / "c.html").read_text(encoding="utf-8")
    assert "warning" not in told("compare", short, same)


def test_steady_power_is_that_of_the_rotor_with_the_electrical_one_beside(tmp_path):
    """The turbine has 5 MW at its terminals; its generator has an efficiency of 94.4 % (NREL/TP-500-38060)."""
    rows = json.loads(told("turbine", "steady", "nrel-5mw", "--json"))
    rated = next(row for row in rows if row["wind"] == 15.0)
    assert rated["electrical_power"] == pytest.approx(5.0e6, rel=2e-3)
    assert rated["rotor_power"] == pytest.approx(5.0e6 / 0.944, rel=2e-3)
    assert "rotor power kW" in told("turbine", "steady", "nrel-5mw") and "94.4 %" in told(
        "turbine", "steady", "nrel-5mw"
    )


@pytest.mark.skipif(shutil.which("cc") is None, reason="an FMU is compiled")
def test_fmu_show_says_which_way_torques_count(tmp_path):
    """The generator of this train turns positive about +x: what brakes it acts about -x, and its own channel counts about +x."""
    pytest.importorskip("fmpy")
    told("fmu", "export", "grc-750kw", "--fidelity", "torsional", "--out", "generator.torque", "-o", tmp_path / "g.fmu")
    lines = told("fmu", "show", tmp_path / "g.fmu").splitlines()
    line = {
        name: next(x for x in lines if x.startswith(name))
        for name in ("rotor_torque", "generator_torque", "generator.torque")
    }
    assert "positive when it brakes: about -x" in line["generator_torque"]
    assert "positive about +x" in line["rotor_torque"] and "positive about +x" in line["generator.torque"]
