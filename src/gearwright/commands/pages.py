"""``gearwright report`` and ``gearwright orders``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import Json, mendable, say, show, writes


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(report)
    app.command()(orders)


def report(
    result: Annotated[Path, typer.Argument(help="A result file (.nc), or the folder of a campaign or a study.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the page here (.html).")
    ] = None,
) -> None:
    """Write a result as one HTML page: scheme, modes, loads, spectra, life figures."""
    with mendable():
        say(f"report: {gw.write_report(result, output)}")


def orders(
    result: Annotated[Path, typer.Argument(help="The result (.nc) of a run-up or coast-down.")],
    channel: Annotated[
        str | None,
        typer.Option(
            help="Channel as element.quantity, such as stage1.sun_planet1.force. Without it: the largest tooth load."
        ),
    ] = None,
    shaft: Annotated[str | None, typer.Option(help="Body whose turns count. Without it: the input.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", callback=writes(".html"), help="Write the order map as a page (.html)."),
    ] = None,
    json: Json = False,
) -> None:
    """Find the resonances of a run-up or coast-down, and draw its order map."""
    with mendable():
        found = gw.orders(result, channel, shaft)
        if output is not None:
            pages.write_order_page(found, output)
        show(found, json, written=output)
