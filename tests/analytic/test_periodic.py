"""Periodic steady state: a run from it repeats, checked by an independent integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gearwright.laws.backlash import backlash
from gearwright.laws.two_level import two_level
from gearwright.solve.steady.periodic import NoPeriod, periodic_start
from gearwright.solve.steady.static import equilibrium
from gearwright.system import Builder, Provenance, Row, Spring, constant

TEETH, SPEED = 25, 12.0


def stage(second=None, law=None, load=4000.0):
    """Motor, gear pair with two-level stiffness (radius 1, ratio 1), load on a shaft."""
    b = Builder()
    for name, inertia in (("a", 30.0), ("b", 20.0), ("c", 50.0)):
        b.coordinate(name)
        b.inertia(inertia, {name: 1})
    b.input("a", b.signal("Ta", constant(load)))
    b.input("c", b.signal("Tc", constant(-load)))
    turn = TEETH / (2 * np.pi)
    b.block("mesh", [Row("mesh.drive", {"a": 1, "b": -1})], two_level(3e8, 1.8e8, 4e3, 0.4),
            [Row("mesh.phase", {"a": turn}, 0.15)])  # fmt: skip
    b.row("shaft.torsion", {"b": 1, "c": -1}, Spring(2e7, 500.0))
    if second:
        b.block("extra", [Row("extra.drive", {"b": 1, "c": -1})], two_level(1e6, 0.5e6, 0.0, 0.4),
                [Row("extra.phase", {"a": second / (2 * np.pi)})])  # fmt: skip
    return b.build(Provenance(), {"a": SPEED, "b": SPEED, "c": SPEED})


def right_hand_side(t, y, k):
    (a, b, c), (va, vb, vc) = y[:3], y[3:]
    mesh = k * (a - b) + 4e3 * (va - vb)
    shaft = 2e7 * (b - c) + 500.0 * (vb - vc)
    return [va, vb, vc, (4000.0 - mesh) / 30.0, (mesh - shaft) / 20.0, (shaft - 4000.0) / 50.0]


def test_a_period_brings_it_back():
    system = stage()
    found = periodic_start(system)
    period = 2 * np.pi / (TEETH * SPEED)
    assert found.period == pytest.approx(period, rel=1e-12)
    assert found.pieces == 3
    start = np.concatenate([found.start.q, found.start.v - SPEED])
    y = start
    knots = np.array([0.0, 0.25, 0.85, 1.0]) * period  # phase 0.15 -> 0.4 -> 1.0 -> 1.15
    for begin, end, k in zip(knots[:-1], knots[1:], (3e8, 1.8e8, 3e8), strict=True):
        y = solve_ivp(right_hand_side, (begin, end), y, args=(k,), method="DOP853", rtol=1e-11, atol=1e-16).y[:, -1]
    for row in ((1, -1, 0), (0, 1, -1)):
        d0, d1 = np.dot(row, start[:3]), np.dot(row, y[:3])
        v0, v1 = np.dot(row, start[3:]), np.dot(row, y[3:])
        assert d1 == pytest.approx(d0, rel=1e-7)
        assert v1 == pytest.approx(v0, abs=1e-7 * np.abs(y[3:]).max())
    assert found.start.force("mesh.drive") == pytest.approx(
        3e8 * (start[0] - start[1]) + 4e3 * (start[3] - start[4]), rel=1e-9
    )


def test_it_is_not_the_mean_equilibrium():
    system = stage()
    mean = equilibrium(system).force("mesh.drive")
    assert mean == pytest.approx(4000.0, rel=1e-9)
    assert abs(periodic_start(system).start.force("mesh.drive") - mean) > 20.0


def test_common_period_of_two_meshes():
    """25 and 40 cycles per turn meet after a fifth of a turn: 5 and 8 cycles."""
    found = periodic_start(stage(second=40))
    assert found.period == pytest.approx(2 * np.pi / SPEED / 5, rel=1e-9)
    assert 20 <= found.pieces <= 2 * (5 + 8) + 1  # some corners coincide


def test_incommensurable_meshes_are_refused():
    with pytest.raises(NoPeriod, match="no common period"):
        periodic_start(stage(second=40 * np.sqrt(2)), most_pieces=500)


def test_nothing_periodic_is_the_equilibrium():
    b = Builder()
    for name in "ab":
        b.coordinate(name)
        b.inertia(1.0, {name: 1})
        b.input(name, b.signal(f"T{name}", constant(50.0 if name == "a" else -50.0)))
    rows = [Row("mesh.drive", {"a": 1, "b": -1}), Row("mesh.coast", {"a": -1, "b": 1})]
    b.block("mesh", rows, backlash(1e6, 0.0, 1e-4))
    found = periodic_start(b.build(Provenance()))
    assert found.period == 0.0
    assert found.start.force("mesh.drive") == pytest.approx(50.0)
