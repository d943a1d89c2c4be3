"""What a file of this or another program holds, and series and counts of it written for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gearwright.interchange import inspect as look
from gearwright.interchange.write import export_file
from gearwright.schema.places import Values, group
from gearwright.units import optional

from .base import BESIDE, Analysis, Column, Picture, Table, result_file_of


@dataclass(frozen=True, repr=False, eq=False)
class FileContents(Analysis):
    """A file: ``source``, ``format``, ``kind`` and ``channels`` by name with ``unit``, ``mean``, ``std``, ``min``, ``max`` in the
    units of the file; ``facts`` are the sampling of series, the dimensions of other kinds."""

    source: str
    format: str
    kind: str
    description: str
    channels: Mapping[str, Values]
    facts: Values = field(metadata=BESIDE)

    @property
    def title(self) -> str:
        """File and format."""
        return f"{self.source}: {self.format}"

    def shown(self) -> Iterator[Table | str]:
        """Sampling or dimensions, then every channel."""
        facts, series, said = self.facts, self.kind == "series", self.facts.get("said")
        sentences = [str(sentence) for sentence in said] if isinstance(said, list) else []
        if series:
            even = "uniform" if facts["uniform_sampling"] else "not uniform"
            yield (
                f"{self.title}, {facts['samples']} samples from {facts['start_s']:g} to {facts['end_s']:g} s every "
                f"{facts['sampling_s']:g} s ({even})"
            )
        else:
            yield f"{self.title} ({self.kind})"
        if self.description:
            yield self.description
        if facts.get("statistics"):
            yield f"figures are {facts['statistics']}"
        statistics = ("mean", "std", "min", "max")
        if series:
            rows = [[name, c["unit"], *(c[k] for k in statistics)] for name, c in self.channels.items()]
            yield Table(f"{len(rows)} channels", ["channel", "unit", *statistics], rows)
            yield from sentences
            if known := group(facts["known"]):
                yield "known as: " + ", ".join(f"{quantity} = {name}" for quantity, name in known.items())
            return
        yield from sentences
        for name, d in ((name, group(d)) for name, d in group(facts["dimensions"]).items()):
            ends = Column("")
            span = f", {ends.cell(d['first'])} to {ends.cell(d['last'])} {d['unit']}" if "first" in d else ""
            yield f"{name}: {d['size']}{span}"
        rows = []
        for name, c in self.channels.items():
            if "value" in c:
                value = c["value"] if isinstance(c["value"], float) else str(c["value"])
                rows.append([name, c["unit"], value, *[None] * 4, ""])
            else:
                over = c["dimensions"]
                along = " ".join(map(str, over)) if isinstance(over, list) else ""
                rows.append([name, c["unit"], "", *(c.get(k) for k in statistics), along])
        yield Table(f"{len(rows)} values", ["name", "unit", Column("value", "", 6), *statistics, "over"], rows)

    def picture(self) -> str:
        """Nothing."""
        return "gw.read(path) gives the series, which have a plot of their own"


@dataclass(frozen=True, repr=False, eq=False)
class Exported(Analysis):
    """A file that was written: ``what`` is in it, how many ``rows`` of ``columns``, from which ``source``."""

    output: str
    what: str
    rows: int
    columns: int
    source: str

    @property
    def title(self) -> str:
        """The file."""
        return self.output

    def shown(self) -> Iterator[Table | str]:
        """One sentence."""
        yield f"{self.output}: {self.what}, {self.rows} rows of {self.columns} columns"

    @property
    def tables(self) -> list[Table]:
        """The file as a row."""
        keys = ("output", "what", "rows", "columns", "source")
        return [Table("Written", keys, [[getattr(self, k) for k in keys]])]

    def picture(self) -> Picture | str:
        """Nothing."""
        return "what was written is in the file; gw.read(path) reads it back"


def inspect(path: Any, channels: Sequence[str] | None = None, **options: Any) -> FileContents:
    """What a file holds: ``gearwright inspect``; a large file is read once, in pieces.

    Parameters
    ----------
    path, channels, options : as :func:`gearwright.read`; a Result or Run is taken too

    Raises ReadError.
    """
    found = look(result_file_of(path), channels, **options)
    return FileContents(found.source, found.format, found.kind, found.description, found.channels, found.facts)


def export(
    source: Any,
    output: str | Path,
    channels: Sequence[str] | None = None,
    *,
    table: str = "series",
    start: float | str | None = None,
    end: float | str | None = None,
    exponents: Sequence[float] | None = None,
    bins: int | None = None,
    double: bool = False,
    time_column: str | None = None,
) -> Exported:
    """Write series or a table of them for other programs: ``gearwright export``.

    Parameters
    ----------
    source : a result (path, Result or Run), or any series that :func:`gearwright.read` reads
    output : the file to write (.outb, .csv, .mat, .parquet or .nc)
    channels, time_column : as :func:`gearwright.read`
    table : ``series``, ``del``, ``rainflow`` or ``markov``
    start, end : only from and up to these times [s, or text with a unit]
    exponents, bins : of ``del``, and of ``rainflow`` and ``markov``
    double : .outb with float64

    Raises ReadError.
    """
    begun, ended = optional(start, "time", "start"), optional(end, "time", "end")
    made = export_file(
        result_file_of(source),
        output,
        channels,
        table=table,
        start=begun,
        end=ended,
        exponents=exponents,
        bins=bins,
        double=double,
        time_column=time_column,
    )
    return Exported(made.output, made.what, made.rows, made.columns, made.source, remarks=made.notes)
