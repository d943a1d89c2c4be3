"""The scheme of a drivetrain: a side view as SVG, drawn from a :class:`~gearwright.train.train.Train`.

Shafts run along x from the rotor to the machine (or downwards when ``upright``, for narrow pages). Wheels are
rectangles hatched as their teeth lie, planets sit on their carrier's pins, a fixed ring has ground hatching,
bearings are boxes with crosses. Only the ratio of radii within a stage is to scale. Colours are the house's, and
follow the page's light or dark variables where it defines them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gearwright.train.train import Train

from .markup import Markup, element, escape, svg
from .palette import COLOURS, FILL_SUN
from .scheme_layout import Group, Layout, layout

_SHAFT = 4.0  # half thickness of a shaft
_CALLOUT, _APART = 10.0, 26.0  # radius of a numbered mark, and how far marks stand apart
_ROLE_WORDS = ("rotor", "carrier", "planet", "ring", "sun", "wheel", "pinion", "shaft", "bearing", "machine")


@dataclass(frozen=True)
class Mark:
    """A number beside the part of a train that it is about: a body, a bearing or a shaft by name; filled where it ``fails``."""

    number: int
    element: str
    fails: bool


class _Pen:
    """Collects SVG; turns drawing coordinates (x along the shafts, y up) into the page's."""

    def __init__(self, upright: bool) -> None:
        self.upright = upright
        self.parts: list[Markup] = []
        self.anchors: dict[str, tuple[float, float]] = {}
        self.low = [float("inf"), float("inf")]
        self.high = [float("-inf"), float("-inf")]

    def point(self, x: float, y: float) -> tuple[float, float]:
        place = (y, x) if self.upright else (x, -y)
        for axis in (0, 1):
            self.low[axis] = min(self.low[axis], place[axis])
            self.high[axis] = max(self.high[axis], place[axis])
        return place

    def box(self, x0: float, y0: float, x1: float, y1: float, style: str, title: str = "") -> None:
        (a, b), (c, d) = self.point(x0, y0), self.point(x1, y1)
        corner = {"x": min(a, c), "y": min(b, d), "width": abs(c - a), "height": abs(d - b)}
        self.parts.append(element("rect", _title(title), **corner, rx=1.5, class_=style))

    def stands(self, x: float, y: float, *names: str) -> None:
        """Where parts are drawn, the first place of each."""
        for name in names:
            self.anchors.setdefault(name, self.point(x, y))

    def line(self, points: list[tuple[float, float]], style: str, title: str = "") -> None:
        self.parts.append(element("polyline", _title(title), points=self.places(points), class_=style))

    def places(self, points: list[tuple[float, float]]) -> str:
        """Points as an attribute."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.point(*p) for p in points))

    def write(self, place: tuple[float, float], words: str, style: str, anchor: str, room: float) -> None:
        """Words at a place of the page; cut to ``room`` with the whole as a tooltip."""
        size = 7.4 if "gw-name" in style else 6.9
        most = max(int(room / size), 4)
        shown = words if len(words) <= most else words[: most - 1] + "…"
        width = size * len(shown)
        start = place[0] - {"start": 0.0, "middle": width / 2.0, "end": width}[anchor]
        self.low = [min(self.low[0], start), min(self.low[1], place[1] - 12.0)]
        self.high = [max(self.high[0], start + width), max(self.high[1], place[1] + 4.0)]
        inner = [*_title(words if shown != words else ""), escape(shown)]
        self.parts.append(element("text", inner, x=place[0], y=place[1], text_anchor=anchor, class_=style))

    def gear(self, x0: float, y0: float, x1: float, y1: float, role: str, title: str, helical: bool = False) -> None:
        """A wheel seen from the side, hatched along its teeth."""
        self.box(x0, y0, x1, y1, f"gw-part gw-{role}", title)
        slant = 5.0 if helical else 0.0
        count = max(int((y1 - y0 - slant) // 5.0), 1)
        for i in range(1, count):
            y = y0 + (y1 - y0 - slant) * i / count
            self.line([(x0 + 1.5, y), (x1 - 1.5, y + slant)], "gw-teeth")

    def bearing(self, x: float, y: float, title: str, ground: float = 0.0) -> None:
        """A box with a cross, and ground hatching on one side (``ground`` +1 above, -1 below)."""
        h = 6.0
        self.box(x - h, y - h, x + h, y + h, "gw-part gw-box", title)
        self.line([(x - h, y - h), (x + h, y + h)], "gw-cross")
        self.line([(x - h, y + h), (x + h, y - h)], "gw-cross")
        if ground:
            self.ground(x - 9.0, x + 9.0, y + ground * (h + 1.5), ground)

    def ground(self, x0: float, x1: float, y: float, side: float) -> None:
        self.line([(x0, y), (x1, y)], "gw-ground")
        count = max(int((x1 - x0) // 6.0), 2)
        for i in range(count):
            x = x0 + (x1 - x0) * (i + 0.35) / count
            self.line([(x, y), (x + 4.0, y + side * 5.0)], "gw-ground")


def _title(words: str) -> list[Markup]:
    return [element("title", words)] if words else []


def scheme(train: Train, upright: bool = False, marks: Sequence[Mark] = ()) -> Markup:
    """The drivetrain as an ``<svg>`` element, side view, labelled, with title and description for readers' voices.

    Parameters
    ----------
    train : the expanded train: stages, shafts, bodies, bearings, machines
    upright : shafts run down the page and captions stand at the side (readable at 390 px)
    marks : numbers with a line to a part; those of parts that are not drawn are left out

    Returns
    -------
    Markup : one self-contained ``<svg>`` element; every name in it is escaped
    """
    plan = layout(train)
    pen = _Pen(upright)
    for link in plan.links:
        _draw_link(pen, plan, link.name, link.kind, link.between)
    for group in plan.groups:
        {"planetary": _draw_planetary, "parallel": _draw_parallel, "body": _draw_body}[group.kind](
            pen, plan, group, train
        )
    _captions(pen, plan)
    _callouts(pen, marks)
    _legend(pen)
    return _svg(pen, train, plan)


def _svg(pen: _Pen, train: Train, plan: Layout) -> Markup:
    if not plan.groups:
        pen.write((0.0, 0.0), "no bodies", "gw-note", "start", 200.0)
    x, y = pen.low[0] - 6.0, pen.low[1] - 6.0
    width, height = pen.high[0] + 6.0 - x, pen.high[1] + 8.0 - y
    sentence = _sentence(train, plan)
    head = [
        element("title", f"Scheme of {train.name}"),
        element("desc", sentence),
        element("style", [Markup(_style())]),
    ]
    box = (round(x), round(y), round(width), round(height))
    return svg(box, sentence, [*head, *pen.parts], class_="scheme", style=f"max-width:{width * 1.2:.0f}px")


def _style() -> str:
    """Colours are those of the page where it has them."""
    fills = {name: f"var(--c-{name},{light})" for name, (light, _) in COLOURS.items()}
    ink, muted, bearing = fills["ink"], fills["muted"], fills["bearing"]
    own = {"sun": f"var(--f-sun,{FILL_SUN})"}
    left_out = ("ink", "muted", "grid", "paper")
    drawn = "".join(f".gw-{name}{{fill:{own.get(name, fill)}}}" for name, fill in fills.items() if name not in left_out)
    font = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
    return drawn + "".join(
        f".gw-{name}{{{look}}}"
        for name, look in (
            ("part", f"stroke:{ink};stroke-width:1"),
            ("box", f"fill:{fills['paper']};stroke:{bearing};stroke-width:1.6"),
            ("cross", f"stroke:{bearing};stroke-width:1.2;fill:none"),
            ("teeth", "stroke:#fff;stroke-opacity:.55;stroke-width:.9;fill:none"),
            ("ground", f"stroke:{muted};stroke-width:1.1;fill:none"),
            ("link", f"stroke:{muted};stroke-width:1.6;stroke-dasharray:5 4;fill:none"),
            ("axis", f"stroke:{muted};stroke-width:.7;stroke-dasharray:10 3 2 3;fill:none"),
            ("bar", f"stroke:{fills['shaft']};stroke-width:8;stroke-linejoin:round;fill:none"),
            ("lead", f"stroke:{ink};stroke-width:1.1;fill:none"),
            ("pass", f"fill:{fills['paper']};stroke:{ink};stroke-width:1.4"),
            ("fail", f"fill:{fills['machine']};stroke:{fills['machine']};stroke-width:1.4"),
            ("number", f"font-family:{font};fill:{ink};font-size:12px;font-weight:600"),
            ("failed", f"font-family:{font};fill:{fills['paper']};font-size:12px;font-weight:600"),
            ("name", f"font-family:{font};fill:{ink};font-size:13px;font-weight:600"),
            ("note", f"font-family:{font};fill:{muted};font-size:12px"),
        )
    )


def _sentence(train: Train, plan: Layout) -> str:
    parts = [" ".join(group.caption) for group in plan.groups]
    shafts = [link.name for link in plan.links if link.kind == "shaft"]
    joined = f"; shafts {', '.join(shafts)}" if shafts else ""
    return f"Side view of {train.name}, from input to output: {'; '.join(parts)}{joined}."


def _draw_link(pen: _Pen, plan: Layout, name: str, kind: str, between: tuple[str, str]) -> None:
    body_one, body_two = between
    if kind == "joined":
        groups = sorted(plan.home[body_one], key=lambda group: group.x)
        for left, right in pairwise(groups):
            points = [(_middle(left), left.height(body_one)), (_middle(right), right.height(body_one))]
            pen.line(points, "gw-bar", name)
        return
    one, two = plan.home[body_one][0], plan.home[body_two][0]
    if one is two:
        return
    if one.x > two.x:
        one, two, body_one, body_two = two, one, body_two, body_one
    y0, y1 = one.height(body_one), two.height(body_two)
    x0, x1 = _middle(one), _middle(two)
    style = "gw-bar" if kind == "shaft" else "gw-link"
    start, end = one.x + (one.slot + one.width) / 2.0, two.x + (two.slot - two.width) / 2.0
    knee = start + 14.0
    points = [(x0, y0), (x1, y1)]
    if abs(y0 - y1) > 0.5:
        points[1:1] = [(knee, y0), (knee, y1)]
        start = knee
    pen.line(points, style, f"{name} ({kind})")
    px, py = pen.point((start + end) / 2.0, y1)
    pen.stands((start + end) / 2.0, y1, name)
    if pen.upright:
        pen.write((px + 9.0, py + 4.0), name, "gw-note", "start", 110.0)
    else:
        pen.write((px, py - 9.0), name, "gw-note", "middle", max(end - start + 10.0, 50.0))


def _middle(group: Group) -> float:
    return group.x + group.slot / 2.0


def _supports(pen: _Pen, plan: Layout, body: str, x: float, y: float, fixed: bool = False) -> None:
    """Bearings of a body to the housing, at ``x`` on its shaft; whatever else holds it to the housing."""
    names = plan.bearings.get(body, [])
    if names:
        title = ", ".join(names)
        pen.stands(x, y + _SHAFT + 7.0, *names)
        pen.bearing(x, y + _SHAFT + 7.0, title, 1.0)
        pen.bearing(x, y - _SHAFT - 7.0, title, -1.0)
    if fixed:
        pen.ground(x - 10.0, x + 10.0, y - _SHAFT - 1.0, -1.0)
    for i, what in enumerate(plan.grounded.get(body, [])):
        at = x + 20.0 + 16.0 * i
        pen.box(at - 5.0, y + _SHAFT + 1.0, at + 5.0, y + _SHAFT + 13.0, "gw-part gw-machine", what)
        pen.ground(at - 8.0, at + 8.0, y + _SHAFT + 14.0, 1.0)


def _draw_planetary(pen: _Pen, plan: Layout, group: Group, train: Train) -> None:
    middle, y = _middle(group), group.axis
    sun, planet, ring = (group.radii[role] for role in ("sun", "planet", "ring"))
    reach = sun + planet
    names = group.members
    # the carrier's plate stands on the side its shaft leaves
    side = -1.0 if names.get("carrier") == group.front or names.get("sun") != group.front else 1.0
    plate = middle + side * 34.0
    fixed = {role: train.bodies[name].fixed for role, name in names.items()}
    pen.line([(middle - 58.0, y), (middle + 58.0, y)], "gw-axis")
    if "carrier" in names:
        pen.line([(middle + side * 58.0, y), (plate, y)], "gw-bar")
        pen.box(plate - 5.0, y - reach - 9.0, plate + 5.0, y + reach + 9.0, "gw-part gw-carrier", names["carrier"])
        pen.stands(plate, y + 0.5 * reach, names["carrier"])
        for up in (-1.0, 1.0):
            pin = (min(plate, middle - side * 26.0), max(plate, middle - side * 26.0))
            pen.box(pin[0], y + up * reach - 3.0, pin[1], y + up * reach + 3.0, "gw-part gw-carrier")
    if "sun" in names:
        if names["sun"] in plan.bearings or len(plan.home[names["sun"]]) > 1 or _linked(plan, names["sun"]):
            pen.line([(middle, y), (middle - side * 58.0, y)], "gw-bar")
        pen.gear(middle - 20.0, y - sun, middle + 20.0, y + sun, "sun", names["sun"], group.helical)
        pen.stands(middle + 8.0, y, names["sun"])
    teeth = 1.5 if "ring" in names else 0.0
    planets = [b.name for b in train.bodies.values() if b.stage == group.name and b.role == "planet"]
    held = [b.name for b in train.bearings.values() if b.stage == group.name and set(b.between) & set(planets)]
    pen.stands(middle - 10.0, y + reach + 0.55 * planet, *planets)
    pen.stands(middle, y + reach, *held)
    for up in (1.0, -1.0):
        centre = y + up * reach
        label = ", ".join(planets)
        pen.gear(
            middle - 17.0,
            centre - planet + 1.5,
            middle + 17.0,
            centre + planet - teeth,
            "planet1",
            label,
            group.helical,
        )
        pen.bearing(middle, centre, ", ".join(held) or f"pins of {label}")
    if "ring" in names:
        pen.stands(middle, y + ring + 6.0, names["ring"])
        for up in (1.0, -1.0):
            low, high = sorted((y + up * ring, y + up * (ring + 13.0)))
            pen.gear(middle - 21.0, low, middle + 21.0, high, "ring", names["ring"], group.helical)
            top = y + up * (ring + 13.0)
            if fixed["ring"]:
                pen.ground(middle - 24.0, middle + 24.0, top + up * 1.5, up)
            elif plan.bearings.get(names["ring"]):
                pen.bearing(middle, top + up * 7.0, ", ".join(plan.bearings[names["ring"]]), up)
        if not fixed["ring"] and _linked(plan, names["ring"]):
            drum = middle + (30.0 if names["ring"] != group.front else -48.0)
            for up in (1.0, -1.0):
                pen.line([(middle, y + up * (ring + 6.0)), (drum, y + up * (ring + 6.0)), (drum, y)], "gw-bar")
    if "carrier" in names:
        _supports(pen, plan, names["carrier"], middle + side * 50.0, y, fixed["carrier"])
    if "sun" in names:
        _supports(pen, plan, names["sun"], middle - side * 42.0, y, fixed["sun"])


def _linked(plan: Layout, body: str) -> bool:
    return len(plan.home.get(body, [])) > 1 or any(body in link.between for link in plan.links)


def _draw_parallel(pen: _Pen, plan: Layout, group: Group, train: Train) -> None:
    middle = _middle(group)
    radii = {group.members[key]: group.radii[key] for key in ("first", "second")}
    larger = max(radii.values())
    for body, radius in radii.items():
        y = group.height(body)
        front = body == group.front
        half = 15.0 if radius == larger else 18.0
        role = "wheel" if radius == larger else "pinion"
        ends = (middle - 40.0, middle + 24.0) if front else (middle - 24.0, middle + 40.0)
        pen.line([(ends[0], y), (ends[1], y)], "gw-bar", body)
        pen.gear(middle - half, y - radius + 0.7, middle + half, y + radius - 0.7, role, body, group.helical)
        pen.stands(middle, y, body)
        _supports(pen, plan, body, middle + (-32.0 if front else 32.0), y, train.bodies[body].fixed)


def _draw_body(pen: _Pen, plan: Layout, group: Group, train: Train) -> None:
    role, body = next(iter(group.members.items()))
    middle, y = _middle(group), group.axis
    pen.stands(middle, y, body)
    held = "" if len(plan.home[body]) > 1 else body  # what a wheel shares is drawn beside the wheel
    if role == "rotor":
        for up in (1.0, -1.0):
            places = [(middle - 5.0, y + up * 16.0), (middle - 3.0, y + up * 100.0), (middle + 3.0, y + up * 100.0)]
            places += [(middle + 8.0, y + up * 40.0), (middle + 7.0, y + up * 16.0)]
            pen.parts.append(element("polygon", points=pen.places(places), class_="gw-part gw-rotor"))
        pen.box(middle - 15.0, y - 17.0, middle + 14.0, y + 17.0, "gw-part gw-rotor", body)
        _supports(pen, plan, held, middle + 28.0, y, train.bodies[body].fixed)
    elif role == "machine":
        pen.box(middle - 33.0, y - 30.0, middle + 33.0, y + 30.0, "gw-part gw-machine", body)
        for i in range(1, 6):
            pen.line([(middle - 27.0, y - 30.0 + 10.0 * i), (middle + 27.0, y - 30.0 + 10.0 * i)], "gw-teeth")
        pen.ground(middle - 28.0, middle + 28.0, y - 31.5, -1.0)
        _supports(pen, plan, held, middle - 46.0, y)
    else:
        colour = role if role in COLOURS else "body"
        colour = "planet1" if role == "planet" else colour
        pen.box(middle - 11.0, y - 40.0, middle + 11.0, y + 40.0, f"gw-part gw-{colour}", body)
        _supports(pen, plan, body, middle + 22.0, y, train.bodies[body].fixed)


def _captions(pen: _Pen, plan: Layout) -> None:
    if pen.upright:
        right = pen.high[0] + 14.0
        last = float("-inf")
        for group in plan.groups:
            middle = max(_middle(group), last + 6.0)
            top = middle - 8.0 * len(group.caption) + 10.0
            for i, words in enumerate(group.caption):
                pen.write((right, top + 17.0 * i), words, "gw-name" if i == 0 else "gw-note", "start", 150.0)
            last = top + 17.0 * len(group.caption)
        return
    crowded = any(a is not b and a.x < b.x + b.slot and b.x < a.x + a.slot for a in plan.groups for b in plan.groups)
    base = pen.high[1] + 20.0
    for group in plan.groups:
        top = -(group.axis + group.span[0]) + 16.0 if crowded else base
        for i, words in enumerate(group.caption):
            place = (_middle(group), top + 17.0 * i)
            pen.write(place, words, "gw-name" if i == 0 else "gw-note", "middle", group.slot + 24.0)


def _callouts(pen: _Pen, marks: Sequence[Mark]) -> None:
    """Marks in a row above the drawing (upright: in a column left of it), in the order of their parts so that no two lines cross."""
    shown = [mark for mark in marks if mark.element in pen.anchors]
    if not shown:
        return
    along, across = (1, 0) if pen.upright else (0, 1)
    shown.sort(key=lambda mark: pen.anchors[mark.element][along])
    wished = [pen.anchors[mark.element][along] for mark in shown]
    places = list(wished)
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + _APART)
    over = (places[-1] - wished[-1]) / 2.0  # a row that was pushed on is moved half of it back
    row = pen.low[across] - 24.0
    for mark, place in zip(shown, (p - over for p in places), strict=True):
        target = pen.anchors[mark.element]
        centre = (row, place) if pen.upright else (place, row)
        look = "fail" if mark.fails else "pass"
        for axis in (0, 1):
            pen.low[axis] = min(pen.low[axis], centre[axis] - _CALLOUT - 2.0)
            pen.high[axis] = max(pen.high[axis], centre[axis] + _CALLOUT + 2.0)
        ends = " ".join(f"{x:.1f},{y:.1f}" for x, y in (centre, target))
        pen.parts.append(element("polyline", points=ends, class_="gw-lead"))
        pen.parts.append(element("circle", cx=target[0], cy=target[1], r=3, class_=f"gw-{look}"))
        words = f"{mark.number}: {mark.element}{', falls short' if mark.fails else ''}"
        pen.parts.append(element("circle", _title(words), cx=centre[0], cy=centre[1], r=_CALLOUT, class_=f"gw-{look}"))
        style = "gw-failed" if mark.fails else "gw-number"
        pen.parts.append(
            element(
                "text", escape(str(mark.number)), x=centre[0], y=centre[1] + 4.3, text_anchor="middle", class_=style
            )
        )


def _legend(pen: _Pen) -> None:
    drawn = "".join(pen.parts)
    style = {"planet": "gw-planet1", "bearing": "gw-box", "shaft": "gw-bar"}
    present = [role for role in _ROLE_WORDS if f'{style.get(role, f"gw-{role}")}"' in drawn]
    x0, y = pen.low[0], pen.high[1] + 26.0
    x, limit = x0, max(pen.high[0], x0 + 300.0)
    for role in present:
        width = 24.0 + 7.2 * len(role)
        if x + width > limit:
            x, y = x0, y + 20.0
        chip = "gw-box" if role == "bearing" else f"gw-part gw-{'planet1' if role == 'planet' else role}"
        pen.parts.append(element("rect", x=x, y=y - 10.0, width=12, height=12, rx=1.5, class_=chip))
        pen.write((x + 17.0, y), role, "gw-note", "start", 100.0)
        x += width + 10.0
