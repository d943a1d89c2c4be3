"""``gearwright loads-from`` and ``gearwright fleet``: loads of gearboxes from the signals of their generators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

import gearwright as gw
from gearwright import fleets, pages
from gearwright.console import Fidelity, Json, Set, fail, mendable, show, writes, writes_folder

from .campaigns import workers_of


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("loads-from")(loads_from)
    app.command()(fleet)
    app.command()(surrogate)


def loads_from(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="A table (.csv) with the columns time, generator_speed and generator_torque, a result (.nc), or a file that 'inspect' reads.",
        ),
    ],
    file: Annotated[
        str,
        typer.Argument(metavar="DRIVETRAIN", help="A drivetrain file (.yaml), or the name of a shipped example."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", callback=writes(".nc"), help="Write the loads as a result file (.nc)."),
    ] = None,
    efficiency: Annotated[
        float | None,
        typer.Option(help="Efficiency of the generator, needed where there is power and no torque, such as 0.944."),
    ] = None,
    corner: Annotated[
        str | None,
        typer.Option(
            help="Frequency up to which the signals are used, such as '5 Hz'. Without it: 20 Hz, less for a noisy speed."
        ),
    ] = None,
    observer: Annotated[
        Literal["fir", "kalman"],
        typer.Option(
            metavar="NAME",
            help="How the slope of speed is seen: 'fir', a centred filter, or 'kalman', two masses, for a coarse torque.",
        ),
    ] = "fir",
    map_: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="QUANTITY=COLUMN|FILE",
            help="Which column is time, generator_speed, generator_torque, power or brake; may be repeated. Or a mapping file (.yaml) with "
            "columns, units and a time zone.",
        ),
    ] = None,
    fidelity: Fidelity = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Find the loads of every mesh, bearing and shaft from recorded speed and torque of the generator, 10 to 50 rows a second."""
    with mendable():
        if map_ and len(map_) == 1 and "=" not in map_[0]:
            mapping: Any = map_[0]
        else:
            mapping = _pairs(map_ or ())
        found = gw.loads_from(
            data,
            file,
            output,
            efficiency=efficiency,
            corner=corner,
            observer=observer,
            mapping=mapping or None,
            fidelity=fidelity,
            overrides=set_ or (),
        )
        show(found, json, *([] if output is None else [f"books: {output}"]))


def _pairs(given: Sequence[str]) -> dict[str, str]:
    """Columns by quantity."""
    pairs = [pair.partition("=") for pair in given]
    for name, sign, column in pairs:
        if not (sign and name.strip() and column.strip()):
            raise fail(
                f"--map {name}{sign}{column}: is neither QUANTITY=COLUMN, such as generator_speed=Omega, nor one mapping file (.yaml)"
            )
    return {name.strip(): column.strip() for name, _, column in pairs}


def fleet(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="A folder, a pattern or a file: tables (.csv, .csv.gz, .parquet) of one turbine each, or with a column turbine.",
        ),
    ],
    turbines: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="Table (.csv) of the gearboxes: turbine, drivetrain or rated_power, efficiency, from."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            callback=writes_folder,
            help="Folder of the fleet; gone on with where it is there.",
        ),
    ],
    map_: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="Mapping file (.yaml) of the columns.")
    ] = None,
    failures: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table (.csv) of what failed or was replaced: turbine, date, part, failed."),
    ] = None,
    ratings: Annotated[
        str | None,
        typer.Option(help="File or example whose section 'life' rates the parts, instead of each drivetrain's."),
    ] = None,
    load_error: Annotated[
        float,
        typer.Option(metavar="NUMBER", help="Coefficient of variation of an error common to all loads of a gearbox."),
    ] = 0.05,
    prior: Annotated[
        float,
        typer.Option(metavar="NUMBER", help="Coefficient of variation of the rate of failures before anything failed."),
    ] = 1.0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Work on so many turbines at a time on this machine.")
    ] = 1,
    scheduler: Annotated[str | None, typer.Option(help="Work on a Dask cluster: 'tcp://HOST:PORT'.")] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on as files grow or come, until it is interrupted.")
    ] = False,
    json: Json = False,
) -> None:
    """Rank the gearboxes of a fleet by what its operating data did to them: pages, books, remaining life. Only what is new in the files is read."""
    with mendable():
        if scheduler is not None and jobs > 1:
            raise fail("--jobs is for this machine; a cluster has as many workers as it has")
        how: Any = {
            "mapping": map_,
            "failures": failures,
            "ratings": ratings,
            "load_error": load_error,
            "prior": prior,
            "jobs": jobs,
            "scheduler": scheduler,
        }
        for found in (
            fleets.follow(data, turbines, output, **how) if follow else [gw.fleet(data, turbines, output, **how)]
        ):
            page = pages.fleet_report(found, output)[0]
            show(found, json, f"pages: {page}", report=str(page))


def surrogate(
    setup: Annotated[
        str, typer.Argument(metavar="SETUP", help="A set-up with a turbine: a file (.yaml), or a shipped example.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            callback=writes(".csv"),
            help="Write the surrogate (.csv): the table of its runs, with its card.",
        ),
    ],
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder of the campaign, gone on with where it is there. Without it: beside the output."
        ),
    ] = None,
    events: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Run its events too and write what each does (.csv), to lie beside as NAME-events.csv."
        ),
    ] = None,
    runs: Annotated[int, typer.Option(min=24, help="Runs of the campaign.")] = 192,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Work on so many runs at a time on this machine.")
    ] = 1,
    scheduler: Annotated[str | None, typer.Option(help="Work on a Dask cluster: 'tcp://HOST:PORT'.")] = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Learn what slow data lack: run the campaign 'fleet' of a set-up and keep what corrects rows of 1 s and of ten minutes."""
    with mendable(), workers_of(jobs, scheduler, None, False) as workers:
        found = gw.surrogate(
            setup, output, folder=folder, runs=runs, jobs=jobs, workers=workers, events=events, overrides=set_ or ()
        )
        show(found, json, f"surrogate: {output}")
