"""The page of tooth stresses: the surface over path and pass with its projections, four points, every tooth."""

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
from .palette import DASHES
from .sheet import Sheet, heading
from .tables import Column, Table

#: passes of the surface at most
_MOST = 120


def tooth_report(data: Mapping[str, Any], output: str | Path) -> Path:
    """Write the page of what :func:`gearwright.cases.tooth_stress.tooth_stress_of` gives."""
    sheet = Sheet()
    facts = [
        _meaning(data), f"{data['passes']} passes in {data['duration_s']:.4g} s", f"{data['teeth_of_wheel']} teeth: one stands for "
        f"{number(data['tooth_time_s'], 4)} s", f"the same two teeth meet every {data['hunting']} passes",
    ]  # fmt: skip
    sections = [
        ("surface", "Stress over path and pass", "".join(sheet.figure(f) for f in _surface(data))),
        ("points", "Four points of the path", sheet.figure(_points(data)) + sheet.table(_points_table(data))),
        ("teeth", "Every tooth", sheet.figure(_teeth(data)) + sheet.table(_teeth_table(data))),
    ]
    if said := remark_lists(remarks_in(data)):
        sections.append(("remarks", "Assumed, notes, warnings", said))
    title = f"Tooth stresses of {data['wheel']} in {data['mesh']}"
    return write_page(
        document(title, data["mesh"], heading(title, facts), sections, sheet.figures, sheet.tables), Path(output)
    )


def _surface(data: Mapping[str, Any]) -> list[Figure]:
    surface = data["surface"]
    step = max(1, math.ceil(len(surface.number) / _MOST))
    z = 1e-6 * surface.stress[::step]
    x = (1e3 * surface.s).tolist()
    y = (surface.number[::step] - surface.number[0]).tolist()
    values = [[None if not math.isfinite(v) else round(float(v), 2) for v in row] for row in z]
    top = float(np.nanmax(z))
    sentence = f"{_meaning(data)} over the path of contact and the passes: up to {number(top, 4)} MPa."
    scene = {
        "xaxis": {"title": {"text": "arc s [mm]"}},
        "yaxis": {"title": {"text": "pass"}},
        "zaxis": {"title": {"text": "stress [MPa]"}},
    }
    shape = plot("surface", sentence, [{"type": "surface", "x": x, "y": y, "z": values, "colorscale": "Viridis",
                                        "colorbar": {"title": {"text": "MPa"}}}], {"scene": scene, "height": 520})  # fmt: skip
    above = plot("map", "The same from above: two pairs share the force where it is darker.",
                 [{"type": "heatmap", "x": x, "y": y, "z": values, "colorscale": "Viridis", "colorbar": {"title": {"text": "MPa"}}}],
                 {"xaxis": {"title": {"text": "arc s of gear one [mm]"}}, "yaxis": {"title": {"text": "pass"}}, "height": 360})  # fmt: skip
    low, mean, high = (1e-6 * f(surface.stress, axis=0) for f in (np.nanmin, np.nanmean, np.nanmax))
    lines = [
        {"type": "scatter", "mode": "lines", "name": name, "x": x, "y": v.tolist(), "line": {"color": f"@{token}", "dash": dash}}
        for name, v, token, dash in (("smallest", low, "wheel", "dot"), ("mean", mean, "ink", "solid"), ("largest", high, "pinion", "dash"))
    ]  # fmt: skip
    side = plot("projection-path", f"Over the path: mean up to {number(float(np.nanmax(mean)), 4)} MPa.", lines,
                {"xaxis": {"title": {"text": "arc s of gear one [mm]"}}, "yaxis": {"title": {"text": "stress [MPa]"}}, "height": 340})  # fmt: skip
    over = 1e-6 * np.nanmax(surface.stress, axis=1)
    front = plot("projection-pass", "Largest stress of every pass along its path.",
                 [{"type": "scatter", "mode": "lines", "name": "largest", "x": (surface.number - surface.number[0]).tolist(),
                   "y": over.tolist(), "line": {"color": "@pinion"}}],
                 {"xaxis": {"title": {"text": "pass"}}, "yaxis": {"title": {"text": "stress [MPa]"}}, "height": 320})  # fmt: skip
    return [shape, above, side, front]


def _points(data: Mapping[str, Any]) -> Figure:
    own = data["own"]
    step = max(1, math.ceil(len(own.number) / 2000))
    traces = []
    for i, (point, token) in enumerate(zip(data["points"], ("wheel", "sun", "ink", "pinion"), strict=True)):
        kept = np.isfinite(own.stress[::step, i])
        traces.append({
            "type": "scatter", "mode": "lines", "name": point["name"], "x": own.time[::step, i][kept].tolist(),
            "y": (1e-6 * own.stress[::step, i][kept]).tolist(), "line": {"color": f"@{token}", "dash": DASHES[i], "width": 1},
        })  # fmt: skip
    worst = max(data["points"], key=lambda p: p["mean"])
    sentence = f"Stress at four points of the path over time: the mean is largest at the {worst['name']}, {number(1e-6 * worst['mean'], 4)} MPa."
    layout = {"xaxis": {"title": {"text": "time [s]"}}, "yaxis": {"title": {"text": "stress [MPa]"}}, "height": 360}
    return plot("points", sentence, traces, layout)


def _points_table(data: Mapping[str, Any]) -> Table:
    columns = [
        Column("Point", words=True),
        Column("Arc s [mm]"),
        Column("Smallest", "Pa"),
        Column("Mean", "Pa"),
        Column("Largest", "Pa"),
        Column("Pressure of Hertz", "Pa"),
    ]
    rows = [[p["name"], 1e3 * p["s"], p["smallest"], p["mean"], p["largest"], p["pressure"]] for p in data["points"]]
    return Table("points", f"{_meaning(data)} at four points", columns, rows)


def _meaning(data: Mapping[str, Any]) -> str:
    """What the stresses are, as the head of a table."""
    return f"{data['stress'][0].upper()}{data['stress'][1:]} ({number(data['factor'], 4)} of the pressure of Hertz)"


def _teeth(data: Mapping[str, Any]) -> Figure:
    x = [t["tooth"] + 1 for t in data["teeth"]]
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "name": "largest",
            "x": x,
            "y": [1e-6 * t["largest"] for t in data["teeth"]],
            "marker": {"color": "@pinion"},
        },
        {
            "type": "bar",
            "name": "mean",
            "x": x,
            "y": [1e-6 * t["mean"] for t in data["teeth"]],
            "marker": {"color": "@wheel"},
        },
    ]
    top = max(data["teeth"], key=lambda t: t["largest"] if math.isfinite(t["largest"]) else 0.0)
    sentence = f"Pitch point stress by tooth: tooth {top['tooth'] + 1} sees the largest, {number(1e-6 * top['largest'], 4)} MPa."
    layout = {
        "xaxis": {"title": {"text": "tooth"}},
        "yaxis": {"title": {"text": "stress [MPa]"}},
        "barmode": "group",
        "height": 340,
    }
    return plot("teeth", sentence, traces, layout)


def _teeth_table(data: Mapping[str, Any]) -> Table:
    columns = [
        Column("Tooth"),
        Column("Passes"),
        Column("Mean", "Pa"),
        Column("Largest", "Pa"),
        Column("Pressure of Hertz", "Pa"),
        Column("Damage of the record"),
    ]
    rows = [
        [
            t["tooth"] + 1,
            t["passes"],
            t["mean"],
            t["largest"],
            t["pressure"],
            math.nan if t["damage"] is None else t["damage"],
        ]
        for t in data["teeth"]
    ]
    note = "Passes of all meshes of the wheel. " + (
        "Which tooth meets which planet follows from their places." if data["offsets_exact"]
        else "Phases of the meshes are assumed: which tooth meets which planet is rounded."
    )  # fmt: skip
    return Table("teeth", f"Teeth of {data['wheel']}: {data['stress']} at the pitch point", columns, rows, note=note)


__all__ = ["tooth_report"]
