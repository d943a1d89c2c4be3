"""The words of ``law``: how teeth mesh. One table that the schema, the assembly, the commands and the pages read."""

from __future__ import annotations

from typing import NamedTuple


class LawWord(NamedTuple):
    """A law of meshes as a user chooses it: a phrase for people, fidelities and methods that take it, what it needs of a mesh."""

    help: str
    fidelities: tuple[str, ...]
    methods: tuple[str, ...]
    needs: str


_ELASTIC = ("torsional", "planar", "spatial", "multibody")

#: laws of meshes by their words
LAWS: dict[str, LawWord] = {
    "rigid": LawWord(
        "teeth do not give way",
        ("rigid", "torsional", "multibody"),
        ("explicit",),
        "tooth numbers, or base circles",
    ),
    "linear": LawWord(
        "constant stiffness, its mean over the mesh cycle",
        _ELASTIC,
        ("exact", "exponential", "explicit"),
        "a stiffness",
    ),
    "periodic": LawWord(
        "force over mesh cycle and load, continuous",
        _ELASTIC,
        ("exponential", "explicit"),
        "the true teeth and a stiffness; or tooth numbers, and two levels, a table, harmonics, or a mean with the contact ratio",
    ),
    "two_level": LawWord(
        "stiffness that jumps where pairs enter and leave",
        _ELASTIC,
        ("exact", "exponential", "explicit"),
        "tooth numbers, and two levels, or a mean with the contact ratio",
    ),
    "tooth_contact": LawWord(
        "tooth pairs touch one by one",
        _ELASTIC,
        ("exponential", "explicit"),
        "the true teeth: module, pressure angle, tooth numbers, profile shifts",
    ),
}

#: laws that may differ from stage to stage
BY_MESH = ("linear", "periodic", "two_level")
#: a user's own law: what a mesh needs is what its constructor asks for
OWN = LawWord("your own law, docs/write-a-law.md", _ELASTIC, ("exponential", "explicit"), "what it asks for")


def is_own(word: str) -> bool:
    """Whether a word names a user's own law, ``module:name``."""
    module, _, name = word.partition(":")
    return bool(name) and all(part.isidentifier() for part in (*module.split("."), name))


def laws_at(fidelity: str) -> list[str]:
    """Words of the laws that a fidelity takes."""
    return [word for word, law in LAWS.items() if fidelity in law.fidelities]
