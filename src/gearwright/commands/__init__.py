"""Commands by topic: each module adds its own to the program with ``register``."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

#: modules of this folder and the commands that they add
COMMANDS = {
    "run": ("run",), "model": ("describe", "modes", "powerflow", "schema"), "pages": ("report", "orders"),
    "shipped": ("examples", "verify"), "campaigns": ("campaign", "study", "compare"), "turbine": ("turbine",),
    "teeth": ("gear", "stiffness", "ste"), "sweep": ("sweep",), "view": ("view", "render"),
    "interchange": ("inspect", "export", "rexs"), "life": ("life", "tooth-stress", "reliability", "identify"),
    "bearings": ("bearing", "envelope"), "couplings": ("fmu", "couple"), "machine": ("machine",),
}  # fmt: skip


def application(command: str | None = None) -> typer.Typer:
    """The program; with the commands of one module alone where ``command`` names one of them, with all otherwise.

    The library behind the command line takes a fifth of a second to read the options of all commands.
    """
    wanted = [module for module, names in COMMANDS.items() if command in names] or list(COMMANDS)
    app = typer.Typer(
        no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
        help="Dynamics, loads and life of geared drivetrains.",
    )  # fmt: skip
    app.callback(invoke_without_command=True)(_main)
    for module in wanted:
        import_module(f"gearwright.commands.{module}").register(app)
    return app


def _main(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from gearwright import __version__

        typer.echo(f"gearwright {__version__}")
        raise typer.Exit()
