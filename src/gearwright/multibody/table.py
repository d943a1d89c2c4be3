"""Fills the table (:mod:`.slots`) of the compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.kernels.ahead import ahead

from . import motion
from . import slots as T
from .arrays import Arrays, Place, Work


def table(m: Arrays, s: Place, w: Work) -> NDArray[np.int64]:
    """The table of a mechanism, a state and a workspace, which the caller keeps alive."""
    H = np.zeros(T.SIZE, np.int64)
    fill(H, 0, (*m, *s, *w))
    H[T.BODIES : T.SIZE] = (
        len(m.mass),
        len(m.kind),
        len(m.pairs),
        len(m.load_body),
        len(m.follow),
        len(m.couple),
        len(m.law),
        len(s.states),
        len(m.signal_table),
        len(m.pressed),
        motion.see.address,
        motion.factorise.address,
        motion.respond.address,
    )
    return H


def fill(H: NDArray[np.int64], first: int, values: Any) -> None:
    """Enter arrays and numbers, one slot each. Raises TypeError for what a pointer cannot walk through."""
    for k, x in enumerate(values, first):
        if isinstance(x, int):
            H[k] = x
            continue
        if not x.flags.c_contiguous or x.dtype not in (np.float64, np.int64):
            raise TypeError(f"slot {k}: numbers of eight bytes without gaps are wanted, not {x.dtype} {x.strides}")
        H[k] = x.ctypes.data


def look(m: Arrays, s: Place, w: Work, t: float = 0.0, left: bool = False) -> bool:
    """Values, Jacobian and forces of a state, in the workspace; False where the rows are singular."""
    return bool(motion.seen(table(m, s, w), float(t), int(left)))


def move(m: Arrays, s: Place, w: Work, change: NDArray[np.floating[Any]]) -> None:
    """Displace a state by small motions (bodies x 6, rotations in body axes)."""
    motion.moved(table(m, s, w), np.ascontiguousarray(change, float))


def compile_ahead() -> None:
    """What any mechanism needs of compiled code, shared between two processes where it is not on disk yet."""
    H = np.zeros(1, np.int64)
    ahead(
        [
            (motion.see, ()),
            (motion.factorise, ()),
            (motion.respond, ()),
            (motion.seen, (H, 0.0, 0)),
            (motion.moved, (H, np.zeros((1, 6)))),
            (motion.loop, (H, 0.0, 0.0, 0, 1, 0.0, True)),
        ]
    )
