"""The Kalman filter on two masses against a shaft whose torque is known, and the test of its innovation."""

import numpy as np
import pytest
from scipy.linalg import expm

from gearwright.errors import InputError
from gearwright.fleets.kalman import Filter, TwoMasses, proved, tuned, whiteness
from gearwright.rating.equivalent import damage_equivalent_range
from gearwright.results.rainflow import rainflow

RATIO, DT = 97.0, 0.05
#: the 5 MW train: rotor, generator side, first free mode and damping ratio
TRAIN = TwoMasses.of_mode(3.9e7, 543.3 * RATIO**2, 2.029, 0.0463, RATIO, 4.18e6, 1.267)


def shaft(seconds: float, noise: float, seed: int = 1):
    """Two masses under a wandering torque of the rotor, written here anew: free vibration and forcing step by step at 5 ms. Speed and torque of the generator, torque of the shaft."""
    rng = np.random.default_rng(seed)
    k, c, jr, jg = TRAIN.stiffness, TRAIN.damping, TRAIN.rotor, TRAIN.generator
    h = 0.005
    a = np.array([[0.0, 1.0, -1.0], [-k / jr, -c / jr, c / jr], [k / jg, c / jg, -c / jg]])
    b = np.array([[0.0, 0.0], [1.0 / jr, 0.0], [0.0, -1.0 / jg]])
    whole = expm(np.block([[a, b], [np.zeros((2, 5))]]) * h)
    x = np.array([4e6 / k, 1.2, 1.2])
    out, rotor = [], 4e6
    for i in range(round(seconds / h)):
        rotor += 3e6 * np.sqrt(h) * rng.normal() - 0.2 * (rotor - 4e6) * h
        machine = 4e6 + 8e6 * (x[2] - 1.2)
        if i % round(DT / h) == 0:
            out.append((x[2] * RATIO, machine / RATIO, k * x[0] + c * (x[1] - x[2])))
        x = whole[:3, :3] @ x + whole[:3, 3:] @ np.array([rotor, machine])
    speed, torque, load = np.array(out).T
    return torque, speed + noise * rng.normal(size=len(speed)), load


def test_the_load_of_the_shaft_is_found_through_noise():
    """Noise 0.006 rad/s at the generator, one of 0.05 rpm with steps of 0.1 rpm: correlation and ranges of the shaft's torque, where a difference of speeds would drown."""
    torque, speed, load = shaft(300.0, 0.006)
    filtered = tuned(TRAIN, DT, 0.006, torque, speed)
    seen = filtered.run(torque, speed)
    own = slice(400, None)
    assert np.corrcoef(seen.load[own], load[own])[0, 1] > 0.99
    for m in (3, 4):
        true = damage_equivalent_range(rainflow(load[own]), m, duration=280.0)
        assert damage_equivalent_range(rainflow(seen.load[own]), m, duration=280.0) == pytest.approx(true, rel=0.05)
    assert whiteness(seen.innovation[own]) < 0.15 and proved([seen.innovation[own]]) < 0.15
    assert np.std(seen.innovation[own]) == pytest.approx(filtered.size, rel=0.25)


def test_a_filter_that_is_not_tuned_is_found_out():
    """Noise of the rotor's torque a hundred times too small: the innovation carries the swing, and the figure is refused."""
    torque, speed, _ = shaft(200.0, 0.006)
    lazy = Filter.made(TRAIN, DT, 0.006 / RATIO, 3e4)
    with pytest.raises(InputError, match="not white"):
        proved([lazy.run(torque, speed).innovation[400:]])


def test_samples_too_far_apart_are_refused():
    with pytest.raises(InputError, match="samples a period"):
        tuned(TRAIN, 0.5, 0.006, np.ones(100), np.ones(100))


def test_a_steady_state_stays():
    torque, speed = np.full(400, 4e4), np.full(400, 116.0)
    seen = Filter.made(TRAIN, DT, 1e-4, 3e6).run(torque, speed)
    assert seen.load == pytest.approx(RATIO * 4e4, rel=1e-9) and np.abs(seen.innovation).max() < 1e-9
