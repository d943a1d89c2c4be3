"""Small SVG drawings without a script: curves over one axis, with grid, ticks and a legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .format import text

#: colours that work on light and dark paper
COLOURS = ("#2a78b8", "#d1652b", "#3f9a5a", "#9a5bb5", "#b8912a", "#5f7a8c")


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
) -> str:
    """A figure of curves. ``zero``: the y axis begins at zero. The label of y stands above its axis."""
    left, right, top, bottom = 62, 14, 34, 46
    xs = np.concatenate([np.asarray(line.x, float) for line in lines])
    ys = np.concatenate([np.asarray(line.y, float) for line in lines])
    ys = ys[np.isfinite(ys)]
    x0, x1 = float(xs.min()), float(xs.max())
    y0, y1 = (0.0 if zero else float(ys.min())), float(ys.max())
    pad = 0.06 * (y1 - y0 or abs(y1) or 1.0)
    y0, y1 = (y0 if zero else y0 - pad), y1 + pad
    sx = (width - left - right) / (x1 - x0 or 1.0)
    sy = (height - top - bottom) / (y1 - y0)
    parts = [
        f'<svg width="100%" font-size="12" fill="currentColor" viewBox="0 0 {width} {height}" role="img" aria-label="{text(y_label)} over {text(x_label)}">'
    ]
    for t in ticks(y0, y1):
        y = height - bottom - (t - y0) * sy
        parts.append(
            f'<path stroke="currentColor" stroke-opacity="0.2" fill="none" d="M{left} {y:.1f}H{width - right}"/>'
        )
        parts.append(f'<text x="{left - 7}" y="{y + 4:.1f}" text-anchor="end">{t:.6g}</text>')
    for t in ticks(x0, x1, 8):
        x = left + (t - x0) * sx
        parts.append(
            f'<path stroke="currentColor" stroke-opacity="0.2" fill="none" d="M{x:.1f} {top}V{height - bottom}"/>'
        )
        parts.append(f'<text x="{x:.1f}" y="{height - bottom + 17}" text-anchor="middle">{t:.6g}</text>')
    parts.append(f'<text x="{left}" y="{top - 18}" font-weight="600">{text(y_label)}</text>')
    parts.append(
        f'<text x="{(left + width - right) / 2:.0f}" y="{height - 8}" text-anchor="middle" font-weight="600">{text(x_label)}</text>'
    )
    at = float(width - right)
    for line in reversed(lines):  # legend, from the right end of the head
        at -= 7.0 * len(line.name) + 34.0
        dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
        parts.append(f'<path d="M{at:.0f} {top - 22}h20" stroke="{line.colour}" stroke-width="2" fill="none"{dash}/>')
        parts.append(f'<text x="{at + 25:.0f}" y="{top - 18}">{text(line.name)}</text>')
    for line in lines:
        dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
        pieces, pen = [], "M"
        for x, y in zip(line.x, line.y, strict=True):
            if not math.isfinite(y):
                pen = "M"
                continue
            pieces.append(f"{pen}{left + (x - x0) * sx:.1f} {height - bottom - (y - y0) * sy:.1f}")
            pen = "L"
        parts.append(f'<path d="{"".join(pieces)}" fill="none" stroke="{line.colour}" stroke-width="1.8"{dash}/>')
    return "".join([*parts, "</svg>"])


__all__ = ["COLOURS", "Line", "curves", "ticks"]
