"""Nyström's method of the explicit engine: order conditions, closed forms, and vibrations against Dormand and Prince."""

import math

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.special import ellipj, ellipk

from gearwright.kernels import force
from gearwright.solve.runge_kutta import fill as explicit_fill
from gearwright.solve.runge_kutta import nystrom as M
from gearwright.solve.runge_kutta import nystrom as explicit_nystrom
from gearwright.solve.runge_kutta import step as explicit_step
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.system import Builder, Law, Provenance, Row, Source, Spring, State, constant, sine, step

C = np.array([0.0, M.C2, M.C3, M.C4])
PLACES = np.array([[0, 0, 0, 0], [M.P21, 0, 0, 0], [M.P31, M.P32, 0, 0], [M.P41, M.P42, M.P43, 0]])
SPEEDS = np.array([[0, 0, 0, 0], [M.A21, 0, 0, 0], [M.A31, M.A32, 0, 0], [M.A41, M.A42, M.A43, 0]])
P = np.array([M.P1, M.P2, M.P3, M.P4])
B = np.array([M.B1, M.B2, M.B3, M.B4])


def run(system, interval, steps, tolerance):
    engine, state = ExplicitEngine(), State.start(system)
    plan = engine.prepare(system, system.channels, interval, tolerance)
    return engine.advance(plan, state, steps).lines, state, plan


def closure(system, state):
    change = system.kinetic_energy(state.v) - system.kinetic_energy(system.v0)
    works = [state.input_work, state.reaction_work, -state.row_work]
    return abs(change - sum(w.sum() for w in works)) / (sum(np.abs(w).sum() for w in works) + abs(change))


def test_order_conditions():
    """Hairer, Nørsett, Wanner, II.14 (3.1 to 3.6): fifth order without speeds; with them the fourth but for one."""
    assert PLACES.sum(axis=1) == pytest.approx(0.5 * C**2)
    assert SPEEDS.sum(axis=1) == pytest.approx(C)
    assert pytest.approx(B * (1.0 - C)) == P
    for k in range(5):
        assert B @ C**k == pytest.approx(1.0 / (k + 1))
    moved = PLACES @ C
    assert [B @ moved, B @ (C * moved), B @ PLACES @ C**2] == pytest.approx([1 / 24, 1 / 30, 1 / 60])
    assert pytest.approx([1 / 6, 1 / 8, 1 / 12]) == [B @ SPEEDS @ C, B @ (C * (SPEEDS @ C)), B @ SPEEDS @ C**2]
    assert pytest.approx(1 / 20) == B @ SPEEDS @ SPEEDS @ C
    # the error: nothing for polynomials of third degree, the fourth derivative over 4! beyond
    nodes, weights = np.append(C, 1.0), np.array([M.D1, M.D2, M.D3, M.D4, M.D5])
    assert [weights @ nodes**k for k in range(5)] == pytest.approx([0.0, 0.0, 0.0, 0.0, 1.0], abs=1e-12)


def phase_error(advance, turn, damping):
    """Error of one step of an oscillator of unit frequency, over its length: of the logarithm of its eigenvalue."""
    step = np.column_stack([advance(turn, damping, start) for start in np.eye(2)])
    exact = np.exp(turn * complex(-damping, math.sqrt(1.0 - damping**2)))
    found = np.linalg.eigvals(step)
    return abs(np.log(found[np.argmin(abs(found - exact))] / exact)) / turn


def by_nystrom(turn, damping, start):
    q, v = start
    a = np.zeros(4)
    for i in range(4):
        at = q + turn * (C[i] * v + turn * PLACES[i] @ a)
        a[i] = -at - 2.0 * damping * (v + turn * SPEEDS[i] @ a)
    return q + turn * (v + turn * P @ a), v + turn * B @ a


def by_dormand_prince(turn, damping, start):
    s = explicit_step
    matrix = turn * np.array([[0.0, 1.0], [-1.0, -2.0 * damping]])
    rows = [(), (s.A21,), (s.A31, s.A32), (s.A41, s.A42, s.A43), (s.A51, s.A52, s.A53, s.A54),
            (s.A61, s.A62, s.A63, s.A64, s.A65)]  # fmt: skip
    k = []
    for row in rows:
        k.append(matrix @ (start + sum((a * x for a, x in zip(row, k, strict=True)), np.zeros(2))))
    return start + s.B1 * k[0] + s.B3 * k[2] + s.B4 * k[3] + s.B5 * k[4] + s.B6 * k[5]


def test_vibrations_at_equal_work():
    """One radian in five evaluations: what the module says, and that it pays."""
    for damping, most in ((0.0, 3e-5), (0.02, 5e-5), (0.06, 8e-5)):
        four, six = phase_error(by_nystrom, 0.8, damping), phase_error(by_dormand_prince, 1.2, damping)
        assert four < most
        assert six > 10.0 * four
        assert six == pytest.approx(1e-3, rel=0.2)


@force
def hardening_force(t, d, dv, p, z, s, mode, f, zd):
    f[0] = p[0] * d[0] + p[1] * d[0] ** 3


@force
def lag_force(t, d, dv, p, z, s, mode, f, zd):
    """First-order lag of the rate; the row pulls with the lagged rate."""
    zd[0] = (dv[0] - z[0]) / p[0]
    f[0] = p[1] * z[0]


def test_fifth_order_on_a_hardening_spring():
    """Free vibration of Duffing's oscillator: x = A cn(W t - K, m) with W^2 = k + c A^2, m = c A^2/(2 W^2)."""
    k, c, size = 4e4, 4e10, 1e-3
    w = math.sqrt(k + c * size**2)
    m = 0.5 * c * size**2 / w**2
    b = Builder()
    b.coordinate("x")
    b.inertia(1.0, {"x": 1.0})
    b.block("spring", [Row("spring", {"x": 1.0})], Law(hardening_force, (k, c), mean=((k,), (0.0,))))
    b.channel("body", "x", "position", "m", "", [(Source.POSITION, "x", 1.0)])
    b.channel("body", "x", "speed", "m/s", "", [(Source.SPEED, "x", 1.0)])
    start = size * w * math.sqrt(1.0 - m)
    system = b.build(Provenance(), {"x": start})
    t = 7e-4 * np.arange(1, 201)
    sn, cn, dn, _ = ellipj(w * t - ellipk(m), m)
    assert t[-1] * w > 10.0 * ellipk(m)
    errors, steps = [], []
    for tolerance in (1e-3, 1e-5, 1e-7):
        lines, state, plan = run(system, 7e-4, 200, tolerance)
        speed = lines[:, 1] + size * w * sn * dn
        errors.append([np.abs(lines[:, 0] - size * cn).max() / size, np.abs(speed).max() / start])
        steps.append(plan.statistics["steps"])
        # nothing is loaded at the start, so that the tolerance is a part of a hundredth: ten times the amplitude
        assert max(errors[-1]) < 20.0 * 10.0 * tolerance
        assert closure(system, state) < 20.0 * 10.0 * tolerance
    orders = np.log(np.divide(errors[0], errors[2])) / math.log(steps[2] / steps[0])
    assert (orders > 4.5).all()


def test_a_damped_vibration_and_its_energy():
    """A tenth of critical damping under a load that jumps, at a loose tolerance, against the matrix exponential."""
    b = Builder()
    b.coordinate("x")
    b.inertia(2.0, {"x": 1.0})
    b.row("spring", {"x": 1.0}, Spring(8e4, 80.0))
    b.signal("load", step(0.031, 100.0, -50.0))
    b.input("x", "load")
    b.channel("body", "x", "position", "m", "", [(Source.POSITION, "x", 1.0)])
    system = b.build(Provenance())
    lines, state, _ = run(system, 1e-3, 100, 1e-3)
    t = 1e-3 * np.arange(1, 101)
    first = np.array([[0.0, 1.0, 0.0], [-4e4, -40.0, 0.5], [0.0, 0.0, 0.0]])
    at = expm(0.031 * first) @ [0.0, 0.0, 100.0]
    at[2] = -50.0
    exact = [expm(x * first)[0] @ [0, 0, 100.0] if x <= 0.031 else expm((x - 0.031) * first)[0] @ at for x in t]
    assert np.abs(lines[:, 0] - exact).max() < 5e-3 * np.std(exact)
    assert closure(system, state) < 1e-3


def test_states_of_laws_and_prescribed_speeds():
    """A lag by its closed form; the reaction carries its force."""
    b = Builder()
    b.coordinate("drive")
    b.inertia(3.0, {"drive": 1.0})
    b.signal("speed", step(0.1, 1.0, 3.0))
    b.prescribe("drive", "speed")
    b.block("lag", [Row("lag", {"drive": 1.0})], Law(lag_force, (0.05, 7.0), states=(0.0,)))
    b.channel("machine", "lag", "state", "", "", [(Source.STATE, "lag", 1.0)])
    system = b.build(Provenance())
    lines, state, _ = run(system, 5e-3, 60, 1e-4)
    t = 5e-3 * np.arange(1, 61)
    at = 1 - math.exp(-2.0)
    expected = np.where(t <= 0.1, 1 - np.exp(-t / 0.05), 3 + (at - 3) * np.exp(-(t - 0.1) / 0.05))
    assert np.abs(lines[:, 0] - expected).max() < 1e-3
    assert state.reaction_work[0] == pytest.approx(state.row_work[0] + 0.5 * 3.0 * (9 - 1), rel=1e-4)


def test_where_it_is_taken():
    """What is elastic and may not stick; four evaluations to a step."""
    b = Builder()
    b.coordinate("x")
    b.inertia(2.0, {"x": 1.0})
    b.row("spring", {"x": 1.0}, Spring(5e4, 10.0))
    b.signal("load", sine(3.0, 20.0))
    b.signal("rest", constant(1.0))
    b.input("x", "load")
    system = b.build(Provenance())
    for tolerance, method in (
        (1e-2, explicit_nystrom.METHOD),
        (1e-6, explicit_nystrom.METHOD),
        (1e-8, explicit_step.METHOD),
    ):
        assert explicit_fill.method(system, tolerance) is method
        _, _, plan = run(system, 1e-3, 20, tolerance)
        tried = plan.statistics["steps"] + plan.statistics["rejected"]
        assert 0 <= plan.statistics["evaluations"] - method.evaluations * tried <= 2
