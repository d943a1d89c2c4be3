"""Stiffness in curves over the phase, and jumps under strong damping, against integrations that restart at every corner."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gearwright.laws.mesh_cycle import mesh_cycle
from gearwright.solve.exponential.engine import ExponentialEngine
from gearwright.system import State
from tests.analytic.test_exponential_engine import acceleration, chain, stage, stage_reference

#: two pieces of a cubic each, over their own length; the value jumps at both corners
CURVES = ((3.4e4, 4e3, -6e3, 1e3), (1.9e4, -3e3, 2e3, 2e3))
CORNER = 0.6


def jumping(damping: float = 5.0):  # type: ignore[no-untyped-def]
    """Law of the two pieces: one cell each, so that the law's curve is the cubic itself."""
    return mesh_cycle([(0.0, CORNER, np.array([CURVES[0]])), (CORNER, 1.0 - CORNER, np.array([CURVES[1]]))], damping)


def smooth(damping: float = 5.0):  # type: ignore[no-untyped-def]
    """Law without corners: cells whose values and slopes join, over the seam as well."""
    cells = [(3e4, 4e3, 0.0, -2e3), (3.2e4, -2e3, -4e3, 2e3), (2.8e4, -4e3, 12e3, -6e3)]
    return mesh_cycle([(0.0, 1.0, np.array(cells))], damping), cells


def reference(stiffness, corners, end: float) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Mesh deflection every millisecond by DOP853, restarted at each corner: ``stiffness(phase, cycle)``."""
    t, y = 0.0, np.array([0.0, 0.0, 0.0, 2.0, 2.0, 2.0])
    times = np.linspace(0.0, end, round(end / 1e-3) + 1)[1:]
    found: list[float] = []
    while t < end - 1e-13:
        phase = 30.0 * y[1] + 0.2 + 1e-9
        cycle = np.floor(phase)
        piece = int(np.searchsorted(corners, phase - cycle, "right")) - 1
        high = cycle + (corners[piece + 1] if piece + 1 < len(corners) else 1.0)

        def rate(time, y, piece=piece, cycle=cycle):  # type: ignore[no-untyped-def]
            k = stiffness(30.0 * y[1] + 0.2 - cycle, piece)
            mesh = k * (y[0] - y[1]) + 5.0 * (y[3] - y[4])
            return np.concatenate([y[3:], acceleration(time, y[:3], y[3:], mesh, 8.0, None)])

        def leaves(time, y, high=high):  # type: ignore[no-untyped-def]
            return 30.0 * y[1] + 0.2 - high

        leaves.terminal, leaves.direction = True, 1.0
        stop = 0.0503 if t < 0.0503 else end
        one = solve_ivp(rate, (t, stop), y, "DOP853", dense_output=True, rtol=1e-10, atol=1e-13, events=leaves)
        inside = times[(times > t + 1e-12) & (times <= one.t[-1] + 1e-12)]
        found += [float(one.sol(s)[0] - one.sol(s)[1]) for s in inside]
        t, y = float(one.t[-1]) + (1e-15 if one.status == 0 else 0.0), one.y[:, -1]
    return np.array(found)


def errors(law, want: np.ndarray, steps) -> list[float]:  # type: ignore[no-untyped-def]
    system = chain(law)
    found = []
    for h in steps:
        engine = ExponentialEngine(step=h)
        lines = engine.advance(
            engine.prepare(system, system.channels, 1e-3, 1e-8), State.start(system), len(want)
        ).lines
        found.append(float(np.abs(lines[:, 2] - lines[:, 5] - want).max() / np.abs(want).max()))
    return found


def cubic(c, x: float) -> float:  # type: ignore[no-untyped-def]
    return float(c[0] + x * (c[1] + x * (c[2] + x * c[3])))


def test_curves_that_jump_keep_the_order() -> None:
    """The phase vibrates, which moves the corners: the order is that of levels."""

    def stiffness(phase: float, piece: int) -> float:
        begin, width = (0.0, CORNER) if piece == 0 else (CORNER, 1.0 - CORNER)
        return cubic(CURVES[piece], (phase - begin) / width)

    got = errors(jumping(), reference(stiffness, [0.0, CORNER], 0.1), (1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5))
    assert got[3] < 1e-6
    assert np.log2(got[0] / got[4]) / 4.0 > 2.0


def test_smooth_curves_go_on_over_their_cells_and_seam() -> None:
    """Cells join in value and slope: their curvature jumps within a step, which leaves the third order."""
    law, cells = smooth()
    # the reference restarts where the curvature jumps; the engine does not
    want = reference(lambda p, j: cubic(cells[j], 3.0 * p - j), [0.0, 1.0 / 3.0, 2.0 / 3.0], 0.1)
    got = errors(law, want, (8e-3, 1e-3, 2.5e-4, 1.25e-4))
    assert got[2] < 5e-7 and got[3] < 1e-7
    # how near to a node of a step a joint lies makes the orders of single halvings differ: over six of them
    assert np.log2(got[0] / got[3]) / 6.0 > 2.0


def test_the_course_of_a_law_is_the_function_that_is_called() -> None:
    law = jumping()
    assert law.course is not None
    system = chain(law)
    signals = np.array([float(s(0.0)) for s in system.signals])
    for phase in (0.1, 0.59, 0.61, 0.99):
        piece = 0 if phase < CORNER else 1
        begin, width = (0.0, CORNER) if piece == 0 else (CORNER, 1.0 - CORNER)
        cells = np.array(law.course.cells[piece])
        x = (phase - begin) / width * len(cells)
        want = 2.0 * cubic(CURVES[piece], (phase - begin) / width)
        assert 2.0 * cubic(cells[int(x)], x - int(x)) == pytest.approx(want, rel=1e-12)
        assert system.law_force(0, np.array([2.0, phase]), np.zeros(2), signals)[0] == pytest.approx(want, rel=1e-12)


def test_samples_within_a_step_follow_the_jumps_of_a_strongly_damped_stage() -> None:
    """Rates leap with the stiffness: steps of four samples against Radau from switch to switch."""
    damping = 6.4e-3 * 4.75e9
    system = stage(damping)
    want = stage_reference(damping, 0.032, "Radau")
    engine = ExponentialEngine(step=4e-3)
    plan = engine.prepare(system, system.channels, 1e-3, 1e-6)
    lines = engine.advance(plan, State.start(system), 32).lines
    assert plan.step == pytest.approx(4e-3)
    error = np.sqrt(np.mean((lines - want) ** 2, axis=1)) / want.std()
    # within the steps hardly worse than at their ends
    assert error.max() < 2e-2
    assert error[[i for i in range(32) if i % 4 != 3]].mean() < 3.0 * max(error[3::4].mean(), 1e-3)
