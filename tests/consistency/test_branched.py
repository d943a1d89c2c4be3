"""C35: a rigid motion is rigid at 0 Hz, members may be without inertia, and their stand-in is no mode of the train."""

from pathlib import Path

import numpy as np
import pytest

import gearwright as gw
from gearwright.analyses.modes import modes
from gearwright.remarks import sorted_remarks
from gearwright.train.open import load

BRANCHED = Path(__file__).parent.parent / "data" / "faults" / "branched.yaml"
WITHOUT = [f"bodies.{gear}.inertia=0" for gear in ("g0", "g1", "g2")]


def _by_hand() -> list[float]:
    """A (0.012), B (0.005), C (0.006 kg m^2) on springs 8000, 4000, 5000 N m/rad to one massless gear: B and C turn with
    -1/3 and -1/4 of it, so their springs pull on it by stiffness times ratio."""
    inertia, spring, ratio = (
        np.array([0.012, 0.005, 0.006]),
        np.array([8000.0, 4000.0, 5000.0]),
        np.array([1, -1 / 3, -1 / 4]),
    )
    pull = spring * ratio
    k = np.diag(spring) - np.outer(pull, pull) / (pull @ ratio)  # the gear follows: sum of k r (r x - q) = 0
    square = np.sort(np.linalg.eigvals(np.diag(1.0 / inertia) @ k).real)
    assert abs(square[0]) < 1e-9 * square[-1]
    return [float(x) for x in np.sqrt(square[1:]) / (2.0 * np.pi)]


@pytest.mark.parametrize("changes", [[], WITHOUT])
def test_branched_train_has_one_rigid_motion_and_two_modes(changes: list[str]) -> None:
    data = modes(BRANCHED, overrides=changes)
    assert data.kinds[0] == "rigid" and data.frequencies_hz[0] == 0.0
    assert data.energies[0] == {}
    # gears of 1e-9 kg m^2 (and the stand-ins, a millionth of the smallest inertia) shift the modes by their part of it
    assert data.frequencies_hz[1:3] == pytest.approx(_by_hand(), rel=1e-5)
    assert data.kinds[1:3] == ("shaft", "shaft")


def test_the_stand_in_of_members_without_inertia_is_said_and_is_no_mode_of_the_train() -> None:
    found = gw.modes(load(BRANCHED, WITHOUT))
    assert found.table.kinds[3] == "massless" and len(found.table.kinds) == 4
    said = sorted_remarks(found.system.provenance.notes)
    assert sum("has no inertia" in text for text in said["assumed"]) == 3 and not said["warnings"]


def test_flank_row_of_two_free_motions_is_no_third_constraint() -> None:
    """A rigid row leaves round-off on the rigid motions: they stay two (the spring alone makes the one mode)."""
    found = gw.modes(load("four-flywheels"))
    assert found.modes.rigid == 2 and list(found.table.kinds[:2]) == ["rigid", "rigid"]
