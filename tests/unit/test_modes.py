"""Modes: normalisation, energies, poles, damping, constraints, turning frames."""

import numpy as np
import pytest

from gearwright.laws.gyroscopic import gyroscopic
from gearwright.solve.steady.modes import mac, modes
from gearwright.system import Builder, Friction, Hard, Provenance, Row, Spring, State, constant


def chain(dampers=(0.0, 0.0, 0.0), ground=0.0, extra=None):
    """Four unequal inertias in line, optionally one held by a spring."""
    b = Builder()
    for i, inertia in enumerate((5.0, 1.0, 2.0, 0.3)):
        b.coordinate(f"c{i}", 0.5)
        b.inertia(inertia, {f"c{i}": 1})
    for i, k in enumerate((1e4, 3e4, 2e4)):
        b.row(f"s{i}.torsion", {f"c{i}": 1, f"c{i + 1}": -1}, Spring(k, dampers[i]))
    if ground:
        b.row("ground.torsion", {"c0": 1}, Spring(ground))
    if extra:
        extra(b)
    return b.build(Provenance())


def test_shapes_are_mass_normalised_and_solve_the_problem():
    system = chain()
    found = modes(system)
    mass, k, _ = system.linear()
    np.testing.assert_allclose(found.shapes.T @ mass @ found.shapes, np.eye(4), atol=1e-12)
    w2 = (2 * np.pi * found.frequencies_hz) ** 2
    np.testing.assert_allclose(k @ found.shapes, mass @ found.shapes * w2, atol=1e-8 * w2[-1])
    assert found.rigid == 1 and found.frequencies_hz[0] == 0.0
    np.testing.assert_allclose(found.shapes[:, 0], 1 / np.sqrt(8.3), rtol=1e-14)
    assert np.isnan(found.damping_ratios[0])
    np.testing.assert_allclose(found.strain_shares[1:].sum(axis=1), 1.0)
    np.testing.assert_allclose(found.strain_shares[0], 0.0)
    np.testing.assert_allclose(found.kinetic_shares.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.kinetic_shares[0], np.array([5, 1, 2, 0.3]) / 8.3)


def test_poles_have_no_double_zero_trouble():
    """Undamped free train: zero twice, exactly, and the rest on the imaginary axis."""
    found = modes(chain())
    assert (found.poles == 0).sum() == 2
    w = 2 * np.pi * found.frequencies_hz[1:]
    np.testing.assert_allclose(np.sort(found.poles.imag[found.poles.imag > 0]), w, rtol=1e-10)


def test_proportional_damping_is_classical_and_may_exceed_one():
    beta = 0.05
    found = modes(chain(tuple(beta * k for k in (1e4, 3e4, 2e4))))
    w = 2 * np.pi * found.frequencies_hz[1:]
    np.testing.assert_allclose(found.damping_ratios[1:], beta * w / 2, rtol=1e-9)
    assert found.damping_ratios[-1] > 1
    assert found.damping_from == ("rigid", "classical", "classical", "classical")
    overdamped = beta * w[-1] / 2
    slow = -w[-1] * (overdamped - np.sqrt(overdamped**2 - 1))
    assert np.abs(found.poles - slow).min() < 1e-6 * abs(slow)


def test_single_damper_takes_the_pole():
    """Poles of the quadratic pencil by numpy alone; the ratio is -Re/abs of the pole near each mode."""
    system = chain((30.0, 0.0, 0.0))
    found = modes(system)
    mass, k, c = system.linear()
    zero = np.zeros((4, 4))
    expected = np.linalg.eigvals(np.block([[zero, np.eye(4)], [-np.linalg.solve(mass, k), -np.linalg.solve(mass, c)]]))
    up = expected[expected.imag > 1e-3]
    up = up[np.argsort(up.imag)]
    np.testing.assert_allclose(found.damping_ratios[1:], -up.real / np.abs(up), rtol=1e-7)
    assert found.damping_from[1:] == ("pole",) * 3


def test_slip_machine_splits_the_double_zero():
    """Rigid body of inertia 8.3 on a slope c: poles 0 and about -c / J."""
    found = modes(chain(extra=lambda b: b.row("slope.speed", {"c0": 1}, Spring(0.0, 0.01, 3.0))))
    real = np.sort(np.abs(found.poles[np.abs(found.poles) < 1.0]))
    assert real[0] == 0.0
    assert real[1] == pytest.approx(0.01 / 8.3, rel=1e-3)
    assert found.frequencies_hz[0] == 0.0


def test_steep_machine_slope_holds_its_end():
    """A generator on a steep slope hardly moves: the rotor swings on the shaft, damped by what still yields."""
    b = Builder()
    for name, inertia in (("rotor", 100.0), ("generator", 10.0)):
        b.coordinate(name)
        b.inertia(inertia, {name: 1})
    k, slope = 4e4, 1e6
    b.row("shaft.torsion", {"rotor": 1, "generator": -1}, Spring(k))
    b.row("machine.slope", {"generator": 1}, Spring(0.0, slope))
    found = modes(b.build(Provenance()))
    # characteristic equation without the free rotation: J1 J2 s^3 + J1 c s^2 + k (J1 + J2) s + k c = 0
    roots = np.roots([100.0 * 10.0, 100.0 * slope, k * 110.0, k * slope])
    pole = roots[roots.imag > 0][0]
    assert abs(pole) == pytest.approx(20.0, rel=1e-3)
    assert found.damping_from == ("rigid", "pole")
    assert found.damping_ratios[1] == pytest.approx(-pole.real / abs(pole), rel=1e-6)


def test_prescribed_coordinate_is_a_base():
    def hold(b):
        b.prescribe("c0", b.signal("speed", constant(2.0)))

    found = modes(chain(extra=hold))
    stiff = modes(chain(ground=1e12))
    assert found.count == 3 and found.rigid == 0
    np.testing.assert_allclose(found.frequencies_hz, stiff.frequencies_hz[:3], rtol=1e-6)
    np.testing.assert_allclose(found.shapes[0], 0.0, atol=1e-14)


def test_hard_row_and_sticking_friction_hold():
    """A rigid joint between c1 and c2 makes one inertia of 3; a sticking clutch does the same."""
    b = Builder()
    for name, inertia in (("a", 5.0), ("b", 3.0), ("c", 0.3)):
        b.coordinate(name)
        b.inertia(inertia, {name: 1})
    b.row("s0.torsion", {"a": 1, "b": -1}, Spring(1e4))
    b.row("s2.torsion", {"b": 1, "c": -1}, Spring(2e4))
    expected = modes(b.build(Provenance())).frequencies_hz

    def joint(b):
        b.row("joint.torsion", {"c1": 1, "c2": -1}, Hard())

    def clutch(b):
        b.row("clutch.torsion", {"c1": 1, "c2": -1}, Friction(cap=10.0))

    np.testing.assert_allclose(modes(chain(extra=joint)).frequencies_hz, expected, rtol=1e-9)
    system = chain(extra=clutch)
    state = State.start(system)
    state.friction[:] = 0
    np.testing.assert_allclose(modes(system, state=state).frequencies_hz, expected, rtol=1e-9)
    np.testing.assert_allclose(modes(system).frequencies_hz, modes(chain()).frequencies_hz, rtol=1e-12)


def test_mac():
    a, b = modes(chain()), modes(chain(ground=50.0))
    np.testing.assert_allclose(mac(a, a), np.eye(4), atol=1e-12)
    assert (np.diag(mac(a, b))[1:] > 0.99).all()
    with pytest.raises(ValueError, match="no coordinate in common"):
        other = Builder()
        other.coordinate("x")
        other.inertia(1.0, {"x": 1})
        mac(a, modes(other.build(Provenance())))


def turning_mass(k=400.0, damping=0.0):
    """A mass of 1 kg on an isotropic spring in a frame that turns with ``frame``."""
    b = Builder()
    for name, mass in (("frame", 10.0), ("m.y", 1.0), ("m.z", 1.0)):
        b.coordinate(name)
        b.inertia(mass, {name: 1})
    rows = [Row("m.inertia_y", {"m.y": 1}), Row("m.inertia_z", {"m.z": 1})]
    senses = [Row("m.dy", {"m.y": 1}), Row("m.dz", {"m.z": 1}), Row("m.angle", {"frame": 1})]
    b.block("m.inertia", rows, gyroscopic(1.0, 0.0, 0.0), senses)
    for part in "yz":
        b.row(f"support.{part}", {f"m.{part}": 1}, Spring(k, damping))
    return b.build(Provenance())


def test_turning_frame_splits_a_pair():
    """Seen from a frame at speed W the free circles of 20 rad/s appear at 20 - W and 20 + W."""
    still = modes(turning_mass())
    np.testing.assert_allclose(2 * np.pi * still.frequencies_hz, [0, 20, 20], rtol=1e-12)
    found = modes(turning_mass(), speed=3.0)
    np.testing.assert_allclose(2 * np.pi * found.frequencies_hz, [0, 17, 23], rtol=1e-7)
    assert found.frequencies_hz[0] == 0.0
    # circles: z = +-i y
    np.testing.assert_allclose(np.abs(found.shapes[1, 1:]), np.abs(found.shapes[2, 1:]), rtol=1e-6)
    np.testing.assert_allclose(found.damping_ratios[1:], 0.0, atol=1e-9)


def test_turning_frame_by_given_matrices():
    """The same from matrices handed in: G = 2 m W J, N = -m W^2."""
    w, g, n = 3.0, np.zeros((3, 3)), np.zeros((3, 3))
    g[1, 2], g[2, 1] = -2 * w, 2 * w
    n[1, 1] = n[2, 2] = -(w**2)
    found = modes(turning_mass(), gyroscopic=g, stiffness=n)
    np.testing.assert_allclose(2 * np.pi * found.frequencies_hz, [0, 17, 23], rtol=1e-9)


def test_damper_that_turns_with_the_frame():
    """With r = y + i z: r'' + (2 i W + c) r' + (k - W^2) r = 0."""
    w, c, k = 3.0, 1.0, 400.0
    found = modes(turning_mass(k, c), speed=w)
    exact = np.roots([1.0, 2j * w + c, k - w**2])
    for root in exact:
        assert np.abs(found.poles - root).min() < 1e-6
    ratios = np.sort(-exact.real / np.abs(exact))
    np.testing.assert_allclose(np.sort(found.damping_ratios[1:]), ratios, rtol=1e-6)


def test_speed_needs_something_that_turns():
    with pytest.raises(ValueError, match="nothing turns"):
        modes(chain(ground=5.0), speed=1.0)


def test_low_modes_are_right_to_all_digits_beside_a_coordinate_without_mass():
    """A mass on two springs in series with nothing between them but 1e-12 kg: the closed form of the series, whatever the
    linear algebra does at round-off of the highest frequency, 1e12 times as high in the square."""
    b = Builder()
    for name, mass in (("load", 2.0), ("joint", 1e-12)):
        b.coordinate(name, 1.0)
        b.inertia(mass, {name: 1})
    b.row("near.x", {"load": 1, "joint": -1}, Spring(3e4))
    b.row("far.x", {"joint": 1}, Spring(6e4))
    found = modes(b.build(Provenance()))
    low = np.sqrt(2e4 / 2.0) / (2 * np.pi)
    assert found.frequencies_hz[0] == pytest.approx(low, rel=1e-11)
    assert np.abs(found.shapes[:, 0]) == pytest.approx(np.array([1.0, 1 / 3]) / np.sqrt(2.0), rel=1e-11)
