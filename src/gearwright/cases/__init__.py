"""A case or a campaign: load, assemble, choose, run, store. The only room that knows all the others.

Names are loaded when they are first used: a run needs no modal analysis, and the other way round.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analyse import ModalAnalysis, describe, modes, static_loads
    from .mechanism import MechanismModes
    from .powerflow import PowerFlow, PowerFlowError, power_flow
    from .run import Run, RunError, prepare, simulate, write_report

__all__ = [
    "MechanismModes", "ModalAnalysis", "PowerFlow", "PowerFlowError", "Run", "RunError", "describe", "modes", "power_flow",
    "prepare", "simulate", "static_loads", "write_report",
]  # fmt: skip

_ROOMS = {
    "MechanismModes": "mechanism", "ModalAnalysis": "analyse", "describe": "analyse", "modes": "analyse", "static_loads": "analyse",
    "PowerFlow": "powerflow", "PowerFlowError": "powerflow", "power_flow": "powerflow",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'gearwright.cases' has no attribute '{name}'")
    return getattr(import_module(f"gearwright.cases.{_ROOMS.get(name, 'run')}"), name)
