"""A case or a campaign: load, assemble, choose, run, store. The only room that knows all the others.

Names are loaded when they are first used: a run needs no modal analysis, and the other way round.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analyse import ModalAnalysis, modes, static_loads
    from .run import Run, RunError, prepare, simulate, write_report

__all__ = ["ModalAnalysis", "Run", "RunError", "modes", "prepare", "simulate", "static_loads", "write_report"]

_ANALYSES = ("ModalAnalysis", "modes", "static_loads")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'gearwright.cases' has no attribute '{name}'")
    return getattr(import_module(f"gearwright.cases.{'analyse' if name in _ANALYSES else 'run'}"), name)
