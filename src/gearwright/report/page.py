"""The report: one HTML file that opens from disk, without a network.

``report(result, output)`` reads a result file and writes the page: plotly.js once, data as base64, styles and script
inside. The page's security policy allows no connection and no script but its own.

What the result's attributes hold for it, all JSON strings, all optional (a section says what is missing):

``describe_json``
    ``{"train": train_record(train), "degrees_of_freedom": int}``; the train gives scheme, bodies, stiffness sources,
    tooth numbers, ratios and notes.
``assumed``, ``notes``, ``warnings``
    lists of sentences (:mod:`gearwright.remarks`).
``modes_json``
    ``{"frequencies_hz": [f], "damping_ratios": [zeta or null], "kinds": [str], "energies": [{element: share}]}``,
    one entry a mode.
``campbell_json``
    ``{"speeds_rpm": [n], "frequencies_hz": [[f of mode i at every speed]], "lines": [{"name", "order"}],
    "crossings": [{"mode", "line", "speed_rpm", "frequency_hz", "share", "margin"}], "operating_rpm": n or [n0, n1]}``;
    ``order`` counts per turn of the shaft whose speed is on the axis, ``mode`` from 1, ``margin`` is
    (crossing - operating) / operating speed.
``powerflow_json``
    ``PowerFlow.as_dict()`` of a rigid train at its operating point (:mod:`gearwright.cases.powerflow`).
``case_json``
    the case as in the file; ``name`` and ``events`` (``at`` in seconds, ``type``) are used.

Plain attributes used: ``name`` or ``drivetrain``, ``case``, ``date`` (or ``created``), ``fidelity``, ``law``,
``method``, ``method_reason``, ``drivetrain_text``, ``energy_error``, ``wall_s``, ``real_time_factor``,
``recorded_torque_correlation``, ``incomplete``, and what :class:`gearwright.results.Recorder` writes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

from gearwright.parts import whole
from gearwright.progress import each

from . import section_view
from .book import Book, missing
from .figures import MOST, Figure, Gallery
from .format import embedded_json, number, seconds, slug, text
from .palette import COLOURS, FILL_SUN
from .reading import Run
from .scheme import scheme
from .section_loads import chosen_series, planet_meshes
from .sections import SECTIONS, key_figures
from .series import Store


def report(result_path: str | os.PathLike[str], output: str | os.PathLike[str],
           ratings: Mapping[str, Any] | str | None = None) -> Path:  # fmt: skip
    """Write the report of a result file.

    Parameters
    ----------
    result_path : netCDF result of a run
    output : HTML file to write; its folder is made; written beside it first and then put in place
    ratings : of :func:`gearwright.cases.life.life_of`, or why there are none; None: not asked for

    Returns
    -------
    Path : of the page

    Raises
    ------
    ResultError : the file is missing, cut off or not a result
    """
    from ..results import Result

    source, target = Path(result_path), Path(output)
    with Result.reading(source) as result:
        html = page(Run(result.dataset, source), ratings)
    return write_page(html, target)


def write_page(html: str, target: Path) -> Path:
    """Write a page so that it is there whole or not at all; its folder is made."""
    with whole(target) as part:
        part.write_text(html, encoding="utf-8", newline="\n")
    return target


def page(run: Run, ratings: Mapping[str, Any] | str | None = None) -> str:
    """The HTML of a run."""
    channels = sum(min(len(run.elements(kind)), MOST) for kind, _ in chosen_series(run)) + len(planet_meshes(run))
    book = Book(run, Gallery(Store(run.times, channels)), _case(run), ratings=ratings)
    # sections of what a run may have besides (clutches, a vehicle) are left out where it has none
    sections = [(key, title, html) for key, title, function in each("section", SECTIONS) if (html := function(book))]
    scripts, styles = section_view.assets(book)
    axis = book.gallery.store.axis() if len(run.times) else {"start": 0.0, "step": 0.0}
    return document(f"{_name(run)}, {_case(run)}", _name(run), _first_screen(run, book), sections,
                    book.gallery.figures, book.tables, axis, book.gallery.store.payload, scripts, styles)  # fmt: skip


def document(
    title: str, name: str, header: str, sections: Sequence[tuple[str, str, str]], figures: Mapping[str, Figure],
    tables: Mapping[str, Any], axis: Mapping[str, float] | None = None, channels: Any = None,
    scripts: Sequence[str] = (), styles: str = "",
) -> str:  # fmt: skip
    """A whole page: styles, navigation, header, sections (key, title, HTML), figures and tables as data, scripts.

    ``name`` heads the navigation and downloads; ``axis`` and ``channels`` are those of series over time; ``scripts``
    and ``styles`` are what a section needs besides (the three-dimensional view).
    """
    from plotly.offline import get_plotlyjs

    body = "".join(
        f'<section id="{key}" aria-labelledby="{key}-head"><h2 id="{key}-head">{head}</h2>{html}</section>'
        for key, head, html in sections
    )
    links = "".join(f'<li><a href="#{key}">{head}</a></li>' for key, head, _ in sections)
    scripts = [get_plotlyjs().replace("\r\n", "\n"), _asset("series.js"), _asset("report.js"), *scripts]
    data = {
        "file": slug(name),
        "axis": axis or {"start": 0.0, "step": 0.0},
        "figures": {key: figure.spec for key, figure in figures.items()},
        "channels": {} if channels is None else channels,
        "tables": tables,
        "colours": COLOURS,
    }
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{text(title)}</title><style>{_colours()}{_asset('report.css')}{styles}</style></head><body>"
        '<a class="skip" href="#main">Skip to the report</a><div class="frame">'
        '<nav aria-label="Sections"><button type="button" class="menu" aria-expanded="false" aria-controls="menu">'
        f'Sections</button><ol id="menu"><li><a href="#top">{text(name)}</a></li>{links}</ol></nav>'
        f'<main id="main">{header}{body}'
        "<footer>Gearwright. Forces and torques in kN and kN m, speeds in rpm; downloads in SI.</footer></main></div>"
        '<noscript><p class="missing">The figures of this page need JavaScript; its tables do not.</p></noscript>'
        f'<script type="application/json" id="data">{embedded_json(data)}</script>'
        + "".join(f"<script>{script}</script>" for script in scripts)
        + "</body></html>\n"
    )


def _first_screen(run: Run, book: Book) -> str:
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
    html = f'<header id="top"><h1>{text(_name(run))}</h1><p class="facts-line">'
    html += "".join(f"<span>{text(fact)}</span>" for fact in facts) + "</p>"
    if reason := run.attribute("incomplete"):
        html += f'<p class="alarm" role="alert">This run ended early: {text(reason)}</p>'
    if run.train is None and run.json("mechanism_json"):
        pass  # the animation shows it
    elif run.train is None:
        html += missing("No scheme: the result does not hold the expanded drivetrain (describe_json).")
    else:
        html += f'<div class="scheme-wide">{scheme(run.train)}</div>'
        html += f'<div class="scheme-narrow">{scheme(run.train, upright=True)}</div>'
    return html + key_figures(book) + "</header>"


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


def _asset(name: str) -> str:
    body = resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")
    return body.replace("\r\n", "\n").replace("</script", "<\\/script")


def _policy(scripts: list[str]) -> str:
    """No connection, no script but those of this page, by their hashes."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _colours() -> str:
    def block(side: int) -> str:
        return "".join(f"--c-{token}:{pair[side]};" for token, pair in COLOURS.items())

    light = f"{block(0)}--f-sun:{FILL_SUN};"
    dark = f"{block(1)}--f-sun:{COLOURS['sun'][1]};"
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
