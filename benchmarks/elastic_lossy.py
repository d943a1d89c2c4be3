"""Elastic mesh that loses and sticks (S4, Fig. 7): our run against SciPy on a right-hand side written out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .common import Figure, timed

TITLE = "Elastic lossy gear, 1-DOF (`elastic-lossy-1dof`), per simulated second"

RA, RB, JA, JB, K, C, ETA = 0.3, 0.1, 4e-3, 1e-3, 2e6, 20.0, 0.5


def rates(t: float, x: Any) -> list[float]:
    """Speeds, angles and contact of S4 (4) to (34): the stuck contact first, by the quotient of its side forces."""
    wa, wb, ta, tb, y = x
    fa, fb = K * (y - RA * ta) - C * RA * wa, K * (RB * tb - y) + C * RB * wb
    v = 0.0
    if not (fa * fb > 0.0 and abs(fb) >= ETA * abs(fa) and abs(fa) >= ETA * abs(fb)):
        for ratio, sign in ((ETA, -1.0), (1.0 / ETA, 1.0)):
            w = (fb - ratio * fa) / (C * (1.0 + ratio))
            if sign * (fa + fb) * w > 0.0:
                v = w
    fa, fb = fa + C * v, fb - C * v
    torque = 10.0 * math.sin(2.0 * math.pi * t)
    return [(torque + RA * fa) / JA, (-tb - RB * fb) / JB, wa, wb, v]


def measure(quick: bool = False) -> list[Figure]:
    """Time and error of both, errors against SciPy at 1e-10; ``quick`` runs 0.1 s instead of 1 s."""
    from scipy.integrate import solve_ivp

    from gearwright.running.prepare import prepare
    from gearwright.running.start import initial_state
    from gearwright.solve.runge_kutta.engine import ExplicitEngine
    from gearwright.train.open import load

    length, interval = (0.1 if quick else 1.0), 1e-3
    steps = round(length / interval)
    grid = interval * np.arange(1, steps + 1)
    system = prepare(load("elastic-lossy-1dof"), "sine", duration=length)
    channels = tuple(c for c in system.system.channels if c.kind == "body" and c.quantity == "speed")
    reference = solve_ivp(rates, (0.0, length), np.zeros(5), "LSODA", grid, rtol=1e-10, atol=1e-13).y[:2]
    peak = np.abs(reference).max()
    found = []
    engine = ExplicitEngine()
    ours = 1.0
    for tolerance in (1e-4, 1e-6):
        plan = engine.prepare(system.system, channels, interval, tolerance)
        engine.advance(plan, initial_state(system), 10)

        def run(plan: Any = plan) -> Any:
            return engine.advance(plan, initial_state(system), steps).lines

        ours, lines = timed(run, 3)
        error = float(np.abs(lines.T - reference).max() / peak)
        found.append(Figure(f"ours at tolerance {tolerance:g}", ours / length, "s"))
        found.append(Figure(f"ours at tolerance {tolerance:g}: error of the speeds over their peak", error, "", 1e-3))
    for method in ("LSODA", "Radau"):

        def solve(method: str = method) -> Any:
            integrate: Any = solve_ivp
            return integrate(rates, (0.0, length), np.zeros(5), method, grid, rtol=1e-6, atol=1e-9)

        seconds, run_ = timed(solve)
        error = float(np.abs(run_.y[:2] - reference).max() / peak)
        found.append(Figure(f"SciPy {method} at 1e-6: error", error))
        found.append(Figure(f"SciPy {method} at 1e-6: time over ours", seconds / ours))
    return found
