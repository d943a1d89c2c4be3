"""The page of an envelope spectrum."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gearwright.analyses.envelope import EnvelopeAnalysis
from gearwright.figures.figures import layout, line, plot
from gearwright.figures.tables import Column, Table, numbers, words
from gearwright.schema.places import JSON

from .blocks import Section
from .document import Page


def write_envelope_page(found: EnvelopeAnalysis, path: Path) -> Path:
    """Series with its envelope, pulses and passing elements, and the envelope spectrum, as one page."""

    title = f"Envelope of {found.channel}"
    best = found.combs[0] if found.found else None
    pulses = found.pulses
    window = found.time < found.time[0] + max(12.0 / max(pulses.per_second, 1.0), 0.05)
    t, top = found.time[window], float(np.max(found.envelope[window]))
    shown = pulses.times < t[-1]
    traces = [
        line(found.channel, t, found.series[window], width=1),
        line("envelope", t, found.envelope[window]),
        line("pulses", pulses.times[shown], pulses.heights[shown], mode="markers"),
    ]
    for name, instants in found.passes.items():
        at = instants[(instants >= t[0]) & (instants <= t[-1])]
        marker = {"symbol": "triangle-up", "size": 9}
        traces.append(
            line(f"elements pass the defect of {name}", at, np.full(len(at), -top), mode="markers", marker=marker)
        )
    what = f"{pulses.per_second:.4g} pulses per second"
    sentence = f"{what}; the start of the record with its envelope"
    first = plot("series", sentence, [_plain(x) for x in traces], layout("time in s", found.unit, 380))
    limit = min(10.0 * (best.frequency_hz if best else 100.0), float(found.frequency[-1]))
    low = (found.frequency > 0.0) & (found.frequency <= limit)
    lines = [line("envelope spectrum", found.frequency[low], found.amplitude[low])]
    if best is not None:
        n = np.arange(1, len(best.amplitudes) + 1)
        lines.append(line(best.name, n * best.frequency_hz, best.amplitudes, mode="markers"))
    said = found.verdict
    said = said[0].upper() + said[1:]
    drawn = layout("frequency in Hz", found.unit, 380)
    second = plot("spectrum", said, [_plain(x) for x in lines], drawn, found.method)
    rows = [[c.name, c.nominal_hz, c.frequency_hz, c.strength, c.level, c.what] for c in found.combs]
    columns = [
        *words("name"),
        *numbers("nominal [Hz]", "in the record [Hz]", "strength"),
        Column("level", found.unit),
        *words("what"),
    ]
    head = "Combs in the envelope spectrum; strength: over the median of their range"
    sections = [
        Section("series-of-time", "Over time", [first]),
        Section("envelope-spectrum", "Envelope spectrum", [second]),
        Section("combs-found", "Combs", [Table("combs", head, columns, rows, governing=0 if best else None)]),
    ]
    facts = [said, what, f"root mean square {found.root_mean_square:.4g} {found.unit}", found.method]
    return Page(title, title, sections, facts).write(path)


def _plain(trace: dict[str, JSON]) -> dict[str, JSON]:
    """Arrays of a trace as lists of a few digits."""
    return {k: [float(f"{x:.6g}") for x in v] if isinstance(v, np.ndarray) else v for k, v in trace.items()}
