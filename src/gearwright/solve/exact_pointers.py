"""Parts of the exact engine: functions that the loop and each other call by address.

A function that another compiled one calls in the usual way is compiled again inside it; a part is compiled once,
and only if a model needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gearwright.system.compiled import Compiled, caller, intrinsic, signature, types

#: ``(H, slot, number, x) -> number``: H the table of addresses
_PART = signature("word(words, word, word, real)")


def part(function: Callable[..., Any]) -> Compiled:
    """Make a part ``(H, slot, number, x) -> number``."""
    return Compiled(function, _PART)


@intrinsic
def call_part(typingctx, address, H, slot, number, x):  # type: ignore[no-untyped-def]
    """Call a part by its address."""
    return types.int64(address, H, slot, number, x), caller(_PART)
