"""``gearwright campaign`` and ``gearwright study``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from gearwright.console import (
    Duration,
    Fidelity,
    Json,
    Law,
    Set,
    fail,
    mendable,
    number,
    print_figures,
    print_json,
    say,
    say_remarks,
    table,
    times_real_time,
    writes,
    writes_folder,
)
from gearwright.remarks import remark_lines, sorted_remarks

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
    duration: Duration = None, fidelity: Fidelity = None, law: Law = None, set_: Set = None, json: Json = False,
) -> None:  # fmt: skip
    """Run many load cases: one result file and one table row per case. After an interruption the same command goes on."""
    with mendable():
        from gearwright.campaigns import Options, campaign_plan

        plan = campaign_plan(file, campaign, setup=setup, overrides=set_ or (), only=only or (),
                             options=Options(fidelity=fidelity, law=law, duration=duration))  # fmt: skip
        data = _run(plan, output or Path(plan.name), jobs, scheduler, slurm, return_results, json, wait)
        if json:
            print_figures(data)
        else:
            _extremes_table(data)
            _closing(data)
        if data["failed"]:
            raise typer.Exit(3)


def study(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A study file (drivetrain, case, what varies, outputs), or the name of a shipped one.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", callback=writes_folder, help="Folder to write to. Without it: the study's name.")] = None,
    jobs: Jobs = 1, scheduler: Scheduler = None, slurm: Slurm = None, return_results: Return = False, wait: Wait = False,
    duration: Duration = None, fidelity: Fidelity = None, law: Law = None, set_: Set = None, json: Json = False,
) -> None:  # fmt: skip
    """Run a case over chosen or drawn values of its file: one table, sensitivities, a page with plots."""
    with mendable():
        from gearwright.campaigns import Options, effects, read_table, study_plan
        from gearwright.pages.study_page import study_report

        plan = study_plan(file, overrides=set_ or (), options=Options(fidelity=fidelity, law=law, duration=duration))
        data = _run(plan, output or Path(plan.name), jobs, scheduler, slurm, return_results, json, wait)
        data.pop("extremes")
        data.pop("partial_factor")
        folder = Path(data["folder"])
        columns = read_table(folder)
        data["effects"] = [vars(effect) for effect in effects(plan, columns)] if columns["id"] else []
        data["report"] = str(study_report(folder, folder / "report.html"))
        if json:
            print_figures(data)
        else:
            rows = [[e["output"], e["path"], number(e["rank_correlation"], 2), *(_share(e, k) for k in ("first", "total"))]
                    for e in data["effects"]]  # fmt: skip
            table(f"Effects in {data['name']}, Sobol indices with 90 % intervals",
                  ["output", "value", "rank correlation", "first order", "total"], rows)  # fmt: skip
            _closing(data)
            say(f"report: {data['report']}")
        if data["failed"]:
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
        from gearwright.campaigns.comparison import compare as make
        from gearwright.campaigns.comparison import doubts
        from gearwright.pages.compare_page import compare_report
        from gearwright.units import DIMENSIONS, UnitError, to_si

        try:
            length = None if arm is None else to_si(arm, DIMENSIONS["length"])
        except UnitError as error:
            raise fail(f"--arm {arm}: {error}{error.hint}") from None
        a, b, ratios = make(first, second, channel or (), against=against, arm=length)
        if output is not None:
            both = (first, second) if second is not None and first.is_file() and second.is_file() else None
            compare_report(a, b, ratios, output, both)
        if json:
            for line in remark_lines(doubts(a, b)):  # the list of ratios has no place for them
                typer.echo(line, err=True)
            print_json([{**vars(r), "ratio": r.ratio} for r in ratios])
            return
        rows: dict[tuple[str, str], dict[str, float]] = {}
        for r in ratios:
            group = ", ".join(str(v) for v in r.group.values())
            rows.setdefault((r.second_channel, group), {})[r.figure] = r.ratio
        heads = list(dict.fromkeys(r.figure for r in ratios))
        title = f"{b.name} over {a.name}" if against is None else f"{b.name}: channels over {against} of {a.name}"
        table(title, ["channel", "group", *heads],
              [[name, group, *(number(values.get(h), 4) for h in heads)] for (name, group), values in rows.items()])  # fmt: skip
        say_remarks(doubts(a, b))
        if output is not None:
            say(f"page: {output}")


def _run(plan: Any, folder: Path, jobs: int, scheduler: str | None, slurm: str | None, return_results: bool,
         quiet: bool, wait: bool) -> dict[str, Any]:  # fmt: skip
    from gearwright.campaigns import Folder, extremes, run_campaign

    if (scheduler or slurm) and jobs > 1:
        raise fail("--jobs is for this machine; a cluster has as many workers as it has")
    if scheduler and slurm:
        raise fail("give --scheduler or --slurm, not both")
    if return_results and not (scheduler or slurm):
        raise fail("--return-results goes with --scheduler or --slurm")
    with _workers(scheduler, slurm, return_results) as workers:
        outcome = run_campaign(
            plan, folder, jobs=jobs, workers=workers, progress=None if quiet else _failure, wait=wait
        )
    return {
        "name": outcome.name, "folder": str(outcome.folder), "cases": outcome.cases, "done": outcome.done,
        "computed": outcome.computed, "failed": outcome.failed, "simulated_s": outcome.simulated_s,
        "wall_s": outcome.wall_s, "real_time_factor": outcome.real_time_factor, "table": str(outcome.table),
        "partial_factor": plan.partial_factor, "extremes": extremes(Folder(folder), plan),
        **sorted_remarks(Folder(folder).remarks(plan)),
    }  # fmt: skip


@contextmanager
def _workers(scheduler: str | None, slurm: str | None, return_results: bool) -> Iterator[Any]:
    if not (scheduler or slurm):
        yield None
        return
    from gearwright.campaigns.dask_workers import connect, slurm_cluster

    with connect(scheduler, return_results) if scheduler else slurm_cluster(slurm or "", return_results) as workers:
        yield workers


def _failure(finished: int, of: int, failed: int, line: dict[str, Any]) -> None:
    """One line on the error stream for a run that failed, at once."""
    if line["status"] != "done":
        sys.stderr.write(f"{line['id']} failed: {line['error']}\n")


def _share(effect: dict[str, Any], key: str) -> str:
    """A Sobol index and its interval, which says how many of its digits mean anything."""
    if effect[key] is None:
        return ""
    low, high = effect[f"{key}_interval"]
    return f"{effect[key]:.2f} ({low:.2f} to {high:.2f})"


def _extremes_table(data: dict[str, Any]) -> None:
    """The largest design loads: forces and torques, one row per channel, the group that governs."""
    scale = {"N": ("kN", 1e-3), "N m": ("kN m", 1e-3)}
    governing: dict[str, dict[str, Any]] = {}
    for row in data["extremes"]:
        if row["unit"] in scale and (row["channel"] not in governing
                                     or row["design"] > governing[row["channel"]]["design"]):  # fmt: skip
            governing[row["channel"]] = row
    rows = []
    for name, row in governing.items():
        unit, factor = scale[row["unit"]]
        where = ", ".join(str(v) for v in row["group"].values())
        rows.append(
            [name, unit, *(number(factor * row[k]) for k in ("mean", "min", "max", "mean_of_max", "design")), where]
        )
    if rows:
        head = ["channel", "unit", "mean", "min", "max", "mean of max", "design", "at"]
        table(f"Extreme loads of {data['name']} (partial factor {data['partial_factor']:g})", head, rows)


def _closing(data: dict[str, Any]) -> None:
    say_remarks(data)
    failed = f", {len(data['failed'])} failed (see {data['folder']}/failed)" if data["failed"] else ""
    kept = data["done"] - data["computed"]
    before = f", {kept} of them before" if kept else ""
    say(f"{data['done']} of {data['cases']} runs done{before}{failed}")
    if data["computed"]:
        say(f"{data['simulated_s']:g} s simulated in {data['wall_s']:.1f} s "
                   f"({times_real_time(data['real_time_factor'])})")  # fmt: skip
    say(f"table: {data['table']}")
