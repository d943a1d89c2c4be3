"""``gearwright report`` and ``gearwright orders``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gearwright.console import Json, mendable, number, print_figures, say, table, writes


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(report)
    app.command()(orders)


def report(result: Annotated[Path, typer.Argument(help="A result file (.nc), or the folder of a campaign or a study.")],
           output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the page here (.html).")] = None) -> None:  # fmt: skip
    """Write a result as one HTML page: scheme, modes, loads, spectra, life figures."""
    with mendable():
        if result.is_dir():
            from gearwright.campaigns import Folder

            if Folder(result).plan().kind == "study":
                from gearwright.pages.study_page import study_report as make_of_folder
            else:
                from gearwright.pages.campaign_page import campaign_report as make_of_folder
            path = make_of_folder(result, output or result / "report.html")
        else:
            from gearwright.pages.write import write_report

            path = write_report(result, output)
        say(f"report: {path}")


def orders(result: Annotated[Path, typer.Argument(help="The result (.nc) of a run-up or coast-down.")],
           channel: Annotated[str | None, typer.Option(help="Channel as element.quantity, such as stage1.sun_planet1.normal_force. Without it: the largest tooth load.")] = None,
           shaft: Annotated[str | None, typer.Option(help="Body whose turns count. Without it: the input.")] = None,
           output: Annotated[Path | None, typer.Option("-o", "--output", callback=writes(".html"), help="Write the order map as a page (.html).")] = None,
           json: Json = False) -> None:  # fmt: skip
    """Find the resonances of a run-up or coast-down, and draw its order map."""
    with mendable():
        from gearwright.analyses.modes_of_result import orders_of_result
        from gearwright.pages.section_orders import write_order_page

        data = orders_of_result(result, channel, shaft)
        if output is not None:
            write_order_page(data, output)
        if json:
            print_figures(data)
            return
        rows = [
            [_placed(r), number(r["order"]), number(r["speed_rpm"]), number(r["frequency_hz"]), number(r["amplitude"]),
             number(r["factor"]), str(r["mode"] or ""), number(r["mode_frequency_hz"]), number(r["energy_share"]),
             "" if r["margin"] is None else f"{100 * r['margin']:+.0f} %"]
            for r in data["resonances"]
        ]  # fmt: skip
        head = ["line", "order", "rpm", "frequency Hz", f"amplitude {data['unit']}", "factor", "mode", "mode Hz",
                "energy share", "margin"]  # fmt: skip
        table(f"Resonances of {data['channel']} over {data['shaft']}", head, rows)


def _placed(row: dict[str, Any]) -> str:
    """Name of a line, and the end of the run if its peak lies there."""
    return f"{row['line']} (at the {row['at']})" if row["at"] else str(row["line"])
