"""``gearwright reliability``."""

from __future__ import annotations

import math
from typing import Annotated, Any

import typer

from gearwright.console import Json, mendable, number, print_json, table

Samples = Annotated[int, typer.Option("--samples", min=0, help="Samples of the checks; 0 leaves them out.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(reliability)


def reliability(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Limit states (variables, constants, expression), or a shipped one.")],
    samples: Samples = 100_000,
    seed: Annotated[int, typer.Option(help="Of the samples.")] = 0,
    engine: Annotated[str | None, typer.Option(help="openturns or hlrf; default openturns where installed.")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Probability of failure by FORM, importance factors, sampling as a check, sweep of a constant, series system."""
    with mendable():
        from gearwright.cases.reliability import reliability_of_file

        data = reliability_of_file(file, samples=samples, seed=seed, engine=engine)
        if json:
            print_json(data)
            return
        for state in data["limit_states"]:
            _state(state)
        for sweep in data["sweep"]:
            rows = [
                [f"{point['value']:g}", number(point["beta"]), number(point["probability"], 3)]
                for point in sweep["points"]
            ]
            table(
                f"{sweep['limit_state']}: sensitivity to {sweep['constant']}", [sweep["constant"], "beta", "p_f"], rows
            )
        if data["series"] is not None:
            s = data["series"]
            typer.echo(f"series of {len(data['limit_states'])}: p_f {s['probability']:.4g} (beta {s['beta']:.4f}), bounds "
                       f"{s['low']:.4g} to {s['high']:.4g}, if independent {s['independent']:.4g}")  # fmt: skip


def _state(state: dict[str, Any]) -> None:
    rows = [[name, v["distribution"], number(v["alpha"], 3), number(v["importance"], 3), f"{v['design']:.6g}"]
            for name, v in state["variables"].items()]  # fmt: skip
    table(f"{state['name']}: beta {state['beta']:.4f}, p_f {state['probability']:.4g} ({state['engine']})",
          ["variable", "distribution", "alpha", "alpha^2", "design point"], rows)  # fmt: skip
    for check in state["checks"]:
        if check["method"] == "hlrf":
            typer.echo(f"check hlrf: beta {check['beta']:.4f}")
        elif math.isnan(check["beta"]):
            typer.echo(
                f"check {check['method']}, {check['samples']} samples: no failure (p_f below about {3 * check['error']:.1g})"
            )
        else:
            typer.echo(f"check {check['method']}, {check['samples']} samples: p_f {check['probability']:.4g} "
                       f"+- {check['error']:.2g} (beta {check['beta']:.4f})")  # fmt: skip
