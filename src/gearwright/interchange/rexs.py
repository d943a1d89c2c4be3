"""REXS, the exchange format of gearbox models of the FVA: cylindrical and planetary stages become drivetrain files.

Read are ``cylindrical_stage`` and ``cylindrical_gear`` (teeth, module, angles, shift, face width), ``shaft`` with its
``shaft_section``, ``material``, ``external_load``, and the first load case. Every gear becomes a wheel of a parallel stage whose
mesh stiffness follows ISO 6336; gears of one shaft are joined by the pieces of it that lie between them. A planetary stage has one sun,
one ring, which is held if nothing loads its shaft, and equal planets. Inertias are those of plain cylinders of pitch diameter and of
the shafts, that of a carrier is a disc over its planets. Rolling bearings come with their dimensions and ratings
(:mod:`gearwright.interchange.rexs_bearings`). What is not read is said: bevel and worm stages refuse the file, bearings of which the file has
a name alone are listed, and so is everything else that a model of torsion does not need.

Source: REXS 1.0 to 1.4 as its open examples are written (FVA-Industriegetriebe, ``REXSapi``; SEW 3-stage gearbox, ``rexs-api-java``).
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple

from gearwright.parts import whole
from gearwright.schema.places import JSON, Values
from gearwright.schema.read import from_mapping
from gearwright.train.expand import expand

from .record import ReadError
from .rexs_bearings import Held, bearings_of
from .rexs_model import Component, Model, parse

_REFUSED = ("bevel_stage", "worm_stage", "bevel_gear", "worm_gear", "hypoid_stage")
_STEEL = (206e9, 0.3, 7850.0)
_MESH: Values = {"stiffness": {"from": "iso6336"}, "damping": {"ratio": 0.05}}


class _Teeth(NamedTuple):
    """A gear: teeth, module [m], face width [m], angles [rad], shift, and its place on its shaft [m]."""

    teeth: int
    module: float
    width: float
    helix: float
    pressure: float
    shift: float
    at: float

    @property
    def pitch(self) -> float:
        """Pitch diameter [m]."""
        return self.teeth * self.module / math.cos(self.helix)


class _Point(NamedTuple):
    """What the first load case tells of the ends: bodies, speed [rad/s] and torque [N m] of the input."""

    input: str
    output: str
    torque: float | None
    speed: float | None

    def section(self) -> dict[str, JSON]:
        """The section ``operating``."""
        return {key: value for key, value in self._asdict().items() if value is not None}


def read_rexs(path: str | Path) -> dict[str, JSON]:
    """A REXS file as a drivetrain file (plain data, to be written as YAML or given to the program).

    Returns
    -------
    The sections ``name, source, assumed, not_claimed, materials, stages, shafts, model, operating, cases`` of a drivetrain file.

    Raises
    ------
    ReadError : no such file, no XML, no REXS, a unit that is not known, a stage of a kind that is not read, a gear without
        teeth or module.
    """
    model = parse(Path(path))
    refused = sorted({c.kind for c in model.components.values() if c.kind in _REFUSED})
    if refused:
        raise ReadError(f"has {', '.join(refused)}; cylindrical and planetary stages are read", path)
    planetary = model.of("planetary_stage")
    inside = {part.id for stage in planetary for part in model.parts(stage, "cylindrical_stage")}
    stages = [s for s in model.of("cylindrical_stage") if s.id not in inside]
    if not stages and not planetary:
        raise ReadError("has no cylindrical or planetary stage", path)
    names = _names(model, [*planetary, *stages])
    shafts = {
        gear.id: shaft
        for shaft in model.of("shaft")
        for kind in ("cylindrical_gear", "ring_gear")
        for gear in model.parts(shaft, kind)
    }
    material = _material(model)
    made = [_planetary(model, stage, names, shafts, material) for stage in planetary]
    made += [_stage(model, stage, names, shafts, material) for stage in stages]
    places = {g: f"{s['name']}.{role}" for s, gears in made for role, g in gears.items()}
    for stage in planetary:
        for what, refs in model.relations:
            if what == "planet_carrier_shaft" and ("planetary_stage", stage.id) in refs:
                places[dict(refs).get("shaft", "")] = f"{names[stage.id]}.carrier"
    standing = {shaft.id: _standing(model, shaft, places, planetary) for shaft in model.of("shaft")}
    held = bearings_of(model, standing)
    not_claimed = _left_out(held)
    data: dict[str, JSON] = {
        "name": re.sub(r"[^a-z0-9]+", "-", Path(path).stem.lower()).strip("-") or "gearbox",
        "source": f"REXS model {Path(path).name}",
        "assumed": [
            "inertias: cylinders of pitch diameter on their shafts",
            "mesh stiffness: ISO 6336",
            "damping of meshes: 5 %",
            *(["carriers: discs over their planets, of the planets' width"] if planetary else []),
            *(["bearings: at the nearest wheel of their shaft, damping 5 %"] if held.at else []),
        ],
        "not_claimed": not_claimed,
        "materials": {"steel": {"young": material[0], "poisson": material[1], "density": material[2]}},
        "stages": [{**s, **held.of_stage(str(s["name"]))} for s, _ in made],
    }
    between = [piece for shaft in model.of("shaft") for piece in _pieces(model, shaft, places, names)]
    if between:
        data["shafts"] = between
    data["model"] = {"fidelity": "torsional", "law": "linear"}
    point = _operating(model, places)
    if point is not None:
        data["operating"] = point.section()
    case = _rated(data, point)
    if case is None:
        not_claimed.append("no case: the first load case does not tell speed and torque of the ends")
    else:
        data["cases"] = [case]
    return data


def _rated(data: Values, point: _Point | None) -> Values | None:
    """The first load case as a case that runs: the input turns at its speed, the output brakes with what comes through."""
    if point is None or point.torque is None or point.speed is None:
        return None
    train = expand(from_mapping(data))
    ratio = train.ratios[point.output] / train.ratios[point.input]
    case: Values = {"name": "rated", "description": "first load case of the model", "duration": 1.0}
    load: Values = {"on": point.output, "torque": -point.torque / ratio}
    return {**case, "speeds": {point.input: point.speed}, "loads": [load]}


def _names(model: Model, stages: list[Component]) -> dict[str, str]:
    """A name in letters for every stage and shaft, by id."""
    names = {component.id: f"stage{n}" for n, component in enumerate(stages, 1)}
    return names | {component.id: f"shaft{n}" for n, component in enumerate(model.of("shaft"), 1)}


def _material(model: Model) -> tuple[float, float, float]:
    for m in model.of("material"):
        young, poisson, density = (
            m.number("elastic_modulus", "youngs_modulus"),
            m.number("poisson_ratio"),
            m.number("density"),
        )
        if young and poisson is not None and density:
            return young, poisson, density
    return _STEEL


def _gear(model: Model, gear: Component) -> _Teeth:
    """Teeth, module, angles, shift and width of a gear, from itself, its flanks and the data of its stage."""
    helpers = [
        *model.related("flank", "gear", gear, "left"),
        *model.related("flank", "gear", gear, "right"),
        *model.related("stage_gear_data", "gear", gear, "stage_gear_data"),
    ]

    def find(*names: str) -> float | None:
        return next((x for c in (gear, *helpers) if (x := c.number(*names)) is not None), None)

    teeth, module = find("number_of_teeth"), find("normal_module")
    if not teeth or not module or teeth < 1 or module <= 0.0:
        raise ReadError(f"gear '{gear.name}' has no number_of_teeth and normal_module", model.path)
    width = find("face_width", "facewidth")
    if not width or width <= 0.0:
        raise ReadError(f"gear '{gear.name}' has no face_width", model.path)
    return _Teeth(
        round(teeth),
        module,
        width,
        find("helix_angle_reference_diameter", "helix_angle") or 0.0,
        find("normal_pressure_angle", "pressure_angle") or math.radians(20.0),
        find("addendum_modification_coefficient", "profile_shift_coefficient") or 0.0,
        find("u_coordinate_on_shaft") or 0.0,
    )


def _diameter_at(model: Model, shaft: Component | None, at: float) -> float:
    """Outer diameter of a shaft at a place; 0 where it has no section there."""
    for section in model.parts(shaft, "shaft_section") if shaft is not None else []:
        start, length = section.number("u_coordinate_on_shaft") or 0.0, section.number("length") or 0.0
        if start - 1e-9 <= at <= start + length + 1e-9:
            return section.number("outer_diameter_begin") or 0.0
    return 0.0


def _stage(
    model: Model,
    stage: Component,
    names: dict[str, str],
    shafts: dict[str, Component],
    material: tuple[float, float, float],
) -> tuple[dict[str, JSON], dict[str, str]]:
    """A parallel stage, and which gear is its wheel and its pinion."""
    gears = [g for role in ("gear_1", "gear_2") for g in model.related("stage", "stage", stage, role)]
    if len(gears) != 2:
        raise ReadError(f"stage '{stage.name}' has {len(gears)} gears; two are wanted", model.path)
    facts = {g.id: _gear(model, g) for g in gears}
    pinion, wheel = sorted(gears, key=lambda g: facts[g.id].teeth)
    one, two = facts[pinion.id], facts[wheel.id]
    if abs(one.module - two.module) > 1e-9:
        raise ReadError(f"stage '{stage.name}': its gears differ in module", model.path)
    if abs(one.pressure - two.pressure) > 1e-6:
        raise ReadError(f"stage '{stage.name}': its gears differ in pressure", model.path)
    helix = abs(one.helix)
    if abs(helix - abs(two.helix)) > 1e-6:
        raise ReadError(f"stage '{stage.name}': its gears differ in helix angle", model.path)
    made: dict[str, JSON] = {
        "name": names[stage.id],
        "type": "parallel",
        "module": one.module,
        "pressure_angle": one.pressure,
        "material": "steel",
    }
    if helix > 0.0:
        made |= {"helix_angle": helix, "hand": "right" if two.helix > 0.0 else "left"}
    distance = stage.number("center_distance", "working_center_distance")
    if distance:
        made["centre_distance"] = abs(distance)
    axes = [a for g in (wheel, pinion) if g.id in shafts and (a := shafts[g.id].vector("support_vector")) is not None]
    if len(axes) == 2:
        (_, wy, wz), (_, py, pz) = axes
        if math.hypot(py - wy, pz - wz) > 0.0:
            made["azimuth"] = math.atan2(pz - wz, py - wy)
    for role, gear in (("wheel", wheel), ("pinion", pinion)):
        made[role] = _wheel(model, facts[gear.id], shafts.get(gear.id), gear, material[2])
    made["mesh"] = dict(_MESH)
    return made, {"wheel": wheel.id, "pinion": pinion.id}


def _planetary(
    model: Model,
    stage: Component,
    names: dict[str, str],
    shafts: dict[str, Component],
    material: tuple[float, float, float],
) -> tuple[dict[str, JSON], dict[str, str]]:
    """A planetary stage, and which gear is its sun and its ring."""
    parts = model.parts(stage, "cylindrical_stage")
    pairs = [
        [g for role in ("gear_1", "gear_2") for g in model.related("stage", "stage", part, role)] for part in parts
    ]
    rings = {g.id: g for pair in pairs for g in pair if g.kind == "ring_gear"}
    planets = {g.id: g for pair in pairs if any(g.id in rings for g in pair) for g in pair if g.id not in rings}
    suns = {g.id: g for pair in pairs for g in pair if g.id not in rings and g.id not in planets}
    if len(rings) != 1 or len(suns) != 1 or not planets:
        raise ReadError(
            f"stage '{stage.name}' has {len(suns)} suns, {len(rings)} rings and {len(planets)} planets; one sun, one ring and "
            f"planets are wanted",
            model.path,
        )
    (sun,), (ring,), first = suns.values(), rings.values(), next(iter(planets.values()))
    facts = {g.id: _gear(model, g) for g in (sun, ring, *planets.values())}
    one, two, three = facts[sun.id], facts[first.id], facts[ring.id]
    for f in facts.values():
        if abs(f.module - one.module) > 1e-9 or abs(f.pressure - one.pressure) > 1e-6:
            raise ReadError(f"stage '{stage.name}': its gears differ in module or pressure angle", model.path)
        if abs(abs(f.helix) - abs(one.helix)) > 1e-6:
            raise ReadError(f"stage '{stage.name}': its gears differ in helix angle", model.path)
    if any(facts[i].teeth != two.teeth for i in planets):
        raise ReadError(f"stage '{stage.name}': its planets differ in teeth", model.path)
    distance = next((d for part in parts if (d := part.number("center_distance", "working_center_distance"))), None)
    if distance is None:
        distance = 0.5 * (one.teeth + two.teeth) * one.module / math.cos(one.helix)
    distance = abs(distance)
    made: dict[str, JSON] = {
        "name": names[stage.id],
        "type": "planetary",
        "planets": len(planets),
        "module": one.module,
        "pressure_angle": one.pressure,
        "material": "steel",
        "centre_distance": distance,
    }
    if one.helix != 0.0:
        made |= {"helix_angle": abs(one.helix), "hand": "right" if one.helix > 0.0 else "left"}
    density = material[2]
    for role, gear in (("sun", sun), ("planet", first)):
        made[role] = _wheel(model, facts[gear.id], shafts.get(gear.id), gear, density)
    annulus = _ring(ring, three, _ring_shift(two, three, distance, model.path), density)
    shaft = shafts.get(ring.id)
    held = shaft is None or not _loads(model, shaft)
    made["ring"] = {**annulus, "fixed": True} if held else annulus
    size = 2.0 * distance + two.pitch
    disc = 0.25 * math.pi * density * two.width * size**2
    made["carrier"] = {
        "pin_radius": distance,
        "mass": disc,
        "inertia": 0.125 * disc * size**2,
        "inertia_includes_planets": False,
    }
    made["meshes"] = {"sun_planet": dict(_MESH), "ring_planet": dict(_MESH)}
    return made, {"sun": sun.id, "ring": ring.id}


def _ring(ring: Component, f: _Teeth, shift: float, density: float) -> dict[str, JSON]:
    """A ring with a rim of about three and a half modules behind its roots."""
    outer = f.pitch + 10.0 * f.module
    mass = 0.25 * math.pi * density * f.width * (outer**2 - f.pitch**2)
    return {
        "teeth": f.teeth,
        "profile_shift": shift,
        "face_width": f.width,
        "outer_diameter": outer,
        "mass": mass,
        "inertia": 0.125 * mass * (outer**2 + f.pitch**2),
        "data": {"rexs": ring.name},
    }


def _ring_shift(planet: _Teeth, ring: _Teeth, distance: float, path: Path) -> float:
    """Shift of the ring in the sense of DIN 3960 (its teeth counted negative): the sign that fits the centre distance.

    ``inv alpha_wt = inv alpha_t + 2 (x_p + x_r) tan alpha_n / (z_p - z_r)``; files write it either way.
    """
    if ring.shift == 0.0:
        return 0.0
    transverse = math.atan(math.tan(ring.pressure) / math.cos(ring.helix))
    teeth = ring.teeth - planet.teeth
    cosine = 0.5 * teeth * ring.module / math.cos(ring.helix) * math.cos(transverse) / distance
    if not 0.0 < cosine < 1.0:
        raise ReadError(f"a centre distance of {distance:g} m does not go with {teeth:g} teeth of difference", path)
    working = math.acos(cosine)
    bend = (math.tan(working) - working) - (math.tan(transverse) - transverse)
    wanted = -bend * teeth / (2.0 * math.tan(ring.pressure)) - planet.shift
    sign = min((1.0, -1.0), key=lambda s: abs(s * ring.shift - wanted))
    if abs(sign * ring.shift - wanted) > 0.25:
        raise ReadError(
            f"the ring's shift {ring.shift:g} does not fit its centre distance, which asks for {wanted:.4g}", path
        )
    return sign * ring.shift


def _loads(model: Model, shaft: Component) -> list[Component]:
    """External loads of a shaft that pass torque."""
    return [
        load for load in model.parts(shaft, "external_load") if load.values.get("transmits_torque", "true") == "true"
    ]


def _members(model: Model, shaft: Component, places: dict[str, str]) -> list[tuple[float, str, bool]]:
    """What stands on a shaft: place along it, body, and whether it is a gear; a carrier stands at its end."""
    found = [
        (gear.number("u_coordinate_on_shaft") or 0.0, places[gear.id], True)
        for kind in ("cylindrical_gear", "ring_gear")
        for gear in model.parts(shaft, kind)
        if gear.id in places
    ]
    if shaft.id in places:
        found.append((max((u for u, *_ in found), default=0.0), places[shaft.id], False))
    return sorted(found)


def _wheel(model: Model, f: _Teeth, shaft: Component | None, gear: Component, density: float) -> dict[str, JSON]:
    bore = _diameter_at(model, shaft, f.at)
    bore = bore if 0.0 < bore < 0.9 * f.pitch else 0.0
    mass = 0.25 * math.pi * density * f.width * (f.pitch**2 - bore**2)
    inertia = 0.125 * mass * (f.pitch**2 + bore**2)
    own = sum(_cylinder(s, density) for s in model.parts(shaft, "shaft_section")) if shaft is not None else 0.0
    count = len(model.parts(shaft, "cylindrical_gear")) if shaft is not None else 1
    made: dict[str, JSON] = {
        "teeth": f.teeth,
        "profile_shift": f.shift,
        "face_width": f.width,
        "mass": mass,
        "inertia": inertia + own / max(count, 1),
        "data": {"rexs": gear.name},
    }
    return {**made, "bore": bore} if bore else made


def _cylinder(section: Component, density: float) -> float:
    """Moment of inertia of a shaft section about its axis."""
    length = section.number("length") or 0.0
    outer, inner = (section.number(f"{w}_diameter_begin") or 0.0 for w in ("outer", "inner"))
    return math.pi * density * length * (outer**4 - inner**4) / 32.0


def _pieces(model: Model, shaft: Component, places: dict[str, str], names: dict[str, str]) -> list[JSON]:
    """The pieces of a shaft between what stands on it; one to a carrier is rigid."""
    members = _members(model, shaft, places)
    made: list[JSON] = []
    for n, ((start, first, gear), (end, second, other)) in enumerate(zip(members, members[1:], strict=False), 1):
        sections = []
        for section in sorted(
            model.parts(shaft, "shaft_section"), key=lambda s: s.number("u_coordinate_on_shaft") or 0.0
        ):
            low = section.number("u_coordinate_on_shaft") or 0.0
            length = min(low + (section.number("length") or 0.0), end) - max(low, start)
            outer, inner = (section.number(f"{w}_diameter_begin") or 0.0 for w in ("outer", "inner"))
            if length > 1e-9 and outer > inner:
                sections.append({"length": length, "diameter": outer, **({"bore": inner} if inner else {})})
        name = names[shaft.id] if len(members) == 2 else f"{names[shaft.id]}_{n}"
        ends: dict[str, JSON] = {"name": name, "between": [first, second]}
        if gear and other and sections and abs(sum(s["length"] for s in sections) - (end - start)) < 1e-6:
            made.append(
                {
                    **ends,
                    "sections": sections,
                    "material": "steel",
                    "damping": {"stiffness_proportional": 1e-5},
                    "data": {"rexs": shaft.name},
                }
            )
        else:
            made.append({**ends, "rigid": True, "data": {"rexs": shaft.name}})
    return made


def _operating(model: Model, places: dict[str, str]) -> _Point | None:
    """Input, output, speed and torque of the first load case; None where it does not load two ends."""
    ends = []
    for shaft in model.of("shaft"):
        members, loads = _members(model, shaft, places), _loads(model, shaft)
        if members and loads:
            torque = next(
                (t for load in loads if (t := _loaded(model, load, "torque_around_u_axis", "torque")) is not None), None
            )
            ends.append((members[0][1], torque, _loaded(model, shaft, "rotational_speed", "speed")))
    if len(ends) != 2:
        return None
    ends.sort(key=lambda e: e[1] is None)  # the end whose torque is given is the input
    (first, torque, speed), (last, _, other) = ends
    if speed is None and other is not None:
        return _Point(last, first, None, abs(other))
    return _Point(first, last, torque and abs(torque), speed and abs(speed))


def _loaded(model: Model, component: Component, *names: str) -> float | None:
    case = model.loads.get(component.id)
    found = case.number(*names) if case is not None else None
    return found if found is not None else component.number(*names)


def _left_out(held: Held) -> list[str]:
    out = [f"bearing {name} is left out: {why}" for name, why in held.left_out]
    out.append("stiffness of housing and wheel bodies, lubricant and flank modifications of the model are left out")
    return out


def _standing(
    model: Model, shaft: Component, places: dict[str, str], planetary: list[Component]
) -> list[tuple[float, str]]:
    """Place along a shaft and body of what bearings of it can hold; the planets of a stage stand for each other."""
    found = [(at, body) for at, body, _ in _members(model, shaft, places)]
    stages = {body.split(".")[0] for body in places.values() if body.endswith(".ring")}
    for gear in model.parts(shaft, "cylindrical_gear"):
        if gear.id not in places and len(planetary) == 1 and stages:
            found.append((gear.number("u_coordinate_on_shaft") or 0.0, f"{next(iter(stages))}.planet"))
    return found


def write_rexs_drivetrain(path: str | Path, output: str | Path) -> dict[str, JSON]:
    """Read a REXS model and write it as a drivetrain file (.yaml); returns its data.

    Raises
    ------
    ReadError : as :func:`read_rexs`; the file cannot be written.
    """
    from io import StringIO

    from ruamel.yaml import YAML

    data = read_rexs(path)

    expand(from_mapping(data))
    text = StringIO()
    yaml = YAML()
    yaml.width = 110
    yaml.dump(_rounded(data), text)
    head = "# Made from a REXS model; plain numbers are SI (m, kg, N, rad, s).\n"
    try:
        with whole(Path(output)) as part:
            part.write_text(head + text.getvalue(), encoding="utf-8")
    except OSError as error:
        raise ReadError(f"cannot be written: {error.strerror or error}", output) from None
    return data


def _rounded(data: JSON) -> JSON:
    """Numbers with ten digits."""
    if isinstance(data, dict):
        return {k: _rounded(v) for k, v in data.items()}
    if isinstance(data, list):
        return [_rounded(v) for v in data]
    return float(f"{data:.10g}") if isinstance(data, float) else data
