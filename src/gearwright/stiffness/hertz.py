"""Contact of two flanks or of a ball: half width and pressure of Hertz, and how far a flank gives way locally.

Source: S0 digest sections 7 and 9; C. Weber, K. Banaschek, Formaenderung und Profilruecknahme bei gerad- und
schraegverzahnten Raedern (1953), for the local approach.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.pair import GearPair


def half_width(pair: GearPair, load: Any, s1: Any, steels: tuple[Steel, Steel]) -> Any:
    """Half width [m] under a load per width [N/m] at arc ``s1``: a = sqrt(4/pi (m1 + m2) q rho)."""
    s2 = pair.path.s_c + s1 if pair.internal else pair.path.s_c - s1
    total = s2 - s1 if pair.internal else s1 + s2
    rho = np.asarray(s1) * s2 / total / math.cos(pair.base_helix)
    m = steels[0].plane + steels[1].plane
    return np.sqrt(4.0 / math.pi * m * np.maximum(load, 0.0) * np.maximum(rho, 0.0))


def pressure(pair: GearPair, load: Any, s1: Any, steels: tuple[Steel, Steel]) -> Any:
    """Largest pressure [Pa] under a load per width [N/m] at arc ``s1``: 2 q / (pi a)."""
    a = half_width(pair, load, s1, steels)
    return np.where(a > 0.0, 2.0 * np.asarray(load) / (math.pi * np.where(a > 0.0, a, 1.0)), 0.0)


def half_width_at_pressure(pair: GearPair, peak: float, s1: float, steels: tuple[Steel, Steel]) -> float:
    """Half width [m] at which the largest pressure is ``peak``: 2 (m1 + m2) rho p_max."""
    return 2.0 * (steels[0].plane + steels[1].plane) * pair.curvature(s1) * peak


def local_compliance(steel: Steel, depth: Any, a: Any) -> Any:
    """Local approach [m per N/m] of a flank towards a point ``depth`` [m] below it, by the work of the pressure.

    The half plane's settlement at the centre is ``2 m/pi (ln(2 h/a) - nu / (2 (1 - nu)))``; weighted with the
    pressure itself, as an energy is, it is ``m / (2 pi)`` less.
    """
    nu = steel.poisson
    return 2.0 * steel.plane / math.pi * (np.log(2.0 * np.asarray(depth) / a) - nu / (2.0 * (1.0 - nu)) - 0.25)


def depth_to_middle(gear: Gear, s: float) -> float:
    """Distance [m] along the line of action from the flank at arc ``s`` to the middle of the tooth."""
    r = gear.radius(s)
    psi = gear.half_angle(r)
    alpha = math.atan(s / gear.base_radius)
    return r * math.sin(psi) / math.cos(alpha + psi if gear.ring else alpha - psi)


def largest_mises(poisson: float) -> tuple[float, float]:
    """Largest von Mises stress under a frictionless line contact by ``p_max``, and its depth by ``a``.

    On the axis (K. L. Johnson, Contact Mechanics, 4.2): ``s_x = -p [(1 + 2 z²)/sqrt(1 + z²) - 2 z]``,
    ``s_z = -p / sqrt(1 + z²)``, and along the line ``nu (s_x + s_z)``.
    """
    z = np.linspace(0.0, 2.0, 20001)
    root = np.sqrt(1.0 + z**2)
    x, y = -((1.0 + 2.0 * z**2) / root - 2.0 * z), -1.0 / root
    w = poisson * (x + y)
    mises = np.sqrt(0.5 * ((x - y) ** 2 + (y - w) ** 2 + (w - x) ** 2))
    worst = int(np.argmax(mises))
    return float(mises[worst]), float(z[worst])


@dataclass(frozen=True)
class PointContact:
    """Elliptical contact of two bodies, by Hertz.

    ``stiffness`` K of ``Q = K delta^1.5`` [N/m^1.5]; ``major``, ``minor``: half axes [m] under a load of 1 N (they grow
    with the cube root of the load); ``ratio`` of the half axes.
    """

    stiffness: float
    major: float
    minor: float
    ratio: float

    def pressure(self, load: float) -> float:
        """Largest pressure [Pa] under a load [N]."""
        return float(1.5 * max(load, 0.0) ** (1.0 / 3.0) / (math.pi * self.major * self.minor))


def point_contact(curvature_sum: float, curvature_difference: float, compliance: float) -> PointContact:
    """Contact with a sum of the four principal curvatures [1/m] and their relative difference F(rho), 0 to below 1.

    ``compliance`` is ``(1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2`` [1/Pa]. Source: T. A. Harris, Rolling Bearing Analysis,
    chapter on contact; ISO/TS 16281:2008, 4.2. Raises ValueError for curvatures that make no ellipse.
    """
    from scipy.optimize import brentq
    from scipy.special import ellipe, ellipk

    if not (curvature_sum > 0.0 and compliance > 0.0 and 0.0 <= curvature_difference < 1.0):
        raise ValueError(
            f"a point contact needs a positive sum of curvatures and a difference from 0 to below 1, got "
            f"{curvature_sum:g} 1/m and {curvature_difference:g}"
        )

    def off(log_ratio: float) -> float:
        ratio = math.exp(log_ratio)
        m = 1.0 - 1.0 / ratio**2
        return float(1.0 - 2.0 / (ratio**2 - 1.0) * (ellipk(m) / ellipe(m) - 1.0) - curvature_difference)

    # at a ratio of one both bodies are equally curved all round
    ratio = math.exp(brentq(off, 1e-4, 12.0, xtol=1e-13)) if curvature_difference > 1e-8 else 1.0
    m = 1.0 - 1.0 / ratio**2
    first, second = float(ellipk(m)), float(ellipe(m))
    unit = (1.5 * compliance / curvature_sum) ** (1.0 / 3.0)
    approach = 2.0 * first / math.pi * (math.pi / (2.0 * ratio**2 * second)) ** (1.0 / 3.0)
    deflection = approach * unit**2 * curvature_sum / 2.0
    return PointContact(
        deflection**-1.5,
        unit * (2.0 * ratio**2 * second / math.pi) ** (1.0 / 3.0),
        unit * (2.0 * second / (math.pi * ratio)) ** (1.0 / 3.0),
        ratio,
    )


def roller_load(approach: Any, length: float, compliance: float, radii: tuple[float, float, float]) -> Any:
    """Load [N] of a roller pressed by ``approach`` [m] between two rings, by Hertz's line contact in both.

    ``delta = 2 K F ln(F_0 / F)`` with ``K = compliance / (pi L)`` and ``F_0 = exp(2/3)/K sqrt((R_i + r)(R_o - r))``;
    ``radii``: R_i, R_o of the raceways and r of the roller [m]; zero where there is no approach. Unlike the power law of
    ISO/TS 16281 it depends on the radii. Source: digest S2 section 11. Raises ValueError for an approach beyond elastic contact.
    """
    from scipy.special import lambertw

    inner, outer, r = radii
    k = compliance / (math.pi * length)
    reach = math.exp(2.0 / 3.0) / k * math.sqrt((inner + r) * (outer - r))
    x = np.maximum(np.asarray(approach, float), 0.0) / (2.0 * k * reach)
    if np.any(x >= math.exp(-1.0)):
        raise ValueError("the approach lies beyond elastic contact")
    w = np.real(lambertw(-np.where(x > 0.0, x, 1e-300), -1))
    return np.where(x > 0.0, reach * np.exp(w), 0.0)


def line_pressure(load_per_length: float, curvature_sum: float, compliance: float) -> float:
    """Largest pressure [Pa] of a line contact under a load per length [N/m]: ``sqrt(q rho / (pi compliance))``.

    ``compliance`` as in :func:`point_contact`.
    """
    return math.sqrt(max(load_per_length, 0.0) * curvature_sum / (math.pi * compliance))
