"""MATLAB files: version 4 to 7.2 by scipy, 7.3 (HDF5) by h5py. Plain numbers, structures and cells of text; no objects.

The time is the vector called ``time`` or ``t`` (also in a structure); vectors of its length are channels, and the columns of a
matrix of that many rows are ``name_1`` and so on. Units are taken from a structure ``units``, from ``<name>_unit``, or from
``channel_names`` and ``channel_units`` as this program writes them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from .axes import TIME_NAMES, timed
from .limits import MOST_PER_BYTE, bounded, library
from .record import NO_TIME, ReadError, Record, load_bytes, rate_of

_DEPTH = 4


def read_mat(path: Path, wanted: Sequence[str] | None, time_column: str | None = None) -> Record:
    """Channels of a MAT file of version 4 to 7.2."""
    import warnings
    from io import BytesIO

    content = load_bytes(path)
    if not content:
        raise ReadError("is empty", path)
    _sizes(content, path)
    from scipy.io import loadmat

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what scipy warns of is damage
            found = loadmat(BytesIO(content), simplify_cells=True)  # type: ignore[arg-type]
    except Exception as error:
        text = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
        raise ReadError(f"is damaged or no MAT file that can be read ({text})", path) from None
    return _record(found, path, wanted, time_column, "MAT file")


def _sizes(content: bytes, path: Path) -> None:
    """Refuse announced sizes that the file cannot hold, before anything is allocated for them."""
    if not content.startswith(b"MATLAB 5.0"):
        at = 0
        while at < len(content):
            if len(content) - at < 20:
                raise ReadError("is no MAT file, or truncated: it ends in the head of a matrix", path)
            kind, rows, width, imaginary, name = struct.unpack_from("<5i", content, at)
            order, precision = divmod(kind, 1000)
            size = {0: 8, 10: 4, 20: 4, 30: 2, 40: 2, 50: 1}.get(precision - precision % 10)
            if order != 0 or size is None or imaginary not in (0, 1) or min(rows, width) < 0 or not 0 < name < 1024:
                raise ReadError("is no MAT file: it has neither the mark of version 5 nor the head of version 4", path)
            at += 20 + name + rows * width * size * (1 + imaginary)
            if at > len(content):
                raise ReadError(f"truncated or damaged: a matrix of {rows} x {width} is more than it holds", path)
        return
    if content[126:128] != b"IM":
        raise ReadError("its bytes are in the other order (big-endian), or its head is damaged", path)
    at = 128
    while at < len(content):
        if len(content) - at < 8:
            raise ReadError("truncated: it ends in the head of a variable", path)
        kind, size = struct.unpack_from("<II", content, at)
        if kind not in (14, 15) or at + 8 + size > len(content):
            raise ReadError(f"truncated or damaged: a variable of kind {kind} with {size} bytes at byte {at}", path)
        if kind == 15:
            _unpacked(content[at + 8 : at + 8 + size], path)
        else:
            _inner(content, at + 8, at + 8 + size, 0, path)
        at += 8 + size


def _unpacked(content: bytes, path: Path) -> None:
    """Look at the sizes inside a compressed variable."""
    import zlib

    worker = zlib.decompressobj()
    try:
        inside = worker.decompress(content, MOST_PER_BYTE * len(content) + 64)
    except zlib.error as error:
        raise ReadError(f"damaged: a compressed variable cannot be unpacked ({error})", path) from None
    if len(inside) < 8:
        raise ReadError("damaged: a compressed variable is empty", path)
    kind, size = struct.unpack_from("<II", inside, 0)
    if kind != 14 or 8 + size > len(inside):
        raise ReadError(
            f"damaged: a compressed variable of kind {kind} with {size} bytes unpacks to {len(inside)}", path
        )
    _inner(inside, 8, 8 + size, 0, path)


def _inner(content: bytes, at: int, end: int, depth: int, path: Path) -> None:
    """Walk the elements of a matrix: sizes must nest."""
    if depth > 32:
        raise ReadError("damaged: structures nested more than 32 deep", path)
    while at < end:
        if end - at < 8:
            raise ReadError("damaged: it ends in the head of an element", path)
        kind, size = struct.unpack_from("<II", content, at)
        if kind >> 16:  # a small element: size in the upper half, data in the next four bytes
            if kind >> 16 > 4:
                raise ReadError(f"damaged: a small element of {kind >> 16} bytes", path)
            at += 8
            continue
        if kind not in range(1, 19) or at + 8 + size > end:
            raise ReadError(f"damaged: an element of kind {kind} with {size} bytes, {end - at - 8} are left", path)
        if kind == 14 and size:
            _inner(content, at + 8, at + 8 + size, depth + 1, path)
        at += 8 + size + (-size) % 8
    return


def open_mat73(path: Path, wanted: Sequence[str] | None, time_column: str | None = None, heads: bool = False) -> Record:
    """In the child process (:mod:`.child`): channels of a MAT file of version 7.3."""
    h5py = library(path)

    def plain(item: Any, depth: int) -> Value:
        if hasattr(item, "keys"):
            if depth >= _DEPTH:
                return None
            return {name: plain(item[name], depth + 1) for name in item if not name.startswith("#")}
        kind = item.attrs.get("MATLAB_class", b"")
        kind = kind.decode("latin-1") if isinstance(kind, bytes) else str(kind)
        bounded(item, path)
        if kind == "char" and item.dtype.kind in "u" and item.ndim == 2:
            return "".join(chr(c) for c in item[...].T.ravel(order="C") if c)
        if kind == "cell" and item.dtype == h5py.ref_dtype:
            return [plain(item.file[r], depth + 1) for r in item[...].ravel()[:100_000]]
        return _Stored(item) if item.dtype.kind in "fiub" and item.ndim in (1, 2) else None

    try:
        with h5py.File(path, "r") as file:
            found = {name: plain(file[name], 0) for name in file if not name.startswith("#")}
            return _record(found, path, wanted, time_column, "MAT file, version 7.3", heads)
    except (ReadError, MemoryError):
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
        raise ReadError(f"is damaged or no MAT file that can be read ({text})", path) from None


class _Stored:
    """A matrix of an open file: MATLAB's columns are its rows. ``[:]`` reads it, ``column`` says where one lies."""

    def __init__(self, item: Any, row: int | None = None) -> None:
        self.item, self.row, self.dtype = item, row, item.dtype
        self.shape = tuple(n for n in item.shape[::-1] if n != 1) if row is None else item.shape[1:]
        self.ndim = len(self.shape)

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, key: Any) -> Any:
        return (self.item[...].T.squeeze() if self.row is None else self.item[self.row])[key]

    def column(self, j: int) -> _Stored:
        """One column, read alone."""
        return _Stored(self.item, j)


#: a value of a file: a matrix at hand or in the file, text, a cell of values, a structure of them, what is none of these (None)
Value: TypeAlias = "np.ndarray | _Stored | str | list[Value] | Mapping[str, Value] | None"


def _flat(found: Mapping[str, Value], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Value]]:
    """Names and values of a file, those within structures with a dot."""
    for name, value in found.items():
        if str(name).startswith("__"):
            continue
        if isinstance(value, Mapping) and depth < _DEPTH:
            yield from _flat(value, f"{prefix}{name}.", depth + 1)
        else:
            yield f"{prefix}{name}", value


def _record(
    found: Mapping[str, Value],
    path: Path,
    wanted: Sequence[str] | None,
    time_column: str | None,
    form: str,
    heads: bool = False,
) -> Record:
    flat = dict(_flat(found))
    vectors = {
        n: v
        for n, v in flat.items()
        if isinstance(v, (np.ndarray, _Stored)) and v.dtype.kind in "fiub" and v.ndim in (1, 2)
    }
    clocks = [
        n
        for n in vectors
        if vectors[n].ndim == 1
        and (n == time_column if time_column is not None else n.rsplit(".", 1)[-1].lower() in TIME_NAMES)
    ]
    rate = rate_of(time_column) if time_column not in vectors else None
    if rate is not None:
        clocks = []
    if not clocks and rate is None:
        held = ", ".join(list(vectors)[:20]) or "no vectors of numbers"
        named = f"no vector {time_column!r}" if time_column is not None else f"no vector is called time or t; {NO_TIME}"
        raise ReadError(f"{named}. It has: {held}", path)
    names: list[str] = []
    table: list[np.ndarray | _Stored] = []
    units: list[str] = []
    if rate is None:
        clock = min(clocks, key=lambda n: n.count("."))
        samples = len(vectors[clock])
        names, table, units = [clock], [vectors[clock]], [_unit(flat, clock) or "s"]
    else:
        samples = max((len(v) for v in vectors.values()), default=0)
    for name, values in vectors.items():
        if name in clocks:
            continue
        if values.ndim == 1 and len(values) == samples:
            names.append(name)
            table.append(values)
            units.append(_unit(flat, name))
        elif values.ndim == 2 and values.shape[0] == samples:
            names += [f"{name}_{j + 1}" for j in range(values.shape[1])]
            table += (
                [values.column(j) for j in range(values.shape[1])] if isinstance(values, _Stored) else list(values.T)
            )
            units += [_unit(flat, name)] * values.shape[1]
    names, units = _written(flat, names, units)
    return timed(
        path,
        names,
        units,
        table,
        wanted,
        time_column if rate is not None else names[0],
        {"format": form, "description": ""},
        heads,
    )


def _unit(flat: Mapping[str, Value], name: str) -> str:
    """Unit of a variable, wherever the file says it."""
    head, _, tail = name.rpartition(".")
    for place in (f"units.{name}", f"{head}.units.{tail}", f"{name}_unit", f"{name}_units", f"units.{tail}"):
        value = flat.get(place)
        if isinstance(value, str):
            return value
    return ""


def _written(flat: Mapping[str, Value], names: list[str], units: list[str]) -> tuple[list[str], list[str]]:
    """Names and units as this program wrote them: lists beside identifiers that MATLAB takes."""
    lists = [flat.get(key) for key in ("channel_variables", "channel_names", "channel_units")]
    if not all(isinstance(x, (list, np.ndarray, str)) for x in lists):
        return names, units
    variables, spelled, of = ([str(x)] if isinstance(x, str) else [str(w) for w in x] for x in lists)  # type: ignore[union-attr]
    if not len(variables) == len(spelled) == len(of):
        return names, units
    place = {v: (s, u) for v, s, u in zip(variables, spelled, of, strict=True)}
    return [place.get(n, (n, ""))[0] for n in names], [
        place.get(n, ("", u))[1] for n, u in zip(names, units, strict=True)
    ]
