"""Outcomes as a table for the terminal and as a page of the documentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gearwright.analyses.base import Analysis, Picture, Table
from gearwright.analyses.picture import Curve

from .target import Outcome, Value

HEADS = ["id", "target", "got", "error", "tolerance", "status", "source"]


@dataclass(frozen=True, repr=False, eq=False)
class Verification(Analysis):
    """Targets of the literature, computed and judged."""

    outcomes: Sequence[Outcome]

    @property
    def title(self) -> str:
        """The sums."""
        return _sums(self.outcomes)

    def shown(self) -> Iterator[Table | str]:
        """A row a target, and the sums."""
        yield Table("", HEADS, [_cells(row) for row in self.outcomes])
        yield self.title

    def picture(self) -> Picture | str:
        """Errors of what was computed."""
        known = [o for o in self.outcomes if o.error]
        if not known:
            return "no target has an error to draw"
        curve = Curve("error", [o.target.id for o in known], [abs(o.error or 0.0) for o in known], "points")
        return Picture("target", "error", [curve], logarithmic=True)


def markdown(rows: Sequence[Outcome]) -> str:
    """The rows as a page of the documentation."""
    lines = [
        "# Verification\n",
        "Made by `gearwright verify -o FILE.md`: every target of the literature, computed through the public API.\n",
        f"{_sums(rows)}.\n",
        f"| {' | '.join(HEADS)} |",
        "|---" * len(HEADS) + "|",
    ]
    for row in rows:
        cells = _cells(row)
        if row.status != "pass" and row.note:
            cells[HEADS.index("status")] += f" ({row.note})"
        lines.append("| " + " | ".join(c.replace("|", "/").replace("\n", " ") for c in cells) + " |")
    return "\n".join(lines) + "\n"


def _cells(row: Outcome) -> list[str]:
    t = row.target
    unit = f" {t.unit}" if t.unit not in ("-", "") else ""
    error = "" if row.error is None else f"{row.error:.1e}"
    return [t.id, _short(t.value) + unit, _short(row.got), error, t.tolerance.words(t.unit), row.status, t.source]


def _sums(rows: Sequence[Outcome]) -> str:
    return ", ".join(f"{n} {status}" for status, n in Counter(row.status for row in rows).most_common())


def _short(value: Value | None) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_short(float(v))}" for name, v in value.items())
    if isinstance(value, list | tuple):
        text = ", ".join(_short(v) for v in value[:6])
        return text + (f", ... ({len(value)})" if len(value) > 6 else "")
    return str(value)
