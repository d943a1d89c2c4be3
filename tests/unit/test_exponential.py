"""Parts of the exponential engine: matrix functions, blocks, refusals, samples, chunks, books."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm

from gearwright.kernels import force
from gearwright.laws.two_level import two_level
from gearwright.solve.exponential.engine import ExponentialEngine, longest_step, mesh_frequency, reference_form
from gearwright.solve.exponential.modes import Defective, blocks, reference
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
    step,
    table,
)


@force
def lagging_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    f[0] = z[0]
    zd[0] = d[0] - z[0]


@force
def hopeless_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    f[0] = np.nan if t > 0.02 else 1e4 * d[0]


def two_masses(law: Law | None = None, damping: float = 3.0, phase: bool = True) -> Builder:
    """Free in rotation: a 2 kg m^2 wheel, a mesh row (1 m), a 1 kg m^2 wheel with a slip row."""
    b = Builder()
    b.coordinate("a")
    b.coordinate("b")
    b.inertia(2.0, {"a": 1.0})
    b.inertia(1.0, {"b": 1.0})
    b.signal("drive", constant(30.0))
    b.input("a", "drive")
    b.row("slip", {"b": 1.0}, Spring(0.0, 15.0))
    if law is None:
        b.row("mesh", {"a": 1.0, "b": -1.0}, Spring(4e4, damping))
    else:
        b.block(
            "mesh", [Row("mesh", {"a": 1.0, "b": -1.0})], law, [Row("phase", {"b": 25.0}, 0.1)] if law.senses else []
        )
    b.channel("mesh", "mesh", "force", "N", "", [(Source.FORCE, "mesh", 1.0)])
    b.channel("body", "a", "speed", "rad/s", "", [(Source.SPEED, "a", 1.0)])
    b.channel("body", "b", "speed", "rad/s", "", [(Source.SPEED, "b", 1.0)])
    b.channel("body", "b", "acceleration", "rad/s2", "", [(Source.ACCELERATION, "b", 1.0)])
    b.channel("body", "a", "angle", "rad", "", [(Source.POSITION, "a", 1.0), (Source.RIGID, "0", 1.0)])
    return b


SPEEDS = {"a": 2.0, "b": 2.0}
TWO = two_level(5e4, 3e4, 3.0, 0.4)


def run(system, interval: float, samples: int, step_: float | None = None, tolerance: float = 1e-6, state=None):  # type: ignore[no-untyped-def]
    engine = ExponentialEngine(step=step_)
    plan = engine.prepare(system, system.channels, interval, tolerance)
    state = State.start(system) if state is None else state
    return engine.advance(plan, state, samples), state, plan


@pytest.mark.parametrize(
    "matrix",
    [
        [[0.0, 5.0], [-5.0, -0.1]], [[0.0, 5.0], [-5.0, -10.0]], [[0.0, 5.0], [-5.0, -10.0001]],
        [[0.0, 5.0], [-5.0, -60.0]], [[0.0, 1.0], [0.0, 0.0]], [[0.0, 1.0], [0.0, -1e-5]],
        [[-3.0, 0.0], [0.0, -3000.0]], [[-3.0, 100.0], [-100.0, -3.0]], [[0.0, 0.0], [0.0, 0.0]],
    ],
)  # fmt: skip
@pytest.mark.parametrize("h", [1e-3, 1.0])
@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_propagators_are_the_exponential_and_its_integrals_with_polynomials(matrix, h, theta) -> None:  # type: ignore[no-untyped-def]
    from gearwright.solve.exponential import slots as T
    from gearwright.solve.exponential.tables import fill_propagator

    table_ = T.Table()
    a = np.array(matrix)
    table_.size(T.BLOCKS, 1)
    table_.put(T.A, a)
    table_.put(T.WORK, np.zeros(92))
    got = np.zeros(14)
    _fill(fill_propagator, table_, h, theta, got)
    big = np.zeros(
        (14, 14)
    )  # in units of the step: y' = A y + I (1, t, t^2/2, ..), whose integrals the exponential holds
    big[:2, :2] = a * h
    for k in range(6):
        big[2 * k : 2 * k + 2, 2 * k + 2 : 2 * k + 4] = np.eye(2)
    whole = expm(big * theta)
    powers = [math.factorial(k) * h * whole[:2, 2 * k + 2 : 2 * k + 4] for k in range(6)]
    expected = [whole[:2, :2]]
    for l in range(6):
        legendre = np.polynomial.Legendre.basis(l)(np.polynomial.Polynomial([-1.0, 2.0]))
        expected.append(sum(c * power for c, power in zip(legendre.coef, powers, strict=False)))
    for l in range(7):
        value = got[2 * l] * np.eye(2) + got[2 * l + 1] * a
        assert np.allclose(value, expected[l], rtol=0.0, atol=2e-13 * max(1.0, np.abs(expected[l]).max()))


def _fill(function, table_, h, theta, out) -> None:  # type: ignore[no-untyped-def]
    from gearwright.kernels import kernel
    from gearwright.kernels.pointers import f8, i8

    @kernel
    def call(slots, h, theta, out):  # type: ignore[no-untyped-def]
        function(i8(slots.ctypes.data), h, theta, f8(out.ctypes.data))

    global _CALL
    if _CALL is None:
        _CALL = call
    _CALL(table_.slots, h, theta, out)


_CALL = None


def state_matrix(system) -> np.ndarray:  # type: ignore[no-untyped-def]
    mass, stiffness, damping = system.linear()
    n = len(mass)
    inverse = np.linalg.inv(mass)
    return np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ stiffness, -inverse @ damping]])


def test_blocks_have_the_eigenvalues_of_the_model_and_map_back_and_forth() -> None:
    system = two_masses(TWO).build(Provenance(), SPEEDS)
    form, _ = reference_form(system)
    expected = np.linalg.eigvals(state_matrix(system))
    got = form.eigenvalues
    for value in expected:
        assert np.abs(got - value).min() < 1e-9 * np.abs(expected).max()
    back = np.hstack([form.from_elastic, form.from_elastic_rate, form.from_rigid, form.from_rigid_rate])
    forth = np.vstack([form.elastic, form.elastic_rate, form.rigid, form.rigid_rate])
    assert np.allclose(forth @ back, np.eye(4), atol=1e-9)


def test_a_rigid_motion_moves_no_deflection() -> None:
    system = two_masses(TWO).build(Provenance(), SPEEDS)
    form, _ = reference_form(system)
    assert form.row_rates[0] == pytest.approx(0.0, abs=0.0)


def test_coupled_damping_without_eigenvectors_is_found_and_stepped_around() -> None:
    # three equal masses: at this damping between two of them two eigenvalues meet
    def train(c: float):  # type: ignore[no-untyped-def]
        b = two_masses(damping=c)
        b.coordinate("c")
        b.inertia(1.0, {"c": 1.0})
        b.row("ground", {"c": 1.0}, Spring(1e4, 0.0))
        b.row("link", {"b": 1.0, "c": -1.0}, Spring(1e4, 0.0))
        return b.build(Provenance(), {})

    for c in (0.0, 100.0, 300.0, 600.0, 1000.0):
        system = train(c)
        stiffness, damping = reference(system).matrices(system)
        try:
            form = blocks(system, stiffness, damping)
        except Defective:
            continue
        expected = np.linalg.eigvals(state_matrix(system))
        assert max(np.abs(form.eigenvalues - v).min() for v in expected) < 1e-6 * np.abs(expected).max()


def test_constant_rows_are_exact_at_any_step() -> None:
    """Two masses, slip and spring: one step of 0.1 s against the matrix exponential."""
    system = two_masses().build(Provenance(), SPEEDS)
    block, state, _ = run(system, 0.1, 3, step_=0.1)
    a = np.zeros((5, 5))
    a[:4, :4] = state_matrix(system)
    a[2, 4] = 30.0 / 2.0
    x = expm(a * 0.3) @ np.array([0.0, 0.0, 2.0, 2.0, 1.0])
    assert block.lines[-1, 1:3] == pytest.approx(x[2:4], rel=1e-11)
    assert block.lines[-1, 4] == pytest.approx(x[0], rel=1e-11)
    assert state.v == pytest.approx(x[2:4], rel=1e-11)
    assert state.t == pytest.approx(0.3)


@pytest.mark.parametrize("ratio", [1.0, 1.0 + 1e-9, 0.999999, 5.0])
def test_critical_and_strong_damping(ratio: float) -> None:
    b = Builder()
    b.coordinate("x")
    b.inertia(2.0, {"x": 1.0})
    b.signal("push", step(0.0131, 0.0, 7.0))
    b.input("x", "push")
    b.row("support", {"x": 1.0}, Spring(8e3, 2.0 * ratio * np.sqrt(8e3 * 2.0)))
    b.channel("body", "x", "x", "m", "", [(Source.POSITION, "x", 1.0)])
    system = b.build(Provenance())
    block, _, _ = run(system, 1e-2, 5)
    a = np.array([[0.0, 1.0, 0.0], [-4e3, -ratio * np.sqrt(8e3 * 2.0), 3.5], [0.0, 0.0, 0.0]])
    for t, x in zip(block.time[1:], block.lines[1:, 0], strict=True):
        assert x == pytest.approx((expm(a * (t - 0.0131)) @ [0.0, 0.0, 1.0])[0], rel=1e-9)
    assert block.lines[0, 0] == 0.0


def test_samples_inside_a_step_follow_the_exact_formula() -> None:
    system = two_masses().build(Provenance(), SPEEDS)
    coarse, _, plan = run(system, 1e-3, 64, step_=8e-3)
    fine, _, _ = run(system, 1e-3, 64, step_=1e-3)
    assert plan.step == pytest.approx(8e-3)
    assert np.allclose(coarse.lines, fine.lines, rtol=1e-11, atol=1e-11)


def test_samples_inside_a_step_of_a_law_converge() -> None:
    system = two_masses(TWO).build(Provenance(), SPEEDS)
    coarse, _, _ = run(system, 1.25e-4, 400, step_=5e-4)
    fine, _, _ = run(system, 1.25e-4, 400, step_=1.25e-4 / 4)
    swing = np.ptp(fine.lines, axis=0)
    assert (np.abs(coarse.lines - fine.lines).max(axis=0) < 2e-3 * swing).all()


def test_chunks_make_no_difference_and_a_state_goes_on_bit_for_bit() -> None:
    system = two_masses(TWO).build(Provenance(), SPEEDS)
    whole, end, _ = run(system, 1e-3, 100, step_=2.5e-4)
    engine = ExponentialEngine(step=2.5e-4)
    plan = engine.prepare(system, system.channels, 1e-3, 1e-6)
    state = State.start(system)
    parts = [engine.advance(plan, state, 37).lines]
    saved = state.copy()
    parts.append(engine.advance(plan, state, 63).lines)
    assert np.allclose(np.vstack(parts), whole.lines, rtol=1e-7, atol=1e-9)
    assert state.phi == pytest.approx(end.phi, rel=1e-10)
    again, resumed, _ = run(system, 1e-3, 63, step_=2.5e-4, state=saved)
    assert np.array_equal(again.lines, parts[1])
    assert np.array_equal(resumed.q, state.q) and np.array_equal(resumed.v, state.v)
    assert np.array_equal(resumed.row_work, state.row_work)


def test_the_rigid_motion_is_in_phi_and_long_rotation_costs_nothing() -> None:
    system = two_masses(TWO).build(Provenance(), SPEEDS)
    first, _, _ = run(system, 1e-3, 50, step_=2.5e-4)
    late = State.start(system)
    late.phi[:] = 1e6 / 25.0 * 4.0  # a whole number of mesh cycles
    second, end, _ = run(system, 1e-3, 50, step_=2.5e-4, state=late)
    assert np.abs(second.lines[:, 0] - first.lines[:, 0]).max() < 1e-6 * np.ptp(first.lines[:, 0])
    assert np.abs(end.q).max() < 1e-2


def test_tolerance_rules_the_step() -> None:
    system = two_masses(TWO).build(Provenance(), SPEEDS)
    reference_, _, _ = run(system, 1e-3, 100, step_=1e-3 / 128, tolerance=1e-9)
    swing = reference_.lines[:, 0].std()
    errors, steps = [], []
    for tolerance in (1e-3, 1e-4, 1e-5):
        block, _, plan = run(system, 1e-3, 100, tolerance=tolerance)
        errors.append(float(np.sqrt(np.mean((block.lines[:, 0] - reference_.lines[:, 0]) ** 2)) / swing))
        steps.append(plan.statistics["steps"])
        assert errors[-1] < 5 * tolerance
    assert errors[0] > errors[1] > errors[2]
    assert steps[0] < steps[2]


def test_longest_step_follows_the_modes_and_the_mesh_frequency() -> None:
    system = two_masses(TWO).build(Provenance(), SPEEDS)
    form, _ = reference_form(system)
    omega = np.sqrt((0.4 * 5e4 + 0.6 * 3e4) * (1 / 2.0 + 1 / 1.0))
    assert mesh_frequency(system) == pytest.approx(50.0)
    assert longest_step(system, form) == pytest.approx(min(4.0 / omega, 1 / 150.0), rel=1e-9)
    fast = two_masses(TWO).build(Provenance(), {"a": 40.0, "b": 40.0})
    assert longest_step(fast, reference_form(fast)[0]) == pytest.approx(1 / 3000.0)


def test_energy_closes_and_heat_is_told_apart() -> None:
    system = two_masses(TWO).build(Provenance(), SPEEDS)
    _, state, _ = run(system, 1e-3, 400, step_=1.25e-4)
    change = system.kinetic_energy(state.v) - system.kinetic_energy(system.v0)
    book = state.input_work.sum() + state.reaction_work.sum() - state.row_work.sum() - state.impact.sum()
    assert abs(change - book) < 1e-6 * state.input_work.sum()
    mesh, slip = system.rows.index("mesh"), system.rows.index("slip")
    assert state.row_heat[slip] == pytest.approx(state.row_work[slip], rel=1e-12)
    assert 0.0 < state.row_heat[mesh] < 0.1 * state.row_heat[slip]


def refusing(kind: str):  # type: ignore[no-untyped-def]
    b = two_masses()
    if kind == "hard":
        b.row("lock", {"a": 1.0}, Hard())
    elif kind == "friction":
        b.row("brake", {"a": 1.0}, Friction(cap=1.0))
    else:
        b.block(
            "lag",
            [Row("lag", {"a": 1.0})],
            Law(force=lagging_force, parameters=(), states=(0.0,), mean=((0.0,), (0.0,))),
        )
    return b.build(Provenance(), {})


@pytest.mark.parametrize(("kind", "word"), [("hard", "lock"), ("friction", "brake"), ("states", "lag")])
def test_refusals_name_the_element_and_what_to_choose(kind: str, word: str) -> None:
    system = refusing(kind)
    sentence = ExponentialEngine().refuses(system)
    assert sentence is not None and word in sentence and "explicit" in sentence
    with pytest.raises(ValueError, match=word):
        ExponentialEngine().prepare(system, system.channels, 1e-3, 1e-4)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="step"):
        ExponentialEngine(step=0.0)
    system = two_masses().build(Provenance(), {})
    with pytest.raises(ValueError, match="interval"):
        ExponentialEngine().prepare(system, system.channels, 0.0, 1e-4)


def test_a_law_that_fails_is_named_with_its_time_and_the_state_is_kept() -> None:
    law = Law(force=hopeless_force, parameters=(), mean=((1e4,), (0.0,)))
    system = two_masses(law).build(Provenance(), {})
    engine = ExponentialEngine()
    plan = engine.prepare(system, system.channels, 1e-3, 1e-4)
    state = State.start(system)
    engine.advance(plan, state, 10)
    kept = state.copy()
    with pytest.raises(Diverged) as caught:
        engine.advance(plan, state, 50)
    assert caught.value.row == "mesh"
    assert caught.value.time == pytest.approx(0.02, abs=1e-3)
    assert np.array_equal(state.v, kept.v) and state.t == kept.t


def test_inputs_that_vary_are_integrated_to_their_order() -> None:
    """A recorded cubic torque and a sine against the particular solution by quadrature of the impulse response."""
    b = two_masses()
    b.signal("recorded", table(np.linspace(-0.05, 0.5, 12), np.sin(np.arange(12.0)) * 9.0, "cubic"))
    b.signal("wave", sine(5.0, 11.0, 0.4))
    b.input("b", "recorded")
    b.input("a", "wave", 2.0)
    system = b.build(Provenance(), SPEEDS)
    a = state_matrix(system)
    x, w = np.polynomial.legendre.leggauss(40)
    end = 0.2
    edges = np.linspace(0.0, end, 41)
    want = expm(a * end) @ np.array([0.0, 0.0, 2.0, 2.0])
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        for xi, wi in zip(x, w, strict=True):
            t = 0.5 * (low + high) + 0.5 * (high - low) * xi
            load = np.array([0.0, 0.0, (30.0 + 2.0 * system.signals[2](t)) / 2.0, float(system.signals[1](t))])
            want = want + 0.5 * (high - low) * wi * (expm(a * (end - t)) @ load)
    errors = []
    for h in (2e-2, 1e-2):
        block, _, _ = run(system, 2e-2, 10, step_=h)
        errors.append(np.abs(block.lines[-1, 1:3] - want[2:]).max() / np.abs(want[2:]).max())
    assert errors[1] < 1e-6
    assert errors[0] / errors[1] > 10.0
