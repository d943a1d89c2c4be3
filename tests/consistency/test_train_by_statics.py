"""The bearings of a train hold together what acts on it, and nothing else (C46)."""

import numpy as np
import pytest

import gearwright as gw

TORQUE = 3945990.3
PUSH = (800e3, 50e3, -1079e3)


def held(loads: dict[str, float]) -> tuple[np.ndarray, float]:
    """Sum of the forces on the housing (x, y, z) [N] and of their sizes; planets lean on their carriers."""
    elements = sorted({name.rpartition(".")[0] for name in loads if name.endswith((".force_y", ".force_x"))})
    on_housing = [e for e in elements if ".planet" not in e and f"{e}.force_y" in loads and f"{e}.shear_y" not in loads]
    forces = np.array([[loads.get(f"{e}.force_{axis}", 0.0) for axis in "xyz"] for e in on_housing])
    assert any("ring_bearing" in e for e in on_housing) and any("carrier" in e for e in on_housing)
    return forces.sum(axis=0), float(np.abs(forces).sum())


@pytest.mark.parametrize("frames", ["turning", "frozen"])
@pytest.mark.parametrize("law", ["linear", "periodic", "tooth_contact"])
def test_bearings_hold_what_pushes_the_rotor(law: str, frames: str) -> None:
    """Rated torque alone leaves nothing, with thrust and weight exactly these: planets turn with a carrier that the torque has
    twisted, ring gears are held by the housing, tooth contact pushes along the line of centres and across it too."""
    train = gw.load("nrel-5mw-nejad-source", [f"model.frames={frames}"] if frames == "frozen" else [])
    for push in ((0.0, 0.0, 0.0), PUSH):
        loads = gw.static_loads(train, {"rotor": TORQUE}, fidelity="spatial", law=law, forces={"rotor": push})
        total, size = held(loads)
        np.testing.assert_allclose(total, push, atol=1e-11 * size)


@pytest.mark.parametrize("law", ["linear", "tooth_contact"])
def test_bearings_in_the_plane_hold_nothing_under_torque_alone(law: str) -> None:
    total, size = held(gw.static_loads("grc-750kw", {"rotor": 322e3}, fidelity="planar", law=law))
    np.testing.assert_allclose(total, 0.0, atol=1e-11 * size)
