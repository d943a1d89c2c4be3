"""``gearwright describe``, ``gearwright modes``, ``gearwright powerflow`` and ``gearwright schema``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import gearwright as gw
from gearwright import pages
from gearwright.analyses.modes import ModalAnalysis
from gearwright.console import Fidelity, File, Json, Law, Set, fail, mendable, print_json, show, writes


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(describe)
    app.command()(modes)
    app.command()(powerflow)
    app.command()(schema)


def describe(file: File, json: Json = False, set_: Set = None, fidelity: Fidelity = None) -> None:
    """Say what was read and what was derived: bodies, elements, ratios, speeds, mesh frequencies, warnings."""
    with mendable():
        show(gw.describe(file, fidelity, overrides=set_ or ()), json)


def modes(file: File, json: Json = False, set_: Set = None, fidelity: Fidelity = None, law: Law = None,
          case: Annotated[str | None, typer.Option(help="Take the model as this case has it.")] = None,
          speed: Annotated[str | None, typer.Option(help="Speed of the input, for gyroscopic terms: '12 rpm'.")] = None,
          mac: Annotated[str | None, typer.Option(metavar="FILE2", help="Compare the mode shapes with those of another model.")] = None,
          sensitivity: Annotated[bool, typer.Option("--sensitivity", help="Show how frequencies, damping and static loads change with the numbers of the file.")] = False,
          of: Annotated[list[str] | None, typer.Option(help="With --sensitivity: only these numbers, by path, group or pattern ('shafts.*'); may be repeated.")] = None,
          shaking: Annotated[str | None, typer.Option(help="With --sensitivity: also equivalent loads under a random torque, 'BODY: DEVIATION, CORNER' such as 'rotor: 300 kN m, 0.3 Hz'.")] = None,
          output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the Campbell diagram, or the sensitivities, as a page (.html).")] = None) -> None:  # fmt: skip
    """Find natural frequencies, damping, kinds and energies of the modes, and crossings of the Campbell diagram."""
    if not sensitivity and (of or shaking):
        raise fail("--of and --shaking go with --sensitivity")
    if sensitivity and (speed is not None or case is not None or mac is not None):
        raise fail("--sensitivity is of the file at rest: it goes with neither --speed, --case nor --mac")
    with mendable():
        if sensitivity:
            changes = gw.sensitivity(file, of or (), fidelity=fidelity, law=law, shaking=shaking, overrides=set_ or ())
            if output is not None:
                pages.write_sensitivity_page(changes, output)
            show(changes, json, written=output)
            return
        found = gw.modes(file, fidelity=fidelity, law=law, speed=speed, case=case, mac=mac, overrides=set_ or ())
        if output is not None:
            if not isinstance(found, ModalAnalysis):
                raise gw.DrivetrainError("--output means nothing to fidelity multibody")

            pages.write_campbell_page(found, output)
        show(found, json, written=output)


def powerflow(file: File, case: Annotated[str | None, typer.Option(help="Case whose settings hold, such as the gear it engages.")] = None,
              cases: Annotated[bool, typer.Option("--cases", help="Show every case that sets something, one line each.")] = False,
              speeds: Annotated[str | None, typer.Option(help="Show the efficiency over these input speeds: '10 rpm, 20 rpm' or '10 rpm to 90 rpm in 9'.")] = None,
              torques: Annotated[str | None, typer.Option(help="Show the efficiency over these input torques: '10 N m, 20 N m'.")] = None,
              output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the picture (power flow, or efficiency map) and tables as a page (.html).")] = None,
              set_: Set = None, json: Json = False) -> None:  # fmt: skip
    """Show steady speeds, torques, powers and losses of the rigid train at its operating point."""
    with mendable():
        found: Any
        if speeds is not None or torques is not None:
            found = gw.efficiency_map(file, speeds, torques, case, overrides=set_ or ())
            if output is not None:
                pages.write_efficiency_page(found, output)
        elif cases:
            found = gw.power_flows(file, overrides=set_ or ())
            if output is not None:
                pages.write_power_page(found.flows, output)
            if json:
                print_json(found.to_dict()["flows"])
                return
        else:
            found = gw.power_flow(file, case, overrides=set_ or ())
            if output is not None:
                pages.write_power_page([found], output)
        show(found, json, written=output)


def schema() -> None:
    """Print the JSON Schema of a drivetrain file, for editors."""

    print_json(gw.json_schema())
