"""Mesh stiffness by ISO 6336-1, method B: single stiffness c' and mesh stiffness c_gamma.

In N/m per metre of face width (1 N/(mm um) = 1e9 N/m²). Source: literature-benchmarks 6.1, ISO 6336-1:2006 clause 9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gearwright.geometry.gear import GeometryError
from gearwright.geometry.pair import GearPair

#: modulus of the steel the formulas were fitted to [Pa]
STEEL = 206e9


@dataclass(frozen=True)
class IsoStiffness:
    """Stiffness per face width [N/m²].

    Attributes
    ----------
    theoretical, single : c'_th of solid discs; c' with the factors
    mesh, mesh_beta : c_gamma_alpha, the mean over the cycle; c_gamma_beta for load distributions
    factor_blank, factor_rack, virtual_teeth : C_R, C_B, z_n of both gears (infinite for a ring)
    """

    theoretical: float
    single: float
    mesh: float
    mesh_beta: float
    factor_blank: float
    factor_rack: float
    virtual_teeth: tuple[float, float]


def blank_factor(web_share: float, rim: float, module: float) -> float:
    """C_R of a wheel with a web: ``1 + ln(b_s/b) / (5 exp(s_R / (5 m_n)))``, b_s/b between 0.2 and 1.2."""
    return 1.0 + math.log(min(max(web_share, 0.2), 1.2)) / (5.0 * math.exp(max(rim / module, 1.0) / 5.0))


def iso_stiffness(
    pair: GearPair,
    contact_ratio: float | None = None,
    load: float | None = None,
    web_share: float = 1.0,
    rim: float | None = None,
    as_given: bool = False,
) -> IsoStiffness:
    """Method B for a pair.

    Parameters
    ----------
    contact_ratio : transverse; None: the pair's own
    load : tangential load per face width, F_t K_A / b [N/m]; below 100 N/mm the stiffness falls in proportion
    web_share, rim : web thickness by face width, and rim thickness [m], of a wheel that is no solid disc

    as_given : gear one of the pair is the formula's gear 1 even where it has more teeth

    Raises GeometryError outside the range of the formulas (non-positive q').
    """
    one, two = pair.one, pair.two
    c = math.cos(one.helix_angle) * math.cos(pair.base_helix) ** 2
    z1, z2 = one.teeth / c, math.inf if two.ring else two.teeth / c
    x1, x2 = one.shift, two.shift
    if not as_given and not two.ring and one.teeth > two.teeth:  # the formula's gear 1 is the pinion
        z1, z2, x1, x2 = z2, z1, x2, x1
    q = (
        0.04723
        + 0.15551 / z1
        + 0.25791 / z2
        - 0.00635 * x1
        - 0.11654 * x1 / z1
        - 0.00193 * x2
        - 0.24188 * x2 / z2
        + 0.00529 * x1**2
        + 0.00182 * x2**2
    )
    if q <= 0.0:
        raise GeometryError(f"ISO 6336 gives no stiffness for teeth {one.teeth}/{two.teeth}, shifts {x1:g}/{x2:g}")
    theoretical = 1e9 / q
    rack = (1.0 + 0.5 * (1.2 - one.dedendum)) * (1.0 - 0.02 * (20.0 - math.degrees(one.pressure_angle)))
    blank = 1.0 if web_share == 1.0 else blank_factor(web_share, rim if rim is not None else one.module, one.module)
    modulus = 1.0
    if one.material is not None and two.material is not None:
        e1, e2 = one.material.young, two.material.young
        modulus = 2.0 * e1 * e2 / (e1 + e2) / STEEL
    single = theoretical * 0.8 * blank * rack * math.cos(one.helix_angle) * modulus
    if load is not None and load < 1e5:
        single *= load / 1e5
    ratio = pair.contact_ratio if contact_ratio is None else contact_ratio
    mesh = single * (0.75 * ratio + 0.25)
    return IsoStiffness(theoretical, single, mesh, 0.85 * mesh, blank, rack, (z1, z2))


def relief_by_rule(pair: GearPair, force: float) -> float:
    """Tip relief [m] that is quiet under a force along the line of action [N]: ``F_bt/(b c_gamma_alpha)``. The pair has a face width."""
    assert pair.face_width is not None
    return force / (pair.face_width * iso_stiffness(pair).mesh)
