"""A companion: compiled code beside an engine, called at the begin of every so many sample intervals.

It sees three sums over the positions and speeds of the train at that instant and may rewrite the pieces of signals, which
hold until it is called again: that is how a turbine with its machine and control goes along with an engine that steps the
drivetrain, in one compiled loop. Samples at that instant are taken before the call.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.kernels import Compiled, by_address

#: the function of a companion ``(data, t, watched)``, the first and the last of them pointers
beside, call_beside = by_address("nothing(words, real, reals)")


@dataclass(frozen=True)
class Companion:
    """Code and what it sees.

    Attributes
    ----------
    function : of :func:`beside`
    data : words that it gets, to be kept alive and in place
    every : sample intervals between calls
    position, speed : (3, coordinates) the sums over elastic deviations and speeds
    force_row : row whose force adds to the last sum, -1: none (explicit engine only)
    """

    function: Compiled
    data: NDArray[np.int64]
    every: int
    position: Float
    speed: Float
    force_row: int = -1
