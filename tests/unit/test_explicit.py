"""The explicit engine: what it refuses, what it says, and its small dense algebra."""

import numpy as np
import pytest

from gearwright.kernels import force, kernel
from gearwright.kernels.pointers import f8, i8
from gearwright.solve.runge_kutta import table as T
from gearwright.solve.runge_kutta.engine import ExplicitEngine
from gearwright.solve.runge_kutta.friction import relax
from gearwright.solve.runge_kutta.multipliers import factorise, substitute
from gearwright.solve.runge_kutta.pointers import call_evaluate
from gearwright.system import Builder, Diverged, Friction, Hard, Law, Provenance, Row, Source, Spring, State, constant


def oscillator(act=None):
    b = Builder()
    b.coordinate("x")
    b.inertia(2.0, {"x": 1.0})
    b.row("spring", {"x": 1.0}, Spring(5e4, 10.0))
    if act is not None:
        b.row("other", {"x": 1.0}, act)
    b.signal("load", constant(3.0))
    b.input("x", "load")
    b.channel("body", "x", "position", "m", "", [(Source.POSITION, "x", 1.0)])
    return b.build(Provenance())


@force
def breaks_force(t, d, dv, p, z, s, mode, f, zd):
    """A law that gives up beyond p[1]."""
    f[0] = p[0] * d[0] if d[0] < p[1] else np.nan


@force
def runaway_force(t, d, dv, p, z, s, mode, f, zd):
    f[0] = -p[0] * d[0] ** 3


@kernel
def solve_with(a, b, pivot):
    n = b.shape[0]
    factorise(f8(a.ctypes.data), n, i8(pivot.ctypes.data))
    substitute(f8(a.ctypes.data), n, i8(pivot.ctypes.data), f8(b.ctypes.data))


@pytest.mark.parametrize("n", [1, 2, 7, 23])
def test_dense_solution(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, n)), rng.normal(size=n)
    a[0, 0] = 0.0 if n > 1 else a[0, 0]  # needs the pivot
    x = b.copy()
    solve_with(a.copy().ravel(), x, np.zeros(n, np.int64))
    assert x == pytest.approx(np.linalg.solve(a, b), rel=1e-9)


def test_soft_systems_carry_no_multipliers():
    soft = ExplicitEngine().prepare(oscillator())
    assert soft.table.slots[T.MARGINS] == 0 and soft.table.slots[T.SETTLE] == 0
    hard = ExplicitEngine().prepare(oscillator(Friction(cap=1.0)))
    assert hard.table.slots[T.MARGINS] != 0


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="positive"):
        ExplicitEngine().prepare(oscillator(), interval=0.0)
    with pytest.raises(ValueError, match="positive"):
        ExplicitEngine().prepare(oscillator(), tolerance=-1.0)


def test_friction_on_friction_is_refused():
    b = Builder()
    b.coordinate("x")
    b.inertia(1.0, {"x": 1.0})
    b.row("first", {"x": 1.0}, Friction(cap=1.0))
    b.row("second", {"x": 1.0}, Friction("first", 0.1, 0.1))
    system = b.build(Provenance())
    assert "'second'" in ExplicitEngine().refuses(system)
    with pytest.raises(ValueError, match="'second'"):
        ExplicitEngine().prepare(system)


def test_hard_row_on_prescribed_coordinates_is_refused():
    b = Builder()
    b.coordinate("x")
    b.inertia(1.0, {"x": 1.0})
    b.signal("speed", constant(1.0))
    b.prescribe("x", "speed")
    b.row("lock", {"x": 1.0}, Hard())
    assert "'lock'" in ExplicitEngine().refuses(b.build(Provenance()))


@pytest.mark.parametrize(
    "law, row", [(Law(breaks_force, (1e4, 1e-3)), "fragile"), (Law(runaway_force, (1e9,)), "fragile")]
)
def test_a_run_that_cannot_go_on_names_row_and_time(law, row):
    b = Builder()
    b.coordinate("x")
    b.inertia(1.0, {"x": 1.0})
    b.block("fragile", [Row("fragile", {"x": 1.0})], law)
    b.signal("load", constant(100.0))
    b.input("x", "load")
    system = b.build(Provenance())
    engine = ExplicitEngine()
    plan = engine.prepare(system, system.channels, 1e-3)
    state = State.start(system)
    with pytest.raises(Diverged, match=row) as caught:
        engine.advance(plan, state, 1000)
    assert caught.value.row == row and 0.0 < caught.value.time < 1.0
    assert np.isfinite(state.q).all() and state.t == caught.value.time


def test_chunks_join():
    system = oscillator()
    engine = ExplicitEngine()
    whole = engine.advance(engine.prepare(system, system.channels, 1e-3, 1e-9), State.start(system), 60)
    plan, state = engine.prepare(system, system.channels, 1e-3, 1e-9), State.start(system)
    parts = [engine.advance(plan, state, k) for k in (1, 7, 52)]
    assert np.concatenate([p.time for p in parts]) == pytest.approx(whole.time)
    assert np.abs(np.concatenate([p.lines for p in parts]) - whole.lines).max() < 1e-8 * np.abs(whole.lines).max()
    assert state.t == pytest.approx(0.06)


def test_dependent_hard_rows_are_named():
    b = Builder()
    for name in "ab":
        b.coordinate(name)
        b.inertia(1.0, {name: 1.0})
    b.row("one", {"a": 1.0, "b": -1.0}, Hard())
    b.row("again", {"a": -2.0, "b": 2.0}, Hard())
    assert ExplicitEngine().prepare(b.build(Provenance())).dependent == ("again",)


def heap(seed, rows, rank):
    """Friction rows at rest on bodies with inertias over four decades, loads of the size of the capacities."""
    rng = np.random.default_rng(seed)
    b = Builder()
    names = [b.coordinate(f"x{i}") for i in range(rank)]
    for name in names:
        b.inertia(10 ** rng.uniform(-2, 2), {name: 1.0})
        b.signal(f"load {name}", constant(rng.normal() * 2.0))
        b.input(name, f"load {name}")
        b.channel("body", name, "acceleration", "", "", [(Source.ACCELERATION, name, 1.0)])
    for j in range(rows):
        b.row(f"row{j}", dict(zip(names, rng.normal(size=rank), strict=True)), Friction(cap=rng.uniform(0.1, 2.0)))
        b.channel("shaft", f"row{j}", "force", "", "", [(Source.FORCE, f"row{j}", 1.0)])
    return b.build(Provenance())


def check_friction(system, a, f):
    """Forces within capacity, at capacity and against the motion where a row accelerates; Newton's law."""
    rate = np.asarray(system.D @ a)
    cap = system.arrays.fcap
    force = np.abs(system.input_force(0.0)) + np.abs(system.D.T) @ cap
    size = np.abs(system.D) @ (force / system.mass.diagonal())
    assert (np.abs(f) <= cap * (1 + 1e-8)).all()
    moving = np.abs(rate) > 1e-7 * size
    assert f[moving] == pytest.approx(cap[moving] * np.sign(rate[moving]), rel=1e-7)
    assert np.asarray(system.mass @ a + system.D.T @ f) == pytest.approx(system.input_force(0.0), abs=1e-8)


@pytest.mark.parametrize("rows, rank", [(3, 2), (8, 8), (8, 2), (12, 5)])
def test_rows_at_rest_settle_together(rows, rank):
    engine = ExplicitEngine()
    fallbacks = 0
    for seed in range(25):
        system = heap(seed, rows, rank)
        plan = engine.prepare(system, system.channels, 1e-7)
        lines = engine.advance(plan, State.start(system), 1).lines[0]
        check_friction(system, lines[:rank], lines[rank:])
        fallbacks += plan.statistics["fallbacks"]
    assert fallbacks <= 1


@kernel
def relax_once(table):
    H = i8(table.ctypes.data)
    call_evaluate(H[T.EVALUATE], H, 0.0, 0.0, f8(H[T.Y]), f8(H[T.KS]), f8(H[T.RS]))
    relax(H, 0.0, 0.0, f8(H[T.Y]), f8(H[T.KS]), f8(H[T.RS]))


def test_fallback_finds_the_same_motion():
    engine = ExplicitEngine()
    for seed in range(10):
        system = heap(seed, 4, 3)
        plan = engine.prepare(system, system.channels, 1e-7)
        state = State.start(system)
        expected = engine.advance(plan, state, 1).lines[0][:3]
        arrays, m = plan.table.arrays, system.shape.rows
        arrays[T.FSTATE][:] = 1
        arrays[T.CNEAR][:] = 1
        arrays[T.CFLAGS][2] = 1
        relax_once(plan.table.slots)
        assert arrays[T.KS][3:6] == pytest.approx(expected, abs=1e-6 * max(np.abs(expected).max(), 1e-2))
        check = arrays[T.RS][m : 2 * m]
        assert (np.abs(check) <= system.arrays.fcap * (1 + 1e-12)).all()
