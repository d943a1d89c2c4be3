"""What every analysis returns: a frozen object with its figures as data, tables, a picture, and what it assumed.

A command prints the object's tables and sentences (``shown``), ``--json`` its ``to_dict``, a notebook ``_repr_html_``: each is
written once, here, from the fields of the object.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

from gearwright.errors import DrivetrainError
from gearwright.figures.format import ASIDE, told
from gearwright.figures.format import BESIDE as BESIDE
from gearwright.figures.format import GIVEN as GIVEN
from gearwright.figures.format import OPTIONAL as OPTIONAL
from gearwright.remarks import remark_lines, sorted_remarks
from gearwright.schema.file import Drivetrain
from gearwright.train.open import load
from gearwright.units import DIMENSIONS, UnitError, to_si

from .picture import Picture
from .tables import Column as Column
from .tables import Table

#: rows of a table in a notebook
_MOST_ROWS = 40


@dataclass(frozen=True, repr=False, eq=False)
class Analysis(ABC):
    """An analysis: figures in SI by field name, and what was ``assumed``, ``notes`` and ``warnings`` in sentences."""

    #: what was assumed, notes and warnings, as sentences that know their list
    remarks: Sequence[str] = field(default=(), kw_only=True, metadata=ASIDE)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, equal to what the command prints with ``--json``: lists and numbers, None for what is no number."""
        return {**told(self), **sorted_remarks(self.remarks)}

    @abstractmethod
    def shown(self) -> Iterator[Table | str]:
        """Tables and sentences in the order in which the command prints them."""

    def picture(self) -> Picture | str:
        """The curves that ``plot`` draws, or why there are none."""
        return "this analysis has numbers alone, no curve"

    @property
    def title(self) -> str:
        """What was analysed, in a few words."""
        return str(getattr(self, "name", ""))

    @property
    def assumed(self) -> list[str]:
        """Values with a physical meaning that nobody gave and the analysis took, a sentence each."""
        return sorted_remarks(self.remarks)["assumed"]

    @property
    def notes(self) -> list[str]:
        """What else is worth a sentence."""
        return sorted_remarks(self.remarks)["notes"]

    @property
    def warnings(self) -> list[str]:
        """What is likely wrong, a sentence each."""
        return sorted_remarks(self.remarks)["warnings"]

    @property
    def tables(self) -> list[Table]:
        """The tables, with values in SI."""
        return [part for part in self.shown() if isinstance(part, Table)]

    def to_dataframe(self, table: int = 0) -> Any:
        """One of the tables as a pandas DataFrame in SI, units in the heads of its columns; default: the first."""
        return self.tables[table].to_dataframe()

    def plot(self, backend: str = "matplotlib", axes: Any = None) -> Any:
        """The curves of the analysis: matplotlib axes, or with ``backend="plotly"`` a figure.

        Raises DrivetrainError with the reason where there is nothing to draw.
        """
        picture = self.picture()
        if isinstance(picture, str):
            raise DrivetrainError(f"{type(self).__name__} has no plot: {picture}")
        return picture.drawn(backend, axes)

    def __repr__(self) -> str:
        rows = ", ".join(f"{len(t.rows)} rows of {t.title}" for t in islice(self.tables, 3))
        return f"<{type(self).__name__} {self.title}: {rows}>".replace(" : ", ": ")

    def _repr_html_(self) -> str:
        body = "".join(
            part.html(_MOST_ROWS) if isinstance(part, Table) else f"<p>{escape(part)}</p>"
            for part in self.shown()
            if part
        )
        said = "".join(f"<li>{escape(line)}</li>" for line in remark_lines(self.remarks))
        return body + (f"<ul>{said}</ul>" if said else "")


def drivetrain_of(source: Any, overrides: Sequence[str] = (), case: str | None = None) -> Drivetrain:
    """The drivetrain of an analysis: a Drivetrain as it is, or read from a path, the name of an example, a mapping."""
    if isinstance(source, Drivetrain) and not overrides:
        return source
    return load(source, overrides, case)


def result_file_of(source: Any) -> Path:
    """The file of a result that is given as a path, a Result or a Run."""
    found = getattr(source, "result_file", None) or getattr(source, "path", None) or source
    if not isinstance(found, str | os.PathLike):
        raise DrivetrainError(f"a result is given by its path, as a Result or as a Run, not as {type(source).__name__}")
    return Path(found)


def quantities(text: str | float | Sequence[float | str], dimension: str, what: str) -> list[float]:
    """Several quantities in SI: numbers, texts with a unit, or one text, '10 rpm, 20 rpm' or '10 rpm to 90 rpm in 9'."""
    import numpy as np

    if not isinstance(text, str):
        given = [text] if isinstance(text, int | float) else list(text)
        return [
            x for one in given for x in (quantities(one, dimension, what) if isinstance(one, str) else [float(one)])
        ]
    found: list[float] = []
    for part in (p.strip() for p in text.split(",") if p.strip()):
        ends, _, count = part.partition(" in ")
        try:
            values = [float(to_si(x.strip(), DIMENSIONS[dimension])) for x in ends.split(" to ")]
        except UnitError as error:
            raise DrivetrainError(f"{what}: {error}{error.hint}") from None
        if len(values) == 1 and not count:
            found += values
        elif len(values) == 2 and count.strip().isdigit() and int(count) > 1:
            found += [float(x) for x in np.linspace(values[0], values[1], int(count))]
        else:
            raise DrivetrainError(f"{what}: '{part}' is neither a value nor a range such as '10 rpm to 90 rpm in 9'")
    if not found:
        raise DrivetrainError(f"{what}: no value given")
    return found
