"""The page of an efficiency map: colour over input speed and torque, or a curve where only one of them varies; a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.remarks import remarks_in

from .book import remark_lists
from .figures import Figure, plot
from .format import number
from .page import document, write_page
from .sheet import Sheet, heading
from .tables import Column, Table

_RPM = 30.0 / math.pi


def efficiency_figure(data: Mapping[str, Any]) -> Figure:
    """Efficiency [%] of a map (:func:`gearwright.cases.powerflow.efficiency_map`); empty where a drive locks itself."""
    speed, torque = _RPM * np.asarray(data["speeds_rad_s"], float), np.asarray(data["torques_nm"], float)
    values = 100.0 * np.array(data["efficiency"], float)
    title = {"text": "efficiency [%]"}
    speeds, torques = {"title": {"text": "input speed [rpm]"}}, {"title": {"text": "input torque [N m]"}}
    sentence = _sentence(values, speed, torque)
    note = "Steady power flow at each point. No colour: the drive locks itself, or drag takes all that comes in."
    trace: dict[str, Any]
    if len(speed) > 1 and len(torque) > 1:
        known = values[~np.isnan(values)]
        low, high = (float(np.quantile(known, 0.1)), float(known.max())) if known.size else (0.0, 100.0)
        note += f" Colours end at {number(low, 3)} %, below which a tenth of the points lie; the table has all values."
        trace = {"type": "heatmap", "x": speed.tolist(), "y": torque.tolist(), "z": _cells(values.T), "colorscale": "Viridis",
                 "zmin": low, "zmax": max(high, low + 1e-3), "colorbar": {"title": title}, "hovertemplate": "%{x:.5g} rpm, %{y:.5g} N m: %{z:.3f} %<extra></extra>"}  # fmt: skip
        return plot("efficiency-map", sentence, [trace], {"xaxis": speeds, "yaxis": torques, "height": 440}, note)
    over, axis = (speed, speeds) if len(speed) > 1 else (torque, torques)
    line = _cells(values.reshape(1, -1))[0]
    trace = {"type": "scatter", "mode": "lines+markers", "x": over.tolist(), "y": line, "name": "efficiency"}
    return plot("efficiency-map", sentence, [trace], {"xaxis": axis, "yaxis": {"title": title}, "height": 360}, note)


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


def efficiency_page(data: Mapping[str, Any], output: str | Path) -> Path:
    """Write the page of an efficiency map."""
    sheet = Sheet()
    columns = [Column("Input speed", "rad/s"), *(Column(f"at {t:g} N m", "%") for t in data["torques_nm"])]
    rows = [
        [w, *(math.nan if e is None else 100.0 * e for e in line)]
        for w, line in zip(data["speeds_rad_s"], data["efficiency"], strict=True)
    ]
    table = Table("efficiency", "Efficiency by input speed and torque", columns, rows)
    sections = [("map", "Efficiency", sheet.figure(efficiency_figure(data))), ("table", "Table", sheet.table(table))]
    if said := remark_lists(remarks_in(data)):
        sections.append(("remarks", "Assumed, notes, warnings", said))
    title = f"Efficiency of {data['name']}"
    facts = [f"input {data['input']}", f"output {data['output']}"] + ([f"case {data['case']}"] if data["case"] else [])
    html = document(title, str(data["name"]), heading(title, facts), sections, sheet.figures, sheet.tables)
    return write_page(html, Path(output))
