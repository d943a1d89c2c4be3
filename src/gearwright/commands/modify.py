"""``gearwright modify``: modifications of the flanks that make a stage quiet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import Duration, File, Json, Set, fail, mendable, show, writes


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(modify)


def _lengths(text: Any) -> tuple[float, float]:
    """Two numbers of the command line parted by a comma."""
    try:
        low, high = (float(x) for x in str(text).split(","))
    except ValueError:
        raise fail(f"--lengths {text}: least and largest length are wanted, such as 0.2,1.45") from None
    return low, high


Text = str | None
Stage = Annotated[Text, typer.Option(help="Name of the stage; needed where there are several.")]
Mesh = Annotated[
    Text, typer.Option(help="One mesh alone: sun_planet or ring_planet. Without it: all of the stage at once.")
]
Torque = Annotated[
    list[str] | None,
    typer.Option(
        help="Torques on the first wheel of the first mesh, such as '100 N m to 300 N m in 5'; may be repeated. Without it: 40 to 100 % of the operating torque."
    ),
]
Method = Annotated[
    Text,
    typer.Option(
        help="Where the stiffness comes from: fe or analytic. Without it: fe, or analytic for gears without a bore or outer diameter."
    ),
]
Free = Annotated[
    list[str] | None,
    typer.Option(
        help="What is chosen: relief, crowning, slope or bias; may be repeated. Without it: relief, and crowning and slope where a misalignment is given."
    ),
]
Form = Annotated[str, typer.Option(help="Form of the relief: linear, parabolic, or the best of both.")]
Apart = Annotated[bool, typer.Option("--apart", help="Every wheel has a relief of its own.")]
Largest = Annotated[Text, typer.Option(help="Largest relief, such as '30 um'.")]
Lengths = Annotated[
    Any,
    typer.Option(
        parser=_lengths,
        metavar="LEAST,LARGEST",
        help="Length of the relief in parts of the arc from the end of single contact to the tip.",
    ),
]
Misaligned = Annotated[
    str,
    typer.Option(
        help="Of the flanks over the face width at every load, the end at larger x pressed less, such as '15 um'."
    ),
]
Deflected = Annotated[
    str, typer.Option(help="Misalignment at the largest torque that grows with the torque, such as '20 um'.")
]
Scattered = Annotated[
    str, typer.Option(help="Misalignment to either side that nobody knows beforehand, such as '10 um'.")
]
Weight = Annotated[float, typer.Option(help="Weight of K_Hbeta beside the swing; 0: it does not count.")]
Tolerance = Annotated[str, typer.Option(help="Deviation of a made amount whose cost is shown.")]
Case = Annotated[Text, typer.Option(help="Case that is run before and after. Without it: the first.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        callback=writes(".yaml", ".yml"),
        help="Write the file with the modifications (.yaml); it includes the one it began with.",
    ),
]
Page = Annotated[
    Path | None,
    typer.Option(
        "--page", callback=writes(".html"), help="Write Harris map, contact, loads and run as one page (.html)."
    ),
]


def modify(
    file: File,
    stage: Stage = None,
    mesh: Mesh = None,
    torque: Torque = None,
    method: Method = None,
    free: Free = None,
    form: Form = "best",
    apart: Apart = False,
    largest: Largest = None,
    lengths: Lengths = "0.2,1.45",
    misalignment: Misaligned = "0 um",
    deflection: Deflected = "0 um",
    scatter: Scattered = "0 um",
    weight: Weight = 1.0,
    tolerance: Tolerance = "5 um",
    case: Case = None,
    duration: Duration = None,
    set_: Set = None,
    json: Json = False,
    output: Output = None,
    page: Page = None,
) -> None:
    """Choose relief, crowning, lead slope and bias so that transmission error and face load are least over torque.

    With --duration the case is run before and after.
    """
    with mendable():
        found = gw.modify(
            file,
            stage,
            mesh=mesh,
            torques=torque or (),
            method=method,
            free=free or (),
            form=form,
            apart=apart,
            largest=largest,
            misalignment=misalignment,
            deflection=deflection,
            scatter=scatter,
            weight=weight,
            tolerance=tolerance,
            case=case,
            duration=duration,
            overrides=set_ or (),
            lengths=lengths,
        )
        written = [] if output is None else [found.write(output)]
        if page is not None:
            written.append(pages.write_modify_page(found, page))
        show(found, json, *(f"wrote {path}" for path in written))
