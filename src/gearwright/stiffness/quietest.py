"""Modifications that make swing and face load least: sequential linear programmes on exact derivatives, then a search without them.

A :class:`Wish` has the meshes of a stage, the loads and misalignments at which they are looked at, and the numbers that are free. The
cost is the largest swing of any mesh and load over that of the mesh without modifications, plus the largest K_Hbeta - 1 likewise::

    cost = max swing / swing_0 + weight max (K_Hbeta - 1) / (K_0 - 1)

Each programme takes both as maxima of linear functions (one for every pair of phases, and every slice) within a region of trust,
which grows where the step does what the programme says and shrinks where it does not. What it leaves, corners where pairs come and
go, a simplex search takes away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gearwright.arrays import Float

from .flanks import FREE, Carried, Flanks, Shape, changed

#: programmes at most, steps of the search a free number, region of trust at first, at least and at most [of the range of a number]
PROGRAMMES, SEARCH, TRUST = 24, 40, (0.12, 1e-4, 0.3)


@dataclass(frozen=True)
class Act:
    """What a free number does: it is, times ``factor``, the number ``what`` (:data:`FREE`) of a wheel's shape."""

    wheel: str
    what: str
    factor: float = 1.0


@dataclass(frozen=True)
class Number:
    """A free number with its bounds, and what it does."""

    name: str
    low: float
    high: float
    acts: tuple[Act, ...]


@dataclass(frozen=True, eq=False)
class Scene:
    """A mesh under a load [N] with a misalignment [m]; ``wheels`` are those of the mesh, ``swing`` and ``face`` what the cost divides by."""

    mesh: str
    flanks: Flanks
    wheels: tuple[str, str]
    force: float
    tilt: float
    swing: float = 1.0
    face: float = 1.0

    def carry(self, shapes: Mapping[str, Shape], gradient: bool = False) -> Carried:
        """The mesh with shapes of its wheels."""
        return self.flanks.carry(self.force, (shapes[self.wheels[0]], shapes[self.wheels[1]]), self.tilt, gradient)


@dataclass(frozen=True, eq=False)
class Wish:
    """What shall be least: scenes, free numbers, shapes as they are without them, and the weight of K_Hbeta."""

    scenes: Sequence[Scene]
    numbers: Sequence[Number]
    shapes: Mapping[str, Shape]
    weight: float = 0.0

    def at(self, values: Float) -> dict[str, Shape]:
        """Shapes of all wheels for values of the free numbers."""
        given: dict[str, dict[str, float]] = {name: {} for name in self.shapes}
        for number, value in zip(self.numbers, values, strict=True):
            for act in number.acts:
                given[act.wheel][act.what] = act.factor * float(value)
        return {name: changed(shape, given[name]) for name, shape in self.shapes.items()}

    def cost(self, shapes: Mapping[str, Shape]) -> float:
        """The cost of shapes."""
        found = [(s, s.carry(shapes)) for s in self.scenes]
        swing = max(c.swing / s.swing for s, c in found)
        return swing + (self.weight * max((c.face_load - 1.0) / s.face for s, c in found) if self.weight else 0.0)


@dataclass(frozen=True, eq=False)
class Quietest:
    """The best values of the free numbers, their cost, and how many evaluations of all scenes they took."""

    values: Float
    cost: float
    evaluations: int
    costs: list[float] = field(default_factory=list)


def quietest(wish: Wish, starts: Sequence[Float]) -> Quietest:
    """The least cost from several starts [values of the free numbers]. Raises ValueError without a free number."""
    from scipy.optimize import minimize

    if not wish.numbers:
        raise ValueError("nothing is free: there is nothing to choose")
    low = np.array([n.low for n in wish.numbers])
    span = np.array([n.high for n in wish.numbers]) - low
    count, best = 0, None

    def cost(y: Float) -> float:
        nonlocal count
        count += 1
        return wish.cost(wish.at(low + span * np.clip(y, 0.0, 1.0)))

    reached = []
    for start in starts:
        y = np.clip((start - low) / span, 0.0, 1.0)
        y, value = _programmes(wish, y, low, span, cost)
        reached.append((value, y))
    value, y = min(reached, key=lambda r: r[0])
    simplex = [y] + [
        np.clip(y + np.where(np.arange(len(y)) == i, 0.04 if y[i] < 0.9 else -0.04, 0.0), 0.0, 1.0)
        for i in range(len(y))
    ]
    best = minimize(
        cost,
        y,
        method="Nelder-Mead",
        bounds=[(0.0, 1.0)] * len(y),
        options={"initial_simplex": simplex, "maxfev": SEARCH * len(y), "xatol": 1e-5, "fatol": 1e-6},
    )
    if best.fun < value:
        value, y = float(best.fun), best.x
    return Quietest(low + span * y, value, count, [r[0] for r in reached])


def _programmes(wish: Wish, y: Float, low: Float, span: Float, cost: Callable[[Float], float]) -> tuple[Float, float]:
    """Sequential linear programmes from a start."""
    value, trust = cost(y), TRUST[0]
    rows = _rows(wish, y, low, span)
    for _ in range(PROGRAMMES):
        step, promised = _programme(wish, rows, y, trust)
        if value - promised <= 1e-4 * value:
            break
        new = np.clip(y + step, 0.0, 1.0)
        reached = cost(new)
        gain = (value - reached) / (value - promised)
        if reached < value:
            y, value = new, reached
            rows = _rows(wish, y, low, span)
        trust = min(2.0 * trust, TRUST[2]) if gain > 0.75 else trust if gain > 0.25 else 0.35 * trust
        if trust < TRUST[1]:
            break
    return y, value


#: linear functions of the step: of every scene its errors over the swing it is measured by, and its loads across the face
_Rows = tuple[list[tuple[Float, Float]], list[tuple[Float, Float]]]


def _rows(wish: Wish, y: Float, low: Float, span: Float) -> _Rows:
    shapes = wish.at(low + span * y)
    swings, faces = [], []
    for scene in wish.scenes:
        found = scene.carry(shapes, gradient=True)
        chain = np.zeros((2 * len(FREE), len(wish.numbers)))
        for j, number in enumerate(wish.numbers):
            for act in number.acts:
                for i, wheel in enumerate(scene.wheels):
                    if wheel == act.wheel:
                        chain[i * len(FREE) + FREE.index(act.what), j] = act.factor * span[j]
        swings.append((found.error / scene.swing, found.by @ chain / scene.swing))
        if wish.weight:
            mean = found.line.mean() * scene.face
            faces.append((found.edges / mean - 1.0 / scene.face, found.edges_by @ chain / mean))
    return swings, faces


def _programme(wish: Wish, rows: _Rows, y: Float, trust: float) -> tuple[Float, float]:
    """Step and the cost it promises: least ``t + weight k`` with every error of a scene between two levels ``t`` apart, and every load
    of a slice below ``k``."""
    from scipy.optimize import linprog

    swings, faces = rows
    n, m = len(y), len(swings)
    # unknowns: the step, the upper and the lower level of every scene, t, k
    width = n + 2 * m + 2
    left, right = [], []
    for j, (level, slope) in enumerate(swings):
        for sign, place in ((1.0, n + j), (-1.0, n + m + j)):
            block = np.zeros((len(level), width))
            block[:, :n] = sign * slope
            block[:, place] = -sign
            left.append(block)
            right.append(-sign * level)
        apart = np.zeros((1, width))
        apart[0, n + j], apart[0, n + m + j], apart[0, n + 2 * m] = 1.0, -1.0, -1.0
        left.append(apart)
        right.append(np.zeros(1))
    for level, slope in faces:
        block = np.zeros((len(level), width))
        block[:, :n], block[:, -1] = slope, -1.0
        left.append(block)
        right.append(-level)
    price = np.zeros(width)
    price[n + 2 * m], price[-1] = 1.0, wish.weight
    bounds = [(max(-trust, -a), min(trust, 1.0 - a)) for a in y] + [(None, None)] * (2 * m) + [(0.0, None)] * 2
    found = linprog(price, np.concatenate(left), np.concatenate(right), bounds=bounds, method="highs")
    if not found.success:
        return np.zeros(n), np.inf
    return found.x[:n], float(found.fun)
