"""Rolling bearings: life, line-contact stress, stiffness (S1), passing elements (S2), LIT.7."""

from __future__ import annotations

import math
from typing import Any

from .framework import REGISTRY

computes = REGISTRY.computes
literature = REGISTRY.literature

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


# --- dynamic bearing (digest S2 section 11) ------------------------------------------------------------------------------


def _orders() -> Any:
    from gearwright.geometry.bearing_orders import passing_orders

    return passing_orders(14, 10e-3, 50e-3).frequencies(600.0 * math.pi / 30.0)


@computes("S24.s2_bpfo_600rpm_Z14_d10_D50")
def _outer_passing() -> float:
    return float(_orders()["bpfo"])


@computes("S24.s2_bpfi_600rpm_Z14_d10_D50")
def _inner_passing() -> float:
    return float(_orders()["bpfi"])


@computes("S24.s2_roller_bearing_Qmax_Z_over_W_zero_clearance")
def _stribeck() -> float:
    import numpy as np
    from scipy.optimize import brentq

    from gearwright.stiffness.hertz import roller_load

    c = np.cos(2.0 * math.pi / 14 * np.arange(14))

    def loads(y: float) -> Any:
        return roller_load(y * c, 12e-3, 2.0 * (1.0 - 0.3**2) / 206e9, (20e-3, 30e-3, 5e-3))

    y = brentq(lambda y: float(loads(y) @ c) - 2000.0, 1e-8, 1e-4, xtol=1e-14)
    return float(loads(y).max() * 14 / 2000.0)


# --- literature, section 7 -------------------------------------------------------------------------------------------------


@literature("LIT.7.1", [169.1, 939.5], "million turns, h", "SKF catalogue, 6309 at 10 kN, 3000 rpm", rel=1e-3)
def _catalogue_example() -> list[float]:
    from gearwright.life.iso281 import basic_life, basic_life_hours

    return [basic_life(55.3e3, 10e3, "ball"), basic_life_hours(55.3e3, 10e3, 3000.0 * math.pi / 30.0, "ball")]


@literature("LIT.7.1.viscosity", [8.15, 2.45], "mm2/s, -", "SKF catalogue, 6309 at 3000 rpm", rel=0.2, status="C",
            note="rated viscosity and ratio of 20 mm2/s: the maker's chart lies 16 % below the formula of ISO 281")  # fmt: skip
def _viscosity() -> list[float]:
    from gearwright.life.iso281 import reference_viscosity

    rated = reference_viscosity(3000.0 * math.pi / 30.0, 72.5e-3)
    return [rated, 20.0 / rated]


@literature("LIT.7.2", 1.0, "-", "exponents and combined load", rel=1e-9,
            note="life from the equivalent load of two bins over the life by adding their damage, p 10/3")  # fmt: skip
def _combination() -> float:
    from gearwright.life.iso281 import LoadBins, basic_life

    bins = LoadBins.of([1e4, 3e4], [10.0, 10.0], [0.5, 0.5])
    mixed = basic_life(1e5, bins.equivalent("roller"))
    added = 1.0 / (0.5 / basic_life(1e5, 1e4) + 0.5 / basic_life(1e5, 3e4))
    return mixed / added


@literature("LIT.7.3", [4.08, 0.96], "-", "ISO/TS 16281, Stribeck", rel=0.01,
            note="load of the worst of many rollers without clearance; constant of the standard over two of Palmgren's in series")  # fmt: skip
def _roller_contact() -> list[float]:
    from gearwright.stiffness.bearing import RollingBearing, line_constant

    many = RollingBearing(200, 0.1, 3e8).stribeck_factor(1e5)
    palmgren = (2 * 3.84e-5) ** (-10 / 9) * 50.0 ** (8 / 9) * 1e3 ** (10 / 9)
    return [many, line_constant(0.05) / palmgren]


@literature("LIT.7.4", [3.5848, 5.4152, 2.3567, 4.7134, 0.3983], "per turn", "SKF 6205 of the Case Western set", abs=5e-5,
            note="outer ring, inner ring, ball spin, ball defect, cage")  # fmt: skip
def _drive_end() -> list[float]:
    from gearwright.geometry.bearing_orders import passing_orders

    o = passing_orders(9, 0.3126, 1.537)
    return [o.outer, o.inner, o.spin, o.element, o.cage]


@literature("LIT.7.5", [0.0, 0.0, 0.0], "-", "properties of Lim and Singh's coefficients", abs=1e-6,
            note="asymmetry, axial row of a cylindrical bearing, difference to finite differences; relative")  # fmt: skip
def _matrix_properties() -> list[float]:
    import numpy as np

    from gearwright.stiffness.bearing import RollingBearing

    row = RollingBearing(20, 0.155, 300e6, math.radians(14.0), 1.75 * _MICRON)
    d = np.array([25.0, 25.0, 25.0, 0.0, 0.0, 0.0]) * _MICRON
    k = row.stiffness(d)
    size = float(np.abs(k).max())
    differences = np.zeros((6, 6))
    for i in range(6):
        h = np.zeros(6)
        h[i] = 2e-10
        differences[:, i] = (row.load(d + h) - row.load(d - h)) / 4e-10
    axial = RollingBearing(20, 0.155, 300e6, 0.0, 1.75 * _MICRON).stiffness(d)[0]
    return [float(np.abs(x).max()) / size for x in (k - k.T, axial, k - differences)]


@literature("S1.figure_3_16_to_3_18", [1.0, 1.0, 1.0], "-", "S1 Figs 3-16 to 3-18, digest section 5", abs=0.0,
            note="over the contact angle: radial terms fall, axial ones rise, tilting ones rise (1: yes)")  # fmt: skip
def _trends() -> list[float]:
    import numpy as np

    # rollers enter the load zone one by one, so steps of a few degrees show their number
    angles = np.arange(0.0, 90.0, 15.0)
    matrices = [_evaluated(20, float(a), 25, 25, 25)[1] for a in angles]
    radial, axial, tilt = (np.array([k[i, i] for k in matrices]) for i in (1, 0, 4))
    return [float(np.all(np.diff(radial) < 0)), float(np.all(np.diff(axial) > 0)), float(np.all(np.diff(tilt) > 0))]
