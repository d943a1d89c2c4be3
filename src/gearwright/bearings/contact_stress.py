"""Line-contact stress of the most loaded roller, as IEC 61400-4 asks for it; every factor is an input.

Source: equations 5.7 to 5.11 of digest S1. The constant of the line pressure is printed for newtons and millimetres;
here everything goes in and comes out in SI units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

#: constant of the standard [sqrt(N)/mm]; Hertz gives 268.4 for steel of 206 GPa
LINE_CONSTANT = 270.0


@dataclass(frozen=True)
class LineContact:
    """Geometry and factors of a roller bearing.

    ``rollers`` Z, ``roller_diameter`` D_w [m], ``effective_length`` L_we [m], ``pitch_diameter`` D_pw [m],
    ``contact_angle`` a_0 [rad]. ``load_share`` k is the load of the worst roller times Z over the bearing's load (4
    without clearance, 5 with some); ``radial_factor`` X_0 and ``axial_factor`` Y_0 make the static equivalent load;
    ``edge_factor`` K_lc and ``misalignment_factor`` K_m raise the pressure of the line.
    """

    rollers: int
    roller_diameter: float
    effective_length: float
    pitch_diameter: float
    contact_angle: float = 0.0
    load_share: float = 4.0
    radial_factor: float = 1.0
    axial_factor: float = 0.0
    edge_factor: float = 1.0
    misalignment_factor: float = 1.0

    def __post_init__(self) -> None:
        sizes = ("rollers", "roller_diameter", "effective_length", "pitch_diameter", "load_share")
        for name in (*sizes, "edge_factor", "misalignment_factor"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name} must be positive, got {getattr(self, name)}")
        if not 0.0 <= self.contact_angle < math.pi / 2.0:
            raise ValueError(f"contact_angle {self.contact_angle:g} rad: from 0 to below pi/2")
        if self.pitch_diameter <= self.roller_diameter:
            raise ValueError("pitch_diameter must be larger than roller_diameter")

    @property
    def curvature_sum(self) -> float:
        """Sum of the curvatures at the inner raceway [1/m]."""
        race = self.pitch_diameter / math.cos(self.contact_angle) - self.roller_diameter
        return 2.0 / self.roller_diameter + 2.0 / race

    def equivalent_load(self, radial: float, axial: float = 0.0) -> float:
        """Static equivalent load P_0 [N] of the magnitudes of the forces [N]."""
        return self.radial_factor * abs(radial) + self.axial_factor * abs(axial)

    def roller_load(self, radial: float, axial: float = 0.0) -> float:
        """Load of the most loaded roller [N]."""
        load = self.equivalent_load(radial, axial)
        return self.load_share * load / (self.rollers * math.cos(self.contact_angle))

    def line_pressure(self, radial: float, axial: float = 0.0) -> float:
        """Pressure [Pa] of the ideal line contact."""
        per_length = self.roller_load(radial, axial) / self.effective_length
        # N/mm and 1/mm inside the root, MPa outside: 1e-3 each inside, 1e6 outside
        return 1e6 * LINE_CONSTANT * math.sqrt(0.5 * 1e-6 * per_length * self.curvature_sum)

    def largest_pressure(self, radial: float, axial: float = 0.0) -> float:
        """Pressure [Pa] with the factors of edge and misalignment."""
        return self.edge_factor * self.misalignment_factor * self.line_pressure(radial, axial)
