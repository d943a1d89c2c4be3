"""What events do to bearings, in the page of a campaign: tables by wind and event (S1 Tables 5.5 to 5.7), loads over the
area above the voltage curve (S1 Fig. 5-14), waterfall of the governing run."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

from gearwright.campaigns import Folder, Plan
from gearwright.campaigns.dips import Dip, dips_of
from gearwright.campaigns.line import Ultimate
from gearwright.figures.figures import HUES, axis, layout, line, plot
from gearwright.figures.format import number, quantity, screen_unit
from gearwright.figures.palette import DASHES
from gearwright.figures.reading import Run
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.results import Result, ResultError
from gearwright.schema.case_lookup import find_case
from gearwright.schema.places import Values

from .blocks import Block, missing
from .section_events import event_of, waterfall_figure

_PLANET = re.compile(r"planet\d+_bearing\.force$")
_PINION = re.compile(r"pinion_bearing\.force$")


def events(plan: Plan, place: Folder, rows: list[Ultimate]) -> list[Block]:
    """The section; empty where no case of the campaign has an event."""
    first = next(iter(plan.items), None)
    if first is None or not find_case(plan.member(first), first).events:
        return []
    loads = bearing_loads(rows)
    if not loads:
        return [missing("No bearing forces are recorded; fidelity planar or spatial has them.")]
    dips = dips_of(plan)
    over = _over_area(loads, dips) if dips else []
    return [_table(loads), *over, *_waterfall(place, rows)]


def bearing_loads(rows: list[Ultimate]) -> dict[str, dict[str, float]]:
    """By group (JSON of its values): mean of the maxima [N] of the largest ``planet`` and of the fastest ``pinion`` bearing."""
    pinions = sorted({r["channel"] for r in rows if _PINION.search(r["channel"])})
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        kind = "planet" if _PLANET.search(row["channel"]) else "pinion" if row["channel"] in pinions[-1:] else None
        if kind:
            key = json.dumps(row["group"], default=str)
            group = found.setdefault(key, {})
            group[kind] = max(group.get(kind, 0.0), row["mean_of_max"])
    return found


def _short(values: Values) -> str:
    return ", ".join(str(v) for v in values.values()) or "all"


def _split(group: Values) -> tuple[str, str]:
    """Wind and the rest of a group, in words."""
    wind = {p: v for p, v in group.items() if p.startswith("wind.")}
    return _short(wind), _short({p: v for p, v in group.items() if p not in wind})


def _table(loads: dict[str, dict[str, float]]) -> Table:
    cells: dict[str, dict[str, dict[str, float]]] = {}
    for key, values in loads.items():
        wind, rest = _split(json.loads(key))
        cells.setdefault(wind, {})[rest] = values
    kinds = [k for k in ("planet", "pinion") if any(k in v for v in loads.values())]
    heads = list(dict.fromkeys(rest for row in cells.values() for rest in row))
    columns = [*words("Wind"), *(Column(f"{rest}, {kind}", "N") for rest in heads for kind in kinds)]
    data: list[list[Any]] = [
        [wind, *(row.get(rest, {}).get(kind, math.nan) for rest in heads for kind in kinds)]
        for wind, row in cells.items()
    ]
    note = (
        "Mean over the seeds of each run's largest force: the most loaded planet bearing, and the bearing of the fastest "
        "pinion, the whole reaction of its mesh and shaft."
    )
    title = "Planet and pinion bearing forces by wind and event"
    return Table("bearing-events", title, columns, data, note=note)


def _over_area(loads: dict[str, dict[str, float]], dips: list[Dip]) -> list[Block]:
    """Loads over the area above the voltage curve, and over what rings the train."""
    winds: dict[str, list[tuple[Dip, float]]] = {}
    for key, values in loads.items():
        group = json.loads(key)
        for dip in dips:
            if "planet" in values and all(str(group.get(p)) == str(v) for p, v in dip.values.items()):
                rest = {p: v for p, v in group.items() if p not in dip.values}
                winds.setdefault(_short(rest), []).append((dip, values["planet"]))
    if not winds:
        return []
    top = max(load for pairs in winds.values() for _, load in pairs)
    worst = next(dip for pairs in winds.values() for dip, load in pairs if load == top)
    factor, unit = screen_unit("N")
    blocks: list[Block] = []
    for kind, across, over in (
        ("area", "area over the voltage curve [p.u. s]", "the area over the voltage curve"),
        ("ringing", "ringing of the first mode by the dip [p.u.]", "what the dip gives the first mode"),
    ):
        traces = []
        for k, (wind, pairs) in enumerate(winds.items()):
            ordered = sorted(pairs, key=lambda pair: getattr(pair[0], kind))
            x, y = [getattr(d, kind) for d, _ in ordered], [factor * load for _, load in ordered]
            traces.append(
                line(
                    wind,
                    x,
                    y,
                    HUES[k % len(HUES)],
                    DASHES[k // len(HUES) % len(DASHES)],
                    mode="lines+markers" if kind == "area" else "markers",
                    text=[_short(d.values) for d, _ in ordered],
                    marker={"size": 8},
                )
            )
        up = axis(f"planet bearing force [{unit}]", rangemode="tozero")
        drawn = layout(axis(across, rangemode="tozero"), up, 380)
        sentence = (
            f"Planet bearing force over {over}: at most {quantity(top, 'N')}, in {_short(worst.values)} "
            f"({number(getattr(worst, kind), 3)})."
        )
        blocks.append(plot(f"dip-{kind}", sentence, traces, drawn))
    columns = [*words("Dip"), *numbers("Lost voltage [1]", "Area [s]", "Ringing [1]")]
    data: list[list[Any]] = [[_short(d.values), d.depth, d.area, d.ringing] for d in dips]
    note = (
        f"Ringing: w |integral of (1 - V) exp(j w t)| at the first torsional mode, {number(dips[0].frequency_hz, 4)} Hz. The area "
        "alone is no measure of load: a short dip of half a period rings the train most."
    )
    return [*blocks, Table("dips", "Dips", columns, data, note=note)]


def _waterfall(place: Folder, rows: list[Ultimate]) -> list[Block]:
    """Through the event of the run with the largest planet bearing force (any bearing where there are no planets)."""
    bearings = [r for r in rows if r["kind"] == "bearing" and r["channel"].endswith(".force")]
    chosen = [r for r in bearings if _PLANET.search(r["channel"])] or bearings
    if not chosen:
        return []
    top = max(chosen, key=lambda r: max(abs(r["max"]), abs(r["min"])))
    identifier = top["max_id"] if abs(top["max"]) >= abs(top["min"]) else top["min_id"]
    source = place.results / f"{identifier}.nc"
    try:
        with Result.reading(source) as result:
            run = Run(result)
            found = event_of(run)
            element = top["channel"].rsplit(".", 1)[0]
            figure = waterfall_figure(run, found[0], found[1], element=element) if found else None
    except ResultError as error:
        return [missing(f"The result of the governing run {identifier} cannot be read: no waterfall. {error}")]
    if figure is None:
        return []
    return [replace(figure, sentence=f"{identifier}, which governs: {figure.sentence}")]
