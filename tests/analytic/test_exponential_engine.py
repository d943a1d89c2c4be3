"""The exponential engine against independent integrations that restart at every switch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from gearwright.kernels import force
from gearwright.laws.backlash import backlash
from gearwright.laws.two_level import two_level
from gearwright.solve.exponential.engine import ExponentialEngine
from gearwright.system import Builder, Law, Provenance, Row, Source, Spring, State, constant, sine, step, table

JUMP = 0.0503
SPEED = CubicSpline(np.linspace(-0.1, 1.0, 12), 2.0 + np.sin(np.arange(12.0)))


@force
def hardening_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    f[0] = p[0] * d[0] + p[1] * d[0] ** 3 + p[2] * dv[0] + 0.2 * s[1]


HARDENING = Law(force=hardening_force, parameters=(2e4, 1e10, 5.0), mean=((2e4,), (5.0,)))
TWO = two_level(4e4, 2e4, 5.0, 0.4)
GAP = backlash(3e4, 5.0, 2e-4)


def chain(law: Law, prescribed: bool = False, slip: float = 8.0):  # type: ignore[no-untyped-def]
    """Three masses: law between a and b, shaft between b and c, slip on c; a and b share mass."""
    b = Builder()
    for name in "abc":
        b.coordinate(name)
    b.inertia(2.0, {"a": 1.0})
    b.inertia(1.0, {"b": 1.0})
    b.inertia(0.5, {"c": 1.0})
    b.inertia(0.3, {"a": 1.0, "b": -1.0})
    b.signal("drive", sine(40.0, 7.0, 0.3, 20.0))
    b.signal("load", step(JUMP, -20.0, -35.0))
    b.signal("speed", table(np.linspace(-0.1, 1.0, 12), 2.0 + np.sin(np.arange(12.0)), "cubic"))
    if not prescribed:
        b.input("a", "drive")
    b.input("c", "load")
    b.row("shaft", {"b": 1.0, "c": -1.0}, Spring(3e4, 6.0), off=1e-4)
    rows = [Row("mesh", {"a": 1.0, "b": -1.0}), Row("coast", {"a": -1.0, "b": 1.0})][: law.rows]
    b.block("mesh", rows, law, [Row("phase", {"b": 30.0}, 0.2)] if law.senses else [])
    if slip:
        b.row("slip", {"c": 1.0}, Spring(0.0, slip, 1.0))
    if prescribed:
        b.prescribe("a", "speed")
    for row in ("mesh", "shaft"):
        b.channel("mesh", row, "force", "N", "", [(Source.FORCE, row, 1.0)])
    for name in "abc":
        b.channel("body", name, "position", "m", "", [(Source.POSITION, name, 1.0)])
        b.channel("body", name, "speed", "m/s", "", [(Source.SPEED, name, 1.0)])
        b.channel("body", name, "acceleration", "m/s2", "", [(Source.ACCELERATION, name, 1.0)])
    b.channel("body", "all", "phi", "m", "", [(Source.RIGID, "0", 1.0)])
    return b.build(Provenance("chain"), dict.fromkeys("abc", 2.0))


MASS = np.array([[2.3, -0.3, 0.0], [-0.3, 1.3, 0.0], [0.0, 0.0, 0.5]])
Mesh = Callable[[float, float, float, int], float]


def acceleration(t: float, x: np.ndarray, v: np.ndarray, mesh: float, slip: float, prescribed) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Written out by hand: nothing of the system's arrays."""
    load = -20.0 if t < JUMP else -35.0
    drive = 20.0 + 40.0 * np.sin(2 * np.pi * 7.0 * t + 0.3)
    shaft = 3e4 * (x[1] - x[2] + 1e-4) + 6.0 * (v[1] - v[2])
    push = np.array([drive - mesh, mesh - shaft, load + shaft - slip * (v[2] - 1.0 if slip else 0.0)])
    if prescribed is None:
        return np.linalg.solve(MASS, push)
    a = float(prescribed(t))
    rest = np.linalg.solve(MASS[1:, 1:], push[1:] - MASS[1:, 0] * a)
    return np.array([a, *rest])


def integrate(mesh: Mesh, events, start_mode: int, end: float, slip: float = 8.0, prescribed=None):  # type: ignore[no-untyped-def]
    """Piecewise DOP853: ``events(mode)`` lists (function of t, y; next mode); restart at each and at the jump."""
    t, mode = 0.0, start_mode
    y = np.array([0.0, 0.0, 0.0, 2.0, 2.0, 2.0])
    if prescribed is not None:
        y[3] = SPEED(0.0)
    pieces = []
    while t < end:
        stop = JUMP if t < JUMP else end

        def rate(time, y, mode=mode):  # type: ignore[no-untyped-def]
            x, v = y[:3], y[3:]
            return np.concatenate(
                [v, acceleration(time, x, v, mesh(time, x[0] - x[1], v[0] - v[1], mode), slip, prescribed)]
            )

        guards = []
        for function, direction, _ in events(mode):
            function.terminal, function.direction = True, direction
            guards.append(function)
        piece = solve_ivp(
            rate, (t, stop), y, "DOP853", dense_output=True, rtol=1e-10, atol=1e-13, events=guards or None
        )
        pieces.append((t, piece.t[-1], piece.sol))
        if piece.status == 1:
            hit = next(i for i, found in enumerate(piece.t_events) if len(found))
            mode = events(mode)[hit][2]
        y, t = piece.y[:, -1], float(piece.t[-1]) + (1e-15 if piece.t[-1] == JUMP else 0.0)
    times = np.linspace(0.0, end, round(end / 1e-3) + 1)[1:]
    return times, np.array([next(sol for a, b, sol in pieces if a <= s <= b + 1e-12)(s) for s in times])


def smooth(prescribed=None, slip: float = 8.0, end: float = 0.1):  # type: ignore[no-untyped-def]
    def mesh(t, d, dv, mode):  # type: ignore[no-untyped-def]
        return 2e4 * d + 1e10 * d**3 + 5.0 * dv + 0.2 * (-20.0 if t < JUMP else -35.0)

    return integrate(mesh, lambda mode: [], 0, end, slip, prescribed)


def switched(prescribed=None, end: float = 0.1):  # type: ignore[no-untyped-def]
    """Mode 2 n: two pairs in cycle n, 2 n + 1: one pair; the phase is 30 x_b + 0.2."""

    def mesh(t, d, dv, mode):  # type: ignore[no-untyped-def]
        return (4e4 if mode % 2 == 0 else 2e4) * d + 5.0 * dv

    def events(mode):  # type: ignore[no-untyped-def]
        high = mode // 2 + (1.0 if mode % 2 else 0.4)
        return [(lambda t, y: 30.0 * y[1] + 0.2 - high, 1.0, mode + 1)]

    return integrate(mesh, events, 0, end, 8.0, prescribed)


def errors(system, times, want, steps) -> tuple[list[float], State]:  # type: ignore[no-untyped-def]
    """Largest error of the mesh deflection over its largest value, one per step length."""
    result = []
    state = State.start(system)
    for h in steps:
        engine = ExponentialEngine(step=h)
        plan = engine.prepare(system, system.channels, 1e-3, 1e-8)
        state = State.start(system)
        lines = engine.advance(plan, state, len(times)).lines
        d = lines[:, 2] - lines[:, 5]
        reference = want[:, 0] - want[:, 1]
        result.append(float(np.abs(d - reference).max() / np.abs(reference).max()))
    return result, state


@pytest.mark.parametrize(("prescribed", "slip"), [(False, 8.0), (False, 0.0), (True, 8.0)])
def test_fourth_order_on_a_smooth_law(prescribed: bool, slip: float) -> None:
    """With a sine drive, a jump inside a sample interval, a law that reads a signal, coupled damping and mass."""
    system = chain(HARDENING, prescribed, slip)
    times, want = smooth(SPEED.derivative() if prescribed else None, slip)
    got, _ = errors(system, times, want, (1e-3, 5e-4, 2.5e-4))
    assert got[2] < 5e-7
    assert np.log2(got[0] / got[1]) > 3.7
    assert np.log2(got[1] / got[2]) > 3.7


@pytest.mark.parametrize("prescribed", [False, True])
def test_order_is_kept_through_switches(prescribed: bool) -> None:
    system = chain(TWO, prescribed)
    times, want = switched(SPEED.derivative() if prescribed else None)
    got, _ = errors(system, times, want, (1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5, 3.125e-5))
    assert got[3] < 1e-6 and got[5] < 3e-8
    assert np.log2(got[0] / got[5]) / 5.0 > 2.0  # the phase itself vibrates here, which moves the switches


def test_all_channels_agree_with_the_equations() -> None:
    """Row forces, positions, speeds and accelerations at the samples against the hand-written equations."""
    system = chain(HARDENING, True)
    times, _ = smooth(SPEED.derivative())
    engine = ExponentialEngine(step=1e-3)
    lines = engine.advance(engine.prepare(system, system.channels, 1e-3, 1e-6), State.start(system), 100).lines
    for t, line in zip(times, lines, strict=True):
        x, v, a = line[[2, 5, 8]] + line[11] * system.u[0], line[[3, 6, 9]], line[[4, 7, 10]]
        d, dv = x[0] - x[1], v[0] - v[1]
        mesh = 2e4 * d + 1e10 * d**3 + 5.0 * dv + 0.2 * (-20.0 if t < JUMP else -35.0)
        assert line[0] == pytest.approx(mesh, rel=1e-9, abs=1e-9)
        assert line[1] == pytest.approx(3e4 * (x[1] - x[2] + 1e-4) + 6.0 * (v[1] - v[2]), rel=1e-9, abs=1e-9)
        assert a == pytest.approx(acceleration(t, x, v, mesh, 8.0, SPEED.derivative()), rel=1e-9, abs=1e-8)


def test_contact_opens_and_closes_within_steps() -> None:
    """Backlash that rattles: mode 1 the drive flank touches, 2 the coast flank, 0 none; no flank pulls."""
    system = chain(GAP)

    def mesh(t, d, dv, mode):  # type: ignore[no-untyped-def]
        if mode == 0:
            return 0.0
        return 3e4 * d + 5.0 * dv if mode == 1 else -(3e4 * (-d - 2e-4) - 5.0 * dv)

    def gap(t, y):  # type: ignore[no-untyped-def]
        return y[0] - y[1]

    def other(t, y):  # type: ignore[no-untyped-def]
        return y[0] - y[1] + 2e-4

    def release(t, y):  # type: ignore[no-untyped-def]
        return 3e4 * (y[0] - y[1]) + 5.0 * (y[3] - y[4])

    def release_other(t, y):  # type: ignore[no-untyped-def]
        return 3e4 * (y[0] - y[1] + 2e-4) + 5.0 * (y[3] - y[4])

    def events(mode):  # type: ignore[no-untyped-def]
        if mode == 0:
            return [(gap, 1.0, 1), (other, -1.0, 2)]
        return [(release, -1.0, 0)] if mode == 1 else [(release_other, 1.0, 0)]

    times, want = integrate(mesh, events, 0, 0.2)
    d = want[:, 0] - want[:, 1]
    assert (d > 0).any() and (d < -2e-4).any() and ((d < 0) & (d > -2e-4)).any()
    got, state = errors(system, times, want, (5e-4, 2.5e-4, 1.25e-4))
    assert got[2] < 1e-4
    assert got[0] > got[2]
    assert int(state.modes[0]) in (0, 1, 2)


@pytest.mark.parametrize(("law", "prescribed"), [(HARDENING, False), (HARDENING, True), (TWO, True), (GAP, False)])
def test_energy_closes(law: Law, prescribed: bool) -> None:
    system = chain(law, prescribed)
    engine = ExponentialEngine(step=1.25e-4)
    state = State.start(system)
    engine.advance(engine.prepare(system, system.channels, 1e-3, 1e-7), state, 200)
    change = system.kinetic_energy(state.v) - system.kinetic_energy(system.v0)
    book = state.input_work.sum() + state.reaction_work.sum() - state.row_work.sum() - state.impact.sum()
    scale = np.abs(state.input_work).sum() + np.abs(state.reaction_work).sum() + np.abs(state.row_work).sum()
    assert abs(change - book) < 1e-6 * scale


# --- a planetary stage of 500 kW (S0 problem 1) ---------------------------------------------------------

SUN, PLANET, RING = 0.0939693, 0.1644462, 0.4275601
START = np.array([0.0, 2.0 / 3.0, 1.0 / 3.0])
LEVELS = ((6.176e9, 3.471e9, 0.4713), (5.934e9, 3.257e9, 0.6793))


def stage(damping: float):  # type: ignore[no-untyped-def]
    b = Builder()
    b.coordinate("carrier", 0.3)
    b.coordinate("sun", 0.1)
    b.inertia(3000.0, {"carrier": 1.0})
    b.inertia(1173.0, {"sun": 1.0})
    b.signal("rotor", constant(141.86e3))
    b.signal("generator", constant(-25.5604e3))
    b.input("carrier", "rotor")
    b.input("sun", "generator")
    carrier = 2.86
    speeds = {"carrier": carrier, "sun": carrier * (1 + RING / SUN)}
    for i in range(3):
        planet = b.coordinate(f"planet{i}", 0.16)
        b.inertia(12.6, {planet: 1.0})
        speeds[planet] = carrier * (1 - RING / PLANET)
        for kind, (two, one, share) in zip(("sun", "ring"), LEVELS, strict=True):
            row = {"sun": -SUN, planet: -PLANET, "carrier": SUN + PLANET}
            if kind == "ring":
                row = {planet: PLANET, "carrier": RING - PLANET}
            wheel, teeth = ("sun", -20) if kind == "sun" else (planet, 35)
            phase = {wheel: teeth / (2 * np.pi), "carrier": -teeth / (2 * np.pi)}
            begin = START[i] + (0.07 if kind == "ring" else 0.0)
            b.block(
                f"{kind}{i}",
                [Row(f"{kind}{i}", row)],
                two_level(two, one, damping, share),
                [Row(f"{kind}{i}.phase", phase, begin)],
            )
            b.channel("mesh", f"{kind}{i}", "force", "N", "", [(Source.FORCE, f"{kind}{i}", 1.0)])
    b.row("slip", {"sun": 1.0}, Spring(0.0, 1e5, speeds["sun"]))
    return b.build(Provenance("stage"), speeds)


def stage_forces(x: np.ndarray, v: np.ndarray, damping: float) -> tuple[np.ndarray, np.ndarray]:
    """Mesh forces (sun, ring per planet) and generalised forces (carrier, sun, planets), written out."""
    load = np.array([141.86e3, -25.5604e3 - 1e5 * (v[1] - 2.86 * (1 + RING / SUN)), 0.0, 0.0, 0.0])
    forces = np.zeros(6)
    for i in range(3):
        d = (SUN + PLANET) * x[0] - SUN * x[1] - PLANET * x[2 + i]
        dv = (SUN + PLANET) * v[0] - SUN * v[1] - PLANET * v[2 + i]
        e = PLANET * x[2 + i] + (RING - PLANET) * x[0]
        de = PLANET * v[2 + i] + (RING - PLANET) * v[0]
        phase = 20 / (2 * np.pi) * (x[0] - x[1]) + START[i]
        other = 35 / (2 * np.pi) * (x[2 + i] - x[0]) + START[i] + 0.07
        k = LEVELS[0][0] if phase % 1.0 < LEVELS[0][2] else LEVELS[0][1]
        r = LEVELS[1][0] if other % 1.0 < LEVELS[1][2] else LEVELS[1][1]
        forces[2 * i] = k * d + damping * dv
        forces[2 * i + 1] = r * e + damping * de
        load[0] -= (SUN + PLANET) * forces[2 * i] + (RING - PLANET) * forces[2 * i + 1]
        load[1] += SUN * forces[2 * i]
        load[2 + i] += PLANET * (forces[2 * i] - forces[2 * i + 1])
    return forces, load


INERTIA = np.array([3000.0, 1173.0, 12.6, 12.6, 12.6])


def stage_reference(damping: float, end: float, method: str) -> np.ndarray:
    """Integration from switch to switch of the six phases, sampled at 1 ms."""

    def rate(t, y):  # type: ignore[no-untyped-def]
        return np.concatenate([y[5:], stage_forces(y[:5], y[5:], damping)[1] / INERTIA])

    carrier = 2.86
    y = np.concatenate([np.zeros(5), [carrier, carrier * (1 + RING / SUN)], np.full(3, carrier * (1 - RING / PLANET))])

    def phases(y):  # type: ignore[no-untyped-def]
        sun = 20 / (2 * np.pi) * (y[0] - y[1]) + START
        ring = 35 / (2 * np.pi) * (y[2:5] - y[0]) + START + 0.07
        return np.concatenate([sun, sun - LEVELS[0][2], ring, ring - LEVELS[1][2]])

    guards = []
    for i in range(12):

        def guard(t, y, i=i):  # type: ignore[no-untyped-def]
            return np.sin(np.pi * phases(y)[i])

        guard.terminal = True
        guards.append(guard)
    t, out, samples = 0.0, [], np.arange(1, round(end / 1e-3) + 1) * 1e-3
    while t < end - 1e-12:
        piece = solve_ivp(
            rate, (t, end), y, method, rtol=1e-9, atol=1e-13, events=guards, dense_output=True, max_step=1e-3
        )
        inside = samples[(samples > t + 1e-12) & (samples <= piece.t[-1] + 1e-12)]
        out += [stage_forces(z[:5], z[5:], damping)[0] for z in (piece.sol(s) for s in inside)]
        t, y = float(piece.t[-1]), piece.y[:, -1]
        if piece.status == 1:  # a little over the switch, along the motion
            y = y + 1e-10 * rate(t, y)
            t += 1e-10
    return np.array(out)


def test_planetary_stage_with_switched_stiffness() -> None:
    system = stage(2e4)
    want = stage_reference(2e4, 0.03, "DOP853")
    result = []
    for h in (1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5):
        engine = ExponentialEngine(step=h)
        plan = engine.prepare(system, system.channels, 1e-3, 1e-6)
        lines = engine.advance(plan, State.start(system), 30).lines
        result.append(float(np.sqrt(np.mean((lines - want) ** 2)) / want.std()))
    assert result[1] < 6e-4 and result[2] < 1e-4 and result[3] < 5e-5 and result[4] < 1e-5
    # steps of up to three radians of the highest mode; shorter ones are left with the bend that a switch puts into a step
    assert np.log2(result[0] / result[2]) / 2.0 > 3.0
    assert np.log2(result[2] / result[4]) / 2.0 > 1.5


def test_strong_damping_does_not_limit_the_step() -> None:
    """Damping proportional to stiffness with 6.4 ms (S1): an explicit method would need 0.6 us."""
    damping = 6.4e-3 * 4.75e9
    system = stage(damping)
    want = stage_reference(damping, 0.03, "Radau")
    engine = ExponentialEngine()
    plan = engine.prepare(system, system.channels, 1e-3, 1e-3)
    lines = engine.advance(plan, State.start(system), 30).lines
    assert np.sqrt(np.mean((lines - want) ** 2)) < 1e-3 * want.std()
    assert plan.step > 1e-3
    assert plan.statistics["steps"] < 300
    rough = ExponentialEngine(step=2.5e-4)
    plan = rough.prepare(system, system.channels, 1e-3, 1e-3)
    long = rough.advance(plan, State.start(system), 3000).lines
    assert plan.statistics["steps"] == 12000
    assert np.isfinite(long).all() and np.abs(long[2000:]).max() < 3 * np.abs(long[2000:]).mean()


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6])
@pytest.mark.parametrize("kind", ["sine", "cubic"])
def test_inputs_that_turn_within_a_step_bound_it(kind: str, tolerance: float) -> None:
    """No law, nothing but a signal: an oscillator at 9 Hz under 40 Hz, sampled every 10 ms, so that steps of 32 samples would span
    thirteen periods; against the motion written out (sine) and SciPy's integration of the oscillator (spline)."""
    k, c, w, amplitude = 3.2e3, 8.0, 2 * np.pi * 40.0, 20.0
    knots = np.linspace(-0.05, 2.1, 345)
    drive = sine(amplitude, 40.0) if kind == "sine" else table(knots, amplitude * np.sin(w * knots), "cubic")
    b = Builder()
    b.coordinate("a")
    b.inertia(1.0, {"a": 1.0})
    b.signal("drive", drive)
    b.input("a", "drive")
    b.row("spring", {"a": 1.0}, Spring(k, c))
    b.channel("shaft", "spring", "force", "N", "", [(Source.FORCE, "spring", 1.0)])
    system = b.build(Provenance("oscillator"), {"a": 0.0})
    engine = ExponentialEngine()
    plan = engine.prepare(system, system.channels, 0.01, tolerance)
    block = engine.advance(plan, State.start(system), 200)
    times, lines = block.time, block.lines
    if kind == "sine":
        # x = Re of particular solution and decay from rest: roots r of r^2 + c r + k = 0
        high = amplitude / (k - w * w + 1j * c * w)
        r = -0.5 * c + 1j * np.sqrt(k - 0.25 * c * c)
        x0, v0 = -high.imag, -(1j * w * high).imag
        free = np.array([x0, v0]) @ np.array([[1.0, -r.real / r.imag], [0.0, 1.0 / r.imag]])
        decay = np.exp(r * times)
        x = (high * np.exp(1j * w * times)).imag + free[0] * decay.real + free[1] * decay.imag
        v = (1j * w * high * np.exp(1j * w * times)).imag
        v = v + free[0] * (r * decay).real + free[1] * (r * decay).imag
    else:
        spline = CubicSpline(knots, amplitude * np.sin(w * knots))
        right = solve_ivp(lambda t, y: [y[1], float(spline(t)) - k * y[0] - c * y[1]], (0.0, 2.0), [0.0, 0.0], "DOP853",
                          t_eval=times, rtol=1e-11, atol=1e-14, max_step=knots[1] - knots[0])  # fmt: skip
        x, v = right.y
    wanted = k * x + c * v
    off = float(np.sqrt(np.mean((lines[:, 0] - wanted) ** 2) / np.mean(wanted**2)))
    assert off < tolerance
