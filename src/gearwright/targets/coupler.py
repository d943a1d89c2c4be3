"""The coupler of S1 (3.77): rotor and drivetrain advanced apart, exchanging speed and torque once per macro step.

The drivetrain side holds the shaft spring and gets the rotor's speed; the rotor side gets the shaft's torque. With the torque
of the **begin** of the step the exchange takes damping from the mode (0.5 w H J_eq/J_rotor for small steps H); with
that of the **end**, drivetrain first, it takes none. Here to show what the compiled loop, which couples at 1 ms, avoids.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Scheme = Literal["begin", "end", "mean"]


@dataclass(frozen=True)
class Coupler:
    """Two inertias [kg m^2, referred to the rotor] and the shaft between: stiffness [N m/rad], damping [N m s/rad]."""

    rotor: float
    machine: float
    stiffness: float
    damping: float

    @classmethod
    def of_ratio(cls, rotor: float, machine: float, stiffness: float, ratio: float) -> Coupler:
        """With the damping that gives the free-free mode a damping ratio."""
        equal = rotor * machine / (rotor + machine)
        return cls(rotor, machine, stiffness, 2.0 * ratio * float(np.sqrt(stiffness * equal)))

    def _fast(self, step: float) -> Float:
        """Twist, machine speed, rotor speed (held), machine torque (held) over a step; exact."""
        from scipy.linalg import expm

        a = np.zeros((4, 4))
        a[0] = 0.0, -1.0, 1.0, 0.0
        a[1] = self.stiffness, -self.damping, self.damping, -1.0
        a[1] /= self.machine
        return np.asarray(expm(a * step))

    def torque(self, state: Float) -> float:
        """Torque in the shaft of a state (twist, machine speed, rotor speed)."""
        return float(self.stiffness * state[0] + self.damping * (state[2] - state[1]))

    def march(
        self,
        step: float,
        steps: int,
        scheme: Scheme,
        start: Float,
        rotor_torque: Callable[[float], float],
        machine_torque: float = 0.0,
    ) -> Float:
        """States (steps + 1, 3) at the ends of macro steps; ``rotor_torque(t)`` is taken in the middle of each.

        Raises ValueError for a scheme that is not known.
        """
        if scheme not in ("begin", "end", "mean"):
            raise ValueError(f"torque of the begin, end or mean of a step, not '{scheme}'")
        fast = self._fast(step)
        made = [np.asarray(start, float)]
        for k in range(steps):
            x = made[-1]
            y = (fast @ np.append(x, machine_torque))[:3]
            before, after = self.torque(x), self.torque(y)
            shaft = {"begin": before, "end": after, "mean": 0.5 * (before + after)}[scheme]
            y[2] = x[2] + step * (rotor_torque((k + 0.5) * step) - shaft) / self.rotor
            made.append(y)
        return np.array(made)

    def damping_ratio(self, step: float, scheme: Scheme) -> float:
        """Damping ratio of the free-free mode under an exchange every ``step`` seconds; negative: unstable."""
        columns = [self.march(step, 1, scheme, e, lambda t: 0.0)[1] for e in np.eye(3)]
        values = np.linalg.eigvals(np.column_stack(columns))
        rate = np.log(values[np.argmax(values.imag)]) / step
        return float(-rate.real / abs(rate))
