"""From chunks of an engine to a result file: counted, filtered, streamed to netCDF.

The file is written beside its target under a temporary name and renamed when it is complete, so that a target
is either absent, the old one, or whole. Memory is bounded by ``memory_limit`` whatever the length of the run.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels.native import charge, waited
from gearwright.parts import drop, part_of, sweep, why_not
from gearwright.remarks import with_lists
from gearwright.schema.places import JSON
from gearwright.system import Block, Channel, Leaps, in_order
from gearwright.system.channels import long_name

from .counters import CountError, Counters, Counts, Residue
from .derive import Derived, Extension
from .energy import EnergyBook
from .file import LIBRARY
from .filter import ATTENUATION, PASS_BAND, Decimator
from .flank_watch import FlankCount, FlankWatch, Kind
from .layout import ResultError, Variable, layout, whole_ratio
from .welch import Densities, Welch

Float = NDArray[np.float64]

#: Version of the layout of result files.
FORMAT = 1
#: what a run says of itself: what is no number and no text is kept as JSON
Attributes: TypeAlias = "Mapping[str, JSON | Path]"
STATISTICS = ("minimum", "maximum", "mean", "standard_deviation", "time_of_minimum", "time_of_maximum")
#: Rows handled at a time: small enough for the processor's cache, large enough to make calls cheap.
_PIECE = 1024
#: Longest chunk of a stored series, in samples.
_LONGEST_CHUNK = 8192


class Summary(TypedDict):
    """Statistics of a channel in its unit, as a run prints them."""

    mean: float
    std: float
    min: float
    max: float
    unit: str


class _Columns:
    """Which columns of chunks are stored, and which are watched alone; ``stored`` by column."""

    def __init__(self, stored: Sequence[bool]):
        keep = np.array(stored, bool)
        self._keep, self._watched = keep, np.flatnonzero(~keep)
        self._row = np.cumsum(keep) - 1
        edges = np.flatnonzero(np.diff(keep.astype(np.int8), prepend=0, append=0)).tolist()
        self._runs = list(zip(edges[::2], edges[1::2], strict=True))

    def put(self, lines: Float, rows: Float) -> None:
        """Write the stored columns of ``lines`` (k, n) to the first ``rows`` (stored and more, k)."""
        for first, end in self._runs:
            at = self._row[first]
            np.copyto(rows[at : at + end - first], lines[:, first:end].T)

    def watched(self, lines: Float) -> Float:
        """The watched columns of ``lines`` (k, n) as rows."""
        return lines[:, self._watched].T

    def renumbered(self, leaps: Leaps) -> Leaps:
        """Jumps of stored columns as those of rows."""
        stored = self._keep[leaps.column]
        return Leaps(leaps.at[stored], self._row[leaps.column[stored]], leaps.before[stored], leaps.after[stored])


class Recorder:
    """Takes chunks, writes one result file.

    Parameters
    ----------
    path : target file
    channels : channels in the order of the columns of the chunks; ``counted`` ones get cycles and levels, all
        get extremes and moments. Those that results do not have (:attr:`Channel.stored`) are watched: what flanks do
    derived : channels computed from these at every sample
    interval : sample interval of the chunks [s]; counting happens at this interval
    store_interval : interval of the stored series [s], a whole multiple of ``interval``, low-pass filtered
        (:mod:`gearwright.results.filter`); None: the same
    exponents : S-N slopes of the damage equivalent ranges
    reference_frequency : N_eq = reference_frequency [Hz] times the counted duration
    discard : time from the start that is not counted [s]; the series and the envelope keep it
    residue : treatment of the rainflow residue: half, repeat or ignore
    attributes : facts about the run that go into the file
    memory_limit : bytes that the buffer of stored samples may take
    spectra : kinds of channels whose power spectral densities are formed at ``interval``
    precision : number format of stored series and envelopes; ``single`` keeps seven digits in half the space.
        Statistics, counts, damage equivalents, energy and time are double in any case.

    Raises ResultError for a store interval that is not a multiple, channels of one name, or a quantity whose unit differs
    between elements. Used as a context manager it keeps what was computed when an exception passes.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        channels: Sequence[Channel],
        derived: Sequence[Derived] = (),
        interval: float = 1e-3,
        store_interval: float | None = None,
        *,
        exponents: Sequence[float] = (3, 4, 6, 8, 10, 12),
        reference_frequency: float = 1.0,
        discard: float = 0.0,
        residue: Residue = "half",
        attributes: Attributes | None = None,
        memory_limit: float = 64e6,
        spectra: Densities | None = None,
        precision: Literal["single", "double"] = "single",
    ):
        self.path = Path(path)
        self.interval = float(interval)
        self._ratio = whole_ratio(store_interval, interval)
        stored = [c for c in channels if c.stored]
        self._all: list[Channel | Derived] = [*stored, *derived]
        if not self._all:
            raise ResultError(f"{self.path}: a result needs at least one channel")
        self._elements, self._variables = layout(self._all, self.path)
        try:
            self._extension = Extension([c.name for c in stored], derived)
        except ValueError as error:
            raise ResultError(f"{self.path}: {error}") from None
        self._given = len(channels)
        self._counted = [i for i, c in enumerate(self._all) if c.counted]
        self._counters = Counters(len(self._all), self._counted, exponents, residue, between=True)
        self._columns = _Columns([c.stored for c in channels])
        self._flanks = FlankWatch(self._all, [c for c in channels if not c.stored])
        self._welch: Welch | None = None
        if spectra is not None:
            rows = [i for i, c in enumerate(self._all) if c.kind in spectra.kinds]
            try:
                self._welch = Welch(rows, spectra.resolution, self.interval, spectra.duration)
            except ValueError as error:
                raise ResultError(f"{self.path}: {error}") from None
        self._exponents = tuple(float(e) for e in exponents)
        self._reference_frequency = float(reference_frequency)
        self._discard = max(round(discard / interval), 0)
        self._attributes = dict(attributes or {})
        self._decimator = Decimator(self._ratio, len(self._all))
        self._type = {"single": "f4", "double": "f8"}[precision]
        most = int(memory_limit / (8 * len(self._all)))
        self._chunk = max(min(most, _LONGEST_CHUNK), 16)
        self._buffer = np.empty((len(self._all), self._chunk))
        self._filled = 0
        self._stored = 0
        self._first_time = 0.0
        self._received = 0
        # counting and filtering run beside the engine, one chunk behind, and writing beside both, another chunk behind
        self._pool = ThreadPoolExecutor(2, "gearwright-recorder")
        self._pending: Future[None] | None = None
        self._compiled = 0.0  # seconds that the worker's thread compiled
        self._writing: Future[None] | None = None
        self._ready: list[Float] = []
        self._samples = 0
        self._file: Any = None
        # filled after all are defined: the library writes the file out whenever the one follows the other
        self._defined: list[tuple[Any, Any]] = []
        self._statistic = np.zeros((len(self._all), len(STATISTICS)))
        self._finished = False

    # --- taking chunks -------------------------------------------------------------------------------

    def describe(self, attributes: Attributes) -> None:
        """Add facts about the run that go into the file."""
        self._attributes.update(attributes)

    def compiled(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """Compiled functions that recording needs, each with arguments of the kinds it is called with."""
        return [*self._extension.compiled(), *self._counters.compiled(), *self._decimator.compiled()]

    def append(self, block: Block) -> None:
        """Take one chunk; chunks follow each other without a gap, at the interval of the recorder.

        The chunk is worked on while the caller goes on: its arrays must not be changed any more.

        Raises ResultError for a chunk of the wrong width or at the wrong time, or if a value in the chunk
        before was not finite (the message names channel and time); what came before it stays.
        """
        if self._finished:
            raise ResultError(f"{self.path}: the result is closed already")
        time, lines, leaps = block
        if lines.ndim != 2 or lines.shape != (len(time), self._given):
            raise ResultError(f"{self.path}: a chunk of shape {lines.shape} does not fit {self._given} channels")
        if len(time) == 0:
            return
        if self._received == 0:
            self._first_time = float(time[0])
        expected = self._first_time + self._received * self.interval
        if abs(time[0] - expected) > 0.01 * self.interval:
            raise ResultError(f"{self.path}: a chunk starts at {time[0]:.9g} s, expected {expected:.9g} s")
        self._collect_or_drop()
        self._received += len(time)
        self._pending = self._pool.submit(self._digest, lines, leaps)

    def _digest(self, lines: Float, leaps: Leaps | None) -> None:
        """Count and filter one chunk, in the worker's thread."""
        before = waited()
        try:
            self._count(lines, leaps)
        finally:
            self._compiled += waited() - before

    def _count(self, lines: Float, leaps: Leaps | None) -> None:
        for start in range(0, len(lines), _PIECE):
            piece = lines[start : start + _PIECE]
            # written once, to where the filter wants it; counted there
            room, first = self._decimator.room(len(piece))
            end = first + len(piece)
            self._columns.put(piece, room[:, first:end])
            self._extension.extend(room, first, end)
            begin = first + min(max(self._discard - self._samples, 0), len(piece))
            jumps = None if leaps is None else self._columns.renumbered(leaps.part(start, start + len(piece), first))
            jumps = self._extension.leaping(jumps, room)
            self._counters.leap(in_order(jumps, self._extension.between(room, first, end)))
            try:
                self._counters.count(room, first, begin, counting=False)
                self._counters.count(room, begin, end)
            except CountError as error:
                self._ready.append(self._decimator.taken(error.sample - self._samples))
                self._samples = error.sample
                channel = self._all[error.column]
                at = self._first_time + error.sample * self.interval
                raise ResultError(f"{self.path}: {channel.name} is not finite at {at:.9g} s") from None
            watched = self._columns.watched(piece[begin - first :])
            self._flanks.add(room[:, begin:end], watched, self._samples + begin - first)
            if self._welch is not None:
                self._welch.add(room, begin, end)
            self._samples += len(piece)
            self._ready.append(self._decimator.taken(len(piece)))

    def _collect(self) -> None:
        """Wait for the chunk at work and have stored what came out of it; raises what went wrong with it."""
        if self._pending is None:
            return
        begin = perf_counter()
        wait([self._pending])  # an interrupt passes here and finds the chunk still pending
        charge(min(perf_counter() - begin, self._compiled))
        self._compiled = 0.0
        self._written()
        done, self._pending = self._pending, None
        ready, self._ready = self._ready, []
        self._writing = self._pool.submit(self._store, ready)
        done.result()

    def _collect_or_drop(self) -> None:
        """As :meth:`_collect`; a file that cannot be written any more is taken away, and its room given back."""
        try:
            self._collect()
        except OSError:
            self._finished = True
            self._drop()
            raise

    @contextlib.contextmanager
    def _library(self) -> Iterator[None]:
        """The library below netCDF, for one at a time. Raises OSError with the file and the true reason, which it does not tell."""
        with LIBRARY:
            try:
                yield
            except (OSError, RuntimeError) as error:
                if isinstance(error, ResultError):
                    raise
                number, words = why_not(self._temporary) or (errno.EIO, f"cannot be written ({error})")
                raise OSError(number, words, str(self.path)) from None

    def _written(self) -> None:
        """Wait for what is being stored; raises what went wrong with it."""
        if self._writing is None:
            return
        wait([self._writing])
        done, self._writing = self._writing, None
        done.result()

    def _store(self, ready: Sequence[Float]) -> None:
        """Store decimated samples: in a worker's thread, the last of them in the caller's."""
        with self._library():
            for rows in ready:
                self._fill(rows)

    def _fill(self, rows: Float) -> None:
        start = 0
        while start < len(rows):
            if self._filled == self._chunk:
                self._flush()
            count = min(len(rows) - start, self._chunk - self._filled)
            self._buffer[:, self._filled : self._filled + count] = rows[start : start + count].T
            self._filled += count
            start += count

    # --- the file ------------------------------------------------------------------------------------

    @property
    def _temporary(self) -> Path:
        return part_of(self.path)

    def _open(self) -> Any:
        import netCDF4

        self.path.parent.mkdir(parents=True, exist_ok=True)
        sweep(self.path.parent)
        file = netCDF4.Dataset(self._temporary, "w", format="NETCDF4")
        file.createDimension("time", None)
        for kind, elements in self._elements.items():
            file.createDimension(kind, len(elements))
            label = file.createVariable(kind, str, (kind,))
            self._defined.append((label, np.array(elements, object)))
        time = file.createVariable("time", "f8", ("time",), chunksizes=(self._chunk,), zlib=True, complevel=1)
        time.set_var_chunk_cache(8 * self._chunk, 1, 1.0)
        time.setncatts({"units": "s", "long_name": "time"})
        for v in self._variables:
            series = file.createVariable(
                v.name,
                self._type,
                (v.kind, "time"),
                chunksizes=(1, self._chunk),
                zlib=True,
                complevel=1,
                fill_value=np.nan,
            )
            # whole chunks are written once and never read back: a cache of one chunk. A size of zero would be
            # taken as unset, and the default keeps 64 MB of every variable, that is, the whole run.
            series.set_var_chunk_cache(series.dtype.itemsize * self._chunk, 1, 1.0)
            series.setncatts({"units": v.unit, "long_name": long_name(v.kind, v.quantity), "sign": v.sign})
        return file

    def _flush(self) -> None:
        if self._filled == 0:
            return
        if self._file is None:
            self._file = self._open()
        begin, end = self._stored, self._stored + self._filled
        number = np.arange(begin + 1, end + 1) * self._ratio - 1
        self._file["time"][begin:end] = self._first_time + number * self.interval
        for v in self._variables:
            values = np.full((len(self._elements[v.kind]), self._filled), np.nan, self._type)
            values[v.elements] = self._buffer[v.columns, : self._filled]
            self._file[v.name][:, begin:end] = values
        self._stored = end
        self._filled = 0

    # --- closing -------------------------------------------------------------------------------------

    def finish(self, energy: EnergyBook | None = None, attributes: Attributes | None = None) -> Path:
        """Write what was counted, the energy book and more attributes; put the file in place.

        Raises ResultError if a value in the last chunk was not finite; the file with what came before is in
        place then, marked ``incomplete``.
        """
        if self._finished:
            raise ResultError(f"{self.path}: the result is closed already")
        try:
            self._collect_or_drop()
        except ResultError as error:
            self.abort(str(error), energy, attributes)
            raise
        return self._close(energy, attributes or {})

    def flanks(self) -> dict[str, dict[Kind, FlankCount]]:
        """What flanks of meshes did beside carrying on one side, by mesh; of what came so far."""
        with contextlib.suppress(ResultError):  # said by whoever closes the result
            self._collect_or_drop()
        return self._flanks.counts(self.interval, self._first_time)

    def summary(self) -> dict[str, Summary]:
        """Mean, standard deviation, extremes and unit of every channel that has them, once the file is written."""
        found: dict[str, Summary] = {}
        kinds = list(dict.fromkeys(v.kind for v in self._variables))
        for v in sorted(self._variables, key=lambda v: kinds.index(v.kind)):
            for element, column in sorted(zip(v.elements, v.columns, strict=True)):
                least, most, mean, deviation = (float(x) for x in self._statistic[column, :4])
                values: Summary = {"mean": mean, "std": deviation, "min": least, "max": most, "unit": v.unit}
                if not math.isnan(mean):
                    name = f"{self._elements[v.kind][element]}.{v.quantity}"
                    found[name if name not in found else f"{v.kind}.{name}"] = (
                        values  # as Result.channels tells them apart
                    )
        return found

    def abort(self, reason: str, energy: EnergyBook | None = None, attributes: Attributes | None = None) -> Path | None:
        """Close a run that ended early: what was computed is kept, marked ``incomplete`` with the reason.

        Returns None, and leaves no file, if nothing was computed. Raises ResultError if the result is closed already.
        """
        if self._finished:
            raise ResultError(f"{self.path}: the result is closed already")
        with contextlib.suppress(ResultError):
            self._collect_or_drop()  # the run has failed already: the first reason counts
        if self._samples == 0:
            self._finished = True
            self._drop()
            return None
        return self._close(energy, {**(attributes or {}), "incomplete": reason})

    def _close(self, energy: EnergyBook | None, attributes: Attributes) -> Path:
        self._finished = True
        try:
            self._written()
            self._store([self._decimator.finish()])
            return self._completed(energy, attributes)
        except BaseException:
            self._drop()
            raise

    def _completed(self, energy: EnergyBook | None, attributes: Attributes) -> Path:
        """Write the rest and put the file in place."""
        with self._library():
            self._flush()
            if self._file is None:
                self._file = self._open()
            self._write_counts(self._counters.counts())
            if energy is not None:
                self._write_energy(energy)
            self._write_attributes({**self._attributes, **attributes})
            for variable, values in self._defined:
                variable[:] = values
            self._file.close()
            self._file = None
        os.replace(self._temporary, self.path)
        self._pool.shutdown()
        return self.path

    def _drop(self) -> None:
        self._pool.shutdown()
        if self._file is not None:
            with LIBRARY, contextlib.suppress(RuntimeError, OSError):
                self._file.close()
            self._file = None
        drop(self._temporary)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._finished:
            if error is None:
                self.finish()
            else:
                self.abort(str(error) or type(error).__name__)

    def _write_counts(self, counts: Counts) -> None:
        file = self._file
        place = {column: j for j, column in enumerate(self._counted)}
        duration = counts.samples * self.interval
        names = {"statistic": np.array(STATISTICS, object), "exponent": np.array(self._exponents)}
        for dimension, labels in names.items():
            file.createDimension(dimension, len(labels))
            label = file.createVariable(dimension, str if labels.dtype == object else "f8", (dimension,))
            self._defined.append((label, labels))
        sizes = {
            "range_bin": counts.cycles.shape[1],
            "range_edge": counts.cycle_edges.shape[1],
            "level_bin": counts.samples_at_level.shape[1],
            "level_edge": counts.level_edges.shape[1],
            "block_time": len(counts.block_low),
            "range_row": counts.range_mean.shape[1],
            "mean_column": counts.range_mean.shape[2],
        }
        for dimension, size in sizes.items():
            file.createDimension(dimension, size)
        block = file.createVariable("block_time", "f8", ("block_time",))
        block.setncatts({"units": "s", "long_name": "time of the first sample of an envelope block"})
        times = self._first_time + np.arange(len(counts.block_low)) * counts.block_samples * self.interval
        self._defined.append((block, times))
        file.block_interval = counts.block_samples * self.interval

        first, step = self._first_time, self.interval
        at_low = np.where(counts.minimum_at < 0, np.nan, first + counts.minimum_at * step)
        at_high = np.where(counts.maximum_at < 0, np.nan, first + counts.maximum_at * step)
        moments = [counts.minimum, counts.maximum, counts.mean, counts.standard_deviation, at_low, at_high]
        statistic = self._statistic = np.stack(moments, axis=1)
        reference, slopes = self._reference_frequency * duration, 1.0 / np.array(self._exponents)
        equivalent = (counts.damage / reference) ** slopes if reference > 0 else counts.damage * np.nan
        blocks = {"low": counts.block_low, "average": counts.block_mean, "high": counts.block_high}
        for v in self._variables:
            self._write(v, "statistic", ("statistic",), statistic[v.columns], v.elements, v.unit)
            for suffix, values in blocks.items():
                self._write(v, suffix, ("block_time",), values[:, v.columns].T, v.elements, v.unit)
            if not v.counted:
                continue
            rows = [place[v.columns[i]] for i in v.counted]
            elements = [v.elements[i] for i in v.counted]
            self._write(v, "del", ("exponent",), equivalent[rows], elements, v.unit)
            self._write(v, "cycles", ("range_bin",), counts.cycles[rows], elements, "1")
            self._write(v, "cycles_range", ("range_bin",), counts.cycle_range[rows], elements, v.unit)
            self._write_matrix(v, counts.range_mean[rows], elements)
            self._write(v, "cycles_edge", ("range_edge",), counts.cycle_edges[rows], elements, v.unit)
            self._write(v, "duration", ("level_bin",), counts.samples_at_level[rows] * step, elements, "s")
            self._write(v, "duration_edge", ("level_edge",), counts.level_edges[rows], elements, v.unit)
        if self._welch is not None and self._welch.segments:
            self._write_densities(self._welch)
        self._attributes.update(
            counted_duration_s=duration,
            reference_frequency_hz=self._reference_frequency,
            residue=self._counters.residue,
            discard_s=self._discard * step,
            count_interval_s=step,
            store_interval_s=step * self._ratio,
            store_filter="none"
            if self._ratio == 1
            else f"linear-phase low-pass, flat to {PASS_BAND:g} / store interval, {ATTENUATION:g} dB",
        )

    def _write(
        self, v: Variable, suffix: str, dimensions: tuple[str, ...], values: Float, elements: list[int], unit: str
    ) -> None:
        # not compressed: little to gain, and it would take longer than all counting of a short run
        kind = self._type if dimensions in (("block_time",), ("frequency",)) else "f8"
        variable = self._file.createVariable(f"{v.name}_{suffix}", kind, (v.kind, *dimensions), fill_value=np.nan)
        variable.units = unit
        full = np.full((len(self._elements[v.kind]), values.shape[1]), np.nan)
        full[elements] = values
        self._defined.append((variable, full))

    def _write_densities(self, welch: Welch) -> None:
        self._file.createDimension("frequency", len(welch.frequency))
        line = self._file.createVariable("frequency", "f8", ("frequency",))
        line.setncatts({"units": "Hz", "long_name": "lines of the power spectral densities"})
        self._defined.append((line, welch.frequency))
        density, place = welch.density(), {int(row): j for j, row in enumerate(welch.rows)}
        for v in self._variables:
            if v.columns[0] in place:
                values = density[[place[column] for column in v.columns]]
                self._write(v, "density", ("frequency",), values, v.elements, f"({v.unit})^2/Hz")
        self._attributes["spectra_method"] = welch.method

    def _write_matrix(self, v: Variable, matrices: Float, elements: list[int]) -> None:
        """Cycles by range and mean: nearly empty, so that compressing it costs little and saves most."""
        variable = self._file.createVariable(
            f"{v.name}_range_mean",
            "f4",
            (v.kind, "range_row", "mean_column"),
            fill_value=np.nan,
            compression="zlib",
            complevel=1,
        )
        variable.units = "1"
        full = np.full((len(self._elements[v.kind]), *matrices.shape[1:]), np.nan, np.float32)
        full[elements] = matrices
        self._defined.append((variable, full))

    def _write_energy(self, energy: EnergyBook) -> None:
        self._file.createDimension("energy_term", len(energy.terms))
        names = self._file.createVariable("energy_term", str, ("energy_term",))
        book = self._file.createVariable("energy", "f8", ("energy_term",))
        book.setncatts(
            {
                "units": "J",
                "long_name": "energy book",
                "sign": "positive: supplied to the motion",
                "largest": energy.largest,
            }
        )
        self._defined.append((names, np.array(list(energy.terms), object)))
        self._defined.append((book, np.array(list(energy.terms.values()), float)))
        self._attributes["energy_error"] = energy.error

    def _write_attributes(self, attributes: Attributes) -> None:
        self._file.gearwright_format = np.int32(FORMAT)
        for key, value in with_lists({**attributes, **self._attributes}).items():
            if value is None:
                continue
            if isinstance(value, (bool, np.bool_)):
                value = int(value)
            elif isinstance(value, (Mapping, list, tuple)) and not _numbers(value):
                value = json.dumps(value)
            self._file.setncattr(key, value if not isinstance(value, Path) else str(value))


def _numbers(value: Any) -> bool:
    return not isinstance(value, Mapping) and len(value) > 0 and all(isinstance(x, (int, float)) for x in value)
