"""The page's sections in order, the energy book, the inputs, and the five figures of the first screen.

Every section is a function from a :class:`~gearwright.report.book.Book` to HTML. Strings from files are escaped; what
a result does not hold is said in the place where it would stand.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import figures
from .book import Book, missing
from .campbell import closest, crossings_of
from .format import DASH, NARROW_SPACE, breakable, finite, number, quantity, seconds, text, words
from .power_picture import picture_block
from .reading import Run
from .section_contact import contact
from .section_events import events
from .section_loads import fatigue, loads, series, sharing, spectra
from .section_model import assumed, model, modes
from .section_motion import phases, vehicle
from .section_orders import orders
from .section_ratings import ratings
from .section_teeth import teeth
from .section_view import animation
from .tables import Column, Table

# --- energy, inputs ------------------------------------------------------------------------------------------


def energy(book: Book) -> str:
    """The energy book and its closure."""
    run = book.run
    if "energy" not in run.dataset or "energy_term" not in run.dataset.variables:
        return missing("The result holds no energy book.")
    names = [str(name) for name in run.dataset["energy_term"].values]
    values = np.asarray(run.dataset["energy"].values, dtype=float)
    terms = {name: float(v) for name, v in zip(names, values, strict=True) if math.isfinite(v)}
    if not terms:
        return missing("The energy book is empty.")
    total = sum(abs(v) for v in terms.values()) or 1.0
    rows: list[list[Any]] = [[name, v, 100.0 * v / total] for name, v in terms.items()]
    columns = [Column("Term", words=True), Column("Energy", "J"), Column("Of the sum of all terms", "%")]
    error = run.attribute("energy_error")
    note = "Positive: supplied to the motion."
    if error is not None:
        note += f" The terms leave over {number(float(error), 3)} of the largest energy or work of the run."
    return book.figure(figures.energy_figure(terms)) + book.table(
        Table("energy", "Energy book", columns, rows, note=note)
    )


_SHOWN_ELSEWHERE = frozenset(
    {
        "mechanism_json",
        "powerflow_json",
        "modes_json",
        "campbell_json",
        "describe_json",
        "drivetrain_text",
        "drivetrain_json",
        "case_json",
        "contact_json",
        "assumed",
        "notes",
        "warnings",
    }
)


#: Units of facts whose names do not end in one.
_FACT_UNITS = {"block_interval": " [s]", "computed_torque_std": " [N m]", "recorded_torque_std": " [N m]"}


def inputs(book: Book) -> str:
    """Every attribute of the file, the case, and the text of the drivetrain file."""
    run = book.run
    rows: list[list[Any]] = [
        [words(str(name)) + _FACT_UNITS.get(str(name), ""), _plain(value)]
        for name, value in sorted(run.dataset.attrs.items())
        if name not in _SHOWN_ELSEWHERE
    ]
    rows.insert(0, ["result file", run.path.name])
    html = book.table(
        Table(
            "attributes",
            "Versions, tolerances and figures of the run",
            [Column("Fact", words=True), Column("Value", words=True)],
            rows,
        )
    )
    case = run.attribute("case_json")
    source = run.attribute("drivetrain_text")
    for title, body in (("The case", case), ("The drivetrain file", source)):
        if body:
            html += f'<details><summary>{title}</summary><pre tabindex="0">{text(body)}</pre></details>'
        else:
            html += missing(f"{title} is not in the result.")
    if run.problems:
        items = "".join(f"<li>{text(problem)}</li>" for problem in run.problems)
        html += f'<div class="warnings"><h3>What could not be read</h3><ul>{items}</ul></div>'
    return html


def _plain(value: object) -> str:
    """A value in words: JSON texts as lists of names and values."""
    value = finite(value)
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value)
    if isinstance(value, dict):
        return ", ".join(f"{words(name)}: {_plain(entry)}" for name, entry in value.items())
    if isinstance(value, list):
        return "; ".join(_plain(entry) for entry in value) or "none"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


# --- first screen --------------------------------------------------------------------------------------------


def key_figures(book: Book) -> str:
    """The five figures that matter, each a link to its section."""
    run = book.run
    cards: list[tuple[str, str, str, str]] = []
    for kind, label in (("mesh", "Largest tooth load"), ("bearing", "Largest bearing load")):
        found = run.largest(kind)
        if found is None or not math.isfinite(found.value):
            cards.append((label, DASH, f"no {kind} load in this result", "loads"))
        else:
            detail = f"{found.element} at {seconds(found.time)}"
            cards.append((label, quantity(abs(found.value), found.unit), detail, "loads"))
    cards.append(_fatigue_card(run))
    cards.append(_margin_card(book))
    error = run.attribute("energy_error")
    value = DASH if error is None else number(float(error), 3)
    cards.append(
        ("Energy error", value, "left over by the energy book" if error is not None else "not booked", "energy")
    )
    return '<div class="cards">' + "".join(_card(*card) for card in cards) + "</div>"


def _card(label: str, value: str, detail: str, section: str) -> str:
    return (
        f'<a class="card" href="#{section}"><span class="label">{text(label)}</span>'
        f'<span class="value">{text(value)}</span><span class="detail">{breakable(detail)}</span></a>'
    )


def _fatigue_card(run: Run) -> tuple[str, str, str, str]:
    """DEL of the low-speed shaft, or of the governing mesh of a train without shafts."""
    shaft, mesh = run.low_speed_shaft(), run.largest("mesh")
    label, kind, name, element = "DEL of the low-speed shaft", "shaft", "torque", shaft
    if shaft is None and mesh is not None:
        label, kind, name, element = "DEL of the tooth force", "mesh", mesh.quantity, mesh.element
    exponents, equivalents = run.equivalents(kind, name)
    if element is None or element not in equivalents:
        return label, DASH, "nothing counted", "loads"
    i = exponents.index(4.0) if 4.0 in exponents else 0
    top, found = run.extreme(kind, name, element), equivalents[element][i]
    if top is not None and found < 1e-9 * abs(top.value):
        found = 0.0  # round-off of a steady run
    value = quantity(found, run.unit(kind, name))
    return label, value, f"{element}, {words(name)}, m = {exponents[i]:g}", "loads"


def _margin_card(book: Book) -> tuple[str, str, str, str]:
    if book.k_gamma:
        stage = max(book.k_gamma, key=lambda name: book.k_gamma[name])
        return "Planet load sharing Kγ", number(book.k_gamma[stage]), f"{stage}, of mean loads", "sharing"
    campbell = book.run.json("campbell_json")
    crossings = crossings_of(campbell) if isinstance(campbell, dict) else []
    at = closest(crossings)
    if at is None:
        return "Lowest margin", DASH, "no planets, no crossings", "modes"
    worst = crossings[at]
    value = f"{number(100 * abs(worst['margin']), 3)}{NARROW_SPACE}%"
    return "Lowest resonance margin", value, f"{worst['line']} with mode {worst['mode']}", "modes"


def power_flow(book: Book) -> str:
    """Picture and words of the steady power flow; nothing unless the run is one of a rigid train."""
    flow = book.run.json("powerflow_json")
    return picture_block(flow) if isinstance(flow, dict) else ""


SECTIONS: tuple[tuple[str, str, Callable[[Book], str]], ...] = (
    ("assumed", "Assumed, notes, warnings", assumed),
    ("model", "Model", model),
    ("animation", "Animation", animation),
    ("powerflow", "Power flow", power_flow),
    ("teeth", "Teeth", teeth),
    ("contact", "Tooth contact", contact),
    ("modes", "Modes and Campbell diagram", modes),
    ("series", "Time series", series),
    ("phases", "Free, slipping, locked", phases),
    ("vehicle", "Vehicle", vehicle),
    ("spectra", "Spectra", spectra),
    ("orders", "Orders", orders),
    ("event", "Through the event", events),
    ("sharing", "Planet load sharing", sharing),
    ("loads", "Load tables", loads),
    ("fatigue", "Cycles and durations", fatigue),
    ("ratings", "Ratings", ratings),
    ("energy", "Energy book", energy),
    ("inputs", "Versions and inputs", inputs),
)
