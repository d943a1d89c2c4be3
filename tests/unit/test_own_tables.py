"""C5: tables of a result are what its run counted, not a recount of the stored series from 0 s."""

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import gearwright
from gearwright.cli import app
from gearwright.interchange import ReadError, inspect
from gearwright.interchange.write import export_file
from gearwright.results import Result

pytestmark = pytest.mark.slow

#: two masses; a start from rest under a constant and an alternating torque: the first second is a transient of its own size
FILE = """
name: start
bodies: [{name: a, inertia: 10 kg m^2}, {name: b, inertia: 10 kg m^2}]
shafts: [{name: main, between: [a, b], torsional_stiffness: 4e4 N m/rad, damping: 400 N m s/rad}]
machines: [{name: brake, type: constant, drives: b, parameters: {torque: 0 N m}}]
model: {fidelity: torsional, law: linear}
operating: {input: a, output: b, speed: 10 rad/s, torque: 0 N m}
cases:
  - {name: c, duration: 9 s, discard: 4 s, exponents: [3, 10], counting_interval: 1 ms, output_interval: 20 ms, loads: [
      {on: a, torque: {sine: {mean: 0 N m, amplitude: 100 N m, frequency: 2 Hz}}},
      {on: a, torque: {table: [[0 s, 0 N m], [0.01 s, 9 kN m], [0.1 s, 9 kN m], [0.101 s, 0 N m], [20 s, 0 N m]]}}]}
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    (folder / "start.yaml").write_text(FILE)
    gearwright.simulate(gearwright.load(folder / "start.yaml"), output=folder / "r.nc")
    return folder / "r.nc"


def table(path, out, kind, **options):
    export_file(path, out, ["main.torque"], table=kind, **options)
    with open(out, newline="") as file:
        rows = list(csv.DictReader(file))
    return {key.partition(" ")[0]: [row[key] for row in rows] for key in rows[0]}


def test_equivalent_loads_are_those_of_the_run(result, tmp_path):
    """After the transient the shaft carries a sine: half its torque goes into each mass, a little more by resonance.

    With the compliance of the shaft, T = 100 J2/(J1+J2) / |1 - r^2 + ...|; the swing of 10 cycles in 5 s is 2 T, so that the
    equivalent range at 1 Hz is 2 T (10/5)^(1/m).
    """
    w, reduced, k, c = 4 * np.pi, 5.0, 4e4, 400.0
    amplitude = 50.0 * abs((k + 1j * w * c) / (k - reduced * w**2 + 1j * w * c))
    figures = table(result, tmp_path / "d.csv", "del")
    for m in (3, 10):
        assert float(figures[f"del_m{m}"][0]) == pytest.approx(2 * amplitude * 2.0 ** (1 / m), rel=0.02)
    assert float(figures["max"][0]) == pytest.approx(amplitude, rel=0.01)
    assert float(figures["reference_cycles"][0]) == pytest.approx(5.0)
    with Result.open(result) as opened:
        (row,) = [r for r in opened.table() if r.name == "main.torque"]
    assert float(figures["del_m3"][0]) == row.equivalents[3.0]


def test_cycles_are_those_of_the_run(result, tmp_path):
    cycles = table(result, tmp_path / "c.csv", "rainflow")
    whole = sum(map(float, cycles["cycles"]))
    assert whole == pytest.approx(10.0, abs=1.0) and float(cycles["cycles_above"][0]) == whole
    assert float(cycles["range_to"][-1]) < 250.0  # the transient had 9 kN m
    joined = table(result, tmp_path / "j.csv", "rainflow", bins=32)
    assert sum(map(float, joined["cycles"])) == whole
    levels = table(result, tmp_path / "m.csv", "markov")
    assert sum(map(float, levels["cycles"])) == pytest.approx(whole)
    assert all(-110.0 < float(a) < float(b) < 110.0 for a, b in zip(levels["from"], levels["to"], strict=True))


@pytest.mark.slow
def test_what_the_run_did_not_count_is_refused_or_counted_on_request(result, tmp_path):
    with pytest.raises(ReadError, match="with the exponents 3, 10, not 4"):
        export_file(result, tmp_path / "x.csv", ["main.torque"], table="del", exponents=[4.0])
    with pytest.raises(ReadError, match="joined to"):
        export_file(result, tmp_path / "x.csv", ["main.torque"], table="rainflow", bins=10)
    done = export_file(result, tmp_path / "x.csv", ["main.torque"], table="del", exponents=[4.0], start=4.0)
    assert "stored series" in done.notes[0]
    with pytest.raises(ReadError, match="counted no cycles"):
        export_file(result, tmp_path / "x.csv", ["a.speed"], table="del")


def test_inspect_shows_the_figures_of_the_run(result):
    """Not the start of 9 kN m, which the stored series holds."""
    facts = inspect(result)
    assert facts.channels["main.torque"]["max"] < 110.0
    assert "without what it discards" in facts.facts["statistics"]
    done = CliRunner().invoke(app, ["inspect", str(result), "--json"])
    assert json.loads(done.output)["channels"]["main.torque"]["max"] < 110.0
