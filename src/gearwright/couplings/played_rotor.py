"""A rotor that is integrated as OpenFAST integrates its own: what the bridge is tried against without OpenFAST.

Hub and blades on springs (the collective edgewise mode), or one inertia. Two ways of stepping, after OpenFAST's sources:

- ``loose``, its way up to 4.x and ``ModCoupling`` 1 since: Adams-Bashforth-Moulton of fourth order, begun by Runge-Kutta, the
  inputs of a step extrapolated from those of the last ones;
- ``tight``, ``ModCoupling`` 2 and 3: generalised alpha without numerical damping, which is the trapezoidal rule, the torque of the
  controller library at the end of the step.

Either way the library is called before the step is made, with the time at its end and a speed extrapolated to it from the last
steps (``InterpOrder``: 1 by a line, 2 by a parabola); what it answers is the torque at that time. HAWC2 steps by Newmark's method, which
is ``tight`` here, and tells the speed of the step before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gearwright.turbine.model import Turbine

Float = NDArray[np.float64]
Way = Literal["loose", "tight"]


@dataclass(frozen=True)
class PlayedRotor:
    """``hub`` is the inertia that the shaft turns, ``blades`` that behind the spring [kg m^2]; ``stiffness`` [N m/rad],
    ``damping`` [N m s/rad] of the spring. Without blades the rotor is rigid."""

    hub: float
    blades: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0

    @classmethod
    def of_turbine(cls, turbine: Turbine) -> PlayedRotor:
        """The edgewise modes of the blades that swing together: of every blade the share ``coupling^2 / mass`` of its inertia
        hangs on the spring of the mode, the rest turns with the hub. Rigid where the turbine has no such mode."""
        edge, number = turbine.edge, turbine.blades
        if edge is None:
            return cls(turbine.rotor_inertia)
        share = number * edge.coupling**2 / edge.mass
        frequency = float(np.sqrt(edge.stiffness / edge.mass))
        return cls(
            turbine.rotor_inertia - share, share, share * frequency**2, 2.0 * edge.damping_ratio * share * frequency
        )

    def matrices(self) -> tuple[Float, Float]:
        """``A, B`` of ``dx/dt = A x + B (air, shaft)``: twist of the blades, their speed, that of the hub (the last alone if rigid);
        the torque of the air drives, that of the shaft brakes."""
        if not self.blades:
            return np.zeros((1, 1)), np.array([[1.0, -1.0]]) / self.hub
        k, c = self.stiffness, self.damping
        a = np.array([[0.0, 1.0, -1.0], [-k, -c, c], [k, c, -c]])
        b = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, -1.0]])
        inertia = np.array([1.0, self.blades, self.hub])
        return a / inertia[:, None], b / inertia[:, None]

    def start(self, speed: float, torque: float) -> Float:
        """Turning as one under a torque that goes through [rad/s, N m]."""
        return np.array([speed]) if not self.blades else np.array([torque / self.stiffness, speed, speed])


def march(
    rotor: PlayedRotor,
    call: Callable[[float, float], float],
    air: Callable[[float, float], float],
    start: Float,
    step: float,
    steps: int,
    way: Way = "loose",
    order: int = 2,
) -> Float:
    """Step a rotor; rows (steps, 3) of time [s], hub speed [rad/s] and shaft torque [N m] at the ends of steps.

    ``call(t, speed)`` is the controller library, called at the begin and then once per step; ``air(t, speed)`` the torque of the air at
    the blades' speed; ``order`` of the extrapolation 0 (HAWC2), 1 or 2.
    """
    a, b = rotor.matrices()
    one = np.eye(len(a))
    left = np.linalg.inv(one - 0.5 * step * a)
    x = np.array(start, float)
    outer = 1 if len(a) == 3 else 0
    inputs = [np.array([air(0.0, x[outer]), call(0.0, float(x[-1]))])] * 3
    speeds = [float(x[-1])] * 3
    slopes: list[Float] = []
    made = np.empty((steps, 3))
    for n in range(steps):
        t = (n + 1) * step
        told = _between(speeds, 1.0, order)
        if way == "tight":
            torque = call(t, told)
            blow = air(t, float(x[outer]))
            for _ in range(3):
                new = np.array([blow, torque])
                y = left @ ((one + 0.5 * step * a) @ x + 0.5 * step * b @ (inputs[0] + new))
                blow = air(t, float(y[outer]))
            x = y
        else:
            x, slope = _multistep(a, b, x, inputs, slopes, step, order)
            slopes = [slope, *slopes[:2]]
            torque = call(t, told)
            new = np.array([air(t, float(x[outer])), torque])
        inputs, speeds = [new, *inputs[:2]], [float(x[-1]), *speeds[:2]]
        made[n] = t, x[-1], torque
    return made


def _between(last: list[Any], s: float, order: int) -> Any:
    """A value ``s`` steps after the newest of the last three: the same, by a line or by a parabola."""
    if order == 0:
        return last[0]
    if order == 1:
        return (1.0 + s) * last[0] - s * last[1]
    return 0.5 * (s + 1.0) * (s + 2.0) * last[0] - s * (s + 2.0) * last[1] + 0.5 * s * (s + 1.0) * last[2]


def _multistep(
    a: Float, b: Float, x: Float, inputs: list[Float], slopes: list[Float], h: float, order: int
) -> tuple[Float, Float]:
    """A step of Adams-Bashforth-Moulton, of Runge-Kutta where slopes are missing; the state and the slope before it."""

    def at(s: float) -> Float:
        return np.asarray(b @ _between(inputs, s, order))

    first = a @ x + b @ inputs[0]
    if len(slopes) < 3:
        second = a @ (x + 0.5 * h * first) + at(0.5)
        third = a @ (x + 0.5 * h * second) + at(0.5)
        fourth = a @ (x + h * third) + at(1.0)
        return x + h / 6.0 * (first + 2.0 * second + 2.0 * third + fourth), first
    p, q, r = slopes
    guess = x + h / 24.0 * (55.0 * first - 59.0 * p + 37.0 * q - 9.0 * r)
    return x + h / 24.0 * (9.0 * (a @ guess + at(1.0)) + 19.0 * first - 5.0 * p + q), first
