"""Slots of the table of sizes and addresses that the compiled loop reads: every field of :class:`.arrays.Arrays`,
:class:`.arrays.Place`, :class:`.arrays.Work` and of the samples has one, in their order; an array by its address, a number as itself."""

from __future__ import annotations

#: of the mechanism (:class:`Arrays`)
(
    MASS, INVERSE, GRAVITY, KIND, BODY, LOCAL, PAR, RIGID, PAIRS, FIRST, SHIFT, STABILISE, LOAD_BODY, LOAD_TABLE,
    LOAD_GLOBAL, LOAD_VECTOR, LOAD_POINT, LOAD_SLOPE, TIMES, VALUES, ANGLES, FOLLOW, COUPLE, COUPLE_VALUE, LAW, LAW_PAR,
    SIGNAL_TABLE, PRESSED,
) = range(28)  # fmt: skip
#: of the state (:class:`Place`)
R, P, V, LAST, STATES = range(28, 33)
#: of the workspace (:class:`Work`)
(
    STAGE_R, STAGE_P, STAGE_V, MATRIX, SPIN, PHI, JAC, GAMMA, RATE, PSI, Q, ACC, LAM, S, REST, MOVE, SLOPE, D, DV, F,
    NONE, STAGE_STATES, CHANGE, STATE_SLOPE, SIGNAL, PRESS,
) = range(33, 59)  # fmt: skip
#: samples: position, Euler parameters, speeds, accelerations, multipliers; largest errors, work of all forces, largest kinetic energy
OUT_R, OUT_P, OUT_V, OUT_ACC, OUT_LAM, WORST = range(59, 65)
#: sizes, and functions by address
(BODIES, ROWS, PAIR_COUNT, LOADS, FOLLOWS, COUPLES, LAWS, STATE_COUNT, SIGNALS, PRESSES, SEE, FACTORISE, RESPOND) = (
    range(65, 78)
)
SIZE = 78
