"""What the kernels of the exact engine see: flat arrays, and their names."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.kernels.pointers import tabled
from gearwright.kernels.vectors import WIDTH

I8 = NDArray[np.int64]

# results of one call of the kernel
DONE, UNKNOWN, FULL, STUCK, NOT_FINITE, JUMPED = 0, 1, 2, 3, 4, 5

#: Samples of a block: long enough that modes cost nothing, short enough for inputs that bend every few samples.
BLOCK = WIDTH // 2
#: Least number of samples in a step for which a block is worth its product, which forms all of them.
LEAST = BLOCK // 2


class Layout(NamedTuple):
    """Constants of a plan: sizes, inputs, phases and gaps.

    n states, q free rigid motions, U inputs, S sines, P phase rows, G gap rows. Event rows per combination:
    value and rate of every phase, then deflection and rate of every gap row.
    """

    size: I8  # see :mod:`.places`
    real: Float  # sample interval, longest step with a gap, longest step near a standstill
    signal: I8  # U: signal behind an input, -1: the constant 1
    sine_of: I8  # U: sine of an input, -1: none
    sine_input: I8  # S: the input that has it
    pcount: I8  # P: pieces per cycle
    pptr: I8  # P: offset into pedge
    pedge: Float
    pmul: I8  # P: weight in the key
    poptional: I8  # P: rows that must all be open for the piece not to matter, 0: it always matters
    ppsi: Float  # (P, q) phase per free rigid motion
    ptheta: Float  # P: phase per unit of theta
    prow: I8  # P: row number, for messages
    gphase: I8  # G: phase of the law, -1: one piece only
    gptr: I8  # G: offset into glevel
    glevel: Float
    gdamping: Float
    goff: Float  # G: offset of the deflection minus the gap
    gmul: I8
    grow: I8
    gauss: Float  # 12 nodes, then 12 weights on [0, 1]


class Pool(NamedTuple):
    """Combinations in slots; every array starts with the slot. Modes: j, inputs: i, see :class:`Combination`."""

    modes: I8  # modes, complex modes, released motions, special modes
    special: I8  # modes integrated by their own formulas
    bounds: Float  # largest |lam|, longest step
    lr: Float
    li: Float
    ir: Float  # 1 / lam, zero for special modes
    ii: Float
    er: Float  # exp(lam interval)
    ei: Float
    fr: Float  # exp(lam interval samples of a block)
    fi: Float
    br: Float  # beta (i, j)
    bi: Float
    sar: Float  # particular solution of a sine: factors of sin and cos (sine, j)
    sai: Float
    sbr: Float
    sbi: Float
    to_state: Float  # V, column major
    to_modes: Float  # W, column major
    sight: Float  # column major, (n, event rows)
    tr: Float  # lift (integral, j)
    ti: Float
    qr: Float  # lift / lam, zero for special modes
    qi: Float
    hkey: I8
    hslot: I8
    used: I8  # visit at which the slot was last used
    R: Float  # accumulated integral of u_i z (i, re then im)
    T: Float  # accumulated integral of u_i theta' (i)


class Work(NamedTuple):
    """State and workspace of a run, and the buffers it fills."""

    state: Float
    psi: Float
    motion: Float  # see :mod:`.places`
    number: I8  # see :mod:`.places`
    pieces: I8
    cycles: I8
    contacts: I8
    pbase: Float  # phase offset minus whole cycles
    w: Float
    begun_at: Float  # w at the begin of the visit
    zr: Float
    zi: Float
    z0r: Float
    z0i: Float
    hr: Float  # homogeneous part at the begin of the step
    hi: Float
    cr: Float  # homogeneous part now
    ci: Float
    xr: Float  # exponentials
    xi: Float
    gr: Float  # 4 powers of the forcing (power, j)
    gi: Float
    pr: Float  # particular solution
    pi: Float
    mr: Float  # moments
    mi: Float
    u: Float  # (U, 4) local polynomials
    sines: Float  # (S, 4): amplitude (0: not active), angular frequency, phase now, start
    ipoly: Float  # (integrals, 5)
    integrals: Float  # value of every integral now
    integrals0: Float
    events: Float
    events0: Float  # at the begin of the step
    events1: Float  # at the last try of the search
    scratch: Float
    samples: Float  # (batch, n + q + 1 + U)
    sample_slot: I8  # -1: the sample is in a block
    blocks: Float  # (blocks, numbers of a block), see :mod:`exact_blocks`
    block_at: I8  # (blocks, 2): first sample, samples
    record: Float  # (records, 2 n)
    record_slot: I8
    beside: I8  # companion: function, data, samples between calls (0: none), sample before which the next one comes
    sight_of: Float  # (3, n) what it sees over x
    seen: Float  # what it sees, then x
    leap: Float  # (records, 2, n + q + 1 + U): as samples, before and after a switch
    leap_slot: I8  # (records, 2)
    leap_at: I8  # records: the sample that it comes before


_SIGNALS = {"sptr": I8, "sstart": Float, "scoef": Float, "ssin": Float, "sdt": Float}
_KINDS = get_type_hints(Layout) | get_type_hints(Pool) | get_type_hints(Work) | _SIGNALS
#: names of the parts of the engine in the order of their addresses
PARTS = (
    "special", "inputs", "begin", "values", "move", "events", "search", "switch", "moments", "sines", "samples", "blocks", "beside",
)  # fmt: skip
#: all arrays by their names, and the addresses of the parts as ``do_`` and their names, from the table of :func:`addresses`
arrays = tabled(
    {name: "words" if kind == I8 else "reals" for name, kind in _KINDS.items()}
    | {f"do_{name}": "word" for name in PARTS}
)


def addresses(layout: Layout, pool: Pool, work: Work, signals: tuple[NDArray[Any], ...]) -> I8:
    """Table of the addresses of all arrays and, last, of the parts (zero: not compiled yet).

    ``signals`` are (sptr as int64, sstart, scoef, ssin, sdt). The arrays must live as long as the table is used.
    """
    table = np.zeros(len(_KINDS) + len(PARTS), np.int64)
    table[: len(_KINDS)] = [a.ctypes.data for a in chain(layout, pool, work, signals)]
    return table
