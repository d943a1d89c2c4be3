"""Stress of every tooth from results: named, with the pressure of Hertz beside it, the same for a mirrored train (C52, C3)."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.analyses.tooth_stress import tooth_stress
from gearwright.cli import app
from gearwright.rating.tooth_stress import ToothError
from gearwright.running.run import simulate
from gearwright.train.open import load

DATA = Path(__file__).parents[1] / "data"
SHORT = ["cases.0.duration=1 s", "cases.0.output_interval=0.5 ms"]
MIRROR = [
    "operating.speed=-47 rpm", "operating.torque=-20 kN m", "cases.0.loads.0.torque=-20 kN m",
    "cases.0.loads.1.torque=-1348.9736070381232 N m", "machines.0.parameters.torque=100 N m",
]  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("teeth")
    places = folder / "forward.nc", folder / "mirrored.nc"
    for place, edits in zip(places, ([], MIRROR), strict=True):
        simulate(load(DATA / "mirror-train.yaml", [*SHORT, *edits]), "steady", output=place)
    return places


@pytest.mark.parametrize("mesh", ["q.mesh", "p.sun_planet1", "p.ring_planet2"])
def test_a_mirrored_train_has_the_same_tooth_stresses(results, mesh):
    one, two = (tooth_stress(place, mesh) for place in results)
    for a, b in zip(one.points, two.points, strict=True):
        assert a.name == b.name
        assert a.mean > 50e6
        assert b.mean == pytest.approx(a.mean, rel=1e-6)
        assert b.largest == pytest.approx(a.largest, rel=1e-6)
    assert two.passes == pytest.approx(one.passes, abs=1)


def test_the_stress_is_named_and_hertz_stands_beside_it(results):
    """0.5575 of the pressure of Hertz is the largest von Mises stress without friction for nu = 0.3 (Johnson, 4.2)."""
    data = tooth_stress(results[0], "q.mesh")
    assert data.meaning.startswith("von Mises") and data.factor == pytest.approx(0.5575, abs=1e-4)
    for point in data.points:
        assert point.largest / point.pressure == pytest.approx(0.5575, abs=1e-4)
    # by hand at the pitch point: p = sqrt(F E' / (pi b rho)), one pair carries the force
    force = 1.0 / np.cos(np.radians(20.0)) * 20e3 / (1.0 + 96.0 / 28.0) / (0.5 * 77 * 5e-3)
    rho = np.sin(np.radians(20.0)) * 0.5 * 5e-3 * 77 * 23 / (77 + 23)
    hertz = np.sqrt(force / 0.08 * 206e9 / (2 * (1 - 0.3**2)) / (np.pi * rho))
    pitch = next(p for p in data.points if p.name == "pitch point")
    assert pitch.pressure == pytest.approx(hertz, rel=0.02)  # a small ripple on the mean force
    assert any("steel" in note for note in data.assumed)


def test_the_command_says_what_it_shows(results, tmp_path):
    run = CliRunner().invoke(app, ["tooth-stress", str(results[0]), "q.mesh", "-o", str(tmp_path / "teeth.html")])
    assert run.exit_code == 0, run.output
    words = " ".join(run.output.split())
    assert "von Mises below the surface, 0.5574 of the pressure of Hertz" in words or "0.5575 of the pressure" in words
    assert "the 10 of 77 teeth with the largest stress" in words and "assumed: " in words
    assert "ressure of Hertz" in (tmp_path / "teeth.html").read_text()
    data = json.loads(CliRunner().invoke(app, ["tooth-stress", str(results[0]), "q.mesh", "--json"]).stdout)
    assert len(data["teeth"]) == 77


@pytest.mark.parametrize("factor", [-1.0, 0.0, float("nan"), float("inf")])
def test_a_factor_that_is_none_is_refused(results, factor):
    with pytest.raises(ToothError, match="lies above 0"):
        tooth_stress(results[0], "q.mesh", factor=factor)
