"""Paths in a file: ``stages.stage1.planets``, ``stages.0.planets``; set and join values in plain mappings."""

from __future__ import annotations

from typing import Any, TypeVar

from gearwright.errors import DrivetrainError, listed, nearest

from .base import Joined
from .machines import PARAMETERS
from .places import Place, WrittenList, WrittenMap, joined_places, place_of
from .setup import CONTROLLER_KEYS, WIND_COMMON, WIND_KEYS

V = TypeVar("V")


def item_name(section: str, item: Any, index: int) -> str:
    """Name of a list item: its own ``name``, or ``stage1``, ``stage2``, ... for stages, or its number."""
    if isinstance(item, dict) and item.get("name"):
        return str(item["name"])
    return f"stage{index + 1}" if section == "stages" else str(index)


def step(node: Any, section: str, parts: list[str]) -> tuple[Any, int] | None:
    """Key or index that the first of ``parts`` (or more, joined by dots) lead to, and how many were used."""
    if isinstance(node, dict):
        for used in range(len(parts), 0, -1):
            key = ".".join(parts[:used])
            if key in node:
                return key, used
        return None
    names = [item_name(section, item, i) for i, item in enumerate(node)]
    for used in range(len(parts), 0, -1):
        key = ".".join(parts[:used])
        if key in names:
            return names.index(key), used
    if parts[0].lstrip("-").isdigit():
        index = int(parts[0])
        if 0 <= index < len(node):
            return index, 1
    return None


def spelled(data: Any, path: str) -> tuple[str | int, ...]:
    """A path as keys and numbers, the same however its list items are addressed; parts that are not there stay as they are."""
    parts = [part for part in path.split(".") if part]
    node, section, found = data, "", []
    while parts and isinstance(node, (dict, list)):
        one = step(node, section, parts)
        if one is None:
            break
        key, used = one
        found.append(key)
        section, node, parts = str(key), node[key], parts[used:]
    return (*found, *parts)


def set_value(data: Any, path: str, value: Any, where: str = "override") -> None:
    """Set the value at a path, in place.

    List items are addressed by number (from 0) or name; a mapping on the way that does not exist is made, so
    that a value may be added (the schema refuses unknown keys later).
    Raises :class:`DrivetrainError` if the path leads nowhere.
    """
    parts = [part for part in path.split(".") if part]
    if not parts:
        raise DrivetrainError(f"{where} '{path}': an empty path", path=path)
    node, section, gone, holder = data, "", "", ""
    while True:
        found = step(node, section, parts)
        if found is None and isinstance(node, dict):
            for part in parts[:-1]:
                node[part] = {}
                node = node[part]
            node[parts[-1]] = value
            return
        if found is None:
            names = [item_name(section, item, i) for i, item in enumerate(node)]
            meant = nearest(parts[0], names)
            raise DrivetrainError(
                f"{where} '{path}': {gone or 'the file'} has no item '{parts[0]}'. Allowed: a number from 0 to "
                f"{len(names) - 1}, or {listed(names)}." + (f" Did you mean '{meant}'?" if meant else ""),
                path=path,
            )
        key, used = found
        parts = parts[used:]
        if not parts:
            if key == "type" and isinstance(node, dict):
                kept = _of_type(dict(node), {"type": value}, holder)
                for lost in node.keys() - kept.keys():
                    del node[lost]
                node.update(kept)
            node[key] = value
            return
        gone = f"{gone}.{key}".lstrip(".")
        holder, section, node = (section if isinstance(node, list) else str(key)), str(key), node[key]
        if not isinstance(node, (dict, list)):
            raise DrivetrainError(
                f"{where} '{path}': {gone} is the value '{node}', not a group; '{parts[0]}' cannot be set in it.",
                path=path,
            )


def merged(base: dict[str, V], top: dict[str, V], section: str = "") -> WrittenMap:
    """``base`` with everything that ``top`` says: mappings join, list items of the same name join, the rest
    of ``top`` wins or is added."""
    result = WrittenMap(_of_type(dict(base), top, section), places=joined_places(base, top))
    for key, value in top.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict) and not _one_form(key, section):
            result[key] = merged(old, value, key)
        elif isinstance(old, Joined) and isinstance(value, Joined):
            result[key] = value.over(old)  # type: ignore[arg-type]
        elif isinstance(old, list) and isinstance(value, list) and _named(old) and _named(value):
            result[key] = _merged_lists(old, value, key)
        else:
            result[key] = value
    return result


def _one_form(key: str, section: str) -> bool:
    """Whether a mapping is one statement of which only one form may be given (damping of an element): a later one replaces it."""
    return key in ("damping", "torsional_damping") and section != "model"


def _of_type(base: dict[str, V], top: dict[str, V], section: str) -> dict[str, V]:
    """``base`` without what the ``type`` that ``top`` gives does not know, where it is another one: parameters of a machine, keys
    of a wind or a controller."""
    kind = top.get("type")
    if not isinstance(kind, str) or base.get("type") in (None, kind):
        return base
    if section == "machines":
        old = base.get("parameters")
        if kind not in PARAMETERS or not isinstance(old, dict):
            return {key: value for key, value in base.items() if key != "parameters"}
        fields = PARAMETERS[kind].model_fields
        return {**base, "parameters": {key: value for key, value in old.items() if key in fields}}  # type: ignore[dict-item]
    known = {"wind": WIND_KEYS, "controller": CONTROLLER_KEYS}.get(section, {}).get(kind)
    if known is None:
        return base
    shared = WIND_COMMON if section == "wind" else {"type"}
    return {key: value for key, value in base.items() if key in known or key in shared}


def _named(items: list[Any]) -> bool:
    return all(isinstance(item, dict) for item in items)


def _merged_lists(old: list[Any], new: list[Any], section: str) -> list[Any]:
    result = WrittenList(old, getattr(old, "places", None))
    names = [item_name(section, item, i) for i, item in enumerate(old)]
    for i, item in enumerate(new):
        name = item_name(section, item, i)
        if name in names:
            result[names.index(name)] = merged(result[names.index(name)], item, section)
        else:
            result.append(item)
            result.places.append(place_of(new, i) or Place(None, None))
    return result
