"""What is asked of a controller, and one that was made for another gear ratio."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from gearwright.remarks import Remark, assumed

from .swap import Demand, Measured


class Controller(Protocol):
    """What a loop asks: a built-in controller, a library, an FMU."""

    def step(self, measured: Measured) -> Demand:
        """One call."""

    def close(self, measured: Measured | None = None) -> None:
        """The end."""


#: part by which two ratios may differ and still be one: printed and counted ratios of the same gearbox
SAME_RATIO = 0.01


class Referred:
    """A controller that was made for another gear ratio than that of the drivetrain.

    ``factor`` is the ratio it was made for over that of the drivetrain (machine over rotor speed): it sees the machine's
    speed times that and its torque through it, so that powers stay, and what it asks for goes back the other way. Limits of
    pitch are no matter of the ratio.
    """

    def __init__(self, controller: Controller, factor: float):
        self.controller, self.factor = controller, factor

    @property
    def messages(self) -> list[str]:
        """What the controller has said."""
        return list(getattr(self.controller, "messages", []))

    def step(self, measured: Measured) -> Demand:
        """One call, at the controller's own ratio."""
        demand = self.controller.step(self._seen(measured))
        return replace(demand, torque=demand.torque * self.factor)

    def close(self, measured: Measured | None = None) -> None:
        """The end."""
        self.controller.close(None if measured is None else self._seen(measured))

    def _seen(self, measured: Measured) -> Measured:
        speed, torque = measured.generator_speed * self.factor, measured.generator_torque / self.factor
        return replace(measured, generator_speed=speed, generator_torque=torque)


def at_ratio(controller: Controller, made_for: float, own: float) -> tuple[Controller, tuple[Remark, ...]]:
    """The controller as a drivetrain of ratio ``own`` needs one made for the ratio ``made_for``, and what is to be said of it.

    Both are machine over rotor speed, positive.
    """
    if abs(made_for / own - 1.0) <= SAME_RATIO:
        return controller, ()
    said = assumed(
        f"the controller is made for the turbine's gear ratio {made_for:.5g}, the drivetrain has {own:.5g}: speed and torque of the "
        f"machine are referred to {made_for:.5g} for it"
    )
    return Referred(controller, made_for / own), (said,)
