"""``gearwright sweep``: a case up and down in frequency."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gearwright.console import File, Json, Set, mendable, number, print_figures, say, table, writes


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(sweep)


def sweep(
    file: File,
    low: Annotated[str, typer.Option("--from", help="First frequency, such as '400 Hz'.")],
    high: Annotated[str, typer.Option("--to", help="Last frequency, such as '900 Hz'.")],
    steps: Annotated[int, typer.Option(help="Number of frequencies.")] = 61,
    case: Annotated[str | None, typer.Option(help="Load case of the file. Without it: the first.")] = None,
    of: Annotated[Literal["load", "speed"] | None, typer.Option(help="What is swept: the frequency of sine loads (load), or the driven speed by its mesh frequency (speed).")] = None,
    settle: Annotated[int, typer.Option(help="Periods before a step is measured.")] = 200,
    measure: Annotated[int, typer.Option(help="Periods that are measured.")] = 20,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the curves as one page (.html).")] = None,
    set_: Set = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Sweep a case up and down in frequency: amplitudes of the meshes, loss of contact, jumps, ranges with two answers."""
    with mendable():
        import numpy as np

        from gearwright.analyses.sweep import sweep as run
        from gearwright.errors import DrivetrainError
        from gearwright.train.open import load
        from gearwright.units import DIMENSIONS, UnitError, to_si

        try:
            first, last = (to_si(x, DIMENSIONS["frequency"]) for x in (low, high))
        except UnitError as error:
            raise DrivetrainError(f"--from and --to: {error}{error.hint}") from None
        if not (steps >= 2 and 0.0 < first < last):
            raise DrivetrainError(
                f"a sweep goes from a lower to a higher frequency in 2 or more steps, not {low} to {high}"
            )
        found = run(
            load(file, set_ or (), case),
            case,
            np.linspace(first, last, steps).tolist(),
            of,
            settle=settle,
            measure=measure,
        )
        if output is not None:
            from gearwright.pages.sweep_page import sweep_page

            sweep_page(found, Path(file).stem, output)
        if json:
            print_figures(found.record())
            return
        for j, mesh in enumerate(found.meshes):
            rows = [
                [number(f, 6)] + [number(x, 4) for way in (found.up, found.down)
                                  for x in (1e6 * way["peak_to_peak"][i, j], 1e6 * way["rms"][i, j], way["loss"][i, j])]
                for i, f in enumerate(found.frequency)
            ]  # fmt: skip
            head = ["Hz", "up: p-p um", "rms um", "no contact", "down: p-p um", "rms um", "no contact"]
            table(f"{mesh}, deflection", head, rows)
            for jump in found.jumps:
                if jump.mesh == mesh:
                    a, b = sorted(jump.between)
                    say(
                        f"  jump on the way {jump.direction} between {a:.6g} and {b:.6g} Hz: "
                        f"{1e6 * jump.before:.4g} to {1e6 * jump.after:.4g} um peak to peak"
                    )
            for a, b in found.bistable(mesh):
                say(f"  two answers from {a:.6g} to {b:.6g} Hz")
        if output is not None:
            say(f"wrote {output}")
