"""What the flanks of meshes did in a run beside carrying on one side, and dynamic factors beside those of the standard."""

from __future__ import annotations

from gearwright.figures.book import Book
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block

#: what flanks do, by the word of the file: in words, and what the worst of it is
_SAID = {
    "pulls": ("flanks that cannot part pull", "force [N]"),
    "wedges": ("both flanks of a tooth carry", "lesser force [N]"),
    "lifts_off": ("no flank carries", "longest time [s]"),
}


def flanks(book: Book) -> list[Block]:
    """The section; nothing where every mesh carried on one side."""
    found = book.run.json("flanks_json")
    if not isinstance(found, dict) or not found:
        return []
    rows = [
        [
            mesh,
            _SAID[word][0],
            100.0 * one["share"],
            one["time_s"],
            one["events"],
            _SAID[word][1],
            one["worst"],
            one["at_s"],
        ]
        for mesh, kinds in found.items()
        for word, one in kinds.items()
        if word in _SAID
    ]
    columns = [
        *words("Mesh", "What"),
        *numbers("Share of the time [%]", "Time [s]", "Times"),
        *words("Worst"),
        *numbers("Value", "From [s]"),
    ]
    note = "Counted at every sample after what is discarded."
    return [Table("flanks", "What flanks did beside carrying on one side", columns, rows, note=note)]


__all__ = ["flanks"]
