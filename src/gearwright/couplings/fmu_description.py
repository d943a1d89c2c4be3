"""The model description of an exported FMU, 2.0 and 3.0, and the build description of 3.0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from gearwright._version import __version__
from gearwright.system import Channel, System

from .model_source import Model
from .plant import Plant

#: first value references; those of fmi2.c and fmi3.c
INPUTS, PARAMETERS, OUTPUTS, STATES, RATES, INDICATORS = 1, 100, 1000, 100_000, 200_000, 300_000
#: units by their powers of kg, m, s, rad
_UNITS = {
    "N": (1, 1, -2, 0),
    "N.m": (1, 2, -2, 0),
    "N.m/rad": (1, 2, -2, -1),
    "N.m.s/rad": (1, 2, -1, -1),
    "W": (1, 2, -3, 0),
    "m": (0, 1, 0, 0),
    "m/s": (0, 1, -1, 0),
    "m/s2": (0, 1, -2, 0),
    "rad": (0, 0, 0, 1),
    "rad/s": (0, 0, -1, 1),
    "rad/s2": (0, 0, -2, 1),
    "s": (0, 0, 1, 0),
    "J": (1, 2, -2, 0),
}
_SPELT = {"N m": "N.m", "m/s^2": "m/s2", "rad/s^2": "rad/s2", "N m/rad": "N.m/rad"}


@dataclass
class _Variables:
    """The variables as they are written, with what refers to them."""

    three: bool
    part: ET.Element
    count: int = 0
    #: index (2.0) or value reference (3.0) by kind
    known: dict[str, list[int]] = field(default_factory=dict)

    def add(
        self,
        kind: str,
        name: str,
        reference: int,
        text: str,
        unit: str | None,
        facts: Mapping[str, str],
        start: float | None = None,
        derivative: int | None = None,
    ) -> int:
        """Write one; returns what refers to it."""
        common = {"name": name, "valueReference": str(reference), "description": text, **facts}
        real: dict[str, str] = {}
        if unit in _UNITS:
            real["unit"] = str(unit)
        if derivative is not None:
            real["derivative"] = str(derivative)
        if start is not None:
            real["start"] = repr(float(start))
        if self.three:
            ET.SubElement(self.part, "Float64", common | real)
        else:
            ET.SubElement(ET.SubElement(self.part, "ScalarVariable", common), "Real", real)
        self.count += 1
        found = reference if self.three else self.count
        self.known.setdefault(kind, []).append(found)
        return found


def output_name(channel: Channel) -> str:
    """Name of the output that a channel becomes."""
    return f"{channel.element}.{channel.quantity}"


def describe(
    plant: Plant,
    model: Model,
    version: str,
    name: str,
    identity: str,
    step: float,
    tolerance: float,
    exchange: bool,
    sources: Sequence[str],
) -> bytes:
    """modelDescription.xml.

    ``exchange``: whether states are given; ``sources``: files of the folder of that name.
    """
    three = version == "3.0"
    system = plant.system
    indicators = _indicators(system) if exchange else []
    root = ET.Element(
        "fmiModelDescription",
        {
            "fmiVersion": version,
            "modelName": plant.drivetrain.name,
            "description": f"{plant.drivetrain.name}: fidelity {system.provenance.fidelity}, law {system.provenance.law}",
            "generationTool": f"Gearwright {__version__}",
            "variableNamingConvention": "flat",
            "instantiationToken" if three else "guid": identity,
        },
    )
    if not three:
        root.set("numberOfEventIndicators", str(len(indicators)))
    _abilities(root, name, three, exchange, [f for f in sources if f.endswith(".c")])
    units = ET.SubElement(root, "UnitDefinitions")
    for unit, powers in _UNITS.items():
        base = {k: str(p) for k, p in zip(("kg", "m", "s", "rad"), powers, strict=True) if p}
        ET.SubElement(ET.SubElement(units, "Unit", {"name": unit}), "BaseUnit", base)
    categories = ET.SubElement(root, "LogCategories")
    for category in ("logStatusError", "logStatusWarning"):
        ET.SubElement(categories, "Category", {"name": category})
    ET.SubElement(
        root,
        "DefaultExperiment",
        {"startTime": "0", "stopTime": "10", "tolerance": f"{tolerance!r}", "stepSize": f"{step!r}"},
    )
    made = _Variables(three, ET.SubElement(root, "ModelVariables"))
    _ports(made, plant, model)
    if exchange:
        _states(made, system, indicators)
    _structure(ET.SubElement(root, "ModelStructure"), made)
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="utf-8") + b"\n"


def build_description(name: str, sources: Sequence[str]) -> bytes:
    """buildDescription.xml of FMI 3.0: what to compile, as C99."""
    root = ET.Element("fmiBuildDescription", {"fmiVersion": "3.0"})
    files = ET.SubElement(
        ET.SubElement(root, "BuildConfiguration", {"modelIdentifier": name}), "SourceFileSet", {"language": "C99"}
    )
    for source in sources:
        ET.SubElement(files, "SourceFile", {"name": source})
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="utf-8") + b"\n"


def _abilities(root: ET.Element, name: str, three: bool, exchange: bool, sources: Sequence[str]) -> None:
    state = "FMUState" if three else "FMUstate"
    common = {"modelIdentifier": name, f"canGetAndSet{state}": "true", f"canSerialize{state}": "true"}
    if not three:
        common["canNotUseMemoryManagementFunctions"] = "true"
    alone = {"canHandleVariableCommunicationStepSize": "true"} | ({} if three else {"canInterpolateInputs": "true"})
    for kind, facts in (("ModelExchange", common), ("CoSimulation", common | alone)):
        if kind == "ModelExchange" and not exchange:
            continue
        part = ET.SubElement(root, kind, facts)
        if sources and not three:
            files = ET.SubElement(part, "SourceFiles")
            for source in sources:
                ET.SubElement(files, "File", {"name": source})


def _ports(made: _Variables, plant: Plant, model: Model) -> None:
    if made.three:
        facts = {"causality": "independent", "variability": "continuous"}
        made.add("time", "time", 0, "simulation time", "s", facts)
    facts = {"causality": "input", "variability": "continuous"}
    for i, port in enumerate(plant.ports):
        made.add("input", port.name, INPUTS + i, port.description, _unit(port.unit), facts, port.start)
    facts = {"causality": "parameter", "variability": "fixed", "initial": "exact"}
    for i, one in enumerate(model.parameters):
        made.add("parameter", one.name, PARAMETERS + i, one.description, _unit(one.unit), facts, one.value)
    facts = {"causality": "output", "variability": "continuous", "initial": "calculated"}
    for i, number in enumerate(model.outputs):
        channel = plant.system.channels[number]
        text = f"{channel.kind}: {channel.sign}"
        made.add("output", output_name(channel), OUTPUTS + i, text, _unit(channel.unit), facts)


def _states(made: _Variables, system: System, indicators: Sequence[str]) -> None:
    """States, their derivatives, and in 3.0 the indicators of events."""
    facts = {"causality": "local", "variability": "continuous", "initial": "calculated"}
    listed: list[tuple[str, str, str | None, str | None]] = []
    for name in system.coordinates:
        angle = name.rsplit(".", 1)[-1] in ("rotation", "tilt_x", "tilt_y", "tilt_z")
        listed.append(
            (name, "position, beyond turning along with the train", *(("rad", "rad/s") if angle else ("m", "m/s")))
        )
    for name in system.coordinates:
        unit = listed[system.coordinates.index(name)][3]
        listed.append((f"{name}.rate", "speed", unit, f"{unit}2"))
    listed += [(f"law{i + 1}", "state of a law", None, None) for i in range(system.shape.states)]
    if system.shape.rigid:
        lead = int(abs(system.u[0]).argmax())
        listed[lead] = (listed[lead][0], "position, which all others turn along with", *listed[lead][2:])
    referred = [
        made.add("state", f"state.{name}", STATES + i, text, unit, facts)
        for i, (name, text, unit, _) in enumerate(listed)
    ]
    for i, (name, _, _, rate) in enumerate(listed):
        made.add("rate", f"der(state.{name})", RATES + i, "derivative", rate, facts, derivative=referred[i])
    if made.three:
        text = "its sign changes where the force of a law bends or jumps"
        for i, name in enumerate(indicators):
            made.add("indicator", f"event.{name}", INDICATORS + i, text, None, facts)


def _indicators(system: System) -> list[str]:
    """Names of the indicators of events, in the order of rows.c."""
    found: list[str] = []
    for block, law in zip(system.blocks, system.laws, strict=True):
        if law.guard is not None:
            found.append(block)
        elif law.opens is not None:
            found += [f"{block}.{i + 1}" for i in range(law.rows)]
    return found


def _structure(structure: ET.Element, made: _Variables) -> None:
    """Which variables are outputs, derivatives, unknown at the start, indicators."""
    known = made.known
    first = [*known.get("output", ()), *known.get("state", ()), *known.get("rate", ())]
    if made.three:
        for kind, numbers in (
            ("Output", known.get("output", [])),
            ("ContinuousStateDerivative", known.get("rate", [])),
            ("InitialUnknown", first),
            ("EventIndicator", known.get("indicator", [])),
        ):
            for number in numbers:
                ET.SubElement(structure, kind, {"valueReference": str(number)})
        return
    for kind, numbers in (
        ("Outputs", known.get("output", [])),
        ("Derivatives", known.get("rate", [])),
        ("InitialUnknowns", first),
    ):
        if numbers:
            part = ET.SubElement(structure, kind)
            for number in numbers:
                ET.SubElement(part, "Unknown", {"index": str(number)})


def _unit(unit: str) -> str | None:
    spelt = _SPELT.get(unit, unit)
    return spelt if spelt in _UNITS else None
