"""Rolling bearings: life and line-contact stress (S1 digest sections 12 and 13)."""

from __future__ import annotations

import math
from typing import Any

from .framework import REGISTRY

computes = REGISTRY.computes

# planet speed relative to the carrier of the gearbox of S1 chapter 4: 12.1 rpm times 117/45
_SPEED = 12.1 * 117 / 45 * math.pi / 30


@computes("S1.l10h_load_for_1e5h_crb")
def _load_cylindrical() -> float:
    from gearwright.life.iso281 import load_for_life

    return load_for_life(1980e3, 1e5, _SPEED)


@computes("S1.l10h_load_for_1e5h_trb")
def _load_tapered() -> float:
    from gearwright.life.iso281 import load_for_life

    return load_for_life(2090e3, 1e5, _SPEED)


@computes("S1.l10h_633kN_crb")
def _life_rated() -> float:
    from gearwright.life.iso281 import basic_life_hours

    # two bearings carry the printed 1.27 MN; the digest rounds to 633 kN
    return basic_life_hours(1980e3, 633e3, _SPEED)


def _pressure(radial_factor: float) -> float:
    from gearwright.life.contact_stress import LineContact

    bearing = LineContact(25, 37.5e-3, 138e-3, 310e-3, radial_factor=radial_factor)
    return 1e-6 * bearing.largest_pressure(6.5e6)


@computes("S1.contact_p_line_6_5MN")
def _full_load() -> float:
    return _pressure(1.0)


@computes("S1.contact_p_line_6_5MN_x05")
def _half_load() -> float:
    return _pressure(0.5)


@computes("S1.contact_emergency_vs_limit")
def _against_limit() -> float:
    return _pressure(1.0) / 2000.0


@computes("S1.contact_sum_rho")
def _curvature() -> float:
    from gearwright.life.contact_stress import LineContact

    return 1e-3 * LineContact(25, 37.5e-3, 138e-3, 310e-3).curvature_sum


# --- stiffness (digest section 5): the digest's z is the shaft axis, here it is x, so that its x, y are y, z ---------

_MICRON = 1e-6


def _evaluated(elements: int, angle: float, y: float, z: float, x: float) -> Any:
    from gearwright.stiffness.bearing import RollingBearing

    bearing = RollingBearing(elements, 0.155, 300e6, math.radians(angle), 1.75 * _MICRON)
    return bearing.evaluate([x * _MICRON, y * _MICRON, z * _MICRON, 0.0, 0.0, 0.0])


@computes("S1.bearing_crb_kxx_z21")
def _radial_21() -> float:
    return float(_evaluated(21, 0.0, 25, 0, 0)[1][1, 1])


@computes("S1.bearing_crb_kyy_z21")
def _across_21() -> float:
    return float(_evaluated(21, 0.0, 25, 0, 0)[1][2, 2])


@computes("S1.bearing_crb_fx_z21")
def _force_21() -> float:
    return float(_evaluated(21, 0.0, 25, 0, 0)[0][1])


@computes("S1.bearing_crb_kxx_s1")
def _printed_cylindrical() -> float:
    return _radial_21()


@computes("S1.bearing_trb_kxx_s1")
def _printed_tapered() -> float:
    return float(_evaluated(28, 14.0, 25, 0, 25)[1][1, 1])


@computes("S1.bearing_z20_a0_14")
def _sweep_14() -> dict[str, float]:
    k = _evaluated(20, 14.0, 25, 25, 25)[1]
    places = {
        "Kxx": (1, 1), "Kxy": (1, 2), "Kzz": (0, 0), "Kxz": (1, 0), "Kzby": (0, 5), "Kxby": (1, 5), "Kbxbx": (4, 4),
    }  # fmt: skip
    return {name: float(k[place]) for name, place in places.items()}


@computes("S1.bearing_axial_terms_a0_0")
def _no_axial() -> float:
    k = _evaluated(20, 0.0, 25, 25, 25)[1].copy()
    k[1:3, 1:3] = 0.0
    return float(abs(k).max())
