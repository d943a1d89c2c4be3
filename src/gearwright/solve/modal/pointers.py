"""Parts of the exact engine: functions that the loop and each other call by address.

A function that another compiled one calls in the usual way is compiled again inside it; a part is compiled once,
and only if a model needs it.
"""

from __future__ import annotations

from gearwright.kernels import by_address

#: a part ``(H, slot, number, x) -> number``: H the table of addresses
part, call_part = by_address("word(words, word, word, real)")
