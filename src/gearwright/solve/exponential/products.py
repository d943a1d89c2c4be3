"""Products of matrices and vectors in registers: where the exponential engine spends its time.

A matrix has one line of ``n`` numbers (a multiple of eight) per entry of the vector. The sums stay in registers while the
lines go by; with several vectors at a time a line is read once for all of them.
"""

from __future__ import annotations

from gearwright.kernels.panels import four_middle, four_narrow, middle, narrow, two_middle, two_narrow, wide
from gearwright.kernels.pointers import shift

from .pointers import multiplier, multipliers


@multiplier
def product(out, base, matrix, n, x, lines):  # type: ignore[no-untyped-def]
    """``out = base + x A`` for lines of ``n`` numbers."""
    i = 0
    while i + 32 <= n:
        wide(shift(out, i), 0, shift(base, i), shift(matrix, i), n, x, 0, lines)
        i += 32
    if i + 16 <= n:
        middle(shift(out, i), 0, shift(base, i), shift(matrix, i), n, x, 0, lines)
        i += 16
    if i < n:
        narrow(shift(out, i), 0, shift(base, i), shift(matrix, i), n, x, 0, lines)


@multipliers
def products(out, ostride, base, matrix, width, n, x, xstride, lines, count):  # type: ignore[no-untyped-def]
    """The same for ``count`` vectors ``xstride`` apart, results ``ostride`` apart; only ``width`` numbers of every line."""
    r = 0
    while r < count:
        o, u = shift(out, r * ostride), shift(x, r * xstride)
        i = 0
        if r + 4 <= count:
            while i + 16 <= width:
                four_middle(shift(o, i), ostride, shift(base, i), shift(matrix, i), n, u, xstride, lines)
                i += 16
            if i < width:
                four_narrow(shift(o, i), ostride, shift(base, i), shift(matrix, i), n, u, xstride, lines)
            r += 4
        elif r + 2 <= count:
            while i + 16 <= width:
                two_middle(shift(o, i), ostride, shift(base, i), shift(matrix, i), n, u, xstride, lines)
                i += 16
            if i < width:
                two_narrow(shift(o, i), ostride, shift(base, i), shift(matrix, i), n, u, xstride, lines)
            r += 2
        else:
            while i + 16 <= width:
                middle(shift(o, i), 0, shift(base, i), shift(matrix, i), n, u, 0, lines)
                i += 16
            if i < width:
                narrow(shift(o, i), 0, shift(base, i), shift(matrix, i), n, u, 0, lines)
            r += 1
