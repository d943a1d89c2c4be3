"""Compiled functions as object files, so that a C program can link them.

A law or a part of the engine is compiled once more by the same compiler that serves native runs, its machine code
written for any processor of the family, with every name but its own made private. Files are kept in the cache of
compiled code, by the hash of what they were made from.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import carray, types

from gearwright.solve import explicit_table as T
from gearwright.solve.explicit_kernels import advance
from gearwright.system.compiled import Compiled, cache_directory

_REALS, _WORDS = types.CPointer(types.float64), types.CPointer(types.int64)
_SLOTS = T.SLOTS
# without the cache of the kernel of the same name, which counts references
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
_kernel: Any = advance
_advance: Any = numba.njit(**_OPTIONS)(_kernel.py_func)


def _loop(table, start, count, interval, lines, reached):  # type: ignore[no-untyped-def]
    """The loop of the explicit engine with pointers; no landings: inputs are continuous within a step."""
    status, t = _advance(carray(table, _SLOTS), start, count, interval, carray(lines, 0), carray(lines, count))
    reached[0] = t
    return status


#: ``(table, start, count, interval, lines, reached) -> status``
LOOP = Compiled(_loop, types.int64(_WORDS, types.float64, types.int64, types.float64, _REALS, _REALS))


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
    kept: Path | None = None
    if source.is_file():
        module = Path(__file__) if function is LOOP else source
        kept = cache_directory(module) / f"{symbol(function)}.o"
        if kept.is_file():
            return kept.read_bytes()
    code = _emit(function)
    if kept is not None:
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(code)
        os.replace(part, kept)
    return code


def _emit(function: Compiled) -> bytes:
    import llvmlite.binding as llvm

    compiled: Any = numba.cfunc(function.signature, error_model="numpy")(function.python)
    own, wanted = compiled._wrapper_name, symbol(function)
    text = str(compiled._library._final_module).replace(own, wanted)
    module = llvm.parse_assembly(text)
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.name != wanted:
            item.linkage = "internal"
    triple = llvm.get_process_triple()
    # any processor of the last fifteen years, not this one alone
    processor = "x86-64-v2" if triple.startswith("x86_64") else ""
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=processor, opt=3, reloc="pic", codemodel="default"
    )
    return bytes(machine.emit_object(module))
