"""Rolling bearings of a REXS model: dimensions, ratings and place, as a drivetrain file has them.

A bearing joins two parts by the relation ``side``: the shaft in its inner ring, and housing or another shaft in its outer one. It holds the
wheel of its shaft that stands nearest. Its stiffness follows from bore, outside diameter, width and static rating (``rolling``); a concept
bearing has a stiffness of its own. Attributes as REXS 1.0 (``dynamic_capacity``) and from 1.1 on (``radial_dynamic_load_rating``) name them:
schemas of ``rexs-api-java``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gearwright.schema.places import JSON, Values

from .rexs_model import Component, Model

#: types of REXS in the words of the section ``rolling``
TYPES = {
    "radial_grooved_ball_bearing": "deep_groove",
    "radial_roller_bearing": "cylindrical",
    "radial_needle_roller_bearing": "cylindrical",
    "radial_tapered_roller_bearing": "tapered",
    "radial_self_aligning_roller_bearing": "spherical",
    "angular_contact_ball_bearing": "angular_contact",
}
#: from here on a stiffness of a concept bearing stands for a rigid one [N/m]
_RIGID = 1e13


@dataclass
class Held:
    """Entries of ``bearings`` by body (``stage1.wheel``), and the bearings that are left out with the reason."""

    at: dict[str, list[Values]] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def of_stage(self, name: str) -> dict[str, JSON]:
        """The key ``bearings`` of a stage by its members' roles, where it has some."""
        own: dict[str, JSON] = {b.split(".")[1]: entries for b, entries in self.at.items() if b.split(".")[0] == name}
        return {"bearings": own} if own else {}


def bearings_of(model: Model, standing: Mapping[str, Sequence[tuple[float, str]]]) -> Held:
    """Bearings of all shafts; ``standing``: place along the shaft [m] and body of what stands on it, by shaft."""
    held = Held()
    found_at: dict[str, list[tuple[float, Values]]] = {}
    planets: set[tuple[str, str]] = set()
    for bearing in model.components.values():
        if "bearing" not in bearing.kind or bearing.kind == "rolling_bearing_row":
            continue
        name = " ".join(bearing.name.split())
        made = _rolling(model, bearing) if "rolling" in bearing.kind else _concept(bearing)
        if isinstance(made, str):
            held.left_out.append((name, made))
            continue
        found = _seat(model, bearing, standing)
        if found is None:
            held.left_out.append((name, "nothing that the train has stands on its shaft"))
            continue
        body, x = found
        if body.endswith(".planet"):
            # those of the other planets are the same: the name before @ and the place tell them apart
            key = (name.split("@")[0], f"{x:.6f}")
            if key in planets:
                continue
            planets.add(key)
        found_at.setdefault(body, []).append((x, {**made, "x": x, "damping": {"ratio": 0.05}}))
    for body, entries in found_at.items():
        along = sorted(entries, key=lambda entry: entry[0])
        held.at[body] = [{"name": f"b{i}", **entry} for i, (_, entry) in enumerate(along, 1)]
    held.left_out.sort()
    return held


def _rolling(model: Model, bearing: Component) -> Values | str:
    """The section ``rolling`` of a catalogue bearing, or why there is none."""
    word = bearing.values.get("bearing_type")
    kind = TYPES.get(str(word))
    if kind is None:
        return f"its type is {word or 'not given'}; radial types are read ({', '.join(TYPES)})"
    names = (("bore", "inner_diameter"), ("outside_diameter", "outer_diameter"), ("width", "width"))
    sizes = {name: bearing.number(spelled) for name, spelled in names}
    static = bearing.number("radial_static_load_rating", "static_capacity")
    lost = [name.replace("_", " ") for name, value in sizes.items() if not value] + (
        [] if static else ["static rating"]
    )
    if lost:
        return f"the file has no {', '.join(lost)} of it; put them into bearings: {{rolling: ...}} from the catalogue"
    made: dict[str, JSON] = {"type": kind, "designation": _designation(bearing), **sizes, "static_rating": static}
    for name, *spelled in (
        ("dynamic_rating", "radial_dynamic_load_rating", "dynamic_capacity"),
        ("fatigue_limit", "fatigue_limit_load"),
    ):
        if value := bearing.number(*spelled):
            made[name] = value
    if kind in ("tapered", "angular_contact"):
        angle = _angle(model, bearing)
        if not angle:
            return "the file has no contact angle of it (pressure_angle of its row, or catalogue_value_e)"
        made["contact_angle"] = angle
    # X and Y of the file hold beyond the limit e alone; those of the type know both sides of it
    return {"rolling": made}


def _designation(bearing: Component) -> str:
    given = bearing.values.get("catalogue_designation") or bearing.values.get("name") or bearing.name
    return f"{given:g}" if isinstance(given, float) else str(given)[:60]


def _angle(model: Model, bearing: Component) -> float | None:
    """Contact angle [rad] of the rows, or of the limit e = 1.5 tan of it (ISO 281)."""
    rows = [
        row for kind in ("assembly", "ordered_assembly") for row in model.related(kind, "assembly", bearing, "part")
    ]
    given = next((a for row in rows if (a := row.number("pressure_angle", "contact_angle"))), None)
    e = bearing.number("catalogue_value_e")
    return abs(given) if given else (math.atan(e / 1.5) if e else None)


def _concept(bearing: Component) -> Values | str:
    """Stiffness of a bearing that has no catalogue line."""
    radial, axial = bearing.number("radial_stiffness"), bearing.number("axial_stiffness")
    if not radial:
        return "it has neither a catalogue line nor a radial stiffness"
    if radial >= _RIGID:
        return (
            f"it is rigid ({radial:.3g} N/m), which no bearing is; give its stiffness before going to planar or spatial"
        )
    return {"stiffness": radial, **({"axial_stiffness": axial} if axial and axial < _RIGID else {})}


def _seat(
    model: Model, bearing: Component, standing: Mapping[str, Sequence[tuple[float, str]]]
) -> tuple[str, float] | None:
    """The body that a bearing holds, and its place along the axis relative to it [m]; planets before what carries them."""
    sides = [dict(refs) for what, refs in model.relations if what == "side" and ("assembly", bearing.id) in refs]
    found = []
    for roles in sides:
        for role in ("inner", "outer"):
            shaft = model.components.get(roles.get(f"{role}_part", ""))
            if shaft is None or shaft.id not in standing:
                continue
            at = bearing.number(f"u_coordinate_on_shaft_{role}_side") or 0.0
            axis = shaft.vector("u_axis_vector")
            sense = -1.0 if axis is not None and axis[0] < 0.0 else 1.0
            found += [
                (not body.endswith(".planet"), abs(at - u), body, sense * (at - u)) for u, body in standing[shaft.id]
            ]
    if not found:
        return None
    *_, body, x = min(found)
    return body, x
