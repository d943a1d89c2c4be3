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

__version__ = "0.1.0"

_WHERE = {
    "AssemblyError": "assembly", "Drive": "assembly", "Inputs": "assembly", "Load": "assembly", "assemble": "assembly",
    "Run": "cases", "RunError": "cases", "modes": "cases", "simulate": "cases", "static_loads": "cases",
    "PowerFlow": "cases", "PowerFlowError": "cases", "power_flow": "cases",
    "Drivetrain": "drivetrain", "DrivetrainError": "drivetrain", "describe": "cases", "examples": "drivetrain",
    "expand": "drivetrain", "json_schema": "drivetrain", "load": "drivetrain",
    "ReadError": "interchange", "read": "interchange", "write": "interchange",
    "Result": "results", "ResultError": "results",
    "view": "cases.view",
    "write_report": "cases",
    "Law": "system", "force": "kernels", "guard": "kernels",
}  # fmt: skip

if TYPE_CHECKING:
    from .assembly import AssemblyError, Drive, Inputs, Load, assemble
    from .cases import (
        PowerFlow,
        PowerFlowError,
        Run,
        RunError,
        describe,
        modes,
        power_flow,
        simulate,
        static_loads,
        write_report,
    )
    from .cases.view import view
    from .drivetrain import Drivetrain, DrivetrainError, examples, expand, json_schema, load
    from .interchange import ReadError, read, write
    from .kernels import force, guard
    from .results import Result, ResultError
    from .system import Law

__all__ = [
    "AssemblyError", "Drive", "Drivetrain", "DrivetrainError", "Inputs", "Law", "Load", "PowerFlow",
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
