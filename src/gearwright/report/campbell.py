"""The Campbell diagram: natural frequencies over speed, excitation orders, crossings by energy."""

from __future__ import annotations

import math
from typing import Any

from .figures import Figure, plot
from .format import number
from .tables import Column, Table

#: Crossings with less of the mode's energy than this are drawn, but do not count as the closest.
TELLING = 0.05
_AT_EDGE = {"xref": "container", "x": 1.0, "xanchor": "right"}


def crossings_of(campbell: dict[str, Any]) -> list[dict[str, Any]]:
    """Crossings with a place; share and margin are finite or None."""
    found = []
    for crossing in campbell.get("crossings") or []:
        if _finite(crossing.get("speed_rpm")) and _finite(crossing.get("frequency_hz")):
            known = {key: crossing[key] if _finite(crossing.get(key)) else None for key in ("share", "margin")}
            found.append({**crossing, **known})
    return found


def closest(crossings: list[dict[str, Any]]) -> int | None:
    """Which crossing lies closest to the operating speed, of those that carry energy (or of all, if none does)."""
    known = [i for i, c in enumerate(crossings) if c["margin"] is not None]
    telling = [i for i in known if (crossings[i]["share"] or 0.0) >= TELLING]
    return min(telling or known, key=lambda i: abs(crossings[i]["margin"]), default=None)


def campbell_figure(campbell: dict[str, Any]) -> Figure | None:
    """Natural frequencies over speed, orders as rays, crossings as dots sized by energy, operating range shaded."""
    speeds = [float(v) for v in campbell.get("speeds_rpm", [])]
    curves = campbell.get("frequencies_hz", [])
    if len(speeds) < 2 or not curves:
        return None
    crossings = crossings_of(campbell)
    highest = 1.15 * max((c["frequency_hz"] for c in crossings), default=max(max(c) for c in curves))
    visible = [curve for curve in curves if min(curve) <= highest]
    data: list[dict[str, Any]] = [
        {
            "x": speeds,
            "y": curve,
            "name": "modes",
            "legendgroup": "modes",
            "showlegend": i == 0,
            "line": {"color": "@ink", "width": 1.3},
            "hovertemplate": "mode at %{y:.4g} Hz",
        }
        for i, curve in enumerate(visible)
    ]
    rays, labels = _rays(campbell.get("lines", []), speeds, highest)
    data += rays
    if crossings:
        data.append(_dots(crossings))
    layout: dict[str, Any] = {
        "xaxis": {"title": {"text": "Speed of the input [rpm]"}, "range": [speeds[0], speeds[-1]]},
        "yaxis": {"title": {"text": "Frequency [Hz]"}, "range": [0, highest]},
        "annotations": labels,
        "rightLabels": True,
        "height": 480,
    }
    operating = campbell.get("operating_rpm")
    if operating is not None:
        layout["shapes"] = [_operating(operating)]
    rest = len(curves) - len(visible)
    note = f"Modes above the highest crossing, not drawn: {rest}." if rest else ""
    return plot("campbell", _sentence(crossings), data, layout, note)


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _rays(
    lines: list[dict[str, Any]], speeds: list[float], highest: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Excitation orders from the left edge to the right or the top, and their labels at the end."""
    rays: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    for line in lines:
        slope = abs(float(line["order"])) / 60.0
        if slope * speeds[-1] < 0.002 * highest or slope * speeds[0] > highest:
            continue
        end = min(speeds[-1], highest / slope)
        rays.append(
            {
                "x": [speeds[0], end],
                "y": [slope * speeds[0], slope * end],
                "name": "excitation orders",
                "legendgroup": "orders",
                "showlegend": not rays,
                "line": {"color": "@muted/0.7", "width": 0.9, "dash": "dot"},
                "hoverinfo": "skip",
            }
        )
        at_side = end == speeds[-1]
        label = {
            "x": end,
            "y": slope * end,
            "text": line["name"],
            "showarrow": False,
            "xanchor": "left" if at_side else "center",
            "yanchor": "middle" if at_side else "bottom",
            "font": {"size": 10, "color": "@muted"},
        }
        # of labels that would overprint each other the first keeps its place
        near = (
            abs(label["x"] - o["x"]) < 0.2 * speeds[-1] and abs(label["y"] - o["y"]) < 0.035 * highest for o in labels
        )
        if not any(near):
            labels.append(label)
    return rays, labels


def _dots(crossings: list[dict[str, Any]]) -> dict[str, Any]:
    shares = [min(max(c["share"] or 0.0, 0.0), 1.0) for c in crossings]
    return {
        "x": [c["speed_rpm"] for c in crossings],
        "y": [c["frequency_hz"] for c in crossings],
        "text": [
            f"{c['line']} meets mode {c['mode']}<br>share {number(share, 3)}, margin {_percent(c['margin'])}"
            for c, share in zip(crossings, shares, strict=True)
        ],
        "mode": "markers",
        "name": "crossings, size by energy share",
        "marker": {
            "size": [5.0 + 16.0 * math.sqrt(share) for share in shares],
            "color": shares,
            "colorscale": "Viridis",
            "cmin": 0,
            "cmax": 1,
            "line": {"color": "@ink", "width": 1},
            "colorbar": {"title": {"text": "energy share"}, "thickness": 10, "len": 0.8, **_AT_EDGE},
        },
        "hovertemplate": "%{text}<br>%{y:.4g} Hz at %{x:.4g} rpm<extra></extra>",
    }


def _operating(operating: float | list[float]) -> dict[str, Any]:
    ends = operating if isinstance(operating, list) else [operating, operating]
    wide = ends[0] != ends[-1]
    return {
        "type": "rect" if wide else "line",
        "x0": ends[0],
        "x1": ends[-1],
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "fillcolor": "@wheel/0.12",
        "line": {"color": "@wheel", "width": 0 if wide else 1.5},
        "layer": "below",
    }


def _percent(value: float | None) -> str:
    return "unknown" if value is None else f"{number(100.0 * value, 3)} %"


def _sentence(crossings: list[dict[str, Any]]) -> str:
    at = closest(crossings)
    if at is None:
        return "Natural frequencies over speed; no excitation meets a mode with a known margin."
    worst = crossings[at]
    return (
        f"The closest crossing that carries energy is {worst['line']} with mode {worst['mode']} at "
        f"{number(worst['speed_rpm'])} rpm, {_percent(abs(worst['margin']))} from the operating speed (blue); large "
        "dots carry much of the mode's energy."
    )


def crossings_table(crossings: list[dict[str, Any]], most: int = 20) -> Table:
    """Crossings ranked by their share of energy, the one closest to the operating speed marked."""
    ranked = sorted(crossings, key=lambda c: -(c["share"] or 0.0))
    rows: list[list[Any]] = [
        [c["line"], int(c["mode"]), c["frequency_hz"], c["speed_rpm"], *(None if c[k] is None else 100.0 * c[k] for k in ("share", "margin"))]
        for c in ranked[:most]
    ]  # fmt: skip
    columns = [Column("Excitation", words=True), Column("Mode"), Column("Frequency", "Hz"), Column("Speed", "rpm")]
    columns += [Column("Energy share", "%"), Column("Margin to operating speed", "%")]
    note = f"Shown: {len(rows)} of {len(ranked)} crossings, largest energy share first. "
    note += "Marked: closest to operating speed of those that carry energy."
    return Table("crossings", "Crossings", columns, rows, closest(ranked[:most]), note)
