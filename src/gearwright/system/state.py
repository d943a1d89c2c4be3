"""The complete state of a run, and one chunk of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import RunError
from gearwright.kernels import START

from .system import System


@dataclass
class State:
    """Everything a run needs to continue, bit for bit.

    The position is ``u^T phi + q``: ``phi`` carries the rigid rotation (compensated by ``phi_low``), ``q`` the
    elastic deviation, so that ten hours of rotation cost no precision.

    Attributes
    ----------
    t : time [s]
    q : (n,) elastic deviation [m or rad]
    v : (n,) speed [m/s or rad/s], rigid part included
    phi, phi_low : (r,) amount of each rigid motion and its rounding carry
    z : states of laws
    modes : (L,) mode of each law; ``START`` where the guard has still to decide
    friction : (R,) -1 slips backward, 0 sticks, +1 slips forward, 2 undecided
    row_work, row_heat : (m,) integral of f dv and of (constant damping) dv^2 over time [J]
    input_work : (B,) work of every input [J]; reaction_work : (n,) work of prescribed coordinates [J]
    impact : energy lost in locking [J]
    """

    t: float
    q: Float
    v: Float
    phi: Float
    phi_low: Float
    z: Float
    modes: NDArray[np.int64]
    friction: NDArray[np.int64]
    row_work: Float
    row_heat: Float
    input_work: Float
    reaction_work: Float
    impact: Float = field(default_factory=lambda: np.zeros(1))

    @classmethod
    def start(cls, system: System, q: Float | None = None, v: Float | None = None, t: float = 0.0) -> State:
        """State at rest in the given position with the system's initial speeds (or ``v``)."""
        s = system.shape
        return cls(
            t=t,
            q=np.zeros(s.coordinates) if q is None else np.array(q, float),
            v=system.v0.copy() if v is None else np.array(v, float),
            phi=np.zeros(s.rigid),
            phi_low=np.zeros(s.rigid),
            z=system.z0.copy(),
            modes=np.full(s.laws, START, np.int64),
            friction=np.full(s.friction, 2, np.int64),
            row_work=np.zeros(s.rows),
            row_heat=np.zeros(s.rows),
            input_work=np.zeros(s.inputs),
            reaction_work=np.zeros(s.coordinates),
        )

    def copy(self) -> State:
        """An independent copy."""
        return replace(self, **{k: v.copy() for k, v in vars(self).items() if isinstance(v, np.ndarray)})  # type: ignore[arg-type]

    def deflections(self, system: System) -> tuple[Float, Float]:
        """Deflection and rate of every row (m)."""
        d = np.asarray(system.D @ self.q) + system.arrays.off
        if system.shape.rigid:
            d = d + self.phi @ system.rho
        return d, np.asarray(system.D @ self.v)


class Leaps(NamedTuple):
    """Jumps of channels between the samples of a chunk, an entry for each channel that jumps, in the order of time.

    ``at``: number of the sample of the chunk before which the jump is; ``column``: the channel; ``before, after``: the limits of
    its value from both sides.
    """

    at: NDArray[np.int64]
    column: NDArray[np.int64]
    before: Float
    after: Float

    def part(self, start: int, end: int, shift: int) -> Leaps:
        """Those before samples start to end, these numbered from ``shift`` on."""
        chosen = slice(*np.searchsorted(self.at, (start, end)))
        return Leaps(self.at[chosen] - start + shift, self.column[chosen], self.before[chosen], self.after[chosen])


def in_order(one: Leaps | None, two: Leaps | None) -> Leaps | None:
    """Jumps of two lists in the order of time."""
    if one is None or two is None:
        return two if one is None else one
    order = np.argsort(np.concatenate([one.at, two.at]), kind="stable")
    return Leaps(*(np.concatenate(parts)[order] for parts in zip(one, two, strict=True)))


class Block(NamedTuple):
    """One chunk of a run: ``lines`` (k, channels) at ``time`` (k,), uniform spacing; what jumps between them, if anything."""

    time: Float
    lines: Float
    leaps: Leaps | None = None


def joined(one: Block, two: Block) -> Block:
    """Two chunks that follow each other as one."""
    found = [
        leaps._replace(at=leaps.at + shift)
        for leaps, shift in ((one.leaps, 0), (two.leaps, len(one.time)))
        if leaps is not None
    ]
    leaps = Leaps(*(np.concatenate(parts) for parts in zip(*found, strict=True))) if found else None
    return Block(np.concatenate([one.time, two.time]), np.vstack([one.lines, two.lines]), leaps)


class Diverged(RunError):
    """A run that cannot go on; carries the time, the row and what is known."""

    def __init__(self, message: str, time: float, row: str = ""):
        super().__init__(message)
        self.time = time
        self.row = row
