"""The page of a life: what fails first, what damages it, how sure that is, lifetime loads, and what is missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from gearwright.analyses.life import (
    LEAST_DAMAGE,
    MOST_HOURS,
    BearingPart,
    LifeByValue,
    LifeRating,
    LoadRange,
    PartLife,
    label,
)
from gearwright.figures.figures import Figure, Trace, axis, layout, line, plot
from gearwright.figures.format import number, power_of_ten, quantity, screen_unit
from gearwright.figures.palette import DASHES, colour_token
from gearwright.figures.tables import Column, Table, numbers, words

from .blocks import Block, Section, Words, missing, remark_lists
from .document import Page
from .life_tables import (
    bearing_table,
    in_years,
    missing_table,
    ranking_table,
    tooth_table,
)

#: parts of one figure
_MOST = 8
_TOKENS = ("planet1", "sun", "ring", "carrier", "wheel", "pinion", "shaft", "bearing")


def life_report(found: LifeRating, output: str | Path) -> Path:
    """Write the page of a life."""
    rows = found.components
    facts = [
        f"{found.runs} of {found.planned} runs" if found.campaign else "one record",
        f"{found.years:g} years, availability {found.availability:g}",
    ]
    if found.wind:
        facts.append(found.wind)
    if rows:
        first = rows[0]
        facts.append(f"first to fail: {first.element} after {in_years(first.life_years)}")
    sections = [
        Section("ranking", "What fails first", _ranking(rows)),
        Section("bearings", "Bearings", _bearings(rows)),
        Section("teeth", "Teeth", _teeth(rows)),
        Section("causes", "What does the damage", _causes(found)),
        Section("loads", "Lifetime loads", _loads(found)),
        Section("missing", "Missing and assumed", _missing(found)),
    ]
    return Page(f"Life of {found.name}", found.name, sections, facts).write(output)


def life_by_report(by: LifeByValue, output: str | Path) -> Path:
    """Write the page of lives over the values of a path."""
    groups, path = by.groups, by.by
    first = groups[0][1]
    names = [str(value) for value, _ in groups]
    by_part: dict[tuple[str, str], list[float]] = {}
    for i, (_, found) in enumerate(groups):
        for row in found.components:
            by_part.setdefault((label(row), row.mode), [math.nan] * len(groups))[i] = row.damage
    parts = sorted(by_part.items(), key=lambda item: -max((d for d in item[1] if math.isfinite(d)), default=0.0))
    blocks: list[Block] = [missing("Nothing could be rated.")]
    if parts and max(parts[0][1]) >= LEAST_DAMAGE:
        blocks = _by_value(parts, names, path)
    blocks += remark_lists(by.remarks)
    facts = [f"{len(groups)} values of {path}", f"{first.years:g} years", str(first.wind or "")]
    title = f"Life of {first.name} over {path}"
    return Page(title, first.name, [Section("by", "Damage", blocks)], facts).write(output)


def _by_value(parts: Sequence[tuple[tuple[str, str], list[float]]], names: list[str], path: str) -> list[Block]:
    """Damage of every (part, mode) over the values of a path, largest first."""
    shown = [p for k, p in enumerate(parts) if max(p[1]) >= LEAST_DAMAGE and not any(p[1] == q[1] for q in parts[:k])][
        :_MOST
    ]
    traces = []
    for i, ((name, mode), values) in enumerate(shown):
        damage, dash = [max(d, LEAST_DAMAGE) for d in values], DASHES[i % len(DASHES)]
        traces.append(line(f"{name}, {mode}", names, damage, _TOKENS[i % len(_TOKENS)], dash, mode="lines+markers"))
    (name, _), damage = parts[0]
    sentence = f"{name}: damage {number(min(damage), 3)} to {number(max(damage), 3)} over {path}."
    drawn = layout(axis(path, type="category"), axis("damage [-]", type="log"), 400)
    columns = [*words("Part", "Mode"), *(Column(n, least=LEAST_DAMAGE) for n in names)]
    rows = [[n, m, *d] for (n, m), d in parts]
    return [
        plot("by", sentence, traces, drawn),
        Table("by", f"Damage over the life by {path}", columns, rows, governing=0),
    ]


def _ranking(rows: Sequence[PartLife]) -> list[Block]:
    table = ranking_table(rows)
    if table is None:
        return [missing("Nothing could be rated: see the last section for what is missing.")]
    return [_ranking_figure(rows), table]


def _ranking_figure(rows: Sequence[PartLife]) -> Block:
    shown = [r for r in rows if r.damage >= LEAST_DAMAGE][:16]
    if not shown:
        return missing(f"Every damage over the life is below {power_of_ten(LEAST_DAMAGE)}: nothing to draw.")
    top = shown[0]
    trace: Trace = {
        "type": "bar",
        "orientation": "h",
        "y": [f"{r.element}<br>{r.name + ', ' if r.name else ''}{r.mode}" for r in shown],
        "x": [r.damage for r in shown],
        "marker": {"color": "@wheel"},
        "name": "damage",
    }
    spans = [
        (r.damage - r.damage_low, r.damage_high - r.damage)
        for r in shown
        if r.damage_low is not None and r.damage_high is not None
    ]
    if len(spans) == len(shown):
        below, above = zip(*spans, strict=True)
        trace["error_x"] = {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "color": "@ink"}
    limit: Trace = {
        "type": "line",
        "x0": 1,
        "x1": 1,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": "@pinion", "dash": "dash"},
    }
    down: Trace = {"autorange": "reversed", "automargin": True}
    across = axis("damage over the life [-]", **_axis(shown))
    drawn = layout(across, down, 120 + 34 * len(shown), showlegend=False, shapes=[limit])
    sentence = f"{label(top)} comes first: damage {number(top.damage, 3)} over the life ({in_years(top.life_years)})."
    return plot("ranking", sentence, [trace], drawn)


def _axis(rows: Sequence[PartLife]) -> Trace:
    """A linear axis from zero, or a logarithmic one where damages differ by more than a hundred."""
    damages = [r.damage for r in rows]
    if max(damages) < 100.0 * min(damages):
        return {"type": "linear", "rangemode": "tozero"}
    return {
        "type": "log",
        "range": [math.floor(math.log10(min(damages))) - 0.5, math.log10(max(max(damages), 1.0)) + 0.3],
    }


def _bearings(rows: Sequence[PartLife]) -> list[Block]:
    table = bearing_table(rows)
    if table is None:
        return [missing("No bearing has a dynamic rating.")]
    return [table, *_variants([r for r in rows if isinstance(r, BearingPart)])]


def _variants(rows: Sequence[BearingPart]) -> list[Block]:
    """Variants of the same bearing side by side."""
    by_element: dict[str, list[BearingPart]] = {}
    for row in rows:
        by_element.setdefault(row.element, []).append(row)
    both = {e: r for e, r in by_element.items() if len(r) > 1}
    if not both:
        return []
    names = list(dict.fromkeys(r.name for rows_ in both.values() for r in rows_))
    traces: list[Trace] = []
    for i, name in enumerate(names):
        points = [next((r for r in rows_ if r.name == name), None) for rows_ in both.values()]
        traces.append(
            {
                "type": "bar",
                "name": name,
                "x": list(both),
                "marker": {"color": f"@{_TOKENS[i % len(_TOKENS)]}"},
                "y": [None if r is None or r.life_hours > MOST_HOURS else r.life_hours for r in points],
            }
        )
    shapes = []
    wanted = {r.required_hours for rows_ in both.values() for r in rows_ if r.required_hours is not None}
    for hours in wanted:
        shapes.append(
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": hours,
                "y1": hours,
                "line": {"color": "@ink", "dash": "dash"},
            }
        )
    first = sorted(next(iter(both.values())), key=lambda r: -r.life_hours)
    sentence = f"{first[0].element}: " + " against ".join(f"{r.name} {number(r.life_hours, 3)} h" for r in first)
    sentence += f" (required {number(next(iter(wanted)), 3)} h)." if len(wanted) == 1 else "."
    up = axis("life [h]", rangemode="tozero")
    return [plot("variants", sentence, traces, layout({}, up, barmode="group", shapes=shapes))]


def _teeth(rows: Sequence[PartLife]) -> list[Block]:
    return [tooth_table(rows) or missing("No mesh is rated (life.gears gives the strength of the teeth).")]


def _causes(found: LifeRating) -> list[Block]:
    rows = [r for r in found.components if r.damage > 0.0]
    if not found.bins or not rows:
        return [missing("One record stands for the whole life: nothing to compare.")]
    speeds = [b["speed"] for b in found.bins]
    columns = [*words("Part", "Run"), *numbers("Share of the damage", "Cumulative")]
    body = []
    for row in _families(rows)[:4]:
        reached = 0.0
        for name, value in list(row.by_run.items())[:5]:
            reached += value / row.damage
            body.append([label(row), name, value / row.damage, reached])
    runs = Table("runs", "Runs that damage most", columns, body)
    return [_wind_figure(speeds, rows), _wind_table(found, rows[0]), runs]


def _families(rows: Sequence[PartLife]) -> list[PartLife]:
    """Rows that do not just repeat the one before (planets of a stage have nearly the same life)."""
    kept: list[PartLife] = []
    for row in rows:
        if not any(abs(row.damage - k.damage) <= 1e-6 * k.damage and row.name == k.name for k in kept):
            kept.append(row)
    return kept


def _wind_figure(speeds: list[float], rows: Sequence[PartLife]) -> Figure:
    traces = []
    for i, row in enumerate(_families(rows)[:_MOST]):
        share, dash = [d / row.damage for d in row.by_wind], DASHES[i % len(DASHES)]
        name = f"{label(row)}, {row.mode}"
        traces.append(line(name, speeds, share, _TOKENS[i % len(_TOKENS)], dash, mode="lines+markers"))
    worst = max(range(len(speeds)), key=lambda j: rows[0].by_wind[j])
    sentence = (
        f"{label(rows[0])}: {number(100 * rows[0].by_wind[worst] / rows[0].damage, 3)} % of the damage comes from "
        f"{speeds[worst]:g} m/s."
    )
    up = axis("share of the damage [-]", rangemode="tozero")
    return plot("wind", sentence, traces, layout("mean wind speed [m/s]", up, 380))


def _wind_table(found: LifeRating, row: PartLife) -> Table:
    heads = ("Wind speed [m/s]", "Share of the time", "Hours in the life", "Runs", "Damage", "Share of the damage")
    body = [
        [b["speed"], b["share"], b["hours"], b["runs"], d, d / row.damage]
        for b, d in zip(found.bins, row.by_wind, strict=True)
    ]
    note = (
        f"Bins hold {number(100 * (found.covered or 0.0), 4)} % of the time; {number(found.idle_hours, 4)} h of the life have no "
        "record (calm, storm, not available) and no damage."
    )
    return Table("wind", f"Wind speed bins, damage of {label(row)}", numbers(*heads), body, note=note)


def _loads(found: LifeRating) -> list[Block]:
    blocks: list[Block] = []
    for kind, title in (
        ("bearing", "Bearing forces"),
        ("mesh", "Mesh forces"),
        ("shaft", "Shaft torques"),
        ("machine", "Machine torques"),
    ):
        rows = [r for r in found.loads if r.kind == kind]
        top = max((r.largest for r in rows), default=0.0)
        rows = sorted((r for r in rows if r.largest > 1e-9 * top), key=lambda r: -r.largest)
        if not rows:
            continue
        exponents = list(rows[0].equivalent)
        unit = rows[0].unit
        columns = [*words("Element"), *numbers("Largest", *(f"DEL, m = {m}" for m in exponents), unit=unit)]
        body = [[r.element, r.largest, *(r.equivalent[m] for m in exponents)] for r in rows]
        note = (
            f"Ranges (peak to peak) that do, in {found.equivalent_cycles:.3g} cycles, the damage of all counted cycles of the "
            f"life; counted every {found.count_interval_s:g} s, unbinned, residue: {found.residue}."
        )
        table = Table(f"loads-{kind}", f"{title}: lifetime equivalent ranges", columns, body, note=note)
        blocks += [_duration(kind, title, unit, rows, found), table]
    return blocks or [missing("The records counted no loads.")]


def _duration(kind: str, title: str, unit: str, rows: Sequence[LoadRange], found: LifeRating) -> Figure:
    factor, shown = screen_unit(unit)
    traces = []
    used: dict[str, int] = {}
    for row in rows[:_MOST]:
        levels, seconds = found.spectra[row.element].exceedance()
        token = colour_token(kind, row.element)
        used[token] = used.get(token, -1) + 1
        x, y = (seconds / 3600.0).tolist(), (factor * levels).tolist()
        style = {"color": f"@{token}", "dash": DASHES[used[token] % len(DASHES)], "shape": "hv"}
        traces.append(line(row.element, x, y, line=style))
    sentence = f"{title}: hours of the life at or above a load; the largest is {quantity(rows[0].largest, unit)} at {rows[0].element}."
    drawn = layout(axis("hours in the life [h]", type="log"), f"load [{shown}]", 360)
    return plot(f"duration-{kind}", sentence, traces, drawn)


def _missing(found: LifeRating) -> list[Block]:
    table = missing_table(found)
    return [*([] if table is None else [table]), *remark_lists(found.remarks)] or [Words("Nothing.")]
