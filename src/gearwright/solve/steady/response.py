"""Linearised frequency response of any channel to any input.

    (-w^2 M + i w C + K) q = Q        with Q a force on a coordinate, or -D_r^T (k_r + i w c_r) for a unit
                                      displacement that is imposed on row r (transmission error)

solved in the basis of the undamped modes, where the rigid motions have no stiffness to round off, with the
full damping matrix there (``direct``) or with its diagonal and a limited number of modes (``modal``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.system import Channel, Source, State, System

from .modes import free_motions, held_rows
from .rows import row_matrices

Float = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Response:
    """Complex response per unit input.

    Attributes
    ----------
    frequencies_hz : (f,) excitation frequencies
    values : (f, outputs) output over input; the input is cos(w t), the output Re(value exp(i w t))
    outputs : names of the outputs
    input : name of the coordinate or row that is excited
    """

    frequencies_hz: Float
    values: Complex
    outputs: tuple[str, ...]
    input: str

    def __getitem__(self, output: str) -> Complex:
        """Values of one output, (f,)."""
        return np.asarray(self.values[:, self.outputs.index(output)])


def response(
    system: System,
    excited: str,
    outputs: Sequence[str | Channel],
    frequencies_hz: ArrayLike,
    *,
    state: State | None = None,
    method: Literal["direct", "modal"] = "direct",
    modes: int | None = None,
) -> Response:
    """Frequency response about a state, laws by their mean or tangents as in :func:`~.modes.modes`.

    Parameters
    ----------
    excited : a coordinate: unit force on it [N or N m], or unit displacement [m or rad] if it is prescribed;
        or a force row: unit displacement added to its deflection, the excitation by transmission error
    outputs : channels (or their names, ``element.quantity``), row names (force) or coordinate names
        (displacement, rigid part included)
    frequencies_hz : (f,) positive; zero only where no rigid motion is free
    method : ``direct`` takes the full damping matrix; ``modal`` its diagonal in the undamped modes
    modes : number of modes kept by ``modal``, rigid ones included; all by default

    Raises ValueError for an unknown name, an output that has no linear response (a state of a law), a
    frequency of zero with a free rigid motion, or ``modes`` given to ``direct``.
    """
    if method not in ("direct", "modal"):
        raise ValueError(f"method '{method}' is not one of direct, modal")
    if method == "direct" and modes is not None:
        raise ValueError("a direct response takes all modes; ask for method 'modal' to keep some")
    w = 2 * np.pi * np.atleast_1d(np.asarray(frequencies_hz, float))
    free = free_motions(system, state)
    if (w <= 0).any() and free.unit.shape[1]:
        raise ValueError("a free rigid motion has no response at frequency zero")
    q_at, v_at, t = (None, None, 0.0) if state is None else (state.q, state.v, state.t)
    mass, k, c = system.linear(q_at, v_at, t)
    row_k, row_c = row_matrices(system, q_at, v_at, t)
    rows = system.D.toarray()

    square, x = np.linalg.eigh(free.elastic.T @ (0.5 * (k + k.T)) @ free.elastic)
    phi = np.hstack([free.unit, free.elastic @ x])[:, :modes]
    stiffness = phi.T @ k @ phi
    r = free.unit.shape[1]
    stiffness[:r] = stiffness[:, :r] = 0.0
    damping = phi.T @ c @ phi
    if method == "modal":
        stiffness = np.diag(np.concatenate([np.zeros(r), square])[:modes])
        damping = np.diag(np.diag(damping))

    load, base, on_row = _excitation(system, excited, mass, k, c, row_k, row_c, w, state)
    dynamic = -(w**2)[:, None, None] * np.eye(phi.shape[1]) + 1j * w[:, None, None] * damping + stiffness
    amount = np.linalg.solve(dynamic, (load @ phi)[:, :, None])[:, :, 0]
    q = amount @ phi.T + base
    stretch = rows @ phi  # a rigid motion stretches nothing, to the last digit
    stretch[np.abs(stretch) <= 1e-12 * (np.abs(rows) @ np.abs(phi))] = 0.0
    deflection = amount @ stretch.T + base @ rows.T + on_row
    force = deflection @ row_k.T + 1j * w[:, None] * (deflection @ row_c.T)
    names, values = [], np.zeros((len(w), len(outputs)), complex)
    for j, output in enumerate(outputs):
        name, values[:, j] = _output(system, output, q, force, w)
        names.append(name)
    return Response(w / (2 * np.pi), values, tuple(names), excited)


def _excitation(
    system: System,
    excited: str,
    mass: Float,
    k: Float,
    c: Float,
    row_k: Float,
    row_c: Float,
    w: Float,
    state: State | None,
) -> tuple[Complex, Complex, Complex]:
    """Generalised force (f, n), imposed motion (f, n) and imposed deflection (f, m)."""
    n, m = system.shape.coordinates, system.shape.rows
    load = np.zeros((len(w), n), complex)
    base, on_row = np.zeros((len(w), n), complex), np.zeros((len(w), m), complex)
    if excited in system.coordinates:
        i = system.coordinates.index(excited)
        if i in system.prescribed:
            held = held_rows(system, state)
            move = _followers(held, list(system.prescribed).index(i))
            base[:] = move
            dynamic = -(w**2)[:, None, None] * mass + 1j * w[:, None, None] * c + k
            load = -dynamic @ move
        else:
            load[:, i] = 1.0
    elif excited in system.rows:
        row = system.rows.index(excited)
        if not (row_k[:, row].any() or row_c[:, row].any()):
            raise ValueError(f"row '{excited}' has neither stiffness nor damping: a displacement there excites nothing")
        on_row[:, row] = 1.0
        force = row_k[:, row] + 1j * w[:, None] * row_c[:, row]
        load = -force @ system.D.toarray()
    else:
        raise ValueError(f"'{excited}' is neither a coordinate nor a row; coordinates: {', '.join(system.coordinates)}")
    return load, base, on_row


def _followers(held: Float, which: int) -> Float:
    """Smallest motion that moves one held row by 1 and leaves the others."""
    demand = np.zeros(len(held))
    demand[which] = 1.0
    return np.asarray(np.linalg.lstsq(held, demand, rcond=None)[0])


def _output(system: System, output: str | Channel, q: Complex, force: Complex, w: Float) -> tuple[str, Complex]:
    if isinstance(output, str) and output not in {c.name for c in system.channels}:
        if output in system.rows:
            return output, force[:, system.rows.index(output)]
        if output in system.coordinates:
            return output, q[:, system.coordinates.index(output)]
        known = ", ".join(c.name for c in system.channels) or ", ".join(system.rows)
        raise ValueError(f"'{output}' is neither a channel, a row nor a coordinate; there are {known}")
    channel = output if isinstance(output, Channel) else next(c for c in system.channels if c.name == output)
    total = np.zeros(len(w), complex)
    for source, index, value in channel.terms:
        if source is Source.FORCE:
            total += value * force[:, index]
        elif source is Source.POSITION:
            total += value * q[:, index]
        elif source is Source.SPEED:
            total += value * 1j * w * q[:, index]
        elif source is Source.ACCELERATION:
            total -= value * w**2 * q[:, index]
        elif source is Source.STATE:
            raise ValueError(f"channel '{channel.name}' reads a state of a law, which is not linearised")
    return channel.name, total
