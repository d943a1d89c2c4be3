"""Pointers for compiled loops: why their inner functions see addresses instead of arrays.

A compiled function that takes thirty arrays receives seven words for each of them at every call, and all of them are types to
be inferred and code to be optimised. A loop with many arrays therefore keeps their addresses in one table of integers and its
inner functions take that table; a pointer is one word, and a part of an array is a pointer moved by some entries. Whoever
fills the table owns the arrays and outlives every call.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any

from .compiled import build, intrinsic, ir, types


def _as_pointer(target: Any) -> Any:
    signature = target(types.int64)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(target))

    return signature, codegen


@intrinsic
def f8(typingctx, address):  # type: ignore[no-untyped-def]
    """Pointer to double precision numbers at an address."""
    return _as_pointer(types.CPointer(types.float64))


@intrinsic
def i8(typingctx, address):  # type: ignore[no-untyped-def]
    """Pointer to 64-bit integers at an address."""
    return _as_pointer(types.CPointer(types.int64))


def tabled(kinds: Mapping[str, str]) -> Any:
    """An instruction ``(table)``: a table of words as a named tuple. A word is a number (``word``) or the address of real
    numbers (``reals``) or of words (``words``), as in :func:`~gearwright.kernels.compiled.signature`."""
    named = namedtuple("Tabled", list(kinds))  # type: ignore[misc]

    def definition(typingctx, table):  # type: ignore[no-untyped-def]
        fields = [build.c_type(kind) for kind in kinds.values()]

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            found = []
            for i, field in enumerate(fields):
                word = builder.load(builder.gep(args[0], [context.get_constant(types.intp, i)]))
                found.append(word if field == types.int64 else builder.inttoptr(word, context.get_value_type(field)))
            return context.make_tuple(builder, sig.return_type, found)

        return types.NamedTuple(fields, named)(table), codegen

    return intrinsic(definition)


@intrinsic
def shift(typingctx, pointer, entries):  # type: ignore[no-untyped-def]
    """The pointer moved by a number of entries."""
    signature = pointer(pointer, entries)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        offset = context.cast(builder, args[1], sig.args[1], types.intp)
        return builder.gep(args[0], [offset])

    return signature, codegen


@intrinsic
def noinline(typingctx):  # type: ignore[no-untyped-def]
    """Keep the function that contains this from being inlined: loops that call it compile faster (LLVM: noinline)."""
    signature = types.void()

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def noalias(typingctx):  # type: ignore[no-untyped-def]
    """Promise that what the function writes through one pointer it reaches through no other: its loops need no checks."""
    signature = types.void()

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        for argument in builder.function.args[2:]:  # place of the result and of an error come first
            if isinstance(argument.type, ir.PointerType):
                argument.add_attribute("noalias")
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def always_inline(typingctx):  # type: ignore[no-untyped-def]
    """Have the function that contains this inlined wherever it is called: for small ones that a law calls per pair."""
    signature = types.void()

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.function.attributes.add("alwaysinline")
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def bits_of(typingctx, value):  # type: ignore[no-untyped-def]
    """The bits of a double precision number as an integer."""

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), codegen


@intrinsic
def number_of(typingctx, value):  # type: ignore[no-untyped-def]
    """The double precision number of some bits."""

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), codegen
