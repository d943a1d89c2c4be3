"""A rotor given by its table of power coefficients: torque over wind, speed and pitch, without inflow dynamics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearwright.turbine.bem import performance
from gearwright.turbine.model import Turbine

Float = NDArray[np.float64]


@dataclass(frozen=True)
class CpRotor:
    """Power coefficient over tip speed ratio (rows) and pitch [rad] (columns), linear between; radius [m], density."""

    ratios: Float
    pitches: Float
    cp: Float
    radius: float
    density: float = 1.225

    def coefficient(self, ratio: float, pitch: float) -> float:
        """Power coefficient; held outside the table."""
        i, a = _place(self.ratios, ratio)
        j, b = _place(self.pitches, pitch)
        c = self.cp
        return float(
            (1 - a) * ((1 - b) * c[i, j] + b * c[i, j + 1]) + a * ((1 - b) * c[i + 1, j] + b * c[i + 1, j + 1])
        )

    def torque(self, wind: float, speed: float, pitch: float) -> float:
        """Aerodynamic torque [N m] at a wind [m/s], rotor speed [rad/s] and pitch [rad]."""
        w = max(speed, 1e-3)
        power = 0.5 * self.density * np.pi * self.radius**2 * wind**3 * self.coefficient(w * self.radius / wind, pitch)
        return float(power / w)

    @classmethod
    def of_turbine(cls, turbine: Turbine) -> CpRotor:
        """From the blade elements of a turbine, 2 to 14 in tip speed ratio, -2 to 30 deg in pitch."""
        ratios, pitches = np.arange(2.0, 14.01, 0.25), np.radians(np.arange(-2.0, 30.01, 1.0))
        cp, _ = performance(turbine, ratios, pitches)
        return cls(ratios, pitches, np.asarray(cp, float), turbine.diameter / 2.0)


def _place(grid: Float, x: float) -> tuple[int, float]:
    """Cell of a grid and place in it, held at the ends."""
    i = int(np.clip(np.searchsorted(grid, x) - 1, 0, len(grid) - 2))
    return i, float(np.clip((x - grid[i]) / (grid[i + 1] - grid[i]), 0.0, 1.0))
