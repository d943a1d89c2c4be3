"""The text of OpenFAST's input files (main file, ElastoDyn, ServoDyn, AeroDyn, blades, towers, airfoils): the only parser of it.

A value stands on a line ``value  Name  - description (unit)`` and is found by its name, wherever that line is. A table stands
below a line of names, whose columns are found by them. ``BldEdDmp(1)`` and ``BldEdDmp1`` are one name: versions spell it either way.
Values can be changed in place: comments, order and the bytes of every other line stay.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gearwright.parts import whole

from .record import Float, ReadError, lines_of, load_bytes

_LINE = r'^(\s*)("[^"]*"|\S+)(\s+)({name})(\s|$)'
#: a word: in quotes, behind ``@`` where the values stand in a file of that name; or up to a blank or comma
_WORD = r'(?:@?"[^"]*"|[^\s",!]+)'
#: what a line may look like that holds a value: with a name before ``-`` or ``!``; behind ``!``, as controllers' files have it; with a
#: name before plain text, as OLAF's have it
_DESCRIBED = re.compile(
    rf"^\s*(?P<value>{_WORD}(?:[\s,]+{_WORD})*?)[\s,]+(?P<name>[A-Za-z_]\w*(?:\(\d+(?:[,_]\s*\d+)?\))?)\s*[-!\x96\u2013](?:\s|$)(?P<text>.*)$"
)
_BEHIND = re.compile(rf"^\s*(?P<value>{_WORD}(?:[\s,]+{_WORD})*)\s*!\s*(?P<name>[A-Za-z_]\w*)\b(?P<text>.*)$")
_PLAIN = re.compile(rf"^\s*(?P<value>{_WORD})\s+(?P<name>[A-Za-z_]\w*(?:\(\d+\))?)\s+(?P<text>[A-Za-z].*)$")
_VALUE = re.compile(
    r'^(?:@?"[^"]*"|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?|true|false|t|f|default)$', re.IGNORECASE
)
#: lines that hold no value: comments, and rules with the heads of sections
_RULE = re.compile(r"^\s*(?:[!#%]|--|==)")
_INDEXED = re.compile(r"^(\w*[A-Za-z_])\(?(\d+)\)?$")
#: names of files in a deck's files
_FILES = re.compile(r'^(\s*)"([^"]*)"(\s+)(\w+(?:\(\d+\))?)(\s|$)')

#: quoted words that are no files, whatever lies beside the deck: ``DISCON`` may have a ``DISCON.IN`` there
_NO_FILES = ("DLL_ProcName", "OutFmt", "ADBlOutFmt", "OutSFmt")


def as_number(word: str) -> float:
    """A number as Fortran writes it (``1.0D3``). Raises ValueError."""
    return float(word.upper().replace("D", "E"))


def leading_numbers(line: str, most: int | None = None) -> list[float]:
    """The numbers that a line begins with, at most so many."""
    found: list[float] = []
    for word in line.split()[:most]:
        try:
            found.append(float(word))
        except ValueError:
            break
    return found


def heads_of(line: str) -> list[str]:
    """Names of columns; what stands behind ``!`` or in brackets is a remark."""
    return re.split(r"!|\s\(", line)[0].split()


def _spelled(name: str) -> str:
    """Pattern of a name: an index may stand in brackets or not."""
    indexed = _INDEXED.match(name)
    if indexed is None:
        return re.escape(name)
    return rf"{re.escape(indexed[1])}(?:\({indexed[2]}\)|{indexed[2]})"


def described_in(line: str, plain: bool = True) -> re.Match[str] | None:
    """A line that holds a value: groups ``value`` (one word or several), ``name`` and ``text``; None for any other. ``plain``: also
    without a sign between name and text."""
    if _RULE.match(line):
        return None
    found = _DESCRIBED.match(line)
    if found is not None:
        # several words are a list of values, not the heads of a table with a remark behind
        several = words_of(found["value"])
        if len(several) > 1 and not all(_VALUE.match(word) for word in several):
            return None
    else:
        found = _BEHIND.match(line)
        if found is None and plain:
            found = _PLAIN.match(line)
        if found is not None and not all(_VALUE.match(word) for word in words_of(found["value"])):
            return None
    return found


def words_of(value: str) -> list[str]:
    """The words of a value, parted by blanks or commas; what is in quotes is one word."""
    return re.findall(_WORD, value)


class InputFile:
    """One input file as lines. Raises ReadError for a file that cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        content = load_bytes(path)
        try:
            content.decode("utf-8")
            self.encoding = "utf-8"
        except UnicodeDecodeError:
            self.encoding = "latin-1"
        self.lines = lines_of(content)
        if self.lines[-1] == "":
            self.lines.pop()

    def find(self, name: str) -> int | None:
        """Number of the line that holds a value, counted from zero, or None. The first two lines are titles, where a second word may be
        any name."""
        pattern = re.compile(_LINE.format(name=_spelled(name)))
        return next(
            (
                i
                for i, line in enumerate(self.lines)
                if pattern.match(line) and (i > 1 or described_in(line, plain=False) is not None)
            ),
            None,
        )

    def text(self, name: str, default: str | None = None) -> str:
        """Value of a name as text, without quotes. Raises ReadError if there is none and no default."""
        at = self.find(name)
        if at is None:
            if default is not None:
                return default
            raise ReadError(f"there is no '{name}'", self.path)
        found = re.match(_LINE.format(name=_spelled(name)), self.lines[at])
        assert found is not None
        return found[2].strip('"')

    def number(self, name: str, default: float | None = None) -> float:
        """Value of a name as a finite number; the default where there is none. Raises ReadError."""
        value = self.text(name, None if default is None else repr(default))
        try:
            found = as_number(value)
        except ValueError:
            raise ReadError(f"{name} = '{value[:40]}' is not a number", self.path) from None
        if not math.isfinite(found):
            raise ReadError(f"{name} = '{value[:40]}' is not finite", self.path)
        return found

    def other(self, name: str) -> Path:
        """A file that this one names, beside it."""
        return self.path.parent / self.text(name).replace("\\", "/")

    def names_below(self, name: str, count: int) -> list[Path] | None:
        """``count`` files named in quotes, one a line, the first on the line of ``name``; None where there are fewer."""
        start = next((i for i, line in enumerate(self.lines) if re.match(rf'^\s*"[^"]*"\s+{name}', line)), None)
        if start is None:
            raise ReadError(f"there is no '{name}'", self.path)
        found = [re.match(r'^\s*"([^"]*)"\s*(\S*)', line) for line in self.lines[start : start + count]]
        if len(found) < count or not all(n and (i == 0 or n[2][:1] in ("", "-", "!")) for i, n in enumerate(found)):
            return None
        return [self.path.parent / n[1].replace("\\", "/") for n in found if n]

    def table(self, names: Sequence[str], rows: int) -> Float:
        """The named columns (rows, names) of the table below the line whose first word is the first name; the order of columns in the
        file, and others, do not matter. Lines of units and other text are skipped. Raises ReadError."""
        start = next((i for i, line in enumerate(self.lines) if line.split()[:1] == [names[0]]), None)
        if start is None:
            raise ReadError(f"there is no table with a column '{names[0]}'", self.path)
        heads = heads_of(self.lines[start])
        lost = [name for name in names if name not in heads]
        if lost:
            raise ReadError(
                f"line {start + 1}: the table of '{names[0]}' has no column '{lost[0]}'; it has {', '.join(heads)}",
                self.path,
            )
        places = [heads.index(name) for name in names]
        found: list[list[float]] = []
        for number, line in enumerate(self.lines[start + 1 :], start + 2):
            values = leading_numbers(line)
            if values and len(values) <= max(places):
                raise ReadError(
                    f"line {number}: a row of the table of '{names[0]}' has {len(values)} numbers, {max(places) + 1} are needed",
                    self.path,
                )
            if values:
                found.append([values[j] for j in places])
            if len(found) == rows:
                break
        if len(found) < rows or rows < 1:
            raise ReadError(
                f"the table of '{names[0]}' has {len(found)} rows of numbers, {rows} are promised", self.path
            )
        return np.array(found)

    def table_with_units(self, at: int) -> tuple[list[str], list[str], list[list[float]]] | None:
        """The table whose line of names is ``at``, if a line of units in parentheses follows it: names, units, rows (none where a deck has none)."""
        if at + 2 >= len(self.lines):
            return None
        names = heads_of(self.lines[at].strip().lstrip("!"))
        below = self.lines[at + 1]
        units = re.findall(r"\([^()]*\)", below)
        if len(names) < 2 or len(units) != len(names) or below.replace("!", " ").split()[0][:1] != "(":
            return None
        rows: list[list[float]] = []
        for line in self.lines[at + 2 :]:
            row = leading_numbers(line, len(names))
            if len(row) < len(names):
                break
            rows.append(row)
        return names, units, rows

    def put(self, name: str, value: str, needed: bool = True) -> str | None:
        """Write a value; returns the one before, None where the file does not have the name (and it is not needed)."""
        at = self.find(name)
        if at is None:
            if needed:
                raise ReadError(f"there is no '{name}'; is this the file of another module?", self.path)
            return None
        before = self.text(name)
        self.lines[at] = re.sub(
            _LINE.format(name=_spelled(name)), lambda m: f"{m[1]}{value}{m[3]}{m[4]}{m[5]}", self.lines[at], count=1
        )
        return before

    def anchor(self, skip: tuple[str, ...] = ()) -> None:
        """Write the files that this one names with their whole path, so that it can stand in another folder."""
        for i, line in enumerate(self.lines):
            found = _FILES.match(line)
            if (
                found
                and found[4] not in (*skip, *_NO_FILES)
                and found[2]
                and found[2].lower() not in ("unused", "none", "default")
            ):
                target = self.path.parent / found[2].replace("\\", "/")
                # airfoil roots and wind files may be prefixes of names
                if target.exists() or list(target.parent.glob(f"{target.name}.*")):
                    self.lines[i] = f'{found[1]}"{target.resolve()}"{found[3]}{found[4]}{found[5]}{line[found.end() :]}'

    def write(self, path: Path) -> Path:
        """Write to another place."""
        with whole(path) as part:
            part.write_text("\n".join(self.lines) + "\n", encoding=self.encoding)
        return path
