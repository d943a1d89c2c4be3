"""The page of a campaign: what ran and what failed, extreme loads with where they came from, fatigue loads."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.campaigns import Folder, Plan, extremes
from gearwright.campaigns.line import Fatigue, Figures, Line, Ultimate
from gearwright.figures.book import NAMES
from gearwright.figures.figures import Figure, Trace, axis, layout, line, plot
from gearwright.figures.format import quantity, screen_unit
from gearwright.figures.format import words as plain
from gearwright.figures.palette import DASHES, colour_token
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.rating.extremes import bootstrap, gumbel, mean_equivalent, seeds_needed
from gearwright.results.bins import apart
from gearwright.schema.places import Values

from .blocks import Block, Heading, Listing, Section, Source, missing, remark_lists
from .campaign_events import events
from .document import Page

#: loads that the page tabulates, by kind of element
LOADS = (("mesh", "force"), ("bearing", "force"), ("shaft", "torque"), ("machine", "torque"))
#: elements of one figure
_MOST = 6


def campaign_report(folder: str | Path, output: str | Path) -> Path:
    """Write the page of a campaign's folder, finished or not.

    Raises CampaignError if the folder is not one.
    """
    place = Folder(Path(folder))
    plan = place.plan()
    rows = [r for r in extremes(place, plan) if _quantity(r) in {q for k, q in LOADS if k == r["kind"]}]
    fatigue = fatigue_rows(place, plan)
    failures = list(place.failures(plan))
    done = sum(1 for _ in place.finished(plan))
    facts = [f"{done} of {len(plan.items)} runs done", f"case {plan.case}", f"partial factor {plan.partial_factor:g}"]
    if failures:
        facts.append(f"{len(failures)} failed")
    sections = [
        Section("ultimate", "Extreme loads", _ultimate(plan, rows)),
        Section("groups", "Loads by group", _groups(plan, rows)),
        Section("events", "Events and bearings", events(plan, place, rows)),
        Section("fatigue", "Fatigue loads", _fatigue(fatigue)),
        Section("uncertainty", "Statistical uncertainty", _uncertainty(plan, place)),
        Section("runs", "Runs", _runs(plan, place, failures)),
        Section("assumptions", "Assumed, notes, warnings and versions", _assumptions(place, plan)),
    ]
    title = f"Campaign {plan.name} of {plan.facts.get('drivetrain', '')}".strip()
    return Page(title, plan.name, sections, facts).write(output)


def _quantity(row: Ultimate | Fatigue) -> str:
    return str(row["channel"]).rsplit(".", 1)[1]


def _element(row: Ultimate | Fatigue) -> str:
    return str(row["channel"]).rsplit(".", 1)[0]


def _label(group: Values) -> str:
    return ", ".join(f"{path.rsplit('.', 1)[-1]} {value}" for path, value in group.items()) or "all runs"


def fatigue_rows(folder: Folder, plan: Plan) -> list[Fatigue]:
    """Damage equivalent loads by channel, exponent and group: over the runs of a group the mean of the damages,
    ``(mean DEL^m)^(1/m)``, that is, one run of the same length that does the average damage."""
    groups: dict[tuple[str, str, str], list[float]] = {}
    units: dict[str, tuple[str, str]] = {}
    for done in folder.finished(plan):
        key = json.dumps([done["values"].get(path) for path in plan.group], default=str)
        for name, channel in done["channels"].items():
            for m, value in channel.get("del", {}).items():
                groups.setdefault((name, m, key), []).append(value)
                units[name] = (channel["unit"], channel["kind"])
    rows: list[Fatigue] = []
    for (name, m, key), values in groups.items():
        x, exponent = np.array(values), float(m)
        top = float(x.max(initial=0.0))
        mean = top * float(np.mean((x / top) ** exponent)) ** (1 / exponent) if top > 0 else 0.0
        rows.append(
            {
                "channel": name,
                "unit": units[name][0],
                "kind": units[name][1],
                "exponent": exponent,
                "group": dict(zip(plan.group, json.loads(key), strict=True)),
                "del": mean,
            }
        )
    return rows


def _ultimate(plan: Plan, rows: list[Ultimate]) -> list[Block]:
    if not rows:
        return [missing("No run of this campaign is finished.")]
    blocks: list[Block] = []
    for kind, name in LOADS:
        best: dict[str, Ultimate] = {}
        for row in rows:
            if row["kind"] == kind and _quantity(row) == name:
                element = _element(row)
                if element not in best or row["design"] > best[element]["design"]:
                    best[element] = row
        if not best:
            continue
        unit = next(iter(best.values()))["unit"]
        listed = sorted(best.values(), key=lambda r: -r["design"])
        columns = [
            *words("Element"),
            *numbers("Design load", "Mean of max", "Mean of upper half", "Largest", unit=unit),
            *words("in run"),
            Column("Smallest", unit),
            *words("in run", "Governing group"),
        ]
        data = [
            [
                _element(r),
                r["design"],
                r["mean_of_max"],
                r["mean_of_upper_half"],
                r["max"],
                r["max_id"],
                r["min"],
                r["min_id"],
                _label(r["group"]),
            ]
            for r in listed
        ]
        title = NAMES.get((kind, name), plain(name))
        note = (
            f"Design load: {plan.partial_factor:g} times the mean over the runs of a group of each run's largest "
            "magnitude; groups are all runs that differ only in their seed."
        )
        blocks.append(
            Table(f"ultimate-{kind}", f"{title}: extreme loads", columns, data, governing=0, note=note, round_off=True)
        )
    return blocks


def _axis(plan: Plan, rows: Sequence[Ultimate]) -> str | None:
    """The path of the groups with the most values: the horizontal axis of the figures."""
    counts = {path: len({str(r["group"].get(path)) for r in rows}) for path in plan.group}
    path = max(counts, key=lambda p: counts[p], default=None)
    return path if path is not None and counts[path] > 1 else None


def _groups(plan: Plan, rows: list[Ultimate]) -> list[Block]:
    path = _axis(plan, rows)
    if path is None:
        return [missing("The campaign has one group of runs; its loads are in the table above.")]
    blocks: list[Block] = []
    for kind, name in LOADS:
        chosen = [r for r in rows if r["kind"] == kind and _quantity(r) == name]
        if chosen:
            blocks += [_by_group(path, kind, name, chosen), _pivot(path, kind, name, chosen)]
    return blocks


def _by_group(path: str, kind: str, name: str, rows: list[Ultimate]) -> Figure:
    factor, unit = screen_unit(rows[0]["unit"])
    peaks: dict[str, float] = {}
    for row in rows:
        peaks[_element(row)] = max(peaks.get(_element(row), 0.0), row["mean_of_max"])
    elements = sorted(peaks, key=lambda e: -peaks[e])[:_MOST]
    traces: list[Trace] = []
    used: dict[str, int] = {}
    for element in elements:
        others: dict[str, list[Ultimate]] = {}
        for row in (r for r in rows if _element(r) == element):
            rest = {p: v for p, v in row["group"].items() if p != path}
            others.setdefault(_label(rest) if rest else "", []).append(row)
        token = colour_token(kind, element)
        for label, points in others.items():
            used[token] = used.get(token, -1) + 1
            x, y = [str(r["group"][path]) for r in points], [factor * r["mean_of_max"] for r in points]
            dash = DASHES[used[token] % len(DASHES)]
            traces.append(line(f"{element} {label}".strip(), x, y, token, dash, mode="lines+markers"))
    top = max(rows, key=lambda r: r["mean_of_max"])
    title = NAMES.get((kind, name), plain(name))
    sentence = (
        f"{title}: mean of the maxima by {path.rsplit('.', 1)[-1]}; the largest is "
        f"{quantity(top['mean_of_max'], top['unit'])} at {_element(top)} ({_label(top['group'])})."
    )
    drawn = layout(axis(path, type="category"), axis(f"{title} [{unit}]", rangemode="tozero"), 380)
    return plot(f"groups-{kind}-{name}", sentence, traces, drawn)


def _pivot(path: str, kind: str, name: str, rows: list[Ultimate]) -> Table:
    unit = rows[0]["unit"]
    heads = list(dict.fromkeys(str(r["group"][path]) for r in rows))
    lines: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        rest = {p: v for p, v in row["group"].items() if p != path}
        lines.setdefault((_element(row), _label(rest) if rest else ""), {})[str(row["group"][path])] = row[
            "mean_of_max"
        ]
    words_of_rest = any(label for _, label in lines)
    columns = [*words("Element", *(["Group"] if words_of_rest else [])), *(Column(h, unit) for h in heads)]
    data = [
        [e, *([label] if words_of_rest else []), *(values.get(h, math.nan) for h in heads)]
        for (e, label), values in lines.items()
    ]
    title = NAMES.get((kind, name), plain(name))
    return Table(f"pivot-{kind}-{name}", f"{title}: mean of the maxima by {path}", columns, data)


def _fatigue(rows: list[Fatigue]) -> list[Block]:
    if not rows:
        return [missing("The runs counted no cycles (exponents of the case).")]
    blocks: list[Block] = []
    for kind, name in LOADS:
        chosen = [r for r in rows if r["kind"] == kind and _quantity(r) == name]
        if not chosen:
            continue
        exponents = sorted({r["exponent"] for r in chosen})
        lines: dict[tuple[str, str], dict[float, float]] = {}
        for row in chosen:
            lines.setdefault((_element(row), _label(row["group"])), {})[row["exponent"]] = row["del"]
        heads = numbers(*(f"DEL, m = {m:g}" for m in exponents), unit=chosen[0]["unit"])
        columns = [*words("Element", "Group"), *heads]
        data = [[e, g, *(values.get(m, math.nan) for m in exponents)] for (e, g), values in lines.items()]
        title = NAMES.get((kind, name), plain(name))
        note = (
            "Ranges (peak to peak) at the reference frequency or cycles of the case; over the runs of a group the "
            "load that does the average damage."
        )
        blocks.append(Table(f"fatigue-{kind}-{name}", f"{title}: damage equivalent loads", columns, data, note=note))
    return blocks


def _uncertainty(plan: Plan, place: Folder) -> list[Block]:
    """Bootstrap intervals over the seeds of the governing groups, seeds needed, Gumbel plot of the largest."""
    seeds: dict[tuple[str, str], list[Figures]] = {}
    for done in place.finished(plan):
        key = json.dumps([done["values"].get(path) for path in plan.group], default=str)
        for name, channel in done["channels"].items():
            kind, quantity_name = channel["kind"], name.rsplit(".", 1)[1]
            if (kind, quantity_name) in LOADS:
                seeds.setdefault((name, key), []).append(channel)
    peaks = {k: np.array([max(abs(c["max"]), abs(c["min"])) for c in v]) for k, v in seeds.items() if len(v) >= 3}
    if not peaks:
        return [missing("Fewer than three runs differ only in their seed: nothing can be said about scatter.")]
    best: dict[str, tuple[str, str]] = {}
    for place_of, values in peaks.items():
        if place_of[0] not in best or values.mean() > peaks[best[place_of[0]]].mean():
            best[place_of[0]] = place_of
    rows = []
    for name, where in sorted(best.items(), key=lambda item: -peaks[item[1]].mean()):
        runs = seeds[where]
        mean = bootstrap(peaks[where], lambda s: s.mean(axis=-1))
        row: list[Any] = [name, mean.value, mean.low, mean.high, _seeds(peaks[where])]
        loads = [float(m) for m in runs[0].get("del", {})]
        if loads:
            m = max(loads)
            values = np.array([c["del"][f"{m:g}"] for c in runs])
            equivalent = bootstrap(values, partial(mean_equivalent, exponent=m))
            row += [m, equivalent.value, equivalent.low, equivalent.high, _seeds(values, m)]
        else:
            row += [math.nan] * 5
        rows.append([*row, _label(dict(zip(plan.group, json.loads(where[1]), strict=True)))])
    blocks: list[Block] = []
    for unit in dict.fromkeys(seeds[best[r[0]]][0]["unit"] for r in rows):
        chosen = [r for r in rows if seeds[best[r[0]]][0]["unit"] == unit]
        columns = [
            *words("Channel"),
            *numbers("Mean of max", "from", "to", unit=unit),
            *numbers("Seeds for 5 %", "m"),
            *numbers("DEL", "from", "to", unit=unit),
            *numbers("Seeds for 5 %"),
            *words("Group"),
        ]
        note = (
            "90 % intervals by bootstrap over the seeds; seeds for which the interval would be 5 % of the value to "
            "either side."
        )
        title = f"Governing groups, loads in {screen_unit(unit)[1]}"
        blocks.append(Table(f"uncertainty-{unit}", title, columns, chosen, note=note))
    first = best[rows[0][0]]
    if len(peaks[first]) >= 5 and apart(float(peaks[first].min()), float(peaks[first].max())):
        blocks.append(_gumbel_plot(first[0], seeds[first][0]["unit"], peaks[first]))
    return blocks


def _seeds(values: Any, exponent: float = 1.0) -> float:
    """Seeds for an interval of 5 % of the value; not-a-number where the value is zero and has no such interval."""
    try:
        return seeds_needed(values, exponent=exponent)
    except ValueError:
        return math.nan


def _gumbel_plot(name: str, unit: str, maxima: Any) -> Figure:
    factor, shown = screen_unit(unit)
    found = gumbel(maxima)
    x = np.sort(maxima)
    rank = (np.arange(len(x)) + 0.5) / len(x)
    reduced = -np.log(-np.log(np.linspace(0.02, 1 - 1e-4, 200)))
    drawn = factor * (found.location + found.scale * reduced)
    marker = {"color": "@sun", "size": 7}
    traces = [
        line("runs", (-np.log(-np.log(rank))).tolist(), (factor * x).tolist(), mode="markers", marker=marker),
        line("Gumbel", reduced.tolist(), drawn.tolist(), "wheel"),
    ]
    ticks = [0.1, 0.5, 0.9, 0.99, 0.999]
    places = {"tickvals": [-math.log(-math.log(p)) for p in ticks], "ticktext": [str(p) for p in ticks]}
    across = axis("probability that a run stays below [-]", **places)
    sentence = (
        f"{name}: largest magnitudes of {len(x)} seeds on Gumbel paper; one run in 100 exceeds "
        f"{quantity(found.level(100.0), unit)}."
    )
    return plot("gumbel", sentence, traces, layout(across, f"largest magnitude of a run [{shown}]", 360))


def _runs(plan: Plan, place: Folder, failures: list[Line]) -> list[Block]:
    blocks: list[Block] = []
    if failures:
        failed = [[f["id"], f["error"]] for f in failures]
        blocks.append(Table("failed", "Failed runs", words("Run", "What happened"), failed))
    paths = plan.paths
    columns = [*words("Run", *paths, "Method"), *numbers("Simulated [s]", "Energy error", "Wall time [s]")]
    rows = [
        [
            done["id"],
            *(done["values"].get(p) for p in paths),
            done.get("method"),
            done.get("duration_s"),
            done.get("energy_error"),
            done["run"]["wall_s"] if "run" in done else None,
        ]
        for done in place.finished(plan)
    ]
    return [*blocks, Table("runs", "Finished runs", columns, rows)]


def _assumptions(place: Folder, plan: Plan) -> list[Block]:
    manifest = place.manifest()
    facts = [
        ("Version", manifest["gearwright_version"]),
        ("Fingerprint", plan.fingerprint[:16]),
        ("Options", ", ".join(f"{k} {v}" for k, v in vars(plan.options).items() if v is not None) or "as in the file"),
        ("Overrides", ", ".join(plan.overrides) or "none"),
    ]
    blocks = [Listing([f"{name}: {value}" for name, value in facts]), *remark_lists(place.remarks(plan))]
    if assumed := [str(a) for a in plan.drivetrain.assumed]:
        blocks += [Heading("Assumed in the drivetrain file"), Listing(assumed)]
    return [*blocks, Source("The drivetrain file", plan.text)]
