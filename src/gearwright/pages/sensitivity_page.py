"""Page of sensitivities: what moves frequencies, damping and loads, ranked in the paths of the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.analyses.sensitivity import Sensitivity
from gearwright.figures.figures import axis, heatmap, layout, plot
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Section, Words
from .document import Page

#: numbers and rows that a picture shows
_NUMBERS, _ROWS = 24, 16


def write_sensitivity_page(found: Sensitivity, path: str | Path) -> Path:
    """Write the page of a :class:`gearwright.analyses.sensitivity.Sensitivity`."""
    modes = [f"{n}: {f:.4g} Hz" for n, f in zip(found.modes, found.frequencies_hz, strict=True)]
    sections = [
        Section("frequencies", "Natural frequencies", _part(found, "frequency", "frequency", modes, found.frequency)),
        Section("damping", "Damping", _part(found, "damping", "damping ratio", modes, found.damping)),
    ]
    if found.loads:
        sections.append(Section("loads", "Static loads", _part(found, "load", "load", list(found.loads), found.load)))
    if found.spectral is not None:
        s = found.spectral
        more = Words(
            f"A random torque on {s.shaking.body}: standard deviation {1e-3 * s.shaking.deviation:.4g} kN m, one-sided density "
            f"falling off from {s.shaking.corner:.4g} Hz; narrow-band equivalent load with exponent {s.shaking.exponent:g}.",
            "note",
        )
        title = "Equivalent loads under a random torque"
        sections.append(
            Section(
                "spectral", title, [more, *_part(found, "spectral", "equivalent load", list(s.channels), s.equivalent)]
            )
        )
    facts = [f"{len(found.numbers)} numbers of the file", f"fidelity {found.fidelity}, law {found.law}"]
    head = f"What moves {found.name}"
    return Page(f"{found.name}, sensitivities", found.name, sections, facts, head=head, remarks=found.remarks).write(
        path
    )


def _part(found: Sensitivity, key: str, what: str, names: Sequence[str], values: Any) -> list[Block]:
    """Picture and ranking of one quantity."""
    some = found.strongest(values, _NUMBERS)
    if not some:
        return [
            Words(f"No number of the file moves any {what} by more than a thousandth of its own change.", "missing")
        ]
    size = np.nan_to_num(np.abs(values)).max(axis=1)
    rows = sorted(np.argsort(-size, kind="stable")[:_ROWS].tolist())
    paths = [found.numbers[j] for j in some]
    shades = np.nan_to_num(np.asarray(values, float))[np.ix_(rows, some)]
    top = float(np.abs(shades).max())
    trace = heatmap(
        [names[i] for i in rows],
        paths,
        shades.T.tolist(),
        "",
        colorscale="RdBu",
        zmin=-top,
        zmax=top,
        colorbar={
            "orientation": "h",
            "y": 1.0,
            "yanchor": "bottom",
            "thickness": 12,
            "title": {"text": "% per %", "side": "top"},
        },
    )
    small = {"size": 10}
    drawn = layout(
        axis("", automargin=True, tickfont=small),
        axis("", automargin=True, autorange="reversed", tickfont=small),
        220 + 20 * len(paths),
    )
    i, j = np.unravel_index(int(np.abs(shades).argmax()), shades.shape)
    sentence = f"{paths[j]} moves the {what} of {names[rows[i]]} most: by {shades[i, j]:.3g} % per percent."
    left = len(found.strongest(values, len(found.numbers))) - len(some)
    note = f"{left} further numbers have less influence." if left > 0 else ""
    table = [
        [names[i] if k == 0 else "", number, _value(found, number), change]
        for i in range(len(names))
        for k, (number, change) in enumerate(found.ranked(values[i])[:6])
    ]
    columns = [*words("Of", "Number", "In the file"), *numbers("Change % per %")]
    return [plot(f"{key}-map", sentence, [trace], drawn, note), Table(f"{key}-ranking", "Ranking", columns, table)]


def _value(found: Sensitivity, number: str) -> str:
    return found.values[list(found.numbers).index(number)]
