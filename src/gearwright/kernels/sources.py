"""Where the machine code of a source file is kept: by a hash of the file and of all that it imports from this package."""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from pathlib import Path

from . import native
from .cache import cache_folder

PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^from[ ]+(gearwright|\.+)([\w.]*)[ ]+import[ ]+(\([^)]*\)|.+)$", re.MULTILINE)


@cache
def _read(path: Path) -> tuple[bytes, frozenset[Path]]:
    """Source of a module and the files of this package that it imports when it is itself imported.

    Only imports at the left margin count: a compiled function sees nothing but globals of its module, so what
    is imported inside a function or for type checkers cannot end up in machine code.
    """
    source = path.read_bytes()
    found = set()
    for match in _IMPORT.finditer(source.decode()):
        root = PACKAGE if match[1] == "gearwright" else path.parents[len(match[1]) - 1]
        base = root.joinpath(*match[2].strip(".").split("."))
        names = re.findall(r"(\w+)(?:\s+as\s+\w+)?", match[3].split("#")[0])
        for stem in (base, *(base / name for name in names)):
            for file in (stem.with_suffix(".py"), stem / "__init__.py"):
                if file.is_file() and file != PACKAGE / "__init__.py":
                    found.add(file)
    return source, frozenset(found)


def sources(module: Path) -> list[Path]:
    """Files of this package whose change must recompile the functions of ``module``, sorted."""
    reached, waiting = set(), {module, *MAKERS}
    while waiting:
        reached |= waiting
        waiting = set().union(*(_read(path)[1] for path in waiting)) - reached
    return sorted(reached)


#: what turns any function into machine code
MAKERS = [
    Path(__file__).resolve().with_name(f"{name}.py") for name in ("build", "cache", "compiled", "native", "simd_types")
]


#: what a wheel brings: object files for the processors of a family, made by ``make wheel``
SHIPPED = Path(__file__).with_name("objects")


@cache
def cache_directory(module: Path) -> Path | None:
    """Directory of the compiled code of a source file, below ``$GEARWRIGHT_CACHE_DIR`` or the user's cache (:mod:`.cache`);
    None where nothing can be kept.

    Its name carries a hash of the file and of all that it imports from this package, of the compiler and of this
    processor, so that a change anywhere below recompiles what depends on it, and nothing else. Where
    ``$GEARWRIGHT_OBJECTS`` names a folder, code is made there as a wheel carries it.
    """
    wheel, family = os.environ.get("GEARWRIGHT_OBJECTS"), native.family()
    if wheel and family:
        folder = Path(wheel) / family / _digest(module, family)
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    return cache_folder(native.edition(), f"kernels-{_digest(module, native.machine())}")


@cache
def shipped_directory(module: Path) -> Path | None:
    """Directory of the compiled code of a source file that came with the package; None where there is none for this
    processor, or the source is another one."""
    family = native.family()
    if family is None or not (SHIPPED / family).is_dir():
        return None
    folder = SHIPPED / family / _digest(module, family)
    return folder if folder.is_dir() else None


@cache
def own_directory() -> Path | None:
    """Directory of the compiled code of functions outside this package; None where nothing can be kept."""
    return cache_folder(native.edition(), f"kernels-own-{_digest(MAKERS[0], native.machine())}")


@cache
def source_digest(module: Path) -> str:
    """Hash of a source file of this package and of all that it imports from it."""
    return _digest(module, "")


def _digest(module: Path, machine: str) -> str:
    digest = hashlib.sha256(machine.encode())
    for path in sources(module):
        digest.update(_read(path)[0])
    return digest.hexdigest()[:16]
