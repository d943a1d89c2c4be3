"""Page of ``gearwright bearing``: load zone, stiffness, life and passing frequencies of every rolling bearing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.analyses.bearings import BearingRating, BearingRatings
from gearwright.figures.figures import Figure, plot, polar_layout
from gearwright.figures.format import number
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Section
from .document import Page

_RPM = 30.0 / math.pi


def write_bearing_page(found: BearingRatings, path: str | Path) -> Path:
    """Write the page of rated bearings. Those that are equal in all respects (the planets of a stage) share a section."""
    sections: list[Section] = []
    for names in _alike(found.bearings):
        b = found.bearings[names[0]]
        blocks: list[Block] = [_zone(names, b), _facts(names[0], b), _stiffness(names[0], b)]
        sections.append(Section(f"bearing{len(sections) + 1}", ", ".join(names), blocks))
    facts = [found.operating, f"{len(found.bearings)} bearings"]
    title = f"Rolling bearings of {found.name}"
    return Page(title, found.name, sections, facts, remarks=found.remarks).write(path)


def _alike(found: Mapping[str, BearingRating]) -> list[list[str]]:
    groups: list[list[str]] = []
    for name, b in found.items():
        for group in groups:
            other = found[group[0]]
            if (
                b.geometry == other.geometry
                and b.ratings == other.ratings
                and all(
                    math.isclose(getattr(b.load, k), getattr(other.load, k), rel_tol=1e-6, abs_tol=1e-9)
                    for k in ("radial", "axial", "speed")
                )
            ):
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def _zone(names: list[str], b: BearingRating) -> Figure:
    """Load of every element by its place; 0 degrees is the direction of the radial load on the inner ring."""
    g, contact = b.geometry, b.contact
    rows, count = int(g.rows), int(g.elements)
    loads = 1e-3 * np.asarray(contact.element_loads, float).reshape(rows, -1)
    angles = np.arange(loads.shape[1]) * 360.0 / loads.shape[1]
    width = 0.8 / rows * 360.0 / loads.shape[1]
    data = [
        {
            "type": "barpolar",
            "name": f"row {i + 1}" if rows > 1 else "element load",
            "r": row.tolist(),
            "theta": (angles + (i - 0.5 * (rows - 1)) * width).tolist(),
            "width": [width] * len(row),
            "marker": {"color": f"@{('wheel', 'sun')[i % 2]}"},
            "hovertemplate": "%{r:.4g} kN at %{theta:.1f}°",
        }
        for i, row in enumerate(loads)
    ]
    peak = 1e-6 * max(contact.pressure_inner, contact.pressure_outer)
    sentence = (
        f"Load zone of {names[0]}{f' and {len(names) - 1} alike' if len(names) > 1 else ''}: {contact.loaded_elements} of "
        f"{count * rows} elements carry load, the most {number(1e-3 * contact.largest_element_load)} kN "
        f"(Stribeck factor {number(contact.stribeck_factor)}, {number(peak)} MPa)."
    )
    drawn = polar_layout({"title": {"text": "load [kN]"}}, 420, 270, showlegend=rows > 1)
    note = "0° is the direction of the radial load on the inner ring, drawn downwards."
    return plot(f"zone-{names[0]}", sentence, data, drawn, note)


def _facts(name: str, b: BearingRating) -> Table:
    load, life, contact, hz = b.load, b.life, b.contact, b.frequencies["hz"]
    line = contact.iec_61400_4
    rows: list[list[Any]] = [
        ["type", b.type.replace("_", " ") + (f", {load.count} side by side" if load.count > 1 else ""), ""],
        ["radial load, axial load", f"{number(1e-3 * load.radial)}, {number(1e-3 * load.axial)}", "kN"],
        ["speed of inner against outer ring", number(load.speed * _RPM), "rpm"],
        ["dynamic rating C", f"{number(1e-3 * b.ratings.dynamic)} ({b.ratings.dynamic_source})", "kN"],
        ["static rating C0", f"{number(1e-3 * b.ratings.static)} ({b.ratings.static_source})", "kN"],
        ["equivalent load P, one bearing", number(1e-3 * life.equivalent_load), "kN"],
        ["basic life L10h (ISO 281)", number(life.basic_life_hours, 5), "h"],
        ["modified life L10mh (ISO 281)", f"needs {life.modified_life_needs}" if life.modified_life_hours is None
         else number(life.modified_life_hours, 5), "h"],
        ["reference life L10rh (ISO/TS 16281)", number(life.reference_life_hours, 5), "h"],
        ["static safety", number(life.static_safety), ""],
        ["pressure, inner and outer ring (Hertz)",
         f"{number(1e-6 * contact.pressure_inner)}, {number(1e-6 * contact.pressure_outer)}", "MPa"],
        ["largest pressure by IEC 61400-4", number(1e-6 * line.largest_pressure) if line else "", "MPa"],
        ["elements a row", f"{b.geometry.elements}"
         + (" (estimated)" if b.geometry.estimated and not b.geometry.elements_given else ""), ""],
        ["BPFO, BPFI, BSF, FTF of that number", ", ".join(number(hz[k], 5) for k in ("bpfo", "bpfi", "bsf", "ftf")), "Hz"],
    ]  # fmt: skip
    return Table(
        f"facts-{name}",
        "Loads, life, stress",
        words("Quantity", "Value", "Unit"),
        [row for row in rows if row[1] != ""],
    )


def _stiffness(name: str, b: BearingRating) -> Table:
    order, matrix = b.stiffness.order, np.asarray(b.stiffness.matrix, float)
    largest = np.abs(matrix).max()
    rows = [
        [motion, *(float(v) if abs(v) > 1e-12 * largest else 0.0 for v in row)]
        for motion, row in zip(order, matrix, strict=True)
    ]
    columns = [*words("Load along"), *numbers(*(f"by {m}" for m in order))]
    return Table(f"stiffness-{name}", "Stiffness at this load [N/m, N/rad, N m/m, N m/rad]", columns, rows)
