"""The page of ``gearwright whirl``: frequencies and decrements over speed, critical speeds, their map, responses and orbits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from gearwright.analyses.whirl import CriticalSpeedMap, ForcedResponse, Whirl
from gearwright.figures.figures import Figure, axis, layout, line, plot
from gearwright.figures.format import number, slug
from gearwright.figures.palette import DASHES
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block, Heading, Section, Words, missing
from .document import Page

#: colour and symbol of every sense of whirl
LOOK = {
    "forward": ("wheel", "triangle-up"),
    "backward": ("pinion", "triangle-down"),
    "mixed": ("carrier", "diamond"),
    "straight": ("muted", "line-ew-open"),
    "torsional": ("bearing", "circle"),
    "axial": ("ring", "square"),
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


def _marks(found: Whirl) -> list[object]:
    """A line at the operating speed, where there is one."""
    place = {"yref": "paper", "y0": 0, "y1": 1, "layer": "below"}
    edge = {"color": "@wheel", "width": 1.5}
    known = [] if found.operating_rpm is None else [found.operating_rpm]
    return [{"type": "line", "line": edge, "x0": at, "x1": at, **place} for at in known]


def _style(sense: str, size: int) -> tuple[str, object]:
    """Colour and marker of a sense."""
    colour, symbol = LOOK[sense]
    return colour, {"symbol": symbol, "size": size, "color": f"@{colour}"}


def _rays(found: Whirl, highest: float) -> list[tuple[str, float, float]]:
    """Ends of the lines of excitation: name, speed [rpm], frequency [Hz]; slow ones, which nothing would show, are left out."""
    top = found.speeds_rpm[-1]
    ends = [(one.name, min(top, 60.0 * highest / one.order), one.order / 60.0) for one in found.lines if one.order]
    return [(name, x, slope * x) for name, x, slope in ends if slope * x >= 0.02 * highest]


def _campbell(found: Whirl) -> Figure:
    """Damped frequencies by their sense, and the orders of shafts and mesh frequencies as rays."""
    top = found.speeds_rpm[-1]
    shafts = max((one.order for one in found.lines if one.kind == "shaft"), default=1.0)
    lowest = sorted(c.frequency_hz for c in found.critical_speeds if c.margin is None or abs(c.margin) < 1.0)[:6]
    highest = max(1.3 * shafts * top / 60.0, 1.1 * max(lowest, default=0.0))
    seen = [c for c in found.curves if min(c.frequencies_hz) <= highest]
    places = [
        (n, f, w)
        for c in seen
        for n, f, w in zip(found.speeds_rpm, c.frequencies_hz, c.whirls, strict=True)
        if f <= highest
    ]
    senses = [sense for sense in LOOK if any(w == sense for *_, w in places)]
    rays = _rays(found, highest)
    data = [
        line(
            "modes",
            found.speeds_rpm,
            list(c.frequencies_hz),
            "muted/0.6",
            width=0.8,
            showlegend=False,
            hoverinfo="skip",
        )
        for c in seen
    ]
    data += [
        line("excitation", [0.0, x], [0.0, y], "muted/0.7", "dot", 0.9, showlegend=False, hoverinfo="skip")
        for _, x, y in rays
    ]
    for sense in senses:
        colour, marker = _style(sense, 6)
        n, f = [n for n, _, w in places if w == sense], [f for _, f, w in places if w == sense]
        hover = f"{sense}, %{{y:.4g}} Hz at %{{x:.4g}} rpm"
        data.append(line(sense, n, f, colour, mode="markers", marker=marker, hovertemplate=hover))
    named: list[tuple[str, float, float]] = []
    for name, x, y in rays:  # of names that would overprint each other the first keeps its place
        if not any(abs(x - a) < 0.2 * top and abs(y - b) < 0.035 * highest for _, a, b in named):
            named.append((name, x, y))
    at_side, on_top = {"xanchor": "left", "yanchor": "middle"}, {"xanchor": "center", "yanchor": "bottom"}
    font = {"size": 10, "color": "@muted"}
    labels = [
        {"x": x, "y": y, "text": name, "showarrow": False, "font": font, **(at_side if x == top else on_top)}
        for name, x, y in named
    ]
    across, up = (
        axis("Speed of the input [rpm]", range=[found.speeds_rpm[0], top]),
        axis("Frequency [Hz]", range=[0, highest]),
    )
    drawn = layout(across, up, 480, annotations=labels, rightLabels=True, shapes=_marks(found))
    sentence = (
        "Damped natural frequencies over speed by the sense of their orbits; rays are the speeds of shafts and mesh "
    )
    return plot("whirl-campbell", sentence + "frequencies: what they cross they excite.", data, drawn)


def _decrements(found: Whirl) -> Figure:
    """Logarithmic decrements of the lowest modes over speed."""
    data = [
        line(
            f"{number(c.frequencies_hz[0])} Hz",
            found.speeds_rpm,
            list(c.log_decrements),
            HUES[i % len(HUES)],
            DASHES[(i // len(HUES)) % len(DASHES)],
            1.5,
        )
        for i, c in enumerate(found.curves[:10])
    ]
    worst = min((d for c in found.curves for d in c.log_decrements), default=0.0)
    sentence = f"Logarithmic decrements of the lowest {len(data)} modes, named by their frequency at the first speed; the least of all "
    sentence += f"is {number(worst)}: whirl grows by itself." if worst < -1e-9 else f"is {number(max(worst, 0.0))}."
    drawn = layout("Speed of the input [rpm]", "Logarithmic decrement", 340, shapes=_marks(found))
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
    places = [
        (factor, n, w)
        for factor, speeds, senses in zip(one.factors, one.speeds_rpm, one.whirls, strict=True)
        for n, w in zip(speeds, senses, strict=True)
    ]
    styles = [(sense, *_style(sense, 5)) for sense in LOOK if any(w == sense for *_, w in places)]
    data = [
        line(
            sense,
            [x for x, _, w in places if w == sense],
            [n for _, n, w in places if w == sense],
            colour,
            mode="markers",
            marker=marker,
            hovertemplate=f"{sense}, %{{y:.4g}} rpm at %{{x:.3g}} times",
        )
        for sense, colour, marker in styles
    ]
    file = {"type": "line", "x0": 1.0, "x1": 1.0, "yref": "paper", "y0": 0, "y1": 1}
    shapes = [{**file, "line": {"color": "@muted", "width": 1, "dash": "dot"}}]
    if found.operating_rpm is not None:
        place = {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": found.operating_rpm,
            "y1": found.operating_rpm,
        }
        shapes.append({**place, "line": {"color": "@wheel", "width": 1.5}})
    across = axis("Stiffness of bearings, times the file", type="log")
    drawn = layout(across, "Critical speed of the input [rpm]", 400, shapes=shapes)
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
        line(
            s.station,
            list(r.speeds_rpm),
            [1e6 * v for v in s.major],
            HUES[i % len(HUES)],
            width=1.5,
            hovertemplate="%{y:.4g} um at %{x:.5g} rpm",
        )
        for i, s in enumerate(r.stations)
    ]
    top = r.peaks[0]
    sentence = f"Half axis of the orbits; the largest is {number(1e6 * top.major)} um of {top.station} at {number(top.speed_rpm)} rpm."
    drawn = layout(
        axis("Speed of the input [rpm]", range=_range(r)),
        axis("Half axis of the orbit [um]", type="log", exponentformat="power"),
        360,
        shapes=_marks(found),
    )
    return plot(f"{r.kind}-{slug(r.line)}-amplitude", sentence, data, drawn)


def _phases(found: Whirl, r: ForcedResponse) -> Figure:
    data = [
        line(
            s.station,
            list(r.speeds_rpm),
            list(s.y_phase_deg),
            HUES[i % len(HUES)],
            mode="markers",
            marker={"size": 3, "color": f"@{HUES[i % len(HUES)]}"},
            hovertemplate="%{y:.4g}° at %{x:.5g} rpm",
        )
        for i, s in enumerate(r.stations)
    ]
    drawn = layout(
        axis("Speed of the input [rpm]", range=_range(r)),
        axis("Phase of y [deg]", range=[-185, 185], tickvals=[-180, -90, 0, 90, 180]),
        260,
        shapes=_marks(found),
    )
    what = (
        "an unbalance of phase 0 points along y"
        if r.kind == "unbalance"
        else "the transmission error of phase 0 is largest"
    )
    return plot(f"{r.kind}-{slug(r.line)}-phase", f"Phase of y against the time at which {what}.", data, drawn)


def _orbits(found: Whirl, r: ForcedResponse) -> Figure:
    """Orbits at the speed shown, seen against the axis x, an open circle where each begins."""
    data = []
    for i, s in enumerate(r.stations):
        y, z = r.orbit(s.station, found.speed_rpm)
        colour = HUES[i % len(HUES)]
        begins = {"symbol": "circle-open", "size": 8, "color": f"@{colour}"}
        data += [
            line(s.station, (1e6 * y).tolist(), (1e6 * z).tolist(), colour, width=1.5, hoverinfo="skip"),
            line(
                s.station,
                [1e6 * float(y[0])],
                [1e6 * float(z[0])],
                colour,
                mode="markers",
                showlegend=False,
                marker=begins,
                hoverinfo="skip",
            ),
        ]
    at = min(range(len(r.speeds_rpm)), key=lambda i: abs(r.speeds_rpm[i] - found.speed_rpm))
    named = max(r.stations, key=lambda s: s.major[at])
    size, sense = named.major[at], "forward" if named.minor[at] > 0.0 else "backward"
    sentence = f"Orbits at {number(r.speeds_rpm[at])} rpm of the input, a circle where each begins; that of {named.station} runs {sense} with "
    sentence += f"half axes of {number(1e6 * size)} and {number(1e6 * abs(named.minor[at]))} um."
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
