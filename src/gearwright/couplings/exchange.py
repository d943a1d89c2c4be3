"""The exchange with a program that keeps the rotor: it tells the rotor's speed once per step and gets the shaft's torque.

Both sides of the joint belong to one time. What a program tells at the time ``t`` is seldom the speed at ``t``: OpenFAST
extrapolates the inputs of its controller from its last steps (``InterpOrder``: 1 a line, 2 a parabola), HAWC2 tells the
speed of the step before. The true speed of the step before follows from either, so each call

1. goes back to the drivetrain's state one step before that, and repeats that step with the speed that is known now;
2. goes on to ``t`` with the speed of a parabola through the last three true ones, and gives back the torque there.

Speeds go in as lines between the ends of steps. A parabola errs by (w h)^3, a line by (w h)^2/12, so frequency, amplitude and
damping of a mode w err by the second order in the step h. What one call guessed wrongly is gone with the next.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .library import LibraryStepper

Float = NDArray[np.float64]
#: what a program tells at the time t: the speed of the step before, or an extrapolation to t by a line or a parabola
Told = Literal["step before", "line", "parabola"]


class SpeedExchange:
    """A drivetrain driven by the speed of its rotor, step by step.

    Parameters
    ----------
    stepper : of a plant with the ports ``rotor_speed`` and ``generator_torque``, started
    told : what the other program tells
    speed : of the rotor at the begin, taken for all times before [rad/s]
    """

    def __init__(self, stepper: LibraryStepper, told: Told, speed: float):
        self.stepper, self.told = stepper, told
        self._true = [speed] * 3  # at the last times known, the newest first
        self._begun = False
        self._braking = 0.0
        #: channels at the newest time whose speed is known, None before the second call
        self.settled: Float | None = None
        stepper.keep()

    def step(self, told: float, braking: float, step: float) -> Float:
        """Channels at the end of a step [s] from what the program tells there; ``braking`` [N m] is the generator's torque in it.

        Raises CouplingError from the engine.
        """
        before, last = self._true[0], self._known(told)
        self.settled = None
        self.stepper.back()
        if self._begun:
            self.settled = self.stepper.step((before, self._braking), step, ((last - before) / step, 0.0))
            self._true = [last, *self._true[:2]]
            self.stepper.keep()
        self._begun = True
        self._braking = braking
        ahead = 3.0 * self._true[0] - 3.0 * self._true[1] + self._true[2]
        return self.stepper.step((self._true[0], braking), step, ((ahead - self._true[0]) / step, 0.0))

    def _known(self, told: float) -> float:
        """The speed of the step before."""
        first, second, _ = self._true
        if self.told == "line":
            return 0.5 * (told + first)
        if self.told == "parabola":
            return (told + 3.0 * first - second) / 3.0
        return told
