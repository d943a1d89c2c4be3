"""Figures that slow data do not hold, from the surrogate of their set-up: with how many rows it covers, its own errors, and a refusal beyond."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gearwright.arrays import Float
from gearwright.results.rainflow import rainflow

from .sections import Sections
from .stream import EXPONENTS
from .surrogate import LEVELS, MOST_OUTSIDE, Checked, Surrogate
from .ten_minutes import LENGTH, Rows


@dataclass(frozen=True)
class Corrected:
    """Corrections of a record.

    ``producing`` rows of production, ``inside`` the share of them that the surrogate's domain covers; ``refused`` why there are no figures, or empty.
    ``equivalent`` ranges at 1 Hz by channel and exponent over all rows [N, N m], the slow cycles from row to row in them, ``slow`` their share of damage by exponent;
    ``rated_hours`` by exponent of load duration; ``checks`` of the surrogate by target.
    """

    surrogate: str
    features: tuple[str, ...]
    producing: int
    inside: float
    refused: str
    equivalent: Mapping[str, Mapping[str, float]]
    slow: Mapping[str, float]
    rated_hours: Mapping[str, float]
    checks: Mapping[str, Checked]
    card: Mapping[str, str]


def corrected(surrogate: Surrogate, rows: Rows, sections: Sections, fast: bool) -> Corrected:
    """Corrections of ten-minute rows; ``fast`` where they were made from samples of a second. Raises InputError where too few signals are there."""
    names = surrogate.known(rows, fast)
    fitted = surrogate.fitted(names)
    own = rows[surrogate.producing(rows)]
    covered = fitted.inside(own) if len(own) else np.zeros(0, bool)
    share = float(covered.mean()) if len(own) else 0.0
    refused = ""
    if not len(own):
        refused = "no ten minutes of production"
    elif 1.0 - share > MOST_OUTSIDE:
        refused = f"{100 * (1.0 - share):.0f} % of the rows of production lie outside of the campaign's domain, more than {100 * MOST_OUTSIDE:.0f} %"
    if refused:
        return Corrected(surrogate.name, names, len(own), share, refused, {}, {}, {}, fitted.checks, surrogate.card)
    inside = own[covered]
    seconds = np.full(len(inside), 1.0) * np.where(np.isfinite(inside["seconds"]), inside["seconds"], LENGTH)
    scale = float(own["seconds"].sum() / seconds.sum())
    total = float(rows["seconds"].sum())
    between = _slow(rows)
    by_group = {}
    for group, inertia in enumerate(sections.inertias):
        power, _ = fitted.ranges(inside, float(inertia))
        by_group[group] = scale * (seconds[:, None] * power).sum(axis=0) + between
    top = by_group[sections.whole]
    levels = scale * (seconds[:, None] * fitted.levels(inside)).sum(axis=0) / 3600.0
    exponents = np.array(EXPONENTS)
    equivalent = {
        name: dict(
            zip(
                (f"{m:g}" for m in EXPONENTS),
                (abs(s.factor) * (by_group[s.group] / total) ** (1.0 / exponents)).tolist(),
                strict=True,
            )
        )
        for name, s in sections.members.items()
    }
    return Corrected(
        surrogate.name,
        names,
        len(own),
        share,
        "",
        equivalent,
        {f"{m:g}": float(b / t) for m, b, t in zip(EXPONENTS, between, top, strict=True)},
        {f"{p:.3g}": float(x) for p, x in zip(LEVELS, levels, strict=True)},
        fitted.checks,
        surrogate.card,
    )


def _slow(rows: Rows) -> Float:
    """Sum of n R^m over the cycles of ten-minute means, which no ten minutes hold: from start to stop, from calm to storm."""
    means = rows["torque"][np.isfinite(rows["torque"])]
    if len(means) < 3:
        return np.zeros(len(EXPONENTS))
    cycles = rainflow(means)
    return np.array([float(np.sum(cycles.counts * cycles.ranges**m)) for m in EXPONENTS])
