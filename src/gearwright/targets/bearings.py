"""Rolling bearings: life, line-contact stress, stiffness (S1), LIT.7. The passing elements of S2 are in ``contact``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gearwright.bearings.contact_stress import LineContact
from gearwright.bearings.iso281 import LoadBins, basic_life, basic_life_hours, load_for_life, reference_viscosity
from gearwright.bearings.orders import passing_orders
from gearwright.bearings.stiffness import RollingBearing, line_constant

from .registry import computes

# planet speed relative to the carrier of the gearbox of S1 chapter 4: 12.1 rpm times 117/45
_SPEED = 12.1 * 117 / 45 * math.pi / 30


@computes("S1.l10h_*")
def _lives() -> dict[str, float]:
    return {
        "load_for_1e5h_crb": load_for_life(1980e3, 1e5, _SPEED),
        "load_for_1e5h_trb": load_for_life(2090e3, 1e5, _SPEED),
        # two bearings carry the printed 1.27 MN; the digest rounds to 633 kN
        "633kN_crb": basic_life_hours(1980e3, 633e3, _SPEED),
    }


@computes("S1.contact_*")
def _line_contact() -> dict[str, float]:
    full, half = (LineContact(25, 37.5e-3, 138e-3, 310e-3, radial_factor=x) for x in (1.0, 0.5))
    pressure = 1e-6 * full.largest_pressure(6.5e6)
    return {
        "p_line_6_5MN": pressure,
        "p_line_6_5MN_x05": 1e-6 * half.largest_pressure(6.5e6),
        "emergency_vs_limit": pressure / 2000.0,
        "sum_rho": 1e-3 * full.curvature_sum,
    }


# --- stiffness (digest section 5): the digest's z is the shaft axis, here it is x, so that its x, y are y, z ---------

_MICRON = 1e-6


def _row(elements: int, angle: float) -> RollingBearing:
    """A row of rollers with a contact angle [deg] and the digest's size, stiffness and clearance."""
    return RollingBearing(elements, 0.155, 300e6, math.radians(angle), 1.75 * _MICRON)


def _evaluated(elements: int, angle: float, y: float, z: float, x: float) -> tuple[Any, ...]:
    """Loads and stiffness matrix at displacements [um]."""
    return _row(elements, angle).evaluate([x * _MICRON, y * _MICRON, z * _MICRON, 0.0, 0.0, 0.0])


@computes("S1.bearing_crb_*")
def _cylindrical() -> dict[str, float]:
    load, k, _ = _evaluated(21, 0.0, 25, 0, 0)
    return {"kxx_z21": k[1, 1], "kyy_z21": k[2, 2], "fx_z21": load[1], "kxx_s1": k[1, 1]}


@computes("S1.bearing_trb_kxx_s1")
def _tapered() -> float:
    return float(_evaluated(28, 14.0, 25, 0, 25)[1][1, 1])


@computes("S1.bearing_z20_a0_14")
def _sweep_14() -> dict[str, float]:
    k = _evaluated(20, 14.0, 25, 25, 25)[1]
    names = ("Kxx", "Kxy", "Kzz", "Kxz", "Kzby", "Kxby", "Kbxbx")
    places = ((1, 1), (1, 2), (0, 0), (1, 0), (0, 5), (1, 5), (4, 4))
    return {name: float(k[place]) for name, place in zip(names, places, strict=True)}


@computes("S1.bearing_axial_terms_a0_0")
def _no_axial() -> float:
    k = _evaluated(20, 0.0, 25, 25, 25)[1].copy()
    k[1:3, 1:3] = 0.0
    return float(abs(k).max())


@computes("S1.figure_3_16_to_3_18")
def _trends() -> list[float]:
    # rollers enter the load zone one by one, so steps of a few degrees show their number
    matrices = [_evaluated(20, angle, 25, 25, 25)[1] for angle in np.arange(0.0, 90.0, 15.0)]
    radial, axial, tilt = (np.diff([k[i, i] for k in matrices]) for i in (1, 0, 4))
    return [float(np.all(radial < 0)), float(np.all(axial > 0)), float(np.all(tilt > 0))]


# --- literature, section 7 --------------------------------------------------------------------------------------------

_RATED = 3000.0 * math.pi / 30.0


@computes("LIT.7.1")
def _catalogue_example() -> list[float]:
    return [basic_life(55.3e3, 10e3, "ball"), basic_life_hours(55.3e3, 10e3, _RATED, "ball")]


@computes("LIT.7.1.viscosity")
def _viscosity() -> list[float]:
    rated = reference_viscosity(_RATED, 72.5e-3)
    return [rated, 20.0 / rated]


@computes("LIT.7.2")
def _combination() -> float:
    bins = LoadBins.of([1e4, 3e4], [10.0, 10.0], [0.5, 0.5])
    mixed = basic_life(1e5, bins.equivalent("roller"))
    return mixed * (0.5 / basic_life(1e5, 1e4) + 0.5 / basic_life(1e5, 3e4))


@computes("LIT.7.3")
def _roller_contact() -> list[float]:
    many = RollingBearing(200, 0.1, 3e8).stribeck_factor(1e5)
    palmgren = (2 * 3.84e-5) ** (-10 / 9) * 50.0 ** (8 / 9) * 1e3 ** (10 / 9)
    return [many, line_constant(0.05) / palmgren]


@computes("LIT.7.4")
def _drive_end() -> list[float]:
    o = passing_orders(9, 0.3126, 1.537)
    return [o.outer, o.inner, o.spin, o.element, o.cage]


@computes("LIT.7.5")
def _matrix_properties() -> list[float]:
    d = np.array([25.0, 25.0, 25.0, 0.0, 0.0, 0.0]) * _MICRON
    row, h = _row(20, 14.0), 2e-10
    k = row.stiffness(d)
    differences = np.column_stack([(row.load(d + h * e) - row.load(d - h * e)) / (2.0 * h) for e in np.eye(6)])
    axial = _row(20, 0.0).stiffness(d)[0]
    return [float(np.abs(x).max() / np.abs(k).max()) for x in (k - k.T, axial, k - differences)]
