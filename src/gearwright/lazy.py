"""Faces of rooms whose names are loaded when they are first used, so that importing a room is quick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def face(room: str, modules: Mapping[str, Sequence[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a room whose ``modules``, named within it, have the public names that are listed."""
    where = {name: f"{room}.{module}" for module, names in modules.items() for name in names}
    own = vars(import_module(room))

    def load(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module '{room}' has no attribute '{name}'")
        own[name] = value = getattr(import_module(where[name]), name)
        return value

    return load, lambda: sorted({*own, *where})
