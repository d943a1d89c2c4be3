"""Order map of a run-up or coast-down: a section of the report, and a page of its own."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.analyses.orders import OrderMap, order_map_of
from gearwright.figures import figures
from gearwright.figures.book import Book
from gearwright.figures.figures import Figure, Trace, plot
from gearwright.figures.format import number, quantity, screen_unit
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.results.order_table import OrderError

from .blocks import Block, Section, missing
from .document import Page

#: points of a drawn map along either axis
_MOST = 400


def orders(book: Book) -> list[Block]:
    """The section: map of the mesh with the largest force, and its resonances; says why if there is none."""
    run = book.run
    speed = run.train.input if run.train is not None else None
    values = None if speed is None else run.speed(speed)
    if values is None or np.ptp(values) < 0.05 * np.abs(values).max():
        return [missing("The input hardly changes its speed: no order map (run-up and coast-down cases have one).")]
    chosen = figures.governing(run, "mesh", "force", 1) or figures.governing(run, "mesh", "drive_force", 1)
    if not chosen:
        return [missing("No mesh force is recorded: no order map.")]
    name = next(q for q in ("force", "drive_force") if q in run.quantities("mesh"))
    try:
        found = order_map_of(run.path, f"{chosen[0]}.{name}", model=run.attributes)
    except OrderError as error:
        return [missing(f"No order map: {error}")]
    if abs(values[-1] - values[0]) < 0.7 * np.ptp(values):  # a speed that wanders passes every resonance many times
        why = missing("The speed wanders in this run: resonances are listed for a run-up or coast-down.")
        return [order_figure(replace(found, resonances=[])), why]
    return [order_figure(found), resonance_table(found)]


def order_figure(found: OrderMap) -> Figure:
    """Speed over order, amplitude as colour on a log scale; each cell holds the largest of what it covers."""
    factor, unit = screen_unit(found.unit)
    amplitude = factor * np.asarray(found.amplitude, float)
    order, speed = np.asarray(found.order, float), np.asarray(found.speed_rpm, float)
    amplitude, order, speed = _thinned(*_by_speed(amplitude, order, speed))
    floor = 1e-4 * float(np.nanmax(amplitude[:, 1:])) or 1.0
    trace = {
        "type": "heatmap",
        "x": order.tolist(),
        "y": speed.tolist(),
        "colorscale": "Viridis",
        "z": [
            [None if math.isnan(v) else v for v in row]
            for row in np.log10(np.maximum(amplitude, floor)).round(3).tolist()
        ],
        "colorbar": {"title": {"text": f"amplitude [{unit}]"}, "tickprefix": "10<sup>", "ticksuffix": "</sup>"},
    }
    peaks = found.resonances
    sentence = f"Order map of {found.channel}, orders of {found.shaft}."
    if peaks:
        top = max(peaks, key=lambda r: r.amplitude)
        sentence += (
            f" The largest resonance is order {number(top.order, 3)} at {number(top.speed_rpm, 4)} rpm: "
            f"{quantity(top.amplitude, found.unit, 3)}."
        )
    layout: Trace = {
        "xaxis": {"title": {"text": "order [-]"}},
        "yaxis": {"title": {"text": f"speed of {found.shaft} [rpm]"}},
        "height": 460,
    }
    return plot(f"orders-{found.channel}", sentence, [trace], layout, found.method + "." if found.method else "")


def _by_speed(amplitude: Any, order: Any, speed: Any) -> tuple[Any, Any, Any]:
    """Blocks in the order of their speed; where the speed goes up and down, the largest of a band of speeds."""
    turns = np.diff(speed)
    if (turns > 0.0).all() or (turns < 0.0).all():
        return amplitude, order, speed
    bands = int(np.clip(len(speed) // 4, 1, 60))
    edges = np.linspace(speed.min(), speed.max(), bands + 1)
    inside = np.clip(np.digitize(speed, edges) - 1, 0, bands - 1)
    found = np.full((bands, amplitude.shape[1]), np.nan)
    for band in np.unique(inside):
        found[band] = amplitude[inside == band].max(axis=0)
    return found, order, 0.5 * (edges[:-1] + edges[1:])


def _thinned(amplitude: Any, order: Any, speed: Any) -> tuple[Any, Any, Any]:
    """The largest amplitude of every few lines and columns, so that a page stays small and loses no peak."""
    for axis, along in ((1, order), (0, speed)):
        step = math.ceil(amplitude.shape[axis] / _MOST)
        if step > 1:
            starts = np.arange(0, amplitude.shape[axis], step)
            amplitude = np.maximum.reduceat(amplitude, starts, axis=axis)
            along = along[starts]
        if axis == 1:
            order = along
        else:
            speed = along
    return amplitude, order, speed


def resonance_table(found: OrderMap) -> Table:
    """Resonances with their modes."""
    columns = [
        *words("Line"),
        *numbers("Order", "Speed [rpm]", "Frequency [Hz]"),
        Column("Amplitude", found.unit),
        *numbers("Factor", "Mode", "Mode [Hz]", "Energy share [%]", "Margin to operating speed [%]"),
    ]
    keys = (
        "order",
        "speed_rpm",
        "frequency_hz",
        "amplitude",
        "factor",
        "mode",
        "mode_frequency_hz",
        "energy_share",
        "margin",
    )
    rows = [
        [f"{r.line} (at the {r.at} of the run)" if r.at else r.line]
        + [
            math.nan if (x := getattr(r, k)) is None else 100.0 * x if k in ("energy_share", "margin") else x
            for k in keys
        ]
        for r in found.resonances
    ]
    note = (
        "Amplitude: largest of the order's envelope, from blocks as short as the sweep asks for (the map's blocks of even revolutions "
        "smear it). Factor: amplitude over the median along the order line. Energy share: of the mode, in what the line shakes. "
        "At the start or end of the run: the resonance may lie beyond; at the start it may be what starting leaves."
    )
    return Table(f"resonances-{found.channel}", f"Resonances of {found.channel}", columns, rows, note=note)


def write_order_page(found: OrderMap, path: Path) -> Path:
    """The order map as a page of its own."""
    sections = [
        Section("map", "Order map", [order_figure(found)]),
        Section("resonances", "Resonances", [resonance_table(found)]),
    ]
    title = f"Orders of {found.channel}"
    return Page(title, title, sections).write(path)
