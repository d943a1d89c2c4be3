"""The reference gearbox as built: what issue 19 asks of it to show, and the closed form of its weight at part load."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import gearwright as gw
from gearwright.rating.dynamic_beside import dynamic_beside

#: kept until the end of the tests
_FOLDER = TemporaryDirectory()


@cache
def shown(case):
    done = gw.simulate("nrel-5mw-nejad", case, duration=6.5, output=Path(_FOLDER.name) / f"{case}.nc")
    return done.to_dict()


def test_rated_needs_no_warning_and_no_tooth_wedges_or_pulls():
    told = shown("rated")
    assert told["warnings"] == [] and told["wedged"] == {} and told["pulling"] == {}


def test_dynamic_factors_at_rated_are_plausible():
    """Peak over mean below 1.15 in every mesh: a square wave has 2, ISO 6336 K_v 1.009, 1.042, 1.111 without errors of load."""
    forces = {
        n: c for n, c in shown("rated")["channels"].items()
        if n.endswith(".force") and n.split(".")[1].startswith(("sun_planet", "ring_planet", "mesh"))
    }  # fmt: skip
    assert len(forces) == 13
    assert {n: c["max"] / c["mean"] for n, c in forces.items() if not c["max"] < 1.15 * c["mean"]} == {}


@pytest.mark.parametrize(("stage", "least"), [("stage1", 1.01), ("stage2", 1.005)])
def test_planets_share_the_load_but_for_the_weight_of_the_sun(stage, least):
    """Three planets with a free sun carry equal means whatever the pins; once per turn the weight shows."""
    told = shown("rated")["load_sharing"][stage]
    assert told["largest_mean"] == pytest.approx(1.0, abs=0.003)
    assert least <= told["per_turn"] <= 1.05


@pytest.mark.parametrize(("case", "part"), [("rated", 1.0), ("part-load", 0.1)])
def test_weight_of_the_free_sun_by_its_closed_form(case, part):
    """1 + (2/3) m g cos(tilt)/F (P.kgamma.gravity); errors and ripple leave 0.01 at a tenth of rated torque."""
    for stage, mass, force in (("stage1", 1900.13, 829.5e3), ("stage2", 372.159, 304.3e3)):
        closed = 1.0 + 2.0 / 3.0 * mass * 9.81 * 0.9962 / (part * force)
        assert shown(case)["load_sharing"][stage]["per_turn"] == pytest.approx(closed, abs=0.002 + 0.01 * (part < 1.0))


def test_dynamic_factors_stand_beside_those_of_the_standard(tmp_path):
    """ISO 6336-1 method B without relief, a sun with one planet: 1.009, 1.042, 1.111 (recomputed, targets R.nejad.*)."""
    shown("rated")
    path = Path(_FOLDER.name) / "rated.nc"
    drivetrain = gw.load("nrel-5mw-nejad")
    with gw.Result.open(path) as result:
        found = {one.mesh: one for one in dynamic_beside(result, gw.expand(drivetrain), drivetrain.life)}
    for mesh, value in (("stage1.sun_planet1", 1.009), ("stage2.sun_planet1", 1.042), ("stage3.mesh", 1.111)):
        assert found[mesh].alone == pytest.approx(value, abs=1e-3)
        assert 1.0 < found[mesh].by_b < found[mesh].without_relief <= found[mesh].alone
        assert 1.0 < found[mesh].simulated < 1.15 and not found[mesh].assumed
    page = gw.write_report(path, tmp_path / "r.html").read_text()
    assert "Dynamic factors, simulated and by ISO 6336-1" in page and "no neighbours of the mesh" in page
