"""What an FMU says of itself, without running it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from gearwright.controllers.fmu_import import unpack
from gearwright.errors import CouplingError

from .fmu_check import fmpy_module


def show_fmu(path: str | Path) -> dict[str, Any]:
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
            {
                "name": v.name,
                "causality": v.causality,
                "variability": v.variability,
                "unit": v.unit or "",
                "start": v.start,
                "description": v.description or "",
            }
            for v in d.modelVariables
        ]
        return {
            "name": d.modelName,
            "fmi_version": d.fmiVersion,
            "tool": d.generationTool,
            "binaries": binaries,
            "co_simulation": d.coSimulation is not None,
            "model_exchange": d.modelExchange is not None,
            "sources": (folder / "sources").is_dir(),
            "variables": variables,
        }
