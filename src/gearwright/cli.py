"""The command line. Every command that prints figures has ``--json``; ``--set path=value`` edits the file.

Exit codes: 0 done, 2 the input has to be mended (one message), 3 a run diverged (what was computed is kept),
130 interrupted (likewise). Heavy libraries are imported by the command that uses them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gearwright.commands import bearings, campaigns, couplings, interchange, life, machine, sweep, teeth, turbine, view
from gearwright.console import Fidelity, File, Json, Law, Set, quick_start, times_real_time
from gearwright.console import mendable as _mendable
from gearwright.console import number as _number
from gearwright.console import print_json as _print_json
from gearwright.console import progress as _progress
from gearwright.console import table as _table

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Dynamics, loads and life of geared drivetrains.",
)  # fmt: skip
examples_app = typer.Typer(no_args_is_help=True, help="The drivetrains that come with the program.")
app.add_typer(examples_app, name="examples")
campaigns.register(app)
turbine.register(app)
teeth.register(app)
sweep.register(app)
view.register(app)
interchange.register(app)
life.register(app)
bearings.register(app)
couplings.register(app)
machine.register(app)


@app.callback(invoke_without_command=True)
def _main(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from gearwright import __version__

        typer.echo(f"gearwright {__version__}")
        raise typer.Exit()


@app.command()
def describe(file: File, json: Json = False, set_: Set = None, fidelity: Fidelity = None) -> None:
    """What was read and what was derived: bodies, elements, ratios, speeds, mesh frequencies, warnings."""
    with _mendable():
        from gearwright.cases.analyse import describe_file

        data, lines = describe_file(file, set_ or (), fidelity)
        if json:
            _print_json(data)
        else:
            typer.echo("\n".join(lines))


@app.command()
def modes(file: File, json: Json = False, set_: Set = None, fidelity: Fidelity = None, law: Law = None,
          case: Annotated[str | None, typer.Option(help="Model as this case has it.")] = None,
          speed: Annotated[str | None, typer.Option(help="Speed of the input, with gyroscopic terms: '12 rpm'.")] = None,
          mac: Annotated[str | None, typer.Option(metavar="FILE2", help="Compare the shapes with another model.")] = None,
          campbell: Annotated[Path | None, typer.Option(help="Write the Campbell diagram as a page.")] = None) -> None:  # fmt: skip
    """Natural frequencies, damping, kinds and energies; Campbell crossings."""
    with _mendable():
        from gearwright.cases.analyse import modes_of_file
        from gearwright.cases.mechanism import is_mechanism, mechanism_modes

        if is_mechanism(file, set_ or (), fidelity):
            from gearwright.commands.mechanism import refuse

            refuse({"--speed": speed, "--mac": mac, "--campbell": campbell})
            data = mechanism_modes(file, set_ or (), case, law)
        else:
            data = modes_of_file(file, set_ or (), fidelity, law, case, speed, mac)
        if campbell is not None:
            from gearwright.cases.analyse import write_campbell

            write_campbell(data, campbell)
        if json:
            _print_json(data)
            return
        rows = []
        for i, f in enumerate(data["frequencies_hz"]):
            share = sorted(data["energies"][i].items(), key=lambda item: -item[1])[:2]
            where = ", ".join(f"{name} {100 * value:.0f} %" for name, value in share)
            zeta = data["damping_ratios"][i]
            rows.append(
                [str(i + 1), _number(f, 6), _number(None if zeta is None else 100 * zeta), data["kinds"][i], where]
            )
        _table(f"Modes of {data['name']} ({data['fidelity']}, {data['law']})",
               ["mode", "frequency Hz", "damping %", "kind", f"{data.get('energy', 'strain')} energy in"], rows)  # fmt: skip
        for warning in data["warnings"]:
            typer.echo(f"note: {warning}")


@app.command()
def run(file: File, case: Annotated[str | None, typer.Option(help="Case of the file; default: the first.")] = None,
        output: Annotated[Path | None, typer.Option("-o", "--output", help="Result file (.nc).")] = None,
        duration: Annotated[float | None, typer.Option(help="Seconds to simulate.")] = None,
        method: Annotated[str | None, typer.Option(help="exact, explicit or exponential; default: chosen.")] = None,
        tolerance: Annotated[float | None, typer.Option(help="Relative tolerance on loads.")] = None,
        loads: Annotated[Path | None, typer.Option(help="Recorded run of another program that drives the train.")] = None,
        mapping: Annotated[Path | None, typer.Option(help="Loads: file (.yaml) that names channels.")] = None,
        map_: Annotated[list[str] | None, typer.Option("--map", help="Loads: QUANTITY=CHANNEL.")] = None,
        drive: Annotated[str | None, typer.Option(help="Loads: speed (default) or torque drives the input.")] = None,
        recorded_ratio: Annotated[float | None, typer.Option(help="Loads: ratio of the recorded train.")] = None,
        fidelity: Fidelity = None, law: Law = None, set_: Set = None, json: Json = False) -> None:  # fmt: skip
    """One load case in the time domain; writes a result file."""
    with _mendable():
        from gearwright.cases import simulate
        from gearwright.commands.mechanism import ran_as_mechanism
        from gearwright.drivetrain import load

        if loads is not None or mapping is not None or map_ or drive is not None or recorded_ratio is not None:
            from gearwright.commands.interchange import recorded_run

            record = recorded_run(
                file, case, loads, mapping, map_ or (), drive, recorded_ratio, fidelity, law, duration, set_ or ()
            )
            with _progress(not json) as progress:
                done = simulate(record.drivetrain, record.case, fidelity=fidelity, law=law, duration=duration, method=method,
                                tolerance=tolerance, output=output, progress=progress)  # fmt: skip
            _report_run(done, json, record)
            return
        drivetrain = load(file, set_ or ())
        if ran_as_mechanism(drivetrain, case, output, duration, method, tolerance, fidelity, law, json):
            return
        with _progress(not json) as progress:
            done = simulate(drivetrain, case, fidelity=fidelity, law=law, duration=duration, method=method,
                            tolerance=tolerance, output=output, progress=progress)  # fmt: skip
        _report_run(done, json)


def _report_run(done: Any, json: bool, record: Any = None) -> None:
    """Print what a run gave; ``record``: the recorded loads that drove it."""
    attributes = done.attributes
    data = {
        "duration_s": done.duration_s, "wall_s": done.wall_s, "real_time_factor": done.real_time_factor,
        "method": done.method, "method_reason": done.reason, "result_file": str(done.result_file),
        "energy_error": done.energy_error, "channels": done.channels, "wedged": done.wedged,
        **{k: v for k, v in attributes.items() if k.endswith(("_correlation", "_torque_std"))},
    }  # fmt: skip
    if record is not None:
        data["recorded_channels"], data["recorded_notes"] = record.channels, list(record.notes)
    if json:
        _print_json(data)
        return
    _loads_table(done.channels)
    typer.echo(f"{done.duration_s:g} s in {done.wall_s:.2f} s ({times_real_time(done.real_time_factor)}), "
               f"method {done.method}: {done.reason}")  # fmt: skip
    typer.echo(f"energy error {done.energy_error:.1e}")
    if done.wedged:
        worst = max(done.wedged, key=lambda mesh: done.wedged[mesh])
        typer.echo(
            f"TEETH WEDGE in {len(done.wedged)} of the meshes: both flanks of a tooth carry at once, at most "
            f"{done.wedged[worst] / 1e3:.4g} kN each in {worst}; more torque, less bearing clearance or more backlash cures it"
        )
    if "recorded_torque_correlation" in data:
        typer.echo(
            f"shaft torque against the record: correlation {data['recorded_torque_correlation']:.4f}, standard "
            f"deviation {data['computed_torque_std'] / 1e3:.1f} against {data['recorded_torque_std'] / 1e3:.1f} kN m"
        )
    if record is not None:
        typer.echo(
            "driven by: " + ", ".join(f"{quantity} = {channel}" for quantity, channel in record.channels.items())
        )
    for note in (*(record.notes if record is not None else ()), *attributes.get("notes", [])):
        typer.echo(f"note: {note}")
    typer.echo(f"result: {done.result_file}")


def _loads_table(channels: dict[str, dict[str, Any]]) -> None:
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
        if quantity not in ("normal_force", "contact_pressure", "axial_force", "force", "torque", "power", "moment_x"):
            continue
        unit, factor = scale.get(c["unit"], (c["unit"], 1.0))
        least = 1e-9 * max(abs(c["min"]), abs(c["max"]))  # below it is round-off
        values = ((c[k] if abs(c[k]) > least else 0.0) for k in ("mean", "std", "min", "max"))
        rows.append([name, unit, *(_number(factor * value) for value in values)])
        size.append(abs(c["max"]) if quantity == "normal_force" else 0.0)
    if rows:
        _table(
            "Loads", ["channel", "unit", "mean", "std", "min", "max"], rows, max(range(len(size)), key=size.__getitem__)
        )


@app.command()
def report(result: Annotated[Path, typer.Argument(help="A result file, or the folder of a campaign or a study.")],
           output: Annotated[Path | None, typer.Option("-o", "--output", help="The page (.html).")] = None) -> None:  # fmt: skip
    """One HTML file: scheme, modes, loads, spectra, life figures."""
    with _mendable():
        if result.is_dir():
            from gearwright.campaigns import Folder

            if Folder(result).plan().kind == "study":
                from gearwright.report.study_page import study_report as make_of_folder
            else:
                from gearwright.report.campaign_page import campaign_report as make_of_folder
            path = make_of_folder(result, output or result / "report.html")
        else:
            from gearwright.cases import write_report

            path = write_report(result, output)
        typer.echo(f"report: {path}")


@app.command()
def orders(result: Annotated[Path, typer.Argument(help="Result of a run-up or coast-down.")],
           channel: Annotated[str, typer.Option(help="element.quantity, such as stage1.sun_planet1.normal_force.")],
           shaft: Annotated[str | None, typer.Option(help="Body whose turns count; default: the input.")] = None,
           output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the order map as a page.")] = None,
           json: Json = False) -> None:  # fmt: skip
    """Order map and resonance table of a run-up or coast-down."""
    with _mendable():
        from gearwright.report.section_orders import orders_of_result, write_order_page

        data = orders_of_result(result, channel, shaft)
        if output is not None:
            write_order_page(data, output)
        if json:
            _print_json(data)
            return
        rows = [
            [r["line"], _number(r["order"]), _number(r["speed_rpm"]), _number(r["frequency_hz"]), _number(r["amplitude"]),
             _number(r["factor"]), str(r["mode"] or ""), _number(r["mode_frequency_hz"]), _number(r["energy_share"]),
             "" if r["margin"] is None else f"{100 * r['margin']:+.0f} %"]
            for r in data["resonances"]
        ]  # fmt: skip
        head = ["line", "order", "rpm", "frequency Hz", f"amplitude {data['unit']}", "factor", "mode", "mode Hz",
                "energy share", "margin"]  # fmt: skip
        _table(f"Resonances of {channel} over {data['shaft']}", head, rows)


@app.command()
def powerflow(file: File, case: Annotated[str | None, typer.Option(help="Case whose settings hold, such as a gear.")] = None,
              cases: Annotated[bool, typer.Option("--cases", help="Every case that sets something, one line each.")] = False,
              speeds: Annotated[str | None, typer.Option(help="Efficiency over these input speeds: '10 rpm, 20 rpm' or '10 rpm to 90 rpm in 9'.")] = None,
              torques: Annotated[str | None, typer.Option(help="... and these input torques: '10 N m, 20 N m'.")] = None,
              page: Annotated[Path | None, typer.Option(help="Write picture (power flow, or efficiency map) and tables as a page (.html).")] = None,
              set_: Set = None, json: Json = False) -> None:  # fmt: skip
    """Steady speeds, torques, powers and losses of the rigid train at its operating point, in words."""
    with _mendable():
        from gearwright.cases.powerflow import map_of_file, power_flows

        if speeds is not None or torques is not None:
            found = map_of_file(file, set_ or (), case, speeds, torques)
            if page is not None:
                from gearwright.report.efficiency_page import efficiency_page

                efficiency_page(found, page)
            if json:
                _print_json(found)
                return
            head = ["input speed rad/s", *(f"{t:g} N m" for t in found["torques_nm"])]
            rows = [[f"{w:g}", *("-" if e is None else f"{100 * e:.3f} %" for e in line)]
                    for w, line in zip(found["speeds_rad_s"], found["efficiency"], strict=True)]  # fmt: skip
            _table("Efficiency", head, rows)
            return
        flows = power_flows(file, set_ or (), case, cases)
        if page is not None:
            from gearwright.report.power_page import power_page

            power_page(flows, page)
        if json:
            _print_json([f.as_dict() for f in flows] if cases else flows[0].as_dict())
            return
        if cases:
            _table("Power flow", ["case", "from", "to", "ratio", "efficiency"], [
                [str(f.case), str(f.input), str(f.output), _number(f.ratio, 6),
                 "locks itself" if f.self_locking else f"{100 * f.efficiency:.3f} %" if f.efficiency is not None else ""]
                for f in flows])  # fmt: skip
            return
        f = flows[0]
        _table(f"Power flow of {f.name}", ["body", "speed rad/s", "torque N m", "power W", ""],
               [[m.name, _number(m.speed, 6), _number(m.torque, 6), _number(m.power, 6), m.part] for m in f.members])  # fmt: skip
        _table("Meshes", ["mesh", "seen from", "rolling power W", "loss W"],
               [[m.name, m.on or "housing", _number(m.rolling_power, 6), _number(m.loss)] for m in f.meshes])  # fmt: skip
        if f.joints:
            _table("Joints", ["joint", "type", "torque N m", "capacity N m"],
                   [[j.name, j.type, _number(j.torque, 6), _number(j.capacity)] for j in f.joints])  # fmt: skip
        for sentence in f.words:
            typer.echo(sentence)


@app.command()
def schema() -> None:
    """The JSON Schema of a drivetrain file, for editors."""
    from gearwright.drivetrain import json_schema

    _print_json(json_schema())


@app.command()
def verify(prefix: Annotated[list[str] | None, typer.Argument(help="Prefixes of target ids: S1, LIT.1, ...")] = None,
           json: Json = False,
           page: Annotated[Path | None, typer.Option("--markdown", help="Write the table as a page.")] = None) -> None:  # fmt: skip
    """The targets of the literature: target, got, error, tolerance, status, source."""
    with _mendable():
        from gearwright.verify import run_targets

        rows = run_targets(prefix or ())
        if page is not None:
            from gearwright.verify import markdown

            page.write_text(markdown(rows), encoding="utf-8")
        if json:
            _print_json([row.as_dict() for row in rows])
        else:
            from gearwright.verify import print_rows

            print_rows(rows)
        if any(row.status == "fail" for row in rows):
            raise typer.Exit(1)


@examples_app.command("list")
def examples_list(json: Json = False) -> None:
    """Names and sources of the shipped examples."""
    from gearwright.drivetrain import examples, load

    rows = [(name, load(name).source or "") for name in examples()]
    if json:
        _print_json([{"name": n, "source": s} for n, s in rows])
    else:
        width = max(len(n) for n, _ in rows)
        for name, source in rows:
            typer.echo(f"{name:<{width}}  {source}")


@examples_app.command("show")
def examples_show(name: Annotated[str, typer.Argument()]) -> None:
    """Print the file of an example."""
    with _mendable():
        from gearwright.drivetrain import example_path

        typer.echo(example_path(name).read_text())


@examples_app.command("copy")
def examples_copy(name: Annotated[str, typer.Argument()],
                  to: Annotated[Path, typer.Argument(help="Folder or file to write.")] = Path(".")) -> None:  # fmt: skip
    """Copy an example, and the series it reads, to edit them."""
    with _mendable():
        from gearwright.cases.analyse import copy_example

        for path in copy_example(name, to):
            typer.echo(f"wrote {path}")


def main() -> None:
    """Entry point of the ``gearwright`` command."""
    quick_start()
    app()
