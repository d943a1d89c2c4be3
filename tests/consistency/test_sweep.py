"""Sweep up and down: the linear answer below contact loss in closed form, both answers and refusals."""

import math

import numpy as np
import pytest

from gearwright.analyses.sweep import sweep
from gearwright.errors import DrivetrainError
from gearwright.train.open import load


def test_below_contact_loss_it_is_the_linear_oscillator_and_above_it_has_two_answers():
    found = sweep(load("kahraman-oscillator"), "a", [500.0, 700.0, 740.0, 760.0, 800.0], settle=150)
    assert found.meshes == ("pair.mesh",) and found.of == "load"
    half = 5e-6
    for i, w in ((0, 0.5), (1, 0.7)):
        # amplitude F_e / |1 - W^2 + 2 i z W|; 128 samples a period miss a crest by 3e-4 of it at most
        amplitude = 0.05 / math.hypot(1.0 - w * w, 2.0 * 0.05 * w)
        assert found.up["peak_to_peak"][i, 0] / half == pytest.approx(2.0 * amplitude, rel=1e-3)
        assert found.up["rms"][i, 0] / half == pytest.approx(amplitude / math.sqrt(2.0), rel=1e-3)
    assert found.up["loss"][:2, 0].max() == 0.0 and found.down["loss"][0, 0] > 0.7
    assert found.bistable("pair.mesh") == [(500.0, 740.0)]
    up = [j for j in found.jumps if j.direction == "up"]
    # the source: between 745 and 750; steps of 200 Hz are taken for a jump as well
    assert (740.0, 760.0) in [j.between for j in up]


def test_swept_speed_is_the_mesh_frequency():
    found = sweep(load("kahraman-oscillator"), "c", [500.0, 850.0], settle=100)
    assert found.of == "speed"
    assert found.up["peak_to_peak"][:, 0] / 5e-6 == pytest.approx([0.0950, 0.1450], rel=4e-3)  # the source's digits


def test_refusals_say_what_is_missing():
    with pytest.raises(DrivetrainError, match="no sine load"):
        sweep(load("kahraman-oscillator"), "c", [500.0, 600.0], "load")
    with pytest.raises(DrivetrainError, match="drives no body"):
        sweep(load("nordtank-500kw"), None, [500.0, 600.0])
    with pytest.raises(DrivetrainError, match="rising"):
        sweep(load("kahraman-oscillator"), "a", [600.0, 500.0])
    with pytest.raises(DrivetrainError, match="stands still"):
        sweep(load("kahraman-oscillator"), "a", [500.0, 600.0], "speed")


def test_command_and_page(tmp_path):
    import json

    from typer.testing import CliRunner

    from gearwright.cli import app

    page = tmp_path / "sweep.html"
    arguments = ["sweep", "kahraman-oscillator", "--case", "a", "--from", "700 Hz", "--to", "800 Hz", "--steps", "3"]
    got = CliRunner().invoke(app, [*arguments, "--settle", "60", "-o", str(page), "--json"])
    assert got.exit_code == 0, got.output
    data = json.loads(got.stdout)
    assert data["frequency_hz"] == [700.0, 750.0, 800.0] and "two answers" not in data
    assert np.shape(data["up"]["rms"]) == (1, 3)
    assert "kahraman-oscillator" in page.read_text()
    got = CliRunner().invoke(app, [*arguments[:5], "7 kg", *arguments[6:]])
    assert got.exit_code != 0 and "frequency" in got.output
