"""What an FMU says of itself, without running it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gearwright.controllers.fmu_import import unpack
from gearwright.errors import CouplingError

from .fmu_check import fmpy_module


@dataclass(frozen=True)
class Variable:
    """A variable of an FMU: ``causality`` and ``variability`` in the words of the standard, its value at the start."""

    name: str
    causality: str
    variability: str
    unit: str
    start: str | None
    description: str


@dataclass(frozen=True)
class Description:
    """An FMU: its name, version of the standard, the tool that made it, for which kinds of programs it is, what is in it."""

    name: str
    fmi_version: str
    tool: str | None
    binaries: list[str]
    co_simulation: bool
    model_exchange: bool
    sources: bool
    variables: list[Variable]


def show_fmu(path: str | Path) -> Description:
    """Version, tool, variables and binaries of an FMU. Raises CouplingError for a file that is none."""
    fmpy_module()
    from fmpy import read_model_description

    with tempfile.TemporaryDirectory(prefix="gearwright-fmu-") as name:
        folder = Path(name)
        unpack(path, folder)
        try:
            d: Any = read_model_description(str(folder))
        except Exception as error:
            raise CouplingError(f"'{path}': its model description cannot be read: {error}") from None
        binaries = sorted(p.name for p in (folder / "binaries").glob("*")) if (folder / "binaries").is_dir() else []
        variables = [
            Variable(v.name, v.causality, v.variability, v.unit or "", v.start, v.description or "")
            for v in d.modelVariables
        ]
        exchange, sources = d.modelExchange is not None, (folder / "sources").is_dir()
        return Description(
            d.modelName,
            d.fmiVersion,
            d.generationTool,
            binaries,
            d.coSimulation is not None,
            exchange,
            sources,
            variables,
        )
