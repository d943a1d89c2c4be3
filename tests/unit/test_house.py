"""The counts of the house do not grow; and what counts them finds what was put into a small package for it."""

import pytest

from tests import house

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
