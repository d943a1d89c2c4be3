"""Slots of the table of sizes and addresses that the exponential engine's compiled functions share.

Sizes are numbers, everything else is the address of a contiguous array owned by the plan. Y block coordinates
(two per block), F force rows and R rows of laws, Z watched values, P prescribed coordinates. A trailing S in a
size is the padded length of a line of a matrix (a multiple of four, the rest zero), so that lines add up in
full vector registers. Matrices are stored one line per **cause**: what a unit of it does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

# sizes
(
    BLOCKS, Y, YS, FORCES, ROWS, RS, ZS, PRESCRIBED, LAWS, SIGNALS, VARYING, ACTIVE, SPRINGS, COORDINATES, REACTIONS,
    TERMS, COUPLED, INPUTS, RIGID, FREE_RIGID, CHANNELS, CS, LEVELS, DEEPEST, COARSEST, RECORD_FREE,
) = range(26)  # fmt: skip
# the model: blocks (4 Y/2), forcing by forces (F, YS), sources (.., YS), deflections (Y, RS), watched (Y, ZS)
A, B, STEADY, FORCING, C, Z, ZX, ZV, ZRHO, OWN, ACTIVE_SOURCE = range(26, 37)
# laws: one record each, see below; sizes of a record's fields are in RECORD
LAW, MODES, NEWMODES = range(37, 40)
# signals
VARI, SPTR, SSTART, SCOEF, SSIN, SDT, SPEED, ACCELERATION = range(40, 48)
# rigid motion: psi by y (q, Y), y by psi (q, YS), phi by psi (r, q), phi by prescribed (r, P), what stays (P, P)
PSI_BY, BACK, PHI_BY, HELD, REST, PHI, PHILOW = range(48, 55)
# tables by level: half and full (8, blocks), response (3 F, 2 RS), third (2, F), weight (F), dense (8, blocks)
STEP, HALF, FULL, RESPONSE, THIRD, WEIGHT, DENSE = range(55, 62)
# state and scratch
STATE, NEXT, YH, YF, XP, XONE, XMID, VNOW, VONE, BASE, E0, E1, EZ, FREE, DD = range(62, 77)
C0, C1, C2, DW, DVW, FW, W, WN, W3, WEND, FL, ZERO, PSI = range(77, 90)
SIG0, SIG1, SIG2, S, SONE, B0, B1, B2, F0, F1, F2, GUARD, CUTS, NOTHING = range(90, 104)
# energy book
BIN, BSIG, BCOEF, RROW, ROF, RBY, RK, RC, RF, RMASS, COF, CWITH, CMASS = range(104, 117)
LAW_WORK, LAW_HEAT, SPRING_HEAT, INPUT_WORK, REACTION = range(117, 122)
# channels
LINE_Y, LINE_F, LINE_S, LINE_X, LINE_PHI, LINE_ONE, OUT, COUNT = range(122, 130)
# compiled parts called by address, and their scratch
PRODUCT, FILL, PROJECT, GENERAL, READ, INNER, REACT, WORK = range(130, 138)
# jumps of prescribed speeds: y by jump (P, Y), impulse by jump (P, P)
KICK, IMPULSE = range(138, 140)
# companion: function, data, samples between calls (0: none), what it sees over Y (3, Y), what it sees
BESIDE, BESIDE_DATA, EVERY, SIGHT, SEEN = range(140, 145)
SLOTS = 145

#: Fields of a law's record: kind, first row, force rows, all rows, first force, addresses of force and guard, of
#: parameters and reference blocks, points, cuts (count and addresses of row, level, period), pieces of a linear law
#: (count, addresses of boundaries, stiffness (rows, pieces), damping beyond the reference, bounds and number of the
#: piece met last).
(
    KIND, ROW, NF, NROWS, FIRST, FORCE, GUARD_OF, PAR, KREF, CREF, POINTS, CUT, CUTROW, CUTLEVEL, CUTPERIOD, PIECES,
    BOUND, STIFF, DAMP, KNOWN,
) = range(20)  # fmt: skip
RECORD = 20

#: How a law is integrated: linear in phase pieces (closed form), cut at declared places, walked along its guard.
LINEAR, DECLARED, WALK = 0, 1, 2

#: Numbers in COUNT: steps, passes, rejected steps, largest indicator, time and force row of a failure.
COUNTS = 6


@dataclass
class Table:
    """The table and the arrays whose addresses it holds."""

    slots: NDArray[np.int64] = field(default_factory=lambda: np.zeros(SLOTS, np.int64))
    arrays: dict[int, Any] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)

    def size(self, slot: int, value: int) -> None:
        """Write a size."""
        self.slots[slot] = value

    def put(self, slot: int, values: Any, dtype: Any = np.float64) -> Any:
        """Keep an array (contiguous, never empty) and write its address; returns the array kept."""
        array = self.keep(values, dtype)
        self.arrays[slot] = array
        self.slots[slot] = array.ctypes.data
        return array

    def keep(self, values: Any, dtype: Any = np.float64) -> Any:
        """A contiguous, non-empty flat copy that lives as long as the table."""
        array = np.array(values, dtype).ravel()
        if len(array) == 0:
            array = np.zeros(1, dtype)
        self.kept.append(array)
        return array

    def bind(self, slot: int, array: Any) -> None:
        """Write the address of an array that someone else owns: valid while that one lives."""
        self.arrays[slot] = array if len(array) else np.zeros(1, array.dtype)
        self.slots[slot] = self.arrays[slot].ctypes.data


def padded(matrix: Any, width: int) -> Any:
    """Lines of a matrix filled up with zeros to ``width``."""
    matrix = np.atleast_2d(np.asarray(matrix, float))
    out = np.zeros((matrix.shape[0], width))
    out[:, : matrix.shape[1]] = matrix
    return out


def fours(n: int) -> int:
    """The next multiple of four, at least four."""
    return max(4, (n + 3) // 4 * 4)
