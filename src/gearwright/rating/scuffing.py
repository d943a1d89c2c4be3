"""Scuffing: flash and integral temperature of a pair (ISO/TS 6336-20, -21), and what an oil of the FZG test bears.

The formulas are from memory of ISO/TR 13989 and ISO/TS 6336-20 and -21; the heat source is also integrated in a test.
Temperatures in degrees Celsius, differences in kelvin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .sliding import MeshLoad, tip_ratios

Float = NDArray[np.float64]

#: Blok's factor of a band source with half-elliptic heat and equal temperatures on both sides
BLOK = 1.11
#: X_M of steel on steel [K s^0.5 / (N^0.75 m^0.5) with lengths in mm]
X_M_STEEL = 50.0
#: torque of the pinion [N m] at the load stages of the FZG test A/8.3/90
FZG_TORQUE = {
    1: 3.3,
    2: 13.7,
    3: 35.3,
    4: 60.8,
    5: 94.1,
    6: 135.3,
    7: 183.4,
    8: 239.3,
    9: 302.0,
    10: 372.6,
    11: 450.1,
    12: 534.5,
    13: 626.9,
    14: 714.2,
}
#: lubricant factor X_L of the friction: base of eta^-0.05 by kind of oil
OILS = {"mineral": 1.0, "pao": 0.8, "ester": 0.75, "polyglycol": 0.6}


@dataclass(frozen=True)
class ThermalData:
    """Of both flanks: ``conductivity`` [W/(m K)], ``density`` [kg/m^3], ``heat_capacity`` [J/(kg K)]."""

    conductivity: float = 50.0
    density: float = 7850.0
    heat_capacity: float = 440.0

    @property
    def effusivity(self) -> float:
        """B_M [W s^0.5/(m^2 K)]: ``sqrt(lambda rho c)``."""
        return math.sqrt(self.conductivity * self.density * self.heat_capacity)


def mean_friction(load: MeshLoad, viscosity: float, roughness: float, oil: str = "mineral") -> float:
    """mu_m at scuffing: ``0.060 (w/(v_SC rho_C))^0.2 X_L X_R``, X_L ``C eta^-0.05``, X_R ``Ra^0.25``.

    ``viscosity`` dynamic at the oil temperature [mPa s], ``roughness`` mean R_a of both flanks [m].
    """
    x = OILS[oil] * viscosity**-0.05 * (1e6 * roughness) ** 0.25
    group = 1e-3 * load.unit_load / (load.sum_speed * 1e3 * load.pitch_radius)
    return 0.060 * group**0.2 * x


def flash_temperature(load: MeshLoad, friction: float, thermal: ThermalData | None = None) -> tuple[Float, Float]:
    """Points of the path [m] and the flash temperature there [K].

    Band source of Blok: ``1.11 mu w |v1 - v2| / (sqrt(2 b_H) B_M (sqrt v1 + sqrt v2))`` with equal materials.
    """
    material = thermal or ThermalData()
    s = load.arcs
    v1, v2 = load.speeds(s)
    w = load.share(s) * load.unit_load
    rooted = np.abs(np.sqrt(v1) - np.sqrt(v2))
    return s, BLOK * friction * w * rooted / (material.effusivity * np.sqrt(2.0 * load.half_width(s)))


@dataclass(frozen=True)
class Flash:
    """Largest flash temperature [K] and where it is: arc of gear one [m]; the mean along the path [K]; ``bulk``, ``contact``
    and ``allowed`` temperatures [C] and the safety S_B, None where the oil's scuffing load is not known."""

    largest: float
    at: float
    mean: float
    bulk: float
    contact: float
    allowed: float | None
    safety: float | None


def flash_scuffing_temperature(stage: float, lubricant: float = 1.0, structure: float = 1.0) -> float:
    """theta_S [C] of an FZG load stage: ``80 + (0.85 + 1.4 X_W) X_L S_FZG^2``."""
    return 80.0 + (0.85 + 1.4 * structure) * lubricant * stage**2


def flash(
    load: MeshLoad,
    friction: float,
    oil: float,
    stage: float | None,
    *,
    lubricant: float = 1.0,
    structure: float = 1.0,
    spray: float = 1.0,
    meshes: int = 1,
    thermal: ThermalData | None = None,
) -> Flash:
    """Contact temperature against the scuffing temperature of the oil.

    ``oil`` temperature [C], ``stage`` FZG load stage or None, ``spray`` X_S (1 dip, 1.2 spray lubrication), ``meshes`` that one gear
    has (X_mp = (1 + n)/2). Bulk ``theta_oil + 0.47 X_S X_mp theta_flm``.
    """
    s, course = flash_temperature(load, friction, thermal)
    mean = float(np.trapezoid(course, s) / (s[-1] - s[0]))
    worst = int(np.argmax(course))
    bulk = oil + 0.47 * spray * 0.5 * (1.0 + meshes) * mean
    contact = bulk + float(course[worst])
    allowed = None if stage is None else flash_scuffing_temperature(stage, lubricant, structure)
    safety = None if allowed is None else (allowed - oil) / (contact - oil)
    return Flash(float(course[worst]), float(s[worst]), mean, bulk, contact, allowed, safety)


@dataclass(frozen=True)
class Integral:
    """Temperatures of the integral method: ``tip`` theta_flaE and ``mean`` theta_flaint [K], ``geometry`` X_BE, ``ratio`` X_eps, ``bulk``
    theta_M, ``integral`` theta_int and ``allowed`` theta_intS [C], safety S_intS."""

    tip: float
    geometry: float
    ratio: float
    mean: float
    bulk: float
    integral: float
    allowed: float | None
    safety: float | None


def integral_ratio(one: float, two: float) -> float:
    """X_eps of the tip contact ratios of gear one and two: mean over largest flash temperature (DIN 3990-4, ISO/TS 6336-21).

    The standard's five forms, by the contact ratio (below 1, 2, 3) and by which tip part is above 1; they meet at their borders. From memory;
    ValueError for a contact ratio of 3 and more, or a tip part that is not positive (all contact on one side of the pitch point).
    """
    total = one + two
    if not (one > 0.0 and two > 0.0 and total < 3.0):
        raise ValueError(
            f"X_eps is known for a contact ratio below 3 with both tip parts positive, not for {one:.3g} + {two:.3g}"
        )
    if total < 1.0:
        mean = one**2 + two**2
    elif total < 2.0 and max(one, two) < 1.0:
        mean = 0.70 * (one**2 + two**2) - 0.22 * total + 0.52 - 0.60 * one * two
    elif total < 2.0:
        long, short = max(one, two), min(one, two)
        mean = 0.18 * long**2 + 0.70 * short**2 + 0.82 * long - 0.52 * short - 0.30 * one * two
    else:
        long, short = max(one, two), min(one, two)
        mean = 0.44 * long**2 + 0.59 * short**2 + 0.30 * (long - short) - 0.15 * one * two
    return mean / (2.0 * total * one)


def tip_geometry(load: MeshLoad) -> float:
    """X_BE of the curvature at the tip of gear one: ``0.51 sqrt(u+1) (sqrt rE1 - sqrt(rE2/u)) / (rE1 rE2)^0.25``."""
    one, two, _ = load.radii(load.pair.path.end)
    u = load.ratio
    sign = -1.0 if load.pair.internal else 1.0
    first, second = float(one), float(two)
    return 0.51 * math.sqrt(u + sign) * abs(math.sqrt(first) - math.sqrt(second / u)) / (first * second) ** 0.25


def integral_scuffing_temperature(
    torque: float, viscosity: float, lubricant: float = 1.0, structure: float = 1.0
) -> float:
    """theta_intS [C] of the torque [N m] that the oil bears in the FZG test A/8.3/90 and its viscosity at 40 C [mm^2/s]:
    ``80 + 0.23 T X_L + 1.5 X_WrelT 0.2 T (100/nu40)^0.02 X_L``."""
    return 80.0 + 0.23 * torque * lubricant + 1.5 * structure * 0.2 * torque * (100.0 / viscosity) ** 0.02 * lubricant


def integral(
    load: MeshLoad,
    friction: float,
    oil: float,
    torque: float | None,
    viscosity: float,
    *,
    lubricant: float = 1.0,
    structure: float = 1.0,
    approach: float = 1.0,
    relief: float = 1.0,
    spray: float = 1.0,
    contact_angle: float | None = None,
) -> Integral:
    """Integral temperature against that of the oil.

    ``torque`` that the oil bears in the test [N m] or None; ``approach`` X_Q (1, or 0.6 for e_approach much longer), ``relief``
    X_Ca; ``contact_angle`` X_ab, None: ``1.22 sin^0.25(alpha_wt)``. Raises ValueError where X_eps has no formula.
    """
    one, two = tip_ratios(load.pair)
    x_ab = 1.22 * math.sin(load.pair.working_angle) ** 0.25 if contact_angle is None else contact_angle
    geometry, ratio = tip_geometry(load), integral_ratio(one, two)
    w, a = 1e-3 * load.unit_load, 1e3 * load.pair.distance
    tip = friction * X_M_STEEL * geometry * x_ab * w**0.75 * math.sqrt(load.pitch_speed) / a**0.25 / (approach * relief)
    mean = tip * ratio
    bulk = oil + 0.7 * mean * spray
    found = bulk + 1.5 * mean
    allowed = None if torque is None else integral_scuffing_temperature(torque, viscosity, lubricant, structure)
    return Integral(tip, geometry, ratio, mean, bulk, found, allowed, None if allowed is None else allowed / found)
