"""The floors and counts of the house.

A room imports only from the floors below it, and no import goes round in a circle: the table of ``docs/design.md`` is the rule.
Imports are read from the sources, those inside functions and those for type checking too. No count grows; and what counts them finds
what was put into a small package for it. One file, so that one process reads the sources.
"""

import importlib
import re

import pytest

import gearwright as gw
from tests import house
from tests.house import circles, imported, sources

DESIGN = house.ROOT.parents[1] / "docs" / "design.md"

MODULES = {
    "__init__.py": "",
    "errors.py": "class GearwrightError(Exception):\n    pass\n\n\nclass FileError(GearwrightError, ValueError):\n    pass\n",
    "a.py": """from __future__ import annotations
from collections.abc import Mapping
from importlib import import_module
from typing import Any
from .room import b
Facts = dict[str, Any]


class Alone(ValueError):
    pass


class Below(Alone):
    pass


def read(given: Mapping[str, object], more: list[Facts] | None = None, fine: dict[str, float] = {}) -> "dict[str, Any]":
    from .errors import FileError
    import gearwright.errors
    import numpy
    return import_module("gearwright.room.b")
""",
    "room/__init__.py": "",
    "room/b.py": """import numba
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from gearwright.a import read
# fmt: off
x = {"teeth" : 17}
y = 1
# fmt: on
z =  2  # fmt: skip
numba.core.dispatcher


def long(tooth, stiffness, dip_depth):
"""
    + 80 * "    tooth = stiffness if tooth and dip_depth else 1\n"
    + '''

def short(tooth):
    """The stiffness is only told."""
    def inside():
        return tooth
    return inside
''',
}

FOUND = {
    "circles of modules": 1, "imports of ours inside functions": 3, "dict[str, Any] in annotations": 3, "private parts of numba": 1,
    "functions above 80 lines": 1, "functions of more than 30 branches": 1, "fmt: skip": 4,
    "error classes without the common base": 2, "files that a mesh stiffness passes": 1, "files that a tooth count passes": 1,
    "files that a voltage sag passes": 1,
}  # fmt: skip


def floors() -> dict[str, int]:
    """Floor of every room by the table of the design page, the lowest is 0."""
    text = DESIGN.read_text(encoding="utf-8").partition("<!-- floors -->")[2].partition("<!-- end of floors -->")[0]
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in text.splitlines() if line.startswith("| `")]
    return {room: len(rows) - 1 - i for i, row in enumerate(rows) for room in row}


def room(module: str) -> str:
    """Room of a module: its folder, or its name at the root; the package's face is ``gearwright``."""
    return module.split(".")[0] or "gearwright"


def test_every_room_stands_on_one_floor():
    assert set(floors()) == {room(module) for module in sources()}


def test_a_room_imports_only_from_the_floors_below():
    floor = floors()
    found = {
        (room(a), room(b))
        for a in sources()
        for b in imported(a)
        if room(a) != room(b) and floor[room(b)] >= floor[room(a)]
    }
    assert not found, f"rooms that import upwards: {sorted(found)}"


def test_no_import_goes_round_in_a_circle():
    assert not circles()


def test_no_module_takes_the_name_of_a_public_function():
    """A module under the package becomes its attribute when it is imported: whatever is imported, public names stay what they are."""
    before = {name: getattr(gw, name) for name in gw.__all__}
    for module in sources():
        if module and not module.endswith("__main__"):
            importlib.import_module(f"gearwright.{module}")
    assert {name: getattr(gw, name) for name in gw.__all__} == before


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of the modules above in place of ours."""
    root = tmp_path / "gearwright"
    for name, text in MODULES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setattr(house, "ROOT", root)


@pytest.mark.parametrize("name", house.ROWS)
def test_no_count_grows(name):
    row = house.ROWS[name]
    found = list(row.find())
    assert len(found) <= row.limit, (
        f"{name}: {len(found)} where {row.limit} were; python -m tests.house --list shows them"
    )


def test_the_counters_find_what_is_there(package):
    assert {name: len(list(house.ROWS[name].find())) for name in FOUND} == FOUND
    assert len(list(house.lines())) == sum(text.count("\n") for text in MODULES.values())
    assert house.circles() == [["a", "room.b"]]
