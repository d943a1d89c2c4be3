"""``gearwright inspect``: what a file of another program holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gearwright.console import Json, mendable, number, print_json, table


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(inspect)


def inspect(
    file: Annotated[
        Path, typer.Argument(help="A result, wind or input file of another program; docs/files.md lists them.")
    ],
    channel: Annotated[list[str] | None, typer.Option(help="Only these channels.")] = None,
    time_column: Annotated[
        str | None, typer.Option(help="Time column of a table; default: the one called time.")
    ] = None,
    sensor_file: Annotated[
        Path | None, typer.Option(help="FLEX5: the list of sensors; default: sensor beside it.")
    ] = None,
    points: Annotated[str | None, typer.Option(help="Mann box: points in x, y, z, such as 1024x32x32.")] = None,
    spacing: Annotated[str | None, typer.Option(help="Mann box: distances in x, y, z [m], such as 2x5x5.")] = None,
    json: Json = False,
) -> None:
    """Channels of a file of another program: units, mean, standard deviation, extremes; sampling and format."""
    with mendable():
        from gearwright.interchange import inspect as look

        options: dict[str, Any] = {"time_column": time_column, "sensor_file": sensor_file}
        options["points"] = _three(points, "--points", int)
        options["spacing"] = _three(spacing, "--spacing", float)
        data = look(file, channel, **options)
        if json:
            print_json(data)
        elif data["kind"] == "series":
            _print_series(data)
        else:
            _print_grid(data)


def _three(text: str | None, option: str, kind: Any) -> list[Any] | None:
    """Three numbers parted by x or commas."""
    if text is None:
        return None
    from gearwright.interchange import ReadError

    try:
        found = [kind(word) for word in text.replace(",", "x").split("x")]
    except ValueError:
        found = []
    if len(found) != 3:
        raise ReadError(f"{option} is three numbers, such as 1024x32x32", text)
    return found


def _print_series(data: dict[str, Any]) -> None:
    even = "uniform" if data["uniform_sampling"] else "not uniform"
    typer.echo(f"{data['source']}: {data['format']}, {data['samples']} samples from {data['start_s']:g} to "
               f"{data['end_s']:g} s every {data['sampling_s']:g} s ({even})")  # fmt: skip
    _about(data)
    rows = [
        [name, c["unit"], *(number(c[k]) for k in ("mean", "std", "min", "max"))]
        for name, c in data["channels"].items()
    ]
    table(f"{len(rows)} channels", ["channel", "unit", "mean", "std", "min", "max"], rows)
    if data["known"]:
        typer.echo("known as: " + ", ".join(f"{quantity} = {name}" for quantity, name in data["known"].items()))


def _print_grid(data: dict[str, Any]) -> None:
    typer.echo(f"{data['source']}: {data['format']} ({data['kind']})")
    _about(data)
    for name, d in data["dimensions"].items():
        span = f", {number(d['first'])} to {number(d['last'])} {d['unit']}" if "first" in d else ""
        typer.echo(f"{name}: {d['size']}{span}")
    rows = []
    for name, c in data["channels"].items():
        if "value" in c:
            value = c["value"]
            rows.append([name, c["unit"], number(value, 6) if isinstance(value, float) else str(value), "", "", "", ""])
        else:
            statistics = [number(c.get(k)) for k in ("mean", "std", "min", "max")]
            rows.append([name, c["unit"], "", *statistics, " ".join(c["dimensions"])])
    table(f"{len(rows)} values", ["name", "unit", "value", "mean", "std", "min", "max", "over"],
          [r + [""] * (8 - len(r)) for r in rows])  # fmt: skip


def _about(data: dict[str, Any]) -> None:
    if data["description"]:
        typer.echo(data["description"])
