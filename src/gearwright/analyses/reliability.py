"""Reliability of a file of limit states, as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gearwright.progress import each
from gearwright.rating.limit_state import read_limit_states
from gearwright.rating.reliability import form, hlrf, importance_sampling, monte_carlo, series_system, sweep


def reliability_of_file(
    source: str | Path, *, samples: int = 100_000, seed: int = 0, engine: str | None = None
) -> dict[str, Any]:
    """FORM of every limit state of a file, with checks, the sweep, and the series if there are several.

    ``samples`` of Monte Carlo and importance sampling, 0 for none; ``engine`` openturns or hlrf. Raises
    ReliabilityError or DrivetrainError.
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
            name: {"distribution": state.variables[name].words, "alpha": found.alpha[name],
                   "importance": found.importance[name], "design": found.design[name]}
            for name in state.names
        }  # fmt: skip
        states.append({
            "name": state.name, "beta": found.beta, "probability": found.probability, "engine": found.engine,
            "iterations": found.iterations, "evaluations": found.evaluations, "limit_state": state.text,
            "constants": dict(state.constants), "variables": variables, "checks": checks,
        })  # fmt: skip
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
            "probability": joined.probability, "beta": joined.beta, "low": joined.low, "high": joined.high,
            "independent": joined.independent, "correlation": joined.correlation,
        }  # fmt: skip
    return {
        "name": file.name,
        "description": file.description,
        "limit_states": states,
        "sweep": sweeps,
        "series": series,
    }


__all__ = ["reliability_of_file"]
