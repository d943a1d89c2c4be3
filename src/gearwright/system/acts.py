"""Acts of rows, and how rows with their acts lie in flat arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.errors import InputError
from gearwright.kernels import Compiled

from .law import Law

Coefficients = Mapping[str, float]
#: Fields of :class:`~gearwright.system.arrays.Arrays` by name.
Part = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Spring:
    """``f = k d + c (dv - v0)``: constant mesh, bearing, shaft, speed slope of a load. SI, row units.

    ``pull`` allows a negative stiffness: a force that grows away from the rest position (magnetic pull). Such a row
    holds nothing.
    """

    k: float
    c: float = 0.0
    v0: float = 0.0
    pull: bool = False


@dataclass(frozen=True)
class Hard:
    """A demand on the rate of a row: ``dv = rate(t)`` (zero without a signal); the force is a multiplier.

    ``compliance`` [m/N] weighs the split of the force among redundant hard rows.
    """

    rate: str | None = None
    compliance: float = 1.0


@dataclass(frozen=True)
class Friction:
    """``|f| <= mu |f_normal| + cap + signal``, opposing the rate of the row.

    ``normal`` names the row whose force presses (None for a plain capacity). ``mu1`` holds where
    ``f_normal dv > 0`` (the first wheel drives), ``mu2`` where it is negative. Without a normal row they are
    capacities added for positive and for negative motion (a one-way clutch has none in its free sense). ``table`` gives
    ``(|rate|, mu1, mu2)`` at rising rates instead of both, straight lines between and constant beyond.

    At zero rate the law is set-valued, unless ``smooth`` is given, the rate at which a tanh reaches tanh(1) of the
    capacity, or ``switch``: then the force is ``s mu f_normal``, where a machine with the states -1, 0, +1 sets ``s`` to the
    sign of the power ``f_normal dv``, with ``switch`` as half-width [W] of its hysteresis (S3, section 9); it never sticks.
    """

    normal: str | None = None
    mu1: float = 0.0
    mu2: float = 0.0
    cap: float = 0.0
    signal: str | None = None
    smooth: float = 0.0
    switch: float = 0.0
    table: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True)
class Row:
    """A row by name: coefficients per coordinate and the constant ``off`` of its deflection."""

    name: str
    coefficients: Coefficients
    off: float = 0.0


class BuildError(InputError):
    """A system that cannot be made; the message names the row, block or coordinate."""


def checked_frictions(rows: Sequence[tuple[Row, Friction]]) -> None:
    """Raise BuildError for a friction row whose treatment or table cannot be."""
    for row, act in rows:
        if act.switch > 0.0 and (act.normal is None or act.smooth > 0.0 or act.cap > 0.0 or act.signal):
            raise BuildError(f"row '{row.name}': a switched friction has a normal row and no capacity of its own")
        if any(after[0] <= before[0] for before, after in pairwise(act.table)):
            raise BuildError(f"row '{row.name}': the rates of a friction table rise")


def checked_springs(rows: Sequence[tuple[Row, Spring]]) -> None:
    """Raise BuildError for a spring that would push away, or a damper that would drive."""
    for row, act in rows:
        if not ((act.k >= 0.0 or act.pull) and act.c >= 0.0):
            raise BuildError(f"row '{row.name}': stiffness and damping must not be negative ({act.k:g}, {act.c:g})")


def spring_arrays(acts: Sequence[Spring]) -> Part:
    """Springs, the last rows."""
    return {
        "k": f8([a.k for a in acts]),
        "c": f8([a.c for a in acts]),
        "f0": f8([-a.c * a.v0 for a in acts]),
    }


def hard_arrays(rows: Sequence[tuple[Row, Hard]], number: Mapping[str, int], signals: Mapping[str, int]) -> Part:
    """Hard rows; ``number`` of rows, ``signals`` by name."""
    return {
        "hard": u4([number[r.name] for r, _ in rows]),
        "rate": i8([signals[a.rate] if a.rate else -1 for _, a in rows]),
        "compliance": f8([a.compliance for _, a in rows]),
    }


def friction_arrays(
    rows: Sequence[tuple[Row, Friction]], number: Mapping[str, int], signals: Mapping[str, int]
) -> Part:
    """Friction rows; ``number`` of rows, ``signals`` by name."""
    acts = [a for _, a in rows]
    return {
        "fric": u4([number[r.name] for r, _ in rows]),
        "fnorm": i8([number[a.normal] if a.normal else -1 for a in acts]),
        "fmu1": f8([a.mu1 for a in acts]),
        "fmu2": f8([a.mu2 for a in acts]),
        "fcap": f8([a.cap for a in acts]),
        "fsig": i8([signals[a.signal] if a.signal else -1 for a in acts]),
        "fvel": f8([a.smooth for a in acts]),
        "fhys": f8([a.switch for a in acts]),
        "ftp": u4(np.cumsum([0] + [len(a.table) for a in acts])),
        "ftab": f8([x for a in acts for point in a.table for x in point]),
    }


def law_arrays(laws: Sequence[Law], first: NDArray[np.uint32]) -> Part:
    """Laws; ``first`` row of every block."""
    return {
        "laddr": i8([law.force.address for law in laws]),
        "lguard": i8([law.guard.address if law.guard else 0 for law in laws]),
        "lrow": first,
        "lnf": u4([law.rows for law in laws]),
        "lns": u4([law.senses for law in laws]),
        "lp": u4(np.cumsum([0] + [len(law.parameters) for law in laws])),
        "lz": u4(np.cumsum([0] + [len(law.states) for law in laws])),
        "par": np.concatenate([*(np.asarray(law.parameters, np.float64) for law in laws), np.zeros(4)]),
    }


def moving_arrays(moving: Sequence[tuple[list[str], Compiled, tuple[float, ...]]], number: Mapping[str, int]) -> Part:
    """Groups of rows whose coefficients a geometry function rewrites. Raises BuildError where a group has gaps."""
    groups = [[number[name] for name in group] for group, _, _ in moving]
    for indices, (group, _, _) in zip(groups, moving, strict=True):
        if indices != list(range(indices[0], indices[0] + len(indices))):
            raise BuildError(f"moving rows {group} must follow each other and share one act")
    return {
        "gaddr": i8([function.address for _, function, _ in moving]),
        "grow": u4([indices[0] for indices in groups]),
        "gn": u4([len(indices) for indices in groups]),
        "gp": u4(np.cumsum([0] + [len(values) for _, _, values in moving])),
        "gpar": f8([x for _, _, values in moving for x in values]),
    }


def f8(values: Any) -> NDArray[Any]:
    """Real numbers in a row."""
    return np.ascontiguousarray(np.asarray(list(values) if not isinstance(values, np.ndarray) else values, np.float64))


def u4(values: Any) -> NDArray[Any]:
    """Places in a row."""
    return np.ascontiguousarray(
        np.asarray(list(values) if not isinstance(values, np.ndarray) else values).astype(np.uint32)
    )


def i8(values: Any) -> NDArray[Any]:
    """Whole numbers in a row."""
    return np.ascontiguousarray(
        np.asarray(list(values) if not isinstance(values, np.ndarray) else values).astype(np.int64)
    )
