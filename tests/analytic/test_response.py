"""Frequency response against closed forms and against a time integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gearwright.solve.steady.response import response
from gearwright.system import Builder, Provenance, Source, Spring, constant


def chain(prescribed=False):
    """m1 on the ground by k1, c1; m2 on m1 by k2, c2."""
    b = Builder()
    for name, mass in (("x1", 2.0), ("x2", 0.5)):
        b.coordinate(name)
        b.inertia(mass, {name: 1})
    ground = {"x1": 1.0}
    if prescribed:
        b.coordinate("base")
        b.inertia(1.0, {"base": 1})
        b.prescribe("base", b.signal("still", constant(0.0)))
        ground = {"x1": 1.0, "base": -1.0}
    b.row("k1.x", ground, Spring(800.0, 3.0))
    b.row("k2.x", {"x2": 1, "x1": -1}, Spring(150.0, 0.7))
    b.channel("body", "m2", "acceleration", "m/s^2", "", [(Source.ACCELERATION, "x2", 1.0)])
    b.channel("shaft", "k2", "torque", "N", "", [(Source.FORCE, "k2.x", 2.0)])
    b.channel("body", "m1", "speed", "m/s", "", [(Source.SPEED, "x1", 1.0), (Source.ONE, "", 5.0)])
    return b.build(Provenance())


FREQUENCY = np.array([0.0, 0.5, 2.1, 2.9, 3.4, 10.0])


def closed_form(w):
    """Receptances x1/F1, x2/F1 of the two-mass chain (Den Hartog)."""
    z1, z2 = 800.0 + 3.0j * w, 150.0 + 0.7j * w
    det = (z1 + z2 - 2.0 * w**2) * (z2 - 0.5 * w**2) - z2**2
    return (z2 - 0.5 * w**2) / det, z2 / det, z1, z2


def test_force_on_a_coordinate():
    w = 2 * np.pi * FREQUENCY
    x1, x2, _, z2 = closed_form(w)
    found = response(chain(), "x1", ["x1", "x2", "k2.torque", "m2.acceleration", "m1.speed", "k1.x"], FREQUENCY)
    np.testing.assert_allclose(found["x1"], x1, rtol=1e-11)
    np.testing.assert_allclose(found["x2"], x2, rtol=1e-11)
    np.testing.assert_allclose(found["k2.torque"], 2 * z2 * (x2 - x1), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found["m2.acceleration"], -(w**2) * x2, rtol=1e-11)
    np.testing.assert_allclose(found["m1.speed"], 1j * w * x1, rtol=1e-11)
    np.testing.assert_allclose(found["k1.x"], (800.0 + 3.0j * w) * x1, rtol=1e-11)


def test_displacement_of_a_row():
    """An error e in the first row is a force -z1 e on x1; the row's own force is z1 (x1 + e)."""
    w = 2 * np.pi * FREQUENCY
    x1, x2, z1, _ = closed_form(w)
    found = response(chain(), "k1.x", ["x2", "k1.x"], FREQUENCY)
    np.testing.assert_allclose(found["x2"], -z1 * x2, rtol=1e-10)
    np.testing.assert_allclose(found["k1.x"], z1 * (1 - z1 * x1), rtol=1e-8, atol=1e-8)


def test_displacement_of_a_prescribed_base():
    w = 2 * np.pi * FREQUENCY
    _, x2, z1, _ = closed_form(w)
    found = response(chain(prescribed=True), "base", ["x2", "base"], FREQUENCY)
    np.testing.assert_allclose(found["x2"], z1 * x2, rtol=1e-10)
    np.testing.assert_allclose(found["base"], 1.0, rtol=1e-12)


def test_free_train_at_low_frequency():
    """Two inertias: T on the first gives theta1 = -T/(w^2 (J1 + J2)) and shaft torque T J2/(J1 + J2) as w -> 0."""
    b = Builder()
    for name, inertia in (("a", 3e6), ("b", 5e2)):
        b.coordinate(name)
        b.inertia(inertia, {name: 1})
    b.row("shaft.torsion", {"a": 1, "b": -1}, Spring(1e9))
    system = b.build(Provenance())
    w = 2 * np.pi * 1e-3
    found = response(system, "a", ["a", "shaft.torsion"], [1e-3])
    assert found["a"][0] == pytest.approx(-1 / (w**2 * 3000500.0), rel=1e-9)
    assert found["shaft.torsion"][0] == pytest.approx(500.0 / 3000500.0, rel=1e-6)
    with pytest.raises(ValueError, match="frequency zero"):
        response(system, "a", ["a"], [0.0])


def test_modal_is_direct_for_proportional_damping():
    b = Builder()
    for name, inertia in (("a", 1.0), ("b", 2.0), ("c", 0.5)):
        b.coordinate(name)
        b.inertia(inertia, {name: 1})
    for i, (row, k) in enumerate((({"a": 1, "b": -1}, 900.0), ({"b": 1, "c": -1}, 400.0))):
        b.row(f"s{i}.torsion", row, Spring(k, 2e-3 * k))
    system = b.build(Provenance())
    f = [0.3, 4.0, 9.0]
    direct = response(system, "a", ["c", "s1.torsion"], f)
    modal = response(system, "a", ["c", "s1.torsion"], f, method="modal")
    np.testing.assert_allclose(modal.values, direct.values, rtol=1e-11)
    fewer = response(system, "a", ["c"], [0.3], method="modal", modes=2)
    assert fewer.values[0, 0] == pytest.approx(direct.values[0, 0], rel=2e-2)


def test_against_time_integration():
    """Steady amplitude of x2 under cos(w t) on x1, from an independent right-hand side."""
    w = 2 * np.pi * 2.1

    def rhs(t, y):
        x1, x2, v1, v2 = y
        f2 = 150.0 * (x2 - x1) + 0.7 * (v2 - v1)
        return [v1, v2, (np.cos(w * t) - 800.0 * x1 - 3.0 * v1 + f2) / 2.0, -f2 / 0.5]

    end = 150 * 2 * np.pi / w
    times = end + np.linspace(0, 2 * np.pi / w, 33)[:-1]
    run = solve_ivp(rhs, (0, times[-1]), np.zeros(4), method="DOP853", t_eval=times, rtol=1e-10, atol=1e-13)
    value = 2 * np.mean(run.y[1] * np.exp(-1j * w * times))
    assert response(chain(), "x1", ["x2"], [2.1]).values[0, 0] == pytest.approx(value, rel=1e-6)


def test_unknown_names():
    with pytest.raises(ValueError, match="neither a coordinate nor a row"):
        response(chain(), "x9", ["x1"], [1.0])
    with pytest.raises(ValueError, match=r"there are m2\.acceleration"):
        response(chain(), "x1", ["x9"], [1.0])
