"""Mesh whose force is a table over phase and deflection: load dependent, continuous, without events.

    drive flank   F = T(x, d - e),                     coast flank   F = T(length - x - shift, d' + e - j)
    force         max(0, F + c d'  min(1, F/F_o))      with backlash j; without it the coast flank's force is the drive row's, negative

``T`` is the quadratic spline of :class:`gearwright.stiffness.mesh_table.MeshTable`, ``e`` a transmission error on top
(``sum a sin(2 pi order x + phi)``), ``F_o`` a fiftieth of the reference load: damping sets in with the contact and never
pulls. Teeth that differ each have the table of one pair with what their flanks stand out (which closes gaps on the drive flank
and opens them on the coast flank) and, where cracked, the part of the stiffness that is left. The elastic force is the
derivative of a potential ``V(x, d)``; that ``V`` changes with the phase is the parametric work of the energy book.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import force, fused, guard
from gearwright.kernels.law_functions import together
from gearwright.kernels.places import cell_of, whole_of
from gearwright.kernels.pointers import always_inline, shift
from gearwright.kernels.simd import bits, choose, fours, mixed, put_each, read_anew, rows, size, whole, within
from gearwright.stiffness.mesh_table import REACH, MeshTable
from gearwright.system import Law

# Parameters: force rows, damping, backlash, 1/F_o, where excitations begin, their number; scale of the deflection, cells over u,
# cells, columns, places per cycle, length and phase of the path on the coast flank, phase of this part of the face, where the
# tables of drive and coast flank begin, first and last travel of one pair, where the data of pairs begin (0: all alike),
# after how many they repeat, one over that, how far a pair stands out at most on the drive and at least on the coast flank, where for
# every cell over the deflection stands between which travels a pair carries
(
    ROWS,
    DAMPING,
    BACKLASH,
    ONSET,
    EXCITED,
    EXCITATIONS,
    SCALE,
    PER_U,
    CELLS,
    COLUMNS,
    PHASES,
    SPAN,
    COAST,
    SHIFT,
    DRIVE_TABLE,
    COAST_TABLE,
    FIRST,
    LAST,
    DATA,
    PAIRS,
    PER_PAIRS,
    FARTHEST,
    NEAREST,
    RANGES,
) = range(24)
COUNT = 24
#: part of the reference load below which damping has not fully set in
SETS_IN = 0.02
#: phase [cycles] beyond which a mesh is not-a-number
FAR = 1e12


@fused
def table_force(p, table, y, d):  # type: ignore[no-untyped-def]
    """Spline of a table at ``y`` cells over the phase and a deflection above zero [N]."""
    always_inline()
    scale = p[SCALE]
    most = REACH * scale
    held = d if d < most else most
    v = held / (held + scale) * p[PER_U]
    i = cell_of(np.floor(v), p[CELLS])
    v -= i
    j = cell_of(np.floor(y), p[COLUMNS] - 2.0)
    y -= j
    q = int(p[COLUMNS])
    o = int(p[table]) + q * i + j
    a, b = 0.5 * (1.0 - y) * (1.0 - y), 0.5 * y * y
    m = 1.0 - a - b
    low = a * p[o] + m * p[o + 1] + b * p[o + 2]
    o += q
    mid = a * p[o] + m * p[o + 1] + b * p[o + 2]
    o += q
    top = a * p[o] + m * p[o + 1] + b * p[o + 2]
    a, b = 0.5 * (1.0 - v) * (1.0 - v), 0.5 * v * v
    total = a * low + (1.0 - a - b) * mid + b * top
    if d > most:
        total += (d - most) * (top - mid) * p[PER_U] / (scale * (1.0 + REACH) * (1.0 + REACH))
    return total


@fused
def alike(p, coast, phase, d):  # type: ignore[no-untyped-def]
    """Elastic force of a flank whose teeth are alike [N]."""
    always_inline()
    if d <= 0.0:
        return 0.0
    x = phase + p[SHIFT]
    if coast:
        x = p[SPAN] - x - p[COAST]
    return table_force(p, COAST_TABLE if coast else DRIVE_TABLE, (x - np.floor(x)) * p[PHASES], d)


def _flank(p, coast, phase, d):  # type: ignore[no-untyped-def]
    """Elastic force of a flank [N], pair by pair where teeth differ."""
    data = int(p[DATA])
    if data == 0:
        return alike(p, coast, phase, d)
    if d + (-p[NEAREST] if coast else p[FARTHEST]) <= 0.0:
        return 0.0
    x = phase + p[SHIFT]
    if coast:
        x += p[COAST]
    if not abs(x) < FAR:
        return np.nan
    first, last = p[FIRST], p[LAST]
    if coast:
        first, last = p[SPAN] - last, p[SPAN] - first
    n = np.ceil(x - last)
    total = 0.0
    for _ in range(whole_of(np.floor(x - first) - n) + 1):
        o = data + 4 * cell_of(n - p[PAIRS] * np.floor((n + 0.5) * p[PER_PAIRS]), p[PAIRS])
        at = d - p[o + 2] if coast else d + p[o]
        if at > 0.0:
            travel = p[SPAN] - (x - n) if coast else x - n
            y = (travel - p[FIRST]) * p[PHASES]
            total += p[o + (3 if coast else 1)] * table_force(p, COAST_TABLE if coast else DRIVE_TABLE, y, at)
        n += 1.0
    return total


flank = fused(_flank)


@force
def mesh_by_table_force(t, d, dv, p, z, s, mode, f, zd):  # type: ignore[no-untyped-def]
    """Parameters as numbered above; senses: mesh phase, then the turns that excitations count."""
    always_inline()
    rows = int(p[ROWS])
    error, error_rate = 0.0, 0.0
    o = int(p[EXCITED])
    for _ in range(int(p[EXCITATIONS])):
        sense = rows + int(p[o])
        w = 2.0 * math.pi * p[o + 1]
        error += p[o + 2] * math.sin(w * d[sense] + p[o + 3])
        error_rate += p[o + 2] * w * math.cos(w * d[sense] + p[o + 3]) * dv[sense]
        o += 4
    phase, x, rate = d[rows], d[0] - error, dv[0] - error_rate
    if rows == 1:
        f[0] = flank(p, False, phase, x) - flank(p, True, phase, -x) + p[DAMPING] * rate
        return
    c, onset = p[DAMPING], p[ONSET]
    elastic = flank(p, False, phase, x)
    f[0] = max(elastic + c * min(1.0, elastic * onset) * rate, 0.0)
    elastic = flank(p, True, phase, d[1] + error - p[BACKLASH])
    f[1] = max(elastic + c * min(1.0, elastic * onset) * (dv[1] + error_rate), 0.0)


@guard
def mesh_by_table_opens(t, d, dv, p, z, s, mode, g):  # type: ignore[no-untyped-def]
    """Distance of the flanks to contact [m]; where teeth differ, of the tooth that stands out farthest."""
    rows = int(p[ROWS])
    error = 0.0
    o = int(p[EXCITED])
    for _ in range(int(p[EXCITATIONS])):
        error += p[o + 2] * math.sin(2.0 * math.pi * p[o + 1] * d[rows + int(p[o])] + p[o + 3])
        o += 4
    g[0] = error - d[0] - p[FARTHEST]
    if rows == 2:
        g[1] = p[BACKLASH] - error - d[1] + p[NEAREST]
    return mode


# --- eight meshes at once: the same sums without branches; nearly half of what a planar gearbox costs is this ------------


@fused
def table_of_eight(p, every, first, table, y, d):  # type: ignore[no-untyped-def]
    """:func:`gearwright.laws.mesh_by_table.table_force` of eight deflections within their tables."""
    always_inline()
    v = d / (d + p[SCALE]) * p[PER_U]
    i, j = within(whole(v), p[CELLS]), within(whole(y), p[COLUMNS] - 2.0)
    v -= i
    y -= j
    a, b = 0.5 * (1.0 - v) * (1.0 - v), 0.5 * v * v
    low, mid, top, _ = mixed(every, first, p[table] + p[COLUMNS] * i + j, p[COLUMNS], a, 1.0 - a - b, b)
    a, b = 0.5 * (1.0 - y) * (1.0 - y), 0.5 * y * y
    return a * low + (1.0 - a - b) * mid + b * top


@fused
def alike_of_eight(p, every, first, coast, phase, d):  # type: ignore[no-untyped-def]
    """Elastic force of eight flanks whose teeth are alike, and which of them lie beyond their tables."""
    always_inline()
    x = phase + p[SHIFT]
    if coast:
        x = p[SPAN] - x - p[COAST]
    held = choose(d > 0.0, d, 0.0)
    y = (x - whole(x)) * p[PHASES]
    force = table_of_eight(p, every, first, COAST_TABLE if coast else DRIVE_TABLE, y, held)
    return choose(d > 0.0, force, 0.0), d > REACH * p[SCALE]


@fused
def pair_of_eight(p, every, first, coast, x, n, d, near):  # type: ignore[no-untyped-def]
    """Elastic force of pair ``n`` of eight flanks at the places ``x``, and which of them touch beyond their tables."""
    always_inline()
    number = within(n - p[PAIRS] * whole((n + 0.5) * p[PER_PAIRS]), p[PAIRS])
    out, left, out_coast, left_coast = fours(every, first, p[DATA] + 4.0 * number)
    at = d + out
    if coast:
        at, left = d - out_coast, left_coast
    touches = near & (at > 0.0)
    travel = p[SPAN] - (x - n) if coast else x - n
    y, held = (travel - p[FIRST]) * p[PHASES], choose(touches, at, 0.0)
    force = left * table_of_eight(p, every, first, COAST_TABLE if coast else DRIVE_TABLE, y, held)
    return choose(touches, force, 0.0), touches & (at > REACH * p[SCALE])


@fused
def pairs_of_eight(p, every, first, coast, phase, d):  # type: ignore[no-untyped-def]
    """As :func:`alike_of_eight`, pair by pair where teeth differ."""
    always_inline()
    x = phase + p[SHIFT]
    if coast:
        x += p[COAST]
    nearest = d - p[NEAREST] if coast else d + p[FARTHEST]
    near = (nearest > 0.0) & (size(x) < FAR)
    held = choose(near, nearest, 0.0)
    cell = within(whole(held / (held + p[SCALE]) * p[PER_U]), p[CELLS])
    begin, end, _, _ = fours(every, first, p[RANGES] + 2.0 * cell)
    if coast:
        begin, end = p[SPAN] - end, p[SPAN] - begin
    n, last = -whole(end - x), x - begin
    total, beyond = choose(near, 0.0, 0.0), near & (nearest < 0.0)
    while True:
        here = near & (n <= last)
        if bits(here) == 0:
            break
        read_anew()
        force, over = pair_of_eight(p, every, first, coast, x, n, d, here)
        total += force
        beyond |= over
        n += 1.0
    return total, beyond


@fused
def _pressed(p, elastic, rate):  # type: ignore[no-untyped-def]
    """Force of a flank that damps from the begin of its contact on and never pulls."""
    always_inline()
    onset = elastic * p[ONSET]
    force = elastic + p[DAMPING] * choose(onset < 1.0, onset, 1.0) * rate
    return choose(force > 0.0, force, 0.0)


@fused
def _eight(flank, places, first, d, dv, parameters, every, f):  # type: ignore[no-untyped-def]
    """Forces of eight meshes; returns, as bits, those that are left to the law."""
    always_inline()
    p = rows(parameters)
    drive_at, coast_at, phase, _ = fours(d, places, 0.0)
    drive_rate, coast_rate, _, _ = fours(dv, places, 0.0)
    joined = bits(p[ROWS] < 2.0) != 0
    if joined:
        coast_at, phase = -drive_at, coast_at
    else:
        coast_at -= p[BACKLASH]
    drive, left = flank(p, every, first, False, phase, drive_at)
    coast = choose(left, 0.0, 0.0)
    if bits(coast_at - p[NEAREST] > 0.0) != 0:
        coast, beyond = flank(p, every, first, True, phase, coast_at)
        left |= beyond
    if joined:
        put_each(f, places, drive - coast + p[DAMPING] * drive_rate)
    else:
        put_each(f, places, _pressed(p, drive, drive_rate))
        put_each(shift(f, 1), places, _pressed(p, coast, coast_rate))
    return bits(left | ~((size(phase) < FAR) & (size(drive_at) < FAR)))


@together
def mesh_by_table_alike(places, states, first, t, d, dv, parameters, every, f, zd, reports):  # type: ignore[no-untyped-def]
    """Eight meshes at once whose teeth are alike; none has excitations."""
    return _eight(alike_of_eight, places, first, d, dv, parameters, every, f)


@together
def mesh_by_table_different(places, states, first, t, d, dv, parameters, every, f, zd, reports):  # type: ignore[no-untyped-def]
    """Eight meshes at once whose teeth differ; none has excitations."""
    return _eight(pairs_of_eight, places, first, d, dv, parameters, every, f)


@dataclass(frozen=True)
class DifferentTeeth:
    """Teeth by number: ``deviation`` [m] by which each drive flank of wheel 1 and 2 stands out, the part ``left`` of the
    stiffness of each, and the ``offsets`` that give the tooth in pair 0 (drive 1, 2, coast 1, 2)."""

    deviation: tuple[tuple[float, ...], tuple[float, ...]]
    left: tuple[tuple[float, ...], tuple[float, ...]]
    offsets: tuple[int, int, int, int]

    @property
    def pairs(self) -> NDArray[np.float64]:
        """(pairs until the same teeth meet again, 4) What the flanks of a pair stand out [m] and the part of its stiffness that is
        left, on the drive and on the coast flank."""
        n = np.arange(math.lcm(*map(len, self.deviation)))
        one, two, *coast = (
            np.stack([self.deviation[i % 2], self.left[i % 2]])[:, (n + self.offsets[i]) % len(self.left[i % 2])]
            for i in range(4)
        )
        return np.stack(
            [one[0] + two[0], one[1] * two[1], coast[0][0] + coast[1][0], coast[0][1] * coast[1][1]], axis=1
        )


def mesh_by_table(
    table: MeshTable,
    damping: float,
    *,
    coast: MeshTable | None = None,
    coast_shift: float = 0.0,
    backlash: float | None = None,
    excitations: Sequence[tuple[int, float, float, float]] = (),
    senses: int = 1,
    different: DifferentTeeth | None = None,
) -> Law:
    """Law of a mesh by its table.

    Parameters
    ----------
    table, coast : of the drive flank, and of the coast flank where it differs (a part of a crowned helical face), as the drive
        flank would have it
    damping : along the line of action [N s/m]
    coast_shift : mesh phase of the coast flank less that of the drive flank [cycles]
    backlash : normal backlash [m]; None joins the flanks (one force row, whose negative force is the coast flank's)
    excitations : (sense number, order, amplitude [m], phase [rad]); sense 0 is the mesh phase
    senses : number of sense rows of the block
    different : teeth that differ; the tables are then those of one pair

    Raises ValueError for tables of different shape, and for teeth that differ with a table of all pairs.
    """
    other = coast or table
    if other.values.shape != table.values.shape or other.scale != table.scale:
        raise ValueError("both flanks of a mesh need tables over the same places")
    if (different is None) != table.alike:
        raise ValueError("teeth that differ need the table of one pair, teeth that are alike the table of all")
    count = 1 if backlash is None else 2
    pairs = np.zeros((0, 4)) if different is None else different.pairs
    data = [] if different is None else [*pairs.ravel(), *table.ranges.ravel()]
    excited = [float(x) for e in excitations for x in e]
    begin = COUNT + len(data) + len(excited)
    head = [0.0] * COUNT
    head[ROWS], head[DAMPING], head[BACKLASH] = float(count), damping, backlash or 0.0
    head[ONSET] = 1.0 / (SETS_IN * table.reference)
    head[EXCITED], head[EXCITATIONS] = float(COUNT + len(data)), float(len(excitations))
    head[SCALE], head[PER_U], head[CELLS] = table.scale, table.cells / table.top, float(table.cells)
    head[COLUMNS], head[PHASES] = float(table.values.shape[1]), float(table.phases)
    head[SPAN], head[COAST], head[SHIFT] = table.span, coast_shift, table.shift
    head[DRIVE_TABLE] = head[COAST_TABLE] = float(begin)
    if other is not table:
        head[COAST_TABLE] += table.values.size
    head[FIRST], head[LAST] = table.first, table.last
    if different is not None:
        head[DATA], head[PAIRS], head[PER_PAIRS] = float(COUNT), float(len(pairs)), 1.0 / len(pairs)
        head[FARTHEST], head[NEAREST] = float(pairs[:, 0].max()), float(pairs[:, 2].min())
        head[RANGES] = float(COUNT + pairs.size)
    body = [each.values.ravel() for each in ((table,) if other is table else (table, other))]
    mean = float(table.loaded.secant.mean())

    def energy(d, dv, z, mode):  # type: ignore[no-untyped-def]
        return _energy(table, other, coast_shift, backlash, excitations, different, d)

    return Law(
        force=mesh_by_table_force,
        parameters=np.concatenate([head, data, excited, *body]),
        rows=count,
        senses=senses,
        mean=((mean,), (damping,)) if count == 1 else ((mean, 0.0), (damping, 0.0)),
        damping=(damping,) if count == 1 and not excitations else (),
        opens=mesh_by_table_opens,
        energy=energy,
        places=table.phases,  # the mean of a spline over all its cells, wherever they are met, is that of its coefficients
        smooth=True,
        together=None if excitations else (mesh_by_table_alike if different is None else mesh_by_table_different,),
        columns=COUNT,
        label="mesh force over phase and deflection",
        source="theory page of mesh excitation",
    )


def _energy(table, other, shift, backlash, excitations, different, d):  # type: ignore[no-untyped-def]
    """Potential [J] of both flanks."""
    rows = 1 if backlash is None else 2
    phase, error = float(d[rows]), 0.0
    for sense, order, amplitude, angle in excitations:
        error += amplitude * math.sin(2.0 * math.pi * order * d[rows + int(sense)] + angle)
    drive, coast = d[0] - error, -(d[0] - error) if rows == 1 else d[1] + error - (backlash or 0.0)
    if different is None:
        return table.energy(phase, drive) + other.energy(phase + shift, coast, True)
    total = 0.0
    for side, made, at in ((0, table, drive), (1, other, coast)):
        x = phase + made.shift + (shift if side else 0.0)
        low, high = (made.span - made.last, made.span - made.first) if side else (made.first, made.last)
        for n in range(math.ceil(x - high), math.floor(x - low) + 1):
            out, part = 0.0, 1.0
            for wheel in (0, 1):
                i = (n + different.offsets[2 * side + wheel]) % len(different.deviation[wheel])
                out += different.deviation[wheel][i]
                part *= different.left[wheel][i]
            travel = made.span - (x - n) if side else x - n
            total += part * made.energy_of_pair(travel, at - out if side else at + out)
    return total
