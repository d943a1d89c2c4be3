"""``gearwright bearing`` and ``gearwright envelope``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import Band, Fidelity, File, Json, Set, mendable, say, show, table, writes

Quantity = Annotated[str | None, typer.Option(help="Load that replaces the one of the file, such as '90 kN'.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(bearing)
    app.command()(envelope)


def bearing(
    file: File,
    radial: Quantity = None,
    axial: Quantity = None,
    speed: Annotated[
        str | None, typer.Option(help="Speed of the inner ring against the outer ring, such as '31.46 rpm'.")
    ] = None,
    fidelity: Fidelity = None,
    set_: Set = None,
    json: Json = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="Print the whole stiffness matrix too.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", callback=writes(".html"), help="Write a page with the load zones (.html)."),
    ] = None,
) -> None:
    """Rate the rolling bearings of a drivetrain or a bearing file: stiffness, element loads, contact stress, life, frequencies."""
    with mendable():
        found = gw.bearing(file, radial=radial, axial=axial, speed=speed, fidelity=fidelity, overrides=set_ or ())
        page = None
        if output is not None:
            page = pages.write_bearing_page(found, output)
        show(found, json, page=page)
        if json:
            return
        for part in found.matrices() if matrix else ():
            table(part.title, part.head, part.cells)
        if page is not None:
            say(f"page: {page}")


def envelope(
    result: Annotated[Path, typer.Argument(help="The result (.nc) of a run.")],
    channel: Annotated[str, typer.Option(help="Channel as element.quantity, such as right_support.acceleration_z.")],
    band: Band = None,
    begin: Annotated[
        float | None,
        typer.Option("--from", help="Time from which on it counts, in s. Without it: as the case discards."),
    ] = None,
    threshold: Annotated[float, typer.Option(help="What is a pulse: so many times the median of the envelope.")] = 3.0,
    level: Annotated[
        float | None,
        typer.Option(
            help="Level from which on a comb counts, in the channel's unit. Without it: 0.1 m/s^2, or 2 % of the mean."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", callback=writes(".html"), help="Write series, pulses and spectrum as a page (.html)."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Look for bearing damage in a channel: envelope spectrum and shock pulses against the passing frequencies."""
    with mendable():
        found = gw.envelope(result, channel, band=band, begin=begin, threshold=threshold, level=level)
        if output is not None:
            pages.write_envelope_page(found, output)
        show(found, json, written=output)
