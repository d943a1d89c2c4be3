"""Planar loads against equilibrium: weight, pin errors, bearing clearance."""

import numpy as np
import pytest

import gearwright as gw

TORQUE = 322.6e3


def test_weight_reaches_the_housing():
    """With gravity, the bearings that stand on the housing carry the weight of everything they hold."""
    options = ["model.gravity=true", "gravity={acceleration: 9.81}"]
    # little torque: bearing forces of the planetary stage turn with the carrier, which twists under load
    with_weight = gw.static_loads(gw.load("grc-750kw", options), {"rotor": 1.0}, fidelity="planar")
    without = gw.static_loads("grc-750kw", {"rotor": 1.0}, fidelity="planar")
    train = gw.expand(gw.load("grc-750kw"))
    housing = [b.name for b in train.bearings.values() if b.between[1] == "housing" and b.stiffness is not None]
    total = sum(with_weight[f"{b}.force_z"] - without[f"{b}.force_z"] for b in housing)
    moved = {b.between[0] for b in train.bearings.values()}
    mass = sum(train.bodies[b].mass for b in moved if not train.bodies[b].fixed)
    assert total == pytest.approx(-9.81 * mass, rel=1e-6)
    sideways = sum(with_weight[f"{b}.force_y"] - without[f"{b}.force_y"] for b in housing)
    assert sideways == pytest.approx(0.0, abs=1e-6 * 9.81 * mass)


def test_shaft_tilt_takes_the_cosine():
    plain = gw.static_loads(gw.load("grc-750kw", ["model.gravity=true"]), {"rotor": TORQUE}, fidelity="planar")
    tilted = gw.static_loads(
        gw.load("grc-750kw", ["model.gravity=true", "gravity={tilt: 60 deg}"]), {"rotor": TORQUE}, fidelity="planar"
    )
    without = gw.static_loads("grc-750kw", {"rotor": TORQUE}, fidelity="planar")
    name = "stage3.wheel_bearing.force_z"
    assert tilted[name] - without[name] == pytest.approx(0.5 * (plain[name] - without[name]), rel=1e-6)


def test_a_pin_error_shifts_load_but_not_the_sum():
    """A tangential pin error of one planet: torque still balances, the shares no longer do."""
    errors = ["stages.stage1.pin_errors=[[0, 40 um], [0, 0], [0, 0]]"]
    loads = gw.static_loads(gw.load("grc-750kw", errors), {"rotor": TORQUE}, fidelity="planar")
    even = gw.static_loads("grc-750kw", {"rotor": TORQUE}, fidelity="planar")
    mesh = [f"stage1.sun_planet{i}.force" for i in (1, 2, 3)]
    assert sum(loads[m] for m in mesh) == pytest.approx(sum(even[m] for m in mesh), rel=1e-6)
    shares = np.array([loads[m] for m in mesh]) * 3 / sum(loads[m] for m in mesh)
    assert abs(shares[0] - 1.0) > 0.01 and shares[1] == pytest.approx(shares[2], rel=0.05)
    opposite = gw.static_loads(
        gw.load("grc-750kw", ["stages.stage1.pin_errors=[[0, -40 um], [0, 0], [0, 0]]"]),
        {"rotor": TORQUE},
        fidelity="planar",
    )
    # the model is linear: the error the other way shifts the load the other way
    assert opposite[mesh[0]] - even[mesh[0]] == pytest.approx(even[mesh[0]] - loads[mesh[0]], rel=1e-4)


def test_pin_errors_weigh_the_same_with_play_in_the_planets_bearings():
    """Every planet falls through the same play in the sense of its force: the shares stay, for errors along both directions."""
    errors = ["stages.stage1.pin_errors=[[0, 40 um], [10 um, 0], [0, -15 um]]"]
    play = [*errors, "stages.stage1.bearings.planet.clearance=30 um"]
    plain, loose = (
        gw.static_loads(gw.load("grc-750kw", e), {"rotor": TORQUE}, fidelity="planar") for e in (errors, play)
    )
    mesh = [f"stage1.{w}_planet{i}.force" for w in ("sun", "ring") for i in (1, 2, 3)]
    assert len({round(plain[m]) for m in mesh}) > 1
    assert [loose[m] for m in mesh] == pytest.approx([plain[m] for m in mesh], rel=1e-6)
