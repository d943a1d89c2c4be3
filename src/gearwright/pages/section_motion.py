"""Sections of what sticks and what drives: phases of clutches, brakes and contacts; the way of a vehicle.

Both are empty, and left out of the page, for runs without such parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gearwright.figures.book import Book
from gearwright.figures.figures import Figure, Trace, float32, plot
from gearwright.figures.format import number, seconds
from gearwright.figures.reading import Run
from gearwright.figures.tables import Table, numbers, words

from .blocks import Block

#: phase -> word, colour
_CLUTCH = {0: ("free", "@grid"), 1: ("slips", "@sun"), 2: ("locked", "@wheel")}
_CONTACT = {-1: ("backward", "@planet1"), 0: ("sticks", "@wheel"), 1: ("forward", "@sun")}
_WIDTH = 14
#: points of a trajectory
_MOST = 3000


def phases(book: Book) -> list[Block]:
    """When brakes and clutches are free, slip and hold, and when contacts that lose stick; empty without any."""
    run = book.run
    found = [("shaft", "phase", _CLUTCH), ("mesh", "contact_state", _CONTACT)]
    blocks: list[Block] = []
    for kind, quantity, said in found:
        if quantity not in run.quantities(kind) or len(run.times) < 2:
            continue
        spans = {e: _spans(run, kind, quantity, e) for e in run.elements(kind) if _has(run, kind, quantity, e)}
        spans = {e: s for e, s in spans.items() if s}
        if spans:
            blocks += [_bars(spans, said, kind), _changes(run, spans, said, kind)]
    return blocks


def _has(run: Run, kind: str, quantity: str, element: str) -> bool:
    values = run.series(kind, quantity, element)
    return values is not None and bool(np.isfinite(values).any())


def _spans(run: Run, kind: str, quantity: str, element: str) -> list[tuple[float, float, int]]:
    """(begin, end, phase) of every stretch of one phase; series that were filtered are rounded."""
    values = np.rint(np.nan_to_num(run.series(kind, quantity, element))).astype(int)  # type: ignore[arg-type]
    t = run.times
    edges = np.flatnonzero(np.diff(values)) + 1
    begins, ends = np.r_[0, edges], np.r_[edges, len(values) - 1]
    return [(float(t[a]), float(t[b]), int(values[a])) for a, b in zip(begins, ends, strict=True)]


def _bars(spans: dict[str, list[tuple[float, float, int]]], said: dict[int, tuple[str, str]], kind: str) -> Figure:
    data: list[Trace] = []
    names = list(spans)[::-1]
    for phase, (word, colour) in said.items():
        x: list[float | None] = []
        y: list[str | None] = []
        for name in names:
            for begin, end, p in spans[name]:
                if p == phase:
                    x += [begin, end, None]
                    y += [name, name, None]
        data.append(
            {
                "x": x,
                "y": y,
                "name": word,
                "mode": "lines",
                "line": {"color": colour, "width": _WIDTH},
                "hovertemplate": "%{y} " + word + ", %{x:.4g} s",
            }
        )
    whole = spans[names[0]][-1][1] or 1.0
    held = 2 if kind == "shaft" else 0
    share = {n: sum(e - b for b, e, p in s if p == held) / whole for n, s in spans.items()}
    best = max(share, key=lambda n: share[n])
    verb = "is locked" if kind == "shaft" else "sticks"
    sentence = f"{'Brakes and clutches' if kind == 'shaft' else 'Contacts'}: {best} {verb} {number(100 * share[best], 3)} % of the run."
    layout: Trace = {
        "xaxis": {"title": {"text": "Time [s]"}},
        "yaxis": {
            "type": "category",
            "categoryorder": "array",
            "categoryarray": names,
            "range": [-0.6, len(names) - 0.4],
        },
        "height": 130 + 34 * len(names),
    }
    return plot(f"phases-{kind}", sentence, data, layout)


def _changes(
    run: Run, spans: dict[str, list[tuple[float, float, int]]], said: dict[int, tuple[str, str]], kind: str
) -> Table:
    rows: list[list[Any]] = []
    for name, stretches in spans.items():
        for (_, _, before), (begin, _, after) in zip(stretches, stretches[1:], strict=False):
            rows.append([begin, name, said[before][0], said[after][0]])
    rows.sort(key=lambda r: r[0])
    kept = rows[:60]
    note = "Times are those of the first stored sample in the new phase."
    if len(rows) > len(kept):
        note += f" The first {len(kept)} of {len(rows)} changes."
    if not rows:
        note = "Nothing changes its phase."
    columns = [*numbers("Time [s]"), *words("Element", "From", "To")]
    return Table(f"phases-{kind}", "Changes of phase", columns, kept, note=note)


def vehicle(book: Book) -> list[Block]:
    """Way of the vehicles of a run, its transmission and tyres; empty without one."""
    run = book.run
    if not {"position_x", "position_y"} <= set(run.quantities("machine")) or len(run.times) < 2:
        return []
    names = [e for e in run.elements("machine") if _has(run, "machine", "position_x", e)]
    return [figure for name in names for figure in (_way(run, name), _motion(run, name))]


def _every(n: int) -> slice:
    return slice(None, None, max(n // _MOST, 1))


def _way(run: Run, name: str) -> Figure:
    t = run.times
    x, y, heading = (np.asarray(run.series("machine", q, name), float) for q in ("position_x", "position_y", "heading"))
    some = _every(len(t))
    data: list[Trace] = [
        {
            "x": float32(y[some]),
            "y": float32(x[some]),
            "name": name,
            "line": {"color": "@wheel", "width": 2},
            "hovertemplate": "%{y:.2f} m forward, %{x:.2f} m to the right",
        },
        {
            "x": [float(y[-1])],
            "y": [float(x[-1])],
            "mode": "markers",
            "name": f"{seconds(float(t[-1]))}",
            "marker": {"color": "@wheel", "size": 9},
        },
    ]
    seen = "phase" in run.quantities("shaft")
    for element in run.elements("shaft") if seen else []:
        if not _has(run, "shaft", "phase", element):
            continue
        stretches = _spans(run, "shaft", "phase", element)
        for (_, _, before), (begin, _, after) in zip(stretches[:4], stretches[1:5], strict=False):
            i = int(np.searchsorted(t, begin))
            data.append(
                {
                    "x": [float(y[i])],
                    "y": [float(x[i])],
                    "mode": "markers",
                    "name": f"{element} {_CLUTCH[after][0]}",
                    "marker": {"color": _CLUTCH[after][1] if after else "@muted", "size": 10, "symbol": "diamond"},
                    "hovertemplate": f"{element}: {_CLUTCH[before][0]} to {_CLUTCH[after][0]} at {seconds(begin)}",
                }
            )
    turned = float(np.degrees(heading[-1]))
    side = "right" if turned > 0.0 else "left"
    sentence = f"Way of {name}: {number(float(np.hypot(np.diff(x), np.diff(y)).sum()), 4)} m" + (
        f", turned by {number(abs(turned), 3)}° to the {side}." if abs(turned) > 0.05 else ", straight on."
    )
    layout: Trace = {
        "xaxis": {"title": {"text": "to the right [m]"}},
        "yaxis": {"title": {"text": "forward [m]"}, "scaleanchor": "x"},
        "height": 480,
    }
    return plot(f"way-{name}", sentence, data, layout)


def _motion(run: Run, name: str) -> Figure:
    """Speed, yaw rate and drive forces over time, on axes of their own."""
    t, some = run.times, _every(len(run.times))
    data: list[Trace] = []
    series = (
        ("forward_speed", "speed [m/s]", "@wheel", "y"),
        ("yaw_rate", "yaw rate [rad/s]", "@sun", "y2"),
        ("drive_force_left", "left wheel [kN]", "@planet1", "y3"),
        ("drive_force_right", "right wheel [kN]", "@machine", "y3"),
    )
    for quantity, label, colour, axis in series:
        values = run.series("machine", quantity, name)
        if values is None:
            continue
        scale = 1e-3 if "force" in quantity else 1.0
        data.append(
            {
                "x": float32(t[some]),
                "y": float32(scale * values[some]),
                "name": label,
                "yaxis": axis,
                "line": {"color": colour, "width": 1.6},
            }
        )
    speed = np.asarray(run.series("machine", "forward_speed", name), float)
    sentence = f"{name}: {number(float(speed.max()), 3)} m/s at most, {number(float(speed[-1]), 3)} m/s in the end."
    layout: Trace = {
        "xaxis": {"title": {"text": "Time [s]"}, "anchor": "y3"},
        "yaxis": {"title": {"text": "m/s"}, "domain": [0.7, 1.0]},
        "yaxis2": {"title": {"text": "rad/s"}, "domain": [0.36, 0.64]},
        "yaxis3": {"title": {"text": "kN"}, "domain": [0.0, 0.3]},
        "height": 480,
    }
    return plot(f"motion-{name}", sentence, data, layout)
