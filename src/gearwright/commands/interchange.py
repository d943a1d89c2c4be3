"""``gearwright inspect``: what a file of another program holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

import gearwright as gw
from gearwright.console import Json, mendable, print_json, say, say_remarks, show, writes
from gearwright.interchange.rexs import write_rexs_drivetrain
from gearwright.remarks import assumed
from gearwright.running.recorded import Reading, mapping_of, with_loads
from gearwright.schema.read import from_mapping
from gearwright.units import in_si


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(inspect)
    app.command()(export)
    app.command()(rexs)


def inspect(
    file: Annotated[
        Path, typer.Argument(help="A result, wind or input file of another program, or a result of this one.")
    ],
    channel: Annotated[list[str] | None, typer.Option(help="Take only this channel; may be repeated.")] = None,
    time_column: Annotated[
        str | None, typer.Option(help="Time column of a table. Without it: the one called time.")
    ] = None,
    rate: Annotated[
        str | None, typer.Option(help="Samples per second of a table without a time column, such as '50 Hz'.")
    ] = None,
    sensor_file: Annotated[
        Path | None, typer.Option(help="The list of sensors of FLEX5. Without it: the file sensor beside.")
    ] = None,
    points: Annotated[str | None, typer.Option(help="Points of a Mann box in x, y, z, such as 1024x32x32.")] = None,
    spacing: Annotated[str | None, typer.Option(help="Distances in a Mann box in x, y, z in m, such as 2x5x5.")] = None,
    json: Json = False,
) -> None:
    """Show what a file holds: channels with units, mean, standard deviation and extremes; sampling and format."""
    with mendable():
        found = gw.inspect(
            file,
            channel,
            time_column=_clock(time_column, rate),
            sensor_file=sensor_file,
            points=_three(points, "--points", int),
            spacing=_three(spacing, "--spacing", float),
        )
        show(found, json)


def _clock(time_column: str | None, rate: str | None) -> str | None:
    """The name of a time column, or the rate where there is none."""
    if rate is None:
        return time_column
    if time_column is not None:
        raise gw.ReadError("a table has a time column or a rate: --time-column and --rate exclude each other", rate)
    if not re.fullmatch(r"\s*\d+\.?\d*([eE][+-]?\d+)?\s*(k?Hz|1/s)\s*", rate):
        raise gw.ReadError("--rate is samples per second, such as 50 Hz or 20 kHz", rate)
    return rate


def _three(text: str | None, option: str, kind: Any) -> list[Any] | None:
    """Three numbers parted by x or commas."""
    if text is None:
        return None

    try:
        found = [kind(word) for word in text.replace(",", "x").split("x")]
    except ValueError:
        found = []
    if len(found) != 3:
        raise gw.ReadError(f"{option} is three numbers, such as 1024x32x32", text)
    return found


@dataclass(frozen=True)
class RecordOptions:
    """How a record is read, in the words of the options of ``--loads``."""

    mapping: Path | None = None
    pairs: Sequence[str] = ()
    drive: str | None = None
    recorded_ratio: float | None = None
    gaps: str | None = None
    rate: str | None = None
    gage: str | None = None

    def reading(self) -> Reading:
        """As the run takes them. Raises DrivetrainError and ReadError."""
        entries, time_column = mapping_of(self.mapping, self.pairs)
        gage = None if self.gage is None else in_si(self.gage, "length", "--gage")
        return Reading(
            entries,
            _clock(time_column, self.rate),
            self.gaps or "refuse",
            self.drive or "speed",
            self.recorded_ratio,
            gage,
        )


def recorded_run(
    file: str,
    case: str | None,
    loads: Path | None,
    how: RecordOptions,
    fidelity: str | None,
    law: str | None,
    duration: float | None,
    overrides: Sequence[str],
) -> Any:
    """The drivetrain of ``run --loads``, with its case; raises DrivetrainError for options without ``--loads``."""
    if loads is None:
        raise gw.DrivetrainError(
            "--mapping, --map, --drive, --recorded-ratio, --gaps, --rate and --gage belong to --loads FILE"
        )
    if loads.is_dir():
        raise gw.DrivetrainError(
            f"{loads} is a folder: its runs are a campaign, gearwright campaign {file} --loads {loads}"
        )
    return with_loads(
        gw.load(file, overrides, case),
        loads,
        case,
        fidelity=fidelity,
        law=law,
        duration=duration,
        **vars(how.reading()),
    )


def export(
    file: Annotated[Path, typer.Argument(help="A result of this program (.nc), or any series that inspect reads.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Write the file here (.outb, .csv, .mat, .parquet or .nc).")
    ],
    channel: Annotated[list[str] | None, typer.Option(help="Take only this channel; may be repeated.")] = None,
    table_: Annotated[
        str,
        typer.Option(
            "--table",
            help="What to write: series, del (equivalent ranges), rainflow or markov (counts of one channel).",
        ),
    ] = "series",
    start: Annotated[float | None, typer.Option("--from", help="Leave out what is before this time, in s.")] = None,
    end: Annotated[float | None, typer.Option("--to", help="Leave out what is after this time, in s.")] = None,
    exponent: Annotated[
        list[float] | None,
        typer.Option(
            help="Slope of an S-N line for del; may be repeated. Without it: those of the run, else 3, 4, 6, 9 and 10."
        ),
    ] = None,
    bins: Annotated[
        int | None, typer.Option(help="Number of bins for rainflow and markov. Without it: those of the run, else 64.")
    ] = None,
    double: Annotated[
        bool, typer.Option("--double", help="Write .outb with float64 instead of int16; names have ten letters then.")
    ] = False,
    time_column: Annotated[
        str | None, typer.Option(help="Time column of a table. Without it: the one called time.")
    ] = None,
    rate: Annotated[
        str | None, typer.Option(help="Samples per second of a table without a time column, such as '50 Hz'.")
    ] = None,
    json: Json = False,
) -> None:
    """Write series, rainflow counts or equivalent loads for other programs."""
    with mendable():
        show(
            gw.export(
                file,
                output,
                channel,
                table=table_,
                start=start,
                end=end,
                exponents=exponent,
                bins=bins,
                double=double,
                time_column=_clock(time_column, rate),
            ),
            json,
        )


def rexs(
    file: Annotated[
        Path,
        typer.Argument(help="A gearbox model in REXS (.rexs, .rexsj, .rexsz) with cylindrical and planetary stages."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", callback=writes(".yaml", ".yml"), help="Write the drivetrain file here (.yaml)."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Make a drivetrain file from a gearbox model in REXS, the exchange format of the FVA."""
    with mendable():
        target = output or Path(f"{file.stem}.yaml")
        data = write_rexs_drivetrain(file, target)
        if json:
            print_json({"output": target, **data})
            return
        made = from_mapping(data)
        roles = ("wheel", "pinion", "sun", "planet", "ring")
        members = [[str(getattr(s, role).teeth) for role in roles if hasattr(s, role)] for s in made.stages]
        teeth = "; ".join(f"{s.name} {'/'.join(each)}" for s, each in zip(made.stages, members, strict=True))
        say(f"{target}: {len(made.stages)} stages ({teeth}), {len(made.shafts)} shafts between gears")
        say_remarks([*map(assumed, made.assumed), *made.not_claimed])
