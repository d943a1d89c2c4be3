"""What every key of a file means, in a sentence (``words.csv``): editors show it from the JSON Schema, which adds unit, range and default.

By section (a class of the schema, or one that it is made of); a test holds that none is missing.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any


@cache
def sentences() -> dict[tuple[str, str], str]:
    """The sentences by section and key."""
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        return {(row["section"], row["key"]): row["words"] for row in csv.DictReader(file)}


def words_of(section: type[Any], name: str) -> str:
    """The sentence of a key of a section, or of one that the section is made of; empty if there is none."""
    words = sentences()
    for kind in section.__mro__:
        known = kind.__name__.partition("[")[0].partition("_of_")[0]
        found = words.get((known, name)) or words.get((known, name.rstrip("_")))
        if found:
            return found
    return ""
