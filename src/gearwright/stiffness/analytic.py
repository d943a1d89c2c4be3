"""Tooth compliance without elements: a tapered beam on an elastic foot, a turning rim, and the local approach.

Per unit face width, plane strain, for a unit load at arc ``s`` of the flank:

- bending, shear and axial strain of the tooth's true outline from the root circle to the load (energy method),
- the foot: Weber and Banaschek's half plane, ``cos²a (1 - nu²)/E [5.306 (u/S)² + 2 (1 - 2 nu)/(1 - nu) u/S +
  1.534 (1 + 0.4167 tan²a / (1 + nu))]`` with foot width S and lever u,
- the rim between root circle and bore: its shear as it is twisted, ``r_b² / (4 pi G) |1/r_i² - 1/r_o²|``; and as a
  rim clamped at the depth t holds the foot, the foot's part is multiplied by ``1.25 (1 - exp(-1.15 t/S))``, which
  follows the published stiffness of a tooth over rim thickness (S0 digest section 7),
- the local approach of the flank.

A rim that is not known is left out. Sources: C. Weber, K. Banaschek (1953); H. H. Lin, R. L. Huston, J. J. Coy,
NASA TM 89877 (1987).
"""

from __future__ import annotations

import math

import numpy as np

from gearwright.arrays import Float
from gearwright.geometry.gear import Gear, Steel
from gearwright.geometry.outline import HalfTooth, half_tooth

from .hertz import depth_to_middle, local_compliance


def compliance(gear: Gear, steel: Steel, s: float, half_width: float, half: HalfTooth | None = None) -> float:
    """Compliance of one tooth [m per N/m] under a load of half width ``half_width`` [m] at arc ``s`` [m]."""
    half = half or half_tooth(gear, flank=120, fillet=60)
    x, y = half.points  # half thickness and height
    nu, plane = steel.poisson, steel.plane
    r = gear.radius(s)
    psi, alpha = gear.half_angle(r), math.atan(s / gear.base_radius)
    tilt = alpha + psi if gear.ring else alpha - psi
    cos, sin = math.cos(tilt), math.sin(tilt)
    lever, thick = abs(r * math.cos(psi) - y), 2.0 * x
    inside = np.abs(y - y[0]) <= abs(r * math.cos(psi) - y[0])
    d = np.append(lever[inside], 0.0)
    h = np.append(thick[inside], 2.0 * r * math.sin(psi))
    moment = d * cos - 0.5 * h[-1] * sin
    strain = 12.0 * moment**2 / h**3 + (2.4 / (1.0 - nu) * cos**2 + sin**2) / h
    beam = plane * float(np.trapezoid(strain[::-1], d[::-1]))
    foot, u = thick[0], lever[0] - 0.5 * h[-1] * math.tan(tilt)
    q = u / foot
    ground = (
        plane
        * cos**2
        * (
            5.306 * q**2
            + 2.0 * (1.0 - 2.0 * nu) / (1.0 - nu) * q
            + 1.534 * (1.0 + 0.4167 * math.tan(tilt) ** 2 / (1.0 + nu))
        )
    )
    twist = 0.0
    if gear.rim is not None:
        ground *= 1.25 * -math.expm1(-1.15 * abs(gear.root_radius - gear.rim) / foot)
        shear = steel.young / (2.0 * (1.0 + nu))
        low, high = sorted((gear.rim, gear.root_radius))
        twist = gear.base_radius**2 / (4.0 * math.pi * shear) * (1.0 / low**2 - 1.0 / high**2)
    return beam + ground + twist + float(local_compliance(steel, depth_to_middle(gear, s), half_width))


def compliances(gear: Gear, steel: Steel, arcs: Float, half_width: float) -> Float:
    """:func:`compliance` at each arc."""
    half = half_tooth(gear, flank=120, fillet=60)
    return np.array([compliance(gear, steel, float(s), half_width, half) for s in arcs])
