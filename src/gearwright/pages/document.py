"""A page: one HTML file that opens from disk, without a network, from typed sections and one layout.

plotly.js once (``assets/plotly.js``, bundled with what pages draw; MIT), styles, and the data of figures and tables, scripts and data
compressed. The page's security policy allows no connection and no script but its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from gearwright._version import __version__
from gearwright.figures.figures import Figure
from gearwright.figures.format import slug
from gearwright.figures.markup import asset, colours, policy, render, templates, unpack
from gearwright.figures.palette import COLOURS
from gearwright.figures.series import Store
from gearwright.figures.tables import Table
from gearwright.parts import whole

from . import viewer
from .blocks import Block, Section, View, every, remark_lists

_ASSETS = Path(__file__).parent / "assets"


@dataclass(frozen=True)
class Page:
    """One page.

    ``title`` names the file in a browser, ``name`` heads navigation and downloads; ``head`` is the first line where it is
    not the title. ``facts`` stand below it, ``first`` is the rest of the first screen, ``remarks`` become the three lists
    of a last section. ``case`` is named below every figure of a page about one run, ``store`` holds its series.
    """

    title: str
    name: str
    sections: Sequence[Section]
    facts: Sequence[str] = ()
    first: Sequence[Block] = ()
    remarks: Sequence[str] = ()
    head: str = ""
    alarm: str = ""
    file: str = ""
    case: str = ""
    store: Store | None = None

    def html(self) -> str:
        """The page as text."""
        said = remark_lists(self.remarks)
        sections = [s for s in self.sections if s.blocks]
        sections += [Section("remarks", "Assumed, notes, warnings", said)] if said else []
        found = list(every([*self.first, *(block for section in sections for block in section.blocks)]))
        scripts = [
            asset(_ASSETS, "plotly.js"),
            asset(_ASSETS, "series.js"),
            asset(_ASSETS, "report.js"),
        ]
        styles = colours() + asset(_ASSETS, "report.css")
        if any(isinstance(block, View) for block in found):
            scripts, styles = [*scripts, viewer.script()], styles + viewer.style()
        still = self.store is None or not len(self.store.times)
        data = {
            "file": slug(self.name),
            "axis": {"start": 0.0, "step": 0.0} if still or self.store is None else self.store.axis(),
            "figures": {block.key: block.spec for block in found if isinstance(block, Figure)},
            "channels": {} if self.store is None else self.store.payload,
            "tables": {slug(block.key): block.record() for block in found if isinstance(block, Table)},
            "colours": COLOURS,
        }
        return str(render(
            _templates(), "layout.html", page=self, sections=sections, data=data, scripts=scripts, styles=styles,
            policy=policy([unpack(), *scripts]), unpack=unpack(), version=__version__, show=lambda blocks: show(blocks, self.case),
        )) + "\n"  # fmt: skip

    def write(self, path: str | Path) -> Path:
        """Write the page so that it is there whole or not at all; its folder is made."""
        return write_page(self.html(), Path(path))


def show(blocks: Iterable[Block], case: str = "") -> Markup:
    """The HTML of some blocks."""
    given = {"case": case, "show": lambda inner: show(inner, case), "view_of": viewer.figure}
    macros = _templates().get_template("blocks.html").make_module(given)
    return Markup("").join(getattr(macros, type(block).__name__.lower())(block) for block in blocks)


def still_page(template: str, **values: Any) -> str:
    """A page without scripts from a template of its own, which has ``show`` for its blocks."""
    return str(render(_templates(), template, show=show, **values)) + "\n"


def write_page(html: str, target: Path) -> Path:
    """Write a page so that it is there whole or not at all; its folder is made."""
    with whole(target) as part:
        part.write_text(html, encoding="utf-8", newline="\n")
    return target


@cache
def _templates() -> Environment:
    return templates(Path(__file__).parent / "templates")
