"""Slots of the table of sizes and addresses that the exponential engine's compiled functions share.

Sizes are numbers, everything else is the address of a contiguous array owned by the plan. Y block coordinates
(two per block), F force rows and R rows of laws, Z watched values, P prescribed coordinates. A trailing S in a
size is the padded length of a line of a matrix (a multiple of eight, the rest zero), so that lines add up in
full vector registers. Matrices are stored one line per **cause**: what a unit of it does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

# sizes
(
    BLOCKS, Y, YS, FORCES, ROWS, LINES, PHASES, ZS, PRESCRIBED, LAWS, SIGNALS, VARYING, ACTIVE, SPRINGS, COORDINATES,
    REACTIONS, TERMS, COUPLED, INPUTS, RIGID, FREE_RIGID, CHANNELS, CS, LEVELS, DEEPEST, COARSEST, CURVES,
) = range(27)  # fmt: skip
# the model: blocks (4, Y/2), forcing by forces (F, YS), sources (.., YS), deflections (Y, LINES), phases (Y, PHASES),
# watched (Y, ZS)
A, B, STEADY, FORCING, C, CP, Z, ZX, ZV, ZRHO, OWN, ACTIVE_SOURCE = range(27, 39)
# laws: one record each, see below; sizes of a record's fields are in RECORD
LAW, MODES, NEWMODES = range(39, 42)
# signals
VARI, SPTR, SSTART, SCOEF, SSIN, SDT, SPEED, ACCELERATION = range(42, 50)
# rigid motion: psi by y (q, Y), y by psi (q, YS), phi by psi (r, q), phi by prescribed (r, P), what stays (P, P)
PSI_BY, BACK, PHI_BY, HELD, REST, PHI, PHILOW = range(50, 57)
# tables by level: half and full (PROPAGATOR, blocks), response (LOOP F, NODES LINES), of phases (LOOP F, 2 PHASES), left
# out (5, F), weight (F), dense (PROPAGATOR, blocks), channels (F, CS) and rates (F, LINES) by what a force is beside its polynomials,
# forces that a leap of themselves moves at once, and whether there are any (F + 1)
STEP, HALF, FULL, RESPONSE, TURN, LEFT, WEIGHT, DENSE, RESIDUE, SLIP, BRISK = range(57, 68)
# state and scratch; YH has the nodes: the middle and the end, with linear laws two more, SHOTS up to four places within
# the step, then what leaps have left and add
STATE, NEXT, YH, SHOTS, XP, XONE, XMID, VNOW, VONE, BASE, E0, E1, EZ, FREE, FREEP, DD, DP = range(68, 85)
C0, C1, C2, DW, DVW, FW, W, WN, WREST, WEND, FL, ZERO, PSI = range(85, 98)
SIG0, SIG1, SIG2, S, SONE, B0, B1, B2, FS, US, GUARD, CUTS, NOTHING = range(98, 111)
# linear laws: moments (F, MOMENTS), stiffness beside the reference at the end (F), leaps within the step (.., 3)
MOMENT, FEND, LEAP = range(111, 114)
# energy book
BIN, BSIG, BCOEF, RROW, ROF, RBY, RK, RC, RF, RMASS, COF, CWITH, CMASS = range(114, 127)
LAW_WORK, LAW_HEAT, SPRING_HEAT, INPUT_WORK, REACTION = range(127, 132)
# channels
LINE_Y, LINE_F, LINE_S, LINE_X, LINE_PHI, LINE_ONE, LINE_OUT, OUT, COUNT = range(132, 141)
# compiled parts called by address, and their scratch
PRODUCT, PRODUCTS, FILL, PROJECT, GENERAL, CURVED, READ, INNER, REACT, WORK = range(141, 151)
# jumps of prescribed speeds: y by jump (P, Y), impulse by jump (P, P)
KICK, IMPULSE = range(151, 153)
# companion: function, data, samples between calls (0: none), what it sees over Y (3, Y), what it sees
BESIDE, BESIDE_DATA, EVERY, SIGHT, SEEN = range(153, 158)
# what a step's deflection gives: see :func:`exponential_linear.basis`
BASIS = 158
# nodes of the deflection (2, or 4 with linear laws), propagators to the two nodes beside middle and end, levels that are
# filled, steps of the level DEEPEST in a sample interval: one or three
NODES, BESIDES, FILLED, UNITS = range(159, 163)
# largest weighed size that every force of a law has had: what its error is measured by
MET = 163
# signals that bend more than a polynomial of the second degree, and one over what each may miss
BENT, BENT_OF, BENT_BY = range(164, 167)
# forces that jump: room for events (0: nobody asks) and how many there were; of each event time from the start of the call, force,
# both limits
LEAP_ROOM, LEAP_COUNT, LEAPS = range(167, 170)
SLOTS = 170

#: Polynomials of a force that the fixed point follows, all that move the end of a step (one left out, one that corrects the end).
LOOP, ALL = 4, 6
#: Numbers per block of a propagator: alpha and beta of exp(A h), then of Gamma_0 .. Gamma_5.
PROPAGATOR = 2 + 2 * ALL
#: Numbers of a force's moments: five coefficients by six numbers of the deflection, and two to fill the line.
MOMENTS = 32

#: Fields of a law's record: kind, first row, force rows, all rows, first force, addresses of force and guard, of
#: parameters and reference blocks, points, cuts (count and addresses of row, level, period); of a linear law its phase row,
#: pieces (count, address of boundaries), where the cells of every row and piece begin and how many there are, the cells, damping
#: beyond the reference, bounds and number of the piece met last, phases that the moments are for and number of jumps, range
#: of the stiffness, jumps of the step.
(
    KIND, ROW, NF, NROWS, FIRST, FORCE, GUARD_OF, PAR, KREF, CREF, POINTS, CUT, CUTROW, CUTLEVEL, CUTPERIOD, PHASE,
    PIECES, BOUND, PLACE, CELL, DAMP, KNOWN, USED, RANGE, JUMP,
) = range(25)  # fmt: skip
RECORD = 25

#: How a law is integrated: linear with a stiffness over its phase, cut at declared places, walked along its guard.
LINEAR, DECLARED, WALK = 0, 1, 2

#: Numbers in COUNT: steps, passes, rejected steps, largest indicator, time and force row of a failure, leaps of the last step.
COUNTS = 7


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


def eights(n: int) -> int:
    """The next multiple of eight, at least eight."""
    return max(8, (n + 7) // 8 * 8)
