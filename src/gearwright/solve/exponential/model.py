"""A system in the block coordinates of the exponential engine: what its compiled loop reads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.kernels import Compiled
from gearwright.system import Channel, Law, Source, State, System
from gearwright.system.sparse import Sparse

from . import slots as T
from .books import book_reactions
from .cuts import PIECES
from .jumps import room
from .laws import general_law, project
from .linear import basis, curved
from .modes import Blocks, Reference, declared_linear
from .products import product, products
from .samples import inner_samples
from .slots import Table, eights, padded
from .state import signals_at
from .tables import fill_step


def law_rows(system: System) -> NDArray[np.int64]:
    """Force rows of all laws."""
    parts = [np.arange(r.start, r.stop) for r in (system.law_rows(b) for b in range(system.shape.laws))]
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, np.int64)


def followed(system: System, chosen: Reference) -> tuple[list[int], list[int]]:
    """Rows that a pass of the fixed point needs, and phases that are found once per step: those of linear laws."""
    lines: list[int] = []
    phases: list[int] = []
    for block, law in enumerate(system.laws):
        lines += range(system.shape.rows)[system.law_rows(block)]
        senses = range(system.shape.rows)[system.sense_rows(block)]
        if not linear(law, chosen.stiffness[block], chosen.damping[block]):
            lines += senses
        elif law.senses:
            phases.append(senses[0])
    return lines, phases


def varying_signals(system: System) -> list[int]:
    """Signals that are not constant."""
    return [
        i
        for i, s in enumerate(system.signals)
        if s.sine[0] or s.coefficients[:, 1:].any() or np.ptp(s.coefficients[:, 0])
    ]


def bent_signals(system: System) -> list[tuple[int, float]]:
    """Signals that bend between the instants on which steps land, and the range of each; sines, whose period bounds the steps, apart."""
    found = []
    for i, s in enumerate(system.signals):
        if s.coefficients[:, 2:].any():
            values = s(s.start)
            found.append((i, max(float(np.ptp(values)), 1e-9 * float(np.abs(values).max()), 1e-300)))
    return found


def _watched_coordinates(system: System) -> list[int]:
    """Coordinates whose motion the energy book needs: under an input, or coupled by mass to a prescribed one."""
    fixed = set(system.prescribed)
    wanted = {int(i) for i in system.arrays.bi} - fixed
    mass = system.mass
    for p in fixed:
        wanted |= {int(i) for i in mass[p].indices} - fixed
    return sorted(wanted)


def _accelerations(system: System) -> dict[int, int]:
    """Signal of the acceleration of every prescribed coordinate, as the builder laid it out."""
    pairs = zip(system.arrays.bi, system.arrays.bu, strict=True)
    return {int(i): int(u) for i, u in pairs if int(i) in system.prescribed}


def _touching(system: System) -> list[tuple[int, int, int]]:
    """Rows that act on prescribed coordinates: (row, place of the coordinate, spring number or -1)."""
    rows = system.D.toarray()
    own = set(law_rows(system).tolist())
    springs = system.spring_rows
    found = []
    for j, p in enumerate(sorted(system.prescribed)):
        for r in range(system.shape.rows):
            if rows[r, p] != 0.0 and (r in own or r >= springs.start):
                found.append((r, j, r - springs.start if r >= springs.start else -1))
    return found


def _motions(system: System, form: Blocks) -> tuple[Float, Float]:
    """Positions and speeds (n, Y) of all coordinates as functions of y: elastic and free rigid part."""
    free = system.free
    position = np.zeros((system.shape.coordinates, form.elastic.shape[1]))
    speed = np.zeros_like(position)
    position[free] = form.shapes @ form.elastic + form.rigid_shapes @ form.rigid
    speed[free] = form.shapes @ form.elastic_rate + form.rigid_shapes @ form.rigid_rate
    return position, speed


def _row_maps(form: Blocks) -> tuple[Float, Float]:
    """Deflections and rates (m, Y) of all rows as functions of y, exact zeros of rigid rates kept."""
    return (
        form.row_shapes @ form.elastic + form.row_rates @ form.rigid,
        form.row_shapes @ form.elastic_rate + form.row_rates @ form.rigid_rate,
    )


def needed(system: System) -> list[Compiled]:
    """Compiled functions that a run of the system is likely to need."""
    found = [fill_step, product, products, project, signals_at, inner_samples]
    if any(law.pieces is None and law.course is None for law in system.laws):
        found.append(general_law)
    if any(law.pieces is not None or law.course is not None for law in system.laws):
        found.append(curved)
    return found + [book_reactions] if system.prescribed else found


def build_table(
    system: System, form: Blocks, chosen: Reference, channels: tuple[Channel, ...], unit: float, finer: int, deeper: int
) -> Table:
    """Table of a plan: longest step ``unit * 2**finer``, shortest ``2**deeper`` times shorter (or the unit)."""
    table = Table()
    deepest = max(0, deeper - finer)
    _put_model(table, system, form, chosen)
    _put_laws(table, system, chosen)
    _put_book(table, system)
    _put_lines(table, system, form, channels)
    for slot, part in (
        (T.PRODUCT, product),
        (T.PRODUCTS, products),
        (T.FILL, fill_step),
        (T.PROJECT, project),
        (T.READ, signals_at),
    ):
        table.size(slot, part.address)
    kinds = table.arrays[T.LAW][T.KIND :: T.RECORD][: system.shape.laws]
    if any(kinds != T.LINEAR):
        table.size(T.GENERAL, general_law.address)
    if any(kinds == T.LINEAR):
        table.size(T.CURVED, curved.address)
    if finer > 0:
        table.size(T.INNER, inner_samples.address)
    if system.prescribed:
        table.size(T.REACT, book_reactions.address)
    size = table.slots
    blocks, forces, lines, phases, cs = (int(size[i]) for i in (T.BLOCKS, T.FORCES, T.LINES, T.PHASES, T.CS))
    width = T.PROPAGATOR * blocks
    nodes = 4 if any(kinds == T.LINEAR) else 2
    table.size(T.NODES, nodes)
    levels = deepest + finer + 1
    table.size(T.LEVELS, levels)
    table.size(T.DEEPEST, deepest)
    table.size(T.COARSEST, levels - 1)
    table.put(T.STEP, unit * 2.0 ** (finer - np.arange(levels)))
    for slot, length in (
        (T.HALF, width),
        (T.FULL, width),
        (T.BESIDES, (nodes - 2) * width),
        (T.RESPONSE, T.LOOP * nodes * forces * lines),
        (T.TURN, 2 * T.LOOP * forces * phases),
        (T.LEFT, 5 * forces),
        (T.WEIGHT, forces),
        (T.RESIDUE, forces * cs),
        (T.SLIP, forces * lines),
        (T.BRISK, forces + 1),
        (T.FILLED, 1),
    ):
        table.put(slot, np.zeros((levels + 1) * length))
    dense = 2 ** (finer + 1) - finer - 2 if finer > 0 else 0
    table.put(T.DENSE, np.zeros(dense * width))
    return table


def _put_model(table: Table, system: System, form: Blocks, chosen: Reference) -> None:
    """Sizes, what is watched, forcing, signals and scratch; laws come after them."""
    first, second = followed(system, chosen)
    lines, phases = eights(len(first)), eights(len(second)) if second else 0
    zs = _put_watched(table, system, form, (first, second), (lines, phases))
    _put_forcing(table, system, form, chosen)
    a, fixed, own = system.arrays, sorted(system.prescribed), law_rows(system)
    ny, p, q = form.elastic.shape[1], len(fixed), form.row_rates.shape[1]
    ys = eights(ny)
    curves = int(any(law.course is not None for law in system.laws))
    sizes = {T.BLOCKS: ny // 2, T.Y: ny, T.YS: ys, T.FORCES: len(own), T.LAWS: system.shape.laws, T.CURVES: curves}
    sizes |= {T.ROWS: lines + phases, T.LINES: lines, T.PHASES: phases, T.ZS: zs, T.PRESCRIBED: p}
    sizes |= {T.SPRINGS: int(np.count_nonzero(a.c)), T.COORDINATES: len(_watched_coordinates(system))}
    sizes |= {
        T.SIGNALS: len(system.signals),
        T.INPUTS: system.shape.inputs,
        T.RIGID: system.shape.rigid,
        T.FREE_RIGID: q,
    }
    for slot, value in sizes.items():
        table.size(slot, value)
    kick, impulse = _jumps(system, form)
    real = {T.A: form.a.T, T.PSI_BY: form.rigid, T.BACK: padded(form.from_rigid.T, ys), T.PHI_BY: form.free_rigid}
    real |= {T.HELD: form.held, T.REST: form.rest, T.KICK: kick, T.IMPULSE: impulse}
    real |= {T.SSTART: a.sstart, T.SCOEF: a.scoef, T.SSIN: a.ssin, T.SDT: a.sdt}
    for slot, array in real.items():
        table.put(slot, array)
    accelerations = _accelerations(system)
    whole = {T.OWN: [first.index(r) for r in own], T.SPTR: a.sptr}
    whole |= {T.SPEED: [system.prescribed[i] for i in fixed], T.ACCELERATION: [accelerations[i] for i in fixed]}
    for slot, numbers in whole.items():
        table.put(slot, numbers, np.int64)
    table.put(T.BASIS, basis())
    table.put(T.PSI, np.zeros(max(q, p)))
    table.put(T.NEWMODES, np.zeros(system.shape.laws), np.int64)
    _put_room(table, max(zs, ys, lines + phases, 2 * lines, eights(p)))


def _put_watched(
    table: Table, system: System, form: Blocks, rows: tuple[list[int], list[int]], width: tuple[int, int]
) -> int:
    """What is watched, by y, by prescribed positions and speeds, and by rigid motions; how many numbers that is.

    Deflections of ``rows`` that are followed and phases, each padded to its ``width``, rates of the rows, damped springs'
    rates, coordinates and their speeds, springs on prescribed coordinates and their rates.
    """
    (first, second), (lines, phases) = rows, width
    coordinates = _watched_coordinates(system)
    touching = [r for r, _, spring in _touching(system) if spring >= 0]
    damped = (np.flatnonzero(system.arrays.c) + system.spring_rows.start).tolist()

    def watched(place: Float, rate: Float, placed: Float, moved: Float) -> Float:
        """Rows by their places and rates, coordinates by theirs."""
        follow = padded(place[first].T, lines).T, padded(place[second].T, phases).T, padded(rate[first].T, lines).T
        return np.vstack(
            [*follow, rate[damped], placed[coordinates], moved[coordinates], place[touching], rate[touching]]
        )

    position, speed = _row_maps(form)
    follow, still = form.row_follows, np.zeros_like(form.row_follows)
    carried, none = form.follows, np.zeros_like(form.follows)
    z = watched(position, speed, *_motions(system, form))
    zx = watched(follow, still, carried, none)
    zv = watched(still, follow, none, carried)
    zrho = np.zeros((system.shape.rigid, len(z)))
    zrho[:, : len(first)] = system.rho[:, first]
    zrho[:, lines : lines + len(second)] = system.rho[:, second]
    zs = eights(len(z))
    for slot, array in ((T.Z, z.T), (T.ZX, zx.T), (T.ZV, zv.T), (T.ZRHO, zrho)):
        table.put(slot, padded(array, zs))
    table.put(T.C, padded(position[first].T, lines))
    table.put(T.CP, padded(position[second].T, phases))
    table.size(T.REACTIONS, len(touching))
    return zs


def _put_forcing(table: Table, system: System, form: Blocks, chosen: Reference) -> None:
    """What forces of laws, signals, one and prescribed positions do to y, and what of that is steady."""
    signals, varying, ys = len(system.signals), varying_signals(system), eights(form.elastic.shape[1])
    into = np.hstack([form.from_elastic_rate, form.from_rigid_rate])
    sources = _sources(system, form, chosen)
    forcing = sources @ into.T
    moving = [*varying, *range(signals + 1, len(sources))]
    active = [e for e in moving if forcing[e].any()]
    values = np.zeros(len(sources))
    values[:signals] = [float(s(0.0)) for s in system.signals]
    values[signals] = 1.0
    still = (values[e] * forcing[e] for e in range(signals + 1) if e not in varying)
    table.size(T.VARYING, len(varying))
    table.size(T.ACTIVE, len(active))
    table.put(T.ACTIVE_SOURCE, active, np.int64)
    table.put(T.VARI, varying, np.int64)
    motions = np.hstack([form.row_shapes, form.row_rates])
    table.put(T.B, padded(-(motions[law_rows(system)] @ into.T), ys))
    table.put(T.STEADY, padded(sum(still, np.zeros(form.elastic.shape[1])), ys))
    table.put(T.FORCING, padded(forcing, ys))
    for slot in (T.SIG0, T.S, T.SONE):
        table.put(slot, values)
    for slot in (T.SIG1, T.SIG2):
        table.put(slot, 0.0 * values)


def _sources(system: System, form: Blocks, chosen: Reference) -> Float:
    """Generalised forces of the signals, of one and of the prescribed positions, a row each."""
    a, free, fixed, signals = system.arrays, system.free, sorted(system.prescribed), len(system.signals)
    motions = np.hstack([form.row_shapes, form.row_rates])
    shapes = np.zeros((system.shape.coordinates, motions.shape[1]))
    shapes[free] = np.hstack([form.shapes, form.rigid_shapes])
    sources = np.zeros((signals + 1 + len(fixed), motions.shape[1]))
    for i, u, v in zip(a.bi, a.bu, a.bv, strict=True):
        if int(i) not in system.prescribed:
            sources[int(u)] += v * shapes[int(i)]
    k, c = chosen.matrices(system)
    accelerations = _accelerations(system)
    mass = system.mass.toarray()
    inertia = shapes[free].T @ mass[np.ix_(free, free)] @ form.follows[free]
    drag = motions.T @ c @ form.row_follows
    push = motions.T @ k @ form.row_follows
    for j, coordinate in enumerate(fixed):
        sources[accelerations[coordinate]] -= inertia[:, j]
        sources[system.prescribed[coordinate]] -= drag[:, j]
        sources[signals + 1 + j] -= push[:, j]
    constant = k @ a.off
    constant[system.spring_rows] += a.f0
    sources[signals] -= motions.T @ constant
    return sources


def _put_room(table: Table, widest: int) -> None:
    """Scratch of the loop; ``widest`` of what is watched."""
    size = table.slots
    ys, p, forces, lines, phases = (int(size[i]) for i in (T.YS, T.PRESCRIBED, T.FORCES, T.LINES, T.PHASES))
    scratch = (
        (ys, (T.STATE, T.NEXT, T.B0, T.B1, T.B2)),
        (4 * ys, (T.YH,)),
        (7 * ys, (T.SHOTS,)),
        (T.ALL * ys, (T.FS,)),
        (p, (T.XP, T.XONE, T.XMID, T.VNOW, T.VONE)),
        (lines + phases, (T.C0, T.C1, T.C2, T.DW, T.DVW, T.FW)),
        (T.LOOP * forces, (T.W, T.WN)),
        (forces, (T.WREST, T.WEND, T.FL, T.FEND, T.MET)),
        (T.ALL * forces, (T.US,)),
        (3 * PIECES * forces, (T.LEAP,)),
        (T.MOMENTS * forces, (T.MOMENT,)),
        (widest, (T.BASE, T.E0, T.E1)),
        (4 * widest, (T.EZ,)),
        (4 * lines, (T.FREE, T.DD)),
        (2 * phases, (T.FREEP, T.DP)),
        (4, (T.GUARD,)),
        (PIECES + 1, (T.CUTS,)),
        (T.MOMENTS, (T.NOTHING,)),
        (56 + 36, (T.WORK,)),
        (T.COUNTS, (T.COUNT,)),
    )
    for length, slots in scratch:
        for slot in slots:
            table.put(slot, np.zeros(length))


def _jumps(system: System, form: Blocks) -> tuple[Float, Float]:
    """What a unit jump of each prescribed speed does: to y (P, Y), by coupled inertia only, and its impulse (P, P)."""
    free, fixed = system.free, sorted(system.prescribed)
    mass = system.mass.toarray()
    along = -np.linalg.solve(mass[np.ix_(free, free)], mass[np.ix_(free, np.array(fixed, np.int64))])
    moved = form.momentum @ (along - form.follows[free])
    e = len(form.omega)
    kick = form.from_elastic_rate @ moved[:e] + form.from_rigid_rate @ moved[e:]
    return kick.T, mass[fixed][:, fixed] + mass[fixed][:, free] @ along


def linear(law: Law, chosen_k: Float, chosen_c: Float) -> bool:
    """Whether a law is linear in its deflections, each row for itself, with stiffness and gaps over the phase alone."""
    diagonal = law.rows == 1 or not any((m - np.diag(np.diag(m))).any() for m in (chosen_k, chosen_c))
    return diagonal and declared_linear(law)


def _course_of(law: Law) -> tuple[tuple[float, ...], list[list[Float]], Float]:
    """Boundaries, cells of every row and piece, damping of every row of a linear law."""
    if law.course is not None:
        cells = [np.array(piece, float) for piece in law.course.cells]
        return law.course.boundaries, [cells], np.array([law.course.damping])
    assert law.pieces is not None
    levels = [[np.array([[k, 0.0, 0.0, 0.0]]) for k in row] for row in law.pieces.stiffness]
    return law.pieces.boundaries, levels, np.asarray(law.pieces.damping, float)


def _put_laws(table: Table, system: System, chosen: Reference) -> None:
    a = system.arrays
    records = np.zeros((max(system.shape.laws, 1), T.RECORD), np.int64)
    parameters = table.keep(a.par)
    first, row, phase = 0, 0, int(table.slots[T.LINES])

    def address(values: Any, dtype: Any = np.float64) -> int:
        return int(table.keep(values, dtype).ctypes.data)

    for block, law in enumerate(system.laws):
        k, c = chosen.stiffness[block], chosen.damping[block]
        record = records[block]
        record[[T.ROW, T.NF, T.NROWS, T.FIRST]] = row, law.rows, law.rows + law.senses, first
        record[[T.FORCE, T.GUARD_OF]] = a.laddr[block], a.lguard[block]
        record[T.PAR] = parameters.ctypes.data + 8 * int(a.lp[block])
        record[T.KREF], record[T.CREF] = address(k), address(c)
        record[T.POINTS] = 3 if law.pieces is not None else 4
        first += law.rows
        if linear(law, k, c):
            boundaries, cells, damping = _course_of(law)
            record[T.KIND] = T.LINEAR
            record[T.PHASE] = phase if law.senses else -1
            record[T.PIECES] = max(len(boundaries), 1)
            record[T.BOUND] = address(_relative(boundaries))
            record[T.KNOWN] = address([1.0, 0.0, 0.0])
            flat = [piece for line in cells for piece in line]
            begins = 4 * np.cumsum([0, *(len(piece) for piece in flat)])[:-1]
            record[T.PLACE] = address(
                [x for i, piece in zip(begins, flat, strict=True) for x in (i, len(piece))], np.int64
            )
            record[T.CELL] = address(np.vstack(flat))
            record[T.DAMP] = address(damping - np.diag(c))
            record[T.USED] = address(np.zeros(4))
            record[T.JUMP] = address(np.zeros(room(law.rows)))
            record[T.RANGE] = address([max(np.ptp([(p[0], p.sum()) for part in line for p in part]) for line in cells)])
            row += law.rows
            phase += law.senses > 0
            continue
        row += law.rows + law.senses
        here = int(record[T.ROW])
        if law.guard is not None:
            record[T.KIND] = T.WALK
            continue
        levels: list[tuple[int, float, float]] = []
        if law.senses:
            phases = law.pieces.boundaries if law.pieces is not None else law.corners
            levels += [(here + law.rows, float(at), 1.0) for at in phases]
        if law.pieces is not None:
            levels += [(here + j, float(gap), 0.0) for j, gap in enumerate(law.pieces.gap) if gap is not None]
        record[T.KIND], record[T.CUT] = T.DECLARED, len(levels)
        record[T.CUTROW] = address([level[0] for level in levels], np.int64)
        record[T.CUTLEVEL] = address([level[1] for level in levels])
        record[T.CUTPERIOD] = address([level[2] for level in levels])
    table.put(T.LAW, records, np.int64)


def _relative(boundaries: tuple[float, ...]) -> Float:
    """The first boundary, then the others counted from it."""
    bounds = np.asarray(boundaries, float)
    return np.concatenate([bounds[:1], bounds[1:] - bounds[:1]])


def _put_book(table: Table, system: System) -> None:
    a = system.arrays
    fixed = sorted(system.prescribed)
    coordinates = _watched_coordinates(system)
    pseudo = set(_accelerations(system).values())
    booked = [
        -1 if int(i) in system.prescribed or int(u) in pseudo else coordinates.index(int(i))
        for i, u in zip(a.bi, a.bu, strict=True)
    ]
    rows = system.D.toarray()
    own = law_rows(system).tolist()
    where, of, by, k, c, f = [], [], [], [], [], []
    springs = 0
    for r, j, spring in _touching(system):
        of.append(j)
        by.append(rows[r, fixed[j]])
        where.append(own.index(r) if spring < 0 else -1 - springs)
        k.append(a.k[spring] if spring >= 0 else 0.0)
        c.append(a.c[spring] if spring >= 0 else 0.0)
        f.append(a.f0[spring] + a.k[spring] * a.off[r] if spring >= 0 else 0.0)
        springs += spring >= 0
    mass = system.mass.toarray()
    pairs = [(j, coordinates.index(i), mass[p, i]) for j, p in enumerate(fixed) for i in coordinates if mass[p, i]]
    table.size(T.TERMS, len(of))
    table.size(T.COUPLED, len(pairs))
    whole: dict[int, Any] = {
        T.BIN: booked,
        T.BSIG: a.bu,
        T.RROW: where,
        T.ROF: of,
        T.COF: [x[0] for x in pairs],
        T.CWITH: [x[1] for x in pairs],
    }
    real: dict[int, Any] = {
        T.BCOEF: a.bv,
        T.RBY: by,
        T.RK: k,
        T.RC: c,
        T.RF: f,
        T.RMASS: mass[np.ix_(fixed, fixed)],
        T.CMASS: [x[2] for x in pairs],
        T.LAW_WORK: np.zeros(len(own)),
        T.LAW_HEAT: np.zeros(len(own)),
        T.SPRING_HEAT: np.zeros(int(np.count_nonzero(a.c))),
        T.INPUT_WORK: np.zeros(system.shape.inputs),
        T.REACTION: np.zeros(len(fixed)),
    }
    for slot, array in whole.items():
        table.put(slot, array, np.int64)
    for slot, array in real.items():
        table.put(slot, array)


def _put_lines(table: Table, system: System, form: Blocks, channels: tuple[Channel, ...]) -> None:
    """Channels as a linear map of what the loop has at a sample: y, law forces, signals, prescribed, phi, one."""
    a, s = system.arrays, system.shape
    fixed, free, own, springs = sorted(system.prescribed), system.free, law_rows(system), system.spring_rows
    ny, signals = form.elastic.shape[1], len(system.signals)
    parts = np.cumsum([0, ny, len(own), signals, len(fixed), s.rigid, 1])
    y, force, signal, prescribed, phi, one = (slice(parts[i], parts[i + 1]) for i in range(6))
    width = int(parts[-1])

    speed = np.zeros((len(fixed), signals))
    for j, p in enumerate(fixed):
        speed[j, system.prescribed[p]] = 1.0
    q = np.zeros((s.coordinates, width))
    q[free, y] = form.shapes @ form.elastic
    q[fixed, prescribed] = form.rest
    v = np.zeros((s.coordinates, width))
    v[free, y] = form.shapes @ form.elastic_rate + form.rigid_shapes @ form.rigid_rate
    v[:, signal] += form.follows @ speed
    amount = np.zeros((s.rigid, width))
    amount[:, y] = form.free_rigid @ form.rigid
    amount[:, prescribed] = form.held
    amount[:, phi] = np.eye(s.rigid)
    position, rate = _row_maps(form)
    d = np.zeros((s.rows, width))
    d[:, y] = position
    d[:, prescribed] = form.row_follows
    d[:, phi] = system.rho.T
    d[:, one] = a.off[:, None]
    dv = np.zeros((s.rows, width))
    dv[:, y] = rate
    dv[:, signal] = form.row_follows @ speed
    f = np.zeros((s.rows, width))
    f[own, force] = np.eye(len(own))
    f[springs] = a.k[:, None] * d[springs] + a.c[:, None] * dv[springs]
    f[springs, one] += a.f0[:, None]
    load = np.zeros((s.coordinates, width))
    for i, u, b in zip(a.bi, a.bu, a.bv, strict=True):
        load[int(i), signal.start + int(u)] += b
    columns = system.D.toarray()
    columns[:, fixed] = 0.0
    load -= columns.T @ f
    n = s.coordinates
    inverse = Sparse(a.minv, a.midx, a.mptr, (n, n))
    values: dict[Source, Any] = {
        Source.FORCE: f,
        Source.POSITION: q,
        Source.SPEED: v,
        Source.ACCELERATION: inverse @ load,
        Source.RIGID: amount,
        Source.SIGNAL: np.eye(signals, width, signal.start),
        Source.ONE: np.eye(1, width, one.start),
    }
    lines = np.zeros((len(channels), width))
    for j, channel in enumerate(channels):
        for source, index, coefficient in channel.terms:
            lines[j] += coefficient * values[source][index]
    cs = eights(len(channels))
    table.size(T.CHANNELS, len(channels))
    table.size(T.CS, cs)
    for slot, part in (
        (T.LINE_Y, y),
        (T.LINE_F, force),
        (T.LINE_S, signal),
        (T.LINE_X, prescribed),
        (T.LINE_PHI, phi),
        (T.LINE_ONE, one),
    ):
        table.put(slot, padded(lines[:, part].T.reshape(-1, len(channels)), cs))
    table.put(T.LINE_OUT, np.zeros(4 * cs))
    table.put(T.ZERO, np.zeros(max(cs, int(table.slots[T.ZS]), int(table.slots[T.YS]))))


def to_blocks(system: System, form: Blocks, state: State) -> tuple[Float, Float, Float]:
    """Block coordinates (Y), prescribed positions and speeds (P) of a state."""
    free, fixed = system.free, sorted(system.prescribed)
    xp, vp = state.q[fixed].copy(), state.v[fixed].copy()
    q = form.momentum @ (state.q[free] - form.follows[free] @ xp)
    v = form.momentum @ (state.v[free] - form.follows[free] @ vp)
    e = len(form.omega)
    y = (
        form.from_elastic @ q[:e]
        + form.from_rigid @ q[e:]
        + form.from_elastic_rate @ v[:e]
        + form.from_rigid_rate @ v[e:]
    )
    return y, xp, vp


def from_blocks(system: System, form: Blocks, y: Float, xp: Float, vp: Float, state: State) -> None:
    """Write deviations and speeds of a rebased state (rigid motion in its phi) back, in place."""
    free, fixed = system.free, sorted(system.prescribed)
    state.q[free] = form.shapes @ (form.elastic @ y)
    state.q[fixed] = xp
    state.v[:] = form.follows @ vp if fixed else 0.0
    state.v[free] += form.shapes @ (form.elastic_rate @ y) + form.rigid_shapes @ (form.rigid_rate @ y)
