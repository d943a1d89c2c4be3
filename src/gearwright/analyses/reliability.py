"""Reliability of a file of limit states: FORM, checks by sampling, sensitivities, series systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gearwright.progress import each
from gearwright.rating.limit_state import read_limit_states
from gearwright.rating.reliability import form, hlrf, importance_sampling, monte_carlo, series_system, sweep

from .base import Analysis, Column, Numbers, Picture, Table
from .picture import Curve


@dataclass(frozen=True, repr=False, eq=False)
class ReliabilityAnalysis(Analysis):
    """Probabilities of failure: ``limit_states`` with ``beta``, ``probability``, ``variables`` (importance, design point) and
    ``checks``; ``sweep`` over constants; ``series`` of several limit states, None for one."""

    name: str
    description: str
    limit_states: Sequence[Numbers]
    sweep: Sequence[Numbers]
    series: Numbers | None

    def shown(self) -> Iterator[Table | str]:
        """Every limit state with its checks, sweeps, the series."""
        for state in self.limit_states:
            rows = [
                [name, v["distribution"], v["alpha"], v["importance"], f"{v['design']:.6g}"]
                for name, v in state["variables"].items()
            ]
            title = f"{state['name']}: beta {state['beta']:.4f}, p_f {state['probability']:.4g} ({state['engine']})"
            columns = ["variable", "distribution", Column("alpha", "", 3), Column("alpha^2", "", 3), "design point"]
            yield Table(title, columns, rows)
            yield from map(_check, state["checks"])
        for swept in self.sweep:
            rows = [[f"{p['value']:g}", p["beta"], p["probability"]] for p in swept["points"]]
            title = f"{swept['limit_state']}: sensitivity to {swept['constant']}"
            yield Table(title, [swept["constant"], "beta", Column("p_f", "", 3)], rows)
        if self.series is not None:
            s = self.series
            yield (
                f"series of {len(self.limit_states)}, of FORM (limit states as planes at their design points): p_f "
                f"{s['probability']:.4g} (beta {s['beta']:.4f}), bounds of FORM {s['low']:.4g} to {s['high']:.4g}, if independent "
                f"{s['independent']:.4g}"
            )

    def picture(self) -> Picture:
        """The probability over the swept constants, or the importance of every variable."""
        if self.sweep:
            curves = [
                Curve(
                    f"{s['limit_state']}, {s['constant']}",
                    [p["value"] for p in s["points"]],
                    [p["probability"] for p in s["points"]],
                )
                for s in self.sweep
            ]
            return Picture("constant", "probability of failure", curves, logarithmic=True)
        curves = [
            Curve(s["name"], list(s["variables"]), [v["importance"] for v in s["variables"].values()], "bars")
            for s in self.limit_states
        ]
        return Picture("variable", "importance", curves)


def _check(check: Numbers) -> str:
    """One sentence on a check."""
    if check["method"] == "hlrf":
        return f"check hlrf: beta {check['beta']:.4f}"
    start = f"check {check['method']}, {check['samples']} samples:"
    if math.isnan(check["beta"]):
        return f"{start} no failure (p_f below about {3 * check['error']:.1g})"
    return f"{start} p_f {check['probability']:.4g} +- {check['error']:.2g} (beta {check['beta']:.4f})"


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
        checks: list[dict[str, Any]] = []
        if found.engine != "hlrf":
            checks.append({"method": "hlrf", "beta": hlrf(state).beta})
        if samples:
            for sampled in (importance_sampling(state, samples, seed, found), monte_carlo(state, samples, seed)):
                checks.append({**vars(sampled), "beta": sampled.beta})
        variables = {
            name: {
                "distribution": state.variables[name].words,
                "alpha": found.alpha[name],
                "importance": found.importance[name],
                "design": found.design[name],
            }
            for name in state.names
        }
        states.append(
            {
                "name": state.name,
                "beta": found.beta,
                "probability": found.probability,
                "engine": found.engine,
                "iterations": found.iterations,
                "evaluations": found.evaluations,
                "limit_state": state.text,
                "constants": dict(state.constants),
                "variables": variables,
                "checks": checks,
            }
        )
        for constant, values in file.sweep.items():
            points = [
                {"value": v, "beta": f.beta, "probability": f.probability}
                for v, f in sweep(state, constant, values, engine)
            ]
            sweeps.append({"limit_state": state.name, "constant": constant, "points": points})
    series = None
    if len(file.states) > 1:
        joined = series_system(file.states, engine)
        series = {
            "probability": joined.probability,
            "beta": joined.beta,
            "low": joined.low,
            "high": joined.high,
            "independent": joined.independent,
            "correlation": joined.correlation,
        }
    return ReliabilityAnalysis(file.name, file.description, states, sweeps, series)
