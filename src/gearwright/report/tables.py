"""Tables of the report: units in the head, numbers right-aligned, the governing row marked, CSV in SI."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .format import NARROW_SPACE, finite, number, power_of_ten, screen_unit, seconds, slug, text


@dataclass(frozen=True)
class Column:
    """A column: head, unit of the data (SI); ``words`` for text. Numbers below ``least`` and above ``most`` are shown as ``< least``
    and ``> most``; the CSV holds them as they are."""

    head: str
    unit: str = ""
    words: bool = False
    least: float | None = None
    most: float | None = None


@dataclass
class Table:
    """Rows of values in SI; ``governing`` is the row that is marked, ``bars`` adds a drawn cell after a row's last; ``short``
    are cells (row, column) whose value is not enough."""

    key: str
    caption: str
    columns: list[Column]
    rows: list[list[Any]]
    governing: int | None = None
    note: str = ""
    extra: list[str] = field(default_factory=list)
    extra_head: str = ""
    short: frozenset[tuple[int, int]] = frozenset()
    round_off: bool = False  #: values below 1e-9 of the table's largest of that unit are shown as zero

    def html(self) -> str:
        """The table, in a region that scrolls by itself where the page is narrow."""
        name = slug(self.key)
        heads = "".join(self._head(column) for column in self.columns)
        if self.extra:
            heads += f'<th scope="col" class="words">{text(self.extra_head)}</th>'
        body = "".join(self._row(i, row) for i, row in enumerate(self.rows))
        note = f'<p class="note">{text(self.note)}</p>' if self.note else ""
        return (
            f'<figure class="table" id="table-{name}"><div class="scroll" role="region" tabindex="0" '
            f'aria-label="{text(self.caption)}"><table><caption>{text(self.caption)}</caption>'
            f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
            f'<div class="below">{note}<button type="button" class="csv" data-table="{name}" '
            f'aria-label="Download as CSV: {text(self.caption)}">CSV (SI)</button></div></figure>'
        )

    @staticmethod
    def _head(column: Column) -> str:
        unit = screen_unit(column.unit)[1] if column.unit else ""
        shown = f' <span class="unit">[{text(unit)}]</span>' if column.unit else ""
        return f'<th scope="col"{" class=words" if column.words else ""}>{text(column.head)}{shown}</th>'

    def _row(self, i: int, row: Sequence[Any]) -> str:
        cells = []
        for j, (column, value) in enumerate(zip(self.columns, row, strict=True)):
            mark = '<span class="mark" title="governing">● <span class="unseen">governing </span></span>'
            lead = mark if i == self.governing and j == 0 else ""
            if column.words:
                tag, close = ('th scope="row" class="words"', "th") if j == 0 else ('td class="words"', "td")
                cells.append(f"<{tag}>{lead}{text('' if value is None else value)}</{close}>")
            elif (i, j) in self.short:
                cells.append(
                    f'<td class="short">{lead}<span class="unseen">not enough: </span>▼ {self._shown(column, value)}</td>'
                )
            else:
                cells.append(f"<td>{lead}{self._shown(column, value)}</td>")
        if self.extra:
            cells.append(f'<td class="words">{self.extra[i]}</td>')
        return f"<tr{' class=governing' if i == self.governing else ''}>{''.join(cells)}</tr>"

    def _shown(self, column: Column, value: float | int | None) -> str:
        if column.unit == "s" and value is not None:
            return seconds(value).removesuffix(f"{NARROW_SPACE}s")
        factor = screen_unit(column.unit)[0]
        for limit, sign, beyond in (
            (column.least, "<", lambda x, m: 0.0 < x < m),
            (column.most, ">", lambda x, m: x > m),
        ):
            if limit is not None and value is not None and beyond(value, limit):
                return text(f"{sign}{NARROW_SPACE}{power_of_ten(limit * factor)}")
        if value is None or (isinstance(value, int) and factor == 1.0):
            return number(value)
        if self.round_off and abs(value) < 1e-9 * self._largest(column.unit):
            return number(0.0)
        return number(float(value) * factor)

    def _largest(self, unit: str) -> float:
        places = [j for j, column in enumerate(self.columns) if column.unit == unit and not column.words]
        values = (abs(row[j]) for row in self.rows for j in places if row[j] is not None and math.isfinite(row[j]))
        return max(values, default=0.0)

    def record(self) -> dict[str, Any]:
        """What the CSV download holds: SI, full precision, units in the head."""
        heads = [f"{c.head} [{c.unit}]" if c.unit else c.head for c in self.columns]
        record = finite({"file": f"{slug(self.key)}.csv", "head": heads, "rows": self.rows})
        assert isinstance(record, dict)
        return record


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """A list of facts: name and value, both plain text."""
    body = "".join(f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>" for name, value in pairs)
    return f'<dl class="facts">{body}</dl>'


def share_bar(shares: dict[str, float], tokens: dict[str, str], most: int = 6) -> str:
    """A bar of shares with the largest named: energies of a mode."""
    total = sum(value for value in shares.values() if value > 0.0)
    if not total > 0.0:
        return ""
    ranked = sorted(((v / total, n) for n, v in shares.items() if v > 0.0), reverse=True)[:most]
    pieces = "".join(
        f'<span style="width:{100 * share:.2f}%;background:var(--c-{tokens.get(name, "shaft")})" '
        f'title="{text(name)} {100 * share:.1f} %"></span>'
        for share, name in ranked
        if share > 0.005
    )
    named = ", ".join(f"{text(name)} {100 * share:.0f}{chr(0x202F)}%" for share, name in ranked[:2])
    return f'<span class="bar" aria-hidden="true">{pieces}</span> <span class="named">{named}</span>'
