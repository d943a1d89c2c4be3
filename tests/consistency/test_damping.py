"""Damping of the model replaces that of its elements and does what its name says."""

import numpy as np
import pytest

import gearwright as gw


def test_modal_damping_gives_every_elastic_mode_its_ratio():
    found = gw.modes(gw.load("nrel-5mw-gallego", ["model.damping={modal: 0.0463}"]))
    assert found.damping_ratios[1:] == pytest.approx(0.0463, rel=1e-6)
    plain = gw.modes("nrel-5mw-gallego")
    assert found.frequencies_hz == pytest.approx(plain.frequencies_hz)


def test_one_ratio_per_mode():
    found = gw.modes(gw.load("nrel-5mw-gallego", ["model.damping={modal: [0.05, 0.02, 0.01]}"]))
    assert found.damping_ratios[1:4] == pytest.approx([0.05, 0.02, 0.01], rel=1e-6)
    assert found.damping_ratios[4:] == pytest.approx(0.01, rel=1e-6)


def test_proportional_damping_is_alpha_over_omega_plus_beta_omega():
    alpha, beta = 0.3, 1e-5
    damping = f"model.damping={{mass_proportional: {alpha}, stiffness_proportional: {beta}}}"
    found = gw.modes(gw.load("nrel-5mw-gallego", [damping]))
    w = 2 * np.pi * found.frequencies_hz[1:]
    assert found.damping_ratios[1:] == pytest.approx(0.5 * (alpha / w + beta * w), rel=1e-6)


def test_the_rigid_motion_is_not_damped(tmp_path):
    done = gw.simulate(gw.load("nrel-5mw-two-mass", ["model.damping={mass_proportional: 0.5}", "cases.0.discard=0 s"]), "recorded-18ms",
                       duration=20.0, output=tmp_path / "r.nc")  # fmt: skip
    assert done.channels["machine.speed"]["mean"] == pytest.approx(done.channels["rotor.speed"]["mean"], rel=1e-3)


def test_losses_of_elastic_meshes_are_friction_rows_and_can_be_left_out():
    loss = "stages.stage1.meshes.sun_planet.loss={efficiency: 0.99}"
    lossy = gw.assemble(gw.expand(gw.load("nrel-5mw-gallego", [loss])))
    assert lossy.shape.friction == 3
    without = gw.assemble(gw.expand(gw.load("nrel-5mw-gallego", [loss, "model.loss=none"])))
    assert without.shape.friction == 0
    for variant in ("smooth", "switch"):
        other = gw.assemble(gw.expand(gw.load("nrel-5mw-gallego", [loss, f"model.loss={variant}"])))
        assert other.shape.friction == 3
