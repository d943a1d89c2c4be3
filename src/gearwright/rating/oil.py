"""The oil at work: its viscosity over the temperature (Ubbelohde and Walther, ISO 3104 practice), and what is known of its load capacity."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gearwright.schema.life import OilFacts

_ZERO = 273.15


@dataclass(frozen=True)
class Oil:
    """Kinematic viscosities at 40 and 100 C [m^2/s], density at 15 C [kg/m^3], temperature at work [C]; load capacity."""

    forty: float | None
    hundred: float | None
    density: float
    at: float | None
    kind: str
    stage: float | None
    permissible: float | None
    pressure_viscosity: float | None
    cleanliness: str = ""

    @classmethod
    def of(cls, facts: OilFacts | None) -> Oil:
        """The oil of a file; None: nothing is known."""
        if facts is None:
            return cls(None, None, 880.0, None, "mineral", None, None, None)
        hundred = None if facts.viscosity_100 is None else 1e-6 * facts.viscosity_100
        alpha = None if facts.pressure_viscosity is None else 1e-9 * facts.pressure_viscosity
        return cls(
            1e-6 * facts.viscosity,
            hundred,
            facts.density,
            facts.temperature,
            facts.kind,
            facts.scuffing_stage,
            facts.micropitting_ratio,
            alpha,
            facts.cleanliness or "",
        )

    def lacks(self) -> str:
        """What is missing for its viscosity at work; empty if nothing."""
        if self.forty is None:
            return "life.oil (viscosity, viscosity_100, temperature)"
        absent = [word for word, value in (("viscosity_100", self.hundred), ("temperature", self.at)) if value is None]
        return f"life.oil: {' and '.join(absent)}" if absent else ""

    @property
    def temperature(self) -> float:
        """At work [C]. Raises ValueError where it is not known."""
        if self.at is None:
            raise ValueError(self.lacks())
        return self.at

    def kinematic(self, temperature: float) -> float:
        """Kinematic viscosity [m^2/s]: ``lg lg (nu + 0.8)`` in mm^2/s is straight over the logarithm of the absolute temperature."""
        if self.forty is None or self.hundred is None:
            raise ValueError(self.lacks())
        (t1, w1), (t2, w2) = (
            (math.log10(t + _ZERO), math.log10(math.log10(1e6 * nu + 0.8)))
            for t, nu in ((40.0, self.forty), (100.0, self.hundred))
        )
        w = w1 + (w2 - w1) * (math.log10(temperature + _ZERO) - t1) / (t2 - t1)
        return 1e-6 * float(10.0 ** (10.0**w) - 0.8)

    def dynamic(self, temperature: float) -> float:
        """Dynamic viscosity [Pa s], the density falling by 0.65 kg/m^3 a kelvin."""
        return self.kinematic(temperature) * (self.density - 0.65 * (temperature - 15.0))
