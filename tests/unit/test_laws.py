"""Laws against their closed forms, called the way engines call them."""

import math

import numpy as np
import pytest

from gearwright.laws.backlash import backlash
from gearwright.laws.clearance import clearance, is_even, uneven_clearance
from gearwright.laws.floating import floating
from gearwright.laws.machine import torque_table
from gearwright.laws.mesh_cycle import (
    constant_curve,
    fourier_curve,
    level_curve,
    mesh_cycle,
    mirrored,
    sampled_curve,
    shifted,
)
from gearwright.laws.turning import turning_coupling, turning_gravity, turning_support
from gearwright.laws.two_level import two_level
from gearwright.system import Builder, Provenance, Row


def system_of(law):
    """A system that carries one law on coordinates of its own, so that it can be called."""
    builder = Builder()
    for i in range(law.rows + law.senses):
        builder.coordinate(f"x{i}")
        builder.inertia(1.0, {f"x{i}": 1.0})
    rows = [Row(f"r{i}", {f"x{i}": 1.0}) for i in range(law.rows)]
    senses = [Row(f"s{i}", {f"x{law.rows + i}": 1.0}) for i in range(law.senses)]
    builder.block("law", rows, law, senses)
    return builder.build(Provenance())


def force(law, d, dv=None):
    system = system_of(law)
    dv = np.zeros(len(d)) if dv is None else np.asarray(dv, float)
    return system.law_force(0, np.asarray(d, float), dv, np.zeros(1))


@pytest.mark.parametrize(
    "phase, level", [(0.0, 6e9), (0.39, 6e9), (0.41, 3e9), (0.999, 3e9), (17.2, 6e9), (-0.5, 3e9), (-0.7, 6e9)]
)
def test_two_level_takes_the_level_of_the_phase(phase, level):
    assert force(two_level(6e9, 3e9, 0.0, 0.4), [1e-6, phase])[0] == pytest.approx(level * 1e-6, rel=1e-12)


def test_two_level_damping_is_constant_and_the_mean_is_weighted():
    law = two_level(6e9, 3e9, 2e4, 0.4)
    assert force(law, [0.0, 0.1], [0.5, 0.0])[0] == pytest.approx(1e4)
    assert force(law, [0.0, 0.9], [0.5, 0.0])[0] == pytest.approx(1e4)
    assert law.mean == ((0.4 * 6e9 + 0.6 * 3e9,), (2e4,))


@pytest.mark.parametrize("bad", [(0.0, 1e9, 0.0, 0.5), (1e9, 1e9, -1.0, 0.5), (1e9, 1e9, 0.0, 1.0)])
def test_two_level_refuses_impossible_values(bad):
    with pytest.raises(ValueError, match="two-level"):
        two_level(*bad)


def test_backlash_presses_on_one_flank_and_never_pulls():
    law = backlash(1e9, 1e4, 1e-4)
    assert force(law, [1e-6, -1e-6]) == pytest.approx([1e3, 0.0])
    assert force(law, [-5e-5, 5e-5]) == pytest.approx([0.0, 0.0])
    assert force(law, [-1.01e-4, 1.01e-4]) == pytest.approx([0.0, 1e3])


@pytest.mark.parametrize("phase", [0.05, 0.3, 0.469, 0.471, 0.9, 3.25, -0.3])
def test_sampled_curve_keeps_its_jumps(phase):
    grid = np.arange(200) / 200
    values = np.where(grid < 0.47, 6e9 + 1e8 * grid, 3e9 - 2e8 * grid)
    law = mesh_cycle(sampled_curve(values, (0.0, 0.47)), 0.0)
    x = phase % 1.0
    want = 6e9 + 1e8 * x if x < 0.47 else 3e9 - 2e8 * x
    assert force(law, [1e-6, phase])[0] == pytest.approx(want * 1e-6, rel=1e-9)


def test_fourier_curve_is_its_series():
    law = mesh_cycle(fourier_curve(5e9, [(1, 1e9, 0.2), (2, 2e8, 1.0)]), 0.0)
    for x in np.linspace(-2, 2, 41):
        want = 5e9 + 1e9 * math.cos(2 * math.pi * x + 0.2) + 2e8 * math.cos(4 * math.pi * x + 1.0)
        assert force(law, [1e-6, x])[0] == pytest.approx(want * 1e-6, rel=1e-7)


def test_coast_flank_meets_the_curve_backwards():
    """A pair that enters at 0 and leaves at the contact ratio: the coast flank runs through it from its exit."""
    grid = np.arange(200) / 200
    values = np.where(grid < 0.47, 6e9 + 1e8 * grid, 3e9 - 2e8 * grid)
    drive = sampled_curve(values, (0.0, 0.47))
    coast = shifted(mirrored(drive, 1.47), 0.2)
    law = mesh_cycle(drive, 0.0, coast=coast, backlash=1e-4)
    for phase in (0.05, 0.3, 0.9):
        at = (1.47 - (phase + 0.2)) % 1.0
        k = 6e9 + 1e8 * at if at < 0.47 else 3e9 - 2e8 * at
        assert force(law, [-2e-4, 2e-4, phase]) == pytest.approx([0.0, k * 1e-4], rel=1e-9)


@pytest.mark.parametrize("corners", [False, True])
def test_a_smooth_curve_keeps_its_shift(corners):
    """Of the coast flank, beside a smooth drive flank and one with corners; of the drive flank; energy and force agree.

    The spline of 64 points a harmonic errs by (2 pi / 64)^4 / 384 of the amplitude, 2.4e-7, and cutting it elsewhere by less.
    """

    def course(x):
        return 5e9 + 1e9 * math.cos(2 * math.pi * x + 0.2)

    smooth, phases = fourier_curve(5e9, [(1, 1e9, 0.2)]), (0.05, 0.3, 0.62, 0.9, 3.4, -1.2)
    drive = level_curve(6e9, 4e9, 0.4) if corners else smooth
    law = mesh_cycle(drive, 0.0, coast=shifted(smooth, 0.3), backlash=1e-4)
    alone = mesh_cycle(shifted(smooth, 0.3), 0.0)
    for phase in phases:
        k = course(phase + 0.3)
        assert force(law, [-2e-4, 2e-4, phase]) == pytest.approx([0.0, k * 1e-4], rel=1e-6)
        assert force(alone, [1e-6, phase])[0] == pytest.approx(k * 1e-6, rel=1e-6)
        piece = 2 * math.floor(phase) + (phase % 1.0 >= 0.4) if corners else math.floor(phase)
        mode = (piece << 2) + 2  # the coast flank carries
        assert law.energy([-2e-4, 2e-4, phase], [0.0] * 3, (), mode) == pytest.approx(0.5 * k * 1e-8, rel=1e-6)
        assert alone.energy([1e-6, phase], [0.0] * 2, (), 0) == pytest.approx(0.5 * k * 1e-12, rel=1e-6)


def test_transmission_error_moves_the_flank():
    law = mesh_cycle(constant_curve(1e9), 1e3, excitations=[(0, 2.0, 1e-6, 0.3)], senses=1)
    x, rate = 0.37, 12.0
    angle = 4 * math.pi * x + 0.3
    want = 1e9 * (5e-6 - 1e-6 * math.sin(angle)) + 1e3 * (0.1 - 1e-6 * 4 * math.pi * rate * math.cos(angle))
    assert force(law, [5e-6, x], [0.1, rate])[0] == pytest.approx(want, rel=1e-12)


def test_levels_as_a_curve_equal_the_two_level_law():
    curve, level = mesh_cycle(level_curve(6e9, 3e9, 0.4), 1e3), two_level(6e9, 3e9, 1e3, 0.4)
    assert curve.mean == level.mean
    for phase in (0.1, 0.5, 2.2, -0.1):
        assert force(curve, [1e-6, phase], [0.1, 0.0]) == pytest.approx(force(level, [1e-6, phase], [0.1, 0.0]))


def test_mesh_stiffness_must_be_positive():
    with pytest.raises(ValueError, match="positive"):
        mesh_cycle(fourier_curve(1e9, [(1, 2e9, 0.0)]), 0.0)


def test_clearance_is_free_inside_and_radial_outside():
    law = clearance(1e8, 0.0, 1e-4)
    assert force(law, [6e-5, 7e-5]) == pytest.approx([0.0, 0.0])
    f = force(law, [3e-4, 4e-4])
    assert np.hypot(*f) == pytest.approx(1e8 * 4e-4)
    assert f[1] / f[0] == pytest.approx(4 / 3)


UNEVEN = (1.7e9, 2e8, 1.1e9)


def test_a_stiffness_is_even_to_round_off():
    """A mean over directions leaves round-off beside the diagonal, which makes no direction stiffer."""
    assert is_even((3.0e9, 2e-7, 3.0e9 + 1e-6)) and is_even((0.0, 0.0, 0.0))
    assert not is_even((3.0e9, 3e7, 3.0e9)) and not is_even((3.0e9, 0.0, 3.1e9))


def test_an_uneven_clearance_is_even_or_closed_where_it_should_be():
    d, rate = [3e-4, -2e-4], [0.01, 0.02]
    closed = force(uneven_clearance(UNEVEN, (0.0, 0.0), 0.0), d)
    assert closed == pytest.approx([1.7e9 * d[0] + 2e8 * d[1], 2e8 * d[0] + 1.1e9 * d[1]], rel=1e-12)
    even = force(uneven_clearance((1e9, 0.0, 1e9), (5e4, 5e4), 1e-4), d, rate)
    assert even == pytest.approx(force(clearance(1e9, 5e4, 1e-4), d, rate), rel=1e-12)
    assert force(uneven_clearance(UNEVEN, (0.0, 0.0), 1e-4), [6e-5, 7e-5]) == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("turning", [False, True])
def test_the_force_of_an_uneven_clearance_is_the_slope_of_its_energy(turning):
    law = uneven_clearance(UNEVEN, (0.0, 0.0), 1e-4, turning)
    h = 1e-9
    for d in ([3e-4, -2e-4], [1.2e-4, 0.1e-4], [-2e-4, 4e-4]):
        more = [0.7] if turning else []
        slope = [
            (law.energy([d[0] + (h if i == 0 else 0), d[1] + (h if i == 1 else 0), *more], None, None, None)
             - law.energy([d[0] - (h if i == 0 else 0), d[1] - (h if i == 1 else 0), *more], None, None, None)) / (2 * h)
            for i in (0, 1)
        ]  # fmt: skip
        assert force(law, [*d, *more]) == pytest.approx(slope, rel=1e-5)  # central differences of a cubic, h/d 1e-5


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0])
def test_a_turning_clearance_is_the_standing_one_rotated(angle):
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    d, rate = np.array([3e-4, -2e-4]), np.array([1e-3, 2e-3])
    standing = force(uneven_clearance(UNEVEN, (1e4, 2e4), 1e-4), [*d], [*rate])
    seen = force(uneven_clearance(UNEVEN, (1e4, 2e4), 1e-4, True), [*(turn.T @ d), angle], [*(turn.T @ rate), 0.0])
    assert turn @ np.array(seen) == pytest.approx(standing, rel=1e-12)


def test_floating_member_shares_equally_among_three_whatever_the_stiffness():
    """Physics notes 9: N = 3 gives N^2 / sum(1/k), 4.135 for k = 1, 1.7, 1.7 against the plain sum of 4.4."""
    k = np.array([[1.0, 1.7, 1.7]]) * 1e9
    angles = 2 * np.pi * np.arange(3) / 3
    directions = np.column_stack([-np.sin(angles), np.cos(angles)])
    f = force(floating([0.0], k, 0.0, directions), [1e-6, 1e-6, 1e-6, 0.0])
    assert f == pytest.approx([f[0]] * 3, rel=1e-12)
    assert f.sum() / 1e-6 == pytest.approx(9.0 / (1 / k[0]).sum(), rel=1e-12)
    assert f.sum() / 1e-6 == pytest.approx(4.135e9, rel=2e-4)


def test_floating_force_has_no_resultant():
    rng = np.random.default_rng(1)
    angles = 2 * np.pi * np.arange(5) / 5
    directions = np.column_stack([-np.sin(angles), np.cos(angles)])
    f = force(floating([0.0], rng.uniform(1e9, 3e9, (1, 5)), 0.0, directions), [*rng.normal(0, 1e-6, 5), 0.0])
    assert f @ directions == pytest.approx([0.0, 0.0], abs=1e-9 * np.abs(f).max())


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, -1.3])
def test_turning_laws_are_the_standing_ones_rotated(angle):
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    d = np.array([1e-5, -2e-5])
    block = np.array([[1e8, 2e7], [2e7, 4e8]])
    f = force(turning_support(1e8, 2e7, 4e8, 0.0, 0.0), [*d, angle])
    assert f == pytest.approx(turn.T @ block @ turn @ d)
    weight = force(turning_gravity(200.0, -1000.0), [0.0, 0.0, angle])
    assert -weight == pytest.approx(turn.T @ np.array([200.0, -1000.0]))
    both = force(turning_coupling(1e8, 0.0), [*d, 2e-5, 1e-5, angle, 0.0])
    stretch = 1e8 * (turn @ d - np.array([2e-5, 1e-5]))
    assert both == pytest.approx([*(turn.T @ stretch), *(-stretch)])


def test_torque_table_meets_its_points_and_holds_outside():
    law = torque_table([0.0, 10.0, 20.0, 30.0], [0.0, -50.0, -80.0, -90.0], at=10.0)
    for speed, torque in ((0.0, 0.0), (10.0, -50.0), (20.0, -80.0), (45.0, -90.0), (-5.0, 0.0)):
        assert -force(law, [0.0], [speed])[0] == pytest.approx(torque, abs=0.05)


@pytest.mark.parametrize(
    "law",
    [two_level(6e9, 3e9, 0.0, 0.4), backlash(1e9, 0.0, 1e-4), mesh_cycle(fourier_curve(5e9, [(1, 1e9, 0.0)]), 0.0)],
)
def test_stored_energy_is_the_integral_of_the_force(law):
    start = np.zeros(law.rows + law.senses)
    start[0] = 3e-6
    if law.rows == 2:
        start[1] = -3e-6
    h = 1e-9
    up, down = start.copy(), start.copy()
    up[0] += h
    down[0] -= h
    mode = 1 if law.rows == 2 else 0
    slope = (law.energy(up, None, None, mode) - law.energy(down, None, None, mode)) / (2 * h)
    assert slope == pytest.approx(force(law, start)[0], rel=1e-6)
