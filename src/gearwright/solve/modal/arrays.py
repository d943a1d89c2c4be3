"""What the kernels of the exact engine see: flat arrays, and their names."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels.pointers import tabled
from gearwright.kernels.vectors import WIDTH

F8 = NDArray[np.float64]
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
    real: F8  # sample interval, longest step with a gap, longest step near a standstill
    signal: I8  # U: signal behind an input, -1: the constant 1
    sine_of: I8  # U: sine of an input, -1: none
    sine_input: I8  # S: the input that has it
    pcount: I8  # P: pieces per cycle
    pptr: I8  # P: offset into pedge
    pedge: F8
    pmul: I8  # P: weight in the key
    poptional: I8  # P: rows that must all be open for the piece not to matter, 0: it always matters
    ppsi: F8  # (P, q) phase per free rigid motion
    ptheta: F8  # P: phase per unit of theta
    prow: I8  # P: row number, for messages
    gphase: I8  # G: phase of the law, -1: one piece only
    gptr: I8  # G: offset into glevel
    glevel: F8
    gdamping: F8
    goff: F8  # G: offset of the deflection minus the gap
    gmul: I8
    grow: I8
    gauss: F8  # 12 nodes, then 12 weights on [0, 1]


class Pool(NamedTuple):
    """Combinations in slots; every array starts with the slot. Modes: j, inputs: i, see :class:`Combination`."""

    modes: I8  # modes, complex modes, released motions, special modes
    special: I8  # modes integrated by their own formulas
    bounds: F8  # largest |lam|, longest step
    lr: F8
    li: F8
    ir: F8  # 1 / lam, zero for special modes
    ii: F8
    er: F8  # exp(lam interval)
    ei: F8
    fr: F8  # exp(lam interval samples of a block)
    fi: F8
    br: F8  # beta (i, j)
    bi: F8
    sar: F8  # particular solution of a sine: factors of sin and cos (sine, j)
    sai: F8
    sbr: F8
    sbi: F8
    to_state: F8  # V, column major
    to_modes: F8  # W, column major
    sight: F8  # column major, (n, event rows)
    tr: F8  # lift (integral, j)
    ti: F8
    qr: F8  # lift / lam, zero for special modes
    qi: F8
    hkey: I8
    hslot: I8
    used: I8  # visit at which the slot was last used
    R: F8  # accumulated integral of u_i z (i, re then im)
    T: F8  # accumulated integral of u_i theta' (i)


class Work(NamedTuple):
    """State and workspace of a run, and the buffers it fills."""

    state: F8
    psi: F8
    motion: F8  # see :mod:`.places`
    number: I8  # see :mod:`.places`
    pieces: I8
    cycles: I8
    contacts: I8
    pbase: F8  # phase offset minus whole cycles
    w: F8
    begun_at: F8  # w at the begin of the visit
    zr: F8
    zi: F8
    z0r: F8
    z0i: F8
    hr: F8  # homogeneous part at the begin of the step
    hi: F8
    cr: F8  # homogeneous part now
    ci: F8
    xr: F8  # exponentials
    xi: F8
    gr: F8  # 4 powers of the forcing (power, j)
    gi: F8
    pr: F8  # particular solution
    pi: F8
    mr: F8  # moments
    mi: F8
    u: F8  # (U, 4) local polynomials
    sines: F8  # (S, 4): amplitude (0: not active), angular frequency, phase now, start
    ipoly: F8  # (integrals, 5)
    integrals: F8  # value of every integral now
    integrals0: F8
    events: F8
    events0: F8  # at the begin of the step
    events1: F8  # at the last try of the search
    scratch: F8
    samples: F8  # (batch, n + q + 1 + U)
    sample_slot: I8  # -1: the sample is in a block
    blocks: F8  # (blocks, numbers of a block), see :mod:`exact_blocks`
    block_at: I8  # (blocks, 2): first sample, samples
    record: F8  # (records, 2 n)
    record_slot: I8
    beside: I8  # companion: function, data, samples between calls (0: none), sample before which the next one comes
    sight_of: F8  # (3, n) what it sees over x
    seen: F8  # what it sees, then x
    leap: F8  # (records, 2, n + q + 1 + U): as samples, before and after a switch
    leap_slot: I8  # (records, 2)
    leap_at: I8  # records: the sample that it comes before


_SIGNALS = {"sptr": I8, "sstart": F8, "scoef": F8, "ssin": F8, "sdt": F8}
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
