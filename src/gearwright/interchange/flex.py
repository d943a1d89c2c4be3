"""FLEX5 results (``.int``, ``.res``): int16 with a scale factor per sensor, and a list of sensors in a file of its own.

Records as Fortran writes them: a title with or without date; the numbers of the sensors; version, start, step and scale
factors; then the values, by sample (versions 0 and 2) or by sensor (version 3). Layout after the public reader
``openfast_toolbox/io/flex_out_file.py``; its version 12 (single precision) is not read, since no sample could be had.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .record import Float, ReadError, Record, columns, distinct, lines_of, load_bytes
from .source import Lazy, Place, Source

_MOST = 100_000
_NAMES = ("sensor", "Sensor", "SENSOR", "sensor.txt", "sensor.dat")


def read_flex(path: Path, wanted: Sequence[str] | None, sensor_file: str | Path | None = None) -> Record:
    """Channels of a FLEX5 result; without a list of sensors they are called ``sensor_1`` and so on, without unit."""
    source = Source(path)
    with source as file:
        if not file.size:
            raise ReadError("is empty", path)
        file.read(4, "the head")
        date = file.array("<i4", 6, "the date")
        dated = 0 < date[0] < 32 and 0 < date[1] < 13 and 0 <= date[3] < 25 and 0 <= date[4] < 61
        file.at = 28 if dated else 8
        title = file.words(1, 40 if dated else 60, "the title")[0]
        file.at = 76
        count = file.count("i", "the number of sensors", 1, _MOST)
        numbers = file.array("<i4", count, "the numbers of the sensors").tolist()
        file.read(4, "the head")
        version = file.count("i", "the version", -(2**31))
        if version not in (0, 2, 3):
            raise ReadError(
                f"is of version {version}; versions 0, 2 and 3 of FLEX5 are read (or it is no such file)", path
            )
        first, step = file.number("f", "the start"), file.number("f", "the step")
        if not (np.isfinite(first) and np.isfinite(step) and step > 0.0):
            raise ReadError(
                f"is not a FLEX5 file, or damaged: time starts at {first:g} s with steps of {step:g} s", path
            )
        factors = np.asarray(file.array("<f4", count, "the scale factors"), float)
        start = file.at
        samples, rest = divmod(file.size - start, 2 * count)
        if samples < 1 or rest:
            raise ReadError(
                f"truncated, or its header is damaged: {file.size - start} bytes are no whole number of samples of {count} "
                f"sensors",
                path,
            )
    names, units, texts, note = _sensors(path, sensor_file, numbers)
    fresh = distinct(names)
    chosen = columns(fresh, wanted, path, texts)

    def value(raw: np.ndarray, j: Place) -> Float:
        return raw * factors[j]

    # steps in single precision: the decimal that was meant
    step, first = float(f"{step:.6g}"), float(f"{first:.6g}")
    return Record(
        path,
        np.asarray(first + step * np.arange(samples), float),
        [fresh[j] for j in chosen],
        [names[j] for j in chosen],
        [units[j] for j in chosen],
        Lazy(source, start, "<i2", samples, count, chosen, value, together=version != 3),
        information={"format": f"FLEX5, version {version}", "description": f"{title}{note}"},
        descriptions=[texts[j] for j in chosen],
    )


def _sensors(path: Path, given: str | Path | None, numbers: list[int]) -> tuple[list[str], list[str], list[str], str]:
    """Names, units, descriptions of the sensors, and a remark."""
    found = (
        Path(given)
        if given is not None
        else next((path.parent / n for n in _NAMES if (path.parent / n).is_file()), None)
    )
    if found is None:
        plain = [f"sensor_{n}" for n in numbers]
        return plain, [""] * len(plain), [""] * len(plain), "; no list of sensors: give one as sensor_file"
    entries: dict[int, tuple[str, str, str]] = {}
    scaled = False
    for i, line in enumerate(lines_of(load_bytes(found)), 1):
        words = line.split()
        if i <= 2 or not words:
            continue
        try:
            number, gain, offset = int(words[0]), float(words[1]), float(words[2])
            entries[number] = (words[6], words[5], " ".join(words[7:]))
        except (ValueError, IndexError):
            raise ReadError(
                f"line {i}: number, gain, offset, correction, volt, unit, name, description are wanted, not {line.strip()[:50]!r}",
                found,
            ) from None
        scaled = scaled or gain != 1.0 or offset != 0.0
    lost = [n for n in numbers if n not in entries]
    if lost:
        raise ReadError(f"has no sensor {lost[0]}, which {path.name} holds ({len(lost)} are missing)", found)
    note = f"; sensors from {found.name}" + (", whose gains and offsets are not applied" if scaled else "")
    rows = [entries[n] for n in numbers]
    return [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], note
