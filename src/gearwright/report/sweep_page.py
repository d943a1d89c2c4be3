"""Page of a sweep up and down in frequency: amplitudes and loss of contact of every mesh, both ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .figures import plot
from .page import document, write_page
from .sheet import Sheet, heading
from .tables import Column, Table


def sweep_page(found: Any, name: str, path: str | Path) -> Path:
    """Write the page of a :class:`gearwright.cases.sweep.Sweep`."""
    sheet = Sheet()
    sections = []
    swept = "load" if found.of == "load" else "mesh"
    for j, mesh in enumerate(found.meshes):
        html = ""
        ranges = found.bistable(mesh)
        two = " and ".join(f"{a:.5g} to {b:.5g} Hz" for a, b in ranges)
        sentence = f"{mesh} has two answers from {two}." if two else f"{mesh} answers the same both ways."
        for key, title, factor, note in (
            ("peak_to_peak", "deflection, peak to peak [um]", 1e6, ""),
            ("loss", "time without contact [%]", 100.0, ""),
        ):
            traces = [
                {"type": "scatter", "mode": "lines+markers", "name": way, "x": found.frequency.tolist(),
                 "y": (factor * answers[key][:, j]).tolist(), "line": {"color": f"@{colour}"},
                 "marker": {"symbol": symbol, "size": 6}}
                for way, answers, colour, symbol in (
                    ("up", found.up, "sun", "triangle-up"), ("down", found.down, "wheel", "triangle-down"))
            ]  # fmt: skip
            layout = {"height": 340, "xaxis": {"title": {"text": f"{swept} frequency [Hz]"}},
                      "yaxis": {"title": {"text": title}, "rangemode": "tozero"}}  # fmt: skip
            what = sentence if key == "peak_to_peak" else f"Share of time in which no flank of {mesh} touches."
            html += sheet.figure(plot(f"{mesh}-{key}", what, traces, layout, note))
        rows = [
            [jump.direction, min(jump.between), max(jump.between), 1e6 * jump.before, 1e6 * jump.after]
            for jump in found.jumps if jump.mesh == mesh
        ]  # fmt: skip
        if rows:
            columns = [
                Column("Way", words=True),
                Column("From Hz"),
                Column("To Hz"),
                Column("Before um"),
                Column("After um"),
            ]
            html += sheet.table(Table(f"jumps-{mesh}", "Jumps", columns, rows))
        sections.append((f"mesh{j + 1}", mesh, html))
    facts = [f"{len(found.frequency)} frequencies of the {swept}, up and down", f"method {found.method}"]
    page = document(f"{name}, sweep", name, heading(f"Sweep of {name}", facts), sections, sheet.figures, sheet.tables)
    return write_page(page, Path(path))


__all__ = ["sweep_page"]
