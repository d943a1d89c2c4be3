"""The rating sheet as a page that is read, printed and signed, and as a workbook."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup, escape

from gearwright.analyses.life import LifeByValue, LifeRating
from gearwright.analyses.rating_sheet import PairSheet, RatingSheet
from gearwright.figures.format import MINUS, number
from gearwright.figures.markup import asset
from gearwright.interchange.workbook import Cell, write_workbook
from gearwright.rating.figure import Figure
from gearwright.rating.sheet_rows import SheetRow, SheetTable

from .document import still_page, write_page
from .life_page import life_by_report, life_report

_ASSETS = Path(__file__).parent / "assets"
_GREEK = {
    "sigma": "σ",
    "theta": "θ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "lambda": "λ",
    "delta": "δ",
    "eps": "ε",
    "rho": "ρ",
    "nu": "ν",
    "mu": "μ",
}
_MARKS = {"given": "G", "derived": "D", "standard": "S", "assumed": "A", "missing": ""}
#: requirements of the first table: all that fail, and the lowest that pass
_FIRST = 12
_SUMMARY = ("sigma_H", "S_H", "sigma_F", "S_F", "S_H,st", "S_F,st", "S_B", "lambda_GF")


def rating_page(sheet: RatingSheet) -> str:
    """The sheet as HTML without scripts."""
    failed = sheet.failures
    first = [*failed, *sheet.findings[len(failed) : max(_FIRST, len(failed) + 3)]]
    return still_page(
        "rating_sheet.html",
        sheet=sheet,
        style=asset(_ASSETS, "rating_sheet.css"),
        first=first,
        rest=len(sheet.findings) - len(first),
        summary=[_summary(pair) for pair in sheet.pairs],
        summary_heads=[Markup("{}{}").format(symbol(s), " in MPa" if s.startswith("sigma") else "") for s in _SUMMARY],
        minima=_minima(sheet.pairs),
        symbol=symbol,
        head=head,
        prose=prose,
        aligned=aligned,
        marks=marks,
        bad=_bad,
        lowest=_lowest,
        methods=_methods(sheet.pairs),
        numeric=_numeric,
        life_number=plain,
        assumed=sheet.assumed,
        warned=[*sheet.warnings, *sheet.notes],
    )


def rating_report(sheet: RatingSheet, output: str | Path) -> Path:
    """Write the sheet: a page, or by the suffix .xlsx a workbook."""
    target = Path(output)
    if target.suffix.lower() == ".xlsx":
        return write_workbook(target, workbook(sheet))
    return write_page(rating_page(sheet), target)


def life_written(found: LifeRating | LifeByValue | RatingSheet, output: str | Path | None) -> Path | None:
    """Write what ``gearwright life`` found, where a file is asked for."""
    if output is None:
        return None
    if isinstance(found, RatingSheet):
        return rating_report(found, output)
    return life_by_report(found, output) if isinstance(found, LifeByValue) else life_report(found, output)


# --- how numbers and symbols look ------------------------------------------------------------------------------------


def _letters(text: str) -> tuple[str, str]:
    """Letter and subscript of a symbol in words."""
    head, _, low = text.partition("_")
    for word, letter in _GREEK.items():
        head = letter if head == word else head
        low = re.sub(word, letter, low) if word not in ("nu", "mu") else low
    return head, low


def symbol(text: str) -> Markup:
    """``K_Hbeta`` as italic K with an upright subscript Hβ."""
    if not text:
        return Markup("")
    head, low = _letters(text)
    under = Markup("<sub>{}</sub>").format(low) if low else Markup("")
    return Markup("<i>{}</i>{}").format(head, under)


def written(value: float, row: SheetRow) -> str:
    """Factors and safeties with three decimals, damage below 0.001 as less, all else with four digits."""
    if not math.isfinite(value):
        return "> 10⁷" if value > 0.0 else "not a number"
    if row.symbol.startswith("D_"):
        return "0" if value == 0.0 else "< 0.001" if value < 1e-3 else f"{value:.3f}" if value < 1e3 else number(value)
    if row.symbol == "z" or not (row.symbol or row.unit):
        return f"{value:g}" if value == round(value) else number(value)
    if row.unit in ("", "mₙ") and abs(value) < 1e3:
        return f"{value:.3f}".replace("-", MINUS)
    return number(value) if abs(value) >= 1e-4 else "0"


def aligned(value: float, row: SheetRow) -> Markup:
    """The number with its fraction in a field of fixed width, so that the points of a column stand below each other."""
    text = written(value, row)
    whole, point, fraction = text.partition(".")
    return Markup("{}<u>{}</u>").format(whole, point + fraction)


def plain(value: float) -> str:
    """A number of a table; lives beyond all use are no more than a power of ten."""
    if isinstance(value, int):
        return number(value)
    if not math.isfinite(value) or value >= 1e10:
        return "> 10⁷"
    return number(value) if value == 0.0 or abs(value) >= 1e-4 else "0"


def marks(row: SheetRow) -> Markup:
    """Where the figures of a row come from."""
    found: list[str] = []
    for figure in row.figures:
        mark = _MARKS[figure.origin]
        if mark and mark not in found:
            found.append(mark)
    if any(not f.checked for f in row.figures):
        found.append("N")
    styled = [Markup('<b class="{0}">{0}</b>').format(m) if m in "AN" else escape(m) for m in found]
    return Markup(" ").join(styled)


def _bad(row: SheetRow, figure: Figure) -> bool:
    return figure.value is not None and row.least is not None and figure.value < row.least


def _numeric(table: SheetTable, column: int) -> bool:
    return all(not isinstance(row[column], str) or not row[column] for row in table.rows)


def head(text: str) -> Markup:
    """Head of a table: ``T_max in kN m`` with its symbol as such."""
    return Markup(" ").join(symbol(word) if "_" in word else Markup(escape(word)) for word in text.split(" "))


def prose(text: str) -> Markup:
    """A sentence whose symbols (one letter or a Greek one, with a subscript) are written as such; names of bodies stay."""
    letters = "|".join(_GREEK)
    parts = re.split(rf"((?<![\w.])(?:[A-Za-z]|{letters})_[A-Za-z]\w*)", text)
    return Markup("").join(symbol(part) if i % 2 else Markup(escape(part)) for i, part in enumerate(parts))


def _methods(pairs: Sequence[PairSheet]) -> list[str]:
    """Methods behind the figures of all pairs, each once; those that not all pairs share with their pairs."""
    found: dict[tuple[str, str], list[int]] = {}
    for i, pair in enumerate(pairs, 1):
        for row in pair.rows():
            for figure in row.figures:
                if row.symbol and figure.value is not None and len(figure.method) > 3:
                    own = found.setdefault((row.name, figure.method), [])
                    if i not in own:
                        own.append(i)
    return [
        f"{name}{'' if len(own) == len(pairs) else ' (pair ' + ', '.join(map(str, own)) + ')'}: {method}"
        for (name, method), own in found.items()
    ]


def _lowest(pair: PairSheet) -> Markup:
    """Lowest safeties of flank and root beside what is asked for, and what is blank."""
    words = []
    for name in ("S_H", "S_F"):
        row = pair.row(name)
        known = [f.value for f in row.figures if f.value is not None] if row is not None else []
        if row is not None and known:
            words.append(Markup("{} <b>{}</b> of {}").format(symbol(name), written(min(known), row), f"{row.least:g}"))
    text = Markup("Lowest: ") + Markup(", ").join(words) + "." if words else Markup("")
    blank = list(dict.fromkeys(row.name.lower() for row in pair.rows() if row.blank))
    return text + (Markup(" Blank: {}.").format(", ".join(blank)) if blank else "")


def _minima(pairs: Sequence[PairSheet]) -> Markup:
    """What is asked for, for the table of all pairs."""
    found = {row.symbol: row.least for pair in pairs for row in pair.rows() if row.least is not None}
    words = [Markup("{} {}").format(symbol(name), f"{least:g}") for name, least in found.items()]
    return Markup(", ").join(words)


@dataclass(frozen=True)
class _Cell:
    text: str
    label: Markup
    bad: bool


@dataclass(frozen=True)
class _Summary:
    name: str
    cells: Sequence[_Cell]
    bad: bool


def _summary(pair: PairSheet) -> _Summary:
    """The governing value of each quantity: largest stress, lowest safety."""
    cells = []
    for name in _SUMMARY:
        row, label = pair.row(name), symbol(name)
        known = [f.value for f in row.figures if f.value is not None] if row is not None else []
        if row is None or not known:
            cells.append(_Cell("", label, False))
            continue
        value = max(known) if name.startswith("sigma") else min(known)
        cells.append(_Cell(written(value, row), label, row.fails))
    return _Summary(pair.name, cells, any(r.fails for r in pair.rows()))


# --- workbook --------------------------------------------------------------------------------------------------------


def workbook(sheet: RatingSheet) -> dict[str, list[list[Cell]]]:
    """Sheets of the workbook: title, requirements, a sheet for every pair with method and origin of each number, the tables."""
    title: list[list[Cell]] = [
        [key, value if value is not None else "not given"] for key, value in sheet.title_block.items()
    ]
    title.append(["Verdict", sheet.verdict])
    title += [["Blank", blank] for blank in sheet.blanks]
    title += [["Assumed", words] for words in sheet.assumed]
    found: list[list[Cell]] = [["Part", "Mode", "Value", "Required", "Unit", "Margin"]]
    found += [[f.part, f.mode, f.value, f.required, f.unit, f.margin] for f in sheet.findings]
    sheets: dict[str, list[list[Cell]]] = {"Title": title, "Requirements": found}
    for i, pair in enumerate(sheet.pairs, 1):
        sheets[f"{i} {pair.name}"] = _pair_rows(pair)
    for table in (*sheet.parts, *sheet.loads):
        sheets[table.title] = [list(table.heads), *(list(row) for row in table.rows), [], [table.note]]
    for element, spectrum in sheet.rating.spectra.items():
        rows: list[list[Cell]] = [["Level [N or N m]", "Seconds over the life"]]
        rows += [[float(a), float(b)] for a, b in zip(spectrum.levels, spectrum.amounts, strict=True)]
        sheets[f"LDD {element}"] = rows
    return sheets


def _pair_rows(pair: PairSheet) -> list[list[Cell]]:
    rows: list[list[Cell]] = [
        ["Group", "Quantity", "Symbol", pair.heads[0], pair.heads[1], "Unit", "Least", "Origin", "Checked", "Method"]
    ]
    for block in pair.blocks:
        for row in block.rows:
            if row.words:
                rows.append([block.title, row.name, "", row.words])
                continue
            values = [f.value if f.value is not None else "not given" for f in row.figures]
            two = values if len(values) == 2 else [values[0], values[0]]
            figure = row.figures[0]
            rows.append(
                [
                    block.title,
                    row.name,
                    row.symbol,
                    *two,
                    row.unit,
                    row.least,
                    figure.origin,
                    "yes" if figure.checked else "no",
                    figure.method,
                ]
            )
    return rows
