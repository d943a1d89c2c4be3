"""Reliability of a file of limit states: FORM, checks by sampling, sensitivities, series systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gearwright.figures.format import alike
from gearwright.progress import each
from gearwright.rating.limit_state import read_limit_states
from gearwright.rating.reliability import form, hlrf, importance_sampling, monte_carlo, series_system, sweep

from .base import OPTIONAL, Analysis, Column, Picture, Table
from .picture import Curve


@dataclass(frozen=True)
class VariableResult:
    """A variable: its direction cosine ``alpha``, importance alpha^2, and its value at the design point."""

    distribution: str
    alpha: float
    importance: float
    design: float


@dataclass(frozen=True)
class CheckResult:
    """A check of FORM: by another engine (``hlrf``), which has ``beta`` alone, or by sampling, which has a standard ``error``."""

    method: str
    beta: float
    probability: float | None = field(default=None, metadata=OPTIONAL)
    error: float | None = field(default=None, metadata=OPTIONAL)
    samples: int | None = field(default=None, metadata=OPTIONAL)

    def __str__(self) -> str:
        if self.error is None:
            return f"check {self.method}: beta {self.beta:.4f}"
        start = f"check {self.method}, {self.samples} samples:"
        if math.isnan(self.beta):
            return f"{start} no failure (p_f below about {3 * self.error:.1g})"
        return f"{start} p_f {self.probability:.4g} +- {self.error:.2g} (beta {self.beta:.4f})"


@dataclass(frozen=True)
class LimitStateResult:
    """FORM of a limit state, with its checks."""

    name: str
    beta: float
    probability: float
    engine: str
    iterations: int
    evaluations: int
    limit_state: str
    constants: Mapping[str, float]
    variables: Mapping[str, VariableResult]
    checks: Sequence[CheckResult]


@dataclass(frozen=True)
class SweptPoint:
    """FORM at a value of a constant."""

    value: float
    beta: float
    probability: float


@dataclass(frozen=True)
class SweptConstant:
    """FORM of a limit state over a constant."""

    limit_state: str
    constant: str
    points: Sequence[SweptPoint]


@dataclass(frozen=True)
class SeriesResult:
    """A series of limit states, as :class:`gearwright.rating.reliability.Series` has it."""

    probability: float
    beta: float
    low: float
    high: float
    independent: float
    correlation: NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class ReliabilityAnalysis(Analysis):
    """Probabilities of failure: ``limit_states``, ``sweep`` over constants, ``series`` of several limit states, None for one."""

    name: str
    description: str
    limit_states: Sequence[LimitStateResult]
    sweep: Sequence[SweptConstant]
    series: SeriesResult | None

    def shown(self) -> Iterator[Table | str]:
        """Every limit state with its checks, sweeps, the series."""
        for state in self.limit_states:
            rows = [
                [name, v.distribution, v.alpha, v.importance, f"{v.design:.6g}"] for name, v in state.variables.items()
            ]
            title = f"{state.name}: beta {state.beta:.4f}, p_f {state.probability:.4g} ({state.engine})"
            columns = ["variable", "distribution", Column("alpha", "", 3), Column("alpha^2", "", 3), "design point"]
            yield Table(title, columns, rows)
            yield from map(str, state.checks)
        for swept in self.sweep:
            points = [[f"{p.value:g}", p.beta, p.probability] for p in swept.points]
            title = f"{swept.limit_state}: sensitivity to {swept.constant}"
            yield Table(title, [swept.constant, "beta", Column("p_f", "", 3)], points)
        if (s := self.series) is not None:
            yield (
                f"series of {len(self.limit_states)}, of FORM (limit states as planes at their design points): p_f "
                f"{s.probability:.4g} (beta {s.beta:.4f}), bounds of FORM {s.low:.4g} to {s.high:.4g}, if independent "
                f"{s.independent:.4g}"
            )

    def picture(self) -> Picture:
        """The probability over the swept constants, or the importance of every variable."""
        if self.sweep:
            curves = [
                Curve(f"{s.limit_state}, {s.constant}", [p.value for p in s.points], [p.probability for p in s.points])
                for s in self.sweep
            ]
            return Picture("constant", "probability of failure", curves, logarithmic=True)
        curves = [
            Curve(s.name, list(s.variables), [v.importance for v in s.variables.values()], "bars")
            for s in self.limit_states
        ]
        return Picture("variable", "importance", curves)


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
        checks = []
        if found.engine != "hlrf":
            checks.append(CheckResult("hlrf", hlrf(state).beta))
        if samples:
            sampled = importance_sampling(state, samples, seed, found), monte_carlo(state, samples, seed)
            checks += [alike(CheckResult, one) for one in sampled]
        variables = {
            name: VariableResult(
                state.variables[name].words, found.alpha[name], found.importance[name], found.design[name]
            )
            for name in state.names
        }
        states.append(alike(LimitStateResult, found, state, limit_state=state.text, variables=variables, checks=checks))
        for constant, values in file.sweep.items():
            points = [SweptPoint(v, f.beta, f.probability) for v, f in sweep(state, constant, values, engine)]
            sweeps.append(SweptConstant(state.name, constant, points))
    series = alike(SeriesResult, series_system(file.states, engine)) if len(file.states) > 1 else None
    return ReliabilityAnalysis(file.name, file.description, states, sweeps, series)
