"""Sections on the loads: time series, spectra, load sharing, tables, cycles and durations."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from gearwright.figures import figures
from gearwright.figures.book import TITLES, Book, chosen_series, title_of
from gearwright.figures.format import NARROW_SPACE, number, seconds
from gearwright.figures.format import words as plain
from gearwright.figures.reading import Run, estimated
from gearwright.figures.rose import rose_figure
from gearwright.figures.sharing import Sharing, carrier_angle, mesh_cycles, turns
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.remarks import sharing_sentence

from .blocks import Beside, Block, Fold, Heading, Tools, Words, missing, there
from .extremes_table import dynamic_table, extremes_table

#: parts of a bearing's force: shown behind the whole
_COMPONENTS = ("force_x", "force_y", "force_z")

# --- time and frequency --------------------------------------------------------------------------------------


def series(book: Book) -> list[Block]:
    """Time series of loads, machine and speeds, zoomed together."""
    run = book.run
    if len(run.times) < 2:
        return [missing("The result holds no time series.")]
    chosen = chosen_series(run)
    drawn = there(*(figures.time_figure(run, book.store, kind, name, title_of(kind, name)) for kind, name in chosen))
    if not drawn:
        return [missing("The result holds no time series of loads.")]
    behind = ""
    if run.has("block_time"):
        behind = "The pale band behind is the range of all computed steps, before the filter of the stored series. "
    lead = (
        f"{book.store.sentence()} {behind}Triangles mark the largest values. Drag to zoom; all figures of this section "
        "follow."
    )
    rest = [f"{kind} {plain(name)}" for kind in TITLES for name in run.quantities(kind) if (kind, name) not in chosen]
    more = [Words(f"Also in the result file: {', '.join(rest)}.", "note")] if rest else []
    return [Words(lead), Tools(), *drawn, *more]


def spectra(book: Book) -> list[Block]:
    """Amplitude spectra of the governing meshes, bearings, shafts and machines."""
    run = book.run
    chosen = [c for c in chosen_series(run) if c[0] != "body" and c[1] not in ("speed", "power", "coast_force")]
    drawn = there(*(figures.spectrum_figure(run, kind, name, title_of(kind, name)) for kind, name in chosen))
    if not drawn:
        return [missing("The result holds no series long enough for a spectrum.")]
    if not run.mesh_frequencies():
        drawn.append(missing("Mesh orders are not marked: the result holds no tooth numbers with speeds."))
    return drawn


# --- load sharing --------------------------------------------------------------------------------------------


def sharing(book: Book) -> list[Block]:
    """Planet load sharing by stage: polar over one carrier turn, K_gamma."""
    blocks: list[Block] = []
    for stage, found in book.sharing.items():
        blocks += [missing(found)] if isinstance(found, str) else _stage_sharing(book, stage, found)
    return blocks or [missing("No stage with several planets has tooth forces in this result.")]


def _stage_sharing(book: Book, stage: str, found: Sharing) -> list[Block]:
    unit, what = ("N m", "torque") if found.quantity == "torque_first" else ("N", "force")
    mean, peak = found.loads.mean(axis=1), found.loads.max(axis=1)
    rows = [
        [planet, float(mean[i] / mean.mean()), float(mean[i]), float(peak[i])] for i, planet in enumerate(found.planets)
    ]
    columns = [*words("Planet"), *numbers("Mean share"), *numbers(f"Mean {what}", "Peak", unit=unit)]
    note = f"Kγ {number(found.mean)} of mean loads, {number(found.peak)} of peaks, from the stored series."
    table = Table(f"sharing-{stage}", f"Load sharing of {stage}", columns, rows, int(mean.argmax()), note)
    blocks: list[Block] = [Heading(stage), table, *_per_turn(book, stage)]
    if float(np.abs(found.share - 1.0).max()) < 1e-4:
        sentence = f"{stage}: every planet carries the even share at every instant, to within 0.01 %."
        return [*blocks, Words(sentence)]
    blocks.append(figures.factor_figure(book.store, stage, found.factor))
    angle = carrier_angle(book.run, stage)
    if angle is None:
        sentence = f"{stage}: the carrier's angle is not known, so shares over its turn are not drawn."
        return [*blocks, missing(sentence)]
    if turns(angle) < 1.0:
        return [*blocks, missing(f"{stage}: the carrier did not complete a turn.")]
    cycles = mesh_cycles(book.run, found.first_mesh)
    planets = list(found.planets)
    return [
        *blocks,
        figures.sharing_figure(stage, angle[found.keep], found.share, planets, found.mean, cycles),
    ]


def _per_turn(book: Book, stage: str) -> list[Block]:
    """Largest share of a carrier turn beside the standard's table and what was measured, and shares of the bearing rows."""
    shares = json.loads(str(book.run.attribute("load_sharing", "{}"))).get(stage)
    if shares is None:
        return []
    said = sharing_sentence(stage, shares)
    rows = _shares_of(shares)
    columns = [*words("Of", "Share"), *numbers(*shares["planets"])]
    title = f"Shares of the planets and of the rows of their bearings, {stage}"
    return [Words(f"{said}."), Table(f"rows-{stage}", title, columns, rows)]


def _shares_of(shares: Any) -> list[list[Any]]:
    """Rows of a table: mean shares and the largest of a carrier turn, of the meshes and of every bearing row."""
    rows: list[list[Any]] = [["mesh", "mean", *map(float, shares["mean"])]]
    if each := shares.get("per_turn_of"):
        rows.append(["mesh", "largest per carrier turn", *map(float, each)])
    for row, means in shares["rows"].items():
        rows.append([f"bearing row {row}", "mean", *map(float, means)])
        if each := shares.get("rows_per_turn", {}).get(row):
            rows.append([f"bearing row {row}", "largest per carrier turn", *map(float, each)])
    return rows


# --- loads ---------------------------------------------------------------------------------------------------


def loads(book: Book) -> list[Block]:
    """Minimum, mean, maximum, standard deviation and damage equivalents of every counted quantity."""
    run = book.run
    blocks: list[Block] = []
    for kind, title in TITLES.items():
        first: list[Table] = []
        rest: list[Table] = []
        for name in run.measured(kind):
            table = _load_table(run, kind, name)
            part = name in _COMPONENTS and "force" in run.measured(kind)
            if table is not None:
                (first if run.equivalents(kind, name)[1] and not part else rest).append(table)
        if first:
            blocks += [Heading(title), *first]
        if rest:
            blocks.append(Fold(f"{title}: components, motions and further quantities", rest))
    if not blocks:
        return [missing("The result holds no statistics.")]
    blocks = [_load_note(run), *blocks]
    if tables := there(extremes_table(run), dynamic_table(run)):
        blocks += [Heading("Extremes together, dynamic factors"), *tables]
    if rose := rose_figure(run):
        blocks += [Heading("Bearing load roses"), rose]
    return blocks


def _load_table(run: Run, kind: str, name: str) -> Table | None:
    unit = run.unit(kind, name)
    statistics = run.statistics(kind, name)
    exponents, equivalents = run.equivalents(kind, name)
    heads = ["Minimum", "Mean", "Maximum", "Std", *(f"DEL m{NARROW_SPACE}={NARROW_SPACE}{m:g}" for m in exponents)]
    columns = [*words("Element"), *(Column(head, unit) for head in heads), *numbers("Time of largest [s]")]
    rows: list[list[Any]] = []
    peaks: list[float] = []
    for element, row in statistics.items():
        low, high = row.get("minimum", math.nan), row.get("maximum", math.nan)
        at = row.get("time_of_minimum" if abs(low) > abs(high) else "time_of_maximum", math.nan)
        values = [low, row.get("mean", math.nan), high, row.get("standard_deviation", math.nan)]
        rows.append([element, *values, *equivalents.get(element, [math.nan] * len(exponents)), at])
        peaks.append(-1.0 if estimated(element) else max(abs(low), abs(high)))
    if not rows:
        return None
    governing = int(np.nanargmax(peaks)) if len(rows) > 1 and np.nanmax(peaks, initial=-1.0) > 0.0 else None
    title = title_of(kind, name)
    sign = run.sign(kind, name)
    note = f"Sign: {sign}." if sign else ""
    if any(estimated(element) for element in statistics):
        note += (
            " The row that ends in 'kinematic' is the even share T / (N r) of the carrier's torque, to compare with."
        )
    return Table(f"loads-{kind}-{name}", title, columns, rows, governing, note, round_off=True)


def _load_note(run: Run) -> Words:
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
    return Words(f"{lead}The marked row governs: it has the largest absolute value.")


def fatigue(book: Book) -> list[Block]:
    """Rainflow range spectra and load-duration curves."""
    run = book.run
    blocks: list[Block] = []
    for kind, title in TITLES.items():
        drawn: list[Block] = []
        for name in run.measured(kind):
            if name in _COMPONENTS and "force" in run.measured(kind):
                continue
            of = title_of(kind, name)
            drawn += there(
                figures.rainflow_figure(run, kind, name, f"{of}, ranges"),
                figures.duration_figure(run, kind, name, f"{of}, duration"),
                figures.range_mean_figure(run, kind, name, f"{of}, ranges and means"),
            )
        if drawn:
            blocks += [Heading(title), Beside(drawn)]
    return blocks or [missing("The result holds no cycle counts and no times at level.")]
