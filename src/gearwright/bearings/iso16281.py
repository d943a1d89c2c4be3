"""Reference life of a rolling bearing from the loads of its elements and slices (ISO/TS 16281:2008).

The static problem gives how the elements share the load (:mod:`gearwright.bearings.stiffness`); here every contact, at
inner and outer ring, has a dynamic rating of its own. Tilt, clearance, preload and profile so enter the life.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gearwright.arrays import Float
from gearwright.bearings.types import BearingGeometry

#: reduction of the standard for uneven loading and edges of line contacts
_LINE_REDUCTION = 0.83


@dataclass(frozen=True)
class ReferenceLife:
    """Life of a bearing by its contacts.

    ``life`` L_10r in millions of revolutions (infinite without load), ``load`` P_ref [N]: the load of the same basic
    life, ``elements``: load of each element, row after row [N], ``inner_load``, ``outer_load``: dynamic equivalent load
    of an element at either ring, the larger of the rows [N].
    """

    life: float
    load: float
    elements: Float
    inner_load: float
    outer_load: float

    def hours(self, speed: float) -> float:
        """The life in hours at a speed [rad/s]; infinite at rest."""
        turns = abs(speed) * 3600.0 / (2.0 * math.pi)
        return 1e6 * self.life / turns if turns > 0.0 else math.inf


def contact_ratings(geometry: BearingGeometry, rating: float) -> tuple[float, float]:
    """Dynamic rating of an element's contact with the inner and the outer ring (Q_ci, Q_ce) [N].

    ``rating`` is the bearing's C_r [N]. Equations 19, 20 (balls) and 47, 48 (rollers) of the standard.
    """
    if not (math.isfinite(rating) and rating > 0.0):
        raise ValueError(f"dynamic load rating must be positive, got {rating:g}")
    gamma, z, rows = geometry.gamma, geometry.per_row, geometry.row_count
    lean, cosine = (1.0 - gamma) / (1.0 + gamma), math.cos(geometry.contact_angle)
    if geometry.is_ball:
        fi, fo = geometry.osculation
        rings = 1.044 * lean**1.72 * (fi / fo * (2.0 * fo - 1.0) / (2.0 * fi - 1.0)) ** 0.41
        one = rating / (z * cosine * rows**0.7)
        power, share = 10.0 / 3.0, 0.3
        factors = (0.407, 0.389)
    else:
        rings = 1.038 * lean ** (143.0 / 108.0)
        one = rating / (_LINE_REDUCTION * z * cosine * rows ** (7.0 / 9.0))
        power, share = 4.5, 2.0 / 9.0
        factors = (0.378, 0.364)
    inner = one / factors[0] * (1.0 + rings**power) ** share
    outer = one / factors[1] * (1.0 + rings**-power) ** share
    return inner, outer


def edge_stress(slices: int) -> Float:
    """Stress riser (slices) that the standard puts on slices when the pressure is not computed: 1 in the middle.

    ``1 - 0.01 / ln(1.985 |2 k - n - 1| / (2 n - 2))`` with k = 1 .. n, equation 54 for rollers with a profile.
    """
    if slices == 1:
        return np.ones(1)
    k = np.arange(1, slices + 1)
    at = 1.985 * np.abs(2 * k - slices - 1) / (2 * slices - 2)
    # in the middle the logarithm is minus infinity
    with np.errstate(divide="ignore"):
        return 1.0 - 0.01 / np.log(at)


def reference_life(
    geometry: BearingGeometry, rating: float, displacement: ArrayLike, *, outer_turns: bool = False, edges: bool = True
) -> ReferenceLife:
    """Basic reference rating life at a displacement (6) of the inner ring [m, rad].

    Parameters
    ----------
    rating : C_r [N] of one bearing (of ``count`` equal ones each has this rating, and the life is that of one)
    outer_turns : the load stands still relative to the inner ring, as in a planet wheel that turns on its pin
    edges : multiply slice loads by :func:`edge_stress`

    Raises ValueError for a displacement or rating that is no number.
    """
    inner_rating, outer_rating = contact_ratings(geometry, rating)
    ball = geometry.is_ball
    turning, standing = (3.0, 10.0 / 3.0) if ball else (4.0, 4.5)
    inner_power, outer_power = (standing, turning) if outer_turns else (turning, standing)
    slices = 1 if ball else geometry.slices
    riser = edge_stress(slices) if edges else np.ones(slices)
    share = slices ** (-7.0 / 9.0)
    slope = 10.0 / 3.0 if ball else 4.5
    total, elements, inner_most, outer_most = 0.0, [], 0.0, 0.0
    for row in geometry.bearing().rows:
        loads = row.in_slices(displacement)[2]
        elements.append(loads.sum(axis=1))
        stressed = loads * riser
        inner = np.mean(stressed**inner_power, axis=0) ** (1.0 / inner_power)
        outer = np.mean(stressed**outer_power, axis=0) ** (1.0 / outer_power)
        total += float(np.sum((inner / (inner_rating * share)) ** slope + (outer / (outer_rating * share)) ** slope))
        inner_most, outer_most = max(inner_most, float(inner.sum())), max(outer_most, float(outer.sum()))
    weibull = 9.0 / 10.0 if ball else 8.0 / 9.0
    life = total**-weibull if total > 0.0 else math.inf
    exponent = 3.0 if ball else 10.0 / 3.0
    load = rating * life ** (-1.0 / exponent) if math.isfinite(life) else 0.0
    return ReferenceLife(life, load, np.concatenate(elements), inner_most, outer_most)
