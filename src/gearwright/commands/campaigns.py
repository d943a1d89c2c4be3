"""``gearwright campaign``, ``gearwright study`` and ``gearwright compare``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

import gearwright as gw
from gearwright import campaigns, pages
from gearwright.analyses.campaign import campaign_of, study_of
from gearwright.campaigns.dask_workers import connect, slurm_cluster
from gearwright.campaigns.line import Line
from gearwright.commands.interchange import RecordOptions
from gearwright.console import (
    Duration,
    Fidelity,
    Json,
    Law,
    Set,
    fail,
    mendable,
    print_json,
    show,
    writes,
    writes_folder,
)
from gearwright.remarks import remark_lines

Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Work on so many runs at a time on this machine.")]
Scheduler = Annotated[str | None, typer.Option(help="Work on a Dask cluster: 'tcp://HOST:PORT'.")]
Slurm = Annotated[
    str | None, typer.Option(help="Work through Slurm: 'jobs=20,cores=4,memory=8GB,walltime=02:00:00,queue=short'.")
]
Return = Annotated[
    bool,
    typer.Option(
        "--return-results",
        help="Let the workers of a cluster send results back; for clusters without a common file system.",
    ),
]
Wait = Annotated[
    bool, typer.Option("--wait", help="Wait for another process that works in this folder, instead of an error.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(campaign)
    app.command()(study)
    app.command()(compare)


def campaign(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file or example with campaigns, or the name of a shipped campaign.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", callback=writes_folder, help="Folder to write to. Without it: the campaign's name.")] = None,
    campaign: Annotated[str | None, typer.Option(help="Which campaign of the file to run.")] = None,
    setup: Annotated[str | None, typer.Option(help="Set-up of a shipped campaign, instead of nrel-5mw.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Run only ids that match, such as 'normal-17ms-*'; may be repeated.")] = None,
    jobs: Jobs = 1, scheduler: Scheduler = None, slurm: Slurm = None, return_results: Return = False, wait: Wait = False,
    duration: Duration = None, fidelity: Fidelity = None, law: Law = None,
    loads: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Folder of recorded runs: each drives the drivetrain once and stands for its mean wind speed.")] = None,
    case: Annotated[str | None, typer.Option(help="With --loads: case of the file whose other keys are taken over.")] = None,
    mapping: Annotated[Path | None, typer.Option(help="With --loads: a file (.yaml) that names the channels.")] = None,
    map_: Annotated[list[str] | None, typer.Option("--map", help="With --loads: the channel of a quantity; may be repeated.")] = None,
    drive: Annotated[str | None, typer.Option(help="With --loads: what drives the input, speed or torque. Without it: speed.")] = None,
    recorded_ratio: Annotated[float | None, typer.Option(help="With --loads: the gear ratio of the recorded train.")] = None,
    gaps: Annotated[str | None, typer.Option(help="With --loads: what missing samples do, refuse or bridge. Without it: refuse.")] = None,
    rate: Annotated[str | None, typer.Option(help="With --loads: samples per second of records without a time, such as '50 Hz'.")] = None,
    gage: Annotated[str | None, typer.Option(help="With --loads: how far the shaft's strain gages lie behind the rotor's apex, such as '1.912 m'.")] = None,
    wind_bin: Annotated[float | None, typer.Option(help="With --loads: mean wind speeds are rounded to multiples of it, in m/s. Without it: 1.")] = None,
    set_: Set = None, json: Json = False,
) -> None:  # fmt: skip
    """Run many load cases: one result file and one table row per case. After an interruption the same command goes on."""
    with mendable():
        how = (mapping, tuple(map_ or ()), drive, recorded_ratio, gaps, rate, gage)
        options = campaigns.Options(fidelity=fidelity, law=law, duration=duration)
        if loads is not None:
            if campaign is not None or setup is not None:
                raise gw.DrivetrainError(
                    "--loads makes a campaign of its records; --campaign and --setup choose another"
                )
            reading = RecordOptions(*how).reading()
            plan = campaigns.record_plan(
                gw.load(file, set_ or (), case),
                loads,
                reading,
                case,
                options=options,
                only=only or (),
                wind_bin=1.0 if wind_bin is None else wind_bin,
            )
        elif any(how) or case is not None or wind_bin is not None:
            raise gw.DrivetrainError(
                "--case, --mapping, --map, --drive, --recorded-ratio, --gaps, --rate, --gage and --wind-bin belong to --loads FOLDER"
            )
        else:
            plan = campaigns.campaign_plan(
                file, campaign, setup=setup, overrides=set_ or (), only=only or (), options=options
            )
        with workers_of(jobs, scheduler, slurm, return_results) as workers:
            found = campaign_of(plan, output or Path(plan.name), jobs, workers, None if json else _failure, wait)
        show(found, json, *found.closing)
        if found.failed:
            raise typer.Exit(3)


def study(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A study file (drivetrain, case, what varies, outputs), or the name of a shipped one.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", callback=writes_folder, help="Folder to write to. Without it: the study's name.")] = None,
    jobs: Jobs = 1, scheduler: Scheduler = None, slurm: Slurm = None, return_results: Return = False, wait: Wait = False,
    duration: Duration = None, fidelity: Fidelity = None, law: Law = None, set_: Set = None, json: Json = False,
) -> None:  # fmt: skip
    """Run a case over chosen or drawn values of its file: one table, sensitivities, a page with plots."""
    with mendable():
        plan = campaigns.study_plan(
            file, overrides=set_ or (), options=campaigns.Options(fidelity=fidelity, law=law, duration=duration)
        )
        with workers_of(jobs, scheduler, slurm, return_results) as workers:
            found = study_of(plan, output or Path(plan.name), jobs, workers, None if json else _failure, wait)
        report = str(pages.study_report(found.folder, found.folder / "report.html"))
        show(found, json, *found.closing, f"report: {report}", report=report)
        if found.failed:
            raise typer.Exit(3)


def compare(
    first: Annotated[Path, typer.Argument(help="A result file (.nc), or the folder of a campaign.")],
    second: Annotated[Path | None, typer.Argument(help="Another one; left out with --against.")] = None,
    channel: Annotated[
        list[str] | None,
        typer.Option(help="Compare only channels that match, such as 'stage1.*_bearing.force'; may be repeated."),
    ] = None,
    against: Annotated[str | None, typer.Option(help="Compare each channel with this one of the first source.")] = None,
    arm: Annotated[
        str | None,
        typer.Option(help="Length over which a torque of --against is a force: '3.44 m', number of pins times radius."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", callback=writes(".html"), help="Write the comparison as a page (.html)."),
    ] = None,
    json: Json = False,
) -> None:
    """Compare loads side by side: two results, two campaigns, two fidelities; or channels against one of them."""
    with mendable():
        found = gw.compare(first, second, channel or (), against=against, arm=arm)
        if output is not None:
            both = (first, second) if second is not None and first.is_file() and second.is_file() else None
            pages.compare_report(found, output, both)
        if json:
            for line in remark_lines(found.remarks):  # the list of ratios has no place for them
                typer.echo(line, err=True)
            print_json(found.to_dict()["ratios"])
            return
        show(found, json, written=output)


@contextmanager
def workers_of(jobs: int, scheduler: str | None, slurm: str | None, return_results: bool) -> Iterator[Any]:
    """Workers of a cluster, or None for this machine."""
    if (scheduler or slurm) and jobs > 1:
        raise fail("--jobs is for this machine; a cluster has as many workers as it has")
    if scheduler and slurm:
        raise fail("give --scheduler or --slurm, not both")
    if return_results and not (scheduler or slurm):
        raise fail("--return-results goes with --scheduler or --slurm")
    if not (scheduler or slurm):
        yield None
        return
    with connect(scheduler, return_results) if scheduler else slurm_cluster(slurm or "", return_results) as workers:
        yield workers


def _failure(finished: int, of: int, failed: int, line: Line) -> None:
    """One line on the error stream for a run that failed, at once."""
    if line["status"] != "done":
        sys.stderr.write(f"{line['id']} failed: {line['error']}\n")
