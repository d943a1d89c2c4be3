"""Parts of the exact engine: functions that the loop and each other call by address.

A function that another compiled one calls in the usual way is compiled again inside it; a part is compiled once,
and only if a model needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types

from gearwright.system.compiled import Compiled

from .explicit_pointers import intrinsic

_WORD, _REAL = types.int64, types.float64
#: ``(H, slot, number, x) -> number``: H the table of addresses
_PART = _WORD(types.CPointer(_WORD), _WORD, _WORD, _REAL)


def part(function: Callable[..., Any]) -> Compiled:
    """Make a part ``(H, slot, number, x) -> number``."""
    return Compiled(function, _PART)


@intrinsic
def call_part(typingctx, address, H, slot, number, x):  # type: ignore[no-untyped-def]
    """Call a part by its address."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        wanted = _PART.args
        kind = ir.FunctionType(
            context.get_value_type(_PART.return_type), [context.get_value_type(a) for a in wanted]
        ).as_pointer()
        function = builder.inttoptr(args[0], kind)
        values = [
            context.cast(builder, a, have, want) for a, have, want in zip(args[1:], sig.args[1:], wanted, strict=True)
        ]
        return builder.call(function, values)

    return _WORD(_WORD, H, slot, number, x), codegen
