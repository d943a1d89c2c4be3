"""``gearwright fmu``, ``gearwright couple``: a drivetrain inside other programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from gearwright import couplings
from gearwright.commands import Program
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
    print_json,
    say,
    say_remarks,
    table,
    writes,
)
from gearwright.controllers.bladed import BladedController
from gearwright.couplings import hawc2 as room
from gearwright.errors import CouplingError

couple_app = Program(help="Run a drivetrain inside another program: OpenFAST, HAWC2, functional mock-up units.")
fmu_app = Program(help="Export a drivetrain as a functional mock-up unit, or look into one.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(fmu_app, name="fmu")
    app.add_typer(couple_app, name="couple")


@fmu_app.command("export")
def fmu_export(
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", callback=writes(".fmu"), help="Write the unit here (.fmu).")],
    fmi: Annotated[str, typer.Option(help="Version of the FMI standard: 2.0 or 3.0.")] = "2.0",
    fidelity: Fidelity = None, law: Law = None,
    rotor: Annotated[str, typer.Option(help="What comes in at the rotor: torque or speed.")] = "torque",
    generator: Annotated[str, typer.Option(help="What comes in at the generator: torque, or grid (voltage, frequency and torque reference of the file's electrical machine).")] = "torque",
    step: Annotated[float, typer.Option(help="Communication step that the description proposes, in s.")] = 0.01,
    tolerance: Annotated[float, typer.Option(help="Relative tolerance of loads; springs alone are exact.")] = 1e-3,
    out: Annotated[list[str] | None, typer.Option("--channel", help="Channel to give out, as element.quantity or a kind; may be repeated. Without it: all.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Validate the unit, run it under fmpy, and compare with the native run.")] = False,
    set_: Set = None, json: Json = False,
) -> None:  # fmt: skip
    """Write a drivetrain as an FMU that runs without Python, for co-simulation and model exchange, with its sources."""
    with mendable():
        made = couplings.export_fmu(
            file,
            output,
            version=fmi,
            fidelity=fidelity,
            law=law,
            rotor=rotor,
            generator=generator,
            step=step,
            tolerance=tolerance,
            outputs=out or (),
            overrides=set_ or (),
        )
        data, tried = made.to_dict(), None
        if check:
            tried = couplings.check_fmu(
                output,
                file,
                fidelity=fidelity,
                law=law,
                rotor=rotor,
                generator=generator,
                step=step,
                tolerance=tolerance,
                overrides=set_ or (),
            )
        if json:
            print_json(data if tried is None else {**data, "check": tried})
            return
        kinds = "co-simulation and model exchange" if made.exchange else "co-simulation"
        say(
            f"wrote {made.path}: FMI {made.version} for {kinds}, inputs {', '.join(made.inputs)}, "
            f"{len(made.parameters)} parameters, {len(made.outputs)} outputs"
            + ("; steps are exact" if made.exact else "")
        )
        if made.bound:
            say(f"without sources: {made.bound}; the binary serves this kind of machine")
        elif not made.binary:
            say("sources alone, since no C compiler is here: the program that runs the unit compiles them")
        elif not made.exchange:
            say("no model exchange: the speed of the rotor is prescribed")
        if tried is not None:
            for problem in tried.problems:
                say(f"problem: {problem}")
            rows = [[kind, f"{d.difference:.1e}", d.channel] for kind, d in tried.by_kind.items()]
            table(f"Differences from the native run ({tried.native_method})", ["kind", "relative", "channel"], rows)


@fmu_app.command("show")
def fmu_show(
    file: Annotated[Path, typer.Argument(help="A functional mock-up unit (.fmu).")],
    json: Json = False,
) -> None:
    """Show inputs, outputs and parameters of an FMU. Its archive is checked and unpacked safely, its code is not run."""
    with mendable():
        data = couplings.show_fmu(file)
        if json:
            print_json(data)
            return
        say(
            f"{data.name}: FMI {data.fmi_version}, made by {data.tool or 'an unnamed tool'}; "
            f"co-simulation {'yes' if data.co_simulation else 'no'}, model exchange {'yes' if data.model_exchange else 'no'}; "
            f"sources {'yes' if data.sources else 'no'}; binaries {', '.join(data.binaries) or 'none'}"
        )
        rows = [
            [v.name, v.causality, v.unit, "" if v.start is None else str(v.start), v.description]
            for v in data.variables
            if v.causality in ("input", "output", "parameter")
        ]
        table(f"{len(rows)} variables", ["name", "causality", "unit", "start", "meaning and sign"], rows)


@couple_app.command("openfast")
def couple_openfast(
    deck: Annotated[Path | None, typer.Argument(metavar="DECK.fst", help="Main file of the OpenFAST deck (.fst).")] = None,
    drivetrain: Annotated[str | None, typer.Option(help="Drivetrain file (.yaml), or the name of a shipped example.")] = None,
    fidelity: Fidelity = None, law: Law = None,
    controller: Annotated[Path | None, typer.Option(help="Controller library in the style of Bladed. Without it: the built-in controller.")] = None,
    controller_input: Annotated[Path | None, typer.Option(help="Input file of the controller, DISCON.IN.")] = None,
    folder: Annotated[Path | None, typer.Option(help="Folder of the deck's copy. Without it: the deck's name with -gearwright.")] = None,
    openfast: Annotated[str | None, typer.Option(help="The OpenFAST program. Without it: openfast on the path.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", callback=writes(".nc"), help="Write the result here (.nc).")] = None,
    wait: Annotated[float, typer.Option(help="Longest wait for OpenFAST's first call, in s.")] = 120.0,
    prepare_only: Annotated[bool, typer.Option("--prepare-only", help="Write the deck's copy and stop.")] = False,
    self_test: Annotated[bool, typer.Option("--self-test", help="Try the bridge without OpenFAST.")] = False,
    check_step: Annotated[bool, typer.Option("--check-step", help="Show what the exchange keeps of the drivetrain's mode, over the step.")] = False,
    set_: Set = None, json: Json = False,
) -> None:  # fmt: skip
    """Run OpenFAST with a gearbox of this program: prepared copy of the deck, bridge library, one result file."""
    with mendable():
        if self_test:
            _self_test(drivetrain or "nrel-5mw-gallego", fidelity, law, json)
            return
        if check_step:
            _check_step(drivetrain or "nrel-5mw-two-mass", deck or "nrel-5mw", fidelity, set_ or (), json)
            return
        if deck is None:
            raise CouplingError("name the main file of the deck, DECK.fst, or use --self-test or --check-step")
        if prepare_only:
            made = couplings.prepare_deck(deck, folder or deck.parent / f"{deck.stem}-gearwright")
            if json:
                print_json({"deck": str(made.fst), "changes": made.changes})
            else:
                _changes(made.fst, made.changes)
            return
        if drivetrain is None:
            raise CouplingError("name the drivetrain: --drivetrain FILE")
        own = BladedController(controller, controller_input, tell=_say) if controller is not None else None
        if own is None and controller_input is not None:
            raise CouplingError("--controller-input goes with --controller")
        data = couplings.couple_openfast(
            deck,
            drivetrain,
            fidelity=fidelity,
            law=law,
            controller=own,
            folder=folder,
            openfast=openfast,
            output=output,
            overrides=set_ or (),
            wait=wait,
            tell=_say,
        )
        if json:
            print_json(data.to_dict())
            return
        _changes(data.deck, data.changes)
        say_remarks(data.remarks)
        say(f"{data.steps} steps, {data.host_us_per_step:.0f} us each in the host; result in {data.result_file}")


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


def _changes(deck: str | Path, changes: Mapping[str, tuple[str, str]]) -> None:
    rows = [[name, before, now] for name, (before, now) in changes.items()]
    table("Changes in the copy of the deck", ["name", "before", "now"], rows)
    say(f"deck: {deck}")


def _self_test(drivetrain: str, fidelity: str | None, law: str | None, json: bool) -> None:

    data = couplings.run_self_test(drivetrain, fidelity=fidelity, law=law)
    if json:
        print_figures(vars(data))
        return
    rows = [[k, number(x, 6), number(getattr(data.bridge, k), 6)] for k, x in vars(data.one_loop).items()]
    table("Bridge against one loop", ["figure", "one loop", "bridge"], rows)
    say(
        f"{data.calls} calls, {data.call_us:.0f} us each, of which {data.host_us:.0f} us in the host; "
        f"shaft torque differs by {100 * data.shaft_torque_rms_difference:.2f} % of its swing"
    )


def _check_step(
    drivetrain: str, turbine: str | Path, fidelity: str | None, overrides: Sequence[str], json: bool
) -> None:
    found = couplings.check_steps(drivetrain, turbine, fidelity=fidelity, overrides=overrides)
    if json:
        print_figures(asdict(found))
        return
    rows = [
        [
            r.way,
            number(1e3 * r.step_s, 5),
            *[
                f"{100.0 * e:+.2f}" if r.stable else "unstable"
                for e in (r.frequency_error, r.damping_error, r.amplitude_error)
            ],
        ]
        for r in found.rows
    ]
    table(
        "Lowest mode of rotor and drivetrain across the exchange, in % of the closed form",
        ["OpenFAST steps", "step ms", "frequency", "damping", "amplitude"],
        rows,
    )
    say(
        f"{found.drivetrain} behind the rotor of {found.turbine}: {number(found.frequency_hz, 5)} Hz, damping {number(100 * found.damping_ratio, 4)} %; "
        f"{number(found.rotor.blades / 1e6, 4)} of {number((found.rotor.blades + found.rotor.hub) / 1e6, 4)} million kg m² hang on the blades' edgewise spring"
    )
    say("loose: OpenFAST to 4.x, and ModCoupling 1 of 5; tight: ModCoupling 2 and 3")


@couple_app.command("hawc2")
def couple_hawc2(
    file: File,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", callback=writes(".so", ".dll"), help="Write the library here (.so or .dll)."),
    ] = None,
    interface: Annotated[
        str, typer.Option(help="Kind of the library: type2 (shaft speed in, moment out) or external (external system).")
    ] = "type2",
    fidelity: Fidelity = None,
    law: Law = None,
    step: Annotated[float, typer.Option(help="Time step of HAWC2, in s.")] = 0.02,
    out: Annotated[
        list[str] | None,
        typer.Option("--channel", help="Further channel to give out, as element.quantity; may be repeated."),
    ] = None,
    htc: Annotated[
        Path | None,
        typer.Option(help="Run this model (.htc) with h2lib in this process, instead of writing a library."),
    ] = None,
    duration: Duration = 10.0,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Write a drivetrain for HAWC2 as a library that runs without Python: a type-2 DLL or an external system."""
    with mendable():
        if htc is not None:
            ran = room.run_htc(htc, file, duration or 10.0, step=step, fidelity=fidelity, law=law, overrides=set_ or ())
            print_json(ran) if json else say(f"{ran.steps} steps, mean shaft moment {ran.mean_moment:.6g} N m")
            return
        if output is None:
            raise CouplingError("name the library to write: -o libgearbox.so; or a model to run: --htc MODEL.htc")
        if interface == "type2":
            names = room.build_type2(
                file, output, fidelity=fidelity, law=law, outputs=out or (), step=step, overrides=set_ or ()
            )
        elif interface == "external":
            plant = room.build_external(
                file, output, fidelity=fidelity, law=law, outputs=out or (), overrides=set_ or ()
            )
            names = list(out or [c.name for c in plant.system.channels])
        else:
            raise CouplingError(f"there is no interface '{interface}'; there are type2 and external")
        data = {"library": str(output), "interface": interface, "outputs": names}
        if json:
            print_json(data)
            return
        say(f"wrote {output}")
        if interface == "type2":
            for i, name in enumerate(names):
                say(f"  out {i + 1}: {name}")
            say("in the htc file (names of bodies are yours):\n" + room.type2_text(output, step))
        else:
            say(f"{len(names)} outputs; functions {', '.join(room.EXTERNAL)}")


@couple_app.command("fmu")
def couple_fmu(
    unit: Annotated[
        Path, typer.Argument(metavar="UNIT.fmu", help="A co-simulation FMU. Its code is run: name what you trust.")
    ],
    drivetrain: Annotated[str, typer.Option(help="Drivetrain file (.yaml), or the name of a shipped example.")],
    torque: Annotated[str, typer.Option(help="Output of the unit that is the torque, in N m.")],
    role: Annotated[str, typer.Option("--as", help="What the unit is: machine or load.")] = "machine",
    input_: Annotated[
        list[str] | None,
        typer.Option(
            "--input", metavar="NAME=CHANNEL", help="Input of the unit and the channel that it gets; may be repeated."
        ),
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Parameter of the unit and its value; may be repeated."),
    ] = None,
    fidelity: Fidelity = None,
    law: Law = None,
    step: Annotated[float, typer.Option(help="Exchange step, in s.")] = 1e-3,
    duration: Duration = 10.0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", callback=writes(".nc"), help="Write the result here (.nc).")
    ] = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Run a drivetrain with an FMU as its machine or its load."""
    with mendable():

        def pairs(given: list[str] | None, what: str) -> dict[str, str]:
            made = {}
            for text in given or ():
                name, sign, value = text.partition("=")
                if not sign or not name or not value:
                    raise CouplingError(
                        f"{what} '{text}' is not of the form NAME={'VALUE' if what == 'parameter' else 'CHANNEL'}"
                    )
                made[name] = value
            return made

        try:
            numbers = {k: float(v) for k, v in pairs(parameter, "parameter").items()}
        except ValueError:
            raise CouplingError("values of parameters are numbers") from None
        data = couplings.run_with_fmu(
            drivetrain,
            unit,
            role,
            torque=torque,
            parameters=numbers,
            inputs={c: n for n, c in pairs(input_, "input").items()},
            fidelity=fidelity,
            law=law,
            step=step,
            duration=duration or 10.0,
            output=output,
            overrides=set_ or (),
        )
        if json:
            print_json(data.to_dict())
            return
        say_remarks(data.remarks)
        say(f"{data.steps} steps ({data.method}), mean torque {data.mean_torque:.6g} N m; result in {data.result_file}")
