"""A machine by itself: its torque at a given speed under a grid, its linear form, its poles."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gearwright.arrays import Float
from gearwright.system import Law

from .stepping import electric, march


@dataclass(frozen=True)
class Grid:
    """What the grid does: piecewise linear in ``time`` [s], held outside; two equal times are a jump.

    ``voltage``, ``frequency`` and ``negative`` (sequence) in p.u., one value a time.
    """

    time: Float
    voltage: Float
    frequency: Float
    negative: Float

    @classmethod
    def steady(cls) -> Grid:
        """Nominal voltage and frequency, balanced."""
        return cls(np.zeros(1), np.ones(1), np.ones(1), np.zeros(1))

    @classmethod
    def through(
        cls, time: ArrayLike, voltage: ArrayLike, *, frequency: ArrayLike = 1.0, negative: ArrayLike = 0.0
    ) -> Grid:
        """A grid from a voltage over time. Raises ValueError for times that fall or values below zero."""
        t = np.asarray(time, float)
        v, f, n = (np.broadcast_to(np.asarray(x, float), t.shape).copy() for x in (voltage, frequency, negative))
        if len(t) == 0 or (np.diff(t) < 0.0).any():
            raise ValueError("times of the grid must not fall")
        if (v < 0.0).any() or (f <= 0.0).any() or (n < 0.0).any():
            raise ValueError("voltages of the grid are not negative, frequencies positive")
        return cls(t, v, f, n)

    @property
    def table(self) -> Float:
        """(n, 3): voltage, frequency, negative sequence."""
        return np.ascontiguousarray(np.column_stack([self.voltage, self.frequency, self.negative]))

    def at(self, t: ArrayLike) -> tuple[Float, Float, Float]:
        """Voltage, frequency and negative sequence at times; at a jump the later value."""
        time = np.asarray(t, float)
        i = np.clip(np.searchsorted(self.time, time, side="right") - 1, 0, len(self.time) - 1)
        j = np.minimum(i + 1, len(self.time) - 1)
        width = self.time[j] - self.time[i]
        x = np.clip(np.divide(time - self.time[i], width, out=np.zeros_like(time), where=width > 0.0), 0.0, 1.0)
        v, f, n = (value[i] + (value[j] - value[i]) * x for value in (self.voltage, self.frequency, self.negative))
        return v, f, n


@dataclass(frozen=True)
class Alone:
    """A machine's run: ``torque`` [N m, braking] on ``time`` [s] and its ``states`` (n, states).

    Where the grid jumps, two samples stand at one time: before and after.
    """

    time: Float
    torque: Float
    states: Float


def run_alone(
    law: Law,
    speed: float,
    *,
    reference: float = 0.0,
    grid: Grid | None = None,
    duration: float = 1.0,
    step: float = 1e-3,
    parts: int = 2,
    shaft: tuple[ArrayLike, ArrayLike] | None = None,
    references: tuple[ArrayLike, ArrayLike] | None = None,
) -> Alone:
    """Step a machine at a speed [rad/s] under a torque reference [N m] and a grid.

    ``shaft`` gives (time, speed) and ``references`` (time, torque) over time instead. ``step`` is the exchange step,
    ``parts`` its sub-steps (25 us for the fifth order). The law is at rest at the begin.
    """
    grid = grid or Grid.steady()
    machine = electric(law, parts)
    steps = max(round(duration / step), 1)
    shaft_time, shaft_value = shaft if shaft is not None else ([0.0], [speed])
    asked_time, asked = references if references is not None else ([0.0], [reference])
    torque, states = np.zeros((steps, 2)), np.zeros((steps, max(len(law.states), 1)))
    march(
        machine,
        0.0,
        step,
        steps,
        np.asarray(shaft_time, float),
        np.asarray(shaft_value, float)[:, None],
        np.asarray(asked_time, float),
        np.asarray(asked, float)[:, None],
        grid.time,
        grid.table,
        1.0,
        torque,
        states,
    )
    time = step * np.arange(steps + 1)
    before = np.append(np.nan, torque[:, 1])
    after = np.append(torque[:, 0], torque[-1, 1])
    held = np.vstack([np.array(law.states)[None, :] if law.states else np.zeros((1, 1)), states])
    size = np.maximum(np.abs(after), 1e-9 * np.abs(after).max())
    jumped = np.flatnonzero(np.nan_to_num(np.abs(after - before), nan=0.0) > 1e-9 * size)
    order = np.sort(np.concatenate([np.arange(steps + 1), jumped]), kind="stable")
    values = after[order]
    first = np.flatnonzero(np.diff(order, prepend=-1) != 0)
    twice = first[np.isin(order[first], jumped)]
    values[twice] = before[order[twice]]
    return Alone(time[order], values, held[order])


@dataclass(frozen=True)
class Linear:
    """A machine linearised at a point: ``x' = A x + B u``, torque = ``c . x + d . u``; u = (reference [N m], speed
    [rad/s], voltage [p.u.], frequency [p.u.])."""

    a: Float
    b: Float
    c: Float
    d: Float

    @property
    def poles(self) -> Any:
        """Eigenvalues [1/s], the slowest first."""
        return np.array(sorted(np.linalg.eigvals(self.a), key=lambda x: (-x.real, x.imag)))


def at_rest(
    law: Law,
    speed: float,
    reference: float,
    states: ArrayLike | None = None,
    voltage: float = 1.0,
    frequency: float = 1.0,
) -> tuple[float, Float]:
    """Braking torque [N m] and rates of the states of a law at an instant, through its machine code."""
    pointer = ctypes.POINTER(ctypes.c_double)
    z = np.asarray(law.states if states is None else states, float)
    given = ([0.0], [speed], law.parameters, z, [voltage, reference, frequency, 0.0])
    keep = [np.ascontiguousarray(np.append(x, 0.0), float) for x in given]
    f, zd = np.zeros(1), np.zeros(len(z) + 1)
    arguments = [x.ctypes.data_as(pointer) for x in keep]
    law.force.ctypes(0.0, *arguments, 0, f.ctypes.data_as(pointer), zd.ctypes.data_as(pointer))
    return float(f[0]), zd[: len(z)]


def linearise(law: Law, speed: float, reference: float) -> Linear:
    """Central differences of a law at its states, nominal voltage and frequency (signals in their own order)."""
    z = np.array(law.states, float)
    u = np.array([reference, speed, 1.0, 1.0])
    n = len(z)

    def value(x: Float) -> Float:
        torque, rates = at_rest(law, x[n + 1], x[n], x[:n], x[n + 2], x[n + 3])
        return np.append(rates, torque)

    at = np.concatenate([z, u])
    scale = np.abs(at)
    scale[:n] = np.maximum(scale[:n], 1e-3 * (np.abs(z).max() if n else 1.0))
    columns = []
    for j in range(n + 4):
        # integrators may be small beside their rates: steps relative to each state's own size
        h = 1e-6 * max(scale[j], 1e-6)
        e = np.eye(n + 4)[j] * h
        columns.append((value(at + e) - value(at - e)) / (2.0 * h))
    m = np.array(columns).T
    return Linear(m[:n, :n], m[:n, n:], m[n, :n], m[n, n:])


def unstable(linear: Linear, tolerance: float = 1e-6) -> str | None:
    """What is wrong with the poles of a machine, or None: a sentence with the eigenvalue that grows."""
    poles = linear.poles
    if not len(poles) or poles[0].real <= tolerance * np.abs(poles).max():
        return None
    worst = poles[0]
    turning = f" +- {abs(worst.imag):.4g}i" if abs(worst.imag) > 1e-9 * abs(worst) else ""
    times = f"doubles in {np.log(2.0) / worst.real:.3g} s"
    return f"its linearised loop has an eigenvalue {worst.real:+.4g}{turning} 1/s ({times})"
