"""The bytes of a file, read where they are needed: sizes are known before anything is read or allocated.

:class:`Source` is the file on disk, or its unpacked content where it is gzipped. :class:`Lazy` is a table of
channels that stays in it until a channel, or a stretch of one, is asked for, :class:`Later` one that a library reads.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import numpy as np

from .in_file import InFile
from .record import Float, ReadError, decode, load_bytes, opened

#: Bytes that a lazy table reads at a time.
_BLOCK = 4 * 2**20

#: Place of a channel in the file, or of several.
Place = int | np.ndarray


class Source:
    """A file open for reading, of known size; use it as a context.

    Raises
    ------
    ReadError : no such file, a folder, no permission, a damaged gzip file; and from every read past the end
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        self.path = path
        self.at = 0
        self._content = load_bytes(path) if content is None and path.suffix.lower() == ".gz" else content
        self._file: BinaryIO = opened(path) if self._content is None else io.BytesIO(self._content)
        self.size = self._file.seek(0, io.SEEK_END)

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def again(self) -> Source:
        """The same bytes, opened anew: for what is read later."""
        return Source(self.path, self._content)

    def read(self, size: int, what: str) -> bytes:
        """The next ``size`` bytes, which must exist; ``what`` they are, for the message."""
        if size < 0 or size > self.size - self.at:
            raise ReadError(
                f"truncated, or its header is damaged: {what} needs {size} bytes from byte {self.at}, "
                f"the file has {self.size}",
                self.path,
            )
        self._file.seek(self.at)
        self.at += size
        return self._file.read(size)

    def number(self, code: str, what: str) -> float:
        """One little-endian number of a struct code (``h``, ``i``, ``f``, ``d``)."""
        return struct.unpack("<" + code, self.read(struct.calcsize("<" + code), what))[0]

    def count(self, code: str, what: str, least: int, most: int | None = None) -> int:
        """One whole number that must not lie outside ``least`` to ``most``."""
        value = int(self.number(code, what))
        if value < least or (most is not None and value > most):
            allowed = f"at least {least}" if most is None else f"{least} to {most}"
            raise ReadError(f"damaged header: {what} is {value}, {allowed} is needed", self.path)
        return value

    def array(self, kind: str, count: int, what: str) -> np.ndarray:
        """The next ``count`` values of a NumPy type."""
        return np.frombuffer(self.read(count * np.dtype(kind).itemsize, what), kind)

    def words(self, count: int, length: int, what: str) -> list[str]:
        """``count`` texts of ``length`` bytes."""
        content = self.read(count * length, what)
        return [decode(content[i * length : (i + 1) * length]).strip("\0 ") for i in range(count)]


class Later(InFile):
    """Whole channels that a library reads when they are used; the last one is kept.

    A reader that was asked for heads leaves this in place of the values; ``read``, which gives the values (channels,
    samples) of channels by name, is set by who opened the file.
    """

    read: Callable[[list[str]], Float]

    def __init__(self, names: Sequence[str], samples: int) -> None:
        self.names = list(names)
        self.shape = (len(self.names), samples)
        self._kept: tuple[int, Float] | None = None

    def one(self, row: int, first: int = 0, last: int | None = None) -> Float:
        """Values of channel ``row`` from sample ``first`` up to before ``last``."""
        if self._kept is None or self._kept[0] != row:
            self._kept = row, self.read([self.names[row]])[0]
        return self._kept[1][first:last].copy()

    def all(self) -> Float:
        """Every channel, (channels, samples)."""
        return self.read(self.names)

    def parts(self) -> Iterator[tuple[slice, Float]]:
        """Some channels at a time."""
        step = max(8 * _BLOCK // max(8 * self.shape[1], 1), 1)
        for at in range(0, len(self.names), step):
            yield slice(at, at + step), self.read(self.names[at : at + step]).T


class Lazy(InFile):
    """Values (channels, samples) in a file, of one NumPy type and of known place.

    Parameters
    ----------
    source : the file; it is opened anew for every read, so that no handle stays open
    start : first byte of the table
    kind : NumPy type with byte order
    samples, width : samples, and channels of the table in the file
    chosen : index in the file of every channel of this table
    value : makes values of raw numbers of channel ``j`` (index in the file), or of a table (samples, channels ``j``)
    together : the channels of a sample lie together (True), or the samples of a channel (False)
    """

    def __init__(
        self,
        source: Source,
        start: int,
        kind: str,
        samples: int,
        width: int,
        chosen: Sequence[int],
        value: Callable[[np.ndarray, Place], Float],
        together: bool = True,
    ) -> None:
        self.source = source
        self.start = start
        self.kind = np.dtype(kind)
        self.samples = samples
        self.width = width
        self.chosen = list(chosen)
        self.value = value
        self.together = together
        self.shape = (len(self.chosen), samples)
        if start + samples * width * self.kind.itemsize > source.size:
            raise ReadError(
                f"truncated, or its header is damaged: {width} channels of {samples} samples need "
                f"{start + samples * width * self.kind.itemsize} bytes, the file has {source.size}",
                source.path,
            )

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, np.ndarray]]:
        """Raw numbers (samples of the block, channels in the file) with the first sample of each block."""
        last = self.samples if last is None else last
        step = max(_BLOCK // max(self.width * self.kind.itemsize, 1), 1)
        with self.source.again() as file:
            for at in range(first, last, step):
                count = min(step, last - at)
                file.at = self.start + at * self.width * self.kind.itemsize
                raw = file.array(self.kind.str, count * self.width, "the values")
                yield at, raw.reshape(count, self.width)

    def one(self, row: int, first: int = 0, last: int | None = None) -> Float:
        """Values of channel ``row`` of this table from sample ``first`` up to before ``last``."""
        last = self.samples if last is None else last
        j = self.chosen[row]
        if not self.together:
            with self.source.again() as file:
                file.at = self.start + (j * self.samples + first) * self.kind.itemsize
                return self.value(file.array(self.kind.str, max(last - first, 0), "the values"), j)
        out = np.empty(max(last - first, 0))
        with np.errstate(all="ignore"):
            for at, raw in self.blocks(first, last):
                out[at - first : at - first + len(raw)] = self.value(raw[:, j], j)
        return out

    def all(self) -> Float:
        """Every channel, (channels, samples)."""
        out = np.empty(self.shape)
        with np.errstate(all="ignore"):
            if not self.together:
                for row in range(len(self.chosen)):
                    out[row] = self.one(row)
                return out
            columns = np.array(self.chosen, int)
            for at, raw in self.blocks():
                out[:, at : at + len(raw)] = self.value(raw[:, columns], columns).T
        return out

    def parts(self) -> Iterator[tuple[slice, Float]]:
        """Rows of this table and their values (samples, rows), in pieces of bounded size."""
        if not self.together:
            for row in range(len(self.chosen)):
                yield slice(row, row + 1), self.one(row)[:, None]
            return
        rows, columns = slice(0, len(self.chosen)), np.array(self.chosen, int)
        every = np.array_equal(columns, np.arange(self.width))
        with np.errstate(all="ignore"):
            for _, raw in self.blocks():
                yield rows, self.value(raw if every else raw[:, columns], columns)
