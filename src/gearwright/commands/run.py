"""``gearwright run``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import gearwright as gw
from gearwright.console import (
    Duration,
    Fidelity,
    File,
    Json,
    Law,
    Set,
    mendable,
    number,
    print_figures,
    say,
    say_remarks,
    table,
    times_real_time,
    writes,
)
from gearwright.remarks import remarks_in, sorted_remarks
from gearwright.results.store import Summary
from gearwright.running.model import MechanismFigures
from gearwright.running.run import default_name

if TYPE_CHECKING:
    from gearwright.running.model import Run


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(run)


def run(file: File, case: Annotated[str | None, typer.Option(help="Load case of the file. Without it: the first.")] = None,
        output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".nc"), help="Write the result here (.nc).")] = None,
        duration: Duration = None,
        method: Annotated[str | None, typer.Option(help="How to integrate: exact, explicit or exponential. Without it: chosen for the model.")] = None,
        tolerance: Annotated[float | None, typer.Option(help="Relative tolerance on loads, such as 1e-6.")] = None,
        loads: Annotated[Path | None, typer.Option(help="A recorded run of another program drives the train.")] = None,
        mapping: Annotated[Path | None, typer.Option(help="With --loads: a file (.yaml) that names the channels.")] = None,
        map_: Annotated[list[str] | None, typer.Option("--map", help="With --loads: the channel of a quantity; may be repeated.")] = None,
        drive: Annotated[str | None, typer.Option(help="With --loads: what drives the input, speed or torque. Without it: speed.")] = None,
        recorded_ratio: Annotated[float | None, typer.Option(help="With --loads: the gear ratio of the recorded train.")] = None,
        gaps: Annotated[str | None, typer.Option(help="With --loads: what missing samples do, refuse or bridge. Without it: refuse.")] = None,
        rate: Annotated[str | None, typer.Option(help="With --loads: samples per second of a record without a time, such as '50 Hz'.")] = None,
        gage: Annotated[str | None, typer.Option(help="With --loads: how far the shaft's strain gages lie behind the rotor's apex, such as '1.912 m'.")] = None,
        fidelity: Fidelity = None, law: Law = None,
        allow_code: Annotated[bool, typer.Option("--allow-code", help="Allow the run to import your own law (module:name): its code runs as yours.")] = False,
        set_: Set = None, json: Json = False) -> None:  # fmt: skip
    """Run one load case in the time domain and write a result file."""
    with mendable():
        record, drivetrain = None, None
        how = (mapping, tuple(map_ or ()), drive, recorded_ratio, gaps, rate, gage)
        if loads is not None or any(how):
            from gearwright.commands.interchange import RecordOptions, recorded_run

            record = recorded_run(file, case, loads, RecordOptions(*how), fidelity, law, duration, set_ or ())
            drivetrain, case = record.drivetrain, record.case
        else:
            drivetrain = gw.load(file, set_ or (), case)
        done = gw.simulate(
            drivetrain,
            case,
            fidelity=fidelity,
            law=law,
            duration=duration,
            method=method,
            tolerance=tolerance,
            output=output or default_name(drivetrain, case),
            allow_code=allow_code,
        )
        _report_run(done, json, record)


def _report_run(done: Run, json: bool, record: Any = None) -> None:
    """Print what a run gave; ``record``: the recorded loads that drove it."""
    data = done.to_dict()
    said = [*(record.notes if record is not None else ()), *remarks_in(data)]
    if record is not None:
        data["recorded_channels"] = record.channels
    if json:
        print_figures({**data, **sorted_remarks(said)})
        return
    if done.mechanism is not None:
        _reactions(done.mechanism)
        say_remarks(said)
        say(f"result: {done.result_file}")
        return
    _loads_table(done.channels)
    say(
        f"{done.duration_s:g} s in {done.wall_s:.2f} s ({times_real_time(done.real_time_factor)}), "
        f"method {done.method}: {done.reason}"
    )
    if done.compile_s > 0.05:
        say(f"machine code for this model took {done.compile_s:.1f} s beside that; it is kept for the next run")
    say(f"energy error {done.energy_error:.1e}")
    for line in done.sharing_lines():
        say(line)
    if "recorded_torque_correlation" in data:
        say(
            f"shaft torque against the record: correlation {data['recorded_torque_correlation']:.4f}, standard "
            f"deviation {data['computed_torque_std'] / 1e3:.1f} against {data['recorded_torque_std'] / 1e3:.1f} kN m"
        )
    if record is not None:
        say("driven by: " + ", ".join(f"{quantity} = {channel}" for quantity, channel in record.channels.items()))
    say_remarks(said)
    say(f"result: {done.result_file}")


def _reactions(found: MechanismFigures) -> None:
    """What a mechanism gave: reactions at the end, errors of its rows."""
    rows = []
    for joint, parts in found.reactions_end.items():
        for body, part in parts.items():
            if hasattr(part, "normal"):  # forces of the teeth of a gear
                rows.append([f"{joint}, teeth", *(f"{k} {number(v)}" for k, v in vars(part).items()), "", ""])
            else:
                both = (*part.force, *part.moment)  # type: ignore[union-attr]  # no forces of teeth, which have a name of their own
                rows.append([f"{joint} on {body}", *(number(x) for x in both)])
    table(
        "Reactions at the end, global axes, N and N m about the mass centre",
        ["joint", "Fx", "Fy", "Fz", "Mx", "My", "Mz"],
        rows,
    )
    error = found.constraint_error
    say(
        f"{found.degrees_of_freedom} degrees of freedom, {found.rows} rows of rank {found.rank}; largest "
        f"error of a row {error.position:.1e} m, {error.velocity:.1e} m/s"
    )
    say(f"{found.duration_s:g} s in {found.wall_s:.2f} s ({times_real_time(found.real_time_factor)})")
    say(f"energy error {found.energy_error:.1e}")


#: quantities of the table on screen
LOADS = (
    "torque_first",
    "torque_second",
    "contact_pressure",
    "axial_force",
    "force",
    "torque",
    "power",
    "moment_x",
)


def _loads_table(channels: Mapping[str, Summary]) -> None:
    """Loads on screen: kN and kN m, the largest of each kind in bold."""
    scale = {"N": ("kN", 1e-3), "N m": ("kN m", 1e-3), "W": ("kW", 1e-3), "Pa": ("MPa", 1e-6)}
    rows, size = [], []
    largest = {
        c["unit"]: max(max(abs(x["min"]), abs(x["max"])) for x in channels.values() if x["unit"] == c["unit"])
        for c in channels.values()
    }
    for name, c in channels.items():
        if max(abs(c["min"]), abs(c["max"])) < 1e-9 * largest[c["unit"]]:
            continue  # nothing but round-off: members whose mesh forces balance
        quantity = name.rsplit(".", 1)[-1]
        if quantity not in LOADS:
            continue
        unit, factor = scale.get(c["unit"], (c["unit"], 1.0))
        least = 1e-9 * max(abs(c["min"]), abs(c["max"]))  # below it is round-off
        values = (x if abs(x) > least else 0.0 for x in (c["mean"], c["std"], c["min"], c["max"]))
        rows.append([name, unit, *(number(factor * value) for value in values)])
        tooth = quantity == "force" and f"{name.rpartition('.')[0]}.deflection" in channels
        size.append(abs(c["max"]) if tooth else 0.0)
    if rows:
        table(
            "Loads", ["channel", "unit", "mean", "std", "min", "max"], rows, max(range(len(size)), key=size.__getitem__)
        )
