"""Places in the table of addresses: fields of Layout, Pool, Work in order, signals, the table itself, parts.

Inner functions take this one table instead of ninety arrays, which every call would have to copy.
"""

(
    SIZE, REAL, SIGNAL, SINE_OF, SINE_INPUT, PCOUNT, PPTR, PEDGE, PMUL, POPTIONAL, PPSI, PTHETA, PROW,
    GPHASE, GPTR, GLEVEL, GDAMPING, GOFF, GMUL, GROW, GAUSS, MODES, SPECIAL, BOUNDS, LR, LI, IR, II, ER,
    EI, FR, FI, BR, BI, SAR, SAI, SBR, SBI, TO_STATE, TO_MODES, SIGHT, TR, TI, QR, QI, HKEY, HSLOT, USED, R, T,
    STATE, PSI, MOTION, NUMBER, PIECES, CYCLES, CONTACTS, PBASE, W, BEGUN_AT, ZR, ZI, Z0R, Z0I, HR, HI,
    CR, CI, XR, XI, GR, GI, PR, PI, MR, MI, U, SINES, IPOLY, INTEGRALS, INTEGRALS0, EVENTS, EVENTS0,
    EVENTS1, SCRATCH, SAMPLES, SAMPLE_SLOT, BLOCKS, BLOCK_AT, RECORD, RECORD_SLOT, BESIDE, SIGHT_OF, SEEN,
    LEAP, LEAP_SLOT, LEAP_AT,
    SPTR, SSTART, SCOEF, SSIN, SDT, SELF,
    DO_SPECIAL, DO_INPUTS, DO_BEGIN, DO_VALUES, DO_MOVE, DO_EVENTS, DO_SEARCH, DO_SWITCH, DO_MOMENTS,
    DO_SINES, DO_SAMPLES, DO_BLOCKS, DO_BESIDE,
) = range(116)  # fmt: skip

#: places in ``Work.motion``: time since the start of the call, theta, theta', its origin, slack in time, next piece boundary, jump of
#: the prescribed speed, soonest event, length of the step, where the homogeneous part stands, special mode and its integral
TIME, ANGLE, SPEED, ORIGIN, SLACK, NEXT_PIECE, SPEED_JUMP, SOONEST, LENGTH, REACHED = range(10)
Z_REAL, Z_IMAG, TOTAL_REAL, TOTAL_IMAG = range(12, 16)
#: places in ``Work.number``: next sample, sample to stop at, blocks, visits, key of the combination, events without progress, row of
#: the last event, records, first sample, switches that were kept, whether the last one waits for what comes after it
SAMPLE, STOP, FILLED, VISITS, KEY, STALLED, ROW, RECORDED, FIRST, LEAPS, WAITING = range(11)
#: places in ``Layout.size``
(
    N_STATES,
    N_FREE,
    N_INPUTS,
    N_SINES,
    N_PHASES,
    N_GAPS,
    N_EVENTS,
    N_INTEGRALS,
    THETA_INPUT,
    HASH_MASK,
    N_RECORDS,
    BLOCK_SAMPLES,
    BLOCK_NUMBERS,
) = range(13)
