"""The figures of the report, as plain data that ``assets/report.js`` draws with plotly.

Colours are tokens (``@sun``, ``@ink/0.3``) that the page resolves for light, dark and print. Arrays are base64.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.results.spectra import power_spectral_density
from gearwright.schema.places import JSON

from .format import number, screen_unit, seconds
from .format import quantity as quantity_words
from .palette import DASHES, colour_token, planet_token
from .reading import Extreme, Run, estimated, family
from .series import Store, float32

Array = NDArray[np.float64]
Trace = dict[str, JSON]
#: Colours and line styles of curves that stand for no body.
HUES = ("wheel", "sun", "planet1", "carrier", "pinion", "bearing")
#: Elements that are shown when a figure opens; the others wait in its legend.
SHOWN = 4
#: Elements of one time figure.
MOST = 12
LOUDEST_HARMONICS = 3


@dataclass(frozen=True)
class Figure:
    """One figure: ``spec`` for the page, the sentence that says what to see, small print."""

    key: str
    sentence: str
    spec: dict[str, JSON]
    note: str = ""

    @property
    def height(self) -> int:
        """Height on the page [px]."""
        layout = self.spec.get("layout")
        height = layout.get("height") if isinstance(layout, Mapping) else None
        return height if isinstance(height, int) else 340


def plot(key: str, sentence: str, data: Sequence[Trace], layout: dict[str, JSON], note: str = "") -> Figure:
    """A figure of fixed traces."""
    return Figure(key, sentence, {"kind": "plot", "data": data, "layout": layout, "alt": sentence}, note)


def axis(title: str, **more: Any) -> dict[str, JSON]:
    """An axis with its title and unit."""
    return {"title": {"text": title}, **more}


def layout(x: str | dict[str, JSON], y: str | dict[str, JSON], height: int = 340, **more: Any) -> dict[str, JSON]:
    """Two axes, each with its title or as a whole."""
    x, y = (axis(of) if isinstance(of, str) else of for of in (x, y))
    return {"xaxis": x, "yaxis": y, "height": height, **more}


def line(
    name: str, x: Any, y: Any, colour: str = "", dash: str = "", width: float = 0.0, mode: str = "lines", **more: Any
) -> Trace:
    """A curve. ``colour`` is a token (``sun``, ``ink/0.3``); ``mode`` may be of markers too."""
    given = {"color": f"@{colour}" if colour else "", "dash": dash, "width": width}
    style = {key: value for key, value in given.items() if value}
    return {"type": "scatter", "mode": mode, "name": name, "x": x, "y": y, "line": style, **more}


def heatmap(x: Any, y: Any, z: Any, title: str, ticks: tuple[Any, Any] | None = None, **more: Any) -> Trace:
    """Colour over two axes with the bar of its colours; ``ticks``: values and texts of the bar."""
    bar = {"title": {"text": title}} | ({} if ticks is None else {"tickvals": ticks[0], "ticktext": ticks[1]})
    return {"type": "heatmap", "x": x, "y": y, "z": z, "colorscale": "Viridis", "colorbar": bar, **more}


def governing(run: Run, kind: str, quantity: str, most: int) -> list[str]:
    """Elements of a kind, the largest load of each family first (planets of a stage are one family), estimates last."""
    peaks: dict[str, float] = {}
    for element in run.elements(kind):
        found = run.extreme(kind, quantity, element)
        if found is not None and math.isfinite(found.value):
            peaks[element] = abs(found.value)
    rank: dict[str, int] = {}
    taken: dict[str, int] = {}
    for element in sorted(peaks, key=lambda e: -peaks[e]):
        rank[element] = taken.get(family(element), 0)
        taken[family(element)] = rank[element] + 1
    return sorted(peaks, key=lambda e: (estimated(e), rank[e], -peaks[e]))[:most]


def styles(run: Run, kind: str, elements: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Colour token and line style by element; the style tells elements of one colour apart."""
    used: dict[str, int] = {}
    found = {}
    for element in elements:
        token = colour_token(kind, element, run.train)
        found[element] = (token, DASHES[used.get(token, 0) % len(DASHES)])
        used[token] = used.get(token, 0) + 1
    return found


def time_figure(run: Run, store: Store, kind: str, quantity: str, title: str) -> Figure | None:
    """Series of one quantity: band when zoomed out, line when zoomed in, extremes at the counting rate behind."""
    elements = [e for e in governing(run, kind, quantity, MOST) if run.series(kind, quantity, e) is not None]
    if not elements:
        return None
    factor, unit = screen_unit(run.unit(kind, quantity))
    shown = _shown(kind, quantity, elements, run)
    extremes = [x for e in shown if (x := run.extreme(kind, quantity, e)) is not None]
    top = max(extremes, key=lambda x: abs(x.value))
    if top.value == 0.0:
        return None  # a flank that never touched, say
    look = styles(run, kind, elements)
    traces = []
    for element in elements:
        values = run.series(kind, quantity, element)
        assert values is not None
        key = store.add(f"{kind}/{quantity}/{element}", values * factor, top.time)
        trace = _channel(element, key, *look[element], element in shown)
        if (found := run.envelope(kind, quantity, element)) is not None:
            times, low, high = found
            trace["envelope"] = store.add_envelope(f"{key}/envelope", times, low * factor, high * factor)
        traces.append(trace)
    hidden = len(elements) - len(shown)
    sentence = f"{title}: the largest is {_value(top, factor, unit)} at {top.element}, {seconds(top.time)}."
    if hidden:
        sentence += f" {hidden} more in the legend."
    marks: list[Trace] = [
        {"t": x.time, "y": x.value * factor, "name": x.element, "colour": look[x.element][0]} for x in extremes
    ]
    return _series(
        f"time-{kind}-{quantity}", sentence, traces, (title, unit), top.time, marks=marks, events=_events(run)
    )


def _channel(name: str, key: str, colour: str, dash: str = "solid", visible: bool = True) -> Trace:
    return {"name": name, "channel": key, "colour": colour, "dash": dash, "visible": visible}


def _series(
    key: str,
    sentence: str,
    traces: list[Trace],
    of: tuple[str, str],
    focus: float,
    marks: Sequence[Trace] = (),
    events: Sequence[Trace] = (),
    **layout: Any,
) -> Figure:
    """A figure over the time of the run, zoomed with all others; ``of``: what it shows and its unit."""
    title, unit = of
    spec: Trace = {
        "kind": "series",
        "group": "time",
        "traces": traces,
        "title": f"{title} [{unit}]" if unit else title,
        "unit": unit,
        "marks": marks,
        "events": events,
        "focus": focus if math.isfinite(focus) else None,
        "alt": sentence,
        **({"layout": layout} if layout else {}),
    }
    return Figure(key, sentence, spec)


def _shown(kind: str, quantity: str, elements: list[str], run: Run) -> list[str]:
    if quantity == "speed" and kind == "body":
        train = run.train
        if train is not None and train.input in elements:
            return [str(train.input)]
        return elements[-1:]
    firsts: dict[str, str] = {}
    peaks = {e: abs(x.value) for e in elements if (x := run.extreme(kind, quantity, e)) is not None}
    for element in elements:
        firsts.setdefault(family(element), element)
    least = 0.08 * max(peaks.values(), default=0.0)
    return [element for element in firsts.values() if peaks.get(element, 0.0) >= least][:SHOWN]


def _value(extreme: Extreme, factor: float, unit: str) -> str:
    return f"{number(extreme.value * factor)} {unit}".strip()


def _events(run: Run) -> list[dict[str, JSON]]:
    case = run.json("case_json")
    events = case.get("events") if isinstance(case, dict) else None
    found: list[Trace] = []
    for event in events or []:
        at = event.get("at") if isinstance(event, dict) else None
        if isinstance(at, int | float):
            found.append({"t": float(at), "text": str(event.get("type") or event.get("set") or "event")})
    return found


# --- spectra -------------------------------------------------------------------------------------------------


def amplitude_spectrum(values: Array, step: float) -> tuple[Array, Array, str]:
    """One-sided amplitude spectrum: frequencies above zero [Hz], amplitudes (peak of a sine), how it was made.

    From Welch's power density: a sine of amplitude A has A^2/2 under a peak as wide as the window's noise bandwidth
    (1.5 lines for Hann).
    """
    spectrum = power_spectral_density(values, step)
    line = float(spectrum.frequency[1] - spectrum.frequency[0])
    return spectrum.frequency[1:], np.sqrt(3.0 * line * spectrum.value[1:]), spectrum.method


def thinned(x: Array, y: Array, most: int = 1500) -> tuple[Array, Array]:
    """At most ``most`` points on a log axis; of every group the largest value stays at its own place."""
    if len(x) <= most:
        return x, y
    group = np.floor(np.log(x / x[0]) / np.log(x[-1] / x[0] * (1 + 1e-12)) * most).astype(int)
    order = np.lexsort((-y, group))
    first = order[np.r_[True, np.diff(group[order]) > 0]]
    first.sort()
    return x[first], y[first]


def _amplitudes(run: Run, kind: str, quantity: str, element: str, step: float) -> tuple[Array, Array, str] | None:
    """As :func:`amplitude_spectrum` in SI, at the counting rate where the case asked for it, of the stored series otherwise;
    None without one, or for what is constant but for rounding."""
    counted, largest = run.density(kind, quantity, element), run.extreme(kind, quantity, element)
    if counted is not None and largest is not None:
        frequency, density, method = counted
        found = frequency[1:], np.sqrt(3.0 * float(frequency[1]) * density[1:]), method
        size = abs(largest.value)
    else:
        values = run.series(kind, quantity, element)
        if values is None or not np.isfinite(values).all() or not step > 0.0:
            return None
        found, size = amplitude_spectrum(values, step), float(np.abs(values).max())
    return found if found[1].max() > 1e-9 * size else None


def spectrum_figure(run: Run, kind: str, quantity: str, title: str) -> Figure | None:
    """Amplitude spectra of the governing elements; mesh orders as ticks on the top axis."""
    elements = governing(run, kind, quantity, MOST)
    elements = _shown(kind, quantity, elements, run)
    step = float(run.times[-1] - run.times[0]) / (len(run.times) - 1) if len(run.times) > 64 else 0.0
    factor, unit = screen_unit(run.unit(kind, quantity))
    look = styles(run, kind, elements)
    data: list[dict[str, JSON]] = []
    first, last, method, loudest = math.inf, 0.0, "", (0.0, 0.0, "")
    for element in elements:
        found = _amplitudes(run, kind, quantity, element, step)
        if found is None:
            continue
        frequency, amplitude, method = found[0], found[1] * factor, found[2]
        top = int(np.argmax(amplitude))
        loudest = max(loudest, (float(amplitude[top]), float(frequency[top]), element))
        first, last = min(first, float(frequency[0])), max(last, float(frequency[-1]))
        x, y = thinned(frequency, np.maximum(amplitude, amplitude.max() * 1e-7))
        hover = f"%{{y:.4g}} {unit} at %{{x:.4g}} Hz"
        data.append(line(element, float32(x), float32(y), *look[element], 1.2, hovertemplate=hover))
    if not data:
        return None
    ticks = mesh_ticks(run.mesh_frequencies(), first, last)
    across = axis("Frequency [Hz]", type="log", range=[math.log10(first), math.log10(last)])
    drawn = layout(across, axis(f"Amplitude [{unit}]", type="log", exponentformat="power"))
    sentence = f"{title}: the strongest line is {number(loudest[0])} {unit} at {number(loudest[1])} Hz ({loudest[2]})."
    note = f"{method}."
    if ticks:
        data.append({"x": [t for t, _ in ticks], "y": [None] * len(ticks), "xaxis": "x2", "showlegend": False})
        top_axis: Trace = {
            "overlaying": "x",
            "side": "top",
            "matches": "x",
            "type": "log",
            "showgrid": False,
            "tickangle": -40,
        }
        values, labels = [t for t, _ in ticks], [label for _, label in ticks]
        places: Trace = {"tickvals": values, "ticktext": labels, "ticks": "outside"}
        drawn |= {"xaxis2": {**top_axis, **places}, "topTicks": True}
        sentence += " Ticks on top: mesh frequencies and their harmonics at the mean speed."
    elif run.mesh_frequencies():
        note += " All mesh frequencies lie above the stored range."
    return plot(f"spectrum-{kind}-{quantity}", sentence, data, drawn, note)


def mesh_ticks(frequencies: dict[str, float], low: float, high: float) -> list[tuple[float, str]]:
    """Places and labels of mesh frequencies and harmonics within a range, none closer than 4 %."""
    wanted = [
        (n, f * n, f"{name}" if n == 1 else f"{n}× {name}")
        for name, f in frequencies.items()
        for n in range(1, LOUDEST_HARMONICS + 1)
    ]
    kept: list[tuple[float, str]] = []
    for _, place, label in sorted(wanted):
        if low <= place <= high and all(abs(math.log(place / other)) > 0.08 for other, _ in kept):
            kept.append((place, label))
    return sorted(kept)


# --- load sharing --------------------------------------------------------------------------------------------


def factor_figure(store: Store, stage: str, factor: Array) -> Figure:
    """Kγ over time: the largest share of any planet at every instant."""
    at = int(np.nanargmax(factor))
    time = float(store.times[at])
    sentence = f"{stage}: Kγ at every instant, the largest share of any planet; its peak is {number(factor[at])} at "
    sentence += f"{seconds(time)}."
    trace = _channel("Kγ", store.add(f"factor/{stage}", factor, time), "planet1")
    return _series(f"factor-{stage}", sentence, [trace], ("Kγ", ""), time, height=280)


def polar(name: str, theta: Any, r: Any, colour: str, dash: str = "solid", **more: Any) -> Trace:
    """A curve over an angle [deg]."""
    style = {"color": f"@{colour}", "dash": dash, "width": 1.8}
    return {"type": "scatterpolar", "mode": "lines", "theta": theta, "r": r, "name": name, "line": style, **more}


def polar_layout(radial: dict[str, JSON], height: int, rotation: int = 0, **more: Any) -> dict[str, JSON]:
    """Radius and angle; the angle counts against the clock."""
    around = {"ticksuffix": "°", "rotation": rotation, "direction": "counterclockwise"}
    radial = {"nticks": 5, "angle": 90, **radial}
    return {"polar": {"radialaxis": radial, "angularaxis": around}, "height": height, **more}


def sharing_figure(
    stage: str, angle: Array, shares: Array, planets: list[str], factor: float, cycles: int | None
) -> Figure:
    """Mean share of each planet by carrier angle, over all turns; the ideal share is the circle at one.

    ``cycles`` mesh cycles a turn make as many steps, so that the ripple of the mesh averages out of each.
    """
    bins = cycles or 90
    place = np.floor(np.mod(angle, 2 * math.pi) / (2 * math.pi) * bins).astype(int) % bins
    filled = np.bincount(place, minlength=bins)
    theta = np.append((np.arange(bins) + 0.5) * 360.0 / bins, 180.0 / bins)
    data: list[dict[str, JSON]] = []
    spread = 0.0
    for i, (planet, share) in enumerate(zip(planets, shares, strict=True)):
        mean = np.bincount(place, share, bins) / np.where(filled, filled, 1)
        mean = np.where(filled, mean, np.nan)
        spread = max(spread, float(np.nanmax(np.abs(mean - 1.0))))
        r, dash = float32(np.append(mean, mean[0])), DASHES[i % len(DASHES)]
        data.append(
            polar(planet, float32(theta), r, planet_token(i + 1), dash, hovertemplate="%{r:.4f} at %{theta:.0f}°")
        )
    even = {"color": "@ink", "width": 1, "dash": "dot"}
    data.append(polar("ideal", list(range(0, 361, 4)), [1.0] * 91, "ink", "dot", line=even, hoverinfo="skip"))
    reach = max(spread * 1.15, 0.02)
    drawn = polar_layout({"range": [max(1.0 - 2.5 * reach, 0.0), 1.0 + reach]}, 440)
    sentence = (
        f"{stage}: the most loaded planet carries {number(factor)} times the even share on average; the lines show "
        "each planet's share over one carrier turn, the dotted circle the even share."
    )
    turns = abs(float(angle[-1] - angle[0])) / (2 * math.pi)
    step = "one mesh cycle each" if cycles else "of equal angle"
    note = (
        f"Mean over {number(turns, 3)} carrier turns in {bins} steps, {step}. The radial axis does not start at zero."
    )
    return plot(f"sharing-{stage}", sentence, data, drawn, note)


# --- fatigue -------------------------------------------------------------------------------------------------


def rainflow_figure(run: Run, kind: str, quantity: str, title: str) -> Figure | None:
    """How many cycles exceed a range: cumulative counts on a log axis."""
    return _counts_figure(run, kind, quantity, title, "cycles")


def duration_figure(run: Run, kind: str, quantity: str, title: str) -> Figure | None:
    """How long the load lies above a level: log time axis."""
    return _counts_figure(run, kind, quantity, title, "duration")


def range_mean_figure(run: Run, kind: str, quantity: str, title: str) -> Figure | None:
    """Cycles of the governing element by range and mean, on a log colour scale."""
    elements = _shown(kind, quantity, governing(run, kind, quantity, 1), run)
    if not elements:
        return None
    element = elements[0]
    ranges, means = (run.histogram(kind, quantity, what, element) for what in ("cycles", "duration"))
    counts = run.range_mean(kind, quantity, element)
    if ranges is None or means is None or counts is None:
        return None
    factor, unit = screen_unit(run.unit(kind, quantity))
    rows, columns = ranges[0][:: len(ranges[1]) // counts.shape[0]], means[0][:: len(means[1]) // counts.shape[1]]
    used_rows, used_columns = (np.flatnonzero(counts.any(axis=axis)) for axis in (1, 0))
    if not len(used_rows):
        return None
    a, b = slice(used_rows[0], used_rows[-1] + 1), slice(used_columns[0], used_columns[-1] + 1)
    part = counts[a, b]
    with np.errstate(divide="ignore"):
        shade = np.where(part > 0.0, np.log10(part), np.nan)
    top = np.unravel_index(int(np.argmax(part)), part.shape)
    ticks = list(range(int(np.floor(np.nanmin(shade))), int(np.ceil(np.nanmax(shade))) + 1))
    mean, span = 0.5 * (columns[1:] + columns[:-1])[b], 0.5 * (rows[1:] + rows[:-1])[a]
    trace = heatmap(
        factor * mean,
        factor * span,
        shade.round(4),
        "cycles",
        (ticks, [f"{10.0**t:g}" for t in ticks]),
        customdata=part,
        hovertemplate=f"range %{{y:.4~g}}, mean %{{x:.4~g}} {unit}: %{{customdata:g}} cycles<extra></extra>",
    )
    own = run.unit(kind, quantity)
    sentence = (
        f"{title} of {element}: most cycles ({part[top]:g}) have a range of about {quantity_words(span[top[0]], own)} "
        f"about a mean of {quantity_words(mean[top[1]], own)}."
    )
    drawn = layout(f"mean [{unit}]", axis(f"range [{unit}]", rangemode="tozero"), 360)
    return plot(f"range-mean-{kind}-{quantity}", sentence, [trace], drawn)


def _counts_figure(run: Run, kind: str, quantity: str, title: str, what: str) -> Figure | None:
    elements = _shown(kind, quantity, governing(run, kind, quantity, MOST), run)
    factor, unit = screen_unit(run.unit(kind, quantity))
    look = styles(run, kind, elements)
    data: list[dict[str, JSON]] = []
    spans: list[tuple[str, float, float]] = []
    cycles = what == "cycles"
    for element in elements:
        found = run.histogram(kind, quantity, what, element)
        if found is None:
            continue
        edges, content = found
        used = np.flatnonzero(content)
        # one step per bin: what lies at or above the lower edge of each bin
        above = np.cumsum(content[::-1])[::-1][used[0] : used[-1] + 1]
        level = edges[used[0] : used[-1] + 2] * factor
        x, y = np.repeat(above, 2), np.stack([level[:-1], level[1:]], axis=1).reshape(-1)
        spans.append((element, float(level[0]), float(level[-1])))
        hover = f"%{{x:.4~g}} cycles from %{{y:.4~g}} {unit}" if cycles else f"%{{x:.4~g}} s above %{{y:.4~g}} {unit}"
        data.append(line(element, float32(x), float32(y), *look[element], 1.6, hovertemplate=hover))
    if not data:
        return None
    names = ("Cycles with at least this range", "Range") if cycles else ("Time above the level [s]", "Level")
    drawn = layout(axis(names[0], type="log", exponentformat="power"), f"{names[1]} [{unit}]")
    element, low, high = max(spans, key=lambda span: max(abs(span[1]), abs(span[2])))
    if cycles:
        sentence = f"{title}: the largest range is {number(high)} {unit} or a little less, of {element}."
    else:
        sentence = f"{title}: {element} lies between {number(low)} and {number(high)} {unit}."
    return plot(f"{what}-{kind}-{quantity}", sentence, data, drawn)


def energy_figure(terms: dict[str, float]) -> Figure:
    """The energy book as bars: to the right what came in, to the left what went out or was stored."""
    factor, unit = screen_unit("J")
    names = list(terms)
    values = [terms[name] * factor for name in names]
    colours = ["@wheel" if v >= 0 else "@pinion" for v in values]
    hover = f"%{{x:.4~g}} {unit}<extra></extra>"
    bars: Trace = {"type": "bar", "orientation": "h", "y": names, "x": values, "marker": {"color": colours}}
    across = axis(f"Energy [{unit}]", zeroline=True)
    down: Trace = {"autorange": "reversed", "automargin": True, "plainCategories": True}
    first = max(terms, key=lambda name: abs(terms[name]))
    sentence = (
        f"Where the energy came from (right) and where it went (left); the largest term is {first} with "
        f"{number(terms[first] * factor)} {unit}."
    )
    trace = {**bars, "hovertemplate": hover, "showlegend": False}
    return plot("energy", sentence, [trace], layout(across, down, 140 + 26 * len(names)))
