"""The sections of a run's page in order, the energy book, the inputs, and the five figures of the first screen.

Every section is a function from a :class:`~gearwright.figures.book.Book` to blocks. What a result does not hold is said
in the place where it would stand.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable

from gearwright.figures import figures
from gearwright.figures.book import Book
from gearwright.figures.campbell import Campbell, closest
from gearwright.figures.format import DASH, NARROW_SPACE, finite, number, quantity, seconds
from gearwright.figures.format import words as plain
from gearwright.figures.sharing import Sharing
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Card, Cards, Listing, Source, missing
from .power_page import picture_blocks
from .section_contact import contact
from .section_events import events
from .section_loads import fatigue, loads, series, sharing, spectra
from .section_model import assumed, model, modes
from .section_motion import phases, vehicle
from .section_orders import orders
from .section_ratings import ratings
from .section_teeth import teeth
from .section_view import animation

# --- energy, inputs ------------------------------------------------------------------------------------------


def energy(book: Book) -> list[Block]:
    """The energy book and its closure."""
    run = book.run
    book_of_run = run.result.energy
    if book_of_run is None:
        return [missing("The result holds no energy book.")]
    terms = {name: v for name, v in book_of_run.terms.items() if math.isfinite(v)}
    if not terms:
        return [missing("The energy book is empty.")]
    total = sum(abs(v) for v in terms.values()) or 1.0
    columns = [*words("Term"), *numbers("Energy [J]", "Of the sum of all terms [%]")]
    note = "Positive: supplied to the motion."
    if (error := run.attribute("energy_error")) is not None:
        note += f" The terms leave over {number(float(error), 3)} of the largest energy or work of the run."
    rows = [[name, v, 100.0 * v / total] for name, v in terms.items()]
    return [figures.energy_figure(terms), Table("energy", "Energy book", columns, rows, note=note)]


#: what stands in sections of its own
_SHOWN_ELSEWHERE = frozenset(
    [
        "mechanism_json",
        "powerflow_json",
        "modes_json",
        "modes_problem",
        "campbell_json",
        "describe_json",
        "drivetrain_text",
        "drivetrain_json",
        "case_json",
        "contact_json",
        "assumed",
        "notes",
        "warnings",
    ]
)
#: Units of facts whose names do not end in one.
_FACT_UNITS = {"block_interval": " [s]", "computed_torque_std": " [N m]", "recorded_torque_std": " [N m]"}


def inputs(book: Book) -> list[Block]:
    """Every attribute of the file, the case, and the text of the drivetrain file."""
    run = book.run
    rows = [["result file", run.path.name]] + [
        [plain(str(name)) + _FACT_UNITS.get(str(name), ""), _said(value)]
        for name, value in sorted(run.attributes.items())
        if name not in _SHOWN_ELSEWHERE
    ]
    blocks: list[Block] = [
        Table("attributes", "Versions, tolerances and figures of the run", words("Fact", "Value"), rows)
    ]
    for title, name in (("The case", "case_json"), ("The drivetrain file", "drivetrain_text")):
        body = run.attribute(name)
        blocks.append(Source(title, str(body)) if body else missing(f"{title} is not in the result."))
    if run.problems:
        blocks.append(Listing(tuple(run.problems), head="What could not be read", style="warnings"))
    return blocks


def _said(value: object) -> str:
    """A value in words: JSON texts as lists of names and values."""
    value = finite(value)
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value)
    if isinstance(value, dict):
        return ", ".join(f"{plain(name)}: {_said(entry)}" for name, entry in value.items())
    if isinstance(value, list):
        return "; ".join(_said(entry) for entry in value) or "none"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


# --- first screen --------------------------------------------------------------------------------------------


def key_figures(book: Book) -> Cards:
    """The five figures that matter, each a link to its section."""
    error = book.run.attribute("energy_error")
    value, detail = (DASH, "not booked") if error is None else (number(float(error), 3), "left over by the energy book")
    closure = Card("Energy error", value, detail, "energy")
    loads = [_load_card(book, "mesh", "Largest tooth load"), _load_card(book, "bearing", "Largest bearing load")]
    return Cards([*loads, _fatigue_card(book), _margin_card(book), closure])


def _load_card(book: Book, kind: str, label: str) -> Card:
    found = book.run.largest(kind)
    if found is None or not math.isfinite(found.value):
        return Card(label, DASH, f"no {kind} load in this result", "loads")
    return Card(label, quantity(abs(found.value), found.unit), f"{found.element} at {seconds(found.time)}", "loads")


def _fatigue_card(book: Book) -> Card:
    """DEL of the low-speed shaft, or of the governing mesh of a train without shafts."""
    run = book.run
    shaft, mesh = run.low_speed_shaft(), run.largest("mesh")
    label, kind, name, element = "DEL of the low-speed shaft", "shaft", "torque", shaft
    if shaft is None and mesh is not None:
        label, kind, name, element = "DEL of the tooth force", "mesh", mesh.quantity, mesh.element
    exponents, equivalents = run.equivalents(kind, name)
    if element is None or element not in equivalents:
        return Card(label, DASH, "nothing counted", "loads")
    i = exponents.index(4.0) if 4.0 in exponents else 0
    top, found = run.extreme(kind, name, element), equivalents[element][i]
    if top is not None and found < 1e-9 * abs(top.value):
        found = 0.0  # round-off of a steady run
    detail = f"{element}, {plain(name)}, m = {exponents[i]:g}"
    return Card(label, quantity(found, run.unit(kind, name)), detail, "loads")


def _margin_card(book: Book) -> Card:
    shared = {stage: found.mean for stage, found in book.sharing.items() if isinstance(found, Sharing)}
    if shared:
        stage = max(shared, key=lambda name: shared[name])
        return Card("Planet load sharing Kγ", number(shared[stage]), f"{stage}, of mean loads", "sharing")
    crossings = book.campbell.crossings if isinstance(book.campbell, Campbell) else ()
    at = closest(crossings)
    if at is None:
        return Card("Lowest margin", DASH, "no planets, no crossings", "modes")
    worst = crossings[at]
    value = f"{number(100 * abs(worst.margin or 0.0), 3)}{NARROW_SPACE}%"
    return Card("Lowest resonance margin", value, f"{worst.line} with mode {worst.mode}", "modes")


def power_flow(book: Book) -> list[Block]:
    """Picture and words of the steady power flow; nothing unless the run is one of a rigid train."""
    flow = book.run.json("powerflow_json")
    return picture_blocks(flow) if isinstance(flow, dict) else []


SECTIONS: tuple[tuple[str, str, Callable[[Book], list[Block]]], ...] = (
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
