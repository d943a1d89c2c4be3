"""C45: what a third-order DFIG says of its dips, against the fifth order (stator transients) in the same runs."""

import numpy as np
import pytest
from test_dip_variants import gallego

import gearwright as gw

RATED = 43.09355e3


def dip(tmp_path, order, phases, level, length, duration):
    """Largest of slow shaft, fast shaft and air gap over the value before the dip, the air gap over time, and the run."""
    event = f"{{at: 0.2 s, type: grid_fault, profile: [[0, {level}], [{length}, {level}], [{length}, 1]], phases: {phases}}}"
    drivetrain = gw.load(
        gallego(event, f", order: {order}", duration),
        ["cases.dip.counting_interval=0.5 ms", "cases.dip.output_interval=0.5 ms"],
    )
    run = gw.simulate(drivetrain, "dip", fidelity="torsional", output=tmp_path / f"{order}-{phases}-{level}.nc")
    found = {}
    with gw.Result.open(run.result_file) as result:
        for what, name in (("slow", "main.torque"), ("fast", "high_speed.torque"), ("gap", "generator.torque")):
            series = np.asarray(result.series(name), float)
            before = series[result.time < 0.2].mean()
            found[what] = max(run.channels[name]["max"] / before, run.channels[name]["min"] / before)
            if what == "gap":
                found["time"], found["series"] = result.time, series / before
    return found, run


def test_shafts_and_air_gap_of_short_dips_are_as_the_notes_say(tmp_path):
    """All phases: shafts conservative. One phase: the fast shaft is not, nor ever the air gap. Numbers of the notes within 3 %."""
    third, said = dip(tmp_path, 3, 3, 0.0, 0.15, 1.2)
    fifth, nothing = dip(tmp_path, 5, 3, 0.0, 0.15, 1.2)
    assert (
        third["slow"] > 1.4 * fifth["slow"]
        and third["fast"] > 1.2 * fifth["fast"]
        and third["gap"] < 0.4 * fifth["gap"]
    )
    assert (third["slow"], fifth["slow"], third["fast"], fifth["fast"]) == pytest.approx(
        (2.15, 1.41, 2.07, 1.54), rel=0.03
    )
    assert any("of all phases to 0 p.u." in text and "2.15 against 1.41" in text for text in said.notes)
    assert not any("third order" in text for text in [*nothing.notes, *nothing.warnings])
    third, said = dip(tmp_path, 3, 1, 0.0, 0.15, 1.2)
    fifth, _ = dip(tmp_path, 5, 1, 0.0, 0.15, 1.2)
    assert third["slow"] == pytest.approx(fifth["slow"], rel=0.03)
    assert third["fast"] < 0.92 * fifth["fast"] and third["gap"] < 0.75 * fifth["gap"]
    assert (third["fast"], fifth["fast"]) == pytest.approx((1.08, 1.21), rel=0.03)
    (text,) = [text for text in said.warnings if "asymmetric dip" in text]
    assert "1.08 against 1.21" in text


@pytest.mark.parametrize(("phases", "level", "apart"), [(1, 0.5, 0.04), (1, 0.0, 0.12), (2, 0.7, 0.06)])
def test_mean_torque_of_a_long_asymmetric_fault(tmp_path, phases, level, apart):
    """Integral action holds the mean at the reference where no limit is met (the reference is the torque before the fault); the
    fifth order is near it, its loop clips the ripple."""
    third, _ = dip(tmp_path, 3, phases, level, 1.5, 1.6)
    inside = (third["time"] > 1.0) & (third["time"] < 1.5)
    assert third["series"][inside].mean() == pytest.approx(1.0, abs=5e-3)
    fifth, _ = dip(tmp_path, 5, phases, level, 1.5, 1.6)
    assert third["series"][inside].mean() == pytest.approx(fifth["series"][inside].mean(), abs=apart)
    # the ripple at twice the grid's frequency is that of the fifth order
    wave = np.exp(2j * np.pi * 120.0 * third["time"][inside])
    line = [2 * abs(np.mean((s - s.mean()) * wave)) for s in (third["series"][inside], fifth["series"][inside])]
    assert line[0] == pytest.approx(line[1], rel=0.06)
