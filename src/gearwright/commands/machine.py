"""``gearwright machine``: rated point, poles, dips and damping of an electrical machine."""

from __future__ import annotations

import typer

import gearwright as gw
from gearwright.console import Fidelity, File, Json, Set, mendable, show


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(machine)


def machine(file: File, set_: Set = None, fidelity: Fidelity = None, json: Json = False) -> None:
    """Show the electrical machine of a file: rated point, poles, voltage dips at constant speed, damping of the train."""
    with mendable():
        show(gw.machine(file, fidelity=fidelity, overrides=set_ or ()), json)
