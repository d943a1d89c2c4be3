"""Page of a drivetrain designed from ratings: stages, layouts side by side, mesh frequencies over speed, the file."""

from __future__ import annotations

import math
from pathlib import Path

from gearwright.figures.figures import axis, layout, line, plot
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.sizing.new import NewDrivetrain

from .blocks import Block, Section, Source, Words
from .document import Page

_COLOURS = ("sun", "wheel", "pinion", "carrier")


def new_page(found: NewDrivetrain, path: str | Path) -> Path:
    """Write the page of a :class:`gearwright.sizing.new.NewDrivetrain`."""
    sections = [Section("stages", "Stages", [_stages(found), _frequencies(found)])]
    if found.alternatives:
        sections.append(Section("layouts", "Layouts side by side", [*_layouts(found)]))
    sections.append(Section("file", "File", [Source("The drivetrain file", found.text)]))
    facts = [
        f"{1e-6 * found.power:.4g} MW, {1e-3 * found.torque:.4g} kN m at the rotor",
        f"ratio {found.ratio:.5g}, wanted {found.wanted_ratio:.5g}",
        f"about {1e-3 * found.mass:.3g} t, {found.torque / found.mass:.3g} N m/kg",
    ]
    return Page(
        f"{found.name}, designed",
        found.name,
        sections,
        facts,
        head=f"{found.name}: {found.layout}",
        remarks=found.remarks,
    ).write(path)


def _stages(found: NewDrivetrain) -> Table:
    """Stages with teeth, size, safeties."""
    rows = [
        [
            s.stage,
            s.teeth,
            s.ratio,
            1e3 * s.module,
            1e3 * s.face_width,
            1e3 * s.centre_distance,
            s.pitting,
            s.bending,
            s.governs,
        ]
        for s in found.stages
    ]
    columns = [
        *words("Stage", "Teeth"),
        *numbers("Ratio", "Module mm", "Width mm", "Centre distance mm", "S_H", "S_F"),
        *words("Governs"),
    ]
    return Table(
        "stages-table",
        "Teeth (sun/planet/ring or pinion/wheel), size and least safeties at rated torque",
        columns,
        rows,
    )


def _frequencies(found: NewDrivetrain) -> Block:
    """Mesh frequencies over the speed of the rotor."""
    rated = found.power / found.torque * 30.0 / math.pi
    speeds = [rated * k / 10.0 for k in range(13)]
    traces = [
        line(s.stage, speeds, [s.mesh_frequency * n / rated for n in speeds], _COLOURS[i % len(_COLOURS)])
        for i, s in enumerate(found.stages)
    ]
    drawn = layout("rotor speed [rpm]", axis("mesh frequency [Hz]", rangemode="tozero"))
    return plot("mesh-frequencies", "Mesh frequencies over speed", traces, drawn, f"rated speed {rated:.4g} rpm")


def _layouts(found: NewDrivetrain) -> list[Block]:
    """The alternatives as a table, the lightest marked, and why others are not among them."""
    made = [a for a in found.alternatives if a.mass is not None]
    rows = [
        [
            a.layout,
            a.mass,
            1e3 * (a.diameter or 0.0),
            a.pitting,
            a.bending,
            a.planet_life,
            a.first_mode,
            ", ".join(f"{f:.4g}" for f in a.mesh_frequencies),
        ]
        for a in made
    ]
    columns = [
        *words("Layout"),
        Column("Mass", "kg"),
        *numbers("Largest diameter mm", "S_H", "S_F", "Planet bearings L10 h", "First mode Hz"),
        *words("Mesh frequencies Hz"),
    ]
    best = min(range(len(made)), key=lambda i: made[i].mass or 0.0)
    table = Table("layouts-table", "Gearboxes of the layouts that make the ratio", columns, rows, governing=best)
    return [table, *(Words(f"{a.layout}: {a.why}") for a in found.alternatives if a.why)]
