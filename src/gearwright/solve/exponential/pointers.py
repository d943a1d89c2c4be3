"""Compiled parts of the exponential engine that call each other by address.

A function that is inlined into five others is optimised five times. The parts below are compiled once, each on
its own, and called through their addresses in the table, which costs as much as any call.
"""

from __future__ import annotations

from gearwright.kernels import by_address

#: a matrix product ``(out, base, matrix, n, x, lines)``
multiplier, call_product = by_address("nothing(reals, reals, reals, word, reals, word)")
#: several at a time ``(out, ostride, base, matrix, width, n, x, xstride, lines, count)``
multipliers, call_products = by_address("nothing(reals, word, reals, reals, word, word, reals, word, word, word)")
#: the tables of one step length ``(H, slot, h)``
filler, call_fill = by_address("nothing(words, word, real)")
#: the force polynomials of all laws ``(H, t, h) -> force that fails or -1``
projector, call_project = by_address("word(words, real, real)")
#: those of one law that needs calls ``(H, law, t, h) -> force that fails or -1``
general, call_general = by_address("word(words, word, real, real)")
#: the moments of one linear law whose stiffness varies within the step ``(H, law, h)``
liner, call_curved = by_address("nothing(words, word, real)")
#: samples inside a step ``(H, place, power, t, h)``
sampler, call_inner = by_address("nothing(words, word, word, real, real)")
#: work over one step ``(H, h)``
bookkeeper, call_book = by_address("nothing(words, real)")
#: the signals at a time ``(H, t, side, s)``
reader, call_signals = by_address("nothing(words, real, real, reals)")
