"""The equivalent circuit that machines with windings share."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Circuit:
    """Equivalent circuit of an induction machine; SI, phase quantities at peak, rotor referred to the stator."""

    line_voltage: float
    frequency: float
    pole_pairs: int
    stator_resistance: float
    rotor_resistance: float
    stator_reactance: float
    rotor_reactance: float
    magnetising_reactance: float

    @property
    def voltage(self) -> float:
        """Nominal phase voltage, peak [V]."""
        return self.line_voltage * math.sqrt(2.0 / 3.0)

    @property
    def speed(self) -> float:
        """Synchronous electrical speed [rad/s]."""
        return 2.0 * math.pi * self.frequency

    @property
    def inductances(self) -> tuple[float, float, float]:
        """Stator, rotor and magnetising inductance [H]."""
        m = self.magnetising_reactance / self.speed
        return self.stator_reactance / self.speed + m, self.rotor_reactance / self.speed + m, m

    def _positive(self, *names: str) -> None:
        """Refuse data that are not above zero: of the circuit, and those named. Raises ValueError."""
        circuit = ("line_voltage", "frequency", "pole_pairs", "rotor_resistance", "stator_reactance", "rotor_reactance")
        for name in (*circuit, "magnetising_reactance", *names):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name} has to be positive, got {getattr(self, name):g}")
