"""Where the values of a file stand: mappings and lists that know file and line of what they hold, includes joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

#: a value of JSON or YAML: of a file that people write, of what goes to a browser
JSON: TypeAlias = "str | int | float | bool | None | Mapping[str, JSON] | Sequence[JSON]"
#: values by path, as a grid, a study or a group of runs has them
Values = Mapping[str, JSON]


def group(node: JSON) -> dict[str, JSON]:
    """A mapping of a file; an empty one where something else stands, which reading the file refuses."""
    return node if isinstance(node, dict) else {}


def groups(node: JSON) -> list[dict[str, JSON]]:
    """The mappings of a list of a file, such as its cases; none of what is no list."""
    return [group(item) for item in node] if isinstance(node, list) else []


class Place(NamedTuple):
    """A file and a line (from 1) of it."""

    file: Path | None
    line: int | None


class WrittenMap(dict[Any, Any]):
    """A mapping of a file and the places of its keys."""

    def __init__(self, *items: Any, places: dict[Any, Place] | None = None):
        super().__init__(*items)
        self.places = dict(places or {})


class WrittenList(list[Any]):
    """A list of a file and the places of its items."""

    def __init__(self, items: Any = (), places: list[Place] | None = None):
        super().__init__(items)
        self.places = list(places or [])


def place_of(node: Any, key: Any) -> Place | None:
    """Where a key or an item stands; None where that is not known."""
    places = getattr(node, "places", None)
    if isinstance(places, dict):
        return places.get(key)
    if isinstance(places, list):
        return places[key] if isinstance(key, int) and 0 <= key < len(places) else None
    line = _line(node, key)
    return None if line is None else Place(None, line)


def _line(node: Any, key: Any) -> int | None:
    """Line of a key or item of what the YAML reader made."""
    lc = getattr(node, "lc", None)
    try:
        return int((lc.key(key) if isinstance(node, dict) else lc.item(key))[0]) + 1  # type: ignore[union-attr]
    except (AttributeError, KeyError, TypeError, IndexError):
        return None


def written(node: Any, file: Path | None) -> Any:
    """What the YAML reader made of a file, with the place of everything."""
    if isinstance(node, dict):
        items = {key: written(item, file) for key, item in node.items()}
        return WrittenMap(items, places={key: Place(file, _line(node, key)) for key in node})
    if isinstance(node, list):
        return WrittenList(
            [written(item, file) for item in node], [Place(file, _line(node, i)) for i in range(len(node))]
        )
    return node


def joined_places(base: Any, top: Any) -> dict[Any, Place]:
    """Places of the keys of two mappings that are joined; those of ``top`` win."""
    return {**getattr(base, "places", {}), **getattr(top, "places", {})}


#: keys that name files, with the section that holds them: a path is relative to the file that says it
_PATHS = {
    ("file", "path"),
    ("file", "mapping"),
    ("compare", "path"),
    ("wind", "path"),
    ("wind", "paths"),
    ("turbine", "deck"),
    ("turbine", "data"),
    ("rotor", "table"),
    ("controller", "library"),
    ("controller", "input"),
    ("controller", "file"),
    ("reduced_bodies", "matrices"),
}


def with_paths_of(node: Any, folder: Path, section: str = "") -> Any:
    """A mapping of a file in another folder, in place: names of files beside it become whole paths."""
    if isinstance(node, dict):
        for key, item in node.items():
            within, _, last = str(key).rpartition(".")  # paths of a campaign's grid
            if (within.rpartition(".")[2] or section, last) in _PATHS and not isinstance(item, dict):
                node[key] = [_whole(x, folder) for x in item] if isinstance(item, list) else _whole(item, folder)
            else:
                with_paths_of(item, folder, last)
    elif isinstance(node, list):
        for item in node:
            with_paths_of(item, folder, section)
    return node


def _whole(name: Any, folder: Path) -> Any:
    if not isinstance(name, str) or not name.strip() or Path(name).expanduser().is_absolute() or name.startswith("~"):
        return name
    found = folder / name
    # a word may be the name of something that is shipped
    return str(found.resolve()) if "/" in name or "." in name or found.exists() else name
