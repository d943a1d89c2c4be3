"""What the commands share: JSON, tables, progress, and errors a user can mend as one message.

Exit codes: 0 done, 2 the input has to be mended (one message), 3 a run diverged (what was computed is kept),
130 interrupted (likewise).
"""

from __future__ import annotations

import json as jsonlib
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

File = Annotated[str, typer.Argument(metavar="FILE", help="A drivetrain file, or the name of a shipped example.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Edit a value of the file.")]
Fidelity = Annotated[str | None, typer.Option(help="torsional, planar or spatial; default from the file.")]
Law = Annotated[str | None, typer.Option(help="rigid, linear, periodic or tooth_contact; default from the file.")]


def print_json(data: Any) -> None:
    """Print JSON; what is not a number becomes null, since JSON knows no NaN."""

    def clean(x: Any) -> Any:
        if isinstance(x, dict):
            return {str(k): clean(v) for k, v in x.items()}
        if isinstance(x, (list, tuple)):
            return [clean(v) for v in x]
        if hasattr(x, "tolist"):
            return clean(x.tolist())
        if isinstance(x, float) and not math.isfinite(x):
            return None
        if isinstance(x, Path):
            return str(x)
        return x

    sys.stdout.write(jsonlib.dumps(clean(data), indent=2, ensure_ascii=False) + "\n")


def fail(message: str, code: int = 2) -> typer.Exit:
    """Print a message on the error stream; the exit to raise."""
    sys.stderr.write(f"gearwright: {message}\n")
    return typer.Exit(code)


@contextmanager
def mendable() -> Iterator[None]:
    """Turn every error a user can mend into one message and exit code 2."""
    from gearwright.drivetrain import DrivetrainError

    try:
        yield
    except DrivetrainError as error:
        raise fail(str(error)) from None
    except typer.Exit:
        raise
    except KeyboardInterrupt as stop:
        raise fail(str(stop.args[0]) if stop.args else "interrupted; what was finished is kept", 130) from None
    except BrokenPipeError:
        raise typer.Exit(0) from None
    except Exception as error:
        if type(error).__name__ == "RunError":
            raise fail(str(error), 3) from None
        if type(error).__module__.startswith("gearwright"):
            raise fail(str(error)) from None
        raise


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], mark: int | None = None) -> None:
    """Print a table, first column left, others right; row ``mark`` in bold."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for i, name in enumerate(head):
        table.add_column(name, justify="left" if i == 0 else "right", no_wrap=True)
    for i, row in enumerate(rows):
        table.add_row(*row, style="bold" if i == mark else None)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def times_real_time(factor: float) -> str:
    """How fast a run was, in words: whole numbers above ten, three digits below."""
    return f"{factor:.0f} times real time" if factor >= 10.0 else f"{factor:.2g} times real time"


def number(x: float | None, digits: int = 4) -> str:
    """A number with ``digits`` significant digits; nothing for None and what is not finite."""
    return "" if x is None or not math.isfinite(x) else f"{x:.{digits}g}"


@contextmanager
def progress(show: bool) -> Iterator[Any]:
    """A progress bar on a terminal, nothing otherwise."""
    if not show or not sys.stderr.isatty():
        yield None
        return
    import time

    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    begin = time.perf_counter()
    with Progress(TextColumn("simulated {task.completed:.1f} of {task.total:g} s"), BarColumn(),
                  TextColumn("{task.fields[factor]} x real time"), TimeRemainingColumn(),
                  transient=True) as bar:  # fmt: skip
        task = bar.add_task("run", total=None, factor="")

        def update(t: float, duration: float) -> None:
            factor = t / max(time.perf_counter() - begin, 1e-9)
            bar.update(task, total=duration, completed=t, factor=f"{factor:.0f}")

        yield update
