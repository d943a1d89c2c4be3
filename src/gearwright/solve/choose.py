"""Which engine steps a system: by counting operations, never by timing, so the choice is the same everywhere.

The counts are those of numerics page 2, section 8 (seconds of work per simulated second on one class of machine):

    exact        nu (0.5 + 0.0053 n^2) 1e-6              springs, stiffness in levels, gaps
    exponential  (1 + 0.021 n) 1e-6 / h                  h = min(1.5 / w_m, 1 / (3 f))
    explicit     6 R max(|lambda| / 1.9, 12 nu)          R seconds of one right-hand side

nu is the number of switches per second, n the number of coordinates, w_m the highest mode below 30 % damping, f the
highest mesh frequency, |lambda| the largest eigenvalue.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gearwright.system import System

from .modes import modes

NAMES = ("exact", "explicit", "exponential")


class EngineError(ValueError):
    """An engine that is not known or that cannot take a system; the message says what to choose."""


class Counts(NamedTuple):
    """What the choice counts."""

    coordinates: int
    switches: float
    highest_mode: float
    mesh_frequency: float
    eigenvalue: float
    rows: int


def engine(name: str) -> Any:
    """An engine by name. Raises EngineError with the names there are."""
    if name == "exact":
        from .exact import ExactEngine

        return ExactEngine()
    if name == "explicit":
        from .explicit import ExplicitEngine

        return ExplicitEngine()
    if name == "exponential":
        from .exponential import ExponentialEngine

        return ExponentialEngine()
    raise EngineError(f"there is no method '{name}'; choose one of {', '.join(NAMES)}")


def choose(system: System, interval: float, tolerance: float, name: str | None = None) -> tuple[Any, str]:
    """The engine for a system, and the reason as a sentence.

    Parameters
    ----------
    system : what is to be stepped
    interval : sample interval [s]; the exact engine takes at least one piece per sample
    tolerance : relative, on loads; tighter ones shorten the steps of the other two
    name : an engine that the user names; it is taken or refused, never replaced

    Raises EngineError for a named engine that refuses, and where every engine refuses.
    """
    if name is not None:
        chosen = engine(name)
        refusal = chosen.refuses(system)
        if refusal:
            raise EngineError(f"method '{name}' cannot run this: {refusal}")
        return chosen, "as asked for"
    refusals = {}
    able = {}
    for candidate in NAMES:
        one = engine(candidate)
        refusal = one.refuses(system)
        if refusal:
            refusals[candidate] = refusal
        else:
            able[candidate] = one
    if not able:
        raise EngineError("no method can run this: " + "; ".join(f"{k}: {v}" for k, v in refusals.items()))
    if "exact" in able and system.shape.laws == 0:
        return able["exact"], "the model is linear and does not change: modal propagation is exact"
    if len(able) == 1:
        only = next(iter(able))
        why = "; ".join(f"{k}: {v}" for k, v in refusals.items())
        return able[only], f"the only method that takes this model ({why})"
    counts = operations(system)
    cost = {k: _cost(k, counts, interval, tolerance) for k in able}
    best = min(cost, key=lambda k: cost[k])
    figures = ", ".join(f"{k} {1e3 * v:.3g}" for k, v in sorted(cost.items(), key=lambda item: item[1]))
    if best == "explicit" and "exponential" in cost and cost["explicit"] > 0.5 * cost["exponential"]:
        best = "exponential"  # at equal cost the exponential method is the more accurate one
    why = {
        "exact": f"stiffness in levels, {counts.switches:.0f} switches per second, solved exactly between them",
        "exponential": "strong damping, high frequencies or many switches limit neither its step nor its order",
        "explicit": "few rows and moderate frequencies: short explicit steps cost least",
    }[best]
    return able[best], f"{why} (counted ms per simulated s: {figures})"


def operations(system: System) -> Counts:
    """What a system costs, from its kinematics and its linear model."""
    found = modes(system)
    damping = np.nan_to_num(found.damping_ratios, nan=1.0)
    lively = found.frequencies_hz[damping < 0.3]
    highest = 2.0 * math.pi * float(lively.max()) if len(lively) else 1.0
    rates = np.abs(np.asarray(system.D @ system.v0))
    switches, mesh = 0.0, 0.0
    for block, law in enumerate(system.laws):
        if not law.senses or not law.corners:
            continue
        rate = float(rates[system.sense_rows(block).start])
        mesh = max(mesh, rate)
        switches += rate * len(law.corners)
    eigenvalue = float(np.abs(found.poles).max()) if len(found.poles) else highest
    return Counts(system.shape.coordinates, switches, highest, mesh, eigenvalue, system.shape.rows)


def _cost(name: str, c: Counts, interval: float, tolerance: float) -> float:
    n = c.coordinates
    if name == "exact":
        return (c.switches + 0.2 / interval) * (0.5 + 0.0053 * n * n) * 1e-6
    # both other methods are of fourth order or so: a decade of tolerance is a factor 1.8 in the step
    tighter = (1e-3 / min(tolerance, 1e-3)) ** 0.2
    if name == "exponential":
        step = min(1.5 / c.highest_mode, 1.0 / (3.0 * c.mesh_frequency) if c.mesh_frequency else math.inf)
        return (1.0 + 0.021 * n) * 1e-6 / step * tighter
    right_side = (10.0 + 5.0 * c.rows) * 1e-9
    return 6.0 * right_side * max(c.eigenvalue / 1.9, 12.0 * c.switches) * tighter
