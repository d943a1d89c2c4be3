"""``gearwright examples`` and ``gearwright verify``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import gearwright as gw
from gearwright.commands import Program
from gearwright.console import Json, mendable, print_json, say, show, writes
from gearwright.parts import whole
from gearwright.progress import each
from gearwright.schema.read import example_path
from gearwright.targets.run import verify as computed
from gearwright.targets.table import markdown


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(verify)
    app.add_typer(examples_app, name="examples")


examples_app = Program(help="List, print or copy the drivetrains that come with the program.")


def verify(
    prefix: Annotated[
        list[str] | None, typer.Argument(help="Begins of target ids, such as S1 or LIT.1. Without any: all targets.")
    ] = None,
    json: Json = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", callback=writes(".md"), help="Write the table as a page (.md).")
    ] = None,
) -> None:
    """Compute the targets of the literature and hold them against what is printed there."""
    with mendable():
        found = computed(prefix or ())
        if output is not None:
            with whole(output) as part:
                part.write_text(markdown(found.outcomes), encoding="utf-8")
        if json:
            print_json(found.to_dict()["outcomes"])
        else:
            show(found, json)
        if any(row.status == "fail" for row in found.outcomes):
            raise typer.Exit(1)


@examples_app.command("list")
def examples_list(json: Json = False) -> None:
    """List names and sources of the shipped examples."""
    with mendable():
        rows = [(name, gw.load(name).source or "") for name in each("example", gw.examples())]
        if json:
            print_json([{"name": n, "source": s} for n, s in rows])
        else:
            width = max(len(n) for n, _ in rows)
            for name, source in rows:
                say(f"{name:<{width}}  {source}")


@examples_app.command("show")
def examples_show(name: Annotated[str, typer.Argument()]) -> None:
    """Print the file of an example."""
    with mendable():
        sys.stdout.write(example_path(name).read_text(encoding="utf-8"))


@examples_app.command("copy")
def examples_copy(
    name: Annotated[str, typer.Argument()],
    to: Annotated[Path, typer.Argument(help="Folder or file to write to.")] = Path("."),
) -> None:
    """Copy an example, and the series it reads, to edit them."""
    with mendable():
        for path in gw.copy_example(name, to):
            say(f"wrote {path}")
