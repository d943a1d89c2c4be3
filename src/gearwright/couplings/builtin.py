"""The built-in turbine controller called step by step from outside the compiled loop."""

from __future__ import annotations

import numpy as np

from gearwright.controllers.swap import Demand, Measured
from gearwright.kernels import kernel
from gearwright.turbine import controller as room
from gearwright.turbine.bem import OperatingPoint, generator_torque
from gearwright.turbine.controller import PITCH, TORQUE, control
from gearwright.turbine.model import Turbine


@kernel
def _steps(p, x, schedule, t, step, parts, speed):  # type: ignore[no-untyped-def]
    for i in range(parts):
        control(p, x, schedule, t + i * step, step, speed)


class BuiltinController:
    """The reference controller with its regions, pitch loop and limits; ``turbine`` carries the gear ratio and gains.

    It runs in steps of a millisecond inside the interval, its speed held.
    """

    def __init__(self, turbine: Turbine, point: OperatingPoint | None = None):
        self.turbine = turbine
        self._parameters = room.parameters(turbine)
        self._schedule = room.quiet_schedule()
        self._state = (
            None
            if point is None
            else room.start_state(turbine.controller, point, point.speed * abs(turbine.gear_ratio))
        )
        self.messages: list[str] = []
        # compiled now: a program that calls must not wait for it
        _steps(self._parameters, np.ones(room.STATES), self._schedule, 0.0, 1e-3, 0, 1.0)

    def step(self, measured: Measured) -> Demand:
        """One call; the first only sets the state to what is measured, if no operating point was given."""
        if self._state is None:
            state = np.zeros(room.STATES)
            state[room.FILTERED] = measured.generator_speed
            state[PITCH] = state[room.REFERENCE] = pitch = measured.pitch[0]
            c = self.turbine.controller
            if c.pitch_ki > 0.0:
                state[room.INTEGRAL] = pitch * (1.0 + pitch / c.pitch_halving) / c.pitch_ki
            state[TORQUE] = state[room.BASE] = generator_torque(self.turbine, measured.generator_speed)
            self._state = state
        parts = max(round(measured.interval / 1e-3), 1)
        _steps(
            self._parameters,
            self._state,
            self._schedule,
            measured.time,
            measured.interval / parts,
            parts,
            measured.generator_speed,
        )
        pitch = float(self._state[PITCH])
        return Demand((pitch, pitch, pitch), float(self._state[TORQUE]))

    def close(self, measured: Measured | None = None) -> None:
        """Nothing to end."""


def referred(turbine: Turbine, ratio: float) -> Turbine:
    """The turbine with a drivetrain's gear ratio and a controller that fits it."""
    from dataclasses import replace

    factor = abs(ratio) / turbine.gear_ratio
    controller = turbine.controller.referred(factor, None) if abs(factor - 1.0) > 1e-9 else turbine.controller
    return replace(turbine, gear_ratio=abs(ratio), controller=controller)
