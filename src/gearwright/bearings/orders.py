"""How often rolling elements pass: frequencies of a bearing without slip, per turn of its rings.

Source: T. A. Harris, Rolling Bearing Analysis; digest S2 section 11.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class PassingOrders:
    """Events per turn of the inner ring against a standing outer ring.

    ``outer`` (BPFO) and ``inner`` (BPFI): elements passing a point of the ring; ``spin`` (BSF): turns of an element
    against the cage, whose defect meets a raceway twice as often (``element``); ``cage`` (FTF): turns of the cage.
    """

    outer: float
    inner: float
    spin: float
    cage: float

    @property
    def element(self) -> float:
        """Events of a defect on an element that meets both raceways."""
        return 2.0 * self.spin

    def frequencies(self, inner_speed: float, outer_speed: float = 0.0) -> dict[str, float]:
        """``bpfo``, ``bpfi``, ``bsf``, ``ftf`` [Hz] at ring speeds [rad/s]; the cage's is seen from the ground."""
        relative = abs(inner_speed - outer_speed) / (2.0 * math.pi)
        cage = (self.cage * inner_speed + (1.0 - self.cage) * outer_speed) / (2.0 * math.pi)
        return {
            "bpfo": self.outer * relative,
            "bpfi": self.inner * relative,
            "bsf": self.spin * relative,
            "ftf": abs(cage),
        }


def passing_orders(
    elements: int, element_diameter: float, pitch_diameter: float, contact_angle: float = 0.0
) -> PassingOrders:
    """Orders of a bearing; lengths in one unit, angle in rad. Raises ValueError for elements larger than the pitch."""
    if not (elements > 0 and 0.0 < element_diameter < pitch_diameter):
        raise ValueError(
            f"{elements} elements of {element_diameter:g} on a pitch diameter of {pitch_diameter:g} make no bearing"
        )
    g = element_diameter * math.cos(contact_angle) / pitch_diameter
    return PassingOrders(
        0.5 * elements * (1.0 - g),
        0.5 * elements * (1.0 + g),
        0.5 * pitch_diameter / element_diameter * (1.0 - g * g),
        0.5 * (1.0 - g),
    )
