"""What a study says about its values: rank correlations, and Sobol indices of a ``sensitivity`` design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gearwright.rating.reliability import Share, has_openturns, sobol_shares

from .plan import Plan
from .study import output_of


@dataclass(frozen=True)
class Effect:
    """How one value acts on one output.

    ``rank_correlation`` Spearman's, None for words and for outputs that do not change but for rounding; ``first`` and ``total``
    Sobol indices with their 90 % intervals, both held between 0 and 1, where a share lies; None unless the study is a complete
    ``sensitivity`` design.
    """

    output: str
    path: str
    rank_correlation: float | None
    first: float | None = None
    first_interval: tuple[float, float] | None = None
    total: float | None = None
    total_interval: tuple[float, float] | None = None


def effects(plan: Plan, table: Mapping[str, Sequence[Any]]) -> list[Effect]:
    """Effects of every path on every output, the strongest first.

    Source of the indices: Saltelli et al. (2010) by openturns, or as SciPy has them where it is not installed; 90 %
    intervals by bootstrap.
    """
    from scipy import stats

    found = []
    complete = list(table["id"]) == list(plan.items)
    for output in plan.outputs:
        y = tied(output_of(table, output), rounding_of(table, output))
        ranks = {}
        for path in plan.paths:
            x = np.array([v if isinstance(v, (int, float)) else np.nan for v in table[path]], float)
            usable = np.isfinite(x) & np.isfinite(y)
            vary = usable.sum() > 2 and np.ptp(x[usable]) > 0 and np.ptp(y[usable]) > 0
            ranks[path] = float(stats.spearmanr(x[usable], y[usable]).statistic) if vary else None
        indices = _sobol(plan, table, y) if complete and plan.facts.get("method") == "sensitivity" else {}
        rows = [_effect(output, path, ranks[path], indices.get(path)) for path in plan.paths]
        found += sorted(rows, key=lambda e: -(e.total if e.total is not None else abs(e.rank_correlation or 0.0)))
    return found


def rounding_of(table: Mapping[str, Sequence[Any]], output: str) -> float:
    """What is no change of an output but rounding: 1e-9 of the largest value of its channel and of those of its kind (a steady run
    has such standard deviations), not less than a millionth of a newton or newton metre."""
    quantity = output.rpartition(".")[0].rpartition(".")[2]
    largest = 0.0
    for name, column in table.items():
        channel, _, figure = name.partition("|")
        if figure in ("max", "min") and channel.rpartition(".")[2] == quantity:
            values = np.asarray([v for v in column if isinstance(v, (int, float))], float)
            largest = max(largest, float(np.max(np.abs(values[np.isfinite(values)]), initial=0.0)))
    return max(1e-9 * largest, 1e-6 if quantity.endswith(("force", "torque")) or "torque_" in quantity else 0.0)


def tied(values: Any, rounding: float) -> Any:
    """Values with those that differ by rounding made equal, so that they are ties in a ranking."""
    y = np.array(values, float)
    order = np.argsort(y, kind="stable")
    order = order[np.isfinite(y[order])]
    begins = np.flatnonzero(np.diff(y[order], prepend=-np.inf) > rounding)
    for group in np.split(order, begins[1:]):
        if len(group):
            y[group] = y[group].mean() if len(group) > 1 else y[group]
    return y


def _effect(output: str, path: str, rank: float | None, share: Share | None) -> Effect:
    if share is None:
        return Effect(output, path, rank)
    first, total, *ends = (
        min(max(x, 0.0), 1.0) for x in (share.first, share.total, *share.first_interval, *share.total_interval)
    )
    return Effect(output, path, rank, first, (ends[0], ends[1]), total, (ends[2], ends[3]))


def _sobol(plan: Plan, table: Mapping[str, Sequence[Any]], y: Any) -> dict[str, Share]:
    paths, count = plan.paths, plan.facts["samples"] or 1
    if np.ptp(y[: 2 * count]) == 0.0 or not np.isfinite(y).all():
        return {}
    if not has_openturns():
        return _sobol_by_scipy(paths, count, y)
    design = np.column_stack([_numbers(table[path]) for path in paths])
    shares = sobol_shares(design, y, count, seed=plan.facts.get("seed") or 0)
    return dict(zip(paths, shares, strict=True))


def _sobol_by_scipy(paths: Sequence[str], count: int, y: Any) -> dict[str, Share]:
    """Where the extra ``reliability`` is not installed: the same estimators as SciPy has them."""
    from scipy import stats

    a, b = y[:count], y[count : 2 * count]
    mixed = y[2 * count :].reshape(len(paths), count)
    made = stats.sobol_indices(func={"f_A": a[None], "f_B": b[None], "f_AB": mixed[:, None, :]}, n=count)
    spread = made.bootstrap(confidence_level=0.9, n_resamples=499)
    found = {}
    for j, path in enumerate(paths):
        first, total = spread.first_order.confidence_interval, spread.total_order.confidence_interval
        found[path] = Share(
            first=float(np.ravel(made.first_order)[j]),
            total=float(np.ravel(made.total_order)[j]),
            first_interval=(float(np.ravel(first.low)[j]), float(np.ravel(first.high)[j])),
            total_interval=(float(np.ravel(total.low)[j]), float(np.ravel(total.high)[j])),
        )
    return found


def _numbers(values: Sequence[Any]) -> Any:
    """Values as numbers; words (quantities with units, names) by their rank among the different ones."""
    if all(isinstance(v, (int, float)) for v in values):
        return np.array(values, float)
    different = sorted({str(v) for v in values})
    return np.array([different.index(str(v)) for v in values], float)
