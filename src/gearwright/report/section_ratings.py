"""Ratings of bearings and teeth in the report of one run: its record stands for the whole life."""

from __future__ import annotations

from .book import Book, missing
from .format import text
from .life_tables import bearing_table, missing_table, ranking_table, tooth_table


def ratings(book: Book) -> str:
    """Damage ranking, bearing lives, safeties of teeth, and what could not be rated and why."""
    data = book.ratings
    if data is None:
        return missing("Nothing was rated: `gearwright life RESULT` rates bearings and teeth.")
    if isinstance(data, str):
        return missing(f"Nothing could be rated: {data}")
    rows = data["components"]
    sentence = f"This record repeats for {data['years']:g} years; a campaign weights many by the wind."
    html = f"<p>{text(sentence)}</p>"
    for table in (ranking_table(rows), bearing_table(rows), tooth_table(rows), missing_table(data)):
        if table is not None:
            html += book.table(table)
    return html


__all__ = ["ratings"]
