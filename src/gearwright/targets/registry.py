"""Which function computes which target.

``@computes("S1.slider_crank_*")`` stands before a function that returns values by what the star stands for;
``@computes("S1.*", "pendulum_rod_period_45_90", "pendulum_rod_peak_rate_45_90")`` names them, ``@computes("S1.stop_time")``
is one target and its value. ``@computes_each("TURBINE.pitch.*")`` stands before a function of what the star stands for, which
gives the value of that target alone. Functions run once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from .target import Target, Value

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Computation:
    """A function, the ids that it claims, and whether it takes the name of one or gives a mapping for all."""

    pattern: str
    names: tuple[str, ...]
    function: Callable[..., Any]
    each: bool

    def name(self, id: str) -> str | None:
        """What the star stands for in an id ("" without a star); None for an id that is not claimed."""
        stem, star, _ = self.pattern.partition("*")
        if not star:
            return "" if id == stem else None
        name = id.removeprefix(stem)
        return name if id.startswith(stem) and (not self.names or name in self.names) else None

    def value(self, id: str) -> Value | None:
        """Value of a claimed id; None if the function leaves it out."""
        name = self.name(id)
        if self.each:
            return self.function(name)
        found: Value = self.function()
        return found.get(name) if name and isinstance(found, Mapping) else found


COMPUTATIONS: list[Computation] = []


def computes(pattern: str, *names: str) -> Callable[[_Function], _Function]:
    """Register a function without arguments for the ids of a pattern."""
    return _register(pattern, names, each=False)


def computes_each(pattern: str, *names: str) -> Callable[[_Function], _Function]:
    """Register a function of what the star stands for."""
    return _register(pattern, names, each=True)


def _register(pattern: str, names: tuple[str, ...], *, each: bool) -> Callable[[_Function], _Function]:
    def register(function: _Function) -> _Function:
        once: Any = cache(function)
        COMPUTATIONS.append(Computation(pattern, names, once, each))
        return once  # type: ignore[no-any-return]

    return register


def claims(target: Target) -> list[Computation]:
    """Computations that claim a target: one, or none where it has a reason not to be computed."""
    return [c for c in COMPUTATIONS if c.name(target.id) is not None]
