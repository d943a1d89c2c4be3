"""Every quantity of a channel, stored or derived: its unit, what it is, and whether its cycles and levels are counted.

A channel's own ``sign`` says what is positive, and in which axes, since that depends on its element. Quantities of other
programs and of a user's laws are not listed; they are called what they are named.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple


class Quantity(NamedTuple):
    """Unit in results, long name, whether it is counted (loads are, motions are not), and whether results have it (what the loop
    only watches, they do not)."""

    unit: str
    long_name: str
    counted: bool = False
    stored: bool = True


def _channels() -> dict[str, dict[str, Quantity]]:
    """Quantities by kind of element, as ``channels.csv`` lists them."""
    made: dict[str, dict[str, Quantity]] = {}
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            quantity = Quantity(row["unit"], row["long_name"], row["counted"] == "yes", row["stored"] == "yes")
            made.setdefault(row["kind"], {})[row["quantity"]] = quantity
    return made


CHANNELS = _channels()


def long_name(kind: str, quantity: str) -> str:
    """What a quantity is, in words; of one that is not listed its name."""
    known = CHANNELS.get(kind, {}).get(quantity)
    return quantity.replace("_", " ") if known is None else known.long_name
