"""The 5 MW gearbox with six motions per body and teeth that touch slice by slice."""

import copy

import numpy as np
import pytest

from gearwright.running.prepare import prepare
from gearwright.solve.steady.static import equilibrium
from gearwright.train.open import load

ROTOR = 3945.9903e3
#: teeth of sun, ring; base radius of the sun [m]: module, teeth, 20 degrees
STAGES = {"stage1": (19, 56, 0.045), "stage2": (18, 93, 0.021)}


def test_start_under_non_torque_loads_carries_the_torque():
    """Forces of sun meshes add up to the torque divided by the ratios; thrust, weight and bending share it unevenly."""
    shares = {}
    for case in ("rated", "rotor-loads"):
        prepared = prepare(
            load("nrel-5mw-nejad-source", ["model.frames=frozen"]), case, fidelity="spatial", law="tooth_contact"
        )
        found = equilibrium(prepared.system, tolerance=1e-3)
        torque = ROTOR
        for stage, (sun, ring, module) in STAGES.items():
            torque *= sun / (sun + ring)
            radius = 0.5 * module * sun * np.cos(np.radians(20.0))
            each = np.array([
                found.force(f"{stage}.{mesh}_planet{i}.{flank}") * sign
                for mesh in ("sun",) for i in (1, 2, 3) for flank, sign in (("drive", 1.0), ("coast", -1.0))
            ]).reshape(3, 2).sum(axis=1)  # fmt: skip
            # the mean over a cycle of a mesh balances to the thousandth that a start is asked for
            assert each.sum() * radius == pytest.approx(torque, rel=3e-3)
            shares[case, stage] = each / each.sum()
        wheel = (
            0.5
            * 0.014
            / np.cos(np.radians(10.0))
            * 95
            * np.cos(np.arctan(np.tan(np.radians(20.0)) / np.cos(np.radians(10.0))))
        )
        assert found.force("stage3.mesh.drive") * wheel == pytest.approx(torque, rel=3e-3)
    # what the rotor adds passes four bearings of main shaft and carrier: the planets feel it, and stay within a few percent
    for key, share in shares.items():
        assert np.abs(3.0 * share - 1.0).max() < 0.1, key
    assert np.abs(shares["rotor-loads", "stage1"] - shares["rated", "stage1"]).max() > 1e-3


def rollers(bore, outside, width, diameter, length, pitch, elements):
    """Cylindrical rollers, every one of them a contact of its own [mm]."""
    names = ("bore", "outside_diameter", "width", "element_diameter", "element_length", "pitch_diameter")
    sizes = dict(zip(names, (f"{x} mm" for x in (bore, outside, width, diameter, length, pitch)), strict=True))
    return {"type": "cylindrical", "elements": elements, "law": "nonlinear", **sizes}


def test_start_on_roller_bearings_whose_elements_touch_one_by_one():
    """Fourteen bearings by elements beside thirteen meshes in contact: the planets' bearings carry what their meshes give."""
    raw = copy.deepcopy(load("nrel-5mw-nejad-source", ["model.frames=frozen"]).raw)
    first, second, _ = raw["stages"]
    for stage, part, sizes in (
        (first, "planet", (450, 650, 200, 60, 120, 550, 26)), (second, "planet", (250, 400, 150, 45, 80, 325, 20)),
        (first, "carrier", (900, 1200, 200, 80, 120, 1050, 38)),
    ):  # fmt: skip
        for bearing in stage["bearings"][part]:
            del bearing["stiffness"], bearing["tilt_stiffness"]
            bearing["rolling"] = rollers(*sizes)
    prepared = prepare(load(raw), "rotor-loads", fidelity="spatial", law="tooth_contact")
    system = prepared.system
    assert system.shape.laws == 13 + 14
    found = equilibrium(system, tolerance=1e-3)
    # torque of the carrier over its arm: the six bearings of three planets push it round
    push = 0.0
    for i, angle in ((1, 0.0), (2, 2 * np.pi / 3), (3, 4 * np.pi / 3)):
        for side in "AB":
            y, z = (found.force(f"stage1.planet{i}_PL_{side}.{m}") for m in "yz")
            push += z * np.cos(angle) - y * np.sin(angle)
    assert abs(push) * 0.863 == pytest.approx(ROTOR, rel=3e-3)
