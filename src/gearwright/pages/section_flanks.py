"""What the teeth of meshes did in a run beside carrying on one side, and dynamic factors beside those of the standard."""

from __future__ import annotations

import math

from gearwright.analyses.life import drivetrain_of
from gearwright.errors import GearwrightError
from gearwright.figures.book import Book
from gearwright.figures.tables import Table, numbers, words
from gearwright.rating.dynamic_beside import DIFFERENCE, dynamic_beside
from gearwright.schema.life import Life
from gearwright.train.expand import expand

from .blocks import Block

#: what flanks do, by the word of the file: in words, and what the worst of it is
_SAID = {
    "pulls": ("flanks that cannot part pull", "force [N]"),
    "wedges": ("both flanks of a tooth carry", "lesser force [N]"),
    "lifts_off": ("no flank carries", "longest time [s]"),
    "bottoms": ("tips touch the roots of their mates", "depth [m]"),
}


def flanks(book: Book) -> list[Block]:
    """Dynamic factors beside method B, and what flanks did; nothing of a run whose law has neither."""
    return [*_dynamics(book), *_counted(book)]


def _counted(book: Book) -> list[Block]:
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


def _dynamics(book: Book) -> list[Block]:
    """Largest over mean force of every mesh beside K_v of ISO 6336-1, method B."""
    run = book.run
    try:
        drivetrain = drivetrain_of(run.path, run.attributes)
        life = drivetrain.raw.get("life")
        found = dynamic_beside(run.result, expand(drivetrain), Life.model_validate(life) if life else None)
    except (GearwrightError, ValueError):
        return []  # of an older version, or a mechanism
    rows = [
        [
            one.mesh,
            *(
                math.nan if value is None else value
                for value in (one.simulated, one.by_b, one.without_relief, one.alone, one.resonance_ratio)
            ),
            f"grade {one.grade:g}{' (assumed)' if one.assumed else ''}, {one.region}"
            if not one.why
            else f"method B lacks {one.why}",
        ]
        for one in found
    ]
    if not rows:
        return []
    columns = [
        *words("Mesh"),
        *numbers("Simulated", "K_v, method B", "K_v, no relief", "K_v, no relief, one planet", "N"),
        *words("By"),
    ]
    return [Table("dynamics", "Dynamic factors, simulated and by ISO 6336-1", columns, rows, note=DIFFERENCE)]
