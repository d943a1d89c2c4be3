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
PTR, IDX, VAL, OFF, BASE, ROW, K, C, F0, GPTR, GIDX, GVAL = range(24, 36)
# laws
LADDR, LGUARD, LROW, LNF, LP, LZ, PAR, MODES = range(36, 44)
# signals and inputs
VARI, SPTR, SSTART, SCOEF, SSIN, SDT, ACC0, XI, XU, XV, BI, BU, BV, FIXED = range(44, 58)
# prescribed coordinates: number, signal; row of the mass; column of D; free coordinates that jump along
PRI, PRS, PMP, PMI, PMV, PDP, PDR, PDV, PJP, PJI, PJV, JUMP = range(58, 70)
# rigid motions
U, RHO, PROJECT, PHI, PHILOW = range(70, 75)
# state, stages, error weights
Y, YEND, YSTAGE, YSAMPLE, KS, RS, WEIGHT = range(75, 82)
# guards and monitors
GLAW, G0, GR0, G1, GR1, GCURVE, GLOW, GHIGH, NEXT, TRIGGER, MARGIN = range(82, 93)
# channels and the energy book
LPTR, LIDX, LCOEF, LBASE, STACK, FROW, CHAT, ROW_WORK, ROW_HEAT, INPUT_WORK, REACTION, IMPACT = range(93, 105)
# counters: see COUNTERS; real numbers carried between chunks: step, last error
STATS, CARRY = range(105, 107)
# friction rows and multipliers
FRIC, FNORM, FMU1, FMU2, FCAP, FSIG, FVEL, FSTATE, SMOOTHLIST = range(107, 116)
(
    CROW, CNORM, CPTR, CIDX, CVAL, CBASE, CWEIGHT, CRATE, CRHS, CLAMBDA, CSIGN, CSLIP, CACT, CPOS, CBASIS, CMAT,
    CSHARE, CPIV, CWORK, CCAP, CSCALE, CZERO, CFLAGS, CKEY, CFORCE, CACC,
) = range(116, 142)  # fmt: skip
# moving rows
GADDR, GROW, GCOUNT, GVALUE, GP, GPAR, GAMMA, RESIDUAL, MROW, MPTR, MIDX, MINV, MASK, RESULTANT = range(142, 156)
# compiled functions called by address
EVALUATE, STAGES, SCAN, SETTLE, PROJECT_ROWS = range(156, 161)
SLOTS = 161

#: Names of the counters in STATS.
COUNTERS = ("steps", "rejected", "evaluations", "events", "settles", "fallbacks", "factors", "row")
STEPS, REJECTED, EVALUATIONS, EVENTS, SETTLES, FALLBACKS, FACTORS, BAD_ROW = range(len(COUNTERS))


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

    def bind(self, slot: int, array: Any) -> None:
        """Write the address of an array that someone else owns (the state): valid for this call only."""
        if len(array) == 0:
            array = np.zeros(1, array.dtype)
        if not array.flags.c_contiguous:
            raise ValueError("state arrays must be contiguous")
        self.arrays[slot] = array
        self.slots[slot] = array.ctypes.data
