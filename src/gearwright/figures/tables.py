"""Tables of the report: units in the head, numbers right-aligned, the governing row marked, CSV in SI."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from gearwright.schema.places import JSON

from .format import NARROW_SPACE, finite, number, power_of_ten, screen_unit, seconds, slug
from .markup import render, templates


@dataclass(frozen=True)
class Column:
    """A column: head, unit of the data (SI); ``words`` for text. Numbers below ``least`` and above ``most`` are shown as ``< least``
    and ``> most``; the CSV holds them as they are."""

    head: str
    unit: str = ""
    words: bool = False
    least: float | None = None
    most: float | None = None

    @property
    def shown_unit(self) -> str:
        """The unit on screen, for the template of a table."""
        return screen_unit(self.unit)[1]


def words(*heads: str) -> list[Column]:
    """Columns of text."""
    return [Column(head, words=True) for head in heads]


def numbers(*heads: str, unit: str = "", least: float | None = None, most: float | None = None) -> list[Column]:
    """Columns of numbers, all of one unit, or each of that in its brackets: ``Force [N]``."""
    found = []
    for head in heads:
        name, bracket, own = head.removesuffix("]").rpartition(" [")
        head, of = (name, own) if bracket and not unit else (head, unit)
        found.append(Column(head, of, least=least, most=most))
    return found


class Piece(NamedTuple):
    """A part of a bar: share of the whole, colour token, name."""

    share: float
    token: str
    name: str


class Bar(NamedTuple):
    """Shares as a bar of at most six pieces with the largest named: energies of a mode."""

    pieces: Sequence[Piece] = ()
    named: str = ""


def share_bar(shares: Mapping[str, float], token: Callable[[str], str], most: int = 6) -> Bar:
    """The bar of some shares; empty where there are none."""
    total = sum(value for value in shares.values() if value > 0.0)
    if not total > 0.0:
        return Bar()
    ranked = sorted(((v / total, n) for n, v in shares.items() if v > 0.0), reverse=True)[:most]
    named = ", ".join(f"{name} {100 * share:.0f}{NARROW_SPACE}%" for share, name in ranked[:2])
    return Bar([Piece(share, token(name), name) for share, name in ranked if share > 0.005], named)


class Cell(NamedTuple):
    """A cell of the page: ``th`` or ``td``, class, what it shows."""

    tag: str
    style: str
    shown: str


@dataclass(frozen=True)
class Table:
    """Rows of values in SI; ``governing`` is the row that is marked, ``bars`` are drawn after a row's last cell; ``short``
    are cells (row, column) whose value is not enough; with ``round_off`` values below 1e-9 of the table's largest of that
    unit are shown as zero; with ``folds`` every row is a block of its own where the page is narrow."""

    key: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    governing: int | None = None
    note: str = ""
    bars: Sequence[Bar] = ()
    bars_head: str = ""
    short: frozenset[tuple[int, int]] = frozenset()
    round_off: bool = False
    folds: bool = False

    def html(self) -> Markup:
        """The table, in a region that scrolls by itself where the page is narrow."""
        return render(_templates(), "table.html", table=self)

    def _repr_html_(self) -> str:
        return str(self.html())

    def cells(self) -> list[list[Cell]]:
        """What the page shows."""
        return [
            [self._cell(i, j, column, value) for j, (column, value) in enumerate(zip(self.columns, row, strict=True))]
            for i, row in enumerate(self.rows)
        ]

    def _cell(self, i: int, j: int, column: Column, value: Any) -> Cell:
        if column.words:
            return Cell("td" if j else "th", "words", "" if value is None else str(value))
        return Cell("td", "short" if (i, j) in self.short else "", self._shown(column, value))

    def _shown(self, column: Column, value: float | int | None) -> str:
        if column.unit == "s" and value is not None:
            return seconds(value).removesuffix(f"{NARROW_SPACE}s")
        factor = screen_unit(column.unit)[0]
        if value is None or (isinstance(value, int) and factor == 1.0 and column.least is column.most is None):
            return number(value)
        if column.least is not None and 0.0 < value < column.least:
            return f"<{NARROW_SPACE}{power_of_ten(column.least * factor)}"
        if column.most is not None and value > column.most:
            return f">{NARROW_SPACE}{power_of_ten(column.most * factor)}"
        if self.round_off and abs(value) < 1e-9 * self._largest(column.unit):
            return number(0.0)
        return number(float(value) * factor)

    def _largest(self, unit: str) -> float:
        places = [j for j, column in enumerate(self.columns) if column.unit == unit and not column.words]
        values = (abs(row[j]) for row in self.rows for j in places if row[j] is not None and math.isfinite(row[j]))
        return max(values, default=0.0)

    def record(self) -> dict[str, JSON]:
        """What the CSV download holds: SI, full precision, units in the head."""
        heads = [f"{c.head} [{c.unit}]" if c.unit else c.head for c in self.columns]
        record = finite({"file": f"{slug(self.key)}.csv", "head": heads, "rows": self.rows})
        assert isinstance(record, dict)
        return record


@cache
def _templates() -> Environment:
    return templates()
