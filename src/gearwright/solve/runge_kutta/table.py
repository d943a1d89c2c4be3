"""Slots of the table of sizes and addresses that the explicit engine's compiled functions share.

Sizes are numbers, everything else is the address of a contiguous array owned by the plan. Names follow
:class:`gearwright.system.Arrays`; n coordinates, m rows, y = 2 n + states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

# sizes
(
    N, M, L, NS, NZ, NY, NR, FIRST_SPRING, SPRINGS, VARYING, DRIVEN, FORCES, INPUTS, PRESCRIBED, RIGID, GUARDED,
    MONITORS, CHANNELS, SMOOTH, FRICTIONS, HARD, CANDIDATES, MOVING, MOVED,
) = range(24)  # fmt: skip
# rows
PTR, IDX, VAL, OFF, BASE, ROW, K, C, F0 = range(24, 33)
# laws
LADDR, LGUARD, LROW, LP, LZ, PAR, MODES = range(36, 43)
# signals and inputs
VARI, SPTR, SSTART, SCOEF, SSIN, SDT, ACC0, XI, XU, XV, BI, BU, BV, FIXED = range(43, 57)
# prescribed coordinates: number, signal; row of the mass; column of D; free coordinates that jump along
PRI, PRS, PMP, PMI, PMV, PDP, PDR, PDV, PJP, PJI, PJV, JUMP = range(57, 69)
# rigid motions
U, RHO, PROJECTION, PHI, PHILOW = range(69, 74)
# state, stages, error weights
Y, YEND, YSTAGE, YSAMPLE, KS, RS, WEIGHT = range(74, 81)
# guards and monitors
GLAW, G0, GR0, G1, GR1, GCURVE, GLOW, GHIGH, NEXT, TRIGGER, MARGIN = range(81, 92)
# channels (tiles over a stack, see LINE_GROUPS) and the energy book
LINE_ORDER, LINE_COLUMNS, LINE_VALUES, LBASE, STACK, FROW, CHAT, ROW_WORK, ROW_HEAT, INPUT_WORK, REACTION, IMPACT = (
    range(92, 104)
)
# counters: see COUNTERS; real numbers carried between chunks: step, log of the last error,
# tolerance, largest step, fastest rate, scale of errors, usual step
STATS, CARRY = range(104, 106)
# friction rows
FRIC, FNORM, FMU1, FMU2, FCAP, FSIG, FVEL, FSTATE, SMOOTHLIST = range(106, 115)
# candidates of multipliers (hard rows, then friction rows): see multipliers.py
(
    CROW, CNORM, CVAL, CBASE, CWEIGHT, CRATE, CRHS, CSIGN, CSLIP, CACT, CBASIS, CMAT, CSHARE, CPIV, CWORK, CNOISE,
    CSTIFF, CZERO, CFLAGS, CKEY, CFORCE, CNEAR,
) = range(115, 137)  # fmt: skip
# moving rows, and the inverse mass for rows whose coefficients change
GADDR, GROW, GP, GPAR, GAMMA, RESIDUAL, MROW, MPTR, MIDX, MINV, MASK, RESULTANT = range(137, 149)
# compiled functions called by address
EVALUATE, STAGES, MARGINS, SETTLE, PROJECT = range(149, 154)
# friction rows: kind, hysteresis, tables of coefficients; those with a force of their own (size, list)
FKIND, FHYS, FTP, FTAB, OWNS, OWNLIST = range(154, 160)
# candidates are rows CFIRST to CEND; rows that demand a rate; maps of a pattern: see multipliers.py
CFIRST, CEND, DEMANDS, CINVERSE, CFROM, CONTO, CFORCES = range(160, 167)
# tiles (see explicit_tiles.py) of the rows and of the accelerations: number of groups, order, sizes, columns, values; order
# and sums of the accelerations; rows whose forces do no work; first damped row; rates of the last rows;
# laws that foresee where they bend
(
    ROW_GROUPS, ROW_ORDER, ROW_SIZES, ROW_COLUMNS, ROW_VALUES, ACC_GROUPS, ACC_ORDER, ACC_SIZES, ACC_COLUMNS, ACC_VALUES,
    ACC_PLACE, ACC_BASE, ACC_SUMS, IDLE, IDLE_ROWS, FIRST_DAMPED, SPILL,
    AHEADS, AHEAD_LAW, AHEAD_ADDR,
) = range(167, 187)  # fmt: skip
# companion: function, data, samples between calls (0: none), what it sees over q and v (3, 2 N), row of a force, what it sees
BESIDE, BESIDE_DATA, EVERY, SIGHT, FORCE_SEEN, SEEN = range(187, 193)
# laws alone (number, list); groups of laws together (number; address, address of what foresees, first parameter, blocks of
# each; its blocks, their rows, states and parameters, eight each; parameters in columns); whether rows that report are wanted
ALONE, ALONE_LAWS, TOGETHERS, TOGETHER, TOGETHER_PLACES, TOGETHER_PAR, REPORTS = range(193, 200)
# tiles of the channels: number of groups, sizes, room for the last of them and zeros
LINE_GROUPS, LINE_SIZES, LINE_ROOM = range(200, 203)
# the method: evaluations of a step, whether steps are drawn through their ends, stages (-1: the first) and weights of the
# energy book (an even number)
PER_STEP, ENDS, BOOKED, BOOK_SLOTS, BOOK_WEIGHTS = range(203, 208)
# errors of loads, by row: weight, largest load met, what makes loads of different rows comparable (zero: not weighed), errors
LOAD_WEIGHT, LOADS, WIDTH, MISS = range(208, 212)
# forces that may jump: room for events (0: nobody asks) and how many there were; rows (number, list); of each event the sample
# that it comes before, forces before and after it
LEAP_ROOM, LEAP_COUNT, LEAP_MANY, LEAP_ROWS, LEAP_AT, LEAP_FORCES = range(212, 218)
# ends of sudden steps: room (0: nobody asks) and how many there were; of each the sample that it comes before, and all channels
END_ROOM, END_COUNT, END_AT, END_LINES = range(218, 222)
SLOTS = 222

#: Kinds of friction rows: set-valued, smooth, switched.
STICK, SMOOTHED, SWITCHED = 0, 1, 2

#: Names of the counters in STATS.
COUNTERS = ("steps", "rejected", "evaluations", "events", "settles", "fallbacks", "factors", "unsettled", "row")
STEPS, REJECTED, EVALUATIONS, EVENTS, SETTLES, FALLBACKS, FACTORS, UNSETTLED, BAD_ROW = range(len(COUNTERS))


@dataclass
class Table:
    """The table and the arrays whose addresses it holds."""

    slots: NDArray[np.int64] = field(default_factory=lambda: np.zeros(SLOTS, np.int64))
    arrays: dict[int, Any] = field(default_factory=dict)

    def size(self, slot: int, value: int) -> None:
        """Write a size."""
        self.slots[slot] = value

    def put(self, slot: int, values: Any, dtype: Any = np.float64) -> Any:
        """Keep an array (contiguous, never empty) and write its address; returns the array kept."""
        array = np.ascontiguousarray(values, dtype).ravel()
        if len(array) == 0:
            array = np.zeros(1, dtype)
        self.arrays[slot] = array
        self.slots[slot] = array.ctypes.data
        return array

    def put_lines(self, slot: int, values: Any) -> None:
        """Keep a copy of real numbers that begins where a line of the cache does: where they begin would otherwise decide,
        from run to run, how fast vectors of eight are read."""
        flat = np.asarray(values, np.float64).ravel()
        room = np.zeros(len(flat) + 15)
        ahead = (-room.ctypes.data % 64) // 8
        kept = room[ahead : ahead + len(flat) + 8]
        kept[: len(flat)] = flat
        self.arrays[slot] = kept
        self.slots[slot] = kept.ctypes.data

    def bind(self, slot: int, array: Any) -> None:
        """Write the address of an array that someone else owns (the state): valid for this call only."""
        if len(array) == 0:
            array = np.zeros(1, array.dtype)
        if not array.flags.c_contiguous:
            raise ValueError("state arrays must be contiguous")
        self.arrays[slot] = array
        self.slots[slot] = array.ctypes.data
