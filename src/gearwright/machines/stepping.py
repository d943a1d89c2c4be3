"""Stepping a machine inside a loop: its states by Runge-Kutta over one exchange step, grid from a table.

The machine goes first with the speed of its shaft extrapolated; voltage, frequency and negative sequence are taken
one-sided at the ends of the step, so that a jump belongs to one step only (numerics page 2, section 5).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.kernels import START, hot, kernel
from gearwright.kernels.law_functions import law_force, law_guard
from gearwright.kernels.pointers import f8, shift
from gearwright.system import Law

#: places of the signals that a machine reads: voltage [p.u.], torque reference [N m], frequency [p.u.], voltage of the
#: negative sequence [p.u.]
VOLTAGE, REFERENCE, FREQUENCY, NEGATIVE = range(4)
#: columns of a table of the grid
GRID_VOLTAGE, GRID_FREQUENCY, GRID_NEGATIVE = range(3)


class Electric(NamedTuple):
    """A machine as a law: address of its force (0: torque by reference with a lag), sub-steps per exchange step,
    parameters, states (four stages, then the committed state), rates (four), angle, speed, torque; signals; address of
    its guard (0: none), its mode and the guard's
    margin; scratch for the grid at both ends of a step."""

    address: int
    parts: int
    parameters: Float
    state: Float
    rates: Float
    angle: Float
    speed: Float
    torque: Float
    signals: Float
    guard: int
    mode: NDArray[np.int64]
    margin: Float
    ends: Float


def electric(law: Law | None, parts: int) -> Electric:
    """A machine of a law, or none."""
    one = (np.zeros(1), np.zeros(1), np.zeros(1), np.array([1.0, 0.0, 1.0, 0.0]))
    if law is None:
        return Electric(
            0, 1, np.zeros(1), np.zeros(5), np.zeros(4), *one, 0, np.zeros(1, np.int64), np.zeros(2), np.zeros(6)
        )
    n = len(law.states)
    state = np.concatenate([np.zeros(4 * n), law.states])
    guard = law.guard.address if law.guard is not None else 0
    mode = np.full(1, START if guard else 0, np.int64)
    return Electric(
        law.force.address,
        parts,
        np.array(law.parameters),
        state,
        np.zeros(4 * n),
        *one,
        guard,
        mode,
        np.zeros(2),
        np.zeros(6),
    )


@hot
def from_right(time, table, column, t):  # type: ignore[no-untyped-def]
    """A column of a piecewise linear table (n, columns), held outside; at a jump (two equal times) the later value."""
    n = time.shape[0]
    i = n - 1
    while i > 0 and time[i] > t:
        i -= 1
    if i >= n - 1 or t <= time[0]:
        return table[i, column]
    return table[i, column] + (table[i + 1, column] - table[i, column]) * (t - time[i]) / (time[i + 1] - time[i])


@hot
def from_left(time, table, column, t):  # type: ignore[no-untyped-def]
    """The same from the left: at a jump the earlier value."""
    n = time.shape[0]
    i = 0
    while i < n - 1 and time[i + 1] < t:
        i += 1
    if i >= n - 1 or t <= time[0]:
        return table[i, column]
    return table[i, column] + (table[i + 1, column] - table[i, column]) * (t - time[i]) / (time[i + 1] - time[i])


@hot
def grid_ends(time, table, begin, end, ends):  # type: ignore[no-untyped-def]
    """What the grid does over a step, into ``ends`` (6): the three columns just after its begin and just before its end."""
    n = time.shape[0]
    i = n - 1
    while i > 0 and time[i] > begin:
        i -= 1
    j = i
    while j < n - 1 and time[j + 1] < end:
        j += 1
    for side in range(2):
        k, t = (i, begin) if side == 0 else (j, end)
        for column in range(3):
            value = table[k, column]
            if k < n - 1 and t > time[k] and time[k + 1] > time[k]:
                value += (table[k + 1, column] - value) * (t - time[k]) / (time[k + 1] - time[k])
            ends[3 * side + column] = value


@hot
def electric_step(machine, t, step, speed, slope, reference, time, table, sense):  # type: ignore[no-untyped-def]
    """One step of a machine: its states move on; braking torque at the begin returned, at the end in ``machine.torque[0]``.

    ``time`` and ``table`` are those of the grid. The speed of the shaft is extrapolated with ``slope``; what the grid
    does is linear between its one-sided values at the ends. A guard is asked after every sub-step.
    """
    address, parts, p, z, rates, d, dv, f, s = (
        machine.address,
        machine.parts,
        machine.parameters,
        machine.state,
        machine.rates,
        machine.angle,
        machine.speed,
        machine.torque,
        machine.signals,
    )
    guard, modes, margin = machine.guard, machine.mode, machine.margin
    d_, dv_, p_, f_, s_ = f8(d.ctypes.data), f8(dv.ctypes.data), f8(p.ctypes.data), f8(f.ctypes.data), f8(s.ctypes.data)
    z_, rates_, margin_ = f8(z.ctypes.data), f8(rates.ctypes.data), f8(margin.ctypes.data)
    n = z.shape[0] // 5
    h = step / parts
    begin = 0.0
    ends = machine.ends
    grid_ends(time, table, t, t + step, ends)
    v0, f0, n0, v1, f1, n1 = ends[0], ends[1], ends[2], ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]
    s[1] = reference
    for part in range(parts + 1):
        tau = part * h
        dv[0] = speed + slope * tau
        s[0], s[2], s[3] = v0 + v1 * tau / step, f0 + f1 * tau / step, n0 + n1 * tau / step
        if guard != 0:
            for _ in range(4):
                mode = law_guard(guard, t + tau, d_, dv_, p_, shift(z_, 4 * n), s_, modes[0], margin_)
                if modes[0] == START:
                    modes[0] = mode
                    continue
                if margin[0] > 0.0:
                    break
                modes[0] = mode
        for stage in range(4):
            later = 0.0
            if stage > 0:
                later = h if stage == 3 else 0.5 * h
            for i in range(n):
                z[stage * n + i] = z[4 * n + i] + (later * rates[(stage - 1) * n + i] if stage > 0 else 0.0)
            x = tau + later
            dv[0] = speed + slope * x
            s[0], s[2], s[3] = v0 + v1 * x / step, f0 + f1 * x / step, n0 + n1 * x / step
            own, moved = shift(z_, stage * n), shift(rates_, stage * n)
            law_force(address, t + x, d_, dv_, p_, own, s_, modes[0], f_, moved)
            if part == 0 and stage == 0:
                begin = sense * f[0]
            if part == parts:
                break
        if part < parts:
            for i in range(n):
                z[4 * n + i] += h / 6.0 * (rates[i] + 2.0 * rates[n + i] + 2.0 * rates[2 * n + i] + rates[3 * n + i])
    return begin


@kernel
def march(
    machine, start, step, steps, shaft_time, shaft, reference_time, reference, time, table, sense, torque, states
):  # type: ignore[no-untyped-def]
    """Step a machine whose speed and torque reference are given over time.

    ``shaft`` and ``reference`` are (n, 1) tables. Writes the braking torque, begin and end of each step (steps, 2), and
    the states at its end (steps, states).
    """
    n = machine.state.shape[0] // 5
    for k in range(steps):
        t = start + k * step
        w0, w1 = from_right(shaft_time, shaft, 0, t), from_left(shaft_time, shaft, 0, t + step)
        asked = from_right(reference_time, reference, 0, t)
        torque[k, 0] = electric_step(machine, t, step, sense * w0, sense * (w1 - w0) / step, asked, time, table, sense)
        torque[k, 1] = sense * machine.torque[0]
        for i in range(n):
            states[k, i] = machine.state[4 * n + i]
