"""The exact engine: refusals, continuation, book, events at one instant."""

import numpy as np
import pytest

from gearwright.kernels import force
from gearwright.laws.two_level import two_level
from gearwright.solve.modal.engine import ExactEngine
from gearwright.system import (
    Builder,
    Diverged,
    Friction,
    Hard,
    Law,
    Provenance,
    Row,
    Source,
    Spring,
    State,
    constant,
    sine,
    table,
)

STEADY = constant(40.0)


def pair(load=STEADY, phases=(0.0,), rate=7.0, fraction=0.4, drag=0.5, speed=3.0, k=9e3, c=3.0):
    """Two wheels joined by two-level meshes whose phases run ``rate`` cycles per unit of turn."""
    b = Builder()
    for name, mass in (("a", 2.0), ("b", 1.0)):
        b.coordinate(name)
        b.inertia(mass, {name: 1.0})
    for i, phase in enumerate(phases):
        b.block(
            f"mesh{i}", [Row(f"mesh{i}", {"a": 1.0, "b": -1.0})], two_level(k, 0.55 * k, c, fraction),
            [Row(f"mesh{i}.phase", {"a": rate}, phase)],
        )  # fmt: skip
        b.channel("mesh", f"mesh{i}", "force", "N", "", [(Source.FORCE, f"mesh{i}", 1.0)], True)
    b.row("drag", {"b": 1.0}, Spring(0.0, drag))
    b.signal("load", load)
    b.input("a", "load")
    for name in ("a", "b"):
        b.channel("body", name, "speed", "rad/s", "", [(Source.SPEED, name, 1.0)])
        b.channel("body", name, "acceleration", "rad/s2", "", [(Source.ACCELERATION, name, 1.0)])
    b.channel("body", "a", "turn", "rad", "", [(Source.RIGID, "0", 1.0), (Source.POSITION, "a", 1.0)])
    b.channel("body", "a", "load", "N", "", [(Source.SIGNAL, "load", 1.0), (Source.ONE, "", 2.0)])
    return b.build(Provenance("pair"), {"a": speed, "b": speed})


def closure(system, before, state):
    change = system.kinetic_energy(state.v) - system.kinetic_energy(before)
    works = [state.input_work, state.reaction_work, -state.row_work]
    return abs(change - sum(w.sum() for w in works)) / sum(np.abs(w).sum() for w in works)


def go(system, interval, chunks, state=None):
    engine = ExactEngine()
    plan = engine.prepare(system, system.channels, interval)
    state = State.start(system) if state is None else state
    return np.vstack([engine.advance(plan, state, n).lines for n in chunks]), state


LOADS = {
    "constant": constant(40.0),
    "sine": sine(30.0, 5.0, 0.3, mean=10.0),
    "linear": table([0.0, 0.3, 0.7, 1.1], [0.0, 60.0, -20.0, 30.0]),
    "cubic": table(np.arange(0.0, 2.0, 0.1), 30 + 20 * np.sin(np.arange(20.0)), "cubic"),
    "hold": table([0.0, 0.31, 0.62], [10.0, -30.0, 50.0], "hold"),
}


@pytest.mark.parametrize("kind", LOADS)
def test_chunks_do_not_matter_and_the_book_closes(kind):
    system = pair(LOADS[kind], phases=(0.0, 0.35))
    whole, one = go(system, 0.004, [300])
    parts, other = go(system, 0.004, [1, 2, 97, 100, 100])
    scale = np.abs(whole).max(axis=0)
    np.testing.assert_allclose(parts / scale, whole / scale, atol=1e-12)
    for name in ("q", "v", "phi", "row_work", "row_heat", "input_work"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-11, atol=1e-13)
    assert (one.modes == other.modes).all()
    assert one.t == pytest.approx(1.2, rel=1e-15)
    assert closure(system, system.v0, one) < 1e-11


def test_samples_do_not_matter():
    system = pair(LOADS["sine"])
    coarse, _ = go(system, 0.01, [100])
    fine, _ = go(system, 0.002, [500])
    np.testing.assert_allclose(coarse, fine[4::5], rtol=1e-11, atol=1e-11 * np.abs(fine).max())


def test_time_runs_backward():
    """Without damping and drag the motion retraces itself when speeds are reversed: phases run down."""
    b = Builder()
    for name, mass in (("a", 2.0), ("b", 1.0)):
        b.coordinate(name)
        b.inertia(mass, {name: 1.0})
    law = two_level(9e3, 5e3, 0.0, 0.4)
    b.block("mesh", [Row("mesh", {"a": 1.0, "b": -1.0})], law, [Row("phase", {"a": 7.0}, 0.05)])
    b.signal("load", constant(15.0))
    b.input("a", "load")
    system = b.build(Provenance("pair"), {"a": 3.0, "b": 2.9})
    _, state = go(system, 0.01, [120])
    turn = state.phi + state.q[0]
    assert turn * 7 > 15  # many switches lie behind
    state.v *= -1.0
    _, back = go(system, 0.01, [120], state)
    np.testing.assert_allclose(back.v, -system.v0, rtol=1e-9)
    np.testing.assert_allclose(back.phi + back.q, 0.0, atol=1e-10)


def test_speed_that_reverses_by_itself():
    """A load against the motion: the phase turns back inside a piece and at vibration about standstill."""
    system = pair(constant(-60.0), phases=(0.02, 0.5), speed=2.0, drag=0.0)
    lines, state = go(system, 0.001, [400])
    turn = lines[:, -2]
    assert turn.max() > 0.05 and turn[-1] < -0.5
    d, _ = state.deflections(system)
    for i in range(2):
        cycle = np.floor(d[2 * i + 1])
        piece = int(d[2 * i + 1] - cycle >= 0.4)
        assert state.modes[i] == 2 * cycle + piece
        k = (9e3, 0.55 * 9e3)[piece]
        dv = float(system.D[2 * i].toarray()[0] @ state.v)
        assert lines[-1, i] == pytest.approx(k * d[2 * i] + 3.0 * dv, rel=1e-9)
    assert closure(system, system.v0, state) < 1e-11


def test_coincident_switches_are_one_event_of_several_rows():
    """Two equal meshes of half the stiffness that switch at the same instant are one mesh."""
    twins, _ = go(pair(phases=(0.3, 0.3), k=4.5e3, c=1.5), 0.003, [300])
    single, _ = go(pair(phases=(0.3,), k=9e3, c=3.0), 0.003, [300])
    np.testing.assert_array_equal(twins[:, 0], twins[:, 1])
    np.testing.assert_allclose(twins[:, 0] + twins[:, 1], single[:, 0], atol=1e-10)
    np.testing.assert_allclose(twins[:, 2:], single[:, 1:], atol=1e-9)


def test_a_sample_on_a_switch_shows_the_side_after():
    """Everything turns at 1 rad/s without load and deflection rate: phase 10 t, switches at 0.05 s and 0.1 s."""
    system = pair(constant(0.0), rate=10.0, fraction=0.5, drag=0.0, speed=1.0, k=1e-12, c=0.0)
    start = State.start(system, q=np.array([0.0, -1.0]))  # deflection 1, far too soft to move anything
    lines, _ = go(system, 0.01, [10], start)
    np.testing.assert_allclose(lines[:4, 0], 1e-12, rtol=1e-9)
    np.testing.assert_allclose(lines[4:9, 0], 0.55e-12, rtol=1e-9)


def test_ten_hours_of_turning_cost_no_precision():
    system = pair(constant(6.0), phases=(0.0, 0.35))
    fresh, _ = go(system, 0.004, [100])
    late = State.start(system)
    late.phi[:] = 2e5  # a whole number of cycles: 7 per unit
    late.t = 36000.0
    old, state = go(system, 0.004, [100], late)
    np.testing.assert_allclose(old[:, :6], fresh[:, :6], rtol=1e-9, atol=1e-9 * np.abs(fresh[:, :6]).max())
    assert state.t == pytest.approx(36000.4, abs=1e-9)


def test_combinations_leave_a_full_pool(monkeypatch):
    from gearwright.solve.modal import plan as exact_plan

    system = pair(phases=(0.0, 0.21, 0.55, 0.83))
    usual, one = go(system, 0.004, [200])
    monkeypatch.setattr(exact_plan, "POOL_BYTES", 1.0)
    engine = ExactEngine()
    plan = engine.prepare(system, system.channels, 0.004)
    assert plan.slots == 4
    state = State.start(system)
    small = engine.advance(plan, state, 200).lines
    assert plan.made > 8
    np.testing.assert_allclose(small, usual, rtol=1e-12, atol=1e-12 * np.abs(usual).max())
    np.testing.assert_allclose(state.row_work, one.row_work, rtol=1e-9, atol=1e-12)


@force
def cubic_force(t, d, dv, p, z, s, mode, f, zd):
    """f = d^3."""
    f[0] = d[0] ** 3


def _with(*extra, law=None, damping=1.0):
    b = Builder()
    for name in ("a", "b"):
        b.coordinate(name)
        b.inertia(1.0, {name: 1.0})
    b.row("link", {"a": 1.0, "b": -1.0}, Spring(100.0, damping))
    for name, act in extra:
        b.row(name, {"a": 1.0, "b": 0.5}, act)
    if law is not None:
        b.block("law", [Row("law", {"a": 1.0, "b": -1.0})], law)
    return b


@pytest.mark.parametrize(
    "builder, word",
    [
        (_with(("lock", Hard())), "rigid"),
        (_with(("brake", Friction(cap=1.0))), "friction"),
        (_with(law=Law(cubic_force, (), mean=((1.0,), (0.0,)), label="cube")), "'cube'"),
        (_with(law=Law(cubic_force, (), mean=((1.0,), (0.0,)), states=(0.0,))), "states"),
        (_with(damping=np.sqrt(200.0)), "critical"),
    ],
)
def test_refusals_say_why_and_what_to_choose(builder, word):
    system = builder.build(Provenance("refused"))
    sentence = ExactEngine().refuses(system)
    assert sentence and word in sentence and "choose" in sentence and sentence.endswith(".")
    with pytest.raises(ValueError, match="exact engine"):
        ExactEngine().prepare(system, (), 0.01)


def test_prescribed_coordinates_that_are_refused():
    b = _with()
    b.row("ground", {"b": 1.0}, Spring(10.0))
    b.signal("speed", constant(1.0))
    b.prescribe("a", "speed")
    assert "'a'" in ExactEngine().refuses(b.build(Provenance("held")))
    b = _with()
    b.signal("speed", constant(1.0))
    b.prescribe("a", "speed")
    b.prescribe("b", "speed")
    assert "one prescribed" in ExactEngine().refuses(b.build(Provenance("two")))


def test_a_run_that_is_no_number_says_where_and_keeps_the_state():
    system = pair()
    state = State.start(system)
    state.v[:] = np.nan
    before = state.copy()
    engine = ExactEngine()
    plan = engine.prepare(system, system.channels, 0.01)
    with pytest.raises(Diverged, match="finite") as error:
        engine.advance(plan, state, 5)
    assert error.value.row and state.t == before.t
