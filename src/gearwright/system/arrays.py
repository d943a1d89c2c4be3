"""The flat arrays that compiled code sees: one signature for every model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float

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
    val: Float
    off: Float  # m: d0
    cptr: U4  # n+1
    crow: U4
    cval: Float
    # springs, the last rows: f = k d + c dv - c v0, with k d0 inside d
    k: Float
    c: Float
    f0: Float
    # hard rows
    hard: U4
    rate: I8  # signal of the demanded rate, -1: zero
    compliance: Float
    # friction rows: |f| <= mu |f[normal]| + cap + signal
    fric: U4
    fnorm: I8  # row of the normal force, -1: none
    fmu1: Float
    fmu2: Float
    fcap: Float
    fsig: I8  # signal added to the capacity, -1: none
    fvel: Float  # width of the `smooth` treatment [row rate unit]; 0: set-valued or switched
    fhys: Float  # half-width [W] of the `switch` treatment; 0: none
    ftp: U4  # R+1 offsets into ftab, in points
    ftab: Float  # per point: |rate|, mu1, mu2; no point: fmu1, fmu2 hold
    # laws
    laddr: I8
    lguard: I8  # 0: none
    lrow: U4  # first row of the block
    lnf: U4  # number of force rows
    lns: U4  # number of sense rows
    lp: U4  # L+1 offsets into par
    lz: U4  # L+1 offsets into z
    par: Float
    # moving rows
    gaddr: I8
    grow: U4
    gn: U4
    gp: U4
    gpar: Float
    # inverse mass, CSR over coordinates
    mptr: U4
    midx: U4
    minv: Float
    # inputs: Q[bi] += bv * signal[bu]
    bi: U4
    bu: U4
    bv: Float
    # signals (see signals.pack)
    sptr: U4
    sstart: Float
    scoef: Float
    ssin: Float
    sdt: Float
    # rigid motions: u (r, n) flattened, and the rate of every row per unit rigid motion (r, m) flattened
    u: Float
    rho: Float
    # constant damping of every row, whose heat the energy book tells apart (m)
    chat: Float
    # dissipative speed rows and weights: length scales for tolerances
    qscale: Float  # n: tolerance weight of each coordinate


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
