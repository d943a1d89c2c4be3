"""The first page of a run's report: the verdict, four figures that matter, what fails first, and what the figures hold."""

from __future__ import annotations

import json
import math

from gearwright._version import __version__
from gearwright.analyses.rating_sheet import Finding, RatingSheet
from gearwright.figures.book import Book
from gearwright.figures.campbell import Campbell, closest
from gearwright.figures.format import DASH, NARROW_SPACE, number, quantity, seconds
from gearwright.figures.format import words as plain
from gearwright.figures.scheme import Mark
from gearwright.figures.sharing import Sharing
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Card, Cards, TitleBlock, Verdict, Words

#: requirements of the table: at most so many that fail, and so many of the lowest that pass
_FAILED, _PASSED = 8, 3
_MOST = 1e7


def first_page(book: Book, scheme: list[Block]) -> list[Block]:
    """Title block, verdict, cards, the scheme with what is lowest marked, its table, one line of how the energy closes."""
    found = book.ratings
    blocks: list[Block] = [title_block(book), verdict(found)]
    blocks.append(Cards([_safety_card(book), _efficiency_card(book), _sharing_card(book), _load_card(book)]))
    blocks += scheme
    if isinstance(found, RatingSheet) and (lowest := lowest_table(found)):
        blocks.append(lowest)
    blocks.append(Words(_energy(book), "small"))
    return blocks


def title_block(book: Book) -> TitleBlock:
    """Who and what: as on the rating sheet, and how long the run is."""
    found, run = book.ratings, book.run
    told = found.title_block if isinstance(found, RatingSheet) else {}
    pairs: dict[str, str | None] = {
        "Project": told.get("Project"),
        "Author": told.get("Author"),
        "Program": f"Gearwright {run.attribute('gearwright_version') or __version__}",
        "Result": run.path.name,
        "Drivetrain, SHA-256": told.get("SHA-256 of its content"),
        "Model": ", ".join(str(w) for w in (run.attribute("fidelity"), run.attribute("law")) if w) or None,
        "Time": _time(book),
        "Life asked for": f"{found.rating.years:g} years" if isinstance(found, RatingSheet) else None,
    }
    return TitleBlock(tuple(pairs.items()))


def _time(book: Book) -> str | None:
    times = book.run.times
    if len(times) < 2:
        return None
    left = float(book.run.attribute("discard_s", 0.0) or 0.0)
    words = f"{seconds(float(times[-1]))}"
    return words + (f", first {seconds(left)} left out" if left > 0.0 else "")


def verdict(found: object) -> Verdict:
    """What fails first, or what is lowest, or that nothing is rated and why."""
    if not isinstance(found, RatingSheet):
        why = found if isinstance(found, str) else "nothing was asked for."
        return Verdict("Not rated", "Nothing is rated.", why, False)
    if not found.findings:
        return Verdict("Not rated", "Nothing is rated.", "; ".join(found.blanks), False)
    first, failed = found.findings[0], found.failures
    parts, short = {f.part for f in found.findings}, {f.part for f in failed}
    rest = f"The record repeats for {found.rating.years:g} years; it holds no load that is not in it."
    if not failed:
        text = f"Lowest: {first.part}, {first.mode}, {number(first.margin, 3)} of what is asked for."
        return Verdict("Requirements met as far as rated", text, f"All {len(parts)} rated parts pass. {rest}", False)
    if first.unit == "h":
        years = found.rating.years * first.margin
        text = f"{first.part} fails first, after {number(years, 2)} of {found.rating.years:g} years."
    else:
        text = f"{first.part} fails first: {first.mode} {number(first.value, 3)}, at least {number(first.required, 3)}."
    some = f"{len(short)} of {len(parts)} rated parts fall short of what is asked for."
    return Verdict("Requirement not met", text, f"{some} {rest}", True)


def _chosen(found: RatingSheet) -> list[Finding]:
    """All that fails, up to a number, and the lowest of what passes."""
    failed = found.failures
    return [*failed[:_FAILED], *found.findings[len(failed) : len(failed) + _PASSED]]


def marks(found: RatingSheet) -> list[Mark]:
    """Numbers of the parts of the table, a part once, as the scheme has them."""
    first: dict[str, Mark] = {}
    for f in _chosen(found):
        if f.element:
            first.setdefault(f.element, Mark(len(first) + 1, f.element, f.margin < 1.0))
    return list(first.values())


def lowest_table(found: RatingSheet) -> Table | None:
    """All that fails, up to a number, and the lowest of what passes."""
    failed, chosen = found.failures, _chosen(found)
    if not chosen:
        return None
    numbered = {mark.element: str(mark.number) for mark in marks(found)}
    rows = [
        [
            f"{numbered[f.element]}  {f.part}" if f.element in numbered else f.part,
            f.mode,
            f.value,
            f.required,
            f.unit,
            f.margin,
        ]
        for f in chosen
    ]
    columns = [
        *words("Part", "What"),
        *numbers("Value", "Required", most=_MOST),
        *words("Unit"),
        *numbers("Margin", most=_MOST),
    ]
    short = frozenset((i, 5) for i, f in enumerate(chosen) if f.margin < 1.0)
    left = len(failed) - _FAILED
    note = "Numbers are those of the scheme: filled marks fall short, open ones are the lowest that pass. Margin: value over requirement, at least 1."
    note += f" {left} more fall short." if left > 0 else ""
    note += " All factors: gearwright life RESULT --sheet."
    return Table(
        "lowest", "Where it fails" if failed else "What is lowest", columns, rows, note=note, short=short, folds=True
    )


def _safety_card(book: Book) -> Card:
    """Lowest safeties of flanks and roots; without ratings the DEL of the low-speed shaft."""
    found = book.ratings
    if not isinstance(found, RatingSheet):
        return _fatigue_card(book)
    lowest = {
        mode: min((f for f in found.findings if f.mode == mode), key=lambda f: f.margin, default=None)
        for mode in ("flank safety", "root safety")
    }
    known = {mode: f for mode, f in lowest.items() if f is not None}
    if not known:
        return _fatigue_card(book)
    value = " / ".join(number(f.value, 3) for f in known.values())
    parts = "; ".join(f"{f.part}, at least {f.required:g}" for f in known.values())
    label = "Lowest safety, " + " / ".join(mode.removesuffix(" safety") for mode in known)
    return Card(label, value, parts, "ratings")


def _fatigue_card(book: Book) -> Card:
    """DEL of the low-speed shaft, or of the governing mesh of a train without shafts."""
    run = book.run
    shaft, mesh = run.low_speed_shaft(), run.largest("mesh")
    label, kind, name, element = "DEL of the low-speed shaft", "shaft", "torque", shaft
    if shaft is None and mesh is not None:
        label, kind, name, element = "DEL of the tooth force", "mesh", mesh.quantity, mesh.element
    exponents, equivalents = run.equivalents(kind, name)
    if element is None or element not in equivalents:
        return Card(label, DASH, "nothing counted", "loads")
    i = exponents.index(4.0) if 4.0 in exponents else 0
    top, found = run.extreme(kind, name, element), equivalents[element][i]
    if top is not None and found < 1e-9 * abs(top.value):
        found = 0.0  # round-off of a steady run
    detail = f"{element}, {plain(name)}, m = {exponents[i]:g}"
    return Card(label, quantity(found, run.unit(kind, name)), detail, "loads")


def _efficiency_card(book: Book) -> Card:
    """Never a bare per cent: what is counted stands in the label, what is not below."""
    found = book.ratings
    balance = found.balance if isinstance(found, RatingSheet) else None
    if balance is None or balance.efficiency is None:
        return Card(
            "Efficiency", DASH, "no loss is counted: life.oil and ratings of the teeth give those of meshes", "ratings"
        )
    lost = f"{quantity(balance.total, 'W')} lost at the rated load"
    part = [name for name in balance.missing if name in balance.counted]
    none = [name for name in balance.missing if name not in part]
    left = f"; in part: {', '.join(part)}" if part else ""
    left += f"; not counted: {', '.join(none)}" if none else ""
    label = f"Efficiency, {', '.join(balance.counted)}{' only' if none else ''}"
    return Card(label, f"{number(100.0 * balance.efficiency, 4)}{NARROW_SPACE}%", lost + left, "ratings")


def _sharing_card(book: Book) -> Card:
    """Largest share of a carrier turn beside the mean and the table; without planets the closest crossing of the Campbell diagram."""
    told = json.loads(str(book.run.attribute("load_sharing", "{}")))
    if told:
        stage = max(told, key=lambda name: told[name].get("per_turn") or told[name]["largest_mean"])
        shares = told[stage]
        largest = shares.get("per_turn") or shares["largest_mean"]
        when = "largest per carrier turn" if shares.get("per_turn") else "of mean loads, less than a carrier turn"
        detail = f"{stage}, {when}; mean {number(shares['largest_mean'], 4)}"
        if shares.get("table"):
            detail += f"; table for {len(shares['planets'])} planets {shares['table']:.2f}"
        return Card("Planet load sharing Kγ", number(largest, 4), detail, "sharing")
    shared = {stage: found.mean for stage, found in book.sharing.items() if isinstance(found, Sharing)}
    if shared:
        stage = max(shared, key=lambda name: shared[name])
        return Card("Planet load sharing Kγ", number(shared[stage]), f"{stage}, of mean loads", "sharing")
    crossings = book.campbell.crossings if isinstance(book.campbell, Campbell) else ()
    at = closest(crossings)
    if at is None:
        return Card("Lowest margin", DASH, "no planets, no crossings", "modes")
    worst = crossings[at]
    value = f"{number(100 * abs(worst.margin or 0.0), 3)}{NARROW_SPACE}%"
    return Card("Lowest resonance margin", value, f"{worst.line} with mode {worst.mode}", "modes")


def _load_card(book: Book) -> Card:
    """The largest tooth load of the run and how often its mean that is; without teeth that of a bearing."""
    kind, label = ("mesh", "Largest tooth load") if book.run.largest("mesh") else ("bearing", "Largest bearing load")
    found = book.run.largest(kind)
    if found is None or not math.isfinite(found.value):
        return Card(label, DASH, "no load of teeth or bearings in this result", "loads")
    detail = f"{found.element} at {seconds(found.time)}"
    mean = book.run.statistics(kind, found.quantity).get(found.element, {}).get("mean")
    if mean is not None and abs(mean) > 1e-9 * abs(found.value):
        detail += f", {number(abs(found.value / mean), 3)} of the mean"
    return Card(label, quantity(abs(found.value), found.unit), detail, "loads")


def _energy(book: Book) -> str:
    """How well the energy closes, and by which method."""
    error, method = book.run.attribute("energy_error"), book.run.attribute("method")
    closes = (
        "The energy of this run is not booked."
        if error is None
        else (f"Energy closes to {number(float(error), 2)} of the largest energy or work of the run.")
    )
    return closes + (f" Method: {method}." if method else "")
