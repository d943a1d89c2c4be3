"""``gearwright gear``, ``gearwright stiffness`` and ``gearwright ste``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import File, Json, Set, Shown, mendable, show, writes

Stage = Annotated[str | None, typer.Option(help="Name of the stage; needed where there are several.")]
Page = Annotated[
    Path | None,
    typer.Option("-o", "--output", callback=writes(".html"), help="Write the pictures as one page (.html)."),
]
_USUAL = "Without it: fe, or analytic for gears without a bore or outer diameter."
Method = Annotated[str | None, typer.Option(help=f"Where the stiffness comes from: fe, iso6336 or analytic. {_USUAL}")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(gear)
    app.command()(stiffness)
    app.command()(ste)


Teeth = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE]", help="A drivetrain file (.yaml), or the name of a shipped example. Not needed for --ratio."
    ),
]
Outlines = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        callback=writes(".dxf", ".svg", ".csv", ".html"),
        help="Write every wheel's outline (.dxf, .svg or .csv), or the pictures as one page (.html).",
    ),
]
Pictures = Annotated[
    Path | None,
    typer.Option("--page", callback=writes(".html"), help="Write the pictures as one page (.html), beside outlines."),
]
Mesh = Annotated[
    str | None,
    typer.Option(help="One mesh alone for the answers: sun_planet or ring_planet. Without it: all of the stage."),
]
Distance = Annotated[
    str | None,
    typer.Option(
        help="Answer which profile shifts a centre distance needs, such as '861 mm', how to split them, and the tip shortening."
    ),
]
Play = Annotated[str | None, typer.Option(help="Answer which thickness allowances make a backlash, such as '0.3 mm'.")]
Overlap = Annotated[float | None, typer.Option(help="Answer which helix makes an overlap ratio, such as 1.2.")]
Measure = Annotated[
    bool, typer.Option("--measure", help="Answer with sizes to measure: over a span of teeth, over pins or balls.")
]
Pin = Annotated[
    str | None, typer.Option(help="Diameter of the pins or balls, such as '20 mm'. Without it: one that suits.")
]
Speed = Annotated[
    str | None,
    typer.Option(help="Answer at which frequencies teeth meet again, at a speed of the input such as '12.1 rpm'."),
]
Ratio = Annotated[float | None, typer.Option(help="List tooth numbers near a ratio, best first; needs no FILE.")]
Planets = Annotated[int, typer.Option(help="Planets of the stage for --ratio; 0: a parallel one.")]
Within = Annotated[str, typer.Option(help="How far a ratio may be off, such as '1 %'.")]


def gear(
    file: Teeth = None,
    stage: Stage = None,
    set_: Set = None,
    json: Json = False,
    output: Outlines = None,
    page: Pictures = None,
    mesh: Mesh = None,
    centre_distance: Distance = None,
    backlash: Play = None,
    overlap: Overlap = None,
    measure: Measure = False,
    pin: Pin = None,
    speed: Speed = None,
    ratio: Ratio = None,
    planets: Planets = 0,
    within: Within = "2 %",
) -> None:
    """Show the geometry of a stage's teeth: circles, contact ratios, phases, clearances, warnings; or answer what makes a wanted centre distance,
    backlash, overlap or ratio.

    With a question the answers are shown in place of the geometry.
    """
    with mendable():
        if ratio is not None:
            show(gw.tooth_numbers(ratio, planets=planets, within=within), json)
            return
        if file is None:
            raise gw.DrivetrainError(
                "teeth of which drivetrain? Give its FILE; or --ratio for tooth numbers near a ratio"
            )
        asked = {
            "centre_distance": centre_distance,
            "backlash": backlash,
            "overlap": overlap,
            "pin": pin,
            "speed": speed,
        }
        asked = {key: value for key, value in asked.items() if value is not None}
        found: Shown
        if asked or measure:
            found = gw.gear_answers(file, stage, mesh=mesh, measure=measure, overrides=set_ or (), **asked)  # type: ignore[arg-type]
        else:
            found = gw.gear(file, stage, overrides=set_ or ())
        drawn = output is not None and output.suffix.lower() == ".html"
        written = (
            gw.write_outlines(file, output, stage, overrides=set_ or ()) if output is not None and not drawn else []
        )
        for target in (output if drawn else None, page):
            if target is not None:
                written.append(pages.write_teeth_page(file, stage, target, set_ or (), flanks_alone=True))
        show(found, json, *(f"wrote {path}" for path in written))


def stiffness(
    file: File,
    stage: Stage = None,
    method: Method = None,
    set_: Set = None,
    json: Json = False,
    output: Page = None,
) -> None:
    """Find the stiffness of a stage's meshes over the cycle, load sharing, and stresses at operating torque."""
    with mendable():
        found = gw.mesh_stiffness(file, stage, method=method, overrides=set_ or ())
        if output is not None:
            courses = found if method != "iso6336" else None
            pages.write_teeth_page(file, stage, output, set_ or (), method if courses else None, stiff=courses)
        show(found, json, written=output)


def ste(
    file: File,
    stage: Stage = None,
    torque: Annotated[
        list[str] | None,
        typer.Option(help="Torque on the first wheel of the mesh, such as '25 kN m'; may be repeated."),
    ] = None,
    method: Annotated[
        str | None, typer.Option(help=f"Where the stiffness comes from: fe or analytic. {_USUAL}")
    ] = None,
    mesh: Annotated[
        str | None, typer.Option(help="Which mesh: sun_planet or ring_planet. Without it: all of the stage.")
    ] = None,
    set_: Set = None,
    json: Json = False,
    output: Page = None,
) -> None:
    """Find the static transmission error under load, with modifications: mean, swing and mesh harmonics over torque."""
    with mendable():
        given, edits = torque or (), set_ or ()
        found = gw.transmission_error(file, stage, torques=given, method=method, mesh=mesh, overrides=edits)
        if output is not None:
            pages.write_teeth_page(file, stage, output, edits, found.method, given, mesh, error=found)
        show(found, json, written=output)
