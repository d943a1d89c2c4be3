"""The file with modifications: it includes the one it began with, and says what is new."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gearwright.errors import DrivetrainError
from gearwright.schema.file import Drivetrain
from gearwright.schema.paths import item_name, step
from gearwright.schema.places import JSON
from gearwright.schema.read import examples, find, pairs

#: a value as the file has it: a number, text with a unit, or a group of them
Value = str | float | Mapping[str, "Value"]


def including(
    source: str | Path, target: Path, drivetrain: Drivetrain, changes: Mapping[str, Value], heads: Iterable[str]
) -> str:
    """Text of a file that includes ``source``, with the edits that the drivetrain was read with and ``changes`` by path.

    ``heads``: comments. Raises DrivetrainError for an edit of a list whose items have no names: an including file cannot say it.
    """
    tree: Any = {"include": _name_of(source, target)}
    for path, value in [*pairs(drivetrain.overrides), *changes.items()]:
        _put(tree, drivetrain.raw, path, value)
    comments = "".join(f"# {line}\n" for line in heads)
    return comments + "".join(_lines(tree, ""))


def _name_of(source: str | Path, target: Path) -> str:
    """What the including file calls the other: an example by its name, a file by its way from there."""
    if str(source) in examples() and not Path(source).is_file():
        return str(source)
    file = find(source)
    if file.resolve() == target.resolve():
        raise DrivetrainError(f"'{target}': a file cannot include itself; write the modifications under another name")
    return Path(os.path.relpath(file.resolve(), target.resolve().parent)).as_posix()


def _put(tree: Any, raw: Any, path: str, value: JSON) -> None:
    """Set a value at a path of ``raw`` in a tree that will be joined over it: items of lists by name."""
    parts, node, place, section = [p for p in path.split(".") if p], raw, tree, ""
    while len(parts) > 1:
        found = step(node, section, parts) if isinstance(node, dict | list) else None
        key, used = found if found is not None else (parts[0], 1)
        node = node[key] if found is not None else {}
        parts = parts[used:]
        section = str(key)
        if not isinstance(node, list):
            place = place.setdefault(str(key), {})
            continue
        at = step(node, section, parts)
        if at is None or not isinstance(node[at[0]], dict) or not (node[at[0]].get("name") or section == "stages"):
            raise DrivetrainError(
                f"--set {path}: the items of '{section}' have no names, so that the file with the modifications, which includes "
                f"the other, cannot say it; write it into that file first"
            )
        name = item_name(section, node[at[0]], int(at[0]))
        items = place.setdefault(section, [])
        if name not in [item["name"] for item in items]:
            items.append({"name": name})
        place = next(item for item in items if item["name"] == name)
        node, parts, section = node[at[0]], parts[at[1] :], ""
    place[parts[0]] = value


def _lines(tree: Any, indent: str) -> Iterable[str]:
    """A tree as YAML: groups of plain values on one line."""
    for key, value in tree.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{indent}{key}:\n"
            for item in value:
                inner = list(_lines(item, indent + "    "))
                yield f"{indent}  - {inner[0].lstrip()}"
                yield from inner[1:]
        elif isinstance(value, Mapping) and any(isinstance(v, Mapping) for v in value.values()):
            yield f"{indent}{key}:\n"
            yield from _lines(value, indent + "  ")
        else:
            yield f"{indent}{key}: {_flow(value)}\n"


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = str(value)
    return f'"{text}"' if isinstance(value, str) and any(c in text for c in ":#{}[],&*!|>'%@`\"") else text
