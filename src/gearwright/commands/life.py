"""``gearwright life``, ``gearwright tooth-stress``, ``gearwright reliability`` and ``gearwright identify``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import Band, Json, fail, mendable, show, writes

Samples = Annotated[int, typer.Option("--samples", min=0, help="Number of samples of the checks; 0 leaves them out.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(life)
    app.command(name="tooth-stress")(tooth_stress)
    app.command()(reliability)
    app.command()(identify)


def life(
    source: Annotated[Path, typer.Argument(metavar="RESULT_OR_DIR", help="A result file (.nc), or the folder of a campaign, which is weighted by the wind.")],
    ratings: Annotated[str | None, typer.Option(help="File or example with the section 'life', instead of the drivetrain's own.")] = None,
    years: Annotated[float | None, typer.Option(min=0.0, help="Years of the life. Without it: as the section 'life' says, or 20.")] = None,
    transient: Annotated[list[str] | None, typer.Option(metavar="PATTERN=COUNT", help="Runs or results that happen COUNT times a year, such as 'start-up*=1000'; may be repeated.")] = None,
    by: Annotated[str | None, typer.Option(metavar="PATH", help="Give a life for every value of what the campaign varies, such as wind.class.")] = None,
    sheet: Annotated[bool, typer.Option("--sheet", help="Make the rating sheet: every factor after ISO 6336, bearings, shafts, load tables, with -o as a page or a workbook (.xlsx).")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html", ".xlsx"), help="Write the page of the life here (.html), or of the sheet (.html, .xlsx).")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Rate the life of bearings, teeth and shafts: damage, governing mode, margins, and what does the damage."""
    with mendable():
        if output is not None and output.suffix.lower() == ".xlsx" and not sheet:
            raise fail(f"'{output}': the page of a life is .html; --sheet makes a workbook")
        if sheet and by is not None:
            raise fail("--sheet and --by: a sheet is of one life; take the runs of one value")
        if years is not None and not years > 0.0:
            raise fail(f"--years {years:g}: a life is longer than that")
        often = dict(_transient(t) for t in transient or ())
        if sheet:
            made = gw.rating_sheet(source, ratings, years=years, transients=often)
            written = pages.life_written(made, output)
            show(made, json, written=written, page=written)
            return
        found = gw.life(source, ratings, years=years, transients=often, by=by)
        page = pages.life_written(found, output)
        show(found, json, written=page, page=page)


def _transient(text: str) -> tuple[str, float]:
    pattern, equals, count = text.rpartition("=")
    try:
        per_year = float(count)
    except ValueError:
        per_year = -1.0
    if not equals or per_year < 0.0:
        raise fail(f"--transient {text}: PATTERN=COUNT is wanted, such as 'start-up*=1000'")
    return pattern, per_year


def tooth_stress(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="A result (.nc) with stored mesh forces and the speed of a machine.")],
    mesh: Annotated[str, typer.Argument(metavar="MESH", help="One of its meshes, such as stage1.sun_planet1.")],
    wheel: Annotated[str | None, typer.Option(help="Which of the two wheels. Without it: the first.")] = None,
    factor: Annotated[float | None, typer.Option(help="Stress over the pressure of Hertz. Without it: 0.5575, the largest von Mises stress below a line contact.")] = None,
    strength: Annotated[str | None, typer.Option(help="S-N line as 'STRESS,CYCLES,EXPONENT[,LIMIT]', such as '1200 MPa,5e7,13,800 MPa'.")] = None,
    method: Annotated[str, typer.Option(help="What is a cycle: each pass from zero (passes), or rainflow from pass to pass (ranges).")] = "passes",
    sharing: Annotated[str | None, typer.Option(help="How pairs share the force: by their stiffness (analytic, fe) or even. Without it: analytic if the teeth are described.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the page with the stress surface (.html).")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Show the stress of every tooth of a wheel (von Mises below its surface, and the pressure of Hertz): four points of the
    path, hunting, damage, stress surface."""
    with mendable():
        found = gw.tooth_stress(result, mesh, wheel, factor=factor, strength=strength, method=method, sharing=sharing)
        page = pages.tooth_report(found, output) if output is not None else None
        show(found, json, written=page, page=page)


def reliability(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A file of limit states (variables, constants, expression), or the name of a shipped one.",
        ),
    ],
    samples: Samples = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of the samples.")] = 0,
    engine: Annotated[
        str | None,
        typer.Option(
            help="What searches the design point: openturns or hlrf. Without it: openturns where it is installed."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Find the probability of failure by FORM, with importance factors, sampling as a check, sweeps and series systems."""
    with mendable():
        show(gw.reliability(file, samples=samples, seed=seed, engine=engine), json)


def identify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A fit file (.yaml), a result (.nc), or a recorded file.")
    ],
    channel: Annotated[str | None, typer.Option(help="Channel of the record, such as main.torque.")] = None,
    begin: Annotated[float | None, typer.Option("--from", help="Begin of the stretch, in s.")] = None,
    end: Annotated[float | None, typer.Option("--to", help="End of the stretch, in s.")] = None,
    method: Annotated[
        str,
        typer.Option(
            help="How: one decaying swing fitted to the stretch (decay), or from the peak of the density of a mode under even excitation (spectrum)."
        ),
    ] = "decay",
    band: Band = None,
    json: Json = False,
) -> None:
    """Find frequency and damping in a record, or fit stiffness and damping of a drivetrain to measured modes or a record."""
    with mendable():
        show(gw.identify(file, channel, begin=begin, end=end, method=method, band=band), json)
