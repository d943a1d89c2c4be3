"""Commands by topic: each module adds its own to the program with ``register``.

What all commands have in common on the command line is here: the groups of ``gearwright --help``, one example each, and
the words of earlier versions, which are taken with a note.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from gearwright._version import __version__

#: groups of the help, in its order: the commands of each
GROUPS = {
    "Model": ("new", "describe", "modes", "whirl", "powerflow", "examples", "schema"),
    "Run": ("run", "campaign", "study", "design", "sweep"),
    "Results": ("report", "orders", "compare", "view", "render"),
    "Life": ("life", "tooth-stress", "reliability", "identify"),
    "Field data": ("loads-from", "fleet", "surrogate"),
    "Teeth": ("gear", "stiffness", "ste", "modify"),
    "Bearings": ("bearing", "envelope"),
    "Turbine and generator": ("turbine", "machine"),
    "Exchange with other programs": ("inspect", "export", "rexs", "fmu", "couple"),
    "Checks of this program": ("verify",),
}

#: modules of this folder and the commands that they add
COMMANDS = {
    "run": ("run",),
    "model": ("describe", "modes", "powerflow", "schema"),
    "pages": ("report", "orders"),
    "shipped": ("examples", "verify"),
    "campaigns": ("campaign", "study", "compare"),
    "turbine": ("turbine",),
    "teeth": ("gear", "stiffness", "ste"),
    "sweep": ("sweep",),
    "view": ("view", "render"),
    "interchange": ("inspect", "export", "rexs"),
    "life": ("life", "tooth-stress", "reliability", "identify"),
    "bearings": ("bearing", "envelope"),
    "couplings": ("fmu", "couple"),
    "machine": ("machine",),
    "whirl": ("whirl",),
    "new": ("new",),
    "design": ("design",),
    "modify": ("modify",),
    "fleets": ("loads-from", "fleet", "surrogate"),
}

#: one example of each command, as its help ends with
EXAMPLES = {
    "run": "gearwright run nrel-5mw-gallego --case recorded-18ms -o run.nc",
    "new": "gearwright new ratings.yaml --compare -o mine.yaml",
    "describe": "gearwright describe nrel-5mw-gallego",
    "modes": "gearwright modes grc-750kw --fidelity torsional -o campbell.html",
    "whirl": "gearwright whirl geared-rotors -o whirl.html",
    "powerflow": "gearwright powerflow wolfrom -o flow.html",
    "schema": "gearwright schema > gearwright.schema.json",
    "report": "gearwright report run.nc -o run.html",
    "orders": "gearwright orders run.nc --channel main.torque -o orders.html",
    "examples list": "gearwright examples list",
    "examples show": "gearwright examples show nordtank-500kw",
    "examples copy": "gearwright examples copy nordtank-500kw mine.yaml",
    "verify": "gearwright verify LIT.1",
    "campaign": "gearwright campaign normal --only 'normal-17ms-*' -o normal --jobs 2",
    "study": "gearwright study study.yaml -o study --jobs 2",
    "design": "gearwright design nejad-mass-life -o design --jobs 2",
    "compare": "gearwright compare planar.nc torsional.nc -o compared.html",
    "turbine list": "gearwright turbine list",
    "turbine import": "gearwright turbine import deck.fst --power '5 MW' -o mine.json",
    "turbine steady": "gearwright turbine steady nrel-5mw",
    "gear": "gearwright gear nordtank-500kw --stage stage1 -o teeth.html",
    "stiffness": "gearwright stiffness nordtank-500kw --stage stage1 --method iso6336",
    "ste": "gearwright ste pair.yaml --torque '100 N m' -o ste.html",
    "modify": "gearwright modify pair.yaml --method analytic --scatter '8 um' -o quiet.yaml",
    "sweep": "gearwright sweep kahraman-oscillator --from '820 Hz' --to '920 Hz'",
    "view": "gearwright view nrel-5mw-gallego -o view.html",
    "render": "gearwright render nrel-5mw-gallego --view cut -o view.png",
    "inspect": "gearwright inspect run.outb --channel 'Rot*'",
    "export": "gearwright export run.nc --channel main.torque -o torque.csv",
    "rexs": "gearwright rexs gearbox.rexs -o gearbox.yaml",
    "life": "gearwright life run.nc --years 20 -o life.html",
    "tooth-stress": "gearwright tooth-stress run.nc stage1.sun_planet1 -o stress.html",
    "reliability": "gearwright reliability states.yaml --samples 100000",
    "identify": "gearwright identify run.nc --channel main.torque --from 1 --to 5",
    "bearing": "gearwright bearing bearing.yaml --radial '90 kN' -o bearing.html",
    "envelope": "gearwright envelope run.nc --channel right_support.acceleration_z",
    "fmu export": "gearwright fmu export nrel-5mw-two-mass -o train.fmu",
    "fmu show": "gearwright fmu show train.fmu",
    "couple openfast": "gearwright couple openfast deck.fst --drivetrain nrel-5mw-gallego",
    "couple hawc2": "gearwright couple hawc2 nrel-5mw-two-mass -o libgearbox.so",
    "couple fmu": "gearwright couple fmu motor.fmu --drivetrain my.yaml --torque T",
    "machine": "gearwright machine nrel-5mw",
    "loads-from": "gearwright loads-from series.csv nrel-5mw -o books.nc",
    "surrogate": "gearwright surrogate nrel-5mw -o nrel-5mw.csv --jobs 2",
    "fleet": "gearwright fleet data/ --turbines turbines.csv -o fleet/",
}

#: words of the version before, and what they are now; ``-o FILE`` is the first output of every command, its suffix says what
#: is written, ``--page FILE`` a second one
FORMER = {
    "modes": {"--campbell": "--output"},
    "powerflow": {"--page": "--output"},
    "sweep": {"--page": "--output"},
    "envelope": {"--page": "--output", "--begin": "--from"},
    "gear": {"--outline": "--output"},
    "stiffness": {"--page": "--output"},
    "ste": {"--page": "--output"},
    "verify": {"--markdown": "--output"},
    "export": {"--start": "--from", "--end": "--to"},
    "render": {"--speed": "--pace"},
    "fmu export": {"--out": "--channel"},
    "couple hawc2": {"--out": "--channel"},
}

#: what the value of an option is called in the help, where that is not the option's own name
_VALUES = {
    "output": "FILE", "page": "FILE", "loads": "FILE", "mapping": "FILE", "sensor-file": "FILE", "controller": "FILE",
    "controller-input": "FILE", "htc": "FILE", "drivetrain": "FILE", "ratings": "FILE", "folder": "DIR", "openfast": "PROGRAM",
    "map": "QUANTITY=CHANNEL", "jobs": "NUMBER", "evaluations": "NUMBER", "samples": "NUMBER", "seed": "NUMBER", "steps": "NUMBER", "bins": "NUMBER",
    "from": "BEGIN", "to": "END", "against": "CHANNEL", "arm": "LENGTH", "points": "NxNxN", "spacing": "DxDxD", "as": "ROLE",
    "only": "PATTERN", "wheel": "BODY", "shaft": "BODY", "scheduler": "ADDRESS", "slurm": "WORDS", "setup": "NAME",
    "band": "LOW,HIGH",
}  # fmt: skip


class Command(TyperCommand):
    """A command: values in its help are called by the names of their options, it ends with an example, former words are
    taken."""

    def __init__(self, *arguments: Any, **options: Any):
        super().__init__(*arguments, **options)
        for parameter in self.params:
            if parameter.metavar is None and not getattr(parameter, "is_flag", False):
                name = max(parameter.opts or [parameter.name or ""], key=len).lstrip("-")
                parameter.metavar = _VALUES.get(name, name.upper())

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, former words as what they are now."""
        path = _path(ctx)
        words = FORMER.get(path, {})
        end = args.index("--") if "--" in args else len(args)
        for i, word in enumerate(args[:end]):
            name, equals, value = word.partition("=")
            if name in words:
                _note(f"{name} is now {_spell(words[name])}")
                args[i] = words[name] + equals + value
        if path == "envelope" and "--band" in args[: end - 2]:
            at = args.index("--band")
            if "," not in args[at + 1] and not args[at + 2].startswith("-"):
                _note("--band LOW HIGH is now --band LOW,HIGH")
                args[at + 1 : at + 3] = [f"{args[at + 1]},{args[at + 2]}"]
        return super().parse_args(ctx, args)  # type: ignore[no-any-return]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Names of the arguments, without braces and types."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, each with the name of its value."""
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            found = [p.get_help_record(ctx) for p in self.get_params(ctx) if p.param_type_name == kind]
            rows = [(re.sub(r" <[^<>]*>(\.\.\.)?", "", record[0]).strip("{}"), record[1]) for record in found if record]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """End the help with the example."""
        example = EXAMPLES.get(_path(ctx))
        if example:
            with formatter.section("Example"):
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class Group(TyperGroup):
    """A command of commands: its help lists them in groups, each with the first sentence of its own help, whole."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the groups."""
        names = self.list_commands(ctx)
        if self.name and ctx.parent is not None:
            self._section(ctx, formatter, "Commands", names)
            return
        for title, members in GROUPS.items():
            self._section(ctx, formatter, title, [name for name in members if name in names])

    def _section(self, ctx: Any, formatter: Any, title: str, names: list[str]) -> None:
        rows = []
        for name in names:
            command = self.get_command(ctx, name)
            text = " ".join(((command.help if command else "") or "").split("\n\n")[0].split())
            rows.append((name, text.partition(". ")[0].rstrip(".") + "."))
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


class Program(typer.Typer):
    """A program, or a command of commands, of such commands."""

    def __init__(self, **options: Any):
        super().__init__(cls=Group, no_args_is_help=True, rich_markup_mode=None, **options)

    def command(self, name: str | None = None, **options: Any) -> Any:
        """As of typer."""
        return super().command(name, cls=Command, **options)


def _path(ctx: Any) -> str:
    """Words of a command behind the program's name: ``fmu export``."""
    words = []
    while ctx.parent is not None:
        words.append(ctx.info_name or "")
        ctx = ctx.parent
    return " ".join(reversed(words))


def _note(what: str) -> None:
    sys.stderr.write(f"gearwright: {what}; this version still takes both\n")


def _spell(word: str) -> str:
    return "-o" if word == "--output" else word


def application(command: str | None = None) -> typer.Typer:
    """The program; with the commands of one module alone where ``command`` names one of them, with none for ``--version``, with all otherwise.

    The library behind the command line takes a fifth of a second to read the options of all commands.
    """
    wanted = [module for module, names in COMMANDS.items() if command in names]
    app = Program(
        add_completion=not wanted,
        pretty_exceptions_enable=False,
        help="Dynamics, loads and life of geared drivetrains.\n\n"
        "'gearwright COMMAND --help' says what a command takes, with an example.",
    )
    app.callback(invoke_without_command=True)(_main)
    for module in () if command == "--version" else wanted or COMMANDS:
        import_module(f"gearwright.commands.{module}").register(app)
    return app


def _main(version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False) -> None:
    if version:
        typer.echo(f"gearwright {__version__}")
        raise typer.Exit()
