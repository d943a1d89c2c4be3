"""The page on the teeth of a stage: flanks at work, stiffness, sharing, transmission error, elements with stress."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from gearwright.analyses.mesh_stiffness import MeshStiffness
from gearwright.analyses.transmission_error import TransmissionError
from gearwright.figures.drawing import COLOURS, Line, curves
from gearwright.figures.format import number
from gearwright.figures.markup import element, polyline, shown, svg
from gearwright.geometry.gear import Gear
from gearwright.geometry.outline import outline
from gearwright.geometry.pair import GearPair
from gearwright.stiffness.curves import ErrorCurve, MeshCurve
from gearwright.stiffness.fe import loaded_tooth

from .blocks import Block, Drawing, Heading, Listing, Section, Words
from .document import still_page

Array = NDArray[np.float64]


def page(
    title: str,
    pairs: dict[str, GearPair],
    stiff: MeshStiffness | None,
    ste: TransmissionError | None,
    elements: bool,
    missing: str = "",
) -> str:
    """The page. ``stiff`` and ``ste`` are None where data are ``missing`` (a sentence);
    ``elements``: draw the finite elements."""
    first: list[Block] = []
    if any(pair.one.helix_angle for pair in pairs.values()):
        lead = (
            "Helical teeth: stiffness, sharing and stresses are those of a transverse section; the transmission error "
        )
        first.append(Words(lead + "adds the sections over the face."))
    sections = []
    for name, pair in pairs.items():
        blocks = [*_words(pair), *flanks(pair)]
        if stiff is not None and isinstance(curve := stiff.meshes[name], MeshCurve):
            blocks += stiffness_pictures(curve, stiff.method)
            if ste is not None and name in ste.meshes:
                blocks += error_pictures(ste.meshes[name])
            if elements:
                blocks += element_pictures(pair, curve)
        sections.append(Section(name, name, blocks))
    if missing:
        sections.append(Section("stiffness", "Stiffness", [Words(f"Not computed: {missing}")]))
    return still_page("teeth.html", title=f"{title}: teeth", first=first, sections=sections)


def _words(pair: GearPair) -> list[Block]:
    p = pair.path
    overlap = f" and overlap {pair.overlap_ratio:.4f}" if pair.overlap_ratio else ""
    sentence = (
        f"{pair.one.teeth} / {pair.two.teeth} teeth, module {1e3 * pair.one.module:g} mm, working pressure angle "
        f"{math.degrees(pair.working_angle):.3f}°, contact ratio {pair.contact_ratio:.4f}{overlap}, path of contact "
        f"{1e3 * (p.end - p.start):.2f} mm of base pitch {1e3 * p.base_pitch:.2f} mm."
    )
    found = [str(c) for c in pair.checks()]
    return [Words(sentence), *([Listing(found, style="small")] if found else [])]


# --- flanks at work ------------------------------------------------------------------------------------------------------


def _placed(gear: Gear, centre: tuple[float, float], tooth: float, about: Array, reach: float) -> tuple[str, str]:
    """The part of an outline within ``reach`` of a point, its tooth at a polar angle, as SVG paths in mm: the area with
    a piece of the body, and the outline alone."""
    points = outline(gear)
    turn = tooth - 0.5 * math.pi
    c, s = math.cos(turn), math.sin(turn)
    x, y = c * points[0] - s * points[1] + centre[0], s * points[0] + c * points[1] + centre[1]
    near = np.hypot(x - about[0], y - about[1]) < reach
    if not near.any():
        return "", ""
    begin = int(np.argmin(near)) if not near.all() else 0
    near, x, y = np.roll(near, -begin), np.roll(x, -begin), np.roll(y, -begin)
    x, y = x[near], y[near]
    edge = _path(x, y)
    if not near.all():  # close the piece through the gear's body
        inwards = np.array([centre[0] - x[[-1, 0]], centre[1] - y[[-1, 0]]])
        inwards *= (-14.0 if gear.ring else 14.0) * gear.module / np.hypot(*inwards)
        x, y = np.append(x, x[[-1, 0]] + inwards[0]), np.append(y, y[[-1, 0]] + inwards[1])
    return _path(x, y) + "Z", edge + ("Z" if near.all() else "")


def _path(x: Array, y: Array) -> str:
    """A path through points [m], in mm with y upwards."""
    return polyline(zip(1e3 * x, -1e3 * y, strict=True))


def flanks(pair: GearPair) -> list[Block]:
    """Both gears about the pitch point with the line of action; the path of contact by the number of pairs."""
    one, two, p = pair.one, pair.two, pair.path
    alpha, a, m = pair.working_angle, pair.distance, one.transverse_module
    up = 0.5 * math.pi  # the mate above
    foot = one.base_radius * np.array([math.cos(alpha + up), math.sin(alpha + up)])
    along = np.array([math.sin(alpha + up), -math.cos(alpha + up)])
    s1 = p.pitch_point
    pitch = foot + along * s1
    centre = (0.0, -a) if pair.internal else (0.0, a)
    s2 = pair.mate_arc(s1)
    first = alpha + up - s1 / one.base_radius + one.base_half_angle
    if pair.internal:
        second = alpha + up - s2 / two.base_radius + two.base_half_angle + math.pi / two.teeth
    else:
        second = alpha + up + math.pi - s2 / two.base_radius + two.base_half_angle
    reach = 1.15 * max(0.5 * (p.end - p.start) + 0.5 * p.base_pitch, 4.2 * m)
    draws = []
    for g, c, t in ((one, (0.0, 0.0), first), (two, centre, second)):
        area, edge = _placed(g, c, t, pitch, 1.6 * reach)
        draws.append(element("path", fill="currentColor", fill_opacity=0.08, d=area))
        draws.append(element("path", fill="none", stroke="currentColor", d=edge, stroke_width=0.035 * 1e3 * m))

    def segment(low: float, high: float, stroke: str, width: float, dash: str | None = None) -> Markup:
        ends = np.stack([foot + along * low, foot + along * high], axis=1)
        look = {"stroke": stroke, "stroke_width": width, "stroke_dasharray": dash}
        return element("path", d=_path(*ends), fill="none", **look)

    thin, thick = 0.05e3 * m, 0.16e3 * m
    draws.append(segment(s1 - reach, s1 + reach, "currentColor", thin, f"{shown(4 * thin)} {shown(3 * thin)}"))
    few, many = (min(q[2] for q in pair.regions), max(q[2] for q in pair.regions))
    for low, high, pairs in pair.regions:
        draws.append(segment(low, high, COLOURS[1] if pairs == few else COLOURS[0], thick))
    at = s1
    while at - p.base_pitch >= p.start:
        at -= p.base_pitch
    while at <= p.end:
        x, y = 1e3 * (foot + along * at)
        draws.append(element("circle", cx=float(x), cy=float(-y), r=0.16e3 * m, fill=COLOURS[2]))
        at += p.base_pitch
    x, y, r = 1e3 * float(pitch[0]), -1e3 * float(pitch[1]), 1e3 * reach
    box = (x - 1.5 * r, y - 0.85 * r, 3 * r, 1.7 * r)
    says = (
        f"{pair.one.name} below, {pair.two.name} above, touching at the pitch point. Line of action dashed; path of contact "
        f"blue where {many} pairs carry, orange where {few}; green: the pairs that touch now."
    )
    return [Drawing(svg(box, "Flanks with the line of action", draws, width="100%")), Words(says, "small")]


# --- curves --------------------------------------------------------------------------------------------------------------


def stiffness_pictures(mesh: MeshCurve, method: str) -> list[Block]:
    """Stiffness over the cycle; sharing and stresses under load where the data have them."""
    phase = list(mesh.phase)
    pairs = 1e-9 * mesh.pair_stiffness
    lines = [Line("mesh", phase, list(1e-9 * mesh.stiffness), COLOURS[0])]
    lines += _pairs("pair", phase, pairs, pairs > 0.0, "5 3")
    source = mesh.half_width_source.replace(" um", " µm")
    says = f"Mean {number(1e-9 * mesh.mean)} kN/µm, {number(1e-9 * mesh.lowest)} to {number(1e-9 * mesh.highest)}"
    blocks: list[Block] = [
        Heading(f"Stiffness over the cycle ({method})"),
        Drawing(curves(lines, "mesh cycle from entry of a pair", "stiffness [kN/µm]")),
        Words(f"{says}; {source}.", "small"),
    ]
    loaded = mesh.under_load
    if loaded is None:
        return blocks
    share = loaded.share
    lines = _pairs("pair", phase, share, share > 0.0)
    blocks += [
        Heading("Load sharing at the operating torque"),
        Drawing(curves(lines, "mesh cycle", "share of the mesh force [-]")),
    ]
    lines = _pairs("Hertz, pair", phase, 1e-6 * loaded.pressure, share > 0.0)
    if loaded.root_stress is not None:
        for i, stress in enumerate(1e-6 * loaded.root_stress):
            name = f"root, {mesh.teeth[i].gear}"
            lines.append(Line(name, phase, list(stress.max(axis=1)), COLOURS[i * 4], "5 3"))
    drawn = Drawing(curves(lines, "mesh cycle", "stress [MPa]"))
    return [*blocks, Heading("Stresses at the operating torque"), drawn]


def _pairs(name: str, phase: list[float], values: Array, carries: NDArray[np.bool_], dash: str = "") -> list[Line]:
    """A curve of every pair, broken where it carries nothing."""
    return [
        Line(f"{name} {j + 1}", phase, list(np.where(carries[:, j], values[:, j], np.nan)), COLOURS[1 + j % 5], dash)
        for j in range(values.shape[1])
    ]


def error_pictures(found: ErrorCurve) -> list[Block]:
    """Static transmission error over the cycle and over torque."""
    torque = 1e-3 * np.asarray(found.torque)
    phase = list(found.phase)
    chosen = range(len(torque)) if len(torque) <= 4 else (0, len(torque) // 3, 2 * len(torque) // 3, len(torque) - 1)
    lines = [
        Line(f"{number(torque[i])} kN m", phase, list(1e6 * np.asarray(found.error[i])), COLOURS[k % 6])
        for k, i in enumerate(chosen)
    ]
    blocks: list[Block] = [
        Heading(f"Static transmission error along the line of action, torque on {found.wheel}"),
        Drawing(curves(lines, "mesh cycle", "approach [µm]", zero=False)),
    ]
    if len(torque) > 1:
        harmonics = 1e6 * np.asarray(found.harmonics)
        lines = [Line("peak to peak", list(torque), list(1e6 * np.asarray(found.peak_to_peak)), COLOURS[0])]
        lines += [Line(f"harmonic {j + 1}", list(torque), list(harmonics[:, j]), COLOURS[1 + j]) for j in range(3)]
        drawn = Drawing(curves(lines, f"torque on {found.wheel} [kN m]", "error [µm]"))
        blocks += [Heading("Transmission error over torque"), drawn]
    return blocks


# --- elements ------------------------------------------------------------------------------------------------------------


def element_pictures(pair: GearPair, mesh: MeshCurve) -> list[Block]:
    """The finite elements of both teeth with their von Mises stress."""
    loaded = mesh.under_load
    width = pair.face_width or 1.0
    load = loaded.force / width if loaded is not None else 3e5
    blocks: list[Block] = [Heading("Elements, with von Mises stress")]
    for gear, arc in ((pair.one, pair.path.pitch_point), (pair.two, pair.mate_arc(pair.path.pitch_point))):
        blocks.append(Drawing(stress_picture(gear, loaded_tooth(gear, arc, mesh.half_width), load)))
    says = (
        f"The whole mesh force, {number(1e-3 * load)} N/mm, at the pitch point. Colours end at 1.5 times the largest "
    )
    return [*blocks, Words(says + "root stress; the contact itself is above.", "small")]


def stress_picture(gear: Gear, found: Any, load: float) -> Markup:
    """The elements about the tooth, coloured by von Mises stress [MPa] under a load per width [N/m]."""
    m = gear.module
    root = np.array([0.0, gear.root_radius])
    side = -1.0 if gear.ring else 1.0
    x, y = found.points
    top = 1.5 * load * found.root_stress
    mises = load * found.mises[found.cells].mean(axis=0)
    middle = np.array([x[found.cells].mean(axis=0), y[found.cells].mean(axis=0)])
    near = (np.abs(middle[0]) < 3.2 * m) & (np.abs(middle[1] - root[1]) < 3.2 * m)
    cells = [
        element(
            "path", d=_path(x[corners], side * (y[corners] - root[1])) + "Z", fill=_heat(min(mises[cell] / top, 1.0))
        )
        for cell in np.nonzero(near)[0]
        for corners in [found.cells[:, cell]]
    ]
    size = 3.2e3 * m
    look = {"stroke": "#223", "stroke_opacity": 0.25, "stroke_width": 0.002 * size}
    font = {"fill": "currentColor", "font_size": 0.055 * size}
    bar = [
        element(
            "rect",
            x=1.12 * size,
            y=size * (0.9 - 1.7 * (i + 1) / 24),
            width=0.1 * size,
            height=1.75 * size / 24,
            fill=_heat((i + 0.5) / 24),
        )
        for i in range(24)
    ]
    marks = [
        element("text", f"{number(1e-6 * top * f)} MPa", x=1.25 * size, y=size * (0.92 - 1.7 * f), **font)
        for f in (0.0, 0.5, 1.0)
    ]
    name = element("text", gear.name, x=-1.45 * size, y=-0.9 * size, **font)
    box = (-1.5 * size, -1.02 * size, 3.35 * size, 2.04 * size)
    return svg(box, f"Elements of {gear.name}", [element("g", cells, **look), *bar, *marks, name], width="100%")


def _heat(x: float) -> str:
    """A colour from blue over yellow to red."""
    stops = (
        (0.0, (44, 84, 152)),
        (0.25, (86, 166, 190)),
        (0.5, (240, 226, 138)),
        (0.75, (228, 138, 60)),
        (1.0, (170, 30, 40)),
    )
    for (low, a), (high, b) in zip(stops, stops[1:], strict=False):
        if x <= high:
            f = (x - low) / (high - low)
            return "#" + "".join(f"{round(p + f * (q - p)):02x}" for p, q in zip(a, b, strict=True))
    return "#aa1e28"
