"""The exact engine against closed forms and against SciPy with right-hand sides written here."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gearwright.kernels import force
from gearwright.laws.backlash import backlash
from gearwright.laws.two_level import two_level
from gearwright.solve.modal.engine import ExactEngine
from gearwright.system import (
    Builder,
    Law,
    Pieces,
    Provenance,
    Row,
    Source,
    Spring,
    State,
    constant,
    ramp,
    sine,
    step,
    table,
)


def run(system, interval, steps, state=None):
    engine = ExactEngine()
    assert engine.refuses(system) is None
    plan = engine.prepare(system, system.channels, interval, 1e-6)
    state = State.start(system) if state is None else state
    return engine.advance(plan, state, steps), state


def closure(system, before, state):
    """Error of the energy book over the sum of absolute works."""
    change = system.kinetic_energy(state.v) - system.kinetic_energy(before)
    works = [state.input_work, state.reaction_work, -state.row_work]
    size = sum(np.abs(w).sum() for w in works) + abs(change) + 1e-300
    return abs(change - sum(w.sum() for w in works)) / size


def watch(builder, *names):
    for name in names:
        builder.channel("body", name, "position", "m", "", [(Source.POSITION, name, 1.0)])
        builder.channel("body", name, "speed", "m/s", "", [(Source.SPEED, name, 1.0)])
        builder.channel("body", name, "acceleration", "m/s2", "", [(Source.ACCELERATION, name, 1.0)])


def oscillator(mass, k, c, signal, v0=0.0):
    b = Builder()
    b.coordinate("x")
    b.inertia(mass, {"x": 1.0})
    b.row("spring", {"x": 1.0}, Spring(k, c))
    b.signal("load", signal)
    b.input("x", "load")
    b.channel("shaft", "spring", "torque", "N", "", [(Source.FORCE, "spring", 1.0)])
    watch(b, "x")
    return b.build(Provenance("oscillator"), {"x": v0})


# --- closed forms ------------------------------------------------------------------------------------


def test_step_on_a_damped_oscillator():
    m, k, c, f, at = 2.0, 800.0, 6.0, 5.0, 0.0123
    system = oscillator(m, k, c, step(at, 0.0, f))
    block, state = run(system, 0.01, 300)
    w0, decay = math.sqrt(k / m), c / (2 * m)
    wd = math.sqrt(w0**2 - decay**2)
    t = np.maximum(block.time - at, 0.0)
    x = f / k * (1 - np.exp(-decay * t) * (np.cos(wd * t) + decay / wd * np.sin(wd * t)))
    v = f / m / wd * np.exp(-decay * t) * np.sin(wd * t)
    np.testing.assert_allclose(block.lines[:, 1], x, atol=1e-14)
    np.testing.assert_allclose(block.lines[:, 2], v, atol=1e-13)
    np.testing.assert_allclose(block.lines[:, 0], k * x + c * v, atol=1e-11)
    np.testing.assert_allclose(block.lines[1:, 3], ((f - k * x - c * v) / m)[1:], atol=1e-11)
    # the force works along the way; the rest is closed by damper and spring
    assert state.input_work[0] == pytest.approx(f * x[-1], rel=1e-11)
    assert state.row_heat[0] == pytest.approx(f * x[-1] - k * x[-1] ** 2 / 2 - m * v[-1] ** 2 / 2, rel=1e-10)
    assert closure(system, np.zeros(1), state) < 1e-12


@pytest.mark.parametrize("ratio", [0.3, 1.0, 1.0 + 1e-6, 4.0])
def test_sine_on_an_undamped_oscillator_even_in_resonance(ratio):
    m, k, a = 1.5, 6000.0, 3.0
    w0 = math.sqrt(k / m)
    w = ratio * w0
    system = oscillator(m, k, 0.0, sine(a, w / (2 * math.pi)))
    block, state = run(system, 0.005, 400)
    t = block.time
    # x = a/(m w0) int sin(w0 (t - s)) sin(w s) ds, through product formulas that do not divide by w - w0
    s, d = w + w0, w - w0
    first = t * np.cos(0.5 * s * t) * np.sinc(0.5 * d * t / np.pi)
    x = a / (2 * m * w0) * (2 * np.sin(0.5 * s * t) * np.cos(0.5 * d * t) / s - first)
    # second form of the same integral where the two frequencies differ
    if abs(ratio - 1) > 0.1:
        np.testing.assert_allclose(x, a / m * (np.sin(w * t) - w / w0 * np.sin(w0 * t)) / (w0**2 - w**2), atol=1e-12)
    np.testing.assert_allclose(block.lines[:, 1], x, atol=2e-13 * np.abs(x).max() + 1e-15)
    assert closure(system, np.zeros(1), state) < 1e-11


def test_two_free_masses_under_a_step_and_a_ramp():
    m1, m2, k = 3.0, 1.0, 500.0
    b = Builder()
    for name, mass in (("a", m1), ("b", m2)):
        b.coordinate(name)
        b.inertia(mass, {name: 1.0})
    b.row("link", {"a": 1.0, "b": -1.0}, Spring(k))
    b.signal("push", ramp(0.0, 2.0, 0.0, 1.0))
    b.input("a", "push")
    b.channel("shaft", "link", "torque", "N", "", [(Source.FORCE, "link", 1.0)])
    b.channel("body", "all", "turn", "m", "", [(Source.RIGID, "0", 1.0), (Source.POSITION, "a", 1.0)])
    watch(b, "a", "b")
    system = b.build(Provenance("free"))
    block, state = run(system, 0.01, 90)
    t = block.time
    w = math.sqrt(k * (m1 + m2) / (m1 * m2))
    # stretch s'' + w^2 s = 2 t / m1; centre of mass: 2 t / (m1 + m2)
    stretch = 2 / m1 / w**2 * (t - np.sin(w * t) / w)
    centre = t**3 / 3 / (m1 + m2)
    np.testing.assert_allclose(block.lines[:, 0], k * stretch, atol=1e-12)
    np.testing.assert_allclose(block.lines[:, 1], centre + m2 / (m1 + m2) * stretch, atol=1e-14)
    assert closure(system, np.zeros(2), state) < 1e-12
    assert state.phi[0] + state.q[0] == pytest.approx(block.lines[-1, 1], abs=1e-15)


@force
def floor_force(t, d, dv, p, z, s, mode, f, zd):
    """A floor: parameters k."""
    f[0] = p[0] * d[0] if d[0] > 0.0 else 0.0


def test_mass_that_falls_on_a_floor_bounces_for_ever():
    m, k, g, height = 2.0, 5e4, 9.81, 0.05
    b = Builder()
    b.coordinate("x")
    b.inertia(m, {"x": 1.0})
    law = Law(floor_force, (k,), mean=((k,), (0.0,)), pieces=Pieces((), ((k,),), (0.0,), (height,)))
    b.block("floor", [Row("floor", {"x": 1.0})], law)
    b.signal("weight", constant(m * g))
    b.input("x", "weight")
    b.channel("mesh", "floor", "force", "N", "", [(Source.FORCE, "floor", 1.0)])
    watch(b, "x")
    system = b.build(Provenance("drop"))
    block, state = run(system, 1e-3, 3000)
    w = math.sqrt(k / m)
    fall = math.sqrt(2 * height / g)
    speed = g * fall
    sag = m * g / k
    # in contact d = sag (1 - cos wt) + speed/w sin wt, back at zero at the first root beyond half a period
    contact = 2 * (math.pi - math.atan2(speed / w, sag)) / w
    period = 2 * fall + contact
    t = np.mod(block.time + fall, period)  # zero at the end of contact, on the way up
    expected = np.where(
        t < 2 * fall,
        height - speed * t + g * t**2 / 2,
        height + sag * (1 - np.cos(w * (t - 2 * fall))) + speed / w * np.sin(w * (t - 2 * fall)),
    )
    np.testing.assert_allclose(block.lines[:, 1], expected, atol=1e-11)
    assert (block.lines[:, 0] >= 0.0).all()
    assert closure(system, np.zeros(1), state) < 1e-11


# --- against SciPy -----------------------------------------------------------------------------------

RADII = 0.0939693, 0.1644462, 0.4275601
LEVELS = (6.176e9, 3.471e9, 0.4713), (5.934e9, 3.257e9, 0.6793)
DAMPING = 2e4
PHASES = 0.0, 2 / 3, 1 / 3
SLOPE = 1e5


def stage(sense=1.0, carrier_torque=141.86e3, sun_torque=-25.5604e3, w=2.86, prescribed=None):
    """Planetary stage P1 of the numerics pages: carrier, sun, three planets, two-level meshes."""
    sun, planet, ring = RADII
    b = Builder()
    for name, radius in (("c", 0.3), ("s", 0.1), ("p0", 0.16), ("p1", 0.16), ("p2", 0.16)):
        b.coordinate(name, radius)
    for name, inertia in (("c", 3000.0), ("s", 1173.0), ("p0", 12.6), ("p1", 12.6), ("p2", 12.6)):
        b.inertia(inertia, {name: 1.0})
    b.signal("Tc", constant(carrier_torque))
    b.signal("Ts", constant(sun_torque))
    if prescribed is None:
        b.input("c", "Tc")
    else:
        b.signal("speed", prescribed)
        b.prescribe("c", "speed")
    b.input("s", "Ts")
    for i, phase in enumerate(PHASES):
        two, one, fraction = LEVELS[0]
        row = Row(f"sp{i}", {"s": -sun, f"p{i}": -planet, "c": sun + planet})
        turns = Row(f"sp{i}.phase", {"s": -sense * 10 / np.pi, "c": sense * 10 / np.pi}, phase)
        b.block(f"sp{i}", [row], two_level(two, one, DAMPING, fraction), [turns])
        two, one, fraction = LEVELS[1]
        row = Row(f"pr{i}", {f"p{i}": planet, "c": ring - planet})
        turns = Row(f"pr{i}.phase", {f"p{i}": sense * 17.5 / np.pi, "c": -sense * 17.5 / np.pi}, phase + 0.07)
        b.block(f"pr{i}", [row], two_level(two, one, DAMPING, fraction), [turns])
    ws = w * (1 + ring / sun)
    b.row("slip", {"s": 1.0}, Spring(0.0, SLOPE, ws))
    for i in range(3):
        for kind in ("sp", "pr"):
            name = f"{kind}{i}"
            b.channel("mesh", name, "force", "N", "", [(Source.FORCE, name, 1.0)])
    b.channel("body", "sun", "speed", "rad/s", "", [(Source.SPEED, "s", 1.0)])
    speeds = {"c": w, "s": ws, **{f"p{i}": w * (1 - ring / planet) for i in range(3)}}
    return b.build(Provenance("P1"), speeds)


def reference(times, sense=1.0, speed=None, w=2.86):
    """Mesh forces and sun speed by DOP853, stopped and restarted at every switch, right-hand side from above."""
    sun, planet, ring = RADII
    rows, phase_rows, phase0, levels = [], [], [], []
    for i, phase in enumerate(PHASES):
        d, p = np.zeros(5), np.zeros(5)
        d[[0, 1, 2 + i]] = sun + planet, -sun, -planet
        p[[0, 1]] = sense * 10 / np.pi, -sense * 10 / np.pi
        rows.append(d), phase_rows.append(p), phase0.append(phase), levels.append(LEVELS[0])
        d, p = np.zeros(5), np.zeros(5)
        d[[0, 2 + i]] = ring - planet, planet
        p[[0, 2 + i]] = -sense * 17.5 / np.pi, sense * 17.5 / np.pi
        rows.append(d), phase_rows.append(p), phase0.append(phase + 0.07), levels.append(LEVELS[1])
    D, P, phase0 = np.array(rows), np.array(phase_rows), np.array(phase0)
    inertia = np.array([3000.0, 1173.0, 12.6, 12.6, 12.6])
    torque = np.array([141.86e3 if speed is None else 0.0, -25.5604e3, 0.0, 0.0, 0.0])
    w0 = w if speed is None else speed[0](0.0)
    ws = w * (1 + ring / sun)
    y = np.concatenate([np.zeros(5), [w0, ws, *[w * (1 - ring / planet)] * 3]])

    def forces(y, k):
        return k * (D @ y[:5]) + DAMPING * (D @ y[5:])

    def rate(t, y, k):
        a = (torque - D.T @ forces(y, k)) / inertia
        a[1] -= SLOPE * (y[6] - ws) / inertia[1]
        if speed is not None:
            a[0] = speed[1](t)
        return np.concatenate([y[5:], a])

    now, out = 0.0, []
    todo = list(times)
    piece = None
    while todo:
        phase = phase0 + P @ y[:5]
        if piece is None:
            piece = [2 * math.floor(x) + (x - math.floor(x) >= levels[i][2]) for i, x in enumerate(phase)]
        k = np.array([levels[i][n % 2] for i, n in enumerate(piece)])
        edges = []
        for i, n in enumerate(piece):
            f = levels[i][2]
            edges.append((n // 2 + f, n // 2 + 1.0) if n % 2 else (n // 2 + 0.0, n // 2 + f))
        events = []
        for i, (low, high) in enumerate(edges):
            edge = high if P[i] @ y[5:] > 0 else low

            def event(t, y, k, i=i, edge=edge):
                return phase0[i] + P[i] @ y[:5] - edge

            event.terminal = True
            event.direction = np.sign(P[i] @ y[5:])
            events.append(event)
        solution = solve_ivp(rate, (now, todo[-1] + 1e-4), y, "DOP853", args=(k,), events=events, rtol=3e-13,
                             atol=1e-15, dense_output=True)  # fmt: skip
        while todo and todo[0] <= solution.t[-1]:
            z = solution.sol(todo.pop(0))
            out.append([*forces(z, k), z[6]])
        now, y = solution.t[-1], solution.y[:, -1]
        for i, hits in enumerate(solution.t_events):
            if len(hits):
                piece[i] += int(events[i].direction)
    return np.array(out)


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_planetary_stage_with_switching_stiffness(sense):
    system = stage(sense)
    block, _ = run(system, 1e-3, 50)
    expected = reference(block.time, sense)
    # a sample may lie within round-off of a switch; none does here
    np.testing.assert_allclose(block.lines[:, :6], expected[:, :6], atol=1e-8 * 9e4)
    np.testing.assert_allclose(block.lines[:, 6], expected[:, 6], rtol=1e-11)


def test_planetary_stage_behind_a_prescribed_speed():
    from scipy.interpolate import CubicSpline

    knots = np.linspace(0.0, 0.08, 9)
    values = 2.86 + 0.004 * np.array([0.0, 1.0, -0.5, 0.8, 1.5, -1.0, 0.3, 0.0, 0.6])
    spline = CubicSpline(knots, values)
    system = stage(prescribed=table(knots, values, "cubic"))
    block, state = run(system, 1e-3, 50)
    expected = reference(block.time, 1.0, (spline, spline.derivative()))
    np.testing.assert_allclose(block.lines[:, :6], expected[:, :6], atol=1e-8 * np.abs(expected[:, :6]).max())
    assert state.v[0] == pytest.approx(spline(0.05), rel=1e-14)
    assert closure(system, system.v0, state) < 1e-11


def test_shaken_base_by_a_sine_against_scipy():
    """A prescribed speed with mean and sine, coupled inertia, a bearing drag on the turning side."""
    m1, m2, k, c, drag, w = 4.0, 1.0, 900.0, 2.0, 0.7, 2 * math.pi * 4.0
    b = Builder()
    for name in ("base", "a", "b"):
        b.coordinate(name)
    b.inertia(m1, {"a": 1.0})
    b.inertia(m2, {"b": 1.0})
    b.inertia(2.0, {"base": 1.0, "a": 0.5})
    b.row("first", {"base": 1.0, "a": -1.0}, Spring(k, c))
    b.row("second", {"a": 1.0, "b": -1.0}, Spring(3 * k, c))
    b.row("drag", {"b": 1.0}, Spring(0.0, drag, 0.2))
    b.signal("speed", sine(0.3, w / (2 * math.pi), 0.4, mean=1.0))
    b.prescribe("base", "speed")
    watch(b, "base", "a", "b")
    start = 1.0 + 0.3 * math.sin(0.4)
    system = b.build(Provenance("shaken"), {"a": start, "b": start})
    block, state = run(system, 0.01, 200)

    def rate(t, y):
        v = 1.0 + 0.3 * math.sin(w * t + 0.4)
        dv = 0.3 * w * math.cos(w * t + 0.4)
        xa, xb, va, vb, base = y[:5]
        f1 = k * (base - xa) + c * (v - va)
        f2 = 3 * k * (xa - xb) + c * (va - vb)
        aa = (f1 - f2 - 2.0 * 0.5 * dv) / (m1 + 2.0 * 0.25)
        ab = (f2 - drag * (vb - 0.2)) / m2
        # power into the base: its own momentum, its share of the coupled mass, the first row
        push = 2.0 * (dv + 0.5 * aa) + f1
        return [va, vb, aa, ab, v, push * v, c * (v - va) ** 2, c * (va - vb) ** 2, drag * vb**2]

    y = solve_ivp(rate, (0.0, 2.0), [0, 0, start, start, 0, 0, 0, 0, 0], "DOP853", rtol=1e-13, atol=1e-14,
                  t_eval=block.time)  # fmt: skip
    np.testing.assert_allclose(block.lines[:, 4], y.y[2], atol=1e-10)
    np.testing.assert_allclose(block.lines[:, 7], y.y[3], atol=1e-10)
    at = np.array([rate(t, x)[2] for t, x in zip(block.time, y.y.T, strict=True)])
    np.testing.assert_allclose(block.lines[:, 5], at, atol=1e-9)
    assert state.reaction_work[0] == pytest.approx(y.y[5, -1], rel=1e-10)
    np.testing.assert_allclose(state.row_heat, y.y[6:, -1], rtol=1e-10)
    position = state.phi[0] * system.u[0] + state.q
    np.testing.assert_allclose(position, y.y[[4, 0, 1], -1], atol=1e-10)
    assert closure(system, system.v0, state) < 1e-12


@force
def flanks_force(t, d, dv, p, z, s, mode, f, zd):
    """Never called by the exact engine, which goes by the pieces."""
    f[0] = f[1] = math.nan


@pytest.mark.parametrize("levels", [(4e5,), (4e5, 2.5e5, 3e5)])
def test_rattling_flanks_against_scipy(levels):
    """Two wheels with backlash and damping that never pulls, driven across the gap by a sine.

    With several levels the phase follows the wobbling wheel, so pieces are entered from both ends while flanks
    meet and part.
    """
    m1, m2, c, gap, pitch = 1.0, 0.6, 20.0, 2e-4, 1500.0
    edges = (0.1, 0.35, 0.8)
    b = Builder()
    for name, mass in (("a", m1), ("b", m2)):
        b.coordinate(name)
        b.inertia(mass, {name: 1.0})
        b.row(f"hold {name}", {name: 1.0}, Spring(2e4, 4.0))
    rows = [Row("drive", {"a": 1.0, "b": -1.0}), Row("coast", {"a": -1.0, "b": 1.0})]
    if len(levels) == 1:
        b.block("mesh", rows, backlash(levels[0], c, gap))
    else:
        pieces = Pieces(edges, (levels, levels), (c, c), (0.0, gap))
        law = Law(flanks_force, (), rows=2, senses=1, mean=((3e5, 0.0), (c, 0.0)), pieces=pieces)
        b.block("mesh", rows, law, [Row("phase", {"a": pitch}, 0.3)])
    b.signal("shake", sine(30.0, 11.0))
    b.input("a", "shake")
    b.channel("mesh", "mesh", "drive_force", "N", "", [(Source.FORCE, "drive", 1.0)])
    b.channel("mesh", "mesh", "coast_force", "N", "", [(Source.FORCE, "coast", 1.0)])
    watch(b, "a", "b")
    system = b.build(Provenance("rattle"))
    block, state = run(system, 1e-3, 150)

    def contact(y):
        k = levels[0]
        if len(levels) > 1:
            phase = (0.3 + pitch * y[0] - edges[0]) % 1.0 + edges[0]
            k = levels[sum(phase >= e for e in edges) - 1]
        d, dv = y[0] - y[1], y[2] - y[3]
        one = max(0.0, k * d + c * dv) if d > 0 else 0.0
        other = max(0.0, k * (-d - gap) - c * dv) if -d > gap else 0.0
        return one, other

    def rate(t, y):
        one, other = contact(y)
        f = one - other
        load = 30.0 * math.sin(2 * math.pi * 11.0 * t)
        return [y[2], y[3], (load - f - 2e4 * y[0] - 4.0 * y[2]) / m1, (f - 2e4 * y[1] - 4.0 * y[3]) / m2]

    y = solve_ivp(rate, (0.0, 0.15), np.zeros(4), "DOP853", rtol=1e-12, atol=1e-15, max_step=2e-5, t_eval=block.time)
    expected = np.array([contact(x) for x in y.y.T])
    assert (expected[:, 0] > 0).any() and (expected[:, 1] > 0).any() and (expected.sum(axis=1) == 0).any()
    # SciPy steps over kinks and jumps, 20 us at a time
    scale = np.abs(y.y).max(axis=1)
    np.testing.assert_allclose(block.lines[:, [2, 5]] / scale[:2], y.y[:2].T / scale[:2], atol=2e-4)
    np.testing.assert_allclose(block.lines[:, [3, 6]] / scale[2:], y.y[2:].T / scale[2:], atol=1e-3)
    if len(levels) == 1:
        np.testing.assert_allclose(block.lines[:, :2], expected, atol=2e-4 * expected.max())
    assert closure(system, np.zeros(2), state) < 1e-10


@pytest.mark.parametrize("driven", [False, True], ids=["free", "driven"])
@pytest.mark.parametrize("interval", [1e-3, 7.3e-3])
@pytest.mark.parametrize("drag", [0.4, 40.0], ids=["slow mode", "no slow mode"])
def test_blocks_of_samples_behind_bending_inputs_against_scipy(driven, interval, drag):
    """Splines whose knots lie between samples: steps of a few to some hundred samples, whole blocks and their ends.

    With little drag the whole train slows down at a tenth of a radian per second, a mode with formulas of its own."""
    from scipy.interpolate import CubicSpline

    knots = np.cumsum([0.0, 0.3, 0.0501, 0.021, 0.25, 0.0077, 0.4, 0.11, 0.6])
    push = CubicSpline(knots, [0.0, 3.0, -1.0, 2.0, 2.0, 5.0, -4.0, 0.5, 1.0])
    speed = CubicSpline(knots, 2.0 + 0.1 * np.array([0.0, 1.0, 0.5, -1.0, 0.3, 0.6, 2.0, -0.2, 0.0]))
    m1, m2, m3, k, c = 2.0, 1.0, 0.3, 900.0, 1.5
    b = Builder()
    for name, mass in (("a", m1), ("b", m2), ("c", m3)):
        b.coordinate(name)
        b.inertia(mass, {name: 1.0})
    b.row("first", {"a": 1.0, "b": -1.0}, Spring(k, c))
    b.row("second", {"b": 1.0, "c": -1.0}, Spring(3 * k, c))
    b.row("drag", {"c": 1.0}, Spring(0.0, drag))
    b.signal("push", table(knots, push(knots), "cubic"))
    b.input("c", "push")
    if driven:
        b.signal("speed", table(knots, speed(knots), "cubic"))
        b.prescribe("a", "speed")
    b.channel("shaft", "first", "torque", "N", "", [(Source.FORCE, "first", 1.0)])
    b.channel("body", "all", "turn", "m", "", [(Source.RIGID, "0", 1.0), (Source.POSITION, "c", 1.0)])
    b.channel("body", "load", "push", "N", "", [(Source.SIGNAL, "push", 1.0)])
    watch(b, "b", "c")
    system = b.build(Provenance("bending"), dict.fromkeys("abc", 2.0))
    whole, state = run(system, interval, int(1.7 / interval))

    def rate(t, y):
        xa, xb, xc, va, vb, vc = y
        f1, f2 = k * (xa - xb) + c * (va - vb), 3 * k * (xb - xc) + c * (vb - vc)
        aa = float(speed(t, 1)) if driven else -f1 / m1
        return [va, vb, vc, aa, (f1 - f2) / m2, (f2 - drag * vc + float(push(t))) / m3]

    y, values = np.array([0.0, 0.0, 0.0, 2.0, 2.0, 2.0]), []
    for begin, end in zip(knots[:-1], knots[1:], strict=True):
        inside = whole.time[(whole.time > begin) & (whole.time <= end)]
        # short steps: what SciPy says between its steps is less exact than the steps
        found = solve_ivp(rate, (begin, end), y, "DOP853", rtol=1e-12, atol=1e-13, max_step=2e-3,
                          t_eval=np.unique(np.append(inside, end)))  # fmt: skip
        y = found.y[:, -1]
        values.append(found.y[:, : len(inside)])
    xa, xb, xc, va, vb, vc = np.hstack(values)
    np.testing.assert_allclose(whole.lines[:, 0], k * (xa - xb) + c * (va - vb), atol=1e-8)
    np.testing.assert_allclose(whole.lines[:, 1], xc, atol=1e-10)
    np.testing.assert_allclose(whole.lines[:, 2], push(whole.time), atol=1e-13)
    np.testing.assert_allclose(whole.lines[:, 4], vb, atol=1e-9)
    np.testing.assert_allclose(whole.lines[:, 8], (3 * k * (xb - xc) + c * (vb - vc) - drag * vc + push(whole.time)) / m3,
                               atol=1e-7)  # fmt: skip
    assert closure(system, system.v0, state) < 1e-12
    # cut anywhere, the same samples
    state, parts = State.start(system), []
    plan = ExactEngine().prepare(system, system.channels, interval, 1e-6)
    for steps in (1, 7, 16, 17, len(whole.time) - 41):
        parts.append(ExactEngine().advance(plan, state, steps).lines)
    np.testing.assert_allclose(np.vstack(parts), whole.lines, rtol=1e-10, atol=1e-10)
