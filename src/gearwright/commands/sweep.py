"""``gearwright sweep``: a case up and down in frequency."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import File, Json, Set, mendable, show, writes
from gearwright.units import in_si


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(sweep)


def sweep(
    file: File,
    low: Annotated[str, typer.Option("--from", help="First frequency, such as '400 Hz'.")],
    high: Annotated[str, typer.Option("--to", help="Last frequency, such as '900 Hz'.")],
    steps: Annotated[int, typer.Option(help="Number of frequencies.")] = 61,
    case: Annotated[str | None, typer.Option(help="Load case of the file. Without it: the first.")] = None,
    of: Annotated[
        Literal["load", "speed"] | None,
        typer.Option(
            help="What is swept: the frequency of sine loads (load), or the driven speed by its mesh frequency (speed)."
        ),
    ] = None,
    settle: Annotated[int, typer.Option(help="Periods before a step is measured.")] = 200,
    measure: Annotated[int, typer.Option(help="Periods that are measured.")] = 20,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", callback=writes(".html"), help="Write the curves as one page (.html)."),
    ] = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Sweep a case up and down in frequency: amplitudes of the meshes, loss of contact, jumps, ranges with two answers."""
    with mendable():
        first, last = in_si(low, "frequency", "--from"), in_si(high, "frequency", "--to")
        if not (steps >= 2 and 0.0 < first < last):
            raise gw.DrivetrainError(
                f"a sweep goes from a lower to a higher frequency in 2 or more steps, not {low} to {high}"
            )
        found = gw.sweep(
            file, case, f"{low} to {high} in {steps}", of, settle=settle, measure=measure, overrides=set_ or ()
        )
        if output is not None:
            pages.write_sweep_page(found, Path(file).stem, output)
        show(found, json, written=output)
