"""Sections on the loads: time series, spectra, load sharing, tables, cycles and durations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..drivetrain.kinematics import planet_groups
from ..results.derive import load_sharing
from ..results.filter import taps
from . import figures
from .book import SERIES, TITLES, Book, missing, title_of
from .extremes_table import extremes
from .format import number, seconds, text, words
from .reading import Array, Run, estimated
from .rose import roses
from .tables import Column, Table

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
    """Meshes of every group of several planets that share a load, in order: by what rides on what, sun meshes first."""
    if run.train is None:
        return {}
    stored = set(run.elements("mesh"))
    groups = {name: [m for m in meshes if m in stored] for name, (_, meshes) in planet_groups(run.train).items()}
    return {name: meshes for name, meshes in groups.items() if len(meshes) > 1}


def _planet(run: Run, mesh: str) -> str:
    """The planet of a mesh, by its short name."""
    found = run.train.meshes[mesh] if run.train is not None else None
    riders = (
        [n for n in found.between if run.train.bodies[n].on == found.on]
        if found is not None and run.train is not None
        else [mesh]
    )
    return riders[0].rpartition(".")[2]


def _stage_sharing(book: Book, stage: str, meshes: list[str]) -> str:
    run = book.run
    names = ("normal_force", "drive_force", "torque_first")
    name = next((name for name in names if any(run.series("mesh", name, m) is not None for m in meshes)), None)
    rows = [run.series("mesh", name, mesh) for mesh in meshes] if name else []
    forces = [row for row in rows if row is not None]
    if len(forces) < len(meshes) or not forces:
        return missing(f"{stage}: the tooth forces of its planets are not stored.")
    table = np.abs(np.asarray(forces))
    keep = np.isfinite(table).all(axis=0) & (run.times >= run.times[0] + float(run.attribute("discard_s", 0.0)))
    if edge := filter_edge(run):
        keep[:edge] = keep[-edge:] = False
    if not keep.any() or not table[:, keep].sum() > 0.0:
        return missing(f"{stage}: its planets carry no load in this run.")
    result = load_sharing(table[:, keep])
    book.k_gamma[stage] = result.mean
    planets = [_planet(run, mesh) for mesh in meshes]
    unit, what = ("N m", "torque") if name == "torque_first" else ("N", "force")
    mean = table[:, keep].mean(axis=1)
    rows_: list[list[Any]] = [
        [planet, float(mean[i] / mean.mean()), float(mean[i]), float(table[i, keep].max())]
        for i, planet in enumerate(planets)
    ]
    columns = [Column("Planet", words=True), Column("Mean share"), Column(f"Mean {what}", unit), Column("Peak", unit)]
    note = f"Kγ {number(result.mean)} of mean loads, {number(result.peak)} of peaks, from the stored series."
    html = f"<h3>{text(stage)}</h3>"
    html += book.table(Table(f"sharing-{stage}", f"Load sharing of {stage}", columns, rows_, int(mean.argmax()), note))
    if float(np.abs(result.share - 1.0).max()) < 1e-4:
        return html + f"<p>{text(stage)}: every planet carries the even share at every instant, to within 0.01 %.</p>"
    factor = np.full(len(run.times), np.nan)
    factor[keep] = result.factor
    html += book.figure(figures.factor_figure(book.gallery, stage, factor))
    angle = carrier_angle(run, stage)
    if angle is None:
        return html + missing(f"{stage}: the carrier's angle is not known, so shares over its turn are not drawn.")
    if abs(angle[-1] - angle[0]) < 2 * math.pi:
        return html + missing(f"{stage}: the carrier did not complete a turn.")
    cycles = mesh_cycles(run, meshes[0])
    return html + book.figure(figures.sharing_figure(stage, angle[keep], result.share, planets, result.mean, cycles))


def filter_edge(run: Run) -> int:
    """Stored samples at either end whose filter reached beyond the run, where the series is continued by guess."""
    step, count = run.attribute("store_interval_s"), run.attribute("count_interval_s")
    ratio = 1 if step is None or count is None else round(float(step) / float(count))
    return 0 if ratio <= 1 else len(taps(ratio)) // 2 // ratio + 1


def mesh_cycles(run: Run, name: str) -> int | None:
    """Mesh cycles in one turn of the carrier, where teeth and ratios are known and it is a whole number to show."""
    train = run.train
    mesh = None if train is None else train.meshes.get(name)
    if train is None or mesh is None or mesh.teeth is None or mesh.on is None:
        return None
    first, carrier = train.ratios.get(mesh.between[0]), train.ratios.get(mesh.on)
    if first is None or not carrier:
        return None
    cycles = abs(mesh.teeth[0] * (first - carrier) / carrier)
    return round(cycles) if 24.0 <= cycles <= 720.0 and abs(cycles - round(cycles)) < 0.02 else None


def carrier_angle(run: Run, stage: str) -> Array | None:
    """Angle of a stage's carrier over the run [rad] from a stored speed, its own or another's by the ratio."""
    train = run.train
    carrier = f"{stage}.carrier"
    if train is not None:
        carrier = planet_groups(train).get(stage, (train.alias.get(carrier, carrier), ()))[0]
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
        speed = run.speed(body)
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
        first: list[str] = []
        rest: list[str] = []
        for name in run.measured(kind):
            table = _load_table(book, kind, name)
            part = name in ("force_y", "force_z", "force_x") and "force" in run.measured(kind)
            (first if run.equivalents(kind, name)[1] and not part else rest).append(table)
        if first:
            html += f"<h3>{title}</h3>" + "".join(first)
        if rest and any(rest):
            head = f"{title}: components, motions and further quantities"
            html += f"<details><summary>{text(head)}</summary>{''.join(rest)}</details>"
    return (
        (_load_note(run) + html + extremes(book) + roses(book)) if html else missing("The result holds no statistics.")
    )


def _load_table(book: Book, kind: str, name: str) -> str:
    run = book.run
    unit = run.unit(kind, name)
    statistics = run.statistics(kind, name)
    exponents, equivalents = run.equivalents(kind, name)
    columns = [Column("Element", words=True)]
    columns += [Column(head, unit) for head in ("Minimum", "Mean", "Maximum", "Std")]
    columns += [Column(f"DEL m\u202f=\u202f{m:g}", unit) for m in exponents]
    columns.append(Column("Time of largest", "s"))
    rows: list[list[Any]] = []
    peaks: list[float] = []
    for element, row in statistics.items():
        low, high = row.get("minimum", math.nan), row.get("maximum", math.nan)
        at = row.get("time_of_minimum" if abs(low) > abs(high) else "time_of_maximum", math.nan)
        values = [low, row.get("mean", math.nan), high, row.get("standard_deviation", math.nan)]
        rows.append([element, *values, *equivalents.get(element, [math.nan] * len(exponents)), at])
        peaks.append(-1.0 if estimated(element) else max(abs(low), abs(high)))
    if not rows:
        return ""
    governing = int(np.nanargmax(peaks)) if len(rows) > 1 and np.nanmax(peaks, initial=-1.0) > 0.0 else None
    title = title_of(kind, name)
    sign = str(run.dataset[f"{kind}_{name}"].attrs.get("sign", "")) if f"{kind}_{name}" in run.dataset else ""
    note = f"Sign: {sign}." if sign else ""
    if any(estimated(element) for element in statistics):
        note += (
            " The row that ends in 'kinematic' is the even share T / (N r) of the carrier's torque, to compare with."
        )
    return book.table(Table(f"loads-{kind}-{name}", title, columns, rows, governing, note, round_off=True))


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
            parts.append(
                book.figure(figures.range_mean_figure(run, kind, name, f"{title_of(kind, name)}, ranges and means"))
            )
        if any(parts):
            html += f'<h3>{title}</h3><div class="pairs">{"".join(parts)}</div>'
    return html or missing("The result holds no cycle counts and no times at level.")
