"""Arrays over memory that a compiled function knows by address: numba returns no such array from a function."""

from __future__ import annotations

from typing import Any

from .compiled import build, intrinsic, types

#: words of an array in a table of arrays: address, shape (at most three)
WORDS = 4


def _viewed(kind: Any, table: Any, number: Any) -> Any:
    signature = kind(table, number)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        def read(entry: int) -> Any:
            first = builder.mul(args[1], context.get_constant(types.int64, WORDS))
            return builder.load(builder.gep(args[0], [builder.add(first, context.get_constant(types.int64, entry))]))

        shape = [read(1 + i) for i in range(kind.ndim)]
        strides = [context.get_constant(types.intp, 8)]
        for length in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length))
        data = builder.inttoptr(read(0), context.get_value_type(types.CPointer(kind.dtype)))
        return build.array_at(context, builder, kind, data, shape, strides)

    return signature, codegen


@intrinsic
def line(typingctx, table, number):  # type: ignore[no-untyped-def]
    """An array of numbers: entry ``number`` of a table of arrays, WORDS words each."""
    return _viewed(types.Array(types.float64, 1, "C"), table, types.int64)


@intrinsic
def plane(typingctx, table, number):  # type: ignore[no-untyped-def]
    """A table of numbers, likewise."""
    return _viewed(types.Array(types.float64, 2, "C"), table, types.int64)


@intrinsic
def whole(typingctx, table, number):  # type: ignore[no-untyped-def]
    """An array of integers, likewise."""
    return _viewed(types.Array(types.int64, 1, "C"), table, types.int64)


@intrinsic
def array(typingctx, pointer, entries):  # type: ignore[no-untyped-def]
    """A one-dimensional array at a pointer."""
    kind = types.Array(pointer.dtype, 1, "C")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = context.cast(builder, args[1], sig.args[1], types.intp)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(pointer.dtype)))
        return build.array_at(context, builder, kind, args[0], [number], [size])

    return kind(pointer, entries), codegen
