"""``gearwright turbine``: data of turbines, decks of OpenFAST."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gearwright
from gearwright.commands import Program
from gearwright.console import Json, fail, mendable, print_figures, print_json, say, say_remarks, show, writes
from gearwright.interchange.openfast_deck import read_deck
from gearwright.turbine import load, save, turbines
from gearwright.units import DIMENSIONS, UnitError, to_si

turbine_app = Program(help="Work with wind turbines: data files, OpenFAST decks, steady operation.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(turbine_app, name="turbine")


@turbine_app.command("list")
def turbine_list(json: Json = False) -> None:
    """List the turbines that come with the program."""
    with mendable():
        rows = [{"name": name, "source": load(name).source, "licence": load(name).licence} for name in turbines()]
        if json:
            print_json(rows)
        else:
            for row in rows:
                say(f"{row['name']}  {row['source']}")


def _quantity(option: str, text: str | None, dimension: str) -> float | None:
    """A quantity of the command line in SI, of a known dimension."""

    if text is None:
        return None
    try:
        return to_si(text, DIMENSIONS[dimension])
    except UnitError as error:
        raise fail(f"{option} {text}: {error}{error.hint}") from None


@turbine_app.command("import")
def turbine_import(
    deck: Annotated[Path, typer.Argument(help="Main file of an OpenFAST deck (.fst).")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", callback=writes(".json"), help="Write the data file here (.json).")
    ] = None,
    power: Annotated[str | None, typer.Option(help="Rated electric power, such as '5 MW'.")] = None,
    speed: Annotated[str | None, typer.Option(help="Rated rotor speed, such as '12.1 rpm'.")] = None,
    json: Json = False,
) -> None:
    """Make a data file of this program from an OpenFAST deck of a geared turbine."""
    with mendable():
        made = read_deck(
            deck,
            rated_power=_quantity("--power", power, "power"),
            rated_speed=_quantity("--speed", speed, "rotational speed"),
        )
        path = save(made, output or Path(f"{made.name}.json"))
        if json:
            print_figures(
                {
                    "file": path,
                    "name": made.name,
                    "elements": len(made.element_radius),
                    "notes": list(made.notes),
                    "rated_wind": made.rated_wind,
                    "gear_ratio": made.gear_ratio,
                }
            )
            return
        say(
            f"{made.name}: rotor of {made.diameter:.4g} m, ratio {made.gear_ratio:.5g}, rated at {made.rated_wind:.4g} m/s"
        )
        say_remarks(made.notes)
        say(f"wrote {path}; use it as turbine.data in a set-up")


@turbine_app.command("steady")
def turbine_steady(
    turbine: Annotated[str, typer.Argument(help="Name, data file (.json) or deck (.fst) of a turbine.")] = "nrel-5mw",
    json: Json = False,
) -> None:
    """Show steady operation over wind speed: rotor speed, pitch, power, thrust, region."""
    with mendable():
        found = gearwright.steady_operation(turbine)
        if json:
            print_json(found.to_dict()["points"])
        else:
            show(found, json)
