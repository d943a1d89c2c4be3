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
from typing import Any

from gearwright.parts import whole
from gearwright.solve import explicit_table as T
from gearwright.solve.explicit_kernels import advance
from gearwright.system.compiled import Compiled, cache_directory, intrinsic, signature, types

_SLOTS = T.SLOTS


@intrinsic
def _array(typingctx, pointer, entries):  # type: ignore[no-untyped-def]
    """A one-dimensional array at a pointer."""
    kind = types.Array(pointer.dtype, 1, "C")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        from gearwright.system.compiler import array_at

        number = context.cast(builder, args[1], sig.args[1], types.intp)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(pointer.dtype)))
        return array_at(context, builder, kind, args[0], [number], [size])

    return kind(pointer, entries), codegen


def _loop(table, start, count, interval, lines, reached):  # type: ignore[no-untyped-def]
    """The loop of the explicit engine with pointers; no landings: inputs are continuous within a step."""
    status, t = advance(_array(table, _SLOTS), start, count, interval, _array(lines, 0), _array(lines, count))
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
    from gearwright.system.compiler import function_module, portable_code

    return portable_code(function_module(function, symbol(function)))
