"""What every reader shares: the error, the decoding of text, the spelling of units, the checks of a record.

A reader hands over a :class:`Record`; the checks here are the same whatever the file was.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np

from gearwright.errors import FileError
from gearwright.system.former import known_channel, present

from .in_file import Float, InFile

#: What a file says of itself as a whole: ``format``, ``description``, and numbers and texts under names of its own.
Facts: TypeAlias = dict[str, str | float]

#: How many channel names an error message spells out.
_LISTED = 300

#: The same quantity under other names (OpenFAST's own synonyms, ElastoDyn).
_SYNONYMS = (
    ("RotTorq", "LSShftTq", "LSShftMxa", "LSShftMxs", "LSSGagMxa", "LSSGagMxs"),
    ("RotThrust", "LSShftFxa", "LSShftFxs", "LSSGagFxa", "LSSGagFxs"),
    ("RotPwr", "LSShftPwr"),
    ("RotSpeed", "LSSTipVxa", "LSSTipVxs", "LSSTipV"),
    ("GenSpeed", "HSShftV"),
    ("HSShftTq", "HSSTq"),
)

#: Signs in units and what they stand for.
_SIGNS = (("·", " "), ("\u22c5", " "), ("*", " "), ("²", "^2"), ("³", "^3"), ("°", "deg"), ("µ", "u"))

_CLOSING = {")": "(", "]": "[", "}": "{"}

#: What to do about a table without a time.
NO_TIME = "name it with time_column, or give the rate of its samples (--rate, or a rate such as '50 Hz' as time_column)"

#: Seconds per unit of time that a time column may have.
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0}


class ReadError(FileError, ValueError):
    """A file that cannot be read as what it claims to be, or a channel that is not in it.

    Attributes
    ----------
    message : what is wrong, and where in the file
    path : the file
    """

    def __init__(self, message: str, path: str | Path) -> None:
        super().__init__(f"{path}: {message}", where=str(path))
        self.message = message
        self.path = str(path)


@dataclass
class Record:
    """The series of one file before they become a Dataset.

    Attributes
    ----------
    path : the file
    time : (n,) [s]
    names : channel names, without the time, each only once
    original : the names as the file spells them
    units : unit of each channel as the file spells it
    values : (channels, n) in those units, or a table that is still in the file
    place : line of each sample in a text file, for messages; None for a binary one
    information : attributes of the whole record (description, format)
    descriptions : what the file says about each channel, if it says anything
    """

    path: Path
    time: Float
    names: list[str]
    original: list[str]
    units: list[str]
    values: Float | InFile
    place: Sequence[int] | None = None
    information: Facts = field(default_factory=dict)
    descriptions: list[str] | None = None

    def where(self, sample: int) -> str:
        """Place of a sample in words: sample number, counted from 1, and line of a text file."""
        line = f" (line {self.place[sample]})" if self.place is not None else ""
        return f"row {sample + 1} of {len(self.time)}{line}"

    def check(self) -> None:
        """Refuse an empty record and a time that does not rise."""
        if len(self.time) == 0:
            raise ReadError("holds no samples", self.path)
        bad = np.flatnonzero(~np.isfinite(self.time))
        if len(bad):
            raise ReadError(f"time is not finite in {self.where(int(bad[0]))}", self.path)
        back = np.flatnonzero(np.diff(self.time) <= 0.0)
        if len(back):
            i = int(back[0]) + 1
            raise ReadError(
                f"time does not rise: {self.time[i]:g} s after {self.time[i - 1]:g} s in {self.where(i)}",
                self.path,
            )

    def holes(self) -> dict[str, str]:
        """Channels at hand that have values that are not finite: how many, and the first of them, in words."""
        if not isinstance(self.values, np.ndarray):
            return {}
        bad = ~np.isfinite(self.values)
        found = {}
        for row in np.flatnonzero(bad.any(axis=1)):
            first = int(np.argmax(bad[row]))
            found[self.names[row]] = (
                f"{int(bad[row].sum())} of {bad.shape[1]} values are not finite, the first in {self.where(first)}, "
                f"time {self.time[first]:g} s"
            )
        return found

    def finite(self, values: Float, channels: Sequence[int], first: int = 0) -> None:
        """Refuse values that are not finite: ``values`` (channels, samples) from sample ``first`` on."""
        finite = np.isfinite(values)
        if not finite.all():
            row, sample = (int(i) for i in np.argwhere(~finite)[0])
            wrong = np.flatnonzero(~finite.all(axis=1))
            others = f" (and {len(wrong) - 1} more channels with such values)" if len(wrong) > 1 else ""
            raise ReadError(
                f"channel {self.names[channels[row]]} is {values[row, sample]} in {self.where(first + sample)}, "
                f"time {self.time[first + sample]:g} s{others}; repair the record, read only the channels needed, "
                "or, where it drives a run, let straight lines bridge them (gaps: bridge, --gaps bridge)",
                self.path,
            )


@dataclass
class Variable:
    """One quantity of a field or table: dimensions, values, unit and name as the file spells them."""

    dimensions: tuple[str, ...]
    values: Any
    unit: str = ""
    original: str = ""
    description: str = ""


@dataclass
class Grid:
    """A field, a table, a set of parameters: what a file holds that is no time series.

    Attributes
    ----------
    path : the file
    kind : ``field``, ``table``, ``parameters`` or ``linear model``
    coordinates : by name, each along the dimension of its name
    variables : by name
    information : attributes of the whole (description, format)
    """

    path: Path
    kind: str
    coordinates: dict[str, Variable]
    variables: dict[str, Variable]
    information: Facts = field(default_factory=dict)

    def check(self) -> None:
        """Refuse what is empty and values that are not finite."""
        if not self.variables:
            raise ReadError("holds no values", self.path)
        for name, variable in {**self.coordinates, **self.variables}.items():
            values = variable.values
            if not isinstance(values, np.ndarray) or values.dtype.kind != "f":
                continue
            finite = np.isfinite(values)
            if not finite.all():
                place = tuple(int(i) + 1 for i in np.argwhere(~finite)[0])
                raise ReadError(f"{name} is {values[~finite][0]} at {place}, counted from 1", self.path)


def opened(path: Path) -> BinaryIO:
    """A file open for reading bytes; raises ReadError if there is none, it is a folder, or may not be read."""
    try:
        folder, odd = path.is_dir(), path.exists() and not path.is_file()
        if not folder and not odd:
            return open(path, "rb")
    except FileNotFoundError:
        raise ReadError("no such file", path) from None
    except PermissionError:
        raise ReadError("may not be read (permissions)", path) from None
    except (OSError, ValueError) as error:
        raise ReadError(f"cannot be opened ({error})", path) from None
    raise ReadError("is a folder, not a file" if folder else "is not a plain file", path)


def load_bytes(path: Path) -> bytes:
    """The whole content of a file, unpacked if it is gzipped."""
    with opened(path) as file:
        if path.suffix.lower() != ".gz":
            return file.read()
        return _unzip(file, path)


def _unzip(file: BinaryIO, path: Path) -> bytes:
    """Unpacked content: at most 200 times the packed size (and 64 MB), which no record of measured values reaches."""
    most = max(200 * path.stat().st_size, 64 * 2**20)
    try:
        with gzip.open(file) as unpacked:
            content = unpacked.read(most + 1)
    except EOFError:
        raise ReadError("truncated: the gzipped data end too early", path) from None
    except (gzip.BadGzipFile, zlib.error, OSError) as error:
        raise ReadError(f"is not a sound gzip file ({error})", path) from None
    if len(content) > most:
        raise ReadError(
            f"unpacks to more than {most} bytes, 200 times its size; unpack it first if that is right", path
        )
    return content


def decode(content: bytes) -> str:
    """Text of bytes: UTF-16 by its byte order mark, UTF-8 if they are that (a mark is dropped), else Latin-1, which always fits.

    FAST writes the dot of ``kN·m`` as one Latin-1 byte.
    """
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        # a head may end within a character
        return content[: len(content) // 2 * 2].decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def lines_of(content: bytes) -> list[str]:
    """Lines of a text file. Only the line ends of files count: ``str.splitlines`` knows ten more, some of
    them Latin-1 characters."""
    return re.split(r"\r\n|\n|\r", decode(content))


def unit(text: str) -> str:
    """One spelling for the many of the trade: ``(kN·m)``, ``kN-m``, ``kNm`` are ``kN m``; none is ``1``.

    ``INVALID`` stays: OpenFAST marks channels so that the model could not give.
    """
    out = " ".join(text.split()).strip('"').strip()
    out = out.lstrip("([{").strip()
    while out[-1:] in _CLOSING and out.count(out[-1]) > out.count(_CLOSING[out[-1]]):
        out = out[:-1].rstrip()
    for sign, meaning in _SIGNS:
        out = out.replace(sign, meaning)
    out = re.sub(r"(?<=[A-Za-z])-(?=[A-Za-z])", " ", out)
    out = re.sub(r"\bsec\b", "s", out)
    out = re.sub(r"\b([kM]?N)m\b", r"\1 m", out)
    out = re.sub(r"\b(s|m)([23])\b", r"\1^\2", out)
    out = re.sub(r"\brpm\b", "rpm", out, flags=re.IGNORECASE)
    out = re.sub(r"\s+", " ", out).strip()
    out = "degC" if out == "deg C" else out
    return "1" if out in {"", "-", "--", "none", "None"} else out


def seconds(time: Float, text: str, path: Path) -> Float:
    """A time column in seconds, from its unit as the file spells it (none: seconds)."""
    spelled = unit(text)
    if spelled in {"1", "s"}:
        return time
    if spelled not in _SECONDS:
        raise ReadError(f"time is in {spelled!r}; one of {', '.join(_SECONDS)} is wanted", path)
    return time * _SECONDS[spelled]


def rate_of(text: str | None) -> float | None:
    """Samples per second where a text says a rate, such as ``50 Hz``, in place of a time column; None for anything else."""
    found = re.match(r"^\s*(\d+\.?\d*(?:[eE][+-]?\d+)?)\s*(k?Hz|1/s)\s*$", text or "")
    value = float(found[1]) * (1000.0 if found[2] == "kHz" else 1.0) if found else 0.0
    return value if value > 0.0 else None


def distinct(names: Sequence[str]) -> list[str]:
    """Names made different where a file repeats one: the second ``Wind1VelX`` becomes ``Wind1VelX_2``.

    ``time`` is the name of the coordinate; a channel of that name becomes ``time_2``.
    """
    seen = {"time": 1}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        fresh = name if seen[name] == 1 else f"{name}_{seen[name]}"
        while fresh != name and fresh in names:
            fresh += "_"
        out.append(fresh)
    return out


#: what makes a name a pattern
_PATTERN = re.compile(r"[*?]|\[.+\]")


def columns(
    names: Sequence[str], wanted: Sequence[str] | None, path: Path, descriptions: Sequence[str] | None = None
) -> list[int]:
    """Indices of the wanted channels (None: all), or an error that lists what is there.

    A channel is known by its name, or by its description where only one channel has that; a shell pattern (``main.*``) that
    is no name stands for all names that match it, in the order of the file.
    """
    if wanted is None:
        return list(range(len(names)))
    place = {name: i for i, name in enumerate(names)}
    times = Counter(descriptions or ())
    for i, text in enumerate(descriptions or ()):
        if times[text] == 1:
            place.setdefault(text, i)
    found: list[int] = []
    for asked in wanted:
        name = known_channel(asked, place)
        if name in place:
            found.append(place[name])
            continue
        matching = _matching(name, names) or _matching(present(name), names)
        if not matching:
            raise ReadError(missing(name, names), path)
        found += [i for i in matching if i not in found]
    return found


def _matching(pattern: str, names: Sequence[str]) -> list[int]:
    """Places of the names that a shell pattern stands for; none where it is a plain name."""
    return [i for i, name in enumerate(names) if fnmatchcase(name, pattern)] if _PATTERN.search(pattern) else []


def missing(name: str, names: Sequence[str]) -> str:
    """Message for a channel that is not in a file: the nearest names, and what there is."""
    near = [other for group in _SYNONYMS if name in group for other in group if other in names]
    fold = {other.lower(): other for other in names}
    near += [fold[o] for o in get_close_matches(name.lower(), list(fold), n=3, cutoff=0.6)]
    near = list(dict.fromkeys(near))[:4]
    hint = f"; did you mean {' or '.join(near)}?" if near else "."
    rest = f", and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"no channel {name!r}{hint} It has {len(names)}: {', '.join(names[:_LISTED])}{rest}"
