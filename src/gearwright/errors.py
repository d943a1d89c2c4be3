"""What goes wrong, in words: what, where, what is allowed, what was meant. One base, three kinds: input, run, file."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Marks that a problem has no value to show (None is a value).
NOTHING: Any = object()
#: problems that one message shows
SHOWN = 20


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    Attributes
    ----------
    message : what is wrong, a sentence without the place
    path : place in the file, ``stages.stage1.sun.teeth``
    value : the offending value, or ``NOTHING``
    allowed : what would be accepted
    meant : the nearest known word
    line : line in the file, from 1
    file : the file, where it is another one than that of the whole (an included one)
    """

    message: str
    path: str = ""
    value: Any = NOTHING
    allowed: str = ""
    meant: str = ""
    line: int | None = None
    file: str | None = None

    def text(self, file: str | None = None) -> str:
        """The problem as one line: ``file:line: path = value: message. Allowed: .... Did you mean ...?``"""
        place = self.file or file or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        where = _one_line(self.path, 160)
        if self.value is not NOTHING and not isinstance(self.value, (dict, list)):
            value = _one_line(_text(self.value), 80)
            where += f" = {value}" if where else f"'{value}'"
        parts = [part for part in (place, where) if part]
        text = ": ".join([*parts, _one_line(self.message, 600).rstrip(".")]) + "."
        if self.allowed:
            text += f" Allowed: {_one_line(self.allowed, 1500).rstrip('.')}."
        if self.meant:
            text += f" Did you mean '{self.meant}'?"
        return text


class GearwrightError(Exception):
    """What Gearwright raises: one of the three kinds below, whatever the room.

    Attributes
    ----------
    where : the place: a file, a path in it, an element; empty where the message alone says it, as the others
    allowed : what would be accepted
    meant : the nearest known word
    """

    def __init__(self, *message: object, where: str = "", allowed: str = "", meant: str = "") -> None:
        super().__init__(*message)
        self.where, self.allowed, self.meant = where, allowed, meant


class InputError(GearwrightError, ValueError):
    """What was given cannot be used: values, names, data that do not go together."""


class RunError(GearwrightError, RuntimeError):
    """A computation that cannot go on, as a run that diverges; ``result_file`` keeps the part before, if there is one."""

    def __init__(self, message: str, result_file: Path | None = None) -> None:
        super().__init__(message, where="" if result_file is None else str(result_file))
        self.result_file = result_file


class FileError(GearwrightError):
    """A file that cannot be read, written or gone on with."""


class MissingExtra(InputError, ImportError):
    """What was asked for needs a package that the base installation leaves out; the message says how to get it."""


def optional(module: str, extra: str, use: str) -> Any:
    """A module of a package that few need. Raises MissingExtra: what needs it, and which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtra(f"{use} needs {package}: pip install 'gearwright[{extra}]'", where=package) from None


class DrivetrainError(InputError):
    """A drivetrain file, an override or a name in it that cannot be used; ``problems`` holds each one.

    ``str()`` is the complete message; ``file`` and ``path`` are those of the first problem.
    """

    def __init__(
        self, message: str, file: str | None = None, path: str | None = None, problems: Iterable[Problem] = ()
    ) -> None:
        self.problems = tuple(problems) or (Problem(message, path or ""),)
        self.file = file
        first = self.problems[0]
        self.path = path if path is not None else (first.path or None)
        super().__init__(message, where=self.path or file or "", allowed=first.allowed, meant=first.meant)

    @classmethod
    def of(cls, problems: Iterable[Problem], file: str | None = None) -> DrivetrainError:
        """The error that reports all problems at once."""
        found = list(dict.fromkeys(problems))
        if len(found) == 1:
            return cls(found[0].text(file), file, found[0].path, found)
        head = f"{len(found)} problems" + (f" in {file}" if file else "")
        lines = [p.text(file) for p in found[:SHOWN]] + (
            [f"and {len(found) - SHOWN} more."] if len(found) > SHOWN else []
        )
        return cls("\n  ".join([head + ":", *lines]), file, found[0].path, found)


def _one_line(text: str, most: int) -> str:
    """Text without line ends, cut off behind ``most`` signs."""
    text = text if len(text) <= most else text[:most] + "..."
    return " ".join(text.split()) if not text.isprintable() else text


def _text(value: Any) -> str:
    """A value as text; whole numbers with thousands of digits have none."""
    return f"{value:#x}"[:40] if isinstance(value, int) and value.bit_length() > 400 else str(value)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word closest to ``word``, or an empty string."""
    if len(word) > 200:
        return ""
    words = list(known)
    folded = {w.casefold(): w for w in words}
    if word.casefold() in folded:
        return folded[word.casefold()]
    found = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    if found:
        return found[0]
    begun = [w for w in words if len(word) > 3 and w.casefold().startswith(word.casefold())]
    if len(begun) == 1:
        return begun[0]
    tails = [w for w in words if w.rsplit(".", 1)[-1] == word.rsplit(".", 1)[-1]]
    return tails[0] if len(tails) == 1 else ""


def listed(words: Iterable[str], most: int = 12) -> str:
    """Words joined for a message, cut off after ``most``."""
    items = list(words)
    return ", ".join(items[:most]) + (f" and {len(items) - most} more" if len(items) > most else "")


class CouplingError(InputError):
    """A coupling that cannot be made or went wrong; the message says what to mend."""


class AssemblyError(InputError):
    """A train that cannot be assembled at the fidelity and law asked for; the message says what to change."""
