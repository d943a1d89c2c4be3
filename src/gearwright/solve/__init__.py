"""Engines, modes, equilibrium, response: everything that solves a system. Knows laws only through their addresses.

The classes below are loaded when they are first used. Functions that are called like their file are imported from
it: ``solve.choose.choose``, ``solve.modes.modes``, ``solve.response.response``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_WHERE = {
    "EngineError": "choose", "Equilibrium": "static", "ExactEngine": "exact", "ExplicitEngine": "explicit",
    "ExponentialEngine": "exponential", "Modes": "modes", "Unbalanced": "static", "engine": "choose",
    "equilibrium": "static", "equilibrium_over_turn": "static", "mac": "modes", "periodic_start": "periodic",
}  # fmt: skip

if TYPE_CHECKING:
    from .choose import EngineError, engine
    from .exact import ExactEngine
    from .explicit import ExplicitEngine
    from .exponential import ExponentialEngine
    from .modes import Modes, mac
    from .periodic import periodic_start
    from .static import Equilibrium, Unbalanced, equilibrium, equilibrium_over_turn

__all__ = [
    "EngineError", "Equilibrium", "ExactEngine", "ExplicitEngine", "ExponentialEngine", "Modes", "Unbalanced",
    "engine", "equilibrium", "equilibrium_over_turn", "mac", "periodic_start",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        value = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
