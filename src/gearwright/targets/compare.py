"""Rules by which a computed value is held against a target."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .target import Target, Tolerance, Value

#: the printed values have so many digits that this share of them is round-off
_ROUND_OFF = 1e-12


def compare(target: Target, got: Value) -> tuple[float | None, bool]:
    """Largest error (relative where the tolerance is, else absolute) and whether it is within the tolerance."""
    value, rule = target.value, target.tolerance
    if isinstance(value, str):
        return None, str(got) == value
    if isinstance(value, Mapping):
        if not isinstance(got, Mapping) or got.keys() != value.keys():
            return None, False
        value, got = list(value.values()), [got[name] for name in value]
    want, have = (np.atleast_1d(np.asarray(x, float)).ravel() for x in (value, got))
    if rule.range:
        return _in_range(want, have)
    if want.shape != have.shape:
        return None, False
    # entries that the source leaves open (None) are not compared
    stated = ~np.isnan(want) if isinstance(value, list | tuple) and None in value else np.full(want.shape, True)
    want, have = want[stated], have[stated]
    if rule.at_most is not None:
        return float(np.abs(have - want).max()), bool(np.all(have <= rule.at_most))
    if rule.factor is not None:
        ratio = have / want
        good = bool(np.all((ratio * rule.factor >= 1.0) & (ratio <= rule.factor)))
        return float(np.max(np.abs(have - want) / np.abs(want))), good
    return _within(rule, want, have)


def _in_range(bounds: Any, have: Any) -> tuple[float, bool]:
    """Largest distance to the two bounds: one value or several, all inside."""
    outside = float(np.maximum(np.maximum(bounds.min() - have, have - bounds.max()), 0.0).max())
    return outside, outside == 0.0


def _within(rule: Tolerance, want: Any, have: Any) -> tuple[float | None, bool]:
    """Relative and absolute: the wider one counts."""
    difference, zero = np.abs(have - want), want == 0.0
    allowed = np.maximum((rule.rel or 0.0) * np.abs(want), rule.abs or 0.0)
    allowed[zero] = np.maximum(allowed[zero], rule.zero or 0.0)
    good = bool(np.all(difference <= allowed + _ROUND_OFF * np.abs(want)))
    if rule.rel is not None and not zero.all():
        error = float(np.max(difference[~zero] / np.abs(want[~zero])))
    else:
        error = float(difference.max())
    return (error if math.isfinite(error) else None), good


def verdict(target: Target, good: bool) -> str:
    """Status of a target that was computed: its own, or pass or fail."""
    if target.status == "indicative outside":
        return "pass" if good else "indicative"
    return target.status or ("pass" if good else "fail")
