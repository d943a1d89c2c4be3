"""Small SVG drawings without a script: curves over one axis, with grid, ticks and a legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from .markup import element, shown, svg

#: colours that work on light and dark paper
COLOURS = ("#2a78b8", "#d1652b", "#3f9a5a", "#9a5bb5", "#b8912a", "#5f7a8c")
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 34, 46


@dataclass(frozen=True)
class Line:
    """One curve; NaN breaks it. ``dash`` is an SVG dash array."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str
    dash: str = ""


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most ``most`` steps."""
    raw = (high - low) / most
    if not 1e-300 < raw < 1e300 or raw <= 1e-15 * max(abs(low), abs(high)):
        return [low]
    scale = 10.0 ** math.floor(math.log10(raw))
    step = next(s * scale for s in (1.0, 2.0, 5.0, 10.0) if s * scale >= raw * (1.0 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def curves(
    lines: Sequence[Line], x_label: str, y_label: str, zero: bool = True, width: int = 760, height: int = 330
) -> Markup:
    """A figure of curves. ``zero``: the y axis begins at zero. The label of y stands above its axis."""
    xs, ys = (np.concatenate([np.asarray(getattr(line, axis), float) for line in lines]) for axis in "xy")
    ys = ys[np.isfinite(ys)]
    x0, x1 = float(xs.min()), float(xs.max())
    y0, y1 = (0.0 if zero else float(ys.min())), float(ys.max())
    pad = 0.06 * (y1 - y0 or abs(y1) or 1.0)
    y0, y1 = (y0 if zero else y0 - pad), y1 + pad
    sx, sy = (width - LEFT - RIGHT) / (x1 - x0 or 1.0), (height - TOP - BOTTOM) / (y1 - y0)

    def place(x: float, y: float) -> tuple[float, float]:
        return LEFT + (x - x0) * sx, height - BOTTOM - (y - y0) * sy

    parts = []
    for t in ticks(y0, y1):
        y = place(x0, t)[1]
        parts += [_grid(f"M{LEFT} {shown(y)}H{width - RIGHT}"), _words(LEFT - 7, y + 4, f"{t:.6g}", "end")]
    for t in ticks(x0, x1, 8):
        x = place(t, y0)[0]
        parts += [_grid(f"M{shown(x)} {TOP}V{height - BOTTOM}"), _words(x, height - BOTTOM + 17, f"{t:.6g}", "middle")]
    parts.append(_words(LEFT, TOP - 18, y_label, weight=600))
    parts.append(_words((LEFT + width - RIGHT) / 2.0, height - 8, x_label, "middle", 600))
    at = float(width - RIGHT)
    for line in reversed(lines):  # legend, from the right end of the head
        at -= 7.0 * len(line.name) + 34.0
        parts += [_stroke(line, f"M{shown(at)} {TOP - 22}h20", 2.0), _words(at + 25.0, TOP - 18, line.name)]
    for line in lines:
        pieces, pen = [], "M"
        for x, y in zip(line.x, line.y, strict=True):
            if not math.isfinite(y):
                pen = "M"
                continue
            pieces.append("{}{:.1f} {:.1f}".format(pen, *place(x, y)))
            pen = "L"
        parts.append(_stroke(line, "".join(pieces), 1.8))
    label = f"{y_label} over {x_label}"
    return svg((0, 0, width, height), label, parts, width="100%", font_size=12, fill="currentColor")


def _grid(path: str) -> Markup:
    return element("path", d=path, stroke="currentColor", stroke_opacity=0.2, fill="none")


def _stroke(line: Line, path: str, width: float) -> Markup:
    dash = line.dash or None
    return element("path", d=path, fill="none", stroke=line.colour, stroke_width=width, stroke_dasharray=dash)


def _words(x: float, y: float, words: str, anchor: str | None = None, weight: int | None = None) -> Markup:
    return element("text", words, x=x, y=y, text_anchor=anchor, font_weight=weight)
