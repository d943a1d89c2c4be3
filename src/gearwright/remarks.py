"""What a program has to tell a person beside its numbers, in three lists: assumed, notes, warnings.

- ``assumed``: a value with a physical meaning that was not given and was taken (no damping, eight balls, a factor of 1).
- ``warnings``: something that is likely wrong. An assumption is never a warning.
- ``notes``: everything else worth a sentence.

A :class:`Remark` is a sentence that knows its list, so that sentences of all kinds travel in one sequence of strings from
the place that finds them to the terminal, the result file and the report, where :func:`sorted_remarks` parts them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

#: name of the list a remark belongs to
Kind = Literal["assumed", "notes", "warnings"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: word before a sentence of each list on a terminal
WORDS: dict[Kind, str] = {"assumed": "assumed", "notes": "note", "warnings": "warning"}


class Remark(str):
    """A sentence and the list it belongs to; a plain string counts as a note."""

    __slots__ = ("kind",)
    kind: Kind

    def __new__(cls, text: str, kind: Kind = "notes") -> Remark:
        made = super().__new__(cls, text)
        made.kind = kind
        return made

    def __getnewargs__(self) -> tuple[str, Kind]:  # type: ignore[override]
        return str(self), self.kind


def assumed(text: str) -> Remark:
    """A value with a physical meaning that nobody gave: ``"main shaft: no damping is given, taken as 0"``."""
    return Remark(text, "assumed")


def warning(text: str) -> Remark:
    """Something that is likely wrong, and what to do about it."""
    return Remark(text, "warnings")


def sorted_remarks(remarks: Iterable[str]) -> dict[Kind, list[str]]:
    """The three lists, each sentence once, in the order of appearance: ``{"assumed": [...], "notes": [...], "warnings": [...]}``."""
    made: dict[Kind, dict[str, None]] = {kind: {} for kind in KINDS}
    for remark in remarks:
        made[getattr(remark, "kind", "notes")][str(remark)] = None
    return {kind: list(found) for kind, found in made.items()}


def remark_lines(remarks: Iterable[str]) -> list[str]:
    """The remarks as lines of a terminal, warnings last, where the eye is: ``assumed: ...``, ``note: ...``, ``warning: ...``."""
    return [f"{WORDS[kind]}: {text}" for kind, found in sorted_remarks(remarks).items() for text in found]
