"""OpenFAST decks: the published files against numbers that were derived from them elsewhere, and damaged decks."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.interchange.openfast_deck import read_deck
from gearwright.turbine import TurbineError, load

pytestmark = pytest.mark.slow

DECK = Path(__file__).parent.parent / "data" / "turbine" / "deck"


@pytest.fixture(scope="module")
def turbine():
    return read_deck(DECK / "nrel-5mw.fst", rated_power=5e6, rated_speed=12.1 * np.pi / 30)


def test_deck_gives_the_published_turbine(turbine):
    # the shipped data were collected from the same files by hand and another program
    known = load("nrel-5mw")
    assert turbine.gear_ratio == 97.0
    assert turbine.hub_height == pytest.approx(90.0, abs=0.01)
    assert turbine.rotor_inertia == pytest.approx(38.5e6, rel=0.005)
    assert turbine.rotor_mass == pytest.approx(110_000, rel=0.005)
    assert np.allclose(turbine.element_radius, known.element_radius, atol=2e-4)
    assert np.allclose(turbine.element_width, known.element_width, atol=2e-4)
    assert turbine.element_polar == known.element_polar
    for name in known.polars:
        assert np.array_equal(turbine.polars[name].lift, known.polars[name].lift)


def test_modes_of_the_deck(turbine):
    known = load("nrel-5mw")
    for mode in ("fore_aft", "side_side"):
        assert getattr(turbine, mode).stiffness == pytest.approx(getattr(known, mode).stiffness, rel=2e-4)
        assert getattr(turbine, mode).top_slope == pytest.approx(getattr(known, mode).top_slope, rel=2e-4)
    assert turbine.edge.mass == pytest.approx(1416.1, rel=2e-4)
    assert turbine.edge.coupling == pytest.approx(125_581.3, rel=2e-3)
    assert turbine.edge_stiffness == pytest.approx(1.6075e9, rel=3e-3)


def test_controller_made_for_the_deck(turbine):
    # gains of NREL/TP-500-38060: 0.0188268 s and 0.00806863; they rest on the sensitivities of another program
    c, known = turbine.controller, load("nrel-5mw").controller
    assert c.region_2_gain == pytest.approx(known.region_2_gain, rel=0.02)
    assert c.pitch_kp == pytest.approx(known.pitch_kp, rel=0.15)
    assert c.pitch_ki == pytest.approx(known.pitch_ki, rel=0.15)
    assert turbine.rated_wind == pytest.approx(11.3, abs=0.1)


def test_command(tmp_path):
    out = tmp_path / "made.json"
    done = CliRunner().invoke(
        app, ["turbine", "import", str(DECK / "nrel-5mw.fst"), "-o", str(out), "--power", "5 MW", "--speed", "12.1 rpm"]
    )
    assert done.exit_code == 0, done.output
    assert load(out).gear_ratio == 97.0


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("nrel-5mw.fst", "AeroDyn.dat", "Aero.dat", "no such file"),
        ("AeroDyn.dat", "8   NumAFfiles", "9   NumAFfiles", "9 airfoil files are promised"),
        ("NRELOffshrBsline5MW_Onshore_ElastoDyn.dat", "         97   GBRatio", "          1   GBRatio", "no gearbox"),
        ("NRELOffshrBsline5MW_Onshore_ElastoDyn.dat", "TipRad ", "Radius ", "there is no 'TipRad'"),
        (
            "NRELOffshrBsline5MW_AeroDyn_blade.dat",
            "         19   NumBlNds",
            "         29   NumBlNds",
            "29 are promised",
        ),
    ],
)
def test_damaged_decks(tmp_path, file, old, new, message):
    shutil.copytree(DECK, tmp_path / "deck")
    path = tmp_path / "deck" / file
    text = path.read_text(encoding="latin-1")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="latin-1")
    with pytest.raises(TurbineError, match=message):
        read_deck(tmp_path / "deck" / "nrel-5mw.fst", rated_power=5e6, rated_speed=1.267)
