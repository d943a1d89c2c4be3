"""Extreme loads with what acted at the same instant, and dynamic factors of the meshes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gearwright.figures.figures import governing
from gearwright.figures.reading import Run
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.rating.simulated import lifts_off
from gearwright.results.section_loads import face_load_factor

#: Quantities of the table by kind, and how many elements of each.
WANTED = (
    ("shaft", "torque", 2),
    ("mesh", "force", 2),
    ("bearing", "force", 2),
    ("machine", "torque", 1),
    ("machine", "speed", 1),
)


def channels(run: Run) -> list[tuple[str, str, str]]:
    """Kind, quantity and element of the loads that the table is about: those that govern."""
    found = []
    for kind, quantity, most in WANTED:
        if quantity in run.measured(kind):
            found += [(kind, quantity, e) for e in governing(run, kind, quantity, most)]
    return found


def extremes_table(run: Run) -> Table | None:
    """Rows: largest and smallest value of every governing load; columns: all of them at that instant.

    The extreme itself is that of all computed steps, the others are the stored (filtered) series at its time.
    """
    chosen = channels(run)
    if len(chosen) < 2 or len(run.times) < 2:
        return None
    series = {c: run.series(*c) for c in chosen}
    columns = [*words("Extreme"), *numbers("Time [s]")]
    columns += [
        Column(f"{element} {quantity.replace('_', ' ')}", run.unit(kind, quantity))
        for kind, quantity, element in chosen
    ]
    rows: list[list[Any]] = []
    for kind, quantity, element in chosen:
        row = run.statistics(kind, quantity).get(element, {})
        for label, end in (("max", "maximum"), ("min", "minimum")):
            at, own = row.get(f"time_of_{end}", math.nan), row.get(end, math.nan)
            if not (math.isfinite(at) and math.isfinite(own)):
                continue
            values = []
            for other in chosen:
                if other == (kind, quantity, element):
                    values.append(own)
                    continue
                stored = series[other]
                values.append(math.nan if stored is None else float(np.interp(at, run.times, stored)))
            rows.append([f"{label} {element} {quantity.replace('_', ' ')}", at, *values])
    if not rows:
        return None
    note = "The extreme is that of all computed steps; what acts with it is the stored series at that instant. Partial safety factor 1."
    return Table("contemporaneous", "Extreme loads and what acted with them", columns, rows, note=note)


def dynamic_table(run: Run) -> Table | None:
    """Largest tooth force over its mean: what the run says where a rating would put K_A K_v K_gamma."""
    rows: list[list[Any]] = []
    for element, row in run.statistics("mesh", "force").items():
        mean, high, low = (row.get(k, math.nan) for k in ("mean", "maximum", "minimum"))
        peak = max(abs(high), abs(low))
        if abs(mean) > 1e-9 * peak and math.isfinite(peak):
            rows.append([element, mean, peak, peak / abs(mean), row.get("standard_deviation", math.nan) / abs(mean)])
    if not rows:
        return None
    columns = [*words("Mesh"), *numbers("Mean force [N]", "Peak [N]", "Peak over mean", "Std over mean")]
    faces = _face_loads(run, {row[0]: row[1] for row in rows})
    if faces:
        columns.append(Column("K_Hbeta"))
        rows = [[*row, faces.get(row[0], math.nan)] for row in rows]
    top = int(np.argmax([r[3] for r in rows])) if len(rows) > 1 else None
    note = (
        "The simulated forces hold application, dynamics and load sharing: this ratio stands where ISO 6336 has the "
        "product of K_A, K_v and K_gamma, as far as the law makes them; `gearwright life --sheet` shows the standard's beside."
    )
    if faces:
        note += (
            " K_Hbeta: largest over mean load along the face, of the mean force and its mean moment about the middle."
        )
    return Table("dynamic-factors", "Dynamic factors of the meshes", columns, rows, top, note)


def _face_loads(run: Run, means: dict[str, float]) -> dict[str, float]:
    """K_Hbeta of every mesh whose force has a moment along the face and whose face width is known."""
    train = (run.json("describe_json") or {}).get("train", {})
    record, law = train.get("meshes", {}), str(run.attribute("law", ""))
    slices = int((train.get("model") or {}).get("face_slices") or 2)
    found = {}
    for element, row in run.statistics("mesh", "face_moment").items():
        mesh = record.get(element) or {}
        width = mesh.get("face_width")
        if width and element in means and math.isfinite(row.get("mean", math.nan)):
            lifts = lifts_off(str(mesh.get("law") or law), slices, mesh.get("backlash") is not None)
            found[element] = float(face_load_factor(means[element], row["mean"], width, lifts))
    return found
