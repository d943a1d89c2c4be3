"""The Campbell diagram: natural frequencies over speed, excitation orders, crossings by energy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gearwright.schema.places import JSON

from .figures import Figure, Trace, axis, layout, line, plot
from .format import number
from .tables import Table, numbers, words

#: Crossings with less of the mode's energy than this are drawn, but do not count as the closest.
TELLING = 0.05


@dataclass(frozen=True)
class Line:
    """An excitation: ``order`` cycles per turn of the input (rotor); ``elements`` are what it shakes."""

    name: str
    order: float
    elements: Sequence[str] = ()


@dataclass(frozen=True)
class Crossing:
    """Where an excitation meets a mode (from 1): input speed, ``share`` of the mode's strain energy in what the line shakes, and
    ``margin``: speed / operating speed - 1; None where not known."""

    mode: int
    line: str
    order: float | None
    speed_rpm: float
    frequency_hz: float
    share: float | None
    margin: float | None
    kind: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class Campbell:
    """Frequencies over the speed of the input, a row for every mode; excitation lines; crossings. ``operating_rpm``: one speed, the
    ends of a range, or None."""

    speeds_rpm: Sequence[float]
    frequencies_hz: Sequence[Sequence[float]]
    lines: Sequence[Line]
    crossings: Sequence[Crossing]
    operating_rpm: float | Sequence[float] | None

    @property
    def operating(self) -> Sequence[float]:
        """The operating speeds as a sequence."""
        found = self.operating_rpm
        return () if found is None else found if isinstance(found, Sequence) else (found,)

    @classmethod
    def read(cls, data: Any) -> Campbell:
        """The diagram from the JSON of one, as results of version 0.1 have it.

        Raises KeyError, TypeError, AttributeError or ValueError where it is none.
        """
        return Campbell(
            [float(v) for v in data.get("speeds_rpm", ())],
            data.get("frequencies_hz", ()),
            [Line(str(x["name"]), float(x["order"]), x.get("elements", ())) for x in data.get("lines", ())],
            [
                Crossing(
                    int(c["mode"]),
                    c["line"],
                    c.get("order"),
                    c["speed_rpm"],
                    c["frequency_hz"],
                    _known(c.get("share")),
                    _known(c.get("margin")),
                )
                for c in data.get("crossings") or ()
                if _known(c.get("speed_rpm")) is not None and _known(c.get("frequency_hz")) is not None
            ],
            data.get("operating_rpm"),
        )


def _known(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def closest(crossings: Sequence[Crossing]) -> int | None:
    """Which crossing lies closest to the operating speed, of those that carry energy (or of all, if none does)."""
    known = [(i, abs(c.margin)) for i, c in enumerate(crossings) if c.margin is not None]
    telling = [(i, margin) for i, margin in known if (crossings[i].share or 0.0) >= TELLING]
    return min(telling or known, key=lambda item: item[1], default=(None, 0.0))[0]


def campbell_figure(campbell: Campbell) -> Figure | None:
    """Natural frequencies over speed, orders as rays, crossings as dots sized by energy, operating range shaded."""
    speeds, curves, crossings = campbell.speeds_rpm, campbell.frequencies_hz, campbell.crossings
    if len(speeds) < 2 or not curves:
        return None
    highest = 1.15 * max((c.frequency_hz for c in crossings), default=max(max(c) for c in curves))
    visible = [curve for curve in curves if min(curve) <= highest]
    hover = "mode at %{y:.4g} Hz"
    data = [
        line("modes", speeds, y, "ink", width=1.3, legendgroup="modes", showlegend=i == 0, hovertemplate=hover)
        for i, y in enumerate(visible)
    ]
    rays, labels = _rays(campbell, highest)
    data += rays
    if crossings:
        data.append(_dots(crossings))
    across = axis("Speed of the input [rpm]", range=[speeds[0], speeds[-1]])
    up = axis("Frequency [Hz]", range=[0, highest])
    drawn = layout(across, up, 480, annotations=labels, rightLabels=True)
    if campbell.operating:
        drawn["shapes"] = [_operating(campbell.operating)]
    rest = len(curves) - len(visible)
    note = f"Modes above the highest crossing, not drawn: {rest}." if rest else ""
    return plot("campbell", _sentence(crossings), data, drawn, note)


def _rays(campbell: Campbell, highest: float) -> tuple[list[Trace], list[dict[str, JSON]]]:
    """Excitation orders from the left edge to the right or the top, and their labels at the end."""
    low, high = campbell.speeds_rpm[0], campbell.speeds_rpm[-1]
    rays: list[Trace] = []
    labels: list[Trace] = []
    labelled: list[tuple[float, float]] = []
    for excitation in campbell.lines:
        slope = abs(excitation.order) / 60.0
        if slope * high < 0.002 * highest or slope * low > highest:
            continue
        x = min(high, highest / slope)
        y = slope * x
        rays.append(
            line(
                "excitation orders",
                [low, x],
                [slope * low, y],
                "muted/0.7",
                "dot",
                0.9,
                legendgroup="orders",
                showlegend=not rays,
                hoverinfo="skip",
            )
        )
        # of labels that would overprint each other the first keeps its place
        if not any(abs(x - a) < 0.2 * high and abs(y - b) < 0.035 * highest for a, b in labelled):
            labelled.append((x, y))
            anchors = (
                {"xanchor": "left", "yanchor": "middle"} if x == high else {"xanchor": "center", "yanchor": "bottom"}
            )
            font: Trace = {"size": 10, "color": "@muted"}
            labels.append({"x": x, "y": y, "text": excitation.name, "showarrow": False, "font": font, **anchors})
    return rays, labels


def _dots(crossings: Sequence[Crossing]) -> Trace:
    shares = [min(max(c.share or 0.0, 0.0), 1.0) for c in crossings]
    bar: Trace = {
        "title": {"text": "energy share"},
        "thickness": 10,
        "len": 0.8,
        "xref": "container",
        "x": 1.0,
        "xanchor": "right",
    }
    marker: Trace = {"color": shares, "colorscale": "Viridis", "cmin": 0, "cmax": 1, "colorbar": bar}
    return {
        "x": [c.speed_rpm for c in crossings],
        "y": [c.frequency_hz for c in crossings],
        "text": [
            f"{c.line} meets mode {c.mode}<br>share {number(share, 3)}, margin {_percent(c.margin)}"
            for c, share in zip(crossings, shares, strict=True)
        ],
        "mode": "markers",
        "name": "crossings, size by energy share",
        "marker": {
            **marker,
            "size": [5.0 + 16.0 * math.sqrt(s) for s in shares],
            "line": {"color": "@ink", "width": 1},
        },
        "hovertemplate": "%{text}<br>%{y:.4g} Hz at %{x:.4g} rpm<extra></extra>",
    }


def _operating(ends: Sequence[float]) -> dict[str, JSON]:
    wide = ends[0] != ends[-1]
    place: Trace = {"x0": ends[0], "x1": ends[-1], "yref": "paper", "y0": 0, "y1": 1, "layer": "below"}
    edge: Trace = {"color": "@wheel", "width": 0 if wide else 1.5}
    return {"type": "rect" if wide else "line", "fillcolor": "@wheel/0.12", "line": edge, **place}


def _percent(value: float | None) -> str:
    return "unknown" if value is None else f"{number(100.0 * value, 3)} %"


def _sentence(crossings: Sequence[Crossing]) -> str:
    at = closest(crossings)
    if at is None:
        return "Natural frequencies over speed; no excitation meets a mode with a known margin."
    worst = crossings[at]
    return (
        f"The closest crossing that carries energy is {worst.line} with mode {worst.mode} at "
        f"{number(worst.speed_rpm)} rpm, {_percent(abs(worst.margin or 0.0))} from the operating speed (blue); large "
        "dots carry much of the mode's energy."
    )


def crossings_table(crossings: Sequence[Crossing], most: int = 20) -> Table:
    """Crossings ranked by their share of energy, the one closest to the operating speed marked."""
    ranked = sorted(crossings, key=lambda c: -(c.share or 0.0))
    rows = [
        [c.line, c.mode, c.frequency_hz, c.speed_rpm, *(None if v is None else 100.0 * v for v in (c.share, c.margin))]
        for c in ranked[:most]
    ]
    heads = numbers("Mode", "Frequency [Hz]", "Speed [rpm]", "Energy share [%]", "Margin to operating speed [%]")
    note = f"Shown: {len(rows)} of {len(ranked)} crossings, largest energy share first. "
    note += "Marked: closest to operating speed of those that carry energy."
    return Table("crossings", "Crossings", [*words("Excitation"), *heads], rows, closest(ranked[:most]), note)
