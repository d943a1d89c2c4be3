"""Steady power flow of a rigid train with losses: speeds, row forces, torques, by linear algebra.

Members with speeds ``w`` (n), rows ``C w = 0`` (m, n); a row force ``F > 0`` puts the torque ``-C^T F`` on the
members. A loss ``l`` of row ``k`` is a second row ``D_l`` pressed by the first: its force is ``s mu |F_k|`` with ``s`` the
sign of its own rate ``D_l w``, so that the members feel ``(C_k + e_l D_l)^T F_k`` with ``e_l = s mu sign(F_k)`` and
the loss is ``mu |F_k| |D_l w|``, never negative. Steady balance, torques ``T`` from outside::

    (C + sum of e_l D_l)^T F = T

Redundant rows (several planets) share by stiffness: ``F = K C x``, the limit of stiff springs.
Source: planetary trains as constraint rows (S3), sections 4 to 6 of its digest; the set-up is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.errors import InputError

#: Singular values below this part of the largest count as zero.
RANK = 1e-9
#: Row forces below this part of the largest are unloaded: their sign decides nothing.
UNLOADED = 1e-11


class PowerFlowError(InputError):
    """An operating point that cannot be solved; the message says what is missing or too much."""


@dataclass(frozen=True)
class Loss:
    """Loss of a row: the row of its rate, and ``mu1`` where the first wheel drives (``F D w > 0``), else ``mu2``."""

    row: int
    rate: Float
    mu1: float
    mu2: float
    name: str = ""


@dataclass(frozen=True)
class Drag:
    """A torque against the rate of a row (n): ``constant`` [N m] and ``viscous`` [N m s/rad]."""

    rate: Float
    constant: float
    viscous: float
    name: str = ""

    def torque(self, w: Float) -> float:
        """Torque along the row, opposing its rate; none at rest, where drag only holds."""
        speed = float(self.rate @ w)
        return self.constant * float(np.sign(speed)) + self.viscous * speed


@dataclass(frozen=True)
class Flow:
    """Solution: speeds and outside torques of the members (n), row forces (m), power lost in every loss and drag."""

    speeds: Float
    torques: Float
    forces: Float
    losses: Float
    drags: Float
    #: sign of every loss: -1, 0 (unloaded or at rest), +1
    signs: NDArray[np.int64]
    redundant: int
    #: (m, n) row ``k`` gives the torques ``-felt[k] * forces[k]`` to the members, its losses included
    felt: Float


def rank_of(matrix: Float) -> int:
    """Rank with rows scaled to one."""
    size = np.linalg.norm(matrix, axis=1)
    if not (size > 0.0).any():
        return 0
    values = np.linalg.svd(matrix[size > 0.0] / size[size > 0.0, None], compute_uv=False)
    return int((values > RANK * values[0]).sum())


def solve_speeds(rows: Float, names: Sequence[str], given: Mapping[int, float]) -> Float:
    """Speeds (n) of all members from prescribed ones.

    Raises PowerFlowError where speeds are missing (and of whom) or contradict the rows.
    """
    n = rows.shape[1]
    held = np.zeros((len(given), n))
    value = np.zeros(rows.shape[0] + len(given))
    for i, (member, speed) in enumerate(given.items()):
        held[i, member] = 1.0
        value[rows.shape[0] + i] = speed
    size = np.linalg.norm(rows, axis=1, keepdims=True)
    system = np.vstack([rows / np.where(size > 0.0, size, 1.0), held])
    left, values, right = np.linalg.svd(system, full_matrices=True)
    rank = int((values > RANK * values[0]).sum()) if len(values) and values[0] > 0.0 else 0
    if rank < n:
        free = right[rank:]
        moving = [names[i] for i in range(n) if np.abs(free[:, i]).max() > 1e-6]
        raise PowerFlowError(
            f"{n - rank} more speed{'s' if n - rank > 1 else ''} must be given or held (operating.fixed, "
            f"operating.speeds): these can still turn by themselves: {', '.join(moving[:12])}"
        )
    w: Float = right[:rank].T @ ((left[:, :rank].T @ value) / values[:rank])
    scale = max(np.abs(value).max(initial=0.0), np.abs(w).max(initial=0.0), 1e-300)
    # one correction against round-off: ratios of 256 come out of differences of tooth numbers
    w = w + right[:rank].T @ ((left[:, :rank].T @ (value - system @ w)) / values[:rank])
    if np.abs(system @ w - value).max(initial=0.0) > 1e-9 * scale:
        raise PowerFlowError(
            "too many speeds are given: "
            + ", ".join(f"{names[i]} = {v:g} rad/s" for i, v in given.items())
            + " contradict each other through the meshes; leave one out"
        )
    w[np.abs(w) < 1e-13 * scale] = 0.0
    for member, speed in given.items():
        w[member] = speed
    return w


def _check_torques(rows: Float, names: Sequence[str], unknown: Sequence[int]) -> list[int]:
    """Members whose torques are known, once it is sure that the unknown ones follow from them."""
    n = rows.shape[1]
    known = [i for i in range(n) if i not in set(unknown)]
    wanted = n - rank_of(rows)
    who = ", ".join(names[i] for i in unknown) or "none"
    if len(unknown) > wanted:
        raise PowerFlowError(
            f"torques are missing: {len(unknown)} are open ({who}) and the train determines {wanted}; give "
            f"{len(unknown) - wanted} of them (operating.torques)"
        )
    if len(unknown) < wanted:
        raise PowerFlowError(
            f"too many torques are given: {wanted} must stay open for the balance and {len(unknown)} "
            f"{'are' if len(unknown) != 1 else 'is'} ({who}); name what is held, the output, or operating.reactions"
        )
    if known and rank_of(rows[:, known].T) < len(known):
        raise PowerFlowError(
            f"the open torques ({who}) cannot balance the others: a part of the train turns without them; hold another member"
        )
    return known


def solve_flow(
    rows: Float,
    names: Sequence[str],
    compliance: Float,
    losses: Sequence[Loss],
    drags: Sequence[Drag],
    speeds: Mapping[int, float],
    torques: Mapping[int, float],
    unknown: Sequence[int],
) -> Flow:
    """Speeds, row forces and torques of an operating point.

    Parameters
    ----------
    rows : (m, n) row of every mesh, joint and engaged clutch
    names : members, for messages
    compliance : (m) weights of the split among redundant rows [m/N or any common unit]
    losses, drags : see the classes
    speeds : prescribed speeds by member [rad/s]
    torques : outside torques by member [N m]; members that are neither here nor in ``unknown`` have none
    unknown : members whose torques are sought

    Raises PowerFlowError: see :func:`solve_speeds`; torques missing or too many; losses without a solution.
    """
    w = solve_speeds(rows, names, speeds)
    known = _check_torques(rows, names, unknown)
    outside = np.zeros(len(names))
    for member, value in torques.items():
        outside[member] += value
    drag = np.array([d.torque(w) for d in drags])
    applied = outside - sum((d.rate * t for d, t in zip(drags, drag, strict=True)), np.zeros(len(names)))
    rates = np.array([loss.rate @ w for loss in losses])
    top = np.array([np.abs(loss.rate) @ np.abs(w) for loss in losses])
    still = np.abs(rates) <= 1e-12 * np.where(top > 0.0, top, 1.0)
    root = 1.0 / np.sqrt(compliance)
    basis, values, _ = np.linalg.svd(root[:, None] * rows[:, known], full_matrices=False)
    span = root[:, None] * basis[:, values > RANK * values.max(initial=1e-300)]
    signs = np.zeros(len(losses), np.int64)
    seen: list[tuple[int, ...]] = []
    while True:
        felt = rows.copy()
        for loss, rate, s in zip(losses, rates, signs, strict=True):
            mu = loss.mu1 if s * rate > 0.0 else loss.mu2
            felt[loss.row] += np.sign(rate) * mu * s * loss.rate
        forces = _forces(felt[:, known], span, applied[known], losses, names)
        size = np.abs(forces).max(initial=0.0)
        new = np.array(
            [
                0 if still[i] or abs(forces[x.row]) <= UNLOADED * size else int(np.sign(forces[x.row]))
                for i, x in enumerate(losses)
            ],
            np.int64,
        )
        if (new == signs).all():
            break
        if tuple(new) in seen:
            loss = losses[int(np.flatnonzero(new != signs)[0])]
            raise PowerFlowError(
                f"the loss of mesh '{loss.name}' is so large that no direction of its force fits its own loss: the train "
                f"jams there; make the loss smaller"
            )
        seen.append(tuple(new))
        signs = new
    for member in unknown:
        outside[member] = float(felt[:, member] @ forces) + outside[member] - applied[member]
    lost = np.array(
        [
            abs(forces[x.row] * rate) * (x.mu1 if s * rate > 0.0 else x.mu2) if s else 0.0
            for x, rate, s in zip(losses, rates, signs, strict=True)
        ]
    )
    dragged = np.array([t * float(d.rate @ w) for d, t in zip(drags, drag, strict=True)])
    direction = np.array([int(np.sign(s * r)) for s, r in zip(signs, rates, strict=True)], np.int64)
    return Flow(w, outside, forces, lost, dragged, direction, rows.shape[0] - rank_of(rows), felt)


def _forces(felt: Float, span: Float, torque: Float, losses: Sequence[Loss], names: Sequence[str]) -> Float:
    """Row forces in the span of elastic ones that balance the known torques."""
    matrix = felt.T @ span
    if not matrix.size:
        return np.zeros(felt.shape[0])
    try:
        y = np.linalg.solve(matrix, torque)
        y = y + np.linalg.solve(matrix, torque - matrix @ y)
    except np.linalg.LinAlgError:
        y = np.full(span.shape[1], np.nan)
    if not np.isfinite(y).all():
        worst = max(losses, key=lambda x: max(x.mu1, x.mu2), default=None)
        raise PowerFlowError(
            f"no finite forces balance these torques: the train jams"
            f"{f', most likely by the loss of mesh {worst.name!r}' if worst else ''}; make the loss smaller"
        )
    return span @ y
