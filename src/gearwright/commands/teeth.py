"""``gearwright gear``, ``gearwright stiffness`` and ``gearwright ste``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import File, Json, Set, mendable, show, writes

Stage = Annotated[str | None, typer.Option(help="Name of the stage; needed where there are several.")]
Page = Annotated[
    Path | None,
    typer.Option("-o", "--output", callback=writes(".html"), help="Write the pictures as one page (.html)."),
]
Method = Annotated[str, typer.Option(help="Where the stiffness comes from: fe, iso6336 or analytic.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(gear)
    app.command()(stiffness)
    app.command()(ste)


def gear(
    file: File, stage: Stage = None, set_: Set = None, json: Json = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".dxf", ".svg", ".csv", ".html"), help="Write every wheel's outline (.dxf, .svg or .csv), or the pictures as one page (.html).")] = None,
    page: Annotated[Path | None, typer.Option("--page", callback=writes(".html"), help="Write the pictures as one page (.html), beside outlines.")] = None,
) -> None:  # fmt: skip
    """Show the geometry of a stage's teeth: circles, contact ratios, phases, clearances, warnings."""
    with mendable():
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
    file: File, stage: Stage = None, method: Method = "fe", set_: Set = None, json: Json = False, output: Page = None,
) -> None:  # fmt: skip
    """Find the stiffness of a stage's meshes over the cycle, load sharing, and stresses at operating torque."""
    with mendable():
        found = gw.mesh_stiffness(file, stage, method=method, overrides=set_ or ())
        if output is not None:
            courses = found if method != "iso6336" else None
            pages.write_teeth_page(file, stage, output, set_ or (), method if courses else "fe", stiff=courses)
        show(found, json, written=output)


def ste(
    file: File, stage: Stage = None,
    torque: Annotated[list[str] | None, typer.Option(help="Torque on the first wheel of the mesh, such as '25 kN m'; may be repeated.")] = None,
    method: Annotated[str, typer.Option(help="Where the stiffness comes from: fe or analytic.")] = "fe",
    mesh: Annotated[str | None, typer.Option(help="Which mesh: sun_planet or ring_planet. Without it: all of the stage.")] = None,
    set_: Set = None, json: Json = False, output: Page = None,
) -> None:  # fmt: skip
    """Find the static transmission error under load, with modifications: mean, swing and mesh harmonics over torque."""
    with mendable():
        given, edits = torque or (), set_ or ()
        found = gw.transmission_error(file, stage, torques=given, method=method, mesh=mesh, overrides=edits)
        if output is not None:
            pages.write_teeth_page(file, stage, output, edits, method, given, mesh, error=found)
        show(found, json, written=output)
