"""A drivetrain of springs in modal form, for a loop that gives it torques linear over short steps.

The rigid rotation is kept apart; the elastic motion is ``y = [w e, e']`` in modes of the undamped train, and complex
modes ``z`` of ``y' = A y + b u`` make it diagonal. Over a step with inputs linear in time every mode has a closed
form, whatever its damping, so that the only error of the coupling is that of the inputs. Modes that decay within a
fraction of a sample have no memory to speak of: they follow the inputs and their slopes, ``z = -(b u + c)/r - b u'/r^2``.

The vector that the loop writes per sample is ``[Re z, Im z of the oscillating modes, u, u', 1, omega, phi]``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from gearwright.arrays import Float
from gearwright.system import Channel, Source, State, System

Complex = NDArray[np.complex128]

#: worst condition of an eigenbasis that is still one
WORST = 1e8
#: modes that decay faster than this times the sample interval follow the inputs
FAST = 10.0


@dataclass
class Linear:
    """A system in modal form; ``inputs`` are names of three signals, ``points`` three coordinates whose speeds couple.

    Modes are sorted: ``oscillating`` ones first, then those that creep, ``kept`` together, then those without memory.
    ``rate``, ``push`` (inputs, modes), ``constant``: ``z' = rate z + u push + constant``. ``over`` (points, modes): speeds of
    the points, of which the real part counts. ``rigid`` (4) = acceleration per unit input and constant; ``ratio`` (3) = speed
    of the points per unit rigid motion; ``fast`` (3, 7): speed of the points by the modes without memory over inputs, slopes, one.
    """

    system: System
    inputs: tuple[str, ...]
    points: tuple[str, ...]
    shapes: Float
    frequency: Float
    right: Complex
    rate: Complex
    push: Complex
    constant: Complex
    weight: Float
    u: Float
    over: Complex
    rigid: Float
    ratio: Float
    fast: Float
    kept: int
    oscillating: int

    @property
    def width(self) -> int:
        """Length of the vector of a sample."""
        return self.kept + self.oscillating + 2 * len(self.inputs) + 3

    def spread(self) -> Float:
        """All modes ``[Re z, Im z]`` over the vector of a sample: (2 modes, width)."""
        kept, osc, ni, nm = self.kept, self.oscillating, len(self.inputs), len(self.rate)
        made = np.zeros((2 * nm, self.width))
        made[:kept, :kept] = np.eye(kept)
        made[nm : nm + osc, kept : kept + osc] = np.eye(osc)
        base = kept + osc
        one = base + 2 * ni
        for j in range(kept, nm):
            r = self.rate[j]
            for i in range(ni):
                value, slope = -self.push[i, j] / r, -self.push[i, j] / r**2
                made[j, base + i], made[nm + j, base + i] = value.real, value.imag
                made[j, base + ni + i], made[nm + j, base + ni + i] = slope.real, slope.imag
            value = -self.constant[j] / r
            made[j, one], made[nm + j, one] = value.real, value.imag
        return made

    def motion(self) -> tuple[Float, Float]:
        """Elastic deviation and speed of all coordinates over the vector of a sample."""
        n = self.shapes.shape[1]
        of_z = np.hstack([np.real(self.right * self.weight), -np.imag(self.right * self.weight)]) @ self.spread()
        q = self.shapes @ (of_z[:n] / self.frequency[:, None])
        v = self.shapes @ of_z[n:]
        v[:, -2] += self.u
        return q, v

    def lines(self, channels: tuple[Channel, ...]) -> Float:
        """Channels over the vector of a sample, transposed: (width, channels)."""
        s, a = self.system.shape, self.system.arrays
        ni, width = len(self.inputs), self.width
        base = self.kept + self.oscillating
        one, phi = base + 2 * ni, width - 1
        q, v = self.motion()
        d = self.system.D.toarray()
        springs = self.system.spring_rows
        f = np.zeros((s.rows, width))
        elastic = v.copy()
        elastic[:, -2] -= self.u  # row rates of the rigid motion are zero by construction
        f[springs] = a.k[:, None] * (d[springs] @ q) + a.c[:, None] * (d[springs] @ elastic)
        f[springs, one] += a.k * a.off[springs] + a.f0
        force = np.zeros((s.coordinates, width))
        numbers = {self.system.signal_names.index(name): i for i, name in enumerate(self.inputs)}
        for i, signal, b in zip(a.bi, a.bu, a.bv, strict=True):
            if int(signal) in numbers:
                force[i, base + numbers[int(signal)]] += b
            else:
                force[i, one] += b * float(self.system.signals[signal](0.0))
        acceleration = np.linalg.solve(self.system.mass.toarray(), force - d.T @ f)
        made = np.zeros((width, len(channels)))
        for j, channel in enumerate(channels):
            for source, index, value in channel.terms:
                if source == Source.FORCE:
                    made[:, j] += value * f[index]
                elif source == Source.POSITION:
                    made[:, j] += value * q[index]
                elif source == Source.SPEED:
                    made[:, j] += value * v[index]
                elif source == Source.ACCELERATION:
                    made[:, j] += value * acceleration[index]
                elif source == Source.SIGNAL:
                    if index in numbers:
                        made[base + numbers[index], j] += value
                    else:
                        made[one, j] += value * float(self.system.signals[index](0.0))
                elif source == Source.RIGID:
                    made[phi, j] += value
                elif source == Source.ONE:
                    made[one, j] += value
        return made

    def damper_rows(self) -> tuple[Float, NDArray[np.int64]]:
        """Rates of the spring rows with damping over the derivatives of the kept modes and the slopes of the first two inputs,
        and their numbers among the springs.

        Rates from derivatives, not from the modes themselves, whose steady parts would cancel to many digits.
        """
        kept, osc, nm = self.kept, self.oscillating, len(self.rate)
        n = self.shapes.shape[1]
        made = np.zeros((2 * nm, kept + osc + 2))
        made[:kept, :kept] = np.eye(kept)
        made[nm : nm + osc, kept : kept + osc] = np.eye(osc)
        for j in range(kept, nm):
            slope = -self.push[:2, j] / self.rate[j]
            made[j, -2:], made[nm + j, -2:] = slope.real, slope.imag
        of_z = np.hstack([np.real(self.right * self.weight), -np.imag(self.right * self.weight)])[:n] @ made
        which = np.flatnonzero(self.system.arrays.c > 0.0)
        rows = self.system.D.toarray()[self.system.spring_rows][which]
        return rows @ self.shapes @ (of_z / self.frequency[:, None]), which

    def vector(self, z: Complex, inputs: Float, slopes: Float, omega: float = 0.0, phi: float = 0.0) -> Float:
        """The vector of a sample from the kept modes."""
        return np.concatenate([z.real, z.imag[: self.oscillating], inputs, slopes, [1.0, omega, phi]])

    def steady(self, inputs: Float) -> Complex:
        """Kept modes under constant inputs."""
        k = self.kept
        return -(inputs @ self.push[:, :k] + self.constant[:k]) / self.rate[:k]

    def state(self, x: Float, t: float) -> State:
        """The state of the system at a vector."""
        q, v = self.motion()
        made = State.start(self.system, q=q @ x, v=v @ x, t=t)
        made.phi[0] = x[-1]
        return made


def refusal(system: System) -> str | None:
    """A sentence if a system is not made of springs with one rigid rotation, else None."""
    if system.shape.laws:
        return f"block '{system.blocks[0]}' is not a spring"
    if system.shape.hard or system.shape.friction:
        return "it has hard rows or friction"
    if system.prescribed:
        return "a speed is prescribed"
    if system.shape.rigid != 1:
        return f"it has {system.shape.rigid} rigid motions"
    return None


def reduce(system: System, inputs: tuple[str, ...], points: tuple[str, ...], interval: float) -> Linear:
    """Bring a system of springs into modal form, for samples every ``interval`` seconds.

    ``inputs`` are the signals that the loop gives; all others must be constant. Raises ValueError with a sentence.
    """
    why = refusal(system)
    if why is not None:
        raise ValueError(f"the coupled loop needs a train of springs that turns as a whole: {why}")
    m = system.mass.toarray()
    k, c = system.spring_matrices()
    u = np.array(system.u[0])
    size = float(u @ m @ u)
    values, shapes = la.eigh(k, m)
    shapes = shapes[:, 1:]
    shapes = shapes - np.outer(u, (u @ m @ shapes) / size)
    values = np.maximum(values[1:], 0.0)
    if values[0] <= 1e-9 * values[-1] and values[0] < 1.0:
        raise ValueError("the coupled loop needs a train in which everything is held by springs")
    frequency = np.sqrt(values)
    n = len(frequency)
    a = np.zeros((2 * n, 2 * n))
    a[:n, n:], a[n:, :n], a[n:, n:] = np.diag(frequency), -np.diag(frequency), -(shapes.T @ c @ shapes)
    rate, right = la.eig(a)
    if np.linalg.cond(right) > WORST:
        raise ValueError("a mode of the train is critically damped to many digits; change its damping a little")
    left = la.inv(right)
    # oscillating modes first, then those that creep, then those without memory
    quick = (rate.real < -FAST / interval) & (rate.imag >= 0.0)
    order = [
        np.flatnonzero(~quick & (rate.imag > 0.0)),
        np.flatnonzero(~quick & (rate.imag == 0.0)),
        np.flatnonzero(quick),
    ]
    pick = np.concatenate(order)
    kept = len(order[0]) + len(order[1])
    weight = np.where(rate.imag[pick] > 0.0, 2.0, 1.0)
    names, arrays = list(system.signal_names), system.arrays
    force, rest = np.zeros((system.shape.coordinates, len(inputs))), np.zeros(system.shape.coordinates)
    for i, signal, b in zip(arrays.bi, arrays.bu, arrays.bv, strict=True):
        if names[int(signal)] in inputs:
            force[i, inputs.index(names[int(signal)])] += b
            continue
        s = system.signals[int(signal)]
        if len(s.start) > 1 or s.sine[0] or s.coefficients[0, 1:].any():
            raise ValueError(f"the coupled loop needs loads that are constant; '{names[int(signal)]}' is not")
        rest[i] += b * float(s(0.0))
    d = system.D.toarray()[system.spring_rows]
    rest -= d.T @ (arrays.k * arrays.off[system.spring_rows] + arrays.f0)

    def modal(forces: Float) -> Complex:
        y = np.zeros((2 * n, forces.shape[1]))
        y[n:] = shapes.T @ forces
        return np.asarray(left[pick] @ y)

    push, constant = modal(force).T, modal(rest[:, None])[:, 0]
    rows = [system.coordinates.index(p) for p in points]
    over = shapes[rows] @ right[n:, pick] * weight
    late, quick_rate = slice(kept, None), rate[pick][kept:]
    fast = np.zeros((3, 7))
    for p in range(3):
        for i in range(3):
            fast[p, i] = -np.real(over[p, late] * push[i, late] / quick_rate).sum()
            fast[p, 3 + i] = -np.real(over[p, late] * push[i, late] / quick_rate**2).sum()
        fast[p, 6] = -np.real(over[p, late] * constant[late] / quick_rate).sum()
    return Linear(
        system, inputs, points, shapes, frequency, right[:, pick], rate[pick], push, constant, weight, u, over,
        np.append(u @ force, u @ rest) / size, u[rows], fast, kept, len(order[0]),
    )  # fmt: skip
