"""Tooth contact: pressure of every pair over roll angle, at the begin and at the end of the run; statics of the same teeth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gearwright.figures import figures
from gearwright.figures.book import Book
from gearwright.figures.figures import Figure, Trace, plot
from gearwright.figures.format import number
from gearwright.figures.reading import family
from gearwright.figures.tables import Table, numbers, words
from gearwright.laws import tooth_contact_pair as P
from gearwright.results import ResultError
from gearwright.results.contact import Course, at_rest, contact_course, contact_laws
from gearwright.system import Law

from .blocks import Block, missing

#: meshes that are drawn
_MESHES = 4
#: mesh cycles at either end of the run
_CYCLES = 3.0
#: forces at rest as parts of the mean one, and those drawn over the cycle
_PARTS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
_SHOWN = ((0.25, "muted", "dot"), (0.5, "wheel", "dash"), (1.0, "pinion", "solid"), (1.5, "sun", "dashdot"))


def contact(book: Book) -> list[Block]:
    """The section; nothing where the run had another law."""
    run = book.run
    laws = contact_laws(run.attributes)
    if not laws:
        return []
    blocks: list[Block] = [_table(book, laws)]
    chosen = [m for m in figures.governing(run, "mesh", "contact_pressure", len(laws)) if m in laws] or list(laws)
    families = list(dict.fromkeys(family(m) for m in chosen))
    for name in families[:_MESHES]:
        mesh = next(m for m in chosen if family(m) == name)
        drawn, why = _courses(book, mesh)
        blocks += [*drawn, *([missing(why)] if why else []), *_rest(book, mesh, laws[mesh])]
    return blocks


def _table(book: Book, laws: dict[str, Law]) -> Table:
    run = book.run
    pressures, forces = (run.statistics("mesh", q) for q in ("contact_pressure", "force"))
    wedged = run.statistics("mesh", "wedging_force")
    rows: list[list[Any]] = []
    for mesh, law in laws.items():
        p = law.parameters
        lost = math.nan
        drive, coast = run.series("mesh", "drive_force", mesh), run.series("mesh", "coast_force", mesh)
        if drive is not None and coast is not None:
            lost = 100.0 * float(np.mean((drive <= 0.0) & (coast <= 0.0)))
        held = wedged.get(mesh, {}).get("maximum", math.nan)
        rows.append(
            [
                mesh,
                (p[P.END] - p[P.START]) / p[P.PITCH],
                pressures.get(mesh, {}).get("mean", math.nan),
                pressures.get(mesh, {}).get("maximum", math.nan),
                forces.get(mesh, {}).get("maximum", math.nan),
                lost,
                held,
            ]
        )
    columns = [
        *words("Mesh"),
        *numbers(
            "Contact ratio", "Pressure, mean [Pa]", "Pressure, largest [Pa]", "Force, largest [N]", "No contact [%]"
        ),
        *numbers("Both flanks [N]"),
    ]
    note = (
        "Pressure: Hertz, of the pair that has most. No contact: share of the stored samples. Both flanks: the larger force "
        "that both sides of a tooth carried at once; a tooth that carries it for long is wedged."
    )
    return Table("contact", "Tooth contact", columns, rows, note=note)


def _courses(book: Book, mesh: str) -> tuple[list[Figure], str]:
    """Pressure and force of every pair over roll angle; or why they cannot be drawn."""
    run = book.run
    try:
        end = contact_course(run.result, mesh, cycles=_CYCLES)
    except ResultError as error:
        return [], f"No course of the pairs: {error}"
    try:
        begin: Course | None = contact_course(run.result, mesh, begin=float(run.times[0]), cycles=_CYCLES)
    except ResultError:
        begin = None
    wheel = run.train.meshes[mesh].between[0] if run.train is not None and mesh in run.train.meshes else "wheel 1"
    layout: Trace = {"xaxis": {"title": {"text": f"roll angle of {wheel} [deg]"}}, "height": 360}
    found = []
    for key, title, unit, factor, column in (
        ("pressure", "Contact pressure", "MPa", 1e-6, 3),
        ("share", "Force of a pair", "kN", 1e-3, 2),
    ):
        top = factor * max((float(one[column].max()) for one in end.passes()), default=0.0)
        if not top > 0.0:
            continue
        traces = []
        if begin is not None:
            traces.append(_trace(begin, 0, column, factor, "begin of the run", "muted", "dot"))
        traces.append(_trace(end, 0, column, factor, "end of the run", "pinion", "solid"))
        if (end.flank == 1).any():
            traces.append(_trace(end, 1, column, factor, "end of the run, coast flank", "wheel", "dash"))
        sentence = f"{title} of {mesh} over roll angle: up to {number(top, 4)} {unit} at the end of the run."
        axis: Trace = {"title": {"text": f"{title.lower()} [{unit}]"}, "rangemode": "tozero"}
        found.append(
            plot(
                f"contact-{key}-{mesh}",
                sentence,
                traces,
                {**layout, "yaxis": axis},
                f"Every line is one pair of teeth rolling through, {_CYCLES:g} mesh cycles.",
            )
        )
    return found, ""


def _trace(course: Course, flank: int, column: int, factor: float, name: str, token: str, dash: str) -> Trace:
    """All pairs of a flank as one trace, broken between them."""
    x: list[float | None] = []
    y: list[float | None] = []
    for one in course.passes(flank):
        x += [*np.degrees(one[1]).round(4).tolist(), None]
        y += [*(factor * one[column]).round(4).tolist(), None]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": x,
        "y": y,
        "line": {"color": f"@{token}", "dash": dash, "width": 1.4},
    }


def _rest(book: Book, mesh: str, law: Law) -> list[Figure]:
    """The mesh at rest: transmission error and stiffness over the cycle under parts of the mean force, error over torque."""
    row = book.run.statistics("mesh", "force").get(mesh)
    if row is None or not abs(row.get("mean", 0.0)) > 0.0:
        return []
    mean = abs(row["mean"])
    try:
        found = {part: at_rest(law, part * mean) for part in _PARTS}
    except ValueError:
        return []
    swing = 1e6 * float(np.ptp(found[1.0].error))
    average = 1e-9 * float(found[1.0].stiffness.mean())
    made = []
    for key, unit, factor, sentence in (
        ("error", "transmission error [µm]", 1e6, f"at rest under the mean force the transmission error swings by {number(swing, 3)} µm"),
        ("stiffness", "stiffness [kN/µm]", 1e-9, f"stiffness at rest over the cycle, {number(average, 3)} kN/µm on average under the mean force"),
    ):  # fmt: skip
        traces = [
            {
                "type": "scatter",
                "mode": "lines",
                "name": f"{number(1e-3 * part * mean, 3)} kN",
                "x": found[part].phase.tolist(),
                "y": (factor * getattr(found[part], key)).round(5).tolist(),
                "line": {"color": f"@{token}", "dash": dash},
            }
            for part, token, dash in _SHOWN
        ]
        layout: Trace = {
            "xaxis": {"title": {"text": "mesh cycle from entry of a pair"}, "range": [0, 1]},
            "height": 330,
            "yaxis": {"title": {"text": unit}, "rangemode": "tozero"},
        }
        made.append(
            plot(
                f"contact-{key}-{mesh}",
                f"{mesh}: {sentence}.",
                traces,
                layout,
                "Along the line of action, all teeth alike.",
            )
        )
    rb1 = law.parameters[P.RB1]
    torque = [1e-3 * part * mean * rb1 for part in found]
    waves = np.array([2.0 * np.abs(np.fft.rfft(one.error))[1:4] / len(one.error) for one in found.values()])
    columns = [("peak to peak", np.array([np.ptp(one.error) for one in found.values()]), "pinion", "solid")]
    columns += [(f"harmonic {k + 1}", waves[:, k], token, "dash") for k, token in enumerate(("wheel", "sun", "muted"))]
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": torque,
            "y": (1e6 * values).round(5).tolist(),
            "line": {"color": f"@{token}", "dash": dash},
        }
        for name, values, token, dash in columns
    ]
    least = min(found, key=lambda part: float(np.ptp(found[part].error)))
    wheel = book.run.train.meshes[mesh].between[0] if book.run.train is not None else "wheel 1"
    layout = {
        "xaxis": {"title": {"text": f"torque of {wheel} [kN m]"}, "rangemode": "tozero"},
        "height": 330,
        "yaxis": {"title": {"text": "transmission error [µm]"}, "rangemode": "tozero"},
    }
    # a smallest swing at the least torque drawn says only that the error grows with the load
    sentence = f"{mesh}: the static transmission error over torque, "
    sentence += "growing with it." if least == min(found) else f"least at {number(least, 3)} of the mean torque."
    made.append(
        plot(
            f"contact-torque-{mesh}", sentence, traces, layout, "Amplitudes of the mesh harmonics, and the whole swing."
        )
    )
    return made
