"""Sliding and load along the path of contact: what scuffing, film thickness and losses of a pair follow from.

Speeds in rad/s and m/s, unit loads in N/m of face width, lengths in metres. Points of the path by the base-circle arc of gear
one, as in :mod:`gearwright.geometry.pair`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.geometry.gear import Steel
from gearwright.geometry.pair import GearPair
from gearwright.stiffness import hertz

Float = NDArray[np.float64]

#: buttressing of helical teeth at both ends of the path
BUTTRESS = 1.3


@dataclass(frozen=True)
class MeshLoad:
    """A pair at work: ``speed`` [rad/s] of gear one (against the carrier), ``unit_load`` w_bt [N/m], the transverse force along
    the line of action over the face width, with all load factors."""

    pair: GearPair
    speed: float
    unit_load: float

    @cached_property
    def arcs(self) -> Float:
        """Points of the path of contact [m]."""
        path = self.pair.path
        return np.linspace(path.start, path.end, 801)

    @property
    def ratio(self) -> float:
        """Teeth of gear two over gear one."""
        return self.pair.ratio

    def radii(self, s: ArrayLike) -> tuple[Float, Float, Float]:
        """Radii of curvature of both flanks and their equivalent one, transverse section [m]."""
        one = np.asarray(s, float)
        two = self.pair.path.s_c + one if self.pair.internal else self.pair.path.s_c - one
        return one, two, one * two / (two - one if self.pair.internal else one + two)

    def speeds(self, s: ArrayLike) -> tuple[Float, Float]:
        """Tangential speeds of both flanks at the contact [m/s]."""
        one, two, _ = self.radii(s)
        return abs(self.speed) * one, abs(self.speed) / self.ratio * two

    @property
    def base_speed(self) -> float:
        """Speed of both base circles [m/s]."""
        return abs(self.speed) * self.pair.one.base_radius

    @property
    def pitch_speed(self) -> float:
        """Pitch line speed v_t [m/s]."""
        return abs(self.speed) * self.pair.working_radii[0]

    @property
    def sum_speed(self) -> float:
        """Sum of the tangential speeds at the pitch point, v_SC [m/s]."""
        return 2.0 * self.pitch_speed * math.sin(self.pair.working_angle)

    @property
    def pitch_radius(self) -> float:
        """Equivalent radius of curvature at the pitch point, normal section, rho_redC [m]."""
        return self.pair.curvature(self.pair.path.pitch_point)

    def share(self, s: ArrayLike) -> Float:
        """X_Gamma: share of the load that one pair carries.

        Spur: 1/3 to 2/3 over each region of two pairs, 1 between. Helical: 1/eps_alpha, with the buttressing at both ends of the
        path; an overlap below 1 lies between both in proportion.
        """
        x = np.asarray(s, float)
        path = self.pair.path
        start, end, pitch = path.start, path.end, path.base_pitch
        spur = np.ones_like(x)
        if end - start > pitch:
            spur = np.minimum(spur, 1.0 / 3.0 + (x - start) / (end - pitch - start) / 3.0)
            rising = np.where(x <= end - pitch, spur, 1.0)
            falling = np.where(x >= start + pitch, 1.0 / 3.0 + (end - x) / (end - pitch - start) / 3.0, 1.0)
            spur = np.minimum(rising, falling)
        overlap = min(self.pair.overlap_ratio, 1.0)
        if overlap == 0.0:
            return spur
        reach = 0.2 * pitch * math.sin(abs(self.pair.base_helix))
        nearest = np.minimum(x - start, end - x)
        raised = 1.0 + (BUTTRESS - 1.0) * np.clip(1.0 - nearest / max(reach, 1e-12), 0.0, 1.0)
        return np.asarray((1.0 - overlap) * spur + overlap * raised / max(self.pair.contact_ratio, 1.0))

    @property
    def steels(self) -> tuple[Steel, Steel]:
        """Elastic data of both gears; of steel where none are given."""
        one, two = self.pair.one.material or Steel(), self.pair.two.material or Steel()
        return one, two

    @property
    def modulus(self) -> float:
        """E_r of both materials [Pa]: ``2/((1 - nu1^2)/E1 + (1 - nu2^2)/E2)``."""
        return 2.0 / sum(steel.plane for steel in self.steels)

    def pressure(self, s: ArrayLike) -> Float:
        """Pressure of Hertz [Pa] under the share of one pair; force and length of a helical contact both grow with 1/cos(beta_b)."""
        return np.asarray(hertz.pressure(self.pair, self.share(s) * self.unit_load, np.asarray(s, float), self.steels))

    def half_width(self, s: ArrayLike) -> Float:
        """Half width of the contact [m] under the share of one pair."""
        return np.asarray(
            hertz.half_width(self.pair, self.share(s) * self.unit_load, np.asarray(s, float), self.steels)
        )


def tip_ratios(pair: GearPair) -> tuple[float, float]:
    """Parts of the contact ratio beyond the pitch point: at the tip of gear one, at the tip of gear two."""
    path = pair.path
    return (path.end - path.pitch_point) / path.base_pitch, (path.pitch_point - path.start) / path.base_pitch


def loss_factor(pair: GearPair) -> float:
    """H_V of Ohlendorf: ``pi (u +- 1)/(z1 u cos b_b)(1 - eps + e1^2 + e2^2)``; lower sign for a ring."""
    one, two = tip_ratios(pair)
    sign = -1.0 if pair.internal else 1.0
    around = 0.5 * pair.angular_pitch * (pair.ratio + sign) / pair.ratio
    return around / math.cos(pair.base_helix) * (1.0 - one - two + one**2 + two**2)


def local_loss_factor(load: MeshLoad, share: Float | None = None) -> float:
    """H_VL: mean over a mesh cycle of share times sliding over base speed, from the course of the load along the path (Wimmer).

    ``share`` of one pair at the points :attr:`MeshLoad.arcs`; None: those of scuffing.
    """
    s = load.arcs
    v1, v2 = load.speeds(s)
    carried = load.share(s) if share is None else share
    course = carried * np.abs(v1 - v2) / load.base_speed / math.cos(load.pair.base_helix)
    return float(np.trapezoid(course, s) / load.pair.path.base_pitch)
