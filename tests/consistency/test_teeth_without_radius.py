"""C8: a mesh known by its teeth alone carries torques; a force would need a radius that nobody gave."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gearwright.analyses.describe import describe
from gearwright.analyses.power_flow import power_flow
from gearwright.errors import DrivetrainError
from gearwright.running.prepare import prepare
from gearwright.running.start import initial_state
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.train.expand import expand
from gearwright.train.open import load

NO_MODULE = Path(__file__).parent.parent / "data" / "faults" / "no-module.yaml"


def _channels(prepared: Any) -> dict[str, Any]:
    """Twenty samples of every channel, by name."""
    engine, channels = ExplicitEngine(), prepared.system.channels
    plan = engine.prepare(prepared.system, channels, 0.01, 1e-9)
    _, block, _ = engine.advance(plan, initial_state(prepared), 20)
    return {c.name: block[:, i] for i, c in enumerate(channels)}


def _units(prepared: Any) -> dict[str, str]:
    return {c.quantity: c.unit for c in prepared.system.channels if c.kind == "mesh"}


def test_the_teeth_of_a_lossy_pair_put_the_torques_of_its_balance_on_both_wheels() -> None:
    """20 to 100 teeth at an efficiency of 0.97 in steady motion: 10 N m in, 10 * 5 * 0.97 = 48.5 N m out, 30 W of 1000 W lost."""
    prepared = prepare(load(NO_MODULE), "motoring")
    got = _channels(prepared)
    np.testing.assert_allclose(got["g.torque_first"], 10.0, rtol=1e-9)
    np.testing.assert_allclose(got["g.torque_second"], 48.5, rtol=1e-9)
    np.testing.assert_allclose(got["g.friction_torque"] * got["g.friction_speed"], 30.0, rtol=1e-9)
    assert _units(prepared) == {
        "torque_first": "N m", "torque_second": "N m", "friction_torque": "N m", "friction_speed": "rad/s",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "case"), [("zf-4hp22", "shifts"), ("tracked-steering", None)])
def test_no_shipped_train_of_tooth_numbers_has_a_tooth_force(name: str, case: str | None) -> None:
    units = _units(prepare(load(name), case))
    assert units and not {"N", "m", "m/s"} & set(units.values())


def test_power_flow_and_description_know_no_force_and_no_radius() -> None:
    flow = power_flow(load(NO_MODULE))
    (mesh,) = flow.meshes
    assert mesh.force is None
    assert (mesh.torque, mesh.torque_second) == pytest.approx((10.0, 48.5))
    assert describe(expand(load(NO_MODULE), "rigid")).meshes["g"].base_radius is None


def test_with_a_module_the_force_is_back() -> None:
    """Base radius of 20 teeth of module 5 mm at 20 deg: 46.985 mm; the normal force is that of the mean torque 9.85 N m."""
    prepared = prepare(load(NO_MODULE, ["elements.g.module=5 mm", "elements.g.pressure_angle=20 deg"]), "motoring")
    got = _channels(prepared)
    np.testing.assert_allclose(got["g.force"], 9.85 / (0.05 * np.cos(np.radians(20.0))), rtol=1e-9)


def test_a_loss_that_is_a_torque_is_called_one() -> None:
    """C8, a sibling: the loss of a fraction opposes the sliding of the wheels [rad/s] by a torque, with radii in m too."""
    d = load(
        NO_MODULE, ["elements.g.module=5 mm", "elements.g.pressure_angle=20 deg", "elements.g.loss={fraction: 0.03}"]
    )
    prepared = prepare(d, "motoring")
    units = _units(prepared)
    assert (units["friction_torque"], units["friction_speed"]) == ("N m", "rad/s")
    assert "friction_force" not in units
    got = _channels(prepared)
    slide = got["motor.speed"] - got["load.speed"]  # both wheels against each other, external
    np.testing.assert_allclose(got["g.friction_speed"], slide, rtol=1e-12)


def test_a_wheel_by_its_circle_does_not_mesh_with_one_by_its_teeth() -> None:
    with pytest.raises(DrivetrainError, match="no common measure|base_radius|base_diameter"):
        expand(load(NO_MODULE, ["elements.g.teeth=null", "elements.g.base_radius=[20 mm]"]))
