"""The page of a comparison: ratios by channel and group, figures over the groups, spectra of two results."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from gearwright.analyses.compare import Comparison
from gearwright.campaigns.comparison import Loads, Ratio
from gearwright.figures.figures import HUES, Figure, axis, layout, line, plot
from gearwright.figures.format import number, screen_unit
from gearwright.figures.palette import DASHES
from gearwright.figures.reading import family
from gearwright.figures.tables import Table, numbers, words
from gearwright.results import Result
from gearwright.schema.places import JSON

from .blocks import Block, Section, remark_lists
from .document import Page

#: spectra, and channels drawn over the groups, of a page
_SPECTRA, _VALUES = 6, 12
#: least half of the span of ratios that a figure shows
_NEAR = 0.05
#: planets whose loads agree that well are drawn once
_ALIKE = 0.01


def compare_report(found: Comparison, output: str | Path, results: tuple[Path, Path] | None = None) -> Path:
    """Write the page of a comparison; ``results`` are two result files whose spectra are drawn."""
    first, second, rows = found.first, found.second, list(found.ratios)
    facts = [
        f"first: {first.name} ({first.model}, case {first.case})",
        f"second: {second.name} ({second.model}, case {second.case})",
    ]
    if rows[0].first_channel != rows[0].second_channel:  # one channel that all are compared with
        facts = [f"{facts[0]}: {rows[0].first_channel}", facts[1]]
    sections = [Section("ratios", "Loads, second over first", [*remark_lists(found.remarks), *_tables(rows)])]
    groups = list(dict.fromkeys(_label(r) for r in rows))
    if len(groups) > 1:
        values = _values(rows, groups, first, second)
        sections.insert(0, Section("groups", "Over the groups of runs", _figures(rows, groups)))
        sections.insert(1, Section("values", "Mean, deviation and equivalent loads", values))
    if results is not None:
        sections.append(Section("spectra", "Spectra", _spectra(rows, results)))
    title = f"{second.name} against {first.name}" if second is not first else f"Channels of {first.name}"
    return Page(title, title, sections, facts).write(output)


def _label(row: Ratio) -> str:
    return ", ".join(f"{path.rsplit('.', 1)[-1]} {value}" for path, value in row.group.items()) or "all runs"


def _tables(rows: list[Ratio]) -> list[Block]:
    blocks: list[Block] = []
    for unit in dict.fromkeys(r.unit for r in rows):
        for kind in dict.fromkeys(r.figure for r in rows):
            chosen = [r for r in rows if r.unit == unit and r.figure == kind]
            if not chosen:
                continue
            loads = numbers("First", "Second", unit=unit)
            columns = [*words("Channel", "Group"), *loads, *numbers("Ratio"), *words("Runs")]
            data: list[list[Any]] = [
                [r.second_channel, _label(r), r.first, r.second, r.ratio, f"{r.runs[0]} and {r.runs[1]}"]
                for r in chosen
            ]
            title = {"mean": "Mean", "std": "Standard deviation", "max": "Mean of the largest magnitudes"}.get(
                kind, f"Damage equivalent load, m = {kind.removeprefix('del_')}"
            )
            head = f"{title} [{screen_unit(unit)[1]}]"
            blocks.append(Table(f"{kind}-{unit}", head, columns, data, round_off=True))
    return blocks


def _figures(rows: list[Ratio], groups: list[str]) -> list[Block]:
    blocks: list[Block] = []
    for kind in dict.fromkeys(r.figure for r in rows if r.figure == "max" or r.figure.startswith("del_")):
        traces = []
        finite = [r for r in rows if r.figure == kind and math.isfinite(r.ratio)]
        for k, (name, alike) in enumerate(_different(finite).items()):
            points = {_label(r): r.ratio for r in finite if r.second_channel == name}
            y, dash = [points.get(g) for g in groups], DASHES[k // len(HUES)]
            traces.append(
                line(" and ".join([name, *alike]), groups, y, HUES[k % len(HUES)], dash, mode="lines+markers")
            )
        if not finite:
            continue
        low, top = (pick(finite, key=lambda r: r.ratio) for pick in (min, max))
        of = "largest loads" if kind == "max" else f"equivalent loads with m = {kind.removeprefix('del_')}"
        sentence = f"Ratio of {of}: from {number(low.ratio, 3)} ({low.second_channel}, {_label(low)}) "
        sentence += f"to {number(top.ratio, 3)} ({top.second_channel}, {_label(top)})."
        # ratios near one are near one: round-off does not fill the figure
        bounds = min(low.ratio, 1.0 - _NEAR), max(top.ratio, 1.0 + _NEAR)
        room = 0.06 * (bounds[1] - bounds[0])
        up = axis("second over first [-]", range=[bounds[0] - room, bounds[1] + room])
        blocks.append(plot(f"ratio-{kind}", sentence, traces, layout({"type": "category"}, up, 380)))
    return blocks


def _values(rows: list[Ratio], groups: list[str], first: Loads, second: Loads) -> list[Block]:
    """Per channel the mean with its standard deviation and the equivalent load of both sources over the groups
    (S1 Figs 4-3 to 4-8)."""
    exponents = sorted({float(r.figure.removeprefix("del_")) for r in rows if r.figure.startswith("del_")})
    m = min(exponents, key=lambda x: abs(x - 4.0), default=None)
    blocks: list[Block] = []
    for name, alike in _different(rows).items():
        own = [r for r in rows if r.second_channel == name]
        at = {(r.figure, _label(r)): r for r in own}
        factor, unit = screen_unit(own[0].unit)
        traces: list[dict[str, JSON]] = []
        # the first is broad, so that it is seen where the second lies on it
        for source, which, colour, broad in ((first, "first", "wheel/0.55", 6), (second, "second", "sun", 2)):
            channel = getattr(own[0], f"{which}_channel")
            label = channel if first is second else source.name if channel == name else f"{source.name}, {channel}"

            def of(
                figure: str, which: str = which, at: dict[tuple[str, str], Ratio] = at, factor: float = factor
            ) -> list[Any]:
                found = [at.get((figure, g)) for g in groups]
                return [None if r is None else factor * float(getattr(r, which)) for r in found]

            bars = {"type": "data", "array": of("std"), "thickness": broad / 2, "width": 2 + broad}
            traces.append(
                line(
                    f"{label}, mean and deviation", groups, of("mean"), colour, "", broad, "lines+markers", error_y=bars
                )
            )
            if m is not None:
                traces.append(
                    line(f"{label}, DEL m = {m:g}", groups, of(f"del_{m:g}"), colour, "dash", broad, "lines+markers")
                )
        kind = f"del_{m:g}" if m is not None else "std"
        finite = [r for r in own if r.figure == kind and math.isfinite(r.ratio)]
        whose = f"{name} ({', '.join(alike)} alike)" if alike else name
        sentence = f"{whose}: mean with its standard deviation"
        sentence += f", equivalent load with m = {m:g}" if m is not None else ""
        if finite:
            top = max(finite, key=lambda r: abs(r.ratio - 1.0))
            what = "equivalent loads" if m is not None else "standard deviations"
            sentence += f"; the {what} differ most, by {number(100.0 * (top.ratio - 1.0), 3)} %, at {_label(top)}"
        drawn = layout({"type": "category"}, f"load [{unit}]", 380)
        blocks.append(plot(f"values-{name}", sentence + ".", traces, drawn))
    return blocks


def _different(rows: list[Ratio]) -> dict[str, list[str]]:
    """The first channels, each with those that it stands for: planets of a stage whose loads agree within 1 %."""
    loads: dict[str, list[float]] = {}
    for row in rows:
        loads.setdefault(row.second_channel, []).extend([row.first, row.second])
    found: dict[str, list[str]] = {}
    for name, values in loads.items():
        same = (
            n
            for n in found
            if family(n) == family(name)
            and len(loads[n]) == len(values)
            and all(math.isclose(x, y, rel_tol=_ALIKE) for x, y in zip(loads[n], values, strict=True))
        )
        first = next(same, None)
        if first is not None:
            found[first].append(name)
        elif len(found) < _VALUES:
            found[name] = []
    return found


def _spectra(rows: list[Ratio], results: tuple[Path, Path]) -> list[Block]:
    largest: dict[str, float] = {}
    for row in rows:
        if row.figure == "std" and row.first_channel == row.second_channel:
            largest[row.second_channel] = max(abs(row.first), abs(row.second))
    names = sorted(largest, key=lambda n: -largest[n])[:_SPECTRA]
    blocks: list[Block] = []
    with Result.reading(results[0]) as a, Result.reading(results[1]) as b:
        for name in names:
            if name in a.channels and name in b.channels:
                blocks.append(_spectrum(name, rows, a, b, (results[0].stem, results[1].stem)))
    return blocks


def _spectrum(name: str, rows: list[Ratio], a: Any, b: Any, labels: tuple[str, str]) -> Figure:
    unit = next(r.unit for r in rows if r.second_channel == name)
    factor, shown = screen_unit(unit)
    traces = []
    for label, result, colour, width in ((labels[0], a, "wheel/0.55", 4), (labels[1], b, "sun", 1.2)):
        found = result.psd(name)
        keep = found.frequency > 0
        x, y = found.frequency[keep].tolist(), (factor**2 * found.value[keep]).tolist()
        traces.append(line(label, x, y, colour, width=width))
    up = axis(f"PSD [({shown})²/Hz]", type="log", exponentformat="power")
    drawn = layout(axis("frequency [Hz]", type="log"), up)
    return plot(f"psd-{name}", f"{name}: power spectral density of both.", traces, drawn)
