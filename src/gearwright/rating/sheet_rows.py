"""Rows of a rating sheet: a name, a symbol, a figure for the pair or one for each gear, its unit and what it is asked to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .figure import Figure


@dataclass(frozen=True)
class SheetRow:
    """``figures``: one for both gears or one each; ``words`` instead, where it is no number. ``least`` is the value asked for,
    ``most`` the one allowed; a figure beyond it fails."""

    name: str
    symbol: str = ""
    figures: Sequence[Figure] = ()
    unit: str = ""
    words: str = ""
    least: float | None = None
    most: float | None = None

    @property
    def fails(self) -> bool:
        """Whether a figure is not what is asked for."""
        known = [f.value for f in self.figures if f.value is not None]
        low = self.least is not None and any(v < self.least for v in known)
        return low or (self.most is not None and any(v > self.most for v in known))

    @property
    def blank(self) -> str:
        """What would fill it; empty where nothing is missing."""
        return next((f.method for f in self.figures if f.value is None), "")


@dataclass(frozen=True)
class SheetBlock:
    """A titled group of rows; ``heads`` name both gears."""

    title: str
    rows: Sequence[SheetRow]
    heads: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class SheetTable:
    """A table of many parts: heads with units, rows of numbers, texts and None for what is not given (``blank`` says what would fill it);
    ``failed`` rows."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[float | str | None]]
    note: str = ""
    blank: str = ""
    failed: frozenset[int] = field(default_factory=frozenset)


def one(
    name: str, symbol: str, figure: Figure, unit: str = "", *, least: float | None = None, most: float | None = None
) -> SheetRow:
    """A row of the pair."""
    return SheetRow(name, symbol, (figure,), unit, least=least, most=most)


def both(name: str, symbol: str, figures: Sequence[Figure], unit: str = "", *, least: float | None = None) -> SheetRow:
    """A row of both gears."""
    return SheetRow(name, symbol, tuple(figures), unit, least=least)


def said(name: str, words: str) -> SheetRow:
    """A row of words."""
    return SheetRow(name, words=words)
