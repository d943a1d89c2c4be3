"""Outcomes as a table for the terminal and as a page of the documentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gearwright.console import say, table

from .target import Outcome, Value

HEADS = ["id", "target", "got", "error", "tolerance", "status", "source"]


def print_rows(rows: Sequence[Outcome]) -> None:
    """Print the table and its sums."""
    table("", HEADS, [_cells(row) for row in rows])
    say(_sums(rows))


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
    if isinstance(value, list | tuple):
        text = ", ".join(_short(v) for v in value[:6])
        return text + (f", ... ({len(value)})" if len(value) > 6 else "")
    return str(value)
