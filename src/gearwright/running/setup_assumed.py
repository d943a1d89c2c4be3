"""What the case of a set-up does not say of its turbine, wind and events, and what is taken for it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from gearwright.remarks import assumed
from gearwright.schema.setup import Rotor, TurbineFacts, Wind

from .setup_events import FAST, SLOW

#: air density of all aerodynamics where the file has none [kg/m^3], that of IEC 61400-1
DENSITY = 1.225
#: types of wind that take a shear exponent, and those that take a class of IEC 61400-1
_SHEARED = ("steady", "steps", "series", "ntm", "etm", "mann", "eog", "ecd", "edc", "ews")
_CLASSED = ("ntm", "etm", "eog", "ecd", "edc", "ews")


def taken(facts: TurbineFacts, case: Any) -> list[str]:
    """Sentences of the list ``assumed``: section ``turbine``, section ``wind`` and the events of a case."""
    said = [] if facts.deck or facts.data else ["turbine: nrel-5mw"]
    if facts.rotor is None or facts.rotor.air_density is None:
        said.append(f"air of {DENSITY:g} kg/m^3")
    return [assumed(sentence) for sentence in (*said, *_wind(case.wind), *_events(case))]


def density_of(rotor: Rotor) -> float:
    """Density of the air [kg/m^3], that of the file or the usual one."""
    return DENSITY if rotor.air_density is None else rotor.air_density


def _wind(wind: Wind) -> Iterator[str]:
    kind = wind.type
    if "type" not in wind.model_fields_set:
        yield "wind: steady"
    if kind in _SHEARED and wind.shear is None and wind.roughness is None:
        yield "wind: shear exponent 0.2"
    if kind in _CLASSED and wind.class_ is None and wind.deviation is None:
        yield "wind: class IIA"
    if kind in ("eog", "ecd", "edc", "ews") and wind.start is None:
        yield "wind: the gust begins at 60 s"


def _events(case: Any) -> Iterator[str]:
    for number, event in enumerate(case.events):
        keys = event.keys
        where = f"events.{number} ({event.type})"
        if event.type == "grid_loss":
            if "pitch_delay" not in keys:
                yield f"{where}: the blades begin to pitch 0.2 s after it"
            if "pitch_rate" not in keys:
                yield f"{where}: the blades pitch at {math.degrees(FAST):.3g} deg/s"
        elif event.type in ("pitch_to_feather", "start", "stop") and "rate" not in keys:
            rate = FAST if event.type == "pitch_to_feather" else SLOW
            yield f"{where}: the blades pitch at {math.degrees(rate):.3g} deg/s"
        elif event.type == "grid_fault" and "phases" not in keys:
            yield f"{where}: all three phases fall"
