"""Gearwright: dynamics, loads and life of geared drivetrains.

    import gearwright as gw

    drivetrain = gw.load("nrel-5mw-gallego")
    print(gw.modes(drivetrain).frequencies_hz)
    run = gw.simulate(drivetrain, "recorded-18ms", duration=60)
    result = gw.Result.open(run.result_file)

Names are loaded when they are first used, so that importing the package is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__

_WHERE = {
    "AssemblyError": "assembly",
    "Drive": "assembly",
    "Inputs": "assembly",
    "Load": "assembly",
    "assemble": "assembly",
    "PowerFlow": "analyses.power_flow",
    "PowerFlowError": "analyses.power_flow",
    "Run": "running.run",
    "RunError": "errors",
    "describe": "analyses.model",
    "modes": "analyses.model",
    "power_flow": "analyses.power_flow",
    "simulate": "running.run",
    "static_loads": "analyses.model",
    "write_report": "pages.write",
    "view": "pages.viewer.view",
    "Drivetrain": "schema.file",
    "DrivetrainError": "errors",
    "FileError": "errors",
    "GearwrightError": "errors",
    "InputError": "errors",
    "examples": "schema.read",
    "expand": "train.expand",
    "json_schema": "schema.file",
    "load": "train.open",
    "ReadError": "interchange",
    "read": "interchange",
    "write": "interchange",
    "force": "kernels",
    "guard": "kernels",
    "Result": "results",
    "ResultError": "results",
    "Law": "system",
}

if TYPE_CHECKING:
    from .analyses.model import describe, modes, static_loads
    from .analyses.power_flow import PowerFlow, PowerFlowError, power_flow
    from .assembly import AssemblyError, Drive, Inputs, Load, assemble
    from .errors import DrivetrainError, FileError, GearwrightError, InputError, RunError
    from .interchange import ReadError, read, write
    from .kernels import force, guard
    from .pages.viewer.view import view
    from .pages.write import write_report
    from .results import Result, ResultError
    from .running.run import Run, simulate
    from .schema.file import Drivetrain, json_schema
    from .schema.read import examples
    from .system import Law
    from .train.expand import expand
    from .train.open import load

__all__ = [
    "__version__",
    "AssemblyError", "Drive", "Drivetrain", "DrivetrainError", "FileError", "GearwrightError", "InputError", "Inputs", "Law", "Load", "PowerFlow",
    "PowerFlowError", "ReadError", "Result", "ResultError", "Run", "RunError", "assemble", "describe", "examples",
    "expand", "force", "guard", "json_schema", "load", "modes", "power_flow", "read", "simulate", "static_loads",
    "view", "write", "write_report",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        value = getattr(import_module(f"gearwright.{_WHERE[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'gearwright' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])
