"""``gearwright design``: free numbers of a file are moved until wishes are met."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright as gw
from gearwright import pages
from gearwright.console import Duration, Fidelity, Json, Set, fail, mendable, show, writes_folder

from .campaigns import Jobs, Return, Scheduler, Slurm, Wait, workers_of


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(design)


def design(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A drivetrain, a design file (drivetrain, free, wishes), or a shipped one."
        ),
    ],
    free: Annotated[
        list[str] | None,
        typer.Option(
            help="A number that may move, 'PATH=LOW..HIGH', or several together by factors, 'PATH,PATH=0.9 x..1.1 x'; may be repeated."
        ),
    ] = None,
    wish: Annotated[
        list[str] | None,
        typer.Option(
            help="'MEASURE least', 'MEASURE most', 'MEASURE >= VALUE' or 'MEASURE <= VALUE', such as 'mass least'; may be repeated."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            callback=writes_folder,
            help="Folder to write to. Without it: the drivetrain's name and -design.",
        ),
    ] = None,
    evaluations: Annotated[int | None, typer.Option(min=2, help="Evaluate at most so many designs (60).")] = None,
    points: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=2, help="So many points of the trade-off of two wishes (7).")
    ] = None,
    case: Annotated[
        str | None, typer.Option(help="Case to run, for wishes of a run ('run.main.torque.max least').")
    ] = None,
    campaign: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Campaign of the file to run, for wishes of one ('campaign.life.stage1.planet1_bearing >= 20 years').",
        ),
    ] = None,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    slurm: Slurm = None,
    return_results: Return = False,
    wait: Wait = False,
    duration: Duration = None,
    fidelity: Fidelity = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Move a few numbers of a file until masses, lives, margins and efficiency meet wishes; two wishes give their trade-off as a page."""
    if evaluations is not None and points is not None and evaluations <= points:
        raise fail(f"{evaluations} evaluations are too few for {points} points")
    with mendable(), workers_of(jobs, scheduler, slurm, return_results) as workers:
        found = gw.design(
            file,
            free or (),
            wish or (),
            output,
            evaluations=evaluations,
            points=points,
            case=case,
            campaign=campaign,
            fidelity=fidelity,
            duration=duration,
            jobs=jobs,
            workers=workers,
            wait=wait,
            overrides=set_ or (),
        )
        page = str(pages.write_design_page(found, found.folder / "design.html"))
        show(found, json, f"page: {page}", page=page)
        if found.candidates and not any(c.keeps for c in found.candidates):
            raise typer.Exit(3)
