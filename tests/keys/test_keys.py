"""C54: every documented key of a drivetrain file does something: another value changes the assembled system, what a run counts, or
what it tells or refuses. A key that is taken and left in silence is a fault.

Not walked here: sections of mechanisms (joints, gears), turbines, rolling bearings, reduced bodies, electrical machines and life, which
have tests of their own.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pydantic import BaseModel

from gearwright.schema.read import from_mapping

from .bases import WAYS
from .observe import observations
from .values import BESIDE, TOLD, VALUES
from .walk import automatic, changed, sections

#: refusals of a value of the wrong shape, which say nothing of the key: mistakes of this test's table
MALFORMED = ("is wanted here", "does not start with a number", "is not a known unit")


def _name(section: Any) -> str:
    return type(section).__name__.split("_of_")[0]


def _values(section: str, key: str, now: Any) -> list[Any]:
    for place in (f"{section}.{key}", key):
        if place in VALUES:
            return VALUES[place]
    return automatic(now)


class Walk:
    """Which keys were seen to do something, and which were not."""

    def __init__(self) -> None:
        self.works: set[str] = set()
        self.silent: dict[str, str] = {}
        self.untried: set[str] = set()
        self.malformed: list[str] = []

    def base(self, raw: dict[str, Any], ways: tuple[Any, ...]) -> None:
        raw = copy.deepcopy(raw)
        raw.setdefault("materials", {}).update(BESIDE["materials"])
        d = from_mapping(raw)
        before = {way: next(observations(d, "c", (way,))) for way in ways}
        for path, section in sections(d):
            if path[:2] == ("materials", "iron"):
                continue
            for field, facts in type(section).model_fields.items():
                key = facts.alias or field
                named = f"{_name(section)}.{key}"
                if named in self.works or key in TOLD or named in TOLD:
                    continue
                values = [
                    v for v in _values(_name(section), key, getattr(section, field)) if v != getattr(section, field)
                ]
                if not values and not isinstance(getattr(section, field), BaseModel):  # a section is walked key by key
                    self.untried.add(named)
                for value in values:
                    self._try(raw, path, key, named, value, before)

    def _try(
        self, raw: dict[str, Any], path: tuple[Any, ...], key: str, named: str, value: Any, before: dict[Any, str]
    ) -> None:
        made = changed(raw, path, key, value)
        if made is None or named in self.works:
            return
        try:
            d = from_mapping(made)
        except ValueError as error:
            if any(word in str(error) for word in MALFORMED):
                self.malformed.append(f"{named} = {value}: {error}")
            self.works.add(named)
            return
        for way, old in before.items():
            if next(observations(d, "c", (way,))) != old:
                self.works.add(named)
                self.silent.pop(named, None)
                return
        self.silent[named] = f"{'.'.join(map(str, path))}.{key} = {value}"


@pytest.fixture(scope="module")
def walk() -> Walk:
    made = Walk()
    for raw, ways in WAYS.values():
        made.base(raw, ways)
    return made


def test_no_key_is_taken_in_silence(walk: Walk) -> None:
    silent = [v for k, v in walk.silent.items() if k not in walk.works]
    assert not silent, "\n".join(["keys without effect:", *silent])


def test_every_key_is_tried(walk: Walk) -> None:
    assert not walk.malformed, "\n".join(walk.malformed)
    assert not walk.untried - walk.works, "\n".join(sorted(walk.untried - walk.works))
    assert len(walk.works) > 200
