"""Laws that a system has many times over, eight blocks to a call: meshes, bearings with clearance, weights.

Eight blocks have one call, one look at each formula and no branches of their own; see :mod:`gearwright.kernels.simd`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gearwright.kernels import hot
from gearwright.kernels.law_functions import call_foreseer, call_together, law_force
from gearwright.kernels.pointers import f8, i8, shift
from gearwright.system import System

from . import table as T

#: blocks to a call, and how few are not worth one
WIDE, LEAST = 8, 2


def groups(system: System) -> list[list[int]]:
    """Numbers of the blocks that are evaluated together, up to eight each."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for block, law in enumerate(system.laws):
        if law.together is not None:
            alike.setdefault((law.together, law.rows, len(law.states)), []).append(block)
    found = [blocks[i : i + WIDE] for blocks in alike.values() for i in range(0, len(blocks), WIDE)]
    return [group for group in found if len(group) >= LEAST]


def fill_together(table: T.Table, system: System) -> None:
    """Write the groups, the laws that stay alone, and those of them that foresee where they bend."""
    a, found = system.arrays, groups(system)
    joined = {block for group in found for block in group}
    alone = [block for block in range(system.shape.laws) if block not in joined]
    foresee = [(block, law.ahead.address) for block in alone if (law := system.laws[block]).ahead is not None]
    i8 = np.int64
    table.size(T.ALONE, len(alone))
    table.put(T.ALONE_LAWS, alone, i8)
    table.size(T.AHEADS, len(foresee))
    table.put(T.AHEAD_LAW, [block for block, _ in foresee], i8)
    table.put(T.AHEAD_ADDR, [address for _, address in foresee], i8)
    table.size(T.TOGETHERS, len(found))
    records: list[int] = []
    places: list[int] = []
    parameters: list[Any] = []
    for group in found:
        law = system.laws[group[0]]
        assert law.together is not None
        whole = [*group, *[group[0]] * (WIDE - len(group))]  # the first once more: it writes the same
        foresees = law.together[1].address if len(law.together) > 1 else 0
        records += [law.together[0].address, foresees, sum(len(p) for p in parameters), len(group)]
        places += [int(x) for each in (range(len(a.lrow)), a.lrow, a.lz, a.lp) for x in np.asarray(each)[whole]]
        parameters.append(np.array([system.laws[b].parameters[: law.columns] for b in whole]).T.ravel())
    table.put(T.TOGETHER, records, i8)
    table.put(T.TOGETHER_PLACES, places, i8)
    table.put_lines(T.TOGETHER_PAR, np.concatenate([*parameters, np.zeros(0)]))


@hot
def force_of(H, j, row, state, t, d, dv, z, s, f, zd):  # type: ignore[no-untyped-def]
    """Force of law ``j``, whose rows and states begin at ``row`` and ``state``."""
    address, lp, par, modes = i8(H[T.LADDR]), i8(H[T.LP]), f8(H[T.PAR]), i8(H[T.MODES])
    d_, dv_, p_, z_ = shift(d, row), shift(dv, row), shift(par, lp[j]), shift(z, state)
    law_force(address[j], t, d_, dv_, p_, z_, s, modes[j], shift(f, row), shift(zd, state))


@hot
def forces_together(H, t, d, dv, z, s, f, zd):  # type: ignore[no-untyped-def]
    """Forces of all laws that are evaluated together; what a call leaves goes to the laws themselves."""
    record, places, par = i8(H[T.TOGETHER]), i8(H[T.TOGETHER_PLACES]), f8(H[T.TOGETHER_PAR])
    for g in range(H[T.TOGETHERS]):
        whole = shift(places, 32 * g)
        rows, states, first = shift(whole, 8), shift(whole, 16), shift(whole, 24)
        p = shift(par, record[4 * g + 2])
        left = call_together(record[4 * g], rows, states, first, t, d, dv, p, f8(H[T.PAR]), f, zd, H[T.REPORTS])
        if left != 0:
            for i in range(record[4 * g + 3]):
                if (left >> i) & 1:
                    force_of(H, whole[i], rows[i], states[i], t, d, dv, z, s, f, zd)


@hot
def foresee_together(H, d, dv, least):  # type: ignore[no-untyped-def]
    """Time to the first bend of the laws that are evaluated together, later than ``least``."""
    record, places, par = i8(H[T.TOGETHER]), i8(H[T.TOGETHER_PLACES]), f8(H[T.TOGETHER_PAR])
    first = np.inf
    for g in range(H[T.TOGETHERS]):
        rows = shift(places, 32 * g + 8)
        if record[4 * g + 1] != 0:
            first = min(first, call_foreseer(record[4 * g + 1], rows, least, d, dv, shift(par, record[4 * g + 2])))
    return first
