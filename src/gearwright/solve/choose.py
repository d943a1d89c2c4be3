"""Which engine steps a system: by counting operations, never by timing, so the choice is the same everywhere.

The counts are those of numerics page 2, section 8 (seconds of work per simulated second on one class of machine):

    exact        (nu + 0.2/interval) (0.5 + 0.0053 n^2) 1e-6     springs, stiffness in levels, gaps
    exponential  (1 + 0.021 n) 1e-6 / h, times 1.4 with laws by calls, h = min(1.5/w_m, 1/(3 f));
                 laws that are linear over their phase: h = min(4/w_m, 1/(3 f)), a step costs twice as much
    explicit     6 R max(|lambda|/1.9, 12 nu),                   R = (10 + 5 rows + 30 curves) ns

nu is the number of switches per second, n the number of coordinates, w_m the highest mode below 30 % damping that
takes part in the rows of laws, f the highest mesh frequency, |lambda| the largest eigenvalue, rows those that
carry force, curves the laws whose stiffness is a curve over the phase: the exponential engine has their moments in closed
form. Where stiffness switches, the explicit method lands about a dozen times per switch (restart included).
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from gearwright.system import Law, System

NAMES = ("exact", "explicit", "exponential")

_WHY = {
    "exact": "stiffness in levels, {nu:.0f} switches per second, is solved exactly between them",
    "exponential": "its step is limited neither by strong damping nor by switches: {h:.3g} us",
    "explicit": "few rows and moderate frequencies (largest eigenvalue {eigenvalue:.3g} 1/s): short steps cost least",
}


#: Measured cost of a step of the exponential engine that is long, by a short one: `nordtank-500kw` 1.9, `nrel-5mw-nejad` 2.
_LONG = 2.0


class EngineError(ValueError):
    """An engine that is not known or that cannot take a system; the message says what to choose."""


class Counts(NamedTuple):
    """What the choice counts: see the module. ``step`` [s] is that of the exponential engine at its coarsest."""

    coordinates: int
    rows: int
    switches: float
    eigenvalue: float
    step: float
    #: some law is not linear over its phase and is called point by point
    calls: bool
    #: a stiff law without declared kinks: where they are is unknown
    undeclared: str
    #: laws with a stiffness that is a curve over the phase
    curves: int = 0
    #: what a step of the exponential engine costs, by one of 1.5/w_m
    effort: float = 1.0


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
    meant = get_close_matches(name, NAMES, 1)
    hint = f". Did you mean '{meant[0]}'?" if meant else ""
    raise EngineError(f"there is no method '{name}'; choose one of {', '.join(NAMES)}{hint}")


def choose(system: System, interval: float, tolerance: float, name: str | None = None) -> tuple[Any, str]:
    """The engine for a system, and the reason as a sentence.

    Parameters
    ----------
    system : what is to be stepped
    interval : sample interval [s]; the exact engine takes at least a part of a piece per sample
    tolerance : relative, on loads; tighter ones shorten the steps of the other two
    name : an engine that the user names; it is taken or refused, never replaced

    Raises EngineError for a named engine that is not known or refuses, and where every engine refuses.
    """
    if name is not None:
        chosen = engine(name)
        refusal = chosen.refuses(system)
        if refusal:
            raise EngineError(f"method '{name}' cannot run this: {refusal}")
        return chosen, "as asked for"
    able, refusals = {}, {}
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
        why = "; ".join(
            f"not {k}: {v[:1].lower()}{v[1:].split('; choose')[0].rstrip('.')}" for k, v in refusals.items()
        )
        return able[only], f"the only method that takes this model ({why})"
    counts = operations(system)
    cost = {k: costs(counts, interval, tolerance)[k] for k in able}
    figures = ", ".join(f"{k} {1e3 * v:.3g}" for k, v in sorted(cost.items(), key=lambda item: item[1]))
    best = min(cost, key=lambda k: cost[k])
    if "exact" not in cost and counts.undeclared and cost["explicit"] < 10.0 * cost["exponential"]:
        sentence = f"the law '{counts.undeclared}' does not say where it bends, which short explicit steps survive best"
        return able["explicit"], f"{sentence} (counted ms per simulated s: {figures})"
    if best == "explicit" and "exponential" in cost and cost["explicit"] > 0.5 * cost["exponential"]:
        best = "exponential"  # at equal cost the exponential method was the more accurate one
    sentence = _WHY[best].format(nu=counts.switches, h=1e6 * counts.step, eigenvalue=counts.eigenvalue)
    return able[best], f"{sentence} (counted ms per simulated s: {figures})"


def operations(system: System) -> Counts:
    """What a system costs, from its kinematics at the initial speeds and its linear model."""
    from .exponential import longest_step, mesh_frequency, reference_form
    from .exponential_modes import declared_linear

    try:
        form = reference_form(system)[0]
    except ValueError:  # a defective group of modes: the exponential engine would refuse it when preparing
        eigenvalue, step = _largest_eigenvalue(system), 0.0
    else:
        eigenvalue, step = float(np.abs(form.eigenvalues).max(initial=0.0)), longest_step(system, form)
    rates = np.abs(np.asarray(system.D @ system.v0))
    switches = 0.0
    for block, law in enumerate(system.laws):
        if law.senses:
            switches += float(rates[system.sense_rows(block).start]) * _kinks(law)
    carrying = system.shape.rows - sum(law.senses for law in system.laws)
    undeclared = next((law.label for law in system.laws if _undeclared(law)), "")
    if not np.isfinite(step):
        step = 1.0 / max(3.0 * mesh_frequency(system), 1e-3)
    return Counts(
        system.shape.coordinates, carrying, switches, eigenvalue, step,
        any(law.pieces is None and law.course is None for law in system.laws), undeclared,
        sum(law.course is not None for law in system.laws),
        _LONG if system.shape.laws and all(declared_linear(law) for law in system.laws) else 1.0,
    )  # fmt: skip


def costs(c: Counts, interval: float, tolerance: float) -> dict[str, float]:
    """Counted seconds of work per simulated second of every engine."""
    n = c.coordinates
    # both stepping methods are of fourth order or so: a decade of tolerance is a factor 1.6 in the step
    tighter = (1e-3 / min(tolerance, 1e-3)) ** 0.2
    exponential = np.inf
    if c.step > 0.0:
        exponential = (1.0 + 0.021 * n) * 1e-6 / c.step * c.effort * tighter * (1.4 if c.calls else 1.0)
    right_side = (10.0 + 5.0 * c.rows + 30.0 * c.curves) * 1e-9
    return {
        "exact": (c.switches + 0.2 / interval) * (0.5 + 0.0053 * n * n) * 1e-6,
        "exponential": exponential,
        "explicit": 6.0 * right_side * max(c.eigenvalue / 1.9, 12.0 * c.switches) * tighter,
    }


def _kinks(law: Law) -> int:
    """Kinks of a law per cycle of its phase."""
    return max(len(law.corners), len(law.pieces.boundaries) if law.pieces is not None else 0)


def _undeclared(law: Law) -> bool:
    """A law that carries stiffness and declares neither pieces nor corners nor a guard, nor that it is smooth."""
    stiff = law.mean is None or any(k != 0.0 for k in law.mean[0])
    return stiff and law.pieces is None and law.guard is None and not law.corners and not law.smooth


def _largest_eigenvalue(system: System) -> float:
    mass, stiffness, damping = (m[np.ix_(system.free, system.free)] for m in system.linear())
    n = len(mass)
    inverse = np.linalg.inv(mass)
    first = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ stiffness, -inverse @ damping]])
    return float(np.abs(np.linalg.eigvals(first)).max())
