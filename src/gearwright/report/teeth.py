"""The page on the teeth of a stage: flanks at work, stiffness, sharing, transmission error, elements with stress."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gearwright.geometry.gear import Gear
from gearwright.geometry.outline import outline
from gearwright.geometry.pair import GearPair

from .drawing import COLOURS, Line, curves
from .format import number, text

Array = NDArray[np.float64]

_STYLE = """
:root{color-scheme:light dark;--ink:#1c2430;--paper:#fff;--faint:#d5dae0}
@media(prefers-color-scheme:dark){:root{--ink:#e3e7ec;--paper:#15191f;--faint:#39414b}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:820px;margin:0 auto;padding:1.5rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2.2rem 0 .4rem;border-top:1px solid var(--faint);padding-top:1rem}
h3{font-size:1rem;margin:1.4rem 0 .2rem}svg{width:100%;height:auto;display:block}
svg text{font-family:system-ui,sans-serif}p{margin:.3rem 0}
.small{font-size:.87rem}
"""


def page(
    title: str, pairs: dict[str, GearPair], stiff: dict[str, Any] | None, ste: dict[str, Any] | None, elements: bool,
    missing: str = "",
) -> str:  # fmt: skip
    """The page. ``stiff`` and ``ste`` are the data of the commands, None where data are ``missing`` (a sentence);
    ``elements``: draw the finite elements."""
    body = ""
    if any(pair.one.helix_angle for pair in pairs.values()):
        body = "<p>Helical teeth: stiffness, sharing and stresses are those of a transverse section; the transmission error"
        body += " adds the sections over the face.</p>"
    for name, pair in pairs.items():
        body += f"<h2>{text(name)}</h2>" + _words(pair) + flanks(pair)
        if stiff is None:
            continue
        mesh = stiff["meshes"][name]
        body += stiffness_pictures(mesh, stiff["method"])
        if ste is not None and name in ste["meshes"]:
            body += error_pictures(ste["meshes"][name])
        if elements:
            body += element_pictures(pair, mesh)
    if missing:
        body += f"<h2>Stiffness</h2><p>Not computed: {text(missing)}</p>"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{text(title)}: teeth</title><style>{_STYLE}</style></head><body><main><h1>{text(title)}: teeth</h1>"
        f"{body}</main></body></html>\n"
    )


def _words(pair: GearPair) -> str:
    p = pair.path
    found = "".join(f"<li>{text(str(c))}</li>" for c in pair.checks())
    return (
        f"<p>{pair.one.teeth} / {pair.two.teeth} teeth, module {1e3 * pair.one.module:g} mm, working pressure angle "
        f"{math.degrees(pair.working_angle):.3f}°, contact ratio {pair.contact_ratio:.4f}"
        + (f" and overlap {pair.overlap_ratio:.4f}" if pair.overlap_ratio else "")
        + f", path of contact {1e3 * (p.end - p.start):.2f} mm of base pitch {1e3 * p.base_pitch:.2f} mm.</p>"
        + (f'<ul class="small">{found}</ul>' if found else "")
    )


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
    edge = "M" + "L".join(f"{1e3 * a:.3f} {-1e3 * b:.3f}" for a, b in zip(x, y, strict=True))
    if not near.all():  # close the piece through the gear's body
        inwards = np.array([centre[0] - x[[-1, 0]], centre[1] - y[[-1, 0]]])
        inwards *= (-14.0 if gear.ring else 14.0) * gear.module / np.hypot(*inwards)
        x, y = np.append(x, x[[-1, 0]] + inwards[0]), np.append(y, y[[-1, 0]] + inwards[1])
    area = "M" + "L".join(f"{1e3 * a:.3f} {-1e3 * b:.3f}" for a, b in zip(x, y, strict=True)) + "Z"
    return area, edge + ("Z" if near.all() else "")


def flanks(pair: GearPair) -> str:
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
        draws.append(f'<path fill="currentColor" fill-opacity="0.08" d="{area}"/>')
        draws.append(f'<path fill="none" stroke="currentColor" d="{edge}" stroke-width="{0.035 * 1e3 * m:.3f}"/>')

    def segment(low: float, high: float, style: str) -> str:
        b, e = 1e3 * (foot + along * low), 1e3 * (foot + along * high)
        return f'<path d="M{b[0]:.3f} {-b[1]:.3f}L{e[0]:.3f} {-e[1]:.3f}" fill="none" {style}/>'

    thin, thick = 0.05e3 * m, 0.16e3 * m
    draws.append(
        segment(
            s1 - reach,
            s1 + reach,
            f'stroke="currentColor" stroke-width="{thin:.3f}" stroke-dasharray="{4 * thin:.3f} {3 * thin:.3f}"',
        )
    )
    for low, high, pairs in pair.regions:
        colour = COLOURS[1] if pairs == min(r[2] for r in pair.regions) else COLOURS[0]
        draws.append(segment(low, high, f'stroke="{colour}" stroke-width="{thick:.3f}"'))
    at = s1
    while at - p.base_pitch >= p.start:
        at -= p.base_pitch
    while at <= p.end:
        x, y = 1e3 * (foot + along * at)
        draws.append(f'<circle cx="{x:.3f}" cy="{-y:.3f}" r="{0.16e3 * m:.3f}" fill="{COLOURS[2]}"/>')
        at += p.base_pitch
    x, y, r = 1e3 * pitch[0], -1e3 * pitch[1], 1e3 * reach
    few, many = (min(q[2] for q in pair.regions), max(q[2] for q in pair.regions))
    return (
        f'<svg width="100%" viewBox="{x - 1.5 * r:.3f} {y - 0.85 * r:.3f} {3 * r:.3f} {1.7 * r:.3f}" role="img" '
        f'aria-label="Flanks with the line of action">{"".join(draws)}</svg>'
        f'<p class="small">{text(pair.one.name)} below, {text(pair.two.name)} above, touching at the pitch point. Line of '
        f"action dashed; path of contact blue where {many} pairs carry, orange where {few}; green: the pairs that touch "
        f"now.</p>"
    )


# --- curves --------------------------------------------------------------------------------------------------------------


def stiffness_pictures(mesh: dict[str, Any], method: str) -> str:
    """Stiffness over the cycle; sharing and stresses under load where the data have them."""
    phase = np.asarray(mesh["phase"])
    lines = [Line("mesh", list(phase), list(1e-9 * np.asarray(mesh["stiffness"])), COLOURS[0])]
    pairs = 1e-9 * np.asarray(mesh["pair_stiffness"])
    for j in range(pairs.shape[1]):
        column = np.where(pairs[:, j] > 0.0, pairs[:, j], np.nan)
        lines.append(Line(f"pair {j + 1}", list(phase), list(column), COLOURS[1 + j % 5], "5 3"))
    out = f"<h3>Stiffness over the cycle ({text(method)})</h3>" + curves(
        lines, "mesh cycle from entry of a pair", "stiffness [kN/µm]"
    )
    out += (
        f'<p class="small">Mean {number(1e-9 * mesh["mean"])} kN/µm, {number(1e-9 * mesh["lowest"])} to '
        f"{number(1e-9 * mesh['highest'])}; {text(mesh['half_width_source'].replace(' um', ' µm'))}.</p>"
    )
    loaded = mesh.get("under_load")
    if loaded is not None:
        share = np.asarray(loaded["share"])
        lines = [
            Line(
                f"pair {j + 1}", list(phase), list(np.where(share[:, j] > 0.0, share[:, j], np.nan)), COLOURS[1 + j % 5]
            )
            for j in range(share.shape[1])
        ]
        out += "<h3>Load sharing at the operating torque</h3>" + curves(
            lines, "mesh cycle", "share of the mesh force [-]"
        )
        peak = 1e-6 * np.asarray(loaded["pressure"])
        lines = [
            Line(
                f"Hertz, pair {j + 1}",
                list(phase),
                list(np.where(share[:, j] > 0.0, peak[:, j], np.nan)),
                COLOURS[1 + j % 5],
            )
            for j in range(peak.shape[1])
        ]
        if loaded["root_stress"] is not None:
            for i, stress in enumerate(1e-6 * np.asarray(loaded["root_stress"])):
                lines.append(
                    Line(
                        f"root, {mesh['teeth'][i]['gear']}",
                        list(phase),
                        list(stress.max(axis=1)),
                        COLOURS[i * 4],
                        "5 3",
                    )
                )
        out += "<h3>Stresses at the operating torque</h3>" + curves(lines, "mesh cycle", "stress [MPa]")
    return out


def error_pictures(found: dict[str, Any]) -> str:
    """Static transmission error over the cycle and over torque."""
    torque = 1e-3 * np.asarray(found["torque"])
    phase = list(found["phase"])
    chosen = range(len(torque)) if len(torque) <= 4 else (0, len(torque) // 3, 2 * len(torque) // 3, len(torque) - 1)
    lines = [
        Line(f"{number(torque[i])} kN m", phase, list(1e6 * np.asarray(found["error"][i])), COLOURS[k % 6])
        for k, i in enumerate(chosen)
    ]
    out = f"<h3>Static transmission error along the line of action, torque on {text(found['wheel'])}</h3>"
    out += curves(lines, "mesh cycle", "approach [µm]", zero=False)
    if len(torque) > 1:
        harmonics = 1e6 * np.asarray(found["harmonics"])
        lines = [Line("peak to peak", list(torque), list(1e6 * np.asarray(found["peak_to_peak"])), COLOURS[0])]
        lines += [Line(f"harmonic {j + 1}", list(torque), list(harmonics[:, j]), COLOURS[1 + j]) for j in range(3)]
        out += "<h3>Transmission error over torque</h3>" + curves(
            lines, f"torque on {found['wheel']} [kN m]", "error [µm]"
        )
    return out


# --- elements ------------------------------------------------------------------------------------------------------------


def element_pictures(pair: GearPair, mesh: dict[str, Any]) -> str:
    """The finite elements of both teeth with their von Mises stress."""
    from gearwright.stiffness.fe import loaded_tooth

    out = "<h3>Elements, with von Mises stress</h3>"
    loaded = mesh.get("under_load")
    width = pair.face_width or 1.0
    load = loaded["force"] / width if loaded is not None else 3e5
    for gear, arc in ((pair.one, pair.path.pitch_point), (pair.two, pair.mate_arc(pair.path.pitch_point))):
        found = loaded_tooth(gear, arc, mesh["half_width"])
        out += stress_picture(gear, found, load)
    return out + (
        f'<p class="small">The whole mesh force, {number(1e-3 * load)} N/mm, at the pitch point. Colours end at 1.5 times '
        f"the largest root stress; the contact itself is above.</p>"
    )


def stress_picture(gear: Gear, found: Any, load: float) -> str:
    """The elements about the tooth, coloured by von Mises stress [MPa] under a load per width [N/m]."""
    m = gear.module
    root = np.array([0.0, gear.root_radius])
    side = -1.0 if gear.ring else 1.0
    x, y = found.points
    top = 1.5 * load * found.root_stress
    mises = load * found.mises[found.cells].mean(axis=0)
    middle = np.array([x[found.cells].mean(axis=0), y[found.cells].mean(axis=0)])
    shown = (np.abs(middle[0]) < 3.2 * m) & (np.abs(middle[1] - root[1]) < 3.2 * m)
    parts = []
    for cell in np.nonzero(shown)[0]:
        corners = found.cells[:, cell]
        d = "L".join(f"{1e3 * x[i]:.2f} {-1e3 * side * (y[i] - root[1]):.2f}" for i in corners)
        parts.append(f'<path d="M{d}Z" fill="{_heat(min(mises[cell] / top, 1.0))}"/>')
    size = 3.2e3 * m
    bar = "".join(
        f'<rect x="{1.12 * size:.2f}" y="{size * (0.9 - 1.7 * (i + 1) / 24):.2f}" width="{0.1 * size:.2f}" '
        f'height="{1.75 * size / 24:.2f}" fill="{_heat((i + 0.5) / 24)}"/>'
        for i in range(24)
    )
    font = f'fill="currentColor" font-size="{0.055 * size:.2f}"'
    bar += "".join(
        f'<text x="{1.25 * size:.2f}" y="{size * (0.92 - 1.7 * f):.2f}" {font}>{number(1e-6 * top * f)} MPa</text>'
        for f in (0.0, 0.5, 1.0)
    )
    return (
        f'<svg width="100%" viewBox="{-1.5 * size:.2f} {-1.02 * size:.2f} {3.35 * size:.2f} {2.04 * size:.2f}" role="img" '
        f'aria-label="Elements of {text(gear.name)}"><g stroke="#223" stroke-opacity="0.25" stroke-width="{0.002 * size:.3f}">'
        f'{"".join(parts)}</g>{bar}<text x="{-1.45 * size:.2f}" y="{-0.9 * size:.2f}" {font}>{text(gear.name)}</text></svg>'
    )


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


__all__ = ["element_pictures", "error_pictures", "flanks", "page", "stiffness_pictures", "stress_picture"]
