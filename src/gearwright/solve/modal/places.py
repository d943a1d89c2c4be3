"""Places in three arrays of the exact engine."""

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
