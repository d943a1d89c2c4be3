"""Page of a design: the trade-off of two wishes, the designs on it, how the free numbers run along it."""

from __future__ import annotations

import math
from pathlib import Path

from gearwright.analyses.design import Candidate, Design, axis_of, unit_of
from gearwright.figures.figures import HUES, Trace, layout, line, plot
from gearwright.figures.tables import Column, Table, words

from .blocks import Block, Section, Source, Words
from .document import Page


def write_design_page(found: Design, path: str | Path) -> Path:
    """Write the page of a :class:`gearwright.analyses.design.Design`."""
    sections = [Section("designs", _title(found), _first(found))]
    if found.curve:
        sections.append(Section("numbers", "Free numbers", _numbers(found)))
        sections.append(Section("files", "Designs as edits", _edits(found)))
    kept = sum(c.keeps for c in found.candidates)
    facts = [f"{found.evaluations} evaluations, {kept} keep all bounds", f"{found.wall_s:.1f} s", *found.wishes]
    return Page(
        f"{found.name}, design", found.name, sections, facts, head=f"Design of {found.name}", remarks=found.remarks
    ).write(path)


def _title(found: Design) -> str:
    if len(found.objectives) == 2:
        return f"{found.objectives[0].measure} against {found.objectives[1].measure}"
    return found.objectives[0].measure if found.objectives else "Bounds"


def _first(found: Design) -> list[Block]:
    """Picture and table of the designs."""
    blocks: list[Block] = []
    if len(found.objectives) == 2:
        blocks.append(_tradeoff(found))
    elif found.objectives:
        blocks.append(_course(found))
    if not any(c.keeps for c in found.candidates):
        blocks.append(Words(f"No design keeps all bounds: {found.blocking}.", "missing"))
    names = list(found.start)
    rows = [
        ["the file", *(found.start[n] for n in names)],
        *([c.id, *(c.measures[n] for n in names)] for c in found.curve),
    ]
    columns = [*words("Design"), *(Column(n, unit_of(n)) for n in names)]
    return [*blocks, Table("designs-table", "What the designs reach", columns, rows)]


def _tradeoff(found: Design) -> Block:
    """All designs over both wishes, the curve through the best."""
    x, y = (w.measure for w in found.objectives)
    keeping = [c for c in found.candidates if c.keeps]
    other = [c for c in found.candidates if not c.keeps]
    traces: list[Trace] = []
    if other:
        traces.append(_points("misses a bound", other, x, y, "ink/0.25", "circle-open"))
    traces += [
        _points("keeps the bounds", keeping, x, y, "wheel", "circle"),
        line(
            "best in both",
            [c.measures[x] for c in found.curve],
            [c.measures[y] for c in found.curve],
            "sun",
            mode="lines+markers",
            text=[c.id for c in found.curve],
        ),
        line(
            "the file",
            [found.start[x]],
            [found.start[y]],
            "carrier",
            mode="markers",
            marker={"size": 12, "symbol": "diamond"},
        ),
    ]
    curve = found.curve
    sentence = f"{len(keeping)} designs keep the bounds; {len(curve)} of those that are best in both wishes are shown."
    if len(curve) > 1:
        one, two = curve[0], curve[-1]
        sentence += (
            f" From {one.id} to {two.id} {x} changes by {_change(one, two, x)} and {y} by {_change(one, two, y)}."
        )
    return plot("trade-off", sentence, traces, layout(axis_of(x), axis_of(y), 460))


def _points(name: str, some: list[Candidate], x: str, y: str, colour: str, symbol: str) -> Trace:
    return line(
        name,
        [c.measures[x] for c in some],
        [c.measures[y] for c in some],
        mode="markers",
        text=[c.id for c in some],
        marker={"color": f"@{colour}", "size": 6, "symbol": symbol},
    )


def _change(one: Candidate, two: Candidate, measure: str) -> str:
    before = one.measures[measure]
    if before > 0.0 and not 0.5 < two.measures[measure] / before < 2.0:
        return f"a factor of {two.measures[measure] / before:.3g}"
    return f"{100.0 * (two.measures[measure] / before - 1.0):+.3g} %" if before else "from nothing"


def _course(found: Design) -> Block:
    """The wish over the evaluations."""
    wish = found.objectives[0]
    values = [c.measures[wish.measure] for c in found.candidates]
    traces = [
        line(
            wish.measure,
            list(range(1, len(values) + 1)),
            values,
            "wheel",
            mode="markers",
            marker={"symbol": ["circle" if c.keeps else "circle-open" for c in found.candidates], "size": 7},
        )
    ]
    return plot(
        "course",
        f"{wish.words} over the evaluations; open circles miss a bound.",
        traces,
        layout("evaluation", axis_of(wish.measure)),
    )


def _numbers(found: Design) -> list[Block]:
    """Free numbers along the curve, as factors on the file's."""
    curve = found.curve
    traces = []
    if len(found.objectives) == 2:
        y = found.objectives[1].measure
        for k, (name, paths) in enumerate(zip(found.free, found.paths, strict=True)):
            factors = [number_of(c, paths[0]) / found.own[k] for c in curve]
            traces.append(
                line(name, factors, [c.measures[y] for c in curve], HUES[k % len(HUES)], mode="lines+markers")
            )
        drawn = layout("factor on what the file has", axis_of(y), 380)
        figure = plot("factors", "How the free numbers run along the trade-off.", traces, drawn)
    columns = [*words("Design"), *(Column(f"{p[0]}", words=True) for p in found.paths)]
    rows = [[c.id, *(str(c.values[p[0]]) for p in found.paths)] for c in curve]
    table = Table("numbers-table", "Free numbers of the designs (the first of those that move together)", columns, rows)
    return [figure, table] if traces else [table]


def number_of(candidate: Candidate, path: str) -> float:
    """Value of a number of a design in the unit of the file."""
    value = float(str(candidate.values[path]).partition(" ")[0])
    return value if math.isfinite(value) else 0.0


def _edits(found: Design) -> list[Block]:
    """The edits that make each design of the file."""
    return [Source(c.id, "\n".join(f"--set '{edit}'" for edit in found.overrides(c))) for c in found.curve]
