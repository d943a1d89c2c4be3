"""What the sections share: the book of figures and tables, names of quantities, the sentence for what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gearwright.remarks import sorted_remarks

from .figures import Figure, Gallery
from .format import slug, text, words
from .reading import Run
from .tables import Table

TITLES = {
    "mesh": "Tooth meshes",
    "bearing": "Bearings",
    "shaft": "Shafts",
    "machine": "Machines",
    "body": "Bodies",
}
NAMES = {
    ("mesh", "normal_force"): "Tooth force",
    ("mesh", "drive_force"): "Tooth force, drive flank",
    ("mesh", "coast_force"): "Tooth force, coast flank",
    ("mesh", "torque_first"): "Torque of the teeth on wheel 1",
    ("mesh", "torque_second"): "Torque of the teeth on wheel 2",
    ("mesh", "contact_pressure"): "Contact pressure of teeth",
    ("bearing", "force"): "Bearing force",
    ("shaft", "torque"): "Shaft torque",
    ("machine", "torque"): "Machine torque",
    ("machine", "power"): "Machine power",
    ("machine", "speed"): "Machine speed",
    ("body", "speed"): "Speed",
}
#: What the page draws over time, in order; a load's first quantity that the file holds stands for it.
SERIES = (
    ("mesh", ("normal_force", "drive_force")),
    ("mesh", ("coast_force",)),
    ("mesh", ("torque_first",)),
    ("mesh", ("torque_second",)),
    ("mesh", ("contact_pressure",)),
    ("bearing", ("force",)),
    ("bearing", ("force_y",)),
    ("bearing", ("force_z",)),
    ("shaft", ("torque",)),
    ("machine", ("torque",)),
    ("machine", ("power",)),
    ("machine", ("speed",)),
    ("body", ("speed",)),
)


@dataclass
class Book:
    """What the page is made of besides its text."""

    run: Run
    gallery: Gallery
    case: str
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    k_gamma: dict[str, float] = field(default_factory=dict)
    #: of :func:`gearwright.cases.life.life_of`, or why there are none
    ratings: Mapping[str, Any] | str | None = None
    animated: bool = False

    def table(self, table: Table) -> str:
        """HTML of a table; its data are kept for download."""
        self.tables[slug(table.key)] = table.record()
        return table.html()

    def figure(self, figure: Figure | None) -> str:
        """HTML of a figure's place, sentence first, small print below; nothing for None."""
        if figure is None:
            return ""
        self.gallery.add(figure)
        height = figure.spec.get("layout", {}).get("height", 340)
        note = f"{figure.note} " if figure.note else ""
        return (
            f'<figure class="plot" id="figure-{slug(figure.key)}"><figcaption>{text(figure.sentence)}</figcaption>'
            f'<div class="chart" data-figure="{text(figure.key)}" role="img" aria-label="{text(figure.sentence)}" '
            f'style="height:{int(height)}px"></div>'
            f'<p class="note">{text(note)}Load case {text(self.case)}.</p></figure>'
        )


def remark_lists(remarks: Iterable[str]) -> str:
    """What was assumed, notes and warnings as three lists under their heads, each sentence once; nothing for none."""
    html = ""
    for kind, found in sorted_remarks(remarks).items():
        if found:
            items = "".join(f"<li>{text(sentence)}</li>" for sentence in found)
            html += f'<div class="{kind}"><h3>{kind.capitalize()}</h3><ul>{items}</ul></div>'
    return html


def missing(what: str) -> str:
    """A sentence in the place of something that the result does not hold."""
    return f'<p class="missing">{text(what)}</p>'


def title_of(kind: str, name: str) -> str:
    """``Bearing force y`` for a bearing's ``force_y``."""
    return NAMES.get((kind, name), f"{kind.capitalize()} {words(name)}")
