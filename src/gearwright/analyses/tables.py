"""Tables of an analysis: values in SI with the units in which a person reads them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

#: unit on screen: unit of the value, factor
_SHOWN = {
    "kN": ("N", 1e-3),
    "kN m": ("N m", 1e-3),
    "kW": ("W", 1e-3),
    "kvar": ("var", 1e-3),
    "MPa": ("Pa", 1e-6),
    "mm": ("m", 1e3),
    "um": ("m", 1e6),
    "ms": ("s", 1e3),
    "%": ("1", 100.0),
    "rpm": ("rad/s", 30.0 / math.pi),
    "GN/m": ("N/m", 1e-9),
    "N/(mm um)": ("N/m^2", 1e-9),
    "deg": ("rad", 180.0 / math.pi),
}


@dataclass(frozen=True)
class Column:
    """A column: its name, the unit on screen (the values are in SI), and how many digits a person sees."""

    name: str
    unit: str = ""
    digits: int = 4

    @property
    def factor(self) -> float:
        """What turns a value into the unit on screen."""
        return _SHOWN.get(self.unit, ("", 1.0))[1]

    @property
    def head(self) -> str:
        """Name and unit on screen."""
        return f"{self.name} {self.unit}".strip()

    @property
    def si_head(self) -> str:
        """Name and unit of the values."""
        unit = _SHOWN.get(self.unit, (self.unit, 1.0))[0]
        return f"{self.name} [{unit}]".strip() if unit else self.name

    def cell(self, value: Any) -> str:
        """A value as a person reads it; nothing for None and what is not finite."""
        if isinstance(value, str):
            return value
        if value is None or not math.isfinite(value):
            return ""
        if isinstance(value, int) and not self.unit:
            return str(value)
        return f"{value * self.factor + 0.0:.{self.digits}g}"


@dataclass(frozen=True)
class Table:
    """Rows of values in SI under their columns; a plain string is a column without a unit, ``mark`` the row that governs."""

    title: str
    columns: Sequence[object]
    rows: Sequence[Sequence[Any]]
    mark: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", [c if isinstance(c, Column) else Column(str(c)) for c in self.columns])

    @property
    def _columns(self) -> list[Column]:
        return [c for c in self.columns if isinstance(c, Column)]

    @property
    def head(self) -> list[str]:
        """Heads with units on screen."""
        return [c.head for c in self._columns]

    @property
    def cells(self) -> list[list[str]]:
        """What a person reads."""
        return [[c.cell(x) for c, x in zip(self._columns, row, strict=False)] for row in self.rows]

    def to_dataframe(self) -> Any:
        """As a pandas DataFrame in SI."""
        import pandas

        heads = [c.si_head or f"column {i + 1}" for i, c in enumerate(self._columns)]
        return pandas.DataFrame([[*row, *[None] * (len(heads) - len(row))] for row in self.rows], columns=heads)

    def html(self, most: int | None = None) -> str:
        """As a table of a notebook; with ``most`` rows the rest is counted."""
        head = "".join(f"<th>{escape(c)}</th>" for c in self.head)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.cells[:most])
        left = len(self.rows) - most if most is not None else 0
        more = f"<p>and {left} more rows</p>" if left > 0 else ""
        return f"<p>{escape(self.title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
