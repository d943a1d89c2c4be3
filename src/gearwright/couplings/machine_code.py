"""Compiled functions as object files, so that a C program can link them.

A law or a part of the engine is compiled once more by the same compiler that serves native runs, its machine code
written for any processor of the family, with every name but its own made private. Files are kept in the cache of
compiled code, by the hash of what they were made from.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

from gearwright.kernels import Compiled, signature
from gearwright.kernels.compiled import build
from gearwright.kernels.sources import cache_directory
from gearwright.kernels.views import array
from gearwright.parts import whole
from gearwright.solve.runge_kutta import table as T
from gearwright.solve.runge_kutta.kernels import advance

_SLOTS = T.SLOTS


def _loop(table, start, count, interval, lines, reached):  # type: ignore[no-untyped-def]
    """The loop of the explicit engine with pointers; no landings: inputs are continuous within a step."""
    status, t = advance(array(table, _SLOTS), start, count, interval, array(lines, 0), array(lines, count))
    reached[0] = t
    return status


#: ``(table, start, count, interval, lines, reached) -> status``
LOOP = Compiled(_loop, signature("word(words, real, word, real, reals, reals)"))


def symbol(function: Compiled) -> str:
    """Name of a function in C."""
    if function is LOOP:
        return "gw_loop"
    where = f"{function.python.__module__}.{function.python.__qualname__}"
    return f"gw_{function.__name__.strip('_')}_{hashlib.sha256(where.encode()).hexdigest()[:8]}"


@cache
def object_code(function: Compiled) -> bytes:
    """The function as an object file for this kind of machine."""
    source = Path(function.python.__code__.co_filename)
    folder = cache_directory(Path(__file__) if function is LOOP else source) if source.is_file() else None
    kept = None if folder is None else folder / f"{symbol(function)}.o"
    if kept is not None and kept.is_file():
        return kept.read_bytes()
    code = _emit(function)
    if kept is not None:
        with suppress(OSError), whole(kept) as part:  # a cache that cannot be written costs time, not the export
            part.write_bytes(code)
    return code


def _emit(function: Compiled) -> bytes:
    return build.portable_code(build.function_module(function, symbol(function)))
