"""Targets of the literature and what the program makes of them.

A target is a value with a source and a tolerance; a *computer* is a function of the public API that gives the
program's value when it is called. The table of the four digests is data (``targets.json``); the literature
benchmarks (``LIT.*``) are declared beside their computers.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from gearwright.progress import each

#: kinds that are listed but not gated, and the status they get (decisions, ids of verify)
_LISTED = {
    "erratum": "erratum", "printed-not-a-target": "not reproducible", "missing": "not reproducible",
    "not reproduced": "not reproducible", "input missing": "not reproducible",
}  # fmt: skip


@dataclass(frozen=True)
class Target:
    """One value of the literature."""

    id: str
    value: Any
    unit: str
    source: str
    kind: str = "A"
    rel: float | None = None
    abs: float | None = None
    text: str | None = None
    note: str = ""

    @property
    def tolerance(self) -> str:
        """The tolerance in words."""
        parts = []
        if self.rel is not None:
            parts.append(f"{100 * self.rel:g} %")
        if self.abs is not None:
            parts.append(f"{self.abs:g} {self.unit}".strip())
        if self.text:
            parts.append(self.text)
        return " or ".join(parts)


@dataclass(frozen=True)
class Row:
    """A target, what was got, the error and the verdict."""

    target: Target
    got: Any
    error: float | None
    status: str
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        t = self.target
        return {
            "id": t.id, "source": t.source, "kind": t.kind, "target": t.value, "unit": t.unit, "got": self.got,
            "error": self.error, "tolerance": t.tolerance, "status": self.status, "note": self.note or t.note,
        }  # fmt: skip


@dataclass
class Registry:
    """Computers by target id, and targets declared in code."""

    computers: dict[str, Callable[[], Any]] = field(default_factory=dict)
    declared: dict[str, Target] = field(default_factory=dict)

    def computes(self, *ids: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
        """Decorate a function that gives the value of one target, or a dict of values by id."""

        def register(function: Callable[[], Any]) -> Callable[[], Any]:
            once = cache(function)
            for one in ids:
                self.computers[one] = once
            return function

        return register

    def literature(self, id: str, value: Any, unit: str, source: str, *, rel: float | None = None,
                   abs: float | None = None, status: str = "A", note: str = "",
                   text: str | None = None) -> Callable[[Callable[[], Any]], Callable[[], Any]]:  # fmt: skip
        """Declare a target of the literature page and decorate its computer.

        ``status``: A and B gate, C is shown as indicative.
        """
        self.declared[id] = Target(id, value, unit, source, status, rel, abs, text, note)
        return self.computes(id)


REGISTRY = Registry()


@cache
def digest_targets() -> dict[str, Target]:
    """The targets of the four digests."""
    data = json.loads((files("gearwright.verify") / "targets.json").read_text())
    found = {}
    for t in data["targets"]:
        tolerance = t["tolerance"]
        found[t["id"]] = Target(
            t["id"], t["value"], t["unit"], t["source"], t["kind"], tolerance["rel"], tolerance["abs"],
            tolerance["text"], t["note"],
        )  # fmt: skip
    return found


def all_targets() -> dict[str, Target]:
    """Every known target, digests first."""
    # imported because they register themselves
    from . import (  # noqa: F401
        bearings,
        contact,
        events,
        fatigue,
        life,
        literature,
        lossy,
        machines,
        multibody,
        nordtank,
        small_planetary,
        spatial,
        stops,
        teeth,
        torsional_planar,
        trains,
        turbine,
        vehicle,
    )

    return {**digest_targets(), **REGISTRY.declared}


def run_targets(prefixes: Sequence[str] = ()) -> list[Row]:
    """Compute and judge the targets whose ids begin with one of the prefixes (all without any).

    Raises ValueError for a prefix that fits no target.
    """
    targets = all_targets()
    wanted = [p.removesuffix(".*").removesuffix("*") for p in prefixes]
    for p in wanted:
        if not any(_fits(id, p) for id in targets):
            families = sorted({id.split(".")[0] for id in targets})
            raise UnknownTarget(f"no target begins with '{p}'; families are {', '.join(families)}")
    chosen = [t for id, t in targets.items() if not wanted or any(_fits(id, p) for p in wanted)]
    return [judge(t) for t in each("target", chosen)]


class UnknownTarget(ValueError):
    """A prefix that fits no target."""


def _fits(id: str, prefix: str) -> bool:
    return id == prefix or (
        id.startswith(prefix) and (prefix.endswith(".") or id[len(prefix)] in "._") or _part(id, prefix)
    )


def _part(id: str, prefix: str) -> bool:
    """``LIT.1`` fits ``LIT.1.2.N3`` but not ``LIT.10``; ``S24`` fits all of its family."""
    return "." not in prefix and id.split(".")[0] == prefix


def judge(target: Target) -> Row:
    """Compute one target and give its verdict."""
    computer = REGISTRY.computers.get(target.id)
    listed = _LISTED.get(target.kind)
    if computer is None:
        if listed is not None:
            return Row(target, None, None, listed, target.note or _reason(target.kind))
        if target.kind == "printed-indicative":
            return Row(target, None, None, "not run", "needs a campaign: gearwright verify --campaign DIR")
        return Row(target, None, None, "not run", "belongs to a part of the program that is not built yet")
    try:
        got = computer()
    except Exception as problem:  # a broken computer is a failure of the target, shown with the rest
        return Row(target, None, None, "fail", f"{type(problem).__name__}: {problem}")
    if isinstance(got, dict) and target.id in got:
        got = got[target.id]
    error, good = _compare(target, got)
    if listed is not None:
        return Row(target, _plain(got), error, listed, target.note or _reason(target.kind))
    if target.kind == "printed-indicative" and not good:
        return Row(
            target, _plain(got), error, "indicative", f"outside what the digest expects; {target.note}".strip("; ")
        )
    if target.kind == "C":
        return Row(target, _plain(got), error, "indicative", target.note)
    return Row(target, _plain(got), error, "pass" if good else "fail", target.note)


def _reason(kind: str) -> str:
    return {
        "printed-not-a-target": "printed, but cannot be recomputed from what is printed",
        "missing": "the source does not print it", "not reproduced": "the digest could not reproduce it",
        "input missing": "an input is not printed", "erratum": "the source is in error here",
    }.get(kind, "")  # fmt: skip


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def _compare(target: Target, got: Any) -> tuple[float | None, bool]:
    """Largest error (relative where the tolerance is, else absolute) and whether it is within the tolerance."""
    if isinstance(target.value, str):
        return None, str(got) == target.value
    if isinstance(target.value, bool):
        return None, bool(got) is target.value
    value = target.value
    if isinstance(value, dict):
        if not isinstance(got, dict) or got.keys() != value.keys():
            return None, False
        value, got = list(value.values()), [got[name] for name in value]
    want = np.atleast_1d(np.asarray(value, float)).ravel()
    have = np.atleast_1d(np.asarray(got, float)).ravel()
    # entries that the source leaves open (None) are not compared
    if want.shape == have.shape and isinstance(value, (list, tuple)) and None in value:
        want, have = want[~np.isnan(want)], have[~np.isnan(want)]
    if (target.text or "").strip() == "range" and want.size == 2:
        outside = np.maximum(np.maximum(want.min() - have, have - want.max()), 0.0)
        return float(outside.max()), bool(np.all(outside == 0.0))
    if want.shape != have.shape:
        return None, False
    difference = np.abs(have - want)
    bound = re.fullmatch(r"max:\s*([\d.eE+-]+)", (target.text or "").strip())
    if bound and target.rel is None and target.abs is None:
        return float(difference.max()), bool(np.all(have <= float(bound.group(1))))
    factor = re.fullmatch(r"factor ([\d.]+)", (target.text or "").strip())
    if factor and target.rel is None and target.abs is None:
        ratio = have / want
        good = bool(np.all((ratio * float(factor.group(1)) >= 1.0) & (ratio <= float(factor.group(1)))))
        return float(np.max(difference / np.abs(want))), good
    zero_text = re.search(r"abs_zero_mode:\s*([\d.eE+-]+)", target.text or "")
    allowed = np.zeros_like(want)
    if target.rel is not None:
        allowed = np.maximum(allowed, target.rel * np.abs(want))
    if target.abs is not None:
        allowed = np.maximum(allowed, target.abs)
    zero = want == 0.0
    if zero_text:
        allowed = np.where(zero, np.maximum(allowed, float(zero_text.group(1))), allowed)
    good = bool(np.all(difference <= allowed + 1e-12 * np.abs(want)))
    if target.rel is not None and not zero.all():
        error = float(np.max(difference[~zero] / np.abs(want[~zero])))
    else:
        error = float(difference.max())
    return (error if math.isfinite(error) else None), good


def print_rows(rows: Sequence[Row]) -> None:
    """Print the table and its sums."""
    from collections import Counter

    from gearwright.console import say, table

    lines = []
    for row in rows:
        t = row.target
        unit = f" {t.unit}" if t.unit not in ("-", "") else ""
        error = "" if row.error is None else f"{row.error:.1e}"
        lines.append([t.id, _short(t.value) + unit, _short(row.got), error, t.tolerance, row.status, t.source])
    table("", ["id", "target", "got", "error", "tolerance", "status", "source"], lines)
    counts = Counter(row.status for row in rows)
    say(", ".join(f"{n} {status}" for status, n in counts.most_common()))


def _short(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        text = ", ".join(_short(v) for v in value[:6])
        return text + (f", ... ({len(value)})" if len(value) > 6 else "")
    return str(value)


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a table for the documentation."""
    from collections import Counter

    counts = Counter(row.status for row in rows)
    lines = [
        "# Verification", "",
        "Made by `gearwright verify -o FILE.md`: every target of the literature, computed through the public API.",
        "", ", ".join(f"{n} {status}" for status, n in counts.most_common()) + ".", "",
        "| id | target | got | error | tolerance | status | source |", "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for row in rows:
        t = row.target
        unit = f" {t.unit}" if t.unit not in ("-", "") else ""
        error = "" if row.error is None else f"{row.error:.1e}"
        reason = f" ({row.note})" if row.status not in ("pass", "not run") and row.note else ""
        cells = [t.id, _short(t.value) + unit, _short(row.got), error, t.tolerance, row.status + reason, t.source]
        lines.append("| " + " | ".join(c.replace("|", "/").replace("\n", " ") for c in cells) + " |")
    return "\n".join(lines) + "\n"
