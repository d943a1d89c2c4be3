"""Currents, fluxes and powers of the machine in the results of set-ups."""

import numpy as np
import pytest
import xarray as xr

import gearwright as gw
from gearwright.machines import Dfig

WIND, WHOLE = "cases.normal.wind={type: steady, mean: 17 m/s, shear: 0}", "cases.normal.discard=0 s"


@pytest.mark.parametrize("law", ["linear", "periodic"])
def test_power_of_the_stator_balances(law, tmp_path):
    # at rest the air gap power torque * synchronous speed leaves by the stator, less what its resistance takes
    drivetrain = gw.load("nrel-5mw", [WIND, WHOLE, "turbine.rotor.tower_shadow=false"])
    run = gw.simulate(drivetrain, "normal", fidelity="torsional", law=law, duration=6.0, output=tmp_path / "c.nc")
    data = Dfig.nrel_5mw()
    mean = {k.removeprefix("generator."): v["mean"] for k, v in run.channels.items() if k.startswith("generator.")}
    air_gap = abs(mean["torque"]) * data.speed / data.pole_pairs
    losses = 1.5 * data.stator_resistance * mean["stator_current"] ** 2
    # the torque moves by a part in a thousand during these seconds; what its square adds is far less
    assert mean["stator_power"] == pytest.approx(air_gap - losses, rel=2e-3)
    assert mean["reactive_power"] == pytest.approx(0.0, abs=1e-3 * mean["stator_power"])
    # the rotor's current carries the magnetising current across and the stator's along: larger than the stator's
    assert mean["rotor_current"] > mean["stator_current"]
    assert run.channels["generator.rotor_flux"]["unit"] == "Wb"


def test_currents_vanish_with_the_breaker(tmp_path):
    event = "cases.normal.events=[{at: 2 s, type: grid_loss}]"
    gw.simulate(gw.load("nrel-5mw", [WIND, WHOLE, event]), "normal", fidelity="torsional", duration=4.0,
                      output=tmp_path / "c.nc")  # fmt: skip
    with xr.open_dataset(tmp_path / "c.nc") as found:
        current = np.asarray(found["machine_stator_current"].sel(machine="generator"))
        time = np.asarray(found["time"])
    # the stored series is filtered: some samples about the jump ring
    assert current[time < 1.9].min() > 1e3
    assert np.abs(current[time > 2.2]).max() < 1.0
