"""What kind of file it is: by its first bytes where the format has a mark, else by suffix and content.

A file that is mislabelled is read as what it is, or refused with what it seems to be.
"""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

from .openfast_file import described_in
from .record import ReadError, decode, opened

_HEAD = 65536

#: Marks at the first byte, and the reader.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"\x89HDF\r\n\x1a\n", "hdf5"),
    (b"MATLAB 7.3 MAT-file", "mat73"),
    (b"MATLAB 5.0 MAT-file", "mat"),
    (b"CDF\x01", "netcdf"),
    (b"CDF\x02", "netcdf"),
    (b"CDF\x05", "netcdf"),
    (b"MDF     ", "mdf"),
    (b"UnFinMF ", "mdf"),
    (b"TDSm", "tdms"),
    (b"PAR1", "parquet"),
)

#: Marks of what is never read, and why.
_REFUSED: tuple[tuple[bytes, str], ...] = (
    (b"\x93NUMPY", "is a NumPy file, which has no names and no units; write a table (.csv, .parquet) instead"),
    (b"PK\x03\x04", "is a ZIP archive (a workbook, an FMU or NumPy arrays), not a record; unpack it, or save a .csv"),
    (b"\x1f\x9d", "is packed by compress; unpack it"),
    (b"BZh", "is packed by bzip2; unpack it"),
    (b"\xfd7zXZ", "is packed by xz; unpack it"),
    (b"%PDF", "is a PDF document"),
)

#: Suffixes of formats without a mark.
_SUFFIXES = {
    ".outb": "openfast_binary", ".out": "openfast_text", ".sel": "hawc2", ".int": "flex", ".res": "flex", ".bts": "bts",
    ".bin": "mann", ".wnd": "hub_wind", ".hh": "hub_wind", ".pwr": "hawcstab2", ".lin": "openfast_linear",
    ".fst": "openfast_input", ".mat": "mat", ".csv": "delimited", ".tsv": "delimited", ".txt": "text", ".asc": "text", ".lvm": "delimited",
    ".uff": "uff", ".unv": "uff", ".u": "mann", ".v": "mann", ".w": "mann", ".hdf5": "hdf5", ".h5": "hdf5",
    ".nc": "hdf5", ".mf4": "mdf", ".mdf": "mdf", ".dat": "dat", ".tdms": "tdms", ".parquet": "parquet", ".ipt": "dat", ".in": "dat",
}  # fmt: skip

_UNIVERSAL = re.compile(rb"\s{0,5}-1[ \t]*\r?\n[ \t]*\d+b?\b")
_BLADED = re.compile(r"\.[$%]\d+$")


def suffix_of(path: Path) -> str:
    """Suffix in lower case, the one below where the file is gzipped."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return suffixes[-2] if len(suffixes) > 1 and suffixes[-1] == ".gz" else (suffixes or [""])[-1]


def head_of(path: Path, size: int = _HEAD) -> bytes:
    """First bytes of a file, unpacked where it is named ``.gz``."""
    with opened(path) as file:
        if path.suffix.lower() != ".gz":
            return file.read(size)
        try:
            with gzip.open(file) as unpacked:
                return unpacked.read(size)
        except (OSError, EOFError, zlib.error):
            return b""  # the reader says what is wrong


def _is_text(head: bytes) -> bool:
    """Whether the first bytes are text: no zeros, but in UTF-16."""
    return b"\0" not in head or head[:2] in (b"\xff\xfe", b"\xfe\xff")


def recognise(path: Path) -> str:
    """Name of the reader for a file.

    Raises
    ------
    ReadError : no such file; a kind that is not read, and which are
    """
    suffix = suffix_of(path)
    head = head_of(path)
    for mark, kind in _MARKS:
        if head.startswith(mark):
            return kind
    for mark, why in _REFUSED:
        if head.startswith(mark):
            raise ReadError(why, path)
    if suffix in (".rexs", ".rexsj", ".rexsz") or re.match(rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>)?\s*<model\s", head):
        raise ReadError("is a REXS gearbox model: gearwright rexs makes a drivetrain file of it", path)
    if head.startswith(b"\x1f\x8b") and path.suffix.lower() != ".gz":
        raise ReadError("is gzipped, but its name does not end with .gz; rename or unpack it", path)
    if re.match(rb"\x80[\x02-\x05](\x95|[\x00-\xff]?[c(}\]])", head) or suffix in (".pkl", ".pickle"):
        raise ReadError("is a pickle, which can run any program when it is read; pickles are never read", path)
    if _UNIVERSAL.match(head) and (suffix in (".uff", ".unv") or b"\n" in head[:200]):
        return "uff"
    if _BLADED.search(path.name.lower()):
        return "bladed"
    kind = _SUFFIXES.get(suffix, "")
    text = _is_text(head)
    if kind == "openfast_text" and not text:
        return "openfast_binary"
    if kind == "openfast_binary" and text and openfast_header(decode(head)):
        return "openfast_text"
    if kind == "dat":
        return _dat(path, head, text)
    if kind in ("text", "delimited") and text:
        return _text(head)
    if kind == "hub_wind" and not text:
        raise ReadError("is a binary wind file (full field); readable are TurbSim .bts and Mann boxes", path)
    if kind:
        return "delimited" if kind == "text" else kind
    if text and head.strip():
        found = _text(head)
        if found != "delimited":
            return found
    known = ", ".join(sorted({*_SUFFIXES, ".$nn/.%nn"}))
    raise ReadError(f"unknown kind of file {suffix!r}; readable are {known} (text and .outb also with .gz)", path)


def openfast_header(text: str) -> bool:
    """Whether there is a line of names that starts with Time above one of units."""
    lines = text.splitlines()
    return any(
        line.split()[:1] and line.split()[0].strip('"').lower() == "time" and below.lstrip(' \t"')[:1] in ("(", "[")
        for line, below in zip(lines[:200], lines[1:201], strict=False)
    )


def _dat(path: Path, head: bytes, text: bool) -> str:
    """A ``.dat`` file: HAWC2 or BHAWC with its ``.sel`` beside it, an input file of OpenFAST, MDF, or a table."""
    if sibling(path, ".sel") is not None:
        return "hawc2"
    if not text:
        raise ReadError(
            "is a binary .dat file without a .sel file of the same name beside it, which says what its channels are",
            path,
        )
    found = _text(head)
    return "openfast_input" if found == "delimited" and _is_input(decode(head)) else found


def _is_input(text: str) -> bool:
    """Whether a text has lines of ``value  Name  - description``, as the input files of OpenFAST and of its controllers have."""
    lines = text.splitlines()[:200]
    signed = sum(described_in(line, plain=False) is not None for line in lines)
    if lines and lines[0].startswith("---"):
        return signed >= 1 or sum(described_in(line) is not None for line in lines[2:]) >= 5
    return signed >= 2


def _text(head: bytes) -> str:
    """Kind of a text file by its first lines."""
    text = decode(head)
    first = next((line for line in text.splitlines() if line.strip()), "")
    if first.startswith("LabVIEW Measurement"):
        return "lvm"
    if first.startswith("Linearized model:") or "Order of continuous states:" in text:
        return "openfast_linear"
    if "TurbSim" in first and "Time Series" in first:
        return "turbsim_series"
    if re.search(r"^#\s*Pitch angle vector", text, re.MULTILINE | re.IGNORECASE):
        return "rotor_table"
    if openfast_header(text) and not first.strip().lower().startswith(("time", '"time')):
        return "openfast_text"
    if _is_input(text):
        return "openfast_input"
    return "delimited"


def sibling(path: Path, suffix: str) -> Path | None:
    """A file of the same stem with another suffix, in whatever case; None if there is none."""
    for spelled in (suffix, suffix.upper(), suffix.lower()):
        other = path.with_suffix(spelled)
        if other.is_file():
            return other
    return None
