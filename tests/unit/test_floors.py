"""The floors of the house: a room imports only from the floors below it, and no import goes round in a circle.

The table of ``docs/design.md`` is the rule. Imports are read from the sources, those inside functions and those for type
checking too.
"""

import importlib
import re

import gearwright as gw
from tests.house import ROOT, circles, imported, sources

DESIGN = ROOT.parents[1] / "docs" / "design.md"
MODULES = sources()


def floors() -> dict[str, int]:
    """Floor of every room by the table of the design page, the lowest is 0."""
    text = DESIGN.read_text(encoding="utf-8").partition("<!-- floors -->")[2].partition("<!-- end of floors -->")[0]
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in text.splitlines() if line.startswith("| `")]
    return {room: len(rows) - 1 - i for i, row in enumerate(rows) for room in row}


def room(module: str) -> str:
    """Room of a module: its folder, or its name at the root; the package's face is ``gearwright``."""
    return module.split(".")[0] or "gearwright"


def test_every_room_stands_on_one_floor():
    assert set(floors()) == {room(module) for module in MODULES}


def test_a_room_imports_only_from_the_floors_below():
    floor = floors()
    found = {
        (room(a), room(b))
        for a in MODULES
        for b in imported(a)
        if room(a) != room(b) and floor[room(b)] >= floor[room(a)]
    }
    assert not found, f"rooms that import upwards: {sorted(found)}"


def test_no_import_goes_round_in_a_circle():
    assert not circles()


def test_no_module_takes_the_name_of_a_public_function():
    """A module under the package becomes its attribute when it is imported: whatever is imported, public names stay what they are."""
    before = {name: getattr(gw, name) for name in gw.__all__}
    for module in MODULES:
        if module and not module.endswith("__main__"):
            importlib.import_module(f"gearwright.{module}")
    assert {name: getattr(gw, name) for name in gw.__all__} == before
