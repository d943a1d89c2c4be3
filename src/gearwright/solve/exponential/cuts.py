"""Places of a step at which a quadratic crosses levels."""

from __future__ import annotations

from math import sqrt

from gearwright.kernels import hot
from gearwright.kernels.places import whole_of
from gearwright.kernels.pointers import f8, noinline

from . import slots as T

#: Pieces of one law within one step.
PIECES = 24


@hot
def cut_places(H, p0, p1, p2, period, count):  # type: ignore[no-untyped-def]
    """Add the places in [0, 1) where the quadratic crosses zero (or multiples of the period) to the sorted cuts."""
    noinline()
    x = f8(H[T.CUTS])
    low = min(p0, p0 + p1 + p2)
    high = max(p0, p0 + p1 + p2)
    if p2 != 0.0:
        turn = -0.5 * p1 / p2
        if 0.0 < turn < 1.0:
            extreme = p0 + turn * (p1 + turn * p2)
            low, high = min(low, extreme), max(high, extreme)
    first, last = 0, 0
    if period > 0.0:
        first = whole_of(low / period) + 1
        # each of these is crossed: more of them than pieces are too many, whatever their number
        last = min(whole_of(high / period), first + 2 * PIECES)
    elif not low < 0.0 < high:
        return count
    for k in range(first, last + 1):
        q = p0 - k * period
        discriminant = p1 * p1 - 4.0 * p2 * q
        if discriminant < 0.0:
            continue
        root = -0.5 * (p1 + (sqrt(discriminant) if p1 >= 0.0 else -sqrt(discriminant)))
        for which in range(2):
            if (which == 0 and root == 0.0) or (which == 1 and p2 == 0.0):
                continue
            place = q / root if which == 0 else root / p2
            # one at the very start counts: rounding may have left the start on the other side
            if -1e-9 < place < 1.0 and count < PIECES:
                place = max(place, 0.0)
                i = count
                while i > 0 and x[i - 1] > place:
                    x[i] = x[i - 1]
                    i -= 1
                x[i] = place
                count += 1
    return count
