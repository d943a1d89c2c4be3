"""Files of operating data as they grow: rows from a position on, in pieces, whole lines only."""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import FileError, InputError, listed
from gearwright.interchange.delimited import names_and_units
from gearwright.units import DIMENSIONS, UnitError, factor_to

from .columns import QUANTITIES, Columns, Mapped, canonical, states
from .signals import instants
from .stream_rows import SIGNALS

#: bytes of text that are worked on at a time, rows of a Parquet file
PIECE, ROWS = 1 << 25, 200_000
#: endings of files that are read
ENDINGS = (".csv", ".csv.gz", ".tsv", ".txt", ".parquet")
#: bytes that tell a file from another one of the same name
_HEAD = 1024
_DIMENSIONS = {
    "generator_speed": "rotational speed",
    "generator_torque": "torque",
    "power": "power",
    "pitch": "angle",
    "wind_speed": "speed",
    "brake": "number",
}


@dataclass(frozen=True)
class Batch:
    """Rows of a file up to ``position``: ``time`` (n,) [s since 1970], names of turbines (n,) or None, signals in SI by name."""

    position: int
    time: Float
    turbines: NDArray[np.object_] | None
    signals: dict[str, Float]


def data_files(where: Path | str) -> list[Path]:
    """Files of a folder (and those below it), of a pattern, or one file; by name. Raises FileError where there are none."""
    place = Path(where).expanduser()
    if place.is_dir():
        found = [p for p in place.rglob("*") if p.is_file()]
    elif place.is_file():
        found = [place]
    else:
        found = [p for p in Path(place.anchor or ".").glob(str(place.relative_to(place.anchor))) if p.is_file()]
    kept = sorted(p for p in found if p.name.lower().endswith(ENDINGS) and not p.name.startswith("."))
    if not kept:
        raise FileError(f"{where}: no files of operating data ({', '.join(ENDINGS)})", where=str(where))
    return kept


def signature(path: Path) -> str:
    """Hash of the begin of a file, which growing leaves as it is."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read(_HEAD)).hexdigest()[:16]


def batches(
    path: Path, start: int, mapping: Mapped | None, said: list[str], stops: Sequence[int] = ()
) -> Iterator[Batch]:
    """Rows from a position on; a piece ends at each of ``stops``, so that those who were there go on from there."""
    pieces = _parquet(path, start, stops) if path.suffix == ".parquet" else _text(path, start, stops)
    for position, columns in pieces:
        yield _batch(position, canonical(columns, mapping, path.name, said), path.name, said)


def _text(path: Path, start: int, stops: Sequence[int]) -> Iterator[tuple[int, Columns]]:
    import pandas

    with gzip.open(path, "rb") if path.suffix == ".gz" else open(path, "rb") as file:
        names = _names(path, file)
        at = max(start, names.begin)
        file.seek(at)
        while True:
            stop = min((s for s in stops if s > at), default=at + PIECE)
            block = file.read(min(stop - at, PIECE))
            end = block.rfind(b"\n") + 1
            if not end:
                return
            block = block[:end]
            frame = pandas.read_csv(
                io.BytesIO(block),
                sep=names.separator,
                header=None,
                names=list(names.heads),
                decimal="," if names.separator == ";" else ".",
                skipinitialspace=True,
                encoding="utf-8",
                low_memory=False,
                comment="#",
                index_col=False,
            )
            at += end
            file.seek(at)
            yield at, {head: frame[head].to_numpy() for head in names.heads}


@dataclass(frozen=True)
class _Names:
    heads: Sequence[str]
    separator: str
    begin: int


def _names(path: Path, file: IO[bytes] | gzip.GzipFile) -> _Names:
    """Headings, what parts them, and where the first row begins: the line of names is the first without #, or the last one with it."""
    file.seek(0)
    comment, begin = b"", 0
    while (line := file.readline()) and (line.startswith(b"#") or not line.strip()):
        comment, begin = (line, begin + len(line)) if line.strip() else (comment, begin + len(line))
    text = line.decode("utf-8-sig", "replace").strip()
    separator = next((sign for sign in (";", "\t", ",") if sign in text), None)
    if separator is None:
        raise FileError(f"{path}: the first line names no columns parted by comma, semicolon or tab", where=str(path))
    cells = [cell.strip().strip('"') for cell in text.split(separator)]
    told = [
        cell.strip().strip('"') for cell in comment.decode("utf-8", "replace").lstrip("# ").strip().split(separator)
    ]
    if len(told) == len(cells) and any(_number(cell) for cell in cells):
        return _Names(told, separator, begin)
    return _Names(cells, separator, begin + len(line))


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _parquet(path: Path, start: int, stops: Sequence[int]) -> Iterator[tuple[int, Columns]]:
    try:
        import pyarrow.parquet
    except ImportError:
        raise FileError(
            f"{path}: Parquet needs the packages of the extra 'files': pip install 'gearwright[files]'", where=str(path)
        ) from None
    try:
        file = pyarrow.parquet.ParquetFile(path)
    except (OSError, pyarrow.ArrowInvalid) as error:
        raise FileError(
            f"{path}: no Parquet file, or one that is not whole yet ({str(error)[:120]})", where=str(path)
        ) from None
    with file:
        at = 0
        for batch in file.iter_batches(ROWS):
            frame = batch.to_pandas()
            first, at = at, at + len(frame)
            if at <= start:
                continue
            frame = frame.reset_index() if frame.index.name else frame
            cuts = sorted({max(start, first), at, *(s for s in stops if max(start, first) < s < at)})
            for a, b in zip(cuts[:-1], cuts[1:], strict=True):
                part = frame.iloc[a - first : b - first]
                yield b, {str(name): part[name].to_numpy() for name in part.columns}


def _batch(position: int, columns: Columns, source: str, said: list[str]) -> Batch:
    heads = list(columns)
    names, units = names_and_units(heads)
    folded = [name.casefold() for name in names]
    if "time" not in folded:
        raise InputError(
            f"{source}: no column is called time; there are {listed(heads)}. A mapping file (--map) says which it is",
            where=source,
        )
    place = folded.index("time")
    time, _ = instants(columns[heads[place]], units[place], source, said)
    signals = {}
    for i, name in enumerate(folded):
        if name == "status":
            signals[name] = states(columns[heads[i]], source, said)
        elif name in SIGNALS:
            signals[name] = _factor(units[i], name, heads[i], source) * _numbers(columns[heads[i]])
    turbines = None
    if "turbine" in folded:
        turbines = np.asarray(columns[heads[folded.index("turbine")]], object).astype(str).astype(object)
    return Batch(position, time, turbines, signals)


def _numbers(values: NDArray[np.generic]) -> Float:
    """Values as numbers; what is none is missing, and counted as such by the guard."""
    if values.dtype.kind in "fiub":
        return np.asarray(values, float)
    import pandas

    return np.asarray(pandas.to_numeric(pandas.Series(values), errors="coerce").to_numpy(float))


def _factor(unit: str, name: str, head: str, source: str) -> float:
    quantity = name.removesuffix("_std").removesuffix("_min").removesuffix("_max")
    if not unit:
        return 1.0
    try:
        return factor_to(unit, DIMENSIONS[_DIMENSIONS[quantity]])
    except UnitError as error:
        raise InputError(
            f"{source}: column '{head}': {error}{error.hint}", where=source, allowed=QUANTITIES[name]
        ) from None
