"""Shipped mechanisms against printed tables, through the command line and ``verify``."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from gearwright.cli import app
from gearwright.verify.framework import run_targets


@pytest.mark.parametrize("prefix", ["S0.two_gear", "S0.three_body", "S0.p3.rigid", "S1.pendulum_rod_period_45_90",
                                    "S1.pendulum_point_period_45_90", "S1.slider_45deg", "S1.spring_mass_frequency",
                                    "S1.slider_crank_period", "S1.slider_crank_crank_limits",
                                    "S1.planetary_joint_speeds", "S1.slider_crank_constraint_count"])  # fmt: skip
def test_targets_pass(prefix):
    rows = run_targets([prefix])
    assert rows and all(row.status in ("pass", "not reproducible") for row in rows), [r.as_dict() for r in rows]


def run(tmp_path, *arguments):
    result = CliRunner().invoke(app, ["run", *arguments, "--json", "-o", str(tmp_path / "run.nc")])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_run_prints_reactions(tmp_path):
    found = run(tmp_path, "two-gears-fixed")["reactions"]
    assert found["joint1"]["wheel"]["force"][:2] == pytest.approx([181.99, 2677.36], abs=0.01)
    assert found["gear"]["pinion"]["moment"][2] == pytest.approx(-75.0)


def test_eight_bodies(tmp_path):
    """App. B: 47 rows of rank 47, one freedom, ratio 55.80621; equilibrium of the whole box in the mean."""
    data = run(tmp_path, "nordtank-8-bodies", "--duration", "10")
    assert (data["rows"], data["rank"], data["degrees_of_freedom"]) == (47, 47, 1)
    assert max(data["constraint_error"].values()) < 1e-10
    speeds = data["speeds_end"]
    ratio = speeds["generator"][5] / speeds["main_shaft"][5]
    assert abs(ratio) == pytest.approx((1 + 91 / 20) * (81 / 20) * (72 / 29), rel=1e-9)
    # bearings carry the weight (-x) of all bodies but for the small accelerations
    end = data["reactions_end"]
    held = sum(part["housing"]["force"][0] for part in end.values() if "housing" in part)
    weight = 9.81 * (1759 + 122 + 3 * 163 + 145 + 31 + 1180)
    assert -held == pytest.approx(weight, rel=2e-2)
    assert np.isfinite(data["real_time_factor"])


def test_options_of_other_fidelities_are_refused():
    result = CliRunner().invoke(app, ["run", "two-gears-fixed", "--method", "exact"])
    assert result.exit_code == 2 and "--method" in result.output


@pytest.mark.parametrize("name, setting", [("two-gears-fixed", "model.tolerance=1e-6"), ("two-gears-fixed", "model.law=periodic"),
                                           ("lin-parker-1999", "model.step=1 ms")])  # fmt: skip
def test_settings_of_other_fidelities_are_refused(name, setting, tmp_path):
    key = setting.partition("=")[0]
    result = CliRunner().invoke(app, ["run", name, "--set", setting, "--duration", "0.1", "-o", str(tmp_path / "a.nc")])
    assert result.exit_code == 2 and key in result.output
    assert not list(tmp_path.iterdir())
