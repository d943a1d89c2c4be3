"""Page of a sweep up and down in frequency: amplitudes and loss of contact of every mesh, both ways."""

from __future__ import annotations

from pathlib import Path

from gearwright.analyses.sweep import Sweep
from gearwright.figures.figures import axis, layout, line, plot
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Section
from .document import Page


def write_sweep_page(found: Sweep, name: str, path: str | Path) -> Path:
    """Write the page of a :class:`gearwright.analyses.sweep.Sweep`."""
    sections = []
    swept = "load" if found.of == "load" else "mesh"
    for j, mesh in enumerate(found.meshes):
        blocks: list[Block] = []
        ranges = found.bistable(mesh)
        two = " and ".join(f"{a:.5g} to {b:.5g} Hz" for a, b in ranges)
        sentence = f"{mesh} has two answers from {two}." if two else f"{mesh} answers the same both ways."
        for key, title, factor, note in (
            ("peak_to_peak", "deflection, peak to peak [um]", 1e6, ""),
            ("loss", "time without contact [%]", 100.0, ""),
        ):
            traces = [
                line(
                    way,
                    found.frequency.tolist(),
                    (factor * answers[key][:, j]).tolist(),
                    colour,
                    mode="lines+markers",
                    marker={"symbol": symbol, "size": 6},
                )
                for way, answers, colour, symbol in (
                    ("up", found.up, "sun", "triangle-up"),
                    ("down", found.down, "wheel", "triangle-down"),
                )
            ]
            drawn = layout(f"{swept} frequency [Hz]", axis(title, rangemode="tozero"))
            what = sentence if key == "peak_to_peak" else f"Share of time in which no flank of {mesh} touches."
            blocks.append(plot(f"{mesh}-{key}", what, traces, drawn, note))
        rows = [
            [jump.direction, min(jump.between), max(jump.between), 1e6 * jump.before, 1e6 * jump.after]
            for jump in found.jumps
            if jump.mesh == mesh
        ]
        if rows:
            columns = [*words("Way"), *numbers("From Hz", "To Hz", "Before um", "After um")]
            blocks.append(Table(f"jumps-{mesh}", "Jumps", columns, rows))
        sections.append(Section(f"mesh{j + 1}", mesh, blocks))
    facts = [f"{len(found.frequency)} frequencies of the {swept}, up and down", f"method {found.method}"]
    return Page(f"{name}, sweep", name, sections, facts, head=f"Sweep of {name}").write(path)
