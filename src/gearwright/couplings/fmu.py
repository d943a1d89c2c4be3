"""Export: a drivetrain as a co-simulation FMU 2.0 or 3.0 that runs without Python.

The machine code of the engine and the laws, the tables of the drivetrain and a C wrapper become one library; the
archive holds it and the model description. Sources: FMI 2.0.4 and 3.0.1 of the Modelica Association.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from gearwright._version import __version__
from gearwright.errors import CouplingError
from gearwright.parts import whole
from gearwright.results.channels import KINDS
from gearwright.system import Channel

from .compiler import SHARED
from .model_source import Model, build_model, write_model
from .plant import Plant, is_linear, make_plant, model_name

#: first value references; those of fmi2.c and fmi3.c
INPUTS, PARAMETERS, OUTPUTS = 1, 100, 1000
#: units by their powers of kg, m, s, rad
_UNITS = {
    "N": (1, 1, -2, 0), "N.m": (1, 2, -2, 0), "N.m/rad": (1, 2, -2, -1), "N.m.s/rad": (1, 2, -1, -1), "W": (1, 2, -3, 0),
    "m": (0, 1, 0, 0), "m/s": (0, 1, -1, 0), "m/s2": (0, 1, -2, 0), "rad": (0, 0, 0, 1), "rad/s": (0, 0, -1, 1),
    "rad/s2": (0, 0, -2, 1), "s": (0, 0, 1, 0), "J": (1, 2, -2, 0),
}  # fmt: skip
_SPELT = {"N m": "N.m", "m/s^2": "m/s2", "rad/s^2": "rad/s2", "N m/rad": "N.m/rad"}


@dataclass(frozen=True)
class Export:
    """What an export made."""

    path: Path
    version: str
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    outputs: tuple[str, ...]
    exact: bool

    def to_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        return {"file": str(self.path), "fmi_version": self.version, "inputs": list(self.inputs),
                "parameters": list(self.parameters), "outputs": list(self.outputs), "exact_steps": self.exact}  # fmt: skip


def export_fmu(drivetrain: Any, output: str | Path, *, version: str = "2.0", fidelity: str | None = None,
               law: str | None = None, rotor: str = "torque", generator: str = "torque", step: float = 0.01,
               tolerance: float = 1e-6, outputs: Sequence[str] = (), overrides: Sequence[str] = ()) -> Export:  # fmt: skip
    """Write a drivetrain as a co-simulation FMU.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path, or the name of a shipped example
    output : file to write, ``.fmu``
    version : ``2.0`` or ``3.0``
    rotor : ``torque`` [N m about +x] or ``speed`` [rad/s], what comes in at the rotor
    generator : ``torque`` [N m, positive when it brakes], or ``grid``: the electrical machine of the file goes into the FMU, whose
        inputs are ``voltage``, ``frequency`` [p.u.] and ``torque_reference`` [N m]
    step : communication step that the description proposes [s]; any other serves
    tolerance : of the engine; a drivetrain of springs alone is exact
    outputs : channels by ``element.quantity``, or kinds (``shafts, machines, meshes, bearings, bodies``); default: all

    Raises CouplingError, DrivetrainError or AssemblyError for what a user can mend.
    """
    path = Path(output)
    if version not in ("2.0", "3.0"):
        raise CouplingError(f"there is no FMI version '{version}' here; there are 2.0 and 3.0")
    if path.suffix != ".fmu":
        raise CouplingError(f"an FMU is a file .fmu, not '{path.name}'")
    if not (step > 0.0 and tolerance > 0.0):
        raise CouplingError(f"step and tolerance must be positive, not {step:g} and {tolerance:g}")
    plant = make_plant(drivetrain, fidelity, law, rotor=rotor, generator=generator, overrides=overrides)
    numbers = chosen_outputs(plant, outputs)
    bare = write_model(plant, tolerance, step, numbers)
    digest = hashlib.sha256(bare.source.encode())
    for name in sorted(bare.objects):
        digest.update(bare.objects[name])
    digest.update(f"{version} {platform.machine()}".encode())
    h = digest.hexdigest()
    identity = f"{{{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:32]}}}"
    marked = bare.source.replace('gw_identity[] = ""', f'gw_identity[] = "{identity}"')
    model = Model(marked, bare.objects, bare.parameters, bare.outputs)
    name = model_name(plant.drivetrain.name)
    with tempfile.TemporaryDirectory(prefix="gearwright-fmu-") as folder:
        wrapper = "fmi2.c" if version == "2.0" else "fmi3.c"
        library = build_model(model, Path(folder) / f"{name}{SHARED}", (wrapper,), (f"fmi{version[0]}*",))
        description = _description(plant, model, version, name, identity, step, tolerance)
        _write(path, {"modelDescription.xml": description,
                      f"binaries/{binary_folder(version)}/{name}{SHARED}": library.read_bytes()})  # fmt: skip
    channels = plant.system.channels
    return Export(path, version, tuple(p.name for p in plant.ports), tuple(p.name for p in model.parameters),
                  tuple(_name(channels[i]) for i in numbers), is_linear(plant.system))  # fmt: skip


def chosen_outputs(plant: Plant, wanted: Sequence[str]) -> tuple[int, ...]:
    """Numbers of the channels that names or kinds ask for; all without any."""
    channels = plant.system.channels
    found: list[int] = [] if wanted else list(range(len(channels)))
    for name in wanted:
        if name in KINDS:
            found += [i for i, c in enumerate(channels) if c.kind == KINDS[name]]
        else:
            found.append(plant.channel(name))
    # a machine and its body share their speed: one output
    by_name = {_name(channels[i]): i for i in reversed(found)}
    return tuple(i for i in dict.fromkeys(found) if by_name[_name(channels[i])] == i)


def binary_folder(version: str) -> str:
    """Folder of the binary of this machine by the rules of a version."""
    system = {"linux": "linux", "darwin": "darwin", "win32": "windows"}.get(sys.platform, sys.platform)
    machine = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}.get(
        platform.machine().lower(), platform.machine().lower()
    )
    if version == "3.0":
        return f"{machine}-{system}"
    return {"linux": "linux64", "darwin": "darwin64", "windows": "win64"}.get(system, f"{system}64")


def _write(path: Path, files: dict[str, bytes]) -> None:
    """The archive; every entry has a name of ours and the same date, so that the same export makes the same file."""
    with whole(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.startswith("binaries") else 0o644) << 16
            archive.writestr(entry, data)


def _name(channel: Channel) -> str:
    return f"{channel.element}.{channel.quantity}"


def _unit(unit: str) -> str | None:
    spelt = _SPELT.get(unit, unit)
    return spelt if spelt in _UNITS else None


def _description(plant: Plant, model: Model, version: str, name: str, identity: str, step: float,
                 tolerance: float) -> bytes:  # fmt: skip
    three = version == "3.0"
    system = plant.system
    what = f"{plant.drivetrain.name}: fidelity {system.provenance.fidelity}, law {system.provenance.law}"
    root = ET.Element("fmiModelDescription", {
        "fmiVersion": version, "modelName": plant.drivetrain.name, "description": what,
        "generationTool": f"Gearwright {__version__}", "variableNamingConvention": "flat",
        "instantiationToken" if three else "guid": identity,
    })  # fmt: skip
    able = {"modelIdentifier": name, "canHandleVariableCommunicationStepSize": "true"}
    if three:
        able |= {"canGetAndSetFMUState": "true", "canSerializeFMUState": "true"}
    else:
        able |= {"canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true", "canInterpolateInputs": "true",
                 "canNotUseMemoryManagementFunctions": "true"}  # fmt: skip
    ET.SubElement(root, "CoSimulation", able)
    units = ET.SubElement(root, "UnitDefinitions")
    for unit, powers in _UNITS.items():
        base = {k: str(p) for k, p in zip(("kg", "m", "s", "rad"), powers, strict=True) if p}
        ET.SubElement(ET.SubElement(units, "Unit", {"name": unit}), "BaseUnit", base)
    experiment = {"startTime": "0", "stopTime": "10", "tolerance": f"{tolerance!r}", "stepSize": f"{step!r}"}
    categories = ET.SubElement(root, "LogCategories")
    for category in ("logStatusError", "logStatusWarning"):
        ET.SubElement(categories, "Category", {"name": category})
    ET.SubElement(root, "DefaultExperiment", experiment)
    variables = ET.SubElement(root, "ModelVariables")
    if three:
        ET.SubElement(variables, "Float64", {"name": "time", "valueReference": "0", "causality": "independent",
                                             "variability": "continuous", "description": "simulation time", "unit": "s"})  # fmt: skip

    def variable(name: str, reference: int, text: str, unit: str | None, start: float | None, **facts: str) -> None:
        common = {"name": name, "valueReference": str(reference), "description": text, **facts}
        real = {}
        if unit:
            real["unit"] = unit
        if start is not None:
            real["start"] = repr(float(start))
        if three:
            ET.SubElement(variables, "Float64", common | real)
        else:
            ET.SubElement(ET.SubElement(variables, "ScalarVariable", common), "Real", real)

    for i, port in enumerate(plant.ports):
        variable(port.name, INPUTS + i, port.description, _unit(port.unit), port.start, causality="input",
                 variability="continuous")  # fmt: skip
    for i, parameter in enumerate(model.parameters):
        variable(parameter.name, PARAMETERS + i, parameter.description, _unit(parameter.unit), parameter.value,
                 causality="parameter", variability="fixed", initial="exact")  # fmt: skip
    for i, number in enumerate(model.outputs):
        channel = system.channels[number]
        variable(_name(channel), OUTPUTS + i, f"{channel.kind}: {channel.sign}", _unit(channel.unit), None,
                 causality="output", variability="continuous", initial="calculated")  # fmt: skip
    structure = ET.SubElement(root, "ModelStructure")
    first = len(plant.ports) + len(model.parameters) + 1
    if three:
        for kind in ("Output", "InitialUnknown"):
            for i in range(len(model.outputs)):
                ET.SubElement(structure, kind, {"valueReference": str(OUTPUTS + i)})
    else:
        for kind in ("Outputs", "InitialUnknowns"):
            part = ET.SubElement(structure, kind)
            for i in range(len(model.outputs)):
                ET.SubElement(part, "Unknown", {"index": str(first + i)})
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="utf-8") + b"\n"
