"""``gearwright inspect``: what a file of another program holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gearwright.console import Json, mendable, number, print_json, table


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(inspect)


def inspect(
    file: Annotated[Path, typer.Argument(help="OpenFAST .out or .outb, or a table .csv, .tsv, .txt; each also .gz.")],
    channel: Annotated[list[str] | None, typer.Option(help="Only these channels.")] = None,
    time_column: Annotated[
        str | None, typer.Option(help="Time column of a table; default: the one called time.")
    ] = None,
    json: Json = False,
) -> None:
    """Channels of a recorded series: units, mean, standard deviation, extremes; sampling and format."""
    with mendable():
        from gearwright.interchange import inspect as look

        data = look(file, channel, time_column=time_column)
        if json:
            print_json(data)
            return
        even = "uniform" if data["uniform_sampling"] else "not uniform"
        typer.echo(f"{data['source']}: {data['format']}, {data['samples']} samples from {data['start_s']:g} to "
                   f"{data['end_s']:g} s every {data['sampling_s']:g} s ({even})")  # fmt: skip
        rows = [
            [name, c["unit"], *(number(c[k]) for k in ("mean", "std", "min", "max"))]
            for name, c in data["channels"].items()
        ]
        table(f"{len(rows)} channels", ["channel", "unit", "mean", "std", "min", "max"], rows)
