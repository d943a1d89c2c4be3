"""A drivetrain of springs in modal form, for a loop that gives it torques linear over short steps.

The rigid rotation is kept apart; the elastic motion is ``y = [w e, e']`` in modes of the undamped train, and complex
modes ``z`` of ``y' = A y + b u`` make it diagonal. Over a step with inputs linear in time every mode has a closed
form, whatever its damping, so that the only error of the coupling is that of the inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from gearwright.system import Channel, Source, State, System

Float = NDArray[np.float64]

#: worst condition of an eigenbasis that is still one
WORST = 1e8


class Modal(NamedTuple):
    """What compiled code needs: rates and factors of the modes, inputs, and rows of the coordinates that couple.

    ``push`` (2, inputs, modes) real and imaginary part of the forcing per unit input, ``constant`` (2, modes) that of
    constant forces; ``rigid`` = [acceleration per unit input ..., constant acceleration]; ``speed`` (2, points, modes)
    rows of the speed of coupled coordinates over z; ``ratio`` (points) their speed per unit rigid motion.
    """

    rate: Float
    push: Float
    constant: Float
    rigid: Float
    speed: Float
    ratio: Float


@dataclass
class Linear:
    """A system in modal form; ``inputs`` are names of signals, ``points`` coordinates whose speeds couple."""

    system: System
    inputs: tuple[str, ...]
    points: tuple[str, ...]
    modal: Modal
    shapes: Float
    frequency: Float
    right: Float
    left: Float
    weight: Float
    u: Float

    def speeds(self, z: NDArray[np.complexfloating], omega: float) -> Float:
        """Speeds of all coordinates."""
        n = self.shapes.shape[1]
        y = self._y(z)
        return self.shapes @ y[n:] + self.u * omega

    def positions(self, z: NDArray[np.complexfloating]) -> Float:
        """Elastic deviation of all coordinates."""
        n = self.shapes.shape[1]
        return self.shapes @ (self._y(z)[:n] / self.frequency)

    def _y(self, z: NDArray[np.complexfloating]) -> Float:
        return np.real(self.right @ (self.weight * z))

    def modes_of(self, q: Float, v: Float) -> tuple[NDArray[np.complexfloating], float]:
        """Modal state of a position (its rigid part is dropped) and speed; and the rigid speed."""
        m = self.system.mass
        size = float(self.u @ (m @ self.u))
        e, rate = self.shapes.T @ (m @ q), self.shapes.T @ (m @ v)
        y = np.concatenate([self.frequency * e, rate])
        return self.left @ y, float(self.u @ (m @ v)) / size

    def steady(self, inputs: Float) -> NDArray[np.complexfloating]:
        """Modal state under constant inputs."""
        push = self.modal.push[0] + 1j * self.modal.push[1]
        constant = self.modal.constant[0] + 1j * self.modal.constant[1]
        rate = self.modal.rate[0] + 1j * self.modal.rate[1]
        return -(inputs @ push + constant) / rate

    def lines(self, channels: tuple[Channel, ...]) -> Float:
        """Channels over ``[Re z, Im z, inputs, 1, omega, phi]``, transposed: (width, channels)."""
        s, a = self.system.shape, self.system.arrays
        nm, ni = len(self.weight), len(self.inputs)
        n = self.shapes.shape[1]
        width = 2 * nm + ni + 3
        one, omega, phi = 2 * nm + ni, 2 * nm + ni + 1, 2 * nm + ni + 2
        of_z = np.hstack([np.real(self.right * self.weight), -np.imag(self.right * self.weight)])
        q = np.zeros((s.coordinates, width))
        q[:, : 2 * nm] = self.shapes @ (of_z[:n] / self.frequency[:, None])
        v = np.zeros((s.coordinates, width))
        v[:, : 2 * nm] = self.shapes @ of_z[n:]
        v[:, omega] = self.u
        d = self.system.D.toarray()
        f = np.zeros((s.rows, width))
        springs = self.system.spring_rows
        f[springs] = a.k[:, None] * (d[springs] @ q) + a.c[:, None] * (d[springs] @ v)
        f[springs, omega] -= a.c * (d[springs] @ self.u)  # row rates of the rigid motion are zero by construction
        f[springs, one] += a.k * a.off[springs] + a.f0
        force = np.zeros((s.coordinates, width))
        numbers = {self.system.signal_names.index(name): i for i, name in enumerate(self.inputs)}
        for i, signal, b in zip(a.bi, a.bu, a.bv, strict=True):
            if int(signal) in numbers:
                force[i, 2 * nm + numbers[int(signal)]] += b
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
                        made[2 * nm + numbers[index], j] += value
                    else:
                        made[one, j] += value * float(self.system.signals[index](0.0))
                elif source == Source.RIGID:
                    made[phi, j] += value
                elif source == Source.ONE:
                    made[one, j] += value
        return made

    def rate_rows(self) -> Float:
        """Rates of the spring rows over ``[Re z, Im z]``: (springs, 2 modes)."""
        n = self.shapes.shape[1]
        of_z = np.hstack([np.real(self.right * self.weight), -np.imag(self.right * self.weight)])
        return self.system.D.toarray()[self.system.spring_rows] @ (self.shapes @ of_z[n:])

    def derivative(self, x: Float, inputs: Float) -> Float:
        """Time derivative of ``[Re z, Im z]``."""
        nm = len(self.weight)
        z = x[:nm] + 1j * x[nm:]
        rate = self.modal.rate[0] + 1j * self.modal.rate[1]
        push = self.modal.push[0] + 1j * self.modal.push[1]
        constant = self.modal.constant[0] + 1j * self.modal.constant[1]
        zd = rate * z + inputs @ push + constant
        return np.concatenate([zd.real, zd.imag])

    def state(self, x: Float, omega: float, phi: float, t: float) -> State:
        """The state of the system."""
        nm = len(self.weight)
        z = x[:nm] + 1j * x[nm:]
        made = State.start(self.system, q=self.positions(z), v=self.speeds(z, omega), t=t)
        made.phi[0] = phi
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


def reduce(system: System, inputs: tuple[str, ...], points: tuple[str, ...]) -> Linear:
    """Bring a system of springs into modal form.

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
    damping = shapes.T @ c @ shapes
    a = np.zeros((2 * n, 2 * n))
    a[:n, n:], a[n:, :n], a[n:, n:] = np.diag(frequency), -np.diag(frequency), -damping
    rate, right = la.eig(a)
    if np.linalg.cond(right) > WORST:
        raise ValueError("a mode of the train is critically damped to many digits; change its damping a little")
    left = la.inv(right)
    keep = rate.imag >= 0.0
    weight = np.where(rate.imag[keep] > 0.0, 2.0, 1.0)
    names = list(system.signal_names)
    arrays = system.arrays
    force = np.zeros((system.shape.coordinates, len(inputs)))
    rest = np.zeros(system.shape.coordinates)
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

    def modal(forces: Float) -> NDArray[np.complexfloating]:
        y = np.zeros((2 * n, forces.shape[1]))
        y[n:] = shapes.T @ forces
        return left[keep] @ y

    push, constant = modal(force).T, modal(rest[:, None])[:, 0]
    rows = [system.coordinates.index(p) for p in points]
    over = shapes[rows] @ right[n:, keep] * weight
    pack = Modal(
        np.ascontiguousarray([rate[keep].real, rate[keep].imag]),
        np.ascontiguousarray([push.real, push.imag]), np.ascontiguousarray([constant.real, constant.imag]),
        np.append(u @ force, u @ rest) / size, np.ascontiguousarray([over.real, over.imag]), u[rows],
    )  # fmt: skip
    return Linear(system, inputs, points, pack, shapes, frequency, right[:, keep], left[keep], weight, u)
