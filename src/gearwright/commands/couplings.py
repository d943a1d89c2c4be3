"""``gearwright fmu``, ``gearwright couple``: a drivetrain inside other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gearwright.console import Fidelity, File, Json, Law, Set, mendable, print_json, table

fmu_app = typer.Typer(no_args_is_help=True, help="Functional mock-up units: export a drivetrain, look into one.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(fmu_app, name="fmu")


@fmu_app.command("export")
def fmu_export(
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write, .fmu.")],
    fmi: Annotated[str, typer.Option(help="Version: 2.0 or 3.0.")] = "2.0",
    fidelity: Fidelity = None, law: Law = None,
    rotor: Annotated[str, typer.Option(help="What comes in at the rotor: torque or speed.")] = "torque",
    step: Annotated[float, typer.Option(help="Communication step that the description proposes [s].")] = 0.01,
    tolerance: Annotated[float, typer.Option(help="Of the engine; springs alone are exact.")] = 1e-6,
    out: Annotated[list[str] | None, typer.Option(help="Outputs: element.quantity or a kind; default: all.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Validate, run under fmpy, compare with the native run.")] = False,
    set_: Set = None, json: Json = False,
) -> None:  # fmt: skip
    """Write a drivetrain as a co-simulation FMU that runs without Python."""
    with mendable():
        from gearwright.couplings.fmu import export_fmu

        made = export_fmu(file, output, version=fmi, fidelity=fidelity, law=law, rotor=rotor, step=step,
                          tolerance=tolerance, outputs=out or (), overrides=set_ or ())  # fmt: skip
        data = made.to_dict()
        if check:
            from gearwright.couplings.fmu_check import check_fmu

            data["check"] = check_fmu(output, file, fidelity=fidelity, law=law, rotor=rotor, step=step,
                                      tolerance=tolerance, overrides=set_ or ())  # fmt: skip
        if json:
            print_json(data)
            return
        typer.echo(f"wrote {made.path}: FMI {made.version} for co-simulation, inputs {', '.join(made.inputs)}, "
                   f"{len(made.parameters)} parameters, {len(made.outputs)} outputs"
                   + ("; steps are exact" if made.exact else ""))  # fmt: skip
        if check:
            found = data["check"]
            for problem in found["problems"]:
                typer.echo(f"problem: {problem}")
            rows = [[kind, f"{d['difference']:.1e}", d["channel"]] for kind, d in found["by_kind"].items()]
            table(f"Differences from the native run ({found['native_method']})",
                  ["kind", "relative", "channel"], rows)  # fmt: skip


@fmu_app.command("show")
def fmu_show(
    file: Annotated[Path, typer.Argument(help="An FMU.")],
    json: Json = False,
) -> None:
    """Inputs, outputs and parameters of an FMU; its archive is checked and unpacked safely, its code is not run."""
    with mendable():
        from gearwright.couplings.fmu_show import show_fmu

        data = show_fmu(file)
        if json:
            print_json(data)
            return
        typer.echo(f"{data['name']}: FMI {data['fmi_version']}, made by {data['tool'] or 'an unnamed tool'}; "
                   f"co-simulation {'yes' if data['co_simulation'] else 'no'}; binaries {', '.join(data['binaries']) or 'none'}")  # fmt: skip
        rows = [[v["name"], v["causality"], v["unit"], "" if v["start"] is None else str(v["start"])]
                for v in data["variables"] if v["causality"] in ("input", "output", "parameter")]  # fmt: skip
        table(f"{len(rows)} variables", ["name", "causality", "unit", "start"], rows)
