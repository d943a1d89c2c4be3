"""The coupler of S1 against the monolithic train."""

import math

import numpy as np
import pytest
from scipy.linalg import expm

from gearwright.targets.coupler import Coupler

ROTOR, MACHINE, SHAFT = 3.8768e7, 534.116 * 97**2, 8.67637e8
COUPLER = Coupler.of_ratio(ROTOR, MACHINE, SHAFT, 0.05)


def test_damping_by_scheme():
    # digest, section 10; and its estimate of what the parallel scheme loses
    for step, want in ((0.005, 0.0460), (0.02, 0.0340), (0.05, 0.0116)):
        assert COUPLER.damping_ratio(step, "begin") == pytest.approx(want, abs=1e-4)
        assert COUPLER.damping_ratio(step, "end") == pytest.approx(0.05, abs=1e-4)
    assert COUPLER.damping_ratio(0.1, "begin") < 0.0
    equal = ROTOR * MACHINE / (ROTOR + MACHINE)
    w = math.sqrt(SHAFT / equal)
    assert 0.05 - COUPLER.damping_ratio(1e-3, "begin") == pytest.approx(0.5 * w * 1e-3 * equal / ROTOR, rel=0.01)
    assert Coupler(ROTOR, MACHINE, SHAFT, 0.0).damping_ratio(1e-3, "begin") < 0.0


@pytest.mark.parametrize(("scheme", "order"), [("begin", 1), ("end", 1), ("mean", 1)])
def test_shrinking_macro_steps_meet_the_monolithic_train(scheme, order):
    # step of the rotor's torque on a train at rest; monolithic: exact
    a = np.array([[0.0, -1.0, 1.0], [SHAFT / MACHINE, -COUPLER.damping / MACHINE, COUPLER.damping / MACHINE],
                  [-SHAFT / ROTOR, COUPLER.damping / ROTOR, -COUPLER.damping / ROTOR]])  # fmt: skip
    wide = np.zeros((4, 4))
    wide[:3, :3], wide[2, 3] = a, 1e6 / ROTOR
    exact = (expm(wide * 1.0) @ [0, 0, 0, 1.0])[:3]
    errors = [
        abs(
            COUPLER.torque(COUPLER.march(h, round(1 / h), scheme, np.zeros(3), lambda t: 1e6)[-1])
            - COUPLER.torque(exact)
        )
        for h in (0.02, 0.01, 0.005, 0.0025)
    ]
    slopes = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert slopes[-1] == pytest.approx(order, abs=0.15)


def test_unknown_scheme():
    with pytest.raises(ValueError, match="begin, end or mean"):
        COUPLER.march(0.01, 1, "middle", np.zeros(3), lambda t: 0.0)
