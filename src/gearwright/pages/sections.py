"""The sections of a run's page in order, the energy book, the inputs.

Every section is a function from a :class:`~gearwright.figures.book.Book` to blocks. What a result does not hold is said
in the place where it would stand.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable

from gearwright.analyses.modes_of_result import flow_of_result
from gearwright.figures import figures
from gearwright.figures.book import Book
from gearwright.figures.format import finite, number
from gearwright.figures.format import words as plain
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Listing, Source, missing
from .power_page import picture_blocks
from .section_contact import contact
from .section_events import events
from .section_flanks import flanks
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
        "flanks_json",
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


def power_flow(book: Book) -> list[Block]:
    """Picture and words of the steady power flow; nothing unless the run is one of a rigid train."""
    flow = flow_of_result(book.run.attributes)
    return [] if flow is None else picture_blocks(flow)


SECTIONS: tuple[tuple[str, str, Callable[[Book], list[Block]]], ...] = (
    ("assumed", "Assumed, notes, warnings", assumed),
    ("model", "Model", model),
    ("animation", "Animation", animation),
    ("powerflow", "Power flow", power_flow),
    ("teeth", "Teeth", teeth),
    ("contact", "Tooth contact", contact),
    ("flanks", "Dynamic factors and flanks", flanks),
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
