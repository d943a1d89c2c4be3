"""The flat arrays that compiled code sees: one signature for every model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

F8 = NDArray[np.float64]
U4 = NDArray[np.uint32]
I8 = NDArray[np.int64]


class Arrays(NamedTuple):
    """A system as 1-D arrays.

    n velocities, m rows, L laws, H hard rows, R friction rows, S springs, B inputs, G moving blocks.
    Row order: blocks of laws (each: force rows, then its sense rows), hard rows, friction rows, springs, so
    that each act is one contiguous loop. Equations::

        M dv/dt = Q(t) - D^T f       dq/dt = v       dz/dt = g       d = D q + off       dv = D v

    ``f > 0`` resists positive deflection. Sense rows have no entry in the column form.
    """

    # rows, by row and (force rows only) by column
    ptr: U4  # m+1
    idx: U4
    val: F8
    off: F8  # m: d0
    cptr: U4  # n+1
    crow: U4
    cval: F8
    # springs, the last rows: f = k d + c dv - c v0, with k d0 inside d
    k: F8
    c: F8
    f0: F8
    # hard rows
    hard: U4
    rate: I8  # signal of the demanded rate, -1: zero
    compliance: F8
    # friction rows: |f| <= mu |f[normal]| + cap + signal
    fric: U4
    fnorm: I8  # row of the normal force, -1: none
    fmu1: F8
    fmu2: F8
    fcap: F8
    fsig: I8  # signal added to the capacity, -1: none
    fvel: F8  # width of the `smooth` treatment [row rate unit]; 0: set-valued or switched
    fhys: F8  # half-width [W] of the `switch` treatment; 0: none
    ftp: U4  # R+1 offsets into ftab, in points
    ftab: F8  # per point: |rate|, mu1, mu2; no point: fmu1, fmu2 hold
    # laws
    laddr: I8
    lguard: I8  # 0: none
    lrow: U4  # first row of the block
    lnf: U4  # number of force rows
    lns: U4  # number of sense rows
    lp: U4  # L+1 offsets into par
    lz: U4  # L+1 offsets into z
    par: F8
    # moving rows
    gaddr: I8
    grow: U4
    gn: U4
    gp: U4
    gpar: F8
    # inverse mass, CSR over coordinates
    mptr: U4
    midx: U4
    minv: F8
    # inputs: Q[bi] += bv * signal[bu]
    bi: U4
    bu: U4
    bv: F8
    # signals (see signals.pack)
    sptr: U4
    sstart: F8
    scoef: F8
    ssin: F8
    sdt: F8
    # rigid motions: u (r, n) flattened, and the rate of every row per unit rigid motion (r, m) flattened
    u: F8
    rho: F8
    # constant damping of every row, whose heat the energy book tells apart (m)
    chat: F8
    # dissipative speed rows and weights: length scales for tolerances
    qscale: F8  # n: tolerance weight of each coordinate


class Shape(NamedTuple):
    """Sizes that go with :class:`Arrays`."""

    coordinates: int
    rows: int
    laws: int
    hard: int
    friction: int
    springs: int
    states: int
    signals: int
    inputs: int
    rigid: int
