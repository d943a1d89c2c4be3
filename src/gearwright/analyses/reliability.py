"""Reliability of a file of limit states: FORM, checks by sampling, sensitivities, series systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gearwright.progress import each
from gearwright.rating.limit_state import read_limit_states
from gearwright.rating.reliability import form, hlrf, importance_sampling, monte_carlo, series_system, sweep

from .base import OPTIONAL, Analysis, Column, Picture, Table
from .picture import Curve


@dataclass(frozen=True)
class Check:
    """A probability by another ``method``; sampled ones with their standard error."""

    method: str
    beta: float
    probability: float | None = field(default=None, metadata=OPTIONAL)
    error: float | None = field(default=None, metadata=OPTIONAL)
    samples: int | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class VariableFound:
    """A variable at the design point: its distribution in words, direction cosine, importance, value."""

    distribution: str
    alpha: float
    importance: float
    design: float


@dataclass(frozen=True)
class LimitStateFound:
    """FORM of a limit state, and what checks it."""

    name: str
    beta: float
    probability: float
    engine: str
    iterations: int
    evaluations: int
    limit_state: str
    constants: Mapping[str, float]
    variables: Mapping[str, VariableFound]
    checks: Sequence[Check]


@dataclass(frozen=True)
class SweepPoint:
    """FORM at a value of a constant."""

    value: float
    beta: float
    probability: float


@dataclass(frozen=True)
class Sweep:
    """FORM of a limit state over a constant."""

    limit_state: str
    constant: str
    points: Sequence[SweepPoint]


@dataclass(frozen=True)
class Series:
    """A series of limit states: probability, its bounds, that of independent ones, correlations of the limit states."""

    probability: float
    beta: float
    low: float
    high: float
    independent: float
    correlation: Any


@dataclass(frozen=True, repr=False, eq=False)
class ReliabilityAnalysis(Analysis):
    """Probabilities of failure: ``limit_states`` with ``beta``, ``probability``, ``variables`` (importance, design point) and
    ``checks``; ``sweep`` over constants; ``series`` of several limit states, None for one."""

    name: str
    description: str
    limit_states: Sequence[LimitStateFound]
    sweep: Sequence[Sweep]
    series: Series | None

    def shown(self) -> Iterator[Table | str]:
        """Every limit state with its checks, sweeps, the series."""
        for state in self.limit_states:
            rows = [[name, v.distribution, v.alpha, v.importance, f"{v.design:.6g}"]
                    for name, v in state.variables.items()]  # fmt: skip
            title = f"{state.name}: beta {state.beta:.4f}, p_f {state.probability:.4g} ({state.engine})"
            columns = ["variable", "distribution", Column("alpha", "", 3), Column("alpha^2", "", 3), "design point"]
            yield Table(title, columns, rows)
            yield from map(_check, state.checks)
        for swept in self.sweep:
            rows = [[f"{p.value:g}", p.beta, p.probability] for p in swept.points]
            title = f"{swept.limit_state}: sensitivity to {swept.constant}"
            yield Table(title, [swept.constant, "beta", Column("p_f", "", 3)], rows)
        if self.series is not None:
            s = self.series
            yield (
                f"series of {len(self.limit_states)}, of FORM (limit states as planes at their design points): p_f "
                f"{s.probability:.4g} (beta {s.beta:.4f}), bounds of FORM {s.low:.4g} to {s.high:.4g}, if independent "
                f"{s.independent:.4g}"
            )

    def picture(self) -> Picture:
        """The probability over the swept constants, or the importance of every variable."""
        if self.sweep:
            curves = [Curve(f"{s.limit_state}, {s.constant}", [p.value for p in s.points],
                            [p.probability for p in s.points]) for s in self.sweep]  # fmt: skip
            return Picture("constant", "probability of failure", curves, logarithmic=True)
        curves = [Curve(s.name, list(s.variables), [v.importance for v in s.variables.values()], "bars")
                  for s in self.limit_states]  # fmt: skip
        return Picture("variable", "importance", curves)


def _check(check: Check) -> str:
    """One sentence on a check."""
    if check.samples is None or check.error is None:
        return f"check {check.method}: beta {check.beta:.4f}"
    start = f"check {check.method}, {check.samples} samples:"
    if math.isnan(check.beta):
        return f"{start} no failure (p_f below about {3 * check.error:.1g})"
    return f"{start} p_f {check.probability:.4g} +- {check.error:.2g} (beta {check.beta:.4f})"


def reliability(
    source: str | Path, *, samples: int = 100_000, seed: int = 0, engine: str | None = None
) -> ReliabilityAnalysis:
    """FORM of every limit state of a file, with checks, the sweep, and the series if there are several.

    ``source`` is a file, or the name of a shipped one; ``samples`` of Monte Carlo and importance sampling, 0 for none; ``engine``
    openturns or hlrf. Raises ReliabilityError or DrivetrainError.
    """
    file = read_limit_states(source)
    states, sweeps = [], []
    for state in each("limit state", file.states):
        found = form(state, engine)
        checks = [] if found.engine == "hlrf" else [Check("hlrf", hlrf(state).beta)]
        if samples:
            for s in (importance_sampling(state, samples, seed, found), monte_carlo(state, samples, seed)):
                checks.append(Check(s.method, s.beta, s.probability, s.error, s.samples))
        variables = {
            n: VariableFound(state.variables[n].words, found.alpha[n], found.importance[n], found.design[n])
            for n in state.names
        }
        states.append(LimitStateFound(
            state.name, found.beta, found.probability, found.engine, found.iterations, found.evaluations, state.text,
            dict(state.constants), variables, checks,
        ))  # fmt: skip
        for constant, values in file.sweep.items():
            points = [SweepPoint(v, f.beta, f.probability) for v, f in sweep(state, constant, values, engine)]
            sweeps.append(Sweep(state.name, constant, points))
    series = None
    if len(file.states) > 1:
        joined = series_system(file.states, engine)
        series = Series(
            joined.probability, joined.beta, joined.low, joined.high, joined.independent, joined.correlation
        )
    return ReliabilityAnalysis(file.name, file.description, states, sweeps, series)


__all__ = ["ReliabilityAnalysis", "reliability"]
