"""The page of ``gearwright modes``: Campbell diagram, crossings ranked by energy, modes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from gearwright.analyses.modes import ModalAnalysis
from gearwright.errors import DrivetrainError
from gearwright.figures.campbell import campbell_figure, crossings_table
from gearwright.figures.format import number
from gearwright.figures.tables import Table, numbers, words

from .blocks import Section, missing
from .document import Page


def write_campbell_page(found: ModalAnalysis, output: str | Path) -> Path:
    """Write the page of the modes of a drivetrain and its Campbell diagram.

    Raises DrivetrainError without an operating speed.
    """
    if found.campbell is None:
        raise DrivetrainError(
            "a Campbell diagram needs an operating speed: give operating: {input: ..., speed: ...} in the file"
        )
    figure = campbell_figure(found.campbell)
    if figure is None:
        raise DrivetrainError("no frequencies over speed to draw")
    crossings = found.campbell.crossings
    table = crossings_table(crossings) if crossings else missing("No excitation meets a mode.")
    sections = [Section("campbell", "Campbell diagram", [figure, table]), Section("modes", "Modes", [_modes(found)])]
    speed = f"operating speed {number(found.campbell.operating[0])} rpm"
    facts = [f"fidelity {found.fidelity}", f"law {found.law}", speed]
    title = f"Campbell diagram of {found.name}"
    return Page(title, found.name, sections, facts, remarks=found.remarks).write(output)


def _modes(found: ModalAnalysis) -> Table:
    """Frequencies, damping, kinds, and the two elements with most energy."""
    columns = [*numbers("Mode", "Frequency [Hz]", "Damping ratio [%]"), *words("Kind", "Strain energy in")]
    rows: list[list[Any]] = []
    for mode, f, damping, kind, where in found.tables[0].rows:
        rows.append([mode, f, 100.0 * damping if math.isfinite(damping) else None, kind, where])
    return Table("modes", "Modes", columns, rows)
