"""Mechanisms against Exudyn, an independent multibody program, over ten seconds.

Exudyn integrates with a second-order method. Two of its runs, at a step and at half of it, are extrapolated (error of
order four); what is left is compared with the 1e-6 of the issue.
"""

import numpy as np
import pytest

from gearwright.multibody import simulate
from gearwright.running.mechanism import mechanism_of

exudyn = pytest.importorskip("exudyn")
from benchmarks.exudyn_mechanism import run, run_train  # noqa: E402


@pytest.mark.parametrize(
    "name, step", [("pendulum-spherical", 1e-3), ("pendulum-revolute", 1e-3), ("slider-crank", 1e-3)]
)
def test_mechanisms_of_joints(name, step):
    made, _, _, _ = mechanism_of(name)
    ours = simulate(made, 10.0, 1e-3, 0.01)
    found = []
    for h in (step, step / 2):
        made, _, _, _ = mechanism_of(name)
        found.append(run(exudyn, made, 10.0, h, round(0.01 / h))[1])
    assert np.abs(ours.position).max() > 0.3  # it moves
    extrapolated = (4.0 * found[1] - found[0]) / 3.0
    assert np.abs(extrapolated - ours.position).max() < 1e-6
    assert (
        np.abs(found[1] - ours.position).max() < 0.3 * np.abs(found[0] - ours.position).max()
    )  # order two, towards us


@pytest.mark.parametrize("speed, mean, swing, limit", [(1.5708, 20e3, 5e3, 1e-6), (2.8607, 141.86e3, 15e3, 1e-4)])
def test_eight_bodies_in_the_plane(speed, mean, swing, limit):
    """At 15 rpm and at full speed: the plane model of Exudyn knows nothing of our rows, only radii and inertias."""
    ratio = (1 + 91 / 20) * (81 / 20) * (72 / 29)
    reference = 1.002 * speed * ratio
    made, _, _, _ = mechanism_of("nordtank-8-bodies", None, [
        f"cases.0.loads.0.torque={mean!r}", f"cases.0.loads.1.torque.sine.amplitude={swing!r}",
        f"cases.0.loads.2.reference={reference!r}", f"cases.0.initial.main_shaft.spin=[null, null, {speed!r}]",
    ], 10.0)  # fmt: skip
    ours = simulate(made, 10.0, 1e-2, 0.05)
    assert max(ours.position_error, ours.velocity_error) < 1e-10
    _, angle, planet, _ = run_train(exudyn, made, lambda t: mean + swing * np.sin(2 * np.pi * 1.3659 * t), 1000.0,
                                    reference, speed, 10.0, 1e-3, 50)  # fmt: skip
    names = [b.name for b in made.bodies]
    place = ours.position[:, names.index("planet1"), :2]
    assert np.abs(planet - place).max() < limit
    turned = np.unwrap(np.arctan2(place[:, 1], place[:, 0]))
    assert turned - turned[0] == pytest.approx(angle - angle[0], abs=1e-5)
