"""What the ratings of a bearing need beside its dynamic rating, by rules of ISO 76 and ISO 281 where no catalogue line says it.

Static rating: that of the likely inside of the boundary dimensions, rollers as long as the dynamic rating asks for. Fatigue limit C_u from C_0
(ISO 281:2007, B.3.3.3). Contamination e_C from the cleanliness of circulating, filtered oil (ISO 281:2007, annex A, from memory). What a file
gives replaces each of them.
"""

from __future__ import annotations

from dataclasses import replace

from gearwright.bearings.iso281 import Contact
from gearwright.bearings.ratings import dynamic_rating, from_catalogue, static_rating
from gearwright.bearings.types import TYPES
from gearwright.schema.bearing import CatalogueData

from .components import Bearing
from .oil import Oil

#: a_ISO counts no more than this where it rests on rules (wind practice since AGMA 6006 and GL 2010; from memory)
MOST_MODIFICATION = 3.8
#: rollers take nine tenths of the width at most
_LONGEST = 0.9 / 0.667


def mean_diameter(data: CatalogueData | None) -> float | None:
    """d_m [m] between bore and outside diameter; None where one is not given."""
    if data is None or data.bore is None or data.outside_diameter is None:
        return None
    return 0.5 * (data.bore + data.outside_diameter)


def static_by_dimensions(data: CatalogueData, kind: str, rating: float) -> float | None:
    """C_0 [N] of a bearing of a dynamic ``rating`` C [N] by ISO 76; None where type or dimensions are not known.

    The length of rollers goes with C to the power 9/7 (ISO 281), up to nine tenths of the width.
    """
    if kind not in TYPES or data.bore is None or data.outside_diameter is None or data.width is None:
        return None
    try:
        likely = from_catalogue(
            kind, data.bore, data.outside_diameter, data.width, None, data.contact_angle or 0.0, rows=data.rows or 1
        )
    except ValueError:
        return None
    longer = 1.0 if likely.is_ball else min((rating / dynamic_rating(likely)) ** (9.0 / 7.0), _LONGEST)
    return static_rating(likely) * longer


def fatigue_limit(static: float, pitch: float, contact: Contact) -> float:
    """C_u [N] from C_0 [N] and the pitch diameter [m]: C_0/8.2 of rollers, C_0/22 of balls, less above 100 mm (ISO 281, B.3.3.3)."""
    share, power = (22.0, 0.5) if contact == "ball" else (8.2, 0.3)
    return static / share * min(0.1 / pitch, 1.0) ** power


def completed(bearing: Bearing, data: CatalogueData | None, oil: Oil) -> tuple[Bearing, list[str]]:
    """The bearing with what dimensions and oil say of it, and what was taken by rule, in words without its name."""
    taken = []
    middle = bearing.mean_diameter or bearing.pitch_diameter or mean_diameter(data)
    static = bearing.static_rating or (data.static_rating if data is not None else None)
    if static is None and data is not None:
        static = static_by_dimensions(data, bearing.type, bearing.rating)
        if static is not None:
            taken.append(
                "static rating from dimensions and dynamic rating (ISO 76, good to a tenth); static_rating replaces it"
            )
    made = replace(bearing, static_rating=static, mean_diameter=middle)
    if made.viscosity is not None or middle is None or static is None or oil.lacks() or not oil.cleanliness:
        return made, taken
    taken.append(
        f"fatigue limit by ISO 281, B.3.3.3, oil of cleanliness -/{oil.cleanliness}, for the modified life; a_ISO {MOST_MODIFICATION:g} at most, as wind practice has it"
    )
    return replace(
        made,
        viscosity=1e6 * oil.kinematic(oil.temperature),
        pitch_diameter=middle,
        fatigue_limit=fatigue_limit(static, middle, bearing.contact),
        cleanliness=oil.cleanliness,
        most=MOST_MODIFICATION,
    ), taken
