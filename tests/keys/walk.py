"""Every key of every section that a file has: where it stands, and what it may be changed to."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel


def sections(model: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], BaseModel]]:
    """Every section in a read file, with its path in the mapping it was read from."""
    if isinstance(model, BaseModel):
        if path:
            yield path, model
        for name, field in type(model).model_fields.items():
            if name in model.model_fields_set or not path:
                yield from sections(getattr(model, name), (*path, field.alias or name))
    elif isinstance(model, dict):
        for key, value in model.items():
            yield from sections(value, (*path, key))
    elif isinstance(model, (list, tuple)):
        for i, value in enumerate(model):
            yield from sections(value, (*path, i))


def changed(raw: dict[str, Any], path: tuple[Any, ...], key: str, value: Any) -> dict[str, Any] | None:
    """The mapping with one key of a section changed; None where the section is written in a short form."""
    made = copy.deepcopy(raw)
    place: Any = made
    for step in path:
        try:
            place = place[step]
        except (KeyError, IndexError, TypeError):
            return None
    if not isinstance(place, dict):
        return None
    if value is None:
        place.pop(key, None)
    else:
        place[key] = value
    return made


def automatic(value: Any) -> list[Any]:
    """Other values for what stands there."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if isinstance(value, float):
        return [value * 1.25 if value else 0.01]
    return []
