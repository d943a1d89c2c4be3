"""P1: 30 s of the 500 kW planetary stage with two-level stiffness, against scipy RK45 and CVODE."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np

from .common import Figure, Float, relative_error, timed
from .twolevel import TwoLevel

TITLE = "P1: `nordtank-500kw-two-level`, two levels of mesh stiffness, samples at 1 kHz"
INTERVAL = 1e-3


def measure(quick: bool = False) -> list[Figure]:
    """Speed and error of the exact engine; of the peers over a part of the time, per simulated second."""
    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.solve.choose import engine
    from gearwright.train.open import load

    duration, window = (0.5, 0.05) if quick else (30.0, 1.0)
    system = prepare(load("nordtank-500kw-two-level")).system
    prepared = prepare(load("nordtank-500kw-two-level"))
    start, problem = initial_state(prepared), TwoLevel(system)
    times = np.linspace(INTERVAL, window, round(window / INTERVAL))
    y = problem.start(start)
    reference = problem.deflections(problem.reference(y, times))
    channels = tuple(c for c in system.channels if c.kind == "mesh" and c.quantity == "deflection")

    exact = engine("exact")
    steps = round(duration / INTERVAL)

    def whole() -> Float:
        plan = exact.prepare(system, channels, INTERVAL, 0.0)
        return np.asarray(exact.advance(plan, start.copy(), steps).lines)

    whole()
    own, lines = timed(whole, 1 if quick else 5)
    error = relative_error(lines[: len(times)], reference)
    figures = [
        Figure(f"exact engine, {duration:g} s, combinations included", own, "s", 0.1),
        Figure("simulated seconds per processor second", duration / own),
        Figure(f"error over {window:g} s, against DOP853 at 1e-12 restarted at switches", error, "", 1e-6),
    ]
    if not quick:
        figures.append(_other_engine(system, channels, start, lines))
    figures += _scipy(problem, y, times, reference, own / duration)
    figures += _cvode(problem, y, times, reference, own / duration)
    return figures


def _other_engine(system: Any, channels: Any, start: Any, lines: Float) -> Figure:
    """The whole run again with the explicit engine, whose steps know nothing of modes."""
    from gearwright.solve.choose import engine

    other = engine("explicit")
    plan = other.prepare(system, channels, INTERVAL, 1e-9)
    again = np.asarray(other.advance(plan, start.copy(), len(lines)).lines)
    return Figure("error over all of it, against the explicit engine at 1e-9", relative_error(lines, again), "", 1e-6)


def _scipy(problem: TwoLevel, y: Float, times: Float, reference: Float, own: float) -> list[Figure]:
    """RK45 at 1e-6, which in this problem stays above an error of 1e-3."""
    from scipy.integrate import solve_ivp

    scale = np.concatenate([np.full(problem.n, 1e-9), np.full(problem.n, 1e-6)])
    seconds, found = timed(
        lambda: solve_ivp(problem.right_side, (0.0, times[-1]), y, "RK45", t_eval=times, rtol=1e-6, atol=scale)
    )
    error = relative_error(problem.deflections(found.y[: problem.n].T), reference)
    return [
        Figure("scipy RK45, NumPy right-hand side, 1e-6: seconds per simulated second", seconds / times[-1], "s"),
        Figure("scipy RK45: error", error),
        Figure("scipy RK45: time over that of the exact engine", seconds / times[-1] / own, "", 1000.0, ">"),
    ]


def _cvode(problem: TwoLevel, y: Float, times: Float, reference: Float, own: float) -> list[Figure]:
    """CVODE's BDF with a Jacobian; right-hand side compiled; the loosest of three tolerances with an error below 1e-2."""
    try:
        from sksundae.cvode import CVODE
    except ImportError:
        return [Figure("CVODE: scikit-sundae is not installed", np.nan)]
    right_side = problem.compiled()

    def jacobian(_t: float, y: Float, _yp: Float, out: Float) -> None:
        out[:] = problem.jacobian(y[: problem.n])

    figures = []
    for tolerance in (1e-6, 1e-8, 1e-10):
        scale = np.concatenate([np.full(problem.n, 1e-3 * tolerance), np.full(problem.n, tolerance)])
        solver = CVODE(right_side, jacfn=jacobian, method="BDF", rtol=tolerance, atol=scale, max_num_steps=10**8)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seconds, found = timed(partial(solver.solve, np.concatenate([[0.0], times]), y))
        error = relative_error(problem.deflections(np.asarray(found.y)[1:, : problem.n]), reference)
        if error < 1e-2 or tolerance == 1e-10:
            figures += [
                Figure(f"CVODE BDF, compiled right-hand side, {tolerance:g}: seconds per simulated second",
                       seconds / times[-1], "s"),
                Figure("CVODE: error", error),
                Figure("CVODE: time over that of the exact engine", seconds / times[-1] / own, "", 500.0, ">"),
            ]  # fmt: skip
            break
    return figures
