"""What the commands share: JSON, sentences, tables, and errors a user can mend as one message.

Exit codes: 0 done, 2 the input has to be mended (one message), 3 a run diverged (what was computed is kept),
130 interrupted, 143 terminated, 129 hung up (likewise), 70 a fault of the program.
"""

from __future__ import annotations

import json as jsonlib
import math
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from gearwright.errors import GearwrightError, RunError, nearest
from gearwright.figures.format import finite
from gearwright.remarks import V, remark_lines, remarks_in, with_lists
from gearwright.schema.mesh_laws import LAWS, is_own
from gearwright.schema.places import Values
from gearwright.schema.read import examples
from gearwright.terminal import bar, columns, fold, interrupted, tell
from gearwright.units import DIMENSIONS, UnitError, to_si


def _known(incomplete: str) -> list[str]:
    """Shipped examples whose names begin so, for the completion of a shell; files are completed by the shell itself."""
    return [name for name in examples() if incomplete and name.startswith(incomplete)]


File = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="A drivetrain file (.yaml), or the name of a shipped example.", autocompletion=_known
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, and nothing else.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Change a value of the file for this command; may be repeated."),
]


def fail(message: str, code: int = 2) -> typer.Exit:
    """Print a message on the error stream; the exit to raise."""
    tell(message)
    return typer.Exit(code)


def _one_of(option: str, *words: str) -> Callable[[str | None], str | None]:
    """Callback of an option that takes one of a few words."""

    def check(word: str | None) -> str | None:
        if word is not None and word not in words:
            meant = f" Did you mean '{near}'?" if (near := nearest(word, words)) else ""
            raise fail(f"{option} = {word}: not one of the known words. Allowed: {', '.join(words)}.{meant}")
        return word

    return check


def _law(word: str | None) -> str | None:
    """Callback of the option for the law of meshes: a known word, or a user's own."""
    return word if word is not None and is_own(word) else _one_of("--law", *LAWS)(word)


Fidelity = Annotated[
    str | None,
    typer.Option(
        callback=_one_of("--fidelity", "rigid", "torsional", "planar", "spatial", "multibody"),
        help="How bodies move: rigid, torsional, planar, spatial or multibody. Without it: as the file says.",
    ),
]
Law = Annotated[
    str | None,
    typer.Option(
        callback=_law,
        help=f"How teeth mesh: {', '.join(LAWS)}, or module:name of your own law. Without it: as the file says.",
    ),
]


def writes(*suffixes: str) -> Callable[[Path | None], Path | None]:
    """Callback of an option that names a file to write: one that cannot become a file, or that the suffix shows to be
    of another kind (a drivetrain file taken for the result), is refused before anything is computed."""

    def check(path: Path | None) -> Path | None:
        if path is None:
            return None
        allowed = ", ".join(suffixes)
        if path.is_dir():
            meant = path / f"NAME{suffixes[0]}"
            raise fail(f"'{path}': is a folder; a file to write is wanted. Allowed: {allowed}. Did you mean '{meant}'?")
        if not path.name.lower().endswith(suffixes):
            meant = path.with_name((path.stem if path.suffix else path.name) + suffixes[0])
            raise fail(
                f"'{path}': ends with '{path.suffix}', of another kind than the file to write. "
                f"Allowed: {allowed}. Did you mean '{meant}'?"
            )
        _folder_above(path)
        return path

    return check


def writes_folder(path: Path | None) -> Path | None:
    """Callback of an option that names a folder to write."""
    if path is not None:
        if path.exists() and not path.is_dir():
            raise fail(f"'{path}': is a file; a folder to write into is wanted")
        _folder_above(path)
    return path


def _folder_above(path: Path) -> None:
    """Refuse a path whose nearest existing part above is no folder, or may not be written."""
    above = next(part for part in path.absolute().parents if part.exists())
    if not above.is_dir():
        raise fail(f"'{path}': '{above}' is a file, not a folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise fail(f"'{path}': the folder '{above}' may not be written; choose another one")


def seconds(text: Any) -> float:
    """A positive time of the command line: seconds, or a number with a unit."""

    try:
        value = to_si(str(text), DIMENSIONS["time"])
    except UnitError as error:
        raise fail(f"--duration = {text}: {error}{error.hint}") from None
    if value <= 0.0:
        raise fail(f"--duration = {text}: a run needs a positive duration. Allowed: such as 30, '30 s' or '10 min'.")
    return value


Duration = Annotated[
    float | None,
    typer.Option(parser=seconds, metavar="TIME", help="Time to simulate, in seconds or with a unit: '10 min'."),
]


def low_and_high(text: Any) -> tuple[float, float]:
    """A band of frequencies of the command line [Hz]: two numbers parted by a comma."""
    try:
        low, high = (float(x) for x in str(text).split(","))
    except ValueError:
        raise fail(f"--band {text}: two frequencies in Hz are wanted, such as 1,3") from None
    if not 0.0 <= low < high < math.inf:
        raise fail(f"--band {text}: from a lower to a higher frequency, such as 1,3")
    return low, high


Band = Annotated[
    Any, typer.Option(parser=low_and_high, metavar="LOW,HIGH", help="Part of the spectrum that counts, in Hz: '1,3'.")
]


def print_json(data: Any) -> None:
    """Print JSON; what is not a number becomes null, since JSON knows no NaN."""

    sys.stdout.write(jsonlib.dumps(finite(data), indent=2, ensure_ascii=False) + "\n")


def print_figures(data: Mapping[str, V]) -> None:
    """Print figures as JSON, with what was assumed, notes and warnings as three lists."""
    print_json(with_lists(data))


def say_remarks(remarks: Iterable[str] | Mapping[str, V]) -> None:
    """Say remarks, or those of data that hold them in three lists: one line each, warnings last."""
    for line in remark_lines(remarks_in(remarks) if isinstance(remarks, Mapping) else remarks):
        say(line)


class Shown(Protocol):
    """An analysis, of :mod:`gearwright.analyses.base`."""

    @property
    def remarks(self) -> Sequence[str]:
        """What was assumed, notes, warnings."""

    def to_dict(self) -> Values:
        """What ``--json`` prints."""

    def shown(self) -> Iterator[Any]:
        """Tables and sentences."""


def show(found: Shown, json: bool, *after: str, written: Path | None = None, **more: Any) -> None:
    """Print an analysis: as JSON with ``more`` in it, or its tables and sentences, its remarks, what comes ``after``, and the page that
    was ``written``."""
    if json:
        print_json({**found.to_dict(), **more})
        return
    for part in found.shown():
        say(part) if isinstance(part, str) else table(part.title, part.head, part.cells, part.mark)
    say_remarks(found.remarks)
    for sentence in (*after, *([] if written is None else [f"page: {written}"])):
        say(sentence)


@contextmanager
def mendable() -> Iterator[None]:
    """The work of a command: a bar on the terminal where it takes long, and every error a user can mend as one message and
    exit code 2. What nobody foresaw is left to the last catch of the process."""
    try:
        with bar():
            yield
    except RunError as error:
        raise fail(str(error), 3) from None
    except GearwrightError as error:
        raise fail(str(error)) from None
    except typer.Exit:
        raise
    except KeyboardInterrupt as stop:
        raise fail(str(stop.args[0]) if stop.args else "interrupted", interrupted()) from None
    except BrokenPipeError:
        raise typer.Exit(0) from None
    except OSError as error:
        if error.filename is None or type(error).__module__.startswith("gearwright"):
            raise
        raise fail(f"'{error.filename}': {(error.strerror or 'cannot be used').lower()}") from None


def say(text: str) -> None:
    """Print sentences: on a terminal broken between words, never inside a word or number; elsewhere as they are."""
    sys.stdout.write(fold(text, sys.stdout) + "\n")


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], mark: int | None = None) -> None:
    """Print a table, first column left, others right; row ``mark`` in bold.

    Nothing is ever cut: where the columns do not fit a terminal, the table is printed in parts, each with the first
    column again; where not even two columns fit, row by row.
    """
    terminal = sys.stdout.isatty()
    plain = not terminal or "NO_COLOR" in os.environ or os.environ.get("TERM", "") in ("dumb", "unknown")
    for line, strong in table_lines(title, head, rows, mark, columns(sys.stdout) - 1 if terminal else None):
        sys.stdout.write(f"\x1b[1m{line}\x1b[0m\n" if strong and line and not plain else f"{line}\n")


def table_lines(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], mark: int | None = None, width: int | None = None
) -> Iterator[tuple[str, bool]]:
    """Lines of a table and whether they stand out; ``width``: of the terminal, None for as wide as it gets."""
    cells = [[str(cell) for cell in (*row, *[""] * (len(head) - len(row)))] for row in rows]
    wide = [max((len(line[i]) for line in ([*head], *cells)), default=0) for i in range(len(head))]
    for line in textwrap.wrap(title, width or 10_000, break_long_words=False, break_on_hyphens=False):
        yield line, False
    parts = _parts(wide, width)
    if parts is None:
        yield from _records(head, cells, mark, width or 80)
        return
    for k, part in enumerate(parts):
        if k:
            yield "", False
        for n, row in enumerate(([*head], *cells)):
            text = "  ".join(row[i].ljust(wide[i]) if i == 0 else row[i].rjust(wide[i]) for i in part)
            yield text.rstrip(), n == 0 or (mark is not None and n == mark + 1)


def _parts(wide: Sequence[int], width: int | None) -> list[list[int]] | None:
    """Columns of each part of a table: all in one if they fit; None where the first and another one do not."""
    rest = range(1, len(wide))
    if width is None or sum(wide) + 2 * len(rest) <= width:
        return [list(range(len(wide)))]
    if any(wide[0] + 2 + wide[i] > width for i in rest) or wide[0] > width:
        return None
    parts: list[list[int]] = []
    for i in rest:
        if not parts or sum(wide[j] + 2 for j in parts[-1]) + wide[i] > width:
            parts.append([0])
        parts[-1].append(i)
    return parts


def _records(
    head: Sequence[str], cells: Sequence[Sequence[str]], mark: int | None, width: int
) -> Iterator[tuple[str, bool]]:
    """A table row by row: the first cell, below it what is in the others, by name."""
    for n, row in enumerate(cells):
        yield row[0], n == mark
        pairs = "; ".join(f"{name} {cell}".strip() for name, cell in zip(head[1:], row[1:], strict=True) if cell)
        for line in textwrap.wrap(
            pairs, width, initial_indent="  ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        ):
            yield line, False


def times_real_time(factor: float) -> str:
    """How fast a run was, in words: whole numbers above ten, three digits below."""
    return f"{factor:.0f} times real time" if factor >= 10.0 else f"{factor:.2g} times real time"


def number(x: float | None, digits: int = 4) -> str:
    """A number with ``digits`` significant digits; nothing for None and what is not finite."""
    return "" if x is None or not math.isfinite(x) else f"{x:.{digits}g}"
