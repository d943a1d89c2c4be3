"""Compute targets and judge them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gearwright.progress import each

# imported because their functions register themselves
from . import (  # noqa: F401
    bearings,
    contact,
    events,
    gear_rating,
    life,
    lossy,
    machines,
    mesh,
    modes,
    multibody,
    planet_loads,
    planetary,
    rigid,
    spatial,
    stops,
    teeth,
    trains,
    turbine,
    vehicle,
)
from .compare import compare, verdict
from .registry import claims
from .table import Verification
from .target import STATUSES, Outcome, Target, chosen


def run_targets(prefixes: Sequence[str] = ()) -> list[Outcome]:
    """Compute and judge the targets whose ids begin with one of the prefixes (all without any).

    Raises UnknownTarget for a prefix that fits no target.
    """
    return [judge(target) for target in each("target", chosen(prefixes))]


def verify(prefixes: Sequence[str] = ()) -> Verification:
    """Compute the targets whose ids begin with one of the prefixes, as a table: ``gearwright verify``."""
    return Verification(run_targets(prefixes))


def judge(target: Target) -> Outcome:
    """Compute one target and give its verdict."""
    try:
        got = next((c.value(target.id) for c in claims(target)), None)
    except Exception as problem:  # a broken computation is a failure of the target, shown with the rest
        return Outcome(target, None, None, "fail", f"{type(problem).__name__}: {problem}")
    if got is None:
        # a target that counts has a computation (test of the registry)
        return Outcome(target, None, None, target.status or "fail", target.note or STATUSES.get(target.status, ""))
    error, good = compare(target, got)
    status, note = verdict(target, good), target.note
    if status == "not checked":
        note = note or STATUSES[status]
    if target.status == "indicative outside" and not good:
        note = f"outside what the digest expects; {note}".strip("; ")
    return Outcome(target, _plain(got), error, status, note)


def _plain(value: Any) -> Any:
    """Arrays and NumPy's numbers as lists and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [_plain(v) for v in value] if isinstance(value, list | tuple) else value
