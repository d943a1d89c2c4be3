"""The components and relations of a REXS file (XML, JSON, or an archive with either), numbers in SI."""

from __future__ import annotations

import io
import json
import math
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .limits import MOST_PER_BYTE
from .record import ReadError, decode, load_bytes

#: Units of REXS: factor to SI.
_UNITS = {
    "": 1.0, "none": 1.0, "mm": 1e-3, "m": 1.0, "um": 1e-6, "deg": math.pi / 180.0, "°": math.pi / 180.0, "rad": 1.0, "1/min": math.pi / 30.0, "rpm": math.pi / 30.0,
    "n m": 1.0, "nm": 1.0, "n": 1.0, "n/mm^2": 1e6, "mpa": 1e6, "kg/dm^3": 1e3, "kg/m^3": 1.0, "%": 0.01, "kg": 1.0, "kg m^2": 1.0, "cm": 1e-2, "µm": 1e-6,
    "mum": 1e-6, "kn": 1e3, "n/m": 1.0, "n/mm": 1e3, "nmm/rad": 1e-3, "nm/rad": 1.0,
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
    values: dict[str, float | str | list[float] | _Unknown]

    def number(self, *names: str) -> float | None:
        """The first of some attributes that is a number; raises ReadError if its unit is not known."""
        for name in names:
            value = self.values.get(name)
            if isinstance(value, _Unknown):
                raise ReadError(value.message, value.path)
            if isinstance(value, float):
                return value
        return None

    def vector(self, name: str) -> list[float] | None:
        """An attribute that is a vector in space."""
        value = self.values.get(name)
        return value if isinstance(value, list) and len(value) == 3 else None


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
    """Components, relations and first load case of a file: XML (``.rexs``), JSON (``.rexsj``) or an archive with either (``.rexsz``), told by
    its content. Raises ReadError for what is no REXS model."""
    content = load_bytes(path)
    if content[:4] == b"PK\x03\x04":
        content = _archived(content, path)
    if not content.strip():
        raise ReadError("is empty", path)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        return _of_json(content, path)
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise ReadError("defines entities, which REXS does not; they are not expanded", path)
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ReadError(f"is no XML file ({error})", path) from None
    if root.tag != "model" or root.find("components") is None or root.find("relations") is None:
        raise ReadError("is no REXS model: <model> with <relations> and <components> is wanted", path)
    components = {c.id: c for c in (_component(e, path) for e in root.findall("components/*"))}
    relations = [
        (r.get("type", ""), [(ref.get("role", ""), ref.get("id", "")) for ref in r])
        for r in root.findall("relations/*")
    ]
    model = Model(path, components, relations)
    case = root.find("load_spectrum/load_case")
    if case is not None:
        model.loads = {c.id: c for c in (_component(e, path) for e in case.iter("component"))}
    return model


def _archived(content: bytes, path: Path) -> bytes:
    """The model inside an archive, of a size that the archive can hold."""
    most = MOST_PER_BYTE * len(content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            models = [e for e in archive.infolist() if e.filename.lower().endswith((".rexs", ".rexsj"))]
            if len(models) != 1:
                raise ReadError(f"holds {len(models)} models (.rexs or .rexsj); one is wanted", path)
            with archive.open(models[0]) as file:
                found = file.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError) as error:
        raise ReadError(f"is no sound archive ({error})", path) from None
    if len(found) > most:
        raise ReadError("unpacks to more than an archive of its size can hold", path)
    return found


def _of_json(content: bytes, path: Path) -> Model:
    """The JSON form: the same components, relations and load cases under other brackets."""
    try:
        root = json.loads(decode(content))["model"]
        components = {c.id: c for c in (_json_component(e, path) for e in root["components"])}
        relations = [
            (str(r["type"]), [(str(ref.get("role", "")), str(ref.get("id", ""))) for ref in r["refs"]])
            for r in root["relations"]
        ]
        model = Model(path, components, relations)
        cases = (root.get("load_spectrum") or {}).get("load_cases") or []
        if cases:
            model.loads = {c.id: c for c in (_json_component(e, path) for e in cases[0]["components"])}
    except (KeyError, TypeError, AttributeError, IndexError):
        raise ReadError('is no REXS model: "model" with "relations" and "components" is wanted', path) from None
    except (ValueError, RecursionError) as error:
        raise ReadError(f"is no JSON file ({' '.join(str(error).split())[:120]})", path) from None
    return model


def _json_component(element: Any, path: Path) -> Component:
    """A component whose attributes hold their value under the name of its kind: ``floating_point``, ``integer``, ``..._array`` and so on."""
    name = str(element.get("name") or f"{element.get('type')} {element.get('id')}")
    values: dict[str, float | str | list[float] | _Unknown] = {}
    for attribute in element["attributes"]:
        key, unit = str(attribute["id"]), str(attribute.get("unit") or "")
        value = next((v for k, v in attribute.items() if k not in ("id", "unit")), None)
        if not isinstance(
            value, (bool, dict, type(None))
        ):  # a model of torsion reads no truth values and nothing coded
            array = isinstance(value, list)
            values[key] = _value(f"'{name}': {key}", unit, value if array else [value], array, path)
    return Component(str(element["id"]), str(element.get("type", "")), name, values)


def _component(element: Any, path: Path) -> Component:
    name = element.get("name") or f"{element.get('type')} {element.get('id')}"
    values = {}
    for attribute in element.iter("attribute"):
        texts = [c.text or "" for c in attribute.iter("c")] or [attribute.text or ""]
        key, array = attribute.get("id", ""), attribute.find("array") is not None
        values[key] = _value(f"'{name}': {key}", attribute.get("unit") or "", texts, array, path)
    return Component(element.get("id", ""), element.get("type", ""), name, values)


def _value(what: str, unit: str, given: list[Any], array: bool, path: Path) -> float | str | list[float] | _Unknown:
    """Numbers in SI, other words as they are."""
    spelled = " ".join(unit.split())
    try:
        numbers = [float(x) for x in given]
    except (TypeError, ValueError):
        return str(given[0]).strip()
    factor = _UNITS.get(spelled.lower(), _UNITS.get(spelled.lower().replace(" ", "")))
    if factor is None:
        return _Unknown(f"{what} is in '{spelled}', which is not a known unit", path)
    scaled = [x * factor for x in numbers]
    return scaled if array or not scaled else scaled[0]
