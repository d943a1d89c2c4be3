"""``gearwright describe``, ``gearwright modes``, ``gearwright powerflow`` and ``gearwright schema``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gearwright.console import (
    Fidelity,
    File,
    Json,
    Law,
    Set,
    mendable,
    number,
    print_figures,
    print_json,
    say,
    say_remarks,
    table,
    writes,
)
from gearwright.remarks import with_lists


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(describe)
    app.command()(modes)
    app.command()(powerflow)
    app.command()(schema)


def describe(file: File, json: Json = False, set_: Set = None, fidelity: Fidelity = None) -> None:
    """Say what was read and what was derived: bodies, elements, ratios, speeds, mesh frequencies, warnings."""
    with mendable():
        from gearwright.analyses.model import describe_file

        data, lines = describe_file(file, set_ or (), fidelity)
        if json:
            print_figures(data)
        else:
            say("\n".join(lines))


def modes(file: File, json: Json = False, set_: Set = None, fidelity: Fidelity = None, law: Law = None,
          case: Annotated[str | None, typer.Option(help="Take the model as this case has it.")] = None,
          speed: Annotated[str | None, typer.Option(help="Speed of the input, for gyroscopic terms: '12 rpm'.")] = None,
          mac: Annotated[str | None, typer.Option(metavar="FILE2", help="Compare the mode shapes with those of another model.")] = None,
          output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the Campbell diagram as a page (.html).")] = None) -> None:  # fmt: skip
    """Find natural frequencies, damping, kinds and energies of the modes, and crossings of the Campbell diagram."""
    with mendable():
        from gearwright.analyses.mechanism import mechanism_modes
        from gearwright.analyses.model import modes_of_file
        from gearwright.running.mechanism import is_mechanism

        if is_mechanism(file, set_ or (), fidelity):
            from gearwright.commands.mechanism import refuse

            refuse({"--speed": speed, "--mac": mac, "--output": output})
            data = mechanism_modes(file, set_ or (), case, law)
        else:
            data = modes_of_file(file, set_ or (), fidelity, law, case, speed, mac)
        if output is not None:
            from gearwright.pages.campbell_page import write_campbell

            write_campbell(data, output)
        if json:
            print_figures(data)
            return
        rows = []
        for i, f in enumerate(data["frequencies_hz"]):
            share = sorted(data["energies"][i].items(), key=lambda item: -item[1])[:2]
            where = ", ".join(f"{name} {100 * value:.0f} %" for name, value in share)
            zeta = data["damping_ratios"][i]
            rows.append(
                [str(i + 1), number(f, 6), number(None if zeta is None else 100 * zeta), data["kinds"][i], where]
            )
        table(f"Modes of {data['name']} ({data['fidelity']}, {data['law']})",
               ["mode", "frequency Hz", "damping %", "kind", f"{data.get('energy', 'strain')} energy in"], rows)  # fmt: skip
        say_remarks(data)


def powerflow(file: File, case: Annotated[str | None, typer.Option(help="Case whose settings hold, such as the gear it engages.")] = None,
              cases: Annotated[bool, typer.Option("--cases", help="Show every case that sets something, one line each.")] = False,
              speeds: Annotated[str | None, typer.Option(help="Show the efficiency over these input speeds: '10 rpm, 20 rpm' or '10 rpm to 90 rpm in 9'.")] = None,
              torques: Annotated[str | None, typer.Option(help="Show the efficiency over these input torques: '10 N m, 20 N m'.")] = None,
              output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the picture (power flow, or efficiency map) and tables as a page (.html).")] = None,
              set_: Set = None, json: Json = False) -> None:  # fmt: skip
    """Show steady speeds, torques, powers and losses of the rigid train at its operating point."""
    with mendable():
        from gearwright.analyses.power_flow import map_of_file, power_flows

        if speeds is not None or torques is not None:
            found = map_of_file(file, set_ or (), case, speeds, torques)
            if output is not None:
                from gearwright.pages.efficiency_page import efficiency_page

                efficiency_page(found, output)
            if json:
                print_figures(found)
                return
            head = ["input speed rad/s", *(f"{t:g} N m" for t in found["torques_nm"])]
            rows = [[f"{w:g}", *("-" if e is None else f"{100 * e:.3f} %" for e in line)]
                    for w, line in zip(found["speeds_rad_s"], found["efficiency"], strict=True)]  # fmt: skip
            table("Efficiency", head, rows)
            say_remarks(found)
            return
        flows = power_flows(file, set_ or (), case, cases)
        if output is not None:
            from gearwright.pages.power_page import power_page

            power_page(flows, output)
        if json:
            print_json([with_lists(f.as_dict()) for f in flows] if cases else with_lists(flows[0].as_dict()))
            return
        if cases:
            table("Power flow", ["case", "from", "to", "ratio in/out", "efficiency"], [
                [str(f.case), str(f.input), str(f.output), number(f.ratio, 6),
                 "locks itself" if f.self_locking else f"{100 * f.efficiency:.3f} %" if f.efficiency is not None else ""]
                for f in flows])  # fmt: skip
            return
        f = flows[0]
        table(f"Power flow of {f.name}", ["body", "speed rad/s", "torque N m", "power W", ""],
               [[m.name, number(m.speed, 6), number(m.torque, 6), number(m.power, 6), m.part] for m in f.members])  # fmt: skip
        table("Meshes", ["mesh", "seen from", "torque 1 N m", "torque 2 N m", "rolling power W", "loss W"],
               [[m.name, m.on or "housing", number(m.torque, 6), number(m.torque_second, 6), number(m.rolling_power, 6),
                 number(m.loss)] for m in f.meshes])  # fmt: skip
        if f.joints:
            table("Joints", ["joint", "type", "torque N m", "capacity N m"],
                   [[j.name, j.type, number(j.torque, 6), number(j.capacity)] for j in f.joints])  # fmt: skip
        for sentence in f.words:
            say(sentence)
        say_remarks(f.as_dict())


def schema() -> None:
    """Print the JSON Schema of a drivetrain file, for editors."""
    from gearwright.schema.file import json_schema

    print_json(json_schema())
