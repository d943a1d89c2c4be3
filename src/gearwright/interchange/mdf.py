"""MDF 4 files of vehicle and bench loggers (ASAM MDF 4.00 to 4.20), read by their block structure.

A file is blocks of ``##XX``, length, links. Read are data groups (``DG``) with one or several channel groups (``CG``), their
channels (``CN``) of whole and floating numbers of any bit width, conversions (``CC``) by formula of two or six numbers and by
tables, and data in one piece, in lists, and compressed (``DT, DL, HL, DZ``). Every block must lie within the file and no chain may
come back to itself. Own code, since the library of the trade ends the interpreter on damaged files; the tests compare with it.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .axes import Channel, records
from .limits import MOST_PER_BYTE
from .record import Float, ReadError, Record, decode
from .source import Source

_TEXT_TYPES = {6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}
_MASTER, _VIRTUAL_MASTER = 2, 3


@dataclass
class _Block:
    """One block: kind, links, and the bytes behind them."""

    kind: str
    links: list[int]
    data: bytes


class _File:
    """Blocks of a file, each looked at where it is needed."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.path = source.path

    def block(self, at: int, *kinds: str, whole: bool = True) -> _Block:
        """The block at a place; it must be of one of the kinds. ``whole`` False leaves its data out."""
        file = self.source
        file.at = self._inside(at)
        kind = decode(file.read(4, "a block"))
        if not kind.startswith("##") or (kinds and kind[2:] not in kinds):
            raise ReadError(f"damaged: block {'/'.join(kinds)} is wanted at byte {at}, there is {kind!r}", self.path)
        file.read(4, "a block")
        length, count = struct.unpack("<QQ", file.read(16, "a block"))
        if length < 24 + 8 * count or at + length > file.size:
            raise ReadError(
                f"truncated or damaged: block {kind[2:]} at byte {at} has {length} bytes, {count} links", self.path
            )
        links = list(struct.unpack(f"<{count}Q", file.read(8 * count, "links")))
        return _Block(kind[2:], links, file.read(length - 24 - 8 * count, "a block") if whole else b"")

    def _inside(self, at: int) -> int:
        if at % 1 or at <= 0 or at + 24 > self.source.size:
            raise ReadError(f"damaged: a link leads to byte {at} of {self.source.size}", self.path)
        return at

    def chain(self, first: int, kind: str) -> Iterator[tuple[int, _Block]]:
        """Blocks linked by their first link."""
        seen: set[int] = set()
        at = first
        while at:
            if at in seen:
                raise ReadError(f"damaged: the chain of {kind} blocks comes back to byte {at}", self.path)
            seen.add(at)
            block = self.block(at, kind)
            if not block.links:
                raise ReadError(f"damaged: block {kind} at byte {at} has no links", self.path)
            yield at, block
            at = block.links[0]

    def text(self, at: int) -> str:
        """Text of a TX or MD block; '' where there is none."""
        if not at:
            return ""
        block = self.block(at, "TX", "MD")
        content = decode(block.data.split(b"\0", 1)[0]).strip()
        if block.kind == "MD":
            found = re.search(r"<TX[^>]*>(.*?)</TX>", content, re.DOTALL)
            content = re.sub(r"<[^>]*>", "", found[1]).strip() if found else ""
        return content.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")

    def records(self, at: int, most: int) -> bytes:
        """The bytes of the records of a data group, unpacked; at most ``most``."""
        parts: list[bytes] = []
        size = 0
        for piece in self._pieces(at, most):
            size += len(piece)
            if size > most:
                raise ReadError(
                    f"damaged: a data group holds more than the {most} bytes that its records take", self.path
                )
            parts.append(piece)
        return b"".join(parts)

    def _pieces(self, at: int, most: int) -> Iterator[bytes]:
        if not at:
            return
        kind = self.block(at, whole=False).kind
        if kind == "DT":
            yield self.block(at, "DT").data
        elif kind == "DZ":
            yield self._unpacked(self.block(at, "DZ"), most)
        elif kind == "HL":
            yield from self._pieces(self.block(at, "HL").links[0], most)
        elif kind == "DL":
            for _, block in self.chain(at, "DL"):
                for link in block.links[1:]:
                    if link and self.block(link, "DT", "DZ", whole=False):
                        yield from self._pieces(link, most)
        else:
            raise ReadError(
                f"holds its values in blocks of kind {kind}, which are not read (DT, DZ, DL, HL are)", self.path
            )

    def _unpacked(self, block: _Block, most: int) -> bytes:
        if len(block.data) < 24:
            raise ReadError("damaged: a compressed block has no head", self.path)
        original, how, _, parameter, size, packed = struct.unpack_from("<2sBBIQQ", block.data)
        if original != b"DT" or how not in (0, 1) or packed > len(block.data) - 24:
            raise ReadError(f"damaged: compressed block of {original!r}, method {how}, {packed} bytes", self.path)
        if size > most:
            raise ReadError(f"damaged: a compressed block of {size} bytes is more than its records take", self.path)
        try:
            content = zlib.decompressobj().decompress(block.data[24 : 24 + packed], size + 1)
        except zlib.error as error:
            raise ReadError(f"damaged: a compressed block cannot be unpacked ({error})", self.path) from None
        if len(content) != size:
            raise ReadError(f"damaged: a compressed block of {size} bytes unpacks to {len(content)}", self.path)
        if how == 1 and parameter > 0:
            rows = size // parameter
            turned = np.frombuffer(content, np.uint8, rows * parameter).reshape(parameter, rows).T
            content = turned.tobytes() + content[rows * parameter :]
        return content


@dataclass
class _Group:
    """A channel group: how its records lie, and which bytes are its own once they are read."""

    number: int
    cycles: int
    data_bytes: int
    extra_bytes: int
    record_id: int


def read_mdf(path: Path, wanted: Sequence[str] | None, *, heads: bool = False) -> list[Record]:
    """Channels of an MDF 4 file; groups with times of their own get their own time axis."""
    with Source(path) as source:
        head = source.read(64, "the head")
        version = decode(head[8:12]).strip()
        if head[:8] == b"UnFinMF ":
            raise ReadError("is an MDF file that was never finished; let its logger or an MDF tool finalise it", path)
        if not version.startswith("4"):
            raise ReadError(f"is MDF version {version or '?'}; version 4 is read, so save it as MDF 4", path)
        file = _File(source)
        header = file.block(64, "HD")
        if not header.links:
            raise ReadError("damaged: the header has no links", path)
        channels: list[Channel] = []
        most = MOST_PER_BYTE * source.size
        for _, group in file.chain(header.links[0], "DG"):
            channels += _data_group(file, group, len(channels), most)
        return records(path, channels, wanted, {"format": f"MDF {version}", "description": ""}, most, heads)


def _data_group(file: _File, dg: _Block, before: int, most: int) -> list[Channel]:
    if len(dg.links) < 4 or not dg.data:
        raise ReadError("damaged: a data group has no head", file.path)
    id_size = dg.data[0]
    if id_size not in (0, 1, 2, 4, 8):
        raise ReadError(f"damaged: record numbers of {id_size} bytes", file.path)
    groups: list[tuple[_Group, _Block]] = []
    for _, cg in file.chain(dg.links[1], "CG"):
        if len(cg.data) < 32 or len(cg.links) < 6:
            raise ReadError("damaged: a channel group has no head", file.path)
        number, cycles, flags, _, _, size, extra = struct.unpack_from("<QQHHIII", cg.data)
        if flags & 1:
            if id_size:
                raise ReadError("holds values of changing length among its records, which are not read", file.path)
            continue
        if cycles * (size + extra + id_size) > most:
            raise ReadError(f"damaged: {cycles} records of {size + extra} bytes are more than it can hold", file.path)
        groups.append((_Group(before + len(groups), cycles, size, extra, number), cg))
    if not id_size and len(groups) > 1:
        raise ReadError("damaged: several channel groups, but no record numbers", file.path)
    total = sum(g.cycles * (g.data_bytes + g.extra_bytes + id_size) for g, _ in groups)
    cache: dict[int, np.ndarray] = {}

    def rows(of: _Group) -> np.ndarray:
        """Records of a group, (cycles, bytes)."""
        if not cache:
            with file.source.again() as again:
                content = _File(again).records(dg.links[2], total + 8)
            cache.update(_split(content, [g for g, _ in groups], id_size, file.path))
        return cache[of.record_id if id_size else 0]

    made: list[Channel] = []
    for group, cg in groups:
        made += _channels(file, group, cg, rows)
    return made


def _split(content: bytes, groups: list[_Group], id_size: int, path: Path) -> dict[int, np.ndarray]:
    """Records by their number (0 where there are no numbers)."""
    if not id_size:
        group = groups[0]
        width = group.data_bytes + group.extra_bytes
        if len(content) < group.cycles * width:
            raise ReadError(f"truncated: {group.cycles} records of {width} bytes, {len(content)} bytes are there", path)
        return {0: np.frombuffer(content, np.uint8, group.cycles * width).reshape(group.cycles, width)}
    width_of = {g.record_id: g.data_bytes + g.extra_bytes for g in groups}
    found: dict[int, list[int]] = {g.record_id: [] for g in groups}
    at, end = 0, len(content)
    while at + id_size <= end:
        number = int.from_bytes(content[at : at + id_size], "little")
        if number not in width_of:
            raise ReadError(f"damaged: a record is numbered {number}, which no channel group is", path)
        at += id_size
        if at + width_of[number] > end:
            break
        found[number].append(at)
        at += width_of[number]
    raw = np.frombuffer(content, np.uint8)
    out = {}
    for g in groups:
        starts = np.array(found[g.record_id][: g.cycles], np.int64)
        if len(starts) < g.cycles:
            raise ReadError(f"truncated: {g.cycles} records are announced, {len(starts)} are there", path)
        out[g.record_id] = raw[starts[:, None] + np.arange(width_of[g.record_id])]
    return out


def _channels(file: _File, group: _Group, cg: _Block, rows: Any) -> list[Channel]:
    blocks = [block for _, block in file.chain(cg.links[1], "CN")]
    made: list[Channel] = []
    master: Any = None
    for cn in blocks:
        if len(cn.data) < 24 or len(cn.links) < 8:
            raise ReadError("damaged: a channel has no head", file.path)
        kind, sync, number_type, bit, byte, bits, flags, invalid = struct.unpack_from("<BBBBIIII", cn.data)
        name = file.text(cn.links[2]) or "channel"
        conversion = file.block(cn.links[4], "CC") if cn.links[4] else None
        unit = file.text(cn.links[6]) or (
            file.text(conversion.links[1]) if conversion and len(conversion.links) > 1 else ""
        )

        def values(
            cn: _Block = cn,
            name: str = name,
            kind: int = kind,
            number_type: int = number_type,
            bit: int = bit,
            byte: int = byte,
            bits: int = bits,
            flags: int = flags,
            invalid: int = invalid,
            conversion: _Block | None = conversion,
        ) -> Float:
            if kind in (3, 6):
                raw: np.ndarray = np.arange(group.cycles, dtype=float)
            else:
                table = rows(group)
                raw = _numbers(table, number_type, byte, bit, bits, group, name, file.path)
            made_of = converted(raw, conversion, name, file.path)
            if flags & 2 and group.extra_bytes and kind not in (3, 6):
                place = group.data_bytes + invalid // 8
                if place >= group.data_bytes + group.extra_bytes:
                    raise ReadError(
                        f"damaged: the invalidation bit of channel {name} lies outside its record", file.path
                    )
                made_of = np.where(rows(group)[:, place] >> (invalid % 8) & 1, np.nan, made_of)
            return made_of

        if kind in (_MASTER, _VIRTUAL_MASTER) and sync in (0, 1):
            master = values
            continue
        if kind in (1, 5) or number_type in _TEXT_TYPES or kind in (_MASTER, _VIRTUAL_MASTER):
            continue  # texts, and masters other than time
        made.append(
            Channel(name, unit, group.cycles, group.number, lambda: np.empty(0), values, file.text(cn.links[7]))
        )
    if master is None:
        return []
    for channel in made:
        channel.time = master
    return made if group.cycles else []


def _numbers(
    table: np.ndarray, kind: int, byte: int, bit: int, bits: int, group: _Group, name: str, path: Path
) -> np.ndarray:
    """Raw numbers of a channel from records of bytes."""
    size = (bit + bits + 7) // 8
    if not 1 <= bits <= 64 or bit > 7 or byte + size > group.data_bytes or kind > 5:
        raise ReadError(
            f"damaged: channel {name} lies outside its record ({bits} bits at byte {byte}, type {kind})", path
        )
    part = np.ascontiguousarray(table[:, byte : byte + size])
    big = kind in (1, 3, 5)
    if kind in (4, 5):
        if bit or bits not in (16, 32, 64):
            raise ReadError(f"damaged: channel {name} is a floating number of {bits} bits", path)
        return part.view(f"{'>' if big else '<'}f{bits // 8}")[:, 0].astype(float)
    if big:
        part = part[:, ::-1]
    if size > 8:
        raise ReadError(f"channel {name} spans nine bytes, which is not read", path)
    wide = np.zeros((len(part), 8), np.uint8)
    wide[:, :size] = part
    number = wide.view("<u8")[:, 0] >> np.uint64(bit)
    if bits < 64:
        number = number & np.uint64((1 << bits) - 1)
    if kind in (2, 3):
        shift = np.int64(64 - bits)
        return (number.view(np.int64) << shift) >> shift
    return number


def converted(raw: np.ndarray, block: _Block | None, name: str, path: Path) -> Float:
    """Physical values: the conversion of a channel on its raw numbers; value-to-text tables leave the numbers."""
    x = np.asarray(raw, float)
    if block is None or len(block.data) < 24:
        return x
    kind, _, _, _, count = struct.unpack_from("<BBHHH", block.data)
    if 24 + 8 * count > len(block.data):
        raise ReadError(f"damaged: the conversion of channel {name} has {count} numbers", path)
    p = np.frombuffer(block.data, "<f8", count, 24)
    with np.errstate(all="ignore"):
        if kind == 1 and count >= 2:
            return p[0] + p[1] * x
        if kind == 2 and count >= 6:
            return (p[0] * x**2 + p[1] * x + p[2]) / (p[3] * x**2 + p[4] * x + p[5])
        if kind in (4, 5) and count >= 2:
            keys, values = p[0 : count - count % 2 : 2], p[1 : count - count % 2 : 2]
            if not (np.diff(keys) > 0.0).all():
                raise ReadError(f"damaged: the table of channel {name} does not rise", path)
            if kind == 4:
                return np.interp(x, keys, values)
            middle = 0.5 * (keys[1:] + keys[:-1])
            return values[np.searchsorted(middle, x, side="right")]
        if kind == 6 and count >= 4:
            low, high, values = p[0:-1:3], p[1:-1:3], p[2:-1:3]
            n = min(len(low), len(high), len(values))
            at = np.searchsorted(low[:n], x, side="right") - 1
            inside = (at >= 0) & (x <= high[np.clip(at, 0, n - 1)])
            return np.where(inside, values[np.clip(at, 0, n - 1)], p[-1])
    if kind in (0, 7, 8, 9, 10, 11):
        return x
    raise ReadError(f"channel {name} is converted by a formula of kind {kind}, which is not read", path)
