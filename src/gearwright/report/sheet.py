"""Figures and tables of a page that is not about one run: a campaign, a study, a comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .figures import Figure
from .format import slug, text
from .tables import Table


@dataclass
class Sheet:
    """Collects what :func:`gearwright.report.page.document` needs besides the text."""

    figures: dict[str, Figure] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)

    def table(self, table: Table) -> str:
        """HTML of a table; its data are kept for download."""
        self.tables[slug(table.key)] = table.record()
        return table.html()

    def figure(self, figure: Figure) -> str:
        """HTML of a figure's place, sentence first, small print below."""
        self.figures[figure.key] = figure
        height = figure.spec.get("layout", {}).get("height", 340)
        note = f'<p class="note">{text(figure.note)}</p>' if figure.note else ""
        return (
            f'<figure class="plot" id="figure-{slug(figure.key)}"><figcaption>{text(figure.sentence)}</figcaption>'
            f'<div class="chart" data-figure="{text(figure.key)}" role="img" aria-label="{text(figure.sentence)}" '
            f'style="height:{int(height)}px"></div>{note}</figure>'
        )


def heading(title: str, facts: list[str], html: str = "") -> str:
    """First screen of such a page."""
    lines = "".join(f"<span>{text(fact)}</span>" for fact in facts)
    return f'<header id="top"><h1>{text(title)}</h1><p class="facts-line">{lines}</p>{html}</header>'
