"""The page of ``gearwright modes``: Campbell diagram, crossings ranked by energy, modes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gearwright.errors import DrivetrainError
from gearwright.figures.campbell import Campbell, campbell_figure, crossings_table
from gearwright.figures.format import number
from gearwright.figures.tables import Table, numbers, words
from gearwright.remarks import remarks_in

from .blocks import Section, missing
from .document import Page


def campbell_page(data: Mapping[str, Any], output: str | Path) -> Path:
    """Write the page of the modes and the Campbell diagram: ``name, fidelity, law, frequencies_hz, damping_ratios, kinds,
    energies, campbell`` and the three lists of remarks, as :func:`gearwright.analyses.model.modes_of_file` gives them.

    Raises ValueError if there is nothing to draw.
    """
    campbell = Campbell.read(data["campbell"])
    figure = campbell_figure(campbell)
    if figure is None:
        raise ValueError("no frequencies over speed to draw")
    crossings = campbell.crossings
    table = crossings_table(crossings) if crossings else missing("No excitation meets a mode.")
    sections = [Section("campbell", "Campbell diagram", [figure, table]), Section("modes", "Modes", [_modes(data)])]
    facts = [
        f"fidelity {data['fidelity']}",
        f"law {data['law']}",
        f"operating speed {number(data['campbell']['operating_rpm'])} rpm",
    ]
    title = f"Campbell diagram of {data['name']}"
    return Page(title, str(data["name"]), sections, facts, remarks=remarks_in(data)).write(output)


def _modes(data: Mapping[str, Any]) -> Table:
    """Frequencies, damping, kinds, and the two elements with most energy."""
    columns = [*numbers("Mode", "Frequency [Hz]", "Damping ratio [%]"), *words("Kind", "Strain energy in")]
    rows: list[list[Any]] = []
    for i, f in enumerate(data["frequencies_hz"]):
        damping = data["damping_ratios"][i]
        share = sorted(data["energies"][i].items(), key=lambda item: -item[1])[:2]
        where = ", ".join(f"{name} {100 * value:.0f} %" for name, value in share)
        rows.append([i + 1, f, None if damping is None else 100.0 * damping, data["kinds"][i], where])
    return Table("modes", "Modes", columns, rows)


def write_campbell(data: dict[str, Any], path: Path) -> None:
    """Write the Campbell diagram of :func:`modes_of_file` as a page.

    Raises DrivetrainError without an operating speed.
    """
    if not data["campbell"]:
        raise DrivetrainError(
            "a Campbell diagram needs an operating speed: give operating: {input: ..., speed: ...} in the file"
        )
    campbell_page(data, path)
