"""Export: a drivetrain as an FMU 2.0 or 3.0 that runs without Python: co-simulation, and model exchange where nothing sticks.

Where all laws have a translation into C the archive holds sources that any compiler takes, and a binary made of them if a compiler
is here. Else the machine code of the engine and the laws, the tables of the drivetrain and a C wrapper become one library.
The model description is written by :mod:`.fmu_description`. Sources: FMI 2.0.4 and 3.0.1 of the Modelica Association.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gearwright.errors import CouplingError
from gearwright.parts import whole
from gearwright.results.channels import KINDS
from gearwright.schema.places import JSON

from .compiler import SHARED, SOURCES, find_compiler
from .fmu_description import build_description, describe, output_name
from .model_source import HEADERS, Model, build_model, write_model
from .plant import Plant, is_linear, make_plant, model_name


@dataclass(frozen=True)
class Export:
    """What an export made."""

    path: Path
    version: str
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    outputs: tuple[str, ...]
    exact: bool
    #: whether the unit offers model exchange, and why not; whether sources and a binary are inside
    exchange: bool = False
    bound: str = ""
    binary: bool = True

    def to_dict(self) -> dict[str, JSON]:
        """For ``--json``."""
        return {
            "file": str(self.path),
            "fmi_version": self.version,
            "inputs": list(self.inputs),
            "parameters": list(self.parameters),
            "outputs": list(self.outputs),
            "exact_steps": self.exact,
            "model_exchange": self.exchange,
            "sources": not self.bound,
            "no_sources_because": self.bound,
            "binary": self.binary,
        }


def export_fmu(
    drivetrain: Any,
    output: str | Path,
    *,
    version: str = "2.0",
    fidelity: str | None = None,
    law: str | None = None,
    rotor: str = "torque",
    generator: str = "torque",
    step: float = 0.01,
    tolerance: float = 1e-3,
    outputs: Sequence[str] = (),
    overrides: Sequence[str] = (),
) -> Export:
    """Write a drivetrain as an FMU for co-simulation and, where it has sources and no prescribed speed, for model exchange.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path, or the name of a shipped example
    output : file to write, ``.fmu``
    version : ``2.0`` or ``3.0``
    rotor : ``torque`` [N m about +x] or ``speed`` [rad/s], what comes in at the rotor
    generator : ``torque`` [N m, positive when it brakes], or ``grid``: the electrical machine of the file goes into the FMU, whose
        inputs are ``voltage``, ``frequency`` [p.u.] and ``torque_reference`` [N m]
    step : communication step that the description proposes [s]; any other serves
    tolerance : relative, of loads; a drivetrain of springs alone is exact. The inputs that a master holds over 10 ms err by more than
        the default
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
    model = replace(bare, source=bare.source.replace('gw_identity[] = ""', f'gw_identity[] = "{identity}"'))
    name = model_name(plant.drivetrain.name)
    wrapper = "fmi2.c" if version == "2.0" else "fmi3.c"
    exchange = not model.bound and not plant.system.prescribed
    sources = {} if model.bound else _sources(model, wrapper, name, version)
    description = describe(plant, model, version, name, identity, step, tolerance, exchange, tuple(sources))
    files = {"modelDescription.xml": description, **{f"sources/{name}": text for name, text in sources.items()}}
    binary = _can_compile(model)
    if binary:
        with tempfile.TemporaryDirectory(prefix="gearwright-fmu-") as folder:
            library = build_model(model, Path(folder) / f"{name}{SHARED}", (wrapper,), (f"fmi{version[0]}*",))
            files[f"binaries/{binary_folder(version)}/{name}{SHARED}"] = library.read_bytes()
    _write(path, files)
    channels = plant.system.channels
    return Export(
        path,
        version,
        tuple(p.name for p in plant.ports),
        tuple(p.name for p in model.parameters),
        tuple(output_name(channels[i]) for i in numbers),
        is_linear(plant.system),
        exchange,
        model.bound,
        binary,
    )


def _can_compile(model: Model) -> bool:
    """Whether a compiler is here; where there is none the sources go out alone, unless there are none or one was named."""
    try:
        find_compiler()
    except CouplingError:
        if model.bound or os.environ.get("CC"):
            raise
        return False
    return True


def _sources(model: Model, wrapper: str, name: str, version: str) -> dict[str, bytes]:
    """Files of the folder ``sources``: what to compile, headers, and in 3.0 the description of how."""
    files = {"model.c": model.source.encode()}
    for part in (*model.parts, wrapper, *HEADERS):
        files[part] = (SOURCES / part).read_bytes()
    if version == "3.0":
        files["buildDescription.xml"] = build_description(name, [f for f in files if f.endswith(".c")])
    return files


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
    by_name = {output_name(channels[i]): i for i in reversed(found)}
    return tuple(i for i in dict.fromkeys(found) if by_name[output_name(channels[i])] == i)


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
