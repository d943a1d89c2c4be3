"""The page of ``gearwright modes``: Campbell diagram, crossings ranked by energy, modes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gearwright.remarks import remarks_in

from .book import missing, remark_lists
from .campbell import campbell_figure, crossings_of, crossings_table
from .format import number
from .page import document, write_page
from .sheet import Sheet, heading
from .tables import Column, Table


def campbell_page(data: Mapping[str, Any], output: str | Path) -> Path:
    """Write the page of the modes and the Campbell diagram: ``name, fidelity, law, frequencies_hz, damping_ratios, kinds,
    energies, campbell`` and the three lists of remarks, as :func:`gearwright.cases.analyse.modes_of_file` gives them.

    Raises ValueError if there is nothing to draw.
    """
    sheet = Sheet()
    figure = campbell_figure(data["campbell"])
    if figure is None:
        raise ValueError("no frequencies over speed to draw")
    crossings = crossings_of(data["campbell"])
    table = sheet.table(crossings_table(crossings)) if crossings else missing("No excitation meets a mode.")
    sections = [
        ("campbell", "Campbell diagram", sheet.figure(figure) + table),
        ("modes", "Modes", sheet.table(_modes(data))),
    ]
    if said := remark_lists(remarks_in(data)):
        sections.append(("remarks", "Assumed, notes, warnings", said))
    title = f"Campbell diagram of {data['name']}"
    facts = [
        f"fidelity {data['fidelity']}",
        f"law {data['law']}",
        f"operating speed {number(data['campbell']['operating_rpm'])} rpm",
    ]
    page = document(title, str(data["name"]), heading(title, facts), sections, sheet.figures, sheet.tables)
    return write_page(page, Path(output))


def _modes(data: Mapping[str, Any]) -> Table:
    """Frequencies, damping, kinds, and the two elements with most energy."""
    columns = [Column("Mode"), Column("Frequency", "Hz"), Column("Damping ratio", "%"), Column("Kind", words=True),
               Column("Strain energy in", words=True)]  # fmt: skip
    rows: list[list[Any]] = []
    for i, f in enumerate(data["frequencies_hz"]):
        damping = data["damping_ratios"][i]
        share = sorted(data["energies"][i].items(), key=lambda item: -item[1])[:2]
        where = ", ".join(f"{name} {100 * value:.0f} %" for name, value in share)
        rows.append([i + 1, f, None if damping is None else 100.0 * damping, data["kinds"][i], where])
    return Table("modes", "Modes", columns, rows)
