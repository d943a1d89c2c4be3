"""Ratings of bearings and teeth, and losses, in the report of one run: its record stands for the whole life."""

from __future__ import annotations

from gearwright.analyses.loss_balance import LossBalance
from gearwright.analyses.rating_sheet import RatingSheet
from gearwright.figures.book import Book
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Words, missing, there
from .life_tables import bearing_table, missing_table, ranking_table, tooth_table


def ratings(book: Book) -> list[Block]:
    """Damage ranking, bearing lives, safeties of teeth, and what could not be rated and why."""
    found = book.ratings
    if isinstance(found, str):
        return [missing(f"Nothing could be rated: {found}")]
    if not isinstance(found, RatingSheet):
        return [missing("Nothing was rated: `gearwright life RESULT` rates bearings and teeth.")]
    life = found.rating
    rows = life.components
    sentence = f"This record repeats for {life.years:g} years; a campaign weights many by the wind."
    tables = there(
        ranking_table(rows), bearing_table(rows), tooth_table(rows), _losses(found.balance), missing_table(life)
    )
    return [Words(sentence), *tables]


def _losses(balance: LossBalance) -> Table:
    """Losses at the rated load, with what is not counted."""
    rows = [[x.name, x.number, x.transmitted, x.friction, x.factor, x.watts] for x in balance.losses]
    columns = [*words("Loss"), *numbers("Number", "Power of one [W]", "Friction", "Loss factor", "Loss [W]")]
    return Table("losses", "Losses at the rated load, ISO/TR 14179-2", columns, rows, note=balance.sentence())
