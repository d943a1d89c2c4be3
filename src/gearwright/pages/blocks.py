"""What the sections of a page are made of: frozen data, each with a macro of its name in ``templates/blocks.html``.

Sections hold no HTML. Figures and tables are blocks too; a page finds them wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from gearwright.figures.figures import Figure
from gearwright.figures.tables import Table
from gearwright.remarks import gathered, sorted_remarks

from .viewer.records import Scene


@dataclass(frozen=True)
class Words:
    """A paragraph; ``style`` is its class: ``missing``, ``note``, ``small`` or none."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Heading:
    """A head inside a section."""

    text: str


@dataclass(frozen=True)
class Listing:
    """Sentences as a list, under a lead or a head where given; ``style`` is the class of the whole."""

    items: Sequence[str]
    lead: str = ""
    head: str = ""
    style: str = ""


@dataclass(frozen=True)
class Facts:
    """Names and values, both plain text."""

    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Links:
    """Pages beside this one: name, file, what it holds; plain text."""

    items: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class Fold:
    """Blocks behind a summary."""

    summary: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Source:
    """A text as it is, behind a summary."""

    summary: str
    text: str


@dataclass(frozen=True)
class Beside:
    """Blocks side by side where there is room."""

    blocks: Sequence[Block]


@dataclass(frozen=True)
class Drawing:
    """A picture in SVG; with ``sentence`` and ``note`` it is a figure. ``style`` is the class of what it stands in."""

    svg: Markup
    sentence: str = ""
    note: str = ""
    style: str = ""


@dataclass(frozen=True)
class Tools:
    """Buttons that zoom all figures over the time of a run."""

    group: str = "time"


@dataclass(frozen=True)
class View:
    """The three-dimensional view of a scene (:mod:`gearwright.pages.viewer`)."""

    scene: Scene


@dataclass(frozen=True)
class TitleBlock:
    """Names and values of a title block; what is None is marked as not given."""

    pairs: Sequence[tuple[str, str | None]]


@dataclass(frozen=True)
class Verdict:
    """The verdict of a page: a tag, one sentence, what else is to be known; ``fails`` where a requirement is not met."""

    tag: str
    text: str
    detail: str
    fails: bool


@dataclass(frozen=True)
class Card:
    """A figure that matters: a link to its section."""

    label: str
    value: str
    detail: str
    section: str


@dataclass(frozen=True)
class Cards:
    """The figures of a first screen."""

    cards: Sequence[Card]


Block = (
    Words
    | Heading
    | Listing
    | Facts
    | Links
    | Fold
    | Source
    | Beside
    | Drawing
    | Tools
    | View
    | TitleBlock
    | Verdict
    | Cards
    | Figure
    | Table
)


@dataclass(frozen=True)
class Section:
    """A part of a page: id, head, content."""

    key: str
    title: str
    blocks: Sequence[Block]


def missing(what: str) -> Words:
    """A sentence in the place of something that there is not."""
    return Words(what, "missing")


def remark_lists(remarks: Iterable[str]) -> list[Block]:
    """What was assumed, notes and warnings as three lists under their heads, each sentence once; none for none."""
    return [
        Listing(gathered(found), head=kind.capitalize(), style=kind)
        for kind, found in sorted_remarks(remarks).items()
        if found
    ]


def every(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks and those inside them."""
    for block in blocks:
        yield block
        if isinstance(block, Fold | Beside):
            yield from every(block.blocks)


def there(*blocks: Block | None) -> list[Block]:
    """Those that there are."""
    return [block for block in blocks if block is not None]
