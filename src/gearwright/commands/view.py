"""``gearwright view`` and ``gearwright render``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import Fidelity, Json, Set, mendable, print_figures, say, say_remarks, writes

Source = Annotated[
    str,
    typer.Argument(
        metavar="RESULT_OR_MODEL", help="A result (.nc), a drivetrain file (.yaml) or the name of an example."
    ),
]
View = Annotated[
    str,
    typer.Option("--view", help="What to look at: overview, side, front, cut, a stage, or 'follow stage1.planet1'."),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(view)
    app.command()(render)


def view(
    source: Source,
    output: Annotated[
        Path, typer.Option("-o", "--output", callback=writes(".html"), help="Write the page here (.html).")
    ] = Path("view.html"),
    view: View = "overview",
    begin: Annotated[float | None, typer.Option("--from", help="First instant of a result, in s.")] = None,
    end: Annotated[float | None, typer.Option("--to", help="Last instant of a result, in s.")] = None,
    mode: Annotated[int | None, typer.Option(help="Number of a mode of a mechanism to show.")] = None,
    fidelity: Fidelity = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Draw the drivetrain in three dimensions on a page: motion, forces, loads by colour, mode shapes."""
    with mendable():
        facts = pages.write_view(source, output, set_ or (), fidelity, view, begin, end, mode)
        if json:
            print_figures(facts)
            return
        say(f"view: {output} ({1e-6 * output.stat().st_size:.1f} MB, {facts['bodies']} bodies, {facts['modes']} modes)")
        say_remarks(facts)


def render(
    source: Source,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", callback=writes(".png", ".gif"), help="Write the picture here (.png or .gif)."),
    ] = Path("view.png"),
    view: View = "overview",
    time: Annotated[float | None, typer.Option(help="Instant of the result, in s; of a GIF the first.")] = None,
    mode: Annotated[int | None, typer.Option(help="Number of a mode to show.")] = None,
    frames: Annotated[int, typer.Option(help="Number of pictures of a GIF.")] = 30,
    rate: Annotated[float, typer.Option(help="Pictures of a GIF per second.")] = 20.0,
    speed: Annotated[float, typer.Option("--pace", help="Seconds of the result per second of the GIF.")] = 0.02,
    magnify: Annotated[float, typer.Option(help="Factor on the elastic deviations.")] = 1.0,
    colour: Annotated[str, typer.Option(help="What the colour shows: load, pressure, energy or parts.")] = "load",
    forces: Annotated[bool, typer.Option(help="Draw arrows of the forces, or leave them out.")] = True,
    size: Annotated[str, typer.Option(help="Width and height in points.")] = "1280x720",
    fidelity: Fidelity = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Draw a picture or GIF of the view, by a browser without a window."""
    with mendable():
        try:
            width, height = (int(n) for n in size.lower().split("x"))
        except ValueError:
            raise gw.DrivetrainError(f"--size '{size}' is not width x height, such as 1280x720") from None
        facts = pages.render(
            source,
            output,
            view,
            time=time,
            mode=mode,
            frames=frames,
            rate=rate,
            speed=speed,
            magnify=magnify,
            colour=colour,
            forces=forces,
            width=width,
            height=height,
            overrides=set_ or (),
            fidelity=fidelity,
        )
        if json:
            print_figures(facts)
        else:
            say(f"picture: {output}")
