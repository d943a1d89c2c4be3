"""Picture of a steady power flow: bodies and elements from input to output, arrows as wide as their power, losses red.

Drawn without a script. Equal planets
(``planet1``, ``planet2``, ...) and their meshes are drawn once, with the sum of their powers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup

from gearwright.analyses.power_flow import Joint, MeshFlow, PowerFlow
from gearwright.figures.markup import element, shown, svg

#: colours that work on light and dark paper: power, power beyond the throughput, loss
FLOW, INNER, LOSS = "#2a78b8", "#b8912a", "#c0392b"
PAPER = "var(--paper, #fff)"
#: widest and thinnest arrow, and sizes of boxes [px]
WIDEST, THINNEST = 26.0, 1.2
BODY_WIDTH, BODY_HEIGHT, ELEMENT_WIDTH, ELEMENT_HEIGHT = 124, 62, 128, 46
COLUMN, LINE, MARGIN, TOP = 232, 132, 96, 44


@dataclass
class _Node:
    """A body or an element of the picture."""

    name: str
    body: bool
    #: below the name
    lines: list[str] = field(default_factory=list)
    #: power from outside (bodies) and power lost (elements) [W]
    outside: float = 0.0
    loss: float = 0.0
    count: int = 0
    x: float = 0.0
    y: float = 0.0

    @property
    def size(self) -> tuple[int, int]:
        return (BODY_WIDTH, BODY_HEIGHT) if self.body else (ELEMENT_WIDTH, ELEMENT_HEIGHT)


def _together(name: str) -> str:
    """Name of what is drawn once for equal planets."""
    return re.sub(r"(planet)_?\d+", r"\1s", name)


def watts(value: float) -> str:
    """Power in the unit that fits, three digits."""
    size = abs(value)
    factor, unit = (1e-6, "MW") if size >= 1e6 else (1e-3, "kW") if size >= 1e3 else (1.0, "W")
    return f"{value * factor:.3g} {unit}"


def _graph(flow: PowerFlow) -> tuple[dict[str, _Node], dict[tuple[str, str], float]]:
    """Nodes by key and powers from element to body (negative: from body to element)."""
    nodes: dict[str, _Node] = {}
    powers: dict[tuple[str, str], float] = {}
    speed = {m.name: m.speed for m in flow.members}
    for m in flow.members:
        key = f"body {_together(m.name)}"
        node = nodes.setdefault(key, _Node(_together(m.name), True))
        node.count += 1
        node.outside += m.power
        if node.count == 1:
            node.lines = ["held" if m.part == "held" else f"{m.speed:.4g} rad/s"]
            if m.torque:
                node.lines.append(f"{m.torque:.4g} N m")
    elements: list[MeshFlow | Joint] = [*flow.meshes, *flow.joints]
    for e in elements:
        if not e.powers:
            continue
        key = f"element {_together(e.name)}"
        node = nodes.setdefault(key, _Node(_together(e.name), False))
        node.count += 1
        if isinstance(e, MeshFlow):
            node.loss += e.loss
        else:
            node.lines = [f"{e.type} {e.torque:.4g} N m"]
        for body, value in e.powers.items():
            arrow = key, f"body {_together(body)}"
            powers[arrow] = powers.get(arrow, 0.0) + (value if speed[body] else 0.0)
    for name, heat in flow.drags.items():
        key = f"element {name}"
        nodes[key] = _Node(name, False, ["drag"], loss=heat, count=1)
    stage = {node.name.partition(".")[0] if "." in node.name else None for node in nodes.values()}
    for node in nodes.values():
        if len(stage) == 1 and None not in stage:
            node.name = node.name.partition(".")[2]  # of the only stage
        if node.count > 1:
            node.name += f" ({node.count})"
    return nodes, powers


def _levels(nodes: Mapping[str, _Node], powers: Mapping[tuple[str, str], float], start: str | None) -> list[list[str]]:
    """Columns of the picture: distance from the input, ordered so that few arrows cross."""
    near: dict[str, list[str]] = {key: [] for key in nodes}
    for part, body in powers:
        near[part].append(body)
        near[body].append(part)
    left = [key for key in nodes if near[key]]
    level: dict[str, int] = {}
    while left:
        begin = start if start in left else max(left, key=lambda k: (nodes[k].body, nodes[k].outside))
        level[begin] = 0
        queue = [begin]
        for key in queue:
            for other in near[key]:
                if other not in level:
                    level[other] = level[key] + 1
                    queue.append(other)
        left = [key for key in left if key not in level]
    columns: list[list[str]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for key, at in level.items():
        columns[at].append(key)
    for _ in range(4):
        place = {key: i - 0.5 * (len(column) - 1) for column in columns for i, key in enumerate(column)}
        for column in columns:
            column.sort(key=lambda k: sum(place[o] for o in near[k]) / len(near[k]))
    return columns


def _curve(x0: float, y0: float, x1: float, y1: float, bend: float) -> str:
    return f"M{shown(x0)} {shown(y0)}C{shown(x0 + bend)} {shown(y0)} {shown(x1 - bend)} {shown(y1)} {shown(x1)} {shown(y1)}"


def _stroke(path: str, colour: str, width: float, opacity: float = 0.75) -> Markup:
    return element("path", d=path, fill="none", stroke=colour, stroke_opacity=opacity, stroke_width=width)


def _arrow(x0: float, y0: float, x1: float, y1: float, width: float, colour: str) -> list[Markup]:
    """A curve from one point to another, level at both ends, with a head of its own size."""
    way = 1.0 if x1 >= x0 else -1.0
    end = x1 - way * (5.0 + 0.75 * width)
    half = 3.0 + 0.75 * width
    head = f"M{shown(x1)} {shown(y1)}L{shown(end)} {shown(y1 - half)}V{shown(y1 + half)}Z"
    bend = way * 0.5 * abs(end - x0)
    return [_stroke(_curve(x0, y0, end, y1, bend), colour, width), element("path", d=head, fill=colour)]


def _label(
    x: float, y: float, words: str, colour: str = "currentColor", anchor: str = "middle", weight: int = 400
) -> Markup:
    """Text with a halo of the paper, so that it can stand on an arrow."""
    halo = {"paint_order": "stroke", "stroke": PAPER, "stroke_width": 4, "stroke_linejoin": "round"}
    return element("text", words, x=x, y=y, text_anchor=anchor, fill=colour, font_weight=weight, **halo)


def _offsets(
    nodes: Mapping[str, _Node], powers: Mapping[tuple[str, str], float], widths: Mapping[tuple[str, str], float]
) -> dict[tuple[str, tuple[str, str]], float]:
    """Where on the side of a box each arrow ends, from its middle: side by side, in the order of their other ends."""
    sides: dict[tuple[str, bool], list[tuple[float, tuple[str, str]]]] = {}
    for part, body in powers:
        e, b = nodes[part], nodes[body]
        sides.setdefault((part, b.x > e.x), []).append((b.y, (part, body)))
        sides.setdefault((body, e.x > b.x), []).append((e.y, (part, body)))
    found = {}
    for (key, _), arrows in sides.items():
        arrows.sort()
        room = nodes[key].size[1] / max(len(arrows), 1)
        gap = max(3.0, min(room, 24.0) - sum(widths[a] for _, a in arrows) / len(arrows))
        total = sum(widths[a] for _, a in arrows) + gap * (len(arrows) - 1)
        at = -0.5 * total
        for _, arrow in arrows:
            found[key, arrow] = at + 0.5 * widths[arrow]
            at += widths[arrow] + gap
    return found


def _outside_way(node: _Node, columns: list[list[str]]) -> int:
    """Side on which power from outside is drawn: left (-1) of the first column, right (1) of the last, else above (0)."""
    first = MARGIN + 0.5 * BODY_WIDTH
    return -1 if node.x == first else 1 if node.x == first + (len(columns) - 1) * COLUMN else 0


def _outside(node: _Node, width: float, columns: list[list[str]]) -> list[Markup]:
    """Arrow of the power that a body takes from outside or gives there, and its label."""
    way = _outside_way(node, columns)
    words = watts(abs(node.outside))
    if way:
        x = node.x + way * 0.5 * BODY_WIDTH
        ends = (x + way * 64, x) if node.outside > 0.0 else (x, x + way * 64)
        label = _label(x + way * 32, node.y - 0.5 * width - 8, words, weight=600)
        return [*_arrow(ends[0], node.y, ends[1], node.y, width, FLOW), label]
    top, long, head = node.y - 0.5 * BODY_HEIGHT, 40.0, 5.0 + 0.5 * width
    half = 3.0 + 0.75 * width
    tip, tail = (top, top - long) if node.outside > 0.0 else (top - long, top)
    neck = tip - head if node.outside > 0.0 else tip + head
    point = f"M{shown(node.x)} {shown(tip)}L{shown(node.x - half)} {shown(neck)}H{shown(node.x + half)}Z"
    return [
        _stroke(f"M{shown(node.x)} {shown(tail)}V{shown(neck)}", FLOW, width),
        element("path", d=point, fill=FLOW),
        _label(node.x + 0.75 * width + 8, top - 18, words, anchor="start", weight=600),
    ]


def power_picture(flow: PowerFlow) -> Markup | None:
    """SVG of a power flow; None where nothing flows."""
    nodes, powers = _graph(flow)
    start = f"body {_together(flow.input)}" if flow.input else None
    columns = _levels(nodes, powers, start)
    if not columns:
        return None
    rows = max(len(column) for column in columns)
    width = 2 * MARGIN + BODY_WIDTH + (len(columns) - 1) * COLUMN
    height = 2 * TOP + rows * LINE
    for i, column in enumerate(columns):
        for j, key in enumerate(column):
            nodes[key].x = MARGIN + 0.5 * BODY_WIDTH + i * COLUMN
            nodes[key].y = 0.5 * height + (j - 0.5 * (len(column) - 1)) * LINE - 8
    through = max(flow.input_power, 1e-300)
    largest = max([through, *(abs(v) for v in powers.values())])
    parts, labels = _arrows(nodes, powers, through, largest)
    for node in (nodes[key] for column in columns for key in column):
        if node.body and abs(node.outside) > 1e-9 * largest:
            *drawn, label = _outside(node, _wide(node.outside, largest), columns)
            parts += drawn
            labels.append(label)
        if node.loss > 1e-12 * largest:
            share = f" ({100 * node.loss / through:.2g} %)" if flow.input_power > 0.0 else ""
            parts += _heat(node, max(1.6, WIDEST * node.loss / largest))
            labels.append(_label(node.x, node.y + 0.5 * node.size[1] + 35.0, f"{watts(node.loss)}{share}", LOSS))
        parts += _box(node)
    head = f"Power flow of {flow.name}" + (f", {flow.case}" if flow.case else "")
    style = f"max-width:{width}px;min-width:{0.7 * width:.0f}px"
    look = {"width": "100%", "style": style, "font_size": 12, "fill": "currentColor"}
    return svg((0, 0, width, height), head, [*parts, *labels], **look)


def _wide(power: float, largest: float) -> float:
    return max(THINNEST, WIDEST * abs(power) / largest)


def _arrows(
    nodes: Mapping[str, _Node], powers: Mapping[tuple[str, str], float], through: float, largest: float
) -> tuple[list[Markup], list[Markup]]:
    """What flows between elements and bodies, and its labels."""
    parts: list[Markup] = []
    labels: list[Markup] = []
    offsets = _offsets(nodes, powers, {arrow: _wide(power, largest) for arrow, power in powers.items()})
    for (key, body), power in powers.items():
        e, b = nodes[key], nodes[body]
        side = 1.0 if b.x > e.x else -1.0
        at_e = e.x + side * 0.5 * ELEMENT_WIDTH, e.y + offsets[key, (key, body)]
        at_b = b.x - side * 0.5 * BODY_WIDTH, b.y + offsets[body, (key, body)]
        if abs(power) <= 1e-9 * largest:
            path = _curve(*at_e, *at_b, 0.5 * (at_b[0] - at_e[0]))
            look = {"stroke_opacity": 0.4, "stroke_dasharray": "3 4"}
            parts.append(element("path", d=path, fill="none", stroke="currentColor", **look))
            continue
        tail, tip = (at_e, at_b) if power > 0.0 else (at_b, at_e)
        beyond = abs(power) > through * (1.0 + 1e-6)
        parts += _arrow(*tail, *tip, _wide(power, largest), INNER if beyond else FLOW)
        # nearer to the body, where fewer arrows meet
        x, y = 0.35 * at_e[0] + 0.65 * at_b[0], 0.28 * at_e[1] + 0.72 * at_b[1]
        labels.append(_label(x, y + 4, watts(abs(power))))
    return parts, labels


def _heat(node: _Node, width: float) -> list[Markup]:
    """The arrow of what is lost, below a box."""
    y = node.y + 0.5 * node.size[1]
    head = f"M{shown(node.x)} {shown(y + 22.0)}l{shown(-4 - 0.7 * width)} -9h{shown(8 + 1.4 * width)}Z"
    line = element("path", d=f"M{shown(node.x)} {shown(y)}v15", stroke=LOSS, stroke_width=width)
    return [line, element("path", d=head, fill=LOSS)]


def _box(node: _Node) -> list[Markup]:
    """A body or element with its name and lines; hatched below where it is held."""
    w, h = node.size
    corner = {"x": node.x - 0.5 * w, "y": node.y - 0.5 * h, "width": w, "height": h, "rx": 4 if node.body else 19}
    parts = [element("rect", **corner, fill=PAPER, stroke="currentColor", stroke_width=1.6 if node.body else 1.0)]
    if "held" in (node.lines or [""])[0]:
        y = node.y + 0.5 * h
        hatch = "".join(f"M{node.x - 30 + 12 * i:.0f} {y + 8:.0f}l7 -8" for i in range(6))
        parts.append(element("path", d=hatch, stroke="currentColor", fill="none"))
    first = node.y + 4 - 7.5 * len(node.lines)
    head = {"x": node.x, "y": first, "text_anchor": "middle", "font_weight": 600 if node.body else 400}
    parts.append(element("text", _short(node.name), **head))
    for i, line in enumerate(node.lines):
        parts.append(element("text", line, x=node.x, y=first + 15 * (i + 1), text_anchor="middle", font_size=11))
    return parts


def _short(name: str) -> str:
    """The tail of a long name."""
    return name if len(name) <= 18 else "…" + name[-17:]
