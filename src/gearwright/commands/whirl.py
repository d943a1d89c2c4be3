"""``gearwright whirl``: shafts that whirl."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright
from gearwright.console import File, Json, Set, fail, mendable, show, writes
from gearwright.pages.whirl_page import whirl_page


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(whirl)


def whirl(
    file: File,
    speeds: Annotated[
        str | None,
        typer.Option(
            help="Speeds of the input: '0 rpm to 3000 rpm in 31'. Without it: up to 1.3 times the operating speed."
        ),
    ] = None,
    unbalance: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BODY=AMOUNT",
            help="Unbalance of a body: 'disc=500 g mm' or 'disc=500 g mm at 90 deg'; may be repeated.",
        ),
    ] = None,
    grade: Annotated[
        str | None, typer.Option(metavar="SPEED", help="Balance grade of all bodies instead: '6.3 mm/s'.")
    ] = None,
    transmission_error: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MESH=LENGTH",
            help="Transmission error of a mesh or stage by mesh harmonics: 'gears=2 um, 0.5 um'; may be repeated.",
        ),
    ] = None,
    station: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BODY", help="A body whose response is wanted; may be repeated. Without it: those that move most."
        ),
    ] = None,
    factors: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="Factors on the stiffness of all bearings for the map of critical speeds: '0.1 to 10 in 21'.",
        ),
    ] = None,
    rotating_damping: Annotated[
        bool,
        typer.Option(
            "--rotating-damping", help="Let the damping of shafts turn with them, which can make whirl unstable."
        ),
    ] = False,
    case: Annotated[str | None, typer.Option(help="Take the model as this case has it.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            callback=writes(".html"),
            help="Write curves, map, responses and orbits as a page (.html).",
        ),
    ] = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Find how shafts whirl: forward and backward modes, critical speeds, response to unbalance and transmission error."""
    with mendable():
        found = gearwright.whirl(
            file,
            speeds=speeds,
            unbalance=_pairs("--unbalance", unbalance),
            grade=grade,
            transmission_error=_pairs("--transmission-error", transmission_error),
            stations=station or (),
            factors=factors,
            rotating_damping=rotating_damping,
            case=case,
            overrides=set_ or (),
        )
        if output is not None:
            whirl_page(found, output)
        show(found, json, written=output)


def _pairs(option: str, given: list[str] | None) -> dict[str, str] | None:
    """Names and amounts of an option that may be repeated."""
    if not given:
        return None
    found = {}
    for word in given:
        name, equals, amount = word.partition("=")
        if not (name.strip() and equals and amount.strip()):
            raise fail(f"{option} {word}: a name and an amount are wanted, such as {option} 'NAME=2 um'")
        found[name.strip()] = amount.strip()
    return found
