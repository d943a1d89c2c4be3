"""From a real number to a place in a table: the one way in compiled code.

Machine code does not check an index, and what a real number becomes that fits no integer (not-a-number, infinity, 1e300) is
left open by the processor: a table read there ends the process. So every compiled function that looks something up by a
value of the motion takes the place from here. A number that is a parameter (a count, an offset) is written by us as a
whole one and may be converted as it is.
"""

from __future__ import annotations

import numpy as np

from .compiled import hot

#: whole numbers of turns or cycles that are told apart: beyond, a real number says no more where in a cycle it is
MOST = 2.0**46


@hot
def within_cells(x, cells):  # type: ignore[no-untyped-def]
    """``x`` held between 0 and the last of ``cells`` cells, as a real number; 0 for what is no number."""
    last = cells - 1.0
    x = x if x > 0.0 else 0.0
    return x if x < last else last


@hot
def cell_of(x, cells):  # type: ignore[no-untyped-def]
    """Number of the cell (0 to ``cells - 1``) that ``x`` lies in, the nearest for what lies outside; 0 for what is no number."""
    return int(within_cells(x, cells))


@hot
def whole_of(x):  # type: ignore[no-untyped-def]
    """Largest whole number that is not above ``x``, held within ``MOST`` both ways; ``-MOST`` for what is no number."""
    x = np.floor(x)
    x = x if x > -MOST else -MOST
    return int(x if x < MOST else MOST)
