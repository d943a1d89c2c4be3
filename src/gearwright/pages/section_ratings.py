"""Ratings of bearings and teeth in the report of one run: its record stands for the whole life."""

from __future__ import annotations

from gearwright.analyses.life import LifeRating
from gearwright.figures.book import Book

from .blocks import Block, Words, missing, there
from .life_tables import bearing_table, missing_table, ranking_table, tooth_table


def ratings(book: Book) -> list[Block]:
    """Damage ranking, bearing lives, safeties of teeth, and what could not be rated and why."""
    found = book.ratings
    if isinstance(found, str):
        return [missing(f"Nothing could be rated: {found}")]
    if not isinstance(found, LifeRating):
        return [missing("Nothing was rated: `gearwright life RESULT` rates bearings and teeth.")]
    rows = found.components
    sentence = f"This record repeats for {found.years:g} years; a campaign weights many by the wind."
    tables = there(ranking_table(rows), bearing_table(rows), tooth_table(rows), missing_table(found))
    return [Words(sentence), *tables]


__all__ = ["ratings"]
