"""Names that version 0.1.0 gave to channels, read for one version as what they are now, with a note."""

from __future__ import annotations

import re
from collections.abc import Collection, Container

from gearwright.progress import tell

#: the force of a mesh that does work along the transverse line of action was called as the one normal to the tooth, which is
#: larger by 1/cos(base helix angle)
_WORD = re.compile(r"(?<![A-Za-z_])normal_force(?![A-Za-z])")
NOTE = "the channel normal_force of a mesh is now called force: it is the force along the transverse line of action"
_OLD = "mesh_normal_force"
_VARIABLE = re.compile(rf"{_OLD}(_|$)")
_said: set[str] = set()


def present(name: str) -> str:
    """A name of a channel, or a pattern of such names, in the words of this version."""
    return _WORD.sub("force", name)


def present_variables(names: Collection[str]) -> dict[str, str]:
    """Variables of a result file by what they are called in this version: ``mesh_force_del`` may be ``mesh_normal_force_del``.

    What a mechanism calls the normal force of teeth is that one, and stays; it has a tangential one beside it.
    """
    kept = "mesh_force" in names or "mesh_tangential_force" in names
    return {name if kept or not _VARIABLE.match(name) else f"mesh_force{name[len(_OLD) :]}": name for name in names}


def known_channel(name: str, known: Container[str]) -> str:
    """The name itself, or its present form where only that is known, which is said once."""
    if name in known or present(name) not in known:
        return name
    if name not in _said:
        _said.add(name)
        tell(NOTE)
    return present(name)
