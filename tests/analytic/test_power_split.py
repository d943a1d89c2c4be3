"""C35: which power goes where in a split, and one meaning of ratio (input over output speed) and speed_ratio (its inverse)."""

import math
from pathlib import Path

import pytest

from gearwright.analyses.describe import describe
from gearwright.analyses.power_flow import power_flow
from gearwright.train.expand import expand
from gearwright.train.open import load

SPLIT = Path(__file__).parent.parent / "data" / "faults" / "power-split.yaml"
ENGINE = 100.0 * 1000.0 * math.pi / 30.0  # 100 N m at 1000 rpm [W]


def test_all_power_goes_past_a_ring_that_stands() -> None:
    """Willis with 30 and 78 teeth, ring at rest: mg1 turns 1 + 78/30 = 3.6 times as fast; lossless, so it takes all power."""
    flow = power_flow(load(SPLIT))
    assert flow.speed("mg1") == pytest.approx(3600.0 * math.pi / 30.0)
    power = {m.name: m.power for m in flow.members}
    assert power["engine"] == pytest.approx(ENGINE) and power["mg1"] == pytest.approx(-ENGINE) and power["ring"] == 0.0
    assert flow.efficiency == pytest.approx(1.0)
    said = " ".join(flow.words)
    assert (
        "power comes from engine" in said
        and "goes to mg1" in said
        and "none of it goes through the output ring" in said
    )
    assert "efficiency 0 %" not in said


def test_both_branches_of_a_turning_split_are_named() -> None:
    """Ring at 400 rpm: torques 30 : 78 of 100 N m; the ring takes 72.22 N m at 400 rpm of 10.47 kW, mg1 the rest."""
    flow = power_flow(load(SPLIT, ["operating.speeds.ring=400 rpm"]))
    ring = 100.0 * 78.0 / 108.0 * 400.0 * math.pi / 30.0
    power = {m.name: m.power for m in flow.members}
    assert power["ring"] == pytest.approx(-ring) and power["mg1"] == pytest.approx(ring - ENGINE)
    assert flow.efficiency == pytest.approx(1.0)
    assert f"ring {ring:.5g} W ({100.0 * ring / ENGINE:.4g} %)" in " ".join(flow.words)


@pytest.mark.parametrize("name", ["nrel-5mw-gallego", "simple-planetary", "grc-750kw"])
def test_ratio_and_speed_ratio_mean_the_same_everywhere(name: str) -> None:
    flow, told = power_flow(load(name)), describe(expand(load(name)))
    assert flow.ratio == pytest.approx(told.ratio) and flow.speed_ratio == pytest.approx(told.speed_ratio)
    assert flow.ratio * flow.speed_ratio == pytest.approx(1.0)
    assert flow.speed(flow.output) / flow.speed(flow.input) == pytest.approx(flow.speed_ratio)
    assert any(f"speed ratio output/input {flow.speed_ratio:.6g}" in words for words in flow.words)
