"""REXS, the exchange format of gearbox models of the FVA: trains of external cylindrical stages become drivetrain files.

Read are ``cylindrical_stage`` and ``cylindrical_gear`` (teeth, module, angles, shift, face width), ``shaft`` with its
``shaft_section``, ``material``, ``external_load``, and the first load case. Every gear becomes a wheel of a parallel stage whose
mesh stiffness follows ISO 6336; gears of one shaft are joined by the pieces of it that lie between them. Inertias are those of plain
cylinders of pitch diameter and of the shafts. What is not read is said: planetary, bevel and worm stages refuse the file, bearings
are left out (a catalogue number is no stiffness), and so is everything else that a model of torsion does not need.

Source: REXS 1.0 to 1.4 as its open examples are written (FVA-Industriegetriebe, ``REXSapi``; SEW 3-stage gearbox, ``rexs-api-java``).
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .record import ReadError, load_bytes

#: Units of REXS: factor to SI.
_UNITS = {
    "": 1.0, "none": 1.0, "mm": 1e-3, "m": 1.0, "um": 1e-6, "deg": math.pi / 180.0, "°": math.pi / 180.0, "rad": 1.0, "1/min": math.pi / 30.0, "rpm": math.pi / 30.0,
    "n m": 1.0, "nm": 1.0, "n": 1.0, "n/mm^2": 1e6, "mpa": 1e6, "kg/dm^3": 1e3, "kg/m^3": 1.0, "%": 0.01, "kg": 1.0, "kg m^2": 1.0, "cm": 1e-2, "µm": 1e-6,
}  # fmt: skip
_REFUSED = (
    "planetary_stage",
    "bevel_stage",
    "worm_stage",
    "ring_gear",
    "bevel_gear",
    "worm_gear",
    "hypoid_stage",
    "side_plate",
)
_STEEL = (206e9, 0.3, 7850.0)


@dataclass(frozen=True)
class _Unknown:
    """A value in a unit that is not known: an error if it is needed."""

    message: str
    path: Path


@dataclass
class _Component:
    """A component: kind, name and attributes (numbers in SI, vectors as lists)."""

    id: str
    kind: str
    name: str
    values: dict[str, Any]

    def number(self, *names: str) -> float | None:
        """The first of some attributes that is a number; raises ReadError if its unit is not known."""
        for name in names:
            value = self.values.get(name)
            if isinstance(value, _Unknown):
                raise ReadError(value.message, value.path)
            if isinstance(value, float):
                return value
        return None


@dataclass
class _Model:
    """Components by id, and relations: kind and references by role."""

    path: Path
    components: dict[str, _Component]
    relations: list[tuple[str, list[tuple[str, str]]]]
    loads: dict[str, _Component] = field(default_factory=dict)

    def of(self, kind: str) -> list[_Component]:
        """Components of a kind, in the order of the file."""
        return [c for c in self.components.values() if c.kind == kind]

    def parts(self, owner: _Component, kind: str) -> list[_Component]:
        """Components of a kind that belong to another."""
        found = []
        for what, refs in self.relations:
            roles = dict(refs)
            if what == "assembly" and roles.get("assembly") == owner.id:
                part = self.components.get(roles.get("part", ""))
                if part is not None and part.kind == kind:
                    found.append(part)
        return found

    def related(self, kind: str, role: str, owner: _Component, wanted: str) -> list[_Component]:
        """Components in role ``wanted`` of relations of a kind where ``owner`` has a role."""
        return [
            self.components[i]
            for what, refs in self.relations
            if what == kind and (role, owner.id) in refs
            for r, i in refs
            if r == wanted and i in self.components
        ]


def read_rexs(path: str | Path) -> dict[str, Any]:
    """A REXS file as a drivetrain file (plain data, to be written as YAML or given to the program).

    Returns
    -------
    The sections ``name, source, assumed, not_claimed, materials, stages, shafts, model, operating, cases`` of a drivetrain file.

    Raises
    ------
    ReadError : no such file, no XML, no REXS, a unit that is not known, a stage of a kind that is not read, a gear without
        teeth or module.
    """
    model = _parse(Path(path))
    refused = sorted({c.kind for c in model.components.values() if c.kind in _REFUSED})
    if refused:
        raise ReadError(f"has {', '.join(refused)}; external cylindrical stages are read", path)
    stages = model.of("cylindrical_stage")
    if not stages:
        raise ReadError("has no cylindrical stage", path)
    names = _names(model)
    shafts = {gear.id: shaft for shaft in model.of("shaft") for gear in model.parts(shaft, "cylindrical_gear")}
    material = _material(model)
    made = [_stage(model, stage, names, shafts, material) for stage in stages]
    places = {g: f"{s['name']}.{role}" for s, gears in made for role, g in gears.items()}
    data: dict[str, Any] = {
        "name": re.sub(r"[^a-z0-9]+", "-", Path(path).stem.lower()).strip("-") or "gearbox",
        "source": f"REXS model {Path(path).name}",
        "assumed": [
            "inertias: cylinders of pitch diameter on their shafts",
            "mesh stiffness: ISO 6336",
            "damping of meshes: 5 %",
        ],
        "not_claimed": _left_out(model),
        "materials": {"steel": {"young": material[0], "poisson": material[1], "density": material[2]}},
        "stages": [s for s, _ in made],
    }
    between = [piece for shaft in model.of("shaft") for piece in _pieces(model, shaft, places, names)]
    if between:
        data["shafts"] = between
    data["model"] = {"fidelity": "torsional", "law": "linear"}
    data |= _operating(model, places)
    return data


def _parse(path: Path) -> _Model:
    content = load_bytes(path)
    if not content.strip():
        raise ReadError("is empty", path)
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise ReadError("defines entities, which REXS does not; they are not expanded", path)
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ReadError(f"is no XML file ({error})", path) from None
    if root.tag != "model" or root.find("components") is None or root.find("relations") is None:
        raise ReadError("is no REXS model: <model> with <relations> and <components> is wanted", path)
    components = {c.id: c for c in (_component(e, path) for e in root.find("components") or ())}
    relations = [
        (r.get("type", ""), [(ref.get("role", ""), ref.get("id", "")) for ref in r])
        for r in root.find("relations") or ()
    ]
    model = _Model(path, components, relations)
    case = root.find("load_spectrum/load_case")
    if case is not None:
        model.loads = {c.id: c for c in (_component(e, path) for e in case.iter("component"))}
    return model


def _component(element: Any, path: Path) -> _Component:
    name = element.get("name") or f"{element.get('type')} {element.get('id')}"
    values: dict[str, Any] = {}
    for attribute in element.iter("attribute"):
        key, spelled = attribute.get("id", ""), " ".join((attribute.get("unit") or "").split())
        texts = [c.text or "" for c in attribute.iter("c")] or [attribute.text or ""]
        try:
            numbers = [float(t) for t in texts]
        except ValueError:
            values[key] = texts[0].strip()
            continue
        unit = spelled.lower()
        factor = _UNITS.get(unit, _UNITS.get(unit.replace(" ", "")))
        if factor is None:
            values[key] = _Unknown(f"'{name}': {key} is in '{spelled}', which is not a known unit", path)
            continue
        scaled = [x * factor for x in numbers]
        values[key] = scaled if attribute.find("array") is not None else scaled[0]
    return _Component(element.get("id", ""), element.get("type", ""), name, values)


def _names(model: _Model) -> dict[str, str]:
    """A name in letters for every stage and shaft, by id."""
    names: dict[str, str] = {}
    for kind, word in (("cylindrical_stage", "stage"), ("shaft", "shaft")):
        for n, component in enumerate(model.of(kind), 1):
            names[component.id] = f"{word}{n}"
    return names


def _material(model: _Model) -> tuple[float, float, float]:
    for m in model.of("material"):
        young, poisson, density = (
            m.number("elastic_modulus", "youngs_modulus"),
            m.number("poisson_ratio"),
            m.number("density"),
        )
        if young and poisson is not None and density:
            return young, poisson, density
    return _STEEL


def _gear(model: _Model, gear: _Component) -> dict[str, float]:
    """Teeth, module, angles, shift and width of a gear, from itself, its flanks and the data of its stage."""
    helpers = [*model.related("flank", "gear", gear, "left"), *model.related("flank", "gear", gear, "right"),
               *model.related("stage_gear_data", "gear", gear, "stage_gear_data")]  # fmt: skip

    def find(*names: str) -> float | None:
        return next((x for c in (gear, *helpers) if (x := c.number(*names)) is not None), None)

    teeth, module = find("number_of_teeth"), find("normal_module")
    if not teeth or not module or teeth < 1 or module <= 0.0:
        raise ReadError(f"gear '{gear.name}' has no number_of_teeth and normal_module", model.path)
    width = find("face_width", "facewidth")
    if not width or width <= 0.0:
        raise ReadError(f"gear '{gear.name}' has no face_width", model.path)
    return {
        "teeth": round(teeth), "module": module, "width": width, "helix": find("helix_angle_reference_diameter", "helix_angle") or 0.0,
        "pressure": find("normal_pressure_angle", "pressure_angle") or math.radians(20.0),
        "shift": find("addendum_modification_coefficient", "profile_shift_coefficient") or 0.0,
        "at": find("u_coordinate_on_shaft") or 0.0,
    }  # fmt: skip


def _diameter_at(model: _Model, shaft: _Component | None, at: float) -> float:
    """Outer diameter of a shaft at a place; 0 where it has no section there."""
    for section in model.parts(shaft, "shaft_section") if shaft is not None else []:
        start, length = section.number("u_coordinate_on_shaft") or 0.0, section.number("length") or 0.0
        if start - 1e-9 <= at <= start + length + 1e-9:
            return section.number("outer_diameter_begin") or 0.0
    return 0.0


def _stage(model: _Model, stage: _Component, names: dict[str, str], shafts: dict[str, _Component],
           material: tuple[float, float, float]) -> tuple[dict[str, Any], dict[str, str]]:  # fmt: skip
    """A parallel stage, and which gear is its wheel and its pinion."""
    gears = [g for role in ("gear_1", "gear_2") for g in model.related("stage", "stage", stage, role)]
    if len(gears) != 2:
        raise ReadError(f"stage '{stage.name}' has {len(gears)} gears; two are wanted", model.path)
    facts = {g.id: _gear(model, g) for g in gears}
    pinion, wheel = sorted(gears, key=lambda g: facts[g.id]["teeth"])
    one, two = facts[pinion.id], facts[wheel.id]
    for key, tolerance in (("module", 1e-9), ("pressure", 1e-6)):
        if abs(one[key] - two[key]) > tolerance:
            raise ReadError(f"stage '{stage.name}': its gears differ in {key}", model.path)
    helix = abs(one["helix"])
    if abs(helix - abs(two["helix"])) > 1e-6:
        raise ReadError(f"stage '{stage.name}': its gears differ in helix angle", model.path)
    made: dict[str, Any] = {
        "name": names[stage.id], "type": "parallel", "module": one["module"], "pressure_angle": one["pressure"],
        "material": "steel",
    }  # fmt: skip
    if helix > 0.0:
        made |= {"helix_angle": helix, "hand": "right" if two["helix"] > 0.0 else "left"}
    distance = stage.number("center_distance", "working_center_distance")
    if distance:
        made["centre_distance"] = abs(distance)
    axes = [c.values.get("support_vector") if (c := shafts.get(g.id)) is not None else None for g in (wheel, pinion)]
    if all(isinstance(a, list) and len(a) == 3 for a in axes):
        (_, wy, wz), (_, py, pz) = axes  # type: ignore[misc]
        if math.hypot(py - wy, pz - wz) > 0.0:
            made["azimuth"] = math.atan2(pz - wz, py - wy)
    for role, gear in (("wheel", wheel), ("pinion", pinion)):
        made[role] = _wheel(model, facts[gear.id], shafts.get(gear.id), gear, material[2])
    made["mesh"] = {"stiffness": {"from": "iso6336"}, "damping": {"ratio": 0.05}}
    return made, {"wheel": wheel.id, "pinion": pinion.id}


def _wheel(
    model: _Model, f: dict[str, float], shaft: _Component | None, gear: _Component, density: float
) -> dict[str, Any]:
    pitch = f["teeth"] * f["module"] / math.cos(f["helix"])
    bore = _diameter_at(model, shaft, f["at"])
    bore = bore if 0.0 < bore < 0.9 * pitch else 0.0
    mass = 0.25 * math.pi * density * f["width"] * (pitch**2 - bore**2)
    inertia = 0.125 * mass * (pitch**2 + bore**2)
    own = sum(_cylinder(s, density) for s in model.parts(shaft, "shaft_section")) if shaft is not None else 0.0
    count = len(model.parts(shaft, "cylindrical_gear")) if shaft is not None else 1
    made = {"teeth": int(f["teeth"]), "profile_shift": f["shift"], "face_width": f["width"], "mass": mass,
            "inertia": inertia + own / max(count, 1), "data": {"rexs": gear.name}}  # fmt: skip
    return made | ({"bore": bore} if bore else {})


def _cylinder(section: _Component, density: float) -> float:
    """Moment of inertia of a shaft section about its axis."""
    length = section.number("length") or 0.0
    outer, inner = (section.number(f"{w}_diameter_begin") or 0.0 for w in ("outer", "inner"))
    return math.pi * density * length * (outer**4 - inner**4) / 32.0


def _pieces(model: _Model, shaft: _Component, places: dict[str, str], names: dict[str, str]) -> list[dict[str, Any]]:
    """The pieces of a shaft between its gears."""
    gears = sorted(model.parts(shaft, "cylindrical_gear"), key=lambda g: g.number("u_coordinate_on_shaft") or 0.0)
    gears = [g for g in gears if g.id in places]
    made = []
    for n, (first, second) in enumerate(zip(gears, gears[1:], strict=False), 1):
        start, end = (g.number("u_coordinate_on_shaft") or 0.0 for g in (first, second))
        sections = []
        for section in sorted(
            model.parts(shaft, "shaft_section"), key=lambda s: s.number("u_coordinate_on_shaft") or 0.0
        ):
            low = section.number("u_coordinate_on_shaft") or 0.0
            length = min(low + (section.number("length") or 0.0), end) - max(low, start)
            outer, inner = (section.number(f"{w}_diameter_begin") or 0.0 for w in ("outer", "inner"))
            if length > 1e-9 and outer > inner:
                sections.append({"length": length, "diameter": outer, **({"bore": inner} if inner else {})})
        name = names[shaft.id] if len(gears) == 2 else f"{names[shaft.id]}_{n}"
        ends: dict[str, Any] = {"name": name, "between": [places[first.id], places[second.id]]}
        if sections and abs(sum(s["length"] for s in sections) - (end - start)) < 1e-6:
            made.append({**ends, "sections": sections, "material": "steel", "damping": {"stiffness_proportional": 1e-5},
                         "data": {"rexs": shaft.name}})  # fmt: skip
        else:
            made.append({**ends, "rigid": True, "data": {"rexs": shaft.name}})
    return made


def _operating(model: _Model, places: dict[str, str]) -> dict[str, Any]:
    """Input, output, speed and torque of the first load case, and a case with them."""
    ends = []
    for shaft in model.of("shaft"):
        gears = [g for g in model.parts(shaft, "cylindrical_gear") if g.id in places]
        loads = [
            load
            for load in model.parts(shaft, "external_load")
            if load.values.get("transmits_torque", "true") == "true"
        ]
        if gears and loads:
            torque = next(
                (t for load in loads if (t := _loaded(model, load, "torque_around_u_axis", "torque")) is not None), None
            )
            ends.append((places[gears[0].id], torque, _loaded(model, shaft, "rotational_speed", "speed")))
    if len(ends) != 2:
        return {}
    ends.sort(key=lambda e: e[1] is None)  # the end whose torque is given is the input
    (first, torque, speed), (last, _, other) = ends
    made: dict[str, Any] = {"input": first, "output": last}
    if torque is not None:
        made["torque"] = abs(torque)
    if speed is None and other is not None:
        made |= {"input": last, "output": first}
        made.pop("torque", None)
        speed = other
    if speed is None:
        return {"operating": made}
    made["speed"] = abs(speed)
    case = {
        "name": "rated",
        "description": "First load case of the model",
        "duration": 1.0,
        "speeds": {made["input"]: abs(speed)},
    }
    return {"operating": made, "cases": [case]} if "torque" not in made else {"operating": made}


def _loaded(model: _Model, component: _Component, *names: str) -> float | None:
    case = model.loads.get(component.id)
    found = case.number(*names) if case is not None else None
    return found if found is not None else component.number(*names)


def _left_out(model: _Model) -> list[str]:
    count = len([c for c in model.components.values() if "bearing" in c.kind])
    out = [f"{count} bearings of the model are left out: REXS names them, but gives no stiffness"] if count else []
    out.append("stiffness of housing and wheel bodies, lubricant and flank modifications of the model are left out")
    return out


def write_rexs_drivetrain(path: str | Path, output: str | Path) -> dict[str, Any]:
    """Read a REXS model and write it as a drivetrain file (.yaml); returns its data.

    Raises
    ------
    ReadError : as :func:`read_rexs`; the file cannot be written.
    """
    from io import StringIO

    from ruamel.yaml import YAML

    data = read_rexs(path)
    from gearwright.drivetrain import expand
    from gearwright.drivetrain.read import from_mapping

    expand(from_mapping(data))
    text = StringIO()
    yaml = YAML()
    yaml.width = 110
    yaml.dump(_rounded(data), text)
    head = "# Made from a REXS model; plain numbers are SI (m, kg, N, rad, s).\n"
    try:
        Path(output).write_text(head + text.getvalue(), encoding="utf-8")
    except OSError as error:
        raise ReadError(f"cannot be written: {error.strerror or error}", output) from None
    return data


def _rounded(data: Any) -> Any:
    """Numbers with ten digits."""
    if isinstance(data, dict):
        return {k: _rounded(v) for k, v in data.items()}
    if isinstance(data, list):
        return [_rounded(v) for v in data]
    return float(f"{data:.10g}") if isinstance(data, float) else data
