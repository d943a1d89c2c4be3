"""Where the machine code of a source file is kept: by a hash of the file and of all that it imports from this package."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

from . import native
from .cache import cache_folder

_PACKAGE = Path(__file__).resolve().parent.parent
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
        root = _PACKAGE if match[1] == "gearwright" else path.parents[len(match[1]) - 1]
        base = root.joinpath(*match[2].strip(".").split("."))
        names = re.findall(r"(\w+)(?:\s+as\s+\w+)?", match[3].split("#")[0])
        for stem in (base, *(base / name for name in names)):
            for file in (stem.with_suffix(".py"), stem / "__init__.py"):
                if file.is_file() and file != _PACKAGE / "__init__.py":
                    found.add(file)
    return source, frozenset(found)


def sources(module: Path) -> list[Path]:
    """Files of this package whose change must recompile the functions of ``module``, sorted."""
    reached, waiting = set(), {module, *_MAKERS}
    while waiting:
        reached |= waiting
        waiting = set().union(*(_read(path)[1] for path in waiting)) - reached
    return sorted(reached)


#: what turns any function into machine code
_MAKERS = [
    Path(__file__).resolve().with_name(f"{name}.py") for name in ("build", "cache", "compiled", "native", "simd_types")
]


@cache
def cache_directory(module: Path) -> Path | None:
    """Directory of the compiled code of a source file, below ``$GEARWRIGHT_CACHE_DIR`` or the user's cache (:mod:`.cache`);
    None where nothing can be kept.

    Its name carries a hash of the file and of all that it imports from this package, of the compiler and of this
    processor, so that a change anywhere below recompiles what depends on it, and nothing else.
    """
    digest = hashlib.sha256(native.machine().encode())
    for path in sources(module):
        digest.update(_read(path)[0])
    return cache_folder(native.edition(), f"kernels-{digest.hexdigest()[:16]}")
