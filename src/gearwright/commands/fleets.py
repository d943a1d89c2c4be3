"""``gearwright loads-from``: loads of a gearbox from the signals of its generator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from gearwright.console import Fidelity, Json, Set, fail, mendable, show, writes


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("loads-from")(loads_from)


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
        from gearwright.fleets.loads_from import loads_from as found_from

        if map_ and len(map_) == 1 and "=" not in map_[0]:
            mapping: Any = map_[0]
        else:
            mapping = _pairs(map_ or ())
        found = found_from(
            data,
            file,
            output,
            efficiency=efficiency,
            corner=corner,
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
