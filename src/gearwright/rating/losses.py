"""Power losses of meshes, bearings, seals and churning, and the temperature of the oil they lead to (ISO/TR 14179).

Powers in watts, torques in N m, lengths in metres, speeds in rad/s; viscosities as the formulas have them (said in each).
Formulas from memory of ISO/TR 14179-1 and -2; mesh losses recomputed from a public report of the FZG gears C14.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .sliding import MeshLoad, local_loss_factor, loss_factor

RPM = 30.0 / math.pi


def mesh_friction(load: MeshLoad, viscosity: float, roughness: float, lubricant: float = 1.0) -> float:
    """mu_mz: ``0.048 (F_bt/(b v_SC rho_C))^0.2 eta^-0.05 R_a^0.25 X_L``; ``viscosity`` [mPa s], ``roughness`` mean R_a [m].

    The unit load counts as 150 N/mm at least, the pitch line speed as 50 m/s at most.
    """
    speed = load.sum_speed * min(1.0, 50.0 / max(load.pitch_speed, 1e-9))
    group = max(1e-3 * load.unit_load, 150.0) / (speed * 1e3 * load.pitch_radius)
    return 0.048 * group**0.2 * viscosity**-0.05 * (1e6 * roughness) ** 0.25 * lubricant


@dataclass(frozen=True)
class MeshLoss:
    """Loss of a mesh [W] with its friction and loss factor (``factor`` H_V of Ohlendorf, ``local`` from the course of the load)."""

    power: float
    friction: float
    factor: float
    local: float


def mesh_loss(load: MeshLoad, width: float, friction: float) -> MeshLoss:
    """Loss of a mesh over a face ``width`` [m]: ``P mu H_V``, P the power at the base circles (of a planetary stage against the
    carrier: coupling power)."""
    power = load.unit_load * width * load.base_speed
    factor = loss_factor(load.pair)
    return MeshLoss(power * friction * factor, friction, factor, local_loss_factor(load))


def bearing_torque(
    diameter: float, load: float, speed: float, viscosity: float, *, no_load: float, load_factor: float
) -> tuple[float, float]:
    """M0 and M1 [N m] of a rolling bearing by Palmgren: ``1e-10 f0 (nu n)^(2/3) d_m^3`` (160e-10 f0 d_m^3 below nu n of 2000) and ``f1 P d_m``.

    ``diameter`` mean d_m [m], ``load`` P [N], ``speed`` [rad/s], ``viscosity`` at work [mm^2/s]; f0 ``no_load``, f1 ``load_factor``.
    """
    group = max(viscosity * abs(speed) * RPM, 2000.0)
    return 1e-10 * no_load * group ** (2.0 / 3.0) * (1e3 * diameter) ** 3, load_factor * load * diameter


#: f0 and f1 of Palmgren by type of bearing, oil bath, middle of the ranges; from memory of the makers' tables, to be checked against them
PALMGREN = {
    "cylindrical": (2.5, 3e-4),
    "full_complement": (3.0, 5.5e-4),
    "tapered": (4.0, 4e-4),
    "spherical": (5.0, 4.5e-4),
    "deep_groove": (2.0, 7e-4),
    "angular_contact": (3.3, 1e-3),
}
#: torque of a shaft seal per diameter [N m/mm] (ISO/TR 14179-1)
SEALS = {"viton": 3.737e-3, "buna": 2.429e-3}


def seal_torque(diameter: float, material: str = "viton") -> float:
    """Torque [N m] of a lip seal on a shaft of a diameter [m]."""
    return SEALS[material] * 1e3 * diameter


def seal_loss(diameter: float, speed: float) -> float:
    """Loss [W] of a lip seal by ISO/TR 14179-2: ``7.69e-6 d^2 n``, d in mm, n in 1/min."""
    return 7.69e-6 * (1e3 * diameter) ** 2 * abs(speed) * RPM


def agma_friction(viscosity: float, k_factor: float, speed: float) -> float:
    """f_m of ISO/TR 14179-1: ``nu^-0.223 K^-0.40 / (3.239 V^0.70)``; nu [mm^2/s], K [N/mm^2], V [m/s]."""
    return viscosity**-0.223 * k_factor**-0.40 / (3.239 * speed**0.70)


def churning_torque(depths: tuple[float, float], width: float, speed: float, *, height: float, span: float) -> float:
    """Torque [N m] of both wheels of a stage that dip into oil: ``C_Sp C1 exp(C2 v_t/10)``, v_t ``speed`` [m/s].

    ``depths`` of both wheels below the oil at rest and ``width`` of the face [m]; ``height`` h_C of the mesh above the lowest point of the wheel
    that dips deepest, ``span`` l_h [m], the hydraulic length of the oil's surface: ``C_Sp = (4 h_max/(3 h_C))^1.5 2 h_C/l_h``. Viscosity has no
    part in it; wheels turn about fixed axes.
    """
    total, b = 1e3 * sum(depths), 1e3 * width
    splash = (4.0 * max(depths) / (3.0 * height)) ** 1.5 * 2.0 * height / span
    return splash * (0.063 * total / 10.0 + 0.0128 * (b / 10.0) ** 3) * math.exp((total / 800.0 + 0.2) * speed / 10.0)


@dataclass(frozen=True)
class Housing:
    """What takes heat away: ``area`` [m^2], ``coefficient`` k [W/(m^2 K)] (15 to 20 in still air), temperature of the ``air`` [C],
    ``cooler`` [W]."""

    area: float
    coefficient: float = 15.0
    air: float = 20.0
    cooler: float = 0.0

    def oil(self, losses: Sequence[float]) -> float:
        """Oil temperature [C] at which housing and cooler take the losses [W] away; the air's where the cooler takes all."""
        return self.air + max(sum(losses) - self.cooler, 0.0) / (self.coefficient * self.area)
