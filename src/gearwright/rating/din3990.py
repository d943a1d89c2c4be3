"""What DIN 3990:1987 has otherwise than ISO 6336:2019: method C of the dynamic factor, roots loaded at the tip, Z_beta.

Printed example: DIN 3990-11:1989 (``gearwright verify R.din11``). Forces in newtons, lengths in metres, unit loads in N/m.
"""

from __future__ import annotations

import math

from gearwright.geometry.pair import GearPair

from .iso6336_bending import Protuberance, RootFactors, root_factors
from .iso6336_rating import RatingError

#: K_1 [N/mm] of spur and of helical teeth by accuracy grade of DIN 3962, and by flank tolerance class of ISO 1328
_K1_DIN = {
    6: (9.6, 8.5),
    7: (15.3, 13.6),
    8: (24.5, 21.8),
    9: (34.5, 30.7),
    10: (53.6, 47.7),
    11: (76.6, 68.2),
    12: (122.5, 109.1),
}
_K1_ISO = {
    5: (7.5, 6.7),
    6: (14.9, 13.3),
    7: (26.8, 23.9),
    8: (39.1, 34.8),
    9: (52.8, 47.0),
    10: (76.6, 68.2),
    11: (102.6, 91.4),
}
_K2 = (0.0193, 0.0087)


def dynamic_factor_c(pair: GearPair, speed: float, unit_load: float, grade: int, iso_grade: bool = False) -> float:
    """K_v by method C of an external pair: ``1 + (K1/(F_t K_A/b) + K2) z1 v/100 sqrt(u^2/(1 + u^2))``.

    ``speed`` [rad/s] of gear one, ``unit_load`` F_t K_A/b (100 N/mm counts at least); ``grade`` of DIN 3962, or of ISO 1328. An overlap
    below 1 lies between spur and helical. Raises RatingError for a grade without constants, and beyond 10 m/s of ``z1 v/100``.
    """
    table = _K1_ISO if iso_grade else _K1_DIN
    if grade not in table:
        raise RatingError(f"K_v by method C: grade {grade}, there are {', '.join(map(str, table))}")
    u = max(pair.ratio, 1.0 / pair.ratio)
    pinion = 2.0 * math.pi / pair.angular_pitch * min(pair.ratio, 1.0)
    velocity = abs(speed) * pair.one.reference_radius
    reach = pinion * velocity / 100.0 * math.sqrt(u**2 / (1.0 + u**2))
    if reach >= 10.0:
        raise RatingError(f"K_v by method C holds below 10 m/s of z1 v/100 sqrt(u^2/(1+u^2)), not at {reach:.3g}")
    load = max(1e-3 * unit_load, 100.0)
    spur, helical = (1.0 + (k1 / load + k2) * reach for k1, k2 in zip(table[grade], _K2, strict=True))
    overlap = min(pair.overlap_ratio, 1.0)
    return spur - overlap * (spur - helical)


def helix_factor(pair: GearPair) -> float:
    """Z_beta of DIN 3990 and of ISO 6336 before 2006: ``sqrt(cos beta)``, the inverse of today's."""
    return math.sqrt(math.cos(pair.one.helix_angle))


def contact_ratio_factor(pair: GearPair) -> float:
    """Y_eps: ``0.25 + 0.75 cos^2(beta_b)/eps_alpha``, which brings a load at the tip to the outer point of single contact."""
    return 0.25 + 0.75 / pair.contact_ratio * math.cos(pair.base_helix) ** 2


def root_helix_factor(pair: GearPair) -> float:
    """Y_beta: ``1 - eps_beta beta/120 deg``, without the cosine of ISO 6336-3:2019."""
    return 1.0 - min(pair.overlap_ratio, 1.0) * min(math.degrees(abs(pair.one.helix_angle)), 30.0) / 120.0


def tip_loaded_root(pair: GearPair, which: int, protuberance: Protuberance | None = None) -> RootFactors:
    """Y_Fa and Y_Sa of gear ``which``. Raises RatingError."""
    return root_factors(pair, which, protuberance=protuberance, tip_load=True)
