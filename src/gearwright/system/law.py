"""What a law is, for everyone who makes one or runs one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels import Compiled


class Pieces(NamedTuple):
    """A law that is linear in pieces: what the exact engine needs to know of it.

    Force row ``r`` in phase piece ``j`` (of the first sense row of the block, in cycles; piece ``j`` runs from
    ``boundaries[j]`` to the next boundary, the last one to ``boundaries[0] + 1``):

        f = stiffness[r][j] (d - gap[r]) + damping[r] dv

    where ``gap[r]`` is None for a row that is always in contact; otherwise the row acts only beyond its gap
    and never pulls. A law without boundaries has one piece and needs no sense row.
    """

    boundaries: tuple[float, ...]
    stiffness: tuple[tuple[float, ...], ...]
    damping: tuple[float, ...]
    gap: tuple[float | None, ...]


class Course(NamedTuple):
    """A stiffness that varies smoothly in pieces of the phase of the first sense row: what the exponential engine
    needs to know of a law with one force row

        f = k(phase) d + damping dv

    Piece ``j`` of the phase (in cycles) runs from ``boundaries[j]`` to the next boundary, the last one to
    ``boundaries[0] + 1``; without a second boundary the course is smooth over its seam. ``cells[j]`` divides the piece
    evenly: each is a cubic by its four coefficients over its local coordinate from 0 to 1.
    """

    boundaries: tuple[float, ...]
    cells: tuple[tuple[tuple[float, float, float, float], ...], ...]
    damping: float


class Law(NamedTuple):
    """A compiled law with its parameters, ready to be attached to a block of rows.

    ``rows`` force rows are followed by ``senses`` sense rows (rows that are read and carry no force).
    ``mean`` holds the mean tangent stiffness and damping of each force row, for modes and for the reference
    of the exponential engine; without it they are found by central differences. ``damping`` is the constant
    damping whose heat the energy book can tell apart (zero where there is none). ``energy(d, dv, z, mode)``
    gives the stored energy [J], for the energy book. ``label`` and ``source`` are for people.

    What a law writes into the forces of its sense rows acts on nothing: it reports (a contact's speed, a power), and
    channels read it like a force.
    """

    force: Compiled
    parameters: Sequence[float] | NDArray[np.float64]
    rows: int = 1
    senses: int = 0
    guard: Compiled | None = None
    states: tuple[float, ...] = ()
    mean: tuple[tuple[float, ...], tuple[float, ...]] | None = None
    damping: tuple[float, ...] = ()
    pieces: Pieces | None = None
    course: Course | None = None
    energy: Callable[..., float] | None = None
    #: phases (fractions of a cycle of the first sense row) at which the law has a kink without being piecewise linear
    corners: tuple[float, ...] = ()
    #: evenly spaced places of the period whose mean stands for the period where there are no corners
    places: int = 64
    #: whether the force has no kinks at all, so that steps of any method need not look for them
    smooth: bool = False
    #: period of the first sense row over which linear analyses average; 0: taken where it is
    period: float = 1.0
    #: kinds of heat [J] that the last states integrate, one name a state (``friction``, ``damping``): nothing depends on
    #: these states, no step is shortened for them, and the energy book takes them as they are
    heat: tuple[str, ...] = ()
    #: whether stiffness that varies by itself does work of its own; if not, the energy book checks the law instead
    parametric: bool = True
    #: which force rows hold a rigid motion, where not all do (a row may only carry work along the way)
    holds: tuple[bool, ...] | None = None
    #: when the law bends next, at places that move with its deflections: a guard's signature, ``g[0]`` in: the least time
    #: [s] that counts, out: the time to the next bend as the rates foresee it, infinite if none; steps end near it
    ahead: Compiled | None = None
    #: distance of each flank to contact [m] (negative: in contact), a guard's signature, one number per force row: where the force of a
    #: law without a guard bends, for programs that integrate it themselves
    opens: Compiled | None = None
    #: the law for eight blocks at once and, if it foresees that, when the first of them bends: see gearwright.kernels.
    #: law_functions.together and foreseer
    together: tuple[Compiled, ...] | None = None
    #: how many of its parameters it then wants in columns; None: all
    columns: int | None = None
    #: stiffness and damping (rows, rows) at given deflections of all rows, means over a cycle of the first sense row, in closed
    #: form: for laws with many rows, whose central differences linear analyses would otherwise take
    tangent: Callable[..., tuple[Any, Any]] | None = None
    label: str = "law"
    source: str = ""

    @property
    def leaps(self) -> bool:
        """Whether the stiffness jumps over the phase, as far as the law declares it."""
        if self.pieces is not None:
            return any(len(set(levels)) > 1 for levels in self.pieces.stiffness)
        if self.course is None or len(self.course.boundaries) < 2:
            return False
        ends = [(cells[0][0], sum(cells[-1])) for cells in self.course.cells]
        return any(abs(begin - ends[i - 1][1]) > 1e-6 * abs(begin) for i, (begin, _) in enumerate(ends))
