"""The components and relations of a REXS file, numbers in SI."""

from __future__ import annotations

import math
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


@dataclass(frozen=True)
class _Unknown:
    """A value in a unit that is not known: an error if it is needed."""

    message: str
    path: Path


@dataclass
class Component:
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
class Model:
    """Components by id, and relations: kind and references by role."""

    path: Path
    components: dict[str, Component]
    relations: list[tuple[str, list[tuple[str, str]]]]
    loads: dict[str, Component] = field(default_factory=dict)

    def of(self, kind: str) -> list[Component]:
        """Components of a kind, in the order of the file."""
        return [c for c in self.components.values() if c.kind == kind]

    def parts(self, owner: Component, kind: str) -> list[Component]:
        """Components of a kind that belong to another."""
        found = []
        for what, refs in self.relations:
            roles = dict(refs)
            if what == "assembly" and roles.get("assembly") == owner.id:
                part = self.components.get(roles.get("part", ""))
                if part is not None and part.kind == kind:
                    found.append(part)
        return found

    def related(self, kind: str, role: str, owner: Component, wanted: str) -> list[Component]:
        """Components in role ``wanted`` of relations of a kind where ``owner`` has a role."""
        return [
            self.components[i]
            for what, refs in self.relations
            if what == kind and (role, owner.id) in refs
            for r, i in refs
            if r == wanted and i in self.components
        ]


def parse(path: Path) -> Model:
    """Components, relations and first load case of a file; raises ReadError for what is no REXS model."""
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
    model = Model(path, components, relations)
    case = root.find("load_spectrum/load_case")
    if case is not None:
        model.loads = {c.id: c for c in (_component(e, path) for e in case.iter("component"))}
    return model


def _component(element: Any, path: Path) -> Component:
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
    return Component(element.get("id", ""), element.get("type", ""), name, values)
