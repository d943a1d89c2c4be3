"""The report of a run.

``report(result, output)`` reads a result file and writes the page. What the result's attributes hold for it, all JSON
strings, all optional (a section says what is missing):

``describe_json``
    ``{"train": train_record(train), "degrees_of_freedom": int}``; the train gives scheme, bodies, stiffness sources,
    tooth numbers, ratios and notes.
``assumed``, ``notes``, ``warnings``
    lists of sentences (:mod:`gearwright.remarks`).
``modes_json``, ``campbell_json``
    of older results (:func:`gearwright.analyses.modes_of_result.modal_of_result` has their layout).
``drivetrain_json``
    the file as it was run: modes, Campbell diagram and the power flow of a rigid train are computed from it.
``case_json``
    the case as in the file; ``name`` and ``events`` (``at`` in seconds, ``type``) are used.

Plain attributes used: ``name`` or ``drivetrain``, ``case``, ``date`` (or ``created``), ``fidelity``, ``law``,
``method``, ``method_reason``, ``drivetrain_text``, ``energy_error``, ``wall_s``, ``real_time_factor``,
``recorded_torque_correlation``, ``incomplete``, and what :class:`gearwright.results.Recorder` writes.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path

from gearwright.analyses.modes_of_result import modal_of_result
from gearwright.analyses.rating_sheet import RatingSheet
from gearwright.figures.book import Book, chosen_series
from gearwright.figures.figures import MOST
from gearwright.figures.format import number, seconds
from gearwright.figures.reading import Run
from gearwright.figures.scheme import scheme
from gearwright.figures.series import Store
from gearwright.figures.sharing import planet_meshes
from gearwright.progress import each
from gearwright.results import Result

from .blocks import Block, Drawing, Section, missing
from .document import Page
from .first_page import first_page, marks
from .sections import SECTIONS


def report(
    result_path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    ratings: RatingSheet | str | None = None,
) -> Path:
    """Write the report of a result file.

    Parameters
    ----------
    result_path : netCDF result of a run
    output : HTML file to write; its folder is made; written beside it first and then put in place
    ratings : the rating sheet of the result, or why there is none; None: not asked for

    Returns
    -------
    Path : of the page

    Raises
    ------
    ResultError : the file is missing, cut off or not a result
    """
    source = Path(result_path)
    with Result.reading(source) as result:
        run = Run(result, modal_of_result(result.attributes))
        return page(run, ratings).write(Path(output))


def page(run: Run, ratings: RatingSheet | str | None = None) -> Page:
    """The page of a run."""
    channels = sum(min(len(run.elements(kind)), MOST) for kind, _ in chosen_series(run)) + len(planet_meshes(run))
    book = Book(run, Store(run.times, channels), ratings)
    # sections of what a run may have besides (clutches, a vehicle) are left out where it has none
    sections = [Section(key, title, function(book)) for key, title, function in each("section", SECTIONS)]
    name, case = _name(run), _case(run)
    reason = run.attribute("incomplete")
    return Page(
        f"{name}, {case}",
        name,
        sections,
        _facts(run),
        [*first_page(book, _scheme(run, ratings))],
        head=name,
        file=run.path.name,
        alarm=f"This run ended early: {reason}" if reason else "",
        case=case,
        store=book.store,
    )


def _facts(run: Run) -> list[str]:
    facts = [f"Case {_case(run)}", _date(run)]
    if len(run.times) > 1:
        step = float(run.times[-1] - run.times[0]) / (len(run.times) - 1)
        # the first sample of a run stands at the end of its interval, that of a mechanism at the start
        begin = float(run.times[0]) - (step if run.times[0] > 0.0 else 0.0)
        facts.append(f"{seconds(float(run.times[-1]) - begin)} simulated")
    if (factor := run.attribute("real_time_factor")) is not None:
        speed = float(factor)
        facts.append(f"{number(speed, 3)} times faster than real time" if speed > 1.0 else "slower than real time")
    if (match := run.attribute("recorded_torque_correlation")) is not None:
        facts.append(f"correlation with the recorded torque {number(float(match))}")
    return facts


def _scheme(run: Run, ratings: RatingSheet | str | None) -> list[Block]:
    if run.train is not None:
        found = marks(ratings) if isinstance(ratings, RatingSheet) else []
        wide, narrow = scheme(run.train, marks=found), scheme(run.train, upright=True, marks=found)
        return [Drawing(wide, style="scheme-wide"), Drawing(narrow, style="scheme-narrow")]
    if run.json("mechanism_json"):
        return []  # the animation shows it
    return [missing("No scheme: the result does not hold the expanded drivetrain (describe_json).")]


def _name(run: Run) -> str:
    train = run.train
    name = run.attribute("name") or run.attribute("drivetrain") or (train.name if train is not None else "")
    return str(name or run.path.stem)


def _case(run: Run) -> str:
    case = run.json("case_json")
    name = run.attribute("case") or (case.get("name") if isinstance(case, dict) else None)
    return str(name or "not named")


def _date(run: Run) -> str:
    stamp = run.attribute("date") or run.attribute("created")
    if stamp:
        return re.sub(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?(Z|\+00:00)$", r"\1 \2 UTC", str(stamp))
    try:
        return datetime.fromtimestamp(run.path.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except OSError:
        return "date unknown"
