"""The page of ``gearwright whirl``: frequencies and decrements over speed, critical speeds, their map, responses and orbits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from gearwright.analyses.whirl import CriticalSpeedMap, ForcedResponse, Whirl
from gearwright.figures.figures import Figure, Trace, axis, layout, line, plot
from gearwright.figures.format import number, slug
from gearwright.figures.palette import DASHES
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Heading, Section, Words, missing
from .document import Page

#: colour and symbol of every sense of whirl
LOOK = {
    "forward": ("wheel", "triangle-up"), "backward": ("pinion", "triangle-down"), "mixed": ("carrier", "diamond"),
    "straight": ("muted", "line-ew-open"), "torsional": ("bearing", "circle"), "axial": ("ring", "square"),
}
HUES = ("wheel", "sun", "planet1", "carrier", "pinion", "bearing", "machine", "ring")
#: rows of the table of critical speeds, figures of responses
MOST_ROWS, MOST_RESPONSES = 40, 8


def whirl_page(found: Whirl, path: str | Path) -> Path:
    """Write the page of a :class:`gearwright.analyses.whirl.Whirl`."""
    sections = [
        Section("campbell", "Whirl over speed", [_campbell(found), _decrements(found)]),
        Section("critical", "Critical speeds", [_critical(found), *[_map(found, one) for one in found.maps]]),
        Section("unbalance", "Unbalance", list(_responses(found, found.unbalance, "No body has an unbalance."))),
        Section("mesh", "Mesh excitation", list(_responses(found, found.mesh, "No mesh has a transmission error."))),
        Section("modes", "Modes", [_modes(found)]),
    ]
    facts = ["fidelity spatial, law linear, gyroscopic moments"]
    if found.operating_rpm is not None:
        facts.append(f"operating speed {number(found.operating_rpm)} rpm")
    title = f"Whirl of {found.name}"
    return Page(title, found.name, sections, facts, remarks=found.remarks).write(path)


def _operating(found: Whirl) -> list[dict[str, object]]:
    """A line at the operating speed."""
    if found.operating_rpm is None:
        return []
    place = {"x0": found.operating_rpm, "x1": found.operating_rpm, "yref": "paper", "y0": 0, "y1": 1, "layer": "below"}
    return [{"type": "line", "line": {"color": "@wheel", "width": 1.5}, **place}]


def _campbell(found: Whirl) -> Figure:
    """Damped frequencies by their sense, and the orders of shafts and mesh frequencies as rays."""
    top = found.speeds_rpm[-1]
    shafts = max((one.order for one in found.lines if one.kind == "shaft"), default=1.0)
    criticals = [c.frequency_hz for c in found.critical_speeds if c.margin is None or abs(c.margin) < 1.0]
    highest = max(1.3 * shafts * top / 60.0, 1.1 * min(sorted(criticals)[:6], default=0.0))
    data: list[Trace] = [
        line(
            "modes",
            found.speeds_rpm,
            list(c.frequencies_hz),
            "muted/0.6",
            width=0.8,
            showlegend=False,
            hoverinfo="skip",
        )
        for c in found.curves
        if min(c.frequencies_hz) <= highest
    ]
    for sense, (colour, symbol) in LOOK.items():
        places = [
            (n, f) for c in found.curves for n, f, w in zip(found.speeds_rpm, c.frequencies_hz, c.whirls, strict=True)
            if w == sense and f <= highest
        ]
        if places:
            data.append(
                line(sense, [n for n, _ in places], [f for _, f in places], colour, mode="markers",
                     marker={"symbol": symbol, "size": 6, "color": f"@{colour}"}, hovertemplate=f"{sense}, %{{y:.4g}} Hz at %{{x:.4g}} rpm")
            )
    labels: list[Trace] = []
    for one in found.lines:
        slope = one.order / 60.0
        x = min(top, highest / slope) if slope else top
        if slope * x < 0.02 * highest:
            continue
        data.append(
            line("excitation", [0.0, x], [0.0, slope * x], "muted/0.7", "dot", 0.9, showlegend=False, hoverinfo="skip")
        )
        side = {"xanchor": "left", "yanchor": "middle"} if x == top else {"xanchor": "center", "yanchor": "bottom"}
        if not any(abs(x - o["x"]) < 0.2 * top and abs(slope * x - o["y"]) < 0.035 * highest for o in labels):
            font = {"size": 10, "color": "@muted"}
            labels.append({"x": x, "y": slope * x, "text": one.name, "showarrow": False, "font": font, **side})
    drawn = layout(axis("Speed of the input [rpm]", range=[found.speeds_rpm[0], top]), axis("Frequency [Hz]", range=[0, highest]), 480,
                   annotations=labels, rightLabels=True, shapes=_operating(found))
    return plot("whirl-campbell", "Damped natural frequencies over speed by the sense of their orbits; rays are the speeds of shafts and "
                "mesh frequencies, what they cross they excite.", data, drawn)


def _decrements(found: Whirl) -> Figure:
    """Logarithmic decrements of the lowest modes over speed."""
    data: list[Trace] = []
    for i, c in enumerate(found.curves[:10]):
        colour, dash = HUES[i % len(HUES)], DASHES[(i // len(HUES)) % len(DASHES)]
        data.append(
            line(f"{number(c.frequencies_hz[0])} Hz", found.speeds_rpm, list(c.log_decrements), colour, dash, 1.5)
        )
    worst = min((d for c in found.curves for d in c.log_decrements), default=0.0)
    sentence = f"Logarithmic decrements of the lowest {len(data)} modes, named by their frequency at the first speed; the least of all is "
    sentence += f"{number(worst if abs(worst) > 1e-9 else 0.0)}" + (
        ": whirl grows by itself." if worst < -1e-9 else "."
    )
    drawn = layout("Speed of the input [rpm]", "Logarithmic decrement", 340, shapes=_operating(found))
    return plot("whirl-decrement", sentence, data, drawn)


def _critical(found: Whirl) -> Block:
    """Critical speeds, those next to the operating speed first."""
    if not found.critical_speeds:
        return missing("No excitation meets a mode.")
    ranked = sorted(found.critical_speeds, key=lambda c: abs(c.margin) if c.margin is not None else c.speed_rpm)
    rows = [
        [
            c.line,
            c.whirl,
            c.where,
            c.speed_rpm,
            c.frequency_hz,
            c.log_decrement,
            None if c.margin is None else 100.0 * c.margin,
        ]
        for c in ranked[:MOST_ROWS]
    ]
    heads = numbers("Speed [rpm]", "Frequency [Hz]", "Logarithmic decrement", "Margin to operating speed [%]")
    note = f"Shown: {len(rows)} of {len(ranked)}, next to the operating speed first. Speeds are undamped, of the input."
    return Table(
        "critical-speeds", "Critical speeds", [*words("Excitation", "Whirl", "Largest at"), *heads], rows, note=note
    )


def _map(found: Whirl, one: CriticalSpeedMap) -> Figure:
    """Critical speeds of a shaft over a factor on the stiffness of bearings."""
    data: list[Trace] = []
    for sense, (colour, symbol) in LOOK.items():
        places = [
            (factor, n) for factor, speeds, senses in zip(one.factors, one.speeds_rpm, one.whirls, strict=True)
            for n, w in zip(speeds, senses, strict=True) if w == sense
        ]
        if places:
            data.append(line(sense, [x for x, _ in places], [n for _, n in places], colour, mode="markers",
                             marker={"symbol": symbol, "size": 5, "color": f"@{colour}"},
                             hovertemplate=f"{sense}, %{{y:.4g}} rpm at %{{x:.3g}} times"))
    shapes: list[dict[str, object]] = [
        {
            "type": "line",
            "x0": 1.0,
            "x1": 1.0,
            "yref": "paper",
            "y0": 0,
            "y1": 1,
            "line": {"color": "@muted", "width": 1, "dash": "dot"},
        }
    ]
    if found.operating_rpm is not None:
        place = {"xref": "paper", "x0": 0, "x1": 1, "y0": found.operating_rpm, "y1": found.operating_rpm}
        shapes.append({"type": "line", "line": {"color": "@wheel", "width": 1.5}, **place})
    drawn = layout(axis("Stiffness of bearings, times the file", type="log"), "Critical speed of the input [rpm]", 400,
                   shapes=shapes)
    sentence = f"Undamped critical speeds for {one.line} ({number(one.order)} times the input) over the stiffness of the bearings; blue: "
    sentence += "operating speed, dotted: the file."
    return plot(f"map-{slug(one.line)}", sentence, data, drawn)


def _responses(found: Whirl, responses: Sequence[ForcedResponse], nothing: str) -> Iterator[Block]:
    """Amplitude, phase, orbits and forces of the responses that move most."""
    if not responses:
        yield missing(nothing)
        return
    ranked = sorted(responses, key=lambda r: -max((p.major for p in r.peaks), default=0.0))
    for r in ranked[:MOST_RESPONSES]:
        unit, factor = ("kg m", 1.0) if r.kind == "unbalance" else ("um", 1e6)
        given = ", ".join(f"{name} {number(factor * value)} {unit}" for name, value in r.source.items())
        yield Heading(r.line)
        yield Words(f"{'Unbalance' if r.kind == 'unbalance' else 'Transmission error'}: {given}.", "small")
        yield _amplitudes(found, r)
        yield _phases(found, r)
        yield _orbits(found, r)
        yield _forces(found, r)
    if len(ranked) > MOST_RESPONSES:
        yield Words(f"{len(ranked) - MOST_RESPONSES} more lines move less; Python and --json have them.", "note")


def _range(r: ForcedResponse) -> list[float]:
    """Ends of the speeds of a response."""
    return [r.speeds_rpm[0], r.speeds_rpm[-1]]


def _amplitudes(found: Whirl, r: ForcedResponse) -> Figure:
    data = [
        line(s.station, list(r.speeds_rpm), [1e6 * v for v in s.major], HUES[i % len(HUES)], width=1.5,
             hovertemplate="%{y:.4g} um at %{x:.5g} rpm")
        for i, s in enumerate(r.stations)
    ]
    top = r.peaks[0]
    sentence = f"Half axis of the orbits; the largest is {number(1e6 * top.major)} um of {top.station} at {number(top.speed_rpm)} rpm."
    drawn = layout(axis("Speed of the input [rpm]", range=_range(r)), axis("Half axis of the orbit [um]", type="log", exponentformat="power"), 360,
                   shapes=_operating(found))
    return plot(f"{r.kind}-{slug(r.line)}-amplitude", sentence, data, drawn)


def _phases(found: Whirl, r: ForcedResponse) -> Figure:
    data = [
        line(s.station, list(r.speeds_rpm), list(s.y_phase_deg), HUES[i % len(HUES)], mode="markers", marker={"size": 3, "color": f"@{HUES[i % len(HUES)]}"},
             hovertemplate="%{y:.4g}° at %{x:.5g} rpm")
        for i, s in enumerate(r.stations)
    ]
    drawn = layout(axis("Speed of the input [rpm]", range=_range(r)), axis("Phase of y [deg]", range=[-185, 185], tickvals=[-180, -90, 0, 90, 180]), 260,
                   shapes=_operating(found))
    what = (
        "an unbalance of phase 0 points along y"
        if r.kind == "unbalance"
        else "the transmission error of phase 0 is largest"
    )
    return plot(f"{r.kind}-{slug(r.line)}-phase", f"Phase of y against the time at which {what}.", data, drawn)


def _orbits(found: Whirl, r: ForcedResponse) -> Figure:
    """Orbits at the operating speed: an open circle where each begins, seen against the axis x."""
    data: list[Trace] = []
    for i, s in enumerate(r.stations):
        y, z = r.orbit(s.station, found.speed_rpm)
        colour = HUES[i % len(HUES)]
        data.append(line(s.station, (1e6 * y).tolist(), (1e6 * z).tolist(), colour, width=1.5, hoverinfo="skip"))
        data.append(line(s.station, [1e6 * float(y[0])], [1e6 * float(z[0])], colour, mode="markers", showlegend=False,
                         marker={"symbol": "circle-open", "size": 8, "color": f"@{colour}"}, hoverinfo="skip"))
    at = min(range(len(r.speeds_rpm)), key=lambda i: abs(r.speeds_rpm[i] - found.speed_rpm))
    size = max((s.major[at] for s in r.stations), default=0.0)
    named = max(r.stations, key=lambda s: s.major[at])
    sense = "forward" if named.minor[at] > 0.0 else "backward"
    sentence = f"Orbits at {number(r.speeds_rpm[at])} rpm of the input, a circle where each begins; that of {named.station} runs {sense} with "
    sentence += f"half axes of {number(1e6 * named.major[at])} and {number(1e6 * abs(named.minor[at]))} um."
    reach = 1.15e6 * size or 1.0
    drawn = layout(axis("y [um]", range=[-reach, reach]), axis("z [um]", range=[-reach, reach], scaleanchor="x"), 420)
    return plot(f"{r.kind}-{slug(r.line)}-orbits", sentence, data, drawn)


def _forces(found: Whirl, r: ForcedResponse) -> Table:
    """Forces of bearings and meshes at the speed shown and at their largest."""
    at = min(range(len(r.speeds_rpm)), key=lambda i: abs(r.speeds_rpm[i] - found.speed_rpm))
    ranked = sorted(r.forces.items(), key=lambda item: -max(item[1], default=0.0))[:12]
    rows = [[name, f[at], max(f), r.speeds_rpm[f.index(max(f))]] for name, f in ranked if f and math.isfinite(max(f))]
    heads = numbers("At the speed shown [N]", "Largest [N]", "at speed [rpm]")
    return Table(f"{r.kind}-{slug(r.line)}-forces", f"Forces under {r.line}", [*words("Bearing or mesh"), *heads], rows)


def _modes(found: Whirl) -> Table:
    """Modes at the speed shown."""
    rows = [
        [m.whirl, m.where, m.frequency_hz, m.log_decrement, 100.0 * m.damping_ratio, 100.0 * m.forward]
        for m in found.modes
    ]
    heads = numbers("Frequency [Hz]", "Logarithmic decrement", "Damping ratio [%]", "Forward less backward [%]")
    title = f"Modes at {number(found.speed_rpm)} rpm of the input"
    return Table("modes", title, [*words("Whirl", "Largest at"), *heads], rows)


__all__ = ["whirl_page"]
