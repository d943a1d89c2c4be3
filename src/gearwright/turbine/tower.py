"""Tower: one fore-aft and one side-side mode with the masses on top."""

from __future__ import annotations

import math
from typing import NamedTuple

from .model import Mode, Turbine


class TowerMode(NamedTuple):
    """Modal mass [kg], damping [N s/m], stiffness [N/m], slope at the top [1/m], arm to the shaft [m]."""

    mass: float
    damping: float
    stiffness: float
    slope: float
    arm: float

    @property
    def frequency_hz(self) -> float:
        """Undamped natural frequency."""
        return math.sqrt(self.stiffness / self.mass) / (2.0 * math.pi)

    @property
    def lever(self) -> float:
        """Motion of the shaft per unit motion of the tower top."""
        return 1.0 + self.slope * self.arm


def _mode(turbine: Turbine, mode: Mode | None, inertia: float) -> TowerMode:
    arm = turbine.top_to_shaft
    if mode is None:
        # a rigid tower: a mode that nothing moves
        return TowerMode(1e9, 0.0, 1e15, 0.0, arm)
    top = turbine.rotor_mass + turbine.nacelle_mass
    mass = mode.tower_mass + top * (1.0 + mode.top_slope * arm) ** 2 + inertia * mode.top_slope**2
    damping = 2.0 * mode.damping_ratio * math.sqrt(mode.stiffness * mass)
    return TowerMode(mass, damping, mode.stiffness, mode.top_slope, arm)


def fore_aft(turbine: Turbine) -> TowerMode:
    """The fore-aft mode: the rotor tilts with the top, about half its polar inertia."""
    return _mode(turbine, turbine.fore_aft, 0.5 * turbine.rotor_inertia)


def side_side(turbine: Turbine, locked: bool = False) -> TowerMode:
    """The side-side mode: the rotor turns freely in the nacelle, unless ``locked``, and then rolls with it."""
    return _mode(turbine, turbine.side_side, turbine.rotor_inertia if locked else 0.0)
