"""A plain workbook (.xlsx) of sheets with texts and numbers: the parts of ECMA-376 that a spreadsheet needs to open it."""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from gearwright.parts import whole

Cell = float | int | str | None

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
#: letters that a sheet's name may not have, and its greatest length
_FORBIDDEN, _LONGEST = re.compile(r"[\[\]:*?/\\]"), 31


def write_workbook(path: str | Path, sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
    """Write sheets of rows by name, so that the file is there whole or not at all; names are shortened to what spreadsheets take."""
    target = Path(path)
    names = _names(list(sheets))
    with whole(target) as part:
        part.write_bytes(_packed(names, list(sheets.values())))
    return target


def _packed(names: Sequence[str], sheets: Sequence[Sequence[Sequence[Cell]]]) -> bytes:
    memory = io.BytesIO()
    numbers = range(1, len(names) + 1)
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as packed:

        def put(name: str, text: str) -> None:
            # a fixed date: the same sheet is the same file
            packed.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), _HEAD + text, zipfile.ZIP_DEFLATED)

        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        parts = "".join(
            f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{kind}.worksheet+xml"/>' for i in numbers
        )
        put(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>{parts}</Types>',
        )
        put(
            "_rels/.rels",
            f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        listed = "".join(
            f'<sheet name="{escape(n, {chr(34): "&quot;"})}" sheetId="{i}" r:id="rId{i}"/>'
            for i, n in zip(numbers, names, strict=True)
        )
        put("xl/workbook.xml", f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>')
        links = "".join(
            f'<Relationship Id="rId{i}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{i}.xml"/>' for i in numbers
        )
        put("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{_RELATIONS}">{links}</Relationships>')
        for i, rows in zip(numbers, sheets, strict=True):
            body = "".join(
                f'<row r="{r}">{"".join(_cell(value, r, c) for c, value in enumerate(row))}</row>'
                for r, row in enumerate(rows, 1)
            )
            put(f"xl/worksheets/sheet{i}.xml", f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>')
    return memory.getvalue()


def _cell(value: Cell, row: int, column: int) -> str:
    place = f"{_letters(column)}{row}"
    if value is None:
        return ""
    if isinstance(value, (int, float)) and math.isfinite(value):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    text = str(value) if isinstance(value, str) else ("" if math.isnan(value) else "infinite")
    clean = "".join(ch for ch in text if ch >= " " or ch in "\n\t")
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(clean)}</t></is></c>'


def _letters(column: int) -> str:
    """A, B, ..., Z, AA, ... of a column counted from 0."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def _names(given: Sequence[str]) -> list[str]:
    """Names that a spreadsheet takes, each once."""
    made: list[str] = []
    for name in given:
        short = _FORBIDDEN.sub(" ", name)[:_LONGEST].strip("'") or "sheet"
        number = 2
        base = short
        while short.lower() in (m.lower() for m in made):
            short = f"{base[: _LONGEST - 4]} {number}"
            number += 1
        made.append(short)
    return made
