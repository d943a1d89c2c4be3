"""What a program has to tell a person beside its numbers, in three lists: assumed, notes, warnings.

- ``assumed``: a value with a physical meaning that was not given and was taken (no damping, eight balls, a factor of 1).
- ``warnings``: something that is likely wrong. An assumption is never a warning.
- ``notes``: everything else worth a sentence.

A :class:`Remark` is a sentence that knows its list, so that sentences of all kinds travel in one sequence of strings from
the place that finds them to the terminal, the result file and the report, where :func:`sorted_remarks` parts them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol, TypeVar, get_args

from gearwright._version import written_by_another

#: name of the list a remark belongs to
Kind = Literal["assumed", "notes", "warnings"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: word before a sentence of each list on a terminal
WORDS: dict[str, str] = {"assumed": "assumed", "notes": "note", "warnings": "warning"}


V = TypeVar("V")


class Data(Protocol):
    """Data of which remarks may be a part: any mapping by text."""

    def get(self, key: str, /) -> object:
        """What is under a key, or None."""


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


def sorted_remarks(remarks: Iterable[str]) -> dict[str, list[str]]:
    """The three lists, each sentence once, in the order of appearance: ``{"assumed": [...], "notes": [...], "warnings": [...]}``.

    A sentence that came as an assumption or a warning is no note as well.
    """
    made: dict[str, Kind] = {}
    for remark in remarks:
        kind: Kind = getattr(remark, "kind", "notes")
        if made.get(str(remark), "notes") == "notes":
            made[str(remark)] = kind
    return {kind: [text for text, its in made.items() if its == kind] for kind in KINDS}


def train_remarks(notes: Iterable[Any]) -> list[str]:
    """What the notes of a train (``Train.notes``) tell a person: assumptions and warnings; what was derived is none of them."""
    kinds: dict[str, Kind] = {"assumed": "assumed", "warning": "warnings", "note": "notes"}
    return [Remark(f"{n.where}: {n.message}", kinds[n.level]) for n in notes if n.level in kinds]


def remarks_in(data: Data) -> list[str]:
    """The remarks of data or of a result's attributes that hold them as ``assumed``, ``notes`` and ``warnings``.

    Each may be missing (results of older versions), a list, or the JSON of one; a :class:`Remark` in a list keeps its own kind.
    What another version wrote (``gearwright_version``) is noted.
    """
    found: list[str] = [Remark(words) for words in written_by_another(data.get("gearwright_version"))]
    for kind in KINDS:
        for entry in _listed(data.get(kind)):
            own: Kind = getattr(entry, "kind", "notes")
            found.append(Remark(str(entry), own if own != "notes" else kind))
    return found


def _listed(value: Any) -> list[Any]:
    """A list, the JSON of one, an array of strings, or one sentence."""
    if value is None or (isinstance(value, str) and not value):
        return []
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.startswith("[") else [value]
        except ValueError:
            return [value]
    return list(value) if isinstance(value, Iterable) else []


def with_lists(data: Mapping[str, V]) -> dict[str, V | list[str]]:
    """The data with the three lists in it, whichever remarks it held before."""
    return {**data, **sorted_remarks(remarks_in(data))}


def remark_lines(remarks: Iterable[str]) -> list[str]:
    """The remarks as lines of a terminal, warnings last, where the eye is: ``assumed: ...``, ``note: ...``, ``warning: ...``."""
    return [f"{WORDS[kind]}: {text}" for kind, found in sorted_remarks(remarks).items() for text in gathered(found)]


def gathered(sentences: Iterable[str]) -> list[str]:
    """Sentences for a person: what is said alike of several parts (``part: sentence``) is said once, of all of them."""
    said: dict[tuple[str, bool], list[str]] = {}
    for text in sentences:
        part, colon, rest = text.partition(": ")
        of_part = bool(colon) and not any(c.isspace() or c in "'\"" for c in part)
        said.setdefault((rest if of_part else text, of_part), []).append(part)
    return [f"{', '.join(parts)}: {rest}" if of_part else rest for (rest, of_part), parts in said.items()]


def sharing_sentence(stage: str, shares: Any) -> str:
    """What a terminal says of a stage, from the plain data of its sharing, and of what was measured on it."""
    per_turn, table = shares["per_turn"], shares["table"]
    words = f"load sharing of {stage}: mean share at most {shares['largest_mean']:.4f}"
    words += f", per carrier turn {per_turn:.3f}" if per_turn else ", less than a carrier turn"
    if table:
        words += f"; table for {len(shares['planets'])} planets {table:.2f} ({shares['table_source']})"
    if measured := shares.get("measured"):
        words += "; measured: " + "; ".join(" ".join(map(str, one)) for one in measured)
    return words
