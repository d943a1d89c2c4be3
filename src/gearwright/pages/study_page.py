"""The page of a study: sensitivities, outputs over values, parallel coordinates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gearwright.campaigns import Effect, Folder, Plan, effects, read_table
from gearwright.campaigns.study import output_of
from gearwright.figures.figures import HUES, Figure, Trace, layout, line, plot
from gearwright.figures.format import number
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.results.bins import apart

from .blocks import Block, Section, missing
from .document import Page

#: rows of the table of runs
_MOST = 200


def study_report(folder: str | Path, output: str | Path) -> Path:
    """Write the page of a study's folder. Raises CampaignError if the folder is not one or has no table."""
    place = Folder(Path(folder))
    plan = place.plan()
    table = read_table(place.path)
    done = len(table["id"])
    facts = [f"{done} of {len(plan.items)} runs done", f"case {plan.case}", f"method {plan.facts.get('method')}"]
    if plan.facts.get("samples"):
        facts.append(f"{plan.facts['samples']} samples, seed {plan.facts['seed']}")
    if not done:
        sections = [Section("outputs", "Outputs", [missing("No run of this study is finished.")])]
    else:
        sections = [
            Section("sensitivity", "Sensitivity", _sensitivity(plan, effects(plan, table))),
            Section("outputs", "Outputs over values", _outputs(plan, table)),
            Section("parallel", "All runs", _parallel(plan, table)),
        ]
    title = f"Study {plan.name} of {plan.facts.get('drivetrain', '')}".strip()
    return Page(title, plan.name, sections, facts, remarks=place.remarks(plan)).write(output)


def _sensitivity(plan: Plan, found: list[Effect]) -> list[Block]:
    blocks: list[Block] = []
    for output in plan.outputs:
        rows = [e for e in found if e.output == output]
        with_indices = rows[0].total is not None
        paths = [e.path for e in rows]
        if with_indices:
            traces: list[Trace] = [
                {
                    "type": "bar",
                    "orientation": "h",
                    "name": name,
                    "y": paths,
                    "x": [getattr(e, key) for e in rows],
                    "marker": {"color": f"@{colour}"},
                    "error_x": {
                        "type": "data",
                        "symmetric": False,
                        "array": [_over(e, key) for e in rows],
                        "arrayminus": [_under(e, key) for e in rows],
                    },
                }
                for key, name, colour in (
                    ("first", "alone (first order)", "wheel"),
                    ("total", "with others (total)", "sun"),
                )
            ]
            sentence = (
                f"{output}: {paths[0]} explains {number(100 * (rows[0].total or 0.0), 3)} % of the variance, "
                "what it does together with others included."
            )
            title = "Sobol index [-]"
        else:
            traces = [
                {
                    "type": "bar",
                    "orientation": "h",
                    "name": "rank correlation",
                    "y": paths,
                    "x": [e.rank_correlation for e in rows],
                    "marker": {"color": "@wheel"},
                }
            ]
            first = rows[0].rank_correlation
            sentence = (
                f"{output}: the strongest rank correlation is {number(first, 2)}, with {paths[0]}."
                if first is not None
                else f"{output} does not change in this study but for rounding, or only words were varied."
            )
            title = "Spearman's rank correlation [-]"
        down: Trace = {"autorange": "reversed", "automargin": True}
        drawn = layout(title, down, 140 + 44 * len(paths), barmode="group")
        blocks.append(plot(f"effect-{output}", sentence, traces, drawn))
    columns = [
        *words("Output", "Value"),
        *numbers("Rank correlation", "First order", "from", "to", "Total", "from", "to"),
    ]
    data = [
        [
            e.output,
            e.path,
            e.rank_correlation,
            e.first,
            *(e.first_interval or (None, None)),
            e.total,
            *(e.total_interval or (None, None)),
        ]
        for e in found
    ]
    note = "Sobol indices with 90 % intervals by bootstrap." if any(e.total is not None for e in found) else ""
    return [*blocks, Table("effects", "Effects", columns, data, note=note)]


def _over(effect: Effect, key: str) -> float:
    value, interval = getattr(effect, key), getattr(effect, f"{key}_interval")
    return max(float(interval[1] - value), 0.0)


def _under(effect: Effect, key: str) -> float:
    value, interval = getattr(effect, key), getattr(effect, f"{key}_interval")
    return max(float(value - interval[0]), 0.0)


def _outputs(plan: Plan, table: dict[str, list[Any]]) -> list[Block]:
    values = {output: output_of(table, output) for output in plan.outputs}
    return [_scatter(plan, table, output, path, y) for output, y in values.items() for path in plan.paths]


def _scatter(plan: Plan, table: dict[str, list[Any]], output: str, path: str, y: Any) -> Figure:
    others = [p for p in plan.paths if p != path]
    grid = plan.facts.get("method") == "grid"
    groups: dict[str, list[int]] = {}
    for i in range(len(y)):
        key = ", ".join(f"{p.rsplit('.', 1)[-1]} {_short(table[p][i])}" for p in others) if grid else ""
        groups.setdefault(key, []).append(i)
    traces: list[Trace] = []
    for k, (name, rows) in enumerate(list(groups.items())[:12]):
        hue = HUES[k % len(HUES)]
        traces.append(
            line(
                name or output,
                [table[path][i] for i in rows],
                [float(y[i]) for i in rows],
                hue,
                mode="lines+markers" if grid else "markers",
                text=[table["id"][i] for i in rows],
                marker={"color": f"@{hue}", "size": 6},
            )
        )
    top = int(np.nanargmax(y))
    sentence = (
        f"{output} over {path}: from {number(float(np.nanmin(y)))} to {number(float(np.nanmax(y)))} (SI), "
        f"the largest in {table['id'][top]}."
    )
    left_out = len(groups) - 12
    note = f"{left_out} more combinations of the other values are not drawn." if left_out > 0 else ""
    drawn = layout(f"{path} [SI]", f"{output} [SI]", 360, showlegend=grid and len(groups) > 1)
    return plot(f"over-{output}-{path}", sentence, traces, drawn, note)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


#: shades of the lines of the parallel axes, from the lowest to the highest value of the first output
_SHADES = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#d8b800")
_LINES = 300


def _parallel(plan: Plan, table: dict[str, list[Any]]) -> list[Block]:
    axes: list[tuple[str, Any, list[tuple[float, str]]]] = []
    for path in plan.paths:
        values = table[path]
        label = path.rsplit(".", 1)[-1]
        if all(isinstance(v, (int, float)) for v in values):
            axes.append((label, *_scaled(np.array(values, float))))
        else:
            said = sorted({str(v) for v in values})
            ends = max(len(said) - 1, 1)
            axes.append(
                (
                    label,
                    np.array([said.index(str(v)) / ends for v in values]),
                    [(i / ends, word) for i, word in enumerate(said)],
                )
            )
    for output in plan.outputs:
        axes.append((output, *_scaled(output_of(table, output))))
    shade = np.nan_to_num(_scaled(output_of(table, plan.outputs[0]))[0])
    every = max(len(shade) // _LINES, 1)
    traces: list[Trace] = []
    for k, colour in enumerate(_SHADES):
        x: list[float | None] = []
        y: list[float | None] = []
        names: list[str | None] = []
        for i in range(0, len(shade), every):
            if min(int(shade[i] * len(_SHADES)), len(_SHADES) - 1) == k:
                x += [*range(len(axes)), None]
                y += [*(float(column[i]) for _, column, _ in axes), None]
                names += [table["id"][i]] * len(axes) + [None]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": x,
                "y": y,
                "text": names,
                "hoverinfo": "text",
                "line": {"color": colour, "width": 1},
                "showlegend": False,
            }
        )
    marks: list[Trace] = [
        {"x": i, "y": place, "text": mark, "showarrow": False, "xanchor": "left", "font": {"size": 11}}
        for i, (_, _, ticks) in enumerate(axes)
        for place, mark in ticks
    ]
    drawn: Trace = {
        "xaxis": {
            "tickvals": list(range(len(axes))),
            "ticktext": [a[0] for a in axes],
            "range": [-0.1, len(axes) - 0.7],
            "zeroline": False,
        },
        "yaxis": {"visible": False, "range": [-0.08, 1.08]},
        "annotations": marks,
        "height": 420,
    }
    sentence = f"Every run is a line through its values and outputs (SI), lighter with larger {plan.outputs[0]}."
    note = f"One run in {every} is drawn." if every > 1 else ""
    figure = plot("parallel", sentence, traces, drawn, note)
    plain = [all(isinstance(v, (int, float)) for v in table[p]) for p in plan.paths]
    varied = (Column(p, words=not n) for p, n in zip(plan.paths, plain, strict=True))
    columns = [*words("Run"), *varied, *(Column(o) for o in plan.outputs)]
    outputs = [output_of(table, o).tolist() for o in plan.outputs]
    rows = [
        [table["id"][i], *(table[p][i] for p in plan.paths), *(o[i] for o in outputs)]
        for i in range(min(len(table["id"]), _MOST))
    ]
    more = f" The first {_MOST} of {len(table['id'])} runs; all are in table.csv." if len(table["id"]) > _MOST else ""
    return [figure, Table("runs", "Runs", columns, rows, note="SI units." + more)]


def _scaled(values: Any) -> tuple[Any, list[tuple[float, str]]]:
    """Values from 0 to 1, and what stands at the ends and the middle."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if not apart(low, high):
        return np.full(len(values), 0.5), [(0.5, _short(low))]
    return (values - low) / (high - low), [(p, _short(low + p * (high - low))) for p in (0.0, 0.5, 1.0)]
