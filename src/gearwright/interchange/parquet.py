"""Parquet tables: one column per channel; units in the metadata of a column (``unit``), or in its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .axes import time_index, timed
from .delimited import names_and_units
from .record import ReadError, Record

#: numbers per byte that a table may hold: runs of equal values take almost no room
_MOST_PER_BYTE = 20_000
_SMALL = 8 * 2**20


def library(path: Path) -> Any:
    """pyarrow with its Parquet, or a ReadError that says how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ReadError("is Parquet, which needs pyarrow: pip install gearwright[files]", path) from None
    return pyarrow


def read_parquet(
    path: Path, wanted: Sequence[str] | None, time_column: str | None = None, *, heads: bool = False
) -> Record:
    """Channels of a Parquet table; only the wanted columns are read."""
    pyarrow = library(path)
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            plain, found = names_and_units(schema.names)
            units = []
            for i, field in enumerate(schema):
                spelled = (field.metadata or {}).get(b"unit") or (field.metadata or {}).get(b"units")
                if spelled is not None:
                    plain[i] = field.name  # a unit of its own: brackets belong to the name
                units.append(found[i] if spelled is None else spelled.decode("utf-8", "replace"))
            rows = file.metadata.num_rows
            if rows < 0 or rows * len(schema.names) > max(_MOST_PER_BYTE * path.stat().st_size, _SMALL):
                raise ReadError(f"damaged: {rows} rows are more than it can hold", path)
            # pandas keeps the numbers of rows as a column of that name
            kinds = [
                (pyarrow.types.is_floating(f.type) or pyarrow.types.is_integer(f.type))
                and not re.fullmatch(r"__index_level_\d+__", f.name)
                for f in schema
            ]
            at = time_index(plain, time_column, path)
            keep = [i for i in range(len(plain)) if kinds[i] or (wanted and plain[i] in wanted) or i == at]
            if wanted is not None:
                keep = [i for i in keep if i == at or plain[i] in wanted] if set(wanted) <= set(plain) else keep
            # decoding is what takes memory: only these columns
            read = [at] if heads else keep
            table = file.read([schema.names[i] for i in read])
            values = {i: table.column(k).to_numpy() for k, i in enumerate(read)}
            columns = [values.get(i, ()) for i in keep]
    except ReadError:
        raise
    except Exception as error:
        raise ReadError(
            f"is damaged or no Parquet table that can be read ({' '.join(str(error).split())[:160]})", path
        ) from None
    return timed(
        path,
        [plain[i] for i in keep],
        [units[i] for i in keep],
        columns,
        wanted,
        time_column,
        {"format": "Parquet table", "description": ""},
        heads,
    )
