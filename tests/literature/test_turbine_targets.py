"""The turbine's targets through `verify`: the quick ones here, all of them with ``gearwright verify TURBINE``."""

import pytest

from gearwright.targets.run import run_targets


@pytest.fixture(scope="module")
def rows():
    quick = ["cp_max", "rated_wind", "pitch", "thrust", "sensitivity", "below_rated", "modes", "eog", "ntm", "grid_loss",
             "closed_loop.18", "peaks", "bands.18", "stop_two_masses", "stop_rise", "damper_18"]  # fmt: skip
    return run_targets([f"TURBINE.{q}" for q in quick])


def test_turbine_targets_pass(rows):
    assert len(rows) >= 47
    assert {r.target.id: (r.target.value, r.got, r.note) for r in rows if r.status != "pass"} == {}


def test_machines_grid_codes_and_gusts():
    rows = run_targets(["S1.pmsg", "S1.dfig", "S1.lvrt", "S1.eog", "S1.brake_torque"])
    assert len(rows) >= 41
    assert {r.target.id: (r.target.value, r.got, r.note) for r in rows if r.status != "pass"} == {}
