"""Pages of a fleet: which gearbox first, by which part and why; a page for every turbine; what the data do not cover."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from gearwright.figures.figures import Figure, Trace, axis, heatmap, layout, line, plot
from gearwright.figures.format import number, slug
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.fleets.corrections import Corrected
from gearwright.fleets.parts_left import PartLeft
from gearwright.fleets.ranking import EXPOSURES, FleetFigures, TurbineFigures
from gearwright.fleets.stream import BINS

from .blocks import Block, Facts, Links, Listing, Section, Words, missing
from .document import Page

#: turbines of the ranking's figure, parts of a table
_MOST, _PARTS = 40, 30
#: what the figures of a fleet never hold
NOT_COVERED = (
    "Bending of the rotor shaft and loads of main and carrier bearings that it makes: no signal of the generator holds them.",
    "Mesh frequency and its harmonics: signals of a controller end far below. Equivalent ranges of meshes are larger in truth, damage by duration is not.",
    "White etching cracks, skidding, micropitting by the oil's state, contamination, assembly: most gearbox failures are no rated fatigue. A rank is one of exposure.",
    "Load sharing, misalignment and mesh dynamics that change with wear: factors of the rating stand for them.",
    "Nothing here was compared with a measured load of a gearbox: no public record holds one.",
)
_KINDS = {
    "bearings": "rolling bearings (exponent 10/3)",
    "flanks": "tooth flanks (6.61)",
    "roots": "tooth roots (8.70)",
}
_FAULTS = ("rows", "accepted", "missing", "out_of_order", "late", "repeated", "conflicts", "frozen", "gaps")


def fleet_report(found: FleetFigures, output: str | Path) -> list[Path]:
    """Write the page of a fleet and one of every turbine beside it; paths, that of the fleet first."""
    folder = Path(output)
    pages = [_fleet_page(found).write(folder / "index.html")]
    for t in found.turbines:
        pages.append(_turbine_page(t, found).write(folder / f"{slug(t.turbine)}.html"))
    return pages


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def _fleet_page(found: FleetFigures) -> Page:
    turbines = found.turbines
    facts = [f"{len(turbines)} turbines"]
    if turbines:
        facts.append(f"{_day(min(t.begin for t in turbines))} to {_day(max(t.end for t in turbines))} (UTC)")
        facts.append(f"hardest exposed: {turbines[0].turbine}")
    facts.append(f"{found.failures} failures and replacements")
    sections = [
        Section("ranking", "Which gearbox first", _ranking(turbines)),
        Section("parts", "By which part", _first_parts(turbines)),
        Section("quality", "Data quality", _quality(turbines)),
        Section("pages", "Turbines", _links(turbines)),
        Section("cover", "What these figures do not cover", [Listing(NOT_COVERED)]),
    ]
    return Page("Fleet", "fleet", sections, facts, remarks=found.remarks)


def _ranking(turbines: Sequence[TurbineFigures]) -> list[Block]:
    if not turbines:
        return [missing("No turbine has rows yet.")]
    shown = turbines[:_MOST]
    names = [t.turbine for t in shown]
    own = [t.exposures["bearings"] for t in shown]
    bars: Trace = {
        "type": "bar",
        "orientation": "h",
        "y": names,
        "x": [e.per_year for e in own],
        "marker": {"color": "@wheel"},
        "name": "bearings",
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [e.high - e.per_year for e in own],
            "arrayminus": [e.per_year - e.low for e in own],
            "color": "@ink",
        },
    }
    top = shown[0]
    sentence = f"{top.turbine} first: {number(own[0].per_year, 3)} rated hours a year for bearings, {top.why}."
    note = (
        "Hours at rated torque and speed that do the same damage to a rolling bearing. Bars: 90 % intervals, from the error of all loads of a gearbox and "
        "from how days differ; records of a few days are wide."
    )
    down: Trace = {"autorange": "reversed", "automargin": True}
    drawn = layout(axis("rated hours a year [h]", rangemode="tozero"), down, 140 + 24 * len(shown), showlegend=False)
    heads = (
        "Bearings [h/a]",
        "low",
        "high",
        "Flanks [h/a]",
        "Roots [h/a]",
        "Days",
        "Covered [%]",
        "Capacity [%]",
        "Near rated [%]",
    )
    columns = [*words("Turbine"), *numbers(*heads)]
    rows = [
        [
            t.turbine,
            t.exposures["bearings"].per_year,
            t.exposures["bearings"].low,
            t.exposures["bearings"].high,
            t.exposures["flanks"].per_year,
            t.exposures["roots"].per_year,
            (t.end - t.begin) / 86400.0,
            100.0 * t.coverage,
            100.0 * t.capacity,
            100.0 * t.near_rated,
        ]
        for t in turbines
    ]
    table = Table(
        "ranking", "Exposure by turbine, a year being 8766 h counted as the record was", columns, rows, governing=0
    )
    return [plot("ranking", sentence, [bars], drawn, note), table]


def _first_parts(turbines: Sequence[TurbineFigures]) -> list[Block]:
    rated = [t for t in turbines if t.parts]
    if not rated:
        return [
            missing(
                "No part is rated: ratings (a section 'life' of the drivetrain, or --ratings) turn exposure into damage and remaining life."
            )
        ]
    ranked = sorted(((t.turbine, t.parts[0]) for t in rated), key=lambda pair: pair[1].years["50"])
    rows = [[name, *_part_row(part)] for name, part in ranked]
    name, part = ranked[0]
    words_ = Words(
        f"{name}: {part.element} has the shortest time to go, {number(part.years['50'], 3)} years until half of its kind have failed."
    )
    return [
        words_,
        Table(
            "first",
            "The part of each turbine that comes first",
            [*words("Turbine"), *_part_columns()],
            rows,
            governing=0,
        ),
    ]


def _part_columns() -> list[Column]:
    return [
        *words("Part", "Mode"),
        *numbers("Damage", "low", "high", "per year", "Years to 10 %", "to 50 %", "to 90 %", "Fails within a year"),
    ]


def _part_row(p: PartLeft) -> list[str | float]:
    label = f"{p.element} {p.name}".strip()
    return [
        label,
        p.mode,
        p.damage,
        p.low,
        p.high,
        p.per_year,
        p.years["10"],
        p.years["50"],
        p.years["90"],
        p.within_year,
    ]


def _quality(turbines: Sequence[TurbineFigures]) -> list[Block]:
    if not turbines:
        return []
    blocks: list[Block] = []
    figure = _map(turbines)
    if figure is not None:
        blocks.append(figure)
    columns = [*words("Turbine"), *numbers("Step [s]", *(name.replace("_", " ") for name in _FAULTS), "missing hours")]
    rows = [
        [t.turbine, t.interval, *(int(t.faults[n]) for n in _FAULTS), t.faults["gap_time"] / 3600.0] for t in turbines
    ]
    note = "Nothing is filled in: what is missing, in conflict or frozen is not counted, and its time is missing from the hours."
    moved = [f"{t.turbine}: {sentence}" for t in turbines for sentence in t.clock]
    if moved:
        blocks.append(Listing(moved, lead="Clocks:"))
    return [*blocks, Table("faults", "Faults of the records, in rows", columns, rows, note=note)]


def _map(turbines: Sequence[TurbineFigures]) -> Figure | None:
    """Share of each day with data, turbine by turbine."""
    with_days = [t for t in turbines if len(t.days)]
    if not with_days:
        return None
    days = np.unique(np.concatenate([t.days["begin"] for t in with_days]))
    share = np.full((len(with_days), len(days)), 0.0)
    for i, t in enumerate(with_days):
        share[i, np.searchsorted(days, t.days["begin"])] = np.minimum(t.days["seconds"] / 86400.0, 1.0)
    worst = int(share.mean(axis=1).argmin())
    sentence = f"Share of every day that was counted; least of {with_days[worst].turbine}, {number(100 * share[worst].mean(), 3)} %."
    trace = heatmap(
        [_day(d) for d in days], [t.turbine for t in with_days], share.tolist(), "share", zmin=0.0, zmax=1.0
    )
    return plot(
        "map",
        sentence,
        [trace],
        layout(axis("", type="category"), {"automargin": True, "autorange": "reversed"}, 160 + 22 * len(with_days)),
    )


def _links(turbines: Sequence[TurbineFigures]) -> list[Block]:
    return [
        Links(
            [
                (
                    t.turbine,
                    f"{slug(t.turbine)}.html",
                    f"{t.drivetrain}, {number(t.hours, 4)} h counted, {t.books} book{'s' * (t.books > 1)}",
                )
                for t in turbines
            ]
        )
    ]


# --- a turbine -----------------------------------------------------------------------------------------------


def _turbine_page(t: TurbineFigures, found: FleetFigures) -> Page:
    rank = [x.turbine for x in found.turbines].index(t.turbine) + 1
    facts = [
        f"rank {rank} of {len(found.turbines)}",
        t.drivetrain,
        f"{_day(t.begin)} to {_day(t.end)} (UTC)",
        f"a row every {number(t.interval, 4)} s",
        f"{number(t.hours, 4)} h counted, {number(100 * t.coverage, 3)} % of the time",
    ]
    sections = [
        Section("exposure", "Exposure", _exposure(t)),
        Section("duration", "Load duration", _duration(t)),
        Section("parts", "Parts", _parts(t)),
        Section("cycles", "Equivalent ranges", _ranges(t)),
        Section("events", "Events", _events(t)),
        Section("days", "Days", _days(t)),
        Section("quality", "Data quality", _quality([t])),
        Section("cover", "What these figures do not cover", [Listing(NOT_COVERED)]),
    ]
    return Page(f"Turbine {t.turbine}", t.turbine, sections, facts, remarks=t.remarks)


def _exposure(t: TurbineFigures) -> list[Block]:
    columns = [*words("What"), *numbers("In the record [h]", "A year [h/a]", "low", "high")]
    rows = [[_KINDS[kind], e.hours, e.per_year, e.low, e.high] for kind, e in t.exposures.items()]
    facts = Facts(
        [
            ("why", t.why),
            ("mean power at the generator's shaft", f"{number(t.mean_power / 1e3, 4)} kW"),
            ("capacity factor", f"{number(100 * t.capacity, 3)} %"),
            ("time with production", f"{number(100 * t.producing, 3)} %"),
        ]
    )
    return [
        facts,
        Table(
            "exposure", "Hours at rated torque and speed that do the same damage, with 90 % intervals", columns, rows
        ),
    ]


def _duration(t: TurbineFigures) -> list[Block]:
    """Turns at or above a torque, against a turbine that runs at rated torque all the time it is counted."""
    spectra = t.spectra
    turns = spectra.turns[-1]
    levels = spectra.levels[-1] / spectra.setting.torque
    order = np.argsort(levels)[::-1]
    above = np.cumsum(turns[order])
    used = turns[order] > 0.0
    rated = spectra.setting.speed * spectra.time / (2.0 * math.pi)
    measured = line("counted", (above[used]).tolist(), levels[order][used].tolist(), "wheel", shape="hv")
    design = line("rated torque all the time", [0.0, rated, rated], [1.0, 1.0, 0.0], "pinion", "dash")
    near = float(turns[spectra.levels[-1] > 0.9 * spectra.setting.torque].sum() / max(turns.sum(), 1e-300))
    sentence = f"{number(100 * near, 3)} % of all turns are above nine tenths of rated torque; the dashed line is the load duration of a design at rated torque."
    drawn = layout(axis("turns of the generator at or above the load"), axis("main shaft load over rated [-]"), 360)
    return [
        plot(
            "duration",
            sentence,
            [measured, design],
            drawn,
            f"Bins of a {BINS}th of rated torque, with the mean of the loads in each.",
        )
    ]


def _parts(t: TurbineFigures) -> list[Block]:
    if not t.parts:
        return [missing("No part is rated: see the exposure.")]
    rows = [_part_row(p) for p in t.parts[:_PARTS]]
    note = (
        "Damage: Miner sum since the part was put in, 1 where a tenth of its kind has failed; interval of the load's error. Years: until it has failed with 10, 50 and "
        "90 % at the rate of the record, by the ratings, the failures and the survivals of the fleet (Gamma update)."
    )
    return [Table("parts", "Damage and what is left", _part_columns(), rows, governing=0, note=note)]


def _ranges(t: TurbineFigures) -> list[Block]:
    if t.corrected is not None:
        return _corrections(t.corrected)
    if not t.equivalent:
        return [missing("Rows this slow hold no cycles, and there is no surrogate of this gearbox to correct them by.")]
    exponents = list(next(iter(t.equivalent.values())))
    columns = [*words("Channel"), *numbers(*(f"m = {m}" for m in exponents))]
    rows = [[name, *own.values()] for name, own in t.equivalent.items()]
    return [Table("ranges", "Equivalent ranges at 1 Hz of the book at hand [N, N m]", columns, rows)]


def _corrections(c: Corrected) -> list[Block]:
    """Figures by the surrogate, each beside how well it is known."""
    domain = (
        f"By the surrogate of {c.surrogate} from {', '.join(c.features)}: {c.producing} rows of production, {number(100 * c.inside, 3)} % of them in the domain of its "
        "campaign."
    )
    card = Facts([(key, value) for key, value in c.card.items()])
    if c.refused:
        return [Words(domain), missing(f"No figures: {c.refused}."), card]
    exponents = list(next(iter(c.equivalent.values())))
    columns = [*words("Channel"), *numbers(*(f"m = {m}" for m in exponents))]
    rows = [[name, *own.values()] for name, own in c.equivalent.items()]
    ranges = Table("ranges", "Equivalent ranges at 1 Hz, slow cycles from row to row included [N, N m]", columns, rows)
    known = [
        *words("Target"),
        *numbers(
            "Error of ten minutes [%]",
            "of damage [%]",
            "wind band left out [%]",
            "its damage [%]",
            "in 95 % [%]",
            "slow cycles [%]",
        ),
    ]
    checks = [
        [
            target.replace("range2_", "range, m = ").replace("level_", "duration, p = "),
            100 * k.error,
            100 * k.damage,
            100 * k.band_error,
            100 * k.band_damage,
            100 * k.coverage,
            100 * c.slow[target.removeprefix("range2_")] if target.startswith("range2_") else None,
        ]
        for target, k in c.checks.items()
    ]
    note = "Runs of the campaign that were left out, one at a time and by wind speed; share of them in their own 95 % interval; share of damage from cycles between rows."
    hours = Facts([(f"rated hours in the record, exponent {p}", f"{number(h, 4)} h") for p, h in c.rated_hours.items()])
    return [
        Words(domain),
        ranges,
        Table("checks", "How well the surrogate knows what it was not shown", known, checks, note=note),
        hours,
        card,
    ]


def _events(t: TurbineFigures) -> list[Block]:
    if not sum(t.events.values()):
        return [
            missing(
                "No events were found: rows that are means hold none without a status of the turbine, others had none."
            )
        ]
    exponents = list(next(iter(t.event_damage.values()), {}))
    columns = [*words("Event"), *numbers("Number", *(f"damage, m = {m} [%]" for m in exponents))]
    rows = [
        [kind, count, *(100.0 * t.event_damage[kind][m] if kind in t.event_damage else None for m in exponents)]
        for kind, count in t.events.items()
    ]
    note = (
        "By the status of the turbine, or found in speed and torque of one-second samples, where dips of the grid shorter than that may be missed. Damage: of the main history over that of the whole record, by a campaign of "
        "events at the nearest wind."
        if exponents
        else "By the status of the turbine, or found in speed and torque of one-second samples; no campaign of events of this gearbox is at hand to say what they do."
    )
    return [Table("events", "Starts, stops, trips, emergency stops and grid faults", columns, rows, note=note)]


def _days(t: TurbineFigures) -> list[Block]:
    days = t.days
    if not len(days):
        return [missing("No ten minutes are whole yet.")]
    x = [_day(d) for d in days["begin"]]
    traces = [
        line(_KINDS[kind], x, days[kind].tolist(), colour, mode="lines+markers")
        for kind, colour in zip(EXPOSURES, ("wheel", "planet1", "pinion"), strict=True)
    ]
    top = int(np.argmax(days["bearings"]))
    sentence = f"{x[top]} did most: {number(float(days['bearings'][top]), 3)} rated hours for bearings."
    return [
        plot(
            "days",
            sentence,
            traces,
            layout(axis("", type="category"), axis("rated hours in the day [h]", rangemode="tozero"), 340),
            "From ten-minute means.",
        )
    ]
