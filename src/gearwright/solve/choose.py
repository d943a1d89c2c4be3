"""Which engine steps a system: by counting operations, never by timing, so the choice is the same everywhere.

The counts are microseconds of work per simulated second on one class of machine, at an error of loads equal to the tolerance T:

    exact        nu (4 + 0.3 n + 0.005 n^2) + 0.8 g + 0.5 s;  beside a turbine, where each sample begins a piece, (0.8 + 0.0016 n^2) s
    exponential  (0.3 + 0.15 n)/h + nu (12 + 0.45 n) (1e-3/T)^0.3 + (0.5 + 0.012 n) s;  where laws are called
                 nu (20 + 4 n) instead of nu (12 + 0.45 n)
    explicit     (0.2 + 0.0095 r) |lambda| + nu (10 + 0.26 r) (1e-3/T)^0.17 + (0.3 + 0.003 r) s

nu is the number of switches per second: places of a phase where stiffness jumps or bends. g: looks for gaps that open or
close, sixteen per period of the fastest mode that moves one. s: samples per second. n: coordinates, r: rows that carry force. |lambda|: the
largest eigenvalue, which bounds explicit steps. h: step of the exponential engine, a part or a multiple of the sample interval, at
most min(1.5/w, 1/(3 f)), four instead of 1.5 where all laws are linear over their phase; w the highest mode below 30 % damping
in the rows of laws, f the highest mesh frequency. Where a law does not say where it bends the steps are rejected: h counts a
tenth. At switches the exponential engine repeats steps with halves until the indicator is quiet, and the explicit engine lands.

Coefficients are fitted to measured times at equal error of the shipped examples, ``benchmarks/choice.json``: among their
engines the one counted least takes at most 1.5 times the time of the fastest. A constant model goes to the exact engine uncounted.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from gearwright.errors import InputError
from gearwright.system import Law, System

from .exponential.engine import ExponentialEngine, longest_step, mesh_frequency, reference_form, steps_of
from .exponential.modes import declared_linear
from .modal.engine import ExactEngine
from .runge_kutta.engine import ExplicitEngine

NAMES = ("exact", "explicit", "exponential")

_WHY = {
    "exact": "stiffness in levels, {nu:.0f} switches per second, is solved exactly between them",
    "exponential": "its step is not limited by strong damping: {h:.3g} us",
    "explicit": "moderate frequencies (largest eigenvalue {eigenvalue:.3g} 1/s): short steps cost least",
}


#: What a run by the exponential engine says where its error is not controlled.
_BLIND = (
    "the law '{}' does not say where it bends: forces may err by a hundred tolerances and more, which explicit does not"
)
#: Looks of the exact engine for gaps, per period of the fastest mode that moves one.
LOOKS = 16
#: Share of a mode in the deflections of a gap's row above which it moves it.
MOVES = 1e-4
#: Steps of the exponential engine that a law which does not say where it bends makes of one.
REJECTED = 10.0


class EngineError(InputError):
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
    #: looks for gaps that open or close [1/s]
    looks: float = 0.0
    #: a turbine is stepped beside it
    accompanied: bool = False


def engine(name: str) -> Any:
    """An engine by name. Raises EngineError with the names there are."""
    if name == "exact":
        return ExactEngine()
    if name == "explicit":
        return ExplicitEngine()
    if name == "exponential":
        return ExponentialEngine()
    meant = get_close_matches(name, NAMES, 1)
    hint = f". Did you mean '{meant[0]}'?" if meant else ""
    raise EngineError(f"there is no method '{name}'; choose one of {', '.join(NAMES)}{hint}")


def choose(
    system: System, interval: float, tolerance: float, name: str | None = None, accompanied: bool = False
) -> tuple[Any, str]:
    """The engine for a system, and the reason as a sentence.

    Parameters
    ----------
    system : what is to be stepped
    interval : sample interval [s]; the exact engine takes at least a part of a piece per sample
    tolerance : relative, on loads; tighter ones shorten the steps of the other two
    name : an engine that the user names; it is taken or refused, never replaced
    accompanied : whether a turbine is stepped beside it, which costs the exact engine a new piece at every sample

    Raises EngineError for a named engine that is not known or refuses, and where every engine refuses.
    """
    if name is not None:
        chosen = engine(name)
        refusal = chosen.refuses(system)
        if refusal:
            raise EngineError(f"method '{name}' cannot run this: {refusal}")
        blind = next((law.label for law in system.laws if _undeclared(law)), "") if name == "exponential" else ""
        return chosen, f"as asked for; {_BLIND.format(blind)}" if blind else "as asked for"
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
    counts = operations(system)._replace(accompanied=accompanied)
    cost = {k: costs(counts, interval, tolerance)[k] for k in able}
    figures = ", ".join(f"{k} {1e3 * v:.3g}" for k, v in sorted(cost.items(), key=lambda item: item[1]))
    best = min(cost, key=lambda k: cost[k])
    sentence = _WHY[best].format(nu=counts.switches, h=1e6 * counts.step, eigenvalue=counts.eigenvalue)
    if best == "explicit" and counts.undeclared:
        sentence += f"; the law '{counts.undeclared}' does not say where it bends, which short steps survive best"
    return able[best], f"{sentence} (counted ms per simulated s: {figures})"


def operations(system: System) -> Counts:
    """What a system costs, from its kinematics at the initial speeds and its linear model."""
    try:
        form = reference_form(system)[0]
    except ValueError:  # a defective group of modes: the exponential engine would refuse it when preparing
        eigenvalue, step = _largest_eigenvalue(system), 0.0
        looks = LOOKS * eigenvalue / (2.0 * np.pi) if _gaps(system) else 0.0
    else:
        eigenvalue, step = float(np.abs(form.eigenvalues).max(initial=0.0)), longest_step(system, form)
        looks = _looks(system, form)
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
        system.shape.coordinates,
        carrying,
        switches,
        eigenvalue,
        step,
        any(not declared_linear(law) for law in system.laws),
        undeclared,
        looks,
    )


def costs(c: Counts, interval: float, tolerance: float) -> dict[str, float]:
    """Counted seconds of work per simulated second of every engine, at an error of loads equal to the tolerance.

    ``interval`` [s] is that of the samples.
    """
    n, rows, samples = c.coordinates, c.rows, 1.0 / interval
    finer = 1e-3 / min(tolerance, 1e-3)
    exponential = np.inf
    if c.step > 0.0:
        units, power = steps_of(interval, c.step, False)
        steps = units / (interval * 2.0**power) * (REJECTED if c.undeclared else 1.0)
        switch = (20.0 + 4.0 * n if c.calls else 12.0 + 0.45 * n) * finer**0.3
        exponential = (0.3 + 0.15 * n) * steps + switch * c.switches + (0.5 + 0.012 * n) * samples
    explicit = (0.2 + 0.0095 * rows) * c.eigenvalue + (0.3 + 0.003 * rows) * samples
    explicit += (10.0 + 0.26 * rows) * finer**0.17 * c.switches
    exact = (4.0 + 0.3 * n + 0.005 * n * n) * c.switches + 0.8 * c.looks
    exact += (0.8 + 0.0016 * n * n if c.accompanied else 0.5) * samples
    return {"exact": 1e-6 * exact, "exponential": 1e-6 * exponential, "explicit": 1e-6 * explicit}


def _gaps(system: System) -> list[int]:
    """Rows that open and close."""
    found = []
    for block, law in enumerate(system.laws):
        if law.pieces is not None:
            first = system.law_rows(block).start
            found += [first + i for i, gap in enumerate(law.pieces.gap) if gap is not None]
    return found


def _looks(system: System, form: Any) -> float:
    """Looks of the exact engine for gaps [1/s]."""
    rows = _gaps(system)
    if not rows or not len(form.omega):
        return 0.0
    shares = form.row_shapes[rows] ** 2
    shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    taking = form.omega[(shares > MOVES).any(axis=0)]
    return LOOKS * float(taking.max(initial=0.0)) / (2.0 * np.pi)


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
