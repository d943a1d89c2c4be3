"""A bearing load through an event: its waterfall (amplitudes over time and frequency), in pages of runs and campaigns."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gearwright.figures.book import Book
from gearwright.figures.figures import Figure, Trace, plot
from gearwright.figures.format import number, screen_unit, words
from gearwright.figures.reading import Run
from gearwright.results.spectra import waterfall

from .blocks import Block, missing

Array = NDArray[np.float64]

#: seconds before and after the event that are drawn, length of a segment and distance of two, highest frequency [Hz]
_BEFORE, _AFTER, _SEGMENT, _HOP, _HIGHEST = 15.0, 30.0, 4.0, 0.2, 10.0


def event_of(run: Run) -> tuple[str, float] | None:
    """Name and time [s] of the first event of a run; None without one. An instant that was drawn is seen in the voltage."""
    case = run.json("case_json")
    events = sorted((case or {}).get("events") or [], key=lambda e: float(e["at"]))
    if not events:
        return None
    first = events[0]
    name = words(str(first.get("code") or first.get("type") or first.get("set")))
    if first.get("drawn_between") is None:
        return name, float(first["at"])
    voltage = run.series("turbine", "voltage", "turbine")
    low = np.flatnonzero(voltage < 0.999) if voltage is not None else np.zeros(0, int)
    return (name, float(run.times[low[0]])) if len(low) else None


def events(book: Book) -> list[Block]:
    """The governing bearing (or mesh, or shaft) load through the first event."""
    run = book.run
    found = event_of(run)
    if found is None:
        return []
    figure = waterfall_figure(run, *found)
    return [figure or missing("The series is too short around the event for a waterfall.")]


def waterfall_figure(run: Run, name: str, at: float, *, element: str | None = None) -> Figure | None:
    """Waterfall of a bearing force around an event: of ``element``, or the largest; of the largest tooth force or shaft
    torque where no bearing is recorded. None where the stored series do not reach around the event."""
    for kind, quantity in (("bearing", "force"), ("mesh", "force"), ("shaft", "torque")):
        if quantity in run.quantities(kind):
            break
    else:
        return None
    peaks = {e: run.extreme(kind, quantity, e) for e in run.elements(kind)}
    sizes = {e: abs(x.value) for e, x in peaks.items() if x is not None and math.isfinite(x.value)}
    if not sizes:
        return None
    if element not in sizes:
        element = max(sizes, key=lambda e: sizes[e])
    values = run.series(kind, quantity, element)
    time = run.times
    if values is None or len(time) < 16:
        return None
    near = (time >= at - _BEFORE) & (time <= at + _AFTER) & np.isfinite(values)
    interval = float(np.median(np.diff(time)))
    if near.sum() * interval < 2.0 * _SEGMENT:
        return None
    return _drawn(
        "waterfall",
        f"{element} {words(quantity)}",
        run.unit(kind, quantity),
        time[near],
        values[near],
        interval,
        name,
        at,
    )


def _drawn(key: str, load: str, unit: str, time: Array, values: Array, interval: float, name: str, at: float) -> Figure:
    found = waterfall(values, interval, _SEGMENT, _HOP, float(time[0]))
    factor, shown = screen_unit(unit)
    keep = (found.frequency > 0.0) & (found.frequency <= min(_HIGHEST, 0.4 / interval))
    z = factor * found.value[keep]
    frequency = found.frequency[keep]
    i, j = np.unravel_index(int(z.argmax()), z.shape)
    top = float(z.max()) or 1.0
    # three decades of colour: what rings after the event and the blade passing before it are both seen
    shades = np.log10(np.maximum(z, 1e-3 * top))
    ticks = np.arange(math.ceil(math.log10(1e-3 * top)), math.log10(top) + 1e-9)
    trace = {
        "type": "heatmap",
        "x": found.time.tolist(),
        "y": frequency.tolist(),
        "z": np.round(shades, 3).tolist(),
        "colorscale": "Viridis",
        "hoverinfo": "x+y",
        "colorbar": {"title": {"text": shown}, "tickvals": ticks.tolist(), "ticktext": [f"{10.0**t:g}" for t in ticks]},
    }
    line: Trace = {
        "type": "scatter",
        "mode": "lines",
        "x": [at, at],
        "y": [0.0, float(frequency[-1])],
        "name": name,
        "line": {"color": "#ffffff", "width": 1.5, "dash": "dash"},
        "hoverinfo": "name",
        "showlegend": False,
    }
    layout: Trace = {
        "xaxis": {"title": {"text": "time [s]"}},
        "yaxis": {"title": {"text": "frequency [Hz]"}},
        "height": 380,
    }
    sentence = (
        f"{load} through {name} at {number(at, 4)} s (dashed): the largest amplitude is {number(float(z[i, j]), 3)} {shown} at "
        f"{number(float(frequency[i]), 3)} Hz, {number(float(found.time[j]) - at, 3)} s after it."
    )
    return plot(key, sentence, [trace, line], layout, f"{found.method}; colours over three decades.")
