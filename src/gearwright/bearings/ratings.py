"""Load ratings from the dimensions of a bearing, and likely dimensions from a catalogue line.

Formulas in newtons and millimetres as printed, arguments in SI. Source: ISO 281:2007 (dynamic ratings, written out from
G. Lundberg, A. Palmgren), ISO 76:2006 (static ratings).
"""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np

from gearwright.bearings.types import TYPES, BearingGeometry
from gearwright.schema.bearing import Rolling

#: A_1 of point contact [N, mm]
_BALL_CONSTANT = 98.0665
#: b_m of today's steels
_BALL_MATERIAL, _ROLLER_MATERIAL, _SPHERICAL_MATERIAL = 1.3, 1.1, 1.15
#: f_0 of ISO 76 over D_w cos(a) / D_pw from 0 in steps of 0.01
_STATIC_FACTOR = (
    14.7, 14.9, 15.1, 15.3, 15.5, 15.7, 15.9, 16.1, 16.3, 16.5, 16.4, 16.1, 15.9, 15.6, 15.4, 15.2, 14.9, 14.7, 14.4, 14.2, 14.0,
    13.7, 13.5, 13.2, 13.0, 12.8, 12.5, 12.3, 12.1, 11.8, 11.6, 11.4, 11.2, 10.9, 10.7, 10.5, 10.3, 10.0, 9.8, 9.6, 9.4,
)  # fmt: skip


def ball_static_factor(gamma: float) -> float:
    """f_0 of ISO 76, table 1, for radial and angular-contact groove ball bearings, linear between its entries; it rises to 16.5
    at 0.09, where the inner ring takes over from the outer one, and falls from there. Beyond the table its last value."""
    return float(np.interp(gamma, 0.01 * np.arange(len(_STATIC_FACTOR)), _STATIC_FACTOR))


def static_rating(geometry: BearingGeometry) -> float:
    """Basic static radial rating C_0r [N] of one bearing."""
    diameter, cosine = 1e3 * geometry.element_diameter, math.cos(geometry.contact_angle)
    all_elements = geometry.row_count * geometry.per_row
    if geometry.is_ball:
        return ball_static_factor(geometry.gamma) * all_elements * diameter**2 * cosine
    length = 1e3 * (geometry.element_length or 0.0)
    return 44.0 * (1.0 - geometry.gamma) * all_elements * length * diameter * cosine


def dynamic_rating(geometry: BearingGeometry) -> float:
    """Basic dynamic radial rating C_r [N] of one bearing.

    Balls: f_c of table 2, which stands for grooves up to 0.52 (inner) and 0.53 (outer) of the ball and is that of 0.52 on both;
    larger grooves reduce it. Rollers: line contact, b_m 1.1 (spherical 1.15).
    """
    gamma, z, rows = geometry.gamma, geometry.per_row, geometry.row_count
    diameter, cosine = 1e3 * geometry.element_diameter, math.cos(geometry.contact_angle)
    lean = (1.0 - gamma) / (1.0 + gamma)
    if geometry.is_ball:
        fi, fo = max(geometry.osculation[0], 0.52), max(geometry.osculation[1] - 0.01, 0.52)
        rings = 1.04 * lean**1.72 * (fi * (2.0 * fo - 1.0) / (fo * (2.0 * fi - 1.0))) ** 0.41
        factor = (
            0.41 * _BALL_CONSTANT * 0.95 * (1.0 + rings ** (10.0 / 3.0)) ** -0.3 * gamma**0.3 * (1.0 - gamma) ** 1.39
        )
        factor *= (2.0 * fi / (2.0 * fi - 1.0)) ** 0.41 / (1.0 + gamma) ** (1.0 / 3.0)
        size = diameter**1.8 if diameter <= 25.4 else 3.647 * diameter**1.4
        return _BALL_MATERIAL * factor * (rows * cosine) ** 0.7 * z ** (2.0 / 3.0) * size
    length = 1e3 * (geometry.element_length or 0.0)
    rings = 1.04 * lean ** (143.0 / 108.0)
    factor = 207.9 * 0.83 * gamma ** (2.0 / 9.0) * (1.0 - gamma) ** (29.0 / 27.0) / (1.0 + gamma) ** 0.25
    factor *= (1.0 + rings**4.5) ** (-2.0 / 9.0)
    material = _SPHERICAL_MATERIAL if geometry.type == "spherical" else _ROLLER_MATERIAL
    return material * factor * (rows * length * cosine) ** (7.0 / 9.0) * z**0.75 * diameter ** (29.0 / 27.0)


def from_catalogue(
    type: str,
    bore: float,
    outside_diameter: float,
    width: float,
    static_rating: float | None = None,
    contact_angle: float = 0.0,
    play: float = 0.0,
    rows: int = 1,
    elements: int | None = None,
) -> BearingGeometry:
    """Likely inner geometry of a bearing of which the boundary dimensions [m] and the static rating [N] are known.

    Elements take the usual share of the section (balls 0.3175, rollers 0.25 of ``D - d``), as many as a cage leaves room
    for; with the static rating the number of balls (their diameter, where the number of ``elements`` is known) or the
    length of the rollers follows from ISO 76, otherwise the rollers take two thirds of the width. An estimate: stiffness
    from it is good to some ten per cent.

    Raises ValueError for dimensions that make no bearing.
    """
    if type not in TYPES:
        raise ValueError(f"there is no bearing type '{type}'; types: {', '.join(TYPES)}")
    if not (0.0 < bore < outside_diameter and width > 0.0):
        raise ValueError(
            f"bore {bore:g} m, outside_diameter {outside_diameter:g} m and width {width:g} m make no bearing"
        )
    pitch, section = 0.5 * (bore + outside_diameter), outside_diameter - bore
    row_count = 2 if type == "spherical" else rows
    if TYPES[type]:
        diameter = 0.3175 * section
        if static_rating is not None and elements is not None:
            diameter = _ball_diameter(static_rating, elements * row_count, pitch, contact_angle, section)
        gamma, cosine = diameter * math.cos(contact_angle) / pitch, math.cos(contact_angle)
        # a Conrad bearing is filled over about 186 degrees; angular-contact ones over most of the circle
        full = math.pi / math.asin(diameter / pitch)
        number = int(186.0 / 360.0 * full) + 1 if type == "deep_groove" else int(0.85 * full)
        if static_rating is not None:
            one = ball_static_factor(gamma) * (1e3 * diameter) ** 2 * cosine * row_count
            number = min(max(round(static_rating / one), 3), int(full))
        number = number if elements is None else elements
        return BearingGeometry(type, diameter, pitch, number, contact_angle=contact_angle, play=play, rows=rows)
    diameter = 0.25 * section
    full = math.pi / math.asin(diameter / pitch)
    number = elements or (int(full) if type == "full_complement" else int(0.8 * full))
    length = 0.667 * width / row_count
    if static_rating is not None:
        gamma, cosine = diameter * math.cos(contact_angle) / pitch, math.cos(contact_angle)
        length = 1e-3 * static_rating / (44.0 * (1.0 - gamma) * row_count * number * 1e3 * diameter * cosine)
        if length * row_count > width:
            raise ValueError(
                f"the static rating {static_rating:g} N asks for rollers of {1e3 * length:.4g} mm, more than the width "
                f"{1e3 * width:.4g} mm holds: check rating, dimensions and type"
            )
    return BearingGeometry(
        type, diameter, pitch, number, element_length=length, contact_angle=contact_angle, play=play, rows=rows
    )


def _ball_diameter(static_rating: float, balls: int, pitch: float, contact_angle: float, section: float) -> float:
    """Diameter [m] of which so many balls have a static rating [N] (ISO 76). Raises ValueError where none fits the section."""
    cosine, diameter = math.cos(contact_angle), 0.3175 * section
    for _ in range(50):  # f_0 changes slowly with the diameter
        factor = ball_static_factor(min(diameter * cosine / pitch, 0.5))
        diameter = 1e-3 * math.sqrt(static_rating / (factor * balls * cosine))
    if not 0.15 * section < diameter < 0.45 * section:
        raise ValueError(
            f"{balls} balls with a static rating of {1e-3 * static_rating:g} kN have {1e3 * diameter:.4g} mm, which does not suit a "
            f"section of {1e3 * section:g} mm between bore and outside: check elements, rating and dimensions"
        )
    return diameter


def geometry_of(rolling: Rolling) -> tuple[BearingGeometry, bool]:
    """Geometry of a ``rolling`` section, and whether it was estimated from catalogue dimensions.

    What the section says of the inside (number of elements, slices, profile, ...) replaces the estimate. Raises ValueError
    for what describes no bearing.
    """
    said = {f.name: v for f in fields(BearingGeometry) if (v := getattr(rolling, f.name, None)) is not None}
    if _drawn(rolling):
        return BearingGeometry(**said), False
    assert rolling.bore is not None and rolling.outside_diameter is not None and rolling.width is not None
    made = from_catalogue(
        rolling.type,
        rolling.bore,
        rolling.outside_diameter,
        rolling.width,
        rolling.static_rating,
        rolling.contact_angle,
        rolling.play,
        rolling.rows,
        rolling.elements,
    )
    kept = ("type", "contact_angle", "play", "rows")
    return replace(made, **{k: v for k, v in said.items() if k not in kept}), True


def _drawn(rolling: Rolling) -> bool:
    return rolling.element_diameter is not None and rolling.pitch_diameter is not None


def estimate_of(rolling: Rolling, geometry: BearingGeometry) -> str | None:
    """What :func:`geometry_of` estimated of a bearing's inside, as a sentence, and what hangs on it; None for a drawn one."""
    if _drawn(rolling):
        return None
    word = "balls" if geometry.is_ball else "rollers"
    number = f"{geometry.per_row} {word}" + (" a row" if geometry.row_count > 1 else "")
    size = f"{1e3 * geometry.element_diameter:.4g} mm on a pitch diameter of {1e3 * geometry.pitch_diameter:.4g} mm"
    if rolling.elements is not None:
        return f"{number} of {size}, the size estimated from bore, outside diameter and width"
    return (
        f"{number} of {size}, number and size estimated from bore, outside diameter and width: BPFO, BPFI and the load of an "
        f"element hold for that number; give elements (and element_diameter, pitch_diameter) from the catalogue"
    )


def ratings_of(rolling: Rolling, geometry: BearingGeometry) -> tuple[float, float]:
    """C and C_0 [N] of a bearing: those given, else those that follow from its geometry."""
    return rolling.dynamic_rating or dynamic_rating(geometry), rolling.static_rating or static_rating(geometry)
