"""The page of tooth stresses: the surface over path and pass with its projections, four points, every tooth."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from gearwright.analyses.tooth_stress import ToothStress
from gearwright.figures.figures import Figure, Trace, axis, heatmap, layout, line, plot
from gearwright.figures.format import number
from gearwright.figures.palette import DASHES
from gearwright.figures.tables import Column, Table, numbers, words

from .blocks import Section
from .document import Page

#: passes of the surface at most
_MOST = 120


def tooth_report(found: ToothStress, output: str | Path) -> Path:
    """Write the page of tooth stresses."""
    facts = [
        _meaning(found),
        f"{found.passes} passes in {found.duration_s:.4g} s",
        f"{found.teeth_of_wheel} teeth: one stands for {number(found.tooth_time_s, 4)} s",
        f"the same two teeth meet every {found.hunting} passes",
    ]
    sections = [
        Section("surface", "Stress over path and pass", _surface(found)),
        Section("points", "Four points of the path", [_points(found), _points_table(found)]),
        Section("teeth", "Every tooth", [_teeth(found), _teeth_table(found)]),
    ]
    title = f"Tooth stresses of {found.wheel} in {found.mesh}"
    return Page(title, found.mesh, sections, facts, remarks=found.remarks).write(output)


def _surface(found: ToothStress) -> list[Figure]:
    surface = found.surface
    step = max(1, math.ceil(len(surface.number) / _MOST))
    z = 1e-6 * surface.stress[::step]
    x = (1e3 * surface.s).tolist()
    y = (surface.number[::step] - surface.number[0]).tolist()
    values = [[None if not math.isfinite(v) else round(float(v), 2) for v in row] for row in z]
    top = float(np.nanmax(z))
    sentence = f"{_meaning(found)} over the path of contact and the passes: up to {number(top, 4)} MPa."
    path, passes, stress = axis("arc s of gear one [mm]"), axis("pass"), axis("stress [MPa]")
    scene = {"xaxis": axis("arc s [mm]"), "yaxis": passes, "zaxis": stress}
    body = {**heatmap(x, y, values, "MPa"), "type": "surface"}
    shape = plot("surface", sentence, [body], {"scene": scene, "height": 520})
    says = "The same from above: two pairs share the force where it is darker."
    above = plot("map", says, [heatmap(x, y, values, "MPa")], layout(path, passes, 360))
    low, mean, high = (1e-6 * f(surface.stress, axis=0) for f in (np.nanmin, np.nanmean, np.nanmax))
    lines = [
        line(name, x, v.tolist(), token, dash)
        for name, v, token, dash in (
            ("smallest", low, "wheel", "dot"),
            ("mean", mean, "ink", "solid"),
            ("largest", high, "pinion", "dash"),
        )
    ]
    peak = f"Over the path: mean up to {number(float(np.nanmax(mean)), 4)} MPa."
    side = plot("projection-path", peak, lines, layout(path, stress))
    over = 1e-6 * np.nanmax(surface.stress, axis=1)
    largest = line("largest", (surface.number - surface.number[0]).tolist(), over.tolist(), "pinion")
    front = plot(
        "projection-pass", "Largest stress of every pass along its path.", [largest], layout(passes, stress, 320)
    )
    return [shape, above, side, front]


def _points(found: ToothStress) -> Figure:
    own = found.own
    step = max(1, math.ceil(len(own.number) / 2000))
    traces = []
    for i, (point, token) in enumerate(zip(found.points, ("wheel", "sun", "ink", "pinion"), strict=True)):
        kept = np.isfinite(own.stress[::step, i])
        time, stress = own.time[::step, i][kept].tolist(), (1e-6 * own.stress[::step, i][kept]).tolist()
        traces.append(line(point.name, time, stress, token, DASHES[i], 1))
    worst = max(found.points, key=lambda p: p.mean)
    sentence = f"Stress at four points of the path over time: the mean is largest at the {worst.name}, {number(1e-6 * worst.mean, 4)} MPa."
    return plot("points", sentence, traces, layout("time [s]", "stress [MPa]", 360))


def _points_table(found: ToothStress) -> Table:
    heads = numbers("Smallest", "Mean", "Largest", "Pressure of Hertz", unit="Pa")
    columns = [*words("Point"), Column("Arc s [mm]"), *heads]
    rows = [[p.name, 1e3 * p.s, p.smallest, p.mean, p.largest, p.pressure] for p in found.points]
    return Table("points", f"{_meaning(found)} at four points", columns, rows)


def _meaning(found: ToothStress) -> str:
    """What the stresses are, as the head of a table."""
    return f"{found.meaning[0].upper()}{found.meaning[1:]} ({number(found.factor, 4)} of the pressure of Hertz)"


def _teeth(found: ToothStress) -> Figure:
    x = [t.tooth + 1 for t in found.teeth]
    traces: list[Trace] = [
        {
            "type": "bar",
            "name": name,
            "x": x,
            "y": [1e-6 * getattr(t, name) for t in found.teeth],
            "marker": {"color": colour},
        }
        for name, colour in (("largest", "@pinion"), ("mean", "@wheel"))
    ]
    top = max(found.teeth, key=lambda t: t.largest if math.isfinite(t.largest) else 0.0)
    sentence = (
        f"Pitch point stress by tooth: tooth {top.tooth + 1} sees the largest, {number(1e-6 * top.largest, 4)} MPa."
    )
    return plot("teeth", sentence, traces, layout("tooth", "stress [MPa]", barmode="group"))


def _teeth_table(found: ToothStress) -> Table:
    columns = numbers("Tooth", "Passes", "Mean [Pa]", "Largest [Pa]", "Pressure of Hertz [Pa]", "Damage of the record")
    rows = [
        [t.tooth + 1, t.passes, t.mean, t.largest, t.pressure, math.nan if t.damage is None else t.damage]
        for t in found.teeth
    ]
    note = "Passes of all meshes of the wheel. " + (
        "Which tooth meets which planet follows from their places."
        if found.offsets_exact
        else "Phases of the meshes are assumed: which tooth meets which planet is rounded."
    )
    return Table("teeth", f"Teeth of {found.wheel}: {found.meaning} at the pitch point", columns, rows, note=note)
