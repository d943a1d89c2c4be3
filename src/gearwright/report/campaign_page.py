"""The page of a campaign: what ran and what failed, extreme loads with where they came from, fatigue loads."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.campaigns import Folder, Plan, extremes
from gearwright.life.bins import apart
from gearwright.life.extremes import bootstrap, gumbel, mean_equivalent, seeds_needed

from .book import NAMES, missing, remark_lists
from .campaign_events import events
from .figures import Figure, plot
from .format import quantity, screen_unit, text, words
from .page import document, write_page
from .palette import DASHES, colour_token
from .sheet import Sheet, heading
from .tables import Column, Table

#: loads that the page tabulates, by kind of element
LOADS = (("mesh", "normal_force"), ("bearing", "force"), ("shaft", "torque"), ("machine", "torque"))
#: elements of one figure
_MOST = 6


def campaign_report(folder: str | Path, output: str | Path) -> Path:
    """Write the page of a campaign's folder, finished or not.

    Raises CampaignError if the folder is not one.
    """
    place = Folder(Path(folder))
    plan = place.plan()
    sheet = Sheet()
    rows = [r for r in extremes(place, plan) if _quantity(r) in {q for k, q in LOADS if k == r["kind"]}]
    fatigue = fatigue_rows(place, plan)
    failures = list(place.failures(plan))
    done = sum(1 for _ in place.finished(plan))
    facts = [f"{done} of {len(plan.items)} runs done", f"case {plan.case}", f"partial factor {plan.partial_factor:g}"]
    if failures:
        facts.append(f"{len(failures)} failed")
    sections = [
        ("ultimate", "Extreme loads", _ultimate(sheet, plan, rows)),
        ("groups", "Loads by group", _groups(sheet, plan, rows)),
        ("events", "Events and bearings", events(sheet, plan, place, rows)),
        ("fatigue", "Fatigue loads", _fatigue(sheet, plan, fatigue)),
        ("uncertainty", "Statistical uncertainty", _uncertainty(sheet, plan, place)),
        ("runs", "Runs", _runs(sheet, plan, place, failures)),
        ("assumptions", "Assumed, notes, warnings and versions", _assumptions(place, plan)),
    ]
    sections = [section for section in sections if section[2]]
    title = f"Campaign {plan.name} of {plan.facts.get('drivetrain', '')}".strip()
    return write_page(
        document(title, plan.name, heading(title, facts), sections, sheet.figures, sheet.tables), Path(output)
    )


def _quantity(row: Mapping[str, Any]) -> str:
    return str(row["channel"]).rsplit(".", 1)[1]


def _element(row: Mapping[str, Any]) -> str:
    return str(row["channel"]).rsplit(".", 1)[0]


def _label(group: Mapping[str, Any]) -> str:
    return ", ".join(f"{path.rsplit('.', 1)[-1]} {value}" for path, value in group.items()) or "all runs"


def fatigue_rows(folder: Folder, plan: Plan) -> list[dict[str, Any]]:
    """Damage equivalent loads by channel, exponent and group: over the runs of a group the mean of the damages,
    ``(mean DEL^m)^(1/m)``, that is, one run of the same length that does the average damage."""
    groups: dict[tuple[str, str, str], list[float]] = {}
    units: dict[str, tuple[str, str]] = {}
    for line in folder.finished(plan):
        key = json.dumps([line["values"].get(path) for path in plan.group], default=str)
        for name, channel in line["channels"].items():
            for m, value in channel.get("del", {}).items():
                groups.setdefault((name, m, key), []).append(value)
                units[name] = (channel["unit"], channel["kind"])
    rows = []
    for (name, m, key), values in groups.items():
        x, exponent = np.array(values), float(m)
        top = float(x.max(initial=0.0))
        mean = top * float(np.mean((x / top) ** exponent)) ** (1 / exponent) if top > 0 else 0.0
        rows.append({"channel": name, "unit": units[name][0], "kind": units[name][1], "exponent": exponent,
                     "group": dict(zip(plan.group, json.loads(key), strict=True)), "del": mean})  # fmt: skip
    return rows


def _ultimate(sheet: Sheet, plan: Plan, rows: list[dict[str, Any]]) -> str:
    if not rows:
        return missing("No run of this campaign is finished.")
    html = ""
    for kind, name in LOADS:
        best: dict[str, dict[str, Any]] = {}
        for row in rows:
            if row["kind"] == kind and _quantity(row) == name:
                element = _element(row)
                if element not in best or row["design"] > best[element]["design"]:
                    best[element] = row
        if not best:
            continue
        unit = next(iter(best.values()))["unit"]
        listed = sorted(best.values(), key=lambda r: -r["design"])
        columns = [Column("Element", words=True), Column("Design load", unit), Column("Mean of max", unit),
                   Column("Mean of upper half", unit), Column("Largest", unit), Column("in run", words=True),
                   Column("Smallest", unit), Column("in run", words=True), Column("Governing group", words=True)]  # fmt: skip
        data = [[_element(r), r["design"], r["mean_of_max"], r["mean_of_upper_half"], r["max"], r["max_id"], r["min"],
                 r["min_id"], _label(r["group"])] for r in listed]  # fmt: skip
        title = NAMES.get((kind, name), words(name))
        note = (f"Design load: {plan.partial_factor:g} times the mean over the runs of a group of each run's largest "
                "magnitude; groups are all runs that differ only in their seed.")  # fmt: skip
        html += sheet.table(
            Table(f"ultimate-{kind}", f"{title}: extreme loads", columns, data, governing=0, note=note, round_off=True)
        )
    return html


def _axis(plan: Plan, rows: Sequence[Mapping[str, Any]]) -> str | None:
    """The path of the groups with the most values: the horizontal axis of the figures."""
    counts = {path: len({str(r["group"].get(path)) for r in rows}) for path in plan.group}
    path = max(counts, key=lambda p: counts[p], default=None)
    return path if path is not None and counts[path] > 1 else None


def _groups(sheet: Sheet, plan: Plan, rows: list[dict[str, Any]]) -> str:
    axis = _axis(plan, rows)
    if axis is None:
        return missing("The campaign has one group of runs; its loads are in the table above.")
    html = ""
    for kind, name in LOADS:
        chosen = [r for r in rows if r["kind"] == kind and _quantity(r) == name]
        if chosen:
            html += sheet.figure(_by_group(axis, kind, name, chosen))
            html += sheet.table(_pivot(plan, axis, kind, name, chosen))
    return html


def _by_group(axis: str, kind: str, name: str, rows: list[dict[str, Any]]) -> Figure:
    factor, unit = screen_unit(rows[0]["unit"])
    peaks: dict[str, float] = {}
    for row in rows:
        peaks[_element(row)] = max(peaks.get(_element(row), 0.0), row["mean_of_max"])
    elements = sorted(peaks, key=lambda e: -peaks[e])[:_MOST]
    traces: list[dict[str, Any]] = []
    used: dict[str, int] = {}
    for element in elements:
        others: dict[str, list[dict[str, Any]]] = {}
        for row in (r for r in rows if _element(r) == element):
            rest = {p: v for p, v in row["group"].items() if p != axis}
            others.setdefault(_label(rest) if rest else "", []).append(row)
        token = colour_token(kind, element)
        for label, points in others.items():
            used[token] = used.get(token, -1) + 1
            traces.append({
                "type": "scatter", "mode": "lines+markers", "name": f"{element} {label}".strip(),
                "x": [str(r["group"][axis]) for r in points], "y": [factor * r["mean_of_max"] for r in points],
                "line": {"color": f"@{token}", "dash": DASHES[used[token] % len(DASHES)]},
            })  # fmt: skip
    top = max(rows, key=lambda r: r["mean_of_max"])
    title = NAMES.get((kind, name), words(name))
    sentence = (f"{title}: mean of the maxima by {axis.rsplit('.', 1)[-1]}; the largest is "
                f"{quantity(top['mean_of_max'], top['unit'])} at {_element(top)} ({_label(top['group'])}).")  # fmt: skip
    layout = {"xaxis": {"title": {"text": axis}, "type": "category"},
              "yaxis": {"title": {"text": f"{title} [{unit}]"}, "rangemode": "tozero"}, "height": 380}  # fmt: skip
    return plot(f"groups-{kind}-{name}", sentence, traces, layout)


def _pivot(plan: Plan, axis: str, kind: str, name: str, rows: list[dict[str, Any]]) -> Table:
    unit = rows[0]["unit"]
    heads = list(dict.fromkeys(str(r["group"][axis]) for r in rows))
    lines: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        rest = {p: v for p, v in row["group"].items() if p != axis}
        lines.setdefault((_element(row), _label(rest) if rest else ""), {})[str(row["group"][axis])] = row[
            "mean_of_max"
        ]
    words_of_rest = any(label for _, label in lines)
    columns = [Column("Element", words=True), *([Column("Group", words=True)] if words_of_rest else []),
               *(Column(h, unit) for h in heads)]  # fmt: skip
    data = [[e, *([label] if words_of_rest else []), *(values.get(h, math.nan) for h in heads)]
            for (e, label), values in lines.items()]  # fmt: skip
    title = NAMES.get((kind, name), words(name))
    return Table(f"pivot-{kind}-{name}", f"{title}: mean of the maxima by {axis}", columns, data)


def _fatigue(sheet: Sheet, plan: Plan, rows: list[dict[str, Any]]) -> str:
    if not rows:
        return missing("The runs counted no cycles (exponents of the case).")
    html = ""
    for kind, name in LOADS:
        chosen = [r for r in rows if r["kind"] == kind and _quantity(r) == name]
        if not chosen:
            continue
        exponents = sorted({r["exponent"] for r in chosen})
        lines: dict[tuple[str, str], dict[float, float]] = {}
        for row in chosen:
            lines.setdefault((_element(row), _label(row["group"])), {})[row["exponent"]] = row["del"]
        columns = [Column("Element", words=True), Column("Group", words=True),
                   *(Column(f"DEL, m = {m:g}", chosen[0]["unit"]) for m in exponents)]  # fmt: skip
        data = [[e, g, *(values.get(m, math.nan) for m in exponents)] for (e, g), values in lines.items()]
        title = NAMES.get((kind, name), words(name))
        note = ("Ranges (peak to peak) at the reference frequency or cycles of the case; over the runs of a group the "
                "load that does the average damage.")  # fmt: skip
        html += sheet.table(
            Table(f"fatigue-{kind}-{name}", f"{title}: damage equivalent loads", columns, data, note=note)
        )
    return html


def _uncertainty(sheet: Sheet, plan: Plan, place: Folder) -> str:
    """Bootstrap intervals over the seeds of the governing groups, seeds needed, Gumbel plot of the largest."""
    seeds: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in place.finished(plan):
        key = json.dumps([line["values"].get(path) for path in plan.group], default=str)
        for name, channel in line["channels"].items():
            kind, quantity_name = channel["kind"], name.rsplit(".", 1)[1]
            if (kind, quantity_name) in LOADS:
                seeds.setdefault((name, key), []).append(channel)
    peaks = {k: np.array([max(abs(c["max"]), abs(c["min"])) for c in v]) for k, v in seeds.items() if len(v) >= 3}
    if not peaks:
        return missing("Fewer than three runs differ only in their seed: nothing can be said about scatter.")
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
    html = ""
    for unit in dict.fromkeys(seeds[best[r[0]]][0]["unit"] for r in rows):
        chosen = [r for r in rows if seeds[best[r[0]]][0]["unit"] == unit]
        columns = [Column("Channel", words=True), Column("Mean of max", unit), Column("from", unit), Column("to", unit),
                   Column("Seeds for 5 %"), Column("m"), Column("DEL", unit), Column("from", unit), Column("to", unit),
                   Column("Seeds for 5 %"), Column("Group", words=True)]  # fmt: skip
        note = ("90 % intervals by bootstrap over the seeds; seeds for which the interval would be 5 % of the value to "
                "either side.")  # fmt: skip
        html += sheet.table(Table(f"uncertainty-{unit}", f"Governing groups, loads in {screen_unit(unit)[1]}", columns,
                                  chosen, note=note))  # fmt: skip
    first = best[rows[0][0]]
    if len(peaks[first]) >= 5 and apart(float(peaks[first].min()), float(peaks[first].max())):
        html += sheet.figure(_gumbel_plot(first[0], seeds[first][0]["unit"], peaks[first]))
    return html


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
    line = np.linspace(0.02, 1 - 1e-4, 200)
    reduced = -np.log(-np.log(line))
    traces = [
        {"type": "scatter", "mode": "markers", "name": "runs", "x": (-np.log(-np.log(rank))).tolist(),
         "y": (factor * x).tolist(), "marker": {"color": "@sun", "size": 7}},
        {"type": "scatter", "mode": "lines", "name": "Gumbel", "x": reduced.tolist(),
         "y": (factor * (found.location + found.scale * reduced)).tolist(), "line": {"color": "@wheel"}},
    ]  # fmt: skip
    ticks = [0.1, 0.5, 0.9, 0.99, 0.999]
    layout = {
        "xaxis": {"title": {"text": "probability that a run stays below [-]"},
                  "tickvals": [-math.log(-math.log(p)) for p in ticks], "ticktext": [str(p) for p in ticks]},
        "yaxis": {"title": {"text": f"largest magnitude of a run [{shown}]"}}, "height": 360,
    }  # fmt: skip
    sentence = (f"{name}: largest magnitudes of {len(x)} seeds on Gumbel paper; one run in 100 exceeds "
                f"{quantity(found.level(100.0), unit)}.")  # fmt: skip
    return plot("gumbel", sentence, traces, layout)


def _runs(sheet: Sheet, plan: Plan, place: Folder, failures: list[dict[str, Any]]) -> str:
    html = ""
    if failures:
        columns = [Column("Run", words=True), Column("What happened", words=True)]
        html += sheet.table(Table("failed", "Failed runs", columns, [[f["id"], f["error"]] for f in failures]))
    paths = plan.paths
    columns = [Column("Run", words=True), *(Column(p, words=True) for p in paths), Column("Method", words=True),
               Column("Simulated", "s"), Column("Energy error"), Column("Wall time", "s")]  # fmt: skip
    rows = [[line["id"], *(line["values"].get(p) for p in paths), line.get("method"), line.get("duration_s"),
             line.get("energy_error"), line.get("run", {}).get("wall_s")] for line in place.finished(plan)]  # fmt: skip
    return html + sheet.table(Table("runs", "Finished runs", columns, rows))


def _assumptions(place: Folder, plan: Plan) -> str:
    manifest = place.manifest()
    facts = [
        ("Version", manifest["gearwright_version"]), ("Fingerprint", plan.fingerprint[:16]),
        ("Options", ", ".join(f"{k} {v}" for k, v in vars(plan.options).items() if v is not None) or "as in the file"),
        ("Overrides", ", ".join(plan.overrides) or "none"),
    ]  # fmt: skip
    items = "".join(f"<li>{text(k)}: {text(v)}</li>" for k, v in facts)
    assumed = "".join(f"<li>{text(a)}</li>" for a in plan.drivetrain.assumed)
    html = f"<ul>{items}</ul>" + remark_lists(place.remarks(plan))
    if assumed:
        html += f"<h3>Assumed in the drivetrain file</h3><ul>{assumed}</ul>"
    return html + f'<details><summary>The drivetrain file</summary><pre tabindex="0">{text(plan.text)}</pre></details>'


__all__ = ["campaign_report", "fatigue_rows"]
