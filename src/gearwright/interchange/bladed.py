"""Bladed results: a head ``.%nn`` and values ``.$nn`` (text or binary).

The head has one key per line: ``DIMENS`` (variables, [sections,] samples), ``FORMAT`` (R*4, R*8, I*2, I*4), ``ACCESS``
(S text, D binary), ``VARIAB`` and ``VARUNIT`` (the quantities in letters: FL/T is force times length over time),
``AXISLAB`` and so on for every further axis, the last of which is the time. Layout after the public reader
``openfast_toolbox/io/bladed_out_file.py``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .record import Facts, Float, Grid, ReadError, Record, Variable, columns, distinct, lines_of, load_bytes
from .source import Lazy, Source

_TYPES = {"R*4": "<f4", "R*8": "<f8", "I*4": "<i4", "I*2": "<i2"}
#: letters of Bladed's units; two that stand for one first
_LETTERS = (
    ("FL", "N m"),
    ("VI", "VA"),
    ("M", "kg"),
    ("L", "m"),
    ("T", "s"),
    ("A", "rad"),
    ("F", "N"),
    ("P", "W"),
    ("V", "V"),
    ("I", "A"),
    ("N", ""),
    ("1", ""),
)
_MOST = 10_000_000


def read_bladed(path: Path, wanted: Sequence[str] | None) -> Record | Grid:
    """Channels of a Bladed result, from either of its two files; a table where its last axis is not the time."""
    name = path.name
    sign = re.search(r"\.([$%])(\d+)$", name)
    assert sign is not None
    head_path = path.with_name(name[: sign.start()] + ".%" + sign[2])
    data_path = path.with_name(name[: sign.start()] + ".$" + sign[2])
    for other, what in ((head_path, "head"), (data_path, "values")):
        if not other.is_file():
            raise ReadError(
                f"has no file {other.name} beside it, which holds the {what}" if other != path else "no such file", path
            )
    head = _head(head_path)
    dimensions = _whole_numbers(head, "DIMENS", head_path)
    if not 2 <= len(dimensions) <= 3 or min(dimensions) < 1 or max(dimensions) > _MOST:
        raise ReadError(f"DIMENS {dimensions}: variables, (sections,) samples are wanted", head_path)
    samples, variables = dimensions[-1], dimensions[0]
    names, units = _variables(head, variables, head_path)
    if len(dimensions) == 3:
        names, units = _by_section(head, names, units, dimensions[1], head_path)
    width = len(names)
    fresh = distinct(names)
    chosen = columns(fresh, wanted, path)
    axis = _last_axis(head, samples, head_path)
    text = head.get("ACCESS", ["D"])[0].upper().startswith("S")
    values: Float | Lazy
    if text:
        values = _text_values(data_path, samples, width)[chosen]
    else:
        kind = _TYPES.get(head.get("FORMAT", ["R*4"])[0].upper())
        if kind is None:
            raise ReadError(f"FORMAT {head['FORMAT'][0]!r} is not one of {', '.join(_TYPES)}", head_path)
        values = _binary_values(data_path, kind, samples, width, chosen)
    information: Facts = {
        "format": f"Bladed {'text' if text else 'binary'}",
        "description": " ".join(head.get("GENLAB", [""])).strip(),
    }
    label = " ".join(_last(head, "AXISLAB") or ["Time"])
    if label.strip().lower() != "time":
        table = values if isinstance(values, np.ndarray) else values.all()
        along = Variable((label,), axis, unit_of((_last(head, "AXIUNIT") or ["N"])[0]), label)
        made = {fresh[j]: Variable((label,), table[k], units[j], names[j]) for k, j in enumerate(chosen)}
        return Grid(data_path, "table", {label: along}, made, information)
    return Record(
        data_path,
        axis,
        [fresh[j] for j in chosen],
        [names[j] for j in chosen],
        [units[j] for j in chosen],
        values,
        information=information,
    )


def _head(path: Path) -> dict[str, list[str]]:
    """Words of every key, quoted texts as one word; what stands before a key repeated comes first."""
    lines = lines_of(load_bytes(path))
    if not any(line.strip() for line in lines):
        raise ReadError("is empty", path)
    found: dict[str, list[str]] = {}
    last: list[str] = []
    for line in lines:
        match = re.match(r"^([A-Z][A-Z_]*)\s*(.*)$", line)
        if match is None:
            if line.lstrip().startswith("'"):  # names go on in the next line
                last += _words(line)
            continue
        words = last = _words(match[2])
        for n in range(1, 10):
            key = match[1] if n == 1 else f"{match[1]} {n}"
            if key not in found:
                found[key] = words
                break
    for key in ("DIMENS", "VARIAB"):
        if key not in found:
            raise ReadError(f"is not a head of Bladed: there is no line {key}", path)
    return found


def _words(text: str) -> list[str]:
    return [quoted if quoted else plain for quoted, plain in re.findall(r"'([^']*)'|(\S+)", text)]


def _whole_numbers(head: dict[str, list[str]], key: str, path: Path) -> list[int]:
    try:
        return [int(word) for word in head[key]]
    except ValueError:
        raise ReadError(f"{key} {' '.join(head[key])[:40]!r} are not whole numbers", path) from None


def _variables(head: dict[str, list[str]], count: int, path: Path) -> tuple[list[str], list[str]]:
    names = [" ".join(word.split()) for word in head["VARIAB"]]
    if len(names) != count:
        raise ReadError(f"DIMENS announces {count} variables, VARIAB names {len(names)}", path)
    units = head.get("VARUNIT", [])
    if len(units) != count:
        raise ReadError(f"DIMENS announces {count} variables, VARUNIT has {len(units)} units", path)
    return names, [unit_of(word) for word in units]


def unit_of(letters: str) -> str:
    """Unit of Bladed's letters: ``A/T`` is rad/s, ``FL`` N m, ``N`` none; unknown letters stay as they are."""
    over = letters.split("/")
    made = [_product(part) for part in over]
    if any(part is None for part in made):
        return letters
    top, below = made[0] or "1", [part for part in made[1:] if part]
    return ("" if top == "1" and not below else top) + "".join(f"/{part}" for part in below)


def _product(letters: str) -> str | None:
    found: dict[str, int] = {}
    rest = letters
    while rest:
        for sign, meaning in _LETTERS:
            if rest.startswith(sign):
                found[meaning] = found.get(meaning, 0) + 1
                rest = rest[len(sign) :]
                break
        else:
            return None
    return " ".join(word if n == 1 else f"{word}^{n}" for word, n in found.items() if word)


def _by_section(
    head: dict[str, list[str]], names: list[str], units: list[str], sections: int, path: Path
) -> tuple[list[str], list[str]]:
    """One channel per variable and section, the variables of a section together."""
    places = head.get("AXIVAL") or head.get("AXITICK") or []
    if len(places) != sections:
        raise ReadError(f"DIMENS announces {sections} sections, AXIVAL has {len(places)}", path)
    # ticks are names of places, not distances
    label = unit_of((head.get("AXIUNIT") or ["N"])[0]) if "AXIVAL" in head else ""
    made, of = [], []
    for place in places:
        for name, one in zip(names, units, strict=True):
            made.append(f"{name} at {place} {label}".strip())
            of.append(one)
    return made, of


def _last(head: dict[str, list[str]], key: str) -> list[str] | None:
    """Words of a key where it stands last: for the last axis."""
    return next((head[k] for n in range(9, 0, -1) if (k := f"{key} {n}" if n > 1 else key) in head), None)


def _last_axis(head: dict[str, list[str]], samples: int, path: Path) -> Float:
    """The last axis, in most files the time: first value and step, or every value."""
    first, step, listed = (_last(head, key) for key in ("MIN", "STEP", "AXIVAL"))
    try:
        if first is None and step is None and listed is not None and len(listed) == samples:
            return np.array([float(word) for word in listed])
        return np.asarray(float((first or [])[0]) + float((step or [])[0]) * np.arange(samples), float)
    except (IndexError, ValueError):
        raise ReadError(
            f"the last axis is wanted as MIN and STEP, two numbers, or as AXIVAL, {samples} of them", path
        ) from None


def _text_values(path: Path, samples: int, width: int) -> Float:
    content = load_bytes(path)
    if b"\0" in content[:4096]:
        raise ReadError("is binary, but its head says text (ACCESS S)", path)
    words = content.split()
    if len(words) != samples * width:
        what = "truncated: " if len(words) < samples * width else "does not fit its head: "
        raise ReadError(f"{what}{samples} samples of {width} channels are announced, it has {len(words)} numbers", path)
    try:
        return np.array(words, "S").astype(float).reshape(samples, width).T.copy()
    except ValueError:
        for i, word in enumerate(words):
            try:
                float(word)
            except ValueError:
                raise ReadError(
                    f"number {i % width + 1} of sample {i // width + 1} is {word.decode('latin-1')[:20]!r}, not a number",
                    path,
                ) from None
        raise


def _binary_values(path: Path, kind: str, samples: int, width: int, chosen: list[int]) -> Lazy:
    source = Source(path)
    size = samples * width * np.dtype(kind).itemsize
    with source as file:
        if file.size != size:
            what = "truncated: " if file.size < size else "does not fit its head: "
            raise ReadError(f"{what}{samples} samples of {width} channels take {size} bytes, it has {file.size}", path)
        native_order(file.array(kind, min(samples * width, 4096), "the values"), path)
    return Lazy(source, 0, kind, samples, width, chosen, lambda raw, j: np.asarray(raw, float))


def native_order(raw: np.ndarray, path: Path) -> None:
    """Refuse numbers that make sense only with their bytes in the other order."""
    if raw.dtype.kind != "f" or not len(raw):
        return

    def odd(x: np.ndarray) -> float:
        with np.errstate(all="ignore"):
            size = np.abs(x.astype(float))
            return float(np.mean(~np.isfinite(size) | (size > 1e20) | ((size > 0.0) & (size < 1e-20))))

    if odd(raw) > 0.2 and odd(raw.view(raw.dtype.newbyteorder())) < 0.5 * odd(raw):
        raise ReadError("its bytes are in the other order (big-endian)", path)
