"""What the compiled loop reads and works in: a mechanism packed into arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import rows
from .elements import Joint, Load

Float = NDArray[np.floating[Any]]


class Arrays(NamedTuple):
    """What the compiled loop reads."""

    mass: Float
    inverse: Float
    gravity: Float
    kind: Any
    body: Any
    local: Float
    par: Float
    rigid: int
    pairs: Any
    first: Any
    shift: Float
    stabilise: Float
    load_body: Any
    load_table: Any
    load_global: Any
    load_vector: Float
    load_point: Float
    load_slope: Float
    times: Float
    values: Float
    angles: Float
    follow: Any
    couple: Any
    couple_value: Float
    law: Any
    law_par: Float
    signal_table: Any
    pressed: Any


class Place(NamedTuple):
    """A state: positions, Euler parameters, velocities, last angles of the marks, states of laws. The last row is the ground."""

    r: Float
    p: Float
    v: Float
    last: Float
    states: Float


class Work(NamedTuple):
    """Workspace of the compiled loop."""

    r: Float
    p: Float
    v: Float
    R: Float
    W: Float
    phi: Float
    jac: Float
    gamma: Float
    rate: Float
    psi: Float
    Q: Float
    acc: Float
    lam: Float
    S: Float
    rest: Float
    move: Float
    slope: Float
    d: Float
    dv: Float
    f: Float
    none: Float
    states: Float
    change: Float
    state_slope: Float
    signal: Float
    press: Float


def workspace(bodies: int, count: int, states: int = 0, signals: int = 0) -> Work:
    """A workspace for bodies, rows, states of laws and signals."""
    n, count = bodies, max(count, 1)
    R = np.zeros((n + 1, 9))
    R[n] = np.eye(3).ravel()
    p = np.zeros((n + 1, 4))
    p[:, 0] = 1.0
    z = np.zeros
    return Work(z((n + 1, 3)), p, z((n + 1, 6)), R, z((n + 1, 3)), z(count), z((count, 18)), z(count), z(count),
                z((count, 2)), z((n + 1, 6)), z((n + 1, 6)), z(count), z((count, count)), z(count), z(count),
                z((4, n + 1, 12)), z(count), z(count), z(count), z(2), z(states), z(states), z((4, states)),
                z(signals), z(count))  # fmt: skip


def acts(row: Any, slot: int) -> bool:
    """Whether a row has entries for the body of a slot (the third, the carrier, only where angles count from it)."""
    return slot < 2 or row.kind == rows.SPIN


#: tables over time: times [s] and values
Tables = Sequence[tuple[Sequence[float], Sequence[float]]]


def pack(
    mass: Float,
    made: list[Any],
    joints: Sequence[Joint],
    loads: Sequence[Load],
    loaded: Sequence[int],
    signals: Tables,
    gravity: Float,
    stabilise: tuple[float, float] | None,
    shift: float = 0.0,
) -> Arrays:
    """The arrays of a mechanism.

    ``mass`` (bodies, 6), ``made``: its present rows, ``loaded``: the body of every load; ``shift`` on the diagonal where
    redundant rows share loads.
    """
    n, count = len(mass), len(made)
    kind = np.array([row.kind for row in made], np.int64)
    body = np.array([row.bodies for row in made], np.int64).reshape(count, 3)
    local = np.array([row.local for row in made], float).reshape(count, 21)
    par = np.array([row.parameters for row in made], float).reshape(count, rows.PARAMETERS)
    rigid = sum(not row.elastic for row in made)
    pairs, first = _pairs(made[:rigid], n)
    tables, placed, times, values, angles = _tables(loads, signals, made, par)
    pressed = _pressed(made, par, rigid)
    follow = [k for k, row in enumerate(made) if row.parameters[rows.FOLLOW]]
    return Arrays(
        mass, 1.0 / mass, gravity, kind, body, local, par, rigid, pairs, first,
        np.array([shift]), np.array(stabilise or (0.0, 0.0), float),
        np.array(loaded, np.int64), tables,
        np.array([x.frame == "global" for x in loads], np.int64),
        np.array([[*x.force, *x.moment] for x in loads], float).reshape(-1, 6),
        np.array([x.point for x in loads], float).reshape(-1, 3),
        np.array([[x.slope, x.reference] for x in loads], float).reshape(-1, 2),
        times, values, angles, np.array(follow, np.int64), *_couplings(made), *_laws(made, joints), placed, pressed,
    )  # fmt: skip


def _pairs(made: list[Any], n: int) -> tuple[Any, Any]:
    """Pairs of rows that share a body, with the places of their entries; the first column of each row's envelope."""
    pairs, first = [], np.arange(len(made))
    for a, row in enumerate(made):
        for b in range(a + 1):
            for x in range(3):
                for y in range(3):
                    if row.bodies[x] == made[b].bodies[y] < n and acts(row, x) and acts(made[b], y):
                        turning = row.kind in (rows.PERP, rows.SPIN) or made[b].kind in (rows.PERP, rows.SPIN)
                        pairs.append((a, b, 6 * x, 6 * y, row.bodies[x], 3 if turning else 0))
                        first[a] = min(first[a], b)
    return np.array(pairs, np.int64).reshape(-1, 6), first.astype(np.int64)


def _tables(
    loads: Sequence[Load], signals: Tables, made: list[Any], par: Float
) -> tuple[Any, Any, Float, Float, Float]:
    """Tables of loads, of signals and of the speeds of motors, end to end; angles are the integrals of the latter."""
    places: list[tuple[int, int]] = []
    times: list[float] = []
    values: list[float] = []
    angles: list[float] = []
    for t_, x_ in [*((load.times, load.values) for load in loads), *signals]:
        places.append((len(times), len(times) + len(t_)))
        times += list(t_)
        values += list(x_)
        angles += [0.0] * len(t_)
    for k, row in enumerate(made):
        if row.table is not None:
            t, w = (np.asarray(x, float) for x in row.table)
            par[k, rows.FIRST], par[k, rows.LAST] = len(times), len(times) + len(t)
            times += t.tolist()
            values += w.tolist()
            turned = np.concatenate([[0.0], np.cumsum(0.5 * (w[1:] + w[:-1]) * np.diff(t))])
            angles += (turned - _turned_before_start(t, w, turned)).tolist()
    where = np.array(places, np.int64).reshape(-1, 2)
    count = len(loads)
    return where[:count].copy(), where[count:].copy(), np.array(times, float), np.array(values, float), np.array(angles)


def _pressed(made: list[Any], par: Float, rigid: int) -> Any:
    """Rows whose multipliers a PRESS row reads: their range into its parameters; the rigid ones of them are returned."""
    found = set()
    for k, row in enumerate(made):
        if row.kind != rows.PRESS:
            continue
        flanks = [
            q for q, other in enumerate(made) if other.joint == row.press and other.kind in (rows.GEAR, rows.LINE)
        ]
        par[k, rows.FIRST], par[k, rows.LAST] = flanks[0], flanks[-1] + 1
        found |= {q for q in flanks if q < rigid}
    return np.array(sorted(found), np.int64)


def _turned_before_start(t: Float, w: Float, turned: Float) -> float:
    """Angle of a table of speeds at time zero, from which its angles count (the first speed holds before the table)."""
    if t[0] >= 0.0:
        return float(-w[0] * t[0])
    k = min(int(np.searchsorted(t, 0.0, side="right")) - 1, len(t) - 1)
    rise = (w[k + 1] - w[k]) / (t[k + 1] - t[k]) if k + 1 < len(t) else 0.0
    return float(turned[k] - t[k] * (w[k] - 0.5 * t[k] * rise))


def _couplings(made: list[Any]) -> tuple[Any, Float]:
    """Entries off the diagonal of elastic joints with a matrix: rows, stiffness and damping."""
    where, values = [], []
    for a, row in enumerate(made):
        for b, other in enumerate(made):
            if a == b or row.couples is None or other.joint != row.joint or other.couples is None:
                continue
            k, d = row.couples[0][other.couples[2]], row.couples[1][other.couples[2]]
            if k or d:
                where.append((a, b))
                values.append((k, d))
    return np.array(where, np.int64).reshape(-1, 2), np.array(values, float).reshape(-1, 2)


def _laws(made: list[Any], joints: Sequence[Joint]) -> tuple[Any, Float]:
    """Blocks of rows that a law serves: addresses of force and guard, first row, number, place of the
    parameters, whether its rows never pull, place of its states, and how many of the rows carry a force."""
    blocks: list[tuple[int, ...]] = []
    parameters: list[float] = []
    done: set[str] = set()
    places, size = {}, 0
    for joint in joints:
        places[joint.name] = size
        size += len(joint.law.states) if joint.law is not None else 0
    for k, row in enumerate(made):
        if row.law is None or row.joint in done:
            continue
        done.add(row.joint)
        count = sum(other.joint == row.joint for other in made)
        guard = row.law.guard.address if row.law.guard is not None else 0
        flanks = sum(other.joint == row.joint and other.kind == rows.GEAR for other in made)
        pressing = flanks == 2  # flanks that never pull
        blocks.append(
            (row.law.force.address, guard, k, count, len(parameters), int(pressing), places[row.joint], row.law.rows)
        )
        parameters += list(row.law.parameters)
    return np.array(blocks, np.int64).reshape(-1, 8), np.array(parameters, float)
