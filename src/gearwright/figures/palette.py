"""One colour a body, in every picture; a lighter sister for dark pages. Checked: 3:1 for lines on both pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gearwright.train.train import Train

#: token -> (on a light page, on a dark page)
COLOURS: dict[str, tuple[str, str]] = {
    "sun": ("#c27c00", "#e8a32c"),
    "planet1": ("#0f8b8d", "#2bb3b5"),
    "planet2": ("#0a5f66", "#7ad6d2"),
    "planet3": ("#2f9c97", "#178285"),
    "ring": ("#4a5a6a", "#8fa3b7"),
    "carrier": ("#7b5ea7", "#a58bd0"),
    "wheel": ("#2f6db5", "#5b97dd"),
    "pinion": ("#d1603d", "#e5805f"),
    "shaft": ("#757b85", "#9aa1ab"),
    "bearing": ("#5a8f3c", "#7db45c"),
    "machine": ("#b23a48", "#e0697a"),
    "rotor": ("#23395b", "#8aa6d6"),
    "body": ("#757b85", "#9aa1ab"),
    "ink": ("#1b2330", "#e8ebef"),
    "muted": ("#59626e", "#a3adb8"),
    "grid": ("#e3e6ea", "#2b323b"),
    "paper": ("#ffffff", "#14181d"),
}

#: Fills of the scheme keep the house colour itself where a line needs the darker one.
FILL_SUN = "#d98e04"

#: Line styles repeat what the shades of one family say.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def planet_token(index: int) -> str:
    """Planets 1, 2, 3, ... in three shades."""
    return f"planet{(index - 1) % 3 + 1}"


def colour_token(kind: str, element: str, train: Train | None = None) -> str:
    """The colour of a channel: that of the body whose load it is, found by name and, where known, by the train."""
    tail = element.rsplit(".", 1)[-1]
    if kind == "shaft":
        return _shaft_token(element, train)
    if kind == "machine":
        body = None if train is None else train.bodies.get(element)
        return body.role if body is not None and body.role in COLOURS else "machine"
    for pattern, token in (
        (r"^ring_planet", "ring"),
        (r"^sun_planet", "sun"),
        (r"^(ring|carrier|sun|wheel|pinion|rotor)", ""),
    ):
        if found := re.match(pattern, tail):
            return token or found.group(1)
    if found := re.match(r"^planet(\d+)", tail):
        return planet_token(int(found.group(1)))
    if kind == "mesh":
        return "wheel"
    if train is not None:
        body = train.bodies.get(train.alias.get(element, element))
        if body is not None and body.role in COLOURS:
            return body.role
        if element in train.machines:
            return "machine"
    return "bearing" if kind == "bearing" else "body"


def _shaft_token(element: str, train: Train | None) -> str:
    shaft = None if train is None else train.shafts.get(element)
    if train is None or shaft is None:
        return "shaft"
    roles = [train.bodies[name].role for name in shaft.between if name in train.bodies]
    if "rotor" in roles:
        return "rotor"
    return "machine" if "machine" in roles else "shaft"
