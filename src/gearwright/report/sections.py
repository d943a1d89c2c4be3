"""The sections of the report, one function each: from a :class:`~gearwright.report.reading.Run` to HTML.

Every function returns HTML whose strings from files are escaped, and adds its figures and tables to the
:class:`Book`. What a result does not hold is said in the place where it would stand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..results.derive import load_sharing
from . import figures
from .figures import Figure, Gallery
from .format import finite, number, quantity, seconds, slug, text, words
from .palette import colour_token
from .reading import Array, Run
from .tables import Column, Table, share_bar

TITLES = {
    "mesh": "Tooth meshes",
    "bearing": "Bearings",
    "shaft": "Shafts",
    "machine": "Machines",
    "body": "Bodies",
}
NAMES = {
    ("mesh", "normal_force"): "Tooth force",
    ("mesh", "drive_force"): "Tooth force, drive flank",
    ("mesh", "coast_force"): "Tooth force, coast flank",
    ("bearing", "force"): "Bearing force",
    ("shaft", "torque"): "Shaft torque",
    ("machine", "torque"): "Machine torque",
    ("machine", "power"): "Machine power",
    ("machine", "speed"): "Machine speed",
    ("body", "speed"): "Speed",
}
#: What the page draws over time, in order; a load's first quantity that the file holds stands for it.
SERIES = (
    ("mesh", ("normal_force", "drive_force")),
    ("mesh", ("coast_force",)),
    ("bearing", ("force",)),
    ("bearing", ("force_y",)),
    ("bearing", ("force_z",)),
    ("shaft", ("torque",)),
    ("machine", ("torque",)),
    ("machine", ("power",)),
    ("machine", ("speed",)),
    ("body", ("speed",)),
)


@dataclass
class Book:
    """What the page is made of besides its text."""

    run: Run
    gallery: Gallery
    case: str
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    k_gamma: dict[str, float] = field(default_factory=dict)

    def table(self, table: Table) -> str:
        """HTML of a table; its data are kept for download."""
        self.tables[slug(table.key)] = table.record()
        return table.html()

    def figure(self, figure: Figure | None) -> str:
        """HTML of a figure's place, sentence first, small print below; nothing for None."""
        if figure is None:
            return ""
        self.gallery.add(figure)
        height = figure.spec.get("layout", {}).get("height", 340)
        note = f"{figure.note} " if figure.note else ""
        return (
            f'<figure class="plot" id="figure-{slug(figure.key)}"><figcaption>{text(figure.sentence)}</figcaption>'
            f'<div class="chart" data-figure="{text(figure.key)}" role="img" aria-label="{text(figure.sentence)}" '
            f'style="height:{int(height)}px"></div>'
            f'<p class="note">{text(note)}Load case {text(self.case)}.</p></figure>'
        )


def missing(what: str) -> str:
    """A sentence in the place of something that the result does not hold."""
    return f'<p class="missing">{text(what)}</p>'


def title_of(kind: str, name: str) -> str:
    """``Bearing force y`` for a bearing's ``force_y``."""
    return NAMES.get((kind, name), f"{kind.capitalize()} {words(name)}")


# --- what is assumed -----------------------------------------------------------------------------------------


def assumed(book: Book) -> str:
    """What the file itself says about its data: source, assumptions, limits."""
    source, problem = _file_facts(str(book.run.attribute("drivetrain_text", "")))
    html = ""
    if problem:
        html += missing(problem)
    if source.get("source"):
        html += f"<p>Source of the data: {text(source['source'])}.</p>"
    for key, lead in (
        ("assumed", "Assumed, not measured or published:"),
        ("claims", "The file claims:"),
        ("not_claimed", "The file does not claim:"),
    ):
        entries = source.get(key)
        if isinstance(entries, str):
            entries = [entries]
        if isinstance(entries, list) and entries:
            html += f"<p>{lead}</p><ul>" + "".join(f"<li>{text(entry)}</li>" for entry in entries) + "</ul>"
        elif key == "assumed" and not problem:
            html += "<p>The drivetrain file names no assumption.</p>"
    notes = [note for note in (book.run.train.notes if book.run.train else ()) if note.level == "assumed"]
    if notes:
        html += "<p>Assumed when the file was expanded:</p><ul>"
        html += "".join(f"<li>{text(note.where)}: {text(note.message)}</li>" for note in notes) + "</ul>"
    return html


def _file_facts(source: str) -> tuple[dict[str, Any], str]:
    if not source.strip():
        return {}, "The result does not hold the text of its drivetrain file (attribute drivetrain_text)."
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        facts = YAML(typ="safe", pure=True).load(source)
    except (YAMLError, ValueError, RecursionError) as error:
        return {}, f"The text of the drivetrain file cannot be read: {str(error).splitlines()[0]}"
    return (facts, "") if isinstance(facts, dict) else ({}, "The text of the drivetrain file is not a mapping.")


# --- model ---------------------------------------------------------------------------------------------------


def model(book: Book) -> str:
    """Fidelity, degrees of freedom, bodies, stiffness and its sources, derived values, warnings."""
    from .tables import facts

    run = book.run
    describe = run.json("describe_json") or {}
    train = run.train
    degrees = run.attribute("degrees_of_freedom", describe.get("degrees_of_freedom", "not stated"))
    pairs = [
        ("Fidelity", str(run.attribute("fidelity", "not stated"))),
        ("Law", str(run.attribute("law", "not stated"))),
        ("Degrees of freedom", str(degrees)),
        ("Method", str(run.attribute("method", "not stated"))),
    ]
    if run.attribute("method_reason"):
        pairs.append(("Why this method", str(run.attribute("method_reason"))))
    html = facts(pairs)
    if train is None:
        return html + missing(
            "The result does not hold the expanded drivetrain (describe_json), so its bodies and stiffnesses are "
            "not listed."
        )
    warnings = [f"{note.where}: {note.message}" for note in train.notes if note.level == "warning"]
    warnings += [str(entry) for entry in describe.get("warnings", []) if str(entry) not in warnings]
    if warnings:
        html += '<div class="warnings"><h3>Warnings</h3><ul>'
        html += "".join(f"<li>{text(entry)}</li>" for entry in warnings) + "</ul></div>"
    notes = run.listed("notes")
    if notes:
        html += "<p>What the model does with the file:</p><ul>"
        html += "".join(f"<li>{text(entry)}</li>" for entry in notes) + "</ul>"
    speed = train.speed
    rows: list[list[Any]] = [
        [
            body.name,
            "fixed" if body.fixed else body.role,
            body.inertia,
            body.mass,
            None if speed is None or body.name not in train.ratios else train.ratios[body.name] * speed,
        ]
        for body in train.bodies.values()
    ]
    columns = [
        Column("Body", words=True),
        Column("Role", words=True),
        Column("Inertia", "kg m^2"),
        Column("Mass", "kg"),
        Column("Operating speed", "rad/s"),
    ]
    html += book.table(Table("bodies", "Bodies", columns, rows))
    stiffness = _stiffness_rows(book)
    if stiffness:
        columns = [Column("Element", words=True), Column("What", words=True), Column("Stiffness", "N/m")]
        columns += [Column("Torsional stiffness", "N m/rad"), Column("Source", words=True)]
        html += book.table(Table("stiffness", "Stiffness and where it comes from", columns, stiffness))
    if train.meshes:
        html += _mesh_table(book)
    derived = [note for note in train.notes if note.level == "derived"]
    if derived:
        items = "".join(f"<li>{text(note.where)}: {text(note.message)}</li>" for note in derived)
        html += f"<details><summary>Derived values ({len(derived)})</summary><ul>{items}</ul></details>"
    return html


def _stiffness_rows(book: Book) -> list[list[Any]]:
    train = book.run.train
    assert train is not None
    rows: list[list[Any]] = []
    for mesh in train.meshes.values():
        s = mesh.stiffness
        if s.two_pairs is not None and s.one_pair is not None:
            source = f"two levels: {number(s.two_pairs)} and {number(s.one_pair)} N/m"
        elif s.table is not None:
            source = f"table of {len(s.table)} points over the mesh cycle"
        elif s.fourier is not None:
            source = f"Fourier series of {len(s.fourier)} orders"
        elif s.source is not None:
            source = f"computed ({s.source})"
        else:
            source = "given, constant" if s.mean is not None else "not given"
        rows.append([mesh.name, "mesh", s.mean, None, source])
    for bearing in train.bearings.values():
        block = bearing.stiffness
        if block is None and bearing.torsional is None:
            continue
        source = "given"
        if block is not None and (block[0][0] != block[1][1] or block[0][1] or block[1][0]):
            source = f"given, z: {number(block[1][1])} N/m"
            source += ", coupled" if block[0][1] or block[1][0] else ""
        rows.append([bearing.name, "bearing", None if block is None else block[0][0], bearing.torsional, source])
    for shaft in train.shafts.values():
        rows.append([shaft.name, "shaft", shaft.lateral, shaft.torsional, f"{shaft.between[0]} to {shaft.between[1]}"])
    return rows


def _mesh_table(book: Book) -> str:
    from .reading import mesh_frequency

    run = book.run
    train = run.train
    assert train is not None
    speed = run.input_speed()
    rows: list[list[Any]] = [
        [
            mesh.name,
            "" if mesh.teeth is None else f"{mesh.teeth[0]} / {mesh.teeth[1]}",
            mesh.contact_ratio,
            None if mesh.pressure_angle is None else math.degrees(mesh.pressure_angle),
            mesh.phase,
            mesh.phase_source,
            None if speed is None else mesh_frequency(mesh, train, speed),
        ]
        for mesh in train.meshes.values()
    ]
    columns = [
        Column("Mesh", words=True),
        Column("Teeth", words=True),
        Column("Contact ratio"),
        Column("Working pressure angle", "deg"),
        Column("Phase", "cycles"),
        Column("Phase from", words=True),
        Column("Mesh frequency", "Hz"),
    ]
    note = "Mesh frequencies at the mean speed of the run."
    return book.table(Table("meshes", "Meshes", columns, rows, note=note))


# --- modes ---------------------------------------------------------------------------------------------------


def modes(book: Book) -> str:
    """Table of modes with energies, and the Campbell diagram."""
    run = book.run
    data = run.json("modes_json")
    html = ""
    try:
        html += _modes_table(book, data) if data else missing("The result holds no modes (attribute modes_json).")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        html += missing(f"The modes in the result cannot be read ({error!r}).")
    campbell = run.json("campbell_json")
    if not campbell:
        return html + missing("The result holds no Campbell diagram (attribute campbell_json).")
    try:
        figure = figures.campbell_figure(campbell)
        crossings = sorted(campbell.get("crossings", []), key=lambda c: -float(c.get("share") or 0.0))
        table = _crossings_table(book, crossings) if crossings else ""
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return html + missing(f"The Campbell diagram in the result cannot be read ({error!r}).")
    return html + (book.figure(figure) or missing("The Campbell diagram has no speeds.")) + table


def _modes_table(book: Book, data: dict[str, Any]) -> str:
    frequencies = data["frequencies_hz"]
    damping = data.get("damping_ratios") or [None] * len(frequencies)
    kinds = data.get("kinds") or [""] * len(frequencies)
    energies = data.get("energies") or [{}] * len(frequencies)
    train = book.run.train
    tokens: dict[str, str] = {}
    for shares in energies:
        for element in shares:
            kind = next((k for k in ("mesh", "bearing", "shaft") if element in book.run.elements(k)), "body")
            if train is not None and element in train.shafts:
                kind = "shaft"
            tokens[element] = colour_token(kind, element, train)
    rows: list[list[Any]] = [
        [i + 1, f, None if d is None else 100.0 * d, kind]
        for i, (f, d, kind) in enumerate(zip(frequencies, damping, kinds, strict=True))
    ]
    columns = [Column("Mode"), Column("Frequency", "Hz"), Column("Damping ratio", "%"), Column("Kind", words=True)]
    bars = [share_bar(shares, tokens) for shares in energies]
    table = Table("modes", "Modes", columns, rows, extra=bars, extra_head="Strain energy")
    return book.table(table)


def _crossings_table(book: Book, crossings: list[dict[str, Any]]) -> str:
    rows: list[list[Any]] = [
        [
            c["line"],
            int(c["mode"]),
            c["frequency_hz"],
            c["speed_rpm"],
            None if c.get("share") is None else 100.0 * c["share"],
            None if c.get("margin") is None else 100.0 * c["margin"],
        ]
        for c in crossings[:20]
    ]
    columns = [Column("Excitation", words=True), Column("Mode"), Column("Frequency", "Hz"), Column("Speed", "rpm")]
    columns += [Column("Energy share", "%"), Column("Margin to operating speed", "%")]
    margins = [abs(row[5]) if row[5] is not None else math.inf for row in rows]
    governing = int(np.argmin(margins)) if margins and math.isfinite(min(margins)) else None
    note = f"The {len(rows)} crossings with the largest energy share of {len(crossings)}."
    note += " Marked: closest to operating speed."
    return book.table(Table("crossings", "Crossings", columns, rows, governing, note))


# --- time and frequency --------------------------------------------------------------------------------------

_TOOLS = (
    ("whole", "Whole run", "Show the whole run"),
    ("peak", "Largest value", "Zoom all figures to the largest tooth load"),
    ("in", "+", "Zoom in"),
    ("out", "\u2212", "Zoom out"),
    ("left", "\u25c0", "Earlier"),
    ("right", "\u25b6", "Later"),
)


def series(book: Book) -> str:
    """Time series of loads, machine and speeds, zoomed together."""
    run = book.run
    if len(run.times) < 2:
        return missing("The result holds no time series.")
    parts = []
    for kind, quantity_ in chosen_series(run):
        figure = figures.time_figure(run, book.gallery, kind, quantity_, title_of(kind, quantity_))
        parts.append(book.figure(figure))
    if not any(parts):
        return missing("The result holds no time series of loads.")
    buttons = "".join(
        f'<button type="button" data-do="{do}" title="{title}" aria-label="{title}">{label}</button>'
        for do, label, title in _TOOLS
    )
    drawn = set(chosen_series(run))
    rest = [f"{kind} {words(name)}" for kind in TITLES for name in run.quantities(kind) if (kind, name) not in drawn]
    more = f'<p class="note">Also in the result file: {text(", ".join(rest))}.</p>' if rest else ""
    behind = ""
    if "block_time" in run.dataset.variables:
        behind = "The pale band behind is the range of all computed steps, before the filter of the stored series. "
    return (
        f"<p>{text(book.gallery.store.sentence())} {behind}Triangles mark the largest values. Drag to zoom; all "
        "figures of this section follow.</p>"
        f'<div class="tools" role="toolbar" aria-label="Zoom of all time series" data-group="time">{buttons}'
        '<output aria-live="polite"></output></div>' + "".join(parts) + more
    )


def chosen_series(run: Run) -> list[tuple[str, str]]:
    """Kind and quantity of every time figure."""
    found = []
    for kind, names in SERIES:
        there = run.quantities(kind)
        name = next((name for name in names if name in there), None)
        if name is None or (name in ("force_y", "force_z") and "force" in there):
            continue
        found.append((kind, name))
    return found


def spectra(book: Book) -> str:
    """Amplitude spectra of the governing meshes, bearings, shafts and machines."""
    run = book.run
    parts = []
    for kind, name in chosen_series(run):
        if kind != "body" and name not in ("speed", "power", "coast_force"):
            parts.append(book.figure(figures.spectrum_figure(run, kind, name, title_of(kind, name))))
    if not any(parts):
        return missing("The result holds no series long enough for a spectrum.")
    if not run.mesh_frequencies():
        parts.append(missing("Mesh orders are not marked: the result holds no tooth numbers with speeds."))
    return "".join(parts)


# --- load sharing --------------------------------------------------------------------------------------------


def sharing(book: Book) -> str:
    """Planet load sharing by stage: polar over one carrier turn, K_gamma."""
    parts = [_stage_sharing(book, stage, group) for stage, group in planet_meshes(book.run).items()]
    html = "".join(parts)
    return html or missing("No stage with several planets has tooth forces in this result.")


def planet_meshes(run: Run) -> dict[str, list[str]]:
    """Sun meshes (ring meshes where there is no sun) of every stage with several planets, in order."""
    found: dict[str, list[str]] = {}
    for kind in ("sun_planet", "ring_planet"):
        for element in run.elements("mesh"):
            stage, _, tail = element.rpartition(".")
            if tail.startswith(kind) and tail[len(kind) :].isdigit():
                entries = found.setdefault(stage, [])
                if not entries or entries[0].rpartition(".")[2].startswith(kind):
                    entries.append(element)
    return {stage: entries for stage, entries in found.items() if len(entries) > 1}


def _stage_sharing(book: Book, stage: str, meshes: list[str]) -> str:
    run = book.run
    name = next((name for name in ("normal_force", "drive_force") if name in run.quantities("mesh")), None)
    rows = [run.series("mesh", name, mesh) for mesh in meshes] if name else []
    forces = [row for row in rows if row is not None]
    if len(forces) < len(meshes) or not forces:
        return missing(f"{stage}: the tooth forces of its planets are not stored.")
    table = np.abs(np.asarray(forces))
    keep = np.isfinite(table).all(axis=0) & (run.times >= run.times[0] + float(run.attribute("discard_s", 0.0)))
    if not keep.any() or not table[:, keep].sum() > 0.0:
        return missing(f"{stage}: its planets carry no load in this run.")
    result = load_sharing(table[:, keep])
    book.k_gamma[stage] = result.mean
    planets = [mesh.rpartition(".")[2].replace("sun_", "").replace("ring_", "") for mesh in meshes]
    mean = table[:, keep].mean(axis=1)
    rows_: list[list[Any]] = [
        [planet, float(mean[i] / mean.mean()), float(mean[i]), float(table[i, keep].max())]
        for i, planet in enumerate(planets)
    ]
    columns = [Column("Planet", words=True), Column("Mean share"), Column("Mean force", "N"), Column("Peak", "N")]
    note = f"Kγ {number(result.mean)} of mean loads, {number(result.peak)} of peaks, from the stored series."
    html = f"<h3>{text(stage)}</h3>"
    html += book.table(Table(f"sharing-{stage}", f"Load sharing of {stage}", columns, rows_, int(mean.argmax()), note))
    angle = carrier_angle(run, stage)
    if angle is None:
        return html + missing(f"{stage}: the carrier's angle is not known, so shares over its turn are not drawn.")
    if abs(angle[-1] - angle[0]) < 2 * math.pi:
        return html + missing(f"{stage}: the carrier did not complete a turn.")
    return html + book.figure(figures.sharing_figure(stage, angle[keep], result.share, planets, result.mean))


def carrier_angle(run: Run, stage: str) -> Array | None:
    """Angle of a stage's carrier over the run [rad] from a stored speed, its own or another's by the ratio."""
    train = run.train
    carrier = f"{stage}.carrier"
    if train is not None:
        carrier = train.alias.get(carrier, carrier)
    sources = [(carrier, 1.0)]
    if train is not None and (ratio := train.ratios.get(carrier)):
        sources += [(body, ratio / own) for body, own in train.ratios.items() if own]
    elif (
        train is not None
        and train.input is not None
        and any(set(shaft.between) == {train.input, carrier} for shaft in train.shafts.values())
    ):
        sources.append((train.input, 1.0))
    for body, factor in sources:
        speed = run.series("body", "speed", body)
        if speed is not None and np.isfinite(speed).all():
            steps = np.diff(run.times) * (speed[1:] + speed[:-1]) / 2.0
            return np.asarray(np.concatenate([[0.0], np.cumsum(steps)]) * factor)
    return None


# --- loads ---------------------------------------------------------------------------------------------------


def loads(book: Book) -> str:
    """Minimum, mean, maximum, standard deviation and damage equivalents of every counted quantity."""
    run = book.run
    html = ""
    for kind, title in TITLES.items():
        first, rest = [], []
        for name in run.measured(kind):
            table = _load_table(book, kind, name)
            part = name in ("force_y", "force_z", "force_x") and "force" in run.measured(kind)
            (first if run.equivalents(kind, name)[1] and not part else rest).append(table)
        if first:
            html += f"<h3>{title}</h3>" + "".join(first)
        if rest and any(rest):
            head = f"{title}: components, motions and further quantities"
            html += f"<details><summary>{text(head)}</summary>{''.join(rest)}</details>"
    return (_load_note(run) + html) if html else missing("The result holds no statistics.")


def _load_table(book: Book, kind: str, name: str) -> str:
    run = book.run
    unit = run.unit(kind, name)
    statistics = run.statistics(kind, name)
    exponents, equivalents = run.equivalents(kind, name)
    columns = [Column("Element", words=True)]
    columns += [Column(head, unit) for head in ("Minimum", "Mean", "Maximum", "Std")]
    columns += [Column(f"DEL m\u202f=\u202f{m:g}", unit) for m in exponents]
    columns.append(Column("Time of largest", "s", digits=6))
    rows: list[list[Any]] = []
    peaks: list[float] = []
    for element, row in statistics.items():
        low, high = row.get("minimum", math.nan), row.get("maximum", math.nan)
        at = row.get("time_of_minimum" if abs(low) > abs(high) else "time_of_maximum", math.nan)
        values = [low, row.get("mean", math.nan), high, row.get("standard_deviation", math.nan)]
        rows.append([element, *values, *equivalents.get(element, [math.nan] * len(exponents)), at])
        peaks.append(max(abs(low), abs(high)))
    if not rows:
        return ""
    governing = int(np.nanargmax(peaks)) if len(rows) > 1 and np.isfinite(peaks).any() else None
    title = title_of(kind, name)
    sign = str(run.dataset[f"{kind}_{name}"].attrs.get("sign", "")) if f"{kind}_{name}" in run.dataset else ""
    note = f"Sign: {sign}." if sign else ""
    return book.table(Table(f"loads-{kind}-{name}", title, columns, rows, governing, note))


def _load_note(run: Run) -> str:
    parts = []
    if (step := run.attribute("count_interval_s")) is not None:
        parts.append(f"Counted at every computed step of {number(float(step) * 1e3)} ms")
    if (duration := run.attribute("counted_duration_s")) is not None:
        parts.append(f"over {seconds(float(duration))}")
    if discard := float(run.attribute("discard_s", 0.0)):
        parts.append(f"after the first {seconds(discard)}")
    lead = " ".join(parts) + ". " if parts else ""
    if (frequency := run.attribute("reference_frequency_hz")) is not None:
        lead += f"DEL: range of {number(float(frequency))} Hz equal cycles with the same damage, by rainflow"
        residue = run.attribute("residue")
        lead += f" (residue: {residue} cycles). " if residue else ". "
    return f"<p>{text(lead)}The marked row governs: it has the largest absolute value.</p>"


def fatigue(book: Book) -> str:
    """Rainflow range spectra and load-duration curves."""
    run = book.run
    html = ""
    for kind, title in TITLES.items():
        parts = []
        for name in run.measured(kind):
            if name in ("force_y", "force_z", "force_x") and "force" in run.measured(kind):
                continue
            parts.append(book.figure(figures.rainflow_figure(run, kind, name, f"{title_of(kind, name)}, ranges")))
            parts.append(book.figure(figures.duration_figure(run, kind, name, f"{title_of(kind, name)}, duration")))
        if any(parts):
            html += f'<h3>{title}</h3><div class="pairs">{"".join(parts)}</div>'
    return html or missing("The result holds no cycle counts and no times at level.")


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
        note += f" The terms leave over {number(float(error), 3)} of the sum of their magnitudes."
    return book.figure(figures.energy_figure(terms)) + book.table(
        Table("energy", "Energy book", columns, rows, note=note)
    )


_SHOWN_ELSEWHERE = frozenset({"modes_json", "campbell_json", "describe_json", "drivetrain_text", "case_json"})


def inputs(book: Book) -> str:
    """Every attribute of the file, the case, and the text of the drivetrain file."""
    run = book.run
    rows: list[list[Any]] = [
        [words(str(name)), _plain(value)]
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
    value = finite(value)
    return f"{value:.10g}" if isinstance(value, float) else str(value)


# --- first screen --------------------------------------------------------------------------------------------


def key_figures(book: Book) -> str:
    """The five figures that matter, each a link to its section."""
    run = book.run
    cards: list[tuple[str, str, str, str]] = []
    for kind, label in (("mesh", "Largest tooth load"), ("bearing", "Largest bearing load")):
        found = run.largest(kind)
        if found is None or not math.isfinite(found.value):
            cards.append((label, "\u2013", f"no {kind} load in this result", "loads"))
        else:
            detail = f"{found.element} at {seconds(found.time)}"
            cards.append((label, quantity(abs(found.value), found.unit), detail, "loads"))
    cards.append(_shaft_card(run))
    cards.append(_margin_card(book))
    error = run.attribute("energy_error")
    value = "\u2013" if error is None else number(float(error), 3)
    cards.append(
        ("Energy error", value, "left over by the energy book" if error is not None else "not booked", "energy")
    )
    return '<div class="cards">' + "".join(_card(*card) for card in cards) + "</div>"


def _card(label: str, value: str, detail: str, section: str) -> str:
    return (
        f'<a class="card" href="#{section}"><span class="label">{text(label)}</span>'
        f'<span class="value">{text(value)}</span><span class="detail">{text(detail)}</span></a>'
    )


def _shaft_card(run: Run) -> tuple[str, str, str, str]:
    label = "DEL of the low-speed shaft"
    shaft = run.low_speed_shaft()
    exponents, equivalents = run.equivalents("shaft", "torque")
    if shaft is None or shaft not in equivalents:
        return label, "\u2013", "no counted shaft torque", "loads"
    i = exponents.index(4.0) if 4.0 in exponents else 0
    value = equivalents[shaft][i]
    return label, quantity(value, run.unit("shaft", "torque")), f"{shaft}, torque, m = {exponents[i]:g}", "loads"


def _margin_card(book: Book) -> tuple[str, str, str, str]:
    if book.k_gamma:
        stage = max(book.k_gamma, key=lambda name: book.k_gamma[name])
        return "Planet load sharing Kγ", number(book.k_gamma[stage]), f"{stage}, of mean loads", "sharing"
    campbell = book.run.json("campbell_json")
    crossings = campbell.get("crossings", []) if isinstance(campbell, dict) else []
    near = [c for c in crossings if isinstance(c, dict) and isinstance(c.get("margin"), int | float)]
    if not near:
        return "Lowest margin", "\u2013", "no planets, no crossings", "modes"
    worst = min(near, key=lambda c: abs(c["margin"]))
    value = f"{number(100 * abs(float(worst['margin'])), 3)}\u202f%"
    return "Lowest resonance margin", value, f"{worst.get('line')} with mode {worst.get('mode')}", "modes"


SECTIONS: tuple[tuple[str, str, Callable[[Book], str]], ...] = (
    ("assumed", "What is assumed", assumed),
    ("model", "Model", model),
    ("modes", "Modes and Campbell diagram", modes),
    ("series", "Time series", series),
    ("spectra", "Spectra", spectra),
    ("sharing", "Planet load sharing", sharing),
    ("loads", "Load tables", loads),
    ("fatigue", "Cycles and durations", fatigue),
    ("energy", "Energy book", energy),
    ("inputs", "Versions and inputs", inputs),
)
