"""The page of an efficiency map: colour over input speed and torque, or a curve where only one of them varies; a table."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.analyses.power_flow import EfficiencyMap
from gearwright.figures.figures import Figure, axis, heatmap, layout, line, plot
from gearwright.figures.format import number
from gearwright.figures.tables import Column, Table, numbers

from .blocks import Section
from .document import Page

_RPM = 30.0 / math.pi


def efficiency_figure(found: EfficiencyMap) -> Figure:
    """Efficiency [%] of a map (:func:`gearwright.analyses.power_flow.efficiency_map`); empty where a drive locks itself."""
    speed, torque = _RPM * np.asarray(found.speeds_rad_s, float), np.asarray(found.torques_nm, float)
    values = 100.0 * np.array(found.efficiency, float)
    speeds, torques = axis("input speed [rpm]"), axis("input torque [N m]")
    sentence = _sentence(values, speed, torque)
    note = "Steady power flow at each point. No colour: the drive locks itself, or drag takes all that comes in."
    if len(speed) > 1 and len(torque) > 1:
        known = values[~np.isnan(values)]
        low, high = (float(np.quantile(known, 0.1)), float(known.max())) if known.size else (0.0, 100.0)
        note += f" Colours end at {number(low, 3)} %, below which a tenth of the points lie; the table has all values."
        hover = "%{x:.5g} rpm, %{y:.5g} N m: %{z:.3f} %<extra></extra>"
        trace = heatmap(
            speed.tolist(),
            torque.tolist(),
            _cells(values.T),
            "efficiency [%]",
            zmin=low,
            zmax=max(high, low + 1e-3),
            hovertemplate=hover,
        )
        return plot("efficiency-map", sentence, [trace], layout(speeds, torques, 440), note)
    over, across = (speed, speeds) if len(speed) > 1 else (torque, torques)
    trace = line("efficiency", over.tolist(), _cells(values.reshape(1, -1))[0], mode="lines+markers")
    return plot("efficiency-map", sentence, [trace], layout(across, "efficiency [%]", 360), note)


def _cells(values: Any) -> list[list[float | None]]:
    return [[None if math.isnan(x) else round(float(x), 5) for x in line] for line in values]


def _sentence(values: Any, speed: Any, torque: Any) -> str:
    if np.isnan(values).all():
        return "The drive locks itself, or drag takes all that comes in, at every point."

    def at(flat: int) -> str:
        i, j = np.unravel_index(flat, values.shape)
        return f"{number(float(values[i, j]), 4)} % at {number(float(speed[i]), 4)} rpm and {number(float(torque[j]), 4)} N m"

    best, least = int(np.nanargmax(values)), int(np.nanargmin(values))
    if values.flat[best] - values.flat[least] < 1e-9:
        return (
            f"Efficiency {number(float(values.flat[best]), 5)} % everywhere: nothing here depends on speed or torque."
        )
    return f"Efficiency: best {at(best)}, least {at(least)}."


def write_efficiency_page(found: EfficiencyMap, output: str | Path) -> Path:
    """Write the page of an efficiency map."""
    columns = [*numbers("Input speed [rad/s]"), *(Column(f"at {t:g} N m", "%") for t in found.torques_nm)]
    rows = [
        [w, *(math.nan if e is None else 100.0 * e for e in cells)]
        for w, cells in zip(found.speeds_rad_s, found.efficiency, strict=True)
    ]
    table = Table("efficiency", "Efficiency by input speed and torque", columns, rows)
    sections = [
        Section("map", "Efficiency", [efficiency_figure(found)]),
        Section("table", "Table", [table]),
    ]
    facts = [f"input {found.input}", f"output {found.output}"] + ([f"case {found.case}"] if found.case else [])
    page = Page(f"Efficiency of {found.name}", found.name, sections, facts, remarks=found.remarks)
    return page.write(output)
