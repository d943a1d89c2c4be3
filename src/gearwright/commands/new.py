"""``gearwright new``: from ratings to a drivetrain file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gearwright.console import Json, fail, mendable, show, writes
from gearwright.pages.new_page import new_page
from gearwright.sizing.new import new as design

_ASKED = {
    "power": ("Rated power", "2 MW"),
    "rotor_speed": ("Speed of the rotor at rated power", "18 rpm"),
    "generator_speed": ("Speed of the generator at rated power", "1500 rpm"),
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(new)


def new(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="A file (.yaml) with the section ratings. Without it and without options: asked step by step.",
        ),
    ] = None,
    power: Annotated[str | None, typer.Option(help="Rated power, such as '2 MW'.")] = None,
    rotor_speed: Annotated[
        str | None, typer.Option(help="Speed of the rotor at rated power, such as '18 rpm'.")
    ] = None,
    generator_speed: Annotated[
        str | None, typer.Option(help="Speed of the generator at rated power, such as '1500 rpm'.")
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            help="Planets of each stage from the rotor on, par for a parallel one: '3+par+par'. Without it: the usual one."
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the drivetrain. Without it: from the power.")] = None,
    reserve: Annotated[
        float | None,
        typer.Option(help="Factor on the wanted safeties of the teeth; gearboxes that were built carry 1.0 to 1.5."),
    ] = None,
    hours: Annotated[str | None, typer.Option(help="Life at rated torque, such as '175200 h' (20 years).")] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Design the other layouts that make the ratio too, and show them side by side."),
    ] = False,
    turbine: Annotated[
        bool,
        typer.Option(
            "--turbine",
            help="Also write a turbine around it (rotor, tower, controller scaled from nrel-5mw) as a set-up with the campaign normal; with -o.",
        ),
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option("--page", callback=writes(".html"), help="Write stages and layouts as one page (.html)."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", callback=writes(".yaml", ".yml"), help="Write the drivetrain file (.yaml)."),
    ] = None,
    json: Json = False,
) -> None:
    """Design a gearbox from ratings: teeth, shafts, bearings, inertias by rules, as a file that runs."""
    given = {
        "power": power,
        "rotor_speed": rotor_speed,
        "generator_speed": generator_speed,
        "layout": layout,
        "reserve": reserve,
        "hours": hours,
    }
    wishes = {key: value for key, value in given.items() if value is not None}
    if turbine and output is None:
        raise fail("--turbine writes its set-up beside the drivetrain file: give -o FILE")
    if file is None:  # before the bar of the work begins
        wishes = _asked(wishes)
    with mendable():
        found = design(file, name=name, compare=compare, **wishes)
        written = [] if output is None else [found.write(output)]
        if turbine and output is not None:
            written += found.write_turbine(output)
        if page is not None:
            written.append(new_page(found, page))
        show(found, json, *(f"wrote {path}" for path in written))


def _asked(wishes: dict[str, str | float]) -> dict[str, str | float]:
    """The wishes, with what is missing asked for on a terminal; one message where nobody can answer."""
    missing = [key for key in _ASKED if key not in wishes]
    if missing and not (sys.stdin.isatty() and sys.stderr.isatty()):
        options = ", ".join(f"--{key.replace('_', '-')} '{_ASKED[key][1]}'" for key in missing)
        raise fail(f"a drivetrain from ratings needs {options}; or a file with the section ratings")
    for key in missing:
        said, example = _ASKED[key]
        wishes[key] = typer.prompt(f"{said} (such as {example})", err=True)
    if missing and "layout" not in wishes:
        layout = typer.prompt(
            "Layout, such as 3+par+par (nothing: the usual one)", default="", show_default=False, err=True
        )
        if layout.strip():
            wishes["layout"] = layout
    return wishes
